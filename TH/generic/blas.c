/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of matrices and vectors: the scalars in this dtype; included by TH/ops/THBlas.c for each
 * dtype but Bool. */
#ifndef TH_GENERIC_FILE
#error "include TH/ops/THBlas.c instead"
#endif

/* `beta * self + alpha * product`, from the arguments of these names. */
#define TH_PRODUCT(name)        \
    const scalar_t one = 1;     \
    const THProduct product = { \
        .op = name, .alpha = &alpha, .beta = &beta, .one = &one, .fresh = beta == 0}
#define TH_PLAIN_PRODUCT(name)        \
    const scalar_t one = 1, zero = 0; \
    const THProduct product = {.op = name, .alpha = &one, .beta = &zero, .one = &one, .fresh = true}

int THTensor_(mm)(THTensor *result, THTensor *self, THTensor *mat2)
{
    TH_PLAIN_PRODUCT("mm");
    return THProduct_matrices(&product, result, NULL, self, mat2, selfAndMat2);
}

int THTensor_(mv)(THTensor *result, THTensor *self, THTensor *vec)
{
    TH_PLAIN_PRODUCT("mv");
    return THProduct_vector(&product, result, NULL, self, vec);
}

int THTensor_(bmm)(THTensor *result, THTensor *self, THTensor *mat2)
{
    TH_PLAIN_PRODUCT("bmm");
    return THProduct_batches(&product, result, NULL, self, mat2, selfAndMat2);
}

int THTensor_(dot)(THTensor *result, THTensor *self, THTensor *tensor)
{
    TH_PLAIN_PRODUCT("dot");
    return THProduct_dot(&product, result, self, tensor);
}

int THTensor_(addmm)(THTensor *result, THTensor *self, THTensor *mat1, THTensor *mat2,
                     scalar_t beta, scalar_t alpha)
{
    TH_PRODUCT("addmm");
    return THProduct_matrices(&product, result, self, mat1, mat2, mat1AndMat2);
}

int THTensor_(addmv)(THTensor *result, THTensor *self, THTensor *mat, THTensor *vec, scalar_t beta,
                     scalar_t alpha)
{
    TH_PRODUCT("addmv");
    return THProduct_vector(&product, result, self, mat, vec);
}

int THTensor_(baddbmm)(THTensor *result, THTensor *self, THTensor *batch1, THTensor *batch2,
                       scalar_t beta, scalar_t alpha)
{
    TH_PRODUCT("baddbmm");
    return THProduct_batches(&product, result, self, batch1, batch2, batch1AndBatch2);
}

int THTensor_(addbmm)(THTensor *result, THTensor *self, THTensor *batch1, THTensor *batch2,
                      scalar_t beta, scalar_t alpha)
{
    TH_PRODUCT("addbmm");
    return THProduct_batchSum(&product, result, self, batch1, batch2);
}

/* For operations without scalars that are the same for all dtypes. */
static int TH_CONCAT_3(TH, Real, Product_plain)(const char *op, const THBatch *batch)
{
    TH_PLAIN_PRODUCT(op);
    return THProduct_batch(&product, TH_DTYPE, batch);
}

#undef TH_PRODUCT
#undef TH_PLAIN_PRODUCT
