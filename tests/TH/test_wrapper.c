/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What wrappers need: shapes and dtypes that combine, argument checks, results. */
#include "check.h"

static void testShapes(void)
{
    const int64_t a[2] = {2, 3}, b[1] = {4}, c[3] = {5, 1, 3}, e[1] = {0}, one[1] = {1};
    THTensor *ta = NULL, *tb = NULL, *tc = NULL, *te = NULL, *t1 = NULL;
    THShape shape;
    CHECK(THTensor_newWithSize(&ta, TH_FLOAT, 2, a) == TH_OK);
    CHECK(THTensor_newWithSize(&tb, TH_FLOAT, 1, b) == TH_OK);
    CHECK(THTensor_newWithSize(&tc, TH_FLOAT, 3, c) == TH_OK);
    CHECK(THTensor_newWithSize(&te, TH_FLOAT, 1, e) == TH_OK);
    CHECK(THTensor_newWithSize(&t1, TH_FLOAT, 1, one) == TH_OK);
    THTensor *bad[3] = {t1, ta, tb}, *good[3] = {ta, NULL, tc}, *empty[2] = {te, t1};
    CHECK(THShape_broadcast("add", &shape, bad, 3) == TH_ERROR_VALUE);
    CHECK(strcmp(THError_message(), "add: shapes (2, 3) and (4,) do not broadcast") == 0);
    CHECK(THShape_broadcast("add", &shape, good, 3) == TH_OK);
    CHECK(shape.nDimension == 3 && shape.size[0] == 5 && shape.size[1] == 2 && shape.size[2] == 3);
    CHECK(THShape_broadcast("add", &shape, empty, 2) == TH_OK);
    CHECK(shape.nDimension == 1 && shape.size[0] == 0);
    CHECK(THShape_broadcast("add", &shape, good + 1, 1) == TH_OK && shape.nDimension == 0);
    THTensor_free(ta);
    THTensor_free(tb);
    THTensor_free(tc);
    THTensor_free(te);
    THTensor_free(t1);
}

static void testPromotion(void)
{
    THTensor *i = NULL, *zero = NULL, *h = NULL;
    const int64_t size = 2;
    THScalarTensor box;
    THDtype dtype;
    CHECK(THTensor_newWithSize(&i, TH_CHAR, 1, &size) == TH_OK);
    CHECK(THTensor_newWithSize(&h, TH_HALF, 1, &size) == TH_OK);
    CHECK(THTensor_newWithSize(&zero, TH_DOUBLE, 0, NULL) == TH_OK);
    THTensor *number = THScalarTensor_init(&box, THScalar_fromDouble(1.5));
    THTensor *withZero[2] = {i, zero}, *withNumber[2] = {number, i}, *halves[3] = {h, zero, number};
    CHECK(THPromote("add", TH_PROMOTE_ARITHMETIC, withZero, 2, &dtype) == TH_OK &&
          dtype == TH_DOUBLE);
    CHECK(THPromote("add", TH_PROMOTE_ARITHMETIC, withNumber, 2, &dtype) == TH_OK &&
          dtype == TH_FLOAT);
    CHECK(THPromote("add", TH_PROMOTE_ARITHMETIC, halves, 3, &dtype) == TH_OK && dtype == TH_HALF);
    CHECK(THPromote("div", TH_PROMOTE_FLOAT, &i, 1, &dtype) == TH_OK && dtype == TH_FLOAT);
    CHECK(THPromote("mm", TH_PROMOTE_NONE, withZero, 2, &dtype) == TH_ERROR_TYPE);
    CHECK(strcmp(THError_message(), "mm: expected tensors of one dtype, got int8 and float64") ==
          0);
    CHECK(THPromote("mm", TH_PROMOTE_NONE, halves + 0, 1, &dtype) == TH_OK && dtype == TH_HALF);
    CHECK(THPromote("mm", TH_PROMOTE_NONE, withNumber, 2, &dtype) == TH_ERROR_TYPE);
    CHECK(THScalar_check("add", "alpha", THScalar_fromDouble(0.5), TH_INT) == TH_ERROR_TYPE);
    CHECK(THScalar_check("add", "alpha", THScalar_fromLong(1), TH_BOOL) == TH_OK);
    CHECK(THScalar_check("add", "alpha", THScalar_fromLong(2), TH_BOOL) == TH_OK); /* is true */
    CHECK(THScalar_check("add", "alpha", THScalar_fromLong(2), TH_HALF) == TH_OK);
    THTensor_free(i);
    THTensor_free(h);
    THTensor_free(zero);
}

