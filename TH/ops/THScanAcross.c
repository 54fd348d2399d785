/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scans across lines: rows, of which each has an element of every line. */
#include <TH/THEngine.h>
#include <TH/THMachine.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THScanPart.h>

/* Elements of which threads take a part of each row: cores wait for lines of the caches that
 * another one has written or looked ahead to, in every row. */
#define WORK_BY_COLUMNS (16 * TH_SCAN_WORK)
#define ROW_BY_COLUMNS 512 /* bytes of a row */
#define COLUMNS 4096       /* of a tile of rows at most; their totals stay in the second cache */
/* Where lines of the caches are asked for before they are written: the columns of a part. Shorter
 * rows follow each other closely enough that machines look ahead themselves (360000 x 2
 * float32: 2.3 ms, so 1.1; Xeon). */
#define ASKED 256
#define ASKED_ROW 512 /* bytes */
#define MANY_TILES 16 /* of such rows, which threads share */
#define STAGED_TILE (TH_SCAN_STAGED / (int64_t)sizeof(THScanTotal)) /* elements */

static void scanTile(const THScanJob *scan, int64_t index, THScanTile *tile)
{
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    const int64_t first = index % scan->perRow * scan->width, n = along->size;
    const bool asks = THMachine_asksForWrites && scan->isFar && scan->directOut &&
                      !scan->streamed && column->size * column->out[0] >= ASKED_ROW;
    char *out[TH_DIM_OUTPUTS];
    const char *in = THLines_at(&scan->lines, index / scan->perRow, out) + first * column->in;
    char *to = out[0] + first * column->out[0];

    THScanTile_setParts(scan, tile, THSize_min(scan->width, column->size - first));
    if (scan->directIn && scan->directOut && !scan->streamed) {
        tile->columns = asks ? ASKED : tile->width;
        tile->rows = asks ? TH_SCAN_ROWS : n;
    }
    tile->ahead = tile->rows * tile->rowIn;
    for (int64_t row = 0; row < n; row += tile->rows) {
        const int64_t rows = THSize_min(tile->rows, n - row);
        const char *x = in + row * along->in;
        char *results = to + row * along->out[0];
        for (int64_t c = 0; c < tile->width; c += tile->columns) {
            const int64_t columns = THSize_min(tile->columns, tile->width - c);
            /* Machines do not look ahead of what is written from row to row. */
            for (int64_t r = 0; asks && r < rows; r++)
                THMove_prefetch(results + r * along->out[0] + c * column->out[0],
                                columns * column->out[0], true);
            THScanTile_part(scan, tile, row, rows, c, columns, x + c * column->in,
                            results + c * column->out[0], tile->isWhole ? row == 0 : c == 0,
                            tile->isWhole ? row + rows == n : c + columns == tile->width);
        }
    }
}

static void tileRange(int64_t begin, int64_t end, void *context)
{
    THScanJob *scan = context;
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    const int64_t totals = TH_SCAN_ROOM(scan->width);
    char *memory = THScratch_take(&scan->scratch);
    THScanTotal *state = (THScanTotal *)(void *)(memory + 2 * TH_SCAN_STAGED);
    THScanTile tile = {.way = TH_SCAN_ACROSS,
                       .rowIn = along->in,
                       .rowOut = along->out[0],
                       .columnIn = column->in,
                       .columnOut = column->out[0],
                       .stageIn = memory,
                       .stageOut = memory + TH_SCAN_STAGED,
                       .running = state,
                       .offset = state + totals};
    for (int64_t i = begin; i < end; i++)
        scanTile(scan, i, &tile);
    THScratch_give(memory);
    if (scan->streamed)
        THMove_fence();
}

/* ---- tiles of short rows, many in a call of the loop ---------------------------------------- */

/* Neither are results where elements are that are still to be read (see THScanJob_across). */
static bool readsTiles(const THScanJob *scan)
{
    return scan->directIn && !scan->inPlace;
}

static bool isNarrow(const THScanJob *scan)
{
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    const int64_t tile = column->size * along->size;
    return column->size < TH_SCAN_SHORT_ROW && along->size <= TH_SCAN_SEGMENT &&
           scan->lines.rows >= MANY_TILES &&
           (tile <= STAGED_TILE || (readsTiles(scan) && scan->directOut));
}

/* Elements of tiles to where they are adjacent (from `in`), or results from there (to `out`). Tiles
 * whose rows follow each other are moved as one. */
