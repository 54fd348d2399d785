/* SPDX-License-Identifier: BSD-3-Clause
 *
 * `self[...]` and `self[...] = value` with tensors as indices. Masks become index tensors; these
 * are checked, broadcast together and added up to one tensor of element offsets; then reading or
 * writing is one nest over the indexed shape. */
#include <TH/THEngine.h>
#include <TH/THIndex.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THIndexing.h>

#include <string.h>

typedef struct Subscript {        /* large: no initialiser */
    THTensor *index[TH_MAX_DIMS]; /* per dim of self: Long, or NULL; owned */
    THTensor *offsets;            /* contiguous, of the broadcast shape; owned */
    THIndexing indexing;
    uint64_t within; /* bit per dim of self: none of its indices is negative */
    THShape shape;   /* of the whole result */
    int place;       /* where the dims of the index tensors begin in it */
    int nindexed;    /* how many dims of self are indexed */
    int64_t step;    /* the longest of these dims, in elements */
} Subscript;

static void freeSubscript(Subscript *s, const THTensor *self)
{
    THTensor_free(s->offsets);
    for (int d = 0; d < self->nDimension; d++)
        THTensor_free(s->index[d]);
}

/* Splits the rows of nonzero(mask) into an index tensor for each of its dims. */
static int addMask(Subscript *s, const THTensor *self, THTensor *const *indices, int nindices,
                   int dim)
{
    THTensor *mask = indices[dim], *rows = NULL, *column = NULL;
    int status = TH_OK;
    TH_CHECK(mask->nDimension > 0, TH_ERROR_INDEX,
             "index: expected a mask with dims, got a 0-d one");
    bool fits = mask->nDimension <= self->nDimension - dim;
    for (int d = 0; fits && d < mask->nDimension; d++)
        fits = mask->size[d] == self->size[dim + d];
    TH_CHECK(fits, TH_ERROR_INDEX, "index: mask of shape %s at dim %d does not fit shape %s",
             THTensor_sizeDesc(mask).str, dim, THTensor_sizeDesc(self).str);
    for (int d = dim + 1; d < dim + mask->nDimension && d < nindices; d++)
        TH_CHECK(!indices[d], TH_ERROR_INDEX,
                 "index: dim %d is indexed and under the mask at dim %d", d, dim);
    TH_TRY(THTensor_newEmpty(&rows, TH_LONG));
    TH_TRY(THTensor_nonzero(rows, mask));
    for (int d = 0; d < mask->nDimension; d++) {
        TH_TRY(THTensor_newSelect(&column, rows, 1, d));
        status = THTensor_newContiguous(&s->index[dim + d], column);
        THTensor_free(column);
        if (status)
            goto done;
    }
done:
    THTensor_free(rows);
    return status;
}

/* Fills s->index, checked but for its elements. */
static int readIndices(Subscript *s, const THTensor *self, THTensor *const *indices, int nindices)
{
    TH_CHECK(nindices <= self->nDimension, TH_ERROR_INDEX,
             "index: expected at most %d indices for shape %s, got %d", self->nDimension,
             THTensor_sizeDesc(self).str, nindices);
    for (int d = 0; d < nindices; d++) {
        if (!indices[d])
            continue;
        const THDtype dtype = (THDtype)indices[d]->dtype;
        TH_CHECK(THDtype_category(dtype) != TH_CATEGORY_FLOATING, TH_ERROR_INDEX,
                 "index: expected integer or bool tensors, got %s", THDtype_name(dtype));
        int status;
        if (dtype == TH_BOOL) {
            status = addMask(s, self, indices, nindices, d);
        } else {
            THTensor *cast = NULL;
            status = THTensor_newCast(&cast, indices[d], TH_LONG);
            if (status == TH_OK)
                status = THTensor_newContiguous(&s->index[d], cast);
            THTensor_free(cast);
        }
        if (status)
            return status;
    }
    return TH_OK;
}

