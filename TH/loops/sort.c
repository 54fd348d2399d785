/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines sorted and selected by words; TH/ops/THSorting.h tells what these are. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/ops/THSorting.h>

#include <string.h>

#define BLOCK 64        /* elements compared with the last of the best at a time */
#define FEW 128         /* elements sorted faster than selected from */
#define PIECE 16        /* ... of those where one comes before it */
#define CANDIDATES 128  /* topk keeps, at least */
#define TOPK_SHARE 16   /* of a line are few enough to be kept as candidates */
#define RUN_INSERTION 8 /* words that are equal but for their indices sorted by insertion */

THWordsSort TH_ISA_(THWords_sort);
THWordsSelect TH_ISA_(THWords_select);
THWordsPartition TH_ISA_(THWords_partition);

static int64_t TH_ISA_(arrayWords)(int64_t n)
{
    return (n + TH_WORD_SLACK + 7) & ~(int64_t)7;
}

/* Words, spare words, and where keys are rebuilt. */
static int64_t TH_ISA_(sortScratch)(int64_t n, int64_t k)
{
    (void)k;
    return 3 * TH_ISA_(arrayWords)(n) * (int64_t)sizeof(uint64_t);
}

/* Elements that are kept where k are wanted; 0: none, the k-th is looked for among all. */
static int64_t TH_ISA_(candidates)(int64_t n, int64_t k)
{
    const int64_t kept = 8 * k > CANDIDATES ? 8 * k : CANDIDATES;
    return k > 0 && k <= n / TOPK_SHARE && 2 * kept <= n ? kept : 0;
}

static int64_t TH_ISA_(topkScratch)(int64_t n, int64_t k)
{
    const int64_t kept = TH_ISA_(candidates)(n, k);
    return kept ? 5 * TH_ISA_(arrayWords)(kept) * (int64_t)sizeof(uint64_t)
                : TH_ISA_(sortScratch)(n, k);
}

static inline int TH_ISA_(bitsBelow)(uint64_t n)
{
    return n ? 64 - __builtin_clzll(n) : 0;
}

#define TH_GENERIC_FILE "TH/loops/sort.c"
#include <TH/THGenerateLoopTypes.h>

#else

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

/* -0 has the key of 0, and all NaN have one. */
static inline sortkey_t THLoop_(sortKey)(scalar_t x, sortkey_t flip)
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

/* How the elements of a line become words: (key - least) >> shift above `bits` bits of index. */
typedef struct THLoop_(Packing) {
    sortkey_t flip, least;
    int shift, bits;
    uint64_t mask; /* of the index */
} THLoop_(Packing);

static THLoop_(Packing) THLoop_(packing)(int64_t n, const storage_t *x, bool descending)
{
    const sortkey_t flip = (sortkey_t)(descending ? -1 : 0);
    const int bits = TH_ISA_(bitsBelow)((uint64_t)n - 1);
    sortkey_t least = 0, greatest = (sortkey_t)-1;
    if (KEY_BITS == 64) {
        least = greatest = THLoop_(sortKey)(TH_LOAD(x), flip);
        for (int64_t i = 1; i < n; i++) {
            const sortkey_t key = THLoop_(sortKey)(TH_LOAD(x + i), flip);
            least = key < least ? key : least;
            greatest = key > greatest ? key : greatest;
        }
    }
    const int excess = TH_ISA_(bitsBelow)((sortkey_t)(greatest - least)) + bits - TH_WORD_BITS;
    return (THLoop_(Packing)){flip, least, excess > 0 ? excess : 0, bits,
                              ((uint64_t)1 << bits) - 1};
}

static inline uint64_t THLoop_(wordOf)(const THLoop_(Packing) * packing, const storage_t *x,
                                       int64_t i)
{
    const sortkey_t key =
        (sortkey_t)(THLoop_(sortKey)(TH_LOAD(x + i), packing->flip) - packing->least);
    return TH_WORD_FIRST | (uint64_t)(key >> packing->shift) << packing->bits | (uint64_t)i;
}

static void THLoop_(pack)(const THLoop_(Packing) * packing, int64_t n, const storage_t *restrict x,
                          uint64_t *restrict words)
{
    const THLoop_(Packing) p = *packing;
    for (int64_t i = 0; i < n; i++)
        words[i] = THLoop_(wordOf)(&p, x, i);
}

/* Words that have the same bits of keys, by what was cut off of these: digit by digit, the least
 * first, of as many bits as there is room for above the place in the run. */
