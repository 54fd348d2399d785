/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Transposing tiles in vector registers, by element size.
 *
 * An N x N transposition of vectors of N lanes is log2(N) rounds, each of which interleaves row i
 * with row i + N/2. Every machine has vectors of 16 bytes; few bytes take vectors of 8. Vectors of
 * a whole cache line, where there are such, write each line at once, as rows must whose lines share
 * few sets of the cache. Source lines are read along their whole length, so that every cache line
 * is used at once.
 */
#include <TH/THIsa.h>
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

#define LOW_Word1 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH_Word1 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define LOW_Half1 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH_Half1 4, 12, 5, 13, 6, 14, 7, 15
#define LOW_Word2 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH_Word2 4, 12, 5, 13, 6, 14, 7, 15
#define LOW_Word4 0, 4, 1, 5
#define HIGH_Word4 2, 6, 3, 7
#define LOW_Word8 0, 2
#define HIGH_Word8 1, 3

#define UNROLL _Pragma("GCC unroll 16")

/* What comes next is asked for: the lines `readAhead` bytes behind those that are read, and
 * `writeAhead` behind those that are written, if not 0. */
static inline __attribute__((always_inline)) void fetchNext(const char *to, int64_t toStride,
                                                            const char *from, int64_t fromStride,
                                                            int64_t lines, int64_t readAhead,
                                                            int64_t writeAhead)
{
    const uintptr_t written = (uintptr_t)to + (uintptr_t)writeAhead,
                    read = (uintptr_t)from + (uintptr_t)readAhead;
    for (int64_t i = 0; i < lines; i++) {
        __builtin_prefetch((const void *)(read + (uintptr_t)(i * fromStride)));
        if (writeAhead)
            __builtin_prefetch((const void *)(written + (uintptr_t)(i * toStride)), 1);
    }
}

/* Where the rest of n begins so that it is no less than `lanes`: some of it is done twice. */
static inline int64_t backFrom(int64_t at, int64_t n, int64_t lanes)
{
    return n - at < lanes && n >= lanes ? n - lanes : at;
}

#if defined(__SSSE3__)
/* Lines whose elements take turns: rows of 2 or 4 elements are put together in words of their size,
 * of 3 in larger ones, from which what is left over is squeezed out. Loads must not wait for what
 * was just stored, so `JOINED` rows are in hand (3 lines of 307200 bytes: 583 us by squares, so 75;
 * Xeon of the fifth generation). */
#define JOINED 128
#define DEFINE_JOIN(Word, Wide, COLUMNS, name)                                     \
    static inline __attribute__((always_inline)) void join##Word##name(            \
        char *to, const char *from, int64_t fromStride, int64_t rows)              \
    {                                                                              \
        typedef Wide __attribute__((may_alias, aligned(1))) Row;                   \
        typedef Word __attribute__((aligned(1))) Element;                          \
        Row *restrict row = (Row *)to;                                             \
        const Element *line[COLUMNS];                                              \
        for (int c = 0; c < COLUMNS; c++)                                          \
            line[c] = (const Element *)(from + c * fromStride);                    \
        for (int64_t r = 0; r < rows; r++) {                                       \
            Wide joined = 0;                                                       \
            for (int c = 0; c < COLUMNS; c++)                                      \
                joined |= (Wide)((Wide)line[c][r] << (8 * (int)sizeof(Word) * c)); \
            row[r] = joined;                                                       \
        }                                                                          \
    }
DEFINE_JOIN(Word1, uint16_t, 2, By2)
DEFINE_JOIN(Word1, uint32_t, 3, Inuint32_t)
DEFINE_JOIN(Word1, uint32_t, 4, By4)
DEFINE_JOIN(Word2, uint32_t, 2, By2)
DEFINE_JOIN(Word2, uint64_t, 3, Inuint64_t)
DEFINE_JOIN(Word2, uint64_t, 4, By4)
DEFINE_JOIN(Word4, uint64_t, 2, By2)

/* Of each 16 bytes the 12 that are of rows, then these of all, before what is left over. */
#define LANE_Word1(at)                                                                     \
    at, at + 1, at + 2, at + 4, at + 5, at + 6, at + 8, at + 9, at + 10, at + 12, at + 13, \
        at + 14, at + 3, at + 7, at + 11, at + 15
