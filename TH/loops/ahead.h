/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For loops across rows: how many are read at once, and short ones, which the machine by itself
 * does not fetch early enough. */
#ifndef TH_LOOPS_AHEAD_H
#define TH_LOOPS_AHEAD_H

#include <TH/THMachine.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THReduction.h>

#define TH_AHEAD_BYTES 2048    /* of a row; longer ones the machine fetches better */
#define TH_AHEAD_WITHIN 1024   /* bytes ahead in each of several rows that it follows */
#define TH_AHEAD_BEHIND 16384  /* ... where rows are short, and lie one behind the other */
#define TH_AHEAD_IN_TURN 16384 /* of a row read in turn: its results stay in the first cache */
#define TH_AHEAD_PIECE 4       /* registers of each row that are read together */
/* Rows that are read at once at most: more than machines follow take longer (16 of 2.5 MB each: 1.7
 * ms, by eights .83; EPYC 9004). */
#define TH_AHEAD_FOLLOWED 12

/* What a row that is read in turn is to the sums of its eight: the first one, one of those between,
 * the last one, after which they are added to those of all. */
typedef enum THTurn { TH_TURN_BEGINS, TH_TURN_GOES_ON, TH_TURN_ENDS } THTurn;

/* How many of nrows > 0 rows are read at once, in as few groups as can be. */
static inline __attribute__((always_inline)) int64_t THAhead_group(int64_t nrows)
{
    const int64_t groups = (nrows - 1) / TH_AHEAD_FOLLOWED + 1;
    return (nrows - 1) / groups + 1;
}

static inline __attribute__((always_inline)) bool THAhead_helps(const THReduceTerm *term,
                                                                int64_t bytes)
{
    return term->far && bytes < TH_AHEAD_BYTES && (!THMachine_followsRows || !term->end);
}

/* Asks for `bytes` of each of the `count` next rows. */
static inline __attribute__((always_inline)) void
THAhead_ask(const void *const *next, int64_t count, int64_t offset, int64_t bytes)
{
    for (int64_t r = 0; r < count; r++)
        THMove_prefetch((const char *)next[r] + offset, bytes, false);
}

/* How much further rows lie that come so many bytes later than some, of which there are two or
 * more; 0: these overlap, or do not lie one behind the other. */
static inline __attribute__((always_inline)) int64_t THAhead_later(const void *const *rows,
                                                                   int64_t bytes, int64_t behind)
{
    const int64_t stride = (int64_t)((uintptr_t)rows[1] - (uintptr_t)rows[0]);
    return stride < bytes ? 0 : (behind + bytes - 1) / bytes * stride;
}

/* How much further lies what is asked for of rows that are read in turn: the same rows of a later
 * tile, or later rows. */
static inline __attribute__((always_inline)) int64_t THAhead_soon(const THReduceTerm *term,
                                                                  const void *const *rows,
                                                                  int64_t bytes)
{
    return term->beside != 0 ? term->beside : THAhead_later(rows, bytes, TH_AHEAD_SOON);
}

/* Are rows of far memory, of TH_AHEAD_IN_TURN bytes at most, read one after the other? Some
 * machines follow one better than several, and ask for what comes next; short ones have to be
 * neighbours (sum over the first dim of 10000 x 1000 float32: 1550 us, so 800; EPYC 9005). */
static inline __attribute__((always_inline)) bool
THAhead_inTurn(const THReduceTerm *term, const void *const *rows, int64_t nrows, int64_t bytes)
{
    if (!term->far || !term->end || nrows < 2 || bytes > TH_AHEAD_IN_TURN || !THMachine_readsInTurn)
        return false;
    const int64_t stride = (int64_t)((uintptr_t)rows[1] - (uintptr_t)rows[0]);
    return stride >= bytes && (bytes >= TH_AHEAD_BYTES || stride - bytes <= bytes / 2);
}

/* How many bytes ahead of what is read of rows that the machine follows it is asked for, 0: not at
 * all. What lies behind short rows is read when it comes to rows as far behind these. */
static inline __attribute__((always_inline)) int64_t THAhead_shift(const THReduceTerm *term,
                                                                   const void *const *rows,
                                                                   int64_t nrows, int64_t bytes,
                                                                   bool asks)
{
    if (!term->end || !term->far || !THMachine_followsRows || nrows < 2 || !asks)
        return 0;
    if (bytes >= TH_AHEAD_BYTES)
        return TH_AHEAD_WITHIN;
    return THAhead_later(rows, bytes, TH_AHEAD_BEHIND);
}

/* Are there `bytes` of the operand from here on? */
static inline __attribute__((always_inline)) bool THAhead_isThere(const THReduceTerm *term,
                                                                  const void *from, int64_t bytes)
{
    return (uintptr_t)from + (uintptr_t)bytes <= (uintptr_t)term->end;
}

#endif
