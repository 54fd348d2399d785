/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of matrices and vectors of float or double (LANE_float, LANE_double); THLinear.h. */
#define LANES_STAY
#define LANES_HALVE
#if defined(__AVX512VL__)
#undef _AVX512VLINTRIN_H_INCLUDED /* unread.h */
#undef __mmask32
#endif
#include <TH/loops/lanes.h>
#include <TH/ops/THLinear.h>

#if defined(LANE_double)
#define LINEAR(name) TH_ISA_(TH_CONCAT_2(THDoubleLinear_, name))
#else
#define LINEAR(name) TH_ISA_(TH_CONCAT_2(THFloatLinear_, name))
#endif

/* Whether there are loops of their own for shapes of few elements in each row or column, whose
 * vectors others would fill in part. Not where code is to be small, nor with clang, which has no
 * shuffle by a vector. */
#if defined(__clang__) || defined(TH_SMALL)
#define BY_SHAPE 0
#else
#define BY_SHAPE 1
#endif

#define DOT_PARTS 4

#include <TH/loops/turnLines.h>

#include <TH/loops/tiles.h>

#include <TH/loops/narrow.h>
#include <TH/loops/shallow.h>
#include <TH/loops/turned.h>

INLINE lane_t sumLanes(Words v)
{
#if LANES == 16
    v += exchangeLanes(v, 8);
#endif
#if LANES >= 8
    v += exchangeLanes(v, 4);
#endif
#if LANES >= 4
    v += exchangeLanes(v, 2);
#endif
    v += exchangeLanes(v, 1);
    return v[0];
}

#if defined(LANE_float) && defined(__F16C__)
#include <TH/loops/widened.h>
_Static_assert(LANES == TH_HALVES, "a register of floats is what is converted at once");
#define DOT_HALVES LINEAR(dotHalves)

INLINE Words loadHalves(const THHalf *from, int n)
{
    Words row;
    THHalf part[LANES] = {{0}};
    if (n < LANES)
        from = memcpy(part, from, (size_t)n * sizeof *from);
    TH_HALVES_WIDEN((float *)(void *)&row, from);
    return row;
}
#else
#define DOT_HALVES NULL
#define loadHalves(from, n) ((Words){0})
#endif

/* n <= LANES elements from the i-th on, of halves where they are some (a constant), then 0. */
INLINE Words loadTerms(bool halves, const void *from, int64_t i, int n)
{
    if (halves)
        return loadHalves((const THHalf *)from + i, n);
    return n < LANES ? loadPart((const lane_t *)from + i, n) : loadRow((const lane_t *)from + i);
}

