/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to sort.c, within its generic part: keys of few bits are counted, which tells where the
 * elements of each one begin. Every quarter of a line has counts of its own, so that no element
 * waits for a count that the one before it, often of the same key, has changed. */
#define COUNTED_BITS 11  /* of keys */
#define COUNTED_FROM 256 /* elements, and two for each key */
#define COUNTED_UPTO UINT32_MAX
#define QUARTERS 4
#define SOME 64 /* elements of each at a time */

/* By a loop of its own, which takes vectors. */
static inline void THLoop_(keysOf)(const THLoop_(Packing) * p, int64_t n,
                                   const storage_t *restrict x, uint16_t *restrict keys)
{
    for (int64_t i = 0; i < n; i++) {
        const sortkey_t key = (sortkey_t)(THLoop_(sortKey)(TH_LOAD(x + i), p->flip) - p->least);
        keys[i] = (uint16_t)(key >> p->shift);
    }
}

/* f(i, count) for every element of index i, where `count` is that of its key. */
#define FOR_COUNTS(p, n, x, counts, f)                                               \
    do {                                                                             \
        uint16_t keys[QUARTERS][SOME];                                               \
        const int64_t quarter = (n) / QUARTERS;                                      \
        for (int64_t begin = 0; begin < quarter; begin += SOME) {                    \
            const int64_t m = quarter - begin < SOME ? quarter - begin : SOME;       \
            for (int q = 0; q < QUARTERS; q++)                                       \
                THLoop_(keysOf)((p), m, (x) + q * quarter + begin, keys[q]);         \
            for (int64_t i = 0; i < m; i++)                                          \
                for (int q = 0; q < QUARTERS; q++)                                   \
                    f(q * quarter + begin + i, (counts)[keys[q][i] * QUARTERS + q]); \
        }                                                                            \
        for (int64_t i = quarter * QUARTERS; i < (n); i++) {                         \
            THLoop_(keysOf)((p), 1, (x) + i, keys[0]);                               \
            f(i, (counts)[keys[0][0] * QUARTERS + QUARTERS - 1]);                    \
        }                                                                            \
    } while (0)
#define COUNT(i, count) (count)++
#define PUT(i, count) indices[(count)++] = (i)

static void THLoop_(countKeys)(const THLoop_(Packing) * packing, int64_t n, const storage_t *x,
                               uint32_t *counts)
{
    const THLoop_(Packing) p = *packing;
    FOR_COUNTS(&p, n, x, counts, COUNT);
}

/* Counts are by now where the next element of a key goes to. */
static void THLoop_(putByCounts)(const THLoop_(Packing) * packing, int64_t n, const storage_t *x,
                                 uint32_t *counts, int64_t *indices)
{
    const THLoop_(Packing) p = *packing;
    FOR_COUNTS(&p, n, x, counts, PUT);
}

/* False, with nothing written, where keys have many bits, or there are few elements. */
static bool THLoop_(sortCounting)(const THLoop_(Packing) * packing, int64_t n, const storage_t *x,
                                  int64_t *indices)
{
    const int bits = packing->end - packing->bits;
    if (packing->lost || bits > COUNTED_BITS || n < COUNTED_FROM || n > COUNTED_UPTO ||
        n >> bits < 2)
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
