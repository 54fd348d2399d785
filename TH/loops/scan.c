/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of cumulative sums and products; THScanning.h says what each must do. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/ops/THScanning.h>

#define INLINE static inline __attribute__((always_inline))

#define TH_GENERIC_FILE "TH/loops/scan.c"
#include <TH/THGenerateLoopTypes.h>

#else

#ifdef TH_CATEGORY_IS_FLOATING
#define result_t scalar_t
#define TOTAL(value) {.d = (value)}
#else
#define result_t int64_t
#define TOTAL(value) {.l = (value)}
#endif

INLINE accreal THLoop_(join)(int op, accreal a, accreal b)
{
    return op == TH_SCAN_PROD ? a * b : a + b;
}

INLINE accreal THLoop_(identity)(int op)
{
    return op == TH_SCAN_PROD ? 1 : 0;
}

/* Results of a segment whose running totals are known. */
INLINE accreal THLoop_(emit)(int op, int64_t n, const accreal *restrict running,
                             result_t *restrict results, accreal offset)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        results[i] = (result_t)THLoop_(join)(op, offset, running[i]);
    return THLoop_(join)(op, offset, running[n - 1]);
}

INLINE void THLoop_(block)(int op, int64_t n, const storage_t *restrict x, result_t *results,
                           accreal *offset)
{
    accreal running[TH_SCAN_BLOCK];
    accreal a = THLoop_(identity)(op), b = a, c = a, d = a;
    if (n == TH_SCAN_BLOCK) { /* four chains at once, since each waits for its last addition */
        for (int i = 0; i < TH_SCAN_SEGMENT; i++) {
            running[i] = a = THLoop_(join)(op, a, TH_LOAD(x + i));
            running[TH_SCAN_SEGMENT + i] = b =
                THLoop_(join)(op, b, TH_LOAD(x + TH_SCAN_SEGMENT + i));
            running[2 * TH_SCAN_SEGMENT + i] = c =
                THLoop_(join)(op, c, TH_LOAD(x + 2 * TH_SCAN_SEGMENT + i));
            running[3 * TH_SCAN_SEGMENT + i] = d =
                THLoop_(join)(op, d, TH_LOAD(x + 3 * TH_SCAN_SEGMENT + i));
        }
    } else {
        for (int64_t i = 0; i < n; i++) {
            a = i % TH_SCAN_SEGMENT ? a : THLoop_(identity)(op);
            running[i] = a = THLoop_(join)(op, a, TH_LOAD(x + i));
        }
    }
    for (int64_t i = 0; i < n; i += TH_SCAN_SEGMENT) {
        const int64_t m = n - i < TH_SCAN_SEGMENT ? n - i : TH_SCAN_SEGMENT;
        *offset = THLoop_(emit)(op, m, running + i, results + i, *offset);
    }
}

INLINE void THLoop_(totals)(int op, int64_t n, const storage_t *restrict x, accreal *totals)
{
    accreal a = THLoop_(identity)(op), b = a, c = a, d = a;
    if (n == TH_SCAN_BLOCK) {
        for (int i = 0; i < TH_SCAN_SEGMENT; i++) {
            a = THLoop_(join)(op, a, TH_LOAD(x + i));
            b = THLoop_(join)(op, b, TH_LOAD(x + TH_SCAN_SEGMENT + i));
            c = THLoop_(join)(op, c, TH_LOAD(x + 2 * TH_SCAN_SEGMENT + i));
            d = THLoop_(join)(op, d, TH_LOAD(x + 3 * TH_SCAN_SEGMENT + i));
        }
        totals[0] = a, totals[1] = b, totals[2] = c, totals[3] = d;
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        a = i % TH_SCAN_SEGMENT ? a : THLoop_(identity)(op);
        totals[i / TH_SCAN_SEGMENT] = a = THLoop_(join)(op, a, TH_LOAD(x + i));
    }
}

INLINE void THLoop_(row)(int op, int64_t width, int64_t index, const storage_t *restrict x,
                         result_t *restrict results, accreal *restrict running,
                         accreal *restrict offset)
{
    if (index % TH_SCAN_SEGMENT == 0) {
        for (int64_t c = 0; c < width; c++) {
            offset[c] = index ? THLoop_(join)(op, offset[c], running[c]) : THLoop_(identity)(op);
            running[c] = THLoop_(identity)(op);
        }
    }
#pragma omp simd
    for (int64_t c = 0; c < width; c++) {
        running[c] = THLoop_(join)(op, running[c], TH_LOAD(x + c));
        results[c] = (result_t)THLoop_(join)(op, offset[c], running[c]);
    }
}

#define SCAN(name, op)                                                                          \
    static void THLoop_(name##_block)(int64_t n, const void *x, void *results, void *offset)    \
    {                                                                                           \
        THLoop_(block)(op, n, x, results, offset);                                              \
    }                                                                                           \
    static void THLoop_(name##_totals)(int64_t n, const void *x, void *totals)                  \
    {                                                                                           \
        THLoop_(totals)(op, n, x, totals);                                                      \
    }                                                                                           \
    static void THLoop_(name##_join)(int64_t n, const void *totals, void *offset)               \
    {                                                                                           \
        for (int64_t i = 0; i < n; i++)                                                         \
            *(accreal *)offset =                                                                \
                THLoop_(join)(op, *(accreal *)offset, ((const accreal *)totals)[i]);            \
    }                                                                                           \
    static void THLoop_(name##_row)(int64_t width, int64_t index, const void *x, void *results, \
                                    void *state)                                                \
    {                                                                                           \
        THLoop_(row)(op, width, index, x, results, state, (accreal *)state + width);            \
    }

SCAN(sum, TH_SCAN_SUM)
SCAN(prod, TH_SCAN_PROD)

TH_SCAN_DECLARE(THLoop_(scan));
const THScanLoops THLoop_(scan)[TH_SCAN_OPS] = {
    [TH_SCAN_SUM] = {TOTAL(0), THLoop_(sum_block), THLoop_(sum_totals), THLoop_(sum_join),
                     THLoop_(sum_row)},
    [TH_SCAN_PROD] = {TOTAL(1), THLoop_(prod_block), THLoop_(prod_totals), THLoop_(prod_join),
                      THLoop_(prod_row)},
};

#undef SCAN
#undef TOTAL
#undef result_t

#endif
