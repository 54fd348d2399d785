/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of moves share: those of rows, and asking for what comes soon. */
#ifndef TH_LOOPS_MOVES_H
#define TH_LOOPS_MOVES_H

#include <TH/THIsa.h>
#include <TH/engine/THMove.h>

/* Parts of th_moves (moveRows.c). */
void TH_ISA_(th_moveRows)(char *to, int64_t toStride, const char *from, int64_t fromStride,
                          int64_t rows, int64_t bytes);
void TH_ISA_(th_movePlanes)(const THMovedPlanes *planes);
void TH_ISA_(th_streamRows)(char *to, int64_t toStride, const char *from, int64_t fromStride,
                            int64_t rows, int64_t bytes);
void TH_ISA_(th_streamParts)(const THStreamedParts *parts);
void TH_ISA_(th_streamWord)(char *to, int64_t bytes, uint64_t word);
void TH_ISA_(th_moveIndexedRows)(const THIndexedRows *rows);

#define INLINE static inline __attribute__((always_inline))

/* In loops over any stride: instructions that gather and scatter are slower than single moves. In
 * short loops: looking whether vectors are possible takes longer than these. */
#define ONE_BY_ONE __asm__ volatile("" ::: "memory")

/* The hardware may not look ahead of what is written, with steps none does. */
#define AHEAD 2048
INLINE void askAhead(const char *place)
{
    __builtin_prefetch((const void *)((uintptr_t)place + AHEAD), 1);
}

/* Places so far ahead may be beyond the memory. */
INLINE void askFor(const char *to, int64_t toAhead, const char *from, int64_t fromAhead)
{
    __builtin_prefetch((const void *)((uintptr_t)to + (uintptr_t)toAhead), 1);
    __builtin_prefetch((const void *)((uintptr_t)from + (uintptr_t)fromAhead));
}

INLINE void askToRead(const char *from, int64_t later)
{
    __builtin_prefetch((const void *)((uintptr_t)from + (uintptr_t)later));
}

/* Of rows that are read from their ends, or the last one first: how far those lie that come
 * BACKWARDS_AHEAD bytes later, which processors that look ahead of all do not foresee (10^7 uint8
 * in rows of 3162 flipped: 420 us, asked for 216; EPYC 9005). 0 where asking gains nothing. */
#define FORESEEN_ROW 65536
#define BACKWARDS_AHEAD 9216
INLINE int64_t rowsLater(int64_t stride)
{
    const int64_t apart = stride < 0 ? -stride : stride;
    if (apart == 0 || apart >= FORESEEN_ROW || THMachine_asksForWrites)
        return 0;
    return (BACKWARDS_AHEAD + apart - 1) / apart * stride;
}

#endif
