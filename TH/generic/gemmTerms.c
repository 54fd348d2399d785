/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What products of some terms each come to; included by TH/ops/THGemmTerms.c for Float and Double.
 */
#ifndef TH_GENERIC_FILE
#error "include TH/ops/THGemmTerms.c instead"
#endif

#define THBlas_(name) TH_CONCAT_4(TH, Real, Blas_, name)

/* C from `count` (m, n) sums, or of its transpose, one after the other in memory and in this order.
 */
static void THBlas_(addParts)(const THGemm *gemm, bool isFlipped, scalar_t *sums, int64_t count)
{
    const int64_t size = gemm->m * gemm->n;
    const int64_t row = isFlipped ? 1 : gemm->n, column = isFlipped ? gemm->m : 1;
    const scalar_t alpha = *(const scalar_t *)gemm->alpha;
    const scalar_t beta = gemm->fresh ? 0 : *(const scalar_t *)gemm->beta;
    for (int64_t part = 1; part < count; part++) {
        const scalar_t *more = sums + part * size;
        for (int64_t i = 0; i < size; i++)
            sums[i] += more[i];
    }
    for (int64_t i = 0; i < gemm->m; i++) {
        scalar_t *c = (scalar_t *)gemm->c + i * gemm->cRow;
        const scalar_t *self = (const scalar_t *)gemm->self + i * gemm->selfRow;
        for (int64_t j = 0; j < gemm->n; j++) {
            const scalar_t product = alpha * sums[i * row + j * column];
            c[j] = gemm->fresh ? product : beta * self[j * gemm->selfColumn] + product;
        }
    }
}

#undef THBlas_
