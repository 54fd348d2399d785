/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of floats; THLinear.h. */
#define LANE_float
#include <TH/loops/linear.h>
