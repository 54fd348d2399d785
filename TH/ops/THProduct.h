/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What all products of matrices and vectors share, whatever the dtype, for TH's own files: shapes,
 * the place of the result, batches. */
#ifndef TH_PRODUCT_H
#define TH_PRODUCT_H

#include <TH/THTensor.h>
#include <TH/ops/THGemm.h>

/* The scalars of `beta * self + alpha * product`, as scalar_t. `fresh`: beta is 0 or there is no
 * self, so that the result is not read. */
typedef struct THProduct {
    const char *op;
    const void *alpha, *beta, *one;
    bool fresh;
} THProduct;

/* A matrix somewhere; strides in elements. */
typedef struct THMatrix {
    char *data;
    int64_t rows, columns, rowStride, columnStride;
} THMatrix;
THMatrix THMatrix_of(const THTensor *tensor);     /* its last two dims */
THMatrix THMatrix_row(const THTensor *vector);    /* 1 x n */
THMatrix THMatrix_column(const THTensor *vector); /* n x 1 */

/* ValueError "mm: expected mat2 of shape (3, any), got (4, 5)"; a size of -1 is any. */
int THProduct_expect(const char *op, const char *argument, const THTensor *tensor, int nDimension,
                     const int64_t *size);

/* Gives the result its size. `self` may be NULL or the result. *work is what to compute into: the
 * result, or a new tensor where its strides do not suit. THProduct_end stores it. */
int THProduct_begin(const THProduct *product, THTensor **work, THTensor *result, THTensor *self,
                    int nDimension, const int64_t *size);
int THProduct_end(int status, THTensor *work, THTensor *result);

/* c = beta self + alpha a b; self is c or shares no memory with it, and is not read where the
 * product is fresh. */
int THProduct_multiply(const THProduct *product, THDtype dtype, THMatrix c, THMatrix self,
                       THMatrix a, THMatrix b);

/* The same for each of a batch; strides in elements, 0 where broadcast. */
typedef struct THBatch {
    THMatrix c, self, a, b; /* self only where the product is not fresh, in a batch of one dim */
    int64_t selfStride;
    int nDimension;
    int64_t size[TH_MAX_DIMS];
    int64_t cStride[TH_MAX_DIMS], aStride[TH_MAX_DIMS], bStride[TH_MAX_DIMS];
} THBatch;
int THProduct_batch(const THProduct *product, THDtype dtype, const THBatch *batch);

/* Whole operations; tensors have the dims their names say. */
int THProduct_matrices(const THProduct *product, THTensor *result, THTensor *self, THTensor *mat1,
                       THTensor *mat2, const char *const names[2]);
int THProduct_vector(const THProduct *product, THTensor *result, THTensor *self, THTensor *mat,
                     THTensor *vec);
int THProduct_batches(const THProduct *product, THTensor *result, THTensor *self, THTensor *batch1,
                      THTensor *batch2, const char *const names[2]);
int THProduct_batchSum(const THProduct *product, THTensor *result, THTensor *self, THTensor *batch1,
                       THTensor *batch2);
int THProduct_dot(const THProduct *product, THTensor *result, THTensor *self, THTensor *tensor);

#endif
