/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Planning: from operands to the fewest dims, a path, and threads.
 *
 * Dims are ordered so that the first output is written in the order of its memory, dims of size 1
 * are dropped, and neighbours that every operand walks through as one are merged. What is
 * contiguous after that decides the path. */
#include <TH/engine/THRun.h>

#include <string.h>

/* Elements of twice as many steps are worth threads earlier, those of a multiple by so much: on two
 * threads sigmoid of 50000 float32 takes 0.63 of the time, and x * sigmoid(x) 0.88, since half of
 * what one core wrote is read by the other; sqrt of as many would take 1.2 times as long (Xeon). */
#define COSTLY 8
/* Kernels of fewer steps compute with little integers as they are. */
#define LIGHT_STEPS 8
/* Of fewer bytes it makes no difference whether operands share them. */
#define FEW_BYTES (1 << 20)

/* Bytes between neighbours of operand along dim `dim` of `shape`; -1 where it does not fit. Dims of
 * one element may have any stride, which nobody uses, and so may all where there are no elements.
 */
static int64_t strideAlong(const THTensor *operand, const THTensor *shape, int dim, bool output)
{
    const int own = dim - (shape->nDimension - operand->nDimension);
    if (own < 0)
        return output ? -1 : 0;
    if (operand->size[own] == shape->size[dim])
        return operand->stride[own] * THTensor_itemSize(operand) & INT64_MAX;
    return operand->size[own] == 1 && !output ? 0 : -1;
}

static int shapeError(const THKernel *kernel, const THTensor *operand, const THTensor *shape)
{
    return THError(TH_ERROR_VALUE, "%s: shape %s does not broadcast to %s", kernel->name,
                   THTensor_sizeDesc(operand).str, THTensor_sizeDesc(shape).str);
}

/* Sizes and strides of all dims but those of size 1. */
static int readShapes(THPlan *plan, THTensor *const *operands)
{
    const THTensor *shape = operands[0];
    int n = 0;

    for (int k = 0; k < plan->noperands; k++)
        if (operands[k]->nDimension > shape->nDimension)
            return shapeError(plan->kernel, operands[k], shape);
    plan->elements = 1;
    for (int d = 0; d < shape->nDimension; d++) {
        for (int k = 0; k < plan->noperands; k++) {
            plan->stride[k][n] = strideAlong(operands[k], shape, d, k < plan->kernel->noutputs);
            if (plan->stride[k][n] < 0)
                return shapeError(plan->kernel, operands[k], shape);
        }
        plan->elements *= shape->size[d];
        plan->size[n] = shape->size[d];
        n += shape->size[d] != 1;
    }
    if (n == 0) {
        plan->size[n] = 1;
        for (int k = 0; k < plan->noperands; k++)
            plan->stride[k][n] = THTensor_itemSize(operands[k]);
        n = 1;
    }
    plan->nDimension = n;
    return TH_OK;
}

void THPlan_swapDims(THPlan *plan, int a, int b)
{
    const int64_t size = plan->size[a];
    plan->size[a] = plan->size[b];
    plan->size[b] = size;
    for (int k = 0; k < plan->noperands; k++) {
        const int64_t stride = plan->stride[k][a];
        plan->stride[k][a] = plan->stride[k][b];
        plan->stride[k][b] = stride;
    }
}

/* Whether dim a, now outside of b, belongs inside: the first operand that is broadcast along
 * neither and tells them apart decides. */
static bool belongsInside(const THPlan *plan, int a, int b)
{
    for (int k = 0; k < plan->noperands; k++) {
        const int64_t along = plan->stride[k][a], other = plan->stride[k][b];
        if (along != 0 && other != 0 && along != other)
            return along < other;
    }
    return false;
}

static void sortDims(THPlan *plan)
{
    for (int i = 1; i < plan->nDimension; i++)
        for (int d = i; d > 0 && belongsInside(plan, d - 1, d); d--)
            THPlan_swapDims(plan, d - 1, d);
}

