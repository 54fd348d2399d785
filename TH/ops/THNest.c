/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nested loops over operands of one shape; see THNest.h. */
#include <TH/ops/THNest.h>

#include <stdlib.h>
#include <string.h>

/* Shorter innermost loops change places with a longer neighbour. */
#define SHORT_LOOP 16
/* Or with another dim of so few bytes from step to step, half of them where these are one run for
 * an index (scatter_add along dim 1 of 300000 x 3 x 3 float32: 21 ms, so 6.7; Xeon). */
#define SHORT_STEP 256
/* Elements of a row that is gathered by vectors with others. */
#define GATHERED_ROW 8
/* Indices that are not worth a call for each line of them, and where all lines have the same. */
#define SHORT_LINE 128
#define PICKED_BYTES 512 /* or of more bytes, picked by vectors */
#define SHARED_LINE 256
/* Such as lie at steps beside what is added to. */
#define STEPPED_LINE 3
/* Such along one dim of rows along another (gather along dim 0 of 100000 x 25 float32 by 25 indices
 * a row: 20 ms by a call for each, so 11.5; Xeon). */
#define ACROSS_LEAST 8
#define ACROSS_LINE 128
/* Of a loop that has changed places so many elements at a time, so that what they share lines of
 * the cache with is there still when its turn comes; half as many where these are more bytes. */
#define TILE 256
#define TILE_BYTES 49152
/* Of TH_NEST_FAR_BYTES in all, rows of up to so many are asked for while the one before is read. */
#define ROW_FAR_BYTES 32768
/* From so many bytes on bit by bit, between so many elements of the one before. */
#define ROW_PARTS_BYTES 4096
#define ROW_PART 256
/* Lines of the cache so far apart have the same few places in the nearest one. */
#define WAY_BYTES 4096

static char unused[8];

void THNest_init(THNest *nest, void *data0, void *data1, void *data2)
{
    nest->nDimension = 0;
    nest->elements = 1;
    nest->ordered = 0;
    nest->takesLines = false;
    nest->data[0] = data0 ? data0 : unused;
    nest->data[1] = data1 ? data1 : unused;
    nest->data[2] = data2 ? data2 : unused;
}

void THNest_push(THNest *nest, int64_t size, bool ordered, int64_t stride0, int64_t stride1,
                 int64_t stride2)
{
    const int64_t stride[TH_NEST_OPERANDS] = {stride0, stride1, stride2};
    nest->elements *= size;
    if (size <= 1)
        return;
    int last = nest->nDimension - 1;
    bool merge = last >= 0 && (nest->ordered >> last & 1) == ordered;
    for (int op = 0; merge && op < TH_NEST_OPERANDS; op++)
        merge = nest->stride[op][last] == stride[op] * size;
    if (merge) {
        nest->size[last] *= size;
    } else {
        /* Every dim here has at least two elements: there can be no more than 62. */
        last = nest->nDimension++;
        nest->size[last] = size;
        nest->ordered |= (uint64_t)ordered << last;
    }
    for (int op = 0; op < TH_NEST_OPERANDS; op++)
        nest->stride[op][last] = stride[op];
}

void THNest_copy(THNest *to, const THNest *from)
{
    to->nDimension = from->nDimension;
    to->elements = from->elements;
    to->ordered = from->ordered;
    to->takesLines = from->takesLines;
    for (int d = 0; d < from->nDimension; d++) {
        to->size[d] = from->size[d];
        for (int op = 0; op < TH_NEST_OPERANDS; op++)
            to->stride[op][d] = from->stride[op][d];
    }
    for (int op = 0; op < TH_NEST_OPERANDS; op++)
        to->data[op] = from->data[op];
}

