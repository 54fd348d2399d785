/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading and writing where a mask is true, and where elements are not zero. What is selected is
 * found in two passes over fixed chunks: count, then write each chunk's share where the counts
 * before it say. */
#include <TH/THEngine.h>
#include <TH/THIndex.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THIndexing.h>
#include <TH/ops/THMaskLoops.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK 16384         /* elements a thread counts or selects at a time */
#define BLOCK TH_MASK_BLOCK /* elements compacted in a local buffer at a time */
#define FEW_FILLED 64       /* written without a plan */
#define LONG_LINE 64
#define PICKED_BYTES \
    32        /* of one of which so many are read, items are faster picked than gathered */
#define FEW 4 /* found in a block: the place of each is divided by itself */

TH_ISA_DECLARE(TH_MASK_LOOPS_DECLARE, th_maskLoops);
static const THMaskLoops *const loops[TH_ISA_COUNT] = TH_ISA_TABLE(&th_maskLoops);

const THMaskLoops *THMaskLoops_for(int64_t n)
{
    return loops[THIsa_for(n)];
}

/* ---- selecting ---- */

typedef struct Selection {
    const uint8_t *mask;
    const char *data;
    char *result;
    const THNest *steps; /* of items where they lie; NULL: `data` has them in one run */
    bool picked;         /* one by one, not gathered in blocks */
    int64_t n, itemSize;
    int64_t *starts; /* per chunk: its count, later where its share begins; and the end */
    int64_t one[2];  /* those of a single chunk */
} Selection;

static void countChunks(int64_t begin, int64_t end, void *context)
{
    const Selection *selection = context;
    for (int64_t chunk = begin; chunk < end; chunk++) {
        const int64_t first = chunk * CHUNK;
        const int64_t n = selection->n - first < CHUNK ? selection->n - first : CHUNK;
        selection->starts[chunk] = THMaskLoops_for(n)->count(n, selection->mask + first);
    }
}

/* Counts what a mask selects in each chunk; the sum is in *total. To be ended, and not to be moved
 * till then. */
static int countSelected(Selection *selection, int64_t *total)
{
    const int64_t chunks = (selection->n + CHUNK - 1) / CHUNK;
    selection->starts = selection->one;
    if (chunks > 1)
        selection->starts = THAlloc(((size_t)chunks + 1) * sizeof(int64_t));
    if (!selection->starts)
        return TH_ERROR_MEMORY;
    TH_parallel_for(chunks, 4, countChunks, selection);
    *total = 0;
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        const int64_t count = selection->starts[chunk];
        selection->starts[chunk] = *total;
        *total += count;
    }
    selection->starts[chunks] = *total;
    return TH_OK;
}

static void endSelection(const Selection *selection)
{
    if (selection->starts != selection->one)
        THFree(selection->starts);
}

/* The elements of a chunk, and where its share begins and the next one's. */
typedef struct Share {
    int64_t first, stop;
    char *to, *end;
} Share;

static Share shareOf(const Selection *selection, int64_t chunk, int64_t itemSize)
{
    const int64_t first = chunk * CHUNK;
    return (Share){first, THSize_min(first + CHUNK, selection->n),
                   selection->result + selection->starts[chunk] * itemSize,
                   selection->result + selection->starts[chunk + 1] * itemSize};
}

/* Whether n items of a size, and what may be written behind them, stay within the share: else they
 * go through a buffer, since what is behind may be another thread's. */
static bool hasRoom(const Share *share, int64_t n, int64_t itemSize)
{
    return share->end - share->to >= (n + TH_MASK_SLACK) * itemSize;
}

/* From a run of items, at most BLOCK. */
static void selectRun(Share *share, int64_t n, int64_t item, const uint8_t *mask, const char *from)
{
    char buffer[(BLOCK + TH_MASK_SLACK) * 8];
    const bool direct = hasRoom(share, n, item);
    const int64_t bytes = item * THMaskLoops_for(n)->select[THMaskLoops_at(item)](
                                     n, direct ? share->to : buffer, mask, from);
    if (!direct)
        memcpy(share->to, buffer, (size_t)bytes);
    share->to += bytes;
}

