/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows added to others where they are, for indexed access. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THIndexing.h>

/* What is added so many bytes later in a long row is asked for: the machine by itself does not look
 * beyond a page. */
#define PART_BYTES 512
#define PART (PART_BYTES / (int64_t)sizeof(storage_t))
#define AHEAD (2 * PART)
#define LONG (8 * PART)

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
    const int64_t part = n < LONG ? n : PART;
    for (int64_t begin = 0, end; begin < n; begin = end) {
        end = THSize_min(begin + part, n);
        if (end + AHEAD <= n) {
            THMove_prefetch(sum + begin + AHEAD, PART_BYTES, true);
            THMove_prefetch(term + begin + AHEAD, PART_BYTES, false);
        }
        for (int64_t i = begin; i < end; i++)
            TH_STORE(sum + i, TH_LOAD(sum + i) + (scalar_t)(factor * TH_LOAD(term + i)));
    }
}

#endif
