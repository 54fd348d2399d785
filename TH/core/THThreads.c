/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The thread pool. There is one job at a time: ranges of fixed bounds, which the workers and the
 * calling thread take one after the other until none is left, so a worker that wakes late or could
 * not be started costs speed only. Each begins with a share of its own, the same one in every job,
 * so that its core's cache has what it worked on before. Whoever comes while a job runs, or is
 * itself inside a range, works alone.
 *
 * Workers never end: each sleeps until a job calls it, or until the process ends. To be called
 * takes a worker longer than many jobs take, and its caller some time, too. So a job that finds
 * workers asleep begins without them, and calls them when a range has shown that enough is left, or
 * when jobs follow one another. All fields are guarded by the mutex but for atomic ones, and for
 * what says what the job is, which stands still while it is open. Workers that are awake come and
 * go without the mutex: `inside` counts them. */
#define _GNU_SOURCE
#include <TH/core/THPrivate.h>

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#define THREADS_MOST 1024
#define CACHE_LINE 64
#define SHARES 64       /* more threads share them */
#define RANGES_EACH 4   /* so that a thread that lost its core delays the others by little */
#define RANGES_FIRST 16 /* the same while workers sleep: the first range is short */
#define SPINS                                                                                \
    10000 /* Some 200 us: more than a sleeping thread takes to wake in a virtual machine, or \
           * two threads that wait for each other would sleep in every job. */
/* Nanoseconds: what must be left of a job for workers to be called, what callers have done without
 * them, and after how long without a job that is forgotten. */
#define WORTH_CALLING 200000
#define ALONE_MOST 50000
#define FORGOTTEN 200000
#define LONG_ITEM 16 /* times what is worth a thread: workers are called before the first one */
#define CONTENDED 64 /* jobs: for so many after a caller that found one running */

/* Of a thread from a core. */
typedef struct Absence {
    pthread_t thread;
    cpu_set_t allowed, bound; /* when isBound */
    bool isBound;             /* to the other cores */
} Absence;

typedef struct Sleeper {
    struct Sleeper *next;
    pthread_t thread;
    pthread_cond_t call;
    Absence absence; /* from its caller's core */
    bool isCalled;
} Sleeper;

typedef struct Pool {
    pthread_mutex_t mutex;
    pthread_cond_t done;
    int workers, asleep;
    bool busy;   /* a job is there */
    int core;    /* atomic: its caller's when it began */
    int helpers; /* atomic: workers that the job wants; there are more after set_num_threads */
    THRangeFunction function;
    void *context;
    int64_t n, grain;
    int ranges, shares;
    Sleeper *sleepers; /* each on its own stack, the last one that fell asleep first */
    bool waits;        /* atomic: the caller sleeps until the last worker is out */
    int64_t alone;     /* nanoseconds of jobs that began while workers slept */
    int64_t lastAlone; /* when the last one of these ended */
    int contended;     /* atomic: jobs for which other callers are expected beside */
    _Alignas(CACHE_LINE) uint64_t generation; /* atomic: counts jobs */
    _Alignas(CACHE_LINE) int inside;          /* atomic: workers in the job, and CLOSED */
    struct {
        _Alignas(CACHE_LINE) int next; /* atomic: the first range that nobody took */
    } share[SHARES];
} Pool;

#define CLOSED (1 << 30) /* whoever comes now is too late */

/* A job that began while workers slept. */
typedef struct Lone {
    bool isLong; /* not so, although they do: the first range takes long */
    bool sleeps; /* they still do */
    int done;    /* ranges that its caller ran */
    int64_t began;
} Lone;

#define NO_JOB                              \
    {                                       \
        .mutex = PTHREAD_MUTEX_INITIALIZER, \
        .done = PTHREAD_COND_INITIALIZER,   \
        .inside = CLOSED,                   \
    }
static Pool pool = NO_JOB;
static int wantedThreads; /* atomic; 0: not known yet */

static inline void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Waits a moment for what another thread is about to do, for the `turn`th time; now and then others
 * may have the core. */
#define YIELDS 256
static inline void spin(int turn)
{
    if (turn % YIELDS == YIELDS - 1)
        sched_yield();
    else
        relax();
}

void TH_await(const int64_t *counter, int64_t value)
{
    for (int turn = 0; __atomic_load_n(counter, __ATOMIC_ACQUIRE) < value;
         turn = (turn + 1) % YIELDS)
        spin(turn);
}

