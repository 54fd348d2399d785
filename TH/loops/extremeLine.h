/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to extreme.c and extremeHalves.c, within their generic parts: the extreme of a line, and
 * its range. */

/* The first place of `value` among n (a constant) elements, where it is. */
INLINE int64_t THLoop_(find)(int n, const storage_t *restrict x, index_t flip, key_t value)
{
    place_t first = (place_t)n;
#pragma omp simd reduction(min : first)
    for (int j = 0; j < n; j++) {
        const place_t here = KEY(x[j], flip) == value ? (place_t)j : (place_t)n;
        first = here < first ? here : first;
    }
    return first;
}

INLINE key_t THLoop_(extremeOfLanes)(bool max, key_t *lane)
{
#pragma GCC unroll 6
    for (int half = LANES / 2; half; half /= 2) {
#pragma omp simd
        for (int j = 0; j < half; j++)
            lane[j] = THLoop_(beats)(max, lane[j + half], lane[j]) ? lane[j + half] : lane[j];
    }
    return lane[0];
}

/* A vector of keys. Vectors are loaded once each and in the order of memory: where gcc reads those
 * of an integer's block as it pairs them, what comes from memory takes twice as long. */
INLINE THLoop_(Keys) THLoop_(keysOf)(const storage_t *x, index_t flip)
{
    THLoop_(Keys) keys;
    memcpy(&keys, x, sizeof keys);
    TH_REGISTER_LOADED(keys);
    return KEYS(keys, flip);
}

/* The extreme of `rows` (a constant, 1 or even) vectors, and where there is NaN. */
INLINE void THLoop_(extremeOfBlock)(bool max, int rows, const storage_t *restrict x, index_t flip,
                                    THLoop_(Keys) * keys, THLoop_(Places) * nan)
{
    *keys = THLoop_(keysOf)(x, flip);
    if (rows == 1)
        *nan |= UNORDERED_LANES(*keys, *keys);
#pragma GCC unroll 8
    for (int r = 0; r + 1 < rows; r += 2) {
        const THLoop_(Keys) even = r == 0 ? *keys : THLoop_(keysOf)(x + r * LANES, flip);
        const THLoop_(Keys) odd = THLoop_(keysOf)(x + (r + 1) * LANES, flip);
        const THLoop_(Keys) most = MOST_OF(max, odd, even);
        *nan |= UNORDERED_LANES(even, odd);
        *keys = r == 0 ? most : MOST_OF(max, most, *keys);
    }
}

/* The place of the first extreme of n elements, if that is asked for, and its key; -1 where there
 * is NaN. Each lane keeps its best and the block of that, so that only one block is searched. Some
 * elements are seen twice, which changes nothing. */
INLINE int64_t THLoop_(place)(bool max, int rows, bool asked, int64_t n,
                              const storage_t *restrict x, index_t flip, int64_t ahead,
                              key_t *value)
{
    const int64_t block = LANES * rows, nblocks = (n - 1) / block + 1;
    THLoop_(Places) at = {0}, nan = {0};
    THLoop_(Keys) best, keys;
    key_t lane[LANES];
    index_t index[LANES];
    THLoop_(extremeOfBlock)(max, rows, x, flip, &best, &nan);
    for (int64_t i = 1, end; i < nblocks && !ANY_NAN(&nan);)
        for (end = HAS_NAN ? THSize_min(i + CHECKED, nblocks) : nblocks; i < end; i++) {
            const storage_t *v = x + (i * block < n - block ? i * block : n - block);
            for (int j = 0; ahead && j < block; j += LANES)
                __builtin_prefetch((const void *)((uintptr_t)(v + j) + (uintptr_t)ahead));
            THLoop_(extremeOfBlock)(max, rows, v, flip, &keys, &nan);
            const THLoop_(Places) better = max ? keys > best : keys < best;
            at = TH_REGISTER_CHOOSE(better, (THLoop_(Places)){0} + (index_t)i, at);
            best = MOST_OF(max, keys, best);
        }
    if (ANY_NAN(&nan))
        return -1;
    memcpy(lane, &best, sizeof lane);
    *value = THLoop_(extremeOfLanes)(max, lane);
    memcpy(lane, &best, sizeof lane);
    memcpy(index, &at, sizeof index);
    index_t first = MOST;
    if (!asked)
        return 0;
#pragma omp simd reduction(min : first)
    for (int j = 0; j < LANES; j++) {
        const index_t here = lane[j] == *value ? index[j] : MOST;
        first = here < first ? here : first;
    }
    const int64_t from = first * block < n - block ? first * block : n - block;
    return from + THLoop_(find)((int)block, x + from, flip, *value);
}

/* Where the first NaN is of n elements, if there is any, else n. */
INLINE int64_t THLoop_(placeOfNaN)(int64_t n, const storage_t *x, index_t flip)
{
    int64_t at = 0;
    for (; at + LANES <= n; at += LANES) {
        const THLoop_(Keys) keys = THLoop_(keysOf)(x + at, flip);
        const THLoop_(Places) nan = UNORDERED_LANES(keys, keys);
        if (ANY_NAN(&nan))
            break;
    }
    while (at < n && !UNORDERED(x[at], x[at]))
        at++;
    return at;
}

/* The extreme of n >= LANES elements; its place, if that is asked for. Of a short line in small
 * blocks, of which less is seen twice and searched. */
