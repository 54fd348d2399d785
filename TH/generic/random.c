/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Distributions over floating numbers; included by TH/ops/THRandomOps.c for Half, Float and Double.
 */
#ifndef TH_GENERIC_FILE
#error "include TH/ops/THRandomOps.c instead"
#endif

#define UNIFORM TH_CONCAT_2(UNIFORM_, Real)

int THTensor_(uniform)(THTensor *self, double from, double to, THGenerator *generator)
{
    int status = TH_OK;
    Filling filling = {0};
    const bool unit = from == 0 && to == 1;
    const double largest = LARGEST(self->dtype);
    TH_REQUIRE(from <= to && from >= -largest && to <= largest && to - from <= largest,
               TH_ERROR_VALUE,
               "uniform_: expected from <= to, within %s and not too far apart, got %g and %g",
               THDtype_name((THDtype)self->dtype), from, to);
    TH_TRY(begin(&filling, self, generator));
    storage_t *const data = THTensor_data(filling.work);
    for (int64_t i = 0; i < filling.n; i++) {
        const scalar_t u = UNIFORM(filling.generator);
        const double x = (double)u * (to - from) + from;
        TH_STORE(data + i, unit ? u : (scalar_t)x);
        /* Rounding may have reached `to`, which is not in the range. */
        if (!unit && TH_LOAD(data + i) >= to && from < to)
            TH_STORE(data + i, (scalar_t)from);
    }
done:
    return end(status, &filling, self);
}

int THTensor_(normal)(THTensor *self, double mean, double std, THGenerator *generator)
{
    int status = TH_OK;
    Filling filling = {0};
    TH_REQUIRE(std >= 0, TH_ERROR_VALUE, "normal_: expected std >= 0, got %g", std);
    TH_TRY(begin(&filling, self, generator));
    storage_t *const data = THTensor_data(filling.work);
    for (int64_t i = 0; i < filling.n; i++)
        TH_STORE(data + i, (scalar_t)(mean + std * THRandom_normal(filling.generator)));
done:
    return end(status, &filling, self);
}

int THTensor_(exponential)(THTensor *self, double lambd, THGenerator *generator)
{
    int status = TH_OK;
    Filling filling = {0};
    TH_REQUIRE(lambd > 0, TH_ERROR_VALUE, "exponential_: expected lambd > 0, got %g", lambd);
    TH_TRY(begin(&filling, self, generator));
    storage_t *const data = THTensor_data(filling.work);
    for (int64_t i = 0; i < filling.n; i++)
        TH_STORE(data + i, (scalar_t)(exponential(filling.generator) / lambd));
done:
    return end(status, &filling, self);
}

#undef UNIFORM
