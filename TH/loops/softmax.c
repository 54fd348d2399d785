/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Softmax: maximum, exponentials and their sum, quotient. Sums are kept in double, in fixed lanes,
 * so that results are the same along and across lines, but for long ones that are cut into pieces:
 * there a piece's terms are over that of its own maximum, then multiplied by that over the line's
 * and the line's sum. As precise, since its maximum is nearer. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/loops/exp.h>
#include <TH/loops/softmax.h>
#include <TH/loops/sums.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define LANES TH_SOFTMAX_LANES
#define WIDE 64  /* elements compared at a time */
#define NEAR 512 /* elements whose terms are summed while they are near */
#define MANY 128 /* elements of a line that are worth calls for all of them */
#define FMA TH_CONCAT_2(FMA_, Real)
#define FMA_Float fmaf
#define FMA_Double fma
#if defined(TH_HAVE_VECTOR_FUNCTIONS)
#define LOG th_log
#else
#define LOG log
#endif
#define MOST TH_CONCAT_2(MOST_, Real)
#define MOST_Float FLT_MAX
#define MOST_Double DBL_MAX
#define INLINE static inline __attribute__((always_inline))

/* n, of which compilers do not know what it is. */
static inline int64_t unknown(int64_t n)
{
    __asm__("" : "+r"(n));
    return n;
}

#define TH_GENERIC_FILE "TH/loops/softmax.c"
#include <TH/THGenerateLoopTypes.h>

#elif defined(TH_CATEGORY_IS_FLOATING)

#include <TH/loops/expLines.h>

/* The largest of n >= `wide` (a constant) elements and `best`; some are seen twice. */
INLINE scalar_t THLoop_(largest)(int wide, int64_t n, const scalar_t *x, scalar_t best)
{
    scalar_t lane[WIDE];
    for (int j = 0; j < wide; j++)
        lane[j] = best;
    for (int64_t i = 0; i < n; i += wide) {
        const scalar_t *restrict v = x + (i < n - wide ? i : n - wide);
#pragma omp simd
        for (int j = 0; j < wide; j++)
            lane[j] = v[j] > lane[j] ? v[j] : lane[j];
    }
#pragma GCC unroll 6
    for (int half = wide / 2; half; half /= 2) {
#pragma omp simd
        for (int j = 0; j < half; j++)
            lane[j] = lane[j + half] > lane[j] ? lane[j + half] : lane[j];
    }
    return lane[0];
}

static void THLoop_(maximumAlong)(int64_t n, int64_t index, const void *x, THSoftmaxState *state)
{
    scalar_t *const maximum = (scalar_t *)state->maxima;
    const scalar_t best = index ? *maximum : (scalar_t)-INFINITY;
    if (n >= WIDE)
        *maximum = THLoop_(largest)(WIDE, n, x, best);
    else if (n >= LANES)
        *maximum = THLoop_(largest)(LANES, n, x, best);
    else
        *maximum = THLoop_(largest)(1, n, x, best);
}

static void THLoop_(maximumAcross)(int64_t n, int64_t index, const void *x, THSoftmaxState *state)
{
    const scalar_t *restrict from = x;
    scalar_t *restrict best = (scalar_t *)state->maxima;
#pragma omp simd
    for (int64_t c = 0; c < n; c++) {
        const scalar_t b = index ? best[c] : (scalar_t)-INFINITY;
        best[c] = from[c] > b ? from[c] : b;
    }
}

/* As many terms as there are lanes; `step` (a constant) leads from a line to the next, or is 0. */
INLINE void THLoop_(part)(int step, const scalar_t *x, const scalar_t *maximum, scalar_t *terms)
{
#pragma omp simd
    for (int j = 0; j < LANES; j++)
        terms[j] = TH_MATH(expTerm)(x[j] - maximum[j * step]);
}

INLINE void THLoop_(add)(bool fresh, const scalar_t *terms, double *restrict lane)
{
#pragma omp simd
    for (int j = 0; j < LANES; j++)
        lane[j] = (fresh ? 0 : lane[j]) + terms[j];
}

/* Of many elements of a line, a multiple of the lanes. */
INLINE void THLoop_(manyParts)(int64_t n, const scalar_t *x, const scalar_t *maximum,
                               scalar_t *terms)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        terms[i] = x[i] - *maximum;
    THLoop_(exps)(n, terms);
}

