/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Indexed access along a dim: every function checks shapes and all indices, takes
 * what it needs of its sources, then runs one nest (THNest.h) over the index's shape. */
#include <TH/THEngine.h>
#include <TH/THIndex.h>
#include <TH/THMachine.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THIndexing.h>

#include <inttypes.h>
#include <string.h>

/* Indices that are looked at with their elements, so many at a time, which stay in the nearest
 * cache meanwhile; in lines of so many at least, since each part takes a while to begin. */
#define CHECKED_PART 4096
#define CHECKED_LINE 1024
#define CHECKED_BYTES 256 /* rows of as many are moved many at a time instead */

int THIndex_source(THTensor **out, THTensor *tensor, const THTensor *written, bool contiguous)
{
    if (THTensor_overlap(tensor, written) != TH_OVERLAP_NONE)
        return THTensor_newClone(out, tensor);
    if (contiguous)
        return THTensor_newContiguous(out, tensor);
    THTensor_retain(tensor);
    *out = tensor;
    return TH_OK;
}

int THIndex_copySelf(const char *op, THTensor *result, THTensor *self, int nDimension,
                     const int64_t *size)
{
    if (result == self) {
        TH_CHECK(THTensor_isSize(self, nDimension, size), TH_ERROR_VALUE,
                 "%s: self of shape %s does not hold the broadcast shape %s", op,
                 THTensor_sizeDesc(self).str, THSize_desc(nDimension, size).str);
        return TH_OK;
    }
    const int status = THTensor_resizeOutput(op, result, nDimension, size);
    return status ? status : THTensor_copy(result, self);
}

static int numberElement(THElement *out, const THTensor *self, THScalar value)
{
    THTensor *number = NULL;
    int status = TH_OK;
    TH_TRY(THTensor_newWithSize(&number, (THDtype)self->dtype, 0, NULL));
    TH_TRY(THTensor_fill(number, value));
    memcpy(out->bytes, THTensor_data(number), (size_t)THTensor_itemSize(number));
done:
    THTensor_free(number);
    return status;
}

int THIndex_valueElement(const char *op, THElement *out, const THTensor *self,
                         const THTensor *value)
{
    const int status = THCheck_ndim(op, "value", value, 0);
    return status ? status : numberElement(out, self, THTensor_getAt(value, value->storageOffset));
}

/* An index, checked and contiguous, as a new reference; unless `written` is NULL, it shares no
 * memory with that. */
static int checkedIndex(const char *op, THTensor **out, THTensor *index, const THTensor *written,
                        int64_t dim, int64_t size, bool negative)
{
    THTensor *places = NULL;
    int status = written ? THIndex_source(&places, index, written, true)
                         : THTensor_newContiguous(&places, index);
    if (status == TH_OK)
        status = THIndex_check(op, places, dim, size, negative);
    if (status == TH_OK)
        *out = places;
    else
        THTensor_free(places);
    return status;
}

/* Does an index for each element repeat itself along dim d, which is another than `dim`? */
static bool repeats(const THTensor *index, int64_t dim, int d)
{
    return d != dim && index->stride[d] == 0 && index->size[d] > 1;
}

/* The same of an index that repeats itself (is expanded): it is again. */
static int checkedExpanded(const char *op, THTensor **out, THTensor *index, const THTensor *written,
                           int64_t dim, int64_t size, bool negative)
{
    THTensor *once = NULL, *places = NULL;
    int64_t sizeOnce[TH_MAX_DIMS];
    int status = TH_OK;
    for (int d = 0; d < index->nDimension; d++)
        sizeOnce[d] = repeats(index, dim, d) ? 1 : index->size[d];
    TH_TRY(THTensor_newWithStorage(&once, (THDtype)index->dtype, index->storage,
                                   index->storageOffset, index->nDimension, sizeOnce,
                                   index->stride));
    TH_TRY(checkedIndex(op, &places, once, written, dim, size, negative));
    TH_TRY(THTensor_newExpand(out, places, index->size, index->nDimension));
done:
    THTensor_free(places);
    THTensor_free(once);
    return status;
}

