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
    union {
        uint32_t words[DRAWN];
        uint64_t longs[DRAWN];
    } drawn;
    for (int64_t at = 0; at < n; at += DRAWN) {
        const int64_t m = n - at < DRAWN ? n - at : DRAWN;
        const bool isLong = count > UINT32_MAX;
        if (isLong)
            THRandom_longsBelow(generator, m, count, drawn.longs);
        else if (count > 1)
            THRandom_wordsBelow(generator, m, (uint32_t)count, drawn.words);
        else
            memset(&drawn, 0, sizeof drawn);
        for (int64_t i = 0; i < m; i++) {
            const uint64_t number = isLong ? drawn.longs[i] : drawn.words[i];
            TH_STORE(data + at + i, (scalar_t)(int64_t)((uint64_t)from + number));
        }
    }
}
