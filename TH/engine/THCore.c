/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Core operations: checks of their inputs, and the walk over items.
 *
 * Items are numbered in the order of the batch dims, which are merged where every operand walks
 * through them as through one. A range of items is done in runs along the last batch dim; where an
 * operand is staged, item by item through the range's own scratch memory. */
#include <TH/THCore.h>
#include <TH/THExplain.h>
#include <TH/engine/THRun.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ALIGNMENT 64
/* Elements that are rounded on the way at once. */
#define CHUNK 256

typedef struct Operand {
    char *data;
    bool staged;
    uint8_t dtype, via; /* the tensor's own, and what it is rounded to on the way */
    int64_t elements;   /* of an item */
    int64_t scratch;    /* where its items are staged, in bytes */
    int64_t size[TH_CORE_RANK];
    int64_t stride[TH_CORE_RANK]; /* elements */
    int64_t batch[TH_MAX_DIMS];   /* bytes; 0 where broadcast */
} Operand;

typedef struct Run {
    const THCoreWork *work;
    const void *params;
    THCoreLoop loop;
    int noperands;
    int nDimension; /* merged batch dims, at least one */
    int64_t size[TH_MAX_DIMS];
    bool staged;     /* some operand is */
    int64_t scratch; /* bytes of all of them */
    int64_t stride[TH_MAX_OPERANDS * TH_CORE_RANK];
    Operand operand[TH_MAX_OPERANDS];
    int64_t failed; /* the first item that failed; guarded by `lock` as `code` and `noMemory` are */
    int code;
    bool noMemory;
    char lock;
} Run;

static int checkDim(const THCoreWork *work, const THCoreOperand *operand, int place, int64_t size,
                    int64_t *known)
{
    const THCoreDim *dim = &work->core->dim[operand->dim[place]];
    if (*known < 0)
        *known = size;
    if (dim->size >= 0)
        TH_CHECK(*known == size, TH_ERROR_VALUE,
                 "%s: expected %s of size %" PRId64 " in dim %d, got %" PRId64, work->core->name,
                 operand->name, *known, place - operand->rank, size);
    TH_CHECK(*known == size, TH_ERROR_VALUE,
             "%s: expected %s of size %" PRId64 " in dim %s, got %" PRId64, work->core->name,
             operand->name, *known, dim->name, size);
    return TH_OK;
}

/* The batch dims of an input against those known so far. */
static int addBatch(THCoreWork *work, const char *name, const THTensor *input, int ndims)
{
    THShape *batch = &work->batch;
    const int added = ndims - batch->nDimension;

    if (added > 0) {
        memmove(batch->size + added, batch->size, sizeof(int64_t) * (size_t)batch->nDimension);
        for (int d = 0; d < added; d++)
            batch->size[d] = 1;
        batch->nDimension = ndims;
    }
    for (int d = 0; d < ndims; d++) {
        int64_t *size = &batch->size[batch->nDimension - ndims + d];
        TH_CHECK(*size == input->size[d] || *size == 1 || input->size[d] == 1, TH_ERROR_VALUE,
                 "%s: batch dims %s of %s do not broadcast with %s", work->core->name,
                 THSize_desc(ndims, input->size).str, name,
                 THSize_desc(batch->nDimension, batch->size).str);
        if (*size == 1)
            *size = input->size[d];
    }
    return TH_OK;
}

int THCore_begin(THCoreWork *work, const THCore *core, THTensor *const *operands)
{
    work->core = core;
    work->batch.nDimension = 0;
    for (int d = 0; d < core->ndims; d++)
        work->size[d] = core->dim[d].size;
    for (int k = core->noutputs; k < core->noutputs + core->ninputs; k++) {
        const THCoreOperand *operand = &core->operand[k];
        const THTensor *input = operands[k];
        if (input == NULL)
            continue; /* its dims are those of others */
        const int ndims = input->nDimension - operand->rank;
        TH_CHECK(ndims >= 0, TH_ERROR_VALUE,
                 "%s: expected %s to have at least %d dim%s, got shape %s", core->name,
                 operand->name, operand->rank, operand->rank == 1 ? "" : "s",
                 THTensor_sizeDesc(input).str);
        for (int i = 0; i < operand->rank; i++) {
            const int status =
                checkDim(work, operand, i, input->size[ndims + i], &work->size[operand->dim[i]]);
            if (status != TH_OK)
                return status;
        }
        const int status = addBatch(work, operand->name, input, ndims);
        if (status != TH_OK)
            return status;
    }
    return TH_OK;
}

