/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A chunk of a tile: its elements brought side by side where they are not, and accumulated.
 * THReduction.h tells the order of the arithmetic. */
#include <TH/engine/THMove.h>
#include <TH/ops/THReduceTile.h>
#include <string.h>

#define SHORT_LINE 64    /* elements of a line that is not worth a call */
#define RUNS 64          /* of one column that are accumulated at a time */
#define SECONDS 64       /* every second element of a line that is read as it lies */
#define FOLLOWED_ITEM 8  /* bytes of elements whose short lines no machine follows everywhere */
#define ASKED_ITEM 4     /* bytes of elements of which lines are asked for at least, */
#define ASKED_LINE 512   /* ... of a line, if it is near or lies apart, at most, */
#define ASKED_BYTES 2048 /* ... and of all of these, about */
#define ASKED_RUN 1280   /* bytes of a run of several of which later ones are asked for at most */
#define APART_LINES 8    /* that lie apart are asked for at a time */
/* Bytes of a line that is gathered at a time: with what is read they stay in the first cache (60000
 * rows of 38 float64, apart: 1.3 ms, so 0.8; EPYC 9004). */
#define GATHERED 8192
/* Bytes of lines that are parts of longer ones of which later ones are asked for. */
#define APART_LEAST 1024
#define APART_MOST 65536
#define APART_MUCH (20 << 20) /* bytes of all of them */
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
    sizes.packed = job->folds                        ? THReduce_round64(2 * columns * accSize)
                   : job->pack > 1 || job->every > 1 ? THReduce_round64(columns * accSize)
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

void THReduceTile_stage(const THReduceJob *job, char *raw, char *to, const char *from,
                        int64_t lines, int64_t lineStride, int64_t n, int64_t stride)
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
        THReduceTile_stage(job, scratch->raw, to, in + offset, runs,
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
        THReduceTile_stage(job, scratch->raw, scratch->stage,
                           tile->in + first * stride + line * job->column.in, count, job->column.in,
                           n, stride);
        job->loops->lines(count, n, scratch->stage, n * itemSize,
                          (char *)acc + line * job->reduction->accSize, &term);
    }
}

/* The first of n parts becomes all of them: halves are combined, which takes a call for each half
 * instead of one for each part. */
static void foldParts(const THReduceJob *job, char *parts, int64_t n)
{
    for (int64_t half; n > 1; n -= half) {
        half = n / 2;
        job->loops->combine(half, parts, parts + (n - half) * job->reduction->accSize, 0);
    }
}

/* Not inlined: within the loop around it, it took up to 1.5 times as long, by where it came to lie
 * (max of dim 1 of 200000 x 50 float64: 2.2 ms, or 2.8; EPYC 9005). */
static __attribute__((noinline)) void askForLines(const char *lines, int64_t bytes)
{
    THMove_prefetch(lines, bytes, false);
}

/* How much further lies what comes `ahead` bytes later, or more, of pieces of so many bytes each
 * that lie `stride` apart. */
static int64_t laterPiece(int64_t ahead, int64_t bytes, int64_t stride)
{
    return ((ahead - 1) / bytes + 1) * stride;
}

/* Do short parts of longer lines, which are no stream, have to be asked for? Not those of near
 * memory, nor where less than a line of the cache is read of each. Lines of doubles are added in
 * the same time without it, and so are the runs of one result, which go on and on. */
static bool areAskedApart(const THReduceJob *job, int64_t n, int64_t stride,
                          const THReduceTerm *term)
{
    const int64_t size = THDtype_size((THDtype)job->dtype), bytes = n * size;
    const int64_t most = job->runs ? ASKED_RUN : ASKED_LINE, unasked = job->loops->unasked;
    const bool late = unasked > ASKED_LINE;
    const bool gains = job->runs ? size < FOLLOWED_ITEM && !late && !THReduceJob_isOne(job)
                                 : size < FOLLOWED_ITEM || late || unasked == 0;
    return THMachine_readsInTurn && THMachine_readAhead > 0 && term->end && term->far && gains &&
           size >= ASKED_ITEM && bytes >= TH_LINE_BYTES && bytes <= most && stride > bytes;
}

/* `count` lines that lie apart, some at a time, while as many later ones are asked for (sum of
 * every second line of 100000 x 100 float32: 2.1 ms, so 1.3; max 1.0, so .6; EPYC 9005). */
