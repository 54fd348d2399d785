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
#include <TH/ops/THReduction.h>

#define WIDE 64      /* short lines reduced at a time */
#define FEW 32       /* elements compared one by one */
#define COLUMNS 1024 /* reduced at a time */
#define INLINE static inline __attribute__((always_inline))

#define TH_GENERIC_FILE "TH/loops/extreme.c"
#include <TH/THGenerateLoopTypes.h>

#else

#if defined(TH_REAL_IS_CHAR) || defined(TH_REAL_IS_BOOL)
#define OF(name) TH_CONCAT_4(th_, name, _Byte_, TH_ISA) /* which was before */
#else
#define OF(name) THLoop_(name)

#if defined(TH_REAL_IS_DOUBLE) || defined(TH_REAL_IS_LONG)
#define index_t int64_t
#define place_t int64_t
#elif defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_INT)
#define index_t int32_t
#define place_t int32_t
#elif defined(TH_REAL_IS_SHORT)
#define index_t int16_t
#define place_t int16_t
#else
#define index_t int8_t
#define place_t int16_t /* within a block */
#endif
#ifdef TH_CATEGORY_IS_FLOATING
#define key_t scalar_t
#define EXTREME_VALUE d
#define KEY(x, flip) ((void)(flip), (x))
#define UNORDERED(x, y) __builtin_isunordered(x, y)
#define HAS_SIGN(x) ((x) == 0) /* that of the first one */
#else
#define key_t index_t
#define EXTREME_VALUE l
#define KEY(x, flip) ((key_t)((x) ^ (flip)))
#define UNORDERED(x, y) ((void)(x), (void)(y), false)
#define HAS_SIGN(x) ((void)(x), false)
#endif
/* Lanes of a line are a cache line. */
typedef key_t THLoop_(Keys) __attribute__((vector_size(64)));
typedef index_t THLoop_(Places) __attribute__((vector_size(64)));
#define LANES ((int)(64 / sizeof(key_t)))
#define BLOCK (8 * LANES)
_Static_assert(TH_REDUCE_CHUNK / BLOCK <= INT8_MAX && TH_REDUCE_ROWS <= INT8_MAX + 1,
               "places fit in bytes");

INLINE bool THLoop_(beats)(bool max, key_t x, key_t y)
{
    return max ? x > y : x < y;
}

/* The first place of `value` among n (a constant) elements, where it is. */
INLINE int64_t THLoop_(find)(int n, const storage_t *restrict x, index_t flip, key_t value)
{
    place_t first = (place_t)n;
#pragma omp simd reduction(min : first)
    for (int j = 0; j < n; j++) {
        const place_t here = KEY(x[j], flip) == value ? (place_t)j : (place_t)n;
        first = here < first ? here : first;
    }
    return first;
}

INLINE key_t THLoop_(extremeOfLanes)(bool max, key_t *lane)
{
#pragma GCC unroll 6
    for (int half = LANES / 2; half; half /= 2) {
#pragma omp simd
        for (int j = 0; j < half; j++)
            lane[j] = THLoop_(beats)(max, lane[j + half], lane[j]) ? lane[j + half] : lane[j];
    }
    return lane[0];
}

/* The extreme of `rows` (a constant) vectors, and where there is NaN. */
INLINE void THLoop_(extremeOfBlock)(bool max, int rows, const storage_t *restrict x, index_t flip,
                                    THLoop_(Keys) * keys, THLoop_(Places) * nan)
{
    THLoop_(Places) places;
    key_t most[LANES];
    index_t bad[LANES];
#pragma omp simd
    for (int j = 0; j < LANES; j++) {
        key_t m = KEY(x[j], flip), last = m;
        bool unordered = UNORDERED(m, m);
#pragma GCC unroll 8
        for (int r = 1; r < rows; r++) {
            const key_t e = KEY(x[r * LANES + j], flip);
            unordered |= r % 2 && UNORDERED(last, e);
            m = THLoop_(beats)(max, e, m) ? e : m;
            last = e;
        }
        most[j] = m;
        bad[j] = unordered ? 1 : 0;
    }
    memcpy(keys, most, sizeof *keys);
    memcpy(&places, bad, sizeof places);
    *nan |= places;
}

/* The place of the first extreme of n elements, if that is asked for, and its key; -1 where there
 * is NaN. Each lane keeps its best and the block of that, so that only one block is searched. Some
 * elements are seen twice, which changes nothing. */