static void THLoop_(sortRun)(const THLoop_(Packing) * packing, int64_t n, const storage_t *x,
                             uint64_t *words, uint64_t *spare, uint64_t *keys)
{
    const int bits = TH_ISA_(bitsBelow)((uint64_t)n - 1), room = TH_WORD_BITS - bits;
    for (int from = 0; from < packing->shift; from += room) {
        const int left = packing->shift - from;
        const uint64_t digit = ((uint64_t)1 << (left < room ? left : room)) - 1;
        for (int64_t i = 0; i < n; i++) {
            const sortkey_t key =
                (sortkey_t)(THLoop_(sortKey)(TH_LOAD(x + (words[i] & packing->mask)),
                                             packing->flip) -
                            packing->least);
            keys[i] = TH_WORD_FIRST | ((uint64_t)key >> from & digit) << bits | (uint64_t)i;
        }
        TH_ISA_(THWords_sort)(keys, spare, n);
        for (int64_t i = 0; i < n; i++)
            spare[i] = words[keys[i] & (((uint64_t)1 << bits) - 1)];
        memcpy(words, spare, (size_t)n * sizeof *words);
    }
}

static void THLoop_(insertRun)(const THLoop_(Packing) * packing, int64_t n, const storage_t *x,
                               uint64_t *words)
{
    for (int64_t i = 1; i < n; i++) {
        const uint64_t word = words[i];
        const sortkey_t key = THLoop_(sortKey)(TH_LOAD(x + (word & packing->mask)), packing->flip);
        int64_t j = i;
        for (; j > 0 &&
               THLoop_(sortKey)(TH_LOAD(x + (words[j - 1] & packing->mask)), packing->flip) > key;
             j--)
            words[j] = words[j - 1];
        words[j] = word;
    }
}

/* Sorts words by what of their keys is in them, then by the rest. */
static void THLoop_(sortWords)(const THLoop_(Packing) * packing, int64_t n, const storage_t *x,
                               uint64_t *words, uint64_t *spare, uint64_t *keys)
{
    TH_ISA_(THWords_sort)(words, spare, n);
    for (int64_t begin = 0, end; begin < n && packing->shift; begin = end) {
        const uint64_t last = words[begin] | packing->mask;
        for (end = begin + 1; end < n && words[end] <= last;)
            end++;
        if (end - begin > RUN_INSERTION)
            THLoop_(sortRun)(packing, end - begin, x, words + begin, spare, keys);
        else
            THLoop_(insertRun)(packing, end - begin, x, words + begin);
    }
}

/* The elements whose indices the words have. */
static void THLoop_(emit)(uint64_t mask, int64_t n, const storage_t *restrict x,
                          const uint64_t *restrict words, storage_t *restrict values,
                          int64_t *restrict indices)
{
    for (int64_t i = 0; i < n; i++)
        indices[i] = (int64_t)(words[i] & mask);
    for (int64_t i = 0; i < n && values; i++)
        values[i] = x[indices[i]];
}

/* The same where words hold whole keys: elements are made from these, without a look at distant
 * memory, but for the sign of zero and the bits of NaN, which keys do not tell. */
static void THLoop_(emitKeys)(const THLoop_(Packing) * packing, int64_t n,
                              const storage_t *restrict x, const uint64_t *restrict words,
                              storage_t *restrict values, int64_t *restrict indices)
{
    const THLoop_(Packing) p = *packing;
    const sortkey_t top = (sortkey_t)((sortkey_t)1 << (KEY_BITS - 1));
    THLoop_(emit)(p.mask, n, x, words, NULL, indices);
#ifdef TH_CATEGORY_IS_FLOATING
    sortkey_t vague = 0;
    for (int64_t i = 0; i < n; i++) {
        const sortkey_t cut = (sortkey_t)((words[i] & (TH_WORD_FIRST - 1)) >> p.bits);
        const sortkey_t key = (sortkey_t)(cut + p.least) ^ p.flip;
        const sortkey_t bits = key & top ? key ^ top : ~key;
        vague |= (sortkey_t)(key == top) | (sortkey_t)(key == (sortkey_t)-1);
        memcpy(values + i, &bits, sizeof bits);
    }
    for (int64_t i = 0; i < n && vague; i++)
        if (values[i] == 0 || values[i] != values[i])
            values[i] = x[indices[i]];
#else
    for (int64_t i = 0; i < n; i++) {
        const sortkey_t cut = (sortkey_t)((words[i] & (TH_WORD_FIRST - 1)) >> p.bits);
        const sortkey_t key = (sortkey_t)((sortkey_t)(cut + p.least) ^ p.flip);
        values[i] = (storage_t)(key ^ ((scalar_t)-1 < (scalar_t)0 ? top : 0));
    }
#endif
}

