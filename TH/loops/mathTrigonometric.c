/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector functions: sine, cosine; with AVX-512 tangent. Sine and cosine of small angles are
 * libmvec's, which goes on one by one. Here larger angles of floats are reduced in double:
 * x - k pi / 2 with pi / 2 as the sum of two doubles (Cody and Waite, Software Manual for the
 * Elementary Functions, 1980) is right to 2^-60 up to 2^40, while no multiple of pi / 2 is as near
 * to a float. Beyond that, as for doubles, they are multiplied by the bits of 2 / pi that matter.
 * The polynomials are minimax, or nearly. */
#define TH_VECTOR_PRIVATE
#include <TH/THGeneral.h>
#include <TH/loops/vector.h>

#if defined(TH_HAVE_SOME_VECTORS)

#include <math.h>

/* (sin(r) / r - 1) / r^2 and (cos(r) - 1) / r^2 by r^2, |r| <= pi / 4, within 2^-37 and 2^-34. */
static const double dSinTerms[4] = {-0x1.5555554cb2247p-3, 0x1.111108908ee4dp-7,
                                    -0x1.a00f98f7d2f11p-13, 0x1.6cd73724558fdp-19};
static const double dCosTerms[4] = {-0x1.ffffffd09687bp-2, 0x1.55553dfed4fd5p-5,
                                    -0x1.6c08775cf61c7p-10, 0x1.993274f2308bbp-16};

/* (sin(r) / r - 1) / r^2 and (cos(r) - 1 + r^2 / 2) / r^4 by r^2, |r| <= pi / 4, within 2^-55. */
static const double dSinFineTerms[6] = {-0x1.5555555555555p-3,  0x1.1111111110babp-7,
                                        -0x1.a01a019e820aep-13, 0x1.71de37946ed6dp-19,
                                        -0x1.ae6008d114485p-26, 0x1.5e0a4fc16be59p-33};
static const double dCosFineTerms[6] = {0x1.5555555555555p-5,  -0x1.6c16c16c16963p-10,
                                        0x1.a01a019f4ddfdp-16, -0x1.27e4fa16cc2d1p-22,
                                        0x1.1eeb67d026ec6p-29, -0x1.907cd8ff5ede7p-37};
/* The sine and the cosine of an angle that is `quarter` and 4 n right angles more. */
typedef struct THSinCosD {
    THVectorD sine, cosine;
    THVectorBits quarter;
} THSinCosD;
TH_INLINE THSinCosD dSinCosOf(THVectorD r, THVectorBits quarter)
{
    const THVectorD z = r * r;
    const THVectorD sine = dFma(dPolynomial(z, dSinFineTerms, 6), r * z, r);
    const THVectorD cosine =
        dFma(dFma(dPolynomial(z, dCosFineTerms, 6), z, dAll(-0.5)), z, dAll(1));
    return (THSinCosD){sine, cosine, quarter};
}
TH_INLINE THVectorD dSinOf(THSinCosD of, int quarter)
{
    const THVectorBits turns = dAddBits(of.quarter, quarter);
    const THVectorD result = dSelect(dHasBit(turns, 1), of.cosine, of.sine);
    return dSelect(dHasBit(turns, 2), -result, result);
}
/* The bits of 2 / pi, the last first, and 64 zeros before them. */
static const uint64_t twoOverPi[20] = {
    0x56033046fc7b6bab, 0x6bfb5fb11f8d5d08, 0x3d0739f78a5292ea, 0x7527bac7ebe5f17b,
    0x4f463f669e5fea2d, 0x6d367ecf27cb09b7, 0xef2f118b5a0a6d1f, 0x1ff897ffde05980f,
    0x9c845f8bbdf9283b, 0x3991d639835339f4, 0xe99c7026b45f7e41, 0xe88235f52ebb4484,
    0xfe1deb1cb129a73e, 0x06492eea09d1921c, 0xb7246e3a424dd2e0, 0xfe5163abdebbc561,
    0xdb6295993c439041, 0xfc2757d1f534ddc0, 0xa2f9836e4e441529, 0};
