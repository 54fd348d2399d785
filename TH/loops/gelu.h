/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gelu of floats where there are no vector functions of our own, but fused operations.
 *
 * max(x, 0) - t Q(t) with t = |x| and Q(t) = exp(-t^2 / 2) M(t), the tail of the normal
 * distribution (Abramowitz and Stegun, 26.2.3): M falls slowly. With z = t / (t + 5/2) it is
 * P(z) / (t + 5/2), so that t M(t) is z P(z); P is a minimax polynomial around 1/4, within 2^-25
 * for t <= 15, beyond which the result is 0 or x, as it is x from 8 on: what vanishes is taken at
 * 0, since machines take long for numbers that are no usual ones. t^2 is taken as the sum of two
 * numbers, since its rounding would count as often as it is large. Within 4 ulp (of all floats of
 * 2^-15 to 15 in size, and a hundredth of the smaller ones). The exponential comes first, as it
 * waits for no quotient. */
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

static inline __attribute__((always_inline, unused)) float th_floatOfBits(int32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline __attribute__((always_inline, unused)) int32_t th_bitsOfFloat(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline __attribute__((always_inline, unused)) float th_geluFloat(float x)
{
    static const float terms[10] = {
        0x1.e8a7a4p-1f,  -0x1.1a56d4p+0f, 0x1.8ede5p-2f,  0x1.12b162p-2f, -0x1.b4363ep-4f,
        -0x1.301668p-3f, -0x1.a04812p-6f, 0x1.0c3782p-4f, 0x1.a15f6ap-4f, -0x1.4ab9cap-4f};
    static const float expTerms[5] = {0x1.fffff8p-2f, 0x1.55548ep-3f, 0x1.555b5ap-5f,
                                      0x1.123bc6p-7f, 0x1.687b82p-10f};
    float pairs[4];
    const int32_t bits = th_bitsOfFloat(x), size = bits & INT32_MAX;
    /* as whole numbers, and these by bits: a comparison of floats, or a choice, becomes branches */
    const int32_t stays = -((bits <= TH_GELU_BITS_8) & (size < TH_GELU_BITS_15));
    const float t = th_floatOfBits(size & stays);
    const float z = t / (t + 2.5f);
    /* exp(-t^2 / 2) = 2^k exp(r), ln 2 as the sum of two numbers */
    const float square = t * t, rest = fmaf(t, t, -square);
    const float sum = fmaf(square, -0x1.715476p-1f, 0x1.8p23f), k = sum - 0x1.8p23f;
    const float r = (fmaf(k, 0x1.63p+0f, square) + fmaf(k, -0x1.bd0106p-12f, rest)) * -0.5f;
    const float r2 = r * r;
    const float q = fmaf(fmaf(expTerms[4], r2, fmaf(expTerms[3], r, expTerms[2])), r2,
                         fmaf(expTerms[1], r, expTerms[0]));
    const float e = fmaf(q, r2, r) + 1;
    const float y = z - 0.25f, y2 = y * y;
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) /* by pairs: one after the other, they wait (Estrin, 1960) */
        pairs[i] = fmaf(terms[2 * i + 3], y, terms[2 * i + 2]);
    const float high = fmaf(fmaf(pairs[3], y2, pairs[2]), y2 * y2, fmaf(pairs[1], y2, pairs[0]));
    const float p = fmaf(fmaf(high, y, terms[1]), y, terms[0]);
    /* in two steps, as a power below 2^-126 is no usual number */
    const int32_t power = th_bitsOfFloat(sum) - TH_GELU_BITS_SUM, first = power >> 1;
    const float part = th_floatOfBits(th_bitsOfFloat(e) + (int32_t)((uint32_t)first << 23));
    const float tail = z * p * part * th_floatOfBits((power - first + 127) << 23);
    return fmaf(x, x < 0 ? 0.0f : 1.0f, -tail);
}
#endif
#endif
