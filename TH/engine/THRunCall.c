/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calling a kernel's loop: the last of whole vectors, far memory in strips, many rows at once. */
#include <TH/THMachine.h>
#include <TH/engine/THRun.h>

#include <stdlib.h>
#include <string.h>

#define VECTOR_BYTES 64
/* What an element of strips may cost: a loop bound by computing only loses. */
#define AHEAD_COST 8
/* What cannot be streamed, as it is updated in place, is asked for so many bytes earlier: 10^7
 * float32 multiplied by a number take 0.8 to 1.1 ms, else 1.2 (EPYC 9005). */
#define UPDATED_AHEAD 16384
/* Of strips that are streamed, what an element of 4 bytes may cost, and of 1 or 2 half of that:
 * less takes longer to move than to compute. Threads share the memory, so each may take as long,
 * and one thread twice as long where it waits for what is written. Elsewhere functions of doubles
 * may not: they take more steps than they say. */
#define STREAM_COST 12
/* Bytes of the widest operand of a strip where nothing is asked for, or one operand alone on
 * machines that else read best by themselves: of fewer the processor follows too little by itself,
 * of more it waits for the strip to be written (-a of 10^7 float32: 3.2 ms with 1024, 2.8 with
 * 2048; EPYC 9004). */
#define STREAM_ALONE_BYTES 2048
/* ... and of one whose elements cost so much, where the machine waits for what is written: what is
 * read is asked for into the first cache then, since it finds no way there while much is on its way
 * to memory (sin of 10^7 float32: 5.8 ms, so 4.9; -a 3.7, so 4; Xeon). */
#define STREAM_COSTLY 7
#define STREAM_COSTLY_BYTES 512

/* Where the processor looks ahead by itself, it must see long streams. Rows of fewer bytes are not
 * streamed (a + column of 3200000 elements, float32 in rows of 350: 5.4 ms, else 2.6; EPYC 9004),
 * nor rows of inputs that lie apart (a slice of 1120 of 1400 columns times 2: 4.0, else 2.7). */
#define STREAMED_ROW 4096
#define STREAMED_APART 40960
#define STREAMED_ASKED 2048 /* where reads are asked for, and writes waited for */
/* ... and where it is not, neither are such rows of two inputs or more (a[:, :300] + b[:, :300] of
 * 13333 x 600 float32: 3.9 ms, else 1.4; EPYC 9005). */
#define STREAMED_GAPS 16384
/* Bytes of rows between which so much of a row, one part of so many, or more lies that they are
 * apart; streams of longer ones are asked for as such. */
#define APART_ROW 65536
#define APART 4
#define TILED_LEAST 32 /* elements of each dim where tiles are streamed by one thread sooner */
/* Rows whose results are not streamed, but asked for, where others are. */
#define ASKED_ROW 3584
/* Two inputs are one stream where one lies so few bytes behind the other, and two where it lies
 * more behind than stay in the second cache; else the second one, which is near, keeps the
 * processor from looking ahead of the first (a[1:] - a[:-1] of 3 MB rows: 4.6 ms, else 3.8). */
#define ONE_STREAM 8192
#define TWO_STREAMS (1 << 20)

/* Rows of bytes, made of elements of up to so many, that have more left of vectors than that: what
 * is left is computed one by one, so a second call computes their last elements again, of as many
 * rows as the first cache holds (1000 rows of 79 uint8 shifted by others: 20.5 us, so 7; of 317
 * clamped: 29, so 10; EPYC 9004; 2100 rows of 47 float32 compared: 46, so 28; Xeon). */
#define ENDED_ROW 33
#define ENDED_BYTES 4
#define ENDED_LEFT 4
#define ENDED_TOGETHER 4096 /* elements */
#define ROW_END 32

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

bool THKernel_keepsInputs(const THKernel *kernel, void *const *data)
{
    const int noperands = kernel->noutputs + kernel->ninputs;
    for (int k = 0; k < kernel->noutputs; k++)
        for (int j = kernel->noutputs; j < noperands; j++)
            if (data[k] == data[j])
                return false;
    return true;
}

/* The last whole vector of n elements, some of which were done: they come out as they are. Padding
 * takes longer (rows of 500 float16, copysign: 59 ns each, so 44; EPYC 9004). */
