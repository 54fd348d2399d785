/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Softmax: maximum, exponentials and their sum, quotient. Sums are kept in double, in fixed lanes,
 * so that results are the same along and across lines and for every instruction set. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/loops/exp.h>
#include <TH/loops/softmax.h>
#include <math.h>

#define LANES TH_SOFTMAX_LANES

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

static void THLoop_(softmaxLine)(int64_t n, const void *x, void *result)
{
    scalar_t *restrict r = result;
    const scalar_t sum = (scalar_t)THLoop_(sumExp)(n, x, THLoop_(maximum)(n, x), r);
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        r[i] /= sum;
}

static void THLoop_(logSoftmaxLine)(int64_t n, const void *x, void *result)
{
    scalar_t *restrict r = result;
    const scalar_t *restrict from = x;
    const scalar_t maximum = THLoop_(maximum)(n, x);
    const scalar_t logarithm = (scalar_t)log(THLoop_(sumExp)(n, x, maximum, NULL));
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        r[i] = from[i] - maximum - logarithm;
}

static void THLoop_(maximumRow)(int64_t width, int64_t index, const void *x, void *maxima)
{
    const scalar_t *restrict from = x;
    scalar_t *restrict best = maxima;
#pragma omp simd
    for (int64_t c = 0; c < width; c++) {
        const scalar_t b = index ? best[c] : (scalar_t)-INFINITY;
        best[c] = from[c] > b ? from[c] : b;
    }
}

static void THLoop_(sumRow)(int64_t width, int64_t index, const void *x, const void *maxima,
                            double *lanes)
{
    const scalar_t *restrict from = x, *restrict maximum = maxima;
    double *restrict lane = lanes + index % LANES * width;
#pragma omp simd
    for (int64_t c = 0; c < width; c++)
        lane[c] = (index < LANES ? 0 : lane[c]) + TH_MATH(expNegative)(from[c] - maximum[c]);
}

static void THLoop_(foldLanes)(int64_t width, int64_t n, double *lanes)
{
    for (int half = LANES / 2; half; half /= 2)
        for (int64_t j = 0; j < half && j + half < n; j++)
            for (int64_t c = 0; c < width; c++)
                lanes[j * width + c] += lanes[(j + half) * width + c];
}

static void THLoop_(softmaxFold)(int64_t width, int64_t n, double *lanes, void *divisors)
{
    scalar_t *divisor = divisors;
    THLoop_(foldLanes)(width, n, lanes);
    for (int64_t c = 0; c < width; c++)
        divisor[c] = (scalar_t)lanes[c];
}

static void THLoop_(logSoftmaxFold)(int64_t width, int64_t n, double *lanes, void *divisors)
{
    scalar_t *logarithm = divisors;
    THLoop_(foldLanes)(width, n, lanes);
    for (int64_t c = 0; c < width; c++)
        logarithm[c] = (scalar_t)log(lanes[c]);
}

static void THLoop_(softmaxRow)(int64_t width, const void *x, const void *maxima,
                                const void *divisors, void *result)
{
    const scalar_t *restrict from = x, *restrict maximum = maxima, *restrict divisor = divisors;
    scalar_t *restrict r = result;
#pragma omp simd
    for (int64_t c = 0; c < width; c++)
        r[c] = TH_MATH(expNegative)(from[c] - maximum[c]) / divisor[c];
}

static void THLoop_(logSoftmaxRow)(int64_t width, const void *x, const void *maxima,
                                   const void *divisors, void *result)
{
    const scalar_t *restrict from = x, *restrict maximum = maxima, *restrict logarithm = divisors;
    scalar_t *restrict r = result;
#pragma omp simd
    for (int64_t c = 0; c < width; c++)
        r[c] = from[c] - maximum[c] - logarithm[c];
}

TH_SOFTMAX_DECLARE(THLoop_(softmax));
const THSoftmaxLoops THLoop_(softmax)[1] = {{THLoop_(softmaxLine), THLoop_(maximumRow),
                                             THLoop_(sumRow), THLoop_(softmaxRow),
                                             THLoop_(softmaxFold)}};
TH_SOFTMAX_DECLARE(THLoop_(logSoftmax));
const THSoftmaxLoops THLoop_(logSoftmax)[1] = {{THLoop_(logSoftmaxLine), THLoop_(maximumRow),
                                                THLoop_(sumRow), THLoop_(logSoftmaxRow),
                                                THLoop_(logSoftmaxFold)}};

#endif
