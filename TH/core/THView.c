/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Views: tensors with other sizes and strides over the same storage. Everything is checked before
 * the view is made; no element is touched (but by reshape, where no strides can express it). */
#include <TH/core/THPrivate.h>

/* Sizes and strides of a view to be. */
typedef struct Geometry {
    int nDimension;
    int64_t size[TH_MAX_DIMS + 1], stride[TH_MAX_DIMS + 1]; /* unsqueeze and unfold add one */
} Geometry;

static void geometryOf(Geometry *self, const THTensor *tensor)
{
    self->nDimension = tensor->nDimension;
    for (int i = 0; i < tensor->nDimension; i++) {
        self->size[i] = tensor->size[i];
        self->stride[i] = tensor->stride[i];
    }
}

static void addDim(Geometry *self, int64_t size, int64_t stride)
{
    self->size[self->nDimension] = size;
    self->stride[self->nDimension++] = stride;
}

static int viewAt(THTensor **out, THTensor *self, int64_t moved, const Geometry *view)
{
    return THTensor_makeView(out, (THDtype)self->dtype, self->storage, self->storageOffset + moved,
                             view->nDimension, view->size, view->stride);
}

static int checkDim(const char *op, const THTensor *self, int64_t dim, int64_t ndims)
{
    TH_CHECK(dim >= 0 && dim < ndims, TH_ERROR_INDEX,
             "%s: dim %lld is out of range for a %d-d tensor", op, (long long)dim,
             self->nDimension);
    return TH_OK;
}

static int checkRoomForDim(const char *op, const THTensor *self)
{
    TH_CHECK(self->nDimension < TH_MAX_DIMS, TH_ERROR_VALUE, "%s: the result has more than %d dims",
             op, TH_MAX_DIMS);
    return TH_OK;
}

/* Views may name an element more than once; their count of elements must still be a number. */
static int checkElements(const char *op, const THTensor *self, const Geometry *view)
{
    int64_t elements;
    TH_CHECK(THSize_check((THDtype)self->dtype, view->nDimension, view->size, &elements) == TH_OK,
             TH_ERROR_VALUE, "%s: shape %s has too many elements", op,
             THSize_desc(view->nDimension, view->size).str);
    return TH_OK;
}

int THTensor_newAlias(THTensor **out, THTensor *self)
{
    return THTensor_makeView(out, (THDtype)self->dtype, self->storage, self->storageOffset,
                             self->nDimension, self->size, self->stride);
}

/* Parts of a dim */

/* Elements from self's first one to index `start` of dim. Where that is no number there are no
 * elements, whose strides have no bounds: the view may begin anywhere. */
static int64_t offsetOf(const THTensor *self, int64_t dim, int64_t start)
{
    int64_t moved, offset;
    return THSize_mul(start, self->stride[dim], &moved) &&
                   THSize_add(self->storageOffset, moved, &offset)
               ? moved
               : 0;
}

/* The stride of every step-th element; where that is no number there is at most one. */
static int64_t strideOf(int64_t stride, int64_t step)
{
    int64_t product;
    return THSize_mul(stride, step, &product) ? product : stride;
}

/* length elements of dim, `step` apart from `start` on; checked. */
static int newPart(THTensor **out, THTensor *self, int64_t dim, int64_t start, int64_t length,
                   int64_t step)
{
    THTensor *part;
    const int status = THTensor_newAlias(&part, self);
    if (status != TH_OK)
        return status;
    part->storageOffset += offsetOf(self, dim, start);
    part->size[dim] = length;
    part->stride[dim] = strideOf(self->stride[dim], step);
    *out = part;
    return TH_OK;
}

int THTensor_newNarrow(THTensor **out, THTensor *self, int64_t dim, int64_t start, int64_t length)
{
    const int status = checkDim("narrow", self, dim, self->nDimension);
    if (status != TH_OK)
        return status;
    const int64_t size = self->size[dim];
    TH_CHECK(length >= 0, TH_ERROR_VALUE, "narrow: expected length >= 0, got %lld",
             (long long)length);
    TH_CHECK(start >= 0 && start <= size && length <= size - start, TH_ERROR_INDEX,
             "narrow: start %lld with length %lld exceeds size %lld of dim %lld", (long long)start,
             (long long)length, (long long)size, (long long)dim);
    return newPart(out, self, dim, start, length, 1);
}

