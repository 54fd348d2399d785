/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory: counters, the cache, an allocation failure at every place where one can happen, memory of
 * ranges, and threads that end. */
#include "check.h"

#include <pthread.h>
#include <stdlib.h>

static THTensor *newZeros(int nDimension, const int64_t *size)
{
    THTensor *self = NULL;
    CHECK_OK(THTensor_newWithSize(&self, TH_FLOAT, nDimension, size));
    CHECK_OK(THTensor_fill(self, THScalar_fromLong(0)));
    return self;
}

/* Every function that allocates, with operands made before. */
typedef struct Operands {
    THTensor *matrix, *transposed, *many;
} Operands;

static int makeTensor(int which, const Operands *with, THTensor **out)
{
    const int64_t ones[8] = {1, 1, 1, 1, 1, 1, 2, 3}, flat[1] = {6}, permuted[2] = {1, 0};
    switch (which) {
    case 0:
        return THTensor_newEmpty(out, TH_FLOAT);
    case 1:
        return THTensor_newWithSize(out, TH_FLOAT, 8, ones);
    case 2:
        return THTensor_newLike(out, TH_BYTE, with->matrix);
    case 3:
        return THTensor_newWithStorage(out, TH_FLOAT, with->matrix->storage, 0, 8, ones, NULL);
    case 4:
        return THTensor_newAlias(out, with->many);
    case 5:
        return THTensor_newClone(out, with->transposed);
    case 6:
        return THTensor_newContiguous(out, with->transposed);
    case 7:
        return THTensor_newScalar(out, TH_HALF, THScalar_fromLong(1));
    case 8:
        return THTensor_newNarrow(out, with->matrix, 0, 1, 1);
    case 9:
        return THTensor_newSelect(out, with->many, 6, 1);
    case 10:
        return THTensor_newSlice(out, with->many, 7, 0, 3, 2);
    case 11:
        return THTensor_newTranspose(out, with->many, 6, 7);
    case 12:
        return THTensor_newPermute(out, with->matrix, permuted, 2);
    case 13:
        return THTensor_newUnfold(out, with->many, 7, 2, 1);
    case 14:
        return THTensor_newExpand(out, with->matrix, (const int64_t[]){4, 4, 4, 4, 2, 3}, 6);
    case 15:
        return THTensor_newView(out, with->many, flat, 1);
    case 16:
        return THTensor_newReshape(out, with->transposed, flat, 1);
    case 17:
        return THTensor_newSqueeze(out, with->many);
    case 18:
        return THTensor_newSqueeze1d(out, with->many, 0);
    case 19:
        return THTensor_newUnsqueeze1d(out, with->many, 8);
    case 20:
        return THTensor_newT(out, with->matrix);
    case 21: { /* growing in place, both data and dims */
        const int status = THTensor_newEmpty(out, TH_FLOAT);
        if (status == TH_OK && THTensor_resize(*out, 8, ones) != TH_OK) {
            CHECK((*out)->nDimension == 1 && (*out)->size[0] == 0);
            THTensor_free(*out);
            return TH_ERROR_MEMORY;
        }
        return status;
    }
    case 22: {
        const int status = THTensor_newEmpty(out, TH_FLOAT);
        if (status == TH_OK && THTensor_set(*out, with->many) != TH_OK) {
            THTensor_free(*out);
            return TH_ERROR_MEMORY;
        }
        return status;
    }
    }
    return -1;
}

static void *plainMalloc(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}
static void plainFree(void *context, void *pointer, size_t size)
{
    (void)context;
    (void)size;
    free(pointer);
}
static const THAllocator plainAllocator = {plainMalloc, NULL, plainFree};

static void *noMalloc(void *context, size_t size)
{
    (void)context;
    (void)size;
    return NULL;
}
static const THAllocator emptyAllocator = {noMalloc, NULL, plainFree};

static void noDeletion(void *context, void *pointer)
{
    (void)context;
    (void)pointer;
}

static int makeStorage(int which, THStorage *base, THStorage **out)
{
    static char memory[16];
    switch (which) {
    case 0:
        return THStorage_new(out, 1000);
    case 1:
        return THStorage_new(out, 1 << 21);
    case 2:
        return THStorage_newWithData(out, memory, 16, noDeletion, NULL);
    case 3:
        return THStorage_newWithMapping(out, "/proc/self/exe", 0, false);
    case 4:
        return THStorage_newView(out, base, 8, 8);
    case 5:
        return THStorage_newWithAllocator(out, 32, &plainAllocator, NULL);
    case 6: {
        const int status = THStorage_new(out, 100);
        if (status == TH_OK && THStorage_resize(*out, 100000) != TH_OK) {
            CHECK((*out)->size == 100);
            THStorage_free(*out);
            return TH_ERROR_MEMORY;
        }
        return status;
    }
    }
    return -1;
}

