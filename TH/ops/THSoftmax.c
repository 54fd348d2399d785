/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The chapter softmax: the loops of a dtype run along lines, or across them where the dim is not
 * the innermost one. Which, and by which tiles, is decided here. */
#include <TH/TH.h>
#include <TH/THEngine.h>
#include <TH/THMachine.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THSoftmaxing.h>

/* Elements of whole lines or tiles that are worth a thread's while (on two 256 x 100 float32: 19.0
 * us, so 12.4; Xeon of the fifth generation). */
#define LINE_WORK (TH_SOFTMAX_WORK / 2)
/* Columns of a tile that are worth a thread's while, and with fewer elements in all than MUCH:
 * cores wait for lines of the caches that another one has written, in every row, of terms that
 * become results in their place twice. */
#define SHARE 64
#define SHARE_AWAITED 128 /* ... of machines that wait for what is written */
#define SHARE_OF_LITTLE 128
#define SHARE_OF_TERMS 512
#define MUCH (8 * TH_SOFTMAX_WORK)
#define EVEN 8 /* tiles for each thread, from which on one more does not count */
/* Columns of a tile that is staged: at least, where there are so many, and the bytes of one that
 * may have fewer. */
#define STAGED_COLUMNS 64
#define NEAR_BYTES 24576
/* Columns of lines too long to be staged that take longer across. */
#define NARROW_BYTES 64
#define BLOCK_COLUMNS 48 /* of a row that is staged with others at most */
#define BLOCK_BYTES 3072 /* ... if it could be read where it lies */
/* Bytes of a line of a tile that one loop takes at least: by calls for each element of them 100
 * blocks of 32 x 32 float32 take 90 us, so 53; 50 of 100 x 20 148, so 95 (Xeon of the fifth
 * generation). */
#define TILE_LEAST 48
/* ... and of all of one that is read where it lies, at most: of larger ones rows are. */
#define TILE_BYTES (48 << 10)
/* Columns of one that would else be staged along lines, and of its blocks, if there are several. */
#define TILE_COLUMNS 10
#define TILE_BLOCK 5
/* Rows of which some are one step: more than are staged. */
#define GROUPED (TH_SOFTMAX_STAGED / STAGED_COLUMNS)
/* Elements of such a step at least, where a call converts them: fewer are converted sooner along
 * the dim (33333 x 3 float16: 183 us, so 107; EPYC 9004). */
#define CONVERTED_LEAST 80
/* Bytes of a row that is gathered with others. */
#define GATHERED_LEAST 16
/* Elements of a line that is shared among threads, by pieces; more columns are taken together. */
#define LONG (2 * TH_SOFTMAX_WORK)
#define LONG_COLUMNS 4
/* Rows of columns that are worked on in pieces, elements of all of them, and bytes of a row. */
#define PIECES_LEAST 4096
#define PIECES_MUCH (1 << 20)
#define PIECES_ROW 32
#define LINE_BYTES 1024 /* of lines that are streamed alone, at least */

/* Columns of a tile whose results are streamed: at least, and of one that has more bytes, so that
 * it need not be read from memory again. */
#define FAR_COLUMNS 128
#define FAR_TILE (4 << 20)
/* Terms that are written first, and then divided, stay near in tiles of so many bytes: they are not
 * streamed (10 x 900000 float64: 21.5 ms, so 17.0; EPYC 9004), unless a Xeon would read so much to
 * write it (1500 x 7000 float32: 16 ms, so 14.2), or an EPYC 9005 (1250 x 8000: 8.6 ms, so 5.4). */
#define FAR_AGAIN (2 * TH_SECOND_BYTES)
#define FAR_WRITTEN (64 << 20)
/* Bytes of a tile of our own that stays in the second cache (100 x 100000 float32: 10 ms, so 7.4;
 * Xeon of the fifth generation), and of one worth its while. */
#define HELD_BYTES (1 << 19)
#define LEAST_HELD 4096
/* Bytes of a row of a tile that does not stay in the second cache, for which lines are asked for
 * there (3162 x 3162 float32: 20.5 ms, so 13.8; EPYC 9004; 10.4, so 7.4; EPYC 9005). */
