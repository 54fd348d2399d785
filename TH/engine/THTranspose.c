/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Transposing tiles in vector registers, by element size.
 *
 * An N x N transposition of vectors of N lanes is log2(N) rounds, each of which interleaves row i
 * with row i + N/2. Vectors of 16 bytes are enough: memory is the limit, and every machine has
 * them. Source lines are read along their whole length, so that every cache line is used at once.
 */
#include <TH/engine/THMove.h>

#include <string.h>

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define SHUFFLE(Vector, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#endif
#endif
#ifndef SHUFFLE
#define SHUFFLE(Vector, a, b, ...) __builtin_shuffle(a, b, (Vector){__VA_ARGS__})
#endif

typedef uint8_t __attribute__((may_alias)) Word1;
typedef uint16_t __attribute__((may_alias)) Word2;
typedef uint32_t __attribute__((may_alias)) Word4;
typedef uint64_t __attribute__((may_alias)) Word8;
typedef uint8_t Vector1 __attribute__((vector_size(16)));
typedef uint16_t Vector2 __attribute__((vector_size(16)));
typedef uint32_t Vector4 __attribute__((vector_size(16)));
typedef uint64_t Vector8 __attribute__((vector_size(16)));

#define LOW1 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH1 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define LOW2 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH2 4, 12, 5, 13, 6, 14, 7, 15
#define LOW4 0, 4, 1, 5
#define HIGH4 2, 6, 3, 7
#define LOW8 0, 2
#define HIGH8 1, 3

#define LINE 64 /* bytes of a cache line */

/* Lines are fetched a strip ahead of their use. */
static inline void fetch(const char *from, int64_t line, int64_t lines, int64_t stride,
                         int64_t bytes)
{
    const uintptr_t start = (uintptr_t)from + (uintptr_t)(line * stride);
    for (int64_t i = 0; i < lines; i++)
        for (int64_t b = 0; b < bytes; b += 64)
            __builtin_prefetch((const void *)(start + (uintptr_t)(i * stride + b)));
}

/* Squares of LANES x LANES; strips of as many lines of `from` as make a cache line in each row of
 * `to`, which is so written at once; what is left of lines and columns. */
#define DEFINE_TRANSPOSE(Word, Vector, LANES, LOW, HIGH)                                          \
    static void square##Word(char *to, int64_t toStride, const char *from, int64_t fromStride)    \
    {                                                                                             \
        Vector v[LANES], w[LANES];                                                                \
        for (int i = 0; i < LANES; i++)                                                           \
            memcpy(&v[i], from + i * fromStride, sizeof v[i]);                                    \
        for (int round = 1; round < LANES; round *= 2) {                                          \
            for (int i = 0; i < LANES / 2; i++) {                                                 \
                w[2 * i] = SHUFFLE(Vector, v[i], v[i + LANES / 2], LOW);                          \
                w[2 * i + 1] = SHUFFLE(Vector, v[i], v[i + LANES / 2], HIGH);                     \
            }                                                                                     \
            memcpy(v, w, sizeof v);                                                               \
        }                                                                                         \
        for (int i = 0; i < LANES; i++)                                                           \
            memcpy(to + i * toStride, &v[i], sizeof v[i]);                                        \
    }                                                                                             \
    static void ragged##Word(char *to, int64_t toStride, const char *from, int64_t fromStride,    \
                             int64_t rows, int64_t columns)                                       \
    {                                                                                             \
        for (int64_t c = 0; c < columns; c++)                                                     \
            for (int64_t r = 0; r < rows; r++)                                                    \
                ((Word *)(to + r * toStride))[c] = ((const Word *)(from + c * fromStride))[r];    \
    }                                                                                             \
    static void strip##Word(char *to, int64_t toStride, const char *from, int64_t fromStride,     \
                            int64_t rows, int64_t columns)                                        \
    {                                                                                             \
        const int64_t size = (int64_t)sizeof(Word), whole = rows / LANES * LANES;                 \
        for (int64_t r = 0; r < whole; r += LANES)                                                \
            for (int64_t c = 0; c < columns; c += LANES)                                          \
                square##Word(to + r * toStride + c * size, toStride,                              \
                             from + c * fromStride + r * size, fromStride);                       \
        ragged##Word(to + whole * toStride, toStride, from + whole * size, fromStride,            \
                     rows - whole, columns);                                                      \
    }                                                                                             \
    static void transpose##Word(char *to, int64_t toStride, const char *from, int64_t fromStride, \
                                int64_t rows, int64_t columns)                                    \
    {                                                                                             \
        const int64_t size = (int64_t)sizeof(Word), most = LINE / size;                           \
        int64_t c = 0;                                                                            \
        for (int64_t strip; c + LANES <= columns; c += strip) {                                   \
            strip = columns - c < most ? (columns - c) / LANES * LANES : most;                    \
            if (c + 2 * most <= columns)                                                          \
                fetch(from, c + most, most, fromStride, rows * size);                             \
            strip##Word(to + c * size, toStride, from + c * fromStride, fromStride, rows, strip); \
        }                                                                                         \
        ragged##Word(to + c * size, toStride, from + c * fromStride, fromStride, rows,            \
                     columns - c);                                                                \
    }
DEFINE_TRANSPOSE(Word1, Vector1, 16, LOW1, HIGH1)
DEFINE_TRANSPOSE(Word2, Vector2, 8, LOW2, HIGH2)
DEFINE_TRANSPOSE(Word4, Vector4, 4, LOW4, HIGH4)
DEFINE_TRANSPOSE(Word8, Vector8, 2, LOW8, HIGH8)

void THMove_transpose(int64_t size, char *to, int64_t toStride, const char *from,
                      int64_t fromStride, int64_t rows, int64_t columns)
{
    switch (size) {
    case 1:
        transposeWord1(to, toStride, from, fromStride, rows, columns);
        break;
    case 2:
        transposeWord2(to, toStride, from, fromStride, rows, columns);
        break;
    case 4:
        transposeWord4(to, toStride, from, fromStride, rows, columns);
        break;
    default:
        transposeWord8(to, toStride, from, fromStride, rows, columns);
    }
}
