/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scans over lines of any strides: across lines (rows) where the scanned dim is not the innermost,
 * along them block by block elsewhere, and by blocks of one line in parallel where lines are few
 * and long: each waits for the one before it only between its totals and its results. */
#include <TH/THEngine.h>
#include <TH/THMachine.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THLines.h>
#include <TH/ops/THScanning.h>

#include <string.h>

#define WORK 32768 /* elements worth a thread's while */
/* Elements of which threads take a part of each row: cores wait for lines of the caches that
 * another one has written or looked ahead to, in every row. */
#define WORK_BY_COLUMNS (16 * WORK)
#define COLUMNS 4096 /* of a tile of rows at most; their totals stay in the second cache */
/* Where lines of the caches are asked for before they are written: of how many bytes in all, and
 * the columns of a part. */
#define FAR_BYTES (4 << 20)
#define ASKED 256
/* Of results of a row, what is staged at once, what is streamed at once, and of all rows with the
 * lines that they share. */
#define PART_BYTES 2048
#define STREAM_BYTES 1024
#define STAGED_BYTES (TH_SCAN_ROWS * PART_BYTES + 1024)
#define SHORT_ROW 64  /* elements of a row that is not worth a call */
#define MANY_TILES 16 /* of such rows, which threads share */
#define STAGED_TILE (STAGED_BYTES / (int64_t)sizeof(THScanTotal)) /* elements */
#define FEW_COLUMNS 8 /* that are not adjacent, so that along them takes less time */

/* A line that all threads are at. */
typedef struct Chain {
    THScanTotal offset;   /* before the first block whose totals are not known yet */
    int64_t taken, known; /* atomic: blocks that threads have begun with, whose totals are known */
    int64_t until;        /* atomic: blocks before this one run on */
} Chain;

typedef struct Scan {
    const THScanLoops *loops;
    THDtype from, to;
    THLines lines;
    bool directIn, directOut; /* what a loop reads or writes is adjacent and of its dtype */
    int64_t width, perRow;    /* columns of a tile, tiles of a row */
    const char *in;           /* one long line ... */
    char *out;
    Chain *chain;      /* ... and how far it is */
    bool isFar;        /* so that lines of the caches are asked for */
    bool streamed;     /* results go past the caches */
    bool inPlace;      /* results are where the elements were */
    THScratch scratch; /* of tiles */
} Scan;

/* The room of a thread. */
typedef struct Room {
    _Alignas(64) char stageIn[STAGED_BYTES], stageOut[STAGED_BYTES];
    THScanTotal running[TH_SCAN_LINES], offset[TH_SCAN_LINES], kept[TH_SCAN_BLOCK];
} Room;

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

/* How a part of a tensor is scanned: as rows, of which each has an element of every line, as rows
 * that are lines or segments of one whose running totals were kept, or as a line. */
typedef enum Way { ACROSS, LINES, KEPT, LINE } Way;

/* Rows of columns: what is scanned at once, and the room for it. */
typedef struct Tile {
    Way way;
    int64_t width, rows, columns; /* the tile's, and of a part */
    int64_t rowIn, rowOut, columnIn, columnOut;
    int64_t pitch, ahead; /* bytes from row to row of staged results, to what is read next */
    bool isWhole;         /* results are one run, streamed as such */
    char *stageIn, *stageOut;
    THScanTotal *running, *offset;
    THScanTotal *kept; /* where the way is KEPT */
} Tile;

