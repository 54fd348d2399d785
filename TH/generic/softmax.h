/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Softmax and its logarithm, along one dim. */
#ifdef TH_CATEGORY_IS_FLOATING
TH_API int THTensor_(softmax)(THTensor *result, THTensor *self, int64_t dim);
TH_API int THTensor_(log_softmax)(THTensor *result, THTensor *self, int64_t dim);
#endif
