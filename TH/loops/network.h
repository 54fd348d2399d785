/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorting networks for words (TH/ops/THSorting.h) in vectors. Rows of words are compared as wholes,
 * so that columns, one in each lane, become sorted; lanes are then merged, and the matrix is
 * transposed. The steps are written out, since only then do compilers keep all rows in registers.
 */
#ifndef TH_NETWORK_H
#define TH_NETWORK_H

#include <TH/ops/THSorting.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define LANES 8
#define LANES_XOR(g) {0 ^ g, 1 ^ g, 2 ^ g, 3 ^ g, 4 ^ g, 5 ^ g, 6 ^ g, 7 ^ g}
#elif defined(__AVX2__)
#define LANES 4
#define LANES_XOR(g) {0 ^ g, 1 ^ g, 2 ^ g, 3 ^ g}
#else
#define LANES 2
#define LANES_XOR(g) {0 ^ g, 1 ^ g}
#endif

#define NETWORK (16 * LANES) /* words the larger network sorts */

typedef double Words __attribute__((vector_size(LANES * 8), aligned(8), may_alias));
typedef int64_t Lanes __attribute__((vector_size(LANES * 8)));

/* ---- what instruction sets name differently ---- */

#define INLINE static inline __attribute__((always_inline))

#if defined(__AVX512F__)
INLINE Words least(Words a, Words b)
{
    return _mm512_min_pd(a, b);
}

INLINE Words most(Words a, Words b)
{
    return _mm512_max_pd(a, b);
}

/* A bit for each lane of a that is above that of b. */
INLINE unsigned above(Words a, Words b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ);
}

/* The lanes of a mask one after the other, then anything. */
INLINE Words compress(Words v, unsigned mask)
{
    return _mm512_maskz_compress_pd((__mmask8)mask, v);
}
#elif defined(__AVX2__)
INLINE Words least(Words a, Words b)
{
    return _mm256_min_pd(a, b);
}

INLINE Words most(Words a, Words b)
{
    return _mm256_max_pd(a, b);
}

INLINE unsigned above(Words a, Words b)
{
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_GT_OQ));
}

#define PAIRS(a, b, c, d) {2 * a, 2 * a + 1, 2 * b, 2 * b + 1, 2 * c, 2 * c + 1, 2 * d, 2 * d + 1}
static const int32_t places[16][8] __attribute__((aligned(32))) = {
    PAIRS(0, 1, 2, 3), PAIRS(0, 1, 2, 3), PAIRS(1, 0, 2, 3), PAIRS(0, 1, 2, 3),
    PAIRS(2, 0, 1, 3), PAIRS(0, 2, 1, 3), PAIRS(1, 2, 0, 3), PAIRS(0, 1, 2, 3),
    PAIRS(3, 0, 1, 2), PAIRS(0, 3, 1, 2), PAIRS(1, 3, 0, 2), PAIRS(0, 1, 3, 2),
    PAIRS(2, 3, 0, 1), PAIRS(0, 2, 3, 1), PAIRS(1, 2, 3, 0), PAIRS(0, 1, 2, 3),
};

INLINE Words compress(Words v, unsigned mask)
{
    const __m256i order = _mm256_load_si256((const __m256i *)(const void *)places[mask]);
    return (Words)_mm256_permutevar8x32_epi32((__m256i)v, order);
}
#else
INLINE Words least(Words a, Words b)
{
#if defined(__SSE2__)
    return _mm_min_pd(a, b);
#else
    return (Words){a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]};
#endif
}

