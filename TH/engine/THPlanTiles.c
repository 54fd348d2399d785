/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Planning tiles: whether inputs that lie transposed to the output are worth them, over which dims
 * they go, and how large they are. */
#include <TH/THMachine.h>
#include <TH/engine/THRun.h>

/* Shorter inner dims are not worth tiles: blocks of whole rows serve them better. */
#define TILE_ROW 16
/* Tiles of shorter rows are staged whole. */
#define TILE_LONG_ROW 64
/* Operands of so many bytes do not stay in the second-level cache, so many lines do. */
#define FAR_BYTES (4 << 20)
#define NEAR_LINES (1 << 14)
/* Tiles of dims that are both shorter go through several. */
#define WIDE_SHORT 32
/* Steps of up to so many elements are gathered faster than tiles of as few rows. */
#define SHORT_STEP 4

/* Lines are read in turn while tiles are run by parts: so many of what is moved, of rows of so many
 * bytes at least, and as many as make longer rows where others are read beside them. */
#define PART_LINES 64
#define PART_BYTES 256
#define PART_BYTES_BESIDE 512
/* Lines that lie so many bytes apart are too many for their sets of the second cache (4096 x 4096
 * float64 transposed: 10.0 ms, by parts 11.5). */
#define SAME_SETS (16 << 10)

/* A dim along which a transposed input lies contiguous; -1 when there is none or rows are too short
 * for tiles. Steps up to `near` elements are none. */
static int transposedDim(const THPlan *plan, int64_t near)
{
    const int inner = plan->nDimension - 1;
    if (plan->size[inner] < TILE_ROW)
        return -1;
    for (int k = plan->kernel->noutputs; k < plan->noperands; k++) {
        const int64_t size = THDtype_size((THDtype)plan->dtype[k]);
        if (plan->stride[k][inner] <= near * size)
            continue;
        for (int d = inner - 1; d >= 0; d--)
            if (plan->stride[k][d] == size)
                return d;
    }
    return -1;
}

/* Whether rows of tiles are long enough for a call each. Of 8 bytes they all are where none is
 * converted, since what is staged takes longer than a call; unless it is `gathered` at once. */
static bool isTiled(const THPlan *plan, bool gathered)
{
    const int64_t row = plan->size[plan->nDimension - 1];
    if (THPlan_moves(plan))
        return true;
    if (plan->kernel->flags & TH_KERNEL_WHOLE_VECTORS)
        return row >= THPlan_longRow(plan);
    const bool wide =
        THPlan_widestElement(plan) == 8 && (plan->convert == 0 || row >= THPlan_longRow(plan));
    return row >= TILE_LONG_ROW || (wide && !gathered);
}

/* Whether an input that is a run along `dim` is better gathered: its lines stay in the second-level
 * cache until all of their elements were read, while the other operands, which do not, are read
 * and written as they lie. */
static bool isGathered(const THPlan *plan, int dim)
{
    int64_t lines = 1;
    for (int d = dim + 1; d < plan->nDimension; d++)
        lines *= plan->size[d];
    return plan->bytes >= FAR_BYTES && lines <= NEAR_LINES;
}

static void moveDim(THPlan *plan, int from, int to)
{
    for (int d = from; d < to; d++)
        THPlan_swapDims(plan, d, d + 1);
}

/* Which operands tiles over the innermost dim and its neighbour transpose, which need more. */
static void sortOperands(THPlan *plan)
{
    const int inner = plan->nDimension - 1;
    plan->staged = plan->convert;
    for (int k = 0; k < plan->noperands; k++) {
        const int64_t size = THDtype_size((THDtype)plan->dtype[k]);
        if (plan->stride[k][inner] == size || plan->single >> k & 1)
            continue;
        plan->staged |= 1u << k;
        if (k >= plan->kernel->noutputs && plan->stride[k][inner] != 0 &&
            plan->stride[k][inner - 1] == size)
            plan->tiled |= 1u << k;
    }
}

