/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to extreme.c, within its generic part: the extremes of columns. */

#define RARE 64 /* rows of a lane after which few have a better element */
#define ROWS 8  /* compared at a time, or half as many */
#define PIECE TH_AHEAD_PIECE

/* Floating point is compared with two steps of latency, places are selected after the first. So
 * rows are compared by twos, which wait less for each other, and less of them at a time. */
#ifdef TH_CATEGORY_IS_FLOATING
#define BY_TWOS true
#else
#define BY_TWOS false
#endif

/* `lanes` (a constant) columns of `nrows` (a constant, even) rows are compared with what is best,
 * as if there were no NaN; the lanes that have some are noted. */
INLINE void THLoop_(compareLanes)(bool max, bool asked, int nrows, int lanes, index_t row,
                                  const storage_t *const *rows, int64_t from, index_t flip,
                                  key_t *restrict best, index_t *restrict at, THLoop_(Places) * nan)
{
    const storage_t *x[ROWS];
    index_t bad[LANES], any = 0;
    THLoop_(Places) places;
#pragma GCC unroll 8
    for (int r = 0; r < nrows; r++)
        x[r] = rows[r] + from;
#pragma omp simd reduction(| : any)
    for (int c = 0; c < lanes; c++) {
        key_t b = best[c];
        index_t a = asked ? at[c] : 0;
        bool unordered = false;
#pragma GCC unroll 8
        for (int r = 0; r < nrows; r += 2) {
            const key_t e0 = KEY(x[r][c], flip), e1 = KEY(x[r + 1][c], flip);
            if (asked && BY_TWOS) {
                const bool second = THLoop_(beats)(max, e1, e0);
                const key_t e = second ? e1 : e0;
                const index_t place = second ? (index_t)(row + r + 1) : (index_t)(row + r);
                a = THLoop_(beats)(max, e, b) ? place : a;
                b = THLoop_(beats)(max, e, b) ? e : b;
            } else {
                a = THLoop_(beats)(max, e0, b) ? (index_t)(row + r) : a;
                b = THLoop_(beats)(max, e0, b) ? e0 : b;
                a = THLoop_(beats)(max, e1, b) ? (index_t)(row + r + 1) : a;
                b = THLoop_(beats)(max, e1, b) ? e1 : b;
            }
            unordered |= UNORDERED(e0, e1);
        }
        best[c] = b;
        if (asked)
            at[c] = a;
        bad[c] = unordered ? 1 : 0;
        any |= bad[c];
    }
    if (lanes == LANES)
        memcpy(&places, bad, sizeof places);
    else
        places = (THLoop_(Places)){any};
    *nan |= places;
}

/* The same for LANES columns and their places, where few rows have a better element: these are
 * looked for where there is one. */
INLINE void THLoop_(placeLanes)(bool max, int nrows, index_t row, const storage_t *const *rows,
                                int64_t from, index_t flip, key_t *best, index_t *at,
                                THLoop_(Places) * nan)
{
    key_t lane[LANES];
    THLoop_(Keys) before, after;
    memcpy(lane, best, sizeof lane);
    memcpy(&before, best, sizeof before);
    THLoop_(compareLanes)(max, false, nrows, LANES, row, rows, from, flip, lane, NULL, nan);
    memcpy(&after, lane, sizeof after);
    const THLoop_(Places) better = max ? after > before : after < before;
    __asm__("" : "+r"(from)); /* or compilers would keep what only the places need */
    if (THRegister_isAny(&better))
        THLoop_(compareLanes)(max, true, nrows, LANES, row, rows, from, flip, best, at, nan);
}

/* Some of the n >= `lanes` columns are seen twice, which changes nothing. What lies `shift` bytes
 * behind each row is asked for, 0: nothing. */
INLINE bool THLoop_(compareColumns)(bool max, bool asked, bool rare, int nrows, int lanes,
                                    int64_t row, int64_t n, const storage_t *const *rows,
                                    int64_t shift, index_t flip, key_t *best, index_t *at)
{
    const int64_t size = (int64_t)sizeof(storage_t);
    THLoop_(Places) nan = {0};
    for (int64_t c = 0; c < n; c += lanes) {
        const int64_t from = c < n - lanes ? c : n - lanes;
        if (shift && (lanes * size >= 64 || c * size % 64 == 0)) {
#pragma GCC unroll 8
            for (int r = 0; r < nrows; r++)
                THMove_ask((const char *)(rows[r] + c) + shift, 1);
        }
        if (rare)
            THLoop_(placeLanes)(max, nrows, (index_t)row, rows, from, flip, best + from, at + from,
                                &nan);
        else
            THLoop_(compareLanes)(max, asked, nrows, lanes, (index_t)row, rows, from, flip,
                                  best + from, asked ? at + from : NULL, &nan);
    }
    return ANY_NAN(&nan);
}

