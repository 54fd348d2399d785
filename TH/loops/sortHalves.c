/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Halves sorted alone (TH/ops/THSorting.h), as the shorts that have their order; odd ones are put
 * in afterwards. */
#include <TH/ops/THSorting.h>

#define SHORTS(name) TH_CONCAT_4(th_, name, _Short_, TH_ISA)
THLineCall SHORTS(sortValues);
THSortCounting SHORTS(sortCounting);

/* The further a negative one is from 0, the less is its short; and the other way. */
static inline int16_t turned(int16_t bits)
{
    return (int16_t)(bits ^ ((bits >> 15) & INT16_MAX));
}

THLineCall TH_ISA_(th_sortHalves);
void TH_ISA_(th_sortHalves)(const THLineFunction *function, int64_t n, const void *line,
                            void *const *results, void *scratch)
{
    const THSortOrder *order = function->params;
    const int16_t *x = line;
    int16_t *const values = results[0];
    const bool counts = n >= TH_SORT_COUNTED;
    int16_t *const shorts = counts ? values : scratch;
    int16_t odd = 0;
    for (int64_t i = 0; i < n; i++) {
        odd |= (int16_t)(THSort_isNanHalf(x[i]) | (x[i] == INT16_MIN));
        shorts[i] = THSort_isNanHalf(x[i]) ? INT16_MAX : turned(x[i]);
    }
    if (counts)
        SHORTS(sortCounting)(n, shorts, values, order->descending, scratch);
    else
        SHORTS(sortValues)(function, n, shorts, results, (char *)scratch + TH_SORT_SHORTS(n));
    for (int64_t i = 0; i < n; i++)
        values[i] = turned(values[i]);
    if (odd)
        THSort_putOddHalves(n, x, values, order->descending);
}
