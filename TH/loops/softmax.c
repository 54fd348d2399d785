/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Softmax of a contiguous line: maximum, exponentials and their sum, quotient. The sum has fixed
 * lanes and is kept in double, so that results are the same for every instruction set. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/loops/exp.h>
#include <TH/loops/softmax.h>
#include <math.h>

#define LANES 16

#define TH_GENERIC_FILE "TH/loops/softmax.c"
#include <TH/THGenerateLoopTypes.h>

#elif defined(TH_CATEGORY_IS_FLOATING)

static scalar_t THLoop_(maximum)(int64_t n, const scalar_t *restrict x)
{
    scalar_t best = -INFINITY;
#pragma omp simd reduction(max : best)
    for (int64_t i = 0; i < n; i++)
        best = x[i] > best ? x[i] : best;
    return best;
}

/* The sum of exp(x - maximum); the terms are kept unless `terms` is NULL. */
static inline __attribute__((always_inline)) accreal THLoop_(sumExp)(int64_t n,
                                                                     const scalar_t *restrict x,
                                                                     scalar_t maximum,
                                                                     scalar_t *restrict terms)
{
    accreal lane[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
#pragma omp simd
        for (int j = 0; j < LANES; j++) {
            const scalar_t term = TH_MATH(expNegative)(x[i + j] - maximum);
            if (terms)
                terms[i + j] = term;
            lane[j] += term;
        }
    }
    for (int j = 0; i < n; i++, j++) {
        const scalar_t term = TH_MATH(expNegative)(x[i] - maximum);
        if (terms)
            terms[i] = term;
        lane[j] += term;
    }
    for (int half = LANES / 2; half; half /= 2)
        for (int j = 0; j < half; j++)
            lane[j] += lane[j + half];
    return lane[0];
}

TH_SOFTMAX_DECLARE(THLoop_(softmax));
TH_SOFTMAX_DECLARE(THLoop_(softmax))
{
    scalar_t *restrict r = result;
    const scalar_t sum = (scalar_t)THLoop_(sumExp)(n, x, THLoop_(maximum)(n, x), r);
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        r[i] /= sum;
}

TH_SOFTMAX_DECLARE(THLoop_(logSoftmax));
TH_SOFTMAX_DECLARE(THLoop_(logSoftmax))
{
    scalar_t *restrict r = result;
    const scalar_t *restrict from = x;
    const scalar_t maximum = THLoop_(maximum)(n, x);
    const scalar_t logarithm = (scalar_t)log(THLoop_(sumExp)(n, x, maximum, NULL));
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        r[i] = from[i] - maximum - logarithm;
}

#endif
