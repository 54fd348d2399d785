/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Running blocks: every operand of a block is either passed as it lies in memory or loaded into a
 * buffer, the loop runs, and staged outputs are stored. A block reads all its inputs before it
 * writes, so that exact in-place operation is right. */
#include <TH/THMachine.h>
#include <TH/engine/THRun.h>

#include <string.h>

#define VECTOR_BYTES 64
/* Strips: bytes of the widest output, of all operands from which on they pay, and what an element
 * may cost. Of 512 to 4096 bytes all are about as good; a loop bound by computing only loses. */
#define AHEAD_BYTES 1024
#define AHEAD_FROM_BYTES (4 << 20)
#define AHEAD_COST 8
/* Of strips that are streamed, what an element may cost. */
#define STREAM_COST 12

#define SPREAD_MOST TH_BLOCK_LIMIT_STAGED /* elements */
/* Bytes of the widest operand, of a step along strided ones, so that the next one is read while
 * this one waits for the lines it writes; where it does not, since all fits the nearest cache or
 * the machine looks ahead of what is written; and far away, where lines so many bytes ahead are
 * asked for. Without waiting the last cache is still near. */
#define STEP_BYTES 1024
#define STEP_BYTES_NEAR 4096
#define NEAR_BYTES 32768
#define STEP_BYTES_FAR 512
#define STEP_AHEAD 1536

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

/* The n elements of an input, and its last one again up to a whole vector; a loop for each size,
 * since calls of memcpy would take longer. */
static void pad(int64_t size, char *to, const char *from, int64_t n, int64_t lanes)
{
#define CASE(type)                                                                           \
    case sizeof(type):                                                                       \
        for (int64_t i = 0; i < lanes; i++)                                                  \
            ((type *)(void *)to)[i] = ((const type *)(const void *)from)[i < n ? i : n - 1]; \
        break;
    switch (size) {
        CASE(uint8_t)
        CASE(uint16_t)
        CASE(uint32_t)
        CASE(uint64_t)
    }
#undef CASE
}

/* The last elements, fewer than a vector. */
static void callRagged(const THKernel *kernel, THLoop loop, uint32_t single, int64_t lanes,
                       int64_t done, int64_t n, void *const *data, const void *params)
{
    _Alignas(64) char tail[TH_MAX_OPERANDS][VECTOR_BYTES * 8];
    const int noperands = kernel->noutputs + kernel->ninputs;
    void *ends[TH_MAX_OPERANDS];

    for (int k = 0; k < noperands; k++) {
        const size_t size = (size_t)THDtype_size((THDtype)kernel->dtype[k]);
        ends[k] = single >> k & 1 ? data[k] : tail[k];
        if (k < kernel->noutputs || single >> k & 1)
            continue;
        pad((int64_t)size, tail[k], (const char *)data[k] + (size_t)done * size, n, lanes);
    }
    loop(lanes, ends, params);
    for (int k = 0; k < kernel->noutputs; k++) {
        const size_t size = (size_t)THDtype_size((THDtype)kernel->dtype[k]);
        memcpy((char *)data[k] + (size_t)done * size, tail[k], (size_t)n * size);
    }
}

void THKernel_call(const THKernel *kernel, THLoop loop, uint32_t single, int64_t n,
                   void *const *data, const void *params)
{
    int shift = 3; /* the smallest element has 1 << shift bytes */

    if (!(kernel->flags & TH_KERNEL_WHOLE_VECTORS)) {
        loop(n, data, params);
        return;
    }
    for (int k = 0; k < kernel->noutputs + kernel->ninputs; k++) {
        const int own = __builtin_ctzll((uint64_t)THDtype_size((THDtype)kernel->dtype[k]));
        shift = own < shift ? own : shift;
    }
    const int64_t lanes = VECTOR_BYTES >> shift, done = n & -lanes;
    if (done > 0)
        loop(done, data, params);
    if (done < n)
        callRagged(kernel, loop, single, lanes, done, n - done, data, params);
}