static int checkedElements(const char *op, THTensor **out, THTensor *index, const THTensor *written,
                           int64_t dim, int64_t size, bool negative)
{
    for (int d = 0; d < index->nDimension; d++)
        if (repeats(index, dim, d) && THTensor_nElement(index) > 0)
            return checkedExpanded(op, out, index, written, dim, size, negative);
    return checkedIndex(op, out, index, written, dim, size, negative);
}

/* ---- the course of all that writes along a dim ---- */

/* Operands: index (checked), `plain` (NULL: one element for all), the indexed tensor. */
typedef void MakeNest(THNest *nest, const THTensor *index, const THTensor *plain, void *element,
                      const THTensor *indexed, int64_t dim, bool ordered);

typedef struct Writing {
    const char *op;
    THTensor *result, *self, *index;
    THTensor *source; /* NULL: `element` for all */
    THElement element;
    int64_t dim;
    bool negative; /* indices may be */
    bool ofSlices; /* an index for each slice, else for each element */
} Writing;

static MakeNest elementNest, sliceNest;

static int writeAlong(Writing *w, THLineLoop loop, THIndexing *indexing)
{
    const int64_t size = THIndex_size(w->self, w->dim);
    THTensor *places = NULL, *source = NULL;
    int status = TH_OK;
    TH_TRY(w->ofSlices
               ? checkedIndex(w->op, &places, w->index, w->result, w->dim, size, w->negative)
               : checkedElements(w->op, &places, w->index, w->result, w->dim, size, false));
    if (w->source)
        TH_TRY(THIndex_source(&source, w->source, w->result, false));
    TH_TRY(THIndex_copySelf(w->op, w->result, w->self, w->self->nDimension, w->self->size));
    if (THTensor_nElement(places) == 0)
        goto done;
    THNest nest;
    *indexing = THIndex_along(w->result, w->dim, w->negative);
    if (w->ofSlices)
        sliceNest(&nest, places, source, w->element.bytes, w->result, w->dim, true);
    else
        elementNest(&nest, places, source, w->element.bytes, w->result, w->dim, true);
    THNest_order(&nest, 2, indexing->scale);
    nest.takesLines = loop != THLine_scatter; /* it adds */
    THNest_write(&nest, loop, loop == THLine_scatter ? THTensor_itemSize(w->self) : 0, indexing);
done:
    THTensor_free(source);
    THTensor_free(places);
    return status;
}

/* ---- an index for each element ---- */

/* Shapes of gather and scatter: as many dims everywhere; the index is nowhere larger than self but
 * along `dim`, and nowhere larger than src. */
static int checkElementIndex(const char *op, const THTensor *self, int64_t dim,
                             const THTensor *index, const THTensor *src)
{
    const int status = THCheck_dtype(op, "index", index, TH_LONG);
    const int nDimension = THIndex_ndim(self);
    if (status || THTensor_nElement(index) == 0)
        return status;
    TH_CHECK(THIndex_ndim(index) == nDimension, TH_ERROR_VALUE,
             "%s: expected index of %d dims like self of shape %s, got %s", op, nDimension,
             THTensor_sizeDesc(self).str, THTensor_sizeDesc(index).str);
    for (int d = 0; d < nDimension; d++)
        TH_CHECK(d == dim || THIndex_size(index, d) <= THIndex_size(self, d), TH_ERROR_VALUE,
                 "%s: expected index within self of shape %s but for dim %" PRId64 ", got %s", op,
                 THTensor_sizeDesc(self).str, dim, THTensor_sizeDesc(index).str);
    bool within = !src || THIndex_ndim(src) == nDimension;
    for (int d = 0; src && within && d < nDimension; d++)
        within = THIndex_size(index, d) <= THIndex_size(src, d);
    TH_CHECK(within, TH_ERROR_VALUE, "%s: expected index within src of shape %s, got %s", op,
             THTensor_sizeDesc(src).str, THTensor_sizeDesc(index).str);
    return TH_OK;
}

