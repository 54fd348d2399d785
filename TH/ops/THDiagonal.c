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
#define FEW 64               /* elements: fewer than views of them are worth */
#define FAR_BYTES (16 << 20) /* of which parts are streamed */
#define MASK_BYTES 16384     /* of a matrix whose elements are masked, in the first cache */
#define MASK_ROW 512         /* bytes of a row below which that takes less time than moving it */
#define MASK_MATRICES 4      /* worth a mask */
#define MASK_GRAIN 65536     /* bytes for a thread */

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
    THTensor *result, *self;
    int64_t shift; /* row i has its edge, before which the lower triangle is, in column i + shift */
    bool upper, inPlace;
} Triangle;

/* Address of a row of a stack of matrices; rows are counted through. */
static char *rowOf(const THTensor *self, int64_t row)
{
    int64_t offset = 0;
    for (int d = self->nDimension - 2; d > 0; d--) {
        offset += row % self->size[d] * self->stride[d];
        row /= self->size[d];
    }
    offset += row * self->stride[0];
    return (char *)THTensor_data(self) + offset * THTensor_itemSize(self);
}

static void copyItems(char *to, int64_t toStride, char *from, int64_t fromStride, int64_t n,
                      int64_t item)
{
    const THLine line = {
        .n = n, .block = item, .stride = {0, toStride, fromStride}, .data = {NULL, to, from}};
    if (toStride == item && fromStride == item)
        memcpy(to, from, (size_t)(n * item));
    else if (n > 0)
        THLine_copy(&line);
}

static void zeroItems(char *to, int64_t stride, int64_t n, int64_t item)
{
    static char zero[8];
    if (stride == item)
        memset(to, 0, (size_t)(n * item));
    else
        copyItems(to, stride, zero, 0, n, item);
}

static int64_t within(int64_t place, int64_t n)
{
    return place < 0 ? 0 : THSize_min(place, n);
}

static void triangleRows(int64_t begin, int64_t end, void *context)
{
    const Triangle *triangle = context;
    const THTensor *result = triangle->result, *self = triangle->self;
    const int last = self->nDimension - 1;
    const int64_t item = THTensor_itemSize(self), n = self->size[last], rows = self->size[last - 1];
    const int64_t toStride = result->stride[last] * item, fromStride = self->stride[last] * item;
    for (int64_t row = begin, stop; row < end; row = stop) { /* of one matrix up to `stop` */
        const int64_t own = row % rows;
        char *to = rowOf(result, row), *from = triangle->inPlace ? to : rowOf(self, row);
        stop = THSize_min(end, row + rows - own);
        for (int64_t i = own; i < own + stop - row; i++) {
            const int64_t edge = within(i + triangle->shift, n);
            const int64_t first = triangle->upper ? edge : 0; /* of those kept */
            if (!triangle->inPlace)
                copyItems(to + first * toStride, toStride, from + first * fromStride, fromStride,
                          triangle->upper ? n - edge : edge, item);
            zeroItems(triangle->upper ? to : to + edge * toStride, toStride,
                      triangle->upper ? edge : n - edge, item);
            to += result->stride[last - 1] * item;
            from += self->stride[last - 1] * item;
        }
    }
}

/* Many small matrices: a mask tells the bytes of each that are kept. */
typedef struct Masked {
    const char *from;
    char *to;
    int64_t bytes; /* of a matrix */
    unsigned char mask[MASK_BYTES];
} Masked;

static void maskMatrices(int64_t begin, int64_t end, void *context)
{
    const Masked *masked = context;
    const int64_t bytes = masked->bytes;
    for (int64_t matrix = begin; matrix < end; matrix++) {
        const char *from = masked->from + matrix * bytes;
        char *to = masked->to + matrix * bytes;
#pragma omp simd
        for (int64_t i = 0; i < bytes; i++)
            to[i] = (char)(from[i] & masked->mask[i]);
    }
}

static bool isMasked(const Triangle *triangle, int64_t rows, int64_t columns)
{
    const int64_t item = THTensor_itemSize(triangle->self), row = columns * item;
    return row < MASK_ROW && rows <= MASK_BYTES / row &&
           THTensor_nElement(triangle->self) >= MASK_MATRICES * rows * columns &&
           THTensor_isContiguous(triangle->result) && THTensor_isContiguous(triangle->self);
}

