/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From dims to tiles: whether loops run along the reduced dims or across them, what is staged, and
 * how large tiles are.
 *
 * The kept dims are sorted by stride; the one of the smallest stride gives the columns, and a tile
 * is a block of columns of one index of the other kept dims. */
#include <TH/THMachine.h>
#include <TH/THThreads.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THReduceTile.h>

#define COLUMNS 4096        /* of a tile of rows at most */
#define COLUMNS_OF_FEW 512  /* ... of few little elements in far memory */
#define SHORT 32            /* rows of a tile whose accumulators are most of its memory */
#define SHORT_BYTES 8192    /* ... which they should not exceed */
#define COLUMNS_STAGED 1024 /* ... that is copied first */
/* Bytes of a row of a tile in far memory, of which longer pieces are read sooner, and of its
 * accumulators; of pieces where accumulators are better near (20 rows of 500000 float32 summed: 3.4
 * ms, so 3.1; Xeon). */
#define ROW_FAR (1 << 19)
#define ROW_FAR_ACC (1 << 20)
#define ROW_FAR_AWAITED (1 << 16)
#define SHARE 32            /* columns that a thread's share of them is a multiple of, ... */
#define SHARE_OF_RUNS 8     /* ... where they are runs of others */
#define SHARE_OF_HALVES 128 /* ... where those of a row take a call, which widens them */
/* Of fewer chunks than so many a thread one does more than its share, so columns are shared: where
 * each has so many bytes of a row (9000 x 1100 float32 summed along dim 0 by two threads: 2.8 ms,
 * so 1.6; Xeon). */
#define SHARED_CHUNKS 4
#define LONG_CHUNKS 8 /* that are worth sharing */
/* Bytes worth a thread's while, where all is worth two; of lines that lie in memory more, where
 * reductions are exact: these are read at the pace of the caches (max of 10^5 int16: 5.5 us by two
 * threads, by one 3; Xeon). */
#define WORK_BYTES (TH_THREAD_BYTES / 2)
#define EXACT_BYTES (2 * TH_THREAD_BYTES)
#define QUICK_ROW 64     /* bytes of a row, ... */
#define QUICK_LINE 16384 /* ... and of a line, at least */
#define SHARED_ROW 512
#define LINES 256     /* of a tile of lines at most */
#define RUN_BYTES 768 /* adjacent elements that are worth a call, ... */
#define RUN_QUICK 384 /* ... where they are words that become a number */
/* ... where those of few results follow one another: bytes, elements, and bytes that are exact (sum
 * over dims 0 and 2 of 2000 x 3 x 50 float32: 36.2 us, so 26.4; 40000 x 3 x 50 1.78 ms, so .93; max
 * of 22222 x 3 x 90 1.71 ms, so .75; EPYC 9005). */
#define RUN_JOINED 192
#define RUN_JOINED_ELEMENTS 48
#define RUN_JOINED_EXACT 352
#define ALONE 1024      /* elements of a result that is worth a tile */
#define WAY_BYTES 4096  /* of the first cache */
#define RUN_OF_MANY 40  /* elements of one of those of several results */
#define RUN_PLACED 512  /* elements ... where places are asked for, which takes longer */
#define RUNS_BESIDE 8   /* results that short runs side by side are for at least */
#define RUNS_OF_FEW 128 /* ... and runs of one of them at most */
#define LONG_RUN 8     /* chunks of a run that is read to its end, before that of the next result */
#define RUN_STAGED 64  /* elements of a run that is staged with those of other results */
#define RUNS_STAGED 16 /* ... of which one has so many at most */
#define NARROW 12      /* columns of LONG rows that are rather staged as lines, ... */
#define NARROW_BYTES 16 /* ... of elements of a byte */
#define NARROW_APART 6  /* ... that do not lie beside each other, of rows that do not, either, */
#define PLACED_APART 8  /* ... where places are wanted */
#define LONG 64
/* Rows with places that are taken as one: so many of more than so many columns, or so many bytes,
 * or of pairs of words. */
#define PLACED_ROWS 512
#define PLACED_STEPS 4
#define PLACED_BYTES (48 << 10)
#define PLACED_PAIRS (1 << 20)
/* A chunk of many elements in long runs: how many of these, which bounds what is rounded, and their
 * bytes at most; and how many elements are many. */
