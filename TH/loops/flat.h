/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to linear.h: few rows times many columns that are lines, as `w @ points.T` has it, LANES
 * columns at once, which are turned for all rows; the sums are parts of rows of C as they are (4 x
 * 8 by 8 x 20000 float32: 35 us by tiles, so 19; EPYC 9005). Each element is summed in the order of
 * k, as tiles sum it. */
#define FOUR 4
/* Rows of up to LANES / 2 terms, and of more: tiles do more of them in less time, but for those
 * that have no masked registers. */
#define FLAT_ROWS 8
#define FLAT_FEWER_ROWS (LANES_MASKED ? LANES / 4 + 2 : FLAT_ROWS)

#if LANES_PARTED && BY_SHAPE
/* Of `rows`, a constant, of FOUR rows of A, which are (k, FOUR), -0 behind them (slender.h). */
INLINE void sumFlat(int rows, int terms, const THGemm *gemm, const Words *column, const lane_t *a,
                    const lane_t *self, lane_t *c)
{
    const bool fresh = gemm->fresh;
    const lane_t alpha = *(const lane_t *)gemm->alpha;
    const lane_t beta = fresh ? 0 : *(const lane_t *)gemm->beta;
    Words sum[FOUR] = {{0}};
    for (int64_t p = 0; p < gemm->k; p += terms, column += terms, a += terms * FOUR) {
#pragma GCC unroll 16
        for (int q = 0; q < terms; q++) {
#pragma GCC unroll 4
            for (int j = 0; j < rows; j++)
                sum[j] = fused(column[q], spread(a[q * FOUR + j]), sum[j]);
        }
    }
#pragma GCC unroll 4
    for (int j = 0; j < rows; j++, c += gemm->cRow, self += gemm->selfRow)
        storeRow(c, fresh && alpha == 1
                        ? sum[j]
                        : added(self, sum[j], LANES, spread(alpha), spread(beta), fresh));
}

/* a: (m / FOUR, SLENDER_ROOM, FOUR). All columns, or as many as are whole vectors; `terms`, a
 * constant, of each are turned at once, all that they have where they are `dense`, that is
 * neighbours. */
INLINE void multiplyFlatBy(bool dense, int terms, const THGemm *gemm, const lane_t *a)
{
    const int64_t k = gemm->k, m = gemm->m, size = SLENDER_ROOM * FOUR;
    for (int64_t i = 0; i < vectorsEnd(gemm, gemm->n); i += LANES) {
        const int64_t at = vectorAt(i, gemm->n);
        Words column[SLENDER_ROOM], run[PICKED_MOST];
        const lane_t *b = (const lane_t *)gemm->b + at * gemm->bColumn;
#pragma GCC unroll 8
        for (int p = 0; p < terms && dense; p++)
            run[p] = loadRow(b + p * LANES);
#pragma GCC unroll 8
        for (int p = 0; p < terms && dense; p++)
            column[p] = pickColumn(terms, p, run);
        for (int64_t p = 0; p < k && !dense; p += terms)
            turnRows(terms < LANES, b + p, gemm->bColumn, (int)(k - p < terms ? k - p : terms),
                     column + p);
        for (int64_t row = 0; row < m; row += FOUR) {
            const lane_t *four = a + row / FOUR * size;
            const lane_t *self = (const lane_t *)gemm->self + row * gemm->selfRow + at;
            lane_t *c = (lane_t *)gemm->c + row * gemm->cRow + at;
            if (m - row >= 4)
                sumFlat(4, terms, gemm, column, four, self, c);
            else if (m - row == 3)
                sumFlat(3, terms, gemm, column, four, self, c);
            else if (m - row == 2)
                sumFlat(2, terms, gemm, column, four, self, c);
            else
                sumFlat(1, terms, gemm, column, four, self, c);
        }
    }
}

static void multiplyFlatOf(const THGemm *gemm, const lane_t *a)
{
    const int64_t k = gemm->k, dense = gemm->bColumn == k ? k : 0;
    if (dense == 2)
        multiplyFlatBy(true, 2, gemm, a);
    else if (dense == 3)
        multiplyFlatBy(true, 3, gemm, a);
    else if (dense == 4)
        multiplyFlatBy(true, 4, gemm, a);
    else if (k <= LANES / 2)
        multiplyFlatBy(false, LANES / 2, gemm, a);
    else
        multiplyFlatBy(false, LANES, gemm, a);
}

static bool isFlat(const THGemm *gemm)
{
    return gemm->m >= 2 && gemm->m <= (gemm->k <= LANES / 2 ? FLAT_ROWS : FLAT_FEWER_ROWS) &&
           gemm->k <= SLENDER_TERMS && gemm->n >= SLENDER_ROWS && gemm->bRow == 1 &&
           gemm->bColumn != 1 && !gemm->isLower && !gemm->isTall;
}

static void multiplyFlat(const THGemm *gemm, int64_t count)
{
    const int64_t columns = vectorsEnd(gemm, gemm->n);
    THGemm one = *gemm, rest;
    lane_t a[FLAT_ROWS / FOUR][SLENDER_ROOM][FOUR];
    for (int64_t i = 0; i < (int64_t)(sizeof a / sizeof ***a); i++)
        (&a[0][0][0])[i] = -(lane_t)0;
    for (int64_t i = 0; i < count; i++) {
        for (int64_t j = 0; j < one.m && (i == 0 || one.aStep != 0); j++)
            for (int64_t p = 0; p < one.k; p++)
                a[j / FOUR][p][j % FOUR] = ((const lane_t *)one.a)[j * one.aRow + p * one.aColumn];
        multiplyFlatOf(&one, &a[0][0][0]);
        rest = one;
        rest.n -= columns;
        rest.b = (const lane_t *)rest.b + columns * rest.bColumn;
        rest.c = (lane_t *)rest.c + columns;
        rest.self = (const lane_t *)rest.self + columns;
        if (rest.n > 0)
            multiplyPlain(&rest, 1);
        THGemm_next(&one, LANE_BYTES);
    }
}
#else
static bool isFlat(const THGemm *gemm)
{
    (void)gemm;
    return false;
}
static void multiplyFlat(const THGemm *gemm, int64_t count)
{
    multiplyPlain(gemm, count);
}
#endif
