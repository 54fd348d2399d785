/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of counts; THReduction.h says what each must do. They are exact, so they need not
 * keep to its order. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/loops/ahead.h>
#include <TH/ops/THReduction.h>

#define COLUMNS 1024 /* counted at a time */
#define SHORT 64     /* elements of a line, which has no lanes of its own */

#define TH_GENERIC_FILE "TH/loops/count.c"
#include <TH/THGenerateLoopTypes.h>

#else

#if defined(TH_REAL_IS_CHAR) || defined(TH_REAL_IS_BOOL)
#define OF(name) TH_CONCAT_4(th_, name, _Byte_, TH_ISA) /* which was before */
#else
#define OF(name) THLoop_(name)

/* Counts are exact in any order: they are kept in integers as wide as the elements. */
#if defined(TH_REAL_IS_DOUBLE) || defined(TH_REAL_IS_LONG)
#define count_t uint64_t
#elif defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_INT)
#define count_t uint32_t
#elif defined(TH_REAL_IS_SHORT)
#define count_t uint16_t
#else
#define count_t uint8_t
#endif
#define COUNTS ((int)(64 / sizeof(count_t)))
/* A cache line of them: what a loop over arrays would keep in memory is in registers. */
typedef storage_t THLoop_(Elements) __attribute__((vector_size(64)));
typedef count_t THLoop_(Counts) __attribute__((vector_size(64)));
_Static_assert(TH_REDUCE_CHUNK / 64 < UINT8_MAX && TH_REDUCE_ROWS <= UINT8_MAX,
               "a count of bytes holds what it gets");

/* Lines of n <= SHORT elements side by side: a byte for each element, and these added by words. */
static void THLoop_(countShortLines)(int64_t nlines, int64_t n, const storage_t *x, accreal *acc)
{
    uint8_t counts[COLUMNS + 8] = {0};
    const int64_t most = COLUMNS / n;
    const uint64_t last = ~UINT64_C(0) >> (7 - (n - 1) % 8) * 8;
    for (int64_t line = 0; line < nlines; line += most, x += most * n) {
        const int64_t count = nlines - line < most ? nlines - line : most;
#pragma omp simd
        for (int64_t i = 0; i < count * n; i++)
            counts[i] = x[i] != 0;
        for (int64_t k = 0; k < count; k++) {
            uint64_t sum = 0, word;
            for (int64_t i = 0; i < n; i += 8) {
                memcpy(&word, counts + k * n + i, 8);
                sum += i + 8 < n ? word : word & last;
            }
            acc[line + k] = (accreal)(sum * UINT64_C(0x0101010101010101) >> 56);
        }
    }
}

static void THLoop_(nonzero_lines)(int64_t nlines, int64_t n, const void *data, int64_t stride,
                                   void *accumulators, const THReduceTerm *term)
{
    accreal *acc = accumulators;
    const int64_t size = (int64_t)sizeof(storage_t), next = stride == n * size ? n : 0;
    if (next > 0 && n <= SHORT && nlines > 1) {
        THLoop_(countShortLines)(nlines, n, data, acc);
        return;
    }
    for (int64_t line = 0; line < nlines; line++) {
        const int64_t ahead = THReduceTerm_ahead(term, size, (nlines - 1 - line) * next);
        const storage_t *restrict x =
            (const storage_t *)(const void *)((const char *)data + line * stride);
        THLoop_(Counts) lanes = {0};
        int64_t i = 0, count = 0;
        for (; i + COUNTS <= n; i += COUNTS) {
            THLoop_(Elements) v;
            __builtin_prefetch((const void *)((uintptr_t)(x + i) + (uintptr_t)ahead));
            memcpy(&v, x + i, sizeof v);
            lanes -= (THLoop_(Counts))(v != 0); /* true is -1 */
        }
        if (i < n) {
            THLoop_(Elements) v = {0};
            memcpy(&v, x + i, (size_t)(n - i) * sizeof *x);
            lanes -= (THLoop_(Counts))(v != 0);
        }
        for (int j = 0; j < COUNTS; j++)
            count += (int64_t)lanes[j];
        acc[line] = (accreal)count;
    }
}

/* Adds what is not 0 in n columns of four rows. */
static inline void THLoop_(countRows)(int64_t n, const storage_t *const *rows,
                                      count_t *restrict count)
{
    const storage_t *restrict x0 = rows[0], *restrict x1 = rows[1];
    const storage_t *restrict x2 = rows[2], *restrict x3 = rows[3];
#pragma omp simd
    for (int64_t c = 0; c < n; c++)
        count[c] = (count_t)(count[c] + (x0[c] != 0) + (x1[c] != 0) + (x2[c] != 0) + (x3[c] != 0));
}

static void THLoop_(nonzero_rows)(int64_t nrows, int64_t width, const void *const *rows,
                                  int64_t first, void *accumulators, const THReduceTerm *term)
{
    static const storage_t nothing[COLUMNS];
    const int64_t size = (int64_t)sizeof(storage_t);
    const bool ahead = THAhead_helps(term, width * size);
    accreal *restrict acc = accumulators;
    for (int64_t at = 0, n; at < width; at += n) {
        count_t count[COLUMNS] = {0};
        n = width - at < COLUMNS ? width - at : COLUMNS;
        for (int64_t row = 0; row < nrows; row += 4) {
            const storage_t *x[4];
            for (int r = 0; r < 4; r++)
                x[r] = row + r < nrows ? (const storage_t *)rows[row + r] + at : nothing;
            if (ahead && row + 4 + TH_AHEAD_ROWS <= nrows)
                THAhead_ask(rows + row + 4, at * size, n * size);
            THLoop_(countRows)(n, x, count);
        }
        for (int64_t c = 0; c < n; c++)
            acc[at + c] = (first == 0 ? 0 : acc[at + c]) + (accreal)count[c];
    }
}

static void THLoop_(nonzero_combine)(int64_t n, void *acc, const void *next, int64_t first)
{
    (void)first;
    for (int64_t i = 0; i < n; i++)
        ((accreal *)acc)[i] += ((const accreal *)next)[i];
}
#undef COUNTS
#undef count_t
#endif

TH_REDUCE_DECLARE(THLoop_(nonzeroLoops));
const THReduceLoops THLoop_(nonzeroLoops)[1] = {
    {OF(nonzero_lines), OF(nonzero_rows), NULL, OF(nonzero_combine)}};
#undef OF

#endif
