/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to linear.h: many rows times few columns, which would leave most lanes of a tile empty:
 * a lane for each of LANES rows instead, whose sums are put together as rows of C (20000 x 8 by 8 x
 * 2 float32: 40 us by tiles, so 12; EPYC 9005). Each element is summed in the order of k, as tiles
 * sum it. */
#define SLENDER_COLUMNS (LANES > 4 ? 4 : 3) /* tiles of 4 lanes would be full */
#define SLENDER_TERMS (LANES + 8)           /* of more, tiles take less time */
#define SLENDER_ROOM ((SLENDER_TERMS - 1) / LANES * LANES + LANES) /* for whole vectors of them */
#define SLENDER_ROWS (3 * LANES)                                   /* of fewer, too */
/* Rows that lie apart, so many bytes of them and of what is between, are brought near first: so
 * many at once, within half a page, since each load waits for a store that lies as it does in a
 * page. */
#define APART_FAR (1 << 18)
#define BROUGHT 16

#if LANES_PARTED && BY_SHAPE
/* Two vectors as one run: an element of each in turn. */
INLINE void zipPair(Words one, Words other, Words *run)
{
    run[0] = zipLanes(one, other, 0);
    run[1] = zipLanes(one, other, 1);
}

/* The same of three. */
INLINE void zipTriple(const Words *column, Words *run)
{
    const Lanes numbers = LANES_XOR(0);
#pragma GCC unroll 3
    for (int v = 0; v < 3; v++) {
        const Lanes place = numbers + v * LANES, of = place % 3, lane = place / 3;
        const Words two = __builtin_shuffle(column[0], column[1], lane + ((of == 1) & LANES));
        run[v] =
            __builtin_shuffle(two, column[2], ((of == 2) & (lane + LANES)) | ((of != 2) & numbers));
    }
}

/* Vectors of columns as one run of rows; `n`, a constant, of them. */
INLINE void zipColumns(int n, const Words *column, Words *run)
{
    Words even[2], odd[2];
    if (n == 2) {
        zipPair(column[0], column[1], run);
    } else if (n == 3) {
        zipTriple(column, run);
    } else {
        zipPair(column[0], column[2], even);
        zipPair(column[1], column[3], odd);
        zipPair(even[0], odd[0], run);
        zipPair(even[1], odd[1], run + 2);
    }
}

/* The first k elements of LANES rows as columns; two rows in a vector where `half`, a constant: of
 * half as many elements, or fewer. */
INLINE void turnRows(bool half, const lane_t *a, int64_t aRow, int k, Words *column)
{
    const int vectors = half ? LANES / 2 : LANES;
#pragma GCC unroll 16
    for (int i = 0; i < vectors; i++) {
        column[i] = loadFirst(a + i * aRow, k);
        if (half)
            column[i] = pairLanes(column[i], loadFirst(a + (i + vectors) * aRow, k), vectors, 0);
    }
    transposeLanes(vectors, column);
}

/* How A lies, which is a constant. */
typedef enum { SHORT_ROWS, LONG_ROWS, COLUMNS } Way;

/* `n`, a constant, sums of LANES rows. b: (k, n), behind which there is -0 for rows that end
 * within a vector: a product of that and what is loaded there, 0, changes no sum. */
INLINE void sumColumnsOf(Way way, int n, const THGemm *gemm, const lane_t *a, const lane_t *b,
                         int64_t ahead, Words *sum)
{
    const int k = (int)gemm->k, terms = way == SHORT_ROWS ? LANES / 2 : LANES;
#pragma GCC unroll 4 /* SLENDER_COLUMNS */
    for (int j = 0; j < n; j++)
        sum[j] = (Words){0};
    for (int p = 0; p < k && way == COLUMNS; p++, a += gemm->aColumn, b += n) {
        const Words x = held(loadRow(a));
        __builtin_prefetch((const void *)((uintptr_t)a + (uintptr_t)ahead));
#pragma GCC unroll 4
        for (int j = 0; j < n; j++)
            sum[j] = fused(x, spread(b[j]), sum[j]);
    }
    for (int p = 0; p < k && way != COLUMNS; p += terms, a += terms, b += terms * n) {
        Words column[LANES];
        turnRows(way == SHORT_ROWS, a, gemm->aRow, k - p < terms ? k - p : terms, column);
#pragma GCC unroll 16
        for (int q = 0; q < terms; q++) {
#pragma GCC unroll 4
            for (int j = 0; j < n; j++)
                sum[j] = fused(column[q], spread(b[q * n + j]), sum[j]);
        }
        if (way == SHORT_ROWS)
            break; /* they end here, which gcc cannot know: a loop took a third longer */
    }
}

