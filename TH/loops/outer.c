/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops of outer products, bool's among them: left right, and beta self + (alpha left) right. */
#ifndef TH_GENERIC_FILE

#include <TH/THMath.h>
#include <TH/ops/THOuter.h>

#define INLINE static inline __attribute__((always_inline))
#define TH_GENERIC_FILE "TH/loops/outer.c"
#include <TH/THGenerateKernelTypes.h>

#elif TH_OWN_BITS

#define PRODUCT TH_MATH(product)
#define ROW THLoop_(outerRow)
#define ROWS THLoop_(outerRows)
#define ANY THLoop_(outerAny)
#define LANES (64 / (int64_t)sizeof(storage_t))

/* `single` and `adds` are known to the compiler: left is one element, self is added. */
INLINE void ROW(int64_t n, void *const *data, scalar_t alpha, scalar_t beta, bool single, bool adds)
{
    storage_t *result = data[0];
    const storage_t *left = data[1], *right = data[2], *self = adds ? data[3] : NULL;
    const scalar_t one = single ? TH_MATH(single)(TH_LOAD(left)) : 0;
    const scalar_t factor = adds ? PRODUCT(alpha, one) : one;
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        const scalar_t own = single ? one : TH_LOAD(left + i);
        const scalar_t x = single ? factor : adds ? PRODUCT(alpha, own) : own;
        const scalar_t term = PRODUCT(x, TH_LOAD(right + i));
        TH_STORE(result + i, adds ? (scalar_t)(PRODUCT(beta, TH_LOAD(self + i)) + term) : term);
    }
}

#ifdef TH_WIDENED
#define OUTER THWidened_(outer)
#define ADDR THWidened_(addr)
INLINE void ROWS(int64_t n, void *const *data, scalar_t alpha, scalar_t beta, bool single,
                 bool adds)
{
    TH_WIDENED_BLOCK(result);
    TH_WIDENED_BLOCK(left);
    TH_WIDENED_BLOCK(right);
    TH_WIDENED_BLOCK(self);
    void *const block[] = {result, left, right, self};
    if (single)
        TH_WIDEN_ONE(left, data[1]);
    for (int64_t i = 0; i < n; i += TH_WIDENED_LANES) {
        if (!single)
            TH_WIDEN(left, data[1], i);
        TH_WIDEN(right, data[2], i);
        if (adds)
            TH_WIDEN(self, data[3], i);
        ROW(TH_WIDENED_LANES, block, alpha, beta, single, adds);
        TH_NARROW(data[0], result, i);
    }
}
#else
#define OUTER THLoop_(outer)
#define ADDR THLoop_(addr)
INLINE void ROWS(int64_t n, void *const *data, scalar_t alpha, scalar_t beta, bool single,
                 bool adds)
{
    const int operands = adds ? 4 : 3;
    const int64_t *const rows = n < 0 ? data[operands] : TH_ONE_ROW;
    void *row[4];
    for (int k = 0; k < operands; k++)
        row[k] = data[k];
    n = n < 0 ? -n : n;
    for (int64_t left = rows[0]; left > 0; left--) {
        if (single && !adds && n > LANES) { /* the result is no operand: its ends may overlap */
            void *const end[] = {(storage_t *)row[0] + n - LANES, row[1],
                                 (storage_t *)row[2] + n - LANES};
            ROW((n - 1) & -LANES, row, 1, 0, true, false);
            ROW(LANES, end, 1, 0, true, false);
        } else {
            ROW(n, row, alpha, beta, single, adds);
        }
        for (int k = 0; k < operands; k++)
            row[k] = TH_ROW_AFTER(row[k], rows[1 + k]);
    }
}
#endif

INLINE void ANY(int64_t n, void *const *data, const THOuterParams *outer, scalar_t alpha,
                scalar_t beta, bool adds)
{
    if (outer->leftSingle && n != 0)
        ROWS(n, data, alpha, beta, true, adds);
    else
        ROWS(n, data, alpha, beta, false, adds);
}

TH_LOOP_DECLARE(OUTER);
TH_LOOP_DECLARE(OUTER)
{
    ANY(n, data, params, 1, 0, false);
}

TH_LOOP_DECLARE(ADDR);
TH_LOOP_DECLARE(ADDR)
{
    const THOuterParams *outer = params;
    const scalar_t alpha = *(const scalar_t *)outer->alpha;
    ANY(n, data, outer, alpha, *(const scalar_t *)outer->beta, true);
}

#undef PRODUCT
#undef ROW
#undef ROWS
#undef ANY
#undef LANES
#undef OUTER
#undef ADDR

#endif
