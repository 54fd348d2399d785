/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Comparisons of whole tensors, and checks of values that pointwise operations make before they
 * write. */
#ifndef TH_COMPARE_H
#define TH_COMPARE_H

#include <TH/THTensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ValueError when some element is zero once converted to `dtype`, where that is an integer dtype:
 * such a division would have no result. */
TH_API int THCheck_nonzero(const char *op, const char *argument, THTensor *tensor, THDtype dtype);
/* ValueError when the tensor is a wrapped number that `dtype` cannot hold; NULL is right. */
TH_API int THCheck_number(const char *op, const char *argument, THTensor *tensor, THDtype dtype);
/* ValueError unless both are >= 0. */
TH_API int THCheck_tolerances(const char *op, double rtol, double atol);

#define TH_GENERIC_FILE <TH/generic/compare.h>
#include <TH/THGenerateAllTypes.h>

#ifdef __cplusplus
}
#endif
#endif
