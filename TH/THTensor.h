/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tensor: a dtype, sizes and strides (in elements) over a storage. Everything here is the same
 * for all dtypes; code that touches elements is in generic/.
 *
 * Sizes are >= 0, at most TH_MAX_DIMS of them; no dims is a scalar (one element), a size 0 makes an
 * empty tensor. Strides are >= 0. A view shares its base's storage. */
#ifndef TH_TENSOR_H
#define TH_TENSOR_H

#include <TH/THDtype.h>
#include <TH/THStorage.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TH_MAX_DIMS 64
#define TH_INLINE_DIMS 5

enum {
    TH_TENSOR_REFCOUNTED = 1,
    TH_TENSOR_WRAPPED_NUMBER =
        2, /* a Python number in a tensor's clothes: only its category counts in promotion */
    TH_TENSOR_FIXED = 4, /* its sizes are those of somebody's array: resizing is an error */
    TH_TENSOR_SHARED =
        8, /* the binding's: other threads may see it, so that it is resized under their lock */
    TH_TENSOR_SPENT = 16, /* an input nobody else sees, and nobody reads after the call: a pointwise
                             result may take its storage */
};

typedef struct THTensor {
    int64_t *size;
    int64_t *stride; /* elements */
    int nDimension;
    int refcount; /* atomic */
    THStorage *storage;
    int64_t storageOffset; /* elements */
    char flag;
    uint8_t dtype;  /* THDtype */
    uint8_t layout; /* reserved: 0 is strided */
    uint8_t reserved[5];
    int64_t inlined[2 * TH_INLINE_DIMS]; /* sizes, then strides, up to TH_INLINE_DIMS dims */
} THTensor;

/* Creation. Each gives a new reference in *out, or an error and leaves *out alone. */
TH_API int THTensor_newEmpty(THTensor **out, THDtype dtype); /* 1-d, size 0 */
TH_API int THTensor_newWithSize(THTensor **out, THDtype dtype, int nDimension, const int64_t *size);
/* The same unchecked, for the sizes of a tensor that exists, and its count of elements. */
TH_API int THTensor_makeLike(THTensor **out, THDtype dtype, int nDimension, const int64_t *size,
                             int64_t elements);
TH_API int THTensor_newLike(THTensor **out, THDtype dtype,
                            const THTensor *like); /* contiguous, like's sizes */
TH_API int THTensor_newWithStorage(THTensor **out, THDtype dtype, THStorage *storage,
                                   int64_t storageOffset, int nDimension, const int64_t *size,
                                   const int64_t *stride);
/* The same unchecked, for sizes and strides that were made from those of a tensor of the storage.
 */
TH_API int THTensor_makeView(THTensor **out, THDtype dtype, THStorage *storage,
                             int64_t storageOffset, int nDimension, const int64_t *size,
                             const int64_t *stride);
TH_API int THTensor_newAlias(THTensor **out, THTensor *self); /* same storage, sizes and strides */
TH_API int THTensor_newClone(THTensor **out, THTensor *self); /* contiguous copy */
/* A copy without gaps, its dims in memory in the order of self's; contiguous if self is expanded.
 */
TH_API int THTensor_newCopy(THTensor **out, THTensor *self);
TH_API int THTensor_newContiguous(THTensor **out,
                                  THTensor *self); /* self again if it is contiguous */
TH_API int THTensor_newScalar(THTensor **out, THDtype dtype, THScalar value); /* 0-d */

TH_API void THTensor_retain(THTensor *self);
TH_API void THTensor_free(THTensor *self); /* gives one reference back; NULL is ignored */

static inline bool THTensor_isNumber(const THTensor *self)
{
    return self && self->flag & TH_TENSOR_WRAPPED_NUMBER;
}

/* Whether the tensor, if there is one, has one element. */
static inline bool THTensor_isSingle(const THTensor *self)
{
    for (int d = 0; self && d < self->nDimension; d++)
        if (self->size[d] != 1)
            return false;
    return self != NULL;
}

/* Whether `self` is one element, or one for each row, where `other` has more. */
static inline bool THTensor_repeatsBeside(const THTensor *self, const THTensor *other)
{
    const int n = self->nDimension, others = other->nDimension;
    if (n > 0 && self->size[n - 1] != 1)
        return false;
    return (others > 0 && other->size[others - 1] != 1) ||
           (THTensor_isSingle(self) && !THTensor_isSingle(other));
}

/* Several tensors that one call makes; the caller frees them. */
typedef struct THTensorArray {
    int n;
    THTensor **tensors;
} THTensorArray;
TH_API void THTensorArray_free(THTensorArray *self);

/* A number as a 0-d tensor without any allocation: the box holds all of it and must outlive its
 * use. The tensor is flagged TH_TENSOR_WRAPPED_NUMBER, has dtype Bool, Long or Double, and must not
 * be retained or viewed. */
typedef struct THScalarTensor {
    THTensor tensor;
    THStorage storage;
    union {
        uint8_t b;
        int64_t l;
        double d;
        char bytes[16];
    } value;
} THScalarTensor;
TH_API THTensor *THScalarTensor_init(THScalarTensor *box, THScalar value);

/* Questions */
TH_API int64_t THTensor_nElement(const THTensor *self);
/* Strides are those of a fresh tensor of these sizes, where dims of size 1 may have any; empty
 * tensors are. */
TH_API bool THTensor_isContiguous(const THTensor *self);
TH_API bool THTensor_isSameSizeAs(const THTensor *self, const THTensor *other);
TH_API bool THTensor_isSize(const THTensor *self, int nDimension, const int64_t *size);
TH_API bool THTensor_isSetTo(const THTensor *self,
                             const THTensor *other);     /* same storage, offset, sizes, strides */
