/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector functions of our own, in place of the C library's, where the instruction set has what they
 * want (AVX-512, some AVX2): th_<name> of doubles and th_<name>f of floats. A loop that calls them
 * vectorises, and an element has the same result in a vector and alone. declarations/math.yaml
 * states their largest errors. Those of one argument are there for arrays too, th_<name>_doubles,
 * floats and halves: without a call for each vector they take a tenth to a fifth less. So is pow,
 * of doubles and floats, with AVX-512. */
#ifndef TH_LOOPS_MATH_H
#define TH_LOOPS_MATH_H

#include <math.h>

#include <TH/THGeneral.h>
#include <TH/THHalf.h>
#include <TH/loops/vector.h>

#if defined(TH_HAVE_SOME_VECTORS)
#ifdef __cplusplus
extern "C" {
#endif

#define TH_VECTOR __attribute__((simd("notinbranch"), const))
#define TH_ARRAYS_1(name)                                                                      \
    TH_API void TH_VECTOR_FUNCTION(name##_doubles)(int64_t n, double *to, const double *from); \
    TH_API void TH_VECTOR_FUNCTION(name##_floats)(int64_t n, float *to, const float *from);    \
    TH_API void TH_VECTOR_FUNCTION(name##_halves)(int64_t n, THHalf *to, const THHalf *from);
#define TH_VECTOR_1(name)                                             \
    TH_API extern double TH_VECTOR_FUNCTION(name)(double) TH_VECTOR;  \
    TH_API extern float TH_VECTOR_FUNCTION(name##f)(float) TH_VECTOR; \
    TH_ARRAYS_1(name)
#define TH_VECTOR_2(name)                                                    \
    TH_API extern double TH_VECTOR_FUNCTION(name)(double, double) TH_VECTOR; \
    TH_API extern float TH_VECTOR_FUNCTION(name##f)(float, float) TH_VECTOR;
TH_VECTOR_1(acos)
TH_VECTOR_1(acosh)
TH_VECTOR_1(asin)
TH_VECTOR_1(atanh)
TH_VECTOR_1(cos)
TH_VECTOR_1(cosh)
TH_VECTOR_1(erfc)
TH_VECTOR_1(exp)
TH_VECTOR_1(exp2)
TH_VECTOR_1(expm1)
TH_VECTOR_1(lgamma)
TH_VECTOR_1(log)
TH_VECTOR_1(log10)
TH_VECTOR_1(log1p)
TH_VECTOR_1(log2)
TH_VECTOR_1(sin)
TH_VECTOR_1(sinh)
TH_VECTOR_2(fmod)
TH_VECTOR_2(floor_divide)
TH_VECTOR_2(remainder)
#define TH_VECTOR_INTEGER_2(type, name) \
    TH_API extern type TH_VECTOR_FUNCTION(name)(type, type) TH_VECTOR;
TH_VECTOR_INTEGER_2(int32_t, powInt)
TH_VECTOR_INTEGER_2(int64_t, powLong)
/* Truncated; of the divisors but 0 and -1. */
TH_VECTOR_INTEGER_2(int64_t, quotientLong)
#undef TH_VECTOR_INTEGER_2
#if !defined(TH_HAVE_VECTOR_FUNCTIONS)
/* Of arrays of int64, and of one and a number that is not 0; `to` may be one of them. */
#define TH_HAVE_LONGS 1
#define TH_LONGS(name) \
    TH_API void THLongs_##name(int64_t n, int64_t *to, const int64_t *x, const int64_t *y);
TH_LONGS(floor_divide)
TH_LONGS(fmod)
TH_LONGS(remainder)
#undef TH_LONGS
#define TH_LONGS_BY(name) \
    TH_API void THLongs_##name(int64_t n, int64_t *to, const int64_t *from, int64_t divisor);
TH_LONGS_BY(floor_divide_by)
TH_LONGS_BY(fmod_by)
TH_LONGS_BY(remainder_by)
#undef TH_LONGS_BY
#else
TH_VECTOR_1(expTerm)
TH_VECTOR_1(asinh)
TH_VECTOR_1(atan)
TH_VECTOR_1(erf)
TH_VECTOR_1(gelu)
TH_VECTOR_1(rsqrt)
TH_VECTOR_1(sigmoid)
TH_VECTOR_1(sqrt)
TH_VECTOR_1(tan)
TH_VECTOR_1(tanh)
TH_VECTOR_2(atan2)
TH_VECTOR_2(hypot)
TH_VECTOR_2(pow)
TH_API void th_pow_doubles(int64_t n, double *to, const double *x, const double *y);
TH_API void th_pow_floats(int64_t n, float *to, const float *x, const float *y);
/* Alone, the machine's own. */
static inline double th_reciprocal(double x)
{
    return 1 / x;
}
static inline float th_reciprocalf(float x)
{
    return 1 / x;
}
TH_ARRAYS_1(reciprocal)
#endif
#undef TH_ARRAYS_1
#undef TH_VECTOR_1
#undef TH_VECTOR_2
#undef TH_VECTOR

/* In generic files: that of a dtype, and the name of a loop of elements as they are stored. */
#define TH_ARRAYS(name) TH_CONCAT_2(TH_ARRAYS_, Real)(name)
#define TH_ARRAYS_HalfBlock(name) TH_VECTOR_FUNCTION(name##_halves)
#define TH_ARRAYS_Float(name) TH_VECTOR_FUNCTION(name##_floats)
#define TH_ARRAYS_Double(name) TH_VECTOR_FUNCTION(name##_doubles)
#define TH_STORED_LOOP(name) TH_CONCAT_2(TH_STORED_LOOP_, Real)(name)
#define TH_STORED_LOOP_HalfBlock(name) THWidened_(name)
#define TH_STORED_LOOP_Float(name) THLoop_(name)
#define TH_STORED_LOOP_Double(name) THLoop_(name)

#ifdef __cplusplus
}
#endif
#endif
#endif
