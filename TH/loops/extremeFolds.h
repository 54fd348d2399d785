/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to extreme.c, within its generic part: lines of middle length, as many as there are
 * lanes, which are folded together. */

/* What folding lines together takes: one vector for each line, of its lanes' extremes, and if they
 * are asked for, of where these are. */
typedef struct THLoop_(Folds) {
    THLoop_(Keys) key[LANES];
    THLoop_(Places) place[LANES], nan, lane;
} THLoop_(Folds);

INLINE void THLoop_(startFolds)(THLoop_(Folds) * folds)
{
    index_t number[LANES];
    for (int j = 0; j < LANES; j++)
        number[j] = (index_t)j;
    memcpy(&folds->lane, number, sizeof folds->lane);
    folds->nan = (THLoop_(Places)){0};
}

/* The lanes of one more block, from `from` on. */
INLINE void THLoop_(lanesOfBlock)(bool max, bool asked, int rows, const storage_t *x, int64_t from,
                                  index_t flip, THLoop_(Keys) * best, THLoop_(Places) * at,
                                  THLoop_(Places) * nan)
{
    THLoop_(Keys) keys;
    THLoop_(extremeOfBlock)(max, rows, x + from, flip, &keys, nan);
    const THLoop_(Places) better = max ? keys > *best : keys < *best;
    *best = MOST_OF(max, keys, *best);
    if (asked)
        *at = TH_REGISTER_CHOOSE(better, (THLoop_(Places)){0} + (index_t)from, *at);
}

/* The lanes of line `i`, of n >= `rows` * LANES elements. Places are those of elements, or, where
 * there are several rows, of blocks. */
INLINE void THLoop_(lanesOfLine)(bool max, bool asked, int rows, int64_t n, const storage_t *x,
                                 index_t flip, THLoop_(Folds) * folds, int64_t i)
{
    const int64_t block = rows * LANES;
    THLoop_(Places) at = {0}, nan = folds->nan;
    THLoop_(Keys) best;
    THLoop_(extremeOfBlock)(max, rows, x, flip, &best, &nan);
    int64_t next = block;
    /* without a minimum for each of them, which several long vectors hide */
    for (; (rows == 1 || VECTOR_BYTES == 32) && next + block <= n; next += block)
        THLoop_(lanesOfBlock)(max, asked, rows, x, next, flip, &best, &at, &nan);
    for (; next < n; next += block)
        THLoop_(lanesOfBlock)(max, asked, rows, x, next < n - block ? next : n - block, flip, &best,
                              &at, &nan);
    folds->key[i] = best;
    if (asked)
        folds->place[i] = rows == 1 ? at + folds->lane : at;
    folds->nan = nan;
}

/* The extreme of line i goes to lane i of the first vectors, with the first of its places. */
INLINE void THLoop_(foldLines)(bool max, bool asked, THLoop_(Folds) * folds)
{
    THLoop_(Keys) *key = folds->key;
    THLoop_(Places) *place = folds->place, low, high;
    index_t from[LANES];
    for (int j = 0; j < LANES; j++)
        from[j] = (index_t)(j / 2 + j % 2 * LANES);
    memcpy(&low, from, sizeof low);
    high = low + LANES / 2;
#pragma GCC unroll 4
    for (int half = LANES / 2; half; half /= 2) {
#pragma GCC unroll 8
        for (int i = 0; i < half; i++) {
            const THLoop_(Keys) keys = SHUFFLE(key[i], key[i + half], high);
            key[i] = SHUFFLE(key[i], key[i + half], low);
            if (asked) {
                THLoop_(Places) better = max ? keys > key[i] : keys < key[i];
                const THLoop_(Places) places = SHUFFLE(place[i], place[i + half], high);
                place[i] = SHUFFLE(place[i], place[i + half], low);
                better |= (keys == key[i]) & (places < place[i]);
                place[i] = TH_REGISTER_CHOOSE(better, places, place[i]);
                key[i] = TH_REGISTER_CHOOSE(better, keys, key[i]);
            } else {
                key[i] = MOST_OF(max, keys, key[i]);
            }
        }
    }
}

/* The extremes of at most LANES lines of n >= LANES elements, and the first places of these, if
 * they are asked for, unless there is NaN. */
INLINE bool THLoop_(extremeOfFolds)(bool max, bool asked, index_t flip, int64_t nlines, int64_t n,
                                    const char *data, int64_t stride, key_t *best, int64_t *place)
{
    THLoop_(Folds) folds;
    const int64_t least = asked ? 2 * BLOCK : BLOCK; /* of lines that are taken by blocks */
    /* Of half blocks, where a place is searched for at the end, less is searched (316 lines of 316
     * int64: 9.0 us, so 7.6; EPYC 9005). */
    const int rows = asked ? BLOCK_ROWS / 2 : BLOCK_ROWS;
    THLoop_(startFolds)(&folds);
    for (int64_t i = 0; i < LANES; i++) { /* the last line fills what is left */
        const char *at = data + (i < nlines ? i : nlines - 1) * stride;
        const storage_t *x = (const storage_t *)(const void *)at;
        if (n < least)
            THLoop_(lanesOfLine)(max, asked, 1, n, x, flip, &folds, i);
        else
            THLoop_(lanesOfLine)(max, asked, rows, n, x, flip, &folds, i);
    }
    if (ANY_NAN(&folds.nan))
        return false;
    THLoop_(foldLines)(max, asked, &folds);
    const THLoop_(Keys) values = KEYS(folds.key[0], flip);
    const THLoop_(Places) signs = HAVE_SIGN(values);
    if (!asked && nlines == LANES && !THRegister_isAny(&signs)) {
        memcpy(best, &values, sizeof values);
        return true;
    }
    for (int64_t i = 0; i < nlines; i++) {
        const storage_t *x = (const storage_t *)(const void *)(data + i * stride);
        const key_t value = folds.key[0][i];
        int64_t at = asked ? folds.place[0][i] : 0;
        if (asked && n >= least)
            at += THLoop_(find)(rows * LANES, x + at, flip, value);
        while (!asked && HAS_SIGN(value, flip) && x[at] != value)
            at++;
        best[i] = asked || HAS_SIGN(value, flip) ? x[at] : KEY(value, flip);
        if (asked)
            place[i] = at;
    }
    return true;
}
