/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gathering strided elements into contiguous runs and scattering them back. */
#include <TH/engine/THMove.h>

#include <string.h>

/* Memory of any dtype seen as words of its element size. */
typedef uint8_t __attribute__((may_alias)) Word1;
typedef uint16_t __attribute__((may_alias)) Word2;
typedef uint32_t __attribute__((may_alias)) Word4;
typedef uint64_t __attribute__((may_alias)) Word8;

/* Rows shorter than this are moved element by element, which beats a call of memcpy. */
#define SHORT_ROW 16
/* From this many rows on, lines that lie side by side are worth a transposition. */
#define TRANSPOSED_ROWS 8

#define DEFINE_MOVES(Word)                                                                 \
    static void gather##Word(char *to, const char *from, int64_t rows, int64_t rowStride,  \
                             int64_t n, int64_t stride)                                    \
    {                                                                                      \
        Word *restrict result = (Word *)to;                                                \
        for (int64_t r = 0; r < rows; r++, result += n) {                                  \
            const char *restrict source = from + r * rowStride;                            \
            for (int64_t i = 0; i < n; i++)                                                \
                result[i] = *(const Word *)(source + i * stride);                          \
        }                                                                                  \
    }                                                                                      \
    static void repeat##Word(char *to, const char *from, int64_t rows, int64_t rowStride,  \
                             int64_t n)                                                    \
    {                                                                                      \
        Word *restrict result = (Word *)to;                                                \
        for (int64_t r = 0; r < rows; r++, result += n) {                                  \
            const Word value = *(const Word *)(from + r * rowStride);                      \
            for (int64_t i = 0; i < n; i++)                                                \
                result[i] = value;                                                         \
        }                                                                                  \
    }                                                                                      \
    static void scatter##Word(char *to, const char *from, int64_t rows, int64_t rowStride, \
                              int64_t n, int64_t stride)                                   \
    {                                                                                      \
        const Word *restrict source = (const Word *)from;                                  \
        for (int64_t r = 0; r < rows; r++, source += n) {                                  \
            char *restrict result = to + r * rowStride;                                    \
            for (int64_t i = 0; i < n; i++)                                                \
                *(Word *)(result + i * stride) = source[i];                                \
        }                                                                                  \
    }
DEFINE_MOVES(Word1)
DEFINE_MOVES(Word2)
DEFINE_MOVES(Word4)
DEFINE_MOVES(Word8)

static void repeat(int64_t size, char *to, const char *from, int64_t rows, int64_t rowStride,
                   int64_t n)
{
    switch (size) {
    case 1:
        repeatWord1(to, from, rows, rowStride, n);
        break;
    case 2:
        repeatWord2(to, from, rows, rowStride, n);
        break;
    case 4:
        repeatWord4(to, from, rows, rowStride, n);
        break;
    default:
        repeatWord8(to, from, rows, rowStride, n);
    }
}

void THMove_gather(int64_t size, char *to, const char *from, int64_t rows, int64_t rowStride,
                   int64_t n, int64_t stride)
{
    if (stride == size && (rows == 1 || rowStride == n * size)) {
        memcpy(to, from, (size_t)(rows * n * size));
        return;
    }
    if (stride == size && n >= SHORT_ROW) {
        for (int64_t r = 0; r < rows; r++)
            memcpy(to + r * n * size, from + r * rowStride, (size_t)(n * size));
        return;
    }
    if (stride == 0) {
        repeat(size, to, from, rows, rowStride, n);
        return;
    }
    if (rowStride == size && rows >= TRANSPOSED_ROWS) {
        THMove_transpose(size, to, n * size, from, stride, rows, n);
        return;
    }
    switch (size) {
    case 1:
        gatherWord1(to, from, rows, rowStride, n, stride);
        break;
    case 2:
        gatherWord2(to, from, rows, rowStride, n, stride);
        break;
    case 4:
        gatherWord4(to, from, rows, rowStride, n, stride);
        break;
    default:
        gatherWord8(to, from, rows, rowStride, n, stride);
    }
}

void THMove_scatter(int64_t size, char *to, const char *from, int64_t rows, int64_t rowStride,
                    int64_t n, int64_t stride)
{
    if (stride == size && (rows == 1 || rowStride == n * size)) {
        memcpy(to, from, (size_t)(rows * n * size));
        return;
    }
    switch (size) {
    case 1:
        scatterWord1(to, from, rows, rowStride, n, stride);
        break;
    case 2:
        scatterWord2(to, from, rows, rowStride, n, stride);
        break;
    case 4:
        scatterWord4(to, from, rows, rowStride, n, stride);
        break;
    default:
        scatterWord8(to, from, rows, rowStride, n, stride);
    }
}
