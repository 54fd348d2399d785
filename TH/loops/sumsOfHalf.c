/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of sums of halves that sums.c has not, since the machine does not convert in
 * registers or since they are rare: those of floats, over blocks of what was widened. */
#ifndef TH_GENERIC_FILE

#include <TH/loops/halfLines.h>
#include <TH/loops/sums.h>

#define COLUMNS 512 /* that are widened at a time */

#define FLOATS(name) (TH_ISA_(TH_CONCAT_3(th_, name, _Float)))
TH_REDUCE_DECLARE(TH_ISA_(th_sumLoops_Float));
TH_REDUCE_DECLARE(TH_ISA_(th_prodLoops_Float));
TH_REDUCE_DECLARE(TH_ISA_(th_squaresLoops_Float));
TH_REDUCE_DECLARE(TH_ISA_(th_absLoops_Float));
TH_REDUCE_DECLARE(TH_ISA_(th_cubesLoops_Float));

static void linesAsFloats(const THReduceLoops *floats, int64_t nlines, int64_t n, const char *data,
                          int64_t stride, double *acc, const THReduceTerm *term)
{
    widenedLines(floats, (int64_t)sizeof *acc, nlines, n, data, stride, acc, term);
}

static void widenedRows(const THReduceLoops *floats, int64_t nrows, int64_t width,
                        const void *const *data, bool fresh, double *acc, const THReduceTerm *term)
{
    (void)term;
    const THReduceTerm own = {.far = false};
    _Alignas(64) float block[8][COLUMNS];
    const void *const rows[8] = {block[0], block[1], block[2], block[3],
                                 block[4], block[5], block[6], block[7]};
    for (int64_t c = 0; c < width; c += COLUMNS) {
        const int64_t count = width - c < COLUMNS ? width - c : COLUMNS;
        for (int64_t row = 0; row < nrows; row += 8) {
            const int64_t some = nrows - row < 8 ? nrows - row : 8;
            for (int64_t i = 0; i < some; i++)
                widen(count, block[i], (const THHalf *)data[row + i] + c);
            floats->rows(some, count, rows, fresh ? row : row + 8, acc + c, &own);
        }
    }
}

#ifndef TH_SUMS_HALVES
static void addFours(int64_t n, const THHalf *a, const THHalf *b, const THHalf *c, const THHalf *d,
                     float *to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (THHalf_toFloat(a[i]) + THHalf_toFloat(b[i])) +
                (THHalf_toFloat(c[i]) + THHalf_toFloat(d[i]));
}

/* A line as one of floats: its fours, then what is left. */
static void sumOfLines(const THReduceLoops *floats, int64_t nlines, int64_t n, const char *data,
                       int64_t stride, double *acc, const THReduceTerm *term)
{
    const int64_t rest = n % (4 * TH_REDUCE_LANES), whole = n - rest;
    const THReduceTerm own = {.far = false};
    _Alignas(64) float block[TH_REDUCE_CHUNK];
    if (whole == 0) {
        linesAsFloats(floats, nlines, n, data, stride, acc, term);
        return;
    }
    for (int64_t line = 0; line < nlines; line++) {
        const THHalf *x = (const THHalf *)(data + line * stride);
        for (int64_t i = 0; i < whole; i += 4 * TH_REDUCE_LANES)
            addFours(TH_REDUCE_LANES, x + i, x + i + TH_REDUCE_LANES, x + i + 2 * TH_REDUCE_LANES,
                     x + i + 3 * TH_REDUCE_LANES, block + i / 4);
        widen(rest, block + whole / 4, x + whole);
        floats->lines(1, whole / 4 + rest, block, 0, acc + line, &own);
    }
}

/* Eight rows as two of floats; what is left as it is. */
static void sumOfRows(const THReduceLoops *floats, int64_t nrows, int64_t width,
                      const void *const *data, bool fresh, double *acc, const THReduceTerm *term)
{
    _Alignas(64) float fours[2][COLUMNS];
    const void *const rows[2] = {fours[0], fours[1]};
    const THReduceTerm own = {.far = false};
    const THHalf *const *x = (const THHalf *const *)data;
    const int64_t whole = nrows - nrows % 8;
    for (int64_t c = 0; c < width; c += COLUMNS) {
        const int64_t count = width - c < COLUMNS ? width - c : COLUMNS;
        for (int64_t row = 0; row < whole; row += 8) {
            for (int64_t r = row; r < row + 8; r += 4)
                addFours(count, x[r] + c, x[r + 1] + c, x[r + 2] + c, x[r + 3] + c,
                         fours[(r - row) / 4]);
            floats->rows(2, count, rows, fresh ? row : row + 8, acc + c, &own);
        }
    }
    if (whole < nrows)
        widenedRows(floats, nrows - whole, width, data + whole, fresh && whole == 0, acc, term);
}
#endif

#define TH_GENERIC_FILE "TH/loops/sumsOfHalf.c"
#include <TH/THGenerateHalfType.h>
#undef TH_GENERIC_FILE

#else

static void combineAsFloats(const THReduceLoops *floats, int64_t n, void *acc, const void *next)
{
    floats->combine(n, acc, next, 0);
}

#define WIDENED(name, LINES, ROWS) \
    TH_REDUCE_DEFINE(name, FLOATS(name##Loops), LINES, ROWS, combineAsFloats, NULL, 0)
#ifndef TH_SUMS_HALVES
WIDENED(sum, sumOfLines, sumOfRows)
WIDENED(squares, linesAsFloats, widenedRows)
#endif
WIDENED(prod, linesAsFloats, widenedRows)
WIDENED(abs, linesAsFloats, widenedRows)
WIDENED(cubes, linesAsFloats, widenedRows)
#undef WIDENED

#endif
