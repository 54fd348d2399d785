/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the vector functions of math.h: exponential and logarithm, which others are made of.
 *
 * exp(x) = 2^(k / 16) exp(r) with k the whole number next to 16 x / ln 2, so |r| <= ln 2 / 32; ln 2
 * is taken as the sum of two numbers, the first so short that k times it is exact (Cody and Waite,
 * Software Manual for the Elementary Functions, 1980), 2^(k / 16) from a table, and exp(r) - 1 is a
 * minimax polynomial.
 *
 * log(x) = e ln 2 - log(c) + log1p(r) with x = 2^e m, c about 1 / m from a table and r = c m - 1
 * (P. T. P. Tang, Table-driven implementation of the logarithm function, 1990). Next to 1, c is 1
 * and e is 0: the result keeps its precision there.
 *
 * The polynomials' coefficients come from the Remez algorithm, with the relative error as weight.
 */
#ifndef TH_LOOPS_VECTOR_EXP_H
#define TH_LOOPS_VECTOR_EXP_H

#include <TH/loops/vector.h>

#if defined(TH_VECTOR_PRIVATE) && defined(TH_HAVE_VECTOR_FUNCTIONS)

#include <math.h>

/* 2^(j / 16), times a unit, and what its rounding lost, over it. */
#define TH_EXP2_TABLE_D(unit)       \
    {0x1p+0 * (unit),               \
     0x1.0b5586cf9890fp+0 * (unit), \
     0x1.172b83c7d517bp+0 * (unit), \
     0x1.2387a6e756238p+0 * (unit), \
     0x1.306fe0a31b715p+0 * (unit), \
     0x1.3dea64c123422p+0 * (unit), \
     0x1.4bfdad5362a27p+0 * (unit), \
     0x1.5ab07dd485429p+0 * (unit), \
     0x1.6a09e667f3bcdp+0 * (unit), \
     0x1.7a11473eb0187p+0 * (unit), \
     0x1.8ace5422aa0dbp+0 * (unit), \
     0x1.9c49182a3f09p+0 * (unit),  \
     0x1.ae89f995ad3adp+0 * (unit), \
     0x1.c199bdd85529cp+0 * (unit), \
     0x1.d5818dcfba487p+0 * (unit), \
     0x1.ea4afa2a490dap+0 * (unit)}
static const double dExp2Table[16] = TH_EXP2_TABLE_D(1);
static const double dExp2Rest[16] = {0,
                                     0x1.79aa65d837b6cp-54,
                                     -0x1.01b15eaa59348p-55,
                                     0x1.68efde3a8a893p-54,
                                     0x1.34d754db0abb6p-55,
                                     0x1.59f48a72a4c6cp-55,
                                     0x1.690cebb7aafbp-56,
                                     0x1.063e1e21c5409p-54,
                                     -0x1.3b3efbf5e2229p-54,
                                     -0x1.b32dcb94da51dp-56,
                                     0x1.db72fc1f0eab4p-55,
                                     0x1.1affc2b91ce27p-56,
                                     0x1.c1a7792cb3386p-55,
                                     0x1.36eae30af0cb3p-56,
                                     0x1.4a385a63d07a7p-56,
                                     -0x1.ff7128fd391f1p-55};
#define TH_EXP2_TABLE_F(unit)                                                   \
    {0x1p+0f * (unit),        0x1.0b5586p+0f * (unit), 0x1.172b84p+0f * (unit), \
     0x1.2387a6p+0f * (unit), 0x1.306fep+0f * (unit),  0x1.3dea64p+0f * (unit), \
     0x1.4bfdaep+0f * (unit), 0x1.5ab07ep+0f * (unit), 0x1.6a09e6p+0f * (unit), \
     0x1.7a1148p+0f * (unit), 0x1.8ace54p+0f * (unit), 0x1.9c4918p+0f * (unit), \
     0x1.ae89fap+0f * (unit), 0x1.c199bep+0f * (unit), 0x1.d5818ep+0f * (unit), \
     0x1.ea4afap+0f * (unit)}