static void elementNest(THNest *nest, const THTensor *index, const THTensor *plain, void *element,
                        const THTensor *indexed, int64_t dim, bool ordered)
{
    THNest_init(nest, THTensor_data(index), plain ? THTensor_data(plain) : element,
                THTensor_data(indexed));
    for (int d = 0; d < THIndex_ndim(index); d++)
        THNest_push(nest, THIndex_size(index, d), ordered && d == dim, THIndex_stride(index, d),
                    plain ? THIndex_stride(plain, d) : 0,
                    d == dim ? 0 : THIndex_stride(indexed, d));
}

/* Indices that are looked at right before they are used: what was written of a new result by then
 * nobody sees. */
typedef struct CheckedIndexing {
    THIndexing indexing; /* first, for lines */
    uint64_t last;
    bool asks; /* for the next line's items */
    int *failed;
} CheckedIndexing;

/* Of far memory that is read best in order, lines in any order are read from what was asked for
 * (3162 x 3162 float64: 11.9 ms, so 8.5; EPYC 9005), if the first cache has room for two. */
#define ASKED_BYTES (8 << 20)
#define ASKED_LINE 32768
static bool asksForLines(const THTensor *self, const THIndexing *indexing)
{
    return THMachine_readsInTurn && THIndex_bytes(self) >= ASKED_BYTES &&
           indexing->span <= ASKED_LINE;
}

static void gatherChecked(const THLine *line)
{
    const CheckedIndexing *checked = line->context;
    const THMoves *moves = THMove_moves();
    THLine part = *line;
    for (int64_t left = line->n; left > 0; left -= part.n) {
        part.n = THSize_min(CHECKED_PART - THLine_begun(&part), left);
        if (!moves->areWithin((const int64_t *)(const void *)part.data[0], part.n, 0,
                              checked->last)) {
            __atomic_store_n(checked->failed, 1, __ATOMIC_RELAXED);
            return;
        }
        if (checked->asks && line->stride[2] == 0) {
            const int64_t span = checked->indexing.span, some = span * part.n / line->n;
            const int64_t ahead = span + span * (line->n - left) / line->n;
            THMove_ask((const void *)((uintptr_t)part.data[2] + (uintptr_t)ahead), some);
        }
        THLine_gather(&part);
        for (int op = 0; op < TH_NEST_OPERANDS; op++)
            part.data[op] += part.n * part.stride[op];
    }
}

/* Whether the indices of a result that becomes of their shape lie in long lines. */
static bool gathersNew(const THTensor *result, const THTensor *index)
{
    return THIndex_isNew(result) && index->nDimension > 0 &&
           index->size[index->nDimension - 1] >= CHECKED_LINE && THTensor_isContiguous(index);
}

/* The elements of a result that becomes of a size; on failure it is as before. */
static int gatherNew(const char *op, MakeNest *makeNest, THTensor *result, int nDimension,
                     const int64_t *shape, THTensor *self, int64_t dim, THTensor *index)
{
    int64_t before[TH_MAX_DIMS];
    const int nBefore = result->nDimension;
    const int64_t size = THIndex_size(self, dim);
    int failed = 0;
    memcpy(before, result->size, (size_t)nBefore * sizeof *before);
    const int status = THTensor_resizeOutput(op, result, nDimension, shape);
    if (status || THTensor_nElement(result) == 0)
        return status ? status : THIndex_check(op, index, dim, size, false);
    const THIndexing indexing = THIndex_along(self, dim, false);
    const CheckedIndexing checked = {indexing, (uint64_t)size - 1, asksForLines(self, &indexing),
                                     &failed};
    THNest nest;
    makeNest(&nest, index, result, NULL, self, dim, false);
    THNest_run(&nest, gatherChecked, THTensor_itemSize(self), &checked);
    if (!failed)
        return TH_OK;
    THTensor_resize(result, nBefore, before);
    return THIndex_check(op, index, dim, size, false);
}