/* Indices out of range are an error where one is looked at: not beside an index of no elements. */
static int checkIndices(Subscript *s, const THTensor *self, const THShape *picked)
{
    int64_t elements = 1;
    for (int d = 0; d < picked->nDimension; d++)
        elements = picked->size[d] ? elements : 0;
    for (int d = 0; elements && d < self->nDimension; d++) {
        if (!s->index[d])
            continue;
        const bool within = THIndex_isWithin(s->index[d], self->size[d]);
        s->within |= (uint64_t)within << d;
        const int status =
            within ? TH_OK : THIndex_check("index", s->index[d], d, self->size[d], true);
        if (status)
            return status;
    }
    return TH_OK;
}

/* The shape of self[...] given that of the index tensors, and where the latter stands in it. */
static int layOut(Subscript *s, const THTensor *self, const THShape *picked)
{
    int64_t kept[TH_MAX_DIMS];
    int nkept = 0, first = 0, last = -1;
    for (int d = 0; d < self->nDimension; d++) {
        if (!s->index[d]) {
            kept[nkept++] = self->size[d];
            continue;
        }
        first = s->nindexed++ ? first : d;
        last = d;
        s->step = s->step < self->stride[d] ? self->stride[d] : s->step;
    }
    s->place = last - first + 1 == s->nindexed ? first : 0;
    THShape *shape = &s->shape;
    shape->nDimension = nkept + picked->nDimension;
    TH_CHECK(shape->nDimension <= TH_MAX_DIMS, TH_ERROR_VALUE,
             "index: expected a result of at most %d dims, got %d", TH_MAX_DIMS, shape->nDimension);
    for (int d = 0; d < shape->nDimension; d++) {
        const int at = d - s->place;
        shape->size[d] = at < 0                    ? kept[d]
                         : at < picked->nDimension ? picked->size[at]
                                                   : kept[d - picked->nDimension];
    }
    return TH_OK;
}

static void addOffsets(const THLine *line)
{
    const THIndexing *indexing = line->context;
    const char *index = line->data[0];
    char *offset = line->data[2];
    if (line->stride[0] == 8 && line->stride[2] == 8) {
        THMove_moves()->addPlaces((int64_t *)(void *)offset, (const int64_t *)(const void *)index,
                                  line->n, indexing->scale, indexing->wrap);
        return;
    }
    for (int64_t i = 0; i < line->n; i++) {
        *(int64_t *)(void *)offset += THIndexing_offset(line->context, index);
        index += line->stride[0];
        offset += line->stride[2];
    }
}

/* offsets += index * stride, broadcast. */
static int addIndex(THTensor *offsets, THTensor *index, int64_t stride, int64_t wrap)
{
    const THIndexing indexing = {stride, wrap, 0};
    THTensor *expanded = NULL;
    const int status = THTensor_newExpand(&expanded, index, offsets->size, offsets->nDimension);
    if (status)
        return status;
    THNest nest;
    THNest_init(&nest, THTensor_data(expanded), NULL, THTensor_data(offsets));
    for (int d = 0; d < offsets->nDimension; d++)
        THNest_push(&nest, offsets->size[d], false, THIndex_stride(expanded, d), 0,
                    THIndex_stride(offsets, d));
    THNest_run(&nest, addOffsets, 0, &indexing);
    THTensor_free(expanded);
    return TH_OK;
}

/* One index tensor serves as it is, several are added up. */
static int makeOffsets(Subscript *s, THTensor *self, const THShape *picked)
{
    const int64_t itemSize = THTensor_itemSize(self);
    int status = TH_OK;
    for (int d = 0; s->nindexed == 1 && d < self->nDimension; d++) {
        if (!s->index[d])
            continue;
        s->indexing = THIndex_along(self, d, !(s->within >> d & 1));
        return THIndex_source(&s->offsets, s->index[d], self, true);
    }
    s->indexing = (THIndexing){itemSize, 0, THIndex_bytes(self)};
    TH_TRY(THTensor_newWithSize(&s->offsets, TH_LONG, picked->nDimension, picked->size));
    TH_TRY(THTensor_zero(s->offsets));
    for (int d = 0; d < self->nDimension; d++) {
        const int64_t wrap = s->within >> d & 1 ? 0 : self->size[d];
        if (s->index[d])
            TH_TRY(addIndex(s->offsets, s->index[d], self->stride[d], wrap));
    }
done:
    return status;
}

