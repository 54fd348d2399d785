/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of cumulative sums and products; THScanning.h says what each must do. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/ops/THScanning.h>

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

/* Results of a segment whose running sums are known. */
static inline accreal THLoop_(emit)(int64_t n, const accreal *restrict running,
                                    result_t *restrict results, accreal offset)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        results[i] = (result_t)(offset + running[i]);
    return offset + running[n - 1];
}

static void THLoop_(sumBlock)(int64_t n, const void *elements, void *results, void *offsets)
{
    const storage_t *restrict x = elements;
    accreal *const offset = offsets;
    accreal running[TH_SCAN_BLOCK];
    accreal a = 0, b = 0, c = 0, d = 0;
    if (n == TH_SCAN_BLOCK) { /* four chains at once, since each waits for its last addition */
        for (int i = 0; i < TH_SCAN_SEGMENT; i++) {
            running[i] = a += TH_LOAD(x + i);
            running[TH_SCAN_SEGMENT + i] = b += TH_LOAD(x + TH_SCAN_SEGMENT + i);
            running[2 * TH_SCAN_SEGMENT + i] = c += TH_LOAD(x + 2 * TH_SCAN_SEGMENT + i);
            running[3 * TH_SCAN_SEGMENT + i] = d += TH_LOAD(x + 3 * TH_SCAN_SEGMENT + i);
        }
    } else {
        for (int64_t i = 0; i < n; i++) {
            a = i % TH_SCAN_SEGMENT ? a : 0;
            running[i] = a += TH_LOAD(x + i);
        }
    }
    for (int64_t i = 0; i < n; i += TH_SCAN_SEGMENT) {
        const int64_t m = n - i < TH_SCAN_SEGMENT ? n - i : TH_SCAN_SEGMENT;
        *offset = THLoop_(emit)(m, running + i, (result_t *)results + i, *offset);
    }
}

static void THLoop_(sumTotals)(int64_t n, const void *elements, void *result)
{
    const storage_t *restrict x = elements;
    accreal *totals = result;
    accreal a = 0, b = 0, c = 0, d = 0;
    if (n == TH_SCAN_BLOCK) {
        for (int i = 0; i < TH_SCAN_SEGMENT; i++) {
            a += TH_LOAD(x + i);
            b += TH_LOAD(x + TH_SCAN_SEGMENT + i);
            c += TH_LOAD(x + 2 * TH_SCAN_SEGMENT + i);
            d += TH_LOAD(x + 3 * TH_SCAN_SEGMENT + i);
        }
        totals[0] = a, totals[1] = b, totals[2] = c, totals[3] = d;
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        a = i % TH_SCAN_SEGMENT ? a : 0;
        totals[i / TH_SCAN_SEGMENT] = a += TH_LOAD(x + i);
    }
}

static void THLoop_(sumJoin)(int64_t n, const void *totals, void *offset)
{
    for (int64_t i = 0; i < n; i++)
        *(accreal *)offset += ((const accreal *)totals)[i];
}

static void THLoop_(sumRow)(int64_t width, int64_t index, const void *elements, void *result,
                            void *state)
{
    const storage_t *restrict x = elements;
    result_t *restrict results = result;
    accreal *restrict running = state;
    accreal *restrict offset = running + width;
    if (index % TH_SCAN_SEGMENT == 0) {
        for (int64_t c = 0; c < width; c++) {
            offset[c] = index ? offset[c] + running[c] : 0;
            running[c] = 0;
        }
    }
#pragma omp simd
    for (int64_t c = 0; c < width; c++) {
        running[c] += TH_LOAD(x + c);
        results[c] = (result_t)(offset[c] + running[c]);
    }
}

static void THLoop_(prodBlock)(int64_t n, const void *elements, void *result, void *offset)
{
    const storage_t *restrict x = elements;
    result_t *restrict results = result;
    accreal running = *(accreal *)offset;
    for (int64_t i = 0; i < n; i++)
        results[i] = (result_t)(running *= TH_LOAD(x + i));
    *(accreal *)offset = running;
}

static void THLoop_(prodRow)(int64_t width, int64_t index, const void *elements, void *result,
                             void *state)
{
    const storage_t *restrict x = elements;
    result_t *restrict results = result;
    accreal *restrict running = state;
#pragma omp simd
    for (int64_t c = 0; c < width; c++) {
        running[c] = (index ? running[c] : 1) * TH_LOAD(x + c);
        results[c] = (result_t)running[c];
    }
}

TH_SCAN_DECLARE(THLoop_(scan));
const THScanLoops THLoop_(scan)[TH_SCAN_OPS] = {
    [TH_SCAN_SUM] = {TOTAL(0), THLoop_(sumBlock), THLoop_(sumTotals), THLoop_(sumJoin),
                     THLoop_(sumRow)},
    [TH_SCAN_PROD] = {TOTAL(1), THLoop_(prodBlock), NULL, NULL, THLoop_(prodRow)},
};

#undef TOTAL
#undef result_t

#endif
