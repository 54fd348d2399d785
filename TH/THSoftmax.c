/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The chapter softmax, for every floating dtype. */
#include <TH/TH.h>
#include <TH/THLines.h>
#include <TH/loops/softmax.h>

static void softmaxLine(const THLineFunction *function, int64_t n, const void *x,
                        void *const *results, void *scratch)
{
    (void)scratch;
    (*(const THSoftmaxLoop *)function->params)(n, x, results[0]);
}

#define TH_GENERIC_FILE "TH/generic/softmax.h"
#include <TH/THGenerateFloatTypes.h>

#define TH_GENERIC_FILE "TH/generic/softmax.c"
#include <TH/THGenerateFloatTypes.h>