/* Where vectors of n begin: the last one some of those of another, too, unless self is added twice
 * by that; then what is left of n is not theirs. */
INLINE int64_t vectorsEnd(const THGemm *gemm, int64_t n)
{
    return gemm->fresh ? n : n / LANES * LANES;
}
INLINE int64_t vectorAt(int64_t i, int64_t n)
{
    return i + LANES <= n ? i : n - LANES;
}

/* How many bytes further A's rows or columns are asked for, if these are far (FAR_ROWS): columns
 * only by machines that are asked for other streams, too. */
INLINE int64_t askedAhead(Way way, const THGemm *gemm)
{
    const int64_t row = way == COLUMNS ? gemm->k : gemm->aRow;
    const bool far = gemm->m * row * LANE_BYTES >= FAR_ROWS;
    const int64_t column = THMachine_readAhead > 0 ? ASKED_COLUMN : 0;
    return !far ? 0 : way == COLUMNS ? column : ROWS_AHEAD;
}

/* Of all rows, or as many as are whole vectors. Self has rows that are neighbours, or (selfRow 0)
 * the same one as often as is a vector of rows. */
INLINE void sumSlender(Way way, int n, const THGemm *gemm, const lane_t *b)
{
    const bool fresh = gemm->fresh, plain = fresh && *(const lane_t *)gemm->alpha == 1;
    const Words alpha = spread(*(const lane_t *)gemm->alpha);
    const Words beta = spread(fresh ? 0 : *(const lane_t *)gemm->beta);
    const int64_t ahead = askedAhead(way, gemm), step = LANES * gemm->aRow * LANE_BYTES;
    for (int64_t i = 0; i < vectorsEnd(gemm, gemm->m); i += LANES) {
        const int64_t row = vectorAt(i, gemm->m);
        const uintptr_t asked =
            (uintptr_t)gemm->a + (uintptr_t)(row * gemm->aRow * LANE_BYTES + ahead);
        for (int64_t at = 0; at < step && ahead > 0 && way != COLUMNS; at += 64)
            __builtin_prefetch((const void *)(asked + (uintptr_t)at));
        const lane_t *self = (const lane_t *)gemm->self + row * gemm->selfRow;
        lane_t *c = (lane_t *)gemm->c + row * n;
        Words sum[SLENDER_COLUMNS], run[SLENDER_COLUMNS];
        sumColumnsOf(way, n, gemm, (const lane_t *)gemm->a + row * gemm->aRow, b, ahead, sum);
        zipColumns(n, sum, run);
#pragma GCC unroll 4
        for (int v = 0; v < n; v++, c += LANES)
            storeRow(c,
                     plain ? run[v] : added(self + v * LANES, run[v], LANES, alpha, beta, fresh));
    }
}

#define SLENDER(name, way, n)                                \
    static void name##n(const THGemm *gemm, const lane_t *b) \
    {                                                        \
        sumSlender(way, n, gemm, b);                         \
    }
#if SLENDER_COLUMNS == 4
#define SLENDER_WAY(name, way) SLENDER(name, way, 2) SLENDER(name, way, 3) SLENDER(name, way, 4)
#define OF_COLUMNS(name) {name##2, name##3, name##4}
#else
#define SLENDER_WAY(name, way) SLENDER(name, way, 2) SLENDER(name, way, 3)
#define OF_COLUMNS(name) {name##2, name##3}
#endif
SLENDER_WAY(ofShortRows, SHORT_ROWS)
SLENDER_WAY(ofLongRows, LONG_ROWS)
SLENDER_WAY(ofColumns, COLUMNS)

typedef void Slender(const THGemm *gemm, const lane_t *b);
static Slender *const slender[][SLENDER_COLUMNS - 1] = {
    [SHORT_ROWS] = OF_COLUMNS(ofShortRows),
    [LONG_ROWS] = OF_COLUMNS(ofLongRows),
    [COLUMNS] = OF_COLUMNS(ofColumns),
};

