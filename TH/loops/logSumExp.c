/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of logsumexp; THReduction.h says what each must do.
 *
 * Elements are read once: of each PIECE of a line the maximum so far, then the sum of exponentials
 * over that of it; where the maximum grew, the sum before is made smaller. Element i of a piece is
 * in lane i % LANES of its sum, and lanes are folded by halves, along lines and across them. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/loops/exp.h>
#include <TH/loops/softmax.h>
#include <TH/loops/sums.h>
#include <TH/ops/THReduction.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define LANES TH_SOFTMAX_LANES
#define PIECE 64
#define PIECES (TH_REDUCE_CHUNK / PIECE)
#define TERMS_PIECES (TH_SOFTMAX_TERMS / PIECE)
#define SHORT 512   /* elements of a short line at most */
#define COLUMNS 512 /* reduced at a time */
/* Is a line so short that most of what takes long would be done for lanes it does not fill? */
#if defined(TH_HAVE_VECTOR_FUNCTIONS)
#define IS_FEW(n) ((n) < 13)
#else
#define IS_FEW(n) \
    ((n) < TH_SOFTMAX_PADDED(n) - TH_SOFTMAX_PADDED(n) / (sizeof(scalar_t) < 8 ? 4 : 8))
#endif
#define MOST TH_CONCAT_2(MOST_, Real)
#define MOST_Float FLT_MAX
#define MOST_Double DBL_MAX
#if defined(TH_HAVE_VECTOR_FUNCTIONS)
#define LOG th_log
#define LOGS 8 /* in one go */
#else
#define LOG log
#define LOGS 1
#endif
#define INLINE static inline __attribute__((always_inline))
#define ONCE TH_ONCE

_Static_assert(TH_REDUCE_CHUNK % PIECE == 0 && TH_REDUCE_ROWS % PIECE == 0, "pieces are whole");

TH_EXPS_DECLARE(TH_ISA_(th_logExps));
void TH_ISA_(th_logExps)(int64_t n, THSoftmaxExps *exps, double *results)
{
    int64_t i = 0;
    for (; i + LOGS <= n; i += LOGS) {
        double sums[LOGS];
#pragma omp simd
        for (int k = 0; k < LOGS; k++)
            sums[k] = LOG(exps[i + k].sum) + exps[i + k].maximum;
        memcpy(results + i, sums, sizeof sums);
    }
    for (; i < n; i++)
        results[i] = LOG(exps[i].sum) + exps[i].maximum;
}

#define TH_GENERIC_FILE "TH/loops/logSumExp.c"
#include <TH/THGenerateLoopTypes.h>

#elif defined(TH_CATEGORY_IS_FLOATING)

#include <TH/loops/expLines.h>

/* What is subtracted for a maximum: of infinity an exponential is 0 or at least 1, of NaN NaN. */
INLINE scalar_t THLoop_(bounded)(scalar_t maximum)
{
    const scalar_t x = maximum < MOST ? maximum : MOST;
    return x > -MOST ? x : -MOST;
}

INLINE scalar_t THLoop_(expOver)(scalar_t x, scalar_t maximum)
{
    const scalar_t difference = x - maximum;
    return TH_MATH(expNegative)(difference > 0 ? 0 : difference);
}

/* What a sum is multiplied by when the maximum grows; 1 where it does not. */
INLINE double THLoop_(shrinkage)(scalar_t before, scalar_t maximum)
{
    return THDouble_expNegative((double)THLoop_(bounded)(before) -
                                (double)THLoop_(bounded)(maximum));
}

/* The largest of n elements, a multiple of LANES, or -inf. */
INLINE scalar_t THLoop_(largestOfPiece)(int64_t n, const scalar_t *restrict x)
{
    scalar_t lane[LANES];
    for (int j = 0; j < LANES; j++)
        lane[j] = -INFINITY;
    for (int64_t i = 0; i < n; i += LANES) {
#pragma omp simd
        for (int j = 0; j < LANES; j++)
            lane[j] = x[i + j] > lane[j] ? x[i + j] : lane[j];
    }
#pragma GCC unroll 4
    for (int half = LANES / 2; half; half /= 2) {
#pragma omp simd
        for (int j = 0; j < half; j++)
            lane[j] = lane[j + half] > lane[j] ? lane[j + half] : lane[j];
    }
    return lane[0];
}

