/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of extremes of Half. Lines, and columns whose places are not asked for, are compared
 * as the integers that they are in memory, twice as many at once as floats, and without a
 * conversion; all else is widened, and left to the loops of Float. So accumulators are Float's,
 * too.
 */
#ifndef TH_GENERIC_FILE

#include <TH/loops/half.h>
#include <TH/loops/halfLines.h>
#include <TH/loops/most.h>
#include <TH/loops/registers.h>

#include <math.h>

#define SHORT 128    /* elements of a line that is widened */
#define COLUMNS 4096 /* that are compared at a time */
#define SIGNS 128    /* ... among which those that are zeros or NaN are looked for */
/* Rows and columns that are widened at a time; rows of a power of two would get into each other's
 * way in the first cache. */
#define WIDENED_ROWS 8
#define WIDENED 2048
#define PITCH (WIDENED + 80)
/* Rows side by side that are widened as one, of so many columns at most. */
#define ADJACENT_ROWS 64
#define ADJACENT (WIDENED_ROWS * WIDENED / ADJACENT_ROWS)

/* Keys are ordered as the numbers are (`flip` is 0), or the other way around (-1), both zeros being
 * one; NaN has the largest, whatever its sign and bits. Numbers and NaN of both signs lie on a
 * circle of 2^16 values, on which the keys begin behind NaN. */
#define BEHIND_NAN(flip) (0x400 + (flip))
#define KEY_OF_NAN 0x7801

static inline int16_t keyOfHalf(THHalf x, int16_t flip)
{
    const int16_t bits = (int16_t)x.x, sign = (int16_t)(bits >> 15);
    const int16_t number = (int16_t)(((bits ^ (sign & 0x7fff)) - sign) ^ flip);
    const int16_t key = (int16_t)(number - BEHIND_NAN(flip));
    return key < KEY_OF_NAN ? key : KEY_OF_NAN;
}

/* The number with such a key, unless several have it: zeros, NaN. */
static inline THHalf halfOfKey(int16_t key, int16_t flip)
{
    const int16_t number = (int16_t)((key + BEHIND_NAN(flip)) ^ flip);
    return (THHalf){(uint16_t)(number < 0 ? 0x8000 - number : number)};
}

static inline float valueOfKey(int16_t key, int16_t flip)
{
    const THHalf half = halfOfKey(key, flip);
    return TH_HALF_LOAD(&half);
}

static inline __attribute__((always_inline)) THRegisterShort keysOfHalves(THRegisterShort bits,
                                                                          int16_t flip)
{
    const THRegisterShort sign = bits >> 15, nan = (THRegisterShort){0} + (int16_t)KEY_OF_NAN;
    const THRegisterShort number = ((bits ^ (sign & (int16_t)0x7fff)) - sign) ^ flip;
    return THRegister_mostShort(false, number - (int16_t)BEHIND_NAN(flip), nan);
}

/* How many of these rows lie side by side. */
static int64_t adjacentRows(int64_t nrows, int64_t width, const void *const *data)
{
    const THHalf *first = data[0];
    int64_t count = 1;
    while (count < nrows && count < ADJACENT_ROWS && data[count] == first + count * width)
        count++;
    return count;
}

/* Some of these rows, widened: those side by side as one, of others `n` elements from `c` on; how
 * many. */
static int64_t widenedSome(int64_t nrows, int64_t width, const void *const *data, int64_t c,
                           int64_t n, float *block, const void **rows)
{
    const int64_t adjacent = width <= ADJACENT ? adjacentRows(nrows, width, data) : 0;
    if (adjacent > WIDENED_ROWS) {
        widen(adjacent * width, block, data[0]);
        for (int64_t i = 0; i < adjacent; i++)
            rows[i] = block + i * width;
        return adjacent;
    }
    const int64_t count = nrows < WIDENED_ROWS ? nrows : WIDENED_ROWS;
    for (int64_t i = 0; i < count; i++) {
        widen(n, block + i * PITCH, (const THHalf *)data[i] + c);
        rows[i] = block + i * PITCH;
    }
    return count;
}

/* Rows of which more is kept than one value: what that is lies `more` times their width behind the
 * values. */
