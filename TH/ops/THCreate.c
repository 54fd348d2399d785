/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tensors made from numbers. Only sequences are computed for each dtype (generic/create.c); the
 * rest fills, copies and makes views. */
#include <TH/THCreate.h>
#include <TH/THEngine.h>
#include <TH/THShape.h>
#include <TH/THWrapper.h>
#include <TH/ops/THNest.h>
#include <TH/ops/THPowers.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SEQUENCE_GRAIN 16384
#define SEQUENCE_PIECE 1024

TH_ISA_DECLARE(TH_POWERS_DECLARE, th_powers);
static THPowers *const powers[TH_ISA_COUNT] = TH_ISA_TABLE(th_powers);

#define TH_GENERIC_FILE <TH/generic/create.c>
#include <TH/THGenerateAllTypes.h>

typedef void (*FillArange)(THTensor *result, THScalar start, THScalar step);
typedef void (*FillLinspace)(THTensor *result, THScalar start, THScalar end, double base);
#define ARANGE(Real, code) [code] = TH_CONCAT_3(TH, Real, Tensor_fillArange),
#define LINSPACE(Real, code) [code] = TH_CONCAT_3(TH, Real, Tensor_fillLinspace),
static const FillArange fillArange[TH_DTYPE_LIMIT] = {TH_FORALL_DTYPES(ARANGE)};
static const FillLinspace fillLinspace[TH_DTYPE_LIMIT] = {TH_FORALL_DTYPES(LINSPACE)};

/* ---- of one value ---- */

static int newSized(const char *op, THTensor **out, const int64_t *size, int nsize, int dtype,
                    THDtype otherwise)
{
    TH_CHECK(dtype < 0 || THDtype_isValid(dtype), TH_ERROR_TYPE, "%s: %d is not a dtype", op,
             dtype);
    return THTensor_newWithSize(out, dtype < 0 ? otherwise : (THDtype)dtype, nsize, size);
}

static int newFilled(const char *op, THTensor **out, const int64_t *size, int nsize, THScalar value,
                     int dtype, THDtype otherwise)
{
    THTensor *result = NULL;
    THWork work = {0};
    int status = TH_OK;
    TH_TRY(newSized(op, &result, size, nsize, dtype, otherwise));
    THWork_enter(&work, 1, &result, 1);
    status = THTensor_fill(result, value);
    THWork_end(&work);
    if (status != TH_OK)
        goto done;
    *out = result;
    result = NULL;
done:
    THTensor_free(result);
    return status;
}

static THDtype dtypeOfKind(THScalar value)
{
    return value.kind == TH_SCALAR_BOOL     ? TH_BOOL
           : value.kind == TH_SCALAR_DOUBLE ? THDtype_default()
                                            : TH_LONG;
}

int THTensor_newUninitialized(THTensor **out, const int64_t *size, int nsize, int dtype)
{
    return newSized("empty", out, size, nsize, dtype, THDtype_default());
}

int THTensor_newZeros(THTensor **out, const int64_t *size, int nsize, int dtype)
{
    return newFilled("zeros", out, size, nsize, THScalar_fromLong(0), dtype, THDtype_default());
}

int THTensor_newOnes(THTensor **out, const int64_t *size, int nsize, int dtype)
{
    return newFilled("ones", out, size, nsize, THScalar_fromLong(1), dtype, THDtype_default());
}

int THTensor_newFull(THTensor **out, const int64_t *size, int nsize, THScalar value, int dtype)
{
    return newFilled("full", out, size, nsize, value, dtype, dtypeOfKind(value));
}

int THTensor_newUninitializedLike(THTensor **out, THTensor *self, int dtype)
{
    return THTensor_newUninitializedFrom(out, self, self->size, self->nDimension, dtype);
}

int THTensor_newZerosLike(THTensor **out, THTensor *self, int dtype)
{
    return THTensor_newZerosFrom(out, self, self->size, self->nDimension, dtype);
}

int THTensor_newOnesLike(THTensor **out, THTensor *self, int dtype)
{
    return THTensor_newOnesFrom(out, self, self->size, self->nDimension, dtype);
}

int THTensor_newFullLike(THTensor **out, THTensor *self, THScalar value, int dtype)
{
    return THTensor_newFullFrom(out, self, self->size, self->nDimension, value, dtype);
}

