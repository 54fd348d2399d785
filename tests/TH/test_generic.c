/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same checks for every dtype: this file includes itself once for each. What the library gives
 * is compared with plain loops over TH_LOAD and TH_STORE. Elements are small whole numbers, in
 * every other row of a matrix, so that sums are exact and tensors not contiguous. */
#ifndef TH_GENERIC_FILE

#include "check.h"

#include <TH/THOps.h>

#include <math.h>

#define ROWS 7
#define COLUMNS 45
#define ELEMENTS (ROWS * COLUMNS)

/* Dtypes in which NaN, Inf and fractions exist; in which numbers wrap. */
#define IS_FLOATING(dtype) (THDtype_category(dtype) == TH_CATEGORY_FLOATING)
#define IS_BOOL(dtype) (THDtype_category(dtype) == TH_CATEGORY_BOOL)

/* The element at a row and column, whatever the dtype. */
static double at(const THTensor *self, int64_t row, int64_t column)
{
    return THScalar_toDouble(THTensor_getAt(self, self->storageOffset + row * self->stride[0] +
                                                      column * self->stride[1]));
}

/* The i-th element of a tensor of one dim. */
static double nth(const THTensor *self, int64_t i)
{
    return THScalar_toDouble(THTensor_getAt(self, self->storageOffset + i * self->stride[0]));
}

/* The only element; frees the tensor, so that the next call makes a new one. */
static double only(THTensor **self)
{
    CHECK(THTensor_nElement(*self) == 1);
    const double value = THScalar_toDouble(THTensor_getAt(*self, (*self)->storageOffset));
    THTensor_free(*self);
    *self = NULL;
    return value;
}

static bool areEqual(THTensor *a, THTensor *b)
{
    bool equal = false;
    CHECK_OK(TH_equal(&equal, a, b));
    return equal;
}

#define TH_GENERIC_FILE "tests/TH/test_generic.c"
#include <TH/THGenerateAllTypes.h>

int main(void)
{
    THMemoryStats stats;
    THGenerator_manualSeed(THGenerator_default(), 1);
#define X(Real, CODE) TH_CONCAT_3(TH, Real, Tensor_test)();
    TH_FORALL_DTYPES(X)
    THMemory_stats(&stats);
    CHECK(stats.liveTensors == 0 && stats.liveStorages == 0 && stats.liveBlocks == 0);
    return check_finish("generic");
}

#else

/* 0 and 1 for Bool; 0 .. 12 where there is no sign, -6 .. 6 elsewhere; in no order. */
static scalar_t THTensor_(value)(int64_t i)
{
    const int64_t n = (i * 7 + 3) % 13;
#if defined(TH_CATEGORY_IS_BOOL)
    return n % 2;
#elif defined(TH_REAL_IS_BYTE)
    return (scalar_t)n;
#else
    return (scalar_t)(n - 6);
#endif
}

/* A matrix of these values, every other row of a larger one. */
static THTensor *THTensor_(matrix)(void)
{
    THTensor *all = NULL, *self = NULL;
    CHECK_OK(
        TH_full(&all, (const int64_t[]){2 * ROWS, COLUMNS}, 2, THScalar_fromLong(1), TH_DTYPE));
    CHECK_OK(THTensor_newSlice(&self, all, 0, 0, 2 * ROWS, 2));
    storage_t *data = THTensor_data(self);
    for (int64_t i = 0; i < ELEMENTS; i++)
        TH_STORE(data + i / COLUMNS * self->stride[0] + i % COLUMNS, THTensor_(value)(i));
    THTensor_free(all);
    return self;
}