static void widenedRows(const THReduceLoops *floats, int more, int64_t nrows, int64_t width,
                        const void *const *data, int64_t first, float *lanes)
{
    const THReduceTerm near = {.far = false};
    _Alignas(64) float block[WIDENED_ROWS * PITCH], some[3 * WIDENED];
    const void *rows[ADJACENT_ROWS];
    for (int64_t c = 0; c < width; c += WIDENED) {
        const int64_t n = width - c < WIDENED ? width - c : WIDENED;
        const size_t bytes = (size_t)n * sizeof *some;
        if (first > 0) {
            memcpy(some, lanes + c, bytes);
            memcpy(some + more * n, lanes + more * width + c, bytes);
        }
        for (int64_t row = 0, count; row < nrows; row += count) {
            count = widenedSome(nrows - row, width, data + row, c, n, block, rows);
            floats->rows(count, n, rows, first + row, some, &near);
        }
        memcpy(lanes + c, some, bytes);
        memcpy(lanes + more * width + c, some + more * n, bytes);
    }
}

#define TH_GENERIC_FILE "TH/loops/extremeHalves.c"
#include <TH/THGenerateHalfType.h>
#undef TH_GENERIC_FILE

#else

#include <TH/loops/extremeKeys.h>

#include <TH/loops/extremeLine.h>

#define OF_ONE(of, flip)                                                                     \
    ONCE float THLoop_(of##OfLine)(bool asked, int64_t n, const storage_t *x, int64_t ahead, \
                                   int64_t *place)                                           \
    {                                                                                        \
        return THLoop_(extremeOfLine)(true, flip, asked, n, x, ahead, place);                \
    }
OF_ONE(largest, 0)
OF_ONE(smallest, -1)
#undef OF_ONE

/* The accumulators of lines: the least or the largest element of each, its place with it, or both
 * elements. */
static void THLoop_(lines)(bool least, bool largest, bool placed, const THReduceLoops *floats,
                           int64_t nlines, int64_t n, const char *data, int64_t stride, void *acc,
                           const THReduceTerm *term)
{
    const int64_t size = (int64_t)sizeof(storage_t), next = stride == n * size ? n : 0;
    float *values = acc;
    THReduceExtreme *places = acc;
    if (n < SHORT) {
        const size_t each = placed ? sizeof *places : (least && largest ? 2 : 1) * sizeof *values;
        widenedLines(floats, (int64_t)each, nlines, n, data, stride, acc, term);
        return;
    }
    for (int64_t line = 0; line < nlines; line++) {
        const storage_t *x = (const storage_t *)(const void *)(data + line * stride);
        const int64_t ahead = THReduceTerm_ahead(term, size, (nlines - 1 - line) * next);
        int64_t at;
        float value;
        if (least && largest && n >= BLOCK &&
            THLoop_(rangeOfLine)(0, n, x, ahead, values, values + 1) && !isnan(values[1])) {
            values += 2;
            continue;
        }
        if (least)
            value = THLoop_(smallestOfLine)(placed, n, x, ahead, &at);
        if (least && largest)
            *values++ = value;
        if (largest)
            value = THLoop_(largestOfLine)(placed, n, x, least ? 0 : ahead, &at);
        if (placed)
            places[line] = (THReduceExtreme){at, {.d = value}};
        else
            *values++ = value;
    }
}

/* Of a block of columns the keys of at most 8 rows, or of these and what is best. */
INLINE void THLoop_(compareRows)(index_t flip, bool begins, int64_t n, const storage_t *const *rows,
                                 key_t *best)
{
    for (int64_t c = 0; c < n; c += LANES) { /* some columns are seen twice */
        const int64_t from = c < n - LANES ? c : n - LANES;
        THLoop_(Keys) most = THLoop_(keysOf)(rows[0] + from, flip);
#pragma GCC unroll 8
        for (int r = 1; r < 8; r++)
            most = MOST_OF(true, THLoop_(keysOf)(rows[r] + from, flip), most);
        if (!begins) {
            THLoop_(Keys) before;
            memcpy(&before, best + from, sizeof before);
            most = MOST_OF(true, before, most);
        }
        memcpy(best + from, &most, sizeof most);
    }
}