/* Less than there are lanes, and all of them padded with 0. */
INLINE void THLoop_(lastPart)(int step, int rest, const scalar_t *x, const scalar_t *maximum,
                              scalar_t *terms, scalar_t *padded)
{
#pragma omp simd
    for (int j = 0; j < LANES; j++)
        padded[j] = j < rest ? x[j] : -INFINITY; /* its exponential is 0 */
    THLoop_(part)(step, padded, maximum, padded);
#pragma omp simd
    for (int j = 0; j < LANES; j++)
        if (j < rest)
            terms[j] = padded[j];
}

/* The terms of all; `padded` are the last ones, if they are less than there are lanes. */
INLINE void THLoop_(termsOf)(int step, int64_t n, const scalar_t *x, const scalar_t *maximum,
                             scalar_t *terms, scalar_t *padded)
{
    const int64_t whole = n / LANES * LANES;
    const bool many = step == 0 && whole >= MANY;
    if (many)
        THLoop_(manyParts)(whole, x, maximum, terms);
    for (int64_t i = many ? whole : 0; i < whole; i += LANES)
        THLoop_(part)(step, x + i, maximum + i * step, terms + i);
    if (whole < n)
        THLoop_(lastPart)(step, (int)(n - whole), x + whole, maximum + whole * step, terms + whole,
                          padded);
}

/* Then their sums, since a call of exp leaves no lane in a register. */
INLINE void THLoop_(parts)(int step, bool fresh, int64_t n, const scalar_t *x,
                           const scalar_t *maximum, scalar_t *terms, double *lane)
{
    const int64_t whole = n / LANES * LANES;
    scalar_t padded[LANES];
    THLoop_(termsOf)(step, n, x, maximum, terms, padded);
    for (int64_t i = 0; i < whole; i += LANES)
        THLoop_(add)(fresh, terms + i, lane + i * step);
    if (whole < n)
        THLoop_(add)(fresh, padded, lane + whole * step);
}

static void THLoop_(termsAlong)(int64_t n, int64_t index, const void *x, THSoftmaxState *state,
                                void *terms)
{
    double lane[LANES] = {0};
    if (index)
        memcpy(lane, state->lanes, sizeof lane);
    for (int64_t i = 0; i < n; i += NEAR) {
        const int64_t m = n - i < NEAR ? n - i : NEAR;
        THLoop_(parts)(0, false, m, (const scalar_t *)x + i, (scalar_t *)state->maxima,
                       (scalar_t *)terms + i, lane);
    }
    memcpy(state->lanes, lane, sizeof lane);
}

static void THLoop_(termsAcross)(int64_t n, int64_t index, const void *x, THSoftmaxState *state,
                                 void *terms)
{
    const scalar_t *maximum = (scalar_t *)state->maxima;
    double *lane = state->lanes + index % LANES * state->pitch;
    if (index < LANES)
        THLoop_(parts)(1, true, n, x, maximum, terms, lane);
    else
        THLoop_(parts)(1, false, n, x, maximum, terms, lane);
}

INLINE void THLoop_(foldAlong)(double *lane)
{
#pragma GCC unroll 4
    for (int half = LANES / 2; half; half /= 2) {
#pragma omp simd
        for (int j = 0; j < half; j++)
            lane[j] += lane[j + half];
    }
    lane[0] *= (double)TH_TERM_UNIT;
}

static void THLoop_(foldAcross)(int64_t n, int64_t count, int64_t pitch, double *lanes)
{
    for (int half = LANES / 2; half; half /= 2)
        for (int64_t j = 0; j < half && j + half < count; j++)
            for (int64_t c = 0; c < n; c++)
                lanes[j * pitch + c] += lanes[(j + half) * pitch + c];
    for (int64_t c = 0; c < n; c++)
        lanes[c] *= (double)TH_TERM_UNIT;
}

static void THLoop_(lowest)(THSoftmaxState *state)
{
    scalar_t *const maximum = (scalar_t *)state->maxima;
    *maximum = -MOST;
}

static THSoftmaxExps THLoop_(expsAlong)(THSoftmaxState *state)
{
    const scalar_t *const maximum = (const scalar_t *)state->maxima;
    THLoop_(foldAlong)(state->lanes);
    return (THSoftmaxExps){*maximum, state->lanes[0]};
}

INLINE void THLoop_(divisors)(int64_t n, const double *sums, THSoftmaxState *state)
{
    for (int64_t c = 0; c < n; c++) {
        const scalar_t sum = (scalar_t)sums[c];
        ((scalar_t *)state->divisors)[c] = sum;
        ((scalar_t *)state->inverses)[c] = 1 / sum;
    }
}

