/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks, rows and planes of kernels that only move elements: no further than they must be, without
 * the loop. */
#include <TH/THMachine.h>
#include <TH/engine/THRun.h>

#include <string.h>

/* Rows of so many bytes are worth a call of memset. */
#define SET_ROW_BYTES 4096
/* Of no more rows that follow each other, none of more bytes, many planes are copied at once; or
 * row by row of so many where each is filled with an element. */
#define FEW_ROWS 8
#define FEW_ROWS_BYTES 1024
#define FILLED_PLANES 64

/* An element of `size` bytes as often as it fits into a word. */
static uint64_t wordOf(const char *element, int64_t size)
{
    uint64_t word = 0;
    memcpy(&word, element, (size_t)size);
    return word * (UINT64_MAX / (UINT64_MAX >> (64 - 8 * size)));
}

/* Rows of one element each. Where the C library's memset takes less time, as it need not read
 * lines, it sets them, beyond the second-level cache a fifth less. Memory takes zeros past the
 * caches twice as fast, where they leave these; other numbers only where lines that are written are
 * waited for (10^7 float64: 5.3 ms, streamed 3.5; Xeon), else only where as much is read. */
static void fillRows(const THRun *run, char *to, int64_t toStride, const char *from,
                     int64_t fromStride, int64_t rows, int64_t n)
{
    const THMoves *moves = THMove_moves();
    const int64_t size = THDtype_size((THDtype)run->plan->dtype[0]), bytes = n * size;
    const int64_t all = run->plan->bytes;
    const uint64_t word = wordOf(from, size);
    const bool zero = fromStride == 0 && word == 0;
    const bool isFar = THMachine_readsInTurn && THMachine_leavesCaches(all);
    const bool streams =
        run->streamed ? zero || THMachine_asksForWrites : zero && isFar && bytes >= SET_ROW_BYTES;
    const bool isByte = word == wordOf(from, 1);
    const bool hasStrings = bytes >= THMachine_stringFrom && all / 4 * 3 < THMachine_streamFrom;
    const bool sets = !THMachine_asksForWrites && fromStride == 0 && (isByte || hasStrings) &&
                      !run->streamed && bytes >= SET_ROW_BYTES && all >= TH_SET_BYTES;
    if (!streams && !sets) {
        moves->fill[THMove_at(size)](to, toStride, from, fromStride, rows, n);
        return;
    }
    for (; rows > 0; rows--, to += toStride, from += fromStride)
        if (streams)
            moves->streamWord(to, bytes, wordOf(from, size));
        else if (isByte)
            memset(to, *from, (size_t)bytes);
        else
            moves->setWord(to, bytes, word);
}

/* Whether one element fills all blocks of a run. */
static bool isFilled(const THPlan *plan)
{
    const int inner = plan->nDimension - 1;
    return plan->staged == 2 && plan->outer == inner && plan->stride[1][inner] == 0 &&
           THPlan_moves(plan);
}

bool THRun_joinsBlocks(const THRun *run)
{
    const THPlan *plan = run->plan;
    const bool direct = (plan->staged == 1 || plan->staged == 2) && !run->streamed;
    return plan->outer == plan->nDimension - 1 && THPlan_moves(plan) && (direct || isFilled(plan));
}

/* Gathered and streamed strip by strip, whole lines of the result, while elements of a dim that
 * come later are asked for (every second one of 2 * 10^7 float64: 7.3 ms, so 5.9; EPYC 9005). */
static void streamBlock(const THRun *run, char *const *base, int64_t at, int64_t n, char *buffer)
{
    const THPlan *plan = run->plan;
    const int64_t size = THDtype_size((THDtype)plan->dtype[0]);
    const bool asks = THMachine_asksAhead && run->strip > 0 && plan->outer == plan->nDimension - 1;
    char *to = base[0] + at * size;
    int64_t some = n;
    if (asks)
        some = run->strip - (int64_t)((uintptr_t)to % TH_LINE_BYTES) / size;
    for (int64_t i = 0; i < n; i += some, to += some * size, some = run->strip) {
        some = THSize_min(some, n - i);
        if (asks)
            THRun_askLater(run, 1, base[1], at + i, some);
        THStage_gather(plan, 1, base[1], at + i, some, buffer);
        THMove_moves()->stream(to, 0, buffer, 0, 1, some * size);
    }
}

void THRun_copyBlock(const THRun *run, char *const *base, int64_t at, int64_t n, THStage *stage,
                     uint32_t repeated)
{
    const THPlan *plan = run->plan;
    const int64_t size = THDtype_size((THDtype)plan->dtype[0]), offset = at * size;
    if (isFilled(plan)) {
        fillRows(run, base[0] + offset, 0, base[1], 0, 1, n);
        return;
    }
    if (run->streamed && !(plan->staged & 1)) {
        streamBlock(run, base, at, n, stage->buffer[1]);
        return;
    }
    if (!(plan->staged & 1)) {
        THStage_gather(plan, 1, base[1], at, n, base[0] + offset);
        return;
    }
    if (plan->staged & 2)
        THStage_loadOnce(plan, 1, base[1], at, n, stage, repeated);
    THStage_scatter(plan, 0, base[0], at, n,
                    plan->staged & 2 ? stage->buffer[1] : base[1] + offset);
}

void THRun_copyRows(const THRun *run, char *const *base, int64_t rows)
{
    const THPlan *plan = run->plan;
    const THMoves *moves = THMove_moves();
    const int64_t size = THDtype_size((THDtype)plan->dtype[0]);
    const int inner = plan->nDimension - 1, outer = inner > 0 ? inner - 1 : 0;
    const int64_t n = plan->size[inner];
    const int64_t toStride = plan->stride[0][outer], fromStride = plan->stride[1][outer];
    const int64_t stride[2] = {toStride, fromStride};

    if (run->joins)
        THRun_joinRows(run, rows, base, stride);
    else if (plan->staged == 0)
        (run->streamed ? moves->stream : moves->rows)(base[0], toStride, base[1], fromStride, rows,
                                                      n * size);
    else
        fillRows(run, base[0], toStride, base[1], fromStride, rows, n);
}

int64_t THRun_copiedPlanes(const THRun *run, const THCursor *cursor, int64_t most)
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

void THRun_copyPlanes(const THRun *run, char *const *base, int64_t planes)
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
