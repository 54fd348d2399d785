/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The product of matrices in loops of our own; included by TH/ops/THGemm.c for each dtype
 * but Bool, Byte and Half. Sums of integers wrap when they are stored, if not before. */
#ifndef TH_GENERIC_FILE
#error "include TH/ops/THGemm.c instead"
#endif

#define sum_t TH_CONCAT_2(GEMM_SUM_, Real)
#define THBlas_(name) TH_CONCAT_4(TH, Real, Blas_, name)
#define COLUMNS ((int64_t)(TH_GEMM_COLUMN_BYTES / sizeof(sum_t)))

static const THLinearLoops *THBlas_(linear)(void)
{
    static const THLinearLoops *const loops[] = TH_ISA_TABLE(TH_CONCAT_2(GEMM_LOOPS_, Real));
    return loops[THIsa_current];
}

/* `n` sums become elements of C, which has self, `step` apart; `add`: to the product of what was
 * there by beta. */
static __attribute__((noinline)) void THBlas_(store)(const THGemm *gemm, storage_t *c, int64_t step,
                                                     int64_t n, const sum_t *sums, bool add)
{
    const scalar_t alpha = *(const scalar_t *)gemm->alpha;
    const scalar_t beta = add ? (scalar_t)1 : *(const scalar_t *)gemm->beta;
    const bool fresh = gemm->fresh && !add, any = gemm->k > 0;
    if (fresh && any && alpha == 1 && step == 1) {
        for (int64_t j = 0; j < n; j++)
            TH_STORE(c + j, (scalar_t)sums[j]);
        return;
    }
    if (add && any && alpha == 1 && step == 1) {
        for (int64_t j = 0; j < n; j++)
            TH_STORE(c + j, (scalar_t)(TH_LOAD(c + j) + (scalar_t)sums[j]));
        return;
    }
    for (int64_t j = 0; j < n; j++, c += step) {
        const scalar_t product = (scalar_t)(any ? alpha * (scalar_t)sums[j] : 0);
        TH_STORE(c, fresh ? product : (scalar_t)(beta * TH_LOAD(c) + product));
    }
}

/* The inner product of a line and of every few elements, which vectors gather, or of one. */
static accreal THBlas_(copied)(int64_t n, const storage_t *x, int64_t xStride, const storage_t *y)
{
    storage_t room[DOT_ROOM];
    accreal sum, total = 0;
    for (int64_t i = 0; i < n; i += DOT_ROOM) {
        const int64_t count = THSize_min(n - i, DOT_ROOM);
        if (i == 0 || xStride != 0)
            copyLines(room, x + i * xStride, sizeof *x, 1, 0, count, xStride);
        THBlas_(linear)()->dot(count, room, y + i, &sum);
        total += sum;
    }
    return total;
}

/* Whether a line takes less time by a copy: not doubles, nor parts of far lines, which are longer,
 * unless all its elements are one. */
static bool THBlas_(copies)(int64_t n, int64_t stride)
{
    return n >= DOT_SHORT && stride <= DOT_DENSE && stride != 1 &&
           (stride == 0 || (n <= DOT_LEAST && TH_DTYPE != TH_DOUBLE));
}

/* The inner product of lines of any strides. Two that are strided gain nothing by a copy. */
static accreal THBlas_(lines)(int64_t n, const storage_t *x, int64_t xStride, const storage_t *y,
                              int64_t yStride)
{
    const THLinearLoops *loops = THBlas_(linear)();
    accreal sum;
    if (yStride == 1 && THBlas_(copies)(n, xStride))
        return THBlas_(copied)(n, x, xStride, y);
    if (xStride == 1 && THBlas_(copies)(n, yStride))
        return THBlas_(copied)(n, y, yStride, x);
    if (xStride == 1 && yStride == 1)
        loops->dot(n, x, y, &sum);
    else
        loops->dotStrided(n, x, xStride, y, yStride, &sum);
    return sum;
}

/* Element by element: few of them, or a matrix times a vector. */
static void THBlas_(rows)(int64_t begin, int64_t end, void *context)
{
    const THGemm *gemm = context;
    for (int64_t i = begin; i < end; i++) {
        const storage_t *a = (const storage_t *)gemm->a + i * gemm->aRow;
        storage_t *c = (storage_t *)gemm->c + i * gemm->cRow;
        for (int64_t j = 0; j < gemm->n; j++) {
            const storage_t *b = (const storage_t *)gemm->b + j * gemm->bColumn;
            const sum_t sum = (sum_t)THBlas_(lines)(gemm->k, a, gemm->aColumn, b, gemm->bRow);
            THBlas_(store)(gemm, c + j, 1, 1, &sum, false);
        }
    }
}

