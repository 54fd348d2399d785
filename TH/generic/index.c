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
static inline __attribute__((always_inline)) void
THTensor_(addDense)(const THLine *line, int64_t begin, int64_t end, bool far)
{
    const scalar_t alpha = ((const THTensor_(AddContext) *)line->context)->alpha;
    const int64_t *index = (const int64_t *)(const void *)line->data[0];
    const storage_t *from = (const storage_t *)line->data[1];
    storage_t *to = (storage_t *)line->data[2];
#pragma GCC unroll 4
    for (int64_t i = begin; i < end; i++) {
        if (far)
            __builtin_prefetch(to + index[i + TH_WRITE_AHEAD], 1);
        const scalar_t term = (scalar_t)(alpha * TH_LOAD(from + i));
        TH_STORE(to + index[i], TH_LOAD(to + index[i]) + term);
    }
}

static inline __attribute__((always_inline)) void
THTensor_(addItems)(const THLine *line, int64_t begin, int64_t end, bool far)
{
    const THTensor_(AddContext) context = *(const THTensor_(AddContext) *)line->context;
    const int64_t indexStep = line->stride[0], fromStep = line->stride[1], toStep = line->stride[2];
    const char *index = line->data[0] + begin * indexStep;
    const char *from = line->data[1] + begin * fromStep;
    char *to = line->data[2] + begin * toStep;
#pragma GCC unroll 4
    for (int64_t i = begin; i < end; i++) {
        if (far)
            THIndexing_ask(line, index, to);
        storage_t *element = (storage_t *)(to + THIndexing_offset(&context.indexing, index));
        const scalar_t term = (scalar_t)(context.alpha * TH_LOAD((const storage_t *)from));
        TH_STORE(element, TH_LOAD(element) + term);
        index += indexStep;
        from += fromStep;
        to += toStep;
    }
}

static bool THTensor_(addsDense)(const THLine *line)
{
    return THLine_isDense(line, (int64_t)sizeof(storage_t)) &&
           ((const THIndexing *)line->context)->wrap == 0;
}

/* Places far away: of so many items those that come later are asked for. */
static __attribute__((noinline)) void THTensor_(addFar)(const THLine *line, int64_t asked)
{
    if (THTensor_(addsDense)(line)) {
        THTensor_(addDense)(line, 0, asked, true);
        THTensor_(addDense)(line, asked, line->n, false);
    } else {
        THTensor_(addItems)(line, 0, asked, true);
        THTensor_(addItems)(line, asked, line->n, false);
    }
}

static void THTensor_(addLine)(const THLine *line)
{
    const THTensor_(AddContext) *context = line->context;
    if (line->stride[0] == 0 && line->stride[1] == (int64_t)sizeof(storage_t) &&
        line->stride[2] == (int64_t)sizeof(storage_t)) {
        char *to = line->data[2] + THIndexing_offset(&context->indexing, line->data[0]);
        THTensor_(addRow)(line->n, to, line->data[1], &context->alpha);
        return;
    }
    const int64_t asked = THIndexing_asked(&context->indexing, line->n);
    if (asked > 0)
        THTensor_(addFar)(line, asked);
    else if (THTensor_(addsDense)(line))
        THTensor_(addDense)(line, 0, line->n, false);
    else
        THTensor_(addItems)(line, 0, line->n, false);
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
