/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copying and filling: the engine with a conversion as its loop, so that strided, broadcast and
 * transposed tensors of any dtypes take the same paths as operations do. */
#include <TH/THExplain.h>
#include <TH/core/THPrivate.h>
#include <TH/engine/THRun.h>

#include <inttypes.h>
#include <string.h>

#define FEW_MOVED 1024 /* elements that are moved without a plan, in so many steps */
#define FEW_STEPS 64
#define FEW 32767          /* elements that are filled at once: less than two threads are worth */
#define MEMSET_BYTES 16384 /* more are filled faster by vectors */
/* Elements that lie apart and are filled one by one at most: a plan takes longer (a column of 100
 * float64 0.37 us, so 0.15; Xeon). */
#define FEW_APART 1024

/* Few elements of one dtype into one run, or from there, by the strides of the other tensor as they
 * are: planning would take longer. Not where that takes many steps. */
static bool moveFew(THTensor *self, THTensor *src)
{
    const int64_t n = THTensor_nElement(self), size = THTensor_itemSize(self);
    const bool back = THTensor_isContiguous(src);
    const THTensor *run = back ? src : self, *other = back ? self : src;
    int64_t index[TH_MAX_DIMS];
    int outer = other->nDimension - 1;
    if (n > FEW_MOVED || n == 0 || outer < 0 || self->dtype != src->dtype ||
        THExplain_current != NULL || !THTensor_isSize(self, src->nDimension, src->size) ||
        !THTensor_isContiguous(run) || THTensor_isContiguous(other))
        return false;
    const int64_t stride = other->stride[outer];
    int64_t columns = other->size[outer--];
    while (outer >= 0 && (other->size[outer] == 1 || other->stride[outer] == stride * columns))
        columns *= other->size[outer--];
    const int64_t rows = outer >= 0 ? other->size[outer] : 1;
    const int64_t rowStride = outer >= 0 ? other->stride[outer] * size : 0;
    if (n > FEW_STEPS * rows * columns)
        return false;
    for (int d = 0; d < outer; d++)
        index[d] = 0;
    char *dense = THTensor_data(run), *item = THTensor_data(other);
    for (int d = 0; d >= 0; dense += rows * columns * size) {
        if (back)
            THMove_scatter(size, item, dense, rows, rowStride, columns, stride * size);
        else
            THMove_gather(size, dense, item, rows, rowStride, columns, stride * size);
        for (d = outer - 1; d >= 0; d--) {
            item += other->stride[d] * size;
            if (++index[d] < other->size[d])
                break;
            item -= other->stride[d] * size * other->size[d];
            index[d] = 0;
        }
    }
    return true;
}

/* A tensor whose rows of the last dim are seen as elements, each as large as a row. */
typedef struct Widened {
    THTensor tensor;
    int64_t stride[TH_MAX_DIMS];
} Widened;

/* False where rows are no elements that lie as such. */
static bool widen(Widened *wide, const THTensor *self)
{
    const int last = self->nDimension - 1;
    const int64_t row = self->size[last], bytes = row * THTensor_itemSize(self);
    if (self->stride[last] != 1 || self->storageOffset % row != 0)
        return false;
    wide->tensor = *self;
    wide->tensor.stride = wide->stride;
    wide->tensor.nDimension = last;
    wide->tensor.storageOffset /= row;
    wide->tensor.dtype = bytes == 2 ? TH_SHORT : bytes == 4 ? TH_INT : TH_LONG;
    for (int d = 0; d < last; d++) {
        if (self->stride[d] % row != 0)
            return false;
        wide->stride[d] = self->stride[d] / row;
    }
    return (uintptr_t)THTensor_data(self) % (uintptr_t)bytes == 0;
}

/* Rows that are as short as an element are moved as such, where they are not one run anyway. */
static bool areRows(const THTensor *self, const THTensor *src)
{
    const int last = src->nDimension - 1;
    if (last < 1 || self->nDimension != src->nDimension || self->dtype != src->dtype)
        return false;
    const int64_t row = src->size[last], bytes = row * THTensor_itemSize(src);
    return row > 1 && row == self->size[last] && (bytes == 2 || bytes == 4 || bytes == 8) &&
           (src->stride[last - 1] != row || self->stride[last - 1] != row) &&
           THExplain_current == NULL;
}