/* For 2^20 < x < infinity. x is m 2^e, m of 53 bits: the bits of 2 / pi above 2^(2 - e) stand for
 * whole turns, and m times the 192 behind them are the turns but for whole ones (M. H. Payne and R.
 * N. Hanek, Radian reduction for trigonometric functions, 1983). */
TH_INLINE THSinCosD dSinCosFar(THVectorD x)
{
    const THVectorWords bits = (THVectorWords)dBits(x), skipped = (bits >> 52) - (1023 + 52 - 62);
    const THVectorWords m = (bits << 12 >> 12 | UINT64_C(1) << 52) << (skipped & 7);
    const THVectorWords place = sizeof twoOverPi - 8 - (skipped >> 3);
    const THVectorWords second = vWordsAt(twoOverPi, place - 8), low = m * second;
    const THVectorWords rest = low + vHighProduct(m, vWordsAt(twoOverPi, place - 16));
    /* comparisons are 0 or -1 */
    const THVectorWords turns =
        m * vWordsAt(twoOverPi, place) + vHighProduct(m, second) - (THVectorWords)(rest < low);
    const THVectorWords quarter = (turns + (UINT64_C(1) << 61)) >> 62;
    /* what is left, in units of 2^-64 turns, as an angle and a small one */
    const THVectorWords part = turns - (quarter << 62);
    const THVectorD whole = dOfWords(part), angle = whole * dAll(0x1.921fb54442d18p-62);
    const THVectorD more =
        dFma(dOfWords(rest >> 1), dAll(0x1p-63), dOfWords(part - dToWords(whole)));
    const THVectorD lost =
        dFma(more, dAll(0x1.921fb54442d18p-62), dFms(whole, dAll(0x1.921fb54442d18p-62), angle));
    const THVectorD angleLow = dFma(whole, dAll(0x1.1a62633145c07p-116), lost);
    const THSinCosD of = dSinCosOf(angle, (THVectorBits)quarter);
    return (THSinCosD){dFma(angleLow, of.cosine, of.sine), dFnma(angleLow, of.sine, of.cosine),
                       of.quarter};
}
/* What these are for; others are computed to no purpose. And an odd function's sign, NaN of what is
 * not finite. */
TH_INLINE THVectorD dFarOnly(THVectorD x)
{
    const THMaskD far = dLess(dAll(0x1p20), dAbs(x)) & dIsFinite(x);
    return dSelect(far, dAbs(x), dAll(0x1p30));
}
TH_INLINE THVectorD dWithSign(THVectorD result, THVectorD x)
{
    return dSelect(dIsNegative(x), -result, result) + (x - x);
}
TH_INLINE THVectorD dSinBeyond(THVectorD x)
{
    return dWithSign(dSinOf(dSinCosFar(dFarOnly(x)), 0), x);
}
TH_INLINE THVectorD dCosBeyond(THVectorD x)
{
    return dSinOf(dSinCosFar(dFarOnly(x)), 1) + (x - x);
}
#define LIMIT_D 0x1p23
TH_NEAR_BY_LIBRARY(d, D, dSinOfAny, sin, LIMIT_D, dSinBeyond)
TH_NEAR_BY_LIBRARY(d, D, dCosOfAny, cos, LIMIT_D, dCosBeyond)

