/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines of a tensor, staged in strips; THLines.h tells why. */
#include <TH/THEngine.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THLines.h>

#define WORK 8192          /* elements worth a thread's while */
#define SHARED_BESIDE 4    /* columns that share lines of the caches */
#define STRIP_LINES 64     /* staged at a time, at most */
#define STRIP_LEAST 16     /* ... and at least */
#define STRIP_BYTES 262144 /* ... and in so many bytes, unless the least need more */
#define PANEL_LINES 64     /* in one at least, if there are so many; and a multiple of them */
#define PANEL_BYTES 32768  /* ... and in so many bytes */
#define PANEL_RUN 3        /* adjacent lines that are worth being moved together */

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
    bool panels;  /* the lines of a strip side by side, in rows */
    bool grouped; /* ... those of `group` whole rows */
    int64_t group;
    Side in, out[TH_DIM_OUTPUTS];
    THScratch scratch;
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

static void load(const Side *side, const char *from, int64_t width, bool panel)
{
    const int64_t size = THDtype_size(side->dtype), length = side->length;
    if (side->direct)
        return;
    if (panel)
        THMove_gather(size, side->raw, from, length, side->stride, width, side->columnStride);
    else
        THMove_gather(size, side->raw, from, width, side->columnStride, length, side->stride);
    if (side->raw != side->lines)
        THCast(width * length, side->lines, side->computed, THDtype_size(side->computed), side->raw,
               side->dtype, size);
}

static void scatter(const Side *side, char *to, const char *lines, int64_t width, bool panel)
{
    const int64_t size = THDtype_size(side->dtype), length = side->length;
    if (panel)
        THMove_scatter(size, to, lines, length, side->stride, width, side->columnStride);
    else
        THMove_scatter(size, to, lines, width, side->columnStride, length, side->stride);
}

static void store(const Side *side, char *to, int64_t width, bool panel)
{
    const int64_t size = THDtype_size(side->dtype), narrow = THDtype_size(side->computed);
    const int64_t n = width * side->length;
    if (side->direct)
        return;
    if (panel && narrow < size && side->stride == size &&
        side->columnStride == side->length * size) { /* moved before they are widened */
        THMove_scatter(narrow, side->raw, side->lines, side->length, narrow, width,
                       side->length * narrow);
        THCast(n, to, side->dtype, size, side->raw, side->computed, narrow);
        return;
    }
    if (side->raw != side->lines)
        THCast(n, side->raw, side->dtype, size, side->lines, side->computed, narrow);
    scatter(side, to, side->raw, width, panel);
}

/* A panel of lines as they lie, or as they were moved. */
static void callPanel(const Strips *strips, const Side *in, const Side *out, const char *from,
                      char *const *to, int64_t width)
{
    const THLineFunction *function = strips->function;
    THPanel panel = {.width = width, .nresults = strips->lines.nresults};
    panel.x = in->direct ? from : in->lines;
    panel.stride = in->direct ? in->stride : width * THDtype_size(in->computed);
    for (int r = 0; r < panel.nresults; r++) {
        const Side *side = &out[r];
        panel.dtype[r] = side->direct ? function->to[r] : side->computed;
        panel.result[r] = side->direct ? to[r] : side->lines;
        panel.resultStride[r] = side->direct ? side->stride : width * THDtype_size(side->computed);
    }
    function->panel(function, in->length, &panel);
}

static void callLines(const Strips *strips, const Side *in, const Side *out, const char *from,
                      char *const *to, int64_t width, void *scratch)
{
    const THLineFunction *function = strips->function;
    const int64_t lineBytes = in->length * THDtype_size(in->computed);
    for (int64_t i = 0; i < width; i++) {
        void *results[TH_DIM_OUTPUTS] = {NULL};
        for (int r = 0; r < strips->lines.nresults; r++) {
            const Side *side = &out[r];
            results[r] = side->direct
                             ? to[r] + i * side->columnStride
                             : side->lines + i * side->length * THDtype_size(side->computed);
        }
        function->call(function, in->length,
                       in->direct ? from + i * in->columnStride : in->lines + i * lineBytes,
                       results, scratch);
    }
}

