/* Written by wrapgen from Specialize.yaml; edit that one.
 *
 * With TH_ISA defined this is the inner loops, compiled once for each instruction set; without, the functions that run
 * them through the engine. */
#ifndef TH_GENERIC_FILE
#include <TH/TH.h>
#include <TH/THMath.h>
#define TH_GENERIC_FILE "kernels/Specialize.c"
#ifdef TH_ISA
#include <TH/THGenerateLoopTypes.h>
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
#ifdef TH_HAVE_VECTOR_FUNCTIONS
/* What is computed before a condition stays there: within it, they would be called for one element at a time. */
#pragma GCC optimize("no-tree-sink")
#endif

#if defined(TH_CATEGORY_IS_INTEGRAL) || defined(TH_CATEGORY_IS_FLOATING)

/* raised(THTensor* self, THTensor* exponent) -> THTensor* result
 * Specialize.yaml:1: pow(self, exponent) */
typedef struct THTensor_(raised_Params) {
    bool exponent_single;
    bool number_exponent;
} THTensor_(raised_Params);
#ifdef TH_ISA
void THLoop_(raised)(int64_t n, void *const *data, const void *params)
{
    const bool exponent_single = ((const THTensor_(raised_Params) *)params)->exponent_single;
    const bool number_exponent = ((const THTensor_(raised_Params) *)params)->number_exponent;
    storage_t *const result_data = data[0];
    const storage_t *const self_data = data[1];
    const storage_t *const exponent_data = data[2];
    if (exponent_single && n > 0) {
        const scalar_t exponent = TH_LOAD(exponent_data);
        if (number_exponent && exponent == (scalar_t)2.0) {
    #pragma omp simd
            for (int64_t i = 0; i < n; i++) {
                const scalar_t self = TH_LOAD(self_data + i);
                TH_STORE(result_data + i, self * self);
            }
            return;
        }
    #if defined(TH_CATEGORY_IS_FLOATING)
        if (number_exponent && exponent == (scalar_t)0.5) {
    #pragma omp simd
            for (int64_t i = 0; i < n; i++) {
                const scalar_t self = TH_LOAD(self_data + i);
                TH_STORE(result_data + i, TH_MATH(sqrt)(self));
            }
            return;
        }
    #endif
        {
    #pragma omp simd
            for (int64_t i = 0; i < n; i++) {
                const scalar_t self = TH_LOAD(self_data + i);
                TH_STORE(result_data + i, TH_MATH(pow)(self, exponent));
            }
            return;
        }
    }
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        const scalar_t self = TH_LOAD(self_data + i);
        const scalar_t exponent = TH_LOAD(exponent_data + i);
        TH_STORE(result_data + i, TH_MATH(pow)(self, exponent));
    }
}
#else
TH_LOOPS_DECLARE(TH_LOOP_DECLARE, raised, TH_COMPUTE_REAL);
int THTensor_(raised)(THTensor *result, THTensor *self, THTensor *exponent)
{
    static const THKernel kernel = {
        .name = "raised",
        .noutputs = 1,
        .ninputs = 2,
        .flags = TH_KERNEL_WHOLE_VECTORS,
        .cost = 16,
        .dtype = {TH_COMPUTE, TH_COMPUTE, TH_COMPUTE},
        .single = 0x4,
        .singleCost = 1,
        .loop = TH_LOOPS(raised, TH_COMPUTE_REAL),
    };
    THTensor *const operands[] = {result, self, exponent};
    const THTensor_(raised_Params) params = {THTensor_isSingle(exponent), THTensor_isNumber(exponent)};
    return TH_KERNEL_RUN(&kernel, 0x6, operands, &params);
}
#endif

#endif

#if defined(TH_CATEGORY_IS_INTEGRAL)

/* divided(THTensor* self, THTensor* other) -> THTensor* result
 * Specialize.yaml:8: self / other */
typedef struct THTensor_(divided_Params) {
    bool other_single;
    bool number_other;
} THTensor_(divided_Params);
#ifdef TH_ISA
void THLoop_(divided)(int64_t n, void *const *data, const void *params)
{
    const bool other_single = ((const THTensor_(divided_Params) *)params)->other_single;
    const bool number_other = ((const THTensor_(divided_Params) *)params)->number_other;
    storage_t *const result_data = data[0];
    const storage_t *const self_data = data[1];
    const storage_t *const other_data = data[2];
    if (other_single && n > 0) {
        const scalar_t other = TH_LOAD(other_data);
        if (number_other && other == (scalar_t)2.0) {
    #pragma omp simd
            for (int64_t i = 0; i < n; i++) {
                const scalar_t self = TH_LOAD(self_data + i);
                TH_STORE(result_data + i, TH_MATH(rshift)(self, 1));
            }
            return;
        }
        {
    #pragma omp simd
            for (int64_t i = 0; i < n; i++) {
                const scalar_t self = TH_LOAD(self_data + i);
                TH_STORE(result_data + i, TH_MATH(trunc_divide)(self, other));
            }
            return;
        }
    }
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        const scalar_t self = TH_LOAD(self_data + i);
        const scalar_t other = TH_LOAD(other_data + i);
        TH_STORE(result_data + i, TH_MATH(trunc_divide)(self, other));
    }
}
#else
TH_LOOPS_DECLARE(TH_LOOP_DECLARE, divided, TH_COMPUTE_REAL);
int THTensor_(divided)(THTensor *result, THTensor *self, THTensor *other)
{
    static const THKernel kernel = {
        .name = "divided",
        .noutputs = 1,
        .ninputs = 2,
        .flags = 0,
        .cost = 1,
        .dtype = {TH_COMPUTE, TH_COMPUTE, TH_COMPUTE},
        .single = 0x4,
        .singleCost = 1,
        .loop = TH_LOOPS(divided, TH_COMPUTE_REAL),
    };
    THTensor *const operands[] = {result, self, other};
    const THTensor_(divided_Params) params = {THTensor_isSingle(other), THTensor_isNumber(other)};
    return TH_KERNEL_RUN(&kernel, 0x6, operands, &params);
}
#endif

#endif

#endif
