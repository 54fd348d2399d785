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
#include <TH/loops/most.h>
#include <TH/loops/registers.h>
#include <TH/ops/THReduction.h>

#define WIDE 64      /* short lines reduced at a time */
#define FEW 32       /* elements compared one by one */
#define COLUMNS 4096 /* reduced at a time */
#define RARE 64      /* rows of a lane after which few have a better element */
#define ROWS 8       /* compared at a time, or half as many */
#define SHORT 16     /* elements of a line that is compared as a column */
#define TURNED 8     /* ... which transposing brings there sooner, at least */
/* ... of WIDE such lines: other lines of little elements are not folded together. */
#define SHORT_OF_WIDE \
    (VECTOR_BYTES == 16 ? SHORT : sizeof(storage_t) == 1 ? 128 : sizeof(storage_t) == 2 ? 80 : 32)
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

/* Floating point is compared with two steps of latency, places are selected after the first. So
 * rows are compared by twos, which wait less for each other, and less of them at a time. */
#ifdef TH_CATEGORY_IS_FLOATING
#define BY_TWOS true
#else
#define BY_TWOS false
#endif

/* `lanes` (a constant) columns of `nrows` (a constant, even) rows are compared with what is best,
 * unless they are the first ones (`begins`, a constant), as if there were no NaN; the lanes that
 * have some are noted. */
INLINE void THLoop_(compareLanes)(bool max, bool asked, bool begins, int nrows, int lanes,
                                  index_t row, const storage_t *const *rows, int64_t from,
                                  index_t flip, key_t *restrict best, index_t *restrict at,
                                  THLoop_(Places) * nan)
{
    const storage_t *x[ROWS];
    index_t bad[LANES], any = 0;
    THLoop_(Places) places;
#pragma GCC unroll 8
    for (int r = 0; r < nrows; r++)
        x[r] = rows[r] + from;
#pragma omp simd reduction(| : any)
    for (int c = 0; c < lanes; c++) {
        key_t b = begins ? KEY(x[0][c], flip) : best[c];
        index_t a = asked ? at[c] : 0;
        bool unordered = false;
#pragma GCC unroll 8
        for (int r = 0; r < nrows; r += 2) {
            const key_t e0 = KEY(x[r][c], flip), e1 = KEY(x[r + 1][c], flip);
            if (asked && BY_TWOS) {
                const bool second = THLoop_(beats)(max, e1, e0);
                const key_t e = second ? e1 : e0;
                const index_t place = second ? (index_t)(row + r + 1) : (index_t)(row + r);
                a = THLoop_(beats)(max, e, b) ? place : a;
                b = THLoop_(beats)(max, e, b) ? e : b;
            } else {
                a = THLoop_(beats)(max, e0, b) ? (index_t)(row + r) : a;
                b = THLoop_(beats)(max, e0, b) ? e0 : b;
                a = THLoop_(beats)(max, e1, b) ? (index_t)(row + r + 1) : a;
                b = THLoop_(beats)(max, e1, b) ? e1 : b;
            }
            unordered |= UNORDERED(e0, e1);
        }
        best[c] = b;
        if (asked)
            at[c] = a;
        bad[c] = unordered ? 1 : 0;
        any |= bad[c];
    }
    if (lanes == LANES)
        memcpy(&places, bad, sizeof places);
    else
        places = (THLoop_(Places)){any};
    *nan |= places;
}

/* The same for LANES columns and their places, where few rows have a better element: these are
 * looked for where there is one. */
INLINE void THLoop_(placeLanes)(bool max, int nrows, index_t row, const storage_t *const *rows,
                                int64_t from, index_t flip, key_t *best, index_t *at,
                                THLoop_(Places) * nan)
{
    key_t lane[LANES];
    THLoop_(Keys) before, after;
    memcpy(lane, best, sizeof lane);
    memcpy(&before, best, sizeof before);
    THLoop_(compareLanes)(max, false, false, nrows, LANES, row, rows, from, flip, lane, NULL, nan);
    memcpy(&after, lane, sizeof after);
    const THLoop_(Places) better = max ? after > before : after < before;
    __asm__("" : "+r"(from)); /* or compilers would keep what only the places need */
    if (THRegister_isAny(&better))
        THLoop_(compareLanes)(max, true, false, nrows, LANES, row, rows, from, flip, best, at, nan);
}

/* Some of the n >= `lanes` columns are seen twice, which changes nothing. What lies `shift` bytes
 * behind each row is asked for, 0: nothing. */