INLINE void THLoop_(add)(bool fresh, const scalar_t *terms, double *restrict lane)
{
#pragma omp simd
    for (int j = 0; j < LANES; j++)
        lane[j] = (fresh ? 0 : lane[j]) + terms[j];
}

/* n elements, a multiple of LANES. */
INLINE double THLoop_(sumOfPiece)(int64_t n, const scalar_t *x, scalar_t maximum)
{
    scalar_t terms[PIECE];
    double lane[LANES];
    for (int64_t i = 0; i < n; i += LANES) {
#pragma omp simd
        for (int j = 0; j < LANES; j++)
            terms[i + j] = THLoop_(expOver)(x[i + j], maximum);
    }
    for (int64_t i = 0; i < n; i += LANES)
        THLoop_(add)(i == 0, terms + i, lane);
#pragma GCC unroll 4
    for (int half = LANES / 2; half; half /= 2) {
#pragma omp simd
        for (int j = 0; j < half; j++)
            lane[j] += lane[j + half];
    }
    return lane[0];
}

/* The elements behind the whole pieces, with -inf behind them, whose exponential is 0, up to a
 * multiple of LANES; gives that. */
INLINE int64_t THLoop_(padPiece)(int64_t n, const scalar_t *x, scalar_t *padded)
{
    const int64_t whole = (n + LANES - 1) / LANES * LANES;
    for (int j = 0; j < LANES; j++)
        padded[whole - LANES + j] = -INFINITY;
    memcpy(padded, x, (size_t)n * sizeof *x);
    return whole;
}

/* Pieces of `count` lines, n <= PIECE elements in each, whose maxima take the place of `best`:
 * their sums. */
INLINE void THLoop_(sumsOfPieces)(bool ofLine, int64_t count, int64_t n, const char *x,
                                  int64_t step, scalar_t *best, double *sums)
{
    scalar_t terms[TH_SOFTMAX_TERMS], bounded[EXP_MOST], found[EXP_MOST];
    THLoop_(largestOfLines)(count, n, x, step, terms, found);
    for (int64_t p = 0; p < count; p++)
        best[p] = found[p] > best[p] ? found[p] : best[p];
    for (int64_t p = 1; p < count && ofLine; p++)
        best[p] = best[p] > best[p - 1] ? best[p] : best[p - 1];
    for (int64_t p = 0; p < count; p++)
        bounded[p] = THLoop_(bounded)(best[p]);
    THLoop_(termsOfLines)(true, count, n, x, step, 0, bounded, terms);
    THLoop_(sumsOfLines)(count, TH_SOFTMAX_PADDED(n), terms, sums);
}

/* At most TH_REDUCE_CHUNK elements. Maxima of all pieces come first, so that nothing waits for one
 * alone. */
