/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What vector.h has for AVX2: a THVectorD is 4 doubles, a THVectorF 8 floats, a mask a vector
 * of 0 and -1. */
#ifndef TH_LOOPS_VECTOR_NARROW_H
#define TH_LOOPS_VECTOR_NARROW_H

#if defined(TH_VECTOR_PRIVATE) && defined(TH_HAVE_SOME_VECTORS)

#include <immintrin.h>

typedef __m256d THVectorD;
typedef __m256 THVectorF;
typedef __m256i THVectorBits;
typedef int64_t THMaskD __attribute__((vector_size(32)));
typedef int32_t THMaskF __attribute__((vector_size(32)));
#define TH_LANES_D 4
#define TH_LANES_F 8

#define dAll(x) _mm256_set1_pd(x)
#define fAll(x) _mm256_set1_ps(x)
#define dFma(x, y, z) _mm256_fmadd_pd(x, y, z)
#define fFma(x, y, z) _mm256_fmadd_ps(x, y, z)
#define dFnma(x, y, z) _mm256_fnmadd_pd(x, y, z)
#define fFnma(x, y, z) _mm256_fnmadd_ps(x, y, z)
#define dFms(x, y, z) _mm256_fmsub_pd(x, y, z)
#define fFms(x, y, z) _mm256_fmsub_ps(x, y, z)
#define dAtLeast(x, low) _mm256_max_pd(dAll(low), x)
#define fAtLeast(x, low) _mm256_max_ps(fAll(low), x)
#define dAbs(x) _mm256_andnot_pd(dAll(-0.0), x)
#define fAbs(x) _mm256_andnot_ps(fAll(-0.0f), x)
#define dTrunc(x) _mm256_round_pd(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)
#define fTrunc(x) _mm256_round_ps(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)
#define dFloor(x) _mm256_round_pd(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)
#define dRint(x) _mm256_round_pd(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define dBits(x) _mm256_castpd_si256(x)
#define fBits(x) _mm256_castps_si256(x)
#define dOfBits(x) _mm256_castsi256_pd((__m256i)(x))

/* Whole numbers of less than 51 bits as doubles and back: in the last bits of a sum with this. */
#define TH_WHOLE 0x1.8p52
#define TH_WHOLE_BITS INT64_C(0x4338000000000000)
#define dOfShort(x) (dOfBits((THMaskD)(x) + TH_WHOLE_BITS) - dAll(TH_WHOLE))
#define dToShort(x) ((THMaskD)dBits((x) + dAll(TH_WHOLE)) - TH_WHOLE_BITS)

#define dAddBits(bits, n) _mm256_add_epi64(bits, _mm256_set1_epi64x(n))
#define dHasBit(bits, mask) (((THMaskD)(bits) & (mask)) != 0)
#define dPowerOf(x) _mm256_and_pd(x, dAll(INFINITY))
#define dLess(x, y) ((THMaskD)_mm256_cmp_pd(x, y, _CMP_LT_OQ))
#define fLess(x, y) ((THMaskF)_mm256_cmp_ps(x, y, _CMP_LT_OQ))
#define dLessEqual(x, y) ((THMaskD)_mm256_cmp_pd(x, y, _CMP_LE_OQ))
#define fLessEqual(x, y) ((THMaskF)_mm256_cmp_ps(x, y, _CMP_LE_OQ))
#define dEqual(x, y) ((THMaskD)_mm256_cmp_pd(x, y, _CMP_EQ_OQ))
#define fEqual(x, y) ((THMaskF)_mm256_cmp_ps(x, y, _CMP_EQ_OQ))
#define dSelect(mask, yes, no) _mm256_blendv_pd(no, yes, (THVectorD)(mask))
#define fSelect(mask, yes, no) _mm256_blendv_ps(no, yes, (THVectorF)(mask))
#define dIsNan(x) ((THMaskD)_mm256_cmp_pd(x, x, _CMP_UNORD_Q))
#define dIsFinite(x) dLess(dAbs(x), dAll(INFINITY))
#define dIsNegative(x) ((THMaskD)dBits(x) < 0)
#define fIsNegative(x) ((THMaskF)fBits(x) < 0)
#define dAllOf(mask) (_mm256_movemask_pd((THVectorD)(mask)) == 0xf)
#define fAllOf(mask) (_mm256_movemask_ps((THVectorF)(mask)) == 0xff)
typedef uint64_t THVectorWords __attribute__((vector_size(32)));
#define vHalfProduct(x, y) ((THVectorWords)_mm256_mul_epu32((__m256i)(x), (__m256i)(y)))
#define vWordsAt(table, byte) \
    ((THVectorWords)_mm256_i64gather_epi64((const long long *)(table), (__m256i)(byte), 1))
/* Halves of whole numbers, in the last bits of 2^52 and 2^84, which are taken away again; only the
 * last sum rounds. */