#define RUNS_OF_CHUNK 128
#define RUNS_CHUNK (RUNS_OF_CHUNK * RUN_BYTES)
#define MANY_RUNS 32768
#define BLOCKED 512        /* elements of a tile that is staged with others at most */
#define BLOCKED_BYTES 3072 /* ... that could be read where they lie */
#define BLOCKED_LINES 512  /* bytes of adjacent lines that are staged with others at most */
#define LINES_STAGED 2048  /* ... elements of all of these */
#define BLOCKED_TILE 32768 /* bytes of all that are staged together */
/* Pieces that are folded: of so many blocks and rows, and so many bytes of a row, at least; of so
 * many bytes at most, where they are narrow rows, or lines of words in far memory. */
#define FOLDED_BLOCKS 4
#define FOLDED_ROWS 16
#define FOLDED_ROW 1024
#define FOLDED_BYTES (1 << 16)
#define FOLDED_WORDS 2048
#define PACKED_MOST 32 /* rows of far memory that are taken as one */
#define PACKED_ROWS 16 /* ... unless there are so many after rows are taken as one */
#define MANY_ROWS 8    /* whose columns are worth reducing those between */
#define ROWS_A_BLOCK 4 /* rows to be staged take as long as a tile, about */

static void geometry(THReduceJob *job, THTensor *const *results, int nresults, const THTensor *self,
                     uint64_t mask, bool keepdim)
{
    int position = 0; /* of dim d in the results */
    for (int d = 0; d < self->nDimension; d++) {
        const bool reduce = mask >> d & 1;
        THDimList *dims = reduce ? &job->reduced : &job->kept;
        if (self->size[d] != 1) {
            THDim *dim = dims->dim + dims->count++;
            *dim = THDim_of(self, d, results, nresults, reduce ? -1 : position);
            dim->in *= job->elements > 0; /* strides along which nothing is read may be any */
        }
        position += keepdim || !reduce;
    }
    if (job->reduction->anyOrder)
        THDimList_sort(&job->reduced);
    THDimList_merge(&job->reduced);
    if (job->elements == 1) /* of size 1 as they are: one row */
        job->reduced = (THDimList){1, {{1, 0, {0}}}};
    THDimList_sort(&job->kept);
    THDimList_merge(&job->kept);
}

/* Are rows whose places are wanted taken as one sooner than they are brought side by side as lines,
 * which is quick where these are every second to fourth element (argmax over dim 0 of 10^6 x 7
 * float32: 3.5 ms, so .71; of 10^5 x 3 .038, so .024; EPYC 9005)? */
static bool arePlacesPacked(const THReduceJob *job)
{
    const int64_t size = THDtype_size((THDtype)job->dtype), row = job->column.size * size;
    if (job->column.size > PLACED_STEPS)
        return job->elements >= PLACED_ROWS;
    return size >= 4 && job->elements * row >= (row > 8 ? PLACED_BYTES : PLACED_PAIRS);
}

/* How many columns rows have at most that are taken as one. Far memory is read sooner in rows of
 * some lines of the cache, of which there are several groups of eight in a chunk all the same (var
 * over dim 0 of 312500 x 32 float32: 1.6 ms, so 1.25; sum 1.09, so .92; EPYC 9005). */
static int64_t packedColumns(const THReduceJob *job)
{
    const bool isAdjacent = job->column.in == THDtype_size((THDtype)job->dtype) &&
                            job->dtype == job->reduction->compute;
    const bool isFar = job->end && isAdjacent && !job->reduction->exact;
    const int64_t most = PACKED_MOST * job->column.size;
    return isFar && most > TH_REDUCE_PACKED ? THSize_min(TH_REDUCE_PACKED_FAR, most)
                                            : TH_REDUCE_PACKED;
}

/* How many rows are taken as one: narrow ones whose elements are all at one distance, where at
 * least 16 are left. Of one dim it is a power of 2; of several a divisor of the inner one. */