/* All of the reading and checking; on failure too freeSubscript must follow. */
static int initSubscript(Subscript *s, THTensor *self, THTensor *const *indices, int nindices)
{
    THShape picked;
    for (int d = 0; d < self->nDimension; d++)
        s->index[d] = NULL;
    s->offsets = NULL;
    s->within = 0;
    s->nindexed = 0;
    s->step = 0;
    int status = readIndices(s, self, indices, nindices);
    if (status == TH_OK)
        status = THShape_broadcast("index", &picked, s->index, self->nDimension);
    if (status == TH_OK)
        status = checkIndices(s, self, &picked);
    if (status == TH_OK)
        status = layOut(s, self, &picked);
    return status ? status : makeOffsets(s, self, &picked);
}

/* Operands: offsets, `plain` of the shape of self[...], self. */
static void subscriptNest(THNest *nest, const Subscript *s, const THTensor *plain,
                          const THTensor *self)
{
    const int npicked = s->offsets->nDimension;
    int kept = 0;
    THNest_init(nest, THTensor_data(s->offsets), THTensor_data(plain), THTensor_data(self));
    for (int d = 0; d < plain->nDimension; d++) {
        const int at = d - s->place;
        if (at >= 0 && at < npicked) {
            THNest_push(nest, plain->size[d], true, THIndex_stride(s->offsets, at),
                        THIndex_stride(plain, d), 0);
            continue;
        }
        while (s->index[kept])
            kept++;
        THNest_push(nest, plain->size[d], false, 0, THIndex_stride(plain, d),
                    THIndex_stride(self, kept++));
    }
}

/* The mask if it is the only index and has self's shape. */
static THTensor *wholeMask(const THTensor *self, THTensor *const *indices, int nindices)
{
    for (int d = 1; d < nindices; d++) {
        if (indices[d])
            return NULL;
    }
    THTensor *mask = nindices ? indices[0] : NULL;
    return mask && mask->dtype == TH_BOOL && mask->nDimension && THTensor_isSameSizeAs(mask, self)
               ? mask
               : NULL;
}

/* The result's dims lie in memory as those of self do that they are made of. */
static void orderResult(const Subscript *s, THTensor *result, const THTensor *self)
{
    const int npicked = s->offsets->nDimension;
    int64_t steps[TH_MAX_DIMS];
    int kept = 0;
    bool expanded = false;
    for (int d = 0; d < self->nDimension; d++)
        expanded = expanded || (self->stride[d] == 0 && self->size[d] != 1);
    for (int d = 0; d < result->nDimension; d++) {
        const bool picked = d >= s->place && d < s->place + npicked;
        while (!picked && s->index[kept])
            kept++;
        steps[d] = picked ? s->step : self->stride[kept++];
    }
    if (!expanded)
        THTensor_orderBy(result, steps);
}

/* What is read by the indices, where these are of one dim. */
static int packSlices(THTensor **packed, Subscript *s, THTensor *self)
{
    int dim = 0;
    while (dim < self->nDimension - 1 && !s->index[dim])
        dim++;
    const int status =
        THIndex_packed(packed, self, dim, s->nindexed == 1 ? THTensor_nElement(s->offsets) : 0);
    if (status == TH_OK && *packed != self)
        s->indexing = THIndex_along(*packed, dim, !(s->within >> dim & 1));
    return status;
}

