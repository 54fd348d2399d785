/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorting and selecting by words.
 *
 * A word of 64 bits holds the key of an element (an unsigned integer that has its order) above its
 * index in the line. No two words are equal, so there is one order of them, which is the stable
 * one, however it is found. All words begin with the same three bits, by which they are normal
 * numbers when read as doubles: those every instruction set can compare, and take the least of, in
 * vectors.
 *
 * What a key has more bits than the index leaves room for is cut off. Words that are then equal but
 * for their indices are few, and sorted by the rest of their keys afterwards. */
#ifndef TH_SORTING_H
#define TH_SORTING_H

#include <TH/THIsa.h>
#include <TH/ops/THLines.h>

#define TH_SORT_RANGE 16384 /* elements of a line that a thread prepares, or finishes */
#define TH_WORD_BITS 61     /* for key and index */
#define TH_WORD_FIRST ((uint64_t)1 << TH_WORD_BITS)
#define TH_WORD_LAST (2 * TH_WORD_FIRST - 1)
#define TH_WORD_SLACK 8 /* words behind the end of an array that narrowing may write */

/* Sorts n words that are in order but for their bits from `low` up to `high`. */
typedef void THWordsSort(uint64_t *words, int64_t n, int low, int high);

/* Words from which one is looked for: those above `above` and not above `upto` of a line. */
typedef struct THWordsRange {
    uint64_t *words;
    int64_t n, k;
    uint64_t above, upto;
} THWordsRange;

/* Narrows a range to a few sorted words, among which words[k] is the one in place k of it. Words
 * change places alone. */
typedef void THWordsSelect(THWordsRange *range);
/* Appends those of n words that belong to the range; returns how many belong before it. */
typedef int64_t THWordsNarrow(THWordsRange *range, const uint64_t *words, int64_t n);
/* Puts words up to the limit before those above it. Returns how many they are. */
typedef int64_t THWordsPartition(uint64_t *words, int64_t n, uint64_t limit);

/* How the elements of a line become words: (key - least) >> shift above `bits` bits of index,
 * up to bit `end`, where keys have the bits `flip` turned. Words to be sorted are in the order of
 * their bits below `begin`. Bits that all have in common are shifted out first: `lost` are the
 * others. */
typedef struct THSortPacking {
    uint64_t flip, least;
    int shift, lost, bits, begin, end;
    uint64_t mask; /* of the index */
} THSortPacking;

/* Keys of up to so many bits are counted at once, of so many elements, and one for each key. */
#define TH_SORT_ONCE_BITS 11
#define TH_SORT_ONCE_FROM 256
static inline bool THSort_countsOnce(const THSortPacking *packing, int64_t n)
{
    const int bits = packing->end - packing->bits;
    return !packing->lost && bits <= TH_SORT_ONCE_BITS && n >= TH_SORT_ONCE_FROM && n >> bits > 0;
}

/* The first bits of n keys without those of the index. */
typedef void THSortKeysOf(const THSortPacking *packing, int64_t n, const void *x, uint16_t *keys);
/* Sorts indices of elements of `size` bytes by counting their keys: false, with nothing written,
 * where keys have many bits, or there are few elements. What THSort_countsOnce has `ends` for each
 * key, behind the last of its indices. */
bool THSort_counting(const THSortPacking *packing, THSortKeysOf *keysOf, int64_t n, const void *x,
                     int64_t size, int64_t *indices, uint32_t *ends);

/* Copies a line that is in order already, or in the other one, to `values` and `indices`,
 * of which one may be NULL. False, with nothing written, where it is not. */
typedef bool THSortOrdered(int64_t n, const void *line, bool descending, void *values,
                           int64_t *indices);

/* Sorts n numbers of a type, which may be in place. Returns whether there are odd ones: these are
 * at their place in the order, but not all themselves. Odd are NaN, which are behind all others;
 * -0, as 0 is equal to it; and longs above TH_LONG_ODD or below ~TH_LONG_ODD, which are no finite
 * doubles. */
