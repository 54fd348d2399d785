/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The iteration engine: runs an inner loop over tensors of any shapes, strides and dtypes.
 *
 * An inner loop knows only contiguous runs of elements of the dtypes its kernel names. The engine
 * brings every operand into that form: contiguous operands of the right dtype are passed as they
 * are, everything else (strided, broadcast, of another dtype) is staged block by block
 * through small buffers, transposed operands by tiles. So a loop is written once, and no promotion
 * or broadcast of an operand makes a full-size temporary.
 *
 * Planning (shapes, paths, threads, bytes) is separate from running, so that a plan can be looked
 * at. */
#ifndef TH_ENGINE_H
#define TH_ENGINE_H

#include <TH/THIsa.h>
#include <TH/THTensor.h>
#include <TH/THThreads.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TH_MAX_OPERANDS 8

/* n elements; data[0..noutputs) are written, the rest read; outputs may be inputs exactly, never
 * partly. `params` is the kernel's struct of scalars. */
typedef void (*THLoop)(int64_t n, void *const *data, const void *params);
#define TH_LOOP_DECLARE(name) void name(int64_t n, void *const *data, const void *params)

/* What a loop that takes rows reads of them, for one; and an operand's next row. */
static const int64_t TH_ONE_ROW[1 + TH_MAX_OPERANDS] __attribute__((unused)) = {1};
#define TH_ROW_AFTER(data, step) ((void *)((uintptr_t)(data) + (uintptr_t)(step)))

typedef struct THKernel {
    const char *name;
    uint8_t noutputs, ninputs;
    uint8_t flags;
    uint8_t cost;                   /* elementary steps an element takes, 1 for an addition */
    uint8_t dtype[TH_MAX_OPERANDS]; /* what the loop sees: outputs, then inputs */
    uint8_t single; /* bit per operand: the loop reads one element of the first that is single */
    uint8_t singleCost; /* `cost` then, for the numbers that are usual */
    /* Bytes of the params, and where in them a bool for each of `single` begins, in the order of
     * the operands: the engine may set them. 0: it may not. */
    uint8_t paramsSize, singleAt;
    THLoop loop[TH_ISA_COUNT];
} THKernel;

enum {
    /* Vector and scalar code of a math function may round differently. With this flag the loop only
     * ever gets whole vectors (64 bytes of its smallest dtype), the last of which may have elements
     * that are done or padding, and results do not depend on position, layout or threads. */
    TH_KERNEL_WHOLE_VECTORS = 1,
    TH_KERNEL_COPIES = 2, /* does nothing but convert */
    /* The loop takes many rows at a time where n is negative: they have -n elements, and behind its
     * operands `data` has the number of rows, then bytes from row to row of each operand. */
    TH_KERNEL_ROWS = 4,
    /* The loop of TH_ISA_STRIDED takes many rows of one element, and so elements that lie strides
     * apart, in a loop of their own. */
    TH_KERNEL_STRIDED = 8,
    /* Where all operands of `single` are single, the loop reads one element of each. */
    TH_KERNEL_TOGETHER = 16,
    TH_KERNEL_UNREAD = 32,  /* the results are the same, whatever elements the inputs have */
    TH_KERNEL_DIVIDES = 64, /* what the widest registers gain most at: quotients, roots */
};
#define TH_PARAMS_MOST 64 /* bytes, of which the engine makes a copy */
#define TH_KERNEL_PARAMS(Params) (sizeof(Params) <= TH_PARAMS_MOST ? sizeof(Params) : 0)
/* In generic files; a dtype that is computed in another one (Half) has loops over whole blocks. */
#define TH_KERNEL_FLAGS(flags) \
    (TH_DTYPE == TH_COMPUTE ? (flags) : ((flags) & ~TH_KERNEL_ROWS) | TH_KERNEL_WHOLE_VECTORS)

typedef enum THPath {
    TH_PATH_EMPTY,      /* nothing to do */
    TH_PATH_CONTIGUOUS, /* one run over all operands */
    TH_PATH_STAGED,     /* blocks; some operands through buffers */
    TH_PATH_TILED,      /* blocks of tiles; some operand is transposed */
} THPath;

