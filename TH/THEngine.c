/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine's doors: running a plan on the threads, and running a kernel, where small contiguous
 * operands get to the loop without any plan. */
#include <TH/THRun.h>

/* Most elements for which a one-element operand is spread over a buffer without a plan. */
#define SPREAD_LIMIT 256

static void runContiguous(int64_t begin, int64_t end, void *context)
{
    const THRun *run = context;
    const THPlan *plan = run->plan;
    void *data[TH_MAX_OPERANDS];

    for (int k = 0; k < plan->noperands; k++)
        data[k] = plan->data[k] + begin * THDtype_size((THDtype)plan->dtype[k]);
    THKernel_call(plan->kernel, run->loop, end - begin, data, run->params);
}

int THPlan_run(const THPlan *plan, const void *params)
{
    THRun run = {plan, params, plan->kernel->loop[THIsa_current]};
    const bool direct = plan->path == TH_PATH_CONTIGUOUS;
    const int64_t n = direct ? plan->elements : plan->items;
    const THRangeFunction function = direct                        ? runContiguous
                                     : plan->path == TH_PATH_TILED ? THRun_tiles
                                                                   : THRun_blocks;
    if (plan->path == TH_PATH_EMPTY)
        return TH_OK;
    if (plan->threads == 1) {
        function(0, n, &run);
        return TH_OK;
    }
    const int64_t share = (n - 1) / plan->threads + 1;
    TH_parallel_for(n, direct ? (share + 63) / 64 * 64 : share, function, &run);
    return TH_OK;
}

/* Elements of a tensor that is one contiguous run of this shape; -1 if it is anything else. */
static inline int64_t runLength(const THTensor *self, const THTensor *shape)
{
    int64_t n = 1;
    if (self->nDimension != shape->nDimension)
        return -1;
    for (int d = self->nDimension - 1; d >= 0; d--) {
        const int64_t size = shape->size[d];
        if (self->size[d] != size || (self->stride[d] != n && size != 1))
            return -1;
        n *= size;
    }
    return n;
}

static inline bool isOneElement(const THTensor *self, int nDimension)
{
    if (self->nDimension > nDimension)
        return false;
    for (int d = 0; d < self->nDimension; d++)
        if (self->size[d] != 1)
            return false;
    return true;
}

/* The fast exit where the operands in `single` are one element each, of any dtype. */
static __attribute__((noinline)) void runSpread(const THKernel *kernel, THTensor *const *operands,
                                                const void *params, int64_t n, uint32_t single,
                                                void **data)
{
    _Alignas(64) char buffer[TH_MAX_OPERANDS][SPREAD_LIMIT * 8];

    for (int k = kernel->noutputs; k < kernel->noutputs + kernel->ninputs; k++) {
        if (!(single >> k & 1))
            continue;
        const THDtype dtype = (THDtype)kernel->dtype[k];
        const int64_t size = THDtype_size(dtype);
        uint64_t element;
        void *one[2] = {&element, THTensor_data(operands[k])};
        THCast_loop(dtype, (THDtype)operands[k]->dtype)(1, one, NULL);
        THMove_gather(size, buffer[k], (const char *)&element, 1, 0, n, 0);
        data[k] = buffer[k];
    }
    THKernel_call(kernel, kernel->loop[THIsa_current], n, data, params);
}

/* Runs the kernel if all operands are contiguous, of one shape and of the kernel's dtypes, but for
 * some of one element, and there is little to do. */
static inline bool runSmall(const THKernel *kernel, THTensor *const *operands, const void *params)
{
    const int noperands = kernel->noutputs + kernel->ninputs;
    const THTensor *shape = operands[0];
    const int64_t n = runLength(shape, shape);
    void *data[TH_MAX_OPERANDS];
    uint32_t single = 0;

    if (n < 0 || n * kernel->cost >= 2 * TH_PARALLEL_STEPS)
        return false;
    for (int k = 0; k < noperands; k++) {
        const THTensor *self = operands[k];
        if (self->dtype == kernel->dtype[k] && (self == shape || runLength(self, shape) == n)) {
            data[k] = THTensor_data(self);
        } else {
            if (k < kernel->noutputs || n > SPREAD_LIMIT || !isOneElement(self, shape->nDimension))
                return false;
            single |= 1u << k;
        }
    }
    if (n == 0)
        return true;
    if (single)
        runSpread(kernel, operands, params, n, single, data);
    else if (kernel->flags & TH_KERNEL_WHOLE_VECTORS)
        THKernel_call(kernel, kernel->loop[THIsa_current], n, data, params);
    else
        kernel->loop[THIsa_current](n, data, params);
    return true;
}

int THKernel_run(const THKernel *kernel, THTensor *const *operands, const void *params)
{
    THPlan plan;
    if (TH_LIKELY(runSmall(kernel, operands, params)))
        return TH_OK;
    const int status = THPlan_init(&plan, kernel, operands);
    return status == TH_OK ? THPlan_run(&plan, params) : status;
}
