/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What vector.h has for AVX-512: a THVectorD is 8 doubles, a THVectorF 16 floats, a mask a bit
 * for each. */
#ifndef TH_LOOPS_VECTOR_WIDE_H
#define TH_LOOPS_VECTOR_WIDE_H

#if defined(TH_VECTOR_PRIVATE) && defined(TH_HAVE_VECTOR_FUNCTIONS)

#include <immintrin.h>

typedef __m512d THVectorD;
typedef __m512 THVectorF;
typedef __m512i THVectorBits;
typedef __mmask8 THMaskD;
typedef __mmask16 THMaskF;
#define TH_LANES_D 8
#define TH_LANES_F 16

/* The same number in all lanes. */
#define dAll(x) _mm512_set1_pd(x)
#define fAll(x) _mm512_set1_ps(x)
/* x * y + z and z - x * y, rounded once. */
#define dFma(x, y, z) _mm512_fmadd_pd(x, y, z)
#define fFma(x, y, z) _mm512_fmadd_ps(x, y, z)
#define dFnma(x, y, z) _mm512_fnmadd_pd(x, y, z)
#define fFnma(x, y, z) _mm512_fnmadd_ps(x, y, z)
#define dFms(x, y, z) _mm512_fmsub_pd(x, y, z)
#define fFms(x, y, z) _mm512_fmsub_ps(x, y, z)
/* x brought above a bound, below one, between two; NaN stays NaN. */
#define dAtLeast(x, low) _mm512_max_pd(dAll(low), x)
#define fAtLeast(x, low) _mm512_max_ps(fAll(low), x)
#define dAtMost(x, high) _mm512_min_pd(dAll(high), x)
#define fAtMost(x, high) _mm512_min_ps(fAll(high), x)
#define dWithin(x, low, high) _mm512_min_pd(dAll(high), _mm512_max_pd(dAll(low), x))
#define fWithin(x, low, high) _mm512_min_ps(fAll(high), _mm512_max_ps(fAll(low), x))
/* The smaller, the larger of two; of NaN the second. */
#define fLeast(x, y) _mm512_min_ps(x, y)
#define dMost(x, y) _mm512_max_pd(x, y)
#define fMost(x, y) _mm512_max_ps(x, y)
/* fAtMost of what is not negative, as whole numbers, which takes a quarter of its time. */
#define fAtMostByBits(x, high) _mm512_castsi512_ps(_mm512_min_epu32(fBits(x), fBits(fAll(high))))
/* x brought between -most and most; NaN becomes one of them. */
#define dBounded(x, most) _mm512_range_pd(x, dAll(most), 2)
#define fBounded(x, most) _mm512_range_ps(x, fAll(most), 2)
#define dAbs(x) _mm512_abs_pd(x)
#define fAbs(x) _mm512_abs_ps(x)
#define dTrunc(x) _mm512_roundscale_pd(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)
#define fTrunc(x) _mm512_roundscale_ps(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)
#define dRint(x) _mm512_roundscale_pd(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define fRint(x) _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
/* x * 2^floor(k), rounded once. */
#define dScale(x, k) _mm512_scalef_pd(x, k)
#define fScale(x, k) _mm512_scalef_ps(x, k)
/* The same, and 0 without the machine's trouble with numbers that small where k is below `least`.
 */
#define dScaleAbove(x, k, least) \
    _mm512_maskz_scalef_pd(_mm512_cmp_pd_mask(k, dAll(least), _CMP_NLT_UQ), x, k)
#define fScaleAbove(x, k, least) \
    _mm512_maskz_scalef_ps(_mm512_cmp_ps_mask(k, fAll(least), _CMP_NLT_UQ), x, k)
/* floor(log2(|x|)); infinite of 0 and infinity. */
#define dMagnitude(x) _mm512_getexp_pd(x)
#define fMagnitude(x) _mm512_getexp_ps(x)
/* The power of two in |x|: its bits without the significand's. */
#define dPowerOf(x) _mm512_and_pd(x, dAll(INFINITY))
/* x = 2^exponent * significand with a significand in [0.75, 1.5); its exponent comes with it, since
 * the machine's is that of a significand in [1, 2). Of 0 and infinity the exponent is infinite and
 * the significand 1, of what is below 0 the significand is NaN. */
