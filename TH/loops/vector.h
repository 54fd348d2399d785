/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to loops: what they ask of the machine beside + - * /, which compilers have for vectors.
 * An instruction set is added by a file of its own with the same names: vectorWide.h of AVX-512,
 * vectorNarrow.h of AVX2; without one TH_HAVE_VECTOR_FUNCTIONS stays undefined, and functions are
 * the C library's. With AVX2, where tables are slow, there are those alone that the C library has
 * no vectors of, or slow ones for some numbers: TH_HAVE_SOME_VECTORS, which AVX-512 has, too. */
#ifndef TH_LOOPS_VECTOR_H
#define TH_LOOPS_VECTOR_H

#include <stdint.h>

#include <TH/THGeneral.h>

#if defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#if !__GLIBC_PREREQ(2, 35)
#elif defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define TH_HAVE_VECTOR_FUNCTIONS 1
#define TH_HAVE_SOME_VECTORS 1
#define TH_VECTOR_FUNCTION(name) TH_CONCAT_2(th_, name)
#elif defined(__AVX2__) && defined(__FMA__)
#define TH_HAVE_SOME_VECTORS 1
#define TH_VECTOR_FUNCTION(name) TH_CONCAT_3(th_, name, _v3)
#endif
#endif

/* expTerm(x) is exp(x) 2^64 for x <= 0 or NaN: not subnormal where exp(x) is, with which machines
 * take long. Times TH_TERM_UNIT that is exp(x). */
#define TH_TERM_POWER 64
#define TH_TERM_UNIT 0x1p-64f

#if defined(TH_VECTOR_PRIVATE) && defined(TH_HAVE_SOME_VECTORS)

#include <TH/THHalf.h>

#define TH_INLINE static inline __attribute__((always_inline, unused))
/* What rare elements need; a function of vectors, so that the usual path needs no stack. */
#define TH_RARE static __attribute__((noinline, cold, unused))

#if !defined(TH_HAVE_VECTOR_FUNCTIONS)
#include <TH/loops/vectorNarrow.h>
#else
#include <TH/loops/vectorWide.h>
#endif

/* The upper half of a product of 64 bits. */
TH_INLINE THVectorWords vHighProduct(THVectorWords x, THVectorWords y)
{
    const THVectorWords mask = (THVectorWords){0} + UINT32_MAX;
    const THVectorWords cross = vHalfProduct(x >> 32, y) + (vHalfProduct(x, y) >> 32);
    const THVectorWords other = vHalfProduct(x, y >> 32) + (cross & mask);
    return vHalfProduct(x >> 32, y >> 32) + (cross >> 32) + (other >> 32);
}
/* Not 0 where an integer has more than 51 bits: of two that have not, a quotient of doubles that is
 * not whole is 1 / y or more away from the next whole number, which is more than rounding moves it.
 */
TH_INLINE THVectorWords vBeyond51(THVectorWords x, THVectorWords y)
{
    const THVectorWords bound = (THVectorWords){0} + (UINT64_C(1) << 51);
    return ((x + bound) | (y + bound)) >> 52;
}
/* c[0] + c[1] x + ... + c[n - 1] x^(n - 1), in two halves that the machine computes side by side.
 */
