/* SPDX-License-Identifier: BSD-3-Clause
 *
 * take and put: indexed access by position, as if the tensor had one dim. */
#include <TH/THEngine.h>
#include <TH/THIndex.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THIndexing.h>

#include <inttypes.h>

#define OFFSET_GRAIN 16384 /* positions worth a thread's while */
#define COPIED_BYTES 32    /* for each index that is read */

/* Positions in a tensor, as offsets from its first element: by its dims, of which those that are
 * one run of steps count as one. */
typedef struct Positions {
    int nDimension;
    int64_t size[TH_MAX_DIMS], stride[TH_MAX_DIMS];
    uint64_t inverse[TH_MAX_DIMS]; /* of sizes, by which positions below 2^32 are divided */
    int64_t elements;
    int64_t *data;
} Positions;

static void initPositions(Positions *positions, const THTensor *self)
{
    int last = -1;
    positions->elements = THTensor_nElement(self);
    for (int d = 0; d < self->nDimension; d++) {
        const int64_t size = self->size[d], stride = self->stride[d];
        if (size == 1)
            continue;
        if (last >= 0 && positions->stride[last] == stride * size) {
            positions->size[last] *= size;
        } else {
            positions->size[++last] = size;
        }
        positions->stride[last] = stride;
    }
    positions->nDimension = positions->elements ? last + 1 : 0;
}

static void offsetPart(int64_t begin, int64_t end, void *context)
{
    const Positions *positions = context;
    const bool isLong = positions->elements > UINT32_MAX;
    for (int64_t i = begin; i < end; i++) {
        uint64_t rest = (uint64_t)THIndex_at(positions->data[i], positions->elements);
        int64_t offset = 0;
        for (int d = positions->nDimension - 1; d > 0; d--) {
            const uint64_t size = (uint64_t)positions->size[d];
            const uint64_t whole =
                isLong ? rest / size
                       : (uint64_t)((unsigned __int128)positions->inverse[d] * rest >> 64);
            offset += (int64_t)(rest - whole * size) * positions->stride[d];
            rest = whole;
        }
        positions->data[i] = offset + (int64_t)rest * positions->stride[0];
    }
}

/* Turns checked positions into offsets. */
static void positionsToOffsets(THTensor *places, Positions *positions)
{
    for (int d = 0; d < positions->nDimension; d++)
        positions->inverse[d] = UINT64_MAX / (uint64_t)positions->size[d] + 1;
    positions->data = THTensor_data(places);
    TH_parallel_for(THTensor_nElement(places), OFFSET_GRAIN, offsetPart, positions);
}

/* Checked positions, which may be negative unless they are `within`; a new reference. */
static int checkedPositions(const char *op, THTensor **out, THTensor *index, const THTensor *self,
                            const THTensor *written, bool *within)
{
    const int64_t elements = THTensor_nElement(self);
    THTensor *positions = NULL;
    int status = THCheck_dtype(op, "index", index, TH_LONG);
    if (status || (status = THIndex_source(&positions, index, written, true)))
        return status;
    *within = THIndex_isWithin(positions, elements);
    status = *within ? TH_OK : THIndex_check(op, positions, -1, elements, true);
    if (status)
        THTensor_free(positions);
    else
        *out = positions;
    return status;
}

/* Makes checked positions fit for indexing this tensor: as they are where its elements are a step
 * apart. */
static int layOutPositions(THTensor **places, const THTensor *indexed, bool within,
                           THIndexing *indexing)
{
    const int64_t item = THTensor_itemSize(indexed);
    Positions positions;
    initPositions(&positions, indexed);
    if (positions.nDimension <= 1) {
        indexing->scale = positions.nDimension ? positions.stride[0] * item : item;
        indexing->span = indexing->scale * positions.elements;
        indexing->wrap = within ? 0 : positions.elements;
        return TH_OK;
    }
    *indexing = (THIndexing){item, 0, THIndex_bytes(indexed)};
    THTensor *offsets = NULL;
    const int status = THTensor_newClone(&offsets, *places);
    if (status)
        return status;
    positionsToOffsets(offsets, &positions);
    THTensor_free(*places);
    *places = offsets;
    return TH_OK;
}

/* Every dim of the index's shape is picked by position. */
static void positionNest(THNest *nest, const THTensor *positions, const THTensor *plain,
                         const THTensor *indexed, bool ordered)
{
    THNest_init(nest, THTensor_data(positions), THTensor_data(plain), THTensor_data(indexed));
    for (int d = 0; d < positions->nDimension; d++)
        THNest_push(nest, positions->size[d], ordered, THIndex_stride(positions, d),
                    THIndex_stride(plain, d), 0);
}

/* Whether elements that are not a step apart are better made contiguous than looked for. */
static bool isWorthCopy(const THTensor *self, const THTensor *index)
{
    Positions positions;
    initPositions(&positions, self);
    return positions.nDimension > 1 && !THTensor_isContiguous(self) &&
           THIndex_bytes(self) <= COPIED_BYTES * THTensor_nElement(index);
}

int THTensor_take(THTensor *result, THTensor *self, THTensor *index)
{
    THTensor *positions = NULL, *contiguous = NULL;
    THIndexing indexing;
    bool within;
    int status = TH_OK;
    TH_TRY(THCheck_dtype("take", "index", index, TH_LONG));
    if (THIndex_readsDense(result, self, index))
        return THIndex_readNew("take", result, self, index, index->nDimension, index->size, -1,
                               true);
    if (isWorthCopy(self, index)) {
        TH_TRY(THTensor_newContiguous(&contiguous, self));
        TH_TRY(THTensor_take(result, contiguous, index));
        goto done;
    }
    TH_TRY(checkedPositions("take", &positions, index, self, result, &within));
    TH_TRY(layOutPositions(&positions, self, within, &indexing));
    TH_TRY(THTensor_resizeOutput("take", result, index->nDimension, index->size));
    THNest nest;
    positionNest(&nest, positions, result, self, false);
    THNest_run(&nest, THLine_gather, THTensor_itemSize(self), &indexing);
done:
    THTensor_free(contiguous);
    THTensor_free(positions);
    return status;
}

int THIndex_put(THTensor *result, THTensor *self, THTensor *index, THTensor *source,
                THLineLoop loop, THIndexing *indexing)
{
    THTensor *positions = NULL, *values = NULL, *shaped = NULL;
    bool within;
    int status = TH_OK;
    TH_TRY(THCheck_dtype("put", "source", source, (THDtype)self->dtype));
    TH_REQUIRE(THTensor_nElement(source) == THTensor_nElement(index), TH_ERROR_VALUE,
               "put: expected as many elements in source as in index, %" PRId64 ", got %" PRId64,
               THTensor_nElement(index), THTensor_nElement(source));
    TH_TRY(THIndex_source(&values, source, result, true));
    TH_TRY(THTensor_newView(&shaped, values, index->size, index->nDimension));
    TH_TRY(checkedPositions("put", &positions, index, self, result, &within));
    TH_TRY(THIndex_copySelf("put", result, self, self->nDimension, self->size));
    TH_TRY(layOutPositions(&positions, result, within, indexing));
    THNest nest;
    positionNest(&nest, positions, shaped, result, true);
    THNest_write(&nest, loop, loop == THLine_scatter ? THTensor_itemSize(self) : 0, indexing);
done:
    THTensor_free(shaped);
    THTensor_free(values);
    THTensor_free(positions);
    return status;
}