static void testArguments(void)
{
    const int64_t size[3] = {2, 3, 4};
    int64_t dim = -1, dims[2] = {0, -3};
    uint64_t mask = 0;
    THTensor *t = NULL, *zero = NULL;
    CHECK(THTensor_newWithSize(&t, TH_FLOAT, 3, size) == TH_OK);
    CHECK(THTensor_newWithSize(&zero, TH_FLOAT, 0, NULL) == TH_OK);
    CHECK(THCheck_dim("sum", "dim", t, 0, &dim) == TH_OK && dim == 2);
    dim = 3;
    CHECK(THCheck_dim("sum", "dim", t, 0, &dim) == TH_ERROR_INDEX);
    CHECK(THCheck_dim("unsqueeze", "dim", t, 1, &dim) == TH_OK && dim == 3);
    dim = -1;
    CHECK(THCheck_dim("sum", "dim", zero, 0, &dim) == TH_OK && dim == 0);
    CHECK(THCheck_dims("sum", "dim", t, dims, 2, &mask) == TH_ERROR_VALUE);
    dims[1] = 2;
    CHECK(THCheck_dims("sum", "dim", t, dims, 2, &mask) == TH_OK && mask == 5);
    CHECK(THCheck_ndim("mm", "self", t, 2) == TH_ERROR_VALUE);
    CHECK(strcmp(THError_message(), "mm: expected self to have 2 dims, got shape (2, 3, 4)") == 0);
    CHECK(THCheck_tensor("mm", "self", NULL) == TH_ERROR_TYPE);
    CHECK(THCheck_dtype("take", "index", t, TH_LONG) == TH_ERROR_TYPE);
    CHECK(THError_dtype("mm", TH_HALF) == TH_ERROR_NOT_IMPLEMENTED);
    THTensor_free(t);
    THTensor_free(zero);
}

static void testOutputs(void)
{
    const int64_t size[2] = {4, 3};
    THShape shape = {.nDimension = 2, .size = {4, 3}}, row = {.nDimension = 1, .size = {3}};
    THTensor *a = NULL, *b = NULL, *part = NULL, *out = NULL, *result = NULL, *view = NULL;
    CHECK(THTensor_newWithSize(&a, TH_FLOAT, 2, size) == TH_OK);
    CHECK(THTensor_newWithSize(&b, TH_LONG, 2, size) == TH_OK);
    CHECK(THTensor_newNarrow(&part, a, 0, 0, 0) == TH_OK);
    CHECK(THTensor_newNarrow(&view, a, 0, 1, 3) == TH_OK);
    CHECK(THOutput_shaped("add", &result, NULL, TH_HALF, &shape, &a, 1) == TH_OK);
    CHECK(THOutput_end("add", TH_OK, &out, result) == TH_OK && out == result);
    CHECK(THOutput_shaped("add", &result, out, TH_HALF, &row, &a, 1) == TH_OK && result == out);
    CHECK(out->nDimension == 1 && THWarning_take() != NULL);
    CHECK(THOutput_shaped("add", &result, b, TH_FLOAT, &shape, &a, 1) == TH_ERROR_TYPE);
    CHECK(strcmp(THError_message(),
                 "add: result of dtype float32 cannot be cast to the out tensor's int64") == 0);
    CHECK(THOutput_shaped("add", &result, view, TH_FLOAT, &shape, &a, 1) == TH_ERROR_RUNTIME);
    CHECK(strcmp(THError_message(), "add: out tensor overlaps an input partly") == 0);
    CHECK(THOutput_shaped("add", &result, part, TH_FLOAT, &row, &a, 1) == TH_ERROR_RUNTIME);
    CHECK(THOutput_shaped("add", &result, a, TH_FLOAT, &shape, &a, 1) == TH_OK && result == a);
    CHECK(THOutput_plain("mm", &result, a, TH_FLOAT, &a, 1) == TH_OK && result != a);
    CHECK(THTensor_resize(result, 2, size) == TH_OK && THTensor_zero(result) == TH_OK);
    CHECK(THOutput_end("mm", TH_OK, &a, result) == TH_OK);
    CHECK(THScalar_toDouble(THTensor_getAt(a, 5)) == 0);
    CHECK(THOutput_plain("mm", &result, a, TH_FLOAT, &b, 1) == TH_OK && result == a);
    CHECK(THOutput_end("mm", TH_ERROR_VALUE, &a, result) == TH_ERROR_VALUE);
    CHECK(THOutput_apart("mm", &result, a, TH_FLOAT, &b, 1) == TH_OK && result != a);
    CHECK(THOutput_fit("mm", &a, &result, 0) == TH_OK && THTensor_isSize(a, 2, size));
    CHECK(THOutput_end("mm", TH_ERROR_VALUE, &a, result) == TH_ERROR_VALUE);
    CHECK(THInplace_check("add_", view, TH_FLOAT, &shape, &b, 1) == TH_ERROR_VALUE);
    CHECK(strcmp(THError_message(),
                 "add_: result of shape (4, 3) does not fit in self of shape (3, 3)") == 0);
    CHECK(THInplace_check("add_", view, TH_FLOAT, NULL, &a, 1) == TH_ERROR_RUNTIME);
    CHECK(THInplace_check("add_", b, TH_FLOAT, &shape, &a, 1) == TH_ERROR_TYPE);
    CHECK(THTensor_newClone(&result, b) == TH_OK);
    CHECK(THInplace_end("tril_", TH_OK, b, result) == TH_OK);
    THTensor_free(a);
    THTensor_free(b);
    THTensor_free(part);
    THTensor_free(view);
    THTensor_free(out);
}

