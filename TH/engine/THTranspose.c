/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Transposing tiles in vector registers, by element size.
 *
 * An N x N transposition of vectors of N lanes is log2(N) rounds, each of which interleaves row i
 * with row i + N/2. Vectors of 16 bytes are enough: memory is the limit, and every machine has
 * them; few bytes take vectors of 8. Source lines are read along their whole length, so that every
 * cache line is used at once.
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

typedef uint8_t __attribute__((may_alias)) Word1, Half1;
typedef uint16_t __attribute__((may_alias)) Word2;
typedef uint32_t __attribute__((may_alias)) Word4;
typedef uint64_t __attribute__((may_alias)) Word8;
typedef uint8_t Vector1 __attribute__((vector_size(16)));
typedef uint8_t HalfVector1 __attribute__((vector_size(8)));
typedef uint16_t Vector2 __attribute__((vector_size(16)));
typedef uint32_t Vector4 __attribute__((vector_size(16)));
typedef uint64_t Vector8 __attribute__((vector_size(16)));

#define LOW1 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH1 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define HALF_LOW1 0, 8, 1, 9, 2, 10, 3, 11
#define HALF_HIGH1 4, 12, 5, 13, 6, 14, 7, 15
#define LOW2 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH2 4, 12, 5, 13, 6, 14, 7, 15
#define LOW4 0, 4, 1, 5
#define HIGH4 2, 6, 3, 7
#define LOW8 0, 2
#define HIGH8 1, 3

/* What comes next is asked for: the lines behind those that are read, and two lines further those
 * that are written far away, for which the hardware does not look ahead in so many rows at once. */
static inline __attribute__((always_inline)) void fetchNext(const char *to, int64_t toStride,
                                                            const char *from, int64_t fromStride,
                                                            int64_t lines, bool far)
{
    const uintptr_t written = (uintptr_t)to + 2 * TH_LINE_BYTES,
                    read = (uintptr_t)from + TH_LINE_BYTES;
    for (int64_t i = 0; i < lines; i++) {
        __builtin_prefetch((const void *)(read + (uintptr_t)(i * fromStride)));
        if (far)
            __builtin_prefetch((const void *)(written + (uintptr_t)(i * toStride)), 1);
    }
}

/* Where the rest of n begins so that it is no less than `lanes`: some of it is done twice. */
static inline int64_t backFrom(int64_t at, int64_t n, int64_t lanes)
{
    return n - at < lanes && n >= lanes ? n - lanes : at;
}

/* Squares of LANES x LANES, the last ones over the ones before; rows and columns fewer than that;
 * blocks of as many rows and columns as a cache line has elements. */
