/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector functions: inverse trigonometric functions.
 *
 * atan(x) = pi / 2 - atan(1 / x) above 1; up to 1 it is a polynomial in each of 16 pieces, whose
 * terms come from tables. asin(x) = pi / 2 - 2 asin(sqrt((1 - x) / 2)) above 1/2 (Abramowitz and
 * Stegun, 4.4.31 and 4.4.45 on). The polynomials are minimax. */
#define TH_VECTOR_PRIVATE
#include <TH/THGeneral.h>
#include <TH/loops/vectorExp.h>

#if defined(TH_HAVE_VECTOR_FUNCTIONS)

/* atan around each of 16 multiples of 17/256 within 2^-26. */
static const float fAtanTerms[5][16] = {
    {0, 0x1.0f99eap-4f, 0x1.0e6adcp-3f, 0x1.92ba38p-3f, 0x1.09dc5ap-2f, 0x1.4845a8p-2f,
     0x1.84422cp-2f, 0x1.bd9282p-2f, 0x1.f40ddp-2f, 0x1.13cfcp-1f, 0x1.2c2216p-1f, 0x1.430328p-1f,
     0x1.587d82p-1f, 0x1.6c9f78p-1f, 0x1.7f79eap-1f, 0x1.911f36p-1f},
    {0x1p0f, 0x1.fdc088p-1f, 0x1.f72012p-1f, 0x1.ec7492p-1f, 0x1.de418p-1f, 0x1.cd28dap-1f,
     0x1.b9dac2p-1f, 0x1.a5066ap-1f, 0x1.8f4e3p-1f, 0x1.793fcep-1f, 0x1.635062p-1f, 0x1.4ddbbcp-1f,
     0x1.3925e2p-1f, 0x1.255df2p-1f, 0x1.12a192p-1f, 0x1.01008p-1f},
    {0x1.e9fe26p-20f, -0x1.0d9beep-4f, -0x1.06a694p-3f, -0x1.7971c4p-3f, -0x1.daa7fcp-3f,
     -0x1.13d472p-2f, -0x1.2fdd1ap-2f, -0x1.41df2ep-2f, -0x1.4ae112p-2f, -0x1.4c40a6p-2f,
     -0x1.477c9ap-2f, -0x1.3e0b14p-2f, -0x1.313ee6p-2f, -0x1.223998p-2f, -0x1.11e724p-2f,
     -0x1.00ffe8p-2f},
    {-0x1.559d6ep-2f, -0x1.4c241ap-2f, -0x1.3289b4p-2f, -0x1.0b69ecp-2f, -0x1.b67dcep-3f,
     -0x1.4dddp-3f, -0x1.cbda94p-4f, -0x1.0b72a2p-4f, -0x1.8f0c9p-6f, 0x1.34f40cp-7f,
     0x1.25d652p-5f, 0x1.c60c2ap-5f, 0x1.1a6326p-4f, 0x1.3d2312p-4f, 0x1.4f7354p-4f,
     0x1.558222p-4f},
    {0x1.b296eap-7f, 0x1.02c544p-4f, 0x1.eed4cap-4f, 0x1.4e37fcp-3f, 0x1.803584p-3f, 0x1.8dc66cp-3f,
     0x1.7c8cf8p-3f, 0x1.553422p-3f, 0x1.20fd1p-3f, 0x1.d019e2p-4f, 0x1.610a08p-4f, 0x1.f95786p-5f,
     0x1.4e1d72p-5f, 0x1.85981cp-6f, 0x1.58314ap-7f, 0x1.40815cp-9f},
};
/* (asin(r) / r - 1) / r^2 by r^2 within 2^-59 of asin(r), |r| <= 1/2. */
static const double dAsinTerms[13] = {
    0x1.5555555555577p-3, 0x1.333333332e103p-4, 0x1.6db6db72140cfp-5, 0x1.f1c71a94703c3p-6,
    0x1.6e8bdeeca8b58p-6, 0x1.1c49ef973587cp-6, 0x1.ca1f9e2c9286fp-7, 0x1.75850c13cd71fp-7,
    0x1.613f18e6bc37bp-7, 0x1.e5d18ac8e6eafp-9, 0x1.63a6be25cfaeap-6, -0x1.580b43a970c3dp-6,
    0x1.0b4ad51dce314p-5};
