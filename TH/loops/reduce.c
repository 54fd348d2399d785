/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of the reductions that are not in sums.c; THReduction.h says what each must do. An op
 * is a constant argument of the inlined functions below, which gives every op loops of its own. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/THMath.h>
#include <TH/ops/THReduction.h>
#include <math.h>

#define LANES 16     /* of a line */
#define SMALL_SUM 64 /* elements of a line of small integers that are worth sums of their own */
#define PADDED 8     /* elements of a register, of which powers are made */
#define COLUMNS 512  /* whose powers are made at a time, or to which few rows are added */
#define INLINE static inline __attribute__((always_inline))

TH_REDUCE_DECLARE(TH_CONCAT_2(th_sumLoops_Double_, TH_ISA));
#define SUMS (TH_CONCAT_2(th_sumLoops_Double_, TH_ISA))

/* What is done. The first two are for integers, the others for floating point. */
enum {
    REDUCE_SUM,
    REDUCE_PROD,
    REDUCE_MAXABS,
    REDUCE_MINABS,
};

TH_REDUCE_RAISE_DECLARE(TH_ISA_(th_raise));
void TH_ISA_(th_raise)(int64_t n, double *numbers, double power)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        numbers[i] = THDouble_pow(numbers[i], power);
}

#define TH_GENERIC_FILE "TH/loops/reduce.c"
#include <TH/THGenerateLoopTypes.h>

#elif !defined(TH_REAL_IS_BOOL)