/* Is a new result of `shape` in the storage of one of the inputs? */
static bool isTaken(THDtype dtype, const THShape *shape, THTensor *const *inputs, int ninputs)
{
    THTensor *result = NULL;
    bool taken = false;
    CHECK(THOutput_shaped("add", &result, NULL, dtype, shape, inputs, ninputs) == TH_OK);
    CHECK(THTensor_isSize(result, shape->nDimension, shape->size));
    for (int i = 0; i < ninputs; i++)
        taken = taken || result->storage == inputs[i]->storage;
    THTensor_free(result);
    return taken;
}

static void testSpent(void)
{
    const int64_t size[2] = {100, 100};
    const THShape shape = {.nDimension = 2, .size = {100, 100}, .run = 10000};
    const THShape ordered = {.nDimension = 2, .size = {100, 100}};
    THTensor *a = NULL, *spent = NULL, *turned = NULL, *view = NULL;
    CHECK(THTensor_newWithSize(&a, TH_FLOAT, 2, size) == TH_OK);
    CHECK(THTensor_newWithSize(&spent, TH_FLOAT, 2, size) == TH_OK);
    THTensor *const both[2] = {a, spent};
    CHECK(!isTaken(TH_FLOAT, &shape, both, 2));
    spent->flag |= TH_TENSOR_SPENT;
    CHECK(isTaken(TH_FLOAT, &shape, both, 2) && isTaken(TH_FLOAT, &ordered, both, 2));
    CHECK(!isTaken(TH_INT, &shape, both, 2)); /* of its size, but another dtype */
    THTensor_retain(spent);
    CHECK(!isTaken(TH_FLOAT, &shape, both, 2));
    THTensor_free(spent);
    CHECK(THTensor_newNarrow(&view, spent, 0, 0, 100) == TH_OK);
    CHECK(!isTaken(TH_FLOAT, &shape, both, 2));
    THTensor_free(view);
    CHECK(THTensor_newTranspose(&turned, spent, 0, 1) == TH_OK);
    THTensor_free(spent);
    turned->flag |= TH_TENSOR_SPENT;
    THTensor *const mixed[2] = {a, turned}, *const alone[1] = {turned};
    CHECK(!isTaken(TH_FLOAT, &ordered, mixed, 2)); /* the result is to be in a's order */
    CHECK(isTaken(TH_FLOAT, &ordered, alone, 1));
    THTensor_free(turned);
    THTensor_free(a);
}

int main(void)
{
    THMemoryStats before, after;
    THMemory_stats(&before);
    testShapes();
    testPromotion();
    testArguments();
    testOutputs();
    testSpent();
    THMemory_stats(&after);
    CHECK(before.liveTensors == after.liveTensors && before.liveStorages == after.liveStorages);
    return check_finish("wrapper");
}