static bool isSameCount(const THMemoryStats *a, const THMemoryStats *b)
{
    return a->liveTensors == b->liveTensors && a->liveStorages == b->liveStorages &&
           a->liveBlocks == b->liveBlocks && a->liveBytes == b->liveBytes;
}

/* Lets each allocation of the constructor fail in turn; nothing may be left over. */
static void failEach(int which, const Operands *with, bool isStorage)
{
    THMemoryStats before, after;
    int status = TH_ERROR_MEMORY, failures = -1;
    THMemory_stats(&before);
    while (status != TH_OK && failures < 100) {
        THTensor *tensor = NULL;
        THStorage *storage = NULL;
        THMemory_failAllocation(++failures);
        status = isStorage ? makeStorage(which, with->matrix->storage, &storage)
                           : makeTensor(which, with, &tensor);
        THMemory_failAllocation(-1);
        CHECK(status == TH_OK || status == TH_ERROR_MEMORY);
        CHECK(status == TH_OK ? tensor != NULL || storage != NULL : THError_code() == status);
        if (status == TH_OK) {
            THTensor_free(tensor);
            THStorage_free(storage);
        }
        THMemory_stats(&after);
        CHECK(isSameCount(&before, &after));
    }
    CHECK(failures > 0);
}

static void testFailures(void)
{
    Operands with;
    with.matrix = newZeros(SIZES(2, 3));
    with.many = newZeros(SIZES(1, 1, 1, 1, 1, 1, 2, 3));
    CHECK_OK(THTensor_newT(&with.transposed, with.matrix));
    for (int which = 0; which <= 22; which++)
        failEach(which, &with, false);
    for (int which = 0; which <= 6; which++)
        failEach(which, &with, true);
    THMemory_failAllocation(1);
    void *first = THAlloc(10), *second = THAlloc(10), *third = THAlloc(0);
    CHECK(first != NULL && second == NULL && third != NULL);
    CHECK((uintptr_t)first % 64 == 0 && (uintptr_t)third % 64 == 0);
    CHECK(THAlloc(SIZE_MAX) == NULL && THError_code() == TH_ERROR_MEMORY);
    CHECK(THAlloc(SIZE_MAX / 4) == NULL && THError_code() == TH_ERROR_MEMORY);
    THFree(first);
    THFree(third);
    THFree(NULL);
    THTensor_free(with.matrix);
    THTensor_free(with.many);
    THTensor_free(with.transposed);
}

/* What an allocator does not say is not what somebody else said before. */
static void testAllocatorWithoutMemory(void)
{
    THStorage *storage = NULL;
    THError(TH_ERROR_MEMORY, "an older failure");
    CHECK_ERROR(THStorage_newWithAllocator(&storage, 32, &emptyAllocator, NULL), TH_ERROR_MEMORY,
                "storage: its allocator has no 32 bytes");
    CHECK(storage == NULL);
}

static void testCache(void)
{
    THMemoryStats stats;
    THMemory_emptyCache();
    THMemory_stats(&stats);
    CHECK(stats.cachedBytes == 0 && stats.cacheLimit >= 0);
    const int64_t limit = stats.cacheLimit;
    THMemory_setCacheLimit(5 << 20);
    void *blocks[4];
    for (int i = 0; i < 4; i++)
        blocks[i] = THAlloc(2 << 20);
    for (int i = 0; i < 4; i++)
        THFree(blocks[i]);
    THMemory_stats(&stats);
    CHECK(stats.cachedBytes <= 5 << 20 && stats.cacheLimit <= 5 << 20);
    THMemory_emptyCache();
    for (int i = 0; i < 300; i++)
        THFree(THAlloc((size_t)(70000 + 1000 * i)));
    THMemory_stats(&stats);
    CHECK(stats.cachedBytes <= 5 << 20);
    THMemory_setCacheLimit(-1);
    THMemory_stats(&stats);
    CHECK(stats.cachedBytes == 0 && stats.cacheLimit == 0);
    THMemory_setCacheLimit(limit);
}

static pthread_key_t lateKey;

/* Runs after the thread's lists were flushed. */
static void useClosedThread(void *tensor)
{
    const int64_t size = 10;
    THTensor *other = NULL;
    THTensor_free(tensor);
    CHECK_OK(THTensor_newWithSize(&other, TH_FLOAT, 1, &size));
    THTensor_free(other);
    CHECK(THStorage_new(NULL, -1) == TH_ERROR_VALUE && THError_message()[0] != 0);
}

