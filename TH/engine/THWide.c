/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Running wide tiles: where an input that is far away lies transposed to the output, so many of its
 * lines are transposed into the second-level cache that they are read in long runs, and what was
 * computed is streamed to memory in rows. The tiles of a strip follow each other along its rows:
 * only whole cache lines are written, and what is left of one is written with the next tile.
 *
 * Or a tile has few columns, and its rows are run by parts, which stay in the first cache: its
 * lines are read one part after the other, and what is left of each row is kept until the next
 * tile. */
#include <TH/engine/THRun.h>

#include <string.h>

/* Lines that are transposed at once, while the next ones are asked for; of short ones more. */
#define LINES 16
#define LINES_BYTES 4096

/* How far ahead of a part's rows later ones are asked for, in bytes of each line. */
#define PART_AHEAD 256

/* Where a walk along the columns of a transposed operand stands. */
typedef struct Lines {
    const char *at;
    int64_t column;
    int64_t index[TH_MAX_DIMS];
} Lines;

/* Rows of tiles, the one in hand, and what of its rows. */
typedef struct Strip {
    const THRun *run;
    char *const *base;
    int64_t row, rows, begin, end; /* the strip: columns up to `end` */
    int64_t column, n;             /* the tile's columns */
    int64_t top, height;           /* the part, or all: rows from one of the strip on */
    int64_t lines;
    bool dense; /* rows of tiles follow each other in memory */
    /* What rows of each operand that is not transposed are away from its base, `plan->rows` each:
     * of what is moved only the result's. */
    int64_t away[TH_MAX_OPERANDS * TH_WIDE_ROWS];
    /* Where the lines of transposed ones are, those that are asked for, and where they go on. */
    Lines now[TH_MAX_OPERANDS], ahead[TH_MAX_OPERANDS];
    const char *next[TH_MAX_OPERANDS];
    char *tile[TH_MAX_OPERANDS]; /* their rows */
    int64_t tileStride;
    char *kept; /* of each row what is left, where tiles are run by parts */
} Strip;

_Static_assert(TH_WIDE_LONG_ROWS / 2 * 3 <= TH_MAX_OPERANDS * TH_WIDE_ROWS, "rows of 3 operands");

static char *rowOf(const Strip *strip, int k, int64_t row)
{
    return strip->base[k] + strip->away[k * strip->run->plan->rows + row];
}

/* Offsets of operand k from `position` of some dims, which are stepped through. */
static int64_t placeOf(const THPlan *plan, int k, int first, int last, int64_t position,
                       int64_t *index)
{
    int64_t offset = 0;
    for (int d = last - 1; d >= first; d--) {
        index[d] = position % plan->size[d];
        position /= plan->size[d];
        offset += index[d] * plan->stride[k][d];
    }
    return offset;
}

static int64_t stepOn(const THPlan *plan, int k, int first, int last, int64_t steps, int64_t *index)
{
    int64_t offset = steps * plan->stride[k][last - 1];
    index[last - 1] += steps;
    for (int d = last - 1; d > first && index[d] == plan->size[d]; d--) {
        index[d] = 0;
        index[d - 1]++;
        offset += plan->stride[k][d - 1] - plan->size[d] * plan->stride[k][d];
    }
    return offset;
}

/* The next lines of a walk up to column `end`: how many. */
static int64_t takeLines(const Strip *strip, int k, int64_t end, Lines *lines)
{
    const THPlan *plan = strip->run->plan;
    const int inner = plan->nDimension - 1;
    const int64_t left = end - lines->column;
    const int64_t room = THSize_min(plan->size[inner] - lines->index[inner], left);
    const int64_t taken = room < 2 * strip->lines ? room : strip->lines;
    lines->column += taken;
    lines->at +=
        stepOn(plan, k, plan->nDimension - plan->wide, plan->nDimension, taken, lines->index);
    return taken;
}

/* The tile's columns of a transposed operand; `ahead` goes on to the end of the strip, then to
 * where the next one begins. */