/* Sizes that were computed. */
static int checkSizes(const THCoreWork *work)
{
    for (int d = 0; d < work->core->ndims; d++)
        TH_CHECK(work->size[d] >= 0, TH_ERROR_VALUE,
                 "%s: dim %s of the result would have size %" PRId64, work->core->name,
                 work->core->dim[d].name, work->size[d]);
    for (int k = 0; k < work->core->noutputs; k++)
        TH_CHECK(work->batch.nDimension + work->core->operand[k].rank <= TH_MAX_DIMS,
                 TH_ERROR_VALUE, "%s: the result would have more than %d dims", work->core->name,
                 TH_MAX_DIMS);
    return TH_OK;
}

static int shapeOutputs(const THCoreWork *work, THTensor *const *operands)
{
    THShape shape = work->batch;
    int status = TH_OK;

    for (int k = 0; k < work->core->noutputs && status == TH_OK; k++) {
        const THCoreOperand *operand = &work->core->operand[k];
        for (int i = 0; i < operand->rank; i++)
            shape.size[work->batch.nDimension + i] = work->size[operand->dim[i]];
        status = THTensor_resizeOutput(work->core->name, operands[k],
                                       work->batch.nDimension + operand->rank, shape.size);
        /* An explained call stops once all results have their shapes. */
    }
    return status;
}

static bool isContiguous(const Operand *self, int rank)
{
    int64_t expected = 1;
    for (int d = rank - 1; d >= 0; d--) {
        if (self->size[d] != 1 && self->stride[d] != expected)
            return false;
        expected *= self->size[d];
    }
    return true;
}

/* Where the items of operand k are, and whether they are staged. */
static int openOperand(Run *run, int k, THDtype dtype, const THTensor *tensor)
{
    static uint64_t nothing; /* empty tensors have no address, functions get one */
    const THCore *core = run->work->core;
    const THCoreOperand *declared = &core->operand[k];
    const THShape *batch = &run->work->batch;
    Operand *self = &run->operand[k];
    if (tensor == NULL) {
        *self = (Operand){.elements = 1};
        return TH_OK;
    }
    const int ndims = tensor->nDimension - declared->rank, missing = batch->nDimension - ndims;
    const int64_t itemSize = THTensor_itemSize(tensor);
    const bool isOutput = k < core->noutputs;

    self->data = THTensor_data(tensor);
    self->data = self->data ? self->data : (char *)&nothing;
    self->dtype = tensor->dtype;
    self->via = isOutput || declared->fixed ? tensor->dtype : (uint8_t)dtype;
    self->elements = 1;
    for (int d = 0; d < batch->nDimension; d++)
        self->batch[d] = d < missing || tensor->size[d - missing] == 1
                             ? 0
                             : tensor->stride[d - missing] * itemSize;
    for (int i = 0; i < declared->rank; i++) {
        self->size[i] = tensor->size[ndims + i];
        self->stride[i] = tensor->stride[ndims + i];
        if (!THSize_mul(self->elements, self->size[i], &self->elements))
            return THError(TH_ERROR_MEMORY, "%s: %s is too large", core->name, declared->name);
    }
    /* A function may leave any value in a Bool result: what is stored is 0 or 1. */
    self->staged = self->dtype != declared->dtype || self->via != self->dtype ||
                   (isOutput && declared->dtype == TH_BOOL) ||
                   (core->contiguous && !isContiguous(self, declared->rank));
    return TH_OK;
}

static int openScratch(Run *run)
{
    const THCore *core = run->work->core;

    for (int k = 0; k < run->noperands; k++) {
        Operand *self = &run->operand[k];
        const int rank = core->operand[k].rank;
        int64_t bytes, stride = 1;
        if (!self->staged)
            continue;
        run->staged = true;
        self->scratch = run->scratch;
        if (!THSize_mul(self->elements, THDtype_size((THDtype)core->operand[k].dtype), &bytes) ||
            !THSize_add(bytes, 2 * ALIGNMENT, &bytes) ||
            !THSize_add(run->scratch, bytes / ALIGNMENT * ALIGNMENT, &run->scratch))
            return THError(TH_ERROR_MEMORY, "%s: %s is too large", core->name,
                           core->operand[k].name);
        for (int d = rank - 1; d >= 0; d--) {
            run->stride[k * TH_CORE_RANK + d] = stride;
            stride *= self->size[d];
        }
    }
    return TH_OK;
}

