/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorting and selecting: checks, shapes, and the loops of a dtype. */

TH_LOOPS_DECLARE(TH_SORT_DECLARE, sort, TH_COMPUTE_REAL);
static THLineCall *const *const THTensor_(sortTables)[TH_ISA_COUNT] = TH_LOOPS(sort,
                                                                               TH_COMPUTE_REAL);

TH_LOOPS_DECLARE(TH_SORT_DECLARE_PANEL, sortPanel, TH_COMPUTE_REAL);
static const THSortPanel *const THTensor_(sortPanels)[TH_ISA_COUNT] = TH_LOOPS(sortPanel,
                                                                               TH_COMPUTE_REAL);

static int64_t THTensor_(sortLength)(const THTensor *self, int64_t dim)
{
    return self->nDimension ? self->size[dim] : 1;
}

/* Fills in the call of `loops`; of the results the last are indices. */
static int THTensor_(sortRun)(THLineFunction *function, THSortOp loops, THTensor *const *results,
                              int nresults, THTensor *self, int64_t dim, bool keepdim)
{
    const int64_t length = THTensor_(sortLength)(self, dim);
    const THSortPanel *panel = THTensor_(sortPanels)[THIsa_current];
    TH_CHECK(length <= UINT32_MAX, TH_ERROR_VALUE,
             "%s: dims of more than %u elements are not supported", function->op, UINT32_MAX);
    const int status = THSort_shape(function, results, nresults, self, dim, keepdim);
    if (status != TH_OK)
        return status;
    const THSortOrder *order = function->params;
    THTensor *const indices = loops == TH_SORT_VALUES ? NULL : results[nresults - 1];
    if (length == 1 && function->length == 1)
        return THSort_one(order->indicesOnly ? NULL : results[0], indices, self, dim);
    function->from = function->to[0] = (THDtype)THDtype_computes[TH_DTYPE];
    function->panelTo[0] = function->from;
    if (indices) {
        function->to[nresults - 1] = TH_LONG;
        function->panelTo[nresults - 1] = THSort_panelIndex(function->from);
    }
    THSort_setPanel(function, panel, indices == NULL, length);
    function->scratch = loops == TH_SORT_ALL ? 0 : TH_SORT_SCRATCH(length);
    function->call = THTensor_(sortTables)[THIsa_current][loops];
    if (loops == TH_SORT_VALUES)
        THSort_setAlone(function, TH_DTYPE, length);
    return THLineFunction_run(function, results, nresults, self, dim);
}

int THTensor_(sort)(THTensor *values, THTensor *indices, THTensor *self, int64_t dim,
                    bool descending, bool stable)
{
    const THSortOrder order = {.descending = descending};
    const int64_t n = THTensor_(sortLength)(self, dim);
    THLineFunction function = {.op = "sort", .length = n, .params = &order};
    (void)stable;
    return THTensor_(sortRun)(&function, TH_SORT_ALL, (THTensor *[]){values, indices}, 2, self, dim,
                              true);
}

int THTensor_(msort)(THTensor *values, THTensor *self, int64_t dim, bool descending)
{
    const THSortOrder order = {.descending = descending};
    const int64_t n = THTensor_(sortLength)(self, dim);
    THLineFunction function = {.op = "msort", .length = n, .params = &order};
    return THTensor_(sortRun)(&function, TH_SORT_VALUES, &values, 1, self, dim, true);
}

int THTensor_(argsort)(THTensor *indices, THTensor *self, int64_t dim, bool descending, bool stable)
{
    const THSortOrder order = {.descending = descending, .indicesOnly = true};
    const int64_t n = THTensor_(sortLength)(self, dim);
    THLineFunction function = {.op = "argsort", .length = n, .params = &order};
    (void)stable;
    return THTensor_(sortRun)(&function, TH_SORT_ALL, &indices, 1, self, dim, true);
}

int THTensor_(topk)(THTensor *values, THTensor *indices, THTensor *self, int64_t k, int64_t dim,
                    bool largest, bool sorted)
{
    const THSortOrder order = {.descending = largest, .unordered = !sorted};
    const int64_t n = THTensor_(sortLength)(self, dim);
    TH_CHECK(k >= 0 && k <= n, TH_ERROR_VALUE,
             "topk: expected k from 0 to %" PRId64 ", the size of dim %" PRId64 ", got %" PRId64, n,
             dim, k);
    if (self->nDimension == 0) /* its one element, for k 0 too */
        k = 1;
    THLineFunction function = {.op = "topk", .length = k, .params = &order};
    return THTensor_(sortRun)(&function, TH_SORT_TOPK, (THTensor *[]){values, indices}, 2, self,
                              dim, true);
}

static int THTensor_(sortKth)(const char *op, THTensor *values, THTensor *indices, THTensor *self,
                              const THSortOrder *order, int64_t dim, bool keepdim)
{
    THLineFunction function = {.op = op, .length = 1, .params = order};
    return THTensor_(sortRun)(&function, TH_SORT_KTH, (THTensor *[]){values, indices}, 2, self, dim,
                              keepdim);
}

int THTensor_(kthvalue)(THTensor *values, THTensor *indices, THTensor *self, int64_t k, int64_t dim,
                        bool keepdim)
{
    const int64_t n = THTensor_(sortLength)(self, dim);
    const THSortOrder order = {.k = k - 1, .one = true};
    TH_CHECK(k >= 1 && k <= n, TH_ERROR_VALUE,
             "kthvalue: expected k from 1 to %" PRId64 ", the size of dim %" PRId64
             ", got %" PRId64,
             n, dim, k);
    return THTensor_(sortKth)("kthvalue", values, indices, self, &order, dim, keepdim);
}

int THTensor_(median)(THTensor *values, THTensor *indices, THTensor *self, int64_t dim,
                      bool keepdim)
{
    const int64_t n = THTensor_(sortLength)(self, dim);
    const THSortOrder order = {.k = (n - 1) / 2, .one = true, .nanWins = true};
    TH_CHECK(n > 0, TH_ERROR_INDEX,
             "median: cannot reduce over dim %" PRId64 " of size 0, which has no median", dim);
    return THTensor_(sortKth)("median", values, indices, self, &order, dim, keepdim);
}

int THTensor_(medianall)(THTensor *result, THTensor *self)
{
    const int64_t n = THTensor_nElement(self);
    THTensor *line = NULL, *indices = NULL;
    int status = TH_OK;
#ifdef TH_CATEGORY_IS_FLOATING
    if (n == 0) {
        TH_TRY(THTensor_resizeOutput("median", result, 0, NULL));
        TH_TRY(THTensor_fill(result, THScalar_fromDouble(NAN)));
        goto done;
    }
#endif
    TH_REQUIRE(n > 0, TH_ERROR_VALUE, "median: no elements have no median");
    TH_TRY(THTensor_newReshape(&line, self, &n, 1));
    TH_TRY(THTensor_newEmpty(&indices, TH_LONG));
    TH_TRY(THTensor_(median)(result, indices, line, 0, false));
done:
    THTensor_free(line);
    THTensor_free(indices);
    return status;
}
