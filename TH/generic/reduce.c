/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions: each names its loops and how an accumulator becomes a result. THReduction.c does the
 * rest. */

TH_REDUCE_LOOPS(nonzero);
#ifdef TH_CATEGORY_IS_BOOL
TH_REDUCE_LOOPS_OF(sum, Byte);
#else
TH_REDUCE_LOOPS_OF(sum, Real);
#endif
#if defined(TH_CATEGORY_IS_FLOATING) || defined(TH_REAL_IS_LONG)
TH_REDUCE_LOOPS_OF(prod, Real);
#else
TH_REDUCE_LOOPS_OF(prod, Int); /* products take longer than a conversion */
#endif
#ifdef TH_CATEGORY_IS_FLOATING
TH_REDUCE_LOOPS_OF(squares, Real);
TH_REDUCE_LOOPS_OF(moments, Real);
TH_REDUCE_LOOPS_OF(abs, Real);
TH_REDUCE_LOOPS_OF(cubes, Real);
TH_REDUCE_LOOPS(power);
TH_REDUCE_LOOPS(maxabs);
TH_REDUCE_LOOPS(minabs);
TH_REDUCE_LOOPS(logSumExp);
#endif

static THReduction THTensor_(reduction)(const char *op, const THReduceLoops *const *loops)
{
    return (THReduction){
        .op = op,
        .compute = loops[THIsa_current]->dtype,
        .accSize = (int)sizeof(accreal),
        .anyOrder = true,
        .loops = loops[THIsa_current],
        .loopsOfFew = loops[THIsa_few],
    };
}

#ifdef TH_CATEGORY_IS_FLOATING
#define ACCUMULATED TH_DOUBLE
#else
#define ACCUMULATED TH_LONG
#endif

/* Accumulators as they are: Long or this dtype. */
static void THTensor_(finishPlain)(const THReduction *reduction, int64_t n, int64_t reduced,
                                   void *accumulators, const THReduceTarget *target)
{
    const accreal *acc = accumulators;
    (void)reduction, (void)reduced;
    char *to = target->data[0];
    if (target->dtype[0] == ACCUMULATED && target->stride[0] == (int64_t)sizeof *acc)
        memcpy(to, acc, (size_t)n * sizeof *acc);
    else if (target->dtype[0] == TH_LONG)
        for (int64_t i = 0; i < n; i++, to += target->stride[0])
            *(int64_t *)to = (int64_t)acc[i];
    else if (TH_DTYPE == TH_HALF || (TH_DTYPE == TH_FLOAT && n >= MANY_RESULTS)) /* rounded once */
        THCast(n, to, TH_DTYPE, target->stride[0], acc, TH_DOUBLE, (int64_t)sizeof *acc);
    else
        for (int64_t i = 0; i < n; i++, to += target->stride[0])
            TH_STORE((storage_t *)to, acc[i]);
}

int THTensor_(sum)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    THReduction reduction = THTensor_(reduction)(
        "sum", TH_DTYPE == TH_BOOL ? THTensor_(nonzeroLoops) : THTensor_(sumLoops));
    reduction.finish = THTensor_(finishPlain);
    reduction.itself = ACCUMULATED == TH_LONG; /* the sum of -0.0 is 0.0 */
    return THReduction_run(&reduction, &result, 1, self, dim, keepdim, true);
}

int THTensor_(prod)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    THReduction reduction = THTensor_(reduction)("prod", THTensor_(prodLoops));
    reduction.itself = 1;
    reduction.finish = THTensor_(finishPlain);
    return THReduction_run(&reduction, &result, 1, self, dim, keepdim, true);
}

#ifdef TH_CATEGORY_IS_FLOATING

/* Have elements bits to spare in an accumulator? */
#define NARROW (sizeof(storage_t) < sizeof(accreal))

static void THTensor_(finishMean)(const THReduction *reduction, int64_t n, int64_t reduced,
                                  void *accumulators, const THReduceTarget *target)
{
    divideAndRoot(n, accumulators, (accreal)reduced, NARROW, false);
    THTensor_(finishPlain)(reduction, n, reduced, accumulators, target);
}

int THTensor_(mean)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    THReduction reduction = THTensor_(reduction)("mean", THTensor_(sumLoops));
    reduction.finish = THTensor_(finishMean);
    return THReduction_run(&reduction, &result, 1, self, dim, keepdim, true);
}

/* `p` is 2 for the standard deviation, `argument` the correction. */
static void THTensor_(finishVariance)(const THReduction *reduction, int64_t n, int64_t reduced,
                                      void *accumulators, const THReduceTarget *target)
{
    const THReduceMoments *moments = accumulators;
    accreal *acc = accumulators; /* in place, from the first on */
    const accreal divisor = reduced ? fmax((accreal)reduced - reduction->argument, 0) : 0;
    for (int64_t i = 0; i < n; i++)
        acc[i] = moments[i].deviations;
    divideAndRoot(n, acc, divisor, NARROW, reduction->p == 2);
    THTensor_(finishPlain)(reduction, n, reduced, acc, target);
}

