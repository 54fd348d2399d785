/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The chapter softmax: the loops of a dtype run along lines, or across them where the dim is not
 * the innermost one. */
#include <TH/TH.h>
#include <TH/loops/softmax.h>
#include <TH/ops/THLines.h>

#define WORK 32768 /* elements worth a thread's while */
#define COLUMNS 64 /* of a tile: it should stay in the cache for all three passes */

typedef struct Softmax {
    const THSoftmaxLoops *loops;
    THDtype compute;
    THLines lines;
    bool directIn, directOut; /* columns are adjacent and of the loops' dtype */
    int64_t perRow;           /* tiles of a row */
} Softmax;

/* Memory of a tile. */
typedef struct Tile {
    double lanes[TH_SOFTMAX_LANES * COLUMNS];
    double maxima[COLUMNS], divisors[COLUMNS], in[COLUMNS], out[COLUMNS];
} Tile;

static const void *load(const Softmax *softmax, int64_t width, const char *from, void *stage)
{
    if (softmax->directIn)
        return from;
    THCast(width, stage, softmax->compute, THDtype_size(softmax->compute), from,
           softmax->lines.dtype, softmax->lines.column.in);
    return stage;
}

static void acrossTile(const Softmax *softmax, int64_t index, Tile *tile)
{
    const THSoftmaxLoops *loops = softmax->loops;
    const THDim *along = &softmax->lines.along, *column = &softmax->lines.column;
    const int64_t first = index % softmax->perRow * COLUMNS, n = along->size;
    const int64_t width = THSize_min(COLUMNS, column->size - first);
    char *out[TH_DIM_OUTPUTS];
    const char *in = THLines_at(&softmax->lines, index / softmax->perRow, out) + first * column->in;
    for (int64_t i = 0; i < n; i++)
        loops->maximum(width, i, load(softmax, width, in + i * along->in, tile->in), tile->maxima);
    for (int64_t i = 0; i < n; i++)
        loops->sum(width, i, load(softmax, width, in + i * along->in, tile->in), tile->maxima,
                   tile->lanes);
    loops->fold(width, n, tile->lanes, tile->divisors);
    for (int64_t i = 0; i < n; i++) {
        char *to = out[0] + first * column->out[0] + i * along->out[0];
        loops->result(width, load(softmax, width, in + i * along->in, tile->in), tile->maxima,
                      tile->divisors, softmax->directOut ? to : (char *)tile->out);
        if (!softmax->directOut)
            THCast(width, to, softmax->lines.resultDtype[0], column->out[0], tile->out,
                   softmax->compute, THDtype_size(softmax->compute));
    }
}

static void acrossRange(int64_t begin, int64_t end, void *context)
{
    Tile tile;
    for (int64_t i = begin; i < end; i++)
        acrossTile(context, i, &tile);
}

static void line(const THLineFunction *function, int64_t n, const void *x, void *const *results,
                 void *scratch)
{
    const THSoftmaxLoops *loops = function->params;
    (void)scratch;
    loops->line(n, x, results[0]);
}

static int run(const char *op, const THSoftmaxLoops *loops, THDtype compute, THTensor *result,
               THTensor *self, int64_t dim)
{
    Softmax softmax;
    const THLines *lines = &softmax.lines;
    const int status = THTensor_resizeOutput(op, result, self->nDimension, self->size);
    if (status != TH_OK || !THLines_init(&softmax.lines, &result, 1, self, dim))
        return status;
    const THDim *along = &lines->along, *column = &lines->column;
    if (column->size == 1 || along->size == 1 || along->in <= column->in) {
        const THLineFunction function = {.op = op,
                                         .from = compute,
                                         .to = {compute},
                                         .length = along->size,
                                         .params = loops,
                                         .call = line};
        return THLineFunction_run(&function, &result, 1, self, dim);
    }
    const int64_t itemSize = THDtype_size(compute);
    softmax.loops = loops;
    softmax.compute = compute;
    softmax.directIn = lines->dtype == compute && column->in == itemSize;
    softmax.directOut = lines->resultDtype[0] == compute && column->out[0] == itemSize;
    softmax.perRow = (column->size + COLUMNS - 1) / COLUMNS;
    TH_parallel_for(softmax.perRow * lines->rows,
                    1 + WORK / (along->size * THSize_min(COLUMNS, column->size)), acrossRange,
                    &softmax);
    return TH_OK;
}

#define TH_GENERIC_FILE "TH/generic/softmax.h"
#include <TH/THGenerateFloatTypes.h>

#define TH_GENERIC_FILE "TH/generic/softmax.c"
#include <TH/THGenerateFloatTypes.h>
