/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to linear.h: products of lines by lines, in tiles of few of each whose terms are summed
 * in a vector for each pair. Vectors become sums in the order of their lanes, so an element has
 * the same bits in any tile. */
#define LINES_PAIRS \
    (VECTOR_BYTES == 64 ? 16 : 8) /* of a tile: as many as there are registers for */
#define LINES_COLUMNS 4           /* of a tile, of half as many rows as of 2 */
/* Rows that take some columns before the next ones: so many bytes. */
#define LINES_BLOCK 16384
/* How far ahead lines of up to so many bytes are asked for, where they are so many in all that the
 * second-level cache does not keep them: machines do not foresee several that are short. */
#define LINES_AHEAD 16384
#define LINES_SHORT 1024
#define LINES_FAR (1 << 20)

/* Neighbouring blocks of `size` lanes added, among each `of` lanes: those of a, then those of b. */
INLINE Words fold(Words a, Words b, int size, int of)
{
    const int blocks = of / size;
#if defined(__clang__)
    Words even, odd;
    for (int i = 0; i < LANES; i++) {
        const int block = 2 * (i % of / size), from = i / of * of + block % blocks * size;
        even[i] = (block < blocks ? a : b)[from + i % size];
        odd[i] = (block < blocks ? a : b)[from + size + i % size];
    }
    return even + odd;
#else
    const Lanes numbers = LANES_XOR(0), block = numbers % of / size * 2;
    const Lanes from = numbers / of * of + block % blocks * size + numbers % size;
    const Lanes even = from + ((block >= blocks) & LANES);
    return __builtin_shuffle(a, b, even) + __builtin_shuffle(a, b, even + size);
#endif
}

#define NEAR (16 / LANE_BYTES)

/* Of each of NEAR vectors, sums of what each of their 16 bytes have. */
INLINE Words sumNear(const Words *v)
{
#if LANE_BYTES == 8
    return fold(v[0], v[1], 1, NEAR);
#else
    return fold(fold(v[0], v[1], 1, NEAR), fold(v[2], v[3], 1, NEAR), 1, NEAR);
#endif
}

/* The sum of each of LANES vectors, in a lane each. */
INLINE Words sumEach(const Words *v)
{
#if VECTOR_BYTES == 16
    return sumNear(v);
#elif VECTOR_BYTES == 32
    return fold(sumNear(v), sumNear(v + NEAR), NEAR, LANES);
#else
    return fold(fold(sumNear(v), sumNear(v + NEAR), NEAR, LANES),
                fold(sumNear(v + 2 * NEAR), sumNear(v + 3 * NEAR), NEAR, LANES), NEAR, LANES);
#endif
}

/* What tiles have in common; how many elements ahead of them lines are asked for, 0: they are not.
 */
typedef struct Lines {
    const THGemm *gemm;
    bool plain; /* nothing but the product is stored */
    lane_t alpha, beta;
    int64_t aAhead, bAhead;
} Lines;
typedef void LinesTile(const Lines *lines, int64_t count, const lane_t *a, const lane_t *b,
                       const lane_t *self, lane_t *c);

/* What is read and written of a row at once. */
typedef lane_t LinesRow
    __attribute__((vector_size(LINES_COLUMNS * LANE_BYTES), aligned(LANE_BYTES), may_alias));

/* Of a tile's rows of C, what is not plain; `wide` sums in each row. */
static void putTile(const Lines *lines, int rows, int columns, int wide, const lane_t *sums,
                    const lane_t *self, lane_t *c)
{
    const THGemm *gemm = lines->gemm;
    const lane_t alpha = lines->alpha, beta = lines->beta;
    const bool whole = columns == LINES_COLUMNS && gemm->selfColumn == 1;
    for (int i = 0; i < rows; i++, sums += wide, c += gemm->cRow, self += gemm->selfRow) {
        if (whole && !gemm->fresh) {
            const LinesRow before = *(const LinesRow *)(const void *)self;
            const LinesRow sum = *(const LinesRow *)(const void *)sums;
            *(LinesRow *)(void *)c = beta * before + alpha * sum;
            continue;
        }
        for (int j = 0; j < columns; j++) {
            const lane_t sum = alpha * sums[j];
            c[j] = gemm->fresh ? sum : beta * self[j * gemm->selfColumn] + sum;
        }
    }
}

