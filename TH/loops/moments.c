/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of variances, in one pass: the sums of what elements are off a number near their
 * mean, and of its squares (T. F. Chan, G. H. Golub and R. J. LeVeque, Algorithms for computing the
 * sample variance, 1983). Squares from it are 1 + (its distance from the mean)^2 / variance times
 * those from the mean, and so is their rounding. It is the mean of m of the n elements, for which
 * this is at most 1 + n / m: of all elements of short lines, of 64 of a longer one, of 16 of a
 * block's rows, 9 then, or of all rows before these, 3 then. A line is passed over again, while it
 * is near, where it was more than 2. What a double holds with bits to spare does not need so near a
 * number: there it is the first element. THReduction.h says what each loop must do. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/loops/ahead.h>
#include <TH/loops/sumsTerms.h>
#include <TH/ops/THReduction.h>
#include <float.h>

#define FEW 8    /* lanes of a short line, and of what is left of a long one */
#define LANES 32 /* of a long one */
#define PARTS (FEW / TH_SUMS)
/* Of lanes that are added to at a time, as many again of squares: all, but narrow ones. */
#define REGISTERS (TH_SUMS < 4 ? 4 : LANES / TH_SUMS)
#define GROUPS (LANES / (REGISTERS * TH_SUMS))
#define NEAR_BLOCK 8192 /* bytes that all groups pass over before the next */
#define SAMPLE 8        /* pieces of FEW elements of a line whose mean is near that of all, */
#define SAMPLE_ROWS 16  /* ... and rows */
#define COLUMNS 1024    /* whose sums stay near */
#define PIECE 4         /* registers of each row that are read together */
#define WIDE_BITS 1     /* that a shift far from the mean may take at most, */
#define NARROW_BITS 10  /* ... from what has bits to spare */
_Static_assert(LANES % (REGISTERS * TH_SUMS) == 0 && FEW % TH_SUMS == 0, "whole registers");
_Static_assert(COLUMNS % (PIECE * TH_SUMS) == 0, "whole pieces");

/* What elements are off a shift, in lanes. */
typedef struct Offs {
    THSums sums[PARTS], squares[PARTS];
} Offs;

TH_INLINE void Offs_add(Offs *self, int part, THSums d)
{
    self->sums[part] += d;
    self->squares[part] += d * d;
}

TH_INLINE THSums off(bool exact, THSums x, THSums shift)
{
    return exact ? THSums_addConverted(-shift, x) : x - shift;
}

TH_INLINE THSums folded(THSums *parts)
{
#pragma GCC unroll 4
    for (int half = PARTS / 2; half; half /= 2)
        for (int k = 0; k < half; k++)
            parts[k] += parts[k + half];
    return parts[0];
}

/* The sum of all lanes, by halves as foldLines does it. */
TH_INLINE double foldedLine(THSums lanes)
{
    THSums line[TH_SUMS];
    line[0] = lanes;
#pragma GCC unroll 8
    for (int i = 1; i < TH_SUMS; i++)
        line[i] = all(0);
    return foldLines(SUM, line)[0];
}

TH_INLINE bool isAny(THSumsBits bits)
{
    int64_t any = 0;
#pragma GCC unroll 8
    for (int i = 0; i < TH_SUMS; i++)
        any |= bits[i];
    return any != 0;
}

/* Moments in lanes, each of its own elements. */
typedef struct Moments {
    THSums mean, rest, deviations;
} Moments;

TH_INLINE THSums pick(THSumsBits which, THSums a, THSums b)
{
    return (THSums)(((THSumsBits)a & which) | ((THSumsBits)b & ~which));
}

/* `share` is that of an element in the mean. Rounding leaves nothing below 0, and where squares
 * overflow, deviations do, but are NaN where an element is not finite. */
TH_INLINE Moments momentsOf(THSums share, THSums shift, THSums sum, THSums squares)
{
    const THSums apart = sum * share, mean = shift + apart, twice = sum * apart;
    const THSums less = squares - pick(twice > DBL_MAX, all(DBL_MAX), twice);
    const THSums deviations = pick(less < 0, all(0), less) + (sum - sum);
    return (Moments){mean, apart - (mean - shift), deviations};
}

