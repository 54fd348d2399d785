/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tensors: making and releasing them, questions about them. THResize.c changes their shapes.
 *
 * Invariants: sizes and strides lie in the header up to TH_INLINE_DIMS dims, beyond that in one
 * block of exactly 2 * nDimension numbers; every element lies inside the storage; the number of
 * elements times their size fits in int64. */
#include <TH/THExplain.h>
#include <TH/core/THPrivate.h>

#include <stdio.h>
#include <string.h>

/* Sizes and strides */

static THTensor *makeManyDims(THTensor *self, int nDimension)
{
    int64_t *block = THBlock_allocate(THTensor_dimsBytes(nDimension));
    if (block == NULL) {
        THList_push(TH_LIST_TENSOR, self);
        return NULL;
    }
    self->size = block;
    self->stride = block + nDimension;
    return self;
}

/* A header with room for so many dims; sizes and strides are not set. */
static inline THTensor *makeHeader(THDtype dtype, THStorage *storage, int64_t storageOffset,
                                   int nDimension)
{
    THTensor *self = THList_pop(TH_LIST_TENSOR, sizeof *self);
    if (TH_UNLIKELY(self == NULL))
        return NULL;
    self->size = self->inlined;
    self->stride = self->inlined + TH_INLINE_DIMS;
    self->nDimension = nDimension;
    self->refcount = 1;
    self->storage = storage;
    self->storageOffset = storageOffset;
    self->flag = TH_TENSOR_REFCOUNTED;
    self->dtype = (uint8_t)dtype;
    self->layout = 0;
    memset(self->reserved, 0, sizeof self->reserved);
    return TH_LIKELY(nDimension <= TH_INLINE_DIMS) ? self : makeManyDims(self, nDimension);
}

static void freeHeader(THTensor *self)
{
    if (THTensor_hasOwnBlock(self))
        THBlock_free(self->size, THTensor_dimsBytes(self->nDimension));
    THList_push(TH_LIST_TENSOR, self);
}

/* A whole tensor for contiguous elements of so many bytes, without its dims; NULL where none is
 * kept. Tests that let allocations fail see each of them. */
static inline THTensor *popWhole(THDtype dtype, int nDimension, int64_t bytes)
{
    THLocal *local = &THLocal_current;
    THFreeList *list = THList_ofWhole(bytes);
    THTensor *self = list == NULL || local->failAt != 0 ? NULL : list->head;
    if (self == NULL || nDimension > TH_INLINE_DIMS)
        return NULL;
    list->head = *(void **)self;
    __atomic_store_n(&list->room, list->room + 1, __ATOMIC_RELAXED);
    __atomic_store_n(&local->allocations, local->allocations + 3, __ATOMIC_RELAXED);
    self->size = self->inlined;
    self->nDimension = nDimension;
    self->refcount = 1;
    self->storageOffset = 0;
    self->flag = TH_TENSOR_REFCOUNTED;
    self->dtype = (uint8_t)dtype;
    self->storage->size = bytes;
    return self;
}

/* Keeps a tensor that nobody refers to as it is; false where it is not to be kept. */
static inline bool pushWhole(THTensor *self)
{
    THStorage *storage = self->storage;
    if (storage == NULL || !THStorage_isPlain(storage) || THTensor_hasOwnBlock(self))
        return false;
    THFreeList *list = THList_ofWhole(storage->size);
    if (list == NULL || list->room == 0)
        return false;
    *(void **)self = list->head;
    list->head = self;
    __atomic_store_n(&list->room, list->room - 1, __ATOMIC_RELAXED);
    return true;
}

int THTensor_makeView(THTensor **out, THDtype dtype, THStorage *storage, int64_t storageOffset,
                      int nDimension, const int64_t *size, const int64_t *stride)
{
    THTensor *self = makeHeader(dtype, storage, storageOffset, nDimension);
    if (TH_UNLIKELY(self == NULL))
        return TH_ERROR_MEMORY;
    THSize_copy(nDimension, self->size, size);
    THSize_copy(nDimension, self->stride, stride);
    THStorage_addReference(storage);
    *out = self;
    return TH_OK;
}

