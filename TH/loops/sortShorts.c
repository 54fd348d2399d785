/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Few numbers of 16 bits sorted alone (TH/ops/THSorting.h): twice as many in a vector as ints. More
 * of them take longer to be parted than ints do. */
#define LANE_short
#include <TH/loops/network.h>
#include <TH/ops/THSorting.h>

#define ELEMENTS Shorts
#define TO_LANE(bits) (bits)
#define FROM_LANE(lane) (lane)
#define LAST INT16_MAX
#define TURNED -1
#include <TH/loops/elements.h>
