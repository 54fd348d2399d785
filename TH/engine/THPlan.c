/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Planning: from operands to the fewest dims, a path, and blocks.
 *
 * Dims are ordered so that the first output is written in the order of its memory, dims of size 1
 * are dropped, and neighbours that every operand walks through as one are merged. What is
 * contiguous after that decides the path. */
#include <TH/engine/THRun.h>

/* Where a row is at least this long it is handed to the loop as it is; shorter ones are worth
 * copying together, longer ones too for loops of whole vectors. */
#define LONG_ROW_BYTES 128
#define LONG_ROW 128
#define MOVED_ROW 4 /* of elements that are only moved */
/* The same where one call of the loop takes many rows, in elements where these have up to 2 bytes:
 * the rest of a vector takes as long as some vectors; and of conversions. */
#define TAKEN_ROW_BYTES 32
#define TAKEN_ROW 64
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
/* Elements of as many steps are worth threads earlier, those of a multiple by so much. */
#define COSTLY 20
/* Kernels of fewer steps compute with little integers as they are. */
#define LIGHT_STEPS 8
/* Ranges of direct runs, so that threads find something to share. */
#define DIRECT_BLOCK 65536
/* The same in bytes where one element fills it; of much (TH_SET_BYTES), what the C library's memset
 * is fast for. */
#define FILLED_BYTES 16384
#define FILLED_BYTES_FAR 131072
/* Of fewer bytes it makes no difference whether operands share them. */
#define FEW_BYTES (1 << 20)

/* Bytes between neighbours of operand along dim `dim` of `shape`; -1 where it does not fit. Dims of
 * one element may have any stride, which nobody uses, and so may all where there are no elements.
 */
static int64_t strideAlong(const THTensor *operand, const THTensor *shape, int dim, bool output)
{
    const int own = dim - (shape->nDimension - operand->nDimension);
    if (own < 0)
        return output ? -1 : 0;
    if (operand->size[own] == shape->size[dim])
        return operand->stride[own] * THTensor_itemSize(operand) & INT64_MAX;
    return operand->size[own] == 1 && !output ? 0 : -1;
}

static int shapeError(const THKernel *kernel, const THTensor *operand, const THTensor *shape)
{
    return THError(TH_ERROR_VALUE, "%s: shape %s does not broadcast to %s", kernel->name,
                   THTensor_sizeDesc(operand).str, THTensor_sizeDesc(shape).str);
}

/* Sizes and strides of all dims but those of size 1. */
static int readShapes(THPlan *plan, THTensor *const *operands)
{
    const THTensor *shape = operands[0];
    int n = 0;

    for (int k = 0; k < plan->noperands; k++)
        if (operands[k]->nDimension > shape->nDimension)
            return shapeError(plan->kernel, operands[k], shape);
    plan->elements = 1;
    for (int d = 0; d < shape->nDimension; d++) {
        for (int k = 0; k < plan->noperands; k++) {
            plan->stride[k][n] = strideAlong(operands[k], shape, d, k < plan->kernel->noutputs);
            if (plan->stride[k][n] < 0)
                return shapeError(plan->kernel, operands[k], shape);
        }
        plan->elements *= shape->size[d];
        plan->size[n] = shape->size[d];
        n += shape->size[d] != 1;
    }
    if (n == 0) {
        plan->size[n] = 1;
        for (int k = 0; k < plan->noperands; k++)
            plan->stride[k][n] = THTensor_itemSize(operands[k]);
        n = 1;
    }
    plan->nDimension = n;
    return TH_OK;
}

void THPlan_swapDims(THPlan *plan, int a, int b)
{
    const int64_t size = plan->size[a];
    plan->size[a] = plan->size[b];
    plan->size[b] = size;
    for (int k = 0; k < plan->noperands; k++) {
        const int64_t stride = plan->stride[k][a];
        plan->stride[k][a] = plan->stride[k][b];
        plan->stride[k][b] = stride;
    }
}

