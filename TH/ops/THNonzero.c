/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where elements are not zero, as rows of indices. */
#include <TH/THIndex.h>
#include <TH/ops/THSelection.h>

#include <string.h>

#define NEAR_BYTES 524288 /* below, in another order, copies take less time than conversions */
#define FEW 4             /* found in a block: the place of each is divided by itself */

typedef struct NonzeroTest {
    const void *data;
    uint8_t *mask;
    int64_t itemSize;
    bool floating; /* the sign bit does not count: -0 is zero */
} NonzeroTest;

static void testPart(int64_t begin, int64_t end, void *context)
{
    const NonzeroTest *test = context;
    THMaskLoops_for(end - begin)
        ->nonzero[THMaskLoops_at(test->itemSize)](end - begin, test->mask + begin,
                                                  (const char *)test->data + begin * test->itemSize,
                                                  test->floating);
}

/* Finds where a contiguous tensor is not zero: it tells itself, or a mask in `few` does, or in a
 * new tensor. */
static int nonzeroMask(const uint8_t **mask, THTensor **out, uint8_t few[TH_MASK_BLOCK],
                       THTensor *self)
{
    const int64_t n = THTensor_nElement(self);
    *mask = THTensor_data(self);
    if (self->dtype == TH_BOOL)
        return TH_OK;
    const int status = n <= TH_MASK_BLOCK ? TH_OK : THTensor_newLike(out, TH_BOOL, self);
    if (status)
        return status;
    NonzeroTest test = {THTensor_data(self), n <= TH_MASK_BLOCK ? few : THTensor_data(*out),
                        THTensor_itemSize(self),
                        THDtype_category((THDtype)self->dtype) == TH_CATEGORY_FLOATING};
    TH_parallel_for(n, TH_SELECTION_CHUNK, testPart, &test);
    *mask = test.mask;
    return TH_OK;
}

/* What is contiguous and zero where `self` is: itself, or a copy, of many elements their truth. */
static int newTruth(THTensor **out, THTensor *self)
{
    const int64_t n = THTensor_nElement(self), bytes = n * THTensor_itemSize(self);
    if (self->dtype == TH_BOOL || THTensor_isContiguous(self) || n <= TH_MASK_BLOCK ||
        (THTensor_isPermuted(self) && bytes < NEAR_BYTES))
        return THTensor_newContiguous(out, self);
    const int status = THTensor_newLike(out, TH_BOOL, self);
    return status ? status : THTensor_copy(*out, self);
}

typedef struct Rows {
    THSelection selection;
    int nDimension;
    const int64_t *size;
    double inverse[TH_MAX_DIMS]; /* of sizes: dividing takes too long */
} Rows;

/* The indices of a place. */
static void divide(const Rows *rows, int64_t place, int64_t *index)
{
    for (int d = rows->nDimension - 1; d > 0; d--) {
        const int64_t size = rows->size[d];
        int64_t quotient = (int64_t)((double)place * rows->inverse[d]);
        const int64_t left = place - quotient * size;
        quotient += (left >= size) - (left < 0); /* it may be wrong by 1 */
        index[d] = place - quotient * size;
        place = quotient;
    }
    index[0] = place;
}

static void initDims(const Rows *rows, THMaskDim *dims)
{
    for (int d = 0; d < rows->nDimension; d++) {
        const uint32_t size = (uint32_t)THSize_min(rows->size[d], TH_MASK_BLOCK);
        dims[d] = (THMaskDim){size, (1 << TH_MASK_INVERSE_BITS) / size + 1, 0, 0};
    }
}

/* The indices of the places found in a block, which are counted from its first one. */
static void writePlaces(const Rows *rows, THMaskDim *dims, int64_t begin, const int64_t *found,
                        int64_t count, int64_t *to)
{
    const int nDimension = rows->nDimension;
    int64_t index[TH_MAX_DIMS];
    if (count <= FEW) {
        for (int64_t k = 0; k < count; k++, to += nDimension)
            divide(rows, begin + found[k], to);
        return;
    }
    divide(rows, begin, index);
    for (int d = 0; d < nDimension; d++) {
        const int64_t more = rows->size[d] - dims[d].size;
        dims[d].first = (uint32_t)(index[d] < more ? 0 : index[d] - more);
        dims[d].shift = index[d] - dims[d].first;
    }
    THMaskLoops_of(THIsa_current)->indices(count, to, found, nDimension, dims);
}

