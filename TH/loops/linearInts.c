/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of integers of each width and vectors; THLinear.h. */
#include <TH/THIsa.h>
#include <TH/loops/registers.h>
#include <TH/ops/THLinear.h>

#define LINEAR(Real, name) TH_ISA_(TH_CONCAT_4(TH, Real, Linear_, name))

/* Products of `type`, summed in sum_t. Rows end in a vector that begins before the one in front of
 * it ends, times zeros where they overlap. Squares shorter than a vector are written out: loops
 * would take longer to begin than to run. */
#define LINEAR_INTS(Real, type, sum_t)                                                          \
    typedef sum_t LINEAR(Real, Sums) __attribute__((vector_size(LINEAR_BYTES)));                \
    typedef type LINEAR(Real, Factors) __attribute__((                                          \
        vector_size(LINEAR_LANES(sum_t) * sizeof(type)), aligned(sizeof(type)), may_alias));    \
    static inline sum_t LINEAR(Real, row)(int64_t k, const type *a, const type *x,              \
                                          const type *last)                                     \
    {                                                                                           \
        const int64_t end = k - LINEAR_LANES(sum_t);                                            \
        LINEAR(Real, Sums) sums = {0};                                                          \
        sum_t sum = 0;                                                                          \
        if (k % LINEAR_LANES(sum_t) != 0)                                                       \
            sums = LINEAR_TERMS(Real, a + end, last);                                           \
        for (int64_t j = 0; j <= end; j += LINEAR_LANES(sum_t))                                 \
            sums += LINEAR_TERMS(Real, a + j, x + j);                                           \
        for (int64_t j = 0; j < LINEAR_LANES(sum_t); j++)                                       \
            sum = (sum_t)(sum + sums[j]);                                                       \
        return sum;                                                                             \
    }                                                                                           \
    static void LINEAR(Real, dot)(int64_t n, const void *xs, const void *ys, void *result)      \
    {                                                                                           \
        const type *x = xs, *y = ys;                                                            \
        sum_t sum = 0;                                                                          \
        _Pragma("omp simd reduction(+ : sum)") for (int64_t i = 0; i < n; i++) sum =            \
            (sum_t)(sum + (sum_t)x[i] * (sum_t)y[i]);                                           \
        *(int64_t *)result = sum;                                                               \
    }                                                                                           \
    static void LINEAR(Real, dotStrided)(int64_t n, const void *xs, int64_t xStride,            \
                                         const void *ys, int64_t yStride, void *result)         \
    {                                                                                           \
        const type *x = xs, *y = ys;                                                            \
        sum_t sum = 0;                                                                          \
        for (int64_t i = 0; i < n; i++, x += xStride, y += yStride)                             \
            sum = (sum_t)(sum + (sum_t) * x * (sum_t) * y);                                     \
        *(int64_t *)result = sum;                                                               \
    }                                                                                           \
    static inline __attribute__((always_inline)) void LINEAR(Real, addRows)(                    \
        int rows, bool fresh, int64_t n, const type *a, int64_t stride, const type *x,          \
        int64_t step, sum_t *restrict sums)                                                     \
    {                                                                                           \
        _Pragma("GCC unroll 1") for (int64_t j = 0; j < n; j++)                                 \
        {                                                                                       \
            sum_t sum = fresh ? 0 : sums[j];                                                    \
            for (int i = 0; i < rows; i++)                                                      \
                sum = (sum_t)(sum + (sum_t)x[i * step] * (sum_t)a[i * stride + j]);             \
            sums[j] = sum;                                                                      \
        }                                                                                       \
    }                                                                                           \
    static __attribute__((noinline)) void LINEAR(Real, sumRows)(                                \
        int64_t rows, int64_t n, const type *a, int64_t stride, const type *x, int64_t step,    \
        sum_t *sums)                                                                            \
    {                                                                                           \
        int64_t i = rows >= 4 ? 4 : 1;                                                          \
        if (rows >= 4)                                                                          \
            LINEAR(Real, addRows)(4, true, n, a, stride, x, step, sums);                        \
        else                                                                                    \
            LINEAR(Real, addRows)(1, true, n, a, stride, x, step, sums);                        \
        for (; i + 4 <= rows; i += 4)                                                           \
            LINEAR(Real, addRows)                                                               \
        (4, false, n, a + i * stride, stride, x + i * step, step, sums);                        \
        for (; i < rows; i++)                                                                   \
            LINEAR(Real, addRows)                                                               \
        (1, false, n, a + i * stride, stride, x + i * step, step, sums);                        \
    }                                                                                           \
    static void LINEAR(Real, columns)(int64_t rows, int64_t n, const void *a, int64_t stride,   \
                                      const void *x, void *sums)                                \
    {                                                                                           \
        LINEAR(Real, sumRows)(rows, n, a, stride, x, 1, sums);                                  \
    }                                                                                           \
    static void LINEAR(Real, rows)(int64_t rows, int64_t k, const void *data, int64_t stride,   \
                                   const void *xs, void *result)                                \
    {                                                                                           \
        const type *a = data, *x = xs;                                                          \
        type last[LINEAR_LANES(sum_t)] = {0};                                                   \
        sum_t *sums = result;                                                                   \
        if (k == 1 && stride == 1) {                                                            \
            LINEAR(Real, columns)(1, rows, data, 0, x, result);                                 \
            return;                                                                             \
        }                                                                                       \
        for (int64_t j = k / LINEAR_LANES(sum_t) * LINEAR_LANES(sum_t); j < k; j++)             \
            last[LINEAR_LANES(sum_t) - k + j] = x[j];                                           \
        for (int64_t i = 0; i < rows; i++, a += stride) {                                       \
            if (k > LINEAR_LANES(sum_t)) {                                                      \
                sums[i] = LINEAR(Real, row)(k, a, x, last);                                     \
                continue;                                                                       \
            }                                                                                   \
            sum_t sum = 0;                                                                      \
            for (int64_t j = 0; j < k; j++)                                                     \
                sum = (sum_t)(sum + (sum_t)a[j] * (sum_t)x[j]);                                 \
            sums[i] = sum;                                                                      \
        }                                                                                       \
    }                                                                                           \
    static void LINEAR(Real, put)(const THGemm *gemm, int64_t n, const sum_t *restrict sums,    \
                                  type *to)                                                     \
    {                                                                                           \
        const sum_t alpha = *(const type *)gemm->alpha;                                         \
        const bool fresh = gemm->fresh;                                                         \
        const sum_t beta = fresh ? 0 : *(const type *)gemm->beta;                               \
        for (int64_t j = 0; j < n && fresh; j++)                                                \
            to[j] = (type)(alpha * sums[j]);                                                    \
        for (int64_t j = 0; j < n && !fresh; j++)                                               \
            to[j] = (type)(beta * to[j] + alpha * sums[j]);                                     \
    }                                                                                           \
    static inline __attribute__((always_inline)) void LINEAR(Real, squares)(                    \
        int side, const THGemm *gemm, int64_t count)                                            \
    {                                                                                           \
        const type *a = gemm->a, *b = gemm->b;                                                  \
        type *c = gemm->c;                                                                      \
        const sum_t alpha = *(const type *)gemm->alpha;                                         \
        const sum_t beta = gemm->fresh ? 0 : *(const type *)gemm->beta;                         \
        for (; count > 0; count--, a += gemm->aStep, b += gemm->bStep, c += gemm->cStep) {      \
            for (int64_t i = 0; i < gemm->m; i++) {                                             \
                for (int j = 0; j < side; j++) {                                                \
                    sum_t sum = 0;                                                              \
                    for (int k = 0; k < side; k++)                                              \
                        sum = (sum_t)(sum + (sum_t)a[i * gemm->aRow + k * gemm->aColumn] *      \
                                                (sum_t)b[k * gemm->bRow + j]);                  \
                    __asm__("" : "+r"(sum)); /* too few for vectors */                          \
                    type *to = c + i * gemm->cRow + j;                                          \
                    *to = (type)(gemm->fresh ? alpha * sum : beta * *to + alpha * sum);         \
                }                                                                               \
            }                                                                                   \
        }                                                                                       \
    }                                                                                           \
    static bool LINEAR(Real, fewTerms)(const THGemm *gemm, int64_t count)                       \
    {                                                                                           \
        const int64_t side = gemm->n == gemm->k ? gemm->n : 0;                                  \
        if (side == 2)                                                                          \
            LINEAR(Real, squares)(2, gemm, count);                                              \
        else if (side == 3)                                                                     \
            LINEAR(Real, squares)(3, gemm, count);                                              \
        else if (side == 4 && sizeof(sum_t) < 8)                                                \
            LINEAR(Real, squares)(4, gemm, count);                                              \
        else                                                                                    \
            return false;                                                                       \
        return true;                                                                            \
    }                                                                                           \
    static void LINEAR(Real, multiply)(const THGemm *gemm, int64_t count)                       \
    {                                                                                           \
        const type *a = gemm->a, *b = gemm->b;                                                  \
        type *c = gemm->c;                                                                      \
        if (LINEAR(Real, fewTerms)(gemm, count))                                                \
            return;                                                                             \
        const bool direct =                                                                     \
            sizeof(type) == sizeof(sum_t) && gemm->fresh && *(const type *)gemm->alpha == 1;    \
        sum_t few[LINEAR_COLUMNS];                                                              \
        for (; count > 0; count--, a += gemm->aStep, b += gemm->bStep, c += gemm->cStep) {      \
            for (int64_t i = 0; i < gemm->m; i++) {                                             \
                for (int64_t j = 0; j < gemm->n; j += LINEAR_COLUMNS) {                         \
                    const int64_t left = gemm->n - j;                                           \
                    const int64_t n = left < LINEAR_COLUMNS ? left : LINEAR_COLUMNS;            \
                    type *to = c + i * gemm->cRow + j;                                          \
                    sum_t *sums = direct ? (sum_t *)(void *)to : few;                           \
                    LINEAR(Real, sumRows)                                                       \
                    (gemm->k, n, b + j, gemm->bRow, a + i * gemm->aRow, gemm->aColumn, sums);   \
                    if (!direct)                                                                \
                        LINEAR(Real, put)(gemm, n, few, to);                                    \
                }                                                                               \
            }                                                                                   \
        }                                                                                       \
    }                                                                                           \
    const THLinearLoops LINEAR(Real, loops)[1] = {{LINEAR(Real, multiply), NULL, NULL, NULL,    \
                                                   LINEAR(Real, dot), LINEAR(Real, dotStrided), \
                                                   LINEAR(Real, rows), LINEAR(Real, columns)}};

#define LINEAR_BYTES VECTOR_BYTES
#define LINEAR_SUMS(Real, x) LINEAR_WIDEN_##Real(Real, *(const LINEAR(Real, Factors) *)(x))
#define LINEAR_WIDEN(Real, v) __builtin_convertvector(v, LINEAR(Real, Sums))
#define LINEAR_WIDEN_Byte(Real, v) TH_REGISTER_WIDEN(LINEAR(Real, Sums), v)
#define LINEAR_WIDEN_Short LINEAR_WIDEN
#define LINEAR_WIDEN_Int LINEAR_WIDEN
#define LINEAR_WIDEN_Long LINEAR_WIDEN
#define LINEAR_TERMS(Real, x, y) (LINEAR_SUMS(Real, x) * LINEAR_SUMS(Real, y))
#define LINEAR_LANES(sum_t) ((int64_t)(LINEAR_BYTES / sizeof(sum_t)))
#define LINEAR_COLUMNS 512 /* sums that the first-level cache keeps beside what is added */

LINEAR_INTS(Byte, int8_t, int16_t)
LINEAR_INTS(Short, int16_t, int16_t)
LINEAR_INTS(Int, int32_t, int32_t)
LINEAR_INTS(Long, int64_t, int64_t)
