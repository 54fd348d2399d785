/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines that are in order already, or would be from their end, take no sorting. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/ops/THSorting.h>

#include <string.h>

#define FROM 512 /* elements from which on looking costs nothing beside sorting */
#define BLOCK 64 /* of which none leaves the order, or the rest is not looked at */

#define TH_GENERIC_FILE "TH/loops/sortOrdered.c"
#include <TH/THGenerateLoopTypes.h>

#else

/* Whether each of n elements comes before the other one (`strict`), or may. NaN never do. */
static bool THLoop_(isBefore)(int64_t n, const storage_t *one, const storage_t *other, bool strict)
{
    for (int64_t begin = 0; begin < n; begin += BLOCK) {
        const int64_t end = n - begin < BLOCK ? n : begin + BLOCK;
        int wrong = 0;
        for (int64_t i = begin; i < end; i++) {
            const scalar_t a = TH_LOAD(one + i), b = TH_LOAD(other + i);
            wrong |= !(a < b) & !((a == b) & !strict);
        }
        if (wrong)
            return false;
    }
    return true;
}

THSortOrdered THLoop_(sortOrdered);
bool THLoop_(sortOrdered)(int64_t n, const void *line, bool descending, void *values,
                          int64_t *indices)
{
    const storage_t *x = line;
    storage_t *to = values;
    if (n < FROM)
        return false;
    const bool forward = THLoop_(isBefore)(n - 1, x + descending, x + !descending, false);
    if (!forward && !THLoop_(isBefore)(n - 1, x + !descending, x + descending, true))
        return false;
    for (int64_t i = 0; i < n && indices; i++)
        indices[i] = forward ? i : n - 1 - i;
    if (to && forward)
        memcpy(to, x, (size_t)n * sizeof *x);
    for (int64_t i = 0; i < n && to && !forward; i++)
        to[i] = x[n - 1 - i];
    return true;
}

#endif