/* A position as Python's slices take it. */
static int64_t clampPosition(int64_t position, int64_t size)
{
    if (position < 0)
        position = position < -size ? 0 : position + size;
    return position > size ? size : position;
}

int THTensor_newSlice(THTensor **out, THTensor *self, int64_t dim, int64_t start, int64_t stop,
                      int64_t step)
{
    const int status = checkDim("slice", self, dim, self->nDimension);
    if (status != TH_OK)
        return status;
    TH_CHECK(step > 0, TH_ERROR_VALUE, "slice: expected step > 0, got %lld", (long long)step);
    start = clampPosition(start, self->size[dim]);
    stop = clampPosition(stop, self->size[dim]);
    return newPart(out, self, dim, start, stop > start ? (stop - start - 1) / step + 1 : 0, step);
}

int THTensor_newSelect(THTensor **out, THTensor *self, int64_t dim, int64_t index)
{
    Geometry view;
    view.nDimension =
        0; /* dims are added one by one; clearing all of them costs more than the view */
    const int status = checkDim("select", self, dim, self->nDimension);
    if (status != TH_OK)
        return status;
    TH_CHECK(index >= 0 && index < self->size[dim], TH_ERROR_INDEX,
             "select: index %lld is out of range for dim %lld of size %lld", (long long)index,
             (long long)dim, (long long)self->size[dim]);
    for (int i = 0; i < self->nDimension; i++)
        if (i != dim)
            addDim(&view, self->size[i], self->stride[i]);
    return viewAt(out, self, offsetOf(self, dim, index), &view);
}

int THTensor_newUnfold(THTensor **out, THTensor *self, int64_t dim, int64_t size, int64_t step)
{
    Geometry view;
    geometryOf(&view, self);
    if (self->nDimension == 0)
        addDim(&view, 1, 1);
    int status = checkDim("unfold", self, dim, view.nDimension);
    if (status != TH_OK || (status = checkRoomForDim("unfold", self)) != TH_OK)
        return status;
    const int64_t whole = view.size[dim], stride = view.stride[dim];
    TH_CHECK(size >= 0 && size <= whole, TH_ERROR_VALUE,
             "unfold: expected 0 <= size <= %lld (of dim %lld), got %lld", (long long)whole,
             (long long)dim, (long long)size);
    TH_CHECK(step > 0, TH_ERROR_VALUE, "unfold: expected step > 0, got %lld", (long long)step);
    view.size[dim] = (whole - size) / step + 1;
    view.stride[dim] = strideOf(stride, step);
    if (self->nDimension == 0)
        view.nDimension = 0;
    addDim(&view, size, stride);
    if ((status = checkElements("unfold", self, &view)) != TH_OK)
        return status;
    return viewAt(out, self, 0, &view);
}

/* Order of dims */

int THTensor_newTranspose(THTensor **out, THTensor *self, int64_t dim0, int64_t dim1)
{
    const int64_t ndims = self->nDimension > 0 ? self->nDimension : 1;
    THTensor *view;
    int status = checkDim("transpose", self, dim0, ndims);
    if (status != TH_OK || (status = checkDim("transpose", self, dim1, ndims)) != TH_OK ||
        (status = THTensor_newAlias(&view, self)) != TH_OK)
        return status;
    if (self->nDimension > 0) {
        view->size[dim0] = self->size[dim1];
        view->stride[dim0] = self->stride[dim1];
        view->size[dim1] = self->size[dim0];
        view->stride[dim1] = self->stride[dim0];
    }
    *out = view;
    return TH_OK;
}

int THTensor_newT(THTensor **out, THTensor *self)
{
    TH_CHECK(self->nDimension <= 2, TH_ERROR_VALUE, "t: expected at most 2 dims, got %d",
             self->nDimension);
    return self->nDimension == 2 ? THTensor_newTranspose(out, self, 0, 1)
                                 : THTensor_newAlias(out, self);
}

