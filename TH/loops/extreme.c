/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of extremes and counts; THReduction.h says what each must do. Both are exact, so
 * they need not keep to its order. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/ops/THReduction.h>

#define WIDE 64      /* elements compared at a time */
#define FEW 16       /* ... in short lines */
#define COUNTED 1024 /* columns counted at a time */
#define INLINE static inline __attribute__((always_inline))

#define TH_GENERIC_FILE "TH/loops/extreme.c"
#include <TH/THGenerateLoopTypes.h>

#else

#define LOOPS(name, fold)                           \
    TH_REDUCE_DECLARE(THLoop_(name##Loops));        \
    const THReduceLoops THLoop_(name##Loops)[1] = { \
        {THLoop_(name##_lines), THLoop_(name##_rows), THLoop_(fold), THLoop_(name##_combine)}};

/* Counts are exact in any order: they are kept in integers as wide as the elements. */
#if defined(TH_REAL_IS_DOUBLE) || defined(TH_REAL_IS_LONG)
#define count_t uint64_t
#elif defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_INT)
#define count_t uint32_t
#elif defined(TH_REAL_IS_SHORT)
#define count_t uint16_t
#else
#define count_t uint8_t
#endif
#define COUNTS ((int)(64 / sizeof(count_t)))
/* A cache line of them: what a loop over arrays would keep in memory is in registers. */
typedef storage_t THLoop_(Elements) __attribute__((vector_size(64)));
typedef count_t THLoop_(Counts) __attribute__((vector_size(64)));
_Static_assert(TH_REDUCE_CHUNK / 64 < UINT8_MAX && TH_REDUCE_ROWS <= UINT8_MAX,
               "a count of bytes holds what it gets");

static void THLoop_(nonzero_lines)(int64_t nlines, int64_t n, const void *data, int64_t stride,
                                   void *accumulators, const THReduceTerm *term)
{
    accreal *acc = accumulators;
    const int64_t size = (int64_t)sizeof(storage_t), next = stride == n * size ? n : 0;
    for (int64_t line = 0; line < nlines; line++) {
        const int64_t ahead = THReduceTerm_ahead(term, size, (nlines - 1 - line) * next);
        const storage_t *restrict x =
            (const storage_t *)(const void *)((const char *)data + line * stride);
        THLoop_(Counts) lanes = {0};
        int64_t i = 0, count = 0;
        for (; i + COUNTS <= n; i += COUNTS) {
            THLoop_(Elements) v;
            __builtin_prefetch((const void *)((uintptr_t)(x + i) + (uintptr_t)ahead));
            memcpy(&v, x + i, sizeof v);
            lanes -= (THLoop_(Counts))(v != 0); /* true is -1 */
        }
        if (i < n) {
            THLoop_(Elements) v = {0};
            memcpy(&v, x + i, (size_t)(n - i) * sizeof *x);
            lanes -= (THLoop_(Counts))(v != 0);
        }
        for (int j = 0; j < COUNTS; j++)
            count += (int64_t)lanes[j];
        acc[line] = (accreal)count;
    }
}

/* All rows are counted in the first lane. */
static void THLoop_(nonzero_rows)(int64_t nrows, int64_t width, const void *const *rows,
                                  int64_t first, void *lanes, const THReduceTerm *term)
{
    accreal *restrict acc = lanes;
    (void)term;
    for (int64_t at = 0; at < width; at += COUNTED) {
        const int64_t n = width - at < COUNTED ? width - at : COUNTED;
        count_t count[COUNTED];
        memset(count, 0, (size_t)n * sizeof *count);
        int64_t row = 0;
        for (; row + 4 <= nrows; row += 4) {
            const storage_t *restrict x0 = (const storage_t *)rows[row] + at;
            const storage_t *restrict x1 = (const storage_t *)rows[row + 1] + at;
            const storage_t *restrict x2 = (const storage_t *)rows[row + 2] + at;
            const storage_t *restrict x3 = (const storage_t *)rows[row + 3] + at;
#pragma omp simd
            for (int64_t c = 0; c < n; c++)
                count[c] = (count_t)(count[c] + (TH_LOAD(x0 + c) != 0) + (TH_LOAD(x1 + c) != 0) +
                                     (TH_LOAD(x2 + c) != 0) + (TH_LOAD(x3 + c) != 0));
        }
        for (; row < nrows; row++) {
            const storage_t *restrict x = (const storage_t *)rows[row] + at;
#pragma omp simd
            for (int64_t c = 0; c < n; c++)
                count[c] = (count_t)(count[c] + (TH_LOAD(x + c) != 0));
        }
        for (int64_t c = 0; c < n; c++)
            acc[at + c] = (first == 0 ? 0 : acc[at + c]) + (accreal)count[c];
    }
}

static void THLoop_(nonzero_fold)(int64_t nrows, int64_t width, void *lanes, void *acc)
{
    (void)nrows;
    memcpy(acc, lanes, (size_t)width * sizeof(accreal));
}

static void THLoop_(nonzero_combine)(int64_t n, void *acc, const void *next, int64_t first)
{
    (void)first;
    for (int64_t i = 0; i < n; i++)
        ((accreal *)acc)[i] += ((const accreal *)next)[i];
}
#undef COUNTS
#undef count_t
LOOPS(nonzero, nonzero_fold)

#ifdef TH_CATEGORY_IS_FLOATING
#define EXTREME_VALUE d
#else
#define EXTREME_VALUE l
#endif

/* Extremes. Indices within a chunk are kept in integers as wide as the elements or wider, so that
 * value and index are selected by one mask. */
#if defined(TH_REAL_IS_DOUBLE) || defined(TH_REAL_IS_LONG)
#define index_t int64_t
#else
#define index_t int32_t
#endif

/* Is x before the best so far, which stays when it is NaN? */
INLINE bool THLoop_(better)(bool max, scalar_t x, scalar_t best)
{
#ifdef TH_CATEGORY_IS_FLOATING
    return (max ? !(x <= best) : !(x >= best)) & (best == best);
#else
    return max ? x > best : x < best;
#endif
}

INLINE bool THLoop_(isNan)(scalar_t x)
{
#ifdef TH_CATEGORY_IS_FLOATING
    return x != x;
#else
    (void)x;
    return false;
#endif
}

/* Lanes of two vectors. */
#define PAIR ((int)(sizeof(storage_t) == 8 ? 16 : sizeof(storage_t) == 4 ? 32 : 64))

INLINE bool THLoop_(beats)(bool max, scalar_t x, scalar_t y)
{
    return max ? x > y : x < y;
}

/* The first place of `value` among n (a constant) elements, where it is. */
INLINE int64_t THLoop_(find)(int n, const storage_t *restrict x, scalar_t value)
{
    index_t first = (index_t)n;
#pragma omp simd reduction(min : first)
    for (int j = 0; j < n; j++) {
        const index_t here = TH_LOAD(x + j) == value ? (index_t)j : (index_t)n;
        first = here < first ? here : first;
    }
    return first;
}

/* Keeps the extremes of `wide` (a constant) lanes and folds them. */
INLINE scalar_t THLoop_(foldExtremes)(bool max, int wide, const scalar_t *best)
{
    scalar_t lane[WIDE];
    memcpy(lane, best, (size_t)wide * sizeof *lane);
#pragma GCC unroll 6
    for (int half = wide / 2; half; half /= 2) {
#pragma omp simd
        for (int j = 0; j < half; j++)
            lane[j] = THLoop_(beats)(max, lane[j + half], lane[j]) ? lane[j + half] : lane[j];
    }
    return lane[0];
}

/* The place of the first extreme of n elements, -1 where there is NaN. `rows` vectors of `wide`
 * lanes (constants) are a block; a lane keeps its best and the block of that, so that only one
 * block is searched. Some elements are seen twice, which changes nothing. */
INLINE int64_t THLoop_(place)(bool max, int wide, int rows, int64_t n, const storage_t *restrict x,
                              int64_t ahead)
{
    const int block = wide * rows;
    const scalar_t start = TH_LOAD(x);
    scalar_t best[WIDE];
    index_t at[WIDE], nan[WIDE];
    for (int j = 0; j < wide; j++) {
        best[j] = start;
        at[j] = nan[j] = 0;
    }
    for (int64_t i = 0; i < n; i += block) {
        const int64_t from = i < n - block ? i : n - block;
        const storage_t *restrict v = x + from;
        for (int j = 0; ahead && j < block; j += (int)(64 / sizeof(storage_t)))
            __builtin_prefetch((const void *)((uintptr_t)(v + j) + (uintptr_t)ahead));
#pragma omp simd
        for (int j = 0; j < wide; j++) {
            scalar_t m = TH_LOAD(v + j);
            index_t bad = THLoop_(isNan)(m);
#pragma GCC unroll 4
            for (int r = 1; r < rows; r++) {
                const scalar_t e = TH_LOAD(v + r * wide + j);
                bad |= THLoop_(isNan)(e);
                m = THLoop_(beats)(max, e, m) ? e : m;
            }
            at[j] = THLoop_(beats)(max, m, best[j]) ? (index_t)from + (rows == 1 ? j : 0) : at[j];
            best[j] = THLoop_(beats)(max, m, best[j]) ? m : best[j];
            nan[j] |= bad;
        }
    }
    const scalar_t value = THLoop_(foldExtremes)(max, wide, best);
    index_t first = (index_t)n, any = 0;
#pragma omp simd reduction(min : first) reduction(| : any)
    for (int j = 0; j < wide; j++) {
        const index_t here = best[j] == value ? at[j] : (index_t)n;
        first = here < first ? here : first;
        any |= nan[j];
    }
    if (any)
        return -1;
    return rows == 1 ? first : first + THLoop_(find)(block, x + first, value);
}

/* Of few elements, one after the other. */
INLINE void THLoop_(extremeOfFew)(bool max, int64_t n, const storage_t *restrict x,
                                  THReduceExtreme *acc)
{
    scalar_t best = TH_LOAD(x);
    int64_t at = 0;
    for (int64_t i = 1; i < n; i++) {
        const scalar_t v = TH_LOAD(x + i);
        if (THLoop_(better)(max, v, best)) {
            best = v;
            at = i;
        }
    }
    acc->index = at;
    acc->value.EXTREME_VALUE = best;
}

/* The extreme alone of n >= WIDE elements; false where there is NaN, or zeros, of which the first
 * one gives the sign. */
INLINE bool THLoop_(valueOfLine)(bool max, int64_t n, const storage_t *restrict x, int64_t ahead,
                                 scalar_t *value)
{
    const scalar_t start = TH_LOAD(x);
    scalar_t best[WIDE];
    index_t nan[WIDE];
    for (int j = 0; j < WIDE; j++) {
        best[j] = start;
        nan[j] = 0;
    }
    for (int64_t i = 0; i < n; i += WIDE) {
        const storage_t *restrict v = x + (i < n - WIDE ? i : n - WIDE); /* some are seen twice */
        for (int j = 0; j < WIDE; j += (int)(64 / sizeof(storage_t)))
            __builtin_prefetch((const void *)((uintptr_t)(v + j) + (uintptr_t)ahead));
#pragma omp simd
        for (int j = 0; j < WIDE; j++) {
            const scalar_t e = TH_LOAD(v + j);
            best[j] = THLoop_(beats)(max, e, best[j]) ? e : best[j];
            nan[j] |= THLoop_(isNan)(e);
        }
    }
    index_t any = 0;
#pragma omp simd reduction(| : any)
    for (int j = 0; j < WIDE; j++)
        any |= nan[j];
    *value = THLoop_(foldExtremes)(max, WIDE, best);
    return !any && *value != 0;
}

/* Of n >= FEW elements. */
INLINE void THLoop_(extremeLine)(bool max, bool valueOnly, int64_t n, const storage_t *x,
                                 int64_t ahead, THReduceExtreme *acc)
{
    scalar_t value;
    if (valueOnly && n >= WIDE && THLoop_(valueOfLine)(max, n, x, ahead, &value)) {
        acc->index = 0;
        acc->value.EXTREME_VALUE = value;
        return;
    }
    int64_t at = n < 4 * PAIR ? THLoop_(place)(max, FEW, 1, n, x, 0)
                              : THLoop_(place)(max, PAIR, 4, n, x, ahead);
    if (at < 0)
        for (at = 0; !THLoop_(isNan)(TH_LOAD(x + at));)
            at++;
    acc->index = at;
    acc->value.EXTREME_VALUE = TH_LOAD(x + at);
}

INLINE void THLoop_(extremeLines)(bool max, int64_t nlines, int64_t n, const char *data,
                                  int64_t stride, THReduceExtreme *acc, const THReduceTerm *term)
{
    const int64_t size = (int64_t)sizeof(storage_t), next = stride == n * size ? n : 0;
    for (int64_t line = 0; line < nlines; line++) {
        const storage_t *x = (const storage_t *)(data + line * stride);
        const int64_t ahead = THReduceTerm_ahead(term, size, (nlines - 1 - line) * next);
        if (n < FEW)
            THLoop_(extremeOfFew)(max, n, x, &acc[line]);
        else
            THLoop_(extremeLine)(max, term->p != 0, n, x, ahead, &acc[line]);
    }
}

/* Where the indices are in the lanes, behind the values. */
INLINE index_t *THLoop_(indices)(void *lanes, int64_t width)
{
    return (index_t *)(void *)((char *)lanes + width * (int64_t)sizeof(int64_t));
}

INLINE void THLoop_(extremeValues)(bool max, int64_t nrows, int64_t width, const void *const *rows,
                                   int64_t first, void *lanes)
{
    scalar_t *restrict best = lanes;
    const storage_t *restrict x = rows[0];
    for (int64_t c = 0; c < width && first == 0; c++) {
        best[c] = TH_LOAD(x + c);
        THLoop_(indices)(lanes, width)[c] = 0;
    }
    for (int64_t row = first == 0; row < nrows; row++) {
        x = rows[row];
#pragma omp simd
        for (int64_t c = 0; c < width; c++) {
            const scalar_t v = TH_LOAD(x + c), b = best[c];
            best[c] = THLoop_(better)(max, v, b) ? v : b;
        }
    }
}

INLINE void THLoop_(extremeRows)(bool max, int64_t nrows, int64_t width, const void *const *rows,
                                 int64_t first, void *lanes)
{
    scalar_t *restrict best = lanes;
    index_t *restrict at = THLoop_(indices)(lanes, width);
    int64_t row = 0;
    if (first == 0) {
        const storage_t *x = rows[0];
        for (int64_t c = 0; c < width; c++) {
            best[c] = TH_LOAD(x + c);
            at[c] = 0;
        }
        row = 1;
    }
    for (; row + 4 <= nrows; row += 4) {
        const storage_t *x0 = rows[row], *x1 = rows[row + 1];
        const storage_t *x2 = rows[row + 2], *x3 = rows[row + 3];
        const index_t i = (index_t)(first + row);
#pragma omp simd
        for (int64_t c = 0; c < width; c++) {
            const scalar_t v0 = TH_LOAD(x0 + c), v1 = TH_LOAD(x1 + c);
            const scalar_t v2 = TH_LOAD(x2 + c), v3 = TH_LOAD(x3 + c);
            scalar_t b = best[c];
            index_t a = at[c];
            a = THLoop_(better)(max, v0, b) ? i : a;
            b = THLoop_(better)(max, v0, b) ? v0 : b;
            a = THLoop_(better)(max, v1, b) ? i + 1 : a;
            b = THLoop_(better)(max, v1, b) ? v1 : b;
            a = THLoop_(better)(max, v2, b) ? i + 2 : a;
            b = THLoop_(better)(max, v2, b) ? v2 : b;
            a = THLoop_(better)(max, v3, b) ? i + 3 : a;
            b = THLoop_(better)(max, v3, b) ? v3 : b;
            best[c] = b;
            at[c] = a;
        }
    }
    for (; row < nrows; row++) {
        const storage_t *x = rows[row];
        const index_t i = (index_t)(first + row);
#pragma omp simd
        for (int64_t c = 0; c < width; c++) {
            const scalar_t v = TH_LOAD(x + c), b = best[c];
            at[c] = THLoop_(better)(max, v, b) ? i : at[c];
            best[c] = THLoop_(better)(max, v, b) ? v : b;
        }
    }
}

static void THLoop_(extremeFold)(int64_t nrows, int64_t width, void *lanes, void *accumulators)
{
    const scalar_t *best = lanes;
    const index_t *at = THLoop_(indices)(lanes, width);
    THReduceExtreme *acc = accumulators;
    (void)nrows;
    for (int64_t c = 0; c < width; c++) {
        acc[c].index = at[c];
        acc[c].value.EXTREME_VALUE = best[c];
    }
}

INLINE void THLoop_(extremeCombine)(bool max, int64_t n, THReduceExtreme *acc,
                                    const THReduceExtreme *next, int64_t first)
{
    for (int64_t i = 0; i < n; i++) {
        if (THLoop_(better)(max, (scalar_t)next[i].value.EXTREME_VALUE,
                            (scalar_t)acc[i].value.EXTREME_VALUE)) {
            acc[i] = next[i];
            acc[i].index += first;
        }
    }
}

#define EXTREME(name, max)                                                                      \
    static void THLoop_(name##_lines)(int64_t nlines, int64_t n, const void *x, int64_t stride, \
                                      void *acc, const THReduceTerm *term)                      \
    {                                                                                           \
        THLoop_(extremeLines)(max, nlines, n, x, stride, acc, term);                            \
    }                                                                                           \
    static void THLoop_(name##_rows)(int64_t nrows, int64_t width, const void *const *rows,     \
                                     int64_t first, void *lanes, const THReduceTerm *term)      \
    {                                                                                           \
        if (term->p != 0)                                                                       \
            THLoop_(extremeValues)(max, nrows, width, rows, first, lanes);                      \
        else                                                                                    \
            THLoop_(extremeRows)(max, nrows, width, rows, first, lanes);                        \
    }                                                                                           \
    static void THLoop_(name##_combine)(int64_t n, void *acc, const void *next, int64_t first)  \
    {                                                                                           \
        THLoop_(extremeCombine)(max, n, acc, next, first);                                      \
    }                                                                                           \
    LOOPS(name, extremeFold)

EXTREME(argmax, true)
EXTREME(argmin, false)

#undef LOOPS
#undef EXTREME
#undef EXTREME_VALUE
#undef index_t
#undef PAIR

#endif
