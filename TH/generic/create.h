/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sequences of numbers; included for each dtype by TH/THCreate.h. Results are contiguous and have
 * their size already. */
#ifndef TH_GENERIC_FILE
#error "include TH/THCreate.h instead"
#endif

void THTensor_(fillArange)(THTensor *result, THScalar start, THScalar step);
/* Powers of `base`, or the numbers themselves where it is 0. */
void THTensor_(fillLinspace)(THTensor *result, THScalar start, THScalar end, double base);

/* The sum of the diagonal of a matrix. */
TH_API int THTensor_(trace)(THTensor *result, THTensor *self);
