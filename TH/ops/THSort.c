/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The chapter sort, for every dtype. */
#include <TH/TH.h>
#include <TH/ops/THLines.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SORT_INSERTION 64 /* lines up to this length are sorted by insertion */
#define SORT_WIDE 4096    /* from this length on, digits have more bits */
#define SORT_WIDE_BITS 11
#define SORT_COUNTS 12288 /* digits of all passes: 6 of 11 bits */

typedef struct THSortOrder {
    int64_t k; /* from 0 */
    bool descending, sorted, indicesOnly, nanWins;
} THSortOrder;

#define TH_GENERIC_FILE "TH/generic/sort.h"
#include <TH/THGenerateAllTypes.h>

#define TH_GENERIC_FILE "TH/generic/sort.c"
#include <TH/THGenerateAllTypes.h>