INLINE bool THLoop_(compareColumns)(bool max, bool asked, bool begins, bool rare, int nrows,
                                    int lanes, int64_t row, int64_t n, const storage_t *const *rows,
                                    int64_t shift, index_t flip, key_t *best, index_t *at)
{
    const int64_t size = (int64_t)sizeof(storage_t);
    THLoop_(Places) nan = {0};
    for (int64_t c = 0; c < n; c += lanes) {
        const int64_t from = c < n - lanes ? c : n - lanes;
        if (shift && (lanes * size >= 64 || c * size % 64 == 0)) {
#pragma GCC unroll 8
            for (int r = 0; r < nrows; r++)
                __builtin_prefetch((const char *)(rows[r] + c) + shift);
        }
        if (asked && rare)
            THLoop_(placeLanes)(max, nrows, (index_t)row, rows, from, flip, best + from, at + from,
                                &nan);
        else
            THLoop_(compareLanes)(max, asked, begins, nrows, lanes, (index_t)row, rows, from, flip,
                                  best + from, asked ? at + from : NULL, &nan);
    }
    return THRegister_isAny(&nan);
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

/* Compares all that is left behind `row`, `step` rows (a constant) at a time, with `all` only whole
 * such steps; returns the first row that is left. */
INLINE int64_t THLoop_(compareRows)(bool max, bool asked, bool all, int step, int lanes,
                                    int64_t row, int64_t nrows, int64_t n,
                                    const storage_t *const *rows, int64_t from, index_t flip,
                                    const THReduceTerm *term, key_t *best, index_t *at)
{
    const int64_t size = (int64_t)sizeof(storage_t), bytes = n * size;
    const bool ahead = THAhead_helps(term, bytes);
    /* Else the last few rows, or an old machine's, for which it is quicker to compile. */
    const bool many = VECTOR_BYTES > 16 && lanes == LANES && (all || asked);
    const int64_t shift = many ? THAhead_shift(term, (const void *const *)rows, nrows, bytes) : 0;
    for (; all ? row + step <= nrows : row < nrows; row += step) {
        const storage_t *x[ROWS];
        bool nan;
#pragma GCC unroll 8
        for (int r = 0; r < step; r++)
            x[r] = rows[all || row + r < nrows ? row + r : nrows - 1] + from;
        if (ahead && row + 2 * step <= nrows)
            THAhead_ask((const void *const *)rows + row + step, step, from * size, bytes);
        if (shift && THAhead_isThere(term, x[step - 1], bytes + shift))
            nan = THLoop_(compareColumns)(max, asked, false, all, step, lanes, row, n, x, shift,
                                          flip, best, at);
        else
            nan = THLoop_(compareColumns)(max, asked, false, all, step, lanes, row, n, x, 0, flip,
                                          best, at);
        if (nan)
            THLoop_(takeNaN)(row, step, n, x, best, at);
    }
    return row;
}

/* The extremes of n >= LANES columns of so few rows that what is best need not be kept. */
INLINE void THLoop_(extremesOfFewRows)(bool max, int64_t nrows, int64_t n,
                                       const storage_t *const *rows, int64_t from, index_t flip,
                                       key_t *best)
{
    const storage_t *x[ROWS / 2];
    for (int r = 0; r < ROWS / 2; r++)
        x[r] = rows[r < nrows ? r : nrows - 1] + from;
    if (THLoop_(compareColumns)(max, false, true, false, ROWS / 2, LANES, 0, n, x, 0, flip, best,
                                NULL))
        THLoop_(takeNaN)(0, ROWS / 2, n, x, best, NULL);
}

/* The extremes of n >= FEW_LANES columns of rows from `first` on, and in `at`, if it is `asked`
 * for, the rows that have them, -1 for what was before. */
INLINE void THLoop_(extremesOfRows)(bool max, bool asked, int64_t first, int64_t nrows, int64_t n,
                                    const storage_t *const *rows, int64_t from, index_t flip,
                                    const THReduceTerm *term, key_t *best, index_t *at)
{
    const bool fresh = first == 0;
    int64_t row = 0;
    if (fresh && !asked && nrows <= ROWS / 2 && (n >= LANES || LANES == FEW_LANES)) {
        THLoop_(extremesOfFewRows)(max, nrows, n, rows, from, flip, best);
        return;
    }
    for (int64_t c = 0; c < n && asked; c++)
        at[c] = fresh - 1;
    const storage_t *restrict row0 = rows[0] + from;
    key_t *restrict start = best;
    for (int64_t c = 0; c < n && fresh; c++)
        start[c] = KEY(row0[c], flip);
    if (n >= LANES && (!asked || first >= RARE * LANES))
        row = THLoop_(compareRows)(max, asked, true, ROWS, LANES, row, nrows, n, rows, from, flip,
                                   term, best, at);
    if (n >= LANES || LANES == FEW_LANES)
        THLoop_(compareRows)(max, asked, false, ROWS / 2, LANES, row, nrows, n, rows, from, flip,
                             term, best, at);
    else
        THLoop_(compareRows)(max, asked, false, ROWS / 2, FEW_LANES, row, nrows, n, rows, from,
                             flip, term, best, at);
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
    const int64_t least = asked ? 2 * BLOCK : BLOCK; /* of lines that are taken by blocks */
    index_t bad = 0;
    THLoop_(startFolds)(&folds);
    for (int64_t i = 0; i < LANES; i++) { /* the last line fills what is left */
        const char *at = data + (i < nlines ? i : nlines - 1) * stride;
        const storage_t *x = (const storage_t *)(const void *)at;
        if (n < least)
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
        if (asked && n >= least)
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
    ONCE void THLoop_(of##OfRows)(int64_t first, int64_t nrows, int64_t n,                        \
                                  const storage_t *const *rows, int64_t from, index_t flip,       \
                                  const THReduceTerm *term, key_t *best)                          \
    {                                                                                             \
        THLoop_(extremesOfRows)(max, false, first, nrows, n, rows, from, flip, term, best, NULL); \
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
    for (int64_t c = 0, n; c < width; c += n) {
        index_t at[COLUMNS];
        n = width - c < COLUMNS ? width - c : COLUMNS;
        if (n < FEW_LANES)
            OF_MAX(OfFewColumns)(first == 0, nrows, n, x, c, flip, best + c, at);
        else
            OF_MAX(PlacedRows)(first, nrows, n, x, c, flip, term, best + c, at);
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

/* At most WIDE lines of n <= SHORT_OF_WIDE elements, as columns. */
ONCE void THLoop_(extremeOfShortLines)(bool max, index_t flip, int64_t nlines, int64_t n,
                                       const char *data, int64_t stride, key_t *best, index_t *at)
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
        OF_MAX(OfFewColumns)(true, n, nlines, row, 0, flip, best, at);
    else if (at)
        OF_MAX(PlacedRows)(0, n, nlines, row, 0, flip, &near, best, at);
    else
        OF_MAX(OfRows)(0, n, nlines, row, 0, flip, &near, best);
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
    if ((n < LANES || n <= SHORT || (n <= SHORT_OF_WIDE && nlines == WIDE)) && nlines > 4) {
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
        OF_MAX(OfRows)(first, nrows, width, x, 0, flip, term, acc);
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
#undef BY_TWOS
#undef OF_MAX
#undef EXTREME_VALUE
#undef KEY
#undef UNORDERED
#undef HAS_SIGN
#undef FOR_NAN
#undef LANES
#undef FEW_LANES
#undef BLOCK
#undef MOST
#undef MOST_OF
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

#define EXTREME(name, lines, rows, fold, combine, max, flip)                                     \
    static void THLoop_(name##_lines)(int64_t nlines, int64_t n, const void *x, int64_t stride,  \
                                      void *acc, const THReduceTerm *term)                       \
    {                                                                                            \
        lines(max, flip, nlines, n, x, stride, acc, term);                                       \
    }                                                                                            \
    static void THLoop_(name##_rows)(int64_t nrows, int64_t width, const void *const *data,      \
                                     int64_t first, void *acc, const THReduceTerm *term)         \
    {                                                                                            \
        OF(rows)(max, flip, nrows, width, data, first, acc, term);                               \
    }                                                                                            \
    static void THLoop_(name##_combine)(int64_t n, void *acc, const void *next, int64_t first)   \
    {                                                                                            \
        OF(combine)(max, flip, n, acc, next, first);                                             \
    }                                                                                            \
    TH_REDUCE_DECLARE(THLoop_(name##Loops));                                                     \
    const THReduceLoops THLoop_(name##Loops)[1] = {{THLoop_(name##_lines), THLoop_(name##_rows), \
                                                    fold, THLoop_(name##_combine), TH_DTYPE,     \
                                                    NULL}};
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