static const float fExp2Table[16] = TH_EXP2_TABLE_F(1);
static const float fExp2Rest[16] = {0,
                                    0x1.8d96d2p-25f,
                                    -0x1.9c0c22p-27f,
                                    0x1.964902p-25f,
                                    0x1.125002p-25f,
                                    0x1.370be4p-25f,
                                    -0x1.0a3552p-25f,
                                    -0x1.00d8acp-27f,
                                    0x1.26055cp-26f,
                                    -0x1.05cb44p-25f,
                                    0x1.67a1cap-28f,
                                    0x1.a3b5e4p-28f,
                                    -0x1.f9c306p-27f,
                                    -0x1.6961b4p-28f,
                                    -0x1.a5217cp-28f,
                                    0x1.61428ep-28f};
/* By the first 4 bits of a significand in [0.75, 1.5): about its inverse, 1 on both sides of 1, and
 * the negative logarithm of that, natural and of base 2, as the sum of a number of 42 bits after
 * the point and a small one. */
static const double dLogInverse[16] = {
    0x1p+0,    0x1.d4p-1, 0x1.bap-1, 0x1.a4p-1, 0x1.9p-1,  0x1.7ep-1, 0x1.6cp-1, 0x1.5cp-1,
    0x1.4ep+0, 0x1.41p+0, 0x1.35p+0, 0x1.2ap+0, 0x1.1fp+0, 0x1.16p+0, 0x1.0dp+0, 0x1p+0};
static const float fLogInverse[16] = {
    0x1p+0f,    0x1.d4p-1f, 0x1.bap-1f, 0x1.a4p-1f, 0x1.9p-1f,  0x1.7ep-1f, 0x1.6cp-1f, 0x1.5cp-1f,
    0x1.4ep+0f, 0x1.41p+0f, 0x1.35p+0f, 0x1.2ap+0f, 0x1.1fp+0f, 0x1.16p+0f, 0x1.0dp+0f, 0x1p+0f};
static const double dLnTable[16] = {0,
                                    0x1.700d30aeacp-4,
                                    0x1.2d1610c868p-3,
                                    0x1.95a5adcf7p-3,
                                    0x1.f991c6cb3cp-3,
                                    0x1.2bef07cdc9p-2,
                                    0x1.5d5bddf596p-2,
                                    0x1.8b639a88b3p-2,
                                    -0x1.1058bf9ae5p-2,
                                    -0x1.cf6354e09cp-3,
                                    -0x1.815c0a1436p-3,
                                    -0x1.371fc201e8p-3,
                                    -0x1.d4313d66ccp-4,
                                    -0x1.51b073f06p-4,
                                    -0x1.95c830ec9p-5,
                                    0};
static const double dLnRest[16] = {0,
                                   0x1.c1e8da99ded32p-49,
                                   0x1.39d6ccb81b4a1p-47,
                                   0x1.7f22858a0ff6fp-47,
                                   -0x1.90d04cd7cc834p-44,
                                   0x1.a9cfa4a5004f4p-45,
                                   -0x1.a0b2a08a465dcp-47,
                                   -0x1.05ae1e5e7047p-45,
                                   0x1.4ab9d817d52cdp-44,
                                   -0x1.771239a07d55bp-45,
                                   0x1.02a52f9201ce8p-44,
                                   -0x1.ee8779b2d8abcp-44,
                                   0x1.9454379135713p-45,
                                   -0x1.83f69278e686ap-44,
                                   0x1.c148297c5feb8p-45,
                                   0};
static const float fLnTable[16] = {0,
                                   0x1.700d3p-4f,
                                   0x1.2d161p-3f,
                                   0x1.95a5aep-3f,
                                   0x1.f991c6p-3f,
                                   0x1.2bef08p-2f,
                                   0x1.5d5bdep-2f,
                                   0x1.8b639ap-2f,
                                   -0x1.1058cp-2f,
                                   -0x1.cf6354p-3f,
                                   -0x1.815c0ap-3f,
                                   -0x1.371fc2p-3f,
                                   -0x1.d4313ep-4f,
                                   -0x1.51b074p-4f,
                                   -0x1.95c83p-5f,
                                   0};
static const double dLog2Table[16] = {0,
                                      0x1.097e38ce6p-3,
                                      0x1.b2602497d6p-3,
                                      0x1.249cd2b13dp-2,
                                      0x1.6cb0f6865dp-2,
                                      0x1.b0b67f4f47p-2,
                                      0x1.f804ae8d0dp-2,
                                      0x1.1d368296b5p-1,
                                      -0x1.88e9c72e0bp-2,
                                      -0x1.4e43880e9p-2,
                                      -0x1.15fa676bb1p-2,
                                      -0x1.c0db6cdd94p-3,
                                      -0x1.51bab907a6p-3,
                                      -0x1.e72ec117fcp-4,
                                      -0x1.24b5b7e134p-4,
                                      0};
