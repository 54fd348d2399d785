/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Softmax and its logarithm: THSoftmax.c with the loops of a dtype. */

TH_LOOPS_DECLARE(TH_SOFTMAX_DECLARE, softmax, TH_COMPUTE_REAL);
TH_LOOPS_DECLARE(TH_SOFTMAX_DECLARE, logSoftmax, TH_COMPUTE_REAL);
static const THSoftmaxLoops *const
    THTensor_(softmaxLoops)[TH_ISA_COUNT] = TH_LOOPS(softmax, TH_COMPUTE_REAL);
static const THSoftmaxLoops *const
    THTensor_(logSoftmaxLoops)[TH_ISA_COUNT] = TH_LOOPS(logSoftmax, TH_COMPUTE_REAL);

int THTensor_(softmax)(THTensor *result, THTensor *self, int64_t dim)
{
    return run("softmax", THTensor_(softmaxLoops)[THIsa_current],
               (THDtype)THDtype_computes[TH_DTYPE], result, self, dim);
}

int THTensor_(log_softmax)(THTensor *result, THTensor *self, int64_t dim)
{
    return run("log_softmax", THTensor_(logSoftmaxLoops)[THIsa_current],
               (THDtype)THDtype_computes[TH_DTYPE], result, self, dim);
}
