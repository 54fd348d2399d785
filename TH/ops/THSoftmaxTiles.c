/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Softmax of tiles of lines, of whole lines that are side by side, and of long columns in pieces.
 */
#include <TH/THEngine.h>
#include <TH/THMachine.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THSoftmaxing.h>
#include <string.h>

#define ASKED_STEPS 8 /* ahead, where lines are asked for into the second cache */
/* Bytes of a piece of columns, which the second cache keeps, and what its rows are a multiple of.
 */
#define PIECE_BYTES (1 << 18)
#define PIECE_UNIT 64

/* A tile as its loops see it: steps of `n` elements, the last one of `last`. A group of rows has
 * each of the `columns` as often as it has rows: these are different lanes of its sums. */
typedef struct Tile {
    const char *in, *next; /* what of the next one is asked for, NULL: nothing */
    char *out;
    int64_t steps, n, last;
    int64_t inStep, outStep, inStride, outStride;
    int64_t columns, group;
    bool directIn, directOut;
} Tile;

/* The tile from column `first` on of a row that begins at `in` and `out`. */
static Tile tileAt(const THSoftmax *softmax, int64_t first, const char *in, char *out)
{
    const THDim *along = &softmax->lines.along, *column = &softmax->lines.column;
    const THDim *others = &softmax->others;
    const int64_t columns = THSoftmax_columns(softmax) - first;
    Tile tile;
    if (others->size > 1) {
        in += first / column->size * others->in;
        out += first / column->size * others->out[0];
        first = 0;
    }
    tile.in = in + first * column->in;
    tile.next = NULL;
    tile.out = out + first * column->out[0];
    tile.directIn = softmax->directIn;
    tile.directOut = softmax->directOut;
    if (softmax->across) {
        tile.group = softmax->group;
        tile.columns = THSize_min(softmax->width, columns);
        tile.steps = (along->size + tile.group - 1) / tile.group;
        tile.n = tile.group * tile.columns;
        tile.last = (along->size - (tile.steps - 1) * tile.group) * tile.columns;
        tile.inStep = tile.group * along->in, tile.outStep = tile.group * along->out[0];
        tile.inStride = column->in, tile.outStride = column->out[0];
        return tile;
    }
    tile.group = tile.columns = 1;
    tile.n = THSize_min(TH_SOFTMAX_BLOCK, along->size);
    tile.steps = (along->size + TH_SOFTMAX_BLOCK - 1) / TH_SOFTMAX_BLOCK;
    tile.last = along->size - (tile.steps - 1) * tile.n;
    tile.inStep = tile.n * along->in, tile.outStep = tile.n * along->out[0];
    tile.inStride = along->in, tile.outStride = along->out[0];
    return tile;
}

/* `n` elements of rows of a group, one after the other in `stage`. */
static void gatherRows(const THSoftmax *softmax, const Tile *tile, const char *from, int64_t n,
                       void *stage)
{
    const THLines *lines = &softmax->lines;
    const int64_t item = THDtype_size(lines->dtype), rows = n / tile->columns;
    const bool casts = lines->dtype != softmax->compute;
    char raw[TH_SOFTMAX_BLOCK * sizeof(double)], *const to = casts ? raw : stage;
    if (tile->inStride == item)
        THMove_moves()->rows(to, tile->columns * item, from, lines->along.in, rows,
                             tile->columns * item);
    else
        THMove_gather(item, to, from, rows, lines->along.in, tile->columns, tile->inStride);
    if (casts)
        THCast(n, stage, softmax->compute, THDtype_size(softmax->compute), raw, lines->dtype, item);
}

/* The elements of step i, in `stage` unless they can be used where they are. */
static const void *load(const THSoftmax *softmax, const Tile *tile, int64_t i, void *stage)
{
    const char *from = tile->in + i * tile->inStep;
    if (softmax->asks && i < tile->steps - ASKED_STEPS)
        THMove_ask(from + ASKED_STEPS * tile->inStep, tile->n * tile->inStride);
    if (tile->directIn)
        return from;
    if (softmax->gathers) {
        gatherRows(softmax, tile, from, i < tile->steps - 1 ? tile->n : tile->last, stage);
        return stage;
    }
    THCast(i < tile->steps - 1 ? tile->n : tile->last, stage, softmax->compute,
           THDtype_size(softmax->compute), from, softmax->lines.dtype, tile->inStride);
    return stage;
}

