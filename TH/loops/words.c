/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorting words (TH/ops/THSorting.h): quicksort by vectors down to what a sorting network takes.
 * Words that differ in few bits, and those without
 * good pivots, are sorted by digits. */
#include <TH/loops/network.h>

#include <string.h>

#define SAMPLES (8 * LANES) /* words a pivot is the median of */
#define DIGIT_BITS 11
/* So many words that differ in so few bits are sorted faster by digits than by vectors. */
#define DIGITS_FROM (LANES > 2 ? 4096 : 1024)
#define DIGITS_BITS (LANES > 4 ? 22 : LANES > 2 ? 33 : TH_WORD_BITS)
#define FEW 12 /* words sorted by insertion */

static void sortInserting(uint64_t *words, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        const uint64_t word = words[i];
        int64_t j = i;
        for (; j > 0 && words[j - 1] > word; j--)
            words[j] = words[j - 1];
        words[j] = word;
    }
}

/* Up to NETWORK words. */
static void sortFew(uint64_t *words, int64_t n)
{
    uint64_t padded[NETWORK];
    if (n <= FEW) {
        sortInserting(words, n);
        return;
    }
    const int size = n <= NETWORK / 2 ? NETWORK / 2 : NETWORK;
    memcpy(padded, words, (size_t)n * sizeof *words);
    for (int64_t i = n; i < size; i++)
        padded[i] = TH_WORD_LAST;
    (size == NETWORK ? sortNetwork16 : sortNetwork8)(padded);
    memcpy(words, padded, (size_t)n * sizeof *words);
}

/* ---- the quicksort ---- */

/* The median of the lanes' medians, of eight rows at equal distances; never the greatest word. */
static uint64_t pivotOf(const uint64_t *words, int64_t n)
{
    const int64_t d = n / 8;
    uint64_t medians[LANES], pivot = 0;
    Words m[8] = {loadRow(words),         loadRow(words + d),     loadRow(words + 2 * d),
                  loadRow(words + 3 * d), loadRow(words + 4 * d), loadRow(words + 5 * d),
                  loadRow(words + 6 * d), loadRow(words + 7 * d)};
    sort8(m);
    *(Words *)(void *)medians = m[3];
    for (int i = 0; i < LANES; i++) {
        const int below = __builtin_popcount(above(spread(medians[i]), m[3]));
        pivot = below == LANES / 2 ? medians[i] : pivot;
    }
    return pivot;
}

/* The word in place `at` of SAMPLES sorted ones taken at equal distances. */
static uint64_t sampleOf(const uint64_t *words, int64_t n, int64_t at)
{
    uint64_t sample[SAMPLES];
    for (int64_t i = 0; i < SAMPLES; i++)
        sample[i] = words[i * (n / SAMPLES)];
    sortNetwork8(sample);
    return sample[at];
}

THWordsPartition TH_ISA_(THWords_partition);
int64_t TH_ISA_(THWords_partition)(uint64_t *words, uint64_t *spare, int64_t n, uint64_t limit)
{
    const uint64_t *const end = words + n;
    uint64_t *low = words, *high = spare;
    const Words bound = spread(limit);
    const uint64_t *from = words;
    for (; end - from >= LANES; from += LANES) {
        const Words v = loadRow(from);
        const unsigned mask = above(v, bound);
        const int count = __builtin_popcount(mask);
        *(Words *)(void *)low = compress(v, ~mask & ((1u << LANES) - 1));
        *(Words *)(void *)high = compress(v, mask);
        low += LANES - count;
        high += count;
    }
    for (; from < end; from++) {
        const uint64_t word = *from;
        *low = *high = word;
        const int64_t count = word > limit;
        low += 1 - count;
        high += count;
    }
    return low - words;
}

/* By digits of the bits from `low` up to `high`, the least first. */
static void sortDigits(uint64_t *words, uint64_t *spare, int64_t n, int low, int high)
{
    const int passes = (high - low + DIGIT_BITS - 1) / DIGIT_BITS;
    const int bits = passes ? (high - low + passes - 1) / passes : 0;
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    uint64_t *from = words, *to = spare;
    for (int shift = low; shift < high; shift += bits) {
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
}

/* Pivots that may be taken before a line counts as one without good ones. */
static int patience(int64_t n)
{
    return 2 * (64 - __builtin_clzll((uint64_t)n | 1));
}

static void sortRange(uint64_t *words, uint64_t *spare, int64_t n, int left)
{
    while (n > NETWORK) {
        if (left-- == 0) {
            sortDigits(words, spare, n, 0, TH_WORD_BITS);
            return;
        }
        const int64_t low = TH_ISA_(THWords_partition)(words, spare, n, pivotOf(words, n));
        memcpy(words + low, spare, (size_t)(n - low) * sizeof *words);
        if (2 * low < n) {
            sortRange(words, spare, low, left);
            words += low;
            n -= low;
        } else {
            sortRange(words + low, spare, n - low, left);
            n = low;
        }
    }
    sortFew(words, n);
}

THWordsSort TH_ISA_(THWords_sort);
void TH_ISA_(THWords_sort)(uint64_t *words, uint64_t *spare, int64_t n, int low, int high)
{
    if (n >= DIGITS_FROM && high - low <= DIGITS_BITS)
        sortDigits(words, spare, n, low, high);
    else
        sortRange(words, spare, n, patience(n));
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
        const int64_t low = TH_ISA_(THWords_partition)(r.words, r.spare, r.n, pivot);
        if (r.k < low) {
            r.n = low;
            r.upto = pivot;
        } else {
            uint64_t *const above = r.spare;
            r.spare = r.words;
            r.words = above;
            r.n -= low;
            r.k -= low;
            r.above = pivot;
        }
    }
    if (r.n > NETWORK)
        sortDigits(r.words, r.spare, r.n, 0, TH_WORD_BITS);
    else
        sortFew(r.words, r.n);
    *range = r;
}

THWordsNarrow TH_ISA_(THWords_narrow);
int64_t TH_ISA_(THWords_narrow)(THWordsRange *range, const uint64_t *words, int64_t n)
{
    const Words lower = spread(range->above), upper = spread(range->upto);
    uint64_t *to = range->words + range->n;
    const uint64_t *const end = words + n;
    int64_t before = 0;
    for (; end - words >= LANES; words += LANES) {
        const Words v = loadRow(words);
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
