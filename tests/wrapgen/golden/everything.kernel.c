/* Written by wrapgen from everything.yaml; edit that one.
 *
 * With TH_ISA defined this is the inner loops, compiled once for each instruction set; without, the functions that run
 * them through the engine. */
#ifndef TH_GENERIC_FILE
#include <TH/TH.h>
#include <TH/THMath.h>
#include "libraries/libraries.h"
#include <tgmath.h>
#define TH_GENERIC_FILE "kernels/everything.c"
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

/* forms_kernel(THTensor* self, THTensor* other) -> THTensor* result
 * everything.yaml:38: self + other */
typedef struct THTensor_(forms_kernel_Params) {
    bool other_single;
    bool number_other;
} THTensor_(forms_kernel_Params);
#ifdef TH_ISA
#if !TH_AS_NARROW(TH_LITTLE)
#ifdef TH_WIDENED
TH_BLOCK_DECLARE(forms_kernel);
void THWidened_(forms_kernel)(int64_t n, void *const *data, const void *params)
{
    TH_WIDENED_BLOCK(result);
    TH_WIDENED_BLOCK(self);
    TH_WIDENED_BLOCK(other);
    if (n == 0)
        return;
    const THTensor_(forms_kernel_Params) known = *(const THTensor_(forms_kernel_Params) *)params;
    if (known.other_single) {
        TH_WIDEN_ONE(other, data[2]);
        for (int64_t i = 0; i < n; i += TH_WIDENED_LANES) {
            TH_WIDEN(self, data[1], i);
            void *block[] = {result, self, other};
            THBlock_(forms_kernel)(TH_WIDENED_LANES, block, &known);
            TH_NARROW(data[0], result, i);
        }
        return;
    }
    for (int64_t i = 0; i < n; i += TH_WIDENED_LANES) {
        TH_WIDEN(self, data[1], i);
        TH_WIDEN(other, data[2], i);
        void *block[] = {result, self, other};
        THBlock_(forms_kernel)(TH_WIDENED_LANES, block, &known);
        TH_NARROW(data[0], result, i);
    }
}
#endif
void THLoop_(forms_kernel)(int64_t n, void *const *data, const void *params)
{
    const bool other_single = ((const THTensor_(forms_kernel_Params) *)params)->other_single;
    const bool number_other = ((const THTensor_(forms_kernel_Params) *)params)->number_other;
    storage_t *result_data = data[0];
    const storage_t *self_data = data[1];
    const storage_t *other_data = data[2];
    #if TH_HAS_STRIDED(TH_STRIDED)
    if (n == -1) {
        const int64_t *const rows = data[3];
        const int64_t result_step = rows[1] / (int64_t)sizeof *result_data;
        const int64_t self_step = rows[2] / (int64_t)sizeof *self_data;
        const int64_t other_step = rows[3] / (int64_t)sizeof *other_data;
    #pragma omp simd
        for (int64_t i = 0; i < rows[0]; i++) {
            const scalar_t self = TH_LOAD(self_data + i * self_step);
            const scalar_t other = TH_LOAD(other_data + i * other_step);
            TH_STORE(result_data + i * result_step, self + other);
        }
        return;
    }
    #endif
    const int64_t *const rows = n < 0 ? data[3] : TH_ONE_ROW;
    n = n < 0 ? -n : n;
    for (int64_t left = rows[0]; left > 0; left--,
        result_data = TH_ROW_AFTER(result_data, rows[1]),
        self_data = TH_ROW_AFTER(self_data, rows[2]),
        other_data = TH_ROW_AFTER(other_data, rows[3])) {
        if (other_single && n > 0) {
            const scalar_t other = TH_MATH(single)(TH_LOAD(other_data));
            if (number_other && other == (scalar_t)0.0) {
    #pragma omp simd
                for (int64_t i = 0; i < n; i++) {
                    const scalar_t self = TH_LOAD(self_data + i);
                    TH_STORE(result_data + i, self);
                }
                continue;
            }
            {
    #pragma omp simd
                for (int64_t i = 0; i < n; i++) {
                    const scalar_t self = TH_LOAD(self_data + i);
                    TH_STORE(result_data + i, self + other);
                }
                continue;
            }
        }
#pragma omp simd
        for (int64_t i = 0; i < n; i++) {
            const scalar_t self = TH_LOAD(self_data + i);
            const scalar_t other = TH_LOAD(other_data + i);
            TH_STORE(result_data + i, self + other);
        }
    }
}
#endif
#else
TH_LOOPS_DECLARE(TH_LOOP_DECLARE, forms_kernel, Real);
int THTensor_(forms_kernel)(THTensor *result, THTensor *self, THTensor *other)
{
    static const THKernel kernel = {
        .name = "forms",
        .noutputs = 1,
        .ninputs = 2,
        .flags = TH_KERNEL_FLAGS(TH_KERNEL_ROWS | TH_STRIDED * TH_KERNEL_STRIDED),
        .cost = 1,
        .dtype = {TH_DTYPE, TH_DTYPE, TH_DTYPE},
        .single = 0x4,
        .singleCost = 1,
        .paramsSize = TH_KERNEL_PARAMS(THTensor_(forms_kernel_Params)),
        .singleAt = offsetof(THTensor_(forms_kernel_Params), other_single),
        .loop = TH_LIGHT_LOOPS(forms_kernel, Real, TH_LITTLE),
    };
    THTensor *const operands[] = {result, self, other};
    const THTensor_(forms_kernel_Params) params = {THTensor_isSingle(other),
        THTensor_isNumber(other)};
    return THKernel_run(&kernel, operands, &params);
}
#endif

