/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What of sorting does not depend on a dtype or instruction set: keys of few bits are counted,
 * which tells where the elements of each one begin. Every quarter of a line has counts of its own,
 * so that no element waits for a count that the one before it, often of the same key, has changed.
 * Keys of up to 16 bits are counted twice: by their lower bits, then in that order by the others.
 */
#include <TH/THEngine.h>
#include <TH/ops/THSorting.h>

#include <string.h>

#define COUNTED_UPTO UINT32_MAX
#define QUARTERS 4
#define HALVES 2   /* where there are few elements of a key, or many places they go to */
#define SOME 256   /* elements of each at a time */
#define FEW_BITS 4 /* of keys with so few places that indices are put there as they will be, */
#define NEAR 4096  /* ... or so few indices */

#define TWICE_BITS 16 /* of keys that are counted twice, ... */
#define LOWER_BITS 8  /* ... by so many of them first */
#define TWICE_FROM 1024
#define TWICE_INDEX 24 /* bits of an index, beside the upper ones of a key */

#define PANEL_LEAST 8 /* lines worth a panel: as many as they have elements, ... */
#define PANEL_SHARE 4 /* ... or times those that are put in order */

typedef struct Counted {
    const THSortPacking *packing;
    THSortKeysOf *keysOf;
    int64_t n;
    const char *x;
    int64_t size;
} Counted;

/* f(i, key, count) for every element of index i, where `count` is that of its key, or of its bits
 * in a mask, in one of some parts of a line. */
#define FOR_COUNTS(line, counts, parts, mask, f)                                    \
    do {                                                                            \
        uint16_t keys[parts][SOME];                                                 \
        const Counted l = *(line);                                                  \
        const int64_t part = l.n / (parts);                                         \
        for (int64_t begin = 0; begin < part; begin += SOME) {                      \
            const int64_t m = part - begin < SOME ? part - begin : SOME;            \
            for (int q = 0; q < (parts); q++)                                       \
                l.keysOf(l.packing, m, l.x + (q * part + begin) * l.size, keys[q]); \
            for (int64_t i = 0; i < m; i++)                                         \
                for (int q = 0; q < (parts); q++)                                   \
                    f(q * part + begin + i, keys[q][i],                             \
                      (counts)[(keys[q][i] & (mask)) * (parts) + q]);               \
        }                                                                           \
        l.keysOf(l.packing, l.n % (parts), l.x + part * (parts) * l.size, keys[0]); \
        for (int64_t i = part * (parts); i < l.n; i++) {                            \
            const uint16_t key = keys[0][i - part * (parts)];                       \
            f(i, key, (counts)[(key & (mask)) * (parts) + (parts) - 1]);            \
        }                                                                           \
    } while (0)
#define COUNT(i, key, count) (count)++
#define PUT(i, key, count) indices[(count)++] = (i)
#define PUT_WORD(i, key, count) to[(count)++] = (Word)(i)
#define PUT_LOWER(i, key, count) \
    words[(count)++] = (uint32_t)(i) | (uint32_t)((key) >> LOWER_BITS) << TWICE_INDEX
#define PUT_UPPER(i, key, count) to[(count)++] = words[i] & ((1u << TWICE_INDEX) - 1)

/* Counts become where the next element of a key goes to. */
static void sumCounts(int64_t n, uint32_t *counts)
{
    uint32_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint32_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
}

typedef uint32_t Word __attribute__((may_alias));

/* The indices of the first half of their memory. */
static void widenIndices(int64_t n, int64_t *indices)
{
    const Word *const words = (const Word *)(const void *)indices;
    for (int64_t end = n, m; end > 0; end -= m) { /* from the end: they become twice as long */
        uint32_t some[SOME];
        m = THSize_min(end, SOME);
        memcpy(some, words + end - m, (size_t)m * sizeof *some);
        for (int64_t i = 0; i < m; i++)
            indices[end - m + i] = some[i];
    }
}

#define COUNT_ONCE(parts, f)                                 \
    do {                                                     \
        memset(counts, 0, sizeof *counts * (parts) << bits); \
        FOR_COUNTS(line, counts, parts, UINT16_MAX, COUNT);  \
        sumCounts((parts) << bits, counts);                  \
        FOR_COUNTS(line, counts, parts, UINT16_MAX, f);      \
        for (int64_t key = 0; key < 1 << bits; key++)        \
            ends[key] = counts[key * (parts) + (parts) - 1]; \
    } while (0)

