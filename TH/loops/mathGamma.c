/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector functions: the logarithm of the absolute value of the gamma function.
 *
 * From 8 on Stirling's series, log gamma(x) = (x - 1/2) (log x - 1) + (log(2 pi) - 1) / 2
 * + S(1 / x^2) / x. Below, gamma(x + 1) = x gamma(x) leads to an argument 2 + t with |t| <= 1/2,
 * where log gamma(2 + t) = t R(t); as 1 and 2 are zeros, numbers next to them are not led away from
 * 2, and from 1 to 2 the two terms do not cancel. Below 0, gamma(x) gamma(1 - x) = pi / sin(pi x)
 * (Abramowitz and Stegun, 6.1.17 and 6.1.41). R, S and the sine are minimax polynomials. */
#define TH_VECTOR_PRIVATE
#include <TH/THGeneral.h>
#include <TH/loops/vectorExp.h>

#if defined(TH_HAVE_SOME_VECTORS)

#if !defined(TH_HAVE_VECTOR_FUNCTIONS)
#include <math.h>
#define dLog TH_VECTOR_NAME_D(v, TH_VECTOR_FUNCTION(log))
TH_LIBRARY_1(D, TH_VECTOR_FUNCTION(log))
#endif

/* log gamma(2 + t) / t within 2^-59, |t| <= 1/2. */
static const double dNear2Terms[19] = {
    0x1.b0ee6072093cep-2,   0x1.4a34cc4a60fa7p-2,  -0x1.13e001a557616p-4,  0x1.51322ac7d8009p-6,
    -0x1.e404fc21888bp-8,   0x1.7add6eae5592bp-9,  -0x1.38ac5c309c2fcp-10, 0x1.0b36af367efd1p-11,
    -0x1.d3fd4943dda7p-13,  0x1.a127dc283aeb9p-14, -0x1.78defd9cb1fadp-15, 0x1.5806f51e0d5cfp-16,
    -0x1.3ca9411a7bc32p-17, 0x1.263ea722ac744p-18, -0x1.131ce475aee92p-19, 0x1.ee17926a9d4p-21,
    -0x1.c306d0042e717p-22, 0x1.2b07078f07544p-22, -0x1.33b538a86ebbfp-23};
/* S(z) within 2^-61, 0 <= z <= 1/64. */
static const double dStirlingTerms[7] = {
    0x1.5555555555555p-4,  -0x1.6c16c16c14af5p-9, 0x1.a01a017e89f39p-11, -0x1.38134e15d057p-11,
    0x1.b92c936473795p-11, -0x1.ef980a934689p-10, 0x1.4c382d9ec9d7ep-8};
/* sin(pi r) / r by r^2 within 2^-61, |r| <= 1/2. */
static const double dSinPiTerms[9] = {
    0x1.921fb54442d18p1,   -0x1.4abbce625be52p2,   0x1.466bc6775aa6ep1,
    -0x1.32d2cce627543p-1, 0x1.5078348519133p-4,   -0x1.e3074ddd20dd8p-8,
    0x1.e8f35e9e59279p-12, -0x1.6f797732e3087p-16, 0x1.9d1b8b4c383a9p-21};
#define HALF_LOG_2_PI_LESS_HALF 0x1.acfe390c97d69p-2
#define LOG_PI 0x1.250d048e7a1bdp0

/* For x >= 0; NaN of NaN. A call takes little beside it. */
static __attribute__((noinline)) THVectorD dLgammaPositive(THVectorD x)
{
    const THMaskD large = dLess(dAll(8), x), up = dLess(x, dAll(1.5)), twice = dLess(x, dAll(0.5));
    THVectorD near = x, product = dAll(1);
    for (int step = 0; step < 6; step++) {
        const THMaskD down = dLess(dAll(2.5), near);
        near = dSelect(down, near - dAll(1), near);
        product = dSelect(down, product * near, product);
    }
    const THVectorD inverted = dSelect(up, dSelect(twice, x * (x + dAll(1)), x), dAll(1));
    const THVectorD t = dSelect(twice, x, dSelect(up, x - dAll(1), near - dAll(2)));
    const THVectorD around2 = t * dPolynomial(t, dNear2Terms, 19);
    /* of the two products one is 1 */
    const THVectorD factor = product * inverted;
    const THVectorD logarithm = dLog(dSelect(large, x, factor));
    const THVectorD shift = dSelect(up, -logarithm, logarithm);
    const THVectorD inverse = dAll(1) / x;
    const THVectorD series = dFma(dPolynomial(inverse * inverse, dStirlingTerms, 7), inverse,
                                  dAll(HALF_LOG_2_PI_LESS_HALF));
    const THVectorD far = dFma(x - dAll(0.5), logarithm - dAll(1), series);
    return dSelect(large, far, around2 + shift);
}
/* log(pi / |x sin(pi x)|) - log gamma(|x|) where x is negative; one by one where the terms cancel
 * so far that the result is below `limit` times one of them. */
TH_RARE THVectorD dLgammaAny(THVectorD x, double limit)
{
    const THVectorD size = dAbs(x), of = dLgammaPositive(size), r = size - dRint(size);
    const THVectorD sine = r * dPolynomial(r * r, dSinPiTerms, 9);
    const THVectorD reflected = dAll(LOG_PI) - dLog(dAbs(sine) * size) - of;
    const THMaskD tiny = dLess(size, dAll(0x1p-60)); /* where the product underflows */
    const THMaskD whole = dLess(dAll(0x1p52), size), negative = dLess(x, dAll(0)) & ~tiny;
    const THMaskD cancelled = dLess(dAbs(reflected), dAll(limit) * (dAbs(of) + dAll(1)));
    const THMaskD weak = negative & cancelled & ~whole;
    const THVectorD below = dSelect(whole, dAll(INFINITY), reflected);
    const THVectorD result = dSelect(negative, below, of);
    return TH_NONE(weak) ? result : dOneByOne1(lgamma, weak, x, result);
}
TH_INLINE bool isUsual(THVectorD x)
{
    return dAllOf(dLess(dAll(0), x) & dLess(x, dAll(0x1p1000)));
}
TH_INLINE THVectorD dLgamma(THVectorD x)
{
    return TH_LIKELY(isUsual(x)) ? dLgammaPositive(x) : dLgammaAny(x, 0.4);
}
/* Of what was a float, and becomes one. */
TH_INLINE THVectorD dLgammaFloat(THVectorD x)
{
    return TH_LIKELY(isUsual(x)) ? dLgammaPositive(x) : dLgammaAny(x, 0x1p-16);
}
#define fLgamma(x) fByHalves1(dLgammaFloat, x)
TH_DEFINE_1_SINGLY(lgamma, dLgamma, fLgamma)

#endif
