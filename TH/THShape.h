/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shapes as operations: what views (THTensor.h) do not cover. `dim` is within range unless it is
 * said to wrap. Functions with a first argument `THTensor **out` make a new reference, those with
 * `result` resize and write it. */
#ifndef TH_SHAPE_H
#define TH_SHAPE_H

#include <TH/THTensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Questions, with the answer as an output. */
TH_API int THTensor_askNumel(int64_t *out, THTensor *self);
TH_API int THTensor_askDim(int64_t *out, THTensor *self);
TH_API int THTensor_askContiguous(bool *out, THTensor *self);
TH_API int THTensor_askSameSize(bool *out, THTensor *self, THTensor *other);
TH_API int THTensor_askSetTo(bool *out, THTensor *self, THTensor *tensor);

/* Views, or copies where no view has that shape. Negative indices and starts count from the end. */
TH_API int THTensor_newSelectIndex(THTensor **out, THTensor *self, int64_t dim, int64_t index);
TH_API int THTensor_newNarrowFrom(THTensor **out, THTensor *self, int64_t dim, int64_t start,
                                  int64_t length);
TH_API int THTensor_newExpandAs(THTensor **out, THTensor *self, THTensor *other);
TH_API int THTensor_newViewAs(THTensor **out, THTensor *self, THTensor *other);
TH_API int THTensor_newReshapeAs(THTensor **out, THTensor *self, THTensor *other);
TH_API int THTensor_newFlatten(THTensor **out, THTensor *self, int64_t startDim, int64_t endDim);
TH_API int THTensor_newMovedim(THTensor **out, THTensor *self, int64_t source, int64_t destination);

/* The same on self itself: sizes and strides change, elements stay. */
TH_API int THTensor_transposeInPlace(THTensor *self, int64_t dim0, int64_t dim1);
TH_API int THTensor_tInPlace(THTensor *self);
TH_API int THTensor_squeezeInPlace(THTensor *self);
TH_API int THTensor_squeeze1dInPlace(THTensor *self, int64_t dim);
TH_API int THTensor_unsqueeze1dInPlace(THTensor *self, int64_t dim);

/* Tensors one after the other along a dim of theirs (cat; 1-d tensors without elements are skipped)
 * or a new one (stack). `dim` wraps; elements are converted to result's dtype, and result may
 * be among the tensors. */
TH_API int THTensor_cat(THTensor *result, THTensor *const *tensors, int ntensors, int64_t dim);
TH_API int THTensor_stack(THTensor *result, THTensor *const *tensors, int ntensors, int64_t dim);

TH_API int THTensor_flip(THTensor *result, THTensor *self, const int64_t *dims, int ndims);
/* `repeats` may be longer than self has dims, not shorter. */
TH_API int THTensor_repeat(THTensor *result, THTensor *self, const int64_t *repeats, int nrepeats);

#ifdef __cplusplus
}
#endif
#endif
