/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory. Blocks up to 64 KiB come from the thread's free-lists (THPrivate.h). Larger ones are
 * rounded up to one of eight sizes in each doubling and, when released, kept for reuse in one
 * bounded cache of the process, since freshly mapped pages cost more than the arithmetic on them.
 * Nobody stores a block's size: whoever frees knows it, and the rounding gives the same again. */
#define _GNU_SOURCE
#include <TH/core/THPrivate.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MAPPED_LEAST ((size_t)1 << 20) /* mapped one by one from here on, malloced below */
#define HUGE_PAGE ((size_t)2 << 20)
/* From here on scratch gets huge pages, too, which a storage gets from one of them on: it will be
 * filled, where less of smaller scratch may be used than they would make resident. (One may later
 * have the other's block from the cache.) */
#define HUGE_SCRATCH ((size_t)16 << 20)
/* Large blocks lie alike in pages of memory: a load waits for the stores just before it whose last
 * 12 bits of the address are its own, as those of a result that begins a line behind an operand
 * are (10^5 float32 added: 17 us, so 22; EPYC 9004). */
#define PAGE 4096
#define CACHE_BLOCKS 256
#define CACHE_LIMIT_MOST (INT64_C(2) << 30)
#define SIZE_MOST ((size_t)PTRDIFF_MAX >> 1)

typedef struct CachedBlock {
    void *data;
    size_t bytes;
} CachedBlock;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static CachedBlock cache[CACHE_BLOCKS]; /* oldest first */
static int cacheCount;
static int64_t cachedBytes;
static int64_t cacheLimit = -1;         /* atomic; negative: not known yet */
static int64_t largeBlocks, largeBytes; /* atomic: in use */

/* Whole steps of an eighth of the doubling that `size` lies in, so at most an eighth is wasted. */
static size_t roundLarge(size_t size)
{
    if (THMemory_isExact())
        return size;
    const int top = 63 - __builtin_clzll((uint64_t)size - 1);
    const size_t step = (size_t)1 << (top - 3);
    return (size + step - 1) & ~(step - 1);
}

static void *alignedBlock(size_t alignment, size_t size)
{
    void *block = NULL;
    return posix_memalign(&block, alignment, size) == 0 ? block : NULL;
}

void *THSystem_allocate(size_t size)
{
    return alignedBlock(TH_ALIGNMENT, size);
}

/* How many bytes of a block for `size` are huge pages: as many of these as come nearest. */
static size_t hugeBytes(size_t size, size_t bytes, bool scratch)
{
    const size_t nearest = (size + HUGE_PAGE / 2) & -HUGE_PAGE, most = bytes & -HUGE_PAGE;
    if (size < (scratch ? HUGE_SCRATCH : HUGE_PAGE))
        return 0;
    return nearest < most ? nearest : most;
}

