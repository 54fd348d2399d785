/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to sums: what each op makes of an element, and how it is joined with what was before. An
 * op is a constant argument. */
#ifndef TH_LOOPS_SUMS_TERMS_H
#define TH_LOOPS_SUMS_TERMS_H

#include <TH/THMachine.h>
#include <TH/loops/sums.h>
#include <TH/ops/THReduction.h>

#define COMPUTED_AHEAD 2048 /* bytes */

/* As THReduceTerm_ahead. Processors with AVX2 that read a stream fastest by themselves do not where
 * a line is `computed`, if only converted, with which they see less of it at once (10^7 float32
 * summed: 2.4 ms, so 2; EPYC 7003). */
TH_INLINE int64_t termsAhead(const THReduceTerm *term, bool computed, int64_t size, int64_t more)
{
    const int64_t ahead = THReduceTerm_ahead(term, size, more);
    const bool asks = TH_SUMS == 4 && computed && term->far && THMachine_readAhead == 0;
    return asks && term->follow + more >= COMPUTED_AHEAD / size ? COMPUTED_AHEAD : ahead;
}

enum { SUM, PROD, SQUARES, ABS, CUBES /* of |x| */ };

TH_INLINE double identity(int op)
{
    return op == PROD ? 1 : 0;
}

TH_INLINE THSums all(double x)
{
    return x - (THSums){0};
}

TH_INLINE THSums join(int op, THSums a, THSums b)
{
    return op == PROD ? a * b : a + b;
}

TH_INLINE THSums termOf(int op, THSums x)
{
    switch (op) {
    case SQUARES:
        return x * x;
    case ABS:
        return (THSums)((THSumsBits)x & INT64_MAX);
    case CUBES:
        return x * x * (THSums)((THSumsBits)x & INT64_MAX);
    default:
        return x;
    }
}

/* a joined with the term of x, which is `exact` where a double has room for its square. */
TH_INLINE THSums add(int op, bool exact, THSums a, THSums x)
{
    if (op == SQUARES && exact)
        return THSums_addExact(a, x, x);
    return join(op, a, termOf(op, x));
}

/* The same where nothing waits for the sum. */
TH_INLINE THSums addSoon(int op, bool exact, THSums a, THSums x)
{
    if ((op == SUM || op == ABS) && exact)
        return THSums_addConverted(a, termOf(op, x));
    return add(op, exact, a, x);
}

#ifdef TH_SUMS_NARROW
TH_INLINE THNarrowSums termOfNarrow(int op, THNarrowSums x)
{
    switch (op) {
    case SQUARES:
        return x * x;
    case ABS:
        return (THNarrowSums)((THNarrowSumsBits)x & INT64_MAX);
    case CUBES:
        return x * x * (THNarrowSums)((THNarrowSumsBits)x & INT64_MAX);
    default:
        return x;
    }
}

/* As addSoon. */
TH_INLINE THNarrowSums addNarrow(int op, bool exact, THNarrowSums a, THNarrowSums x)
{
    const THNarrowSums term = termOfNarrow(op, x);
    if (op == PROD)
        return a * term;
    if (op == SQUARES && exact)
        return THNarrowSums_addExact(a, x, x);
    return (op == SUM || op == ABS) && exact ? THNarrowSums_addConverted(a, term) : a + term;
}
#endif

/* The lanes of each of TH_SUMS lines folded by halves. */
TH_INLINE THSums foldLines(int op, THSums *line)
{
#pragma GCC unroll 4
    for (int half = TH_SUMS / 2; half; half /= 2) {
#pragma GCC unroll 4
        for (int i = 0; i < half; i++) {
            const THSums a = line[i], b = line[i + half];
#if TH_SUMS == 8
            if (half == 4)
                line[i] = join(op, TH_SUMS_LOW_4(a, b), TH_SUMS_HIGH_4(a, b));
#endif
#if TH_SUMS >= 4
            if (half == 2)
                line[i] = join(op, TH_SUMS_LOW_2(a, b), TH_SUMS_HIGH_2(a, b));
#endif
            if (half == 1)
                line[i] = join(op, TH_SUMS_LOW_1(a, b), TH_SUMS_HIGH_1(a, b));
        }
    }
    return line[0];
}

#endif
