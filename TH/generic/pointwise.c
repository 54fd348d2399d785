/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops of division with a rounding mode; included for each computing dtype by TH/loops/divide.c.
 */
#ifndef TH_GENERIC_FILE
#error "include TH/loops/divide.c instead"
#endif

#define TH_DIV_LOOP(name, expression)                                     \
    TH_LOOP_DECLARE(THLoop_(name));                                       \
    TH_LOOP_DECLARE(THLoop_(name))                                        \
    {                                                                     \
        storage_t *const result = data[0];                                \
        const storage_t *const self = data[1];                            \
        const storage_t *const other = data[2];                           \
        (void)params;                                                     \
        _Pragma("omp simd") for (int64_t i = 0; i < n; i++)               \
        {                                                                 \
            const scalar_t x = TH_LOAD(self + i), y = TH_LOAD(other + i); \
            TH_STORE(result + i, expression);                             \
        }                                                                 \
    }

TH_DIV_LOOP(divTrue, TH_MATH(trunc_divide)(x, y))
TH_DIV_LOOP(divTrunc, TH_MATH(trunc)(TH_MATH(trunc_divide)(x, y)))
TH_DIV_LOOP(divFloor, TH_MATH(floor_divide)(x, y))
#undef TH_DIV_LOOP
