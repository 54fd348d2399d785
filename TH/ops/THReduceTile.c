/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A chunk of a tile: its elements brought side by side where they are not, and accumulated.
 * THReduction.h tells the order of the arithmetic. */
#include <TH/THMachine.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THReduceTile.h>
#include <string.h>

#define SHORT_LINE 64    /* elements of a line that is not worth a call */
#define RUNS 64          /* of one column that are accumulated at a time */
#define SECONDS 64       /* every second element of a line that is read as it lies */
#define STAGE 16384      /* bytes of rows that are staged at a time, about */
#define TOUCHED 2048     /* bytes of a row that is touched before at most */
#define ASKED_ITEM 4     /* bytes of elements of which lines are asked for at least, */
#define ASKED_LINE 512   /* ... of a line that is asked for with others at most, */
#define ASKED_BYTES 2048 /* ... and of all of these, about */
/* Bytes of rows that are reduced at a time, or up to twice as many, while as many are asked for,
 * and how far behind these lie at least. */
#define PIECE 2048
#define ASKED_BEHIND 32768
#define ASKED_ROW 16384  /* bytes of adjacent rows that are asked for at most */
#define ASKED_APART 8192 /* ... of others */
/* ... of all on EPYC 7003 (sum of 10^7 float64 in rows of 8 KB along a middle dim: 6 ms, so 4). */
#define ASKED_SHORT 2048
/* Bytes of a line that is gathered at a time: with what is read they stay in the first cache (60000
 * rows of 38 float64, apart: 1.3 ms, so 0.8; EPYC 9004). */
#define GATHERED 8192
_Static_assert(GATHERED >= 2 * TH_REDUCE_CHUNK && GATHERED < 4 * TH_REDUCE_CHUNK,
               "only elements of 4 bytes or more take several parts, with room behind one");

/* Adjacent columns that loops see of `width` columns. */
static int64_t columnsOf(const THReduceJob *job, int64_t width)
{
    return job->every > 1 ? job->every * (width - 1) + 1 : width * job->pack;
}

THReduceSizes THReduceJob_sizes(const THReduceJob *job)
{
    const int64_t width = job->tileWidth, accSize = job->reduction->accSize;
    const int64_t itemSize = THDtype_size(job->reduction->compute);
    const int64_t rows = THSize_min(TH_REDUCE_ROWS, job->elements);
    const int64_t stage = job->direct ? 0
                          : job->runs ? (width < RUNS ? RUNS : width) * accSize
                          : job->rows ? rows * width * job->pack * itemSize
                                      : TH_REDUCE_CHUNK * itemSize;
    THReduceSizes sizes = {.acc = THReduce_round64(width * accSize),
                           .stage = THReduce_round64(stage)};
    const int64_t columns = columnsOf(job, width);
    sizes.lanes = job->rows ? TH_REDUCE_COLUMN_LANES * 8 * TH_REDUCE_PADDED(columns) : 0;
    sizes.packed = job->pack > 1    ? TH_REDUCE_PACKED * accSize
                   : job->every > 1 ? THReduce_round64(columns * accSize)
                                    : 0;
    sizes.raw = job->dtype == job->reduction->compute
                    ? 0
                    : THReduce_round64(stage / itemSize * THDtype_size((THDtype)job->dtype));
    sizes.parts = job->stagedRuns ? sizes.acc : 0;
    const int64_t bytes =
        sizes.lanes + sizes.packed + sizes.raw + sizes.stage + sizes.parts + 2 * sizes.acc;
    sizes.beyond = bytes > TH_REDUCE_STACK ? bytes : 0;
    return sizes;
}

void THReduceScratch_init(THReduceScratch *scratch, const THReduceJob *job, void *taken)
{
    const THReduceSizes *sizes = &job->sizes;
    scratch->taken = taken;
    scratch->lanes = taken ? taken : scratch->stack;
    scratch->packed = scratch->lanes + sizes->lanes;
    scratch->raw = scratch->packed + sizes->packed;
    scratch->stage = scratch->raw + sizes->raw;
    scratch->parts = scratch->stage + sizes->stage;
    scratch->next = scratch->parts + sizes->parts;
    scratch->acc = scratch->next + sizes->acc;
}