static int defaultThreads(void)
{
    const char *text = getenv("TH_NUM_THREADS");
    char *end = NULL;
    const long given = text ? strtol(text, &end, 10) : 0;
    const bool isNumber = text && end != text && *end == 0 && given >= 1;
    const int threads = isNumber && given <= THREADS_MOST ? (int)given : THSystem_cpus();
    return threads < THREADS_MOST ? threads : THREADS_MOST;
}

int THThreads_get(void)
{
    int threads = __atomic_load_n(&wantedThreads, __ATOMIC_RELAXED);
    if (TH_UNLIKELY(threads == 0)) {
        int unset = 0;
        threads = defaultThreads();
        if (!__atomic_compare_exchange_n(&wantedThreads, &unset, threads, false, __ATOMIC_RELAXED,
                                         __ATOMIC_RELAXED))
            threads = unset;
    }
    return threads;
}

int THThreads_set(int64_t threads)
{
    TH_CHECK(threads >= 1 && threads <= THREADS_MOST, TH_ERROR_VALUE,
             "set_num_threads: expected a number from 1 to %d, got %" PRId64, THREADS_MOST,
             threads);
    __atomic_store_n(&wantedThreads, (int)threads, __ATOMIC_RELAXED);
    return TH_OK;
}

static inline int firstOfShare(int share)
{
    return share * pool.ranges / pool.shares;
}

/* Kernels like to wake and to start a thread on the core of the one that asks for it, where it
 * stands behind it until the load is balanced, milliseconds later or never: until it woke, that
 * core is not allowed to it. */
static void keepOffCore(Absence *self, pthread_t thread, int core)
{
    self->thread = thread;
    self->isBound = false;
    if (pthread_getaffinity_np(thread, sizeof(cpu_set_t), &self->allowed) != 0)
        return;
    self->bound = self->allowed;
    CPU_CLR(core, &self->bound);
    self->isBound = pthread_setaffinity_np(thread, sizeof(cpu_set_t), &self->bound) == 0;
}

/* Awake: allows what was allowed before, unless somebody else has decided on it meanwhile. */
static void unbind(const Absence *self)
{
    cpu_set_t now;
    if (self->isBound && pthread_getaffinity_np(self->thread, sizeof now, &now) == 0 &&
        CPU_EQUAL(&now, &self->bound))
        pthread_setaffinity_np(self->thread, sizeof self->allowed, &self->allowed);
}

/* A worker on its caller's core runs only while the caller does not. */
static void leaveCaller(void)
{
    const int core = __atomic_load_n(&pool.core, __ATOMIC_RELAXED);
    Absence absence;
    if (sched_getcpu() != core)
        return;
    keepOffCore(&absence, pthread_self(), core);
    unbind(&absence);
}

/* The mutex is held, also while a sleeper is called: it is there until it has the mutex again. */
static void sleepUntilCalled(void)
{
    Sleeper self = {
        .next = pool.sleepers, .thread = pthread_self(), .call = PTHREAD_COND_INITIALIZER};
    pool.sleepers = &self;
    pool.asleep++;
    while (!self.isCalled)
        pthread_cond_wait(&self.call, &pool.mutex);
    if (self.absence.isBound) {
        pthread_mutex_unlock(&pool.mutex);
        unbind(&self.absence);
        pthread_mutex_lock(&pool.mutex);
    }
}

/* Calls sleepers until so many workers are awake. The mutex is held. */
static void wakeWorkers(int workers)
{
    while (pool.sleepers != NULL && pool.workers - pool.asleep < workers) {
        Sleeper *sleeper = pool.sleepers;
        pool.sleepers = sleeper->next;
        pool.asleep--;
        keepOffCore(&sleeper->absence, sleeper->thread, pool.core);
        sleeper->isCalled = true;
        pthread_cond_signal(&sleeper->call);
    }
}

static void *workerMain(void *context);

/* Starts what is missing; with fewer workers than wanted the others do their work. Signals stay
 * with the program's own threads. The mutex is held. */
static void startWorkers(int workers)
{
    if (TH_LIKELY(pool.workers >= workers))
        return;
    sigset_t all, before;
    pthread_attr_t detached;
    if (pthread_attr_init(&detached) != 0)
        return;
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    while (pool.workers < workers && pthread_create(&thread, &detached, workerMain,
                                                    (void *)(intptr_t)(pool.workers + 1)) == 0)
        pool.workers++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&detached);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Calls all that the job wants. The mutex is held. */
