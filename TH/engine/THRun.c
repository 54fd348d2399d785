/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Running blocks: every operand of a block is either passed as it lies in memory or loaded into a
 * buffer, the loop runs, and staged outputs are stored. A block reads all its inputs before it
 * writes, so that exact in-place operation is right. Blocks that are rows of the innermost dim are
 * handed over as such; THRunSteps.c has blocks along strided operands, THRunCopy.c what is only
 * moved. */
#include <TH/engine/THRun.h>

#include <string.h>

#define SPREAD_MOST TH_BLOCK_LIMIT_STAGED /* elements */

void THCursor_set(THCursor *self, const THPlan *plan, int64_t position)
{
    memcpy(self->base, plan->data, sizeof(char *) * (size_t)plan->noperands);
    for (int d = plan->outer - 1; d >= 0; d--) {
        self->index[d] = position % plan->size[d];
        position /= plan->size[d];
        for (int k = 0; k < plan->noperands; k++)
            self->base[k] += self->index[d] * plan->stride[k][d];
    }
}

void THCursor_next(THCursor *self, const THPlan *plan)
{
    for (int d = plan->outer - 1; d >= 0; d--) {
        if (++self->index[d] < plan->size[d]) {
            for (int k = 0; k < plan->noperands; k++)
                self->base[k] += plan->stride[k][d];
            return;
        }
        self->index[d] = 0;
        for (int k = 0; k < plan->noperands; k++)
            self->base[k] -= plan->stride[k][d] * (plan->size[d] - 1);
    }
}

void THStage_loadOnce(const THPlan *plan, int k, char *base, int64_t at, int64_t n, THStage *stage,
                      uint32_t repeated)
{
    const int64_t place = repeated >> k & 1 ? 0 : at;
    if (stage->loadedFrom[k] == base && stage->loadedAt[k] == place && stage->loaded[k] >= n)
        return;
    THStage_load(plan, k, base, at, n, stage->buffer[k], stage->raw);
    stage->loadedFrom[k] = base;
    stage->loadedAt[k] = place;
    stage->loaded[k] = n;
}

/* The first staged input that is the same as k, in every element. */
static int firstLike(const THPlan *plan, int k)
{
    for (int j = plan->kernel->noutputs; j < k; j++)
        if (plan->staged >> j & 1 && plan->dtype[j] == plan->dtype[k] &&
            plan->kernel->dtype[j] == plan->kernel->dtype[k] && THPlan_isSame(plan, j, k))
            return j;
    return k;
}

void THRun_askLater(const THRun *run, int k, const char *base, int64_t at, int64_t n)
{
    const THPlan *plan = run->plan;
    const int64_t row = plan->outer == plan->nDimension - 1 ? 1 : plan->size[plan->nDimension - 1];
    const int64_t stride = plan->stride[k][plan->outer];
    THMove_ask(base + at / row * stride + run->ahead, n / row * stride);
}

static void runBlock(const THRun *run, char *const *base, int64_t at, int64_t n, THStage *stage,
                     uint32_t repeated)
{
    const THPlan *plan = run->plan;
    const THKernel *kernel = plan->kernel;
    void *data[TH_MAX_OPERANDS];

    if (plan->staged && THPlan_moves(plan)) {
        THRun_copyBlock(run, base, at, n, stage, repeated);
        return;
    }
    for (int k = 0; k < plan->noperands; k++) {
        if (!(plan->staged >> k & 1)) {
            data[k] = base[k] + at * THPlan_step(plan, k);
            continue;
        }
        data[k] = stage->buffer[k];
        if (k < kernel->noutputs)
            continue;
        const int first = firstLike(plan, k);
        if (first < k) {
            data[k] = data[first];
            continue;
        }
        if (run->asked >> k & 1)
            THRun_askLater(run, k, base[k], at, n);
        THStage_loadOnce(plan, k, base[k], at, n, stage, repeated);
    }
    THRun_call(run, n, data);
    for (int k = 0; k < kernel->noutputs; k++)
        if (plan->staged >> k & 1)
            THStage_store(plan, k, base[k], at, n, data[k], stage->raw);
}