static int64_t packOf(const THReduceJob *job, const THDim *inner)
{
    const int64_t size = job->column.size, rows = job->elements / 16;
    const bool isDear = job->loops->fold && (job->reduction->exact || job->reduction->dear);
    const bool packs = THReduceJob_isPlaced(job) ? arePlacesPacked(job) : !isDear;
    int64_t pack = 1;
    if (rows < 2 || size == 0 || !packs || inner->in != size * job->column.in)
        return 1;
    const int64_t most = THSize_min(packedColumns(job) / size, rows);
    if (job->reduced.count == 1)
        while (2 * pack <= most)
            pack *= 2;
    for (int64_t divisor = 2; divisor <= most && job->reduced.count > 1; divisor++)
        pack = inner->size % divisor == 0 ? divisor : pack;
    return pack;
}

/* Are rows so narrow that they take longer than bringing them side by side as lines (logsumexp over
 * dim 0 of 100000 x 2 float32: 1.58 ms, so 0.14; Xeon of the fifth generation)? Not if each of them
 * has several of the columns in a line of the cache of its own, which would be read for each (sum
 * over dim 0 of 12500 x 8 float64 out of 12500 x 32, every second one: 73 us, so 22; EPYC 9005). */
static bool areStagedAsLines(const THReduceJob *job)
{
    const THReduction *reduction = job->reduction;
    const int64_t size = THDtype_size((THDtype)job->dtype),
                  narrow = size == 1 ? NARROW_BYTES : NARROW;
    const bool converts = job->dtype != reduction->compute;
    const bool adjacent = !converts && job->column.in == size;
    const bool apart = !converts && !adjacent && size >= 4 &&
                       job->column.size >= (reduction->anyOrder ? NARROW_APART : PLACED_APART);
    return job->pack == 1 && job->reduced.count == 1 && job->elements >= LONG &&
           job->column.size < narrow && !(apart && job->reduced.dim[0].in > TH_LINE_BYTES) &&
           (reduction->exact || reduction->dear || !adjacent);
}

/* Do the runs of few results follow one another as these results do, so that loops take many? Those
 * of one do with gaps of up to half a run: over more, copies ask for what comes next sooner. */
static bool areJoined(const THReduceJob *job, int64_t bytes)
{
    const THDimList *reduced = &job->reduced;
    const int64_t columns = job->column.size;
    if (reduced->count < 2)
        return false;
    const int64_t step = reduced->dim[reduced->count - 2].in;
    return columns == 1 ? step <= bytes + bytes / 2
                        : columns < RUNS_BESIDE && step == columns * job->column.in;
}

/* Are they runs of sums of floating point of several results, which are quick to begin anew (sum
 * over dims 1 and 2 of 50 x 50 of 1600 x 100 x 100 float32: 1.75 ms, so 1.1; over 0 and 2 of 98 x
 * 62 of 1600 x 100 x 64 3.5, so 1.0; EPYC 9005)? */
static bool areOfMany(const THReduceJob *job)
{
    const THReduction *reduction = job->reduction;
    const bool sums = THDtype_category(reduction->compute) == TH_CATEGORY_FLOATING;
    return !THReduceJob_isOne(job) && sums && !reduction->exact;
}

/* Are runs of adjacent elements reduced as they lie? Long ones are, and those beside which the ones
 * of the next result lie. */
static bool areRuns(const THReduceJob *job, int64_t size, int64_t itemSize)
{
    const THReduction *reduction = job->reduction;
    const int64_t bytes = size * itemSize;
    if (!reduction->anyOrder)
        return size >= RUN_PLACED;
    const bool quick = itemSize >= 4 && !reduction->dear && !job->loops->fold &&
                       reduction->accSize <= (int)sizeof(double);
    const int64_t joined = reduction->exact ? RUN_JOINED_EXACT : RUN_JOINED;
    if (quick && size >= RUN_OF_MANY && areOfMany(job))
        return true;
    return bytes >= (quick ? RUN_QUICK : RUN_BYTES) ||
           (quick && bytes >= joined && size >= RUN_JOINED_ELEMENTS && areJoined(job, bytes)) ||
           (job->column.in == bytes && job->column.size >= RUNS_BESIDE &&
            job->elements <= size * RUNS_OF_FEW);
}