static void swapDims(THNest *nest, int a, int b)
{
    const uint64_t differ = (nest->ordered >> a ^ nest->ordered >> b) & 1;
    nest->ordered ^= differ << a | differ << b;
    const int64_t size = nest->size[a];
    nest->size[a] = nest->size[b];
    nest->size[b] = size;
    for (int op = 0; op < TH_NEST_OPERANDS; op++) {
        const int64_t stride = nest->stride[op][a];
        nest->stride[op][a] = nest->stride[op][b];
        nest->stride[op][b] = stride;
    }
}

static int64_t stepOf(const THNest *nest, int op, int dim, int64_t scale)
{
    const int64_t step = nest->stride[op][dim];
    return step == 0 && nest->stride[0][dim] != 0 ? llabs(scale) : llabs(step);
}

/* The power of two of bytes that lines a step apart have in common, of those that a way of the
 * nearest cache holds: the more, the fewer places there are for them. */
static int64_t crowding(int64_t step)
{
    return THSize_min(step & -step, WAY_BYTES);
}

/* Whether indices or operand 1 would be read by longer steps if the dim before `dim`, which indices
 * are along, followed it: not where what indices name is in its own way, and more so than these. */
static bool crosses(const THNest *nest, int dim, int64_t scale)
{
    const int64_t index = llabs(nest->stride[0][dim - 1]), plain = llabs(nest->stride[1][dim - 1]);
    const bool longer = index > llabs(nest->stride[0][dim]);
    if (nest->stride[0][dim] == 0)
        return false;
    if (crowding(scale) >= WAY_BYTES / 2)
        return longer && crowding(index) > crowding(scale);
    return longer || (crowding(plain) >= WAY_BYTES / 2 && plain > llabs(nest->stride[1][dim]));
}

/* Whether the dim before `dim` is to follow it: one of indices not where operand 1 would be read by
 * longer steps for it. */
static bool follows(const THNest *nest, int op, int dim, int64_t scale)
{
    const bool bothOrdered = (nest->ordered >> (dim - 1) & 3) == 3;
    const bool worse = nest->stride[0][dim - 1] != 0 &&
                       llabs(nest->stride[1][dim - 1]) > llabs(nest->stride[1][dim]);
    return !bothOrdered && !worse && !crosses(nest, dim, scale) &&
           stepOf(nest, op, dim - 1, scale) < stepOf(nest, op, dim, scale);
}

void THNest_order(THNest *nest, int op, int64_t scale)
{
    bool sorted = true;
    for (int d = 1; d < nest->nDimension; d++) {
        for (int at = d; at > 0 && follows(nest, op, at, scale); at--) {
            swapDims(nest, at - 1, at);
            sorted = false;
        }
    }
    if (sorted || nest->elements == 0)
        return;
    THNest merged; /* those that are neighbours now */
    THNest_init(&merged, nest->data[0], nest->data[1], nest->data[2]);
    for (int d = 0; d < nest->nDimension; d++)
        THNest_push(&merged, nest->size[d], nest->ordered >> d & 1, nest->stride[0][d],
                    nest->stride[1][d], nest->stride[2][d]);
    THNest_copy(nest, &merged);
}

/* Whether a short innermost loop changes places with its neighbour (order matters only between
 * ordered dims). */
static bool isSwapped(const THNest *nest, int last)
{
    return last >= 1 && nest->size[last] < SHORT_LOOP && nest->size[last - 1] > nest->size[last] &&
           (nest->ordered >> (last - 1) & 3) != 3;
}

/* What is innermost where indices name what is moved and that is short: the longest dim, if its
 * steps are short, too. */
static int longestDim(const THNest *nest, int last)
{
    int longest = last;
    const bool movable = (nest->ordered & (nest->ordered - 1)) == 0; /* one ordered dim at most */
    const bool indexed = nest->data[0] != unused && nest->data[1] != unused;
    if (!indexed || !movable || nest->size[last] >= SHORT_LOOP)
        return last;
    for (int d = 0; d < last; d++)
        if (nest->size[d] > nest->size[longest])
            longest = d;
    const int64_t most = nest->stride[0][longest] != 0 ? SHORT_STEP : SHORT_STEP / 2;
    for (int op = 0; op < TH_NEST_OPERANDS; op++)
        if (llabs(nest->stride[op][longest]) > most)
            return last;
    return nest->size[longest] < SHORT_LOOP ? last : longest;
}

