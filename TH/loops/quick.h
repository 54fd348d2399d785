/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorting in place (lanes.h): quicksort by vectors down to what a network takes, a heap where there
 * are no good pivots. */
#ifndef TH_QUICK_H
#define TH_QUICK_H

#include <TH/THThreads.h>
#include <TH/loops/network.h>

#define ROWS 8
#define STEP (ROWS * LANES)      /* lanes parted at a time */
#define FEW (LANES > 4 ? 4 : 12) /* ... sorted by insertion */

static void sortInserting(lane_t *words, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        const lane_t word = words[i];
        int64_t j = i;
        for (; j > 0 && words[j - 1] > word; j--)
            words[j] = words[j - 1];
        words[j] = word;
    }
}

/* Row by row: compilers make a slow instruction of memcpy. */
INLINE void copyRows(lane_t *to, const lane_t *from, int64_t rows)
{
    for (int64_t i = 0; i < rows * LANES; i += LANES) {
        *(Words *)(void *)(to + i) = loadRow(from + i);
        __asm__ volatile("" ::: "memory"); /* else they call memcpy */
    }
}

/* Up to NETWORK. */
static void sortFew(lane_t *words, int64_t n)
{
    lane_t padded[NETWORK];
    if (n <= FEW) {
        sortInserting(words, n);
        return;
    }
    const int64_t whole = n / LANES;
    const int size = networkOf(n);
    if (n == whole * LANES && whole == 1 << size) {
        networks[size](words);
        return;
    }
    const int rest = (int)(n - whole * LANES);
    copyRows(padded, words, whole);
    for (int64_t i = whole; i < 1 << size; i++)
        *(Words *)(void *)(padded + i * LANES) = spread(LANE_MOST);
    if (rest)
        *(Words *)(void *)(padded + whole * LANES) =
            loadPartOf(words + whole * LANES, rest, spread(LANE_MOST));
    networks[size](padded);
    copyRows(words, padded, whole);
    if (rest)
        storePart(words + whole * LANES, loadRow(padded + whole * LANES), rest);
}

static void sink(lane_t *words, int64_t at, int64_t n)
{
    const lane_t word = words[at];
    for (int64_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && words[child + 1] > words[child];
        if (words[child] <= word)
            break;
        words[at] = words[child];
    }
    words[at] = word;
}

static void sortHeap(lane_t *words, int64_t n)
{
    for (int64_t i = n / 2; i-- > 0;)
        sink(words, i, n);
    while (n-- > 1) {
        const lane_t last = words[n];
        words[n] = words[0];
        words[0] = last;
        sink(words, 0, n);
    }
}

INLINE Words medianOf(Words a, Words b, Words c)
{
    return most(least(a, b), least(most(a, b), c));
}

/* About the median: of eight rows at equal distances that of each lane, of these that of three
 * times three. `repeats` counts lanes in which two of the eight next to it are the same; none of
 * the rows may have more than the pivot (`isMost`). */
typedef struct Pivot {
    lane_t lane;
    int repeats;
    bool isMost;
} Pivot;

static Pivot pivotOf(const lane_t *words, int64_t n)
{
    const int64_t d = n / 8;
    Words m[8] = {loadRow(words),         loadRow(words + d),     loadRow(words + 2 * d),
                  loadRow(words + 3 * d), loadRow(words + 4 * d), loadRow(words + 5 * d),
                  loadRow(words + 6 * d), loadRow(words + 7 * d)};
    sort8(m);
    const int repeats = LANES - __builtin_popcount(above(m[4], m[3]));
    Words v = m[3];
    if (LANES > 2)
        v = medianOf(v, exchangeLanes(v, 1), exchangeLanes(v, 2));
    if (LANES > 4)
        v = medianOf(v, exchangeLanes(v, 4), exchangeLanes(v, LANES > 8 ? 8 : 7));
    return (Pivot){v[0], repeats, !above(m[7], spread(v[0]))};
}

typedef struct Ends {
    lane_t *low, *high;
} Ends;

INLINE void partRow(Ends *ends, Words v, Words limit, bool with)
{
    const unsigned mask = with ? ~above(limit, v) & ((1u << LANES) - 1) : above(v, limit);
    const int count = __builtin_popcount(mask);
    part(v, mask, count, ends->low, ends->high);
    ends->low += LANES - count;
    ends->high -= count;
}

/* What is above the limit, or what is at least the limit, comes last; returns how many others. Both
 * ends are taken out first, which makes room: a step is read where there is less of it, so that
 * there is enough on either side. */