/* The last pass. Terms that were not kept are computed again. */
static void results(const THSoftmax *softmax, const Tile *tile, THSoftmaxMemory *memory)
{
    const THSoftmaxLoops *loops = softmax->loops;
    const THMoves *moves = THMove_moves();
    const int64_t size = THDtype_size(softmax->compute), row = tile->n * size;
    for (int64_t i = 0; i < tile->steps; i++) {
        const int64_t n = i < tile->steps - 1 ? tile->n : tile->last;
        char *to = tile->out + i * tile->outStep, *const held = memory->tile + i * row;
        if (tile->directOut && !softmax->streamed) {
            loops->result(n, loops->ofTerms ? to : load(softmax, tile, i, memory->in),
                          &memory->state, to);
            continue;
        }
        const void *x = softmax->keeps ? held : load(softmax, tile, i, memory->in);
        if (loops->ofTerms && !softmax->keeps) {
            loops->again(n, x, &memory->state, memory->out);
            x = memory->out;
        }
        char *const made = softmax->waits ? held : (char *)memory->out;
        loops->result(n, x, &memory->state, made);
        if (!softmax->streamed)
            THCast(n, to, softmax->lines.resultDtype[0], tile->outStride, made, softmax->compute,
                   size);
        else if (!softmax->waits)
            moves->stream(to, 0, made, 0, 1, n * size);
    }
    if (softmax->waits)
        moves->stream(tile->out, tile->outStep, memory->tile, row, tile->steps, row);
}

/* What is known of each column is known of it in all rows of a group. */
static void repeat(const THSoftmax *softmax, const Tile *tile, void *known)
{
    const size_t bytes = (size_t)(tile->columns * THDtype_size(softmax->compute));
    for (int64_t row = 1; row < tile->group; row++)
        memcpy((char *)known + (size_t)row * bytes, known, bytes);
}

static void joinMaxima(const THSoftmax *softmax, const Tile *tile, THSoftmaxState *state)
{
    const int64_t bytes = tile->columns * THDtype_size(softmax->compute);
    for (int64_t row = 1; row < tile->group; row++)
        softmax->loops->maximum(tile->columns, row, (char *)state->maxima + row * bytes, state);
    repeat(softmax, tile, state->maxima);
}

/* The sums of all lanes, as if rows were steps. */
static void joinSums(const THSoftmax *softmax, const Tile *tile, THSoftmaxState *state)
{
    double sums[TH_SOFTMAX_LANES * (TH_SOFTMAX_COLUMNS / TH_SOFTMAX_LEAST_GROUP)];
    const int64_t n = tile->columns, pitch = TH_SOFTMAX_PADDED(n), group = tile->group;
    for (int64_t lane = 0; lane < TH_SOFTMAX_LANES; lane++)
        memcpy(sums + lane * n,
               state->lanes + lane / group * group * state->pitch + lane % group * n,
               (size_t)n * sizeof *sums);
    for (int64_t lane = 0; lane < TH_SOFTMAX_LANES; lane++)
        memcpy(state->lanes + lane * pitch, sums + lane * n, (size_t)n * sizeof *sums);
    state->pitch = pitch;
    softmax->loops->fold(n, softmax->lines.along.size, state);
    repeat(softmax, tile, state->divisors);
    repeat(softmax, tile, state->inverses);
}

/* All of a tile in one loop; blocks that lie one after the other, each in one. */
static void runWhole(const THSoftmax *softmax, const Tile *tile, THSoftmaxMemory *memory)
{
    const int64_t row = softmax->lines.column.size * THDtype_size(softmax->compute);
    const int64_t columns = softmax->lies ? softmax->lines.column.size : tile->n;
    const int64_t inStep = softmax->lies ? row : tile->inStep;
    const int64_t outStep = softmax->lies ? row : tile->outStep;
    for (int64_t block = 0; block < tile->n / columns; block++)
        softmax->loops->tile(columns, tile->steps, tile->in + block * tile->steps * inStep, inStep,
                             tile->out + block * tile->steps * outStep, outStep, &memory->state);
}

/* Elements that are converted or gathered are in the result from then on, if it can hold them. */
static void beginAtResult(Tile *tile)
{
    if (tile->directOut && !tile->directIn) {
        tile->in = tile->out;
        tile->inStep = tile->outStep;
        tile->directIn = true;
    }
}

