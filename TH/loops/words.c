/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorting and selecting words (TH/ops/THSorting.h), as doubles; by digits where they differ in few
 * bits. Doubles and longs alone are sorted by the same code, as doubles compare faster. */
#define LANE_double
#include <TH/THAllocator.h>
#include <TH/loops/quick.h>
#include <TH/ops/THSorting.h>

/* So few runs that rise or fall are merged, if none but the last is short. */
#define RUNS 16
#define RUNS_FROM 512
#define RUN_LEAST 64
#define MERGED_ROWS 4                /* of each of two runs, merged at a time */
#define MERGED (MERGED_ROWS * LANES) /* words of them */
#define SAMPLES (8 * LANES)          /* words a pivot for selecting is taken from */
#define DIGIT_BITS 11
/* So many words that differ in so few bits are sorted faster by digits than by short vectors. */
#define DIGITS_FROM (LANES > 2 ? 4096 : 1024)
#define DIGITS_UPTO UINT32_MAX /* what a count holds */
#define DIGITS_BITS (LANES > 4 ? 0 : LANES > 2 ? 22 : TH_WORD_BITS)

static lane_t laneOf(uint64_t word)
{
    lane_t lane;
    memcpy(&lane, &word, sizeof lane);
    return lane;
}

/* The word in place `at` of SAMPLES sorted ones taken at equal distances. */
static uint64_t sampleOf(const uint64_t *words, int64_t n, int64_t at)
{
    uint64_t sample[SAMPLES];
    for (int64_t i = 0; i < SAMPLES; i++)
        sample[i] = words[i * (n / SAMPLES)];
    sortNetwork8((lane_t *)sample);
    return sample[at];
}

THWordsPartition TH_ISA_(THWords_partition);
int64_t TH_ISA_(THWords_partition)(uint64_t *words, int64_t n, uint64_t limit)
{
    return upTo((lane_t *)words, n, laneOf(limit));
}

/* By digits of the bits from `low` up to `high`, the least first. False without memory for it. */
static bool sortDigits(uint64_t *words, int64_t n, int low, int high)
{
    const int passes = (high - low + DIGIT_BITS - 1) / DIGIT_BITS;
    const int bits = passes ? (high - low + passes - 1) / passes : 0;
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    uint64_t *const spare = THAlloc((size_t)n * sizeof *spare), *from = words, *to = spare;
    for (int shift = low; spare && shift < high; shift += bits) {
        uint32_t count[1 << DIGIT_BITS] = {0}, sum = 0;
        for (int64_t i = 0; i < n; i++)
            count[from[i] >> shift & mask]++;
        if (count[*from >> shift & mask] == n)
            continue;
        for (uint64_t i = 0; i <= mask; i++) {
            const uint32_t c = count[i];
            count[i] = sum;
            sum += c;
        }
        for (int64_t i = 0; i < n; i++)
            to[count[from[i] >> shift & mask]++] = from[i];
        uint64_t *const swap = from;
        from = to;
        to = swap;
    }
    if (from != words)
        memcpy(words, from, (size_t)n * sizeof *words);
    THFree(spare);
    return spare != NULL;
}

static const lane_t *lanesAt(const uint64_t *words)
{
    return (const lane_t *)words;
}

/* Where the run ends that begins here. */
static int64_t runEnd(const uint64_t *words, int64_t begin, int64_t n, bool rises)
{
    int64_t end = begin + 1;
    for (; end + RUN_LEAST <= n; end += RUN_LEAST) {
        unsigned turns = 0;
        for (int64_t i = end; i < end + RUN_LEAST; i += LANES) {
            const Words v = loadRow(lanesAt(words + i)), before = loadRow(lanesAt(words + i - 1));
            turns |= rises ? above(before, v) : above(v, before);
        }
        if (turns)
            break;
    }
    while (end < n && (words[end - 1] < words[end]) == rises)
        end++;
    return end;
}

/* How many runs there are; 0 where it does not help to know. */
static int findRuns(const uint64_t *words, int64_t n, int64_t ends[RUNS])
{
    int count = 0;
    for (int64_t begin = 0; begin < n; begin = ends[count++]) {
        if (count == RUNS)
            return 0;
        ends[count] = runEnd(words, begin, n, begin + 1 == n || words[begin] < words[begin + 1]);
        if (ends[count] < n && ends[count] - begin < RUN_LEAST)
            return 0;
    }
    return count;
}