/* Whether blocks are rows of the innermost dim, and what is staged is one element for each row. */
static bool isWholeRows(const THPlan *plan)
{
    const int inner = plan->nDimension - 1;
    uint32_t repeated = 0;
    for (int k = plan->kernel->noutputs; k < plan->noperands; k++)
        if (plan->stride[k][inner] == 0)
            repeated |= 1u << k;
    return plan->outer == inner && plan->blocks == 1 &&
           (plan->staged & (plan->convert | ~repeated)) == 0;
}

/* All operands stay in registers from row to row. Where the loop wants whole vectors, the last one
 * begins among what is done. Not inline: the caller needs these registers, too. */
__attribute__((noinline)) void THRun_callEach(const THRun *run, char *const *base, int64_t rows)
{
    const THPlan *plan = run->plan;
    const int inner = plan->nDimension - 1, outer = inner > 0 ? inner - 1 : 0;
    const int64_t n = plan->size[inner];
    const int64_t step0 = plan->stride[0][outer], step1 = plan->stride[1][outer];
    const int64_t step2 = plan->noperands > 2 ? plan->stride[2][outer] : 0;
    const bool whole = plan->kernel->flags & TH_KERNEL_WHOLE_VECTORS;
    const int64_t lanes = whole ? THKernel_lanes(plan->kernel) : 1, done = n & -lanes;
    int64_t last[3] = {0}; /* bytes to where the last vector begins */
    char *data0 = base[0], *data1 = base[1], *data2 = plan->noperands > 2 ? base[2] : NULL;

    for (int k = 0; k < plan->noperands; k++)
        last[k] = (n - lanes) * THPlan_step(plan, k);
    for (int64_t r = 0; r < rows; r++) {
        void *data[3] = {data0, data1, data2};
        run->loop(done, data, run->params);
        if (done < n) {
            void *ends[3] = {data0 + last[0], data1 + last[1], data2 + last[2]};
            run->loop(lanes, ends, run->params);
        }
        data0 += step0;
        data1 += step1;
        data2 += step2;
    }
}

/* Whether that goes: of whole vectors there must be one, and inputs to compute the last one from.
 */
static bool mayCallRows(const THRun *run, char *const *base)
{
    const THPlan *plan = run->plan;
    const int64_t n = plan->size[plan->nDimension - 1];
    const bool isShort = run->strip == 0 || (n < run->strip && !run->streamed);
    if (!isShort || plan->staged != 0 || (plan->noperands != 2 && plan->noperands != 3))
        return false;
    return !(plan->kernel->flags & TH_KERNEL_WHOLE_VECTORS) ||
           (n >= THKernel_lanes(plan->kernel) &&
            THKernel_keepsInputs(plan->kernel, (void *const *)base));
}

/* Calls them, in strips of rows. */
static void callStrips(const THRun *run, char *const *base, int64_t rows)
{
    const THPlan *plan = run->plan;
    const int inner = plan->nDimension - 1, outer = inner > 0 ? inner - 1 : 0;
    const int64_t most = run->strip == 0 ? rows : run->strip / plan->size[inner];
    int64_t stride[3];
    char *place[3];

    for (int k = 0; k < plan->noperands; k++)
        stride[k] = plan->stride[k][outer];
    memcpy(place, base, sizeof *place * (size_t)plan->noperands);
    for (; rows > 0; rows -= most) {
        THRun_askForRows(run, place, stride, most);
        THRun_callEach(run, place, THSize_min(rows, most));
        for (int k = 0; k < plan->noperands; k++)
            place[k] += most * stride[k];
    }
}

/* Spreads what is one element for a row over a buffer, unless that was done. */
static void spreadRow(const THPlan *plan, int k, const char *element, int64_t n, THStage *stage)
{
    const int64_t size = THDtype_size((THDtype)plan->dtype[k]);
    if (stage->loadedFrom[k] == element)
        return;
    THMove_moves()->fill[THMove_at(size)](stage->buffer[k], 0, element, 0, 1, n);
    stage->loadedFrom[k] = element;
}