INLINE accreal THLoop_(identity)(int op)
{
    switch (op) {
    case REDUCE_PROD:
        return 1;
#ifdef TH_CATEGORY_IS_FLOATING
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
    if (op == REDUCE_MAXABS)
        return (a >= b) | (a != a) ? a : b;
    if (op == REDUCE_MINABS)
        return (a <= b) | (a != a) ? a : b;
#endif
    return op == REDUCE_PROD ? a * b : a + b;
}

/* Adds an element to each lane. */
INLINE void THLoop_(part)(int op, const storage_t *restrict x, accreal *restrict lane)
{
#pragma omp simd
    for (int j = 0; j < LANES; j++)
        lane[j] = THLoop_(join)(op, lane[j], (accreal)TH_LOAD(x + j));
}

/* What lies `ahead` bytes from x, for loops that take a cache line in each step; with 8-byte
 * elements there was nothing to gain. */
INLINE void THLoop_(prefetch)(const storage_t *x, int64_t ahead)
{
    if (LANES * sizeof(storage_t) == 64)
        __builtin_prefetch((const void *)((uintptr_t)x + (uintptr_t)ahead));
}

#ifdef TH_CATEGORY_IS_FLOATING
/* Bits of |x| have the order of its values, and those of NaN are above all. So extremes are the
 * most of integers: of these bits, or of what is left of a number less them, which wraps for NaN.
 */
#ifdef TH_REAL_IS_DOUBLE
typedef int64_t THLoop_(Key) __attribute__((may_alias));
#define LEAST_KEY INT64_MIN
#define INFINITE_BITS (INT64_C(0x7ff) << 52)
#else
typedef int32_t THLoop_(Key) __attribute__((may_alias));
#define LEAST_KEY INT32_MIN
#define INFINITE_BITS (INT32_C(0xff) << 23)
#endif

INLINE THLoop_(Key) THLoop_(key)(int op, const THLoop_(Key) * x)
{
    const THLoop_(Key) bits = *x & ~LEAST_KEY;
    return op == REDUCE_MAXABS ? bits : LEAST_KEY + INFINITE_BITS - bits;
}

INLINE accreal THLoop_(keyed)(int op, THLoop_(Key) key)
{
    const THLoop_(Key) bits = op == REDUCE_MAXABS ? key : LEAST_KEY + INFINITE_BITS - key;
    scalar_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Of n (a constant) elements. */
INLINE accreal THLoop_(extremeOf)(int op, int n, const storage_t *x)
{
    const THLoop_(Key) *keys = (const THLoop_(Key) *)x;
    THLoop_(Key) most = THLoop_(key)(op, keys);
#pragma GCC unroll 16
    for (int i = 1; i < n; i++) {
        const THLoop_(Key) key = THLoop_(key)(op, keys + i);
        most = key > most ? key : most;
    }
    return THLoop_(keyed)(op, most);
}

INLINE accreal THLoop_(extremeOfLine)(int op, int64_t n, const storage_t *x, int64_t ahead)
{
    const THLoop_(Key) *keys = (const THLoop_(Key) *)x;
    THLoop_(Key) lane[LANES], most = op == REDUCE_MAXABS ? 0 : LEAST_KEY;
    int64_t i = 0;
    for (int j = 0; j < LANES; j++)
        lane[j] = most;
    for (; i + LANES <= n; i += LANES) {
        THLoop_(prefetch)(x + i, ahead);
#pragma omp simd
        for (int j = 0; j < LANES; j++) {
            const THLoop_(Key) key = THLoop_(key)(op, keys + i + j);
            lane[j] = key > lane[j] ? key : lane[j];
        }
    }
#pragma omp simd reduction(max : most)
    for (int j = 0; j < LANES; j++)
        most = lane[j] > most ? lane[j] : most;
    for (; i < n; i++) {
        const THLoop_(Key) key = THLoop_(key)(op, keys + i);
        most = key > most ? key : most;
    }
    return THLoop_(keyed)(op, most);
}

/* The extremes of `nrows` (a constant) rows and of what was before. */
INLINE void THLoop_(extremeOfStrip)(int op, int nrows, int64_t width, const storage_t *const *rows,
                                    accreal *restrict acc)
{
#pragma omp simd
    for (int64_t c = 0; c < width; c++) {
        THLoop_(Key) most = THLoop_(key)(op, (const THLoop_(Key) *)rows[0] + c);
#pragma GCC unroll 8
        for (int r = 1; r < nrows; r++) {
            const THLoop_(Key) key = THLoop_(key)(op, (const THLoop_(Key) *)rows[r] + c);
            most = key > most ? key : most;
        }
        acc[c] = THLoop_(join)(op, acc[c], THLoop_(keyed)(op, most));
    }
}
#undef LEAST_KEY
#undef INFINITE_BITS
#endif

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

/* Of integers of at most 16 bits, in 32 bits, which have room for the sum of a chunk. */
INLINE accreal THLoop_(sumOfSmall)(int64_t n, const storage_t *restrict x)
{
    int32_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < n; i++)
        sum += (int32_t)TH_LOAD(x + i);
    return (accreal)sum;
}

/* The same of 8 bytes to SMALL_SUM elements, in words: elements, from 0 upwards, are added in parts
 * of twice their width, every second one by itself. The last word ends where the line does. */
INLINE accreal THLoop_(sumOfWords)(int64_t n, const storage_t *x)
{
    const int size = sizeof *x < 2 ? 1 : 2, part = 16 * size;
    const uint64_t ones = ~UINT64_C(0) / (~UINT64_C(0) >> (64 - part));
    const uint64_t low = ones * (~UINT64_C(0) >> (64 - part / 2));
    const int64_t least = (storage_t)~0 > (storage_t)0 ? 0 : INT64_C(1) << (8 * size - 1);
    const uint64_t flip = (uint64_t)least * (ones | ones << part / 2);
    const int64_t bytes = n * size;
    const char *at = (const char *)x, *const last = at + bytes - 8;
    uint64_t word, sum = 0;
    for (; at < last; at += 8) {
        memcpy(&word, at, 8);
        word ^= flip;
        sum += (word & low) + (word >> part / 2 & low);
        __asm__("" : "+r"(sum)); /* too few for vectors */
    }
    memcpy(&word, last, 8);
    word = (word ^ flip) >> 8 * (at - last);
    sum += (word & low) + (word >> part / 2 & low);
    return (accreal)(sum * ones >> (64 - part)) - n * least;
}

/* Of how many elements such lines are: what vectors are shuffled for. */
#define IS_SHORT(n)                                                                          \
    ((n) == 2 || (n) == 3 || (n) == 4 || (sizeof(storage_t) >= 4 && (n) >= 5 && (n) <= 8) || \
     (sizeof(storage_t) == 8 && (n) == 16))

/* Lines of n (a constant) elements, which lie one after the other, in vectors of lines. */
INLINE void THLoop_(shortLines)(int op, int n, int64_t nlines, const storage_t *restrict x,
                                accreal *restrict acc)
{
#pragma omp simd
    for (int64_t line = 0; line < nlines; line++) {
#ifdef TH_CATEGORY_IS_FLOATING
        acc[line] = THLoop_(extremeOf)(op, n, x + line * n);
#else
        accreal a = (accreal)TH_LOAD(x + line * n);
#pragma GCC unroll 16
        for (int i = 1; i < n; i++)
            a = THLoop_(join)(op, a, (accreal)TH_LOAD(x + line * n + i));
        acc[line] = a;
#endif
    }
}

#define SHORT_LINES(n)                                                        \
    case n:                                                                   \
        if (IS_SHORT(n))                                                      \
            THLoop_(shortLines)(op, n, nlines, (const storage_t *)data, acc); \
        break;

INLINE void THLoop_(lines)(int op, int64_t nlines, int64_t n, const char *data, int64_t stride,
                           accreal *restrict acc, const THReduceTerm *term)
{
    const int64_t size = (int64_t)sizeof(storage_t), next = stride == n * size ? n : 0;
    if (IS_SHORT(next)) {
        switch (n) {
            SHORT_LINES(2)
            SHORT_LINES(3)
            SHORT_LINES(4)
            SHORT_LINES(5)
            SHORT_LINES(6)
            SHORT_LINES(7)
            SHORT_LINES(8)
            SHORT_LINES(16)
        }
        return;
    }
    for (int64_t line = 0; line < nlines; line++) {
        const storage_t *restrict x = (const storage_t *)(data + line * stride);
        const int64_t ahead = THReduceTerm_ahead(term, size, (nlines - 1 - line) * next);
        if (op == REDUCE_SUM && sizeof *x <= 2 && n >= SMALL_SUM) {
            acc[line] = THLoop_(sumOfSmall)(n, x);
            continue;
        }
        if (op == REDUCE_SUM && sizeof *x <= 2 && n * size >= 8) {
            acc[line] = THLoop_(sumOfWords)(n, x);
            continue;
        }
#ifdef TH_CATEGORY_IS_FLOATING
        acc[line] = THLoop_(extremeOfLine)(op, n, x, ahead);
#else
        accreal lane[LANES], sum = THLoop_(identity)(op), rest = sum;
        int64_t i = 0;
        if (n >= LANES) {
            for (int j = 0; j < LANES; j++)
                lane[j] = THLoop_(identity)(op);
            for (; i + LANES <= n; i += LANES) {
                THLoop_(prefetch)(x + i, ahead);
                THLoop_(part)(op, x + i, lane);
            }
            sum = THLoop_(foldLine)(op, lane);
        }
        for (; i < n; i++)
            rest = THLoop_(join)(op, rest, (accreal)TH_LOAD(x + i));
        acc[line] = THLoop_(join)(op, sum, rest);
#endif
    }
}

#if defined(TH_REAL_IS_LONG)
#define SUM_OF_EVERY_SECOND THLoop_(sumOfEverySecond)
/* In lanes of all elements, of which every second one is left out: that takes as long as reading
 * does, and side by side elements are read from far memory twice as slowly. */
static void THLoop_(sumOfEverySecond)(int64_t nlines, int64_t n, const void *data, int64_t stride,
                                      void *acc, const THReduceTerm *term)
{
    const int64_t size = 2 * (int64_t)sizeof(storage_t), next = stride == n * size ? n : 0;
    for (int64_t line = 0; line < nlines; line++) {
        const storage_t *restrict x =
            (const storage_t *)(const void *)((const char *)data + line * stride);
        const int64_t ahead = THReduceTerm_ahead(term, size, (nlines - 1 - line) * next);
        accreal lane[LANES] = {0}, sum = 0;
        int64_t i = 0;
        for (; i + LANES < 2 * n; i += LANES) {
            for (int j = 0; ahead && j < LANES; j += 8)
                __builtin_prefetch((const void *)((uintptr_t)(x + i + j) + (uintptr_t)ahead));
            THLoop_(part)(REDUCE_SUM, x + i, lane);
        }
        for (int j = 0; j < LANES; j += 2)
            sum += lane[j];
        for (; i < 2 * n; i += 2)
            sum += TH_LOAD(x + i);
        ((accreal *)acc)[line] = sum;
    }
}
#else
#define SUM_OF_EVERY_SECOND NULL
#endif

INLINE void THLoop_(combine)(int op, int64_t n, accreal *restrict acc, const accreal *restrict next)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        acc[i] = THLoop_(join)(op, acc[i], next[i]);
}

