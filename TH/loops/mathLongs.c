/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Division of arrays of int64 by a number, as TH/loops/divide.h has it, by the upper half of a
 * product: AVX2 puts it together from products of 32 bits, which compilers do not find. */
#define TH_VECTOR_PRIVATE
#include <TH/THGeneral.h>
#include <TH/loops/math.h>
#include <TH/loops/vector.h>

#if defined(TH_HAVE_LONGS)

#include <string.h>

typedef int64_t THVectorLong __attribute__((vector_size(sizeof(THVectorBits))));

/* By what the size of x is divided: m = 2^(64 + l) / d, rounded up, without its first bit. */
typedef struct THLongDivisor {
    uint64_t size; /* d */
    uint64_t m;
    int l;
} THLongDivisor;

static THLongDivisor longDivisor(int64_t divisor)
{
    const uint64_t d = divisor < 0 ? -(uint64_t)divisor : divisor == 0 ? 1 : (uint64_t)divisor;
    const int l = d == 1 ? 0 : 64 - __builtin_clzll(d - 1);
    const unsigned __int128 above = ((unsigned __int128)1 << l) - d;
    return (THLongDivisor){d, (uint64_t)(((above << 64) + d - 1) / d), l};
}
/* Of sizes up to 2^63, rounded down. */
TH_INLINE THVectorWords longDivideSize(THVectorWords size, const THLongDivisor *by)
{
    return (vHighProduct(size, (THVectorWords){0} + by->m) + size) >> by->l;
}
TH_INLINE THVectorLong longFloorDivide(THVectorLong x, const THLongDivisor *by, int64_t turned)
{
    const THVectorLong sign = x < -turned;
    const THVectorWords size = (THVectorWords)((x + turned) ^ sign);
    return (THVectorLong)longDivideSize(size, by) ^ sign ^ turned;
}
TH_INLINE THVectorLong longRemainder(THVectorLong x, const THLongDivisor *by, int64_t turned)
{
    const THVectorWords q = (THVectorWords)longFloorDivide(x, by, turned);
    return x - (THVectorLong)(q * ((by->size ^ (uint64_t)turned) - (uint64_t)turned));
}
TH_INLINE THVectorLong longFmod(THVectorLong x, const THLongDivisor *by, int64_t turned)
{
    (void)turned;
    const THVectorLong sign = x < 0;
    const THVectorWords size = (THVectorWords)((x ^ sign) - sign);
    const THVectorLong rest = (THVectorLong)(size - longDivideSize(size, by) * by->size);
    return (rest ^ sign) - sign;
}

#define TH_DEFINE_LONGS(name, function)                                         \
    void THLongs_##name(int64_t n, int64_t *to, const int64_t *from, int64_t d) \
    {                                                                           \
        const THLongDivisor by = longDivisor(d);                                \
        const int64_t turned = d < 0 ? -1 : 0;                                  \
        THVectorLong x;                                                         \
        for (; n >= TH_LANES_D; n -= TH_LANES_D) {                              \
            memcpy(&x, from, sizeof x);                                         \
            x = function(x, &by, turned);                                       \
            memcpy(to, &x, sizeof x);                                           \
            to += TH_LANES_D;                                                   \
            from += TH_LANES_D;                                                 \
        }                                                                       \
        for (; n > 0; n--)                                                      \
            *to++ = function((THVectorLong){0} + *from++, &by, turned)[0];      \
    }
TH_DEFINE_LONGS(floor_divide_by, longFloorDivide)
TH_DEFINE_LONGS(remainder_by, longRemainder)
TH_DEFINE_LONGS(fmod_by, longFmod)

#endif
