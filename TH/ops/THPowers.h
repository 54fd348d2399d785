/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Powers of one number, for sequences; TH/loops/powers.c. */
#ifndef TH_POWERS_H
#define TH_POWERS_H

#include <TH/THIsa.h>

/* In place, base to the power of each of n numbers, a multiple of 8: vector and scalar code may
 * round differently. */
typedef void THPowers(int64_t n, double base, double *numbers);
#define TH_POWERS_DECLARE(name) THPowers name

#endif
