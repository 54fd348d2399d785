/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Extremes and counts: reductions like those of reduce.c, which is included before. */

TH_REDUCE_LOOPS_OF(argmax, Real);
TH_REDUCE_LOOPS_OF(argmin, Real);
TH_REDUCE_LOOPS_OF(amax, Real);
TH_REDUCE_LOOPS_OF(amin, Real);
TH_REDUCE_LOOPS_OF(aminmax, Real);

int THTensor_(count_nonzero)(THTensor *result, THTensor *self, uint64_t dim)
{
    THReduction reduction = THTensor_(reduction)("count_nonzero", THTensor_(nonzeroLoops));
    reduction.finish = finishCount;
    return THReduction_run(&reduction, &result, 1, self, dim, false, true);
}

/* The extreme of bool, or what only counts as that, is found with the first that is `argument`. */
static bool THTensor_(isTruthDecided)(const THReduction *reduction, int64_t n, int64_t seen,
                                      const void *accumulators)
{
    const bool extreme = reduction->argument > 0;
    const bool isPlace = reduction->accSize != (int)sizeof(scalar_t);
    const THReduceExtreme *places = accumulators;
    const scalar_t *values = accumulators;
    bool decided = true;
    (void)seen;
    for (int64_t i = 0; i < n && decided; i++)
        decided = (isPlace ? places[i].value.l != 0 : values[i] != 0) == extreme;
    return decided;
}

/* results: values, indices; either may be absent */
static void THTensor_(finishExtreme)(const THReduction *reduction, int64_t n, int64_t reduced,
                                     void *accumulators, const THReduceTarget *target)
{
    const THReduceExtreme *acc = accumulators;
    (void)reduction, (void)reduced;
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

TH_ONCE int THTensor_(extreme)(const char *op, const THReduceLoops *const *loops, THTensor *values,
                               THTensor *indices, THTensor *self, uint64_t dim, bool keepdim)
{
    THReduction reduction = THTensor_(reduction)(op, loops);
    reduction.argument = loops == THTensor_(argmaxLoops);
    reduction.isDecided = TH_DTYPE == TH_BOOL ? THTensor_(isTruthDecided) : NULL;
    reduction.accSize = (int)sizeof(THReduceExtreme);
    reduction.anyOrder = false; /* the first extreme is meant */
    reduction.exact = true;
    reduction.itself = 1;
    THTensor *results[] = {values, indices};
    reduction.finish = THTensor_(finishExtreme);
    return THReduction_run(&reduction, results, 2, self, dim, keepdim, false);
}

/* Accumulators are what the loops see, which for Half is Float. */
static void THTensor_(finishValue)(const THReduction *reduction, int64_t n, int64_t reduced,
                                   void *accumulators, const THReduceTarget *target)
{
    const scalar_t *acc = accumulators;
    char *to = target->data[0];
    (void)reduction, (void)reduced;
    if (n >= MANY_RESULTS)
        THCast(n, to, TH_DTYPE, target->stride[0], acc, TH_COMPUTE, (int64_t)sizeof *acc);
    else
        for (int64_t i = 0; i < n; i++, to += target->stride[0])
            TH_STORE((storage_t *)to, acc[i]);
}

/* Whether it is not 0. */
static void THTensor_(finishTruth)(const THReduction *reduction, int64_t n, int64_t reduced,
                                   void *accumulators, const THReduceTarget *target)
{
    (void)reduction, (void)reduced;
    THCast(n, target->data[0], TH_BOOL, target->stride[0], accumulators, TH_COMPUTE,
           (int64_t)sizeof(scalar_t));
}

TH_ONCE int THTensor_(value)(const char *op, const THReduceLoops *const *loops,
                             THReduceFinish *finish, THTensor *result, THTensor *self, uint64_t dim,
                             bool keepdim)
{
    THReduction reduction = THTensor_(reduction)(op, loops);
    const bool isTruth = TH_DTYPE == TH_BOOL || finish == THTensor_(finishTruth);
    reduction.argument = loops == THTensor_(amaxLoops);
    reduction.isDecided = isTruth ? THTensor_(isTruthDecided) : NULL;
    reduction.accSize = (int)sizeof(scalar_t);
    reduction.exact = true;
    reduction.itself = finish == THTensor_(finishValue) || result->dtype == TH_BOOL;
    reduction.finish = finish;
    return THReduction_run(&reduction, &result, 1, self, dim, keepdim, false);
}

/* Of bytes the least or the largest element, whatever their sign; of others a count of those that
 * are not 0. */
TH_ONCE int THTensor_(logical)(const char *op, bool all, THTensor *result, THTensor *self,
                               uint64_t dim, bool keepdim)
{
    if (TH_DTYPE == TH_CHAR) {
        THTensor bytes = *self;
        bytes.dtype = TH_BYTE;
        return THByteTensor_logical(op, all, result, &bytes, dim, keepdim);
    }
    if ((TH_DTYPE == TH_BOOL || TH_DTYPE == TH_BYTE) && THTensor_nElement(self) > 0)
        return THTensor_(value)(op, all ? THTensor_(aminLoops) : THTensor_(amaxLoops),
                                THTensor_(finishTruth), result, self, dim, keepdim);
    THReduction reduction = THTensor_(reduction)(op, THTensor_(nonzeroLoops));
    reduction.finish = finishLogical;
    reduction.isDecided = isLogicalDecided;
    reduction.argument = all ? -1 : 1;
    reduction.itself = result->dtype == TH_BOOL;
    return THReduction_run(&reduction, &result, 1, self, dim, keepdim, true);
}

int THTensor_(all)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    return THTensor_(logical)("all", true, result, self, dim, keepdim);
}