/* The lines may be beyond the memory; strides are in elements. */
static void askForLines(const lane_t *line, int64_t ahead, int64_t lines, int64_t stride, int64_t k)
{
    uintptr_t at = (uintptr_t)line + (uintptr_t)ahead * LANE_BYTES;
    for (; lines > 0; lines--, at += (uintptr_t)stride * LANE_BYTES)
        for (uintptr_t p = 0; p < (uintptr_t)k * LANE_BYTES; p += 64)
            __builtin_prefetch((const void *)(at + p), 0, 2);
}

/* `rows` lines of A times `columns` lines of B, constants. */
INLINE void sumPairs(int rows, int columns, const Lines *lines, const lane_t *a, const lane_t *b,
                     const lane_t *self, lane_t *c)
{
    const int wide = columns <= 2 ? 2 : LINES_COLUMNS;
    const int64_t k = lines->gemm->k, aRow = lines->gemm->aRow, bColumn = lines->gemm->bColumn;
    const int rest = (int)(k % LANES);
    const int64_t end = rest > 0 ? k - rest : 0; /* no line behind a row is touched for nothing */
    Words sum[LINES_PAIRS / 2][LINES_COLUMNS];
    lane_t sums[LINES_PAIRS + LANES];
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++) {
        const Words left = held(loadPart(a + i * aRow + end, rest));
#pragma GCC unroll 4
        for (int j = 0; j < columns; j++)
            sum[i][j] = left * loadPart(b + j * bColumn + end, rest);
    }
    for (int64_t p = 0; p + LANES <= k; p += LANES) {
        Words right[LINES_COLUMNS];
#pragma GCC unroll 4
        for (int j = 0; j < columns; j++)
            right[j] = held(loadRow(b + j * bColumn + p));
#pragma GCC unroll 8
        for (int i = 0; i < rows; i++) {
            const Words left = held(loadRow(a + i * aRow + p));
#pragma GCC unroll 4
            for (int j = 0; j < columns; j++)
                sum[i][j] = fused(left, right[j], sum[i][j]);
        }
    }
#pragma GCC unroll 8
    for (int first = 0; first < rows * wide; first += LANES) {
        Words each[LANES];
#pragma GCC unroll 16
        for (int i = 0; i < LANES; i++) /* again those that there are, for nothing */
            each[i] = sum[(first + i) / wide % rows][(first + i) % wide % columns];
        storeRow(sums + first, sumEach(each));
    }
    if (TH_UNLIKELY(!lines->plain)) {
        putTile(lines, rows, columns, wide, sums, self, c);
        return;
    }
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++)
        memcpy(c + i * lines->gemm->cRow, sums + i * wide, (size_t)columns * sizeof *c);
}

/* `count` tiles, one below the other. */
INLINE void sumLines(int rows, int columns, const Lines *lines, int64_t count, const lane_t *a,
                     const lane_t *b, const lane_t *self, lane_t *c)
{
    const THGemm *gemm = lines->gemm;
    for (; count > 0; count--) {
        if (lines->aAhead > 0)
            askForLines(a, lines->aAhead, rows, gemm->aRow, gemm->k);
        sumPairs(rows, columns, lines, a, b, self, c);
        a += rows * gemm->aRow;
        self += rows * gemm->selfRow;
        c += rows * gemm->cRow;
    }
}

#define LINES_TILE(rows, columns)                                                           \
    static void lines##rows##x##columns(const Lines *lines, int64_t count, const lane_t *a, \
                                        const lane_t *b, const lane_t *self, lane_t *c)     \
    {                                                                                       \
        sumLines(rows, columns, lines, count, a, b, self, c);                               \
    }
#define LINES_TILES(columns) \
    LINES_TILE(1, columns)   \
    LINES_TILE(2, columns)
LINES_TILES(1)
LINES_TILES(2)
LINES_TILES(3)
LINES_TILES(4)
#define LINES_HIGH(columns) \
    LINES_TILE(3, columns)  \
    LINES_TILE(4, columns)