/* By anything but one mask for all dims. */
static int newIndexed(THTensor **out, THTensor *self, THTensor *const *indices, int nindices)
{
    Subscript s;
    THTensor *packed = NULL;
    int status = TH_OK;
    TH_TRY(initSubscript(&s, self, indices, nindices));
    TH_TRY(packSlices(&packed, &s, self));
    TH_TRY(THTensor_newWithSize(out, (THDtype)self->dtype, s.shape.nDimension, s.shape.size));
    if (!THTensor_isContiguous(self))
        orderResult(&s, *out, self);
    THNest nest;
    subscriptNest(&nest, &s, *out, packed);
    nest.ordered = 0; /* every element of the result is written once */
    THNest_order(&nest, 1, 0);
    THNest_run(&nest, THLine_gather, THTensor_itemSize(self), &s.indexing);
done:
    THTensor_free(packed);
    freeSubscript(&s, self);
    return status;
}

/* Whether there is an index for each dim, of one shape. */
static bool arePlaces(const THTensor *self, THTensor *const *indices, int nindices)
{
    bool all = nindices > 1 && nindices == self->nDimension && THTensor_nElement(self) > 0;
    for (int d = 0; all && d < nindices; d++)
        all = indices[d] && indices[d]->dtype == TH_LONG && THTensor_isContiguous(indices[d]) &&
              THTensor_isSameSizeAs(indices[d], indices[0]);
    return all;
}

int THTensor_index(THTensor **out, THTensor *self, THTensor *const *indices, int nindices)
{
    THTensor *result = NULL, *mask = wholeMask(self, indices, nindices);
    int status = TH_OK;
    if (mask == NULL && nindices == 1 && self->nDimension == 1 && indices[0] &&
        THIndex_isDense(self, indices[0])) {
        TH_TRY(THTensor_newWithSize(&result, (THDtype)self->dtype, indices[0]->nDimension,
                                    indices[0]->size));
        TH_TRY(THIndex_readDense("index", result, self, indices[0], 0, true));
    } else if (arePlaces(self, indices, nindices)) {
        TH_TRY(THTensor_newWithSize(&result, (THDtype)self->dtype, indices[0]->nDimension,
                                    indices[0]->size));
        if (!THIndex_readPlaces(result, self, indices)) {
            THTensor_free(result);
            result = NULL;
            TH_TRY(newIndexed(&result, self, indices, nindices)); /* tells which it is */
        }
    } else if (mask == NULL) {
        TH_TRY(newIndexed(&result, self, indices, nindices));
    } else {
        TH_TRY(THTensor_newEmpty(&result, (THDtype)self->dtype));
        TH_TRY(THTensor_maskedSelect(result, self, mask));
    }
    *out = result;
    result = NULL;
done:
    THTensor_free(result);
    return status;
}

/* `value` without leading dims of size 1 that the shape has no room for. */
static int newTrimmed(THTensor **out, THTensor *value, int nDimension)
{
    int extra = 0;
    while (extra < value->nDimension - nDimension && value->size[extra] == 1)
        extra++;
    return THTensor_newWithStorage(out, (THDtype)value->dtype, value->storage, value->storageOffset,
                                   value->nDimension - extra, value->size + extra,
                                   value->stride + extra);
}

static int checkValue(const THTensor *value, const THShape *shape)
{
    const int extra = value->nDimension - shape->nDimension;
    bool fits = true;
    for (int d = 0; fits && d < value->nDimension; d++)
        fits = value->size[d] == 1 || (d >= extra && value->size[d] == shape->size[d - extra]);
    TH_CHECK(fits, TH_ERROR_VALUE, "index_put_: value of shape %s does not broadcast to %s",
             THTensor_sizeDesc(value).str, THSize_desc(shape->nDimension, shape->size).str);
    return TH_OK;
}