TH_INLINE THVectorD dPolynomial(THVectorD x, const double *c, int n)
{
    const THVectorD square = x * x;
    THVectorD even = dAll(c[(n - 1) & ~1]), odd = dAll(c[(n - 2) | 1]);
#pragma GCC unroll 16
    for (int i = ((n - 1) & ~1) - 2; i >= 0; i -= 2)
        even = dFma(even, square, dAll(c[i]));
#pragma GCC unroll 16
    for (int i = ((n - 2) | 1) - 2; i >= 0; i -= 2)
        odd = dFma(odd, square, dAll(c[i]));
    return dFma(odd, x, even);
}
/* The same with four terms side by side, n being 4 m + 1 or 4 m + 2. */
TH_INLINE THVectorD dFours(THVectorD x, const double *c, int n)
{
    const THVectorD square = x * x, fourth = square * square;
    THVectorD sum = n & 1 ? dAll(c[n - 1]) : dFma(dAll(c[n - 1]), x, dAll(c[n - 2]));
#pragma GCC unroll 16
    for (int i = ((n - 1) & ~3) - 4; i >= 0; i -= 4) {
        const THVectorD low = dFma(dAll(c[i + 1]), x, dAll(c[i]));
        const THVectorD high = dFma(dAll(c[i + 3]), x, dAll(c[i + 2]));
        sum = dFma(sum, fourth, dFma(high, square, low));
    }
    return sum;
}
TH_INLINE THVectorF fPolynomial(THVectorF x, const float *c, int n)
{
    THVectorF sum = fAll(c[n - 1]);
#pragma GCC unroll 16
    for (int i = n - 2; i >= 0; i--)
        sum = fFma(sum, x, fAll(c[i]));
    return sum;
}
/* The same by twos, with fewer steps that wait for one another, for x whose square is not too small
 * for a usual number. */
TH_INLINE THVectorF fPairs(THVectorF x, const float *c, int n)
{
    const THVectorF square = x * x;
    const int last = (n - 1) & ~1;
    THVectorF sum = n & 1 ? fAll(c[last]) : fFma(fAll(c[last + 1]), x, fAll(c[last]));
#pragma GCC unroll 16
    for (int i = last - 2; i >= 0; i -= 2)
        sum = fFma(sum, square, fFma(fAll(c[i + 1]), x, fAll(c[i])));
    return sum;
}
#if defined(TH_HAVE_VECTOR_FUNCTIONS)
/* The value at x of that of 16 polynomials that `place` chooses; of doubles the upper terms in two
 * halves that the machine computes side by side. */
TH_INLINE THVectorD dPieces(THVectorD x, THVectorBits place, const double (*c)[16], int n)
{
    const THVectorD square = x * x;
    THVectorD even = dTable(c[(n - 1) & ~1], place), odd = dTable(c[(n - 2) | 1], place);
#pragma GCC unroll 16
    for (int i = ((n - 1) & ~1) - 2; i > 0; i -= 2)
        even = dFma(even, square, dTable(c[i], place));
#pragma GCC unroll 16
    for (int i = ((n - 2) | 1) - 2; i > 1; i -= 2)
        odd = dFma(odd, square, dTable(c[i], place));
    const THVectorD upper = dFma(odd, x, even);
    return dFma(dFma(upper, x, dTable(c[1], place)), x, dTable(c[0], place));
}
TH_INLINE THVectorF fPieces(THVectorF x, THVectorBits place, const float (*c)[16], int n)
{
    THVectorF sum = fTable(c[n - 1], place);
#pragma GCC unroll 16
    for (int i = n - 2; i >= 0; i--)
        sum = fFma(sum, x, fTable(c[i], place));
    return sum;
}
/* x / (y + rest) within 0.63 units in the last place, where 1 / y is neither subnormal nor infinite
 * and rest below a unit of y: faster than the machine's division. */
TH_INLINE THVectorD dQuotient(THVectorD x, THVectorD y, THVectorD rest)
{
    const THVectorD approximate = dReciprocal14(y);
    const THVectorD inverse = dFma(approximate, dFnma(y, approximate, dAll(1)), approximate);
    const THVectorD quotient = x * inverse;
    return dFma(dFnma(quotient, rest, dFnma(y, quotient, x)), inverse, quotient);
}
TH_INLINE THVectorF fQuotient(THVectorF x, THVectorF y, THVectorF rest)
{
    const THVectorF inverse = fReciprocal14(y), quotient = x * inverse;
    return fFma(fFnma(quotient, rest, fFnma(y, quotient, x)), inverse, quotient);
}
#endif
/* Calls a function of doubles on both halves. */
#define fByHalves1(function, x) fOfHalves(function(fLower(x)), function(fUpper(x)))
#define fByHalves2(function, x, y) \
    fOfHalves(function(fLower(x), fLower(y)), function(fUpper(x), fUpper(y)))

