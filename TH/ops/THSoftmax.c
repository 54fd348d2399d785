/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The chapter softmax: the loops of a dtype run along lines, or across them where the dim is not
 * the innermost one. */
#include <TH/TH.h>
#include <TH/THEngine.h>
#include <TH/THMachine.h>
#include <TH/engine/THMove.h>
#include <TH/loops/softmax.h>
#include <TH/ops/THLines.h>
#include <math.h>
#include <string.h>

#define WORK 32768 /* elements worth a thread's while */
/* Columns of a tile that are worth a thread's while, and with fewer elements in all than MUCH:
 * cores wait for lines of the caches that another one has written, in every row, of terms that
 * become results in their place twice. */
#define SHARE 64
#define SHARE_OF_LITTLE 128
#define SHARE_OF_TERMS 512
#define MUCH (8 * WORK)
#define EVEN 8     /* tiles for each thread, from which on one more does not count */
#define BLOCK 1024 /* elements of a line that is staged */
/* Elements of a tile that is staged as a whole, and the bytes it has where it may be smaller. Lines
 * of few elements, which do not fill the lanes, are staged, too: transposed, as they take longer
 * along than across; so are few columns, the other way round. */
#define STAGED 16384
#define STAGED_COLUMNS 64 /* at least, where there are so many */
/* The same of terms that are widened: three times, and exponentials made twice, if they are not
 * kept (softmax of 1000 x 1000 float16: 1.30 ms, so .94; EPYC 9004); and of fewer columns, of which
 * rows take long to be converted or gathered one by one. */
#define STAGED_LARGE 65536
#define NEAR_BYTES 24576
/* Columns of lines too long to be staged that take longer across. */
#define NARROW_BYTES 64
#define BLOCK_COLUMNS 48 /* of a row that is staged with others at most */
#define BLOCK_BYTES 3072 /* ... if it could be read where it lies */
/* Rows of which some are one step: more than are staged, and so many at a time at least. */
#define GROUPED (STAGED / STAGED_COLUMNS)
#define LEAST_GROUP 4
/* Elements of a line that is shared among threads, by pieces. */
#define LONG (2 * WORK)
#define PIECE 4096
#define LINE_BYTES 1024 /* of lines that are streamed alone, at least */

/* Columns of a tile whose results are streamed: at least, and of one that has more bytes, so that
 * it need not be read from memory again. */
#define FAR_COLUMNS 128
#define FAR_TILE (4 << 20)
/* Terms that are written first, and then divided, stay near in tiles of so many bytes: they are not
 * streamed (10 x 900000 float64: 21.5 ms, so 17.0; EPYC 9004), unless a Xeon would read so much to
 * write it (1500 x 7000 float32: 16 ms, so 14.2). */
#define FAR_AGAIN (2 * TH_SECOND_BYTES)
#define FAR_WRITTEN (64 << 20)
/* Bytes of a tile of our own that stays in the second cache (100 x 100000 float32: 10 ms, so 7.4;
 * Xeon of the fifth generation), and of one worth its while. */
#define HELD_BYTES (1 << 19)
#define LEAST_HELD 4096
/* Where lines are asked for into the second cache: how many steps ahead, and the bytes of a row of
 * a tile that does not stay there (3162 x 3162 float32: 20.5 ms, so 13.8; EPYC 9004). */
#define ASKED_STEPS 8
#define ASKED_ROW 2048