#define LANE_Word2(at)                                                                     \
    at, at + 1, at + 2, at + 3, at + 4, at + 5, at + 8, at + 9, at + 10, at + 11, at + 12, \
        at + 13, at + 6, at + 7, at + 14, at + 15
#if defined(__AVX512BW__)
#define SQUEEZED 64
#define LANES_OF(Word) LANE_##Word(0), LANE_##Word(16), LANE_##Word(32), LANE_##Word(48)
#define SQUEEZED_LANES 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 7, 11, 15
#elif defined(__AVX2__)
#define SQUEEZED 32
#define LANES_OF(Word) LANE_##Word(0), LANE_##Word(16)
#define SQUEEZED_LANES 0, 1, 2, 4, 5, 6, 3, 7
#else
#define SQUEEZED 16
#define LANES_OF(Word) LANE_##Word(0)
#define SQUEEZED_LANES 0, 1, 2, 3
#endif
typedef uint8_t Squeezed __attribute__((vector_size(SQUEEZED)));
typedef uint32_t SqueezedWords __attribute__((vector_size(SQUEEZED)));
#define DEFINE_TRIPLES(Word, Wide)                                                                \
    static void join##Word##By3(char *to, const char *from, int64_t fromStride, int64_t rows)     \
    {                                                                                             \
        const int64_t size = (int64_t)sizeof(Word), wide = (int64_t)sizeof(Wide), row = 3 * size; \
        const int64_t each = SQUEEZED / wide, beyond = SQUEEZED / 4 / row + 1;                    \
        for (int64_t r = 0, n, i; r < rows; r += n) {                                             \
            _Alignas(64) char room[JOINED * sizeof(Wide)];                                        \
            n = THSize_min(JOINED, rows - r);                                                     \
            join##Word##In##Wide(room, from + r * size, fromStride, n);                           \
            for (i = 0; i + each <= n && r + i + each + beyond <= rows; i += each) {              \
                Squeezed some;                                                                    \
                memcpy(&some, room + i * wide, sizeof some);                                      \
                some = SHUFFLE(Squeezed, some, some, LANES_OF(Word));                             \
                SqueezedWords words = (SqueezedWords)some;                                        \
                words = SHUFFLE(SqueezedWords, words, words, SQUEEZED_LANES);                     \
                memcpy(to + (r + i) * row, &words, sizeof words);                                 \
            }                                                                                     \
            for (; i + 16 / wide <= n && r + i + 16 / wide + 2 <= rows; i += 16 / wide) {         \
                Vector1 few;                                                                      \
                memcpy(&few, room + i * wide, sizeof few);                                        \
                few = SHUFFLE(Vector1, few, few, LANE_##Word(0));                                 \
                memcpy(to + (r + i) * row, &few, sizeof few);                                     \
            }                                                                                     \
            for (; i < n; i++)                                                                    \
                memcpy(to + (r + i) * row, room + i * wide, 3 * sizeof(Word));                    \
        }                                                                                         \
    }
DEFINE_TRIPLES(Word1, uint32_t)
DEFINE_TRIPLES(Word2, uint64_t)

/* Whether rows have so few elements. */
#define DEFINE_TURNS_OF(Word)                                                             \
    static bool turns##Word(char *to, const char *from, int64_t fromStride, int64_t rows, \
                            int64_t columns)                                              \
    {                                                                                     \
        if (columns == 2)                                                                 \
            join##Word##By2(to, from, fromStride, rows);                                  \
        else if (columns == 3)                                                            \
            join##Word##By3(to, from, fromStride, rows);                                  \
        else if (columns == 4)                                                            \
            join##Word##By4(to, from, fromStride, rows);                                  \
        return columns >= 2 && columns <= 4;                                              \
    }
DEFINE_TURNS_OF(Word1)
DEFINE_TURNS_OF(Word2)
static bool turnsWord4(char *to, const char *from, int64_t fromStride, int64_t rows,
                       int64_t columns)
{
    if (columns == 2)
        joinWord4By2(to, from, fromStride, rows);
    return columns == 2;
}
#endif

