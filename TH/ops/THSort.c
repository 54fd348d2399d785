/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The chapter sort, for every dtype. */
#include <TH/TH.h>
#include <TH/ops/THSorting.h>

#include <inttypes.h>
#include <math.h>

#define TH_GENERIC_FILE "TH/generic/sort.h"
#include <TH/THGenerateAllTypes.h>

#define TH_GENERIC_FILE "TH/generic/sort.c"
#include <TH/THGenerateAllTypes.h>