/* From a line of steps. */
static void selectLine(const Selection *selection, Share *share, int64_t n, const uint8_t *mask,
                       const char *from, int64_t step)
{
    const int64_t item = selection->itemSize;
    char items[BLOCK * 8];
    if (selection->picked) {
        share->to += item * loops[THIsa_current]->selectSteps[THMaskLoops_at(item)](
                                n, share->to, mask, from, step);
        return;
    }
    for (int64_t i = 0, m; i < n; i += m) {
        m = THSize_min(n - i, BLOCK);
        THMove_gather(item, items, from + i * step, 1, 0, m, step);
        selectRun(share, m, item, mask + i, items);
    }
}

static void selectSteps(const Selection *selection, Share *share)
{
    const THNest *nest = selection->steps;
    const int last = nest->nDimension - 1;
    for (int64_t i = share->first, n; i < share->stop; i += n) {
        const int64_t at = i % nest->size[last], step = nest->stride[2][last];
        const char *from = nest->data[2] + at * step;
        n = THSize_min(nest->size[last] - at, share->stop - i);
        for (int64_t d = last - 1, rest = i / nest->size[last]; d >= 0; d--) {
            from += rest % nest->size[d] * nest->stride[2][d];
            rest /= nest->size[d];
        }
        selectLine(selection, share, n, selection->mask + i, from, step);
    }
}

static void selectChunks(int64_t begin, int64_t end, void *context)
{
    const Selection *selection = context;
    for (int64_t chunk = begin; chunk < end; chunk++) {
        Share share = shareOf(selection, chunk, selection->itemSize);
        if (selection->steps)
            selectSteps(selection, &share);
        for (int64_t i = share.first; !selection->steps && i < share.stop; i += BLOCK)
            selectRun(&share, THSize_min(share.stop - i, BLOCK), selection->itemSize,
                      selection->mask + i, selection->data + i * selection->itemSize);
    }
}

/* `tensor` broadcast to the shape. */
static int newExpanded(THTensor **out, THTensor *tensor, const THShape *shape)
{
    if (!THTensor_isSize(tensor, shape->nDimension, shape->size))
        return THTensor_newExpand(out, tensor, shape->size, shape->nDimension);
    THTensor_retain(tensor);
    *out = tensor;
    return TH_OK;
}

/* And contiguous. */
static int newExpandedContiguous(THTensor **out, THTensor *tensor, const THShape *shape)
{
    THTensor *expanded = NULL;
    int status = newExpanded(&expanded, tensor, shape);
    if (status == TH_OK)
        status = THTensor_newContiguous(out, expanded);
    THTensor_free(expanded);
    return status;
}

/* Operands: mask (of self's shape), none, self. */
static void maskNest(THNest *nest, const THTensor *mask, const THTensor *self, bool ordered)
{
    THNest_init(nest, THTensor_data(mask), NULL, THTensor_data(self));
    for (int d = 0; d < self->nDimension; d++)
        THNest_push(nest, self->size[d], ordered, THIndex_stride(mask, d), 0,
                    THIndex_stride(self, d));
}

/* Whether a nest has long lines of steps, along which the mask is a run. */
static bool hasSteps(const THNest *nest, int64_t item)
{
    const int last = nest->nDimension - 1;
    return last >= 0 && nest->stride[0][last] == 1 && nest->stride[2][last] != item &&
           nest->size[last] >= LONG_LINE;
}

/* The shortest step along any dim. */
static int64_t leastStep(const THNest *nest)
{
    int64_t least = INT64_MAX;
    for (int d = 0; d < nest->nDimension; d++)
        least = THSize_min(least, llabs(nest->stride[2][d]));
    return least;
}

