/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Core operations driven from C: sizes and batch dims, staging, failures of items and of memory. */
#include "check.h"

/* "(n),(n)->()": the sum of products in float; an item whose first product is negative fails. */
static TH_CORE_DECLARE(dot)
{
    (void)params;
    for (int64_t i = 0; i < n; i++) {
        const float *const x = TH_CORE_ITEM(const float, 1), *const y =
                                                                 TH_CORE_ITEM(const float, 2);
        float *const result = TH_CORE_ITEM(float, 0);
        *result = 0;
        for (int64_t j = 0; j < size[0]; j++)
            *result += x[j * TH_CORE_STRIDE(1, 0)] * y[j * TH_CORE_STRIDE(2, 0)];
        *code = size[0] > 0 && x[0] * y[0] < 0 ? 5 : 0;
        if (*code != 0)
            return i;
    }
    return n;
}

#if defined(__x86_64__)
#define LOOPS {dot, dot, dot}
#else
#define LOOPS {dot}
#endif
#define DOT(isContiguous)                                                                     \
    {                                                                                         \
        .name = "dot", .noutputs = 1, .ninputs = 2, .ndims = 1, .contiguous = (isContiguous), \
        .dim = {{"n", -1}}, .loop = LOOPS,                                                    \
        .operand = {{"result", TH_FLOAT, 0, 0, {0}},                                          \
                    {"x", TH_FLOAT, 0, 1, {0}},                                               \
                    {"y", TH_FLOAT, 0, 1, {0}}}                                               \
    }
static const THCore strided = DOT(0), contiguous = DOT(1);

static int run(const THCore *core, THDtype dtype, THTensor *result, THTensor *x, THTensor *y)
{
    THTensor *const operands[] = {result, x, y};
    THCoreWork work;
    const int status = THCore_begin(&work, core, operands);
    return status == TH_OK ? THCore_run(&work, dtype, operands, NULL) : status;
}

/* 0, 1, 2 ... in the order of the dims. */
static THTensor *counting(THDtype dtype, int ndims, const int64_t *size)
{
    THTensor *self = NULL;
    CHECK_OK(THTensor_newWithSize(&self, dtype, ndims, size));
    for (int64_t i = 0; i < THTensor_nElement(self); i++)
        THTensor_setAt(self, i, THScalar_fromLong(i % 7));
    return self;
}

static double at(const THTensor *self, int64_t offset)
{
    return THScalar_toDouble(THTensor_getAt(self, offset));
}

/* Every layout and dtype of the operands gives the sums that are counted here. */
static void testSums(const THCore *core, THDtype dtype, THDtype other)
{
    THTensor *x = counting(dtype, SIZES(4, 1, 6)), *y = counting(other, SIZES(6, 3)), *t = NULL;
    THTensor *result = NULL;
    const THDtype computed = dtype == TH_HALF && other == TH_HALF ? TH_HALF : TH_FLOAT;
    CHECK_OK(THTensor_newTranspose(&t, y, 0, 1));
    CHECK_OK(THTensor_newEmpty(&result, computed));
    CHECK_OK(run(core, computed, result, x, t));
    CHECK(THTensor_isSize(result, SIZES(4, 3)));
    for (int64_t i = 0; i < 4; i++)
        for (int64_t k = 0; k < 3; k++) {
            double sum = 0;
            for (int64_t j = 0; j < 6; j++)
                sum += at(x, i * 6 + j) * at(y, j * 3 + k);
            CHECK(at(result, i * 3 + k) == sum);
        }
    THTensor_free(result);
    THTensor_free(t);
    THTensor_free(y);
    THTensor_free(x);
}

