/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tensors of random numbers: everything is checked before the generator is touched, so that a call
 * that fails draws nothing. */
#include <inttypes.h>
#include <math.h>

#include <TH/THExplain.h>
#include <TH/THRandomOps.h>
#include <TH/THWrapper.h>
#include <TH/engine/THMove.h>

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

/* Converts to or from the dtype of a tensor; what becomes Half is rounded to Float first. */
static void convert(int64_t n, void *to, THDtype toDtype, const void *from, THDtype fromDtype)
{
    float room[DRAWN];
    THCast_through(n, to, toDtype, toDtype == TH_HALF ? TH_FLOAT : fromDtype, room, from,
                   fromDtype);
}

/* ---- whole numbers ---- */

/* In from + [0, count). Dtypes but Long and Double hold no number beyond int32, or all of these. */
static void fillWhole(void *to, THDtype dtype, int64_t n, int64_t from, uint64_t count,
                      THGenerator *generator)
{
    const bool isLong = count > UINT32_MAX, wide = isLong || THDtype_size(dtype) == 8;
    uint32_t words[DRAWN];
    uint64_t made[DRAWN];
    for (int64_t at = 0; at < n; at += DRAWN) {
        const int64_t m = n - at < DRAWN ? n - at : DRAWN;
        char *const target = (char *)to + at * THDtype_size(dtype);
        uint64_t *const longs = dtype == TH_LONG ? (uint64_t *)(void *)target : made;
        if (isLong)
            THRandom_longsBelow(generator, m, count, longs);
        else if (count > 1)
            THRandom_wordsBelow(generator, m, (uint32_t)count, words);
        else
            memset(words, 0, sizeof words);
        for (int64_t i = 0; i < m && isLong; i++)
            longs[i] += (uint64_t)from;
        for (int64_t i = 0; i < m && wide && !isLong; i++)
            longs[i] = (uint64_t)from + words[i];
        for (int64_t i = 0; i < m && !wide; i++)
            words[i] += (uint32_t)from;
        if (!wide)
            convert(m, target, dtype, words, TH_INT);
        else if (longs == made)
            convert(m, target, dtype, made, TH_LONG);
    }
}

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
    fillWhole(THTensor_data(filling.work), (THDtype)self->dtype, filling.n, from, count,
              filling.generator);
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

/* The numbers below n, each of which goes to a random place among those before it. */
static void permute(int64_t *data, int64_t n, THGenerator *generator)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t place = (int64_t)THRandom_below(generator, (uint64_t)i + 1);
        data[i] = data[place];
        data[place] = i;
    }
}

/* The same in the second half of the memory, where half as much is far, and many places at once, so
 * that one need not be there before the next is known (10^6: 22 ms one by one, so 5; EPYC 9004). */
static void permuteWords(int64_t *data, int64_t n, THGenerator *generator)
{
    typedef uint32_t __attribute__((may_alias)) Number;
    Number *const numbers = (Number *)(void *)data + n;
    uint32_t places[DRAWN];
    if (n > 0)
        numbers[0] = 0;
    for (int64_t at = 1; at < n; at += DRAWN) {
        const int64_t m = n - at < DRAWN ? n - at : DRAWN;
        THRandom_wordsBelowRising(generator, m, (uint32_t)at + 1, places);
        for (int64_t i = 0; i < m; i++) {
            numbers[at + i] = numbers[places[i]];
            numbers[places[i]] = (uint32_t)(at + i);
        }
    }
    for (int64_t i = 0; i < n; i++)
        data[i] = numbers[i];
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
    if (n <= UINT32_MAX - DRAWN)
        permuteWords(THTensor_data(result), n, filling.generator);
    else
        permute(THTensor_data(result), n, filling.generator);
done:
    status = end(status, &filling, result);
    if (status == TH_OK)
        status = THTensor_newCast(out, result, chosen);
    THTensor_free(result);
    return status;
}

/* ---- floating numbers ---- */

/* n numbers below 1, of as many bits as the dtype holds. */
static void drawUnit(THGenerator *generator, int64_t n, void *to, THDtype dtype)
{
    const int bits = dtype == TH_HALF ? 11 : 24;
    const float unit = dtype == TH_HALF ? 0x1p-11f : 0x1p-24f;
    uint32_t words[DRAWN];
    float made[DRAWN], *const numbers = dtype == TH_FLOAT ? to : made;
    if (dtype == TH_DOUBLE) {
        THRandom_uniforms(generator, n, to);
        return;
    }
    THRandom_words(generator, n, words);
    for (int64_t i = 0; i < n; i++)
        numbers[i] = (float)(int32_t)(words[i] >> (32 - bits)) * unit;
    if (dtype == TH_HALF)
        convert(n, to, TH_HALF, made, TH_FLOAT);
}