/* Was the shift too far from the mean? */
TH_INLINE THSumsBits areFar(bool exact, THSums share, THSums sum, THSums squares)
{
    const double most = 1 - 1 / (double)(1 << (exact ? NARROW_BITS : WIDE_BITS));
    return sum * (sum * share) > squares * most;
}

TH_INLINE void Moments_store(const Moments *self, int n, double count, THReduceMoments *to)
{
    double mean[TH_SUMS], rest[TH_SUMS], deviations[TH_SUMS]; /* one by one from memory */
    memcpy(mean, &self->mean, sizeof mean);
    memcpy(rest, &self->rest, sizeof rest);
    memcpy(deviations, &self->deviations, sizeof deviations);
    for (int i = 0; i < n; i++)
        to[i] = (THReduceMoments){mean[i], rest[i], deviations[i], count};
}

/* Those of elements seen before, of which the others have `share` of all, with these. */
TH_INLINE Moments merged(THSums seen, THSums share, const Moments *a, const Moments *b)
{
    const THSums apart = (b->mean - a->mean) + (b->rest - a->rest);
    const THSums moved = a->rest + apart * share, mean = a->mean + moved;
    const THSums deviations = b->deviations + apart * apart * (seen * share);
    return (Moments){mean, moved - (mean - a->mean), a->deviations + deviations};
}

static void moments_combine(int64_t n, void *accumulators, const void *more, int64_t first)
{
    THReduceMoments *acc = accumulators;
    const THReduceMoments *next = more;
    (void)first;
    for (int64_t i = 0; i < n; i++) {
        const double count = acc[i].count + next[i].count, share = next[i].count / count;
        const Moments a = {all(acc[i].mean), all(acc[i].rest), all(acc[i].deviations)};
        const Moments b = {all(next[i].mean), all(next[i].rest), all(next[i].deviations)};
        const Moments both = merged(all(acc[i].count), all(share), &a, &b);
        Moments_store(&both, 1, count, acc + i);
    }
}

#define TH_GENERIC_FILE "TH/loops/moments.c"
#include <TH/THGenerateDoubleType.h>
#include <TH/THGenerateFloatType.h>
#include <TH/THGenerateHalfType.h>

#else

#define LINE (64 / (int)sizeof(storage_t)) /* elements of a line of the cache */
#define EXACT (sizeof(storage_t) < sizeof(double))
#if defined(TH_REAL_IS_HALF) && !defined(TH_SUMS_HALVES)
#define LOAD(x) THLoop_(two)(x, 2)
#define LOAD_SOME(x, n) THLoop_(two)(x, n)
TH_ONCE THSums THLoop_(two)(const storage_t *x, int n)
{
    return (THSums){n > 0 ? TH_LOAD(x) : 0, n > 1 ? TH_LOAD(x + 1) : 0};
}
#else
#define LOAD(x) TH_CONCAT_2(THSums_of, Real)(x)
#define LOAD_SOME(x, n) TH_CONCAT_2(THSums_someOf, Real)(x, n)
#endif

