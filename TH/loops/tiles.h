/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to linear.h: products of matrices, by tiles (tile.h) of blocks, whose A and B are packed
 * where that is worth it. */
#include <TH/THMachine.h>
#include <TH/engine/THMove.h>
#include <TH/loops/tile.h>

/* Tiles of half the rows are whole rows of C, where it has no more and its B, so many bytes at
 * most, stays near. Machines look ahead of such; tiles of more rows leave lines for later. */
#define LOW_BYTES 24576
/* Rows that some columns take before the next ones: few where they are long, since machines foresee
 * what is written to few pages. */
#define RUN_ROWS 64
#define RUN_BYTES 32768
/* B is packed where it is more than so many bytes, terms and vectors of columns: else its rows, far
 * from each other, are fetched too late and share few sets of the cache. It is not worth it for few
 * elements of A, unless B is larger still. A packed block has so many vectors of columns of
 * TH_LINEAR_DEPTH terms, or more of fewer. Intel's first-level cache has more ways and gets
 * what is missing in time while the second-level one has it (128 x 128 float64: 61 us, so 53), nor
 * do fewer rows than PACK_ROWS read what is packed often enough there, if the next strip of a B so
 * large that it may be missing is asked for (32 x 512 by 512 x 512 float32: 155 us, so 104; 24 x
 * 4096 by 4096 x 1024 2.4 ms, so 2.0), unless rows are so many bytes apart that they share few sets
 * there, too (128 x 1024 by 1024 x 1024 float64: 5.6 ms, packed 4.2). */
#define PACK_ROWS (THMachine_asksForWrites ? 320 : TH_LINEAR_LOW)
#define PACK_APART_ROWS 32
#define PACK_APART 8192
#define STRIPS_FAR (1 << 20)
#define PACK_BYTES (THMachine_asksForWrites ? 1 << 19 : 1 << 14)
#define PACK_DEPTH 32
#define PACK_WORTH 4608
#define PACK_FAR (1 << 18)
#define PACK_PARTS 6        /* whole tiles */
#define PACK_MOST (1 << 22) /* bytes that are packed at once */
#define PACK_AHEAD 8
#define TINY 64 /* multiplications that packing is not worth */
/* Elements of a result, and their terms, that vectors are not worth. */
#define LEAST_ELEMENTS 4
#define LEAST_TERMS 3
#if defined(__FMA__)
#define FUSED(x, y, z) _Generic((x), double: __builtin_fma, default: __builtin_fmaf)(x, y, z)
#else
#define FUSED(x, y, z) ((z) + (x) * (y))
#endif
/* A is packed where its columns are lines, that is with more terms and columns than these. */
#define PACK_LINES 64
#define PACK_TERMS 8                 /* of a tile that are packed before the next tile's */
#define BLOCK_ROWS 256               /* whose terms of a block the second-level cache keeps */
#define STRIP_BYTES 24576            /* of B that the first-level cache keeps */
#define FAR_DEPTH (128 / LANE_BYTES) /* terms of a block of a B that is far: row after row */
/* Bytes of A and B of a tall product that the first-level cache keeps for all its tiles, and terms
 * at least; it keeps none where these are twice too many. */
#define TALL_BYTES 32768
#define TALL_LEAST 64
#define PREFETCH_DEPTH 16 /* terms during which what is written comes near */
/* Tiles until then, of fewer terms, where C is written in order (16 columns of 250000 float64 by 16
 * x 16: 4.6 ms, so 1.9; EPYC 9005). */
#define SOON_TILES 8
#define TERMS_FAR (1 << 18) /* bytes of a B whose blocks of terms are asked for */
/* Bytes of rows from which on these are asked for, as are those of C where a vector has few of
 * them: loads and stores of some lanes do not make the machine look ahead (650000 x 3 by 3 x 3
 * float64: 2.2 ms, so .58; x 8 by 8 x 4 5.2, so 1.3; EPYC 9005). */