/* Gives the loop as much as possible at a time: whole blocks, then the longer of the inner dims. */
static int64_t shapeInnerLoop(THNest *nest, int64_t block, bool *swapped)
{
    int last = nest->nDimension - 1;
    while (block && last >= 0 && nest->stride[0][last] == 0 && nest->stride[1][last] == block &&
           nest->stride[2][last] == block) {
        block *= nest->size[last];
        nest->nDimension = last--;
    }
    *swapped = isSwapped(nest, last);
    if (*swapped)
        swapDims(nest, last - 1, last);
    const int longest = last > 1 ? longestDim(nest, last) : last;
    if (longest != last) {
        swapDims(nest, longest, last);
        *swapped = true;
    }
    return block;
}

/* One element that is scattered to whole rows becomes a row, which is a block then. */
static int64_t repeatElement(THNest *nest, int64_t block, char row[TH_NEST_ROW_BYTES])
{
    const int last = nest->nDimension - 1;
    bool same = block > 0 && last > 0 && block * nest->size[last] <= TH_NEST_ROW_BYTES &&
                nest->stride[0][last] == 0 && nest->stride[2][last] == block;
    for (int d = 0; same && d <= last; d++)
        same = nest->stride[1][d] == 0;
    if (!same)
        return block;
    THMove_gather(block, row, nest->data[1], 1, 0, nest->size[last], 0);
    nest->data[1] = row;
    nest->nDimension = last;
    return block * nest->size[last];
}

/* Of a nest, of which this is a part, with as much in each. */
static int64_t linesOf(const THNest *nest, const THLine *line, int outer)
{
    const int64_t items = line->block ? line->bytes / line->block : nest->elements;
    return items / nest->size[outer];
}

/* Bytes to the next row of what is indexed, where the loop reads the elements of a row in any
 * order, in which the machine does not look ahead; 0 where it is not worth asking for it. */
static int64_t laterRow(const THNest *nest, THLineLoop loop, const THLine *line, int outer)
{
    const int64_t step = outer > 0 ? nest->stride[2][outer - 1] : 0;
    const bool any =
        line->more == 0 && line->stride[0] != 0 && line->stride[2] == 0 && step >= TH_LINE_BYTES;
    const bool waits = loop != THLine_scatter || step >= ROW_PARTS_BYTES; /* short ones do not */
    return any && waits && step <= ROW_FAR_BYTES &&
                   step * linesOf(nest, line, outer) >= TH_NEST_FAR_BYTES
               ? step
               : 0;
}

/* Whether that row is asked for bit by bit: not where each row has indices of its own that are only
 * read by, of which few are on their way then. */
static bool asksInParts(const THNest *nest, THLineLoop loop, const THLine *line, int outer,
                        int64_t later)
{
    return later >= ROW_PARTS_BYTES &&
           (loop == THLine_scatter || line->block == 0 || nest->stride[0][outer - 1] == 0);
}

static void callInParts(THLineLoop loop, const THLine *line, int64_t later)
{
    const int64_t parts = (line->n - 1) / ROW_PART + 1, bytes = (later + parts - 1) / parts;
    const char *next = line->data[2] + later;
    THLine part = *line;
    for (int64_t left = line->n; left > 0; left -= part.n) {
        THMove_ask(next, bytes);
        next += bytes;
        part.n = THSize_min(ROW_PART - THLine_begun(&part), left);
        loop(&part);
        part.data[0] += part.n * line->stride[0];
        part.data[1] += part.n * line->stride[1];
    }
}

