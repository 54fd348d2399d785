/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops of products of matrices and vectors, for each instruction set. Those of integers are by
 * width alone, as sums wrap; 8 bits are summed in 16. */
#ifndef TH_LINEAR_H
#define TH_LINEAR_H

#include <TH/ops/THGemm.h>

#define TH_LINEAR_CHUNK 4096 /* terms that are summed in the dtype; chunks are in double */
#define TH_LINEAR_DEPTH 256  /* terms that `multiply` sums in registers */
#define TH_LINEAR_LOW 16     /* rows that take B as it lies */

typedef struct THLinearLoops {
    /* `count` products, gemm->count or fewer. Each element is summed in the order of k, but for the
     * last columns where the product isHigh, whose order k says. Of floats with selfColumn 1, of
     * integers with bColumn 1 and C for self. */
    void (*multiply)(const THGemm *gemm, int64_t count);
    /* Whether `multiply` fills vectors by its rows, as its columns are few. Not of integers. */
    bool (*isSlender)(const THGemm *gemm);
    /* The same of lines, aColumn and bRow being 1, of TH_LINEAR_CHUNK terms at most, with any
     * selfColumn. Any order of terms, which depends on k alone. Not of integers. */
    void (*lines)(const THGemm *gemm, int64_t count);
    /* *sum is an accreal; of halves as floats, by machines that convert them, else NULL */
    void (*dotHalves)(int64_t n, const THHalf *x, const THHalf *y, void *sum);
    void (*dot)(int64_t n, const void *x, const void *y, void *sum);
    void (*dotStrided)(int64_t n, const void *x, int64_t xStride, const void *y, int64_t yStride,
                       void *sum);
    /* sums[i] = row i of A times x */
    void (*rows)(int64_t rows, int64_t k, const void *a, int64_t stride, const void *x, void *sums);
    /* sums[j] = x times column j of A */
    void (*columns)(int64_t rows, int64_t n, const void *a, int64_t stride, const void *x,
                    void *sums);
} THLinearLoops;
#define TH_LINEAR_DECLARE(name) extern const THLinearLoops name[1]
TH_ISA_DECLARE(TH_LINEAR_DECLARE, THFloatLinear_loops);
TH_ISA_DECLARE(TH_LINEAR_DECLARE, THDoubleLinear_loops);
TH_ISA_DECLARE(TH_LINEAR_DECLARE, THByteLinear_loops); /* and Char */
TH_ISA_DECLARE(TH_LINEAR_DECLARE, THShortLinear_loops);
TH_ISA_DECLARE(TH_LINEAR_DECLARE, THIntLinear_loops);
TH_ISA_DECLARE(TH_LINEAR_DECLARE, THLongLinear_loops);

#endif