/* What was a float, |x| < 2^40. */
TH_INLINE THSinCosD dSinCosOfFloat(THVectorD r, THVectorBits quarter)
{
    const THVectorD z = r * r;
    const THVectorD sine = dFma(dPolynomial(z, dSinTerms, 4), r * z, r);
    return (THSinCosD){sine, dFma(dPolynomial(z, dCosTerms, 4), z, dAll(1)), quarter};
}
TH_INLINE THSinCosD dSinCosLarge(THVectorD x)
{
    const THVectorD shifted = dFma(x, dAll(0x1.45f306dc9c883p-1), dAll(0x1.8p52));
    const THVectorD k = shifted - dAll(0x1.8p52);
    const THVectorD r = dFnma(k, dAll(0x1.921fb54442d18p0), x);
    return dSinCosOfFloat(dFnma(k, dAll(0x1.1a62633145c07p-54), r), dBits(shifted));
}
/* What was a float, 2^20 < x < infinity: as dSinCosFar with m of 24 bits, 96 of 2 / pi. */
TH_INLINE THSinCosD dSinCosFarFloat(THVectorD x)
{
    const THVectorWords bits = (THVectorWords)dBits(x), skipped = (bits >> 52) - (1023 + 23 - 62);
    const THVectorWords m = (bits << 12 >> 41 | UINT64_C(1) << 23) << (skipped & 7);
    const THVectorWords place = sizeof twoOverPi - 8 - (skipped >> 3);
    const THVectorWords first = vWordsAt(twoOverPi, place);
    const THVectorWords third = vWordsAt(twoOverPi, place - 8) >> 32;
    const THVectorWords turns = (vHalfProduct(m, first >> 32) << 32) + vHalfProduct(m, first) +
                                (vHalfProduct(m, third) >> 32);
    const THVectorWords quarter = (turns + (UINT64_C(1) << 61)) >> 62;
    const THVectorD part = dOfWords(turns - (quarter << 62));
    return dSinCosOfFloat(part * dAll(0x1.921fb54442d18p-62), (THVectorBits)quarter);
}
TH_INLINE THVectorD dSinLarge(THVectorD x)
{
    return dSinOf(dSinCosLarge(x), 0);
}
TH_INLINE THVectorD dCosLarge(THVectorD x)
{
    return dSinOf(dSinCosLarge(x), 1);
}
TH_INLINE THVectorD dSinFarFloat(THVectorD x)
{
    return dWithSign(dSinOf(dSinCosFarFloat(dFarOnly(x)), 0), x);
}
TH_INLINE THVectorD dCosFarFloat(THVectorD x)
{
    return dSinOf(dSinCosFarFloat(dFarOnly(x)), 1) + (x - x);
}
/* Defines `name` of large floats: `large`, and `far` from 2^40 on; what no element needs is not
 * computed. */
#define TH_LARGE_F(name, large, far)                                                     \
    TH_INLINE THVectorF name(THVectorF x)                                                \
    {                                                                                    \
        const THMaskF isFar = fLess(fAll(0x1p40f), fAbs(x));                             \
        if (TH_NONE(isFar))                                                              \
            return fByHalves1(large, x);                                                 \
        const THVectorF result = fByHalves1(far, x), rest = fSelect(isFar, fAll(0), x);  \
        return fAllOf(isFar) ? result : fSelect(isFar, result, fByHalves1(large, rest)); \
    }
TH_LARGE_F(fSinLarge, dSinLarge, dSinFarFloat)
TH_LARGE_F(fCosLarge, dCosLarge, dCosFarFloat)
#define LIMIT_F 1e4f
TH_NEAR_BY_LIBRARY(f, F, fSin, sinf, LIMIT_F, fSinLarge)
TH_NEAR_BY_LIBRARY(f, F, fCos, cosf, LIMIT_F, fCosLarge)
#if !defined(TH_HAVE_VECTOR_FUNCTIONS)
#define NEAR_D dLess(dAbs(x), dAll(LIMIT_D))
#define NEAR_F fLess(fAbs(x), fAll(LIMIT_F))
TH_DEFINE_1_USUAL(sin, dSinOfAny, TH_VECTOR_NAME_D(v, sin), NEAR_D, fSin, TH_VECTOR_NAME_F(v, sinf),
                  NEAR_F)
TH_DEFINE_1_USUAL(cos, dCosOfAny, TH_VECTOR_NAME_D(v, cos), NEAR_D, fCos, TH_VECTOR_NAME_F(v, cosf),
                  NEAR_F)
#else
TH_DEFINE_1_SINGLY(sin, dSinOfAny, fSin)
TH_DEFINE_1_SINGLY(cos, dCosOfAny, fCos)

