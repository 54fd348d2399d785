/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tensors made from numbers, and filling and re-shaping tensors in place. `int dtype` is a THDtype,
 * or -1: the default dtype, that of self, or what is said. */
#ifndef TH_CREATE_H
#define TH_CREATE_H

#include <TH/THTensor.h>

#ifdef __cplusplus
extern "C" {
#endif

TH_API int THTensor_newUninitialized(THTensor **out, const int64_t *size, int nsize, int dtype);
TH_API int THTensor_newZeros(THTensor **out, const int64_t *size, int nsize, int dtype);
TH_API int THTensor_newOnes(THTensor **out, const int64_t *size, int nsize, int dtype);
/* dtype -1: by the kind of the value (Bool, Long, default dtype). */
TH_API int THTensor_newFull(THTensor **out, const int64_t *size, int nsize, THScalar value,
                            int dtype);

/* start + i * step, each computed for itself, while it has not reached end. dtype -1: Long when all
 * are integers, else the default dtype. */
TH_API int THTensor_newArange(THTensor **out, THScalar start, THScalar end, THScalar step,
                              int dtype);
/* `steps` evenly spaced numbers, both ends included; computed from the nearer end. logspace: base
 * to the power of these. */
TH_API int THTensor_newLinspace(THTensor **out, THScalar start, THScalar end, int64_t steps,
                                int dtype);
TH_API int THTensor_newLogspace(THTensor **out, THScalar start, THScalar end, int64_t steps,
                                double base, int dtype);
TH_API int THTensor_newEye(THTensor **out, int64_t n, int64_t m, int dtype);

/* Of self's sizes. */
TH_API int THTensor_newUninitializedLike(THTensor **out, THTensor *self, int dtype);
TH_API int THTensor_newZerosLike(THTensor **out, THTensor *self, int dtype);
TH_API int THTensor_newOnesLike(THTensor **out, THTensor *self, int dtype);
TH_API int THTensor_newFullLike(THTensor **out, THTensor *self, THScalar value, int dtype);

/* Of self's dtype unless another is given. */
TH_API int THTensor_newUninitializedFrom(THTensor **out, THTensor *self, const int64_t *size,
                                         int nsize, int dtype);
TH_API int THTensor_newZerosFrom(THTensor **out, THTensor *self, const int64_t *size, int nsize,
                                 int dtype);
TH_API int THTensor_newOnesFrom(THTensor **out, THTensor *self, const int64_t *size, int nsize,
                                int dtype);
TH_API int THTensor_newFullFrom(THTensor **out, THTensor *self, const int64_t *size, int nsize,
                                THScalar value, int dtype);

/* `copy`: a clone even where self has the dtype already. */
TH_API int THTensor_newConverted(THTensor **out, THTensor *self, int dtype, bool copy);
TH_API int THTensor_newConvertedLike(THTensor **out, THTensor *self, THTensor *other, bool copy);
TH_API int THTensor_newTypeAs(THTensor **out, THTensor *self, THTensor *other);

/* `value`: a tensor of no dims. */
TH_API int THTensor_fillValue(THTensor *self, THTensor *value);
TH_API int THTensor_resizeTo(THTensor *self, const int64_t *size, int nsize);
/* All of a storage as a 1-d tensor. */
TH_API int THTensor_setEmpty(THTensor *self);
TH_API int THTensor_setWholeStorage(THTensor *self, THStorage *storage);
/* No strides: contiguous. */
TH_API int THTensor_setStorageView(THTensor *self, THStorage *storage, int64_t storageOffset,
                                   const int64_t *size, int nsize, const int64_t *stride,
                                   int nstride);

/* Matrices (or stacks of them) with zeros above or below a diagonal; the result may be self. */
TH_API int THTensor_tril(THTensor *result, THTensor *self, int64_t diagonal);
TH_API int THTensor_triu(THTensor *result, THTensor *self, int64_t diagonal);
/* The matrix with self on a diagonal, or the diagonal of a matrix. */
TH_API int THTensor_diag(THTensor *result, THTensor *self, int64_t diagonal);

#define TH_GENERIC_FILE <TH/generic/create.h>
#include <TH/THGenerateAllTypes.h>

#ifdef __cplusplus
}
#endif
#endif