static void THTensor_(testFill)(void)
{
    THTensor *self = THTensor_(matrix)(), *all = NULL;
    const int64_t outside = self->size[1];
    bool good = true;
    CHECK_OK(THTensor_fill(self, THScalar_fromLong(1)));
    const storage_t *data = THTensor_data(self);
    for (int64_t i = 0; i < ELEMENTS; i++)
        good = good && TH_LOAD(data + i / COLUMNS * self->stride[0] + i % COLUMNS) == 1;
    CHECK(good);
    CHECK_OK(THTensor_zero(self));
    CHECK(at(self, ROWS - 1, COLUMNS - 1) == 0 && TH_LOAD(data + outside) == 1);
    CHECK_OK(TH_any(&all, self, NULL, 0, false));
    CHECK(only(&all) == 0);
    if (THDtype_category(TH_DTYPE) == TH_CATEGORY_INTEGRAL) {
        CHECK(THTensor_fill(self, THScalar_fromDouble(1e30)) == TH_ERROR_VALUE);
        CHECK(at(self, 0, 0) == 0);
    }
    THTensor_free(self);
}

static void THTensor_(testCopy)(void)
{
    THTensor *self = THTensor_(matrix)(), *wide = NULL, *back = NULL, *turned = NULL, *same = NULL;
    CHECK_OK(THTensor_newLike(&wide, TH_DOUBLE, self));
    CHECK_OK(THTensor_newLike(&back, TH_DTYPE, self));
    CHECK_OK(THTensor_copy(wide, self));
    CHECK_OK(THTensor_copy(back, wide));
    CHECK(areEqual(self, back) && THTensor_isContiguous(back));
    bool good = true;
    for (int64_t i = 0; i < ELEMENTS; i++)
        good = good && at(wide, i / COLUMNS, i % COLUMNS) == (double)THTensor_(value)(i);
    CHECK(good);
    CHECK_OK(THTensor_newTranspose(&turned, self, 0, 1));
    CHECK_OK(THTensor_newClone(&same, turned));
    CHECK(areEqual(turned, same) && same->size[0] == COLUMNS && at(same, 3, 1) == at(self, 1, 3));
    CHECK_OK(THTensor_zero(self));
    CHECK(areEqual(turned, same) == false);
    THTensor_free(same);
    THTensor_free(turned);
    THTensor_free(back);
    THTensor_free(wide);
    THTensor_free(self);
}

static void THTensor_(testSum)(void)
{
    THTensor *self = THTensor_(matrix)(), *sum = NULL, *rows = NULL, *running = NULL;
    accreal total = 0, row[ROWS] = {0};
    bool good = true;
    for (int64_t i = 0; i < ELEMENTS; i++) {
        total += THTensor_(value)(i);
        row[i / COLUMNS] += THTensor_(value)(i);
    }
    CHECK_OK(TH_sum(&sum, self, NULL, 0, false, -1));
    CHECK(sum->dtype == (IS_FLOATING(TH_DTYPE) ? TH_DTYPE : TH_LONG));
    CHECK(only(&sum) == (double)total);
    CHECK_OK(TH_sum(&rows, self, (const int64_t[]){-1}, 1, false, -1));
    CHECK_OK(TH_cumsum(&running, self, 1, -1));
    for (int64_t i = 0; i < ROWS; i++)
        good =
            good && nth(rows, i) == (double)row[i] && at(running, i, COLUMNS - 1) == nth(rows, i);
    CHECK(good && rows->nDimension == 1 && rows->size[0] == ROWS);
    THTensor_free(running);
    THTensor_free(rows);
    THTensor_free(self);
}

/* Ascending or descending, equal elements in their order, each value at its index. */
static void THTensor_(testSort)(bool descending)
{
    THTensor *self = THTensor_(matrix)(), *values = NULL, *indices = NULL;
    bool good = true;
    CHECK_OK(TH_sort(&values, &indices, self, 1, descending, true));
    CHECK(values->dtype == TH_DTYPE && indices->dtype == TH_LONG);
    for (int64_t r = 0; r < ROWS; r++)
        for (int64_t c = 0; c < COLUMNS; c++) {
            const double value = at(values, r, c);
            good = good && value == at(self, r, (int64_t)at(indices, r, c));
            if (c == 0)
                continue;
            const double before = at(values, r, c - 1);
            good = good && (descending ? before >= value : before <= value) &&
                   (before != value || at(indices, r, c - 1) < at(indices, r, c));
        }
    CHECK(good);
    THTensor_free(indices);
    THTensor_free(values);
    THTensor_free(self);
}

