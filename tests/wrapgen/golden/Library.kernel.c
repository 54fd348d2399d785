/* Written by wrapgen from Library.yaml; edit that one.
 *
 * With TH_ISA defined this is the inner loops, compiled once for each instruction set; without, the functions that run
 * them through the engine. */
#ifndef TH_GENERIC_FILE
#include <TH/TH.h>
#include <TH/THMath.h>
#include "libraries/libraries.h"
#define TH_GENERIC_FILE "kernels/Library.c"
#ifdef TH_ISA
#include <TH/THGenerateKernelTypes.h>
#else
#include <TH/THGenerateAllTypes.h>
#endif
#else

/* Written for every dtype: what compilers notice of one of them says nothing of the others. */
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wbool-operation"
#ifdef TH_HAVE_SOME_VECTORS
/* What is computed before a condition stays there: within it, they would be called for one element at a time. */
#pragma GCC optimize("no-tree-sink")
#endif
#ifdef TH_WIDENED
/* A condition that is the same for all elements becomes a selection: by a branch, blocks would leave the registers. */
#pragma GCC push_options
#pragma GCC optimize("no-unswitch-loops")
#endif

#pragma GCC diagnostic ignored "-Wunused-parameter"

#if defined(TH_CATEGORY_IS_FLOATING)

/* smooth(THTensor* self, long width) -> THTensor* result
 * Library.yaml:24: sums_smooth(self, width, SUMS_FAST) */
typedef struct THTensor_(smooth_Params) {
    int64_t width;
} THTensor_(smooth_Params);
#ifdef TH_ISA
#ifdef TH_WIDENED
TH_BLOCK_DECLARE(smooth);
void THWidened_(smooth)(int64_t n, void *const *data, const void *params)
{
    TH_WIDENED_BLOCK(result);
    TH_WIDENED_BLOCK(self);
    if (n == 0)
        return;
    const THTensor_(smooth_Params) known = *(const THTensor_(smooth_Params) *)params;
    for (int64_t i = 0; i < n; i += TH_WIDENED_LANES) {
        TH_WIDEN(self, data[1], i);
        void *block[] = {result, self};
        THBlock_(smooth)(TH_WIDENED_LANES, block, &known);
        TH_NARROW(data[0], result, i);
    }
}
#endif
void THLoop_(smooth)(int64_t n, void *const *data, const void *params)
{
    const int64_t width = ((const THTensor_(smooth_Params) *)params)->width;
    storage_t *result_data = data[0];
    const storage_t *self_data = data[1];
    const int64_t *const rows = n < 0 ? data[2] : TH_ONE_ROW;
    n = n < 0 ? -n : n;
    for (int64_t left = rows[0]; left > 0; left--,
        result_data = TH_ROW_AFTER(result_data, rows[1]),
        self_data = TH_ROW_AFTER(self_data, rows[2])) {
#pragma omp simd
        for (int64_t i = 0; i < n; i++) {
            const scalar_t self = TH_LOAD(self_data + i);
            TH_STORE(result_data + i, (scalar_t)sums_smooth(self, width, SUMS_FAST));
        }
    }
}
#else
TH_LOOPS_DECLARE(TH_LOOP_DECLARE, smooth, Real);
int THTensor_(smooth)(THTensor *result, THTensor *self, int64_t width)
{
    static const THKernel kernel = {
        .name = "smooth",
        .noutputs = 1,
        .ninputs = 1,
        .flags = TH_KERNEL_FLAGS(TH_KERNEL_ROWS),
        .cost = 64,
        .dtype = {TH_DTYPE, TH_DTYPE},
        .loop = TH_LOOPS(smooth, Real),
    };
    THTensor *const operands[] = {result, self};
    const THTensor_(smooth_Params) params = {width};
    return THKernel_run(&kernel, operands, &params);
}
#endif

/* solve(THTensor* a, THTensor* b) -> THTensor* result
 * Library.yaml:29: (n,n),(n)->(n) */
