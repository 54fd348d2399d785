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

#define TH_WORD_BITS 61 /* for key and index */
#define TH_WORD_FIRST ((uint64_t)1 << TH_WORD_BITS)
#define TH_WORD_LAST (2 * TH_WORD_FIRST - 1)
#define TH_WORD_SLACK 8 /* words behind the end of each array that may be written */

/* Sorts n words that are in order but for their bits from `low` up to `high`. `spare` has room for
 * as many. */
typedef void THWordsSort(uint64_t *words, uint64_t *spare, int64_t n, int low, int high);

/* Words from which one is looked for: those above `above` and not above `upto` of a line. */
typedef struct THWordsRange {
    uint64_t *words, *spare;
    int64_t n, k;
    uint64_t above, upto;
} THWordsRange;

/* Narrows a range to a few sorted words, among which words[k] is the one in place k of it. */
typedef void THWordsSelect(THWordsRange *range);
/* Appends those of n words that belong to the range; returns how many belong before it. */
typedef int64_t THWordsNarrow(THWordsRange *range, const uint64_t *words, int64_t n);
/* Words up to the limit come first, in their order, those above it are moved to `spare`. Returns
 * how many come first. */
typedef int64_t THWordsPartition(uint64_t *words, uint64_t *spare, int64_t n, uint64_t limit);

typedef struct THSortOrder {
    int64_t k; /* from 0 */
    bool descending, sorted, indicesOnly, nanWins;
} THSortOrder;

typedef enum THSortOp { TH_SORT_ALL, TH_SORT_TOPK, TH_SORT_KTH, TH_SORT_OPS } THSortOp;

/* Every dtype and instruction set has a table of line functions: th_sort_<Real>_<isa>[op]. Their
 * parameters are a THSortOrder. */
#define TH_SORT_DECLARE(name) extern THLineCall *const name[TH_SORT_OPS]

/* What they need: words, spare words, and keys where these are longer than words have room for. */
#define TH_SORT_WORDS(n) (((n) + TH_WORD_SLACK + 7) & ~(int64_t)7)
#define TH_SORT_SCRATCH(n) (3 * TH_SORT_WORDS(n) * (int64_t)sizeof(uint64_t))

#endif
