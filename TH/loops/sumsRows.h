/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to sums.c, within its generic part: rows of which each column is added up. */

TH_INLINE THSums THLoop_(loadStrip)(Strip kind, const storage_t *x, int count)
{
    return kind == STRIP ? LOAD(x) : kind == LAST_STRIP ? LOAD_END(x, count) : LOAD_SOME(x, count);
}

/* The sum of `nrows` rows in `count` columns from `c` on. */
TH_INLINE THSums THLoop_(strip)(int op, int nrows, const storage_t *const *rows, int64_t c,
                                Strip kind, int count)
{
    if (FOURS(op) && nrows == 8) {
        const THSums four = FOUR(rows[0] + c, rows[1] + c, rows[2] + c, rows[3] + c, count);
        return four + FOUR(rows[4] + c, rows[5] + c, rows[6] + c, rows[7] + c, count);
    }
    THSums a = termOf(op, THLoop_(loadStrip)(kind, rows[0] + c, count));
#pragma GCC unroll 8
    for (int r = 1; r < nrows; r++)
        a = addSoon(op, EXACT, a, THLoop_(loadStrip)(kind, rows[r] + c, count));
    return a;
}

/* The sums of `nrows` rows in PIECE strips from column `c` on, row after row. */
TH_INLINE void THLoop_(piece)(int op, int nrows, const storage_t *const *rows, int64_t c, THSums *a)
{
    if (FOURS(op) && nrows == 8) {
        for (int v = 0; v < PIECE; v++)
            a[v] = THLoop_(strip)(op, nrows, rows, c + v * TH_SUMS, STRIP, TH_SUMS);
        return;
    }
#ifdef NARROW
    if (THMachine_halvesRegisters) {
        THNarrowSums half[2 * PIECE];
#pragma GCC unroll 8
        for (int r = 0; r < nrows; r++) {
#pragma GCC unroll 8 /* 2 * PIECE */
            for (int h = 0; h < 2 * PIECE; h++) {
                const THNarrowSums x = LOAD_NARROW(rows[r] + c + h * NARROW);
                half[h] = r == 0 ? termOfNarrow(op, x) : addNarrow(op, EXACT, half[h], x);
            }
        }
#pragma GCC unroll 4 /* PIECE */
        for (int v = 0; v < PIECE; v++)
            a[v] = THSums_ofNarrow(half[2 * v], half[2 * v + 1]);
        return;
    }
#endif
#pragma GCC unroll 8
    for (int r = 0; r < nrows; r++) {
#pragma GCC unroll 4 /* PIECE */
        for (int v = 0; v < PIECE; v++) {
            const THSums x = LOAD(rows[r] + c + v * TH_SUMS);
            a[v] = r == 0 ? termOf(op, x) : addSoon(op, EXACT, a[v], x);
        }
    }
}

/* Adds `width` columns, whole pieces, of `nrows` <= 8 rows, the first ones (`fresh`) to nothing.
 * Asks for what lies `shift` columns behind these in as many rows `asked`, or NULL. */
TH_INLINE void THLoop_(pieces)(int op, int nrows, bool fresh, int64_t width,
                               const void *const *data, const void *const *asked, int64_t shift,
                               double *acc)
{
    const THSums none = all(identity(op));
    const double *from = fresh ? (const double *)&none : acc;
    const int64_t kept = fresh ? 0 : -1;
    const storage_t *rows[8] = {data[0]};
#pragma GCC unroll 8
    for (int r = 1; r < nrows; r++)
        rows[r] = data[r];
    for (int64_t c = 0; c < width; c += PIECE * TH_SUMS) {
        THSums sums[PIECE];
        for (int r = 0; r < nrows && asked; r++)
            for (int at = 0; at < PIECE * TH_SUMS; at += LINE)
                __builtin_prefetch((const storage_t *)asked[r] + c + at + shift, 0, EXACT ? 3 : 2);
        THLoop_(piece)(op, nrows, rows, c, sums);
#pragma GCC unroll 4 /* PIECE */
        for (int v = 0; v < PIECE; v++) {
            const int64_t at = c + v * TH_SUMS;
            sums[v] = join(op, THSums_ofDouble(from + (at & kept)), sums[v]);
            memcpy(acc + at, &sums[v], sizeof sums[v]);
        }
    }
}

/* Adds `count` <= TH_SUMS columns of all rows, eight by eight as `pieces` does; their sums stay in
 * a register meanwhile (float32 of 12500 x 8 out of 12500 x 11: 19 us, so 15; Xeon). */
TH_INLINE void THLoop_(columns)(int op, int64_t nrows, int64_t c, Strip kind, int count,
                                const void *const *data, bool fresh, double *acc)
{
    THSums sums = fresh ? all(identity(op)) : THSums_ofDouble(acc + c);
    int64_t row = 0;
    for (; row + 8 <= nrows; row += 8) {
        const storage_t *const rows[8] = {data[row],     data[row + 1], data[row + 2],
                                          data[row + 3], data[row + 4], data[row + 5],
                                          data[row + 6], data[row + 7]};
        sums = join(op, sums, THLoop_(strip)(op, 8, rows, c, kind, count));
    }
    if (row < nrows) {
        const storage_t *rows[8] = {data[row]};
        for (int r = 1; r < nrows - row; r++)
            rows[r] = data[row + r];
        sums = join(op, sums, THLoop_(strip)(op, (int)(nrows - row), rows, c, kind, count));
    }
    memcpy(acc + c, &sums, sizeof sums);
}