/* Runs the innermost loop, which `line` has, for all indices of the `outer` dims. */
static void walkOuter(const THNest *nest, THLineLoop loop, THLine *line, int outer)
{
    int64_t index[TH_MAX_DIMS];
    for (int d = 0; d < outer; d++) /* all of it takes as long as a small nest */
        index[d] = 0;
    const int64_t later = laterRow(nest, loop, line, outer);
    const bool inParts = asksInParts(nest, loop, line, outer, later);
    for (;;) {
        if (later && !inParts)
            THMove_prefetch(line->data[2] + later, later, false);
        if (inParts)
            callInParts(loop, line, later);
        else
            loop(line);
        int d = outer - 1;
        for (; d >= 0; d--) {
            const bool carry = ++index[d] == nest->size[d];
            const int64_t steps = carry ? 1 - nest->size[d] : 1;
            for (int op = 0; op < TH_NEST_OPERANDS; op++)
                line->data[op] += steps * nest->stride[op][d];
            if (!carry)
                break;
            index[d] = 0;
        }
        if (d < 0)
            return;
    }
}

/* Whether elements are gathered to rows that the result has one after the other: by vectors, many
 * rows at a time, however short where they are mirrored. */
static bool isGathered(const THNest *nest, int64_t block)
{
    const int last = nest->nDimension - 1;
    return last > 0 && THLine_isItem(block) && nest->stride[1][last] == block &&
           nest->stride[2][last] != block &&
           nest->stride[1][last - 1] == block * nest->size[last] &&
           (nest->stride[2][last] == -block || nest->size[last] >= GATHERED_ROW);
}

static void gatherRows(const THLine *line)
{
    const THNest *nest = line->context;
    const int inner = nest->nDimension - 1;
    THMove_gather(line->block, line->data[1], line->data[2], line->n, line->stride[2],
                  nest->size[inner], nest->stride[2][inner]);
}

static void walkGathered(const THNest *nest, int64_t block)
{
    const int outer = nest->nDimension - 2;
    THLine line = {.n = nest->size[outer], .block = block, .context = nest};
    memcpy(line.data, nest->data, sizeof line.data);
    for (int op = 0; op < TH_NEST_OPERANDS; op++)
        line.stride[op] = nest->stride[op][outer];
    walkOuter(nest, gatherRows, &line, outer);
}

/* The items at `there`, each `across` further than the one before, are moved to operand 1, or the
 * other way round, in lines of n indices; `shared`: by the indices of the first line. */
TH_ITEM_INLINE moveShort(const THLine *line, size_t item, int64_t n, const THIndexing indexing,
                         int64_t across, bool gathers, bool shared)
{
    const int64_t step = line->stride[1];
    const char *index = line->data[0];
    char *plain = line->data[1], *there = line->data[2];
    int64_t offset[SHARED_LINE];
    for (int64_t i = 0; shared && i < n; i++)
        offset[i] = THIndexing_offset(&indexing, index + 8 * i);
    for (int64_t more = line->more; more >= 0; more--) {
#pragma GCC unroll 4
        for (int64_t i = 0; i < n; i++) {
            const int64_t at =
                shared ? offset[i] : THIndexing_offset(&indexing, index + 8 * i) + i * across;
            if (gathers)
                memcpy(plain + i * (int64_t)item, there + at, item);
            else
                memcpy(there + at, plain + i * step, item);
        }
        index += line->apart[0];
        plain += line->apart[1];
        there += line->apart[2];
    }
}

TH_ITEM_INLINE moveShortLines(const THLine *line, size_t item, bool gathers)
{
    const THIndexing indexing = *(const THIndexing *)line->context, dense = {(int64_t)item, 0, 0};
    const int64_t n = line->n;
    if (line->stride[2] != 0)
        moveShort(line, item, n, indexing, line->stride[2], gathers, false);
    else if (line->apart[0] != 0 && indexing.scale == dense.scale && indexing.wrap == 0)
        moveShort(line, item, n, dense, 0, gathers, false);
    else if (line->apart[0] != 0)
        moveShort(line, item, n, indexing, 0, gathers, false);
    else if (n == 2)
        moveShort(line, item, 2, indexing, 0, gathers, true);
    else if (n == 3)
        moveShort(line, item, 3, indexing, 0, gathers, true);
    else
        moveShort(line, item, n, indexing, 0, gathers, true);
}