INLINE lane_t dotChunk(bool halves, int64_t begin, int64_t end, const void *x, const void *y)
{
    Words sum[DOT_PARTS] = {{0}};
    int64_t i = begin;
    for (; i + DOT_PARTS * LANES <= end; i += DOT_PARTS * LANES) {
#pragma GCC unroll 4 /* DOT_PARTS */
        for (int part = 0; part < DOT_PARTS; part++)
            sum[part] = fused(loadTerms(halves, x, i + part * LANES, LANES),
                              loadTerms(halves, y, i + part * LANES, LANES), sum[part]);
    }
    for (; i + LANES <= end; i += LANES)
        sum[0] = fused(loadTerms(halves, x, i, LANES), loadTerms(halves, y, i, LANES), sum[0]);
    if (i < end)
        sum[1] = fused(loadTerms(halves, x, i, (int)(end - i)),
                       loadTerms(halves, y, i, (int)(end - i)), sum[1]);
    return sumLanes((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

INLINE void dotChunks(bool halves, int64_t n, const void *x, const void *y, void *sum)
{
    double total = 0;
    for (int64_t i = 0; i < n; i += TH_LINEAR_CHUNK)
        total +=
            (double)dotChunk(halves, i, n - i < TH_LINEAR_CHUNK ? n : i + TH_LINEAR_CHUNK, x, y);
    *(double *)sum = total;
}

static void LINEAR(dot)(int64_t n, const void *x, const void *y, void *sum)
{
    dotChunks(false, n, x, y, sum);
}

#if defined(LANE_float) && defined(__F16C__)
/* In registers: blocks of floats in between took as long again. */
static void LINEAR(dotHalves)(int64_t n, const THHalf *x, const THHalf *y, void *sum)
{
    dotChunks(true, n, x, y, sum);
}
#endif

/* Four sums at once: one would wait for itself. */
static void LINEAR(dotStrided)(int64_t n, const void *xs, int64_t xStride, const void *ys,
                               int64_t yStride, void *result)
{
    const lane_t *x = xs, *y = ys;
    double total = 0;
    for (int64_t begin = 0; begin < n; begin += TH_LINEAR_CHUNK) {
        const int64_t count = n - begin < TH_LINEAR_CHUNK ? n - begin : TH_LINEAR_CHUNK;
        lane_t sum[4] = {0};
        int64_t i = 0;
        for (; i + 4 <= count; i += 4, x += 4 * xStride, y += 4 * yStride) {
            sum[0] += x[0] * y[0];
            sum[1] += x[xStride] * y[yStride];
            sum[2] += x[2 * xStride] * y[2 * yStride];
            sum[3] += x[3 * xStride] * y[3 * yStride];
        }
        for (; i < count; i++, x += xStride, y += yStride)
            sum[0] += *x * *y;
        total += (double)((sum[0] + sum[1]) + (sum[2] + sum[3]));
    }
    *(double *)result = total;
}

/* Lanes i and i ^ bit added: lanes without the bit are a's, those with it b's. */
INLINE Words addPairs(Words a, Words b, int bit)
{
    return chooseLanes(a, b, bit) + exchangeLanes(chooseLanes(b, a, bit), bit);
}

/* The sum of each of GROUP vectors, in a lane each. */
INLINE Words addLines(const Words *sum)
{
#if LANES == 2
    return addPairs(sum[0], sum[1], 1);
#else
    Words v = addPairs(addPairs(sum[0], sum[1], 1), addPairs(sum[2], sum[3], 1), 2);
#if LANES >= 8
    v = addPairs(v, addPairs(addPairs(sum[4], sum[5], 1), addPairs(sum[6], sum[7], 1), 2), 4);
#endif
#if LANES == 16
    v += exchangeLanes(v, 8);
#endif
    return v;
#endif
}

/* Chunks of GROUP rows times x, a row in each lane; where the rows are not `whole`, a constant, but
 * `left`, the last one stands for those that are missing; what is `beside` their ends is a
 * constant, too. */
#define GROUP (LANES < 8 ? LANES : 8)
#define FEW_ROWS (GROUP / 2) /* that are summed one by one: the last ones, however divided */
INLINE Words sumGroup(bool whole, Beside beside, int64_t k, const lane_t *a, int64_t stride,
                      int64_t left, const lane_t *x)
{
    Words sum[GROUP];
    const lane_t *row[GROUP];
    const int rest = (int)(k % LANES);
    /* No line behind a row is touched for nothing, nor one before it. */
    const int64_t end = rest > 0 || beside == BEFORE ? k - rest : 0;
    Words factor = loadPart(x + end, rest);
#pragma GCC unroll 8 /* GROUP */
    for (int i = 0; i < GROUP; i++) {
        row[i] = a + (whole || i < left ? i : left - 1) * stride;
        sum[i] = loadBeside(beside, row[i] + end, rest) * factor;
    }
    for (int64_t j = 0; j + LANES <= k; j += LANES) {
        factor = loadRow(x + j);
#pragma GCC unroll 8 /* GROUP */
        for (int i = 0; i < GROUP; i++)
            sum[i] = fused(loadRow(row[i] + j), factor, sum[i]);
    }
    return addLines(sum);
}

/* `k`, a constant, elements in each row, which are neighbours. */
INLINE void sumFew(int k, int64_t rows, const lane_t *a, const lane_t *x, lane_t *sums)
{
#pragma omp simd
    for (int64_t i = 0; i < rows; i++) {
        lane_t sum = a[i * k] * x[0];
#pragma GCC unroll 8
        for (int j = 1; j < k; j++)
            sum += a[i * k + j] * x[j];
        sums[i] = sum;
    }
}

#if LANES_PARTED && BY_SHAPE
#define PICKED_MOST 7
/* Column j of LANES rows of k elements, which are k vectors. */
INLINE Words pickColumn(int k, int j, const Words *v)
{
    const Lanes numbers = LANES_XOR(0), place = numbers * k + j;
    const Lanes from = place / LANES, lane = place % LANES;
    Words column = __builtin_shuffle(v[0], v[1], lane + ((from == 1) & LANES));
#pragma GCC unroll 8
    for (int i = 2; i < k; i++)
        column = __builtin_shuffle(column, v[i],
                                   ((from == i) & (lane + LANES)) | ((from != i) & numbers));
    return column;
}
#endif

#if LANES_MASKED && BY_SHAPE
/* `k`, a constant, elements in each row, which are neighbours. */
INLINE void sumPicked(int k, int64_t rows, const lane_t *a, const lane_t *x, lane_t *sums)
{
    for (int64_t i = 0; i < rows; i += LANES, a += k * LANES) {
        const int count = rows - i < LANES ? (int)(rows - i) : LANES;
        Words v[PICKED_MOST], sum = {0};
#pragma GCC unroll 8
        for (int j = 0; j < k; j++) {
            const int left = count * k - j * LANES;
            v[j] = count == LANES ? loadRow(a + j * LANES)
                                  : loadPart(a + j * LANES, left < 0       ? 0
                                                            : left < LANES ? left
                                                                           : LANES);
        }
#pragma GCC unroll 8
        for (int j = 0; j < k; j++)
            sum = fused(pickColumn(k, j, v), spread(x[j]), sum);
        storePart(sums + i, sum, count);
    }
}
#endif

/* Rows of such a length that they are a vector of sums in few steps. */
static bool sumAsFew(int64_t rows, int64_t k, const lane_t *a, const lane_t *x, lane_t *sums)
{
    switch (k) {
    case 1:
        sumFew(1, rows, a, x, sums);
        return true;
    case 2:
        sumFew(2, rows, a, x, sums);
        return true;
    case 3:
        sumFew(3, rows, a, x, sums);
        return true;
    case 4:
        sumFew(4, rows, a, x, sums);
        return true;
#if LANES_MASKED || !LANES_PARTED
    case 8:
        sumFew(8, rows, a, x, sums);
        return true;
#endif
#if LANES_MASKED && BY_SHAPE
    case 5:
        sumPicked(5, rows, a, x, sums);
        return true;
    case 6:
        sumPicked(6, rows, a, x, sums);
        return true;
    case 7:
        sumPicked(7, rows, a, x, sums);
        return true;
#endif
    default:
        return false;
    }
}

/* Groups of rows of at most TH_LINEAR_CHUNK elements, so far apart that a register fits between
 * them; returns how many rows these are. Alone, as it would take registers from the others. */
static __attribute__((noinline)) int64_t sumRowsApart(int64_t rows, int64_t k, const lane_t *a,
                                                      int64_t stride, const lane_t *x, lane_t *sums)
{
    int64_t i = 0;
    for (; k >= LANES && i + GROUP <= rows; i += GROUP)
        storePart(sums + i, sumGroup(true, BEFORE, k, a + i * stride, stride, GROUP, x), GROUP);
    for (; k < LANES && i + GROUP < rows; i += GROUP)
        storePart(sums + i, sumGroup(true, BEHIND, k, a + i * stride, stride, GROUP, x), GROUP);
    return i;
}

static __attribute__((noinline)) void sumAny(int64_t rows, int64_t k, const lane_t *a,
                                             int64_t stride, const lane_t *x, lane_t *sums)
{
    if (stride == k && sumAsFew(rows, k, a, x, sums))
        return;
    for (int64_t i = 0; i < rows; i += GROUP) {
        const lane_t *row = a + i * stride;
        const int64_t left = rows - i < GROUP ? rows - i : GROUP;
        lane_t *sum = sums + i;
        if (k <= TH_LINEAR_CHUNK && left == GROUP) {
            storePart(sum, sumGroup(true, NOTHING, k, row, stride, GROUP, x), GROUP);
            continue;
        }
        if (left <= FEW_ROWS && k > GROUP * LANES) {
            for (int64_t r = 0; r < left; r++, row += stride) {
                double total;
                LINEAR(dot)(k, row, x, &total);
                sum[r] = (lane_t)total;
            }
            continue;
        }
        if (k <= TH_LINEAR_CHUNK) {
            storePart(sum, sumGroup(false, NOTHING, k, row, stride, left, x), (int)left);
            continue;
        }
        double total[GROUP] = {0};
        for (int64_t j = 0; j < k; j += TH_LINEAR_CHUNK) {
            const int64_t count = k - j < TH_LINEAR_CHUNK ? k - j : TH_LINEAR_CHUNK;
            const Words part = sumGroup(false, NOTHING, count, row + j, stride, left, x + j);
            for (int lane = 0; lane < GROUP; lane++)
                total[lane] += (double)part[lane];
        }
        for (int64_t lane = 0; lane < left; lane++)
            sum[lane] = (lane_t)total[lane];
    }
}

static void LINEAR(rows)(int64_t rows, int64_t k, const void *a, int64_t stride, const void *x,
                         void *sums)
{
    const bool apart = LANES_MASKED && stride - k >= LANES && k <= TH_LINEAR_CHUNK;
    const int64_t done = apart ? sumRowsApart(rows, k, a, stride, x, sums) : 0;
    if (done < rows)
        sumAny(rows - done, k, (const lane_t *)a + done * stride, stride, x, (lane_t *)sums + done);
}

/* Sums of columns that fit registers, four rows apart: one would wait for itself. */
INLINE void narrowColumns(int parts, int64_t rows, int64_t n, const lane_t *a, int64_t stride,
                          const lane_t *x, lane_t *sums)
{
    const int last = (int)(n - (parts - 1) * LANES);
    const Beside beside = parts == 2 ? BEFORE : NOTHING;
    Words sum[4][2] = {{{0}}};
    int64_t i = 0;
    for (; i + 4 <= rows; i += 4, a += 4 * stride) {
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) {
            const Words factor = spread(x[i + r]);
            if (parts == 2)
                sum[r][1] = fused(factor, loadRow(a + r * stride), sum[r][1]);
            const lane_t *part = a + r * stride + (parts - 1) * LANES;
            sum[r][0] = fused(factor, loadBeside(beside, part, last), sum[r][0]);
        }
    }
    for (; i < rows; i++, a += stride) {
        const Words factor = spread(x[i]);
        if (parts == 2)
            sum[0][1] = fused(factor, loadRow(a), sum[0][1]);
        sum[0][0] = fused(factor, loadPart(a + (parts - 1) * LANES, last), sum[0][0]);
    }
    if (parts == 2)
        *(Words *)(void *)sums = (sum[0][1] + sum[1][1]) + (sum[2][1] + sum[3][1]);
    storePart(sums + (parts - 1) * LANES, (sum[0][0] + sum[1][0]) + (sum[2][0] + sum[3][0]), last);
}

/* Alone, as it would take registers from narrower ones. */
static __attribute__((noinline)) void wideColumns(int64_t rows, int64_t n, const lane_t *a,
                                                  int64_t stride, const lane_t *x, lane_t *sums)
{
    narrowColumns(2, rows, n, a, stride, x, sums);
}

/* `rows`, a constant, of them; `fresh`: sums are not read. */
INLINE void addRows(int rows, bool fresh, int64_t n, const lane_t *a, int64_t stride,
                    const lane_t *x, lane_t *sums)
{
    Words factor[8];
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++)
        factor[i] = spread(x[i]);
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES) {
        Words sum = fresh ? (Words){0} : loadRow(sums + j);
#pragma GCC unroll 8
        for (int i = 0; i < rows; i++)
            sum = fused(factor[i], loadRow(a + i * stride + j), sum);
        *(Words *)(void *)(sums + j) = sum;
    }
    if (j == n)
        return;
    Words sum = fresh ? (Words){0} : loadPart(sums + j, (int)(n - j));
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++)
        sum = fused(factor[i], loadPart(a + i * stride + j, (int)(n - j)), sum);
    storePart(sums + j, sum, (int)(n - j));
}

