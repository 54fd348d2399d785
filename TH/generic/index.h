/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Indexed access with arithmetic; included for each dtype by TH/THIndex.h. The result may be self
 * (in place). */
#ifndef TH_GENERIC_FILE
#error "include TH/THIndex.h instead"
#endif

TH_API int THTensor_(scatter_add)(THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                                  THTensor *src);
TH_API int THTensor_(index_add)(THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                                THTensor *source, scalar_t alpha);
TH_API int THTensor_(put)(THTensor *result, THTensor *self, THTensor *index, THTensor *source,
                          bool accumulate);
