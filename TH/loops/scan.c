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

static inline accreal THLoop_(at)(const void *x, int64_t stride, int64_t i)
{
    return TH_LOAD((const storage_t *)(const void *)((const char *)x + i * stride));
}

/* Results of a segment whose running sums are known. */
static inline accreal THLoop_(emit)(int64_t n, const accreal *restrict running,
                                    result_t *restrict results, accreal offset)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        results[i] = (result_t)(offset + running[i]);
    return offset + running[n - 1];
}

static void THLoop_(sumBlock)(int64_t n, const void *x, int64_t stride, void *results,
                              void *offsets)
{
    accreal *const offset = offsets;
    accreal running[TH_SCAN_BLOCK];
    accreal a = 0, b = 0, c = 0, d = 0;
    if (n == TH_SCAN_BLOCK) { /* four chains at once, since each waits for its last addition */
        for (int i = 0; i < TH_SCAN_SEGMENT; i++) {
            running[i] = a += THLoop_(at)(x, stride, i);
            running[TH_SCAN_SEGMENT + i] = b += THLoop_(at)(x, stride, TH_SCAN_SEGMENT + i);
            running[2 * TH_SCAN_SEGMENT + i] = c += THLoop_(at)(x, stride, 2 * TH_SCAN_SEGMENT + i);
            running[3 * TH_SCAN_SEGMENT + i] = d += THLoop_(at)(x, stride, 3 * TH_SCAN_SEGMENT + i);
        }
    } else {
        for (int64_t i = 0; i < n; i++) {
            a = i % TH_SCAN_SEGMENT ? a : 0;
            running[i] = a += THLoop_(at)(x, stride, i);
        }
    }
    for (int64_t i = 0; i < n; i += TH_SCAN_SEGMENT) {
        const int64_t m = n - i < TH_SCAN_SEGMENT ? n - i : TH_SCAN_SEGMENT;
        *offset = THLoop_(emit)(m, running + i, (result_t *)results + i, *offset);
    }
}

static void THLoop_(sumLines)(int64_t n, const void *const *x, int64_t stride, void *const *results,
                              void *offsets)
{
    result_t *restrict r0 = results[0], *restrict r1 = results[1];
    result_t *restrict r2 = results[2], *restrict r3 = results[3];
    accreal *const offset = offsets;
    accreal a = 0, b = 0, c = 0, d = 0;
    for (int64_t i = 0; i < n; i++) {
        r0[i] = (result_t)(offset[0] + (a += THLoop_(at)(x[0], stride, i)));
        r1[i] = (result_t)(offset[1] + (b += THLoop_(at)(x[1], stride, i)));
        r2[i] = (result_t)(offset[2] + (c += THLoop_(at)(x[2], stride, i)));
        r3[i] = (result_t)(offset[3] + (d += THLoop_(at)(x[3], stride, i)));
    }
    offset[0] += a, offset[1] += b, offset[2] += c, offset[3] += d;
}

static void THLoop_(sumTotals)(int64_t n, const void *x, int64_t stride, void *result)
{
    accreal *totals = result;
    accreal a = 0, b = 0, c = 0, d = 0;
    if (n == TH_SCAN_BLOCK) {
        for (int i = 0; i < TH_SCAN_SEGMENT; i++) {
            a += THLoop_(at)(x, stride, i);
            b += THLoop_(at)(x, stride, TH_SCAN_SEGMENT + i);
            c += THLoop_(at)(x, stride, 2 * TH_SCAN_SEGMENT + i);
            d += THLoop_(at)(x, stride, 3 * TH_SCAN_SEGMENT + i);
        }
        totals[0] = a, totals[1] = b, totals[2] = c, totals[3] = d;
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        a = i % TH_SCAN_SEGMENT ? a : 0;
        totals[i / TH_SCAN_SEGMENT] = a += THLoop_(at)(x, stride, i);
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

static void THLoop_(prodBlock)(int64_t n, const void *x, int64_t stride, void *result, void *offset)
{
    result_t *restrict results = result;
    accreal running = *(accreal *)offset;
    for (int64_t i = 0; i < n; i++)
        results[i] = (result_t)(running *= THLoop_(at)(x, stride, i));
    *(accreal *)offset = running;
}

static void THLoop_(prodLines)(int64_t n, const void *const *x, int64_t stride,
                               void *const *results, void *offsets)
{
    result_t *restrict r0 = results[0], *restrict r1 = results[1];
    result_t *restrict r2 = results[2], *restrict r3 = results[3];
    accreal *const running = offsets;
    accreal a = running[0], b = running[1], c = running[2], d = running[3];
    for (int64_t i = 0; i < n; i++) {
        r0[i] = (result_t)(a *= THLoop_(at)(x[0], stride, i));
        r1[i] = (result_t)(b *= THLoop_(at)(x[1], stride, i));
        r2[i] = (result_t)(c *= THLoop_(at)(x[2], stride, i));
        r3[i] = (result_t)(d *= THLoop_(at)(x[3], stride, i));
    }
    running[0] = a, running[1] = b, running[2] = c, running[3] = d;
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
    [TH_SCAN_SUM] = {TOTAL(0), THLoop_(sumBlock), THLoop_(sumLines), THLoop_(sumTotals),
                     THLoop_(sumJoin), THLoop_(sumRow)},
    [TH_SCAN_PROD] = {TOTAL(1), THLoop_(prodBlock), THLoop_(prodLines), NULL, NULL,
                      THLoop_(prodRow)},
};

#undef TOTAL
#undef result_t

#endif
