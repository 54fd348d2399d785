/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Running tiles: where an input lies transposed to the output, a tile of it is transposed into a
 * buffer, reading and writing whole cache lines, and the loop runs over the tile's rows. */
#include <TH/THMachine.h>
#include <TH/engine/THRun.h>

#define CONVERTED 2 /* operands, rows of which are converted at once */

/* A thread's buffers: tiles of all transposed operands, rows of what is converted at once, one row
 * of each operand that needs more. */
typedef struct Tiles {
    _Alignas(64) char tile[TH_MAX_OPERANDS][TH_TILE_BYTES];
    _Alignas(64) char converted[CONVERTED][TH_TILE_BYTES];
    _Alignas(64) char row[TH_MAX_OPERANDS][TH_BLOCK_LIMIT_ROW * 8 + 128];
    _Alignas(64) char raw[TH_BLOCK_LIMIT_ROW * 8 * 2];
} Tiles;

/* One operand's elements of the tile in hand. */
typedef struct TileRows {
    char *data;
    int64_t rowStride, stride;
    bool staged; /* still not what the loop wants */
} TileRows;

/* Ahead of what is written. */
static int64_t asks(const THPlan *plan)
{
    return THMachine_isFar(plan->bytes, 0) ? TH_NEXT_WRITTEN : 0;
}

static void transposeTiles(const THPlan *plan, TileRows *tile, int64_t rows, int64_t columns,
                           Tiles *tiles)
{
    for (int k = plan->kernel->noutputs; k < plan->noperands; k++) {
        const int64_t size = THDtype_size((THDtype)plan->dtype[k]);
        if (!(plan->tiled >> k & 1))
            continue;
        THMove_transpose(size, tiles->tile[k], columns * size, tile[k].data, tile[k].stride, rows,
                         columns, TH_NEXT_LINE, asks(plan));
        tile[k] = (TileRows){tiles->tile[k], columns * size, size, plan->convert >> k & 1};
    }
}

/* What is the same for all rows. */
static void loadRepeated(const THPlan *plan, TileRows *tile, int64_t columns, Tiles *tiles)
{
    for (int k = plan->kernel->noutputs; k < plan->noperands; k++) {
        if (!tile[k].staged || tile[k].rowStride != 0)
            continue;
        THStage_loadRow(plan, k, tile[k].data, tile[k].stride, columns, tiles->row[k], tiles->raw);
        tile[k] = (TileRows){tiles->row[k], 0, THPlan_step(plan, k), false};
    }
}

/* The hardware does not look ahead from the end of a row to the next one. */
static inline __attribute__((always_inline)) void fetchRow(const THPlan *plan, const TileRows *tile,
                                                           int64_t row, int64_t n)
{
    for (int k = 0; k < plan->noperands; k++) {
        const int64_t bytes = n * THDtype_size((THDtype)plan->dtype[k]);
        const uintptr_t place = (uintptr_t)tile[k].data + (uintptr_t)(row * tile[k].rowStride);
        if ((plan->tiled | plan->staged | plan->single) >> k & 1)
            continue;
        if (k < plan->kernel->noutputs)
            THMove_prefetch((const void *)place, bytes, true);
        else
            THMove_prefetch((const void *)place, bytes, false);
    }
}

static void runRow(const THRun *run, const TileRows *tile, int64_t row, int64_t n, Tiles *tiles)
{
    const THPlan *plan = run->plan;
    const THKernel *kernel = plan->kernel;
    void *data[TH_MAX_OPERANDS];

    for (int k = 0; k < plan->noperands; k++) {
        char *const place = tile[k].data + row * tile[k].rowStride;
        data[k] = tile[k].staged ? tiles->row[k] : place;
        if (tile[k].staged && k >= kernel->noutputs)
            THStage_loadRow(plan, k, place, tile[k].stride, n, data[k], tiles->raw);
    }
    THKernel_call(kernel, run->loop, plan->single, n, data, run->params);
    for (int k = 0; k < kernel->noutputs; k++)
        if (tile[k].staged)
            THStage_storeRow(plan, k, tile[k].data + row * tile[k].rowStride, tile[k].stride, n,
                             data[k], tiles->raw);
}

/* Whether one call of the loop takes all rows of the tile: they lie as it wants them. */
static bool isWhole(const THRun *run, const TileRows *tile, int64_t columns)
{
    for (int k = 0; k < run->plan->noperands; k++)
        if (tile[k].staged)
            return false;
    return run->strip == 0 && THRun_mayCallRows(run, columns);
}

static void callRows(const THRun *run, const TileRows *tile, int64_t rows, int64_t columns)
{
    char *base[TH_MAX_OPERANDS];
    int64_t stride[TH_MAX_OPERANDS];
    for (int k = 0; k < run->plan->noperands; k++) {
        base[k] = tile[k].data;
        stride[k] = tile[k].rowStride;
    }
    THRun_callRows(run, columns, rows, base, stride);
}

