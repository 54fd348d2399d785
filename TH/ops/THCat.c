/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cat and stack: several tensors one after the other along a dim. */
#include <TH/THEngine.h>
#include <TH/THMachine.h>
#include <TH/THShape.h>
#include <TH/THWrapper.h>
#include <TH/engine/THMove.h>

#include <inttypes.h>
#include <string.h>

#define PIECES_BYTES 131072 /* of the result, of which threads get parts */
/* Shorter pieces of so many rows go tensor by tensor, through so many bytes of rows at a time. */
#define SHORT_PIECE 2048
#define MANY_ROWS 16
#define ROWS_BYTES 16384
#define ROWS_LEAST 8     /* fewer are not worth a call: each piece is copied by itself, */
#define INLINE_BYTES 128 /* without one up to so many bytes */
/* Results from so many bytes on are far from the processor: so much of them is put together while
 * what lies ahead is asked for, since each tensor would be found anew for each part. */
#define FAR_BYTES (2 << 20)
#define FAR_ROWS_BYTES 4096
#define SHORT_ROW 256
/* Rows up to so long go past the caches, two of them at least at a time (30000 rows of 120 float64:
 * 9.2 ms one by one, two 5.7; EPYC 9004): from a sixth of the bytes on from which whole results do,
 * since each line would be read for a part of each tensor (50000 rows of 12 float64, 9.6 MB: 0.94
 * ms, so 0.58). */
#define STREAMED_ROW (TH_STRIP_MOST / 2)
#define STREAMED_SHARE 6
/* Single elements of so many tensors go through tiles of so many rows and bytes of each (1000
 * float32 of 1000: 4.2 ms tensor by tensor, so 0.8; Xeon), unless rows of one line are streamed. */
#define TILED_TENSORS 6
#define TILE_ROWS 64
#define TILE_BYTES 256

/* PyTorch's rule of old: such a tensor takes part in cat whatever the others' shapes are. */
static bool isSkipped(const THTensor *tensor)
{
    return tensor->nDimension == 1 && tensor->size[0] == 0;
}

/* Checks the list and finds the shape of the result; *dim is wrapped. */
static int catShape(THTensor *const *tensors, int ntensors, int64_t *dim, THShape *shape)
{
    const THTensor *model = NULL;
    int status = TH_OK;
    TH_CHECK(ntensors > 0, TH_ERROR_VALUE, "cat: expected at least one tensor");
    for (int i = 0; i < ntensors; i++) {
        if ((status = THCheck_tensor("cat", "tensors", tensors[i])))
            return status;
        TH_CHECK(tensors[i]->nDimension > 0, TH_ERROR_VALUE,
                 "cat: expected tensors with dims, got a 0-d one at position %d", i);
        if (!model && !isSkipped(tensors[i]))
            model = tensors[i];
    }
    model = model ? model : tensors[0];
    if ((status = THCheck_dim("cat", "dim", model, 0, dim)))
        return status;
    shape->nDimension = model->nDimension;
    memcpy(shape->size, model->size, (size_t)model->nDimension * sizeof(int64_t));
    shape->size[*dim] = 0;
    for (int i = 0; i < ntensors; i++) {
        const THTensor *tensor = tensors[i];
        if (isSkipped(tensor))
            continue;
        bool fits = tensor->nDimension == shape->nDimension;
        for (int d = 0; fits && d < shape->nDimension; d++)
            fits = d == *dim || tensor->size[d] == shape->size[d];
        TH_CHECK(fits, TH_ERROR_VALUE,
                 "cat: expected shapes that agree but for dim %" PRId64 ", got %s and %s", *dim,
                 THTensor_sizeDesc(model).str, THTensor_sizeDesc(tensor).str);
        TH_CHECK(THSize_add(shape->size[*dim], tensor->size[*dim], &shape->size[*dim]),
                 TH_ERROR_VALUE, "cat: the result is too large");
    }
    return TH_OK;
}

