/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Outer products for each dtype; included by TH/ops/THOuter.c. */
#ifndef TH_GENERIC_FILE
#error "compile TH/ops/THOuter.c instead"
#endif

TH_LOOPS_DECLARE(TH_LOOP_DECLARE, outer, TH_BITS_REAL);
TH_LOOPS_DECLARE(TH_LOOP_DECLARE, addr, TH_BITS_REAL);

int THTensor_(ger)(THTensor *result, THTensor *self, THTensor *vec2)
{
    static const THKernel kernel = {OUTER_KERNEL("ger", 2, TH_DTYPE),
                                    .loop = TH_LOOPS(outer, TH_BITS_REAL)};
    const Outer outer = {.op = "ger", .first = "self", .kernel = &kernel};
    return outerProduct(&outer, result, self, vec2);
}

/* Where beta is 0, self is not read: nothing changes by adding -0. */
int THTensor_(addr)(THTensor *result, THTensor *self, THTensor *vec1, THTensor *vec2, scalar_t beta,
                    scalar_t alpha)
{
    static const THKernel kernel = {OUTER_KERNEL("addr", 3, TH_DTYPE),
                                    .loop = TH_LOOPS(addr, TH_BITS_REAL)};
    const bool reads = beta != 0;
    const scalar_t one = 1;
    const Outer outer = {"addr",
                         "vec1",
                         &kernel,
                         self,
                         .adds = reads,
                         .multiplies = alpha != 0,
                         {&alpha, reads ? &beta : &one}};
    return outerProduct(&outer, result, vec1, vec2);
}
