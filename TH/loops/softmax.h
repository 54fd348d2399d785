/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The loops of softmax, along contiguous lines and across them; both do the same arithmetic. NaN
 * anywhere makes all of a line NaN. */
#ifndef TH_LOOPS_SOFTMAX_H
#define TH_LOOPS_SOFTMAX_H

#include <TH/THIsa.h>

#define TH_SOFTMAX_LANES \
    16 /* of a sum: element i goes to lane i % 16, lanes are folded by halves */

typedef struct THSoftmaxLoops {
    /* A line of n elements. */
    void (*line)(int64_t n, const void *x, void *result);
    /* Element `index` of `width` lines. First for the maxima, then for the sums of exponentials
     * (TH_SOFTMAX_LANES * width doubles), last for the results. */
    void (*maximum)(int64_t width, int64_t index, const void *x, void *maxima);
    void (*sum)(int64_t width, int64_t index, const void *x, const void *maxima, double *lanes);
    void (*result)(int64_t width, const void *x, const void *maxima, const void *divisors,
                   void *result);
    /* Makes the sums of n elements what `result` wants as divisors. */
    void (*fold)(int64_t width, int64_t n, double *lanes, void *divisors);
} THSoftmaxLoops;

/* For every floating dtype and instruction set: th_softmax_<Real>_<isa>,
 * th_logSoftmax_<Real>_<isa>. */
#define TH_SOFTMAX_DECLARE(name) extern const THSoftmaxLoops name[1]

#endif
