/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Core operations: functions over the last dims of their operands, as generalised ufuncs are. An
 * item is what the function sees at once: one array of each operand, whose sizes are named dims.
 * The dims before are batch dims: they broadcast, and the function runs for each of their indices.
 * An input that is NULL is NULL to the function too.
 *
 * A loop knows items of the dtypes its kernel names. Operands of other dtypes, and those that are
 * not contiguous where the function wants that, are copied item by item; nothing of full size is.
 */
#ifndef TH_CORE_H
#define TH_CORE_H

#include <limits.h>

#include <TH/THEngine.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TH_CORE_DIMS 16 /* named dims and constants of one operation */
#define TH_CORE_RANK 8  /* core dims of one operand */

/* Codes of items that failed before their function was called: MemoryError, and ValueError for
 * sizes that do not fit the function's types. */
#define TH_CORE_NO_MEMORY INT_MIN
#define TH_CORE_TOO_LARGE (INT_MIN + 1)

/* n items; data[k] is operand k of the first, step[k] the bytes to the next. `stride` has the
 * element strides of every operand's core dims, `size` those of the named dims. Returns how many
 * items were done before one failed, which left its code; n when all were. */
typedef int64_t (*THCoreLoop)(int64_t n, void *const *data, const int64_t *step,
                              const int64_t *stride, const int64_t *size, const void *params,
                              int *code);
#define TH_CORE_DECLARE(name)                                                              \
    int64_t name(int64_t n, void *const *data, const int64_t *step, const int64_t *stride, \
                 const int64_t *size, const void *params, int *code)
/* In loops: operand k of item i, and its stride along a core dim. */
#define TH_CORE_ITEM(type, k) ((type *)(void *)((char *)data[k] + i * step[k]))
#define TH_CORE_STRIDE(k, dim) stride[(k) * TH_CORE_RANK + (dim)]

typedef struct THCoreDim {
    const char *name;
    int64_t size; /* of a constant; -1 where inputs or the caller tell */
} THCoreDim;

typedef struct THCoreOperand {
    const char *name;
    uint8_t dtype; /* what the loop sees */
    uint8_t fixed; /* has this dtype whatever the others have */
    uint8_t rank;  /* core dims */
    uint8_t dim[TH_CORE_RANK];
} THCoreOperand;

typedef struct THCore {
    const char *name;
    uint8_t noutputs, ninputs, ndims;
    uint8_t contiguous; /* the loop wants contiguous arrays */
    THCoreDim dim[TH_CORE_DIMS];
    THCoreOperand operand[TH_MAX_OPERANDS]; /* outputs, then inputs */
    THCoreLoop loop[TH_ISA_COUNT];
    const char *(*message)(int code); /* what a code means; or NULL */
} THCore;

/* A call: what inputs say of its sizes. */
typedef struct THCoreWork {
    const THCore *core;
    int64_t size[TH_CORE_DIMS];
    THShape batch;
} THCoreWork;

/* Checks the inputs: ValueError where one has too few dims, another size of a named dim, or batch
 * dims that do not broadcast. Sizes that no input has are -1 after it, for the caller to set. */
TH_API int THCore_begin(THCoreWork *work, const THCore *core, THTensor *const *operands);
/* Shapes the outputs, runs the loop over all items. `dtype` is what the operation computes in; a
 * loop may do so in another one. RuntimeError when the function fails for an item, the first one is
 * named. */
TH_API int THCore_run(const THCoreWork *work, THDtype dtype, THTensor *const *operands,
                      const void *params);

#ifdef __cplusplus
}
#endif
#endif