/* `lines` lines of n elements each, converted and side by side. Since a conversion is a call, it is
 * of all of them, of short ones in a copy in `raw`. */
static void stageLines(const THReduceJob *job, char *raw, char *to, const char *from, int64_t lines,
                       int64_t lineStride, int64_t n, int64_t stride)
{
    const THDtype compute = job->reduction->compute, dtype = (THDtype)job->dtype;
    const int64_t itemSize = THDtype_size(compute), rawSize = THDtype_size(dtype);
    if (dtype == compute) {
        THMove_gather(itemSize, to, from, lines, lineStride, n, stride);
        return;
    }
    if (lines > 1 && lineStride != n * stride && n < SHORT_LINE) {
        THMove_gather(rawSize, raw, from, lines, lineStride, n, stride);
        from = raw;
        stride = rawSize;
        lineStride = n * rawSize;
    }
    if (lineStride == n * stride) {
        n *= lines;
        lines = 1;
    }
    if (lines > 1 && stride == rawSize) { /* without what a call of THCast looks up */
        const THLoop loop = THCast_loop(compute, dtype);
        for (int64_t i = 0; i < lines; i++) {
            void *data[2] = {to + i * n * itemSize, (void *)(uintptr_t)(from + i * lineStride)};
            loop(n, data, NULL);
        }
        return;
    }
    for (int64_t i = 0; i < lines; i++)
        THCast(n, to + i * n * itemSize, compute, itemSize, from + i * lineStride, dtype, stride);
}

/* How many runs of the inner dim, from these coordinates on, are within n elements and at one
 * distance; the coordinates become those of the last one. */
static int64_t wholeRuns(const THDimList *dims, int64_t *coordinates, int64_t n)
{
    const int inner = dims->count - 1;
    const int64_t runs =
        THSize_min(n / dims->dim[inner].size, dims->dim[inner - 1].size - coordinates[inner - 1]);
    coordinates[inner - 1] += runs - 1;
    return runs;
}

/* The reduced elements [first, first + n) of one result, converted and side by side. */
static const void *gather(const THReduceJob *job, const char *in, int64_t first, int64_t n,
                          const THReduceScratch *scratch)
{
    const THDimList *dims = &job->reduced;
    const THDim one = {1, 0, {0}};
    const int inner = dims->count - 1;
    const THDim along = inner < 0 ? one : dims->dim[inner];
    int64_t coordinates[TH_MAX_DIMS];
    int64_t offset = THDimList_locate(dims, first, coordinates);
    int64_t run = along.size - (inner < 0 ? 0 : coordinates[inner]);
    for (char *to = scratch->stage; n > 0; run = along.size) {
        int64_t runs = 1;
        run = THSize_min(n, run);
        if (inner > 0 && run == along.size)
            runs = wholeRuns(dims, coordinates, n);
        stageLines(job, scratch->raw, to, in + offset, runs,
                   inner > 0 ? dims->dim[inner - 1].in : 0, run, along.in);
        to += runs * run * THDtype_size(job->reduction->compute);
        n -= runs * run;
        if (n > 0)
            offset = THDimList_nextRun(dims, coordinates);
    }
    return scratch->stage;
}

/* Where staging goes on behind `count` lines from `line` on, NULL if there are less than `bytes`,
 * or if these do not lie as close as lines of the cache. `follow` elements of each line do. */
static const char *stagedNext(const THReduceJob *job, const THReduceTile *tile, int64_t first,
                              int64_t n, int64_t line, int64_t count, int64_t follow, int64_t bytes)
{
    const int64_t stride = job->reduced.dim[0].in, column = job->column.in;
    const int64_t others = tile->width - line - count;
    const int64_t lines = others > 0 || follow > 0 ? others : tile->behind;
    const char *next = tile->in + line * column;
    int64_t span = follow * stride;
    if (lines > 0) {
        next += count * column + (others > 0 ? first * stride : 0);
        span = column >= n * stride ? (lines - 1) * column + n * stride : 0;
    } else {
        next += (first + n) * stride;
    }
    return job->far && stride > 0 && stride <= TH_LINE_BYTES && span >= bytes ? next : NULL;
}

/* Elements at one distance: as many lines at a time as are staged, but for long ones of every
 * second element where loops take these. */
