/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to tiles.h: a tile of C is summed in registers, rows of it times vectors of columns,
 * while B is read as it lies or from panels; so each element is summed in the order of k, wherever
 * its tile begins. */

/* Registers for sums: rows times vectors, beside the row of B that they are multiplied with. */
#if VECTOR_BYTES == 64
#define TILE_ROWS 8
#else
#define TILE_ROWS 4
#endif
/* Vectors of tiles of all the rows, where there are not fewer. */
#define WHOLE_PARTS (VECTOR_BYTES == 16 ? 2 : 3)
/* Vectors of tiles of half the rows. */
#define TILE_PARTS (VECTOR_BYTES == 64 ? 6 : 4)
/* Terms of a tile of `rows` rows that are summed beside each other, rows of such a tile, and terms
 * of its blocks. */
#define DEEP_MOST 4
#define DEEP_TERMS(rows) ((rows) <= 2 ? 4 : 2)
#define DEEP_ROWS 4
#define DEEP_DEPTH 1024

typedef struct Tiles {
    int64_t k, count; /* tiles, one below the other */
    const lane_t *a, *b;
    lane_t *c;
    int64_t aRow, aColumn, bRow, cRow;
    int64_t aTile, bPart; /* from a tile's rows, from a vector of columns to the next */
    const char *ahead, *end, *then, *thenEnd; /* what is asked for meanwhile: a line in each step */
    int64_t step, asked; /* asked: from the first line of a tile to that of the next one */
    int64_t strip, run;  /* strip: columns of one; run: rows */
    bool asksRows;       /* ... for those of A: `asked` is given, else it is k steps */
    bool asksStrips;     /* ... for the lines of the next strip of B, a column of them by a tile */
    int high, last;      /* rows of a tile; lanes of its last vector */
    int back;          /* how many lanes before its place a last vector begins: then it is whole */
    int64_t soon;      /* elements from a tile to that whose lines are asked for to be written */
    bool isDeep;       /* one tile, by sumDeep */
    int64_t deepAsked; /* ... which asks for what is so many bytes ahead, in both matrices */
    bool plain, fresh; /* plain: nothing but the product is stored */
    bool isPacked, hasPanels; /* of A, and of B */
    lane_t alpha, beta;
    const lane_t *self; /* not beside c: stored one by one, both would be read as a vector */
    int64_t selfRow;
    bool copiesSelf; /* to C, where tiles then find it */
} Tiles;
typedef void Tile(const Tiles *tiles);

/* beta self + alpha sum; `fresh`: self is not read. */
INLINE Words added(const lane_t *self, Words sum, int count, Words alpha, Words beta, bool fresh)
{
    sum *= alpha;
    if (LANES_MASKED || !fresh)
        sum = fused(beta, loadPart(self, fresh ? 0 : count), sum);
    return sum;
}

/* The rows of a tile's A: a row and its third follower, twice, as few registers hold. */
INLINE lane_t element(const lane_t *low, const lane_t *high, int i, int64_t aRow, int64_t thrice)
{
    const lane_t *four = i < 4 ? low : high;
    return i % 4 == 3 ? four[thrice] : four[i % 4 * aRow];
}

/* Where a vector of a tile's row begins; the last one so many lanes before its place. */
INLINE int64_t beginOf(int part, int parts, int64_t back)
{
    return part * LANES - (part < parts - 1 ? 0 : back);
}

/* The tile `place` below the first, whose last vectors have so many lanes and begin so many before
 * their places. `rows`, `parts` and `half`, whether half of the last vector is enough, are
 * constants. */