/* The rounds: v's rows become its columns, w is what each round makes of them. */
#define INTERLEAVE(Name, Vector, LANES)                                                      \
    UNROLL                                                                                   \
    for (int round = 1; round < LANES; round *= 2) {                                         \
        UNROLL                                                                               \
        for (int i = 0; i < LANES / 2; i++) {                                                \
            w[2 * i] = SHUFFLE(Vector, v[i], v[i + LANES / 2], LOW_##Name);                  \
            w[2 * i + 1] = SHUFFLE(Vector, v[i], v[i + LANES / 2], HIGH_##Name);             \
        }                                                                                    \
        UNROLL                                                                               \
        for (int i = 0; i < LANES; i++) /* as one, compilers would take it through memory */ \
            v[i] = w[i];                                                                     \
    }

/* A square of LANES x LANES, or a part of one; rows and columns fewer than that. */
#define DEFINE_BLOCK(Word, Vector, LANES)                                                          \
    static inline __attribute__((always_inline)) void part##Word(                                  \
        char *to, int64_t toStride, const char *from, int64_t fromStride, int rows, int columns)   \
    {                                                                                              \
        Vector v[LANES], w[LANES];                                                                 \
        UNROLL                                                                                     \
        for (int i = 0; i < LANES; i++)                                                            \
            memcpy(&v[i], from + (i < columns ? i : 0) * fromStride, sizeof v[i]);                 \
        INTERLEAVE(Word, Vector, LANES)                                                            \
        UNROLL                                                                                     \
        for (int i = 0; i < LANES; i++)                                                            \
            if (i < rows)                                                                          \
                memcpy(to + i * toStride, &v[i], sizeof v[i]);                                     \
    }                                                                                              \
    static inline __attribute__((always_inline)) void square##Word(                                \
        char *to, int64_t toStride, const char *from, int64_t fromStride)                          \
    {                                                                                              \
        part##Word(to, toStride, from, fromStride, LANES, LANES);                                  \
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
    /* Columns fewer than that of a dense run: what a row is stored with beyond its end, the next  \
     * one stores over. And rows fewer than that of short lines, which are read with what follows. \
     * Both but for the last ones; how many were done. */                                          \
    static inline __attribute__((always_inline)) int64_t narrowBy##Word(                           \
        char *to, const char *from, int64_t fromStride, int64_t rows, int columns)                 \
    {                                                                                              \
        const int64_t size = (int64_t)sizeof(Word), whole = LANES * size, row = columns * size;    \
        const int64_t safe = rows * row < whole ? 0 : (rows * row - whole) / row + 1;              \
        int64_t r = 0;                                                                             \
        for (; r + LANES <= safe; r += LANES)                                                      \
            part##Word(to + r * row, row, from + r * size, fromStride, LANES, columns);            \
        return r;                                                                                  \
    }                                                                                              \
    static int64_t narrow##Word(char *to, const char *from, int64_t fromStride, int64_t rows,      \
                                int64_t columns)                                                   \
    {                                                                                              \
        if (columns == 3) /* as colours are */                                                     \
            return narrowBy##Word(to, from, fromStride, rows, 3);                                  \
        return narrowBy##Word(to, from, fromStride, rows, (int)columns);                           \
    }                                                                                              \
    static int64_t flat##Word(char *to, int64_t toStride, const char *from, int64_t fromStride,    \
                              int64_t rows, int64_t columns, int64_t ahead)                        \
    {                                                                                              \
        const int64_t size = (int64_t)sizeof(Word), whole = LANES * size;                          \
        const int64_t end = (columns - 1) * fromStride + rows * size;                              \
        const int64_t safe = end < whole ? 0 : (end - whole) / fromStride + 1;                     \
        int64_t c = 0;                                                                             \
        for (; c + LANES <= safe; c += LANES) {                                                    \
            if (ahead != TH_NEXT_LINE)                                                             \
                __builtin_prefetch(                                                                \
                    (const void *)((uintptr_t)(from + c * fromStride) + (uintptr_t)ahead));        \
            part##Word(to + c * size, toStride, from + c * fromStride, fromStride, (int)rows,      \
                       LANES);                                                                     \
        }                                                                                          \
        return c;                                                                                  \
    }                                                                                              \
    /* Whether it was either. */                                                                   \
    static bool thin##Word(char *to, int64_t toStride, const char *from, int64_t fromStride,       \
                           int64_t rows, int64_t columns, int64_t ahead)                           \
    {                                                                                              \
        const int64_t size = (int64_t)sizeof(Word);                                                \
        if (columns < LANES && rows >= LANES && toStride == columns * size) {                      \
            const int64_t done = narrow##Word(to, from, fromStride, rows, columns);                \
            ragged##Word(to + done * toStride, toStride, from + done * size, fromStride,           \
                         rows - done, columns);                                                    \
            return true;                                                                           \
        }                                                                                          \
        if (rows < LANES && columns >= LANES && fromStride > 0 && fromStride <= LANES * size) {    \
            const int64_t done = flat##Word(to, toStride, from, fromStride, rows, columns, ahead); \
            ragged##Word(to + done * size, toStride, from + done * fromStride, fromStride, rows,   \
                         columns - done);                                                          \
            return true;                                                                           \
        }                                                                                          \
        return false;                                                                              \
    }
