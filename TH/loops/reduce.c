/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of reductions; THReduction.h says what each must do. An op is a constant argument of
 * the inlined functions below, which gives every op loops of its own. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/loops/exp.h>
#include <TH/ops/THReduction.h>
#include <math.h>

_Static_assert(TH_REDUCE_LANES == 16, "foldLine folds 16 lanes");

#define SHORT_LINES 32 /* short lines reduced at a time */
#define WIDE 64        /* elements compared at a time */
#define COUNTED 1024   /* columns counted at a time */
/* A whole chunk is likely to be followed by another. Hardware alone fetches a single stream from
 * the last cache too late: prefetching so many bytes ahead made sums of 10^7 float32 1.5 times
 * faster; with 8-byte elements there was nothing to gain. */
#define AHEAD 16384
#define INLINE static inline __attribute__((always_inline))

/* What is done. Those from REDUCE_SQUARES on are for floating point. */
enum {
    REDUCE_SUM,
    REDUCE_PROD,
    REDUCE_NONZERO, /* counts */
    REDUCE_ARGMAX,
    REDUCE_ARGMIN,
    REDUCE_SQUARES, /* sum of (x - each)^2 */
    REDUCE_ABS,     /* sum of |x| */
    REDUCE_POWER,   /* sum of |x|^p */
    REDUCE_MAXABS,
    REDUCE_MINABS,
    REDUCE_MAXIMUM,
    REDUCE_EXP, /* sum of exp(x - each), for x <= each */
};

#define TH_GENERIC_FILE "TH/loops/reduce.c"
#include <TH/THGenerateLoopTypes.h>

#else

#define LANES TH_REDUCE_LANES
#define LANE_ROWS (TH_REDUCE_ROWS / LANES)

INLINE accreal THLoop_(term)(int op, scalar_t x, accreal each, double p)
{
#ifdef TH_CATEGORY_IS_FLOATING
    switch (op) {
    case REDUCE_SQUARES:
        return ((accreal)x - each) * ((accreal)x - each);
    case REDUCE_ABS:
    case REDUCE_MAXABS:
    case REDUCE_MINABS:
        return fabs((accreal)x);
    case REDUCE_POWER:
        return pow(fabs((accreal)x), p);
    case REDUCE_EXP:
        return TH_MATH(expNegative)(x - (scalar_t)each);
    }
#else
    (void)each, (void)p;
#endif
    (void)op;
    return (accreal)x;
}

INLINE accreal THLoop_(identity)(int op)
{
    switch (op) {
    case REDUCE_PROD:
        return 1;
#ifdef TH_CATEGORY_IS_FLOATING
    case REDUCE_MAXIMUM:
        return -INFINITY;
    case REDUCE_MINABS:
        return INFINITY;
#endif
    default:
        return 0;
    }
}

/* A NaN on either side stays. */
INLINE accreal THLoop_(join)(int op, accreal a, accreal b)
{
#ifdef TH_CATEGORY_IS_FLOATING
    if (op == REDUCE_MAXABS || op == REDUCE_MAXIMUM)
        return a >= b || a != a ? a : b;
    if (op == REDUCE_MINABS)
        return a <= b || a != a ? a : b;
#endif
    return op == REDUCE_PROD ? a * b : a + b;
}

INLINE void THLoop_(fold)(int op, int64_t nrows, int64_t width, accreal *lanes,
                          accreal *restrict acc)
{
    const int64_t used = nrows < LANES ? nrows : LANES;
    for (int half = LANES / 2; half; half /= 2) {
        for (int64_t j = 0; j < half && j + half < used; j++) {
            accreal *restrict a = lanes + j * width;
            const accreal *restrict b = lanes + (j + half) * width;
#pragma omp simd
            for (int64_t c = 0; c < width; c++)
                a[c] = THLoop_(join)(op, a[c], b[c]);
        }
    }
    memcpy(acc, lanes, (size_t)width * sizeof(accreal));
}

