/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Math functions of floating dtypes. Half computes as float. */
#ifndef TH_GENERIC_FILE
#error "include TH/THMath.h, which includes this file for each floating dtype"
#endif

#define TH_LIBM_1(name)                               \
    TH_MATH_INLINE scalar_t TH_MATH(name)(scalar_t x) \
    {                                                 \
        return TH_LIBM(name)(x);                      \
    }
#define TH_LIBM_2(name)                                           \
    TH_MATH_INLINE scalar_t TH_MATH(name)(scalar_t x, scalar_t y) \
    {                                                             \
        return TH_LIBM(name)(x, y);                               \
    }
#define TH_FAST_1(name)                               \
    TH_MATH_INLINE scalar_t TH_MATH(name)(scalar_t x) \
    {                                                 \
        return TH_FAST(name)(x);                      \
    }
#define TH_FAST_2(name)                                           \
    TH_MATH_INLINE scalar_t TH_MATH(name)(scalar_t x, scalar_t y) \
    {                                                             \
        return TH_FAST(name)(x, y);                               \
    }
TH_FAST_1(asinh)
TH_FAST_1(atan)
TH_FAST_1(erf)
TH_FAST_1(sqrt)
TH_FAST_1(tan)
TH_FAST_1(tanh)
TH_FAST_2(atan2)
TH_FAST_2(hypot)
TH_FAST_2(pow)
TH_LIBM_1(cbrt)
TH_LIBM_1(ceil)
TH_LIBM_1(fabs)
TH_LIBM_1(floor)
TH_LIBM_1(logb)
TH_LIBM_1(nearbyint)
TH_LIBM_1(rint)
TH_LIBM_1(round)
TH_LIBM_1(tgamma)
TH_LIBM_1(trunc)
TH_LIBM_2(copysign)
TH_LIBM_2(fdim)
TH_LIBM_2(nextafter)
#undef TH_LIBM_1
#undef TH_LIBM_2
#if defined(TH_HAVE_VECTOR_FUNCTIONS)
TH_FAST_1(gelu)
TH_FAST_1(reciprocal)
TH_FAST_1(rsqrt)
TH_FAST_1(sigmoid)
#endif
#undef TH_FAST_1
#undef TH_FAST_2
#if defined(TH_HAVE_SOME_VECTORS)
#define TH_SOME(name) TH_OWN(name)
#else
#define TH_SOME(name) TH_LIBM(name)
#endif
#define TH_SOME_1(name)                               \
    TH_MATH_INLINE scalar_t TH_MATH(name)(scalar_t x) \
    {                                                 \
        return TH_SOME(name)(x);                      \
    }
TH_SOME_1(acos)
TH_SOME_1(acosh)
TH_SOME_1(asin)
TH_SOME_1(atanh)
TH_SOME_1(cos)
TH_SOME_1(cosh)
TH_SOME_1(erfc)
TH_SOME_1(exp)
TH_SOME_1(exp2)
TH_SOME_1(expm1)
TH_SOME_1(lgamma)
TH_SOME_1(log)
TH_SOME_1(log10)
TH_SOME_1(log1p)
TH_SOME_1(log2)
TH_SOME_1(sin)
TH_SOME_1(sinh)
#undef TH_SOME_1
#undef TH_SOME
#if defined(TH_HAVE_SOME_VECTORS)
TH_MATH_INLINE scalar_t TH_MATH(remainder)(scalar_t x, scalar_t y)
{
    return TH_OWN(remainder)(x, y);
}
TH_MATH_INLINE scalar_t TH_MATH(floor_divide)(scalar_t x, scalar_t y)
{
    return TH_OWN(floor_divide)(x, y);
}
#endif

TH_MATH_INLINE scalar_t TH_MATH(fmod)(scalar_t x, scalar_t y)
{
    return TH_OWN(fmod)(x, y);
}
/* C's remainder, of the quotient rounded to even; `remainder` is Python's here. */
TH_MATH_INLINE scalar_t TH_MATH(drem)(scalar_t x, scalar_t y)
{
    return TH_LIBM(remainder)(x, y);
}
TH_MATH_INLINE scalar_t TH_MATH(nexttoward)(scalar_t x, scalar_t y)
{
    return TH_LIBM(nextafter)(x, y);
}

TH_MATH_INLINE scalar_t TH_MATH(fma)(scalar_t x, scalar_t y, scalar_t z)
{
    return TH_LIBM(fma)(x, y, z);
}

TH_MATH_INLINE scalar_t TH_MATH(abs)(scalar_t x)
{
    return TH_LIBM(fabs)(x);
}
TH_MATH_INLINE scalar_t TH_MATH(neg)(scalar_t x)
{
    return -x;
}
TH_MATH_INLINE scalar_t TH_MATH(frac)(scalar_t x)
{
    return x - TH_LIBM(trunc)(x);
}
#if !defined(TH_HAVE_VECTOR_FUNCTIONS)
TH_MATH_INLINE scalar_t TH_MATH(reciprocal)(scalar_t x)
{
    return 1 / x;
}
TH_MATH_INLINE scalar_t TH_MATH(rsqrt)(scalar_t x)
{
    return 1 / TH_LIBM(sqrt)(x);
}

/* 1 / (1 + exp(-x)) with an exponential that never overflows: small results keep their precision.
 * Above 0 one that is less than half a unit of 1 may be larger than it is. */
