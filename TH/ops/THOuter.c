/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Outer products for every dtype, row by row. */
#include <TH/THBlas.h>
#include <TH/THMachine.h>
#include <TH/THThreads.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THProduct.h>

#define GRAIN 65536 /* elements worth a thread's while */
#define SHORT 16    /* columns that are shorter lines than rows: the rows are taken as lines */
#define STAGED 512  /* elements converted at once */
#define BLOCK 4096  /* elements of such rows, which the first-level cache keeps */

/* A row of the result, or a column; strides and steps to the next one in elements, `right` is
 * contiguous. What is NULL is not read. */
typedef struct THOuterRow {
    void *result;
    const void *self, *right;
    int64_t n, stride, selfStride, step, selfStep;
} THOuterRow;

/* result = beta self + alpha left right; left and right are contiguous, alpha and beta scalar_t. */
typedef struct THOuter {
    const THTensor *result, *self, *left, *right;
    const void *alpha, *beta;
    bool fresh;    /* self is not read */
    bool streamed; /* the result goes past the caches */
    int rowDim;    /* what its lines run along is the other dim */
} THOuter;

/* `left` is called `first`. */
static int outerProduct(const char *op, const char *first, THOuter *outer, THTensor *result,
                        THTensor *left, THTensor *right);

#define TH_GENERIC_FILE <TH/generic/outer.c>
#include <TH/THGenerateAllTypes.h>

typedef void (*OuterRows)(const THOuter *outer, THOuterRow row, int64_t count, const void *factors);
static const OuterRows outerRows[TH_DTYPE_LIMIT] = {
    [TH_BOOL] = THBoolTensor_outerRows,
    [TH_BYTE] = THCharTensor_outerRows, /* the same bits, as products wrap */
    [TH_CHAR] = THCharTensor_outerRows,
    [TH_SHORT] = THShortTensor_outerRows,
    [TH_INT] = THIntTensor_outerRows,
    [TH_LONG] = THLongTensor_outerRows,
    [TH_HALF] = THHalfTensor_outerRows,
    [TH_FLOAT] = THFloatTensor_outerRows,
    [TH_DOUBLE] = THDoubleTensor_outerRows,
};

/* The element at `first` of a line. */
static void *placeOf(const THTensor *tensor, int rowDim, int64_t line, int64_t first)
{
    const int64_t at = line * tensor->stride[rowDim] + first * tensor->stride[1 - rowDim];
    return (char *)THTensor_data(tensor) + at * THTensor_itemSize(tensor);
}

/* `count` elements from `first` of the lines, which are short, or of all of them. */
static void outerLines(const THOuter *outer, int64_t line, int64_t end, int64_t first,
                       int64_t count)
{
    const THTensor *result = outer->result, *self = outer->self;
    const int rowDim = outer->rowDim;
    const int64_t size = THTensor_itemSize(result);
    const char *factors = THTensor_data(rowDim == 0 ? outer->left : outer->right);
    const char *right = THTensor_data(rowDim == 0 ? outer->right : outer->left);
    const THOuterRow row = {.result = placeOf(result, rowDim, line, first),
                            .self = self ? placeOf(self, rowDim, line, first) : NULL,
                            .right = right + first * size,
                            .n = count,
                            .stride = result->stride[1 - rowDim],
                            .selfStride = self ? self->stride[1 - rowDim] : 0,
                            .step = result->stride[rowDim],
                            .selfStep = self ? self->stride[rowDim] : 0};
    outerRows[result->dtype](outer, row, end - line, factors + line * size);
}

static void someRows(int64_t begin, int64_t end, void *context)
{
    const THOuter *outer = context;
    const int64_t columns = outer->result->size[1], block = BLOCK / (columns + 1);
    if (outer->rowDim == 0)
        outerLines(outer, begin, end, 0, columns);
    for (int64_t i = begin; i < end && outer->rowDim == 1; i += block)
        outerLines(outer, 0, columns, i, THSize_min(end - i, block));
    if (outer->streamed)
        THMove_fence();
}

static int outerProduct(const char *op, const char *first, THOuter *outer, THTensor *result,
                        THTensor *left, THTensor *right)
{
    THTensor *lines = NULL, *contiguous = NULL;
    const int64_t any = -1;
    int status = TH_OK;
    TH_TRY(THProduct_expect(op, first, left, 1, &any));
    TH_TRY(THProduct_expect(op, "vec2", right, 1, &any));
    const int64_t size[] = {left->size[0], right->size[0]};
    TH_REQUIRE(outer->self == NULL || THTensor_isSize(outer->self, 2, size), TH_ERROR_VALUE,
               "%s: expected self of shape %s, got %s", op, THSize_desc(2, size).str,
               THTensor_sizeDesc(outer->self).str);
    if (outer->fresh)
        outer->self = NULL;
    if (result != outer->self)
        TH_TRY(THTensor_resizeOutput(op, result, 2, size));
    TH_TRY(THTensor_newContiguous(&lines, left));
    TH_TRY(THTensor_newContiguous(&contiguous, right));
    outer->result = result;
    outer->left = lines;
    outer->right = contiguous;
    outer->rowDim = size[1] < SHORT && size[1] < size[0];
    const int64_t row = size[1] * THTensor_itemSize(result);
    outer->streamed = outer->self == NULL && row >= TH_STREAM_BYTES && result->stride[1] == 1 &&
                      size[0] >= THMachine_streamFrom / row;
    TH_parallel_for(size[0], GRAIN / (size[1] + 1) + 1, someRows, outer);
done:
    THTensor_free(lines);
    THTensor_free(contiguous);
    return status;
}
