/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions: each names its loops and how an accumulator becomes a result. THReduction.c does the
 * rest. */

/* Half is converted to float on the way to the loops. */
#ifdef TH_REAL_IS_HALF
#define LOOP_REAL Float
#else
#define LOOP_REAL Real
#endif

TH_LOOPS_DECLARE(TH_REDUCE_DECLARE, reduce, LOOP_REAL);
static const THReduceLoops *const THTensor_(reduceTables)[TH_ISA_COUNT] = TH_LOOPS(reduce,
                                                                                   LOOP_REAL);

static const THReduceLoops *THTensor_(reduceLoops)(THReduceOp op)
{
    return &THTensor_(reduceTables)[THIsa_current][op];
}

static THReduction THTensor_(reduction)(const char *op, THReduceOp loops)
{
    THReduction reduction = {.op = op, .compute = (THDtype)THDtype_computes[TH_DTYPE]};
    reduction.accSize = loops == TH_REDUCE_ARGMAX || loops == TH_REDUCE_ARGMIN
                            ? (int)sizeof(THReduceExtreme)
                            : (int)sizeof(accreal);
    reduction.loops = THTensor_(reduceLoops)(loops);
    return reduction;
}

/* Accumulators as they are: Long or this dtype. */
static void THTensor_(finishPlain)(const THReduction *reduction, int64_t n, int64_t reduced,
                                   const void *accumulators, const void *each,
                                   const THReduceTarget *target)
{
    const accreal *acc = accumulators;
    (void)reduction, (void)reduced, (void)each;
    char *to = target->data[0];
    for (int64_t i = 0; i < n; i++, to += target->stride[0]) {
        if (target->dtype[0] == TH_LONG)
            *(int64_t *)to = (int64_t)acc[i];
        else
            TH_STORE((storage_t *)to, acc[i]);
    }
}

int THTensor_(sum)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    THReduction reduction = THTensor_(reduction)("sum", TH_REDUCE_SUM);
    reduction.finish = THTensor_(finishPlain);
    return THReduction_run(&reduction, &result, 1, self, dim, keepdim, true);
}

int THTensor_(prod)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    THReduction reduction = THTensor_(reduction)("prod", TH_REDUCE_PROD);
    reduction.finish = THTensor_(finishPlain);
    return THReduction_run(&reduction, &result, 1, self, dim, keepdim, true);
}

int THTensor_(count_nonzero)(THTensor *result, THTensor *self, uint64_t dim)
{
    THReduction reduction = THTensor_(reduction)("count_nonzero", TH_REDUCE_NONZERO);
    reduction.finish = THTensor_(finishPlain);
    return THReduction_run(&reduction, &result, 1, self, dim, false, true);
}

/* Did at least `argument` of the elements count, or (-1) all of them? */
static void THTensor_(finishLogical)(const THReduction *reduction, int64_t n, int64_t reduced,
                                     const void *accumulators, const void *each,
                                     const THReduceTarget *target)
{
    const accreal *acc = accumulators;
    const accreal least = reduction->argument < 0 ? (accreal)reduced : (accreal)reduction->argument;
    (void)each;
    for (int64_t i = 0; i < n; i++)
        *(uint8_t *)(target->data[0] + i * target->stride[0]) = acc[i] >= least;
}

int THTensor_(all)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    THReduction reduction = THTensor_(reduction)("all", TH_REDUCE_NONZERO);
    reduction.finish = THTensor_(finishLogical);
    reduction.argument = -1;
    return THReduction_run(&reduction, &result, 1, self, dim, keepdim, true);
}

int THTensor_(any)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    THReduction reduction = THTensor_(reduction)("any", TH_REDUCE_NONZERO);
    reduction.finish = THTensor_(finishLogical);
    reduction.argument = 1;
    return THReduction_run(&reduction, &result, 1, self, dim, keepdim, true);
}

