/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of matrices and vectors of float or double (LANE_float, LANE_double); THLinear.h. */
#include <TH/loops/lanes.h>
#include <TH/ops/THLinear.h>

#if defined(LANE_double)
#define LINEAR(name) TH_ISA_(TH_CONCAT_2(THDoubleLinear_, name))
#else
#define LINEAR(name) TH_ISA_(TH_CONCAT_2(THFloatLinear_, name))
#endif

/* Registers for sums: rows times vectors, beside the row of B that they are multiplied with. */
#if VECTOR_BYTES == 64
#define TILE_ROWS 8
#else
#define TILE_ROWS 4
#endif
#define TILE_PARTS 4
#define PACKED_ROWS \
    64 /* of A: then it is worth while to copy B, whose rows may share few sets of the cache */
#define DOT_PARTS 4

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

/* ---- a matrix ---- */

typedef struct Tiles {
    int64_t k;
    const lane_t *a, *b;
    lane_t *c;
    int64_t aRow, aColumn, bRow, cRow;
    int last;          /* lanes of the last vector of columns */
    bool plain, fresh; /* plain: nothing but the product is stored */
    lane_t alpha, beta;
} Tiles;
typedef void Tile(const Tiles *tiles);

INLINE void putTile(const Tiles *tiles, lane_t *c, Words sum, int count)
{
    if (!tiles->plain) {
        sum *= spread(tiles->alpha);
        if (!tiles->fresh)
            sum = fused(spread(tiles->beta), loadPart(c, count), sum);
    }
    storePart(c, sum, count);
}

/* `rows` and `parts` are constants. */
INLINE void sumTile(int rows, int parts, const Tiles *tiles)
{
    const int64_t k = tiles->k, aRow = tiles->aRow, aColumn = tiles->aColumn, bRow = tiles->bRow;
    const lane_t *a = tiles->a, *b = tiles->b;
    const int last = tiles->last;
    Words sum[TILE_ROWS][TILE_PARTS];
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++) {
#pragma GCC unroll 4
        for (int part = 0; part < parts; part++)
            sum[i][part] = (Words){0};
    }
    for (int64_t p = 0; p < k; p++, a += aColumn, b += bRow) {
        Words row[TILE_PARTS];
#pragma GCC unroll 4
        for (int part = 0; part < parts - 1; part++)
            row[part] = loadRow(b + part * LANES);
        row[parts - 1] = LANES_MASKED ? loadPart(b + (parts - 1) * LANES, last)
                                      : loadRow(b + (parts - 1) * LANES);
#pragma GCC unroll 8
        for (int i = 0; i < rows; i++) {
            const Words x = spread(a[i * aRow]);
#pragma GCC unroll 4
            for (int part = 0; part < parts; part++)
                sum[i][part] = fused(x, row[part], sum[i][part]);
        }
    }
    lane_t *c = tiles->c;
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++, c += tiles->cRow) {
#pragma GCC unroll 4
        for (int part = 0; part < parts; part++)
            putTile(tiles, c + part * LANES, sum[i][part], part < parts - 1 ? LANES : last);
    }
}

#define TILE(rows, parts)                                \
    static void tile##rows##x##parts(const Tiles *tiles) \
    {                                                    \
        sumTile(rows, parts, tiles);                     \
    }
TILE(1, 1)
TILE(2, 1)
TILE(3, 1)
TILE(4, 1)
TILE(1, 2)
TILE(2, 2)
TILE(3, 2)
TILE(4, 2)
TILE(1, 4)
TILE(2, 4)
#if TILE_ROWS == 8
TILE(5, 1)
TILE(6, 1)
TILE(7, 1)
TILE(8, 1)
TILE(5, 2)
TILE(6, 2)
TILE(7, 2)
TILE(8, 2)
TILE(3, 4)
TILE(4, 4)
#endif

