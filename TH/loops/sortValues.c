/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of lines sorted alone, in place in the result; numbers of 8 and 16 bits as longer ones.
 * Odd ones (THSorting.h) are put in afterwards. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/THThreads.h>
#include <TH/ops/THSorting.h>

#include <string.h>

THValuesSort TH_ISA_(THDoubles_sort), TH_ISA_(THFloats_sort), TH_ISA_(THInts_sort),
    TH_ISA_(THLongs_sort);
THFewSort TH_ISA_(THShorts_sortFew);

#define SOME 64           /* elements looked at for odd ones */
#define TWO_FROM 512      /* elements from which on looking for two values costs nothing */
#define TWO_FIRST 64      /* of which none is a third one, or the rest is not looked at */
#define TWO_LATER 1024    /* the same, when the first are two */
#define COUNTED_FROM 2048 /* elements, from which on integers near to one another are counted */
#define COUNTED_LEAST 12  /* values, of which fewer are sooner parted */
#define COUNTED_EACH 8    /* of them for each value between the least and the most */
#define COUNTED_UPTO 8192 /* values: their counts stay in the second cache */
#define QUARTERS 4        /* of a part, with counts of their own: neighbours are often the same */
#define PARTS 8           /* at most, for threads; all counts fit the scratch memory */
#define PARTS_OF_ALL 2    /* the same where the values may be all that 16 bits hold, ... */
#define HALVES 2          /* ... instead of quarters */
#define PART 65536        /* elements of one, at least */
#define SAME 16           /* elements written at once, of which a value often has fewer */

#define TH_GENERIC_FILE "TH/loops/sortValues.c"
#include <TH/THGenerateLoopTypes.h>

#elif !defined(TH_REAL_IS_BOOL) /* which is sorted as bytes */

#if defined(TH_CATEGORY_IS_FLOATING)
#if defined(TH_REAL_IS_DOUBLE)
#define bits_t uint64_t
#define sortAll TH_ISA_(THDoubles_sort)
#else
#define bits_t uint32_t
#define sortAll TH_ISA_(THFloats_sort)
#endif

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