static void callLast(const THKernel *kernel, THLoop loop, uint32_t single, int64_t lanes, int64_t n,
                     void *const *data, const void *params)
{
    void *last[TH_MAX_OPERANDS];

    for (int k = 0; k < kernel->noutputs + kernel->ninputs; k++) {
        const int64_t step = single >> k & 1 ? 0 : THDtype_size((THDtype)kernel->dtype[k]);
        last[k] = (char *)data[k] + (n - lanes) * step;
    }
    loop(lanes, last, params);
}

void THKernel_callLong(const THKernel *kernel, THLoop loop, uint32_t single, int64_t n,
                       void *const *data, const void *params)
{
    const int64_t size = THDtype_size((THDtype)kernel->dtype[0]);
    const int64_t head = (int64_t)(-(uintptr_t)data[0] & (TH_LINE_BYTES - 1)) / size;
    void *rest[TH_MAX_OPERANDS];

    if (head > 0)
        loop(head, data, params);
    for (int k = 0; k < kernel->noutputs + kernel->ninputs; k++) {
        const int64_t step = single >> k & 1 ? 0 : THDtype_size((THDtype)kernel->dtype[k]);
        rest[k] = (char *)data[k] + head * step;
    }
    loop(n - head, rest, params);
}

int64_t THKernel_lanes(const THKernel *kernel)
{
    int shift = 3; /* the smallest element has 1 << shift bytes */
    for (int k = 0; k < kernel->noutputs + kernel->ninputs; k++) {
        const int own = __builtin_ctzll((uint64_t)THDtype_size((THDtype)kernel->dtype[k]));
        shift = own < shift ? own : shift;
    }
    return VECTOR_BYTES >> shift;
}