/* By vectors, then rows. */
static Tile *const tileOf[TILE_PARTS][TILE_ROWS] = {
#if TILE_ROWS == 8
    {tile1x1, tile2x1, tile3x1, tile4x1, tile5x1, tile6x1, tile7x1, tile8x1},
    {tile1x2, tile2x2, tile3x2, tile4x2, tile5x2, tile6x2, tile7x2, tile8x2},
    {0},
    {tile1x4, tile2x4, tile3x4, tile4x4},
#else
    {tile1x1, tile2x1, tile3x1, tile4x1},
    {tile1x2, tile2x2, tile3x2, tile4x2},
    {0},
    {tile1x4, tile2x4},
#endif
};

/* LANES rows of LANES elements, each as a column. */
INLINE void transposeLanes(Words *row)
{
#pragma GCC unroll 4
    for (int bit = 1; bit < LANES; bit *= 2) {
#pragma GCC unroll 16
        for (int i = 0; i < LANES; i++) {
            if (i & bit)
                continue;
            const Words a = row[i], b = row[i + bit];
            row[i] = chooseLanes(a, exchangeLanes(b, bit), bit);
            row[i + bit] = chooseLanes(exchangeLanes(a, bit), b, bit);
        }
    }
}

/* A vector of columns of a transposed B; `columns` of them are there. */
static void packTransposed(int64_t k, int columns, const lane_t *b, int64_t stride, lane_t *to,
                           int64_t width)
{
    for (int64_t p = 0; p < k; p += LANES, to += LANES * width) {
        const int rows = k - p < LANES ? (int)(k - p) : LANES;
        Words row[LANES];
#pragma GCC unroll 16
        for (int j = 0; j < LANES; j++)
            row[j] = j < columns ? loadPart(b + j * stride + p, rows) : (Words){0};
        transposeLanes(row);
        for (int i = 0; i < rows; i++)
            *(Words *)(void *)(to + i * width) = row[i];
    }
}

/* A strip of `columns` columns of B, with zeros behind them. */
static void packStrip(const THGemm *gemm, const lane_t *b, int64_t columns, lane_t *to,
                      int64_t width)
{
    const int64_t bRow = gemm->bRow, bColumn = gemm->bColumn;
    if (bRow == 1 && bColumn != 1) {
        for (int64_t j = 0; j < width; j += LANES)
            packTransposed(gemm->k, (int)(columns - j < LANES ? columns - j : LANES),
                           b + j * bColumn, bColumn, to + j, width);
        return;
    }
    for (int64_t p = 0; p < gemm->k; p++, b += bRow, to += width) {
        for (int64_t j = 0; j < columns; j++)
            to[j] = b[j * bColumn];
        for (int64_t j = columns; j < width; j++)
            to[j] = 0;
    }
}

static void multiplyOne(const THGemm *gemm, Tiles tiles, lane_t *packed)
{
    const lane_t *const a = tiles.a, *const b = tiles.b;
    lane_t *const c = tiles.c;
    const int64_t m = gemm->m;
    int parts = 0;
    for (int64_t column = 0; column < gemm->n; column += parts * LANES) {
        const int64_t columns = gemm->n - column;
        parts = columns <= LANES ? 1 : columns <= 2 * LANES || m > TILE_ROWS / 2 ? 2 : 4;
        if (columns <= 3 * LANES && parts == 4)
            parts = 2;
        const int64_t width = parts * LANES,
                      row = m > TILE_ROWS / 2 || parts < 4 ? TILE_ROWS : TILE_ROWS / 2;
        tiles.last = columns >= width ? LANES : (int)(columns - width + LANES);
        tiles.b = b + column * gemm->bColumn;
        if (packed != NULL) {
            packStrip(gemm, tiles.b, columns < width ? columns : width, packed, width);
            tiles.b = packed;
            tiles.bRow = width;
        }
        for (int64_t i = 0; i < m; i += row) {
            tiles.a = a + i * gemm->aRow;
            tiles.c = c + i * gemm->cRow + column;
            tileOf[parts - 1][(m - i < row ? m - i : row) - 1](&tiles);
        }
    }
}

