/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scans over lines of any strides: across lines (rows) where the scanned dim is not the innermost,
 * along them block by block elsewhere, and by blocks of one line in parallel where lines are few
 * and long. */
#include <TH/THEngine.h>
#include <TH/THMachine.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THLines.h>
#include <TH/ops/THScanning.h>

#include <string.h>

#define WORK 32768 /* elements worth a thread's while */
#define FAR_BYTES \
    (4 << 20)        /* from which on lines of the caches are asked for before they are written */
#define COLUMNS 4096 /* of a tile of rows at most; their totals stay in the second cache */
#define PART_BYTES 2048   /* of results of a row that are staged at once ... */
#define STREAM_BYTES 1024 /* ... to be streamed */
#define STAGED_BYTES (TH_SCAN_ROWS * PART_BYTES + 1024) /* of all rows, and lines that they share \
                                                         */
#define SHORT_ROW 64  /* elements of a row that is not worth a call */
#define FEW_COLUMNS 8 /* that are not adjacent, so that along them takes less time */

typedef struct Scan {
    const THScanLoops *loops;
    THDtype from, to;
    THLines lines;
    bool directIn, directOut; /* what a loop reads or writes is adjacent and of its dtype */
    int64_t width, perRow;    /* columns of a tile, tiles of a row */
    int64_t stride;           /* along lines: bytes from what a loop reads to the next */
    const char *in;           /* one long line ... */
    char *out;
    THScanTotal *totals;  /* ... with the totals of its segments, ... */
    THScanTotal *offsets; /* ... and the offsets of its blocks */
    bool isFar;           /* so that lines of the caches are asked for */
    bool streamed;        /* results go past the caches */
    bool failed;
} Scan;

static void fail(Scan *scan)
{
    __atomic_store_n(&scan->failed, true, __ATOMIC_RELAXED);
}

/* Elements where a loop can read them. */
static const void *load(const Scan *scan, int64_t n, const char *from, int64_t stride, char *stage)
{
    if (scan->directIn)
        return from;
    THCast(n, stage, scan->from, THDtype_size(scan->from), from, scan->lines.dtype, stride);
    return stage;
}

static void store(const Scan *scan, int64_t n, char *to, int64_t stride, const char *stage)
{
    if (!scan->directOut)
        THCast(n, to, scan->lines.resultDtype[0], stride, stage, scan->to, THDtype_size(scan->to));
}

/* `rows` rows of n elements each, one after the other and converted. Since a conversion is a call,
 * it is of all of them, of short ones in a copy in `room`. */
static void loadRows(const Scan *scan, int64_t rows, int64_t rowStride, int64_t n, int64_t stride,
                     const char *from, char *stage, char *room)
{
    const THDtype dtype = scan->lines.dtype;
    const int64_t item = THDtype_size(dtype), size = THDtype_size(scan->from);
    if (dtype == scan->from) {
        THMove_gather(size, stage, from, rows, rowStride, n, stride);
        return;
    }
    if (rowStride != n * stride && n < SHORT_ROW) {
        THMove_gather(item, room, from, rows, rowStride, n, stride);
        from = room;
        stride = item;
        rowStride = n * item;
    }
    const bool whole = rowStride == n * stride;
    for (int64_t i = 0; i < (whole ? 1 : rows); i++)
        THCast(whole ? rows * n : n, stage + i * n * size, scan->from, size, from + i * rowStride,
               dtype, stride);
}

/* The same back to where results are. */
static void storeRows(const Scan *scan, int64_t rows, int64_t rowStride, int64_t n, int64_t stride,
                      char *to, const char *stage, char *room)
{
    const THDtype dtype = scan->lines.resultDtype[0];
    const int64_t item = THDtype_size(dtype), size = THDtype_size(scan->to);
    const bool whole = rowStride == n * stride, moved = !whole && n < SHORT_ROW;
    if (moved && dtype != scan->to) {
        THCast(rows * n, room, dtype, item, stage, scan->to, size);
        stage = room;
    }
    if (moved) {
        THMove_scatter(item, to, stage, rows, rowStride, n, stride);
        return;
    }
    for (int64_t i = 0; i < (whole ? 1 : rows); i++)
        THCast(whole ? rows * n : n, to + i * rowStride, dtype, stride, stage + i * n * size,
               scan->to, size);
}

