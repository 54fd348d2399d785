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
/* self itself where its sizes stay. */
TH_API int THTensor_newFlatten(THTensor **out, THTensor *self, int64_t startDim, int64_t endDim);
TH_API int THTensor_newRavel(THTensor **out, THTensor *self);
/* The sources, which wrap, move to the destinations; the others keep their order. */
TH_API int THTensor_newMovedim(THTensor **out, THTensor *self, const int64_t *source, int nsource,
                               const int64_t *destination, int ndestination);
/* Elements (i, i + offset) of the matrices in two dims, as a last dim. */
TH_API int THTensor_newDiagonal(THTensor **out, THTensor *self, int64_t offset, int64_t dim1,
                                int64_t dim2);
/* newReshape and newContiguous as operations: large copies are announced (THWork). */
TH_API int THTensor_newReshaped(THTensor **out, THTensor *self, const int64_t *size, int nsize);
TH_API int THTensor_newGathered(THTensor **out, THTensor *self);
/* Several views: of parts so long, the last one shorter where that is left; at most so many of
 * equal length; without the dim, one for each of its indices. A dim is expected. */
TH_API int THTensor_split(THTensorArray *out, THTensor *self, int64_t length, int64_t dim);
TH_API int THTensor_chunk(THTensorArray *out, THTensor *self, int64_t chunks, int64_t dim);
TH_API int THTensor_unbind(THTensorArray *out, THTensor *self, int64_t dim);
/* self again. */
TH_API int THTensor_newSame(THTensor **out, THTensor *self);

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

TH_API int THTensor_fliplr(THTensor *result, THTensor *self);
TH_API int THTensor_flipud(THTensor *result, THTensor *self);
/* repeat where `dims` may also be shorter: they are the last dims' then. */
TH_API int THTensor_tile(THTensor *result, THTensor *self, const int64_t *dims, int ndims);
/* A shift for each dim, or one for all elements as one row; dims wrap. */
TH_API int THTensor_newRoll(THTensor **out, THTensor *self, const int64_t *shifts, int nshifts,
                            const int64_t *dims, int ndims);

/* Every slice along dim, or every element, several times in a row: so many times each, or as many
 * as a Long tensor says (one count serves all). newRepeatedIndices: where the slices come from. */
TH_API int THTensor_newRepeatedEach(THTensor **out, THTensor *self, int64_t repeats, int64_t dim);
TH_API int THTensor_newRepeatedFlat(THTensor **out, THTensor *self, int64_t repeats);
TH_API int THTensor_newRepeatedBy(THTensor **out, THTensor *self, THTensor *repeats, int64_t dim);
TH_API int THTensor_newRepeatedFlatBy(THTensor **out, THTensor *self, THTensor *repeats);
TH_API int THTensor_newRepeatedIndices(THTensor **out, THTensor *repeats);

#ifdef __cplusplus
}
#endif
#endif
