/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorting and selecting by keys: an unsigned integer of the elements' width stands for each
 * element, in the same order (complemented for descending orders). Long lines are sorted by their
 * keys' digits, least significant first; the k-th key is found digit by digit, most significant
 * first. Both are linear for every input. Pairs hold 32 bits of a key: of 64 the upper half, and
 * runs where it is the same are sorted by the lower half. */

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

static inline SortPair THTensor_(sortPair)(const scalar_t *x, int64_t index, sortkey_t flip)
{
    const sortkey_t key = THTensor_(sortKey)(THTensor_(sortLoad)(x + index), flip);
    return (SortPair){KEY_BITS > 32 ? (uint32_t)((uint64_t)key >> 32) : (uint32_t)key,
                      (uint32_t)index};
}

/* Pairs with keys of one upper half, by the lower ones; `keys` lie in memory of as many pairs. */
static void THTensor_(sortLowerRun)(SortPair *a, sortkey_t *keys, int64_t n, uint32_t *counts)
{
    const uint64_t upper = (uint64_t)keys[0] & ~(uint64_t)UINT32_MAX;
    for (int64_t i = 0; i < n; i++)
        a[i].key = (uint32_t)keys[i];
    const SortPair *sorted = sortPairs(a, (SortPair *)keys, n, counts, 32);
    if (sorted != a)
        memcpy(a, sorted, (size_t)n * sizeof *a);
    for (int64_t i = 0; i < n; i++)
        keys[i] = (sortkey_t)(upper | a[i].key);
}

/* Pairs sorted by the upper halves of 64 bits become sorted by all of them; `keys`, in memory of as
 * many pairs, takes the whole keys. All are fetched at once, which waits for memory less often than
 * fetching them where they are needed. */
static void THTensor_(sortLower)(const scalar_t *x, SortPair *a, sortkey_t *keys, int64_t n,
                                 uint32_t *counts, sortkey_t flip)
{
    for (int64_t i = 0; i < n; i++)
        keys[i] = THTensor_(sortKey)(THTensor_(sortLoad)(x + a[i].index), flip);
    for (int64_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && a[end].key == a[begin].key;)
            end++;
        if (end - begin > SORT_INSERTION) {
            THTensor_(sortLowerRun)(a + begin, keys + begin, end - begin, counts);
            continue;
        }
        for (int64_t i = begin + 1; i < end; i++) {
            const sortkey_t key = keys[i];
            const SortPair moved = a[i];
            int64_t j = i;
            for (; j > begin && keys[j - 1] > key; j--) {
                keys[j] = keys[j - 1];
                a[j] = a[j - 1];
            }
            keys[j] = key;
            a[j] = moved;
        }
    }
}

/* Sorts pairs made by sortPair. They are in `a` or in `b`, which is returned; the other one then
 * holds the keys, where these have 64 bits. */
static SortPair *THTensor_(sortAll)(const scalar_t *x, SortPair *a, SortPair *b, int64_t n,
                                    uint32_t *counts, sortkey_t flip)
{
    SortPair *sorted = sortPairs(a, b, n, counts, KEY_BITS < 32 ? KEY_BITS : 32);
    if (KEY_BITS > 32)
        THTensor_(sortLower)(x, sorted, (sortkey_t *)(sorted == a ? b : a), n, counts, flip);
    return sorted;
}

/* The element of a key; *vague where it does not tell all: the sign of zero, the bits of NaN. */
static inline scalar_t THTensor_(sortValue)(sortkey_t key, bool *vague)
{
    const sortkey_t top = (sortkey_t)((sortkey_t)1 << (KEY_BITS - 1));
#ifdef TH_CATEGORY_IS_FLOATING
    const sortkey_t bits = key & top ? key ^ top : ~key;
    scalar_t value;
    memcpy(&value, &bits, sizeof value);
    *vague = key == top || key == (sortkey_t)-1;
    return value;
#else
    *vague = false;
    return (scalar_t)(key ^ ((scalar_t)-1 < (scalar_t)0 ? top : 0));
#endif
}

/* Elements are made from their keys, without a look at distant memory, where these tell all. */
static void THTensor_(sortStore)(const scalar_t *x, const SortPair *sorted, const void *other,
                                 int64_t n, sortkey_t flip, scalar_t *values, int64_t *indices)
{
    const sortkey_t *keys = other;
    bool vague;
    int some = 0;
    for (int64_t i = 0; i < n; i++)
        indices[i] = sorted[i].index;
    for (int64_t i = 0; i < n && values; i++) {
        const sortkey_t key = KEY_BITS > 32 ? keys[i] : (sortkey_t)sorted[i].key;
        values[i] = THTensor_(sortValue)((sortkey_t)(key ^ flip), &vague);
        some |= vague;
    }
    for (int64_t i = 0; i < n && some; i++) {
        const sortkey_t key = KEY_BITS > 32 ? keys[i] : (sortkey_t)sorted[i].key;
        THTensor_(sortValue)((sortkey_t)(key ^ flip), &vague);
        if (vague)
            values[i] = x[sorted[i].index];
    }
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
        a[i] = THTensor_(sortPair)(x, i, flip);
    const SortPair *sorted = THTensor_(sortAll)(x, a, b, n, counts, flip);
    THTensor_(sortStore)(x, sorted, sorted == a ? b : a, n, flip,
                         order->indicesOnly ? NULL : results[0],
                         results[order->indicesOnly ? 0 : 1]);
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
        if (key < last || (key == last && equal-- >= 0)) {
            a[taken] = THTensor_(sortPair)(x, i, flip);
            ((sortkey_t *)b)[taken++] = key;
        }
    }
    const SortPair *sorted = order->sorted ? THTensor_(sortAll)(x, a, b, k, counts, flip) : a;
    THTensor_(sortStore)(x, sorted, sorted == a ? b : a, k, flip, results[0], results[1]);
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