static void callWorkers(void)
{
    const int helpers = __atomic_load_n(&pool.helpers, __ATOMIC_RELAXED);
    startWorkers(helpers);
    wakeWorkers(helpers);
    pool.alone = 0;
}

/* After a range: calls the workers where those that are left take long enough. */
static void callWhereWorth(Lone *self)
{
    const int left = pool.ranges - ++self->done;
    if ((now() - self->began) / self->done * left < WORTH_CALLING)
        return;
    pthread_mutex_lock(&pool.mutex);
    callWorkers();
    pthread_mutex_unlock(&pool.mutex);
    self->sleeps = false;
}

/* Takes ranges until none is left, those of its own share first. Bounds are multiples of the grain,
 * shared out evenly. */
static void runRanges(int place, Lone *lone)
{
    const int64_t units = (pool.n - 1) / pool.grain + 1;
    const int64_t each = units / pool.ranges, more = units % pool.ranges;
    for (int i = 0; i < pool.shares; i++) {
        const int share = (place + i) % pool.shares, end = firstOfShare(share + 1);
        int range;
        while ((range = __atomic_fetch_add(&pool.share[share].next, 1, __ATOMIC_RELAXED)) < end) {
            const int64_t first = range * each + range * more / pool.ranges;
            const int64_t last = (range + 1) * each + (range + 1) * more / pool.ranges;
            pool.function(first * pool.grain, last < units ? last * pool.grain : pool.n,
                          pool.context);
            if (lone != NULL && lone->sleeps)
                callWhereWorth(lone);
        }
    }
}

/* Whether the job is open and wants another worker, which then is inside. */
static bool enterJob(void)
{
    int inside = __atomic_load_n(&pool.inside, __ATOMIC_ACQUIRE);
    while (inside < __atomic_load_n(&pool.helpers, __ATOMIC_RELAXED)) /* CLOSED is more */
        if (__atomic_compare_exchange_n(&pool.inside, &inside, inside + 1, true, __ATOMIC_ACQUIRE,
                                        __ATOMIC_ACQUIRE))
            return true;
    return false;
}

static void leaveJob(void)
{
    if (__atomic_sub_fetch(&pool.inside, 1, __ATOMIC_SEQ_CST) == CLOSED &&
        __atomic_load_n(&pool.waits, __ATOMIC_SEQ_CST)) {
        pthread_mutex_lock(&pool.mutex);
        pthread_cond_signal(&pool.done);
        pthread_mutex_unlock(&pool.mutex);
    }
}

/* Waits a moment for the next job. Another of our callers may have the core; a foreign thread may
 * not: those of other libraries spin there for milliseconds, and who yields to them once waits
 * until the kernel takes the core away from them. */
static void spinIdle(int turn)
{
    if (__atomic_load_n(&pool.contended, __ATOMIC_RELAXED) > 0)
        spin(turn);
    else
        relax();
}

/* A worker that comes too late for a job waits for the next one awake, as one that had its share.
 */
static void *workerMain(void *context)
{
    const int place = (int)(intptr_t)context;
    THLocal_current.inRange = true;
    uint64_t seen = 0;
    for (;;) {
        for (int i = 0; i < SPINS; i++) {
            const uint64_t generation = __atomic_load_n(&pool.generation, __ATOMIC_ACQUIRE);
            if (generation != seen) {
                seen = generation;
                i = 0;
                if (enterJob()) {
                    runRanges(place, NULL);
                    leaveJob();
                }
            }
            if (i % YIELDS == YIELDS - 1)
                leaveCaller();
            spinIdle(i);
        }
        pthread_mutex_lock(&pool.mutex);
        if (pool.generation == seen)
            sleepUntilCalled();
        pthread_mutex_unlock(&pool.mutex);
    }
    return NULL;
}

/* Whether a job with so many units begins without the workers that sleep. The mutex is held. */
static bool beginsAlone(int64_t units, int threads, int64_t time)
{
    if (time - pool.lastAlone > FORGOTTEN)
        pool.alone = 0;
    return units > threads && pool.alone < ALONE_MOST;
}

/* A caller comes. The mutex is held. */
static void noteContention(bool isFree)
{
    const int contended = __atomic_load_n(&pool.contended, __ATOMIC_RELAXED);
    const int left = contended > 0 ? contended - 1 : 0;
    __atomic_store_n(&pool.contended, isFree ? left : CONTENDED, __ATOMIC_RELAXED);
}

