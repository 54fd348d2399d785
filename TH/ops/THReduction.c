/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions over any dims of any strides: tiles, threads, and small tensors, which need neither.
 * THReduction.h tells the order of the arithmetic.
 *
 * Tiles (THReducePlan.c) are shared among threads; where they are few, chunks are, and then
 * combined in order. */
#include <TH/THEngine.h>
#include <TH/THMachine.h>
#include <TH/THThreads.h>
#include <TH/ops/THReduceTile.h>
#include <string.h>

#define SMALL_WIDTH 32 /* results of a tensor that needs no tiles at most */

/* Where elements may decide: of a line, and rows, that are looked at first. */
#define LOOK 128
#define LOOK_ROWS 64

/* What a core has near it, about; asking ahead for that only takes time. */
#define NEAR_BYTES (1 << 20)
/* So many bytes have left the last cache as well if they lie apart within so many: with them come
 * parts of what is between them (sum of dim 2 of 100 of 64 x 512 x 300 float32: .58 ms, so .43;
 * EPYC 9005). */
#define APART_BYTES (8 << 20)
#define FAR_SPAN (32 << 20)

#define EVEN_TILES 8 /* of lines for each thread, of which one more does not count */

#define CHUNKS 8      /* of a line at once */
#define FINISHED 2048 /* results at once, a multiple of those that TH_REDUCE_PADDED adds to */

/* From tile to tile. */
typedef struct Walk {
    int64_t coordinates[TH_MAX_DIMS]; /* of the kept dims */
    int64_t offset;                   /* of these */
    int64_t column;
} Walk;

static void Walk_to(Walk *self, const THReduceJob *job, int64_t index)
{
    const int64_t row = job->tilesPerRow == 1 ? index : index / job->tilesPerRow;
    self->column = (index - row * job->tilesPerRow) * job->tileWidth;
    self->offset = THDimList_locate(&job->kept, row, self->coordinates);
}

static void Walk_on(Walk *self, const THReduceJob *job)
{
    self->column += job->tileWidth;
    if (self->column < job->column.size || job->kept.count == 0)
        return;
    const int last = job->kept.count - 1;
    self->column = 0;
    self->offset += job->kept.dim[last].in;
    if (++self->coordinates[last] == job->kept.dim[last].size)
        self->offset = THDimList_nextRun(&job->kept, self->coordinates);
}

static void tileAt(const THReduceJob *job, const Walk *walk, THReduceTile *tile)
{
    const int64_t column = walk->column;
    tile->target = job->target;
    tile->width = THSize_min(job->tileWidth, job->column.size - column);
    tile->behind = job->column.size - column - tile->width;
    tile->in = job->data + walk->offset +
               (job->block > 0 ? column / job->block * job->blocks : column * job->column.in);
    for (int r = 0; r < TH_REDUCE_RESULTS; r++) {
        tile->target.stride[r] = job->column.out[r];
        if (!tile->target.data[r])
            continue;
        tile->target.data[r] +=
            column * job->column.out[r] + THDimList_outOffset(&job->kept, r, walk->coordinates);
    }
}

/* Some results at a time, since what finishes them may pass over them several times. */
static void finishTile(const THReduceJob *job, const THReduceTile *tile,
                       const THReduceScratch *scratch)
{
    const THReduction *reduction = job->reduction;
    THReduceTarget target = tile->target;
    for (int64_t i = 0, n; i < tile->width; i += n) {
        n = THSize_min(tile->width - i, FINISHED);
        reduction->finish(reduction, n, job->elements, scratch->acc + i * reduction->accSize,
                          &target);
        for (int r = 0; r < TH_REDUCE_RESULTS && i + n < tile->width; r++)
            target.data[r] += target.data[r] ? n * target.stride[r] : 0;
    }
}

