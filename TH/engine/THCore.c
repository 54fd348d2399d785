/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Core operations: checks of their inputs, and the walk over items.
 *
 * Items are numbered in the order of the batch dims, which are merged where every operand walks
 * through them as through one. A range of items is done in runs along the last batch dim; where an
 * operand is staged, in panels of items through the range's own scratch memory. */
#include <TH/THExplain.h>
#include <TH/engine/THCoreRun.h>
#include <TH/engine/THRun.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

static bool isContiguous(const THCoreItems *self, int rank)
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
static int openOperand(THCoreRun *run, int k, THDtype dtype, const THTensor *tensor)
{
    static uint64_t nothing; /* empty tensors have no address, functions get one */
    const THCore *core = run->work->core;
    const THCoreOperand *declared = &core->operand[k];
    const THShape *batch = &run->work->batch;
    THCoreItems *self = &run->operand[k];
    if (tensor == NULL) {
        *self = (THCoreItems){.elements = 1};
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

static bool areOne(const THCoreRun *run, int outer, int inner)
{
    for (int k = 0; k < run->noperands; k++) {
        const int64_t *batch = run->operand[k].batch;
        if (batch[outer] != batch[inner] * run->size[inner])
            return false;
    }
    return true;
}

/* Batch dims of size 1 are dropped, neighbours that are one for every operand merged. */
static void mergeBatch(THCoreRun *run)
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

static void lock(THCoreRun *run)
{
    while (__atomic_test_and_set(&run->lock, __ATOMIC_ACQUIRE)) {
    }
}

static void unlock(THCoreRun *run)
{
    __atomic_clear(&run->lock, __ATOMIC_RELEASE);
}

/* A range ends with its first failure; of those the first one is told. */
static void noteFailure(THCoreRun *run, int64_t item, int code)
{
    lock(run);
    if (run->failed < 0 || item < run->failed) {
        run->failed = item;
        run->code = code;
    }
    unlock(run);
}

/* `n` items along the last batch dim; false with the first one that failed. */
static bool runRow(THCoreRun *run, char **data, int64_t n, char *scratch, const char **loaded,
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
    for (*done = 0; *done < n;) {
        const int64_t m = n - *done < run->panel ? n - *done : run->panel;
        const int64_t did = THCoreRun_panel(run, m, data, step, scratch, loaded, code);
        *done += did;
        if (did < m)
            return false;
        for (int k = 0; k < run->noperands; k++)
            data[k] += m * step[k];
    }
    return true;
}

static void runRange(int64_t begin, int64_t end, void *context)
{
    THCoreRun *run = context;
    const int inner = run->nDimension - 1;
    const char *loaded[TH_MAX_OPERANDS] = {NULL};
    char *scratch = THScratch_take(&run->memory);

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
    THScratch_give(scratch);
}

/* RuntimeError for an item, by its place in the batch. */
static int itemError(const THCoreRun *run)
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

static int openRun(THCoreRun *run, const THCoreWork *work, THDtype dtype, THTensor *const *operands)
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
    return THCoreRun_openScratch(run);
}

int THCore_run(const THCoreWork *work, THDtype dtype, THTensor *const *operands, const void *params)
{
    THCoreRun run = {.params = params};
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
    const int64_t grain = grainOf(work);
    status = THScratch_open(&run.memory, items, grain, run.staged ? run.scratch : 0);
    if (status == TH_OK)
        TH_parallel_items(items, grain, runRange, &run);
    THScratch_close(&run.memory);
    return status != TH_OK || run.failed < 0 ? status : itemError(&run);
}
