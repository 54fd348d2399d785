/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of doubles; THLinear.h. */
#define LANE_double
#include <TH/loops/linear.h>
