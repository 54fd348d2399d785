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
/* B is packed in blocks of so many vectors of columns where it is more than so many bytes: else its
 * rows, far from each other, are fetched too late and share few sets of the cache. */
#define PACK_PARTS 4
#define PACK_BYTES 16384
#define PACK_AHEAD 8
#define PREFETCH_DEPTH 16 /* terms during which what is written comes near */
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
    int64_t aRow, aColumn, bRow, bPart, cRow; /* bPart: from a vector of columns to the next */
    const char *ahead, *end, *then, *thenEnd; /* what is asked for meanwhile: a line in each step */
    int64_t step;
    int last;          /* lanes of the last vector of columns */
    bool plain, fresh; /* plain: nothing but the product is stored */
    lane_t alpha, beta;
} Tiles;
typedef void Tile(const Tiles *tiles);

/* A part of a product. */
typedef struct Block {
    int64_t m, n, k, bRow, bColumn;
    const lane_t *a, *b;
    lane_t *c;
} Block;

INLINE void putTile(const Tiles *tiles, lane_t *c, Words sum, int count)
{
    sum *= spread(tiles->alpha);
    if (!tiles->fresh)
        sum = fused(spread(tiles->beta), loadPart(c, count), sum);
    storePart(c, sum, count);
}

/* `rows` and `parts` are constants. */
INLINE void sumTile(int rows, int parts, const Tiles *tiles)
{
    const int64_t k = tiles->k, aRow = tiles->aRow, aColumn = tiles->aColumn;
    const int64_t bRow = tiles->bRow, bPart = tiles->bPart;
    const lane_t *a = tiles->a, *b = tiles->b;
    const int64_t step = tiles->step;
    const char *ahead = tiles->ahead;
    const int last = tiles->last;
    Words sum[TILE_ROWS][TILE_PARTS];
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++) {
#pragma GCC unroll 4
        for (int part = 0; part < parts; part++) {
            sum[i][part] = (Words){0};
            if (k >= PREFETCH_DEPTH)
                __builtin_prefetch(tiles->c + i * tiles->cRow + part * LANES, 1);
        }
    }
    for (int64_t p = 0; p < k; p++, a += aColumn, b += bRow, ahead += step) {
        Words row[TILE_PARTS];
        __builtin_prefetch(ahead);
#pragma GCC unroll 4
        for (int part = 0; part < parts - 1; part++)
            row[part] = loadRow(b + part * bPart);
        row[parts - 1] = LANES_MASKED ? loadPart(b + (parts - 1) * bPart, last)
                                      : loadRow(b + (parts - 1) * bPart);
#pragma GCC unroll 8
        for (int i = 0; i < rows; i++) {
            const Words x = spread(a[i * aRow]);
#pragma GCC unroll 4
            for (int part = 0; part < parts; part++)
                sum[i][part] = fused(x, row[part], sum[i][part]);
        }
    }
    lane_t *c = tiles->c;
    const int64_t cRow = tiles->cRow; /* here, since what is stored might be tiles */
    const bool plain = tiles->plain;
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++, c += cRow) {
#pragma GCC unroll 4
        for (int part = 0; part < parts; part++) {
            const int count = part < parts - 1 ? LANES : last;
            if (TH_LIKELY(plain))
                storePart(c + part * LANES, sum[i][part], count);
            else
                putTile(tiles, c + part * LANES, sum[i][part], count);
        }
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

/* A panel of a B whose columns are lines: LANES of them, `columns` are there. */
static void packTransposed(int64_t k, int columns, const lane_t *b, int64_t stride, lane_t *to)
{
    for (int64_t p = 0; p < k; p += LANES, to += LANES * LANES) {
        const int rows = k - p < LANES ? (int)(k - p) : LANES;
        Words row[LANES];
#pragma GCC unroll 16
        for (int j = 0; j < LANES; j++)
            row[j] = j < columns ? loadPart(b + j * stride + p, rows) : (Words){0};
        transposeLanes(row);
        for (int i = 0; i < rows; i++)
            *(Words *)(void *)(to + i * LANES) = row[i];
    }
}

/* Panels of LANES columns, each (k, LANES), with zeros behind the last column. */
static void pack(const Block *block, lane_t *to)
{
    const int64_t k = block->k, bRow = block->bRow, bColumn = block->bColumn;
    const int64_t whole = block->n / LANES;
    const int rest = (int)(block->n % LANES);
    if (bColumn != 1 && bRow == 1) {
        for (int64_t j = 0; j < block->n; j += LANES, to += k * LANES)
            packTransposed(k, block->n - j < LANES ? rest : LANES, block->b + j * bColumn, bColumn,
                           to);
        return;
    }
    for (int64_t p = 0; p < k; p++, to += LANES) {
        const lane_t *b = block->b + p * bRow;
        const int64_t ahead = (k - p > PACK_AHEAD ? PACK_AHEAD : 0) * bRow;
        for (int64_t v = 0; v < whole && bColumn == 1; v++) {
            __builtin_prefetch(b + ahead + v * LANES);
            *(Words *)(void *)(to + v * k * LANES) = loadRow(b + v * LANES);
        }
        if (rest > 0 && bColumn == 1)
            *(Words *)(void *)(to + whole * k * LANES) = loadPart(b + whole * LANES, rest);
        for (int64_t j = 0; j < (whole + (rest > 0)) * LANES && bColumn != 1; j++)
            to[j / LANES * k * LANES + j % LANES] = j < block->n ? b[j * bColumn] : 0;
    }
}

/* Of the next product A, then B, then nothing. */
INLINE void askOn(Tiles *tiles)
{
    tiles->ahead += tiles->k * tiles->step;
    if (tiles->ahead < tiles->end)
        return;
    tiles->ahead = tiles->then;
    tiles->end = tiles->thenEnd;
    tiles->then = tiles->thenEnd = (const char *)tiles->c;
    if (tiles->ahead == tiles->then)
        tiles->step = 0;
}

static void askForNext(Tiles *tiles, const THGemm *gemm, const Block *block, bool isLast)
{
    const lane_t *a = block->a + gemm->aStep, *b = block->b + gemm->bStep;
    tiles->step = isLast ? 0 : 64;
    tiles->ahead = (const char *)(isLast ? block->a : a);
    tiles->end = (const char *)(a + (gemm->aStep ? gemm->m * gemm->k : 0));
    tiles->then = (const char *)b;
    tiles->thenEnd = (const char *)(b + (gemm->bStep ? gemm->n * gemm->k : 0));
}

/* The tiles of a block, whose B the first-level cache keeps while all rows of A pass. */
static void multiplyBlock(const Block *block, Tiles *tiles)
{
    const int64_t m = block->m, few = TILE_ROWS / 2;
    int parts = 0;
    for (int64_t column = 0; column < block->n; column += parts * LANES) {
        const int64_t columns = block->n - column;
        parts = columns <= LANES ? 1 : columns <= 3 * LANES || m > few ? 2 : 4;
        const int64_t rows = parts == 4 ? few : TILE_ROWS, width = parts * LANES;
        const int64_t panel = column / LANES * tiles->bPart;
        tiles->last = columns >= width ? LANES : (int)(columns - width + LANES);
        for (int64_t i = 0; i < m; i += rows) {
            tiles->a = block->a + i * tiles->aRow;
            tiles->b = block->b + panel;
            tiles->c = block->c + i * tiles->cRow + column;
            tileOf[parts - 1][(m - i < rows ? m - i : rows) - 1](tiles);
            askOn(tiles);
        }
    }
}

/* A product, in blocks of k and, where B is packed, of columns. */
static void multiplyOne(const THGemm *gemm, const Block *whole, Tiles *tiles, lane_t *packed)
{
    const lane_t beta = tiles->beta;
    const bool plain = tiles->plain, fresh = tiles->fresh;
    const int64_t wide = packed ? PACK_PARTS * LANES : gemm->n;
    for (int64_t column = 0; column < gemm->n; column += wide) {
        for (int64_t p = 0; p < gemm->k; p += TH_LINEAR_DEPTH) {
            Block block = *whole;
            block.n = gemm->n - column < wide ? gemm->n - column : wide;
            block.k = gemm->k - p < TH_LINEAR_DEPTH ? gemm->k - p : TH_LINEAR_DEPTH;
            block.a += p * gemm->aColumn;
            block.b += p * gemm->bRow + column * gemm->bColumn;
            block.c += column;
            tiles->k = block.k;
            tiles->beta = p > 0 ? 1 : beta;
            tiles->plain = p == 0 && plain;
            tiles->fresh = p == 0 && fresh;
            if (packed) {
                pack(&block, packed);
                block.b = packed;
                tiles->bRow = LANES;
                tiles->bPart = block.k * LANES;
            }
            multiplyBlock(&block, tiles);
        }
        tiles->beta = beta;
        tiles->plain = plain;
        tiles->fresh = fresh;
    }
}

static void LINEAR(multiply)(const THGemm *gemm, int64_t count)
{
    _Alignas(64) lane_t packed[TH_LINEAR_DEPTH * PACK_PARTS * LANES];
    const int64_t bytes = gemm->k * gemm->n * LANE_BYTES;
    const bool packs = gemm->bColumn != 1 || (!LANES_MASKED && gemm->n % LANES != 0) ||
                       (gemm->m > TILE_ROWS && bytes > PACK_BYTES);
    Block block = {gemm->m, gemm->n, gemm->k, gemm->bRow, gemm->bColumn, gemm->a, gemm->b, gemm->c};
    Tiles tiles = {.aRow = gemm->aRow,
                   .aColumn = gemm->aColumn,
                   .bRow = gemm->bRow,
                   .bPart = LANES,
                   .cRow = gemm->cRow,
                   .fresh = gemm->fresh,
                   .alpha = *(const lane_t *)gemm->alpha,
                   .beta = gemm->fresh ? 0 : *(const lane_t *)gemm->beta};
    tiles.plain = gemm->fresh && tiles.alpha == 1;
    for (int64_t i = 0; i < count; i++) {
        askForNext(&tiles, gemm, &block, i + 1 == count);
        multiplyOne(gemm, &block, &tiles, packs ? packed : NULL);
        block.a += gemm->aStep;
        block.b += gemm->bStep;
        block.c += gemm->cStep;
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

/* Chunks of GROUP rows times x, one in each lane; where they are not `whole`, a constant, but
 * `left` rows, the last one stands for those that are missing. */
#define GROUP (LANES < 8 ? LANES : 8)
INLINE Words sumGroup(bool whole, int64_t k, const lane_t *a, int64_t stride, int64_t left,
                      const lane_t *x)
{
    Words sum[GROUP];
    const lane_t *row[GROUP];
    const int rest = (int)(k % LANES);
    const Words last = loadPart(x + k - rest, rest);
#pragma GCC unroll 8 /* GROUP */
    for (int i = 0; i < GROUP; i++) {
        row[i] = a + (whole || i < left ? i : left - 1) * stride;
        sum[i] = loadPart(row[i] + k - rest, rest) * last;
    }
    for (int64_t j = 0; j + LANES <= k; j += LANES) {
        const Words factor = loadRow(x + j);
#pragma GCC unroll 8 /* GROUP */
        for (int i = 0; i < GROUP; i++)
            sum[i] = fused(loadRow(row[i] + j), factor, sum[i]);
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

/* Rows of such a length that compilers have vectors of their elements in few steps. */
static bool sumAsFew(int64_t rows, int64_t k, const lane_t *a, const lane_t *x, lane_t *sums)
{
    switch (k) {
    case 2:
        sumFew(2, rows, a, x, sums);
        return true;
    case 3:
        sumFew(3, rows, a, x, sums);
        return true;
    case 4:
        sumFew(4, rows, a, x, sums);
        return true;
    case 8:
        sumFew(8, rows, a, x, sums);
        return true;
    default:
        return false;
    }
}

static void LINEAR(rows)(int64_t rows, int64_t k, const void *a, int64_t stride, const void *x,
                         void *sums)
{
    if (stride == k && sumAsFew(rows, k, a, x, sums))
        return;
    for (int64_t i = 0; i < rows; i += GROUP) {
        const lane_t *row = (const lane_t *)a + i * stride;
        const int64_t left = rows - i < GROUP ? rows - i : GROUP;
        lane_t *sum = (lane_t *)sums + i;
        if (k <= TH_LINEAR_CHUNK && left == GROUP) {
            storePart(sum, sumGroup(true, k, row, stride, GROUP, x), GROUP);
            continue;
        }
        if (k <= TH_LINEAR_CHUNK) {
            storePart(sum, sumGroup(false, k, row, stride, left, x), (int)left);
            continue;
        }
        double total[GROUP] = {0};
        for (int64_t j = 0; j < k; j += TH_LINEAR_CHUNK) {
            const int64_t count = k - j < TH_LINEAR_CHUNK ? k - j : TH_LINEAR_CHUNK;
            const Words part = sumGroup(false, count, row + j, stride, left, (const lane_t *)x + j);
            for (int lane = 0; lane < GROUP; lane++)
                total[lane] += (double)part[lane];
        }
        for (int64_t lane = 0; lane < left; lane++)
            sum[lane] = (lane_t)total[lane];
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

static void LINEAR(columns)(int64_t rows, int64_t n, const void *data, int64_t stride,
                            const void *xs, void *sums)
{
    const lane_t *a = data, *x = xs;
    if (LANES_MASKED && n <= 2 * LANES) {
        if (n <= LANES)
            narrowColumns(1, rows, n, a, stride, x, sums);
        else
            narrowColumns(2, rows, n, a, stride, x, sums);
        return;
    }
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

const THLinearLoops LINEAR(loops)[1] = {
    {LINEAR(multiply), LINEAR(dot), LINEAR(dotStrided), LINEAR(rows), LINEAR(columns)}};