/* What is staged at once of rows of a width. */
static void setParts(const Scan *scan, Tile *tile, int64_t width)
{
    const int64_t outSize = THDtype_size(scan->to);
    const int64_t size = scan->directOut ? THDtype_size(scan->from) : outSize;
    const int64_t most = scan->streamed ? STREAM_BYTES / outSize : PART_BYTES / size;
    tile->width = width;
    tile->columns = THSize_min(width, most);
    tile->isWhole = width <= most && tile->rowOut == width * outSize;
    tile->rows = TH_SCAN_ROWS;
    if (tile->way == ACROSS && width > most && !scan->streamed) { /* parts of about the same size */
        const int64_t parts = (width - 1) / most + 1, even = (width - 1) / parts + 1;
        tile->columns = (even + 15) & -16;
    }
    if (tile->way == ACROSS && (tile->isWhole || !scan->streamed))
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

/* Lines that are not there are the last one. */
static void setLines(int64_t rows, const char *x, int64_t step, const void **lines)
{
    for (int k = 0; k < TH_SCAN_LINES; k++)
        lines[k] = x + THSize_min(k, rows - 1) * step;
}

static void setResults(int64_t rows, char *results, int64_t step, void **lines)
{
    for (int k = 0; k < TH_SCAN_LINES; k++)
        lines[k] = results + THSize_min(k, rows - 1) * step;
}

static void callLoop(const Scan *scan, const Tile *tile, int64_t index, int64_t rows, int64_t first,
                     int64_t columns, const char *x, int64_t step, char *results,
                     int64_t resultStep)
{
    const THScanLoops *loops = scan->loops;
    const void *lines[TH_SCAN_LINES];
    void *resultLines[TH_SCAN_LINES];
    switch (tile->way) {
    case ACROSS:
        loops->rows(rows, columns, index, x, step, results, resultStep, tile->running + first,
                    tile->offset + first);
        return;
    case LINES:
        setLines(rows, x, step, lines);
        setResults(rows, results, resultStep, resultLines);
        loops->lines(columns, index, lines, resultLines, tile->running, tile->offset);
        return;
    case KEPT:
        setResults(rows, results, resultStep, resultLines);
        loops->kept(columns, tile->kept + index * TH_SCAN_LINES, tile->offset, resultLines);
        return;
    case LINE:
        loops->line(columns, x, results, tile->running);
        return;
    }
}

/* What a loop reads of a part: as it lies, or staged. */
static const char *readPart(const Scan *scan, const Tile *tile, int64_t rows, int64_t columns,
                            const char *x, int64_t *step)
{
    *step = tile->rowIn;
    if (scan->directIn)
        return x;
    *step = columns * THDtype_size(scan->from);
    loadRows(scan, rows, tile->rowIn, columns, tile->columnIn, x, tile->stageIn, tile->stageOut);
    return tile->stageIn;
}

/* At most a part: from an index of lines and a column on; whether it is the first one or the last
 * one of its rows or, where these are one run, of that. */
static void scanPart(const Scan *scan, const Tile *tile, int64_t index, int64_t rows, int64_t first,
                     int64_t columns, const char *x, char *to, bool isFirst, bool isLast)
{
    const int64_t bytes = columns * THDtype_size(scan->to);
    int64_t step = 0;
    const char *from = tile->way == KEPT ? NULL : readPart(scan, tile, rows, columns, x, &step);
    if (scan->directOut && !scan->streamed) {
        callLoop(scan, tile, index, rows, first, columns, from, step, to, tile->rowOut);
        return;
    }
    if (!scan->streamed) {
        callLoop(scan, tile, index, rows, first, columns, from, step, tile->stageOut, bytes);
        storeRows(scan, rows, tile->rowOut, columns, tile->columnOut, to, tile->stageOut,
                  tile->stageIn);
        return;
    }
    char *const line = tile->stageOut + TH_LINE_BYTES;
    char *const results = line + (uintptr_t)to % TH_LINE_BYTES;
    callLoop(scan, tile, index, rows, first, columns, from, step, results, tile->pitch);
    /* Adjacent rows are one run; what is read next is asked for meanwhile. */
    const int64_t some = tile->isWhole ? tile->rows / TH_SCAN_ROWS : 1;
    const bool asks = THMachine_asksAhead();
    for (int64_t r = 0; r < rows; r += some) {
        const int64_t count = THSize_min(some, rows - r);
        char *place = to + r * tile->rowOut, *part = results + r * tile->pitch;
        for (int64_t i = r; asks && i < r + count; i++)
            THMove_prefetch(x + tile->ahead + i * tile->rowIn, columns * tile->columnIn, false);
        if (tile->isWhole)
            streamPart(place, part, count * bytes, isFirst && r == 0, isLast && r + count == rows,
                       line);
        else
            streamPart(place, part, bytes, isFirst, isLast,
                       part - (uintptr_t)place % TH_LINE_BYTES);
    }
}

static void scanTile(const Scan *scan, int64_t index, Tile *tile)
{
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    const int64_t first = index % scan->perRow * scan->width, n = along->size;
    const bool asks = THMachine_asksForWrites && scan->isFar && scan->directOut;
    char *out[TH_DIM_OUTPUTS];
    const char *in = THLines_at(&scan->lines, index / scan->perRow, out) + first * column->in;
    char *to = out[0] + first * column->out[0];

    setParts(scan, tile, THSize_min(scan->width, column->size - first));
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
            scanPart(scan, tile, row, rows, c, columns, x + c * column->in,
                     results + c * column->out[0], tile->isWhole ? row == 0 : c == 0,
                     tile->isWhole ? row + rows == n : c + columns == tile->width);
        }
    }
}

