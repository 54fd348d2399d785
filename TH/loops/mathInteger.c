/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector functions of integers that take a shorter way where all elements of a vector allow it.
 *
 * Powers, by squaring, take as many steps as the largest exponent of a vector has bits; a loop over
 * elements would take as many as integers have. Quotients of what doubles hold are divided as such.
 */
#define TH_VECTOR_PRIVATE
#include <TH/THGeneral.h>
#include <TH/loops/vector.h>

#if defined(TH_HAVE_SOME_VECTORS)

/* x^y, which wraps, in vectors V of integers. Of a negative y the last bit counts: the power of 1
 * and -1 is theirs, of anything else 0. Comparisons are 0 or -1. */
#define TH_POWER(name, V)                                                  \
    TH_INLINE V name(V x, V y)                                             \
    {                                                                      \
        const V inverse = (V)(y < 0), isUnit = (V)(x == 1) | (V)(x == -1); \
        V power = (V){0} + 1, rest = y & (~inverse | 1);                   \
        for (;;) {                                                         \
            power *= ((x - 1) & -(rest & 1)) + 1;                          \
            rest >>= 1;                                                    \
            if (!TH_ANY_BITS(rest))                                        \
                return power & (~inverse | isUnit);                        \
            x *= x;                                                        \
        }                                                                  \
    }
typedef int32_t THVectorInt __attribute__((vector_size(sizeof(THVectorBits))));
typedef int64_t THVectorLong __attribute__((vector_size(sizeof(THVectorBits))));

#if defined(TH_HAVE_VECTOR_FUNCTIONS)
#define vDoubles(x) dOfWords(x)
#define vTruncated(x) ((THVectorLong)dTruncatedToWords(x))
/* x / d, truncated, of any x and d. A double has too few bits: what a first quotient leaves, up to
 * 2^12 divisors, is divided again, and the sum may still be 1 off. By 1 it would overflow. */
TH_RARE THVectorLong longQuotientOfAny(THVectorLong x, THVectorLong divisor)
{
    const THVectorLong isOne = divisor == 1, d = divisor - isOne, sign = d >> 63, ofX = x >> 63;
    const THVectorD inverse = dAll(1) / vDoubles(d);
    const THVectorLong first = vTruncated(vDoubles(x) * inverse);
    const THVectorLong q = first + vTruncated(vDoubles(x - first * d) * inverse);
    const THVectorLong rest = ((x - q * d) ^ ofX) - ofX; /* 0 <= rest < |d| is right */
    const THVectorLong away = (sign ^ ofX) | 1, below = rest >> 63;
    const THVectorLong above =
        (THVectorLong)((THVectorWords)rest >= (THVectorWords)((d ^ sign) - sign));
    const THVectorLong right = q + (away & above & ~below) - (away & below);
    return (x & isOne) | (right & ~isOne);
}
#else
#define vDoubles(x) dOfShort(x)
#define vTruncated(x) ((THVectorLong)dToShort(dTrunc(x)))
TH_RARE THVectorLong longQuotientOfAny(THVectorLong x, THVectorLong d)
{
    for (int i = 0; i < TH_LANES_D; i++)
        x[i] /= d[i];
    return x;
}
#endif
TH_INLINE THVectorLong longQuotient(THVectorLong x, THVectorLong d)
{
    if (TH_ANY_BITS(vBeyond51((THVectorWords)x, (THVectorWords)d)))
        return longQuotientOfAny(x, d);
    return vTruncated(vDoubles(x) / vDoubles(d));
}

/* The functions of the ABI, as TH_DEFINE_2 has them of floating numbers. */
#define TH_DEFINE_INTEGER_2(T, Real, integer, function, name)                                      \
    TH_API THVectorBits TH_VECTOR_NAME_##T(vv, TH_VECTOR_FUNCTION(function))(THVectorBits x,       \
                                                                             THVectorBits y);      \
    THVectorBits TH_VECTOR_NAME_##T(vv, TH_VECTOR_FUNCTION(function))(THVectorBits x,              \
                                                                      THVectorBits y)              \
    {                                                                                              \
        return (THVectorBits)name((THVector##Real)x, (THVector##Real)y);                           \
    }                                                                                              \
    TH_API THHalfBits TH_HALF_BITS_NAME_##T(vv, TH_VECTOR_FUNCTION(function))(THHalfBits x,        \
                                                                              THHalfBits y);       \
    THHalfBits TH_HALF_BITS_NAME_##T(vv, TH_VECTOR_FUNCTION(function))(THHalfBits x, THHalfBits y) \
    {                                                                                              \
        return TH_HALF_BITS(TH_VECTOR_NAME_##T(vv, TH_VECTOR_FUNCTION(function))(                  \
            TH_OF_HALF_BITS(x), TH_OF_HALF_BITS(y)));                                              \
    }                                                                                              \
    TH_QUARTERS(TH_API THQuarterBits TH_QUARTER_NAME_##T(vv, TH_VECTOR_FUNCTION(function))(        \
                    THQuarterBits x, THQuarterBits y);                                             \
                THQuarterBits TH_QUARTER_NAME_##T(vv, TH_VECTOR_FUNCTION(function))(               \
                    THQuarterBits x, THQuarterBits y) {                                            \
                    return TH_QUARTER_BITS(TH_VECTOR_NAME_##T(vv, TH_VECTOR_FUNCTION(function))(   \
                        TH_OF_QUARTER_BITS(x), TH_OF_QUARTER_BITS(y)));                            \
                })                                                                                 \
    TH_API integer TH_VECTOR_FUNCTION(function)(integer x, integer y);                             \
    integer TH_VECTOR_FUNCTION(function)(integer x, integer y)                                     \
    {                                                                                              \
        return name((THVector##Real){0} + x, (THVector##Real){0} + y)[0];                          \
    }
TH_POWER(intPower, THVectorInt)
TH_POWER(longPower, THVectorLong)
TH_DEFINE_INTEGER_2(F, Int, int32_t, powInt, intPower)
TH_DEFINE_INTEGER_2(D, Long, int64_t, powLong, longPower)
TH_DEFINE_INTEGER_2(D, Long, int64_t, quotientLong, longQuotient)

#endif