#define ASKED_ROW 2048

/* Few rows of much are cut into tiles for all threads, as wide as each other. `twice`: terms are
 * where results will be. */
static int64_t tileWidth(int64_t columns, int64_t rows, int64_t size, bool twice)
{
    const int64_t all = rows * columns * size;
    const int64_t threads = all >= 2 * TH_SOFTMAX_WORK ? THThreads_get() : 1;
    const int64_t share = ((columns + threads - 1) / threads + 15) / 16 * 16;
    const int64_t awaited = twice ? 2 * SHARE_AWAITED : SHARE_AWAITED;
    const int64_t much = THMachine_asksForWrites ? awaited : SHARE;
    const int64_t least = all >= MUCH ? much : twice ? SHARE_OF_TERMS : SHARE_OF_LITTLE;
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

/* Are rows across lines one after the other, in the tensor that is read ... */
static bool isAdjacentIn(const THLines *lines)
{
    const int64_t item = THDtype_size(lines->dtype);
    return lines->column.in == item && lines->along.in == item * lines->column.size;
}

/* ... and in the result? */
static bool isAdjacentOut(const THLines *lines)
{
    const int64_t item = THDtype_size(lines->resultDtype[0]);
    return lines->column.out[0] == item && lines->along.out[0] == item * lines->column.size;
}

static bool isAdjacent(const THLines *lines)
{
    return isAdjacentIn(lines) && isAdjacentOut(lines);
}

/* Do the loops of a tile leave out few of the lanes? */
static bool fillsLanes(int64_t columns)
{
    return columns >= TH_SOFTMAX_LANES && TH_SOFTMAX_PADDED(columns) <= columns + columns / 4;
}

/* Few columns of few elements are staged with those of other rows. */
static void takeBlocks(THSoftmax *softmax)
{
    THLines *lines = &softmax->lines;
    const int64_t size = lines->column.size,
                  bytes = lines->along.size * THDtype_size(softmax->compute);
    const bool isEnough = (softmax->tiles && fillsLanes(size)) ||
                          (size > TH_SOFTMAX_LANES && size * bytes >= BLOCK_BYTES);
    const bool asTheyLie = softmax->directIn && softmax->directOut && isEnough;
    if (asTheyLie || size > BLOCK_COLUMNS || lines->outer.count == 0 ||
        lines->along.size * STAGED_COLUMNS > TH_SOFTMAX_STAGED)
        return;
    softmax->others = lines->outer.dim[--lines->outer.count];
    lines->rows /= softmax->others.size;
    softmax->width = THSize_min(TH_SOFTMAX_COLUMNS / size, softmax->others.size) * size;
    softmax->staged = true;
    softmax->lies = softmax->tiles && isEnough && isAdjacent(lines) &&
                    softmax->others.in == lines->along.size * lines->along.in &&
                    softmax->others.out[0] == lines->along.size * lines->along.out[0];
}

/* Are results across lines so many that they are better streamed? Of long rows, which are read
 * again and again, sooner where others share the last cache (100 x 22500 float32 by one thread: 1.7
 * ms, so .95; EPYC 9005), by two threads not as soon. */
static bool isMuch(int64_t all, int64_t row)
{
    if (!THMachine_readsInTurn || row < ASKED_ROW)
        return all >= THMachine_streamFrom;
    return (THThreads_get() == 1 ? all / 2 * 3 : all / 5 * 6) >= THMachine_streamFrom;
}

/* Whether results across lines are streamed, and how: rows of a tile, or all of one whose rows are
 * adjacent; with terms that are kept where they stay near. */
static void planFar(THSoftmax *softmax, int64_t all)
{
    const THDim *along = &softmax->lines.along;
    const int64_t size = THDtype_size(softmax->compute), column = along->size * size;
    const int64_t row = softmax->width * size, fit = HELD_BYTES / column;
    const bool wide = softmax->width >= FAR_COLUMNS;
    softmax->waits = row < LINE_BYTES && along->out[0] == row && row * along->size >= LEAST_HELD &&
                     softmax->width <= fit;
    softmax->keeps = softmax->loops->ofTerms && (wide ? FAR_COLUMNS <= fit : softmax->waits);
    const bool again = softmax->loops->ofTerms && column * FAR_COLUMNS <= FAR_AGAIN &&
                       !(THMachine_asksForWrites && all >= FAR_WRITTEN) && !THMachine_readsInTurn;
    softmax->streamed = softmax->waits || softmax->keeps || (wide && !again);
    if (softmax->keeps && softmax->width > fit)
        softmax->width = fit / 16 * 16;
    softmax->asks = softmax->streamed && !softmax->keeps &&
                    (THMachine_asksSecond || THMachine_readsInTurn) &&
                    column * softmax->width > TH_SECOND_BYTES;
    if (softmax->streamed && column * softmax->width > FAR_TILE)
        softmax->width = THSize_min(softmax->width, softmax->asks ? ASKED_ROW / size : FAR_COLUMNS);
}

/* How many rows of few columns are one step: a row alone does not fill the lanes, and takes a call
 * to be converted (softmax of dim 0 of 7700 x 13 float32: 490 us, so 95; 2000 x 50 float16
 * 400 us, so 190; EPYC 7003). Rows of wider ones, and of elements that are no neighbours, are
 * gathered (12500 of 8 of 11 float32: 287 us, so 61; Xeon of the fifth generation; of every second
 * of 16 float64: 494 us, so 70; EPYC 9005), unless they are so short that whole lines are. */
static int64_t groupOf(const THSoftmax *softmax)
{
    const THDim *along = &softmax->lines.along, *column = &softmax->lines.column;
    const bool isShared = along->size >= LONG && column->size < LONG_COLUMNS;
    const int64_t item = THDtype_size(softmax->lines.dtype);
    const bool areLong = along->size > TH_SOFTMAX_BLOCK || column->size * item >= GATHERED_LEAST;
    if (!(areLong || isAdjacentIn(&softmax->lines)) || !isAdjacentOut(&softmax->lines) ||
        column->size <= 1 || along->size <= GROUPED || isShared)
        return 1;
    int64_t group = TH_SOFTMAX_LANES;
    while (group > 1 && group * column->size > TH_SOFTMAX_COLUMNS)
        group /= 2;
    const bool isFew =
        softmax->lines.dtype != softmax->compute && group * column->size < CONVERTED_LEAST;
    return group >= TH_SOFTMAX_LEAST_GROUP && !isFew ? group : 1;
}

/* Are columns so long, and so much, that some rows of all of them are one thread's at a time
 * (softmax of dim 0 of 10^6 x 10 float32: 12.6 ms, so 11.1, by two threads 13.3, so 5.6; Xeon of
 * the fifth generation)? By sizes alone, as bits depend on it. */
static bool areInPieces(const THSoftmax *softmax)
{
    const int64_t size = softmax->lines.along.size, columns = softmax->lines.column.size;
    const int64_t most = softmax->loops->ofTerms ? TH_SOFTMAX_COLUMNS : FAR_COLUMNS - 1;
    return softmax->across && size >= PIECES_LEAST && size * columns >= PIECES_MUCH &&
           columns <= most && columns * THDtype_size(softmax->compute) >= PIECES_ROW;
}

/* Is a tile of such lines worth a loop of its own? */
static bool isTile(const THSoftmax *softmax)
{
    const int64_t n = softmax->lines.along.size;
    return n <= TH_SOFTMAX_STEPS && n * THDtype_size(softmax->compute) >= TILE_LEAST;
}

/* Are columns so few that they take longer across lines than these take along? */
static bool isNarrow(const THSoftmax *softmax)
{
    const THLines *lines = &softmax->lines;
    const int64_t n = lines->along.size, columns = lines->column.size;
    const int64_t few =
        n <= TH_SOFTMAX_BLOCK ? TH_SOFTMAX_LANES : NARROW_BYTES / THDtype_size(softmax->compute);
    const int64_t worth = lines->outer.count > 0 ? TILE_BLOCK : TILE_COLUMNS;
    return columns < few && n >= 4 * TH_SOFTMAX_LANES && !(isTile(softmax) && columns >= worth);
}

static bool goesAcross(const THSoftmax *softmax)
{
    const THDim *along = &softmax->lines.along, *column = &softmax->lines.column;
    const bool isShort = column->size >= 2 * TH_SOFTMAX_LANES &&
                         along->size < TH_SOFTMAX_LANES * 3 / 2 &&
                         along->size < TH_SOFTMAX_PADDED(along->size);
    return isShort || softmax->group > 1 ||
           (column->size > 1 && !isNarrow(softmax) && THDim_isWithin(column, along));
}

/* Is more staged than else: of few columns, and where terms have another dtype than elements? */
static bool stagesMore(const THSoftmax *softmax)
{
    const THLines *lines = &softmax->lines;
    return lines->column.size < STAGED_COLUMNS ||
           (softmax->loops->ofTerms && lines->dtype != softmax->compute);
}

static int64_t mostStaged(const THSoftmax *softmax)
{
    return stagesMore(softmax) ? TH_SOFTMAX_STAGED_LARGE : TH_SOFTMAX_STAGED;
}

/* Across lines or along them, by which loops, from how wide a tile on, and what is read and written
 * as it lies. */
static void planWay(THSoftmax *softmax, const THSoftmaxLoops *loops)
{
    const THLines *lines = &softmax->lines;
    const THDim *along = &lines->along, *column = &lines->column;
    const int64_t itemSize = THDtype_size(softmax->compute);
    softmax->group = groupOf(softmax);
    softmax->across = goesAcross(softmax);
    softmax->loops = loops + softmax->across;
    const THDim *inner = softmax->across ? column : along;
    const bool adjacentIn = inner->in == itemSize || inner->size == 1;
    const bool adjacentOut = inner->out[0] == itemSize || inner->size == 1;
    softmax->directOut = lines->resultDtype[0] == softmax->compute && adjacentOut;
    const bool twice = softmax->loops->ofTerms && softmax->directOut;
    softmax->inPieces = areInPieces(softmax);
    softmax->width = softmax->inPieces ? column->size
                     : softmax->across ? tileWidth(column->size, lines->rows, along->size, twice)
                                       : 1;
    const bool wide =
        column->size > STAGED_COLUMNS && along->size * column->size > mostStaged(softmax);
    if (softmax->width < column->size || (wide && stagesMore(softmax)))
        softmax->group = 1;
    softmax->gathers = softmax->group > 1 && !isAdjacentIn(lines);
    softmax->directIn = lines->dtype == softmax->compute && adjacentIn && !softmax->gathers;
    softmax->tiles = softmax->across && isTile(softmax);
}

/* Staged tiles stay in the nearest cache, with their sums. */
static void narrowStaged(THSoftmax *softmax)
{
    const int64_t n = softmax->lines.along.size;
    const int64_t sums = THSize_min(n, TH_SOFTMAX_LANES) * (int64_t)sizeof(double);
    const int64_t columns = NEAR_BYTES / (n * THDtype_size(softmax->compute) + sums);
    softmax->width =
        THSize_min(softmax->width, columns < STAGED_COLUMNS ? STAGED_COLUMNS : columns / 16 * 16);
    if (softmax->others.size > 1)
        softmax->width -= softmax->width % softmax->lines.column.size;
}

/* Tiles across lines that would move `all` bytes. */
static void planAcross(THSoftmax *softmax, int64_t all)
{
    const THLines *lines = &softmax->lines;
    const THDim *along = &lines->along, *column = &lines->column;
    const int64_t itemSize = THDtype_size(softmax->compute);
    const bool direct = softmax->directIn && softmax->directOut;
    softmax->many = 0;
    softmax->staged = !direct && softmax->group == 1 &&
                      along->size * THSize_min(column->size, STAGED_COLUMNS) <= mostStaged(softmax);
    takeBlocks(softmax);
    if (softmax->staged) {
        narrowStaged(softmax);
        return;
    }
    if (direct && !isNarrow(softmax) && isMuch(all, column->size * itemSize))
        planFar(softmax, all);
    softmax->group = softmax->streamed ? 1 : softmax->group;
    softmax->keeps |= softmax->group > 1 && softmax->loops->ofTerms && !softmax->directOut &&
                      along->size * column->size <= TH_SOFTMAX_STAGED_LARGE;
    softmax->width = evenWidth(softmax->width, column->size, lines->rows, along->size);
    softmax->tiles &=
        direct && !softmax->streamed && softmax->width * along->size * itemSize <= TILE_BYTES;
}

/* Lines, or parts of them. */
static void planAlong(THSoftmax *softmax, int64_t all)
{
    const THDim *along = &softmax->lines.along, *column = &softmax->lines.column;
    const bool ofTerms = softmax->loops->ofTerms;
    const bool direct = softmax->directIn && softmax->directOut;
    /* Terms that are kept need not be computed again (10^7 float64 on a Xeon: 26 ms, so 20). */
    const bool kept = ofTerms && THMachine_asksForWrites && along->size >= LONG;
    const int64_t bytes = along->size * THDtype_size(softmax->compute);
    const bool linesWhole = column->out[0] == bytes || bytes >= LINE_BYTES;
    softmax->streamed = direct && linesWhole && all >= THMachine_streamFrom && !kept;
    const bool whole =
        along->size <= TH_SOFTMAX_BLOCK || (direct && (ofTerms || softmax->streamed));
    softmax->many = !whole ? 0
                    : along->size > TH_SOFTMAX_TERMS
                        ? 1
                        : TH_SOFTMAX_TERMS / TH_SOFTMAX_PADDED(along->size);
    if (softmax->streamed && softmax->many > THMove_rowsOfLines(bytes))
        softmax->many -= softmax->many % THMove_rowsOfLines(bytes);
    softmax->staged = whole && !direct;
    softmax->keeps =
        !whole && ofTerms && !softmax->directOut && along->size <= TH_SOFTMAX_STAGED_LARGE;
}

/* Which loops, and by which tiles. */
static void plan(THSoftmax *softmax, const THSoftmaxLoops *loops, THDtype compute)
{
    const THLines *lines = &softmax->lines;
    const int64_t all =
        2 * lines->along.size * lines->column.size * lines->rows * THDtype_size(compute);
    softmax->compute = compute;
    softmax->streamed = softmax->waits = softmax->keeps = softmax->asks = false;
    softmax->lies = false;
    softmax->others.size = 1;
    softmax->far = THMachine_isLarge(all, TH_FAR_BYTES);
    planWay(softmax, loops);
    if (softmax->inPieces)
        return;
    if (softmax->across)
        planAcross(softmax, all);
    else
        planAlong(softmax, all);
    const bool inTile = softmax->across ? softmax->staged || softmax->waits || softmax->keeps
                                        : softmax->keeps || (softmax->streamed && loops->ofTerms);
    softmax->isLarge = inTile && lines->along.size * softmax->width > TH_SOFTMAX_STAGED;
    softmax->perRow = (THSoftmax_columns(softmax) + softmax->width - 1) / softmax->width;
}

static int run(const char *op, const THSoftmaxLoops *loops, THDtype compute, THTensor *result,
               THTensor *self, int64_t dim)
{
    THSoftmax softmax;
    const int status = THTensor_resizeOutputAs(op, result, self);
    if (status != TH_OK || !THLines_init(&softmax.lines, &result, 1, self, dim))
        return status;
    plan(&softmax, loops, compute);
    if (softmax.inPieces)
        return THSoftmax_shareColumns(&softmax);
    if (!softmax.across && softmax.lines.along.size >= LONG)
        return THSoftmax_shareLines(&softmax);
    TH_parallel_work(softmax.perRow * softmax.lines.rows, softmax.lines.along.size * softmax.width,
                     LINE_WORK, THSoftmax_tiles, &softmax);
    return TH_OK;
}

#define TH_GENERIC_FILE "TH/generic/softmax.h"
#include <TH/THGenerateFloatTypes.h>

#define TH_GENERIC_FILE "TH/generic/softmax.c"
#include <TH/THGenerateFloatTypes.h>