static bool isDecided(const THReduceJob *job, int64_t n, int64_t seen, const void *acc)
{
    const THReduction *reduction = job->reduction;
    return reduction->isDecided && reduction->isDecided(reduction, n, seen, acc);
}

/* Chunks of a line are lines of one call, which takes less time than one of each. */
static void passOverLine(const THReduceJob *job, const THReduceTile *tile, THReduceScratch *scratch)
{
    char *const acc = scratch->acc;
    const int64_t accSize = job->reduction->accSize, chunk = job->chunk;
    _Alignas(64) char parts[CHUNKS * TH_REDUCE_ACC_BYTES];
    for (int64_t first = 0, count; first < job->elements; first += count * chunk) {
        count = THSize_min(CHUNKS, (job->elements - first) / chunk);
        if (count > 1) {
            THReduceTile_chunks(job, tile, first, count, parts);
        } else {
            count = 1;
            THReduceTile_chunk(job, tile, first, chunk, scratch, parts);
        }
        if (first == 0)
            memcpy(acc, parts, (size_t)accSize);
        for (int64_t i = first == 0; i < count; i++)
            job->loops->combine(1, acc, parts + i * accSize, first + i * chunk);
    }
}

/* Returns how many elements of each line decided, after a first look at some. */
static int64_t passOverTile(const THReduceJob *job, const THReduceTile *tile, int64_t look,
                            THReduceScratch *scratch)
{
    const bool isLine = job->direct && !job->rows && tile->width == 1;
    if (isLine && job->elements >= 2 * job->chunk && !job->reduction->isDecided) {
        passOverLine(job, tile, scratch);
        return job->elements;
    }
    THReduceTile_chunk(job, tile, 0, look, scratch, scratch->acc);
    for (int64_t first = look; first < job->elements; first += job->chunk) {
        if (isDecided(job, tile->width, first, scratch->acc))
            return first;
        THReduceTile_chunk(job, tile, first, job->chunk, scratch, scratch->next);
        job->loops->combine(tile->width, scratch->acc, scratch->next, first);
    }
    return job->elements;
}

/* How many elements of each line are looked at first, since they may decide. */
static int64_t firstLook(const THReduceJob *job)
{
    const int64_t look = job->rows ? LOOK_ROWS - LOOK_ROWS % job->pack : LOOK;
    return job->reduction->isDecided && job->block == 0 && job->elements >= 4 * look ? look
                                                                                     : job->chunk;
}

/* ---- sharing ----------------------------------------------------------------------------- */

static void tileRange(int64_t begin, int64_t end, void *context)
{
    const THReduceJob *job = context;
    THReduceScratch scratch;
    THReduceScratch_init(&scratch, job, THScratch_take(&job->scratch));
    int64_t look = firstLook(job);
    Walk walk;
    Walk_to(&walk, job, job->done + begin);
    for (int64_t index = begin; index < end; index++, Walk_on(&walk, job)) {
        THReduceTile tile;
        tileAt(job, &walk, &tile);
        const int64_t seen = passOverTile(job, &tile, look, &scratch);
        if (seen > look) /* other tiles' first elements will hardly decide, either */
            look = job->chunk;
        finishTile(job, &tile, &scratch);
    }
    THScratch_give(scratch.taken);
}

/* Do the first elements decide a tile, before other threads are called? */
static bool areFirstEnough(const THReduceJob *job, const THReduceTile *tile,
                           THReduceScratch *scratch)
{
    const int64_t look = firstLook(job);
    if (look == job->chunk)
        return false;
    THReduceTile_chunk(job, tile, 0, look, scratch, scratch->acc);
    return isDecided(job, tile->width, look, scratch->acc);
}

/* Is the first tile decided by its first elements? Then it is finished. */
static bool finishFirstTile(const THReduceJob *job)
{
    void *const taken = THScratch_take(&job->scratch);
    THReduceScratch scratch;
    THReduceTile tile;
    Walk walk;
    THReduceScratch_init(&scratch, job, taken);
    Walk_to(&walk, job, 0);
    tileAt(job, &walk, &tile);
    const bool decided = areFirstEnough(job, &tile, &scratch);
    if (decided)
        finishTile(job, &tile, &scratch);
    THScratch_give(taken);
    return decided;
}

