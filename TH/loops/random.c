/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops of random numbers; random.h says what each must do. */
#include <TH/loops/random.h>

#include <math.h>
#include <string.h>

#define SHIFT 397
#define WORDS TH_RANDOM_WORDS
#define INLINE static inline __attribute__((always_inline))

INLINE uint32_t twisted(uint32_t upper, uint32_t lower, uint32_t shifted)
{
    const uint32_t mixed = (upper & 0x80000000u) | (lower & 0x7fffffffu);
    return shifted ^ (mixed >> 1) ^ (-(lower & 1u) & 0x9908b0dfu);
}

static void twist(uint32_t *state)
{
    int i = 0;
#pragma omp simd safelen(64)
    for (i = 0; i < WORDS - SHIFT; i++)
        state[i] = twisted(state[i], state[i + 1], state[i + SHIFT]);
#pragma omp simd safelen(64)
    for (i = WORDS - SHIFT; i < WORDS - 1; i++)
        state[i] = twisted(state[i], state[i + 1], state[i + SHIFT - WORDS]);
    state[WORDS - 1] = twisted(state[WORDS - 1], state[0], state[SHIFT - 1]);
}

static void temper(int64_t n, const uint32_t *restrict state, uint32_t *restrict words)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        words[i] = THRandom_tempered(state[i]);
}

/* The upper 53 bits of high and low, exactly; conversions of signed words are vector instructions.
 */
INLINE double uniform(uint32_t high, uint32_t low)
{
    const double upper = (double)(int32_t)(high ^ 0x80000000u) + 0x1p31;
    return (upper * 0x1p21 + (double)(int32_t)(low >> 11)) * 0x1p-53;
}

static void uniforms(int64_t n, const uint32_t *restrict words, double *restrict numbers)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        numbers[i] = uniform(words[2 * i], words[2 * i + 1]);
}

static void trials(int64_t n, const uint32_t *restrict words, const double *restrict p,
                   uint8_t *restrict results)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        results[i] = uniform(words[2 * i], words[2 * i + 1]) < p[i];
}

/* In whole words: a condition of doubles alone would be taken one by one. */
static bool areProbabilities(int64_t n, const double *p)
{
    int64_t failed = 0;
#pragma omp simd reduction(| : failed)
    for (int64_t i = 0; i < n; i++)
        failed |= p[i] >= 0 && p[i] <= 1 ? 0 : -1;
    return failed == 0;
}

/* terms[0] + terms[1] * z + terms[2] * z^2 + ... */
INLINE double polynomial(double z, const double *terms, int count)
{
    double sum = terms[count - 1];
#pragma GCC unroll 16
    for (int i = count - 2; i >= 0; i--)
        sum = sum * z + terms[i];
    return sum;
}

/* log(x) for x in [2^-53, 1]. x = 2^e * m with m in [sqrt(1/2), sqrt(2)); log(m) = 2 artanh(s) with
 * s = (m - 1) / (m + 1), whose series is cut where terms fall below 2^-56 of the sum. */
INLINE double logOfUniform(double x)
{
    static const double terms[] = {1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11,
                                   1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
    const double highOfLog2 = 0x1.62e42fefap-1, lowOfLog2 = 0x1.cf79abc9e3b3ap-40;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t fraction = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x3ff0000000000000);
    /* The biased exponent as a double, by its bits. */
    const uint64_t biased = (bits >> 52) | UINT64_C(0x4330000000000000);
    double m, exponent;
    memcpy(&m, &fraction, sizeof m);
    memcpy(&exponent, &biased, sizeof exponent);
    exponent -= 0x1p52 + 1023;
    const bool isLarge = m > 1.4142135623730951;
    m = isLarge ? m * 0.5 : m;
    exponent = isLarge ? exponent + 1 : exponent;
    const double s = (m - 1.0) / (m + 1.0), z = s * s;
    const double tail = 2.0 * s * z * polynomial(z, terms, 10);
    return exponent * highOfLog2 + (2.0 * s + (tail + exponent * lowOfLog2));
}

/* Sine and cosine of 2 pi u, u in [0, 1): a whole number of quarter turns and at most an eighth of
 * a turn either way, for which Taylor's series are short. */
INLINE void sinCosOfTurn(double u, double *sine, double *cosine)
{
    static const double sineTerms[] = {1.0,
                                       -1.0 / 6,
                                       1.0 / 120,
                                       -1.0 / 5040,
                                       1.0 / 362880,
                                       -1.0 / 39916800,
                                       1.0 / 6227020800,
                                       -1.0 / 1307674368000,
                                       1.0 / 355687428096000};
    static const double cosineTerms[] = {1.0,
                                         -1.0 / 2,
                                         1.0 / 24,
                                         -1.0 / 720,
                                         1.0 / 40320,
                                         -1.0 / 3628800,
                                         1.0 / 479001600,
                                         -1.0 / 87178291200,
                                         1.0 / 20922789888000};
    const int quarters = (int)(u * 4.0 + 0.5);
    const double x = (u - quarters * 0.25) * 6.283185307179586, z = x * x;
    const double s = x * polynomial(z, sineTerms, 9), c = polynomial(z, cosineTerms, 9);
    const bool isOdd = quarters & 1;
    const double first = isOdd ? c : s, second = isOdd ? -s : c;
    const bool isHalfTurn = quarters & 2;
    *sine = isHalfTurn ? -first : first;
    *cosine = isHalfTurn ? -second : second;
}

static void normals(int64_t n, const uint32_t *restrict words, double *restrict numbers)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        const double u = 1.0 - uniform(words[4 * i], words[4 * i + 1]); /* (0, 1] */
        const double radius = sqrt(-2.0 * logOfUniform(u));
        double sine, cosine;
        sinCosOfTurn(uniform(words[4 * i + 2], words[4 * i + 3]), &sine, &cosine);
        numbers[2 * i] = radius * cosine;
        numbers[2 * i + 1] = radius * sine;
    }
}

static void exponentials(int64_t n, const uint32_t *restrict words, double *restrict numbers)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        numbers[i] = 0.0 - logOfUniform(1.0 - uniform(words[2 * i], words[2 * i + 1]));
}

static bool anyBelow(int64_t n, const uint32_t *words, uint32_t least)
{
    uint32_t below = 0;
#pragma omp simd reduction(| : below)
    for (int64_t i = 0; i < n; i++)
        below |= words[i] < least ? 1u : 0u;
    return below != 0;
}

/* By the quotient in floating point, which may be one off either way; all else is exact. */
static void remainders(int64_t n, const uint32_t *restrict words, uint32_t bound,
                       uint32_t *restrict numbers)
{
    const double by = (double)bound, inverse = 1.0 / by;
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        const double word = (double)(int32_t)(words[i] ^ 0x80000000u) + 0x1p31;
        const double quotient = (double)(int32_t)(word * inverse);
        double rest = word - quotient * by;
        rest = rest < 0 ? rest + by : rest;
        rest = rest >= by ? rest - by : rest;
        numbers[i] = (uint32_t)(int32_t)(rest - 0x1p31) ^ 0x80000000u;
    }
}

TH_RANDOM_DECLARE(TH_ISA_(th_random));
const THRandomLoops TH_ISA_(th_random)[1] = {{twist, temper, uniforms, trials, areProbabilities,
                                              normals, exponentials, anyBelow, remainders}};
