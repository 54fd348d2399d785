/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of the reductions of floating-point numbers that are used most; THReduction.h says
 * what each must do and in which order it is added. An op is a constant argument of the inlined
 * functions below, which gives every op loops of its own. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/THMachine.h>
#include <TH/loops/ahead.h>
#include <TH/loops/sumsTerms.h>
#include <TH/ops/THReduction.h>
#include <math.h>

#define LANES TH_REDUCE_LANES /* of a line */
#define FEW 8                 /* lanes of what is left of it */
#define PARTS (FEW / TH_SUMS)
#define TOGETHER (TH_SUMS < 4 ? TH_SUMS : 4) /* lines */
#define NEAR 1024    /* bytes ahead that the first cache gets too late by itself */
#define FAR_LINE 512 /* doubles */
/* ... where a machine reads one stream faster than four: each is asked for as it is read (sum of
 * dim 1 of 200000 x 50 float64: 2.4 ms, so 1.95; EPYC 9005). */
#define ALONE_LINE 32
#define PIECE TH_AHEAD_PIECE
/* So many registers of lanes are added at a time: all, but of narrow ones every fourth, so that
 * each pass reads all lines of the cache in order. Memory waits for further passes (sum of 10^7
 * float64 by halves of 16 registers 7.2 ms, all at once 4.6; EPYC 7003). */
#define REGISTERS (TH_SUMS < 4 ? 8 : LANES / TH_SUMS)
#define GROUPS (LANES / (REGISTERS * TH_SUMS))
/* Bytes that one pass takes before the next. */
#define NEAR_BLOCK 8192
/* For old machines quick to compile: without what only some calls are faster by. */
enum { OLD = TH_SUMS == 2 };
#define IS_FAR(op) (OLD ? (op) == SUM : (op) != CUBES) /* has a function for far memory */
_Static_assert(LANES % (REGISTERS * TH_SUMS) == 0 && FEW % TH_SUMS == 0, "whole registers");

/* Columns of which the first cache keeps the sums of eight rows and those of all. */
#define IN_TURN_COLUMNS 2048

/* As termsAhead; of what is near already a little ahead, which made sums of 10^5 floats 1.1 times
 * faster. */
TH_INLINE int64_t aheadOf(const THReduceTerm *term, bool exact, int64_t size, int64_t more)
{
    const int64_t ahead = termsAhead(term, exact, size, more);
    const bool asks = ahead == 0 && THMachine_readAhead > 0;
    return asks && term->follow + more >= NEAR / size ? NEAR : ahead;
}

/* How long lines of doubles in far memory are that have a function of their own. */
TH_INLINE int64_t farLine(const THReduceTerm *term, bool adjacent)
{
    if (adjacent && term->end && THMachine_readsInTurn)
        return ALONE_LINE;
    if (THMachine_readAhead > 0)
        return FAR_LINE;
    return THMachine_halvesRegisters ? FEW : INT64_MAX;
}

/* Once for all ops: it has an element of each chunk. */
static __attribute__((noinline)) void combine(int op, int64_t n, double *acc, const double *next)
{
    for (int64_t i = 0; i < n; i++)
        acc[i] = op == PROD ? acc[i] * next[i] : acc[i] + next[i];
}

TH_REDUCE_SCALE_DECLARE(TH_ISA_(th_scale));
void TH_ISA_(th_scale)(int64_t n, double *acc, double divisor, bool narrow, bool rooted)
{
#if defined(__FMA__)
    /* The same quotients in a quarter of the time: one from the reciprocal is off by 1.5 units in
     * the last place at most, and what it leaves corrects it (P. Markstein, Computation of
     * elementary functions on the IBM RISC System/6000 processor, 1990). Rounding in that is less
     * than 2^-51 of a unit, and a quotient by a whole number below 2^40 is at least 2^-41 from
     * where it would be rounded to another. */
    const bool corrects = narrow && divisor < 0x1p40 && divisor == (double)(int64_t)divisor;
    const double inverse = 1 / divisor;
    for (int64_t i = 0; i < n && corrects && divisor != 1; i++) {
        const double quotient = acc[i] * inverse;
        const double left = __builtin_fma(-quotient, divisor, acc[i]); /* NaN of what is infinite */
        const double corrected = __builtin_fma(left, inverse, quotient);
        acc[i] = fabs(left) > 0 ? corrected : quotient;
    }
    if (corrects)
        divisor = 1;
#endif
    (void)narrow;
    THReduce_scale(n, acc, divisor, rooted);
}

