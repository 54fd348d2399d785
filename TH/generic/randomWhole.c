/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whole random numbers; included by TH/ops/THRandomOps.c for each dtype. */
#ifndef TH_GENERIC_FILE
#error "include TH/ops/THRandomOps.c instead"
#endif

/* In from + [0, count). */
static void THTensor_(fillWhole)(void *to, int64_t n, int64_t from, uint64_t count,
                                 THGenerator *generator)
{
    storage_t *const data = to;
    uint32_t numbers[DRAWN];
    const bool isWord = count > 1 && count <= UINT32_MAX;
    for (int64_t at = 0; at < n && isWord; at += DRAWN) {
        const int64_t m = n - at < DRAWN ? n - at : DRAWN;
        THRandom_wordsBelow(generator, m, (uint32_t)count, numbers);
        for (int64_t i = 0; i < m; i++)
            TH_STORE(data + at + i, (scalar_t)(int64_t)((uint64_t)from + numbers[i]));
    }
    for (int64_t i = 0; i < n && !isWord; i++) {
        const uint64_t drawn = THRandom_below(generator, count);
        TH_STORE(data + i, (scalar_t)(int64_t)((uint64_t)from + drawn));
    }
}
