/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops of products of float and double matrices and vectors, for each instruction set. */
#ifndef TH_LINEAR_H
#define TH_LINEAR_H

#include <TH/ops/THGemm.h>

#define TH_LINEAR_CHUNK 4096 /* terms that are summed in the dtype; chunks are in double */
#define TH_LINEAR_DEPTH 256  /* terms that `multiply` sums in registers */

typedef struct THLinearLoops {
    /* `count` products, gemm->count or fewer. Each element is summed in the order of k. */
    void (*multiply)(const THGemm *gemm, int64_t count);
    double (*dot)(int64_t n, const void *x, const void *y);
    double (*dotStrided)(int64_t n, const void *x, int64_t xStride, const void *y, int64_t yStride);
    /* sums[i] = row i of A times x */
    void (*rows)(int64_t rows, int64_t k, const void *a, int64_t stride, const void *x, void *sums);
    /* sums[j] = x times column j of A */
    void (*columns)(int64_t rows, int64_t n, const void *a, int64_t stride, const void *x,
                    void *sums);
} THLinearLoops;
#define TH_LINEAR_DECLARE(name) extern const THLinearLoops name[1]
TH_ISA_DECLARE(TH_LINEAR_DECLARE, THFloatLinear_loops);
TH_ISA_DECLARE(TH_LINEAR_DECLARE, THDoubleLinear_loops);

#endif
