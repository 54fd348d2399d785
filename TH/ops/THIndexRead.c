/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Indices that are looked at before elements are, or on the way where nothing else can fail. */
#include <TH/THMachine.h>
#include <TH/core/THPrivate.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THIndexing.h>

#include <inttypes.h>
#include <string.h>

#define CHECK_GRAIN 65536
#define CHECK_FEW 64
#define READ_GRAIN 16384
#define READ_FEW 32 /* fewer are not worth a call */
#define READ_FAR_GRAIN 1024
#define READ_BLOCK 512 /* indices looked at together, which stay in the nearest cache */
#define BLOCK 512      /* indices of several dims looked at together */
/* Slices are packed where there are at most so many for each index, and so many elements in all,
 * but no more bytes: in lines of at most so many, since longer ones are moved as fast from where
 * they are. */
#define PACKED_SLICES 2
#define PACKED_LEAST 256
#define PACKED_BYTES (4 << 20)
#define PACKED_LINE 128

typedef struct IndexCheck {
    const int64_t *data;
    uint64_t shift, span; /* good: index + shift < span, unsigned */
    int failed;
} IndexCheck;

static void checkPart(int64_t begin, int64_t end, void *context)
{
    IndexCheck *check = context;
    const THMoves *moves = THMove_moves();
    if (!moves->areWithin(check->data + begin, end - begin, check->shift, check->span - 1))
        __atomic_store_n(&check->failed, 1, __ATOMIC_RELAXED);
}

bool THIndex_isWithin(const THTensor *index, int64_t size)
{
    const int64_t n = THTensor_nElement(index);
    IndexCheck check = {THTensor_data(index), 0, (uint64_t)size, 0};
    if (n <= CHECK_FEW)
        return THMove_areWithin(check.data, n, 0, (uint64_t)size - 1);
    TH_parallel_for(n, CHECK_GRAIN, checkPart, &check);
    return !check.failed;
}

int THIndex_check(const char *op, const THTensor *index, int64_t dim, int64_t size, bool negative)
{
    const int64_t n = THTensor_nElement(index);
    const uint64_t shift = negative ? (uint64_t)size : 0;
    IndexCheck check = {THTensor_data(index), shift, (uint64_t)size + shift, 0};
    TH_parallel_for(n, CHECK_GRAIN, checkPart, &check);
    if (!check.failed)
        return TH_OK;
    int64_t i = 0;
    while (i < n - 1 && (uint64_t)check.data[i] + shift < check.span)
        i++;
    if (dim < 0)
        return THError(TH_ERROR_INDEX,
                       "%s: index %" PRId64 " is out of bounds for %" PRId64 " elements", op,
                       check.data[i], size);
    return THError(TH_ERROR_INDEX,
                   "%s: index %" PRId64 " is out of bounds for dim %" PRId64 " with size %" PRId64,
                   op, check.data[i], dim, size);
}

/* ---- slices of elements that are not adjacent ---- */

static bool isWorthPacking(const THTensor *self, int64_t dim, int64_t n)
{
    const int64_t size = self->nDimension ? self->size[dim] : 1;
    const int64_t elements = THTensor_nElement(self);
    int64_t step = INT64_MAX;
    int nearest = -1;
    for (int d = 0; d < self->nDimension; d++) {
        if (self->size[d] == 1 || self->stride[d] >= step)
            continue;
        nearest = d;
        step = self->stride[d];
    }
    return nearest >= 0 && nearest != dim && step > 1 && self->size[nearest] <= PACKED_LINE &&
           size <= PACKED_SLICES * n && elements >= PACKED_LEAST &&
           elements * THTensor_itemSize(self) <= PACKED_BYTES;
}

