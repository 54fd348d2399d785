/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of counts; THReduction.h says what each must do. They are exact, so they need not
 * keep to its order, and accumulators are int64 for every dtype. Zeros are what is counted:
 * equality takes one instruction. Vectors are registers: gcc compares longer ones element by
 * element. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/THMachine.h>
#include <TH/loops/ahead.h>
#include <TH/loops/registers.h>
#include <TH/ops/THReduction.h>

#define COLUMNS 1024    /* elements of short lines brought side by side at a time */
#define ROW_BYTES 32768 /* of a row counted at a time */
#define PIECE TH_AHEAD_PIECE
#define SHORT 64                    /* elements of a line, which has no lanes of its own */
#define VECTORS (64 / VECTOR_BYTES) /* a line of the cache */
_Static_assert(TH_REDUCE_CHUNK / 64 < UINT8_MAX && TH_REDUCE_ROWS <= UINT8_MAX,
               "a count of bytes holds what it gets");

#define INLINE static inline __attribute__((always_inline, unused))

/* Of bytes from the n-th on, the last n of 64 are set. */
#define SET_8 -1, -1, -1, -1, -1, -1, -1, -1
static const int8_t lastBytes[128] = {[64] = SET_8, SET_8, SET_8, SET_8,
                                      SET_8,        SET_8, SET_8, SET_8};

static void combineCounts(int64_t n, void *acc, const void *next, int64_t first)
{
    (void)first;
    for (int64_t i = 0; i < n; i++)
        ((int64_t *)acc)[i] += ((const int64_t *)next)[i];
}

#define TH_GENERIC_FILE "TH/loops/count.c"
#include <TH/THGenerateLoopTypes.h>

#else

#if defined(TH_REAL_IS_CHAR) || defined(TH_REAL_IS_BOOL)
#define OF(name) TH_CONCAT_4(th_, name, _Byte_, TH_ISA) /* which was before */
#else
#define OF(name) THLoop_(name)

/* Counts are kept in integers as wide as the elements. */
#if defined(TH_REAL_IS_DOUBLE) || defined(TH_REAL_IS_LONG)
#define count_t uint64_t
#elif defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_INT)
#define count_t uint32_t
#elif defined(TH_REAL_IS_SHORT)
#define count_t uint16_t
#else
#define count_t uint8_t
#endif
#define SIZE ((int)sizeof(count_t))
#define LANES (VECTOR_BYTES / SIZE)
typedef storage_t THLoop_(Elements) __attribute__((vector_size(VECTOR_BYTES)));
typedef count_t THLoop_(Counts) __attribute__((vector_size(VECTOR_BYTES)));

/* Lines of n <= SHORT elements, which are brought side by side: a byte for each element, and these
 * added by words. */
static void THLoop_(countShortLines)(int64_t nlines, int64_t n, const char *data, int64_t stride,
                                     int64_t *acc)
{
    storage_t block[COLUMNS];
    uint8_t counts[COLUMNS + 8] = {0};
    const int64_t most = COLUMNS / n;
    const uint64_t last = ~UINT64_C(0) >> (7 - (n - 1) % 8) * 8;
    for (int64_t line = 0; line < nlines; line += most, data += most * stride) {
        const int64_t count = nlines - line < most ? nlines - line : most;
        const storage_t *x = (const storage_t *)(const void *)data;
        if (stride != n * SIZE) {
            THMove_gather(SIZE, (char *)block, data, count, stride, n, SIZE);
            x = block;
        }
#pragma omp simd
        for (int64_t i = 0; i < count * n; i++)
            counts[i] = x[i] != 0;
        for (int64_t k = 0; k < count; k++) {
            uint64_t sum = 0, word;
            for (int64_t i = 0; i < n; i += 8) {
                memcpy(&word, counts + k * n + i, 8);
                sum += i + 8 < n ? word : word & last;
            }
            acc[line + k] = (int64_t)(sum * UINT64_C(0x0101010101010101) >> 56);
        }
    }
}

/* Adds which elements of a line of the cache are 0. */
static inline void THLoop_(addZeros)(const void *x, THLoop_(Counts) * zeros)
{
#pragma GCC unroll 4
    for (int k = 0; k < VECTORS; k++) {
        THLoop_(Elements) v;
        memcpy(&v, (const char *)x + k * VECTOR_BYTES, sizeof v);
        zeros[k] -= (THLoop_(Counts))(v == 0); /* true is -1 */
    }
}