typedef bool THValuesSort(const void *x, void *values, int64_t n, bool descending);
#define TH_LONG_ODD ((int64_t)0x7fe << 52)
#define TH_SORT_COUNTED 131072 /* of 16 bits from which on all are counted, in ... */
#define TH_SORT_COUNTS 262144  /* ... so many counts at most */
/* The same for few numbers, none of them odd: false, with nothing written, where they are many. */
typedef bool THFewSort(const void *x, void *values, int64_t n, bool descending);

/* Counts integers that are near to one another, or any shorts that are many: false, with nothing
 * written, where that would take longer than to sort them. Values may be where the line is. */
typedef bool THSortCounting(int64_t n, const void *line, void *values, bool descending,
                            void *scratch);

/* Halves, by their bits, are sorted as shorts. Puts NaN and zeros, which have one short each or are
 * equal, where they are in the order of the line. */
static inline bool THSort_isNanHalf(int16_t bits)
{
    return (bits & INT16_MAX) > 0x7c00;
}
void THSort_putOddHalves(int64_t n, const int16_t *x, int16_t *values, bool descending);

typedef struct THSortOrder {
    int64_t k; /* from 0 */
    bool descending, indicesOnly, nanWins;
    bool unordered; /* those that come first are wanted as they were */
    bool one;       /* the one in place k is wanted, not what comes before it too */
} THSortOrder;

typedef enum THSortOp {
    TH_SORT_ALL,
    TH_SORT_VALUES,
    TH_SORT_TOPK,
    TH_SORT_KTH,
    TH_SORT_OPS
} THSortOp;

/* Every dtype and instruction set has a table of line functions: th_sort_<Real>_<isa>[op]. Their
 * parameters are a THSortOrder. */
#define TH_SORT_DECLARE(name) extern THLineCall *const name[TH_SORT_OPS]

/* Short lines are sorted side by side by th_sortPanel_<Real>_<isa>, with indices in integers of the
 * elements' size: with as many exchanges as pairs of elements, of a vector of lines each. Lines of
 * up to `rows` elements take less time so than one by one; `rowsAlone` where values alone do. Where
 * few come first that are wanted, each other element is exchanged with these only. */
#define TH_PANEL_ROWS 64      /* in order at most */
#define TH_PANEL_ELEMENTS 256 /* of a line at most, if places are not bytes */
typedef struct THSortPanel {
    THPanelCall *call;
    int rows, rowsAlone;
} THSortPanel;
#define TH_SORT_DECLARE_PANEL(name) extern const THSortPanel name[1]
THDtype THSort_panelIndex(THDtype dtype);
/* Lets a function sort lines of n elements so, if that takes less time; `alone`: without indices.
 */
void THSort_setPanel(THLineFunction *function, const THSortPanel *panel, bool alone, int64_t n);
/* How many elements it puts in order. */
static inline int64_t THSort_ordered(const THLineFunction *function, int64_t n)
{
    const THSortOrder *order = function->params;
    return order->nanWins ? n : (order->one ? order->k : 0) + function->length;
}

/* Gives results, which are in memory as self is, their shape: of self, but for lines of the
 * function's length, or (not `keepdim`) without the dim. */
int THSort_shape(const THLineFunction *function, THTensor *const *results, int nresults,
                 const THTensor *self, int64_t dim, bool keepdim);

/* The order of lines of one element; either result may be NULL. */
int THSort_one(THTensor *values, THTensor *indices, THTensor *self, int64_t dim);

/* The memory they need for words, or for numbers of narrow types; TH_SORT_ALL needs none. */
#define TH_SORT_SCRATCH(n) (((n) + TH_WORD_SLACK) * (int64_t)sizeof(uint64_t))
#define TH_SORT_SHORTS(n) (((n) * (int64_t)sizeof(int16_t) + 63) & ~(int64_t)63)
/* Gives a function that sorts values of a dtype alone the loop for lines that no panel takes, and
 * its memory. */
void THSort_setAlone(THLineFunction *function, THDtype dtype, int64_t n);

#endif
