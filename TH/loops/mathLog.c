/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector functions: logarithms, acosh, asinh and atanh.
 *
 * log(x), with its sources, is in vectorExp.h; the others take x apart in the same way and have the
 * polynomials and tables of their base. log1p, acosh and asinh are the logarithm of the sum of two
 * numbers. The polynomials are minimax. */
#define TH_VECTOR_PRIVATE
#include <TH/THGeneral.h>
#include <TH/loops/vectorExp.h>

#if defined(TH_HAVE_VECTOR_FUNCTIONS)

TH_DEFINE_1(log, dLog, fLog)

/* (log2(1 + r) - r / ln 2) / r^2 within 2^-56 and, of floats, log2(1 + r) / r within 2^-34 of
 * log2(1 + r), -1/32 <= r <= 1/16. */
static const double dLog2Terms[9] = {
    -0x1.71547652b8301p-1, 0x1.ec709dc3a126bp-2,  -0x1.71547652af595p-2,
    0x1.2776c4fd14c0bp-2,  -0x1.ec709cc8b5f4cp-3, 0x1.a6182f0e4dbf2p-3,
    -0x1.71629a52a5e3p-3,  0x1.471eeb2011f48p-3,  -0x1.0262401010b42p-3};
static const float fLog2Terms[6] = {0x1.715476p0f,   -0x1.715476p-1f, 0x1.ec70a8p-2f,
                                    -0x1.715aa8p-2f, 0x1.27739p-2f,   -0x1.c8ffa8p-3f};
static const float fLog2Table[16] = {0,
                                     0x1.097e38p-3f,
                                     0x1.b26024p-3f,
                                     0x1.249cd2p-2f,
                                     0x1.6cb0f6p-2f,
                                     0x1.b0b68p-2f,
                                     0x1.f804aep-2f,
                                     0x1.1d3682p-1f,
                                     -0x1.88e9c8p-2f,
                                     -0x1.4e4388p-2f,
                                     -0x1.15fa68p-2f,
                                     -0x1.c0db6cp-3f,
                                     -0x1.51babap-3f,
                                     -0x1.e72ec2p-4f,
                                     -0x1.24b5b8p-4f,
                                     0};

/* log2(x) = whole + part, whole a number of few bits. */
typedef struct THLog2D {
    THVectorD whole, part;
} THLog2D;
TH_INLINE THLog2D dLog2Parts(THVectorD x)
{
    const THVectorD m = dSignificand(x), e = dExponent(x, m);
    const THVectorBits place = dFirstBits(m);
    const THVectorD r = dFma(m, dTable(dLogInverse, place), dAll(-1));
    const THVectorD near = dFma(dPolynomial(r, dLog2Terms, 9), r * r, dTable(dLog2Rest, place));
    return (THLog2D){e + dTable(dLog2Table, place), dFma(r, dAll(0x1.71547652b82fep0), near)};
}
TH_INLINE THVectorD dLog2(THVectorD x)
{
    const THLog2D of = dLog2Parts(x);
    return of.whole + of.part;
}
TH_INLINE THVectorF fLog2(THVectorF x)
{
    const THVectorF m = fSignificand(x), e = fExponent(x, m);
    const THVectorBits place = fFirstBits(m);
    const THVectorF r = fFma(m, fTable(fLogInverse, place), fAll(-1));
    return e + fFma(fPairs(r, fLog2Terms, 6), r, fTable(fLog2Table, place));
}
TH_DEFINE_1(log2, dLog2, fLog2)

/* log10(2) times both parts, the sum rounded once. */
TH_INLINE THVectorD dLog10(THVectorD x)
{
    const THLog2D of = dLog2Parts(x);
    const THVectorD part =
        dFma(of.part, dAll(0x1.34413509f79ffp-2), of.whole * dAll(-0x1.9dc1da994fd21p-59));
    /* of 0 and infinity that part is not a number */
    const THVectorD rest = dSelect(dIsFinite(of.whole), part, of.part);
    return dFma(of.whole, dAll(0x1.34413509f79ffp-2), rest);
}

