/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Short rows of much memory, one after the other in the result, which are streamed many together:
 * a line of the cache that two of them share would be read to be written. */
#include <TH/THMachine.h>
#include <TH/engine/THRun.h>

#include <string.h>

/* What is only moved, in rows of so many bytes at most, with gaps between them that are no longer,
 * or converted, to rows of so many at least, where the machine does not wait for what is written
 * (500000 rows of 20 of 24 float32: 2.1 ms, so 1.7; of 100 of 120, to float64, 3.4, so 2.7; others
 * take up to 1.5 times as long; EPYC 9005). */
#define JOINED_MOVED 512
#define JOINED_CONVERTED 256

/* 10^6 rows of 10 float64 in another order: 16.8 ms, so 11.4; each of 2 * 10^6 float64 5
 * times: 13.0 ms, so 4.4; 10^5 rows of 100 and a column: 10.7 ms, so 8.0 (Xeon, which waits for
 * what is written). */
bool THPlan_joinsRows(const THPlan *plan)
{
    const THKernel *kernel = plan->kernel;
    const int inner = plan->nDimension - 1;
    const int64_t row = plan->size[inner] * THDtype_size((THDtype)plan->dtype[0]);
    const bool converts = kernel->flags & TH_KERNEL_COPIES && plan->staged == 0;
    const bool computes = (kernel->flags & TH_KERNEL_ROWS || converts) && kernel->noutputs == 1 &&
                          plan->path == TH_PATH_STAGED && !plan->strided && !(plan->staged & 1);
    const int64_t apart = inner > 0 ? plan->stride[1][inner - 1] : 0;
    const bool moves = plan->staged == 0 && row <= JOINED_MOVED && apart >= row && apart <= 2 * row;
    const bool gains = THPlan_moves(plan) ? moves : converts && row >= JOINED_CONVERTED;
    const bool joins = THMachine_asksForWrites || (THMachine_readsInTurn && gains);
    return joins && (THPlan_moves(plan) || computes) && plan->outer == inner && inner > 0 &&
           plan->blocks == 1 && row < TH_STREAM_BYTES && plan->stride[0][inner - 1] == row &&
           THPlan_streams(plan, TH_STREAM_BYTES);
}

/* How many rows go before one that begins with a line of the cache; a whole strip where none does.
 */
static int64_t firstRows(const char *to, int64_t row, int64_t most)
{
    for (int64_t r = 1; r < THSize_min(most, THMove_rowsOfLines(row)); r++)
        if ((uintptr_t)(to + r * row) % TH_LINE_BYTES == 0)
            return r;
    return most;
}

/* What `rows` rows read, `bytes` of each: all between them, too, where that is as little. */
static void askForRows(const char *from, int64_t stride, int64_t bytes, int64_t rows)
{
    if (stride > 0 && stride <= 2 * bytes)
        THMove_ask(from, rows * stride);
    else
        for (int64_t r = 0; r < rows; r++)
            THMove_ask(from + r * stride, bytes);
}

/* By the loop, of which `data` ends with `table`, or as they are. `end` as of THRun_loopRows. */
static void makeRows(const THRun *run, int64_t end, void **data, int64_t *table)
{
    const THPlan *plan = run->plan;
    const THMoves *moves = THMove_moves();
    const int64_t n = plan->size[plan->nDimension - 1], rows = table[0], row = table[1];
    if (plan->kernel->flags & TH_KERNEL_ROWS)
        THRun_loopRows(run, n, end, data);
    else if (!THPlan_moves(plan))
        THRun_callEach(run, (char *const *)data, rows); /* loops of conversions take one row */
    else if (plan->staged == 0)
        moves->rows(data[0], row, data[1], table[2], rows, row);
    else
        moves->fill[THMove_at(row / n)](data[0], row, data[1], table[2], rows, n);
}

void THRun_joinRows(const THRun *run, int64_t rows, char *const *base, const int64_t *stride)
{
    _Alignas(TH_LINE_BYTES) char strip[TH_STRIP_MOST];
    const THPlan *plan = run->plan;
    const int64_t n = plan->size[plan->nDimension - 1], row = stride[0];
    const int64_t most = THMove_stripRows(row);
    int64_t table[1 + TH_MAX_OPERANDS], some = firstRows(base[0], row, most);
    void *data[TH_MAX_OPERANDS + 1];
    char *to = base[0];
    memcpy(table + 1, stride, sizeof *stride * (size_t)plan->noperands);
    memcpy(data, base, sizeof *base * (size_t)plan->noperands);
    data[0] = strip;
    data[plan->noperands] = table;
    const int64_t end = THRun_endOfRows(plan, n, (char *const *)data);
    for (; rows > 0; rows -= some, some = most) {
        table[0] = some = THSize_min(some, rows);
        for (int k = 1; k < plan->noperands; k++)
            if (stride[k] != 0 && !(plan->staged >> k & 1))
                askForRows((char *)data[k] + some * stride[k], stride[k], n * THPlan_step(plan, k),
                           THSize_min(some, rows - some));
        makeRows(run, end, data, table);
        THMove_moves()->stream(to, 0, strip, 0, 1, some * row);
        to += some * row;
        for (int k = 1; k < plan->noperands; k++)
            data[k] = (char *)data[k] + some * stride[k];
    }
}
