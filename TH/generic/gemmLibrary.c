/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The product of matrices by the BLAS library; included by TH/ops/THGemm.c for Float and Double. */
#ifndef TH_GENERIC_FILE
#error "include TH/ops/THGemm.c instead"
#endif

#define THBlas_(name) TH_CONCAT_4(TH, Real, Blas_, name)
#define TH_CBLAS(name) TH_CONCAT_3(name, _, Real)

/* y = beta y + alpha A x. A zero written beforehand, not a factor, keeps out what was in y. */
static void THBlas_(gemv)(const THBlasTable *blas, const Operand *a, int64_t m, int64_t k,
                          scalar_t alpha, const scalar_t *x, int64_t incx, scalar_t beta,
                          bool fresh, scalar_t *y, int64_t incy)
{
    const bool transposed = a->transposed;
    for (int64_t i = 0; fresh && i < m; i++)
        y[i * incy] = 0;
    blas->TH_CBLAS(gemv)(ROW_MAJOR, transposed ? TRANSPOSED : PLAIN, (int)(transposed ? k : m),
                         (int)(transposed ? m : k), alpha, a->data, (int)a->leading, x, (int)incx,
                         fresh ? 1 : beta, y, (int)incy);
}

static void THBlas_(call)(const THBlasTable *blas, const THGemm *gemm, const Operand *a,
                          const Operand *b)
{
    const scalar_t alpha = *(const scalar_t *)gemm->alpha;
    const scalar_t beta = gemm->fresh ? 0 : *(const scalar_t *)gemm->beta;
    scalar_t *c = gemm->c;
    if (gemm->m == 1 && gemm->n == 1) {
        const scalar_t sum = alpha * blas->TH_CBLAS(dot)((int)gemm->k, gemm->a, (int)gemm->aColumn,
                                                         gemm->b, (int)gemm->bRow);
        *c = gemm->fresh ? sum : beta * *c + sum;
    } else if (gemm->n == 1) {
        THBlas_(gemv)(blas, a, gemm->m, gemm->k, alpha, gemm->b, gemm->bRow, beta, gemm->fresh, c,
                      gemm->cRow);
    } else if (gemm->m == 1) {
        const Operand flipped = {b->data, b->leading, !b->transposed};
        THBlas_(gemv)(blas, &flipped, gemm->n, gemm->k, alpha, gemm->a, gemm->aColumn, beta,
                      gemm->fresh, c, 1);
    } else {
        blas->TH_CBLAS(gemm)(ROW_MAJOR, a->transposed ? TRANSPOSED : PLAIN,
                             b->transposed ? TRANSPOSED : PLAIN, (int)gemm->m, (int)gemm->n,
                             (int)gemm->k, alpha, a->data, (int)a->leading, b->data,
                             (int)b->leading, beta, c, (int)gemm->cRow);
    }
}

static int THBlas_(gemm)(const THGemm *gemm)
{
    int status = TH_OK;
    const bool worth = worthLibrary(gemm) && *(const scalar_t *)gemm->alpha != 0;
    const THBlasTable *blas = worth ? THBlas_table() : NULL;
    THGemm copy = *gemm;
    Operand a, b;
    void *aCopy = NULL, *bCopy = NULL;
    if (blas == NULL)
        return THBlas_(loops)(gemm);
    if (!fitsLibrary(&a, copy.a, copy.m, copy.k, &copy.aRow, &copy.aColumn)) {
        TH_TRY(gather(&aCopy, copy.a, sizeof(scalar_t), copy.m, copy.k, &copy.aRow, &copy.aColumn));
        copy.a = aCopy;
        fitsLibrary(&a, copy.a, copy.m, copy.k, &copy.aRow, &copy.aColumn);
    }
    if (!fitsLibrary(&b, copy.b, copy.k, copy.n, &copy.bRow, &copy.bColumn)) {
        TH_TRY(gather(&bCopy, copy.b, sizeof(scalar_t), copy.k, copy.n, &copy.bRow, &copy.bColumn));
        copy.b = bCopy;
        fitsLibrary(&b, copy.b, copy.k, copy.n, &copy.bRow, &copy.bColumn);
    }
    THBlas_(call)(blas, &copy, &a, &b);
done:
    THFree(aCopy);
    THFree(bCopy);
    return status;
}

#undef THBlas_
#undef TH_CBLAS