/* Tensors of one dtype: the result is rows, each a piece of every tensor. */
typedef struct Pieces {
    THTensor *const *tensors;
    char *result;
    int64_t *start;  /* per tensor, and the end: bytes within a row */
    int64_t *stride; /* per tensor: bytes from piece to piece */
    const char **from;
    int64_t ntensors, rows;
    int64_t itemSize;
    bool streamed, far;
} Pieces;

/* A call would take longer than to copy a few bytes; `from` may be NULL where there are none. */
static inline void copyPiece(char *to, const char *from, size_t bytes)
{
    if (bytes == 0)
        return;
    if (bytes > INLINE_BYTES || bytes < 8) {
        THMove_run(to, from, (int64_t)bytes);
    } else if (bytes < 16) {
        memcpy(to, from, 8);
        memcpy(to + bytes - 8, from + bytes - 8, 8);
    } else {
        for (size_t i = 0; i + 16 < bytes; i += 16)
            memcpy(to + i, from + i, 16);
        memcpy(to + bytes - 16, from + bytes - 16, 16);
    }
}

static void copyPieces(int64_t begin, int64_t end, void *context)
{
    const Pieces *pieces = context;
    const int64_t n = pieces->ntensors, *const start = pieces->start;
    int64_t r = begin < n ? 0 : begin / n;
    int64_t t = begin - r * n;
    for (int64_t left = end - begin; left > 0; r++, t = 0) {
        const int64_t stop = THSize_min(n, t + left);
        char *const to = pieces->result + r * start[n];
        left -= stop - t;
        for (; t < stop; t++)
            copyPiece(to + start[t], pieces->from[t] + r * pieces->stride[t],
                      (size_t)(start[t + 1] - start[t]));
    }
}

/* Parts of the result, which is written from its first byte to its last: tensor by tensor its
 * memory took twice as long (two of 1000 x 1000 float64 along dim 1: 1.3 ms, so .62; EPYC 9004). */
static void copyParts(int64_t begin, int64_t end, void *context)
{
    const Pieces *pieces = context;
    const int64_t n = pieces->ntensors, *const start = pieces->start, row = start[n];
    const THMoves *const moves = THMove_farMoves();
    const int64_t stop = THSize_min(end * PIECES_BYTES, pieces->rows * row);
    int64_t at = begin * PIECES_BYTES, r = at / row, in = at % row, t = 0;
    while (at < stop) {
        while (start[t + 1] <= in)
            t++;
        const int64_t bytes = THSize_min(start[t + 1] - in, stop - at);
        const char *const from = pieces->from[t] + r * pieces->stride[t] + (in - start[t]);
        if (pieces->streamed)
            moves->stream(pieces->result + at, 0, from, 0, 1, bytes);
        else
            THMove_run(pieces->result + at, from, bytes);
        at += bytes;
        in += bytes;
        if (in == row) {
            in = t = 0;
            r++;
        }
    }
    if (pieces->streamed)
        THMove_fence();
}

/* The pieces of tensor t from row r on, to rows that begin at `to`. */
static void copyColumn(const Pieces *pieces, int64_t t, int64_t r, int64_t rows, char *to)
{
    const int64_t item = pieces->itemSize, row = pieces->start[pieces->ntensors];
    const int64_t bytes = pieces->start[t + 1] - pieces->start[t], stride = pieces->stride[t];
    const char *from = pieces->from[t] + r * stride;
    _Alignas(64) char buffer[ROWS_BYTES];

    if (stride != bytes && rows > 1) {
        THMove_gather(item, buffer, from, rows, stride, bytes / item, item);
        from = buffer;
    }
    THMove_scatter(item, to + pieces->start[t], from, rows, row, bytes / item, item);
}