/* Lines of at most LANES elements, many at a time: element j of each is its lane j. */
INLINE void THLoop_(shortLines)(int op, int64_t nlines, int64_t n, const char *data, int64_t stride,
                                accreal *restrict acc, const THReduceTerm *term)
{
    const accreal *each = term->each;
    accreal lanes[LANES * SHORT_LINES];
    for (int64_t line = 0; line < nlines; line += SHORT_LINES) {
        const int64_t m = nlines - line < SHORT_LINES ? nlines - line : SHORT_LINES;
        for (int64_t i = 0; i < m; i++) {
            const storage_t *x = (const storage_t *)(data + (line + i) * stride);
            const accreal e = each ? each[line + i] : 0;
            for (int64_t j = 0; j < n; j++)
                lanes[j * m + i] = THLoop_(join)(op, THLoop_(identity)(op),
                                                 THLoop_(term)(op, TH_LOAD(x + j), e, term->p));
        }
        THLoop_(fold)(op, n, m, lanes, acc + line);
    }
}

/* Adds n (a constant) elements to as many lanes. */
INLINE void THLoop_(part)(int op, int n, const storage_t *restrict x, accreal *restrict lane,
                          accreal e, double p)
{
#pragma omp simd
    for (int j = 0; j < n; j++)
        lane[j] = THLoop_(join)(op, lane[j], THLoop_(term)(op, TH_LOAD(x + j), e, p));
}

/* What lies `ahead` bytes from x, for loops that take a cache line in each step. */
INLINE void THLoop_(prefetch)(const storage_t *x, int64_t ahead)
{
    if (LANES * sizeof(storage_t) == 64)
        __builtin_prefetch((const void *)((uintptr_t)x + (uintptr_t)ahead));
}

/* The last n < LANES elements, by the bits of n. */
INLINE void THLoop_(tail)(int op, int64_t n, const storage_t *x, accreal *lane, accreal e, double p)
{
    if (n & 8)
        THLoop_(part)(op, 8, x, lane, e, p);
    if (n & 4)
        THLoop_(part)(op, 4, x + (n & 8), lane + (n & 8), e, p);
    if (n & 2)
        THLoop_(part)(op, 2, x + (n & 12), lane + (n & 12), e, p);
    if (n & 1)
        THLoop_(part)(op, 1, x + n - 1, lane + n - 1, e, p);
}

/* The lanes folded by halves. */
INLINE accreal THLoop_(foldLine)(int op, accreal *lane)
{
#pragma omp simd
    for (int j = 0; j < 8; j++)
        lane[j] = THLoop_(join)(op, lane[j], lane[j + 8]);
#pragma omp simd
    for (int j = 0; j < 4; j++)
        lane[j] = THLoop_(join)(op, lane[j], lane[j + 4]);
    const accreal even = THLoop_(join)(op, lane[0], lane[2]);
    const accreal odd = THLoop_(join)(op, lane[1], lane[3]);
    return THLoop_(join)(op, even, odd);
}

INLINE void THLoop_(lines)(int op, int64_t nlines, int64_t n, const char *data, int64_t stride,
                           accreal *restrict acc, const THReduceTerm *term)
{
    const accreal *each = term->each;
    if (n > 0 && n <= LANES && nlines > 1) {
        THLoop_(shortLines)(op, nlines, n, data, stride, acc, term);
        return;
    }
    for (int64_t line = 0; line < nlines; line++) {
        const storage_t *restrict x = (const storage_t *)(data + line * stride);
        const accreal e = each ? each[line] : 0;
        accreal lane[LANES];
        for (int j = 0; j < LANES; j++)
            lane[j] = THLoop_(identity)(op);
        const int64_t ahead = n == TH_REDUCE_CHUNK ? AHEAD : 0;
        int64_t i = 0;
        for (; i + LANES <= n; i += LANES) {
            THLoop_(prefetch)(x + i, ahead);
            THLoop_(part)(op, LANES, x + i, lane, e, term->p);
        }
        if (i < n)
            THLoop_(tail)(op, n - i, x + i, lane, e, term->p);
        acc[line] = THLoop_(foldLine)(op, lane);
    }
}

/* `nrows` (a constant) rows of one lane, so that its accumulators are read and written once for
 * them. */
