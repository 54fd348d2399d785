/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to sums.c and moments.c, within their generic part: lines of few elements as columns. */
#ifndef SHORT
#define SHORT TH_REDUCE_TURNED
#define TURNED TH_REDUCE_TURNED_LINES
#endif

TH_INLINE void THLoop_(turnBy)(int n, const storage_t *restrict x, double *restrict columns)
{
#pragma omp simd
    for (int i = 0; i < TURNED; i++)
#pragma GCC unroll 4
        for (int j = 0; j < n; j++)
            columns[j * TURNED + i] = TH_LOAD(x + i * n + j);
}

/* The elements of TURNED lines, which lie one after the other, column by column. */
TH_ONCE void THLoop_(turn)(int64_t n, const storage_t *x, double *columns)
{
    if (n == 2)
        THLoop_(turnBy)(2, x, columns);
    else if (n == 3)
        THLoop_(turnBy)(3, x, columns);
    else
        THLoop_(turnBy)(4, x, columns);
}
