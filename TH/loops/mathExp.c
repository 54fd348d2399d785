/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector functions: exponential and hyperbolic functions, roots and inverses. The first, with
 * its sources, is in vectorExp.h. */
#define TH_VECTOR_PRIVATE
#include <TH/THGeneral.h>
#include <TH/loops/vectorExp.h>

#if defined(TH_HAVE_VECTOR_FUNCTIONS)

TH_DEFINE_1(exp, dExp, fExp)

/* Both times 2^64 (see TH_TERM_UNIT). */
static const double dTermTable[16] = TH_EXP2_TABLE_D(1 / TH_TERM_UNIT);
static const float fTermTable[16] = TH_EXP2_TABLE_F(1 / TH_TERM_UNIT);
TH_INLINE THVectorD dExpTerm(THVectorD x)
{
    return dExpBy(dTermTable, x);
}
TH_INLINE THVectorF fExpTerm(THVectorF x)
{
    return fExpBy(fTermTable, x);
}
TH_DEFINE_1(expTerm, dExpTerm, fExpTerm)

/* 2^x with x = k + r, k a multiple of 1/16: both are exact. */
TH_INLINE THVectorD dExp2(THVectorD x)
{
    const THVectorD shifted = x + dAll(0x1.8p48), k = shifted - dAll(0x1.8p48);
    const THVectorD r = dBounded(x - k, 1) * dAll(0x1.62e42fefa39efp-1);
    const THVectorD power = dTable(dExp2Table, dBits(shifted));
    return dScaleAbove(dFma(power, dExpm1Near0(r), power), k, -1090);
}
TH_INLINE THVectorF fExp2(THVectorF x)
{
    const THVectorF shifted = x + fAll(0x1.8p19f), k = shifted - fAll(0x1.8p19f);
    const THVectorF r = fBounded(x - k, 1) * fAll(0x1.62e43p-1f);
    const THVectorF power = fTable(fExp2Table, fBits(shifted));
    return fScaleAbove(fFma(power, fExpm1Near0(r), power), k, -160);
}
TH_DEFINE_1(exp2, dExp2, fExp2)

/* Far above 0 exp(x) is that. */
TH_INLINE THVectorD dExpm1(THVectorD x)
{
    const THMaskD large = dLess(dAll(708), x);
    const THVectorD result = dExpm1Below(x);
    return TH_LIKELY_NONE(large) ? result : dSelect(large, dExp(x), result);
}
TH_INLINE THVectorF fExpm1(THVectorF x)
{
    const THMaskF large = fLess(fAll(88), x);
    const THVectorF result = fExpm1Below(x);
    return TH_LIKELY_NONE(large) ? result : fSelect(large, fExp(x), result);
}
TH_DEFINE_1_SINGLY(expm1, dExpm1, fExpm1)

/* x / (y + whole), the sum not rounded; `rest` is exact for |y| <= `whole` and of no account far
 * above it. */
TH_INLINE THVectorD dOverSum(THVectorD x, THVectorD y, double whole)
{
    const THVectorD sum = y + dAll(whole);
    return dQuotient(x, sum, y - (sum - dAll(whole)));
}
TH_INLINE THVectorF fOverSum(THVectorF x, THVectorF y, float whole)
{
    const THVectorF sum = y + fAll(whole);
    return fQuotient(x, sum, y - (sum - fAll(whole)));
}

/* exp(x) / (1 + exp(x)) below 0, so that small results keep their precision: with exp(-|x|) = 2^k
 * p, p / (1 + 2^k p), times 2^k there. Subnormal numbers appear in the last step at most. */
TH_INLINE THVectorD dSigmoid(THVectorD x)
{
    const THMaskD negative = dLess(x, dAll(0));
    const THReducedD by = dReduce(-dAbs(x));
    const THVectorD power = dTable(dExp2Table, by.place);
    const THVectorD p = dFma(power, dExpm1Near0(dBounded(by.r, 1)), power);
    const THVectorD quotient =
        dOverSum(dSelect(negative, p, dAll(1)), dScaleAbove(p, by.k, -100), 1);
    return dScaleAbove(quotient, dSelect(negative, by.k, dAll(0)), -1090);
}
TH_INLINE THVectorF fSigmoid(THVectorF x)
{
    const THMaskF negative = fLess(x, fAll(0));
    const THReducedF by = fReduce(-fAbs(x));
    const THVectorF power = fTable(fExp2Table, by.place);
    const THVectorF p = fFma(power, fExpm1Near0(fBounded(by.r, 1)), power);
    const THVectorF quotient =
        fOverSum(fSelect(negative, p, fAll(1)), fScaleAbove(p, by.k, -60), 1);
    return fScaleAbove(quotient, fSelect(negative, by.k, fAll(0)), -160);
}
TH_DEFINE_1(sigmoid, dSigmoid, fSigmoid)

