/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cat and stack: several tensors one after the other along a dim. */
#include <TH/THEngine.h>
#include <TH/THShape.h>
#include <TH/THWrapper.h>
#include <TH/engine/THMove.h>

#include <inttypes.h>
#include <string.h>

/* Pieces of cat are handed to threads in parts of so many bytes; tensors above it are left to
 * THTensor_copy, which divides one among threads. */
#define PIECES_BYTES 131072
/* Shorter pieces of so many rows go tensor by tensor, through so many bytes of rows at a time. */
#define SHORT_PIECE 2048
#define MANY_ROWS 16
#define ROWS_BYTES 16384

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

/* Contiguous tensors of one dtype: the result is rows, each a piece of every tensor. */
typedef struct Pieces {
    THTensor *const *tensors;
    char *result;
    const int64_t *start; /* per tensor, and the end: bytes within a row */
    int64_t ntensors;
    int64_t itemSize;
} Pieces;

static void copyPieces(int64_t begin, int64_t end, void *context)
{
    const Pieces *pieces = context;
    const int64_t row = pieces->start[pieces->ntensors];
    for (int64_t i = begin; i < end; i++) {
        const int64_t r = i / pieces->ntensors, t = i % pieces->ntensors;
        const int64_t bytes = pieces->start[t + 1] - pieces->start[t];
        if (bytes)
            memcpy(pieces->result + r * row + pieces->start[t],
                   (const char *)THTensor_data(pieces->tensors[t]) + r * bytes, (size_t)bytes);
    }
}

/* Where pieces are short: tensor by tensor, in as many rows as stay in the cache meanwhile. */
static void copyRows(int64_t begin, int64_t end, void *context)
{
    const Pieces *pieces = context;
    const int64_t item = pieces->itemSize, row = pieces->start[pieces->ntensors];
    const int64_t most = row < ROWS_BYTES ? ROWS_BYTES / row : 1;
    for (int64_t r = begin, rows; r < end; r += rows) {
        rows = end - r < most ? end - r : most;
        for (int64_t t = 0; t < pieces->ntensors; t++) {
            const int64_t bytes = pieces->start[t + 1] - pieces->start[t];
            if (bytes)
                THMove_scatter(item, pieces->result + r * row + pieces->start[t],
                               (const char *)THTensor_data(pieces->tensors[t]) + r * bytes, rows,
                               row, bytes / item, item);
        }
    }
}

static bool canCopyPieces(const THTensor *result, THTensor *const *tensors, int ntensors)
{
    if (!THTensor_isContiguous(result))
        return false;
    for (int i = 0; i < ntensors; i++) {
        if (tensors[i]->dtype != result->dtype || !THTensor_isContiguous(tensors[i]))
            return false;
    }
    return THTensor_nElement(result) / ntensors * THTensor_itemSize(result) <= PIECES_BYTES;
}

static int catPieces(THTensor *result, THTensor *const *tensors, int ntensors, int64_t dim)
{
    int64_t inner = THTensor_itemSize(result), rows = 1;
    int64_t *start = THAlloc(((size_t)ntensors + 1) * sizeof(int64_t));
    if (!start)
        return TH_ERROR_MEMORY;
    for (int d = 0; d < result->nDimension; d++) {
        if (d < dim)
            rows *= result->size[d];
        else if (d > dim)
            inner *= result->size[d];
    }
    start[0] = 0;
    for (int i = 0; i < ntensors; i++)
        start[i + 1] = start[i] + (isSkipped(tensors[i]) ? 0 : tensors[i]->size[dim] * inner);
    Pieces pieces = {tensors, THTensor_data(result), start, ntensors, THTensor_itemSize(result)};
    const int64_t mean = start[ntensors] / ntensors + 1;
    if (mean <= SHORT_PIECE && rows >= MANY_ROWS)
        TH_parallel_for(rows, PIECES_BYTES / start[ntensors] + 1, copyRows, &pieces);
    else
        TH_parallel_for(rows * ntensors, PIECES_BYTES / mean + 1, copyPieces, &pieces);
    THFree(start);
    return TH_OK;
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
    int status = TH_OK;
    TH_TRY(THTensor_resizeOutput("cat", result, shape->nDimension, shape->size));
    if (THTensor_nElement(result) == 0)
        goto done;
    TH_TRY(beginCat(&work, &touched, result, tensors, ntensors));
    status = canCopyPieces(result, tensors, ntensors) ? catPieces(result, tensors, ntensors, dim)
                                                      : catViews(result, tensors, ntensors, dim);
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
