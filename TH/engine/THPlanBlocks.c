/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Dividing a plan in blocks: which operands are staged, and which rows the loop takes as they lie.
 */
#include <TH/engine/THRun.h>

/* Where a row is at least this long it is handed to the loop as it is; shorter ones are worth
 * copying together, longer ones too for loops of whole vectors. */
#define LONG_ROW_BYTES 128
#define LONG_ROW 128
#define MOVED_ROW 4 /* of elements that are only moved */
/* The same where each call chooses what to do by a number (int32 ** 2 in rows of 50: 40 us, so 26;
 * Xeon). */
#define CHOOSING_ROW_BYTES 256
/* The same where one call of the loop takes many rows, in elements where these have up to 2 bytes:
 * the rest of a vector takes as long as some vectors; what is sooner gathered up to twice as many:
 * bytes that make one run, which is written at once, and elements of 2 bytes beside a number (rows
 * of 50 int16 % 7: 37 us, so 23; Xeon); and of conversions. */
#define TAKEN_ROW_BYTES 32
#define TAKEN_ROW 32
#define TAKEN_ROW_GATHERED 64
#define FEW_TAKEN 8 /* rows: not worth that */
#define CONVERTED_ROW 64
/* Rows are done one by one where operands are converted if so many bytes of others are read and
 * written where they lie, then; and of so many elements, beside a column. */
#define MIXED_ROW_BYTES 1024
#define MIXED_ROW 64
/* Rows of one result are computed as one element from so many on. */
#define REPEATED_LEAST 16
/* Rows of up to so many elements are repeated in a buffer faster than handed over one by one. */
#define REPEATED_ROW 64
#define SPREAD_ROW_BYTES 512
#define COLUMN_ROW_BYTES 384
#define RAGGED_PART 12 /* of a row may be left of vectors where an element takes long */
/* Several inputs that lie apart, among so many bytes, are gathered in turns, each so many bytes of
 * the widest element at once: about as much as a processor has under way, which so waits for all of
 * them at the same time (10^6 float64 of rows of 3 out of 8 added: 3.5 ms, so 2.0; of step 2 to
 * int32 ones 0.98, so 0.45; EPYC 9004; a Xeon, which asks ahead, takes 1.1 times as long, so). Of
 * short elements more: loads wait for the stores that wrote them if these are still under way (10^7
 * uint8 in rows of 13 added: 2.8 ms, so 1.4); and where memory is read in turn (300000 float64 of
 * rows of 3 out of 8: 2.2 ms, so 1.0; by 3072 bytes 2.5; EPYC 9005). */
#define TURNS_FROM_BYTES (12 << 20)
#define TURN_BYTES 1536
#define TURN_BYTES_SHORT 2048
/* Ranges of direct runs, so that threads find something to share. */
#define DIRECT_BLOCK 65536
/* The same in bytes where one element fills it; of much (TH_SET_BYTES), what the C library's memset
 * is fast for. */
#define FILLED_BYTES 16384
#define FILLED_BYTES_FAR 131072
/* Whether the dims from `first` on are one contiguous run of operand k. */
static bool isRun(const THPlan *plan, int k, int first)
{
    int64_t expected = THDtype_size((THDtype)plan->dtype[k]);
    for (int d = plan->nDimension - 1; d >= first; d--) {
        if (plan->stride[k][d] != expected)
            return false;
        expected *= plan->size[d];
    }
    return true;
}

/* The operands that must be staged when blocks run over the dims from `first` on. */
static uint32_t stagedFrom(const THPlan *plan, int first)
{
    uint32_t staged = plan->convert;
    for (int k = 0; k < plan->noperands; k++)
        if (!isRun(plan, k, first) && !(plan->single >> k & 1))
            staged |= 1u << k;
    return staged;
}

int64_t THPlan_period(const THPlan *plan, int k)
{
    int d = plan->outer;
    int64_t period = 1;
    while (d < plan->nDimension && plan->stride[k][d] == 0)
        d++;
    for (; d < plan->nDimension; d++)
        period *= plan->size[d];
    return period;
}

