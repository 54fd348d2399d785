/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of cumulative sums and products; THScanning.h says what each must do. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/loops/sums.h>
#include <TH/ops/THScanning.h>

#define STAGED 512 /* results that are converted at once */

/* From the offset and the running total of a segment; products have none. */
#define RESULT(name, offset, running) RESULT_##name(offset, running)
#define RESULT_sum(offset, running) ((offset) + (running))
#define RESULT_prod(offset, running) (running)

/* Each lane with those before it. */
TH_INLINE THSumsBits runningSums(THSumsBits v)
{
    const THSumsBits none = {0};
#if TH_SUMS == 8
    v += TH_SUMS_SHUFFLE(none, v, 0, 8, 9, 10, 11, 12, 13, 14);
    v += TH_SUMS_SHUFFLE(none, v, 0, 0, 8, 9, 10, 11, 12, 13);
    v += TH_SUMS_SHUFFLE(none, v, 0, 0, 0, 0, 8, 9, 10, 11);
#elif TH_SUMS == 4
    v += TH_SUMS_SHUFFLE(none, v, 0, 4, 5, 6);
    v += TH_SUMS_SHUFFLE(none, v, 0, 0, 4, 5);
#else
    v += TH_SUMS_SHUFFLE(none, v, 0, 2);
#endif
    return v;
}

/* The last lane in each. */
TH_INLINE THSumsBits lastOf(THSumsBits v)
{
#if TH_SUMS == 8
    return TH_SUMS_SHUFFLE(v, v, 7, 7, 7, 7, 7, 7, 7, 7);
#elif TH_SUMS == 4
    return TH_SUMS_SHUFFLE(v, v, 3, 3, 3, 3);
#else
    return TH_SUMS_SHUFFLE(v, v, 1, 1);
#endif
}

#define TH_GENERIC_FILE "TH/loops/scan.c"
#include <TH/THGenerateDoubleType.h>
#include <TH/THGenerateFloatType.h>
#include <TH/THGenerateIntType.h>
#include <TH/THGenerateLongType.h>
#undef TH_GENERIC_FILE

#else

#ifdef TH_CATEGORY_IS_FLOATING
#define result_t scalar_t
#define lanes_t THSums
#define TOTAL(value) {.d = (value)}
#else
#define result_t int64_t
#define lanes_t THSumsBits
#define TOTAL(value) {.l = (value)}
#endif

#define ITEM ((int64_t)sizeof(storage_t))
#define RESULT_ITEM ((int64_t)sizeof(result_t))

static inline accreal THLoop_(at)(const void *x, int64_t stride, int64_t i)
{
    return TH_LOAD((const storage_t *)(const void *)((const char *)x + i * stride));
}

/* n <= TH_SUMS elements in the lanes of a register, and results from them. */
TH_INLINE lanes_t THLoop_(lanesAt)(const void *x, int n)
{
#if defined(TH_REAL_IS_FLOAT)
    return n == TH_SUMS ? THSums_ofFloat(x) : THSums_someOfFloat(x, n);
#elif defined(TH_REAL_IS_INT)
    return n == TH_SUMS ? THSums_ofInt(x) : THSums_someOfInt(x, n);
#else
    return (lanes_t)(n == TH_SUMS ? THSums_ofDouble(x) : THSums_someOfDouble(x, n));
#endif
}

TH_INLINE void THLoop_(putLanes)(void *to, lanes_t v, int n)
{
#if defined(TH_REAL_IS_FLOAT)
    if (n == TH_SUMS)
        THSums_toFloat(to, v);
    else
        THSums_someToFloat(to, v, n);
#else
    if (n == TH_SUMS)
        memcpy(to, &v, sizeof v);
    else
        THSums_someToDouble(to, (THSums)v, n);
#endif
}

#ifdef TH_CATEGORY_IS_FLOATING

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

#else

/* Whole numbers, in any order: a register at a time. */
static int64_t THLoop_(sumLine)(int64_t n, const void *x, int64_t stride, int64_t *results,
                                int64_t offset)
{
    int64_t i = 0;
    if (stride == (int64_t)sizeof(storage_t)) {
        THSumsBits before = offset - (THSumsBits){0};
        for (; i + TH_SUMS <= n; i += TH_SUMS) {
            int64_t elements[TH_SUMS];
            THSumsBits v;
            for (int j = 0; j < TH_SUMS; j++)
                elements[j] = TH_LOAD((const storage_t *)x + i + j);
            memcpy(&v, elements, sizeof v);
            const THSumsBits running = runningSums(v), sums = running + before;
            memcpy(results + i, &sums, sizeof sums);
            before += lastOf(running);
        }
        offset = before[0];
    }
    for (; i < n; i++)
        results[i] = offset += THLoop_(at)(x, stride, i);
    return offset;
}