/* Columns of a row: a register of them, some, or the last ones of more than a register has. */
typedef enum Strip { STRIP, NARROW_STRIP, LAST_STRIP } Strip;

#define TH_GENERIC_FILE "TH/loops/sums.c"
#include <TH/THGenerateDoubleType.h>
#include <TH/THGenerateFloatType.h>
#ifdef TH_SUMS_HALVES
#include <TH/THGenerateHalfType.h>
#endif

#else

#define EXACT (sizeof(storage_t) < sizeof(double))
#define ITEM ((int64_t)sizeof(storage_t))
#define LINE (64 / (int)sizeof(storage_t)) /* elements of a line of the cache */
/* Short lines are not asked for in `linesBy`. */
#define UNASKED(op) (((EXACT || !IS_FAR(op) ? LANES : ALONE_LINE) - 1) * ITEM)
#define LOAD(x) TH_CONCAT_2(THSums_of, Real)(x)
#define LOAD_SOME(x, n) TH_CONCAT_2(THSums_someOf, Real)(x, n)
#if defined(TH_SUMS_NARROW) && !defined(TH_REAL_IS_HALF)
#define NARROW TH_SUMS_NARROW
#define LOAD_NARROW(x) TH_CONCAT_2(THNarrowSums_of, Real)(x)
#ifdef TH_REAL_IS_FLOAT /* of every second float registers are faster whole */
#define IS_NARROW(step) ((step) == 1)
#define LOAD_NARROW_BY(step, x) LOAD_NARROW(x)
#else
#define IS_NARROW(step) true
#define LOAD_NARROW_BY(step, x) ((step) == 2 ? THNarrowSums_ofEverySecondDouble(x) : LOAD_NARROW(x))
#endif
#endif

/* Of every second element, where `step` (a constant) is 2, else 1. */
#ifdef TH_REAL_IS_HALF
#define LOAD_BY(step, x) ((void)(step), LOAD(x))
#define LOAD_SOME_BY(step, x, n) ((void)(step), LOAD_SOME(x, n))
#else
#define SECOND(x, n) TH_CONCAT_2(THSums_ofEverySecond, Real)(x, n)
#define LOAD_BY(step, x) ((step) == 2 ? SECOND(x, TH_SUMS) : LOAD(x))
#define LOAD_SOME_BY(step, x, n) ((step) == 2 ? SECOND(x, n) : LOAD_SOME(x, n))
#endif

/* n elements that end a line of TH_SUMS or more, or that begin one which others follow so far apart
 * that a register may be read. */
#if TH_SUMS == 8 && !defined(TH_REAL_IS_HALF)
#define LOAD_END(x, n) THSums_last(LOAD((x) + (n) - TH_SUMS), n)
#define LOAD_BEGIN(x, n) THSums_first(LOAD(x), n)
#else
#define LOAD_END(x, n) LOAD_SOME(x, n)
#define LOAD_BEGIN(x, n) LOAD_SOME(x, n)
#endif

/* Halves are added in fours, of which the elements lie so far apart in a line. */
#ifdef TH_REAL_IS_HALF
#define FOURS(op) ((op) == SUM)
#define FOUR(a, b, c, d, n) THSums_ofFourHalves(a, b, c, d, n)
#else
#define FOURS(op) false
#define FOUR(a, b, c, d, n) LOAD(a)
#endif

#ifdef NARROW
/* Whether a line of n elements takes less time in registers of half the length: a short one does,
 * and one of which more than a few registers are added; between them it is folded twice as often
 * (10^6 float32 in lines of 64: 121 us, by whole ones 105; of 50 143, so 100; EPYC 9004). */
TH_INLINE bool THLoop_(isNarrow)(int64_t n)
{
    return THMachine_halvesRegisters && (n < LANES || n >= 2 * LANES);
}