void THSize_contiguousStrides(int nDimension, const int64_t *size, int64_t *stride)
{
    int64_t step = 1;
    for (int i = nDimension - 1; i >= 0; i--) {
        stride[i] = step;
        step *= size[i] > 1 ? size[i] : 1;
    }
}

static int shapeError(THDtype dtype, int nDimension, const int64_t *size)
{
    TH_CHECK(THDtype_isValid((int)dtype), TH_ERROR_TYPE, "unknown dtype %d", (int)dtype);
    TH_CHECK(nDimension >= 0 && nDimension <= TH_MAX_DIMS, TH_ERROR_VALUE,
             "expected at most %d dims, got %d", TH_MAX_DIMS, nDimension);
    for (int i = 0; i < nDimension; i++)
        TH_CHECK(size[i] >= 0, TH_ERROR_VALUE, "size %lld of dim %d is negative",
                 (long long)size[i], i);
    return THError(TH_ERROR_VALUE, "shape %s has too many elements",
                   THSize_desc(nDimension, size).str);
}

int THSize_check(THDtype dtype, int nDimension, const int64_t *size, int64_t *elements)
{
    if (TH_UNLIKELY(!THDtype_isValid((int)dtype) || (unsigned)nDimension > TH_MAX_DIMS))
        return shapeError(dtype, nDimension, size);
    int64_t total = 1, bytes; /* as if empty dims had size 1: bounds the strides too */
    bool isEmpty = false;
    for (int i = 0; i < nDimension; i++) {
        if (TH_UNLIKELY(size[i] < 0 || !THSize_mul(total, size[i] + (size[i] == 0), &total)))
            return shapeError(dtype, nDimension, size);
        isEmpty |= size[i] == 0;
    }
    if (TH_UNLIKELY(!THSize_mul(total, THDtype_size(dtype), &bytes)))
        return shapeError(dtype, nDimension, size);
    *elements = isEmpty ? 0 : total;
    return TH_OK;
}

/* Creation */

int THTensor_makeLike(THTensor **out, THDtype dtype, int nDimension, const int64_t *size,
                      int64_t elements)
{
    const int64_t bytes = elements * THDtype_size(dtype);
    THTensor *self = popWhole(dtype, nDimension, bytes);
    if (TH_UNLIKELY(self == NULL)) {
        if ((self = makeHeader(dtype, NULL, 0, nDimension)) == NULL)
            return TH_ERROR_MEMORY;
        if ((self->storage = THStorage_make(bytes)) == NULL) {
            freeHeader(self);
            return TH_ERROR_MEMORY;
        }
    }
    THSize_copy(nDimension, self->size, size);
    THSize_contiguousStrides(nDimension, size, self->stride);
    *out = self;
    return TH_OK;
}

int THTensor_newWithSize(THTensor **out, THDtype dtype, int nDimension, const int64_t *size)
{
    int64_t elements = 0;
    const int status = THSize_check(dtype, nDimension, size, &elements);
    if (TH_UNLIKELY(status != TH_OK))
        return status;
    return THTensor_makeLike(out, dtype, nDimension, size, elements);
}

int THTensor_newEmpty(THTensor **out, THDtype dtype)
{
    const int64_t size = 0;
    return THTensor_newWithSize(out, dtype, 1, &size);
}

int THTensor_newUnshaped(THTensor **out, THDtype dtype)
{
    THTensor *self = popWhole(dtype, 1, TH_ALIGNMENT);
    if (self == NULL)
        return THTensor_newEmpty(out, dtype);
    self->flag |= TH_TENSOR_UNSHAPED;
    self->size[0] = 0;
    self->stride[0] = 1;
    *out = self;
    return TH_OK;
}