int THTensor_copyApart(THTensor *self, THTensor *src)
{
    Widened wide[2];
    if (moveFew(self, src))
        return TH_OK;
    if (areRows(self, src) && widen(wide, self) && widen(wide + 1, src)) {
        self = &wide[0].tensor;
        src = &wide[1].tensor;
    }
    THTensor *operands[2] = {self, src};
    THKernel kernel = {
        .name = "copy",
        .noutputs = 1,
        .ninputs = 1,
        .flags = TH_KERNEL_COPIES,
        .cost = 1,
        .dtype = {self->dtype, src->dtype},
    };
    const THDtype to = (THDtype)self->dtype, from = (THDtype)src->dtype;
    kernel.loop[THIsa_few] = THCast_loopFor(to, from, THIsa_few);
    kernel.loop[THIsa_current] = THCast_loop(to, from);
    return THKernel_run(&kernel, operands, NULL);
}

/* As if src was copied first. */
static int copyAside(THTensor *self, THTensor *src)
{
    THTensor *aside = NULL;
    int status = TH_OK;
    TH_TRY(THTensor_newLike(&aside, (THDtype)src->dtype, src));
    TH_TRY(THTensor_copyApart(aside, src));
    TH_TRY(THTensor_copyApart(self, aside));
done:
    THTensor_free(aside);
    return status;
}

int THTensor_copy(THTensor *self, THTensor *src)
{
    TH_CHECK(!THTensor_overlapsItself(self), TH_ERROR_RUNTIME,
             "copy: self of shape %s overlaps itself (expanded); clone() it first",
             THTensor_sizeDesc(self).str);
    switch (THTensor_overlap(self, src)) {
    case TH_OVERLAP_NONE:
        return THTensor_copyApart(self, src);
    case TH_OVERLAP_FULL:
        return TH_OK;
    default:
        return copyAside(self, src);
    }
}

/* A copy in a dtype, its dims in memory in the order of self's. */
static int newOrdered(THTensor **out, THTensor *self, THDtype dtype)
{
    THTensor *result = NULL;
    int status = TH_OK;
    TH_TRY(THTensor_newLike(&result, dtype, self));
    THTensor_orderAs(result, self);
    TH_TRY(THTensor_copyApart(result, self));
    *out = result;
    result = NULL;
done:
    THTensor_free(result);
    return status;
}

int THTensor_newCopy(THTensor **out, THTensor *self)
{
    return THTensor_isContiguous(self) ? THTensor_newClone(out, self)
                                       : newOrdered(out, self, (THDtype)self->dtype);
}

int THTensor_newCast(THTensor **out, THTensor *self, THDtype dtype)
{
    if (self->dtype != dtype || self->flag & TH_TENSOR_WRAPPED_NUMBER)
        return newOrdered(out, self, dtype);
    THTensor_retain(self);
    *out = self;
    return TH_OK;
}

/* Whether an integer dtype holds the number, fractions cut off. As in PyTorch, unsigned dtypes take
 * negative numbers down to minus their largest one. */
static bool isWithin(THScalar value, THDtype dtype)
{
    const int bits = (int)THDtype_size(dtype) * 8;
    const bool isSigned = dtype != TH_BYTE;
    const int64_t largest = isSigned ? INT64_MAX >> (64 - bits) : (INT64_C(1) << bits) - 1;
    const int64_t smallest = isSigned ? -largest - 1 : -largest;

    if (value.kind == TH_SCALAR_ULONG)
        return false;
    if (value.kind != TH_SCALAR_DOUBLE)
        return value.value.l >= smallest && value.value.l <= largest;
    if (bits == 64)
        return value.value.d >= -0x1p63 && value.value.d < 0x1p63;
    return value.value.d >= (double)smallest && value.value.d <= (double)largest;
}

int THScalar_checkRange(const char *op, const char *argument, THScalar value, THDtype dtype)
{
    const char *name = THDtype_names[dtype];
    if (THDtype_category(dtype) != TH_CATEGORY_INTEGRAL || isWithin(value, dtype))
        return TH_OK;
    if (value.kind == TH_SCALAR_DOUBLE)
        return THError(TH_ERROR_VALUE, "%s: %s cannot be converted to %s without overflow: %g", op,
                       argument, name, value.value.d);
    if (value.kind == TH_SCALAR_ULONG)
        return THError(TH_ERROR_VALUE,
                       "%s: %s cannot be converted to %s without overflow: %" PRIu64, op, argument,
                       name, value.value.u);
    return THError(TH_ERROR_VALUE, "%s: %s cannot be converted to %s without overflow: %" PRId64,
                   op, argument, name, value.value.l);
}