/* The first NaN of each column counts, unless there was one before. `at` may be absent. */
FOR_NAN void THLoop_(takeNaN)(int64_t row, int64_t nrows, int64_t n, const storage_t *const *rows,
                              key_t *best, index_t *at)
{
    for (int64_t r = 0; r < nrows; r++) {
        for (int64_t c = 0; c < n; c++) {
            if (UNORDERED(rows[r][c], rows[r][c]) && !UNORDERED(best[c], best[c])) {
                best[c] = rows[r][c];
                if (at)
                    at[c] = (index_t)(row + r);
            }
        }
    }
}

/* Whether any of n columns has no NaN yet. */
FOR_NAN bool THLoop_(anyNumber)(int64_t n, const key_t *best)
{
    index_t numbers = 0;
#pragma omp simd reduction(| : numbers)
    for (int64_t c = 0; c < n; c++)
        numbers |= !UNORDERED(best[c], best[c]);
    return numbers != 0;
}

/* Compares all that is left behind `row`, `step` rows (a constant) at a time, with `all` only whole
 * such steps; returns the first row that is left. */
INLINE int64_t THLoop_(compareRows)(bool max, bool asked, bool all, int step, int lanes,
                                    int64_t row, int64_t nrows, int64_t n,
                                    const storage_t *const *rows, int64_t from, index_t flip,
                                    const THReduceTerm *term, key_t *best, index_t *at)
{
    const int64_t size = (int64_t)sizeof(storage_t), bytes = n * size;
    const bool ahead = THAhead_helps(term, bytes);
    /* Else few columns, or an old machine, for which it is quicker to compile. */
    const bool many = VECTOR_BYTES > 16 && lanes == LANES;
    const int64_t shift =
        many ? THAhead_shift(term, (const void *const *)rows, nrows, bytes, THMachine_asksBeside())
             : 0;
    for (; all ? row + step <= nrows : row < nrows; row += step) {
        const storage_t *x[ROWS];
        bool nan;
#pragma GCC unroll 8
        for (int r = 0; r < step; r++)
            x[r] = rows[all || row + r < nrows ? row + r : nrows - 1] + from;
        if (ahead && row + 2 * step <= nrows)
            THAhead_ask((const void *const *)rows + row + step, step, from * size, bytes);
        if (shift && THAhead_isThere(term, x[step - 1], bytes + shift))
            nan = THLoop_(compareColumns)(max, asked, all, step, lanes, row, n, x, shift, flip,
                                          best, at);
        else
            nan =
                THLoop_(compareColumns)(max, asked, all, step, lanes, row, n, x, 0, flip, best, at);
        if (nan && THLoop_(anyNumber)(n, best))
            THLoop_(takeNaN)(row, step, n, x, best, at);
    }
    return row;
}

/* The extremes of some rows in `vectors` (a constant) vectors of columns, which registers keep from
 * row to row; `begins`, a constant: nothing was before. What lies `shift` bytes behind is asked
 * for, 0: nothing; into the first cache where rows are read in turn. */
INLINE void THLoop_(extremesOfPiece)(bool max, bool begins, int vectors, int64_t nrows,
                                     const storage_t *const *rows, int64_t from, int64_t shift,
                                     index_t flip, key_t *best)
{
    THLoop_(Places) nan = {0}, known = ~nan; /* where each vector has one already */
    THLoop_(Keys) most[PIECE], keys[PIECE];
#pragma GCC unroll 4 /* PIECE */
    for (int v = 0; v < vectors; v++) {
        if (begins)
            most[v] = THLoop_(keysOf)(rows[0] + from + v * LANES, flip);
        else
            memcpy(&most[v], best + v * LANES, sizeof most[v]);
        nan |= begins ? UNORDERED_LANES(most[v], most[v]) : nan;
    }
    for (int64_t r = begins; r < nrows; r++) {
        const storage_t *x = rows[r] + from;
        for (int64_t at = 0; shift && at < vectors * VECTOR_BYTES; at += 64) {
            const void *next = (const void *)((uintptr_t)x + (uintptr_t)(at + shift));
            if (nrows == 1)
                __builtin_prefetch(next);
            else
                __builtin_prefetch(next, 0, 2);
        }
#pragma GCC unroll 4 /* PIECE */
        for (int v = 0; v < vectors; v++) {
            keys[v] = THLoop_(keysOf)(x + v * LANES, flip);
            if (v % 2 || v + 1 == vectors)
                nan |= UNORDERED_LANES(keys[v], keys[v - v % 2]);
            most[v] = MOST_OF(max, keys[v], most[v]);
        }
    }
#pragma GCC unroll 4 /* PIECE */
    for (int v = 0; v < vectors; v++) {
        memcpy(best + v * LANES, &most[v], sizeof most[v]);
        known &= UNORDERED_LANES(most[v], most[v]);
    }
    nan &= ~known;
    for (int64_t r = 0; r < nrows && ANY_NAN(&nan); r++) {
        const storage_t *x = rows[r] + from;
        THLoop_(takeNaN)(0, 1, vectors * LANES, &x, best, NULL);
    }
}