static void tileRange(int64_t begin, int64_t end, void *context)
{
    Scan *scan = context;
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    const int64_t totals = TH_SCAN_ROOM(scan->width);
    char *memory = THScratch_take(&scan->scratch);
    THScanTotal *state = (THScanTotal *)(void *)(memory + 2 * STAGED_BYTES);
    Tile tile = {.way = ACROSS,
                 .rowIn = along->in,
                 .rowOut = along->out[0],
                 .columnIn = column->in,
                 .columnOut = column->out[0],
                 .stageIn = memory,
                 .stageOut = memory + STAGED_BYTES,
                 .running = state,
                 .offset = state + totals};
    for (int64_t i = begin; i < end; i++)
        scanTile(scan, i, &tile);
    THScratch_give(memory);
    if (scan->streamed)
        THMove_fence();
}

/* ---- tiles of short rows, many in a call of the loop ---------------------------------------- */

/* Neither are results where elements are that are still to be read (see scanAcross). */
static bool readsTiles(const Scan *scan)
{
    return scan->directIn && !scan->inPlace;
}

static bool isNarrow(const Scan *scan)
{
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    const int64_t tile = column->size * along->size;
    return column->size < SHORT_ROW && along->size <= TH_SCAN_SEGMENT &&
           scan->lines.rows >= MANY_TILES &&
           (tile <= STAGED_TILE || (readsTiles(scan) && scan->directOut));
}

/* Elements of tiles to where they are adjacent (from `in`), or results from there (to `out`). Tiles
 * whose rows follow each other are moved as one. */
static void moveTiles(const Scan *scan, int64_t count, const char *in, char *out, Room *room)
{
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    const THDim *tile = &scan->lines.outer.dim[scan->lines.outer.count - 1];
    const int64_t n = along->size, step = in ? tile->in : tile->out[0];
    const bool joined = step == n * (in ? along->in : along->out[0]);
    const int64_t rows = joined ? count * n : n;
    const int64_t bytes = n * column->size * THDtype_size(in ? scan->from : scan->to);
    for (int64_t i = 0; i < (joined ? 1 : count); i++) {
        if (in)
            loadRows(scan, rows, along->in, column->size, column->in, in + i * step,
                     room->stageIn + i * bytes, room->stageOut);
        else
            storeRows(scan, rows, along->out[0], column->size, column->out[0], out + i * step,
                      room->stageOut + i * bytes, room->stageIn);
    }
}

