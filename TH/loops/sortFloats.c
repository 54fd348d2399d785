/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Floats sorted alone; THSorting.h. */
#define LANE_float
#include <TH/loops/quick.h>
#include <TH/ops/THSorting.h>

THLanesSort TH_ISA_(THFloats_sort);
void TH_ISA_(THFloats_sort)(void *lanes, int64_t n)
{
    sortAll(lanes, n);
}
