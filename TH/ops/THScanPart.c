/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of what is scanned: staged where it is not adjacent or of another dtype, handed to a loop,
 * and stored, or streamed past the caches. */
#include <TH/THEngine.h>
#include <TH/THMachine.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THScanPart.h>

#include <string.h>

void THScanJob_load(const THScanJob *scan, int64_t rows, int64_t rowStride, int64_t n,
                    int64_t stride, const char *from, char *stage, char *room)
{
    const THDtype dtype = scan->lines.dtype;
    const int64_t item = THDtype_size(dtype), size = THDtype_size(scan->from);
    if (dtype == scan->from) {
        THMove_gather(size, stage, from, rows, rowStride, n, stride);
        return;
    }
    if (room && rowStride != n * stride && n < TH_SCAN_SHORT_ROW) {
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

void THScanJob_store(const THScanJob *scan, int64_t rows, int64_t rowStride, int64_t n,
                     int64_t stride, char *to, const char *stage, char *room)
{
    const THDtype dtype = scan->lines.resultDtype[0];
    const int64_t item = THDtype_size(dtype), size = THDtype_size(scan->to);
    const bool whole = rowStride == n * stride, moved = !whole && n < TH_SCAN_SHORT_ROW;
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

void THScanTile_setParts(const THScanJob *scan, THScanTile *tile, int64_t width)
{
    const int64_t outSize = THDtype_size(scan->to), inSize = THDtype_size(scan->lines.dtype);
    int64_t size = scan->directOut ? THDtype_size(scan->from) : outSize;
    size = size < inSize ? inSize : size; /* elements are side by side before they are converted */
    const int64_t most = scan->streamed ? TH_SCAN_STREAMED / outSize : TH_SCAN_PART / size;
    tile->width = width;
    tile->columns = THSize_min(width, most);
    tile->isWhole = width <= most && tile->rowOut == width * outSize;
    if (scan->streamed && !tile->isWhole && tile->way != TH_SCAN_LINE && THMachine_readsInTurn)
        tile->columns = THSize_min(width, TH_SCAN_IN_TURN / outSize);
    tile->rows = TH_SCAN_ROWS;
    if (tile->way == TH_SCAN_ACROSS && width > most &&
        !scan->streamed) { /* parts of about the same size */
        const int64_t parts = (width - 1) / most + 1, even = (width - 1) / parts + 1;
        tile->columns = (even + 15) & -16;
    }
    if (tile->way == TH_SCAN_ACROSS && (tile->isWhole || !scan->streamed))
        tile->rows *= most / tile->columns;
    tile->pitch = !scan->streamed || tile->isWhole
                      ? tile->columns * outSize
                      : tile->columns * outSize + 2 * TH_LINE_BYTES + tile->rowOut % TH_LINE_BYTES;
}

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

void THScan_setLines(int64_t rows, const char *x, int64_t step, const void **lines)
{
    for (int k = 0; k < TH_SCAN_LINES; k++)
        lines[k] = x + THSize_min(k, rows - 1) * step;
}

static void setResults(int64_t rows, char *results, int64_t step, void **lines)
{
    for (int k = 0; k < TH_SCAN_LINES; k++)
        lines[k] = results + THSize_min(k, rows - 1) * step;
}

static void callLoop(const THScanJob *scan, const THScanTile *tile, int64_t index, int64_t rows,
                     int64_t first, int64_t columns, const char *x, int64_t step, char *results,
                     int64_t resultStep)
{
    const THScanLoops *loops = scan->loops;
    const void *lines[TH_SCAN_LINES];
    void *resultLines[TH_SCAN_LINES];
    switch (tile->way) {
    case TH_SCAN_ACROSS:
        loops->rows(rows, columns, index, x, step, results, resultStep, tile->running + first,
                    tile->offset + first);
        return;
    case TH_SCAN_SIDE_BY_SIDE:
        THScan_setLines(rows, x, step, lines);
        setResults(rows, results, resultStep, resultLines);
        loops->lines(columns, index, lines, resultLines, tile->running, tile->offset);
        return;
    case TH_SCAN_KEPT:
        setResults(rows, results, resultStep, resultLines);
        loops->kept(columns, tile->kept + index * TH_SCAN_LINES, tile->offset, resultLines);
        return;
    case TH_SCAN_LINE:
        loops->line(columns, x, results, tile->running);
        return;
    }
}

const char *THScanTile_read(const THScanJob *scan, const THScanTile *tile, int64_t rows,
                            int64_t columns, const char *x, int64_t *step)
{
    *step = tile->rowIn;
    if (scan->directIn)
        return x;
    *step = columns * THDtype_size(scan->from);
    /* What streamed results have left lies before a tile's, or before each row's. */
    char *const room = !scan->streamed ? tile->stageOut
                       : tile->isWhole ? tile->stageOut + 2 * TH_LINE_BYTES
                                       : NULL;
    THScanJob_load(scan, rows, tile->rowIn, columns, tile->columnIn, x, tile->stageIn, room);
    return tile->stageIn;
}

const char *THScanTile_nextRows(const THScanJob *scan, const THScanTile *tile, int64_t rows,
                                const char *next)
{
    const bool helps = scan->streamed && scan->directIn && !tile->isWhole &&
                       THMachine_readsInTurn && rows * tile->width * tile->columnIn <= TH_SCAN_NEXT;
    return helps ? next : NULL;
}

/* A part of the rows that come next, as they lie in memory, into the second cache: `columns`
 * elements behind `asked` others. */
static void askInOrder(const THScanTile *tile, int64_t asked, int64_t columns)
{
    const int64_t row = asked / tile->width, column = asked % tile->width;
    const char *const place = tile->next + row * tile->rowIn + column * tile->columnIn;
    for (int64_t at = 0; at < columns * tile->columnIn; at += TH_LINE_BYTES)
        __builtin_prefetch(place + at, 0, 2);
}

void THScanTile_part(const THScanJob *scan, const THScanTile *tile, int64_t index, int64_t rows,
                     int64_t first, int64_t columns, const char *x, char *to, bool isFirst,
                     bool isLast)
{
    const int64_t bytes = columns * THDtype_size(scan->to);
    int64_t step = 0;
    const char *from =
        tile->way == TH_SCAN_KEPT ? NULL : THScanTile_read(scan, tile, rows, columns, x, &step);
    if (scan->directOut && !scan->streamed) {
        callLoop(scan, tile, index, rows, first, columns, from, step, to, tile->rowOut);
        return;
    }
    if (!scan->streamed) {
        callLoop(scan, tile, index, rows, first, columns, from, step, tile->stageOut, bytes);
        THScanJob_store(scan, rows, tile->rowOut, columns, tile->columnOut, to, tile->stageOut,
                        tile->stageIn);
        return;
    }
    char *const line = tile->stageOut + TH_LINE_BYTES;
    char *const results = line + (uintptr_t)to % TH_LINE_BYTES;
    callLoop(scan, tile, index, rows, first, columns, from, step, results, tile->pitch);
    /* Adjacent rows are one run; what is read next is asked for meanwhile. */
    const int64_t some = tile->isWhole ? tile->rows / TH_SCAN_ROWS : 1;
    const bool asks = THMachine_asksBeside();
    for (int64_t r = 0; r < rows; r += some) {
        const int64_t count = THSize_min(some, rows - r);
        char *place = to + r * tile->rowOut, *part = results + r * tile->pitch;
        if (tile->next)
            askInOrder(tile, index * rows + r * columns, columns);
        for (int64_t i = r; asks && !tile->next && i < r + count; i++)
            THMove_ask(x + tile->ahead + i * tile->rowIn, columns * tile->columnIn);
        if (tile->isWhole)
            streamPart(place, part, count * bytes, isFirst && r == 0, isLast && r + count == rows,
                       line);
        else
            streamPart(place, part, bytes, isFirst, isLast,
                       part - (uintptr_t)place % TH_LINE_BYTES);
    }
}
