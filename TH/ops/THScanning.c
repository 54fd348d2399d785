/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scans over lines of any strides: across lines (THScanAcross.c) where the scanned dim is not the
 * innermost, where they lie if they are few and beside each other, along them block by block
 * elsewhere, and by blocks of one line in parallel where lines are few and long: each waits for the
 * one before it only between its totals and its results. */
#include <TH/THEngine.h>
#include <TH/THMachine.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THScanPart.h>

/* Where lines of the caches are asked for before they are written: of how many bytes in all. */
#define FAR_BYTES (4 << 20)
/* Lines of so many bytes at most, that many of which are beyond the second cache, are asked for
 * into it if the processor follows streams best by itself (10^6 float64 in rows of 64 summed up:
 * 1.6 ms, so 0.55; of 1000 0.40, asked for 0.45; EPYC 9004). */
#define ASKED_LINE 2048
#define ASKED_BYTES (3 << 20)
#define FEW_LINES 6 /* that take more time side by side in lanes */
/* So few columns that are not adjacent, or a long pair that is, take less time along them (500000 x
 * 2 float64: 1.24 ms by rows, so 0.69; Xeon). */
#define FEW_COLUMNS 8
#define PAIR 2

/* For rows that are `rowIn` and `rowOut` bytes apart. */
static THScanTile tileAlong(const THScanJob *scan, THScanRoom *room, THScanWay way, int64_t width,
                            int64_t rowIn, int64_t rowOut)
{
    const THDim *along = &scan->lines.along;
    THScanTile tile = {.way = way,
                       .rowIn = rowIn,
                       .rowOut = rowOut,
                       .columnIn = along->in,
                       .columnOut = along->out[0],
                       .stageIn = room->stageIn,
                       .stageOut = room->stageOut,
                       .running = room->running,
                       .offset = room->offset,
                       .kept = room->kept};
    THScanTile_setParts(scan, &tile, width);
    if (scan->directIn && scan->directOut && !scan->streamed)
        tile.columns = TH_SCAN_SEGMENT;
    return tile;
}

/* The elements of up to TH_SCAN_LINES lines that are a tile's rows, from an index on. */
static void scanRows(const THScanJob *scan, const THScanTile *tile, int64_t index, int64_t rows,
                     const char *x, char *to, bool isFirst, bool isLast)
{
    for (int64_t c = 0; c < tile->width; c += tile->columns) {
        const int64_t columns = THSize_min(tile->columns, tile->width - c);
        THScanTile_part(scan, tile, index + c, rows, 0, columns, x + c * tile->columnIn,
                        to + c * tile->columnOut, isFirst && c == 0,
                        isLast && c + columns == tile->width);
    }
}

/* Of up to TH_SCAN_LINES segments; false where they cannot be joined. */
static bool addTotals(const THScanJob *scan, const THScanTile *tile, int64_t segments,
                      const char *x, THScanTotal *totals, THScanTotal *kept)
{
    bool joins = true;
    for (int k = 0; k < TH_SCAN_LINES; k++)
        totals[k] = scan->loops->identity;
    for (int64_t c = 0; c < TH_SCAN_SEGMENT; c += tile->columns) {
        const void *lines[TH_SCAN_LINES];
        int64_t step;
        const char *from =
            THScanTile_read(scan, tile, segments, tile->columns, x + c * tile->columnIn, &step);
        THScan_setLines(segments, from, step, lines);
        joins = scan->loops->totals(tile->columns, lines, totals,
                                    kept ? kept + c * TH_SCAN_LINES : NULL) &&
                joins;
    }
    return joins;
}

static THScanTile tileOfSegments(const THScanJob *scan, THScanRoom *room)
{
    const THDim *along = &scan->lines.along;
    THScanTile tile = tileAlong(scan, room, TH_SCAN_SIDE_BY_SIDE, TH_SCAN_SEGMENT,
                                TH_SCAN_SEGMENT * along->in, TH_SCAN_SEGMENT * along->out[0]);
    tile.ahead = TH_SCAN_BLOCK * along->in;
    return tile;
}