static void THLoop_(expsOfLine)(int64_t n, const scalar_t *x, int64_t ahead, THSoftmaxExps *acc)
{
    scalar_t maxima[PIECES + LANES], last[PIECE];
    double sums[PIECES + LANES], shrinkage[PIECES + LANES];
    const int64_t whole = n / PIECE, rest = n % PIECE, pieces = whole + (rest > 0);
    const bool few = whole < TERMS_PIECES;
    const int64_t padded = rest ? THLoop_(padPiece)(rest, x + whole * PIECE, last) : 0;
    scalar_t best = -INFINITY;
    for (int64_t p = 0; p < whole && few; p++) {
        for (int j = 0; ahead && j < PIECE; j += (int)(64 / sizeof *x))
            __builtin_prefetch((const void *)((uintptr_t)(x + p * PIECE + j) + (uintptr_t)ahead));
        maxima[p] = THLoop_(largestOfPiece)(PIECE, x + p * PIECE);
    }
    for (int64_t p = 0, count; p < whole && !few; p += count) {
        const char *from = (const char *)(x + p * PIECE);
        count = whole - p < TERMS_PIECES ? whole - p : TERMS_PIECES;
        for (int64_t at = 0; ahead && at < count * PIECE * (int64_t)sizeof *x; at += 64)
            __builtin_prefetch((const void *)((uintptr_t)(from + at) + (uintptr_t)ahead));
        for (int64_t i = 0; i < count; i++)
            maxima[p + i] = best;
        THLoop_(sumsOfPieces)(true, count, PIECE, from, PIECE * sizeof *x, maxima + p, sums + p);
        best = maxima[p + count - 1];
    }
    maxima[whole] = THLoop_(largestOfPiece)(padded, last);
    for (int64_t p = few ? 0 : whole; p < pieces; p++)
        maxima[p] = best = maxima[p] > best ? maxima[p] : best;
    for (int64_t p = 0; p < whole && few; p++)
        sums[p] = THLoop_(sumOfPiece)(PIECE, x + p * PIECE, THLoop_(bounded)(maxima[p]));
    if (rest)
        sums[whole] = THLoop_(sumOfPiece)(padded, last, THLoop_(bounded)(best));
    for (int j = 0; j < LANES; j++)
        maxima[pieces + j] = best;
    for (int64_t p = 1; p < pieces; p += LANES / 2) {
#pragma omp simd
        for (int j = 0; j < LANES / 2; j++)
            shrinkage[p + j] = THLoop_(shrinkage)(maxima[p + j - 1], maxima[p + j]);
    }
    *acc = (THSoftmaxExps){best, pieces ? sums[0] : 0};
    for (int64_t p = 1; p < pieces; p++)
        acc->sum = acc->sum * shrinkage[p] + sums[p];
}

/* The largest elements of n columns, and what was found before. */
INLINE void THLoop_(largestOfRows)(bool fresh, int64_t nrows, int64_t n,
                                   const scalar_t *const *rows, scalar_t *restrict best)
{
    for (int64_t row = 0; row < nrows; row += 4) {
        const scalar_t *x[4];
        for (int r = 0; r < 4; r++)
            x[r] = rows[row + r < nrows ? row + r : row];
        const bool first = fresh && row == 0;
#pragma omp simd
        for (int64_t c = 0; c < n; c++) {
            scalar_t m = first ? (scalar_t)-INFINITY : best[c];
            for (int r = 0; r < 4; r++)
                m = x[r][c] > m ? x[r][c] : m;
            best[c] = m;
        }
    }
}

/* The sums of LANES columns, in lane[0] and so on. */
INLINE void THLoop_(sumsOfRows)(int64_t nrows, const scalar_t *const *rows, int64_t at,
                                const scalar_t *maxima, double *restrict lane)
{
    scalar_t terms[PIECE * LANES];
    for (int64_t r = 0; r < nrows; r++) {
#pragma omp simd
        for (int c = 0; c < LANES; c++)
            terms[r * LANES + c] = THLoop_(expOver)(rows[r][at + c], maxima[c]);
    }
    for (int64_t r = 0; r < nrows; r++)
        THLoop_(add)(r < LANES, terms + r * LANES, lane + r % LANES * LANES);
    for (int64_t half = LANES / 2; half; half /= 2)
        for (int64_t j = 0; j < half && j + half < nrows; j++)
            for (int c = 0; c < LANES; c++)
                lane[j * LANES + c] += lane[(j + half) * LANES + c];
}

/* n columns of a piece, at least LANES. */
ONCE void THLoop_(expsOfRows)(bool fresh, int64_t nrows, int64_t n, const scalar_t *const *rows,
                              scalar_t *restrict best, double *restrict sums)
{
    double lane[LANES * LANES];
    scalar_t maxima[COLUMNS];
    memcpy(maxima, best, (size_t)n * sizeof *best);
    THLoop_(largestOfRows)(fresh, nrows, n, rows, best);
#pragma omp simd
    for (int64_t c = 0; c < n; c++)
        sums[c] = fresh ? 0 : sums[c] * THLoop_(shrinkage)(maxima[c], best[c]);
    for (int64_t c = 0; c < n; c++)
        maxima[c] = THLoop_(bounded)(best[c]);
    for (int64_t c = 0; c < n; c += LANES) {
        const int64_t from = c + LANES <= n ? c : n - LANES; /* some are seen twice */
        THLoop_(sumsOfRows)(nrows, rows, from, maxima + from, lane);
        for (int64_t j = c - from; j < LANES; j++)
            sums[from + j] += lane[j];
    }
}

