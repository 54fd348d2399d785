/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions and scans of random layouts against plain loops; that results are the same bits for
 * every layout and number of threads; failing allocations. */
#include "random_tensors.h"

#include <TH/THMachine.h>

#define TH_GENERIC_FILE "TH/generic/reduce.h"
#include <TH/THGenerateAllTypes.h>
#define TH_GENERIC_FILE "TH/generic/scan.h"
#include <TH/THGenerateAllTypes.h>

typedef struct Functions {
    int (*sum)(THTensor *, THTensor *, uint64_t, bool);
    int (*any)(THTensor *, THTensor *, uint64_t, bool);
    int (*argmax)(THTensor *, THTensor *, uint64_t, bool);
    int (*cumsum)(THTensor *, THTensor *, int64_t);
} Functions;

#define ROW(Real, code)                                                            \
    [code] = {TH##Real##Tensor_sum, TH##Real##Tensor_any, TH##Real##Tensor_argmax, \
              TH##Real##Tensor_cumsum},
static const Functions functions[TH_DTYPE_LIMIT] = {TH_FORALL_DTYPES(ROW)};

static THDtype sumDtype(THDtype dtype)
{
    return THDtype_category(dtype) == TH_CATEGORY_FLOATING ? dtype : TH_LONG;
}

/* What the reduced dims of one result element add up to (small whole numbers: exact). */
static void naive(const THTensor *t, uint64_t mask, int64_t *kept, double *sum, int64_t *argmax)
{
    int64_t size[8] = {1}, index[8] = {0}, best = 0, count = 0;
    double most = 0;
    *sum = 0;
    for (int d = 0; d < t->nDimension; d++)
        size[d] = mask >> d & 1 ? t->size[d] : 1;
    do {
        int64_t whole[8];
        for (int d = 0; d < t->nDimension; d++)
            whole[d] = mask >> d & 1 ? index[d] : kept[d];
        const double x = at(t, t->nDimension, whole);
        *sum += x;
        if (count == 0 || x > most) {
            most = x;
            best = count;
        }
        count++;
    } while (next(t->nDimension, size, index));
    *argmax = best;
}

static void testReductions(THDtype dtype)
{
    int64_t size[8], kept[8] = {0};
    const int n = randomShape(size);
    THTensor *self = randomStrided(dtype, n, size), *sum = NULL, *any = NULL, *argmax = NULL;
    const uint64_t every = (UINT64_C(1) << n) - 1;
    const uint64_t mask = draw(1 << n) ? draw(1 << n) & every : every;
    const uint64_t reduced = mask ? mask : every;
    CHECK_OK(THTensor_newEmpty(&sum, sumDtype(dtype)));
    CHECK_OK(THTensor_newEmpty(&any, TH_BOOL));
    CHECK_OK(THTensor_newEmpty(&argmax, TH_LONG));
    CHECK_OK(functions[dtype].sum(sum, self, mask, true));
    CHECK_OK(functions[dtype].any(any, self, mask, true));
    if (THTensor_nElement(self) > 0) {
        int64_t keptSize[8];
        for (int d = 0; d < n; d++)
            keptSize[d] = reduced >> d & 1 ? 1 : size[d];
        CHECK_OK(functions[dtype].argmax(argmax, self, mask, true));
        int wrong = 0;
        do {
            double total;
            int64_t best;
            naive(self, reduced, kept, &total, &best);
            const double got = at(sum, n, kept);
            const double rounded = THHalf_toFloat(THHalf_fromFloat((float)total));
            wrong += got != (dtype == TH_HALF ? rounded : total);
            wrong += at(argmax, n, kept) != (double)best;
        } while (next(n, keptSize, kept));
        CHECK(wrong == 0);
    }
    THTensor_free(self);
    THTensor_free(sum);
    THTensor_free(any);
    THTensor_free(argmax);
}

static void testCumsum(THDtype dtype)
{
    int64_t size[8], index[8] = {0};
    int n = randomShape(size);
    if (n == 0)
        size[n++] = 5000;
    const int dim = (int)draw((uint64_t)n);
    THTensor *self = randomStrided(dtype, n, size), *result = NULL;
    CHECK_OK(THTensor_newEmpty(&result, sumDtype(dtype)));
    CHECK_OK(functions[dtype].cumsum(result, self, dim));
    CHECK(THTensor_isSameSizeAs(result, self));
    int wrong = 0;
    if (THTensor_nElement(self) > 0 && dtype != TH_HALF) {
        do {
            double before = 0;
            const int64_t i = index[dim];
            if (i > 0) {
                index[dim] = i - 1;
                before = at(result, n, index);
                index[dim] = i;
            }
            wrong += at(result, n, index) != before + at(self, n, index);
        } while (next(n, size, index));
    }
    CHECK(wrong == 0);
    THTensor_free(self);
    THTensor_free(result);
}

static bool sameBits(const THTensor *a, const THTensor *b)
{
    return THTensor_isSameSizeAs(a, b) &&
           memcmp(THTensor_data(a), THTensor_data(b),
                  (size_t)(THTensor_nElement(a) * THTensor_itemSize(a))) == 0;
}

/* Sums over dim 1 and scans of (rows, columns), rows first and columns first in memory, on 1 to 3
 * threads; sums of the one and of the other may be rounded otherwise. */
static void testSameBits(int64_t rows, int64_t columns)
{
    const int64_t size[2] = {rows, columns}, turned[2] = {columns, rows};
    THTensor *a = NULL, *base = NULL, *b = NULL, *scan = NULL;
    THTensor *first = NULL, *turnedFirst = NULL;
    CHECK_OK(THTensor_newWithSize(&a, TH_DOUBLE, 2, size));
    CHECK_OK(THTensor_newWithSize(&base, TH_DOUBLE, 2, turned));
    CHECK_OK(THTensor_newTranspose(&b, base, 0, 1));
    for (int64_t i = 0; i < rows * columns; i++)
        ((double *)THTensor_data(a))[i] = 1.0 / (double)(1 + draw(1000)) - 0.01;
    CHECK_OK(THTensor_copy(b, a));
    CHECK_OK(THTensor_newEmpty(&first, TH_DOUBLE));
    CHECK_OK(THTensor_newEmpty(&turnedFirst, TH_DOUBLE));
    CHECK_OK(THTensor_newEmpty(&scan, TH_DOUBLE));
    CHECK_OK(THDoubleTensor_sum(first, a, 1, false));
    CHECK_OK(THDoubleTensor_sum(turnedFirst, b, 1, false));
    CHECK_OK(THDoubleTensor_cumsum(scan, a, 0));
    for (int threads = 1; threads <= 3; threads++) {
        THTensor *sum = NULL, *again = NULL;
        CHECK_OK(THThreads_set(threads));
        CHECK_OK(THTensor_newEmpty(&sum, TH_DOUBLE));
        CHECK_OK(THTensor_newWithSize(&again, TH_DOUBLE, 2, size)); /* rows first, whatever b is */
        CHECK_OK(THDoubleTensor_sum(sum, a, 1, false));
        CHECK(sameBits(sum, first));
        CHECK_OK(THDoubleTensor_sum(sum, b, 1, false));
        CHECK(sameBits(sum, turnedFirst));
        CHECK_OK(THDoubleTensor_cumsum(again, b, 0));
        CHECK(sameBits(again, scan));
        THTensor_free(sum);
        THTensor_free(again);
    }
    THTensor *owned[] = {a, base, b, first, turnedFirst, scan};
    for (int i = 0; i < 6; i++)
        THTensor_free(owned[i]);
}

/* Sums of (rows, columns) floats of far memory, whatever is asked for on the way. */
static void testAsked(int64_t rows, int64_t columns)
{
    const int64_t size[2] = {rows, columns}, ahead = THMachine_readAhead;
    const bool follows = THMachine_followsRows, halves = THMachine_halvesRegisters;
    THTensor *a = NULL, *first[2] = {NULL, NULL};
    CHECK_OK(THTensor_newWithSize(&a, TH_FLOAT, 2, size));
    for (int64_t i = 0; i < rows * columns; i++)
        ((float *)THTensor_data(a))[i] = 1.0f / (float)(1 + i % 997) - 0.01f;
    for (int i = 0; i < 12; i++) {
        THMachine_followsRows = i % 2;
        THMachine_halvesRegisters = i / 2 % 2;
        THMachine_readAhead = i / 4 * 8192;
        for (int dim = 0; dim < 2; dim++) {
            THTensor *sum = NULL;
            CHECK_OK(THTensor_newEmpty(&sum, TH_FLOAT));
            CHECK_OK(THFloatTensor_sum(sum, a, UINT64_C(1) << dim, false));
            CHECK(i == 0 || sameBits(sum, first[dim]));
            THTensor_free(i == 0 ? NULL : sum);
            first[dim] = i == 0 ? sum : first[dim];
        }
    }
    THMachine_followsRows = follows;
    THMachine_halvesRegisters = halves;
    THMachine_readAhead = ahead;
    THTensor_free(a);
    THTensor_free(first[0]);
    THTensor_free(first[1]);
}

static void testErrors(void)
{
    const int64_t size[2] = {2, 0}, large[2] = {300, 2000};
    THTensor *empty = NULL, *result = NULL, *self = NULL;
    CHECK_OK(THTensor_newWithSize(&empty, TH_FLOAT, 2, size));
    CHECK_OK(THTensor_newWithSize(&self, TH_FLOAT, 2, large));
    CHECK_OK(THTensor_zero(self));
    CHECK_OK(THTensor_newEmpty(&result, TH_FLOAT));
    CHECK_ERROR(THFloatTensor_maxall(result, empty), TH_ERROR_INDEX,
                "max: cannot reduce over dim 1 of size 0, which has no identity");
    int failures = 0;
    for (int64_t after = 0; after < 20; after++) {
        THTensor_free(result);
        CHECK_OK(THTensor_newEmpty(&result, TH_FLOAT));
        THMemory_failAllocation(after);
        const int status = THFloatTensor_var(result, self, 1, 1, false);
        THMemory_failAllocation(-1);
        CHECK(status == TH_OK || status == TH_ERROR_MEMORY);
        failures += status != TH_OK;
    }
    CHECK(failures > 0);
    THTensor_free(empty);
    THTensor_free(self);
    THTensor_free(result);
}

int main(void)
{
    for (int i = 0; i < 40; i++) {
        for (int d = 0; d < DTYPES; d++) {
            testReductions(dtypes[d]);
            testCumsum(dtypes[d]);
        }
    }
    testSameBits(300000, 1);
    testSameBits(9000, 40);
    testSameBits(40, 9000);
    testAsked(1500, 215);
    testAsked(300, 1003);
    testErrors();
    return check_finish("test_reduce");
}
