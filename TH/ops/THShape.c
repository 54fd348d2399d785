/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shapes as operations. None of it looks at elements: copies go through THTensor_copy or
 * nests of items (THNest.h), so there is one function for all dtypes. */
#include <TH/THEngine.h>
#include <TH/THShape.h>
#include <TH/THWrapper.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THNest.h>

#include <inttypes.h>

/* Of what is repeated, and of its rows. */
#define SOON_BYTES 16384
#define NEAR_BYTES 524288
#define SHORT_BYTES 8
#define LONG_BYTES 512

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
    int64_t size[TH_MAX_DIMS];
    int n = 0;
    if (startDim == 0 && endDim > 0 && endDim == self->nDimension - 1)
        return THTensor_newRavel(out, self);
    size[0] = 1;
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
    const int64_t n = THTensor_nElement(self), one = 1;
    if (self->nDimension == 1)
        return THTensor_newGathered(out, self);
    if (THTensor_isContiguous(self))
        return THTensor_makeView(out, (THDtype)self->dtype, self->storage, self->storageOffset, 1,
                                 &n, &one);
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
    stride[n++] = (self->stride[dim1] + self->stride[dim2]) & INT64_MAX; /* of few, any */
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

/* ---- flip and repeat ---- */

#define MIRRORED_BYTES 65536

/* Are rows that lie as before, or long ones from end to end, worth going past the caches? Of the
 * latter those that machines are asked for (10^7 float32: 5.8 ms, so 3.8; rows of 1000 6.1, so 7.8;
 * Xeon; of 3162 float64 3.8, so 5.2; EPYC 9005): what lies ahead is of another row at its end. */
static bool isFlippedFar(const THNest *nest, int64_t item)
{
    const int last = nest->nDimension - 1;
    if (2 * nest->elements * item < THMachine_streamFrom || last < 0)
        return false;
    const int64_t row = nest->size[last] * item;
    if (nest->stride[2][last] == item)
        return row >= TH_STREAM_BYTES;
    return row >= MIRRORED_BYTES && THMachine_asksAhead;
}

typedef struct Mirrored {
    char *to;
    const char *from;
    int64_t n, item;
} Mirrored;

static void mirrorPart(int64_t begin, int64_t end, void *context)
{
    const Mirrored *m = context;
    const int64_t offset = begin * m->n * m->item;
    THMove_moves()->mirrored(m->to + offset, m->from + offset, end - begin, m->n, m->item);
}

/* Short rows side by side, with nothing else flipped (10^5 pixels of 3 bytes: 110 us, so 8; EPYC
 * 9005). False, with nothing done, where it is anything else. */
static bool mirrorRows(const THNest *nest, int64_t item)
{
    const int64_t row = nest->nDimension == 2 ? nest->size[1] * item : INT64_MAX;
    if (THMove_moves()->mirrored == NULL || row > TH_MIRRORED_BYTES || nest->stride[1][1] != item ||
        nest->stride[2][1] != -item || nest->stride[1][0] != row || nest->stride[2][0] != row)
        return false;
    Mirrored m = {nest->data[1], nest->data[2] - (row - item), nest->size[1], item};
    TH_parallel_for(nest->size[0], TH_THREAD_BYTES / row, mirrorPart, &m);
    return true;
}

int THTensor_flip(THTensor *result, THTensor *self, const int64_t *dims, int ndims)
{
    const int64_t item = THTensor_itemSize(self);
    int64_t order[TH_MAX_DIMS];
    uint64_t flipped;
    int status = THCheck_dims("flip", "dims", self, dims, ndims, &flipped);
    if (status == TH_OK)
        status = THTensor_resizeOutputAs("flip", result, self);
    if (status || THTensor_nElement(self) == 0)
        return status;
    THNest nest;
    char *from = THTensor_data(self);
    for (int d = 0; d < self->nDimension; d++)
        from += flipped >> d & 1 ? (self->size[d] - 1) * self->stride[d] * item : 0;
    THNest_init(&nest, NULL, THTensor_data(result), from);
    THTensor_sortDims(result, order);
    for (int i = 0; i < self->nDimension; i++) {
        const int64_t d = order[i], stride = self->stride[d] * item;
        THNest_push(&nest, self->size[d], false, 0, result->stride[d] * item,
                    flipped >> d & 1 ? -stride : stride);
    }
    if (mirrorRows(&nest, item))
        return TH_OK;
    THNest_run(&nest, isFlippedFar(&nest, item) ? THLine_stream : THLine_copy, item, NULL);
    return TH_OK;
}

/* `self` to each part of `result`, ... */
static void repeatNear(THTensor *result, const THTensor *self, const int64_t *repeats, int nrepeats)
{
    const int64_t item = THTensor_itemSize(self);
    const int extra = nrepeats - self->nDimension;
    THNest nest;
    THNest_init(&nest, NULL, THTensor_data(result), THTensor_data(self));
    for (int d = 0; d < nrepeats; d++) {
        const int64_t own = d < extra ? 1 : self->size[d - extra];
        const int64_t stride = result->stride[d] * item;
        THNest_push(&nest, repeats[d], false, 0, stride * own, 0);
        THNest_push(&nest, own, false, 0, stride, d < extra ? 0 : self->stride[d - extra] * item);
    }
    THNest_run(&nest, THLine_copy, item, NULL);
}