/* Whether no two elements are in one line of the caches. */
static bool isFar(const THNest *nest)
{
    return leastStep(nest) >= TH_LINE_BYTES;
}

/* Items are picked where they lie if `total` of them, or all, are faster so. Others are gathered in
 * blocks along their least steps, else brought into one run. */
static int placeItems(Selection *selection, THNest *nest, THTensor **values, const THTensor *mask,
                      int64_t total)
{
    THTensor *const self = *values;
    if (!THTensor_isContiguous(self)) {
        nest->nDimension = 0;
        if (selection->n > BLOCK)
            maskNest(nest, mask, self, true);
        if (hasSteps(nest, selection->itemSize)) {
            selection->picked =
                total <= selection->n * selection->itemSize / PICKED_BYTES || isFar(nest);
            if (selection->picked ||
                llabs(nest->stride[2][nest->nDimension - 1]) == leastStep(nest)) {
                selection->steps = nest;
                return TH_OK;
            }
        }
        *values = NULL;
        const int status = THTensor_newContiguous(values, self);
        THTensor_free(self);
        if (status)
            return status;
    }
    selection->data = THTensor_data(*values);
    return TH_OK;
}

int THTensor_maskedSelect(THTensor *result, THTensor *self, THTensor *mask)
{
    static const char op[] = "masked_select";
    THTensor *const operands[] = {self, mask};
    THTensor *values = NULL, *where = NULL, *packed = NULL;
    Selection selection = {.starts = NULL};
    THShape shape;
    THNest nest;
    int64_t total = 0;
    int status = TH_OK;
    TH_TRY(THCheck_dtype(op, "mask", mask, TH_BOOL));
    TH_TRY(THShape_broadcast(op, &shape, operands, 2));
    TH_TRY(newExpanded(&values, self, &shape));
    TH_TRY(newExpandedContiguous(&where, mask, &shape));
    selection.mask = THTensor_data(where);
    selection.n = THTensor_nElement(where);
    selection.itemSize = THTensor_itemSize(self);
    TH_TRY(countSelected(&selection, &total));
    TH_TRY(THTensor_resizeOutput(op, result, 1, &total));
    if (total == 0)
        goto done;
    TH_TRY(placeItems(&selection, &nest, &values, where, total));
    const bool direct = THTensor_isContiguous(result);
    if (!direct)
        TH_TRY(THTensor_newLike(&packed, (THDtype)self->dtype, result));
    selection.result = THTensor_data(direct ? result : packed);
    TH_parallel_for((selection.n + CHUNK - 1) / CHUNK, 2, selectChunks, &selection);
    if (!direct)
        TH_TRY(THTensor_copy(result, packed));
done:
    endSelection(&selection);
    THTensor_free(packed);
    THTensor_free(where);
    THTensor_free(values);
    return status;
}

/* ---- writing ---- */

TH_ITEM_INLINE fillItems(const THLine *line, size_t item)
{
    const uint8_t *mask = (const uint8_t *)line->data[0];
    char *to = line->data[2];
    for (int64_t i = 0; i < line->n; i++) {
        if (*mask)
            memcpy(to, line->context, item);
        mask += line->stride[0];
        to += line->stride[2];
    }
}

static void fillRun(const THLine *line)
{
    const THMaskLoops *const fit = THMaskLoops_for(line->n);
    const int at = THMaskLoops_at(line->block);
    if (line->stride[2] == line->block)
        fit->fill[at](line->n, (void *[]){line->data[2], line->data[0], line->data[2]},
                      line->context);
    else
        fit->fillSteps[at](line->n, line->data[2], line->stride[2], (const uint8_t *)line->data[0],
                           line->context);
}

/* Brings parts of the mask into a run. */
static void fillParts(const THLine *line)
{
    const int64_t step = line->stride[0];
    char mask[BLOCK];
    THLine part = *line;
    part.stride[0] = 1;
    part.data[0] = mask;
    for (int64_t i = 0; i < line->n; i += BLOCK) {
        part.n = THSize_min(line->n - i, BLOCK);
        part.data[2] = line->data[2] + i * line->stride[2];
        THMove_gather(1, mask, line->data[0] + i * step, 1, 0, part.n, step);
        fillRun(&part);
    }
}