/* Whether one call of the loop took all rows: what is one element for a row must be so for all. */
static bool callAllRows(const THRun *run, char *const *base, int64_t rows, THStage *stage)
{
    const THPlan *plan = run->plan;
    const int inner = plan->nDimension - 1, outer = inner > 0 ? inner - 1 : 0;
    const int64_t n = plan->size[inner];
    int64_t stride[TH_MAX_OPERANDS];
    char *place[TH_MAX_OPERANDS];

    if (!THRun_mayCallRows(run, n) || (plan->staged != 0 && n > SPREAD_MOST))
        return false;
    for (int k = 0; k < plan->noperands; k++) {
        const bool staged = plan->staged >> k & 1;
        stride[k] = plan->stride[k][outer];
        place[k] = staged ? stage->buffer[k] : base[k];
        if (staged && stride[k] != 0)
            return false;
    }
    for (uint32_t left = plan->staged; left != 0; left &= left - 1)
        spreadRow(plan, __builtin_ctz(left), base[__builtin_ctz(left)], n, stage);
    THRun_callRows(run, n, rows, place, stride);
    return true;
}

/* The same where some operands may be one element for each row. */
static void runRows(const THRun *run, char *const *base, int64_t rows, THStage *stage)
{
    const THPlan *plan = run->plan;
    const bool direct = run->strip == 0 && !(plan->kernel->flags & TH_KERNEL_WHOLE_VECTORS);
    const int inner = plan->nDimension - 1, outer = inner > 0 ? inner - 1 : 0;
    const int64_t n = plan->size[inner];
    const int64_t most = plan->staged ? SPREAD_MOST : n;
    char *place[TH_MAX_OPERANDS];
    void *data[TH_MAX_OPERANDS];

    if (callAllRows(run, base, rows, stage))
        return;
    if (run->joins && plan->kernel->flags & TH_KERNEL_COPIES) {
        const int64_t stride[] = {plan->stride[0][outer], plan->stride[1][outer]};
        THRun_joinRows(run, rows, base, stride);
        return;
    }
    if (mayCallRows(run, base)) {
        callStrips(run, base, rows);
        return;
    }
    memcpy(place, base, sizeof *place * (size_t)plan->noperands);
    for (int k = 0; k < plan->noperands; k++)
        data[k] = stage->buffer[k];
    for (int64_t r = 0; r < rows; r++) {
        for (int k = 0; k < plan->noperands; k++) {
            if (!(plan->staged >> k & 1))
                data[k] = place[k];
            else
                spreadRow(plan, k, place[k], THSize_min(n, most), stage);
            place[k] += plan->stride[k][outer];
        }
        for (int64_t left = n; left > 0; left -= most) {
            if (direct)
                run->loop(THSize_min(left, most), data, run->params);
            else
                THRun_call(run, THSize_min(left, most), data);
            for (int k = 0; k < plan->noperands && left > most; k++)
                if (!(plan->staged >> k & 1))
                    data[k] = (char *)data[k] + most * plan->stride[k][inner];
        }
    }
}

/* `n` elements of each of up to SPREAD_MOST rows, some operands of which are converted: what is one
 * element for each row, or the same row for all, at once, others row by row. */
static void callMixed(const THRun *run, char *const *base, int64_t n, int64_t rows, THStage *stage)
{
    const THPlan *plan = run->plan;
    const int inner = plan->nDimension - 1, outer = inner - 1;
    int64_t step[TH_MAX_OPERANDS];
    uint32_t each = 0;
    char *data[TH_MAX_OPERANDS];

    for (int k = 0; k < plan->noperands; k++) {
        const int64_t along = plan->stride[k][inner], across = plan->stride[k][outer];
        data[k] = base[k];
        step[k] = across;
        if (!(plan->mixed >> k & 1))
            continue;
        data[k] = stage->buffer[k];
        step[k] = 0;
        if (plan->column >> k & 1) {
            THStage_loadRow(plan, k, base[k], across, rows, data[k], stage->raw);
            step[k] = THDtype_size((THDtype)plan->kernel->dtype[k]);
        } else if (across == 0) {
            THStage_loadRow(plan, k, base[k], along, n, data[k], stage->raw);
        } else {
            each |= 1u << k;
        }
    }
    if (each == 0 && THRun_mayCallRows(run, n)) {
        THRun_callRows(run, n, rows, data, step);
        return;
    }
    for (int64_t r = 0; r < rows; r++) {
        for (uint32_t left = each; left != 0; left &= left - 1) {
            const int k = __builtin_ctz(left);
            THStage_loadRow(plan, k, base[k] + r * plan->stride[k][outer], plan->stride[k][inner],
                            n, stage->buffer[k], stage->raw);
        }
        void *here[TH_MAX_OPERANDS];
        for (int k = 0; k < plan->noperands; k++)
            here[k] = data[k];
        if (run->strip == 0)
            run->loop(n, here, run->params);
        else
            THRun_call(run, n, here);
        for (int k = 0; k < plan->noperands; k++)
            data[k] += step[k];
    }
}