INLINE int64_t THLoop_(place)(bool max, int rows, bool asked, int64_t n,
                              const storage_t *restrict x, index_t flip, int64_t ahead,
                              key_t *value)
{
    const int64_t block = LANES * rows;
    THLoop_(Places) at = {0}, nan = {0};
    THLoop_(Keys) best, keys;
    key_t lane[LANES];
    index_t index[LANES], bad[LANES];
    THLoop_(extremeOfBlock)(max, rows, x, flip, &best, &nan);
    for (int64_t i = 1; i * block < n; i++) {
        const storage_t *v = x + (i * block < n - block ? i * block : n - block);
        for (int j = 0; ahead && j < block; j += LANES)
            __builtin_prefetch((const void *)((uintptr_t)(v + j) + (uintptr_t)ahead));
        THLoop_(extremeOfBlock)(max, rows, v, flip, &keys, &nan);
        const THLoop_(Places) better = max ? keys > best : keys < best;
        at = ((index_t)i & better) | (at & ~better);
        best =
            (THLoop_(Keys))(((THLoop_(Places))keys & better) | ((THLoop_(Places))best & ~better));
    }
    memcpy(lane, &best, sizeof lane);
    *value = THLoop_(extremeOfLanes)(max, lane);
    memcpy(lane, &best, sizeof lane);
    memcpy(index, &at, sizeof index);
    memcpy(bad, &nan, sizeof bad);
    index_t first = INT8_MAX, any = 0;
#pragma omp simd reduction(min : first) reduction(| : any)
    for (int j = 0; j < LANES; j++) {
        const index_t here = lane[j] == *value ? index[j] : INT8_MAX;
        first = here < first ? here : first;
        any |= bad[j];
    }
    if (any || !asked)
        return any ? -1 : 0;
    const int64_t from = first * block < n - block ? first * block : n - block;
    const int64_t place = from + THLoop_(find)((int)block, x + from, flip, *value);
    *value = KEY(x[place], flip); /* of zeros the sign */
    return place;
}

/* Of n >= LANES elements. */
INLINE void THLoop_(extremeOfLine)(bool max, index_t flip, bool asked, int64_t n,
                                   const storage_t *x, int64_t ahead, THReduceExtreme *acc)
{
    key_t value;
    int64_t at = n < BLOCK ? THLoop_(place)(max, 1, asked, n, x, flip, 0, &value)
                           : THLoop_(place)(max, 8, asked, n, x, flip, ahead, &value);
    if (at < 0) {
        for (at = 0; !UNORDERED(x[at], x[at]);)
            at++;
        value = x[at];
    } else if (!asked && HAS_SIGN(value)) {
        for (at = 0; x[at] != value;)
            at++;
        value = x[at];
    }
    acc->index = at;
    acc->value.EXTREME_VALUE = KEY(value, flip);
}

