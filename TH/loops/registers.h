/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long the machine's registers are: gcc compares longer vectors element by element. */
#ifndef TH_LOOPS_REGISTERS_H
#define TH_LOOPS_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__AVX512BW__)
#define VECTOR_BYTES 64
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

/* A vector is in a register from here on, and so is not loaded elsewhere or again. */
#if defined(__x86_64__)
#define TH_REGISTER_LOADED(v) __asm__("" : "+v"(v))
#else
#define TH_REGISTER_LOADED(v) ((void)(v))
#endif

/* Half a register of signed bytes as one of 16 bits, in one step: gcc converts halves of the
 * longest ones and puts them together. */
#if defined(__AVX512BW__)
#define TH_REGISTER_WIDEN(Wide, bytes) ((Wide)_mm512_cvtepi8_epi16((__m256i)(bytes)))
#else
#define TH_REGISTER_WIDEN(Wide, bytes) __builtin_convertvector(bytes, Wide)
#endif

/* Is a bit of a register set? */
static inline __attribute__((always_inline, unused)) bool THRegister_isAny(const void *bits)
{
#if defined(__AVX512BW__)
    const __m512i v = _mm512_loadu_si512(bits);
    return _mm512_test_epi32_mask(v, v) != 0;
#elif defined(__AVX2__)
    const __m256i v = _mm256_loadu_si256((const __m256i *)bits);
    return !_mm256_testz_si256(v, v);
#else
    uint64_t words[VECTOR_BYTES / 8];
    memcpy(words, bits, sizeof words);
    return (words[0] | words[1]) != 0;
#endif
}

/* Lanes of `a` where all bits of `mask` are set, else, where none is, of `b`; of one type, each.
 * gcc takes three steps for it, but of the longest registers one. */
#if defined(__AVX2__) && !defined(__AVX512BW__)
#define TH_REGISTER_CHOOSE(mask, a, b) \
    ((__typeof__(b))_mm256_blendv_epi8((__m256i)(b), (__m256i)(a), (__m256i)(mask)))
#else
#define TH_REGISTER_CHOOSE(mask, a, b) \
    ((__typeof__(b))(((__typeof__(mask))(a) & (mask)) | ((__typeof__(mask))(b) & ~(mask))))
#endif

#endif