TH_MATH_INLINE scalar_t TH_MATH(sigmoid)(scalar_t x)
{
    const scalar_t most = sizeof x > 4 ? -40 : -20;
    const scalar_t negative = -TH_LIBM(fabs)(x), bounded = negative < most ? most : negative;
    const scalar_t e = TH_CONCAT_2(TH_EXP_NEGATIVE_, Real)(x > 0 ? bounded : negative);
    return (x < 0 ? e : (scalar_t)1) / (1 + e);
}

/* x less |x| / 2 erfc(t + rest), below 0 without x, where t + rest = |x| / sqrt 2: its rounding
 * alone would be felt x^2 times, so both factors are cut in two (T. J. Dekker, 1971). The rest
 * changes erfc by its slope; that of its logarithm is nearly -(t + sqrt(t^2 + 4 / pi)) (Abramowitz
 * and Stegun, 7.1.13). Of -infinity NaN, as of 0 times infinity. */
TH_MATH_INLINE scalar_t TH_MATH(gelu)(scalar_t x)
{
#if defined(TH_HAVE_FLOAT_GELU) && !defined(TH_REAL_IS_DOUBLE)
    return th_geluFloat(x);
#else
    const scalar_t size = TH_LIBM(fabs)(x) > 64 ? 64 : TH_LIBM(fabs)(x);
    const scalar_t cut = size * (sizeof size > 4 ? (scalar_t)0x8000001p0 : (scalar_t)0x1001p0);
    const scalar_t high = cut - (cut - size);
    const scalar_t root = (scalar_t)0x1.6ap-1, rootLow = (scalar_t)0x1.3cccfe7799211p-14;
    const scalar_t exact = high * root, more = high * rootLow + (size - high) * (root + rootLow);
    const scalar_t t = exact + more, rest = more - (t - exact);
    const scalar_t slope = t + TH_LIBM(sqrt)(t * t + (scalar_t)1.27);
    const scalar_t tail = (scalar_t)0.5 * size * (1 - rest * slope) * TH_MATH(erfc)(t);
    return (x < 0 ? x * 0 : x) - tail;
#endif
}
#endif

/* Conversions to integers as THDouble's: what does not fit, NaN too, is the smallest. */
#if !defined(TH_REAL_IS_DOUBLE)
TH_MATH_INLINE int32_t TH_MATH(toInt)(scalar_t x)
{
    return THDouble_toInt((double)x);
}
TH_MATH_INLINE int64_t TH_MATH(toLong)(scalar_t x)
{
    return THDouble_toLong((double)x);
}
#endif
TH_MATH_INLINE scalar_t TH_MATH(fromDouble)(double x)
{
    return (scalar_t)x;
}

/* What the operator / of kernels is for all dtypes; only integers are truncated. */
TH_MATH_INLINE scalar_t TH_MATH(trunc_divide)(scalar_t x, scalar_t y)
{
    return x / y;
}
#if !defined(TH_HAVE_SOME_VECTORS)
/* Python's %: the sign of the divisor, that of zeros too. Signs come by chance, so that branches
 * would often be taken the wrong way. */
TH_MATH_INLINE scalar_t TH_MATH(remainder)(scalar_t x, scalar_t y)
{
    const scalar_t r = TH_MATH(fmod)(x, y);
    const scalar_t more[2] = {0, y};
    const bool other = (r != 0) & ((r < 0) != (y < 0));
    const scalar_t result = TH_LIBM(copysign)(r + more[other], y);
    return r != r ? r : result;
}
/* Python's //, found from the exact remainder: x / y may round up to a whole number. */
TH_MATH_INLINE scalar_t TH_MATH(floor_divide)(scalar_t x, scalar_t y)
{
    const scalar_t r = TH_MATH(fmod)(x, y), ratio = x / y;
    const bool other = (r != 0) & ((r < 0) != (y < 0));
    const scalar_t q = TH_LIBM(rint)((x - r) / y) - other;
    const scalar_t result = TH_LIBM(copysign)(q, ratio);
    return y == 0 ? ratio : q != q ? q : result;
}
#endif

/* |x - y| and |x|, for isclose. */
TH_MATH_INLINE double TH_MATH(distance)(scalar_t x, scalar_t y)
{
    return fabs((double)x - (double)y);
}
TH_MATH_INLINE double TH_MATH(size)(scalar_t x)
{
    return fabs((double)x);
}

TH_MATH_INLINE bool TH_MATH(isnan)(scalar_t x)
{
    return x != x;
}
TH_MATH_INLINE bool TH_MATH(isinf)(scalar_t x)
{
    return TH_LIBM(fabs)(x) == (scalar_t)INFINITY;
}
TH_MATH_INLINE bool TH_MATH(isfinite)(scalar_t x)
{
    return TH_LIBM(fabs)(x) < (scalar_t)INFINITY;
}
/* The sign bit: true of -0 and of negative NaN. */
TH_MATH_INLINE bool TH_MATH(isneg)(scalar_t x)
{
    if (sizeof x == sizeof(int64_t)) {
        int64_t bits = 0;
        memcpy(&bits, &x, sizeof x);
        return bits < 0;
    }
    int32_t bits = 0;
    memcpy(&bits, &x, sizeof x);
    return bits < 0;
}