static void makeMasked(const Triangle *triangle, int64_t rows, int64_t columns)
{
    const int64_t item = THTensor_itemSize(triangle->self), bytes = rows * columns * item;
    Masked masked; /* large: no initialiser */
    masked.from = THTensor_data(triangle->self);
    masked.to = THTensor_data(triangle->result);
    masked.bytes = bytes;
    memset(masked.mask, triangle->upper ? 0xff : 0, (size_t)bytes);
    for (int64_t row = 0; row < rows; row++)
        memset(masked.mask + row * columns * item, triangle->upper ? 0 : 0xff,
               (size_t)(within(row + triangle->shift, columns) * item));
    TH_parallel_for(THTensor_nElement(triangle->self) / (rows * columns), MASK_GRAIN / bytes + 1,
                    maskMatrices, &masked);
}

/* The same of a stack: rows and columns from `from` on, `n` of them. */
static int newPart(THTensor **out, THTensor *self, const int64_t from[2], const int64_t n[2])
{
    THTensor *rows = NULL;
    int status = TH_OK;
    TH_TRY(THTensor_newNarrow(&rows, self, self->nDimension - 2, from[0], n[0]));
    TH_TRY(THTensor_newNarrow(out, rows, self->nDimension - 1, from[1], n[1]));
done:
    THTensor_free(rows);
    return status;
}

/* A part of all matrices that is kept, or zero, everywhere. */
static int makePart(const Triangle *triangle, const int64_t from[2], const int64_t n[2], bool kept)
{
    THTensor *to = NULL, *source = NULL;
    int status = TH_OK;
    if (n[0] == 0 || n[1] == 0 || (kept && triangle->inPlace))
        return TH_OK;
    TH_TRY(newPart(&to, triangle->result, from, n));
    if (kept)
        TH_TRY(newPart(&source, triangle->self, from, n));
    TH_TRY(kept ? THTensor_copy(to, source) : THTensor_zero(to));
done:
    THTensor_free(to);
    THTensor_free(source);
    return status;
}

/* Row after row of all matrices at once: of many that have few rows. */
static int triangleParts(const Triangle *triangle, int64_t begin, int64_t end, int64_t columns)
{
    int status = TH_OK;
    for (int64_t row = begin; row < end; row++) {
        const int64_t edge = row + triangle->shift;
        TH_TRY(makePart(triangle, (int64_t[]){row, 0}, (int64_t[]){1, edge}, !triangle->upper));
        TH_TRY(makePart(triangle, (int64_t[]){row, edge}, (int64_t[]){1, columns - edge},
                        triangle->upper));
    }
done:
    return status;
}

/* The rows that the edge crosses. */
static int triangleMiddle(const Triangle *whole, int64_t begin, int64_t end, int64_t columns)
{
    const int64_t from[2] = {begin, 0}, n[2] = {end - begin, columns};
    Triangle part = {NULL, NULL, whole->shift + begin, whole->upper, whole->inPlace};
    int status = TH_OK;
    TH_TRY(newPart(&part.result, whole->result, from, n));
    TH_TRY(newPart(&part.self, whole->self, from, n));
    TH_parallel_items(THTensor_nElement(part.self) / columns, GRAIN / columns + 1, triangleRows,
                      &part);
done:
    THTensor_free(part.result);
    THTensor_free(part.self);
    return status;
}

/* Rows before `begin` lie right of the edge, those from `end` on left of it. */
static int makeParts(const Triangle *triangle, int64_t rows, int64_t columns)
{
    const int64_t begin = within(1 - triangle->shift, rows);
    const int64_t end = within(columns - triangle->shift, rows);
    const int64_t item = THTensor_itemSize(triangle->self), row = columns * item,
                  matrices = THTensor_nElement(triangle->self) / (rows * columns);
    const bool far = THTensor_nElement(triangle->self) * item >= FAR_BYTES;
    int status = TH_OK;
    TH_TRY(makePart(triangle, (int64_t[]){0, 0}, (int64_t[]){begin, columns}, triangle->upper));
    TH_TRY(makePart(triangle, (int64_t[]){end, 0}, (int64_t[]){rows - end, columns},
                    !triangle->upper));
    if (begin < end && matrices > end - begin && (row < MASK_ROW || far))
        status = triangleParts(triangle, begin, end, columns);
    else if (begin < end)
        status = triangleMiddle(triangle, begin, end, columns);
done:
    return status;
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
    Triangle triangle = {result, self, diagonal + (upper ? 0 : 1), upper, result == self};
    if (elements > FEW && isMasked(&triangle, rows, columns))
        makeMasked(&triangle, rows, columns);
    /* Without memory for views it is row after row, too: nothing is left half written. */
    else if (elements > 0 && (elements <= FEW || makeParts(&triangle, rows, columns) != TH_OK))
        triangleRows(0, elements / columns, &triangle);
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
