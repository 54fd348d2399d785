/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to softmax.c and logSumExp.c, within their generic part: exponentials of lines over that
 * of a maximum, and their sums, of many lines in one go, since one that is short mostly waits.
 * Element i of a line is in lane i % EXP_LANES of its sum, and lanes are folded by halves. Terms
 * are padded with zeros up to a multiple of the lanes; TH_SOFTMAX_TERMS of them at most are in
 * hand. */
#ifndef EXP_LANES
#define EXP_LANES TH_SOFTMAX_LANES
#define EXP_MOST (TH_SOFTMAX_TERMS / EXP_LANES) /* lines in hand at most */
#define EXP_MANY 4                              /* lines worth folding together */
#define EXP_SUMS_Float THSums_ofFloat
#define EXP_SUMS_Double THSums_ofDouble
#define EXP_ADD_Float THSums_addConverted
#define EXP_ADD_Double(a, v) ((a) + (v))

/* Sums of TH_SUMS lines, of what is left in as many lanes. */
TH_INLINE void THSums_foldLines(THSums *v)
{
#if TH_SUMS == 8
    for (int i = 0; i < 4; i++)
        v[i] = TH_SUMS_LOW_4(v[i], v[i + 4]) + TH_SUMS_HIGH_4(v[i], v[i + 4]);
#endif
#if TH_SUMS >= 4
    for (int i = 0; i < 2; i++)
        v[i] = TH_SUMS_LOW_2(v[i], v[i + 2]) + TH_SUMS_HIGH_2(v[i], v[i + 2]);
#endif
    v[0] = TH_SUMS_LOW_1(v[0], v[1]) + TH_SUMS_HIGH_1(v[0], v[1]);
}
#endif

static inline const scalar_t *THLoop_(lineAt)(const char *in, int64_t offset)
{
    return (const scalar_t *)(const void *)(in + offset);
}

/* The elements behind the whole lanes, then -inf. */
INLINE void THLoop_(lastOfLine)(int rest, const scalar_t *x, scalar_t *restrict padded)
{
#pragma omp simd
    for (int j = 0; j < EXP_LANES; j++)
        padded[j] = j < rest ? x[j] : -INFINITY;
}

/* The largest of each line's elements, of NaN alone -inf; `terms` is room for its lanes. */
INLINE void THLoop_(largestOfLines)(int64_t count, int64_t n, const char *in, int64_t step,
                                    scalar_t *terms, scalar_t *restrict maxima)
{
    for (int64_t line = 0; line < count; line++) {
        const scalar_t *x = THLoop_(lineAt)(in, line * step);
        scalar_t lane[EXP_LANES];
        if (n < EXP_LANES)
            THLoop_(lastOfLine)((int)n, x, lane);
#pragma omp simd
        for (int j = 0; j < EXP_LANES; j++) { /* in some instructions the second one counts */
            const scalar_t first = n < EXP_LANES ? lane[j] : x[j];
            lane[j] = first > -INFINITY ? first : -INFINITY;
        }
        for (int64_t i = EXP_LANES; i < n; i += EXP_LANES) {
            const scalar_t *restrict v = x + (i < n - EXP_LANES ? i : n - EXP_LANES);
#pragma omp simd
            for (int j = 0; j < EXP_LANES; j++)
                lane[j] = v[j] > lane[j] ? v[j] : lane[j];
        }
        if (count >= EXP_MANY) {
            memcpy(terms + line * EXP_LANES, lane, sizeof lane);
            continue;
        }
#pragma GCC unroll 4
        for (int half = EXP_LANES / 2; half; half /= 2) {
#pragma omp simd
            for (int j = 0; j < half; j++)
                lane[j] = lane[j + half] > lane[j] ? lane[j + half] : lane[j];
        }
        maxima[line] = lane[0];
    }
    if (count < EXP_MANY)
        return;
    for (int64_t left = count * EXP_LANES / 2; left >= count; left /= 2) {
        scalar_t *const to = left == count ? maxima : terms;
#pragma omp simd
        for (int64_t i = 0; i < left; i++)
            to[i] = terms[2 * i] > terms[2 * i + 1] ? terms[2 * i] : terms[2 * i + 1];
    }
}

