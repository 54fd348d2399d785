/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What pointwise operations need beside their kernels: division with a rounding mode. */
#ifndef TH_POINTWISE_H
#define TH_POINTWISE_H

#include <TH/THTensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* TypeError for bool operands, which subtraction does not take; says what they are for instead. */
TH_API int THSub_check(const char *op, const THTensor *self, const THTensor *other);
/* ValueError for an integer raised to a negative number. */
TH_API int THPow_check(const char *op, const THTensor *exponent, THDtype dtype);

/* With a mode bool is not divided. */
TH_API int THDiv_check(const char *mode, const THTensor *self, const THTensor *other);
/* Before a division: checks the mode ("trunc", "floor" or NULL) and, where integers stay integers,
 * that no divisor is zero. Without a mode integers become the default dtype. */
TH_API int THDiv_prepare(const char *mode, THTensor *other, THDtype *dtype);
/* The division, computed in the result's dtype; `mode` has passed THDiv_prepare. */
TH_API int THDiv_mode(THTensor *result, THTensor *self, THTensor *other, const char *mode);

#ifdef __cplusplus
}
#endif
#endif
