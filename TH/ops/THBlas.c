/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of matrices and vectors for each dtype, and matmul, which turns tensors of any dims into
 * a batch of matrices. */
#include <TH/THBlas.h>
#include <TH/ops/THProduct.h>

static const char *const selfAndMat2[] = {"self", "mat2"};
static const char *const mat1AndMat2[] = {"mat1", "mat2"};
static const char *const batch1AndBatch2[] = {"batch1", "batch2"};

#define TH_GENERIC_FILE <TH/generic/blas.c>
#include <TH/THGenerateIntTypes.h>
#define TH_GENERIC_FILE <TH/generic/blas.c>
#include <TH/THGenerateFloatTypes.h>

typedef int (*PlainProduct)(const char *op, const THBatch *batch);
static const PlainProduct plain[TH_DTYPE_LIMIT] = {
    [TH_BYTE] = THByteProduct_plain,   [TH_CHAR] = THCharProduct_plain,
    [TH_SHORT] = THShortProduct_plain, [TH_INT] = THIntProduct_plain,
    [TH_LONG] = THLongProduct_plain,   [TH_HALF] = THHalfProduct_plain,
    [TH_FLOAT] = THFloatProduct_plain, [TH_DOUBLE] = THDoubleProduct_plain,
};

/* An operand of matmul: a matrix and the batch dims before it. */
typedef struct Factor {
    THMatrix matrix;
    int nBatch;
    const int64_t *size, *stride; /* of the batch dims */
} Factor;

static Factor factorOf(const THTensor *tensor, bool left)
{
    Factor factor = {.size = tensor->size, .stride = tensor->stride};
    if (tensor->nDimension == 1) {
        factor.matrix = left ? THMatrix_row(tensor) : THMatrix_column(tensor);
    } else {
        factor.matrix = THMatrix_of(tensor);
        factor.nBatch = tensor->nDimension - 2;
    }
    return factor;
}

/* The batch dims the factors broadcast to; strides of the result are set later. */
static bool broadcastBatch(THBatch *batch, const Factor *a, const Factor *b)
{
    const int n = a->nBatch > b->nBatch ? a->nBatch : b->nBatch;
    batch->nDimension = n;
    for (int dim = 0; dim < n; dim++) {
        const int atA = dim - n + a->nBatch, atB = dim - n + b->nBatch;
        const int64_t sizeA = atA < 0 ? 1 : a->size[atA], sizeB = atB < 0 ? 1 : b->size[atB];
        if (sizeA != sizeB && sizeA != 1 && sizeB != 1)
            return false;
        batch->size[dim] = sizeA == 1 ? sizeB : sizeA;
        batch->aStride[dim] = sizeA == 1 ? 0 : a->stride[atA];
        batch->bStride[dim] = sizeB == 1 ? 0 : b->stride[atB];
    }
    return true;
}

/* Strides of a contiguous result, and its matrices. */
static void placeResult(THBatch *batch, const THTensor *work)
{
    int64_t step = batch->c.rows * batch->c.columns;
    batch->c.data = THTensor_data(work);
    batch->c.rowStride = batch->c.columns;
    batch->c.columnStride = 1;
    for (int dim = batch->nDimension - 1; dim >= 0; dim--) {
        batch->cStride[dim] = step;
        step *= batch->size[dim];
    }
}

/* Merges the batch into the rows where b is one matrix and a's rows follow on: one large product
 * instead of many. */
static void fold(THBatch *batch)
{
    while (batch->nDimension > 0) {
        const int dim = batch->nDimension - 1;
        if (batch->size[dim] != 1 &&
            (batch->bStride[dim] != 0 ||
             (batch->a.rows > 1 && batch->aStride[dim] != batch->a.rows * batch->a.rowStride)))
            return;
        if (batch->a.rows == 1 && batch->size[dim] != 1)
            batch->a.rowStride = batch->aStride[dim];
        batch->a.rows *= batch->size[dim];
        batch->c.rows *= batch->size[dim];
        batch->nDimension--;
    }
}

int THTensor_matmul(THTensor *result, THTensor *self, THTensor *other)
{
    int status = TH_OK, nDimension = 0;
    int64_t size[TH_MAX_DIMS];
    THTensor *work = NULL;
    THBatch batch;
    TH_REQUIRE(self->nDimension > 0 && other->nDimension > 0, TH_ERROR_VALUE,
               "matmul: expected tensors with at least one dim, got shapes %s and %s",
               THTensor_sizeDesc(self).str, THTensor_sizeDesc(other).str);
    const Factor a = factorOf(self, true), b = factorOf(other, false);
    TH_REQUIRE(a.matrix.columns == b.matrix.rows && broadcastBatch(&batch, &a, &b), TH_ERROR_VALUE,
               "matmul: shapes %s and %s do not fit", THTensor_sizeDesc(self).str,
               THTensor_sizeDesc(other).str);
    batch.a = a.matrix;
    batch.b = b.matrix;
    batch.c = (THMatrix){NULL, a.matrix.rows, b.matrix.columns, 0, 0};
    for (; nDimension < batch.nDimension; nDimension++)
        size[nDimension] = batch.size[nDimension];
    if (self->nDimension > 1)
        size[nDimension++] = batch.c.rows;
    if (other->nDimension > 1)
        size[nDimension++] = batch.c.columns;
    TH_TRY(THTensor_resizeOutput("matmul", result, nDimension, size));
    if (THTensor_isContiguous(result))
        THTensor_retain(work = result);
    else
        TH_TRY(THTensor_newLike(&work, (THDtype)result->dtype, result));
    batch.selfStride = 0;
    placeResult(&batch, work);
    fold(&batch);
    TH_TRY(plain[work->dtype]("matmul", &batch));
done:
    return THProduct_end(status, work, result);
}
