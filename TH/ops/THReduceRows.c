/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows of a tile accumulated across the reduced dims: found, staged where they do not lie side by
 * side, and of far memory asked for while others are reduced. */
#include <TH/THMachine.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THReduceTile.h>

#define STAGE 16384  /* bytes of rows that are staged at a time, about */
#define TOUCHED 2048 /* bytes of a row that is touched before at most */
/* Bytes of rows that are reduced at a time, or up to twice as many, while as many are asked for,
 * and how far behind these lie at least. */
#define PIECE 2048
#define ASKED_BEHIND 32768
#define ASKED_ROW 16384  /* bytes of adjacent rows that are asked for at most */
#define ASKED_APART 8192 /* ... of others */
/* ... of all on EPYC 7003 (sum of 10^7 float64 in rows of 8 KB along a middle dim: 6 ms, so 4). */
#define ASKED_SHORT 2048
/* Bytes of memory in which parts of rows are asked for that have less columns than ASKED_COLUMNS
 * (sum over dim 0 of 10^6 x 3 float32 out of 10^6 x 4: 2.4 ms, so .6; of 300000 .2, asked for .24;
 * EPYC 9005). */
#define ASKED_MUCH (8 << 20)
#define ASKED_COLUMNS 8

/* The next `count` rows, from `offset` on, which has these coordinates; returns the offset behind
 * them. */
static int64_t nextRows(const THDimList *dims, const char *in, int64_t offset, int64_t *coordinates,
                        int64_t count, const void **rows)
{
    const THDim inner = dims->dim[dims->count - 1];
    int64_t *coordinate = &coordinates[dims->count - 1];
    while (count > 0) {
        const int64_t run = THSize_min(count, inner.size - *coordinate);
        const char *row = in + offset;
        int64_t i = 0;
        for (; i + 4 <= run; i += 4, row += 4 * inner.in) { /* else each waits for the one before */
            rows[i] = row;
            rows[i + 1] = row + inner.in;
            rows[i + 2] = row + 2 * inner.in;
            rows[i + 3] = row + 3 * inner.in;
        }
        for (; i < run; i++, row += inner.in)
            rows[i] = row;
        rows += run;
        count -= run;
        offset += run * inner.in;
        *coordinate += run;
        if (*coordinate == inner.size)
            offset = THDimList_nextRun(dims, coordinates);
    }
    return offset;
}

/* Of memory that has left the last cache, asks for as much of the next tile's blocks as its row is
 * of a block: rows of blocks are no stream that processors follow (28571 x 50 x 7 float32 summed
 * over dim 1: 9.6 ms, so 2.6; EPYC 9004). */
static void askForBlocks(const THReduceJob *job, const THDimList *dims, int64_t nblocks,
                         const char *in, const char *row)
{
    if (!job->end || !THMachine_asksBeside() || dims->count != 1)
        return;
    const int64_t step = dims->dim[0].in;
    if (step <= 0 || step * dims->dim[0].size != job->blocks)
        return;
    const char *const from = in + nblocks * (job->blocks + (row - in));
    if ((uintptr_t)from + (uintptr_t)(nblocks * step) <= (uintptr_t)job->end)
        THMove_ask(from, nblocks * step);
}

/* Converts the elements of rows of a tile, and puts them side by side. */
static void stageRows(const THReduceJob *job, const THDimList *dims, int64_t count,
                      const THReduceTile *tile, const void **rows, const THReduceScratch *scratch)
{
    const int64_t width = tile->width;
    const int64_t bytes = width * THDtype_size(job->reduction->compute), stride = job->column.in;
    const int64_t block = job->block > 0 ? job->block : width;
    const bool together = dims->count == 1 && block == width;
    char *stage = scratch->stage;
    if (together)
        THReduceTile_stage(job, scratch->raw, stage, rows[0], count, dims->dim[0].in, width,
                           stride);
    for (int64_t i = 0; i < count; i++) {
        if (!together) {
            askForBlocks(job, dims, width / block, tile->in, rows[i]);
            THReduceTile_stage(job, scratch->raw, stage + i * bytes, rows[i], width / block,
                               job->blocks, block, stride);
        }
        rows[i] = stage + i * bytes;
    }
}

/* Do loops get all TH_REDUCE_ROWS at a time? Sums do not depend on it, since it is 8 rows that they
 * add at once. */
