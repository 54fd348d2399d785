/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines sorted and selected by words; TH/ops/THSorting.h tells what these are. Words of a sorted
 * line are where its indices will be. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/THThreads.h>
#include <TH/loops/registers.h>
#include <TH/ops/THSorting.h>

#include <math.h>
#include <string.h>

#define MEASURED 512 /* keys of up to 32 bits whose differences are worth knowing */
#define FEW 128      /* elements sorted faster than selected from */
#define FEWER 32     /* ... of which at most LEAST are wanted */
#define LEAST 4      /* elements of topk for which so few are sorted first */
#define FIRST 8      /* ... of a line of not much more than FEW, twice as many as wanted at least */
#define BEST 128     /* elements topk keeps in order */
#define INSERTION 8  /* steps that one of them takes, besides those it moves others */
#define INT_BITS 31  /* of a word that is sorted as an int */
/* Elements sorted so, where vectors are long enough. */
#define INTS_UPTO (VECTOR_BYTES == 64 ? 32768 : VECTOR_BYTES == 32 ? 16384 : 0)
#define BLOCK 64      /* elements compared with the last of these at a time */
#define EMITTED 256   /* words that become indices and values while they are in the first cache */
#define PIECE 16      /* ... of those where one comes before it */
#define RUN 32        /* elements of a key, on an average, of which the others are copies */
#define SELECTED 8    /* of so many elements one is wanted, or fewer, by topk that sorts them */
#define SAMPLED 16384 /* elements of a line of which the k-th is guessed by a sample */
#define SAMPLE 1024   /* elements of it */
/* Places in it by which the guess may be wrong, more than 3 deviations. */
#define SAMPLE_MARGIN 56

THWordsSort TH_ISA_(THWords_sort);
THWordsSelect TH_ISA_(THWords_select);
THWordsPartition TH_ISA_(THWords_partition);
THWordsNarrow TH_ISA_(THWords_narrow);
THValuesSort TH_ISA_(THInts_sort);

static inline int TH_ISA_(bitsBelow)(uint64_t n)
{
    return n ? 64 - __builtin_clzll(n) : 0;
}

/* The first of sorted words that is equal to the next but for the index, at `begin` or after it. */
static int64_t TH_ISA_(nextTie)(int64_t begin, int64_t n, const uint64_t *words, int bits)
{
    for (; begin + BLOCK < n; begin += BLOCK) {
        uint64_t any = 0;
        for (int i = 0; i < BLOCK; i++)
            any |= words[begin + i] >> bits == words[begin + i + 1] >> bits;
        if (any)
            break;
    }
    while (begin + 1 < n && words[begin] >> bits != words[begin + 1] >> bits)
        begin++;
    return begin + 1 < n ? begin : n;
}

/* A line whose elements become words: n of them from `begin` on, or those whose indices words have,
 * by what of the bits of their keys is in a mask. */
typedef void Pack(const THSortPacking *packing, int64_t begin, int64_t n, const void *x,
                  uint64_t *words);
typedef void PackAgain(const THSortPacking *packing, uint64_t among, int64_t n, const void *x,
                       uint64_t *words);
typedef struct Line {
    const void *x;
    Pack *pack;
    PackAgain *packAgain;
} Line;

static void TH_ISA_(sortWords)(const Line *line, const THSortPacking *packing, int64_t n,
                               uint64_t *words);

/* Words that have the same bits of keys, by as much of what was cut off as there is room for. */
static void TH_ISA_(sortRun)(const Line *line, const THSortPacking *packing, int64_t n,
                             uint64_t *words)
{
    THSortPacking rest = *packing;
    const int room = TH_WORD_BITS - packing->bits, left = packing->shift;
    rest.shift = rest.lost = left < room ? 0 : left - room;
    rest.begin = packing->bits;
    rest.end = packing->bits + left - rest.shift;
    line->packAgain(&rest, ((uint64_t)1 << left) - 1, n, line->x, words);
    TH_ISA_(sortWords)(line, &rest, n, words);
}

/* Sorts words by what of their keys is in them, then by the rest. */
static void TH_ISA_(sortWords)(const Line *line, const THSortPacking *packing, int64_t n,
                               uint64_t *words)
{
    TH_ISA_(THWords_sort)(words, n, packing->begin, packing->end);
    int64_t begin = packing->lost ? TH_ISA_(nextTie)(0, n, words, packing->bits) : n;
    while (begin < n) {
        const uint64_t last = words[begin] | packing->mask;
        int64_t end = begin + 1;
        while (end < n && words[end] <= last)
            end++;
        TH_ISA_(sortRun)(line, packing, end - begin, words + begin);
        begin = TH_ISA_(nextTie)(end, n, words, packing->bits);
    }
}

