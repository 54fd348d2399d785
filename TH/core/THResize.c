/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Changes of a tensor's shape and storage. */
#include <TH/THExplain.h>
#include <TH/core/THPrivate.h>

/* Gives self the dims; only growing out of the header can fail, and then nothing has changed. */
static int setDims(THTensor *self, int nDimension, const int64_t *size, const int64_t *stride)
{
    int64_t *block = NULL;
    const bool needsBlock = nDimension > TH_INLINE_DIMS;
    if (needsBlock && (block = THBlock_allocate(THTensor_dimsBytes(nDimension))) == NULL)
        return TH_ERROR_MEMORY;
    int64_t *newSize = needsBlock ? block : self->inlined;
    int64_t *newStride = needsBlock ? block + nDimension : self->inlined + TH_INLINE_DIMS;
    THSize_copy(nDimension, newSize, size);
    THSize_copy(nDimension, newStride, stride);
    if (THTensor_hasOwnBlock(self))
        THBlock_free(self->size, THTensor_dimsBytes(self->nDimension));
    self->size = newSize;
    self->stride = newStride;
    self->nDimension = nDimension;
    self->flag &= (char)~TH_TENSOR_UNSHAPED;
    return TH_OK;
}

/* Shape and storage are checked. */
static int become(THTensor *self, THStorage *storage, int64_t storageOffset, int nDimension,
                  const int64_t *size, const int64_t *stride)
{
    THStorage *old = self->storage;
    TH_CHECK(old == NULL || __atomic_load_n(&old->pins, __ATOMIC_ACQUIRE) == 0, TH_ERROR_RUNTIME,
             "set: the storage is in use (exported or in a running operation)");
    const int status = setDims(self, nDimension, size, stride);
    if (status != TH_OK)
        return status;
    if (storage != old) {
        THStorage_addReference(storage);
        self->storage = storage;
        THStorage_free(old);
    }
    self->storageOffset = storageOffset;
    return TH_OK;
}

int THTensor_set(THTensor *self, THTensor *source)
{
    if (self == source)
        return TH_OK;
    TH_CHECK(self->dtype == source->dtype, TH_ERROR_TYPE,
             "set: expected source of dtype %s, got %s", THDtype_name((THDtype)self->dtype),
             THDtype_name((THDtype)source->dtype));
    return become(self, source->storage, source->storageOffset, source->nDimension, source->size,
                  source->stride);
}

int THTensor_setStorage(THTensor *self, THStorage *storage, int64_t storageOffset, int nDimension,
                        const int64_t *size, const int64_t *stride)
{
    int64_t made[TH_MAX_DIMS];
    const int status = THTensor_checkPlacement((THDtype)self->dtype, storage, storageOffset,
                                               nDimension, size, &stride, made);
    if (status != TH_OK)
        return status;
    return become(self, storage, storageOffset, nDimension, size, stride);
}

/* Gives self other sizes, and its storage at least so many bytes. */
static int reshape(THTensor *self, int64_t bytes, int nDimension, const int64_t *size,
                   const int64_t *stride)
{
    if (self->flag & TH_TENSOR_SHARED)
        THWork_pause();
    int status = THStorage_checkNotPinned(self->storage, "resize");
    if (status == TH_OK && bytes > self->storage->size)
        status = THStorage_resize(self->storage, bytes);
    if (status == TH_OK)
        status = setDims(self, nDimension, size, stride);
    if (self->flag & TH_TENSOR_SHARED)
        THWork_resume();
    return status;
}