#if defined(TH_WIDENED)
/* Called for what it is computed in. */
#elif defined(TH_ISA)
static inline int THTensor_(solve_item)(const scalar_t *restrict a, const scalar_t *restrict b,
                            scalar_t *restrict result, int64_t n)
{
    int code;
    int64_t returned = 0;
    scalar_t *copy_of_a = THCall_array(n * n, sizeof *copy_of_a);
    int *work_0 = THCall_array(n, sizeof *work_0);
    code = TH_CORE_NO_MEMORY;
    if (copy_of_a == NULL || work_0 == NULL)
        goto done;
    memcpy(copy_of_a, a, (size_t)(n * n) * sizeof *a);
    memcpy(result, b, (size_t)(n) * sizeof *b);
    code = TH_CORE_TOO_LARGE;
    if (!(THCALL_FITS(int, n)))
        goto done;
    #if defined(TH_REAL_IS_FLOAT)
    returned = (int64_t)sums_solvef((int)(n), copy_of_a, work_0, result);
    #elif defined(TH_REAL_IS_DOUBLE)
    returned = (int64_t)sums_solve((int)(n), copy_of_a, work_0, result);
    #endif
    code = returned != 0 ? THCall_code(returned) : 0;
    done:
    THFree(copy_of_a);
    THFree(work_0);
    return code;
}
int64_t THLoop_(solve)(int64_t n, void *const *data, const int64_t *step, const int64_t *stride,
                 const int64_t *size, const void *params, int *code)
{
    (void)stride;
    (void)params;
    for (int64_t i = 0; i < n; i++) {
        scalar_t *const result_data = TH_CORE_ITEM(scalar_t, 0);
        const scalar_t *const a_data = TH_CORE_ITEM(const scalar_t, 1);
        const scalar_t *const b_data = TH_CORE_ITEM(const scalar_t, 2);
        *code = THTensor_(solve_item)(a_data, b_data, result_data, size[0]);
        if (*code != 0)
            return i;
    }
    return n;
}
#else
TH_LOOPS_DECLARE(TH_CORE_DECLARE, solve, TH_COMPUTE_REAL);
static const char *THTensor_(solve_message)(int status)
{
    (void)status;
    return "the matrix is singular";
}

int THTensor_(solve)(THTensor *result, THTensor *a, THTensor *b)
{
    static const THCore kernel = {
        .name = "solve",
        .noutputs = 1,
        .ninputs = 2,
        .ndims = 1,
        .contiguous = 1,
        .dim = {{"n", -1}},
        .operand = {
            {"result", TH_COMPUTE, 0, 1, {0}},
            {"a", TH_COMPUTE, 0, 2, {0, 0}},
            {"b", TH_COMPUTE, 0, 1, {0}},
        },
        .loop = TH_LOOPS(solve, TH_COMPUTE_REAL),
        .message = THTensor_(solve_message),
    };
    THTensor *const operands[] = {result, a, b};
    THCoreWork work;
    const int status = THCore_begin(&work, &kernel, operands);
    if (status != TH_OK)
        return status;
    return THCore_run(&work, TH_DTYPE, operands, NULL);
}
#endif

#endif

#if defined(TH_REAL_IS_DOUBLE)

/* modulus(THTensor* self) -> THTensor* whole, THTensor* rest
 * Library.yaml:50: ()->(),() */
#if defined(TH_WIDENED)
/* Called for what it is computed in. */
#elif defined(TH_ISA)
static inline int THTensor_(modulus_item)(const scalar_t *restrict self, scalar_t *restrict whole,
                            scalar_t *restrict rest)
{
    int code;
    sums_state state = {0};
    bool opened_state = false;
    sums_open(&state);
    opened_state = true;
    *whole = (scalar_t)sums_modulus(&state, *self, rest);
    code = 0;
    if (opened_state)
        sums_close(&state);
    return code;
}
int64_t THLoop_(modulus)(int64_t n, void *const *data, const int64_t *step, const int64_t *stride,
                 const int64_t *size, const void *params, int *code)
{
    (void)stride;
    (void)size;
    (void)params;
    for (int64_t i = 0; i < n; i++) {
        scalar_t *const whole_data = TH_CORE_ITEM(scalar_t, 0);
        scalar_t *const rest_data = TH_CORE_ITEM(scalar_t, 1);
        const scalar_t *const self_data = TH_CORE_ITEM(const scalar_t, 2);
        *code = THTensor_(modulus_item)(self_data, whole_data, rest_data);
        if (*code != 0)
            return i;
    }
    return n;
}
#else
TH_LOOPS_DECLARE(TH_CORE_DECLARE, modulus, TH_COMPUTE_REAL);
int THTensor_(modulus)(THTensor *whole, THTensor *rest, THTensor *self)
{
    static const THCore kernel = {
        .name = "modulus",
        .noutputs = 2,
        .ninputs = 1,
        .ndims = 0,
        .contiguous = 1,
        .dim = {{NULL, 0}},
        .operand = {
            {"whole", TH_COMPUTE, 0, 0, {0}},
            {"rest", TH_COMPUTE, 0, 0, {0}},
            {"self", TH_COMPUTE, 0, 0, {0}},
        },
        .loop = TH_LOOPS(modulus, TH_COMPUTE_REAL),
    };
    THTensor *const operands[] = {whole, rest, self};
    THCoreWork work;
    const int status = THCore_begin(&work, &kernel, operands);
    if (status != TH_OK)
        return status;
    return THCore_run(&work, TH_DTYPE, operands, NULL);
}
#endif

#endif

#ifdef TH_WIDENED
#pragma GCC pop_options
#endif
#endif