/* Words that fit ints are sorted as such: twice as many are in a vector. False, with nothing
 * written, where they do not. Ints are in the last half of the words' memory. */
static bool TH_ISA_(sortInts)(const Line *line, const THSortPacking *packing, int64_t n,
                              uint64_t *words)
{
    int32_t *const ints = (int32_t *)(void *)words + n;
    if (packing->lost || packing->end > INT_BITS || n > INTS_UPTO || THSort_countsOnce(packing, n))
        return false;
    for (int64_t i = 0, m; i < n; i += m) {
        uint64_t some[BLOCK];
        m = THSize_min(n - i, BLOCK);
        line->pack(packing, i, m, line->x, some);
        for (int64_t j = 0; j < m; j++)
            ints[i + j] = (int32_t)some[j];
    }
    TH_ISA_(THInts_sort)(ints, ints, n, false);
    for (int64_t i = 0, m; i < n; i += m) {
        int32_t some[BLOCK];
        m = THSize_min(n - i, BLOCK);
        memcpy(some, ints + i, (size_t)m * sizeof *some);
        for (int64_t j = 0; j < m; j++)
            words[i + j] = TH_WORD_FIRST | (uint64_t)some[j];
    }
    return true;
}

/* ---- those in place k and before ---- */

/* Takes the words of the line between two that a sample says the one in place k is likely to be
 * between; or all of them that come before such a word (`firsts`). In the order they have. */
static bool TH_ISA_(guessRange)(const Line *line, const THSortPacking *packing, int64_t n,
                                THWordsRange *range, bool firsts)
{
    uint64_t sample[SAMPLE];
    const int64_t k = range->k, at = (int64_t)((double)k / (double)n * SAMPLE);
    for (int64_t i = 0; i < SAMPLE; i++)
        sample[i] = (uint64_t)(i * (n / SAMPLE));
    line->packAgain(packing, UINT64_MAX, SAMPLE, line->x, sample);
    TH_ISA_(THWords_sort)(sample, SAMPLE, packing->bits, packing->end);
    range->above = firsts || at < SAMPLE_MARGIN ? 0 : sample[at - SAMPLE_MARGIN];
    range->upto = at + SAMPLE_MARGIN < SAMPLE ? sample[at + SAMPLE_MARGIN] : TH_WORD_LAST;
    range->upto |= packing->lost ? packing->mask : 0;
    range->n = 0;
    for (int64_t i = 0; i < n; i += SAMPLE) {
        const int64_t m = n - i < SAMPLE ? n - i : SAMPLE;
        line->pack(packing, i, m, line->x, sample);
        range->k -= TH_ISA_(THWords_narrow)(range, sample, m);
    }
    return range->k >= 0 && range->k < range->n;
}

/* The indices of the k first, in order, by the k-th of all. */
static void TH_ISA_(topkOfMany)(const Line *line, THSortPacking *packing, int64_t n, int64_t k,
                                uint64_t *words)
{
    THWordsRange range = {words, n, k - 1, 0, TH_WORD_LAST};
    if (n < SAMPLED || !TH_ISA_(guessRange)(line, packing, n, &range, true)) {
        range = (THWordsRange){words, n, k - 1, 0, TH_WORD_LAST};
        line->pack(packing, 0, n, line->x, words);
    }
    int64_t found = range.n;
    if (found > 2 * FEW) {
        packing->begin = 0;
        TH_ISA_(THWords_select)(&range);
        const uint64_t last = range.words[range.k] | (packing->lost ? packing->mask : 0);
        found = TH_ISA_(THWords_partition)(words, found, last);
    }
    TH_ISA_(sortWords)(line, packing, found, words);
    for (int64_t i = 0; i < k; i++)
        words[i] &= packing->mask;
}

/* Of words that differ in what was cut off of their keys, all of which are in `words`. */
static int64_t TH_ISA_(kthOfRun)(const Line *line, const THSortPacking *packing,
                                 const THWordsRange *range)
{
    const uint64_t word = range->words[range->k];
    int64_t begin = range->k, end = range->k + 1;
    while (begin > 0 && range->words[begin - 1] >= (word & ~packing->mask))
        begin--;
    while (end < range->n && range->words[end] <= (word | packing->mask))
        end++;
    TH_ISA_(sortWords)(line, packing, end - begin, range->words + begin);
    return (int64_t)(range->words[range->k] & packing->mask);
}