static bool areOne(const THPlan *plan, int outer, int inner)
{
    for (int k = 0; k < plan->noperands; k++)
        if (plan->stride[k][outer] != plan->stride[k][inner] * plan->size[inner])
            return false;
    return true;
}

static void mergeDims(THPlan *plan)
{
    int last = 0;
    for (int d = 1; d < plan->nDimension; d++) {
        const bool merge = areOne(plan, last, d);
        const int64_t size = merge ? plan->size[last] * plan->size[d] : plan->size[d];
        last += !merge;
        plan->size[last] = size;
        for (int k = 0; k < plan->noperands; k++)
            plan->stride[k][last] = plan->stride[k][d];
    }
    plan->nDimension = last + 1;
}

static void orderDims(THPlan *plan)
{
    sortDims(plan);
    mergeDims(plan);
}

/* Inputs whose elements make no difference have one that is read for all, where they are not all
 * one run. */
static void readOnce(THPlan *plan)
{
    bool direct = plan->nDimension == 1;
    for (int k = 0; k < plan->noperands; k++)
        direct &= plan->stride[k][0] == THDtype_size((THDtype)plan->dtype[k]);
    if (direct)
        return;
    for (int k = plan->kernel->noutputs; k < plan->noperands; k++)
        memset(plan->stride[k], 0, (size_t)plan->nDimension * sizeof *plan->stride[k]);
    orderDims(plan);
}

/* How many operands make a difference: where the inputs do not, the outputs alone. */
static int movedOperands(const THPlan *plan)
{
    return plan->kernel->flags & TH_KERNEL_UNREAD ? plan->kernel->noutputs : plan->noperands;
}

int64_t THPlan_shares(const THPlan *plan)
{
    const int64_t cost = plan->kernel->cost, times = cost < 2 * COSTLY ? 1 : cost / COSTLY;
    const int moved = movedOperands(plan);
    bool floating = false;
    int64_t widest = 1;
    for (int k = 0; k < moved; k++) {
        const THDtype dtype = (THDtype)plan->dtype[k];
        const int64_t size = THDtype_size(dtype);
        if (!(plan->single >> k & 1) && size > widest)
            widest = size;
        floating |= THDtype_category(dtype) == TH_CATEGORY_FLOATING;
    }
    if (widest < TH_THREAD_WORD && (floating || cost >= LIGHT_STEPS) && !THPlan_moves(plan))
        widest = TH_THREAD_WORD;
    return plan->elements / (TH_THREAD_BYTES / widest / times);
}

static void planThreads(THPlan *plan)
{
    const int64_t most = THPlan_shares(plan);
    plan->items = plan->blocks;
    for (int d = 0; d < plan->outer; d++)
        plan->items *= plan->size[d];
    plan->threads = most > 1 ? (int)THSize_min(THThreads_get(), most) : 1;
}

/* What the operands are, but for their shapes. */
static void readOperands(THPlan *plan, THTensor *const *operands, const uint8_t *via)
{
    const THKernel *kernel = plan->kernel;

    plan->noperands = kernel->noutputs + kernel->ninputs;
    plan->convert = plan->tiled = plan->staged = plan->column = plan->mixed = 0;
    plan->wide = 0;
    plan->strided = false;
    plan->single = THKernel_single(kernel, operands);
    for (int k = 0; k < plan->noperands; k++) {
        plan->dtype[k] = operands[k]->dtype;
        plan->via[k] = via ? via[k] : plan->dtype[k];
        plan->data[k] = THTensor_data(operands[k]);
        if (plan->single >> k & 1)
            plan->data[k] = THKernel_element(operands[k], (THDtype)kernel->dtype[k], plan->via + k,
                                             plan->element + k);
        else if (plan->dtype[k] != kernel->dtype[k] || plan->dtype[k] != plan->via[k])
            plan->convert |= 1u << k;
    }
}