static void runMixed(const THRun *run, char *const *base, int64_t rows, THStage *stage)
{
    const THPlan *plan = run->plan;
    const int inner = plan->nDimension - 1, outer = inner - 1;
    char *place[TH_MAX_OPERANDS];

    for (int64_t r = 0; r < rows; r += SPREAD_MOST)
        for (int64_t at = 0; at < plan->size[inner]; at += SPREAD_MOST) {
            for (int k = 0; k < plan->noperands; k++)
                place[k] = base[k] + r * plan->stride[k][outer] + at * plan->stride[k][inner];
            callMixed(run, place, THSize_min(plan->size[inner] - at, SPREAD_MOST),
                      THSize_min(rows - r, SPREAD_MOST), stage);
        }
}

/* Rows of one element each: these are computed, then repeated. */
static void runRepeated(const THRun *run, char *const *base, int64_t rows, THStage *stage)
{
    const THPlan *plan = run->plan;
    const THKernel *kernel = plan->kernel;
    const int inner = plan->nDimension - 1, outer = inner - 1;
    const THMoves *moves = THMove_moves();
    void *data[TH_MAX_OPERANDS];

    for (int64_t r = 0, some; r < rows; r += some) {
        some = THSize_min(rows - r, SPREAD_MOST);
        for (int k = 0; k < plan->noperands; k++) {
            const int64_t step = plan->stride[k][outer];
            data[k] = plan->single >> k & 1 ? base[k] : stage->buffer[k];
            if (plan->staged >> k & 1)
                THStage_loadRow(plan, k, base[k] + r * step, step, some, data[k], stage->raw);
        }
        THKernel_call(kernel, run->loop, plan->single, some, data, run->params);
        for (int k = 0; k < kernel->noutputs; k++) {
            const int64_t size = THDtype_size((THDtype)kernel->dtype[k]);
            const int64_t step = plan->stride[k][outer];
            moves->fill[THMove_at(size)](base[k] + r * step, step, data[k], size, some,
                                         plan->size[inner]);
        }
    }
}

static void skip(THCursor *cursor, const THPlan *plan, int dim, int64_t steps)
{
    cursor->index[dim] += steps;
    for (int k = 0; k < plan->noperands; k++)
        cursor->base[k] += steps * plan->stride[k][dim];
}

static void walkRows(const THRun *run, int64_t begin, int64_t end, THStage *stage)
{
    const THPlan *plan = run->plan;
    const int outer = plan->outer - 1;
    const bool copies = THPlan_moves(plan), repeats = THPlan_repeatsRows(plan);
    THCursor cursor;

    THCursor_set(&cursor, plan, begin);
    while (begin < end) {
        const int64_t left = outer < 0 ? 1 : plan->size[outer] - cursor.index[outer];
        const int64_t planes = copies ? THRun_copiedPlanes(run, &cursor, end - begin) : 0;
        const int64_t rows = planes ? left : THSize_min(left, end - begin);
        if (planes) {
            THRun_copyPlanes(run, cursor.base, planes);
            skip(&cursor, plan, outer - 1, planes - 1);
            begin += (planes - 1) * rows;
        } else if (copies)
            THRun_copyRows(run, cursor.base, rows);
        else if (repeats)
            runRepeated(run, cursor.base, rows, stage);
        else if (plan->mixed)
            runMixed(run, cursor.base, rows, stage);
        else
            runRows(run, cursor.base, rows, stage);
        if ((begin += rows) == end)
            return;
        skip(&cursor, plan, outer, rows - 1);
        THCursor_next(&cursor, plan);
    }
}

/* Whether blocks are such rows. */
static bool isRepeatedRows(const THPlan *plan)
{
    return plan->outer == plan->nDimension - 1 && plan->blocks == 1 && THPlan_repeatsRows(plan);
}

#define TURNS_BYTES (3 << 19) /* of an input that leaves the second cache beside results */

/* Do steps of the last outer dim take turns in the lines of inputs, as the channels of pixels do?
 * Blocks of all of them are run one after the other then, so that lines come near once (480 x 640 x
 * 3 float32 to planes: 625 us, so 330; Xeon of the fifth generation). */
