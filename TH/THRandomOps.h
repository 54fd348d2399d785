/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tensors of random numbers. Elements are drawn in row-major order whatever the layout, on one
 * thread, as one critical section of the generator: the numbers depend on its state and the dtype
 * alone. `generator` NULL is the default one; `int dtype` is a THDtype, or -1. */
#ifndef TH_RANDOM_OPS_H
#define TH_RANDOM_OPS_H

#include <TH/THRandom.h>
#include <TH/THTensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Uniform in [0, 1) and normal with mean 0 and variance 1; -1 is the default dtype, or self's. */
TH_API int THTensor_newRand(THTensor **out, const int64_t *size, int nsize, int dtype,
                            THGenerator *generator);
TH_API int THTensor_newRandn(THTensor **out, const int64_t *size, int nsize, int dtype,
                             THGenerator *generator);
TH_API int THTensor_newRandLike(THTensor **out, THTensor *self, int dtype, THGenerator *generator);
TH_API int THTensor_newRandnLike(THTensor **out, THTensor *self, int dtype, THGenerator *generator);
/* Whole numbers in [low, high); -1 is Long. */
TH_API int THTensor_newRandint(THTensor **out, int64_t low, int64_t high, const int64_t *size,
                               int nsize, int dtype, THGenerator *generator);
/* The same in self's sizes; -1 is self's dtype. */
TH_API int THTensor_newRandintLike(THTensor **out, THTensor *self, int64_t low, int64_t high,
                                   int dtype, THGenerator *generator);
/* The numbers 0 to n - 1 in random order; -1 is Long. */
TH_API int THTensor_newRandperm(THTensor **out, int64_t n, int dtype, THGenerator *generator);

/* Whole numbers in [from, to) in place, which the dtype must be able to hold. */
TH_API int THTensor_random(THTensor *self, int64_t from, int64_t to, THGenerator *generator);
/* The same over [0, largest], where every whole number up to the largest is held exactly. */
TH_API int THTensor_randomAll(THTensor *self, THGenerator *generator);

/* 1 with probability p, else 0, in place; a tensor of probabilities is broadcast to self. */
TH_API int THTensor_bernoulli(THTensor *self, double p, THGenerator *generator);
TH_API int THTensor_bernoulliTensor(THTensor *self, THTensor *p, THGenerator *generator);
/* 1 with probability p, else 0, in self's sizes. */
TH_API int THTensor_bernoulliLike(THTensor *result, THTensor *self, double p,
                                  THGenerator *generator);
/* `self` holds the probabilities. */
TH_API int THTensor_bernoulliOf(THTensor *result, THTensor *self, THGenerator *generator);

#define TH_GENERIC_FILE <TH/generic/random.h>
#include <TH/THGenerateAllTypes.h>

#ifdef __cplusplus
}
#endif
#endif