/* results: values, indices; either may be absent */
static void THTensor_(finishExtreme)(const THReduction *reduction, int64_t n, int64_t reduced,
                                     const void *accumulators, const void *each,
                                     const THReduceTarget *target)
{
    const THReduceExtreme *acc = accumulators;
    (void)reduction, (void)reduced, (void)each;
    for (int64_t i = 0; i < n && target->data[0]; i++) {
#ifdef TH_CATEGORY_IS_FLOATING
        const scalar_t value = (scalar_t)acc[i].value.d;
#else
        const scalar_t value = (scalar_t)acc[i].value.l;
#endif
        TH_STORE((storage_t *)(target->data[0] + i * target->stride[0]), value);
    }
    for (int64_t i = 0; i < n && target->data[1]; i++)
        *(int64_t *)(target->data[1] + i * target->stride[1]) = acc[i].index;
}

static int THTensor_(extreme)(const char *op, THReduceOp loops, THTensor *values, THTensor *indices,
                              THTensor *self, uint64_t dim, bool keepdim)
{
    THReduction reduction = THTensor_(reduction)(op, loops);
    THTensor *results[] = {values, indices};
    reduction.finish = THTensor_(finishExtreme);
    return THReduction_run(&reduction, results, 2, self, dim, keepdim, false);
}

int THTensor_(max)(THTensor *values, THTensor *indices, THTensor *self, int64_t dim, bool keepdim)
{
    return THTensor_(extreme)("max", TH_REDUCE_ARGMAX, values, indices, self, UINT64_C(1) << dim,
                              keepdim);
}

int THTensor_(min)(THTensor *values, THTensor *indices, THTensor *self, int64_t dim, bool keepdim)
{
    return THTensor_(extreme)("min", TH_REDUCE_ARGMIN, values, indices, self, UINT64_C(1) << dim,
                              keepdim);
}

int THTensor_(maxall)(THTensor *result, THTensor *self)
{
    return THTensor_(extreme)("max", TH_REDUCE_ARGMAX, result, NULL, self, 0, false);
}

int THTensor_(minall)(THTensor *result, THTensor *self)
{
    return THTensor_(extreme)("min", TH_REDUCE_ARGMIN, result, NULL, self, 0, false);
}

int THTensor_(argmax)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    return THTensor_(extreme)("argmax", TH_REDUCE_ARGMAX, NULL, result, self, dim, keepdim);
}

int THTensor_(argmin)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    return THTensor_(extreme)("argmin", TH_REDUCE_ARGMIN, NULL, result, self, dim, keepdim);
}

#ifdef TH_CATEGORY_IS_FLOATING

static void THTensor_(finishMean)(const THReduction *reduction, int64_t n, int64_t reduced,
                                  const void *accumulators, const void *each,
                                  const THReduceTarget *target)
{
    const accreal *acc = accumulators;
    (void)reduction, (void)each;
    for (int64_t i = 0; i < n; i++)
        TH_STORE((storage_t *)(target->data[0] + i * target->stride[0]),
                 (scalar_t)(acc[i] / (accreal)reduced));
}

int THTensor_(mean)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    THReduction reduction = THTensor_(reduction)("mean", TH_REDUCE_SUM);
    reduction.finish = THTensor_(finishMean);
    return THReduction_run(&reduction, &result, 1, self, dim, keepdim, true);
}

static void THTensor_(divideByCount)(int64_t n, void *accumulators, int64_t reduced)
{
    accreal *acc = accumulators;
    for (int64_t i = 0; i < n; i++)
        acc[i] /= (accreal)reduced;
}

/* `p` is 2 for the standard deviation, `argument` the correction. */
static void THTensor_(finishVariance)(const THReduction *reduction, int64_t n, int64_t reduced,
                                      const void *accumulators, const void *each,
                                      const THReduceTarget *target)
{
    const accreal *acc = accumulators;
    const accreal divisor = fmax((accreal)reduced - reduction->argument, 0);
    (void)each;
    for (int64_t i = 0; i < n; i++) {
        const accreal variance = acc[i] / divisor;
        TH_STORE((storage_t *)(target->data[0] + i * target->stride[0]),
                 (scalar_t)(reduction->p == 2 ? sqrt(variance) : variance));
    }
}

