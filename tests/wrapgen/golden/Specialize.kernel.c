/* Written by wrapgen from Specialize.yaml; edit that one.
 *
 * With TH_ISA defined this is the inner loops, compiled once for each instruction set; without, the functions that run
 * them through the engine. */
#ifndef TH_GENERIC_FILE
#include <TH/TH.h>
#include <TH/THMath.h>
#define TH_GENERIC_FILE "kernels/Specialize.c"
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

#if defined(TH_CATEGORY_IS_INTEGRAL) || defined(TH_CATEGORY_IS_FLOATING)

/* raised(THTensor* self, THTensor* exponent) -> THTensor* result
 * Specialize.yaml:1: pow(self, exponent) */
typedef struct THTensor_(raised_Params) {
    bool exponent_single;
    bool number_exponent;
} THTensor_(raised_Params);
#ifdef TH_ISA
#ifdef TH_WIDENED
TH_BLOCK_DECLARE(raised);
void THWidened_(raised)(int64_t n, void *const *data, const void *params)
{
    TH_WIDENED_BLOCK(result);
    TH_WIDENED_BLOCK(self);
    TH_WIDENED_BLOCK(exponent);
    if (n == 0)
        return;
    const THTensor_(raised_Params) known = *(const THTensor_(raised_Params) *)params;
    if (known.exponent_single) {
        TH_WIDEN_ONE(exponent, data[2]);
        for (int64_t i = 0; i < n; i += TH_WIDENED_LANES) {
            TH_WIDEN(self, data[1], i);
            void *block[] = {result, self, exponent};
            THBlock_(raised)(TH_WIDENED_LANES, block, &known);
            TH_NARROW(data[0], result, i);
        }
        return;
    }
    for (int64_t i = 0; i < n; i += TH_WIDENED_LANES) {
        TH_WIDEN(self, data[1], i);
        TH_WIDEN(exponent, data[2], i);
        void *block[] = {result, self, exponent};
        THBlock_(raised)(TH_WIDENED_LANES, block, &known);
        TH_NARROW(data[0], result, i);
    }
}
#endif
void THLoop_(raised)(int64_t n, void *const *data, const void *params)
{
    const bool exponent_single = ((const THTensor_(raised_Params) *)params)->exponent_single;
    const bool number_exponent = ((const THTensor_(raised_Params) *)params)->number_exponent;
    storage_t *const result_data = data[0];
    const storage_t *const self_data = data[1];
    const storage_t *const exponent_data = data[2];
    if (exponent_single && n > 0) {
        const scalar_t exponent = TH_MATH(single)(TH_LOAD(exponent_data));
        if (number_exponent && exponent == (scalar_t)2.0) {
    #if TH_BYTES && !defined(TH_CATEGORY_IS_BOOL)
    #pragma omp simd
            for (int64_t i = 0; i < n / 2; i++) {
                THPair pair = 0;
    #pragma GCC unroll 2
                for (int bits = 0; bits < 16; bits += 8) {
                    const THPair self = TH_OF_PAIR(self_data, i, bits);
                    pair |= TH_TO_PAIR(self * self, bits);
                }
                ((THPair *)result_data)[i] = pair;
            }
            if (n % 2 != 0) {
                const int64_t i = n - 1;
                const scalar_t self = TH_LOAD(self_data + i);
                TH_STORE(result_data + i, self * self);
            }
    #else
    #pragma omp simd
            for (int64_t i = 0; i < n; i++) {
                const scalar_t self = TH_LOAD(self_data + i);
                TH_STORE(result_data + i, self * self);
            }
    #endif
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
    #else
        (void)number_exponent;
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
#if defined(TH_HAVE_VECTOR_FUNCTIONS) && defined(TH_CATEGORY_IS_FLOATING) && !defined(TH_WIDENED)
    TH_ARRAYS(pow)(n, result_data, self_data, exponent_data);
#else
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        const scalar_t self = TH_LOAD(self_data + i);
        const scalar_t exponent = TH_LOAD(exponent_data + i);
        TH_STORE(result_data + i, TH_MATH(pow)(self, exponent));
    }
#endif
}
#else
TH_LOOPS_DECLARE(TH_LOOP_DECLARE, raised, Real);
int THTensor_(raised)(THTensor *result, THTensor *self, THTensor *exponent)
{
    static const THKernel kernel = {
        .name = "raised",
        .noutputs = 1,
        .ninputs = 2,
        .flags = TH_KERNEL_FLAGS(TH_KERNEL_WHOLE_VECTORS | TH_KERNEL_DIVIDES),
        .cost = 16,
        .dtype = {TH_DTYPE, TH_DTYPE, TH_DTYPE},
        .single = 0x4,
        .singleCost = 1,
        .paramsSize = TH_KERNEL_PARAMS(THTensor_(raised_Params)),
        .singleAt = offsetof(THTensor_(raised_Params), exponent_single),
        .loop = TH_LOOPS(raised, Real),
    };
    static const THKernel plain = {
        .name = "raised",
        .noutputs = 1,
        .ninputs = 2,
        .flags = TH_KERNEL_FLAGS(TH_KERNEL_DIVIDES),
        .cost = 1,
        .dtype = {TH_DTYPE, TH_DTYPE, TH_DTYPE},
        .single = 0x4,
        .singleCost = 1,
        .paramsSize = TH_KERNEL_PARAMS(THTensor_(raised_Params)),
        .singleAt = offsetof(THTensor_(raised_Params), exponent_single),
        .loop = TH_LOOPS(raised, Real),
    };
    THTensor *const operands[] = {result, self, exponent};
    const THTensor_(raised_Params) params = {THTensor_isSingle(exponent),
        THTensor_isNumber(exponent)};
    static const double numbers[] = {2.0};
    const bool isPlain = THKernel_isAmong(exponent, numbers, 1);
    return THKernel_run(isPlain ? &plain : &kernel, operands, &params);
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
#ifdef TH_WIDENED
TH_BLOCK_DECLARE(divided);
void THWidened_(divided)(int64_t n, void *const *data, const void *params)
{
    TH_WIDENED_BLOCK(result);
    TH_WIDENED_BLOCK(self);
    TH_WIDENED_BLOCK(other);
    if (n == 0)
        return;
    const THTensor_(divided_Params) known = *(const THTensor_(divided_Params) *)params;
    if (known.other_single) {
        TH_WIDEN_ONE(other, data[2]);
        for (int64_t i = 0; i < n; i += TH_WIDENED_LANES) {
            TH_WIDEN(self, data[1], i);
            void *block[] = {result, self, other};
            THBlock_(divided)(TH_WIDENED_LANES, block, &known);
            TH_NARROW(data[0], result, i);
        }
        return;
    }
    for (int64_t i = 0; i < n; i += TH_WIDENED_LANES) {
        TH_WIDEN(self, data[1], i);
        TH_WIDEN(other, data[2], i);
        void *block[] = {result, self, other};
        THBlock_(divided)(TH_WIDENED_LANES, block, &known);
        TH_NARROW(data[0], result, i);
    }
}
#endif
void THLoop_(divided)(int64_t n, void *const *data, const void *params)
{
    const bool other_single = ((const THTensor_(divided_Params) *)params)->other_single;
    const bool number_other = ((const THTensor_(divided_Params) *)params)->number_other;
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
            TH_STORE(result_data + i * result_step, TH_MATH(trunc_divide)(self, other));
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
            if (number_other && other == (scalar_t)2.0) {
    #pragma omp simd
                for (int64_t i = 0; i < n; i++) {
                    const scalar_t self = TH_LOAD(self_data + i);
                    TH_STORE(result_data + i, TH_MATH(rshift)(self, 1));
                }
                continue;
            }
            if (other >= 1 && other <= 255) {
    #if defined(TH_HAVE_LONGS) && defined(TH_REAL_IS_LONG)
                THLongs_floor_divide_by(n, result_data, self_data, other);
    #else
    #pragma omp simd
                for (int64_t i = 0; i < n; i++) {
                    const scalar_t self = TH_LOAD(self_data + i);
                    TH_STORE(result_data + i, TH_MATH(floor_divide_by)(self, other));
                }
    #endif
                continue;
            }
            {
    #pragma omp simd
                for (int64_t i = 0; i < n; i++) {
                    const scalar_t self = TH_LOAD(self_data + i);
                    TH_STORE(result_data + i, TH_MATH(trunc_divide)(self, other));
                }
                continue;
            }
        }
#pragma omp simd
        for (int64_t i = 0; i < n; i++) {
            const scalar_t self = TH_LOAD(self_data + i);
            const scalar_t other = TH_LOAD(other_data + i);
            TH_STORE(result_data + i, TH_MATH(trunc_divide)(self, other));
        }
    }
}
#else
TH_LOOPS_DECLARE(TH_LOOP_DECLARE, divided, Real);
int THTensor_(divided)(THTensor *result, THTensor *self, THTensor *other)
{
    static const THKernel kernel = {
        .name = "divided",
        .noutputs = 1,
        .ninputs = 2,
        .flags = TH_KERNEL_FLAGS(TH_KERNEL_ROWS | TH_STRIDED * TH_KERNEL_STRIDED | TH_KERNEL_DIVIDES),
        .cost = 1,
        .dtype = {TH_DTYPE, TH_DTYPE, TH_DTYPE},
        .single = 0x4,
        .singleCost = 1,
        .paramsSize = TH_KERNEL_PARAMS(THTensor_(divided_Params)),
        .singleAt = offsetof(THTensor_(divided_Params), other_single),
        .loop = TH_LOOPS(divided, Real),
    };
    THTensor *const operands[] = {result, self, other};
    const THTensor_(divided_Params) params = {THTensor_isSingle(other),
        THTensor_isNumber(other)};
    return THKernel_run(&kernel, operands, &params);
}
#endif