int THTensor_(any)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    return THTensor_(logical)("any", false, result, self, dim, keepdim);
}

int THTensor_(max)(THTensor *values, THTensor *indices, THTensor *self, int64_t dim, bool keepdim)
{
    return THTensor_(extreme)("max", THTensor_(argmaxLoops), values, indices, self,
                              UINT64_C(1) << dim, keepdim);
}

int THTensor_(min)(THTensor *values, THTensor *indices, THTensor *self, int64_t dim, bool keepdim)
{
    return THTensor_(extreme)("min", THTensor_(argminLoops), values, indices, self,
                              UINT64_C(1) << dim, keepdim);
}

int THTensor_(maxall)(THTensor *result, THTensor *self)
{
    return THTensor_(value)("max", THTensor_(amaxLoops), THTensor_(finishValue), result, self, 0,
                            false);
}

int THTensor_(minall)(THTensor *result, THTensor *self)
{
    return THTensor_(value)("min", THTensor_(aminLoops), THTensor_(finishValue), result, self, 0,
                            false);
}

int THTensor_(amax)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    return THTensor_(value)("amax", THTensor_(amaxLoops), THTensor_(finishValue), result, self, dim,
                            keepdim);
}

int THTensor_(amin)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    return THTensor_(value)("amin", THTensor_(aminLoops), THTensor_(finishValue), result, self, dim,
                            keepdim);
}

/* Of bool both values are found with the first of each; accumulators are pairs. */
static bool THTensor_(isRangeDecided)(const THReduction *reduction, int64_t n, int64_t seen,
                                      const void *accumulators)
{
    const scalar_t *acc = accumulators;
    bool decided = true;
    (void)reduction, (void)seen;
    for (int64_t i = 0; i < n && decided; i++)
        decided = acc[2 * i] == 0 && acc[2 * i + 1] != 0;
    return decided;
}

static void THTensor_(finishRange)(const THReduction *reduction, int64_t n, int64_t reduced,
                                   void *accumulators, const THReduceTarget *target)
{
    const scalar_t *acc = accumulators;
    (void)reduction, (void)reduced;
    for (int r = 0; r < 2; r++, acc++) {
        char *to = target->data[r];
        if (n >= MANY_RESULTS)
            THCast(n, to, TH_DTYPE, target->stride[r], acc, TH_COMPUTE, 2 * (int64_t)sizeof *acc);
        else
            for (int64_t i = 0; i < n; i++, to += target->stride[r])
                TH_STORE((storage_t *)to, acc[2 * i]);
    }
}

int THTensor_(aminmax)(THTensor *min, THTensor *max, THTensor *self, uint64_t dim, bool keepdim)
{
    THReduction reduction = THTensor_(reduction)("aminmax", THTensor_(aminmaxLoops));
    reduction.accSize = 2 * (int)sizeof(scalar_t);
    reduction.exact = true;
    reduction.itself = 3;
    reduction.finish = THTensor_(finishRange);
    reduction.isDecided = TH_DTYPE == TH_BOOL ? THTensor_(isRangeDecided) : NULL;
    THTensor *results[] = {min, max};
    return THReduction_run(&reduction, results, 2, self, dim, keepdim, false);
}

int THTensor_(argmax)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    return THTensor_(extreme)("argmax", THTensor_(argmaxLoops), NULL, result, self, dim, keepdim);
}

int THTensor_(argmin)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim)
{
    return THTensor_(extreme)("argmin", THTensor_(argminLoops), NULL, result, self, dim, keepdim);
}
