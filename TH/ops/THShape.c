/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shapes as operations. None of it looks at elements: copies go through THTensor_copy, through
 * nests of items (THNest.h) or memcpy, so there is one function for all dtypes. */
#include <TH/THEngine.h>
#include <TH/THShape.h>
#include <TH/THWrapper.h>
#include <TH/ops/THNest.h>

#include <inttypes.h>
#include <string.h>

/* Pieces of cat are handed to threads in parts of so many bytes; tensors above it are left to
 * THTensor_copy, which divides one among threads. */
#define PIECES_BYTES 131072

/* ---- questions ---- */

int THTensor_askNumel(int64_t *out, THTensor *self)
{
    *out = THTensor_nElement(self);
    return TH_OK;
}

int THTensor_askDim(int64_t *out, THTensor *self)
{
    *out = self->nDimension;
    return TH_OK;
}

int THTensor_askContiguous(bool *out, THTensor *self)
{
    *out = THTensor_isContiguous(self);
    return TH_OK;
}

int THTensor_askSameSize(bool *out, THTensor *self, THTensor *other)
{
    *out = THTensor_isSameSizeAs(self, other);
    return TH_OK;
}

int THTensor_askSetTo(bool *out, THTensor *self, THTensor *tensor)
{
    *out = THTensor_isSetTo(self, tensor);
    return TH_OK;
}

/* ---- views ---- */

int THTensor_newSelectIndex(THTensor **out, THTensor *self, int64_t dim, int64_t index)
{
    TH_CHECK(self->nDimension > 0, TH_ERROR_INDEX,
             "select: expected a tensor with dims, got a 0-d one");
    const int64_t size = self->size[dim];
    TH_CHECK(index >= -size && index < size, TH_ERROR_INDEX,
             "select: index %" PRId64 " is out of bounds for dim %" PRId64 " with size %" PRId64,
             index, dim, size);
    return THTensor_newSelect(out, self, dim, index < 0 ? index + size : index);
}

int THTensor_newNarrowFrom(THTensor **out, THTensor *self, int64_t dim, int64_t start,
                           int64_t length)
{
    TH_CHECK(self->nDimension > 0, TH_ERROR_INDEX,
             "narrow: expected a tensor with dims, got a 0-d one");
    const int64_t size = self->size[dim];
    TH_CHECK(start >= -size && start <= size, TH_ERROR_INDEX,
             "narrow: start %" PRId64 " is out of bounds for dim %" PRId64 " with size %" PRId64,
             start, dim, size);
    return THTensor_newNarrow(out, self, dim, start < 0 ? start + size : start, length);
}

int THTensor_newExpandAs(THTensor **out, THTensor *self, THTensor *other)
{
    return THTensor_newExpand(out, self, other->size, other->nDimension);
}

int THTensor_newViewAs(THTensor **out, THTensor *self, THTensor *other)
{
    return THTensor_newView(out, self, other->size, other->nDimension);
}

int THTensor_newReshapeAs(THTensor **out, THTensor *self, THTensor *other)
{
    return THTensor_newReshaped(out, self, other->size, other->nDimension);
}

int THTensor_newFlatten(THTensor **out, THTensor *self, int64_t startDim, int64_t endDim)
{
    int64_t size[TH_MAX_DIMS] = {1};
    int n = 0;
    TH_CHECK(startDim <= endDim, TH_ERROR_VALUE,
             "flatten: expected start_dim at most end_dim, got %" PRId64 " and %" PRId64, startDim,
             endDim);
    for (int d = 0; d < self->nDimension; d++) {
        if (d > startDim && d <= endDim)
            size[n - 1] *= self->size[d];
        else
            size[n++] = self->size[d];
    }
    if (n > 0 && n == self->nDimension)
        return THTensor_newSame(out, self);
    return THTensor_newReshaped(out, self, size, n ? n : 1);
}

int THTensor_newRavel(THTensor **out, THTensor *self)
{
    const int64_t n = THTensor_nElement(self);
    if (self->nDimension == 1)
        return THTensor_newGathered(out, self);
    return THTensor_newReshaped(out, self, &n, 1);
}

