/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine's doors: running a plan on the threads, and running a kernel, where small contiguous
 * operands get to the loop without any plan. */
#include <TH/THExplain.h>
#include <TH/engine/THMove.h>
#include <TH/engine/THRun.h>

#include <string.h>

/* Most elements for which operands are converted, gathered or repeated without a plan. */
#define SMALL_STAGED 256
/* The same where the result is no run in the order of its indices. */
#define SMALL_SCATTERED 64
/* So many may be worth two threads. */
#define SMALL_SHARED (2 * TH_THREAD_BYTES / 8)

/* A thread's share has two parts, or more where that much is moved or an element costs more: while
 * others sleep the first one shows how long it takes (TH/core/THThreads.c). */
#define LONG_BYTES (1 << 20)
#define LONG_PARTS 16
/* Operands of so many bytes are read sooner by half registers where the machine halves whole ones:
 * 300000 float32 and as many others are added in 72 us, by whole ones in 76; with more lines under
 * way -a of 10^7, streamed, takes 2.4 ms instead of 2.8 (EPYC 9004). */
#define HALVED_BYTES (1 << 20)
/* ... unless an element takes that many steps, as roots do (400000 float64: 120 us, else 145), */
#define HALVED_STEPS 7
/* or bytes are made of wider elements of one operand, whose reading whole registers keep up with:
 * these make more at once (500000 float64 by isfinite: 73 us, else 112; of two operands compared
 * 1.2 times as long). */
#define MADE_OF_LEAST 4 /* bytes of an element */

static void runContiguous(int64_t begin, int64_t end, void *context)
{
    const THRun *run = context;
    const THPlan *plan = run->plan;
    void *data[TH_MAX_OPERANDS];

    for (int k = 0; k < plan->noperands; k++)
        data[k] = plan->data[k] + begin * THPlan_step(plan, k);
    THRun_call(run, end - begin, data);
    THRun_fence(run);
}

/* The params of a kernel that reads one element of each row of a column. */
static const void *withColumn(const THPlan *plan, const void *params, char *room)
{
    const THKernel *kernel = plan->kernel;
    bool *single = (bool *)room + kernel->singleAt;

    if (plan->column == 0)
        return params;
    memcpy(room, params, kernel->paramsSize);
    for (uint32_t left = kernel->single; left != 0; left &= left - 1)
        *single++ = plan->column >> __builtin_ctz(left) & 1;
    return room;
}

/* What is done with integers of 64 bits has instructions for whole registers alone: products,
 * signed shifts, extremes. Several take longer than near memory (addcmul of 200000: 71 us, so 52;
 * EPYC 9004). */
static bool needsWhole(const THPlan *plan)
{
    const THDtype dtype = (THDtype)plan->kernel->dtype[0];
    return THDtype_size(dtype) == 8 && THDtype_category(dtype) == TH_CATEGORY_INTEGRAL &&
           plan->kernel->cost > 1 && plan->bytes < TH_FAR_BYTES;
}

/* Are half registers better? */
static bool isHalved(const THPlan *plan)
{
    const THKernel *kernel = plan->kernel;
    int nread = 0;
    if (!THMachine_halvesRegisters || plan->bytes < HALVED_BYTES || kernel->cost >= HALVED_STEPS ||
        kernel->flags & TH_KERNEL_WHOLE_VECTORS)
        return false;
    if (needsWhole(plan))
        return false;
    if (THDtype_size((THDtype)kernel->dtype[0]) > 1)
        return true;
    for (int k = kernel->noutputs; k < plan->noperands; k++)
        if (THPlan_step(plan, k) != 0) {
            if (THDtype_size((THDtype)kernel->dtype[k]) < MADE_OF_LEAST)
                return true;
            nread++;
        }
    return nread != 1;
}

/* Are rows of what is divided worth the widest registers, as long runs are? A quotient takes as
 * long in half of one on AMD's processors, and reciprocal has products for every second (25600
 * float64 in rows of 256: 6.5 us, so 3.6; EPYC 9005). */
#define DIVIDED_ELEMENTS 4096
#define DIVIDED_ROW_BYTES (2 * TH_LINE_BYTES)
static bool dividesRows(const THPlan *plan)
{
    const THKernel *kernel = plan->kernel;
    return kernel->flags & TH_KERNEL_DIVIDES && plan->elements >= DIVIDED_ELEMENTS &&
           plan->block * THDtype_size((THDtype)kernel->dtype[0]) >= DIVIDED_ROW_BYTES;
}

