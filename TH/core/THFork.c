/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Forks. A child has none of the other threads, so none of them may hold a lock meanwhile. Locks
 * are taken in the order in which work holds them: a generator's for as long as numbers are drawn,
 * by all threads and into memory that is allocated. */
#include <TH/core/THPrivate.h>

#include <pthread.h>

static void before(void)
{
    THRandom_beforeFork();
    THThreads_beforeFork();
    THAllocator_beforeFork();
    THLocal_beforeFork();
}

static void after(bool isChild)
{
    THLocal_afterFork(isChild);
    THAllocator_afterFork();
    THThreads_afterFork(isChild);
    THRandom_afterFork();
}

static void afterInParent(void)
{
    after(false);
}

static void afterInChild(void)
{
    after(true);
}

__attribute__((constructor)) static void watchForks(void)
{
    pthread_atfork(before, afterInParent, afterInChild);
}