static int64_t widestTiled(const THPlan *plan)
{
    int64_t widest = 1;
    for (int k = plan->kernel->noutputs; k < plan->noperands; k++)
        if (plan->tiled >> k & 1 && THDtype_size((THDtype)plan->dtype[k]) > widest)
            widest = THDtype_size((THDtype)plan->dtype[k]);
    return widest;
}

/* Tiles over the innermost dim and its neighbour. */
static void planTiles(THPlan *plan)
{
    const int inner = plan->nDimension - 1;

    plan->path = TH_PATH_TILED;
    plan->outer = inner - 1;
    sortOperands(plan);
    const uint32_t columns = THPlan_columns(plan);
    if (columns != 0)
        plan->staged = (plan->staged & ~columns) | THPlan_takeColumns(plan, columns);
    plan->block = THSize_min(plan->size[inner], TH_BLOCK_LIMIT_ROW);
    const bool direct = THPlan_moves(plan) && plan->staged == plan->tiled;
    const int64_t room = direct ? TH_TILE_ROWS : TH_TILE_BYTES / (plan->block * widestTiled(plan));
    plan->rows = THSize_min(plan->size[inner - 1], THSize_min(TH_TILE_ROWS, room));
    plan->blocks = ((plan->size[inner - 1] - 1) / plan->rows + 1) *
                   ((plan->size[inner] - 1) / plan->block + 1);
}

/* Whether dim `outer` goes on where dim `inner` ends, for all operands in `among`. */
static bool continues(const THPlan *plan, uint32_t among, int outer, int inner)
{
    for (int k = 0; k < plan->noperands; k++)
        if (among >> k & 1 && plan->stride[k][outer] != plan->stride[k][inner] * plan->size[inner])
            return false;
    return true;
}

/* Whether tiles can be as large as the second-level cache holds: the one result takes the place of
 * an input there, which nothing converts. */
static bool isWide(const THPlan *plan)
{
    const int64_t size = THDtype_size((THDtype)plan->dtype[0]);
    for (int k = 1; k < plan->noperands; k++)
        if (plan->tiled >> k & 1 && THDtype_size((THDtype)plan->dtype[k]) != size)
            return false;
    return plan->kernel->noutputs == 1 && plan->convert == 0 && plan->tiled != 0 &&
           __builtin_popcount(plan->tiled) <= TH_WIDE_TILED && plan->staged == plan->tiled;
}

_Static_assert(TH_WIDE_ROOM / TH_WIDE_TILED / TH_WIDE_ROWS - TH_WIDE_LEFT >= 2 * TH_LINE_BYTES,
               "what is left of a row is less than its part");

/* Columns of a tile that is run by parts: as many lines are read at once (a + b.t(), 3162 x 3162
 * float32: 3.6 ms by parts of 128 columns, of 64 4.6; moved, 2.1 and 1.8). */
static int64_t partColumns(const THPlan *plan)
{
    const int64_t size = THDtype_size((THDtype)plan->dtype[0]);
    if (!THPlan_moves(plan))
        return PART_BYTES_BESIDE / size;
    return PART_BYTES / size > PART_LINES ? PART_BYTES / size : PART_LINES;
}

/* Whether tiles gain by parts: those that are only moved; and of what is computed one transposed
 * input beside at most one other, from twice as many bytes on as are streamed, which do not lie in
 * the same memory (uint8 of 30 MB in all takes 1.2 times as long, of 75 0.85; a + a.t() by two
 * threads 1.1). */
static bool gainsByParts(const THPlan *plan)
{
    const bool few = (plan->tiled & (plan->tiled - 1)) == 0 && plan->noperands <= 3;
    const bool isFar = plan->bytes / 2 >= THMachine_streamFrom;
    const bool same = plan->noperands == 3 && plan->data[1] == plan->data[2];
    return THPlan_moves(plan) || (few && isFar && !same);
}

/* Whether tiles are run by parts: lines are read in turn, are long, and do not all fall into the
 * same sets of the second cache. */
