/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The larger elements of two registers, which gcc has only for integers in loops. */
#ifndef TH_LOOPS_MOST_H
#define TH_LOOPS_MOST_H

#include <TH/loops/registers.h>

/* THRegister_most<Real>: lanes of x where these are larger than those of y, or less (`max`, a
 * constant, is false), else of y. */
#define TH_REGISTER_MOST(Real, type, mask, most, least)                                          \
    typedef type THRegister##Real __attribute__((vector_size(VECTOR_BYTES)));                    \
    typedef mask THRegisterMask##Real __attribute__((vector_size(VECTOR_BYTES)));                \
    static inline __attribute__((always_inline, unused)) THRegister##Real THRegister_most##Real( \
        bool max, THRegister##Real x, THRegister##Real y)                                        \
    {                                                                                            \
        return max ? most : least;                                                               \
    }
#define SELECT(Real, compared) TH_REGISTER_CHOOSE((THRegisterMask##Real)(compared), x, y)
/* THRegister_unordered<Real>: the lanes of floating point in which x or y is NaN. */
#define TH_REGISTER_UNORDERED(Real, unordered)                                \
    static inline __attribute__((always_inline, unused)) THRegisterMask##Real \
    THRegister_unordered##Real(THRegister##Real x, THRegister##Real y)        \
    {                                                                         \
        return unordered;                                                     \
    }
#if defined(__AVX512BW__)
#define INTEGERS(Real, op) (THRegister##Real) _mm512_##op((__m512i)x, (__m512i)y)
TH_REGISTER_MOST(Double, double, int64_t, _mm512_max_pd(x, y), _mm512_min_pd(x, y))
TH_REGISTER_MOST(Float, float, int32_t, _mm512_max_ps(x, y), _mm512_min_ps(x, y))
TH_REGISTER_MOST(Long, int64_t, int64_t, INTEGERS(Long, max_epi64), INTEGERS(Long, min_epi64))
TH_REGISTER_MOST(Int, int32_t, int32_t, INTEGERS(Int, max_epi32), INTEGERS(Int, min_epi32))
TH_REGISTER_MOST(Short, int16_t, int16_t, INTEGERS(Short, max_epi16), INTEGERS(Short, min_epi16))
TH_REGISTER_MOST(Byte, int8_t, int8_t, INTEGERS(Byte, max_epi8), INTEGERS(Byte, min_epi8))
TH_REGISTER_UNORDERED(Double,
                      (THRegisterMaskDouble)_mm512_movm_epi64(_mm512_cmp_pd_mask(x, y,
                                                                                 _CMP_UNORD_Q)))
TH_REGISTER_UNORDERED(Float,
                      (THRegisterMaskFloat)_mm512_movm_epi32(_mm512_cmp_ps_mask(x, y,
                                                                                _CMP_UNORD_Q)))
#elif defined(__AVX2__)
#define INTEGERS(Real, op) (THRegister##Real) _mm256_##op((__m256i)x, (__m256i)y)
TH_REGISTER_MOST(Double, double, int64_t, _mm256_max_pd(x, y), _mm256_min_pd(x, y))
TH_REGISTER_MOST(Float, float, int32_t, _mm256_max_ps(x, y), _mm256_min_ps(x, y))
TH_REGISTER_MOST(Long, int64_t, int64_t, SELECT(Long, x > y), SELECT(Long, x < y))
TH_REGISTER_MOST(Int, int32_t, int32_t, INTEGERS(Int, max_epi32), INTEGERS(Int, min_epi32))
TH_REGISTER_MOST(Short, int16_t, int16_t, INTEGERS(Short, max_epi16), INTEGERS(Short, min_epi16))
TH_REGISTER_MOST(Byte, int8_t, int8_t, INTEGERS(Byte, max_epi8), INTEGERS(Byte, min_epi8))
TH_REGISTER_UNORDERED(Double, (THRegisterMaskDouble)_mm256_cmp_pd(x, y, _CMP_UNORD_Q))
TH_REGISTER_UNORDERED(Float, (THRegisterMaskFloat)_mm256_cmp_ps(x, y, _CMP_UNORD_Q))
#else
TH_REGISTER_MOST(Double, double, int64_t, SELECT(Double, x > y), SELECT(Double, x < y))
TH_REGISTER_MOST(Float, float, int32_t, SELECT(Float, x > y), SELECT(Float, x < y))
TH_REGISTER_MOST(Long, int64_t, int64_t, SELECT(Long, x > y), SELECT(Long, x < y))
TH_REGISTER_MOST(Int, int32_t, int32_t, SELECT(Int, x > y), SELECT(Int, x < y))
TH_REGISTER_MOST(Short, int16_t, int16_t, SELECT(Short, x > y), SELECT(Short, x < y))
TH_REGISTER_MOST(Byte, int8_t, int8_t, SELECT(Byte, x > y), SELECT(Byte, x < y))
TH_REGISTER_UNORDERED(Double, (x != x) | (y != y))
TH_REGISTER_UNORDERED(Float, (x != x) | (y != y))
#endif
#undef TH_REGISTER_UNORDERED
#undef INTEGERS
#undef TH_REGISTER_MOST
#undef SELECT

#endif
