/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to extreme.c, within its generic part: what is compared, and the extreme of a line. */
#if defined(TH_REAL_IS_DOUBLE) || defined(TH_REAL_IS_LONG)
#define index_t int64_t
#define place_t int64_t
#elif defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_INT)
#define index_t int32_t
#define place_t int32_t
#elif defined(TH_REAL_IS_SHORT)
#define index_t int16_t
#define place_t int16_t
#else
#define index_t int8_t
#define place_t int16_t /* within a block */
#endif
#ifdef TH_CATEGORY_IS_FLOATING
#define key_t scalar_t
#define EXTREME_VALUE d
#define KEY(x, flip) ((void)(flip), (x))
#define UNORDERED(x, y) __builtin_isunordered(x, y)
#define HAS_SIGN(x) ((x) == 0) /* that of the first one */
#define FOR_NAN ONCE
#else
#define key_t index_t
#define EXTREME_VALUE l
#define KEY(x, flip) ((key_t)((x) ^ (flip)))
#define UNORDERED(x, y) ((void)(x), (void)(y), false)
#define HAS_SIGN(x) ((void)(x), false)
#define FOR_NAN INLINE /* and gone; with a call gcc's -O1 makes no vectors */
#endif
#define MOST_OF TH_CONCAT_2(THRegister_most, Real)
/* Lanes of a line are a register. */
typedef key_t THLoop_(Keys) __attribute__((vector_size(VECTOR_BYTES)));
typedef index_t THLoop_(Places) __attribute__((vector_size(VECTOR_BYTES)));
#define LANES ((int)(VECTOR_BYTES / sizeof(key_t)))
#define FEW_LANES ((int)(16 / sizeof(key_t)))
#define BLOCK (BLOCK_ROWS * LANES)
#define MOST ((index_t)(~UINT64_C(0) >> (65 - 8 * sizeof(index_t)))) /* an index_t holds */
_Static_assert(TH_REDUCE_LONG_CHUNK / BLOCK < MOST && TH_REDUCE_ROWS - 1 <= MOST,
               "places fit in index_t");
_Static_assert(SHORT_OF_WIDE >= LANES && SHORT_OF_WIDE <= TH_REDUCE_ROWS, "rows at once");

INLINE bool THLoop_(beats)(bool max, key_t x, key_t y)
{
    return max ? x > y : x < y;
}

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
        *at = ((index_t)from & better) | (*at & ~better);
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
    for (; rows == 1 && next + block <= n; next += block) /* without a minimum for each vector */
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
                place[i] = (places & better) | (place[i] & ~better);
                THLoop_(take)(better, &key[i], keys);
            } else {
                key[i] = MOST_OF(max, keys, key[i]);
            }
        }
    }
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
