/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to sums: registers of doubles, and how floats get there. What compilers make of a
 * conversion in a loop takes half as many instructions again, of vectors even more. */
#ifndef TH_LOOPS_SUMS_H
#define TH_LOOPS_SUMS_H

#include <TH/THHalf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#if defined(__AVX512VL__)
#undef _AVX512VLINTRIN_H_INCLUDED /* unread.h */
#undef __mmask32
#endif
#include <immintrin.h>
#endif
#include <TH/loops/registers.h>

#if defined(__AVX512F__) && defined(__AVX512VL__)
#define TH_SUMS 8
#elif defined(__AVX2__) && defined(__FMA__)
#define TH_SUMS 4
#else
#define TH_SUMS 2
#endif

#define TH_INLINE static inline __attribute__((always_inline, unused))

typedef double THSums __attribute__((vector_size(8 * TH_SUMS)));
typedef int64_t THSumsBits __attribute__((vector_size(8 * TH_SUMS)));

TH_INLINE THSums THSums_ofDouble(const double *x)
{
    THSums v;
    memcpy(&v, x, sizeof v);
    return v;
}

/* The first n <= TH_SUMS, then 0. */
TH_INLINE THSums THSums_someOfDouble(const double *x, int n)
{
#if TH_SUMS == 8
    return _mm512_maskz_loadu_pd((__mmask8)((1u << n) - 1), x);
#elif TH_SUMS == 4
    return _mm256_maskload_pd(
        x, _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3)));
#else
    return (THSums){n > 0 ? x[0] : 0, n > 1 ? x[1] : 0};
#endif
}

TH_INLINE THSums THSums_ofFloat(const float *x)
{
#if TH_SUMS == 8
    return _mm512_cvtps_pd(_mm256_loadu_ps(x));
#elif TH_SUMS == 4
    return _mm256_cvtps_pd(_mm_loadu_ps(x));
#elif defined(__SSE2__)
    return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)x)));
#else
    return (THSums){x[0], x[1]};
#endif
}

TH_INLINE void THSums_toFloat(float *to, THSums v)
{
#if TH_SUMS == 8
    _mm256_storeu_ps(to, _mm512_cvtpd_ps(v));
#elif TH_SUMS == 4
    _mm_storeu_ps(to, _mm256_cvtpd_ps(v));
#elif defined(__SSE2__)
    _mm_storel_epi64((__m128i *)(void *)to, _mm_castps_si128(_mm_cvtpd_ps(v)));
#else
    to[0] = (float)v[0], to[1] = (float)v[1];
#endif
}

/* The first n lanes, n <= TH_SUMS. Masked registers are no wider than need be: what is masked out
 * reaches into the next line of the caches, too, which takes time. */
TH_INLINE void THSums_someToFloat(float *to, THSums v, int n)
{
#if TH_SUMS == 8
    _mm256_mask_storeu_ps(to, (__mmask8)((1u << n) - 1), _mm512_cvtpd_ps(v));
#elif TH_SUMS == 4
    _mm_maskstore_ps(to, _mm_cmpgt_epi32(_mm_set1_epi32(n), _mm_setr_epi32(0, 1, 2, 3)),
                     _mm256_cvtpd_ps(v));
#else
    for (int i = 0; i < n; i++)
        to[i] = (float)v[i];
#endif
}

TH_INLINE void THSums_someToDouble(double *to, THSums v, int n)
{
#if TH_SUMS == 8
    _mm512_mask_storeu_pd(to, (__mmask8)((1u << n) - 1), v);
#elif TH_SUMS == 4
    _mm256_maskstore_pd(
        to, _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3)), v);
#else
    memcpy(to, &v, (size_t)n * sizeof *to);
#endif
}

TH_INLINE THSums THSums_someOfFloat(const float *x, int n)
{
#if TH_SUMS == 8
    return _mm512_cvtps_pd(_mm256_maskz_loadu_ps((__mmask8)((1u << n) - 1), x));
#elif TH_SUMS == 4
    return _mm256_cvtps_pd(
        _mm_maskload_ps(x, _mm_cmpgt_epi32(_mm_set1_epi32(n), _mm_setr_epi32(0, 1, 2, 3))));
#else
    return (THSums){n > 0 ? x[0] : 0, n > 1 ? x[1] : 0};
#endif
}

