/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Diagonals and triangles of matrices: of elements that are moved, and traces. */
#include <TH/THCreate.h>
#include <TH/THEngine.h>
#include <TH/THShape.h>
#include <TH/THWrapper.h>
#include <TH/ops/THNest.h>

#include <inttypes.h>
#include <string.h>

#define GRAIN 16384

/* ---- diagonals ---- */

static int matrixOfDiagonal(THTensor *result, THTensor *self, int64_t diagonal)
{
    THTensor *view = NULL;
    int64_t size[2];
    int status = TH_OK;
    TH_CHECK(diagonal != INT64_MIN &&
                 THSize_add(self->size[0], diagonal < 0 ? -diagonal : diagonal, &size[0]),
             TH_ERROR_VALUE, "diag: diagonal %" PRId64 " is too large", diagonal);
    size[1] = size[0];
    TH_TRY(THTensor_resizeOutput("diag", result, 2, size));
    TH_TRY(THTensor_newDiagonal(&view, result, diagonal, 0, 1));
    TH_TRY(THTensor_zero(result));
    TH_TRY(THTensor_copy(view, self));
done:
    THTensor_free(view);
    return status;
}

int THTensor_diag(THTensor *result, THTensor *self, int64_t diagonal)
{
    THTensor *view = NULL;
    int status = TH_OK;
    TH_CHECK(self->nDimension == 1 || self->nDimension == 2, TH_ERROR_VALUE,
             "diag: expected 1 or 2 dims, got shape %s", THTensor_sizeDesc(self).str);
    if (self->nDimension == 1)
        return matrixOfDiagonal(result, self, diagonal);
    TH_TRY(THTensor_newDiagonal(&view, self, diagonal, 0, 1));
    TH_TRY(THTensor_resizeOutput("diag", result, 1, view->size));
    TH_TRY(THTensor_copy(result, view));
done:
    THTensor_free(view);
    return status;
}

#define TH_GENERIC_FILE <TH/generic/create.c>
#include <TH/THGenerateAllTypes.h>

/* ---- triangles ---- */

typedef struct Triangle {
    const THTensor *result, *self;
    int64_t diagonal; /* within [-rows, columns] */
    bool upper;
} Triangle;

/* Address of a row of a stack of matrices; rows are counted through. */
static char *rowOf(const THTensor *self, int64_t row)
{
    int64_t offset = 0;
    for (int d = self->nDimension - 2; d >= 0; d--) {
        offset += row % self->size[d] * self->stride[d];
        row /= self->size[d];
    }
    return (char *)THTensor_data(self) + offset * THTensor_itemSize(self);
}

static void copyItems(char *to, int64_t toStride, char *from, int64_t fromStride, int64_t n,
                      int64_t item)
{
    const bool run = toStride == item && fromStride == item;
    const THLine line = {.n = run ? 1 : n,
                         .block = run ? n * item : item,
                         .stride = {0, toStride, fromStride},
                         .data = {NULL, to, from}};
    if (n > 0)
        THLine_copy(&line);
}

static void zeroItems(char *to, int64_t stride, int64_t n, int64_t item)
{
    static char zero[8];
    if (stride == item && n > 0)
        memset(to, 0, (size_t)(n * item));
    else
        copyItems(to, stride, zero, 0, n, item);
}

static void triangleRows(int64_t begin, int64_t end, void *context)
{
    const Triangle *triangle = context;
    const THTensor *result = triangle->result, *self = triangle->self;
    const int last = self->nDimension - 1;
    const int64_t item = THTensor_itemSize(self), n = self->size[last];
    const int64_t toStride = result->stride[last] * item, fromStride = self->stride[last] * item;
    for (int64_t row = begin; row < end; row++) {
        char *to = rowOf(result, row), *from = rowOf(self, row);
        int64_t edge = row % self->size[last - 1] + triangle->diagonal + (triangle->upper ? 0 : 1);
        edge = edge < 0 ? 0 : edge > n ? n : edge;
        const int64_t first = triangle->upper ? edge : 0; /* of those kept */
        if (result != self)
            copyItems(to + first * toStride, toStride, from + first * fromStride, fromStride,
                      triangle->upper ? n - edge : edge, item);
        zeroItems(triangle->upper ? to : to + edge * toStride, toStride,
                  triangle->upper ? edge : n - edge, item);
    }
}

static int makeTriangle(const char *op, THTensor *result, THTensor *self, int64_t diagonal,
                        bool upper)
{
    const int n = self->nDimension;
    TH_CHECK(n >= 2, TH_ERROR_VALUE, "%s: expected at least 2 dims, got shape %s", op,
             THTensor_sizeDesc(self).str);
    const int64_t rows = self->size[n - 2], columns = self->size[n - 1];
    diagonal = diagonal < -rows ? -rows : diagonal > columns ? columns : diagonal;
    if (result != self) {
        const int status = THTensor_resizeOutput(op, result, n, self->size);
        if (status)
            return status;
    }
    const int64_t elements = THTensor_nElement(self);
    Triangle triangle = {result, self, diagonal, upper};
    if (elements)
        TH_parallel_for(elements / columns, GRAIN / columns + 1, triangleRows, &triangle);
    return TH_OK;
}

int THTensor_tril(THTensor *result, THTensor *self, int64_t diagonal)
{
    return makeTriangle("tril", result, self, diagonal, false);
}

int THTensor_triu(THTensor *result, THTensor *self, int64_t diagonal)
{
    return makeTriangle("triu", result, self, diagonal, true);
}
