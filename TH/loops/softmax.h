/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The loops of softmax: th_softmax_<Real>_<isa> and th_logSoftmax_<Real>_<isa>. A line of n
 * elements; NaN anywhere makes all of the line NaN. */
#ifndef TH_LOOPS_SOFTMAX_H
#define TH_LOOPS_SOFTMAX_H

#include <TH/THIsa.h>

typedef void (*THSoftmaxLoop)(int64_t n, const void *x, void *result);
#define TH_SOFTMAX_DECLARE(name) void name(int64_t n, const void *x, void *result)

#endif
