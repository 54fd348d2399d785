/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What of sorting does not depend on a dtype or instruction set: keys of few bits are counted,
 * which tells where the elements of each one begin. Every quarter of a line has counts of its own,
 * so that no element waits for a count that the one before it, often of the same key, has changed.
 */
#include <TH/ops/THSorting.h>

#include <string.h>

#define COUNTED_BITS 11  /* of keys */
#define COUNTED_FROM 256 /* elements, and two for each key */
#define COUNTED_UPTO UINT32_MAX
#define QUARTERS 4
#define SOME 256 /* elements of each at a time */

#define PANEL_LEAST 8 /* lines worth a panel: as many as they have elements, ... */
#define PANEL_SHARE 4 /* ... or times those that are put in order */

typedef struct Counted {
    const THSortPacking *packing;
    THSortKeysOf *keysOf;
    int64_t n;
    const char *x;
    int64_t size;
} Counted;

/* f(i, count) for every element of index i, where `count` is that of its key. */
#define FOR_COUNTS(line, counts, f)                                                      \
    do {                                                                                 \
        uint16_t keys[QUARTERS][SOME];                                                   \
        const Counted l = *(line);                                                       \
        const int64_t quarter = l.n / QUARTERS;                                          \
        for (int64_t begin = 0; begin < quarter; begin += SOME) {                        \
            const int64_t m = quarter - begin < SOME ? quarter - begin : SOME;           \
            for (int q = 0; q < QUARTERS; q++)                                           \
                l.keysOf(l.packing, m, l.x + (q * quarter + begin) * l.size, keys[q]);   \
            for (int64_t i = 0; i < m; i++)                                              \
                for (int q = 0; q < QUARTERS; q++)                                       \
                    f(q * quarter + begin + i, (counts)[keys[q][i] * QUARTERS + q]);     \
        }                                                                                \
        l.keysOf(l.packing, l.n % QUARTERS, l.x + quarter * QUARTERS * l.size, keys[0]); \
        for (int64_t i = quarter * QUARTERS; i < l.n; i++)                               \
            f(i, (counts)[keys[0][i - quarter * QUARTERS] * QUARTERS + QUARTERS - 1]);   \
    } while (0)
#define COUNT(i, count) (count)++
#define PUT(i, count) indices[(count)++] = (i)

static void countKeys(const Counted *line, uint32_t *counts)
{
    FOR_COUNTS(line, counts, COUNT);
}

/* Counts are by now where the next element of a key goes to. */
static void putByCounts(const Counted *line, uint32_t *counts, int64_t *indices)
{
    FOR_COUNTS(line, counts, PUT);
}

bool THSort_counting(const THSortPacking *packing, THSortKeysOf *keysOf, int64_t n, const void *x,
                     int64_t size, int64_t *indices)
{
    const int bits = packing->end - packing->bits;
    const Counted line = {packing, keysOf, n, x, size};
    if (packing->lost || bits > COUNTED_BITS || n < COUNTED_FROM || n > COUNTED_UPTO ||
        n >> bits < 2)
        return false;
    uint32_t counts[QUARTERS << COUNTED_BITS], sum = 0;
    memset(counts, 0, sizeof *counts * QUARTERS << bits);
    countKeys(&line, counts);
    for (int64_t i = 0; i < (int64_t)QUARTERS << bits; i++) {
        const uint32_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
    putByCounts(&line, counts, indices);
    return true;
}

THDtype THSort_panelIndex(THDtype dtype)
{
    const int64_t size = THDtype_size(dtype);
    return size == 1 ? TH_CHAR : size == 2 ? TH_SHORT : size == 4 ? TH_INT : TH_LONG;
}

void THSort_setPanel(THLineFunction *function, const THSortPanel *panel, bool alone, int64_t n)
{
    const int64_t rows = alone ? panel->rowsAlone : panel->rows;
    const int64_t ordered = THSort_ordered(function, n), most = rows * rows * 3 / 4;
    const int64_t longest = THDtype_size(function->from) == 1 ? INT8_MAX : TH_PANEL_ELEMENTS;
    if (n <= rows || (n <= longest && n * ordered <= most))
        function->panel = panel->call;
    function->panelLeast = THSize_min(n, ordered * PANEL_SHARE);
    if (function->panelLeast < PANEL_LEAST)
        function->panelLeast = PANEL_LEAST;
}

int THSort_one(THTensor *values, THTensor *indices, THTensor *self, int64_t dim)
{
    THTensor *view = NULL;
    int status = TH_OK;
    if (indices)
        TH_TRY(THTensor_zero(indices));
    if (values && values->nDimension < self->nDimension)
        TH_TRY(THTensor_newSqueeze1d(&view, self, dim));
    if (values)
        TH_TRY(THTensor_copy(values, view ? view : self));
done:
    THTensor_free(view);
    return status;
}