/* As `wholes`, in such registers. */
TH_INLINE int64_t THLoop_(narrowWholes)(int op, int step, bool asked, int64_t n, const storage_t *x,
                                        int64_t ahead, THSums *sums)
{
    THNarrowSums lane[LANES / NARROW];
    const int64_t whole = n - n % LANES;
#pragma GCC unroll 16
    for (int k = 0; k < LANES / NARROW; k++)
        lane[k] = identity(op) - (THNarrowSums){0};
    for (int64_t i = 0; i < whole; i += LANES) {
        if (asked && ahead)
            THMove_prefetchAhead(x + step * i, ahead, step * LANES * ITEM);
#pragma GCC unroll 16
        for (int k = 0; k < LANES / NARROW; k++)
            lane[k] =
                addNarrow(op, EXACT, lane[k], LOAD_NARROW_BY(step, x + step * (i + k * NARROW)));
    }
#pragma GCC unroll 4
    for (int half = LANES / NARROW / 2; half >= 2; half /= 2)
#pragma GCC unroll 8
        for (int k = 0; k < half; k++)
            lane[k] = op == PROD ? lane[k] * lane[k + half] : lane[k] + lane[k + half];
    *sums = THSums_ofNarrow(lane[0], lane[1]);
    return whole;
}
#endif

/* The whole LANES of a line, folded to FEW; what is `ahead` bytes is `asked` for. Returns how many
 * elements these were. */
TH_INLINE int64_t THLoop_(wholes)(int op, int step, bool asked, int64_t n, const storage_t *x,
                                  int64_t ahead, THSums *sums)
{
    THSums lane[LANES / TH_SUMS];
    const int64_t whole = n - n % LANES;
#ifdef NARROW
    if (IS_NARROW(step) && asked && THLoop_(isNarrow)(n))
        return THLoop_(narrowWholes)(op, step, asked, n, x, ahead, sums);
#endif
    const int64_t block = GROUPS == 1 ? whole : NEAR_BLOCK / (step * ITEM);
#pragma GCC unroll 32
    for (int k = 0; k < LANES / TH_SUMS; k++)
        lane[k] = all(identity(op));
    for (int64_t first = 0, end; first < whole; first = end) {
        end = whole - first < block ? whole : first + block;
        const int64_t fours = FOURS(op) ? end - end % (4 * LANES) : 0;
#pragma GCC unroll 1
        for (int group = 0; group < GROUPS; group++) {
            THSums a[REGISTERS];
#pragma GCC unroll 16 /* REGISTERS */
            for (int k = 0; k < REGISTERS; k++)
                a[k] = lane[k * GROUPS + group];
            int64_t i = first;
            for (; i < fours; i += 4 * LANES) {
                if (asked && ahead && group == 0)
                    THMove_prefetchAhead(x + i, ahead, 4 * LANES * ITEM);
#pragma GCC unroll 16 /* REGISTERS */
                for (int k = 0; k < REGISTERS; k++) {
                    const storage_t *from = x + i + (k * GROUPS + group) * TH_SUMS;
                    a[k] += FOUR(from, from + LANES, from + 2 * LANES, from + 3 * LANES, TH_SUMS);
                }
            }
            for (; i < end; i += LANES) {
                if (asked && ahead && group == 0)
                    THMove_prefetchAhead(x + step * i, ahead, step * LANES * ITEM);
#pragma GCC unroll 16 /* REGISTERS */
                for (int k = 0; k < REGISTERS; k++) {
                    const storage_t *from = x + step * (i + (k * GROUPS + group) * TH_SUMS);
                    a[k] = addSoon(op, EXACT, a[k], LOAD_BY(step, from));
                }
            }
#pragma GCC unroll 16 /* REGISTERS */
            for (int k = 0; k < REGISTERS; k++)
                lane[k * GROUPS + group] = a[k];
        }
    }
#pragma GCC unroll 8
    for (int half = LANES / 2 / TH_SUMS; half >= PARTS; half /= 2)
#pragma GCC unroll 16
        for (int k = 0; k < half; k++)
            lane[k] = join(op, lane[k], lane[k + half]);
#pragma GCC unroll 4
    for (int k = 0; k < PARTS; k++)
        sums[k] = lane[k];
    return whole;
}

/* The terms of n <= TH_SUMS elements, then the identity. */
TH_INLINE THSums THLoop_(padded)(int op, THSums elements, int n)
{
    const THSums terms = termOf(op, elements);
    return op == PROD ? THSums_keep(terms, n, identity(op)) : terms;
}