#endif

#if defined(TH_CATEGORY_IS_FLOATING)

/* turned(THTensor* self, THTensor* other) -> THTensor* result
 * Specialize.yaml:16: copysign(self, other) */
#ifdef TH_ISA
#if !TH_AS_NARROW(TH_LITTLE_BITS)
#ifdef TH_WIDENED
TH_BLOCK_DECLARE(turned);
void THWidened_(turned)(int64_t n, void *const *data, const void *params)
{
    TH_STORED *const result = data[0];
    const TH_STORED *const self = data[1];
    const TH_STORED *const other = data[2];
    (void)params;
    #pragma omp simd
    for (int64_t i = 0; i < n; i++)
        result[i] = TH_OF_STORED(copysign)(self[i], other[i]);
}
#endif
void THLoop_(turned)(int64_t n, void *const *data, const void *params)
{
    (void)params;
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
            TH_STORE(result_data + i * result_step, TH_MATH(copysign)(self, other));
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
            TH_STORE(result_data + i, TH_MATH(copysign)(self, other));
        }
    }
}
#endif
#else
TH_LOOPS_DECLARE(TH_LOOP_DECLARE, turned, Real);
int THTensor_(turned)(THTensor *result, THTensor *self, THTensor *other)
{
    static const THKernel kernel = {
        .name = "turned",
        .noutputs = 1,
        .ninputs = 2,
        .flags = TH_KERNEL_FLAGS(TH_KERNEL_ROWS | TH_STRIDED * TH_KERNEL_STRIDED),
        .cost = 4,
        .dtype = {TH_DTYPE, TH_DTYPE, TH_DTYPE},
        .loop = TH_LIGHT_LOOPS(turned, Real, TH_LITTLE_BITS),
    };
    THTensor *const operands[] = {result, self, other};
    return THKernel_run(&kernel, operands, NULL);
}
#endif

#endif

#ifdef TH_WIDENED
#pragma GCC pop_options
#endif
#endif