/* In the order of the rows. */
static void sumColumns(int64_t rows, int64_t n, const lane_t *a, int64_t stride, const lane_t *x,
                       lane_t *sums)
{
    int64_t i = rows >= 8 ? 8 : 1;
    if (i == 8)
        addRows(8, true, n, a, stride, x, sums);
    else
        addRows(1, true, n, a, stride, x, sums);
    for (; i + 8 <= rows; i += 8)
        addRows(8, false, n, a + i * stride, stride, x + i, sums);
    for (; i + 2 <= rows; i += 2)
        addRows(2, false, n, a + i * stride, stride, x + i, sums);
    if (i < rows)
        addRows(1, false, n, a + i * stride, stride, x + i, sums);
}

#if defined(__AVX2__) && BY_SHAPE
/* Columns, of which more take hardly less time than by masks, and rows that are worth the vectors
 * of places. */
#define DENSE_MOST (LANES_MASKED ? 8 : 4)
#define DENSE_ROWS (8 * LANES)
/* Adds LANES rows of n elements, which a vector follows; not inline, or gcc would keep them in
 * memory while they are summed. */
static __attribute__((noinline)) void foldDense(int n, lane_t *rows, lane_t *sums)
{
    for (int half = LANES / 2 * n; half >= n; half /= 2)
        for (int i = 0; i < half; i += LANES)
            storeRow(rows + i, loadRow(rows + i) + loadRow(rows + i + half));
    for (int i = 0; i < n; i++)
        sums[i] += rows[i];
}