static void fillTile(Strip *strip, int k)
{
    const THPlan *plan = strip->run->plan;
    const int64_t size = THDtype_size((THDtype)plan->dtype[k]), end = strip->column + strip->n;
    const int64_t stride = plan->stride[k][plan->nDimension - 1];
    Lines *now = &strip->now[k], *ahead = &strip->ahead[k];
    while (now->column < end) {
        char *const to = strip->tile[k] + (now->column - strip->column) * size;
        const char *const from = now->at;
        const int64_t asked = THSize_min(now->column + strip->lines, strip->end);
        const int64_t n = takeLines(strip, k, end, now);
        while (ahead->column < asked)
            takeLines(strip, k, strip->end, ahead);
        const char *const soon = ahead->column < strip->end ? ahead->at : strip->next[k];
        THMove_transpose(size, to, strip->tileStride, from, stride, strip->rows, n,
                         (int64_t)((uintptr_t)soon - (uintptr_t)from), 0);
    }
}

/* How many rows of the part in hand, from this one of the strip on, lie in equal steps. */
static int64_t rowsFrom(const Strip *strip, int64_t row)
{
    const THPlan *plan = strip->run->plan;
    const int64_t inner = plan->size[plan->nDimension - plan->wide - 1];
    return THSize_min(inner - (strip->row + row) % inner, strip->top + strip->height - row);
}

/* The loop over the part, rows of equal distance at a time; its result is where an input was. */
static void computePart(const Strip *strip)
{
    const THRun *run = strip->run;
    const THPlan *plan = run->plan;
    const int inner = plan->nDimension - plan->wide - 1;
    char *base[TH_MAX_OPERANDS];
    int64_t stride[TH_MAX_OPERANDS];
    for (int64_t done = 0, rows; done < strip->height; done += rows) {
        const int64_t row = strip->top + done;
        rows = rowsFrom(strip, row);
        for (int k = 0; k < plan->noperands; k++) {
            const bool inTile = strip->tile[k] != NULL;
            stride[k] = inTile ? strip->tileStride : plan->stride[k][inner];
            base[k] = inTile ? strip->tile[k] + done * strip->tileStride
                             : rowOf(strip, k, row) +
                                   strip->column * plan->stride[k][plan->nDimension - 1];
        }
        if (THRun_mayCallRows(run, strip->n)) {
            THRun_callRows(run, strip->n, rows, base, stride);
            continue;
        }
        for (int64_t r = 0; r < rows; r++) {
            THKernel_call(plan->kernel, run->loop, plan->single, strip->n, (void *const *)base,
                          run->params);
            for (int k = 0; k < plan->noperands; k++)
                base[k] += stride[k];
        }
    }
}

/* Of the operands that are read as they lie the row of the next tile, of which the first cache has
 * no room for all, or of the next part. */
static void askForRow(const Strip *strip, int64_t row)
{
    const THPlan *plan = strip->run->plan;
    const bool parts = strip->kept != NULL;
    const int64_t column = parts ? strip->column : strip->column + strip->n;
    if (parts)
        row += strip->height;
    for (int k = 1; k < plan->noperands && column < strip->end && row < strip->rows; k++) {
        const int64_t size = plan->stride[k][plan->nDimension - 1];
        if (strip->tile[k] != NULL || plan->single >> k & 1)
            continue;
        const uintptr_t place = (uintptr_t)rowOf(strip, k, row) + (uintptr_t)(column * size);
        for (int64_t at = 0; at < strip->n * size + TH_LINE_BYTES - 1; at += TH_LINE_BYTES)
            __builtin_prefetch((const void *)(place + (uintptr_t)at), 0, 2);
    }
}

/* The part's rows to memory, streamed but for lines of which more follows. Between them is asked
 * for what comes next, since memory would have to wait for the stores: `asked` lines at `ahead` of
 * what is transposed, rows of what is not. */