/* How many tiles are worth a thread's while, if so many elements of each are reduced. */
static int64_t tileGrain(const THReduceJob *job, int64_t elements)
{
    return job->isLittle ? job->tiles : 1 + job->work / (1 + elements * job->tileWidth);
}

static int shareTiles(THReduceJob *job)
{
    const int64_t look = firstLook(job);
    int64_t grain = tileGrain(job, job->elements);
    const int status = THScratch_open(&job->scratch, job->tiles, grain, job->sizes.beyond);
    job->done = 0;
    if (status == TH_OK) {
        if (look < job->chunk && grain < job->tiles && THThreads_get() > 1 &&
            finishFirstTile(job)) {
            job->done = 1;
            grain = tileGrain(job, look); /* others will hardly take more, either */
        }
        TH_parallel_items(job->tiles - job->done, grain, tileRange, job);
    }
    THScratch_close(&job->scratch);
    return status;
}

typedef struct Chunks {
    const THReduceJob *job;
    THReduceTile tile;
    char *parts;   /* accumulators of every chunk */
    int64_t bytes; /* of those of one */
} Chunks;

static void chunkRange(int64_t begin, int64_t end, void *context)
{
    const Chunks *chunks = context;
    const THReduceJob *job = chunks->job;
    THReduceScratch scratch;
    THReduceScratch_init(&scratch, job, THScratch_take(&job->scratch));
    for (int64_t i = begin; i < end; i++) {
        char *part = chunks->parts + i * chunks->bytes;
        THReduceTile_chunk(job, &chunks->tile, i * job->chunk, job->chunk, &scratch, part);
        const int64_t seen = THSize_min(job->chunk, job->elements - i * job->chunk);
        if (!isDecided(job, chunks->tile.width, seen, part))
            continue;
        memset(part + chunks->bytes, 0, (size_t)((end - i - 1) * chunks->bytes));
        break;
    }
    THScratch_give(scratch.taken);
}

/* How many chunks are worth a thread's while. */
static int64_t worthOf(const THReduceJob *job, int64_t width)
{
    const int64_t worth = job->work / (job->chunk * width);
    return worth > 0 ? worth : 1;
}

/* How many of `count` a thread takes at once: all that are its own where they are near, else half
 * of what is worth it, so that each has about the part that it wrote before. */
static int64_t chunkGrain(const THReduceJob *job, int64_t count, int64_t width)
{
    const int64_t worth = worthOf(job, width), threads = THThreads_get();
    const int64_t own = (count + threads - 1) / threads;
    if (count <= worth)
        return count;
    return job->far || own < worth ? 1 + worth / 2 : own;
}

static void passOverChunks(Chunks *chunks, int64_t count, THReduceScratch *scratch)
{
    const THReduceJob *job = chunks->job;
    const int64_t width = chunks->tile.width, chunk = job->chunk;
    TH_parallel_for(count, chunkGrain(job, count, width), chunkRange, chunks);
    memcpy(scratch->acc, chunks->parts, (size_t)(width * job->reduction->accSize));
    for (int64_t i = 1; i < count; i++)
        job->loops->combine(width, scratch->acc, chunks->parts + i * chunks->bytes, i * chunk);
}