INLINE value_t THLoop_(extremeOfLine)(bool max, index_t flip, bool asked, int64_t n,
                                      const storage_t *x, int64_t ahead, int64_t *place)
{
    key_t key;
    int64_t at = n < 2 * LANES    ? THLoop_(place)(max, 1, asked, n, x, flip, 0, &key)
                 : n < SHORT_LINE ? THLoop_(place)(max, 2, asked, n, x, flip, 0, &key)
                                  : THLoop_(place)(max, BLOCK_ROWS, asked, n, x, flip, ahead, &key);
    *place = at;
    if (at >= 0 && !asked && !HAS_SIGN(key, flip))
        return VALUE(key, flip);
    if (at < 0)
        at = THLoop_(placeOfNaN)(n, x, flip);
    else if (!asked)
        while (KEY(x[at], flip) != key)
            at++;
    *place = at;
    return VALUE_AT(x + at);
}

/* The extreme of every second of elements, n >= 64 of them, whose lanes are those of all elements:
 * every second lane is left out. The last element, behind which there may be nothing, is alone. */
INLINE value_t THLoop_(extremeOfEverySecond)(bool max, index_t flip, int64_t n, const storage_t *x,
                                             int64_t ahead)
{
    const int rows = BLOCK_ROWS / 2, block = LANES * rows;
    const int64_t last = 2 * n - 2;
    THLoop_(Places) nan = {0};
    THLoop_(Keys) best, keys;
    key_t lane[LANES];
    index_t bad[LANES], any = 0;
    THLoop_(extremeOfBlock)(max, rows, x, flip, &best, &nan);
    for (int64_t i = block; i < last; i += block) {
        const storage_t *v = x + (i < last - block ? i : last - block);
        for (int j = 0; ahead && j < block; j += LANES)
            __builtin_prefetch((const void *)((uintptr_t)(v + j) + (uintptr_t)ahead));
        THLoop_(extremeOfBlock)(max, rows, v, flip, &keys, &nan);
        best = MOST_OF(max, keys, best);
    }
    memcpy(lane, &best, sizeof lane);
    memcpy(bad, &nan, sizeof bad);
    for (int j = 0; j < LANES; j += 2) {
        any |= bad[j];
        lane[j + 1] = lane[j];
    }
    key_t key = THLoop_(extremeOfLanes)(max, lane);
    const key_t end = KEY(x[last], flip);
    key = THLoop_(beats)(max, end, key) ? end : key;
    if (any || UNORDERED(end, end))
        for (; !UNORDERED(*x, *x); x += 2) {
        }
    else if (!HAS_SIGN(key, flip))
        return VALUE(key, flip);
    else
        for (; KEY(*x, flip) != key; x += 2) {
        }
    return VALUE_AT(x);
}

/* The least and the largest of `rows` (a constant, even) vectors, and where there is NaN. */
INLINE void THLoop_(rangeOfBlock)(int rows, const storage_t *restrict x, index_t flip,
                                  THLoop_(Keys) * low, THLoop_(Keys) * high, THLoop_(Places) * nan)
{
#pragma GCC unroll 8
    for (int r = 0; r < rows; r += 2) {
        const THLoop_(Keys) even = THLoop_(keysOf)(x + r * LANES, flip);
        const THLoop_(Keys) odd = THLoop_(keysOf)(x + (r + 1) * LANES, flip);
        const THLoop_(Keys) least = MOST_OF(false, odd, even), most = MOST_OF(true, odd, even);
        *nan |= UNORDERED_LANES(even, odd);
        *low = r == 0 ? least : MOST_OF(false, least, *low);
        *high = r == 0 ? most : MOST_OF(true, most, *high);
    }
}

/* The extreme of the lanes of a line. */
INLINE value_t THLoop_(extremeOfKeys)(bool max, index_t flip, const storage_t *x,
                                      THLoop_(Keys) keys)
{
    key_t lane[LANES];
    memcpy(lane, &keys, sizeof lane);
    const key_t key = THLoop_(extremeOfLanes)(max, lane);
    if (!HAS_SIGN(key, flip))
        return VALUE(key, flip);
    while (KEY(*x, flip) != key)
        x++;
    return VALUE_AT(x);
}

/* The least and the largest of n >= BLOCK elements; false where there is NaN. */
INLINE bool THLoop_(rangeOfLine)(index_t flip, int64_t n, const storage_t *restrict x,
                                 int64_t ahead, value_t *least, value_t *most)
{
    THLoop_(Places) nan = {0};
    THLoop_(Keys) low, high, l, h;
    index_t bad[LANES], any = 0;
    THLoop_(rangeOfBlock)(BLOCK_ROWS, x, flip, &low, &high, &nan);
    for (int64_t i = BLOCK; i < n; i += BLOCK) {
        const storage_t *v = x + (i < n - BLOCK ? i : n - BLOCK);
        for (int j = 0; ahead && j < BLOCK; j += LANES)
            __builtin_prefetch((const void *)((uintptr_t)(v + j) + (uintptr_t)ahead));
        THLoop_(rangeOfBlock)(BLOCK_ROWS, v, flip, &l, &h, &nan);
        low = MOST_OF(false, l, low);
        high = MOST_OF(true, h, high);
    }
    memcpy(bad, &nan, sizeof bad);
#pragma omp simd reduction(| : any)
    for (int j = 0; j < LANES; j++)
        any |= bad[j];
    if (any)
        return false;
    *least = THLoop_(extremeOfKeys)(false, flip, x, low);
    *most = THLoop_(extremeOfKeys)(true, flip, x, high);
    return true;
}
