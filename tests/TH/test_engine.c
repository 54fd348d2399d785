/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine against plain indexing, over random shapes, strides, broadcasts, dtypes and thread
 * counts; and the plans it makes. */
#include "random_tensors.h"

/* Loops, as the generator writes them. */

#define DEFINE_ADD(type, Name)                                                \
    static TH_LOOP_DECLARE(add##Name)                                         \
    {                                                                         \
        type *r = data[0];                                                    \
        const type *x = data[1], *y = data[2], alpha = *(const type *)params; \
        for (int64_t i = 0; i < n; i++)                                       \
            r[i] = (type)(x[i] + alpha * y[i]);                               \
    }
DEFINE_ADD(float, Float)
DEFINE_ADD(double, Double)

static TH_LOOP_DECLARE(lessDouble)
{
    uint8_t *r = data[0];
    const double *x = data[1], *y = data[2];
    (void)params;
    for (int64_t i = 0; i < n; i++)
        r[i] = x[i] < y[i];
}

/* Wants whole vectors, and says so in what it computes. */
static bool sawRagged, sawGarbage;
static TH_LOOP_DECLARE(squareFloat)
{
    float *r = data[0];
    const float *x = data[1];
    (void)params;
    if (n % 16 != 0)
        sawRagged = true;
    for (int64_t i = 0; i < n; i++) {
        if (!(x[i] >= -50 && x[i] <= 50))
            sawGarbage = true;
        r[i] = x[i] * x[i];
    }
}

static TH_LOOP_DECLARE(sumAndDifference)
{
    double *s = data[0], *d = data[1];
    const double *x = data[2], *y = data[3];
    (void)params;
    for (int64_t i = 0; i < n; i++) {
        const double a = x[i], b = y[i];
        s[i] = a + b;
        d[i] = a - b;
    }
}

#if TH_ISA_COUNT == 3
#define ALL_ISAS(loop) {loop, loop, loop}
#else
#define ALL_ISAS(loop) {loop}
#endif
static const THKernel addF = {
    "add", 1, 2, 0, 1, {TH_FLOAT, TH_FLOAT, TH_FLOAT}, .loop = ALL_ISAS(addFloat)};
static const THKernel addD = {
    "add", 1, 2, 0, 1, {TH_DOUBLE, TH_DOUBLE, TH_DOUBLE}, .loop = ALL_ISAS(addDouble)};
static const THKernel lessD = {
    "lt", 1, 2, 0, 1, {TH_BOOL, TH_DOUBLE, TH_DOUBLE}, .loop = ALL_ISAS(lessDouble)};
static const THKernel squareF = {"square",
                                 1,
                                 1,
                                 TH_KERNEL_WHOLE_VECTORS,
                                 9,
                                 {TH_FLOAT, TH_FLOAT},
                                 .loop = ALL_ISAS(squareFloat)};
static const THKernel bothD = {"both",
                               2,
                               2,
                               0,
                               1,
                               {TH_DOUBLE, TH_DOUBLE, TH_DOUBLE, TH_DOUBLE},
                               .loop = ALL_ISAS(sumAndDifference)};

static void checkBinary(const THKernel *kernel, THDtype outDtype, THDtype xDtype, THDtype yDtype)
{
    int64_t size[8], index[8] = {0};
    const int n = randomShape(size);
    THTensor *out = randomStrided(outDtype, n, size);
    THTensor *x = randomInput(xDtype, n, size), *y = randomInput(yDtype, n, size);
    THTensor *operands[3] = {out, x, y};
    const float alphaF = 2;
    const double alphaD = 2;
    bool good = true;

    THThreads_set(1 + (int)draw(3));
    CHECK(THKernel_run(kernel, operands, kernel == &addF ? (const void *)&alphaF : &alphaD) ==
          TH_OK);
    if (THTensor_nElement(out) > 0)
        do {
            const double a = at(x, n, index), b = at(y, n, index);
            const double expected = stored(kernel == &lessD ? a < b : a + 2 * b, outDtype);
            good = good && at(out, n, index) == expected;
        } while (next(n, size, index));
    CHECK(good);
    if (!good) {
        fprintf(stderr, "  %s %s <- %s, %s: out %s, x %s, y %s\n", kernel->name,
                THDtype_name(outDtype), THDtype_name(xDtype), THDtype_name(yDtype),
                THTensor_sizeDesc(out).str, THTensor_sizeDesc(x).str, THTensor_sizeDesc(y).str);
    }
    THTensor_free(out);
    THTensor_free(x);
    THTensor_free(y);
}

static void testBinary(void)
{
    for (int i = 0; i < 1500; i++) {
        const bool plain = i % 2;
        const THDtype f = plain ? TH_FLOAT : dtypes[draw(DTYPES)];
        checkBinary(&addF,
                    plain   ? TH_FLOAT
                    : i % 4 ? TH_HALF
                            : TH_DOUBLE,
                    f, plain ? TH_FLOAT : dtypes[draw(DTYPES)]);
        checkBinary(&addD, TH_DOUBLE, plain ? TH_DOUBLE : dtypes[draw(DTYPES)], TH_DOUBLE);
        checkBinary(&lessD, plain ? TH_BOOL : dtypes[draw(DTYPES)], dtypes[draw(DTYPES)],
                    TH_DOUBLE);
    }
}

static void testSquare(void)
{
    for (int i = 0; i < 400; i++) {
        int64_t size[8], index[8] = {0};
        const int n = randomShape(size);
        THTensor *out = randomStrided(TH_FLOAT, n, size), *x = randomInput(TH_FLOAT, n, size);
        THTensor *operands[2] = {out, i % 3 ? x : out};
        bool good = true;
        THTensor *before = NULL;
        CHECK(THTensor_newLike(&before, TH_FLOAT, operands[1]) == TH_OK);
        CHECK(THTensor_copy(before, operands[1]) == TH_OK);
        CHECK(THKernel_run(&squareF, operands, NULL) == TH_OK);
        if (THTensor_nElement(out) > 0)
            do {
                const double v = at(before, n, index);
                good = good && at(out, n, index) == v * v;
            } while (next(n, size, index));
        CHECK(good);
        THTensor_free(before);
        THTensor_free(out);
        THTensor_free(x);
    }
    CHECK(!sawRagged && !sawGarbage);
}

/* A padded end holds nothing but repetitions of the last element. */
static double onlyValue;
static TH_LOOP_DECLARE(watchPadding)
{
    float *r = data[0];
    const float *x = data[1];
    (void)params;
    for (int64_t i = 0; i < n; i++) {
        if (x[i] != (float)onlyValue)
            sawGarbage = true;
        r[i] = x[i];
    }
}

static void testPadding(void)
{
    static const THKernel watch = {"watch",
                                   1,
                                   1,
                                   TH_KERNEL_WHOLE_VECTORS,
                                   9,
                                   {TH_FLOAT, TH_FLOAT},
                                   .loop = ALL_ISAS(watchPadding)};
    for (int64_t n = 1; n < 40; n++) {
        THTensor *t = NULL;
        CHECK_OK(THTensor_newWithSize(&t, TH_FLOAT, 1, &n));
        THTensor *operands[2] = {t, t};
        onlyValue = (double)n;
        CHECK_OK(THTensor_fill(t, THScalar_fromLong(n)));
        CHECK_OK(THKernel_run(&watch, operands, NULL));
        THTensor_free(t);
    }
    CHECK(!sawGarbage);
}

static void testTwoOutputs(void)
{
    for (int i = 0; i < 300; i++) {
        int64_t size[8], index[8] = {0};
        const int n = randomShape(size);
        THTensor *s = randomStrided(TH_DOUBLE, n, size), *d = randomStrided(TH_FLOAT, n, size);
        THTensor *x = randomInput(TH_HALF, n, size), *y = randomInput(TH_DOUBLE, n, size);
        THTensor *operands[4] = {s, d, x, y};
        bool good = true;
        CHECK(THKernel_run(&bothD, operands, NULL) == TH_OK);
        if (THTensor_nElement(s) > 0)
            do {
                const double a = at(x, n, index), b = at(y, n, index);
                good = good && at(s, n, index) == a + b && at(d, n, index) == a - b;
            } while (next(n, size, index));
        CHECK(good);
        for (int k = 0; k < 4; k++)
            THTensor_free(operands[k]);
    }
}

static void testNumbers(void)
{
    const int64_t sizes[] = {1, 10, 255, 256, 257, 5000};
    for (int i = 0; i < 6; i++) {
        THTensor *out = NULL, *x = NULL;
        THScalarTensor box;
        const float alpha = 2;
        int64_t index = 0;
        bool good = true;
        CHECK(THTensor_newWithSize(&out, TH_FLOAT, 1, &sizes[i]) == TH_OK);
        CHECK(THTensor_newWithSize(&x, TH_FLOAT, 1, &sizes[i]) == TH_OK);
        fillRandom(x);
        THTensor *operands[3] = {out, x, THScalarTensor_init(&box, THScalar_fromLong(3))};
        CHECK(THKernel_run(&addF, operands, &alpha) == TH_OK);
        do
            good = good && at(out, 1, &index) == at(x, 1, &index) + 6;
        while (next(1, &sizes[i], &index));
        CHECK(good);
        THTensor_free(out);
        THTensor_free(x);
    }
}

/* Plans */

/* Numbers that Half does not hold, where the dtype holds them. */
static void fillFine(THTensor *self)
{
    const int64_t elements = self->storage->size / THTensor_itemSize(self);
    for (int64_t i = 0; i < elements; i++)
        THTensor_setAt(self, i, THScalar_fromDouble((double)draw(1 << 22) / 64 - 30000));
}

/* Operands of an operation in Half are rounded on the way: the result is that of operands rounded
 * before, and nothing is allocated. */
static void checkRounded(int i)
{
    int64_t size[8];
    const int n = randomShape(size);
    const float alpha = 2;
    THTensor *out = randomStrided(TH_HALF, n, size), *expected = NULL, *rounded[2] = {NULL};
    THTensor *inputs[2];
    for (int k = 0; k < 2; k++) {
        inputs[k] = randomInput(dtypes[draw(DTYPES)], n, size);
        fillFine(inputs[k]);
        CHECK_OK(THTensor_newCast(&rounded[k], inputs[k], TH_HALF));
    }
    CHECK_OK(THTensor_newLike(&expected, TH_HALF, out));
    CHECK_OK(THKernel_run(&addF, (THTensor *[]){expected, rounded[0], rounded[1]}, &alpha));
    THThreads_set(1 + i % 3);
    THMemoryStats before, after;
    THMemory_stats(&before);
    CHECK_OK(THKernel_runRounded(&addF, TH_HALF, 0x6, (THTensor *[]){out, inputs[0], inputs[1]},
                                 &alpha));
    THMemory_stats(&after);
    CHECK(after.allocations == before.allocations);
    bool good = true;
    int64_t index[8] = {0};
    if (THTensor_nElement(out) > 0)
        do {
            const double got = at(out, n, index), wanted = at(expected, n, index);
            good = good && (got == wanted || (got != got && wanted != wanted));
        } while (next(n, size, index));
    CHECK(good);
    for (int k = 0; k < 2; k++) {
        THTensor_free(inputs[k]);
        THTensor_free(rounded[k]);
    }
    THTensor_free(expected);
    THTensor_free(out);
}

static void testRounded(void)
{
    for (int i = 0; i < 1000; i++)
        checkRounded(i);
}

/* Tiles too: a transposed input of another dtype, and one of the kernel's own dtype, which is
 * rounded all the same. */
static void testRoundedTiles(void)
{
    const int64_t size[2] = {300, 70};
    const float alpha = 1;
    const double inputs[2] = {1 + 0x1p-20, 0x1p-25}; /* to half: 1 and 0 */
    THTensor *out = NULL, *x = NULL, *turned = NULL, *y = NULL;
    CHECK_OK(THTensor_newWithSize(&out, TH_HALF, 2, size));
    CHECK_OK(THTensor_newWithSize(&x, TH_FLOAT, 2, (const int64_t[]){size[1], size[0]}));
    CHECK_OK(THTensor_newWithSize(&y, TH_DOUBLE, 2, size));
    CHECK_OK(THTensor_newTranspose(&turned, x, 0, 1));
    CHECK_OK(THTensor_fill(x, THScalar_fromDouble(inputs[0])));
    CHECK_OK(THTensor_fill(y, THScalar_fromDouble(inputs[1])));
    CHECK_OK(THKernel_runRounded(&addF, TH_HALF, 0x6, (THTensor *[]){out, turned, y}, &alpha));
    bool good = true;
    for (int64_t i = 0; i < size[0] * size[1]; i++)
        good = good && THTensor_getAt(out, i).value.d == 1;
    CHECK(good);
    THTensor_free(turned);
    THTensor_free(out);
    THTensor_free(x);
    THTensor_free(y);
}

/* Whether the machine is asked for lines, or they are written past the caches, or nothing of both:
 * what is written is the same, and nothing beyond. */
static void testStrips(void)
{
    const int64_t n = (1 << 20) + 3, room = n + 2, streamFrom = THMachine_streamFrom;
    const float alpha = 2;
    const bool asks = THMachine_asksForWrites;
    THTensor *x = NULL, *all = NULL, *out = NULL;
    CHECK_OK(THTensor_newWithSize(&x, TH_FLOAT, 1, &n));
    CHECK_OK(THTensor_newWithSize(&all, TH_FLOAT, 1, &room));
    CHECK_OK(THTensor_newNarrow(&out, all, 0, 1, n));
    for (int64_t i = 0; i < n; i++)
        THTensor_setAt(x, i, THScalar_fromLong(i % 1000));
    for (int i = 0; i < 6; i++) {
        bool good = true;
        THThreads_set(1 + i / 3 * 2);
        THMachine_asksForWrites = i % 3 == 1;
        THMachine_streamFrom = i % 3 == 2 ? 1 : INT64_MAX;
        CHECK_OK(THTensor_fill(all, THScalar_fromLong(-1)));
        CHECK_OK(THKernel_run(&addF, (THTensor *[]){out, x, x}, &alpha));
        for (int64_t j = 0; j < n; j++)
            good = good && THTensor_getAt(all, 1 + j).value.d == 3 * (double)(j % 1000);
        CHECK(good && THTensor_getAt(all, 0).value.d == -1);
        CHECK(THTensor_getAt(all, n + 1).value.d == -1);
    }
    THMachine_asksForWrites = asks;
    THMachine_streamFrom = streamFrom;
    THTensor_free(x);
    THTensor_free(all);
    THTensor_free(out);
}

/* Bytes that inputs share are read once, however one lies behind the other. */
static void testShared(void)
{
    static const struct {
        int64_t row[2], column[2], shared; /* where parts begin; elements */
    } cases[] = {
        {{0, 0}, {0, 0}, 1000 * 400}, {{0, 2}, {0, 0}, 998 * 400}, {{2, 0}, {1, 0}, 998 * 399},
        {{1, 0}, {0, 3}, 999 * 397},  {{0, 0}, {0, 400}, 0},       {{0, 0}, {5, 405}, 0},
    };
    const int64_t whole[2] = {1002, 808}, size[2] = {1000, 400};
    THTensor *all = NULL, *out = NULL, *apart = NULL;
    THPlan plan;
    CHECK_OK(THTensor_newWithSize(&all, TH_FLOAT, 2, whole));
    CHECK_OK(THTensor_newWithSize(&out, TH_FLOAT, 2, size));
    CHECK_OK(THTensor_newWithSize(&apart, TH_FLOAT, 2, size));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        THTensor *rows = NULL, *part[2] = {NULL};
        for (int k = 0; k < 2; k++) {
            CHECK_OK(THTensor_newNarrow(&rows, all, 0, cases[i].row[k], size[0]));
            CHECK_OK(THTensor_newNarrow(&part[k], rows, 1, cases[i].column[k], size[1]));
            THTensor_free(rows);
        }
        CHECK_OK(THPlan_init(&plan, &addF, (THTensor *[]){out, part[0], part[1]}));
        CHECK(plan.bytes == (3 * size[0] * size[1] - cases[i].shared) * (int64_t)sizeof(float));
        CHECK_OK(THPlan_init(&plan, &addF, (THTensor *[]){out, part[0], apart}));
        CHECK(plan.bytes == 3 * size[0] * size[1] * (int64_t)sizeof(float));
        THTensor_free(part[0]);
        THTensor_free(part[1]);
    }
    THTensor_free(all);
    THTensor_free(out);
    THTensor_free(apart);
}