static void LINEAR(multiply)(const THGemm *gemm, int64_t count, int64_t aStep, int64_t bStep,
                             int64_t cStep)
{
    _Alignas(64) lane_t packed[TH_LINEAR_DEPTH * TILE_PARTS * LANES];
    const bool packs =
        gemm->bColumn != 1 || (!LANES_MASKED && gemm->n % LANES != 0) || gemm->m >= PACKED_ROWS;
    Tiles tiles = {.k = gemm->k,
                   .aRow = gemm->aRow,
                   .aColumn = gemm->aColumn,
                   .bRow = gemm->bRow,
                   .cRow = gemm->cRow,
                   .fresh = gemm->fresh,
                   .alpha = *(const lane_t *)gemm->alpha,
                   .beta = gemm->fresh ? 0 : *(const lane_t *)gemm->beta};
    tiles.plain = gemm->fresh && tiles.alpha == 1;
    for (int64_t i = 0; i < count; i++) {
        tiles.a = (const lane_t *)gemm->a + i * aStep;
        tiles.b = (const lane_t *)gemm->b + i * bStep;
        tiles.c = (lane_t *)gemm->c + i * cStep;
        multiplyOne(gemm, tiles, packs ? packed : NULL);
    }
}

/* ---- vectors ---- */

INLINE lane_t dotChunk(int64_t n, const lane_t *x, const lane_t *y)
{
    Words sum[DOT_PARTS] = {{0}};
    int64_t i = 0;
    for (; i + DOT_PARTS * LANES <= n; i += DOT_PARTS * LANES) {
#pragma GCC unroll 4 /* DOT_PARTS */
        for (int part = 0; part < DOT_PARTS; part++)
            sum[part] =
                fused(loadRow(x + i + part * LANES), loadRow(y + i + part * LANES), sum[part]);
    }
    for (; i + LANES <= n; i += LANES)
        sum[0] = fused(loadRow(x + i), loadRow(y + i), sum[0]);
    if (i < n)
        sum[1] = fused(loadPart(x + i, (int)(n - i)), loadPart(y + i, (int)(n - i)), sum[1]);
    return sumLanes((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

static double LINEAR(dot)(int64_t n, const void *x, const void *y)
{
    double total = 0;
    for (int64_t i = 0; i < n; i += TH_LINEAR_CHUNK)
        total += (double)dotChunk(n - i < TH_LINEAR_CHUNK ? n - i : TH_LINEAR_CHUNK,
                                  (const lane_t *)x + i, (const lane_t *)y + i);
    return total;
}

/* Four sums at once: one would wait for itself. */
static double LINEAR(dotStrided)(int64_t n, const void *xs, int64_t xStride, const void *ys,
                                 int64_t yStride)
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
    return total;
}

/* Lanes i and i ^ bit added: lanes without the bit are a's, those with it b's. */
INLINE Words addPairs(Words a, Words b, int bit)
{
    return chooseLanes(a, b, bit) + exchangeLanes(chooseLanes(b, a, bit), bit);
}

/* Sums of GROUP short rows, one in each lane. */
#define GROUP (LANES < 8 ? LANES : 8)
INLINE Words sumGroup(int64_t k, const lane_t *a, int64_t stride, const lane_t *x)
{
    Words sum[GROUP];
    const int rest = (int)(k % LANES);
    const Words last = loadPart(x + k - rest, rest);
#pragma GCC unroll 8 /* GROUP */
    for (int i = 0; i < GROUP; i++)
        sum[i] = loadPart(a + i * stride + k - rest, rest) * last;
    for (int64_t j = 0; j + LANES <= k; j += LANES) {
        const Words factor = loadRow(x + j);
#pragma GCC unroll 8 /* GROUP */
        for (int i = 0; i < GROUP; i++)
            sum[i] = fused(loadRow(a + i * stride + j), factor, sum[i]);
    }
#pragma GCC unroll 3
    for (int bit = 1; bit < GROUP; bit *= 2) {
#pragma GCC unroll 8 /* GROUP */
        for (int i = 0; i < GROUP; i += 2 * bit)
            sum[i] = addPairs(sum[i], sum[i + bit], bit);
    }
#if LANES == 16
    sum[0] += exchangeLanes(sum[0], 8);
#endif
    return sum[0];
}

static void LINEAR(rows)(int64_t rows, int64_t k, const void *a, int64_t stride, const void *x,
                         void *sums)
{
    const lane_t *row = a;
    lane_t *sum = sums;
    int64_t i = 0;
    for (; k <= TH_LINEAR_SHORT && i + GROUP <= rows; i += GROUP)
        storePart(sum + i, sumGroup(k, row + i * stride, stride, x), GROUP);
    for (; k > TH_LINEAR_SHORT && i < rows; i++)
        sum[i] = (lane_t)LINEAR(dot)(k, row + i * stride, x);
    if (i < rows) { /* what is left of short ones: the last again for those that are not there */
        lane_t lines[GROUP * TH_LINEAR_SHORT];
        const int64_t left = rows - i;
        for (int64_t line = 0; line < GROUP; line++)
            memcpy(lines + line * k, row + (i + (line < left ? line : left - 1)) * stride,
                   (size_t)k * sizeof(lane_t));
        storePart(sum + i, sumGroup(k, lines, k, x), (int)left);
    }
}

/* Sums of columns that fit registers, four rows apart: one would wait for itself. */
INLINE void narrowColumns(int parts, int64_t rows, int64_t n, const lane_t *a, int64_t stride,
                          const lane_t *x, lane_t *sums)
{
    const int last = (int)(n - (parts - 1) * LANES);
    Words sum[4][2] = {{{0}}};
    int64_t i = 0;
    for (; i + 4 <= rows; i += 4, a += 4 * stride) {
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) {
            const Words factor = spread(x[i + r]);
            if (parts == 2)
                sum[r][1] = fused(factor, loadRow(a + r * stride), sum[r][1]);
            sum[r][0] =
                fused(factor, loadPart(a + r * stride + (parts - 1) * LANES, last), sum[r][0]);
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

/* `rows` is a constant. */
INLINE void addRows(int rows, int64_t n, const lane_t *a, int64_t stride, const lane_t *x,
                    lane_t *sums)
{
    Words factor[4];
#pragma GCC unroll 4
    for (int i = 0; i < rows; i++)
        factor[i] = spread(x[i]);
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES) {
        Words sum = loadRow(sums + j);
#pragma GCC unroll 4
        for (int i = 0; i < rows; i++)
            sum = fused(factor[i], loadRow(a + i * stride + j), sum);
        *(Words *)(void *)(sums + j) = sum;
    }
    if (j == n)
        return;
    Words sum = loadPart(sums + j, (int)(n - j));
#pragma GCC unroll 4
    for (int i = 0; i < rows; i++)
        sum = fused(factor[i], loadPart(a + i * stride + j, (int)(n - j)), sum);
    storePart(sums + j, sum, (int)(n - j));
}

static void LINEAR(columns)(int64_t rows, int64_t n, const void *a, int64_t stride, const void *x,
                            void *sums)
{
    int64_t i = 0;
    if (LANES_MASKED && n <= LANES) {
        narrowColumns(1, rows, n, a, stride, x, sums);
        return;
    }
    if (LANES_MASKED && n <= 2 * LANES) {
        narrowColumns(2, rows, n, a, stride, x, sums);
        return;
    }
    memset(sums, 0, (size_t)n * sizeof(lane_t));
    for (; i + 4 <= rows; i += 4)
        addRows(4, n, (const lane_t *)a + i * stride, stride, (const lane_t *)x + i, sums);
    for (; i < rows; i++)
        addRows(1, n, (const lane_t *)a + i * stride, stride, (const lane_t *)x + i, sums);
}

const THLinearLoops LINEAR(loops)[1] = {
    {LINEAR(multiply), LINEAR(dot), LINEAR(dotStrided), LINEAR(rows), LINEAR(columns)}};