static void THLoop_(sortLine)(const THLineFunction *function, int64_t n, const void *line,
                              void *const *results, void *scratch)
{
    const THSortOrder *order = function->params;
    const storage_t *x = line;
    uint64_t *words = scratch, *spare = words + TH_ISA_(arrayWords)(n);
    const THLoop_(Packing) packing = THLoop_(packing)(n, x, order->descending);
    THLoop_(pack)(&packing, n, x, words);
    THLoop_(sortWords)(&packing, n, x, words, spare, spare + TH_ISA_(arrayWords)(n));
    if (packing.shift || order->indicesOnly)
        THLoop_(emit)(packing.mask, n, x, words, order->indicesOnly ? NULL : results[0],
                      results[order->indicesOnly ? 0 : 1]);
    else
        THLoop_(emitKeys)(&packing, n, x, words, results[0], results[1]);
}

/* ---- the k first of the order ---- */

/* Candidates are elements of the line that may be among the k first. */
typedef struct THLoop_(Candidates) {
    storage_t *values;
    uint64_t *indices, *words, *spare, *keys;
    int64_t n;
} THLoop_(Candidates);

/* Keeps the k first of them, in their order; returns the key of the last. */
static sortkey_t THLoop_(tighten)(THLoop_(Candidates) * c, int64_t k, bool descending)
{
    const THLoop_(Packing) packing = THLoop_(packing)(c->n, c->values, descending);
    THLoop_(pack)(&packing, c->n, c->values, c->words);
    THLoop_(sortWords)(&packing, c->n, c->values, c->words, c->spare, c->keys);
    storage_t *values = (storage_t *)c->spare;
    for (int64_t i = 0; i < k; i++) {
        const uint64_t place = c->words[i] & packing.mask;
        values[i] = c->values[place];
        c->keys[i] = c->indices[place];
    }
    memcpy(c->values, values, (size_t)k * sizeof *values);
    memcpy(c->indices, c->keys, (size_t)k * sizeof *c->keys);
    c->n = k;
    return THLoop_(sortKey)(TH_LOAD(c->values + k - 1), packing.flip);
}

static inline bool THLoop_(anyBefore)(int n, const storage_t *x, sortkey_t flip, sortkey_t last)
{
    sortkey_t any = 0;
    for (int i = 0; i < n; i++)
        any |= (sortkey_t)(THLoop_(sortKey)(TH_LOAD(x + i), flip) < last);
    return any;
}

/* Elements from `begin` to `end` that come before the last candidate become candidates. */
static void THLoop_(addBefore)(THLoop_(Candidates) * c, int64_t begin, int64_t end,
                               const storage_t *x, sortkey_t flip, sortkey_t last)
{
    int64_t n = c->n;
    for (int64_t i = begin; i < end; i++) {
        c->values[n] = x[i];
        c->indices[n] = (uint64_t)i;
        n += THLoop_(sortKey)(TH_LOAD(x + i), flip) < last;
    }
    c->n = n;
}

/* The indices of the k first, in order, by comparing each element with the k-th so far. */
static uint64_t *THLoop_(topkOfFew)(int64_t n, const storage_t *x, int64_t k, bool descending,
                                    uint64_t *scratch)
{
    const int64_t kept = TH_ISA_(candidates)(n, k), words = TH_ISA_(arrayWords)(kept);
    const sortkey_t flip = (sortkey_t)(descending ? -1 : 0);
    THLoop_(Candidates) c = {.indices = scratch,
                             .words = scratch + words,
                             .spare = scratch + 2 * words,
                             .keys = scratch + 3 * words,
                             .values = (storage_t *)(scratch + 4 * words),
                             .n = kept / 2};
    memcpy(c.values, x, (size_t)c.n * sizeof *x);
    for (int64_t i = 0; i < c.n; i++)
        c.indices[i] = (uint64_t)i;
    sortkey_t last = THLoop_(tighten)(&c, k, descending);
    for (int64_t i = kept / 2; i < n; i += BLOCK) {
        if (i + BLOCK > n) {
            THLoop_(addBefore)(&c, i, n, x, flip, last);
            break;
        }
        if (!THLoop_(anyBefore)(BLOCK, x + i, flip, last))
            continue;
        for (int64_t j = i; j < i + BLOCK; j += PIECE)
            if (THLoop_(anyBefore)(PIECE, x + j, flip, last))
                THLoop_(addBefore)(&c, j, j + PIECE, x, flip, last);
        if (c.n + BLOCK > kept)
            last = THLoop_(tighten)(&c, k, descending);
    }
    THLoop_(tighten)(&c, k, descending);
    return c.indices;
}

