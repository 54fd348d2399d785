/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The chapter reduce, for every dtype. */
#include <TH/TH.h>
#include <TH/loops/softmax.h>
#include <TH/ops/THReduction.h>
#include <math.h>
#include <string.h>

#define MANY_RESULTS 32 /* are worth the call of a vectorised loop */

#define TH_GENERIC_FILE "TH/generic/reduce.h"
#include <TH/THGenerateAllTypes.h>

#define TH_GENERIC_FILE "TH/generic/reduce.c"
#include <TH/THGenerateAllTypes.h>

#define TH_GENERIC_FILE "TH/generic/extreme.c"
#include <TH/THGenerateAllTypes.h>