/* A line whose first elements, up to `i`, are in FEW lanes, in TH_SUMS lanes with the rest. */
TH_INLINE THSums THLoop_(rest)(int op, int step, int64_t n, int64_t i, const storage_t *x,
                               THSums *sums)
{
    if (i < n) {
#if TH_SUMS < FEW /* of one part gcc would make a loop all the same */
#pragma GCC unroll 4
#endif
        for (int k = 0; k < PARTS; k++) {
            const int left = (int)(n - i) - k * TH_SUMS;
            const storage_t *from = x + step * (i + k * TH_SUMS);
            if (left >= TH_SUMS)
                sums[k] = add(op, EXACT, sums[k], LOAD_BY(step, from));
            else if (left > 0) {
                const int some = TH_SUMS == 2 ? 1 : left;
                const THSums elements =
                    step == 2 ? LOAD_SOME_BY(step, from, some) : LOAD_END(from, some);
                sums[k] = join(op, sums[k], THLoop_(padded)(op, elements, some));
            }
        }
    }
#pragma GCC unroll 4
    for (int half = PARTS / 2; half; half /= 2)
        for (int k = 0; k < half; k++)
            sums[k] = join(op, sums[k], sums[k + half]);
    return sums[0];
}

/* A line in TH_SUMS lanes. */
TH_INLINE THSums THLoop_(line)(int op, int step, bool asked, int64_t n, const storage_t *x,
                               int64_t ahead)
{
    THSums sums[PARTS];
    int64_t i = 0;
#pragma GCC unroll 4
    for (int k = 0; k < PARTS; k++)
        sums[k] = all(identity(op));
    if (n >= LANES)
        i = THLoop_(wholes)(op, step, asked, n, x, ahead, sums);
#ifdef NARROW
    if (step == 1 && asked && THLoop_(isNarrow)(n)) {
        THNarrowSums low = THNarrowSums_low(sums[0]), high = THNarrowSums_high(sums[0]);
        for (; i + FEW <= n; i += FEW) {
            low = addNarrow(op, EXACT, low, LOAD_NARROW(x + i));
            high = addNarrow(op, EXACT, high, LOAD_NARROW(x + i + NARROW));
        }
        *sums = THSums_ofNarrow(low, high);
    }
#endif
    for (; i + FEW <= n; i += FEW)
#pragma GCC unroll 4
        for (int k = 0; k < PARTS; k++)
            sums[k] = add(op, EXACT, sums[k], LOAD_BY(step, x + step * (i + k * TH_SUMS)));
    return THLoop_(rest)(op, step, n, i, x, sums);
}

#ifdef NARROW
/* The whole FEW of a short line, `whole` elements, in registers of half the length. */
TH_INLINE THSums THLoop_(narrowFews)(int op, int64_t whole, const storage_t *x)
{
    THNarrowSums low = identity(op) - (THNarrowSums){0}, high = low;
    for (int64_t i = 0; i < whole; i += FEW) {
        low = addNarrow(op, EXACT, low, LOAD_NARROW(x + i));
        high = addNarrow(op, EXACT, high, LOAD_NARROW(x + i + NARROW));
    }
    return THSums_ofNarrow(low, high);
}
#endif

/* The whole FEW of TOGETHER short lines, some elements of each in turn. */
TH_INLINE void THLoop_(fewsInTurn)(int op, int step, int64_t whole, const char *data,
                                   int64_t stride, THSums (*sums)[PARTS])
{
#pragma GCC unroll 4 /* TOGETHER */
    for (int l = 0; l < TOGETHER; l++)
        for (int k = 0; k < PARTS; k++)
            sums[l][k] = all(identity(op));
    for (int64_t i = 0; i < whole; i += FEW)
#pragma GCC unroll 4 /* TOGETHER */
        for (int l = 0; l < TOGETHER; l++)
#pragma GCC unroll 4
            for (int k = 0; k < PARTS; k++) {
                const storage_t *x = (const storage_t *)(data + l * stride);
                sums[l][k] =
                    addSoon(op, EXACT, sums[l][k], LOAD_BY(step, x + step * (i + k * TH_SUMS)));
            }
}

/* TOGETHER lines of less than LANES elements, each as `line` adds it. In whole registers they take
 * less time in turn, as one alone would wait for every addition (10^5 float64 in lines of 16: 28
 * us, so 24; Xeon); in halves they are as many streams within a page (10^6 float64 in lines of 50:
 * 185 us, one after the other 120; EPYC 9004). */