static void THLoop_(topkLine)(const THLineFunction *function, int64_t n, const void *line,
                              void *const *results, void *scratch)
{
    const THSortOrder *order = function->params;
    const storage_t *x = line;
    const int64_t k = function->length;
    uint64_t *words = scratch, *spare = words + TH_ISA_(arrayWords)(n);
    if (TH_ISA_(candidates)(n, k)) {
        words = THLoop_(topkOfFew)(n, x, k, order->descending, words);
        spare = words + TH_ISA_(arrayWords)(TH_ISA_(candidates)(n, k));
    } else {
        const THLoop_(Packing) packing = THLoop_(packing)(n, x, order->descending);
        int64_t found = n;
        THLoop_(pack)(&packing, n, x, words);
        if (n > FEW) {
            const uint64_t last = TH_ISA_(THWords_select)(words, spare, n, k - 1);
            THLoop_(pack)(&packing, n, x, words);
            found = TH_ISA_(THWords_partition)(words, spare, n,
                                               packing.shift ? last | packing.mask : last);
        }
        THLoop_(sortWords)(&packing, found, x, words, spare, spare + TH_ISA_(arrayWords)(n));
        for (int64_t i = 0; i < k; i++)
            words[i] &= packing.mask;
    }
    if (!order->sorted) {
        for (int64_t i = 0; i < k; i++)
            words[i] |= TH_WORD_FIRST;
        TH_ISA_(THWords_sort)(words, spare, k);
    }
    THLoop_(emit)(TH_WORD_FIRST - 1, k, x, words, results[0], results[1]);
}

/* ---- the one in place k ---- */

static int64_t THLoop_(firstNan)(int64_t n, const storage_t *x)
{
    bool any = false;
    for (int64_t i = 0; i < n; i++)
        any |= TH_LOAD(x + i) != TH_LOAD(x + i);
    for (int64_t i = 0; i < n && any; i++)
        if (TH_LOAD(x + i) != TH_LOAD(x + i))
            return i;
    return -1;
}

static int64_t THLoop_(kthIndex)(int64_t n, const storage_t *x, int64_t k, uint64_t *words)
{
    uint64_t *spare = words + TH_ISA_(arrayWords)(n);
    const THLoop_(Packing) packing = THLoop_(packing)(n, x, false);
    THLoop_(pack)(&packing, n, x, words);
    const uint64_t word = TH_ISA_(THWords_select)(words, spare, n, k);
    if (packing.shift == 0)
        return (int64_t)(word & packing.mask);
    THLoop_(pack)(&packing, n, x, words);
    const int64_t before = TH_ISA_(THWords_partition)(words, spare, n, (word & ~packing.mask) - 1);
    const int64_t found = TH_ISA_(THWords_partition)(spare, words, n - before, word | packing.mask);
    THLoop_(sortWords)(&packing, found, x, spare, words, spare + TH_ISA_(arrayWords)(n));
    return (int64_t)(spare[k - before] & packing.mask);
}

static void THLoop_(kthLine)(const THLineFunction *function, int64_t n, const void *line,
                             void *const *results, void *scratch)
{
    const THSortOrder *order = function->params;
    const storage_t *x = line;
    int64_t at = order->nanWins ? THLoop_(firstNan)(n, x) : -1;
    if (at < 0)
        at = THLoop_(kthIndex)(n, x, order->k, scratch);
    *(storage_t *)results[0] = x[at];
    *(int64_t *)results[1] = at;
}

TH_SORT_DECLARE(THLoop_(sort));
const THSortLoops THLoop_(sort)[TH_SORT_OPS] = {
    [TH_SORT_ALL] = {THLoop_(sortLine), TH_ISA_(sortScratch)},
    [TH_SORT_TOPK] = {THLoop_(topkLine), TH_ISA_(topkScratch)},
    [TH_SORT_KTH] = {THLoop_(kthLine), TH_ISA_(sortScratch)},
};

#undef sortkey_t
#undef KEY_BITS

#endif
