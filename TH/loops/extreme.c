/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of extremes; THReduction.h says what each must do. They are exact, so they need not
 * keep to its order.
 *
 * Of floating point the largest (`max`, a constant) or the smallest is looked for, of integers the
 * largest of keys: these are elements with some bits turned over (`flip`), which gives the
 * smallest, or makes unsigned bytes signed ones.
 *
 * Places are counted in integers as wide as the elements, so that value and place are selected by
 * one mask: those of blocks of a line, or of the rows that a loop is given. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/engine/THMove.h>
#include <TH/loops/ahead.h>
#include <TH/loops/registers.h>
#include <TH/ops/THReduction.h>

#define WIDE 64        /* short lines reduced at a time */
#define FEW 32         /* elements compared one by one */
#define COLUMNS 1024   /* reduced at a time */
#define SHORT 16       /* elements of a line that is compared as a column */
#define TURNED 8       /* ... which transposing brings there sooner, at least */
#define MIDDLE 8       /* blocks of a line that is folded together with others at most */
#define RANGED_ROWS 16 /* whose least and largest elements are looked for in turns */
#define BLOCK_ROWS (VECTOR_BYTES > 16 ? 8 : 16)
#define INLINE static inline __attribute__((always_inline))
#define ONCE TH_ONCE

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

#include <TH/loops/extremeLine.h>

/* `lanes` (a constant) columns of four rows are compared, as if there were no NaN. */
INLINE bool THLoop_(compareLanes)(bool max, bool asked, int lanes, index_t row, int64_t from,
                                  const storage_t *const *rows, index_t flip, key_t *restrict best,
                                  index_t *restrict at)
{
    const storage_t *restrict x0 = rows[0] + from, *restrict x1 = rows[1] + from;
    const storage_t *restrict x2 = rows[2] + from, *restrict x3 = rows[3] + from;
    index_t nan = 0;
#pragma omp simd reduction(| : nan)
    for (int c = 0; c < lanes; c++) {
        const key_t e0 = KEY(x0[c], flip), e1 = KEY(x1[c], flip);
        const key_t e2 = KEY(x2[c], flip), e3 = KEY(x3[c], flip);
        key_t b = best[c];
        index_t a = asked ? at[c] : 0;
        a = THLoop_(beats)(max, e0, b) ? row : a;
        b = THLoop_(beats)(max, e0, b) ? e0 : b;
        a = THLoop_(beats)(max, e1, b) ? (index_t)(row + 1) : a;
        b = THLoop_(beats)(max, e1, b) ? e1 : b;
        a = THLoop_(beats)(max, e2, b) ? (index_t)(row + 2) : a;
        b = THLoop_(beats)(max, e2, b) ? e2 : b;
        a = THLoop_(beats)(max, e3, b) ? (index_t)(row + 3) : a;
        b = THLoop_(beats)(max, e3, b) ? e3 : b;
        best[c] = b;
        if (asked)
            at[c] = a;
        nan |= UNORDERED(e0, e1) | UNORDERED(e2, e3) ? 1 : 0;
    }
    return nan != 0;
}

/* Some of the n >= `lanes` columns are seen twice, which changes nothing. */
INLINE bool THLoop_(compareColumns)(bool max, bool asked, int lanes, int64_t row, int64_t n,
                                    const storage_t *const *rows, index_t flip, key_t *best,
                                    index_t *at)
{
    bool nan = false;
    for (int64_t c = 0; c < n; c += lanes) {
        const int64_t from = c < n - lanes ? c : n - lanes;
        nan |= THLoop_(compareLanes)(max, asked, lanes, (index_t)row, from, rows, flip, best + from,
                                     asked ? at + from : NULL);
    }
    return nan;
}

INLINE bool THLoop_(compareRows)(bool max, bool asked, int64_t row, int64_t n,
                                 const storage_t *const *rows, index_t flip, key_t *best,
                                 index_t *at)
{
    return n >= LANES
               ? THLoop_(compareColumns)(max, asked, LANES, row, n, rows, flip, best, at)
               : THLoop_(compareColumns)(max, asked, FEW_LANES, row, n, rows, flip, best, at);
}