/* Segments of a line side by side, from their totals and the offset of the first one on. */
static void scanKept(const THScanJob *scan, const THScanTile *segmentsTile, int64_t segments,
                     const char *x, char *to, const THScanTotal *totals, THScanTotal *offset)
{
    THScanTile tile = *segmentsTile;
    tile.way = TH_SCAN_KEPT;
    tile.next = THScanTile_nextRows(scan, &tile, segments, x + tile.ahead);
    for (int k = 0; k < TH_SCAN_LINES; k++) {
        tile.offset[k] = k < segments ? *offset : tile.offset[k - 1];
        if (k < segments)
            scan->loops->join(1, totals + k, offset);
    }
    scanRows(scan, &tile, 0, segments, x, to, true, true);
}

/* n elements of a line from a segment's first on; if not 0, `ahead` is what is read next. */
static void scanLine(const THScanJob *scan, THScanRoom *room, int64_t n, const char *in, char *out,
                     THScanTotal offset, int64_t ahead)
{
    const THDim *along = &scan->lines.along;
    if (scan->loops->kept && !scan->loops->runsOn && n >= 2 * TH_SCAN_SEGMENT) {
        const THScanTile tile = tileOfSegments(scan, room);
        while (n >= 2 * TH_SCAN_SEGMENT) {
            const int64_t segments = THSize_min(n / TH_SCAN_SEGMENT, TH_SCAN_LINES);
            THScanTotal totals[TH_SCAN_LINES];
            addTotals(scan, &tile, segments, in, totals, tile.kept);
            scanKept(scan, &tile, segments, in, out, totals, &offset);
            n -= segments * TH_SCAN_SEGMENT;
            in += segments * TH_SCAN_SEGMENT * along->in;
            out += segments * TH_SCAN_SEGMENT * along->out[0];
        }
    }
    if (n == 0)
        return;
    THScanTile tile = tileAlong(scan, room, TH_SCAN_LINE, n, 0, 0);
    if (scan->loops->kept || !scan->directIn || !scan->streamed)
        tile.columns = TH_SCAN_SEGMENT;
    tile.ahead = ahead ? ahead : TH_STREAM_AHEAD / THDtype_size(scan->lines.dtype) * along->in;
    tile.isWhole = false;
    room->running[0] = offset;
    scanRows(scan, &tile, 0, 1, in, out, true, true);
}

/* At most `count` short lines, as many as are staged at once; returns how many. */
static int64_t scanShortLines(const THScanJob *scan, THScanRoom *room, int64_t count,
                              const char *in, char *out)
{
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    const int64_t n = along->size, lines = THSize_min(count, TH_SCAN_STAGED / 8 / n);
    char *const stageIn = room->stageIn, *const stageOut = room->stageOut;
    const int64_t lineStride = scan->directIn ? column->in : n * THDtype_size(scan->from);
    const bool direct = scan->directOut && column->out[0] == n * THDtype_size(scan->to);
    if (!scan->directIn)
        THScanJob_load(scan, lines, column->in, n, along->in, in, stageIn, stageOut);
    scan->loops->shortLines(lines, n, scan->directIn ? in : stageIn, lineStride,
                            THDtype_size(scan->from), direct ? out : stageOut);
    if (!direct)
        THScanJob_store(scan, lines, column->out[0], n, along->out[0], out, stageOut, stageIn);
    return lines;
}

/* How many of the lines that are left are scanned side by side, or 0. */
static int64_t sideBySide(const THScanJob *scan, bool isWhole, int64_t left)
{
    const THScanLoops *loops = scan->loops;
    const bool isLong = scan->lines.along.size >= TH_SCAN_BLOCK;
    if (!loops->kept && !loops->runsOn && scan->streamed && !isWhole && THMachine_readsInTurn)
        return 0; /* whole numbers wait for nothing */
    const int64_t few = !loops->kept || scan->loops->runsOn ? 2 : isLong ? 6 : 4;
    return left < few ? 0 : THSize_min(left, TH_SCAN_LINES);
}

