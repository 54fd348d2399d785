/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Internal: inner loops of equality, for each instruction set, and for dtypes whose elements can be
 * equal in other bits: Bool and floating ones. */
#ifndef TH_EQUAL_LOOPS_H
#define TH_EQUAL_LOOPS_H

#include <TH/THIsa.h>

#include <stdbool.h>
#include <stdint.h>

/* Is each of n elements the same? NaN is not the same as itself. */
typedef bool (*THEqualLoop)(int64_t n, const void *x, const void *y);
#define TH_EQUAL_LOOP_DECLARE(name) bool name(int64_t n, const void *x, const void *y)

#endif
