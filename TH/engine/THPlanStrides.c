/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether a loop goes along strides, rather than over rows that were gathered. */
#include <TH/THMachine.h>
#include <TH/THThreads.h>
#include <TH/engine/THRun.h>

#define STRIDED_ROW 64           /* elements of a row that is worth a call */
#define TURNED_ROW 3             /* ... at most: as many lie between what two passes write */
#define PAIRED_BYTES (320 << 10) /* of operands that the second-level cache keeps */
#define PAIRED_AWAITED (1 << 20) /* ... where the machine waits for what is written */

static bool goesAlongStrides(const THKernel *kernel)
{
    return kernel->flags & TH_KERNEL_STRIDED && THIsa_current >= TH_ISA_STRIDED;
}

/* Whether single moves take no longer than vectors of elements that lie so far apart. */
static bool isApart(const THPlan *plan, int k)
{
    const int64_t stride = plan->stride[k][plan->nDimension - 1];
    const int64_t size = THDtype_size((THDtype)plan->dtype[k]);
    return stride > 4 * size || stride >= 24 || size == 8;
}

/* Whether every second element of these inputs is gathered by vectors that wait for nothing, as all
 * stays in the second cache: of one where the machine looks ahead of what is written (15,000
 * float64: floor 3.8 us, along strides 4.5; EPYC 9004), of all where it waits for that; there every
 * fourth, too, of one beside others (10,000 float64 and as many added: 6.6 us, so 4.5; Xeon). */
static bool isPairedNear(const THPlan *plan, uint32_t inputs)
{
    const bool waits = THMachine_asksForWrites, alone = (inputs & (inputs - 1)) == 0;
    const int64_t most = waits && alone && plan->noperands > 2 ? 4 : 2;
    if (plan->bytes >= (waits ? PAIRED_AWAITED : PAIRED_BYTES) || !(alone || waits))
        return false;
    for (; inputs != 0; inputs &= inputs - 1) {
        const int k = __builtin_ctz(inputs);
        const int64_t stride = plan->stride[k][plan->nDimension - 1];
        const int64_t size = THDtype_size((THDtype)plan->dtype[k]);
        if (k < plan->kernel->noutputs || stride < 2 * size || stride > most * size)
            return false;
    }
    return true;
}

/* Whether the loop goes along all strides of rows that are worth a call each. A number for which it
 * has fewer steps is read as if it were no number, and one for which it has more where an operand
 * stands for one that is not there, which leaves few. One input alone is gathered in less time than
 * the loop takes for a number, and where results are streamed. */
bool THPlan_isStrided(const THPlan *plan, uint32_t needed, uint32_t spread)
{
    const THKernel *kernel = plan->kernel;
    const uint32_t strided = needed & ~spread;
    uint32_t different = strided;
    for (int k = kernel->noutputs + 1; k < plan->noperands; k++)
        for (int j = kernel->noutputs; j < k; j++)
            if (THPlan_isSame(plan, j, k))
                different &= ~(1u << k);
    const bool alone = (different & (different - 1)) == 0 && different >> kernel->noutputs != 0;
    if (plan->convert != 0 || plan->size[plan->nDimension - 1] < STRIDED_ROW)
        return false;
    if (THPlan_moves(plan))
        return strided == 3 && isApart(plan, 0) && isApart(plan, 1);
    if ((alone && (plan->single != 0 || plan->bytes >= THMachine_streamFrom)) ||
        isPairedNear(plan, different))
        return false;
    return goesAlongStrides(kernel) && strided != 0 &&
           (plan->single == 0 || kernel->singleCost == kernel->cost || different != strided);
}

/* Whether rows are so short, while an input is a run along the next dim, that the loop better goes
 * along that one, where all elements lie, than over rows that were gathered (3 x 1200 x 10 float64,
 * permuted, and others added: 36 us, so 25; EPYC 9004). Not for several threads: they would write
 * the same lines. */
bool THPlan_isTurned(const THPlan *plan)
{
    const int inner = plan->nDimension - 1;
    const THKernel *kernel = plan->kernel;
    if (inner < 1 || plan->size[inner] > TURNED_ROW || plan->size[inner - 1] < STRIDED_ROW ||
        plan->convert != 0 || !goesAlongStrides(kernel) ||
        (THThreads_get() > 1 && THPlan_shares(plan) > 1))
        return false;
    for (int k = kernel->noutputs; k < plan->noperands; k++) {
        const int64_t size = THDtype_size((THDtype)plan->dtype[k]);
        if (plan->stride[k][inner - 1] == size && plan->stride[k][inner] > TURNED_ROW * size)
            return true;
    }
    return false;
}
