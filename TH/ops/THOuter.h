/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Internal: outer products as kernels, whose left vector is a column. */
#ifndef TH_OUTER_H
#define TH_OUTER_H

#include <TH/THEngine.h>

/* Operands are the result, left, right and, of addr, what is added to. */
typedef struct THOuterParams {
    const void *alpha, *beta; /* of addr, scalar_t */
    bool leftSingle;
} THOuterParams;

#endif