#if defined(TH_CATEGORY_IS_INTEGRAL)
/* Panels of `width` columns of a (count, k) matrix, transposed: (panel, k, width). */
static __attribute__((noinline)) void THBlas_(pack)(sum_t *to, const storage_t *from, int64_t count,
                                                    int64_t k, int64_t width, int64_t stride,
                                                    int64_t kStride)
{
    for (int64_t begin = 0; begin < count; begin += width) {
        const int64_t have = count - begin < width ? count - begin : width;
        for (int64_t p = 0; p < k; p++, to += width) {
            const storage_t *x = from + begin * stride + p * kStride;
            for (int64_t i = 0; i < have && stride == 1; i++) /* by vectors */
                to[i] = (sum_t)TH_LOAD(x + i);
            for (int64_t i = 0; i < have && stride != 1; i++)
                to[i] = (sum_t)TH_LOAD(x + i * stride);
            for (int64_t i = have; i < width; i++)
                to[i] = 0;
        }
    }
}

static void THBlas_(storeTile)(const THGemm *gemm, int64_t row, int64_t rows, int64_t column,
                               const sum_t *tile, bool add)
{
    const int64_t columns = gemm->n - column < COLUMNS ? gemm->n - column : COLUMNS;
    for (int64_t i = 0; i < rows; i++) {
        storage_t *c = (storage_t *)gemm->c + (row + i) * gemm->cRow + column;
        THBlas_(store)(gemm, c, 1, columns, tile + i * COLUMNS, add);
    }
}

static void THBlas_(block)(const THGemm *gemm, const Packed *packed, sum_t *a, int64_t row,
                           int64_t rows, int64_t p)
{
    _Alignas(64) sum_t tile[TH_GEMM_ROWS * TH_GEMM_COLUMN_BYTES / sizeof(sum_t)];
    const int64_t depth = gemm->k - p < GEMM_DEPTH ? gemm->k - p : GEMM_DEPTH;
    THBlas_(pack)(a, (const storage_t *)gemm->a + row * gemm->aRow + p * gemm->aColumn, rows, depth,
                  TH_GEMM_ROWS, gemm->aRow, gemm->aColumn);
    for (int64_t column = 0; column < gemm->n; column += COLUMNS) {
        const sum_t *b = (const sum_t *)packed->b + column * gemm->k + p * COLUMNS;
        for (int64_t i = 0; i < rows; i += TH_GEMM_ROWS) {
            packed->tile(depth, a + i * depth, b, tile);
            THBlas_(storeTile)(gemm, row + i, rows - i < TH_GEMM_ROWS ? rows - i : TH_GEMM_ROWS,
                               column, tile, p > 0);
        }
    }
}

static void THBlas_(blocks)(int64_t begin, int64_t end, void *context)
{
    const Packed *packed = context;
    const THGemm *gemm = packed->gemm;
    sum_t *a = THScratch_take(&packed->scratch);
    for (int64_t row = begin; row < end; row += GEMM_HEIGHT) {
        const int64_t rows = end - row < GEMM_HEIGHT ? end - row : GEMM_HEIGHT;
        for (int64_t p = 0; p < gemm->k; p += GEMM_DEPTH)
            THBlas_(block)(gemm, packed, a, row, rows, p);
    }
    THScratch_give(a);
}

static int THBlas_(packed)(const THGemm *gemm)
{
    static const THGemmTile tiles[] = TH_ISA_TABLE(TH_CONCAT_2(THGemm_tile_, sum_t));
    Packed packed = {.gemm = gemm, .tile = tiles[THIsa_current]};
    const int64_t columns = (gemm->n + COLUMNS - 1) / COLUMNS * COLUMNS;
    int64_t bytes;
    TH_CHECK(THSize_mul(columns, gemm->k, &bytes) && THSize_mul(bytes, sizeof(sum_t), &bytes),
             TH_ERROR_MEMORY, "not enough memory for a product of matrices");
    packed.b = THAlloc((size_t)bytes);
    if (packed.b == NULL)
        return TH_ERROR_MEMORY;
    const int64_t part = GEMM_HEIGHT * GEMM_DEPTH * (int64_t)sizeof(sum_t);
    const int status = THScratch_open(&packed.scratch, gemm->m, GEMM_HEIGHT, part);
    if (status == TH_OK) {
        THBlas_(pack)(packed.b, gemm->b, gemm->n, gemm->k, COLUMNS, gemm->bColumn, gemm->bRow);
        TH_parallel_for(gemm->m, GEMM_HEIGHT, THBlas_(blocks), &packed);
    }
    THScratch_close(&packed.scratch);
    THFree(packed.b);
    return status;
}
#endif

/* With k or alpha 0, C is only multiplied by beta, which `rows` does: A and B are not read. Floats
 * have no other use of it. */
static int THBlas_(loops)(const THGemm *gemm)
{
    THGemm copy = gemm->m == 1 && gemm->n > 1 ? THGemm_flip(gemm) : *gemm;
    if (*(const scalar_t *)gemm->alpha == 0)
        copy.k = 0;
#if defined(TH_CATEGORY_IS_INTEGRAL)
    if (copy.n > 1 && copy.k > 0 && copy.m * copy.n > 64)
        return THBlas_(packed)(&copy);
#endif
    const int64_t work = copy.n * copy.k;
    TH_parallel_for(copy.m, work < 16384 ? 1 + 16384 / (work + 1) : 1, THBlas_(rows), &copy);
    return TH_OK;
}

#undef sum_t
#undef THBlas_
#undef COLUMNS