static void fillLine(const THLine *line)
{
    if (line->stride[0] == 1)
        fillRun(line);
    else if (line->n < LONG_LINE)
        TH_ITEM_SWITCH(line->block, fillItems, line);
    else
        fillParts(line);
}

/* Into self or another tensor, in one pass over all of either. */
static int fillAll(THTensor *result, THTensor *self, THTensor *mask, const THElement *element)
{
    const uint8_t dtype = self->dtype;
    THKernel kernel = {.name = "masked_fill",
                       .noutputs = 1,
                       .ninputs = 2,
                       .cost = 1,
                       .dtype = {dtype, TH_BOOL, dtype}};
    for (int isa = 0; isa < TH_ISA_COUNT; isa++)
        kernel.loop[isa] = loops[isa]->fill[THMaskLoops_at(THTensor_itemSize(self))];
    return THKernel_run(&kernel, (THTensor *[]){result, mask, self}, element->bytes);
}

/* Whether a contiguous mask selects one of four at most, up to which they are faster written one by
 * one, without the elements between. */
static int isSparse(bool *sparse, const THTensor *mask)
{
    Selection selection = {.mask = THTensor_data(mask), .n = THTensor_nElement(mask)};
    int64_t total;
    const int status = countSelected(&selection, &total);
    *sparse = status == TH_OK && total <= selection.n / 4;
    endSelection(&selection);
    return status;
}

/* Whether in place single elements are written, not blocks of all: those of long steps, or few. */
static int fillsSingle(bool *single, const THNest *nest, int64_t item, const THTensor *mask)
{
    *single = nest->elements <= FEW_FILLED || (nest->nDimension == 1 && nest->stride[2][0] == item);
    if (*single || (*single = isFar(nest)) || !hasSteps(nest, item) || !THTensor_isContiguous(mask))
        return TH_OK;
    return isSparse(single, mask);
}

int THTensor_maskedFill(THTensor *result, THTensor *self, THTensor *mask, THTensor *value)
{
    static const char op[] = "masked_fill";
    THTensor *const operands[] = {self, mask};
    THTensor *where = NULL, *expanded = NULL;
    THElement element;
    THShape shape;
    int status = TH_OK;
    TH_TRY(THCheck_dtype(op, "mask", mask, TH_BOOL));
    TH_TRY(THShape_broadcast(op, &shape, operands, 2));
    TH_TRY(THIndex_valueElement(op, &element, self, value));
    TH_TRY(THIndex_source(&where, mask, result, false));
    if (result != self) {
        TH_TRY(THTensor_resizeOutput(op, result, shape.nDimension, shape.size));
        TH_TRY(fillAll(result, self, where, &element));
        goto done;
    }
    if (!THTensor_isSize(where, shape.nDimension, shape.size))
        TH_TRY(THTensor_newExpand(&expanded, where, shape.size, shape.nDimension));
    TH_TRY(THIndex_copySelf(op, result, self, shape.nDimension, shape.size));
    THNest nest;
    bool single;
    const int64_t item = THTensor_itemSize(self);
    maskNest(&nest, expanded ? expanded : where, result, false);
    TH_TRY(fillsSingle(&single, &nest, item, where));
    if (single)
        THNest_run(&nest, fillLine, item, element.bytes);
    else
        TH_TRY(fillAll(result, self, where, &element));
done:
    THTensor_free(expanded);
    THTensor_free(where);
    return status;
}

typedef struct Source {
    const char **next;
} Source;

TH_ITEM_INLINE scatterItems(const THLine *line, size_t item)
{
    const Source *source = line->context;
    const uint8_t *mask = (const uint8_t *)line->data[0];
    const char *from = *source->next;
    char *to = line->data[2];
    for (int64_t i = 0; i < line->n; i++) {
        memcpy(to, *mask ? from : to, item); /* no branch to mispredict */
        from += *mask ? item : 0;
        mask += line->stride[0];
        to += line->stride[2];
    }
    *source->next = from;
}