static void THTensor_(testExtremes)(void)
{
    THTensor *self = THTensor_(matrix)(), *most = NULL, *where = NULL, *least = NULL, *first = NULL;
    bool good = true;
    CHECK_OK(TH_max_dim(&most, &where, self, 0, false));
    CHECK_OK(TH_min_all(&least, self));
    CHECK_OK(TH_argmax(&first, self, NULL, 0, false));
    const int64_t largest = (int64_t)only(&first);
    double smallest = (double)THTensor_(value)(0);
    for (int64_t i = 0; i < ELEMENTS; i++) {
        const double value = (double)THTensor_(value)(i), top = nth(most, i % COLUMNS);
        const int64_t place = (int64_t)nth(where, i % COLUMNS);
        good = good && value <= top && (value < top || place <= i / COLUMNS);
        good = good && (value < (double)THTensor_(value)(largest) ||
                        (value == (double)THTensor_(value)(largest) && i >= largest));
        smallest = value < smallest ? value : smallest;
    }
    CHECK(good && only(&least) == smallest);
    if (IS_FLOATING(TH_DTYPE)) {
        CHECK_OK(THTensor_fill(self, THScalar_fromDouble(NAN)));
        CHECK_OK(TH_max_all(&least, self));
        CHECK(isnan(only(&least)));
    }
    THTensor_free(where);
    THTensor_free(most);
    THTensor_free(self);
}

/* Sums and products as the dtype stores them: integers wrap, Bool is or and and. */
static void THTensor_(testArithmetic)(void)
{
    THTensor *self = THTensor_(matrix)(), *row = NULL, *sum = NULL, *product = NULL, *less = NULL;
    THTensor *copy = NULL;
    bool good = true;
    CHECK_OK(THTensor_newSelect(&row, self, 0, 2));
    CHECK_OK(TH_add(&sum, self, row, THScalar_fromLong(1)));
    CHECK_OK(TH_mul(&product, self, row));
    CHECK_OK(TH_lt(&less, self, row));
    CHECK(sum->dtype == TH_DTYPE && product->dtype == TH_DTYPE && less->dtype == TH_BOOL);
    for (int64_t i = 0; i < ELEMENTS; i++) {
        const scalar_t a = THTensor_(value)(i), b = THTensor_(value)(2 * COLUMNS + i % COLUMNS);
        storage_t added, multiplied;
        TH_STORE(&added, (scalar_t)(a + b));
        TH_STORE(&multiplied, (scalar_t)(a * b));
        good = good && at(sum, i / COLUMNS, i % COLUMNS) == (double)TH_LOAD(&added) &&
               at(product, i / COLUMNS, i % COLUMNS) == (double)TH_LOAD(&multiplied) &&
               (at(less, i / COLUMNS, i % COLUMNS) != 0) == (a < b);
    }
    CHECK(good);
    CHECK_ERROR(TH_add_(self, row, THScalar_fromLong(1)), TH_ERROR_RUNTIME,
                "add_: self overlaps an input partly");
    CHECK(at(self, 0, 0) == (double)THTensor_(value)(0));
    CHECK_OK(THTensor_newClone(&copy, row));
    CHECK_OK(TH_add_(self, copy, THScalar_fromLong(1)));
    CHECK(areEqual(self, sum));
    CHECK(TH_sub(&sum, self, self, THScalar_fromLong(1)) ==
          (IS_BOOL(TH_DTYPE) ? TH_ERROR_TYPE : TH_OK));
    THTensor_free(copy);
    THTensor_free(less);
    THTensor_free(product);
    THTensor_free(sum);
    THTensor_free(row);
    THTensor_free(self);
}