static int64_t TH_ISA_(kthIndex)(const Line *line, THSortPacking *packing, int64_t n, int64_t k,
                                 uint64_t *words)
{
    THWordsRange range = {words, n, k, 0, TH_WORD_LAST};
    if (n < SAMPLED || !TH_ISA_(guessRange)(line, packing, n, &range, false)) {
        range = (THWordsRange){words, n, k, 0, TH_WORD_LAST};
        line->pack(packing, 0, n, line->x, words);
    }
    TH_ISA_(THWords_select)(&range);
    const uint64_t word = range.words[range.k];
    if (packing->lost == 0)
        return (int64_t)(word & packing->mask);
    const uint64_t first = word & ~packing->mask, last = word | packing->mask;
    if (range.above < first && range.upto >= last)
        return TH_ISA_(kthOfRun)(line, packing, &range);
    line->pack(packing, 0, n, line->x, words);
    const int64_t before = TH_ISA_(THWords_partition)(words, n, first - 1);
    const int64_t found = TH_ISA_(THWords_partition)(words + before, n - before, last);
    packing->begin = 0;
    TH_ISA_(sortWords)(line, packing, found, words + before);
    return (int64_t)(words[k] & packing->mask);
}

#define TH_GENERIC_FILE "TH/loops/sort.c"
#include <TH/THGenerateLoopTypes.h>

#else

#if defined(TH_REAL_IS_CHAR) || defined(TH_REAL_IS_BOOL)
#define OF(name) TH_CONCAT_4(th_, name, _Byte_, TH_ISA) /* which was before */
#else
#define OF(name) THLoop_(name)

#include <TH/loops/sortKeys.h>

/* Inlined, the loop over values of 8 bits takes twice as long. */
static __attribute__((noinline)) void THLoop_(pick)(int64_t n, const storage_t *restrict x,
                                                    const int64_t *indices,
                                                    storage_t *restrict values)
{
    if (values == NULL)
        return;
    for (int64_t i = 0; i < n; i++)
        values[i] = x[indices[i]];
}

/* The elements whose indices the words have; these may be where the words are. */
static __attribute__((noinline)) void THLoop_(emit)(uint64_t mask, int64_t n,
                                                    const storage_t *restrict x,
                                                    const uint64_t *words,
                                                    storage_t *restrict values, int64_t *indices)
{
    for (int64_t i = 0; i < n; i++)
        indices[i] = (int64_t)(words[i] & mask);
    THLoop_(pick)(n, x, indices, values);
}

/* The same where words hold whole keys: elements are made from these, without a look at distant
 * memory, but for the sign of zero and the bits of NaN, which keys do not tell. */
static void THLoop_(emitKeys)(const THSortPacking *packing, int64_t n, const storage_t *restrict x,
                              const uint64_t *words, storage_t *restrict values, int64_t *indices)
{
    const THSortPacking p = *packing;
    sortkey_t vague = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t cut = (words[i] & (TH_WORD_FIRST - 1)) >> p.bits << p.shift;
        const sortkey_t key = (sortkey_t)((sortkey_t)((sortkey_t)cut + p.least) ^ p.flip);
        vague |= (sortkey_t)IS_VAGUE(key);
        values[i] = THLoop_(elementOf)(key);
    }
    THLoop_(emit)(p.mask, n, x, words, NULL, indices);
    for (int64_t i = 0; i < n && vague; i++)
        if (IS_VAGUE(THLoop_(sortKey)(TH_LOAD(values + i), 0)))
            values[i] = x[indices[i]];
}

/* The same where elements of one key are side by side: copies of the first. */
static void THLoop_(pickRuns)(int64_t n, const storage_t *restrict x, const int64_t *indices,
                              const uint32_t *ends, storage_t *restrict values)
{
    for (int64_t begin = 0, end, key = 0; begin < n && values; begin = end, key++) {
        end = ends[key];
        if (begin == end)
            continue;
        const storage_t element = x[indices[begin]];
        if (IS_VAGUE(THLoop_(sortKey)(TH_LOAD(&element), 0))) {
            THLoop_(pick)(end - begin, x, indices + begin, values + begin);
            continue;
        }
        for (int64_t i = begin; i < end; i++)
            values[i] = element;
    }
}

