/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector functions: powers, x^y = 2^(y log2(x)).
 *
 * The logarithm is that of vectorExp.h with more bits: numbers that matter are kept as the sum of a
 * high and a low double, whose products are exact by fused operations (T. J. Dekker, A
 * floating-point technique for extending the available precision, 1971). Relative to the logarithm
 * the error is about 2^-63, so that of the power is small for exponents up to 1024. Floats do the
 * same with 2^-32; for exponents from 2^13 on, doubles without low parts. */
#define TH_VECTOR_PRIVATE
#include <TH/THGeneral.h>
#include <TH/loops/vectorExp.h>

#if defined(TH_HAVE_VECTOR_FUNCTIONS)

/* (log1p(r) - r + r^2 / 2) / r^3 within 2^-67 of log1p(r), -1/32 <= r <= 1/16. */
static const double dLog1pFineTerms[10] = {
    0x1.5555555555555p-2, -0x1.000000000004cp-2, 0x1.999999999d599p-3, -0x1.55555554c8f76p-3,
    0x1.249248f7c987dp-3, -0x1.0000015e592c9p-3, 0x1.c71e151272a5fp-4, -0x1.99a82e363c921p-4,
    0x1.7209b9dc4e221p-4, -0x1.22479957c09f1p-4};
#define LOG2_E 0x1.71547652b82fep0
#define LOG2_E_REST 0x1.777d0ffda0d24p-56
#define LN_2 0x1.62e42fefa39efp-1

/* For 0 < x < infinity and |y| < 2^40: beyond, the low part of the exponent is not small. */
TH_INLINE THVectorD dPowPositive(THVectorD x, THVectorD y)
{
    const THVectorD m = dSignificand(x), e = dExponent(x, m);
    const THVectorBits place = dFirstBits(m);
    /* c m - 1 = r + rLow with |r| < 1/32, half of what the table has above 1 */
    const THMaskD above1 = dLess(dAll(1.03125), m) & dLess(m, dAll(1.0625));
    const THVectorD inverse = dSelect(above1, dAll(0.96875), dTable(dLogInverse, place));
    const THVectorD logarithm =
        dSelect(above1, dAll(0x1.77394c9d98000p-5), dTable(dLog2Table, place));
    const THVectorD logarithmLow =
        dSelect(above1, dAll(-0x1.395510d1e3f81p-44), dTable(dLog2Rest, place));
    const THVectorD product = m * inverse, r = product - dAll(1), rLow = dFms(m, inverse, product);
    const THVectorD square = r * r, squareLow = dFma(r + r, rLow, dFms(r, r, square));
    const THVectorD s = dFnma(dAll(0.5), square, r), lost = dFnma(dAll(0.5), square, r - s);
    const THVectorD cube = r * square;
    const THVectorD cubeLow = dFma(square, rLow, dFma(r, squareLow, dFms(r, square, cube)));
    const THVectorD tail = dFma(cubeLow, dAll(0x1.5555555555555p-2), rLow);
    const THVectorD sLow =
        dFma(dPolynomial(r, dLog1pFineTerms, 10), cube, dFnma(dAll(0.5), squareLow, lost + tail));
    /* log2(x) = high + low */
    const THVectorD t = s * dAll(LOG2_E);
    const THVectorD tLow =
        dFma(sLow, dAll(LOG2_E), dFma(s, dAll(LOG2_E_REST), dFms(s, dAll(LOG2_E), t)));
    const THVectorD whole = e + logarithm, sum = whole + t;
    const THVectorD rest = ((whole - sum) + t) + (tLow + logarithmLow);
    const THVectorD high = sum + rest, low = (sum - high) + rest;
    /* y log2(x) = k / 16 + v / ln 2 */
    const THVectorD w = y * high, wLow = dFma(y, low, dFms(y, high, w));
    const THVectorD within = dWithin(w, -1200, 1100), shifted = within + dAll(0x1.8p48);
    const THVectorD k = shifted - dAll(0x1.8p48), v = ((within - k) + wLow) * dAll(LN_2);
    const THVectorD power = dTable(dExp2Table, dBits(shifted));
    const THVectorD factor = dExpm1Near0(v) + dTable(dExp2Rest, dBits(shifted));
    return dScale(dFma(power, factor, power), k);
}

/* Negative x, and 0 and infinity, which have no logarithm; one by one exponents that are not finite
 * or nearly. */