static void THLoop_(sumBlock)(int64_t n, const void *x, int64_t stride, void *results, void *offset)
{
    *(int64_t *)offset = THLoop_(sumLine)(n, x, stride, results, *(int64_t *)offset);
}

static void THLoop_(sumLines)(int64_t n, const void *const *x, int64_t stride, void *const *results,
                              void *offsets)
{
    int64_t *const offset = offsets;
    for (int k = 0; k < TH_SCAN_INTERLEAVED; k++)
        offset[k] = THLoop_(sumLine)(n, x[k], stride, results[k], offset[k]);
}

#endif

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

/* Before the first row of a segment. */
static void THLoop_(sumBegin)(int64_t width, bool isFirst, accreal *restrict running,
                              accreal *restrict offset)
{
    for (int64_t c = 0; c < width; c++) {
        offset[c] = isFirst ? 0 : offset[c] + running[c];
        running[c] = 0;
    }
}

static void THLoop_(prodBegin)(int64_t width, bool isFirst, accreal *restrict running,
                               accreal *restrict offset)
{
    for (int64_t c = 0; c < width && isFirst; c++)
        running[c] = offset[c] = 1;
}

/* Turned: adjacent lines of n (a constant) elements, in vectors of lines. Running: others, four at
 * once; what is rounded is converted later, by vectors. */