/* With t = exp(-2 |x|) - 1: -t / (2 + t). */
TH_INLINE THVectorD dTanh(THVectorD x)
{
    const THVectorD t = dExpm1Below(dAll(-2) * dAbs(x));
    return dCopysign(dOverSum(t, t, 2), x);
}
/* tanh around the middle of each of 16 pieces of [0, 15) within 2^-27; they are chosen by the last
 * 2 bits of the exponent of |x| + 1 and the 2 below it. */
static const float fTanhMiddle[16] = {0x1.4p0f, 0x1.cp0f,  0x1.2p1f,  0x1.6p1f, 0x1.cp1f, 0x1.2p2f,
                                      0x1.6p2f, 0x1.ap2f,  0x1p3f,    0x1.4p3f, 0x1.8p3f, 0x1.cp3f,
                                      0,        0x1.8p-2f, 0x1.4p-1f, 0x1.cp-1f};
static const float fTanhTerms[7][16] = {
    {0x1.b2523cp-1f, 0x1.e1fbfap-1f, 0x1.f4bfd6p-1f, 0x1.fbd50ap-1f, 0x1.ff112cp-1f, 0x1.ffdfa8p-1f,
     0x1.fffbap-1f, 0x1.ffff68p-1f, 0x1.fffff8p-1f, 0x1p0f, 0x1p0f, 0x1p0f, 0, 0x1.6ef53ep-2f,
     0x1.1bf47ep-1f, 0x1.68665p-1f},
    {0x1.1f250cp-2f, 0x1.d22c94p-4f, 0x1.64108ap-5f, 0x1.09a7a8p-6f, 0x1.dd3a36p-9f,
     0x1.02c03cp-11f, 0x1.183476p-14f, 0x1.2f61b4p-17f, 0x1.e414bp-22f, 0x1.1bb856p-27f,
     0x1.4c93bp-33f, 0x1.85d8dp-39f, 0x1p0f, 0x1.be3fbcp-1f, 0x1.6284c4p-1f, 0x1.02500ap-1f},
    {-0x1.e72916p-3f, -0x1.b6d84p-4f, -0x1.5c3d88p-5f, -0x1.077e0cp-6f, -0x1.dc5b14p-9f,
     -0x1.02afb6p-11f, -0x1.1831e2p-14f, -0x1.2f612ap-17f, -0x1.e3ffd4p-22f, -0x1.1bac2p-27f,
     -0x1.4c856p-33f, -0x1.85c80ap-39f, -0x1.a1fabep-20f, -0x1.3fd54ep-2f, -0x1.893b5cp-2f,
     -0x1.6ba7cep-2f},
    {0x1.bbb42ap-4f, 0x1.01c10ap-4f, 0x1.bbce5cp-6f, 0x1.599474p-7f, 0x1.3c1c1cp-9f,
     0x1.58605ep-12f, 0x1.7529cap-15f, 0x1.941026p-18f, 0x1.3c51f2p-22f, 0x1.72ca7ap-28f,
     0x1.b2a436p-34f, 0x1.fd7cb2p-40f, -0x1.5541fep-2f, -0x1.6dc662p-3f, -0x1.24413cp-6f,
     0x1.4f12b2p-4f},
    {-0x1.9c6aecp-7f, -0x1.8171eep-6f, -0x1.93cf42p-7f, -0x1.4e3b82p-8f, -0x1.39db38p-10f,
     -0x1.58114ep-13f, -0x1.752494p-16f, -0x1.94164cp-19f, -0x1.3cc166p-23f, -0x1.734d2cp-29f,
     -0x1.b33d6ap-35f, -0x1.fe3048p-41f, -0x1.5046b6p-10f, 0x1.584a92p-3f, 0x1.1a6cf6p-3f,
     0x1.f20f32p-5f},
    {-0x1.429caep-6f, 0x1.c86dd2p-9f, 0x1.04a09cp-8f, 0x1.f5f50ap-10f, 0x1.0118d6p-11f,
     0x1.1e7d14p-14f, 0x1.3760bep-17f, 0x1.514cb4p-20f, 0x1.2fedc4p-24f, 0x1.644482p-30f,
     0x1.a19e04p-36f, 0x1.e98804p-42f, 0x1.25dbap-3f, 0x1.375ad8p-6f, -0x1.bd1eb8p-5f,
     -0x1.df9f48p-5f},
    {0x1.eef5fap-7f, 0x1.147028p-9f, -0x1.76f2d2p-11f, -0x1.1e0922p-11f, -0x1.4af2e8p-13f,
     -0x1.7bbbd2p-16f, -0x1.9e4ed8p-19f, -0x1.c107bap-22f, -0x1.92e886p-26f, -0x1.d84b7p-32f,
     -0x1.14cfeap-37f, -0x1.447acp-43f, -0x1.33bc1ep-5f, -0x1.1b099ap-4f, -0x1.8f380ep-6f,
     0x1.a52a6p-7f},
};
/* Of what is so small that the result is x, 2^-60 is in its place: |x| is an upper bound anyway. */
TH_INLINE THVectorF fTanh(THVectorF x)
{
    const THVectorF size = fAbs(x), within = fWithin(size, 0x1p-60f, 10);
    const THVectorBits piece = fLastBits(fAtMostByBits(size + fAll(1), 15));
    const THVectorF result = fPieces(within - fTable(fTanhMiddle, piece), piece, fTanhTerms, 7);
    return fCopysign(fLeast(size, result), x);
}
TH_DEFINE_1(tanh, dTanh, fTanh)

