/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tensors of random numbers: everything is checked before the generator is touched, so that a call
 * that fails draws nothing. */
#include <inttypes.h>
#include <math.h>

#include <TH/THExplain.h>
#include <TH/THRandomOps.h>
#include <TH/THWrapper.h>

/* A tensor being filled: drawn into `work`, self or a contiguous tensor that is copied to it. */
typedef struct Filling {
    THTensor *work;
    THGenerator *generator; /* locked, once there is one */
    int64_t n;
    THWork announced;
} Filling;

#define STEPS 4   /* as long as a number takes, in sums of two */
#define DRAWN 512 /* numbers drawn at once */

static int begin(Filling *filling, THTensor *self, THGenerator *generator)
{
    int status = TH_OK;
    if (THTensor_isContiguous(self))
        THTensor_retain(filling->work = self);
    else
        TH_TRY(THTensor_newLike(&filling->work, (THDtype)self->dtype, self));
    filling->n = THTensor_nElement(self);
    THWork_enter(&filling->announced, STEPS, &filling->work, 1);
    if (TH_UNLIKELY(THExplain_current != NULL))
        TH_TRY(THExplain_shape(self, self->nDimension, self->size));
    filling->generator = generator != NULL ? generator : THGenerator_default();
    THGenerator_lock(filling->generator);
done:
    return status;
}

static int end(int status, Filling *filling, THTensor *self)
{
    if (filling->generator != NULL)
        THGenerator_unlock(filling->generator);
    THWork_end(&filling->announced);
    if (status == TH_OK && filling->work != self)
        status = THTensor_copy(self, filling->work);
    THTensor_free(filling->work);
    return status;
}

#define LARGEST(dtype) \
    ((dtype) == TH_HALF ? 65504.0 : (dtype) == TH_FLOAT ? 0x1.fffffep127 : 0x1.fffffffffffffp1023)

#define TH_GENERIC_FILE <TH/generic/random.c>
#include <TH/THGenerateFloatTypes.h>

#define TH_GENERIC_FILE <TH/generic/randomWhole.c>
#include <TH/THGenerateAllTypes.h>

/* ---- whole numbers ---- */

typedef void (*FillWhole)(void *to, int64_t n, int64_t from, uint64_t count,
                          THGenerator *generator);
#define FILL_WHOLE(Real, code) [code] = TH_CONCAT_3(TH, Real, Tensor_fillWhole),
static const FillWhole fillWhole[TH_DTYPE_LIMIT] = {TH_FORALL_DTYPES(FILL_WHOLE)};

/* The whole numbers a dtype holds exactly, without gaps. */
static void wholeRange(THDtype dtype, int64_t *least, int64_t *largest)
{
    const int bits = 8 * (int)THDtype_size(dtype);
    if (dtype == TH_BOOL || dtype == TH_BYTE) {
        *least = 0;
        *largest = dtype == TH_BOOL ? 1 : 255;
    } else if (THDtype_category(dtype) == TH_CATEGORY_FLOATING) {
        *largest = INT64_C(1) << (dtype == TH_HALF ? 11 : dtype == TH_FLOAT ? 24 : 53);
        *least = -*largest;
    } else {
        *largest = bits == 64 ? INT64_MAX : (INT64_C(1) << (bits - 1)) - 1;
        *least = -*largest - 1;
    }
}

static int checkWhole(const char *op, THDtype dtype, int64_t from, int64_t to)
{
    int64_t least, largest;
    TH_CHECK(from < to, TH_ERROR_VALUE,
             "%s: expected a range that is not empty, got [%" PRId64 ", %" PRId64 ")", op, from,
             to);
    wholeRange(dtype, &least, &largest);
    TH_CHECK(from >= least && to - 1 <= largest, TH_ERROR_VALUE,
             "%s: %s holds the whole numbers from %" PRId64 " to %" PRId64 ", got [%" PRId64
             ", %" PRId64 ")",
             op, THDtype_name(dtype), least, largest, from, to);
    return TH_OK;
}

static int fillRange(THTensor *self, int64_t from, uint64_t count, THGenerator *generator)
{
    int status = TH_OK;
    Filling filling = {0};
    TH_TRY(begin(&filling, self, generator));
    fillWhole[self->dtype](THTensor_data(filling.work), filling.n, from, count, filling.generator);
done:
    return end(status, &filling, self);
}

int THTensor_random(THTensor *self, int64_t from, int64_t to, THGenerator *generator)
{
    const int status = checkWhole("random_", (THDtype)self->dtype, from, to);
    return status == TH_OK ? fillRange(self, from, (uint64_t)to - (uint64_t)from, generator)
                           : status;
}