static void narrowRange(int64_t begin, int64_t end, void *context)
{
    const Scan *scan = context;
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
    Room room;
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

static int scanAcross(Scan *scan)
{
    const THDim *column = &scan->lines.column;
    const int64_t outSize = THDtype_size(scan->to);
    scan->directIn = scan->directIn && column->in == THDtype_size(scan->from);
    scan->directOut = scan->directOut && column->out[0] == outSize;
    if (isNarrow(scan)) {
        const int64_t tile = column->size * scan->lines.along.size;
        TH_parallel_items(scan->lines.rows, 1 + WORK / tile, narrowRange, scan);
        return TH_OK;
    }
    /* Short rows are not written right where the next one is read: that would wait for the store.
     */
    scan->directOut = scan->directOut && !(scan->inPlace && column->size < SHORT_ROW);
    const int64_t tiles = (column->size + COLUMNS - 1) / COLUMNS;
    const int64_t all = scan->lines.rows * column->size * scan->lines.along.size;
    const bool isShared = all >= WORK_BY_COLUMNS;
    const int64_t threads = isShared ? THThreads_get() : 1;
    const int64_t shares = (threads + scan->lines.rows - 1) / scan->lines.rows;
    scan->width = (column->size - 1) / (tiles > shares ? tiles : shares) + 1;
    scan->width = THSize_min((scan->width + 15) & -16, column->size);
    scan->streamed = scan->streamed && scan->directOut &&
                     (scan->width * outSize >= TH_STREAM_BYTES ||
                      scan->lines.along.out[0] == column->size * outSize);
    scan->perRow = (column->size + scan->width - 1) / scan->width;
    const int64_t count = scan->perRow * scan->lines.rows;
    const int64_t grain = 1 + WORK / (scan->width * scan->lines.along.size);
    const int64_t totals = 2 * TH_SCAN_ROOM(scan->width) * (int64_t)sizeof(THScanTotal);
    const int status = THScratch_open(&scan->scratch, count, grain, 2 * STAGED_BYTES + totals);
    if (status == TH_OK)
        TH_parallel_items(count, grain, tileRange, scan);
    THScratch_close(&scan->scratch);
    return status;
}

/* ---- along lines ------------------------------------------------------------------------- */

/* For rows that are `rowIn` and `rowOut` bytes apart. */
static Tile tileAlong(const Scan *scan, Room *room, Way way, int64_t width, int64_t rowIn,
                      int64_t rowOut)
{
    const THDim *along = &scan->lines.along;
    Tile tile = {.way = way,
                 .rowIn = rowIn,
                 .rowOut = rowOut,
                 .columnIn = along->in,
                 .columnOut = along->out[0],
                 .stageIn = room->stageIn,
                 .stageOut = room->stageOut,
                 .running = room->running,
                 .offset = room->offset,
                 .kept = room->kept};
    setParts(scan, &tile, width);
    if (scan->directIn && scan->directOut && !scan->streamed)
        tile.columns = TH_SCAN_SEGMENT;
    return tile;
}

/* The elements of up to TH_SCAN_LINES lines that are a tile's rows, from an index on. */
static void scanRows(const Scan *scan, const Tile *tile, int64_t index, int64_t rows, const char *x,
                     char *to, bool isFirst, bool isLast)
{
    for (int64_t c = 0; c < tile->width; c += tile->columns) {
        const int64_t columns = THSize_min(tile->columns, tile->width - c);
        scanPart(scan, tile, index + c, rows, 0, columns, x + c * tile->columnIn,
                 to + c * tile->columnOut, isFirst && c == 0, isLast && c + columns == tile->width);
    }
}

/* Of up to TH_SCAN_LINES segments; false where they cannot be joined. */
static bool addTotals(const Scan *scan, const Tile *tile, int64_t segments, const char *x,
                      THScanTotal *totals, THScanTotal *kept)
{
    bool joins = true;
    for (int k = 0; k < TH_SCAN_LINES; k++)
        totals[k] = scan->loops->identity;
    for (int64_t c = 0; c < TH_SCAN_SEGMENT; c += tile->columns) {
        const void *lines[TH_SCAN_LINES];
        int64_t step;
        const char *from =
            readPart(scan, tile, segments, tile->columns, x + c * tile->columnIn, &step);
        setLines(segments, from, step, lines);
        joins = scan->loops->totals(tile->columns, lines, totals,
                                    kept ? kept + c * TH_SCAN_LINES : NULL) &&
                joins;
    }
    return joins;
}

static Tile tileOfSegments(const Scan *scan, Room *room)
{
    const THDim *along = &scan->lines.along;
    Tile tile = tileAlong(scan, room, LINES, TH_SCAN_SEGMENT, TH_SCAN_SEGMENT * along->in,
                          TH_SCAN_SEGMENT * along->out[0]);
    tile.ahead = TH_SCAN_BLOCK * along->in;
    return tile;
}

/* Segments of a line side by side, from their totals and the offset of the first one on. */
static void scanKept(const Scan *scan, const Tile *segmentsTile, int64_t segments, const char *x,
                     char *to, const THScanTotal *totals, THScanTotal *offset)
{
    Tile tile = *segmentsTile;
    tile.way = KEPT;
    for (int k = 0; k < TH_SCAN_LINES; k++) {
        tile.offset[k] = k < segments ? *offset : tile.offset[k - 1];
        if (k < segments)
            scan->loops->join(1, totals + k, offset);
    }
    scanRows(scan, &tile, 0, segments, x, to, true, true);
}

/* n elements of a line from a segment's first on; if not 0, `ahead` is what is read next. */
static void scanLine(const Scan *scan, Room *room, int64_t n, const char *in, char *out,
                     THScanTotal offset, int64_t ahead)
{
    const THDim *along = &scan->lines.along;
    if (scan->loops->kept && !scan->loops->runsOn && n >= 2 * TH_SCAN_SEGMENT) {
        const Tile tile = tileOfSegments(scan, room);
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
    Tile tile = tileAlong(scan, room, LINE, n, 0, 0);
    if (scan->loops->kept || !scan->directIn || !scan->streamed)
        tile.columns = TH_SCAN_SEGMENT;
    tile.ahead = ahead ? ahead : TH_STREAM_AHEAD / THDtype_size(scan->lines.dtype) * along->in;
    tile.isWhole = false;
    room->running[0] = offset;
    scanRows(scan, &tile, 0, 1, in, out, true, true);
}

/* At most `count` short lines, as many as are staged at once; returns how many. */
static int64_t scanShortLines(const Scan *scan, Room *room, int64_t count, const char *in,
                              char *out)
{
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    const int64_t n = along->size, lines = THSize_min(count, STAGED_BYTES / 8 / n);
    char *const stageIn = room->stageIn, *const stageOut = room->stageOut;
    const int64_t lineStride = scan->directIn ? column->in : n * THDtype_size(scan->from);
    const bool direct = scan->directOut && column->out[0] == n * THDtype_size(scan->to);
    if (!scan->directIn)
        loadRows(scan, lines, column->in, n, along->in, in, stageIn, stageOut);
    scan->loops->shortLines(lines, n, scan->directIn ? in : stageIn, lineStride,
                            THDtype_size(scan->from), direct ? out : stageOut);
    if (!direct)
        storeRows(scan, lines, column->out[0], n, along->out[0], out, stageOut, stageIn);
    return lines;
}

/* How many of the lines that are left are scanned side by side, or 0. */
static int64_t sideBySide(const Scan *scan, int64_t left)
{
    const THScanLoops *loops = scan->loops;
    const bool isLong = scan->lines.along.size >= TH_SCAN_BLOCK;
    const int64_t few = !loops->kept || scan->loops->runsOn ? 2 : isLong ? 6 : 4;
    return left < few ? 0 : THSize_min(left, TH_SCAN_LINES);
}

/* `count` neighbours. */
static void scanLines(const Scan *scan, Room *room, int64_t count, const char *in, char *out)
{
    const THDim *along = &scan->lines.along, *column = &scan->lines.column;
    while (along->size <= TH_SCAN_SHORT && count > 0) {
        const int64_t lines = scanShortLines(scan, room, count, in, out);
        in += lines * column->in;
        out += lines * column->out[0];
        count -= lines;
    }
    if (count <= 1) {
        if (count == 1)
            scanLine(scan, room, along->size, in, out, scan->loops->identity, 0);
        return;
    }
    Tile tile = tileAlong(scan, room, LINES, along->size, column->in, column->out[0]);
    tile.ahead = tile.isWhole ? TH_SCAN_LINES * column->in : tile.columns * along->in;
    bool isFirst = true;
    for (int64_t lines; count > 0; count -= lines) {
        lines = sideBySide(scan, count);
        if (lines) {
            const bool isLast = !tile.isWhole || !sideBySide(scan, count - lines);
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
    const Scan *scan = context;
    const THDim *column = &scan->lines.column;
    Room room;
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

static void passOn(const Scan *scan, int64_t block, THScanTotal offset)
{
    scan->chain->offset = offset;
    __atomic_store_n(&scan->chain->known, block + 1, __ATOMIC_RELEASE);
}

/* Block i, of n elements, by its totals if they can be joined with what is before them. */
static void scanBlock(const Scan *scan, Room *room, const Tile *tile, int64_t i, int64_t n)
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
    Scan own = *scan;
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
    const Scan *scan = context;
    const int64_t size = scan->lines.along.size, blocks = (size - 1) / TH_SCAN_BLOCK + 1;
    Room room;
    Tile tile = tileOfSegments(scan, &room);
    tile.ahead *= THThreads_get(); /* about what this thread takes next */
    (void)begin, (void)end;
    for (int64_t i; (i = __atomic_fetch_add(&scan->chain->taken, 1, __ATOMIC_RELAXED)) < blocks;)
        scanBlock(scan, &room, &tile, i, THSize_min(TH_SCAN_BLOCK, size - i * TH_SCAN_BLOCK));
    if (scan->streamed)
        THMove_fence();
}

/* Line after line, all threads at each. */
static void scanLong(Scan *scan)
{
    const THLines *lines = &scan->lines;
    for (int64_t line = 0; line < lines->rows * lines->column.size; line++) {
        char *out[TH_DIM_OUTPUTS];
        const int64_t column = line % lines->column.size;
        scan->in = THLines_at(lines, line / lines->column.size, out) + column * lines->column.in;
        scan->out = out[0] + column * lines->column.out[0];
        Chain chain = {.offset = scan->loops->identity};
        scan->chain = &chain;
        TH_parallel_for(THSize_min(THThreads_get(), lines->along.size / WORK), 1, blockRange, scan);
    }
}

static int scanAlong(Scan *scan)
{
    const THLines *lines = &scan->lines;
    const THDim *along = &lines->along;
    const int64_t count = lines->rows * lines->column.size, outSize = THDtype_size(scan->to);
    scan->directIn = scan->directIn && (along->in == THDtype_size(scan->from) || along->size == 1);
    scan->directOut = scan->directOut && (along->out[0] == outSize || along->size == 1);
    scan->streamed =
        scan->streamed && scan->directOut && along->size > TH_SCAN_SHORT &&
        (along->size * outSize >= STREAM_BYTES || lines->column.out[0] == along->size * outSize);
    scan->streamed =
        scan->streamed && (count > 1 || scan->loops->totals); /* else it waits anyway */
    if (along->size >= 2 * WORK && scan->loops->totals &&
        (scan->loops->runsOn ? count == 1 : count < THThreads_get())) {
        scanLong(scan);
        return TH_OK;
    }
    TH_parallel_items(count, 1 + WORK / along->size, lineRange, scan);
    return TH_OK;
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
    const int64_t bytes = THTensor_nElement(self) *
                          (THDtype_size(lines->dtype) + THDtype_size(lines->resultDtype[0]));
    scan.isFar = THMachine_isFar(bytes, FAR_BYTES);
    scan.inPlace = THTensor_data(result) == THTensor_data(self);
    scan.streamed = bytes >= THMachine_streamFrom && !scan.inPlace;
    scan.directIn = lines->dtype == from;
    scan.directOut = lines->resultDtype[0] == to;
    const THDim *along = &lines->along, *column = &lines->column;
    const bool isFew = column->size < FEW_COLUMNS && along->size >= 4 * FEW_COLUMNS &&
                       column->in != THDtype_size(lines->dtype);
    if (column->size > 1 && along->size > 1 && THDim_isWithin(column, along) && !isFew)
        return scanAcross(&scan);
    return scanAlong(&scan);
}