/* Whole LANES of a line from its begin on, folded to FEW; returns how many elements these were. */
TH_INLINE int64_t THLoop_(offsOfWhole)(int64_t n, const storage_t *x, int64_t ahead, THSums shift,
                                       Offs *offs)
{
    const int64_t whole = n - n % LANES, size = (int64_t)sizeof(storage_t);
    const int64_t block = GROUPS == 1 ? whole : NEAR_BLOCK / size;
    THSums sums[LANES / TH_SUMS], squares[LANES / TH_SUMS];
#pragma GCC unroll 16
    for (int k = 0; k < LANES / TH_SUMS; k++)
        sums[k] = squares[k] = all(0);
    for (int64_t first = 0, end; first < whole; first = end) {
        end = whole - first < block ? whole : first + block;
#pragma GCC unroll 1
        for (int group = 0; group < GROUPS; group++) {
            THSums a[REGISTERS], b[REGISTERS];
#pragma GCC unroll 8 /* REGISTERS */
            for (int k = 0; k < REGISTERS; k++) {
                a[k] = sums[group * REGISTERS + k];
                b[k] = squares[group * REGISTERS + k];
            }
            const storage_t *from = x + group * REGISTERS * TH_SUMS;
            for (int64_t i = first; i < end; i += LANES) {
                if (ahead && group == 0)
                    THMove_prefetchAhead(x + i, ahead, LANES * size);
#pragma GCC unroll 8 /* REGISTERS */
                for (int k = 0; k < REGISTERS; k++) {
                    const THSums d = off(EXACT, LOAD(from + i + k * TH_SUMS), shift);
                    a[k] += d;
                    b[k] += d * d;
                }
            }
#pragma GCC unroll 8 /* REGISTERS */
            for (int k = 0; k < REGISTERS; k++) {
                sums[group * REGISTERS + k] = a[k];
                squares[group * REGISTERS + k] = b[k];
            }
        }
    }
#pragma GCC unroll 4
    for (int half = LANES / 2 / TH_SUMS; half >= PARTS; half /= 2)
#pragma GCC unroll 8
        for (int k = 0; k < half; k++) {
            sums[k] += sums[k + half];
            squares[k] += squares[k + half];
        }
#pragma GCC unroll 4
    for (int k = 0; k < PARTS; k++) {
        offs->sums[k] = sums[k];
        offs->squares[k] = squares[k];
    }
    return whole;
}

/* A line in TH_SUMS lanes. */
TH_INLINE void THLoop_(offsOfLine)(int64_t n, const storage_t *x, int64_t ahead, double from,
                                   THSums *sums, THSums *squares)
{
    const THSums shift = all(from);
    Offs offs;
    int64_t i = 0;
#pragma GCC unroll 4
    for (int k = 0; k < PARTS; k++)
        offs.sums[k] = offs.squares[k] = all(0);
    if (n >= LANES)
        i = THLoop_(offsOfWhole)(n, x, ahead, shift, &offs);
    for (; i + FEW <= n; i += FEW)
#pragma GCC unroll 4
        for (int k = 0; k < PARTS; k++)
            Offs_add(&offs, k, off(EXACT, LOAD(x + i + k * TH_SUMS), shift));
    if (i < n) {
#pragma GCC unroll 4
        for (int k = 0; k < PARTS; k++) {
            const int left = (int)(n - i) - k * TH_SUMS;
            const storage_t *at = x + i + k * TH_SUMS;
            if (left >= TH_SUMS)
                Offs_add(&offs, k, off(EXACT, LOAD(at), shift));
            else if (left > 0)
                Offs_add(&offs, k, THSums_keep(off(EXACT, LOAD_SOME(at, left), shift), left, 0));
        }
    }
    *sums = folded(offs.sums);
    *squares = folded(offs.squares);
}

/* The sum of some elements of a line, of all where it is short, in TH_SUMS lanes. */
TH_INLINE THSums THLoop_(sampleOfLine)(int64_t n, const storage_t *x)
{
    THSums sums[PARTS];
    const int64_t step = n >= SAMPLE * FEW ? (n - FEW) / (SAMPLE - 1) : FEW;
    const int64_t end = n >= SAMPLE * FEW ? SAMPLE * step : n - n % FEW;
    int64_t i = 0;
#pragma GCC unroll 4
    for (int k = 0; k < PARTS; k++)
        sums[k] = all(0);
    for (; i < end; i += step)
#pragma GCC unroll 4
        for (int k = 0; k < PARTS; k++)
            sums[k] += LOAD(x + i + k * TH_SUMS);
    if (i < n && n < SAMPLE * FEW) {
#pragma GCC unroll 4
        for (int k = 0; k < PARTS; k++) {
            const int left = (int)(n - i) - k * TH_SUMS;
            if (left >= TH_SUMS)
                sums[k] += LOAD(x + i + k * TH_SUMS);
            else if (left > 0)
                sums[k] += LOAD_SOME(x + i + k * TH_SUMS, left);
        }
    }
    return folded(sums);
}