int THTensor_gather(THTensor *result, THTensor *self, int64_t dim, THTensor *index)
{
    THTensor *places = NULL;
    int status = TH_OK;
    TH_TRY(checkElementIndex("gather", self, dim, index, NULL));
    if (self->nDimension == 1 && index->nDimension == 1 && THIndex_readsDense(result, self, index))
        return THIndex_readNew("gather", result, self, index, 1, index->size, dim, false);
    if (gathersNew(result, index))
        return gatherNew("gather", elementNest, result, index->nDimension, index->size, self, dim,
                         index);
    TH_TRY(checkedElements("gather", &places, index, NULL, dim, THIndex_size(self, dim), false));
    TH_TRY(THTensor_resizeOutput("gather", result, index->nDimension, index->size));
    if (THTensor_nElement(places) == 0)
        goto done;
    const THIndexing indexing = THIndex_along(self, dim, false);
    THNest nest;
    elementNest(&nest, places, result, NULL, self, dim, false);
    THNest_run(&nest, THLine_gather, THTensor_itemSize(self), &indexing);
done:
    THTensor_free(places);
    return status;
}

int THIndex_scatter(const char *op, THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                    THTensor *src, THLineLoop loop, THIndexing *indexing)
{
    int status = THCheck_dtype(op, "src", src, (THDtype)self->dtype);
    if (status || (status = checkElementIndex(op, self, dim, index, src)))
        return status;
    Writing writing = {op, result, self, index, src, .dim = dim};
    return writeAlong(&writing, loop, indexing);
}

int THTensor_scatter(THTensor *result, THTensor *self, int64_t dim, THTensor *index, THTensor *src)
{
    THIndexing indexing;
    return THIndex_scatter("scatter", result, self, dim, index, src, THLine_scatter, &indexing);
}

int THTensor_scatterFill(THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                         THScalar value)
{
    static const char op[] = "scatter";
    Writing writing = {op, result, self, index, .dim = dim};
    THIndexing indexing;
    int status = checkElementIndex(op, self, dim, index, NULL);
    if (status || (status = numberElement(&writing.element, self, value)))
        return status;
    return writeAlong(&writing, THLine_scatter, &indexing);
}

/* ---- an index for each slice ---- */

static int checkSliceIndex(const char *op, const THTensor *index)
{
    const int status = THCheck_dtype(op, "index", index, TH_LONG);
    if (status)
        return status;
    TH_CHECK(index->nDimension <= 1, TH_ERROR_VALUE, "%s: expected a 1-d index, got shape %s", op,
             THTensor_sizeDesc(index).str);
    return TH_OK;
}

/* The same where a 0-d tensor cannot have more than its one slice. */
static int checkSlicesIndex(const char *op, const THTensor *self, const THTensor *index)
{
    const int status = checkSliceIndex(op, index);
    if (status)
        return status;
    TH_CHECK(self->nDimension > 0 || THTensor_nElement(index) == 1, TH_ERROR_VALUE,
             "%s: expected one index for a 0-d tensor, got %" PRId64, op, THTensor_nElement(index));
    return TH_OK;
}

/* `plain` has self's shape but for dim, where it has one slice for each index. */
static void sliceNest(THNest *nest, const THTensor *index, const THTensor *plain, void *element,
                      const THTensor *indexed, int64_t dim, bool ordered)
{
    THNest_init(nest, THTensor_data(index), plain ? THTensor_data(plain) : element,
                THTensor_data(indexed));
    for (int d = 0; d < THIndex_ndim(indexed); d++) {
        const bool at = d == dim;
        THNest_push(nest, at ? THTensor_nElement(index) : THIndex_size(indexed, d), ordered && at,
                    at ? (int64_t)sizeof(int64_t) : 0, plain ? THIndex_stride(plain, d) : 0,
                    at ? 0 : THIndex_stride(indexed, d));
    }
}