/* Wraps dims, which must differ, into `wrapped`. */
static int wrapDims(const char *argument, const THTensor *self, const int64_t *dims, int ndims,
                    int64_t *wrapped, uint64_t *mask)
{
    const int status = THCheck_dims("movedim", argument, self, dims, ndims, mask);
    for (int i = 0; i < ndims && status == TH_OK; i++)
        wrapped[i] = dims[i] < 0 ? dims[i] + self->nDimension : dims[i];
    return status;
}

int THTensor_newMovedim(THTensor **out, THTensor *self, const int64_t *source, int nsource,
                        const int64_t *destination, int ndestination)
{
    int64_t from[TH_MAX_DIMS], to[TH_MAX_DIMS], dims[TH_MAX_DIMS];
    uint64_t moved = 0, taken = 0;
    int status = TH_OK;
    TH_CHECK(nsource == ndestination, TH_ERROR_VALUE,
             "movedim: expected a destination for each source, got %d for %d", ndestination,
             nsource);
    if ((status = wrapDims("source", self, source, nsource, from, &moved)) ||
        (status = wrapDims("destination", self, destination, ndestination, to, &taken)))
        return status;
    if (self->nDimension == 0)
        return THTensor_newAlias(out, self);
    for (int i = 0; i < nsource; i++)
        dims[to[i]] = from[i];
    for (int d = 0, next = 0; d < self->nDimension; d++) {
        while (moved >> next & 1)
            next++;
        if (!(taken >> d & 1))
            dims[d] = next++;
    }
    return THTensor_newPermute(out, self, dims, self->nDimension);
}

int THTensor_newDiagonal(THTensor **out, THTensor *self, int64_t offset, int64_t dim1, int64_t dim2)
{
    int64_t size[TH_MAX_DIMS], stride[TH_MAX_DIMS], start = self->storageOffset;
    int n = 0;
    TH_CHECK(self->nDimension >= 2, TH_ERROR_INDEX, "diagonal: expected at least 2 dims, got %s",
             THTensor_sizeDesc(self).str);
    TH_CHECK(dim1 != dim2, TH_ERROR_VALUE,
             "diagonal: expected two different dims, got %" PRId64 " twice", dim1);
    for (int d = 0; d < self->nDimension; d++) {
        if (d == dim1 || d == dim2)
            continue;
        size[n] = self->size[d];
        stride[n++] = self->stride[d];
    }
    const int64_t rows = self->size[dim1], columns = self->size[dim2];
    const bool within = offset < columns && offset > -rows;
    const int64_t row = within && offset < 0 ? -offset : 0;
    const int64_t column = within && offset > 0 ? offset : 0;
    size[n] = !within ? 0 : rows - row < columns - column ? rows - row : columns - column;
    stride[n++] = self->stride[dim1] + self->stride[dim2];
    if (size[n - 1] > 0)
        start += row * self->stride[dim1] + column * self->stride[dim2];
    return THTensor_newWithStorage(out, (THDtype)self->dtype, self->storage, start, n, size,
                                   stride);
}

int THTensor_newSame(THTensor **out, THTensor *self)
{
    THTensor_retain(self);
    *out = self;
    return TH_OK;
}

/* A contiguous copy, other threads running meanwhile where the caller lets them. */
static int newAnnouncedClone(THTensor **out, THTensor *self)
{
    THWork work = {0};
    THTensor *const touched[] = {self};
    THWork_enter(&work, 1, touched, 1);
    const int status = THTensor_newClone(out, self);
    THWork_end(&work);
    return status;
}

int THTensor_newGathered(THTensor **out, THTensor *self)
{
    return THTensor_isContiguous(self) ? THTensor_newSame(out, self) : newAnnouncedClone(out, self);
}

int THTensor_newReshaped(THTensor **out, THTensor *self, const int64_t *size, int nsize)
{
    return THTensor_newReshapeBy(out, self, size, nsize, newAnnouncedClone);
}

/* Makes self what a view of it is; takes the view over. */
static int becomeView(THTensor *self, int status, THTensor *view)
{
    if (status)
        return status;
    status = THTensor_set(self, view);
    THTensor_free(view);
    return status;
}