/* Some rows, tensor by tensor. */
static void copyColumns(const Pieces *pieces, int64_t r, int64_t rows, char *to)
{
    for (int64_t t = 0; t < pieces->ntensors; t++)
        if (pieces->start[t + 1] != pieces->start[t])
            copyColumn(pieces, t, r, rows, to);
}

/* Asks for what is read soon after some rows. */
static void askForColumns(const Pieces *pieces, int64_t r, int64_t rows)
{
    if (THMachine_readAhead == 0)
        return;
    for (int64_t t = 0; t < pieces->ntensors; t++)
        THMove_prefetch(pieces->from[t] + r * pieces->stride[t] + TH_STREAM_AHEAD / 2,
                        rows * pieces->stride[t], false);
}

/* So few rows at a time that they are streamed while the next ones are put together. */
static void streamColumns(const Pieces *pieces, int64_t begin, int64_t end)
{
    _Alignas(TH_LINE_BYTES) char strip[TH_STRIP_MOST];
    const int64_t row = pieces->start[pieces->ntensors];
    const int64_t most = THMove_stripRows(row);
    for (int64_t r = begin; r < end; r += most) {
        const int64_t rows = THSize_min(end - r, most);
        askForColumns(pieces, r, rows);
        copyColumns(pieces, r, rows, strip);
        THMove_moves()->stream(pieces->result + r * row, 0, strip, 0, 1, rows * row);
    }
    THMove_fence();
}

/* Where pieces are short: tensor by tensor, in as many rows as stay in the cache meanwhile. */
static void copyRows(int64_t begin, int64_t end, void *context)
{
    const Pieces *pieces = context;
    const int64_t row = pieces->start[pieces->ntensors];
    const int64_t part = pieces->far ? FAR_ROWS_BYTES : ROWS_BYTES;
    const int64_t most = row < part ? part / row : 1;
    if (pieces->streamed) {
        streamColumns(pieces, begin, end);
        return;
    }
    for (int64_t r = begin, rows; r < end; r += rows) {
        rows = end - r < most ? end - r : most;
        if (pieces->far)
            askForColumns(pieces, r, rows);
        copyColumns(pieces, r, rows, pieces->result + r * row);
    }
}

/* Tiles of single elements of many tensors: those of some tensors side by side, then transposed. */
static void copyTiles(int64_t begin, int64_t end, void *context)
{
    const Pieces *pieces = context;
    const int64_t n = pieces->ntensors, item = pieces->itemSize, row = n * item;
    const int64_t most = TILE_BYTES / item, groups = (n - 1) / most + 1;
    _Alignas(TH_LINE_BYTES) char tile[TILE_BYTES * TILE_ROWS];
    for (int64_t i = begin; i < end; i++) {
        const int64_t r = i / groups * TILE_ROWS, first = i % groups * most;
        const int64_t rows = THSize_min(pieces->rows - r, TILE_ROWS);
        const int64_t tensors = THSize_min(n - first, most);
        for (int64_t t = 0; t < tensors; t++)
            memcpy(tile + t * TILE_ROWS * item, pieces->from[first + t] + r * item,
                   (size_t)(rows * item));
        THMove_transpose(item, pieces->result + r * row + first * item, row, tile, TILE_ROWS * item,
                         rows, tensors, 0, 0);
    }
}

/* Whether each piece is one element, each tensor a run of them, and both are many. */
static bool areTiled(const Pieces *pieces)
{
    if (pieces->rows < MANY_ROWS || pieces->ntensors < TILED_TENSORS)
        return false;
    for (int64_t t = 0; t < pieces->ntensors; t++)
        if (pieces->stride[t] != pieces->itemSize ||
            pieces->start[t + 1] - pieces->start[t] != pieces->itemSize)
            return false;
    return true;
}

