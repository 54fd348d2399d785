/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The chapter softmax: the loops of a dtype run along lines, or across them where the dim is not
 * the innermost one. */
#include <TH/TH.h>
#include <TH/THEngine.h>
#include <TH/loops/softmax.h>
#include <TH/ops/THLines.h>
#include <string.h>

#define WORK 32768 /* elements worth a thread's while */
#define BLOCK 1024 /* elements of a line that is staged */

typedef struct Softmax {
    const THSoftmaxLoops *loops;
    THDtype compute;
    THLines lines;
    bool across;
    bool directIn, directOut; /* what a loop reads or writes is adjacent and of its dtype */
    int64_t width, perRow;    /* columns of a tile, tiles of a row; a tile along is one line */
} Softmax;

/* A tile as its loops see it: steps of `n` elements, the last one of `last`. */
typedef struct Tile {
    const char *in;
    char *out;
    int64_t steps, n, last;
    int64_t inStep, outStep, inStride, outStride;
    bool directIn;
} Tile;

/* Memory of a thread. */
typedef struct Memory {
    THSoftmaxState state;
    double in[BLOCK], out[BLOCK];
} Memory;

static Tile tileAt(const Softmax *softmax, int64_t index)
{
    const THDim *along = &softmax->lines.along, *column = &softmax->lines.column;
    const int64_t first = index % softmax->perRow * softmax->width;
    char *out[TH_DIM_OUTPUTS];
    const char *in = THLines_at(&softmax->lines, index / softmax->perRow, out);
    Tile tile;
    tile.in = in + first * column->in;
    tile.out = out[0] + first * column->out[0];
    tile.directIn = softmax->directIn;
    if (softmax->across) {
        tile.steps = along->size;
        tile.n = tile.last = THSize_min(softmax->width, column->size - first);
        tile.inStep = along->in, tile.outStep = along->out[0];
        tile.inStride = column->in, tile.outStride = column->out[0];
        return tile;
    }
    const bool whole = softmax->directIn && softmax->directOut && softmax->loops->ofTerms;
    tile.n = whole ? along->size : THSize_min(BLOCK, along->size);
    tile.steps = whole ? 1 : (along->size + BLOCK - 1) / BLOCK;
    tile.last = along->size - (tile.steps - 1) * tile.n;
    tile.inStep = tile.n * along->in, tile.outStep = tile.n * along->out[0];
    tile.inStride = along->in, tile.outStride = along->out[0];
    return tile;
}

/* The elements of step i, in `stage` unless they can be used where they are. */
static const void *load(const Softmax *softmax, const Tile *tile, int64_t i, void *stage)
{
    const char *from = tile->in + i * tile->inStep;
    if (tile->directIn)
        return from;
    THCast(i < tile->steps - 1 ? tile->n : tile->last, stage, softmax->compute,
           THDtype_size(softmax->compute), from, softmax->lines.dtype, tile->inStride);
    return stage;
}

/* The last pass. Terms that did not remain in the result are computed again. */
static void results(const Softmax *softmax, const Tile *tile, Memory *memory)
{
    const THSoftmaxLoops *loops = softmax->loops;
    for (int64_t i = 0; i < tile->steps; i++) {
        const int64_t n = i < tile->steps - 1 ? tile->n : tile->last;
        char *to = tile->out + i * tile->outStep;
        if (softmax->directOut) {
            loops->result(n, loops->ofTerms ? to : load(softmax, tile, i, memory->in),
                          &memory->state, to);
            continue;
        }
        const void *x = load(softmax, tile, i, memory->in);
        if (loops->ofTerms) {
            loops->terms(n, i, x, &memory->state, memory->out);
            x = memory->out;
        }
        loops->result(n, x, &memory->state, memory->out);
        THCast(n, to, softmax->lines.resultDtype[0], tile->outStride, memory->out, softmax->compute,
               THDtype_size(softmax->compute));
    }
}

static void runTile(const Softmax *softmax, Tile tile, Memory *memory)
{
    const THSoftmaxLoops *loops = softmax->loops;
    const bool toResult = softmax->directOut && !tile.directIn;
    for (int64_t i = 0; i < tile.steps; i++) {
        void *stage = toResult ? tile.out + i * tile.outStep : (char *)memory->in;
        loops->maximum(i < tile.steps - 1 ? tile.n : tile.last, i, load(softmax, &tile, i, stage),
                       &memory->state);
    }
    if (toResult) { /* where the elements are now */
        tile.in = tile.out;
        tile.inStep = tile.outStep;
        tile.directIn = true;
    }
    for (int64_t i = 0; i < tile.steps; i++) {
        const bool kept = loops->ofTerms && softmax->directOut;
        loops->terms(i < tile.steps - 1 ? tile.n : tile.last, i,
                     load(softmax, &tile, i, memory->in), &memory->state,
                     kept ? tile.out + i * tile.outStep : (char *)memory->out);
    }
    loops->fold(tile.n, softmax->lines.along.size, &memory->state);
    results(softmax, &tile, memory);
}

static void tileRange(int64_t begin, int64_t end, void *context)
{
    Memory memory;
    memset(memory.state.maxima, 0, sizeof memory.state.maxima); /* loops read beyond the width */
    for (int64_t i = begin; i < end; i++)
        runTile(context, tileAt(context, i), &memory);
}

/* Few rows are cut into tiles for all threads. */
static int64_t tileWidth(int64_t columns, int64_t rows)
{
    const int64_t share = rows < THThreads_get() ? columns / THThreads_get() : columns;
    return THSize_min(TH_SOFTMAX_COLUMNS, THSize_min(columns, 64 + share / 16 * 16));
}

static int run(const char *op, const THSoftmaxLoops *loops, THDtype compute, THTensor *result,
               THTensor *self, int64_t dim)
{
    Softmax softmax;
    const THLines *lines = &softmax.lines;
    const int status = THTensor_resizeOutputAs(op, result, self);
    if (status != TH_OK || !THLines_init(&softmax.lines, &result, 1, self, dim))
        return status;
    const THDim *along = &lines->along, *column = &lines->column;
    const int64_t itemSize = THDtype_size(compute);
    softmax.across = column->size > 1 && along->size > 1 && along->in > column->in;
    const THDim *inner = softmax.across ? column : along;
    softmax.loops = loops + softmax.across;
    softmax.compute = compute;
    softmax.directIn = lines->dtype == compute && (inner->in == itemSize || inner->size == 1);
    softmax.directOut =
        lines->resultDtype[0] == compute && (inner->out[0] == itemSize || inner->size == 1);
    softmax.width = softmax.across ? tileWidth(column->size, lines->rows) : 1;
    softmax.perRow = (column->size + softmax.width - 1) / softmax.width;
    TH_parallel_for(softmax.perRow * lines->rows, 1 + WORK / (along->size * softmax.width),
                    tileRange, &softmax);
    return TH_OK;
}

#define TH_GENERIC_FILE "TH/generic/softmax.h"
#include <TH/THGenerateFloatTypes.h>

#define TH_GENERIC_FILE "TH/generic/softmax.c"
#include <TH/THGenerateFloatTypes.h>