static void runTile(const THSoftmax *softmax, Tile tile, THSoftmaxMemory *memory)
{
    const THSoftmaxLoops *loops = softmax->loops;
    const bool toResult = tile.directOut && !tile.directIn;
    const int64_t size = THDtype_size(softmax->compute);
    if (softmax->tiles && tile.directIn && tile.directOut) {
        runWhole(softmax, &tile, memory);
        return;
    }
    memory->state.pitch = TH_SOFTMAX_PADDED(tile.n);
    for (int64_t i = 0; i < tile.steps; i++) {
        void *stage = toResult ? tile.out + i * tile.outStep : (char *)memory->in;
        loops->maximum(i < tile.steps - 1 ? tile.n : tile.last, i, load(softmax, &tile, i, stage),
                       &memory->state);
    }
    if (tile.group > 1)
        joinMaxima(softmax, &tile, &memory->state);
    beginAtResult(&tile);
    for (int64_t i = 0; i < tile.steps; i++) {
        const bool kept = loops->ofTerms && tile.directOut && !softmax->streamed;
        if (tile.next)
            THMove_ask(tile.next + i * tile.inStep, tile.n * tile.inStride);
        loops->terms(i < tile.steps - 1 ? tile.n : tile.last, i * tile.group,
                     load(softmax, &tile, i, memory->in), &memory->state,
                     kept             ? tile.out + i * tile.outStep
                     : softmax->keeps ? memory->tile + i * tile.n * size
                                      : (char *)memory->out);
    }
    if (tile.group > 1)
        joinSums(softmax, &tile, &memory->state);
    else
        loops->fold(tile.n, softmax->lines.along.size, &memory->state);
    results(softmax, &tile, memory);
}

/* Blocks of a tile whose rows are adjacent elements, side by side. */
static void moveBlocks(const THSoftmax *softmax, const Tile *tile, char *raw, bool back)
{
    const THMoves *moves = THMove_moves();
    const THDim *others = &softmax->others;
    const int64_t item = THDtype_size(softmax->lines.dtype), row = tile->n * item;
    const int64_t bytes = softmax->lines.column.size * item;
    for (int64_t at = 0, block = 0; at < row; at += bytes, block++)
        if (back)
            moves->rows(tile->out + block * others->out[0], tile->outStep, raw + at, row,
                        tile->steps, bytes);
        else
            moves->rows(raw + at, row, tile->in + block * others->in, tile->inStep, tile->steps,
                        bytes);
}

/* The rows of a tile, one after the other, to memory of our own or (`back`) from there. */
static void moveRows(const THSoftmax *softmax, const Tile *tile, char *raw, bool back)
{
    const int64_t item = THDtype_size(softmax->lines.dtype), size = softmax->lines.column.size;
    const THDim *others = &softmax->others;
    const bool blocks = others->size > 1;
    if (blocks && (back ? tile->outStride : tile->inStride) == item) {
        moveBlocks(softmax, tile, raw, back);
        return;
    }
    const int64_t rows = blocks ? tile->n / size : tile->steps, n = blocks ? size : tile->n;
    const int64_t inStep = blocks ? others->in : tile->inStep;
    const int64_t outStep = blocks ? others->out[0] : tile->outStep;
    for (int64_t i = 0; i < (blocks ? tile->steps : 1); i++, raw += tile->n * item) {
        if (back)
            THMove_scatter(item, tile->out + i * tile->outStep, raw, rows, outStep, n,
                           tile->outStride);
        else
            THMove_gather(item, raw, tile->in + i * tile->inStep, rows, inStep, n, tile->inStride);
    }
}

/* Are all elements of a tile one after the other, in both tensors? */
static bool isOneRun(const THSoftmax *softmax, const Tile *tile, int64_t item)
{
    return softmax->others.size == 1 && tile->inStride == item && tile->outStride == item &&
           tile->inStep == tile->n * item && tile->outStep == tile->n * item;
}

/* A tile in memory of our own, where lines lie next to each other. */
static void runStaged(const THSoftmax *softmax, Tile tile, THSoftmaxMemory *memory)
{
    const THDtype dtype = softmax->lines.dtype, compute = softmax->compute;
    const int64_t n = tile.steps * tile.n, item = THDtype_size(dtype);
    char *const staged = memory->tile;
    const int64_t most = softmax->isLarge ? TH_SOFTMAX_STAGED_LARGE : TH_SOFTMAX_STAGED;
    char *const raw = dtype == compute ? staged : staged + most * THDtype_size(compute);
    Tile inner = tile;
    inner.in = inner.out = staged;
    inner.inStep = inner.outStep = tile.n * THDtype_size(compute);
    inner.directIn = inner.directOut = true;
    const char *from = raw;
    char *to = raw;
    if (raw != staged && (softmax->lies || isOneRun(softmax, &tile, item)))
        from = tile.in, to = tile.out;
    if (from == raw)
        moveRows(softmax, &tile, raw, false);
    if (raw != staged)
        THCast(n, staged, compute, THDtype_size(compute), from, dtype, item);
    runTile(softmax, inner, memory);
    if (raw != staged)
        THCast(n, to, dtype, item, staged, compute, THDtype_size(compute));
    if (to == raw)
        moveRows(softmax, &tile, raw, true);
}