int THTensor_newPermute(THTensor **out, THTensor *self, const int64_t *dims, int ndims)
{
    Geometry view;
    view.nDimension = 0;
    uint64_t seen = 0;
    TH_CHECK(ndims == self->nDimension, TH_ERROR_VALUE, "permute: expected %d dims, got %d",
             self->nDimension, ndims);
    for (int i = 0; i < ndims; i++) {
        const int64_t dim = dims[i] < 0 ? dims[i] + ndims : dims[i];
        TH_CHECK(dim >= 0 && dim < ndims, TH_ERROR_INDEX,
                 "permute: expected dims between %d and %d for shape %s, got %lld", -ndims,
                 ndims - 1, THTensor_sizeDesc(self).str, (long long)dims[i]);
        TH_CHECK(!(seen >> dim & 1), TH_ERROR_VALUE, "permute: dim %lld appears twice",
                 (long long)dim);
        seen |= UINT64_C(1) << dim;
        addDim(&view, self->size[dim], self->stride[dim]);
    }
    return viewAt(out, self, 0, &view);
}

/* Dims of size 1 */

int THTensor_newSqueeze(THTensor **out, THTensor *self)
{
    Geometry view;
    view.nDimension = 0;
    for (int i = 0; i < self->nDimension; i++)
        if (self->size[i] != 1)
            addDim(&view, self->size[i], self->stride[i]);
    return viewAt(out, self, 0, &view);
}

int THTensor_newSqueeze1d(THTensor **out, THTensor *self, int64_t dim)
{
    const int status = checkDim("squeeze", self, dim, self->nDimension > 0 ? self->nDimension : 1);
    if (status != TH_OK)
        return status;
    if (self->nDimension == 0 || self->size[dim] != 1)
        return THTensor_newAlias(out, self);
    return THTensor_newSelect(out, self, dim, 0);
}

int THTensor_newUnsqueeze1d(THTensor **out, THTensor *self, int64_t dim)
{
    Geometry view;
    view.nDimension = 0;
    int status = checkDim("unsqueeze", self, dim, self->nDimension + 1);
    if (status != TH_OK || (status = checkRoomForDim("unsqueeze", self)) != TH_OK)
        return status;
    const bool isLast = dim == self->nDimension;
    int64_t stride = 1;
    if (!isLast && !THSize_mul(self->size[dim], self->stride[dim], &stride))
        stride = 1;
    for (int i = 0; i < self->nDimension; i++) {
        if (i == dim)
            addDim(&view, 1, stride);
        addDim(&view, self->size[i], self->stride[i]);
    }
    if (isLast)
        addDim(&view, 1, stride);
    return viewAt(out, self, 0, &view);
}

/* Other shapes */

int THTensor_newExpand(THTensor **out, THTensor *self, const int64_t *size, int nsize)
{
    Geometry view;
    view.nDimension = 0;
    TH_CHECK(nsize >= self->nDimension && nsize <= TH_MAX_DIMS, TH_ERROR_VALUE,
             "expand: expected %d to %d sizes for shape %s, got %d", self->nDimension, TH_MAX_DIMS,
             THTensor_sizeDesc(self).str, nsize);
    const int added = nsize - self->nDimension;
    for (int i = 0; i < nsize; i++) {
        const int64_t old = i < added ? 1 : self->size[i - added];
        const int64_t wanted = size[i] == -1 && i >= added ? old : size[i];
        TH_CHECK(wanted >= 0, TH_ERROR_VALUE, "expand: expected size >= 0 for %s dim %d, got %lld",
                 i < added ? "new" : "old", i, (long long)wanted);
        TH_CHECK(
            wanted == old || old == 1, TH_ERROR_VALUE,
            "expand: shape %s does not expand to %s: size %lld of dim %d is neither 1 nor %lld",
            THTensor_sizeDesc(self).str, THSize_desc(nsize, size).str, (long long)old, i - added,
            (long long)wanted);
        addDim(&view, wanted, wanted == old && i >= added ? self->stride[i - added] : 0);
    }
    const int status = checkElements("expand", self, &view);
    return status == TH_OK ? viewAt(out, self, 0, &view) : status;
}