INLINE void THLoop_(exps)(int64_t n, scalar_t *terms)
{
#if defined(TH_HAVE_VECTOR_FUNCTIONS)
    TH_ARRAYS(expTerm)(n, terms, terms);
#else
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        terms[i] = TH_MATH(expTerm)(terms[i]);
#endif
}

/* The lines' elements less their maximum; `bounded`: where that is below an element, 0. */
INLINE void THLoop_(differencesOfLines)(bool bounded, int64_t count, int64_t n, const char *in,
                                        int64_t step, const scalar_t *maxima, scalar_t *terms)
{
    const int64_t whole = n / EXP_LANES * EXP_LANES, padded = TH_SOFTMAX_PADDED(n);
    for (int64_t line = 0; line < count; line++) {
        const scalar_t *x = THLoop_(lineAt)(in, line * step), maximum = maxima[line];
        scalar_t *restrict to = terms + line * padded;
        for (int64_t i = 0; i < whole; i += EXP_LANES) {
#pragma omp simd
            for (int j = 0; j < EXP_LANES; j++) {
                const scalar_t difference = x[i + j] - maximum;
                to[i + j] = bounded && difference > 0 ? 0 : difference;
            }
        }
        if (whole < n) {
            scalar_t last[EXP_LANES];
            THLoop_(lastOfLine)((int)(n - whole), x + whole, last);
#pragma omp simd
            for (int j = 0; j < EXP_LANES; j++) {
                const scalar_t difference = last[j] - maximum;
                to[whole + j] = bounded && difference > 0 ? 0 : difference;
            }
        }
    }
}

/* Exponentials of these. Lines `ahead` of them, in bytes, are asked for, unless that is 0. */
INLINE void THLoop_(termsOfLines)(bool bounded, int64_t count, int64_t n, const char *in,
                                  int64_t step, int64_t ahead, const scalar_t *maxima,
                                  scalar_t *terms)
{
    const int64_t padded = TH_SOFTMAX_PADDED(n), bytes = n * (int64_t)sizeof *terms;
    const int64_t asked = TH_SOFTMAX_ASKED / bytes > 1 ? TH_SOFTMAX_ASKED / bytes : 1;
    for (int64_t line = 0, some; line < count; line += some) {
        some = ahead && count - line > asked ? asked : count - line;
        for (int64_t i = 0; i < some && ahead; i++)
            for (int64_t at = 0; at < bytes; at += 64)
                __builtin_prefetch(in + (line + i) * step + ahead + at);
        THLoop_(differencesOfLines)(bounded, some, n, in + line * step, step, maxima + line,
                                    terms + line * padded);
        THLoop_(exps)(some * padded, terms + line * padded);
    }
}

/* `sums` has room for a multiple of TH_SUMS. */
INLINE void THLoop_(sumsOfLines)(int64_t count, int64_t padded, const scalar_t *terms, double *sums)
{
    for (int64_t first = 0; first < count; first += TH_SUMS) {
        THSums folded[TH_SUMS];
#pragma GCC unroll 8
        for (int i = 0; i < TH_SUMS; i++) /* `{0}` is a string of zeros, slow to begin */
            folded[i] = (THSums){0};
        for (int64_t line = first; line < first + TH_SUMS && line < count; line++) {
            const scalar_t *x = terms + line * padded;
            THSums lane[EXP_LANES / TH_SUMS];
#pragma GCC unroll 8
            for (int k = 0; k < EXP_LANES / TH_SUMS; k++)
                lane[k] = TH_CONCAT_2(EXP_SUMS_, Real)(x + k * TH_SUMS);
            for (int64_t i = EXP_LANES; i < padded; i += EXP_LANES) {
#pragma GCC unroll 8
                for (int k = 0; k < EXP_LANES / TH_SUMS; k++)
                    lane[k] = TH_CONCAT_2(EXP_ADD_, Real)(
                        lane[k], TH_CONCAT_2(EXP_SUMS_, Real)(x + i + k * TH_SUMS));
            }
#pragma GCC unroll 3
            for (int half = EXP_LANES / TH_SUMS / 2; half; half /= 2) {
#pragma GCC unroll 4
                for (int k = 0; k < half; k++)
                    lane[k] += lane[k + half];
            }
            folded[line - first] = lane[0];
        }
        THSums_foldLines(folded);
        folded[0] *= (double)TH_TERM_UNIT;
        memcpy(sums + first, folded, sizeof *folded);
    }
}