static void stridedLines(const THReduceJob *job, const THReduceTile *tile, int64_t first, int64_t n,
                         THReduceScratch *scratch, void *acc, THReduceTerm term)
{
    const int64_t itemSize = THDtype_size(job->reduction->compute), stride = job->reduced.dim[0].in;
    const int64_t most = n > 0 ? TH_REDUCE_CHUNK / n : tile->width;
    if (job->loops->everySecond && stride == 2 * itemSize && n >= SECONDS &&
        job->dtype == job->reduction->compute) {
        if (job->column.in == job->elements * stride)
            term.follow += tile->behind * job->elements;
        job->loops->everySecond(tile->width, n, tile->in + first * stride, job->column.in, acc,
                                &term);
        return;
    }
    const int64_t follow = term.follow;
    term.follow = 0; /* of the stage */
    for (int64_t line = 0; line < tile->width; line += most) {
        const int64_t count = THSize_min(most, tile->width - line);
        const char *next =
            stagedNext(job, tile, first, n, line, count, follow, count * n * itemSize);
        term.beside = next ? (int64_t)((uintptr_t)next - (uintptr_t)scratch->stage) : 0;
        stageLines(job, scratch->raw, scratch->stage,
                   tile->in + first * stride + line * job->column.in, count, job->column.in, n,
                   stride);
        job->loops->lines(count, n, scratch->stage, n * itemSize,
                          (char *)acc + line * job->reduction->accSize, &term);
    }
}

/* Elements that are adjacent in runs: the lines of every run, combined from left to right. Of one
 * column the runs at one distance are lines, too. */
static void runsOfLines(const THReduceJob *job, const THReduceTile *tile, int64_t first, int64_t n,
                        THReduceScratch *scratch, void *acc, THReduceTerm term)
{
    const THDimList *dims = &job->reduced;
    const int inner = dims->count - 1;
    const bool one = tile->width == 1;
    const int64_t size = dims->dim[inner].size;
    const int64_t stride = one ? dims->dim[inner - 1].in : job->column.in;
    int64_t coordinates[TH_MAX_DIMS];
    int64_t offset = THDimList_locate(dims, first, coordinates);
    int64_t run = THSize_min(n, size - coordinates[inner]), runs;
    job->loops->lines(tile->width, run, tile->in + offset, stride, acc, &term);
    for (int64_t done = run; done < n; done += runs * run) {
        run = THSize_min(n - done, size);
        offset = THDimList_nextRun(dims, coordinates);
        runs = one && run == size ? wholeRuns(dims, coordinates, THSize_min(n - done, RUNS * size))
                                  : 1;
        job->loops->lines(one ? runs : tile->width, run, tile->in + offset, stride, scratch->stage,
                          &term);
        for (int64_t i = 0; i < runs; i++)
            job->loops->combine(tile->width, acc, scratch->stage + i * job->reduction->accSize,
                                done + i * run);
    }
}

/* Short runs that are not taken as they lie: those of many lines are staged at a time. */
static void stagedRuns(const THReduceJob *job, const THReduceTile *tile, int64_t first, int64_t n,
                       THReduceScratch *scratch, void *acc, THReduceTerm term)
{
    const THDimList *dims = &job->reduced;
    const THDim inner = dims->dim[dims->count - 1];
    const int64_t itemSize = THDtype_size(job->reduction->compute);
    const int64_t accSize = job->reduction->accSize, column = job->column.in;
    const int64_t most = TH_REDUCE_CHUNK / inner.size;
    for (int64_t line = 0; line < tile->width; line += most) {
        const int64_t count = THSize_min(most, tile->width - line);
        char *const target = (char *)acc + line * accSize;
        int64_t coordinates[TH_MAX_DIMS];
        int64_t offset = THDimList_locate(dims, first, coordinates);
        int64_t run = THSize_min(n, inner.size - coordinates[dims->count - 1]);
        for (int64_t done = 0; done < n; done += run, run = THSize_min(n - done, inner.size)) {
            if (done > 0)
                offset = THDimList_nextRun(dims, coordinates);
            stageLines(job, scratch->raw, scratch->stage, tile->in + line * column + offset, count,
                       column, run, inner.in);
            job->loops->lines(count, run, scratch->stage, run * itemSize,
                              done > 0 ? scratch->parts : target, &term);
            if (done > 0)
                job->loops->combine(count, target, scratch->parts, done);
        }
    }
}