/* The same of the last `rest` bytes of such a line. */
static inline void THLoop_(addLastZeros)(const char *x, int64_t rest, THLoop_(Counts) * zeros)
{
#pragma GCC unroll 4
    for (int k = 0; k < VECTORS; k++) {
        THLoop_(Elements) v;
        THLoop_(Counts) isRest;
        memcpy(&v, x + k * VECTOR_BYTES, sizeof v);
        memcpy(&isRest, lastBytes + rest + k * VECTOR_BYTES, sizeof isRest);
        zeros[k] -= (THLoop_(Counts))(v == 0) & isRest;
    }
}

/* Their sum, by words. */
static inline int64_t THLoop_(sumOfZeros)(const THLoop_(Counts) * zeros)
{
    const int width = SIZE == 1 ? 16 : 8 * SIZE; /* of a partial sum */
    const uint64_t ones = ~UINT64_C(0) / (~UINT64_C(0) >> (64 - width));
    const uint64_t even = SIZE == 1 ? UINT64_C(0x00ff00ff00ff00ff) : ~UINT64_C(0);
    uint64_t words[8], sum = 0;
    memcpy(words, zeros, sizeof words);
    for (int j = 0; j < 8; j++)
        sum += (words[j] & even) + ((words[j] & ~even) >> 8);
    return (int64_t)(sum * ones >> (64 - width));
}

static void THLoop_(countLines)(int64_t nlines, int64_t n, const void *data, int64_t stride,
                                void *accumulators, const THReduceTerm *term)
{
    int64_t *acc = accumulators;
    const int64_t next = stride == n * SIZE ? n : 0;
    const bool whole = n * SIZE % 64 == 0; /* is soon counted where it lies */
    if (n <= SHORT && nlines > 1 && (next > 0 || !whole)) {
        THLoop_(countShortLines)(nlines, n, data, stride, acc);
        return;
    }
    for (int64_t line = 0; line < nlines; line++) {
        const int64_t ahead = THReduceTerm_ahead(term, SIZE, (nlines - 1 - line) * next);
        const char *x = (const char *)data + line * stride;
        THLoop_(Counts) zeros[VECTORS] = {0};
        const int64_t rest = n * SIZE % 64;
        for (const char *stop = x + (n * SIZE - rest); x != stop; x += 64) {
            THMove_prefetchAhead(x, ahead, 1);
            THLoop_(addZeros)(x, zeros);
        }
        int64_t counted = n;
        if (rest && n * SIZE >= 64) {
            THLoop_(addLastZeros)(x - (64 - rest), rest, zeros);
        } else if (rest) {
            counted = 64 / SIZE;
            char some[64] = {0};
            memcpy(some, x, (size_t)rest);
            THLoop_(addZeros)(some, zeros);
        }
        acc[line] = counted - THLoop_(sumOfZeros)(zeros);
    }
}

/* Which elements of some rows are 0, in `vectors` (a constant) vectors of columns, which registers
 * keep from row to row; `begins`, a constant: nothing was before. What lies `shift` bytes behind is
 * asked for, 0: nothing. */
INLINE void THLoop_(zerosOfPiece)(bool begins, int vectors, int64_t nrows, const void *const *rows,
                                  int64_t from, int64_t shift, count_t *zeros)
{
    THLoop_(Counts) counts[PIECE];
#pragma GCC unroll 4 /* PIECE */
    for (int v = 0; v < vectors; v++) {
        counts[v] = (THLoop_(Counts)){0};
        if (!begins)
            memcpy(&counts[v], zeros + v * LANES, VECTOR_BYTES);
    }
    for (int64_t r = 0; r < nrows; r++) {
        const storage_t *x = (const storage_t *)rows[r] + from;
        for (int64_t at = 0; shift && at < vectors * VECTOR_BYTES; at += 64)
            __builtin_prefetch((const void *)((uintptr_t)x + (uintptr_t)(at + shift)));
#pragma GCC unroll 4 /* PIECE */
        for (int v = 0; v < vectors; v++) {
            THLoop_(Elements) elements;
            memcpy(&elements, x + v * LANES, VECTOR_BYTES);
            counts[v] -= (THLoop_(Counts))(elements == 0); /* true is -1 */
        }
    }
#pragma GCC unroll 4 /* PIECE */
    for (int v = 0; v < vectors; v++)
        memcpy(zeros + v * LANES, &counts[v], VECTOR_BYTES);
}