TH_INLINE THVectorD dOfWords(THVectorWords x)
{
    const THVectorD low = dOfBits((x & UINT32_MAX) | UINT64_C(0x4330000000000000));
    const THVectorD high = dOfBits(x >> 32 ^ UINT64_C(0x4530000080000000));
    return high - dAll(0x1.00000801p84) + low;
}
/* Of whole numbers. */
TH_INLINE THVectorWords dToWords(THVectorD x)
{
    const THVectorD high = dFloor(x * dAll(0x1p-32)), low = dFnma(high, dAll(0x1p32), x);
    return ((THVectorWords)dToShort(high) << 32) + (THVectorWords)dToShort(low);
}
#define TH_ANY_BITS(x) (!_mm256_testz_si256((__m256i)(x), (__m256i)(x)))
#define TH_NONE(mask) _mm256_testz_si256((__m256i)(mask), (__m256i)(mask))
#define TH_MASK_HAS(mask, i) ((mask)[i] != 0)
#define dCopysign(x, y) _mm256_or_pd(_mm256_andnot_pd(dAll(-0.0), x), _mm256_and_pd(dAll(-0.0), y))
#define fCopysign(x, y) \
    _mm256_or_ps(_mm256_andnot_ps(fAll(-0.0f), x), _mm256_and_ps(fAll(-0.0f), y))
#define dStore(to, x) _mm256_storeu_pd(to, x)
#define fStore(to, x) _mm256_storeu_ps(to, x)
#define dLoad(from) _mm256_loadu_pd(from)
#define fLoad(from) _mm256_loadu_ps(from)
/* Of fewer elements than a vector has; the others are as the first one. */
TH_INLINE THVectorD dLoadSome(const double *from, int n)
{
    const THMaskD lane = {0, 1, 2, 3}, mask = lane < n;
    return dSelect(mask, _mm256_maskload_pd(from, (__m256i)mask), dAll(*from));
}
TH_INLINE THVectorF fLoadSome(const float *from, int n)
{
    const THMaskF lane = {0, 1, 2, 3, 4, 5, 6, 7}, mask = lane < n;
    return fSelect(mask, _mm256_maskload_ps(from, (__m256i)mask), fAll(*from));
}
/* Masked stores take long. */
TH_INLINE void dStoreSome(double *to, int n, THVectorD x)
{
    __m128d part = _mm256_castpd256_pd128(x);
    if (n & 2) {
        _mm_storeu_pd(to, part);
        part = _mm256_extractf128_pd(x, 1);
        to += 2;
    }
    if (n & 1)
        _mm_storel_pd(to, part);
}
TH_INLINE void fStoreSome(float *to, int n, THVectorF x)
{
    __m128 part = _mm256_castps256_ps128(x);
    if (n & 4) {
        _mm_storeu_ps(to, part);
        part = _mm256_extractf128_ps(x, 1);
        to += 4;
    }
    if (n & 2) {
        _mm_storel_pi((__m64 *)(void *)to, part);
        part = _mm_movehl_ps(part, part);
        to += 2;
    }
    if (n & 1)
        _mm_store_ss(to, part);
}
#define fStoreHalves(to, x)           \
    _mm_storeu_si128((__m128i *)(to), \
                     _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))
#define fLoadHalves(from) _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(from)))
#define dFirst(x) _mm256_cvtsd_f64(x)
#define fFirst(x) _mm256_cvtss_f32(x)
#define fLower(x) _mm256_cvtps_pd(_mm256_castps256_ps128(x))
#define fUpper(x) _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1))
TH_INLINE THVectorF fOfHalves(THVectorD lower, THVectorD upper)
{
    return _mm256_set_m128(_mm256_cvtpd_ps(upper), _mm256_cvtpd_ps(lower));
}

#define TH_VECTOR_NAME_D(v, name) TH_CONCAT_4(_ZGVdN4, v, _, name)
#define TH_VECTOR_NAME_F(v, name) TH_CONCAT_4(_ZGVdN8, v, _, name)
#define TH_HALF_NAME_D(v, name) TH_CONCAT_4(_ZGVbN2, v, _, name)
#define TH_HALF_NAME_F(v, name) TH_CONCAT_4(_ZGVbN4, v, _, name)
/* AVX, from which these come, has no longer vectors of integers. */
#define TH_HALF_BITS_NAME_D(v, name) TH_CONCAT_4(_ZGVcN2, v, _, name)
#define TH_HALF_BITS_NAME_F(v, name) TH_CONCAT_4(_ZGVcN4, v, _, name)
typedef __m128d THHalfVectorD;
typedef __m128 THHalfVectorF;
typedef __m128i THHalfBits;
#define dOfHalf(x) _mm256_set_m128d(x, x)
#define fOfHalf(x) _mm256_set_m128(x, x)
#define dHalf(x) _mm256_castpd256_pd128(x)
#define fHalf(x) _mm256_castps256_ps128(x)
#define TH_OF_HALF_BITS(x) _mm256_set_m128i(x, x)
#define TH_HALF_BITS(x) _mm256_castsi256_si128(x)
#define TH_QUARTERS(...)

#endif
#endif
