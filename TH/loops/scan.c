/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of cumulative sums and products; THScanning.h says what each must do. Results may
 * lie where the elements are that they are of. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/loops/sums.h>
#include <TH/ops/THScanning.h>

#include <math.h>

#define STAGED 512 /* results that are converted at once */
/* Of n elements those that are left behind whole registers. */
#define REST(n) (TH_SUMS == 2 ? 1 : (int)(n))

/* From the offset and the running total of a segment; products have none. */
#define RESULT(name, offset, running) RESULT_##name(offset, running)
#define RESULT_sum(offset, running) ((offset) + (running))
#define RESULT_prod(offset, running) ((void)(offset), (running))

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

/* TH_SUMS rows of as many lanes, each as a column. */
TH_INLINE void THLoop_(turnLanes)(lanes_t *row)
{
#define TURN(bit)                                   \
    for (int i = 0; i < TH_SUMS; i++) {             \
        const lanes_t a = row[i], b = row[i | bit]; \
        if (i & bit)                                \
            continue;                               \
        row[i] = TH_SUMS_LOW_##bit(a, b);           \
        row[i | bit] = TH_SUMS_HIGH_##bit(a, b);    \
    }
#if TH_SUMS == 8
#pragma GCC unroll 8
    TURN(4)
#endif
#if TH_SUMS >= 4
#pragma GCC unroll 8
    TURN(2)
#endif
#pragma GCC unroll 8
    TURN(1)
#undef TURN
}

