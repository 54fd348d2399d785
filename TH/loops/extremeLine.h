/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to extreme.c, within its generic part: the extreme of a line, and its range. */

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

/* The extreme of `rows` (a constant) vectors, and where there is NaN. */
INLINE void THLoop_(extremeOfBlock)(bool max, int rows, const storage_t *restrict x, index_t flip,
                                    THLoop_(Keys) * keys, THLoop_(Places) * nan)
{
#ifdef TH_CATEGORY_IS_FLOATING
    THLoop_(Keys) most, last, next;
    memcpy(&most, x, sizeof most);
    if (rows == 1)
        *nan |= most != most;
    last = most;
#pragma GCC unroll 16
    for (int r = 1; r < rows; r++) {
        memcpy(&next, x + r * LANES, sizeof next);
        if (r % 2)
            *nan |= (last != last) | (next != next);
        most = MOST_OF(max, next, most);
        last = next;
    }
    (void)flip;
    *keys = most;
#else
    THLoop_(Places) places;
    key_t most[LANES];
    index_t bad[LANES];
#pragma omp simd
    for (int j = 0; j < LANES; j++) {
        key_t m = KEY(x[j], flip), last = m;
        bool unordered = UNORDERED(m, m);
#pragma GCC unroll 16
        for (int r = 1; r < rows; r++) {
            const key_t e = KEY(x[r * LANES + j], flip);
            unordered |= r % 2 && UNORDERED(last, e);
            m = THLoop_(beats)(max, e, m) ? e : m;
            last = e;
        }
        most[j] = m;
        bad[j] = unordered ? 1 : 0;
    }
    memcpy(keys, most, sizeof *keys);
    memcpy(&places, bad, sizeof places);
    *nan |= places;
#endif
}

/* Takes the lanes of `keys` where those of `better` are set. */
INLINE void THLoop_(take)(THLoop_(Places) better, THLoop_(Keys) * best, THLoop_(Keys) keys)
{
    const THLoop_(Places) kept = (THLoop_(Places)) * best & ~better;
    *best = (THLoop_(Keys))(((THLoop_(Places))keys & better) | kept);
}

/* The place of the first extreme of n elements, if that is asked for, and its key; -1 where there
 * is NaN. Each lane keeps its best and the block of that, so that only one block is searched. Some
 * elements are seen twice, which changes nothing. */
INLINE int64_t THLoop_(place)(bool max, int rows, bool asked, int64_t n,
                              const storage_t *restrict x, index_t flip, int64_t ahead,
                              key_t *value)
{
    const int64_t block = LANES * rows;
    THLoop_(Places) at = {0}, nan = {0};
    THLoop_(Keys) best, keys;
    key_t lane[LANES];
    index_t index[LANES], bad[LANES];
    THLoop_(extremeOfBlock)(max, rows, x, flip, &best, &nan);
    for (int64_t i = 1; i * block < n; i++) {
        const storage_t *v = x + (i * block < n - block ? i * block : n - block);
        for (int j = 0; ahead && j < block; j += LANES)
            __builtin_prefetch((const void *)((uintptr_t)(v + j) + (uintptr_t)ahead));
        THLoop_(extremeOfBlock)(max, rows, v, flip, &keys, &nan);
        const THLoop_(Places) better = max ? keys > best : keys < best;
        at = ((index_t)i & better) | (at & ~better);
        best = MOST_OF(max, keys, best);
    }
    memcpy(lane, &best, sizeof lane);
    *value = THLoop_(extremeOfLanes)(max, lane);
    memcpy(lane, &best, sizeof lane);
    memcpy(index, &at, sizeof index);
    memcpy(bad, &nan, sizeof bad);
    index_t first = MOST, any = 0;
#pragma omp simd reduction(| : any)
    for (int j = 0; j < LANES; j++)
        any |= bad[j];
    if (any || !asked)
        return any ? -1 : 0;
#pragma omp simd reduction(min : first)
    for (int j = 0; j < LANES; j++) {
        const index_t here = lane[j] == *value ? index[j] : MOST;
        first = here < first ? here : first;
    }
    const int64_t from = first * block < n - block ? first * block : n - block;
    const int64_t place = from + THLoop_(find)((int)block, x + from, flip, *value);
    *value = KEY(x[place], flip); /* of zeros the sign */
    return place;
}

/* The extreme of n >= LANES elements; its place, if that is asked for. */
INLINE key_t THLoop_(extremeOfLine)(bool max, index_t flip, bool asked, int64_t n,
                                    const storage_t *x, int64_t ahead, int64_t *place)
{
    key_t value;
    int64_t at = n < BLOCK ? THLoop_(place)(max, 1, asked, n, x, flip, 0, &value)
                           : THLoop_(place)(max, BLOCK_ROWS, asked, n, x, flip, ahead, &value);
    if (at < 0) {
        for (at = 0; !UNORDERED(x[at], x[at]);)
            at++;
        value = x[at];
    } else if (!asked && HAS_SIGN(value)) {
        for (at = 0; x[at] != value;)
            at++;
        value = x[at];
    }
    *place = at;
    return KEY(value, flip);
}

/* The least and the largest of `rows` (a constant) vectors, and where there is NaN. */
INLINE void THLoop_(rangeOfBlock)(int rows, const storage_t *restrict x, index_t flip,
                                  THLoop_(Keys) * low, THLoop_(Keys) * high, THLoop_(Places) * nan)
{
    THLoop_(Places) places;
    key_t least[LANES], most[LANES];
    index_t bad[LANES];
#pragma omp simd
    for (int j = 0; j < LANES; j++) {
        key_t l = KEY(x[j], flip), m = l, last = l;
        bool unordered = UNORDERED(l, l);
#pragma GCC unroll 16
        for (int r = 1; r < rows; r++) {
            const key_t e = KEY(x[r * LANES + j], flip);
            unordered |= r % 2 && UNORDERED(last, e);
            l = e < l ? e : l;
            m = e > m ? e : m;
            last = e;
        }
        least[j] = l;
        most[j] = m;
        bad[j] = unordered ? 1 : 0;
    }
    memcpy(low, least, sizeof *low);
    memcpy(high, most, sizeof *high);
    memcpy(&places, bad, sizeof places);
    *nan |= places;
}

/* The extreme of the lanes of a line, with the sign of the first such zero. */
INLINE key_t THLoop_(extremeOfKeys)(bool max, index_t flip, const storage_t *x, THLoop_(Keys) keys)
{
    key_t lane[LANES];
    memcpy(lane, &keys, sizeof lane);
    const key_t value = THLoop_(extremeOfLanes)(max, lane);
    while (HAS_SIGN(value) && *x != value)
        x++;
    return HAS_SIGN(value) ? *x : KEY(value, flip);
}

/* The least and the largest of n >= BLOCK elements; false where there is NaN. */
INLINE bool THLoop_(rangeOfLine)(index_t flip, int64_t n, const storage_t *restrict x,
                                 int64_t ahead, key_t *least, key_t *most)
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
        THLoop_(take)(l < low, &low, l);
        THLoop_(take)(h > high, &high, h);
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