INLINE void sumTile(int rows, int parts, bool half, const Tiles *tiles, int last, int64_t back,
                    int64_t place, const lane_t *a, lane_t *c, const char *ahead)
{
    const int64_t k = tiles->k, aRow = tiles->aRow, aColumn = tiles->aColumn, thrice = 3 * aRow;
    const int64_t bRow = tiles->bRow, bPart = tiles->bPart;
    const lane_t *b = tiles->b, *high = a + 4 * aRow;
    const int64_t step = tiles->step, end = (parts - 1) * bPart - back;
    const int whole = half ? parts - 1 : parts;
    Words sum[TILE_ROWS][TILE_PARTS];
    Half rest[TILE_ROWS];
    const lane_t *soon = c + tiles->soon;
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++) {
        rest[i] = (Half){0};
#pragma GCC unroll 6
        for (int part = 0; part < parts; part++) {
            sum[i][part] = (Words){0};
            if (!LANES_MASKED || rows > TILE_ROWS / 2)
                __builtin_prefetch(soon + i * tiles->cRow + part * LANES, 1);
        }
    }
    for (int64_t p = 0; p < k; p++, a += aColumn, high += aColumn, b += bRow, ahead += step) {
        Words row[TILE_PARTS];
        Half few = {0};
        __builtin_prefetch(ahead, 0, 2); /* the nearest cache holds no two products */
#pragma GCC unroll 6
        for (int part = 0; part < parts - 1; part++)
            row[part] = loadRow(b + part * bPart);
        if (half)
            few = loadHalf(b + end, last);
        else
            row[parts - 1] = loadFirst(b + end, last);
#pragma GCC unroll 8
        for (int i = 0; i < rows; i++) {
            const lane_t factor = element(a, high, i, aRow, thrice);
            const Words x = spread(factor);
#pragma GCC unroll 6
            for (int part = 0; part < whole; part++)
                sum[i][part] = fused(x, row[part], sum[i][part]);
            if (half)
                rest[i] = fusedHalf(whole > 0 ? lowHalf(x) : spreadHalf(factor), few, rest[i]);
        }
    }
    const int64_t cRow = tiles->cRow; /* here, since what is stored might be tiles */
#pragma GCC unroll 8
    for (int i = 0; i < rows && half; i++)
        sum[i][parts - 1] = widened(rest[i]);
    if (TH_UNLIKELY(!tiles->plain)) { /* all is read first: the next row would wait for what is
                                       * stored beside it */
        const bool fresh = tiles->fresh;
        const Words alpha = spread(tiles->alpha), beta = spread(tiles->beta);
        const lane_t *before = tiles->self + place * rows * tiles->selfRow;
#pragma GCC unroll 8
        for (int i = 0; i < rows; i++, before += tiles->selfRow) {
#pragma GCC unroll 6
            for (int part = 0; part < parts; part++)
                sum[i][part] = added(before + beginOf(part, parts, back), sum[i][part],
                                     part < parts - 1 ? LANES : last, alpha, beta, fresh);
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++, c += cRow) {
#pragma GCC unroll 6
        for (int part = 0; part < parts; part++)
            storePart(c + beginOf(part, parts, back), sum[i][part],
                      part < parts - 1 ? LANES : last);
    }
}

INLINE void sumTiles(int rows, int parts, bool half, const Tiles *tiles)
{
    const int64_t aNext = tiles->aTile, cNext = rows * tiles->cRow;
    const int64_t asked = tiles->asked;
    /* here, since what is stored might be tiles */
    const int last = tiles->last, back = LANES_MASKED ? 0 : tiles->back;
    const lane_t *a = tiles->a;
    lane_t *c = tiles->c;
    const char *ahead = tiles->ahead;
    for (int64_t i = 0; i < tiles->count; i++, a += aNext, c += cNext, ahead += asked)
        sumTile(rows, parts, half, tiles, last, back, i, a, c, ahead);
}

/* Adds the products of one term to sums of `rows` rows of one vector, or of half of one. */
INLINE void addTerm(int rows, bool half, const lane_t *a, const lane_t *b, int last, Words *sum,
                    Half *rest)
{
    Words row = {0};
    Half few = {0};
    if (half)
        few = loadHalf(b, last);
    else
        row = loadFirst(b, last);
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++) {
        if (half)
            rest[i] = fusedHalf(spreadHalf(a[i]), few, rest[i]);
        else
            sum[i] = fused(spread(a[i]), row, sum[i]);
    }
}

/* The only tile of a part of a tall product (THGemmTerms.c), whose alpha is 1, whose self is C and
 * of whose A columns are lines. Each sum would wait for the one before: so `deep`, a constant,
 * terms are summed beside each other. */