static void moveTiles(const THScanJob *scan, int64_t count, const char *in, char *out,
                      THScanRoom *room)
{
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    const THDim *tile = &scan->lines.outer.dim[scan->lines.outer.count - 1];
    const int64_t n = along->size, step = in ? tile->in : tile->out[0];
    const bool joined = step == n * (in ? along->in : along->out[0]);
    const int64_t rows = joined ? count * n : n;
    const int64_t bytes = n * column->size * THDtype_size(in ? scan->from : scan->to);
    for (int64_t i = 0; i < (joined ? 1 : count); i++) {
        if (in)
            THScanJob_load(scan, rows, along->in, column->size, column->in, in + i * step,
                           room->stageIn + i * bytes, room->stageOut);
        else
            THScanJob_store(scan, rows, along->out[0], column->size, column->out[0], out + i * step,
                            room->stageOut + i * bytes, room->stageIn);
    }
}

static void narrowRange(int64_t begin, int64_t end, void *context)
{
    const THScanJob *scan = context;
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    const THDim *tile = &scan->lines.outer.dim[scan->lines.outer.count - 1];
    const bool reads = readsTiles(scan), writes = scan->directOut;
    const int64_t n = along->size, width = column->size;
    const int64_t row = width * THDtype_size(scan->from), result = width * THDtype_size(scan->to);
    const THScanTiles tiles = {.nrows = n,
                               .width = width,
                               .step = reads ? along->in : row,
                               .resultStep = writes ? along->out[0] : result,
                               .tileStep = reads ? tile->in : n * row,
                               .resultTileStep = writes ? tile->out[0] : n * result};
    THScanRoom room;
    for (int64_t i = begin, count; i < end; i += count) {
        char *out[TH_DIM_OUTPUTS];
        const char *in = THLines_at(&scan->lines, i, out);
        count = THSize_min(tile->size - i % tile->size, end - i);
        if (!reads || !writes)
            count = THSize_min(count, STAGED_TILE / (n * width));
        if (!reads)
            moveTiles(scan, count, in, NULL, &room);
        scan->loops->tiles(count, &tiles, reads ? in : room.stageIn,
                           writes ? out[0] : room.stageOut);
        if (!writes)
            moveTiles(scan, count, NULL, out[0], &room);
    }
}

int THScanJob_across(THScanJob *scan)
{
    const THDim *column = &scan->lines.column;
    const int64_t outSize = THDtype_size(scan->to);
    scan->directIn = scan->directIn && column->in == THDtype_size(scan->from);
    scan->directOut = scan->directOut && column->out[0] == outSize;
    if (isNarrow(scan)) {
        const int64_t tile = column->size * scan->lines.along.size;
        TH_parallel_work(scan->lines.rows, tile, TH_SCAN_WORK, narrowRange, scan);
        return TH_OK;
    }
    /* Short rows are not written right where the next one is read: that would wait for the store.
     */
    scan->directOut = scan->directOut && !(scan->inPlace && column->size < TH_SCAN_SHORT_ROW);
    const int64_t tiles = (column->size + COLUMNS - 1) / COLUMNS;
    const int64_t all = scan->lines.rows * column->size * scan->lines.along.size;
    const int64_t row = column->size * THDtype_size(scan->lines.resultDtype[0]);
    const bool isShared = all >= WORK_BY_COLUMNS && row >= ROW_BY_COLUMNS;
    const int64_t threads = isShared ? THThreads_get() : 1;
    const int64_t shares = (threads + scan->lines.rows - 1) / scan->lines.rows;
    scan->width = (column->size - 1) / (tiles > shares ? tiles : shares) + 1;
    scan->width = THSize_min((scan->width + 15) & -16, column->size);
    scan->streamed = scan->streamed && scan->directOut &&
                     (scan->width * outSize >= TH_STREAM_BYTES ||
                      scan->lines.along.out[0] == scan->width * outSize);
    scan->perRow = (column->size + scan->width - 1) / scan->width;
    const int64_t count = scan->perRow * scan->lines.rows;
    const int64_t each = scan->width * scan->lines.along.size, grain = 1 + TH_SCAN_WORK / each;
    const int64_t totals = 2 * TH_SCAN_ROOM(scan->width) * (int64_t)sizeof(THScanTotal);
    const int status = THScratch_open(&scan->scratch, count, grain, 2 * TH_SCAN_STAGED + totals);
    if (status == TH_OK)
        TH_parallel_work(count, each, TH_SCAN_WORK, tileRange, scan);
    THScratch_close(&scan->scratch);
    return status;
}