/* In each dim, as many elements as one lies behind the other are not shared. */
int64_t THPlan_bytesShared(const THPlan *plan, int a, int b)
{
    const int64_t size = THDtype_size((THDtype)plan->dtype[a]);
    int64_t left = plan->data[b] - plan->data[a], shared = size;
    if (size != THDtype_size((THDtype)plan->dtype[b]))
        return 0;
    for (int d = 0; d < plan->nDimension && shared > 0; d++) {
        const int64_t stride = plan->stride[a][d];
        if (stride != plan->stride[b][d])
            return 0;
        if (stride == 0)
            continue;
        const int64_t steps = (left + (left < 0 ? -stride : stride) / 2) / stride;
        left -= steps * stride;
        shared *= plan->size[d] - THSize_min(steps < 0 ? -steps : steps, plan->size[d]);
    }
    return left == 0 ? shared : 0;
}

int64_t THPlan_span(const THPlan *plan, int k)
{
    int64_t bytes = THDtype_size((THDtype)plan->dtype[k]);
    for (int d = 0; d < plan->nDimension; d++)
        bytes += (plan->size[d] - 1) * plan->stride[k][d];
    return bytes;
}

/* Are two inputs all elements of one run of memory, in one order or in two? */
static bool areOneRun(const THPlan *plan, int a, int b)
{
    const int64_t size = THDtype_size((THDtype)plan->dtype[a]), span = THPlan_span(plan, a);
    return plan->data[a] == plan->data[b] && size == THDtype_size((THDtype)plan->dtype[b]) &&
           span == THPlan_span(plan, b) && span / size == plan->elements && span % size == 0;
}

/* The bytes that an input shares with any one before it. */
static int64_t bytesReadBefore(const THPlan *plan, int k)
{
    int64_t most = 0;
    for (int j = plan->kernel->noutputs; j < k; j++) {
        const int64_t shared =
            areOneRun(plan, j, k) ? THPlan_span(plan, k) : THPlan_bytesShared(plan, j, k);
        most = shared > most ? shared : most;
    }
    return most;
}

/* What the operands are in memory: what is broadcast is read there once, as is what several are,
 * and what lies between rows that are written comes along with them. */
static int64_t bytesOf(const THPlan *plan)
{
    const int moved = movedOperands(plan);
    int64_t bytes = 0;
    bool fits = true;

    for (int k = 0; k < moved; k++) {
        const int64_t span = THPlan_span(plan, k);
        int64_t own = THDtype_size((THDtype)plan->dtype[k]);
        for (int d = 0; d < plan->nDimension; d++)
            if (plan->stride[k][d] != 0)
                fits = fits && THSize_mul(own, plan->size[d], &own);
        if (k < plan->kernel->noutputs && span > own)
            fits = fits && THSize_add(own, THSize_min(span - own, own), &own);
        fits = fits && THSize_add(bytes, own, &bytes);
    }
    for (int k = plan->kernel->noutputs + 1; k < moved && fits && bytes >= FEW_BYTES; k++)
        bytes -= bytesReadBefore(plan, k);
    return fits ? bytes : INT64_MAX;
}

int THPlan_initThrough(THPlan *plan, const THKernel *kernel, THTensor *const *operands,
                       const uint8_t *via)
{
    plan->kernel = kernel;
    plan->bytes = 0;
    readOperands(plan, operands, via);
    const int status = readShapes(plan, operands);
    if (status != TH_OK)
        return status;
    if (plan->elements == 0) {
        plan->path = TH_PATH_EMPTY;
        plan->outer = plan->nDimension;
        plan->block = plan->rows = plan->blocks = plan->items = 0;
        plan->threads = 1;
        return TH_OK;
    }
    orderDims(plan);
    if (kernel->flags & TH_KERNEL_UNREAD)
        readOnce(plan);
    plan->bytes = bytesOf(plan);
    if (!THPlan_divideTiles(plan))
        THPlan_divideBlocks(plan);
    planThreads(plan);
    return TH_OK;
}

int THPlan_init(THPlan *plan, const THKernel *kernel, THTensor *const *operands)
{
    return THPlan_initThrough(plan, kernel, operands, NULL);
}
