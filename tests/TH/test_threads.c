/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The thread pool (ranges, nesting, several callers, forks) and work hooks. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST 10000

typedef struct Marks {
    int64_t n, grain;
    int marks[MOST]; /* atomic: how often each index was in a range */
    int ranges;      /* atomic */
    int unaligned;   /* atomic: range ends that are not as promised */
    bool nested;
} Marks;

static void markRange(int64_t begin, int64_t end, void *context)
{
    Marks *marks = context;
    __atomic_add_fetch(&marks->ranges, 1, __ATOMIC_RELAXED);
    if (marks->nested) {
        Marks inner = {.n = 100, .grain = 1};
        TH_parallel_for(inner.n, inner.grain, markRange, &inner);
        if (inner.ranges != 1)
            __atomic_add_fetch(&marks->unaligned, 1, __ATOMIC_RELAXED);
    }
    if (begin >= end || begin % marks->grain != 0 || (end % marks->grain != 0 && end != marks->n))
        __atomic_add_fetch(&marks->unaligned, 1, __ATOMIC_RELAXED);
    for (int64_t i = begin; i < end; i++)
        __atomic_add_fetch(&marks->marks[i], 1, __ATOMIC_RELAXED);
}

/* Was each index in one range, and no other? */
static bool countMarks(const Marks *marks)
{
    bool isGood = marks->unaligned == 0;
    for (int64_t i = 0; i < MOST; i++)
        isGood &= marks->marks[i] == (i < marks->n);
    return isGood;
}

static bool runMarks(Marks *marks)
{
    TH_parallel_for(marks->n, marks->grain, markRange, marks);
    return countMarks(marks);
}

static void testRanges(void)
{
    const int64_t counts[] = {0, 1, 2, 7, 64, 65, 1000, MOST}, grains[] = {1, 2, 64, 999, MOST};
    CHECK(THThreads_get() >= 1);
    CHECK(THThreads_set(0) == TH_ERROR_VALUE && THThreads_set(-5) == TH_ERROR_VALUE);
    CHECK(THThreads_set(1 << 30) == TH_ERROR_VALUE);
    for (int threads = 1; threads <= 5; threads += 2) {
        CHECK_OK(THThreads_set(threads));
        CHECK(THThreads_get() == threads);
        for (int i = 0; i < 8 * 5; i++) {
            Marks marks = {.n = counts[i % 8], .grain = grains[i / 8]};
            marks.nested = i % 3 == 0 && marks.n > marks.grain;
            CHECK(runMarks(&marks));
            const int64_t units = (marks.n + marks.grain - 1) / marks.grain;
            CHECK(marks.ranges >= (units < threads ? units : threads));
            CHECK(marks.ranges <= (threads > 1 ? units : units > 0));
        }
    }
    Marks marks = {.n = 10, .grain = 1};
    TH_parallel_for(-3, 1, markRange, &marks);
    CHECK(marks.ranges == 0);
    TH_parallel_for(10, 0, markRange, &marks);
    CHECK(marks.unaligned == 0 && marks.marks[9] == 1);
}

/* Items that nothing holds together are shared out evenly: not as 104, 104, 104 and 4. */
static void testItems(void)
{
    const int64_t counts[] = {0, 1, 2, 7, 104, 105, 316, 1000, MOST},
                  least[] = {0, 1, 3, 104, MOST};
    for (int i = 0; i < 9 * 5; i++) {
        Marks marks = {.n = counts[i % 9], .grain = 1};
        CHECK_OK(THThreads_set(1 + i % 3));
        TH_parallel_items(marks.n, least[i / 9], markRange, &marks);
        CHECK(countMarks(&marks));
    }
    Marks marks = {.n = 316, .grain = 79};
    CHECK_OK(THThreads_set(2));
    TH_parallel_items(marks.n, 104, markRange, &marks);
    CHECK(countMarks(&marks) && marks.ranges == 4);
}

typedef struct Visit {
    pthread_t caller;
    useconds_t pause;
    bool others; /* atomic: whether another thread had a range */
} Visit;

static void visitRange(int64_t begin, int64_t end, void *context)
{
    Visit *visit = context;
    usleep((useconds_t)(end - begin) * visit->pause);
    if (!pthread_equal(pthread_self(), visit->caller))
        __atomic_store_n(&visit->others, true, __ATOMIC_RELAXED);
}

/* Workers that sleep come to a job that takes long, and to short ones that follow each other. */
static void testCalling(void)
{
    Visit visit = {.caller = pthread_self(), .pause = 1000};
    CHECK_OK(THThreads_set(2));
    for (int i = 0; i < 3; i++) {
        usleep(20000);
        visit.others = false;
        TH_parallel_for(100, 1, visitRange, &visit);
        CHECK(visit.others);
    }
    usleep(20000);
    visit = (Visit){.caller = pthread_self(), .pause = 1};
    for (int i = 0; i < 100000 && !visit.others; i++)
        TH_parallel_for(10, 1, visitRange, &visit);
    CHECK(visit.others);
}

static void *runMany(void *bad)
{
    for (int i = 0; i < 200; i++) {
        Marks marks = {.n = 1000 + i, .grain = 10};
        if (!runMarks(&marks))
            return bad;
    }
    return NULL;
}