static bool areWhole(const THReduceJob *job)
{
    return job->loops->fold || job->reduction->blocks;
}

/* How many rows are handed over at a time: staged ones stay in the cache of first level. */
static int64_t rowsAtATime(const THReduceJob *job, int64_t width)
{
    const int64_t bytes = width * THDtype_size(job->reduction->compute);
    int64_t rows = TH_REDUCE_ROWS;
    while (!job->direct && !areWhole(job) && rows > 8 && rows * bytes > STAGE)
        rows /= 2;
    return rows;
}

/* Brings rows that lie in far memory near, one after the other. */
static void touchRows(int64_t nrows, int64_t bytes, const void *const *rows)
{
    for (int64_t r = 0; r < nrows; r++) {
        const volatile char *row = rows[r];
        for (int64_t at = 0; at < bytes; at += TH_LINE_BYTES)
            (void)row[at];
        (void)row[bytes - 1];
    }
}

/* Rows that are asked for while others are reduced: in the order of memory, as if each began where
 * the one before it ends. */
typedef struct Asked {
    const char *rows;
    int64_t stride, bytes; /* of a row; stride 0: there is nothing to ask for */
} Asked;

static void Asked_ask(const Asked *self, int64_t from, int64_t to)
{
    if (self->stride <= 0)
        return;
    const char *row = self->rows + from / self->bytes * self->stride;
    for (int64_t at = from % self->bytes; from < to; from += TH_LINE_BYTES) {
        __builtin_prefetch(row + at, 0, 2);
        at += TH_LINE_BYTES;
        if (at < self->bytes)
            continue;
        at = 0;
        row += self->stride;
    }
}

/* What is read some time after `count` rows: whatever lies behind rows that are adjacent; of parts
 * of few rows, the next ones, else the next rows. */
static Asked askedAfter(int64_t nrows, int64_t bytes, const void *const *rows, int64_t row,
                        int64_t count, const THReduceTerm *term)
{
    const char *from = rows[row];
    const int64_t stride = nrows > 1 ? (const char *)rows[1] - (const char *)rows[0] : bytes;
    const bool adjacent = stride == bytes;
    Asked asked = {from + count * stride, stride, bytes};
    if (adjacent) {
        asked.rows = from + (count * bytes < ASKED_BEHIND ? ASKED_BEHIND : count * bytes);
        asked.stride = asked.bytes = count * bytes;
    } else if (term->follow > 0) {
        asked.rows = from + bytes;
    }
    const char *end = asked.rows + (adjacent ? asked.bytes : (count - 1) * stride + bytes);
    if (stride < bytes || end > term->end)
        asked.stride = 0;
    return asked;
}

/* Eight rows after the other, pieces of them at a time, between which some of what follows is asked
 * for. */
static void piecesOfRows(const THReduceJob *job, int64_t nrows, int64_t width,
                         const void *const *rows, int64_t first, void *acc,
                         const THReduceTerm *term)
{
    const int64_t size = THDtype_size((THDtype)job->dtype), bytes = width * size;
    THReduceTerm near = *term;
    near.far = false;
    for (int64_t row = 0; row < nrows; row += 8) {
        const int64_t count = THSize_min(8, nrows - row);
        const int64_t part = (PIECE / (count * size) + 7) & ~(int64_t)7;
        const int64_t piece = count * bytes > 2 * PIECE ? part : width;
        const Asked asked = askedAfter(nrows, bytes, rows, row, count, term);
        for (int64_t c = 0; c < width; c += piece) {
            const int64_t columns = THSize_min(piece, width - c);
            const void *parts[8];
            for (int64_t r = 0; r < count; r++)
                parts[r] = (const char *)rows[row + r] + c * size;
            Asked_ask(&asked, c * size * count, (c + columns) * size * count);
            job->loops->rows(count, columns, parts, first + row,
                             (char *)acc + c * job->reduction->accSize, &near);
        }
    }
}

/* From the first one of rows to that behind the last one, if they are at one distance, of less than
 * a line of the cache, and of much memory that has left the near caches, else 0: loads of some of
 * them at a time are no stream that processors follow. */
