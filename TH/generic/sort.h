/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Orders along a dim. Equal elements keep their order, -0 equals 0, NaN is above everything.
 * Indices are Long. */
TH_API int THTensor_(sort)(THTensor *values, THTensor *indices, THTensor *self, int64_t dim,
                           bool descending, bool stable);
/* The same values alone. */
TH_API int THTensor_(msort)(THTensor *values, THTensor *self, int64_t dim, bool descending);
TH_API int THTensor_(argsort)(THTensor *indices, THTensor *self, int64_t dim, bool descending,
                              bool stable);
/* Of equal elements the first are taken; not sorted: in the order of the input. */
TH_API int THTensor_(topk)(THTensor *values, THTensor *indices, THTensor *self, int64_t k,
                           int64_t dim, bool largest, bool sorted);
/* What `sort` has in place k - 1. */
TH_API int THTensor_(kthvalue)(THTensor *values, THTensor *indices, THTensor *self, int64_t k,
                               int64_t dim, bool keepdim);
/* The lower one of two medians; NaN where there is one. */
TH_API int THTensor_(median)(THTensor *values, THTensor *indices, THTensor *self, int64_t dim,
                             bool keepdim);
TH_API int THTensor_(medianall)(THTensor *result, THTensor *self);
