/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Short rows of much memory, one after the other in the result, which are streamed many together:
 * a line of the cache that two of them share would be read to be written. */
#include <TH/THMachine.h>
#include <TH/engine/THRun.h>

#include <string.h>

/* Where what is written is waited for. Strips have about so many bytes, more where that makes whole
 * lines of the cache (10^6 rows of 10 float64 in another order: 16.8 ms, so 11.4; each of 2 * 10^6
 * float64 5 times: 13.0 ms, so 4.4; 10^5 rows of 100 and a column: 10.7 ms, so 8.0; Xeon). */
#define STRIP_BYTES (2 * TH_STREAM_BYTES)
#define STRIP_MOST (2 * STRIP_BYTES)

bool THPlan_joinsRows(const THPlan *plan)
{
    const THKernel *kernel = plan->kernel;
    const int inner = plan->nDimension - 1;
    const int64_t row = plan->size[inner] * THDtype_size((THDtype)plan->dtype[0]);
    const bool computes = kernel->flags & TH_KERNEL_ROWS && kernel->noutputs == 1 &&
                          plan->path == TH_PATH_STAGED && !plan->strided && !(plan->staged & 1);
    return THMachine_asksForWrites && (THPlan_moves(plan) || computes) && plan->outer == inner &&
           inner > 0 && plan->blocks == 1 && row < TH_STREAM_BYTES &&
           plan->stride[0][inner - 1] == row && THPlan_streams(plan, TH_STREAM_BYTES);
}

/* Rows of a strip, and of the first one, after which lines begin with rows where they can. */
typedef struct Strips {
    int64_t most, some;
} Strips;

static Strips stripsOf(const char *to, int64_t row)
{
    const int64_t lines = THMove_rowsOfLines(row);
    const int64_t most = lines * row > STRIP_MOST    ? STRIP_BYTES / row
                         : lines * row > STRIP_BYTES ? lines
                                                     : STRIP_BYTES / row / lines * lines;
    for (int64_t r = 1; r <= most; r++)
        if ((uintptr_t)(to + r * row) % TH_LINE_BYTES == 0 && r < lines)
            return (Strips){most, r};
    return (Strips){most, most};
}

void THRun_joinCopied(const THRun *run, char *const *base, int64_t rows)
{
    _Alignas(TH_LINE_BYTES) char strip[STRIP_MOST];
    const THPlan *plan = run->plan;
    const THMoves *moves = THMove_moves();
    const int inner = plan->nDimension - 1;
    const int64_t size = THDtype_size((THDtype)plan->dtype[0]), n = plan->size[inner];
    const int64_t row = n * size, stride = plan->stride[1][inner - 1];
    const char *from = base[1];
    char *to = base[0];
    Strips strips = stripsOf(to, row);
    for (; rows > 0; rows -= strips.some, strips.some = strips.most) {
        const int64_t some = strips.some = THSize_min(strips.some, rows);
        for (int64_t r = some; plan->staged == 0 && r < THSize_min(2 * some, rows); r++)
            THMove_ask(from + r * stride, row);
        if (plan->staged == 0)
            moves->rows(strip, row, from, stride, some, row);
        else
            moves->fill[THMove_at(size)](strip, row, from, stride, some, n);
        moves->stream(to, 0, strip, 0, 1, some * row);
        to += some * row;
        from += some * stride;
    }
}

void THRun_joinRows(const THRun *run, int64_t rows, char *const *base, const int64_t *stride)
{
    _Alignas(TH_LINE_BYTES) char strip[STRIP_MOST];
    const THPlan *plan = run->plan;
    const int64_t n = plan->size[plan->nDimension - 1], row = stride[0];
    int64_t table[1 + TH_MAX_OPERANDS];
    void *data[TH_MAX_OPERANDS + 1];
    char *to = base[0];
    Strips strips = stripsOf(to, row);
    memcpy(table + 1, stride, sizeof *stride * (size_t)plan->noperands);
    memcpy(data, base, sizeof *base * (size_t)plan->noperands);
    data[0] = strip;
    data[plan->noperands] = table;
    for (; rows > 0; rows -= strips.some, strips.some = strips.most) {
        const int64_t some = table[0] = strips.some = THSize_min(strips.some, rows);
        for (int k = 1; k < plan->noperands; k++)
            if (stride[k] > 0 && stride[k] <= 2 * n * THPlan_step(plan, k))
                THMove_ask((char *)data[k] + some * stride[k], some * stride[k]);
        run->loop(-n, data, run->params);
        THMove_moves()->stream(to, 0, strip, 0, 1, some * row);
        to += some * row;
        for (int k = 1; k < plan->noperands; k++)
            data[k] = (char *)data[k] + some * stride[k];
    }
}