TH_RARE THVectorD dPowAny(THVectorD x, THVectorD y)
{
    const THVectorD half = dAll(0.5) * y, infinite = dAll(INFINITY);
    const THMaskD isZero = dEqual(x, dAll(0)), isInfinite = dEqual(dAbs(x), infinite);
    const THMaskD edge = isZero | isInfinite, whole = dEqual(dRint(y), y);
    const THMaskD odd = whole & (THMaskD)~dEqual(dRint(half), half);
    const THVectorD power = dPowPositive(dSelect(edge, dAll(1), dAbs(x)), y);
    const THMaskD grows = isInfinite ^ dLess(y, dAll(0));
    const THVectorD known = dSelect(edge, dSelect(grows, infinite, dAll(0)), power);
    const THVectorD size = dSelect(dEqual(y, dAll(0)), dAll(1), known);
    const THMaskD none = dLess(x, dAll(0)) & (THMaskD) ~(whole | edge);
    const THVectorD result = dSelect(none, dAll(NAN), dSelect(dIsNegative(x) & odd, -size, size));
    const THMaskD usual = dLess(dAbs(y), dAll(0x1p40));
    return dAllOf(usual) ? result : dOneByOne2(pow, (THMaskD)~usual, x, y, result);
}
TH_INLINE THMaskD dHasUsualPow(THVectorD x, THVectorD y)
{
    return dLess(dAll(0), x) & dLess(x, dAll(INFINITY)) & dLess(dAbs(y), dAll(0x1p40));
}
TH_INLINE THVectorD dPow(THVectorD x, THVectorD y)
{
    return TH_LIKELY(dAllOf(dHasUsualPow(x, y))) ? dPowPositive(x, y) : dPowAny(x, y);
}

/* log2(1 + r) / r within 2^-40. */
static const double dLog2Terms[7] = {
    0x1.71547652b92cdp0,  -0x1.715476517cb4fp-1, 0x1.ec709cf6dfb88p-2, -0x1.715497120c226p-2,
    0x1.277e196283141p-2, -0x1.ec126a9cc95fdp-3, 0x1.8111ecd5527ep-3};

/* The same for numbers that were floats, within 2^-34; |y| < 2^30, so w < 2^38. */
TH_INLINE THVectorD dPowOfFloats(THVectorD x, THVectorD y)
{
    const THVectorD m = dSignificand(x), e = dExponent(x, m);
    const THVectorBits place = dFirstBits(m);
    const THVectorD r = dFma(m, dTable(dLogInverse, place), dAll(-1));
    const THVectorD logarithm =
        dFma(dPolynomial(r, dLog2Terms, 7), r, e + dTable(dLog2Table, place));
    const THVectorD w = y * logarithm, shifted = w + dAll(0x1.8p48);
    const THVectorD k = shifted - dAll(0x1.8p48), v = (w - k) * dAll(LN_2);
    const THVectorD power = dTable(dExp2Table, dBits(shifted));
    const THVectorD near =
        dFma(dFma(dFma(dAll(0x1.55520ep-5), v, dAll(0x1.55571ep-3)), v, dAll(0.5)), v * v, v);
    return dScale(dFma(power, near, power), k);
}

/* Inverses c of m so short that c m - 1 is exact; -log2(c), to 2^-16 and what that lacks. */
static const float fPowInverse[16] = {
    0x1p+0f,   0x1.dp-1f, 0x1.cp-1f,  0x1.ap-1f,  0x1.9p-1f, 0x1.8p-1f,  0x1.7p-1f, 0x1.6p-1f,
    0x1.5p+0f, 0x1.4p+0f, 0x1.38p+0f, 0x1.28p+0f, 0x1.2p+0f, 0x1.18p+0f, 0x1.1p+0f, 0x1p+0f};
static const float fPowLog2[16] = {0,
                                   0x1.22d8p-3f,
                                   0x1.8a88p-3f,
                                   0x1.32cp-2f,
                                   0x1.6cbp-2f,
                                   0x1.a9p-2f,
                                   0x1.e7ep-2f,
                                   0x1.14c6p-1f,
                                   -0x1.91bcp-2f,
                                   -0x1.49a8p-2f,
                                   -0x1.244p-2f,
                                   -0x1.acf8p-3f,
                                   -0x1.5cp-3f,
                                   -0x1.08c8p-3f,
                                   -0x1.664p-4f,
                                   0};
static const float fPowLog2Rest[16] = {0,
                                       0x1.6e155ap-18f,
                                       0x1.80abfcp-19f,
                                       -0x1.1c8f12p-22f,
                                       0x1.ed0cbap-19f,
                                       -0x1.a39fbep-20f,
                                       -0x1.40358ep-19f,
                                       -0x1.3e032ep-18f,
                                       0x1.5db83ap-20f,
                                       0x1.ed0cbap-20f,
                                       -0x1.eac382p-20f,
                                       0x1.0e9258p-18f,
                                       -0x1.a39fbep-19f,
                                       0x1.3b992cp-18f,
                                       0x1.20a6dep-21f,
                                       0};
