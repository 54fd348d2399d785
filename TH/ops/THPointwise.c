/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Division with a rounding mode: which of three loops runs is known only at the call. And what
 * subtraction and powers refuse. */
#include <inttypes.h>
#include <string.h>

#include <TH/THCompare.h>
#include <TH/THEngine.h>
#include <TH/THPointwise.h>

enum { DIV_TRUE, DIV_TRUNC, DIV_FLOOR, DIV_MODES };

/* The computing dtypes; Half is not one. Quotients of integers are truncated anyway. */
#define DIV_TYPES(use)                                                                        \
    use(Byte, TH_BYTE, divTrunc) use(Char, TH_CHAR, divTrunc) use(Short, TH_SHORT, divTrunc)  \
        use(Int, TH_INT, divTrunc) use(Long, TH_LONG, divTrunc) use(Float, TH_FLOAT, divTrue) \
            use(Double, TH_DOUBLE, divTrue) use(Bool, TH_BOOL, divTrunc)
#define DIV_DECLARE(Real, CODE, trueLoop)              \
    TH_LOOPS_DECLARE(TH_LOOP_DECLARE, trueLoop, Real); \
    TH_LOOPS_DECLARE(TH_LOOP_DECLARE, divTrunc, Real); \
    TH_LOOPS_DECLARE(TH_LOOP_DECLARE, divFloor, Real);
#define DIV_LOOPS(Real, CODE, trueLoop)               \
    [CODE] = {[DIV_TRUE] = TH_LOOPS(trueLoop, Real),  \
              [DIV_TRUNC] = TH_LOOPS(divTrunc, Real), \
              [DIV_FLOOR] = TH_LOOPS(divFloor, Real)},
DIV_TYPES(DIV_DECLARE)

static const THLoop loops[TH_DTYPE_LIMIT][DIV_MODES][TH_ISA_COUNT] = {DIV_TYPES(DIV_LOOPS)};

int THSub_check(const char *op, const THTensor *self, const THTensor *other)
{
    const bool mine = self->dtype == TH_BOOL, others = other->dtype == TH_BOOL;
    TH_CHECK(!mine || !others, TH_ERROR_TYPE,
             "%s: bool is not subtracted from bool; use logical_xor or the operator ^", op);
    TH_CHECK(!mine && !others, TH_ERROR_TYPE,
             "%s: bool is not subtracted; to invert a mask use logical_not or the operator ~", op);
    return TH_OK;
}

int THPow_check(const char *op, const THTensor *exponent, THDtype dtype)
{
    if (!THTensor_isNumber(exponent) || THDtype_category(dtype) == TH_CATEGORY_FLOATING)
        return TH_OK;
    const THScalar value = THTensor_getAt(exponent, exponent->storageOffset);
    TH_CHECK(THScalar_toLong(value) >= 0, TH_ERROR_VALUE,
             "%s: expected exponent >= 0 for integers, got %" PRId64, op, THScalar_toLong(value));
    return TH_OK;
}

int THDiv_check(const char *mode, const THTensor *self, const THTensor *other)
{
    TH_CHECK(mode == NULL || self->dtype != TH_BOOL || other->dtype != TH_BOOL, TH_ERROR_TYPE,
             "div: bool is not divided with rounding_mode '%s'", mode);
    return TH_OK;
}

int THDiv_prepare(const char *mode, THTensor *other, THDtype *dtype)
{
    TH_CHECK(mode == NULL || strcmp(mode, "trunc") == 0 || strcmp(mode, "floor") == 0,
             TH_ERROR_VALUE, "div: expected rounding_mode 'trunc', 'floor' or None, got '%s'",
             mode);
    if (mode != NULL)
        return THCheck_nonzero("div", "other", other, *dtype);
    if (THDtype_category(*dtype) != TH_CATEGORY_FLOATING)
        *dtype = THDtype_default();
    return TH_OK;
}

int THDiv_mode(THTensor *result, THTensor *self, THTensor *other, const char *mode)
{
    THTensor *const operands[] = {result, self, other};
    const uint8_t dtype = THDtype_computes[result->dtype];
    const int form = mode == NULL ? DIV_TRUE : *mode == 't' ? DIV_TRUNC : DIV_FLOOR;
    THKernel kernel = {
        .name = "div", .noutputs = 1, .ninputs = 2, .cost = 8, .single = 1 << 2, .singleCost = 8};
    const bool isSingle = THTensor_isSingle(other);
    THShape shape;
    int status = TH_OK;
    for (int operand = 0; operand < 3; operand++)
        kernel.dtype[operand] = dtype;
    memcpy(kernel.loop, loops[dtype][form], sizeof kernel.loop);
    TH_TRY(THShape_broadcast("div", &shape, operands + 1, 2));
    TH_REQUIRE(result != self || THTensor_isSize(self, shape.nDimension, shape.size),
               TH_ERROR_VALUE, "div_: result of shape %s does not fit in self of shape %s",
               THSize_desc(shape.nDimension, shape.size).str, THTensor_sizeDesc(self).str);
    TH_TRY(THTensor_resizeOutputTo("div", result, &shape, operands + 1, 2));
    TH_TRY(dtype == result->dtype
               ? THKernel_run(&kernel, operands, &isSingle)
               : THKernel_runRounded(&kernel, (THDtype)result->dtype, 0x6, operands, &isSingle));
done:
    return status;
}
