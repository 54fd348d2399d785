/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Single halves: by the machine's conversions, but NaN, of which those keep other bits. */
#ifndef TH_LOOPS_HALF_H
#define TH_LOOPS_HALF_H

#include <TH/THHalf.h>

#if defined(__F16C__)
#include <immintrin.h>
#define TH_HALF_LOAD(p) _cvtsh_ss((p)->x)
#define TH_HALF_STORE(p, value)                          \
    (*(p) = (value) != (value) ? THHalf_fromFloat(value) \
                               : (THHalf){_cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT)})
#else
#define TH_HALF_LOAD(p) THHalf_toFloat(*(p))
#define TH_HALF_STORE(p, value) (*(p) = THHalf_fromFloat(value))
#endif

#endif
