/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For moves of elements: rows of three that become one run, as pixels are, of 3, 6 or 12 bytes. */
#ifndef TH_LOOPS_TRIPLES_H
#define TH_LOOPS_TRIPLES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define TRIPLES 16 /* bytes that are shuffled at once */
#define TH_TRIPLES static inline __attribute__((always_inline))

/* Do rows of three elements lie at least one apart? */
TH_TRIPLES bool areTriples(int64_t bytes, int64_t rowStride)
{
    const int64_t apart = rowStride < 0 ? -rowStride : rowStride;
    return (bytes == 3 || bytes == 6 || bytes == 12) && apart >= bytes / 3;
}

/* These rows, of `bytes` (a constant) bytes: the next power of two is moved, but of the first and
 * the last row, beyond which there may be nothing. */
TH_TRIPLES void moveTriples(char *to, const char *from, int64_t rows, int64_t rowStride,
                            int64_t bytes)
{
    const size_t more = bytes == 3 ? 4 : bytes == 6 ? 8 : 16;
    if (rows > 0)
        memcpy(to, from, (size_t)bytes);
    for (int64_t r = 1; r < rows - 1; r++)
        memcpy(to + r * bytes, from + r * rowStride, more);
    if (rows > 1)
        memcpy(to + (rows - 1) * bytes, from + (rows - 1) * rowStride, (size_t)bytes);
}

/* The same side by side in memory, the last one first: as many as a shuffle holds. */
TH_TRIPLES void reverseTriples(char *to, const char *from, int64_t rows, int64_t bytes)
{
#if defined(__SSSE3__)
    typedef uint8_t __attribute__((vector_size(TRIPLES))) Bytes;
    const int64_t together = TRIPLES / bytes;
    Bytes order, block;
    for (int64_t i = 0; i < TRIPLES; i++) /* rows end where the vector does */
        order[i] = (uint8_t)(TRIPLES - (i / bytes + 1) * bytes + i % bytes);
    for (; rows > together; rows -= together, to += together * bytes) {
        memcpy(&block, from + bytes - TRIPLES, TRIPLES);
        block = __builtin_shuffle(block, order);
        memcpy(to, &block, TRIPLES);
        from -= together * bytes;
    }
#endif
    moveTriples(to, from, rows, -bytes, bytes);
}

static inline void gatherTriples(char *to, const char *from, int64_t rows, int64_t rowStride,
                                 int64_t bytes)
{
    if (bytes == 3 && rowStride == -3)
        reverseTriples(to, from, rows, 3);
    else if (bytes == 6 && rowStride == -6)
        reverseTriples(to, from, rows, 6);
    else if (bytes == 3)
        moveTriples(to, from, rows, rowStride, 3);
    else if (bytes == 6)
        moveTriples(to, from, rows, rowStride, 6);
    else
        moveTriples(to, from, rows, rowStride, 12);
}

#undef TRIPLES
#undef TH_TRIPLES
#endif
