/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines that are in order already, or would be from their end, take no sorting. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/ops/THSorting.h>

#include <string.h>

#define FROM 512   /* elements from which on looking costs nothing beside sorting */
#define BLOCK 64   /* of which none leaves the order, or the rest is not looked at */
#define LATER 1024 /* the same, when the first are in order */

#define TH_GENERIC_FILE "TH/loops/sortOrdered.c"
#include <TH/THGenerateLoopTypes.h>

#elif !defined(TH_REAL_IS_BOOL) /* which is sorted as bytes */

/* Whether each of n elements may come before the other one. NaN never do. */
static bool THLoop_(isBefore)(int64_t n, const storage_t *one, const storage_t *other)
{
    for (int64_t begin = 0, end; begin < n; begin = end) {
        const int64_t block = begin ? LATER : BLOCK;
        end = n - begin < block ? n : begin + block;
        int wrong = 0;
        for (int64_t i = begin; i < end; i++)
            wrong |= !(TH_LOAD(one + i) <= TH_LOAD(other + i));
        if (wrong)
            return false;
    }
    return true;
}

static bool THLoop_(anyTie)(const storage_t *x)
{
    int any = 0;
    for (int64_t i = 0; i < BLOCK; i++)
        any |= TH_LOAD(x + i) == TH_LOAD(x + i + 1);
    return any;
}

/* Equal elements, which a line from its end has the other way, in the order they have: what is in
 * place i of those between `first` and `last` is as far from `first` as that place is from `last`.
 * Without a branch for each. */
static void THLoop_(keepTies)(int64_t n, const storage_t *x, int64_t *indices)
{
    for (int64_t begin = 0, end; begin < n; begin = end) {
        end = begin + BLOCK;
        if (end < n && !THLoop_(anyTie)(x + begin))
            continue;
        end = end < n ? end : n;
        while (end < n && TH_LOAD(x + end) == TH_LOAD(x + end - 1))
            end++;
        int64_t first = begin, last = end;
        for (int64_t i = end - 1; i >= begin; i--) {
            indices[n - 1 - i] = last - 1 - i;
            last = i > begin && TH_LOAD(x + i) == TH_LOAD(x + i - 1) ? last : i;
        }
        for (int64_t i = begin; i < end; i++) {
            first = i > begin && TH_LOAD(x + i) == TH_LOAD(x + i - 1) ? first : i;
            indices[n - 1 - i] += first;
        }
    }
}

/* The same for values: but for the signs of zeros, equal ones are the same. */
static void THLoop_(keepZeros)(int64_t n, const storage_t *x, storage_t *values)
{
#ifdef TH_CATEGORY_IS_FLOATING
    const bool rises = x[0] < x[n - 1];
    int64_t before = 0, zeros = 0;
    for (int64_t i = 0; i < n; i++) {
        before += rises ? x[i] < 0 : x[i] > 0;
        zeros += x[i] == 0;
    }
    memcpy(values + n - before - zeros, x + before, (size_t)zeros * sizeof *x);
#else
    (void)n, (void)x, (void)values;
#endif
}

static void THLoop_(turn)(int64_t n, const storage_t *x, storage_t *values, int64_t *indices)
{
    for (int64_t i = 0; i < n && values; i++)
        values[i] = x[n - 1 - i];
    for (int64_t i = 0; i < n && indices; i++)
        indices[i] = n - 1 - i;
    if (indices)
        THLoop_(keepTies)(n, x, indices);
    if (values)
        THLoop_(keepZeros)(n, x, values);
}

THSortOrdered THLoop_(sortOrdered);
bool THLoop_(sortOrdered)(int64_t n, const void *line, bool descending, void *values,
                          int64_t *indices)
{
    const storage_t *x = line;
    if (n < FROM)
        return false;
    if (!THLoop_(isBefore)(n - 1, x + descending, x + !descending)) {
        if (!THLoop_(isBefore)(n - 1, x + !descending, x + descending))
            return false;
        THLoop_(turn)(n, x, values, indices);
        return true;
    }
    for (int64_t i = 0; i < n && indices; i++)
        indices[i] = i;
    if (values)
        memcpy(values, x, (size_t)n * sizeof *x);
    return true;
}

#endif