static void reverse(uint64_t *words, int64_t n)
{
    uint64_t *last = words + n - LANES;
    for (; last - words >= LANES; words += LANES, last -= LANES) {
        const Words row = exchangeLanes(loadRow(lanesAt(words)), LANES - 1);
        storeRow(words, exchangeLanes(loadRow(lanesAt(last)), LANES - 1));
        storeRow(last, row);
    }
    for (last += LANES - 1; words < last; words++, last--) {
        const uint64_t word = *words;
        *words = *last;
        *last = word;
    }
}

INLINE void loadBackwards(Words *a, const Words *end, const uint64_t *words)
{
    *a = exchangeLanes(loadRow(lanesAt(words) + (end - 1 - a) * LANES), LANES - 1);
}

/* The first half of m is sorted, and so are words, of as many rows: stores the least half of them
 * all and keeps the others. */
INLINE void mergeStep(Words m[2 * MERGED_ROWS], const uint64_t *words, uint64_t *to)
{
    EACH4(loadBackwards, m + MERGED_ROWS, m + 2 * MERGED_ROWS, words);
    merge8(m);
    if (LANES >= 8)
        EACH8(orderLanes, m, 4, 4);
    if (LANES >= 4)
        EACH8(orderLanes, m, 2, 2);
    EACH8(orderLanes, m, 1, 1);
    for (int i = 0; i < MERGED_ROWS; i++) {
        storeRow(to + i * LANES, m[i]);
        m[i] = m[MERGED_ROWS + i];
    }
}

/* Moves the first run to `spare`, with what of the other one comes before whole steps of it, and
 * with words above all others up to a whole step, and of one more. Returns the end of the steps. */
static uint64_t *spareRun(const uint64_t *a, int64_t na, int64_t nb, uint64_t *spare)
{
    const uint64_t *b = a + na, *const endA = b, *const endB = b + nb % MERGED;
    uint64_t *to = spare;
    while (a < endA && b < endB)
        *to++ = *a < *b ? *a++ : *b++;
    memcpy(to, a, (size_t)(endA - a) * sizeof *a);
    to += endA - a;
    memcpy(to, b, (size_t)(endB - b) * sizeof *b);
    to += endB - b;
    uint64_t *const end = spare + (to - spare + MERGED - 1) / MERGED * MERGED;
    while (to < end + MERGED)
        *to++ = TH_WORD_LAST + 1;
    return end;
}

/* Sorts words that are two runs. What is written stays behind what is read of the other run. */
static void mergeRuns(uint64_t *words, int64_t na, int64_t nb, uint64_t *spare)
{
    const uint64_t *a = spare, *const endA = spareRun(words, na, nb, spare);
    const uint64_t *b = words + na + nb % MERGED, *const endB = words + na + nb;
    Words m[2 * MERGED_ROWS];
    uint64_t last[MERGED];
    for (int i = 0; i < MERGED_ROWS; i++)
        m[i] = loadRow(lanesAt(a + i * LANES));
    a += MERGED;
    for (int64_t left = (endA - a + (endB - b)) / MERGED; left > 0; left--, words += MERGED) {
        b = b == endB ? endA : b; /* the words above all others */
        const int64_t first = *a < *b;
        const uint64_t *const next = first ? a : b;
        a += first * MERGED;
        b += (1 - first) * MERGED;
        mergeStep(m, next, words);
    }
    for (int i = 0; i < MERGED_ROWS; i++)
        storeRow(last + i * LANES, m[i]);
    memcpy(words, last, (size_t)(endB - words) * sizeof *words);
}

