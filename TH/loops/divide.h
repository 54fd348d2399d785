/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Division of integers by a divisor d, |d| <= 2^32, that is the same for all elements: by its
 * inverse, which compilers compute once, before the loop; 0, which was refused, counts as 1. With
 * 2^(l-1) < d <= 2^l, x * m / 2^(n+l) is rounded down to x / d for 0 <= x < 2^n, where m = 2^(n+l)
 * / d is rounded up (Granlund and Montgomery, Division by Invariant Integers using Multiplication,
 * 1994). And x / d, rounded down, is ~(~x / d), and by -d it is ~((x - 1) / d). */
#ifndef TH_MATH_INLINE
#include <TH/THMath.h> /* which includes this file */
#elif !defined(TH_LOOPS_DIVIDE_H)
#define TH_LOOPS_DIVIDE_H

#define TH_NOT_ZERO(d) ((d) == 0 ? 1 : (d))

/* l. */
TH_MATH_INLINE int THDivisor_bits(uint64_t d)
{
    return 63 - __builtin_clzll(2 * (d - 1) + 1);
}

/* With m = 2^16 / d, rounded up, x * m / 2^16 is x / d and less than 2^8 / 2^16 more; to the next
 * integer it is 1 / d or more. By 1, m would have 17 bits. */
TH_MATH_INLINE uint8_t THByte_floor_divide_by(uint8_t x, uint8_t divisor)
{
    const uint8_t d = TH_NOT_ZERO(divisor), itself = d == 1 ? x : 0;
    const uint16_t m = (uint16_t)(65535 / d + 1), y = x;
    return (uint8_t)((uint16_t)((uint32_t)y * m >> 16) | itself);
}

/* (x + 1/2) / d is 1 / 2d or more away from any integer, and (2 x + 1) * m / 2^16 differs from it
 * by less, if m is the integer that is next to 2^15 / d. By -d it is ~((x - 1/2) / d). By 1, m is
 * -2^15 as 16 bits, which turns the sign once more. */
TH_MATH_INLINE int8_t THChar_floor_divide_by(int8_t x, int8_t divisor)
{
    const int d = TH_NOT_ZERO(divisor < 0 ? -divisor : divisor);
    const int16_t m = (int16_t)(((1 << 16) / d + 1) / 2);
    const int16_t turned = (divisor < 0) != (d == 1) ? -1 : 0;
    const int16_t y = (int16_t)(x * 2 + (divisor < 0 ? -1 : 1));
    const int16_t high = (int16_t)((int32_t)y * m >> 16);
    return (int8_t)(high ^ turned);
}

/* With the size of 1 / d, x / d - (1 - 1 / d) / 2 is 1 / 2d or more away from where rounding to the
 * nearest changes; the sum with 3 / 2 of the power of two that has ones as its last bits has there
 * what it is rounded to. */
#define TH_DIVIDE_ROUNDED(name, type, bits_t, magic)            \
    TH_MATH_INLINE bits_t name(type x, type inverse, type half) \
    {                                                           \
        const type sum = (x * inverse - half) + magic;          \
        bits_t bits;                                            \
        memcpy(&bits, &sum, sizeof bits);                       \
        return bits;                                            \
    }
TH_DIVIDE_ROUNDED(THDivide_roundedFloat, float, int32_t, 0x1.8p23f)
TH_DIVIDE_ROUNDED(THDivide_roundedDouble, double, int64_t, 0x1.8p52)
#undef TH_DIVIDE_ROUNDED

/* m has 17 bits: without the first it goes with the size of x, at most 2^15, into 16. */
TH_MATH_INLINE int16_t THShort_floor_divide_by(int16_t x, int16_t divisor)
{
    const int64_t d = TH_NOT_ZERO(divisor < 0 ? -divisor : divisor);
    const int l = THDivisor_bits((uint64_t)d);
    const uint16_t m = (uint16_t)(((INT64_C(65536) << l) + d - 1) / d - 65536);
    const int16_t turned = divisor < 0 ? -1 : 0, least = (int16_t)-turned;
    const int16_t sign = x < least ? -1 : 0;
    const uint16_t size = (uint16_t)((uint16_t)(x + turned) ^ (uint16_t)sign);
    const uint16_t high = (uint16_t)((uint32_t)size * m >> 16);
    const uint16_t quotient = (uint16_t)((uint16_t)(high + size) >> l);
    return (int16_t)(quotient ^ (uint16_t)sign ^ (uint16_t)turned);
}

TH_MATH_INLINE int32_t THInt_floor_divide_by(int32_t x, int32_t d)
{
    const double inverse = 1 / (double)TH_NOT_ZERO(d);
    return (int32_t)THDivide_roundedDouble((double)x, inverse, 0.5 - 0.5 * fabs(inverse));
}

/* A double has too few bits: what a first quotient leaves, less than 2^12 + d, is divided again.
 * With an inverse that is not above 1 / d the first one fits. */
TH_MATH_INLINE int64_t THLong_floor_divide_by(int64_t x, int64_t divisor)
{
    const int64_t d = TH_NOT_ZERO(divisor);
#if defined(__AVX512DQ__)
    const double inverse = 1 / (double)d * (1 - 0x1p-52), half = 0.5 - 0.5 / fabs((double)d);
    const int64_t first = (int64_t)((double)x * inverse);
    const int64_t second = THDivide_roundedDouble((double)(x - first * d), inverse, half);
    return first + (second - INT64_C(0x4338000000000000));
#else
    if (d == -1)
        return -x;
    if (d < 0)
        return x / d - (x % d > 0);
    const int l = THDivisor_bits((uint64_t)d);
    const unsigned __int128 power = (unsigned __int128)1 << (63 + l);
    const uint64_t m = (uint64_t)((power + (uint64_t)d - 1) / (uint64_t)d);
    const int64_t sign = x >> 63;
    const uint64_t twice = (uint64_t)(x ^ sign) << 1;
    return (int64_t)((uint64_t)((unsigned __int128)twice * m >> 64) >> l) ^ sign;
#endif
}

/* Of int64, whose loops are no vectors before AVX-512, compilers would make a choice a branch. */
#if defined(__AVX512DQ__)
#define TH_MASKS_OF(integer) false
#else
#define TH_MASKS_OF(integer) (sizeof(integer) == 8)
#endif
#define TH_DIVIDE_BY(Real, integer)                                                       \
    TH_MATH_INLINE integer TH##Real##_remainder_by(integer x, integer d)                  \
    {                                                                                     \
        return (integer)(x - TH##Real##_floor_divide_by(x, d) * d);                       \
    }                                                                                     \
    TH_MATH_INLINE integer TH##Real##_fmod_by(integer x, integer d)                       \
    {                                                                                     \
        const integer rest = TH##Real##_remainder_by(x, d), zero = 0;                     \
        const bool below = ((x < zero) != (d < zero)) & (rest != zero);                   \
        const integer chosen = below ? d : zero, masked = (integer)(d & -(integer)below); \
        return (integer)(rest - (TH_MASKS_OF(integer) ? masked : chosen));                \
    }
TH_DIVIDE_BY(Byte, uint8_t)
TH_DIVIDE_BY(Char, int8_t)
TH_DIVIDE_BY(Short, int16_t)
TH_DIVIDE_BY(Int, int32_t)
TH_DIVIDE_BY(Long, int64_t)
#undef TH_DIVIDE_BY
#undef TH_MASKS_OF

#endif
