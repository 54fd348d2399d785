/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of integers of each width and vectors; THLinear.h. */
#include <TH/THIsa.h>
#include <TH/ops/THLinear.h>

#define LINEAR(Real, name) TH_ISA_(TH_CONCAT_4(TH, Real, Linear_, name))

/* Products of `type`, summed in sum_t. Lines of few terms are not worth vectors. */
#define LINEAR_INTS(Real, type, sum_t)                                                           \
    static inline sum_t LINEAR(Real, line)(int64_t n, const type *x, const type *y)              \
    {                                                                                            \
        sum_t sum = 0;                                                                           \
        _Pragma("omp simd reduction(+ : sum)") for (int64_t i = 0; i < n; i++) sum =             \
            (sum_t)(sum + (sum_t)x[i] * (sum_t)y[i]);                                            \
        return sum;                                                                              \
    }                                                                                            \
    static void LINEAR(Real, dot)(int64_t n, const void *x, const void *y, void *sum)            \
    {                                                                                            \
        *(int64_t *)sum = LINEAR(Real, line)(n, x, y);                                           \
    }                                                                                            \
    static void LINEAR(Real, dotStrided)(int64_t n, const void *xs, int64_t xStride,             \
                                         const void *ys, int64_t yStride, void *result)          \
    {                                                                                            \
        const type *x = xs, *y = ys;                                                             \
        sum_t sum = 0;                                                                           \
        for (int64_t i = 0; i < n; i++, x += xStride, y += yStride)                              \
            sum = (sum_t)(sum + (sum_t) * x * (sum_t) * y);                                      \
        *(int64_t *)result = sum;                                                                \
    }                                                                                            \
    static void LINEAR(Real, columns)(int64_t rows, int64_t n, const void *data, int64_t stride, \
                                      const void *xs, void *result)                              \
    {                                                                                            \
        const type *a = data, *x = xs;                                                           \
        sum_t *restrict sums = result;                                                           \
        for (int64_t j = 0; j < n; j++)                                                          \
            sums[j] = 0;                                                                         \
        int64_t i = 0;                                                                           \
        for (; i + 4 <= rows; i += 4, a += 4 * stride, x += 4) {                                 \
            for (int64_t j = 0; j < n; j++)                                                      \
                sums[j] = (sum_t)(sums[j] + (sum_t)x[0] * (sum_t)a[j] +                          \
                                  (sum_t)x[1] * (sum_t)a[stride + j] +                           \
                                  (sum_t)x[2] * (sum_t)a[2 * stride + j] +                       \
                                  (sum_t)x[3] * (sum_t)a[3 * stride + j]);                       \
        }                                                                                        \
        for (; i < rows; i++, a += stride, x++) {                                                \
            for (int64_t j = 0; j < n; j++)                                                      \
                sums[j] = (sum_t)(sums[j] + (sum_t) * x * (sum_t)a[j]);                          \
        }                                                                                        \
    }                                                                                            \
    static void LINEAR(Real, rows)(int64_t rows, int64_t k, const void *data, int64_t stride,    \
                                   const void *x, void *result)                                  \
    {                                                                                            \
        const type *a = data;                                                                    \
        sum_t *sums = result;                                                                    \
        if (k == 1 && stride == 1) {                                                             \
            LINEAR(Real, columns)(1, rows, data, 0, x, result);                                  \
            return;                                                                              \
        }                                                                                        \
        for (int64_t i = 0; i < rows; i++, a += stride) {                                        \
            if (k >= LINEAR_LONG) {                                                              \
                sums[i] = LINEAR(Real, line)(k, a, x);                                           \
                continue;                                                                        \
            }                                                                                    \
            sum_t sum = 0;                                                                       \
            for (int64_t j = 0; j < k; j++)                                                      \
                sum = (sum_t)(sum + (sum_t)a[j] * (sum_t)((const type *)x)[j]);                  \
            sums[i] = sum;                                                                       \
        }                                                                                        \
    }                                                                                            \
    const THLinearLoops LINEAR(Real,                                                             \
                               loops)[1] = {{NULL, LINEAR(Real, dot), LINEAR(Real, dotStrided),  \
                                             LINEAR(Real, rows), LINEAR(Real, columns)}};

#define LINEAR_LONG 32

LINEAR_INTS(Byte, int8_t, int16_t)
LINEAR_INTS(Short, int16_t, int16_t)
LINEAR_INTS(Int, int32_t, int32_t)
LINEAR_INTS(Long, int64_t, int64_t)