/* Most elements of a block: what its operands take is to stay in the first-level cache. */
static int64_t blockLimit(const THPlan *plan)
{
    for (int k = 0; k < plan->noperands; k++)
        if (THDtype_size((THDtype)plan->kernel->dtype[k]) == 8)
            return TH_BLOCK_LIMIT_STAGED / 2;
    return TH_BLOCK_LIMIT_STAGED;
}

int64_t THPlan_widestElement(const THPlan *plan)
{
    int64_t widest = 1;
    for (int k = 0; k < plan->noperands; k++) {
        const int64_t size = THDtype_size((THDtype)plan->kernel->dtype[k]);
        widest = size > widest ? size : widest;
    }
    return widest;
}

/* The same where staged: as many little elements as a buffer has room for, if none is converted by
 * way of wider ones. Costly ones fill the time of a block soon, and threads share blocks. */
static int64_t stagedLimit(const THPlan *plan)
{
    const int64_t widest = THPlan_widestElement(plan);
    return widest > 2 || plan->convert || plan->kernel->cost >= TH_COSTLY_STEPS
               ? blockLimit(plan)
               : TH_BLOCK_LIMIT_STAGED * 8 / widest;
}

bool THPlan_isSame(const THPlan *plan, int a, int b)
{
    bool same = plan->data[a] == plan->data[b];
    for (int d = 0; d < plan->nDimension && same; d++)
        same = plan->stride[a][d] == plan->stride[b][d];
    return same;
}

/* Whether one of the other inputs before `end` is operand k, too. */
static bool isAmong(const THPlan *plan, int k, int end)
{
    for (int j = plan->kernel->noutputs; j < end; j++)
        if (j != k && THPlan_isSame(plan, j, k))
            return true;
    return false;
}

int64_t THPlan_extent(const THPlan *plan, int k)
{
    int64_t bytes = THDtype_size((THDtype)plan->dtype[k]);
    for (int d = 0; d < plan->nDimension; d++)
        bytes *= plan->stride[k][d] != 0 ? plan->size[d] : 1;
    return bytes;
}

bool THPlan_readsInTurns(const THPlan *plan, uint32_t operands)
{
    int far = 0;
    int64_t span = 0;
    const bool foresees = THMachine_asksAhead && !THMachine_readsInTurn;
    if (foresees || plan->bytes <= 2 * TH_SECOND_BYTES) /* two have more, or share it */
        return false;
    for (int k = plan->kernel->noutputs; k < plan->noperands; k++) {
        if (!(operands >> k & 1) || isAmong(plan, k, k) ||
            THPlan_extent(plan, k) <= TH_SECOND_BYTES)
            continue;
        span += THPlan_span(plan, k);
        far++;
    }
    return far > 1 && span >= TURNS_FROM_BYTES;
}

/* Most elements of a block of staged operands; those of 8 bytes may be gathered beside what is not.
 */
static int64_t stagedMost(const THPlan *plan)
{
    uint32_t gathered = plan->staged;
    for (int k = plan->kernel->noutputs; k < plan->noperands; k++)
        if (plan->staged >> k & 1 && THDtype_size((THDtype)plan->dtype[k]) == 8)
            gathered = ~0U;
    const int64_t widest = THPlan_widestElement(plan);
    const int64_t turn = widest < 4 || THMachine_readsInTurn ? TURN_BYTES_SHORT : TURN_BYTES;
    return THPlan_readsInTurns(plan, gathered) ? turn / widest : stagedLimit(plan);
}

/* Blocks of staged operands: whole rows where rows are short, and a multiple of the longest period
 * that fits, so that what repeats is loaded once; whole lines, too, where these fit: lines that two
 * blocks shared would be read before they are streamed (10^7 float32 in rows of 3 and a row: 5.3
 * ms, so 3.9; Xeon). */
static void divideStaged(THPlan *plan, int64_t length)
{
    const int64_t row = plan->size[plan->nDimension - 1];
    const int64_t limit = stagedMost(plan);
    int64_t unit = row <= limit ? row : 1;

    if (plan->outer == plan->nDimension - 1 && length > limit) {
        const int64_t parts = (length - 1) / limit + 1;
        plan->block = ((length - 1) / parts + 64) / 64 * 64;
        return;
    }
    for (int k = plan->kernel->noutputs; k < plan->noperands; k++) {
        const int64_t period = plan->staged >> k & 1 ? THPlan_period(plan, k) : 1;
        if (period > unit && period <= limit)
            unit = period;
    }
    const int64_t units = THMove_rowsOfLines(unit * THDtype_size((THDtype)plan->dtype[0]));
    if (unit * units <= limit)
        unit *= units;
    plan->block = THSize_min(length, limit / unit * unit);
}

