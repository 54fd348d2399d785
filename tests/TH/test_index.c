/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Index, shape and create chapters: small examples by hand, the rules of order and overlap, and
 * that a failing allocation leaves neither leaks nor changes of self. */
#include "check.h"
#include <TH/THOps.h>

static THTensor *longs(int64_t n, const int64_t *values)
{
    THTensor *out = NULL;
    CHECK_OK(THTensor_newWithSize(&out, TH_LONG, 1, &n));
    for (int64_t i = 0; i < n; i++)
        THTensor_setAt(out, i, THScalar_fromLong(values[i]));
    return out;
}
#define LONGS(...) \
    longs(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (const int64_t[]){__VA_ARGS__})

/* 0, 1, 2 ... in rows of `columns`. */
static THTensor *counting(THDtype dtype, int64_t rows, int64_t columns)
{
    THTensor *flat = NULL, *out = NULL;
    CHECK_OK(THTensor_newArange(&flat, THScalar_fromLong(0), THScalar_fromLong(rows * columns),
                                THScalar_fromLong(1), dtype));
    CHECK_OK(THTensor_newView(&out, flat, DIMS(rows, columns)));
    THTensor_free(flat);
    return out;
}

/* Has these elements, row by row; frees the tensor. */
static int holds(THTensor *self, int n, const int64_t *values)
{
    THTensor *flat = NULL;
    CHECK_OK(THTensor_newContiguous(&flat, self));
    int same = THTensor_nElement(flat) == n;
    for (int i = 0; same && i < n; i++)
        same = THScalar_toLong(THTensor_getAt(flat, flat->storageOffset + i)) == values[i];
    THTensor_free(flat);
    THTensor_free(self);
    return same;
}
#define HOLDS(self, ...) CHECK(holds(self, SIZES(__VA_ARGS__)))

static THTensor *fresh(THDtype dtype)
{
    THTensor *out = NULL;
    CHECK_OK(THTensor_newEmpty(&out, dtype));
    return out;
}

static void testReading(THDtype dtype)
{
    THTensor *self = counting(dtype, 3, 4), *index = LONGS(2, 0, 2), *result = fresh(dtype);
    CHECK_OK(THTensor_indexSelect(result, self, 1, index));
    HOLDS(result, 2, 0, 2, 6, 4, 6, 10, 8, 10);
    THTensor *positions = LONGS(-1, 0, 5);
    CHECK_OK(THTensor_take(result = fresh(dtype), self, positions));
    HOLDS(result, 11, 0, 5);
    THTensor *turned = NULL; /* not contiguous: positions are those of the view */
    CHECK_OK(THTensor_newTranspose(&turned, self, 0, 1));
    CHECK_OK(THTensor_take(result = fresh(dtype), turned, positions));
    HOLDS(result, 11, 0, 9);
    THTensor *column = NULL;
    CHECK_OK(THTensor_newUnsqueeze1d(&column, index, 1));
    CHECK_OK(THTensor_gather(result = fresh(dtype), self, 1, column));
    HOLDS(result, 2, 4, 10);
    CHECK_OK(THTensor_index(&result, self, (THTensor *[]){index, index}, 2));
    HOLDS(result, 10, 0, 10);
    CHECK_OK(THTensor_flip(result = fresh(dtype), self, DIMS(1)));
    HOLDS(result, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8);
    CHECK_OK(THTensor_cat(result = fresh(dtype), (THTensor *[]){turned, turned}, 2, -1));
    HOLDS(result, 0, 4, 8, 0, 4, 8, 1, 5, 9, 1, 5, 9, 2, 6, 10, 2, 6, 10, 3, 7, 11, 3, 7, 11);
    THTensor_free(column);
    THTensor_free(turned);
    THTensor_free(positions);
    THTensor_free(index);
    THTensor_free(self);
}

static void testWriting(THDtype dtype)
{
    THTensor *self = counting(dtype, 1, 4), *row = NULL, *index = LONGS(1, 1, 3);
    THTensor *values = counting(dtype, 1, 3), *source = NULL, *value = NULL, *mask = NULL;
    CHECK_OK(THTensor_newSelect(&row, self, 0, 0));
    CHECK_OK(THTensor_newSelect(&source, values, 0, 0));
    CHECK_OK(THTensor_scatter(row, row, 0, index, source)); /* the last one stays */
    THTensor_retain(row);
    HOLDS(row, 0, 1, 2, 2);
    CHECK_OK(TH_put_(row, index, source, false));
    CHECK_OK(THTensor_newScalar(&value, dtype, THScalar_fromLong(9)));
    CHECK_OK(THTensor_newZerosLike(&mask, row, TH_BOOL));
    THTensor_setAt(mask, 0, THScalar_fromBool(true));
    CHECK_OK(THTensor_maskedFill(row, row, mask, value));
    THTensor_retain(row);
    HOLDS(row, 9, 1, 2, 2);
    CHECK_OK(THTensor_indexPut(row, (THTensor *[]){mask}, 1, value));
    CHECK_OK(THTensor_indexPut(row, (THTensor *[]){index}, 1, source));
    THTensor_retain(row);
    HOLDS(row, 9, 1, 2, 2);
    CHECK_ERROR(THTensor_indexPut(row, (THTensor *[]){mask}, 1, source), TH_ERROR_VALUE,
                "index_put_: value of shape (3,) does not broadcast to (1,)");
    THTensor_free(mask);
    THTensor_free(value);
    THTensor_free(source);
    THTensor_free(values);
    THTensor_free(index);
    THTensor_free(row);
    THTensor_free(self);
}