DEFINE_BLOCK(Word1, Vector1, 16)
DEFINE_BLOCK(Half1, HalfVector1, 8)
DEFINE_BLOCK(Word2, Vector2, 8)
DEFINE_BLOCK(Word4, Vector4, 4)
DEFINE_BLOCK(Word8, Vector8, 2)

/* A block of squares, the last ones over the ones before; what is less than one is done by `few`.
 */
#define DEFINE_SQUARES(Name, Word, LANES, few)                                                \
    static void block##Name(char *to, int64_t toStride, const char *from, int64_t fromStride, \
                            int64_t rows, int64_t columns)                                    \
    {                                                                                         \
        const int64_t size = (int64_t)sizeof(Word);                                           \
        if (rows < LANES || columns < LANES) {                                                \
            few(to, toStride, from, fromStride, rows, columns);                               \
            return;                                                                           \
        }                                                                                     \
        for (int64_t c = 0; c < columns; c += LANES) {                                        \
            const int64_t column = THSize_min(c, columns - LANES);                            \
            for (int64_t r = 0; r < rows; r += LANES) {                                       \
                const int64_t row = THSize_min(r, rows - LANES);                              \
                square##Name(to + row * toStride + column * size, toStride,                   \
                             from + column * fromStride + row * size, fromStride);            \
            }                                                                                 \
        }                                                                                     \
    }
DEFINE_SQUARES(Word1, Word1, 16, raggedWord1)
DEFINE_SQUARES(Half1, Half1, 8, raggedHalf1)
DEFINE_SQUARES(Word2, Word2, 8, raggedWord2)
DEFINE_SQUARES(Word4, Word4, 4, raggedWord4)
DEFINE_SQUARES(Word8, Word8, 2, raggedWord8)

/* Blocks of as many rows and columns as a cache line has elements, the last ones over the ones
 * before where these are no less than `LANES`. */
#define DEFINE_TRANSPOSE(Name, Block, Word, LANES)                                                \
    static void transpose##Name(char *to, int64_t toStride, const char *from, int64_t fromStride, \
                                int64_t rows, int64_t columns, int64_t readAhead,                 \
                                int64_t writeAhead)                                               \
    {                                                                                             \
        const int64_t size = (int64_t)sizeof(Word), most = TH_LINE_BYTES / size;                  \
        if (thin##Word(to, toStride, from, fromStride, rows, columns, readAhead))                 \
            return;                                                                               \
        for (int64_t next = 0; next < rows; next += most) {                                       \
            const int64_t r = backFrom(next, rows, LANES);                                        \
            const int64_t height = THSize_min(rows - r, most);                                    \
            const int64_t whole = height == most ? columns / most * most : 0;                     \
            const int64_t rest = backFrom(whole, columns, LANES);                                 \
            char *row = to + r * toStride;                                                        \
            const char *line = from + r * size;                                                   \
            for (int64_t c = 0; c < whole; c += most) {                                           \
                if (readAhead != 0)                                                               \
                    fetchNext(row + c * size, toStride, line + c * fromStride, fromStride, most,  \
                              readAhead, writeAhead);                                             \
                block##Block(row + c * size, toStride, line + c * fromStride, fromStride, most,   \
                             most);                                                               \
            }                                                                                     \
            if (whole == columns)                                                                 \
                continue;                                                                         \
            if (readAhead != 0 &&                                                                 \
                readAhead != TH_NEXT_LINE) /* which the hardware foresees of few lines */         \
                fetchNext(row + whole * size, toStride, line + whole * fromStride, fromStride,    \
                          columns - whole, readAhead, 0);                                         \
            block##Block(row + rest * size, toStride, line + rest * fromStride, fromStride,       \
                         height, columns - rest);                                                 \
        }                                                                                         \
    }