LINES_HIGH(1)
LINES_HIGH(2)
#if VECTOR_BYTES == 64
LINES_HIGH(3)
LINES_HIGH(4)
#define LINES_HIGHEST(columns) \
    LINES_TILE(5, columns)     \
    LINES_TILE(6, columns)     \
    LINES_TILE(7, columns)     \
    LINES_TILE(8, columns)
LINES_HIGHEST(1)
LINES_HIGHEST(2)
static LinesTile *const linesOf[LINES_COLUMNS][LINES_PAIRS / 2] = {
    {lines1x1, lines2x1, lines3x1, lines4x1, lines5x1, lines6x1, lines7x1, lines8x1},
    {lines1x2, lines2x2, lines3x2, lines4x2, lines5x2, lines6x2, lines7x2, lines8x2},
    {lines1x3, lines2x3, lines3x3, lines4x3},
    {lines1x4, lines2x4, lines3x4, lines4x4},
};
#else
static LinesTile *const linesOf[LINES_COLUMNS][LINES_PAIRS / 2] = {
    {lines1x1, lines2x1, lines3x1, lines4x1},
    {lines1x2, lines2x2, lines3x2, lines4x2},
    {lines1x3, lines2x3},
    {lines1x4, lines2x4},
};
#endif

/* Some rows of A, all lines of B, in tiles that are even. */
static void multiplyLines(const Lines *lines, int64_t rows, const lane_t *a, const lane_t *b,
                          const lane_t *self, lane_t *c)
{
    const THGemm *gemm = lines->gemm;
    for (int64_t j = 0, columns; j < gemm->n; j += columns) {
        const int64_t left = gemm->n - j, groups = (left - 1) / LINES_COLUMNS + 1;
        columns = (left - 1) / groups + 1;
        LinesTile *const *tile = linesOf[columns - 1];
        const int64_t most = LINES_PAIRS / (columns <= 2 ? 2 : LINES_COLUMNS);
        const int64_t tiles = (rows - 1) / most + 1, each = rows / tiles, more = rows % tiles;
        const int64_t high = more * (each + 1);
        const lane_t *right = b + j * gemm->bColumn, *before = self + j * gemm->selfColumn;
        if (lines->bAhead > 0)
            askForLines(right, lines->bAhead, columns, gemm->bColumn, gemm->k);
        if (more > 0)
            tile[each](lines, more, a, right, before, c + j);
        tile[each - 1](lines, tiles - more, a + high * gemm->aRow, right,
                       before + high * gemm->selfRow, c + high * gemm->cRow + j);
    }
}

/* How far ahead lines of one side are asked for. */
INLINE int64_t aheadOf(int64_t lines, int64_t stride, int64_t bytes, int64_t count)
{
    const bool isFar = lines * stride * count * LANE_BYTES > LINES_FAR;
    return isFar && bytes <= LINES_SHORT ? (LINES_AHEAD / bytes + 1) * stride : 0;
}

static void LINEAR(lines)(const THGemm *gemm, int64_t count)
{
    const lane_t *a = gemm->a, *b = gemm->b, *self = gemm->self;
    lane_t *c = gemm->c;
    const int64_t bytes = gemm->k * LANE_BYTES, block = (LINES_BLOCK / bytes / 8 + 1) * 8;
    Lines lines = {gemm, .alpha = *(const lane_t *)gemm->alpha,
                   .beta = gemm->fresh ? 0 : *(const lane_t *)gemm->beta};
    lines.plain = gemm->fresh && lines.alpha == 1;
    if (gemm->m >= gemm->n)
        lines.aAhead = aheadOf(gemm->m, gemm->aRow, bytes, count);
    else if (gemm->m <= block)
        lines.bAhead = aheadOf(gemm->n, gemm->bColumn, bytes, count);
    for (; count > 0; count--) {
        for (int64_t i = 0; i < gemm->m; i += block)
            multiplyLines(&lines, gemm->m - i < block ? gemm->m - i : block, a + i * gemm->aRow, b,
                          self + i * gemm->selfRow, c + i * gemm->cRow);
        a += gemm->aStep;
        b += gemm->bStep;
        c += gemm->cStep;
        self += gemm->selfStep;
    }
}
