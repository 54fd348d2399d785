/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What of sorted halves the shorts they were sorted as do not tell: zeros of either sign, and NaN.
 */
#include <TH/ops/THSorting.h>

#include <string.h>

#define SOME 64     /* elements looked at for odd ones */
#define BLOCK 16384 /* elements counted at a time: as many as a short holds */

typedef struct Odd {
    int64_t nans, zeros, negativeZeros;
    int64_t before; /* numbers before 0 */
    int16_t anyNan, allNans;
} Odd;

static inline bool isZero(int16_t bits)
{
    return (bits & INT16_MAX) == 0;
}

static Odd countOdd(int64_t n, const int16_t *x, bool descending)
{
    Odd odd = {.allNans = -1};
    for (int64_t begin = 0; begin < n; begin += BLOCK) {
        const int64_t end = THSize_min(n, begin + BLOCK);
        int16_t nans = 0, zeros = 0, negativeZeros = 0, before = 0;
        for (int64_t i = begin; i < end; i++) {
            const int16_t bits = x[i], nan = THSort_isNanHalf(bits), zero = isZero(bits);
            const int16_t number = (int16_t)(!nan & !zero);
            nans = (int16_t)(nans + nan);
            zeros = (int16_t)(zeros + zero);
            negativeZeros = (int16_t)(negativeZeros + (bits == INT16_MIN));
            before = (int16_t)(before + (number & ((bits < 0) ^ descending)));
            odd.anyNan |= (int16_t)(nan ? bits : 0);
            odd.allNans &= (int16_t)(nan ? bits : -1);
        }
        odd.nans += nans;
        odd.zeros += zeros;
        odd.negativeZeros += negativeZeros;
        odd.before += before;
    }
    return odd;
}

/* The NaN, or the zeros, in their order. */
static void putInOrder(int64_t n, const int16_t *x, int16_t *to, bool nans)
{
    for (int64_t begin = 0; begin < n; begin += SOME) {
        const int64_t end = THSize_min(n, begin + SOME);
        int16_t some[SOME + 1];
        int64_t found = 0;
        int any = 0;
        for (int64_t i = begin; i < end; i++)
            any |= nans ? THSort_isNanHalf(x[i]) : isZero(x[i]);
        for (int64_t i = begin; i < end && any; i++) {
            some[found] = x[i];
            found += nans ? THSort_isNanHalf(x[i]) : isZero(x[i]);
        }
        memcpy(to, some, (size_t)found * sizeof *some);
        to += found;
    }
}

void THSort_putOddHalves(int64_t n, const int16_t *x, int16_t *values, bool descending)
{
    const Odd odd = countOdd(n, x, descending);
    int16_t *const nan = values + (descending ? 0 : n - odd.nans);
    if (odd.nans && odd.anyNan != odd.allNans)
        putInOrder(n, x, nan, true);
    else
        for (int64_t i = 0; i < odd.nans; i++)
            nan[i] = odd.anyNan;
    if (odd.negativeZeros && odd.negativeZeros != odd.zeros)
        putInOrder(n, x, values + odd.before + (descending ? odd.nans : 0), false);
}