/* The same of n >= LANES columns. */
INLINE void THLoop_(extremesOfGroup)(bool max, bool begins, int64_t nrows, int64_t n,
                                     const storage_t *const *rows, int64_t shift, index_t flip,
                                     key_t *best)
{
    int64_t c = 0;
    for (; c + PIECE * LANES <= n; c += PIECE * LANES)
        THLoop_(extremesOfPiece)(max, begins, PIECE, nrows, rows, c, shift, flip, best + c);
    for (; c < n; c += LANES) { /* the last of them from the end, some columns twice */
        const int64_t at = c < n - LANES ? c : n - LANES;
        THLoop_(extremesOfPiece)(max, begins, 1, nrows, rows, at, shift, flip, best + at);
    }
}

/* The extremes of n >= LANES columns, of no more rows at once than machines follow. */
INLINE void THLoop_(extremesOfColumns)(bool max, bool fresh, int64_t nrows, int64_t n,
                                       const storage_t *const *rows, index_t flip,
                                       const THReduceTerm *term, key_t *best)
{
    const int64_t bytes = n * (int64_t)sizeof(storage_t);
    const bool ahead = THAhead_helps(term, bytes);
    const void *const *data = (const void *const *)rows;
    const bool inTurn = THAhead_inTurn(term, data, nrows, bytes);
    const int64_t asked = inTurn ? THAhead_soon(term, data, bytes)
                                 : THAhead_shift(term, data, nrows, bytes, THMachine_readAhead > 0);
    const int64_t each = inTurn ? 1 : THAhead_group(nrows);
    for (int64_t row = 0; row < nrows; row += each) {
        const int64_t count = nrows - row < each ? nrows - row : each;
        const storage_t *const *x = rows + row;
        const bool isThere = asked && THAhead_isThere(term, x[count - 1], bytes + asked);
        const int64_t shift = isThere ? asked : 0;
        if (ahead && row + count + each <= nrows)
            THAhead_ask((const void *const *)x + count, each, 0, bytes);
        if (fresh && row == 0)
            THLoop_(extremesOfGroup)(max, true, count, n, x, shift, flip, best);
        else
            THLoop_(extremesOfGroup)(max, false, count, n, x, shift, flip, best);
    }
}

/* The extremes of n >= FEW_LANES columns of rows from `first` on, and in `at`, if it is `asked`
 * for, the rows that have them, -1 for what was before. */
INLINE void THLoop_(extremesOfRows)(bool max, bool asked, int64_t first, int64_t nrows, int64_t n,
                                    const storage_t *const *rows, int64_t from, index_t flip,
                                    const THReduceTerm *term, key_t *best, index_t *at)
{
    const bool fresh = first == 0;
    int64_t row = 0;
    if (!asked && n >= LANES) {
        THLoop_(extremesOfColumns)(max, fresh, nrows, n, rows, flip, term, best);
        return;
    }
    for (int64_t c = 0; c < n && asked; c++)
        at[c] = fresh - 1;
    const storage_t *restrict row0 = rows[0] + from;
    key_t *restrict start = best;
    for (int64_t c = 0; c < n && fresh; c++)
        start[c] = KEY(row0[c], flip);
    if (asked && n >= LANES && first >= RARE * LANES)
        row = THLoop_(compareRows)(max, asked, true, ROWS, LANES, row, nrows, n, rows, from, flip,
                                   term, best, at);
    if (asked && n >= LANES)
        THLoop_(compareRows)(max, asked, false, ROWS / 2, LANES, row, nrows, n, rows, from, flip,
                             term, best, at);
    else
        THLoop_(compareRows)(max, asked, false, ROWS / 2, FEW_LANES, row, nrows, n, rows, from,
                             flip, term, best, at);
}

/* Of n < FEW_LANES columns. */
INLINE void THLoop_(extremesOfFewColumns)(bool max, bool fresh, int64_t nrows, int64_t n,
                                          const storage_t *const *rows, int64_t from, index_t flip,
                                          key_t *best, index_t *at)
{
    for (int64_t c = 0; c < n; c++) {
        key_t b = fresh ? KEY(rows[0][from + c], flip) : best[c];
        index_t place = fresh - 1;
        for (int64_t r = fresh; r < nrows; r++) {
            const key_t e = KEY(rows[r][from + c], flip);
            const bool better = THLoop_(beats)(max, e, b) || (UNORDERED(e, b) && !UNORDERED(b, b));
            b = better ? e : b;
            place = better ? (index_t)r : place;
        }
        best[c] = b;
        if (at)
            at[c] = place;
    }
}
