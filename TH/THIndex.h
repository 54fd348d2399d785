/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading and writing elements by index or mask. But for those that add, these functions move
 * elements without looking at them, so there is one of each for all dtypes.
 *
 * Every index is checked before anything is written. `dim` is within range, `index` has dtype Long,
 * `mask` Bool. Where there are both, `result` is `self` for the in-place operation and otherwise
 * becomes a changed copy of self; sources may share memory with self. Where several elements go to
 * one place, the last one stays. */
#ifndef TH_INDEX_H
#define TH_INDEX_H

#include <TH/THTensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Along one dim: an index for each slice; negative ones, from the end, for indexFill alone. */
TH_API int THTensor_indexSelect(THTensor *result, THTensor *self, int64_t dim, THTensor *index);
TH_API int THTensor_indexCopy(THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                              THTensor *source);
/* `value`: a tensor of no dims. */
TH_API int THTensor_indexFill(THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                              THTensor *value);

/* Along one dim: an index for each element; no negative ones. */
TH_API int THTensor_gather(THTensor *result, THTensor *self, int64_t dim, THTensor *index);
TH_API int THTensor_scatter(THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                            THTensor *src);
TH_API int THTensor_scatterFill(THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                                THScalar value);

/* Positions in self as if it were contiguous; negative ones count from the end. put is for each
 * dtype, since it may add. */
TH_API int THTensor_take(THTensor *result, THTensor *self, THTensor *index);

/* Masks are broadcast with self; in place self keeps its shape. */
TH_API int THTensor_maskedSelect(THTensor *result, THTensor *self, THTensor *mask);
TH_API int THTensor_maskedFill(THTensor *result, THTensor *self, THTensor *mask, THTensor *value);
TH_API int THTensor_maskedScatter(THTensor *result, THTensor *self, THTensor *mask,
                                  THTensor *source);

/* The indices of elements that are not zero, a row each, in order; result: Long. */
TH_API int THTensor_nonzero(THTensor *result, THTensor *self);
/* The same as a Long tensor for each dim; a 0-d condition counts as one of one dim. */
TH_API int THTensor_where(THTensorArray *out, THTensor *condition);

/* `self[...]` with tensors as indices. indices[d] belongs to dim d of self: NULL or absent takes
 * all of it, an integer tensor of any dtype picks (negative indices count from the end), a Bool
 * tensor with k dims picks where it is true in dims d to d + k - 1, whose further entries must be
 * NULL. Index tensors are broadcast together; their dims stand where the indexed dims were when
 * these are neighbours, else in front. */
TH_API int THTensor_index(THTensor **out, THTensor *self, THTensor *const *indices, int nindices);
/* `self[...] = value`: value is converted and broadcast to the shape of `self[...]`. */
TH_API int THTensor_indexPut(THTensor *self, THTensor *const *indices, int nindices,
                             THTensor *value);

#define TH_GENERIC_FILE <TH/generic/index.h>
#include <TH/THGenerateAllTypes.h>

#ifdef __cplusplus
}
#endif
#endif
