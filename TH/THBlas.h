/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of matrices and vectors, and the BLAS library behind those of float and double.
 *
 * The library is opened at the first product that is worth it: the file named by the environment
 * variable TH_BLAS ("none": no library), else the one set by THBlas_setLibrary. It must have
 * 32-bit CBLAS functions, under their own names or prefixed by scipy_. Where there is none, where
 * it is an OpenBLAS that was told or took the processor for one without AVX-512
 * (OPENBLAS_CORETYPE), and for all other dtypes, blocked loops of our own do the work. */
#ifndef TH_BLAS_H
#define TH_BLAS_H

#include <TH/THTensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* RuntimeError once a library has been looked for. */
TH_API int THBlas_setLibrary(const char *path);
/* The path of the library in use, or NULL; opens it. */
TH_API const char *THBlas_library(void);
/* A function of the library, say "dgesv_" or "cblas_dgemm", or NULL; opens it. */
TH_API void *THBlas_symbol(const char *name);

/* Functions of the library, which keeps to the calling thread; NULL without a library. */
typedef struct THBlasTable {
    void (*gemm_Float)(int order, int transA, int transB, int m, int n, int k, float alpha,
                       const float *a, int lda, const float *b, int ldb, float beta, float *c,
                       int ldc);
    void (*gemm_Double)(int order, int transA, int transB, int m, int n, int k, double alpha,
                        const double *a, int lda, const double *b, int ldb, double beta, double *c,
                        int ldc);
    bool isNarrow; /* its loops are known to leave registers of 512 bits unused */
} THBlasTable;
TH_API const THBlasTable *THBlas_table(void);

/* The matrix product of numpy.matmul: vectors lose their dim, leading dims are broadcast. Both
 * tensors and the result have one dtype. */
TH_API int THTensor_matmul(THTensor *result, THTensor *self, THTensor *other);

#define TH_GENERIC_FILE <TH/generic/blas.h>
#include <TH/THGenerateAllTypes.h>

#ifdef __cplusplus
}
#endif
#endif