/* ---- across lines ------------------------------------------------------------------------ */

/* Of a tile: what is scanned at once, and the room for it. */
typedef struct Tile {
    int64_t width, rows, columns; /* the tile's, and of a part */
    int64_t pitch;                /* bytes from row to row of results that are staged */
    bool isWhole;                 /* results are one run, streamed as such */
    char *stageIn, *stageOut;
    THScanTotal *running, *offset;
} Tile;

/* `bytes` to where results are, past the caches: lines of the caches are written whole, but for the
 * ends of a run, whose first part this is or last. What is left of one goes before what follows. */
static void streamPart(char *to, char *from, int64_t bytes, bool isFirst, bool isLast, char *kept)
{
    const int64_t before = (int64_t)((uintptr_t)to % TH_LINE_BYTES);
    const int64_t head = isFirst ? 0 : before;
    const int64_t tail = isLast ? 0 : (before + bytes) % TH_LINE_BYTES;
    THMove_moves()->stream(to - head, 0, from - head, 0, 1, head + bytes - tail);
    memcpy(kept, from + bytes - tail, (size_t)tail);
}

/* Rows from `row` on of the columns from `first` on, at most a part. */
static void scanPart(const Scan *scan, const Tile *tile, int64_t row, int64_t first, const char *x,
                     char *to)
{
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    const int64_t rows = THSize_min(tile->rows, along->size - row);
    const int64_t columns = THSize_min(tile->columns, tile->width - first);
    const int64_t bytes = columns * THDtype_size(scan->to), ahead = tile->rows * along->in;
    const bool isStaged = scan->streamed || !scan->directOut;
    char *results = isStaged ? tile->stageOut : to;
    int64_t step = along->in;
    const char *from = x;

    if (!scan->directIn) {
        loadRows(scan, rows, along->in, columns, column->in, x, tile->stageIn, tile->stageOut);
        from = tile->stageIn;
        step = columns * THDtype_size(scan->from);
    }
    if (scan->streamed)
        results += TH_LINE_BYTES + (uintptr_t)to % TH_LINE_BYTES;
    scan->loops->rows(rows, columns, row, from, step, results,
                      scan->streamed ? tile->pitch
                      : isStaged     ? bytes
                                     : along->out[0],
                      tile->running + first, tile->offset + first);
    if (isStaged && !scan->streamed)
        storeRows(scan, rows, along->out[0], columns, column->out[0], to, results, tile->stageIn);
    if (!scan->streamed)
        return;
    /* Adjacent rows are one run; what is read next is asked for meanwhile. */
    const int64_t some = tile->isWhole ? tile->rows / TH_SCAN_ROWS : 1;
    for (int64_t r = 0; r < rows; r += some) {
        const int64_t count = THSize_min(some, rows - r);
        char *place = to + r * along->out[0], *part = results + r * tile->pitch;
        char *line = part - (uintptr_t)place % TH_LINE_BYTES;
        for (int64_t i = r; i < r + count; i++)
            THMove_prefetch(x + ahead + i * along->in, columns * column->in, false);
        if (tile->isWhole)
            streamPart(place, part, count * bytes, row + r == 0, row + r + count == along->size,
                       results - (uintptr_t)to % TH_LINE_BYTES);
        else
            streamPart(place, part, bytes, first == 0, first + columns == tile->width, line);
    }
}