/* Few tiles of many elements: tile after tile, the chunks of each in parallel. */
static int shareChunks(THReduceJob *job)
{
    const int64_t count = (job->elements + job->chunk - 1) / job->chunk;
    const int64_t bytes = job->sizes.beyond;
    Chunks chunks = {.job = job,
                     .bytes = THReduce_round64(job->tileWidth * job->reduction->accSize)};
    THReduceScratch scratch;
    Walk walk;
    int status = TH_OK;
    chunks.parts = THAlloc((size_t)(count * chunks.bytes + bytes));
    if (chunks.parts == NULL)
        return TH_ERROR_MEMORY;
    TH_TRY(THScratch_open(&job->scratch, count, chunkGrain(job, count, job->tileWidth), bytes));
    THReduceScratch_init(&scratch, job, bytes > 0 ? chunks.parts + count * chunks.bytes : NULL);
    Walk_to(&walk, job, 0);
    for (int64_t index = 0; index < job->tiles; index++, Walk_on(&walk, job)) {
        tileAt(job, &walk, &chunks.tile);
        if (!areFirstEnough(job, &chunks.tile, &scratch))
            passOverChunks(&chunks, count, &scratch);
        finishTile(job, &chunks.tile, &scratch);
    }
done:
    THScratch_close(&job->scratch);
    THFree(chunks.parts);
    return status;
}

/* Tiles of less than two threads' chunks are shared whole; so are all but few lines that are not as
 * many for each. */
static int share(THReduceJob *job)
{
    const int64_t least = 2 * worthOf(job, job->tileWidth) * job->chunk;
    const int64_t threads = THThreads_get(), most = job->rows ? threads : EVEN_TILES * threads;
    const bool few =
        !job->isLittle && job->elements >= least && job->tiles < most && job->tiles % threads != 0;
    return few ? shareChunks(job) : shareTiles(job);
}

/* ---- entry ------------------------------------------------------------------------------- */

static uint64_t everyDim(const THTensor *self)
{
    return self->nDimension ? ~UINT64_C(0) >> (64 - self->nDimension) : 0;
}

static int checkIdentity(const char *op, const THTensor *self, uint64_t mask)
{
    for (int d = 0; d < self->nDimension; d++)
        TH_CHECK(!(mask >> d & 1) || self->size[d] > 0, TH_ERROR_INDEX,
                 "%s: cannot reduce over dim %d of size 0, which has no identity", op, d);
    return TH_OK;
}

/* The dims of results, with the operand's strides: how many. */
static int keepDims(const THTensor *self, uint64_t mask, bool keepdim, int64_t *size,
                    int64_t *stride)
{
    int n = 0;
    for (int d = 0; d < self->nDimension; d++) {
        const bool reduce = mask >> d & 1;
        if (reduce && !keepdim)
            continue;
        size[n] = reduce ? 1 : self->size[d];
        stride[n++] = self->stride[d];
    }
    return n;
}

/* New results lie in memory in the order of the operand's kept dims. */
static int resizeResults(const char *op, THTensor *const *results, int nresults,
                         const THTensor *self, uint64_t mask, bool keepdim)
{
    int64_t size[TH_MAX_DIMS], stride[TH_MAX_DIMS];
    const int n = keepDims(self, mask, keepdim, size, stride);
    const THTensor kept = {.size = size, .stride = stride, .nDimension = n};
    for (int r = 0; r < nresults; r++) {
        const int status = results[r] ? THTensor_resizeOutputAs(op, results[r], &kept) : TH_OK;
        if (status != TH_OK)
            return status;
    }
    return TH_OK;
}

static bool isEmpty(const THTensor *self, uint64_t mask)
{
    for (int d = 0; d < self->nDimension; d++)
        if (mask >> d & 1 && self->size[d] == 0)
            return true;
    return false;
}

/* A small contiguous tensor whose reduced dims are all behind the kept ones, or all in front. */
typedef struct Small {
    int64_t width; /* results; 0: it is none */
    bool rows;
    _Alignas(64) char lanes[TH_REDUCE_COLUMN_LANES * sizeof(double) * SMALL_WIDTH];
    _Alignas(64) char acc[TH_REDUCE_ACC_BYTES * SMALL_WIDTH];
} Small;

