/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Moving elements between rows of any strides and one contiguous run, by element size. Strides and
 * row lengths that are common are constants, so that compilers vectorise them. */
#include <TH/THIsa.h>
#include <TH/THMachine.h>
#include <TH/engine/THMove.h>
#include <TH/loops/every.h>
#include <TH/loops/mirrors.h>
#include <TH/loops/moves.h>
#include <TH/loops/spread.h>
#include <TH/loops/strings.h>
#include <TH/loops/triples.h>

#include <string.h>

/* Memory of any dtype seen as words of its element size. What is moved as one may be several
 * elements, which begin anywhere. */
typedef uint8_t __attribute__((may_alias, aligned(1))) Word1;
typedef uint16_t __attribute__((may_alias, aligned(1))) Word2;
typedef uint32_t __attribute__((may_alias, aligned(1))) Word4;
typedef uint64_t __attribute__((may_alias, aligned(1))) Word8;
/* Vectors of them: compilers may put an array together from single stores, for which a load of all
 * of it waits. */
#if defined(__AVX512F__)
#define VECTOR 64
#elif defined(__AVX__)
#define VECTOR 32
#else
#define VECTOR 16
#endif
#define SPREAD_ONE(Word, bytes)                                  \
    do {                                                         \
        typedef Word __attribute__((vector_size(bytes))) Vector; \
        const Vector vector = (Vector){0} + one;                 \
        memcpy(lanes, &vector, bytes);                           \
    } while (0)

#define PACKED 16 /* bytes put together in a register */

/* Steps of 2 to 4 words at once, by stores that leave out what lies between; how many words were
 * stored. */
#define DEFINE_SPREAD(Word)                                                            \
    INLINE int64_t spread##Word(char *to, const char *from, int64_t n, int64_t step)   \
    {                                                                                  \
        const int64_t size = (int64_t)sizeof(Word), lanes = 64 / size;                 \
        const int64_t each = (lanes + step - 1) / step;                                \
        const uint64_t every = step == 2   ? 0x5555555555555555                        \
                               : step == 3 ? 0x9249249249249249                        \
                                           : 0x1111111111111111;                       \
        const uint64_t mask = every & UINT64_MAX >> (64 - lanes);                      \
        const int64_t loaded = TH_SPREAD_LOADED(step) / size;                          \
        const bool asks = THMachine_asksAhead;                                         \
        int64_t i = 0;                                                                 \
        for (; i + loaded <= n; i += each) {                                           \
            char *place = to + i * step * size;                                        \
            if (asks)                                                                  \
                askAhead(place);                                                       \
            vSpread##Word(place, mask, vSpreadLoad(from + i * size, step), step);      \
        }                                                                              \
        for (; i + each <= n; i += each)                                               \
            vSpread##Word(to + i * step * size, mask,                                  \
                          vSpreadLoadPart(from + i * size, (int)(each * size)), step); \
        return i;                                                                      \
    }
#ifdef TH_HAVE_SPREAD
DEFINE_SPREAD(Word1)
DEFINE_SPREAD(Word2)
DEFINE_SPREAD(Word4)
DEFINE_SPREAD(Word8)
#else
#define spreadWord1(to, from, n, step) 0
#define spreadWord2(to, from, n, step) 0
#define spreadWord4(to, from, n, step) 0
#define spreadWord8(to, from, n, step) 0
#endif

/* How many words a stride is, ANY_STEP where it is not whole ones, as those of rows moved as words
 * may be. */
#define ANY_STEP INT64_MAX
INLINE int64_t stepOf(int64_t stride, int64_t size)
{
    return stride % size == 0 ? stride / size : ANY_STEP;
}