/* ... or by the engine, which takes longer to begin, but less for much, for rows as short as an
 * element and for long ones: both seen with a dim for each repeat, but for
 * those of size 1; elements bound how many others there are. */
static int repeatParts(THTensor *result, THTensor *self, const int64_t *repeats, int nrepeats)
{
    const int extra = nrepeats - self->nDimension;
    int64_t size[TH_MAX_DIMS], toStride[TH_MAX_DIMS], fromStride[TH_MAX_DIMS];
    THTensor *parts = NULL, *repeated = NULL;
    int n = 0, status = TH_OK;
    for (int d = 0; d < nrepeats; d++) {
        const int64_t own = d < extra ? 1 : self->size[d - extra], stride = result->stride[d];
        if (repeats[d] > 1) {
            size[n] = repeats[d];
            toStride[n] = stride * own;
            fromStride[n++] = 0;
        }
        if (own > 1) {
            size[n] = own;
            toStride[n] = stride;
            fromStride[n++] = self->stride[d - extra];
        }
    }
    TH_TRY(THTensor_makeView(&parts, (THDtype)result->dtype, result->storage, result->storageOffset,
                             n, size, toStride));
    TH_TRY(THTensor_makeView(&repeated, (THDtype)self->dtype, self->storage, self->storageOffset, n,
                             size, fromStride));
    TH_TRY(THTensor_copy(parts, repeated));
done:
    THTensor_free(parts);
    THTensor_free(repeated);
    return status;
}

static bool isSoonRepeated(const THTensor *result, const THTensor *self)
{
    const int64_t item = THTensor_itemSize(self), bytes = THTensor_nElement(result) * item;
    const int64_t row = self->nDimension ? self->size[self->nDimension - 1] * item : item;
    return bytes < SOON_BYTES || (bytes < NEAR_BYTES && row > SHORT_BYTES && row < LONG_BYTES);
}

static int repeatRuns(THTensor *result, THTensor *self, const int64_t *repeats, int nrepeats)
{
    if (!isSoonRepeated(result, self))
        return repeatParts(result, self, repeats, nrepeats);
    repeatNear(result, self, repeats, nrepeats);
    return TH_OK;
}

/* Whether each row is one run of memory. */
static bool hasRuns(const THTensor *self)
{
    int d = self->nDimension - 1;
    while (d >= 0 && self->size[d] == 1)
        d--;
    return d < 0 || self->stride[d] == 1;
}

/* The dim that alone is repeated, if the result is whole tensors one after the other; else -1. */
static int wholeDim(const THTensor *self, const int64_t *repeats, int nrepeats)
{
    const int extra = nrepeats - self->nDimension;
    int found = -1;
    bool later = false;
    for (int d = 0; d < nrepeats; d++) {
        if (repeats[d] > 1 && (later || found >= 0))
            return -1;
        found = repeats[d] > 1 ? d : found;
        later = later || (d >= extra && self->size[d - extra] > 1);
    }
    return found;
}

/* The first of whole tensors along dim d is what the others are copied from. */
static int repeatFirst(THTensor *result, THTensor *self, const int64_t *repeats, int nrepeats,
                       int d)
{
    const int64_t own = result->size[d] / repeats[d];
    int64_t others[TH_MAX_DIMS];
    THTensor *first = NULL, *rest = NULL;
    int status = TH_OK;
    memcpy(others, repeats, (size_t)nrepeats * sizeof *others);
    others[d]--;
    TH_TRY(THTensor_newNarrow(&first, result, d, 0, own));
    TH_TRY(THTensor_newNarrow(&rest, result, d, own, result->size[d] - own));
    TH_TRY(THTensor_copy(first, self));
    TH_TRY(repeatRuns(rest, first, others, nrepeats));
done:
    THTensor_free(first);
    THTensor_free(rest);
    return status;
}

/* What lies in another order or is no runs is gathered once: into the result, or beside it. */
static int repeatGathered(THTensor *result, THTensor *self, const int64_t *repeats, int nrepeats)
{
    const int whole = wholeDim(self, repeats, nrepeats);
    if (whole >= 0)
        return repeatFirst(result, self, repeats, nrepeats, whole);
    THTensor *source = NULL;
    int status = THTensor_newContiguous(&source, self);
    if (status == TH_OK)
        status = repeatRuns(result, source, repeats, nrepeats);
    THTensor_free(source);
    return status;
}

int THTensor_repeat(THTensor *result, THTensor *self, const int64_t *repeats, int nrepeats)
{
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
    int status = THTensor_resizeOutput("repeat", result, nrepeats, size);
    if (status || THTensor_nElement(result) == 0)
        return status;
    const bool once = THTensor_nElement(result) == THTensor_nElement(self);
    if (once && THTensor_isPermuted(self))
        return THTensor_copy(result, self);
    if (!once && (THTensor_isPermuted(self) || !hasRuns(self)))
        return repeatGathered(result, self, repeats, nrepeats);
    return repeatRuns(result, self, repeats, nrepeats);
}