typedef struct Softmax {
    const THSoftmaxLoops *loops;
    THDtype compute;
    THLines lines;
    bool across, staged;
    bool isLarge;             /* is what is staged too much for a thread's stack? */
    int64_t many;             /* whole lines side by side, 0: tiles */
    bool directIn, directOut; /* what a loop reads or writes is adjacent and of its dtype */
    bool streamed;            /* results go past the caches */
    bool waits;               /* ... all of a tile at a time */
    bool keeps;               /* Are terms kept in a tile of our own? */
    bool asks;                /* ... and, across lines, each pass asks for the rows it comes to */
    int64_t width, perRow;    /* columns of a tile, tiles of a row; a tile along is one line */
    int64_t group;            /* across, rows that are one step: a long one, as they are adjacent */
    THDim others;   /* of a size above 1: blocks of columns, staged side by side in a tile */
    const char *in; /* one long line ... */
    char *out;
    bool far;              /* from the caches: what is read next is asked for */
    THSoftmaxExps *pieces; /* ... and what its pieces come to */
    THSoftmaxExps whole;
} Softmax;

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

/* Memory of a thread. */
typedef struct Memory {
    THSoftmaxState state;
    double in[BLOCK], out[BLOCK];
    char staged[STAGED * sizeof(double)]; /* or floats, with halves behind them */
    char *tile;                           /* the same, or where there is more room */
} Memory;

/* All columns of a row. */
static int64_t columnsOf(const Softmax *softmax)
{
    return softmax->lines.column.size * softmax->others.size;
}

/* The tile from column `first` on of a row that begins at `in` and `out`. */
static Tile tileAt(const Softmax *softmax, int64_t first, const char *in, char *out)
{
    const THDim *along = &softmax->lines.along, *column = &softmax->lines.column;
    const THDim *others = &softmax->others;
    const int64_t columns = columnsOf(softmax) - first;
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
    tile.n = THSize_min(BLOCK, along->size);
    tile.steps = (along->size + BLOCK - 1) / BLOCK;
    tile.last = along->size - (tile.steps - 1) * tile.n;
    tile.inStep = tile.n * along->in, tile.outStep = tile.n * along->out[0];
    tile.inStride = along->in, tile.outStride = along->out[0];
    return tile;
}

/* The elements of step i, in `stage` unless they can be used where they are. */
static const void *load(const Softmax *softmax, const Tile *tile, int64_t i, void *stage)
{
    const char *from = tile->in + i * tile->inStep;
    if (softmax->asks && i < tile->steps - ASKED_STEPS)
        THMove_ask(from + ASKED_STEPS * tile->inStep, tile->n * tile->inStride);
    if (tile->directIn)
        return from;
    THCast(i < tile->steps - 1 ? tile->n : tile->last, stage, softmax->compute,
           THDtype_size(softmax->compute), from, softmax->lines.dtype, tile->inStride);
    return stage;
}

/* The last pass. Terms that were not kept are computed again. */
static void results(const Softmax *softmax, const Tile *tile, Memory *memory)
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
            loops->terms(n, i * tile->group, x, &memory->state, memory->out);
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
static void repeat(const Softmax *softmax, const Tile *tile, void *known)
{
    const size_t bytes = (size_t)(tile->columns * THDtype_size(softmax->compute));
    for (int64_t row = 1; row < tile->group; row++)
        memcpy((char *)known + (size_t)row * bytes, known, bytes);
}

static void joinMaxima(const Softmax *softmax, const Tile *tile, THSoftmaxState *state)
{
    const int64_t bytes = tile->columns * THDtype_size(softmax->compute);
    for (int64_t row = 1; row < tile->group; row++)
        softmax->loops->maximum(tile->columns, row, (char *)state->maxima + row * bytes, state);
    repeat(softmax, tile, state->maxima);
}