/* To many places words of half the length are put in half the time. */
static void countOnce(const Counted *line, int bits, int64_t *indices, uint32_t *ends)
{
    uint32_t counts[QUARTERS << TH_SORT_ONCE_BITS];
    Word *const to = (Word *)(void *)indices;
    const bool halves = line->n >> bits < QUARTERS;
    if (halves || line->n < NEAR || bits <= FEW_BITS) {
        if (halves)
            COUNT_ONCE(HALVES, PUT);
        else
            COUNT_ONCE(QUARTERS, PUT);
        return;
    }
    COUNT_ONCE(QUARTERS, PUT_WORD);
    widenIndices(line->n, indices);
}

static void upperOf(const THSortPacking *packing, int64_t n, const void *x, uint16_t *keys)
{
    (void)packing;
    for (int64_t i = 0; i < n; i++)
        keys[i] = (uint16_t)(((const Word *)x)[i] >> TWICE_INDEX);
}

/* The last half of the indices' memory has what the lower bits have put in order, the first half
 * then all that is. */
static void countTwice(const Counted *line, int64_t *indices)
{
    uint32_t counts[HALVES << LOWER_BITS] = {0}, upper[HALVES << (TWICE_BITS - LOWER_BITS)] = {0};
    const int64_t n = line->n;
    Word *const to = (Word *)(void *)indices, *const words = to + n;
    FOR_COUNTS(line, counts, HALVES, (1u << LOWER_BITS) - 1, COUNT);
    sumCounts(HALVES << LOWER_BITS, counts);
    FOR_COUNTS(line, counts, HALVES, (1u << LOWER_BITS) - 1, PUT_LOWER);
    const Counted lower = {NULL, upperOf, n, (const char *)words, sizeof *words};
    FOR_COUNTS(&lower, upper, HALVES, UINT16_MAX, COUNT);
    sumCounts(HALVES << (TWICE_BITS - LOWER_BITS), upper);
    FOR_COUNTS(&lower, upper, HALVES, UINT16_MAX, PUT_UPPER);
    widenIndices(n, indices);
}

bool THSort_counting(const THSortPacking *packing, THSortKeysOf *keysOf, int64_t n, const void *x,
                     int64_t size, int64_t *indices, uint32_t *ends)
{
    const int bits = packing->end - packing->bits;
    const Counted line = {packing, keysOf, n, x, size};
    if (packing->lost || n > COUNTED_UPTO)
        return false;
    if (THSort_countsOnce(packing, n)) {
        countOnce(&line, bits, indices, ends);
        return true;
    }
    if (bits > TWICE_BITS || n < TWICE_FROM || n > (int64_t)1 << TWICE_INDEX)
        return false;
    countTwice(&line, indices);
    return true;
}

int THSort_shape(const THLineFunction *function, THTensor *const *results, int nresults,
                 const THTensor *self, int64_t dim, bool keepdim)
{
    int64_t size[TH_MAX_DIMS] = {0};
    int n = 0, status = TH_OK;
    for (int d = 0; d < self->nDimension; d++)
        if (d != dim || keepdim)
            size[n++] = d == dim ? function->length : self->size[d];
    for (int r = 0; r < nresults && status == TH_OK; r++)
        status = n == self->nDimension
                     ? THTensor_resizeOutputBy(function->op, results[r], size, self)
                     : THTensor_resizeOutput(function->op, results[r], n, size);
    return status;
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

#define DECLARE(loop) extern THLineCall loop
TH_ISA_DECLARE(DECLARE, th_sortHalves);
static THLineCall *const halves[TH_ISA_COUNT] = TH_ISA_TABLE(th_sortHalves);

void THSort_setAlone(THLineFunction *function, THDtype dtype, int64_t n)
{
    const bool counted =
        THDtype_size(dtype) == 2 && n >= TH_SORT_COUNTED && function->panel == NULL;
    function->scratch = counted ? TH_SORT_COUNTS * (int64_t)sizeof(uint32_t) : TH_SORT_SCRATCH(n);
    if (dtype == TH_HALF && function->panel == NULL) {
        function->from = function->to[0] = dtype;
        function->call = halves[THIsa_current];
        function->scratch += counted ? 0 : TH_SORT_SHORTS(n);
    }
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
