/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Comparisons of whole tensors, block by block until a difference is found; included for each dtype
 * by TH/ops/THCompare.c. */
#ifndef TH_GENERIC_FILE
#error "include TH/ops/THCompare.c instead"
#endif

#ifndef TH_CATEGORY_IS_INTEGRAL
TH_LOOPS_DECLARE(TH_EQUAL_LOOP_DECLARE, equal, Real);
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
#else
    static const THEqualLoop loops[TH_ISA_COUNT] = TH_LOOPS(equal, Real);
    return loops[THIsa_for(n)](n, x, y);
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