/* Whether lines are read and written where they are, up to three at once: those whose elements are
 * beside each other, and products, which wait for the element before anyway. */
static bool takesFew(const THScanJob *scan, int64_t count)
{
    const bool isAdjacent = scan->directIn && scan->directOut;
    const bool few = !isAdjacent || (count > 1 && count < FEW_LINES);
    return scan->asIs && !scan->streamed && (scan->isBeside || (scan->loops->runsOn && few));
}

/* Asks for the lines that are scanned after the next ones where several lie in a page: what is read
 * and written of all of them in turn is no stream that the processor follows. */
static void askForLines(const THScanJob *scan, int64_t lines, const char *in, const char *out)
{
    const THDim *column = &scan->lines.column;
    THMove_ask(in + 2 * lines * column->in, lines * column->in);
    THMove_ask(out + 2 * lines * column->out[0], lines * column->out[0]);
}

/* `count` neighbours. */
static void scanLines(const THScanJob *scan, THScanRoom *room, int64_t count, const char *in,
                      char *out)
{
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    while (along->size <= TH_SCAN_SHORT && count > 0) {
        const int64_t lines = scanShortLines(scan, room, count, in, out);
        in += lines * column->in;
        out += lines * column->out[0];
        count -= lines;
    }
    for (int64_t lines; count > 0 && takesFew(scan, count); count -= lines) {
        const THScanSteps steps = {along->in, along->out[0], column->in, column->out[0]};
        lines = count == 1 || count == TH_SCAN_FEW ? count : 2;
        scan->loops->few(along->size, lines, &steps, in, out);
        in += lines * column->in;
        out += lines * column->out[0];
    }
    if (count <= 1) {
        if (count == 1)
            scanLine(scan, room, along->size, in, out, scan->loops->identity, 0);
        return;
    }
    THScanTile tile =
        tileAlong(scan, room, TH_SCAN_SIDE_BY_SIDE, along->size, column->in, column->out[0]);
    tile.ahead = tile.isWhole ? TH_SCAN_LINES * column->in : tile.columns * along->in;
    bool isFirst = true;
    for (int64_t lines; count > 0; count -= lines) {
        lines = sideBySide(scan, tile.isWhole, count);
        if (lines) {
            const bool isLast = !tile.isWhole || !sideBySide(scan, true, count - lines);
            if (scan->asksForLines)
                askForLines(scan, lines, in, out);
            tile.next = THScanTile_nextRows(scan, &tile, lines, in + lines * column->in);
            scanRows(scan, &tile, 0, lines, in, out, isFirst || !tile.isWhole, isLast);
            isFirst = isLast;
        } else {
            lines = 1;
            scanLine(scan, room, along->size, in, out, scan->loops->identity, 0);
        }
        in += lines * column->in;
        out += lines * column->out[0];
    }
}

static void lineRange(int64_t begin, int64_t end, void *context)
{
    const THScanJob *scan = context;
    const THDim *column = &scan->lines.column;
    THScanRoom room;
    for (int64_t i = begin; i < end;) {
        char *out[TH_DIM_OUTPUTS];
        const int64_t first = i % column->size;
        const char *in = THLines_at(&scan->lines, i / column->size, out);
        const int64_t count = THSize_min(column->size - first, end - i);
        scanLines(scan, &room, count, in + first * column->in, out[0] + first * column->out[0]);
        i += count;
    }
    if (scan->streamed)
        THMove_fence();
}

static void passOn(const THScanJob *scan, int64_t block, THScanTotal offset)
{
    scan->chain->offset = offset;
    __atomic_store_n(&scan->chain->known, block + 1, __ATOMIC_RELEASE);
}