/* Whether a call of the loop takes many rows. */
static bool takesRows(const THPlan *plan)
{
    return plan->kernel->flags & TH_KERNEL_ROWS;
}

/* The same where their ragged ends do not take long. */
static bool isForRows(const THPlan *plan)
{
    return takesRows(plan) && plan->kernel->cost < TH_COSTLY_STEPS;
}

/* The same of costly ones: there are whole vectors, of which little is left. */
static bool isWhole(const THPlan *plan)
{
    const int64_t widest = THPlan_widestElement(plan), row = plan->size[plan->nDimension - 1];
    return takesRows(plan) && row * widest >= 2 * TAKEN_ROW_BYTES &&
           row % (TAKEN_ROW_BYTES / widest) * RAGGED_PART <= row;
}

/* Of how many elements they must be. Of few rows at a time each must be worth a call, and so must
 * rows of several sizes of elements, where the smallest decide how many are taken at a time, but
 * from afar (10^6 float64 in rows of 13 out of 18 compared: 1.1 ms, gathered in turns, so 0.5;
 * EPYC 9004). */
static int64_t takenRow(const THPlan *plan)
{
    const int64_t widest = THPlan_widestElement(plan);
    const bool inTurns = THPlan_readsInTurns(plan, ~0U);
    bool few = plan->nDimension > 2 && plan->size[plan->nDimension - 2] < FEW_TAKEN;
    for (int k = 0; k < plan->noperands && !inTurns; k++)
        few |= THDtype_size((THDtype)plan->kernel->dtype[k]) < widest;
    if (few)
        return THSize_min(LONG_ROW, LONG_ROW_BYTES / widest);
    if (widest > 2)
        return TAKEN_ROW_BYTES / widest;
    const bool isRunOfBytes = widest == 1 && isRun(plan, 0, 0) && !inTurns;
    return isRunOfBytes || (widest == 2 && plan->single != 0) ? TAKEN_ROW_GATHERED : TAKEN_ROW;
}

/* Of how many elements rows are worth a call each, of so many bytes if none takes many of them. */
static int64_t calledRow(const THPlan *plan, int64_t bytes)
{
    return isForRows(plan) || isWhole(plan)
               ? takenRow(plan)
               : THSize_min(LONG_ROW, bytes / THPlan_widestElement(plan));
}

/* From how many elements on rows are converted where they lie: ragged ends take long where
 * elements are small. */
static int64_t convertedRow(const THPlan *plan)
{
    const uint8_t *dtype = plan->kernel->dtype;
    const int64_t to = THDtype_size((THDtype)dtype[0]), from = THDtype_size((THDtype)dtype[1]);
    return THSize_min(to, from) < 4 ? CONVERTED_ROW : CONVERTED_ROW / 2;
}

int64_t THPlan_longRow(const THPlan *plan)
{
    if (THPlan_moves(plan)) /* not by calls */
        return MOVED_ROW;
    if (plan->kernel->flags & TH_KERNEL_COPIES)
        return convertedRow(plan);
    if (plan->kernel->flags & TH_KERNEL_WHOLE_VECTORS)
        return blockLimit(plan) / 8;
    const bool chooses = !takesRows(plan) && plan->single != 0;
    return calledRow(plan, chooses ? CHOOSING_ROW_BYTES : LONG_ROW_BYTES);
}

/* Rows from this length on are worth a call each where an element is spread over a buffer. */
static int64_t spreadRow(const THPlan *plan)
{
    if (THPlan_moves(plan)) /* not by calls, and straight to where it belongs */
        return MOVED_ROW;
    return plan->kernel->flags & TH_KERNEL_WHOLE_VECTORS
               ? blockLimit(plan) / 2
               : SPREAD_ROW_BYTES / THPlan_widestElement(plan);
}