/* Those of a chunk, past the caches. */
static void streamRows(const Rows *rows, THMaskDim *dims, THShare *share)
{
    const int64_t rowBytes = rows->nDimension * (int64_t)sizeof(int64_t);
    const bool vector = rows->nDimension == 1;
    int64_t found[TH_MASK_BLOCK + TH_MASK_SLACK];
    THHeld held = {.n = 0};
    for (int64_t i = share->first; i < share->stop; i += TH_MASK_BLOCK) {
        const int64_t n = THSize_min(share->stop - i, TH_MASK_BLOCK);
        int64_t *const to = (int64_t *)(void *)(held.bytes + held.n);
        const int64_t count =
            THMaskLoops_of(THIsa_current)
                ->places(n, vector ? to : found, rows->selection.mask + i, vector ? i : 0);
        if (!vector)
            writePlaces(rows, dims, i, found, count, to);
        THShare_stream(share, &held, count * rowBytes);
    }
    THShare_end(share, &held);
}

static void writeRows(int64_t begin, int64_t end, void *context)
{
    const Rows *rows = context;
    const bool vector = rows->nDimension == 1;
    const int64_t rowBytes = rows->nDimension * (int64_t)sizeof(int64_t);
    int64_t found[TH_MASK_BLOCK + TH_MASK_SLACK];
    THMaskDim dims[TH_MAX_DIMS];
    if (!vector)
        initDims(rows, dims);
    for (int64_t chunk = begin; chunk < end; chunk++) {
        THShare share = THSelection_share(&rows->selection, chunk, rowBytes);
        if (rows->selection.streamed) {
            streamRows(rows, dims, &share);
            continue;
        }
        for (int64_t i = share.first; i < share.stop; i += TH_MASK_BLOCK) {
            const int64_t n = THSize_min(share.stop - i, TH_MASK_BLOCK);
            const bool direct = vector && THShare_hasRoom(&share, n, rowBytes);
            int64_t *const to = (int64_t *)(void *)share.to;
            const int64_t count = THMaskLoops_for(n)->places(
                n, direct ? to : found, rows->selection.mask + i, vector ? i : 0);
            if (vector && !direct)
                memcpy(to, found, (size_t)count * sizeof *found);
            else if (rows->nDimension > 1)
                writePlaces(rows, dims, i, found, count, to);
            share.to += count * rowBytes;
        }
    }
}

int THTensor_nonzero(THTensor *result, THTensor *self)
{
    THTensor *values = NULL, *mask = NULL, *packed = NULL;
    Rows rows;
    uint8_t few[TH_MASK_BLOCK];
    int64_t size[2] = {0, self->nDimension};
    int status = TH_OK;
    rows.nDimension = self->nDimension;
    rows.size = self->size;
    rows.selection.starts = NULL;
    TH_TRY(newTruth(&values, self));
    TH_TRY(nonzeroMask(&rows.selection.mask, &mask, few, values));
    for (int d = 0; d < self->nDimension; d++)
        rows.inverse[d] = 1.0 / (double)self->size[d];
    rows.selection.n = THTensor_nElement(values);
    TH_TRY(THSelection_count(&rows.selection, &size[0]));
    TH_TRY(THTensor_resizeOutput("nonzero", result, 2, size));
    if (THTensor_nElement(result) == 0)
        goto done;
    const bool direct = THTensor_isContiguous(result);
    if (!direct)
        TH_TRY(THTensor_newLike(&packed, TH_LONG, result));
    rows.selection.result = THTensor_data(direct ? result : packed);
    rows.selection.streamed = self->nDimension * 8 <= TH_HELD_ITEM &&
                              THSelection_streams(rows.selection.n, size[0] * self->nDimension * 8);
    TH_parallel_for(THSelection_chunks(&rows.selection), 2, writeRows, &rows);
    if (!direct)
        TH_TRY(THTensor_copy(result, packed));
done:
    THSelection_end(&rows.selection);
    THTensor_free(packed);
    THTensor_free(mask);
    THTensor_free(values);
    return status;
}

int THTensor_where(THTensorArray *out, THTensor *condition)
{
    THTensor *row = NULL, *rows = NULL;
    THTensorArray columns = {0, NULL};
    int status = TH_OK;
    if (condition->nDimension == 0) {
        TH_TRY(THTensor_newUnsqueeze1d(&row, condition, 0));
        condition = row;
    }
    TH_TRY(THTensor_newEmpty(&rows, TH_LONG));
    TH_TRY(THTensor_nonzero(rows, condition));
    columns.tensors = THAlloc((size_t)condition->nDimension * sizeof *columns.tensors);
    TH_REQUIRE(columns.tensors, TH_ERROR_MEMORY, "where: out of memory");
    for (; columns.n < condition->nDimension; columns.n++)
        TH_TRY(THTensor_newSelect(&columns.tensors[columns.n], rows, 1, columns.n));
    *out = columns;
    columns = (THTensorArray){0, NULL};
done:
    THTensorArray_free(&columns);
    THTensor_free(rows);
    THTensor_free(row);
    return status;
}