static void *mapBlock(size_t bytes, size_t huge)
{
    const size_t spare = huge > 0 ? HUGE_PAGE : 0;
    char *start =
        mmap(NULL, bytes + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    if (spare == 0)
        return start;
    const size_t before = -(uintptr_t)start & (HUGE_PAGE - 1);
    if (before > 0)
        munmap(start, before);
    munmap(start + before + bytes, spare - before);
    madvise(start + before, huge, MADV_HUGEPAGE);
    return start + before;
}

static bool isMapped(size_t bytes)
{
    return bytes >= MAPPED_LEAST && !THMemory_isExact();
}

static void *systemAllocate(size_t size, size_t bytes, bool scratch)
{
    if (isMapped(bytes))
        return mapBlock(bytes, hugeBytes(size, bytes, scratch));
    return alignedBlock(THMemory_isExact() ? TH_ALIGNMENT : PAGE, bytes);
}

static void systemFree(CachedBlock block)
{
    if (isMapped(block.bytes))
        munmap(block.data, block.bytes);
    else
        free(block.data);
}

static int64_t defaultLimit(void)
{
    const int64_t quarter = THSystem_memory() / 4;
    return THMemory_isExact() ? 0 : quarter < CACHE_LIMIT_MOST ? quarter : CACHE_LIMIT_MOST;
}

/* Several threads may find it at once, for a child forked meanwhile would wait for one of them. */
static int64_t getLimit(void)
{
    int64_t limit = __atomic_load_n(&cacheLimit, __ATOMIC_RELAXED);
    if (TH_UNLIKELY(limit < 0)) {
        const int64_t found = defaultLimit();
        if (__atomic_compare_exchange_n(&cacheLimit, &limit, found, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            limit = found;
    }
    return limit;
}

/* Releases the oldest blocks while there is more than allowed; unmapping is slow, so it is done
 * without the lock. */
static void shrinkCache(int64_t bytes, int count)
{
    pthread_mutex_lock(&mutex);
    while (cachedBytes > bytes || cacheCount > count) {
        const CachedBlock oldest = cache[0];
        cacheCount--;
        memmove(cache, cache + 1, (size_t)cacheCount * sizeof cache[0]);
        cachedBytes -= (int64_t)oldest.bytes;
        pthread_mutex_unlock(&mutex);
        systemFree(oldest);
        pthread_mutex_lock(&mutex);
    }
    pthread_mutex_unlock(&mutex);
}

/* The youngest block of this size: its pages are the likeliest to be in the CPU's caches. */
static void *takeFromCache(size_t bytes)
{
    void *data = NULL;
    pthread_mutex_lock(&mutex);
    for (int i = cacheCount - 1; i >= 0; i--) {
        if (cache[i].bytes != bytes)
            continue;
        data = cache[i].data;
        cacheCount--;
        memmove(cache + i, cache + i + 1, (size_t)(cacheCount - i) * sizeof cache[0]);
        cachedBytes -= (int64_t)bytes;
        break;
    }
    pthread_mutex_unlock(&mutex);
    return data;
}

static void putIntoCache(CachedBlock block)
{
    const int64_t limit = getLimit();
    if ((int64_t)block.bytes > limit) {
        systemFree(block);
        return;
    }
    shrinkCache(limit - (int64_t)block.bytes, CACHE_BLOCKS - 1);
    pthread_mutex_lock(&mutex);
    /* Meanwhile others may have put theirs, or changed the limit. */
    const bool kept =
        cacheCount < CACHE_BLOCKS &&
        cachedBytes + (int64_t)block.bytes <= __atomic_load_n(&cacheLimit, __ATOMIC_RELAXED);
    if (kept) {
        cache[cacheCount++] = block;
        cachedBytes += (int64_t)block.bytes;
    }
    pthread_mutex_unlock(&mutex);
    if (!kept)
        systemFree(block);
}

static void *allocateLarge(size_t size, bool scratch)
{
    THLocal_register();
    if (THLocal_countAllocation(&THLocal_current))
        return THLocal_failAllocation();
    if (size > SIZE_MOST)
        return THError_memory(size);
    const size_t bytes = roundLarge(size);
    void *block = takeFromCache(bytes);
    if (block == NULL && (block = systemAllocate(size, bytes, scratch)) == NULL) {
        THMemory_emptyCache();
        if ((block = systemAllocate(size, bytes, scratch)) == NULL)
            return THError_memory(size);
    }
    __atomic_add_fetch(&largeBlocks, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&largeBytes, (int64_t)bytes, __ATOMIC_RELAXED);
    return block;
}

void *THBlock_allocateLarge(size_t size)
{
    return allocateLarge(size, false);
}

void THBlock_freeLarge(void *block, size_t size)
{
    const size_t bytes = roundLarge(size);
    __atomic_sub_fetch(&largeBlocks, 1, __ATOMIC_RELAXED);
    __atomic_sub_fetch(&largeBytes, (int64_t)bytes, __ATOMIC_RELAXED);
    putIntoCache((CachedBlock){block, bytes});
}

static void *defaultMalloc(void *context, size_t size)
{
    (void)context;
    return THBlock_allocate(size);
}

static void defaultFree(void *context, void *pointer, size_t size)
{
    (void)context;
    THBlock_free(pointer, size);
}

/* Both sizes get the same block. */
static bool isSameBlock(size_t a, size_t b)
{
    if (THMemory_isExact())
        return a == b;
    if (a > TH_BLOCK_LIMIT && b > TH_BLOCK_LIMIT)
        return a <= SIZE_MOST && b <= SIZE_MOST && roundLarge(a) == roundLarge(b);
    return a <= TH_BLOCK_LIMIT && b <= TH_BLOCK_LIMIT && THList_ofSize(a) == THList_ofSize(b);
}

static void *defaultRealloc(void *context, void *pointer, size_t size, size_t oldSize)
{
    (void)context;
    if (isSameBlock(size, oldSize)) {
        if (THLocal_countAllocation(&THLocal_current))
            return THLocal_failAllocation();
        return pointer;
    }
    void *grown = THBlock_allocate(size);
    if (grown == NULL)
        return NULL;
    memcpy(grown, pointer, size < oldSize ? size : oldSize);
    THBlock_free(pointer, oldSize);
    return grown;
}

const THAllocator THDefaultAllocator = {defaultMalloc, defaultRealloc, defaultFree};

/* The size lies before the memory, in as many bytes as keep it aligned. */
void *THAlloc(size_t size)
{
    if (TH_UNLIKELY(size > SIZE_MOST))
        return THError_memory(size);
    const size_t all = size + TH_ALIGNMENT;
    char *block = all > TH_BLOCK_LIMIT ? allocateLarge(all, true) : THBlock_allocate(all);
    if (TH_UNLIKELY(block == NULL))
        return NULL;
    *(size_t *)(void *)block = all;
    return block + TH_ALIGNMENT;
}

void THFree(void *pointer)
{
    if (pointer == NULL)
        return;
    char *block = (char *)pointer - TH_ALIGNMENT;
    THBlock_free(block, *(size_t *)(void *)block);
}

void THMemory_stats(THMemoryStats *stats)
{
    *stats = (THMemoryStats){0};
    THLocal_stats(stats);
    stats->liveBlocks += __atomic_load_n(&largeBlocks, __ATOMIC_RELAXED);
    stats->liveBytes += __atomic_load_n(&largeBytes, __ATOMIC_RELAXED);
    stats->cacheLimit = getLimit();
    pthread_mutex_lock(&mutex);
    stats->cachedBytes = cachedBytes;
    pthread_mutex_unlock(&mutex);
}

void THMemory_emptyCache(void)
{
    shrinkCache(0, 0);
}

void THMemory_setCacheLimit(int64_t bytes)
{
    const int64_t limit = bytes > 0 && !THMemory_isExact() ? bytes : 0;
    __atomic_store_n(&cacheLimit, limit, __ATOMIC_RELAXED);
    shrinkCache(limit, CACHE_BLOCKS);
}

void THMemory_failAllocation(int64_t after)
{
    THLocal *local = &THLocal_current;
    local->failAt = after < 0 || after > INT64_MAX / 2 ? 0 : local->allocations + after + 1;
}

void THAllocator_beforeFork(void)
{
    pthread_mutex_lock(&mutex);
}

void THAllocator_afterFork(void)
{
    pthread_mutex_unlock(&mutex);
}
