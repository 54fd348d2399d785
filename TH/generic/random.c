/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Distributions over floating numbers; included by TH/ops/THRandomOps.c for Half, Float and Double.
 */
#ifndef TH_GENERIC_FILE
#error "include TH/ops/THRandomOps.c instead"
#endif

/* n numbers below 1, of as many bits as the dtype holds. */
static void THTensor_(drawUnit)(THGenerator *generator, int64_t n, scalar_t *numbers)
{
#ifdef TH_REAL_IS_DOUBLE
    THRandom_uniforms(generator, n, numbers);
#else
    const int bits = TH_DTYPE == TH_HALF ? 11 : 24;
    const float unit = TH_DTYPE == TH_HALF ? 0x1p-11f : 0x1p-24f;
    uint32_t words[DRAWN];
    THRandom_words(generator, n, words);
    for (int64_t i = 0; i < n; i++)
        numbers[i] = (float)(int32_t)(words[i] >> (32 - bits)) * unit;
#endif
}

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
    for (int64_t at = 0; at < filling.n; at += DRAWN) {
        const int64_t n = filling.n - at < DRAWN ? filling.n - at : DRAWN;
        scalar_t u[DRAWN];
        THTensor_(drawUnit)(filling.generator, n, u);
        for (int64_t i = 0; i < n && unit; i++)
            TH_STORE(data + at + i, u[i]);
        for (int64_t i = 0; i < n && !unit; i++) {
            TH_STORE(data + at + i, (scalar_t)((double)u[i] * (to - from) + from));
            /* Rounding may have reached `to`, which is not in the range. */
            if (TH_LOAD(data + at + i) >= to && from < to)
                TH_STORE(data + at + i, (scalar_t)from);
        }
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
    for (int64_t at = 0; at < filling.n; at += DRAWN) {
        const int64_t n = filling.n - at < DRAWN ? filling.n - at : DRAWN;
        double numbers[DRAWN];
        THRandom_normals(filling.generator, n, numbers);
        for (int64_t i = 0; i < n; i++)
            TH_STORE(data + at + i, (scalar_t)(mean + std * numbers[i]));
    }
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
    for (int64_t at = 0; at < filling.n; at += DRAWN) {
        const int64_t n = filling.n - at < DRAWN ? filling.n - at : DRAWN;
        double numbers[DRAWN];
        THRandom_exponentials(filling.generator, n, numbers);
        for (int64_t i = 0; i < n; i++)
            TH_STORE(data + at + i, (scalar_t)(numbers[i] / lambd));
    }
done:
    return end(status, &filling, self);
}
