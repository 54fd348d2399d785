/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to extreme.c, within its generic part: the least and the largest element at once. */

#define RANGED_ROWS 16 /* whose least and largest elements are looked for in turns */

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

/* The loops for the least element, where `flip` is that for the largest. */
#ifdef TH_CATEGORY_IS_FLOATING
#define LEAST false, 0
#else
#define LEAST true, (index_t)~flip
#endif

/* acc: the least, then the largest of each line. */
ONCE void THLoop_(rangeLines)(bool max, index_t flip, int64_t nlines, int64_t n, const char *data,
                              int64_t stride, key_t *acc, const THReduceTerm *term)
{
    const int64_t size = (int64_t)sizeof(storage_t), next = stride == n * size ? n : 0;
    const bool isLong = n >= MIDDLE * BLOCK; /* else lines are folded together */
    key_t low[WIDE], high[WIDE];
    for (int64_t line = 0, count; line < nlines; line += count, acc += 2 * count) {
        const char *x = data + line * stride;
        const int64_t ahead = THReduceTerm_ahead(term, size, (nlines - 1 - line) * next);
        count = isLong ? 1 : nlines - line < WIDE ? nlines - line : WIDE;
        if (isLong &&
            THLoop_(rangeOfLine)(flip, n, (const storage_t *)(const void *)x, ahead, acc, acc + 1))
            continue;
        THLoop_(valueLines)(LEAST, count, n, x, stride, low, term);
        THLoop_(valueLines)(max, flip, count, n, x, stride, high, term);
        for (int64_t i = 0; i < count; i++) {
            acc[2 * i] = low[i];
            acc[2 * i + 1] = high[i];
        }
    }
}

/* The least are in the lanes, the largest behind them. */
ONCE void THLoop_(rangeRows)(bool max, index_t flip, int64_t nrows, int64_t width,
                             const void *const *rows, int64_t first, key_t *lanes,
                             const THReduceTerm *term)
{
    for (int64_t row = 0; row < nrows; row += RANGED_ROWS) {
        const int64_t count = nrows - row < RANGED_ROWS ? nrows - row : RANGED_ROWS;
        THLoop_(valueRows)(LEAST, count, width, rows + row, first + row, lanes, term);
        THLoop_(valueRows)(max, flip, count, width, rows + row, first + row, lanes + width, term);
    }
}

ONCE void THLoop_(rangeFold)(int64_t width, const key_t *lanes, key_t *acc)
{
    for (int64_t c = 0; c < width; c++) {
        acc[2 * c] = lanes[c];
        acc[2 * c + 1] = lanes[width + c];
    }
}

/* Each as one more row. */
ONCE void THLoop_(rangeCombine)(bool max, index_t flip, int64_t n, key_t *acc, const key_t *next,
                                int64_t first)
{
    for (int64_t i = 0; i < 2 * n; i += 2) {
        THLoop_(valueCombine)(LEAST, 1, acc + i, next + i, first);
        THLoop_(valueCombine)(max, flip, 1, acc + i + 1, next + i + 1, first);
    }
}
