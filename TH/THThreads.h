/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A pool of worker threads, started at the first use; a forked child starts its own. */
#ifndef TH_THREADS_H
#define TH_THREADS_H

#include <TH/THGeneral.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs `function` over [0, n) in ranges whose ends are multiples of `grain` (but for n itself); on
 * the calling thread alone when n <= grain or there is one thread, and when called from inside a
 * range. A function that can fail stores the failure in its context. Errors recorded on a worker
 * thread are not seen by the caller. */
typedef void (*THRangeFunction)(int64_t begin, int64_t end, void *context);
TH_API void TH_parallel_for(int64_t n, int64_t grain, THRangeFunction function, void *context);
/* The same for items that may be divided anywhere: all threads get about as many where
 * `least` are worth a thread. */
TH_API void TH_parallel_items(int64_t n, int64_t least, THRangeFunction function, void *context);
/* The same for items of `each` > 0 elements, of which `worth` are worth a thread; threads that
 * sleep are called at once if an item is many times that. */
TH_API void TH_parallel_work(int64_t n, int64_t each, int64_t worth, THRangeFunction function,
                             void *context);

/* Waits until an atomic counter has reached `value`, which another range that runs is about to see
 * to; what that one wrote before is there then. */
TH_API void TH_await(const int64_t *counter, int64_t value);

/* Bytes that are worth a thread, of the widest operand; elements of less than a word count as such
 * unless they are moved, or reduced or computed with as they are. Operations on the same elements
 * are shared alike, unless they cost much (TH/engine/THPlan.c): lines that one core wrote reach
 * another one later than it computes what is in them, if that is little (-(x - y) of 10000 float64:
 * 5.2 us, by two threads 11.7; Xeon). */
#define TH_THREAD_BYTES (1 << 17)
#define TH_THREAD_WORD 4

/* Memory for what a function of TH_parallel_for does, taken before it begins: so nothing is half
 * written where there is none. `open` takes `bytes` for each range of such a call, by a grain or by
 * what is worth a thread, that may run at a time; 0 is none, for which `take` gives NULL. A range
 * takes its part, 64-byte aligned and as others left it, and gives it back. TH_ERROR_MEMORY; then,
 * too, it may be closed. */
typedef struct THScratch {
    char *memory;
    int64_t parts, step;
} THScratch;
TH_API int THScratch_open(THScratch *self, int64_t n, int64_t grain, int64_t bytes);
TH_API void *THScratch_take(const THScratch *self);
TH_API void THScratch_give(void *part);
TH_API void THScratch_close(THScratch *self);

/* Default: TH_NUM_THREADS, else the CPUs of the process's affinity and cgroup quota. */
TH_API int THThreads_get(void);
TH_API int THThreads_set(int64_t threads); /* ValueError unless 1 .. 1024 */

/* Work worth leaving the GIL for. The wrappers of declared operations call begin and end around the
 * dtype switch with the operands and the number of elementary steps; when that is large and the
 * thread has hooks, the operands' storages are pinned and the begin hook runs. Threads without
 * hooks (C, cffi) skip all of it. */
typedef struct THWorkHooks {
    void *(*begin)(void);
    void (*end)(void *state);
} THWorkHooks;
struct THTensor;
typedef struct THWork {
    struct THTensor *const *operands; /* NULL: nothing was begun */
    int noperands;
    void *state;
    const THWorkHooks *hooks;
} THWork;
/* The calling thread's hooks; the binding sets them around a call of TH_<op> and clears them after.
 */
TH_API extern __thread const THWorkHooks *THWork_hooks __attribute__((tls_model("initial-exec")));
#define TH_WORK_LEAST 50000 /* leaving and taking a contended lock costs about as many steps */
TH_API void THWork_begin(THWork *work, int64_t steps, struct THTensor *const *operands,
                         int noperands);
/* The same for `cost` steps with each of the operands' elements. */
TH_API void THWork_beginElements(THWork *work, int cost, struct THTensor *const *operands,
                                 int noperands);
/* Ends what was begun. */
TH_API void THWork_leave(THWork *work);
static inline void THWork_end(THWork *work)
{
    if (TH_UNLIKELY(work->operands != NULL))
        THWork_leave(work);
}

#ifdef __cplusplus
}
#endif
#endif
