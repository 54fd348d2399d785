/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Internal: what the index chapter's files share. */
#ifndef TH_INDEXING_H
#define TH_INDEXING_H

#include <TH/THIsa.h>
#include <TH/ops/THNest.h>

/* Tensors without dims are indexed as if they had one of size 1. */
static inline int THIndex_ndim(const THTensor *self)
{
    return self->nDimension ? self->nDimension : 1;
}
static inline int64_t THIndex_size(const THTensor *self, int64_t dim)
{
    return self->nDimension ? self->size[dim] : 1;
}
/* In bytes. */
static inline int64_t THIndex_stride(const THTensor *self, int64_t dim)
{
    return self->nDimension ? self->stride[dim] * THTensor_itemSize(self) : 0;
}

/* Of all elements. */
static inline int64_t THIndex_bytes(const THTensor *self)
{
    return THTensor_nElement(self) * THTensor_itemSize(self);
}
/* Indices along a dim; where `wrap` is false none is negative. */
static inline THIndexing THIndex_along(const THTensor *self, int64_t dim, bool wrap)
{
    const int64_t step = THIndex_stride(self, dim), size = THIndex_size(self, dim);
    return (THIndexing){step, wrap ? size : 0, step * size};
}

/* IndexError unless all of a contiguous Long tensor lies within [0, size), or [-size, size) where
 * negative ones are allowed. `dim` is for the message, -1 when self is indexed as a whole. */
int THIndex_check(const char *op, const THTensor *index, int64_t dim, int64_t size, bool negative);

/* The same without negative ones and without an error. */
bool THIndex_isWithin(const THTensor *index, int64_t size);

/* Whether what is written of a result is seen by nobody where the call fails: it has no elements,
 * and its storage nobody else's. */
bool THIndex_isNew(const THTensor *result);

/* Reads items of `self`, which is indexed as a whole, into a contiguous result of the index's shape
 * that nobody sees when this fails: in one pass, which needs no check before it. */
bool THIndex_isDense(const THTensor *self, const THTensor *index);
int THIndex_readDense(const char *op, THTensor *result, const THTensor *self, const THTensor *index,
                      int64_t dim, bool negative);
/* The same for a result without elements, which becomes of a size and is as before on failure. */
bool THIndex_readsDense(const THTensor *result, const THTensor *self, const THTensor *index);
int THIndex_readNew(const char *op, THTensor *result, const THTensor *self, const THTensor *index,
                    int nDimension, const int64_t *size, int64_t dim, bool negative);

/* Reads items of `self` by an index for each of its dims, all contiguous Long tensors of the shape
 * of result, which is contiguous. False where one is out of bounds. */
bool THIndex_readPlaces(THTensor *result, const THTensor *self, THTensor *const *index);

/* `tensor`, contiguous if asked for, as a new reference that shares no memory with `written`. */
int THIndex_source(THTensor **out, THTensor *tensor, const THTensor *written, bool contiguous);

/* What n slices along a dim are read from, as a new reference: where elements of a slice are a step
 * apart in memory and most slices are read, a copy where they are not. */
int THIndex_packed(THTensor **out, THTensor *self, int64_t dim, int64_t n);

/* First step of writing: unless result is self, makes it a copy of self broadcast to these sizes.
 */
int THIndex_copySelf(const char *op, THTensor *result, THTensor *self, int nDimension,
                     const int64_t *size);

/* Writes a 1-d value of self's dtype where a mask of self's shape is true; *done is whether the
 * value has as many elements, or nothing was written. */
int THIndex_putSelected(THTensor *self, THTensor *mask, THTensor *value, bool *done);

/* The bytes of a tensor without dims, in self's dtype. */
typedef union THElement {
    uint64_t alignment;
    char bytes[8];
} THElement;
int THIndex_valueElement(const char *op, THElement *out, const THTensor *self,
                         const THTensor *value);

/* The common course of everything that writes along a dim, with an index for each element
 * (scatter) or for each slice (write), or by position (put). `indexing` is part of the loop's
 * context; it is filled in here. */
int THIndex_scatter(const char *op, THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                    THTensor *src, THLineLoop loop, THIndexing *indexing);
int THIndex_write(const char *op, THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                  THTensor *source, THLineLoop loop, THIndexing *indexing);
int THIndex_put(THTensor *result, THTensor *self, THTensor *index, THTensor *source,
                THLineLoop loop, THIndexing *indexing);

/* The context of lines that are added: `alpha`, of the dtype in which sums are computed, times what
 * is added. */
typedef struct THAddIndexing {
    THIndexing indexing; /* first, for lines */
    const void *alpha;
} THAddIndexing;

/* For every instruction set: to += alpha * from for n elements, th_addRow_<Real>_<isa>, and lines
 * of indices with a THAddIndexing, in their order, th_addItems_<Real>_<isa>. */
#define TH_ADD_ROW_DECLARE(name) void name(int64_t n, void *to, const void *from, const void *alpha)
#define TH_ADD_ITEMS_DECLARE(name) void name(const THLine *line)

#endif