/* Adds `nrows` (a constant) rows. */
INLINE void THLoop_(strip)(int op, int nrows, int64_t width, const storage_t *const *rows,
                           accreal *restrict acc)
{
#pragma omp simd
    for (int64_t c = 0; c < width; c++) {
        accreal a = (accreal)TH_LOAD(rows[0] + c);
#pragma GCC unroll 8 /* else not below -O3 */
        for (int r = 1; r < nrows; r++)
            a = THLoop_(join)(op, a, (accreal)TH_LOAD(rows[r] + c));
        acc[c] = THLoop_(join)(op, acc[c], a);
    }
}

/* The same for the sum of 8 rows of small integers, in 32 bits. */
INLINE void THLoop_(stripOfSmall)(int64_t width, const storage_t *const *rows,
                                  accreal *restrict acc)
{
#pragma omp simd
    for (int64_t c = 0; c < width; c++) {
        int32_t a = 0;
#pragma GCC unroll 8
        for (int r = 0; r < 8; r++)
            a += (int32_t)TH_LOAD(rows[r] + c);
        acc[c] += a;
    }
}

#ifndef TH_CATEGORY_IS_FLOATING
#define STRIP(n)                                    \
    case n:                                         \
        THLoop_(strip)(op, n, columns, x, acc + c); \
        break;

