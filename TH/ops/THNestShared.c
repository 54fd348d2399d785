/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writing by indices, by several threads, so that of several items the last one stays in a place,
 * and sums have one order. Of one line each thread writes what lies within some places of its own,
 * for which it looks at all indices. Rows are put in the order of what they are written to, of
 * which each thread has some. One item for all indices is written in any order, to one place by
 * several threads at a time, too. */
#include <TH/engine/THMove.h>
#include <TH/ops/THMaskLoops.h>
#include <TH/ops/THNest.h>

#include <stdlib.h>
#include <string.h>

/* Lines are shared from so many bytes and indices on; by at most so many threads, since each looks
 * at all indices, BLOCK at a time. */
#define SHARED_BYTES (1 << 20)
#define SHARED_INDICES 65536
#define SHARED_PARTS 8
#define BLOCK 512
/* Rows that indices name are worth an order from so many bytes on (far ones, which lie in other
 * pages each, from more), where there are not many more than indices. Of far ones so much of the
 * next is asked for. */
#define ROWS_BYTES 512
#define ROWS_FAR_BYTES 8192
#define ROWS_EACH 4
#define ROWS_ASKED 1024
#define PLACES_FAR_BYTES (TH_NEST_FAR_BYTES / 2)

/* ---- one line ---- */

typedef struct Places {
    const THLine *line;
    THLineLoop loop;
    int64_t item, count; /* bytes of an item, and places */
    /* Places are asked for: on AMD's processors only where the last cache, which threads share, has
     * no room for them (10^6 float64 at random places: 1.13 ms, not asked for .94; 10^7 21, so 25;
     * EPYC 9005). */
    bool far;
} Places;

/* Indices of a block that lie within the places of one thread, in their order, and their items. */
typedef struct Found {
    int64_t n;
    int64_t place[BLOCK + TH_MASK_SLACK];
    char items[(BLOCK + TH_MASK_SLACK) * sizeof(uint64_t)];
} Found;

/* Asks for the places, too. */
static void findWithin(const Places *places, const THMaskPlaces *range, int64_t first, int64_t n,
                       Found *found)
{
    const THLine *line = places->line;
    const int64_t *index = (const int64_t *)(const void *)line->data[0] + first;
    const char *items = line->stride[1] ? line->data[1] + first * places->item : NULL;
    found->n = THMaskLoops_for(n)->within[THMaskLoops_at(places->item)](
        n, found->place, found->items, index, items, range);
    for (int64_t i = 0; places->far && i < found->n; i++)
        __builtin_prefetch(line->data[2] + found->place[i] * places->item, 1);
}

static void writeFound(const Places *places, Found *found)
{
    THLine line = *places->line;
    line.n = found->n;
    line.data[0] = (char *)found->place;
    line.data[1] = line.stride[1] ? found->items : line.data[1];
    if (line.n > 0)
        places->loop(&line);
}

/* A block is written when the next one has been looked at, and its places have come near. */
static void writePart(int64_t begin, int64_t end, void *context)
{
    const Places *places = context;
    const int64_t n = places->line->n;
    /* Sums of several indices may lie beyond the places that were counted. */
    const THMaskPlaces range = {((const THIndexing *)places->line->context)->wrap,
                                begin == 0 ? INT64_MIN + 1 : begin,
                                end == places->count ? INT64_MAX : end};
    Found blocks[2];
    Found *last = &blocks[0], *next = &blocks[1];
    last->n = 0;
    for (int64_t done = 0; done < n; done += BLOCK) {
        findWithin(places, &range, done, THSize_min(BLOCK, n - done), next);
        writeFound(places, last);
        Found *const written = last;
        last = next;
        next = written;
    }
    writeFound(places, last);
}

static void fillPart(int64_t begin, int64_t end, void *context)
{
    const Places *places = context;
    THLine line = *places->line;
    line.data[0] += begin * line.stride[0];
    line.n = end - begin;
    places->loop(&line);
}

void THLine_write(const THLine *line, THLineLoop loop)
{
    const THIndexing *indexing = line->context;
    const int64_t item = indexing->scale;
    const bool fills = loop == THLine_scatter && line->stride[1] == 0;
    const bool adjacent = line->stride[0] == 8 && line->stride[2] == 0 && THLine_isItem(item) &&
                          (line->block == 0 || line->block == item);
    if (line->n < SHARED_INDICES || indexing->span < SHARED_BYTES || THThreads_get() == 1 ||
        !adjacent || !(fills || line->stride[1] == item)) {
        loop(line);
        return;
    }
    Places places = {line, loop, item, indexing->span / item,
                     THMachine_isFar(indexing->span, TH_WRITE_NEAR)};
    if (fills) {
        TH_parallel_items(line->n, SHARED_INDICES / 2, fillPart, &places);
        return;
    }
    const int64_t parts = THSize_min(THThreads_get(), SHARED_PARTS);
    TH_parallel_for(places.count, (places.count - 1) / parts + 1, writePart, &places);
}

