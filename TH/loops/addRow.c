/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows added to others where they are, for indexed access. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/ops/THIndexing.h>

#define TH_GENERIC_FILE "TH/loops/addRow.c"
#include <TH/THGenerateLoopTypes.h>

/* Half too, which most loops have from Float: a sum is rounded for each index. */
#define TH_GENERIC_FILE "TH/loops/addRow.c"
#include <TH/THGenerateHalfType.h>
#undef TH_GENERIC_FILE

#else

TH_ADD_ROW_DECLARE(THLoop_(addRow));
void THLoop_(addRow)(int64_t n, void *to, const void *from, const void *alpha)
{
    storage_t *restrict sum = to;
    const storage_t *restrict term = from;
    const scalar_t factor = *(const scalar_t *)alpha;
    for (int64_t i = 0; i < n; i++)
        TH_STORE(sum + i, TH_LOAD(sum + i) + (scalar_t)(factor * TH_LOAD(term + i)));
}

#endif
