/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of lines sorted alone, in place in the result; numbers of 8 and 16 bits as longer ones. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/THThreads.h>
#include <TH/ops/THSorting.h>

#include <math.h>
#include <string.h>

THLanesSort TH_ISA_(THDoubles_sort), TH_ISA_(THFloats_sort), TH_ISA_(THInts_sort),
    TH_ISA_(THLongs_sort);

#define TWO_FROM 512   /* elements from which on looking for two values costs nothing */
#define TWO_FIRST 64   /* of which none is a third one, or the rest is not looked at */
#define TWO_LATER 1024 /* the same, when the first are two */

#define TH_GENERIC_FILE "TH/loops/sortValues.c"
#include <TH/THGenerateLoopTypes.h>

#elif !defined(TH_REAL_IS_BOOL) /* which is sorted as bytes */

#if defined(TH_REAL_IS_DOUBLE)
typedef double THLoop_(Lane);
#define bits_t uint64_t
#define sortLanes TH_ISA_(THDoubles_sort)
#elif defined(TH_REAL_IS_FLOAT)
typedef float THLoop_(Lane);
#define bits_t uint32_t
#define sortLanes TH_ISA_(THFloats_sort)
#elif defined(TH_REAL_IS_LONG)
typedef int64_t THLoop_(Lane);
#define sortLanes TH_ISA_(THLongs_sort)
#else
typedef int32_t THLoop_(Lane);
#define sortLanes TH_ISA_(THInts_sort)
#endif

#ifdef TH_CATEGORY_IS_FLOATING
#define SOME 256

/* The elements of which a test is true, in their order, without a branch for each. */
#define PUT_IN_ORDER(to, test)                           \
    for (int64_t begin = 0; begin < n; begin += SOME) {  \
        const int64_t end = THSize_min(n, begin + SOME); \
        storage_t some[SOME + 1];                        \
        int64_t found = 0;                               \
        for (int64_t i = begin; i < end; i++) {          \
            some[found] = x[i];                          \
            found += (test);                             \
        }                                                \
        memcpy(to, some, (size_t)found * sizeof *some);  \
        to += found;                                     \
    }

/* A line, the numbers it is sorted as, and whether there are NaN or -0 among them. */
typedef struct THLoop_(Ranges) {
    const storage_t *x;
    storage_t *values;
    scalar_t sign;
    bool any;
} THLoop_(Ranges);

static void THLoop_(signRange)(int64_t begin, int64_t end, void *context)
{
    THLoop_(Ranges) *r = context;
    const storage_t *restrict x = r->x;
    storage_t *restrict values = r->values;
    const scalar_t sign = r->sign, last = sign * INFINITY;
    uint32_t any = 0;
    for (int64_t i = begin; i < end; i++) {
        bits_t bits;
        memcpy(&bits, x + i, sizeof bits);
        any |= (uint32_t)(x[i] != x[i]) | (uint32_t)(bits << 1 == 0 && bits != 0);
        values[i] = x[i] != x[i] ? last : sign * x[i];
    }
    if (any)
        __atomic_store_n(&r->any, true, __ATOMIC_RELAXED);
}

/* In lanes, zeros have no order and NaN are infinite: these are put in as they were. */
static void THLoop_(sortLanes)(int64_t n, const storage_t *restrict x, storage_t *restrict values,
                               bool descending)
{
    const scalar_t sign = descending ? -1 : 1;
    int64_t nans = 0, zeros = 0, below = 0;
    bits_t anyNan = 0, allNans = (bits_t)-1;
    THLoop_(Ranges) ranges = {x, values, sign, false};
    TH_parallel_for(n, TH_SORT_RANGE, THLoop_(signRange), &ranges);
    for (int64_t i = 0; i < n && ranges.any; i++) {
        bits_t bits;
        memcpy(&bits, x + i, sizeof bits);
        nans += x[i] != x[i];
        anyNan |= x[i] != x[i] ? bits : 0;
        allNans &= x[i] != x[i] ? bits : (bits_t)-1;
        zeros += x[i] == 0;
        below += sign * x[i] < 0;
    }
    sortLanes(values, n);
    for (int64_t i = 0; i < n && descending; i++)
        values[i] = -values[i];
    storage_t *nan = values + (descending ? 0 : n - nans);
    storage_t *zero = values + below + (descending ? nans : 0);
    for (int64_t i = 0; i < nans && anyNan == allNans; i++)
        memcpy(nan + i, &anyNan, sizeof anyNan);
    if (nans && anyNan != allNans)
        PUT_IN_ORDER(nan, x[i] != x[i]);
    if (zeros > 1)
        PUT_IN_ORDER(zero, x[i] == 0);
}
#else
/* A line of two values is so many of one and then those of the other. Counts fit their type. */
static bool THLoop_(sortTwo)(int64_t n, const storage_t *x, storage_t *values, bool descending)
{
    const storage_t one = x[0];
    int64_t at = 1, ones = 0;
    while (at < n && at < TWO_FIRST && x[at] == one)
        at++;
    if (n < TWO_FROM || at == TWO_FIRST)
        return false;
    const storage_t other = x[at];
    for (int64_t begin = 0, end; begin < n; begin = end) {
        const int64_t part = begin && sizeof *x > 1 ? TWO_LATER : TWO_FIRST;
        storage_t same = 0, others = 0;
        end = THSize_min(begin + part, n);
        for (int64_t i = begin; i < end; i++) {
            same = (storage_t)(same + (x[i] == one));
            others = (storage_t)(others + (x[i] == other));
        }
        if (same + others != end - begin)
            return false;
        ones += same;
    }
    const bool oneFirst = (one < other) != descending;
    const int64_t turn = oneFirst ? ones : n - ones;
    for (int64_t i = 0; i < turn; i++)
        values[i] = oneFirst ? one : other;
    for (int64_t i = turn; i < n; i++)
        values[i] = oneFirst ? other : one;
    return true;
}

static void THLoop_(sortLanes)(int64_t n, const storage_t *restrict x, THLoop_(Lane) * lanes,
                               bool descending)
{
    const THLoop_(Lane) flip = descending ? -1 : 0;
    for (int64_t i = 0; i < n; i++)
        lanes[i] = (THLoop_(Lane))TH_LOAD(x + i) ^ flip;
    sortLanes(lanes, n);
    for (int64_t i = 0; i < n && descending; i++)
        lanes[i] ^= flip;
}
#endif

THSortOrdered THLoop_(sortOrdered);
THLineCall THLoop_(sortValues);
void THLoop_(sortValues)(const THLineFunction *function, int64_t n, const void *line,
                         void *const *results, void *scratch)
{
    const THSortOrder *order = function->params;
    storage_t *values = results[0];
    const bool direct = sizeof(storage_t) == sizeof(THLoop_(Lane));
    THLoop_(Lane) *lanes = direct ? results[0] : scratch;
    if (THLoop_(sortOrdered)(n, line, order->descending, values, NULL))
        return;
#ifndef TH_CATEGORY_IS_FLOATING
    if (THLoop_(sortTwo)(n, line, values, order->descending))
        return;
#endif
    THLoop_(sortLanes)(n, line, lanes, order->descending);
    for (int64_t i = 0; i < n && !direct; i++)
        values[i] = (storage_t)lanes[i];
}

#undef sortLanes
#undef bits_t
#undef PUT_IN_ORDER
#undef SOME

#endif