#define SCAN(name, identity, op)                                                                   \
    TH_INLINE void THLoop_(name##Part)(int nrows, int n, const char *x, int64_t step, char *to,    \
                                       int64_t resultStep, accreal *running,                       \
                                       const accreal *offset)                                      \
    {                                                                                              \
        lanes_t total, before;                                                                     \
        memcpy(&total, running, sizeof total);                                                     \
        memcpy(&before, offset, sizeof before);                                                    \
        _Pragma("GCC unroll 8") for (int r = 0; r < nrows; r++)                                    \
        {                                                                                          \
            total = total op THLoop_(lanesAt)(x + r * step, n);                                    \
            THLoop_(putLanes)(to + r * resultStep, RESULT(name, before, total), n);                \
        }                                                                                          \
        memcpy(running, &total, sizeof total);                                                     \
    }                                                                                              \
    TH_INLINE void THLoop_(name##SomeRows)(int nrows, int64_t width, const char *x, int64_t step,  \
                                           char *to, int64_t resultStep, accreal *running,         \
                                           accreal *offset)                                        \
    {                                                                                              \
        int64_t c = 0;                                                                             \
        for (; c + TH_SUMS <= width; c += TH_SUMS)                                                 \
            THLoop_(name##Part)(nrows, TH_SUMS, x + c * ITEM, step, to + c * RESULT_ITEM,          \
                                resultStep, running + c, offset + c);                              \
        if (c < width)                                                                             \
            THLoop_(name##Part)(nrows, (int)(width - c), x + c * ITEM, step, to + c * RESULT_ITEM, \
                                resultStep, running + c, offset + c);                              \
    }                                                                                              \
    static void THLoop_(name##Rows)(int64_t nrows, int64_t width, int64_t index, const void *x,    \
                                    int64_t step, void *results, int64_t resultStep,               \
                                    void *runningTotals, void *offsets)                            \
    {                                                                                              \
        accreal *running = runningTotals, *offset = offsets;                                       \
        const char *from = x;                                                                      \
        char *to = results;                                                                        \
        for (int64_t r = 0, some; r < nrows;                                                       \
             r += some, from += some * step, to += some * resultStep) {                            \
            const int64_t within = (index + r) % TH_SCAN_SEGMENT;                                  \
            if (within == 0)                                                                       \
                THLoop_(name##Begin)(width, index + r == 0, running, offset);                      \
            some = TH_SCAN_ROWS <= nrows - r && within + TH_SCAN_ROWS <= TH_SCAN_SEGMENT           \
                       ? TH_SCAN_ROWS                                                              \
                       : 1;                                                                        \
            if (some == TH_SCAN_ROWS)                                                              \
                THLoop_(name##SomeRows)(TH_SCAN_ROWS, width, from, step, to, resultStep, running,  \
                                        offset);                                                   \
            else                                                                                   \
                THLoop_(name##SomeRows)(1, width, from, step, to, resultStep, running, offset);    \
        }                                                                                          \
    }                                                                                              \
    TH_INLINE void THLoop_(name##Turned)(int n, int64_t nlines, const storage_t *restrict x,       \
                                         result_t *restrict results)                               \
    {                                                                                              \
        _Pragma("omp simd") for (int64_t line = 0; line < nlines; line++)                          \
        {                                                                                          \
            accreal running = identity;                                                            \
            _Pragma("GCC unroll 4") for (int i = 0; i < n; i++)                                    \
            {                                                                                      \
                running = running op TH_LOAD(x + line * n + i);                                    \
                results[line * n + i] = (result_t)running;                                         \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void THLoop_(name##Running)(int64_t nlines, int64_t n, const char *x,                   \
                                       int64_t lineStride, int64_t stride, accreal *results)       \
    {                                                                                              \
        for (; nlines >= 4; nlines -= 4, results += 4 * n, x += 4 * lineStride) {                  \
            const char *restrict from = x;                                                         \
            accreal *restrict r0 = results, *restrict r1 = r0 + n;                                 \
            accreal *restrict r2 = r1 + n, *restrict r3 = r2 + n;                                  \
            accreal a = identity, b = a, c = a, d = a;                                             \
            for (int64_t i = 0; i < n; i++, from += stride) {                                      \
                r0[i] = a = a op THLoop_(at)(from, 0, 0);                                          \
                r1[i] = b = b op THLoop_(at)(from + lineStride, 0, 0);                             \
                r2[i] = c = c op THLoop_(at)(from + 2 * lineStride, 0, 0);                         \
                r3[i] = d = d op THLoop_(at)(from + 3 * lineStride, 0, 0);                         \
            }                                                                                      \
        }                                                                                          \
        for (; nlines > 0; nlines--, x += lineStride) {                                            \
            accreal running = identity;                                                            \
            for (int64_t i = 0; i < n; i++)                                                        \
                *results++ = running = running op THLoop_(at)(x, stride, i);                       \
        }                                                                                          \
    }                                                                                              \
    static void THLoop_(name##ShortLines)(int64_t nlines, int64_t n, const void *lines,            \
                                          int64_t lineStride, int64_t stride, void *result)        \
    {                                                                                              \
        const int64_t size = (int64_t)sizeof(storage_t);                                           \
        const bool adjacent = stride == size && lineStride == n * size;                            \
        switch (adjacent ? n : 0) {                                                                \
        case 2:                                                                                    \
            THLoop_(name##Turned)(2, nlines, lines, result);                                       \
            return;                                                                                \
        case 3:                                                                                    \
            THLoop_(name##Turned)(3, nlines, lines, result);                                       \
            return;                                                                                \
        case 4:                                                                                    \
            THLoop_(name##Turned)(4, nlines, lines, result);                                       \
            return;                                                                                \
        default:                                                                                   \
            break;                                                                                 \
        }                                                                                          \
        if (sizeof(result_t) == sizeof(accreal)) {                                                 \
            THLoop_(name##Running)(nlines, n, lines, lineStride, stride, result);                  \
            return;                                                                                \
        }                                                                                          \
        const int64_t most = STAGED / n;                                                           \
        const char *x = lines;                                                                     \
        result_t *results = result;                                                                \
        for (int64_t line = 0; line < nlines; line += most) {                                      \
            _Alignas(64) accreal staged[STAGED];                                                   \
            const int64_t count = nlines - line < most ? nlines - line : most;                     \
            THLoop_(name##Running)(count, n, x, lineStride, stride, staged);                       \
            for (int64_t i = 0; i < count * n; i++)                                                \
                results[i] = (result_t)staged[i];                                                  \
            x += most * lineStride;                                                                \
            results += most * n;                                                                   \
        }                                                                                          \
    }
SCAN(sum, 0, +)
SCAN(prod, 1, *)

TH_SCAN_DECLARE(THLoop_(scan));
const THScanLoops THLoop_(scan)[TH_SCAN_OPS] = {
    [TH_SCAN_SUM] = {TOTAL(0), THLoop_(sumBlock), THLoop_(sumLines), THLoop_(sumTotals),
                     THLoop_(sumJoin), THLoop_(sumRows), THLoop_(sumShortLines)},
    [TH_SCAN_PROD] = {TOTAL(1), THLoop_(prodBlock), THLoop_(prodLines), NULL, NULL,
                      THLoop_(prodRows), THLoop_(prodShortLines)},
};

#undef SCAN
#undef TOTAL
#undef result_t
#undef lanes_t
#undef ITEM
#undef RESULT_ITEM

#endif
