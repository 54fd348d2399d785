/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Comparisons of whole tensors, block by block until a difference is found; included for each dtype
 * by TH/ops/THCompare.c. */
#ifndef TH_GENERIC_FILE
#error "include TH/ops/THCompare.c instead"
#endif

static bool THTensor_(equalBlock)(int64_t n, const Comparison *comparison, int64_t begin)
{
    const storage_t *x = (const storage_t *)comparison->x + begin;
    const storage_t *y = (const storage_t *)comparison->y + begin;
#ifndef TH_CATEGORY_IS_FLOATING
    if (x == y || memcmp(x, y, (size_t)n * sizeof *x) == 0)
        return true;
#endif
#ifdef TH_CATEGORY_IS_INTEGRAL
    return false;
#elif defined(TH_REAL_IS_HALF)
    int16_t differ = 0; /* by their bits: the same ones, but of NaN, or both zero */
#pragma omp simd reduction(| : differ)
    for (int64_t i = 0; i < n; i++) {
        const int16_t a = (int16_t)x[i].x, size = a & 0x7fff;
        const int16_t b = (int16_t)y[i].x, sizes = (a | b) & 0x7fff;
        differ |= !(((a == b) & (size <= 0x7c00)) | (sizes == 0));
    }
    return !differ;
#elif defined(TH_CATEGORY_IS_BOOL)
    int differ = 0; /* true is any byte but 0 */
#pragma omp simd reduction(| : differ)
    for (int64_t i = 0; i < n; i++)
        differ |= TH_LOAD(x + i) != TH_LOAD(y + i);
    return !differ;
#else
    /* By registers of the least machine, for which compilers make single comparisons of a loop. */
    typedef storage_t Vector __attribute__((vector_size(16)));
    typedef __typeof__(_Generic((scalar_t)0, double: (int64_t)0, default: 0)) Bits;
    enum { PARTS = 4 }; /* that do not wait for each other */
    Bits __attribute__((vector_size(16))) part[PARTS] = {{0}}, differ;
    const int64_t lanes = 16 / (int64_t)sizeof *x;
    int64_t i = 0;
    for (; i + PARTS * lanes <= n; i += PARTS * lanes) {
#pragma GCC unroll 4
        for (int k = 0; k < PARTS; k++) {
            Vector a, b;
            memcpy(&a, x + i + k * lanes, sizeof a);
            memcpy(&b, y + i + k * lanes, sizeof b);
            part[k] |= a != b;
        }
    }
    differ = (part[0] | part[1]) | (part[2] | part[3]);
    for (; i < n; i++)
        differ[0] |= x[i] != y[i];
    uint64_t words[2];
    memcpy(words, &differ, sizeof words);
    return (words[0] | words[1]) == 0;
#endif
}

static bool THTensor_(closeBlock)(int64_t n, const Comparison *comparison, int64_t begin)
{
    const storage_t *x = (const storage_t *)comparison->x + begin;
    const storage_t *y = (const storage_t *)comparison->y + begin;
    const double rtol = comparison->rtol, atol = comparison->atol;
    const bool equalNan = comparison->equalNan;
    int differ = 0;
#pragma omp simd reduction(| : differ)
    for (int64_t i = 0; i < n; i++)
        differ |= !TH_MATH(isclose)(TH_LOAD(x + i), TH_LOAD(y + i), rtol, atol, equalNan);
    return !differ;
}

int THTensor_(equal)(bool *result, THTensor *self, THTensor *other)
{
    Comparison comparison = {.block = THTensor_(equalBlock)};
    if (!THTensor_isSameSizeAs(self, other)) {
        *result = false;
        return TH_OK;
    }
    return THCompare_run(result, &comparison, self, other);
}

int THTensor_(allclose)(bool *result, THTensor *self, THTensor *other, double rtol, double atol,
                        bool equalNan)
{
    Comparison comparison = {
        .block = THTensor_(closeBlock), .rtol = rtol, .atol = atol, .equalNan = equalNan};
    return allClose(result, &comparison, self, other);
}