/* (tan(r) / r - 1) / r^2 by r^2, |r| <= pi / 4, within 2^-56 and, of floats, 2^-29 of tan(r). */
static const double dTanTerms[14] = {
    0x1.55555555554f2p-2,   0x1.11111111182ffp-3,  0x1.ba1ba1b46a100p-5,   0x1.664f49a89dca7p-6,
    0x1.226e125640892p-7,   0x1.d6d9343212f37p-9,  0x1.7d5b57d1e51b5p-10,  0x1.37faac4e2cfb3p-11,
    0x1.d26f824783173p-13,  0x1.1e2b402b4a88ep-13, -0x1.b90c75f1ed1c8p-16, 0x1.76d09f98e45ecp-14,
    -0x1.780c1016d690bp-15, 0x1.5dd5338ae147dp-16};
static const float fTanTerms[7] = {0x1.55556p-2f,  0x1.110d88p-3f,  0x1.badd14p-5f, 0x1.5ca2fep-6f,
                                   0x1.63569ep-7f, 0x1.4a714ap-14f, 0x1.1f2906p-8f};
/* Tangents of x, for doubles up to 2^20: that of what is left of the quarters of a turn, after odd
 * ones -1 over it. What the first difference loses is not felt. */
TH_INLINE THVectorD dTanNear(THVectorD x)
{
    const THVectorD shifted = dFma(x, dAll(0x1.45f306dc9c883p-1), dAll(0x1.8p52));
    const THVectorD k = shifted - dAll(0x1.8p52), rest = dFnma(k, dAll(0x1.921fb54442d18p0), x);
    const THVectorD r = dFnma(k, dAll(0x1.1a62633145c07p-54), rest), z = r * r;
    const THVectorD tangent = dFma(dFours(z, dTanTerms, 14) * z, r, r);
    const THVectorD about = dReciprocal14(tangent);
    const THVectorD near = dFms(dFms(tangent, about, dAll(1)), about, about);
    const THVectorD other = dFma(dFma(tangent, near, dAll(1)), near, near);
    return dSelect(dHasBit(dBits(shifted), 1), other, tangent);
}
TH_INLINE THVectorF fTanNear(THVectorF x)
{
    const THVectorF shifted = fFma(x, fAll(0x1.45f306p-1f), fAll(0x1.8p23f));
    /* positive numbers keep the sign of 0 */
    const THVectorF k = shifted - fAll(0x1.8p23f), rest = fFnma(k, fAll(0x1.921fb4p0f), x);
    const THVectorF r = fFnma(k, fAll(0x1.84698ap-48f), fFnma(k, fAll(0x1.4442dp-24f), rest));
    /* so that no square is subnormal */
    const THVectorF z = fFma(r, r, fAll(0x1p-60f));
    const THVectorF tangent = fFma(fPairs(z, fTanTerms, 7) * z, r, r);
    const THVectorF about = fReciprocal14(tangent);
    const THVectorF other = fFms(fFms(tangent, about, fAll(1)), about, about);
    return fSelect(fHasBit(fBits(shifted), 1), other, tangent);
}
TH_INLINE THVectorD dTanOf(THSinCosD of)
{
    const THMaskD odd = dHasBit(of.quarter, 1);
    const THVectorD above = dSelect(odd, -of.cosine, of.sine);
    return dQuotient(above, dSelect(odd, of.sine, of.cosine), dAll(0));
}
TH_INLINE THVectorD dTanLarge(THVectorD x)
{
    return dTanOf(dSinCosLarge(x));
}
TH_INLINE THVectorD dTanFarFloat(THVectorD x)
{
    return dWithSign(dTanOf(dSinCosFarFloat(dFarOnly(x))), x);
}
TH_INLINE THVectorD dTanBeyond(THVectorD x)
{
    return dWithSign(dTanOf(dSinCosFar(dFarOnly(x))), x);
}
TH_LARGE_F(fTanLarge, dTanLarge, dTanFarFloat)
TH_NEAR(d, D, dTan, dTanNear, 0x1p20, dTanBeyond)
TH_NEAR(f, F, fTan, fTanNear, LIMIT_F, fTanLarge)
TH_DEFINE_1_SINGLY(tan, dTan, fTan)
#endif

#endif