/* Tensors made here are freed by the main thread, and the other way round. */
static void *swapTensors(void *argument)
{
    THTensor **tensors = argument, *last = NULL;
    const int64_t size = 20;
    if (THTensor_newWithSize(&last, TH_DOUBLE, 1, &size) != TH_OK ||
        pthread_setspecific(lateKey, last) != 0)
        return NULL;
    for (int i = 0; i < 400; i++) {
        THTensor_free(tensors[i]);
        tensors[i] = NULL;
        if (THTensor_newWithSize(&tensors[i], TH_DOUBLE, 1, &size) != TH_OK)
            return NULL;
    }
    THError(TH_ERROR_VALUE, "on the thread");
    return argument;
}

static void testOtherThreads(void)
{
    static THTensor *tensors[400];
    THMemoryStats before, after;
    THMemory_stats(&before);
    const int64_t size = 10;
    for (int i = 0; i < 400; i++)
        CHECK_OK(THTensor_newWithSize(&tensors[i], TH_FLOAT, 1, &size));
    pthread_t thread;
    void *result = NULL;
    THError_clear();
    CHECK(pthread_key_create(&lateKey, useClosedThread) == 0);
    CHECK(pthread_create(&thread, NULL, swapTensors, tensors) == 0);
    CHECK(pthread_join(thread, &result) == 0 && result == tensors);
    CHECK(THError_code() == TH_OK);
    THMemory_stats(&after);
    CHECK(after.liveTensors == before.liveTensors + 400);
    CHECK(after.liveStorages == before.liveStorages + 400);
    CHECK(after.liveBlocks == before.liveBlocks + 400);
    CHECK(after.allocations == before.allocations + 6 * 400 + 6);
    for (int i = 0; i < 400; i++)
        THTensor_free(tensors[i]);
    THMemory_stats(&after);
    CHECK(isSameCount(&before, &after));
}

enum { RANGES = 1000, PART = 100 };

/* Whether nobody else wrote to the part that a range has. */
typedef struct Ranges {
    THScratch scratch;
    int done, wrong;
} Ranges;

static void useScratch(int64_t begin, int64_t end, void *context)
{
    Ranges *ranges = context;
    uint8_t *part = THScratch_take(&ranges->scratch);
    int wrong = (uintptr_t)part % 64 != 0;
    for (int64_t i = begin; i < end; i++) {
        memset(part, (int)(i % UINT8_MAX), PART);
        for (int k = 0; k < PART; k++)
            wrong += part[k] != i % UINT8_MAX;
    }
    THScratch_give(part);
    __atomic_add_fetch(&ranges->wrong, wrong, __ATOMIC_RELAXED);
    __atomic_add_fetch(&ranges->done, (int)(end - begin), __ATOMIC_RELAXED);
}

/* Parts of a job, also where more threads come than it was opened for. */
static void testScratch(void)
{
    const int opened[] = {4, 4, 1}, used[] = {4, 1, 4}, threads = THThreads_get();
    for (int i = 0; i < 3; i++) {
        Ranges ranges = {.done = 0};
        CHECK_OK(THThreads_set(opened[i]));
        CHECK_OK(THScratch_open(&ranges.scratch, RANGES, 1, PART));
        CHECK(ranges.scratch.parts == opened[i]);
        CHECK_OK(THThreads_set(used[i]));
        TH_parallel_for(RANGES, 1, useScratch, &ranges);
        THScratch_close(&ranges.scratch);
        CHECK(ranges.done == RANGES && ranges.wrong == 0);
    }
    THScratch none;
    CHECK_OK(THScratch_open(&none, RANGES, 1, 0));
    CHECK(THScratch_take(&none) == NULL);
    THScratch_give(NULL);
    THScratch_close(&none);
    CHECK_OK(THScratch_open(&none, RANGES, RANGES, PART));
    CHECK(none.parts == 1);
    THScratch_close(&none);
    const int64_t tooMany[] = {INT64_MAX, INT64_MAX / 4 * 3, INT64_MAX - 200};
    for (int i = 0; i < 3; i++) {
        CHECK(THScratch_open(&none, RANGES, 1, tooMany[i]) == TH_ERROR_MEMORY);
        CHECK(THScratch_take(&none) == NULL);
        THScratch_close(&none);
    }
    THMemory_failAllocation(0);
    CHECK(THScratch_open(&none, RANGES, 1, PART) == TH_ERROR_MEMORY);
    THScratch_close(&none);
    CHECK_OK(THThreads_set(threads));
}

int main(void)
{
    THMemoryStats stats;
    testScratch();
    testFailures();
    testAllocatorWithoutMemory();
    testCache();
    testOtherThreads();
    THMemory_stats(&stats);
    CHECK(stats.liveTensors == 0 && stats.liveStorages == 0 && stats.liveBlocks == 0 &&
          stats.liveBytes == 0);
    return check_finish("memory");
}
