/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What TH's own files share and nobody else sees: the state each thread has, and the free-lists in
 * it that make small tensors cheap.
 *
 * A list holds free objects of one size, chained through their first word; `room` says how many
 * more it takes. A thread that has not registered has no room, so that its first miss goes the slow
 * way, which registers it. Objects may be freed on another thread than they were made on. How many
 * objects live is never counted here: it is what came from the system less what lies in lists.
 *
 * The block of thread-local memory is small on purpose: with the initial-exec model it must fit in
 * the spare room the loader keeps for libraries opened late. */
#ifndef TH_PRIVATE_H
#define TH_PRIVATE_H

#include <TH/THTensor.h>
#include <TH/THThreads.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TH_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define TH_SANITIZED 1
#endif
#endif
#ifndef TH_SANITIZED
#define TH_SANITIZED 0
#endif
/* There when the address sanitizer is in the process: op packages may be built with it, and TH not.
 */
extern void __asan_init(void) __attribute__((weak));

/* Is each block the system's, freed at once and of exactly the size asked for? Only then does a
 * sanitizer see who goes beyond its end or uses it too late. */
static inline bool THMemory_isExact(void)
{
    return TH_SANITIZED || __asan_init != NULL;
}

/* Lists 0 .. TH_BLOCK_LISTS - 1 hold blocks: steps of 64 bytes up to 256, then two sizes in each
 * doubling. */
#define TH_BLOCK_LISTS 20
#define TH_BLOCK_LIMIT 65536
/* The lists from TH_LIST_WHOLE on hold tensors that died with a storage of their own, which they
 * still have, and its block of list 0 and on: most results are such, and the next one needs
 * nothing but its dims. Nobody takes them apart until the thread ends. */
#define TH_WHOLE_LISTS 4
enum {
    TH_LIST_TENSOR = TH_BLOCK_LISTS,
    TH_LIST_STORAGE,
    TH_LIST_WHOLE,
    TH_LISTS = TH_LIST_WHOLE + TH_WHOLE_LISTS
};
#define TH_ALIGNMENT 64

typedef struct THFreeList {
    void *head;
    int64_t room; /* written by the owner only, read by THMemory_stats */
} THFreeList;

/* The last error and warning; on the heap, made when first needed. */
typedef struct THTexts {
    char message[1024];
    char warning[1024];
} THTexts;

enum { TH_LOCAL_NEW = 0, TH_LOCAL_REGISTERED, TH_LOCAL_CLOSED };

typedef struct THLocal {
    THFreeList list[TH_LISTS];
    int64_t allocations; /* asked for on this thread */
    int64_t failAt;      /* value of `allocations` at which one fails, 0: never */
    THTexts *texts;
    THWork *work; /* the work begun on this thread and not ended */
    struct THLocal *next, *previous;
    int32_t code; /* of the last error */
    uint8_t state;
    bool warned;
    bool inRange; /* inside a range of TH_parallel_for */
} THLocal;

extern __thread THLocal THLocal_current __attribute__((tls_model("initial-exec")));

/* Makes the thread known, so that its lists are used, counted and flushed when it ends; false where
 * that is impossible. */
bool THLocal_register(void);
/* What threads that ended, and this process's lists, add up to. */
void THLocal_stats(THMemoryStats *stats);
/* The slow halves of pop and push. */
void *THList_allocate(int list, size_t size);
void THList_release(int list, void *object);

/* Counts an allocation; true when it is the one that tests want to fail. */
static inline bool THLocal_countAllocation(THLocal *local)
{
    const int64_t count = local->allocations + 1;
    __atomic_store_n(&local->allocations, count, __ATOMIC_RELAXED);
    return TH_UNLIKELY(count == local->failAt);
}
/* Disarms and records the error; for callers of THLocal_countAllocation. */
void *THLocal_failAllocation(void);
/* Records that so many bytes are not to be had; gives NULL. */
void *THError_memory(size_t bytes);

/* An object of the list, in which `size` bytes are used; or NULL with a recorded error. */
static inline void *THList_pop(int list, size_t size)
{
    THLocal *local = &THLocal_current;
    THFreeList *self = &local->list[list];
    void *object = self->head;
    if (THLocal_countAllocation(local))
        return THLocal_failAllocation();
    if (TH_UNLIKELY(object == NULL))
        return THList_allocate(list, size);
    self->head = *(void **)object;
    __atomic_store_n(&self->room, self->room + 1, __ATOMIC_RELAXED);
    return object;
}

static inline void THList_push(int list, void *object)
{
    THFreeList *self = &THLocal_current.list[list];
    if (TH_UNLIKELY(self->room == 0)) {
        THList_release(list, object);
        return;
    }
    *(void **)object = self->head;
    self->head = object;
    __atomic_store_n(&self->room, self->room - 1, __ATOMIC_RELAXED);
}

/* The list for whole tensors of so many bytes, NULL where there is none. */
static inline THFreeList *THList_ofWhole(int64_t bytes)
{
    const uint64_t list = ((uint64_t)bytes - 1) / TH_ALIGNMENT;
    return list < TH_WHOLE_LISTS ? &THLocal_current.list[TH_LIST_WHOLE + list] : NULL;
}

/* The list for blocks of `size` bytes, 0 < size <= TH_BLOCK_LIMIT. */
static inline int THList_ofSize(size_t size)
{
    const uint64_t last = size - 1;
    if (TH_LIKELY(last < 256))
        return (int)(last >> 6);
    const int top = 63 - __builtin_clzll(last);
    return 4 + 2 * (top - 8) + (int)((last >> (top - 1)) & 1);
}