/* Block i, of n elements, by its totals if they can be joined with what is before them. */
static void scanBlock(const THScanJob *scan, THScanRoom *room, const THScanTile *tile, int64_t i,
                      int64_t n)
{
    const THScanLoops *loops = scan->loops;
    const THDim *along = &scan->lines.along;
    const char *in = scan->in + i * TH_SCAN_BLOCK * along->in;
    char *out = scan->out + i * TH_SCAN_BLOCK * along->out[0];
    THScanTotal totals[TH_SCAN_LINES];
    bool joins = n == TH_SCAN_BLOCK &&
                 i >= __atomic_load_n(&scan->chain->until, __ATOMIC_RELAXED) &&
                 addTotals(scan, tile, TH_SCAN_LINES, in, totals, loops->kept ? tile->kept : NULL);
    TH_await(&scan->chain->known, i);
    THScanTotal offset = scan->chain->offset, next = offset;
    joins = joins && i >= scan->chain->until && loops->join(TH_SCAN_LINES, totals, &next);
    if (joins)
        passOn(scan, i, next);
    if (joins && loops->kept) {
        scanKept(scan, tile, TH_SCAN_LINES, in, out, totals, &offset);
        return;
    }
    THScanJob own = *scan;
    own.streamed = scan->streamed && !loops->runsOn; /* each element waits anyway */
    scanLine(&own, room, n, in, out, offset, tile->ahead);
    if (!joins) {
        if (i >= scan->chain->until)
            __atomic_store_n(&scan->chain->until, i + 1 + TH_SCAN_PATIENCE, __ATOMIC_RELAXED);
        passOn(scan, i, room->running[0]);
    }
}

/* Blocks in the order of the line, by all threads that take part. */
static void blockRange(int64_t begin, int64_t end, void *context)
{
    const THScanJob *scan = context;
    const int64_t size = scan->lines.along.size, blocks = (size - 1) / TH_SCAN_BLOCK + 1;
    THScanRoom room;
    THScanTile tile = tileOfSegments(scan, &room);
    tile.ahead *= THThreads_get(); /* about what this thread takes next */
    (void)begin, (void)end;
    for (int64_t i; (i = __atomic_fetch_add(&scan->chain->taken, 1, __ATOMIC_RELAXED)) < blocks;)
        scanBlock(scan, &room, &tile, i, THSize_min(TH_SCAN_BLOCK, size - i * TH_SCAN_BLOCK));
    if (scan->streamed)
        THMove_fence();
}

/* Line after line, all threads at each. */
static void scanLong(THScanJob *scan)
{
    const THLines *lines = &scan->lines;
    for (int64_t line = 0; line < lines->rows * lines->column.size; line++) {
        char *out[TH_DIM_OUTPUTS];
        const int64_t column = line % lines->column.size;
        scan->in = THLines_at(lines, line / lines->column.size, out) + column * lines->column.in;
        scan->out = out[0] + column * lines->column.out[0];
        THScanChain chain = {.offset = scan->loops->identity};
        scan->chain = &chain;
        TH_parallel_for(THSize_min(THThreads_get(), lines->along.size / TH_SCAN_WORK), 1,
                        blockRange, scan);
    }
}

/* Whether short lines of 8-byte elements that are scanned in turn, since each element waits for the
 * one before, are asked for; `bytes` are read and written in all. */
static bool asksForLines(const THScanJob *scan, int64_t bytes)
{
    const THLines *lines = &scan->lines;
    const int64_t line = lines->along.size * 8;
    const bool inTurn = scan->loops->kept || scan->loops->runsOn;
    return THMachine_asksSecond && !THMachine_asksForWrites && inTurn && !scan->streamed &&
           scan->directIn && scan->directOut && THDtype_size(scan->from) == 8 &&
           bytes >= ASKED_BYTES && line <= ASKED_LINE && lines->column.in == line &&
           lines->column.out[0] == line;
}

