/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorting and selecting by keys: an unsigned integer of the elements' width stands for each
 * element, in the same order (complemented for descending orders). Long lines are sorted by their
 * keys' digits, least significant first; the k-th key is found digit by digit, most significant
 * first. Both are linear for every input. Values are fetched by their indices at the end. */

#if defined(TH_REAL_IS_LONG) || defined(TH_REAL_IS_DOUBLE)
#define sortkey_t uint64_t
#elif defined(TH_REAL_IS_INT) || defined(TH_CATEGORY_IS_FLOATING)
#define sortkey_t uint32_t
#elif defined(TH_REAL_IS_SHORT)
#define sortkey_t uint16_t
#else
#define sortkey_t uint8_t
#endif
#define KEY_BITS ((int)sizeof(sortkey_t) * 8)
#define SortPair TH_CONCAT_3(TH, Real, SortPair)

typedef struct SortPair {
    sortkey_t key;
    uint32_t index;
} SortPair;

static inline sortkey_t THTensor_(sortKey)(scalar_t x, sortkey_t flip)
{
    const sortkey_t top = (sortkey_t)((sortkey_t)1 << (KEY_BITS - 1));
    sortkey_t key;
#ifdef TH_CATEGORY_IS_FLOATING
    x = x == 0 ? 0 : x;
    memcpy(&key, &x, sizeof key);
    key = key & top ? ~key : key | top;
    key = x != x ? (sortkey_t)-1 : key;
#else
    key = (sortkey_t)((sortkey_t)x ^ ((scalar_t)-1 < (scalar_t)0 ? top : 0));
#endif
    return (sortkey_t)(key ^ flip);
}

/* Elements as the lines hold them (Half as float, Bool as 0 or 1). */
static inline scalar_t THTensor_(sortLoad)(const scalar_t *x)
{
#ifdef TH_CATEGORY_IS_BOOL
    return *x != 0;
#else
    return *x;
#endif
}

static void THTensor_(sortInsert)(SortPair *a, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        const SortPair moved = a[i];
        int64_t j = i;
        for (; j > 0 && a[j - 1].key > moved.key; j--)
            a[j] = a[j - 1];
        a[j] = moved;
    }
}

/* One pass of the radix sort: false when all keys have the same digit. */
static bool THTensor_(sortDigit)(const SortPair *from, SortPair *to, int64_t n, uint32_t *count,
                                 int digits, int shift)
{
    const sortkey_t mask = (sortkey_t)(digits - 1);
    if (count[from[0].key >> shift & mask] == n)
        return false;
    uint32_t sum = 0;
    for (int i = 0; i < digits; i++) {
        const uint32_t c = count[i];
        count[i] = sum;
        sum += c;
    }
    for (int64_t i = 0; i < n; i++)
        to[count[from[i].key >> shift & mask]++] = from[i];
    return true;
}

/* Stable; the sorted pairs are in `a` or in `b`, which is returned. */
static SortPair *THTensor_(sortPairs)(SortPair *a, SortPair *b, int64_t n, uint32_t *counts)
{
    if (n <= SORT_INSERTION) {
        THTensor_(sortInsert)(a, n);
        return a;
    }
    const int bits = n >= SORT_WIDE && KEY_BITS > 8 ? SORT_WIDE_BITS : 8;
    const int digits = 1 << bits, passes = (KEY_BITS + bits - 1) / bits;
    memset(counts, 0, (size_t)(passes * digits) * sizeof *counts);
    for (int64_t i = 0; i < n; i++)
        for (int pass = 0; pass < passes; pass++)
            counts[pass * digits + (int)(a[i].key >> (pass * bits) & (sortkey_t)(digits - 1))]++;
    for (int pass = 0; pass < passes; pass++) {
        if (THTensor_(sortDigit)(a, b, n, counts + pass * digits, digits, pass * bits)) {
            SortPair *swap = a;
            a = b;
            b = swap;
        }
    }
    return a;
}

static void THTensor_(sortStore)(const scalar_t *x, const SortPair *sorted, int64_t n,
                                 scalar_t *values, int64_t *indices)
{
    for (int64_t i = 0; i < n; i++)
        indices[i] = sorted[i].index;
    for (int64_t i = 0; i < n && values; i++)
        values[i] = THTensor_(sortLoad)(x + sorted[i].index);
}