TH_INLINE THSumsBits THSums_ofInt(const int32_t *x)
{
#if TH_SUMS == 8
    return (THSumsBits)_mm512_cvtepi32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)x));
#elif TH_SUMS == 4
    return (THSumsBits)_mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)(const void *)x));
#else
    return (THSumsBits){x[0], x[1]};
#endif
}

/* The first n <= TH_SUMS, then 0. */
TH_INLINE THSumsBits THSums_someOfInt(const int32_t *x, int n)
{
#if TH_SUMS == 8
    const __m256i some = _mm256_maskz_loadu_epi32((__mmask8)((1u << n) - 1), x);
    return (THSumsBits)_mm512_cvtepi32_epi64(some);
#elif TH_SUMS == 4
    return (THSumsBits)_mm256_cvtepi32_epi64(
        _mm_maskload_epi32(x, _mm_cmpgt_epi32(_mm_set1_epi32(n), _mm_setr_epi32(0, 1, 2, 3))));
#else
    return (THSumsBits){n > 0 ? x[0] : 0, n > 1 ? x[1] : 0};
#endif
}

#if TH_SUMS >= 4 && defined(__F16C__)
#define TH_SUMS_HALVES /* are converted in registers */
#if TH_SUMS == 8
typedef __m256 THSumsFloats;
TH_INLINE THSumsFloats THSumsFloats_ofHalf(const THHalf *x)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)x));
}

/* The first n <= TH_SUMS, then 0. */
TH_INLINE THSumsFloats THSumsFloats_someOfHalf(const THHalf *x, int n)
{
    const __m512i some = _mm512_maskz_loadu_epi16((__mmask32)((1u << n) - 1), x);
    return _mm256_cvtph_ps(_mm512_castsi512_si128(some));
}

TH_INLINE THSums THSums_ofFloats(THSumsFloats floats)
{
    return _mm512_cvtps_pd(floats);
}
#else
typedef __m128 THSumsFloats;
TH_INLINE THSumsFloats THSumsFloats_ofHalf(const THHalf *x)
{
    return _mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)(const void *)x));
}

TH_INLINE THSumsFloats THSumsFloats_someOfHalf(const THHalf *x, int n)
{
    uint32_t two = 0;
    uint16_t one = 0;
    if (n == TH_SUMS)
        return THSumsFloats_ofHalf(x);
    if (n & 2)
        memcpy(&two, x, sizeof two);
    if (n & 1)
        memcpy(&one, x + (n & 2), sizeof one);
    const uint64_t bits = two | (uint64_t)one << (n & 2 ? 32 : 0);
    return _mm_cvtph_ps(_mm_cvtsi64_si128((int64_t)bits));
}

TH_INLINE THSums THSums_ofFloats(THSumsFloats floats)
{
    return _mm256_cvtps_pd(floats);
}
#endif

TH_INLINE THSums THSums_ofHalf(const THHalf *x)
{
    return THSums_ofFloats(THSumsFloats_ofHalf(x));
}

TH_INLINE THSums THSums_someOfHalf(const THHalf *x, int n)
{
    return THSums_ofFloats(THSumsFloats_someOfHalf(x, n));
}

/* The sums of four elements each, added as floats; of n <= TH_SUMS, then 0. */
TH_INLINE THSums THSums_ofFourHalves(const THHalf *a, const THHalf *b, const THHalf *c,
                                     const THHalf *d, int n)
{
    if (n == TH_SUMS)
        return THSums_ofFloats((THSumsFloats_ofHalf(a) + THSumsFloats_ofHalf(b)) +
                               (THSumsFloats_ofHalf(c) + THSumsFloats_ofHalf(d)));
    return THSums_ofFloats((THSumsFloats_someOfHalf(a, n) + THSumsFloats_someOfHalf(b, n)) +
                           (THSumsFloats_someOfHalf(c, n) + THSumsFloats_someOfHalf(d, n)));
}
#endif