/* exp(x) / 2, which is not infinite where exp(x) only just is. */
TH_INLINE THVectorD dHalfExp(THVectorD x)
{
    const THReducedD by = dReduce(x);
    const THVectorD power = dTable(dExp2Table, by.place);
    return dScale(dFma(power, dExpm1Near0(dBounded(by.r, 1)), power), by.k - dAll(1));
}
TH_INLINE THVectorF fHalfExp(THVectorF x)
{
    const THReducedF by = fReduce(x);
    const THVectorF power = fTable(fExp2Table, by.place);
    return fScale(fFma(power, fExpm1Near0(fBounded(by.r, 1)), power), by.k - fAll(1));
}

/* sinh(x) and cosh(x) with x = k ln 2 + r, k a multiple of 1/16: sinh(k ln 2) and cosh(k ln 2) by
 * 2^k and 2^-k, and what the former lacks, by the theorems of addition with sinh(r) and cosh(r) - 1
 * within 2^-59 and 2^-30. Few steps wait for one another. */
typedef struct THHyperbolicD {
    THVectorD sinhK, lack, coshK, sinhR, coshR;
} THHyperbolicD;
typedef struct THHyperbolicF {
    THVectorF sinhK, lack, coshK, sinhR, coshR;
} THHyperbolicF;
TH_INLINE THHyperbolicD dHyperbolic(THVectorD x)
{
    const THReducedD by = dReduce(x);
    const THVectorBits back = dNegatedBits(by.place);
    const THVectorD up = dScaleAbove(dTable(dExp2Table, by.place), by.k - dAll(1), -100);
    const THVectorD down = dScaleAbove(dTable(dExp2Table, back), dAll(-1) - by.k, -100);
    const THVectorD lack = dFms(up, dTable(dExp2Rest, by.place), down * dTable(dExp2Rest, back));
    const THVectorD z = by.r * by.r;
    const THVectorD odd = dFma(dFma(dAll(1.0 / 5040), z, dAll(1.0 / 120)), z, dAll(1.0 / 6));
    const THVectorD even = dFma(dFma(dAll(1.0 / 720), z, dAll(1.0 / 24)), z, dAll(0.5));
    return (THHyperbolicD){up - down, lack, up + down, dFma(odd, by.r * z, by.r), even * z};
}
TH_INLINE THHyperbolicF fHyperbolic(THVectorF x)
{
    const THReducedF by = fReduce(x);
    const THVectorBits back = fNegatedBits(by.place);
    const THVectorF up = fScaleAbove(fTable(fExp2Table, by.place), by.k - fAll(1), -60);
    const THVectorF down = fScaleAbove(fTable(fExp2Table, back), fAll(-1) - by.k, -60);
    const THVectorF lack = fFms(up, fTable(fExp2Rest, by.place), down * fTable(fExp2Rest, back));
    const THVectorF z = by.r * by.r;
    const THVectorF even = fFma(fAll(1.0f / 24), z, fAll(0.5f));
    return (THHyperbolicF){up - down, lack, up + down, fFma(z * fAll(1.0f / 6), by.r, by.r),
                           even * z};
}

