/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cumulative sums and products; `result` has any dtype that sums of this one can have. */
TH_API int THTensor_(cumsum)(THTensor *result, THTensor *self, int64_t dim);
TH_API int THTensor_(cumprod)(THTensor *result, THTensor *self, int64_t dim);