TH_ITEM_INLINE gatherShort(const THLine *line, size_t item)
{
    moveShortLines(line, item, true);
}

TH_ITEM_INLINE scatterShort(const THLine *line, size_t item)
{
    moveShortLines(line, item, false);
}

static void gatherShortLines(const THLine *line)
{
    TH_ITEM_SWITCH(line->block, gatherShort, line);
}

static void scatterShortLines(const THLine *line)
{
    TH_ITEM_SWITCH(line->block, scatterShort, line);
}

/* Whether adjacent indices pick the items of lines that are not worth a call each. */
static bool isShort(const THNest *nest, THLineLoop loop, int64_t block, const void *context)
{
    const int last = nest->nDimension - 1;
    const bool gathers = loop == THLine_gather, moves = gathers || loop == THLine_scatter;
    if (last < 1 || !(nest->takesLines || (moves && THLine_isItem(block))) ||
        nest->stride[0][last] != 8)
        return false;
    const bool shared = nest->stride[0][last - 1] == 0;
    if (nest->stride[2][last] != 0) {
        /* Longer loops ask for far places, for which sums would wait. */
        const bool asks = !moves && THIndexing_isFar(((const THIndexing *)context)->span);
        if (shared || nest->size[last] < (asks ? SHORT_LOOP : ACROSS_LEAST))
            return false;
    }
    if (!moves && isSwapped(nest, last)) { /* nothing waits for what was just written then */
        const bool dense = nest->stride[1][last] == ((const THIndexing *)context)->scale;
        if (shared || (!dense && nest->size[last] <= STEPPED_LINE))
            return false;
    }
    const int64_t most = nest->stride[2][last] != 0 ? ACROSS_LINE
                         : shared && moves          ? SHARED_LINE
                         : gathers                  ? THSize_min(SHORT_LINE, PICKED_BYTES / block)
                                                    : SHORT_LINE;
    return nest->size[last] <= most && (!gathers || nest->stride[1][last] == block);
}

/* Many lines in each call. */
static void walkShort(const THNest *nest, THLineLoop loop, int64_t block, const void *context)
{
    const int inner = nest->nDimension - 1, outer = inner - 1;
    const THLineLoop many = loop == THLine_gather    ? gatherShortLines
                            : loop == THLine_scatter ? scatterShortLines
                                                     : loop;
    THLine line = {
        .n = nest->size[inner], .block = block, .context = context, .more = nest->size[outer] - 1};
    memcpy(line.data, nest->data, sizeof line.data);
    for (int op = 0; op < TH_NEST_OPERANDS; op++) {
        line.stride[op] = nest->stride[op][inner];
        line.apart[op] = nest->stride[op][outer];
    }
    walkOuter(nest, many, &line, outer);
}

/* Whether indices of the innermost loop are further apart than those of the one around it, which
 * are in lines of the cache that it has read. */
static bool isCrossed(const THNest *nest, int last)
{
    const int64_t step = last >= 1 ? llabs(nest->stride[0][last - 1]) : 0;
    return step > 0 && step < llabs(nest->stride[0][last]) && !(nest->ordered >> last & 1);
}

static int64_t tileOf(const THLine *line)
{
    int64_t bytes = 0;
    for (int op = 0; op < TH_NEST_OPERANDS; op++)
        bytes += llabs(line->stride[op]);
    return bytes * TILE > TILE_BYTES ? TILE / 2 : TILE;
}