/* Elements from piece to piece; -1 where a tensor does not consist of runs at one distance. */
static int64_t pieceStride(const THTensor *tensor, int64_t dim)
{
    int64_t run = 1, step = -1, next = 0;
    for (int d = tensor->nDimension - 1; d >= 0; d--) {
        const int64_t size = tensor->size[d], stride = tensor->stride[d];
        if (size == 1)
            continue;
        if (d >= dim ? stride != run : step >= 0 && stride != next)
            return -1;
        if (d >= dim) {
            run *= size;
        } else {
            step = step >= 0 ? step : stride;
            next = stride * size;
        }
    }
    return step >= 0 ? step : run;
}

/* Finds where pieces begin and how far they are from each other; false where they are not runs. */
static bool findPieces(Pieces *pieces, const THTensor *result, int64_t dim, int64_t inner)
{
    pieces->start[0] = 0;
    for (int64_t i = 0; i < pieces->ntensors; i++) {
        const THTensor *tensor = pieces->tensors[i];
        const int64_t bytes = isSkipped(tensor) ? 0 : tensor->size[dim] * inner;
        const int64_t stride = bytes ? pieceStride(tensor, dim) : 0;
        if (bytes && (tensor->dtype != result->dtype || stride < 0))
            return false;
        pieces->start[i + 1] = pieces->start[i] + bytes;
        pieces->stride[i] = stride * pieces->itemSize;
        pieces->from[i] = THTensor_data(tensor);
    }
    return true;
}

/* Are pieces at most so many bytes apart? What lies ahead is asked for as one stream then. */
static bool areClose(const Pieces *pieces, int64_t most)
{
    for (int64_t t = 0; t < pieces->ntensors; t++)
        if (pieces->stride[t] < 0 || pieces->stride[t] > most)
            return false;
    return true;
}

/* Whether rows so short go past the caches: far more than these hold, close to each other. */
static bool isStreamed(const Pieces *pieces, int64_t row)
{
    return row <= STREAMED_ROW && pieces->rows >= THMachine_streamFrom / STREAMED_SHARE / row &&
           areClose(pieces, STREAMED_ROW);
}

/* Some bytes at least, by the way that suits the lengths of pieces and rows. */
static void copyAll(Pieces *pieces)
{
    const int64_t row = pieces->start[pieces->ntensors], rows = pieces->rows;
    const int64_t mean = row / pieces->ntensors + 1;
    if (rows == 1 && row <= PIECES_BYTES) {
        copyPieces(0, pieces->ntensors, pieces);
    } else if (mean > SHORT_PIECE) {
        pieces->streamed = rows * row >= THMachine_streamFrom / 2;
        TH_parallel_for((rows * row - 1) / PIECES_BYTES + 1, 1, copyParts, pieces);
    } else if (areTiled(pieces) && (row > TH_LINE_BYTES || !isStreamed(pieces, row))) {
        const int64_t groups = (row - 1) / TILE_BYTES + 1;
        TH_parallel_for(((rows - 1) / TILE_ROWS + 1) * groups,
                        PIECES_BYTES / (TILE_ROWS * TILE_BYTES), copyTiles, pieces);
    } else if (rows >= MANY_ROWS && row <= ROWS_BYTES / ROWS_LEAST) {
        pieces->far = row <= SHORT_ROW && rows * row >= FAR_BYTES && areClose(pieces, SHORT_ROW);
        pieces->streamed = isStreamed(pieces, row);
        const int64_t lines = THMove_rowsOfLines(row); /* with which threads begin */
        TH_parallel_for(rows, (PIECES_BYTES / row / lines + 1) * lines, copyRows, pieces);
    } else {
        TH_parallel_for(rows * pieces->ntensors, PIECES_BYTES / mean + 1, copyPieces, pieces);
    }
}

