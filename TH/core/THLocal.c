/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The life of thread-local state: a thread registers at its first miss of a free-list, its state is
 * then in a list that statistics walk, and a key's destructor empties it when the thread ends.
 * After that the thread is closed: what still runs on it (destructors of others) goes to the system
 * directly. In a forked child the states of the threads that are not there any more are dropped. */
#define _GNU_SOURCE
#include <TH/core/THPrivate.h>

#include <pthread.h>
#include <stdlib.h>

/* How many free objects a list may keep, by count and by bytes. */
#define LIST_OBJECTS 256
#define LIST_BYTES 65536
#define LIST_OBJECTS_LEAST 2

__thread THLocal THLocal_current __attribute__((tls_model("initial-exec")));

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static bool keyExists;
static THLocal *threads;          /* registered ones */
static int64_t objects[TH_LISTS]; /* atomic: objects malloced and not given back */
static int64_t endedAllocations;  /* atomic: of threads that ended */

/* Bytes of an object of a list, with all it has. */
static int64_t bytesOf(int list)
{
    if (list == TH_LIST_TENSOR)
        return sizeof(THTensor);
    if (list == TH_LIST_STORAGE)
        return sizeof(THStorage);
    if (list >= TH_LIST_WHOLE)
        return (int64_t)(sizeof(THTensor) + sizeof(THStorage)) + bytesOf(list - TH_LIST_WHOLE);
    if (list < 4)
        return TH_ALIGNMENT * (list + 1);
    const int step = list - 4;
    return (INT64_C(3) + (step & 1)) << (7 + step / 2);
}

static int64_t listLimit(int list)
{
    if (THMemory_isExact())
        return 0;
    const int64_t fits = LIST_BYTES / bytesOf(list);
    return fits > LIST_OBJECTS         ? LIST_OBJECTS
           : fits < LIST_OBJECTS_LEAST ? LIST_OBJECTS_LEAST
                                       : fits;
}

/* What a thread keeps in a list; exact when that thread is at rest. */
static int64_t listCount(const THLocal *thread, int list)
{
    return listLimit(list) - __atomic_load_n(&thread->list[list].room, __ATOMIC_RELAXED);
}

/* Takes what a thread keeps from counts of objects, for each kind. */
static void takeCounts(const THLocal *thread, int64_t counts[TH_LISTS])
{
    for (int list = 0; list < TH_LISTS; list++) {
        const int64_t n = listCount(thread, list);
        const bool isWhole = list >= TH_LIST_WHOLE;
        __atomic_sub_fetch(&counts[isWhole ? list - TH_LIST_WHOLE : list], n, __ATOMIC_RELAXED);
        if (!isWhole)
            continue;
        __atomic_sub_fetch(&counts[TH_LIST_TENSOR], n, __ATOMIC_RELAXED);
        __atomic_sub_fetch(&counts[TH_LIST_STORAGE], n, __ATOMIC_RELAXED);
    }
}

bool THLocal_register(void)
{
    THLocal *local = &THLocal_current;
    if (local->state != TH_LOCAL_NEW)
        return local->state == TH_LOCAL_REGISTERED;
    if (!keyExists || pthread_setspecific(key, local) != 0) {
        local->state = TH_LOCAL_CLOSED;
        return false;
    }
    pthread_mutex_lock(&mutex);
    for (int list = 0; list < TH_LISTS; list++)
        local->list[list].room = listLimit(list);
    local->state = TH_LOCAL_REGISTERED;
    local->previous = NULL;
    local->next = threads;
    if (threads != NULL)
        threads->previous = local;
    threads = local;
    pthread_mutex_unlock(&mutex);
    return true;
}

static void freeObject(int list, void *object)
{
    if (list >= TH_LIST_WHOLE) {
        THStorage *storage = ((THTensor *)object)->storage;
        free(storage->data);
        free(storage);
    }
    free(object);
}

