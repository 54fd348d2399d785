/* SPDX-License-Identifier: BSD-3-Clause
 *
 * C = beta C + alpha A B for every dtype: by the BLAS library for float and double, in float for
 * Half, by loops of our own for the others and where a call of the library would cost more than the
 * product. */
#include <limits.h>
#include <string.h>

#include <TH/THBlas.h>
#include <TH/THThreads.h>
#include <TH/ops/THGemm.h>

#define GEMM_DEPTH 256 /* of a packed block: its panel of B stays in the first-level cache */
#define GEMM_HEIGHT 64
#define GEMM_SMALL 8

typedef struct Packed {
    const THGemm *gemm;
    THGemmTile tile;
    void *b;
    int failed; /* atomic: a worker got no memory */
} Packed;

/* A matrix as CBLAS takes it. */
typedef struct Operand {
    const void *data;
    int64_t leading;
    bool transposed;
} Operand;
enum { ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112 };

/* What products of a dtype are summed in. */
#define GEMM_SUM_Byte int32_t
#define GEMM_SUM_Char int32_t
#define GEMM_SUM_Short int32_t
#define GEMM_SUM_Int int32_t
#define GEMM_SUM_Long int64_t
#define GEMM_SUM_Float float
#define GEMM_SUM_Double double

static bool worthLibrary(const THGemm *gemm)
{
    const int64_t small = GEMM_SMALL;
    return gemm->m <= INT_MAX && gemm->n <= INT_MAX && gemm->k <= INT_MAX && gemm->k > 0 &&
           gemm->cRow <= INT_MAX && (gemm->m > small || gemm->n > small || gemm->k > small);
}

/* One stride must be 1, the other at least the row's length; strides of dims of size 1 are set to
 * what fits. */
static bool fitsLibrary(Operand *operand, const void *data, int64_t rows, int64_t columns,
                        int64_t *rowStride, int64_t *columnStride)
{
    if (columns == 1 && *rowStride != 1)
        *columnStride = 1;
    if (rows == 1 && *columnStride != 1)
        *rowStride = 1;
    if (columns == 1 && *rowStride == 1 && rows > 1)
        *columnStride = rows;
    if (rows == 1 && *columnStride == 1)
        *rowStride = columns;
    operand->data = data;
    operand->transposed = *columnStride != 1 || *rowStride < columns;
    operand->leading = operand->transposed ? *columnStride : *rowStride;
    return operand->leading <= INT_MAX &&
           (operand->transposed ? *rowStride == 1 && *columnStride >= rows
                                : *columnStride == 1 && *rowStride >= columns);
}

/* A contiguous copy of a matrix. */
static int gather(void **out, const void *from, int64_t itemSize, int64_t rows, int64_t columns,
                  int64_t *rowStride, int64_t *columnStride)
{
    int64_t bytes;
    TH_CHECK(THSize_mul(rows, columns, &bytes) && THSize_mul(bytes, itemSize, &bytes),
             TH_ERROR_MEMORY, "not enough memory for a product of matrices");
    char *to = *out = THAlloc((size_t)bytes);
    if (to == NULL)
        return TH_ERROR_MEMORY;
    for (int64_t i = 0; i < rows; i++) {
        const char *x = (const char *)from + i * *rowStride * itemSize;
        for (int64_t j = 0; j < columns; j++, to += itemSize)
            memcpy(to, x + j * *columnStride * itemSize, (size_t)itemSize);
    }
    *rowStride = columns;
    *columnStride = 1;
    return TH_OK;
}

#define TH_GENERIC_FILE <TH/generic/gemm.c>
#include <TH/THGenerateDoubleType.h>
#include <TH/THGenerateFloatType.h>
#include <TH/THGenerateIntTypes.h>

#define TH_GENERIC_FILE <TH/generic/gemmLibrary.c>
#include <TH/THGenerateDoubleType.h>
#include <TH/THGenerateFloatType.h>
#undef TH_GENERIC_FILE

static void toFloat(float *to, const THHalf *from, int64_t rows, int64_t columns, int64_t rowStride,
                    int64_t columnStride)
{
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < columns; j++)
            *to++ = THHalf_toFloat(from[i * rowStride + j * columnStride]);
    }
}

/* Rounds once: the sums stay in float to the end. */
static int THHalfBlas_gemm(const THGemm *gemm)
{
    int status = TH_OK;
    const int64_t m = gemm->m, n = gemm->n, k = gemm->k;
    const int64_t sizes[] = {m, k, k, n, m, n};
    float *operand[3] = {NULL, NULL, NULL};
    THGemm wide = *gemm;
    for (int i = 0; i < 3; i++) {
        int64_t bytes;
        TH_REQUIRE(THSize_mul(sizes[2 * i], sizes[2 * i + 1], &bytes) &&
                       THSize_mul(bytes, sizeof(float), &bytes),
                   TH_ERROR_MEMORY, "not enough memory for a product of matrices");
        operand[i] = THAlloc((size_t)bytes);
        TH_TRY(operand[i] == NULL ? TH_ERROR_MEMORY : TH_OK);
    }
    toFloat(operand[0], gemm->a, m, k, gemm->aRow, gemm->aColumn);
    toFloat(operand[1], gemm->b, k, n, gemm->bRow, gemm->bColumn);
    if (!gemm->fresh)
        toFloat(operand[2], gemm->c, m, n, gemm->cRow, 1);
    wide.a = operand[0];
    wide.b = operand[1];
    wide.c = operand[2];
    wide.aRow = k;
    wide.bRow = wide.cRow = n;
    wide.aColumn = wide.bColumn = 1;
    TH_TRY(THFloatBlas_gemm(&wide));
    for (int64_t i = 0; i < m * n; i++)
        ((THHalf *)gemm->c)[i / n * gemm->cRow + i % n] = THHalf_fromFloat(operand[2][i]);
done:
    for (int i = 0; i < 3; i++)
        THFree(operand[i]);
    return status;
}

static const THGemmFunction functions[TH_DTYPE_LIMIT] = {
    [TH_BYTE] = THByteBlas_loops,  [TH_CHAR] = THCharBlas_loops,    [TH_SHORT] = THShortBlas_loops,
    [TH_INT] = THIntBlas_loops,    [TH_LONG] = THLongBlas_loops,    [TH_HALF] = THHalfBlas_gemm,
    [TH_FLOAT] = THFloatBlas_gemm, [TH_DOUBLE] = THDoubleBlas_gemm,
};

THGemmFunction THGemm_function(THDtype dtype)
{
    return functions[dtype];
}
