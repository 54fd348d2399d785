/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counting what a mask selects, and the loops over masks. */
#include <TH/ops/THSelection.h>

#include <string.h>

TH_ISA_DECLARE(TH_MASK_LOOPS_DECLARE, th_maskLoops);
static const THMaskLoops *const loops[TH_ISA_COUNT] = TH_ISA_TABLE(&th_maskLoops);

const THMaskLoops *THMaskLoops_of(int isa)
{
    return loops[isa];
}

const THMaskLoops *THMaskLoops_for(int64_t n)
{
    return loops[THIsa_for(n)];
}

static void countChunks(int64_t begin, int64_t end, void *context)
{
    const THSelection *selection = context;
    for (int64_t chunk = begin; chunk < end; chunk++) {
        const int64_t first = chunk * TH_SELECTION_CHUNK;
        const int64_t n = THSize_min(selection->n - first, TH_SELECTION_CHUNK);
        selection->starts[chunk] = THMaskLoops_for(n)->count(n, selection->mask + first);
    }
}

int THSelection_count(THSelection *self, int64_t *total)
{
    const int64_t chunks = THSelection_chunks(self);
    self->starts = self->one;
    if (chunks > 1)
        self->starts = THAlloc(((size_t)chunks + 1) * sizeof(int64_t));
    if (!self->starts)
        return TH_ERROR_MEMORY;
    TH_parallel_for(chunks, 4, countChunks, self);
    *total = 0;
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        const int64_t count = self->starts[chunk];
        self->starts[chunk] = *total;
        *total += count;
    }
    self->starts[chunks] = *total;
    return TH_OK;
}

void THSelection_end(const THSelection *self)
{
    if (self->starts != self->one)
        THFree(self->starts);
}

void THShare_stream(THShare *self, THHeld *held, int64_t more)
{
    held->n += more;
    const int64_t left = (int64_t)((uintptr_t)self->to + (uintptr_t)held->n) % TH_LINE_BYTES;
    const int64_t whole = held->n - left;
    if (whole <= 0)
        return;
    THMove_moves()->stream(self->to, 0, held->bytes, 0, 1, whole);
    memmove(held->bytes, held->bytes + whole, (size_t)left);
    self->to += whole;
    held->n = left;
}

void THShare_end(THShare *self, THHeld *held)
{
    memcpy(self->to, held->bytes, (size_t)held->n);
    self->to += held->n;
    held->n = 0;
    THMove_fence();
}
