/* Written by wrapgen from Kernel.yaml; edit that one.
 *
 * With TH_ISA defined this is the inner loops, compiled once for each instruction set; without, the functions that run
 * them through the engine. */
#ifndef TH_GENERIC_FILE
#include <TH/TH.h>
#include <TH/THMath.h>
#define TH_GENERIC_FILE "kernels/Kernel.c"
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

#if defined(TH_CATEGORY_IS_FLOATING)

/* prelu(THTensor* self, THTensor* weight) -> THTensor* result
 * Kernel.yaml:1: self > 0 ? self : weight * self */
#ifdef TH_ISA
#ifdef TH_WIDENED
TH_BLOCK_DECLARE(prelu);
void THWidened_(prelu)(int64_t n, void *const *data, const void *params)
{
    TH_WIDENED_BLOCK(result);
    TH_WIDENED_BLOCK(self);
    TH_WIDENED_BLOCK(weight);
    for (int64_t i = 0; i < n; i += TH_WIDENED_LANES) {
        TH_WIDEN(self, data[1], i);
        TH_WIDEN(weight, data[2], i);
        void *block[] = {result, self, weight};
        THBlock_(prelu)(TH_WIDENED_LANES, block, params);
        TH_NARROW(data[0], result, i);
    }
}
#endif
void THLoop_(prelu)(int64_t n, void *const *data, const void *params)
{
    (void)params;
    storage_t *result_data = data[0];
    const storage_t *self_data = data[1];
    const storage_t *weight_data = data[2];
    #if TH_HAS_STRIDED(TH_STRIDED)
    if (n == -1) {
        const int64_t *const rows = data[3];
        const int64_t result_step = rows[1] / (int64_t)sizeof *result_data;
        const int64_t self_step = rows[2] / (int64_t)sizeof *self_data;
        const int64_t weight_step = rows[3] / (int64_t)sizeof *weight_data;
    #pragma omp simd
        for (int64_t i = 0; i < rows[0]; i++) {
            const scalar_t self = TH_LOAD(self_data + i * self_step);
            const scalar_t weight = TH_LOAD(weight_data + i * weight_step);
            TH_STORE(result_data + i * result_step, self > 0 ? self : weight * self);
        }
        return;
    }
    #endif
    const int64_t *const rows = n < 0 ? data[3] : TH_ONE_ROW;
    n = n < 0 ? -n : n;
    for (int64_t left = rows[0]; left > 0; left--,
        result_data = TH_ROW_AFTER(result_data, rows[1]),
        self_data = TH_ROW_AFTER(self_data, rows[2]),
        weight_data = TH_ROW_AFTER(weight_data, rows[3])) {
#pragma omp simd
        for (int64_t i = 0; i < n; i++) {
            const scalar_t self = TH_LOAD(self_data + i);
            const scalar_t weight = TH_LOAD(weight_data + i);
            TH_STORE(result_data + i, self > 0 ? self : weight * self);
        }
    }
}
#else
TH_LOOPS_DECLARE(TH_LOOP_DECLARE, prelu, Real);
int THTensor_(prelu)(THTensor *result, THTensor *self, THTensor *weight)
{
    static const THKernel kernel = {
        .name = "prelu",
        .noutputs = 1,
        .ninputs = 2,
        .flags = TH_KERNEL_FLAGS(TH_KERNEL_ROWS | TH_STRIDED * TH_KERNEL_STRIDED),
        .cost = 3,
        .dtype = {TH_DTYPE, TH_DTYPE, TH_DTYPE},
        .loop = TH_LOOPS(prelu, Real),
    };
    THTensor *const operands[] = {result, self, weight};
    return THKernel_run(&kernel, operands, NULL);
}
#endif

#endif

/* asked(THTensor* self, THTensor* other) -> THTensor* result
 * Kernel.yaml:6: number_other ? self : self + other */
typedef struct THTensor_(asked_Params) {
    bool number_other;
} THTensor_(asked_Params);
#ifdef TH_ISA
#if TH_OWN_BITS && !TH_AS_NARROW(TH_LITTLE)
#ifdef TH_WIDENED
TH_BLOCK_DECLARE(asked);
void THWidened_(asked)(int64_t n, void *const *data, const void *params)
{
    TH_WIDENED_BLOCK(result);
    TH_WIDENED_BLOCK(self);
    TH_WIDENED_BLOCK(other);
    if (n == 0)
        return;
    const THTensor_(asked_Params) known = *(const THTensor_(asked_Params) *)params;
    for (int64_t i = 0; i < n; i += TH_WIDENED_LANES) {
        TH_WIDEN(self, data[1], i);
        TH_WIDEN(other, data[2], i);
        void *block[] = {result, self, other};
        THBlock_(asked)(TH_WIDENED_LANES, block, &known);
        TH_NARROW(data[0], result, i);
    }
}
#endif
void THLoop_(asked)(int64_t n, void *const *data, const void *params)
{
    const bool number_other = ((const THTensor_(asked_Params) *)params)->number_other;
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
            TH_STORE(result_data + i * result_step, number_other ? self : self + other);
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
#pragma omp simd
        for (int64_t i = 0; i < n; i++) {
            const scalar_t self = TH_LOAD(self_data + i);
            const scalar_t other = TH_LOAD(other_data + i);
            TH_STORE(result_data + i, number_other ? self : self + other);
        }
    }
}
#endif
#else
TH_LOOPS_DECLARE(TH_LOOP_DECLARE, asked, TH_BITS_REAL);
int THTensor_(asked)(THTensor *result, THTensor *self, THTensor *other)
{
    static const THKernel kernel = {
        .name = "asked",
        .noutputs = 1,
        .ninputs = 2,
        .flags = TH_KERNEL_FLAGS(TH_KERNEL_ROWS | TH_STRIDED * TH_KERNEL_STRIDED),
        .cost = 1,
        .dtype = {TH_DTYPE, TH_DTYPE, TH_DTYPE},
        .loop = TH_LIGHT_LOOPS(asked, TH_BITS_REAL, TH_LITTLE),
    };
    THTensor *const operands[] = {result, self, other};
    const THTensor_(asked_Params) params = {THTensor_isNumber(other)};
    return THKernel_run(&kernel, operands, &params);
}
#endif

#ifdef TH_WIDENED
#pragma GCC pop_options
#endif
#endif
