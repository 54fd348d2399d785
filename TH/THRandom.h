/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random numbers: the Mersenne Twister MT19937 (Matsumoto and Nishimura 1998, initialisation of
 * 2002). The numbers drawn depend on the seed alone, not on threads or instruction sets. */
#ifndef TH_RANDOM_H
#define TH_RANDOM_H

#include <TH/THGeneral.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct THGenerator {
    uint64_t the_initial_seed;
    int32_t left;
    int32_t seeded;
    uint64_t next;
    uint32_t state[624];
    double normal_y; /* second number of the last pair */
    int32_t normal_is_valid;
    int32_t refcount; /* atomic */
    int32_t lock;     /* draws for one tensor are one critical section */
} THGenerator;

/* The generator used when none is given; seeded from the system at its first use unless seeded
 * before. */
TH_API THGenerator *THGenerator_default(void);
/* Neither made nor freed by who has locked one: a fork takes their list before their locks. */
TH_API int THGenerator_new(THGenerator **out); /* seeded with 5489 */
TH_API void THGenerator_retain(THGenerator *self);
TH_API void THGenerator_free(THGenerator *self);
TH_API void THGenerator_lock(THGenerator *self);
TH_API void THGenerator_unlock(THGenerator *self);

TH_API void THGenerator_manualSeed(THGenerator *self, uint64_t seed);
TH_API int THGenerator_seed(THGenerator *self, uint64_t *seed); /* from the system */
TH_API uint64_t THGenerator_initialSeed(const THGenerator *self);

/* The state as bytes, the same on every machine of one byte order; setting checks size and sanity.
 */
TH_API int64_t THGenerator_stateSize(void);
TH_API void THGenerator_getState(THGenerator *self, void *bytes);
TH_API int THGenerator_setState(THGenerator *self, const void *bytes, int64_t size);

/* Draws; the caller holds the lock. */
TH_API uint32_t THRandom_random(THGenerator *self);
TH_API uint64_t THRandom_random64(THGenerator *self);  /* two draws, high half first */
TH_API double THRandom_uniform(THGenerator *self);     /* [0, 1): 53 bits of random64 */
TH_API float THRandom_uniformFloat(THGenerator *self); /* [0, 1): 24 bits of one draw */
TH_API double
THRandom_normal(THGenerator *self); /* mean 0, variance 1; Box-Muller pairs, own log and cos */
TH_API uint64_t THRandom_below(THGenerator *self, uint64_t n); /* [0, n) without bias, n > 0 */
/* The same n numbers at once that n draws would give. */
TH_API void THRandom_words(THGenerator *self, int64_t n, uint32_t *words);
TH_API void THRandom_uniforms(THGenerator *self, int64_t n, double *numbers);
/* Whether each of n uniforms is below p[i]: 1 or 0. */
TH_API void THRandom_trials(THGenerator *self, int64_t n, const double *p, uint8_t *trials);
TH_API void THRandom_normals(THGenerator *self, int64_t n, double *numbers);
/* -log(1 - u) of n uniforms u: the density is exp(-x). */
TH_API void THRandom_exponentials(THGenerator *self, int64_t n, double *numbers);
TH_API void THRandom_wordsBelow(THGenerator *self, int64_t n, uint32_t bound,
                                uint32_t *numbers); /* 1 < bound */
TH_API void THRandom_longsBelow(THGenerator *self, int64_t n, uint64_t bound,
                                uint64_t *numbers); /* UINT32_MAX < bound */
/* numbers[i] is below bound + i, 1 < bound <= UINT32_MAX - n. */
TH_API void THRandom_wordsBelowRising(THGenerator *self, int64_t n, uint32_t bound,
                                      uint32_t *numbers);
/* Whether all are between 0 and 1. */
TH_API bool THRandom_areProbabilities(int64_t n, const double *p);

#ifdef __cplusplus
}
#endif
#endif
