/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading and writing where a mask is true. */
#include <TH/THIndex.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THIndexing.h>
#include <TH/ops/THSelection.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FEW_FILLED 64 /* written without a plan */
#define LONG_LINE 64
/* Of one of which so many are read, items are faster picked than gathered. */
#define PICKED_BYTES 32

/* ---- selecting ---- */

/* From a run of items, at most TH_MASK_BLOCK. */
static void selectRun(THShare *share, int64_t n, int64_t item, const uint8_t *mask,
                      const char *from)
{
    char buffer[(TH_MASK_BLOCK + TH_MASK_SLACK) * 8];
    const bool direct = THShare_hasRoom(share, n, item);
    const int64_t bytes = item * THMaskLoops_for(n)->select[THMaskLoops_at(item)](
                                     n, direct ? share->to : buffer, mask, from);
    if (!direct)
        THMove_run(share->to, buffer, bytes);
    share->to += bytes;
}

/* From a line of steps. */
static void selectLine(const THSelection *selection, THShare *share, int64_t n, const uint8_t *mask,
                       const char *from, int64_t step)
{
    const int64_t item = selection->itemSize;
    char items[TH_MASK_BLOCK * 8];
    if (selection->picked) {
        share->to += item * THMaskLoops_of(THIsa_current)
                                ->selectSteps[THMaskLoops_at(item)](n, share->to, mask, from, step);
        return;
    }
    for (int64_t i = 0, m; i < n; i += m) {
        m = THSize_min(n - i, TH_MASK_BLOCK);
        THMove_gather(item, items, from + i * step, 1, 0, m, step);
        selectRun(share, m, item, mask + i, items);
    }
}

static void selectSteps(const THSelection *selection, THShare *share)
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

/* The same of a chunk in one run, past the caches. */
static void streamChunk(const THSelection *selection, THShare *share)
{
    const int64_t item = selection->itemSize;
    const THMaskLoops *loops = THMaskLoops_of(THIsa_current);
    const bool asks = THMachine_readAhead > 0;
    THHeld held = {.n = 0};
    for (int64_t i = share->first; i < share->stop; i += TH_MASK_BLOCK) {
        const int64_t n = THSize_min(share->stop - i, TH_MASK_BLOCK);
        const char *from = selection->data + i * item;
        if (asks)
            THMove_ask((const char *)((uintptr_t)from + TH_STREAM_AHEAD), n * item);
        THShare_stream(share, &held,
                       item * loops->select[THMaskLoops_at(item)](n, held.bytes + held.n,
                                                                  selection->mask + i, from));
    }
    THShare_end(share, &held);
}