/* Items to the places found, by steps. */
typedef struct Found {
    const int64_t *places;
    int64_t n, step;
    const char *from;
    char *to;
} Found;

TH_ITEM_INLINE scatterFound(const Found *found, size_t item)
{
    for (int64_t i = 0; i < found->n; i++)
        memcpy(found->to + found->places[i] * found->step, found->from + i * (int64_t)item, item);
}

/* Of a mask that is a run: places are found by vectors. */
static void scatterRun(const THLine *line)
{
    const Source *source = line->context;
    int64_t places[BLOCK + TH_MASK_SLACK];
    Found found = {.places = places, .step = line->stride[2], .to = line->data[2]};
    for (int64_t i = 0; i < line->n; i += BLOCK, found.to += BLOCK * found.step) {
        const int64_t n = THSize_min(line->n - i, BLOCK);
        found.n = THMaskLoops_for(n)->places(n, places, (const uint8_t *)line->data[0] + i, 0);
        found.from = *source->next;
        TH_ITEM_SWITCH(line->block, scatterFound, &found);
        *source->next += found.n * line->block;
    }
}

static void scatterLine(const THLine *line)
{
    if (line->stride[0] == 1 && line->n >= LONG_LINE)
        scatterRun(line);
    else
        TH_ITEM_SWITCH(line->block, scatterItems, line);
}

static void scatterChunks(int64_t begin, int64_t end, void *context)
{
    const Selection *selection = context;
    const int64_t item = selection->itemSize, first = begin * CHUNK;
    const int64_t n = THSize_min(end * CHUNK, selection->n) - first;
    THMaskLoops_for(n)->scatter[THMaskLoops_at(item)](
        n, selection->result + first * item, selection->mask + first,
        selection->data + selection->starts[begin] * item);
}

/* `values`, contiguous, is used up in the order of elements: chunk by chunk, or with all dims
 * ordered. */
static void scatter(Selection *selection, THTensor *result, const THTensor *mask,
                    const THTensor *values)
{
    const char *next = selection->data = THTensor_data(values);
    THNest nest;
    selection->itemSize = THTensor_itemSize(result);
    if (THTensor_isContiguous(result)) {
        selection->result = THTensor_data(result);
        TH_parallel_for((selection->n + CHUNK - 1) / CHUNK, 2, scatterChunks, selection);
        return;
    }
    maskNest(&nest, mask, result, true);
    THNest_run(&nest, scatterLine, selection->itemSize, &(Source){&next});
}

int THTensor_maskedScatter(THTensor *result, THTensor *self, THTensor *mask, THTensor *source)
{
    static const char op[] = "masked_scatter";
    THTensor *const operands[] = {self, mask};
    THTensor *where = NULL, *values = NULL;
    Selection selection = {.starts = NULL};
    THShape shape;
    int64_t total = 0;
    int status = TH_OK;
    TH_TRY(THCheck_dtype(op, "mask", mask, TH_BOOL));
    TH_TRY(THCheck_dtype(op, "source", source, (THDtype)self->dtype));
    TH_TRY(THShape_broadcast(op, &shape, operands, 2));
    TH_TRY(newExpandedContiguous(&where, mask, &shape));
    selection.mask = THTensor_data(where);
    selection.n = THTensor_nElement(where);
    TH_TRY(countSelected(&selection, &total));
    TH_REQUIRE(THTensor_nElement(source) >= total, TH_ERROR_VALUE,
               "%s: expected at least %" PRId64 " elements in source, got %" PRId64, op, total,
               THTensor_nElement(source));
    TH_TRY(THIndex_source(&values, source, result, true));
    TH_TRY(THIndex_copySelf(op, result, self, shape.nDimension, shape.size));
    scatter(&selection, result, where, values);
done:
    endSelection(&selection);
    THTensor_free(values);
    THTensor_free(where);
    return status;
}