static int64_t spanOfNarrow(const THReduceJob *job, int64_t nrows, int64_t width,
                            const void *const *rows, const THReduceTerm *term)
{
    if (!job->direct || !term->far || nrows < 2 || width >= ASKED_COLUMNS)
        return 0;
    const int64_t stride = (const char *)rows[1] - (const char *)rows[0];
    const bool asks = stride > 0 && stride <= TH_LINE_BYTES &&
                      THMachine_isLarge(job->elements * stride, ASKED_MUCH);
    return asks ? nrows * stride : 0;
}

/* Calls the loop. Where the machine reads one stream faster than several rows at once, rows of
 * memory that has left the last cache are asked for as a stream (the sum over the middle dim of
 * 215 x 215 x 215 float32: 5.6 ms, asked for so 1.9; EPYC 9004). Loops that keep all columns of
 * rows are called with what was touched before. */
static void callRows(const THReduceJob *job, int64_t nrows, int64_t width, const void *const *rows,
                     int64_t first, void *acc, const THReduceTerm *term)
{
    const int64_t bytes = width * THDtype_size((THDtype)job->dtype);
    const bool alone = !job->direct || !term->far || !term->end || THMachine_readAhead > 0;
    const bool adjacent = nrows > 1 && (const char *)rows[1] - (const char *)rows[0] == bytes;
    const bool soon = nrows * bytes <= TH_REDUCE_SOON && term->follow > 0;
    const int64_t most = THMachine_asksAhead ? ASKED_SHORT : adjacent ? ASKED_ROW : ASKED_APART;
    const int64_t narrow = spanOfNarrow(job, nrows, width, rows, term);
    if (narrow > 0) { /* as many that come next are asked for */
        THMove_prefetch((const char *)rows[0] + narrow, narrow, false);
        job->loops->rows(nrows, width, rows, first, acc, term);
    } else if (!alone && !areWhole(job) && (soon || bytes <= most)) {
        piecesOfRows(job, nrows, width, rows, first, acc, term);
    } else if (!alone && bytes <= TOUCHED) {
        THReduceTerm near = *term;
        near.far = false;
        touchRows(nrows, bytes, rows);
        job->loops->rows(nrows, width, rows, first, acc, &near);
    } else {
        job->loops->rows(nrows, width, rows, first, acc, term);
    }
}

/* So few rows at one distance that one call of the loop takes them all where they lie. */
static void accumulateFewRows(const THReduceJob *job, const char *in, int64_t stride, int64_t n,
                              int64_t width, THReduceScratch *scratch, void *acc,
                              const THReduceTerm *term)
{
    const void *rows[TH_REDUCE_ROWS];
    for (int64_t i = 0; i < n; i++)
        rows[i] = in + i * stride;
    callRows(job, n, width, rows, 0, job->loops->fold ? scratch->lanes : acc, term);
    if (job->loops->fold)
        job->loops->fold(n, width, scratch->lanes, acc);
}

void THReduceTile_rows(const THReduceJob *job, const THDimList *dims, const THReduceTile *tile,
                       int64_t first, int64_t n, THReduceScratch *scratch, void *acc,
                       const THReduceTerm *term)
{
    if (job->direct && dims->count == 1 && n <= TH_REDUCE_ROWS) {
        const int64_t stride = dims->dim[0].in;
        accumulateFewRows(job, tile->in + first * stride, stride, n, tile->width, scratch, acc,
                          term);
        return;
    }
    const int64_t step = rowsAtATime(job, tile->width);
    int64_t coordinates[TH_MAX_DIMS];
    int64_t offset = THDimList_locate(dims, first, coordinates);
    for (int64_t row = 0; row < n; row += step) {
        const int64_t count = THSize_min(n - row, step);
        const void *rows[TH_REDUCE_ROWS];
        offset = nextRows(dims, tile->in, offset, coordinates, count, rows);
        if (!job->direct)
            stageRows(job, dims, count, tile, rows, scratch);
        if (job->loops->fold) {
            callRows(job, count, tile->width, rows, row, scratch->lanes, term);
            continue;
        }
        const int64_t within = row % TH_REDUCE_ROWS, end = row + count;
        callRows(job, count, tile->width, rows, within, row == within ? acc : scratch->lanes, term);
        if (row > within && (end == n || end % TH_REDUCE_ROWS == 0))
            job->loops->combine(tile->width, acc, scratch->lanes, row - within);
    }
    if (job->loops->fold)
        job->loops->fold(n, tile->width, scratch->lanes, acc);
}
