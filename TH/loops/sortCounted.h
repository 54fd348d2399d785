/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to sort.c, within its generic part: keys of few bits are counted, which tells where the
 * elements of each one begin. Every quarter of a line has counts of its own, so that no element
 * waits for a count that the one before it, often of the same key, has changed. */
#define COUNTED_BITS 11 /* of keys */
#define COUNTED_FROM 2  /* elements for each of them */
#define COUNTED_UPTO UINT32_MAX
#define QUARTERS 4

static inline uint32_t *THLoop_(countOf)(const THLoop_(Packing) * p, const storage_t *x,
                                         uint32_t *counts)
{
    sortkey_t key = THLoop_(sortKey)(TH_LOAD(x), p->flip);
    if (KEY_BITS > 8)
        key = (sortkey_t)(key - p->least) >> p->shift;
    return counts + (size_t)key * QUARTERS;
}

static void THLoop_(countKeys)(const THLoop_(Packing) * packing, int64_t n, const storage_t *x,
                               uint32_t *counts)
{
    const THLoop_(Packing) p = *packing;
    const int64_t quarter = n / QUARTERS;
    for (int64_t i = 0; i < quarter; i++)
        for (int q = 0; q < QUARTERS; q++)
            THLoop_(countOf)(&p, x + q * quarter + i, counts)[q]++;
    for (int64_t i = quarter * QUARTERS; i < n; i++)
        THLoop_(countOf)(&p, x + i, counts)[QUARTERS - 1]++;
}

/* Counts are by now where the next element of a key goes to. */
static void THLoop_(putByCounts)(const THLoop_(Packing) * packing, int64_t n, const storage_t *x,
                                 uint32_t *counts, int64_t *indices)
{
    const THLoop_(Packing) p = *packing;
    const int64_t quarter = n / QUARTERS;
    for (int64_t i = 0; i < quarter; i++)
        for (int q = 0; q < QUARTERS; q++) {
            const int64_t from = q * quarter + i;
            indices[THLoop_(countOf)(&p, x + from, counts)[q]++] = from;
        }
    for (int64_t i = quarter * QUARTERS; i < n; i++)
        indices[THLoop_(countOf)(&p, x + i, counts)[QUARTERS - 1]++] = i;
}

/* False, with nothing written, where keys have many bits, or there are few elements. */
static bool THLoop_(sortCounting)(const THLoop_(Packing) * packing, int64_t n, const storage_t *x,
                                  int64_t *indices)
{
    const int bits = packing->end - packing->bits;
    if (packing->lost || bits > COUNTED_BITS || n < COUNTED_FROM << bits || n > COUNTED_UPTO)
        return false;
    uint32_t counts[QUARTERS << COUNTED_BITS], sum = 0;
    memset(counts, 0, sizeof *counts * QUARTERS << bits);
    THLoop_(countKeys)(packing, n, x, counts);
    for (int64_t i = 0; i < (int64_t)QUARTERS << bits; i++) {
        const uint32_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
    THLoop_(putByCounts)(packing, n, x, counts, indices);
    return true;
}
