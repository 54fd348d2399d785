/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Running wide tiles: where an input that is far away lies transposed to the output, so many of its
 * lines are transposed into the second-level cache that they are read in long runs, and what was
 * computed is streamed to memory in rows. The tiles of a strip follow each other along its rows:
 * only whole cache lines are written, and what is left of one is written with the next tile. */
#include <TH/engine/THRun.h>

#include <string.h>

/* Lines that are transposed at once, while the next ones are asked for; of short ones more. */
#define LINES 16
#define LINES_BYTES 4096

/* The rows of tiles in hand: what each operand's row is away from its base, as far as it is not
 * transposed; and where transposed operands have theirs. */
typedef struct Strip {
    const THRun *run;
    char *const *base;
    int64_t row, rows, lines;
    bool dense; /* rows of tiles follow each other in memory */
    int64_t away[TH_MAX_OPERANDS][TH_WIDE_ROWS];
    char *tile[TH_MAX_OPERANDS];
    int64_t tileStride;
} Strip;

/* Where a walk along the columns of a transposed operand stands. */
typedef struct Lines {
    const char *at;
    int64_t column;
    int64_t index[TH_MAX_DIMS];
} Lines;

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

/* The columns of a transposed operand from `begin` to `end`; `ahead` goes on to `last`, then to
 * `next`, where the next strip begins. */
static void fillTile(const Strip *strip, int k, int64_t begin, int64_t end, int64_t last,
                     Lines *now, Lines *ahead, const char *next)
{
    const THPlan *plan = strip->run->plan;
    const int64_t size = THDtype_size((THDtype)plan->dtype[k]);
    const int64_t stride = plan->stride[k][plan->nDimension - 1];
    while (now->column < end) {
        char *const to = strip->tile[k] + (now->column - begin) * size;
        const char *const from = now->at;
        const int64_t asked = THSize_min(now->column + strip->lines, last);
        const int64_t n = takeLines(strip, k, end, now);
        while (ahead->column < asked)
            takeLines(strip, k, last, ahead);
        const char *const soon = ahead->column < last ? ahead->at : next;
        THMove_transpose(size, to, strip->tileStride, from, stride, strip->rows, n,
                         (int64_t)((uintptr_t)soon - (uintptr_t)from), 0);
    }
}

/* The loop over a tile, rows of equal distance at a time; its result is where an input was. */
static void computeTile(const Strip *strip, int64_t column, int64_t n)
{
    const THRun *run = strip->run;
    const THPlan *plan = run->plan;
    const THKernel *kernel = plan->kernel;
    const int inner = plan->nDimension - plan->wide - 1;
    char *base[TH_MAX_OPERANDS];
    int64_t stride[TH_MAX_OPERANDS], done = 0;
    while (done < strip->rows) {
        const int64_t place = (strip->row + done) % plan->size[inner];
        const int64_t rows = THSize_min(plan->size[inner] - place, strip->rows - done);
        for (int k = 0; k < plan->noperands; k++) {
            const bool inTile = strip->tile[k] != NULL;
            stride[k] = inTile ? strip->tileStride : plan->stride[k][inner];
            base[k] = inTile ? strip->tile[k] + done * strip->tileStride
                             : strip->base[k] + strip->away[k][done] +
                                   column * plan->stride[k][plan->nDimension - 1];
        }
        done += rows;
        if (THRun_mayCallRows(run, n)) {
            THRun_callRows(run, n, rows, base, stride);
            continue;
        }
        for (int64_t r = 0; r < rows; r++) {
            THKernel_call(kernel, run->loop, plan->single, n, (void *const *)base, run->params);
            for (int k = 0; k < plan->noperands; k++)
                base[k] += stride[k];
        }
    }
}

/* The next tile's row, of which the first cache has no room for all. */
static void askForRow(const char *row, int64_t size, int64_t column, int64_t n)
{
    const uintptr_t place = (uintptr_t)row + (uintptr_t)(column * size);
    for (int64_t at = 0; at < n * size + TH_LINE_BYTES - 1; at += TH_LINE_BYTES)
        __builtin_prefetch((const void *)(place + (uintptr_t)at), 0, 2);
}

/* The tile's rows to memory, streamed but for lines of which more follows; of the operands that are
 * read as they lie, the next tile is asked for. */