/* The shape asked for, with -1 replaced by what is left for it. */
static int inferShape(const char *op, const THTensor *self, const int64_t *size, int nsize,
                      Geometry *view)
{
    const int64_t elements = THTensor_nElement(self);
    int64_t known = 1;
    int inferred = -1;
    TH_CHECK(nsize >= 0 && nsize <= TH_MAX_DIMS, TH_ERROR_VALUE,
             "%s: expected at most %d dims, got %d", op, TH_MAX_DIMS, nsize);
    view->nDimension = 0;
    for (int i = 0; i < nsize; i++) {
        TH_CHECK(size[i] >= -1, TH_ERROR_VALUE, "%s: size %lld of dim %d is negative", op,
                 (long long)size[i], i);
        TH_CHECK(size[i] >= 0 || inferred < 0, TH_ERROR_VALUE,
                 "%s: only one size can be -1, got %s", op, THSize_desc(nsize, size).str);
        addDim(view, size[i], 0);
        if (size[i] < 0)
            inferred = i;
        else
            TH_CHECK(THSize_mul(known, size[i], &known), TH_ERROR_VALUE,
                     "%s: shape %s has too many elements", op, THSize_desc(nsize, size).str);
    }
    TH_CHECK(inferred < 0 || known > 0, TH_ERROR_VALUE,
             "%s: -1 in shape %s cannot be inferred, any size fits", op,
             THSize_desc(nsize, size).str);
    TH_CHECK(inferred < 0 ? known == elements : elements % known == 0, TH_ERROR_VALUE,
             "%s: shape %s is invalid for %lld elements", op, THSize_desc(nsize, size).str,
             (long long)elements);
    if (inferred >= 0)
        view->size[inferred] = elements / known;
    return elements > 0 ? TH_OK : checkElements(op, self, view);
}

/* Strides that give self the new shape without a copy; false when there are none. Old dims are
 * taken together from the last one on, as far as they make one evenly spaced run of elements; each
 * run must be used up by whole new dims. */
static bool viewStrides(const THTensor *self, Geometry *view)
{
    if (THTensor_isContiguous(self)) {
        THSize_contiguousStrides(view->nDimension, view->size, view->stride);
        return true;
    }
    int next = view->nDimension - 1;
    int64_t step = 1;
    for (int dim = self->nDimension - 1; dim >= 0;) {
        int64_t run = self->size[dim];
        step = self->stride[dim];
        for (dim--; dim >= 0 && (self->size[dim] == 1 || self->stride[dim] == step * run); dim--)
            run *= self->size[dim];
        for (; run > 1; next--) {
            if (run % view->size[next] != 0)
                return false;
            view->stride[next] = step;
            step *= view->size[next];
            run /= view->size[next];
        }
    }
    for (; next >= 0; next--) /* sizes left over are 1 */
        view->stride[next] = step;
    return true;
}

int THTensor_newView(THTensor **out, THTensor *self, const int64_t *size, int nsize)
{
    Geometry view;
    const int status = inferShape("view", self, size, nsize, &view);
    if (status != TH_OK)
        return status;
    TH_CHECK(viewStrides(self, &view), TH_ERROR_VALUE,
             "view: shape %s is not compatible with shape %s and strides %s; use reshape",
             THSize_desc(view.nDimension, view.size).str, THTensor_sizeDesc(self).str,
             THSize_desc(self->nDimension, self->stride).str);
    return viewAt(out, self, 0, &view);
}

int THTensor_newReshape(THTensor **out, THTensor *self, const int64_t *size, int nsize)
{
    return THTensor_newReshapeBy(out, self, size, nsize, THTensor_newClone);
}

int THTensor_newReshapeBy(THTensor **out, THTensor *self, const int64_t *size, int nsize,
                          int (*newClone)(THTensor **out, THTensor *self))
{
    Geometry view;
    int status = inferShape("reshape", self, size, nsize, &view);
    if (status != TH_OK)
        return status;
    if (viewStrides(self, &view))
        return viewAt(out, self, 0, &view);
    THTensor *copy;
    if ((status = newClone(&copy, self)) != TH_OK)
        return status;
    viewStrides(copy, &view);
    status = viewAt(out, copy, 0, &view);
    THTensor_free(copy);
    return status;
}
