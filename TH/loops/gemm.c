/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The innermost product of matrices of integers, for each type they are summed in: a tile of 4 rows
 * and 64 bytes of columns, from operands packed as THGemm.h says.
 *
 * Vectors are as wide as a register: compilers keep wider ones in memory. As many rows are summed
 * at once as there are registers for. Every element is summed in the order of k either way. */
#include <TH/ops/THGemm.h>

#if defined(__AVX512F__)
#define WIDTH 64
#define ROWS 4
#elif defined(__AVX2__)
#define WIDTH 32
#define ROWS 4
#else
#define WIDTH 16
#define ROWS 2
#endif
#define PARTS (TH_GEMM_COLUMN_BYTES / WIDTH)

#define GEMM_TILE(type)                                                                    \
    typedef type vector_##type __attribute__((vector_size(WIDTH), aligned(WIDTH)));        \
    static inline __attribute__((always_inline)) void rows_##type(                         \
        int64_t k, const type *row, const vector_##type *column, vector_##type *tile)      \
    {                                                                                      \
        vector_##type sum[ROWS][PARTS] = {{{0}}};                                          \
        for (int64_t p = 0; p < k; p++, row += TH_GEMM_ROWS, column += PARTS) {            \
            for (int i = 0; i < ROWS; i++) {                                               \
                for (int part = 0; part < PARTS; part++)                                   \
                    sum[i][part] += row[i] * column[part];                                 \
            }                                                                              \
        }                                                                                  \
        for (int i = 0; i < ROWS; i++) {                                                   \
            for (int part = 0; part < PARTS; part++)                                       \
                tile[i * PARTS + part] = sum[i][part];                                     \
        }                                                                                  \
    }                                                                                      \
    void TH_ISA_(TH_CONCAT_2(THGemm_tile_, type))(int64_t k, const void *a, const void *b, \
                                                  void *tile)                              \
    {                                                                                      \
        for (int i = 0; i < TH_GEMM_ROWS; i += ROWS)                                       \
            rows_##type(k, (const type *)a + i, b, (vector_##type *)tile + i * PARTS);     \
    }

GEMM_TILE(int16_t)
GEMM_TILE(int32_t)
GEMM_TILE(int64_t)