/* Rows of `n`, a constant, elements that are neighbours, LANES of them at once: they are n vectors,
 * whose lanes are multiplied by the element of x of their row. */
INLINE void denseColumns(int n, int64_t rows, const lane_t *a, const lane_t *x, lane_t *sums)
{
    Words sum[DENSE_MOST];
    Lanes row[DENSE_MOST];
    lane_t all[(DENSE_MOST + 1) * LANES];
    int64_t i = 0;
#pragma GCC unroll 8 /* DENSE_MOST */
    for (int v = 0; v < n; v++) {
        sum[v] = (Words){0};
        row[v] = ((Lanes)LANES_XOR(0) + v * LANES) / n;
    }
    for (; i + LANES <= rows; i += LANES) {
        const Words factor = loadRow(x + i);
#pragma GCC unroll 8 /* DENSE_MOST */
        for (int v = 0; v < n; v++)
            sum[v] =
                fused(__builtin_shuffle(factor, row[v]), loadRow(a + i * n + v * LANES), sum[v]);
    }
    narrowColumns(1, rows - i, n, a + i * n, n, x + i, sums);
#pragma GCC unroll 8 /* DENSE_MOST */
    for (int v = 0; v < n; v++)
        storeRow(all + v * LANES, sum[v]);
    storeRow(all + n * LANES, (Words){0});
    foldDense(n, all, sums);
}

