/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of matrices and vectors; included for each dtype by TH/THBlas.h. For Bool only ger and
 * addr are defined. Where there are beta and self, a beta of 0 means that self is not read; the
 * result may be self. */
#ifndef TH_GENERIC_FILE
#error "include TH/THBlas.h instead"
#endif

TH_API int THTensor_(mm)(THTensor *result, THTensor *self, THTensor *mat2);
TH_API int THTensor_(mv)(THTensor *result, THTensor *self, THTensor *vec);
TH_API int THTensor_(bmm)(THTensor *result, THTensor *self, THTensor *mat2);
TH_API int THTensor_(dot)(THTensor *result, THTensor *self, THTensor *tensor);
TH_API int THTensor_(ger)(THTensor *result, THTensor *self, THTensor *vec2);
TH_API int THTensor_(addmm)(THTensor *result, THTensor *self, THTensor *mat1, THTensor *mat2,
                            scalar_t beta, scalar_t alpha);
TH_API int THTensor_(addmv)(THTensor *result, THTensor *self, THTensor *mat, THTensor *vec,
                            scalar_t beta, scalar_t alpha);
TH_API int THTensor_(addr)(THTensor *result, THTensor *self, THTensor *vec1, THTensor *vec2,
                           scalar_t beta, scalar_t alpha);
TH_API int THTensor_(baddbmm)(THTensor *result, THTensor *self, THTensor *batch1, THTensor *batch2,
                              scalar_t beta, scalar_t alpha);
TH_API int THTensor_(addbmm)(THTensor *result, THTensor *self, THTensor *batch1, THTensor *batch2,
                             scalar_t beta, scalar_t alpha);