#if defined(__AVX512F__)
typedef uint8_t Line1 __attribute__((vector_size(64)));
typedef uint16_t Line2 __attribute__((vector_size(64)));
typedef uint32_t Line4 __attribute__((vector_size(64)));
typedef uint64_t Line8 __attribute__((vector_size(64)));
/* Of each 16 bytes the lower or the upper half of elements, by turns with another vector's. */
#define LINE_PAIRS1(at)                                                                      \
    at, at + 64, at + 1, at + 65, at + 2, at + 66, at + 3, at + 67, at + 4, at + 68, at + 5, \
        at + 69, at + 6, at + 70, at + 7, at + 71
#define LOW_Line1 LINE_PAIRS1(0), LINE_PAIRS1(16), LINE_PAIRS1(32), LINE_PAIRS1(48)
#define HIGH_Line1 LINE_PAIRS1(8), LINE_PAIRS1(24), LINE_PAIRS1(40), LINE_PAIRS1(56)
#define LINE_PAIRS2(at) at, at + 32, at + 1, at + 33, at + 2, at + 34, at + 3, at + 35
#define LOW_Line2 LINE_PAIRS2(0), LINE_PAIRS2(8), LINE_PAIRS2(16), LINE_PAIRS2(24)
#define HIGH_Line2 LINE_PAIRS2(4), LINE_PAIRS2(12), LINE_PAIRS2(20), LINE_PAIRS2(28)
/* Within each 16 bytes, of words of 4 and 8; then these among each other. */
#define LOW_Line4 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define HIGH_Line4 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#define LOW_Line8 0, 8, 2, 10, 4, 12, 6, 14
#define HIGH_Line8 1, 9, 3, 11, 5, 13, 7, 15
#define LINE_EVEN 0, 1, 4, 5, 8, 9, 12, 13
#define LINE_ODD 2, 3, 6, 7, 10, 11, 14, 15

/* Four quarters of a square, in which rows lie as they are to lie in it by 16 bytes. */
static inline __attribute__((always_inline)) void storeLines(char *to, int64_t toStride,
                                                             const Line8 *v, int quarter)
{
    for (int i = 0; i < quarter; i++) {
        const Line8 a = SHUFFLE(Line8, v[i], v[i + quarter], LINE_EVEN);
        const Line8 b = SHUFFLE(Line8, v[i + 2 * quarter], v[i + 3 * quarter], LINE_EVEN);
        const Line8 c = SHUFFLE(Line8, v[i], v[i + quarter], LINE_ODD);
        const Line8 d = SHUFFLE(Line8, v[i + 2 * quarter], v[i + 3 * quarter], LINE_ODD);
        const Line8 row[4] = {SHUFFLE(Line8, a, b, LINE_EVEN), SHUFFLE(Line8, c, d, LINE_EVEN),
                              SHUFFLE(Line8, a, b, LINE_ODD), SHUFFLE(Line8, c, d, LINE_ODD)};
        for (int q = 0; q < 4; q++)
            memcpy(to + (q * quarter + i) * toStride, &row[q], sizeof row[q]);
    }
}