INLINE void THLoop_(lane)(int op, bool fresh, int nrows, int64_t width,
                          const storage_t *const *rows, accreal *restrict acc,
                          const accreal *restrict each, double p)
{
#pragma omp simd
    for (int64_t c = 0; c < width; c++) {
        const accreal e = each ? each[c] : 0;
        accreal a = fresh ? THLoop_(identity)(op) : acc[c];
#pragma GCC unroll 8 /* LANE_ROWS; else not below -O3 */
        for (int r = 0; r < nrows; r++)
            a = THLoop_(join)(op, a, THLoop_(term)(op, TH_LOAD(rows[r] + c), e, p));
        acc[c] = a;
    }
}

INLINE void THLoop_(rows)(int op, int64_t nrows, int64_t width, const void *const *rows,
                          int64_t first, accreal *lanes, const THReduceTerm *term)
{
    for (int64_t j = 0; j < nrows && j < LANES; j++) {
        accreal *acc = lanes + j * width;
        const int n = (int)((nrows - j + LANES - 1) / LANES);
        const storage_t *r[LANE_ROWS];
        for (int i = 0; i < LANE_ROWS; i++)
            r[i] = rows[i < n ? j + i * LANES : j];
        if (n == LANE_ROWS && first == 0)
            THLoop_(lane)(op, true, LANE_ROWS, width, r, acc, term->each, term->p);
        else if (n == LANE_ROWS)
            THLoop_(lane)(op, false, LANE_ROWS, width, r, acc, term->each, term->p);
        for (int i = 0; i < n && n < LANE_ROWS; i++) {
            if (first == 0 && i == 0)
                THLoop_(lane)(op, true, 1, width, r + i, acc, term->each, term->p);
            else
                THLoop_(lane)(op, false, 1, width, r + i, acc, term->each, term->p);
        }
    }
}

INLINE void THLoop_(combine)(int op, int64_t n, accreal *restrict acc, const accreal *restrict next)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        acc[i] = THLoop_(join)(op, acc[i], next[i]);
}

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
_Static_assert(TH_REDUCE_CHUNK / 64 <= UINT8_MAX && TH_REDUCE_ROWS <= UINT8_MAX,
               "a count of bytes holds what it gets");

