/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorting networks in vectors (lanes.h). Rows are compared as wholes, so that columns, one in each
 * lane, become sorted; columns are then merged, and the matrix is transposed. Steps are written
 * out (EACH), since loops would keep the rows in memory. */
#ifndef TH_NETWORK_H
#define TH_NETWORK_H

#include <TH/loops/lanes.h>

/* Rows of the largest network: what registers have room for. */
#define NETWORK_ROWS (VECTOR_BYTES == 64 ? 32 : 16)
#define NETWORK (NETWORK_ROWS * LANES) /* lanes it sorts */

/* The least network for so many lanes, by the logarithm of its rows. */
INLINE int networkOf(int64_t n)
{
    return 64 - __builtin_clzll((uint64_t)((n - 1) / LANES) * 2 + 1) - 1;
}

/* f(row, ...) for as many rows from m on. */
#define EACH1(f, m, ...) f(m, __VA_ARGS__)
#define EACH2(f, m, ...) EACH1(f, m, __VA_ARGS__), EACH1(f, (m) + 1, __VA_ARGS__)
#define EACH4(f, m, ...) EACH2(f, m, __VA_ARGS__), EACH2(f, (m) + 2, __VA_ARGS__)
#define EACH8(f, m, ...) EACH4(f, m, __VA_ARGS__), EACH4(f, (m) + 4, __VA_ARGS__)
#define EACH16(f, m, ...) EACH8(f, m, __VA_ARGS__), EACH8(f, (m) + 8, __VA_ARGS__)
#define EACH32(f, m, ...) EACH16(f, m, __VA_ARGS__), EACH16(f, (m) + 16, __VA_ARGS__)

/* A row and the one `distance` rows further. */
INLINE void order(Words *a, int distance)
{
    const Words low = least(*a, a[distance]);
    a[distance] = most(*a, a[distance]);
    *a = low;
}

/* ---- columns, by Batcher's odd-even merges ---- */

INLINE void sort1(Words *m)
{
    (void)m;
}

INLINE void sort2(Words *m)
{
    order(m, 1);
}

INLINE void sort4(Words *m)
{
    sort2(m), sort2(m + 2);
    EACH2(order, m, 2), order(m + 1, 1);
}

INLINE void sort8(Words *m)
{
    sort4(m), sort4(m + 4);
    EACH4(order, m, 4), EACH2(order, m + 2, 2);
    order(m + 1, 1), order(m + 3, 1), order(m + 5, 1);
}

INLINE void sort16(Words *m)
{
    sort8(m), sort8(m + 8);
    EACH8(order, m, 8), EACH4(order, m + 4, 4);
    EACH2(order, m + 2, 2), EACH2(order, m + 6, 2), EACH2(order, m + 10, 2);
    order(m + 1, 1), order(m + 3, 1), order(m + 5, 1), order(m + 7, 1);
    order(m + 9, 1), order(m + 11, 1), order(m + 13, 1);
}

INLINE void sort32(Words *m)
{
    sort16(m), sort16(m + 16);
    EACH16(order, m, 16), EACH8(order, m + 8, 8);
    EACH4(order, m + 4, 4), EACH4(order, m + 12, 4), EACH4(order, m + 20, 4);
    EACH2(order, m + 2, 2), EACH2(order, m + 6, 2), EACH2(order, m + 10, 2);
    EACH2(order, m + 14, 2), EACH2(order, m + 18, 2), EACH2(order, m + 22, 2);
    EACH2(order, m + 26, 2);
    order(m + 1, 1), order(m + 3, 1), order(m + 5, 1), order(m + 7, 1), order(m + 9, 1);
    order(m + 11, 1), order(m + 13, 1), order(m + 15, 1), order(m + 17, 1), order(m + 19, 1);
    order(m + 21, 1), order(m + 23, 1), order(m + 25, 1), order(m + 27, 1), order(m + 29, 1);
}

/* ---- columns that first fall or rise, then the other way ---- */

INLINE void merge1(Words *m)
{
    (void)m;
}

#define DEFINE_MERGE(rows, half)               \
    INLINE void merge##rows(Words *m)          \
    {                                          \
        EACH##half(order, m, half);            \
        merge##half(m), merge##half(m + half); \
    }
DEFINE_MERGE(2, 1)
DEFINE_MERGE(4, 2)
DEFINE_MERGE(8, 4)
DEFINE_MERGE(16, 8)
DEFINE_MERGE(32, 16)

/* ---- lanes ---- */

/* A lane and the one whose number differs by `other`: that with the bit gets the most. */
INLINE void orderLanes(Words *m, int other, int bit)
{
    *m = orderedLanes(*m, exchangeLanes(*m, other), bit, true);
}