int THTensor_newLike(THTensor **out, THDtype dtype, const THTensor *like)
{
    return THTensor_newWithSize(out, dtype, like->nDimension, like->size);
}

int THTensor_checkPlacement(THDtype dtype, const THStorage *storage, int64_t storageOffset,
                            int nDimension, const int64_t *size, const int64_t **stride,
                            int64_t made[TH_MAX_DIMS])
{
    int64_t elements, last = storageOffset, extent;
    TH_CHECK(storage != NULL, TH_ERROR_VALUE, "expected a storage");
    const int status = THSize_check(dtype, nDimension, size, &elements);
    if (status != TH_OK)
        return status;
    TH_CHECK(storageOffset >= 0, TH_ERROR_VALUE, "storage offset %lld is negative",
             (long long)storageOffset);
    if (*stride == NULL) {
        THSize_contiguousStrides(nDimension, size, made);
        *stride = made;
    }
    bool fits = true;
    for (int i = 0; i < nDimension; i++) {
        TH_CHECK((*stride)[i] >= 0, TH_ERROR_VALUE, "stride %lld of dim %d is negative",
                 (long long)(*stride)[i], i);
        if (elements > 0)
            fits = fits && THSize_mul(size[i] - 1, (*stride)[i], &extent) &&
                   THSize_add(last, extent, &last);
    }
    const int64_t end = storage->size / THDtype_size(dtype);
    TH_CHECK(elements == 0 || (fits && last < end), TH_ERROR_VALUE,
             "shape %s with strides %s and offset %lld exceeds a storage of %lld elements",
             THSize_desc(nDimension, size).str, THSize_desc(nDimension, *stride).str,
             (long long)storageOffset, (long long)end);
    return TH_OK;
}

int THTensor_newWithStorage(THTensor **out, THDtype dtype, THStorage *storage,
                            int64_t storageOffset, int nDimension, const int64_t *size,
                            const int64_t *stride)
{
    int64_t made[TH_MAX_DIMS];
    const int status =
        THTensor_checkPlacement(dtype, storage, storageOffset, nDimension, size, &stride, made);
    if (status != TH_OK)
        return status;
    return THTensor_makeView(out, dtype, storage, storageOffset, nDimension, size, stride);
}

void THTensorArray_free(THTensorArray *self)
{
    for (int i = 0; i < self->n; i++)
        THTensor_free(self->tensors[i]);
    THFree(self->tensors);
    *self = (THTensorArray){0, NULL};
}

int THTensor_newClone(THTensor **out, THTensor *self)
{
    THTensor *clone;
    int status = THTensor_makeLike(&clone, (THDtype)self->dtype, self->nDimension, self->size,
                                   THTensor_nElement(self));
    if (status != TH_OK)
        return status;
    status = THTensor_copyApart(clone, self);
    if (status != TH_OK) {
        THTensor_free(clone);
        return status;
    }
    *out = clone;
    return TH_OK;
}

int THTensor_newContiguous(THTensor **out, THTensor *self)
{
    if (!THTensor_isContiguous(self))
        return THTensor_newClone(out, self);
    THTensor_retain(self);
    *out = self;
    return TH_OK;
}

int THTensor_newScalar(THTensor **out, THDtype dtype, THScalar value)
{
    THTensor *self;
    const int status = THTensor_newWithSize(&self, dtype, 0, NULL);
    if (status != TH_OK)
        return status;
    THTensor_setAt(self, 0, value);
    *out = self;
    return TH_OK;
}

void THTensor_retain(THTensor *self)
{
    if (TH_LIKELY(self->flag & TH_TENSOR_REFCOUNTED))
        __atomic_add_fetch(&self->refcount, 1, __ATOMIC_RELAXED);
}

void THTensor_free(THTensor *self)
{
    if (self == NULL || !(self->flag & TH_TENSOR_REFCOUNTED) || !THRefcount_drop(&self->refcount))
        return;
    if (TH_LIKELY(pushWhole(self)))
        return;
    THStorage_free(self->storage);
    freeHeader(self);
}