/* A line that is brought side by side, part by part. */
static void gatheredLine(const THReduceJob *job, const char *in, int64_t first, int64_t n,
                         THReduceScratch *scratch, void *acc, const THReduceTerm *term)
{
    const int64_t most = GATHERED / THDtype_size(job->reduction->compute);
    for (int64_t done = 0; done < n; done += most) {
        const int64_t part = THSize_min(most, n - done);
        const void *x = gather(job, in, first + done, part, scratch);
        void *next = done > 0 ? scratch->stage + GATHERED : acc;
        job->loops->lines(1, part, x, 0, next, term);
        if (done > 0)
            job->loops->combine(1, acc, next, done);
    }
}

/* Lines so short that loops do not look ahead: some at a time, while as many are asked for (10^7
 * float64 in lines of 10 summed: 8.3 ms, so 6.1; Xeon of the fifth generation). Loops fold as many
 * together as the widest registers have lanes (argmax of 10^4 lines of 100 int32: 250 us by 8 at a
 * time, 145 by 16; EPYC 9004). */
static void shortLines(const THReduceJob *job, const THReduceTile *tile, int64_t n, void *acc,
                       const THReduceTerm *term)
{
    const int64_t size = THDtype_size((THDtype)job->dtype), bytes = n * size;
    const THReduceTerm near = {.p = term->p};
    const int64_t step = n <= TH_REDUCE_TURNED ? TH_REDUCE_TURNED_LINES : TH_LINE_BYTES / size;
    const bool asks = THReduceTerm_ahead(term, size, tile->width * n) > 0;
    const int64_t together = asks ? (ASKED_BYTES / bytes + step - 1) & -step : tile->width;
    for (int64_t line = 0, count; line < tile->width; line += count) {
        count = THSize_min(tile->width - line, together);
        const char *x = tile->in + line * bytes;
        const int64_t ahead = THReduceTerm_ahead(term, size, (tile->width - line - count) * n);
        if (ahead > 0)
            THMove_prefetch((const void *)((uintptr_t)x + (uintptr_t)ahead), count * bytes, false);
        job->loops->lines(count, n, x, bytes, (char *)acc + line * job->reduction->accSize, &near);
    }
}