static bool haveParts(const THPlan *plan, int64_t rows, int64_t columns)
{
    const int inner = plan->nDimension - 1, k = __builtin_ctz(plan->tiled);
    const int64_t size = THDtype_size((THDtype)plan->dtype[0]), least = partColumns(plan);
    return THMachine_readsInTurn && gainsByParts(plan) && rows * size > TH_WIDE_BYTES &&
           columns > least && plan->size[inner] >= least && plan->stride[k][inner] % SAME_SETS != 0;
}

/* How many rows and columns such tiles have, whose dims begin at `row` and at `column`: more where
 * long runs of memory are read best (10^7 float64 transposed: 5.8 ms, so 5.0; float16 1.7, so 1.2;
 * EPYC 9005). */
static void divideWide(THPlan *plan, int row, int column, int64_t rows, int64_t columns,
                       bool streams)
{
    const int64_t size = THDtype_size((THDtype)plan->dtype[0]), line = TH_LINE_BYTES / size;
    const int64_t inner = plan->size[plan->nDimension - 1];
    const int less = THMachine_readsInTurn ? 1 : 2;
    const int64_t room = TH_WIDE_ROOM / less / __builtin_popcount(plan->tiled);
    plan->path = TH_PATH_TILED;
    plan->outer = row;
    plan->wide = plan->nDimension - column;
    plan->rows = THSize_min(rows, THSize_min(TH_WIDE_ROWS, TH_WIDE_BYTES / size) / less);
    const int64_t bytes = THSize_min(room / plan->rows - TH_WIDE_LEFT, TH_WIDE_ROW_BYTES);
    const int64_t longest = bytes / size / line * line;
    plan->height = plan->rows;
    plan->block = THSize_min(columns, inner < longest ? longest / inner * inner : longest);
    if (streams && haveParts(plan, rows, columns)) {
        plan->height = line;
        plan->block = partColumns(plan);
        plan->rows = THSize_min(rows, TH_WIDE_LONG_ROWS / (THPlan_moves(plan) ? 1 : 2));
    }
    plan->blocks = ((rows - 1) / plan->rows + 1) * ((columns - 1) / plan->block + 1);
}

/* Tiles of many rows, dims of which are one run of what is transposed, and long ones, dims of which
 * are one run of all else. False, with nothing done, where these are not better. */
static bool planWide(THPlan *plan)
{
    if (!THMachine_isLarge(plan->bytes, FAR_BYTES))
        return false;
    const int dim = transposedDim(plan, 1);
    if (dim < 0)
        return false;
    THPlan wide = *plan;
    int column = plan->nDimension - 1, row = column - 1;
    moveDim(&wide, dim, row);
    sortOperands(&wide);
    if (!isWide(&wide))
        return false;
    const uint32_t others = ((1u << plan->noperands) - 1) & ~wide.tiled & ~plan->single;
    int64_t rows = wide.size[row], columns = wide.size[column];
    const bool small = rows < WIDE_SHORT && columns < WIDE_SHORT;
    for (int d = row - 1; d >= 0;) {
        const bool down = continues(&wide, wide.tiled, d, row);
        const bool across = continues(&wide, others, d, column);
        if (down && (rows < columns || !across)) {
            rows *= wide.size[d];
            moveDim(&wide, d, row - 1);
        } else if (across) {
            columns *= wide.size[d];
            moveDim(&wide, d, --column);
        } else {
            d--;
            continue;
        }
        d = --row - 1;
    }
    const bool joins = small && plan->nDimension - row > 2 && plan->bytes >= FAR_BYTES;
    const bool streams = THPlan_streams(&wide, TH_STREAM_BYTES);
    if ((!joins && !streams) || (!THPlan_moves(plan) && columns < TILE_LONG_ROW))
        return false;
    divideWide(&wide, row, column, rows, columns, streams);
    *plan = wide;
    return true;
}

bool THPlan_divideTiles(THPlan *plan)
{
    if (planWide(plan))
        return true;
    const int dim = transposedDim(plan, SHORT_STEP);
    if (dim < 0)
        return false;
    const bool gathered = isGathered(plan, dim), tiled = isTiled(plan, gathered);
    if (tiled || !gathered)
        moveDim(plan, dim, plan->nDimension - 2);
    if (tiled)
        planTiles(plan);
    return tiled;
}
