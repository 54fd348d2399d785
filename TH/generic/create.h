/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Of matrices; included for each dtype by TH/THCreate.h. */
#ifndef TH_GENERIC_FILE
#error "include TH/THCreate.h instead"
#endif

/* The sum of the diagonal of a matrix. */
TH_API int THTensor_(trace)(THTensor *result, THTensor *self);
