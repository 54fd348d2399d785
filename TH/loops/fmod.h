/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fmod by division and one fused operation, where there are no vector functions of our own: the C
 * library's goes bit by bit. Why the rest is exact, TH/loops/mathRemainder.c says. */
#ifndef TH_LOOPS_FMOD_H
#define TH_LOOPS_FMOD_H

#include <math.h>

#include <TH/loops/vector.h>

#if !defined(TH_HAVE_SOME_VECTORS)
#if defined(__FMA__)
/* 0 <= x - q y < y with q = trunc(x / y) below 2^52. */
static inline double th_restNear(double q, double x, double y)
{
    const double rest = fma(-q, y, x);
    return rest < 0 ? rest + y : rest;
}
/* Each step leaves a quotient of 50 bits less. */
static __attribute__((noinline, cold, unused)) double th_fmodFar(double x, double y)
{
    const double divisor = fabs(y);
    double rest = fabs(x);
    if (!(rest < INFINITY && divisor > 0 && divisor < INFINITY))
        return fmod(x, y);
    while (rest >= divisor) {
        const int above = ilogb(rest) - ilogb(divisor) - 50;
        const double by = above > 0 ? ldexp(divisor, above) : divisor;
        rest = th_restNear(trunc(rest / by), rest, by);
    }
    return copysign(rest, x);
}
static inline double th_fmod(double x, double y)
{
    const double dividend = fabs(x), divisor = fabs(y), q = trunc(dividend / divisor);
    if (__builtin_expect(!(q < 0x1p52 && divisor < INFINITY), 0))
        return th_fmodFar(x, y);
    return copysign(th_restNear(q, dividend, divisor), x);
}
/* The rest of two floats is one. */
static inline float th_fmodf(float x, float y)
{
    return (float)th_fmod(x, y);
}
#else
static inline double th_fmod(double x, double y)
{
    return fmod(x, y);
}
static inline float th_fmodf(float x, float y)
{
    return fmodf(x, y);
}
#endif
#endif
#endif