/* What an element of one of eight rows does to the sums of theirs, which are `part`: it begins
 * them, goes on with them, or ends them, as `turn`, a constant, says; then they are added to those
 * of all rows. */
TH_INLINE void THLoop_(addTerm)(int op, THTurn turn, THSums x, double *part, const double *from,
                                double *acc)
{
    THSums sums =
        turn == TH_TURN_BEGINS ? termOf(op, x) : addSoon(op, EXACT, THSums_ofDouble(part), x);
    if (turn == TH_TURN_ENDS)
        sums = join(op, THSums_ofDouble(from), sums);
    memcpy(turn == TH_TURN_ENDS ? acc : part, &sums, sizeof sums);
}

/* What lies `ahead` bytes further is asked for. */
TH_INLINE void THLoop_(addRow)(int op, THTurn turn, int64_t width, const storage_t *row,
                               int64_t ahead, double *part, const double *from, int64_t kept,
                               double *acc)
{
    int64_t c = 0;
    for (; c + LINE <= width; c += LINE) {
        THMove_prefetchAhead(row + c, ahead, 1);
#pragma GCC unroll 8
        for (int64_t at = c; at < c + LINE; at += TH_SUMS)
            THLoop_(addTerm)(op, turn, LOAD(row + at), part + at, from + (at & kept), acc + at);
    }
    for (; c + TH_SUMS <= width; c += TH_SUMS)
        THLoop_(addTerm)(op, turn, LOAD(row + c), part + c, from + (c & kept), acc + c);
    if (c < width)
        THLoop_(addTerm)(op, turn, LOAD_SOME(row + c, (int)(width - c)), part + c,
                         from + (c & kept), acc + c);
}

/* The sums that `pieces` has of eight rows by eight, all of which are read one after the other. */
TH_INLINE void THLoop_(inTurn)(int op, int64_t nrows, int64_t width, const void *const *rows,
                               bool fresh, double *acc, const THReduceTerm *term)
{
    const THSums none = all(identity(op));
    const int64_t bytes = width * (int64_t)sizeof(storage_t);
    const int64_t later = THAhead_soon(term, rows, bytes);
    _Alignas(64) double part[IN_TURN_COLUMNS];
    for (int64_t r = 0; r < nrows; r++) {
        const bool first = fresh && r < 8;
        const double *from = first ? (const double *)&none : acc;
        const int64_t kept = first ? 0 : -1;
        const int64_t ahead = THAhead_isThere(term, rows[r], later + bytes) ? later : 0;
        if (r % 8 == 0)
            THLoop_(addRow)(op, TH_TURN_BEGINS, width, rows[r], ahead, part, from, kept, acc);
        else if (r % 8 < 7)
            THLoop_(addRow)(op, TH_TURN_GOES_ON, width, rows[r], ahead, part, from, kept, acc);
        else
            THLoop_(addRow)(op, TH_TURN_ENDS, width, rows[r], ahead, part, from, kept, acc);
    }
}

TH_INLINE void THLoop_(rows)(int op, int64_t nrows, int64_t width, const void *const *rows,
                             bool fresh, double *acc, const THReduceTerm *term)
{
    const int64_t size = (int64_t)sizeof(storage_t), bytes = width * size;
    const bool isShort = bytes < TH_AHEAD_BYTES;
    const bool asksNext = term->far && isShort && !THMachine_followsRows;
    const int64_t behind = EXACT && isShort && !asksNext
                               ? THAhead_shift(term, rows, nrows, bytes, THMachine_asksAhead)
                               : 0;
    if (EXACT && !OLD && !FOURS(op) && nrows >= 8 && width >= LINE && width <= IN_TURN_COLUMNS &&
        THAhead_inTurn(term, rows, nrows, bytes)) {
        const int64_t whole = nrows / 8 * 8;
        THLoop_(inTurn)(op, whole, width, rows, fresh, acc, term);
        fresh = false;
        rows += whole;
        nrows -= whole;
    }
    int64_t row = 0, c = width - width % (PIECE * TH_SUMS);
    for (; c > 0 && row + 8 <= nrows; row += 8) {
        const void *const *asked = asksNext && row + 16 <= nrows ? rows + row + 8 : NULL;
        int64_t shift = 0;
        if (behind && THAhead_isThere(term, rows[row + 7], bytes + behind)) {
            asked = rows + row;
            shift = behind / size;
        }
        THLoop_(pieces)(op, 8, fresh && row == 0, c, rows + row, asked, shift, acc);
    }
    if (c > 0 && row < nrows)
        THLoop_(pieces)(op, (int)(nrows % 8), fresh && row == 0, c, rows + row, NULL, 0, acc);
    for (; c + TH_SUMS <= width; c += TH_SUMS)
        THLoop_(columns)(op, nrows, c, STRIP, TH_SUMS, rows, fresh, acc);
    if (c < width && c > 0)
        THLoop_(columns)(op, nrows, c, LAST_STRIP, (int)(width - c), rows, fresh, acc);
    else if (c < width)
        THLoop_(columns)(op, nrows, c, NARROW_STRIP, (int)(width - c), rows, fresh, acc);
}