static bool takesTurns(const THRun *run)
{
    const THPlan *plan = run->plan;
    const int outer = plan->outer - 1, inner = plan->nDimension - 1;
    bool turns = false;
    if (outer < 0 || plan->blocks == 1 || run->streamed)
        return false;
    for (int k = plan->kernel->noutputs; k < plan->noperands; k++) {
        const int64_t step = plan->stride[k][outer], along = plan->stride[k][inner];
        const int64_t all = plan->size[outer] * step;
        turns |= plan->staged >> k & 1 && step > 0 && all <= along && along <= TH_LINE_BYTES &&
                 plan->size[inner] * along >= TURNS_BYTES;
    }
    return turns;
}

/* What is done with a block, or with some that are one. */
typedef struct Blocks {
    const THRun *run;
    bool stepped, joined;
    uint32_t repeated;
    int64_t length; /* elements of a step of the outer dims */
    THStage stage;
} Blocks;

static void runBlocks(Blocks *blocks, char *const *base, int64_t block, int64_t count)
{
    const THRun *run = blocks->run;
    const THPlan *plan = run->plan;
    const int64_t at = block * plan->block;
    const int64_t n = THSize_min(blocks->length - at, count * plan->block);
    if (plan->strided)
        THRun_strided(run, base, at, n);
    else if (blocks->stepped)
        THRun_steps(run, base, at, n, &blocks->stage);
    else
        runBlock(run, base, at, n, &blocks->stage, blocks->repeated);
}

/* The same block of each step of the last outer dim, then the next one. */
static void walkTurns(Blocks *blocks, int64_t begin, int64_t end)
{
    const THPlan *plan = blocks->run->plan;
    const int outer = plan->outer - 1;
    const int64_t turns = plan->size[outer];
    int64_t block = begin / turns % plan->blocks, turn = begin % turns;
    THCursor cursor;
    THCursor_set(&cursor, plan, begin / (turns * plan->blocks) * turns);
    for (; begin < end; begin++) {
        char *base[TH_MAX_OPERANDS];
        for (int k = 0; k < plan->noperands; k++)
            base[k] = cursor.base[k] + turn * plan->stride[k][outer];
        runBlocks(blocks, base, block, 1);
        if (++turn < turns)
            continue;
        turn = 0;
        if (++block < plan->blocks)
            continue;
        block = 0;
        skip(&cursor, plan, outer, turns - 1);
        THCursor_next(&cursor, plan);
    }
}

static void walkBlocks(const THRun *run, int64_t begin, int64_t end)
{
    const THPlan *plan = run->plan;
    Blocks blocks; /* large: no initialiser */

    for (int k = 0; k < plan->noperands; k++)
        blocks.stage.loadedFrom[k] = NULL;
    const bool rows = isWholeRows(plan) || plan->mixed || isRepeatedRows(plan);
    if (rows && !plan->strided) {
        walkRows(run, begin, end, &blocks.stage);
        return;
    }
    blocks.run = run;
    blocks.stepped = THPlan_isStepped(plan);
    blocks.joined = plan->strided || blocks.stepped || THRun_joinsBlocks(run);
    blocks.repeated = 0;
    blocks.length = 1;
    for (int d = plan->outer; d < plan->nDimension; d++)
        blocks.length *= plan->size[d];
    for (int k = 0; k < plan->noperands && !blocks.joined; k++)
        if (plan->block % THPlan_period(plan, k) == 0)
            blocks.repeated |= 1u << k;
    if (takesTurns(run)) {
        walkTurns(&blocks, begin, end);
        return;
    }
    THCursor cursor;
    THCursor_set(&cursor, plan, begin / plan->blocks);
    for (int64_t block = begin % plan->blocks, some; begin < end; begin += some) {
        some = blocks.joined ? THSize_min(plan->blocks - block, end - begin) : 1;
        runBlocks(&blocks, cursor.base, block, some);
        if ((block += some) == plan->blocks) {
            block = 0;
            THCursor_next(&cursor, plan);
        }
    }
}

void THRun_blocks(int64_t begin, int64_t end, void *context)
{
    const THRun *run = context;
    walkBlocks(run, begin, end);
    THRun_fence(run);
}
