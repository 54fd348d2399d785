/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector functions: exponential and hyperbolic functions, roots and inverses. The first, with
 * its sources, is in vectorExp.h. */
#define TH_VECTOR_PRIVATE
#include <TH/THGeneral.h>
#include <TH/loops/vectorExp.h>

#if defined(TH_HAVE_VECTOR_FUNCTIONS)

TH_DEFINE_1(exp, dExp, fExp)
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
TH_DEFINE_1(expm1, dExpm1, fExpm1)

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

/* exp(x) / (1 + exp(x)) below 0, so that small results keep their precision. */
TH_INLINE THVectorD dSigmoid(THVectorD x)
{
    const THVectorD e = dExp(-dAbs(x));
    return dOverSum(dSelect(dLess(x, dAll(0)), e, dAll(1)), e, 1);
}
TH_INLINE THVectorF fSigmoid(THVectorF x)
{
    const THVectorF e = fExp(-fAbs(x));
    return fOverSum(fSelect(fLess(x, fAll(0)), e, fAll(1)), e, 1);
}
TH_DEFINE_1(sigmoid, dSigmoid, fSigmoid)

/* With t = exp(-2 |x|) - 1: -t / (2 + t). */
TH_INLINE THVectorD dTanh(THVectorD x)
{
    const THVectorD t = dExpm1Below(dAll(-2) * dAbs(x));
    return dCopysign(dOverSum(t, t, 2), x);
}
TH_DEFINE_1_D(tanh, dTanh)

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

/* With t = exp(|x|) - 1: (t + t / (1 + t)) / 2, far from 0 exp(|x|) / 2. */
TH_INLINE THVectorD dSinh(THVectorD x)
{
    const THVectorD size = dAbs(x), t = dExpm1Below(size);
    const THMaskD large = dLess(dAll(700), size);
    const THVectorD result = dAll(0.5) * (t + dOverSum(t, t, 1));
    return dCopysign(TH_LIKELY_NONE(large) ? result : dSelect(large, dHalfExp(size), result), x);
}
TH_INLINE THVectorF fSinhFar(THVectorF x)
{
    return fCopysign(fHalfExp(fAbs(x)), x);
}
TH_NEAR_BY_LIBRARY(f, F, fSinh, sinhf, 88, fSinhFar)
TH_DEFINE_1(sinh, dSinh, fSinh)

TH_INLINE THVectorD dCoshFar(THVectorD x)
{
    return dHalfExp(dAbs(x));
}
TH_INLINE THVectorF fCoshFar(THVectorF x)
{
    return fHalfExp(fAbs(x));
}
TH_NEAR_BY_LIBRARY(d, D, dCosh, cosh, 708, dCoshFar)
TH_NEAR_BY_LIBRARY(f, F, fCosh, coshf, 88, fCoshFar)
TH_DEFINE_1(cosh, dCosh, fCosh)

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
TH_INLINE THRootD dPlainRoot(THVectorD x)
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
TH_INLINE THVectorD dRoot(THVectorD x)
{
    return dHasPlainRoot(x) == (THMaskD)-1 ? dPlainRoot(x).root : dSqrt(x);
}
TH_INLINE THVectorF fRoot(THVectorF x)
{
    const THVectorF approximate = fRsqrt14(x), half = approximate * fAll(0.5f);
    const THVectorF g = x * approximate, r = fFnma(g, half, fAll(0.5f));
    const THVectorF root = fFma(g, r, g), h = fFma(half, r, half);
    const THMaskF plain = fLess(fAll(0x1p-100f), x) & fLess(x, fAll(INFINITY));
    return plain == (THMaskF)-1 ? fFma(fFnma(root, root, x), h, root) : fSqrt(x);
}
TH_DEFINE_1(sqrt, dRoot, fRoot)

/* 1 / sqrt(x), from half of it and what that lacks: (1 - 2 h root) h is added to 2 h. */
TH_RARE THVectorD dInverseOfMachineRoot(THVectorD x)
{
    return dAll(1) / dSqrt(x);
}
TH_INLINE THVectorD dRsqrt(THVectorD x)
{
    const THMaskD plain = dHasPlainRoot(x);
    const THRootD of = dPlainRoot(x);
    const THVectorD inverse = of.halfInverse + of.halfInverse;
    const THVectorD result = dFma(dFnma(inverse, of.root, dAll(1)), inverse, inverse);
    return plain == (THMaskD)-1 ? result : dSelect(plain, result, dInverseOfMachineRoot(x));
}
TH_RARE THVectorF fInverseOfMachineRoot(THVectorF x)
{
    return fAll(1) / fSqrt(x);
}
TH_INLINE THVectorF fRsqrt(THVectorF x)
{
    const THMaskF plain = fLess(fAll(0x1p-100f), x) & fLess(x, fAll(INFINITY));
    const THVectorF y = fRsqrt14(x), half = y * fAll(0.5f);
    const THVectorF result = fFma(half, fFnma(x * y, y, fAll(1)), y);
    return plain == (THMaskF)-1 ? result : fSelect(plain, result, fInverseOfMachineRoot(x));
}
TH_DEFINE_1(rsqrt, dRsqrt, fRsqrt)

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
    if (plain != (THMaskD)-1)
        inverse = dAll(1) / x;
    return inverse;
}
TH_DEFINE_1_D(reciprocal, dInverse)

#endif