/* The first NaN of each column counts, unless there was one before. `at` may be absent. */
FOR_NAN void THLoop_(takeNaN)(int64_t row, int64_t nrows, int64_t n, const storage_t *const *rows,
                              key_t *best, index_t *at)
{
    for (int64_t r = 0; r < nrows; r++) {
        for (int64_t c = 0; c < n; c++) {
            if (UNORDERED(rows[r][c], rows[r][c]) && !UNORDERED(best[c], best[c])) {
                best[c] = rows[r][c];
                if (at)
                    at[c] = (index_t)(row + r);
            }
        }
    }
}

/* The extremes of n >= FEW_LANES columns, and in `at`, unless that is absent, the rows that have
 * them, -1 for what was before. */
INLINE void THLoop_(extremesOfRows)(bool max, bool fresh, bool ahead, int64_t nrows, int64_t n,
                                    const storage_t *const *rows, int64_t from, index_t flip,
                                    key_t *best, index_t *at)
{
    for (int64_t c = 0; c < n && at; c++)
        at[c] = fresh - 1;
    const storage_t *restrict row0 = rows[0] + from;
    key_t *restrict start = best;
    for (int64_t c = 0; c < n && fresh; c++)
        start[c] = KEY(row0[c], flip);
    for (int64_t row = 0; row < nrows; row += 4) {
        const storage_t *x[4];
        for (int r = 0; r < 4; r++)
            x[r] = rows[row + r < nrows ? row + r : nrows - 1] + from;
        if (ahead && row + 4 + TH_AHEAD_ROWS <= nrows)
            THAhead_ask((const void *const *)rows + row + 4, from * (int64_t)sizeof **x,
                        n * (int64_t)sizeof **x);
        const bool nan = at ? THLoop_(compareRows)(max, true, row, n, x, flip, best, at)
                            : THLoop_(compareRows)(max, false, row, n, x, flip, best, NULL);
        if (nan)
            THLoop_(takeNaN)(row, 4, n, x, best, at);
    }
}

/* Of n < FEW_LANES columns. */
INLINE void THLoop_(extremesOfFewColumns)(bool max, bool fresh, int64_t nrows, int64_t n,
                                          const storage_t *const *rows, int64_t from, index_t flip,
                                          key_t *best, index_t *at)
{
    for (int64_t c = 0; c < n; c++) {
        key_t b = fresh ? KEY(rows[0][from + c], flip) : best[c];
        index_t place = fresh - 1;
        for (int64_t r = fresh; r < nrows; r++) {
            const key_t e = KEY(rows[r][from + c], flip);
            const bool better = THLoop_(beats)(max, e, b) || (UNORDERED(e, b) && !UNORDERED(b, b));
            b = better ? e : b;
            place = better ? (index_t)r : place;
        }
        best[c] = b;
        if (at)
            at[c] = place;
    }
}

/* The extremes of at most LANES lines of n >= LANES elements, and the first places of these, if
 * they are asked for, unless there is NaN. */
INLINE bool THLoop_(extremeOfFolds)(bool max, bool asked, index_t flip, int64_t nlines, int64_t n,
                                    const char *data, int64_t stride, key_t *best, int64_t *place)
{
    THLoop_(Folds) folds;
    index_t bad = 0;
    THLoop_(startFolds)(&folds);
    for (int64_t i = 0; i < LANES; i++) { /* the last line fills what is left */
        const char *at = data + (i < nlines ? i : nlines - 1) * stride;
        const storage_t *x = (const storage_t *)(const void *)at;
        if (n < BLOCK)
            THLoop_(lanesOfLine)(max, asked, 1, n, x, flip, &folds, i);
        else
            THLoop_(lanesOfLine)(max, asked, BLOCK_ROWS, n, x, flip, &folds, i);
    }
    for (int j = 0; j < LANES; j++)
        bad |= folds.nan[j];
    if (bad)
        return false;
    THLoop_(foldLines)(max, asked, &folds);
    for (int64_t i = 0; i < nlines; i++) {
        const storage_t *x = (const storage_t *)(const void *)(data + i * stride);
        const key_t value = folds.key[0][i];
        int64_t at = asked ? folds.place[0][i] : 0;
        if (asked && n >= BLOCK)
            at += THLoop_(find)(BLOCK, x + at, flip, value);
        while (!asked && HAS_SIGN(value) && x[at] != value)
            at++;
        best[i] = asked || HAS_SIGN(value) ? x[at] : KEY(value, flip);
        if (asked)
            place[i] = at;
    }
    return true;
}