/* The same within 2^-27. */
static const float fAsinTerms[5] = {0x1.5555cap-3f, 0x1.33014ep-4f, 0x1.748c64p-5f, 0x1.8ba248p-6f,
                                    0x1.59daep-5f};
#define HALF_PI 0x1.921fb54442d18p0
#define HALF_PI_REST 0x1.1a62633145c07p-54
/* What (float)HALF_PI lacks. */
#define HALF_PI_LESS (-0x1.777a5cp-25f)

/* Which piece a ratio up to 1 is in, and how far it is from the middle of that. */
TH_INLINE THVectorF fPieceOf(THVectorF ratio)
{
    return fFma(ratio, fAll(256 / 17.f), fAll(0x1.8p23f));
}
TH_INLINE THVectorF fFromMiddle(THVectorF ratio, THVectorF piece)
{
    return fFnma(piece - fAll(0x1.8p23f), fAll(17 / 256.f), ratio);
}
/* A rounded quotient chooses the piece, while the machine computes what it lacks. Of what is so
 * small that the result is x, 2^-60 is in its place: |x| is an upper bound anyway. */
TH_INLINE THVectorF fAtan(THVectorF x)
{
    const THVectorF size = fAbs(x), y = fWithin(size, 0x1p-60f, 1), z = fWithin(size, 1, 0x1p100f);
    const THVectorF inverse = fReciprocal14(z), ratio = y * inverse;
    const THVectorF piece = fPieceOf(ratio), near = fFromMiddle(ratio, piece);
    const THVectorF within = fFma(fFnma(z, ratio, y), inverse, near);
    const THVectorF angle = fPieces(within, fBits(piece), fAtanTerms, 5);
    const THVectorF other = fAll(0x1.921fb6p0f) - (angle + fAll(0x1.777a5cp-25f));
    const THVectorF result = fSelect(fLess(fAll(1), size), other, angle);
    return fCopysign(fLeast(size, result), x);
}
/* Of doubles libmvec's is as fast. */
TH_LIBRARY_1(D, atan)
#define dAtan TH_VECTOR_NAME_D(v, atan)
TH_DEFINE_1_BY(1, 2, atan, dAtan, fAtan)

/* atan of 0 to 1. */
TH_INLINE THVectorF fAtanUpTo1(THVectorF ratio)
{
    const THVectorF piece = fPieceOf(ratio);
    return fPieces(fFromMiddle(ratio, piece), fBits(piece), fAtanTerms, 5);
}
/* The angle with the nearer axis, from that axis; of two zeros or infinities as C has it. */
#define ATAN2(c, T, atanUpTo1, halfPi, rest)                                            \
    TH_INLINE THVector##T c##Atan2(THVector##T y, THVector##T x)                        \
    {                                                                                   \
        const THVector##T up = c##Abs(y), along = c##Abs(x), none = c##All(0);          \
        const THMask##T steep = c##Less(along, up), back = c##IsNegative(x);            \
        const THVector##T least = c##Select(steep, along, up);                          \
        const THVector##T most = c##Select(steep, up, along);                           \
        const THVector##T same = c##Select(c##Less(none, most), c##All(1), none);       \
        const THVector##T ratio = c##Select(c##Equal(least, most), same, least / most); \
        const THVector##T angle = atanUpTo1(ratio);                                     \
        const THVector##T part = c##Select(steep ^ back, -angle, angle);                \
        const THVector##T far = c##Select(back, c##All(2 * (halfPi)), none);            \
        const THVector##T axis = c##Select(steep, c##All(halfPi), far);                 \
        return c##Copysign(axis + c##Fma(axis, c##All((rest) / (halfPi)), part), y);    \
    }
ATAN2(d, D, dAtan, HALF_PI, HALF_PI_REST)
ATAN2(f, F, fAtanUpTo1, (float)HALF_PI, HALF_PI_LESS)
#undef ATAN2
/* libmvec's takes three quarters of the time, and goes on one by one for what is not finite, or is
 * subnormal. */