/* Blocks of size > 0, 64-byte aligned; the same size is to be given back. */
void *THBlock_allocateLarge(size_t size);
void THBlock_freeLarge(void *block, size_t size);
static inline void *THBlock_allocate(size_t size)
{
    return TH_LIKELY(size <= TH_BLOCK_LIMIT) ? THList_pop(THList_ofSize(size), size)
                                             : THBlock_allocateLarge(size);
}
static inline void THBlock_free(void *block, size_t size)
{
    if (TH_LIKELY(size <= TH_BLOCK_LIMIT))
        THList_push(THList_ofSize(size), block);
    else
        THBlock_freeLarge(block, size);
}

/* THStorage_new without the check that bytes >= 0; NULL with a recorded error. */
static inline THStorage *THStorage_make(int64_t bytes)
{
    THStorage *self = THList_pop(TH_LIST_STORAGE, sizeof *self);
    if (TH_UNLIKELY(self == NULL))
        return NULL;
    void *data = NULL;
    if (bytes > 0 && TH_UNLIKELY((data = THBlock_allocate((size_t)bytes)) == NULL)) {
        THList_push(TH_LIST_STORAGE, self);
        return NULL;
    }
    *self = (THStorage){
        .data = data,
        .size = bytes,
        .refcount = 1,
        .flag = TH_STORAGE_REFCOUNTED | TH_STORAGE_RESIZABLE | TH_STORAGE_FREEMEM,
        .allocator = &THDefaultAllocator,
    };
    return self;
}
static inline void THStorage_addReference(THStorage *self)
{
    if (TH_LIKELY(self->flag & TH_STORAGE_REFCOUNTED))
        __atomic_add_fetch(&self->refcount, 1, __ATOMIC_RELAXED);
}
/* Is it as THStorage_make makes it, and is there one reference? */
static inline bool THStorage_isPlain(const THStorage *self)
{
    return self->allocator == &THDefaultAllocator && self->pins == 0 &&
           self->flag == (TH_STORAGE_REFCOUNTED | TH_STORAGE_RESIZABLE | TH_STORAGE_FREEMEM) &&
           __atomic_load_n(&self->refcount, __ATOMIC_ACQUIRE) == 1;
}
/* Takes one reference; true when it was the last. A sole owner needs no locked instruction. */
static inline bool THRefcount_drop(int *refcount)
{
    return __atomic_load_n(refcount, __ATOMIC_ACQUIRE) == 1 ||
           __atomic_sub_fetch(refcount, 1, __ATOMIC_ACQ_REL) == 0;
}
/* RuntimeError when pinned by anything but the work this thread has begun. */
int THStorage_checkNotPinned(const THStorage *self, const char *verb);

/* How often the calling thread's work has pinned this storage. */
int THWork_pins(const THStorage *storage);
/* Takes the caller's lock back for a moment, where this thread's work has left it. Whoever holds a
 * lock of TH's must not: others may wait for that one with the caller's. */
void THWork_pause(void);
void THWork_resume(void);

/* THTensor_copy between tensors that share no memory. */
int THTensor_copyApart(THTensor *self, THTensor *src);
/* Sizes and strides beyond the inline ones lie in one block of exactly so many bytes. */
static inline size_t THTensor_dimsBytes(int nDimension)
{
    return 2 * (size_t)nDimension * sizeof(int64_t);
}
static inline bool THTensor_hasOwnBlock(const THTensor *self)
{
    return TH_UNLIKELY(self->size != self->inlined);
}
static inline void THSize_copy(int n, int64_t *to, const int64_t *from)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}

/* A flag beside those of THTensor.h: made by THTensor_newUnshaped and not shaped yet. */
enum { TH_TENSOR_UNSHAPED = 16 };
/* THTensor_newEmpty for a result that THTensor_resizeOutput will shape. Its storage has a block
 * already, where one lay ready with the tensor, of TH_ALIGNMENT bytes: what most results fit. */
int THTensor_newUnshaped(THTensor **out, THDtype dtype);
/* Checks a shape (count of dims, no negative size, bytes fit in int64) and gives its element
 * count. */
int THSize_check(THDtype dtype, int nDimension, const int64_t *size, int64_t *elements);
/* Checks that all elements lie inside the storage; where there are none, any offset will do. A
 * stride of NULL becomes `made`, that of a fresh tensor. */
int THTensor_checkPlacement(THDtype dtype, const THStorage *storage, int64_t storageOffset,
                            int nDimension, const int64_t *size, const int64_t **stride,
                            int64_t made[TH_MAX_DIMS]);
void THSize_contiguousStrides(int nDimension, const int64_t *size, int64_t *stride);

/* 64-byte aligned memory for free(), or NULL. */
void *THSystem_allocate(size_t size);

/* Before and after a fork (THFork.c), each with its lock. */
void THRandom_beforeFork(void);
void THRandom_afterFork(void);
void THThreads_beforeFork(void);
void THThreads_afterFork(bool isChild);
void THAllocator_beforeFork(void);
void THAllocator_afterFork(void);
void THLocal_beforeFork(void);
void THLocal_afterFork(bool isChild);

/* What the machine and its control groups give this process. */
int THSystem_cpus(void);
int64_t THSystem_memory(void);

#endif