static void storePart(const Strip *strip, const char *ahead, int64_t asked)
{
    const THPlan *plan = strip->run->plan;
    const THMoves *moves = THMove_moves();
    const int inner = plan->nDimension - plan->wide - 1, k = __builtin_ctz(plan->tiled);
    const int64_t size = THDtype_size((THDtype)plan->dtype[0]);
    const int64_t column = strip->column * size;
    char *from = strip->tile[0];
    THStreamedParts parts = {
        .toStride = plan->stride[0][inner],
        .fromStride = strip->tileStride,
        .keptStride = strip->kept != NULL ? TH_LINE_BYTES : strip->tileStride,
        .bytes = strip->n * size,
        .first = strip->column == strip->begin,
        .last = strip->column + strip->n == strip->end,
        .asked = (uintptr_t)ahead,
        .askedStride = plan->stride[k][plan->nDimension - 1],
        .askedEach = (asked + strip->height - 1) / strip->height,
        .nasked = asked,
    };
    if (strip->dense && strip->run->streamed) {
        moves->stream(rowOf(strip, 0, 0) + column, 0, from, 0, 1, strip->rows * parts.bytes);
        return;
    }
    for (int64_t row = strip->top; row < strip->top + strip->height; row += parts.rows) {
        parts.rows = THPlan_moves(plan) ? rowsFrom(strip, row) : 1;
        parts.to = rowOf(strip, 0, row) + column;
        parts.from = from;
        parts.kept = strip->kept != NULL ? strip->kept + row * TH_LINE_BYTES : from - TH_LINE_BYTES;
        if (strip->run->streamed)
            moves->streamParts(&parts);
        else
            THMove_rows(parts.to, parts.toStride, from, parts.fromStride, parts.rows, parts.bytes);
        from += parts.rows * strip->tileStride;
        parts.asked += (uintptr_t)(parts.rows * parts.askedEach * parts.askedStride);
        parts.nasked -= parts.rows * parts.askedEach;
        if (!THPlan_moves(plan))
            askForRow(strip, row);
    }
}

/* The lines of which rows write a part, by stores that the following ones wait for. */
static void askForEdges(const Strip *strip, int64_t column)
{
    const int64_t size = THDtype_size((THDtype)strip->run->plan->dtype[0]);
    for (int64_t r = strip->top; r < strip->top + strip->height; r++)
        __builtin_prefetch(rowOf(strip, 0, r) + column * size, 1);
}

static void askForBoth(const Strip *strip)
{
    if (strip->column == strip->begin && strip->run->streamed)
        askForEdges(strip, strip->begin);
    if (strip->column + strip->n == strip->end && strip->run->streamed)
        askForEdges(strip, strip->end);
}

static void runTile(Strip *strip)
{
    const THPlan *plan = strip->run->plan;
    strip->top = 0;
    strip->height = strip->rows;
    askForBoth(strip);
    for (int k = 1; k < plan->noperands; k++)
        if (plan->tiled >> k & 1)
            fillTile(strip, k);
    if (!THPlan_moves(plan))
        computePart(strip);
    storePart(strip, NULL, 0);
}

/* A part of the tile's rows; `ahead` bytes further later ones are asked for, if that is not 0. */
static void fillPart(const Strip *strip, int64_t ahead)
{
    const THPlan *plan = strip->run->plan;
    const int k = __builtin_ctz(plan->tiled);
    const int64_t size = THDtype_size((THDtype)plan->dtype[k]), end = strip->column + strip->n;
    const int64_t stride = plan->stride[k][plan->nDimension - 1];
    const Lines *first = &strip->now[k];
    Lines now; /* only what is used is set: storing all of it by a string delays what is streamed */
    now.at = first->at + strip->top * size;
    now.column = strip->column;
    for (int d = plan->nDimension - plan->wide; d < plan->nDimension; d++)
        now.index[d] = first->index[d];
    while (now.column < end) {
        char *const to = strip->tile[k] + (now.column - strip->column) * size;
        const char *const from = now.at;
        const int64_t n = takeLines(strip, k, end, &now);
        THMove_transpose(size, to, strip->tileStride, from, stride, strip->height, n, ahead, 0);
    }
}

/* A tile part by part, of one transposed operand. Later rows of lines that lie in equal steps are
 * asked for while rows are stored: asked for before, memory has nothing to do meanwhile. */
static void runParts(Strip *strip)
{
    const THPlan *plan = strip->run->plan;
    const int inner = plan->nDimension - 1, k = __builtin_ctz(plan->tiled);
    const int64_t size = THDtype_size((THDtype)plan->dtype[k]), end = strip->column + strip->n;
    Lines *now = &strip->now[k];
    const bool equal = plan->size[inner] - now->index[inner] >= strip->n;
    for (strip->top = 0; strip->top < strip->rows; strip->top += strip->height) {
        strip->height = THSize_min(plan->height, strip->rows - strip->top);
        askForBoth(strip);
        fillPart(strip, equal ? 0 : PART_AHEAD);
        if (!THPlan_moves(plan))
            computePart(strip);
        storePart(strip, now->at + strip->top * size + PART_AHEAD, equal ? strip->n : 0);
    }
    while (now->column < end)
        takeLines(strip, k, end, now);
}