static int THTensor_(variance)(const char *op, double p, THTensor *result, THTensor *self,
                               uint64_t dim, double correction, bool keepdim)
{
    THReduction reduction = THTensor_(reduction)(op, THTensor_(momentsLoops));
    reduction.accSize = (int)sizeof(THReduceMoments);
    reduction.blocks = true;
    reduction.finish = THTensor_(finishVariance);
    reduction.p = p;
    reduction.argument = correction;
    return THReduction_run(&reduction, &result, 1, self, dim, keepdim, true);
}

int THTensor_(var)(THTensor *result, THTensor *self, uint64_t dim, double correction, bool keepdim)
{
    return THTensor_(variance)("var", 1, result, self, dim, correction, keepdim);
}

int THTensor_(std)(THTensor *result, THTensor *self, uint64_t dim, double correction, bool keepdim)
{
    return THTensor_(variance)("std", 2, result, self, dim, correction, keepdim);
}

/* A count, the norm of power 0. */
static void THTensor_(finishCountNorm)(const THReduction *reduction, int64_t n, int64_t reduced,
                                       void *accumulators, const THReduceTarget *target)
{
    accreal *acc = accumulators;
    for (int64_t i = 0; i < n; i++) {
        int64_t count;
        memcpy(&count, acc + i, sizeof count);
        acc[i] = (accreal)count;
    }
    THTensor_(finishPlain)(reduction, n, reduced, acc, target);
}

/* acc^argument */
static void THTensor_(finishNorm)(const THReduction *reduction, int64_t n, int64_t reduced,
                                  void *accumulators, const THReduceTarget *target)
{
    accreal *acc = accumulators;
    const double power = reduction->argument;
    divideAndRoot(n, acc, 1, NARROW, power == 0.5);
    if (power != 0.5 && power != 1)
        raiseTo(n, acc, power);
    THTensor_(finishPlain)(reduction, n, reduced, acc, target);
}

int THTensor_(norm)(THTensor *result, THTensor *self, double p, uint64_t dim, bool keepdim)
{
    const bool single = p != 0 && isOfSingles(self, dim); /* of one element: its absolute value */
    const THReduceLoops *const *loops = p == 1 || single ? THTensor_(absLoops)
                                        : p == 2         ? THTensor_(squaresLoops)
                                        : p == 3         ? THTensor_(cubesLoops)
                                        : p == 0         ? THTensor_(nonzeroLoops)
                                        : p == INFINITY  ? THTensor_(maxabsLoops)
                                        : p == -INFINITY ? THTensor_(minabsLoops)
                                                         : THTensor_(powerLoops);
    THReduction reduction = THTensor_(reduction)("norm", loops);
    reduction.dear = loops == THTensor_(powerLoops);
    if (reduction.dear) /* instruction sets differ in pow */
        reduction.loopsOfFew = reduction.loops;
    reduction.finish = p == 0 ? THTensor_(finishCountNorm) : THTensor_(finishNorm);
    reduction.p = p;
    reduction.argument = isinf(p) || single ? 1 : 1 / p;
    return THReduction_run(&reduction, &result, 1, self, dim, keepdim, p >= 0 && !isinf(p));
}

int THTensor_(normNamed)(THTensor *result, THTensor *self, const char *p, uint64_t dim,
                         bool keepdim)
{
    TH_CHECK(p == NULL || strcmp(p, "fro") == 0, TH_ERROR_VALUE,
             "norm: expected p as a number, 'fro' or None, got '%s'", p);
    return THTensor_(norm)(result, self, 2, dim, keepdim);
}

/* Accumulators are of exponentials (softmax.h). */
static void THTensor_(finishLogSumExp)(const THReduction *reduction, int64_t n, int64_t reduced,
                                       void *accumulators, const THReduceTarget *target)
{
    logExps[THIsa_current](n, accumulators, accumulators);
    THTensor_(finishPlain)(reduction, n, reduced, accumulators, target);
}

int THTensor_(logsumexp)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    THReduction reduction = THTensor_(reduction)("logsumexp", THTensor_(logSumExpLoops));
    reduction.accSize = (int)sizeof(THSoftmaxExps);
    reduction.dear = true;
    reduction.loopsOfFew = reduction.loops; /* instruction sets differ in exp */
    reduction.finish = THTensor_(finishLogSumExp);
    return THReduction_run(&reduction, &result, 1, self, dim, keepdim, true);
}

#endif
#undef ACCUMULATED
#undef NARROW
