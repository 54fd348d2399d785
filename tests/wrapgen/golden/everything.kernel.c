/* Written by wrapgen from everything.yaml; edit that one.
 *
 * With TH_ISA defined this is the inner loops, compiled once for each instruction set; without, the functions that run
 * them through the engine. */
#ifndef TH_GENERIC_FILE
#include <TH/TH.h>
#include <TH/THMath.h>
#define TH_GENERIC_FILE "kernels/everything.c"
#ifdef TH_ISA
#include <TH/THGenerateLoopTypes.h>
#else
#include <TH/THGenerateAllTypes.h>
#endif
#else

/* forms_kernel(THTensor* self, THTensor* other) -> THTensor* result
 * everything.yaml:35: self + other */
#ifdef TH_ISA
void THLoop_(forms_kernel)(int64_t n, void *const *data, const void *params)
{
    (void)params;
    storage_t *const result_data = data[0];
    const storage_t *const self_data = data[1];
    const storage_t *const other_data = data[2];
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        const scalar_t self = TH_LOAD(self_data + i);
        const scalar_t other = TH_LOAD(other_data + i);
        TH_STORE(result_data + i, self + other);
    }
}
#else
TH_LOOPS_DECLARE(TH_LOOP_DECLARE, forms_kernel, TH_COMPUTE_REAL);
int THTensor_(forms_kernel)(THTensor *result, THTensor *self, THTensor *other)
{
    static const THKernel kernel = {
        .name = "forms",
        .noutputs = 1,
        .ninputs = 2,
        .flags = 0,
        .cost = 1,
        .dtype = {TH_COMPUTE, TH_COMPUTE, TH_COMPUTE},
        .loop = TH_LOOPS(forms_kernel, TH_COMPUTE_REAL),
    };
    THTensor *const operands[] = {result, self, other};
    return TH_KERNEL_RUN(&kernel, 0x6, operands, NULL);
}
#endif

#endif