#define LIBRARY_ATAN2 TH_VECTOR_NAME_D(vv, atan2)
THVectorD LIBRARY_ATAN2(THVectorD y, THVectorD x);
TH_RARE THVectorD dAtan2Rare(THVectorD y, THVectorD x, THMaskD areUsual)
{
    const THVectorD one = dAll(1);
    const THVectorD usual = LIBRARY_ATAN2(dSelect(areUsual, y, one), dSelect(areUsual, x, one));
    return dSelect(areUsual, usual, dAtan2(y, x));
}
TH_INLINE THVectorD dAtan2Usual(THVectorD y, THVectorD x)
{
    const THMaskD areUsual = dIsUsual(y) & dIsUsual(x);
    return TH_LIKELY(dAllOf(areUsual)) ? LIBRARY_ATAN2(y, x) : dAtan2Rare(y, x, areUsual);
}
TH_DEFINE_2(atan2, dAtan2Usual, fAtan2)

/* asin of |x| up to 1/2, beyond of sqrt((1 - |x|) / 2), as root + more. */
typedef struct THAngleD {
    THVectorD root, more;
    THMaskD far;
} THAngleD;
TH_INLINE THAngleD dAngle(THVectorD x)
{
    const THVectorD size = dAbs(x);
    const THMaskD far = dLess(dAll(0.5), size);
    const THVectorD square = dSelect(far, dFnma(dAll(0.5), size, dAll(0.5)), x * x);
    const THVectorD root = dSelect(far, dSqrt(square), size);
    return (THAngleD){root, root * square * dFours(square, dAsinTerms, 13), far};
}
TH_INLINE THVectorD dAsin(THVectorD x)
{
    const THAngleD of = dAngle(x);
    const THVectorD angle = of.root + of.more, lack = of.root - (dAll(HALF_PI_REST / 2) - of.more);
    return dCopysign(dSelect(of.far, dFma(dAll(-2), lack, dAll(HALF_PI)), angle), x);
}
typedef struct THAngleF {
    THVectorF root, more;
    THMaskF far;
} THAngleF;
TH_INLINE THAngleF fAngle(THVectorF x)
{
    const THVectorF size = fAbs(x);
    const THMaskF far = fLess(fAll(0.5f), size);
    const THVectorF square = fSelect(far, fFnma(fAll(0.5f), size, fAll(0.5f)), x * x);
    const THVectorF root = fSelect(far, fSqrt(square), size);
    return (THAngleF){root, root * square * fPolynomial(square, fAsinTerms, 5), far};
}
TH_INLINE THVectorF fAsin(THVectorF x)
{
    const THAngleF of = fAngle(x);
    const THVectorF angle = of.root + of.more, lack = of.root + (fAll(-HALF_PI_LESS / 2) + of.more);
    return fCopysign(fSelect(of.far, fFma(fAll(-2), lack, fAll((float)HALF_PI)), angle), x);
}
TH_DEFINE_1(asin, dAsin, fAsin)
/* Near 1 twice the angle, near -1 what it lacks of pi, between them asin's distance of pi / 2. */
TH_INLINE THVectorD dAcos(THVectorD x)
{
    const THAngleD of = dAngle(x);
    const THVectorD angle = dCopysign(of.root + of.more, x);
    const THVectorD part = dSelect(of.far, angle + angle, -angle);
    const THVectorD far = dSelect(dIsNegative(x), dAll(2 * HALF_PI), dAll(0));
    const THVectorD whole = dSelect(of.far, far, dAll(HALF_PI));
    return whole + dFma(whole, dAll(HALF_PI_REST / HALF_PI), part);
}
TH_INLINE THVectorF fAcos(THVectorF x)
{
    const THAngleF of = fAngle(x);
    const THVectorF angle = fCopysign(of.root + of.more, x);
    const THVectorF part = fSelect(of.far, angle + angle, -angle);
    const THVectorF far = fSelect(fIsNegative(x), fAll((float)(2 * HALF_PI)), fAll(0));
    const THVectorF whole = fSelect(of.far, far, fAll((float)HALF_PI));
    return whole + fFma(whole, fAll((float)(HALF_PI_LESS / HALF_PI)), part);
}
TH_DEFINE_1(acos, dAcos, fAcos)

#endif