static void selectChunks(int64_t begin, int64_t end, void *context)
{
    const THSelection *selection = context;
    for (int64_t chunk = begin; chunk < end; chunk++) {
        THShare share = THSelection_share(selection, chunk, selection->itemSize);
        if (selection->streamed && !selection->steps) {
            streamChunk(selection, &share);
            continue;
        }
        if (selection->steps)
            selectSteps(selection, &share);
        for (int64_t i = share.first; !selection->steps && i < share.stop; i += TH_MASK_BLOCK)
            selectRun(&share, THSize_min(share.stop - i, TH_MASK_BLOCK), selection->itemSize,
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
static int placeItems(THSelection *selection, THNest *nest, THTensor **values, const THTensor *mask,
                      int64_t total)
{
    THTensor *const self = *values;
    if (!THTensor_isContiguous(self)) {
        nest->nDimension = 0;
        if (selection->n > TH_MASK_BLOCK)
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
    THSelection selection = {.starts = NULL};
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
    TH_TRY(THSelection_count(&selection, &total));
    TH_TRY(THTensor_resizeOutput(op, result, 1, &total));
    if (total == 0)
        goto done;
    TH_TRY(placeItems(&selection, &nest, &values, where, total));
    const bool direct = THTensor_isContiguous(result);
    if (!direct)
        TH_TRY(THTensor_newLike(&packed, (THDtype)self->dtype, result));
    selection.result = THTensor_data(direct ? result : packed);
    selection.streamed =
        THSelection_streams(selection.n * (1 + selection.itemSize), total * selection.itemSize);
    TH_parallel_for(THSelection_chunks(&selection), 2, selectChunks, &selection);
    if (!direct)
        TH_TRY(THTensor_copy(result, packed));
done:
    THSelection_end(&selection);
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
    char mask[TH_MASK_BLOCK];
    THLine part = *line;
    part.stride[0] = 1;
    part.data[0] = mask;
    for (int64_t i = 0; i < line->n; i += TH_MASK_BLOCK) {
        part.n = THSize_min(line->n - i, TH_MASK_BLOCK);
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
        kernel.loop[isa] = THMaskLoops_of(isa)->fill[THMaskLoops_at(THTensor_itemSize(self))];
    return THKernel_run(&kernel, (THTensor *[]){result, mask, self}, element->bytes);
}

/* Whether a contiguous mask selects one of four at most, up to which they are faster written one by
 * one, without the elements between. */
static int isSparse(bool *sparse, const THTensor *mask)
{
    THSelection selection = {.mask = THTensor_data(mask), .n = THTensor_nElement(mask)};
    int64_t total;
    const int status = THSelection_count(&selection, &total);
    *sparse = status == TH_OK && total <= selection.n / 4;
    THSelection_end(&selection);
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
        TH_TRY(THTensor_resizeOutputTo(op, result, &shape, operands, 2));
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
    int64_t places[TH_MASK_BLOCK + TH_MASK_SLACK];
    Found found = {.places = places, .step = line->stride[2], .to = line->data[2]};
    for (int64_t i = 0; i < line->n; i += TH_MASK_BLOCK, found.to += TH_MASK_BLOCK * found.step) {
        const int64_t n = THSize_min(line->n - i, TH_MASK_BLOCK);
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
    const THSelection *selection = context;
    const int64_t item = selection->itemSize, first = begin * TH_SELECTION_CHUNK;
    const int64_t n = THSize_min(end * TH_SELECTION_CHUNK, selection->n) - first;
    THMaskLoops_for(n)->scatter[THMaskLoops_at(item)](
        n, selection->result + first * item, selection->mask + first,
        selection->data + selection->starts[begin] * item);
}

/* `values`, contiguous, is used up in the order of elements: chunk by chunk, or with all dims
 * ordered. */
static void scatter(THSelection *selection, THTensor *result, const THTensor *mask,
                    const THTensor *values)
{
    const char *next = selection->data = THTensor_data(values);
    THNest nest;
    selection->itemSize = THTensor_itemSize(result);
    if (THTensor_isContiguous(result)) {
        selection->result = THTensor_data(result);
        TH_parallel_for(THSelection_chunks(selection), 2, scatterChunks, selection);
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
    THSelection selection = {.starts = NULL};
    THShape shape;
    int64_t total = 0;
    int status = TH_OK;
    TH_TRY(THCheck_dtype(op, "mask", mask, TH_BOOL));
    TH_TRY(THCheck_dtype(op, "source", source, (THDtype)self->dtype));
    TH_TRY(THShape_broadcast(op, &shape, operands, 2));
    TH_TRY(newExpandedContiguous(&where, mask, &shape));
    selection.mask = THTensor_data(where);
    selection.n = THTensor_nElement(where);
    TH_TRY(THSelection_count(&selection, &total));
    TH_REQUIRE(THTensor_nElement(source) >= total, TH_ERROR_VALUE,
               "%s: expected at least %" PRId64 " elements in source, got %" PRId64, op, total,
               THTensor_nElement(source));
    TH_TRY(THIndex_source(&values, source, result, true));
    TH_TRY(THIndex_copySelf(op, result, self, shape.nDimension, shape.size));
    scatter(&selection, result, where, values);
done:
    THSelection_end(&selection);
    THTensor_free(values);
    THTensor_free(where);
    return status;
}

int THIndex_putSelected(THTensor *self, THTensor *mask, THTensor *value, bool *done)
{
    THTensor *where = NULL, *values = NULL;
    THSelection selection = {.starts = NULL};
    int64_t total = 0;
    int status = TH_OK;
    TH_TRY(THIndex_source(&where, mask, self, true));
    selection.mask = THTensor_data(where);
    selection.n = THTensor_nElement(where);
    TH_TRY(THSelection_count(&selection, &total));
    *done = total == value->size[0];
    if (*done && total > 0) {
        TH_TRY(THIndex_source(&values, value, self, true));
        scatter(&selection, self, where, values);
    }
done:
    THSelection_end(&selection);
    THTensor_free(values);
    THTensor_free(where);
    return status;
}