int THTensor_transposeInPlace(THTensor *self, int64_t dim0, int64_t dim1)
{
    THTensor *view = NULL;
    const int status = THTensor_newTranspose(&view, self, dim0, dim1);
    return becomeView(self, status, view);
}

int THTensor_tInPlace(THTensor *self)
{
    THTensor *view = NULL;
    const int status = THTensor_newT(&view, self);
    return becomeView(self, status, view);
}

int THTensor_squeezeInPlace(THTensor *self)
{
    THTensor *view = NULL;
    const int status = THTensor_newSqueeze(&view, self);
    return becomeView(self, status, view);
}

int THTensor_squeeze1dInPlace(THTensor *self, int64_t dim)
{
    THTensor *view = NULL;
    const int status = THTensor_newSqueeze1d(&view, self, dim);
    return becomeView(self, status, view);
}

int THTensor_unsqueeze1dInPlace(THTensor *self, int64_t dim)
{
    THTensor *view = NULL;
    const int status = THTensor_newUnsqueeze1d(&view, self, dim);
    return becomeView(self, status, view);
}

/* ---- cat and stack ---- */

/* PyTorch's rule of old: such a tensor takes part in cat whatever the others' shapes are. */
static bool isSkipped(const THTensor *tensor)
{
    return tensor->nDimension == 1 && tensor->size[0] == 0;
}

/* Checks the list and finds the shape of the result; *dim is wrapped. */
static int catShape(THTensor *const *tensors, int ntensors, int64_t *dim, THShape *shape)
{
    const THTensor *model = NULL;
    int status = TH_OK;
    TH_CHECK(ntensors > 0, TH_ERROR_VALUE, "cat: expected at least one tensor");
    for (int i = 0; i < ntensors; i++) {
        if ((status = THCheck_tensor("cat", "tensors", tensors[i])))
            return status;
        TH_CHECK(tensors[i]->nDimension > 0, TH_ERROR_VALUE,
                 "cat: expected tensors with dims, got a 0-d one at position %d", i);
        if (!model && !isSkipped(tensors[i]))
            model = tensors[i];
    }
    model = model ? model : tensors[0];
    if ((status = THCheck_dim("cat", "dim", model, 0, dim)))
        return status;
    shape->nDimension = model->nDimension;
    memcpy(shape->size, model->size, (size_t)model->nDimension * sizeof(int64_t));
    shape->size[*dim] = 0;
    for (int i = 0; i < ntensors; i++) {
        const THTensor *tensor = tensors[i];
        if (isSkipped(tensor))
            continue;
        bool fits = tensor->nDimension == shape->nDimension;
        for (int d = 0; fits && d < shape->nDimension; d++)
            fits = d == *dim || tensor->size[d] == shape->size[d];
        TH_CHECK(fits, TH_ERROR_VALUE,
                 "cat: expected shapes that agree but for dim %" PRId64 ", got %s and %s", *dim,
                 THTensor_sizeDesc(model).str, THTensor_sizeDesc(tensor).str);
        TH_CHECK(THSize_add(shape->size[*dim], tensor->size[*dim], &shape->size[*dim]),
                 TH_ERROR_VALUE, "cat: the result is too large");
    }
    return TH_OK;
}

/* Contiguous tensors of one dtype: the result is rows, each a piece of every tensor. */
typedef struct Pieces {
    THTensor *const *tensors;
    char *result;
    const int64_t *start; /* per tensor, and the end: bytes within a row */
    int64_t ntensors;
} Pieces;

static void copyPieces(int64_t begin, int64_t end, void *context)
{
    const Pieces *pieces = context;
    const int64_t row = pieces->start[pieces->ntensors];
    for (int64_t i = begin; i < end; i++) {
        const int64_t r = i / pieces->ntensors, t = i % pieces->ntensors;
        const int64_t bytes = pieces->start[t + 1] - pieces->start[t];
        if (bytes)
            memcpy(pieces->result + r * row + pieces->start[t],
                   (const char *)THTensor_data(pieces->tensors[t]) + r * bytes, (size_t)bytes);
    }
}