/* Once more from a better shift. */
TH_ONCE void THLoop_(again)(int64_t n, const storage_t *x, double share, double shift,
                            THReduceMoments *to)
{
    THSums sums, squares;
    THLoop_(offsOfLine)(n, x, 0, shift, &sums, &squares);
    const Moments moments =
        momentsOf(all(share), all(shift), all(foldedLine(sums)), all(foldedLine(squares)));
    Moments_store(&moments, 1, (double)n, to);
}

/* At most TH_SUMS lines, by what they are off their shifts. */
TH_INLINE void THLoop_(storeLines)(int count, int64_t n, const char *data, int64_t stride,
                                   double share, THSums shift, THSums sum, THSums squares,
                                   THReduceMoments *to)
{
    const Moments moments = momentsOf(all(share), shift, sum, squares);
    const THSumsBits far = areFar(EXACT, all(share), sum, squares);
    Moments_store(&moments, count, (double)n, to);
    const bool any = isAny(far);
    for (int i = 0; i < count && any; i++)
        if (far[i])
            THLoop_(again)(n, (const storage_t *)(data + i * stride), share, to[i].mean, to + i);
}

#include <TH/loops/sumsColumns.h>

/* TURNED lines of 2 to SHORT elements as if they were in lanes that are folded by halves. */
TH_ONCE void THLoop_(turnedLines)(int64_t n, const storage_t *x, double share, THReduceMoments *to)
{
    _Alignas(64) double columns[SHORT * TURNED];
    THLoop_(turn)(n, x, columns);
    for (int i = 0; i < TURNED; i += TH_SUMS) {
        THSums shift = THSums_ofDouble(columns + i), sums[2], squares[2];
        for (int j = 0; j < 2 && !EXACT; j++) {
            const double *column = columns + j * TURNED + i;
            sums[j] = THSums_ofDouble(column);
            if (j + 2 < n)
                sums[j] += THSums_ofDouble(column + 2 * TURNED);
        }
        if (!EXACT)
            shift = (sums[0] + sums[1]) / (double)n;
        for (int j = 0; j < 2; j++) {
            const double *column = columns + j * TURNED + i;
            const THSums d = THSums_ofDouble(column) - shift;
            sums[j] = d;
            squares[j] = d * d;
            if (j + 2 < n) {
                const THSums other = THSums_ofDouble(column + 2 * TURNED) - shift;
                sums[j] += other;
                squares[j] += other * other;
            }
        }
        THLoop_(storeLines)(TH_SUMS, n, (const char *)(x + i * n), n * (int64_t)sizeof *x, share,
                            shift, sums[0] + sums[1], squares[0] + squares[1], to + i);
    }
}

