/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to linear.h: products of matrices by the tiles of their transpose. */

/* Of blocks of a transpose; it is taken where C has so few rows or columns. */
#define TURN_ROWS 40
#define TURN_COLUMNS (6 * LANES)
#define TURN_FEW 64
#define TURN_COST (8 * LANES) /* of LANES columns of LANES, in sums of products of vectors */

/* The transpose of a matrix of neighbours in rows. */
static void turn(int64_t rows, int64_t columns, const lane_t *from, int64_t fromRow, lane_t *to,
                 int64_t toRow)
{
    for (int64_t i = 0; i < rows; i += LANES) {
        const int lines = rows - i < LANES ? (int)(rows - i) : LANES;
        turnLines(columns, lines, from + i * fromRow, fromRow, to + i, toRow, lines);
    }
}

/* Whether the transpose is done better. Its B lies in rows, which may fill vectors better than
 * those of C; C's B would be packed where its columns are lines, else what is written twice costs
 * more than is saved by columns that are more than a vector (16 x 31, in columns, by 31 x 20
 * float32: 330 ns, turned 500). */
static bool turns(const THGemm *gemm)
{
    const int64_t m = gemm->m, n = gemm->n, k = gemm->k;
    const int64_t wide = (m - 1) / LANES + 1, narrow = (n - 1) / LANES + 1;
    if (gemm->aRow != 1 || gemm->aColumn == 1 ||
        (n > LANES && (m > TURN_FEW || gemm->bColumn == 1)))
        return false;
    const int64_t packed = gemm->bColumn == 1 ? 0 : (k - 1) / LANES + 1;
    return (m * narrow - n * wide) * k > TURN_COST * (wide - packed) * narrow;
}

/* By blocks of the transpose, which are turned into C: the same sums. */
static void multiplyTurned(const THGemm *gemm, int64_t count)
{
    _Alignas(64) lane_t room[TURN_ROWS * TURN_COLUMNS];
    const lane_t *a = gemm->a, *b = gemm->b, *self = gemm->self;
    lane_t *c = gemm->c;
    THGemm part = {.k = gemm->k,
                   .c = room,
                   .self = room,
                   .aRow = gemm->bColumn,
                   .aColumn = gemm->bRow,
                   .bRow = gemm->aColumn,
                   .bColumn = 1,
                   .cRow = TURN_COLUMNS,
                   .selfRow = TURN_COLUMNS,
                   .selfColumn = 1,
                   .alpha = gemm->alpha,
                   .beta = gemm->beta,
                   .fresh = gemm->fresh,
                   .isFar = gemm->isFar,
                   .count = 1,
                   .batch = 1};
    for (; count > 0; count--) {
        for (int64_t i = 0; i < gemm->m; i += TURN_COLUMNS) {
            part.n = gemm->m - i < TURN_COLUMNS ? gemm->m - i : TURN_COLUMNS;
            part.b = a + i;
            for (int64_t j = 0; j < gemm->n; j += TURN_ROWS) {
                lane_t *to = c + i * gemm->cRow + j;
                part.m = gemm->n - j < TURN_ROWS ? gemm->n - j : TURN_ROWS;
                part.a = b + j * gemm->bColumn;
                if (!gemm->fresh)
                    turn(part.n, part.m, self + i * gemm->selfRow + j, gemm->selfRow, room,
                         TURN_COLUMNS);
                multiplyPlain(&part, 1);
                turn(part.m, part.n, room, TURN_COLUMNS, to, gemm->cRow);
            }
        }
        a += gemm->aStep;
        b += gemm->bStep;
        c += gemm->cStep;
        self += gemm->selfStep;
    }
}