static bool areOne(const Run *run, int outer, int inner)
{
    for (int k = 0; k < run->noperands; k++) {
        const int64_t *batch = run->operand[k].batch;
        if (batch[outer] != batch[inner] * run->size[inner])
            return false;
    }
    return true;
}

/* Batch dims of size 1 are dropped, neighbours that are one for every operand merged. */
static void mergeBatch(Run *run)
{
    const THShape *batch = &run->work->batch;
    int last = -1;

    for (int d = 0; d < batch->nDimension; d++) {
        if (batch->size[d] == 1)
            continue;
        run->size[last + 1] = batch->size[d];
        for (int k = 0; k < run->noperands; k++)
            run->operand[k].batch[last + 1] = run->operand[k].batch[d];
        if (last < 0 || !areOne(run, last, last + 1)) {
            last++;
            continue;
        }
        run->size[last] *= batch->size[d];
        for (int k = 0; k < run->noperands; k++)
            run->operand[k].batch[last] = run->operand[k].batch[last + 1];
    }
    if (last < 0) {
        run->size[++last] = 1;
        for (int k = 0; k < run->noperands; k++)
            run->operand[k].batch[last] = 0;
    }
    run->nDimension = last + 1;
}

/* n elements of an input as the loop's dtype, rounded on the way. */
static void loadRow(const Operand *self, THDtype dtype, int64_t n, char *to, const char *from,
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
static void moveItem(const Run *run, int k, char *item, char *scratch)
{
    const THCoreOperand *declared = &run->work->core->operand[k];
    const Operand *self = &run->operand[k];
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

static void storeItem(const Run *run, int k, char *item, char *scratch)
{
    if (run->work->core->operand[k].dtype == TH_BOOL)
        for (int64_t i = 0; i < run->operand[k].elements; i++)
            scratch[i] = scratch[i] != 0;
    moveItem(run, k, item, scratch);
}

static void lock(Run *run)
{
    while (__atomic_test_and_set(&run->lock, __ATOMIC_ACQUIRE)) {
    }
}

static void unlock(Run *run)
{
    __atomic_clear(&run->lock, __ATOMIC_RELEASE);
}

/* A range ends with its first failure; of those the first one is told. */
static void noteFailure(Run *run, int64_t item, int code)
{
    lock(run);
    if (run->failed < 0 || item < run->failed) {
        run->failed = item;
        run->code = code;
    }
    unlock(run);
}

/* One item, some operands through scratch memory. `loaded`: what is there of each input. */
static bool runStaged(Run *run, char *const *data, char *scratch, const char **loaded, int *code)
{
    const THCore *core = run->work->core;
    static const int64_t step[TH_MAX_OPERANDS];
    void *items[TH_MAX_OPERANDS];

    for (int k = 0; k < run->noperands; k++) {
        const Operand *self = &run->operand[k];
        items[k] = self->staged ? scratch + self->scratch : data[k];
        if (self->staged && k >= core->noutputs && loaded[k] != data[k]) {
            moveItem(run, k, data[k], items[k]);
            loaded[k] = data[k];
        }
    }
    if (run->loop(1, items, step, run->stride, run->work->size, run->params, code) != 1)
        return false;
    for (int k = 0; k < core->noutputs; k++)
        if (run->operand[k].staged)
            storeItem(run, k, data[k], items[k]);
    return true;
}

/* `n` items along the last batch dim; false with the first one that failed. */
static bool runRow(Run *run, char **data, int64_t n, char *scratch, const char **loaded,
                   int64_t *done, int *code)
{
    int64_t step[TH_MAX_OPERANDS];

    for (int k = 0; k < run->noperands; k++)
        step[k] = run->operand[k].batch[run->nDimension - 1];
    if (!run->staged) {
        *done = run->loop(n, (void *const *)data, step, run->stride, run->work->size, run->params,
                          code);
        return *done == n;
    }
    for (*done = 0; *done < n; ++*done) {
        if (!runStaged(run, data, scratch, loaded, code))
            return false;
        for (int k = 0; k < run->noperands; k++)
            data[k] += step[k];
    }
    return true;
}

static void runRange(int64_t begin, int64_t end, void *context)
{
    Run *run = context;
    const int inner = run->nDimension - 1;
    const char *loaded[TH_MAX_OPERANDS] = {NULL};
    char *scratch = run->staged ? THAlloc((size_t)run->scratch) : NULL;

    if (run->staged && scratch == NULL) {
        lock(run);
        run->noMemory = true;
        unlock(run);
        return;
    }
    while (begin < end) {
        char *data[TH_MAX_OPERANDS];
        int64_t place = begin / run->size[inner], at = begin % run->size[inner], done = 0;
        const int64_t left = run->size[inner] - at, n = left < end - begin ? left : end - begin;
        int code = 0;
        for (int k = 0; k < run->noperands; k++)
            data[k] = run->operand[k].data + at * run->operand[k].batch[inner];
        for (int d = inner - 1; d >= 0; d--, place /= run->size[d + 1])
            for (int k = 0; k < run->noperands; k++)
                data[k] += place % run->size[d] * run->operand[k].batch[d];
        if (!runRow(run, data, n, scratch, loaded, &done, &code)) {
            noteFailure(run, begin + done, code);
            break;
        }
        begin += n;
    }
    THFree(scratch);
}

/* RuntimeError for an item, by its place in the batch. */
static int itemError(const Run *run)
{
    const THShape *batch = &run->work->batch;
    const THCore *core = run->work->core;
    const char *message = NULL;
    int64_t index[TH_MAX_DIMS], place = run->failed;
    char what[256], where[sizeof(THDescBuff) + 32] = "";

    if (run->code == TH_CORE_NO_MEMORY)
        return THError(TH_ERROR_MEMORY, "%s: out of memory", core->name);
    if (run->code == TH_CORE_TOO_LARGE)
        return THError(TH_ERROR_VALUE, "%s: a size is too large for the function", core->name);
    if (core->message != NULL)
        message = core->message(run->code);
    if (message != NULL)
        snprintf(what, sizeof what, "%s (code %d)", message, run->code);
    else
        snprintf(what, sizeof what, "failed with code %d", run->code);
    for (int d = batch->nDimension - 1; d >= 0; d--) {
        index[d] = place % batch->size[d];
        place /= batch->size[d];
    }
    if (batch->nDimension > 0)
        snprintf(where, sizeof where, " at batch index %s",
                 THSize_desc(batch->nDimension, index).str);
    return THError(TH_ERROR_RUNTIME, "%s: %s%s", core->name, what, where);
}

/* How many items make a range worth a thread: the product of all sizes is taken for the steps. */
static int64_t grainOf(const THCoreWork *work)
{
    int64_t steps = 1;
    for (int d = 0; d < work->core->ndims && steps < TH_PARALLEL_STEPS; d++)
        steps *= work->size[d] > 0 && work->size[d] < TH_PARALLEL_STEPS ? work->size[d]
                 : work->size[d] > 0                                    ? TH_PARALLEL_STEPS
                                                                        : 1;
    return steps < TH_PARALLEL_STEPS ? TH_PARALLEL_STEPS / steps : 1;
}

static int openRun(Run *run, const THCoreWork *work, THDtype dtype, THTensor *const *operands)
{
    const THCore *core = work->core;

    run->work = work;
    run->loop = core->loop[THIsa_current];
    run->noperands = core->noutputs + core->ninputs;
    run->failed = -1;
    for (int k = 0; k < run->noperands; k++) {
        const int status = openOperand(run, k, dtype, operands[k]);
        if (status != TH_OK)
            return status;
        for (int d = 0; d < core->operand[k].rank; d++)
            run->stride[k * TH_CORE_RANK + d] = run->operand[k].stride[d];
    }
    mergeBatch(run);
    return openScratch(run);
}

int THCore_run(const THCoreWork *work, THDtype dtype, THTensor *const *operands, const void *params)
{
    Run run = {.params = params};
    int64_t items = 1;
    int status = checkSizes(work);

    if (status == TH_OK)
        status = shapeOutputs(work, operands);
    if (status == TH_OK)
        status = openRun(&run, work, dtype, operands);
    if (status != TH_OK)
        return status;
    for (int d = 0; d < run.nDimension; d++)
        if (!THSize_mul(items, run.size[d], &items))
            return THError(TH_ERROR_VALUE, "%s: the batch has too many items", work->core->name);
    if (items == 0)
        return TH_OK;
    TH_parallel_for(items, grainOf(work), runRange, &run);
    if (run.noMemory)
        return THError(TH_ERROR_MEMORY, "out of memory: cannot allocate %" PRId64 " bytes",
                       run.scratch);
    return run.failed < 0 ? TH_OK : itemError(&run);
}