INLINE void sumDeep(int rows, int deep, bool half, const Tiles *tiles)
{
    const int64_t k = tiles->k, aColumn = tiles->aColumn, bRow = tiles->bRow;
    const uintptr_t asked = (uintptr_t)tiles->deepAsked;
    const int last = tiles->last;
    const lane_t *a = tiles->a, *b = tiles->b;
    lane_t *c = tiles->c;
    Words sum[DEEP_MOST][TILE_ROWS];
    Half rest[DEEP_MOST][TILE_ROWS];
#pragma GCC unroll 4
    for (int term = 0; term < deep; term++) {
#pragma GCC unroll 8
        for (int i = 0; i < rows; i++) {
            sum[term][i] = (Words){0};
            rest[term][i] = (Half){0};
        }
    }
    int64_t p = 0;
    for (; p + deep <= k; p += deep, a += deep * aColumn, b += deep * bRow) {
#pragma GCC unroll 4
        for (int term = 0; term < deep; term++) {
            const lane_t *x = a + term * aColumn;
            __asm__("" : "+r"(x)); /* or each of its elements would have a register */
            __builtin_prefetch((const void *)((uintptr_t)x + asked));
            __builtin_prefetch((const void *)((uintptr_t)(b + term * bRow) + asked));
            addTerm(rows, half, x, b + term * bRow, last, sum[term], rest[term]);
        }
    }
    for (; p < k; p++, a += aColumn, b += bRow)
        addTerm(rows, half, a, b, last, sum[0], rest[0]);
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++, c += tiles->cRow) {
#pragma GCC unroll 4
        for (int term = 1; term < deep; term++) {
            sum[0][i] += sum[term][i];
            rest[0][i] += rest[term][i];
        }
        Words total = sum[0][i];
        if (half)
            total = widened(rest[0][i]);
        if (!tiles->fresh)
            total += loadPart(c, last);
        storePart(c, total, last);
    }
}

#define ANY_TILE(name, rows, parts, half)                \
    static void name##rows##x##parts(const Tiles *tiles) \
    {                                                    \
        sumTiles(rows, parts, half, tiles);              \
    }
#if LANES_HALVED
#define TILE(rows, parts)              \
    ANY_TILE(tile, rows, parts, false) \
    ANY_TILE(half, rows, parts, true)
#else
#define TILE(rows, parts) ANY_TILE(tile, rows, parts, false)
#endif
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
#if VECTOR_BYTES == 32
TILE(4, 3)
#define WHOLE_TILE tile4x3
#else
#define WHOLE_TILE NULL
#endif
#if TILE_ROWS == 8
TILE(1, 3)
TILE(2, 3)
TILE(3, 3)
TILE(4, 3)
TILE(5, 1)
TILE(6, 1)
TILE(7, 1)
TILE(8, 1)
TILE(5, 2)
TILE(6, 2)
TILE(7, 2)
TILE(8, 2)
TILE(5, 3)
TILE(6, 3)
TILE(7, 3)
TILE(8, 3)
TILE(3, 4)
TILE(4, 4)
TILE(1, 5)
TILE(2, 5)
TILE(3, 5)
TILE(4, 5)
TILE(1, 6)
TILE(2, 6)
TILE(3, 6)
TILE(4, 6)
#endif

/* By vectors, then rows. */
#if TILE_ROWS == 8
#define LOW_TILES(name, parts) name##1x##parts, name##2x##parts, name##3x##parts, name##4x##parts
#define HIGH_TILES(name, parts) \
    LOW_TILES(name, parts), name##5x##parts, name##6x##parts, name##7x##parts, name##8x##parts
#define TILES(name)                                                          \
    {                                                                        \
        {HIGH_TILES(name, 1)}, {HIGH_TILES(name, 2)}, {HIGH_TILES(name, 3)}, \
        {LOW_TILES(name, 4)},  {LOW_TILES(name, 5)},  {LOW_TILES(name, 6)},  \
    }
static Tile *const tileOf[][TILE_PARTS][TILE_ROWS] = {TILES(tile), TILES(half)};
#else
static Tile *const tileOf[][TILE_PARTS][TILE_ROWS] = {{
    {tile1x1, tile2x1, tile3x1, tile4x1},
    {tile1x2, tile2x2, tile3x2, tile4x2},
    {[3] = WHOLE_TILE},
    {tile1x4, tile2x4},
}};
#endif

#define ANY_DEEP_TILE(name, rows, half)               \
    static void name##rows(const Tiles *tiles)        \
    {                                                 \
        sumDeep(rows, DEEP_TERMS(rows), half, tiles); \
    }
#if LANES_HALVED
#define DEEP_TILE(rows)              \
    ANY_DEEP_TILE(deep, rows, false) \
    ANY_DEEP_TILE(deepHalf, rows, true)
#else
#define DEEP_TILE(rows) ANY_DEEP_TILE(deep, rows, false)
#endif
DEEP_TILE(2)
DEEP_TILE(3)
DEEP_TILE(4)
static Tile *const deepOf[][DEEP_ROWS] = {
    /* no tall product has one row */
    {NULL, deep2, deep3, deep4},
#if LANES_HALVED
    {NULL, deepHalf2, deepHalf3, deepHalf4},
#endif
};
