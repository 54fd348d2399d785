/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The chapter scan, for every dtype. */
#include <TH/TH.h>
#include <TH/ops/THScanning.h>

TH_LOOPS_DECLARE(TH_SCAN_DECLARE, scan, Int);
TH_LOOPS_DECLARE(TH_SCAN_DECLARE, scan, Long);
TH_LOOPS_DECLARE(TH_SCAN_DECLARE, scan, Float);
TH_LOOPS_DECLARE(TH_SCAN_DECLARE, scan, Double);

/* Small integers are converted to Int: loops wait for the element before more than they would gain
 * by reading others. */
static int scan(const char *op, THScanOp loops, THDtype dtype, THTensor *result, THTensor *self,
                int64_t dim)
{
    static const THScanLoops *const tables[][2][TH_ISA_COUNT] = {
        {TH_LOOPS(scan, Int), TH_LOOPS(scan, Long)},
        {TH_LOOPS(scan, Float), TH_LOOPS(scan, Double)},
    };
    const bool isFloating = THDtype_category(dtype) == TH_CATEGORY_FLOATING;
    const bool isWide = THDtype_size(dtype) == 8;
    const int isa = THIsa_for(THTensor_nElement(self)); /* all of them compute the same */
    const THDtype whole = isWide ? TH_LONG : TH_INT, floating = isWide ? TH_DOUBLE : TH_FLOAT;
    return THScan_run(op, &tables[isFloating][isWide][isa][loops], isFloating ? floating : whole,
                      isFloating ? floating : TH_LONG, result, self, dim);
}

#define TH_GENERIC_FILE "TH/generic/scan.h"
#include <TH/THGenerateAllTypes.h>

#define TH_GENERIC_FILE "TH/generic/scan.c"
#include <TH/THGenerateAllTypes.h>
