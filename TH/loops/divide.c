/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops of division with a rounding mode, for each computing dtype. */
#include <TH/THEngine.h>
#include <TH/THMath.h>

#define TH_GENERIC_FILE <TH/generic/pointwise.c>
#include <TH/THGenerateLoopTypes.h>