int THPlan_run(const THPlan *plan, const void *params)
{
    _Alignas(16) char room[TH_PARAMS_MOST];
    const bool direct = plan->path == TH_PATH_CONTIGUOUS;
    const int64_t n = direct ? plan->elements : plan->items;
    /* Rows are short more often than tensors are; many conversions are slow but in the widest. */
    const bool converts = plan->kernel->flags & TH_KERNEL_COPIES;
    const int64_t length = direct || converts ? plan->elements : plan->block;
    const int isa = isHalved(plan)      ? THIsa_few
                    : dividesRows(plan) ? THIsa_current
                                        : THKernel_isa(plan->kernel, plan->single, length);
    THRun run = {
        .plan = plan, .params = withColumn(plan, params, room), .loop = plan->kernel->loop[isa]};
    const THRangeFunction function = direct                        ? runContiguous
                                     : plan->wide                  ? THRun_wideTiles
                                     : plan->path == TH_PATH_TILED ? THRun_tiles
                                                                   : THRun_blocks;
    if (plan->path == TH_PATH_EMPTY)
        return TH_OK;
    THRun_setStrips(&run);
    if (plan->threads == 1) {
        function(0, n, &run);
        return TH_OK;
    }
    const bool isLong = plan->bytes >= LONG_BYTES || plan->kernel->cost >= TH_COSTLY_STEPS;
    const int parts = isLong ? LONG_PARTS : 2;
    const int64_t share = (n - 1) / plan->threads / parts + 1;
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

/* n elements of the dtype of `self` as the kernel's dtype. */
static void convert(const THTensor *self, THDtype dtype, const uint8_t *via, int64_t n, void *to,
                    const void *from)
{
    _Alignas(64) char room[SMALL_STAGED * 8];
    THCast_through(n, to, dtype, (THDtype)(via ? *via : self->dtype), room, from,
                   (THDtype)self->dtype);
}

/* The first element of `self` as the kernel's dtype; numbers, and what they are converted to, make
 * most of them. */
static inline void convertOne(const THTensor *self, THDtype dtype, const uint8_t *via, void *to)
{
    const void *from = THTensor_data(self);
    if (via == NULL && self->dtype == TH_DOUBLE && dtype == TH_FLOAT)
        *(float *)to = (float)*(const double *)from;
    else if (via == NULL && self->dtype == TH_LONG && dtype == TH_FLOAT)
        *(float *)to = (float)*(const int64_t *)from;
    else if (via == NULL && self->dtype == TH_LONG && dtype == TH_DOUBLE)
        *(double *)to = (double)*(const int64_t *)from;
    else
        convert(self, dtype, via, 1, to, from);
}

void *THKernel_element(const THTensor *operand, THDtype dtype, const uint8_t *via, uint64_t *room)
{
    if (operand->dtype == dtype && (via == NULL || *via == dtype))
        return THTensor_data(operand);
    convertOne(operand, dtype, via, room);
    return room;
}

/* One element of any dtype as n of the kernel's. */
static void spread(const THTensor *self, THDtype dtype, const uint8_t *via, int64_t n, char *buffer)
{
    union {
        uint8_t word1;
        uint16_t word2;
        uint32_t word4;
        uint64_t word8;
    } element;
    convertOne(self, dtype, via, &element);
#define CASE(bytes, type)                                      \
    case bytes:                                                \
        for (int64_t i = 0; i < n; i++)                        \
            ((type *)(void *)buffer)[i] = element.word##bytes; \
        break;
    switch (THDtype_size(dtype)) {
        CASE(1, uint8_t)
        CASE(2, uint16_t)
        CASE(4, uint32_t)
        CASE(8, uint64_t)
    }
#undef CASE
}

/* Moves elements into a run, two dims at once, or from there `back`; the end of the run. */
static char *moveDims(int ndims, const int64_t *size, const int64_t *stride, int64_t bytes,
                      char *run, char *item, bool back)
{
    if (ndims > 2) {
        for (int64_t i = 0; i < size[0]; i++)
            run = moveDims(ndims - 1, size + 1, stride + 1, bytes, run, item + i * stride[0], back);
        return run;
    }
    const int64_t rows = ndims == 2 ? size[0] : 1, rowStride = ndims == 2 ? stride[0] : 0;
    const int64_t n = size[ndims - 1], step = stride[ndims - 1];
    if (back)
        THMove_scatter(bytes, item, run, rows, rowStride, n, step);
    else
        THMove_gather(bytes, run, item, rows, rowStride, n, step);
    return run + rows * n * bytes;
}

/* Moves the elements of `self`, broadcast to `shape`, into a run in the order of its indices, or
 * back; false where the shapes do not go together. */
static bool moveSmall(const THTensor *self, const THTensor *shape, char *run, bool back)
{
    const int missing = shape->nDimension - self->nDimension;
    const int64_t bytes = THTensor_itemSize(self);
    int64_t size[TH_MAX_DIMS], stride[TH_MAX_DIMS];
    int first = TH_MAX_DIMS; /* dims that are one are merged, from the last one on */
    for (int d = shape->nDimension - 1; d >= 0 && missing >= 0; d--) {
        const int own = d - missing;
        const bool isOne = own < 0 || self->size[own] == 1;
        const int64_t step = isOne ? 0 : self->stride[own] * bytes;
        if (!isOne && self->size[own] != shape->size[d])
            return false;
        if (first < TH_MAX_DIMS && step == stride[first] * size[first]) {
            size[first] *= shape->size[d];
        } else if (shape->size[d] != 1) {
            size[--first] = shape->size[d];
            stride[first] = step;
        }
    }
    if (first == TH_MAX_DIMS)
        return false;
    moveDims(TH_MAX_DIMS - first, size + first, stride + first, bytes, run, THTensor_data(self),
             back);
    return true;
}

/* Whether the fast exit can repeat operand k. */
static inline bool isRepeated(const THKernel *kernel, THTensor *const *operands, int k)
{
    return k >= kernel->noutputs && operands[k]->nDimension <= operands[0]->nDimension &&
           THTensor_isSingle(operands[k]);
}

/* Operand k as a run of the kernel's dtype in `buffer`; false where its shape does not go. */
static bool loadSmall(const THKernel *kernel, THTensor *const *operands, const uint8_t *via, int k,
                      int64_t n, char *buffer)
{
    _Alignas(64) char gathered[SMALL_STAGED * 8];
    const THTensor *self = operands[k];
    const THDtype dtype = (THDtype)kernel->dtype[k];
    via = via ? via + k : NULL;
    if (isRepeated(kernel, operands, k)) {
        spread(self, dtype, via, n, buffer);
        return true;
    }
    if (runLength(self, operands[0]) == n) {
        convert(self, dtype, via, n, buffer, THTensor_data(self));
        return true;
    }
    if (self->dtype == dtype && (via == NULL || *via == dtype))
        return moveSmall(self, operands[0], buffer, false);
    if (!moveSmall(self, operands[0], gathered, false))
        return false;
    convert(self, dtype, via, n, buffer, gathered);
    return true;
}

static void storeSmall(const THKernel *kernel, THTensor *const *operands, int k, int64_t n,
                       char *buffer)
{
    _Alignas(64) char converted[SMALL_STAGED * 8];
    THTensor *self = operands[k];
    const THDtype dtype = (THDtype)self->dtype;
    const bool isRun = runLength(self, operands[0]) == n;
    void *cast[2] = {isRun ? THTensor_data(self) : converted, buffer};
    if (dtype != kernel->dtype[k]) {
        THCast_loop(dtype, (THDtype)kernel->dtype[k])(n, cast, NULL);
        buffer = converted;
    }
    if (!isRun)
        moveSmall(self, operands[0], buffer, true);
}

/* The fast exit where the operands in `staged` are converted, gathered or repeated in buffers.
 * False, with nothing done, where a shape does not go. */
static __attribute__((noinline)) bool runStaged(const THKernel *kernel, THTensor *const *operands,
                                                const uint8_t *via, const void *params, int64_t n,
                                                uint32_t staged, void **data)
{
    _Alignas(64) char buffer[TH_MAX_OPERANDS][SMALL_STAGED * 8];

    for (int k = 0; k < kernel->noutputs + kernel->ninputs; k++) {
        if (!(staged >> k & 1))
            continue;
        data[k] = buffer[k];
        if (k < kernel->noutputs ? !THTensor_isSameSizeAs(operands[k], operands[0])
                                 : !loadSmall(kernel, operands, via, k, n, buffer[k]))
            return false;
    }
    const uint32_t single = THKernel_single(kernel, operands);
    const int isa = THKernel_isa(kernel, single, n);
    THKernel_call(kernel, kernel->loop[isa], single, n, data, params);
    for (int k = 0; k < kernel->noutputs; k++)
        if (staged >> k & 1)
            storeSmall(kernel, operands, k, n, buffer[k]);
    return true;
}

/* Too much for a fast exit: threads, or strips, may gain. */
static inline bool isMuch(const THKernel *kernel, int64_t n)
{
    return n >= SMALL_SHARED || n * kernel->cost >= 2 * TH_PARALLEL_STEPS;
}

/* How many elements the fast exit would do; 0 where that is too much. Operands that are as the
 * kernel wants them are in `data`, those of which it reads one element as that (in `element` if
 * converted), the others in `staged`. */
static inline __attribute__((always_inline)) int64_t sortSmall(const THKernel *kernel,
                                                               THTensor *const *operands,
                                                               const uint8_t *via, void **data,
                                                               uint32_t *staged, uint64_t *element)
{
    const int noperands = kernel->noutputs + kernel->ninputs;
    const THTensor *shape = operands[0];
    const int64_t n = THTensor_nElement(shape);
    const bool isRun = runLength(shape, shape) == n;

    *staged = 0;
    if (n <= 0 || isMuch(kernel, n) || (!isRun && n > SMALL_SCATTERED))
        return 0;
    const uint32_t single = kernel->single ? THKernel_single(kernel, operands) : 0;
    for (int k = 0; k < noperands; k++) {
        const THTensor *self = operands[k];
        if (single >> k & 1 && self->nDimension <= shape->nDimension)
            data[k] = THKernel_element(self, (THDtype)kernel->dtype[k], via ? via + k : NULL,
                                       element + k);
        else if (self->dtype == kernel->dtype[k] && (via == NULL || via[k] == self->dtype) &&
                 (self == shape ? isRun : runLength(self, shape) == n))
            data[k] = THTensor_data(self);
        else
            *staged |= 1u << k;
    }
    return *staged && n > SMALL_STAGED ? 0 : n;
}

/* Runs the kernel if there is little to do and all operands are contiguous, of one shape and of the
 * kernel's dtypes; where there is very little, whatever they are. */
static __attribute__((noinline)) bool runSmall(const THKernel *kernel, THTensor *const *operands,
                                               const uint8_t *via, const void *params)
{
    void *data[TH_MAX_OPERANDS];
    uint32_t staged;
    uint64_t element[TH_MAX_OPERANDS];
    const int64_t n = sortSmall(kernel, operands, via, data, &staged, element);

    if (n == 0)
        return false;
    if (staged)
        return runStaged(kernel, operands, via, params, n, staged, data);
    const uint32_t single = THKernel_single(kernel, operands);
    if (kernel->flags & TH_KERNEL_WHOLE_VECTORS)
        THKernel_call(kernel, kernel->loop[THIsa_current], single, n, data, params);
    else
        THKernel_callPlain(kernel, kernel->loop[THKernel_isa(kernel, single, n)], single, n, data,
                           params);
    return true;
}

/* Whether runSmall would do it. */
static bool isSmall(const THKernel *kernel, THTensor *const *operands, const uint8_t *via)
{
    void *data[TH_MAX_OPERANDS];
    uint32_t staged;
    uint64_t element[TH_MAX_OPERANDS];
    const int64_t n = sortSmall(kernel, operands, via, data, &staged, element);

    return n > 0;
}

/* A copy to what was made for the explained call: what follows may look at it. */
static int explainCopy(const THKernel *kernel, THTensor *const *operands, const void *params)
{
    THExplain *explain = THExplain_current;
    if (explain->ncopies < TH_EXPLAIN_COPIES)
        explain->copy[explain->ncopies] = (THExplainCopy){
            operands[1]->dtype,
            operands[0]->dtype,
            THTensor_isContiguous(operands[1]),
            THTensor_nElement(operands[0]),
        };
    explain->ncopies++;
    THExplain_current = NULL;
    const int status = THKernel_run(kernel, operands, params);
    THExplain_current = explain;
    return status;
}

int THExplain_kernel(const THKernel *kernel, THTensor *const *operands, const uint8_t *via,
                     const void *params)
{
    THExplain *explain = THExplain_current;
    if (kernel->flags & TH_KERNEL_COPIES && !THExplain_isGiven(operands[0]))
        return explainCopy(kernel, operands, params);
    const int status = THPlan_initThrough(&explain->plan, kernel, operands, via);
    if (status != TH_OK)
        return status;
    explain->planned = true;
    explain->kernel = *kernel;
    explain->small = isSmall(kernel, operands, via);
    for (int k = 0; k < kernel->noutputs && explain->noutputs < kernel->noutputs; k++) {
        const bool isGiven = THExplain_isGiven(operands[k]);
        THExplain_addOutput(operands[k], isGiven ? operands[k] : NULL, isGiven);
    }
    return THExplain_guard();
}

/* Whether all operands in `staged` are one element each. */
static bool areRepeated(const THKernel *kernel, THTensor *const *operands, uint32_t staged)
{
    for (int k = 0; staged >> k != 0; k++)
        if (staged >> k & 1 && !isRepeated(kernel, operands, k))
            return false;
    return true;
}

/* runSmall for what most calls are: a result that fills its memory, no element of which has two
 * indices, so that the order of the dims does not matter; and operands as it is, or to be staged.
 * Apart from it, since it needs next to nothing of what the other paths do. Whether it ran;
 * runSmall is worth a try where the result's strides are `odd`. */
static inline __attribute__((always_inline)) bool
runPlain(const THKernel *kernel, THTensor *const *operands, const void *params, bool *odd)
{
    const int noperands = kernel->noutputs + kernel->ninputs;
    const THTensor *shape = operands[0];
    const int64_t *size = shape->size, *stride = shape->stride;
    const int nDimension = shape->nDimension;
    void *data[TH_MAX_OPERANDS];
    uint32_t staged = 0, single = 0;
    uint64_t element[TH_MAX_OPERANDS];
    int64_t n = 1, last = 0; /* elements, and where the last one is */

    for (int d = nDimension - 1; d >= 0; d--) {
        *odd |= stride[d] != n;
        last += (size[d] - 1) * stride[d];
        n *= size[d];
    }
    if (last != n - 1 || n <= 0 || isMuch(kernel, n))
        return false;
    for (int k = 0; k < noperands; k++) {
        const THTensor *self = operands[k];
        bool same = self->dtype == kernel->dtype[k] && self->nDimension == nDimension;
        for (int d = 0; same && d < nDimension; d++)
            same = self->size[d] == size[d] && self->stride[d] == stride[d];
        if (TH_LIKELY(same)) {
            data[k] = THTensor_data(self);
        } else if (isRepeated(kernel, operands, k) && THKernel_single(kernel, operands) >> k & 1) {
            data[k] = THKernel_element(self, (THDtype)kernel->dtype[k], NULL, element + k);
            single |= 1u << k;
        } else {
            staged |= 1u << k;
        }
    }
    if (TH_UNLIKELY(staged))
        return n <= SMALL_STAGED && (!*odd || areRepeated(kernel, operands, staged)) &&
               runStaged(kernel, operands, NULL, params, n, staged, data);
    if (kernel->flags & TH_KERNEL_WHOLE_VECTORS)
        THKernel_call(kernel, kernel->loop[THIsa_current], single, n, data, params);
    else
        THKernel_callPlain(kernel, kernel->loop[THKernel_isa(kernel, single, n)], single, n, data,
                           params);
    return true;
}

/* Not inlined: its frame would be every call's. */
static __attribute__((noinline)) int runPlanned(const THKernel *kernel, THTensor *const *operands,
                                                const void *params)
{
    THPlan plan;
    const int status = THPlan_init(&plan, kernel, operands);
    return status == TH_OK ? THPlan_run(&plan, params) : status;
}

int THKernel_run(const THKernel *kernel, THTensor *const *operands, const void *params)
{
    bool odd = false;
    if (TH_UNLIKELY(THExplain_current != NULL))
        return THExplain_kernel(kernel, operands, NULL, params);
    if (TH_LIKELY(runPlain(kernel, operands, params, &odd)) ||
        (odd && runSmall(kernel, operands, NULL, params)))
        return TH_OK;
    return runPlanned(kernel, operands, params);
}

int THKernel_runRounded(const THKernel *kernel, THDtype dtype, uint32_t rounded,
                        THTensor *const *operands, const void *params)
{
    uint8_t via[TH_MAX_OPERANDS];
    THPlan plan;
    for (int k = 0; k < kernel->noutputs + kernel->ninputs; k++)
        via[k] = rounded >> k & 1 ? (uint8_t)dtype : operands[k]->dtype;
    if (TH_UNLIKELY(THExplain_current != NULL)) {
        THExplain_current->rounded = (int)dtype;
        return THExplain_kernel(kernel, operands, via, params);
    }
    if (runSmall(kernel, operands, via, params))
        return TH_OK;
    const int status = THPlan_initThrough(&plan, kernel, operands, via);
    return status == TH_OK ? THPlan_run(&plan, params) : status;
}
