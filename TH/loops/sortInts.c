/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ints sorted alone (TH/ops/THSorting.h), and floats as ints, which compare as fast or faster. */
#define LANE_int
#include <TH/loops/quick.h>
#include <TH/ops/THSorting.h>

#define ELEMENTS Ints
#define TO_LANE(bits) (bits)
#define FROM_LANE(lane) (lane)
#define LAST INT32_MAX
#define TURNED -1
#include <TH/loops/elements.h>

/* The further a negative one is from 0, the less is its lane. */
#define ELEMENTS Floats
#define ODD(bits) oddOfFloating(bits)
#define TO_LANE(bits) TH_REGISTER_CHOOSE(areNan(bits), (Lanes){0} + INT32_MAX, FROM_LANE(bits))
#define FROM_LANE(lane) ((lane) ^ (signsOf(lane) & ~SIGN))
#define LAST INFINITE
#define TURNED -1
#include <TH/loops/elements.h>