int THTensor_randomAll(THTensor *self, THGenerator *generator)
{
    int64_t least, largest;
    wholeRange((THDtype)self->dtype, &least, &largest);
    return fillRange(self, 0, (uint64_t)largest + 1, generator);
}

int THTensor_newRandint(THTensor **out, int64_t low, int64_t high, const int64_t *size, int nsize,
                        int dtype, THGenerator *generator)
{
    int status = TH_OK;
    THTensor *result = NULL;
    const THDtype chosen = dtype < 0 ? TH_LONG : (THDtype)dtype;
    TH_REQUIRE(THDtype_isValid((int)chosen), TH_ERROR_TYPE, "randint: %d is not a dtype", dtype);
    TH_TRY(checkWhole("randint", chosen, low, high));
    TH_TRY(THTensor_newWithSize(&result, chosen, nsize, size));
    TH_TRY(fillRange(result, low, (uint64_t)high - (uint64_t)low, generator));
    *out = result;
    result = NULL;
done:
    THTensor_free(result);
    return status;
}

int THTensor_newRandintLike(THTensor **out, THTensor *self, int64_t low, int64_t high, int dtype,
                            THGenerator *generator)
{
    return THTensor_newRandint(out, low, high, self->size, self->nDimension,
                               dtype < 0 ? self->dtype : dtype, generator);
}

int THTensor_newRandperm(THTensor **out, int64_t n, int dtype, THGenerator *generator)
{
    int status = TH_OK;
    int64_t least, largest;
    THTensor *result = NULL;
    Filling filling = {0};
    const THDtype chosen = dtype < 0 ? TH_LONG : (THDtype)dtype;
    TH_REQUIRE(THDtype_isValid((int)chosen), TH_ERROR_TYPE, "randperm: %d is not a dtype", dtype);
    wholeRange(chosen, &least, &largest);
    TH_REQUIRE(n >= 0, TH_ERROR_VALUE, "randperm: expected n >= 0, got %" PRId64, n);
    TH_REQUIRE(n - 1 <= largest, TH_ERROR_VALUE, "randperm: %s does not hold %" PRId64,
               THDtype_name(chosen), n - 1);
    TH_TRY(THTensor_newWithSize(&result, TH_LONG, 1, &n));
    TH_TRY(begin(&filling, result, generator));
    int64_t *const data = THTensor_data(result);
    for (int64_t i = 0; i < n; i++) { /* each number goes to a random place among those before it */
        const int64_t place = (int64_t)THRandom_below(filling.generator, (uint64_t)i + 1);
        data[i] = data[place];
        data[place] = i;
    }
done:
    status = end(status, &filling, result);
    if (status == TH_OK)
        status = THTensor_newCast(out, result, chosen);
    THTensor_free(result);
    return status;
}

/* ---- floating numbers ---- */

typedef int (*Fill)(THTensor *self, double a, double b, THGenerator *generator);
static const Fill uniform[TH_DTYPE_LIMIT] = {[TH_HALF] = THHalfTensor_uniform,
                                             [TH_FLOAT] = THFloatTensor_uniform,
                                             [TH_DOUBLE] = THDoubleTensor_uniform};
static const Fill normal[TH_DTYPE_LIMIT] = {[TH_HALF] = THHalfTensor_normal,
                                            [TH_FLOAT] = THFloatTensor_normal,
                                            [TH_DOUBLE] = THDoubleTensor_normal};

static int newFloating(const char *op, THTensor **out, const Fill *fill, const int64_t *size,
                       int nsize, int dtype, double b, THGenerator *generator)
{
    int status = TH_OK;
    THTensor *result = NULL;
    TH_REQUIRE(THDtype_isValid(dtype) && fill[dtype] != NULL, TH_ERROR_TYPE,
               "%s: expected a floating dtype, got %s", op, THDtype_name((THDtype)dtype));
    TH_TRY(THTensor_newWithSize(&result, (THDtype)dtype, nsize, size));
    TH_TRY(fill[dtype](result, 0, b, generator));
    *out = result;
    result = NULL;
done:
    THTensor_free(result);
    return status;
}

int THTensor_newRand(THTensor **out, const int64_t *size, int nsize, int dtype,
                     THGenerator *generator)
{
    return newFloating("rand", out, uniform, size, nsize,
                       dtype < 0 ? (int)THDtype_default() : dtype, 1, generator);
}