int THTensor_resize(THTensor *self, int nDimension, const int64_t *size)
{
    int64_t elements, bytes, stride[TH_MAX_DIMS];
    int status = THSize_check((THDtype)self->dtype, nDimension, size, &elements);
    if (status != TH_OK)
        return status;
    if (THTensor_isSize(self, nDimension, size) && THTensor_isContiguous(self))
        return TH_OK;
    TH_CHECK(!(self->flag & TH_TENSOR_FIXED), TH_ERROR_VALUE,
             "resize: an array of shape %s keeps it, got %s", THTensor_sizeDesc(self).str,
             THSize_desc(nDimension, size).str);
    TH_CHECK(THSize_add(elements, self->storageOffset, &bytes) &&
                 THSize_mul(bytes, THTensor_itemSize(self), &bytes),
             TH_ERROR_VALUE, "resize: shape %s has too many elements",
             THSize_desc(nDimension, size).str);
    THSize_contiguousStrides(nDimension, size, stride);
    return reshape(self, bytes, nDimension, size, stride);
}

int THTensor_resizeAs(THTensor *self, const THTensor *like)
{
    return THTensor_resize(self, like->nDimension, like->size);
}

/* Made by this call and not written yet: nobody else has its storage, which holds nothing. */
static bool isFresh(const THTensor *self)
{
    const THStorage *storage = self->storage;
    const bool isUnshaped = self->flag == (TH_TENSOR_REFCOUNTED | TH_TENSOR_UNSHAPED);
    return (isUnshaped || (self->flag == TH_TENSOR_REFCOUNTED && storage->size == 0)) &&
           storage->refcount == 1 && storage->pins == 0 &&
           storage->allocator == &THDefaultAllocator && storage->flag & TH_STORAGE_RESIZABLE;
}

/* A block of so many bytes for a fresh storage; the one that it may have will do for few. */
static int giveBlock(THStorage *storage, int64_t bytes)
{
    if (TH_UNLIKELY(storage->size > 0 && (bytes == 0 || bytes > storage->size))) {
        THBlock_free(storage->data, (size_t)storage->size);
        storage->data = NULL;
        storage->size = 0;
    }
    if (bytes > 0 && storage->data == NULL &&
        (storage->data = THBlock_allocate((size_t)bytes)) == NULL)
        return TH_ERROR_MEMORY;
    storage->size = bytes;
    return TH_OK;
}

/* THTensor_resize of a fresh tensor to few dims. */
static int resizeFresh(THTensor *self, int nDimension, const int64_t *size)
{
    int64_t elements;
    int status = THSize_check((THDtype)self->dtype, nDimension, size, &elements);
    if (TH_LIKELY(status == TH_OK))
        status = giveBlock(self->storage, elements * THTensor_itemSize(self));
    if (TH_UNLIKELY(status != TH_OK))
        return status;
    self->flag = TH_TENSOR_REFCOUNTED;
    self->nDimension = nDimension;
    THSize_copy(nDimension, self->size, size);
    THSize_contiguousStrides(nDimension, size, self->stride);
    return TH_OK;
}

int THTensor_resizeOutput(const char *op, THTensor *self, int nDimension, const int64_t *size)
{
    if (TH_UNLIKELY(THExplain_current != NULL))
        return THExplain_shape(self, nDimension, size);
    if (TH_LIKELY(!(self->flag & TH_TENSOR_UNSHAPED) && THTensor_isSize(self, nDimension, size)))
        return TH_OK;
    if (TH_LIKELY(isFresh(self) && nDimension <= TH_INLINE_DIMS && !THTensor_hasOwnBlock(self)))
        return resizeFresh(self, nDimension, size);
    TH_CHECK(!(self->flag & TH_TENSOR_FIXED), TH_ERROR_VALUE,
             "%s: expected an out array of shape %s, got %s", op, THSize_desc(nDimension, size).str,
             THTensor_sizeDesc(self).str);
    if (TH_LIKELY(THTensor_nElement(self) == 0))
        return THTensor_resize(self, nDimension, size);
    const THDescBuff before = THTensor_sizeDesc(self);
    const int status = THTensor_resize(self, nDimension, size);
    if (status == TH_OK)
        THWarning("%s: out of shape %s is resized to %s; pass an empty tensor or one of the "
                  "result's shape",
                  op, before.str, THTensor_sizeDesc(self).str);
    return status;
}