/* `result` with the elements in `rare` computed one by one by the C library's function. */
TH_RARE THVectorD dOneByOne1(double (*function)(double), THMaskD rare, THVectorD x,
                             THVectorD result)
{
    double from[TH_LANES_D], to[TH_LANES_D];
    dStore(from, x);
    dStore(to, result);
    for (int i = 0; i < TH_LANES_D; i++)
        to[i] = TH_MASK_HAS(rare, i) ? function(from[i]) : to[i];
    return dLoad(to);
}
TH_RARE THVectorD dOneByOne2(double (*function)(double, double), THMaskD rare, THVectorD x,
                             THVectorD y, THVectorD result)
{
    double first[TH_LANES_D], second[TH_LANES_D], to[TH_LANES_D];
    dStore(first, x);
    dStore(second, y);
    dStore(to, result);
    for (int i = 0; i < TH_LANES_D; i++)
        to[i] = TH_MASK_HAS(rare, i) ? function(first[i], second[i]) : to[i];
    return dLoad(to);
}
TH_RARE THVectorF fOneByOne2(float (*function)(float, float), THMaskF rare, THVectorF x,
                             THVectorF y, THVectorF result)
{
    float first[TH_LANES_F], second[TH_LANES_F], to[TH_LANES_F];
    fStore(first, x);
    fStore(second, y);
    fStore(to, result);
    for (int i = 0; i < TH_LANES_F; i++)
        to[i] = TH_MASK_HAS(rare, i) ? function(first[i], second[i]) : to[i];
    return fLoad(to);
}
/* A vector function of libmvec. */
#define TH_LIBRARY_1(T, name) THVector##T TH_VECTOR_NAME_##T(v, name)(THVector##T x);
#define TH_LIKELY_NONE(mask) __builtin_expect(TH_NONE(mask), 1)
/* Defines `name`: `near` for elements below `limit`, whatever their signs, else `beyond`; NaN of
 * what is not finite, which `near` need not be made for. */