/* log10(1 + r) / r within 2^-34, and log10 of the inverses. */
static const float fLog10Terms[6] = {0x1.bcb7b2p-2f,  -0x1.bcb7b2p-3f, 0x1.287a7cp-3f,
                                     -0x1.bcbf26p-4f, 0x1.63c24ap-4f,  -0x1.1324p-4f};
static const float fLog10Table[16] = {0,
                                      0x1.3faf7cp-5f,
                                      0x1.058528p-4f,
                                      0x1.605736p-4f,
                                      0x1.b721cep-4f,
                                      0x1.0484e4p-3f,
                                      0x1.2f7302p-3f,
                                      0x1.576e3cp-3f,
                                      -0x1.d91d58p-4f,
                                      -0x1.927e64p-4f,
                                      -0x1.4eb812p-4f,
                                      -0x1.0e3d2ap-4f,
                                      -0x1.96aaacp-5f,
                                      -0x1.25502cp-5f,
                                      -0x1.60753p-6f,
                                      0};
TH_INLINE THVectorF fLog10(THVectorF x)
{
    const THVectorF m = fSignificand(x), e = fExponent(x, m);
    const THVectorBits place = fFirstBits(m);
    const THVectorF r = fFma(m, fTable(fLogInverse, place), fAll(-1));
    const THVectorF rest = fFma(fPairs(r, fLog10Terms, 6), r, fTable(fLog10Table, place));
    return fFma(e, fAll(0x1.344136p-2f), rest);
}
TH_DEFINE_1(log10, dLog10, fLog10)

/* log(x + lost), the sum not rounded: what it lacks is added to the rest of the logarithm's
 * reduction, in units of the power of two that was taken out; of 0 that is infinite. */
TH_INLINE THVectorF fLogOfSum(THVectorF x, THVectorF lost)
{
    const THVectorF m = fSignificand(x), e = fExponent(x, m);
    const THVectorBits place = fFirstBits(m);
    const THVectorF inverse = fTable(fLogInverse, place);
    const THVectorF r = fFma(fScale(lost, -fBounded(e, 126)), inverse, fFma(m, inverse, fAll(-1)));
    return fLogOfReduced(e, place, r);
}
TH_INLINE THVectorD dLogOfSum(THVectorD x, THVectorD lost)
{
    const THVectorD m = dSignificand(x), e = dExponent(x, m);
    const THVectorBits place = dFirstBits(m);
    const THVectorD inverse = dTable(dLogInverse, place);
    const THVectorD r = dFma(dScale(lost, -dBounded(e, 1022)), inverse, dFma(m, inverse, dAll(-1)));
    return dLogOfReduced(e, place, r);
}
/* Of infinity nothing is lost. */
TH_INLINE THVectorD dLog1p(THVectorD x)
{
    const THVectorD sum = dAll(1) + x, larger = dAtLeast(x, 1), smaller = dAtMost(x, 1);
    const THVectorD lost = smaller - (sum - larger);
    return dCopysign(dLogOfSum(sum, dSelect(dLess(sum, dAll(INFINITY)), lost, dAll(0))), x);
}
TH_INLINE THVectorF fLog1p(THVectorF x)
{
    const THVectorF sum = fAll(1) + x, larger = fAtLeast(x, 1), smaller = fAtMost(x, 1);
    const THVectorF lost = smaller - (sum - larger);
    return fCopysign(fLogOfSum(sum, fSelect(fLess(sum, fAll(INFINITY)), lost, fAll(0))), x);
}
TH_DEFINE_1(log1p, dLog1p, fLog1p)

