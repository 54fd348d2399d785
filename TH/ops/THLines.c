/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines of a tensor, staged in strips; THLines.h tells why. */
#include <TH/THEngine.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THLines.h>

#define WORK 32768         /* elements worth a thread's while */
#define STRIP_LINES 64     /* staged at a time, at most */
#define STRIP_LEAST 16     /* ... and at least */
#define STRIP_BYTES 524288 /* ... and in so many bytes, unless the least need more */

bool THLines_init(THLines *lines, THTensor *const *results, int nresults, THTensor *self,
                  int64_t dim)
{
    lines->dtype = (THDtype)self->dtype;
    lines->nresults = nresults;
    lines->data = THTensor_data(self);
    lines->along = lines->column = (THDim){1, 0, {0}};
    lines->outer.count = 0;
    lines->rows = 1;
    const bool dropped = results[0]->nDimension < self->nDimension;
    for (int r = 0; r < nresults; r++) {
        lines->result[r] = THTensor_data(results[r]);
        lines->resultDtype[r] = (THDtype)results[r]->dtype;
    }
    for (int d = 0; d < self->nDimension; d++) {
        const int position = !dropped || d < dim ? d : d == dim ? -1 : d - 1;
        const THDim made = THDim_of(self, d, results, nresults, position);
        if (made.size == 0)
            return false;
        if (d == dim)
            lines->along = made;
        else if (made.size != 1)
            lines->outer.dim[lines->outer.count++] = made;
    }
    THDimList_sort(&lines->outer);
    THDimList_merge(&lines->outer);
    if (lines->outer.count)
        lines->column = lines->outer.dim[--lines->outer.count];
    for (int i = 0; i < lines->outer.count; i++)
        lines->rows *= lines->outer.dim[i].size;
    return true;
}

const char *THLines_at(const THLines *lines, int64_t row, char *results[TH_DIM_OUTPUTS])
{
    int64_t coordinates[TH_MAX_DIMS];
    const char *in = lines->data + THDimList_locate(&lines->outer, row, coordinates);
    for (int r = 0; r < lines->nresults; r++)
        results[r] = lines->result[r] + THDimList_outOffset(&lines->outer, r, coordinates);
    return in;
}

/* One side of a strip: `size` elements of each line at these byte strides. */
typedef struct Side {
    THDtype dtype, computed;
    int64_t length, stride, columnStride;
    bool direct; /* lines can be used where they are */
    char *raw;   /* the lines one after the other, in their own dtype */
    char *lines; /* the same in the function's dtype */
} Side;

typedef struct Strips {
    const THLineFunction *function;
    THLines lines;
    int64_t width, perRow;
    Side in, out[TH_DIM_OUTPUTS];
    bool failed;
} Strips;

static Side sideOf(THDtype dtype, THDtype computed, int64_t length, int64_t stride, int64_t column)
{
    const bool adjacent = length <= 1 || stride == THDtype_size(dtype);
    return (Side){dtype, computed, length, stride, column, dtype == computed && adjacent,
                  NULL,  NULL};
}

static int64_t sideBytes(const Side *side)
{
    const int64_t size = THDtype_size(side->dtype);
    const int64_t computed = side->dtype == side->computed ? 0 : THDtype_size(side->computed);
    return side->direct ? 0 : side->length * (size + computed);
}

static char *placeSide(Side *side, int64_t width, char *memory)
{
    const int64_t bytes = side->length * width;
    if (side->direct)
        return memory;
    side->raw = side->lines = memory;
    memory += (bytes * THDtype_size(side->dtype) + 63) & ~(int64_t)63;
    if (side->dtype != side->computed) {
        side->lines = memory;
        memory += (bytes * THDtype_size(side->computed) + 63) & ~(int64_t)63;
    }
    return memory;
}

static void load(const Side *side, const char *from, int64_t width)
{
    if (side->direct)
        return;
    THMove_gather(THDtype_size(side->dtype), side->raw, from, width, side->columnStride,
                  side->length, side->stride);
    if (side->raw != side->lines)
        THCast(width * side->length, side->lines, side->computed, THDtype_size(side->computed),
               side->raw, side->dtype, THDtype_size(side->dtype));
}