int THTensor_newUninitializedFrom(THTensor **out, THTensor *self, const int64_t *size, int nsize,
                                  int dtype)
{
    return newSized("empty", out, size, nsize, dtype, (THDtype)self->dtype);
}

int THTensor_newZerosFrom(THTensor **out, THTensor *self, const int64_t *size, int nsize, int dtype)
{
    return newFilled("zeros", out, size, nsize, THScalar_fromLong(0), dtype, (THDtype)self->dtype);
}

int THTensor_newOnesFrom(THTensor **out, THTensor *self, const int64_t *size, int nsize, int dtype)
{
    return newFilled("ones", out, size, nsize, THScalar_fromLong(1), dtype, (THDtype)self->dtype);
}

int THTensor_newFullFrom(THTensor **out, THTensor *self, const int64_t *size, int nsize,
                         THScalar value, int dtype)
{
    return newFilled("full", out, size, nsize, value, dtype, (THDtype)self->dtype);
}

/* ---- sequences ---- */

/* How many elements arange has when all of it are integers; step is not 0. */
static uint64_t wholeLength(int64_t start, int64_t end, int64_t step)
{
    const uint64_t distance =
        step > 0 ? (uint64_t)end - (uint64_t)start : (uint64_t)start - (uint64_t)end;
    const uint64_t each = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    return distance / each + (distance % each != 0);
}

static int arangeLength(THScalar start, THScalar end, THScalar step, bool whole, bool toWhole,
                        int64_t *length)
{
    const double first = THScalar_toDouble(start), last = THScalar_toDouble(end);
    const double by = THScalar_toDouble(step);
    TH_CHECK(start.kind != TH_SCALAR_ULONG && end.kind != TH_SCALAR_ULONG &&
                 step.kind != TH_SCALAR_ULONG,
             TH_ERROR_VALUE, "arange: expected integers that fit int64");
    TH_CHECK(isfinite(by) && by != 0, TH_ERROR_VALUE,
             "arange: expected a step that is finite and not zero, got %g", by);
    TH_CHECK(!toWhole || THScalar_toLong(step) != 0, TH_ERROR_VALUE,
             "arange: step %g is zero as an integer", by);
    TH_CHECK(isfinite(first) && isfinite(last), TH_ERROR_VALUE,
             "arange: unsupported range: %g -> %g", first, last);
    const bool forward = whole ? end.value.l >= start.value.l : last >= first;
    const bool backward = whole ? end.value.l <= start.value.l : last <= first;
    TH_CHECK(by > 0 ? forward : backward, TH_ERROR_VALUE,
             "arange: bounds %g and %g are inconsistent with the sign of step %g", first, last, by);
    const double n = ceil((last - first) / by);
    const uint64_t exact = whole ? wholeLength(start.value.l, end.value.l, step.value.l) : 0;
    TH_CHECK(whole ? exact <= INT64_MAX : n < 9223372036854775808.0, TH_ERROR_VALUE,
             "arange: the range %g -> %g in steps of %g has too many elements", first, last, by);
    *length = whole ? (int64_t)exact : (int64_t)n;
    return TH_OK;
}

int THTensor_newArange(THTensor **out, THScalar start, THScalar end, THScalar step, int dtype)
{
    const bool whole = start.kind != TH_SCALAR_DOUBLE && end.kind != TH_SCALAR_DOUBLE &&
                       step.kind != TH_SCALAR_DOUBLE;
    const THDtype otherwise = whole ? TH_LONG : THDtype_default();
    const bool toWhole = THDtype_category(THDtype_isValid(dtype) ? (THDtype)dtype : otherwise) !=
                         TH_CATEGORY_FLOATING;
    THTensor *result = NULL;
    THWork work = {0};
    int64_t n;
    int status = arangeLength(start, end, step, whole, toWhole, &n);
    if (status == TH_OK)
        status = newSized("arange", &result, &n, 1, dtype, otherwise);
    if (status)
        return status;
    THWork_enter(&work, 1, &result, 1);
    fillArange[result->dtype](result, start, step);
    THWork_end(&work);
    *out = result;
    return TH_OK;
}