/* x[0], x[2] and so on, n <= TH_SUMS (for whole registers a constant), then 0; what lies behind the
 * last of them is not read. Machines do not look ahead of loads of some lanes: whole registers are
 * loaded twice. */
TH_INLINE THSums THSums_ofEverySecondDouble(const double *x, int n)
{
#if TH_SUMS == 8
    if (n == TH_SUMS)
        return _mm512_permutex2var_pd(_mm512_loadu_pd(x),
                                      _mm512_setr_epi64(0, 2, 4, 6, 9, 11, 13, 15),
                                      _mm512_loadu_pd(x + 7));
    const unsigned some = (1u << (2 * n - 1)) - 1;
    return _mm512_permutex2var_pd(_mm512_maskz_loadu_pd((__mmask8)some, x),
                                  _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14),
                                  _mm512_maskz_loadu_pd((__mmask8)(some >> 8), x + 8));
#elif TH_SUMS == 4
    if (n < TH_SUMS)
        return (THSums){x[0], n > 1 ? x[2] : 0, n > 2 ? x[4] : 0, 0};
    const __m256d v = _mm256_shuffle_pd(_mm256_loadu_pd(x), _mm256_loadu_pd(x + 3), 0xa);
    return _mm256_permute4x64_pd(v, 0xd8);
#else
    return (THSums){x[0], n > 1 ? x[2] : 0};
#endif
}

TH_INLINE THSums THSums_ofEverySecondFloat(const float *x, int n)
{
#if TH_SUMS == 8
    if (n == TH_SUMS)
        return _mm512_cvtps_pd(_mm256_permutex2var_ps(_mm256_loadu_ps(x),
                                                      _mm256_setr_epi32(0, 2, 4, 6, 9, 11, 13, 15),
                                                      _mm256_loadu_ps(x + 7)));
    const __m512i bits = _mm512_maskz_loadu_epi32((__mmask16)((1u << (2 * n - 1)) - 1), x);
    return _mm512_cvtps_pd(_mm256_castsi256_ps(_mm512_cvtepi64_epi32(bits)));
#elif TH_SUMS == 4
    if (n < TH_SUMS)
        return (THSums){x[0], n > 1 ? x[2] : 0, n > 2 ? x[4] : 0, 0};
    return _mm256_cvtps_pd(_mm_shuffle_ps(_mm_loadu_ps(x), _mm_loadu_ps(x + 3), 0xd8));
#else
    return (THSums){x[0], n > 1 ? x[2] : 0};
#endif
}

/* a + v * w where the product is exact, so that one rounding is as good as two. */
TH_INLINE THSums THSums_addExact(THSums a, THSums v, THSums w)
{
#if TH_SUMS == 8
    return _mm512_fmadd_pd(v, w, a);
#elif TH_SUMS == 4
    return _mm256_fmadd_pd(v, w, a);
#else
    return a + v * w;
#endif
}

/* a + v by the units that multiply, for v that was converted: some machines do that where they add
 * (10^5 floats 1.2 times faster, EPYC 9005). */
TH_INLINE THSums THSums_addConverted(THSums a, THSums v)
{
#if TH_SUMS >= 4
    THSums one = 1 - (THSums){0};
    __asm__("" : "+v"(one)); /* or compilers would add */
    return THSums_addExact(a, v, one);
#else
    return a + v;
#endif
}

#if TH_SUMS == 8
/* Registers of half the length: machines that do the others in halves convert these in half the
 * time, and read them from far memory sooner (THMachine_halvesRegisters). */
#define TH_SUMS_NARROW 4
typedef double THNarrowSums __attribute__((vector_size(8 * TH_SUMS_NARROW)));
typedef int64_t THNarrowSumsBits __attribute__((vector_size(8 * TH_SUMS_NARROW)));

TH_INLINE THNarrowSums THNarrowSums_ofDouble(const double *x)
{
    return _mm256_loadu_pd(x);
}

TH_INLINE THNarrowSums THNarrowSums_ofFloat(const float *x)
{
    return _mm256_cvtps_pd(_mm_loadu_ps(x));
}