/* Far from 0 exp(|x|) / 2, with the sign of x. */
TH_INLINE THVectorD dSinh(THVectorD x)
{
    const THMaskD large = dLess(dAll(700), dAbs(x));
    const THHyperbolicD of = dHyperbolic(x);
    const THVectorD result = of.sinhK + dFma(of.coshK, of.sinhR, dFma(of.sinhK, of.coshR, of.lack));
    return TH_LIKELY_NONE(large) ? dCopysign(result, x)
                                 : dCopysign(dSelect(large, dHalfExp(dAbs(x)), result), x);
}
TH_INLINE THVectorF fSinh(THVectorF x)
{
    const THMaskF large = fLess(fAll(86), fAbs(x));
    const THHyperbolicF of = fHyperbolic(x);
    const THVectorF result = of.sinhK + fFma(of.coshK, of.sinhR, fFma(of.sinhK, of.coshR, of.lack));
    return TH_LIKELY_NONE(large) ? fCopysign(result, x)
                                 : fCopysign(fSelect(large, fHalfExp(fAbs(x)), result), x);
}
TH_DEFINE_1_SINGLY(sinh, dSinh, fSinh)

TH_INLINE THVectorD dCosh(THVectorD x)
{
    const THMaskD large = dLess(dAll(700), dAbs(x));
    const THHyperbolicD of = dHyperbolic(x);
    const THVectorD result = of.coshK + dFma(of.sinhK, of.sinhR, of.coshK * of.coshR);
    return TH_LIKELY_NONE(large) ? result : dSelect(large, dHalfExp(dAbs(x)), result);
}
TH_INLINE THVectorF fCosh(THVectorF x)
{
    const THMaskF large = fLess(fAll(86), fAbs(x));
    const THHyperbolicF of = fHyperbolic(x);
    const THVectorF result = of.coshK + fFma(of.sinhK, of.sinhR, of.coshK * of.coshR);
    return TH_LIKELY_NONE(large) ? result : fSelect(large, fHalfExp(fAbs(x)), result);
}
TH_DEFINE_1_SINGLY(cosh, dCosh, fCosh)

/* Goldschmidt's iteration for a root g and half its inverse, and one step more that rounds the root
 * correctly (P. Markstein, IA-64 and Elementary Functions, 2000, chapter 9). Numbers so small that
 * its remainder is subnormal, and what has no root, are left to the machine, which rounds as well.
 */
TH_INLINE THMaskD dHasPlainRoot(THVectorD x)
{
    return dLess(dAll(0x1p-900), x) & dLess(x, dAll(INFINITY));
}
typedef struct THRootD {
    THVectorD root, halfInverse;
} THRootD;
TH_INLINE THRootD dPlainRoots(THVectorD x)
{
    const THVectorD approximate = dRsqrt14(x);
    THVectorD g = x * approximate, h = approximate * dAll(0.5);
    for (int step = 0; step < 2; step++) {
        const THVectorD r = dFnma(g, h, dAll(0.5));
        g = dFma(g, r, g);
        h = dFma(h, r, h);
    }
    return (THRootD){dFma(dFnma(g, g, x), h, g), h};
}
TH_INLINE THVectorD dPlainRoot(THVectorD x)
{
    return dPlainRoots(x).root;
}
TH_INLINE THVectorD dRoot(THVectorD x)
{
    return dAllOf(dHasPlainRoot(x)) ? dPlainRoot(x) : dSqrt(x);
}
TH_INLINE THMaskF fHasPlainRoot(THVectorF x)
{
    return fLess(fAll(0x1p-100f), x) & fLess(x, fAll(INFINITY));
}
TH_INLINE THVectorF fPlainRoot(THVectorF x)
{
    const THVectorF approximate = fRsqrt14(x), half = approximate * fAll(0.5f);
    const THVectorF g = x * approximate, r = fFnma(g, half, fAll(0.5f));
    const THVectorF root = fFma(g, r, g), h = fFma(half, r, half);
    return fFma(fFnma(root, root, x), h, root);
}
TH_INLINE THVectorF fRoot(THVectorF x)
{
    return fAllOf(fHasPlainRoot(x)) ? fPlainRoot(x) : fSqrt(x);
}
TH_DEFINE_1_SINGLY(sqrt, dRoot, fRoot)