#ifdef TH_CATEGORY_IS_INTEGRAL
static void THTensor_(testWrapping)(void)
{
    const bool isSigned = (scalar_t)-1 < 0;
    const int bits = 8 * (int)sizeof(storage_t) - isSigned;
    const uint64_t most = UINT64_MAX >> (64 - bits);
    const int64_t least = isSigned ? -(int64_t)most - 1 : 0;
    THTensor *self = NULL, *one = NULL, *zero = NULL, *result = NULL;
    CHECK_OK(THTensor_newScalar(&self, TH_DTYPE, THScalar_fromLong((int64_t)most)));
    CHECK_OK(THTensor_newScalar(&one, TH_DTYPE, THScalar_fromLong(1)));
    CHECK_OK(THTensor_newScalar(&zero, TH_DTYPE, THScalar_fromLong(0)));
    CHECK_OK(TH_add_(self, one, THScalar_fromLong(1)));
    CHECK(THScalar_toLong(THTensor_getAt(self, 0)) == least);
    CHECK_OK(TH_sub(&result, zero, one, THScalar_fromLong(1)));
    CHECK_OK(TH_floor_divide_(self, result));
    CHECK(THScalar_toLong(THTensor_getAt(self, 0)) == least);
    CHECK(TH_floor_divide(&result, self, zero) == TH_ERROR_VALUE);
    THTensor_free(result);
    THTensor_free(zero);
    THTensor_free(one);
    THTensor_free(self);
}
#endif

static void THTensor_(testChoice)(void)
{
    THTensor *self = THTensor_(matrix)(), *mask = NULL, *chosen = NULL, *places = NULL;
    THTensor *index = NULL, *picked = NULL, *both = NULL;
    int64_t count = 0;
    bool good = true;
    CHECK_OK(TH_lt(&mask, self, self));
    for (int64_t i = 0; i < ELEMENTS; i += 4)
        THTensor_setAt(mask, i, THScalar_fromBool(true));
    CHECK_OK(TH_masked_select(&chosen, self, mask));
    CHECK_OK(TH_nonzero(&places, mask));
    for (int64_t i = 0; i < ELEMENTS; i += 4, count++)
        good = good && nth(chosen, count) == (double)THTensor_(value)(i) &&
               at(places, count, 0) == (double)(i / COLUMNS) &&
               at(places, count, 1) == (double)(i % COLUMNS);
    CHECK(good && chosen->size[0] == count && places->size[0] == count);
    CHECK_OK(THTensor_newArange(&index, THScalar_fromLong(ROWS - 1), THScalar_fromLong(-1),
                                THScalar_fromLong(-1), TH_LONG));
    CHECK_OK(TH_index_select(&picked, self, 0, index));
    CHECK_OK(TH_cat(&both, (THTensor *[]){self, picked}, 2, -1));
    good = both->size[0] == ROWS && both->size[1] == 2 * COLUMNS;
    for (int64_t i = 0; i < ELEMENTS; i++)
        good =
            good && at(both, i / COLUMNS, i % COLUMNS) == (double)THTensor_(value)(i) &&
            at(both, ROWS - 1 - i / COLUMNS, COLUMNS + i % COLUMNS) == (double)THTensor_(value)(i);
    CHECK(good);
    THTensor_free(both);
    THTensor_free(picked);
    THTensor_free(index);
    THTensor_free(places);
    THTensor_free(chosen);
    THTensor_free(mask);
    THTensor_free(self);
}