/* The key's destructor. */
static void closeThread(void *state)
{
    THLocal *local = state;
    void *chains[TH_LISTS];
    pthread_mutex_lock(&mutex);
    if (local->previous != NULL)
        local->previous->next = local->next;
    else
        threads = local->next;
    if (local->next != NULL)
        local->next->previous = local->previous;
    takeCounts(local, objects);
    for (int list = 0; list < TH_LISTS; list++) {
        chains[list] = local->list[list].head;
        local->list[list] = (THFreeList){NULL, 0};
    }
    __atomic_add_fetch(&endedAllocations, local->allocations, __ATOMIC_RELAXED);
    local->allocations = local->failAt = 0;
    local->state = TH_LOCAL_CLOSED;
    pthread_mutex_unlock(&mutex);
    for (int list = 0; list < TH_LISTS; list++) {
        for (void *object = chains[list], *next; object != NULL; object = next) {
            next = *(void **)object;
            freeObject(list, object);
        }
    }
    free(local->texts);
    local->texts = NULL;
    local->warned = false;
}

void *THLocal_failAllocation(void)
{
    THLocal_current.failAt = 0;
    THError(TH_ERROR_MEMORY, "out of memory: a test made this allocation fail");
    return NULL;
}

/* Blocks that are asked for one after the other lie so many bytes apart in their pages, once the
 * system has put its own words between them: a load waits for the stores just before it whose last
 * 12 bits of the address are its own, as those of a result are that begins a line or two behind an
 * operand there (4000 float32 negated: 350 ns, so 545; EPYC 9004). Smaller ones do not notice. */
#define APART 512
#define APART_LEAST 12288

/* Headers too are aligned: glibc's aligned and plain allocations among each other are slow. */
void *THList_allocate(int list, size_t size)
{
    if (!THLocal_register())
        __atomic_add_fetch(&endedAllocations, 1, __ATOMIC_RELAXED);
    const int64_t whole = (bytesOf(list) + TH_ALIGNMENT - 1) & -TH_ALIGNMENT;
    const int64_t spare = whole >= APART_LEAST ? APART - TH_ALIGNMENT : 0;
    const size_t bytes = THMemory_isExact() ? size : (size_t)(whole + spare);
    void *object = THSystem_allocate(bytes);
    if (object == NULL) {
        THMemory_emptyCache();
        object = THSystem_allocate(bytes);
    }
    if (object == NULL)
        return THError_memory(bytes);
    __atomic_add_fetch(&objects[list], 1, __ATOMIC_RELAXED);
    return object;
}

void THList_release(int list, void *object)
{
    if (THLocal_current.state == TH_LOCAL_NEW && THLocal_register() && !THMemory_isExact()) {
        THList_push(list, object);
        return;
    }
    free(object);
    __atomic_sub_fetch(&objects[list], 1, __ATOMIC_RELAXED);
}

void THLocal_stats(THMemoryStats *stats)
{
    pthread_mutex_lock(&mutex);
    int64_t live[TH_LISTS];
    for (int list = 0; list < TH_LISTS; list++)
        live[list] = __atomic_load_n(&objects[list], __ATOMIC_RELAXED);
    stats->allocations += __atomic_load_n(&endedAllocations, __ATOMIC_RELAXED);
    for (const THLocal *thread = threads; thread != NULL; thread = thread->next) {
        stats->allocations += __atomic_load_n(&thread->allocations, __ATOMIC_RELAXED);
        takeCounts(thread, live);
    }
    pthread_mutex_unlock(&mutex);
    stats->liveTensors += live[TH_LIST_TENSOR];
    stats->liveStorages += live[TH_LIST_STORAGE];
    for (int list = 0; list < TH_BLOCK_LISTS; list++) {
        stats->liveBlocks += live[list];
        stats->liveBytes += live[list] * bytesOf(list);
    }
}

void THLocal_beforeFork(void)
{
    pthread_mutex_lock(&mutex);
}

/* The other threads' lists may have been in the middle of a change: their objects are given up. */
static void dropOthers(void)
{
    THLocal *mine = &THLocal_current;
    for (THLocal *thread = threads; thread != NULL; thread = thread->next) {
        if (thread == mine)
            continue;
        takeCounts(thread, objects);
        endedAllocations += thread->allocations;
    }
    threads = mine->state == TH_LOCAL_REGISTERED ? mine : NULL;
    mine->next = mine->previous = NULL;
}

void THLocal_afterFork(bool isChild)
{
    if (isChild)
        dropOthers();
    pthread_mutex_unlock(&mutex);
}

__attribute__((constructor)) static void prepareKey(void)
{
    keyExists = pthread_key_create(&key, closeThread) == 0;
}