/* Are there so few runs of a result that those of many results are better staged together? */
static bool areStagedRuns(const THReduceJob *job, int64_t size)
{
    return job->reduction->anyOrder && job->column.size > 1 && size <= RUN_STAGED &&
           job->elements <= size * RUNS_STAGED;
}

/* Are columns every second element, so that reducing those between, too, and leaving these out
 * takes less time than bringing rows side by side? Not of little elements, nor of few near rows. */
static bool areEverySecond(const THReduceJob *job)
{
    const THReduction *reduction = job->reduction;
    const int64_t itemSize = THDtype_size((THDtype)job->dtype);
    const bool many = job->elements >= MANY_ROWS || job->far;
    return job->rows && many && job->pack == 1 && job->block == 0 &&
           job->dtype == reduction->compute && itemSize >= 4 && job->column.in == 2 * itemSize &&
           !reduction->dear && !job->loops->fold;
}

/* Do the results of the next kept dim go on where those of the columns end? */
static bool areResultsOn(const THReduceJob *job, const THDim *next)
{
    for (int r = 0; r < TH_REDUCE_RESULTS; r++)
        if (next->out[r] != job->column.out[r] * job->column.size)
            return false;
    return true;
}

/* The last kept dim becomes one with the columns. */
static void takeBlock(THReduceJob *job)
{
    const THDim others = job->kept.dim[--job->kept.count];
    job->pack = 1;
    job->block = job->column.size;
    job->blocks = others.in;
    job->column.size *= others.size;
    job->direct = false;
}

/* Narrow columns are staged with those of their neighbours, where few elements are reduced: a tile
 * of each of them would take longer than its elements do. */
static void takeBlocks(THReduceJob *job)
{
    THDim *column = &job->column;
    const int64_t elements = job->elements * column->size;
    const int64_t most = job->direct || column->size >= NARROW ? BLOCKED : 8 * BLOCKED;
    const bool packs = job->pack > 1 && job->elements >= PACKED_ROWS * job->pack &&
                       2 * job->pack * column->size > TH_REDUCE_PACKED;
    if (!job->rows || job->kept.count == 0 || packs || elements > most ||
        (job->direct && elements * column->in >= BLOCKED_BYTES))
        return;
    const THDim others = job->kept.dim[job->kept.count - 1];
    const int64_t together = BLOCKED_TILE / (elements * THDtype_size(job->reduction->compute));
    const bool oneByOne = !job->direct && job->reduced.count > 1; /* as rows are staged anyway */
    if (!oneByOne && THSize_min(others.size, together) * ROWS_A_BLOCK < job->elements)
        return;
    if (areResultsOn(job, &others))
        takeBlock(job);
}

/* A block of adjacent lines is staged with its neighbours, too, where it is short. */
static void takeBlocksOfLines(THReduceJob *job)
{
    THDim *column = &job->column;
    const int64_t itemSize = THDtype_size((THDtype)job->dtype);
    const int64_t line = job->elements * itemSize;
    const bool adjacent =
        column->in == line && job->reduced.count == 1 && job->reduced.dim[0].in == itemSize;
    if (job->rows || job->kept.count == 0 || !adjacent || line * column->size > BLOCKED_LINES ||
        !areResultsOn(job, &job->kept.dim[job->kept.count - 1]))
        return;
    takeBlock(job);
}

/* Is what is reduced to one result in pieces so short, far from each other, that it is faster to
 * read those of its neighbours with them? They are one row then, of columns that are folded after
 * some rows (10^7 float32 as 1000 x 100 x 100 summed over dims 0 and 2: 6.9 ms, so 2.0; 1000 x 100
 * x 10 427 us, so 180; Xeon of the fifth generation). */
static bool areFolded(const THReduceJob *job, const THDim *inner, const THDim *blocks,
                      int64_t bytes)
{
    const THReduction *reduction = job->reduction;
    const int64_t count = job->reduced.count, row = blocks->in * blocks->size;
    const bool isFree = reduction->anyOrder && !(job->loops->fold && reduction->dear) &&
                        !reduction->isDecided; /* by the first rows */
    if (!isFree || count < 2 || job->dtype != reduction->compute || blocks->size < FOLDED_BLOCKS ||
        row < FOLDED_ROW || job->elements < FOLDED_ROWS * inner->size)
        return false;
    for (int d = 0; d < count - 1; d++)
        if (job->reduced.dim[d].in < row)
            return false;
    return blocks->in == inner->in * inner->size && blocks->in <= bytes;
}

