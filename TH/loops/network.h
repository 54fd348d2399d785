/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorting networks in vectors (lanes.h). Rows are compared as wholes, so that columns, one in each
 * lane, become sorted; lanes are then merged, and the matrix is transposed. The steps are written
 * out, since only then do compilers keep all rows in registers. */
#ifndef TH_NETWORK_H
#define TH_NETWORK_H

#include <TH/loops/lanes.h>

#define NETWORK (16 * LANES) /* lanes the larger network sorts */

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
    if (group == 16)
        orderLanes4(m, 4), orderLanes4(m + 4, 4);
    if (group >= 8)
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

/* Eight rows of columns become rows: every LANES-th is of the next column; of 16 lanes, rows of
 * two columns. */
INLINE void transpose8(Words *m)
{
    transposePair(m, m + 1, 1), transposePair(m + 2, m + 3, 1);
    transposePair(m + 4, m + 5, 1), transposePair(m + 6, m + 7, 1);
#if VECTOR_BYTES / LANE_BYTES > 2
    transposePair(m, m + 2, 2), transposePair(m + 1, m + 3, 2);
    transposePair(m + 4, m + 6, 2), transposePair(m + 5, m + 7, 2);
#endif
#if VECTOR_BYTES / LANE_BYTES > 4
    transpose4(m, m + 4, 4);
#endif
}

/* Eight transposed rows, the first of which begin at row `row` of their columns. */
INLINE void storeColumns(lane_t *words, const Words *m, int rows, int row)
{
    const int column = LANES < 8 ? LANES : 8;
    for (int r = 0; r < 8; r++)
        for (int c = 0; c < LANES; c += column)
            memcpy(words + (r % column + c) * rows + row + r / column * column,
                   (const lane_t *)(m + r) + c, (size_t)column * sizeof *words);
}

static void sortNetwork8(lane_t *words)
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
#if VECTOR_BYTES / LANE_BYTES > 2
    mergeGroups8(m, 4);
#endif
#if VECTOR_BYTES / LANE_BYTES > 4
    mergeGroups8(m, 8);
#endif
#if VECTOR_BYTES / LANE_BYTES > 8
    mergeGroups8(m, 16);
#endif
    transpose8(m);
    storeColumns(words, m, 8, 0);
}

static void sortNetwork16(lane_t *words)
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
#if VECTOR_BYTES / LANE_BYTES > 2
    mergeGroups16(m, 4);
#endif
#if VECTOR_BYTES / LANE_BYTES > 4
    mergeGroups16(m, 8);
#endif
#if VECTOR_BYTES / LANE_BYTES > 8
    mergeGroups16(m, 16);
#endif
    transpose8(m), transpose8(m + 8);
    storeColumns(words, m, 16, 0);
    storeColumns(words, m + 8, 16, 8);
}

#endif
