/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of extremes; THReduction.h says what each must do. They are exact, so they need not
 * keep to its order.
 *
 * Of floating point the largest (`max`) or the smallest is looked for, of integers the largest of
 * keys: these are elements with some bits turned over (`flip`), which gives the smallest, or makes
 * unsigned bytes signed ones.
 *
 * Places are counted in integers as wide as the elements, so that value and place are selected by
 * one mask: those of blocks of a line, or of the rows that a loop is given. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/engine/THMove.h>
#include <TH/loops/ahead.h>
#include <TH/loops/most.h>
#include <TH/loops/registers.h>
#include <TH/ops/THReduction.h>

#define WIDE 64        /* short lines reduced at a time */
#define FEW 32         /* elements compared one by one */
#define COLUMNS 4096   /* reduced at a time */
#define SHORT 16       /* elements of a line that is compared as a column */
#define SHORT_BYTES 64 /* ... of one whose place is not asked for, if it can be folded */
#define TURNED 8       /* ... which transposing brings there sooner, at least */
/* ... of WIDE such lines: other lines of little elements are not folded together. */
#define SHORT_OF_WIDE \
    (VECTOR_BYTES == 16 ? SHORT : sizeof(storage_t) == 1 ? 128 : sizeof(storage_t) == 2 ? 80 : 32)
/* Blocks of a line that is folded together with others, at most: of 16 elements it pays for longer
 * ones (100 x 316 int64, the places of the largest: 8.0 us, so 5.7; EPYC 7003). */
#define MIDDLE (VECTOR_BYTES == 32 ? 24 : 8)
#define RANGED 8       /* blocks of one whose least and largest are looked for in one pass */
#define RANGED_ROWS 16 /* whose least and largest elements are looked for in turns */

/* Of every second element; little ones are brought side by side as fast. */
#define SECONDS(loop) (sizeof(storage_t) >= 4 ? (loop) : NULL)

#if defined(__clang__) /* which has no shuffle by a vector: lines are not folded together */
#define SHUFFLE(a, b, places) ((void)(b), (void)(places), (a))
#define FOLDS_LINES(size) false
#else
#define SHUFFLE(a, b, places) __builtin_shuffle(a, b, places)
#define FOLDS_LINES(size) ((size) >= 4 && VECTOR_BYTES > 16)
#endif

#define TH_GENERIC_FILE "TH/loops/extreme.c"
#include <TH/THGenerateLoopTypes.h>

#else

#if defined(TH_REAL_IS_CHAR) || defined(TH_REAL_IS_BOOL)
#define OF(name) TH_CONCAT_4(th_, name, _Byte_, TH_ISA) /* which was before */
#else
#define OF(name) THLoop_(name)

/* In this order. */
#include <TH/loops/extremeKeys.h>

#include <TH/loops/extremeLine.h>

#include <TH/loops/extremeFolds.h>
#include <TH/loops/extremeRows.h>

_Static_assert(SHORT_OF_WIDE >= LANES && SHORT_OF_WIDE <= TH_REDUCE_ROWS, "rows at once");

/* What differs in code for the largest and the smallest, reached by a pointer: a library with one
 * of them is without the other's loops. */
typedef struct THLoop_(Extreme) {
    bool max;
    key_t (*ofLine)(index_t flip, bool asked, int64_t n, const storage_t *x, int64_t ahead,
                    int64_t *place);
    value_t (*ofEverySecond)(index_t flip, int64_t n, const storage_t *x, int64_t ahead);
    bool (*ofFolds)(index_t flip, int64_t nlines, int64_t n, const char *data, int64_t stride,
                    key_t *best, int64_t *place);
    void (*ofRows)(int64_t first, int64_t nrows, int64_t n, const storage_t *const *rows,
                   index_t flip, const THReduceTerm *term, key_t *best);
    void (*placedRows)(int64_t first, int64_t nrows, int64_t n, const storage_t *const *rows,
                       int64_t from, index_t flip, const THReduceTerm *term, key_t *best,
                       index_t *at);
    void (*ofFewColumns)(bool fresh, int64_t nrows, int64_t n, const storage_t *const *rows,
                         int64_t from, index_t flip, key_t *best, index_t *at);
} THLoop_(Extreme);

