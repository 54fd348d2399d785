/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ints sorted alone; THSorting.h. */
#define LANE_int
#include <TH/loops/quick.h>
#include <TH/ops/THSorting.h>

THLanesSort TH_ISA_(THInts_sort);
void TH_ISA_(THInts_sort)(void *lanes, int64_t n)
{
    sortAll(lanes, n);
}