static void THLoop_(moments_lines)(int64_t nlines, int64_t n, const void *data, int64_t stride,
                                   void *accumulators, const THReduceTerm *term)
{
    THReduceMoments *acc = accumulators;
    const int64_t size = (int64_t)sizeof(storage_t), next = stride == n * size ? n : 0;
    const double share = 1 / (double)n, sample = n < SAMPLE * FEW ? (double)n : SAMPLE * FEW;
    const char *lines = data;
    for (int64_t line = 0; line < nlines && n == 0; line++)
        acc[line] = (THReduceMoments){0, 0, 0, 0};
    for (; n > 1 && n <= SHORT && next && nlines >= TURNED; nlines -= TURNED) {
        const int64_t ahead = THReduceTerm_ahead(term, size, (nlines - TURNED) * n);
        if (ahead)
            THMove_prefetchAhead(lines, ahead, TURNED * stride);
        THLoop_(turnedLines)(n, (const storage_t *)lines, share, acc);
        lines += TURNED * stride;
        acc += TURNED;
    }
    for (int64_t first = 0; first < nlines && n > 0; first += TH_SUMS) {
        const int count = nlines - first < TH_SUMS ? (int)(nlines - first) : TH_SUMS;
        const char *from = lines + first * stride;
        THSums sums[TH_SUMS], squares[TH_SUMS], samples[TH_SUMS], shifts = all(0);
        double shift[TH_SUMS];
        for (int i = count; i < TH_SUMS; i++)
            samples[i] = sums[i] = squares[i] = all(0);
        for (int i = 0; i < count; i++) {
            const storage_t *x = (const storage_t *)(from + i * stride);
            if (EXACT)
                shift[i] = TH_LOAD(x);
            else
                samples[i] = THLoop_(sampleOfLine)(n, x);
        }
        if (!EXACT) {
            shifts = foldLines(SUM, samples) / sample;
            memcpy(shift, &shifts, sizeof shifts);
        }
        for (int i = 0; i < count; i++) {
            const char *x = from + i * stride;
            const int64_t ahead = termsAhead(term, true, size, (nlines - 1 - first - i) * next);
            if (n < LANES && ahead)
                THMove_prefetchAhead(x, ahead, n * size);
            THLoop_(offsOfLine)(n, (const storage_t *)x, ahead, shift[i], &sums[i], &squares[i]);
        }
        if (EXACT)
            shifts = THSums_someOfDouble(shift, count);
        THLoop_(storeLines)(count, n, from, stride, share, shifts, foldLines(SUM, sums),
                            foldLines(SUM, squares), acc + first);
    }
}

/* A block of columns: the first element of each row, and what they are off their shifts. */
typedef struct THLoop_(Block) {
    const storage_t *rows[TH_REDUCE_ROWS];
    int64_t nrows, width;
    bool asks;   /* for the next rows */
    bool inTurn; /* rows are read one after the other, while `later` bytes on are asked for */
    int64_t later;
    _Alignas(64) double shift[COLUMNS], sum[COLUMNS], squares[COLUMNS];
    double someSum[COLUMNS], someSquares[COLUMNS]; /* of the eight rows that are read in turn */
} THLoop_(Block);

/* Adds `nrows` rows (in most calls a constant) in some registers (a constant) of columns from c on,
 * of which one may have fewer columns: `count`. */
TH_INLINE void THLoop_(offsOfStrips)(THLoop_(Block) * self, int registers, int64_t row, int nrows,
                                     int64_t c, int count)
{
    THSums shift[PIECE], sum[PIECE], squares[PIECE];
#pragma GCC unroll 4
    for (int v = 0; v < registers; v++) {
        shift[v] = THSums_ofDouble(self->shift + c + v * TH_SUMS);
        sum[v] = squares[v] = all(0);
    }
#pragma GCC unroll 1
    for (int r = 0; r < nrows; r++) {
        const storage_t *x = self->rows[row + r] + c;
#pragma GCC unroll 4
        for (int v = 0; v < registers; v++) {
            const THSums d = off(
                EXACT, count == TH_SUMS ? LOAD(x + v * TH_SUMS) : LOAD_SOME(x, count), shift[v]);
            sum[v] += d;
            squares[v] += d * d;
        }
    }
#pragma GCC unroll 4
    for (int v = 0; v < registers; v++) {
        if (row > 0) {
            sum[v] = THSums_ofDouble(self->sum + c + v * TH_SUMS) + sum[v];
            squares[v] = THSums_ofDouble(self->squares + c + v * TH_SUMS) + squares[v];
        }
        memcpy(self->sum + c + v * TH_SUMS, &sum[v], sizeof sum[v]);
        memcpy(self->squares + c + v * TH_SUMS, &squares[v], sizeof squares[v]);
    }
}

TH_INLINE void THLoop_(offsOfRows)(THLoop_(Block) * self, int64_t row, int nrows)
{
    int64_t c = 0;
    const bool asks = self->asks && row + 2 * nrows <= self->nrows;
    for (; c + PIECE * TH_SUMS <= self->width; c += PIECE * TH_SUMS) {
        for (int r = 0; r < nrows && asks; r++)
            for (int at = 0; at < PIECE * TH_SUMS; at += LINE)
                __builtin_prefetch(self->rows[row + nrows + r] + c + at);
        THLoop_(offsOfStrips)(self, PIECE, row, nrows, c, TH_SUMS);
    }
    for (; c < self->width; c += TH_SUMS) {
        const int64_t left = self->width - c;
        THLoop_(offsOfStrips)(self, 1, row, nrows, c, left < TH_SUMS ? (int)left : TH_SUMS);
    }
}