/* False when another thread's job is running. */
static bool beginJob(int64_t n, int64_t grain, int threads, THRangeFunction function, void *context,
                     Lone *lone)
{
    const int64_t units = (n - 1) / grain + 1;
    const int helpers = (int)THSize_min(units, threads) - 1;
    pthread_mutex_lock(&pool.mutex);
    const bool isFree = !pool.busy;
    noteContention(isFree);
    if (isFree) {
        const bool sleep = !lone->isLong && pool.workers - pool.asleep < helpers;
        lone->began = sleep ? now() : 0;
        lone->sleeps = sleep && beginsAlone(units, threads, lone->began);
        __atomic_store_n(&pool.helpers, helpers, __ATOMIC_RELAXED);
        pool.busy = true;
        __atomic_store_n(&pool.core, sched_getcpu(), __ATOMIC_RELAXED);
        pool.function = function;
        pool.context = context;
        pool.n = n;
        pool.grain = grain;
        pool.ranges = (int)THSize_min(units, threads * (lone->sleeps ? RANGES_FIRST : RANGES_EACH));
        pool.shares = helpers < SHARES ? helpers + 1 : SHARES;
        for (int share = 0; share < pool.shares; share++)
            pool.share[share].next = firstOfShare(share);
        __atomic_store_n(&pool.inside, 0, __ATOMIC_RELEASE);
        __atomic_add_fetch(&pool.generation, 1, __ATOMIC_RELEASE);
        if (!lone->sleeps)
            callWorkers();
    }
    pthread_mutex_unlock(&pool.mutex);
    return isFree;
}

/* All ranges are taken; waits for those that workers are still at. */
static void endJob(const Lone *lone)
{
    int inside = __atomic_or_fetch(&pool.inside, CLOSED, __ATOMIC_ACQUIRE);
    for (int i = 0; i < SPINS && inside != CLOSED; i++) {
        spin(i);
        inside = __atomic_load_n(&pool.inside, __ATOMIC_ACQUIRE);
    }
    pthread_mutex_lock(&pool.mutex);
    if (inside != CLOSED) {
        __atomic_store_n(&pool.waits, true, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&pool.inside, __ATOMIC_SEQ_CST) != CLOSED)
            pthread_cond_wait(&pool.done, &pool.mutex);
        __atomic_store_n(&pool.waits, false, __ATOMIC_SEQ_CST);
    }
    if (lone->sleeps) {
        pool.lastAlone = now();
        pool.alone += pool.lastAlone - lone->began;
    }
    pool.busy = false;
    pthread_mutex_unlock(&pool.mutex);
}

static void runJob(int64_t n, int64_t grain, bool isLong, THRangeFunction function, void *context)
{
    if (n <= 0)
        return;
    if (grain < 1)
        grain = 1;
    const int threads = n > grain && !THLocal_current.inRange ? THThreads_get() : 1;
    Lone lone = {.isLong = isLong};
    if (threads > 1 && beginJob(n, grain, threads, function, context, &lone)) {
        THLocal_current.inRange = true;
        runRanges(0, &lone);
        endJob(&lone);
        THLocal_current.inRange = false;
        return;
    }
    function(0, n, context);
}

/* As many parts as there are ranges while workers sleep, or as many for each thread. */
static void runItems(int64_t n, int64_t least, bool isLong, THRangeFunction function, void *context)
{
    const int64_t parts = n > 0 && least > 1 ? (n - 1) / least + 1 : n;
    const int64_t threads = parts > 1 ? THThreads_get() : 1, most = threads * RANGES_FIRST;
    const int64_t few = parts > threads * RANGES_EACH ? threads * RANGES_EACH : threads;
    const int64_t even = parts > most ? most : parts > few ? parts - parts % few : parts;
    runJob(n, even > 0 ? n / even : n, isLong, function, context);
}

void TH_parallel_for(int64_t n, int64_t grain, THRangeFunction function, void *context)
{
    runJob(n, grain, false, function, context);
}

void TH_parallel_items(int64_t n, int64_t least, THRangeFunction function, void *context)
{
    runItems(n, least, false, function, context);
}

void TH_parallel_work(int64_t n, int64_t each, int64_t worth, THRangeFunction function,
                      void *context)
{
    runItems(n, 1 + worth / each, each / LONG_ITEM >= worth, function, context);
}

void THThreads_beforeFork(void)
{
    pthread_mutex_lock(&pool.mutex);
}

/* A child has none of the workers, nor the thread whose job may have been running. */
void THThreads_afterFork(bool isChild)
{
    pthread_mutex_unlock(&pool.mutex);
    if (isChild)
        pool = (Pool)NO_JOB;
}
