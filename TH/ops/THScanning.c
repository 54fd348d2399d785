/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scans over lines of any strides: across lines (rows) where the scanned dim is not the innermost,
 * along them block by block elsewhere, and by blocks of one line in parallel where lines are few
 * and long. */
#include <TH/THEngine.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THLines.h>
#include <TH/ops/THScanning.h>

#define WORK 32768   /* elements worth a thread's while */
#define COLUMNS 1024 /* of a tile of rows ... */
#define ASKED 2048   /* ... of which so many elements, which come next, are asked for at once */
#define COLUMNS_STAGED 512 /* ... that are copied first */
#define STAGED_BYTES 4096  /* of results of several of these rows */
#define SHORT_ROW 64       /* elements of a row that is not worth a call */
#define FEW_COLUMNS 8      /* that are not adjacent, so that along them takes less time */

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
    bool failed;
} Scan;

/* Elements of several rows that are staged at once. */
static int64_t stagedAtOnce(const Scan *scan)
{
    return STAGED_BYTES / THDtype_size(scan->lines.resultDtype[0]);
}

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

static void scanTile(const Scan *scan, int64_t index, char *memory)
{
    const THLines *lines = &scan->lines;
    const THDim *along = &lines->along, *column = &lines->column;
    const int64_t first = index % scan->perRow * scan->width;
    const int64_t width = THSize_min(scan->width, column->size - first);
    const bool direct = scan->directIn && scan->directOut;
    const int64_t atOnce = (direct ? ASKED : stagedAtOnce(scan)) / width;
    const int64_t step = scan->directIn ? along->in : width * THDtype_size(scan->from);
    const int64_t outStep = scan->directOut ? along->out[0] : width * THDtype_size(scan->to);
    char *stageOut = memory + 2 * scan->width * (int64_t)sizeof(THScanTotal);
    char *stageIn = stageOut + stagedAtOnce(scan) * (int64_t)sizeof(THScanTotal);
    char *out[TH_DIM_OUTPUTS];
    const char *in = THLines_at(lines, index / scan->perRow, out) + first * column->in;
    char *to = out[0] + first * column->out[0];
    for (int64_t i = 0; i < along->size; i += atOnce) {
        const int64_t rows = THSize_min(atOnce, along->size - i);
        const char *x = in + i * along->in;
        char *results = to + i * along->out[0];
        /* The hardware does not look ahead of what is written from row to row. */
        for (int64_t r = 0; r < rows && scan->directOut; r++)
            THMove_prefetch(results + r * along->out[0], width * column->out[0], true);
        if (!scan->directIn)
            loadRows(scan, rows, along->in, width, column->in, x, stageIn, stageOut);
        scan->loops->rows(rows, width, i, scan->directIn ? x : stageIn, step,
                          scan->directOut ? results : stageOut, outStep, memory);
        if (!scan->directOut)
            storeRows(scan, rows, along->out[0], width, column->out[0], results, stageOut, stageIn);
    }
}

static void tileRange(int64_t begin, int64_t end, void *context)
{
    Scan *scan = context;
    char *memory = THAlloc((size_t)(2 * (scan->width + stagedAtOnce(scan))) * sizeof(THScanTotal));
    if (!memory) {
        fail(scan);
        return;
    }
    for (int64_t i = begin; i < end; i++)
        scanTile(scan, i, memory);
    THFree(memory);
}

static void scanAcross(Scan *scan)
{
    const THDim *column = &scan->lines.column;
    scan->directIn = scan->directIn && column->in == THDtype_size(scan->from);
    scan->directOut = scan->directOut && column->out[0] == THDtype_size(scan->to);
    scan->width =
        THSize_min(scan->directIn && scan->directOut ? COLUMNS : COLUMNS_STAGED, column->size);
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