#define DEFINE_TRANSPOSE(Word, Vector, LANES, LOW, HIGH)                                           \
    static inline __attribute__((always_inline)) void square##Word(                                \
        char *to, int64_t toStride, const char *from, int64_t fromStride)                          \
    {                                                                                              \
        Vector v[LANES], w[LANES];                                                                 \
        for (int i = 0; i < LANES; i++)                                                            \
            memcpy(&v[i], from + i * fromStride, sizeof v[i]);                                     \
        for (int round = 1; round < LANES; round *= 2) {                                           \
            for (int i = 0; i < LANES / 2; i++) {                                                  \
                w[2 * i] = SHUFFLE(Vector, v[i], v[i + LANES / 2], LOW);                           \
                w[2 * i + 1] = SHUFFLE(Vector, v[i], v[i + LANES / 2], HIGH);                      \
            }                                                                                      \
            memcpy(v, w, sizeof v);                                                                \
        }                                                                                          \
        for (int i = 0; i < LANES; i++)                                                            \
            memcpy(to + i * toStride, &v[i], sizeof v[i]);                                         \
    }                                                                                              \
    static void ragged##Word(char *to, int64_t toStride, const char *from, int64_t fromStride,     \
                             int64_t rows, int64_t columns)                                        \
    {                                                                                              \
        if (rows < columns)                                                                        \
            for (int64_t r = 0; r < rows; r++)                                                     \
                for (int64_t c = 0; c < columns; c++)                                              \
                    ((Word *)(to + r * toStride))[c] = ((const Word *)(from + c * fromStride))[r]; \
        else                                                                                       \
            for (int64_t c = 0; c < columns; c++)                                                  \
                for (int64_t r = 0; r < rows; r++)                                                 \
                    ((Word *)(to + r * toStride))[c] = ((const Word *)(from + c * fromStride))[r]; \
    }                                                                                              \
    static void block##Word(char *to, int64_t toStride, const char *from, int64_t fromStride,      \
                            int64_t rows, int64_t columns)                                         \
    {                                                                                              \
        const int64_t size = (int64_t)sizeof(Word);                                                \
        if (rows < LANES || columns < LANES) {                                                     \
            ragged##Word(to, toStride, from, fromStride, rows, columns);                           \
            return;                                                                                \
        }                                                                                          \
        for (int64_t c = 0; c < columns; c += LANES) {                                             \
            const int64_t column = THSize_min(c, columns - LANES);                                 \
            for (int64_t r = 0; r < rows; r += LANES) {                                            \
                const int64_t row = THSize_min(r, rows - LANES);                                   \
                square##Word(to + row * toStride + column * size, toStride,                        \
                             from + column * fromStride + row * size, fromStride);                 \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void transpose##Word(char *to, int64_t toStride, const char *from, int64_t fromStride,  \
                                int64_t rows, int64_t columns, bool far)                           \
    {                                                                                              \
        const int64_t size = (int64_t)sizeof(Word), most = TH_LINE_BYTES / size;                   \
        for (int64_t next = 0; next < rows; next += most) {                                        \
            const int64_t r = backFrom(next, rows, LANES);                                         \
            const int64_t height = THSize_min(rows - r, most);                                     \
            const int64_t whole = height == most ? columns / most * most : 0;                      \
            const int64_t rest = backFrom(whole, columns, LANES);                                  \
            char *row = to + r * toStride;                                                         \
            const char *line = from + r * size;                                                    \
            for (int64_t c = 0; c < whole; c += most) {                                            \
                fetchNext(row + c * size, toStride, line + c * fromStride, fromStride, most, far); \
                block##Word(row + c * size, toStride, line + c * fromStride, fromStride, most,     \
                            most);                                                                 \
            }                                                                                      \
            if (whole < columns)                                                                   \
                block##Word(row + rest * size, toStride, line + rest * fromStride, fromStride,     \
                            height, columns - rest);                                               \
        }                                                                                          \
    }
DEFINE_TRANSPOSE(Word1, Vector1, 16, LOW1, HIGH1)
DEFINE_TRANSPOSE(Half1, HalfVector1, 8, HALF_LOW1, HALF_HIGH1)
DEFINE_TRANSPOSE(Word2, Vector2, 8, LOW2, HIGH2)
DEFINE_TRANSPOSE(Word4, Vector4, 4, LOW4, HIGH4)
DEFINE_TRANSPOSE(Word8, Vector8, 2, LOW8, HIGH8)

void THMove_transpose(int64_t size, char *to, int64_t toStride, const char *from,
                      int64_t fromStride, int64_t rows, int64_t columns, bool far)
{
    switch (size) {
    case 1:
        if (rows < (int64_t)sizeof(Vector1) || columns < (int64_t)sizeof(Vector1))
            transposeHalf1(to, toStride, from, fromStride, rows, columns, far);
        else
            transposeWord1(to, toStride, from, fromStride, rows, columns, far);
        break;
    case 2:
        transposeWord2(to, toStride, from, fromStride, rows, columns, far);
        break;
    case 4:
        transposeWord4(to, toStride, from, fromStride, rows, columns, far);
        break;
    default:
        transposeWord8(to, toStride, from, fromStride, rows, columns, far);
    }
}