int THIndex_putSelected(THTensor *self, THTensor *mask, THTensor *value, bool *done)
{
    THTensor *where = NULL, *values = NULL;
    Selection selection = {.starts = NULL};
    int64_t total = 0;
    int status = TH_OK;
    TH_TRY(THIndex_source(&where, mask, self, true));
    selection.mask = THTensor_data(where);
    selection.n = THTensor_nElement(where);
    TH_TRY(countSelected(&selection, &total));
    *done = total == value->size[0];
    if (*done) {
        TH_TRY(THIndex_source(&values, value, self, true));
        scatter(&selection, self, where, values);
    }
done:
    endSelection(&selection);
    THTensor_free(values);
    THTensor_free(where);
    return status;
}

/* ---- nonzero ---- */

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
static int nonzeroMask(const uint8_t **mask, THTensor **out, uint8_t few[BLOCK], THTensor *self)
{
    const int64_t n = THTensor_nElement(self);
    *mask = THTensor_data(self);
    if (self->dtype == TH_BOOL)
        return TH_OK;
    const int status = n <= BLOCK ? TH_OK : THTensor_newLike(out, TH_BOOL, self);
    if (status)
        return status;
    NonzeroTest test = {THTensor_data(self), n <= BLOCK ? few : THTensor_data(*out),
                        THTensor_itemSize(self),
                        THDtype_category((THDtype)self->dtype) == TH_CATEGORY_FLOATING};
    TH_parallel_for(n, CHUNK, testPart, &test);
    *mask = test.mask;
    return TH_OK;
}

typedef struct Rows {
    Selection selection;
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
        const uint32_t size = (uint32_t)THSize_min(rows->size[d], BLOCK);
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
    loops[THIsa_current]->indices(count, to, found, nDimension, dims);
}

static void writeRows(int64_t begin, int64_t end, void *context)
{
    const Rows *rows = context;
    const bool vector = rows->nDimension == 1;
    const int64_t rowBytes = rows->nDimension * (int64_t)sizeof(int64_t);
    int64_t found[BLOCK + TH_MASK_SLACK];
    THMaskDim dims[TH_MAX_DIMS];
    if (!vector)
        initDims(rows, dims);
    for (int64_t chunk = begin; chunk < end; chunk++) {
        Share share = shareOf(&rows->selection, chunk, rowBytes);
        for (int64_t i = share.first; i < share.stop; i += BLOCK) {
            const int64_t n = THSize_min(share.stop - i, BLOCK);
            const bool direct = vector && hasRoom(&share, n, rowBytes);
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
    uint8_t few[BLOCK];
    int64_t size[2] = {0, self->nDimension};
    int status = TH_OK;
    rows.nDimension = self->nDimension;
    rows.size = self->size;
    rows.selection.starts = NULL;
    TH_TRY(THTensor_newContiguous(&values, self));
    TH_TRY(nonzeroMask(&rows.selection.mask, &mask, few, values));
    for (int d = 0; d < self->nDimension; d++)
        rows.inverse[d] = 1.0 / (double)self->size[d];
    rows.selection.n = THTensor_nElement(values);
    TH_TRY(countSelected(&rows.selection, &size[0]));
    TH_TRY(THTensor_resizeOutput("nonzero", result, 2, size));
    if (THTensor_nElement(result) == 0)
        goto done;
    const bool direct = THTensor_isContiguous(result);
    if (!direct)
        TH_TRY(THTensor_newLike(&packed, TH_LONG, result));
    rows.selection.result = THTensor_data(direct ? result : packed);
    TH_parallel_for((rows.selection.n + CHUNK - 1) / CHUNK, 2, writeRows, &rows);
    if (!direct)
        TH_TRY(THTensor_copy(result, packed));
done:
    endSelection(&rows.selection);
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