/* Whether all that rows need more is to be converted, straight from where they lie. */
static bool isConverted(const THRun *run, const TileRows *tile, int64_t columns)
{
    const THPlan *plan = run->plan;
    int converted = 0;
    for (int k = 0; k < plan->noperands; k++) {
        if (!tile[k].staged)
            continue;
        if (k < plan->kernel->noutputs || !(plan->convert >> k & 1) ||
            plan->via[k] != plan->dtype[k] ||
            tile[k].stride != THDtype_size((THDtype)plan->dtype[k]))
            return false;
        converted++;
    }
    return converted <= CONVERTED && run->strip == 0 && THRun_mayCallRows(run, columns);
}

/* As many rows at a time as there is room for, all of what was transposed by one call. */
static void callConverted(const THRun *run, const TileRows *tile, int64_t rows, int64_t columns,
                          Tiles *tiles)
{
    const THPlan *plan = run->plan;
    const int64_t most = TH_TILE_BYTES / (columns * 8);
    TileRows some[TH_MAX_OPERANDS];

    for (int64_t r = 0, n; r < rows; r += n) {
        int converted = 0;
        n = THSize_min(rows - r, most);
        for (int k = 0; k < plan->noperands; k++) {
            const int64_t size = THDtype_size((THDtype)plan->kernel->dtype[k]);
            const int64_t step = tile[k].rowStride;
            char *const from = tile[k].data + r * step;
            some[k] = (TileRows){from, step, tile[k].stride, false};
            if (!tile[k].staged)
                continue;
            char *const to = tiles->converted[converted++];
            const bool joined = step == columns * tile[k].stride;
            for (int64_t i = 0; i < (joined ? 1 : n); i++)
                THStage_loadRow(plan, k, from + i * step, tile[k].stride,
                                joined ? n * columns : columns, to + i * columns * size,
                                tiles->raw);
            some[k] = (TileRows){to, columns * size, size, false};
        }
        callRows(run, some, n, columns);
    }
}

/* A tile of what is only moved: to where it belongs, or through a buffer to strided rows. */
static void moveTile(const THPlan *plan, const TileRows *tile, int64_t rows, int64_t columns,
                     Tiles *tiles)
{
    const int64_t size = THDtype_size((THDtype)plan->dtype[0]), bytes = columns * size;
    const TileRows *to = tile, *from = tile + 1;
    if (!to->staged) {
        THMove_transpose(size, to->data, to->rowStride, from->data, from->stride, rows, columns,
                         TH_NEXT_LINE, asks(plan));
        return;
    }
    THMove_transpose(size, tiles->tile[0], bytes, from->data, from->stride, rows, columns,
                     TH_NEXT_LINE, asks(plan));
    for (int64_t r = 0; r < rows; r++)
        THMove_scatter(size, to->data + r * to->rowStride, tiles->tile[0] + r * bytes, 1, 0,
                       columns, to->stride);
}

static void runTile(const THRun *run, char *const *base, int64_t row, int64_t column, Tiles *tiles)
{
    const THPlan *plan = run->plan;
    const int inner = plan->nDimension - 1;
    const int64_t rowsLeft = plan->size[inner - 1] - row, left = plan->size[inner] - column;
    const int64_t rows = rowsLeft < plan->rows ? rowsLeft : plan->rows;
    const int64_t columns = left < plan->block ? left : plan->block;
    TileRows tile[TH_MAX_OPERANDS];

    for (int k = 0; k < plan->noperands; k++) {
        const int64_t rowStride = plan->stride[k][inner - 1], stride = plan->stride[k][inner];
        tile[k] = (TileRows){base[k] + row * rowStride + column * stride, rowStride, stride,
                             plan->staged >> k & 1};
    }
    if (THPlan_moves(plan)) {
        moveTile(plan, tile, rows, columns, tiles);
        return;
    }
    transposeTiles(plan, tile, rows, columns, tiles);
    loadRepeated(plan, tile, columns, tiles);
    if (isWhole(run, tile, columns)) {
        callRows(run, tile, rows, columns);
        return;
    }
    if (isConverted(run, tile, columns)) {
        callConverted(run, tile, rows, columns, tiles);
        return;
    }
    for (int64_t r = 0; r < rows; r++) {
        if (run->strip != 0)
            fetchRow(plan, tile, r + 1, columns);
        runRow(run, tile, r, columns, tiles);
    }
}

void THRun_tiles(int64_t begin, int64_t end, void *context)
{
    const THRun *run = context;
    const THPlan *plan = run->plan;
    const int64_t across = (plan->size[plan->nDimension - 1] - 1) / plan->block + 1;
    Tiles tiles;
    THCursor cursor;

    THCursor_set(&cursor, plan, begin / plan->blocks);
    for (int64_t tile = begin % plan->blocks; begin < end; begin++) {
        runTile(run, cursor.base, tile / across * plan->rows, tile % across * plan->block, &tiles);
        if (++tile == plan->blocks) {
            tile = 0;
            THCursor_next(&cursor, plan);
        }
    }
}