/* `value` in self's dtype, of this shape, in memory of its own. */
static int newValue(THTensor **out, THTensor *value, THTensor *self, const THShape *shape)
{
    THTensor *cast = NULL, *source = NULL, *trimmed = NULL;
    const THDtype dtype = (THDtype)self->dtype;
    int status = TH_OK;
    TH_TRY(checkValue(value, shape));
    if (value->dtype == dtype && value->nDimension <= shape->nDimension &&
        !(value->flag & TH_TENSOR_WRAPPED_NUMBER) &&
        THTensor_overlap(value, self) == TH_OVERLAP_NONE)
        return THTensor_newExpand(out, value, shape->size, shape->nDimension);
    if (value->flag & TH_TENSOR_WRAPPED_NUMBER) /* may not be retained */
        TH_TRY(THTensor_newScalar(&cast, dtype, THTensor_getAt(value, value->storageOffset)));
    else
        TH_TRY(THTensor_newCast(&cast, value, dtype));
    TH_TRY(THIndex_source(&source, cast, self, false));
    TH_TRY(newTrimmed(&trimmed, source, shape->nDimension));
    TH_TRY(THTensor_newExpand(out, trimmed, shape->size, shape->nDimension));
done:
    THTensor_free(trimmed);
    THTensor_free(source);
    THTensor_free(cast);
    return status;
}

/* One number where the mask is true. */
static int putNumber(THTensor *self, THTensor *mask, THTensor *value)
{
    THTensor *number = NULL, element = *value; /* which is read before anything is written */
    THShape scalar;
    element.nDimension = scalar.nDimension = 0;
    if (value->dtype == self->dtype)
        return THTensor_maskedFill(self, self, mask, &element);
    int status = newValue(&number, value, self, &scalar);
    if (status == TH_OK)
        status = THTensor_maskedFill(self, self, mask, number);
    THTensor_free(number);
    return status;
}

/* Whether a value for each index, or one for all, goes to a contiguous vector. */
static bool putsDense(const THTensor *self, const THTensor *index, const THTensor *value)
{
    return self->nDimension == 1 && index && THIndex_isDense(self, index) &&
           value->dtype == self->dtype && THTensor_isContiguous(value) &&
           (value->nDimension == 0 || THTensor_isSameSizeAs(value, index)) &&
           THTensor_overlap(value, self) == TH_OVERLAP_NONE &&
           THTensor_overlap(index, self) == TH_OVERLAP_NONE;
}

static int putDense(THTensor *self, const THTensor *index, const THTensor *value)
{
    const int64_t size = self->size[0];
    const bool within = THIndex_isWithin(index, size);
    const int status = within ? TH_OK : THIndex_check("index", index, 0, size, true);
    if (status)
        return status;
    const int64_t item = THTensor_itemSize(self);
    const THIndexing indexing = THIndex_along(self, 0, !within);
    const THLine line = {
        .n = THTensor_nElement(index),
        .block = item,
        .stride = {sizeof(int64_t), value->nDimension ? item : 0, 0},
        .data = {THTensor_data(index), THTensor_data(value), THTensor_data(self)},
        .context = &indexing,
    };
    THLine_write(&line, THLine_scatter);
    return TH_OK;
}

int THTensor_indexPut(THTensor *self, THTensor *const *indices, int nindices, THTensor *value)
{
    THTensor *plain = NULL, *mask = wholeMask(self, indices, nindices);
    bool done = false;
    int status = THInplace_check("index_put_", self, (THDtype)self->dtype, NULL, NULL, 0);
    if (status)
        return status;
    if (mask && THTensor_nElement(value) == 1 && value->nDimension <= 1)
        return putNumber(self, mask, value);
    if (mask && value->nDimension == 1 && value->dtype == self->dtype &&
        ((status = THIndex_putSelected(self, mask, value, &done)) || done))
        return status;
    if (nindices == 1 && putsDense(self, indices[0], value))
        return putDense(self, indices[0], value);
    Subscript s;
    TH_TRY(initSubscript(&s, self, indices, nindices));
    TH_TRY(newValue(&plain, value, self, &s.shape));
    THNest nest;
    subscriptNest(&nest, &s, plain, self);
    THNest_order(&nest, 2, s.step * THTensor_itemSize(self));
    THNest_write(&nest, THLine_scatter, THTensor_itemSize(self), &s.indexing);
done:
    THTensor_free(plain);
    freeSubscript(&s, self);
    return status;
}
