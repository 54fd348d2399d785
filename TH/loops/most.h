/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The larger elements of two registers, which gcc has only for integers in loops. */
#ifndef TH_LOOPS_MOST_H
#define TH_LOOPS_MOST_H

#include <TH/loops/registers.h>

/* THRegister_most<Real>: lanes of x where these are larger than those of y, or less (`max`, a
 * constant), else of y; of integers always the larger ones. */
#define TH_REGISTER_MOST(Real, type, mask, most, least)                                          \
    typedef type THRegister##Real __attribute__((vector_size(VECTOR_BYTES)));                    \
    typedef mask THRegisterMask##Real __attribute__((vector_size(VECTOR_BYTES)));                \
    static inline __attribute__((always_inline, unused)) THRegister##Real THRegister_most##Real( \
        bool max, THRegister##Real x, THRegister##Real y)                                        \
    {                                                                                            \
        return max ? most : least;                                                               \
    }
#define SELECT(Real, compared)                                  \
    (THRegister##Real)(((THRegisterMask##Real)x & (compared)) | \
                       ((THRegisterMask##Real)y & ~(compared)))
#if defined(__AVX512BW__)
TH_REGISTER_MOST(Double, double, int64_t, _mm512_max_pd(x, y), _mm512_min_pd(x, y))
TH_REGISTER_MOST(Float, float, int32_t, _mm512_max_ps(x, y), _mm512_min_ps(x, y))
TH_REGISTER_MOST(Long, int64_t, int64_t, (THRegisterLong)_mm512_max_epi64((__m512i)x, (__m512i)y),
                 y)
TH_REGISTER_MOST(Int, int32_t, int32_t, (THRegisterInt)_mm512_max_epi32((__m512i)x, (__m512i)y), y)
TH_REGISTER_MOST(Short, int16_t, int16_t, (THRegisterShort)_mm512_max_epi16((__m512i)x, (__m512i)y),
                 y)
TH_REGISTER_MOST(Byte, int8_t, int8_t, (THRegisterByte)_mm512_max_epi8((__m512i)x, (__m512i)y), y)
#elif defined(__AVX2__)
TH_REGISTER_MOST(Double, double, int64_t, _mm256_max_pd(x, y), _mm256_min_pd(x, y))
TH_REGISTER_MOST(Float, float, int32_t, _mm256_max_ps(x, y), _mm256_min_ps(x, y))
TH_REGISTER_MOST(Long, int64_t, int64_t, SELECT(Long, x > y), y)
TH_REGISTER_MOST(Int, int32_t, int32_t, (THRegisterInt)_mm256_max_epi32((__m256i)x, (__m256i)y), y)
TH_REGISTER_MOST(Short, int16_t, int16_t, (THRegisterShort)_mm256_max_epi16((__m256i)x, (__m256i)y),
                 y)
TH_REGISTER_MOST(Byte, int8_t, int8_t, (THRegisterByte)_mm256_max_epi8((__m256i)x, (__m256i)y), y)
#else
TH_REGISTER_MOST(Double, double, int64_t, SELECT(Double, x > y), SELECT(Double, x < y))
TH_REGISTER_MOST(Float, float, int32_t, SELECT(Float, x > y), SELECT(Float, x < y))
TH_REGISTER_MOST(Long, int64_t, int64_t, SELECT(Long, x > y), y)
TH_REGISTER_MOST(Int, int32_t, int32_t, SELECT(Int, x > y), y)
TH_REGISTER_MOST(Short, int16_t, int16_t, SELECT(Short, x > y), y)
TH_REGISTER_MOST(Byte, int8_t, int8_t, SELECT(Byte, x > y), y)
#endif
#undef TH_REGISTER_MOST
#undef SELECT

#endif