#define dSignificand(x) _mm512_getmant_pd(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan)
#define fSignificand(x) _mm512_getmant_ps(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan)
TH_INLINE THVectorD dExponent(THVectorD x, THVectorD significand)
{
    const THVectorD k = _mm512_getexp_pd(x);
    return _mm512_mask_add_pd(k, _mm512_cmp_pd_mask(significand, dAll(1), _CMP_LT_OQ), k, dAll(1));
}
TH_INLINE THVectorF fExponent(THVectorF x, THVectorF significand)
{
    const THVectorF k = _mm512_getexp_ps(x);
    return _mm512_mask_add_ps(k, _mm512_cmp_ps_mask(significand, fAll(1), _CMP_LT_OQ), k, fAll(1));
}
/* Elements of a table of 16, by the low 4 bits of each place. */
TH_INLINE THVectorD dTable(const double *table, THVectorBits place)
{
    return _mm512_permutex2var_pd(_mm512_loadu_pd(table), place, _mm512_loadu_pd(table + 8));
}
TH_INLINE THVectorF fTable(const float *table, THVectorBits place)
{
    return _mm512_permutexvar_ps(place, _mm512_loadu_ps(table));
}
#define dBits(x) _mm512_castpd_si512(x)
#define fBits(x) _mm512_castps_si512(x)
/* The 4 bits below the exponent. */
#define dFirstBits(x) _mm512_srli_epi64(dBits(x), 48)
#define fFirstBits(x) _mm512_srli_epi32(fBits(x), 19)
/* The last 2 bits of the exponent and the 2 below it. */
#define dLastBits(x) _mm512_srli_epi64(dBits(x), 50)
#define fLastBits(x) _mm512_srli_epi32(fBits(x), 21)
#define dAddBits(bits, n) _mm512_add_epi64(bits, _mm512_set1_epi64(n))
#define dNegatedBits(bits) _mm512_sub_epi64(_mm512_setzero_si512(), bits)
#define fNegatedBits(bits) _mm512_sub_epi32(_mm512_setzero_si512(), bits)
#define dHasBit(bits, mask) ((THMaskD)_mm512_test_epi64_mask(bits, _mm512_set1_epi64(mask)))
#define fHasBit(bits, mask) ((THMaskF)_mm512_test_epi32_mask(bits, _mm512_set1_epi32(mask)))
/* 64 bits each, whole numbers: of doubles and back, truncated or not, from any byte of a table, and
 * the product of lower halves. */
typedef uint64_t THVectorWords __attribute__((vector_size(64)));
#define dToWords(x) ((THVectorWords)_mm512_cvtpd_epi64(x))
#define dTruncatedToWords(x) ((THVectorWords)_mm512_cvttpd_epi64(x))
#define dOfWords(x) _mm512_cvtepi64_pd((__m512i)(x))
#define vWordsAt(table, byte) ((THVectorWords)_mm512_i64gather_epi64((__m512i)(byte), table, 1))
#define vHalfProduct(x, y) ((THVectorWords)_mm512_mul_epu32((__m512i)(x), (__m512i)(y)))
#define TH_ANY_BITS(x) (_mm512_test_epi64_mask((__m512i)(x), (__m512i)(x)) != 0)
/* Approximations within 2^-14. */
#define dReciprocal14(x) _mm512_rcp14_pd(x)
#define fReciprocal14(x) _mm512_rcp14_ps(x)
#define dRsqrt14(x) _mm512_rsqrt14_pd(x)
#define fRsqrt14(x) _mm512_rsqrt14_ps(x)
#define dSqrt(x) _mm512_sqrt_pd(x)
#define fSqrt(x) _mm512_sqrt_ps(x)

/* Comparisons, false of NaN; selections by them. */
#define dLess(x, y) _mm512_cmp_pd_mask(x, y, _CMP_LT_OQ)
#define fLess(x, y) _mm512_cmp_ps_mask(x, y, _CMP_LT_OQ)
#define dEqual(x, y) _mm512_cmp_pd_mask(x, y, _CMP_EQ_OQ)
#define fEqual(x, y) _mm512_cmp_ps_mask(x, y, _CMP_EQ_OQ)
#define dSelect(mask, yes, no) _mm512_mask_blend_pd(mask, no, yes)
#define fSelect(mask, yes, no) _mm512_mask_blend_ps(mask, no, yes)
#define dIsNan(x) _mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q)
#define dIsFinite(x) dLess(dAbs(x), dAll(INFINITY))
/* Neither subnormal nor infinite or NaN. */
#define dIsUsual(x) ((THMaskD)~_mm512_fpclass_pd_mask(x, 0xb9))
#define dIsNegative(x) ((THMaskD)_mm512_movepi64_mask(dBits(x)))
#define fIsNegative(x) ((THMaskF)_mm512_movepi32_mask(fBits(x)))
/* Whether a mask has all elements. Told by ==, gcc goes on with the mask in place of the constant,
 * in instructions that would do without. */