static void store(const Side *side, char *to, int64_t width)
{
    if (side->direct)
        return;
    if (side->raw != side->lines)
        THCast(width * side->length, side->raw, side->dtype, THDtype_size(side->dtype), side->lines,
               side->computed, THDtype_size(side->computed));
    THMove_scatter(THDtype_size(side->dtype), to, side->raw, width, side->columnStride,
                   side->length, side->stride);
}

static void runStrip(const Strips *strips, const Side *in, const Side *out, int64_t index,
                     void *scratch)
{
    const THLineFunction *function = strips->function;
    const THLines *lines = &strips->lines;
    const int64_t column = index % strips->perRow * strips->width;
    const int64_t width = THSize_min(strips->width, lines->column.size - column);
    char *to[TH_DIM_OUTPUTS] = {NULL};
    const char *from = THLines_at(lines, index / strips->perRow, to) + column * in->columnStride;
    for (int r = 0; r < lines->nresults; r++)
        to[r] += column * out[r].columnStride;

    load(in, from, width);
    for (int64_t i = 0; i < width; i++) {
        const int64_t lineBytes = in->length * THDtype_size(in->computed);
        void *results[TH_DIM_OUTPUTS] = {NULL};
        for (int r = 0; r < lines->nresults; r++) {
            const Side *side = &out[r];
            results[r] = side->direct
                             ? to[r] + i * side->columnStride
                             : side->lines + i * side->length * THDtype_size(side->computed);
        }
        function->call(function, in->length,
                       in->direct ? from + i * in->columnStride : in->lines + i * lineBytes,
                       results, scratch);
    }
    for (int r = 0; r < lines->nresults; r++)
        store(&out[r], to[r], width);
}

static void stripRange(int64_t begin, int64_t end, void *context)
{
    Strips *strips = context;
    Side in = strips->in, out[TH_DIM_OUTPUTS];
    int64_t bytes = sideBytes(&in), total;
    for (int r = 0; r < strips->lines.nresults; r++) {
        out[r] = strips->out[r];
        bytes += sideBytes(&out[r]);
    }
    char *memory = NULL;
    if (THSize_mul(bytes, strips->width, &total) &&
        THSize_add(total, strips->function->scratch + 64 * (2 + 4 * TH_DIM_OUTPUTS), &total))
        memory = THAlloc((size_t)total);
    if (!memory) {
        __atomic_store_n(&strips->failed, true, __ATOMIC_RELAXED);
        return;
    }
    char *scratch = placeSide(&in, strips->width, memory);
    for (int r = 0; r < strips->lines.nresults; r++)
        scratch = placeSide(&out[r], strips->width, scratch);
    for (int64_t i = begin; i < end; i++)
        runStrip(strips, &in, out, i, scratch);
    THFree(memory);
}

int THLineFunction_run(const THLineFunction *function, THTensor *const *results, int nresults,
                       THTensor *self, int64_t dim)
{
    Strips strips;
    const THLines *lines = &strips.lines;
    if (!THLines_init(&strips.lines, results, nresults, self, dim) || function->length == 0)
        return TH_OK;
    strips.function = function;
    strips.failed = false;
    strips.in =
        sideOf(lines->dtype, function->from, lines->along.size, lines->along.in, lines->column.in);
    int64_t bytes = sideBytes(&strips.in);
    for (int r = 0; r < nresults; r++) {
        strips.out[r] = sideOf(lines->resultDtype[r], function->to[r], function->length,
                               lines->along.out[r], lines->column.out[r]);
        bytes += sideBytes(&strips.out[r]);
    }
    const int64_t fitting = bytes ? STRIP_BYTES / bytes : STRIP_LINES;
    strips.width = THSize_min(
        THSize_min(STRIP_LINES, fitting > STRIP_LEAST ? fitting : STRIP_LEAST), lines->column.size);
    strips.perRow = (lines->column.size + strips.width - 1) / strips.width;
    TH_parallel_for(strips.perRow * lines->rows, 1 + WORK / (lines->along.size * strips.width),
                    stripRange, &strips);
    return strips.failed ? THError(TH_ERROR_MEMORY, "%s: out of memory", function->op) : TH_OK;
}
