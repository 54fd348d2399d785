/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exp(x) for x <= 0 or NaN, for loops that must vectorise: the same bits in a vector and alone.
 * Largest error: 1.1 ulp. That of math.h where there are tables (AVX-512); else without branches
 * and calls, and there for any x, and of base 2, as well.
 *
 * x = k ln 2 + r with |r| <= ln 2 / 2; (exp(r) - 1 - r) / r^2 is a minimax polynomial, within 2^-57
 * of exp(r), of floats 2^-28. Adding `magic` leaves the whole number k in the low bits of the sum.
 * 2^k is multiplied in two steps, so that subnormal results round once; what becomes 0 is
 * multiplied by that, since machines take long for numbers that vanish. */
#ifndef TH_LOOPS_EXP_H
#define TH_LOOPS_EXP_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <TH/loops/vector.h>

#define TH_EXP_INLINE static inline __attribute__((always_inline, unused))

#if defined(TH_HAVE_VECTOR_FUNCTIONS)
#include <TH/loops/math.h>

TH_EXP_INLINE float THFloat_expNegative(float x)
{
    return th_expf(x);
}
TH_EXP_INLINE double THDouble_expNegative(double x)
{
    return th_exp(x);
}
TH_EXP_INLINE float THFloat_expTerm(float x)
{
    return th_expTermf(x);
}
TH_EXP_INLINE double THDouble_expTerm(double x)
{
    return th_expTerm(x);
}
#else

/* x * y + z, rounded once where that takes one instruction. */
#if defined(__FMA__)
#define TH_FUSED_D(x, y, z) __builtin_fma(x, y, z)
#define TH_FUSED_F(x, y, z) __builtin_fmaf(x, y, z)
#else
#define TH_FUSED_D(x, y, z) ((x) * (y) + (z))
#define TH_FUSED_F(x, y, z) ((x) * (y) + (z))
#endif

/* exp(r) 2^(k + by), `shifted` being k + magic; that power in two halves. */
TH_EXP_INLINE float THFloat_scaledExp(float r, float shifted, int by, bool vanishes)
{
    const float square = r * r;
    const float low = TH_FUSED_F(0x1.555492p-3f, r, 0x1.fffffcp-2f);
    const float middle = TH_FUSED_F(0x1.123a2p-7f, r, 0x1.5558f2p-5f);
    const float high = TH_FUSED_F(0x1.6a23dp-10f, square, middle);
    const float power = 1 + TH_FUSED_F(TH_FUSED_F(high, square, low), square, r);
    uint32_t k;
    memcpy(&k, &shifted, sizeof k);
    k += (uint32_t)by;
    const uint32_t some = k >> 1, one = 0x3f800000;
    const uint32_t bits[2] = {(some << 23) + one, ((k - some) << 23) + one};
    float half, rest;
    memcpy(&half, &bits[0], sizeof half);
    memcpy(&rest, &bits[1], sizeof rest);
    return power * half * (vanishes ? 0 : rest);
}

TH_EXP_INLINE double THDouble_scaledExp(double r, double shifted, int by, bool vanishes)
{
    const double square = r * r, fourth = square * square;
    const double low = TH_FUSED_D(TH_FUSED_D(0x1.1111111127d0ep-7, r, 0x1.555555555083ep-5), square,
                                  TH_FUSED_D(0x1.55555555554f9p-3, r, 0x1.000000000000ap-1));
    const double high =
        TH_FUSED_D(TH_FUSED_D(0x1.71df25b3100a2p-19, r, 0x1.a01999e2633fdp-16), square,
                   TH_FUSED_D(0x1.a01a012a0f351p-13, r, 0x1.6c16c18438b08p-10));
    const double last = TH_FUSED_D(0x1.ad7f3ee016e7dp-26, r, 0x1.28ad9b8551757p-22);
    const double terms = TH_FUSED_D(TH_FUSED_D(last, fourth, high), fourth, low);
    const double power = 1 + TH_FUSED_D(terms, square, r);
    uint64_t k;
    memcpy(&k, &shifted, sizeof k);
    k += (uint64_t)by;
    const uint64_t some = k >> 1, one = 0x3ff0000000000000;
    const uint64_t bits[2] = {(some << 52) + one, ((k - some) << 52) + one};
    double half, rest;
    memcpy(&half, &bits[0], sizeof half);
    memcpy(&rest, &bits[1], sizeof rest);
    return power * half * (vanishes ? 0 : rest);
}

