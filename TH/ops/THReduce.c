/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The chapter reduce, for every dtype. */
#include <TH/TH.h>
#include <TH/loops/softmax.h>
#include <TH/ops/THReduction.h>
#include <math.h>
#include <string.h>

#define MANY_RESULTS 32 /* are worth the call of a vectorised loop */

TH_ISA_DECLARE(TH_REDUCE_SCALE_DECLARE, th_scale);
static THReduceScale *const scale[TH_ISA_COUNT] = TH_ISA_TABLE(th_scale);

TH_ISA_DECLARE(TH_EXPS_DECLARE, th_logExps);
static THLogExps *const logExps[TH_ISA_COUNT] = TH_ISA_TABLE(th_logExps);

TH_ISA_DECLARE(TH_REDUCE_RAISE_DECLARE, th_raise);
static THReduceRaise *const raise[TH_ISA_COUNT] = TH_ISA_TABLE(th_raise);

static void divideAndRoot(int64_t n, double *acc, double divisor, bool narrow, bool rooted)
{
    if (n >= MANY_RESULTS)
        scale[THIsa_for(n)](n, acc, divisor, narrow, rooted);
    else
        THReduce_scale(n, acc, divisor, rooted);
}

/* Accumulators have room for TH_REDUCE_PADDED(n). */
static void raiseTo(int64_t n, double *acc, double power)
{
    if (power == 2) {
        for (int64_t i = 0; i < n; i++)
            acc[i] *= acc[i];
        return;
    }
    for (int64_t i = n; i < TH_REDUCE_PADDED(n); i++)
        acc[i] = 1;
    raise[THIsa_current](TH_REDUCE_PADDED(n), acc, power);
}

/* Counts as they are. */
static void finishCount(const THReduction *reduction, int64_t n, int64_t reduced,
                        void *accumulators, const THReduceTarget *target)
{
    const int64_t *acc = accumulators;
    const int64_t stride = target->stride[0];
    char *to = target->data[0];
    (void)reduction, (void)reduced;
    if (stride == (int64_t)sizeof *acc)
        memcpy(to, acc, (size_t)n * sizeof *acc);
    else
        for (int64_t i = 0; i < n; i++)
            *(int64_t *)(to + i * stride) = acc[i];
}

/* Did any of the elements count, or (`argument` is -1) all of them? */
static void finishLogical(const THReduction *reduction, int64_t n, int64_t reduced,
                          void *accumulators, const THReduceTarget *target)
{
    int64_t *acc = accumulators;
    const int64_t least = reduction->argument < 0 ? reduced : 1;
    if (n < MANY_RESULTS) {
        for (int64_t i = 0; i < n; i++)
            *(uint8_t *)(target->data[0] + i * target->stride[0]) = acc[i] >= least;
        return;
    }
    if (least > 1 && least <= UINT8_MAX) { /* no count is larger */
        uint8_t *to = (uint8_t *)target->data[0];
        const int64_t stride = target->stride[0];
        THCast(n, to, TH_BYTE, stride, acc, TH_LONG, (int64_t)sizeof *acc);
        for (int64_t i = 0; i < n && stride == 1; i++)
            to[i] = to[i] == (uint8_t)least;
        for (int64_t i = 0; i < n && stride != 1; i++)
            to[i * stride] = to[i * stride] == (uint8_t)least;
        return;
    }
    for (int64_t i = 0; i < n && least != 1; i++) /* the sign takes no comparison of 64 bits */
        acc[i] = (int64_t)(~(uint64_t)(acc[i] - least) >> 63);
    THCast(n, target->data[0], TH_BOOL, target->stride[0], acc, TH_LONG, (int64_t)sizeof *acc);
}

/* A count decides whether any did with the first that did, whether all did with the first that did
 * not. */
static bool isLogicalDecided(const THReduction *reduction, int64_t n, int64_t seen,
                             const void *accumulators)
{
    const int64_t *acc = accumulators;
    bool decided = true;
    for (int64_t i = 0; i < n && decided; i++)
        decided = reduction->argument < 0 ? acc[i] < seen : acc[i] > 0;
    return decided;
}

/* Have all dims in the mask, at least one, size 1? */
static bool isOfSingles(const THTensor *self, uint64_t dim)
{
    bool single = self->nDimension > 0 && dim != 0;
    for (int d = 0; d < self->nDimension && single; d++)
        single = !(dim >> d & 1) || self->size[d] == 1;
    return single;
}

#define TH_GENERIC_FILE "TH/generic/reduce.h"
#include <TH/THGenerateAllTypes.h>

#define TH_GENERIC_FILE "TH/generic/reduce.c"
#include <TH/THGenerateAllTypes.h>

#define TH_GENERIC_FILE "TH/generic/extreme.c"
#include <TH/THGenerateAllTypes.h>