/* LANES columns of four rows are compared, as if there were no NaN. */
INLINE bool THLoop_(compareLanes)(bool max, bool asked, index_t row, int64_t from,
                                  const storage_t *const *rows, index_t flip, key_t *restrict best,
                                  index_t *restrict at)
{
    const storage_t *restrict x0 = rows[0] + from, *restrict x1 = rows[1] + from;
    const storage_t *restrict x2 = rows[2] + from, *restrict x3 = rows[3] + from;
    index_t nan = 0;
#pragma omp simd reduction(| : nan)
    for (int c = 0; c < LANES; c++) {
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

/* Some of the n >= LANES columns are seen twice, which changes nothing. */
INLINE bool THLoop_(compareRows)(bool max, bool asked, int64_t row, int64_t n,
                                 const storage_t *const *rows, index_t flip, key_t *best,
                                 index_t *at)
{
    bool nan = false;
    for (int64_t c = 0; c < n; c += LANES) {
        const int64_t from = c < n - LANES ? c : n - LANES;
        nan |= THLoop_(compareLanes)(max, asked, (index_t)row, from, rows, flip, best + from,
                                     at + from);
    }
    return nan;
}

/* The first NaN of each column counts, unless there was one before. */
INLINE void THLoop_(takeNaN)(int64_t row, int64_t nrows, int64_t n, const storage_t *const *rows,
                             key_t *best, index_t *at)
{
    for (int64_t r = 0; r < nrows; r++) {
        for (int64_t c = 0; c < n; c++) {
            if (UNORDERED(rows[r][c], rows[r][c]) && !UNORDERED(best[c], best[c])) {
                best[c] = rows[r][c];
                at[c] = (index_t)(row + r);
            }
        }
    }
}

/* The extremes of n >= LANES columns and the rows that have them, -1 for what was before. */
static __attribute__((noinline)) void THLoop_(extremesOfRows)(bool max, bool asked, bool fresh,
                                                              bool ahead, int64_t nrows, int64_t n,
                                                              const storage_t *const *rows,
                                                              int64_t from, index_t flip,
                                                              key_t *best, index_t *at)
{
    for (int64_t c = 0; c < n; c++)
        at[c] = fresh - 1;
    for (int64_t c = 0; c < n && fresh; c++)
        best[c] = KEY(rows[0][from + c], flip);
    for (int64_t row = 0; row < nrows; row += 4) {
        const storage_t *x[4];
        for (int r = 0; r < 4; r++)
            x[r] = rows[row + r < nrows ? row + r : nrows - 1] + from;
        if (ahead && row + 4 + TH_AHEAD_ROWS <= nrows)
            THAhead_ask((const void *const *)rows + row + 4, from * (int64_t)sizeof **x,
                        n * (int64_t)sizeof **x);
        const bool nan = max ? asked ? THLoop_(compareRows)(true, true, row, n, x, flip, best, at)
                                     : THLoop_(compareRows)(true, false, row, n, x, flip, best, at)
                         : asked ? THLoop_(compareRows)(false, true, row, n, x, flip, best, at)
                                 : THLoop_(compareRows)(false, false, row, n, x, flip, best, at);
        if (nan)
            THLoop_(takeNaN)(row, 4, n, x, best, at);
    }
}

/* Of n < LANES columns, which get company. */
static __attribute__((noinline)) void
THLoop_(extremesOfFewColumns)(bool max, bool asked, bool fresh, int64_t nrows, int64_t n,
                              const storage_t *const *rows, int64_t from, index_t flip, key_t *best,
                              index_t *at)
{
    storage_t block[TH_REDUCE_ROWS * LANES];
    const storage_t *wide[TH_REDUCE_ROWS];
    key_t extremes[LANES] = {0};
    index_t places[LANES];
    memset(block, 0, (size_t)nrows * LANES * sizeof *block);
    for (int64_t r = 0; r < nrows; r++) {
        wide[r] = block + r * LANES;
        memcpy(block + r * LANES, rows[r] + from, (size_t)n * sizeof *block);
    }
    memcpy(extremes, best, (size_t)n * sizeof *best);
    THLoop_(extremesOfRows)(max, asked, fresh, false, nrows, LANES, wide, 0, flip, extremes,
                            places);
    memcpy(best, extremes, (size_t)n * sizeof *best);
    memcpy(at, places, (size_t)n * sizeof *at);
}

/* Where the indices are in the lanes, behind the values. */
INLINE int32_t *THLoop_(indices)(void *lanes, int64_t width)
{
    return (int32_t *)(void *)((char *)lanes + width * (int64_t)sizeof(int64_t));
}

INLINE void THLoop_(extremeRows)(bool max, index_t flip, int64_t nrows, int64_t width,
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
        if (n < LANES)
            THLoop_(extremesOfFewColumns)(max, term->p == 0, first == 0, nrows, n, x, c, flip,
                                          best + c, at);
        else
            THLoop_(extremesOfRows)(max, term->p == 0, first == 0, ahead, nrows, n, x, c, flip,
                                    best + c, at);
        for (int64_t i = 0; i < n; i++)
            index[c + i] = at[i] >= 0 ? (int32_t)(first + at[i]) : index[c + i];
    }
}

INLINE void THLoop_(extremeFold)(index_t flip, int64_t width, void *lanes, THReduceExtreme *acc)
{
    const key_t *best = lanes;
    const int32_t *index = THLoop_(indices)(lanes, width);
    for (int64_t c = 0; c < width; c++) {
        acc[c].index = index[c];
        acc[c].value.EXTREME_VALUE = KEY(best[c], flip);
    }
}

/* Of few elements. */
INLINE void THLoop_(extremeOfFew)(bool max, index_t flip, int64_t n, const storage_t *x,
                                  THReduceExtreme *acc)
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
    acc->index = at;
    acc->value.EXTREME_VALUE = KEY(best, flip);
}

/* Lines of n < LANES elements, as columns. */
static __attribute__((noinline)) void THLoop_(extremeOfShortLines)(bool max, index_t flip,
                                                                   int64_t nlines, int64_t n,
                                                                   const char *data, int64_t stride,
                                                                   THReduceExtreme *acc)
{
    const int64_t size = (int64_t)sizeof(storage_t);
    storage_t block[LANES * WIDE];
    const storage_t *row[LANES];
    key_t best[WIDE];
    index_t at[WIDE];
    for (int64_t line = 0, count; line < nlines; line += count) {
        count = nlines - line < WIDE ? nlines - line : WIDE;
        THMove_gather(size, (char *)block, data + line * stride, n, size, count, stride);
        for (int64_t r = 0; r < n; r++)
            row[r] = block + r * count;
        if (count < LANES)
            THLoop_(extremesOfFewColumns)(max, true, true, n, count, row, 0, flip, best, at);
        else
            THLoop_(extremesOfRows)(max, true, true, false, n, count, row, 0, flip, best, at);
        for (int64_t i = 0; i < count; i++) {
            acc[line + i].index = at[i];
            acc[line + i].value.EXTREME_VALUE = KEY(best[i], flip);
        }
    }
}