/* Of doubles libmvec's is as fast. */
TH_LIBRARY_1(D, acosh)
#define dAcosh TH_VECTOR_NAME_D(v, acosh)
/* log(x + sqrt(x^2 - 1)), the root from x - 1; where x^2 might be infinite log(x) + log(2). */
TH_INLINE THVectorF fAcosh(THVectorF x)
{
    const THMaskF large = fLess(fAll(0x1p60f), x);
    const THVectorF t = x - fAll(1);
    const THVectorF square = fSelect(fIsNegative(t), fAll(-1), fFma(t, t, t + t));
    /* of 0, too, the root is 0 */
    const THVectorF inverse = fRsqrt14(square + fAll(0x1p-100f)), near = square * inverse;
    const THVectorF root = fFma(fFnma(near, near, square), fAll(0.5f) * inverse, near);
    const THVectorF sum = fSelect(large, x, x + root);
    const THVectorF result = fLogOfSum(sum, fSelect(large, fAll(0), root - (sum - x)));
    return fSelect(large, result + fAll(0x1.62e43p-1f), result);
}
TH_DEFINE_1_BY(1, 2, acosh, dAcosh, fAcosh)

/* libmvec's but for what is so small that the result is x. */
TH_LIBRARY_1(D, asinh)
TH_RARE THVectorD dAsinhTiny(THVectorD x, THMaskD tiny)
{
    return dSelect(tiny, x, TH_VECTOR_NAME_D(v, asinh)(dSelect(tiny, dAll(1), x)));
}
TH_INLINE THVectorD dAsinh(THVectorD x)
{
    const THMaskD tiny = dLess(dAbs(x), dAll(0x1p-60));
    return TH_LIKELY_NONE(tiny) ? TH_VECTOR_NAME_D(v, asinh)(x) : dAsinhTiny(x, tiny);
}
/* (asinh(y) / y - 1) / y^2 by y^2 within 2^-27 of asinh(y), y <= 1.1875. */
static const float fAsinhTerms[9] = {-0x1.55550ep-3f, 0x1.3321fp-4f,   -0x1.6c429ep-5f,
                                     0x1.e2010ap-6f,  -0x1.3c0a44p-6f, 0x1.6697ccp-7f,
                                     -0x1.2fc6e8p-8f, 0x1.43aa4ep-10f, -0x1.3c768cp-13f};
/* That polynomial up to there, beyond log(y + sqrt(1 + y^2)), which is at least 1, for y = |x|; of
 * half the sum, which is finite. */
TH_INLINE THVectorF fAsinh(THVectorF x)
{
    const THVectorF y = fAbs(x), some = fAtMost(y, 0x1p60f), square = fFma(some, some, fAll(1));
    const THVectorF inverse = fRsqrt14(square), near = square * inverse;
    const THVectorF lack = fFnma(near, near, square) * fAll(0.25f);
    const THVectorF root = fFma(lack, inverse, fAll(0.5f) * near), half = fAll(0.5f) * y;
    const THVectorF sum = half + fMost(half, root), m = fSignificand(sum);
    const THVectorBits place = fFirstBits(m);
    const THVectorF r = fFma(m, fTable(fLogInverse, place), fAll(-1));
    const THVectorF far = fLogOfReduced(fExponent(sum, m) + fAll(1), place, r);
    /* so that no square is subnormal */
    const THVectorF z = fFma(some, some, fAll(0x1p-60f));
    const THVectorF result = fFma(fPairs(z, fAsinhTerms, 9) * z, y, y);
    return fCopysign(fSelect(fLess(fAll(1.1875f), y), far, result), x);
}
TH_DEFINE_1_BY(1, 2, asinh, dAsinh, fAsinh)

/* Infinite at 1 and -1. */
TH_INLINE THVectorD dAtanhBeyond(THVectorD x)
{
    return dSelect(dEqual(dAbs(x), dAll(1)), x * dAll(INFINITY), dAll(NAN));
}
TH_INLINE THVectorF fAtanhBeyond(THVectorF x)
{
    return fSelect(fEqual(fAbs(x), fAll(1)), x * fAll(INFINITY), fAll(NAN));
}
TH_NEAR_BY_LIBRARY(d, D, dAtanh, atanh, 1, dAtanhBeyond)
TH_NEAR_BY_LIBRARY(f, F, fAtanh, atanhf, 1, fAtanhBeyond)
TH_DEFINE_1_SINGLY(atanh, dAtanh, fAtanh)

#endif