static bool canCopyPieces(const THTensor *result, THTensor *const *tensors, int ntensors)
{
    if (!THTensor_isContiguous(result))
        return false;
    for (int i = 0; i < ntensors; i++) {
        if (tensors[i]->dtype != result->dtype || !THTensor_isContiguous(tensors[i]))
            return false;
    }
    return THTensor_nElement(result) / ntensors * THTensor_itemSize(result) <= PIECES_BYTES;
}

static int catPieces(THTensor *result, THTensor *const *tensors, int ntensors, int64_t dim)
{
    int64_t inner = THTensor_itemSize(result), rows = 1;
    int64_t *start = THAlloc(((size_t)ntensors + 1) * sizeof(int64_t));
    if (!start)
        return TH_ERROR_MEMORY;
    for (int d = 0; d < result->nDimension; d++) {
        if (d < dim)
            rows *= result->size[d];
        else if (d > dim)
            inner *= result->size[d];
    }
    start[0] = 0;
    for (int i = 0; i < ntensors; i++)
        start[i + 1] = start[i] + (isSkipped(tensors[i]) ? 0 : tensors[i]->size[dim] * inner);
    Pieces pieces = {tensors, THTensor_data(result), start, ntensors};
    const int64_t mean = start[ntensors] / ntensors + 1;
    TH_parallel_for(rows * ntensors, PIECES_BYTES / mean + 1, copyPieces, &pieces);
    THFree(start);
    return TH_OK;
}

static int catViews(THTensor *result, THTensor *const *tensors, int ntensors, int64_t dim)
{
    int64_t start = 0;
    for (int i = 0; i < ntensors; i++) {
        if (isSkipped(tensors[i]))
            continue;
        THTensor *view = NULL;
        int status = THTensor_newNarrow(&view, result, dim, start, tensors[i]->size[dim]);
        if (status == TH_OK)
            status = THTensor_copy(view, tensors[i]);
        THTensor_free(view);
        if (status)
            return status;
        start += tensors[i]->size[dim];
    }
    return TH_OK;
}

/* Announces work on the result and all tensors, if it may be much; `touched` is to be freed. */
static int beginCat(THWork *work, THTensor ***touched, THTensor *result, THTensor *const *tensors,
                    int ntensors)
{
    const int64_t steps = THTensor_nElement(result);
    if (THWork_hooks == NULL || steps < PIECES_BYTES / 8)
        return TH_OK;
    *touched = THAlloc(((size_t)ntensors + 1) * sizeof **touched);
    TH_CHECK(*touched != NULL, TH_ERROR_MEMORY, "cat: out of memory");
    memcpy(*touched, tensors, (size_t)ntensors * sizeof **touched);
    (*touched)[ntensors] = result;
    THWork_begin(work, steps, *touched, ntensors + 1);
    return TH_OK;
}

static int catInto(THTensor *result, THTensor *const *tensors, int ntensors, int64_t dim,
                   const THShape *shape)
{
    THTensor **touched = NULL;
    THWork work = {0};
    int status = TH_OK;
    TH_TRY(THTensor_resizeOutput("cat", result, shape->nDimension, shape->size));
    if (THTensor_nElement(result) == 0)
        goto done;
    TH_TRY(beginCat(&work, &touched, result, tensors, ntensors));
    status = canCopyPieces(result, tensors, ntensors) ? catPieces(result, tensors, ntensors, dim)
                                                      : catViews(result, tensors, ntensors, dim);
done:
    THWork_end(&work);
    THFree(touched);
    return status;
}

int THTensor_cat(THTensor *result, THTensor *const *tensors, int ntensors, int64_t dim)
{
    THTensor *aside = NULL;
    THShape shape;
    bool overlaps = false;
    int status = TH_OK;
    TH_TRY(catShape(tensors, ntensors, &dim, &shape));
    for (int i = 0; i < ntensors && !overlaps; i++)
        overlaps = result == tensors[i] || THTensor_overlap(result, tensors[i]) != TH_OVERLAP_NONE;
    if (!overlaps)
        return catInto(result, tensors, ntensors, dim, &shape);
    TH_TRY(THTensor_newEmpty(&aside, (THDtype)result->dtype));
    TH_TRY(catInto(aside, tensors, ntensors, dim, &shape));
    TH_TRY(THTensor_resizeOutput("cat", result, shape.nDimension, shape.size));
    TH_TRY(THTensor_copy(result, aside));
done:
    THTensor_free(aside);
    return status;
}