int THIndex_packed(THTensor **out, THTensor *self, int64_t dim, int64_t n)
{
    THTensor *packed = NULL;
    int status = TH_OK;
    if (!isWorthPacking(self, dim, n)) {
        THTensor_retain(self);
        *out = self;
        return TH_OK;
    }
    TH_TRY(THTensor_newWithSize(&packed, (THDtype)self->dtype, self->nDimension, self->size));
    THTensor_orderAs(packed, self);
    TH_TRY(THTensor_copy(packed, self));
    *out = packed;
    packed = NULL;
done:
    THTensor_free(packed);
    return status;
}

/* ---- reading by indices that are looked at on the way ---- */

typedef struct DenseRead {
    const int64_t *index;
    const char *from;
    char *to;
    int64_t n, itemSize;
    int64_t size; /* of what is read from, in items */
    int64_t wrap;
    bool far;
    bool asks; /* for indices, of which many are looked at at once */
    int *failed;
} DenseRead;

/* Far indices of items that are far, too, are asked for (2.6 million of as many float32: 3.1 ms, so
 * 2.1; EPYC 9005); near items are picked so fast that the processor looks ahead by itself. */
#define ASKED_INDICES (1 << 20)
static bool asksForIndices(const THTensor *self, int64_t n)
{
    return THMachine_readsInTurn && n >= ASKED_INDICES && THIndex_bytes(self) > TH_SECOND_BYTES;
}

TH_ITEM_INLINE readFew(const DenseRead *read, size_t item)
{
    const int64_t n = read->n;
    for (int64_t i = 0; i < n; i++) {
        const int64_t place = THIndex_at(read->index[i], read->wrap);
        if ((uint64_t)place >= (uint64_t)read->size) {
            __atomic_store_n(read->failed, 1, __ATOMIC_RELAXED);
            return;
        }
        memcpy(read->to + (size_t)i * item, read->from + (size_t)place * item, item);
    }
}

static void readPart(int64_t begin, int64_t end, void *context)
{
    const DenseRead *read = context;
    const THMoves *moves = THMove_moves();
    const int64_t size = read->size;
    THPicked picked = {.to = read->to + begin * read->itemSize,
                       .from = read->from,
                       .index = read->index + begin,
                       .scale = read->itemSize};
    for (int64_t left = end - begin; left > 0; left -= picked.n) {
        picked.n = THSize_min(READ_BLOCK, left);
        picked.asked = THPicked_asked(read->far, picked.n, left);
        picked.wrap = 0;
        if (!moves->areWithin(picked.index, picked.n, 0, (uint64_t)size - 1)) {
            picked.wrap = read->wrap;
            if (!moves->areWithin(picked.index, picked.n, (uint64_t)picked.wrap,
                                  (uint64_t)(size + picked.wrap) - 1)) {
                __atomic_store_n(read->failed, 1, __ATOMIC_RELAXED);
                return;
            }
        }
        if (read->asks)
            THMove_ask(picked.index + picked.n,
                       THSize_min(READ_BLOCK, left - picked.n) * (int64_t)sizeof(int64_t));
        THMove_pick(&picked, picked.scale, read->n * picked.scale);
        picked.index += picked.n;
        picked.to += picked.n * picked.scale;
    }
    THMove_fence();
}

bool THIndex_isDense(const THTensor *self, const THTensor *index)
{
    return index->dtype == TH_LONG && THTensor_isContiguous(self) && THTensor_isContiguous(index);
}

int THIndex_readDense(const char *op, THTensor *result, const THTensor *self, const THTensor *index,
                      int64_t dim, bool negative)
{
    const int64_t size = THTensor_nElement(self);
    int failed = 0;
    DenseRead read = {.index = THTensor_data(index),
                      .from = THTensor_data(self),
                      .to = THTensor_data(result),
                      .n = THTensor_nElement(index),
                      .itemSize = THTensor_itemSize(self),
                      .size = size,
                      .wrap = negative ? size : 0,
                      .far = THPicked_isFar(THIndex_bytes(self)),
                      .asks = asksForIndices(self, THTensor_nElement(index)),
                      .failed = &failed};
    if (read.n < READ_FEW)
        TH_ITEM_SWITCH(read.itemSize, readFew, &read);
    else
        TH_parallel_for(read.n, READ_GRAIN, readPart, &read);
    return failed ? THIndex_check(op, index, dim, size, negative) : TH_OK;
}