/* Copies n < LANES elements, by the bits of n. */
INLINE void THLoop_(copyFew)(int64_t n, scalar_t *to, const scalar_t *from)
{
    if (n & 8)
        memcpy(to, from, 8 * sizeof *to);
    if (n & 4)
        memcpy(to + (n & 8), from + (n & 8), 4 * sizeof *to);
    if (n & 2)
        memcpy(to + (n & 12), from + (n & 12), 2 * sizeof *to);
    if (n & 1)
        to[n - 1] = from[n - 1];
}

/* Fewer columns than LANES. */
static void THLoop_(expsOfFewRows)(bool fresh, int64_t nrows, int64_t n,
                                   const scalar_t *const *rows, scalar_t *best, double *sums)
{
    scalar_t block[PIECE * LANES], maxima[LANES] = {0};
    const scalar_t *row[PIECE];
    double sum[LANES] = {0};
    for (int64_t r = 0; r < nrows; r++) {
        row[r] = block + r * LANES;
        for (int c = 0; c < LANES; c++)
            block[r * LANES + c] = 0;
        THLoop_(copyFew)(n, block + r * LANES, rows[r]);
    }
    THLoop_(copyFew)(n, maxima, best);
    memcpy(sum, sums, (size_t)n * sizeof *sum);
    THLoop_(expsOfRows)(fresh, nrows, LANES, row, maxima, sum);
    THLoop_(copyFew)(n, best, maxima);
    memcpy(sums, sum, (size_t)n * sizeof *sum);
}

static void THLoop_(logSumExp_rows)(int64_t nrows, int64_t width, const void *const *rows,
                                    int64_t first, void *lanes, const THReduceTerm *term)
{
    double *sums = lanes;
    scalar_t *best = (scalar_t *)(sums + width);
    (void)term;
    for (int64_t row = 0; row < nrows; row += PIECE) {
        const int64_t count = nrows - row < PIECE ? nrows - row : PIECE;
        for (int64_t c = 0, n; c < width; c += n) {
            const scalar_t *x[PIECE];
            n = width - c < COLUMNS ? width - c : width - c < 2 * COLUMNS ? COLUMNS / 2 : COLUMNS;
            for (int64_t r = 0; r < count; r++)
                x[r] = (const scalar_t *)rows[row + r] + c;
            (n < LANES ? THLoop_(expsOfFewRows) : THLoop_(expsOfRows))(first + row == 0, count, n,
                                                                       x, best + c, sums + c);
        }
    }
}

/* Lines of few elements, as columns: LANES of them at a time. */
static void THLoop_(expsOfFew)(int64_t nlines, int64_t n, const char *data, int64_t stride,
                               THSoftmaxExps *acc)
{
    scalar_t block[PIECE * LANES], best[LANES];
    const scalar_t *row[PIECE];
    double sums[LANES];
    for (int64_t r = 0; r < PIECE; r++)
        row[r] = block + r * LANES;
    for (int64_t line = 0; line < nlines; line += LANES) {
        const int64_t count = nlines - line < LANES ? nlines - line : LANES;
        for (int64_t first = 0; first < n; first += PIECE) {
            const int64_t m = n - first < PIECE ? n - first : PIECE;
            for (int64_t i = 0; i < LANES; i++) { /* the last line fills what is left */
                const int64_t from = line + (i < count ? i : count - 1);
                const scalar_t *x = (const scalar_t *)(const void *)(data + from * stride) + first;
                for (int64_t r = 0; r < m; r++)
                    block[r * LANES + i] = x[r];
            }
            THLoop_(expsOfRows)(first == 0, m, LANES, row, best, sums);
        }
        for (int64_t i = 0; i < count; i++)
            acc[line + i] = (THSoftmaxExps){best[i], sums[i]};
    }
}