/* A quarter of its lines at a time: of little elements registers do not hold all of them. */
#define DEFINE_SQUARE_OF_LINES(Line, LANES)                                                    \
    static void square##Line(char *to, int64_t toStride, const char *from, int64_t fromStride) \
    {                                                                                          \
        Line8 all[4 * LANES];                                                                  \
        for (int quarter = 0; quarter < 4; quarter++) {                                        \
            const char *const lines = from + quarter * LANES * fromStride;                     \
            Line v[LANES], w[LANES];                                                           \
            UNROLL                                                                             \
            for (int i = 0; i < LANES; i++)                                                    \
                memcpy(&v[i], lines + i * fromStride, sizeof v[i]);                            \
            INTERLEAVE(Line, Line, LANES)                                                      \
            UNROLL                                                                             \
            for (int i = 0; i < LANES; i++)                                                    \
                all[quarter * LANES + i] = (Line8)v[i];                                        \
        }                                                                                      \
        storeLines(to, toStride, all, LANES);                                                  \
    }
DEFINE_SQUARE_OF_LINES(Line1, 16)
DEFINE_SQUARE_OF_LINES(Line2, 8)
DEFINE_SQUARE_OF_LINES(Line4, 4)
DEFINE_SQUARE_OF_LINES(Line8, 2)
#endif

DEFINE_TRANSPOSE(Word1, Word1, Word1, 16)
DEFINE_TRANSPOSE(Half1, Half1, Half1, 8)
DEFINE_TRANSPOSE(Word2, Word2, Word2, 8)
DEFINE_TRANSPOSE(Word4, Word4, Word4, 4)
DEFINE_TRANSPOSE(Word8, Word8, Word8, 2)

/* The larger squares, where there are rows and columns for one. */
#define DEFINE_EITHER(Name, Large, Small, LANES)                                                  \
    static void transpose##Name(char *to, int64_t toStride, const char *from, int64_t fromStride, \
                                int64_t rows, int64_t columns, int64_t readAhead,                 \
                                int64_t writeAhead)                                               \
    {                                                                                             \
        if (rows < LANES || columns < LANES)                                                      \
            transpose##Small(to, toStride, from, fromStride, rows, columns, readAhead,            \
                             writeAhead);                                                         \
        else                                                                                      \
            transpose##Large(to, toStride, from, fromStride, rows, columns, readAhead,            \
                             writeAhead);                                                         \
    }
DEFINE_EITHER(Less1, Word1, Half1, 16)
#if defined(__AVX512F__)
DEFINE_SQUARES(Line1, Word1, 64, blockWord1)
DEFINE_SQUARES(Line2, Word2, 32, blockWord2)
DEFINE_SQUARES(Line4, Word4, 16, blockWord4)
DEFINE_SQUARES(Line8, Word8, 8, blockWord8)
DEFINE_TRANSPOSE(Line1, Line1, Word1, 16)
DEFINE_TRANSPOSE(Line2, Line2, Word2, 8)
DEFINE_TRANSPOSE(Line4, Line4, Word4, 4)
DEFINE_TRANSPOSE(Line8, Line8, Word8, 2)
DEFINE_EITHER(Any1, Line1, Less1, 64)
DEFINE_EITHER(Any2, Line2, Word2, 32)
DEFINE_EITHER(Any4, Line4, Word4, 16)
DEFINE_EITHER(Any8, Line8, Word8, 8)
#else
#define transposeAny1 transposeLess1
#define transposeAny2 transposeWord2
#define transposeAny4 transposeWord4
#define transposeAny8 transposeWord8
#endif

#if defined(__SSSE3__)
#define DEFINE_TURNS(Name, Word)                                                                   \
    static void turn##Name(char *to, int64_t toStride, const char *from, int64_t fromStride,       \
                           int64_t rows, int64_t columns, int64_t readAhead, int64_t writeAhead)   \
    {                                                                                              \
        if (toStride != columns * (int64_t)sizeof(Word) ||                                         \
            !turns##Word(to, from, fromStride, rows, columns))                                     \
            transpose##Name(to, toStride, from, fromStride, rows, columns, readAhead, writeAhead); \
    }
DEFINE_TURNS(Any1, Word1)
DEFINE_TURNS(Any2, Word2)
DEFINE_TURNS(Any4, Word4)
#else
#define turnAny1 transposeAny1
#define turnAny2 transposeAny2
#define turnAny4 transposeAny4
#endif

TH_TRANSPOSES_DECLARE(TH_ISA_(th_transposes));
const THTransposes TH_ISA_(th_transposes) = {{turnAny1, turnAny2, turnAny4, transposeAny8}};