static void storeTile(const Strip *strip, int64_t column, int64_t n, bool first, bool last)
{
    const THPlan *plan = strip->run->plan;
    const THMoves *moves = THMove_moves();
    const int64_t size = THDtype_size((THDtype)plan->dtype[0]), bytes = n * size;
    const int inner = plan->nDimension - 1;
    const bool streamed = strip->run->streamed;
    char *const base = strip->base[0] + column * size;
    char *from = strip->tile[0];
    if (strip->dense && streamed) {
        moves->stream(base + strip->away[0][0], 0, from, 0, 1, strip->rows * bytes);
        return;
    }
    for (int64_t r = 0; r < strip->rows; r++, from += strip->tileStride) {
        char *const to = base + strip->away[0][r];
        const int64_t before = first ? 0 : (int64_t)((uintptr_t)to & (TH_LINE_BYTES - 1));
        const int64_t left = last ? 0 : (int64_t)((uintptr_t)(to + bytes) & (TH_LINE_BYTES - 1));
        if (streamed) {
            moves->stream(to - before, 0, from - before, 0, 1, before + bytes - left);
            memcpy(from - left, from + bytes - left, (size_t)left);
        } else {
            THMove_run(to, from, bytes);
        }
        for (int k = 1; k < plan->noperands && !last; k++)
            if (strip->tile[k] == NULL && !(plan->single >> k & 1))
                askForRow(strip->base[k] + strip->away[k][r], plan->stride[k][inner], column + n,
                          n);
    }
}

/* The lines of which rows write a part, by stores that the following ones wait for. */
static void askForEdges(const Strip *strip, int64_t column)
{
    const int64_t size = THDtype_size((THDtype)strip->run->plan->dtype[0]);
    for (int64_t r = 0; r < strip->rows; r++)
        __builtin_prefetch(strip->base[0] + strip->away[0][r] + column * size, 1);
}

/* The columns from `begin` to `end` of some rows. */
static void runStrip(Strip *strip, int64_t begin, int64_t end)
{
    const THPlan *plan = strip->run->plan;
    const int row = plan->outer, column = plan->nDimension - plan->wide;
    Lines now[TH_MAX_OPERANDS], ahead[TH_MAX_OPERANDS];
    const char *next[TH_MAX_OPERANDS];

    for (int k = 0; k < plan->noperands; k++) {
        int64_t index[TH_MAX_DIMS];
        if (plan->tiled >> k & 1) {
            const int64_t size = THDtype_size((THDtype)plan->dtype[k]);
            now[k].at = strip->base[k] + strip->row * size +
                        placeOf(plan, k, column, plan->nDimension, begin, now[k].index);
            now[k].column = begin;
            ahead[k] = now[k];
            next[k] = now[k].at + strip->rows * size;
            continue;
        }
        int64_t away = placeOf(plan, k, row, column, strip->row, index);
        for (int64_t r = 0; r < strip->rows; r++) {
            strip->away[k][r] = away;
            away += stepOn(plan, k, row, column, 1, index);
        }
    }
    for (int64_t at = begin; at < end; at += plan->block) {
        const int64_t n = THSize_min(plan->block, end - at);
        if (at == begin && strip->run->streamed)
            askForEdges(strip, begin);
        if (at + n == end && strip->run->streamed)
            askForEdges(strip, end);
        for (int k = 1; k < plan->noperands; k++)
            if (plan->tiled >> k & 1)
                fillTile(strip, k, at, at + n, end, now + k, ahead + k, next[k]);
        if (!THPlan_moves(plan))
            computeTile(strip, at, n);
        storeTile(strip, at, n, at == begin, at + n == end);
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

void THRun_wideTiles(int64_t begin, int64_t end, void *context)
{
    _Alignas(TH_LINE_BYTES) char room[TH_WIDE_ROOM];
    const THRun *run = context;
    const THPlan *plan = run->plan;
    const int64_t size = THDtype_size((THDtype)plan->dtype[0]);
    int64_t rows = 1, columns = 1;
    char *free = room + TH_WIDE_LEFT;
    THCursor cursor;
    Strip strip = {.run = run, .base = cursor.base};

    for (int d = plan->outer; d < plan->nDimension; d++)
        *(d < plan->nDimension - plan->wide ? &rows : &columns) *= plan->size[d];
    strip.dense = plan->block == columns && isRun(plan, columns * size);
    strip.tileStride = plan->block * size + (strip.dense ? 0 : TH_WIDE_LEFT);
    for (int k = plan->noperands - 1; k > 0; k--)
        if (plan->tiled >> k & 1) {
            strip.tile[k] = strip.tile[0] = free;
            free += plan->rows * strip.tileStride;
        }
    const int64_t across = (columns - 1) / plan->block + 1;
    THCursor_set(&cursor, plan, begin / plan->blocks);
    for (int64_t tile = begin % plan->blocks, some; begin < end; begin += some) {
        const int64_t column = tile % across;
        some = THSize_min(across - column, end - begin);
        strip.row = tile / across * plan->rows;
        strip.rows = THSize_min(plan->rows, rows - strip.row);
        strip.lines = THSize_min(LINES, TH_LINE_BYTES / size);
        if (strip.rows * strip.lines * size < LINES_BYTES)
            strip.lines *= LINES_BYTES / (strip.rows * strip.lines * size);
        runStrip(&strip, column * plan->block, THSize_min((column + some) * plan->block, columns));
        if ((tile += some) == plan->blocks) {
            tile = 0;
            THCursor_next(&cursor, plan);
        }
    }
    THRun_fence(run);
}