/* Whether the rows are neighbours of so few columns. */
static bool sumAsDense(int64_t rows, int64_t n, const lane_t *a, const lane_t *x, lane_t *sums)
{
    switch (n) {
    case 2:
        denseColumns(2, rows, a, x, sums);
        return true;
    case 3:
        denseColumns(3, rows, a, x, sums);
        return true;
    case 4:
        denseColumns(4, rows, a, x, sums);
        return true;
#if LANES_MASKED
    case 5:
        denseColumns(5, rows, a, x, sums);
        return true;
    case 6:
        denseColumns(6, rows, a, x, sums);
        return true;
    case 7:
        denseColumns(7, rows, a, x, sums);
        return true;
    case 8:
        denseColumns(8, rows, a, x, sums);
        return true;
#endif
    default:
        return false;
    }
}
#endif

static void LINEAR(columns)(int64_t rows, int64_t n, const void *a, int64_t stride, const void *x,
                            void *sums)
{
#ifdef DENSE_MOST
    if (stride == n && rows >= DENSE_ROWS && sumAsDense(rows, n, a, x, sums))
        return;
#endif
    if (VECTOR_BYTES == 16 || n > 2 * LANES)
        sumColumns(rows, n, a, stride, x, sums);
    else if (n <= LANES)
        narrowColumns(1, rows, n, a, stride, x, sums);
    else
        wideColumns(rows, n, a, stride, x, sums);
}

#include <TH/loops/lastColumns.h>
#include <TH/loops/slender.h>

#include <TH/loops/flat.h>

/* Half a product, and some terms of many, are all tiles: other loops would multiply what is above
 * the diagonal, and read the terms several times. */
static void LINEAR(multiply)(const THGemm *gemm, int64_t count)
{
    const int last = (int)(gemm->n % LANES);
    const bool byTiles = gemm->isLower || gemm->isTall;
    if (multiplyNarrow(gemm, count) || multiplyShallow(gemm, count))
        return;
    if (LINEAR(isSlender)(gemm)) {
        multiplySlender(gemm, count);
        return;
    }
    if (isFlat(gemm)) {
        multiplyFlat(gemm, count);
        return;
    }
    /* by vectors however the product is divided: these have other bits than tiles */
    if (!byTiles && areFewLast(gemm, last))
        multiplyLast(gemm, count, last);
    else if (LANES_MASKED && !byTiles && turns(gemm))
        multiplyTurned(gemm, count);
    else
        multiplyPlain(gemm, count);
}

#include <TH/loops/lines.h>

const THLinearLoops LINEAR(loops)[1] = {{LINEAR(multiply), LINEAR(isSlender), LINEAR(lines),
                                         DOT_HALVES, LINEAR(dot), LINEAR(dotStrided), LINEAR(rows),
                                         LINEAR(columns)}};
