/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the memory of storages comes from. An allocator is three functions and a context; a storage
 * remembers both. */
#ifndef TH_ALLOCATOR_H
#define TH_ALLOCATOR_H

#include <TH/THGeneral.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct THAllocator {
    /* `size` > 0 bytes, or NULL with a recorded error. */
    void *(*malloc)(void *context, size_t size);
    /* Grows or shrinks, keeping contents; NULL member: the memory cannot be resized. */
    void *(*realloc)(void *context, void *pointer, size_t size, size_t oldSize);
    void (*free)(void *context, void *pointer, size_t size);
} THAllocator;

/* 64-byte aligned memory. Small blocks come from per-thread free-lists, large ones from a bounded
 * cache of released blocks. Both are off in a sanitized build, and where the address sanitizer is
 * in the process: each block is then exactly as large as was asked for. Context: NULL. */
TH_API extern const THAllocator THDefaultAllocator;

/* For memory of the caller's: called once when the storage goes. */
typedef void (*THDeleter)(void *deleterContext, void *pointer);

/* Figures for th.memory_stats(). Bytes and counts are of the whole process. */
typedef struct THMemoryStats {
    int64_t liveTensors, liveStorages; /* objects not yet freed (free-list entries do not count) */
    int64_t liveBlocks, liveBytes;     /* THAlloc and THDefaultAllocator blocks in use */
    int64_t cachedBytes;               /* large blocks kept for reuse */
    int64_t cacheLimit;                /* how many bytes may be kept */
    int64_t allocations; /* allocations asked for since start, free-list hits included */
} THMemoryStats;
TH_API void THMemory_stats(THMemoryStats *stats);
TH_API void THMemory_emptyCache(void);
TH_API void THMemory_setCacheLimit(int64_t bytes);

/* For tests: the `after`-th allocation from now on (0 is the next; headers, free-list hits and
 * temporaries count) fails once, in the calling thread; a negative number disarms. */
TH_API void THMemory_failAllocation(int64_t after);

#ifdef __cplusplus
}
#endif
#endif
