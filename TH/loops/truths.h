/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the loops of kernels whose results are bool: what is true of elements of 8 bytes, as
 * bytes. Compilers narrow vectors of 64 bits step by step and keep the order of elements at each
 * step: on AVX2 25 instructions for 32 elements, here 9, of which two restore the order. */
#ifndef TH_LOOPS_TRUTHS_H
#define TH_LOOPS_TRUTHS_H

#include <stdint.h>

#if defined(__AVX2__) && !defined(__AVX512F__)
#include <immintrin.h>

#define TH_HAVE_TRUTHS 1
#define TH_TRUTHS 32 /* at once */

/* 1 where one is -1, 0 where it is 0. */
static inline __attribute__((always_inline, unused)) void THTruths_store(uint8_t *to,
                                                                         const int64_t *truths)
{
    __m256i eight[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) { /* lower halves, of the first of two lanes 0, 1, 4 and 5 */
        const __m256 first = _mm256_loadu_ps((const float *)(const void *)(truths + 8 * i));
        const __m256 next = _mm256_loadu_ps((const float *)(const void *)(truths + 8 * i + 4));
        eight[i] = _mm256_castps_si256(_mm256_shuffle_ps(first, next, 0x88));
    }
    const __m256i lower = _mm256_packs_epi32(eight[0], eight[1]);
    const __m256i upper = _mm256_packs_epi32(eight[2], eight[3]);
    const __m256i lanes = _mm256_packs_epi16(lower, upper);
    const __m256i pairs = _mm256_permute4x64_epi64(lanes, 0xd8);
    const __m256i place = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
    const __m256i bytes = _mm256_shuffle_epi8(pairs, place);
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_and_si256(bytes, _mm256_set1_epi8(1)));
}
#endif
#endif