INLINE void THLoop_(logarithms)(int64_t n, const double *sums, THSoftmaxState *state)
{
    scalar_t *restrict logarithm = (scalar_t *)state->divisors;
#pragma omp simd
    for (int64_t c = 0; c < n; c++)
        logarithm[c] = (scalar_t)LOG(sums[c]);
}

/* x / y, which is at least 1, by its inverse where that is faster: rounded as a division is, unless
 * the remainder is subnormal (P. Markstein, IA-64 and Elementary Functions, 2000, chapter 8). */
INLINE scalar_t THLoop_(quotient)(scalar_t x, scalar_t y, scalar_t inverse)
{
#ifdef __FMA__
    const scalar_t q = x * inverse;
    return FMA(FMA(-q, y, x), inverse, q) * TH_TERM_UNIT;
#else
    (void)inverse;
    return x / y * TH_TERM_UNIT;
#endif
}

/* Of n elements (constants: `step`, and all of them or LANES) the first `rest`, which `stored` is,
 * too: were all of one condition, compilers would leave anything in the other lanes, and machines
 * take long for subnormal numbers (5000 x 17 float64: 125 us, so 107; Xeon of the fifth
 * generation). */
INLINE void THLoop_(quotients)(int step, int64_t at, int64_t n, int64_t rest, int64_t stored,
                               const scalar_t *x, const THSoftmaxState *state, scalar_t *result)
{
    const scalar_t *restrict divisor = (const scalar_t *)state->divisors + at;
    const scalar_t *restrict inverse = (const scalar_t *)state->inverses + at;
    const scalar_t d = *divisor, v = *inverse;
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        const scalar_t term = i < rest ? x[i] : 0;
        const scalar_t by = !step ? d : i < rest ? divisor[i] : 1;
        const scalar_t inverted = !step ? v : i < rest ? inverse[i] : 1;
        if (i < stored)
            result[i] = THLoop_(quotient)(term, by, inverted);
    }
}

INLINE void THLoop_(differences)(int step, int64_t at, int64_t n, int64_t rest, int64_t stored,
                                 const scalar_t *x, const THSoftmaxState *state, scalar_t *result)
{
    const scalar_t *restrict maximum = (const scalar_t *)state->maxima + at;
    const scalar_t *restrict logarithm = (const scalar_t *)state->divisors + at;
    const scalar_t m = *maximum, l = *logarithm;
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        const scalar_t element = i < rest ? x[i] : 0, most = !step ? m : i < rest ? maximum[i] : 0;
        const scalar_t less = !step ? l : i < rest ? logarithm[i] : 0;
        if (i < stored)
            result[i] = element - most - less;
    }
}

static void THLoop_(softmaxTake)(const THSoftmaxExps *own, const THSoftmaxExps *whole,
                                 THSoftmaxState *state)
{
    const double power = THDouble_expNegative(own->maximum - whole->maximum);
    scalar_t *const maximum = (scalar_t *)state->maxima;
    scalar_t *const factor = (scalar_t *)state->inverses;
    *maximum = (scalar_t)own->maximum;
    *factor = (scalar_t)(power / whole->sum);
}

static void THLoop_(softmaxAgain)(int64_t n, const void *x, const THSoftmaxState *state,
                                  void *terms)
{
    scalar_t padded[LANES];
    THLoop_(termsOf)(0, n, x, (const scalar_t *)state->maxima, terms, padded);
}

static void THLoop_(softmaxAgainAcross)(int64_t n, const void *x, const THSoftmaxState *state,
                                        void *terms)
{
    scalar_t padded[LANES];
    THLoop_(termsOf)(1, n, x, (const scalar_t *)state->maxima, terms, padded);
}

/* `step` (a constant) leads from a line's factor to the next, or is 0. */
INLINE void THLoop_(multiples)(int step, int64_t n, const scalar_t *x, const THSoftmaxState *state,
                               scalar_t *result)
{
    const scalar_t *restrict factor = (const scalar_t *)state->inverses;
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        result[i] = x[i] * factor[i * step] * TH_TERM_UNIT;
}

static void THLoop_(softmaxOfPiece)(int64_t n, const void *x, const THSoftmaxState *state,
                                    void *result)
{
    THLoop_(multiples)(0, n, x, state, result);
}

static void THLoop_(softmaxOfPieces)(int64_t n, const void *x, const THSoftmaxState *state,
                                     void *result)
{
    THLoop_(multiples)(1, n, x, state, result);
}

