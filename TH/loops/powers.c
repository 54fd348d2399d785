/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Powers of one number (TH/ops/THPowers.h). */
#include <TH/THMath.h>
#include <TH/ops/THPowers.h>

TH_POWERS_DECLARE(TH_ISA_(th_powers));
void TH_ISA_(th_powers)(int64_t n, double base, double *numbers)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        numbers[i] = THDouble_pow(base, numbers[i]);
}
