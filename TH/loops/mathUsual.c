/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector functions of AVX2: libmvec's, which goes on one by one for all elements of a vector where
 * one of them is not a usual number. Those that are not are chosen from here in their place, so
 * that infinities, NaN, what has no logarithm and what becomes 0 or infinite take no longer than
 * others. */
#define TH_VECTOR_PRIVATE
#include <TH/THGeneral.h>
#include <TH/loops/exp.h>
#include <TH/loops/vector.h>

#if defined(TH_HAVE_SOME_VECTORS) && !defined(TH_HAVE_VECTOR_FUNCTIONS)

/* Defines `name` of x: `near` where `usual` says so, which takes `safe` for the others, else
 * `other`. */
#define TH_USUAL(c, T, name, near, usual, safe, other)                                        \
    TH_RARE THVector##T name##Rare(THVector##T x)                                             \
    {                                                                                         \
        const THMask##T mask = usual;                                                         \
        const THVector##T rest = other;                                                       \
        return TH_NONE(mask) ? rest                                                           \
                             : c##Select(mask, near(c##Select(mask, x, c##All(safe))), rest); \
    }                                                                                         \
    TH_INLINE THVector##T name(THVector##T x)                                                 \
    {                                                                                         \
        return TH_LIKELY(c##AllOf(usual)) ? near(x) : name##Rare(x);                          \
    }
/* th_<name> of both dtypes, of what is written in the same way for both: the name of the function
 * that is near, what is usual and what others are. */
#define TH_USUAL_BOTH(name, near, usual, safe, other)                                \
    TH_USUAL(d, D, name##Doubles, near(D, name), usual(d, D), safe, other(d))        \
    TH_USUAL(f, F, name##Floats, near(F, name##f), usual(f, F), safe, other(f))      \
    TH_DEFINE_1_USUAL(name, name##Doubles, near(D, name), usual(d, D), name##Floats, \
                      near(F, name##f), usual(f, F))
#define LIBRARY(T, name) TH_VECTOR_NAME_##T(v, name)
#define TH_USUAL_LIBRARY(name, usual, safe, other) \
    TH_LIBRARY_1(D, name)                          \
    TH_LIBRARY_1(F, name##f)                       \
    TH_USUAL_BOTH(name, LIBRARY, usual, safe, other)
/* A function of each element, inline. */
#define TH_EACH(c, T, type, name, function)                                                       \
    TH_INLINE THVector##T name(THVector##T x)                                                     \
    {                                                                                             \
        type lanes[TH_LANES_##T];                                                                 \
        c##Store(lanes, x);                                                                       \
        _Pragma("omp simd") for (int i = 0; i < TH_LANES_##T; i++) lanes[i] = function(lanes[i]); \
        return c##Load(lanes);                                                                    \
    }
TH_EACH(d, D, double, dExpAny, THDouble_expAny)
TH_EACH(f, F, float, fExpAny, THFloat_expAny)
TH_EACH(d, D, double, dExp2Any, THDouble_exp2Any)
TH_EACH(f, F, float, fExp2Any, THFloat_exp2Any)
TH_EACH(d, D, double, dHalfExp, THDouble_halfExpAny)
TH_EACH(f, F, float, fHalfExp, THFloat_halfExpAny)

/* Exponentials: where neither they nor their steps overflow or vanish. */
#define IS_NEAR(c, limit) c##Less(c##Abs(x), c##All(limit))
#define EXP_LIMIT_D 700
#define EXP_LIMIT_F 85
#define HAS_EXP(c, T) IS_NEAR(c, EXP_LIMIT_##T)
#define EXP2_LIMIT_D 1000
#define EXP2_LIMIT_F 120
#define HAS_EXP2(c, T) IS_NEAR(c, EXP2_LIMIT_##T)
#define EXP_ANY(c) c##ExpAny(x)
#define EXP2_ANY(c) c##Exp2Any(x)
TH_USUAL_LIBRARY(exp, HAS_EXP, 0, EXP_ANY)
TH_USUAL_LIBRARY(exp2, HAS_EXP2, 0, EXP2_ANY)

/* exp(x) - 1 is -1 long before -50, and far above 0 exp(x). */
TH_LIBRARY_1(D, expm1)
TH_LIBRARY_1(F, expm1f)
TH_INLINE THVectorD expm1NearD(THVectorD x)
{
    return TH_VECTOR_NAME_D(v, expm1)(dAtLeast(x, -50));
}
TH_INLINE THVectorF expm1NearF(THVectorF x)
{
    return TH_VECTOR_NAME_F(v, expm1f)(fAtLeast(x, -50));
}
#define EXPM1_NEAR(T, name) expm1Near##T
#define BELOW_EXP(c, T) c##Less(x, c##All(EXP_LIMIT_##T))
TH_USUAL_BOTH(expm1, EXPM1_NEAR, BELOW_EXP, 0, EXP_ANY)

/* Far from 0 exp(|x|) / 2, of sinh with the sign of x. */
#define HALF_EXP(c) c##HalfExp(c##Abs(x))
#define SIGNED_HALF_EXP(c) c##Copysign(HALF_EXP(c), x)
TH_USUAL_LIBRARY(sinh, HAS_EXP, 0, SIGNED_HALF_EXP)
TH_USUAL_LIBRARY(cosh, HAS_EXP, 0, HALF_EXP)

/* Beyond the limits less than half the least number. */
#define ERFC_LIMIT_D 27.25
#define ERFC_LIMIT_F 10.1f
#define BELOW_ERFC(c, T) c##Less(x, c##All(ERFC_LIMIT_##T))
#define ZERO_OR_NAN(c) c##Select(c##Less(c##All(0), x), c##All(0), x)
TH_USUAL_LIBRARY(erfc, BELOW_ERFC, 0, ZERO_OR_NAN)

/* Between a pole and infinity; NaN below the pole. */
#define BETWEEN(c, pole) (c##Less(c##All(pole), x) & c##Less(x, c##All(INFINITY)))
#define ABOVE(c, pole) c##Select(c##Less(x, c##All(pole)), c##All(NAN), x)
#define BEYOND(c, pole) c##Select(c##Equal(x, c##All(pole)), c##All(-INFINITY), ABOVE(c, pole))
#define FROM_0(c, T) BETWEEN(c, 0)
#define FROM_MINUS_1(c, T) BETWEEN(c, -1)
#define BEYOND_0(c) BEYOND(c, 0)
#define BEYOND_MINUS_1(c) BEYOND(c, -1)
TH_USUAL_LIBRARY(log, FROM_0, 1, BEYOND_0)
TH_USUAL_LIBRARY(log10, FROM_0, 1, BEYOND_0)
TH_USUAL_LIBRARY(log2, FROM_0, 1, BEYOND_0)
TH_USUAL_LIBRARY(log1p, FROM_MINUS_1, 0, BEYOND_MINUS_1)

/* NaN where there is no angle; at the ends of its domain atanh is infinite. */
#define UP_TO_1(c, T) c##LessEqual(c##Abs(x), c##All(1))
#define BELOW_1(c, T) IS_NEAR(c, 1)
#define FROM_1(c, T) (c##LessEqual(c##All(1), x) & c##Less(x, c##All(INFINITY)))
#define NOWHERE(c) c##All(NAN)
#define AT_1(c) c##Copysign(c##All(INFINITY), x)
#define END_AT_1(c) c##Select(c##Equal(c##Abs(x), c##All(1)), AT_1(c), c##All(NAN))
#define END_AT_INFINITY(c) c##Select(c##Equal(x, c##All(INFINITY)), x, c##All(NAN))
TH_USUAL_LIBRARY(acos, UP_TO_1, 0, NOWHERE)
TH_USUAL_LIBRARY(asin, UP_TO_1, 0, NOWHERE)
TH_USUAL_LIBRARY(atanh, BELOW_1, 0, END_AT_1)
TH_USUAL_LIBRARY(acosh, FROM_1, 1, END_AT_INFINITY)

#endif
