/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Math functions of integers and bool. Whatever rounds a fraction leaves integers alone. */
#ifndef TH_GENERIC_FILE
#error "include TH/THMath.h, which includes this file for each dtype without a fraction"
#endif

#define TH_IDENTITY(name)                             \
    TH_MATH_INLINE scalar_t TH_MATH(name)(scalar_t x) \
    {                                                 \
        return x;                                     \
    }
TH_IDENTITY(ceil)
TH_IDENTITY(floor)
TH_IDENTITY(nearbyint)
TH_IDENTITY(rint)
TH_IDENTITY(round)
TH_IDENTITY(trunc)
#undef TH_IDENTITY

/* What isclose compares: |x - y| and |y| as doubles, rounded once. Of int64 neighbours beyond 2^53
 * would be equal as doubles. */
#if defined(TH_REAL_IS_LONG)
TH_MATH_INLINE double TH_MATH(distance)(scalar_t x, scalar_t y)
{
    const uint64_t difference = (uint64_t)x - (uint64_t)y;
    return THDouble_ofBits64(x > y ? difference : 0 - difference, false);
}
TH_MATH_INLINE double TH_MATH(size)(scalar_t x)
{
    return THDouble_ofBits64(x < 0 ? 0 - (uint64_t)x : (uint64_t)x, false);
}
#else
TH_MATH_INLINE double TH_MATH(distance)(scalar_t x, scalar_t y)
{
    return fabs((double)x - (double)y);
}
TH_MATH_INLINE double TH_MATH(size)(scalar_t x)
{
    return fabs((double)x);
}
#endif

TH_MATH_INLINE bool TH_MATH(isnan)(scalar_t x)
{
    (void)x;
    return false;
}
TH_MATH_INLINE bool TH_MATH(isinf)(scalar_t x)
{
    (void)x;
    return false;
}
TH_MATH_INLINE bool TH_MATH(isfinite)(scalar_t x)
{
    (void)x;
    return true;
}
TH_MATH_INLINE bool TH_MATH(isneg)(scalar_t x)
{
    const scalar_t zero = 0;
    return x < zero;
}

/* As a choice it is three instructions for vectors of little integers, so one (gcc 12). */
TH_MATH_INLINE scalar_t TH_MATH(abs)(scalar_t x)
{
    const bool isLong = sizeof(scalar_t) > sizeof(int);
    return isLong ? (scalar_t)__builtin_llabs((long long)x) : (scalar_t)__builtin_abs((int)x);
}
TH_MATH_INLINE scalar_t TH_MATH(neg)(scalar_t x)
{
    return (scalar_t)-x;
}

/* Conversions as C's, those of floating numbers defined for every value. */
TH_MATH_INLINE int32_t TH_MATH(toInt)(scalar_t x)
{
    return (int32_t)x;
}
TH_MATH_INLINE int64_t TH_MATH(toLong)(scalar_t x)
{
    return (int64_t)x;
}
TH_MATH_INLINE scalar_t TH_MATH(fromDouble)(double x)
{
#if defined(TH_CATEGORY_IS_BOOL)
    return x != 0;
#else
    return (scalar_t)(sizeof(scalar_t) == 8 ? THDouble_toLong(x) : THDouble_toInt(x));
#endif
}

/* Towards zero; the smallest integer divided by -1 wraps to itself, division by 0 gives 0. By
 * masks, since compilers would move the quotient into a branch, which loops are not vectorised
 * with. */
