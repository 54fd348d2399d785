/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Comparisons of whole tensors; included for each dtype by TH/THCompare.h. */
#ifndef TH_GENERIC_FILE
#error "include TH/THCompare.h instead"
#endif

/* Both tensors are of this dtype. NaN is not equal to itself. */
TH_API int THTensor_(equal)(bool *result, THTensor *self, THTensor *other);
/* After broadcasting: |self - other| <= atol + rtol * |other| everywhere. */
TH_API int THTensor_(allclose)(bool *result, THTensor *self, THTensor *other, double rtol,
                               double atol, bool equalNan);