static void Small_init(Small *small, const THReduceJob *job, THTensor *const *results, int nresults,
                       const THTensor *self, uint64_t mask)
{
    int64_t width = 1;
    int turns = 0, last = -1;
    const bool whole = mask == everyDim(self); /* the same without a look at dims */
    for (int d = whole ? -1 : self->nDimension - 1; d >= 0; d--) {
        const int reduce = mask >> d & 1;
        if (self->size[d] == 1)
            continue;
        turns += reduce != last;
        last = reduce;
        width *= reduce ? 1 : self->size[d];
    }
    small->rows = last == 1 && width > 1 && job->elements > 0;
    bool fits = turns <= 2 && width <= SMALL_WIDTH && job->elements <= TH_REDUCE_CHUNK &&
                width * job->elements <= TH_REDUCE_CHUNK &&
                (!small->rows || job->elements <= TH_REDUCE_ROWS) && THTensor_isContiguous(self);
    for (int r = 0; fits && !whole && r < nresults; r++)
        fits = results[r] == NULL || THTensor_isContiguous(results[r]);
    small->width = fits ? width : 0;
}

/* `data` has the loops' dtype. */
static void passOverSmall(const THReduceJob *job, Small *small, const char *data)
{
    const THReduction *reduction = job->reduction;
    const THReduceTerm term = {.p = reduction->p};
    const int64_t n = job->elements, width = small->width;
    const int64_t itemSize = THDtype_size(reduction->compute);
    const THReduceLoops *loops = width * n <= TH_ISA_FEW ? reduction->loopsOfFew : reduction->loops;
    const void *rows[TH_REDUCE_ROWS];
    if (!small->rows) {
        loops->lines(width, n, data, n * itemSize, small->acc, &term);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        rows[i] = data + i * width * itemSize;
    loops->rows(n, width, rows, 0, loops->fold ? small->lanes : small->acc, &term);
    if (loops->fold)
        loops->fold(n, width, small->lanes, small->acc);
}

/* Alone, for its room on the stack. */
TH_ONCE void passOverConverted(const THReduceJob *job, Small *small)
{
    const THDtype compute = job->reduction->compute, dtype = (THDtype)job->dtype;
    _Alignas(64) char converted[TH_REDUCE_CHUNK * sizeof(double)];
    THCast(small->width * job->elements, converted, compute, THDtype_size(compute), job->data,
           dtype, THDtype_size(dtype));
    passOverSmall(job, small, converted);
}

static void reduceSmall(THReduceJob *job, Small *small)
{
    const THReduction *reduction = job->reduction;
    if (job->dtype == reduction->compute)
        passOverSmall(job, small, job->data);
    else
        passOverConverted(job, small);
    for (int r = 0; r < TH_REDUCE_RESULTS; r++)
        job->target.stride[r] = THDtype_size((THDtype)job->target.dtype[r]);
    reduction->finish(reduction, small->width, job->elements, small->acc, &job->target);
}

/* Nothing to reduce but dims of size 1: what is left is a copy, and indices that are 0. */
static int keepElements(const THReduction *reduction, THTensor *const *results, int nresults,
                        const THTensor *self, uint64_t mask, bool keepdim)
{
    int64_t size[TH_MAX_DIMS], stride[TH_MAX_DIMS];
    const int n = keepDims(self, mask, keepdim, size, stride);
    int status = TH_OK;
    THTensor *kept = NULL;
    TH_TRY(THTensor_newWithStorage(&kept, (THDtype)self->dtype, self->storage, self->storageOffset,
                                   n, size, stride));
    for (int r = 0; r < nresults; r++) {
        if (results[r])
            TH_TRY(reduction->itself >> r & 1 ? THTensor_copy(results[r], kept)
                                              : THTensor_zero(results[r]));
    }
done:
    THTensor_free(kept);
    return status;
}

/* Machines that do registers of 512 bits in halves read far memory faster by half registers (max of
 * lines of 316 int64, 80 MB: 4.1 ms, so 3.2; EPYC 9004), and convert floats so. Sums have loops
 * that do so themselves. */
static bool takesHalfRegisters(const THReduction *reduction, bool farLines)
{
    const bool rounds =
        !reduction->exact && THDtype_category(reduction->compute) == TH_CATEGORY_FLOATING;
    const bool sums = rounds && reduction->accSize == (int)sizeof(double);
    return THMachine_halvesRegisters && !sums && (farLines || rounds);
}

static int64_t bytesOf(const THTensor *self)
{
    return THTensor_nElement(self) * THTensor_itemSize(self);
}

/* Behind the last element of far memory, or NULL. */
static const char *endOfFar(const THTensor *self, int64_t bytes)
{
    const bool isFar = THMachine_isLarge(bytes, TH_FAR_BYTES);
    if (!isFar && !THMachine_isLarge(bytes, APART_BYTES))
        return NULL;
    int64_t span = 0;
    for (int d = 0; d < self->nDimension; d++)
        if (self->stride[d] > 0)
            span += (self->size[d] - 1) * self->stride[d] * THTensor_itemSize(self);
    return isFar || THMachine_isLarge(span, FAR_SPAN) ? (const char *)THTensor_data(self) + span
                                                      : NULL;
}

static int64_t elementsOf(const THTensor *self, uint64_t mask)
{
    int64_t elements = isEmpty(self, mask) ? 0 : 1;
    for (int d = 0; d < self->nDimension && elements; d++)
        elements *= mask >> d & 1 ? self->size[d] : 1;
    return elements;
}

/* What is known before dims are arranged. */
static void initJob(THReduceJob *job, const THReduction *reduction, THTensor *const *results,
                    int nresults, const THTensor *self, uint64_t mask)
{
    /* Masked loads of nothing take long where no memory is. */
    static const double nothing[8];
    const int64_t bytes = bytesOf(self);
    job->reduction = reduction;
    job->loops = reduction->loops;
    job->dtype = self->dtype;
    job->far = THMachine_isLarge(bytes, NEAR_BYTES);
    job->kept.count = job->reduced.count = 0;
    job->elements = elementsOf(self, mask);
    job->data = job->elements ? THTensor_data(self) : (const char *)nothing;
    job->end = endOfFar(self, bytes);
    for (int r = 0; r < TH_REDUCE_RESULTS; r++) {
        THTensor *result = r < nresults ? results[r] : NULL;
        job->target.data[r] = result ? THTensor_data(result) : NULL;
        job->target.stride[r] = 0;
        job->target.dtype[r] = result ? result->dtype : 0;
    }
}

int THReduction_run(const THReduction *reduction, THTensor *const *results, int nresults,
                    THTensor *self, uint64_t dim, bool keepdim, bool identity)
{
    const uint64_t every = everyDim(self);
    const uint64_t mask = dim & every ? dim & every : every;
    int status = identity ? TH_OK : checkIdentity(reduction->op, self, mask);
    if (status == TH_OK)
        status = resizeResults(reduction->op, results, nresults, self, mask, keepdim);
    if (status != TH_OK || isEmpty(self, every & ~mask))
        return status;

    THReduceJob job; /* large: no initialiser */
    Small small;
    initJob(&job, reduction, results, nresults, self, mask);
    Small_init(&small, &job, results, nresults, self, mask);
    if (small.width > 0) {
        reduceSmall(&job, &small);
        return TH_OK;
    }
    if (job.elements == 1 && reduction->itself)
        return keepElements(reduction, results, nresults, self, mask, keepdim);
    THReduceJob_plan(&job, results, nresults, self, mask, keepdim);
    if (takesHalfRegisters(reduction, !job.rows && THMachine_isLarge(bytesOf(self), TH_FAR_BYTES)))
        job.loops = reduction->loopsOfFew;
    return share(&job);
}