/* Lines that loops read and write where they are, ... */
static void runLines(const THSoftmax *softmax, int64_t count, const char *in, int64_t inStep,
                     char *out, int64_t outStep, THSoftmaxMemory *memory)
{
    const THSoftmaxLoops *loops = softmax->loops;
    const int64_t n = softmax->lines.along.size;
    if (count > 1) {
        loops->lines(count, n, in, inStep, out, outStep, 0, &memory->state);
        return;
    }
    loops->maximum(n, 0, in, &memory->state);
    loops->terms(n, 0, in, &memory->state, loops->ofTerms ? out : (char *)memory->in);
    loops->fold(1, n, &memory->state);
    loops->result(n, loops->ofTerms ? out : in, &memory->state, out);
}

/* Far lines: results go past the caches, and while terms are made lines are asked for that come
 * `next`, if there are any. Of one line terms that are results then wait in a tile. */
static void runFarLines(const THSoftmax *softmax, int64_t count, const char *in, const char *next,
                        int64_t inStep, char *out, int64_t outStep, THSoftmaxMemory *memory)
{
    const THSoftmaxLoops *loops = softmax->loops;
    const THMoves *moves = THMove_moves();
    const int64_t n = softmax->lines.along.size, size = THDtype_size(softmax->compute);
    char *const made = (char *)memory->out;
    if (count > 1) {
        loops->lines(count, n, in, inStep, made, n * size, next ? next - in : 0, &memory->state);
        moves->stream(out, outStep, made, n * size, count, n * size);
        return;
    }
    loops->maximum(n, 0, in, &memory->state);
    for (int64_t i = 0; i < n; i += TH_SOFTMAX_ASKED / size) {
        const int64_t m = THSize_min(TH_SOFTMAX_ASKED / size, n - i);
        if (next)
            THMove_ask(next + i * size, m * size);
        loops->terms(m, i, in + i * size, &memory->state,
                     loops->ofTerms ? memory->tile + i * size : made);
    }
    loops->fold(1, n, &memory->state);
    for (int64_t i = 0; i < n; i += TH_SOFTMAX_BLOCK) {
        const int64_t m = THSize_min(TH_SOFTMAX_BLOCK, n - i);
        loops->result(m, (loops->ofTerms ? memory->tile : in) + i * size, &memory->state, made);
        moves->stream(out + i * size, 0, made, 0, 1, m * size);
    }
}

/* ... or that are short enough to be staged as a whole. */
static void runStagedLines(const THSoftmax *softmax, int64_t count, const char *in, int64_t inStep,
                           char *out, int64_t outStep, THSoftmaxMemory *memory)
{
    const THLines *lines = &softmax->lines;
    const THDim *along = &lines->along;
    const int64_t size = THDtype_size(softmax->compute), step = along->size * size;
    const bool oneIn = inStep == along->size * along->in;
    const bool oneOut = outStep == along->size * along->out[0];
    char *const staged = memory->staged, *const made = (char *)memory->out;
    for (int64_t i = 0; i < (oneIn ? 1 : count); i++)
        THCast(oneIn ? count * along->size : along->size, staged + i * step, softmax->compute, size,
               in + i * inStep, lines->dtype, along->in);
    runLines(softmax, count, staged, step, made, step, memory);
    for (int64_t i = 0; i < (oneOut ? 1 : count); i++)
        THCast(oneOut ? count * along->size : along->size, out + i * outStep, lines->resultDtype[0],
               along->out[0], made + i * step, softmax->compute, size);
}