/* What differs in code for the largest and the smallest. */
#define OF_ONE(of, max)                                                                           \
    ONCE key_t THLoop_(of##OfLine)(index_t flip, bool asked, int64_t n, const storage_t *x,       \
                                   int64_t ahead, int64_t *place)                                 \
    {                                                                                             \
        return THLoop_(extremeOfLine)(max, flip, asked, n, x, ahead, place);                      \
    }                                                                                             \
    ONCE bool THLoop_(of##OfFolds)(index_t flip, int64_t nlines, int64_t n, const char *data,     \
                                   int64_t stride, key_t *best, int64_t *place)                   \
    {                                                                                             \
        return place ? THLoop_(extremeOfFolds)(max, true, flip, nlines, n, data, stride, best,    \
                                               place)                                             \
                     : THLoop_(extremeOfFolds)(max, false, flip, nlines, n, data, stride, best,   \
                                               NULL);                                             \
    }                                                                                             \
    ONCE void THLoop_(of##OfRows)(bool fresh, bool ahead, int64_t nrows, int64_t n,               \
                                  const storage_t *const *rows, int64_t from, index_t flip,       \
                                  key_t *best, index_t *at)                                       \
    {                                                                                             \
        THLoop_(extremesOfRows)(max, fresh, ahead, nrows, n, rows, from, flip, best, at);         \
    }                                                                                             \
    ONCE void THLoop_(of##OfFewColumns)(bool fresh, int64_t nrows, int64_t n,                     \
                                        const storage_t *const *rows, int64_t from, index_t flip, \
                                        key_t *best, index_t *at)                                 \
    {                                                                                             \
        THLoop_(extremesOfFewColumns)(max, fresh, nrows, n, rows, from, flip, best, at);          \
    }
OF_ONE(largest, true)
#ifdef TH_CATEGORY_IS_FLOATING
OF_ONE(smallest, false)
#define OF_MAX(name) (max ? THLoop_(largest##name) : THLoop_(smallest##name))
#else
#define OF_MAX(name) ((void)max, THLoop_(largest##name))
#endif
#undef OF_ONE

/* Where the indices are in the lanes, behind the values. */
INLINE int32_t *THLoop_(indices)(void *lanes, int64_t width)
{
    return (int32_t *)(void *)((char *)lanes + width * (int64_t)sizeof(int64_t));
}

