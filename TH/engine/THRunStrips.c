/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether results are streamed, in what strips, and what is asked for before them. */
#include <TH/THMachine.h>
#include <TH/THThreads.h>
#include <TH/engine/THMove.h>
#include <TH/engine/THRun.h>

#include <stdlib.h>

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
        return isKept ? THMachine_leavesCaches(plan->bytes) : plan->bytes >= usual;
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
        run->strip = (isLong          ? TH_STREAM_ALONE_BYTES
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