static void scanTile(const Scan *scan, int64_t index, Tile *tile)
{
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    const int64_t first = index % scan->perRow * scan->width;
    const bool asks = THMachine_asksForWrites && scan->isFar && scan->directOut;
    char *out[TH_DIM_OUTPUTS];
    const char *in = THLines_at(&scan->lines, index / scan->perRow, out) + first * column->in;
    char *to = out[0] + first * column->out[0];

    tile->width = THSize_min(scan->width, column->size - first);
    const int64_t outSize = THDtype_size(scan->to), rowBytes = tile->width * outSize;
    tile->columns = tile->width;
    if (scan->streamed || !scan->directIn || !scan->directOut) {
        const int64_t most = (scan->streamed ? STREAM_BYTES : PART_BYTES) / outSize;
        const int64_t parts = (tile->width - 1) / most + 1, even = (tile->width - 1) / parts + 1;
        tile->columns = scan->streamed ? THSize_min(tile->width, most)
                                       : THSize_min(tile->width, (even + 15) & -16);
        tile->isWhole = tile->columns == tile->width && along->out[0] == rowBytes;
        tile->rows = TH_SCAN_ROWS;
        if (tile->isWhole || !scan->streamed)
            tile->rows *= most / tile->columns;
        tile->pitch = tile->isWhole ? rowBytes
                                    : tile->columns * outSize + 2 * TH_LINE_BYTES +
                                          along->out[0] % TH_LINE_BYTES;
    } else {
        tile->rows = asks ? TH_SCAN_ROWS : along->size;
    }
    for (int64_t row = 0; row < along->size; row += tile->rows) {
        const char *x = in + row * along->in;
        char *results = to + row * along->out[0];
        /* Machines do not look ahead of what is written from row to row. */
        for (int64_t r = row; asks && r < THSize_min(row + tile->rows, along->size); r++)
            THMove_prefetch(to + r * along->out[0], rowBytes, true);
        for (int64_t c = 0; c < tile->width; c += tile->columns)
            scanPart(scan, tile, row, c, x + c * column->in, results + c * column->out[0]);
    }
}

static void tileRange(int64_t begin, int64_t end, void *context)
{
    Scan *scan = context;
    const int64_t totals = TH_SCAN_ROOM(scan->width), size = (int64_t)sizeof(THScanTotal);
    char *memory = THAlloc((size_t)(2 * STAGED_BYTES + 2 * totals * size));
    if (!memory) {
        fail(scan);
        return;
    }
    THScanTotal *state = (THScanTotal *)(void *)(memory + 2 * STAGED_BYTES);
    Tile tile = {.stageIn = memory,
                 .stageOut = memory + STAGED_BYTES,
                 .running = state,
                 .offset = state + totals};
    for (int64_t i = begin; i < end; i++)
        scanTile(scan, i, &tile);
    THFree(memory);
    if (scan->streamed)
        THMove_fence();
}

static void scanAcross(Scan *scan)
{
    const THDim *column = &scan->lines.column;
    const int64_t outSize = THDtype_size(scan->to);
    scan->directIn = scan->directIn && column->in == THDtype_size(scan->from);
    scan->directOut = scan->directOut && column->out[0] == outSize;
    const int64_t tiles = (column->size + COLUMNS - 1) / COLUMNS;
    const int64_t shares = (THThreads_get() + scan->lines.rows - 1) / scan->lines.rows;
    scan->width = (column->size - 1) / (tiles > shares ? tiles : shares) + 1;
    scan->width = THSize_min((scan->width + 15) & -16, column->size);
    scan->streamed = scan->streamed && scan->directOut &&
                     (scan->width * outSize >= TH_STREAM_BYTES ||
                      scan->lines.along.out[0] == column->size * outSize);
    scan->perRow = (column->size + scan->width - 1) / scan->width;
    TH_parallel_for(scan->perRow * scan->lines.rows,
                    1 + WORK / (scan->width * scan->lines.along.size), tileRange, scan);
}

/* ---- along lines ------------------------------------------------------------------------- */

/* The elements [first, first + n) of a line, at most a block. */
static void scanBlock(const Scan *scan, const char *in, char *out, int64_t first, int64_t n,
                      THScanTotal *offset)
{
    _Alignas(64) char stageIn[TH_SCAN_BLOCK * 8], stageOut[TH_SCAN_BLOCK * 8];
    const THDim *along = &scan->lines.along;
    char *to = out + first * along->out[0];
    const void *x = load(scan, n, in + first * along->in, along->in, stageIn);
    scan->loops->block(n, x, scan->stride, scan->directOut ? to : stageOut, offset);
    store(scan, n, to, along->out[0], stageOut);
}

