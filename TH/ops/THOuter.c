/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Outer products for every dtype: a column times a row, by the engine. */
#include <TH/THBlas.h>
#include <TH/ops/THOuter.h>
#include <TH/ops/THProduct.h>

#include <stddef.h>

#define OUTER_KERNEL(op, inputs, code)                                                          \
    .name = (op), .noutputs = 1, .ninputs = (inputs), .flags = TH_KERNEL_FLAGS(TH_KERNEL_ROWS), \
    .cost = (inputs) - 1, .dtype = {code, code, code, code}, .single = 1 << 1,                  \
    .singleCost = (inputs) - 1, .paramsSize = sizeof(THOuterParams),                            \
    .singleAt = offsetof(THOuterParams, leftSingle)

typedef struct Outer {
    const char *op, *first; /* what the left vector is called */
    const THKernel *kernel;
    THTensor *self;  /* what is added to; NULL: nothing */
    bool adds;       /* self is read */
    bool multiplies; /* the vectors are */
    THOuterParams params;
} Outer;

static int outerProduct(const Outer *outer, THTensor *result, THTensor *left, THTensor *right);

#define TH_GENERIC_FILE <TH/generic/outer.c>
#include <TH/THGenerateAllTypes.h>

static int outerProduct(const Outer *outer, THTensor *result, THTensor *left, THTensor *right)
{
    THScalarTensor number[3];
    THTensor *column = NULL;
    THOuterParams params = outer->params;
    const int64_t any = -1;
    int status = TH_OK;
    TH_TRY(THProduct_expect(outer->op, outer->first, left, 1, &any));
    TH_TRY(THProduct_expect(outer->op, "vec2", right, 1, &any));
    const int64_t size[] = {left->size[0], right->size[0]};
    TH_REQUIRE(outer->self == NULL || THTensor_isSize(outer->self, 2, size), TH_ERROR_VALUE,
               "%s: expected self of shape %s, got %s", outer->op, THSize_desc(2, size).str,
               THTensor_sizeDesc(outer->self).str);
    if (outer->self == NULL)
        TH_TRY(THTensor_resizeOutput(outer->op, result, 2, size));
    else if (result != outer->self)
        TH_TRY(THTensor_resizeOutputAs(outer->op, result, outer->self));
    TH_TRY(THTensor_newUnsqueeze1d(&column, left, 1));
    THTensor *operands[] = {result, column, right, outer->self};
    if (outer->self != NULL && !outer->multiplies)
        for (int k = 1; k <= 2; k++)
            operands[k] = THScalarTensor_init(&number[k - 1], THScalar_fromLong(0));
    if (outer->self != NULL && !outer->adds)
        operands[3] = THScalarTensor_init(&number[2], THScalar_fromDouble(-0.0));
    params.leftSingle = THTensor_isSingle(operands[1]);
    TH_TRY(THKernel_run(outer->kernel, operands, &params));
done:
    THTensor_free(column);
    return status;
}