ONCE void THLoop_(placeRows)(bool max, index_t flip, int64_t nrows, int64_t width,
                             const void *const *rows, int64_t first, void *lanes,
                             const THReduceTerm *term)
{
    const storage_t *const *x = (const storage_t *const *)rows;
    key_t *best = lanes;
    int32_t *restrict index = THLoop_(indices)(lanes, width);
    const bool ahead = THAhead_helps(term, width * (int64_t)sizeof(storage_t));
    for (int64_t c = 0, n; c < width; c += n) {
        index_t at[COLUMNS];
        n = width - c < COLUMNS ? width - c : COLUMNS;
        if (n < FEW_LANES)
            OF_MAX(OfFewColumns)(first == 0, nrows, n, x, c, flip, best + c, at);
        else
            OF_MAX(OfRows)(first == 0, ahead, nrows, n, x, c, flip, best + c, at);
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
INLINE key_t THLoop_(extremeOfFew)(bool max, index_t flip, int64_t n, const storage_t *x,
                                   int64_t *place)
{
    key_t best = KEY(x[0], flip);
    int64_t at = 0;
    for (int64_t i = 1; i < n; i++) {
        const key_t e = KEY(x[i], flip);
        if (THLoop_(beats)(max, e, best) || (UNORDERED(e, best) && !UNORDERED(best, best))) {
            best = e;
            at = i;
        }
    }
    *place = at;
    return KEY(best, flip);
}

/* At most WIDE lines of n <= MOST_SHORT elements, as columns. */
ONCE void THLoop_(extremeOfShortLines)(bool max, index_t flip, int64_t nlines, int64_t n,
                                       const char *data, int64_t stride, key_t *best, index_t *at)
{
    const int64_t size = (int64_t)sizeof(storage_t);
    storage_t block[MOST_SHORT * WIDE];
    const storage_t *row[MOST_SHORT];
    if (n < TURNED)
        THMove_gather(size, (char *)block, data, n, size, nlines, stride);
    else
        THMove_transpose(size, (char *)block, nlines * size, data, stride, n, nlines, false);
    for (int64_t r = 0; r < n; r++)
        row[r] = block + r * nlines;
    if (nlines < FEW_LANES)
        OF_MAX(OfFewColumns)(true, n, nlines, row, 0, flip, best, at);
    else
        OF_MAX(OfRows)(true, false, n, nlines, row, 0, flip, best, at);
    for (int64_t i = 0; i < nlines; i++)
        best[i] = KEY(best[i], flip);
}

/* The extremes of at most WIDE lines, and their places, unless these are absent. */
ONCE void THLoop_(extremeLines)(bool max, index_t flip, int64_t nlines, int64_t n, const char *data,
                                int64_t stride, int64_t more, const THReduceTerm *term, key_t *best,
                                int64_t *place)
{
    const int64_t size = (int64_t)sizeof(storage_t), next = stride == n * size ? n : 0;
    index_t at[WIDE];
    if ((n < LANES || n <= SHORT) && nlines > 4) {
        THLoop_(extremeOfShortLines)(max, flip, nlines, n, data, stride, best, place ? at : NULL);
        for (int64_t i = 0; i < nlines && place; i++)
            place[i] = at[i];
        return;
    }
    const bool folds = FOLDS_LINES(size) && n >= LANES && n < MIDDLE * BLOCK;
    for (int64_t line = 0; line < nlines; line++) {
        const storage_t *x = (const storage_t *)(const void *)(data + line * stride);
        const int64_t some = nlines - line < LANES ? nlines - line : LANES;
        if (folds && some > LANES / 2 &&
            OF_MAX(OfFolds)(flip, some, n, (const char *)x, stride, best + line,
                            place ? place + line : NULL)) {
            line += some - 1;
            continue;
        }
        const int64_t ahead = THReduceTerm_ahead(term, size, (more + nlines - 1 - line) * next);
        int64_t unasked, *to = place ? place + line : &unasked;
        best[line] = n < LANES || (n < FEW && nlines == 1)
                         ? THLoop_(extremeOfFew)(max, flip, n, x, to)
                         : OF_MAX(OfLine)(flip, place != NULL, n, x, ahead, to);
    }
}

ONCE void THLoop_(placeLines)(bool max, index_t flip, int64_t nlines, int64_t n, const char *data,
                              int64_t stride, THReduceExtreme *acc, const THReduceTerm *term)
{
    key_t best[WIDE];
    int64_t place[WIDE];
    for (int64_t line = 0, count; line < nlines; line += count) {
        count = nlines - line < WIDE ? nlines - line : WIDE;
        THLoop_(extremeLines)(max, flip, count, n, data + line * stride, stride,
                              nlines - line - count, term, best, place);
        for (int64_t i = 0; i < count; i++) {
            acc[line + i].index = place[i];
            acc[line + i].value.EXTREME_VALUE = best[i];
        }
    }
}

ONCE void THLoop_(valueLines)(bool max, index_t flip, int64_t nlines, int64_t n, const char *data,
                              int64_t stride, key_t *acc, const THReduceTerm *term)
{
    for (int64_t line = 0, count; line < nlines; line += count) {
        count = nlines - line < WIDE ? nlines - line : WIDE;
        THLoop_(extremeLines)(max, flip, count, n, data + line * stride, stride,
                              nlines - line - count, term, acc + line, NULL);
    }
}

ONCE void THLoop_(valueRows)(bool max, index_t flip, int64_t nrows, int64_t width,
                             const void *const *rows, int64_t first, key_t *acc,
                             const THReduceTerm *term)
{
    const storage_t *const *x = (const storage_t *const *)rows;
    for (int64_t c = 0; c < width && first > 0 && flip; c++)
        acc[c] = KEY(acc[c], flip);
    if (width < FEW_LANES)
        OF_MAX(OfFewColumns)(first == 0, nrows, width, x, 0, flip, acc, NULL);
    else
        OF_MAX(OfRows)(first == 0, THAhead_helps(term, width * (int64_t)sizeof(storage_t)), nrows,
                       width, x, 0, flip, acc, NULL);
    for (int64_t c = 0; c < width && flip; c++)
        acc[c] = KEY(acc[c], flip);
}

/* As one more row. */
ONCE void THLoop_(valueCombine)(bool max, index_t flip, int64_t n, key_t *acc, const void *next,
                                int64_t first)
{
    (void)first;
    THLoop_(valueRows)(max, flip, 1, n, &next, 1, acc, &(THReduceTerm){.far = false});
}

/* A NaN stays. */
ONCE void THLoop_(placeCombine)(bool max, index_t flip, int64_t n, THReduceExtreme *acc,
                                const THReduceExtreme *next, int64_t first)
{
    for (int64_t i = 0; i < n; i++) {
        const key_t x = KEY((scalar_t)next[i].value.EXTREME_VALUE, flip);
        const key_t best = KEY((scalar_t)acc[i].value.EXTREME_VALUE, flip);
        if (THLoop_(beats)(max, x, best) || (UNORDERED(x, best) && !UNORDERED(best, best))) {
            acc[i] = next[i];
            acc[i].index += first;
        }
    }
}

/* The loops for the least element, where `flip` is that for the largest. */
#ifdef TH_CATEGORY_IS_FLOATING
#define LEAST false, 0
#else
#define LEAST true, (index_t)~flip
#endif

/* acc: the least, then the largest of each line. */
ONCE void THLoop_(rangeLines)(bool max, index_t flip, int64_t nlines, int64_t n, const char *data,
                              int64_t stride, key_t *acc, const THReduceTerm *term)
{
    const int64_t size = (int64_t)sizeof(storage_t), next = stride == n * size ? n : 0;
    const bool isLong = n >= MIDDLE * BLOCK; /* else lines are folded together */
    key_t low[WIDE], high[WIDE];
    for (int64_t line = 0, count; line < nlines; line += count, acc += 2 * count) {
        const char *x = data + line * stride;
        const int64_t ahead = THReduceTerm_ahead(term, size, (nlines - 1 - line) * next);
        count = isLong ? 1 : nlines - line < WIDE ? nlines - line : WIDE;
        if (isLong &&
            THLoop_(rangeOfLine)(flip, n, (const storage_t *)(const void *)x, ahead, acc, acc + 1))
            continue;
        THLoop_(valueLines)(LEAST, count, n, x, stride, low, term);
        THLoop_(valueLines)(max, flip, count, n, x, stride, high, term);
        for (int64_t i = 0; i < count; i++) {
            acc[2 * i] = low[i];
            acc[2 * i + 1] = high[i];
        }
    }
}

/* The least are in the lanes, the largest behind them. */
ONCE void THLoop_(rangeRows)(bool max, index_t flip, int64_t nrows, int64_t width,
                             const void *const *rows, int64_t first, key_t *lanes,
                             const THReduceTerm *term)
{
    for (int64_t row = 0; row < nrows; row += RANGED_ROWS) {
        const int64_t count = nrows - row < RANGED_ROWS ? nrows - row : RANGED_ROWS;
        THLoop_(valueRows)(LEAST, count, width, rows + row, first + row, lanes, term);
        THLoop_(valueRows)(max, flip, count, width, rows + row, first + row, lanes + width, term);
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
ONCE void THLoop_(rangeCombine)(bool max, index_t flip, int64_t n, key_t *acc, const key_t *next,
                                int64_t first)
{
    for (int64_t i = 0; i < 2 * n; i += 2) {
        THLoop_(valueCombine)(LEAST, 1, acc + i, next + i, first);
        THLoop_(valueCombine)(max, flip, 1, acc + i + 1, next + i + 1, first);
    }
}

#undef LEAST
#undef OF_MAX
#undef EXTREME_VALUE
#undef KEY
#undef UNORDERED
#undef HAS_SIGN
#undef FOR_NAN
#undef LANES
#undef FEW_LANES
#undef BLOCK
#undef MOST_SHORT
#undef MOST
#undef index_t
#undef place_t
#undef key_t

#endif

#if defined(TH_REAL_IS_BOOL)
#define PLACE_LINES THLoop_(firstLines)
/* The first that has the value looked for ends a line. */
static void THLoop_(firstLines)(bool max, int8_t flip, int64_t nlines, int64_t n, const char *data,
                                int64_t stride, THReduceExtreme *acc, const THReduceTerm *term)
{
    const uint8_t best = flip == INT8_MIN;
    if (n < VECTOR_BYTES)
        OF(placeLines)(max, flip, nlines, n, data, stride, acc, term);
    for (int64_t line = 0; n >= VECTOR_BYTES && line < nlines; line++, data += stride) {
        const char *place = memchr(data, best, (size_t)n);
        acc[line].index = place ? place - data : 0;
        acc[line].value.l = place ? best : !best;
    }
}
#else
#define PLACE_LINES OF(placeLines)
#endif

#define EXTREME(name, lines, rows, fold, combine, max, flip)                                    \
    static void THLoop_(name##_lines)(int64_t nlines, int64_t n, const void *x, int64_t stride, \
                                      void *acc, const THReduceTerm *term)                      \
    {                                                                                           \
        lines(max, flip, nlines, n, x, stride, acc, term);                                      \
    }                                                                                           \
    static void THLoop_(name##_rows)(int64_t nrows, int64_t width, const void *const *data,     \
                                     int64_t first, void *acc, const THReduceTerm *term)        \
    {                                                                                           \
        OF(rows)(max, flip, nrows, width, data, first, acc, term);                              \
    }                                                                                           \
    static void THLoop_(name##_combine)(int64_t n, void *acc, const void *next, int64_t first)  \
    {                                                                                           \
        OF(combine)(max, flip, n, acc, next, first);                                            \
    }                                                                                           \
    TH_REDUCE_DECLARE(THLoop_(name##Loops));                                                    \
    const THReduceLoops THLoop_(name##Loops)[1] = {                                             \
        {THLoop_(name##_lines), THLoop_(name##_rows), fold, THLoop_(name##_combine), TH_DTYPE}};
/* The place with the value, and the value alone. */
#define BOTH(place, value, max, flip)                                                       \
    static void THLoop_(place##_fold)(int64_t nrows, int64_t width, void *lanes, void *acc) \
    {                                                                                       \
        (void)nrows;                                                                        \
        OF(placeFold)(flip, width, lanes, acc);                                             \
    }                                                                                       \
    EXTREME(place, PLACE_LINES, placeRows, THLoop_(place##_fold), placeCombine, max, flip)  \
    EXTREME(value, OF(valueLines), valueRows, NULL, valueCombine, max, flip)
/* Both values; `flip` is that for the largest. */
#define RANGE(name, flip)                                                                  \
    static void THLoop_(name##_fold)(int64_t nrows, int64_t width, void *lanes, void *acc) \
    {                                                                                      \
        (void)nrows;                                                                       \
        OF(rangeFold)(width, lanes, acc);                                                  \
    }                                                                                      \
    EXTREME(name, OF(rangeLines), rangeRows, THLoop_(name##_fold), rangeCombine, true, flip)

#if defined(TH_CATEGORY_IS_FLOATING)
BOTH(argmax, amax, true, 0)
BOTH(argmin, amin, false, 0)
RANGE(aminmax, 0)
#elif defined(TH_REAL_IS_BYTE) || defined(TH_REAL_IS_BOOL)
BOTH(argmax, amax, true, INT8_MIN)
BOTH(argmin, amin, true, INT8_MAX)
RANGE(aminmax, INT8_MIN)
#else
BOTH(argmax, amax, true, 0)
BOTH(argmin, amin, true, -1)
RANGE(aminmax, 0)
#endif

#undef RANGE
#undef BOTH
#undef EXTREME
#undef PLACE_LINES
#undef OF

#endif