/* No dims, and no elements. */
static void THTensor_(testSmall)(void)
{
    THTensor *scalar = NULL, *none = NULL, *sum = NULL, *values = NULL, *indices = NULL;
    CHECK_OK(THTensor_newScalar(&scalar, TH_DTYPE, THScalar_fromLong(1)));
    CHECK_OK(TH_sum(&sum, scalar, NULL, 0, false, -1));
    CHECK(sum->nDimension == 0 && only(&sum) == 1);
    CHECK_OK(TH_sort(&values, &indices, scalar, -1, false, false));
    CHECK(only(&values) == 1 && only(&indices) == 0);
    CHECK_OK(TH_zeros(&none, (const int64_t[]){3, 0}, 2, TH_DTYPE));
    CHECK_OK(TH_add_(none, scalar, THScalar_fromLong(1)));
    CHECK_OK(TH_sum(&sum, none, (const int64_t[]){1}, 1, true, -1));
    CHECK(sum->size[0] == 3 && sum->size[1] == 1 && at(sum, 2, 0) == 0);
    CHECK(TH_max_all(&values, none) != TH_OK && values == NULL);
    THTensor_free(sum);
    THTensor_free(none);
    THTensor_free(scalar);
}

static void THTensor_(testRandom)(void)
{
    THTensor *self = THTensor_(matrix)(), *again = NULL;
    bool good = true;
    CHECK_OK(THTensor_newLike(&again, TH_DTYPE, self));
    for (THTensor *drawn = self; drawn != NULL; drawn = drawn == self ? again : NULL) {
        THGenerator_manualSeed(THGenerator_default(), 42);
        CHECK_OK(TH_random__from(drawn, 0, 2, NULL));
    }
    for (int64_t i = 0; i < ELEMENTS; i++) {
        const double value = at(self, i / COLUMNS, i % COLUMNS);
        good = good && (value == 0 || value == 1);
    }
    CHECK(good && areEqual(self, again));
    CHECK(TH_uniform_(self, 0, 1, NULL) == (IS_FLOATING(TH_DTYPE) ? TH_OK : TH_ERROR_TYPE));
    THTensor_free(again);
    THTensor_free(self);
}

/* One call of each kind, the n-th allocation of which fails. */
static int THTensor_(tryAll)(THTensor *self, int64_t failing)
{
    THTensor *out[6] = {NULL};
    int status = TH_OK;
    THMemory_failAllocation(failing);
    TH_TRY(TH_add(&out[0], self, self, THScalar_fromLong(1)));
    TH_TRY(TH_sum(&out[1], self, (const int64_t[]){0}, 1, false, -1));
    TH_TRY(TH_sort(&out[2], &out[3], self, 0, true, true));
    TH_TRY(TH_cat(&out[4], (THTensor *[]){self, out[0]}, 2, 0));
    TH_TRY(TH_cumsum(&out[5], self, 0, -1));
done:
    THMemory_failAllocation(-1);
    for (int i = 0; i < 6; i++)
        THTensor_free(out[i]);
    return status;
}

static void THTensor_(testFailures)(void)
{
    THTensor *self = THTensor_(matrix)();
    THMemoryStats before, after;
    int64_t failing = 0;
    THMemory_stats(&before);
    for (int status = TH_ERROR_MEMORY; status != TH_OK && failing < 1000; failing++) {
        status = THTensor_(tryAll)(self, failing);
        CHECK(status == TH_OK || (status == TH_ERROR_MEMORY && THError_code() == status));
        THMemory_stats(&after);
        CHECK(after.liveTensors == before.liveTensors && after.liveBlocks == before.liveBlocks &&
              after.liveStorages == before.liveStorages);
    }
    CHECK(failing > 10 && failing < 1000);
    THTensor_free(self);
}

static void THTensor_(test)(void)
{
    THTensor_(testFill)();
    THTensor_(testCopy)();
    THTensor_(testSum)();
    THTensor_(testSort)(false);
    THTensor_(testSort)(true);
    THTensor_(testExtremes)();
    THTensor_(testArithmetic)();
#ifdef TH_CATEGORY_IS_INTEGRAL
    THTensor_(testWrapping)();
#endif
    THTensor_(testChoice)();
    THTensor_(testSmall)();
    THTensor_(testRandom)();
    THTensor_(testFailures)();
}

#endif
