/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exp(x) for x <= 0 or NaN, for loops that must vectorise: the same bits in a vector and alone.
 * Largest error: 1.1 ulp. That of math.h where there is one; else without branches and calls.
 *
 * x = k ln 2 + r with |r| <= ln 2 / 2; exp(r) is its Taylor polynomial; 2^k is multiplied in two
 * steps, so that subnormal results round once. Adding `magic` leaves round(x / ln 2) in the low
 * bits of the sum. */
#ifndef TH_LOOPS_EXP_H
#define TH_LOOPS_EXP_H

#include <stdint.h>
#include <string.h>

#include <TH/loops/math.h>

#if defined(TH_HAVE_VECTOR_FUNCTIONS)
static inline __attribute__((always_inline)) float THFloat_expNegative(float x)
{
    return th_expf(x);
}
static inline __attribute__((always_inline)) double THDouble_expNegative(double x)
{
    return th_exp(x);
}
#else

static inline __attribute__((always_inline)) float THFloat_powerOfTwo(int32_t k)
{
    const int32_t bits = (int32_t)((uint32_t)(k + 127) << 23);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline __attribute__((always_inline)) float THFloat_expNegative(float x)
{
    const float magic = 0x1.8p23f;
    x = x < -104.0f ? -104.0f : x;
    const float shifted = x * 0x1.715476p0f + magic;
    int32_t k;
    memcpy(&k, &shifted, sizeof k);
    k -= 0x4b400000;
    const float whole = shifted - magic;
    const float r = (x - whole * 0x1.63p-1f) - whole * -0x1.bd0106p-13f;
    float p = 1.0f / 5040;
    p = p * r + 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * (r * r) + r;
    p += 1.0f;
    const int32_t half = k >> 1;
    return p * THFloat_powerOfTwo(half) * THFloat_powerOfTwo(k - half);
}

static inline __attribute__((always_inline)) double THDouble_powerOfTwo(int64_t k)
{
    const int64_t bits = (int64_t)((uint64_t)(k + 1023) << 52);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline __attribute__((always_inline)) double THDouble_expNegative(double x)
{
    const double magic = 0x1.8p52;
    x = x < -746.0 ? -746.0 : x;
    const double shifted = x * 0x1.71547652b82fep0 + magic;
    int64_t k;
    memcpy(&k, &shifted, sizeof k);
    k -= 0x4338000000000000;
    const double whole = shifted - magic;
    const double r = (x - whole * 0x1.62e42feep-1) - whole * 0x1.a39ef35793c76p-33;
    double p = 1.0 / 6227020800;
    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * (r * r) + r;
    p += 1.0;
    /* an arithmetic shift of 64 bits is slow before AVX-512: halve without one */
    const int64_t half = (int64_t)((uint64_t)(k + 2048) >> 1) - 1024;
    return p * THDouble_powerOfTwo(half) * THDouble_powerOfTwo(k - half);
}

#endif
#endif
