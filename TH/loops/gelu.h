/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gelu of floats where there are no vector functions of our own, but fused operations.
 *
 * max(x, 0) - t Q(t) with t = |x| and Q(t) = exp(-t^2 / 2) M(t), the tail of the normal
 * distribution (Abramowitz and Stegun, 26.2.3): M falls slowly. With z = t / (t + 5/2) it is
 * P(z) / (t + 5/2), so that t M(t) is z P(z); P is a minimax polynomial around 1/4, within 2^-25
 * for t <= 15, beyond which the result is 0 or x, as it is x from 8 on: what vanishes is multiplied
 * by 0, since machines take long for numbers that are no usual ones. t^2 is taken as the sum of two
 * numbers, since its rounding would count as often as it is large. Within 3.5 ulp. */
#ifndef TH_LOOPS_GELU_H
#define TH_LOOPS_GELU_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <TH/loops/vector.h>

#if defined(__FMA__) && !defined(TH_HAVE_VECTOR_FUNCTIONS)
#define TH_HAVE_FLOAT_GELU 1
#define TH_GELU_BITS_8 0x41000000
#define TH_GELU_BITS_15 0x41700000
#define TH_GELU_BITS_SUM 0x4b400000 /* of 1.5 * 2^23, whose last bits are whole numbers */

static inline __attribute__((always_inline, unused)) float th_powerOfTwo(int32_t k)
{
    const int32_t bits = (int32_t)((uint32_t)(k + 127) << 23);
    float power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

static inline __attribute__((always_inline, unused)) float th_geluFloat(float x)
{
    static const float terms[10] = {
        0x1.e8a7a4p-1f,  -0x1.1a56d4p+0f, 0x1.8ede5p-2f,  0x1.12b162p-2f, -0x1.b4363ep-4f,
        -0x1.301668p-3f, -0x1.a04812p-6f, 0x1.0c3782p-4f, 0x1.a15f6ap-4f, -0x1.4ab9cap-4f};
    static const float expTerms[5] = {0x1.fffff8p-2f, 0x1.55548ep-3f, 0x1.555b5ap-5f,
                                      0x1.123bc6p-7f, 0x1.687b82p-10f};
    int32_t bits, power;
    float t, p = terms[9], q = expTerms[4];
    memcpy(&bits, &x, sizeof bits);
    const bool isFar = bits > TH_GELU_BITS_8;
    bits &= INT32_MAX; /* as whole numbers: a comparison of floats becomes branches */
    const bool vanishes = isFar | (bits >= TH_GELU_BITS_15);
    bits = bits < TH_GELU_BITS_15 ? bits : TH_GELU_BITS_15;
    memcpy(&t, &bits, sizeof t);
    const float z = t / (t + 2.5f), y = z - 0.25f;
#pragma GCC unroll 9
    for (int i = 8; i >= 0; i--)
        p = fmaf(p, y, terms[i]);
    /* exp(-t^2 / 2) = 2^k exp(r), ln 2 as the sum of two numbers */
    const float square = t * t, rest = fmaf(t, t, -square), half = -0.5f * square;
    const float sum = half * 0x1.715476p+0f + 0x1.8p23f, k = sum - 0x1.8p23f;
    const float near = fmaf(k, 0x1.bd0106p-13f, fmaf(k, -0x1.63p-1f, half));
    const float r = fmaf(rest, -0.5f, near);
#pragma GCC unroll 4
    for (int i = 3; i >= 0; i--)
        q = fmaf(q, r, expTerms[i]);
    const float tail = z * p * (fmaf(q, r * r, r) + 1);
    memcpy(&power, &sum, sizeof power);
    power -= TH_GELU_BITS_SUM;
    const int32_t first = power >> 1; /* in two steps, as a power below 2^-126 is no usual number */
    const float second = vanishes ? 0 : th_powerOfTwo(power - first);
    return (x < 0 ? x * 0 : x) - tail * th_powerOfTwo(first) * second;
}
#endif
#endif