/* exp(within) 2^by, `within` being x or one of the bounds from which on its results are the same.
 */
TH_EXP_INLINE float THFloat_expWithin(float x, float within, int by)
{
    const float magic = 0x1.8p23f;
    const float shifted = TH_FUSED_F(within, 0x1.715476p0f, magic), k = shifted - magic;
    const float high = TH_FUSED_F(k, -0x1.63p-1f, within);
    return THFloat_scaledExp(TH_FUSED_F(k, 0x1.bd0106p-13f, high), shifted, by, x < -104);
}
TH_EXP_INLINE double THDouble_expWithin(double x, double within, int by)
{
    const double magic = 0x1.8p52;
    const double shifted = TH_FUSED_D(within, 0x1.71547652b82fep0, magic), k = shifted - magic;
    const double high = TH_FUSED_D(k, -0x1.62e42feep-1, within);
    return THDouble_scaledExp(TH_FUSED_D(k, -0x1.a39ef35793c76p-33, high), shifted, by, x < -745.5);
}
TH_EXP_INLINE float THFloat_expNegative(float x)
{
    return THFloat_expWithin(x, x < -105 ? -105 : x, 0);
}
TH_EXP_INLINE double THDouble_expNegative(double x)
{
    return THDouble_expWithin(x, x < -746 ? -746 : x, 0);
}
TH_EXP_INLINE float THFloat_expTerm(float x)
{
    return THFloat_expWithin(x, x < -105 ? -105 : x, TH_TERM_POWER);
}
TH_EXP_INLINE double THDouble_expTerm(double x)
{
    return THDouble_expWithin(x, x < -746 ? -746 : x, TH_TERM_POWER);
}

/* Of any x, where libmvec takes long; half of it is not infinite where it only just is. */
TH_EXP_INLINE float THFloat_expAny(float x)
{
    const float low = x < -105 ? -105 : x;
    return THFloat_expWithin(x, low > 90 ? 90 : low, 0);
}
TH_EXP_INLINE double THDouble_expAny(double x)
{
    const double low = x < -746 ? -746 : x;
    return THDouble_expWithin(x, low > 711 ? 711 : low, 0);
}
TH_EXP_INLINE float THFloat_halfExpAny(float x)
{
    return THFloat_expWithin(x, x > 90 ? 90 : x, -1);
}
TH_EXP_INLINE double THDouble_halfExpAny(double x)
{
    return THDouble_expWithin(x, x > 711 ? 711 : x, -1);
}
TH_EXP_INLINE float THFloat_exp2Any(float x)
{
    const float magic = 0x1.8p23f, low = x < -151 ? -151 : x, within = low > 130 ? 130 : low;
    const float shifted = within + magic, k = shifted - magic;
    return THFloat_scaledExp((within - k) * 0x1.62e43p-1f, shifted, 0, x < -150);
}
TH_EXP_INLINE double THDouble_exp2Any(double x)
{
    const double magic = 0x1.8p52, low = x < -1076 ? -1076 : x, within = low > 1030 ? 1030 : low;
    const double shifted = within + magic, k = shifted - magic;
    return THDouble_scaledExp((within - k) * 0x1.62e42fefa39efp-1, shifted, 0, x < -1075);
}

#undef TH_FUSED_D
#undef TH_FUSED_F
#endif
#undef TH_EXP_INLINE
#endif
