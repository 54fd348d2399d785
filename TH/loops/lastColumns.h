/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to linear.h: columns of C that would leave most lanes of a vector of their own empty, as
 * products of the matrix by vectors. Columns of a product are summed in the order of k where those
 * of A are lines, else lane by lane, in an order that depends on k alone. */
#define LAST_COLUMNS 3
#define LAST_ROOM 2048  /* elements of B that are copied as lines */
#define LAST_NEAR 65536 /* bytes of A that the cache keeps for them */

/* Sums of `rows` rows become a column of C. */
INLINE void putColumn(const THGemm *gemm, int64_t rows, const lane_t *sums, const lane_t *self,
                      lane_t *c)
{
    const lane_t alpha = *(const lane_t *)gemm->alpha;
    const lane_t beta = gemm->fresh ? 0 : *(const lane_t *)gemm->beta;
    for (int64_t i = 0; i < rows; i++) {
        const lane_t sum = alpha * sums[i];
        c[i * gemm->cRow] = gemm->fresh ? sum : beta * self[i * gemm->selfRow] + sum;
    }
}

/* A, whose rows are lines, times x. */
static void lastOfRows(const THGemm *gemm, const lane_t *a, const lane_t *x, const lane_t *self,
                       lane_t *c)
{
    for (int64_t i = 0; i < gemm->m; i += GROUP) {
        const int64_t left = gemm->m - i < GROUP ? gemm->m - i : GROUP;
        const lane_t *row = a + i * gemm->aRow;
        lane_t sums[LANES];
        storeRow(sums, left == GROUP ? sumGroup(true, NOTHING, gemm->k, row, gemm->aRow, GROUP, x)
                                     : sumGroup(false, NOTHING, gemm->k, row, gemm->aRow, left, x));
        putColumn(gemm, left, sums, self + i * gemm->selfRow, c + i * gemm->cRow);
    }
}

/* A, whose columns are lines, times x. */
static void lastOfColumns(const THGemm *gemm, const lane_t *a, const lane_t *x, const lane_t *self,
                          lane_t *c)
{
    lane_t sums[BLOCK_ROWS];
    sumColumns(gemm->k, gemm->m, a, gemm->aColumn, x, sums);
    putColumn(gemm, gemm->m, sums, self, c);
}

/* Products of up to BLOCK_ROWS rows each; `last` columns by vectors. */
static void multiplyBoth(const THGemm *gemm, int64_t count, int last)
{
    lane_t room[LAST_ROOM];
    THGemm first = *gemm;
    first.n -= last;
    if (first.n > 0)
        multiplyPlain(&first, count);
    for (int64_t i = 0; i < count; i++) {
        const lane_t *a = (const lane_t *)gemm->a + i * gemm->aStep;
        const lane_t *b = (const lane_t *)gemm->b + i * gemm->bStep + first.n * gemm->bColumn;
        const lane_t *self = (const lane_t *)gemm->self + i * gemm->selfStep + first.n;
        lane_t *c = (lane_t *)gemm->c + i * gemm->cStep + first.n;
        for (int j = 0; j < last; j++, b += gemm->bColumn) {
            const lane_t *x = gemm->bRow == 1 ? b : room + j * gemm->k;
            for (int64_t p = 0; p < gemm->k && gemm->bRow != 1 && (i == 0 || gemm->bStep); p++)
                room[j * gemm->k + p] = b[p * gemm->bRow];
            if (gemm->aColumn == 1)
                lastOfRows(gemm, a, x, self + j, c + j);
            else
                lastOfColumns(gemm, a, x, self + j, c + j);
        }
    }
}

/* Whether `last` columns are done better by vectors: in sums of products of vectors for each row,
 * half of one where halves of registers do. */
static bool areFewLast(const THGemm *gemm, int last)
{
    const int64_t k = gemm->k;
    return gemm->isHigh && last > 0 && last <= LAST_COLUMNS && last * k <= LAST_ROOM &&
           (gemm->aColumn == 1 || gemm->aRow == 1) &&
           last * (k * 4 / (3 * LANES) + 5) < (LANES_HALVED ? k / 2 : k);
}

static void multiplyLast(const THGemm *gemm, int64_t count, int last)
{
    THGemm part = *gemm;
    const int64_t bytes = gemm->m * gemm->k * LANE_BYTES, chunk = LAST_NEAR / bytes + 1;
    for (int64_t i = 0; i < count; i += chunk) {
        for (int64_t row = 0; row < gemm->m; row += BLOCK_ROWS) {
            part.m = gemm->m - row < BLOCK_ROWS ? gemm->m - row : BLOCK_ROWS;
            part.a = (const lane_t *)gemm->a + i * gemm->aStep + row * gemm->aRow;
            part.b = (const lane_t *)gemm->b + i * gemm->bStep;
            part.c = (lane_t *)gemm->c + i * gemm->cStep + row * gemm->cRow;
            part.self = (const lane_t *)gemm->self + i * gemm->selfStep + row * gemm->selfRow;
            part.diagonal = gemm->diagonal + row;
            multiplyBoth(&part, count - i < chunk ? count - i : chunk, last);
        }
    }
}