static void testPlans(void)
{
    const int64_t size[2] = {4096, 300}, turned[2] = {300, 4096};
    THTensor *a = NULL, *b = NULL, *t = NULL, *bt = NULL, *row = NULL;
    THPlan plan;
    CHECK(THTensor_newWithSize(&a, TH_FLOAT, 2, size) == TH_OK);
    CHECK(THTensor_newWithSize(&b, TH_FLOAT, 2, turned) == TH_OK);
    CHECK(THTensor_newTranspose(&bt, b, 0, 1) == TH_OK);
    CHECK(THTensor_newTranspose(&t, a, 0, 1) == TH_OK);
    CHECK(THTensor_newWithSize(&row, TH_HALF, 1, &size[1]) == TH_OK);

    THTensor *same[3] = {a, a, a};
    CHECK(THPlan_init(&plan, &addF, same) == TH_OK && plan.path == TH_PATH_CONTIGUOUS);
    CHECK(plan.nDimension == 1 && plan.staged == 0 && plan.bytes == 4096 * 300 * 8); /* read once */
    THTensor *together[3] = {t, t, t};
    CHECK(THPlan_init(&plan, &addF, together) == TH_OK && plan.path == TH_PATH_CONTIGUOUS);
    THTensor *mixed[3] = {a, a, bt};
    CHECK(THPlan_init(&plan, &addF, mixed) == TH_OK && plan.path == TH_PATH_TILED);
    CHECK(plan.tiled == 4);
    THTensor *staged[3] = {a, a, row};
    CHECK(THPlan_init(&plan, &addF, staged) == TH_OK && plan.path == TH_PATH_STAGED);
    CHECK(plan.staged == 4 && plan.convert == 4);
    THTensor *wrong[3] = {a, a, b};
    CHECK(THPlan_init(&plan, &addF, wrong) == TH_ERROR_VALUE);
    CHECK(strcmp(THError_message(), "add: shape (300, 4096) does not broadcast to (4096, 300)") ==
          0);
    THTensor *larger[3] = {row, a, a};
    CHECK(THPlan_init(&plan, &addF, larger) == TH_ERROR_VALUE);
    THTensor_free(a);
    THTensor_free(b);
    THTensor_free(t);
    THTensor_free(bt);
    THTensor_free(row);
}

int main(void)
{
    THMemoryStats before, after;
    THMemory_stats(&before);
    testBinary();
    testSquare();
    testPadding();
    testTwoOutputs();
    testNumbers();
    testRounded();
    testRoundedTiles();
    testStrips();
    testShared();
    testPlans();
    THMemory_stats(&after);
    CHECK(before.liveTensors == after.liveTensors && before.liveStorages == after.liveStorages);
    return check_finish("engine");
}