THTensor *THScalarTensor_init(THScalarTensor *box, THScalar value)
{
    THTensor *self = &box->tensor;
    THStorage *storage = &box->storage;
    /* Field by field, but for the room of dims: this is a part of every call with a number. */
    self->size = self->inlined;
    self->stride = self->inlined + TH_INLINE_DIMS;
    self->nDimension = 0;
    self->refcount = 1;
    self->storage = storage;
    self->storageOffset = 0;
    self->flag = TH_TENSOR_WRAPPED_NUMBER;
    self->layout = 0;
    memset(self->reserved, 0, sizeof self->reserved);
    *storage = (THStorage){.data = &box->value, .size = sizeof(double), .refcount = 1};
    if (value.kind == TH_SCALAR_DOUBLE) {
        self->dtype = TH_DOUBLE;
        box->value.d = value.value.d;
    } else if (value.kind == TH_SCALAR_BOOL) {
        self->dtype = TH_BOOL;
        box->value.b = value.value.l != 0;
    } else {
        self->dtype = TH_LONG;
        box->value.l = value.value.l;
    }
    return self;
}

/* Questions */

int64_t THTensor_nElement(const THTensor *self)
{
    int64_t elements = 1;
    for (int i = 0; i < self->nDimension; i++)
        elements *= self->size[i];
    return elements;
}

bool THTensor_isContiguous(const THTensor *self)
{
    int64_t step = 1;
    bool isContiguous = true;
    for (int i = self->nDimension - 1; i >= 0; i--) {
        if (self->size[i] == 1)
            continue;
        isContiguous &= self->stride[i] == step;
        step *= self->size[i];
    }
    return isContiguous || step == 0;
}

bool THTensor_isSize(const THTensor *self, int nDimension, const int64_t *size)
{
    if (self->nDimension != nDimension)
        return false;
    for (int i = 0; i < nDimension; i++)
        if (self->size[i] != size[i])
            return false;
    return true;
}

bool THTensor_isSameSizeAs(const THTensor *self, const THTensor *other)
{
    return THTensor_isSize(self, other->nDimension, other->size);
}

bool THTensor_isSetTo(const THTensor *self, const THTensor *other)
{
    if (self->dtype != other->dtype || self->storage != other->storage ||
        self->storageOffset != other->storageOffset || !THTensor_isSameSizeAs(self, other))
        return false;
    for (int i = 0; i < self->nDimension; i++)
        if (self->stride[i] != other->stride[i])
            return false;
    return true;
}

bool THTensor_isTransposed(const THTensor *self)
{
    return self->nDimension == 2 && self->stride[0] == 1 && self->stride[1] != 1;
}

bool THTensor_isPermuted(const THTensor *self)
{
    int64_t least = INT64_MAX;
    for (int d = self->nDimension - 1; d >= 0; d--) {
        if (self->size[d] == 1)
            continue;
        if (self->stride[d] < least && least != INT64_MAX)
            return true;
        least = THSize_min(least, self->stride[d]);
    }
    return false;
}

THDescBuff THSize_desc(int nDimension, const int64_t *size)
{
    THDescBuff desc;
    const size_t room = sizeof desc.str;
    const size_t tail = sizeof ", ...)"; /* what must still fit */
    size_t length = (size_t)snprintf(desc.str, room, "(");
    for (int i = 0; i < nDimension; i++) {
        char number[32];
        const int digits =
            snprintf(number, sizeof number, "%s%lld", i > 0 ? ", " : "", (long long)size[i]);
        if (length + (size_t)digits + tail > room) {
            snprintf(desc.str + length, room - length, ", ...)");
            return desc;
        }
        memcpy(desc.str + length, number, (size_t)digits);
        length += (size_t)digits;
    }
    snprintf(desc.str + length, room - length, nDimension == 1 ? ",)" : ")");
    return desc;
}
