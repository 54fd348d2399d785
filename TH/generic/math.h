/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Math functions that read the same for every dtype. Zero is a variable where it is compared with:
 * compilers warn of unsigned types and the literal. */
#ifndef TH_GENERIC_FILE
#error "include TH/THMath.h, which includes this file for each dtype"
#endif

/* NaN on either side is the result. Two selections without a short circuit, so that loops of
 * several of them vectorise. */
TH_MATH_INLINE scalar_t TH_MATH(maximum)(scalar_t x, scalar_t y)
{
    const scalar_t larger = x > y ? x : y;
    return TH_MATH(isnan)(x) ? x : larger;
}
TH_MATH_INLINE scalar_t TH_MATH(minimum)(scalar_t x, scalar_t y)
{
    const scalar_t smaller = x < y ? x : y;
    return TH_MATH(isnan)(x) ? x : smaller;
}

/* NaN only where both are. */
TH_MATH_INLINE scalar_t TH_MATH(fmax)(scalar_t x, scalar_t y)
{
    const scalar_t larger = x > y ? x : y;
    return TH_MATH(isnan)(y) ? x : larger;
}
TH_MATH_INLINE scalar_t TH_MATH(fmin)(scalar_t x, scalar_t y)
{
    const scalar_t smaller = x < y ? x : y;
    return TH_MATH(isnan)(y) ? x : smaller;
}

/* x brought between lower and upper; upper where they cross, NaN where one of the three is. What
 * asks whether a bound is NaN falls away where it is a literal. */
TH_MATH_INLINE scalar_t TH_MATH(clamp)(scalar_t x, scalar_t lower, scalar_t upper)
{
    const scalar_t above = x <= lower ? lower : x;
    const scalar_t low = TH_MATH(isnan)(lower) ? lower : above;
    const scalar_t below = low >= upper ? upper : low;
    return TH_MATH(isnan)(upper) ? upper : below;
}

/* Of truth values the same bit. With AVX-512, of bytes that are not computed two at once the upper
 * half of a product of 16 bits, since compilers that see that no more than the lower half of one is
 * asked for multiply them by shuffles. */
TH_MATH_INLINE scalar_t TH_MATH(product)(scalar_t x, scalar_t y)
{
#if defined(TH_CATEGORY_IS_BOOL)
    return x & y;
#elif defined(TH_CATEGORY_IS_INTEGRAL) && defined(__AVX512BW__)
    if (sizeof(scalar_t) == 1)
        return (scalar_t)((uint16_t)((uint16_t)x * (uint16_t)((uint16_t)y << 8)) >> 8);
#endif
    return (scalar_t)(x * y);
}

/* Of truth values either bit; compilers would add them in 32 bits to compare the sum with 0. */
TH_MATH_INLINE scalar_t TH_MATH(plus)(scalar_t x, scalar_t y)
{
#if defined(TH_CATEGORY_IS_BOOL)
    return x | y;
#else
    return (scalar_t)(x + y);
#endif
}

/* An element that is the same for all. Of a truth value compilers would make a mask before the
 * loop, and the loop one of 8 bytes at a time; they do not know that this is one. That it is 0 or 1
 * they know, or else choosing between it and an element would take a branch. */
TH_MATH_INLINE scalar_t TH_MATH(single)(scalar_t x)
{
#if defined(TH_CATEGORY_IS_BOOL)
    __asm__("" : "+r"(x));
    x &= 1;
#endif
    return x;
}

TH_MATH_INLINE scalar_t TH_MATH(relu)(scalar_t x)
{
    const scalar_t zero = 0;
    return x < zero ? zero : x;
}

/* -1, 0 or 1; 0 of NaN. Those of 8 bytes would be converted from int. */
TH_MATH_INLINE scalar_t TH_MATH(sign)(scalar_t x)
{
    const scalar_t zero = 0, one = 1;
    if (sizeof(scalar_t) < 8)
        return (scalar_t)((x > zero) - (x < zero));
    return (scalar_t)((x > zero ? one : zero) - (x < zero ? one : zero));
}

/* C's name for isneg. */
TH_MATH_INLINE bool TH_MATH(signbit)(scalar_t x)
{
    return TH_MATH(isneg)(x);
}

/* Equal, or apart by no more than atol + rtol * |y|. */
TH_MATH_INLINE bool TH_MATH(isclose)(scalar_t x, scalar_t y, double rtol, double atol,
                                     bool equalNan)
{
#ifdef TH_CATEGORY_IS_BOOL /* of which gcc makes no vectors of doubles */
    (void)equalNan;
    return x == y || 1 <= atol + rtol * (y ? 1.0 : 0.0);
#else
    const double difference = TH_MATH(distance)(x, y);
    const bool near = difference <= atol + rtol * TH_MATH(size)(y) && difference < (double)INFINITY;
    return x == y || near || (equalNan && TH_MATH(isnan)(x) && TH_MATH(isnan)(y));
#endif
}
