/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Division of arrays of int64. By a number as TH/loops/divide.h has it, by the upper half of a
 * product: AVX2 puts it together from products of 32 bits, which compilers do not find. By one
 * another as doubles, where these have all bits (vBeyond51): what a quotient leaves is rounded
 * once, that is, not at all. */
#define TH_VECTOR_PRIVATE
#define TH_MACHINE_QUOTIENT /* of elements that are divided one by one */
#include <TH/THMath.h>
#include <TH/loops/vector.h>

#if defined(TH_HAVE_LONGS)

#include <string.h>

typedef int64_t THVectorLong __attribute__((vector_size(sizeof(THVectorBits))));

/* By what the size of x is divided: m = 2^(64 + l) / d, rounded up, without its first bit. */
typedef struct THLongDivisor {
    uint64_t size; /* d */
    uint64_t m;
    int l;
    int64_t turned; /* -1 of a divisor below 0, else 0 */
} THLongDivisor;

static THLongDivisor longDivisor(int64_t divisor)
{
    const uint64_t d = TH_NOT_ZERO(divisor < 0 ? -(uint64_t)divisor : (uint64_t)divisor);
    const int l = THDivisor_bits(d);
    const unsigned __int128 above = ((unsigned __int128)1 << l) - d;
    const uint64_t m = (uint64_t)(((above << 64) + d - 1) / d);
    return (THLongDivisor){d, m, l, divisor < 0 ? -1 : 0};
}
/* Of sizes up to 2^63, rounded down. */
TH_INLINE THVectorWords longDivideSize(THVectorWords size, const THLongDivisor *by)
{
    return (vHighProduct(size, (THVectorWords){0} + by->m) + size) >> by->l;
}
TH_INLINE THVectorLong longFloorDivide(THVectorLong x, const THLongDivisor *by)
{
    const THVectorLong sign = x < -by->turned;
    const THVectorWords size = (THVectorWords)((x + by->turned) ^ sign);
    return (THVectorLong)longDivideSize(size, by) ^ sign ^ by->turned;
}
TH_INLINE THVectorLong longRemainder(THVectorLong x, const THLongDivisor *by)
{
    const uint64_t turned = (uint64_t)by->turned, divisor = (by->size ^ turned) - turned;
    return x - (THVectorLong)((THVectorWords)longFloorDivide(x, by) * divisor);
}
TH_INLINE THVectorLong longFmod(THVectorLong x, const THLongDivisor *by)
{
    const THVectorLong sign = x < 0;
    const THVectorWords size = (THVectorWords)((x ^ sign) - sign);
    const THVectorLong rest = (THVectorLong)(size - longDivideSize(size, by) * by->size);
    return (rest ^ sign) - sign;
}

#define TH_DEFINE_LONGS(name, function)                                         \
    void THLongs_##name(int64_t n, int64_t *to, const int64_t *from, int64_t d) \
    {                                                                           \
        const THLongDivisor by = longDivisor(d);                                \
        THVectorLong x;                                                         \
        for (; n >= TH_LANES_D; n -= TH_LANES_D) {                              \
            memcpy(&x, from, sizeof x);                                         \
            x = function(x, &by);                                               \
            memcpy(to, &x, sizeof x);                                           \
            to += TH_LANES_D;                                                   \
            from += TH_LANES_D;                                                 \
        }                                                                       \
        for (; n > 0; n--)                                                      \
            *to++ = function((THVectorLong){0} + *from++, &by)[0];              \
    }
TH_DEFINE_LONGS(floor_divide_by, longFloorDivide)
TH_DEFINE_LONGS(remainder_by, longRemainder)
TH_DEFINE_LONGS(fmod_by, longFmod)

/* Doubles have all bits, and no divisor is 0. */
TH_INLINE bool areUsual(THVectorLong x, THVectorLong y)
{
    const THVectorWords zero = (THVectorWords)(y == 0);
    return !TH_ANY_BITS(vBeyond51((THVectorWords)x, (THVectorWords)y) | zero);
}
TH_INLINE THVectorD quotientFloor(THVectorD x, THVectorD y)
{
    return dFloor(x / y);
}
TH_INLINE THVectorD restFloor(THVectorD x, THVectorD y)
{
    return dFnma(quotientFloor(x, y), y, x);
}
TH_INLINE THVectorD restTruncated(THVectorD x, THVectorD y)
{
    return dFnma(dTrunc(x / y), y, x);
}
#define TH_DEFINE_LONGS_2(name, near, any)                                                         \
    TH_RARE THVectorLong name##OneByOne(THVectorLong x, THVectorLong y)                            \
    {                                                                                              \
        for (int i = 0; i < TH_LANES_D; i++)                                                       \
            x[i] = any(x[i], y[i]);                                                                \
        return x;                                                                                  \
    }                                                                                              \
    void THLongs_##name(int64_t n, int64_t *to, const int64_t *dividends, const int64_t *divisors) \
    {                                                                                              \
        int64_t i = 0;                                                                             \
        for (THVectorLong x, y; i + TH_LANES_D <= n; i += TH_LANES_D) {                            \
            memcpy(&x, dividends + i, sizeof x);                                                   \
            memcpy(&y, divisors + i, sizeof y);                                                    \
            x = TH_LIKELY(areUsual(x, y)) ? dToShort(near(dOfShort(x), dOfShort(y)))               \
                                          : name##OneByOne(x, y);                                  \
            memcpy(to + i, &x, sizeof x);                                                          \
        }                                                                                          \
        for (; i < n; i++)                                                                         \
            to[i] = any(dividends[i], divisors[i]);                                                \
    }
TH_DEFINE_LONGS_2(floor_divide, quotientFloor, THLong_floor_divide)
TH_DEFINE_LONGS_2(remainder, restFloor, THLong_remainder)
TH_DEFINE_LONGS_2(fmod, restTruncated, THLong_fmod)

#endif