INLINE Words most(Words a, Words b)
{
#if defined(__SSE2__)
    return _mm_max_pd(a, b);
#else
    return (Words){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
#endif
}

INLINE unsigned above(Words a, Words b)
{
    return (unsigned)(a[0] > b[0]) | (unsigned)(a[1] > b[1]) << 1;
}

INLINE Words compress(Words v, unsigned mask)
{
    const Lanes swap = -(Lanes){mask == 2, 0}; /* bits, since a condition would become a branch */
    const Lanes bits = (Lanes)v, other = {bits[1], 0};
    return (Words)((bits & ~swap) | (other & swap));
}
#endif

/* A word in all lanes. */
INLINE Words spread(uint64_t word)
{
    return (Words)((Lanes){0} + (int64_t)word);
}

/* Lane i has what lane i ^ g had. */
INLINE Words exchangeLanes(Words v, int g)
{
#if defined(__clang__)
    Words result;
    for (int i = 0; i < LANES; i++)
        result[i] = v[i ^ g];
    return result;
#else
    return __builtin_shuffle(v, (Lanes)LANES_XOR(g));
#endif
}

/* Lanes whose number has this bit are b's, the others a's. */
INLINE Words chooseLanes(Words a, Words b, int bit)
{
#if defined(__clang__)
    for (int i = 0; i < LANES; i++)
        a[i] = i & bit ? b[i] : a[i];
    return a;
#else
    const Lanes numbers = LANES_XOR(0);
    return __builtin_shuffle(a, b, numbers + (numbers & bit) * (LANES / bit));
#endif
}

/* ---- networks ---- */

INLINE void order(Words *a, Words *b)
{
    const Words low = least(*a, *b);
    *b = most(*a, *b);
    *a = low;
}

/* Columns that first fall or rise, then the other way, become sorted. */
INLINE void merge4(Words *m)
{
    order(m, m + 2), order(m + 1, m + 3);
    order(m, m + 1), order(m + 2, m + 3);
}

INLINE void merge8(Words *m)
{
    order(m, m + 4), order(m + 1, m + 5), order(m + 2, m + 6), order(m + 3, m + 7);
    merge4(m), merge4(m + 4);
}

INLINE void merge16(Words *m)
{
    order(m, m + 8), order(m + 1, m + 9), order(m + 2, m + 10), order(m + 3, m + 11);
    order(m + 4, m + 12), order(m + 5, m + 13), order(m + 6, m + 14), order(m + 7, m + 15);
    merge8(m), merge8(m + 8);
}

INLINE void sort4(Words *m)
{
    order(m, m + 1), order(m + 2, m + 3);
    order(m, m + 2), order(m + 1, m + 3), order(m + 1, m + 2);
}

/* Batcher's odd-even merges, which need fewer steps than those above. */
INLINE void sort8(Words *m)
{
    sort4(m), sort4(m + 4);
    order(m, m + 4), order(m + 1, m + 5), order(m + 2, m + 6), order(m + 3, m + 7);
    order(m + 2, m + 4), order(m + 3, m + 5);
    order(m + 1, m + 2), order(m + 3, m + 4), order(m + 5, m + 6);
}

INLINE void sort16(Words *m)
{
    sort8(m), sort8(m + 8);
    order(m, m + 8), order(m + 1, m + 9), order(m + 2, m + 10), order(m + 3, m + 11);
    order(m + 4, m + 12), order(m + 5, m + 13), order(m + 6, m + 14), order(m + 7, m + 15);
    order(m + 4, m + 8), order(m + 5, m + 9), order(m + 6, m + 10), order(m + 7, m + 11);
    order(m + 2, m + 4), order(m + 3, m + 5), order(m + 6, m + 8), order(m + 7, m + 9);
    order(m + 10, m + 12), order(m + 11, m + 13);
    order(m + 1, m + 2), order(m + 3, m + 4), order(m + 5, m + 6), order(m + 7, m + 8);
    order(m + 9, m + 10), order(m + 11, m + 12), order(m + 13, m + 14);
}

/* Of two rows, the lanes that pair up when one is reversed in groups of `group` lanes. */
INLINE void orderGroups(Words *a, Words *b, int group)
{
    const Words other = exchangeLanes(*b, group - 1);
    const Words low = least(*a, other), high = most(*a, other);
    *a = chooseLanes(low, high, group / 2);
    *b = exchangeLanes(chooseLanes(high, low, group / 2), group - 1);
}

INLINE void orderLanes(Words *m, int distance)
{
    const Words other = exchangeLanes(*m, distance);
    *m = chooseLanes(least(*m, other), most(*m, other), distance);
}

INLINE void orderLanes4(Words *m, int distance)
{
    orderLanes(m, distance), orderLanes(m + 1, distance);
    orderLanes(m + 2, distance), orderLanes(m + 3, distance);
}

INLINE void orderLanes8(Words *m, int group)
{
    if (group == 8)
        orderLanes4(m, 2), orderLanes4(m + 4, 2);
    if (group >= 4)
        orderLanes4(m, 1), orderLanes4(m + 4, 1);
}

/* Groups of columns whose halves are sorted, one column after the other, become sorted. */
INLINE void mergeGroups8(Words *m, int group)
{
    orderGroups(m, m + 7, group), orderGroups(m + 1, m + 6, group);
    orderGroups(m + 2, m + 5, group), orderGroups(m + 3, m + 4, group);
    orderLanes8(m, group);
    merge8(m);
}

INLINE void mergeGroups16(Words *m, int group)
{
    orderGroups(m, m + 15, group), orderGroups(m + 1, m + 14, group);
    orderGroups(m + 2, m + 13, group), orderGroups(m + 3, m + 12, group);
    orderGroups(m + 4, m + 11, group), orderGroups(m + 5, m + 10, group);
    orderGroups(m + 6, m + 9, group), orderGroups(m + 7, m + 8, group);
    orderLanes8(m, group), orderLanes8(m + 8, group);
    merge16(m);
}

/* Lanes of `a` with this bit and lanes of `b` without it change places. */
INLINE void transposePair(Words *a, Words *b, int bit)
{
    const Words low = chooseLanes(*a, exchangeLanes(*b, bit), bit);
    *b = chooseLanes(exchangeLanes(*a, bit), *b, bit);
    *a = low;
}

INLINE void transpose4(Words *a, Words *b, int bit)
{
    transposePair(a, b, bit), transposePair(a + 1, b + 1, bit);
    transposePair(a + 2, b + 2, bit), transposePair(a + 3, b + 3, bit);
}

/* Eight rows of columns become rows: every LANES-th is of the next column. */
INLINE void transpose8(Words *m)
{
    transposePair(m, m + 1, 1), transposePair(m + 2, m + 3, 1);
    transposePair(m + 4, m + 5, 1), transposePair(m + 6, m + 7, 1);
#if LANES > 2
    transposePair(m, m + 2, 2), transposePair(m + 1, m + 3, 2);
    transposePair(m + 4, m + 6, 2), transposePair(m + 5, m + 7, 2);
#endif
#if LANES > 4
    transpose4(m, m + 4, 4);
#endif
}

/* Eight transposed rows, the first of which begin at row `row` of their columns. */
INLINE void storeColumns(uint64_t *words, const Words *m, int rows, int row)
{
    for (int r = 0; r < 8; r++)
        *(Words *)(void *)(words + r % LANES * rows + row + r / LANES * LANES) = m[r];
}

INLINE Words loadRow(const uint64_t *words)
{
    return *(const Words *)(const void *)words;
}

static void sortNetwork8(uint64_t *words)
{
    Words m[8] = {loadRow(words),
                  loadRow(words + LANES),
                  loadRow(words + 2 * LANES),
                  loadRow(words + 3 * LANES),
                  loadRow(words + 4 * LANES),
                  loadRow(words + 5 * LANES),
                  loadRow(words + 6 * LANES),
                  loadRow(words + 7 * LANES)};
    sort8(m);
    mergeGroups8(m, 2);
#if LANES > 2
    mergeGroups8(m, 4);
#endif
#if LANES > 4
    mergeGroups8(m, 8);
#endif
    transpose8(m);
    storeColumns(words, m, 8, 0);
}

static void sortNetwork16(uint64_t *words)
{
    Words m[16] = {loadRow(words),
                   loadRow(words + LANES),
                   loadRow(words + 2 * LANES),
                   loadRow(words + 3 * LANES),
                   loadRow(words + 4 * LANES),
                   loadRow(words + 5 * LANES),
                   loadRow(words + 6 * LANES),
                   loadRow(words + 7 * LANES),
                   loadRow(words + 8 * LANES),
                   loadRow(words + 9 * LANES),
                   loadRow(words + 10 * LANES),
                   loadRow(words + 11 * LANES),
                   loadRow(words + 12 * LANES),
                   loadRow(words + 13 * LANES),
                   loadRow(words + 14 * LANES),
                   loadRow(words + 15 * LANES)};
    sort16(m);
    mergeGroups16(m, 2);
#if LANES > 2
    mergeGroups16(m, 4);
#endif
#if LANES > 4
    mergeGroups16(m, 8);
#endif
    transpose8(m), transpose8(m + 8);
    storeColumns(words, m, 16, 0);
    storeColumns(words, m + 8, 16, 8);
}

#endif
