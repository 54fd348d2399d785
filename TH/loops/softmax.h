/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The loops of softmax, along contiguous lines and across them; both do the same arithmetic. NaN
 * anywhere makes all of a line NaN. */
#ifndef TH_LOOPS_SOFTMAX_H
#define TH_LOOPS_SOFTMAX_H

#include <TH/THIsa.h>
#include <TH/THTensor.h>

#define TH_SOFTMAX_LANES \
    16 /* of a sum: element i goes to lane i % 16, lanes are folded by halves */
#define TH_SOFTMAX_PADDED(n) \
    (((n) + TH_SOFTMAX_LANES - 1) / TH_SOFTMAX_LANES * (int64_t)TH_SOFTMAX_LANES)
#define TH_SOFTMAX_TERMS 1024  /* padded so, of lines in hand at a time */
#define TH_SOFTMAX_ASKED 1024  /* bytes, asked for in one go: more wait for each other */
#define TH_SOFTMAX_COLUMNS 512 /* lines next to each other at most: runs for the memory */
#define TH_SOFTMAX_STEPS 256   /* elements of each, in hand at a time */

/* What is known of lines; maxima, divisors and their inverses are of the loops' dtype. */
typedef struct THSoftmaxState {
    _Alignas(64) double lanes[TH_SOFTMAX_LANES * TH_SOFTMAX_COLUMNS];
    double maxima[TH_SOFTMAX_COLUMNS];
    double divisors[TH_SOFTMAX_COLUMNS], inverses[TH_SOFTMAX_COLUMNS];
    int64_t pitch; /* across, from the sums of one lane to those of the next */
} THSoftmaxState;

/* What logsumexp accumulates, and pieces of a line come to: the largest element, and the sum of
 * exponentials over that of it. */
typedef struct THSoftmaxExps {
    double maximum, sum;
} THSoftmaxExps;

/* The logarithms of n of these, which may lie where they do. */
typedef void THLogExps(int64_t n, THSoftmaxExps *exps, double *results);
#define TH_EXPS_DECLARE(name) THLogExps name

/* Along: n elements of a line, the piece `index` of it; pieces but the last are a multiple of the
 * lanes. Across: the element `index` of n lines. */
typedef struct THSoftmaxLoops {
    bool ofTerms; /* does `result` take the terms, or what they are made of? */
    void (*maximum)(int64_t n, int64_t index, const void *x, THSoftmaxState *state);
    /* Exponentials over that of the maximum, added up; terms may be x. */
    void (*terms)(int64_t n, int64_t index, const void *x, THSoftmaxState *state, void *terms);
    /* Ends the sums of `count` elements. */
    void (*fold)(int64_t n, int64_t count, THSoftmaxState *state);
    void (*result)(int64_t n, const void *x, const THSoftmaxState *state, void *result);
    /* Along, all of that for several lines, less than which take longer so; what lies `ahead` of
     * them, in bytes, is asked for unless that is 0. */
    void (*lines)(int64_t count, int64_t n, const void *in, int64_t inStep, void *out,
                  int64_t outStep, int64_t ahead, THSoftmaxState *state);
    /* Across, all of that for n lines of up to TH_SOFTMAX_STEPS elements. */
    void (*tile)(int64_t n, int64_t steps, const void *in, int64_t inStep, void *out,
                 int64_t outStep, THSoftmaxState *state);
    /* Along, for lines that are cut into pieces: the maximum of no elements, so that terms of -inf
     * alone are 0; what the elements so far come to; what their piece and the line came to. */
    void (*lowest)(THSoftmaxState *state);
    THSoftmaxExps (*exps)(THSoftmaxState *state);
    void (*take)(const THSoftmaxExps *own, const THSoftmaxExps *whole, THSoftmaxState *state);
    /* Along and across, if `result` takes terms: these once more. */
    void (*again)(int64_t n, const void *x, const THSoftmaxState *state, void *terms);
    /* Along and across, of what is known of each line after its own `take`. */
    void (*ofPiece)(int64_t n, const void *x, const THSoftmaxState *state, void *result);
} THSoftmaxLoops;

/* For every floating dtype and instruction set, along and across: th_softmax_<Real>_<isa>,
 * th_logSoftmax_<Real>_<isa>. */
#define TH_SOFTMAX_DECLARE(name) extern const THSoftmaxLoops name[2]

#endif
