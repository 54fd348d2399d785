/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Outer products for every dtype, row by row. */
#include <TH/THBlas.h>
#include <TH/THThreads.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THProduct.h>

#define GRAIN 65536 /* elements worth a thread's while */
#define SHORT 16    /* columns that are shorter lines than rows: the rows are taken as lines */
#define STAGED 512  /* elements converted at once */
#define BLOCK 4096  /* elements of such rows, which the first-level cache keeps */

/* A row of the result; strides in elements, `right` is contiguous. */
typedef struct THOuterRow {
    void *result;
    const void *self, *right;
    int64_t n, stride, selfStride;
} THOuterRow;

static int checkVectors(const char *op, const char *first, const THTensor *left,
                        const THTensor *right)
{
    const int64_t any = -1;
    const int status = THProduct_expect(op, first, left, 1, &any);
    return status ? status : THProduct_expect(op, "vec2", right, 1, &any);
}

#define TH_GENERIC_FILE <TH/generic/outer.c>
#include <TH/THGenerateAllTypes.h>
