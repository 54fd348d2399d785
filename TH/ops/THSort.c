/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The chapter sort, for every dtype. */
#include <TH/TH.h>
#include <TH/ops/THLines.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SORT_INSERTION 64 /* lines up to this length are sorted by insertion */
#define SORT_WIDE 4096    /* from this length on, digits have more bits */
#define SORT_WIDE_BITS 11
#define SORT_COUNTS 6144 /* digits of all passes: 3 of 11 bits */

typedef struct THSortOrder {
    int64_t k; /* from 0 */
    bool descending, sorted, indicesOnly, nanWins;
} THSortOrder;

typedef struct SortPair {
    uint32_t key, index;
} SortPair;

static void insertPairs(SortPair *a, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        const SortPair moved = a[i];
        int64_t j = i;
        for (; j > 0 && a[j - 1].key > moved.key; j--)
            a[j] = a[j - 1];
        a[j] = moved;
    }
}

/* One pass of the radix sort: false when all keys have the same digit. */
static bool sortDigit(const SortPair *from, SortPair *to, int64_t n, uint32_t *count, int digits,
                      int shift)
{
    const uint32_t mask = (uint32_t)digits - 1;
    if (count[from[0].key >> shift & mask] == n)
        return false;
    uint32_t sum = 0;
    for (int i = 0; i < digits; i++) {
        const uint32_t c = count[i];
        count[i] = sum;
        sum += c;
    }
    for (int64_t i = 0; i < n; i++)
        to[count[from[i].key >> shift & mask]++] = from[i];
    return true;
}

/* By keys below 2^keyBits. Stable; the sorted pairs are in `a` or in `b`, which is returned. */
static SortPair *sortPairs(SortPair *a, SortPair *b, int64_t n, uint32_t *counts, int keyBits)
{
    if (n <= SORT_INSERTION) {
        insertPairs(a, n);
        return a;
    }
    const int bits = n >= SORT_WIDE && keyBits > 8 ? SORT_WIDE_BITS : 8;
    const int digits = 1 << bits, passes = (keyBits + bits - 1) / bits;
    memset(counts, 0, (size_t)(passes * digits) * sizeof *counts);
    for (int64_t i = 0; i < n; i++)
        for (int pass = 0; pass < passes; pass++)
            counts[pass * digits + (int)(a[i].key >> (pass * bits) & ((uint32_t)digits - 1))]++;
    for (int pass = 0; pass < passes; pass++) {
        if (sortDigit(a, b, n, counts + pass * digits, digits, pass * bits)) {
            SortPair *swap = a;
            a = b;
            b = swap;
        }
    }
    return a;
}

#define TH_GENERIC_FILE "TH/generic/sort.h"
#include <TH/THGenerateAllTypes.h>

#define TH_GENERIC_FILE "TH/generic/sort.c"
#include <TH/THGenerateAllTypes.h>
