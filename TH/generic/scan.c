/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cumulative sums and products: THScanning.c with the loops of a dtype. */

TH_LOOPS_DECLARE(TH_SCAN_DECLARE, scan, TH_COMPUTE_REAL);
static const THScanLoops *const THTensor_(scanTables)[TH_ISA_COUNT] = TH_LOOPS(scan,
                                                                               TH_COMPUTE_REAL);

static int THTensor_(scan)(const char *op, THScanOp loops, THTensor *result, THTensor *self,
                           int64_t dim)
{
    const THDtype from = (THDtype)THDtype_computes[TH_DTYPE];
    const THDtype to = THDtype_category(from) == TH_CATEGORY_FLOATING ? from : TH_LONG;
    const int isa = THIsa_for(THTensor_nElement(self)); /* all of them compute the same */
    return THScan_run(op, &THTensor_(scanTables)[isa][loops], from, to, result, self, dim);
}

int THTensor_(cumsum)(THTensor *result, THTensor *self, int64_t dim)
{
    return THTensor_(scan)("cumsum", TH_SCAN_SUM, result, self, dim);
}

int THTensor_(cumprod)(THTensor *result, THTensor *self, int64_t dim)
{
    return THTensor_(scan)("cumprod", TH_SCAN_PROD, result, self, dim);
}