/* ---- rows ---- */

/* Whether the outermost dim is one of indices (the context begins with a THIndexing then) that name
 * rows, which are written one after the other: parts of all rows would be read and written in
 * pieces, which takes memory as long as whole rows. */
static bool namesRows(const THNest *nest, bool fills, const THIndexing *indexing)
{
    int64_t bytes = 0;
    if (nest->nDimension < 2 || nest->ordered != 1 || nest->stride[0][0] == 0 ||
        nest->stride[2][0] != 0)
        return false;
    for (int d = 1; d < nest->nDimension; d++) {
        if (nest->stride[0][d] != 0 || (nest->stride[1][d] == 0 && !fills))
            return false;
        bytes += (nest->size[d] - 1) * llabs(nest->stride[2][d]);
    }
    return bytes >= (indexing->span < TH_NEST_FAR_BYTES ? ROWS_BYTES : ROWS_FAR_BYTES) &&
           indexing->scale > 0;
}

static int64_t rowAt(const THNest *nest, const THIndexing *indexing, int64_t i)
{
    const char *index = nest->data[0] + i * nest->stride[0][0];
    return THIndexing_offset(indexing, index) / indexing->scale;
}

/* What indices name, row by row; those of a row in the order they have. Which row that is is read
 * once: another thread may write indices meanwhile. */
typedef struct RowsJob {
    const THNest *nest;
    THNest row; /* one of them, without its place */
    THLineLoop loop;
    int64_t block;
    const THIndexing *indexing;
    int64_t *order, *named;
    char repeated[TH_NEST_ROW_BYTES]; /* the row, where one item is written for all */
} RowsJob;

/* False where an index is beyond the rows, as those of a subscript may be that are added up along
 * longer strides. */
static bool orderRows(const RowsJob *rows, int64_t threads, int64_t count, int64_t *first)
{
    const THNest *nest = rows->nest;
    const THIndexing *indexing = rows->indexing;
    int64_t sum = 0, most = 0;
    memset(first, 0, (size_t)count * sizeof *first);
    for (int64_t i = 0; i < nest->size[0]; i++) {
        const int64_t at = rowAt(nest, indexing, i);
        if (at < 0 || at >= count)
            return false;
        rows->named[i] = at;
        most = ++first[at] > most ? first[at] : most;
    }
    if (2 * threads * most > nest->size[0]) /* one thread would do most of them */
        return false;
    for (int64_t at = 0; at < count; at++) {
        const int64_t n = first[at];
        first[at] = sum;
        sum += n;
    }
    for (int64_t i = 0; i < nest->size[0]; i++)
        rows->order[first[rows->named[i]]++] = i;
    return true;
}

static void askForRow(const RowsJob *rows, int64_t i)
{
    const THNest *nest = rows->nest;
    const THIndexing *indexing = rows->indexing;
    const int64_t there = rows->named[i] * indexing->scale;
    THMove_prefetch(nest->data[1] + i * nest->stride[1][0], ROWS_ASKED, false);
    THMove_prefetch(nest->data[2] + there, ROWS_ASKED, true);
}

/* Does an index in this place of the order name the same row as the one before it? */
static bool isSameRow(const RowsJob *rows, int64_t place)
{
    const int64_t *order = rows->order;
    return place > 0 && rows->named[order[place]] == rows->named[order[place - 1]];
}

/* The loop for one row of the order. */
static void walkRow(const RowsJob *rows, int64_t i)
{
    const THNest *nest = rows->nest;
    char *data[TH_NEST_OPERANDS];
    for (int op = 0; op < TH_NEST_OPERANDS; op++)
        data[op] = nest->data[op] + i * nest->stride[op][0];
    if (rows->row.nDimension == 0) {
        const char *from = nest->stride[1][1] ? data[1] : rows->repeated;
        memcpy(data[2] + rows->named[i] * rows->indexing->scale, from, (size_t)rows->block);
        return;
    }
    if (rows->row.nDimension == 1) {
        THLine line = {.n = rows->row.size[0], .block = rows->block, .context = rows->indexing};
        for (int op = 0; op < TH_NEST_OPERANDS; op++) {
            line.data[op] = data[op];
            line.stride[op] = rows->row.stride[op][0];
        }
        rows->loop(&line);
        return;
    }
    THNest row;
    THNest_copy(&row, &rows->row);
    memcpy(row.data, data, sizeof data);
    THNest_walk(&row, rows->loop, rows->block, rows->indexing);
}

