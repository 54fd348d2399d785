/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Softmax as a function of lines. */

/* Half is converted to float on the way to the loops. */
#ifdef TH_REAL_IS_HALF
#define LOOP_REAL Float
#else
#define LOOP_REAL Real
#endif

TH_LOOPS_DECLARE(TH_SOFTMAX_DECLARE, softmax, LOOP_REAL);
TH_LOOPS_DECLARE(TH_SOFTMAX_DECLARE, logSoftmax, LOOP_REAL);
static const THSoftmaxLoop THTensor_(softmaxLoops)[TH_ISA_COUNT] = TH_LOOPS(softmax, LOOP_REAL);
static const THSoftmaxLoop THTensor_(logSoftmaxLoops)[TH_ISA_COUNT] = TH_LOOPS(logSoftmax,
                                                                               LOOP_REAL);

static int THTensor_(softmaxRun)(const char *op, const THSoftmaxLoop *loop, THTensor *result,
                                 THTensor *self, int64_t dim)
{
    const THDtype compute = (THDtype)THDtype_computes[TH_DTYPE];
    const THLineFunction function = {.op = op,
                                     .from = compute,
                                     .to = {compute},
                                     .length = self->nDimension ? self->size[dim] : 1,
                                     .params = loop,
                                     .call = softmaxLine};
    const int status = THTensor_resizeOutput(op, result, self->nDimension, self->size);
    return status == TH_OK ? THLineFunction_run(&function, &result, 1, self, dim) : status;
}

int THTensor_(softmax)(THTensor *result, THTensor *self, int64_t dim)
{
    return THTensor_(softmaxRun)("softmax", &THTensor_(softmaxLoops)[THIsa_current], result, self,
                                 dim);
}

int THTensor_(log_softmax)(THTensor *result, THTensor *self, int64_t dim)
{
    return THTensor_(softmaxRun)("log_softmax", &THTensor_(logSoftmaxLoops)[THIsa_current], result,
                                 self, dim);
}

#undef LOOP_REAL
