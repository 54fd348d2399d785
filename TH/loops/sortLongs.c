/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Longs sorted alone; THSorting.h. */
#define LANE_long
#include <TH/loops/quick.h>
#include <TH/ops/THSorting.h>

THLanesSort TH_ISA_(THLongs_sort);
void TH_ISA_(THLongs_sort)(void *lanes, int64_t n)
{
    sortAll(lanes, n);
}