static void scanLine(const Scan *scan, const char *in, char *out)
{
    const int64_t n = scan->lines.along.size;
    THScanTotal offset = scan->loops->identity;
    for (int64_t first = 0; first < n; first += TH_SCAN_BLOCK)
        scanBlock(scan, in, out, first, THSize_min(TH_SCAN_BLOCK, n - first), &offset);
}

/* TH_SCAN_INTERLEAVED neighbours at once, segment by segment. */
static void scanLines(const Scan *scan, const char *in, char *out)
{
    _Alignas(64) char stageIn[TH_SCAN_BLOCK * 8], stageOut[TH_SCAN_BLOCK * 8];
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    THScanTotal offsets[TH_SCAN_INTERLEAVED];
    for (int k = 0; k < TH_SCAN_INTERLEAVED; k++)
        offsets[k] = scan->loops->identity;
    for (int64_t first = 0; first < along->size; first += TH_SCAN_SEGMENT) {
        const int64_t n = THSize_min(TH_SCAN_SEGMENT, along->size - first);
        const void *x[TH_SCAN_INTERLEAVED];
        void *results[TH_SCAN_INTERLEAVED];
        char *to = out + first * along->out[0];
        for (int k = 0; k < TH_SCAN_INTERLEAVED; k++) {
            x[k] = load(scan, n, in + first * along->in + k * column->in, along->in,
                        stageIn + k * TH_SCAN_SEGMENT * 8);
            results[k] =
                scan->directOut ? to + k * column->out[0] : stageOut + k * TH_SCAN_SEGMENT * 8;
        }
        scan->loops->lines(n, x, scan->stride, results, offsets);
        for (int k = 0; k < TH_SCAN_INTERLEAVED; k++)
            store(scan, n, to + k * column->out[0], along->out[0], results[k]);
    }
}

/* At most `count` short lines, as many as are staged at once; returns how many. */
static int64_t scanShortLines(const Scan *scan, int64_t count, const char *in, char *out)
{
    _Alignas(64) char stageIn[TH_SCAN_BLOCK * 8], stageOut[TH_SCAN_BLOCK * 8];
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    const int64_t n = along->size, lines = THSize_min(count, TH_SCAN_BLOCK / n);
    const int64_t lineStride = scan->directIn ? column->in : n * THDtype_size(scan->from);
    const bool direct = scan->directOut && column->out[0] == n * THDtype_size(scan->to);
    if (!scan->directIn)
        loadRows(scan, lines, column->in, n, along->in, in, stageIn, stageOut);
    scan->loops->shortLines(lines, n, scan->directIn ? in : stageIn, lineStride, scan->stride,
                            direct ? out : stageOut);
    if (!direct)
        storeRows(scan, lines, column->out[0], n, along->out[0], out, stageOut, stageIn);
    return lines;
}

static void lineRange(int64_t begin, int64_t end, void *context)
{
    const Scan *scan = context;
    const THLines *lines = &scan->lines;
    for (int64_t i = begin; i < end;) {
        char *out[TH_DIM_OUTPUTS];
        int64_t column = i % lines->column.size;
        const char *in = THLines_at(lines, i / lines->column.size, out);
        const int64_t stop = THSize_min(lines->column.size, column + end - i);
        i += stop - column;
        while (lines->along.size <= TH_SCAN_SHORT && column < stop)
            column += scanShortLines(scan, stop - column, in + column * lines->column.in,
                                     out[0] + column * lines->column.out[0]);
        while (column < stop) {
            const bool many = stop - column >= TH_SCAN_INTERLEAVED;
            (many ? scanLines : scanLine)(scan, in + column * lines->column.in,
                                          out[0] + column * lines->column.out[0]);
            column += many ? TH_SCAN_INTERLEAVED : 1;
        }
    }
}

static void totalRange(int64_t begin, int64_t end, void *context)
{
    const Scan *scan = context;
    const THDim *along = &scan->lines.along;
    for (int64_t i = begin; i < end; i++) {
        _Alignas(64) char stage[TH_SCAN_BLOCK * 8];
        const int64_t first = i * TH_SCAN_BLOCK, n = THSize_min(TH_SCAN_BLOCK, along->size - first);
        const void *x = load(scan, n, scan->in + first * along->in, along->in, stage);
        scan->loops->totals(n, x, scan->stride, scan->totals + i * TH_SCAN_INTERLEAVED);
    }
}