int THTensor_indexSelect(THTensor *result, THTensor *self, int64_t dim, THTensor *index)
{
    static const char op[] = "index_select";
    THTensor *contiguous = NULL, *packed = NULL;
    int64_t size[TH_MAX_DIMS];
    int status = TH_OK;
    TH_TRY(checkSlicesIndex(op, self, index));
    size[0] = THTensor_nElement(index);
    if (self->nDimension == 1 && THIndex_readsDense(result, self, index))
        return THIndex_readNew(op, result, self, index, 1, size, dim, false);
    for (int d = 0; d < self->nDimension; d++)
        size[d] = d == dim ? THTensor_nElement(index) : self->size[d];
    if (dim == 0 && gathersNew(result, index) && THTensor_isContiguous(self) &&
        THIndex_stride(self, 0) < CHECKED_BYTES)
        return gatherNew(op, sliceNest, result, self->nDimension, size, self, dim, index);
    TH_TRY(THTensor_newContiguous(&contiguous, index));
    TH_TRY(THIndex_check(op, contiguous, dim, THIndex_size(self, dim), false));
    TH_TRY(THIndex_packed(&packed, self, dim, THTensor_nElement(index)));
    TH_TRY(THTensor_resizeOutputBy(op, result, size, self));
    const THIndexing indexing = THIndex_along(packed, dim, false);
    THNest nest;
    sliceNest(&nest, contiguous, result, NULL, packed, dim, false);
    THNest_order(&nest, 1, 0);
    THNest_run(&nest, THLine_gather, THTensor_itemSize(self), &indexing);
done:
    THTensor_free(packed);
    THTensor_free(contiguous);
    return status;
}

static int checkSlices(const char *op, const THTensor *self, int64_t dim, const THTensor *index,
                       const THTensor *source)
{
    bool fits = THIndex_ndim(source) == THIndex_ndim(self);
    for (int d = 0; fits && d < THIndex_ndim(self); d++)
        fits = THIndex_size(source, d) ==
               (d == dim ? THTensor_nElement(index) : THIndex_size(self, d));
    TH_CHECK(fits, TH_ERROR_VALUE,
             "%s: expected source of self's shape %s with %" PRId64 " slices along dim %" PRId64
             ", got %s",
             op, THTensor_sizeDesc(self).str, THTensor_nElement(index), dim,
             THTensor_sizeDesc(source).str);
    return TH_OK;
}

int THIndex_write(const char *op, THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                  THTensor *source, THLineLoop loop, THIndexing *indexing)
{
    int status = THCheck_dtype(op, "source", source, (THDtype)self->dtype);
    if (status || (status = checkSlicesIndex(op, self, index)) ||
        (status = checkSlices(op, self, dim, index, source)))
        return status;
    Writing writing = {op, result, self, index, source, .dim = dim, .ofSlices = true};
    return writeAlong(&writing, loop, indexing);
}

int THTensor_indexCopy(THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                       THTensor *source)
{
    THIndexing indexing;
    return THIndex_write("index_copy", result, self, dim, index, source, THLine_scatter, &indexing);
}

int THTensor_indexFill(THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                       THTensor *value)
{
    static const char op[] = "index_fill";
    Writing writing = {op, result, self, index, .dim = dim, .negative = true, .ofSlices = true};
    THIndexing indexing;
    int status = checkSliceIndex(op, index);
    if (status || (status = THIndex_valueElement(op, &writing.element, self, value)))
        return status;
    return writeAlong(&writing, THLine_scatter, &indexing);
}

#define TH_GENERIC_FILE <TH/generic/index.c>
#include <TH/THGenerateAllTypes.h>