/* Rows of adjacent lines side by side: all of them in, and the results out. */
static void runGroup(const Strips *strips, const Side *in, const Side *out, int64_t index)
{
    const THLines *lines = &strips->lines;
    const int64_t columns = lines->column.size, first = index * strips->group;
    const int64_t rows = THSize_min(strips->group, lines->rows - first), width = rows * columns;
    const int64_t size = THDtype_size(in->dtype);
    char *to[TH_DIM_OUTPUTS] = {NULL};
    for (int64_t row = 0; row < rows; row++)
        THMove_rows(in->raw + row * columns * size, width * size,
                    THLines_at(lines, first + row, to), in->stride, in->length, columns * size);
    if (in->raw != in->lines)
        THCast(width * in->length, in->lines, in->computed, THDtype_size(in->computed), in->raw,
               in->dtype, size);
    callPanel(strips, in, out, NULL, NULL, width);
    for (int r = 0; r < lines->nresults; r++) {
        const Side *side = &out[r];
        if (side->raw != side->lines)
            THCast(width * side->length, side->raw, side->dtype, THDtype_size(side->dtype),
                   side->lines, side->computed, THDtype_size(side->computed));
    }
    for (int64_t row = 0; row < rows; row++) {
        THLines_at(lines, first + row, to);
        for (int r = 0; r < lines->nresults; r++) {
            const int64_t bytes = columns * THDtype_size(out[r].dtype);
            THMove_rows(to[r], out[r].stride, out[r].raw + row * bytes, rows * bytes, out[r].length,
                        bytes);
        }
    }
}

static void runStrip(const Strips *strips, const Side *in, const Side *out, int64_t index,
                     void *scratch)
{
    const THLines *lines = &strips->lines;
    const int64_t column = index % strips->perRow * strips->width;
    const int64_t width = THSize_min(strips->width, lines->column.size - column);
    char *to[TH_DIM_OUTPUTS] = {NULL};
    const char *from = THLines_at(lines, index / strips->perRow, to) + column * in->columnStride;
    for (int r = 0; r < lines->nresults; r++)
        to[r] += column * out[r].columnStride;

    load(in, from, width, strips->panels);
    if (strips->panels)
        callPanel(strips, in, out, from, to, width);
    else
        callLines(strips, in, out, from, to, width, scratch);
    for (int r = 0; r < lines->nresults; r++)
        store(&out[r], to[r], width, strips->panels);
}

static void stripRange(int64_t begin, int64_t end, void *context)
{
    const Strips *strips = context;
    Side in = strips->in, out[TH_DIM_OUTPUTS];
    char *memory = THScratch_take(&strips->scratch);
    char *scratch = placeSide(&in, strips->width, memory);
    for (int r = 0; r < strips->lines.nresults; r++) {
        out[r] = strips->out[r];
        scratch = placeSide(&out[r], strips->width, scratch);
    }
    for (int64_t i = begin; i < end; i++) {
        if (strips->grouped)
            runGroup(strips, &in, out, i);
        else
            runStrip(strips, &in, out, i, scratch);
    }
    THScratch_give(memory);
}

/* The most lines that are at one distance from each other become the column, if only few are. */
static void takeLongest(THLines *lines)
{
    THDim *longest = &lines->column;
    for (int i = lines->outer.count; i-- > 0;)
        if (lines->outer.dim[i].size > longest->size && longest->size < PANEL_LINES)
            longest = &lines->outer.dim[i];
    const THDim column = *longest;
    lines->rows = lines->rows * lines->column.size / column.size;
    *longest = lines->column;
    lines->column = column;
}

/* Whether the lines of a row are too few for a panel, but adjacent everywhere. */
static bool areGroups(const THLines *lines)
{
    const int64_t size = THDtype_size(lines->dtype), columns = lines->column.size;
    bool adjacent = lines->column.in == size && columns >= PANEL_RUN;
    for (int r = 0; r < lines->nresults; r++)
        adjacent = adjacent && lines->column.out[r] == THDtype_size(lines->resultDtype[r]);
    return adjacent && lines->rows > 1 && columns < PANEL_LINES;
}