/* Indices that are the very memory written to. */
static void testOverlap(void)
{
    THTensor *self = LONGS(3, 1, 0, 2), *source = LONGS(10, 11, 12, 13);
    CHECK_OK(THTensor_indexPut(self, (THTensor *[]){self}, 1, source));
    HOLDS(self, 12, 11, 13, 10);
    self = LONGS(3, 1, 0, 2);
    CHECK_OK(THTensor_scatter(self, self, 0, self, self));
    HOLDS(self, 0, 1, 2, 3);
    self = LONGS(1, 2);
    CHECK_OK(THTensor_cat(self, (THTensor *[]){self, self}, 2, 0));
    HOLDS(self, 1, 2, 1, 2);
    THTensor_free(source);
}

static void testErrors(void)
{
    THTensor *self = counting(TH_FLOAT, 3, 5), *index = LONGS(0, 7), *out = NULL;
    THTensor *result = fresh(TH_FLOAT), *row = NULL;
    CHECK_OK(THTensor_newUnsqueeze1d(&row, index, 0));
    CHECK_ERROR(THTensor_gather(result, self, 1, row), TH_ERROR_INDEX,
                "gather: index 7 is out of bounds for dim 1 with size 5");
    CHECK_ERROR(THTensor_indexSelect(result, self, 0, index), TH_ERROR_INDEX,
                "index_select: index 7 is out of bounds for dim 0 with size 3");
    CHECK_ERROR(THTensor_index(&out, self, (THTensor *[]){NULL, index}, 2), TH_ERROR_INDEX,
                "index: index 7 is out of bounds for dim 1 with size 5");
    THTensor *far = LONGS(0, -16);
    CHECK_ERROR(THTensor_take(result, self, far), TH_ERROR_INDEX,
                "take: index -16 is out of bounds for 15 elements");
    CHECK_ERROR(THTensor_newArange(&out, THScalar_fromLong(0), THScalar_fromLong(5),
                                   THScalar_fromLong(-1), -1),
                TH_ERROR_VALUE, "arange: bounds 0 and 5 are inconsistent with the sign of step -1");
    CHECK(out == NULL && THTensor_nElement(result) == 0);
    THTensor_free(far);
    THTensor_free(row);
    THTensor_free(result);
    THTensor_free(index);
    THTensor_free(self);
}

static int readAndWrite(THTensor *self, THTensor *index, THTensor *mask, THTensor *value)
{
    THTensor *picked = NULL, *result = NULL;
    int status = TH_OK;
    TH_TRY(THTensor_newEmpty(&result, (THDtype)self->dtype));
    TH_TRY(THTensor_index(&picked, self, (THTensor *[]){mask, index}, 2));
    TH_TRY(THTensor_maskedSelect(result, self, mask));
    TH_TRY(THTensor_cat(result, (THTensor *[]){result, result}, 2, 0));
    TH_TRY(THTensor_indexPut(self, (THTensor *[]){mask, index}, 2, value));
done:
    THTensor_free(picked);
    THTensor_free(result);
    return status;
}

static void testAllocationFailures(void)
{
    THTensor *self = counting(TH_INT, 2, 2), *index = LONGS(1), *mask = NULL, *value = NULL;
    THMemoryStats before, after;
    int status = TH_ERROR_MEMORY;
    CHECK_OK(THTensor_newZeros(&mask, DIMS(2), TH_BOOL));
    CHECK_OK(THTensor_newOnes(&value, DIMS(1, 1), TH_DOUBLE));
    THTensor_setAt(mask, 1, THScalar_fromBool(true));
    for (int n = 0; status != TH_OK && n < 1000; n++) {
        THMemory_stats(&before);
        THMemory_failAllocation(n);
        status = readAndWrite(self, index, mask, value);
        THMemory_failAllocation(-1);
        THMemory_stats(&after);
        CHECK(status == TH_OK || status == TH_ERROR_MEMORY);
        CHECK(after.liveTensors == before.liveTensors && after.liveBlocks == before.liveBlocks);
    }
    CHECK(status == TH_OK);
    HOLDS(self, 0, 1, 2, 1);
    THTensor_free(value);
    THTensor_free(mask);
    THTensor_free(index);
}

int main(void)
{
    static const THDtype dtypes[] = {TH_BYTE, TH_CHAR, TH_SHORT, TH_INT,
                                     TH_LONG, TH_HALF, TH_FLOAT, TH_DOUBLE};
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++) {
        testReading(dtypes[i]);
        testWriting(dtypes[i]);
    }
    testOverlap();
    testErrors();
    testAllocationFailures();
    return check_finish("test_index");
}