/* Where all operands have the strip's rows, and the columns that it begins with. */
static void beginStrip(Strip *strip)
{
    const THPlan *plan = strip->run->plan;
    const int row = plan->outer, column = plan->nDimension - plan->wide;
    for (int k = 0; k < plan->noperands; k++) {
        int64_t index[TH_MAX_DIMS];
        if (plan->tiled >> k & 1) {
            const int64_t size = THDtype_size((THDtype)plan->dtype[k]);
            Lines *now = &strip->now[k];
            now->at = strip->base[k] + strip->row * size +
                      placeOf(plan, k, column, plan->nDimension, strip->begin, now->index);
            now->column = strip->begin;
            strip->ahead[k] = *now;
            strip->next[k] = now->at + strip->rows * size;
            continue;
        }
        int64_t away = placeOf(plan, k, row, column, strip->row, index);
        for (int64_t r = 0; r < strip->rows; r++) {
            strip->away[k * plan->rows + r] = away;
            away += stepOn(plan, k, row, column, 1, index);
        }
    }
}

static void runStrip(Strip *strip)
{
    const THPlan *plan = strip->run->plan;
    beginStrip(strip);
    for (strip->column = strip->begin; strip->column < strip->end; strip->column += strip->n) {
        strip->n = THSize_min(plan->block, strip->end - strip->column);
        if (strip->kept != NULL)
            runParts(strip);
        else
            runTile(strip);
    }
}

/* Whether rows of so many bytes follow each other in the result. */
static bool isRun(const THPlan *plan, int64_t bytes)
{
    for (int d = plan->nDimension - plan->wide - 1; d >= plan->outer; d--) {
        if (plan->stride[0][d] != bytes)
            return false;
        bytes *= plan->size[d];
    }
    return true;
}

/* How many lines are transposed at once: of parts all, else LINES, of short ones more. */
static int64_t linesOf(const Strip *strip, int64_t size)
{
    const int64_t lines = THSize_min(LINES, TH_LINE_BYTES / size),
                  bytes = strip->rows * lines * size;
    if (strip->kept != NULL)
        return strip->run->plan->block;
    return bytes < LINES_BYTES ? lines * (LINES_BYTES / bytes) : lines;
}

void THRun_wideTiles(int64_t begin, int64_t end, void *context)
{
    _Alignas(TH_LINE_BYTES) char room[TH_WIDE_ROOM];
    const THRun *run = context;
    const THPlan *plan = run->plan;
    const int64_t size = THDtype_size((THDtype)plan->dtype[0]);
    int64_t rows = 1, columns = 1;
    char *free = room + TH_WIDE_LEFT;
    THCursor cursor;
    Strip strip;

    for (int d = plan->outer; d < plan->nDimension; d++)
        *(d < plan->nDimension - plan->wide ? &rows : &columns) *= plan->size[d];
    strip.run = run;
    strip.base = cursor.base;
    strip.dense = plan->block == columns && isRun(plan, columns * size);
    strip.tileStride = plan->block * size + (strip.dense ? 0 : TH_WIDE_LEFT);
    memset(strip.tile, 0, sizeof strip.tile);
    for (int k = plan->noperands - 1; k > 0; k--)
        if (plan->tiled >> k & 1) {
            strip.tile[k] = strip.tile[0] = free;
            free += plan->height * strip.tileStride;
        }
    strip.kept = plan->height < plan->rows ? free : NULL;
    const int64_t across = (columns - 1) / plan->block + 1;
    THCursor_set(&cursor, plan, begin / plan->blocks);
    for (int64_t tile = begin % plan->blocks, some; begin < end; begin += some) {
        const int64_t column = tile % across;
        some = THSize_min(across - column, end - begin);
        strip.row = tile / across * plan->rows;
        strip.rows = THSize_min(plan->rows, rows - strip.row);
        strip.begin = column * plan->block;
        strip.end = THSize_min((column + some) * plan->block, columns);
        strip.lines = linesOf(&strip, size);
        runStrip(&strip);
        if ((tile += some) == plan->blocks) {
            tile = 0;
            THCursor_next(&cursor, plan);
        }
    }
    THRun_fence(run);
}