static void THTensor_(sortLine)(const THLineFunction *function, int64_t n, const void *line,
                                void *const *results, void *scratch)
{
    const THSortOrder *order = function->params;
    const scalar_t *x = line;
    uint32_t *counts = scratch;
    SortPair *a = (SortPair *)(counts + SORT_COUNTS), *b = a + n;
    const sortkey_t flip = (sortkey_t)(order->descending ? -1 : 0);
    for (int64_t i = 0; i < n; i++)
        a[i] = (SortPair){THTensor_(sortKey)(THTensor_(sortLoad)(x + i), flip), (uint32_t)i};
    a = THTensor_(sortPairs)(a, b, n, counts);
    if (order->indicesOnly)
        THTensor_(sortStore)(x, a, n, NULL, results[0]);
    else
        THTensor_(sortStore)(x, a, n, results[0], results[1]);
}

/* The key in place k of n sorted keys (which are shuffled), and how many equal ones come before. */
static sortkey_t THTensor_(sortSelect)(sortkey_t *keys, int64_t n, int64_t k, int64_t *before)
{
    for (int shift = KEY_BITS - 8; shift >= 0 && n > 1; shift -= 8) {
        uint32_t count[256] = {0};
        for (int64_t i = 0; i < n; i++)
            count[keys[i] >> shift & 255]++;
        sortkey_t digit = 0;
        for (; k >= count[digit]; digit++)
            k -= count[digit];
        int64_t kept = 0;
        for (int64_t i = 0; i < n; i++) {
            const sortkey_t key = keys[i];
            keys[kept] = key;
            kept += (key >> shift & 255) == digit;
        }
        n = kept;
    }
    *before = k;
    return keys[0];
}

static void THTensor_(topkLine)(const THLineFunction *function, int64_t n, const void *line,
                                void *const *results, void *scratch)
{
    const THSortOrder *order = function->params;
    const scalar_t *x = line;
    const int64_t k = function->length;
    uint32_t *counts = scratch;
    SortPair *a = (SortPair *)(counts + SORT_COUNTS), *b = a + k;
    sortkey_t *keys = (sortkey_t *)(b + k);
    const sortkey_t flip = (sortkey_t)(order->descending ? -1 : 0);
    for (int64_t i = 0; i < n; i++)
        keys[i] = THTensor_(sortKey)(THTensor_(sortLoad)(x + i), flip);
    int64_t equal, taken = 0;
    const sortkey_t last = THTensor_(sortSelect)(keys, n, k - 1, &equal);
    for (int64_t i = 0; i < n && taken < k; i++) {
        const sortkey_t key = THTensor_(sortKey)(THTensor_(sortLoad)(x + i), flip);
        if (key < last || (key == last && equal-- >= 0))
            a[taken++] = (SortPair){key, (uint32_t)i};
    }
    if (order->sorted)
        a = THTensor_(sortPairs)(a, b, k, counts);
    THTensor_(sortStore)(x, a, k, results[0], results[1]);
}

static void THTensor_(kthLine)(const THLineFunction *function, int64_t n, const void *line,
                               void *const *results, void *scratch)
{
    const THSortOrder *order = function->params;
    const scalar_t *x = line;
    sortkey_t *keys = scratch;
    int64_t at = n, equal;
    for (int64_t i = 0; i < n; i++) {
        const scalar_t value = THTensor_(sortLoad)(x + i);
        keys[i] = THTensor_(sortKey)(value, 0);
        if (order->nanWins && value != value && at == n)
            at = i;
    }
    if (at == n) {
        const sortkey_t key = THTensor_(sortSelect)(keys, n, order->k, &equal);
        for (at = 0; THTensor_(sortKey)(THTensor_(sortLoad)(x + at), 0) != key || equal-- > 0;)
            at++;
    }
    *(scalar_t *)results[0] = THTensor_(sortLoad)(x + at);
    *(int64_t *)results[1] = at;
}

static int64_t THTensor_(sortLength)(const THTensor *self, int64_t dim)
{
    return self->nDimension ? self->size[dim] : 1;
}

