/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calling a kernel's loop: the last of whole vectors, far memory in strips, many rows at once. */
#include <TH/engine/THRun.h>

#include <string.h>

#define VECTOR_BYTES 64
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

/* In strips that are written to memory once they are in the first cache. Lines there are lines of
 * memory: but for the first and the last one strips are whole lines of the first output. */
static void callStreamed(const THRun *run, int64_t n, void *const *data)
{
    _Alignas(TH_LINE_BYTES) char strip[TH_MAX_OPERANDS][TH_STREAM_ALONE_BYTES + TH_LINE_BYTES];
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