/* Whether dim a, now outside of b, belongs inside: the first operand that is broadcast along
 * neither and tells them apart decides. */
static bool belongsInside(const THPlan *plan, int a, int b)
{
    for (int k = 0; k < plan->noperands; k++) {
        const int64_t along = plan->stride[k][a], other = plan->stride[k][b];
        if (along != 0 && other != 0 && along != other)
            return along < other;
    }
    return false;
}

static void sortDims(THPlan *plan)
{
    for (int i = 1; i < plan->nDimension; i++)
        for (int d = i; d > 0 && belongsInside(plan, d - 1, d); d--)
            THPlan_swapDims(plan, d - 1, d);
}

static bool areOne(const THPlan *plan, int outer, int inner)
{
    for (int k = 0; k < plan->noperands; k++)
        if (plan->stride[k][outer] != plan->stride[k][inner] * plan->size[inner])
            return false;
    return true;
}

static void mergeDims(THPlan *plan)
{
    int last = 0;
    for (int d = 1; d < plan->nDimension; d++) {
        const bool merge = areOne(plan, last, d);
        const int64_t size = merge ? plan->size[last] * plan->size[d] : plan->size[d];
        last += !merge;
        plan->size[last] = size;
        for (int k = 0; k < plan->noperands; k++)
            plan->stride[k][last] = plan->stride[k][d];
    }
    plan->nDimension = last + 1;
}

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

/* The least multiple of `unit` elements of the result that is whole lines of the cache. */
static int64_t unitOfLines(const THPlan *plan, int64_t unit)
{
    const int64_t lines = TH_LINE_BYTES / THDtype_size((THDtype)plan->dtype[0]);
    const int64_t common = THSize_min(unit & -unit, lines);
    return unit * (lines / common);
}

/* Blocks of staged operands: whole rows where rows are short, and a multiple of the longest period
 * that fits, so that what repeats is loaded once; whole lines, too, where these fit: lines that two
 * blocks shared would be read before they are streamed (10^7 float32 in rows of 3 and a row: 5.3
 * ms, so 3.9; Xeon). */
static void divideStaged(THPlan *plan, int64_t length)
{
    const int64_t row = plan->size[plan->nDimension - 1];
    const int64_t limit = stagedLimit(plan);
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
    if (unitOfLines(plan, unit) <= limit)
        unit = unitOfLines(plan, unit);
    plan->block = THSize_min(length, limit / unit * unit);
}

/* Whether a call of the loop takes many rows, whose ragged ends do not take long. */
static bool isForRows(const THPlan *plan)
{
    return plan->kernel->flags & TH_KERNEL_ROWS && plan->kernel->cost < TH_COSTLY_STEPS;
}

/* The same of costly ones: there are whole vectors, of which little is left. */
static bool isWhole(const THPlan *plan)
{
    const int64_t widest = THPlan_widestElement(plan), row = plan->size[plan->nDimension - 1];
    return plan->kernel->flags & TH_KERNEL_ROWS && row * widest >= 2 * TAKEN_ROW_BYTES &&
           row % (TAKEN_ROW_BYTES / widest) * RAGGED_PART <= row;
}

/* Of how many elements they must be. Of few rows at a time each must be worth a call, and so must
 * rows of several sizes of elements: the smallest decide how many are taken at a time. */
