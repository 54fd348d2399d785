/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Innermost loops of nests: items from one line to another, or by indices; see THNest.h. */
#include <TH/engine/THMove.h>
#include <TH/ops/THNest.h>

#include <stdlib.h>
#include <string.h>

/* What hands both pointers of a line on: beside it, compilers load them as one vector, which waits
 * for the two stores before. */
#define APART static __attribute__((noinline))

/* So many rows that are read side by side the processor looks ahead in (gather along dim 0 of 3 x
 * 923046 float32: 4.4 ms asked for, so 3.4; Xeon). */
#define STREAMS 8

TH_ITEM_INLINE copyItems(const THLine *line, size_t item)
{
    char *to = line->data[1];
    const char *from = line->data[2];
    const int64_t n = line->n, step = line->stride[1], fromStep = line->stride[2];
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; i++) {
        memcpy(to, from, item);
        to += step;
        from += fromStep;
    }
}

void THLine_copy(const THLine *line)
{
    const int64_t block = line->block;
    if (THLine_isItem(block) && line->stride[1] == block && line->n >= TH_LONG_LINE) {
        THMove_gather(block, line->data[1], line->data[2], 1, 0, line->n, line->stride[2]);
        return;
    }
    if (THLine_isItem(block))
        TH_ITEM_SWITCH(line->block, copyItems, line);
    else
        THMove_rows(line->data[1], line->stride[1], line->data[2], line->stride[2], line->n, block);
}

/* Past the caches, in strips that are whole lines of these but for the first and the last one. What
 * is read is asked for, which lies before it where steps are negative. */
#define AHEAD (TH_STREAM_AHEAD / 2)

APART void streamItems(const THLine *line)
{
    _Alignas(TH_LINE_BYTES) char strip[TH_STREAM_BYTES];
    const int64_t item = line->block, step = line->stride[2];
    const THMoves *moves = THMove_moves();
    const bool asks = THMachine_asksAhead;
    const char *from = line->data[2];
    char *to = line->data[1];
    for (int64_t left = line->n, some; left > 0; left -= some) {
        const int64_t begin = (int64_t)((uintptr_t)to % TH_LINE_BYTES);
        some = THSize_min((TH_STREAM_BYTES - begin) / item, left);
        if (asks)
            THMove_ask((const char *)((uintptr_t)(step < 0 ? from + some * step : from) +
                                      (uintptr_t)(step < 0 ? -AHEAD : AHEAD)),
                       some * llabs(step));
        moves->gather[THMove_at(item)](strip + begin, from, 1, 0, some, step);
        moves->stream(to, 0, strip + begin, 0, 1, some * item);
        to += some * item;
        from += some * step;
    }
}

void THLine_stream(const THLine *line)
{
    const int64_t block = line->block;
    if (line->stride[1] != block || line->n * block < TH_STREAM_BYTES ||
        (!THLine_isItem(block) && block < TH_STREAM_BYTES)) {
        THLine_copy(line);
        return;
    }
    if (THLine_isItem(block))
        streamItems(line);
    else
        THMove_moves()->stream(line->data[1], block, line->data[2], line->stride[2], line->n,
                               block);
    THMove_fence();
}

/* Unrolled: how fast so small a loop is would depend on where the linker puts it. */
TH_ITEM_INLINE gatherDense(int64_t n, char *to, const char *from, const char *index, size_t item,
                           int64_t wrap)
{
    const THIndexing indexing = {(int64_t)item, wrap, 0};
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; i++)
        memcpy(to + i * (int64_t)item, from + THIndexing_offset(&indexing, index + i * 8), item);
}

TH_ITEM_INLINE gatherItems(const THLine *line, size_t item)
{
    const THIndexing indexing = *(const THIndexing *)line->context;
    const char *index = line->data[0], *from = line->data[2];
    char *to = line->data[1];
    if (THLine_isDense(line, (int64_t)item) && indexing.wrap) {
        gatherDense(line->n, to, from, index, item, indexing.wrap);
        return;
    }
    if (THLine_isDense(line, (int64_t)item)) {
        gatherDense(line->n, to, from, index, item, 0);
        return;
    }
    const int64_t n = line->n, indexStep = line->stride[0], toStep = line->stride[1],
                  fromStep = line->stride[2];
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; i++) {
        memcpy(to, from + THIndexing_offset(&indexing, index), item);
        index += indexStep;
        to += toStep;
        from += fromStep;
    }
}

/* Whether items are far away, and not in a few rows along which all go, each on its own stream. */
static bool arePickedFar(const THLine *line, const THIndexing *indexing)
{
    const bool across = line->stride[2] != 0 && indexing->scale != 0;
    const bool few = across && indexing->span <= STREAMS * llabs(indexing->scale);
    return THPicked_isFar(indexing->span) && !few;
}