#define FAR_ROWS (4 << 20)
#define DEEP_FAR (1 << 18) /* ... of both matrices of a part of a tall product, ... */
#define DEEP_ASKED 2048    /* ... of each of these, so many ahead */
#define ASKED_COLUMN 1024  /* ... of each column of A, so many ahead */
#define ASKED_ROW 512      /* ... of a row of A after which the next ones are asked for, at most */
#define SELF_FAR (1 << 20) /* bytes of a self that the second-level cache does not keep */

/* How many bytes ahead such rows are asked for; machines that are asked for no other stream do not
 * look ahead of these either (1250000 x 8 by 8 x 3 float64: 12 ms, so 5.0; EPYC 7003). */
#define ROWS_AHEAD (THMachine_readAhead > 0 ? THMachine_readAhead : 4096)

/* A part of a product; of its first row the columns up to `diagonal` are wanted, of each row after
 * one more. */
#define EVERY_COLUMN (INT64_MAX / 2)
typedef struct Block {
    int64_t m, n, k, bRow, bColumn, selfRow;
    const lane_t *a, *b, *self;
    lane_t *c;
    int64_t diagonal;
} Block;

/* Panels of LANES columns, each (k, LANES), with zeros behind the last column. */
static void pack(const Block *block, lane_t *to)
{
    const int64_t k = block->k, bRow = block->bRow, bColumn = block->bColumn;
    const int64_t whole = block->n / LANES;
    const int rest = (int)(block->n % LANES);
    if (bColumn != 1 && bRow == 1) {
        for (int64_t j = 0; j < block->n; j += LANES, to += k * LANES)
            turnLines(k, block->n - j < LANES ? rest : LANES, block->b + j * bColumn, bColumn, to,
                      LANES, LANES);
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
        for (int64_t v = 0; v < whole && bColumn != 1; v++, b += LANES * bColumn)
            for (int lane = 0; lane < LANES; lane++)
                to[v * k * LANES + lane] = b[lane * bColumn];
        for (int lane = 0; lane < LANES && rest > 0 && bColumn != 1; lane++)
            to[whole * k * LANES + lane] = lane < rest ? b[lane * bColumn] : 0;
    }
}

/* Rows of an A whose columns are lines, (tile, k, row). Tiles may lie so far apart that their terms
 * of one row would share few sets of the cache. */
static void packRows(const Block *block, int64_t aColumn, lane_t *to)
{
    const int64_t k = block->k, rest = block->m % TILE_ROWS, whole = block->m - rest;
    for (int64_t p = 0; p < k; p += PACK_TERMS) {
        const int64_t end = k - p < PACK_TERMS ? k : p + PACK_TERMS;
        for (int64_t i = 0; i < whole; i += TILE_ROWS)
            for (int64_t q = p; q < end; q++)
                memcpy(to + i * k + q * TILE_ROWS, block->a + q * aColumn + i,
                       TILE_ROWS * LANE_BYTES);
        for (int64_t q = p; q < end; q++)
            for (int64_t i = 0; i < rest; i++)
                to[whole * k + q * TILE_ROWS + i] = block->a[q * aColumn + whole + i];
    }
}

