/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Work during which the caller's lock may be left: its operands' storages are pinned, so that no
 * other thread takes the memory away. The thread that pinned them may still resize its results,
 * those that others may see under the lock. */
#include <TH/THExplain.h>
#include <TH/core/THPrivate.h>

__thread const THWorkHooks *THWork_hooks __attribute__((tls_model("initial-exec")));

void THWork_begin(THWork *work, int64_t steps, THTensor *const *operands, int noperands)
{
    const THWorkHooks *hooks = THWork_hooks;
    work->operands = NULL;
    if (TH_UNLIKELY(THExplain_current != NULL)) {
        THExplain_current->steps = steps;
        THExplain_current->unlocked = hooks != NULL && steps >= TH_WORK_LEAST;
        return;
    }
    if (TH_LIKELY(hooks == NULL || steps < TH_WORK_LEAST) || THLocal_current.work != NULL)
        return;
    for (int i = 0; i < noperands; i++)
        if (operands[i] != NULL)
            THStorage_pin(operands[i]->storage);
    work->operands = operands;
    work->noperands = noperands;
    work->hooks = hooks;
    THLocal_current.work = work;
    work->state = hooks->begin();
}

void THWork_beginElements(THWork *work, int cost, THTensor *const *operands, int noperands)
{
    int64_t elements = 0;
    for (int i = 0; i < noperands; i++) {
        const THTensor *self = operands[i];
        int64_t n = self != NULL;
        for (int d = 0; self != NULL && d < self->nDimension; d++)
            n *= self->size[d];
        elements += n;
    }
    THWork_begin(work, elements * cost, operands, noperands);
}

void THWork_leave(THWork *work)
{
    work->hooks->end(work->state);
    THLocal_current.work = NULL;
    for (int i = 0; i < work->noperands; i++)
        if (work->operands[i] != NULL)
            THStorage_unpin(work->operands[i]->storage);
    work->operands = NULL;
}

void THWork_pause(void)
{
    const THWork *work = THLocal_current.work;
    if (work != NULL)
        work->hooks->end(work->state);
}

void THWork_resume(void)
{
    THWork *work = THLocal_current.work;
    if (work != NULL)
        work->state = work->hooks->begin();
}

int THWork_pins(const THStorage *storage)
{
    const THWork *work = THLocal_current.work;
    int pins = 0;
    for (int i = 0; work != NULL && i < work->noperands; i++)
        pins += work->operands[i] != NULL && work->operands[i]->storage == storage;
    return pins;
}
