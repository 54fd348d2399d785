/* Written by wrapgen from Core.yaml; edit that one.
 *
 * With TH_ISA defined this is the inner loops, compiled once for each instruction set; without, the functions that run
 * them through the engine. */
#ifndef TH_GENERIC_FILE
#include <TH/TH.h>
#include <TH/THMath.h>
#include <tgmath.h>
#include "units/functions.h"
#define TH_GENERIC_FILE "kernels/Core.c"
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

/* moving_sum(THTensor* self, long width) -> THTensor* result
 * Core.yaml:1: (n)->(k) */
typedef struct THTensor_(moving_sum_Params) {
    int64_t width;
} THTensor_(moving_sum_Params);
#if defined(TH_WIDENED)
/* Called for what it is computed in. */
#elif defined(TH_ISA)
static inline int THTensor_(moving_sum_item)(const scalar_t *restrict self,
                            scalar_t *restrict result, int64_t n, int64_t k, int64_t width)
{
    for (int64_t i = 0; i < k; i++) {
        result[i] = 0;
        for (int64_t j = i; j < i + width; j++)
            result[i] += self[j];
    }
    return 0;
}
int64_t THLoop_(moving_sum)(int64_t n, void *const *data, const int64_t *step, const int64_t *stride,
                 const int64_t *size, const void *params, int *code)
{
    (void)stride;
    const THTensor_(moving_sum_Params) *const given = params;
    for (int64_t i = 0; i < n; i++) {
        scalar_t *const result_data = TH_CORE_ITEM(scalar_t, 0);
        const scalar_t *const self_data = TH_CORE_ITEM(const scalar_t, 1);
        *code = THTensor_(moving_sum_item)(self_data, result_data, size[0], size[1], given->width);
        if (*code != 0)
            return i;
    }
    return n;
}
#else
TH_LOOPS_DECLARE(TH_CORE_DECLARE, moving_sum, TH_COMPUTE_REAL);
int THTensor_(moving_sum)(THTensor *result, THTensor *self, int64_t width)
{
    static const THCore kernel = {
        .name = "moving_sum",
        .noutputs = 1,
        .ninputs = 1,
        .ndims = 2,
        .contiguous = 1,
        .dim = {{"n", -1}, {"k", -1}},
        .operand = {
            {"result", TH_COMPUTE, 0, 1, {1}},
            {"self", TH_COMPUTE, 0, 1, {0}},
        },
        .loop = TH_LOOPS(moving_sum, TH_COMPUTE_REAL),
    };
    THTensor *const operands[] = {result, self};
    THCoreWork work;
    const int status = THCore_begin(&work, &kernel, operands);
    if (status != TH_OK)
        return status;
    work.size[1] = work.size[0] - width + 1;
    const THTensor_(moving_sum_Params) params = {width};
    return THCore_run(&work, TH_DTYPE, operands, &params);
}
#endif

/* turn(THTensor* self, THTensor* axis, real angle) -> THTensor* turned, THIndexTensor* count
 * Core.yaml:14: (n,3),(3)->(n,3),() */
typedef struct THTensor_(turn_Params) {
    scalar_t angle;
} THTensor_(turn_Params);
#if defined(TH_WIDENED)
/* Called for what it is computed in. */
#elif defined(TH_ISA)
int64_t THLoop_(turn)(int64_t n, void *const *data, const int64_t *step, const int64_t *stride,
                 const int64_t *size, const void *params, int *code)
{
    const THTensor_(turn_Params) *const given = params;
    for (int64_t i = 0; i < n; i++) {
        scalar_t *const turned_data = TH_CORE_ITEM(scalar_t, 0);
        int64_t *const count_data = TH_CORE_ITEM(int64_t, 1);
        const scalar_t *const self_data = TH_CORE_ITEM(const scalar_t, 2);
        const scalar_t *const axis_data = TH_CORE_ITEM(const scalar_t, 3);
        #if defined(TH_REAL_IS_FLOAT)
        *code = turn_float(size[0], self_data, TH_CORE_STRIDE(2, 0), TH_CORE_STRIDE(2, 1),
                           axis_data, TH_CORE_STRIDE(3, 0), turned_data, TH_CORE_STRIDE(0, 0),
                           TH_CORE_STRIDE(0, 1), count_data, given->angle);
        if (*code != 0)
            return i;
        #elif defined(TH_REAL_IS_DOUBLE)
        *code = turn_double(size[0], self_data, TH_CORE_STRIDE(2, 0), TH_CORE_STRIDE(2, 1),
                            axis_data, TH_CORE_STRIDE(3, 0), turned_data, TH_CORE_STRIDE(0, 0),
                            TH_CORE_STRIDE(0, 1), count_data, given->angle);
        if (*code != 0)
            return i;
        #endif
    }
    return n;
}
#else
TH_LOOPS_DECLARE(TH_CORE_DECLARE, turn, TH_COMPUTE_REAL);
int THTensor_(turn)(THTensor *turned, THTensor *count, THTensor *self, THTensor *axis,
              scalar_t angle)
{
    static const THCore kernel = {
        .name = "turn",
        .noutputs = 2,
        .ninputs = 2,
        .ndims = 2,
        .contiguous = 0,
        .dim = {{"n", -1}, {"3", 3}},
        .operand = {
            {"turned", TH_COMPUTE, 0, 2, {0, 1}},
            {"count", TH_LONG, 1, 0, {0}},
            {"self", TH_COMPUTE, 0, 2, {0, 1}},
            {"axis", TH_COMPUTE, 0, 1, {1}},
        },
        .loop = TH_LOOPS(turn, TH_COMPUTE_REAL),
    };
    THTensor *const operands[] = {turned, count, self, axis};
    THCoreWork work;
    const int status = THCore_begin(&work, &kernel, operands);
    if (status != TH_OK)
        return status;
    const THTensor_(turn_Params) params = {angle};
    return THCore_run(&work, TH_DTYPE, operands, &params);
}
#endif

#endif

#ifdef TH_WIDENED
#pragma GCC pop_options
#endif
#endif
