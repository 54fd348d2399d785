/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Staging of core operations: panels of items, converted or gathered into scratch memory. Lines
 * that lie side by side are transposed into it together, so that of every cache line all is used.
 */
#include <TH/engine/THCoreRun.h>
#include <TH/engine/THMove.h>
#include <TH/engine/THRun.h>

#define ALIGNMENT 64
/* Elements that are rounded on the way at once. */
#define CHUNK 256
/* What a panel takes of the cache; long lines take more, so that what is read of cache lines is all
 * that is in them. */
#define PANEL_BYTES (64 << 10)
#define PANEL_LINES 16
#define PANEL_MOST_BYTES (1 << 20)

static void choosePanel(THCoreRun *run, int64_t bytes)
{
    const int64_t lines =
        PANEL_MOST_BYTES / bytes < PANEL_LINES ? PANEL_MOST_BYTES / bytes : PANEL_LINES;
    const int64_t inner = run->size[run->nDimension - 1];
    run->panel = PANEL_BYTES / bytes > lines ? PANEL_BYTES / bytes : lines;
    if (run->panel > inner)
        run->panel = inner;
    if (run->panel < 1)
        run->panel = 1;
}

int THCoreRun_openScratch(THCoreRun *run)
{
    const THCore *core = run->work->core;
    int64_t all = 1; /* bytes of an item of each */

    for (int k = 0; k < run->noperands; k++) {
        THCoreItems *self = &run->operand[k];
        int64_t stride = 1;
        if (!self->staged)
            continue;
        run->staged = true;
        if (!THSize_mul(self->elements, THDtype_size((THDtype)core->operand[k].dtype),
                        &self->itemBytes) ||
            !THSize_add(self->itemBytes, all, &all))
            return THError(TH_ERROR_MEMORY, "%s: %s is too large", core->name,
                           core->operand[k].name);
        for (int d = core->operand[k].rank - 1; d >= 0; d--) {
            run->stride[k * TH_CORE_RANK + d] = stride;
            stride *= self->size[d];
        }
    }
    choosePanel(run, all);
    for (int k = 0; k < run->noperands; k++) {
        THCoreItems *self = &run->operand[k];
        int64_t bytes;
        self->scratch = run->scratch;
        if (self->staged &&
            (!THSize_mul(self->itemBytes, run->panel, &bytes) ||
             !THSize_add(bytes, 2 * ALIGNMENT, &bytes) ||
             !THSize_add(run->scratch, bytes / ALIGNMENT * ALIGNMENT, &run->scratch)))
            return THError(TH_ERROR_MEMORY, "%s: %s is too large", core->name,
                           core->operand[k].name);
    }
    return TH_OK;
}

/* n elements of an input as the loop's dtype, rounded on the way. */
static void loadRow(const THCoreItems *self, THDtype dtype, int64_t n, char *to, const char *from,
                    int64_t stride)
{
    const int64_t size = THDtype_size(dtype), viaSize = THDtype_size((THDtype)self->via);
    char rounded[CHUNK * 8];

    if (self->via == self->dtype || self->via == dtype) {
        THCast(n, to, dtype, size, from, (THDtype)self->dtype, stride);
        return;
    }
    for (int64_t i = 0; i < n; i += CHUNK) {
        const int64_t m = n - i < CHUNK ? n - i : CHUNK;
        THCast(m, rounded, (THDtype)self->via, viaSize, from + i * stride, (THDtype)self->dtype,
               stride);
        THCast(m, to + i * size, dtype, size, rounded, (THDtype)self->via, viaSize);
    }
}

/* Moves an item between the tensor and contiguous scratch memory, row by row. */
static void moveItem(const THCoreRun *run, int k, char *item, char *scratch)
{
    const THCoreOperand *declared = &run->work->core->operand[k];
    const THCoreItems *self = &run->operand[k];
    const THDtype dtype = (THDtype)declared->dtype;
    const int64_t itemSize = THDtype_size((THDtype)self->dtype), size = THDtype_size(dtype);
    const int inner = declared->rank - 1;
    const int64_t n = inner >= 0 ? self->size[inner] : 1;
    const int64_t stride = inner >= 0 ? self->stride[inner] * itemSize : itemSize;
    const int64_t rows = n > 0 ? self->elements / n : 0;
    int64_t index[TH_CORE_RANK] = {0};

    for (int64_t row = 0; row < rows; row++, scratch += n * size) {
        if (k >= run->work->core->noutputs)
            loadRow(self, dtype, n, scratch, item, stride);
        else
            THCast(n, item, (THDtype)self->dtype, stride, scratch, dtype, size);
        for (int d = inner - 1; d >= 0; d--) {
            item += self->stride[d] * itemSize;
            if (++index[d] < self->size[d])
                break;
            item -= self->stride[d] * itemSize * self->size[d];
            index[d] = 0;
        }
    }
}

/* Can items of operand k be moved as lines, without looking at their elements? */
static bool areLines(const THCoreRun *run, int k)
{
    const THCoreOperand *declared = &run->work->core->operand[k];
    const THCoreItems *self = &run->operand[k];
    return declared->rank == 1 && declared->dtype == self->dtype && self->via == self->dtype;
}

/* Moves n items, `step` bytes apart in the tensor, into or out of scratch memory. */
static void movePanel(const THCoreRun *run, int k, int64_t n, char *item, int64_t step,
                      char *scratch)
{
    const THCoreItems *self = &run->operand[k];
    const bool isOutput = k < run->work->core->noutputs;
    if (areLines(run, k)) {
        const int64_t size = THDtype_size((THDtype)self->dtype), stride = self->stride[0] * size;
        if (isOutput)
            THMove_scatter(size, item, scratch, n, step, self->size[0], stride);
        else
            THMove_gather(size, scratch, item, n, step, self->size[0], stride);
        return;
    }
    for (int64_t i = 0; i < n; i++, item += step, scratch += self->itemBytes)
        moveItem(run, k, item, scratch);
}

static void storePanel(const THCoreRun *run, int k, int64_t n, char *item, int64_t step,
                       char *scratch)
{
    if (run->work->core->operand[k].dtype == TH_BOOL)
        for (int64_t i = 0; i < n * run->operand[k].elements; i++)
            scratch[i] = scratch[i] != 0;
    movePanel(run, k, n, item, step, scratch);
}

int64_t THCoreRun_panel(THCoreRun *run, int64_t n, char *const *data, const int64_t *step,
                        char *scratch, const char **loaded, int *code)
{
    const THCore *core = run->work->core;
    int64_t apart[TH_MAX_OPERANDS];
    void *items[TH_MAX_OPERANDS];

    for (int k = 0; k < run->noperands; k++) {
        const THCoreItems *self = &run->operand[k];
        items[k] = self->staged ? scratch + self->scratch : data[k];
        apart[k] = self->staged && step[k] != 0 ? self->itemBytes : step[k];
        if (self->staged && k >= core->noutputs && (step[k] != 0 || loaded[k] != data[k])) {
            movePanel(run, k, step[k] == 0 ? 1 : n, data[k], step[k], items[k]);
            loaded[k] = data[k];
        }
    }
    const int64_t done =
        run->loop(n, items, apart, run->stride, run->work->size, run->params, code);
    for (int k = 0; k < core->noutputs; k++)
        if (run->operand[k].staged)
            storePanel(run, k, done, data[k], step[k], items[k]);
    return done;
}