/* Short lines, a piece of many in one go. */
static void THLoop_(expsOfShortLines)(int64_t nlines, int64_t n, const char *data, int64_t stride,
                                      THSoftmaxExps *acc)
{
    const int64_t most = TH_SOFTMAX_TERMS / (n < PIECE ? TH_SOFTMAX_PADDED(n) : PIECE);
    for (int64_t line = 0, count; line < nlines; line += count) {
        scalar_t best[EXP_MOST], before[EXP_MOST];
        double sums[EXP_MOST], sum[EXP_MOST];
        const char *x = data + line * stride;
        count = nlines - line < most ? nlines - line : most;
        for (int64_t i = 0; i < count; i++)
            best[i] = -INFINITY;
        for (int64_t first = 0; first < n; first += PIECE) {
            const int64_t m = n - first < PIECE ? n - first : PIECE;
            memcpy(before, best, (size_t)count * sizeof *best);
            THLoop_(sumsOfPieces)(false, count, m, x + first * (int64_t)sizeof(scalar_t), stride,
                                  best, first ? sum : sums);
            if (first == 0)
                continue;
#pragma omp simd
            for (int64_t i = 0; i < count; i++)
                sums[i] = sums[i] * THLoop_(shrinkage)(before[i], best[i]) + sum[i];
        }
        for (int64_t i = 0; i < count; i++)
            acc[line + i] = (THSoftmaxExps){best[i], sums[i]};
    }
}

static void THLoop_(logSumExp_lines)(int64_t nlines, int64_t n, const void *data, int64_t stride,
                                     void *acc, const THReduceTerm *term)
{
    const int64_t size = (int64_t)sizeof(scalar_t), next = stride == n * size ? n : 0;
    if (n > 0 && n <= SHORT && nlines > 1) {
        (IS_FEW(n) ? THLoop_(expsOfFew) : THLoop_(expsOfShortLines))(nlines, n, data, stride, acc);
        return;
    }
    for (int64_t line = 0; line < nlines; line++) {
        const int64_t ahead = THReduceTerm_ahead(term, size, (nlines - 1 - line) * next);
        const char *x = (const char *)data + line * stride;
        THLoop_(expsOfLine)(n, (const scalar_t *)(const void *)x, ahead,
                            (THSoftmaxExps *)acc + line);
    }
}

static void THLoop_(logSumExp_fold)(int64_t nrows, int64_t width, void *lanes, void *accumulators)
{
    const double *sums = lanes;
    const scalar_t *best = (const scalar_t *)(sums + width);
    THSoftmaxExps *acc = accumulators;
    (void)nrows;
    for (int64_t c = 0; c < width; c++)
        acc[c] = (THSoftmaxExps){best[c], sums[c]};
}

ONCE double THLoop_(shrunk)(const THSoftmaxExps *exps, scalar_t maximum)
{
    return exps->sum * THLoop_(shrinkage)((scalar_t)exps->maximum, maximum);
}

static void THLoop_(logSumExp_combine)(int64_t n, void *accumulators, const void *more,
                                       int64_t first)
{
    THSoftmaxExps *acc = accumulators;
    const THSoftmaxExps *next = more;
    (void)first;
    for (int64_t i = 0; i < n; i++) { /* no vectors: there is an element of each chunk */
        const double largest = next[i].maximum > acc[i].maximum ? next[i].maximum : acc[i].maximum;
        acc[i].sum = THLoop_(shrunk)(acc + i, (scalar_t)largest) +
                     THLoop_(shrunk)(next + i, (scalar_t)largest);
        acc[i].maximum = largest;
    }
}

TH_REDUCE_DECLARE(THLoop_(logSumExpLoops));
const THReduceLoops THLoop_(logSumExpLoops)[1] = {
    {THLoop_(logSumExp_lines), THLoop_(logSumExp_rows), THLoop_(logSumExp_fold),
     THLoop_(logSumExp_combine), TH_DTYPE, NULL, TH_REDUCE_UNASKED}};

#endif
