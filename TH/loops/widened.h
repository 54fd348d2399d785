/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops of a dtype that is computed in a wider one: Half in float. A block of each operand is
 * widened, the loop of the wider dtype runs over the blocks, and what it wrote is narrowed. Where
 * the machine converts by itself that loop is inlined, and blocks stay in registers. */
#ifndef TH_LOOPS_WIDENED_H
#define TH_LOOPS_WIDENED_H

#include <TH/THDtype.h>
#include <TH/THIsa.h>

/* Elements of a block: such loops are called for whole ones (TH_KERNEL_WHOLE_VECTORS). */
#define TH_WIDENED_LANES 32
#define TH_WIDENED_BLOCK(name) _Alignas(64) scalar_t name[TH_WIDENED_LANES]

/* In generic files the loop of the dtype itself, and the one that runs over its blocks. */
#define THWidened_(name) TH_CONCAT_4(th_, name, TH_CONCAT_3(_, TH_WIDENED, _), TH_ISA)
#if defined(__F16C__)
#define THBlock_(name) THLoop_(name)
#define TH_BLOCK_DECLARE(name) \
    static inline __attribute__((always_inline)) TH_LOOP_DECLARE(THLoop_(name))
#else
/* Conversions take longer than anything else: the loop that is there anyway is as good. */
#define THBlock_(name) TH_CONCAT_4(th_, name, TH_CONCAT_3(_, TH_COMPUTE_REAL, _), TH_ISA)
#define TH_BLOCK_DECLARE(name)                                            \
    static inline __attribute__((unused)) TH_LOOP_DECLARE(THLoop_(name)); \
    TH_LOOP_DECLARE(THBlock_(name))
#endif

/* Whatever else there is in a unit: loops that call one are no vectors. */
#define TH_WIDENED_INLINE static inline __attribute__((always_inline, unused))

/* Functions of elements as they are stored. */
#define TH_STORED TH_CONCAT_2(TH, TH_WIDENED)
#define TH_OF_STORED(name) TH_CONCAT_4(TH, TH_WIDENED, _stored_, name)
TH_WIDENED_INLINE THHalf THHalf_stored_abs(THHalf half)
{
    half.x &= 0x7fff;
    return half;
}
TH_WIDENED_INLINE THHalf THHalf_stored_neg(THHalf half)
{
    half.x ^= 0x8000;
    return half;
}
TH_WIDENED_INLINE THHalf THHalf_stored_copysign(THHalf half, THHalf sign)
{
    half.x = (uint16_t)((half.x & 0x7fff) | (sign.x & 0x8000));
    return half;
}

/* The machine's conversions of so many elements, by gcc's own names for them: to read <immintrin.h>
 * would take it longer than to compile some loops. */
#if defined(__AVX512F__)
#define TH_HALVES 16
#elif defined(__F16C__)
#define TH_HALVES 8
#else
#define TH_HALVES 1
#endif
#if TH_HALVES > 1 && defined(__GNUC__) && !defined(__clang__)
#define TH_HALVES_TYPE(type) \
    type __attribute__((vector_size(TH_HALVES * sizeof(type)), aligned(sizeof(type)), may_alias))
typedef TH_HALVES_TYPE(int16_t) THHalves;
typedef TH_HALVES_TYPE(float) THHalvesAsFloats;
#if TH_HALVES == 16
#define TH_OF_HALVES(halves) __builtin_ia32_vcvtph2ps512_mask(halves, (THHalvesAsFloats){0}, -1, 4)
#define TH_TO_HALVES(floats) __builtin_ia32_vcvtps2ph512_mask(floats, 0, (THHalves){0}, -1)
#else
#define TH_OF_HALVES(halves) __builtin_ia32_vcvtph2ps256(halves)
#define TH_TO_HALVES(floats) __builtin_ia32_vcvtps2ph256(floats, 0)
#endif
#define TH_HALVES_WIDEN(to, from) \
    (*(THHalvesAsFloats *)(to) = TH_OF_HALVES(*(const THHalves *)(from)))
#define TH_HALVES_NARROW(to, from) \
    (*(THHalves *)(to) = TH_TO_HALVES(*(const THHalvesAsFloats *)(from)))
#elif TH_HALVES > 1
#include <immintrin.h>
#if TH_HALVES == 16
#define TH_HALVES_WIDEN(to, from) \
    _mm512_storeu_ps(to, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(from))))
#define TH_HALVES_NARROW(to, from)       \
    _mm256_storeu_si256((__m256i *)(to), \
                        _mm512_cvtps_ph(_mm512_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT))
#else
#define TH_HALVES_WIDEN(to, from) \
    _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(from))))
#define TH_HALVES_NARROW(to, from)    \
    _mm_storeu_si128((__m128i *)(to), \
                     _mm256_cvtps_ph(_mm256_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT))
#endif
#else
#define TH_HALVES_WIDEN(to, from) (*(to) = THHalf_toFloat(*(from)))
#define TH_HALVES_NARROW(to, from) (*(to) = THHalf_fromFloat(*(from)))
#endif

/* Within loops these are inlined where they are one instruction. */
#if defined(__F16C__)
#define TH_WIDENED_FUNCTION TH_WIDENED_INLINE
#else
#define TH_WIDENED_FUNCTION static __attribute__((noinline, unused))
#endif

/* In generic files; the block from element i on, and one element. */
#define TH_WIDEN(to, from, i) TH_CONCAT_3(TH, TH_WIDENED, _widen)(to, from, i)
#define TH_NARROW(to, from, i) TH_CONCAT_3(TH, TH_WIDENED, _narrow)(to, from, i)
#define TH_WIDEN_ONE(to, from) TH_CONCAT_3(TH, TH_WIDENED, _widenOne)(to, from)

TH_WIDENED_FUNCTION void THHalf_widen(float *to, const THHalf *from, int64_t i)
{
    for (int k = 0; k < TH_WIDENED_LANES; k += TH_HALVES)
        TH_HALVES_WIDEN(to + k, from + i + k);
}
TH_WIDENED_FUNCTION void THHalf_narrow(THHalf *to, const float *from, int64_t i)
{
    for (int k = 0; k < TH_WIDENED_LANES; k += TH_HALVES)
        TH_HALVES_NARROW(to + i + k, from + k);
}

TH_WIDENED_INLINE void THHalf_widenOne(float *to, const THHalf *from)
{
    *to = THHalf_toFloat(*from);
}

#endif