typedef struct THPlan {
    const THKernel *kernel;
    THPath path;
    int noperands;
    int nDimension;   /* after dropping and merging dims; innermost last */
    int threads;      /* ranges the work is split into at most */
    uint32_t staged;  /* bit per operand: goes through a buffer */
    uint32_t convert; /* bit per operand: its dtype is converted on the way */
    uint32_t tiled;   /* bit per operand: transposed by tiles */
    uint32_t single;  /* bit per operand: the loop reads one element, in `element` if converted */
    uint32_t column;  /* bit per operand: of these, what is one element for each row */
    uint32_t mixed;   /* bit per operand: converted row by row, or with `column` many at once */
    bool strided;     /* strided operands are read and written where they lie */
    int wide;         /* of wide tiles: dims that their rows run along; else 0 */
    int outer;        /* leading dims that are stepped through; blocks or tiles divide the rest */
    int64_t block;    /* elements of a block, or of a tile's row */
    int64_t rows;     /* rows of a tile; 1 where there are no tiles */
    int64_t height;   /* of wide tiles: rows of one that are run at a time */
    int64_t blocks;   /* blocks or tiles for each step of the outer dims */
    int64_t items;    /* blocks or tiles in all */
    int64_t elements;
    int64_t bytes; /* of the operands */
    int64_t size[TH_MAX_DIMS];
    int64_t stride[TH_MAX_OPERANDS][TH_MAX_DIMS]; /* bytes; 0 where broadcast */
    char *data[TH_MAX_OPERANDS];
    uint64_t element[TH_MAX_OPERANDS];
    uint8_t dtype[TH_MAX_OPERANDS];
    uint8_t via[TH_MAX_OPERANDS]; /* what inputs are rounded to on the way; else their own dtype */
} THPlan;

/* Operands: outputs (all of one shape), then inputs (broadcast to it). Fails only where shapes do
 * not fit. */
TH_API int THPlan_init(THPlan *plan, const THKernel *kernel, THTensor *const *operands);
/* Cannot fail; has a status as all that works. */
TH_API int THPlan_run(const THPlan *plan, const void *params);

/* Whether a tensor is a Python number, and one of these. */
static inline bool THKernel_isAmong(const THTensor *tensor, const double *numbers, int n)
{
    if (!THTensor_isNumber(tensor))
        return false;
    const double number = THScalar_toDouble(THTensor_getAt(tensor, tensor->storageOffset));
    bool among = false;
    for (int i = 0; i < n; i++)
        among |= number == numbers[i];
    return among;
}

/* Both THPlan_init and THPlan_run, with a fast exit where there is little to do. */
TH_API int THKernel_run(const THKernel *kernel, THTensor *const *operands, const void *params);
/* For an operation in a dtype that the kernel computes in another one (Half in Float): the inputs
 * in `rounded`, a bit for each operand, are rounded to the operation's dtype first, on the way. */
TH_API int THKernel_runRounded(const THKernel *kernel, THDtype dtype, uint32_t rounded,
                               THTensor *const *operands, const void *params);

/* Converts n elements between dtypes and between byte strides (`THCast` is what staging and copying
 * use). */
TH_API void THCast(int64_t n, void *to, THDtype toDtype, int64_t toStride, const void *from,
                   THDtype fromDtype, int64_t fromStride);

/* The shape all of them broadcast to; ValueError "op: shapes (2, 3) and (4,) do not broadcast".
 * NULL operands are skipped. */
typedef struct THShape {
    int nDimension;
    int32_t run; /* its elements, where all operands with dims are contiguous and of this very
                    shape, a common case with nothing left to find out; else 0 */
    int64_t size[TH_MAX_DIMS];
} THShape;
TH_API int THShape_broadcast(const char *op, THShape *shape, THTensor *const *operands,
                             int noperands);

/* For wrappers. How operand dtypes combine, by PyTorch's rules: tensors with dims, then 0-d
 * tensors, then numbers; a group further right counts only where its category is higher. */
typedef enum THPromotion {
    TH_PROMOTE_NONE,       /* all the same, TypeError otherwise */
    TH_PROMOTE_ARITHMETIC, /* the promoted dtype */
    TH_PROMOTE_NUMBER,     /* bool becomes int64 */
    TH_PROMOTE_FLOAT,      /* integers and bool become the default dtype */
} THPromotion;
TH_API int THPromote(const char *op, THPromotion promotion, THTensor *const *operands,
                     int noperands, THDtype *dtype);
/* A scalar argument against the computing dtype: TypeError when it is of a higher category ("alpha"
 * 0.5 for integers). */
TH_API int THScalar_checkKind(const char *op, const char *argument, THScalar value, THDtype dtype);
static inline int THScalar_check(const char *op, const char *argument, THScalar value,
                                 THDtype dtype)
{
    return TH_LIKELY(THDtype_category(dtype) == TH_CATEGORY_FLOATING)
               ? TH_OK
               : THScalar_checkKind(op, argument, value, dtype);
}
/* ValueError when an integer dtype cannot hold the value; unsigned ones take negative numbers down
 * to minus their largest, as PyTorch's do. */
TH_API int THScalar_checkRange(const char *op, const char *argument, THScalar value, THDtype dtype);
TH_API int THError_dtype(const char *op, THDtype dtype); /* "op: not implemented for float16" */

/* Argument checks with op and argument named in the message. */
TH_API int THError_noTensor(const char *op, const char *argument);
static inline int THCheck_tensor(const char *op, const char *argument, const THTensor *tensor)
{
    return TH_LIKELY(tensor != NULL) ? TH_OK : THError_noTensor(op, argument);
}
TH_API int THCheck_dtype(const char *op, const char *argument, const THTensor *tensor,
                         THDtype dtype);