/* A line of which threads have ranges; `values` may be NULL. */
typedef struct THLoop_(Ranges) {
    const THSortPacking *packing;
    const storage_t *x;
    uint64_t *words;
    storage_t *values;
    int64_t *indices;
} THLoop_(Ranges);

static void THLoop_(packRange)(int64_t begin, int64_t end, void *context)
{
    const THLoop_(Ranges) *r = context;
    THLoop_(pack)(r->packing, begin, end - begin, r->x, r->words + begin);
}

static void THLoop_(emitRange)(int64_t begin, int64_t end, void *context)
{
    const THLoop_(Ranges) *r = context;
    for (int64_t i = begin, m; i < end; i += m) {
        uint64_t *words = r->words + i;
        int64_t *indices = r->indices + i;
        storage_t *values = r->values ? r->values + i : NULL;
        m = THSize_min(end - i, EMITTED);
        if (r->packing->lost || values == NULL)
            THLoop_(emit)(r->packing->mask, m, r->x, words, values, indices);
        else
            THLoop_(emitKeys)(r->packing, m, r->x, words, values, indices);
    }
}

static void THLoop_(sortByKeys)(uint64_t flip, int64_t n, const void *line, void *toValues,
                                int64_t *indices)
{
    storage_t *values = toValues;
    const THSortPacking packing = THLoop_(packing)(n, line, (sortkey_t)flip, true);
    THLoop_(Ranges) ranges = {&packing, line, (uint64_t *)indices, values, indices};
    const Line of = {line, THLoop_(pack), THLoop_(packAgain)};
    if (!TH_ISA_(sortInts)(&of, &packing, n, ranges.words)) {
        uint32_t ends[1 << TH_SORT_ONCE_BITS];
        if (THSort_counting(&packing, THLoop_(keysOf), n, line, sizeof(storage_t), indices, ends)) {
            const int bits = packing.end - packing.bits;
            if (THSort_countsOnce(&packing, n) && n >> bits >= RUN)
                THLoop_(pickRuns)(n, line, indices, ends, values);
            else
                THLoop_(pick)(n, line, indices, values);
            return;
        }
        TH_parallel_for(n, TH_SORT_RANGE, THLoop_(packRange), &ranges);
        TH_ISA_(sortWords)(&of, &packing, n, ranges.words);
    }
    TH_parallel_for(n, TH_SORT_RANGE, THLoop_(emitRange), &ranges);
}

/* ---- the k first of the order ---- */

/* The k first of the elements seen so far, in order. */
typedef struct THLoop_(Best) {
    sortkey_t keys[BEST];
    uint64_t *indices;
    int64_t k, steps; /* which insertions may still take */
} THLoop_(Best);

static inline void THLoop_(tryBest)(THLoop_(Best) * best, const storage_t *x, sortkey_t flip,
                                    int64_t index)
{
    const sortkey_t key = THLoop_(sortKey)(TH_LOAD(x + index), flip);
    int64_t i = best->k - 1;
    if (key >= best->keys[i])
        return;
    for (sortkey_t other; i > 0 && (other = best->keys[i - 1]) > key; i--) {
        best->keys[i] = other;
        best->indices[i] = best->indices[i - 1];
    }
    best->keys[i] = key;
    best->indices[i] = (uint64_t)index;
    best->steps -= best->k - i + INSERTION;
}

/* A bit for each of some elements that comes before a key. */
static inline uint32_t THLoop_(before)(const storage_t *x, sortkey_t flip, sortkey_t last)
{
    uint32_t bits = 0;
    for (int i = 0; i < PIECE; i++)
        bits |= (uint32_t)(THLoop_(sortKey)(TH_LOAD(x + i), flip) < last) << i;
    return bits;
}

static inline void THLoop_(tryPiece)(THLoop_(Best) * best, const storage_t *x, sortkey_t flip,
                                     int64_t begin)
{
    uint32_t bits = THLoop_(before)(x + begin, flip, best->keys[best->k - 1]);
    for (; bits; bits &= bits - 1)
        THLoop_(tryBest)(best, x, flip, begin + __builtin_ctz(bits));
}

static inline bool THLoop_(anyBefore)(const storage_t *x, sortkey_t flip, sortkey_t last)
{
    sortkey_t any = 0;
    for (int i = 0; i < BLOCK; i++)
        any |= (sortkey_t)(THLoop_(sortKey)(TH_LOAD(x + i), flip) < last);
    return any;
}