/* Less than 8 rows of far memory, some columns at a time, whose sums stay in the first cache. */
INLINE void THLoop_(fewRows)(int op, int64_t nrows, int64_t width, const storage_t *const *rows,
                             bool fresh, accreal *restrict acc)
{
    for (int64_t c = 0; c < width; c += COLUMNS) {
        const int64_t columns = width - c < COLUMNS ? width - c : COLUMNS;
        const storage_t *x[8];
        for (int64_t r = 0; r < nrows; r++)
            x[r] = rows[r] + c;
        for (int64_t i = c; i < c + columns && fresh; i++)
            acc[i] = THLoop_(identity)(op);
        switch (nrows) {
            STRIP(1)
            STRIP(2)
            STRIP(3)
            STRIP(4)
            STRIP(5)
            STRIP(6)
            STRIP(7)
        }
    }
}
#undef STRIP
#endif

INLINE void THLoop_(rows)(int op, int64_t nrows, int64_t width, const void *const *data, bool fresh,
                          accreal *restrict acc, const THReduceTerm *term)
{
    const storage_t *const *rows = (const storage_t *const *)data;
    int64_t row = 0;
#ifdef TH_CATEGORY_IS_FLOATING
    (void)term;
    for (int64_t c = 0; c < width && fresh; c++)
        acc[c] = THLoop_(identity)(op);
    for (; row + 8 <= nrows; row += 8)
        THLoop_(extremeOfStrip)(op, 8, width, rows + row, acc);
    for (; row < nrows; row++)
        THLoop_(extremeOfStrip)(op, 1, width, rows + row, acc);
#else
    for (int64_t c = 0; c < width && fresh && (nrows >= 8 || !term->far); c++)
        acc[c] = THLoop_(identity)(op);
    for (; row + 8 <= nrows && op == REDUCE_SUM && sizeof **rows <= 2; row += 8)
        THLoop_(stripOfSmall)(width, rows + row, acc);
    for (; row + 8 <= nrows; row += 8)
        THLoop_(strip)(op, 8, width, rows + row, acc);
    if (term->far && row < nrows)
        THLoop_(fewRows)(op, nrows - row, width, rows + row, fresh && row == 0, acc);
    for (; row < nrows && !term->far; row++)
        THLoop_(strip)(op, 1, width, rows + row, acc);
#endif
}

