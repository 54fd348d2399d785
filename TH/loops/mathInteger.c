/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector functions: powers of integers, by squaring. They take as many steps as the largest
 * exponent of a vector has bits; a loop over elements would take as many as integers have. */
#define TH_VECTOR_PRIVATE
#include <TH/THGeneral.h>
#include <TH/loops/vector.h>

#if defined(TH_HAVE_VECTOR_FUNCTIONS)

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
/* The functions of the ABI, as TH_DEFINE_2 has them of floating numbers. */
#define TH_DEFINE_POWER(T, Real, integer, name)                                                   \
    typedef integer THVector##Real __attribute__((vector_size(sizeof(THVectorBits))));            \
    TH_POWER(name, THVector##Real)                                                                \
    TH_API THVectorBits TH_VECTOR_NAME_##T(vv, th_pow##Real)(THVectorBits x, THVectorBits y);     \
    THVectorBits TH_VECTOR_NAME_##T(vv, th_pow##Real)(THVectorBits x, THVectorBits y)             \
    {                                                                                             \
        return (THVectorBits)name((THVector##Real)x, (THVector##Real)y);                          \
    }                                                                                             \
    TH_API THHalfBits TH_HALF_NAME_##T(vv, th_pow##Real)(THHalfBits x, THHalfBits y);             \
    THHalfBits TH_HALF_NAME_##T(vv, th_pow##Real)(THHalfBits x, THHalfBits y)                     \
    {                                                                                             \
        return TH_HALF_BITS(                                                                      \
            TH_VECTOR_NAME_##T(vv, th_pow##Real)(TH_OF_HALF_BITS(x), TH_OF_HALF_BITS(y)));        \
    }                                                                                             \
    TH_API THQuarterBits TH_QUARTER_NAME_##T(vv, th_pow##Real)(THQuarterBits x, THQuarterBits y); \
    THQuarterBits TH_QUARTER_NAME_##T(vv, th_pow##Real)(THQuarterBits x, THQuarterBits y)         \
    {                                                                                             \
        return TH_QUARTER_BITS(                                                                   \
            TH_VECTOR_NAME_##T(vv, th_pow##Real)(TH_OF_QUARTER_BITS(x), TH_OF_QUARTER_BITS(y)));  \
    }                                                                                             \
    TH_API integer th_pow##Real(integer x, integer y);                                            \
    integer th_pow##Real(integer x, integer y)                                                    \
    {                                                                                             \
        return name((THVector##Real){0} + x, (THVector##Real){0} + y)[0];                         \
    }
TH_DEFINE_POWER(F, Int, int32_t, intPower)
TH_DEFINE_POWER(D, Long, int64_t, longPower)

#endif
