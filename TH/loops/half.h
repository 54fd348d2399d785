/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Single halves: by the machine's conversions, but NaN, of which those keep other bits. */
#ifndef TH_LOOPS_HALF_H
#define TH_LOOPS_HALF_H

#include <TH/THHalf.h>

#if defined(__F16C__)
#include <immintrin.h>
#define TH_HALF_LOAD(p) _cvtsh_ss((p)->x)
/* What lies beside the number in its register is converted, too: to clear it first, as compilers
 * do, takes one more of three shuffles, of which a processor has one at a time. */
static inline THHalf THHalf_ofRegister(float value)
{
    __m128i half;
    __asm__("vcvtps2ph $0, %1, %0" : "=x"(half) : "x"(value));
    return (THHalf){(uint16_t)_mm_cvtsi128_si32(half)};
}
#define TH_HALF_STORE(p, value) \
    (*(p) = (value) != (value) ? THHalf_fromFloat(value) : THHalf_ofRegister(value))
#else
#define TH_HALF_LOAD(p) THHalf_toFloat(*(p))
#define TH_HALF_STORE(p, value) (*(p) = THHalf_fromFloat(value))
#endif

#endif
