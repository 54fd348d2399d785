/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The loops of random numbers: MT19937's words by the hundred, and what is computed of them alone.
 * Floating point is plain IEEE arithmetic in a fixed order (no fused operations, no function but
 * sqrt), so that the numbers are the same on every machine and in loops of any width. */
#ifndef TH_LOOPS_RANDOM_H
#define TH_LOOPS_RANDOM_H

#include <TH/THIsa.h>

#define TH_RANDOM_WORDS 624 /* of the state */

typedef struct THRandomLoops {
    /* The next state. */
    void (*twist)(uint32_t *state);
    /* n words of the state as they are drawn. */
    void (*temper)(int64_t n, const uint32_t *state, uint32_t *words);
    /* n numbers in [0, 1) of 53 bits; two words each, high half first. */
    void (*uniforms)(int64_t n, const uint32_t *words, double *numbers);
    /* n trials: whether numbers of two words each are below `p`. */
    void (*trials)(int64_t n, const uint32_t *words, const double *p, uint8_t *trials);
    /* Whether all are between 0 and 1. */
    bool (*areProbabilities)(int64_t n, const double *p);
    /* n pairs of normal numbers by Box and Muller; four words each. */
    void (*normals)(int64_t n, const uint32_t *words, double *numbers);
    /* n exponential numbers of mean 1 by the inverse of their distribution; two words each. */
    void (*exponentials)(int64_t n, const uint32_t *words, double *numbers);
    /* Whether a word is below `least`. */
    bool (*anyBelow)(int64_t n, const uint32_t *words, uint32_t least);
    /* words[i] % bound, 1 < bound. */
    void (*remainders)(int64_t n, const uint32_t *words, uint32_t bound, uint32_t *numbers);
} THRandomLoops;

#define TH_RANDOM_DECLARE(name) extern const THRandomLoops name[1]

static inline uint32_t THRandom_tempered(uint32_t word)
{
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680u;
    word ^= word << 15 & 0xefc60000u;
    return word ^ word >> 18;
}

#endif
