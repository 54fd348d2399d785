/* SPDX-License-Identifier: BSD-3-Clause
 *
 * IEEE 754 binary16: stored as its 16 bits, computed as float. */
#ifndef TH_HALF_H
#define TH_HALF_H

#include <stdint.h>
#include <string.h>

typedef struct THHalf {
    uint16_t x;
} THHalf;

/* Exact. */
static inline float THHalf_toFloat(THHalf half)
{
    const uint32_t sign = (uint32_t)(half.x & 0x8000u) << 16;
    const uint32_t magnitude = (uint32_t)(half.x & 0x7fffu) << 13;
    /* Rebias the exponent by a multiplication, which makes subnormals right too; Inf and NaN keep
     * all exponent bits. */
    const uint32_t scaleBits = (254u - 15u) << 23;
    float value, scale;
    uint32_t bits;
    memcpy(&value, &magnitude, 4);
    memcpy(&scale, &scaleBits, 4);
    value *= scale;
    memcpy(&bits, &value, 4);
    bits |= sign | (magnitude >= (0x7c00u << 13) ? 0x7f800000u : 0u);
    memcpy(&value, &bits, 4);
    return value;
}

/* To the nearest, ties to even; overflow to infinity; NaN stays a (quiet) NaN. */
static inline THHalf THHalf_fromFloat(float value)
{
    uint32_t bits, rounded;
    memcpy(&bits, &value, 4);
    const uint32_t sign = bits & 0x80000000u;
    bits ^= sign;
    if (bits > 0x7f800000u) {
        rounded = 0x7e00u;
    } else if (bits >= 0x47800000u) {
        rounded = 0x7c00u;
    } else if (bits <
               0x38800000u) { /* result is subnormal or zero: let the FPU round at the right bit */
        float shifted;
        const float magic = 0.5f;
        memcpy(&shifted, &bits, 4);
        shifted += magic;
        memcpy(&rounded, &shifted, 4);
        rounded -= 0x3f000000u;
    } else {
        const uint32_t odd = (bits >> 13) & 1u;
        rounded = (bits + 0xc8000fffu + odd) >> 13;
    }
    THHalf half;
    half.x = (uint16_t)(rounded | (sign >> 16));
    return half;
}

#endif
