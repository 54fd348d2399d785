/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The innermost product of matrices, for each type that products are summed in: a tile of 4 rows
 * and 64 bytes of columns, from operands packed as THGemm.h says. */
#include <TH/THGemm.h>

#define GEMM_TILE(type)                                                                          \
    typedef type vector_##type __attribute__((vector_size(64), aligned(64)));                    \
    void TH_ISA_(TH_CONCAT_2(THGemm_tile_, type))(int64_t k, const void *a, const void *b,       \
                                                  void *tile)                                    \
    {                                                                                            \
        const type *row = a;                                                                     \
        const vector_##type *column = b;                                                         \
        vector_##type sum0 = {0}, sum1 = {0}, sum2 = {0}, sum3 = {0};                            \
        for (int64_t p = 0; p < k; p++, row += 4) {                                              \
            sum0 += row[0] * column[p];                                                          \
            sum1 += row[1] * column[p];                                                          \
            sum2 += row[2] * column[p];                                                          \
            sum3 += row[3] * column[p];                                                          \
        }                                                                                        \
        vector_##type *const out = tile;                                                         \
        out[0] = sum0;                                                                           \
        out[1] = sum1;                                                                           \
        out[2] = sum2;                                                                           \
        out[3] = sum3;                                                                           \
    }

GEMM_TILE(int32_t)
GEMM_TILE(int64_t)
GEMM_TILE(float)
GEMM_TILE(double)
