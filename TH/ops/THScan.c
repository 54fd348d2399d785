/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The chapter scan, for every dtype. */
#include <TH/TH.h>
#include <TH/ops/THScanning.h>

#define TH_GENERIC_FILE "TH/generic/scan.h"
#include <TH/THGenerateAllTypes.h>

#define TH_GENERIC_FILE "TH/generic/scan.c"
#include <TH/THGenerateAllTypes.h>