#define DEFINE_MOVES(Word)                                                                     \
    INLINE void gatherBy##Word(Word *restrict to, const char *restrict from, int64_t rows,     \
                               int64_t rowStride, int64_t n, int64_t stride)                   \
    {                                                                                          \
        for (int64_t r = 0; r < rows; r++, to += n, from += rowStride)                         \
            for (int64_t i = 0; i < n; i++)                                                    \
                to[i] = *(const Word *)(from + i * stride);                                    \
    }                                                                                          \
    INLINE void scatterBy##Word(char *restrict to, const Word *restrict from, int64_t rows,    \
                                int64_t rowStride, int64_t n, int64_t stride)                  \
    {                                                                                          \
        for (int64_t r = 0; r < rows; r++, from += n, to += rowStride)                         \
            for (int64_t i = 0; i < n; i++)                                                    \
                *(Word *)(to + i * stride) = from[i];                                          \
    }                                                                                          \
    /* A store for each element would take longer. */                                          \
    INLINE void pack##Word(Word *to, const char *from, int64_t stride)                         \
    {                                                                                          \
        typedef Word __attribute__((vector_size(PACKED))) Vector;                              \
        const int64_t lanes = PACKED / (int64_t)sizeof(Word);                                  \
        Vector vector = {0};                                                                   \
        for (int64_t i = 0; i < lanes; i++)                                                    \
            vector[i] = *(const Word *)(from + i * stride);                                    \
        memcpy(to, &vector, PACKED);                                                           \
        ONE_BY_ONE;                                                                            \
    }                                                                                          \
    INLINE void gatherAny##Word(Word *restrict to, const char *restrict from, int64_t rows,    \
                                int64_t rowStride, int64_t n, int64_t stride)                  \
    {                                                                                          \
        const int64_t lanes = PACKED / (int64_t)sizeof(Word);                                  \
        for (int64_t r = 0; r < rows; r++, to += n, from += rowStride) {                       \
            const char *place = from;                                                          \
            int64_t i = 0;                                                                     \
            for (; i <= n - lanes; i += lanes, place += lanes * stride)                        \
                pack##Word(to + i, place, stride);                                             \
            for (; i < n; i++, place += stride) {                                              \
                to[i] = *(const Word *)place;                                                  \
                ONE_BY_ONE;                                                                    \
            }                                                                                  \
        }                                                                                      \
    }                                                                                          \
    static void gatherPair##Word(char *const to[2], const char *const from[2], int64_t n,      \
                                 int64_t stride)                                               \
    {                                                                                          \
        Word *one = (Word *)to[0], *other = (Word *)to[1];                                     \
        const char *place = from[0];                                                           \
        const int64_t step = stepOf(stride, (int64_t)sizeof(Word));                            \
        if ((step == 2 && gatherEveryPair##Word(to, from, n, 2)) ||                            \
            (step == 3 && sizeof(Word) < 8 && gatherEveryPair##Word(to, from, n, 3)) ||        \
            (step == 4 && sizeof(Word) < 8 && gatherEveryPair##Word(to, from, n, 4)))          \
            return;                                                                            \
        const int64_t lanes = PACKED / (int64_t)sizeof(Word),                                  \
                      apart = (int64_t)((uintptr_t)from[1] - (uintptr_t)from[0]);              \
        int64_t i = 0;                                                                         \
        for (; i <= n - lanes; i += lanes, place += lanes * stride) {                          \
            pack##Word(one + i, place, stride);                                                \
            pack##Word(other + i, place + apart, stride);                                      \
        }                                                                                      \
        for (; i < n; i++, place += stride) {                                                  \
            one[i] = *(const Word *)place;                                                     \
            other[i] = *(const Word *)(place + apart);                                         \
            ONE_BY_ONE;                                                                        \
        }                                                                                      \
    }                                                                                          \
    INLINE void scatterAny##Word(char *restrict to, const Word *restrict from, int64_t rows,   \
                                 int64_t rowStride, int64_t n, int64_t stride)                 \
    {                                                                                          \
        for (int64_t r = 0; r < rows; r++, from += n, to += rowStride) {                       \
            char *place = to;                                                                  \
            int64_t i = 0;                                                                     \
            for (; i < n - 3; i += 4, place += 4 * stride) {                                   \
                *(Word *)place = from[i];                                                      \
                ONE_BY_ONE;                                                                    \
                *(Word *)(place + stride) = from[i + 1];                                       \
                ONE_BY_ONE;                                                                    \
                *(Word *)(place + 2 * stride) = from[i + 2];                                   \
                ONE_BY_ONE;                                                                    \
                *(Word *)(place + 3 * stride) = from[i + 3];                                   \
                ONE_BY_ONE;                                                                    \
            }                                                                                  \
            for (; i < n; i++, place += stride) {                                              \
                *(Word *)place = from[i];                                                      \
                ONE_BY_ONE;                                                                    \
            }                                                                                  \
        }                                                                                      \
    }                                                                                          \
    static void each##Word(char *to, int64_t toStride, const char *from, int64_t fromStride,   \
                           int64_t n)                                                          \
    {                                                                                          \
        for (; n > 3; n -= 4, to += 4 * toStride, from += 4 * fromStride) {                    \
            *(Word *)to = *(const Word *)from;                                                 \
            ONE_BY_ONE;                                                                        \
            *(Word *)(to + toStride) = *(const Word *)(from + fromStride);                     \
            ONE_BY_ONE;                                                                        \
            *(Word *)(to + 2 * toStride) = *(const Word *)(from + 2 * fromStride);             \
            ONE_BY_ONE;                                                                        \
            *(Word *)(to + 3 * toStride) = *(const Word *)(from + 3 * fromStride);             \
            ONE_BY_ONE;                                                                        \
        }                                                                                      \
        for (; n > 0; n--, to += toStride, from += fromStride) {                               \
            *(Word *)to = *(const Word *)from;                                                 \
            ONE_BY_ONE;                                                                        \
        }                                                                                      \
    }                                                                                          \
    INLINE void reverse##Word(Word *restrict to, const Word *restrict from, int64_t lanes)     \
    {                                                                                          \
        for (int64_t i = 0; i < lanes; i++)                                                    \
            to[i] = from[lanes - 1 - i];                                                       \
    }                                                                                          \
    /* `from` is where the last element of each row lies, which comes first. */                \
    INLINE void reverseBy##Word(char *to, const char *from, int64_t rows, int64_t rowStride,   \
                                int64_t n, int64_t part)                                       \
    {                                                                                          \
        const int64_t size = (int64_t)sizeof(Word), bytes = n * size, lanes = part / size;     \
        const bool asks = part == 64 && THMachine_asksForWrites;                               \
        const int64_t later = part == 64 ? rowsLater(rowStride) : 0;                           \
        for (int64_t r = 0; r < rows; r++, to += bytes, from += rowStride) {                   \
            const char *const begin = from + size - bytes;                                     \
            for (int64_t at = 0; at < bytes - part; at += part) {                              \
                if (asks)                                                                      \
                    askAhead(to + at);                                                         \
                if (later)                                                                     \
                    askToRead(begin + at, later);                                              \
                reverse##Word((Word *)(to + at), (const Word *)(begin + bytes - part - at),    \
                              lanes);                                                          \
            }                                                                                  \
            reverse##Word((Word *)(to + bytes - part), (const Word *)begin, lanes);            \
        }                                                                                      \
    }                                                                                          \
    static void reverseRows##Word(char *to, const char *from, int64_t rows, int64_t rowStride, \
                                  int64_t n)                                                   \
    {                                                                                          \
        const int64_t size = (int64_t)sizeof(Word), bytes = n * size;                          \
        if (bytes >= 64)                                                                       \
            reverseBy##Word(to, from, rows, rowStride, n, 64);                                 \
        else if (bytes >= 16)                                                                  \
            reverseBy##Word(to, from, rows, rowStride, n, 16);                                 \
        else                                                                                   \
            gatherBy##Word((Word *)to, from, rows, rowStride, n, -size);                       \
    }                                                                                          \
    typedef Word __attribute__((vector_size(VECTOR))) Filled##Word;                            \
    INLINE void fillPart##Word(char *to, const Word *lanes, Filled##Word wide, int64_t part)   \
    {                                                                                          \
        if (part < 64)                                                                         \
            memcpy(to, lanes, (size_t)part);                                                   \
        for (int64_t at = 0; part == 64 && at < part; at += VECTOR)                            \
            memcpy(to + at, &wide, VECTOR);                                                    \
    }                                                                                          \
    INLINE void fillBy##Word(char *to, int64_t toStride, const char *from, int64_t fromStride, \
                             int64_t rows, int64_t n, int64_t part)                            \
    {                                                                                          \
        const int64_t size = (int64_t)sizeof(Word), bytes = n * size;                          \
        /* Beyond the end of a row only where the next one begins: there may be no page. */    \
        const bool near = rows > 1 && toStride - bytes < AHEAD / 8;                            \
        const int64_t most = near ? bytes : bytes - AHEAD;                                     \
        const int64_t asked = THMachine_asksForWrites ? THSize_min(most, bytes - part) : 0;    \
        Word lanes[32 / sizeof(Word)];                                                         \
        for (int64_t r = 0; r < rows; r++, to += toStride, from += fromStride) {               \
            const Word one = *(const Word *)from;                                              \
            const Filled##Word wide = (Filled##Word){0} + one;                                 \
            if (part == 8)                                                                     \
                SPREAD_ONE(Word, 8);                                                           \
            else if (part == 16)                                                               \
                SPREAD_ONE(Word, 16);                                                          \
            else if (part == 32 && VECTOR >= 32)                                               \
                SPREAD_ONE(Word, 32);                                                          \
            else                                                                               \
                for (int64_t i = 0; i < part / size && part < 64; i++)                         \
                    lanes[i] = one;                                                            \
            int64_t at = 0;                                                                    \
            for (; part == 64 && at < asked; at += part) {                                     \
                askAhead(to + at);                                                             \
                fillPart##Word(to + at, lanes, wide, part);                                    \
            }                                                                                  \
            _Pragma("GCC unroll 4") for (; at < bytes - part; at += part)                      \
                fillPart##Word(to + at, lanes, wide, part);                                    \
            fillPart##Word(to + bytes - part, lanes, wide, part);                              \
        }                                                                                      \
    }                                                                                          \
    /* Rows of less than 8 bytes, side by side: 8 are written, whose end is the next row's to  \
     * write; how many rows there was room for. */                                             \
    INLINE int64_t fillOver##Word(char *to, int64_t apart, const char *from, int64_t step,     \
                                  int64_t rows, int64_t bytes)                                 \
    {                                                                                          \
        const uint64_t ones = UINT64_MAX / (Word)~0; /* the lowest bit of each word */         \
        int64_t r = 0;                                                                         \
        for (; apart == bytes && (rows - r) * bytes >= 8; r++, to += bytes, from += step) {    \
            const uint64_t lanes = *(const Word *)from * ones;                                 \
            memcpy(to, &lanes, sizeof lanes);                                                  \
        }                                                                                      \
        return r;                                                                              \
    }                                                                                          \
    static void fill##Word(char *to, int64_t toStride, const char *from, int64_t fromStride,   \
                           int64_t rows, int64_t n)                                            \
    {                                                                                          \
        const int64_t size = (int64_t)sizeof(Word), bytes = n * size;                          \
        if (bytes >= 64)                                                                       \
            fillBy##Word(to, toStride, from, fromStride, rows, n, 64);                         \
        else if (bytes >= 32)                                                                  \
            fillBy##Word(to, toStride, from, fromStride, rows, n, 32);                         \
        else if (bytes >= 16)                                                                  \
            fillBy##Word(to, toStride, from, fromStride, rows, n, 16);                         \
        else if (bytes >= 8)                                                                   \
            fillBy##Word(to, toStride, from, fromStride, rows, n, 8);                          \
        else                                                                                   \
            for (int64_t r = fillOver##Word(to, toStride, from, fromStride, rows, bytes);      \
                 r < rows; r++)                                                                \
                for (int64_t i = 0; i < n; i++) {                                              \
                    Word *const place = (Word *)(to + r * toStride) + i;                       \
                    *place = *(const Word *)(from + r * fromStride);                           \
                    ONE_BY_ONE;                                                                \
                }                                                                              \
    }                                                                                          \
    INLINE void spreadBy##Word(char *to, const char *from, int64_t n, int64_t step)            \
    {                                                                                          \
        const int64_t size = (int64_t)sizeof(Word), done = spread##Word(to, from, n, step);    \
        scatterAny##Word(to + done * step * size, (const Word *)from + done, 1, 0, n - done,   \
                         step * size);                                                         \
    }                                                                                          \
    static void gather##Word(char *to, const char *from, int64_t rows, int64_t rowStride,      \
                             int64_t n, int64_t stride)                                        \
    {                                                                                          \
        const int64_t size = (int64_t)sizeof(Word), step = stepOf(stride, size);               \
        Word *result = (Word *)to;                                                             \
        if ((step == 2 && gatherEvery##Word(to, from, rows, rowStride, n, 2)) ||               \
            (step == 3 && gatherEvery##Word(to, from, rows, rowStride, n, 3)) ||               \
            (step == 4 && gatherEvery##Word(to, from, rows, rowStride, n, 4)))                 \
            return;                                                                            \
        if (step == 1 && n == 2)                                                               \
            gatherBy##Word(result, from, rows, rowStride, 2, size);                            \
        else if (step == 1 && n == 3 && areTriples(3 * size, rowStride))                       \
            gatherTriples(to, from, rows, rowStride, 3 * size);                                \
        else if (step == 1 && n == 3)                                                          \
            gatherBy##Word(result, from, rows, rowStride, 3, size);                            \
        else if (step == 0 && n == 2)                                                          \
            gatherBy##Word(result, from, rows, rowStride, 2, 0);                               \
        else if (step == 0 && n == 3)                                                          \
            gatherBy##Word(result, from, rows, rowStride, 3, 0);                               \
        else if (step == 0)                                                                    \
            fill##Word(to, n * size, from, rowStride, rows, n);                                \
        else if (step == -1)                                                                   \
            reverseRows##Word(to, from, rows, rowStride, n);                                   \
        else if (rows > 1 && n == 2)                                                           \
            gatherAny##Word(result, from, rows, rowStride, 2, stride);                         \
        else if (rows > 1 && n == 3)                                                           \
            gatherAny##Word(result, from, rows, rowStride, 3, stride);                         \
        else if (rows > 1 && n == 4)                                                           \
            gatherAny##Word(result, from, rows, rowStride, 4, stride);                         \
        else                                                                                   \
            gatherAny##Word(result, from, rows, rowStride, n, stride);                         \
    }                                                                                          \
    static void scatter##Word(char *to, const char *from, int64_t rows, int64_t rowStride,     \
                              int64_t n, int64_t stride)                                       \
    {                                                                                          \
        const int64_t size = (int64_t)sizeof(Word), step = stepOf(stride, size);               \
        const Word *source = (const Word *)from;                                               \
        if (step == 1 && n == 2)                                                               \
            scatterBy##Word(to, source, rows, rowStride, 2, size);                             \
        else if (step == 1 && n == 3 && size >= 4)                                             \
            scatterBy##Word(to, source, rows, rowStride, 3, size);                             \
        else if (rows > 1 && n == 2)                                                           \
            scatterAny##Word(to, source, rows, rowStride, 2, stride);                          \
        else if (rows > 1 && n == 3)                                                           \
            scatterAny##Word(to, source, rows, rowStride, 3, stride);                          \
        else if (rows > 1 && n == 4)                                                           \
            scatterAny##Word(to, source, rows, rowStride, 4, stride);                          \
        else if (rows == 1 && step == 2)                                                       \
            spreadBy##Word(to, from, n, 2);                                                    \
        else if (rows == 1 && step == 3)                                                       \
            spreadBy##Word(to, from, n, 3);                                                    \
        else if (rows == 1 && step == 4)                                                       \
            spreadBy##Word(to, from, n, 4);                                                    \
        else                                                                                   \
            scatterAny##Word(to, source, rows, rowStride, n, stride);                          \
    }
#if VECTOR == 64
TH_DEFINE_EVERY(Word1, 64, NUMBERS64)
TH_DEFINE_EVERY(Word2, 32, NUMBERS32)
TH_DEFINE_EVERY(Word4, 16, NUMBERS16)
TH_DEFINE_EVERY(Word8, 8, NUMBERS8)
#elif VECTOR == 32
TH_DEFINE_EVERY(Word1, 32, NUMBERS32)
TH_DEFINE_EVERY(Word2, 16, NUMBERS16)
TH_DEFINE_EVERY(Word4, 8, NUMBERS8)
TH_DEFINE_EVERY(Word8, 4, NUMBERS4)
#else
TH_DEFINE_EVERY(Word1, 16, NUMBERS16)
TH_DEFINE_EVERY(Word2, 8, NUMBERS8)
TH_DEFINE_EVERY(Word4, 4, NUMBERS4)
TH_DEFINE_EVERY(Word8, 2, NUMBERS2)
#endif
DEFINE_MOVES(Word1)
DEFINE_MOVES(Word2)
DEFINE_MOVES(Word4)
DEFINE_MOVES(Word8)

/* Between loads of single elements far away: after vectors of 64 bytes these take an eighth longer,
 * as these lower the clock. */
#if defined(__AVX512F__) && !defined(__clang__)
#define HALF_VECTORS __attribute__((target("prefer-vector-width=256")))
#else
#define HALF_VECTORS
#endif

HALF_VECTORS static void addPlaces(int64_t *restrict offset, const int64_t *restrict index,
                                   int64_t n, int64_t scale, int64_t wrap)
{
    for (int64_t i = 0; i < n; i++)
        offset[i] += (index[i] + (index[i] >> 63 & wrap)) * scale;
}

/* In several vectors: one would wait for itself. */
#define CHECKED 16
HALF_VECTORS static bool areWithin(const int64_t *index, int64_t n, uint64_t shift, uint64_t last)
{
    const int64_t whole = n / CHECKED * CHECKED;
    uint64_t failed[CHECKED] = {0}, all = 0;
    for (int64_t i = 0; i < whole; i += CHECKED)
        for (int k = 0; k < CHECKED; k++) {
            const uint64_t place = (uint64_t)index[i + k] + shift;
            failed[k] |= place | (last - place);
        }
    for (int k = 0; k < CHECKED; k++)
        all |= failed[k];
    return all >> 63 == 0 && THMove_areWithin(index + whole, n - whole, shift, last);
}

THPick TH_ISA_(th_pick8), TH_ISA_(th_pick16), TH_ISA_(th_pick32), TH_ISA_(th_pick64); /* pick.c */

TH_MOVES_DECLARE(TH_ISA_(th_moves));
const THMoves TH_ISA_(th_moves) = {
    {gatherWord1, gatherWord2, gatherWord4, gatherWord8},
    {scatterWord1, scatterWord2, scatterWord4, scatterWord8},
    {gatherPairWord1, gatherPairWord2, gatherPairWord4, gatherPairWord8},
    {eachWord1, eachWord2, eachWord4, eachWord8},
    {fillWord1, fillWord2, fillWord4, fillWord8},
    TH_ISA_(th_moveRows),
    TH_ISA_(th_movePlanes),
    TH_MIRRORED,
    TH_ISA_(th_streamRows),
    TH_ISA_(th_streamParts),
    TH_ISA_(th_streamWord),
    fillString,
    TH_ISA_(th_moveIndexedRows),
    {TH_ISA_(th_pick8), TH_ISA_(th_pick16), TH_ISA_(th_pick32), TH_ISA_(th_pick64)},
    addPlaces,
    areWithin,
};
