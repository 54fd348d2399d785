/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector functions: sine and cosine of floats. Up to 10^4 they are libmvec's, which goes on one by
 * one; here larger angles are reduced in double: x - k pi / 2 with pi / 2 as the sum of two doubles
 * (Cody and Waite, Software Manual for the Elementary Functions, 1980) is right to 2^-60 up to
 * 2^40, while no multiple of pi / 2 is as near to a float. Beyond that the C library computes. The
 * polynomials are minimax. */
#define TH_VECTOR_PRIVATE
#include <TH/THGeneral.h>
#include <TH/loops/vector.h>

#if defined(TH_HAVE_VECTOR_FUNCTIONS)

#include <math.h>

/* (sin(r) / r - 1) / r^2 and (cos(r) - 1) / r^2 by r^2, |r| <= pi / 4, within 2^-37 and 2^-34. */
static const double dSinTerms[4] = {-0x1.5555554cb2247p-3, 0x1.111108908ee4dp-7,
                                    -0x1.a00f98f7d2f11p-13, 0x1.6cd73724558fdp-19};
static const double dCosTerms[4] = {-0x1.ffffffd09687bp-2, 0x1.55553dfed4fd5p-5,
                                    -0x1.6c08775cf61c7p-10, 0x1.993274f2308bbp-16};

/* sin(x + quarter pi / 2) of what was a float, |x| < 2^40. */
TH_INLINE THVectorD dSinOfFloat(THVectorD x, int quarter)
{
    const THVectorD shifted = dFma(x, dAll(0x1.45f306dc9c883p-1), dAll(0x1.8p52));
    const THVectorD k = shifted - dAll(0x1.8p52);
    const THVectorD r =
        dFnma(k, dAll(0x1.1a62633145c07p-54), dFnma(k, dAll(0x1.921fb54442d18p0), x));
    const THVectorD z = r * r;
    const THVectorD sine = dFma(dPolynomial(z, dSinTerms, 4), r * z, r);
    const THVectorD cosine = dFma(dPolynomial(z, dCosTerms, 4), z, dAll(1));
    const THVectorBits turns = dAddBits(dBits(shifted), quarter);
    const THVectorD result = dSelect(dHasBit(turns, 1), cosine, sine);
    return dSelect(dHasBit(turns, 2), -result, result);
}
TH_INLINE THVectorD dSin(THVectorD x)
{
    return dSinOfFloat(x, 0);
}
TH_INLINE THVectorD dCos(THVectorD x)
{
    return dSinOfFloat(x, 1);
}

TH_INLINE THVectorF fSinLarge(THVectorF x)
{
    const THMaskF rare = fLess(fAll(0x1p40f), fAbs(x)) & fLess(fAbs(x), fAll(INFINITY));
    const THVectorF result = fByHalves1(dSin, x);
    return TH_LIKELY_NONE(rare) ? result : fOneByOne1(sinf, rare, x, result);
}
TH_INLINE THVectorF fCosLarge(THVectorF x)
{
    const THMaskF rare = fLess(fAll(0x1p40f), fAbs(x)) & fLess(fAbs(x), fAll(INFINITY));
    const THVectorF result = fByHalves1(dCos, x);
    return TH_LIKELY_NONE(rare) ? result : fOneByOne1(cosf, rare, x, result);
}
TH_NEAR_BY_LIBRARY(f, F, fSin, sinf, 1e4f, fSinLarge)
TH_NEAR_BY_LIBRARY(f, F, fCos, cosf, 1e4f, fCosLarge)
TH_DEFINE_1_F(sin, fSin)
TH_DEFINE_1_F(cos, fCos)

#endif