/* The rows from the first-th on; b: (k, n). */
static void multiplyBelow(const THGemm *gemm, const lane_t *b, int64_t first)
{
    THGemm rest = *gemm;
    rest.b = b;
    rest.bRow = gemm->n;
    rest.bColumn = 1;
    rest.m -= first;
    rest.a = (const lane_t *)rest.a + first * rest.aRow;
    rest.c = (lane_t *)rest.c + first * rest.cRow;
    rest.self = (const lane_t *)rest.self + first * rest.selfRow;
    multiplyPlain(&rest, 1);
}

static bool LINEAR(isSlender)(const THGemm *gemm)
{
    return gemm->n >= 2 && gemm->n <= SLENDER_COLUMNS && gemm->k <= SLENDER_TERMS &&
           gemm->m >= SLENDER_ROWS && gemm->cRow == gemm->n &&
           (gemm->aRow == 1 || gemm->aColumn == 1) && !gemm->isLower && !gemm->isTall &&
           (gemm->fresh || gemm->selfRow == gemm->n || gemm->selfRow == 0);
}

/* BROUGHT rows and more, so far apart that a vector fits between them, by loads of whole vectors
 * (loadBeside): 100000 of 10 of 100 float64 by 10 x 4 1.6 ms, so .45; EPYC 9005. */
static void sumApart(Slender *sumOf, THGemm *gemm, const lane_t *b)
{
    lane_t room[BROUGHT * 2 * LANES];
    THGemm brought = *gemm;
    const int64_t last = gemm->k > LANES ? gemm->k - LANES : 0;
    brought.a = room;
    brought.aRow = last > 0 ? 2 * LANES : LANES;
    brought.m = BROUGHT;
    for (; gemm->m >= BROUGHT + LANES; gemm->m -= BROUGHT) {
        const lane_t *a = gemm->a;
        for (int i = 0; i < BROUGHT; i++, a += gemm->aRow) {
            storeRow(room + i * brought.aRow, loadRow(a));
            storeRow(room + i * brought.aRow + last, loadRow(a + last));
        }
        brought.self = gemm->self;
        brought.c = gemm->c;
        sumOf(&brought, b);
        gemm->a = a;
        gemm->self = (const lane_t *)gemm->self + BROUGHT * gemm->selfRow;
        gemm->c = (lane_t *)gemm->c + BROUGHT * gemm->cRow;
    }
}

static void multiplySlender(const THGemm *gemm, int64_t count)
{
    const int64_t n = gemm->n, k = gemm->k, rows = vectorsEnd(gemm, gemm->m);
    const bool isLine = !gemm->fresh && gemm->selfRow == 0;
    const bool apart = THMachine_readsInTurn && gemm->aColumn == 1 && gemm->aRow - k >= LANES &&
                       k <= 2 * LANES && gemm->m * gemm->aRow * LANE_BYTES >= APART_FAR;
    lane_t b[SLENDER_ROOM * SLENDER_COLUMNS], line[LANES * SLENDER_COLUMNS];
    THGemm one = *gemm;
    const Way way = gemm->aColumn != 1 ? COLUMNS : k > LANES / 2 ? LONG_ROWS : SHORT_ROWS;
    for (int64_t i = k * n; i < SLENDER_ROOM * n; i++)
        b[i] = -(lane_t)0;
    for (int64_t i = 0; i < count; i++) {
        for (int64_t p = 0; p < k && (i == 0 || gemm->bStep != 0); p++)
            for (int64_t j = 0; j < n; j++)
                b[p * n + j] = ((const lane_t *)one.b)[p * gemm->bRow + j * gemm->bColumn];
        THGemm part = one;
        if (isLine)
            part.self = line;
        for (int64_t j = 0; j < n * LANES && isLine; j++)
            line[j] = ((const lane_t *)one.self)[j % n];
        if (apart)
            sumApart(slender[way][n - 2], &part, b);
        slender[way][n - 2](&part, b);
        if (rows < gemm->m)
            multiplyBelow(&part, b, rows - (gemm->m - part.m));
        THGemm_next(&one, LANE_BYTES);
    }
}
#else
static bool LINEAR(isSlender)(const THGemm *gemm)
{
    (void)gemm;
    return false;
}
static void multiplySlender(const THGemm *gemm, int64_t count)
{
    multiplyPlain(gemm, count);
}
#endif