static void choosePanels(Strips *strips)
{
    THLines *lines = &strips->lines;
    const int64_t least = strips->function->panelLeast;
    strips->panels = strips->function->panel && lines->rows * lines->column.size >= least;
    strips->grouped = strips->panels && areGroups(lines);
    if (!strips->panels || strips->grouped)
        return;
    takeLongest(lines);
    strips->panels = lines->column.size >= least;
}

static Side panelSideOf(THDtype dtype, THDtype computed, int64_t length, int64_t stride,
                        int64_t column)
{
    return (Side){dtype,  computed, length,
                  stride, column,   dtype == computed && column == THDtype_size(dtype),
                  NULL,   NULL};
}

/* The lines of a row that each thread gets, or that are worth a thread: of those whose elements lie
 * beside each other all unless they are few, since threads would write lines of the caches that
 * others write (sort of 1250000 x 8 float64 along dim 0: 105 ms, shared 180; Xeon). */
static int64_t shareOf(const THLines *lines)
{
    const int64_t columns = lines->column.size, least = (WORK - 1) / lines->along.size + 1;
    const int64_t parts = (THThreads_get() - 1) / lines->rows + 1;
    const int64_t even = (columns - 1) / parts + 1;
    const bool areBeside = THDim_isWithin(&lines->column, &lines->along);
    return areBeside && columns > SHARED_BESIDE ? columns : even > least ? even : least;
}

/* How many strips there are, for lines that are staged in `bytes` each. */
static int64_t divide(Strips *strips, int64_t bytes)
{
    const THLines *lines = &strips->lines;
    const int64_t columns = lines->column.size;
    const int64_t least = strips->panels ? PANEL_LINES : STRIP_LEAST;
    const int64_t most = strips->panels ? PANEL_BYTES : STRIP_BYTES;
    const int64_t fitting = bytes ? most / bytes : STRIP_LINES;
    const int64_t wanted =
        strips->panels ? fitting / PANEL_LINES * PANEL_LINES : THSize_min(STRIP_LINES, fitting);
    const int64_t width = wanted > least ? wanted : least;
    if (strips->grouped) {
        strips->group = THSize_min(width / columns, lines->rows);
        strips->width = strips->group * columns;
        strips->perRow = 1;
        return (lines->rows - 1) / strips->group + 1;
    }
    strips->width = THSize_min(width, strips->panels ? columns : shareOf(lines));
    strips->perRow = (columns + strips->width - 1) / strips->width;
    return strips->perRow * lines->rows;
}

int THLineFunction_run(const THLineFunction *function, THTensor *const *results, int nresults,
                       THTensor *self, int64_t dim)
{
    Strips strips;
    const THLines *lines = &strips.lines;
    if (!THLines_init(&strips.lines, results, nresults, self, dim) || function->length == 0)
        return TH_OK;
    strips.function = function;
    choosePanels(&strips);
    strips.in = (strips.panels ? panelSideOf : sideOf)(
        lines->dtype, function->from, lines->along.size, lines->along.in, lines->column.in);
    strips.in.direct = strips.in.direct && !strips.grouped;
    int64_t bytes = sideBytes(&strips.in), total;
    for (int r = 0; r < nresults; r++) {
        const THDtype dtype = lines->resultDtype[r];
        const int64_t stride = lines->along.out[r], column = lines->column.out[r];
        strips.out[r] = strips.panels
                            ? panelSideOf(dtype, function->to[r], function->length, stride, column)
                            : sideOf(dtype, function->to[r], function->length, stride, column);
        strips.out[r].direct = strips.out[r].direct && !strips.grouped;
        if (strips.panels && !strips.out[r].direct)
            strips.out[r].computed = function->panelTo[r];
        bytes += sideBytes(&strips.out[r]);
    }
    const int64_t count = divide(&strips, bytes);
    const int64_t each = lines->along.size * strips.width, grain = 1 + WORK / each;
    const bool fits = THSize_mul(bytes, strips.width, &total) &&
                      THSize_add(total, function->scratch + 64 * (2 + 4 * TH_DIM_OUTPUTS), &total);
    const int status = THScratch_open(&strips.scratch, count, grain, fits ? total : INT64_MAX);
    if (status == TH_OK)
        TH_parallel_work(count, each, WORK, stripRange, &strips);
    THScratch_close(&strips.scratch);
    return status;
}