/* Whether blocks, or steps of the outer dims, have other elements of operand k. */
static bool isReloaded(const THPlan *plan, int k)
{
    for (int d = 0; d < plan->outer; d++)
        if (plan->stride[k][d] != 0)
            return true;
    return THPlan_period(plan, k) > blockLimit(plan) / 2;
}

/* Whether all that is staged comes round again within a block, so that it is loaded only once, or
 * is a row that is soon repeated. */
static bool onlyRepeats(const THPlan *plan)
{
    const int inner = plan->nDimension - 1;
    for (int k = 0; k < plan->noperands; k++) {
        if (!(plan->staged >> k & 1))
            continue;
        if (k < plan->kernel->noutputs)
            return false;
        if (isForRows(plan)
                ? isReloaded(plan, k)
                : THPlan_period(plan, k) > blockLimit(plan) / 2 &&
                      (plan->stride[k][inner - 1] != 0 || plan->size[inner] > REPEATED_ROW))
            return false;
    }
    return true;
}

/* Rows of the innermost dim: as they are, or one element of an operand for all of a row. */
static void planRows(THPlan *plan, uint32_t spread)
{
    const int64_t length = plan->size[plan->nDimension - 1];
    plan->outer = plan->nDimension - 1;
    plan->staged = spread;
    /* A single row is divided among threads. */
    const bool divided = spread && (plan->outer == 0 || length > DIRECT_BLOCK);
    const int64_t filled = plan->bytes >= TH_SET_BYTES ? FILLED_BYTES_FAR : FILLED_BYTES;
    const int64_t part =
        THPlan_moves(plan) ? filled / THPlan_widestElement(plan) : blockLimit(plan);
    plan->block = THSize_min(length, divided ? part : DIRECT_BLOCK);
    plan->blocks = (length - 1) / plan->block + 1;
}

/* The inputs that are one element along the innermost dim. */
static uint32_t spreadAlong(const THPlan *plan)
{
    uint32_t spread = 0;
    for (int k = plan->kernel->noutputs; k < plan->noperands; k++)
        if (plan->stride[k][plan->nDimension - 1] == 0)
            spread |= 1u << k;
    return spread;
}

/* The same where the loop reads that element itself. */
static int64_t columnRow(const THPlan *plan)
{
    if (plan->kernel->flags & TH_KERNEL_WHOLE_VECTORS)
        return spreadRow(plan);
    return calledRow(plan, COLUMN_ROW_BYTES);
}

uint32_t THPlan_columns(const THPlan *plan)
{
    const THKernel *kernel = plan->kernel;
    uint32_t known =
        kernel->paramsSize > 0 ? spreadAlong(plan) & kernel->single & ~plan->convert : 0;
    for (uint32_t left = known & ~plan->single; left != 0; left &= left - 1)
        if (isAmong(plan, __builtin_ctz(left), plan->noperands))
            known &= ~(left & -left);
    const uint32_t columns = known & ~plan->single;
    if (columns != 0 && kernel->flags & TH_KERNEL_TOGETHER && known == kernel->single)
        return known;
    return (columns & (columns - 1)) == 0 ? columns : 0;
}

uint32_t THPlan_takeColumns(THPlan *plan, uint32_t columns)
{
    const uint32_t numbers = plan->single & ~columns;
    for (uint32_t left = numbers; left != 0; left &= left - 1) {
        const int k = __builtin_ctz(left);
        plan->dtype[k] = plan->via[k] = plan->kernel->dtype[k];
    }
    plan->single = plan->column = columns;
    return numbers;
}

/* Whether one operand is one element for each row, for which the kernel has a loop, and any inputs
 * are converted: then rows are, each into the first cache, and such elements, many at once. */
static bool isMixed(const THPlan *plan, uint32_t needed, uint32_t spread)
{
    const THKernel *kernel = plan->kernel;
    const int64_t row = plan->size[plan->nDimension - 1];
    const bool direct = !(kernel->flags & (TH_KERNEL_WHOLE_VECTORS | TH_KERNEL_COPIES));
    const int64_t least = plan->convert == spread ? columnRow(plan) : MIXED_ROW;
    return direct && plan->convert != 0 && plan->single == 0 && kernel->paramsSize > 0 &&
           plan->nDimension > 1 && row >= least && row <= DIRECT_BLOCK && spread != 0 &&
           (spread & (spread - 1)) == 0 && (spread & ~kernel->single) == 0 &&
           (plan->convert & ((1u << kernel->noutputs) - 1)) == 0 &&
           (needed & ~(plan->convert | spread)) == 0;
}

