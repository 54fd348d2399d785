/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random numbers in place; included for each dtype by TH/THRandomOps.h, defined for the floating
 * ones. */
#ifndef TH_GENERIC_FILE
#error "include TH/THRandomOps.h instead"
#endif

/* In [from, to). */
TH_API int THTensor_(uniform)(THTensor *self, double from, double to, THGenerator *generator);
TH_API int THTensor_(normal)(THTensor *self, double mean, double std, THGenerator *generator);
/* Density lambd * exp(-lambd * x), x >= 0. */
TH_API int THTensor_(exponential)(THTensor *self, double lambd, THGenerator *generator);