/* Tiles of a row; in the next one, unless NULL, more begin at `next`. */
static void runRow(const THSoftmax *softmax, int64_t begin, int64_t end, const char *in, char *out,
                   const char *next, THSoftmaxMemory *memory)
{
    const THDim *column = &softmax->lines.column;
    for (int64_t tile = begin, count; tile < end; tile += count) {
        if (softmax->many) {
            const char *from = in + tile * column->in;
            char *to = out + tile * column->out[0];
            count = THSize_min(softmax->many, end - tile);
            if (softmax->streamed) {
                const bool more = tile + 2 * count <= column->size;
                runFarLines(softmax, count, from, more ? from + count * column->in : NULL,
                            column->in, to, column->out[0], memory);
                continue;
            }
            (softmax->staged ? runStagedLines : runLines)(softmax, count, from, column->in, to,
                                                          column->out[0], memory);
        } else {
            Tile at = tileAt(softmax, tile * softmax->width, in, out);
            if (softmax->streamed && !softmax->asks)
                at.next = tile < end - 1 ? at.in + softmax->width * column->in : next;
            (softmax->staged ? runStaged : runTile)(softmax, at, memory);
            count = 1;
        }
    }
}

void THSoftmax_tiles(int64_t begin, int64_t end, void *context)
{
    THSoftmax softmax = *(const THSoftmax *)context;
    THSoftmaxMemory memory;
    /* Without it tiles are not staged, and lines not streamed. */
    const int64_t bytes = THDtype_size(softmax.compute) + THDtype_size(softmax.lines.dtype);
    char *const room = softmax.isLarge ? THAlloc((size_t)(TH_SOFTMAX_STAGED_LARGE * bytes)) : NULL;
    memory.tile = room != NULL ? room : memory.staged;
    const bool hasRoom = room != NULL || !softmax.isLarge;
    softmax.staged &= hasRoom;
    softmax.streamed &= hasRoom;
    softmax.waits &= hasRoom;
    softmax.keeps &= hasRoom;
    memset(memory.state.maxima, 0, sizeof memory.state.maxima); /* loops read beyond the width */
    for (int64_t i = begin; i < end;) {
        char *out[TH_DIM_OUTPUTS], *more[TH_DIM_OUTPUTS];
        const char *in = THLines_at(&softmax.lines, i / softmax.perRow, out);
        const int64_t first = i % softmax.perRow;
        const int64_t stop = THSize_min(softmax.perRow, first + end - i);
        i += stop - first;
        const char *const next = softmax.streamed && i < end
                                     ? THLines_at(&softmax.lines, i / softmax.perRow, more)
                                     : NULL;
        runRow(&softmax, first, stop, in, out[0], next, &memory);
    }
    if (softmax.streamed)
        THMove_fence();
    THFree(room);
}

/* ---- long columns ------------------------------------------------------------------------- */

/* Rows of a piece, but for the last one, which has what is left, too. */
static int64_t pieceRows(const THSoftmax *softmax)
{
    const int64_t row = softmax->lines.column.size * THDtype_size(softmax->compute);
    const int64_t rows = PIECE_BYTES / row / PIECE_UNIT * PIECE_UNIT;
    return rows > PIECE_UNIT ? rows : PIECE_UNIT;
}

static Tile pieceAt(const THSoftmax *softmax, int64_t i)
{
    const THDim *along = &softmax->lines.along;
    const int64_t each = pieceRows(softmax), first = i * each, left = along->size - first;
    const int64_t rows = left < 2 * each ? left : each, group = softmax->group;
    Tile tile =
        tileAt(softmax, 0, softmax->in + first * along->in, softmax->out + first * along->out[0]);
    tile.steps = (rows + group - 1) / group;
    tile.last = (rows - (tile.steps - 1) * group) * tile.columns;
    return tile;
}

/* The loops beside those across. */
static const THSoftmaxLoops *alongLines(const THSoftmax *softmax)
{
    return softmax->loops - 1;
}

/* The least there is, so that terms of -inf alone are 0. */
static void beginMaxima(const THSoftmax *softmax, int64_t n, THSoftmaxState *state)
{
    const int64_t size = THDtype_size(softmax->compute);
    alongLines(softmax)->lowest(state);
    for (int64_t i = 1; i < n; i++)
        memcpy((char *)state->maxima + i * size, state->maxima, (size_t)size);
}