/* (log1p(r) - r + r^2 / 2) / r^3 within 2^-34 of log1p(r), -0.038 <= r <= 1/16. */
static const float fLog1pFineTerms[5] = {0x1.555554p-2f, -0x1p-2f, 0x1.99a47cp-3f, -0x1.55a32p-3f,
                                         0x1.10df78p-3f};

/* For 0 < x < infinity and |y| < 2^13. */
TH_INLINE THVectorF fPowPositive(THVectorF x, THVectorF y)
{
    const THVectorF m = fSignificand(x), e = fExponent(x, m);
    const THVectorBits place = fFirstBits(m);
    const THVectorF r = fFma(m, fTable(fPowInverse, place), fAll(-1));
    const THVectorF square = r * r, squareLow = fFms(r, r, square);
    const THVectorF s = fFnma(fAll(0.5f), square, r), lost = fFnma(fAll(0.5f), square, r - s);
    const THVectorF sLow =
        fFma(fPolynomial(r, fLog1pFineTerms, 5), r * square, fFnma(fAll(0.5f), squareLow, lost));
    /* log2(x) = sum + rest */
    const THVectorF t = s * fAll(0x1.715476p0f);
    const THVectorF tLow = fFma(sLow, fAll(0x1.715476p0f),
                                fFma(s, fAll(0x1.4ae0cp-26f), fFms(s, fAll(0x1.715476p0f), t)));
    const THVectorF whole = e + fTable(fPowLog2, place), sum = whole + t;
    const THVectorF rest = ((whole - sum) + t) + (tLow + fTable(fPowLog2Rest, place));
    /* y log2(x) = k + v / ln 2 */
    const THVectorF w = y * sum, wLow = fFma(y, rest, fFms(y, sum, w));
    const THVectorF shifted = (w + wLow) + fAll(0x1.8p19f), k = shifted - fAll(0x1.8p19f);
    const THVectorF v = ((w - k) + wLow) * fAll((float)LN_2);
    const THVectorF power = fTable(fExp2Table, fBits(shifted));
    const THVectorF factor = fExpm1FineNear0(v, fTable(fExp2Rest, fBits(shifted)));
    return fScale(fFma(power, factor, power), k);
}
TH_RARE THVectorF fPowAny(THVectorF x, THVectorF y)
{
    const THVectorF half = fAll(0.5f) * y, infinite = fAll(INFINITY);
    const THMaskF isZero = fEqual(x, fAll(0)), isInfinite = fEqual(fAbs(x), infinite);
    const THMaskF edge = isZero | isInfinite, whole = fEqual(fRint(y), y);
    const THMaskF odd = whole & (THMaskF)~fEqual(fRint(half), half);
    const THMaskF near = fLess(fAbs(y), fAll(0x1p13f));
    const THVectorF base = fSelect(edge, fAll(1), fAbs(x)), little = fPowPositive(base, y);
    const THVectorF power =
        TH_LIKELY(fAllOf(near)) ? little : fSelect(near, little, fByHalves2(dPowOfFloats, base, y));
    const THMaskF grows = isInfinite ^ fLess(y, fAll(0));
    const THVectorF known = fSelect(edge, fSelect(grows, infinite, fAll(0)), power);
    const THVectorF size = fSelect(fEqual(y, fAll(0)), fAll(1), known);
    const THMaskF none = fLess(x, fAll(0)) & (THMaskF) ~(whole | edge);
    const THVectorF result = fSelect(none, fAll(NAN), fSelect(fIsNegative(x) & odd, -size, size));
    const THMaskF usual = fLess(fAbs(y), fAll(0x1p30f));
    return fAllOf(usual) ? result : fOneByOne2(powf, (THMaskF)~usual, x, y, result);
}
TH_INLINE THMaskF fHasUsualPow(THVectorF x, THVectorF y)
{
    return fLess(fAll(0), x) & fLess(x, fAll(INFINITY)) & fLess(fAbs(y), fAll(0x1p13f));
}
TH_INLINE THVectorF fPow(THVectorF x, THVectorF y)
{
    return TH_LIKELY(fAllOf(fHasUsualPow(x, y))) ? fPowPositive(x, y) : fPowAny(x, y);
}
TH_DEFINE_2(pow, dPow, fPow)
TH_DEFINE_ARRAY_2(d, D, double, th_pow_doubles, dHasUsualPow, dPowPositive, dPowAny)
TH_DEFINE_ARRAY_2(f, F, float, th_pow_floats, fHasUsualPow, fPowPositive, fPowAny)

#endif