/* How many elements are sorted, before others are compared with the k-th of them. */
static inline int64_t THLoop_(sortedFirst)(int64_t n, int64_t k)
{
    int64_t first = FIRST;
    if (n >= FEW + BLOCK)
        return k <= LEAST ? FEWER : FEW;
    while (first < 2 * k)
        first *= 2;
    return first;
}

/* What insertions may take before it is better to select. */
static inline int64_t THLoop_(stepsOfFew)(int64_t n)
{
    return (n + BEST * INSERTION) / 2;
}

/* Are the k first expected to be found within half of that? The element in place i of a random
 * order is one of the k first so far with a probability of k / i, and goes before half of them. */
static inline bool THLoop_(isOfFew)(int64_t n, int64_t k)
{
    const int64_t first = THLoop_(sortedFirst)(n, k);
    return k <= BEST && n >= 2 * first &&
           (double)k * log((double)n / (double)first) * (double)(k / 2 + INSERTION) <
               (double)(THLoop_(stepsOfFew)(n) / 2);
}

/* The indices of the k first, in order, by comparing all with the k-th so far. False where too many
 * come before it. */
static bool THLoop_(topkOfFew)(sortkey_t flip, int64_t n, const storage_t *x, int64_t k,
                               uint64_t *words)
{
    const int64_t first = THLoop_(sortedFirst)(n, k);
    const THSortPacking packing = THLoop_(packing)(first, x, flip, false);
    THLoop_(Best) best = {.indices = words, .k = k, .steps = THLoop_(stepsOfFew)(n)};
    THLoop_(pack)(&packing, 0, first, x, words);
    TH_ISA_(sortWords)(&(Line){x, THLoop_(pack), THLoop_(packAgain)}, &packing, first, words);
    for (int64_t i = 0; i < k; i++) {
        words[i] &= packing.mask;
        best.keys[i] = THLoop_(sortKey)(TH_LOAD(x + words[i]), flip);
    }
    const sortkey_t *last = &best.keys[k - 1];
    int64_t i = first;
    for (; i + BLOCK <= n && best.steps > 0; i += BLOCK) {
        if (!THLoop_(anyBefore)(x + i, flip, *last))
            continue;
        for (int64_t j = i; j < i + BLOCK; j += PIECE)
            THLoop_(tryPiece)(&best, x, flip, j);
    }
    for (; i + PIECE <= n && best.steps > 0; i += PIECE)
        THLoop_(tryPiece)(&best, x, flip, i);
    for (; i < n && best.steps > 0; i++)
        THLoop_(tryBest)(&best, x, flip, i);
    return best.steps > 0;
}

/* Adds the indices from `begin` to `end` of elements whose keys are below one, or the same where
 * `equal`, to `found`. */
static int64_t THLoop_(indicesBelow)(sortkey_t flip, sortkey_t key, bool equal, int64_t begin,
                                     int64_t end, const storage_t *x, uint64_t *words,
                                     int64_t found)
{
    sortkey_t is[BLOCK];
    for (int64_t i; begin < end; begin += i) {
        const int64_t n = THSize_min(end - begin, BLOCK);
        for (i = 0; i < n; i++) {
            const sortkey_t other = THLoop_(sortKey)(TH_LOAD(x + begin + i), flip);
            is[i] = (sortkey_t)((other < key) | ((other == key) & equal));
        }
        for (i = 0; i < n; i++) {
            words[found] = (uint64_t)(begin + i);
            found += (int64_t)is[i];
        }
    }
    return found;
}

/* The indices of the k first, as they were, by the k-th. */
static void THLoop_(topkInPlace)(sortkey_t flip, int64_t n, const storage_t *x, int64_t k,
                                 uint64_t *words)
{
    THSortPacking packing = THLoop_(packing)(n, x, flip, false);
    const Line line = {x, THLoop_(pack), THLoop_(packAgain)};
    const int64_t end = TH_ISA_(kthIndex)(&line, &packing, n, k - 1, words) + 1;
    const sortkey_t key = THLoop_(sortKey)(TH_LOAD(x + end - 1), flip);
    const int64_t found = THLoop_(indicesBelow)(flip, key, true, 0, end, x, words, 0);
    THLoop_(indicesBelow)(flip, key, false, end, n, x, words, found);
}

