/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For moves of elements: stores words from the beginning of a vector, one after the other, to the
 * places of `mask`, every second, third or fourth, among the words of a vector at `to`, and nothing
 * between them. Words of 4 and 8 bytes are exchanged for all steps alike (expanding, which would
 * do, takes AMD's processors eight times as long). And what of 64 bytes at `from` is needed for
 * that, loaded whole where there are so many words, else as a mask says: AMD's processors do not
 * look ahead of masked loads (10^7 float64 to every second place: 10.8 ms, loaded whole 7.0; EPYC
 * 9005). */
#ifndef TH_LOOPS_SPREAD_H
#define TH_LOOPS_SPREAD_H

#include <stdint.h>

#if defined(__AVX512BW__)
#define TH_HAVE_SPREAD 1
#include <immintrin.h>
#define SPREAD static inline __attribute__((always_inline)) void
#define TH_SPREAD_LOADED(step) ((step) == 4 ? 16 : 32) /* bytes */
static inline __attribute__((always_inline)) __m512i vSpreadLoad(const void *from, int64_t step)
{
    return TH_SPREAD_LOADED(step) == 16 ? _mm512_castsi128_si512(_mm_loadu_si128(from))
                                        : _mm512_castsi256_si512(_mm256_loadu_si256(from));
}
static inline __attribute__((always_inline)) __m512i vSpreadLoadPart(const void *from, int bytes)
{
    return _mm512_maskz_loadu_epi8((UINT64_C(1) << bytes) - 1, from);
}
#define THREE(i) i, i, i
SPREAD vSpreadWord1(void *to, uint64_t mask, __m512i words, int64_t step)
{
    /* A third of 16 bytes is within two words of 4, and there from the first place of each row. */
    static const uint8_t place[64] = {THREE(0), THREE(1), THREE(2), THREE(3), THREE(4), 5,
                                      1,        THREE(2), THREE(3), THREE(4), THREE(5), THREE(6),
                                      2,        THREE(3), THREE(4), THREE(5), THREE(6), THREE(7),
                                      THREE(0), THREE(1), THREE(2), THREE(3), THREE(4), 5};
    __m512i spaced;
    if (step == 2)
        spaced = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(words));
    else if (step == 4)
        spaced = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(words));
    else
        spaced = _mm512_shuffle_epi8(
            _mm512_permutexvar_epi32(
                _mm512_setr_epi32(0, 1, 0, 0, 1, 2, 0, 0, 2, 3, 0, 0, 4, 5, 0, 0), words),
            _mm512_loadu_si512(place));
    _mm512_mask_storeu_epi8(to, mask, spaced);
}
SPREAD vSpreadWord2(void *to, uint64_t mask, __m512i words, int64_t step)
{
    static const uint16_t place[33] = {THREE(0), THREE(1), THREE(2), THREE(3), THREE(4), THREE(5),
                                       THREE(6), THREE(7), THREE(8), THREE(9), THREE(10)};
    __m512i spaced;
    if (step == 2)
        spaced = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(words));
    else if (step == 4)
        spaced = _mm512_cvtepu16_epi64(_mm512_castsi512_si128(words));
    else
        spaced = _mm512_permutexvar_epi16(_mm512_loadu_si512(place), words);
    _mm512_mask_storeu_epi16(to, (__mmask32)mask, spaced);
}
SPREAD vSpreadWord4(void *to, uint64_t mask, __m512i words, int64_t step)
{
    const int n = (int)step;
    const __m512i place =
        _mm512_setr_epi32(0, 1 / n, 2 / n, 3 / n, 4 / n, 5 / n, 6 / n, 7 / n, 8 / n, 9 / n, 10 / n,
                          11 / n, 12 / n, 13 / n, 14 / n, 15 / n);
    _mm512_mask_storeu_epi32(to, (__mmask16)mask, _mm512_permutexvar_epi32(place, words));
}
SPREAD vSpreadWord8(void *to, uint64_t mask, __m512i words, int64_t step)
{
    const int64_t n = step;
    const __m512i place = _mm512_setr_epi64(0, 1 / n, 2 / n, 3 / n, 4 / n, 5 / n, 6 / n, 7 / n);
    _mm512_mask_storeu_epi64(to, (__mmask8)mask, _mm512_permutexvar_epi64(place, words));
}
#undef SPREAD
#undef THREE
#endif

#endif