/* Is an output where an input is? Then its lines are read anyway. */
static bool isInPlace(const THPlan *plan)
{
    for (int k = 0; k < plan->kernel->noutputs; k++)
        for (int j = plan->kernel->noutputs; j < plan->noperands; j++)
            if (plan->data[k] == plan->data[j])
                return true;
    return false;
}

void THRun_setStrips(THRun *run)
{
    const THPlan *plan = run->plan;
    const THKernel *kernel = plan->kernel;
    const int cost = plan->single ? kernel->singleCost : kernel->cost;
    int64_t widest = 1, written = 0, element = 0, widestWritten = 1, length = 1;

    run->strip = 0;
    run->streamed = false;
    if (plan->bytes < THSize_min(AHEAD_FROM_BYTES, THMachine_streamFrom))
        return;
    for (int d = plan->outer; d < plan->nDimension; d++)
        length *= plan->size[d];
    for (int k = 0; k < plan->noperands; k++) {
        const int64_t size = THDtype_size((THDtype)kernel->dtype[k]);
        element += size;
        widest = size > widest ? size : widest;
        if (k < kernel->noutputs && !(plan->staged >> k & 1)) {
            written += size;
            widestWritten = size > widestWritten ? size : widestWritten;
        }
    }
    if (plan->bytes >= THMachine_streamFrom && plan->path != TH_PATH_TILED &&
        length * widestWritten >= TH_STREAM_BYTES && cost <= STREAM_COST &&
        written * 8 >= element && !isInPlace(plan)) {
        run->streamed = true;
        run->strip = TH_STREAM_BYTES / widest;
    } else if (THMachine_asksForWrites && plan->bytes >= AHEAD_FROM_BYTES && cost <= AHEAD_COST &&
               written * 4 >= element && !THPlan_moves(plan)) { /* which asks for lines itself */
        run->strip = AHEAD_BYTES / widestWritten;
    }
}

/* In strips that are written to memory once they are in the first cache. Lines there are lines of
 * memory: but for the first and the last one strips are whole lines of the first output. */
static void callStreamed(const THRun *run, int64_t n, void *const *data)
{
    _Alignas(TH_LINE_BYTES) char strip[TH_MAX_OPERANDS][TH_STREAM_BYTES + TH_LINE_BYTES];
    const THPlan *plan = run->plan;
    const THKernel *kernel = plan->kernel;
    const THMoves *moves = THMove_moves();
    const int noutputs = kernel->noutputs, noperands = plan->noperands;
    const int64_t size = THDtype_size((THDtype)kernel->dtype[0]);
    const bool direct = !(kernel->flags & TH_KERNEL_WHOLE_VECTORS);
    int64_t step[TH_MAX_OPERANDS];
    void *place[TH_MAX_OPERANDS];
    char *at[TH_MAX_OPERANDS];

    for (int k = 0; k < noperands; k++) {
        step[k] = THPlan_step(plan, k);
        at[k] = data[k];
    }
    for (int64_t left = n; left > 0;) {
        const int64_t begin = (int64_t)((uintptr_t)at[0] & (TH_LINE_BYTES - 1)) / size;
        const int64_t some = THSize_min(run->strip - begin, left);
        for (int k = 0; k < noperands; k++) {
            place[k] = at[k];
            if (plan->staged >> k & 1)
                continue;
            if (k < noutputs)
                place[k] = strip[k] + ((uintptr_t)at[k] & (TH_LINE_BYTES - 1));
            else
                THMove_prefetch(at[k] + TH_STREAM_AHEAD, some * step[k], false);
        }
        if (direct || some % VECTOR_BYTES == 0)
            run->loop(some, place, run->params);
        else
            THKernel_call(kernel, run->loop, plan->single, some, place, run->params);
        for (int k = 0; k < noutputs; k++)
            if (!(plan->staged >> k & 1))
                moves->stream(at[k], 0, place[k], 0, 1, some * step[k]);
        for (int k = 0; k < noperands; k++)
            at[k] += some * step[k];
        left -= some;
    }
}