#define dAllOf(mask) _kortestc_mask8_u8(mask, mask)
#define fAllOf(mask) _kortestc_mask16_u8(mask, mask)
#define TH_NONE(mask) ((mask) == 0)
#define TH_MASK_HAS(mask, i) ((mask) >> (i) & 1)
/* |x| with the sign of y. */
TH_INLINE THVectorD dCopysign(THVectorD x, THVectorD y)
{
    const THVectorBits sign = _mm512_set1_epi64(INT64_MIN);
    return _mm512_castsi512_pd(_mm512_ternarylogic_epi64(sign, dBits(y), dBits(x), 0xca));
}
TH_INLINE THVectorF fCopysign(THVectorF x, THVectorF y)
{
    const THVectorBits sign = _mm512_set1_epi32(INT32_MIN);
    return _mm512_castsi512_ps(_mm512_ternarylogic_epi32(sign, fBits(y), fBits(x), 0xca));
}
#define dStore(to, x) _mm512_storeu_pd(to, x)
#define fStore(to, x) _mm512_storeu_ps(to, x)
#define dLoad(from) _mm512_loadu_pd(from)
#define fLoad(from) _mm512_loadu_ps(from)
/* Of fewer elements than a vector has. */
#define dStoreSome(to, n, x) _mm512_mask_storeu_pd(to, (THMaskD)((1 << (n)) - 1), x)
#define fStoreSome(to, n, x) _mm512_mask_storeu_ps(to, (THMaskF)((1 << (n)) - 1), x)
#define dLoadSome(from, n) _mm512_maskz_loadu_pd((THMaskD)((1 << (n)) - 1), from)
#define fLoadSome(from, n) _mm512_maskz_loadu_ps((THMaskF)((1 << (n)) - 1), from)
/* Of numbers of 16 bits. */
#define fStoreHalves(to, x)              \
    _mm256_storeu_si256((__m256i *)(to), \
                        _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))
#define fLoadHalves(from) _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(from)))
#define dFirst(x) _mm512_cvtsd_f64(x)
#define fFirst(x) _mm512_cvtss_f32(x)
/* The lower and the upper half of a vector of floats as doubles, and back. */
#define fLower(x) _mm512_cvtps_pd(_mm512_castps512_ps256(x))
#define fUpper(x) _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1))
TH_INLINE THVectorF fOfHalves(THVectorD lower, THVectorD upper)
{
    const THVectorF low = _mm512_castps256_ps512(_mm512_cvtpd_ps(lower));
    return _mm512_insertf32x8(low, _mm512_cvtpd_ps(upper), 1);
}
/* Names of vector functions, as x86-64's vector ABI has them; v for each argument. */
#define TH_VECTOR_NAME_D(v, name) TH_CONCAT_4(_ZGVeN8, v, _, name)
#define TH_VECTOR_NAME_F(v, name) TH_CONCAT_4(_ZGVeN16, v, _, name)
#define TH_HALF_NAME_D(v, name) TH_CONCAT_4(_ZGVdN4, v, _, name)
#define TH_HALF_NAME_F(v, name) TH_CONCAT_4(_ZGVdN8, v, _, name)
#define TH_QUARTER_NAME_D(v, name) TH_CONCAT_4(_ZGVbN2, v, _, name)
#define TH_QUARTER_NAME_F(v, name) TH_CONCAT_4(_ZGVbN4, v, _, name)
/* Narrower vectors, repeated to fill a whole one, and back. */
typedef __m256d THHalfVectorD;
typedef __m256 THHalfVectorF;
typedef __m128d THQuarterVectorD;
typedef __m128 THQuarterVectorF;
#define dOfHalf(x) _mm512_broadcast_f64x4(x)
#define fOfHalf(x) _mm512_broadcast_f32x8(x)
#define dOfQuarter(x) _mm512_broadcast_f64x2(x)
#define fOfQuarter(x) _mm512_broadcast_f32x4(x)
#define dHalf(x) _mm512_castpd512_pd256(x)
#define fHalf(x) _mm512_castps512_ps256(x)
#define dQuarter(x) _mm512_castpd512_pd128(x)
#define fQuarter(x) _mm512_castps512_ps128(x)
/* The same of integers. */
#define TH_HALF_BITS_NAME_D TH_HALF_NAME_D
#define TH_HALF_BITS_NAME_F TH_HALF_NAME_F
typedef __m256i THHalfBits;
typedef __m128i THQuarterBits;
#define TH_OF_HALF_BITS(x) _mm512_broadcast_i64x4(x)
#define TH_OF_QUARTER_BITS(x) _mm512_broadcast_i64x2(x)
#define TH_HALF_BITS(x) _mm512_castsi512_si256(x)
#define TH_QUARTER_BITS(x) _mm512_castsi512_si128(x)
#define TH_QUARTERS(...) __VA_ARGS__ /* code for these */

#endif
#endif