static void chunkOfLines(const THReduceJob *job, const THReduceTile *tile, int64_t first, int64_t n,
                         THReduceScratch *scratch, void *acc, THReduceTerm *term)
{
    if (job->direct) {
        const int64_t itemSize = THDtype_size((THDtype)job->dtype);
        const bool adjacent = job->column.in == job->elements * itemSize;
        if (adjacent)
            term->follow += tile->behind * job->elements;
        const bool isShort = n > 1 && itemSize >= ASKED_ITEM && n * itemSize <= ASKED_LINE;
        if (isShort && adjacent && term->far && n == job->elements && !job->reduction->asks)
            shortLines(job, tile, n, acc, term);
        else
            job->loops->lines(tile->width, n, tile->in + first * itemSize, job->column.in, acc,
                              term);
        return;
    }
    if (job->block > 0) {
        const int64_t itemSize = THDtype_size(job->reduction->compute);
        stageLines(job, scratch->raw, scratch->stage, tile->in, tile->width / job->block,
                   job->blocks, job->block * n, THDtype_size((THDtype)job->dtype));
        term->follow = 0; /* of the stage */
        job->loops->lines(tile->width, n, scratch->stage, n * itemSize, acc, term);
        return;
    }
    if (!job->runs && job->reduced.count == 1) {
        stridedLines(job, tile, first, n, scratch, acc, *term);
        return;
    }
    term->follow = 0; /* not there, nor in the stage */
    if (job->runs) {
        runsOfLines(job, tile, first, n, scratch, acc, *term);
        return;
    }
    if (job->stagedRuns) {
        stagedRuns(job, tile, first, n, scratch, acc, *term);
        return;
    }
    for (int64_t line = 0; line < tile->width; line++) {
        gatheredLine(job, tile->in + line * job->column.in, first, n, scratch,
                     (char *)acc + line * job->reduction->accSize, term);
    }
}

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
        stageLines(job, scratch->raw, stage, rows[0], count, dims->dim[0].in, width, stride);
    for (int64_t i = 0; i < count; i++) {
        if (!together) {
            askForBlocks(job, dims, width / block, tile->in, rows[i]);
            stageLines(job, scratch->raw, stage + i * bytes, rows[i], width / block, job->blocks,
                       block, stride);
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
    if (!alone && !areWhole(job) && (soon || bytes <= most)) {
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

/* Rows of a tile, or of what pretends to be one. */
static void accumulateRows(const THReduceJob *job, const THDimList *dims, const THReduceTile *tile,
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

/* All columns, then what is asked for of them. */
static void everySecondColumn(const THReduceJob *job, const THReduceTile *tile, int64_t first,
                              int64_t n, THReduceScratch *scratch, char *acc, THReduceTerm *term)
{
    const THReduceTile wide = {.in = tile->in, .width = columnsOf(job, tile->width)};
    term->follow *= job->every;
    accumulateRows(job, &job->reduced, &wide, first, n, scratch, scratch->packed, term);
    const int64_t accSize = job->reduction->accSize;
    THMove_gather(accSize, acc, scratch->packed, 1, 0, tile->width, job->every * accSize);
}

static void chunkOfRows(const THReduceJob *job, const THReduceTile *tile, int64_t first, int64_t n,
                        THReduceScratch *scratch, void *acc, THReduceTerm *term)
{
    const int64_t pack = job->pack, packed = n - n % pack;
    const int64_t all = job->elements * tile->width * THDtype_size((THDtype)job->dtype);
    term->follow = pack == 1 && job->direct && all <= TH_REDUCE_SOON ? tile->behind : 0;
    term->far = term->far && job->direct; /* what is staged is near */
    if (job->every > 1) {
        everySecondColumn(job, tile, first, n, scratch, acc, term);
        return;
    }
    if (pack == 1 || packed < 8 * pack) { /* the latter at the end of a chunk */
        accumulateRows(job, &job->reduced, tile, first, n, scratch, acc, term);
        return;
    }
    const THReduceTile wide = {.in = tile->in, .width = tile->width * pack};
    THDimList dims; /* large: no initialiser */
    dims.count = job->reduced.count;
    memcpy(dims.dim, job->reduced.dim, (size_t)dims.count * sizeof *dims.dim);
    THDim *inner = &dims.dim[dims.count - 1];
    inner->size /= pack;
    inner->in *= pack;
    accumulateRows(job, &dims, &wide, first / pack, packed / pack, scratch, scratch->packed, term);
    const int64_t bytes = tile->width * job->reduction->accSize;
    for (int64_t left = pack, half; left > 1; left -= half) {
        half = left / 2;
        job->loops->combine(half * tile->width, scratch->packed,
                            scratch->packed + (left - half) * bytes, 0);
    }
    memcpy(acc, scratch->packed, (size_t)bytes);
    if (packed == n)
        return;
    accumulateRows(job, &job->reduced, tile, first + packed, n - packed, scratch, scratch->packed,
                   term);
    job->loops->combine(tile->width, acc, scratch->packed, 0);
}

void THReduceTile_chunk(const THReduceJob *job, const THReduceTile *tile, int64_t first,
                        int64_t most, THReduceScratch *scratch, void *acc)
{
    const int64_t n = THSize_min(job->elements - first, most);
    THReduceTerm term = {.p = job->reduction->p,
                         .follow = job->elements - first - n,
                         .far = job->far && (first > 0 || most >= job->chunk), /* no first look */
                         .end = job->end};
    (job->rows ? chunkOfRows : chunkOfLines)(job, tile, first, n, scratch, acc, &term);
}

void THReduceTile_chunks(const THReduceJob *job, const THReduceTile *tile, int64_t first,
                         int64_t count, void *acc)
{
    const int64_t n = job->chunk, itemSize = THDtype_size((THDtype)job->dtype);
    THReduceTerm term = {.p = job->reduction->p,
                         .follow = job->elements - first - count * n,
                         .far = job->far,
                         .end = job->end};
    if (job->column.in == job->elements * itemSize)
        term.follow += tile->behind * job->elements;
    job->loops->lines(count, n, tile->in + first * itemSize, n * itemSize, acc, &term);
}