/* What elements add from column c on, if rows are read in turn: the first one of eight begins the
 * sums of these, the last one adds them to those of all, but for the first eight. */
TH_INLINE void THLoop_(offsOfTerm)(THLoop_(Block) * self, THTurn turn, bool fresh, int64_t c,
                                   THSums x)
{
    const THSums d = off(EXACT, x, THSums_ofDouble(self->shift + c));
    THSums sum = (turn == TH_TURN_BEGINS ? all(0) : THSums_ofDouble(self->someSum + c)) + d;
    THSums squares =
        (turn == TH_TURN_BEGINS ? all(0) : THSums_ofDouble(self->someSquares + c)) + d * d;
    if (turn == TH_TURN_ENDS && !fresh) {
        sum = THSums_ofDouble(self->sum + c) + sum;
        squares = THSums_ofDouble(self->squares + c) + squares;
    }
    memcpy((turn == TH_TURN_ENDS ? self->sum : self->someSum) + c, &sum, sizeof sum);
    memcpy((turn == TH_TURN_ENDS ? self->squares : self->someSquares) + c, &squares,
           sizeof squares);
}

TH_INLINE void THLoop_(offsInTurn)(THLoop_(Block) * self, THTurn turn, bool fresh,
                                   const storage_t *x, int64_t ahead)
{
    int64_t c = 0;
    for (; c + LINE <= self->width; c += LINE) {
        THMove_prefetchAhead(x + c, ahead, 1);
        for (int64_t at = c; at < c + LINE; at += TH_SUMS)
            THLoop_(offsOfTerm)(self, turn, fresh, at, LOAD(x + at));
    }
    for (; c < self->width; c += TH_SUMS) {
        const int64_t left = self->width - c;
        const THSums some = left < TH_SUMS ? LOAD_SOME(x + c, (int)left) : LOAD(x + c);
        THLoop_(offsOfTerm)(self, turn, fresh, c, some);
    }
}

/* The sums that eight rows have which are read at once. */
TH_ONCE void THLoop_(offsOfEight)(THLoop_(Block) * self, int64_t row, const THReduceTerm *term)
{
    const int64_t bytes = self->width * (int64_t)sizeof(storage_t);
    for (int64_t r = row; r < row + 8; r++) {
        const storage_t *const x = self->rows[r];
        const int64_t ahead = THAhead_isThere(term, x, self->later + bytes) ? self->later : 0;
        if (r == row)
            THLoop_(offsInTurn)(self, TH_TURN_BEGINS, row == 0, x, ahead);
        else if (r < row + 7)
            THLoop_(offsInTurn)(self, TH_TURN_GOES_ON, row == 0, x, ahead);
        else
            THLoop_(offsInTurn)(self, TH_TURN_ENDS, row == 0, x, ahead);
    }
}

/* Eight rows after the others. */
TH_ONCE void THLoop_(offsOfBlock)(THLoop_(Block) * self, const THReduceTerm *term)
{
    int64_t row = 0;
    for (; row + 8 <= self->nrows && self->inTurn; row += 8)
        THLoop_(offsOfEight)(self, row, term);
    for (; row + 8 <= self->nrows; row += 8)
        THLoop_(offsOfRows)(self, row, 8);
    if (row < self->nrows)
        THLoop_(offsOfRows)(self, row, (int)(self->nrows - row));
}