/* Columns of the next kept dim, or those alone, if pieces of them are adjacent. */
static void takeFolds(THReduceJob *job, const THDim *inner)
{
    const int64_t itemSize = THDtype_size((THDtype)job->dtype);
    THDim *column = &job->column;
    const THDim *others = job->kept.count > 0 ? &job->kept.dim[job->kept.count - 1] : NULL;
    job->folds = false;
    const int64_t bytes = job->end && itemSize == 8 ? FOLDED_WORDS : RUN_BYTES;
    if (inner->in == itemSize && areFolded(job, inner, column, bytes)) {
        job->block = 1;
        job->blocks = column->in;
    } else if (others && column->in == itemSize && inner->in == column->size * itemSize &&
               areFolded(job, inner, others, FOLDED_BYTES) && areResultsOn(job, others)) {
        takeBlock(job);
    } else {
        return;
    }
    job->folds = job->rows = job->direct = true;
    job->runs = job->stagedRuns = false;
    job->every = 1;
    job->pack = inner->size;
    const int64_t rows = job->elements / inner->size, each = TH_REDUCE_CHUNK / inner->size;
    const int64_t most = each > TH_REDUCE_ROWS ? each : TH_REDUCE_ROWS;
    const int64_t chunks =
        rows <= most ? 1 : 2 * ((rows - 1) / (2 * most) + 1); /* for two threads */
    job->chunk = inner->size * (((rows - 1) / chunks + 8) & ~(int64_t)7);
}

static void arrange(THReduceJob *job)
{
    const THReduction *reduction = job->reduction;
    const int64_t itemSize = THDtype_size((THDtype)job->dtype);
    THDimList *kept = &job->kept;
    job->column = (THDim){1, 0, {0}};
    if (kept->count)
        job->column = kept->dim[--kept->count];
    const THDim inner =
        job->reduced.count ? job->reduced.dim[job->reduced.count - 1] : (THDim){1, itemSize, {0}};
    const int64_t along = inner.in;
    takeFolds(job, &inner);
    if (job->folds)
        return;
    const bool windows = job->column.in == along && job->column.size > inner.size; /* a.unfold() */
    job->rows = job->elements == 1 ||
                (job->elements > 1 && job->column.size > 1 &&
                 (windows || (along != itemSize && THDim_isWithin(&job->column, &inner))));
    job->pack = job->rows ? packOf(job, &inner) : 1;
    job->rows = job->rows && !areStagedAsLines(job);
    job->direct =
        job->dtype == reduction->compute &&
        (job->rows ? job->column.in == itemSize : along == itemSize && job->reduced.count <= 1);
    job->direct = job->direct || job->elements == 0;
    job->block = job->blocks = 0;
    takeBlocks(job);
    takeBlocksOfLines(job);
    job->every = areEverySecond(job) ? 2 : 1;
    job->direct = job->direct || job->every > 1;
    job->runs = !job->direct && !job->rows && job->block == 0 && job->dtype == reduction->compute &&
                along == itemSize && areRuns(job, inner.size, itemSize);
    job->stagedRuns = !job->direct && !job->rows && !job->runs && job->reduced.count > 1 &&
                      areStagedRuns(job, inner.size);

    /* Few long chunks would be shared unevenly. */
    const bool isLong = THThreads_get() == 1 || job->elements * itemSize < 2 * EXACT_BYTES ||
                        job->elements >= LONG_CHUNKS * TH_REDUCE_LONG_CHUNK;
    job->chunk = reduction->exact && job->direct && !job->rows && isLong ? TH_REDUCE_LONG_CHUNK
                                                                         : TH_REDUCE_CHUNK;
    if (job->runs && job->elements >= MANY_RUNS &&
        inner.size <= TH_REDUCE_CHUNK) /* each of which is a line of a loop */
        job->chunk = THSize_min(RUNS_CHUNK / itemSize, RUNS_OF_CHUNK * inner.size);
    job->chunk -= job->chunk % job->pack;
}

