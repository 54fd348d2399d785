/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to linear.h: many short rows times a small matrix, as points in space. A vector has as
 * many whole rows as fit; each element is summed in the order of k, as tiles sum it. */
#define NARROW_TERMS (LANES > 4 ? 4 : 2) /* of which a vector has those of two rows, or more */
#define NARROW_ROWS 128                  /* that are worth the vectors of factors */

#if defined(__AVX2__) && BY_SHAPE
/* `k`, a constant, terms. Where parts of registers take long to store, all of one is, if there is
 * room for it: what follows is written next. */
INLINE void multiplyRowsOf(int k, const THGemm *gemm, const lane_t *a, const lane_t *b,
                           const lane_t *self, lane_t *c)
{
    const int n = (int)gemm->n, rows = LANES / (n > k ? n : k);
    const bool fresh = gemm->fresh, plain = fresh && *(const lane_t *)gemm->alpha == 1;
    const Words alpha = spread(*(const lane_t *)gemm->alpha);
    const Words beta = spread(fresh ? 0 : *(const lane_t *)gemm->beta);
    Lanes place[NARROW_TERMS], first = {0};
    Words factor[NARROW_TERMS];
    for (int lane = 0; lane < LANES; lane++)
        first[lane] = lane / n * k;
    for (int p = 0; p < k; p++) {
        lane_t terms[LANES];
        for (int lane = 0; lane < LANES; lane++)
            terms[lane] = b[p * gemm->bRow + lane % n * gemm->bColumn];
        place[p] = first + p;
        factor[p] = loadPart(terms, LANES);
    }
    const int64_t ahead = gemm->m * k * LANE_BYTES >= FAR_ROWS ? ROWS_AHEAD : 0;
    for (int64_t i = 0; i < gemm->m; i += rows, a += rows * k, self += rows * n, c += rows * n) {
        if (ahead > 0) {
            __builtin_prefetch((const void *)((uintptr_t)a + (uintptr_t)ahead));
            __builtin_prefetch((const void *)((uintptr_t)c + (uintptr_t)ahead), 1);
        }
        const int64_t left = gemm->m - i;
        const int count = left < rows ? (int)left : rows;
        const Words row = !LANES_MASKED && left * k >= LANES ? loadRow(a) : loadPart(a, count * k);
        Words sum = {0};
#pragma GCC unroll 4
        for (int p = 0; p < k; p++)
            sum = fused(__builtin_shuffle(row, place[p]), factor[p], sum);
        if (!plain)
            sum = added(self, sum, count * n, alpha, beta, fresh);
        storePart(c, sum, !LANES_MASKED && plain && left * n >= LANES ? LANES : count * n);
    }
}

static bool multiplyNarrow(const THGemm *gemm, int64_t count)
{
    const lane_t *a = gemm->a, *b = gemm->b, *self = gemm->self;
    lane_t *c = gemm->c;
    const int64_t n = gemm->n, k = gemm->k;
    const bool fits = n <= LANES / 2 && k >= 2 && k <= NARROW_TERMS;
    if (gemm->m < NARROW_ROWS || !fits || gemm->aColumn != 1 || gemm->aRow != k ||
        gemm->cRow != n || (!gemm->fresh && gemm->selfRow != n))
        return false;
    for (int64_t i = 0; i < count; i++) {
        if (k == 2)
            multiplyRowsOf(2, gemm, a, b, self, c);
        else if (NARROW_TERMS > 2 && k == 3)
            multiplyRowsOf(3, gemm, a, b, self, c);
        else if (NARROW_TERMS > 2)
            multiplyRowsOf(4, gemm, a, b, self, c);
        a += gemm->aStep;
        b += gemm->bStep;
        c += gemm->cStep;
        self += gemm->selfStep;
    }
    return true;
}
#else
static bool multiplyNarrow(const THGemm *gemm, int64_t count)
{
    (void)gemm;
    (void)count;
    return false;
}
#endif