/* TH_SUMS lines, of n <= TH_SUMS elements each from i on, turned: a lane for each line. */
TH_INLINE void THLoop_(linesAt)(const void *const *x, int64_t i, int n, lanes_t *row)
{
#pragma GCC unroll 8
    for (int k = 0; k < TH_SUMS; k++)
        row[k] = THLoop_(lanesAt)((const char *)x[k] + i * ITEM, n);
    THLoop_(turnLanes)(row);
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

static void THLoop_(sumLine)(int64_t n, const void *x, void *results, void *offsets)
{
    accreal *const offset = offsets;
    accreal running[TH_SCAN_SEGMENT];
    for (int64_t first = 0; first < n; first += TH_SCAN_SEGMENT) {
        const int64_t some = n - first < TH_SCAN_SEGMENT ? n - first : TH_SCAN_SEGMENT;
        accreal total = 0;
        for (int64_t i = 0; i < some; i++)
            running[i] = total += THLoop_(at)(x, ITEM, first + i);
        *offset = THLoop_(emit)(some, running, (result_t *)results + first, *offset);
    }
}

/* Totals of products may be multiplied where nothing is lost on the way: neither they nor what they
 * begin with are so large or small that a product of both could be infinite or subnormal. */
#define LEAST_BITS ((INT64_C(1023) - 480) * (INT64_C(1) << 52))
#define MOST_BITS ((INT64_C(1023) + 480) * (INT64_C(1) << 52))
TH_INLINE lanes_t THLoop_(outside)(lanes_t total)
{
    const THSumsBits bits = (THSumsBits)total & INT64_MAX; /* signs of what is left say so */
    return (lanes_t)((bits - LEAST_BITS) | (MOST_BITS - bits));
}

static bool THLoop_(anySigns)(THSumsBits bits)
{
    int64_t any = 0;
    for (int k = 0; k < TH_SUMS; k++)
        any |= bits[k];
    return any < 0;
}

/* Of segments. Kept: results from the offsets and what was kept. */
#define SEGMENTS(name, op, isProduct)                                                            \
    TH_INLINE bool THLoop_(name##Segments)(bool keeps, int64_t n, const void *const *x,          \
                                           accreal *totals, accreal *kept)                       \
    {                                                                                            \
        THSumsBits outside = {0};                                                                \
        for (int set = 0; set < TH_SCAN_LINES; set += TH_SUMS) {                                 \
            lanes_t total;                                                                       \
            memcpy(&total, totals + set, sizeof total);                                          \
            for (int64_t i = 0; i < n; i += TH_SUMS) {                                           \
                lanes_t row[TH_SUMS];                                                            \
                THLoop_(linesAt)(x + set, i, TH_SUMS, row);                                      \
                _Pragma("GCC unroll 8") for (int k = 0; k < TH_SUMS; k++)                        \
                {                                                                                \
                    total = total op row[k];                                                     \
                    if (isProduct)                                                               \
                        outside |= (THSumsBits)THLoop_(outside)(total);                          \
                    if (keeps)                                                                   \
                        memcpy(kept + (i + k) * TH_SCAN_LINES + set, &total, sizeof total);      \
                }                                                                                \
            }                                                                                    \
            memcpy(totals + set, &total, sizeof total);                                          \
        }                                                                                        \
        return !isProduct || !THLoop_(anySigns)(outside);                                        \
    }                                                                                            \
    static bool THLoop_(name##Totals)(int64_t n, const void *const *x, void *totals, void *kept) \
    {                                                                                            \
        return kept ? THLoop_(name##Segments)(true, n, x, totals, kept)                          \
                    : THLoop_(name##Segments)(false, n, x, totals, NULL);                        \
    }                                                                                            \
    static void THLoop_(name##Kept)(int64_t n, const void *kept, const void *offsets,            \
                                    void *const *results)                                        \
    {                                                                                            \
        const char *from = kept;                                                                 \
        for (int set = 0; set < TH_SCAN_LINES; set += TH_SUMS) {                                 \
            lanes_t offset;                                                                      \
            memcpy(&offset, (const accreal *)offsets + set, sizeof offset);                      \
            if (set > 0 && results[set] == results[set - 1])                                     \
                break; /* no more lines */                                                       \
            for (int64_t i = 0; i < n; i += TH_SUMS) {                                           \
                lanes_t row[TH_SUMS];                                                            \
                _Pragma("GCC unroll 8") for (int k = 0; k < TH_SUMS; k++)                        \
                {                                                                                \
                    memcpy(&row[k], from + ((i + k) * TH_SCAN_LINES + set) * 8, sizeof row[k]);  \
                    row[k] = offset op row[k];                                                   \
                }                                                                                \
                THLoop_(turnLanes)(row);                                                         \
                _Pragma("GCC unroll 8") for (int k = 0; k < TH_SUMS; k++) THLoop_(putLanes)(     \
                    (char *)results[set + k] + i * RESULT_ITEM, row[k], TH_SUMS);                \
            }                                                                                    \
        }                                                                                        \
    }
SEGMENTS(sum, +, false)
SEGMENTS(prod, *, true)
#undef SEGMENTS

static bool THLoop_(prodJoin)(int64_t n, const void *totals, void *offset)
{
    bool isWithin = true;
    for (int64_t i = 0; i < n; i++) {
        const double before = fabs(*(accreal *)offset);
        isWithin = isWithin && ((before >= 0x1p-540 && before <= 0x1p540) || before == 0);
        *(accreal *)offset *= ((const accreal *)totals)[i];
    }
    return isWithin;
}
#define PROD_SEGMENTS THLoop_(prodTotals), THLoop_(prodKept), THLoop_(prodJoin)
#define SUM_KEPT THLoop_(sumKept)

#else

/* Whole numbers, in any order: a register at a time. */
static void THLoop_(sumLine)(int64_t n, const void *x, void *result, void *offset)
{
    int64_t *results = result;
    const char *from = x;
    lanes_t before = *(int64_t *)offset - (lanes_t){0};
    int64_t i = 0;
    for (; i + TH_SUMS <= n; i += TH_SUMS) {
        const lanes_t running = runningSums(THLoop_(lanesAt)(from + i * ITEM, TH_SUMS));
        THLoop_(putLanes)(results + i, running + before, TH_SUMS);
        before += lastOf(running);
    }
    if (i < n) {
        const lanes_t running = runningSums(THLoop_(lanesAt)(from + i * ITEM, REST(n - i)));
        THLoop_(putLanes)(results + i, running + before, REST(n - i));
        before += lastOf(running);
    }
    *(int64_t *)offset = before[0];
}

static void THLoop_(sumLines)(int64_t n, int64_t index, const void *const *x, void *const *results,
                              void *totals, void *offsets)
{
    int64_t *const running = totals;
    (void)offsets;
    for (int k = 0; k < TH_SCAN_LINES; k++) {
        if (k > 0 && results[k] == results[k - 1])
            break; /* no more lines */
        running[k] = index == 0 ? 0 : running[k];
        THLoop_(sumLine)(n, x[k], results[k], running + k);
    }
}

#define PROD_SEGMENTS NULL, NULL, NULL
#define SUM_KEPT NULL
static bool THLoop_(sumTotals)(int64_t n, const void *const *x, void *totals, void *kept)
{
    (void)kept;
    for (int k = 0; k < TH_SCAN_LINES; k++) {
        const storage_t *const line = x[k];
        int64_t total = 0;
        for (int64_t i = 0; i < n; i++)
            total += TH_LOAD(line + i);
        ((int64_t *)totals)[k] += total;
    }
    return true;
}

#endif

static bool THLoop_(sumJoin)(int64_t n, const void *totals, void *offset)
{
    for (int64_t i = 0; i < n; i++)
        *(accreal *)offset += ((const accreal *)totals)[i];
    return true;
}

static void THLoop_(prodLine)(int64_t n, const void *x, void *result, void *offset)
{
    result_t *results = result;
    accreal running = *(accreal *)offset;
    for (int64_t i = 0; i < n; i++)
        results[i] = (result_t)(running *= THLoop_(at)(x, ITEM, i));
    *(accreal *)offset = running;
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

#define LINES(name, op)                                                                      \
    TH_INLINE void THLoop_(name##Turn)(int n, int64_t i, const void *const *x,               \
                                       void *const *results, lanes_t *total, lanes_t before) \
    {                                                                                        \
        lanes_t row[TH_SUMS];                                                                \
        THLoop_(linesAt)(x, i, n, row);                                                      \
        _Pragma("GCC unroll 8") for (int k = 0; k < TH_SUMS; k++)                            \
        {                                                                                    \
            if (k < n)                                                                       \
                *total = *total op row[k];                                                   \
            row[k] = RESULT(name, before, *total);                                           \
        }                                                                                    \
        THLoop_(turnLanes)(row);                                                             \
        _Pragma("GCC unroll 8") for (int k = 0; k < TH_SUMS; k++)                            \
            THLoop_(putLanes)((char *)results[k] + i * RESULT_ITEM, row[k], n);              \
    }                                                                                        \
    static void THLoop_(name##Lines)(int64_t n, int64_t index, const void *const *x,         \
                                     void *const *results, void *totals, void *offsets)      \
    {                                                                                        \
        accreal *const running = totals, *const offset = offsets;                            \
        if (index % TH_SCAN_SEGMENT == 0)                                                    \
            THLoop_(name##Begin)(TH_SCAN_LINES, index == 0, running, offset);                \
        for (int set = 0; set < TH_SCAN_LINES; set += TH_SUMS) {                             \
            if (set > 0 && results[set] == results[set - 1])                                 \
                break; /* no more lines */                                                   \
            lanes_t total, before;                                                           \
            int64_t i = 0;                                                                   \
            memcpy(&total, running + set, sizeof total);                                     \
            memcpy(&before, offset + set, sizeof before);                                    \
            for (; i + TH_SUMS <= n; i += TH_SUMS)                                           \
                THLoop_(name##Turn)(TH_SUMS, i, x + set, results + set, &total, before);     \
            if (i < n)                                                                       \
                THLoop_(name##Turn)(REST(n - i), i, x + set, results + set, &total, before); \
            memcpy(running + set, &total, sizeof total);                                     \
        }                                                                                    \
    }
#ifdef TH_CATEGORY_IS_FLOATING
LINES(sum, +)
#endif
LINES(prod, *)

/* Whether short lines take less time turned, in lanes of registers, which their ends leave empty.
 */
TH_INLINE bool THLoop_(turns)(bool isSum, int64_t n)
{
    const bool isWide = TH_SUMS == 8;
#if defined(TH_REAL_IS_FLOAT)
    (void)isSum;
    return isWide && 4 * ((n + TH_SUMS - 1) / TH_SUMS * TH_SUMS) <= 5 * n;
#elif defined(TH_CATEGORY_IS_FLOATING)
    (void)isSum;
    return TH_SUMS > 2 && n >= (isWide ? 6 : 8);
#else
    return isSum ? TH_SUMS > 2 && n >= (isWide ? 11 : 16) : isWide && n >= 7;
#endif
}

/* Part: lanes of some rows, of which `loaded` are read and the first n written. What lies behind
 * the last columns of a row is read with them before `end`: machines do not look ahead of masked
 * loads (spread.h). Columns: a tile's, at most TH_SUMS. Turned: adjacent lines of n (a constant)
 * elements, in vectors of lines. Running: others, four at once, as put_t; what is rounded later is
 * converted by vectors. */
#define SCAN(name, identity, op, put_t)                                                            \
    TH_INLINE void THLoop_(name##Part)(int nrows, int loaded, int n, const char *x, int64_t step,  \
                                       char *to, int64_t resultStep, accreal *running,             \
                                       const accreal *offset)                                      \
    {                                                                                              \
        lanes_t total, before;                                                                     \
        memcpy(&total, running, sizeof total);                                                     \
        memcpy(&before, offset, sizeof before);                                                    \
        _Pragma("GCC unroll 8") for (int r = 0; r < nrows; r++)                                    \
        {                                                                                          \
            total = total op THLoop_(lanesAt)(x + r * step, loaded);                               \
            THLoop_(putLanes)(to + r * resultStep, RESULT(name, before, total), n);                \
        }                                                                                          \
        memcpy(running, &total, sizeof total);                                                     \
    }                                                                                              \
    TH_INLINE void THLoop_(name##SomeRows)(int nrows, int64_t width, const char *x,                \
                                           const char *end, int64_t step, char *to,                \
                                           int64_t resultStep, accreal *running, accreal *offset)  \
    {                                                                                              \
        int64_t c = 0;                                                                             \
        for (; c + TH_SUMS <= width; c += TH_SUMS)                                                 \
            THLoop_(name##Part)(nrows, TH_SUMS, TH_SUMS, x + c * ITEM, step, to + c * RESULT_ITEM, \
                                resultStep, running + c, offset + c);                              \
        if (c == width)                                                                            \
            return;                                                                                \
        const int n = REST(width - c);                                                             \
        if (x + (c + TH_SUMS) * ITEM + (nrows - 1) * step <= end)                                  \
            THLoop_(name##Part)(nrows, TH_SUMS, n, x + c * ITEM, step, to + c * RESULT_ITEM,       \
                                resultStep, running + c, offset + c);                              \
        else                                                                                       \
            THLoop_(name##Part)(nrows, n, n, x + c * ITEM, step, to + c * RESULT_ITEM, resultStep, \
                                running + c, offset + c);                                          \
    }                                                                                              \
    static void THLoop_(name##Rows)(int64_t nrows, int64_t width, int64_t index, const void *x,    \
                                    int64_t step, void *results, int64_t resultStep,               \
                                    void *runningTotals, void *offsets)                            \
    {                                                                                              \
        accreal *running = runningTotals, *offset = offsets;                                       \
        const char *from = x, *const end = from + (nrows - 1) * step + width * ITEM;               \
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
                THLoop_(name##SomeRows)(TH_SCAN_ROWS, width, from, end, step, to, resultStep,      \
                                        running, offset);                                          \
            else                                                                                   \
                THLoop_(name##SomeRows)(1, width, from, end, step, to, resultStep, running,        \
                                        offset);                                                   \
        }                                                                                          \
    }                                                                                              \
    TH_INLINE void THLoop_(name##Beside)(int nlines, int64_t n, const THScanSteps *steps,          \
                                         const char *x, char *to)                                  \
    {                                                                                              \
        const THScanSteps s = *steps;                                                              \
        accreal running[TH_SCAN_FEW], offset[TH_SCAN_FEW];                                         \
        for (int64_t i = 0, end; i < n; i = end) {                                                 \
            THLoop_(name##Begin)(nlines, i == 0, running, offset);                                 \
            end = n - i < TH_SCAN_SEGMENT ? n : i + TH_SCAN_SEGMENT;                               \
            for (int64_t k = i; k < end; k++, x += s.step, to += s.resultStep) {                   \
                _Pragma("GCC unroll 3") for (int c = 0; c < nlines; c++)                           \
                {                                                                                  \
                    running[c] = running[c] op THLoop_(at)(x, s.lineStep, c);                      \
                    const result_t result = (result_t)RESULT(name, offset[c], running[c]);         \
                    memcpy(to + c * s.resultLineStep, &result, sizeof result);                     \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void THLoop_(name##Few)(int64_t n, int64_t nlines, const THScanSteps *steps,            \
                                   const void *x, void *results)                                   \
    {                                                                                              \
        if (nlines == 1)                                                                           \
            THLoop_(name##Beside)(1, n, steps, x, results);                                        \
        else if (nlines == 2)                                                                      \
            THLoop_(name##Beside)(2, n, steps, x, results);                                        \
        else                                                                                       \
            THLoop_(name##Beside)(TH_SCAN_FEW, n, steps, x, results);                              \
    }                                                                                              \
    TH_INLINE void THLoop_(name##Columns)(int n, const THScanTiles *tiles, const char *x,          \
                                          char *to)                                                \
    {                                                                                              \
        const lanes_t none = {0}, before = none + identity;                                        \
        lanes_t total = before;                                                                    \
        for (int64_t r = 0; r < tiles->nrows; r++, x += tiles->step, to += tiles->resultStep) {    \
            total = total op THLoop_(lanesAt)(x, n);                                               \
            THLoop_(putLanes)(to, RESULT(name, before, total), n);                                 \
        }                                                                                          \
    }                                                                                              \
    static void THLoop_(name##Tiles)(int64_t ntiles, const THScanTiles *tiles, const void *x,      \
                                     void *results)                                                \
    {                                                                                              \
        const char *tile = x;                                                                      \
        char *to = results;                                                                        \
        for (; ntiles > 0; ntiles--, tile += tiles->tileStep, to += tiles->resultTileStep) {       \
            for (int64_t c = 0; c < tiles->width; c += TH_SUMS) {                                  \
                const int64_t left = tiles->width - c;                                             \
                if (left >= TH_SUMS)                                                               \
                    THLoop_(name##Columns)(TH_SUMS, tiles, tile + c * ITEM, to + c * RESULT_ITEM); \
                else                                                                               \
                    THLoop_(name##Columns)(REST(left), tiles, tile + c * ITEM,                     \
                                           to + c * RESULT_ITEM);                                  \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    TH_INLINE void THLoop_(name##Turned)(int n, int64_t nlines, const storage_t *x,                \
                                         result_t *results)                                        \
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
                                       int64_t lineStride, int64_t stride, put_t *results)         \
    {                                                                                              \
        for (; nlines >= 4; nlines -= 4, results += 4 * n, x += 4 * lineStride) {                  \
            const char *from = x;                                                                  \
            put_t *r0 = results, *r1 = r0 + n, *r2 = r1 + n, *r3 = r2 + n;                         \
            accreal a = identity, b = a, c = a, d = a;                                             \
            for (int64_t i = 0; i < n; i++, from += stride) {                                      \
                r0[i] = (put_t)(a = a op THLoop_(at)(from, 0, 0));                                 \
                r1[i] = (put_t)(b = b op THLoop_(at)(from + lineStride, 0, 0));                    \
                r2[i] = (put_t)(c = c op THLoop_(at)(from + 2 * lineStride, 0, 0));                \
                r3[i] = (put_t)(d = d op THLoop_(at)(from + 3 * lineStride, 0, 0));                \
            }                                                                                      \
        }                                                                                          \
        for (; nlines > 0; nlines--, x += lineStride) {                                            \
            accreal running = identity;                                                            \
            for (int64_t i = 0; i < n; i++)                                                        \
                *results++ = (put_t)(running = running op THLoop_(at)(x, stride, i));              \
        }                                                                                          \
    }                                                                                              \
    static void THLoop_(name##ShortLines)(int64_t nlines, int64_t n, const void *lines,            \
                                          int64_t lineStride, int64_t stride, void *result)        \
    {                                                                                              \
        const bool adjacent = stride == ITEM && lineStride == n * ITEM;                            \
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
        const char *x = lines;                                                                     \
        result_t *results = result;                                                                \
        const bool turns = stride == ITEM && THLoop_(turns)(identity == 0, n);                     \
        for (; turns && nlines >= TH_SCAN_LINES; nlines -= TH_SCAN_LINES) {                        \
            const void *from[TH_SCAN_LINES];                                                       \
            void *to[TH_SCAN_LINES];                                                               \
            accreal running[TH_SCAN_LINES], offset[TH_SCAN_LINES];                                 \
            for (int k = 0; k < TH_SCAN_LINES; k++, x += lineStride, results += n)                 \
                from[k] = x, to[k] = results;                                                      \
            THLoop_(name##Lines)(n, 0, from, to, running, offset);                                 \
        }                                                                                          \
        if (sizeof(result_t) == sizeof(put_t)) {                                                   \
            THLoop_(name##Running)(nlines, n, x, lineStride, stride, (put_t *)results);            \
            return;                                                                                \
        }                                                                                          \
        const int64_t most = STAGED / n;                                                           \
        for (int64_t line = 0; line < nlines; line += most) {                                      \
            _Alignas(64) put_t staged[STAGED];                                                     \
            const int64_t count = nlines - line < most ? nlines - line : most;                     \
            THLoop_(name##Running)(count, n, x, lineStride, stride, staged);                       \
            for (int64_t i = 0; i < count * n; i++)                                                \
                results[i] = (result_t)staged[i];                                                  \
            x += most * lineStride;                                                                \
            results += most * n;                                                                   \
        }                                                                                          \
    }
/* Additions are done by the units that convert, products are not: these convert as they go. */
SCAN(sum, 0, +, accreal)
SCAN(prod, 1, *, result_t)

TH_SCAN_DECLARE(THLoop_(scan));
const THScanLoops THLoop_(scan)[TH_SCAN_OPS] = {
    [TH_SCAN_SUM] = {TOTAL(0), false, THLoop_(sumLine), THLoop_(sumLines), THLoop_(sumTotals),
                     SUM_KEPT, THLoop_(sumJoin), THLoop_(sumRows), THLoop_(sumFew),
                     THLoop_(sumTiles), THLoop_(sumShortLines)},
    [TH_SCAN_PROD] = {TOTAL(1), true, THLoop_(prodLine), THLoop_(prodLines), PROD_SEGMENTS,
                      THLoop_(prodRows), THLoop_(prodFew), THLoop_(prodTiles),
                      THLoop_(prodShortLines)},
};

#undef SCAN
#undef LINES
#undef TOTAL
#undef SUM_KEPT
#undef PROD_SEGMENTS
#undef result_t
#undef lanes_t
#undef ITEM
#undef RESULT_ITEM

#endif