TH_API int THCheck_ndim(const char *op, const char *argument, const THTensor *tensor,
                        int nDimension);
/* IndexError unless -n <= *dim < n (n is 1 for 0-d tensors); a negative dim is wrapped. `extra` is
 * 1 for unsqueeze. */
TH_API int THCheck_dim(const char *op, const char *argument, const THTensor *tensor, int extra,
                       int64_t *dim);
/* Wraps a list of dims into a bit mask (dims are < 64); ValueError when one appears twice. */
TH_API int THCheck_dims(const char *op, const char *argument, const THTensor *tensor,
                        const int64_t *dims, int ndims, uint64_t *mask);

/* THTensor_resizeOutput to the shape of `like`; a result that has its shape from here also has the
 * order of like's dims in memory. */
int THTensor_resizeOutputAs(const char *op, THTensor *self, const THTensor *like);
/* The same with other sizes of like's dims. */
int THTensor_resizeOutputBy(const char *op, THTensor *self, const int64_t *size,
                            const THTensor *like);
/* THTensor_resizeOutput to `shape`; a result that has its shape from here lies in memory as the
 * first input of that shape does that is not expanded. */
int THTensor_resizeOutputTo(const char *op, THTensor *self, const THShape *shape,
                            THTensor *const *inputs, int ninputs);

/* Results of wrappers. `given` is the caller's out= tensor or NULL.
 *
 * THOutput_shaped is for pointwise kernels, which write through the engine: *result is a new tensor
 * of this dtype and shape, its dims in memory in the order of the first input that has this shape
 * and is not expanded, in the storage of an input that is TH_TENSOR_SPENT where this has the same
 * dtype, shape and strides; or `given` itself, resized, after checks: not overlapping itself,
 * `dtype` can be cast to its dtype, no partial overlap with an input. THOutput_plain is for
 * functions that want exactly `dtype` and resize their result themselves: *result is `given` itself
 * only when it has this dtype and shares no memory with an input, else a new empty tensor. Same
 * checks. THOutput_apart is the same for functions that may fail when they have begun to write: it
 * is never `given` itself. THOutput_fit, after the call, where there are several: resizes all that
 * were given, so that none is written before one is refused. THOutput_end, last in a wrapper: after
 * success gives the caller the result (*out was NULL) or copies it into *out where they differ;
 * after failure frees what is new. Returns the status. THOutput_check, where there are several:
 * none shares memory with another, now or when they are resized. */
TH_API int THOutput_check(const char *op, THTensor *const *given, int n);
TH_API int THOutput_shaped(const char *op, THTensor **result, THTensor *given, THDtype dtype,
                           const THShape *shape, THTensor *const *inputs, int ninputs);
TH_API int THOutput_plain(const char *op, THTensor **result, THTensor *given, THDtype dtype,
                          THTensor *const *inputs, int ninputs);
TH_API int THOutput_apart(const char *op, THTensor **result, THTensor *given, THDtype dtype,
                          THTensor *const *inputs, int ninputs);
TH_API int THOutput_fit(const char *op, THTensor *const *given, THTensor *const *results, int n);
TH_API int THOutput_end(const char *op, int status, THTensor **out, THTensor *result);

/* Checks `self` as the destination of an in-place operation: not overlapping itself, not partly
 * overlapping an input, result dtype can be cast to its own, and the result's shape (NULL: not
 * checked) is its own. */
TH_API int THInplace_check(const char *op, THTensor *self, THDtype dtype, const THShape *shape,
                           THTensor *const *inputs, int ninputs);
/* Last in an in-place wrapper: a `result` written aside must have self's shape, is copied into self
 * and freed; where result is self itself there is nothing to do. */
TH_API int THInplace_end(const char *op, int status, THTensor *self, THTensor *result);

/* `self` in another dtype: a new reference, to self itself when it has that dtype already. */
TH_API int THTensor_newCast(THTensor **out, THTensor *self, THDtype dtype);

/* The dims of `self` in their order in memory, outermost first. */
void THTensor_sortDims(const THTensor *self, int64_t order[TH_MAX_DIMS]);
/* Gives `self`, new and contiguous, strides in the order of `like`'s, which has its sizes: the same
 * strides where like has no gaps. Left alone where like is expanded. */
TH_API void THTensor_orderAs(THTensor *self, const THTensor *like);
/* The same by a step of memory for each dim. */
TH_API void THTensor_orderBy(THTensor *self, const int64_t *steps);
/* THTensor_orderAs of what a function has just made, if its status is TH_OK; returns that. */
static inline int THOutput_orderAs(int status, THTensor *const *result, const THTensor *like)
{
    if (status == TH_OK)
        THTensor_orderAs(*result, like);
    return status;
}

#ifdef __cplusplus
}
#endif
#endif
