/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a call would do, without doing it. While the calling thread has a THExplain, a wrapper
 * TH_<op> checks its arguments as ever, but gets new tensors for all it would write; where the work
 * would begin, what is known of it is noted down, and the call ends with TH_STOPPED. The caller has
 * the storages of its arguments pinned: what is not pinned was made for this call and may be
 * written. */
#ifndef TH_EXPLAIN_H
#define TH_EXPLAIN_H

#include <TH/THEngine.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The status of a call that was explained; no error, and nobody else ever sees it. */
#define TH_STOPPED 64
#define TH_EXPLAIN_COPIES 16

/* A copy of a whole tensor before the work, or of the result after it. */
typedef struct THExplainCopy {
    uint8_t from, to; /* dtypes */
    bool contiguous;  /* what is copied; else it is strided */
    int64_t elements;
} THExplainCopy;

/* A result as a wrapper made it. */
typedef struct THExplainOutput {
    THTensor *result, *given; /* given: out=, or self in place; NULL where there is none */
    int nDimension;           /* -1: its shape is not known yet */
    int64_t size[TH_MAX_DIMS];
    uint8_t dtype;
    bool direct; /* would be written to `given` itself, not copied there */
} THExplainOutput;

typedef struct THExplain {
    int dtype;     /* the promoted dtype where operands differ, else -1 */
    int rounded;   /* the dtype whose values a kernel computes in another one, or -1 */
    int64_t steps; /* elementary steps announced as work; -1: none was */
    bool unlocked; /* the caller's lock would be left meanwhile */
    bool stopped;  /* the call got to where its work would begin */
    bool planned;  /* the following two are filled in */
    bool small;    /* operands go to the loop without the plan */
    THPlan plan;   /* its kernel and addresses may be gone */
    THKernel kernel;
    int noutputs,
        ncopies; /* copies: how many there are, of which so many are kept as there is room */
    THExplainOutput output[TH_MAX_OPERANDS];
    THExplainCopy copy[TH_EXPLAIN_COPIES];
    /* Called by the binding's argument readers with what they sorted the arguments into; non-zero
     * refuses. */
    int (*bound)(struct THExplain *self, const void *signature, void *const *values);
    void *context;
} THExplain;

/* The calling thread's; NULL but for the time of an explained call. */
TH_API extern __thread THExplain *THExplain_current __attribute__((tls_model("initial-exec")));
TH_API void THExplain_init(THExplain *self);

/* Before a function that may write to what it is given: ends an explained call. */
static inline int THExplain_guard(void)
{
    if (TH_LIKELY(THExplain_current == NULL))
        return TH_OK;
    THExplain_current->stopped = true;
    return TH_STOPPED;
}

/* For TH itself, while THExplain_current is set. A result that a function is to resize, made anew:
 */
int THExplain_newOutput(THTensor **result, THTensor *given, THDtype dtype, bool direct);
/* Notes down a result that has its shape. */
void THExplain_addOutput(THTensor *result, THTensor *given, bool direct);
/* A result gets this shape. TH_STOPPED when that was the last one to get its own. */
int THExplain_shape(THTensor *result, int nDimension, const int64_t *size);
/* A kernel would run. Copies to what was made for this call do run. */
int THExplain_kernel(const THKernel *kernel, THTensor *const *operands, const uint8_t *via,
                     const void *params);
/* Whether the call has the memory from its caller. */
static inline bool THExplain_isGiven(const THTensor *tensor)
{
    return __atomic_load_n(&tensor->storage->pins, __ATOMIC_RELAXED) > 0 ||
           !(tensor->storage->flag & TH_STORAGE_RESIZABLE);
}

#ifdef __cplusplus
}
#endif
#endif