/* Items to one run, by adjacent indices. */
APART void pickItems(const THLine *line)
{
    const THIndexing *indexing = line->context;
    const THPicked picked = {.to = line->data[1],
                             .from = line->data[2],
                             .index = (const int64_t *)(const void *)line->data[0],
                             .n = line->n,
                             .asked =
                                 THPicked_asked(arePickedFar(line, indexing), line->n, line->n),
                             .wrap = indexing->wrap,
                             .scale = indexing->scale,
                             .step = line->stride[2]};
    THMove_pick(&picked, line->block, line->bytes);
}

/* Blocks of several elements from one operand to another. */
APART void moveBlocks(const THLine *line, int to, int from)
{
    const THIndexing *indexing = line->context;
    const THIndexedRows rows = {.index = line->data[0],
                                .indexStride = line->stride[0],
                                .wrap = indexing->wrap,
                                .to = line->data[to],
                                .from = line->data[from],
                                .toStride = line->stride[to],
                                .toScale = to == 2 ? indexing->scale : 0,
                                .fromStride = line->stride[from],
                                .fromScale = from == 2 ? indexing->scale : 0,
                                .rows = line->n,
                                .bytes = line->block,
                                .span = indexing->span,
                                .all = line->bytes};
    THMove_moves()->indexedRows(&rows);
}

void THLine_gather(const THLine *line)
{
    if (line->n > 1 && line->stride[0] == 0) { /* one index for all */
        THLine run = *line;
        run.data[2] += THIndexing_offset(line->context, line->data[0]);
        THLine_copy(&run);
        return;
    }
    const bool isRun = line->stride[0] == 8 && line->stride[1] == line->block;
    if (THLine_isItem(line->block) && isRun && line->n >= TH_LONG_LINE)
        pickItems(line);
    else if (THLine_isItem(line->block))
        TH_ITEM_SWITCH(line->block, gatherItems, line);
    else
        moveBlocks(line, 1, 2);
}

/* By adjacent indices; `step` is from item to item, 0 where all places get one. */
TH_ITEM_INLINE scatterRange(const THLine *line, const char *from, int64_t begin, int64_t end,
                            size_t item, size_t step, const THIndexing *indexing, bool far)
{
    const char *index = line->data[0];
    char *to = line->data[2];
#pragma GCC unroll 4
    for (int64_t i = begin; i < end; i++) {
        if (far)
            __builtin_prefetch(to + THIndexing_offset(indexing, index + (i + TH_WRITE_AHEAD) * 8),
                               1);
        memcpy(to + THIndexing_offset(indexing, index + i * 8), from + i * (int64_t)step, item);
    }
}

TH_ITEM_INLINE scatterAdjacent(const THLine *line, size_t item, size_t step, int64_t scale,
                               int64_t wrap)
{
    const THIndexing indexing = {scale, wrap, 0};
    const int64_t n = line->n, asked = THIndexing_asked(line->context, n);
    char one[8];
    const char *from = step ? line->data[1] : memcpy(one, line->data[1], item);
    if (asked > 0)
        scatterRange(line, from, 0, asked, item, step, &indexing, true);
    scatterRange(line, from, asked, n, item, step, &indexing, false);
}

TH_ITEM_INLINE scatterItems(const THLine *line, size_t item)
{
    const THIndexing indexing = *(const THIndexing *)line->context;
    const char *index = line->data[0], *from = line->data[1];
    char *to = line->data[2];
    if (THLine_isDense(line, (int64_t)item) && indexing.wrap) {
        scatterAdjacent(line, item, item, (int64_t)item, indexing.wrap);
        return;
    }
    if (THLine_isDense(line, (int64_t)item)) {
        scatterAdjacent(line, item, item, (int64_t)item, 0);
        return;
    }
    if (THLine_isItem(line->block) && line->stride[0] == 8 && line->stride[1] == 0 &&
        line->stride[2] == 0) {
        scatterAdjacent(line, item, 0, indexing.scale, indexing.wrap);
        return;
    }
    const int64_t n = line->n, indexStep = line->stride[0], fromStep = line->stride[1],
                  toStep = line->stride[2];
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; i++) {
        memcpy(to + THIndexing_offset(&indexing, index), from, item);
        index += indexStep;
        from += fromStep;
        to += toStep;
    }
}

void THLine_scatter(const THLine *line)
{
    if (line->n > 1 && line->stride[0] == 0) {
        THLine run = *line;
        run.data[1] = line->data[2] + THIndexing_offset(line->context, line->data[0]);
        run.data[2] = line->data[1];
        run.stride[1] = line->stride[2];
        run.stride[2] = line->stride[1];
        THLine_copy(&run);
        return;
    }
    if (THLine_isItem(line->block))
        TH_ITEM_SWITCH(line->block, scatterItems, line);
    else
        moveBlocks(line, 2, 1);
}