/* Terms over the maxima of the piece, and what they come to. */
static void piecesOfColumns(int64_t begin, int64_t end, void *context)
{
    const THSoftmax *softmax = context;
    const THSoftmaxLoops *loops = softmax->loops;
    THSoftmaxMemory memory;
    THSoftmaxState *const state = &memory.state;
    for (int64_t p = begin; p < end; p++) {
        Tile tile = pieceAt(softmax, p);
        beginMaxima(softmax, tile.n, state);
        for (int64_t i = 0; i < tile.steps; i++) {
            void *stage = tile.directOut ? tile.out + i * tile.outStep : (char *)memory.in;
            loops->maximum(i < tile.steps - 1 ? tile.n : tile.last, i + 1,
                           load(softmax, &tile, i, stage), state);
        }
        if (tile.group > 1)
            joinMaxima(softmax, &tile, state);
        beginAtResult(&tile);
        state->pitch = TH_SOFTMAX_PADDED(tile.n);
        for (int64_t i = 0; i < tile.steps; i++) {
            const bool kept = loops->ofTerms && tile.directOut;
            loops->terms(i < tile.steps - 1 ? tile.n : tile.last, i * tile.group,
                         load(softmax, &tile, i, memory.in), state,
                         kept ? tile.out + i * tile.outStep : (char *)memory.out);
        }
        if (tile.group > 1)
            joinSums(softmax, &tile, state);
        else
            loops->fold(tile.n, tile.steps, state);
        for (int64_t c = 0; c < tile.columns; c++)
            softmax->pieces[p * tile.columns + c] =
                (THSoftmaxExps){softmax->compute == TH_FLOAT ? (double)((float *)state->maxima)[c]
                                                             : state->maxima[c],
                                state->lanes[c]};
    }
}

/* What loops along a line know of it goes from its first place to that of column c. */
static void place(const THSoftmax *softmax, int64_t c, THSoftmaxState *state)
{
    const size_t size = (size_t)THDtype_size(softmax->compute), at = (size_t)c * size;
    if (c == 0)
        return;
    memcpy((char *)state->maxima + at, state->maxima, size);
    memcpy((char *)state->divisors + at, state->divisors, size);
    memcpy((char *)state->inverses + at, state->inverses, size);
}

static void resultsOfColumns(int64_t begin, int64_t end, void *context)
{
    const THSoftmax *softmax = context;
    const THSoftmaxLoops *loops = softmax->loops;
    THSoftmaxMemory memory;
    for (int64_t p = begin; p < end; p++) {
        Tile tile = pieceAt(softmax, p);
        for (int64_t c = tile.columns - 1; c >= 0; c--) {
            alongLines(softmax)->take(&softmax->pieces[p * tile.columns + c], &softmax->wholes[c],
                                      &memory.state);
            place(softmax, c, &memory.state);
        }
        repeat(softmax, &tile, memory.state.maxima);
        repeat(softmax, &tile, memory.state.divisors);
        repeat(softmax, &tile, memory.state.inverses);
        beginAtResult(&tile);
        for (int64_t i = 0; i < tile.steps; i++) {
            const int64_t n = i < tile.steps - 1 ? tile.n : tile.last;
            char *const to = tile.out + i * tile.outStep;
            const bool kept = loops->ofTerms && tile.directOut;
            const void *x = kept ? to : load(softmax, &tile, i, memory.in);
            char *const made = tile.directOut ? to : (char *)memory.out;
            if (loops->ofTerms && !kept) {
                loops->again(n, x, &memory.state, made);
                x = made;
            }
            loops->ofPiece(n, x, &memory.state, made);
            if (!tile.directOut)
                THCast(n, to, softmax->lines.resultDtype[0], tile.outStride, made, softmax->compute,
                       THDtype_size(softmax->compute));
        }
    }
}

int THSoftmax_shareColumns(THSoftmax *softmax)
{
    const THLines *lines = &softmax->lines;
    const int64_t rows = pieceRows(softmax), columns = lines->column.size;
    const int64_t count = lines->along.size < 2 * rows ? 1 : lines->along.size / rows;
    const int64_t grain = TH_SOFTMAX_WORK / (rows * columns) + 1;
    softmax->pieces = THAlloc((size_t)((count + 1) * columns) * sizeof *softmax->pieces);
    if (!softmax->pieces)
        return TH_ERROR_MEMORY;
    softmax->wholes = softmax->pieces + count * columns;
    for (int64_t row = 0; row < lines->rows; row++) {
        char *out[TH_DIM_OUTPUTS];
        softmax->in = THLines_at(lines, row, out);
        softmax->out = out[0];
        TH_parallel_for(count, grain, piecesOfColumns, softmax);
        for (int64_t c = 0; c < columns; c++)
            softmax->wholes[c] = THSoftmax_join(softmax->pieces + c, count, columns);
        TH_parallel_for(count, grain, resultsOfColumns, softmax);
    }
    THFree(softmax->pieces);
    return TH_OK;
}