static const double dLog2Rest[16] = {0,
                                     0x1.924ae921f7ecap-45,
                                     -0x1.974e6432d9ee8p-44,
                                     -0x1.49d97df07e357p-45,
                                     -0x1.c57f2495fb7fap-44,
                                     -0x1.fc02bc277071dp-44,
                                     -0x1.7f33943464056p-45,
                                     0x1.2a606046ad444p-44,
                                     -0x1.12d25b3252647p-45,
                                     0x1.258110a38f4e9p-44,
                                     0x1.c029a071eeb1p-44,
                                     -0x1.bdc81c4db3134p-44,
                                     0x1.badba7fbb3d2p-46,
                                     0x1.a4de3424a2624p-44,
                                     -0x1.a3c89a2cf3516p-44,
                                     0};

/* exp(r) - 1 for |r| <= ln 2 / 32 within 2^-56 of exp(r), for floats 2^-29. Few steps wait for one
 * another: the machine has no room for many vectors under way. Squares of floats would underflow.
 */
static const double dExpm1Terms[5] = {0x1.fffffffffffb8p-2, 0x1.555555548ebecp-3,
                                      0x1.5555555900bafp-5, 0x1.11123b468b06ap-7,
                                      0x1.6c14c59edcf5fp-10};
TH_INLINE THVectorD dExpm1Near0(THVectorD r)
{
    const double *c = dExpm1Terms;
    const THVectorD square = r * r, low = dFma(dAll(c[1]), r, dAll(c[0]));
    const THVectorD high = dFma(dAll(c[4]), square, dFma(dAll(c[3]), r, dAll(c[2])));
    return dFma(dFma(high, square, low), square, r);
}
TH_INLINE THVectorF fExpm1Near0(THVectorF r)
{
    return r * fFma(fFma(fAll(0x1.5555ap-3f), r, fAll(0x1.00022p-1f)), r, fAll(1));
}

/* The same within 2^-59 and 2^-31 of exp(r) - 1; a small `rest` is added. */
static const double dExpm1FineTerms[6] = {0x1.0000000000003p-1,  0x1.5555555555559p-3,
                                          0x1.55555554aca2dp-5,  0x1.111111108f21p-7,
                                          0x1.6c181fee68263p-10, 0x1.a01b8968b843cp-13};
static const float fExpm1FineTerms[3] = {0.5f, 0x1.555708p-3f, 0x1.555746p-5f};
TH_INLINE THVectorD dExpm1FineNear0(THVectorD r, THVectorD rest)
{
    return r + dFma(dPolynomial(r, dExpm1FineTerms, 6), r * r, rest);
}
TH_INLINE THVectorF fExpm1FineNear0(THVectorF r, THVectorF rest)
{
    return r + fFma(fPolynomial(r, fExpm1FineTerms, 3), r * r, rest);
}

/* exp(x) = 2^k exp(r) with k a multiple of 1/16; the low bits of `place` are those of 16 k. r is
 * small for x up to 2^40. */
typedef struct THReducedD {
    THVectorD k, r;
    THVectorBits place;
} THReducedD;
typedef struct THReducedF {
    THVectorF k, r;
    THVectorBits place;
} THReducedF;
TH_INLINE THReducedD dReduce(THVectorD x)
{
    const THVectorD shifted = dFma(x, dAll(0x1.71547652b82fep0), dAll(0x1.8p48));
    const THVectorD k = shifted - dAll(0x1.8p48);
    const THVectorD r = dFnma(k, dAll(0x1.62e42fefap-1), x);
    return (THReducedD){k, dFnma(k, dAll(0x1.cf79abc9e3b3ap-40), r), dBits(shifted)};
}
TH_INLINE THReducedF fReduce(THVectorF x)
{
    const THVectorF shifted = fFma(x, fAll(0x1.715476p0f), fAll(0x1.8p19f));
    const THVectorF k = shifted - fAll(0x1.8p19f);
    const THVectorF r = fFnma(k, fAll(0x1.62ep-1f), x);
    return (THReducedF){k, fFnma(k, fAll(0x1.0bfbe8p-15f), r), fBits(shifted)};
}