INLINE void THLoop_(extremeLines)(bool max, index_t flip, int64_t nlines, int64_t n,
                                  const char *data, int64_t stride, THReduceExtreme *acc,
                                  const THReduceTerm *term)
{
    const int64_t size = (int64_t)sizeof(storage_t), next = stride == n * size ? n : 0;
    if (n < LANES && nlines > 4) {
        THLoop_(extremeOfShortLines)(max, flip, nlines, n, data, stride, acc);
        return;
    }
    for (int64_t line = 0; line < nlines; line++) {
        const int64_t ahead = THReduceTerm_ahead(term, size, (nlines - 1 - line) * next);
        const storage_t *x = (const storage_t *)(const void *)(data + line * stride);
        if (n < LANES || (n < FEW && nlines == 1))
            THLoop_(extremeOfFew)(max, flip, n, x, &acc[line]);
        else
            THLoop_(extremeOfLine)(max, flip, term->p == 0, n, x, ahead, &acc[line]);
    }
}

/* A NaN stays. */
INLINE void THLoop_(extremeCombine)(bool max, index_t flip, int64_t n, THReduceExtreme *acc,
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

/* What differs in code for the largest and the smallest of floating point. */
#define LOOPS(of, max)                                                                      \
    static void THLoop_(of##_lines)(index_t flip, int64_t nlines, int64_t n, const void *x, \
                                    int64_t stride, void *acc, const THReduceTerm *term)    \
    {                                                                                       \
        THLoop_(extremeLines)(max, flip, nlines, n, x, stride, acc, term);                  \
    }                                                                                       \
    static void THLoop_(of##_rows)(index_t flip, int64_t nrows, int64_t width,              \
                                   const void *const *rows, int64_t first, void *lanes,     \
                                   const THReduceTerm *term)                                \
    {                                                                                       \
        THLoop_(extremeRows)(max, flip, nrows, width, rows, first, lanes, term);            \
    }                                                                                       \
    static void THLoop_(of##_combine)(index_t flip, int64_t n, THReduceExtreme *acc,        \
                                      const THReduceExtreme *next, int64_t first)           \
    {                                                                                       \
        THLoop_(extremeCombine)(max, flip, n, acc, next, first);                            \
    }
LOOPS(largest, true)
#ifdef TH_CATEGORY_IS_FLOATING
LOOPS(smallest, false)
#endif

#undef LOOPS
#undef EXTREME_VALUE
#undef KEY
#undef UNORDERED
#undef HAS_SIGN
#undef LANES
#undef BLOCK
#undef index_t
#undef place_t
#undef key_t

#endif

#define EXTREME(name, of, flip)                                                                  \
    static void THLoop_(name##_lines)(int64_t nlines, int64_t n, const void *x, int64_t stride,  \
                                      void *acc, const THReduceTerm *term)                       \
    {                                                                                            \
        OF(of##_lines)(flip, nlines, n, x, stride, acc, term);                                   \
    }                                                                                            \
    static void THLoop_(name##_rows)(int64_t nrows, int64_t width, const void *const *rows,      \
                                     int64_t first, void *lanes, const THReduceTerm *term)       \
    {                                                                                            \
        OF(of##_rows)(flip, nrows, width, rows, first, lanes, term);                             \
    }                                                                                            \
    static void THLoop_(name##_fold)(int64_t nrows, int64_t width, void *lanes, void *acc)       \
    {                                                                                            \
        (void)nrows;                                                                             \
        OF(extremeFold)(flip, width, lanes, acc);                                                \
    }                                                                                            \
    static void THLoop_(name##_combine)(int64_t n, void *acc, const void *next, int64_t first)   \
    {                                                                                            \
        OF(of##_combine)(flip, n, acc, next, first);                                             \
    }                                                                                            \
    TH_REDUCE_DECLARE(THLoop_(name##Loops));                                                     \
    const THReduceLoops THLoop_(name##Loops)[1] = {{THLoop_(name##_lines), THLoop_(name##_rows), \
                                                    THLoop_(name##_fold),                        \
                                                    THLoop_(name##_combine)}}

#if defined(TH_CATEGORY_IS_FLOATING)
EXTREME(argmax, largest, 0);
EXTREME(argmin, smallest, 0);
#elif defined(TH_REAL_IS_BYTE) || defined(TH_REAL_IS_BOOL)
EXTREME(argmax, largest, INT8_MIN);
EXTREME(argmin, largest, INT8_MAX);
#else
EXTREME(argmax, largest, 0);
EXTREME(argmin, largest, -1);
#endif

#undef EXTREME
#undef OF

#endif