void THNest_walk(THNest *nest, THLineLoop loop, int64_t block, const void *context)
{
    THLine line = {.n = 1, .context = context, .bytes = nest->elements * block};
    char row[TH_NEST_ROW_BYTES];
    bool swapped;
    if (loop == THLine_copy && isGathered(nest, block)) {
        walkGathered(nest, block);
        return;
    }
    if (isShort(nest, loop, block, context)) {
        walkShort(nest, loop, block, context);
        return;
    }
    line.block = shapeInnerLoop(
        nest, loop == THLine_scatter ? repeatElement(nest, block, row) : block, &swapped);
    const int outer = nest->nDimension - 1;
    memcpy(line.data, nest->data, sizeof line.data);
    if (outer >= 0) {
        line.n = nest->size[outer];
        for (int op = 0; op < TH_NEST_OPERANDS; op++)
            line.stride[op] = nest->stride[op][outer];
    }
    const bool tiled = swapped || isCrossed(nest, outer);
    const bool whole = !tiled || (outer > 1 && nest->ordered >> outer & 1);
    const int64_t tile = whole ? line.n : tileOf(&line);
    for (int64_t n = line.n, done = 0; done < n; done += line.n) {
        line.n = THSize_min(tile, n - done);
        for (int op = 0; op < TH_NEST_OPERANDS; op++)
            line.data[op] = nest->data[op] + done * line.stride[op];
        walkOuter(nest, loop, &line, outer);
    }
    THMove_fence(); /* of what was picked past the caches */
}

typedef struct NestJob {
    const THNest *nest;
    THLineLoop loop;
    int64_t block;
    const void *context;
    int split;
} NestJob;

static void walkPart(int64_t begin, int64_t end, void *context)
{
    const NestJob *job = context;
    THNest part;
    THNest_copy(&part, job->nest);
    part.size[job->split] = end - begin;
    for (int op = 0; op < TH_NEST_OPERANDS; op++)
        part.data[op] += begin * part.stride[op][job->split];
    THNest_walk(&part, job->loop, job->block, job->context);
}

/* The dim to divide among threads: the outermost that is long enough, else the longest; -1 where
 * all are ordered. */
static int chooseSplit(const THNest *nest, int threads)
{
    int longest = -1;
    for (int d = 0; d < nest->nDimension; d++) {
        if (nest->ordered >> d & 1)
            continue;
        if (nest->size[d] >= TH_NEST_PARTS * threads)
            return d;
        if (longest < 0 || nest->size[d] > nest->size[longest])
            longest = d;
    }
    return longest;
}

/* Steps along an inner dim of which a part spans so many bytes in either operand. */
static int64_t stepsOfSpan(const THNest *nest, int dim, int64_t span)
{
    const int64_t one = llabs(nest->stride[1][dim]), other = llabs(nest->stride[2][dim]);
    const int64_t step = other == 0 || (one && one < other) ? one : other;
    return step ? span / step : 1;
}

void THNest_runParts(const THNest *nest, THLineLoop loop, int64_t block, const void *context,
                     int64_t span)
{
    const int64_t part = THNest_part(nest, block);
    if (nest->elements == 0)
        return;
    const int threads = nest->elements >= 2 * part ? THThreads_get() : 1;
    const int split = threads > 1 ? chooseSplit(nest, threads) : -1;
    NestJob job = {nest, loop, block, context, split};
    if (split < 0) {
        THNest whole;
        THNest_copy(&whole, nest);
        THNest_walk(&whole, loop, block, context);
        return;
    }
    const int64_t n = nest->size[split];
    const int64_t each = nest->elements / n; /* elements of one step along the divided dim */
    int64_t least = part > each ? part / each : 1;
    if (split > 0 && least < stepsOfSpan(nest, split, span))
        least = stepsOfSpan(nest, split, span);
    if (split == 0) {
        TH_parallel_items(n, least, walkPart, &job);
        return;
    }
    /* Parts of an inner dim are long, so that each still walks along memory. */
    const int64_t share = (n - 1) / threads + 1;
    TH_parallel_for(n, least > share ? least : share, walkPart, &job);
}

void THNest_run(const THNest *nest, THLineLoop loop, int64_t block, const void *context)
{
    THNest_runParts(nest, loop, block, context, TH_NEST_SPAN);
}