int THTensor_stack(THTensor *result, THTensor *const *tensors, int ntensors, int64_t dim)
{
    THTensor **views = NULL;
    int status = TH_OK, n = 0;
    TH_CHECK(ntensors > 0, TH_ERROR_VALUE, "stack: expected at least one tensor");
    for (int i = 0; i < ntensors; i++) {
        TH_TRY(THCheck_tensor("stack", "tensors", tensors[i]));
        TH_REQUIRE(THTensor_isSameSizeAs(tensors[i], tensors[0]), TH_ERROR_VALUE,
                   "stack: expected tensors of one shape, got %s and %s",
                   THTensor_sizeDesc(tensors[0]).str, THTensor_sizeDesc(tensors[i]).str);
    }
    TH_TRY(THCheck_dim("stack", "dim", tensors[0], 1, &dim));
    views = THAlloc((size_t)ntensors * sizeof *views);
    TH_REQUIRE(views, TH_ERROR_MEMORY, "stack: out of memory");
    for (; n < ntensors; n++)
        TH_TRY(THTensor_newUnsqueeze1d(&views[n], tensors[n], dim));
    TH_TRY(THTensor_cat(result, views, ntensors, dim));
done:
    while (n > 0)
        THTensor_free(views[--n]);
    THFree(views);
    return status;
}

/* ---- flip and repeat ---- */

int THTensor_flip(THTensor *result, THTensor *self, const int64_t *dims, int ndims)
{
    const int64_t item = THTensor_itemSize(self);
    uint64_t flipped;
    int status = THCheck_dims("flip", "dims", self, dims, ndims, &flipped);
    if (status == TH_OK)
        status = THTensor_resizeOutput("flip", result, self->nDimension, self->size);
    if (status || THTensor_nElement(self) == 0)
        return status;
    THNest nest;
    char *from = THTensor_data(self);
    for (int d = 0; d < self->nDimension; d++)
        from += flipped >> d & 1 ? (self->size[d] - 1) * self->stride[d] * item : 0;
    THNest_init(&nest, NULL, THTensor_data(result), from);
    for (int d = 0; d < self->nDimension; d++) {
        const int64_t stride = self->stride[d] * item;
        THNest_push(&nest, self->size[d], false, 0, result->stride[d] * item,
                    flipped >> d & 1 ? -stride : stride);
    }
    THNest_run(&nest, THLine_copy, item, NULL);
    return TH_OK;
}

int THTensor_repeat(THTensor *result, THTensor *self, const int64_t *repeats, int nrepeats)
{
    const int64_t item = THTensor_itemSize(self);
    const int extra = nrepeats - self->nDimension;
    int64_t size[TH_MAX_DIMS];
    TH_CHECK(extra >= 0 && nrepeats <= TH_MAX_DIMS, TH_ERROR_VALUE,
             "repeat: expected %d to %d repeats for shape %s, got %d", self->nDimension,
             TH_MAX_DIMS, THTensor_sizeDesc(self).str, nrepeats);
    for (int d = 0; d < nrepeats; d++)
        TH_CHECK(repeats[d] >= 0 &&
                     THSize_mul(repeats[d], d < extra ? 1 : self->size[d - extra], &size[d]),
                 TH_ERROR_VALUE, "repeat: expected sizes of 0 or more that fit, got %s",
                 THSize_desc(nrepeats, repeats).str);
    const int status = THTensor_resizeOutput("repeat", result, nrepeats, size);
    if (status || THTensor_nElement(result) == 0)
        return status;
    THNest nest;
    THNest_init(&nest, NULL, THTensor_data(result), THTensor_data(self));
    for (int d = 0; d < nrepeats; d++) {
        const int64_t own = d < extra ? 1 : self->size[d - extra];
        const int64_t stride = result->stride[d] * item;
        THNest_push(&nest, repeats[d], false, 0, stride * own, 0);
        THNest_push(&nest, own, false, 0, stride, d < extra ? 0 : self->stride[d - extra] * item);
    }
    THNest_run(&nest, THLine_copy, item, NULL);
    return TH_OK;
}