/* windows(THTensor* self) -> THTensor* result
 * everything.yaml:48: (n)->(k) */
#if defined(TH_WIDENED)
/* Called for what it is computed in. */
#elif defined(TH_ISA)
static inline int THTensor_(windows_item)(const scalar_t *restrict self, scalar_t *restrict result,
                            int64_t n, int64_t k)
{
    for (int64_t i = 0; i < k; i++)
        result[i] = self[2 * i];
    return 0;
}
int64_t THLoop_(windows)(int64_t n, void *const *data, const int64_t *step, const int64_t *stride,
                 const int64_t *size, const void *params, int *code)
{
    (void)stride;
    (void)params;
    for (int64_t i = 0; i < n; i++) {
        scalar_t *const result_data = TH_CORE_ITEM(scalar_t, 0);
        const scalar_t *const self_data = TH_CORE_ITEM(const scalar_t, 1);
        *code = THTensor_(windows_item)(self_data, result_data, size[0], size[1]);
        if (*code != 0)
            return i;
    }
    return n;
}
#else
TH_LOOPS_DECLARE(TH_CORE_DECLARE, windows, TH_COMPUTE_REAL);
int THTensor_(windows)(THTensor *result, THTensor *self)
{
    static const THCore kernel = {
        .name = "windows",
        .noutputs = 1,
        .ninputs = 1,
        .ndims = 2,
        .contiguous = 1,
        .dim = {{"n", -1}, {"k", -1}},
        .operand = {
            {"result", TH_COMPUTE, 0, 1, {1}},
            {"self", TH_COMPUTE, 0, 1, {0}},
        },
        .loop = TH_LOOPS(windows, TH_COMPUTE_REAL),
    };
    THTensor *const operands[] = {result, self};
    THCoreWork work;
    const int status = THCore_begin(&work, &kernel, operands);
    if (status != TH_OK)
        return status;
    work.size[1] = THLong_trunc_divide(work.size[0], 2);
    return THCore_run(&work, TH_DTYPE, operands, NULL);
}
#endif

#ifdef TH_WIDENED
#pragma GCC pop_options
#endif
#endif