/* exp(x), times the unit of a table of 2^(j / 16). Where x is not small, nor perhaps r, 2^k alone
 * decides the result: 0, infinity or NaN. */
TH_INLINE THVectorD dExpBy(const double *table, THVectorD x)
{
    const THReducedD by = dReduce(x);
    const THVectorD power = dTable(table, by.place);
    return dScaleAbove(dFma(power, dExpm1Near0(dBounded(by.r, 1)), power), by.k, -1085);
}
TH_INLINE THVectorD dExp(THVectorD x)
{
    return dExpBy(dExp2Table, x);
}
TH_INLINE THVectorF fExpBy(const float *table, THVectorF x)
{
    const THReducedF by = fReduce(x);
    const THVectorF power = fTable(table, by.place);
    return fScaleAbove(fFma(power, fExpm1Near0(fBounded(by.r, 1)), power), by.k, -160);
}
TH_INLINE THVectorF fExp(THVectorF x)
{
    return fExpBy(fExp2Table, x);
}

/* exp(x) - 1 for x below 709: 2^(k / 16) - 1 is exact where it is small. Below -40 it is -1. */
TH_INLINE THVectorD dExpm1Below(THVectorD x)
{
    const THReducedD by = dReduce(dAtLeast(x, -40));
    const THVectorD power = dScale(dTable(dExp2Table, by.place), by.k);
    const THVectorD factor = dExpm1FineNear0(by.r, dTable(dExp2Rest, by.place));
    return dCopysign(dFma(power, factor, power - dAll(1)), x);
}
/* The same for x below 88, of which -20 is the bound. */
TH_INLINE THVectorF fExpm1Below(THVectorF x)
{
    const THReducedF by = fReduce(fAtLeast(x, -20));
    const THVectorF power = fScale(fTable(fExp2Table, by.place), by.k);
    const THVectorF factor = fExpm1FineNear0(by.r, fTable(fExp2Rest, by.place));
    return fCopysign(fFma(power, factor, power - fAll(1)), x);
}

/* (log1p(r) - r) / r^2 within 2^-61 of log1p(r), -1/32 <= r <= 1/16. */
static const double dLog1pTerms[10] = {-0.5,
                                       0x1.555555555556ep-2,
                                       -0x1.0000000000e1ep-2,
                                       0x1.999999995a76fp-3,
                                       -0x1.55555536322edp-3,
                                       0x1.2492497ec658fp-3,
                                       -0x1.0000a9da3495bp-3,
                                       0x1.c72cd2929b908p-4,
                                       -0x1.979b267a81725p-4,
                                       0x1.413cd436e197dp-4};
/* The same within 2^-33. */
static const float fLog1pTerms[5] = {-0.5f, 0x1.555554p-2f, -0x1.000528p-2f, 0x1.99f656p-3f,
                                     -0x1.406b7ap-3f};

/* 2^e (1 + r) over the inverse in the table. */
TH_INLINE THVectorD dLogOfReduced(THVectorD e, THVectorBits place, THVectorD r)
{
    const THVectorD high = dFma(e, dAll(0x1.62e42fefa38p-1), dTable(dLnTable, place));
    const THVectorD low = dFma(e, dAll(0x1.ef35793c7673p-45), dTable(dLnRest, place));
    return high + (r + dFma(dPolynomial(r, dLog1pTerms, 10), r * r, low));
}
TH_INLINE THVectorD dLog(THVectorD x)
{
    const THVectorD m = dSignificand(x), e = dExponent(x, m);
    const THVectorBits place = dFirstBits(m);
    return dLogOfReduced(e, place, dFma(m, dTable(dLogInverse, place), dAll(-1)));
}
TH_INLINE THVectorF fLogOfReduced(THVectorF e, THVectorBits place, THVectorF r)
{
    const THVectorF near = fFma(fPairs(r, fLog1pTerms, 5), r * r, r);
    return fFma(e, fAll(0x1.62e43p-1f), fTable(fLnTable, place) + near);
}
TH_INLINE THVectorF fLog(THVectorF x)
{
    const THVectorF m = fSignificand(x), e = fExponent(x, m);
    const THVectorBits place = fFirstBits(m);
    return fLogOfReduced(e, place, fFma(m, fTable(fLogInverse, place), fAll(-1)));
}

#endif
#endif
