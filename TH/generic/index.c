/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Indexed access with arithmetic. Elements that hit the same place are added in the order of the
 * index, so results are the same on any number of threads. */
#ifndef TH_GENERIC_FILE
#error "compile TH/ops/THIndex.c instead"
#endif

TH_LOOPS_DECLARE(TH_ADD_ROW_DECLARE, addRow, Real);
TH_LOOPS_DECLARE(TH_ADD_ITEMS_DECLARE, addItems, Real);

static void THTensor_(addLine)(const THLine *line)
{
    typedef TH_ADD_ROW_DECLARE(AddRow);
    typedef TH_ADD_ITEMS_DECLARE(AddItems);
    static AddRow *const rows[TH_ISA_COUNT] = TH_LOOPS(addRow, Real);
    static AddItems *const items[TH_ISA_COUNT] = TH_LOOPS(addItems, Real);
    const THAddIndexing *context = line->context;
    const int64_t item = (int64_t)sizeof(storage_t);
    if (line->stride[0] == 0 && line->stride[1] == item && line->stride[2] == item) {
        char *to = line->data[2] + THIndexing_offset(&context->indexing, line->data[0]);
        rows[THIsa_for(line->n)](line->n, to, line->data[1], context->alpha);
        return;
    }
    items[THIsa_for(line->n)](line);
}

int THTensor_(scatter_add)(THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                           THTensor *src)
{
    const scalar_t one = 1;
    THAddIndexing context = {.alpha = &one};
    return THIndex_scatter("scatter_add", result, self, dim, index, src, THTensor_(addLine),
                           &context.indexing);
}

int THTensor_(put)(THTensor *result, THTensor *self, THTensor *index, THTensor *source,
                   bool accumulate)
{
    const scalar_t one = 1;
    THAddIndexing context = {.alpha = &one};
    return THIndex_put(result, self, index, source,
                       accumulate ? THTensor_(addLine) : THLine_scatter, &context.indexing);
}

int THTensor_(index_add)(THTensor *result, THTensor *self, int64_t dim, THTensor *index,
                         THTensor *source, scalar_t alpha)
{
    THAddIndexing context = {.alpha = &alpha};
    return THIndex_write("index_add", result, self, dim, index, source, THTensor_(addLine),
                         &context.indexing);
}