TH_INLINE void THLoop_(shortLines)(int op, int step, bool narrow, int64_t n, const char *data,
                                   int64_t stride, THSums *line)
{
    THSums sums[TOGETHER][PARTS];
    const int64_t whole = n - n % FEW;
    if (!narrow)
        THLoop_(fewsInTurn)(op, step, whole, data, stride, sums);
#pragma GCC unroll 4 /* TOGETHER */
    for (int l = 0; l < TOGETHER; l++) {
        const storage_t *x = (const storage_t *)(data + l * stride);
#ifdef NARROW
        if (narrow)
            sums[l][0] = THLoop_(narrowFews)(op, whole, x);
#endif
        line[l] = THLoop_(rest)(op, step, n, whole, x, sums[l]);
    }
}

#include <TH/loops/sumsColumns.h>

/* TURNED lines of 2 to SHORT elements as if they were in lanes that are folded by halves. */
TH_INLINE void THLoop_(turnedLines)(int op, int64_t n, const storage_t *x, double *acc)
{
    _Alignas(64) double columns[SHORT * TURNED];
    THLoop_(turn)(n, x, columns);
#pragma GCC unroll 1
    for (int i = 0; i < TURNED; i += TH_SUMS) {
        THSums sums[2];
        for (int j = 0; j < 2; j++) {
            const double *column = columns + j * TURNED + i;
            sums[j] = join(op, all(identity(op)), termOf(op, THSums_ofDouble(column)));
            if (j + 2 < n)
                sums[j] = join(op, sums[j], termOf(op, THSums_ofDouble(column + 2 * TURNED)));
        }
        sums[0] = join(op, sums[0], sums[1]);
        memcpy(acc + i, sums, sizeof *sums);
    }
}

TH_INLINE void THLoop_(linesBy)(int op, int step, bool asked, int64_t nlines, int64_t n,
                                const char *data, int64_t stride, double *acc,
                                const THReduceTerm *term)
{
    const int64_t size = step * ITEM, next = stride == n * size ? n : 0;
    const bool together = !OLD && n > TH_SUMS && n < LANES;
    const bool apart = step == 1 && term->far && stride - n * ITEM >= TH_SUMS * ITEM;
#ifdef NARROW
    const bool narrow = step == 1 && THLoop_(isNarrow)(n);
#else
    const bool narrow = false;
#endif
    for (int64_t first = 0; first < nlines; first += TH_SUMS) {
        const int count = nlines - first < TH_SUMS ? (int)(nlines - first) : TH_SUMS;
        THSums line[TH_SUMS];
        for (int i = 0; i < count && n <= TH_SUMS; i++) {
            const int64_t at = first + i;
            const storage_t *x = (const storage_t *)(data + at * stride);
            const int64_t ahead = THReduceTerm_ahead(term, size, (nlines - 1 - at) * next);
            /* Loads of some lanes do not make the hardware look ahead. */
            if (ahead)
                THMove_prefetchAhead(x, ahead, 1);
            const THSums elements =
                apart && at + 1 < nlines ? LOAD_BEGIN(x, (int)n) : LOAD_SOME_BY(step, x, (int)n);
            line[i] = join(op, all(identity(op)), THLoop_(padded)(op, elements, (int)n));
        }
        const bool whole = together && count == TH_SUMS;
        for (int i = 0; i < count && whole && narrow; i += TOGETHER)
            THLoop_(shortLines)(op, step, true, n, data + (first + i) * stride, stride, line + i);
        for (int i = 0; i < count && whole && !narrow; i += TOGETHER)
            THLoop_(shortLines)(op, step, false, n, data + (first + i) * stride, stride, line + i);
        for (int i = 0; i < count && n > TH_SUMS && !whole; i++) {
            const int64_t at = first + i;
            const int64_t ahead =
                n < LANES || !asked ? 0 : aheadOf(term, EXACT, size, (nlines - 1 - at) * next);
            line[i] =
                THLoop_(line)(op, step, asked, n, (const storage_t *)(data + at * stride), ahead);
        }
        for (int i = count; i < TH_SUMS; i++)
            line[i] = all(0);
        const THSums sums = foldLines(op, line);
        for (int i = 0; i < count && count < TH_SUMS; i++)
            acc[first + i] = sums[i];
        if (count == TH_SUMS)
            memcpy(acc + first, &sums, sizeof sums);
    }
}

