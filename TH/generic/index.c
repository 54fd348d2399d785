/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Indexed access with arithmetic. Elements that hit the same place are added in the order of the
 * index, so results are the same on any number of threads. */
#ifndef TH_GENERIC_FILE
#error "compile TH/ops/THIndex.c instead"
#endif

typedef struct THTensor_(AddContext) {
    THIndexing indexing;
    scalar_t alpha;
} THTensor_(AddContext);

/* One index for the whole line: a sum of two rows. */
TH_LOOPS_DECLARE(TH_ADD_ROW_DECLARE, addRow, Real);
static void THTensor_(addRow)(int64_t n, void *to, const void *from, const scalar_t *alpha)
{
    typedef TH_ADD_ROW_DECLARE(AddRow);
    static AddRow *const loops[TH_ISA_COUNT] = TH_LOOPS(addRow, Real);
    loops[THIsa_for(n)](n, to, from, alpha);
}

/* An index for each element, all adjacent. */
static void THTensor_(addDense)(int64_t n, storage_t *to, const int64_t *index,
                                const storage_t *from, scalar_t alpha)
{
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; i++) {
        const scalar_t term = (scalar_t)(alpha * TH_LOAD(from + i));
        TH_STORE(to + index[i], TH_LOAD(to + index[i]) + term);
    }
}

static void THTensor_(addLine)(const THLine *line)
{
    const THTensor_(AddContext) *context = line->context;
    const char *index = line->data[0], *from = line->data[1];
    char *to = line->data[2];
    if (line->stride[0] == 0 && line->stride[1] == (int64_t)sizeof(storage_t) &&
        line->stride[2] == (int64_t)sizeof(storage_t)) {
        to += THIndexing_offset(&context->indexing, index);
        THTensor_(addRow)(line->n, to, from, &context->alpha);
        return;
    }
    if (THLine_isDense(line, (int64_t)sizeof(storage_t)) && context->indexing.wrap == 0) {
        THTensor_(addDense)(line->n, (storage_t *)to, (const int64_t *)(const void *)index,
                            (const storage_t *)from, context->alpha);
        return;
    }
    for (int64_t i = 0; i < line->n; i++) {
        storage_t *element = (storage_t *)(to + THIndexing_offset(&context->indexing, index));
        const scalar_t term = (scalar_t)(context->alpha * TH_LOAD((const storage_t *)from));
        TH_STORE(element, TH_LOAD(element) + term);
        index += line->stride[0];
        from += line->stride[1];
        to += line->stride[2];
    }
}

int THTensor_(scatter_add)(THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                           THTensor *src)
{
    THTensor_(AddContext) context = {.alpha = 1};
    return THIndex_scatter("scatter_add", result, self, dim, index, src, THTensor_(addLine),
                           &context.indexing);
}

int THTensor_(put)(THTensor *result, THTensor *self, THTensor *index, THTensor *source,
                   bool accumulate)
{
    THTensor_(AddContext) context = {.alpha = 1};
    return THIndex_put(result, self, index, source,
                       accumulate ? THTensor_(addLine) : THLine_scatter, &context.indexing);
}

int THTensor_(index_add)(THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                         THTensor *source, scalar_t alpha)
{
    THTensor_(AddContext) context = {.alpha = alpha};
    return THIndex_write("index_add", result, self, dim, index, source, THTensor_(addLine),
                         &context.indexing);
}
