/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops of division with a rounding mode; included for each computing dtype by TH/loops/divide.c.
 */
#ifndef TH_GENERIC_FILE
#error "include TH/loops/divide.c instead"
#endif

#if defined(TH_CATEGORY_IS_INTEGRAL)
/* By -1 it is a negation anyway. */
#define TH_DIV_HAS_INVERSE(y) \
    ((y) + 1 != 0 && (uint64_t)(y) + (UINT64_C(1) << 32) <= UINT64_C(1) << 33)
#define TH_DIV_FLOOR_BY TH_MATH(floor_divide_by)
#else
#define TH_DIV_HAS_INVERSE(y) false
#define TH_DIV_FLOOR_BY TH_MATH(floor_divide)
#endif

#define TH_DIV_EACH(divisor, expression)                   \
    _Pragma("omp simd") for (int64_t i = 0; i < n; i++)    \
    {                                                      \
        const scalar_t x = TH_LOAD(self + i), y = divisor; \
        TH_STORE(result + i, expression);                  \
    }
/* A divisor that is single is read once; `by` is for those of them that are `usual`. */
#define TH_DIV_LOOP(name, expression, usual, by)               \
    TH_LOOP_DECLARE(THLoop_(name));                            \
    TH_LOOP_DECLARE(THLoop_(name))                             \
    {                                                          \
        storage_t *const result = data[0];                     \
        const storage_t *const self = data[1];                 \
        const storage_t *const other = data[2];                \
        const bool isSingle = *(const bool *)params && n > 0;  \
        const scalar_t single = isSingle ? TH_LOAD(other) : 1; \
        if (isSingle && (usual))                               \
            TH_DIV_EACH(single, by)                            \
        else if (isSingle)                                     \
            TH_DIV_EACH(single, expression)                    \
        else                                                   \
            TH_DIV_EACH(TH_LOAD(other + i), expression)        \
    }

#define TH_DIV_TRUNC TH_MATH(trunc)(TH_MATH(trunc_divide)(x, y))
#if defined(TH_CATEGORY_IS_FLOATING)
TH_DIV_LOOP(divTrue, x / y, false, x / y)
#endif
TH_DIV_LOOP(divTrunc, TH_DIV_TRUNC, false, TH_DIV_TRUNC)
TH_DIV_LOOP(divFloor, TH_MATH(floor_divide)(x, y), TH_DIV_HAS_INVERSE(single),
            TH_DIV_FLOOR_BY(x, y))
#undef TH_DIV_TRUNC
#undef TH_DIV_LOOP
#undef TH_DIV_EACH
#undef TH_DIV_FLOOR_BY
#undef TH_DIV_HAS_INVERSE