/* Lines of FEW doubles or more, one after the other, all of which is asked for. */
TH_INLINE void THLoop_(linesAlone)(int op, int64_t nlines, int64_t n, const char *data,
                                   int64_t stride, double *acc, const THReduceTerm *term)
{
    const int64_t size = ITEM, next = stride == n * size ? n : 0;
    for (int64_t first = 0; first < nlines; first += TH_SUMS) {
        const int count = nlines - first < TH_SUMS ? (int)(nlines - first) : TH_SUMS;
        THSums line[TH_SUMS] = {0};
        for (int i = 0; i < count; i++) {
            const storage_t *x = (const storage_t *)(data + (first + i) * stride);
            const int64_t ahead = aheadOf(term, EXACT, size, (nlines - 1 - first - i) * next);
            if (ahead) /* `wholes` does more */
                THMove_prefetchAhead(x + (n - n % LANES), ahead, n % LANES * ITEM);
            line[i] = THLoop_(line)(op, 1, true, n, x, ahead);
        }
        const THSums sums = foldLines(op, line);
        memcpy(acc + first, &sums, (size_t)count * sizeof *acc);
    }
}

/* Doubles gain by being asked for, or by half registers, in lines of far memory only, which have a
 * function of their own: within the others' it would take time from short lines. Cubes, which are
 * rare, go without.
 */
#define FAR(op)                                                          \
    case op:                                                             \
        if (IS_FAR(op))                                                  \
            THLoop_(linesAlone)(op, nlines, n, data, stride, acc, term); \
        break;
TH_ONCE void THLoop_(farLines)(int op, int64_t nlines, int64_t n, const char *data, int64_t stride,
                               double *acc, const THReduceTerm *term)
{
    switch (op) {
        FAR(SUM)
        FAR(PROD)
        FAR(SQUARES)
        FAR(ABS)
    }
}
#undef FAR

TH_INLINE void THLoop_(lines)(int op, int64_t nlines, int64_t n, const char *data, int64_t stride,
                              double *acc, const THReduceTerm *term)
{
    const bool adjacent = stride == n * ITEM;
    const bool turns = n > 1 && n <= SHORT && adjacent;
    for (; turns && nlines >= TURNED; nlines -= TURNED, data += TURNED * stride, acc += TURNED) {
        const int64_t ahead = THReduceTerm_ahead(term, ITEM, (nlines - TURNED) * n);
        if (ahead)
            THMove_prefetchAhead(data, ahead, TURNED * stride);
        THLoop_(turnedLines)(op, n, (const storage_t *)data, acc);
    }
    if (EXACT)
        THLoop_(linesBy)(op, 1, true, nlines, n, data, stride, acc, term);
    else if (IS_FAR(op) && term->far && n >= farLine(term, adjacent))
        THLoop_(farLines)(op, nlines, n, data, stride, acc, term);
    else
        THLoop_(linesBy)(op, 1, false, nlines, n, data, stride, acc, term);
}

#include <TH/loops/sumsRows.h>

#ifdef TH_REAL_IS_HALF
#define SUM_OF_EVERY_SECOND NULL
#else
#define SUM_OF_EVERY_SECOND THLoop_(sumOfEverySecond)
static void THLoop_(sumOfEverySecond)(int64_t nlines, int64_t n, const void *x, int64_t stride,
                                      void *acc, const THReduceTerm *term)
{
    THLoop_(linesBy)(SUM, 2, true, nlines, n, x, stride, acc, term);
}
#endif
#define SUMS(name, op, second) \
    TH_REDUCE_DEFINE(name, op, THLoop_(lines), THLoop_(rows), combine, second, UNASKED(op))
SUMS(sum, SUM, SUM_OF_EVERY_SECOND)
SUMS(squares, SQUARES, NULL)
#ifndef TH_REAL_IS_HALF
SUMS(prod, PROD, NULL)
SUMS(abs, ABS, NULL)
SUMS(cubes, CUBES, NULL)
#endif

#undef EXACT
#undef UNASKED
#undef LINE
#undef ITEM
#undef LOAD
#undef LOAD_SOME
#undef NARROW
#undef LOAD_NARROW
#undef LOAD_NARROW_BY
#undef IS_NARROW
#undef SECOND
#undef LOAD_BY
#undef LOAD_SOME_BY
#undef LOAD_END
#undef LOAD_BEGIN
#undef SUMS
#undef SUM_OF_EVERY_SECOND
#undef FOURS
#undef FOUR

#endif