/* Whether the tensors were copied, by pieces; not where they are none. */
static int catPieces(THTensor *result, THTensor *const *tensors, int ntensors, int64_t dim,
                     bool *done)
{
    const int64_t item = THTensor_itemSize(result);
    int64_t inner = item, rows = 1;
    const size_t places = (size_t)ntensors * 2 + 1;
    int64_t *room = THAlloc(places * sizeof(int64_t) + (size_t)ntensors * sizeof(char *));
    if (!room)
        return TH_ERROR_MEMORY;
    Pieces pieces = {.tensors = tensors,
                     .result = THTensor_data(result),
                     .start = room,
                     .stride = room + ntensors + 1,
                     .from = (const char **)(void *)(room + places),
                     .ntensors = ntensors,
                     .itemSize = item};
    for (int d = 0; d < result->nDimension; d++) {
        if (d < dim)
            rows *= result->size[d];
        else if (d > dim)
            inner *= result->size[d];
    }
    pieces.rows = rows;
    *done = findPieces(&pieces, result, dim, inner);
    if (*done)
        copyAll(&pieces);
    THFree(room);
    return TH_OK;
}

/* The first tensor that takes part, if all that do have their dims in memory in its order. */
static const THTensor *modelOf(THTensor *const *tensors, int ntensors)
{
    int64_t order[TH_MAX_DIMS];
    const THTensor *model = NULL;
    for (int i = 0; i < ntensors; i++) {
        const THTensor *tensor = tensors[i];
        if (isSkipped(tensor))
            continue;
        if (model == NULL) {
            model = tensor;
            THTensor_sortDims(model, order);
        }
        int64_t outer = INT64_MAX;
        for (int d = 0; d < tensor->nDimension; d++) {
            const int64_t stride = tensor->stride[order[d]];
            if (tensor->size[order[d]] == 1)
                continue;
            if (stride > outer || stride <= 0)
                return NULL;
            outer = stride;
        }
    }
    return model;
}

/* A new result lies in memory as the tensors do, if they agree. */
static int resizeResult(THTensor *result, THTensor *const *tensors, int ntensors,
                        const THShape *shape)
{
    const bool plain = THTensor_isContiguous(tensors[0]);
    const THTensor *model = plain ? NULL : modelOf(tensors, ntensors);
    return model ? THTensor_resizeOutputBy("cat", result, shape->size, model)
                 : THTensor_resizeOutput("cat", result, shape->nDimension, shape->size);
}

/* catPieces of a result whose dims are in another order, but without gaps. */
static int catTurned(THTensor *result, THTensor *const *tensors, int ntensors, int64_t dim,
                     bool *done)
{
    const int ndim = result->nDimension;
    const int64_t same = 0;
    int64_t dims[TH_MAX_DIMS], at = 0;
    int status = TH_OK, n = 0;
    THTensor *turned = NULL, **views = NULL;
    THTensor_sortDims(result, dims);
    while (dims[at] != dim)
        at++;
    TH_TRY(THTensor_newPermute(&turned, result, dims, ndim));
    if (!THTensor_isContiguous(turned))
        goto done;
    views = THAlloc((size_t)ntensors * sizeof *views);
    TH_REQUIRE(views, TH_ERROR_MEMORY, "cat: out of memory");
    for (; n < ntensors; n++) {
        const bool skipped = isSkipped(tensors[n]);
        TH_TRY(
            THTensor_newPermute(&views[n], tensors[n], skipped ? &same : dims, skipped ? 1 : ndim));
    }
    TH_TRY(catPieces(turned, views, ntensors, at, done));
done:
    while (n > 0)
        THTensor_free(views[--n]);
    THFree(views);
    THTensor_free(turned);
    return status;
}

static int catViews(THTensor *result, THTensor *const *tensors, int ntensors, int64_t dim)
{
    int64_t start = 0;
    for (int i = 0; i < ntensors; i++) {
        if (isSkipped(tensors[i]))
            continue;
        THTensor *view = NULL;
        int status = THTensor_newNarrow(&view, result, dim, start, tensors[i]->size[dim]);
        if (status == TH_OK)
            status = THTensor_copy(view, tensors[i]);
        THTensor_free(view);
        if (status)
            return status;
        start += tensors[i]->size[dim];
    }
    return TH_OK;
}

