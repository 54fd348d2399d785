/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of kernel expressions, for each dtype as TH<Real>_<name>; generic files and kernels
 * say TH_MATH(name). declarations/math.yaml lists them with their largest errors.
 *
 * Everything is inline, so that a call inside a loop vectorises: floating functions become vector
 * functions of our own (TH/loops/math.h) or of libmvec where glibc has all of them (x86-64, 2.35),
 * and are plain libm elsewhere.
 * Integer functions are defined for all arguments: results wrap, and nothing traps, not even on a
 * divisor that turned zero after it was checked. */
#ifndef TH_MATH_H
#define TH_MATH_H

#include <math.h>
#include <string.h>

#include <TH/THDtype.h>
#include <TH/loops/exp.h>
#include <TH/loops/fmod.h>
#include <TH/loops/gelu.h>
#include <TH/loops/longs.h>
#include <TH/loops/math.h>
#include <TH/loops/truths.h>

/* Two bytes, and the word that has one of them below, with anything above; and the lower byte of a
 * word in its place. */
typedef uint16_t __attribute__((may_alias, aligned(1))) THPair;
#define TH_OF_PAIR(data, i, bits) ((THPair)(((const THPair *)(data))[i] >> (bits)))
#define TH_TO_PAIR(value, bits) ((THPair)(((value) & 0xff) << (bits)))

#define TH_MATH_INLINE static inline __attribute__((always_inline, unused))

/* With -fno-math-errno these functions are free of side effects; glibc's own declarations say so
 * only under -ffast-math. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#if __GLIBC_PREREQ(2, 35)
#define TH_VECTOR __attribute__((simd("notinbranch"), const))
#define TH_VECTOR_1(name)                   \
    extern double name(double x) TH_VECTOR; \
    extern float name##f(float x) TH_VECTOR;
#define TH_VECTOR_2(name)                             \
    extern double name(double x, double y) TH_VECTOR; \
    extern float name##f(float x, float y) TH_VECTOR;
TH_VECTOR_1(acos)
TH_VECTOR_1(acosh)
TH_VECTOR_1(asin)
TH_VECTOR_1(asinh)
TH_VECTOR_1(atan)
TH_VECTOR_1(atanh)
TH_VECTOR_1(cbrt)
TH_VECTOR_1(cos)
TH_VECTOR_1(cosh)
TH_VECTOR_1(erf)
TH_VECTOR_1(erfc)
TH_VECTOR_1(exp)
TH_VECTOR_1(exp2)
TH_VECTOR_1(expm1)
TH_VECTOR_1(log)
TH_VECTOR_1(log10)
TH_VECTOR_1(log1p)
TH_VECTOR_1(log2)
TH_VECTOR_1(sin)
TH_VECTOR_1(sinh)
TH_VECTOR_1(tan)
TH_VECTOR_1(tanh)
TH_VECTOR_2(atan2)
TH_VECTOR_2(hypot)
TH_VECTOR_2(pow)
#undef TH_VECTOR_1
#undef TH_VECTOR_2
#undef TH_VECTOR
#endif
#endif

/* libm's spelling of a function for a dtype: sqrt or sqrtf. */
#define TH_LIBM(name) TH_CONCAT_2(TH_LIBM_, Real)(name)
#define TH_LIBM_Half(name) name##f
#define TH_LIBM_Float(name) name##f
#define TH_LIBM_Double(name) name

/* A function of our own, and the same where there are vector functions, else libm's. */
#define TH_OWN(name) TH_CONCAT_2(TH_OWN_, Real)(name)
#if defined(TH_HAVE_SOME_VECTORS)
#define TH_OWN_Half(name) TH_VECTOR_FUNCTION(name##f)
#define TH_OWN_Float(name) TH_VECTOR_FUNCTION(name##f)
#define TH_OWN_Double(name) TH_VECTOR_FUNCTION(name)
#else
#define TH_OWN_Half(name) th_##name##f
#define TH_OWN_Float(name) th_##name##f
#define TH_OWN_Double(name) th_##name
#endif
#if defined(TH_HAVE_VECTOR_FUNCTIONS)
#define TH_FAST(name) TH_OWN(name)
#else
#define TH_FAST(name) TH_LIBM(name)
#endif

/* The exponential in sigmoid. libmvec's would make it 4.3 ulp in double, this one 2.3. */
#define TH_EXP_NEGATIVE_Half THHalf_exp
#define TH_EXP_NEGATIVE_Float THFloat_exp
#define TH_EXP_NEGATIVE_Double THDouble_expNegative

#include <TH/loops/divide.h>

/* Quotients of integers, truncated; divisors are not 0 or -1. Integer division has no vector
 * instructions: x is multiplied by a little more than the rounded inverse of the divisor, in a type
 * where a whole quotient is then not missed, and one that is not whole, 1 / divisor away from the
 * next whole number, does not reach that. For divisors that are numbers the inverse is computed
 * once, and those of TH/loops/divide.h take less. */
#define TH_QUOTIENT(Real, integer, type, above)                            \
    TH_MATH_INLINE integer TH##Real##_quotient(integer x, integer divisor) \
    {                                                                      \
        return (integer)((type)x * (1 / (type)divisor * above));           \
    }
TH_QUOTIENT(Bool, uint8_t, float, 0x1.000004p0f)
TH_QUOTIENT(Byte, uint8_t, float, 0x1.000004p0f)
TH_QUOTIENT(Char, int8_t, float, 0x1.000004p0f)
TH_QUOTIENT(Short, int16_t, float, 0x1.000004p0f)
TH_QUOTIENT(Int, int32_t, double, 0x1.0000000000002p0)
#undef TH_QUOTIENT

TH_MATH_INLINE int64_t THLong_quotient(int64_t x, int64_t divisor)
{
#if defined(TH_HAVE_SOME_VECTORS) && !defined(TH_MACHINE_QUOTIENT)
    return TH_VECTOR_FUNCTION(quotientLong)(x, divisor);
#else
    return x / divisor;
#endif
}

#define TH_GENERIC_FILE <TH/generic/mathFloating.h>
#include <TH/THGenerateFloatTypes.h>

#define TH_GENERIC_FILE <TH/generic/mathIntegral.h>
#include <TH/THGenerateBoolType.h>
#include <TH/THGenerateIntTypes.h>

#define TH_GENERIC_FILE <TH/generic/math.h>
#include <TH/THGenerateAllTypes.h>

/* 1, which compilers do not know of: then comparisons become masks of bytes that select it, where
 * vectors of ones would be narrowed step by step. */
TH_MATH_INLINE uint8_t THBool_one(void)
{
    uint8_t one = 1;
    __asm__("" : "+r"(one));
    return one;
}

TH_MATH_INLINE uint8_t THBool_bitwise_not(uint8_t x)
{
    return x == 0;
}
TH_MATH_INLINE uint8_t THByte_bitwise_not(uint8_t x)
{
    return (uint8_t)~x;
}
TH_MATH_INLINE int8_t THChar_bitwise_not(int8_t x)
{
    return (int8_t)~x;
}
TH_MATH_INLINE int16_t THShort_bitwise_not(int16_t x)
{
    return (int16_t)~x;
}
TH_MATH_INLINE int32_t THInt_bitwise_not(int32_t x)
{
    return ~x;
}
TH_MATH_INLINE int64_t THLong_bitwise_not(int64_t x)
{
    return ~x;
}

#endif
