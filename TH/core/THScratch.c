/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory for the ranges of a job: as many parts as ranges may run at a time, each behind a cache
 * line that says whether it is taken. Should there be more ranges after all (THThreads_set), they
 * wait for each other. */
#include <TH/core/THPrivate.h>

#include <sched.h>

#define HEAD 64 /* bytes of a cache line */

static char *partAt(const THScratch *self, int64_t part)
{
    return self->memory + part * self->step;
}

int THScratch_open(THScratch *self, int64_t n, int64_t grain, int64_t bytes)
{
    int64_t size;
    *self = (THScratch){.parts = 1};
    if (bytes == 0)
        return TH_OK;
    if (n > grain && !THLocal_current.inRange)
        self->parts = THSize_min(THThreads_get(), (n - 1) / (grain > 1 ? grain : 1) + 2);
    const bool fits = THSize_add(bytes, 2 * HEAD - 1, &self->step) &&
                      THSize_mul(self->parts, self->step &= -HEAD, &size);
    self->memory = THAlloc(fits ? (size_t)size : SIZE_MAX);
    if (self->memory == NULL)
        return TH_ERROR_MEMORY;
    for (int64_t part = 0; part < self->parts; part++)
        *(bool *)partAt(self, part) = false;
    return TH_OK;
}

void *THScratch_take(const THScratch *self)
{
    if (self->memory == NULL)
        return NULL;
    for (int64_t part = 0;; part = (part + 1) % self->parts) {
        if (!__atomic_test_and_set((bool *)partAt(self, part), __ATOMIC_ACQUIRE))
            return partAt(self, part) + HEAD;
        if (part == self->parts - 1)
            sched_yield();
    }
}

void THScratch_give(void *part)
{
    if (part != NULL)
        __atomic_clear((bool *)((char *)part - HEAD), __ATOMIC_RELEASE);
}

void THScratch_close(THScratch *self)
{
    THFree(self->memory);
}
