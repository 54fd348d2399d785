/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For loops across short rows, which the machine by itself does not fetch early enough. */
#ifndef TH_LOOPS_AHEAD_H
#define TH_LOOPS_AHEAD_H

#include <TH/engine/THMove.h>
#include <TH/ops/THReduction.h>

#define TH_AHEAD_ROWS 4     /* a loop takes so many at a time */
#define TH_AHEAD_BYTES 2048 /* of a row; longer ones the machine fetches better */

static inline __attribute__((always_inline)) bool THAhead_helps(const THReduceTerm *term,
                                                                int64_t bytes)
{
    return term->far && bytes < TH_AHEAD_BYTES;
}

/* Asks for `bytes` of each of the next rows. */
static inline __attribute__((always_inline)) void THAhead_ask(const void *const *next,
                                                              int64_t offset, int64_t bytes)
{
    for (int r = 0; r < TH_AHEAD_ROWS; r++)
        THMove_prefetch((const char *)next[r] + offset, bytes, false);
}

#endif
