/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to linear.h: products of matrices. A tile of C is summed in registers, rows of it times
 * vectors of columns, while B is read as it lies or from panels; so each element is summed in the
 * order of k, wherever its tile begins. */
/* Registers for sums: rows times vectors, beside the row of B that they are multiplied with. */
#if VECTOR_BYTES == 64
#define TILE_ROWS 8
#else
#define TILE_ROWS 4
#endif
#define TILE_PARTS 4
/* B is packed where it is more than so many bytes, terms and vectors of columns: else its rows, far
 * from each other, are fetched too late and share few sets of the cache. A packed block has so many
 * vectors of columns of TH_LINEAR_DEPTH terms, or more of fewer. */
#define PACK_BYTES 16384
#define PACK_DEPTH 32
#define PACK_PARTS 4
#define PACK_AHEAD 8
#define STRIP_BYTES 24576 /* of B that the first-level cache keeps */
#define PREFETCH_DEPTH 16 /* terms during which what is written comes near */

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

/* A tile's vectors of columns, for which `columns` are left. */
INLINE int partsOf(int64_t m, int64_t columns)
{
    return columns <= LANES ? 1 : columns <= 3 * LANES || m > TILE_ROWS / 2 ? 2 : 4;
}

/* The tiles of `rows` rows of a block and of `parts` vectors of columns. */
static void multiplyTile(const Block *block, Tiles *tiles, int64_t row, int64_t column, int parts)
{
    const int64_t few = TILE_ROWS / 2, rows = parts == 4 ? few : TILE_ROWS;
    const int64_t left = block->m - row, columns = block->n - column, width = parts * LANES;
    tiles->last = columns >= width ? LANES : (int)(columns - width + LANES);
    tiles->a = block->a + row * tiles->aRow;
    tiles->b = block->b + column / LANES * tiles->bPart;
    tiles->c = block->c + row * tiles->cRow + column;
    tileOf[parts - 1][(left < rows ? left : rows) - 1](tiles);
    askOn(tiles);
}

/* The tiles of a block, in strips of columns whose B the first-level cache keeps while the rows of
 * A pass. Tiles of few rows are wider than what strips are multiples of. */
static void multiplyBlock(const Block *block, Tiles *tiles)
{
    const int64_t m = block->m, n = block->n;
    const int64_t pairs = STRIP_BYTES / (block->k * 2 * VECTOR_BYTES) + 1;
    const int64_t wide = m > TILE_ROWS ? pairs * 2 * LANES : n;
    for (int64_t strip = 0; strip < n; strip += wide) {
        const int64_t end = n - strip < wide ? n : strip + wide;
        for (int64_t i = 0; i < m; i += TILE_ROWS) {
            int parts = 0;
            for (int64_t column = strip; column < end; column += parts * LANES) {
                parts = partsOf(m, n - column);
                multiplyTile(block, tiles, i, column, parts);
            }
        }
    }
}

/* A product, in blocks of k and, where B is packed, of columns. */
static void multiplyOne(const THGemm *gemm, const Block *whole, Tiles *tiles, lane_t *packed)
{
    const lane_t beta = tiles->beta;
    const bool plain = tiles->plain, fresh = tiles->fresh;
    const int64_t blocks = (gemm->k - 1) / TH_LINEAR_DEPTH + 1;
    const int64_t depth = (gemm->k - 1) / blocks + 1;
    const int64_t room = TH_LINEAR_DEPTH / depth * PACK_PARTS * LANES;
    const int64_t wide = packed ? room : gemm->n;
    for (int64_t column = 0; column < gemm->n; column += wide) {
        for (int64_t p = 0; p < gemm->k; p += depth) {
            Block block = *whole;
            block.n = gemm->n - column < wide ? gemm->n - column : wide;
            block.k = gemm->k - p < depth ? gemm->k - p : depth;
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
                       (gemm->m > TILE_ROWS && bytes > PACK_BYTES && gemm->k > PACK_DEPTH &&
                        gemm->n > PACK_PARTS * LANES);
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
