/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sequences of numbers; TH/loops/sequence.c. */
#ifndef TH_SEQUENCE_H
#define TH_SEQUENCE_H

#include <TH/THIsa.h>

/* A piece of a sequence of doubles: `forward` of its n numbers are counted from `start`, where
 * `before` come before them, the others back from `end`, where `after` come after the first. */
typedef struct THPiece {
    double start, end, step, before, after;
    int32_t forward, n;
} THPiece;

typedef struct THSequenceLoops {
    void (*doubles)(const THPiece *piece, double *to);
    void (*floats)(const THPiece *piece, float *to);
    /* Whole numbers; they wrap. */
    void (*longs)(int64_t n, int64_t origin, int64_t by, int64_t *to);
    void (*ints)(int64_t n, int32_t origin, int32_t by, int32_t *to);
} THSequenceLoops;
#define TH_SEQUENCE_DECLARE(name) extern const THSequenceLoops name[1]

#endif