/* The same of n >= LANES columns from `from` on. The last vector, some columns of which are
 * others', too, is what it is before these are counted. */
INLINE void THLoop_(zerosOfGroup)(bool begins, int64_t nrows, int64_t n, const void *const *rows,
                                  int64_t from, int64_t shift, count_t *zeros)
{
    const int64_t last = n - LANES;
    count_t end[LANES];
    int64_t c = 0;
    memcpy(end, zeros + last, begins ? 0 : sizeof end);
    THLoop_(zerosOfPiece)(begins, 1, nrows, rows, from + last, 0, end);
    for (; c + PIECE * LANES <= n; c += PIECE * LANES)
        THLoop_(zerosOfPiece)(begins, PIECE, nrows, rows, from + c, shift, zeros + c);
    for (; c < last; c += LANES)
        THLoop_(zerosOfPiece)(begins, 1, nrows, rows, from + c, shift, zeros + c);
    memcpy(zeros + last, end, sizeof end);
}

/* The same of n < LANES columns, four rows at a time. */
static void THLoop_(zerosOfFewColumns)(int64_t nrows, int64_t n, const void *const *rows,
                                       int64_t from, count_t *restrict zeros)
{
    static const storage_t nothing[LANES] = {0};
    memset(zeros, 0, (size_t)n * sizeof *zeros);
    for (int64_t row = 0; row < nrows; row += 4) {
        const storage_t *x[4];
        for (int r = 0; r < 4; r++)
            x[r] = row + r < nrows ? (const storage_t *)rows[row + r] + from : nothing;
        const storage_t *restrict x0 = x[0], *restrict x1 = x[1];
        const storage_t *restrict x2 = x[2], *restrict x3 = x[3];
#pragma omp simd
        for (int64_t c = 0; c < n; c++)
            zeros[c] =
                (count_t)(zeros[c] + (x0[c] == 0) + (x1[c] == 0) + (x2[c] == 0) + (x3[c] == 0));
    }
    for (int64_t c = 0; c < n; c++) /* those of nothing */
        zeros[c] = (count_t)(zeros[c] - (-nrows & 3));
}

static void THLoop_(countRows)(int64_t nrows, int64_t width, const void *const *rows, int64_t first,
                               void *accumulators, const THReduceTerm *term)
{
    _Alignas(64) count_t zeros[ROW_BYTES / SIZE];
    int64_t *restrict acc = accumulators;
    const bool inTurn = THAhead_inTurn(term, rows, nrows, width * SIZE);
    const int64_t later = inTurn ? THAhead_soon(term, rows, width * SIZE) : 0;
    const int64_t each = inTurn ? 1 : THAhead_group(nrows);
    const bool ahead = THAhead_helps(term, width * SIZE);
    for (int64_t at = 0, n; at < width; at += n) {
        n = width - at < ROW_BYTES / SIZE ? width - at : ROW_BYTES / SIZE;
        for (int64_t row = 0; row < nrows && n >= LANES; row += each) {
            const int64_t count = nrows - row < each ? nrows - row : each;
            const bool isThere = THAhead_isThere(term, rows[row], width * SIZE + later);
            const int64_t shift = isThere ? later : 0;
            if (ahead && row + count + each <= nrows)
                THAhead_ask(rows + row + count, each, at * SIZE, n * SIZE);
            if (row == 0)
                THLoop_(zerosOfGroup)(true, count, n, rows, at, shift, zeros);
            else
                THLoop_(zerosOfGroup)(false, count, n, rows + row, at, shift, zeros);
        }
        if (n < LANES)
            THLoop_(zerosOfFewColumns)(nrows, n, rows, at, zeros);
        for (int64_t c = 0; c < n; c++)
            acc[at + c] = (first == 0 ? 0 : acc[at + c]) + nrows - (int64_t)zeros[c];
    }
}
#undef LANES
#undef SIZE
#undef count_t
#endif

TH_REDUCE_DECLARE(THLoop_(nonzeroLoops));
const THReduceLoops THLoop_(nonzeroLoops)[1] = {
    {OF(countLines), OF(countRows), NULL, combineCounts, TH_DTYPE, NULL, TH_REDUCE_UNASKED_SHORT}};
#undef OF

#endif