void THRun_call(const THRun *run, int64_t n, void *const *data)
{
    const THPlan *plan = run->plan;
    const THKernel *kernel = plan->kernel;
    void *place[TH_MAX_OPERANDS];

    if (run->streamed && THPlan_moves(plan)) {
        THMove_moves()->stream(data[0], 0, data[1], 0, 1, n * THPlan_step(plan, 0));
        return;
    }
    if (run->streamed) {
        callStreamed(run, n, data);
        return;
    }
    if (run->strip == 0) {
        THKernel_call(kernel, run->loop, plan->single, n, data, run->params);
        return;
    }
    for (int64_t done = 0; done < n; done += run->strip) {
        for (int k = 0; k < plan->noperands; k++)
            place[k] = (char *)data[k] + done * THPlan_step(plan, k);
        for (int k = 0; k < kernel->noutputs; k++)
            if (!(plan->staged >> k & 1))
                THMove_prefetch((char *)place[k] + AHEAD_BYTES, AHEAD_BYTES, true);
        THKernel_call(kernel, run->loop, plan->single, THSize_min(run->strip, n - done), place,
                      run->params);
    }
}

void THRun_callRows(const THRun *run, int64_t n, int64_t rows, char *const *base,
                    const int64_t *stride)
{
    const THPlan *plan = run->plan;
    const int64_t most = run->strip == 0 ? rows : run->strip / n;
    int64_t table[1 + TH_MAX_OPERANDS];
    void *data[TH_MAX_OPERANDS + 1];

    memcpy(table + 1, stride, sizeof *stride * (size_t)plan->noperands);
    memcpy(data, base, sizeof *base * (size_t)plan->noperands);
    data[plan->noperands] = table;
    for (; rows > 0; rows -= most) {
        table[0] = THSize_min(rows, most);
        for (int k = 0; k < plan->kernel->noutputs && run->strip != 0; k++)
            THMove_prefetch((char *)data[k] + most * stride[k], AHEAD_BYTES, true);
        run->loop(-n, data, run->params);
        for (int k = 0; k < plan->noperands && rows > most; k++)
            data[k] = (char *)data[k] + most * stride[k];
    }
}

static bool THRows_isRun(const THRows *self, int64_t size)
{
    return (self->stride == size || self->n == 1) &&
           (self->rows == 1 || self->rowStride == self->n * size);
}

void THRows_load(const THRows *self, const THPlan *plan, int k, char *buffer, char *raw)
{
    const THDtype dtype = (THDtype)plan->dtype[k], via = (THDtype)plan->via[k];
    const int64_t size = THDtype_size(dtype), n = self->rows * self->n;
    const bool converts = plan->convert >> k & 1, run = THRows_isRun(self, size);

    if (!converts || !run)
        THMove_gather(size, converts ? raw : buffer, self->data, self->rows, self->rowStride,
                      self->n, self->stride);
    if (converts)
        THCast_through(n, buffer, (THDtype)plan->kernel->dtype[k], via, raw + n * 8,
                       run ? self->data : raw, dtype);
}