static void linesAskedApart(const THReduceJob *job, int64_t count, int64_t n, const char *in,
                            int64_t stride, char *acc, const THReduceTerm *term)
{
    const int64_t size = THDtype_size((THDtype)job->dtype), bytes = n * size;
    const int64_t step = job->loops->unasked > ASKED_LINE ? TH_LINE_BYTES / size : APART_LINES;
    const int64_t later = laterPiece(THMachine_readAhead, bytes, stride);
    const int64_t read = TH_REDUCE_PADDED(n) * size; /* of the last vector lanes are left out */
    for (int64_t line = 0, some; line < count; line += some) {
        some = THSize_min(count - line, step);
        const char *x = in + line * stride;
        const int64_t left = (int64_t)((uintptr_t)term->end - (uintptr_t)x);
        for (int64_t i = 0; i < some && left > later + some * stride; i++) {
            const uintptr_t from = (uintptr_t)x + (uintptr_t)(later + i * stride);
            const int64_t within = (int64_t)(from % TH_LINE_BYTES);
            askForLines((const char *)(from - (uintptr_t)within), read + within);
        }
        job->loops->lines(some, n, x, stride, acc + line * job->reduction->accSize, term);
    }
}

/* Elements that are adjacent in runs: the lines of every run, combined from left to right. Of one
 * column the runs at one distance are lines, too, and folded first where their places do not
 * matter; so are those of few columns whose runs follow one another as columns do. */
