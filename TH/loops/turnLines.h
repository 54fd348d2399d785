/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to linear.h: lines as columns. */

/* `lines`, a constant, rows of as many elements, each as a column; LANES of them, or half as many
 * in each half of the lanes. */
INLINE void transposeLanes(int lines, Words *row)
{
#pragma GCC unroll 4
    for (int bit = 1; bit < lines; bit *= 2) {
#pragma GCC unroll 16
        for (int i = 0; i < lines; i++) {
            if (i & bit)
                continue;
            const Words a = row[i], b = row[i + bit];
            row[i] = pairLanes(a, b, bit, 0);
            row[i + bit] = pairLanes(a, b, bit, bit);
        }
    }
}

/* The transpose of up to LANES lines of k elements; `stored` lanes of each of its rows, with zeros
 * behind the last line. One function where products are turned too. */
#if LANES_MASKED
#define TURN_LINES static __attribute__((noinline)) void
#else
#define TURN_LINES INLINE void
#endif
TURN_LINES turnLines(int64_t k, int lines, const lane_t *from, int64_t stride, lane_t *to,
                     int64_t toRow, int stored)
{
    for (int64_t p = 0; p < k; p += LANES, from += LANES, to += LANES * toRow) {
        const int rows = k - p < LANES ? (int)(k - p) : LANES;
        const bool few = LANES_MASKED && lines == stored && (lines < 3 || rows < 3);
        Words row[LANES];
        for (int i = 0; i < rows && few; i++)
            for (int j = 0; j < lines; j++)
                to[i * toRow + j] = from[j * stride + i];
        if (few)
            continue;
#pragma GCC unroll 16
        for (int j = 0; j < LANES; j++)
            row[j] = j < lines ? loadPart(from + j * stride, rows) : (Words){0};
        transposeLanes(LANES, row);
        for (int i = 0; i < rows; i++)
            storePart(to + i * toRow, row[i], stored);
    }
}