static int newLine(const char *op, THTensor **out, THScalar start, THScalar end, int64_t steps,
                   double base, int dtype)
{
    THTensor *result = NULL;
    THWork work = {0};
    TH_CHECK(steps >= 0, TH_ERROR_VALUE, "%s: expected a number of steps >= 0, got %" PRId64, op,
             steps);
    const int status = newSized(op, &result, &steps, 1, dtype, THDtype_default());
    if (status)
        return status;
    THWork_enter(&work, 1, &result, 1);
    fillLinspace[result->dtype](result, start, end, base);
    THWork_end(&work);
    *out = result;
    return TH_OK;
}

int THTensor_newLinspace(THTensor **out, THScalar start, THScalar end, int64_t steps, int dtype)
{
    return newLine("linspace", out, start, end, steps, 0, dtype);
}

int THTensor_newLogspace(THTensor **out, THScalar start, THScalar end, int64_t steps, double base,
                         int dtype)
{
    return newLine("logspace", out, start, end, steps, base, dtype);
}

/* ---- in place ---- */

int THTensor_newConverted(THTensor **out, THTensor *self, int dtype, bool copy)
{
    TH_CHECK(THDtype_isValid(dtype), TH_ERROR_TYPE, "to: %d is not a dtype", dtype);
    return copy && dtype == self->dtype ? THTensor_newCopy(out, self)
                                        : THTensor_newCast(out, self, (THDtype)dtype);
}

int THTensor_newConvertedLike(THTensor **out, THTensor *self, THTensor *other, bool copy)
{
    return THTensor_newConverted(out, self, other->dtype, copy);
}

int THTensor_newTypeAs(THTensor **out, THTensor *self, THTensor *other)
{
    return THTensor_newCast(out, self, (THDtype)other->dtype);
}

int THTensor_fillValue(THTensor *self, THTensor *value)
{
    const int status = THCheck_ndim("fill_", "value", value, 0);
    return status ? status : THTensor_fill(self, THTensor_getAt(value, value->storageOffset));
}

int THTensor_resizeTo(THTensor *self, const int64_t *size, int nsize)
{
    return THTensor_resize(self, nsize, size);
}

int THTensor_setEmpty(THTensor *self)
{
    THTensor *empty = NULL;
    int status = THTensor_newEmpty(&empty, (THDtype)self->dtype);
    if (status == TH_OK)
        status = THTensor_set(self, empty);
    THTensor_free(empty);
    return status;
}

int THTensor_setWholeStorage(THTensor *self, THStorage *storage)
{
    TH_CHECK(storage, TH_ERROR_TYPE, "set_: expected a storage, got none");
    const int64_t n = storage->size / THTensor_itemSize(self);
    return THTensor_setStorage(self, storage, 0, 1, &n, NULL);
}

int THTensor_setStorageView(THTensor *self, THStorage *storage, int64_t storageOffset,
                            const int64_t *size, int nsize, const int64_t *stride, int nstride)
{
    TH_CHECK(storage, TH_ERROR_TYPE, "set_: expected a storage, got none");
    TH_CHECK(nstride == 0 || nstride == nsize, TH_ERROR_VALUE,
             "set_: expected a stride for each of %d sizes, got %d", nsize, nstride);
    return THTensor_setStorage(self, storage, storageOffset, nsize, size, nstride ? stride : NULL);
}

/* ---- diagonals ---- */

int THTensor_newEye(THTensor **out, int64_t n, int64_t m, int dtype)
{
    THTensor *result = NULL, *diagonal = NULL;
    const int64_t size[] = {n, m};
    int status = TH_OK;
    TH_CHECK(n >= 0 && m >= 0, TH_ERROR_VALUE, "eye: expected sizes >= 0, got %s",
             THSize_desc(2, size).str);
    TH_TRY(newFilled("eye", &result, size, 2, THScalar_fromLong(0), dtype, THDtype_default()));
    TH_TRY(THTensor_newDiagonal(&diagonal, result, 0, 0, 1));
    TH_TRY(THTensor_fill(diagonal, THScalar_fromLong(1)));
    *out = result;
    result = NULL;
done:
    THTensor_free(diagonal);
    THTensor_free(result);
    return status;
}

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
        TH_parallel_for(elements / columns, SEQUENCE_GRAIN / columns + 1, triangleRows, &triangle);
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