int THTensor_newRandn(THTensor **out, const int64_t *size, int nsize, int dtype,
                      THGenerator *generator)
{
    return newFloating("randn", out, normal, size, nsize,
                       dtype < 0 ? (int)THDtype_default() : dtype, 1, generator);
}

int THTensor_newRandLike(THTensor **out, THTensor *self, int dtype, THGenerator *generator)
{
    return newFloating("rand_like", out, uniform, self->size, self->nDimension,
                       dtype < 0 ? self->dtype : dtype, 1, generator);
}

int THTensor_newRandnLike(THTensor **out, THTensor *self, int dtype, THGenerator *generator)
{
    return newFloating("randn_like", out, normal, self->size, self->nDimension,
                       dtype < 0 ? self->dtype : dtype, 1, generator);
}

/* ---- trials ---- */

/* Where probabilities come from: a contiguous tensor, or one for all. */
typedef struct Chances {
    const THTensor *each; /* NULL: all are the same */
    double same;
} Chances;

static void readChances(const Chances *chances, int64_t at, int64_t n, double *p)
{
    if (chances->each != NULL) {
        const int64_t size = THTensor_itemSize(chances->each);
        THCast(n, p, TH_DOUBLE, sizeof *p, (char *)THTensor_data(chances->each) + at * size,
               (THDtype)chances->each->dtype, size);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        p[i] = chances->same;
}

static bool areProbabilities(const Chances *chances)
{
    const int64_t n = chances->each != NULL ? THTensor_nElement(chances->each) : 1;
    int bad = 0;
    for (int64_t at = 0; at < n; at += DRAWN) {
        const int64_t m = n - at < DRAWN ? n - at : DRAWN;
        double p[DRAWN];
        readChances(chances, at, m, p);
        for (int64_t i = 0; i < m; i++)
            bad |= !(p[i] >= 0 && p[i] <= 1);
    }
    return !bad;
}

/* Probabilities may be self's own elements, in the same order. */
static int fillTrials(const char *op, THTensor *self, const Chances *chances,
                      THGenerator *generator)
{
    int status = TH_OK;
    Filling filling = {0};
    TH_REQUIRE(areProbabilities(chances), TH_ERROR_VALUE,
               "%s: expected probabilities between 0 and 1", op);
    TH_TRY(begin(&filling, self, generator));
    char *const data = THTensor_data(filling.work);
    const int64_t size = THTensor_itemSize(self);
    for (int64_t at = 0; at < filling.n; at += DRAWN) {
        const int64_t n = filling.n - at < DRAWN ? filling.n - at : DRAWN;
        double p[DRAWN];
        uint8_t trials[DRAWN];
        readChances(chances, at, n, p);
        THRandom_trials(filling.generator, n, p, trials);
        THCast(n, data + at * size, (THDtype)self->dtype, size, trials, TH_BOOL, 1);
    }
done:
    return end(status, &filling, self);
}

int THTensor_bernoulli(THTensor *self, double p, THGenerator *generator)
{
    return fillTrials("bernoulli_", self, &(Chances){.same = p}, generator);
}

int THTensor_bernoulliLike(THTensor *result, THTensor *self, double p, THGenerator *generator)
{
    const int status = THTensor_resizeOutput("bernoulli", result, self->nDimension, self->size);
    return status == TH_OK ? fillTrials("bernoulli", result, &(Chances){.same = p}, generator)
                           : status;
}

static int trialsOf(const char *op, THTensor *self, THTensor *p, THGenerator *generator)
{
    int status = TH_OK;
    THTensor *expanded = NULL, *contiguous = NULL;
    TH_REQUIRE(THDtype_category((THDtype)p->dtype) == TH_CATEGORY_FLOATING, TH_ERROR_TYPE,
               "%s: expected probabilities of a floating dtype, got %s", op,
               THDtype_name((THDtype)p->dtype));
    TH_TRY(THTensor_newExpand(&expanded, p, self->size, self->nDimension));
    TH_TRY(THTensor_newContiguous(&contiguous, expanded));
    TH_TRY(fillTrials(op, self, &(Chances){.each = contiguous}, generator));
done:
    THTensor_free(expanded);
    THTensor_free(contiguous);
    return status;
}

int THTensor_bernoulliTensor(THTensor *self, THTensor *p, THGenerator *generator)
{
    return trialsOf("bernoulli_", self, p, generator);
}

int THTensor_bernoulliOf(THTensor *result, THTensor *self, THGenerator *generator)
{
    int status = TH_OK;
    TH_TRY(THTensor_resizeOutput("bernoulli", result, self->nDimension, self->size));
    TH_TRY(trialsOf("bernoulli", result, self, generator));
done:
    return status;
}