/* Are elements read at the pace of the caches: those of long lines that lie in memory, or of rows
 * of at least a register and of more bytes than their results, which need no conversion, nor
 * rounding, nor, but for bytes, places? */
static bool isQuick(const THReduceJob *job)
{
    const THReduction *reduction = job->reduction;
    const int64_t size = THDtype_size((THDtype)job->dtype), line = job->elements * size;
    const bool rounds =
        !reduction->exact && THDtype_category(reduction->compute) == TH_CATEGORY_FLOATING;
    if (!job->direct || rounds || reduction->compute == TH_HALF)
        return false;
    if (!job->rows)
        return line >= QUICK_LINE;
    return job->column.size * size >= QUICK_ROW && line >= reduction->accSize &&
           (size == 1 || reduction->accSize <= (int)sizeof(double));
}

/* How much is worth sharing: small elements take as long as a word, but for quick ones (max over
 * dim 0 of 1000 x 100 int8: 10 us by two threads, by one 5; Xeon). */
static void weigh(THReduceJob *job, const THTensor *self)
{
    const int64_t size = THDtype_size((THDtype)job->dtype);
    const bool quick = isQuick(job), isFast = quick && job->reduction->exact && !job->rows;
    const int64_t counted = quick || size > TH_THREAD_WORD ? size : TH_THREAD_WORD;
    job->work = (isFast ? EXACT_BYTES : WORK_BYTES) / counted;
    job->isLittle =
        THTensor_nElement(self) * counted < 2 * (isFast ? EXACT_BYTES : TH_THREAD_BYTES);
}

static int64_t farWidth(int64_t itemSize, int64_t accSize)
{
    return THMachine_asksForWrites ? ROW_FAR_AWAITED / itemSize
                                   : THSize_min(ROW_FAR / itemSize, ROW_FAR_ACC / accSize);
}

/* Whole blocks whose rows are read in one go; as many tiles for each thread, or, where many rows
 * are shared, one. */
static int64_t foldedWidth(const THReduceJob *job, int64_t others)
{
    const int64_t threads = THThreads_get(), blocks = job->column.size / job->block;
    const int64_t row = job->pack * job->block, itemSize = THDtype_size((THDtype)job->dtype);
    const int64_t most = farWidth(itemSize, job->reduction->accSize) / row;
    const bool few = job->elements < SHARED_CHUNKS * threads * job->chunk;
    int64_t tiles = most > 0 ? (blocks + most - 1) / most : blocks;
    if (!job->isLittle && others < threads && (few || tiles > 1))
        tiles = (tiles + threads - 1) / threads * threads;
    return (blocks + tiles - 1) / tiles * job->block;
}

/* Do runs of far memory lie nearer to those of their own result than to those of others, which are
 * whole ways of the first cache apart, where few lines have room (mean over dims 1 and 2 of 62 x 62
 * of 4096 x 64 x 64 float32: 4.05 ms, so 1.95; EPYC 9005)? */
static bool areAlone(const THReduceJob *job)
{
    if (!job->runs || !job->end || job->reduced.count < 2 || job->column.in % WAY_BYTES != 0)
        return false;
    const THDim *outer = &job->reduced.dim[job->reduced.count - 2];
    return job->elements >= ALONE && job->column.in >= outer->size * outer->in;
}

/* Are they runs of far memory so long that each is read to its end (mean over dims 0, 2 and 3 of 16
 * x 3 x 512 x 512 float32: 1.49 ms, so 1.06; EPYC 9005)? */
static bool areLongRuns(const THReduceJob *job)
{
    if (!job->runs || !job->end)
        return false;
    const THDim *inner = &job->reduced.dim[job->reduced.count - 1];
    return inner->size >= LONG_RUN * job->chunk && job->column.in >= inner->size * inner->in;
}

/* Are elements so few and little that sums, which become results of their size, are most of what is
 * written and read? These stay in the first cache then (sum over dim 1 of 64 x 3 x 50176 float32:
 * 1.9 ms, so 1.4; of 2 of the 3 1.65, so .95; EPYC 9005). */