/* Row a of `rows` and the one as far from the end: lanes that pair up when one of them is reversed
 * in groups of `group`. */
INLINE void orderGroups(Words *a, Words *m, int rows, int group)
{
    Words *b = m + (rows - 1 - (a - m));
    const Words other = exchangeLanes(*b, group - 1);
    *b = exchangeLanes(orderedLanes(*a, other, group / 2, false), group - 1);
    *a = orderedLanes(*a, other, group / 2, true);
}

INLINE void loadNext(Words *a, const Words *m, const lane_t *words)
{
    *a = loadRow(words + (a - m) * LANES);
}

INLINE void storeNext(const Words *a, const Words *m, lane_t *words)
{
    storeRow(words + (a - m) * LANES, *a);
}

/* Lanes of a row and of that `half` of all rows further in turn: two rows. */
INLINE void zipRows(const Words *a, const Words *m, Words *to, int half)
{
    to += 2 * (a - m);
    to[0] = zipLanes(*a, a[half], 0);
    to[1] = zipLanes(*a, a[half], 1);
}

INLINE void copyNext(const Words *a, const Words *m, Words *to)
{
    to[a - m] = *a;
}

/* As often as there are bits in the number of a row, this transposes the matrix. */
INLINE void zip1(Words *m)
{
    (void)m;
}

#define DEFINE_ZIP(rows, half)               \
    INLINE void zip##rows(Words *m)          \
    {                                        \
        Words to[rows];                      \
        EACH##half(zipRows, m, m, to, half); \
        EACH##rows(copyNext, to, to, m);     \
    }
DEFINE_ZIP(2, 1)
DEFINE_ZIP(4, 2)
DEFINE_ZIP(8, 4)
DEFINE_ZIP(16, 8)
DEFINE_ZIP(32, 16)

/* Groups of columns whose halves are sorted, one column after the other, become sorted. */
#define MERGE_LANES(rows, m, group)          \
    do {                                     \
        if (group >= 32)                     \
            EACH##rows(orderLanes, m, 8, 8); \
        if (group >= 16)                     \
            EACH##rows(orderLanes, m, 4, 4); \
        if (group >= 8)                      \
            EACH##rows(orderLanes, m, 2, 2); \
        if (group >= 4)                      \
            EACH##rows(orderLanes, m, 1, 1); \
        merge##rows(m);                      \
    } while (0)

INLINE void mergeGroups1(Words *m, int group)
{
    orderLanes(m, group - 1, group / 2);
    MERGE_LANES(1, m, group);
}

#define DEFINE_MERGE_GROUPS(rows, half)                \
    INLINE void mergeGroups##rows(Words *m, int group) \
    {                                                  \
        EACH##half(orderGroups, m, m, rows, group);    \
        MERGE_LANES(rows, m, group);                   \
    }
DEFINE_MERGE_GROUPS(2, 1)
DEFINE_MERGE_GROUPS(4, 2)
DEFINE_MERGE_GROUPS(8, 4)
DEFINE_MERGE_GROUPS(16, 8)
DEFINE_MERGE_GROUPS(32, 16)

/* Sorts rows * LANES words. */
typedef void SortNetwork(lane_t *words);
#define DEFINE_NETWORK(rows)                     \
    static void sortNetwork##rows(lane_t *words) \
    {                                            \
        Words m[rows];                           \
        EACH##rows(loadNext, m, m, words);       \
        sort##rows(m);                           \
        mergeGroups##rows(m, 2);                 \
        if (LANES >= 4)                          \
            mergeGroups##rows(m, 4);             \
        if (LANES >= 8)                          \
            mergeGroups##rows(m, 8);             \
        if (LANES >= 16)                         \
            mergeGroups##rows(m, 16);            \
        if (LANES >= 32)                         \
            mergeGroups##rows(m, 32);            \
        if (rows >= 2)                           \
            zip##rows(m);                        \
        if (rows >= 4)                           \
            zip##rows(m);                        \
        if (rows >= 8)                           \
            zip##rows(m);                        \
        if (rows >= 16)                          \
            zip##rows(m);                        \
        if (rows >= 32)                          \
            zip##rows(m);                        \
        EACH##rows(storeNext, m, m, words);      \
    }
DEFINE_NETWORK(1)
DEFINE_NETWORK(2)
DEFINE_NETWORK(4)
DEFINE_NETWORK(8)
DEFINE_NETWORK(16)
#if VECTOR_BYTES == 64
DEFINE_NETWORK(32)
#endif

/* By the logarithm of their rows. */
static SortNetwork *const networks[] = {
    sortNetwork1,  sortNetwork2, sortNetwork4, sortNetwork8, sortNetwork16,
#if VECTOR_BYTES == 64
    sortNetwork32,
#endif
};

#endif
