/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Running blocks: every operand of a block is either passed as it lies in memory or loaded into a
 * buffer, the loop runs, and staged outputs are stored. A block reads all its inputs before it
 * writes, so that exact in-place operation is right. */
#include <TH/THMachine.h>
#include <TH/engine/THRun.h>

#include <string.h>

#define SPREAD_MOST TH_BLOCK_LIMIT_STAGED /* elements */
/* Bytes of the widest operand, of a step along strided ones, so that the next one is read while
 * this one waits for the lines it writes; where it does not, since all fits the nearest cache or
 * the machine looks ahead of what is written; and far away, where lines so many bytes ahead are
 * asked for. Without waiting the last cache is still near, and steps are longer. Operands may share
 * lines: those that a step reads stay in the nearest cache. */
#define STEP_BYTES 1024
#define STEP_BYTES_NEAR 2048
#define STEP_LINES 49152
#define NEAR_BYTES 32768
#define STEP_BYTES_FAR (THMachine_asksForWrites ? 512 : 1024)
#define STEP_AHEAD (THMachine_asksForWrites ? 1536 : 4096)
#define PAIR_STRIDE 32 /* bytes */
/* Rows of so many bytes are worth a call of memset. */
#define SET_ROW_BYTES 4096
/* Of no more rows that follow each other, none of more bytes, many planes are copied at once; or
 * row by row of so many where each is filled with an element. */
#define FEW_ROWS 8
#define FEW_ROWS_BYTES 1024
#define FILLED_PLANES 64

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

/* A thread's buffers. What an input was last loaded from is remembered: broadcast operands come
 * round again. A little room between buffers keeps them from sharing cache sets. */
typedef struct Stage {
    _Alignas(64) char buffer[TH_MAX_OPERANDS][TH_BLOCK_LIMIT_STAGED * 8 + 128];
    _Alignas(64) char raw[TH_BLOCK_LIMIT_STAGED * 8 * 2];
    const char *loadedFrom[TH_MAX_OPERANDS];
    int64_t loadedAt[TH_MAX_OPERANDS];
    int64_t loaded[TH_MAX_OPERANDS];
} Stage;