static void planStrided(THPlan *plan)
{
    const int inner = plan->nDimension - 1;
    const int64_t row = plan->size[inner];
    plan->path = TH_PATH_STAGED;
    plan->strided = true;
    plan->outer = inner;
    plan->staged = 0;
    plan->rows = 1;
    plan->block = THSize_min(row, blockLimit(plan));
    plan->blocks = (row - 1) / plan->block + 1;
}

/* Bytes of a row of all these operands. */
static int64_t bytesOfRow(const THPlan *plan, uint32_t operands)
{
    int64_t bytes = 0;
    for (int k = 0; k < plan->noperands; k++)
        if (operands >> k & 1)
            bytes += plan->size[plan->nDimension - 1] * THDtype_size((THDtype)plan->dtype[k]);
    return bytes;
}

/* Rows of one result, rows with converted operands among others, or none of these: then false. */
static bool planRowByRow(THPlan *plan, uint32_t needed, uint32_t spread, bool repeats)
{
    const bool isRepeated = repeats && plan->size[plan->nDimension - 1] >= REPEATED_LEAST;
    const bool mixed = !isRepeated && isMixed(plan, needed, spread);
    if (!isRepeated && !mixed)
        return false;
    plan->path = TH_PATH_STAGED;
    plan->rows = 1;
    if (mixed) {
        plan->single = plan->column = spread;
        plan->mixed = plan->convert;
    }
    planRows(plan, mixed ? plan->convert & ~spread : spread & ~plan->single);
    return true;
}

/* Blocks of inner dims, unless rows are as good as these. */
static void planBlocks(THPlan *plan, uint32_t needed)
{
    const int64_t row = plan->size[plan->nDimension - 1];
    int64_t length = row;
    plan->outer = plan->nDimension - 1;
    while (plan->outer > 0 && length < stagedLimit(plan) / 2)
        length *= plan->size[--plan->outer];
    plan->staged = stagedFrom(plan, plan->outer);
    if (plan->convert != 0 && bytesOfRow(plan, plan->staged & ~needed) >= MIXED_ROW_BYTES) {
        plan->outer = plan->nDimension - 1;
        plan->staged = needed;
        length = row;
    }
    if (needed == 0 && row >= THPlan_longRow(plan) && !THPlan_streamsBlocks(plan) &&
        (THPlan_moves(plan) || !onlyRepeats(plan))) {
        planRows(plan, 0);
        return;
    }
    divideStaged(plan, length);
    plan->blocks = (length - 1) / plan->block + 1;
}

void THPlan_divideBlocks(THPlan *plan)
{
    if (THPlan_isTurned(plan))
        THPlan_swapDims(plan, plan->nDimension - 2, plan->nDimension - 1);
    const int64_t row = plan->size[plan->nDimension - 1];
    const uint32_t spread = spreadAlong(plan);
    uint32_t needed = stagedFrom(plan, plan->nDimension - 1);
    if (THPlan_isStrided(plan, needed, spread)) {
        planStrided(plan);
        return;
    }
    const bool repeats = THPlan_repeatsRows(plan);
    if (planRowByRow(plan, needed, spread, repeats))
        return;
    const uint32_t columns = repeats ? 0 : THPlan_columns(plan);
    const bool column = columns != 0 && (needed & ~columns) == 0 && row >= columnRow(plan);
    if (column)
        needed = THPlan_takeColumns(plan, columns);
    const bool direct = (needed & (plan->convert | ~spread)) == 0;
    plan->rows = 1;
    plan->path = needed == 0 && plan->nDimension == 1 ? TH_PATH_CONTIGUOUS : TH_PATH_STAGED;
    if (direct && (column || plan->nDimension == 1 ||
                   row >= (needed ? spreadRow(plan) : blockLimit(plan) / 2)))
        planRows(plan, needed);
    else
        planBlocks(plan, needed);
}