static int64_t takenRow(const THPlan *plan)
{
    const int64_t widest = THPlan_widestElement(plan);
    bool few = plan->nDimension > 2 && plan->size[plan->nDimension - 2] < FEW_TAKEN;
    for (int k = 0; k < plan->noperands; k++)
        few |= THDtype_size((THDtype)plan->kernel->dtype[k]) < widest;
    if (few)
        return THSize_min(LONG_ROW, LONG_ROW_BYTES / widest);
    return widest <= 2 ? TAKEN_ROW : TAKEN_ROW_BYTES / widest;
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
    return calledRow(plan, LONG_ROW_BYTES);
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

bool THPlan_isSame(const THPlan *plan, int a, int b)
{
    bool same = plan->data[a] == plan->data[b];
    for (int d = 0; d < plan->nDimension && same; d++)
        same = plan->stride[a][d] == plan->stride[b][d];
    return same;
}

/* Whether operand k may stand for another one, or another one for it. */
static bool isTwice(const THPlan *plan, int k)
{
    for (int j = plan->kernel->noutputs; j < plan->noperands; j++)
        if (j != k && THPlan_isSame(plan, j, k))
            return true;
    return false;
}

uint32_t THPlan_columns(const THPlan *plan)
{
    const THKernel *kernel = plan->kernel;
    uint32_t known =
        kernel->paramsSize > 0 ? spreadAlong(plan) & kernel->single & ~plan->convert : 0;
    for (uint32_t left = known & ~plan->single; left != 0; left &= left - 1)
        if (isTwice(plan, __builtin_ctz(left)))
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

/* Which inner dims the blocks run over: the innermost alone where its rows are long and can be used
 * as they are, else as many as it takes to fill a block. */
static void planBlocks(THPlan *plan)
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
    if (repeats && row >= REPEATED_LEAST) {
        plan->path = TH_PATH_STAGED;
        plan->rows = 1;
        planRows(plan, spread & ~plan->single);
        return;
    }
    if (isMixed(plan, needed, spread)) {
        plan->path = TH_PATH_STAGED;
        plan->single = plan->column = spread;
        plan->mixed = plan->convert;
        plan->rows = 1;
        planRows(plan, plan->convert & ~spread);
        return;
    }
    const uint32_t columns = repeats ? 0 : THPlan_columns(plan);
    const bool column = columns != 0 && (needed & ~columns) == 0 && row >= columnRow(plan);
    if (column)
        needed = THPlan_takeColumns(plan, columns);
    const bool direct = (needed & (plan->convert | ~spread)) == 0;
    int64_t length = row;

    plan->rows = 1;
    plan->path = needed == 0 && plan->nDimension == 1 ? TH_PATH_CONTIGUOUS : TH_PATH_STAGED;
    if (direct && (column || plan->nDimension == 1 ||
                   row >= (needed ? spreadRow(plan) : blockLimit(plan) / 2))) {
        planRows(plan, needed);
        return;
    }
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

int64_t THPlan_shares(const THPlan *plan)
{
    const int64_t cost = plan->kernel->cost, times = cost < COSTLY ? 1 : cost / COSTLY;
    bool floating = false;
    int64_t widest = 1;
    for (int k = 0; k < plan->noperands; k++) {
        const THDtype dtype = (THDtype)plan->dtype[k];
        const int64_t size = THDtype_size(dtype);
        if (!(plan->single >> k & 1) && size > widest)
            widest = size;
        floating |= THDtype_category(dtype) == TH_CATEGORY_FLOATING;
    }
    if (widest < TH_THREAD_WORD && (floating || cost >= LIGHT_STEPS) && !THPlan_moves(plan))
        widest = TH_THREAD_WORD;
    return plan->elements / (TH_THREAD_BYTES / widest / times);
}

static void planThreads(THPlan *plan)
{
    const int64_t most = THPlan_shares(plan);
    plan->items = plan->blocks;
    for (int d = 0; d < plan->outer; d++)
        plan->items *= plan->size[d];
    plan->threads = most > 1 ? (int)THSize_min(THThreads_get(), most) : 1;
}

/* What the operands are, but for their shapes. */
static void readOperands(THPlan *plan, THTensor *const *operands, const uint8_t *via)
{
    const THKernel *kernel = plan->kernel;

    plan->noperands = kernel->noutputs + kernel->ninputs;
    plan->convert = plan->tiled = plan->staged = plan->column = plan->mixed = 0;
    plan->wide = 0;
    plan->strided = false;
    plan->single = THKernel_single(kernel, operands);
    for (int k = 0; k < plan->noperands; k++) {
        plan->dtype[k] = operands[k]->dtype;
        plan->via[k] = via ? via[k] : plan->dtype[k];
        plan->data[k] = THTensor_data(operands[k]);
        if (plan->single >> k & 1)
            plan->data[k] = THKernel_element(operands[k], (THDtype)kernel->dtype[k], plan->via + k,
                                             plan->element + k);
        else if (plan->dtype[k] != kernel->dtype[k] || plan->dtype[k] != plan->via[k])
            plan->convert |= 1u << k;
    }
}

/* In each dim, as many elements as one lies behind the other are not shared. */
int64_t THPlan_bytesShared(const THPlan *plan, int a, int b)
{
    const int64_t size = THDtype_size((THDtype)plan->dtype[a]);
    int64_t left = plan->data[b] - plan->data[a], shared = size;
    if (size != THDtype_size((THDtype)plan->dtype[b]))
        return 0;
    for (int d = 0; d < plan->nDimension && shared > 0; d++) {
        const int64_t stride = plan->stride[a][d];
        if (stride != plan->stride[b][d])
            return 0;
        if (stride == 0)
            continue;
        const int64_t steps = (left + (left < 0 ? -stride : stride) / 2) / stride;
        left -= steps * stride;
        shared *= plan->size[d] - THSize_min(steps < 0 ? -steps : steps, plan->size[d]);
    }
    return left == 0 ? shared : 0;
}

/* The same of an input and any one before it. */
static int64_t bytesReadBefore(const THPlan *plan, int k)
{
    int64_t most = 0;
    for (int j = plan->kernel->noutputs; j < k; j++) {
        const int64_t shared = THPlan_bytesShared(plan, j, k);
        most = shared > most ? shared : most;
    }
    return most;
}

/* What the operands are in memory: what is broadcast is read there once, as is what several are,
 * and what lies between rows that are written comes along with them. */
static int64_t bytesOf(const THPlan *plan)
{
    int64_t bytes = 0;
    bool fits = true;

    for (int k = 0; k < plan->noperands; k++) {
        const int64_t size = THDtype_size((THDtype)plan->dtype[k]);
        int64_t own = size, span = size;
        for (int d = 0; d < plan->nDimension; d++) {
            span += (plan->size[d] - 1) * plan->stride[k][d];
            if (plan->stride[k][d] != 0)
                fits = fits && THSize_mul(own, plan->size[d], &own);
        }
        if (k < plan->kernel->noutputs && span > own)
            fits = fits && THSize_add(own, THSize_min(span - own, own), &own);
        fits = fits && THSize_add(bytes, own, &bytes);
    }
    for (int k = plan->kernel->noutputs + 1; k < plan->noperands && fits && bytes >= FEW_BYTES; k++)
        bytes -= bytesReadBefore(plan, k);
    return fits ? bytes : INT64_MAX;
}

int THPlan_initThrough(THPlan *plan, const THKernel *kernel, THTensor *const *operands,
                       const uint8_t *via)
{
    plan->kernel = kernel;
    plan->bytes = 0;
    readOperands(plan, operands, via);
    const int status = readShapes(plan, operands);
    if (status != TH_OK)
        return status;
    if (plan->elements == 0) {
        plan->path = TH_PATH_EMPTY;
        plan->outer = plan->nDimension;
        plan->block = plan->rows = plan->blocks = plan->items = 0;
        plan->threads = 1;
        return TH_OK;
    }
    sortDims(plan);
    mergeDims(plan);
    plan->bytes = bytesOf(plan);
    if (!THPlan_divideTiles(plan))
        planBlocks(plan);
    planThreads(plan);
    return TH_OK;
}

int THPlan_init(THPlan *plan, const THKernel *kernel, THTensor *const *operands)
{
    return THPlan_initThrough(plan, kernel, operands, NULL);
}