#define TH_NEAR(c, T, name, near, limit, beyond)                                                   \
    TH_RARE THVector##T name##Rare(THVector##T x)                                                  \
    {                                                                                              \
        const THMask##T isNear = c##Less(c##Abs(x), c##All(limit));                                \
        const THMask##T isFinite = c##Less(c##Abs(x), c##All(INFINITY));                           \
        THVector##T result = x - x;                                                                \
        if (!TH_NONE(isFinite ^ isNear))                                                           \
            result = beyond(x);                                                                    \
        return TH_NONE(isNear) ? result                                                            \
                               : c##Select(isNear, near(c##Select(isNear, x, c##All(0))), result); \
    }                                                                                              \
    TH_INLINE THVector##T name(THVector##T x)                                                      \
    {                                                                                              \
        const THMask##T isNear = c##Less(c##Abs(x), c##All(limit));                                \
        return TH_LIKELY(c##AllOf(isNear)) ? near(x) : name##Rare(x);                              \
    }
/* The same where libmvec has it near; there it goes on one by one for others, also for NaN. */
#define TH_NEAR_BY_LIBRARY(c, T, name, library, limit, beyond) \
    TH_LIBRARY_1(T, library)                                   \
    TH_NEAR(c, T, name, TH_VECTOR_NAME_##T(v, library), limit, beyond)

/* Defines th_<name> of doubles (D), of floats (F) from a function of vectors: the vector functions
 * of the ABI, of narrower vectors too, in which compilers do the end of a loop, and that of a
 * single element. An element has the same result in all of them. */
#define TH_DEFINE_1_D(name, function)                                                            \
    TH_API THVectorD TH_VECTOR_NAME_D(v, TH_VECTOR_FUNCTION(name))(THVectorD x);                 \
    THVectorD TH_VECTOR_NAME_D(v, TH_VECTOR_FUNCTION(name))(THVectorD x)                         \
    {                                                                                            \
        return function(x);                                                                      \
    }                                                                                            \
    TH_API THHalfVectorD TH_HALF_NAME_D(v, TH_VECTOR_FUNCTION(name))(THHalfVectorD x);           \
    THHalfVectorD TH_HALF_NAME_D(v, TH_VECTOR_FUNCTION(name))(THHalfVectorD x)                   \
    {                                                                                            \
        return dHalf(TH_VECTOR_NAME_D(v, TH_VECTOR_FUNCTION(name))(dOfHalf(x)));                 \
    }                                                                                            \
    TH_QUARTERS(                                                                                 \
        TH_API THQuarterVectorD TH_QUARTER_NAME_D(v,                                             \
                                                  TH_VECTOR_FUNCTION(name))(THQuarterVectorD x); \
        THQuarterVectorD TH_QUARTER_NAME_D(v, TH_VECTOR_FUNCTION(name))(THQuarterVectorD x) {    \
            return dQuarter(TH_VECTOR_NAME_D(v, TH_VECTOR_FUNCTION(name))(dOfQuarter(x)));       \
        })                                                                                       \
    TH_API double TH_VECTOR_FUNCTION(name)(double x);                                            \
    double TH_VECTOR_FUNCTION(name)(double x)                                                    \
    {                                                                                            \
        return dFirst(TH_VECTOR_NAME_D(v, TH_VECTOR_FUNCTION(name))(dAll(x)));                   \
    }
#define TH_DEFINE_1_F(name, function)                                                            \
    TH_API THVectorF TH_VECTOR_NAME_F(v, TH_VECTOR_FUNCTION(name##f))(THVectorF x);              \
    THVectorF TH_VECTOR_NAME_F(v, TH_VECTOR_FUNCTION(name##f))(THVectorF x)                      \
    {                                                                                            \
        return function(x);                                                                      \
    }                                                                                            \
    TH_API THHalfVectorF TH_HALF_NAME_F(v, TH_VECTOR_FUNCTION(name##f))(THHalfVectorF x);        \
    THHalfVectorF TH_HALF_NAME_F(v, TH_VECTOR_FUNCTION(name##f))(THHalfVectorF x)                \
    {                                                                                            \
        return fHalf(TH_VECTOR_NAME_F(v, TH_VECTOR_FUNCTION(name##f))(fOfHalf(x)));              \
    }                                                                                            \
    TH_QUARTERS(                                                                                 \
        TH_API THQuarterVectorF TH_QUARTER_NAME_F(v, TH_VECTOR_FUNCTION(name##f))(               \
            THQuarterVectorF x);                                                                 \
        THQuarterVectorF TH_QUARTER_NAME_F(v, TH_VECTOR_FUNCTION(name##f))(THQuarterVectorF x) { \
            return fQuarter(TH_VECTOR_NAME_F(v, TH_VECTOR_FUNCTION(name##f))(fOfQuarter(x)));    \
        })                                                                                       \
    TH_API float TH_VECTOR_FUNCTION(name##f)(float x);                                           \
    float TH_VECTOR_FUNCTION(name##f)(float x)                                                   \
    {                                                                                            \
        return fFirst(TH_VECTOR_NAME_F(v, TH_VECTOR_FUNCTION(name##f))(fAll(x)));                \
    }
/* The same over an array, `side` vectors at a time: two side by side, their instructions mixed,
 * take up to a fifth less than one after the other, of which a processor does not see enough at
 * once. gcc mixes them only when it is asked to; branches and calls keep it from that. The second
 * of two may be computed in an `other` way. */
#define TH_MIXED_1
#define TH_MIXED_2 __attribute__((optimize("schedule-insns")))
#define TH_DEFINE_ARRAY(c, T, type, arrays, vector, function, other, side)                         \
    TH_API void arrays(int64_t n, type *to, const type *from);                                     \
    TH_MIXED_##side void arrays(int64_t n, type *to, const type *from)                             \
    {                                                                                              \
        const int64_t step = side * TH_LANES_##T;                                                  \
        for (; n >= step; n -= step, to += step, from += step) {                                   \
            const THVector##T first = c##Load(from), second = c##Load(from + step - TH_LANES_##T); \
            const THVector##T result = function(first);                                            \
            if (side == 2)                                                                         \
                c##Store(to + TH_LANES_##T, other(second));                                        \
            c##Store(to, result);                                                                  \
        }                                                                                          \
        for (; n > 0; n -= TH_LANES_##T, to += TH_LANES_##T, from += TH_LANES_##T) {               \
            const int some = n < TH_LANES_##T ? (int)n : TH_LANES_##T;                             \
            c##StoreSome(to, some, vector(c##LoadSome(from, some)));                               \
        }                                                                                          \
    }
/* The same of two arguments: `usual` tells for which `near` is made, `any` takes others. */
#define TH_DEFINE_ARRAY_2(c, T, type, arrays, usual, near, any)                                 \
    TH_RARE void arrays##Rare(type *to, const type *x, const type *y)                           \
    {                                                                                           \
        const THVector##T first = any(c##Load(x), c##Load(y));                                  \
        c##Store(to + TH_LANES_##T, any(c##Load(x + TH_LANES_##T), c##Load(y + TH_LANES_##T))); \
        c##Store(to, first);                                                                    \
    }                                                                                           \
    TH_API void arrays(int64_t n, type *to, const type *x, const type *y);                      \
    TH_MIXED_2 void arrays(int64_t n, type *to, const type *x, const type *y)                   \
    {                                                                                           \
        const int64_t step = 2 * TH_LANES_##T;                                                  \
        for (; n >= step; n -= step, to += step, x += step, y += step) {                        \
            const THVector##T x1 = c##Load(x), x2 = c##Load(x + TH_LANES_##T);                  \
            const THVector##T y1 = c##Load(y), y2 = c##Load(y + TH_LANES_##T);                  \
            if (TH_UNLIKELY(!c##AllOf(usual(x1, y1) & usual(x2, y2)))) {                        \
                arrays##Rare(to, x, y);                                                         \
                continue;                                                                       \
            }                                                                                   \
            const THVector##T first = near(x1, y1), second = near(x2, y2);                      \
            c##Store(to, first);                                                                \
            c##Store(to + TH_LANES_##T, second);                                                \
        }                                                                                       \
        for (; n > 0;                                                                           \
             n -= TH_LANES_##T, to += TH_LANES_##T, x += TH_LANES_##T, y += TH_LANES_##T) {     \
            const int some = n < TH_LANES_##T ? (int)n : TH_LANES_##T;                          \
            const THVector##T x1 = c##LoadSome(x, some), y1 = c##LoadSome(y, some);             \
            const bool plain = c##AllOf(usual(x1, y1));                                         \
            c##StoreSome(to, some, TH_LIKELY(plain) ? near(x1, y1) : any(x1, y1));              \
        }                                                                                       \
    }
#define TH_DEFINE_HALVES(arrays, function)                         \
    TH_API void arrays(int64_t n, THHalf *to, const THHalf *from); \
    void arrays(int64_t n, THHalf *to, const THHalf *from)         \
    {                                                              \
        for (int64_t i = 0; i < n; i += TH_LANES_F)                \
            fStoreHalves(to + i, function(fLoadHalves(from + i))); \
    }
/* Of all types, of Half in whole vectors. */
#define TH_DEFINE_1_BY(dSide, fSide, name, dFunction, fFunction)                                   \
    TH_DEFINE_1_D(name, dFunction)                                                                 \
    TH_DEFINE_1_F(name, fFunction)                                                                 \
    TH_DEFINE_ARRAY(d, D, double, TH_VECTOR_FUNCTION(name##_doubles),                              \
                    TH_VECTOR_NAME_D(v, TH_VECTOR_FUNCTION(name)), dFunction, dFunction, dSide)    \
    TH_DEFINE_ARRAY(f, F, float, TH_VECTOR_FUNCTION(name##_floats),                                \
                    TH_VECTOR_NAME_F(v, TH_VECTOR_FUNCTION(name##f)), fFunction, fFunction, fSide) \
    TH_DEFINE_HALVES(TH_VECTOR_FUNCTION(name##_halves), fFunction)
#define TH_DEFINE_1(name, dFunction, fFunction) TH_DEFINE_1_BY(2, 2, name, dFunction, fFunction)
#define TH_DEFINE_1_SINGLY(name, dFunction, fFunction) \
    TH_DEFINE_1_BY(1, 1, name, dFunction, fFunction)
#if !defined(TH_HAVE_VECTOR_FUNCTIONS)
/* The same of a `near` function, of libmvec, for arguments x that are `usual`, and of `function` of
 * any. Calls are so short that a test for each is felt (a seventh of a sine; EPYC 7003): several
 * vectors are tested at once. */
#define TH_USUAL_PART 8
#define TH_DEFINE_USUAL_ARRAY(c, T, type, arrays, rare, function, near, usual)              \
    TH_RARE void rare(type *to, const type *from)                                           \
    {                                                                                       \
        for (int i = 0; i < TH_USUAL_PART * TH_LANES_##T; i += TH_LANES_##T)                \
            c##Store(to + i, function(c##Load(from + i)));                                  \
    }                                                                                       \
    TH_API void arrays(int64_t n, type *to, const type *from);                              \
    void arrays(int64_t n, type *to, const type *from)                                      \
    {                                                                                       \
        const int64_t part = TH_USUAL_PART * TH_LANES_##T;                                  \
        for (; n >= part; n -= part, to += part, from += part) {                            \
            THVector##T x = c##Load(from);                                                  \
            THMask##T mask = usual;                                                         \
            _Pragma("GCC unroll 8") for (int i = TH_LANES_##T; i < part; i += TH_LANES_##T) \
            {                                                                               \
                x = c##Load(from + i);                                                      \
                mask &= usual;                                                              \
            }                                                                               \
            if (TH_UNLIKELY(!c##AllOf(mask))) {                                             \
                rare(to, from);                                                             \
                continue;                                                                   \
            }                                                                               \
            for (int i = 0; i < part; i += TH_LANES_##T)                                    \
                c##Store(to + i, near(c##Load(from + i)));                                  \
        }                                                                                   \
        for (; n > 0; n -= TH_LANES_##T, to += TH_LANES_##T, from += TH_LANES_##T) {        \
            const bool whole = n >= TH_LANES_##T;                                           \
            const THVector##T result =                                                      \
                function(whole ? c##Load(from) : c##LoadSome(from, (int)n));                \
            if (whole)                                                                      \
                c##Store(to, result);                                                       \
            else                                                                            \
                c##StoreSome(to, (int)n, result);                                           \
        }                                                                                   \
    }
#define TH_DEFINE_1_USUAL(name, dFunction, dNear, dUsual, fFunction, fNear, fUsual)            \
    TH_DEFINE_1_D(name, dFunction)                                                             \
    TH_DEFINE_1_F(name, fFunction)                                                             \
    TH_DEFINE_USUAL_ARRAY(d, D, double, TH_VECTOR_FUNCTION(name##_doubles), name##RareDoubles, \
                          TH_VECTOR_NAME_D(v, TH_VECTOR_FUNCTION(name)), dNear, dUsual)        \
    TH_DEFINE_USUAL_ARRAY(f, F, float, TH_VECTOR_FUNCTION(name##_floats), name##RareFloats,    \
                          TH_VECTOR_NAME_F(v, TH_VECTOR_FUNCTION(name##f)), fNear, fUsual)     \
    TH_DEFINE_HALVES(TH_VECTOR_FUNCTION(name##_halves), fFunction)
#endif
#define TH_DEFINE_2_D(name, function)                                                            \
    TH_API THVectorD TH_VECTOR_NAME_D(vv, TH_VECTOR_FUNCTION(name))(THVectorD x, THVectorD y);   \
    THVectorD TH_VECTOR_NAME_D(vv, TH_VECTOR_FUNCTION(name))(THVectorD x, THVectorD y)           \
    {                                                                                            \
        return function(x, y);                                                                   \
    }                                                                                            \
    TH_API THHalfVectorD TH_HALF_NAME_D(vv, TH_VECTOR_FUNCTION(name))(THHalfVectorD x,           \
                                                                      THHalfVectorD y);          \
    THHalfVectorD TH_HALF_NAME_D(vv, TH_VECTOR_FUNCTION(name))(THHalfVectorD x, THHalfVectorD y) \
    {                                                                                            \
        return dHalf(TH_VECTOR_NAME_D(vv, TH_VECTOR_FUNCTION(name))(dOfHalf(x), dOfHalf(y)));    \
    }                                                                                            \
    TH_QUARTERS(TH_API THQuarterVectorD TH_QUARTER_NAME_D(vv, TH_VECTOR_FUNCTION(name))(         \
                    THQuarterVectorD x, THQuarterVectorD y);                                     \
                THQuarterVectorD TH_QUARTER_NAME_D(vv, TH_VECTOR_FUNCTION(name))(                \
                    THQuarterVectorD x, THQuarterVectorD y) {                                    \
                    return dQuarter(TH_VECTOR_NAME_D(vv, TH_VECTOR_FUNCTION(name))(              \
                        dOfQuarter(x), dOfQuarter(y)));                                          \
                })                                                                               \
    TH_API double TH_VECTOR_FUNCTION(name)(double x, double y);                                  \
    double TH_VECTOR_FUNCTION(name)(double x, double y)                                          \
    {                                                                                            \
        return dFirst(TH_VECTOR_NAME_D(vv, TH_VECTOR_FUNCTION(name))(dAll(x), dAll(y)));         \
    }
#define TH_DEFINE_2_F(name, function)                                                             \
    TH_API THVectorF TH_VECTOR_NAME_F(vv, TH_VECTOR_FUNCTION(name##f))(THVectorF x, THVectorF y); \
    THVectorF TH_VECTOR_NAME_F(vv, TH_VECTOR_FUNCTION(name##f))(THVectorF x, THVectorF y)         \
    {                                                                                             \
        return function(x, y);                                                                    \
    }                                                                                             \
    TH_API THHalfVectorF TH_HALF_NAME_F(vv, TH_VECTOR_FUNCTION(name##f))(THHalfVectorF x,         \
                                                                         THHalfVectorF y);        \
    THHalfVectorF TH_HALF_NAME_F(vv, TH_VECTOR_FUNCTION(name##f))(THHalfVectorF x,                \
                                                                  THHalfVectorF y)                \
    {                                                                                             \
        return fHalf(TH_VECTOR_NAME_F(vv, TH_VECTOR_FUNCTION(name##f))(fOfHalf(x), fOfHalf(y)));  \
    }                                                                                             \
    TH_QUARTERS(TH_API THQuarterVectorF TH_QUARTER_NAME_F(vv, TH_VECTOR_FUNCTION(name##f))(       \
                    THQuarterVectorF x, THQuarterVectorF y);                                      \
                THQuarterVectorF TH_QUARTER_NAME_F(vv, TH_VECTOR_FUNCTION(name##f))(              \
                    THQuarterVectorF x, THQuarterVectorF y) {                                     \
                    return fQuarter(TH_VECTOR_NAME_F(vv, TH_VECTOR_FUNCTION(name##f))(            \
                        fOfQuarter(x), fOfQuarter(y)));                                           \
                })                                                                                \
    TH_API float TH_VECTOR_FUNCTION(name##f)(float x, float y);                                   \
    float TH_VECTOR_FUNCTION(name##f)(float x, float y)                                           \
    {                                                                                             \
        return fFirst(TH_VECTOR_NAME_F(vv, TH_VECTOR_FUNCTION(name##f))(fAll(x), fAll(y)));       \
    }
#define TH_DEFINE_2(name, dFunction, fFunction) \
    TH_DEFINE_2_D(name, dFunction)              \
    TH_DEFINE_2_F(name, fFunction)

#endif
#endif
