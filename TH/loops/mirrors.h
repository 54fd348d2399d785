/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For moves of elements: short rows side by side, each with its elements in the opposite order, as
 * colours of pixels are. */
#ifndef TH_LOOPS_MIRRORS_H
#define TH_LOOPS_MIRRORS_H

#include <TH/engine/THMove.h>
#include <stdint.h>
#include <string.h>

#define MIRRORS TH_MIRRORED_BYTES /* that are shuffled at once */
#define TH_MIRRORS static inline __attribute__((always_inline))

/* Elements of `item` bytes, a constant. */
TH_MIRRORS void mirrorEach(char *to, const char *from, int64_t rows, int64_t n, int64_t item)
{
    for (; rows > 0; rows--, to += n * item, from += n * item)
        for (int64_t i = 0; i < n; i++)
            memcpy(to + i * item, from + (n - 1 - i) * item, (size_t)item);
}

/* Rows of n elements of `item` bytes, of MIRRORS bytes at most: as many as a shuffle holds. What it
 * stores beyond them is written again, so the last rows are moved one by one. */
static inline void mirrorRows(char *to, const char *from, int64_t rows, int64_t n, int64_t item)
{
#if defined(__SSSE3__)
    typedef uint8_t __attribute__((vector_size(MIRRORS))) Bytes;
    const int64_t row = n * item, together = MIRRORS / row;
    Bytes order, block;
    for (int64_t i = 0; i < MIRRORS; i++) {
        const int64_t at = i % row;
        order[i] = (uint8_t)(i - at + row - item - at / item * item + at % item);
    }
    for (; rows * row >= MIRRORS; rows -= together) {
        memcpy(&block, from, MIRRORS);
        block = __builtin_shuffle(block, order);
        memcpy(to, &block, MIRRORS);
        to += together * row;
        from += together * row;
    }
#endif
    if (item == 1)
        mirrorEach(to, from, rows, n, 1);
    else if (item == 2)
        mirrorEach(to, from, rows, n, 2);
    else if (item == 4)
        mirrorEach(to, from, rows, n, 4);
    else
        mirrorEach(to, from, rows, n, 8);
}

#undef MIRRORS
#undef TH_MIRRORS
#endif