TH_MATH_INLINE scalar_t TH_MATH(trunc_divide)(scalar_t x, scalar_t y)
{
    const bool minusOne = (scalar_t)(y + 1) == 0 && (scalar_t)-1 < (scalar_t)1;
    const scalar_t divisor = (y == 0) | minusOne ? (scalar_t)1 : y;
    const scalar_t q = TH_MATH(quotient)(x, divisor), sign = (scalar_t) - (scalar_t)minusOne;
    return (scalar_t)(((q ^ sign) - sign) & -(scalar_t)(y != 0));
}
/* C's %: the sign of x. */
TH_MATH_INLINE scalar_t TH_MATH(fmod)(scalar_t x, scalar_t y)
{
    return (scalar_t)(x - TH_MATH(trunc_divide)(x, y) * y);
}
/* Whether a quotient that leaves r is above the one that is rounded down. */
TH_MATH_INLINE bool TH_MATH(isAbove)(scalar_t r, scalar_t y)
{
    const scalar_t signs = (scalar_t)(r != 0 ? r ^ y : 0);
    return TH_MATH(isneg)(signs);
}
/* Python's %: the sign of the divisor. */
TH_MATH_INLINE scalar_t TH_MATH(remainder)(scalar_t x, scalar_t y)
{
    const scalar_t r = TH_MATH(fmod)(x, y);
    return (scalar_t)(r + (TH_MATH(isAbove)(r, y) ? y : 0));
}
/* Python's //. */
TH_MATH_INLINE scalar_t TH_MATH(floor_divide)(scalar_t x, scalar_t y)
{
    const scalar_t q = TH_MATH(trunc_divide)(x, y);
    return (scalar_t)(q - TH_MATH(isAbove)((scalar_t)(x - q * y), y));
}

/* x to the power of the lowest `bits` bits of y, which wraps. Factors are x or 1, without a branch.
 */
TH_MATH_INLINE scalar_t TH_MATH(powOfBits)(scalar_t x, scalar_t y, int bits)
{
    scalar_t power = 1;
#pragma GCC unroll 32
    for (int bit = 0; bit < bits; bit++) {
        power = (scalar_t)(power * (((x - 1) & -(y >> bit & 1)) + 1));
        x = (scalar_t)(x * x);
    }
    return power;
}
TH_MATH_INLINE scalar_t TH_MATH(pow_by)(scalar_t x, scalar_t y)
{
#if defined(TH_REAL_IS_LONG) && defined(TH_HAVE_SOME_VECTORS) && !defined(TH_HAVE_VECTOR_FUNCTIONS)
    return TH_VECTOR_FUNCTION(powLong)(x, y); /* products take many steps */
#else
    return TH_MATH(powOfBits)(x, y, 6);
#endif
}
#if defined(TH_HAVE_SOME_VECTORS) && (defined(TH_REAL_IS_INT) || defined(TH_REAL_IS_LONG))
TH_MATH_INLINE scalar_t TH_MATH(pow)(scalar_t x, scalar_t y)
{
    return TH_VECTOR_FUNCTION(TH_CONCAT_2(pow, Real))(x, y);
}
#else
/* A negative power of 1 and -1 is theirs, of anything else 0. All bits without a branch, so that
 * loops vectorise; of int64 those that few have one by one. */
TH_MATH_INLINE scalar_t TH_MATH(pow)(scalar_t x, scalar_t y)
{
    const int width = 8 * sizeof(scalar_t);
    const scalar_t sign = (scalar_t)((y & 1) != 0 ? x : 1);
    const scalar_t inverse = (scalar_t)(x == 1 || (scalar_t)(x + 1) == 0 ? sign : 0);
    scalar_t power = TH_MATH(powOfBits)(x, y, width < 64 ? width : 6);
    if (width == 64)
        for (scalar_t rest = (scalar_t)(y >> 6), square = TH_MATH(powOfBits)(x, 32, 6); rest > 0;
             rest = (scalar_t)(rest >> 1)) {
            square = (scalar_t)(square * square);
            power = (scalar_t)((rest & 1) != 0 ? power * square : power);
        }
    return TH_MATH(isneg)(y) ? inverse : power;
}
#endif

/* Shifts by a negative count, or by the width or more, shift everything out. Little integers bit by
 * bit of the count, each of which is a shift of all: by counts of their own they would be shifted
 * as integers of 32 bits, which takes less of 16 bits where there are such shifts (AVX2), by counts
 * without a sign. */