static void THLoop_(logSoftmaxTake)(const THSoftmaxExps *own, const THSoftmaxExps *whole,
                                    THSoftmaxState *state)
{
    scalar_t *const maximum = (scalar_t *)state->maxima;
    (void)own;
    *maximum = (scalar_t)whole->maximum;
    THLoop_(logarithms)(1, &whole->sum, state);
}

static void THLoop_(logSoftmaxOfPiece)(int64_t n, const void *x, const THSoftmaxState *state,
                                       void *result)
{
    THLoop_(differences)(0, 0, n, n, n, x, state, result);
}

static void THLoop_(logSoftmaxOfPieces)(int64_t n, const void *x, const THSoftmaxState *state,
                                        void *result)
{
    THLoop_(differences)(1, 0, n, n, n, x, state, result);
}

/* What tiles hold of as many columns as there are lanes: the sums of their lanes, then terms. */
#define TILE_SUMS (LANES * LANES)

/* The elements of a row, `rest` of as many as there are lanes, then 0. */
INLINE const scalar_t *THLoop_(rowAt)(int64_t rest, const char *in, int64_t offset, scalar_t *room)
{
    const scalar_t *const x = THLoop_(lineAt)(in, offset);
    if (rest == LANES)
        return x;
#pragma omp simd
    for (int64_t j = 0; j < LANES; j++)
        room[j] = j < rest ? x[j] : 0;
    return room;
}

INLINE void THLoop_(largestOfColumns)(int64_t rest, int64_t steps, const char *in, int64_t inStep,
                                      scalar_t *maxima)
{
    scalar_t lane[LANES], room[LANES];
    for (int j = 0; j < LANES; j++)
        lane[j] = -INFINITY;
    for (int64_t i = 0; i < steps; i++) {
        const scalar_t *x = THLoop_(rowAt)(rest, in, i * inStep, room);
#pragma omp simd
        for (int j = 0; j < LANES; j++)
            lane[j] = x[j] > lane[j] ? x[j] : lane[j];
    }
    memcpy(maxima, lane, sizeof lane);
}

/* The elements less these. */
INLINE void THLoop_(differencesOfColumns)(int64_t rest, int64_t steps, const char *in,
                                          int64_t inStep, const scalar_t *restrict maxima,
                                          scalar_t *restrict terms)
{
    scalar_t room[LANES];
    for (int64_t i = 0; i < steps; i++) {
        const scalar_t *x = THLoop_(rowAt)(rest, in, i * inStep, room);
#pragma omp simd
        for (int j = 0; j < LANES; j++)
            terms[i * LANES + j] = x[j] - maxima[j];
    }
}

INLINE void THLoop_(sumsOfColumns)(int64_t steps, const scalar_t *terms, double *sums)
{
    const int64_t first = steps < LANES ? steps : LANES;
    for (int64_t i = 0; i < first; i++)
        THLoop_(add)(true, terms + i * LANES, sums + i * LANES);
    for (int64_t i = first; i < steps; i++)
        THLoop_(add)(false, terms + i * LANES, sums + (i & (LANES - 1)) * LANES);
    THLoop_(foldAcross)(LANES, steps, LANES, sums);
}