#define OF_ONE(of, max)                                                                           \
    ONCE key_t THLoop_(of##OfLine)(index_t flip, bool asked, int64_t n, const storage_t *x,       \
                                   int64_t ahead, int64_t *place)                                 \
    {                                                                                             \
        return THLoop_(extremeOfLine)(max, flip, asked, n, x, ahead, place);                      \
    }                                                                                             \
    ONCE value_t THLoop_(of##OfEverySecond)(index_t flip, int64_t n, const storage_t *x,          \
                                            int64_t ahead)                                        \
    {                                                                                             \
        return THLoop_(extremeOfEverySecond)(max, flip, n, x, ahead);                             \
    }                                                                                             \
    ONCE bool THLoop_(of##OfFolds)(index_t flip, int64_t nlines, int64_t n, const char *data,     \
                                   int64_t stride, key_t *best, int64_t *place)                   \
    {                                                                                             \
        return place ? THLoop_(extremeOfFolds)(max, true, flip, nlines, n, data, stride, best,    \
                                               place)                                             \
                     : THLoop_(extremeOfFolds)(max, false, flip, nlines, n, data, stride, best,   \
                                               NULL);                                             \
    }                                                                                             \
    ONCE void THLoop_(of##OfRows)(int64_t first, int64_t nrows, int64_t n,                        \
                                  const storage_t *const *rows, index_t flip,                     \
                                  const THReduceTerm *term, key_t *best)                          \
    {                                                                                             \
        THLoop_(extremesOfRows)(max, false, first, nrows, n, rows, 0, flip, term, best, NULL);    \
    }                                                                                             \
    ONCE void THLoop_(of##PlacedRows)(int64_t first, int64_t nrows, int64_t n,                    \
                                      const storage_t *const *rows, int64_t from, index_t flip,   \
                                      const THReduceTerm *term, key_t *best, index_t *at)         \
    {                                                                                             \
        THLoop_(extremesOfRows)(max, true, first, nrows, n, rows, from, flip, term, best, at);    \
    }                                                                                             \
    ONCE void THLoop_(of##OfFewColumns)(bool fresh, int64_t nrows, int64_t n,                     \
                                        const storage_t *const *rows, int64_t from, index_t flip, \
                                        key_t *best, index_t *at)                                 \
    {                                                                                             \
        THLoop_(extremesOfFewColumns)(max, fresh, nrows, n, rows, from, flip, best, at);          \
    }                                                                                             \
    static const THLoop_(Extreme) THLoop_(of)[1] = {{                                             \
        max,                                                                                      \
        THLoop_(of##OfLine),                                                                      \
        SECONDS(THLoop_(of##OfEverySecond)),                                                      \
        FOLDS_LINES(sizeof(storage_t)) ? THLoop_(of##OfFolds) : NULL,                             \
        THLoop_(of##OfRows),                                                                      \
        THLoop_(of##PlacedRows),                                                                  \
        THLoop_(of##OfFewColumns),                                                                \
    }};
OF_ONE(largest, true)
#ifdef TH_CATEGORY_IS_FLOATING
OF_ONE(smallest, false)
#endif
#undef OF_ONE

/* Where the indices are in the lanes, behind the values. */
INLINE int32_t *THLoop_(indices)(void *lanes, int64_t width)
{
    return (int32_t *)(void *)((char *)lanes + width * (int64_t)sizeof(int64_t));
}

ONCE void THLoop_(placeRows)(const THLoop_(Extreme) * extreme, index_t flip, int64_t nrows,
                             int64_t width, const void *const *rows, int64_t first, void *lanes,
                             const THReduceTerm *term)
{
    const storage_t *const *x = (const storage_t *const *)rows;
    key_t *best = lanes;
    int32_t *restrict index = THLoop_(indices)(lanes, width);
    for (int64_t c = 0, n; c < width; c += n) {
        index_t at[COLUMNS];
        n = width - c < COLUMNS ? width - c : COLUMNS;
        if (n < FEW_LANES)
            extreme->ofFewColumns(first == 0, nrows, n, x, c, flip, best + c, at);
        else
            extreme->placedRows(first, nrows, n, x, c, flip, term, best + c, at);
        for (int64_t i = 0; i < n; i++)
            index[c + i] = at[i] >= 0 ? (int32_t)(first + at[i]) : index[c + i];
    }
}

ONCE void THLoop_(placeFold)(index_t flip, int64_t width, void *lanes, THReduceExtreme *acc)
{
    const key_t *best = lanes;
    const int32_t *index = THLoop_(indices)(lanes, width);
    for (int64_t c = 0; c < width; c++) {
        acc[c].index = index[c];
        acc[c].value.EXTREME_VALUE = KEY(best[c], flip);
    }
}

/* Of few elements. */
INLINE key_t THLoop_(extremeOfFew)(const THLoop_(Extreme) * extreme, index_t flip, int64_t n,
                                   const storage_t *x, int64_t *place)
{
    key_t best = KEY(x[0], flip);
    int64_t at = 0;
    for (int64_t i = 1; i < n; i++) {
        const key_t e = KEY(x[i], flip);
        if (THLoop_(beats)(extreme->max, e, best) ||
            (UNORDERED(e, best) && !UNORDERED(best, best))) {
            best = e;
            at = i;
        }
    }
    *place = at;
    return KEY(best, flip);
}

/* At most WIDE lines of n <= SHORT_OF_WIDE elements, as columns. */
ONCE void THLoop_(extremeOfShortLines)(const THLoop_(Extreme) * extreme, index_t flip,
                                       int64_t nlines, int64_t n, const char *data, int64_t stride,
                                       key_t *best, index_t *at)
{
    const int64_t size = (int64_t)sizeof(storage_t);
    storage_t block[SHORT_OF_WIDE * WIDE];
    const storage_t *row[SHORT_OF_WIDE];
    if (n < TURNED)
        THMove_gather(size, (char *)block, data, n, size, nlines, stride);
    else
        THMove_transpose(size, (char *)block, nlines * size, data, stride, n, nlines, TH_NEXT_LINE,
                         0);
    for (int64_t r = 0; r < n; r++)
        row[r] = block + r * nlines;
    const THReduceTerm near = {.far = false};
    if (nlines < FEW_LANES)
        extreme->ofFewColumns(true, n, nlines, row, 0, flip, best, at);
    else if (at)
        extreme->placedRows(0, n, nlines, row, 0, flip, &near, best, at);
    else
        extreme->ofRows(0, n, nlines, row, flip, &near, best);
    for (int64_t i = 0; i < nlines; i++)
        best[i] = KEY(best[i], flip);
}

/* The extremes of at most WIDE lines, and their places, unless these are absent. */
ONCE void THLoop_(extremeLines)(const THLoop_(Extreme) * extreme, index_t flip, int64_t nlines,
                                int64_t n, const char *data, int64_t stride, int64_t more,
                                const THReduceTerm *term, key_t *best, int64_t *place)
{
    const int64_t size = (int64_t)sizeof(storage_t), next = stride == n * size ? n : 0;
    index_t at[WIDE];
    const bool folds = FOLDS_LINES(size) && n >= LANES && n < MIDDLE * BLOCK;
    /* Values are folded sooner than columns are compared from fewer elements on than places. */
    const bool folded = folds && !place && n * size > SHORT_BYTES;
    if (!folded && nlines > 4 &&
        (n < LANES || n <= SHORT || (n <= SHORT_OF_WIDE && nlines == WIDE))) {
        THLoop_(extremeOfShortLines)(extreme, flip, nlines, n, data, stride, best,
                                     place ? at : NULL);
        for (int64_t i = 0; i < nlines && place; i++)
            place[i] = at[i];
        return;
    }
    for (int64_t line = 0, apart = 0; line < nlines; line++) {
        const storage_t *x = (const storage_t *)(const void *)(data + line * stride);
        const int64_t some = nlines - line < LANES ? nlines - line : LANES;
        if (folds && some > LANES / 2 && line >= apart) {
            if (extreme->ofFolds(flip, some, n, (const char *)x, stride, best + line,
                                 place ? place + line : NULL)) {
                line += some - 1;
                continue;
            }
            apart = line + some; /* among them is NaN */
        }
        const int64_t ahead = THReduceTerm_ahead(term, size, (more + nlines - 1 - line) * next);
        int64_t unasked, *to = place ? place + line : &unasked;
        best[line] = n < LANES || (n < FEW && nlines == 1)
                         ? THLoop_(extremeOfFew)(extreme, flip, n, x, to)
                         : extreme->ofLine(flip, place != NULL, n, x, ahead, to);
    }
}

ONCE void THLoop_(placeLines)(const THLoop_(Extreme) * extreme, index_t flip, int64_t nlines,
                              int64_t n, const char *data, int64_t stride, THReduceExtreme *acc,
                              const THReduceTerm *term)
{
    key_t best[WIDE];
    int64_t place[WIDE];
    for (int64_t line = 0, count; line < nlines; line += count) {
        count = nlines - line < WIDE ? nlines - line : WIDE;
        THLoop_(extremeLines)(extreme, flip, count, n, data + line * stride, stride,
                              nlines - line - count, term, best, place);
        for (int64_t i = 0; i < count; i++) {
            acc[line + i].index = place[i];
            acc[line + i].value.EXTREME_VALUE = best[i];
        }
    }
}

ONCE void THLoop_(valueLines)(const THLoop_(Extreme) * extreme, index_t flip, int64_t nlines,
                              int64_t n, const char *data, int64_t stride, key_t *acc,
                              const THReduceTerm *term)
{
    for (int64_t line = 0, count; line < nlines; line += count) {
        count = nlines - line < WIDE ? nlines - line : WIDE;
        THLoop_(extremeLines)(extreme, flip, count, n, data + line * stride, stride,
                              nlines - line - count, term, acc + line, NULL);
    }
}

/* Of every second element. */
INLINE void THLoop_(valueSeconds)(const THLoop_(Extreme) * extreme, index_t flip, int64_t nlines,
                                  int64_t n, const char *data, int64_t stride, key_t *acc,
                                  const THReduceTerm *term)
{
    const int64_t size = 2 * (int64_t)sizeof(storage_t), next = stride == n * size ? n : 0;
    for (int64_t line = 0; line < nlines; line++) {
        const storage_t *x = (const storage_t *)(const void *)(data + line * stride);
        const int64_t ahead = THReduceTerm_ahead(term, size, (nlines - 1 - line) * next);
        acc[line] = extreme->ofEverySecond(flip, n, x, ahead);
    }
}

ONCE void THLoop_(valueRows)(const THLoop_(Extreme) * extreme, index_t flip, int64_t nrows,
                             int64_t width, const void *const *rows, int64_t first, key_t *acc,
                             const THReduceTerm *term)
{
    const storage_t *const *x = (const storage_t *const *)rows;
    for (int64_t c = 0; c < width && first > 0 && flip; c++)
        acc[c] = KEY(acc[c], flip);
    if (width < FEW_LANES)
        extreme->ofFewColumns(first == 0, nrows, width, x, 0, flip, acc, NULL);
    else
        extreme->ofRows(first, nrows, width, x, flip, term, acc);
    for (int64_t c = 0; c < width && flip; c++)
        acc[c] = KEY(acc[c], flip);
}

/* As one more row. */
ONCE void THLoop_(valueCombine)(const THLoop_(Extreme) * extreme, index_t flip, int64_t n,
                                key_t *acc, const void *next, int64_t first)
{
    (void)first;
    THLoop_(valueRows)(extreme, flip, 1, n, &next, 1, acc, &(THReduceTerm){.far = false});
}

/* A NaN stays. */
ONCE void THLoop_(placeCombine)(const THLoop_(Extreme) * extreme, index_t flip, int64_t n,
                                THReduceExtreme *acc, const THReduceExtreme *next, int64_t first)
{
    for (int64_t i = 0; i < n; i++) {
        const key_t x = KEY((scalar_t)next[i].value.EXTREME_VALUE, flip);
        const key_t best = KEY((scalar_t)acc[i].value.EXTREME_VALUE, flip);
        const int64_t place = next[i].index + first;
        const bool isNaN = UNORDERED(x, x), wasNaN = UNORDERED(best, best);
        const bool same = isNaN ? wasNaN : x == best;
        if (same ? place < acc[i].index
                 : !wasNaN && (isNaN || THLoop_(beats)(extreme->max, x, best))) {
            acc[i] = next[i];
            acc[i].index = place;
        }
    }
}

/* The loops for the least element, where `flip` is that for the largest. */
#ifdef TH_CATEGORY_IS_FLOATING
#define LEAST THLoop_(smallest), 0
#else
#define LEAST THLoop_(largest), (index_t)~flip
#endif

/* acc: the least, then the largest of each line. */
ONCE void THLoop_(rangeLines)(const THLoop_(Extreme) * extreme, index_t flip, int64_t nlines,
                              int64_t n, const char *data, int64_t stride, key_t *acc,
                              const THReduceTerm *term)
{
    const int64_t size = (int64_t)sizeof(storage_t), next = stride == n * size ? n : 0;
    const bool isLong = n >= RANGED * BLOCK; /* else lines are folded together */
    key_t low[WIDE], high[WIDE];
    for (int64_t line = 0, count; line < nlines; line += count, acc += 2 * count) {
        const char *x = data + line * stride;
        const int64_t ahead = THReduceTerm_ahead(term, size, (nlines - 1 - line) * next);
        count = isLong ? 1 : nlines - line < WIDE ? nlines - line : WIDE;
        if (isLong &&
            THLoop_(rangeOfLine)(flip, n, (const storage_t *)(const void *)x, ahead, acc, acc + 1))
            continue;
        THLoop_(valueLines)(LEAST, count, n, x, stride, low, term);
        THLoop_(valueLines)(extreme, flip, count, n, x, stride, high, term);
        for (int64_t i = 0; i < count; i++) {
            acc[2 * i] = low[i];
            acc[2 * i + 1] = high[i];
        }
    }
}

/* The least are in the lanes, the largest behind them. */
ONCE void THLoop_(rangeRows)(const THLoop_(Extreme) * extreme, index_t flip, int64_t nrows,
                             int64_t width, const void *const *rows, int64_t first, key_t *lanes,
                             const THReduceTerm *term)
{
    for (int64_t row = 0; row < nrows; row += RANGED_ROWS) {
        const int64_t count = nrows - row < RANGED_ROWS ? nrows - row : RANGED_ROWS;
        THLoop_(valueRows)(LEAST, count, width, rows + row, first + row, lanes, term);
        THLoop_(valueRows)(extreme, flip, count, width, rows + row, first + row, lanes + width,
                           term);
    }
}

ONCE void THLoop_(rangeFold)(int64_t width, const key_t *lanes, key_t *acc)
{
    for (int64_t c = 0; c < width; c++) {
        acc[2 * c] = lanes[c];
        acc[2 * c + 1] = lanes[width + c];
    }
}

/* Each as one more row. */
ONCE void THLoop_(rangeCombine)(const THLoop_(Extreme) * extreme, index_t flip, int64_t n,
                                key_t *acc, const key_t *next, int64_t first)
{
    for (int64_t i = 0; i < 2 * n; i += 2) {
        THLoop_(valueCombine)(LEAST, 1, acc + i, next + i, first);
        THLoop_(valueCombine)(extreme, flip, 1, acc + i + 1, next + i + 1, first);
    }
}

#undef LEAST
#undef BY_TWOS
#undef EXTREME_VALUE
#undef KEY
#undef KEYS
#undef HAS_NAN
#undef UNORDERED
#undef UNORDERED_LANES
#undef HAS_SIGN
#undef HAVE_SIGN
#undef VALUE
#undef VALUE_AT
#undef value_t
#undef FOR_NAN
#undef LANES
#undef FEW_LANES
#undef BLOCK
#undef SHORT_LINE
#undef MOST
#undef MOST_OF
#undef index_t
#undef place_t
#undef key_t

#endif

#if defined(TH_REAL_IS_BOOL)
#define PLACE_LINES THLoop_(firstLines)
/* The first that has the value looked for ends a line. */
static void THLoop_(firstLines)(const OF(Extreme) * extreme, int8_t flip, int64_t nlines, int64_t n,
                                const char *data, int64_t stride, THReduceExtreme *acc,
                                const THReduceTerm *term)
{
    const uint8_t best = flip == INT8_MIN;
    if (n < VECTOR_BYTES)
        OF(placeLines)(extreme, flip, nlines, n, data, stride, acc, term);
    for (int64_t line = 0; n >= VECTOR_BYTES && line < nlines; line++, data += stride) {
        const char *place = memchr(data, best, (size_t)n);
        acc[line].index = place ? place - data : 0;
        acc[line].value.l = place ? best : !best;
    }
}
#else
#define PLACE_LINES OF(placeLines)
#endif

#define EXTREME(name, lines, rows, fold, combine, second, extreme, flip)                         \
    static void THLoop_(name##_lines)(int64_t nlines, int64_t n, const void *x, int64_t stride,  \
                                      void *acc, const THReduceTerm *term)                       \
    {                                                                                            \
        lines(extreme, flip, nlines, n, x, stride, acc, term);                                   \
    }                                                                                            \
    static void THLoop_(name##_rows)(int64_t nrows, int64_t width, const void *const *data,      \
                                     int64_t first, void *acc, const THReduceTerm *term)         \
    {                                                                                            \
        OF(rows)(extreme, flip, nrows, width, data, first, acc, term);                           \
    }                                                                                            \
    static void THLoop_(name##_combine)(int64_t n, void *acc, const void *next, int64_t first)   \
    {                                                                                            \
        OF(combine)(extreme, flip, n, acc, next, first);                                         \
    }                                                                                            \
    TH_REDUCE_DECLARE(THLoop_(name##Loops));                                                     \
    const THReduceLoops THLoop_(name##Loops)[1] = {{THLoop_(name##_lines), THLoop_(name##_rows), \
                                                    fold, THLoop_(name##_combine), TH_DTYPE,     \
                                                    second, TH_REDUCE_UNASKED}};
/* The place with the value, and the value alone. */
#define BOTH(place, value, extreme, flip)                                                          \
    static void THLoop_(place##_fold)(int64_t nrows, int64_t width, void *lanes, void *acc)        \
    {                                                                                              \
        (void)nrows;                                                                               \
        OF(placeFold)(flip, width, lanes, acc);                                                    \
    }                                                                                              \
    EXTREME(place, PLACE_LINES, placeRows, THLoop_(place##_fold), placeCombine, NULL, extreme,     \
            flip)                                                                                  \
    static void THLoop_(value##_seconds)(int64_t nlines, int64_t n, const void *x, int64_t stride, \
                                         void *acc, const THReduceTerm *term)                      \
    {                                                                                              \
        OF(valueSeconds)(extreme, flip, nlines, n, x, stride, acc, term);                          \
    }                                                                                              \
    EXTREME(value, OF(valueLines), valueRows, NULL, valueCombine,                                  \
            SECONDS(THLoop_(value##_seconds)), extreme, flip)
/* Both values; `flip` is that for the largest. */
#define RANGE(name, flip)                                                                  \
    static void THLoop_(name##_fold)(int64_t nrows, int64_t width, void *lanes, void *acc) \
    {                                                                                      \
        (void)nrows;                                                                       \
        OF(rangeFold)(width, lanes, acc);                                                  \
    }                                                                                      \
    EXTREME(name, OF(rangeLines), rangeRows, THLoop_(name##_fold), rangeCombine, NULL,     \
            OF(largest), flip)

#if defined(TH_CATEGORY_IS_FLOATING)
BOTH(argmax, amax, OF(largest), 0)
BOTH(argmin, amin, OF(smallest), 0)
RANGE(aminmax, 0)
#elif defined(TH_REAL_IS_BYTE) || defined(TH_REAL_IS_BOOL)
BOTH(argmax, amax, OF(largest), INT8_MIN)
BOTH(argmin, amin, OF(largest), INT8_MAX)
RANGE(aminmax, INT8_MIN)
#else
BOTH(argmax, amax, OF(largest), 0)
BOTH(argmin, amin, OF(largest), -1)
RANGE(aminmax, 0)
#endif

#undef RANGE
#undef BOTH
#undef EXTREME
#undef PLACE_LINES
#undef OF

#endif