/* The shifts are the means of the rows before these, or else of some of these. */
TH_ONCE void THLoop_(shiftBlock)(THLoop_(Block) * self, const double *mean)
{
    const int64_t most = EXACT ? 1 : SAMPLE_ROWS, count = self->nrows < most ? self->nrows : most;
    const storage_t *rows[SAMPLE_ROWS];
    if (mean) {
        memcpy(self->shift, mean, (size_t)TH_REDUCE_PADDED(self->width) * sizeof *mean);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        rows[i] = self->rows[i * self->nrows / count];
    for (int64_t c = 0; c < self->width; c += TH_SUMS) {
        const int64_t left = self->width - c;
        THSums shift = all(0);
        for (int64_t i = 0; i < count; i++)
            shift += left >= TH_SUMS ? LOAD(rows[i] + c) : LOAD_SOME(rows[i] + c, (int)left);
        if (!EXACT)
            shift /= (double)count;
        memcpy(self->shift + c, &shift, sizeof shift);
    }
}

/* Merges the block with the moments of the `seen` rows before it, in lanes of all columns. */
TH_ONCE void THLoop_(mergeBlock)(const THLoop_(Block) * self, int64_t seen, int64_t padded,
                                 double *mean)
{
    const double n = (double)self->nrows, share = n / (n + (double)seen);
    for (int64_t c = 0; c < self->width; c += TH_SUMS) {
        Moments block =
            momentsOf(all(1 / n), THSums_ofDouble(self->shift + c), THSums_ofDouble(self->sum + c),
                      THSums_ofDouble(self->squares + c));
        if (seen > 0) {
            const Moments before = {THSums_ofDouble(mean + c), THSums_ofDouble(mean + padded + c),
                                    THSums_ofDouble(mean + 2 * padded + c)};
            block = merged(all((double)seen), all(share), &before, &block);
        }
        memcpy(mean + c, &block.mean, sizeof block.mean);
        memcpy(mean + padded + c, &block.rest, sizeof block.rest);
        memcpy(mean + 2 * padded + c, &block.deviations, sizeof block.deviations);
    }
}

/* Lanes are the means of columns, what these were rounded by, and deviations. */
static void THLoop_(moments_rows)(int64_t nrows, int64_t width, const void *const *rows,
                                  int64_t first, void *lanes, const THReduceTerm *term)
{
    const int64_t padded = TH_REDUCE_PADDED(width), size = (int64_t)sizeof(storage_t);
    THLoop_(Block) block; /* large: no initialiser */
    block.nrows = nrows;
    block.asks = term->far && width * size < TH_AHEAD_BYTES;
    for (int64_t at = 0; at < width; at += COLUMNS) {
        block.width = width - at < COLUMNS ? width - at : COLUMNS;
        for (int64_t r = 0; r < nrows; r++)
            block.rows[r] = (const storage_t *)rows[r] + at;
        THLoop_(shiftBlock)(&block, first > 0 ? (double *)lanes + at : NULL);
        const int64_t bytes = block.width * size;
        /* Short rows of halves, whose conversion memory waits for, take less time by eights. */
        block.inTurn =
            TH_SUMS > 2 && (size > 2 || !block.asks) && THAhead_inTurn(term, rows, nrows, bytes);
        block.later = block.inTurn ? THAhead_soon(term, rows, bytes) : 0;
        THLoop_(offsOfBlock)(&block, term);
        THLoop_(mergeBlock)(&block, first, padded, (double *)lanes + at);
    }
}

static void THLoop_(moments_fold)(int64_t nrows, int64_t width, void *lanes, void *accumulators)
{
    const int64_t padded = TH_REDUCE_PADDED(width);
    const double *mean = lanes, *rest = mean + padded, *deviations = rest + padded;
    THReduceMoments *acc = accumulators;
    for (int64_t c = 0; c < width; c++)
        acc[c] = (THReduceMoments){mean[c], rest[c], deviations[c], (double)nrows};
}

TH_REDUCE_DECLARE(THLoop_(momentsLoops));
const THReduceLoops THLoop_(momentsLoops)[1] = {{THLoop_(moments_lines), THLoop_(moments_rows),
                                                 THLoop_(moments_fold), moments_combine, TH_DTYPE,
                                                 NULL, 0}};

#undef LINE
#undef EXACT
#undef LOAD
#undef LOAD_SOME

#endif