int THTensor_storeAt(THTensor *self, int64_t offset, THScalar value)
{
    const int status = THScalar_checkRange("fill", "value", value, (THDtype)self->dtype);
    if (status == TH_OK)
        THTensor_setAt(self, offset, value);
    return status;
}

/* What one thread fills, one after the other in memory: few zeros are so of any dtype, another
 * number is stored and then repeated. */
static bool fillFew(THTensor *self, THScalar value)
{
    const int64_t n = THTensor_nElement(self);
    uint64_t element;
    if (n > FEW || THExplain_current != NULL || !THTensor_isContiguous(self))
        return false;
    if (n == 0)
        return true;
    const int64_t size = THTensor_itemSize(self);
    char *data = THTensor_data(self);
    if (value.value.u == 0 && n * size <= MEMSET_BYTES) { /* the bits, of whatever kind */
        memset(data, 0, (size_t)(n * size));
        return true;
    }
    THTensor_setAt(self, self->storageOffset, value);
    if (n > 1) {
        memcpy(&element, data, (size_t)size);
        THMove_gather(size, data, (const char *)&element, 1, 0, n, 0);
    }
    return true;
}

/* Elements of `size` bytes, a constant. */
static inline __attribute__((always_inline)) void fillRows(int64_t size, char *data, int64_t rows,
                                                           int64_t row, int64_t columns,
                                                           int64_t column, const uint64_t *element)
{
    for (; rows > 0; rows--, data += row)
        for (int64_t i = 0; i < columns; i++)
            memcpy(data + i * column, element, (size_t)size);
}

/* As fillFew, of elements that lie apart along one or two dims. */
static bool fillApart(THTensor *self, THScalar value)
{
    const int last = self->nDimension - 1;
    const int64_t n = THTensor_nElement(self), size = THTensor_itemSize(self);
    uint64_t element;
    if (n == 0 || n > FEW_APART || last < 0 || last > 1 || THExplain_current != NULL)
        return false;
    const int64_t columns = self->size[last], rows = n / columns;
    const int64_t column = columns > 1 ? self->stride[last] * size : 0; /* else it may be any */
    const int64_t row = rows > 1 ? self->stride[0] * size : 0;
    char *data = THTensor_data(self);
    THTensor_setAt(self, self->storageOffset, value);
    memcpy(&element, data, (size_t)size);
    if (size == 1)
        fillRows(1, data, rows, row, columns, column, &element);
    else if (size == 2)
        fillRows(2, data, rows, row, columns, column, &element);
    else if (size == 4)
        fillRows(4, data, rows, row, columns, column, &element);
    else
        fillRows(8, data, rows, row, columns, column, &element);
    return true;
}

/* A number as one element of a dtype: converted once. */
static THTensor *initAs(THScalarTensor *box, THScalar value, THDtype dtype)
{
    THTensor *number = THScalarTensor_init(box, value);
    uint64_t room;
    const void *element = THKernel_element(number, dtype, NULL, &room);
    if (element == &room)
        memcpy(&box->value, &room, sizeof room);
    number->dtype = (uint8_t)dtype;
    return number;
}

int THTensor_fill(THTensor *self, THScalar value)
{
    const THDtype dtype = (THDtype)self->dtype;
    THScalarTensor box;

    const int inRange = THScalar_checkRange("fill", "value", value, dtype);
    if (inRange != TH_OK)
        return inRange;
    if (fillFew(self, value)) /* which is for contiguous tensors */
        return TH_OK;
    TH_CHECK(!THTensor_overlapsItself(self), TH_ERROR_RUNTIME,
             "fill: self of shape %s overlaps itself (expanded); clone() it first",
             THTensor_sizeDesc(self).str);
    if (fillApart(self, value))
        return TH_OK;
    if (value.kind == TH_SCALAR_ULONG) /* for floating dtypes: the box would wrap it */
        value = THScalar_fromDouble(THScalar_toDouble(value));
    return THTensor_copyApart(self, initAs(&box, value, dtype));
}

int THTensor_zero(THTensor *self)
{
    return THTensor_fill(self, THScalar_fromLong(0));
}