#if defined(__AVX2__)
#define TH_SHIFTS_WIDE(width) ((width) == 16)
#else
#define TH_SHIFTS_WIDE(width) false
#endif
/* By counts of 16 bits compilers shift integers of 16 bits, or where there is no such shift (AVX2)
 * one element at a time. */
#if defined(__AVX512BW__)
#define TH_SHIFT_COUNT uint16_t
#else
#define TH_SHIFT_COUNT uint32_t
#endif
TH_MATH_INLINE scalar_t TH_MATH(lshift)(scalar_t x, scalar_t y)
{
    const int width = 8 * sizeof(scalar_t);
    const bool within = !TH_MATH(isneg)(y) && y < width;
    if (TH_SHIFTS_WIDE(width)) {
        const uint32_t count = (uint16_t)y < 16 ? (uint16_t)y : 16;
        return (scalar_t)((uint32_t)(uint16_t)x << count);
    }
    if (width <= 16) {
        x = (scalar_t)(y & 1 ? x << 1 : x);
        x = (scalar_t)(y & 2 ? x << 2 : x);
        x = (scalar_t)(y & 4 ? x << 4 : x);
        x = (scalar_t)(y & width / 2 & 8 ? x << 8 : x);
        return (scalar_t)(within ? x : 0);
    }
    if (width == 32)
        return (scalar_t)(within ? (uint32_t)x << (within ? y : 0) : 0);
    return (scalar_t)(within ? (uint64_t)x << (within ? y : 0) : 0);
}
TH_MATH_INLINE scalar_t TH_MATH(rshift)(scalar_t x, scalar_t y)
{
    const int width = 8 * sizeof(scalar_t);
    const bool within = !TH_MATH(isneg)(y) && y < width;
    const scalar_t sign = (scalar_t)(TH_MATH(isneg)(x) ? -1 : 0);
    if (TH_SHIFTS_WIDE(width)) {
        const TH_SHIFT_COUNT count = (uint16_t)y < 15 ? (uint16_t)y : 15;
        return (scalar_t)((int16_t)x >> count);
    }
    if (width <= 16) {
        x = (scalar_t)(y & 1 ? x >> 1 : x);
        x = (scalar_t)(y & 2 ? x >> 2 : x);
        x = (scalar_t)(y & 4 ? x >> 4 : x);
        x = (scalar_t)(y & width / 2 & 8 ? x >> 8 : x);
        return within ? x : sign;
    }
    return (scalar_t)(within ? x >> (within ? y : 0) : sign);
}

#undef TH_SHIFTS_WIDE
#undef TH_SHIFT_COUNT

/* By a count that is the same for all elements, for which compilers take a shift out of those of
 * other widths. */
TH_MATH_INLINE scalar_t TH_MATH(lshift_by)(scalar_t x, scalar_t y)
{
    const bool within = !TH_MATH(isneg)(y) && y < 16;
    const uint16_t power = (uint16_t)(within ? 1 << (y & 15) : 0);
    return (scalar_t)(sizeof(scalar_t) == 2 ? (scalar_t)((uint16_t)x * power)
                                            : TH_MATH(lshift)(x, y));
}
TH_MATH_INLINE scalar_t TH_MATH(rshift_by)(scalar_t x, scalar_t y)
{
    const int count = !TH_MATH(isneg)(y) && y < 15 ? (int)y : 15;
    return (scalar_t)(sizeof(scalar_t) == 2 ? x >> count : TH_MATH(rshift)(x, y));
}

/* The greatest common divisor, >= 0 but for the smallest integer, whose absolute value wraps. */
TH_MATH_INLINE scalar_t TH_MATH(gcd)(scalar_t x, scalar_t y)
{
    x = TH_MATH(abs)(x);
    y = TH_MATH(abs)(y);
    while (y != 0) {
        const scalar_t r = TH_MATH(fmod)(x, y);
        x = y;
        y = r;
    }
    return TH_MATH(abs)(x);
}