static void THLoop_(nonzero_lines)(int64_t nlines, int64_t n, const void *data, int64_t stride,
                                   void *accumulators, const THReduceTerm *term)
{
    accreal *acc = accumulators;
    (void)term;
    for (int64_t line = 0; line < nlines; line++) {
        const storage_t *restrict x =
            (const storage_t *)(const void *)((const char *)data + line * stride);
        THLoop_(Counts) lanes = {0};
        int64_t i = 0, count = 0;
        for (; i + COUNTS <= n; i += COUNTS) {
            THLoop_(Elements) v;
            __builtin_prefetch((const void *)((uintptr_t)(x + i) + AHEAD));
            memcpy(&v, x + i, sizeof v);
            lanes -= (THLoop_(Counts))(v != 0); /* true is -1 */
        }
        for (int j = 0; j < COUNTS; j++)
            count += (int64_t)lanes[j];
        for (; i < n; i++)
            count += TH_LOAD(x + i) != 0;
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
    THLoop_(combine)(REDUCE_NONZERO, n, acc, next);
}
#undef COUNTS
#undef count_t

#define LOOPS(name, fold)                           \
    TH_REDUCE_DECLARE(THLoop_(name##Loops));        \
    const THReduceLoops THLoop_(name##Loops)[1] = { \
        {THLoop_(name##_lines), THLoop_(name##_rows), THLoop_(fold), THLoop_(name##_combine)}};
#define REDUCE(name, op)                                                                        \
    static void THLoop_(name##_lines)(int64_t nlines, int64_t n, const void *x, int64_t stride, \
                                      void *acc, const THReduceTerm *term)                      \
    {                                                                                           \
        THLoop_(lines)(op, nlines, n, x, stride, acc, term);                                    \
    }                                                                                           \
    static void THLoop_(name##_rows)(int64_t nrows, int64_t width, const void *const *rows,     \
                                     int64_t first, void *lanes, const THReduceTerm *term)      \
    {                                                                                           \
        THLoop_(rows)(op, nrows, width, rows, first, lanes, term);                              \
    }                                                                                           \
    static void THLoop_(name##_fold)(int64_t nrows, int64_t width, void *lanes, void *acc)      \
    {                                                                                           \
        THLoop_(fold)(op, nrows, width, lanes, acc);                                            \
    }                                                                                           \
    static void THLoop_(name##_combine)(int64_t n, void *acc, const void *next, int64_t first)  \
    {                                                                                           \
        (void)first;                                                                            \
        THLoop_(combine)(op, n, acc, next);                                                     \
    }                                                                                           \
    LOOPS(name, name##_fold)

REDUCE(sum, REDUCE_SUM)
REDUCE(prod, REDUCE_PROD)
LOOPS(nonzero, nonzero_fold)
#ifdef TH_CATEGORY_IS_FLOATING
REDUCE(squares, REDUCE_SQUARES)
REDUCE(abs, REDUCE_ABS)
REDUCE(power, REDUCE_POWER)
REDUCE(maxabs, REDUCE_MAXABS)
REDUCE(minabs, REDUCE_MINABS)
REDUCE(maximum, REDUCE_MAXIMUM)
REDUCE(exp, REDUCE_EXP)
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
INLINE bool THLoop_(better)(int op, scalar_t x, scalar_t best)
{
#ifdef TH_CATEGORY_IS_FLOATING
    return (op == REDUCE_ARGMAX ? !(x <= best) : !(x >= best)) & (best == best);
#else
    return op == REDUCE_ARGMAX ? x > best : x < best;
#endif
}

/* The first place of `value` among n elements, where it is; of NaN if `nan`. */
INLINE int64_t THLoop_(find)(int64_t n, const storage_t *restrict x, scalar_t value, bool nan)
{
    int64_t at = 0;
    for (; at + WIDE <= n; at += WIDE) {
        int found = 0;
#pragma omp simd reduction(| : found)
        for (int j = 0; j < WIDE; j++) {
            const scalar_t v = TH_LOAD(x + at + j);
            found |= nan ? v != v : v == value;
        }
        if (found)
            break;
    }
    while (nan ? TH_LOAD(x + at) == TH_LOAD(x + at) : TH_LOAD(x + at) != value)
        at++;
    return at;
}

/* Of few elements, one after the other. */
INLINE void THLoop_(extremeOfFew)(int op, int64_t n, const storage_t *restrict x,
                                  THReduceExtreme *acc)
{
    scalar_t best = TH_LOAD(x);
    int64_t at = 0;
    for (int64_t i = 1; i < n; i++) {
        const scalar_t v = TH_LOAD(x + i);
        if (THLoop_(better)(op, v, best)) {
            best = v;
            at = i;
        }
    }
    acc->index = at;
    acc->value.EXTREME_VALUE = best;
}

/* The extreme of a line, then where it first occurs, unless the value alone is asked for. */
INLINE void THLoop_(extremeLine)(int op, bool valueOnly, int64_t n, const storage_t *restrict x,
                                 THReduceExtreme *acc)
{
    const scalar_t start = TH_LOAD(x);
    scalar_t best[WIDE];
    scalar_t unordered[WIDE]; /* not 0 where NaN was */
    for (int j = 0; j < WIDE; j++) {
        best[j] = start;
        unordered[j] = 0;
    }
    const int64_t ahead = n == TH_REDUCE_CHUNK ? AHEAD : 0;
    for (int64_t i = 0; i < n; i += WIDE) {
        const storage_t *restrict v = x + (i < n - WIDE ? i : n - WIDE); /* some are seen twice */
        for (int j = 0; j < WIDE; j += LANES)
            THLoop_(prefetch)(v + j, ahead);
#pragma omp simd
        for (int j = 0; j < WIDE; j++) {
            const scalar_t e = TH_LOAD(v + j);
            best[j] = (op == REDUCE_ARGMAX ? e > best[j] : e < best[j]) ? e : best[j];
            unordered[j] = e == e ? unordered[j] : 1;
        }
    }
    for (int half = WIDE / 2; half; half /= 2) {
#pragma omp simd
        for (int j = 0; j < half; j++) {
            const scalar_t v = best[j + half];
            best[j] = (op == REDUCE_ARGMAX ? v > best[j] : v < best[j]) ? v : best[j];
            unordered[j] += unordered[j + half]; /* at most WIDE */
        }
    }
    const bool nan = unordered[0] != 0;
    const scalar_t last = best[0];
    if (valueOnly && !nan && last != 0) { /* zeros: the first one's sign */
        acc->index = 0;
        acc->value.EXTREME_VALUE = last;
        return;
    }
    acc->index = nan ? THLoop_(find)(n, x, last, true) : THLoop_(find)(n, x, last, false);
    acc->value.EXTREME_VALUE = TH_LOAD(x + acc->index);
}

INLINE void THLoop_(extremeLines)(int op, bool valueOnly, int64_t nlines, int64_t n,
                                  const char *data, int64_t stride, THReduceExtreme *acc)
{
    for (int64_t line = 0; line < nlines; line++) {
        const storage_t *x = (const storage_t *)(data + line * stride);
        if (n < WIDE)
            THLoop_(extremeOfFew)(op, n, x, &acc[line]);
        else
            THLoop_(extremeLine)(op, valueOnly, n, x, &acc[line]);
    }
}

/* Where the indices are in the lanes, behind the values. */
INLINE index_t *THLoop_(indices)(void *lanes, int64_t width)
{
    return (index_t *)(void *)((char *)lanes + width * (int64_t)sizeof(int64_t));
}

INLINE void THLoop_(extremeValues)(int op, int64_t nrows, int64_t width, const void *const *rows,
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
            best[c] = THLoop_(better)(op, v, b) ? v : b;
        }
    }
}

INLINE void THLoop_(extremeRows)(int op, int64_t nrows, int64_t width, const void *const *rows,
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
            a = THLoop_(better)(op, v0, b) ? i : a;
            b = THLoop_(better)(op, v0, b) ? v0 : b;
            a = THLoop_(better)(op, v1, b) ? i + 1 : a;
            b = THLoop_(better)(op, v1, b) ? v1 : b;
            a = THLoop_(better)(op, v2, b) ? i + 2 : a;
            b = THLoop_(better)(op, v2, b) ? v2 : b;
            a = THLoop_(better)(op, v3, b) ? i + 3 : a;
            b = THLoop_(better)(op, v3, b) ? v3 : b;
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
            at[c] = THLoop_(better)(op, v, b) ? i : at[c];
            best[c] = THLoop_(better)(op, v, b) ? v : b;
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

INLINE void THLoop_(extremeCombine)(int op, int64_t n, THReduceExtreme *acc,
                                    const THReduceExtreme *next, int64_t first)
{
    for (int64_t i = 0; i < n; i++) {
        if (THLoop_(better)(op, (scalar_t)next[i].value.EXTREME_VALUE,
                            (scalar_t)acc[i].value.EXTREME_VALUE)) {
            acc[i] = next[i];
            acc[i].index += first;
        }
    }
}

#define EXTREME(name, op)                                                                       \
    static void THLoop_(name##_lines)(int64_t nlines, int64_t n, const void *x, int64_t stride, \
                                      void *acc, const THReduceTerm *term)                      \
    {                                                                                           \
        THLoop_(extremeLines)(op, term->p != 0, nlines, n, x, stride, acc);                     \
    }                                                                                           \
    static void THLoop_(name##_rows)(int64_t nrows, int64_t width, const void *const *rows,     \
                                     int64_t first, void *lanes, const THReduceTerm *term)      \
    {                                                                                           \
        if (term->p != 0)                                                                       \
            THLoop_(extremeValues)(op, nrows, width, rows, first, lanes);                       \
        else                                                                                    \
            THLoop_(extremeRows)(op, nrows, width, rows, first, lanes);                         \
    }                                                                                           \
    static void THLoop_(name##_combine)(int64_t n, void *acc, const void *next, int64_t first)  \
    {                                                                                           \
        THLoop_(extremeCombine)(op, n, acc, next, first);                                       \
    }                                                                                           \
    LOOPS(name, extremeFold)

EXTREME(argmax, REDUCE_ARGMAX)
EXTREME(argmin, REDUCE_ARGMIN)

#undef LANES
#undef LANE_ROWS
#undef LOOPS
#undef REDUCE
#undef EXTREME
#undef EXTREME_VALUE
#undef index_t

#endif