void THKernel_call(const THKernel *kernel, THLoop loop, uint32_t single, int64_t n,
                   void *const *data, const void *params)
{
    if (!(kernel->flags & TH_KERNEL_WHOLE_VECTORS)) {
        THKernel_callPlain(kernel, loop, single, n, data, params);
        return;
    }
    const int64_t lanes = THKernel_lanes(kernel), done = n & -lanes;
    if (done > 0)
        loop(done, data, params);
    if (done == n)
        return;
    if (done > 0 && THKernel_keepsInputs(kernel, data))
        callLast(kernel, loop, single, lanes, n, data, params);
    else
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

/* Bytes of one element of all operands, and of the outputs that the loop itself writes; how many
 * inputs it reads from memory. */
typedef struct Bytes {
    int64_t all, widest;
    int64_t written, widestWritten;
    int nread;
} Bytes;

static bool isRead(const THPlan *plan, int k)
{
    return k >= plan->kernel->noutputs && THPlan_step(plan, k) != 0 && !(plan->staged >> k & 1);
}

static Bytes bytesOfElement(const THPlan *plan)
{
    Bytes bytes = {.widest = 1, .widestWritten = 1};
    for (int k = 0; k < plan->noperands; k++) {
        const int64_t size = THDtype_size((THDtype)plan->kernel->dtype[k]);
        bytes.all += size;
        bytes.widest = size > bytes.widest ? size : bytes.widest;
        if (k >= plan->kernel->noutputs) {
            bytes.nread += isRead(plan, k);
        } else if (!(plan->staged >> k & 1)) {
            bytes.written += size;
            bytes.widestWritten = size > bytes.widestWritten ? size : bytes.widestWritten;
        }
    }
    return bytes;
}

static int costOf(const THPlan *plan)
{
    return plan->single ? plan->kernel->singleCost : plan->kernel->cost;
}

/* Have tiles many rows and columns? */
static bool areTilesLarge(const THPlan *plan)
{
    for (int d = 0; d < plan->nDimension; d++)
        if (plan->size[d] < TILED_LEAST)
            return false;
    return true;
}

/* Is so much moved that results do not stay in the last cache? Where a call finds there what the
 * one before left, two threads gain by writing it again until all that is read and half of what is
 * written are more than 30 MB; one thread only where little but results is moved, or one run is
 * copied. Tiles, whose rows lie apart, are waited for sooner (EPYC 9005, whose last cache has 32
 * MB: 17 MB of float32 times a number by two threads .24 ms streamed, so .19; a row of 1000 beside
 * a column of 10^4 float32: .92, so .49; 1419 x 1419 float32 and others, transposed, by one: 1.14,
 * streamed .58). */
static bool isMuch(const THPlan *plan, const Bytes *bytes)
{
    const int64_t usual = THMachine_streamFrom, written = plan->elements * bytes->written;
    const int64_t threads = THThreads_get();
    if (!THMachine_readsInTurn)
        return plan->bytes >= usual;
    if (plan->tiled != 0)
        return plan->bytes >= (threads == 1 && areTilesLarge(plan) ? usual / 8 * 5 : usual);
    if (threads == 1) {
        const bool isCopy = THPlan_moves(plan) && plan->nDimension == 1;
        const bool isKept = isCopy || plan->bytes - written <= written / 16;
        return (isKept ? plan->bytes / 3 * 2 : plan->bytes) >= usual;
    }
    return (plan->bytes - (costOf(plan) < STREAM_COSTLY ? written / 2 : 0)) / 5 * 4 >= usual;
}

static bool streams(const THPlan *plan, const Bytes *bytes, int64_t length)
{
    const int64_t each = bytes->widest < 4 ? STREAM_COST / 2 : STREAM_COST;
    const int64_t threads = THThreads_get();
    const int64_t shares = threads == 1 && THMachine_asksForWrites ? 2 : threads;
    const int64_t most = bytes->widest > 4 && !THMachine_asksForWrites ? each : each * shares;
    /* Little that is written: where it is waited for, it is less than streaming costs (isfinite of
     * 10^7 float64: 5.65 ms, streamed 6.7; Xeon). */
    const bool alone = bytes->nread <= 1 && !THMachine_asksForWrites;
    return isMuch(plan, bytes) && costOf(plan) <= most && !isInPlace(plan) &&
           length * bytes->widestWritten >= TH_STREAM_BYTES &&
           (alone || bytes->written * 8 >= bytes->all);
}

bool THPlan_streams(const THPlan *plan, int64_t length)
{
    const Bytes bytes = bytesOfElement(plan);
    return streams(plan, &bytes, length);
}

bool THPlan_streamsBlocks(const THPlan *plan)
{
    const int64_t row = plan->size[plan->nDimension - 1] * THPlan_widestElement(plan);
    if (row >= TH_STREAM_BYTES || THPlan_moves(plan) || !THPlan_streams(plan, TH_STREAM_BYTES))
        return false;
    for (int k = 0; k < plan->noperands; k++) {
        bool isRepeated = !(plan->staged >> k & 1);
        for (int d = plan->outer; d < plan->nDimension; d++)
            isRepeated = isRepeated || plan->stride[k][d] == 0;
        if (!isRepeated)
            return false;
    }
    return true;
}

/* Does one thread write in place all that is read, one run of memory that has left the last cache?
 * Two threads, or a second operand, take all that memory gives by themselves. */
static bool updatesFar(const THPlan *plan, const Bytes *bytes)
{
    return plan->threads == 1 && plan->outer == 0 && plan->path != TH_PATH_TILED &&
           THMachine_readAhead > 0 && bytes->nread == 1 && bytes->written > 0 &&
           plan->bytes / 2 >= THMachine_streamFrom && isInPlace(plan);
}

/* Inputs that are converted block by block, each of which is a run. */
static uint32_t convertedRuns(const THPlan *plan)
{
    uint32_t runs = 0;
    for (int k = plan->kernel->noutputs; k < plan->noperands; k++)
        if (plan->staged >> k & 1 && plan->stride[k][0] == THDtype_size((THDtype)plan->dtype[k]))
            runs |= 1u << k;
    return runs;
}

/* Inputs of which blocks gather rows that lie close to each other, one after the other, where what
 * is written is waited for: the processor would look ahead while it gathers, not while results are
 * streamed (rows of 3 of 4, 10^7 float32 by themselves: 8.5 ms, so 6.9; Xeon). */
static uint32_t gatheredRows(const THPlan *plan)
{
    const int inner = plan->nDimension - 1;
    uint32_t rows = 0;
    if (!THMachine_asksForWrites || plan->outer != inner - 1)
        return 0;
    for (int k = plan->kernel->noutputs; k < plan->noperands; k++) {
        const int64_t row = plan->size[inner] * THDtype_size((THDtype)plan->dtype[k]);
        const int64_t stride = plan->stride[k][inner - 1];
        if (plan->staged >> k & 1 && stride > row && stride <= 2 * row)
            rows |= 1u << k;
    }
    return rows;
}

/* Do all inputs of `mask` begin so near each other that they are one stream for the processor? */
static bool areOneStream(const THPlan *plan, uint32_t mask)
{
    const char *first = NULL;
    for (int k = 0; k < plan->noperands; k++) {
        if (!(mask >> k & 1))
            continue;
        first = first == NULL ? plan->data[k] : first;
        if (llabs(plan->data[k] - first) >= ONE_STREAM)
            return false;
    }
    return true;
}

/* Which inputs are asked for where results are streamed: those that do not come round again before
 * they leave the second cache. Where lines are asked for into that, it gains only beside some that
 * do, which else keep the processor from looking ahead, and where it reads streams fastest by
 * itself only if there is one (10^7 float64 added to others: 11.8 ms, asked for 13.8; EPYC 7003).
 * Where what is written is waited for, so are converted ones, if nothing else is read (exp of 10^7
 * int32: 6.3 ms, so 5.2; Xeon). */
static uint32_t askedOf(const THPlan *plan, const Bytes *bytes)
{
    uint32_t far = 0, near = 0;
    for (int k = 0; k < plan->noperands; k++)
        if (isRead(plan, k))
            *(THPlan_extent(plan, k) > TH_SECOND_BYTES ? &far : &near) |= 1u << k;
    if (bytes->nread == 0 && plan->nDimension == 1 && THMachine_asksForWrites)
        far = convertedRuns(plan);
    const bool helps = near != 0 && plan->bytes / 2 >= THMachine_streamFrom;
    const bool asks = THMachine_asksAhead && (THMachine_readAhead > 0 || areOneStream(plan, far));
    return asks || (THMachine_asksSecond && helps) ? far : 0;
}

/* Are rows of `length` elements of an input parts of longer rows? Of one that is asked for they may
 * be, but on machines that wait for what is written: there no more than a quarter longer, as what
 * lies between them is asked for, too. */
static bool readsApart(const THPlan *plan, int64_t length, uint32_t asked)
{
    for (int k = plan->kernel->noutputs; k < plan->noperands; k++) {
        const int64_t stride = plan->stride[k][plan->outer - 1];
        const int64_t row = length * THPlan_step(plan, k);
        const bool foreseen =
            asked >> k & 1 && (!THMachine_asksForWrites || (stride > 0 && stride <= row / 4 * 5));
        if (isRead(plan, k) && !foreseen && stride != 0 && stride != row)
            return true;
    }
    return false;
}

/* Inputs of `mask` between whose rows, of `length` elements, more lies than one part of `parts` of
 * a row. */
static uint32_t rowsApart(const THPlan *plan, int64_t length, uint32_t mask, int64_t parts)
{
    uint32_t apart = 0;
    for (int k = plan->kernel->noutputs; k < plan->noperands && plan->outer > 0; k++) {
        const int64_t row = length * THPlan_step(plan, k);
        if (mask >> k & 1 && llabs(plan->stride[k][plan->outer - 1]) - row > row / parts)
            apart |= 1u << k;
    }
    return apart;
}

/* Which of the inputs that are asked for are so row by row: what lies between rows would be read,
 * too (a[:, :300] * 2 of 13333 x 600 float32: 3.3 ms, so 0.8; EPYC 9005). */
static uint32_t askedByRows(const THPlan *plan, int64_t length, uint32_t asked)
{
    const bool isLong = length * THPlan_widestElement(plan) > APART_ROW;
    return isLong ? 0 : rowsApart(plan, length, asked, APART);
}

/* Is an input some way behind another one in the same memory? */
static bool readsBehind(const THPlan *plan)
{
    for (int k = plan->kernel->noutputs + 1; k < plan->noperands; k++)
        for (int j = plan->kernel->noutputs; j < k; j++) {
            const int64_t distance = llabs(plan->data[k] - plan->data[j]);
            if (distance >= ONE_STREAM && distance < TWO_STREAMS && isRead(plan, j) &&
                isRead(plan, k) && THPlan_bytesShared(plan, j, k) > 0)
                return true;
        }
    return false;
}

/* Are rows of so many elements, or all elements, long streams for the processor? */
static bool areLongStreams(const THPlan *plan, const Bytes *bytes, int64_t length, uint32_t asked)
{
    const int64_t row = length * bytes->widestWritten;
    const bool asks = THMachine_readAhead > 0 || (THMachine_asksAhead && asked != 0);
    const int64_t least = !asks ? STREAMED_ROW : THMachine_asksForWrites ? STREAMED_ASKED : 0;
    if (THPlan_moves(plan))
        return true;
    if (plan->outer > 0 && row < STREAMED_APART && least > 0 &&
        (row < least || readsApart(plan, length, asked)))
        return false;
    const bool isShort = row < STREAMED_GAPS && !THMachine_asksForWrites;
    if (isShort && __builtin_popcount(rowsApart(plan, length, asked, INT64_MAX)) > 1)
        return false;
    return asks || !readsBehind(plan);
}

/* Is what `length` elements of a row write asked for, strip by strip? Where much is streamed, only
 * long rows of as much that are not: else it takes longer (10^7 uint8 and a number 1.2 ms, not
 * asked for 1.0; rows of 260 of 500 float32, 40 MB, 8.9, so 6.9; of 1000 of 3000 6.2, asked for
 * 5.4; Xeon of the fifth generation). Moves ask for lines themselves. */
static bool asksForResults(const THPlan *plan, const Bytes *bytes, int64_t length)
{
    const bool isFar = plan->bytes >= THMachine_streamFrom;
    const bool gains =
        THMachine_streamFrom == INT64_MAX || (isFar && length * bytes->widestWritten >= ASKED_ROW);
    return THMachine_asksForWrites && gains && plan->bytes >= TH_AHEAD_FROM_BYTES &&
           costOf(plan) <= AHEAD_COST && bytes->written * 4 >= bytes->all && !isInPlace(plan) &&
           !THPlan_moves(plan);
}

void THRun_setStrips(THRun *run)
{
    const THPlan *plan = run->plan;
    int64_t length = 1;

    run->strip = 0;
    run->asked = run->apart = 0;
    run->asksNear = THMachine_asksForWrites && costOf(plan) >= STREAM_COSTLY;
    run->streamed = plan->wide && THPlan_streams(plan, TH_STREAM_BYTES);
    if (plan->wide || !THMachine_isLarge(plan->bytes, TH_AHEAD_FROM_BYTES))
        return;
    run->joins = THPlan_joinsRows(plan);
    for (int d = plan->outer; d < plan->nDimension; d++)
        length *= plan->size[d];
    const Bytes bytes = bytesOfElement(plan);
    const uint32_t asked = askedOf(plan, &bytes);
    if (plan->path != TH_PATH_TILED && streams(plan, &bytes, length) &&
        areLongStreams(plan, &bytes, length, asked)) {
        run->streamed = true;
        run->asked = asked;
        const int nasked = __builtin_popcount(run->asked);
        const bool isLong = nasked == 0 || (nasked == 1 && !THMachine_asksAhead);
        run->strip = (isLong          ? STREAM_ALONE_BYTES
                      : run->asksNear ? STREAM_COSTLY_BYTES
                                      : TH_STREAM_BYTES) /
                     bytes.widest;
        run->ahead = TH_STREAM_AHEAD / (nasked > 1 ? nasked : 1);
        run->apart = askedByRows(plan, length, asked);
        run->rows = (run->ahead - 1) / (length * bytes.widest) + 1;
        run->asked |= gatheredRows(plan);
    } else if (asksForResults(plan, &bytes, length)) {
        run->strip = TH_STRIP_AHEAD / bytes.widestWritten;
        run->ahead = TH_STRIP_AHEAD;
    } else if (updatesFar(plan, &bytes)) {
        run->strip = TH_STRIP_AHEAD / bytes.widestWritten;
        run->ahead = UPDATED_AHEAD;
    }
}

/* In strips that are written to memory once they are in the first cache. Lines there are lines of
 * memory: but for the first and the last one strips are whole lines of the first output. */
static void callStreamed(const THRun *run, int64_t n, void *const *data)
{
    _Alignas(TH_LINE_BYTES) char strip[TH_MAX_OPERANDS][STREAM_ALONE_BYTES + TH_LINE_BYTES];
    const THPlan *plan = run->plan;
    const THKernel *kernel = plan->kernel;
    const THMoves *moves = THMove_moves();
    const int noutputs = kernel->noutputs, noperands = plan->noperands;
    const int64_t size = THDtype_size((THDtype)kernel->dtype[0]);
    const bool direct = !(kernel->flags & TH_KERNEL_WHOLE_VECTORS);
    int64_t step[TH_MAX_OPERANDS], ahead[TH_MAX_OPERANDS];
    void *place[TH_MAX_OPERANDS];
    char *at[TH_MAX_OPERANDS];

    for (int k = 0; k < noperands; k++) {
        step[k] = THPlan_step(plan, k);
        at[k] = data[k];
        ahead[k] = run->apart >> k & 1 ? run->rows * plan->stride[k][plan->outer - 1] : run->ahead;
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
            else if (run->asked >> k & 1 && run->asksNear)
                THMove_prefetch(at[k] + ahead[k], some * step[k], false);
            else if (run->asked >> k & 1)
                THMove_ask(at[k] + ahead[k], some * step[k]);
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

    if (run->streamed) {
        if (THPlan_moves(plan))
            THMove_farMoves()->stream(data[0], 0, data[1], 0, 1, n * THPlan_step(plan, 0));
        else
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
                THMove_prefetch((char *)place[k] + run->ahead, TH_STRIP_AHEAD, true);
        THKernel_call(kernel, run->loop, plan->single, THSize_min(run->strip, n - done), place,
                      run->params);
    }
}

int64_t THRun_endOfRows(const THPlan *plan, int64_t n, char *const *base)
{
    const bool isShort = n < ENDED_ROW || n % (ROW_END / 2) <= ENDED_LEFT;
    const bool isWide = THDtype_size((THDtype)plan->kernel->dtype[0]) > 1 ||
                        THPlan_widestElement(plan) > ENDED_BYTES;
    return isShort || isWide || !THKernel_keepsInputs(plan->kernel, (void *const *)base) ? 0
                                                                                         : ROW_END;
}

/* Calls the loop on the last elements of rows of n. */
static void callEnds(const THRun *run, int64_t n, int64_t end, void *const *data)
{
    const THPlan *plan = run->plan;
    void *last[TH_MAX_OPERANDS + 1];

    for (int k = 0; k < plan->noperands; k++)
        last[k] = (char *)data[k] + (n - end) * THPlan_step(plan, k);
    last[plan->noperands] = data[plan->noperands];
    run->loop(-end, last, run->params);
}

void THRun_loopRows(const THRun *run, int64_t n, int64_t end, void *const *data)
{
    run->loop(end > 0 ? -((n - 1) / end * end) : -n, data, run->params);
    if (end > 0)
        callEnds(run, n, end, data);
}

void THRun_callRows(const THRun *run, int64_t n, int64_t rows, char *const *base,
                    const int64_t *stride)
{
    const THPlan *plan = run->plan;
    int64_t most = run->strip == 0 ? rows : run->strip / n;
    int64_t table[1 + TH_MAX_OPERANDS];
    char *data[TH_MAX_OPERANDS + 1];

    if (run->joins && n == plan->size[plan->nDimension - 1]) {
        THRun_joinRows(run, rows, base, stride);
        return;
    }
    const int64_t end = THRun_endOfRows(plan, n, base);
    if (end > 0)
        most = THSize_min(most, 1 + ENDED_TOGETHER / n);
    memcpy(table + 1, stride, sizeof *stride * (size_t)plan->noperands);
    memcpy(data, base, sizeof *base * (size_t)plan->noperands);
    data[plan->noperands] = (char *)table;
    for (; rows > 0; rows -= most) {
        table[0] = THSize_min(rows, most);
        THRun_askForRows(run, data, stride, most);
        THRun_loopRows(run, n, end, (void *const *)data);
        for (int k = 0; k < plan->noperands && rows > most; k++)
            data[k] += most * stride[k];
    }
}