static void testErrors(void)
{
    THTensor *x = counting(TH_FLOAT, SIZES(2, 3)), *y = counting(TH_FLOAT, SIZES(4));
    THTensor *z = counting(TH_FLOAT, SIZES(3, 3)), *number = NULL, *result = NULL;
    CHECK_OK(THTensor_newEmpty(&result, TH_FLOAT));
    CHECK_OK(THTensor_newScalar(&number, TH_FLOAT, THScalar_fromLong(1)));
    CHECK_ERROR(run(&strided, TH_FLOAT, result, x, y), TH_ERROR_VALUE,
                "dot: expected y of size 3 in dim n, got 4");
    CHECK_ERROR(run(&strided, TH_FLOAT, result, x, z), TH_ERROR_VALUE,
                "dot: batch dims (3,) of y do not broadcast with (2,)");
    CHECK_ERROR(run(&strided, TH_FLOAT, result, x, number), TH_ERROR_VALUE,
                "dot: expected y to have at least 1 dim, got shape ()");
    THTensor_setAt(x, 0, THScalar_fromLong(1));
    THTensor_setAt(x, 3, THScalar_fromLong(-1));
    THTensor_setAt(z, 6, THScalar_fromLong(1));
    THTensor *row = NULL;
    CHECK_OK(THTensor_newSelect(&row, z, 0, 2));
    CHECK_ERROR(run(&strided, TH_FLOAT, result, x, row), TH_ERROR_RUNTIME,
                "dot: failed with code 5 at batch index (1,)");
    CHECK_ERROR(run(&contiguous, TH_FLOAT, result, x, row), TH_ERROR_RUNTIME,
                "dot: failed with code 5 at batch index (1,)");
    THTensor_free(row);
    THTensor_free(number);
    THTensor_free(result);
    THTensor_free(z);
    THTensor_free(y);
    THTensor_free(x);
}

/* Items without elements, and no items. */
static void testEmpty(void)
{
    THTensor *x = counting(TH_FLOAT, SIZES(2, 0)), *y = counting(TH_FLOAT, SIZES(0));
    THTensor *none = counting(TH_FLOAT, SIZES(0, 5)), *five = counting(TH_HALF, SIZES(5));
    THTensor *result = NULL;
    CHECK_OK(THTensor_newEmpty(&result, TH_FLOAT));
    CHECK_OK(run(&contiguous, TH_FLOAT, result, x, y));
    CHECK(THTensor_isSize(result, SIZES(2)) && at(result, 0) == 0 && at(result, 1) == 0);
    CHECK_OK(run(&contiguous, TH_FLOAT, result, none, five));
    CHECK(THTensor_isSize(result, SIZES(0)));
    THTensor_free(result);
    THTensor_free(five);
    THTensor_free(none);
    THTensor_free(y);
    THTensor_free(x);
}

/* A row that is one element in memory cannot be staged. */
static void testTooLarge(void)
{
    THTensor *one = counting(TH_HALF, SIZES(1)), *row = NULL, *result = NULL;
    CHECK_OK(THTensor_newExpand(&row, one, DIMS(INT64_C(1) << 61)));
    CHECK_OK(THTensor_newEmpty(&result, TH_FLOAT));
    CHECK_ERROR(run(&contiguous, TH_FLOAT, result, row, row), TH_ERROR_MEMORY,
                "dot: x is too large");
    THTensor_free(result);
    THTensor_free(row);
    THTensor_free(one);
}

static void testAllocationFailures(void)
{
    THTensor *x = counting(TH_HALF, SIZES(4, 3)), *y = counting(TH_DOUBLE, SIZES(3));
    THMemoryStats before, after;
    int status = TH_ERROR_MEMORY;
    for (int n = 0; status != TH_OK && n < 100; n++) {
        THTensor *result = NULL;
        THMemory_stats(&before);
        CHECK_OK(THTensor_newEmpty(&result, TH_FLOAT));
        THMemory_failAllocation(n);
        status = run(&contiguous, TH_FLOAT, result, x, y);
        THMemory_failAllocation(-1);
        THTensor_free(result);
        THMemory_stats(&after);
        CHECK(status == TH_OK || status == TH_ERROR_MEMORY);
        CHECK(after.liveTensors == before.liveTensors && after.liveBlocks == before.liveBlocks);
    }
    CHECK(status == TH_OK);
    THTensor_free(y);
    THTensor_free(x);
}

int main(void)
{
    static const THDtype dtypes[] = {TH_HALF, TH_FLOAT, TH_INT, TH_DOUBLE};
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++) {
        testSums(&strided, dtypes[i], TH_FLOAT);
        testSums(&contiguous, TH_HALF, dtypes[i]);
    }
    testErrors();
    testEmpty();
    testTooLarge();
    testAllocationFailures();
    return check_finish("test_items");
}