static void blockRange(int64_t begin, int64_t end, void *context)
{
    const Scan *scan = context;
    const int64_t n = scan->lines.along.size;
    for (int64_t i = begin; i < end; i++) {
        THScanTotal offset = scan->offsets[i];
        scanBlock(scan, scan->in, scan->out, i * TH_SCAN_BLOCK,
                  THSize_min(TH_SCAN_BLOCK, n - i * TH_SCAN_BLOCK), &offset);
    }
}

/* Two passes over each line: totals of all segments, then, from the offsets, all blocks at once. */
static void scanLong(Scan *scan)
{
    const THLines *lines = &scan->lines;
    const int64_t blocks = (lines->along.size + TH_SCAN_BLOCK - 1) / TH_SCAN_BLOCK;
    const int64_t grain = WORK / TH_SCAN_BLOCK;
    scan->offsets = THAlloc((size_t)(blocks * (1 + TH_SCAN_INTERLEAVED)) * sizeof(THScanTotal));
    if (!scan->offsets) {
        fail(scan);
        return;
    }
    scan->totals = scan->offsets + blocks;
    for (int64_t line = 0; line < lines->rows * lines->column.size; line++) {
        char *out[TH_DIM_OUTPUTS];
        const int64_t column = line % lines->column.size;
        scan->in = THLines_at(lines, line / lines->column.size, out) + column * lines->column.in;
        scan->out = out[0] + column * lines->column.out[0];
        TH_parallel_for(blocks, grain, totalRange, scan);
        scan->offsets[0] = scan->loops->identity;
        for (int64_t i = 1; i < blocks; i++) {
            scan->offsets[i] = scan->offsets[i - 1];
            scan->loops->join(TH_SCAN_INTERLEAVED, scan->totals + (i - 1) * TH_SCAN_INTERLEAVED,
                              &scan->offsets[i]);
        }
        TH_parallel_for(blocks, grain, blockRange, scan);
    }
    THFree(scan->offsets);
}

static void scanAlong(Scan *scan)
{
    const THLines *lines = &scan->lines;
    const THDim *along = &lines->along;
    const int64_t count = lines->rows * lines->column.size;
    scan->stride = scan->directIn ? along->in : THDtype_size(scan->from);
    scan->directOut =
        scan->directOut && (along->out[0] == THDtype_size(scan->to) || along->size == 1);
    if (count < THThreads_get() && along->size >= 2 * WORK && scan->loops->totals)
        scanLong(scan);
    else
        TH_parallel_for(count, 1 + WORK / along->size, lineRange, scan);
}

int THScan_run(const char *op, const THScanLoops *loops, THDtype from, THDtype to, THTensor *result,
               THTensor *self, int64_t dim)
{
    Scan scan;
    const THLines *lines = &scan.lines;
    int status = THTensor_resizeOutputAs(op, result, self);
    if (status != TH_OK || !THLines_init(&scan.lines, &result, 1, self, dim))
        return status;
    scan.loops = loops;
    scan.from = from;
    scan.to = to;
    scan.failed = false;
    const int64_t bytes = THTensor_nElement(self) *
                          (THDtype_size(lines->dtype) + THDtype_size(lines->resultDtype[0]));
    scan.isFar = THMachine_isFar(bytes, FAR_BYTES);
    scan.streamed = bytes >= THMachine_streamFrom && THTensor_data(result) != THTensor_data(self);
    scan.directIn = lines->dtype == from;
    scan.directOut = lines->resultDtype[0] == to;
    const THDim *along = &lines->along, *column = &lines->column;
    const bool isFew = column->size < FEW_COLUMNS && along->size >= 4 * FEW_COLUMNS &&
                       column->in != THDtype_size(lines->dtype);
    if (column->size > 1 && along->size > 1 && THDim_isWithin(column, along) && !isFew)
        scanAcross(&scan);
    else
        scanAlong(&scan);
    return scan.failed ? THError(TH_ERROR_MEMORY, "%s: out of memory", op) : TH_OK;
}