/* 1 / sqrt(x), from half of it and what that lacks: (1 - 2 h root) h is added to 2 h. */
TH_RARE THVectorD dInverseOfMachineRoot(THVectorD x)
{
    return dAll(1) / dSqrt(x);
}
TH_INLINE THVectorD dRsqrt(THVectorD x)
{
    const THMaskD plain = dHasPlainRoot(x);
    const THRootD of = dPlainRoots(x);
    const THVectorD inverse = of.halfInverse + of.halfInverse;
    const THVectorD result = dFma(dFnma(inverse, of.root, dAll(1)), inverse, inverse);
    return dAllOf(plain) ? result : dSelect(plain, result, dInverseOfMachineRoot(x));
}
TH_RARE THVectorF fInverseOfMachineRoot(THVectorF x)
{
    return fAll(1) / fSqrt(x);
}
TH_INLINE THVectorF fRsqrt(THVectorF x)
{
    const THMaskF plain = fHasPlainRoot(x);
    const THVectorF y = fRsqrt14(x), half = y * fAll(0.5f);
    const THVectorF result = fFma(half, fFnma(x * y, y, fAll(1)), y);
    return fAllOf(plain) ? result : fSelect(plain, result, fInverseOfMachineRoot(x));
}
TH_DEFINE_1_SINGLY(rsqrt, dRsqrt, fRsqrt)

/* The root of a sum of squares. Where the larger number is not between `least` and `most`, so that
 * a square overflows or what matters of them vanishes, both are divided by its power of two first,
 * between 2^low and 2^high, which has the same bits. Infinity beside NaN is infinite. */
#define HYPOT(c, T, least, most, low, high)                                                     \
    TH_RARE THVector##T c##HypotAny(THVector##T x, THVector##T y)                               \
    {                                                                                           \
        const THVector##T infinite = c##All(INFINITY), size = c##Abs(x), other = c##Abs(y);     \
        const THVector##T k = c##Within(c##Magnitude(c##Most(size, other)), low, high);         \
        const THVector##T a = c##Scale(x, -k), b = c##Scale(y, -k);                             \
        const THVector##T root = c##Scale(c##Root(a * a + b * b), k);                           \
        return c##Select(c##Equal(size, infinite) | c##Equal(other, infinite), infinite, root); \
    }                                                                                           \
    TH_INLINE THVector##T c##Hypot(THVector##T x, THVector##T y)                                \
    {                                                                                           \
        const THVector##T larger = c##Most(c##Abs(x), c##Abs(y));                               \
        const THMask##T usual = c##Less(c##All(least), larger) & c##Less(larger, c##All(most)); \
        return TH_LIKELY(c##AllOf(usual)) ? c##PlainRoot(x * x + y * y) : c##HypotAny(x, y);    \
    }
HYPOT(d, D, 0x1p-450, 0x1p511, -1100, 1023)
HYPOT(f, F, 0x1p-50f, 0x1p63f, -200, 127)
#undef HYPOT
TH_DEFINE_2(hypot, dHypot, fHypot)

/* Newton's iteration: from an approximation within a unit in the last place, one step more rounds
 * the inverse correctly unless all bits of the significand are set (P. Markstein, IA-64 and
 * Elementary Functions, 2000, chapter 8). These, and what is near to subnormal or infinite numbers,
 * are left to the machine. */
TH_INLINE THVectorD dInverse(THVectorD x)
{
    const THMaskD within = dLess(dAll(0x1p-1000), dAbs(x)) & dLess(dAbs(x), dAll(0x1p1000));
    const THMaskD plain = within & dHasBit(dAddBits(dBits(x), 1), 0xfffffffffffff);
    THVectorD inverse = dReciprocal14(x);
    for (int step = 0; step < 3; step++)
        inverse = dFma(dFnma(x, inverse, dAll(1)), inverse, inverse);
    if (!dAllOf(plain))
        inverse = dAll(1) / x;
    return inverse;
}
TH_INLINE THVectorD dMachineInverse(THVectorD x)
{
    return dAll(1) / x;
}
TH_INLINE THVectorF fMachineInverse(THVectorF x)
{
    return fAll(1) / x;
}

/* Every second vector is the machine's to divide: it does so beside the products of the others. */
TH_DEFINE_ARRAY(d, D, double, th_reciprocal_doubles, dMachineInverse, dInverse, dMachineInverse, 2)
TH_DEFINE_ARRAY(f, F, float, th_reciprocal_floats, fMachineInverse, fMachineInverse,
                fMachineInverse, 2)
TH_DEFINE_HALVES(th_reciprocal_halves, fMachineInverse)

#endif