#define SOFTMAX(name, ofTerms, divide, results, again, againAcross)                             \
    static void THLoop_(name##FoldAlong)(int64_t n, int64_t count, THSoftmaxState *state)       \
    {                                                                                           \
        (void)n, (void)count;                                                                   \
        THLoop_(foldAlong)(state->lanes);                                                       \
        THLoop_(divide)(1, state->lanes, state);                                                \
    }                                                                                           \
    static void THLoop_(name##FoldAcross)(int64_t n, int64_t count, THSoftmaxState *state)      \
    {                                                                                           \
        THLoop_(foldAcross)(n, count, state->pitch, state->lanes);                              \
        THLoop_(divide)(n, state->lanes, state);                                                \
    }                                                                                           \
    static void THLoop_(name##Along)(int64_t n, const void *x, const THSoftmaxState *state,     \
                                     void *result)                                              \
    {                                                                                           \
        THLoop_(results)(0, 0, n, n, n, x, state, result);                                      \
    }                                                                                           \
    static void THLoop_(name##Lines)(int64_t count, int64_t n, const void *in, int64_t inStep,  \
                                     void *out, int64_t outStep, int64_t ahead,                 \
                                     THSoftmaxState *state)                                     \
    {                                                                                           \
        const int64_t whole = n / LANES * LANES;                                                \
        double *const sums = state->lanes;                                                      \
        scalar_t *const terms = (scalar_t *)(sums + EXP_MOST);                                  \
        scalar_t *const maxima = (scalar_t *)state->maxima;                                     \
        THLoop_(largestOfLines)(count, n, in, inStep, terms, maxima);                           \
        THLoop_(termsOfLines)(false, count, n, in, inStep, ahead, maxima, terms);               \
        THLoop_(sumsOfLines)(count, TH_SOFTMAX_PADDED(n), terms, sums);                         \
        THLoop_(divide)(count, sums, state);                                                    \
        const int64_t stored = unknown(n - whole);                                              \
        for (int64_t line = 0; line < count; line++) {                                          \
            const scalar_t *x = ofTerms ? terms + line * TH_SOFTMAX_PADDED(n)                   \
                                        : THLoop_(lineAt)(in, line * inStep);                   \
            scalar_t *to = (scalar_t *)((char *)out + line * outStep);                          \
            for (int64_t i = 0; i < whole; i += LANES)                                          \
                THLoop_(results)(0, line, LANES, LANES, LANES, x + i, state, to + i);           \
            THLoop_(results)(0, line, LANES, n - whole, stored, x + whole, state, to + whole);  \
        }                                                                                       \
    }                                                                                           \
    static void THLoop_(name##Across)(int64_t n, const void *x, const THSoftmaxState *state,    \
                                      void *result)                                             \
    {                                                                                           \
        THLoop_(results)(1, 0, n, n, n, x, state, result);                                      \
    }                                                                                           \
    INLINE void THLoop_(name##Columns)(int64_t rest, int64_t steps, const char *in,             \
                                       int64_t inStep, char *out, int64_t outStep,              \
                                       THSoftmaxState *state)                                   \
    {                                                                                           \
        double *const sums = state->lanes;                                                      \
        scalar_t *const terms = (scalar_t *)(sums + TILE_SUMS);                                 \
        scalar_t *const maxima = (scalar_t *)state->maxima;                                     \
        THLoop_(largestOfColumns)(rest, steps, in, inStep, maxima);                             \
        THLoop_(differencesOfColumns)(rest, steps, in, inStep, maxima, terms);                  \
        THLoop_(exps)(steps * LANES, terms);                                                    \
        THLoop_(sumsOfColumns)(steps, terms, sums);                                             \
        THLoop_(divide)(LANES, sums, state);                                                    \
        const int64_t stored = rest == LANES ? rest : unknown(rest);                            \
        for (int64_t i = 0; i < steps; i++) {                                                   \
            const scalar_t *x = ofTerms ? terms + i * LANES : THLoop_(lineAt)(in, i * inStep);  \
            scalar_t *const to = (scalar_t *)(out + i * outStep);                               \
            THLoop_(results)(1, 0, LANES, rest, stored, x, state, to);                          \
        }                                                                                       \
    }                                                                                           \
    static void THLoop_(name##Tile)(int64_t n, int64_t steps, const void *in, int64_t inStep,   \
                                    void *out, int64_t outStep, THSoftmaxState *state)          \
    {                                                                                           \
        const int64_t size = (int64_t)sizeof(scalar_t);                                         \
        const char *from = in;                                                                  \
        char *to = out;                                                                         \
        for (; n >= LANES; n -= LANES, from += LANES * size, to += LANES * size)                \
            THLoop_(name##Columns)(LANES, steps, from, inStep, to, outStep, state);             \
        if (n > 0)                                                                              \
            THLoop_(name##Columns)(n, steps, from, inStep, to, outStep, state);                 \
    }                                                                                           \
    TH_SOFTMAX_DECLARE(THLoop_(name));                                                          \
    const THSoftmaxLoops THLoop_(name)[2] = {                                                   \
        {ofTerms, THLoop_(maximumAlong), THLoop_(termsAlong), THLoop_(name##FoldAlong),         \
         THLoop_(name##Along), THLoop_(name##Lines), NULL, THLoop_(lowest), THLoop_(expsAlong), \
         THLoop_(name##Take), again, THLoop_(name##OfPiece)},                                   \
        {ofTerms, THLoop_(maximumAcross), THLoop_(termsAcross), THLoop_(name##FoldAcross),      \
         THLoop_(name##Across), NULL, THLoop_(name##Tile), NULL, NULL, NULL, againAcross,       \
         THLoop_(name##OfPieces)},                                                              \
    };

SOFTMAX(softmax, true, divisors, quotients, THLoop_(softmaxAgain), THLoop_(softmaxAgainAcross))
SOFTMAX(logSoftmax, false, logarithms, differences, NULL, NULL)

#undef SOFTMAX

#endif