static int THTensor_(sortRun)(THLineFunction *function, THTensor *const *results, int nresults,
                              THTensor *self, int64_t dim, bool keepdim)
{
    int64_t size[TH_MAX_DIMS];
    int n = 0;
    TH_CHECK(THTensor_(sortLength)(self, dim) <= UINT32_MAX, TH_ERROR_VALUE,
             "%s: dims of more than %u elements are not supported", function->op, UINT32_MAX);
    for (int d = 0; d < self->nDimension; d++)
        if (d != dim || keepdim)
            size[n++] = d == dim ? function->length : self->size[d];
    for (int r = 0; r < nresults; r++) {
        const int status = THTensor_resizeOutput(function->op, results[r], n, size);
        if (status != TH_OK)
            return status;
    }
    return THLineFunction_run(function, results, nresults, self, dim);
}

int THTensor_(sort)(THTensor *values, THTensor *indices, THTensor *self, int64_t dim,
                    bool descending, bool stable)
{
    const THDtype compute = (THDtype)THDtype_computes[TH_DTYPE];
    const THSortOrder order = {.descending = descending};
    const int64_t n = THTensor_(sortLength)(self, dim);
    THLineFunction function = {.op = "sort",
                               .from = compute,
                               .to = {compute, TH_LONG},
                               .length = n,
                               .scratch = SORT_COUNTS * 4 + 2 * n * (int64_t)sizeof(SortPair),
                               .params = &order,
                               .call = THTensor_(sortLine)};
    (void)stable;
    return THTensor_(sortRun)(&function, (THTensor *[]){values, indices}, 2, self, dim, true);
}

int THTensor_(argsort)(THTensor *indices, THTensor *self, int64_t dim, bool descending, bool stable)
{
    const THSortOrder order = {.descending = descending, .indicesOnly = true};
    const int64_t n = THTensor_(sortLength)(self, dim);
    THLineFunction function = {.op = "argsort",
                               .from = (THDtype)THDtype_computes[TH_DTYPE],
                               .to = {TH_LONG},
                               .length = n,
                               .scratch = SORT_COUNTS * 4 + 2 * n * (int64_t)sizeof(SortPair),
                               .params = &order,
                               .call = THTensor_(sortLine)};
    (void)stable;
    return THTensor_(sortRun)(&function, &indices, 1, self, dim, true);
}

int THTensor_(topk)(THTensor *values, THTensor *indices, THTensor *self, int64_t k, int64_t dim,
                    bool largest, bool sorted)
{
    const THDtype compute = (THDtype)THDtype_computes[TH_DTYPE];
    const THSortOrder order = {.descending = largest, .sorted = sorted};
    const int64_t n = THTensor_(sortLength)(self, dim);
    TH_CHECK(k >= 0 && k <= n, TH_ERROR_VALUE,
             "topk: expected k from 0 to %" PRId64 ", the size of dim %" PRId64 ", got %" PRId64, n,
             dim, k);
    if (self->nDimension == 0) /* its one element, for k 0 too */
        k = 1;
    THLineFunction function = {.op = "topk",
                               .from = compute,
                               .to = {compute, TH_LONG},
                               .length = k,
                               .scratch = SORT_COUNTS * 4 + 2 * k * (int64_t)sizeof(SortPair) +
                                          n * (int64_t)sizeof(sortkey_t),
                               .params = &order,
                               .call = THTensor_(topkLine)};
    return THTensor_(sortRun)(&function, (THTensor *[]){values, indices}, 2, self, dim, true);
}

static int THTensor_(sortKth)(const char *op, THTensor *values, THTensor *indices, THTensor *self,
                              const THSortOrder *order, int64_t dim, bool keepdim)
{
    const THDtype compute = (THDtype)THDtype_computes[TH_DTYPE];
    const int64_t n = THTensor_(sortLength)(self, dim);
    THLineFunction function = {.op = op,
                               .from = compute,
                               .to = {compute, TH_LONG},
                               .length = 1,
                               .scratch = n * (int64_t)sizeof(sortkey_t),
                               .params = order,
                               .call = THTensor_(kthLine)};
    return THTensor_(sortRun)(&function, (THTensor *[]){values, indices}, 2, self, dim, keepdim);
}

int THTensor_(kthvalue)(THTensor *values, THTensor *indices, THTensor *self, int64_t k, int64_t dim,
                        bool keepdim)
{
    const int64_t n = THTensor_(sortLength)(self, dim);
    const THSortOrder order = {.k = k - 1};
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
    const THSortOrder order = {.k = (n - 1) / 2, .nanWins = true};
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

#undef sortkey_t
#undef KEY_BITS
#undef SortPair
