/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector functions: remainders, which are exact.
 *
 * With q = trunc(|x| / |y|), |x| - q |y| is computed exactly by one fused operation while q is
 * below 2^52: the difference is a multiple of the last place of both and not above 2 |y|. A
 * quotient that was rounded to the whole number above leaves a negative remainder, to which |y| is
 * added. Larger quotients are brought down first: rounded to a number they are whole, and what
 * that leaves is exact as well. Floats whose quotient does not fit a float are divided as doubles.
 */
#define TH_VECTOR_PRIVATE
#include <TH/THGeneral.h>
#include <TH/loops/vector.h>

#if defined(TH_HAVE_SOME_VECTORS)

#include <math.h>

typedef struct THDivisionD {
    THVectorD quotient, rest; /* of |x| by |y|, whole and 0 <= rest < |y| */
} THDivisionD;
typedef struct THDivisionF {
    THVectorF quotient, rest;
    THMaskF rare; /* where they are not known */
} THDivisionF;

/* 0 <= x - q y < y with q = trunc(x / y), both below 2^52 or so. */
TH_INLINE THDivisionD dDivideNear(THVectorD x, THVectorD y)
{
    const THVectorD q = dTrunc(x / y), r = dFnma(q, y, x);
    const THMaskD over = dLess(r, dAll(0));
    return (THDivisionD){dSelect(over, q - dAll(1), q), dSelect(over, r + y, r)};
}
/* What is left of x by a multiple of y, where the quotient, which overflows from 2^1024 on, was
 * above 2^52 and so is whole: less than a unit in its last place times y. */
TH_INLINE THVectorD dDivideWhole(THVectorD x, THVectorD y)
{
    const THVectorD q = x / y, unit = dPowerOf(q) * dAll(0x1p-52), r = dFnma(q, y, x);
    return dSelect(dLess(r, dAll(0)), dFma(unit, y, r), r);
}
TH_INLINE THVectorD dBroughtDown(THVectorD x, THVectorD y)
{
    const THVectorD far = y * dAll(0x1p52);
    for (THMaskD above; above = dLess(far, x), !TH_NONE(above);)
        x = dSelect(above, dDivideWhole(x, y), x);
    return x;
}
/* A rest by infinity is what there was, by 0 and of infinity there is none. */
TH_RARE THDivisionD dDivideFar(THVectorD x, THVectorD y)
{
    const THVectorD dividend = dAbs(x), divisor = dAbs(y), larger = divisor * dAll(0x1p800);
    const THMaskD known = dIsFinite(dividend) & dLess(dAll(0), divisor);
    THVectorD rest = dSelect(known, dividend, dAll(NAN));
    rest = dBroughtDown(dBroughtDown(rest, larger * dAll(0x1p800)), larger);
    rest = dBroughtDown(rest, divisor);
    const THDivisionD by = dDivideNear(rest, divisor);
    const THVectorD ratio = dividend / divisor, whole = (dividend - by.rest) / divisor;
    const THVectorD large = dSelect(dLess(dAll(0), divisor), whole, ratio);
    return (THDivisionD){dSelect(dLess(ratio, dAll(0x1p50)) & known, by.quotient, large),
                         dSelect(dIsFinite(divisor), by.rest, rest)};
}
TH_INLINE THDivisionD dDivide(THVectorD x, THVectorD y)
{
    const THDivisionD by = dDivideNear(dAbs(x), dAbs(y));
    const THMaskD usual = dLess(by.quotient, dAll(0x1p52)) & dLess(dAbs(y), dAll(INFINITY));
    return TH_LIKELY(dAllOf(usual)) ? by : dDivideFar(x, y);
}
/* Where there is nothing left the operand that is NaN, else the machine's, as of the C library. */
TH_RARE THVectorD dNanOf(THVectorD x, THVectorD y, THVectorD result)
{
    const THVectorD nan = dSelect(dIsNan(x), x, dSelect(dIsNan(y), y, dAll(-NAN)));
    return dSelect(dIsNan(result), nan, result);
}
TH_INLINE THVectorD dWithNan(THVectorD x, THVectorD y, THVectorD result)
{
    return TH_LIKELY_NONE(dIsNan(result)) ? result : dNanOf(x, y, result);
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
    return dWithNan(x, y, dCopysign(by.rest, x));
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
TH_INLINE THVectorD dRemainder(THVectorD x, THVectorD y)
{
    const THDivisionD by = dDivide(x, y);
    const THMaskD other = (dIsNegative(x) ^ dIsNegative(y)) & dLess(dAll(0), by.rest);
    return dWithNan(x, y, dCopysign(dSelect(other, dAbs(y) - by.rest, by.rest), y));
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
TH_INLINE THVectorD dFloorDivide(THVectorD x, THVectorD y)
{
    const THDivisionD by = dDivide(x, y);
    const THMaskD negative = dIsNegative(x) ^ dIsNegative(y);
    const THMaskD below = negative & dLess(dAll(0), by.rest);
    const THVectorD size = dSelect(below, by.quotient + dAll(1), by.quotient);
    return dWithNan(x, y, dSelect(negative, -size, size));
}
TH_RARE THVectorF fFloorDivideByHalves(THMaskF rare, THVectorF x, THVectorF y, THVectorF result)
{
    return fSelect(rare, fByHalves2(dFloorDivide, x, y), result);
}
TH_INLINE THVectorF fFloorDivide(THVectorF x, THVectorF y)
{
    const THDivisionF by = fDivide(x, y);
    const THMaskF negative = fIsNegative(x) ^ fIsNegative(y);
    const THMaskF below = negative & fLess(fAll(0), by.rest);
    const THVectorF size = fSelect(below, by.quotient + fAll(1), by.quotient);
    const THVectorF result = fSelect(negative, -size, size);
    return TH_LIKELY_NONE(by.rare) ? result : fFloorDivideByHalves(by.rare, x, y, result);
}
TH_DEFINE_2(floor_divide, dFloorDivide, fFloorDivide)

#endif