static bool areMostSums(const THReduceJob *job)
{
    const THReduction *reduction = job->reduction;
    const int64_t itemSize = THDtype_size((THDtype)job->dtype), accSize = reduction->accSize;
    return accSize > itemSize && job->elements * itemSize <= 2 * accSize &&
           THDtype_category(reduction->compute) == TH_CATEGORY_FLOATING && !reduction->exact &&
           THMachine_readsInTurn;
}

/* The columns of a tile. `others` is how many tiles of all columns there are. */
static int64_t tileWidth(const THReduceJob *job, int64_t others)
{
    const int64_t each = job->elements ? job->elements : 1;
    const int64_t size = job->column.size, itemSize = THDtype_size((THDtype)job->dtype);
    const int64_t accSize = job->reduction->accSize;
    if (job->folds)
        return foldedWidth(job, others);
    if (job->pack > 1)
        return size;
    /* Line after line, in the order of memory. */
    if (!job->rows && each > job->chunk && job->reduced.count == 1 &&
        job->column.in >= each * job->reduced.dim[0].in)
        return 1;
    if (areLongRuns(job) || areAlone(job))
        return 1;
    if (!job->rows && job->block > 0)
        return THSize_min(size, LINES_STAGED / each - LINES_STAGED / each % job->block);
    if (!job->rows && !job->runs) /* without a division, most of a small call */
        return size <= LINES && each <= TH_REDUCE_WORK / 2 && size * each <= TH_REDUCE_WORK / 2
                   ? size
                   : THSize_min(LINES, THSize_min(size, 1 + TH_REDUCE_WORK / 2 / each));
    const int64_t threads = THThreads_get();
    const bool staged = !job->runs && !job->direct;
    /* Whole rows of far memory, or a thread's share of them, are read sooner than pieces. */
    const bool far = job->end && THMachine_isLarge(job->end - job->data, TH_FAR_BYTES);
    const bool isLong = far && job->rows && !job->reduction->blocks;
    int64_t width = staged && far                ? COLUMNS
                    : staged                     ? COLUMNS_STAGED
                    : isLong && areMostSums(job) ? COLUMNS_OF_FEW
                    : isLong                     ? farWidth(itemSize, accSize)
                    : each < SHORT               ? SHORT_BYTES / accSize
                                                 : COLUMNS;
    width /= job->every;
    const bool isCut = job->runs || size * itemSize >= SHARED_ROW * threads;
    const int64_t few = isCut ? SHARED_CHUNKS * threads * job->chunk : 2 * TH_REDUCE_CHUNK;
    if (!job->isLittle && others < threads && each < few && size * each >= 2 * TH_REDUCE_WORK) {
        const bool calls = job->reduction->compute == TH_HALF && job->reduction->exact;
        const int64_t share = !job->rows ? SHARE_OF_RUNS : calls ? SHARE_OF_HALVES : SHARE;
        const int64_t turns = (size - 1) / (width * threads) + 1, tiles = turns * threads;
        width = THSize_min(width, ((size + tiles - 1) / tiles + share - 1) & -share);
    }
    if (job->block > 0) {
        width = THSize_min(width, BLOCKED_TILE / (each * THDtype_size(job->reduction->compute)));
        width = width < job->block ? job->block : width - width % job->block;
    }
    return THSize_min(width, size);
}

static void tiling(THReduceJob *job)
{
    const int64_t size = job->column.size;
    int64_t others = 1;
    for (int i = 0; i < job->kept.count; i++)
        others *= job->kept.dim[i].size;
    job->alone = job->column.size == 1 || areLongRuns(job) || areAlone(job);
    job->tileWidth = tileWidth(job, others);
    job->tilesPerRow = job->tileWidth == size ? 1 : (size + job->tileWidth - 1) / job->tileWidth;
    job->tiles = job->tilesPerRow * others;
}

void THReduceJob_plan(THReduceJob *job, THTensor *const *results, int nresults,
                      const THTensor *self, uint64_t mask, bool keepdim)
{
    geometry(job, results, nresults, self, mask, keepdim);
    arrange(job);
    weigh(job, self);
    tiling(job);
    job->sizes = THReduceJob_sizes(job);
}
