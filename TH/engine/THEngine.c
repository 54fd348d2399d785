/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine's doors: running a plan on the threads, and running a kernel, where small contiguous
 * operands get to the loop without any plan. */
#include <TH/engine/THRun.h>

/* Most elements for which operands are converted, or one is repeated, without a plan. */
#define SMALL_STAGED 256

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

/* One element of any dtype as n of the kernel's. */
static void spread(const THTensor *self, THDtype dtype, int64_t n, char *buffer)
{
    uint64_t element;
    void *one[2] = {&element, THTensor_data(self)};
    THCast_loop(dtype, (THDtype)self->dtype)(1, one, NULL);
    THMove_gather(THDtype_size(dtype), buffer, (const char *)&element, 1, 0, n, 0);
}

/* The fast exit where the operands in `staged` are of another dtype or, among the inputs, one
 * element each. False, with nothing done, where they are neither. */
static __attribute__((noinline)) bool runStaged(const THKernel *kernel, THTensor *const *operands,
                                                const void *params, int64_t n, uint32_t staged,
                                                void **data)
{
    _Alignas(64) char buffer[TH_MAX_OPERANDS][SMALL_STAGED * 8];
    const THTensor *shape = operands[0];

    for (int k = 0; k < kernel->noutputs + kernel->ninputs; k++) {
        const THTensor *self = operands[k];
        const THDtype dtype = (THDtype)kernel->dtype[k];
        if (!(staged >> k & 1))
            continue;
        data[k] = buffer[k];
        if (runLength(self, shape) == n) {
            void *cast[2] = {buffer[k], THTensor_data(self)};
            if (k >= kernel->noutputs)
                THCast_loop(dtype, (THDtype)self->dtype)(n, cast, NULL);
        } else if (k >= kernel->noutputs && isOneElement(self, shape->nDimension)) {
            spread(self, dtype, n, buffer[k]);
        } else {
            return false;
        }
    }
    THKernel_call(kernel, kernel->loop[THIsa_current], n, data, params);
    for (int k = 0; k < kernel->noutputs; k++) {
        void *cast[2] = {THTensor_data(operands[k]), buffer[k]};
        if (staged >> k & 1)
            THCast_loop((THDtype)operands[k]->dtype, (THDtype)kernel->dtype[k])(n, cast, NULL);
    }
    return true;
}

/* Runs the kernel if there is little to do and all operands are contiguous, of one shape and of the
 * kernel's dtypes; where there is very little, of any dtype or of one element. */
static inline bool runSmall(const THKernel *kernel, THTensor *const *operands, const void *params)
{
    const int noperands = kernel->noutputs + kernel->ninputs;
    const THTensor *shape = operands[0];
    const int64_t n = runLength(shape, shape);
    void *data[TH_MAX_OPERANDS];
    uint32_t staged = 0;

    if (n <= 0 || n * kernel->cost >= 2 * TH_PARALLEL_STEPS)
        return false;
    for (int k = 0; k < noperands; k++) {
        const THTensor *self = operands[k];
        if (self->dtype == kernel->dtype[k] && (self == shape || runLength(self, shape) == n))
            data[k] = THTensor_data(self);
        else
            staged |= 1u << k;
    }
    if (staged)
        return n <= SMALL_STAGED && runStaged(kernel, operands, params, n, staged, data);
    if (kernel->flags & TH_KERNEL_WHOLE_VECTORS)
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

int THKernel_runRounded(const THKernel *kernel, THDtype dtype, uint32_t rounded,
                        THTensor *const *operands, const void *params)
{
    int status = TH_OK;
    THTensor *used[TH_MAX_OPERANDS], *converted[TH_MAX_OPERANDS] = {NULL};
    for (int k = 0; k < kernel->noutputs + kernel->ninputs; k++) {
        used[k] = operands[k];
        if (!(rounded >> k & 1) || operands[k]->dtype == dtype)
            continue;
        TH_TRY(THTensor_newCast(&converted[k], operands[k], dtype));
        used[k] = converted[k];
    }
    TH_TRY(THKernel_run(kernel, used, params));
done:
    for (int k = 0; k < kernel->noutputs + kernel->ninputs; k++)
        THTensor_free(converted[k]);
    return status;
}