TH_API bool THTensor_isTransposed(const THTensor *self); /* 2-d with unit stride along dim 0 only */
/* Elements of another dim than the innermost lie closest, dims of size 1 aside. */
TH_API bool THTensor_isPermuted(const THTensor *self);
static inline int64_t THTensor_itemSize(const THTensor *self)
{
    return THDtype_size((THDtype)self->dtype);
}
/* Address of the first element (NULL when there is no storage). Tensors without elements may begin
 * anywhere, beyond what a pointer may point to. */
static inline void *THTensor_data(const THTensor *self)
{
    return self->storage ? (void *)((uintptr_t)self->storage->data +
                                    (uintptr_t)(self->storageOffset * THTensor_itemSize(self)))
                         : NULL;
}

/* How two tensors share memory: TH_OVERLAP_FULL is the same elements in the same order. */
typedef enum THOverlap { TH_OVERLAP_NONE, TH_OVERLAP_FULL, TH_OVERLAP_PARTIAL } THOverlap;
TH_API THOverlap THTensor_overlap(const THTensor *a, const THTensor *b);
/* Some element has two indices (an expanded dim). Such a tensor may not be written. May say no for
 * exotic strides. */
TH_API bool THTensor_overlapsItself(const THTensor *self);

/* Views: a new tensor over self's storage. `dim` is within [0, nDimension); wrapping negative dims
 * is the wrapper's. */
TH_API int THTensor_newNarrow(THTensor **out, THTensor *self, int64_t dim, int64_t start,
                              int64_t length);
TH_API int THTensor_newSelect(THTensor **out, THTensor *self, int64_t dim,
                              int64_t index); /* index >= 0 */
TH_API int THTensor_newSlice(THTensor **out, THTensor *self, int64_t dim, int64_t start,
                             int64_t stop, int64_t step);
TH_API int THTensor_newTranspose(THTensor **out, THTensor *self, int64_t dim0, int64_t dim1);
TH_API int THTensor_newPermute(THTensor **out, THTensor *self, const int64_t *dims,
                               int ndims); /* negative dims wrap */
TH_API int THTensor_newUnfold(THTensor **out, THTensor *self, int64_t dim, int64_t size,
                              int64_t step);
TH_API int THTensor_newExpand(THTensor **out, THTensor *self, const int64_t *size,
                              int nsize); /* -1 keeps a size */
TH_API int THTensor_newView(THTensor **out, THTensor *self, const int64_t *size,
                            int nsize); /* one -1 is inferred */
TH_API int THTensor_newReshape(THTensor **out, THTensor *self, const int64_t *size,
                               int nsize); /* view, else copy */
TH_API int THTensor_newReshapeBy(THTensor **out, THTensor *self, const int64_t *size, int nsize,
                                 int (*newClone)(THTensor **out, THTensor *self));
TH_API int THTensor_newSqueeze(THTensor **out, THTensor *self);
TH_API int THTensor_newSqueeze1d(THTensor **out, THTensor *self, int64_t dim);
TH_API int THTensor_newUnsqueeze1d(THTensor **out, THTensor *self,
                                   int64_t dim);          /* dim in [0, nDimension] */
TH_API int THTensor_newT(THTensor **out, THTensor *self); /* at most 2-d: the transpose */

/* Makes self what source is (storage, sizes, strides, dtype must agree); RuntimeError when self's
 * storage is pinned. */
TH_API int THTensor_set(THTensor *self, THTensor *source);
TH_API int THTensor_setStorage(THTensor *self, THStorage *storage, int64_t storageOffset,
                               int nDimension, const int64_t *size,
                               const int64_t *stride /* NULL: contiguous */);

/* New sizes, contiguous strides; the storage grows when it must, never shrinks. */
TH_API int THTensor_resize(THTensor *self, int nDimension, const int64_t *size);
TH_API int THTensor_resizeAs(THTensor *self, const THTensor *like);
/* The out= rule: nothing when the shape fits, else resize, with a warning if `self` held elements.
 * `op` is for texts. */
TH_API int THTensor_resizeOutput(const char *op, THTensor *self, int nDimension,
                                 const int64_t *size);

/* "(2, 3)", "(4,)", "()" for messages. */
typedef struct THDescBuff {
    char str[128];
} THDescBuff;
TH_API THDescBuff THSize_desc(int nDimension, const int64_t *size);
static inline THDescBuff THTensor_sizeDesc(const THTensor *self)
{
    return THSize_desc(self->nDimension, self->size);
}

/* Elements through THScalar, for item() and tests; `offset` is in elements from the storage's
 * start. */
TH_API THScalar THTensor_getAt(const THTensor *self, int64_t offset);
TH_API void THTensor_setAt(THTensor *self, int64_t offset,
                           THScalar value); /* cast as elements are */
/* The same for a number from outside: ValueError when an integer dtype cannot hold it. */
TH_API int THTensor_storeAt(THTensor *self, int64_t offset, THScalar value);

/* Copying: converts dtypes, broadcasts src to self's sizes; overlapping memory is handled as if src
 * was copied first. */
TH_API int THTensor_copy(THTensor *self, THTensor *src);
TH_API int THTensor_fill(THTensor *self,
                         THScalar value); /* ValueError when an integer dtype cannot hold it */
TH_API int THTensor_zero(THTensor *self);

#ifdef __cplusplus
}
#endif
#endif