bool THIndex_isNew(const THTensor *result)
{
    return THTensor_nElement(result) == 0 &&
           (result->flag & TH_TENSOR_UNSHAPED || result->storage->size == 0);
}

bool THIndex_readsDense(const THTensor *result, const THTensor *self, const THTensor *index)
{
    return THIndex_isNew(result) && THIndex_isDense(self, index);
}

int THIndex_readNew(const char *op, THTensor *result, const THTensor *self, const THTensor *index,
                    int nDimension, const int64_t *size, int64_t dim, bool negative)
{
    const int nBefore = result->nDimension;
    int64_t before[TH_MAX_DIMS];
    memcpy(before, result->size, (size_t)nBefore * sizeof *before);
    int status = THTensor_resizeOutput(op, result, nDimension, size);
    if (status)
        return status;
    status = THIndex_readDense(op, result, self, index, dim, negative);
    if (status)
        THTensor_resize(result, nBefore, before);
    return status;
}

/* ---- reading by an index for each dim ---- */

typedef struct PlacesRead {
    const THTensor *self;
    THTensor *const *index;
    DenseRead read; /* what is common to all blocks */
} PlacesRead;

TH_ITEM_INLINE readChecked(const THPicked *few, size_t item)
{
    const int64_t n = few->n;
    for (int64_t i = 0; i < n; i++)
        memcpy(few->to + (size_t)i * item, few->from + (size_t)few->index[i] * item, item);
}

static void readPlaces(int64_t begin, int64_t end, void *context)
{
    const PlacesRead *all = context;
    const THMoves *moves = THMove_moves();
    for (int64_t i = begin; i < end; i += BLOCK) {
        const int64_t n = THSize_min(BLOCK, end - i);
        int64_t place[BLOCK];
        memset(place, 0, (size_t)n * sizeof *place);
        for (int d = 0; d < all->self->nDimension; d++) {
            const int64_t *index = (const int64_t *)THTensor_data(all->index[d]) + i;
            const uint64_t size = (uint64_t)all->self->size[d];
            if (!moves->areWithin(index, n, size, 2 * size - 1)) {
                __atomic_store_n(all->read.failed, 1, __ATOMIC_RELAXED);
                return;
            }
            moves->addPlaces(place, index, n, all->self->stride[d], (int64_t)size);
            if (all->read.asks)
                THMove_ask(index + n, n * (int64_t)sizeof *index);
        }
        const int64_t item = all->read.itemSize;
        const THPicked picked = {.to = all->read.to + i * item,
                                 .from = all->read.from,
                                 .index = place,
                                 .n = n,
                                 .asked = THPicked_asked(all->read.far, n, n),
                                 .scale = item};
        if (n < READ_FEW)
            TH_ITEM_SWITCH(item, readChecked, &picked);
        else
            THMove_pick(&picked, item, all->read.n * item);
    }
    THMove_fence();
}

bool THIndex_readPlaces(THTensor *result, const THTensor *self, THTensor *const *index)
{
    int failed = 0;
    PlacesRead all = {.self = self,
                      .index = index,
                      .read = {.from = THTensor_data(self),
                               .to = THTensor_data(result),
                               .n = THTensor_nElement(result),
                               .itemSize = THTensor_itemSize(self),
                               .far = THPicked_isFar(THIndex_bytes(self)),
                               .asks = asksForIndices(self, THTensor_nElement(result)),
                               .failed = &failed}};
    TH_parallel_for(all.read.n, all.read.far ? READ_FAR_GRAIN : READ_GRAIN, readPlaces, &all);
    return !failed;
}