static void THLoop_(putOdd)(int64_t n, const storage_t *restrict x, storage_t *restrict values,
                            bool descending, void *scratch)
{
    int64_t nans = 0, zeros = 0, before = 0;
    bits_t anyNan = 0, allNans = (bits_t)-1;
    (void)scratch;
    for (int64_t i = 0; i < n; i++) {
        bits_t bits;
        memcpy(&bits, x + i, sizeof bits);
        nans += x[i] != x[i];
        anyNan |= x[i] != x[i] ? bits : 0;
        allNans &= x[i] != x[i] ? bits : (bits_t)-1;
        zeros += x[i] == 0;
        before += descending ? x[i] > 0 : x[i] < 0;
    }
    storage_t *nan = values + (descending ? 0 : n - nans);
    storage_t *zero = values + before + (descending ? nans : 0);
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

/* Integers that are near to one another are counted, and put down again as often. */
typedef struct THLoop_(Counted) {
    const storage_t *x;
    storage_t *values, least;
    int64_t n, parts, each, range;
    uint32_t *counts; /* of each part, value and quarter, or half; then where values begin */
    bool descending;
} THLoop_(Counted);

static inline __attribute__((always_inline)) void THLoop_(countPart)(const THLoop_(Counted) * self,
                                                                     int64_t part, int64_t each)
{
    const uint64_t least = (uint64_t)self->least;
    uint32_t *const counts = self->counts + part * self->range * each;
    const int64_t first = self->n / self->parts * part;
    const int64_t last = part + 1 < self->parts ? first + self->n / self->parts : self->n;
    const int64_t n = (last - first) / each;
    const storage_t *const x = self->x + first;
    memset(counts, 0, (size_t)(self->range * each) * sizeof *counts);
    for (int64_t i = 0; i < n; i++)
        for (int64_t q = 0; q < each; q++)
            counts[((uint64_t)x[i + q * n] - least) * (uint64_t)each + (uint64_t)q]++;
    for (int64_t i = n * each; i < last - first; i++)
        counts[((uint64_t)x[i] - least) * (uint64_t)each]++;
}

static void THLoop_(countParts)(int64_t begin, int64_t end, void *context)
{
    const THLoop_(Counted) self = *(const THLoop_(Counted) *)context;
    for (int64_t part = begin; part < end; part++)
        if (sizeof(storage_t) == 2 && self.each == HALVES)
            THLoop_(countPart)(&self, part, HALVES);
        else
            THLoop_(countPart)(&self, part, QUARTERS);
}

/* Sums the counts of a value up; what they are kept in has been read by then. */
static inline __attribute__((always_inline)) void THLoop_(sumCounts)(const THLoop_(Counted) * of,
                                                                     int64_t each)
{
    const THLoop_(Counted) self = *of;
    uint32_t sum = 0;
    for (int64_t value = 0; value < self.range; value++) {
        uint32_t count = 0;
        for (int64_t part = 0; part < self.parts; part++)
            for (int64_t q = 0; q < each; q++)
                count += self.counts[(part * self.range + value) * each + q];
        self.counts[value] = sum;
        sum += count;
    }
    self.counts[self.range] = sum;
}

/* From the first place on. What is written behind a value's last place is of those after it. */
static void THLoop_(putCounted)(int64_t begin, int64_t end, void *context)
{
    const THLoop_(Counted) self = *(const THLoop_(Counted) *)context;
    int64_t at = self.descending ? self.n - self.counts[end] : self.counts[begin];
    const int64_t last = self.descending ? self.n - self.counts[begin] : self.counts[end];
    for (int64_t i = begin; i < end; i++) {
        const int64_t place = self.descending ? begin + end - 1 - i : i;
        const storage_t value = (storage_t)((uint64_t)self.least + (uint64_t)place);
        const int64_t next = at + self.counts[place + 1] - self.counts[place];
        if (at + SAME <= last) {
            storage_t *const to = self.values + at;
            for (int64_t k = 0; k < SAME; k++)
                to[k] = value;
            at += SAME;
        }
        for (; at < next; at++)
            self.values[at] = value;
        at = next;
    }
}

THSortCounting THLoop_(sortCounting);
bool THLoop_(sortCounting)(int64_t n, const void *line, void *values, bool descending,
                           void *scratch)
{
    const storage_t *const x = line;
    const bool all = sizeof(storage_t) == 2 && n >= TH_SORT_COUNTED;
    const uint64_t most =
        all ? UINT16_MAX + 1u : (uint64_t)THSize_min(n / COUNTED_EACH, COUNTED_UPTO);
    if (n < COUNTED_FROM || n > UINT32_MAX)
        return false;
    storage_t low = x[0], high = x[0];
    for (int64_t begin = 0, end; begin < n; begin = end) {
        end = THSize_min(begin + TWO_LATER, n);
        for (int64_t i = begin; i < end; i++) {
            low = x[i] < low ? x[i] : low;
            high = x[i] > high ? x[i] : high;
        }
        if ((uint64_t)high - (uint64_t)low >= most)
            return false;
    }
    if (high - low < COUNTED_LEAST && !all)
        return false;
    const bool wide = sizeof(storage_t) == 2 && (uint64_t)high - (uint64_t)low >= COUNTED_UPTO;
    const int64_t parts = n < PART * 2 ? 1 : THSize_min(n / PART, wide ? PARTS_OF_ALL : PARTS);
    const int64_t each = wide ? HALVES : QUARTERS;
    THLoop_(Counted) self = {x, values, low, n, parts, each, high - low + 1, scratch, descending};
    TH_parallel_for(parts, 1, THLoop_(countParts), &self);
    if (wide)
        THLoop_(sumCounts)(&self, HALVES);
    else
        THLoop_(sumCounts)(&self, QUARTERS);
    TH_parallel_for(self.range, self.range / parts + 1, THLoop_(putCounted), &self);
    return true;
}

#if defined(TH_REAL_IS_LONG)
#define sortAll TH_ISA_(THLongs_sort)

/* Those beyond an end of what is not odd, moved next to 0. */
static void THLoop_(putBeyond)(int64_t n, const storage_t *x, storage_t *values, bool descending)
{
    sortAll(x, values, n, descending);
    for (int64_t i = 0; i < n; i++)
        values[i] ^= INT64_MIN;
}

static inline bool THLoop_(isOdd)(storage_t x)
{
    return x > TH_LONG_ODD || x < ~TH_LONG_ODD;
}

static void THLoop_(putOdd)(int64_t n, const storage_t *restrict x, storage_t *restrict values,
                            bool descending, void *scratch)
{
    storage_t *const odd = scratch, *below = odd, *above = odd + n;
    int64_t common = 0, commons = 0; /* an odd one that may be most of them, then alone counted */
    for (int64_t begin = 0; begin < n; begin += SOME) {
        const int64_t end = THSize_min(n, begin + SOME);
        int64_t others = 0, same = 0;
        for (int64_t i = begin; i < end; i++) {
            others |= THLoop_(isOdd)(x[i]) & (x[i] != common);
            same += x[i] == common;
        }
        if (!others)
            commons += common ? same : 0;
        for (int64_t i = begin; i < end && others; i++) {
            *below = above[-1] = x[i] ^ INT64_MIN;
            below += x[i] < ~TH_LONG_ODD;
            above -= x[i] > TH_LONG_ODD;
            common = common == 0 && THLoop_(isOdd)(x[i]) ? x[i] : common;
        }
    }
    while (commons-- > 0)
        *(common < 0 ? below++ : --above) = common ^ INT64_MIN;
    const int64_t nbelow = below - odd, nabove = odd + n - above;
    THLoop_(putBeyond)(nbelow, odd, descending ? values + n - nbelow : values, descending);
    THLoop_(putBeyond)(nabove, above, descending ? values : values + n - nabove, descending);
}
#else
#define sortAll TH_ISA_(THInts_sort)
#endif
#endif

THSortOrdered THLoop_(sortOrdered);
THLineCall THLoop_(sortValues);
void THLoop_(sortValues)(const THLineFunction *function, int64_t n, const void *line,
                         void *const *results, void *scratch)
{
    const THSortOrder *order = function->params;
    storage_t *values = results[0];
    (void)scratch;
    if (THLoop_(sortOrdered)(n, line, order->descending, values, NULL))
        return;
#ifdef TH_REAL_IS_SHORT
    if (TH_ISA_(THShorts_sortFew)(line, values, n, order->descending))
        return;
#endif
#ifndef TH_CATEGORY_IS_FLOATING
    if (THLoop_(sortTwo)(n, line, values, order->descending) ||
        THLoop_(sortCounting)(n, line, values, order->descending, scratch))
        return;
#endif
#if defined(TH_REAL_IS_INT)
    sortAll(line, values, n, order->descending);
#elif defined(TH_REAL_IS_LONG) || defined(TH_CATEGORY_IS_FLOATING)
    if (sortAll(line, values, n, order->descending))
        THLoop_(putOdd)(n, line, values, order->descending, scratch);
#else
    int32_t *ints = scratch;
    for (int64_t i = 0; i < n; i++)
        ints[i] = TH_LOAD((const storage_t *)line + i);
    sortAll(ints, ints, n, order->descending);
    for (int64_t i = 0; i < n; i++)
        values[i] = (storage_t)ints[i];
#endif
}

#undef sortAll
#undef bits_t
#undef PUT_IN_ORDER

#endif