void THRows_store(const THRows *self, const THPlan *plan, int k, char *buffer, char *raw)
{
    const THDtype dtype = (THDtype)plan->dtype[k];
    const int64_t size = THDtype_size(dtype), n = self->rows * self->n;
    const bool converts = plan->convert >> k & 1, run = THRows_isRun(self, size);
    void *data[2] = {run ? self->data : raw, buffer};

    if (converts)
        THCast_loop(dtype, (THDtype)plan->kernel->dtype[k])(n, data, NULL);
    if (!converts || !run)
        THMove_scatter(size, self->data, converts ? raw : buffer, self->rows, self->rowStride,
                       self->n, self->stride);
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

typedef void (*MoveRows)(const THRows *rows, const THPlan *plan, int k, char *buffer, char *raw);

/* Dividing 64 bits takes several times as long. */
static inline int64_t quotient(int64_t a, int64_t b)
{
    return (a | b) >> 32 ? a / b : (int64_t)((uint32_t)a / (uint32_t)b);
}

/* Moves n elements of operand k, from place `at` of the inner dims on, from or to `buffer`. */
static void moveBlock(const THPlan *plan, int k, char *base, int64_t at, int64_t n, char *buffer,
                      char *raw, MoveRows move)
{
    const int64_t kernelSize = THDtype_size((THDtype)plan->kernel->dtype[k]);
    const int inner = plan->nDimension - 1;
    const int64_t *stride = plan->stride[k], *size = plan->size;
    int64_t index[TH_MAX_DIMS];

    if (plan->outer == inner) {
        const THRows run = {base + at * stride[inner], 1, 0, n, stride[inner]};
        move(&run, plan, k, buffer, raw);
        return;
    }
    int64_t place = quotient(at, size[inner]);
    for (int d = inner - 1; d >= plan->outer; d--) {
        const int64_t next = d > plan->outer ? quotient(place, size[d]) : 0;
        index[d] = place - next * size[d];
        base += index[d] * stride[d];
        place = next;
    }
    /* Whole rows: as many at once as the next dim has left. */
    for (int64_t left = quotient(n, size[inner]); left > 0;) {
        const int64_t room = size[inner - 1] - index[inner - 1];
        const int64_t rows = left < room ? left : room;
        const THRows piece = {base, rows, stride[inner - 1], size[inner], stride[inner]};
        move(&piece, plan, k, buffer, raw);
        buffer += rows * size[inner] * kernelSize;
        left -= rows;
        base += (rows - 1) * stride[inner - 1];
        index[inner - 1] += rows - 1;
        for (int d = inner - 1; d >= plan->outer; d--) {
            base += stride[d];
            if (++index[d] < size[d])
                break;
            base -= size[d] * stride[d];
            index[d] = 0;
        }
    }
}

/* `repeated`: bit per operand that is the same in every block of one step of the outer dims. */
static void loadBlock(const THPlan *plan, int k, char *base, int64_t at, int64_t n, Stage *stage,
                      uint32_t repeated)
{
    const int64_t place = repeated >> k & 1 ? 0 : at;
    if (stage->loadedFrom[k] == base && stage->loadedAt[k] == place && stage->loaded[k] >= n)
        return;
    moveBlock(plan, k, base, at, n, stage->buffer[k], stage->raw, THRows_load);
    stage->loadedFrom[k] = base;
    stage->loadedAt[k] = place;
    stage->loaded[k] = n;
}

/* Rows of one element each. Memory takes zeros past the caches twice as fast, other numbers only
 * where as much is read. */
static void fillRows(const THRun *run, char *to, int64_t toStride, const char *from,
                     int64_t fromStride, int64_t rows, int64_t n)
{
    const THMoves *moves = THMove_moves();
    const int64_t size = THDtype_size((THDtype)run->plan->dtype[0]);
    uint64_t element = 0;
    memcpy(&element, from, (size_t)size);
    if (!run->streamed || element != 0 || fromStride != 0) {
        moves->fill[THMove_at(size)](to, toStride, from, fromStride, rows, n);
        return;
    }
    for (; rows > 0; rows--, to += toStride)
        moves->streamZeros(to, n * size);
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
        moveBlock(plan, 1, base[1], at, n, stage->buffer[1], stage->raw, THRows_load);
        THMove_moves()->stream(base[0] + offset, 0, stage->buffer[1], 0, 1, n * size);
        return;
    }
    if (!(plan->staged & 1)) {
        moveBlock(plan, 1, base[1], at, n, base[0] + offset, stage->raw, THRows_load);
        return;
    }
    if (plan->staged & 2)
        loadBlock(plan, 1, base[1], at, n, stage, repeated);
    moveBlock(plan, 0, base[0], at, n, plan->staged & 2 ? stage->buffer[1] : base[1] + offset,
              stage->raw, THRows_store);
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
            moveBlock(plan, k, base[k], at, n, data[k], stage->raw, THRows_store);
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

/* A block of these, in steps so short that the processor reads the next one while it writes. */
static void runSteps(const THRun *run, char *const *base, int64_t at, int64_t n, Stage *stage)
{
    const THPlan *plan = run->plan;
    const THKernel *kernel = plan->kernel;
    const int inner = plan->nDimension - 1;
    uint32_t moved = plan->staged;
    char *place[TH_MAX_OPERANDS];
    void *data[TH_MAX_OPERANDS];
    int64_t size[TH_MAX_OPERANDS], stride[TH_MAX_OPERANDS], widest = 1;

    for (int k = 0; k < plan->noperands; k++) {
        size[k] = THDtype_size((THDtype)plan->dtype[k]);
        stride[k] = plan->stride[k][inner];
        place[k] = base[k] + at * stride[k];
        data[k] = stage->buffer[k];
        widest = size[k] > widest ? size[k] : widest;
        if (moved >> k & 1 && stride[k] == 0) {
            loadBlock(plan, k, base[k], 0, n, stage, 1u << k);
            moved &= ~(1u << k);
        } else if (plan->single >> k & 1) {
            data[k] = place[k] = base[k];
        }
    }
    const bool waits = THMachine_asksForWrites;
    const bool far = THMachine_isFar(plan->bytes, AHEAD_FROM_BYTES);
    const int64_t bytes = far                                 ? STEP_BYTES_FAR
                          : waits && plan->bytes > NEAR_BYTES ? STEP_BYTES
                                                              : STEP_BYTES_NEAR;
    for (const int64_t most = bytes >> __builtin_ctzll((uint64_t)widest); n > 0; n -= most) {
        const int64_t step = n < most ? n : most;
        for (int k = 0; k < plan->noperands; k++) {
            if (!(plan->staged >> k & 1))
                data[k] = place[k];
            else if (moved >> k & 1 && k >= kernel->noutputs) {
                if (far && stride[k] <= TH_LINE_BYTES)
                    THMove_prefetch(place[k] + STEP_AHEAD, step * stride[k], false);
                THMove_gather(size[k], data[k], place[k], 1, 0, step, stride[k]);
            }
        }
        if (run->streamed)
            callStreamed(run, step, data);
        else
            THKernel_call(kernel, run->loop, plan->single, step, data, run->params);
        for (int k = 0; k < kernel->noutputs; k++)
            if (moved >> k & 1)
                THMove_scatter(size[k], place[k], data[k], 1, 0, step, stride[k]);
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

    if (plan->staged == 0 && THRun_takesRows(run, n)) {
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
    const int inner = plan->nDimension - 1, outer = inner > 0 ? inner - 1 : 0;
    const int64_t size = THDtype_size((THDtype)plan->dtype[0]), n = plan->size[inner];
    const int64_t toStride = plan->stride[0][outer], fromStride = plan->stride[1][outer];

    const THMoves *moves = THMove_moves();

    if (plan->staged == 0)
        (run->streamed ? moves->stream : moves->rows)(base[0], toStride, base[1], fromStride, rows,
                                                      n * size);
    else
        fillRows(run, base[0], toStride, base[1], fromStride, rows, n);
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
        const int64_t rows = THSize_min(left, end - begin);
        if (copies)
            copyRows(run, cursor.base, rows);
        else
            runRows(run, cursor.base, rows, stage);
        if ((begin += rows) == end)
            return;
        cursor.index[outer] += rows - 1;
        for (int k = 0; k < plan->noperands; k++)
            cursor.base[k] += (rows - 1) * plan->stride[k][outer];
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
    for (int64_t block = begin % plan->blocks; begin < end; begin++) {
        const int64_t at = block * plan->block, left = length - at;
        if (stepped)
            runSteps(run, cursor.base, at, THSize_min(left, plan->block), &stage);
        else
            runBlock(run, cursor.base, at, THSize_min(left, plan->block), &stage, repeated);
        if (++block == plan->blocks) {
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