INLINE int64_t separate(lane_t *words, int64_t n, lane_t limit, bool with)
{
    const Words bound = spread(limit);
    lane_t held[3 * STEP];
    Ends ends = {words, words + n};
    const lane_t *left = words, *right = words + n;
    int64_t m = 0;
    if (n >= 2 * STEP) {
        left += STEP, right -= STEP, m = 2 * STEP;
        memcpy(held, words, STEP * sizeof *words);
        memcpy(held + STEP, right, STEP * sizeof *words);
    }
    while (m && right - left >= STEP) {
        const bool fromLeft = left - ends.low <= ends.high - right;
        const lane_t *from = fromLeft ? left : right - STEP;
        Words v[ROWS];
        for (int i = 0; i < ROWS; i++)
            v[i] = loadRow(from + i * LANES);
        left += fromLeft ? STEP : 0;
        right -= fromLeft ? 0 : STEP;
        for (int i = 0; i < ROWS; i++)
            partRow(&ends, v[i], bound, with);
    }
    memcpy(held + m, left, (size_t)(right - left) * sizeof *words);
    m += right - left;
    for (int64_t i = m - m % LANES; i < m; i++) {
        const int up = with ? held[i] >= limit : held[i] > limit;
        *ends.low = ends.high[-1] = held[i];
        ends.low += 1 - up;
        ends.high -= up;
    }
    for (int64_t i = 0; i + LANES <= m; i += LANES)
        partRow(&ends, loadRow(held + i), bound, with);
    return ends.low - words;
}

static int64_t upTo(lane_t *words, int64_t n, lane_t limit)
{
    return separate(words, n, limit, false);
}

static int64_t below(lane_t *words, int64_t n, lane_t limit)
{
    return separate(words, n, limit, true);
}

/* Pivots that may be taken before a line counts as one without good ones. */
static int patience(int64_t n)
{
    return 3 * (64 - __builtin_clzll((uint64_t)n | 1));
}

static bool areSame(const lane_t *words, int64_t n)
{
    const Words first = spread(words[0]);
    for (int64_t i = 0; i < n; i += LANES) {
        const Words row = loadRow(words + (i + LANES <= n ? i : n - LANES));
        if (above(first, row) | above(row, first))
            return false;
    }
    return true;
}

/* Parts words in two, none of which is all of them unless these are all the same; `lowSame` and
 * `highSame` tell which part is known to be. Below a pivot that is likely to be the most there may
 * be less than up to it. */
static int64_t partWords(lane_t *words, int64_t n, Pivot pivot, bool *lowSame, bool *highSame)
{
    *lowSame = *highSame = false;
    int64_t low = pivot.isMost ? below(words, n, pivot.lane) : upTo(words, n, pivot.lane);
    if (pivot.isMost && low == 0) {
        low = upTo(words, n, pivot.lane);
        *lowSame = true;
    } else if (low == n) {
        low = below(words, n, pivot.lane);
        *highSame = true;
    }
    return low;
}

/* The largest network is for words of which few are the same: others are soon parted into such as
 * need no sorting. */
static void sortRange(lane_t *words, int64_t n, int left)
{
    while (n > NETWORK / 2) {
        bool lowSame, highSame;
        if (areSame(words, n))
            return;
        const Pivot pivot = pivotOf(words, n);
        if (n <= NETWORK && pivot.repeats < LANES / 2)
            break;
        if (left-- == 0) {
            sortHeap(words, n);
            return;
        }
        const int64_t low = partWords(words, n, pivot, &lowSame, &highSame);
        if (highSame) {
            n = low;
        } else if (lowSame || 2 * low < n) {
            if (!lowSame)
                sortRange(words, low, left);
            words += low;
            n -= low;
        } else {
            sortRange(words + low, n - low, left);
            n = low;
        }
    }
    sortFew(words, n);
}

/* Long lines are parted again and again, by all threads from the second time on, and the parts
 * sorted. There is one order of words, so it does not matter who has sorted which. */
#define PARTS 16
#define PARTS_FROM (1 << 16)

typedef struct Part {
    lane_t *words;
    int64_t n;
    bool same; /* all of them */
} Part;

typedef struct Parting {
    Part parts[PARTS];
    int step; /* parts from one that is there to the next */
} Parting;

static void halveParts(int64_t begin, int64_t end, void *context)
{
    Parting *self = context;
    for (int64_t i = begin; i < end; i++) {
        Part *part = &self->parts[i * self->step], *other = part + self->step / 2;
        const int64_t n = part->n;
        bool same = false; /* of the other part */
        part->same = part->same || (n > NETWORK && areSame(part->words, n));
        if (n > NETWORK && !part->same)
            part->n = partWords(part->words, n, pivotOf(part->words, n), &part->same, &same);
        *other = (Part){part->words + part->n, n - part->n, same};
    }
}

static void sortParts(int64_t begin, int64_t end, void *context)
{
    const Parting *self = context;
    for (int64_t i = begin; i < end; i++) {
        const Part *part = &self->parts[i];
        if (!part->same)
            sortRange(part->words, part->n, patience(part->n));
    }
}

static void sortAll(lane_t *words, int64_t n)
{
    if (n <= NETWORK / 2) {
        sortFew(words, n);
    } else if (n < PARTS_FROM) {
        sortRange(words, n, patience(n));
    } else {
        Parting parting = {.parts = {{words, n, false}}, .step = PARTS};
        for (; parting.step > 1; parting.step /= 2)
            TH_parallel_for(PARTS / parting.step, 1, halveParts, &parting);
        TH_parallel_for(PARTS, 1, sortParts, &parting);
    }
}

#endif
