/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For moves of elements: short rows side by side, each with its elements in the opposite order, as
 * colours of pixels are. */
#ifndef TH_LOOPS_MIRRORS_H
#define TH_LOOPS_MIRRORS_H

#include <TH/engine/THMove.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSSE3__)
#define TH_MIRRORED mirrorRows
/* Rows of n elements of `item` bytes, of TH_MIRRORED_BYTES at most: as many as a shuffle holds.
 * What it stores beyond them is written again. */
static inline void mirrorRows(char *to, const char *from, int64_t rows, int64_t n, int64_t item)
{
    typedef uint8_t __attribute__((vector_size(TH_MIRRORED_BYTES))) Bytes;
    const int64_t row = n * item, step = TH_MIRRORED_BYTES / row * row;
    int64_t left = rows * row;
    Bytes order, block = {0};
    for (int64_t i = 0; i < TH_MIRRORED_BYTES; i++) {
        const int64_t at = i % row;
        order[i] = (uint8_t)(i - at + row - item - at / item * item + at % item);
    }
    for (; left >= TH_MIRRORED_BYTES; left -= step, to += step, from += step) {
        memcpy(&block, from, sizeof block);
        block = __builtin_shuffle(block, order);
        memcpy(to, &block, sizeof block);
    }
    memcpy(&block, from, (size_t)left);
    block = __builtin_shuffle(block, order);
    memcpy(to, &block, (size_t)left);
}
#else /* shuffles take longer than elements one by one */
#define TH_MIRRORED NULL
#endif

#endif