/* Of the next product A, then B, then nothing. */
INLINE void askOn(Tiles *tiles)
{
    tiles->ahead += tiles->count * tiles->asked;
    if (tiles->ahead < tiles->end)
        return;
    tiles->ahead = tiles->then;
    tiles->end = tiles->thenEnd;
    tiles->then = tiles->thenEnd = (const char *)tiles->c;
    if (tiles->ahead == tiles->then)
        tiles->step = tiles->asked = 0;
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
INLINE int partsOf(int rows, int64_t columns)
{
    const int64_t left = (columns + LANES - 1) / LANES;
    if (LANES_MASKED && rows <= TILE_ROWS / 2)
        return left <= TILE_PARTS ? (int)left : 4;
    if (LANES_MASKED)
        return left == 4 ? 2 : left < WHOLE_PARTS ? (int)left : WHOLE_PARTS;
    if (rows <= TILE_ROWS / 2)
        return left == 1 ? 1 : left <= 3 ? 2 : 4;
    return left == 1 ? 1 : rows == TILE_ROWS && left != 2 && left != 4 ? WHOLE_PARTS : 2;
}

/* How far from a tile of so many rows and columns that is which comes near to be written: it itself
 * where it has many terms, else the next one or, where a tile has all of the columns, a later one.
 */
INLINE int64_t soonWritten(const Tiles *tiles, int rows, int64_t width)
{
    if (tiles->k >= PREFETCH_DEPTH)
        return 0;
    if (tiles->count == 1)
        return width;
    return (tiles->cRow <= width ? SOON_TILES : 1) * rows * tiles->cRow;
}

/* Tiles of `rows` rows, `count` of them below each other, of the columns from `column` on; but for
 * those above the diagonal. */
INLINE void multiplyRows(const Block *block, Tiles *tiles, int64_t row, int rows, int count,
                         int64_t column, int64_t end)
{
    int parts;
    tiles->a = block->a + (tiles->isPacked ? row / TILE_ROWS * tiles->aTile : row * tiles->aRow);
    if (!tiles->isPacked)
        tiles->aTile = rows * tiles->aRow;
    tiles->count = count;
    for (; column < end; column += parts * LANES) {
        const int64_t above = column - block->diagonal - row;
        if (above >= rows) {
            const int64_t skipped = above / rows;
            if (skipped >= tiles->count)
                return;
            row += skipped * rows;
            tiles->a += skipped * tiles->aTile;
            tiles->count -= skipped;
        }
        parts = partsOf(rows, end - column);
        const int64_t left = end - column, width = parts * LANES;
        tiles->last = left >= width ? LANES : (int)(left - width + LANES);
        tiles->back = 0;
        if (!LANES_MASKED && !tiles->hasPanels) {
            /* columns that were, or are, multiplied already */
            const bool twice = parts > 1 || (column > 0 && tiles->fresh);
            tiles->back = twice ? LANES - tiles->last : 0;
            tiles->last += tiles->back;
        }
        tiles->b = block->b + column / LANES * tiles->bPart;
        tiles->c = block->c + row * tiles->cRow + column;
        tiles->soon = soonWritten(tiles, rows, width);
        tiles->self = tiles->copiesSelf ? tiles->c : block->self + row * block->selfRow + column;
        const bool half = LANES_HALVED && tiles->last <= LANES / 2;
        if (tiles->isDeep)
            deepOf[half][rows - 1](tiles);
        else
            tileOf[half][parts - 1][rows - 1](tiles);
        askOn(tiles);
    }
}

/* Rows of a block: those of tiles of all the rows evenly, where they may be, as one that is left
 * takes as long as several. */
INLINE void multiplyRun(const Block *block, Tiles *tiles, int64_t row, int rows, int64_t column,
                        int64_t end)
{
    const int high = tiles->high;
    if (rows <= high) {
        multiplyRows(block, tiles, row, rows, 1, column, end);
        return;
    }
    if (LANES_MASKED && high == TILE_ROWS && !tiles->isPacked) {
        const int count = (rows - 1) / TILE_ROWS + 1, each = rows / count, more = rows % count;
        if (more > 0)
            multiplyRows(block, tiles, row, each + 1, more, column, end);
        multiplyRows(block, tiles, row + more * (each + 1), each, count - more, column, end);
        return;
    }
    const int rest = rows % high;
    multiplyRows(block, tiles, row, high, rows / high, column, end);
    if (rest > 0)
        multiplyRows(block, tiles, row + rows - rest, rest, 1, column, end);
}

/* Rows of a self that is far, in order, which machines look ahead of. */
static void copySelf(const Block *block, const Tiles *tiles, int64_t row, int rows, int64_t column,
                     int64_t end)
{
    const lane_t *from = block->self + row * block->selfRow + column;
    lane_t *to = block->c + row * tiles->cRow + column;
    int64_t n = end - column;
    if (n == block->selfRow && n == tiles->cRow) {
        n *= rows;
        rows = 1;
    }
    for (int i = 0; i < rows; i++, from += block->selfRow, to += tiles->cRow) {
        int64_t j = 0;
        for (; j + LANES <= n; j += LANES)
            storeRow(to + j, loadRow(from + j));
        if (j < n)
            storePart(to + j, loadPart(from + j, (int)(n - j)), (int)(n - j));
    }
}

/* Of the columns of B from `first` on, unless there are none. */
static void askForStrip(const Block *block, Tiles *tiles, int64_t first)
{
    const int64_t columns = block->n - first < tiles->strip ? block->n - first : tiles->strip;
    tiles->ahead = (const char *)(block->b + first);
    tiles->end = tiles->ahead + (columns > 0 ? columns * LANE_BYTES : 0);
    tiles->then = tiles->thenEnd = (const char *)tiles->c;
    tiles->step = columns > 0 ? block->bRow * LANE_BYTES : 0;
    tiles->asked = columns > 0 ? 64 : 0;
}

/* The tiles of a block, in strips of columns whose B the first-level cache keeps while the rows of
 * A pass. */
static void multiplyBlock(const Block *block, Tiles *tiles)
{
    const int64_t m = block->m, n = block->n, wide = tiles->strip, run = tiles->run;
    if (!tiles->asksRows)
        tiles->asked = tiles->k * tiles->step;
    for (int64_t strip = 0, end; strip < n; strip = end) {
        end = n - strip < wide + WHOLE_PARTS * LANES ? n : strip + wide;
        if (tiles->asksStrips)
            askForStrip(block, tiles, end);
        for (int64_t i = 0; i < m; i += run) {
            const int rows = (int)(m - i < run ? m - i : run);
            if (tiles->copiesSelf)
                copySelf(block, tiles, i, rows, strip, end);
            multiplyRun(block, tiles, i, rows, strip, end);
        }
    }
}

/* Room for what is packed of each; NULL where they are taken as they lie. */
typedef struct Packed {
    lane_t *a, *b;
    int64_t columns; /* of B that there is room for */
} Packed;

/* Of the terms from `next` on, of a B whose rows are adjacent, as many as a block has, and then of
 * an A whose columns are, if it is not B. */
static void askForTerms(Tiles *tiles, const THGemm *gemm, const Block *whole, int64_t next)
{
    const int64_t terms = THSize_min(gemm->k - next, tiles->k);
    const bool two = gemm->aRow == 1 && gemm->aColumn == gemm->m && whole->a != whole->b;
    const int64_t row = gemm->n * LANE_BYTES;
    tiles->ahead = (const char *)(whole->b + next * gemm->bRow);
    tiles->end = tiles->ahead + terms * row;
    tiles->then = two ? (const char *)(whole->a + next * gemm->aColumn) : (const char *)tiles->c;
    tiles->thenEnd = two ? tiles->then + terms * gemm->m * LANE_BYTES : tiles->then;
    tiles->step = terms == 0 ? 0 : THSize_min(row, 64);
}

/* Is what follows the rows of an A asked for, a tile of them by the terms of one, or of its
 * columns? Where these are far, and rows short, so that machines see many streams begin (208333 x
 * 24 by 24 x 8 float32: 1.8 ms, so .92; EPYC 9005); not of more columns of C than a tile has, as
 * these are read again. */
static bool asksRows(const THGemm *gemm, const Packed *packed)
{
    const bool lies =
        gemm->aColumn == 1 ? gemm->aRow == gemm->k : gemm->aRow == 1 && gemm->aColumn >= gemm->m;
    return packed->a == NULL && lies && gemm->n <= WHOLE_PARTS * LANES &&
           gemm->k * LANE_BYTES <= ASKED_ROW && !gemm->isFar &&
           gemm->m * gemm->k * LANE_BYTES >= FAR_ROWS;
}

static void askForRows(Tiles *tiles, const THGemm *gemm, const Block *whole, const lane_t *a)
{
    const int64_t tile = tiles->high * LANE_BYTES;
    const bool columns = gemm->aColumn != 1;
    const uintptr_t ahead = (uintptr_t)(columns ? ASKED_COLUMN : ROWS_AHEAD);
    tiles->ahead = (const char *)((uintptr_t)a + ahead);
    tiles->end = (const char *)(whole->a + (columns ? gemm->m : gemm->m * gemm->k));
    tiles->then = tiles->thenEnd = (const char *)tiles->c;
    tiles->step = columns ? gemm->aColumn * LANE_BYTES : tile;
    tiles->asked = columns ? tile : gemm->k * tile;
    tiles->asksRows = true;
}

/* A product, in blocks of terms, of columns where B is packed, and of rows. */
static void multiplyOne(const THGemm *gemm, const Block *whole, const Tiles *first, Packed packed)
{
    const int64_t depth = first->k, high = gemm->m > BLOCK_ROWS ? BLOCK_ROWS : gemm->m;
    const int64_t columns = THSize_min(gemm->n, gemm->m + whole->diagonal);
    Tiles tiles = *first;
    Block part = *whole;
    tiles.aColumn = packed.a ? TILE_ROWS : gemm->aColumn;
    const bool asks = !packed.a && !packed.b && gemm->bColumn == 1 && gemm->bRow == gemm->n &&
                      gemm->k * gemm->n * LANE_BYTES >= TERMS_FAR;
    const bool asksMore = asksRows(gemm, &packed);
    tiles.asksStrips = first->asksStrips && !(asks && gemm->isTall); /* or these would end those */
    for (int64_t p = 0; p < gemm->k; p += depth) {
        part.k = tiles.k = gemm->k - p < depth ? gemm->k - p : depth;
        tiles.aTile = part.k * TILE_ROWS;
        if (asks)
            askForTerms(&tiles, gemm, whole, p + part.k);
        for (int64_t column = 0; column < columns; column += packed.columns) {
            part.n = gemm->n - column < packed.columns ? gemm->n - column : packed.columns;
            part.b = whole->b + p * gemm->bRow + column * gemm->bColumn;
            if (packed.b) {
                pack(&part, packed.b);
                part.b = packed.b;
                tiles.bRow = LANES;
                tiles.bPart = part.k * LANES;
                tiles.hasPanels = true;
            }
            for (int64_t row = 0; row < gemm->m; row += high) {
                Block block = part;
                Tiles some = tiles;
                block.m = gemm->m - row < high ? gemm->m - row : high;
                block.a += row * gemm->aRow + p * gemm->aColumn;
                block.c += row * gemm->cRow + column;
                block.self += row * block.selfRow + column;
                block.diagonal += row - column;
                if (packed.a && (column == 0 || gemm->m > high))
                    packRows(&block, gemm->aColumn, packed.a);
                if (packed.a)
                    block.a = packed.a;
                if (asksMore)
                    askForRows(&some, gemm, whole, block.a);
                multiplyBlock(&block, &some);
            }
        }
        tiles.beta = 1;
        tiles.plain = tiles.fresh = tiles.copiesSelf = false;
        part.self = part.c;
        tiles.selfRow = part.selfRow = gemm->cRow;
    }
}

/* Terms of a block of a tall product that has several tiles. */
static int64_t tallTerms(const THGemm *gemm)
{
    const int64_t columns = gemm->a == gemm->b ? gemm->n : gemm->m + gemm->n;
    const int64_t near = TALL_BYTES / (columns * LANE_BYTES);
    return near >= TALL_LEAST ? near : near >= TALL_LEAST / 2 ? TALL_LEAST : 2 * TALL_LEAST;
}

/* Terms of a block, columns of a strip, rows of a run. */
static void divide(Tiles *tiles, const THGemm *gemm)
{
    const int64_t tile = WHOLE_PARTS * LANES;
    tiles->k = gemm->k;
    if (gemm->k > TH_LINEAR_DEPTH)
        tiles->k = (gemm->k - 1) / ((gemm->k - 1) / TH_LINEAR_DEPTH + 1) + 1;
    if (gemm->isFar)
        tiles->k = FAR_DEPTH;
    if (gemm->isTall && gemm->m > TILE_ROWS && gemm->aRow == 1)
        tiles->k = THSize_min(tiles->k, tallTerms(gemm));
    if (tiles->isDeep)
        tiles->k = THSize_min(gemm->k, DEEP_DEPTH);
    tiles->strip = gemm->n;
    tiles->run = RUN_ROWS;
    if (gemm->n * RUN_ROWS * LANE_BYTES > RUN_BYTES)
        tiles->run = RUN_BYTES / (gemm->n * LANE_BYTES) / TILE_ROWS * TILE_ROWS + TILE_ROWS;
    if (gemm->m > TILE_ROWS && gemm->n > tile)
        tiles->strip = (STRIP_BYTES / (tiles->k * tile * LANE_BYTES) + 1) * tile;
}

/* For whole tiles of A; without memory it is taken as it lies. */
static lane_t *roomOf(int64_t m, int64_t depth)
{
    const int64_t rows = m < BLOCK_ROWS ? (m + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS : BLOCK_ROWS;
    return THAlloc((size_t)(rows * depth) * LANE_BYTES);
}

/* For columns of B: PACK_PARTS vectors of them by TH_LINEAR_DEPTH terms, or more of fewer; where
 * several blocks of rows are multiplied with them, all, for as long as there is memory. */
static void makeRoom(Packed *packed, const THGemm *gemm, int64_t depth)
{
    const int64_t vectors = (gemm->n - 1) / LANES + 1, most = PACK_MOST / (depth * VECTOR_BYTES);
    const int64_t few = TH_LINEAR_DEPTH / depth * PACK_PARTS;
    const int64_t many = vectors < most ? vectors : most / WHOLE_PARTS * WHOLE_PARTS;
    lane_t *room = NULL;
    if (gemm->m > BLOCK_ROWS && many > few)
        room = THAlloc((size_t)(many * depth * VECTOR_BYTES));
    packed->columns = (room ? many : few) * LANES;
    if (room)
        packed->b = room;
}

/* Element by element: what is packed, or called for, in more time than it takes. Terms are added as
 * tiles add them. */
INLINE void multiplyTiny(const Tiles *tiles, const THGemm *gemm, const Block *block)
{
    for (int64_t i = 0; i < gemm->m; i++) {
        for (int64_t j = 0; j < gemm->n; j++) {
            const lane_t *a = block->a + i * gemm->aRow, *b = block->b + j * gemm->bColumn;
            const lane_t *self = block->self + i * gemm->selfRow + j;
            lane_t sum = 0;
            for (int64_t p = 0; p < gemm->k; p++)
                sum = FUSED(a[p * gemm->aColumn], b[p * gemm->bRow], sum);
            sum *= tiles->alpha;
            block->c[i * gemm->cRow + j] = tiles->fresh ? sum : tiles->beta * *self + sum;
        }
    }
}

/* Whether a self that is far is copied to C first, rows at a time: where tiles leave a part of
 * their rows for later, they would fetch it too late. */
static bool copiesSelf(const THGemm *gemm, bool low)
{
    return !gemm->fresh && gemm->self != gemm->c && gemm->m * gemm->n > TINY &&
           gemm->n > (low ? TILE_PARTS : WHOLE_PARTS) * LANES &&
           (gemm->selfStep * gemm->count + gemm->selfRow * gemm->m) * LANE_BYTES > SELF_FAR;
}

/* Whether A is packed. */
static bool packsFirst(const THGemm *gemm)
{
    return gemm->aRow == 1 && gemm->aColumn != 1 && gemm->m > TILE_ROWS && gemm->k > PACK_LINES &&
           gemm->n > PACK_LINES;
}

/* Whether B is. */
static bool packsSecond(const THGemm *gemm, int64_t bytes)
{
    const bool isApart = gemm->bRow * LANE_BYTES % PACK_APART == 0;
    const int64_t rows = isApart ? THSize_min(PACK_ROWS, PACK_APART_ROWS) : PACK_ROWS;
    return gemm->bColumn != 1 || (!LANES_PARTED && gemm->n % LANES != 0) ||
           (gemm->m > rows && bytes > PACK_BYTES && gemm->k > PACK_DEPTH && gemm->n > 4 * LANES &&
            (gemm->m * gemm->k > PACK_WORTH || bytes > PACK_FAR));
}

static Block wholeOf(const THGemm *gemm)
{
    return (Block){.m = gemm->m,
                   .n = gemm->n,
                   .k = gemm->k,
                   .bRow = gemm->bRow,
                   .bColumn = gemm->bColumn,
                   .selfRow = gemm->selfRow,
                   .a = gemm->a,
                   .b = gemm->b,
                   .self = gemm->self,
                   .c = gemm->c,
                   .diagonal = gemm->isLower ? gemm->diagonal : EVERY_COLUMN};
}

/* Of half the rows where `low`. */
static Tiles tilesOf(const THGemm *gemm, bool low, bool packsB)
{
    const bool copies = copiesSelf(gemm, low);
    Tiles tiles = {.aRow = gemm->aRow,
                   .aColumn = gemm->aColumn,
                   .bRow = gemm->bRow,
                   .bPart = LANES,
                   .cRow = gemm->cRow,
                   .selfRow = copies ? gemm->cRow : gemm->selfRow,
                   .copiesSelf = copies,
                   .fresh = gemm->fresh,
                   .high = low ? TILE_ROWS / 2 : TILE_ROWS,
                   .alpha = *(const lane_t *)gemm->alpha,
                   .beta = gemm->fresh ? 0 : *(const lane_t *)gemm->beta};
    tiles.plain = gemm->fresh && tiles.alpha == 1;
    tiles.isDeep =
        gemm->isTall && gemm->m <= DEEP_ROWS && gemm->n <= LANES && gemm->aRow == 1 && !packsB;
    const int64_t terms = gemm->k * (gemm->aColumn + gemm->bRow) * LANE_BYTES;
    tiles.deepAsked = tiles.isDeep && terms >= DEEP_FAR ? DEEP_ASKED : 0;
    divide(&tiles, gemm);
    return tiles;
}

/* Whether vectors take more time than elements one by one. */
static bool isTiny(const THGemm *gemm, bool plain, bool packsB)
{
    const int64_t elements = gemm->m * gemm->n;
    return packsB ? elements * gemm->k <= TINY
                  : LANES_PARTED && plain && elements <= LEAST_ELEMENTS && gemm->k <= LEAST_TERMS;
}

static void multiplyPlain(const THGemm *gemm, int64_t count)
{
    _Alignas(64) lane_t room[TH_LINEAR_DEPTH * PACK_PARTS * LANES];
    const int64_t bytes = gemm->k * gemm->n * LANE_BYTES;
    const bool packsA = packsFirst(gemm), packsB = packsSecond(gemm, bytes);
    const bool low = LANES_MASKED && gemm->n > WHOLE_PARTS * LANES &&
                     gemm->n <= TILE_PARTS * LANES && bytes <= LOW_BYTES && !packsA;
    Block block = wholeOf(gemm);
    Tiles tiles = tilesOf(gemm, low, packsB);
    Packed packed = {packsA ? roomOf(gemm->m, tiles.k) : NULL, packsB ? room : NULL, gemm->n};
    if (packsB)
        makeRoom(&packed, gemm, tiles.k);
    tiles.isPacked = packed.a != NULL;
    tiles.asksStrips = THMachine_asksForWrites && !packsB && !gemm->isFar && bytes > PACK_FAR &&
                       (gemm->bStep ? count : 1) * bytes > STRIPS_FAR;
    const bool single = !packsA && !packsB && gemm->m <= BLOCK_ROWS && tiles.k == gemm->k;
    const bool tiny = isTiny(gemm, tiles.plain, packsB);
    for (int64_t i = 0; i < count; i++) {
        askForNext(&tiles, gemm, &block, i + 1 == count);
        if (tiny)
            multiplyTiny(&tiles, gemm, &block);
        else if (single)
            multiplyBlock(&block, &tiles);
        else
            multiplyOne(gemm, &block, &tiles, packed);
        block.a += gemm->aStep;
        block.b += gemm->bStep;
        block.c += gemm->cStep;
        block.self += gemm->selfStep;
    }
    THFree(packed.a);
    if (packed.b != room)
        THFree(packed.b);
}