/* The sums of all lanes, as if rows were steps. */
static void joinSums(const Softmax *softmax, const Tile *tile, THSoftmaxState *state)
{
    double sums[TH_SOFTMAX_LANES * (TH_SOFTMAX_COLUMNS / LEAST_GROUP)];
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

static void runTile(const Softmax *softmax, Tile tile, Memory *memory)
{
    const THSoftmaxLoops *loops = softmax->loops;
    const bool toResult = tile.directOut && !tile.directIn;
    const int64_t size = THDtype_size(softmax->compute);
    memory->state.pitch = TH_SOFTMAX_PADDED(tile.n);
    for (int64_t i = 0; i < tile.steps; i++) {
        void *stage = toResult ? tile.out + i * tile.outStep : (char *)memory->in;
        loops->maximum(i < tile.steps - 1 ? tile.n : tile.last, i, load(softmax, &tile, i, stage),
                       &memory->state);
    }
    if (tile.group > 1)
        joinMaxima(softmax, &tile, &memory->state);
    if (toResult) { /* where the elements are now */
        tile.in = tile.out;
        tile.inStep = tile.outStep;
        tile.directIn = true;
    }
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

/* The rows of a tile, one after the other, to memory of our own or (`back`) from there. */
static void moveRows(const Softmax *softmax, const Tile *tile, char *raw, bool back)
{
    const int64_t item = THDtype_size(softmax->lines.dtype), size = softmax->lines.column.size;
    const THDim *others = &softmax->others;
    const bool blocks = others->size > 1;
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

/* A tile in memory of our own, where lines lie next to each other. */
static void runStaged(const Softmax *softmax, Tile tile, Memory *memory)
{
    const THDtype dtype = softmax->lines.dtype, compute = softmax->compute;
    const int64_t n = tile.steps * tile.n, item = THDtype_size(dtype);
    char *const staged = memory->tile;
    const int64_t most = softmax->isLarge ? STAGED_LARGE : STAGED;
    char *const raw = dtype == compute ? staged : staged + most * THDtype_size(compute);
    Tile inner = tile;
    inner.in = inner.out = staged;
    inner.inStep = inner.outStep = tile.n * THDtype_size(compute);
    inner.directIn = inner.directOut = true;
    moveRows(softmax, &tile, raw, false);
    if (raw != staged)
        THCast(n, staged, compute, THDtype_size(compute), raw, dtype, item);
    runTile(softmax, inner, memory);
    if (raw != staged)
        THCast(n, raw, dtype, item, staged, compute, THDtype_size(compute));
    moveRows(softmax, &tile, raw, true);
}

/* Lines that loops read and write where they are, ... */
static void runLines(const Softmax *softmax, int64_t count, const char *in, int64_t inStep,
                     char *out, int64_t outStep, Memory *memory)
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
static void runFarLines(const Softmax *softmax, int64_t count, const char *in, const char *next,
                        int64_t inStep, char *out, int64_t outStep, Memory *memory)
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
    for (int64_t i = 0; i < n; i += BLOCK) {
        const int64_t m = THSize_min(BLOCK, n - i);
        loops->result(m, (loops->ofTerms ? memory->tile : in) + i * size, &memory->state, made);
        moves->stream(out + i * size, 0, made, 0, 1, m * size);
    }
}

/* ... or that are short enough to be staged as a whole. */
static void runStagedLines(const Softmax *softmax, int64_t count, const char *in, int64_t inStep,
                           char *out, int64_t outStep, Memory *memory)
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
static void runRow(const Softmax *softmax, int64_t begin, int64_t end, const char *in, char *out,
                   const char *next, Memory *memory)
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

static void tileRange(int64_t begin, int64_t end, void *context)
{
    Softmax softmax = *(const Softmax *)context;
    Memory memory;
    /* Without it tiles are not staged, and lines not streamed. */
    const int64_t bytes = THDtype_size(softmax.compute) + THDtype_size(softmax.lines.dtype);
    char *const room = softmax.isLarge ? THAlloc((size_t)(STAGED_LARGE * bytes)) : NULL;
    memory.tile = room != NULL ? room : memory.staged;
    const bool hasRoom = room != NULL || !softmax.isLarge;
    softmax.staged &= hasRoom;
    softmax.streamed &= hasRoom;
    softmax.waits &= hasRoom;
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

/* ---- long lines -------------------------------------------------------------------------- */

/* A piece as loops see it. */
typedef struct Piece {
    int64_t n;
    const char *in, *next; /* what of the next one is asked for, NULL: nothing */
    char *out;
} Piece;

static Piece pieceAt(const Softmax *softmax, int64_t i, char *staged)
{
    const THDim *along = &softmax->lines.along;
    const int64_t first = i * PIECE, left = along->size - first;
    Piece piece = {.n = THSize_min(PIECE, left),
                   .in = softmax->in + first * along->in,
                   .out = softmax->out + first * along->out[0]};
    if (softmax->far && left >= 2 * PIECE && along->in > 0 && along->in <= TH_LINE_BYTES)
        piece.next = piece.in + PIECE * along->in;
    if (!softmax->directIn && staged) {
        THCast(piece.n, staged, softmax->compute, THDtype_size(softmax->compute), piece.in,
               softmax->lines.dtype, along->in);
        piece.in = staged;
    }
    return piece;
}

/* Do terms wait in the result for what they are multiplied by? Far results would be read again. */
static bool keepsTerms(const Softmax *softmax)
{
    return softmax->loops->ofTerms && softmax->directOut && !softmax->streamed;
}

/* Terms over that of a piece's own maximum, of -inf alone 0. */
static void pieceRange(int64_t begin, int64_t end, void *context)
{
    const Softmax *softmax = context;
    const THSoftmaxLoops *loops = softmax->loops;
    const int64_t size = THDtype_size(softmax->compute), step = softmax->lines.along.in;
    Memory memory;
    for (int64_t i = begin; i < end; i++) {
        const Piece piece = pieceAt(softmax, i, memory.staged);
        char *terms = keepsTerms(softmax) ? piece.out : memory.staged;
        loops->lowest(&memory.state);
        loops->maximum(piece.n, 1, piece.in, &memory.state);
        for (int64_t first = 0, n; first < piece.n; first += n) {
            n = piece.next ? THSize_min(BLOCK, piece.n - first) : piece.n;
            for (int64_t at = 0; piece.next && at < n * step; at += TH_LINE_BYTES)
                __builtin_prefetch(piece.next + first * step + at, 0, 2);
            loops->terms(n, first, piece.in + first * size, &memory.state, terms + first * size);
        }
        softmax->pieces[i] = loops->exps(&memory.state);
    }
}

static void resultRange(int64_t begin, int64_t end, void *context)
{
    const Softmax *softmax = context;
    const THSoftmaxLoops *loops = softmax->loops;
    const int64_t size = THDtype_size(softmax->compute), step = softmax->lines.along.out[0];
    const bool direct = softmax->directOut && !softmax->streamed;
    Memory memory;
    for (int64_t i = begin; i < end; i++) {
        const Piece piece = pieceAt(softmax, i, keepsTerms(softmax) ? NULL : memory.staged);
        loops->take(&softmax->pieces[i], &softmax->whole, &memory.state);
        for (int64_t first = 0, n; first < piece.n; first += n) {
            char *to = piece.out + first * step, *made = direct ? to : (char *)memory.out;
            const char *x = piece.in + first * size;
            n = THSize_min(BLOCK, piece.n - first);
            if (loops->ofTerms && !keepsTerms(softmax))
                loops->again(n, x, &memory.state, made);
            loops->ofPiece(n, loops->ofTerms ? made : x, &memory.state, made);
            if (softmax->streamed)
                THMove_moves()->stream(to, 0, made, 0, 1, n * size);
            else if (!direct)
                THCast(n, to, softmax->lines.resultDtype[0], step, made, softmax->compute, size);
        }
    }
    if (softmax->streamed)
        THMove_fence();
}

/* From left to right. */
static THSoftmaxExps joinPieces(const THSoftmaxExps *pieces, int64_t count)
{
    THSoftmaxExps whole = pieces[0];
    for (int64_t i = 1; i < count; i++) {
        const THSoftmaxExps *piece = &pieces[i];
        if (piece->maximum > whole.maximum) {
            whole.sum = whole.sum * exp(whole.maximum - piece->maximum) + piece->sum;
            whole.maximum = piece->maximum;
        } else {
            whole.sum += piece->sum * exp(piece->maximum - whole.maximum);
        }
    }
    return whole;
}

/* Line after line, the pieces of each in parallel. */
static int shareLines(Softmax *softmax)
{
    const THLines *lines = &softmax->lines;
    const int64_t columns = lines->column.size, count = (lines->along.size - 1) / PIECE + 1;
    softmax->pieces = THAlloc((size_t)count * sizeof *softmax->pieces);
    if (!softmax->pieces)
        return TH_ERROR_MEMORY;
    for (int64_t line = 0; line < lines->rows * columns; line++) {
        char *out[TH_DIM_OUTPUTS];
        const char *in = THLines_at(lines, line / columns, out);
        softmax->in = in + line % columns * lines->column.in;
        softmax->out = out[0] + line % columns * lines->column.out[0];
        TH_parallel_for(count, WORK / PIECE, pieceRange, softmax);
        softmax->whole = joinPieces(softmax->pieces, count);
        TH_parallel_for(count, WORK / PIECE, resultRange, softmax);
    }
    THFree(softmax->pieces);
    return TH_OK;
}

/* ---- entry ------------------------------------------------------------------------------- */

/* Few rows of much are cut into tiles for all threads, as wide as each other. `twice`: terms are
 * where results will be. */
static int64_t tileWidth(int64_t columns, int64_t rows, int64_t size, bool twice)
{
    const int64_t all = rows * columns * size;
    const int64_t threads = all >= 2 * WORK ? THThreads_get() : 1;
    const int64_t share = ((columns + threads - 1) / threads + 15) / 16 * 16;
    const int64_t least = all >= MUCH ? SHARE : twice ? SHARE_OF_TERMS : SHARE_OF_LITTLE;
    const int64_t width = rows < threads && share >= least ? share : columns;
    return THSize_min(TH_SOFTMAX_COLUMNS, THSize_min(columns, width));
}

/* Few tiles of much are as many for each thread, and as wide. */
static int64_t evenWidth(int64_t width, int64_t columns, int64_t rows, int64_t size)
{
    const int64_t threads = THThreads_get(), tiles = (columns + width - 1) / width;
    const int64_t even = (tiles + threads - 1) / threads * threads;
    if (rows * columns * size < MUCH || tiles == 1 || rows * tiles >= EVEN * threads)
        return width;
    const int64_t share = ((columns + even - 1) / even + 15) / 16 * 16;
    return share >= FAR_COLUMNS ? THSize_min(width, share) : width;
}

/* Few columns of few elements are staged with those of other rows. */
static void takeBlocks(Softmax *softmax)
{
    THLines *lines = &softmax->lines;
    const int64_t size = lines->column.size,
                  bytes = lines->along.size * THDtype_size(softmax->compute);
    const bool asTheyLie = softmax->directIn && softmax->directOut && size > TH_SOFTMAX_LANES &&
                           size * bytes >= BLOCK_BYTES;
    if (asTheyLie || size > BLOCK_COLUMNS || lines->outer.count == 0 ||
        lines->along.size * STAGED_COLUMNS > STAGED)
        return;
    softmax->others = lines->outer.dim[--lines->outer.count];
    lines->rows /= softmax->others.size;
    softmax->width = THSize_min(TH_SOFTMAX_COLUMNS / size, softmax->others.size) * size;
    softmax->staged = true;
}

/* Whether results across lines are streamed, and how: rows of a tile, or all of one whose rows are
 * adjacent; with terms that are kept where they stay near. */
static void planFar(Softmax *softmax, int64_t all)
{
    const THDim *along = &softmax->lines.along;
    const int64_t size = THDtype_size(softmax->compute), column = along->size * size;
    const int64_t row = softmax->width * size, fit = HELD_BYTES / column;
    const bool wide = softmax->width >= FAR_COLUMNS;
    softmax->waits = row < LINE_BYTES && along->out[0] == row && row * along->size >= LEAST_HELD &&
                     softmax->width <= fit;
    softmax->keeps = softmax->loops->ofTerms && (wide ? FAR_COLUMNS <= fit : softmax->waits);
    const bool again = softmax->loops->ofTerms && column * FAR_COLUMNS <= FAR_AGAIN &&
                       !(THMachine_asksForWrites && all >= FAR_WRITTEN);
    softmax->streamed = softmax->waits || softmax->keeps || (wide && !again);
    if (softmax->keeps && softmax->width > fit)
        softmax->width = fit / 16 * 16;
    softmax->asks = softmax->streamed && THMachine_asksSecond && !softmax->keeps &&
                    column * softmax->width > TH_SECOND_BYTES;
    if (softmax->streamed && column * softmax->width > FAR_TILE)
        softmax->width = THSize_min(softmax->width, softmax->asks ? ASKED_ROW / size : FAR_COLUMNS);
}

/* How many rows of few columns are one step: a row alone does not fill the lanes, and takes a call
 * to be converted (softmax of dim 0 of 7700 x 13 float32: 490 us, so 95; 2000 x 50 float16
 * 400 us, so 190; EPYC 7003). */
static int64_t groupOf(const THLines *lines)
{
    const THDim *along = &lines->along, *column = &lines->column;
    const int64_t in = THDtype_size(lines->dtype), out = THDtype_size(lines->resultDtype[0]);
    const bool adjacent = column->in == in && along->in == in * column->size &&
                          column->out[0] == out && along->out[0] == out * column->size;
    if (!adjacent || column->size <= 1 || along->size <= GROUPED || along->size >= LONG)
        return 1;
    int64_t group = TH_SOFTMAX_LANES;
    while (group > 1 && group * column->size > TH_SOFTMAX_COLUMNS)
        group /= 2;
    return group >= LEAST_GROUP ? group : 1;
}

/* Which loops, and by which tiles. */
static void plan(Softmax *softmax, const THSoftmaxLoops *loops, THDtype compute)
{
    const THLines *lines = &softmax->lines;
    const THDim *along = &lines->along, *column = &lines->column;
    const int64_t itemSize = THDtype_size(compute);
    const int64_t all = 2 * along->size * column->size * lines->rows * itemSize;
    const int64_t padded = TH_SOFTMAX_PADDED(along->size);
    const bool isShort = column->size >= 2 * TH_SOFTMAX_LANES &&
                         along->size < TH_SOFTMAX_LANES * 3 / 2 && along->size < padded;
    const int64_t narrow = along->size <= BLOCK ? TH_SOFTMAX_LANES : NARROW_BYTES / itemSize;
    const bool isNarrow = column->size < narrow && along->size >= 4 * TH_SOFTMAX_LANES;
    softmax->group = groupOf(lines);
    softmax->across = isShort || softmax->group > 1 ||
                      (column->size > 1 && !isNarrow && THDim_isWithin(column, along));
    const THDim *inner = softmax->across ? column : along;
    const bool adjacentIn = inner->in == itemSize || inner->size == 1;
    const bool adjacentOut = inner->out[0] == itemSize || inner->size == 1;
    softmax->loops = loops + softmax->across;
    softmax->streamed = softmax->waits = softmax->keeps = softmax->asks = false;
    softmax->others.size = 1;
    softmax->far = all >= TH_FAR_BYTES;
    softmax->compute = compute;
    softmax->directIn = lines->dtype == compute && adjacentIn;
    softmax->directOut = lines->resultDtype[0] == compute && adjacentOut;
    const bool twice = softmax->loops->ofTerms && softmax->directOut;
    softmax->width = softmax->across ? tileWidth(column->size, lines->rows, along->size, twice) : 1;
    const bool direct = softmax->directIn && softmax->directOut;
    if (softmax->across) {
        softmax->many = 0;
        const bool large =
            column->size < STAGED_COLUMNS || (softmax->loops->ofTerms && lines->dtype != compute);
        const int64_t most = large ? STAGED_LARGE : STAGED;
        const bool wide = column->size > STAGED_COLUMNS && along->size * column->size > most;
        if (softmax->width < column->size || (wide && large))
            softmax->group = 1;
        softmax->staged = !direct && softmax->group == 1 &&
                          along->size * THSize_min(column->size, STAGED_COLUMNS) <= most;
        takeBlocks(softmax);
        if (!softmax->staged) {
            if (direct && !isNarrow && all >= THMachine_streamFrom)
                planFar(softmax, all);
            softmax->group = softmax->streamed ? 1 : softmax->group;
            softmax->keeps |= softmax->group > 1 && softmax->loops->ofTerms &&
                              !softmax->directOut && along->size * column->size <= STAGED_LARGE;
            softmax->width = evenWidth(softmax->width, column->size, lines->rows, along->size);
        }
    } else {
        /* Terms that are kept need not be computed again (10^7 float64 on a Xeon: 26 ms, so 20). */
        const bool kept = loops->ofTerms && THMachine_asksForWrites && along->size >= LONG;
        const int64_t bytes = along->size * itemSize;
        const bool linesWhole = column->out[0] == bytes || bytes >= LINE_BYTES;
        softmax->streamed = direct && linesWhole && all >= THMachine_streamFrom && !kept;
        const bool whole =
            along->size <= BLOCK || (direct && (loops->ofTerms || softmax->streamed));
        softmax->many = !whole ? 0 : along->size > TH_SOFTMAX_TERMS ? 1 : TH_SOFTMAX_TERMS / padded;
        if (softmax->streamed && softmax->many > THMove_rowsOfLines(bytes))
            softmax->many -= softmax->many % THMove_rowsOfLines(bytes);
        softmax->staged = whole && !direct;
    }
    if (softmax->across && softmax->staged) { /* with its sums in the nearest cache */
        const int64_t sums = THSize_min(along->size, TH_SOFTMAX_LANES) * (int64_t)sizeof(double);
        const int64_t columns = NEAR_BYTES / (along->size * itemSize + sums);
        softmax->width = THSize_min(softmax->width,
                                    columns < STAGED_COLUMNS ? STAGED_COLUMNS : columns / 16 * 16);
        softmax->width -= softmax->others.size > 1 ? softmax->width % column->size : 0;
    }
    const int64_t inHand = along->size * softmax->width;
    const bool inTile = softmax->across ? softmax->staged || softmax->waits || softmax->keeps
                                        : softmax->streamed && loops->ofTerms;
    softmax->isLarge = inTile && inHand > STAGED;
    softmax->perRow = (columnsOf(softmax) + softmax->width - 1) / softmax->width;
}

static int run(const char *op, const THSoftmaxLoops *loops, THDtype compute, THTensor *result,
               THTensor *self, int64_t dim)
{
    Softmax softmax;
    const int status = THTensor_resizeOutputAs(op, result, self);
    if (status != TH_OK || !THLines_init(&softmax.lines, &result, 1, self, dim))
        return status;
    plan(&softmax, loops, compute);
    if (!softmax.across && softmax.lines.along.size >= LONG)
        return shareLines(&softmax);
    TH_parallel_work(softmax.perRow * softmax.lines.rows, softmax.lines.along.size * softmax.width,
                     WORK, tileRange, &softmax);
    return TH_OK;
}

#define TH_GENERIC_FILE "TH/generic/softmax.h"
#include <TH/THGenerateFloatTypes.h>

#define TH_GENERIC_FILE "TH/generic/softmax.c"
#include <TH/THGenerateFloatTypes.h>
