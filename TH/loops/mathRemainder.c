/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector functions: remainders, which are exact.
 *
 * With q = trunc(|x| / |y|), |x| - q |y| is computed exactly by one fused operation while q is
 * below 2^52: the difference is a multiple of the last place of both and not above 2 |y|. A
 * quotient that was rounded to the whole number above leaves a negative remainder, to which |y| is
 * added. Floats whose quotient does not fit a float are divided as doubles, doubles by the C
 * library. */
#define TH_VECTOR_PRIVATE
#include <TH/THGeneral.h>
#include <TH/loops/vector.h>

#if defined(TH_HAVE_VECTOR_FUNCTIONS)

#include <math.h>

typedef struct THDivisionD {
    THVectorD quotient, rest; /* of |x| by |y|, whole and 0 <= rest < |y| */
    THMaskD rare;             /* where they are not known */
} THDivisionD;
typedef struct THDivisionF {
    THVectorF quotient, rest;
    THMaskF rare;
} THDivisionF;

TH_INLINE THDivisionD dDivide(THVectorD x, THVectorD y)
{
    const THVectorD dividend = dAbs(x), divisor = dAbs(y), ratio = dividend / divisor;
    const THVectorD q = dTrunc(ratio), r = dFnma(q, divisor, dividend);
    const THMaskD over = dLess(r, dAll(0));
    const THMaskD usual = dLess(ratio, dAll(0x1p52)) & dLess(divisor, dAll(INFINITY));
    return (THDivisionD){dSelect(over, q - dAll(1), q), dSelect(over, r + divisor, r),
                         (THMaskD)~usual};
}
TH_INLINE THDivisionF fDivide(THVectorF x, THVectorF y)
{
    const THVectorF dividend = fAbs(x), divisor = fAbs(y), ratio = dividend / divisor;
    const THVectorF q = fTrunc(ratio), r = fFnma(q, divisor, dividend);
    const THMaskF over = fLess(r, fAll(0));
    const THMaskF usual = fLess(ratio, fAll(0x1p23f)) & fLess(divisor, fAll(INFINITY));
    return (THDivisionF){fSelect(over, q - fAll(1), q), fSelect(over, r + divisor, r),
                         (THMaskF)~usual};
}

/* The sign of x. */
TH_INLINE THVectorD dFmod(THVectorD x, THVectorD y)
{
    const THDivisionD by = dDivide(x, y);
    const THVectorD result = dCopysign(by.rest, x);
    return TH_LIKELY_NONE(by.rare) ? result : dOneByOne2(fmod, by.rare, x, y, result);
}
TH_RARE THVectorF fFmodByHalves(THMaskF rare, THVectorF x, THVectorF y, THVectorF result)
{
    return fSelect(rare, fByHalves2(dFmod, x, y), result);
}
TH_INLINE THVectorF fFmod(THVectorF x, THVectorF y)
{
    const THDivisionF by = fDivide(x, y);
    const THVectorF result = fCopysign(by.rest, x);
    return TH_LIKELY_NONE(by.rare) ? result : fFmodByHalves(by.rare, x, y, result);
}
TH_DEFINE_2(fmod, dFmod, fFmod)

/* Python's %: the sign of y, that of zeros too. */
static double pythonRemainder(double x, double y)
{
    const double r = fmod(x, y);
    return r == 0 ? copysign(r, y) : (r < 0) != (y < 0) ? r + y : r;
}
TH_INLINE THVectorD dRemainder(THVectorD x, THVectorD y)
{
    const THDivisionD by = dDivide(x, y);
    const THMaskD other = (dIsNegative(x) ^ dIsNegative(y)) & dLess(dAll(0), by.rest);
    const THVectorD result = dCopysign(dSelect(other, dAbs(y) - by.rest, by.rest), y);
    return TH_LIKELY_NONE(by.rare) ? result : dOneByOne2(pythonRemainder, by.rare, x, y, result);
}
TH_RARE THVectorF fRemainderByHalves(THMaskF rare, THVectorF x, THVectorF y, THVectorF result)
{
    return fSelect(rare, fByHalves2(dRemainder, x, y), result);
}
TH_INLINE THVectorF fRemainder(THVectorF x, THVectorF y)
{
    const THDivisionF by = fDivide(x, y);
    const THMaskF other = (fIsNegative(x) ^ fIsNegative(y)) & fLess(fAll(0), by.rest);
    const THVectorF result = fCopysign(fSelect(other, fAbs(y) - by.rest, by.rest), y);
    return TH_LIKELY_NONE(by.rare) ? result : fRemainderByHalves(by.rare, x, y, result);
}
TH_DEFINE_2(remainder, dRemainder, fRemainder)

/* Python's //: where the signs differ and something is left, one less. */
static double pythonQuotient(double x, double y)
{
    const double r = fmod(x, y), whole = rint((x - r) / y);
    const double q = r != 0 && (r < 0) != (y < 0) ? whole - 1 : whole;
    return y == 0 ? x / y : copysign(q, q == 0 ? x / y : q);
}
TH_INLINE THVectorD dFloorDivide(THVectorD x, THVectorD y)
{
    const THDivisionD by = dDivide(x, y);
    const THMaskD negative = dIsNegative(x) ^ dIsNegative(y);
    const THMaskD below = negative & dLess(dAll(0), by.rest);
    const THVectorD size = dSelect(below, by.quotient + dAll(1), by.quotient);
    const THVectorD result = dSelect(negative, -size, size);
    return TH_LIKELY_NONE(by.rare) ? result : dOneByOne2(pythonQuotient, by.rare, x, y, result);
}
static float pythonQuotientf(float x, float y)
{
    const float r = fmodf(x, y), whole = rintf((x - r) / y);
    const float q = r != 0 && (r < 0) != (y < 0) ? whole - 1 : whole;
    return y == 0 ? x / y : copysignf(q, q == 0 ? x / y : q);
}
TH_INLINE THVectorF fFloorDivide(THVectorF x, THVectorF y)
{
    const THDivisionF by = fDivide(x, y);
    const THMaskF negative = fIsNegative(x) ^ fIsNegative(y);
    const THMaskF below = negative & fLess(fAll(0), by.rest);
    const THVectorF size = fSelect(below, by.quotient + fAll(1), by.quotient);
    const THVectorF result = fSelect(negative, -size, size);
    return TH_LIKELY_NONE(by.rare) ? result : fOneByOne2(pythonQuotientf, by.rare, x, y, result);
}
TH_DEFINE_2(floor_divide, dFloorDivide, fFloorDivide)

#endif