/* False, with the words as they were, where they are not a few runs; or without memory. */
static bool sortRuns(uint64_t *words, int64_t n)
{
    int64_t ends[RUNS];
    int count = findRuns(words, n, ends);
    uint64_t *const spare = count ? THAlloc((size_t)(n + 2 * MERGED) * sizeof *spare) : NULL;
    for (int run = 0; spare && run < count; run++) {
        const int64_t begin = run ? ends[run - 1] : 0;
        if (words[begin] > words[ends[run] - 1])
            reverse(words + begin, ends[run] - begin);
    }
    for (; spare && count > 1; count = (count + 1) / 2) {
        int64_t begin = 0;
        for (int run = 0; run < count; run += 2) {
            const int64_t middle = ends[run], end = run + 1 < count ? ends[run + 1] : middle;
            if (middle < end)
                mergeRuns(words + begin, middle - begin, end - middle, spare);
            begin = ends[run / 2] = end;
        }
    }
    THFree(spare);
    return spare != NULL;
}

THWordsSort TH_ISA_(THWords_sort);
void TH_ISA_(THWords_sort)(uint64_t *words, int64_t n, int low, int high)
{
    if (n >= RUNS_FROM && sortRuns(words, n))
        return;
    if (n < DIGITS_FROM || n > DIGITS_UPTO || high - low > DIGITS_BITS ||
        !sortDigits(words, n, low, high))
        sortAll((lane_t *)words, n);
}

THWordsSelect TH_ISA_(THWords_select);
void TH_ISA_(THWords_select)(THWordsRange *range)
{
    THWordsRange r = *range;
    for (int left = patience(r.n); r.n > NETWORK && left > 0; left--) {
        /* a little beyond k, so that the smaller part is likely to hold it */
        const int64_t at = r.k * SAMPLES / r.n + (2 * r.k < r.n ? SAMPLES / 16 : -SAMPLES / 16);
        const uint64_t pivot = sampleOf(r.words, r.n,
                                        at < 0             ? 0
                                        : at < SAMPLES - 2 ? at
                                                           : SAMPLES - 2);
        const int64_t low = TH_ISA_(THWords_partition)(r.words, r.n, pivot);
        if (r.k < low) {
            r.n = low;
            r.upto = pivot;
        } else {
            r.words += low;
            r.n -= low;
            r.k -= low;
            r.above = pivot;
        }
    }
    TH_ISA_(THWords_sort)(r.words, r.n, 0, TH_WORD_BITS);
    *range = r;
}

THWordsNarrow TH_ISA_(THWords_narrow);
int64_t TH_ISA_(THWords_narrow)(THWordsRange *range, const uint64_t *words, int64_t n)
{
    const Words lower = spread(laneOf(range->above)), upper = spread(laneOf(range->upto));
    uint64_t *to = range->words + range->n;
    const uint64_t *const end = words + n;
    int64_t before = 0;
    for (; end - words >= LANES; words += LANES) {
        const Words v = loadRow((const lane_t *)words);
        const unsigned beyond = above(v, lower), mask = beyond & ~above(v, upper);
        before += LANES - __builtin_popcount(beyond);
        *(Words *)(void *)to = compress(v, mask);
        to += __builtin_popcount(mask);
    }
    for (; words < end; words++) {
        const int64_t beyond = *words > range->above;
        *to = *words;
        to += beyond & (*words <= range->upto);
        before += 1 - beyond;
    }
    range->n = to - range->words;
    return before;
}

#define ELEMENTS Doubles
#define ODD(bits) oddOfFloating(bits)
#define TO_LANE(bits) TH_REGISTER_CHOOSE(areNan(bits), (Lanes){0} + INFINITE, bits)
#define FROM_LANE(lane) (lane)
#define LAST INFINITE
#define TURNED SIGN
#include <TH/loops/elements.h>

/* Normal doubles as far from 0: those too far to be finite ones are odd. */
#define LEAST ((whole_t)1 << 52)
INLINE Lanes distances(Lanes bits)
{
    return bits ^ signsOf(bits);
}

INLINE Lanes finite(Lanes distance)
{
    const Lanes most = (Lanes){0} + (INFINITE - LEAST);
    return TH_REGISTER_CHOOSE(signsOf(most - distance), most, distance);
}

#define ELEMENTS Longs
#define ODD(bits) (INFINITE - LEAST - distances(bits))
#define TO_LANE(bits) ((finite(distances(bits)) + LEAST) | ((bits) & SIGN))
#define FROM_LANE(lane) ((((lane) & ~SIGN) - LEAST) ^ signsOf(lane))
#define LAST INFINITE
#define TURNED SIGN
#include <TH/loops/elements.h>