static void runsOfLines(const THReduceJob *job, const THReduceTile *tile, int64_t first, int64_t n,
                        THReduceScratch *scratch, void *acc, THReduceTerm term)
{
    const THDimList *dims = &job->reduced;
    const int inner = dims->count - 1;
    const bool one = tile->width == 1, folds = job->alone && job->reduction->anyOrder;
    const int64_t size = dims->dim[inner].size, width = tile->width;
    const int64_t stride = one ? dims->dim[inner - 1].in : job->column.in;
    const bool joined = one || width * stride == dims->dim[inner - 1].in;
    const int64_t most = joined && width < RUNS ? RUNS / width : 1;
    int64_t coordinates[TH_MAX_DIMS];
    int64_t offset = THDimList_locate(dims, first, coordinates);
    int64_t run = THSize_min(n, size - coordinates[inner]), runs;
    term.follow = size - coordinates[inner] - run;
    job->loops->lines(width, run, tile->in + offset, stride, acc, &term);
    term.follow = 0;
    for (int64_t done = run; done < n; done += runs * run) {
        run = THSize_min(n - done, size);
        offset = THDimList_nextRun(dims, coordinates);
        runs = most > 1 && run == size
                   ? wholeRuns(dims, coordinates, THSize_min(n - done, most * size))
                   : 1;
        if (areAskedApart(job, run, stride, &term))
            linesAskedApart(job, runs * width, run, tile->in + offset, stride, scratch->stage,
                            &term);
        else
            job->loops->lines(runs * width, run, tile->in + offset, stride, scratch->stage, &term);
        if (folds)
            foldParts(job, scratch->stage, runs);
        for (int64_t i = 0; i < (folds ? 1 : runs); i++)
            job->loops->combine(width, acc, scratch->stage + i * width * job->reduction->accSize,
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
            THReduceTile_stage(job, scratch->raw, scratch->stage, tile->in + line * column + offset,
                               count, column, run, inner.in);
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

/* Bytes of the longest line that loops do not ask for in time. */
static int64_t unasked(const THReduceLoops *loops, const THReduceTerm *term)
{
    const bool asks = THMachine_readsInTurn && term->end;
    return asks || loops->unasked == 0 ? loops->unasked : ASKED_LINE;
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
    const bool follows = THMachine_followsLines && size < FOLLOWED_ITEM && term->end == NULL;
    const bool asks = !follows && THReduceTerm_ahead(term, size, tile->width * n) > 0;
    const int64_t together = asks ? ((ASKED_BYTES - 1) / bytes / step + 1) * step : tile->width;
    for (int64_t line = 0, count; line < tile->width; line += count) {
        count = THSize_min(tile->width - line, together);
        const char *x = tile->in + line * bytes;
        const int64_t left = (tile->width - line - count) * n;
        const int64_t ahead = asks ? THReduceTerm_ahead(term, size, left) : 0;
        if (ahead > 0)
            askForLines((const void *)((uintptr_t)x + (uintptr_t)ahead), count * bytes);
        job->loops->lines(count, n, x, bytes, (char *)acc + line * job->reduction->accSize, &near);
    }
}

/* How many bytes further the line is that is read some lines later, 0: none is asked for. Lines
 * that are parts of longer ones are no stream (sum of every second line of 4000 x 4000 float32: 1.7
 * ms, so 1.0; EPYC 9005). */
static int64_t lineLater(const THReduceJob *job, int64_t n, const THReduceTerm *term)
{
    const int64_t bytes = n * THDtype_size((THDtype)job->dtype), ahead = THMachine_readAhead;
    const bool apart = job->column.in > bytes && n == job->elements;
    if (!apart || !term->end || !term->far || ahead == 0 || bytes < APART_LEAST ||
        bytes > APART_MOST)
        return 0;
    const int64_t lines = (job->end - job->data) / job->column.in; /* or more, of several blocks */
    if (!THMachine_isLarge(lines * bytes, APART_MUCH))
        return 0;
    return laterPiece(ahead, bytes, job->column.in);
}

/* Lines that lie in memory, as many as there are of which later ones are, too, and the others. */
static void linesApart(const THReduceJob *job, const THReduceTile *tile, int64_t n, int64_t later,
                       char *acc, THReduceTerm term)
{
    const int64_t stride = job->column.in, bytes = n * THDtype_size((THDtype)job->dtype);
    const int64_t room = (int64_t)((uintptr_t)term.end - (uintptr_t)tile->in) - later - bytes;
    const int64_t some = room < 0 ? 0 : THSize_min(tile->width, room / stride + 1);
    term.beside = later;
    if (some > 0)
        job->loops->lines(some, n, tile->in, stride, acc, &term);
    term.beside = 0;
    if (some < tile->width)
        job->loops->lines(tile->width - some, n, tile->in + some * stride, stride,
                          acc + some * job->reduction->accSize, &term);
}

/* Lines that lie in memory. */
static void directLines(const THReduceJob *job, const THReduceTile *tile, int64_t first, int64_t n,
                        void *acc, THReduceTerm *term)
{
    const int64_t itemSize = THDtype_size((THDtype)job->dtype), stride = job->column.in;
    const bool adjacent = stride == job->elements * itemSize, whole = n == job->elements;
    if (adjacent)
        term->follow += tile->behind * job->elements;
    const int64_t later = lineLater(job, n, term);
    const bool isShort =
        n > 1 && itemSize >= ASKED_ITEM && n * itemSize <= unasked(job->loops, term);
    if (later > 0)
        linesApart(job, tile, n, later, acc, *term);
    else if (whole && areAskedApart(job, n, stride, term))
        linesAskedApart(job, tile->width, n, tile->in, stride, acc, term);
    else if (whole && isShort && adjacent && term->far)
        shortLines(job, tile, n, acc, term);
    else
        job->loops->lines(tile->width, n, tile->in + first * itemSize, stride, acc, term);
}

/* Blocks of lines are brought side by side. */
static void blocksOfLines(const THReduceJob *job, const THReduceTile *tile, int64_t n,
                          THReduceScratch *scratch, void *acc, const THReduceTerm *term)
{
    const int64_t itemSize = THDtype_size(job->reduction->compute);
    THReduceTile_stage(job, scratch->raw, scratch->stage, tile->in, tile->width / job->block,
                       job->blocks, job->block * n, THDtype_size((THDtype)job->dtype));
    job->loops->lines(tile->width, n, scratch->stage, n * itemSize, acc, term);
}

static void gatheredLines(const THReduceJob *job, const THReduceTile *tile, int64_t first,
                          int64_t n, THReduceScratch *scratch, char *acc, const THReduceTerm *term)
{
    for (int64_t line = 0; line < tile->width; line++)
        gatheredLine(job, tile->in + line * job->column.in, first, n, scratch,
                     acc + line * job->reduction->accSize, term);
}

static void chunkOfLines(const THReduceJob *job, const THReduceTile *tile, int64_t first, int64_t n,
                         THReduceScratch *scratch, void *acc, THReduceTerm *term)
{
    if (job->direct) {
        directLines(job, tile, first, n, acc, term);
        return;
    }
    if (job->block == 0 && !job->runs && job->reduced.count == 1) {
        stridedLines(job, tile, first, n, scratch, acc, *term);
        return;
    }
    term->follow = 0; /* not there, nor in the stage */
    if (job->block > 0)
        blocksOfLines(job, tile, n, scratch, acc, term);
    else if (job->runs)
        runsOfLines(job, tile, first, n, scratch, acc, *term);
    else if (job->stagedRuns)
        stagedRuns(job, tile, first, n, scratch, acc, *term);
    else
        gatheredLines(job, tile, first, n, scratch, acc, term);
}

/* All columns, then what is asked for of them. */
static void everySecondColumn(const THReduceJob *job, const THReduceTile *tile, int64_t first,
                              int64_t n, THReduceScratch *scratch, char *acc, THReduceTerm *term)
{
    const THReduceTile wide = {.in = tile->in, .width = columnsOf(job, tile->width)};
    term->follow *= job->every;
    THReduceTile_rows(job, &job->reduced, &wide, first, n, scratch, scratch->packed, term);
    const int64_t accSize = job->reduction->accSize;
    THMove_gather(accSize, acc, scratch->packed, 1, 0, tile->width, job->every * accSize);
}

/* acc[c] of the `columns` of each block, of which there are as many as rows that were taken as one:
 * what there is beyond a power of 2, then halves, those of all blocks together. What was packed is
 * overwritten, as is as much behind it where there are several blocks. */
static void foldBlocks(const THReduceJob *job, int64_t blocks, int64_t columns, char *packed,
                       char *acc)
{
    const THMoves *moves = THMove_moves();
    const int64_t size = columns * job->reduction->accSize, all = blocks * job->pack * size;
    const int64_t whole = INT64_C(1) << (63 - __builtin_clzll((uint64_t)job->pack));
    char *from = packed, *room = packed + all;
    for (int64_t at = 0; at < all && whole < job->pack; at += job->pack * size)
        job->loops->combine((job->pack - whole) * columns, packed + at, packed + at + whole * size,
                            0);
    for (int64_t left = whole / 2, step = job->pack * size; left > 0; left /= 2) {
        const int64_t half = left * size;
        char *lower = from, *upper = from + half;
        if (blocks > 1) {
            lower = room;
            upper = room + blocks * half;
            moves->rows(lower, half, from, step, blocks, half);
            moves->rows(upper, half, from + half, step, blocks, half);
            room = from;
        }
        job->loops->combine(blocks * left * columns, lower, upper, 0);
        from = lower;
        step = half;
    }
    memcpy(acc, from, (size_t)(blocks * size));
}

/* How many bytes further the same row of a later tile lies, if tiles are short runs of whole rows
 * with gaps between them, 0: that is not asked for (sum over dim 1 of 50 of 2000 x 100 x 64
 * float32: 2.1 ms, so 0.7; EPYC 9005). */
static int64_t tileLater(const THReduceJob *job, const THReduceTile *tile, int64_t n,
                         const THReduceTerm *term)
{
    const THDimList *kept = &job->kept;
    const int64_t stride = job->reduced.dim[0].in, bytes = n * stride;
    if (!THMachine_readsInTurn || !job->direct || !term->end || !term->far || kept->count == 0 ||
        job->reduced.count != 1 || n != job->elements || tile->width != job->column.size ||
        stride != tile->width * THDtype_size((THDtype)job->dtype) || bytes < APART_LEAST ||
        bytes > APART_MOST)
        return 0;
    const int64_t next = kept->dim[kept->count - 1].in;
    return next > bytes ? laterPiece(TH_AHEAD_SOON, bytes, next) : 0;
}

/* Places among rows taken as one become those of the rows themselves, which are `width` columns. */
static void placeOfPacked(int64_t columns, int64_t width, int64_t pack, THReduceExtreme *acc)
{
    for (int64_t c = 0; c < columns; c++)
        acc[c].index = acc[c].index * pack + c / width;
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
    term->beside = pack == 1 ? tileLater(job, tile, n, term) : 0;
    if (pack == 1 || (packed < 8 * pack && !job->folds)) { /* the latter at the end of a chunk */
        THReduceTile_rows(job, &job->reduced, tile, first, n, scratch, acc, term);
        return;
    }
    const THReduceTile wide = {.in = tile->in, .width = tile->width * pack};
    THDimList dims; /* large: no initialiser */
    dims.count = job->reduced.count;
    memcpy(dims.dim, job->reduced.dim, (size_t)dims.count * sizeof *dims.dim);
    THDim *inner = &dims.dim[dims.count - 1];
    inner->size /= pack;
    inner->in *= pack;
    dims.count -= job->folds;
    THReduceTile_rows(job, &dims, &wide, first / pack, packed / pack, scratch, scratch->packed,
                      term);
    if (THReduceJob_isPlaced(job))
        placeOfPacked(wide.width, tile->width, pack, (THReduceExtreme *)(void *)scratch->packed);
    const int64_t columns = job->folds ? job->block : tile->width;
    foldBlocks(job, tile->width / columns, columns, scratch->packed, acc);
    if (packed == n)
        return;
    THReduceTile_rows(job, &job->reduced, tile, first + packed, n - packed, scratch,
                      scratch->packed, term);
    job->loops->combine(tile->width, acc, scratch->packed, packed);
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