/* The rows that begin within a range of the order. */
static void walkRows(int64_t begin, int64_t end, void *context)
{
    const RowsJob *rows = context;
    const bool far = rows->indexing->span >= TH_NEST_FAR_BYTES;
    int64_t place = begin;
    while (place < end && isSameRow(rows, place))
        place++;
    if (place == end)
        return;
    for (; place < rows->nest->size[0] && (place < end || isSameRow(rows, place)); place++) {
        if (far && place + 1 < rows->nest->size[0])
            askForRow(rows, rows->order[place + 1]);
        walkRow(rows, rows->order[place]);
    }
}

/* What is done for each row: runs are copied, and lines are a call of the loop. */
static void shapeRow(RowsJob *rows)
{
    const THNest *nest = rows->nest;
    const int last = nest->nDimension - 1;
    const int64_t n = nest->size[1], block = rows->block;
    THNest_init(&rows->row, NULL, NULL, NULL);
    if (last == 1 && block && nest->stride[2][1] == block &&
        (nest->stride[1][1] == block ||
         (nest->stride[1][1] == 0 && n * block <= TH_NEST_ROW_BYTES))) {
        if (nest->stride[1][1] == 0)
            THMove_gather(block, rows->repeated, nest->data[1], 1, 0, n, 0);
        rows->block *= n;
        return;
    }
    for (int d = 1; d <= last; d++)
        THNest_push(&rows->row, nest->size[d], false, nest->stride[0][d], nest->stride[1][d],
                    nest->stride[2][d]);
    rows->row.takesLines = nest->takesLines;
}

/* Row by row, so that what several indices name is read and written once. */
static bool runByRows(const THNest *nest, bool fills, THLineLoop loop, int64_t block,
                      const THIndexing *indexing)
{
    const int64_t threads = THThreads_get();
    if (!namesRows(nest, fills, indexing))
        return false;
    const int64_t n = nest->size[0], count = indexing->span / indexing->scale;
    if (count > n * ROWS_EACH || n < TH_NEST_PARTS * threads)
        return false;
    int64_t *memory = THAlloc((size_t)(2 * n + count) * sizeof *memory);
    if (memory == NULL)
        return false;
    RowsJob rows = {.nest = nest,
                    .loop = loop,
                    .block = block,
                    .indexing = indexing,
                    .order = memory + count,
                    .named = memory + count + n};
    shapeRow(&rows);
    const bool ordered = orderRows(&rows, threads, count, memory);
    if (ordered)
        TH_parallel_items(n, 1, walkRows, &rows);
    THFree(memory);
    return ordered;
}

/* ---- any nest ---- */

/* How few bytes beside each other threads may have. With an index for each item, places that are
 * far away come to a thread from memory, not from another one, so that a line of the cache is
 * enough (scatter along dim 0 of 100000 x 64 float64: 93 ms by one thread, by two so 40; of 300 x
 * 300 int8 twice as long as by one; Xeon). */
static int64_t partSpan(const THNest *nest, const THIndexing *indexing)
{
    const int last = nest->nDimension - 1;
    const bool each = last >= 0 && nest->stride[0][last] != 0;
    return each && indexing->span >= PLACES_FAR_BYTES ? TH_LINE_BYTES : TH_NEST_SPAN;
}

/* Is one item written for all indices? Then their order does not matter. */
static bool writesOne(const THNest *nest, THLineLoop loop)
{
    bool one = loop == THLine_scatter;
    for (int d = 0; one && d < nest->nDimension; d++)
        one = nest->stride[1][d] == 0;
    return one;
}

void THNest_write(const THNest *nest, THLineLoop loop, int64_t block, const void *context)
{
    if (nest->nDimension == 1 && nest->elements > 0) {
        THLine line = {.n = nest->size[0], .block = block, .context = context};
        for (int op = 0; op < TH_NEST_OPERANDS; op++) {
            line.data[op] = nest->data[op];
            line.stride[op] = nest->stride[op][0];
        }
        THLine_write(&line, loop);
        return;
    }
    const bool shared = nest->elements >= 2 * THNest_part(nest, block) && THThreads_get() > 1;
    const bool fills = shared && writesOne(nest, loop);
    if (shared && runByRows(nest, fills, loop, block, context))
        return;
    if (!fills) {
        THNest_runParts(nest, loop, block, context, partSpan(nest, context));
        return;
    }
    THNest inAnyOrder;
    THNest_copy(&inAnyOrder, nest);
    inAnyOrder.ordered = 0;
    THNest_run(&inAnyOrder, loop, block, context);
}