static int THTensor_(variance)(const char *op, double p, THTensor *result, THTensor *self,
                               uint64_t dim, int64_t correction, bool keepdim)
{
    THReduction reduction = THTensor_(reduction)(op, TH_REDUCE_SQUARES);
    reduction.first = THTensor_(reduceLoops)(TH_REDUCE_SUM);
    reduction.between = THTensor_(divideByCount);
    reduction.finish = THTensor_(finishVariance);
    reduction.p = p;
    reduction.argument = (double)correction;
    return THReduction_run(&reduction, &result, 1, self, dim, keepdim, true);
}

int THTensor_(var)(THTensor *result, THTensor *self, uint64_t dim, int64_t correction, bool keepdim)
{
    return THTensor_(variance)("var", 1, result, self, dim, correction, keepdim);
}

int THTensor_(std)(THTensor *result, THTensor *self, uint64_t dim, int64_t correction, bool keepdim)
{
    return THTensor_(variance)("std", 2, result, self, dim, correction, keepdim);
}

/* acc^argument */
static void THTensor_(finishNorm)(const THReduction *reduction, int64_t n, int64_t reduced,
                                  const void *accumulators, const void *each,
                                  const THReduceTarget *target)
{
    const accreal *acc = accumulators;
    const double power = reduction->argument;
    (void)reduced, (void)each;
    for (int64_t i = 0; i < n; i++) {
        const accreal norm = power == 1 ? acc[i] : power == 0.5 ? sqrt(acc[i]) : pow(acc[i], power);
        TH_STORE((storage_t *)(target->data[0] + i * target->stride[0]), (scalar_t)norm);
    }
}

int THTensor_(norm)(THTensor *result, THTensor *self, double p, uint64_t dim, bool keepdim)
{
    const THReduceOp loops = p == 2           ? TH_REDUCE_SQUARES
                             : p == 1         ? TH_REDUCE_ABS
                             : p == 0         ? TH_REDUCE_NONZERO
                             : p == INFINITY  ? TH_REDUCE_MAXABS
                             : p == -INFINITY ? TH_REDUCE_MINABS
                                              : TH_REDUCE_POWER;
    THReduction reduction = THTensor_(reduction)("norm", loops);
    reduction.finish = THTensor_(finishNorm);
    reduction.p = p;
    reduction.argument = p == 0 || isinf(p) ? 1 : 1 / p;
    return THReduction_run(&reduction, &result, 1, self, dim, keepdim, p >= 0 && !isinf(p));
}

int THTensor_(normNamed)(THTensor *result, THTensor *self, const char *p, uint64_t dim,
                         bool keepdim)
{
    TH_CHECK(p == NULL || strcmp(p, "fro") == 0, TH_ERROR_VALUE,
             "norm: expected p as a number, 'fro' or None, got '%s'", p);
    return THTensor_(norm)(result, self, 2, dim, keepdim);
}

/* -inf - -inf would be NaN; exp(-inf - 0) is right. */
static void THTensor_(zeroForNothing)(int64_t n, void *accumulators, int64_t reduced)
{
    accreal *acc = accumulators;
    (void)reduced;
    for (int64_t i = 0; i < n; i++)
        acc[i] = acc[i] == -INFINITY ? 0 : acc[i];
}

static void THTensor_(finishLogSumExp)(const THReduction *reduction, int64_t n, int64_t reduced,
                                       const void *accumulators, const void *each,
                                       const THReduceTarget *target)
{
    const accreal *acc = accumulators, *maximum = each;
    (void)reduction, (void)reduced;
    for (int64_t i = 0; i < n; i++)
        TH_STORE((storage_t *)(target->data[0] + i * target->stride[0]),
                 (scalar_t)(maximum[i] == INFINITY ? INFINITY : log(acc[i]) + maximum[i]));
}

int THTensor_(logsumexp)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    THReduction reduction = THTensor_(reduction)("logsumexp", TH_REDUCE_EXP);
    reduction.first = THTensor_(reduceLoops)(TH_REDUCE_MAXIMUM);
    reduction.between = THTensor_(zeroForNothing);
    reduction.finish = THTensor_(finishLogSumExp);
    return THReduction_run(&reduction, &result, 1, self, dim, keepdim, true);
}

#endif

#undef LOOP_REAL