#ifdef TH_CATEGORY_IS_FLOATING
#define UNASKED TH_REDUCE_UNASKED
#else
#define UNASKED \
    (sizeof(storage_t) == 8 ? TH_REDUCE_UNASKED_SHORT : (LANES - 1) * (int64_t)sizeof(storage_t))
#endif
#define REDUCE(name, op, second) \
    TH_REDUCE_DEFINE(name, op, THLoop_(lines), THLoop_(rows), THLoop_(combine), second, UNASKED)

#ifdef TH_CATEGORY_IS_FLOATING

/* The powers of n elements, of which PADDED at a time: vector and scalar code may differ. */
static void THLoop_(powers)(int64_t n, const storage_t *x, double p, double *powers)
{
    for (int64_t i = 0; i < n; i++)
        powers[i] = fabs((double)x[i]);
    for (int64_t i = n; i % PADDED; i++)
        powers[i] = 1;
    if (p == 0.5)
        THReduce_scale(n, powers, 1, true);
    else
        TH_ISA_(th_raise)((n + PADDED - 1) / PADDED * PADDED, powers, p);
}

/* Sums of powers are those of doubles, where they are put. */
static void THLoop_(power_lines)(int64_t nlines, int64_t n, const void *x, int64_t stride,
                                 void *acc, const THReduceTerm *term)
{
    const bool adjacent = stride == n * (int64_t)sizeof(storage_t);
    const int64_t most = n > 0 ? TH_REDUCE_CHUNK / n : nlines;
    const THReduceTerm own = {.far = false};
    double powers[TH_REDUCE_CHUNK + PADDED];
    for (int64_t line = 0; line < nlines; line += most) {
        const int64_t count = nlines - line < most ? nlines - line : most;
        const char *from = (const char *)x + line * stride;
        for (int64_t i = 0; i < (adjacent ? 1 : count); i++)
            THLoop_(powers)(adjacent ? count * n : n, (const storage_t *)(from + i * stride),
                            term->p, powers + i * n);
        SUMS->lines(count, n, powers, n * (int64_t)sizeof *powers, (double *)acc + line, &own);
    }
}

static void THLoop_(power_rows)(int64_t nrows, int64_t width, const void *const *data,
                                int64_t first, void *acc, const THReduceTerm *term)
{
    const THReduceTerm own = {.far = false};
    double powers[8][COLUMNS];
    const void *const rows[8] = {powers[0], powers[1], powers[2], powers[3],
                                 powers[4], powers[5], powers[6], powers[7]};
    for (int64_t c = 0; c < width; c += COLUMNS) {
        const int64_t count = width - c < COLUMNS ? width - c : COLUMNS;
        for (int64_t row = 0; row < nrows; row += 8) {
            const int64_t some = nrows - row < 8 ? nrows - row : 8;
            for (int64_t r = 0; r < some; r++)
                THLoop_(powers)(count, (const storage_t *)data[row + r] + c, term->p, powers[r]);
            SUMS->rows(some, count, rows, first + row, (double *)acc + c, &own);
        }
    }
}

static void THLoop_(power_combine)(int64_t n, void *acc, const void *next, int64_t first)
{
    SUMS->combine(n, acc, next, first);
}

TH_REDUCE_DECLARE(THLoop_(powerLoops));
const THReduceLoops THLoop_(powerLoops)[1] = {{THLoop_(power_lines), THLoop_(power_rows), NULL,
                                               THLoop_(power_combine), TH_DTYPE, NULL,
                                               TH_REDUCE_UNASKED}};
REDUCE(maxabs, REDUCE_MAXABS, NULL)
REDUCE(minabs, REDUCE_MINABS, NULL)
#else
REDUCE(sum, REDUCE_SUM, SUM_OF_EVERY_SECOND)
#if defined(TH_REAL_IS_INT) || defined(TH_REAL_IS_LONG) /* others are converted */
REDUCE(prod, REDUCE_PROD, NULL)
#endif
#endif

#undef REDUCE
#undef UNASKED
#undef SUM_OF_EVERY_SECOND
#undef SHORT_LINES
#undef IS_SHORT

#endif
