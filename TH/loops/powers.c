/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Powers of one number, for sequences. Vector and scalar code may round differently: n is a
 * multiple of 8. */
#include <TH/THIsa.h>
#include <TH/THMath.h>

void TH_ISA_(th_powers)(int64_t n, double base, double *numbers);
void TH_ISA_(th_powers)(int64_t n, double base, double *numbers)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        numbers[i] = THDouble_pow(base, numbers[i]);
}
