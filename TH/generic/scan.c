/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cumulative sums and products: THScanning.c with the loops for a dtype. */

int THTensor_(cumsum)(THTensor *result, THTensor *self, int64_t dim)
{
    return scan("cumsum", TH_SCAN_SUM, TH_DTYPE, result, self, dim);
}

int THTensor_(cumprod)(THTensor *result, THTensor *self, int64_t dim)
{
    return scan("cumprod", TH_SCAN_PROD, TH_DTYPE, result, self, dim);
}