static int scanAlong(THScanJob *scan, int64_t bytes)
{
    const THLines *lines = &scan->lines;
    const THDim *along = &lines->along;
    const int64_t count = lines->rows * lines->column.size, outSize = THDtype_size(scan->to);
    scan->asIs = scan->directIn && scan->directOut;
    scan->directIn = scan->directIn && (along->in == THDtype_size(scan->from) || along->size == 1);
    scan->directOut = scan->directOut && (along->out[0] == outSize || along->size == 1);
    /* Rows of more than one part share their first and last line with others, which short ones that
     * end within one would pay for (300 float32: 6.0 ms, streamed 7.2; Xeon). Machines that wait
     * for what is written gain by results of 8 bytes alone (1000 float64: 10.6 ms, so 6.6;
     * float32 8.4, so 9.1). */
    const int64_t row = along->size * outSize;
    const bool isRun =
        lines->column.out[0] == row && (row <= TH_SCAN_STREAMED || row % TH_LINE_BYTES == 0);
    const bool isLight = THMachine_asksForWrites && outSize < 8;
    scan->streamed = scan->streamed && scan->directOut && along->size > TH_SCAN_SHORT && !isLight &&
                     (isRun || row >= 2 * TH_SCAN_STREAMED);
    scan->streamed =
        scan->streamed && (count > 1 || scan->loops->totals); /* else it waits anyway */
    scan->asksForLines = asksForLines(scan, bytes);
    if (along->size >= 2 * TH_SCAN_WORK && scan->loops->totals &&
        (scan->loops->runsOn ? count == 1 : count < THThreads_get())) {
        scanLong(scan);
        return TH_OK;
    }
    /* Several products take about as long as one, in lanes as many as there are. */
    const bool together = scan->isBeside || (scan->asIs && !scan->streamed && scan->loops->runsOn);
    if (together && along->size > TH_SCAN_WORK / TH_SCAN_FEW)
        TH_parallel_items(count,
                          count >= TH_SCAN_LINES * THThreads_get() ? TH_SCAN_LINES : TH_SCAN_FEW,
                          lineRange, scan);
    else
        TH_parallel_work(count, along->size, TH_SCAN_WORK, lineRange, scan);
    return TH_OK;
}

int THScan_run(const char *op, const THScanLoops *loops, THDtype from, THDtype to, THTensor *result,
               THTensor *self, int64_t dim)
{
    THScanJob scan;
    const THLines *lines = &scan.lines;
    int status = THTensor_resizeOutputAs(op, result, self);
    if (status != TH_OK || !THLines_init(&scan.lines, &result, 1, self, dim))
        return status;
    scan.loops = loops;
    scan.from = from;
    scan.to = to;
    const int64_t bytes = THTensor_nElement(self) *
                          (THDtype_size(lines->dtype) + THDtype_size(lines->resultDtype[0]));
    scan.isFar = THMachine_isFar(bytes, FAR_BYTES);
    scan.inPlace = THTensor_data(result) == THTensor_data(self);
    scan.streamed = bytes >= THMachine_streamFrom && !scan.inPlace;
    scan.directIn = lines->dtype == from;
    scan.directOut = lines->resultDtype[0] == to;
    const THDim *along = &lines->along, *column = &lines->column;
    const bool isWithin = column->size > 1 && along->size > 1 && THDim_isWithin(column, along);
    const bool isAdjacent = column->in == THDtype_size(lines->dtype);
    const bool isFew = isAdjacent ? column->size <= PAIR && along->size > TH_SCAN_SEGMENT
                                  : column->size < FEW_COLUMNS && along->size >= 4 * FEW_COLUMNS;
    scan.isBeside = isWithin && isFew;
    if (isWithin && !scan.isBeside)
        return THScanJob_across(&scan);
    return scanAlong(&scan, bytes);
}