/* As THSums_ofEverySecondDouble, of whole registers. */
TH_INLINE THNarrowSums THNarrowSums_ofEverySecondDouble(const double *x)
{
    const __m256d v = _mm256_shuffle_pd(_mm256_loadu_pd(x), _mm256_loadu_pd(x + 3), 0xa);
    return _mm256_permute4x64_pd(v, 0xd8);
}

TH_INLINE THNarrowSums THNarrowSums_addExact(THNarrowSums a, THNarrowSums v, THNarrowSums w)
{
    return _mm256_fmadd_pd(v, w, a);
}

TH_INLINE THNarrowSums THNarrowSums_addConverted(THNarrowSums a, THNarrowSums v)
{
    THNarrowSums one = 1 - (THNarrowSums){0};
    __asm__("" : "+v"(one));
    return THNarrowSums_addExact(a, v, one);
}

TH_INLINE THNarrowSums THNarrowSums_low(THSums v)
{
    return _mm512_castpd512_pd256(v);
}

TH_INLINE THNarrowSums THNarrowSums_high(THSums v)
{
    return _mm512_extractf64x4_pd(v, 1);
}

TH_INLINE THSums THSums_ofNarrow(THNarrowSums low, THNarrowSums high)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
}
#endif

/* The first n as they are, then `other`. */
TH_INLINE THSums THSums_keep(THSums v, int n, double other)
{
#if TH_SUMS == 8
    return _mm512_mask_mov_pd(_mm512_set1_pd(other), (__mmask8)((1u << n) - 1), v);
#elif TH_SUMS == 4
    const __m256i kept = _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
    return _mm256_blendv_pd(_mm256_set1_pd(other), v, _mm256_castsi256_pd(kept));
#else
    return (THSums){n > 0 ? v[0] : other, n > 1 ? v[1] : other};
#endif
}

#if TH_SUMS == 8
/* The first n or, in front, the last n of elements that are loaded whole, then 0: of lines of the
 * cache that are missed, masked loads take several times as long (100000 rows of 10 of 100 float64:
 * 772 us, so 355; EPYC 9005). */
TH_INLINE THSums THSums_first(THSums v, int n)
{
    TH_REGISTER_LOADED(v); /* or it were a masked load again */
    return THSums_keep(v, n, 0);
}

TH_INLINE THSums THSums_last(THSums v, int n)
{
    const __m512i numbers = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const __m512i from = _mm512_add_epi64(numbers, _mm512_set1_epi64(8 - n));
    return _mm512_maskz_permutexvar_pd((__mmask8)((1u << n) - 1), from, v);
}
#endif

/* Halves of lanes: of all of them, of those of each half and so on, of a and then of b. What is
 * folded by them in this order has the sums of line i in lane i. */
#if defined(__clang__)
#define TH_SUMS_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define TH_SUMS_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (THSumsBits){__VA_ARGS__})
#endif
#if TH_SUMS == 8
#define TH_SUMS_LOW_4(a, b) TH_SUMS_SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define TH_SUMS_HIGH_4(a, b) TH_SUMS_SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
#define TH_SUMS_LOW_2(a, b) TH_SUMS_SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define TH_SUMS_HIGH_2(a, b) TH_SUMS_SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define TH_SUMS_LOW_1(a, b) TH_SUMS_SHUFFLE(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define TH_SUMS_HIGH_1(a, b) TH_SUMS_SHUFFLE(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#elif TH_SUMS == 4
#define TH_SUMS_LOW_2(a, b) TH_SUMS_SHUFFLE(a, b, 0, 1, 4, 5)
#define TH_SUMS_HIGH_2(a, b) TH_SUMS_SHUFFLE(a, b, 2, 3, 6, 7)
#define TH_SUMS_LOW_1(a, b) TH_SUMS_SHUFFLE(a, b, 0, 4, 2, 6)
#define TH_SUMS_HIGH_1(a, b) TH_SUMS_SHUFFLE(a, b, 1, 5, 3, 7)
#else
#define TH_SUMS_LOW_1(a, b) TH_SUMS_SHUFFLE(a, b, 0, 2)
#define TH_SUMS_HIGH_1(a, b) TH_SUMS_SHUFFLE(a, b, 1, 3)
#endif

#endif