/* From [0, 1) to [from, to). Rounding may reach `to`, which is not in the range. */
static void spreadUnit(int64_t n, void *data, THDtype dtype, double from, double to)
{
    const double length = to - from, instead = from < to ? from : to;
    double *const doubles = data, numbers[DRAWN], rounded[DRAWN];
    int64_t reached = 0;
    if (dtype == TH_DOUBLE) {
        for (int64_t i = 0; i < n; i++) {
            const double number = doubles[i] * length + from;
            doubles[i] = number >= to ? instead : number;
        }
        return;
    }
    convert(n, numbers, TH_DOUBLE, data, dtype);
    for (int64_t i = 0; i < n; i++)
        numbers[i] = numbers[i] * length + from;
    convert(n, data, dtype, numbers, TH_DOUBLE);
    convert(n, rounded, TH_DOUBLE, data, dtype);
    for (int64_t i = 0; i < n; i++)
        reached += rounded[i] >= to;
    if (reached == 0)
        return;
    for (int64_t i = 0; i < n; i++)
        numbers[i] = rounded[i] >= to ? instead : numbers[i];
    convert(n, data, dtype, numbers, TH_DOUBLE);
}

#define LARGEST(dtype) \
    ((dtype) == TH_HALF ? 65504.0 : (dtype) == TH_FLOAT ? 0x1.fffffep127 : 0x1.fffffffffffffp1023)

static int fillUniform(THTensor *self, double from, double to, THGenerator *generator)
{
    int status = TH_OK;
    Filling filling = {0};
    const THDtype dtype = (THDtype)self->dtype;
    const double largest = LARGEST(dtype);
    TH_REQUIRE(from <= to && from >= -largest && to <= largest && to - from <= largest,
               TH_ERROR_VALUE,
               "uniform_: expected from <= to, within %s and not too far apart, got %g and %g",
               THDtype_name(dtype), from, to);
    TH_TRY(begin(&filling, self, generator));
    char *const data = THTensor_data(filling.work);
    for (int64_t at = 0; at < filling.n; at += DRAWN) {
        const int64_t n = filling.n - at < DRAWN ? filling.n - at : DRAWN;
        char *const target = data + at * THDtype_size(dtype);
        drawUnit(filling.generator, n, target, dtype);
        if (from != 0 || to != 1)
            spreadUnit(n, target, dtype, from, to);
    }
done:
    return end(status, &filling, self);
}

/* What is drawn as doubles: normal ones times b plus a, or exponential ones by b. */
static int fillDrawn(THTensor *self, bool normal, double a, double b, THGenerator *generator)
{
    int status = TH_OK;
    Filling filling = {0};
    TH_TRY(begin(&filling, self, generator));
    const THDtype dtype = (THDtype)self->dtype;
    char *const data = THTensor_data(filling.work);
    for (int64_t at = 0; at < filling.n; at += DRAWN) {
        const int64_t n = filling.n - at < DRAWN ? filling.n - at : DRAWN;
        double numbers[DRAWN];
        (normal ? THRandom_normals : THRandom_exponentials)(filling.generator, n, numbers);
        for (int64_t i = 0; i < n && normal; i++)
            numbers[i] = a + b * numbers[i];
        for (int64_t i = 0; i < n && !normal; i++)
            numbers[i] = numbers[i] / b;
        convert(n, data + at * THDtype_size(dtype), dtype, numbers, TH_DOUBLE);
    }
done:
    return end(status, &filling, self);
}

static int fillNormal(THTensor *self, double mean, double std, THGenerator *generator)
{
    TH_CHECK(std >= 0, TH_ERROR_VALUE, "normal_: expected std >= 0, got %g", std);
    return fillDrawn(self, true, mean, std, generator);
}

static int fillExponential(THTensor *self, double lambd, THGenerator *generator)
{
    TH_CHECK(lambd > 0, TH_ERROR_VALUE, "exponential_: expected lambd > 0, got %g", lambd);
    return fillDrawn(self, false, 0, lambd, generator);
}

#define TH_GENERIC_FILE <TH/generic/random.c>
#include <TH/THGenerateFloatTypes.h>

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
    bool are = true;
    for (int64_t at = 0; at < n && are; at += DRAWN) {
        const int64_t m = n - at < DRAWN ? n - at : DRAWN;
        double p[DRAWN];
        readChances(chances, at, m, p);
        are = THRandom_areProbabilities(m, p);
    }
    return are;
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