/* Announces work on the result and all tensors, if it may be much; `touched` is to be freed. */
static int beginCat(THWork *work, THTensor ***touched, THTensor *result, THTensor *const *tensors,
                    int ntensors)
{
    const int64_t steps = THTensor_nElement(result);
    if (THWork_hooks == NULL || steps < PIECES_BYTES / 8)
        return TH_OK;
    *touched = THAlloc(((size_t)ntensors + 1) * sizeof **touched);
    TH_CHECK(*touched != NULL, TH_ERROR_MEMORY, "cat: out of memory");
    memcpy(*touched, tensors, (size_t)ntensors * sizeof **touched);
    (*touched)[ntensors] = result;
    THWork_begin(work, steps, *touched, ntensors + 1);
    return TH_OK;
}

static int catInto(THTensor *result, THTensor *const *tensors, int ntensors, int64_t dim,
                   const THShape *shape)
{
    THTensor **touched = NULL;
    THWork work = {0};
    bool done = false;
    int status = TH_OK;
    TH_TRY(resizeResult(result, tensors, ntensors, shape));
    if (THTensor_nElement(result) == 0)
        goto done;
    TH_TRY(beginCat(&work, &touched, result, tensors, ntensors));
    TH_TRY((THTensor_isContiguous(result) ? catPieces : catTurned)(result, tensors, ntensors, dim,
                                                                   &done));
    if (!done)
        status = catViews(result, tensors, ntensors, dim);
done:
    THWork_end(&work);
    THFree(touched);
    return status;
}

int THTensor_cat(THTensor *result, THTensor *const *tensors, int ntensors, int64_t dim)
{
    THTensor *aside = NULL;
    THShape shape;
    bool overlaps = false;
    int status = TH_OK;
    TH_TRY(catShape(tensors, ntensors, &dim, &shape));
    for (int i = 0; i < ntensors && !overlaps; i++)
        overlaps = result == tensors[i] || THTensor_overlap(result, tensors[i]) != TH_OVERLAP_NONE;
    if (!overlaps)
        return catInto(result, tensors, ntensors, dim, &shape);
    TH_TRY(THTensor_newEmpty(&aside, (THDtype)result->dtype));
    TH_TRY(catInto(aside, tensors, ntensors, dim, &shape));
    TH_TRY(THTensor_resizeOutput("cat", result, shape.nDimension, shape.size));
    TH_TRY(THTensor_copy(result, aside));
done:
    THTensor_free(aside);
    return status;
}

int THTensor_stack(THTensor *result, THTensor *const *tensors, int ntensors, int64_t dim)
{
    THTensor **views = NULL;
    int status = TH_OK, n = 0;
    TH_CHECK(ntensors > 0, TH_ERROR_VALUE, "stack: expected at least one tensor");
    for (int i = 0; i < ntensors; i++) {
        TH_TRY(THCheck_tensor("stack", "tensors", tensors[i]));
        TH_REQUIRE(THTensor_isSameSizeAs(tensors[i], tensors[0]), TH_ERROR_VALUE,
                   "stack: expected tensors of one shape, got %s and %s",
                   THTensor_sizeDesc(tensors[0]).str, THTensor_sizeDesc(tensors[i]).str);
    }
    TH_TRY(THCheck_dim("stack", "dim", tensors[0], 1, &dim));
    views = THAlloc((size_t)ntensors * sizeof *views);
    TH_REQUIRE(views, TH_ERROR_MEMORY, "stack: out of memory");
    for (; n < ntensors; n++)
        TH_TRY(THTensor_newUnsqueeze1d(&views[n], tensors[n], dim));
    TH_TRY(THTensor_cat(result, views, ntensors, dim));
done:
    while (n > 0)
        THTensor_free(views[--n]);
    THFree(views);
    return status;
}
