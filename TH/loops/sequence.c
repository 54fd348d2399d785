/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sequences of numbers (TH/ops/THSequence.h). */
#include <TH/ops/THSequence.h>

/* Positions are counted from those of pieces, as an int: a number that every instruction set turns
 * into doubles in vectors, and sums that are exact. */
#define COUNT(name, type)                                              \
    static void TH_ISA_(name)(const THPiece *piece, type *to)          \
    {                                                                  \
        const THPiece p = *piece;                                      \
        const double back = -p.step;                                   \
        for (int32_t i = 0; i < p.forward; i++)                        \
            to[i] = (type)(p.start + p.step * (p.before + (double)i)); \
        for (int32_t i = p.forward; i < p.n; i++)                      \
            to[i] = (type)(p.end + back * (p.after - (double)i));      \
    }
COUNT(doubles, double)
COUNT(floats, float)

#define COUNT_WHOLE(name, type)                                          \
    static void TH_ISA_(name)(int64_t n, type origin, type by, type *to) \
    {                                                                    \
        type value = origin;                                             \
        for (int64_t i = 0; i < n; i++, value = (type)(value + by))      \
            to[i] = value;                                               \
    }
COUNT_WHOLE(longs, int64_t)
COUNT_WHOLE(ints, int32_t)

TH_SEQUENCE_DECLARE(TH_ISA_(th_sequences));
const THSequenceLoops TH_ISA_(th_sequences)[1] = {
    {TH_ISA_(doubles), TH_ISA_(floats), TH_ISA_(longs), TH_ISA_(ints)}};