static void testCallers(void)
{
    pthread_t callers[3];
    CHECK_OK(THThreads_set(3));
    for (int i = 0; i < 3; i++)
        CHECK(pthread_create(&callers[i], NULL, runMany, callers) == 0);
    for (int i = 0; i < 3; i++) {
        void *bad = callers;
        CHECK(pthread_join(callers[i], &bad) == 0 && bad == NULL);
    }
}

/* Blocks of both sizes are large, and of two kinds to libtsan's allocator, whose locks another
 * thread may hold when a child is forked. */
#define OTHERS_BYTES 70000
#define CHILDS_FLOATS 25000

static THGenerator *own; /* generator beside the default one, while others draw from both */

static void drawOne(THGenerator *generator)
{
    THGenerator_lock(generator);
    THRandom_random(generator);
    THGenerator_unlock(generator);
}

static void checkInChild(void)
{
    Marks marks = {.n = 1000, .grain = 1};
    THTensor *tensor = NULL;
    THMemoryStats stats;
    const int64_t size = CHILDS_FLOATS;
    CHECK(runMarks(&marks));
    CHECK(marks.ranges >= 3);
    CHECK_OK(THTensor_newWithSize(&tensor, TH_FLOAT, 1, &size));
    THTensor_free(tensor);
    THMemory_stats(&stats);
    CHECK(stats.liveTensors == 0);
    CHECK(THThreads_get() == 3);
    drawOne(THGenerator_default());
    if (own != NULL)
        drawOne(own);
}

/* Forks, and checks in the child, which ends by a signal where it waits for what never comes. */
static void checkFork(void (*check)(void))
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        checksFailed = 0;
        check();
        _exit(checksFailed != 0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(!WIFSIGNALED(status));
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* The allocator of gcc 12's address sanitizer stays locked in a child if another thread was in it:
 * one run in forty waited there for ever. */
#if defined(__SANITIZE_ADDRESS__)
#define FORKS_BESIDE false
#else
#define FORKS_BESIDE true
#endif

static int stopBusy; /* atomic */
static void *stayBusy(void *unused)
{
    (void)unused;
    for (int i = 0; !__atomic_load_n(&stopBusy, __ATOMIC_RELAXED); i++) {
        Marks marks = {.n = MOST, .grain = 10};
        THGenerator *const drawn = i % 2 == 0 ? THGenerator_default() : own;
        THGenerator *brief = NULL;
        THFree(THAlloc(OTHERS_BYTES));
        THGenerator_lock(drawn);
        runMarks(&marks); /* as long as numbers are drawn the lock is held */
        THGenerator_unlock(drawn);
        if (THGenerator_new(&brief) != TH_OK)
            break;
        drawOne(brief);
        THGenerator_free(brief);
        runMarks(&marks);
    }
    return NULL;
}

static void forkBeside(int forks)
{
    pthread_t busy;
    if (!FORKS_BESIDE)
        return;
    CHECK_OK(THGenerator_new(&own));
    CHECK(pthread_create(&busy, NULL, stayBusy, NULL) == 0);
    for (int i = 0; i < forks; i++)
        checkFork(checkInChild);
    __atomic_store_n(&stopBusy, 1, __ATOMIC_RELAXED);
    CHECK(pthread_join(busy, NULL) == 0);
    THGenerator_free(own);
    own = NULL;
}

/* Of a process where another thread may be at its first use of everything. */
static void forkEarly(void)
{
    CHECK_OK(THThreads_set(3));
    forkBeside(2);
}

static void testForks(void)
{
    CHECK_OK(THThreads_set(3));
    Marks marks = {.n = 1000, .grain = 1};
    CHECK(runMarks(&marks));
    checkFork(checkInChild);
    forkBeside(30);
    Marks again = {.n = 1000, .grain = 1};
    CHECK(runMarks(&again));
}

static int begun, ended;
static void *countBegin(void)
{
    begun++;
    return &begun;
}
static void countEnd(void *state)
{
    ended += state == &begun;
}

static void testWork(void)
{
    static const THWorkHooks hooks = {countBegin, countEnd};
    THTensor *a = NULL;
    const int64_t size = 10, larger = 1000;
    CHECK_OK(THTensor_newWithSize(&a, TH_FLOAT, 1, &size));
    THTensor *const operands[] = {a, NULL, a};
    THWork work, inner;
    THWork_begin(&work, INT64_MAX, operands, 3);
    CHECK(begun == 0 && a->storage->pins == 0);
    THWork_end(&work);
    THWork_hooks = &hooks;
    THWork_begin(&work, 10, operands, 3);
    CHECK(begun == 0);
    THWork_end(&work);
    THWork_begin(&work, 1 << 20, operands, 3);
    CHECK(begun == 1 && ended == 0 && a->storage->pins == 2);
    THWork_begin(&inner, 1 << 20, operands, 3);
    CHECK(begun == 1);
    THWork_end(&inner);
    CHECK(ended == 0);
    /* The working thread may resize its results, unless somebody else relies on them. */
    CHECK_OK(THTensor_resize(a, 1, &larger));
    THStorage_pin(a->storage);
    CHECK(THTensor_resize(a, 1, &size) == TH_ERROR_RUNTIME);
    THStorage_unpin(a->storage);
    THWork_end(&work);
    CHECK(ended == 1 && a->storage->pins == 0);
    THWork_hooks = NULL;
    THTensor_free(a);
}

int main(void)
{
    for (int i = 0; i < 20; i++)
        checkFork(forkEarly);
    testRanges();
    testItems();
    testCalling();
    testCallers();
    testForks();
    testWork();
    return check_finish("threads");
}