/* `repeated`: bit per operand that is the same in every block of one step of the outer dims. */
static void loadBlock(const THPlan *plan, int k, char *base, int64_t at, int64_t n, Stage *stage,
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

/* Rows of one element each. Where the second-level cache has no room for them, the C library's
 * memset takes a fifth less time, as it need not read lines; and memory takes zeros past the caches
 * twice as fast, other numbers only where as much is read. */
static void fillRows(const THRun *run, char *to, int64_t toStride, const char *from,
                     int64_t fromStride, int64_t rows, int64_t n)
{
    const THMoves *moves = THMove_moves();
    const int64_t size = THDtype_size((THDtype)run->plan->dtype[0]), bytes = n * size;
    uint64_t element = 0;
    memcpy(&element, from, (size_t)size);
    const uint64_t byte = element & UINT8_MAX, all = UINT64_MAX / UINT8_MAX;
    const bool one = fromStride == 0 && element == byte * all >> (64 - 8 * size);
    const bool streams = run->streamed && one && element == 0;
    const bool sets = !THMachine_asksForWrites && one && !run->streamed && bytes >= SET_ROW_BYTES &&
                      run->plan->bytes >= TH_SET_BYTES;
    if (!streams && !sets) {
        moves->fill[THMove_at(size)](to, toStride, from, fromStride, rows, n);
        return;
    }
    for (; rows > 0; rows--, to += toStride)
        if (streams)
            moves->streamZeros(to, bytes);
        else
            memset(to, (int)byte, (size_t)bytes);
}

/* Whether single moves take no longer than vectors of elements that lie so far apart. */
static bool isApart(int64_t stride, int64_t size)
{
    const int64_t apart = stride < 0 ? -stride : stride;
    return apart > 4 * size || apart >= 24;
}

/* A block of a kernel that only copies: no further than it must be moved. */
static void copyBlock(const THRun *run, char *const *base, int64_t at, int64_t n, Stage *stage,
                      uint32_t repeated)
{
    const THPlan *plan = run->plan;
    const int64_t size = THDtype_size((THDtype)plan->dtype[0]), offset = at * size;
    const int inner = plan->nDimension - 1;
    if (plan->staged == 2 && plan->outer == inner && plan->stride[1][inner] == 0) {
        fillRows(run, base[0] + offset, 0, base[1], 0, 1, n);
        return;
    }
    if (run->streamed && !(plan->staged & 1)) {
        THStage_gather(plan, 1, base[1], at, n, stage->buffer[1]);
        THMove_moves()->stream(base[0] + offset, 0, stage->buffer[1], 0, 1, n * size);
        return;
    }
    if (!(plan->staged & 1)) {
        THStage_gather(plan, 1, base[1], at, n, base[0] + offset);
        return;
    }
    const int64_t toStride = plan->stride[0][inner], fromStride = plan->stride[1][inner];
    if (plan->staged == 3 && plan->outer == inner && isApart(toStride, size) &&
        isApart(fromStride, size)) {
        THMove_moves()->each[THMove_at(size)](base[0] + at * toStride, toStride,
                                              base[1] + at * fromStride, fromStride, n);
        return;
    }
    if (plan->staged & 2)
        loadBlock(plan, 1, base[1], at, n, stage, repeated);
    THStage_scatter(plan, 0, base[0], at, n,
                    plan->staged & 2 ? stage->buffer[1] : base[1] + offset);
}

static void runBlock(const THRun *run, char *const *base, int64_t at, int64_t n, Stage *stage,
                     uint32_t repeated)
{
    const THPlan *plan = run->plan;
    const THKernel *kernel = plan->kernel;
    void *data[TH_MAX_OPERANDS];

    if (plan->staged && THPlan_moves(plan)) {
        copyBlock(run, base, at, n, stage, repeated);
        return;
    }
    for (int k = 0; k < plan->noperands; k++) {
        if (!(plan->staged >> k & 1)) {
            data[k] = base[k] + at * THPlan_step(plan, k);
            continue;
        }
        data[k] = stage->buffer[k];
        if (k >= kernel->noutputs)
            loadBlock(plan, k, base[k], at, n, stage, repeated);
    }
    THRun_call(run, n, data);
    for (int k = 0; k < kernel->noutputs; k++)
        if (plan->staged >> k & 1)
            THStage_store(plan, k, base[k], at, n, data[k], stage->raw);
}

/* Whether blocks run along one dim of operands of the kernel's dtypes, some of them strided. */
static bool isStepped(const THPlan *plan)
{
    const int inner = plan->nDimension - 1;
    bool strided = false;
    for (int k = 0; k < plan->noperands; k++)
        strided |= plan->staged >> k & 1 && plan->stride[k][inner] != 0;
    return strided && plan->convert == 0 && plan->outer == inner && !THPlan_moves(plan);
}

/* Elements of a step; `moved` are gathered or scattered, up to `widest` bytes each. */
static int64_t stepElements(const THPlan *plan, uint32_t moved, int64_t widest, bool far)
{
    const int inner = plan->nDimension - 1;
    int64_t bytes = far ? STEP_BYTES_FAR : STEP_BYTES_NEAR, span = 0;
    if (!far && THMachine_asksForWrites && plan->bytes > NEAR_BYTES)
        bytes = STEP_BYTES;
    int64_t elements = bytes >> __builtin_ctzll((uint64_t)widest);
    for (int k = 0; k < plan->noperands; k++)
        if (moved >> k & 1)
            span += THSize_min(plan->stride[k][inner], TH_LINE_BYTES);
    while (elements * span > STEP_LINES)
        elements /= 2;
    return elements;
}

/* Two inputs, as bits, that are better gathered together: of the same steps, which no vectors
 * gather, or of half a line. What they share lines with is read for both. Where the machine looks
 * ahead of all, those beyond the second cache, too: so many lines at once as vectors read are more
 * than it foresees (5 * 10^6 float64 of step 3 added in place: 8.8 ms, together 6.9; EPYC 9005). */
static uint32_t pairOf(const THPlan *plan, uint32_t moved)
{
    const int inner = plan->nDimension - 1;
    const uint32_t inputs = moved >> plan->kernel->noutputs << plan->kernel->noutputs;
    if ((inputs & (inputs - 1)) == 0)
        return 0;
    const int one = __builtin_ctz(inputs), other = __builtin_ctz(inputs & (inputs - 1));
    const int64_t size = THDtype_size((THDtype)plan->dtype[one]), stride = plan->stride[one][inner];
    const bool foreseen = !THMachine_asksForWrites && plan->bytes >= TH_AHEAD_FROM_BYTES;
    const bool apart = stride > 4 * size || stride >= (foreseen ? PAIR_STRIDE / 2 : PAIR_STRIDE);
    const bool same =
        size == THDtype_size((THDtype)plan->dtype[other]) && stride == plan->stride[other][inner];
    return apart && same ? 1u << one | 1u << other : 0;
}

static void gatherPair(uint32_t pair, int64_t size, void *const *data, char *const *place,
                       int64_t n, int64_t stride)
{
    const int one = __builtin_ctz(pair), other = __builtin_ctz(pair & (pair - 1));
    char *const to[2] = {data[one], data[other]};
    const char *const from[2] = {place[one], place[other]};
    THMove_moves()->gatherPair[THMove_at(size)](to, from, n, stride);
}

/* Blocks of these, in steps so short that the processor reads the next one while it writes. What is
 * there twice is gathered once. */
static void runSteps(const THRun *run, char *const *base, int64_t at, int64_t n, Stage *stage)
{
    const THPlan *plan = run->plan;
    const THKernel *kernel = plan->kernel;
    const int inner = plan->nDimension - 1;
    uint32_t moved = plan->staged;
    char *place[TH_MAX_OPERANDS];
    void *data[TH_MAX_OPERANDS];
    int64_t size[TH_MAX_OPERANDS], stride[TH_MAX_OPERANDS], widest = 1;
    const THMoves *const moves = THMove_moves();
    THMoveRows move[TH_MAX_OPERANDS];

    for (int k = 0; k < plan->noperands; k++) {
        size[k] = THDtype_size((THDtype)plan->dtype[k]);
        stride[k] = plan->stride[k][inner];
        place[k] = base[k] + at * stride[k];
        data[k] = stage->buffer[k];
        widest = size[k] > widest ? size[k] : widest;
        move[k] = (k < kernel->noutputs ? moves->scatter : moves->gather)[THMove_at(size[k])];
    }
    const bool far = plan->bytes >= TH_AHEAD_FROM_BYTES;
    const int64_t most = stepElements(plan, moved, widest, far);
    for (int k = 0; k < plan->noperands; k++) {
        if (moved >> k & 1 && stride[k] == 0) {
            loadBlock(plan, k, base[k], 0, THSize_min(n, most), stage, 1u << k);
            moved &= ~(1u << k);
        } else if (plan->single >> k & 1) {
            data[k] = place[k] = base[k];
        }
        for (int j = kernel->noutputs; j < k; j++)
            if (moved >> k & moved >> j & 1 && place[j] == place[k] && stride[j] == stride[k] &&
                size[j] == size[k]) {
                data[k] = data[j];
                moved &= ~(1u << k);
            }
    }
    const uint32_t pair = pairOf(plan, moved), foreseen = THMachine_asksForWrites ? 0 : pair;
    for (; n > 0; n -= most) {
        const int64_t step = n < most ? n : most;
        for (int k = 0; k < plan->noperands; k++) {
            if (!(plan->staged >> k & 1))
                data[k] = place[k];
            else if (moved >> k & 1 && k >= kernel->noutputs) {
                if (far && stride[k] <= TH_LINE_BYTES && !(foreseen >> k & 1))
                    THMove_prefetch(place[k] + STEP_AHEAD, step * stride[k], false);
                if (!(pair >> k & 1))
                    move[k](data[k], place[k], 1, 0, step, stride[k]);
                else if (pair >> k == 1)
                    gatherPair(pair, size[k], data, place, step, stride[k]);
            }
        }
        if (run->streamed)
            THRun_call(run, step, data);
        else
            THKernel_call(kernel, run->loop, plan->single, step, data, run->params);
        for (int k = 0; k < kernel->noutputs; k++)
            if (moved >> k & 1)
                move[k](place[k], data[k], 1, 0, step, stride[k]);
        for (int k = 0; k < plan->noperands; k++)
            place[k] += most * stride[k];
    }
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

/* `rows` rows of the innermost dim, which the loop takes whole, of the operands that most kernels
 * have: all stay in registers from row to row. Not inline: the steps below would lack them. */
static __attribute__((noinline)) void callRows(const THRun *run, char *const *base, int64_t rows)
{
    const THPlan *plan = run->plan;
    const int inner = plan->nDimension - 1, outer = inner > 0 ? inner - 1 : 0;
    const int64_t n = plan->size[inner];
    const int64_t step0 = plan->stride[0][outer], step1 = plan->stride[1][outer];
    const int64_t step2 = plan->noperands > 2 ? plan->stride[2][outer] : 0;
    char *data0 = base[0], *data1 = base[1], *data2 = plan->noperands > 2 ? base[2] : NULL;

    for (int64_t r = 0; r < rows; r++) {
        void *data[3] = {data0, data1, data2};
        run->loop(n, data, run->params);
        data0 += step0;
        data1 += step1;
        data2 += step2;
    }
}

/* The same where some operands may be one element for each row. */
static void runRows(const THRun *run, char *const *base, int64_t rows, Stage *stage)
{
    const THPlan *plan = run->plan;
    const THMoves *moves = THMove_moves();
    const bool direct = run->strip == 0 && !(plan->kernel->flags & TH_KERNEL_WHOLE_VECTORS);
    const int inner = plan->nDimension - 1, outer = inner > 0 ? inner - 1 : 0;
    const int64_t n = plan->size[inner];
    const int64_t most = plan->staged ? SPREAD_MOST : n;
    char *place[TH_MAX_OPERANDS];
    void *data[TH_MAX_OPERANDS];

    if (plan->staged == 0 && THRun_mayCallRows(run, n)) {
        int64_t stride[TH_MAX_OPERANDS];
        for (int k = 0; k < plan->noperands; k++)
            stride[k] = plan->stride[k][outer];
        THRun_callRows(run, n, rows, base, stride);
        return;
    }
    if (direct && plan->staged == 0 && (plan->noperands == 2 || plan->noperands == 3)) {
        callRows(run, base, rows);
        return;
    }
    memcpy(place, base, sizeof *place * (size_t)plan->noperands);
    for (int k = 0; k < plan->noperands; k++)
        data[k] = stage->buffer[k];
    for (int64_t r = 0; r < rows; r++) {
        for (int k = 0; k < plan->noperands; k++) {
            if (!(plan->staged >> k & 1)) {
                data[k] = place[k];
            } else if (stage->loadedFrom[k] != place[k]) {
                const int64_t size = THDtype_size((THDtype)plan->dtype[k]);
                moves->fill[THMove_at(size)](data[k], 0, place[k], 0, 1, THSize_min(n, most));
                stage->loadedFrom[k] = place[k];
            }
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

/* The same for a kernel that only copies. */
static void copyRows(const THRun *run, char *const *base, int64_t rows)
{
    const THPlan *plan = run->plan;
    const THMoves *moves = THMove_moves();
    const int64_t size = THDtype_size((THDtype)plan->dtype[0]);
    const int inner = plan->nDimension - 1, outer = inner > 0 ? inner - 1 : 0;
    const int64_t n = plan->size[inner];
    const int64_t toStride = plan->stride[0][outer], fromStride = plan->stride[1][outer];

    if (plan->staged == 0)
        (run->streamed ? moves->stream : moves->rows)(base[0], toStride, base[1], fromStride, rows,
                                                      n * size);
    else
        fillRows(run, base[0], toStride, base[1], fromStride, rows, n);
}

/* How many planes of few short rows, of `most` to come, are copied at once; 0: rows are. */
static int64_t copiedPlanes(const THRun *run, const THCursor *cursor, int64_t most)
{
    const THPlan *plan = run->plan;
    const int inner = plan->nDimension - 1;
    if (inner < 2 || plan->size[inner - 1] > FEW_ROWS || cursor->index[inner - 1] > 0 ||
        run->streamed || plan->size[inner] * THDtype_size((THDtype)plan->dtype[0]) > FEW_ROWS_BYTES)
        return 0;
    const int64_t left = plan->size[inner - 2] - cursor->index[inner - 2];
    const int64_t planes = THSize_min(left, most / plan->size[inner - 1]);
    return plan->staged ? THSize_min(planes, FILLED_PLANES) : planes;
}

static void copyPlanes(const THRun *run, char *const *base, int64_t planes)
{
    const THPlan *plan = run->plan;
    const int inner = plan->nDimension - 1;
    const int64_t *to = plan->stride[0], *from = plan->stride[1];
    if (plan->staged) {
        for (int64_t r = 0; r < plan->size[inner - 1]; r++)
            fillRows(run, base[0] + r * to[inner - 1], to[inner - 2], base[1] + r * from[inner - 1],
                     from[inner - 2], planes, plan->size[inner]);
        return;
    }
    const THMovedPlanes moved = {
        .to = base[0],
        .from = base[1],
        .toPlane = to[inner - 2],
        .toStride = to[inner - 1],
        .fromPlane = from[inner - 2],
        .fromStride = from[inner - 1],
        .planes = planes,
        .rows = plan->size[inner - 1],
        .bytes = plan->size[inner] * THDtype_size((THDtype)plan->dtype[0]),
    };
    THMove_moves()->planes(&moved);
}

static void skip(THCursor *cursor, const THPlan *plan, int dim, int64_t steps)
{
    cursor->index[dim] += steps;
    for (int k = 0; k < plan->noperands; k++)
        cursor->base[k] += steps * plan->stride[k][dim];
}

static void walkRows(const THRun *run, int64_t begin, int64_t end, Stage *stage)
{
    const THPlan *plan = run->plan;
    const int outer = plan->outer - 1;
    const bool copies = THPlan_moves(plan);
    THCursor cursor;

    THCursor_set(&cursor, plan, begin);
    while (begin < end) {
        const int64_t left = outer < 0 ? 1 : plan->size[outer] - cursor.index[outer];
        const int64_t planes = copies ? copiedPlanes(run, &cursor, end - begin) : 0;
        const int64_t rows = planes ? left : THSize_min(left, end - begin);
        if (planes) {
            copyPlanes(run, cursor.base, planes);
            skip(&cursor, plan, outer - 1, planes - 1);
            begin += (planes - 1) * rows;
        } else if (copies)
            copyRows(run, cursor.base, rows);
        else
            runRows(run, cursor.base, rows, stage);
        if ((begin += rows) == end)
            return;
        skip(&cursor, plan, outer, rows - 1);
        THCursor_next(&cursor, plan);
    }
}

static void walkBlocks(const THRun *run, int64_t begin, int64_t end)
{
    const THPlan *plan = run->plan;
    Stage stage;
    THCursor cursor;
    const bool stepped = isStepped(plan);
    uint32_t repeated = 0;
    int64_t length = 1;

    for (int d = plan->outer; d < plan->nDimension; d++)
        length *= plan->size[d];
    for (int k = 0; k < plan->noperands; k++) {
        stage.loadedFrom[k] = NULL;
        if (plan->block % THPlan_period(plan, k) == 0)
            repeated |= 1u << k;
    }
    if (isWholeRows(plan)) {
        walkRows(run, begin, end, &stage);
        return;
    }
    THCursor_set(&cursor, plan, begin / plan->blocks);
    for (int64_t block = begin % plan->blocks, some; begin < end; begin += some) {
        const int64_t at = block * plan->block, left = length - at;
        some = stepped ? THSize_min(plan->blocks - block, end - begin) : 1;
        if (stepped)
            runSteps(run, cursor.base, at, THSize_min(left, some * plan->block), &stage);
        else
            runBlock(run, cursor.base, at, THSize_min(left, plan->block), &stage, repeated);
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