static void THLoop_(topkByKeys)(uint64_t bits, const THLineFunction *function, int64_t n,
                                const void *line, void *const *results, void *scratch)
{
    const THSortOrder *order = function->params;
    const sortkey_t flip = (sortkey_t)bits;
    const storage_t *x = line;
    const int64_t k = function->length;
    uint64_t *words = scratch;
    bool sorts = true;
    if (!THLoop_(isOfFew)(n, k) || !THLoop_(topkOfFew)(flip, n, x, k, words)) {
        sorts = !order->unordered || n < FEW || k < n / SELECTED;
        if (sorts) {
            THSortPacking packing = THLoop_(packing)(n, x, flip, false);
            const Line of = {x, THLoop_(pack), THLoop_(packAgain)};
            TH_ISA_(topkOfMany)(&of, &packing, n, k, words);
        } else {
            THLoop_(topkInPlace)(flip, n, x, k, words);
        }
    }
    if (order->unordered && sorts) {
        for (int64_t i = 0; i < k; i++)
            words[i] |= TH_WORD_FIRST;
        TH_ISA_(THWords_sort)(words, k, 0, TH_WORD_BITS);
    }
    THLoop_(emit)(TH_WORD_FIRST - 1, k, x, words, results[0], results[1]);
}

/* ---- the one in place k ---- */

static int64_t THLoop_(firstNan)(int64_t n, const storage_t *x)
{
    for (int64_t begin = 0; begin < n; begin += SAMPLE) {
        const int64_t end = THSize_min(begin + SAMPLE, n);
        sortkey_t any = 0;
        for (int64_t i = begin; i < end; i++)
            any |= (sortkey_t)(TH_LOAD(x + i) != TH_LOAD(x + i));
        for (int64_t i = begin; i < end && any; i++)
            if (TH_LOAD(x + i) != TH_LOAD(x + i))
                return i;
    }
    return -1;
}

static void THLoop_(kthByKeys)(uint64_t flip, const THLineFunction *function, int64_t n,
                               const void *line, void *const *results, void *scratch)
{
    const THSortOrder *order = function->params;
    const storage_t *x = line;
    int64_t at = order->nanWins ? THLoop_(firstNan)(n, x) : -1;
    if (at < 0) {
        THSortPacking packing = THLoop_(packing)(n, x, (sortkey_t)flip, false);
        at = TH_ISA_(kthIndex)(&(Line){x, THLoop_(pack), THLoop_(packAgain)}, &packing, n, order->k,
                               scratch);
    }
    *(storage_t *)results[0] = x[at];
    *(int64_t *)results[1] = at;
}

#undef sortkey_t
#undef KEY_BITS
#undef MEASURED_FROM
#undef KEY_TOP
#undef IS_VAGUE

#endif

#ifdef TH_REAL_IS_BOOL
#define OWN(name) OF(name)
#else
#define OWN(name) THLoop_(name)

THLineCall THLoop_(sortValues);
THSortOrdered THLoop_(sortOrdered);

/* The bits of keys that are turned. */
static inline uint64_t THLoop_(flip)(bool descending)
{
    const bool hasSign = (scalar_t)-1 < (scalar_t)0 && (scalar_t)0.5 == (scalar_t)0;
    const uint64_t top = (uint64_t)hasSign << (8 * sizeof(storage_t) - 1);
    return descending ? ~top : top;
}

static void THLoop_(sortLine)(const THLineFunction *function, int64_t n, const void *line,
                              void *const *results, void *scratch)
{
    const THSortOrder *order = function->params;
    int64_t *indices = results[order->indicesOnly ? 0 : 1];
    void *values = order->indicesOnly ? NULL : results[0];
    (void)scratch;
    if (!THLoop_(sortOrdered)(n, line, order->descending, values, indices))
        OF(sortByKeys)(THLoop_(flip)(order->descending), n, line, values, indices);
}

static void THLoop_(topkLine)(const THLineFunction *function, int64_t n, const void *line,
                              void *const *results, void *scratch)
{
    const THSortOrder *order = function->params;
    OF(topkByKeys)(THLoop_(flip)(order->descending), function, n, line, results, scratch);
}

static void THLoop_(kthLine)(const THLineFunction *function, int64_t n, const void *line,
                             void *const *results, void *scratch)
{
    OF(kthByKeys)(THLoop_(flip)(false), function, n, line, results, scratch);
}
#endif

TH_SORT_DECLARE(THLoop_(sort));
THLineCall *const THLoop_(sort)[TH_SORT_OPS] = {
    [TH_SORT_ALL] = OWN(sortLine),
    [TH_SORT_VALUES] = OWN(sortValues),
    [TH_SORT_TOPK] = OWN(topkLine),
    [TH_SORT_KTH] = OWN(kthLine),
};

#undef OF
#undef OWN

#endif