/* The extremes of n >= LANES columns. */
INLINE void THLoop_(extremesOfRows)(index_t flip, int64_t nrows, int64_t n, const void *const *data,
                                    int64_t from, storage_t *extremes)
{
    key_t best[COLUMNS];
    for (int64_t row = 0; row < nrows; row += 8) {
        const storage_t *rows[8];
        for (int64_t r = 0; r < 8; r++)
            rows[r] = (const storage_t *)data[row + r < nrows ? row + r : nrows - 1] + from;
        if (row == 0)
            THLoop_(compareRows)(flip, true, n, rows, best);
        else
            THLoop_(compareRows)(flip, false, n, rows, best);
    }
    for (int64_t c = 0; c < n; c++)
        extremes[c] = halfOfKey(best[c], flip);
    for (int64_t block = 0; block < n; block += SIGNS) {
        const int64_t end = block + SIGNS < n ? block + SIGNS : n;
        key_t any = 0;
        for (int64_t c = block; c < end; c++)
            any |= (key_t)(HAS_SIGN(best[c], flip) ? -1 : 0);
        for (int64_t c = block; c < end && any; c++) {
            if (!HAS_SIGN(best[c], flip))
                continue;
            const storage_t *x;
            for (int64_t row = 0;
                 x = (const storage_t *)data[row] + from + c, KEY(*x, flip) != best[c];)
                row++;
            extremes[c] = *x;
        }
    }
}

static void THLoop_(valueRows)(const THReduceLoops *floats, index_t flip, int64_t nrows,
                               int64_t width, const void *const *data, int64_t first, float *acc)
{
    storage_t extremes[COLUMNS];
    float next[COLUMNS];
    if (width < LANES) {
        widenedRows(floats, 0, nrows, width, data, first, acc);
        return;
    }
    for (int64_t c = 0; c < width; c += COLUMNS) {
        const int64_t from = width - c < LANES ? width - LANES : c; /* some are seen twice */
        const int64_t n = width - from < COLUMNS ? width - from : COLUMNS;
        if (flip)
            THLoop_(extremesOfRows)(-1, nrows, n, data, from, extremes);
        else
            THLoop_(extremesOfRows)(0, nrows, n, data, from, extremes);
        widen(n, first > 0 ? next : acc + from, extremes);
        if (first > 0)
            floats->combine(n, acc + from, next, first);
    }
}

#define FLOATS(name) TH_ISA_(TH_CONCAT_3(th_, name, _Float))
/* `more` is where Float's rows keep what they keep beside a value. */
#define EXTREME(name, least, largest, placed, more)                                              \
    TH_REDUCE_DECLARE(FLOATS(name##Loops));                                                      \
    static void THLoop_(name##_lines)(int64_t nlines, int64_t n, const void *x, int64_t stride,  \
                                      void *acc, const THReduceTerm *term)                       \
    {                                                                                            \
        THLoop_(lines)(least, largest, placed, FLOATS(name##Loops), nlines, n, x, stride, acc,   \
                       term);                                                                    \
    }                                                                                            \
    static void THLoop_(name##_rows)(int64_t nrows, int64_t width, const void *const *data,      \
                                     int64_t first, void *acc, const THReduceTerm *term)         \
    {                                                                                            \
        (void)term;                                                                              \
        if (more == 0)                                                                           \
            THLoop_(valueRows)(FLOATS(name##Loops), largest ? 0 : -1, nrows, width, data, first, \
                               acc);                                                             \
        else                                                                                     \
            widenedRows(FLOATS(name##Loops), more, nrows, width, data, first, acc);              \
    }                                                                                            \
    static void THLoop_(name##_fold)(int64_t nrows, int64_t width, void *lanes, void *acc)       \
    {                                                                                            \
        FLOATS(name##Loops)->fold(nrows, width, lanes, acc);                                     \
    }                                                                                            \
    static void THLoop_(name##_combine)(int64_t n, void *acc, const void *next, int64_t first)   \
    {                                                                                            \
        FLOATS(name##Loops)->combine(n, acc, next, first);                                       \
    }                                                                                            \
    TH_REDUCE_DECLARE(THLoop_(name##Loops));                                                     \
    const THReduceLoops THLoop_(name##Loops)[1] = {                                              \
        {THLoop_(name##_lines), THLoop_(name##_rows), more ? THLoop_(name##_fold) : NULL,        \
         THLoop_(name##_combine), TH_DTYPE, NULL, TH_REDUCE_UNASKED}};
EXTREME(amin, true, false, false, 0)
EXTREME(amax, false, true, false, 0)
EXTREME(aminmax, true, true, false, 1)
EXTREME(argmin, true, false, true, 2)
EXTREME(argmax, false, true, true, 2)

#endif
