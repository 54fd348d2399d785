/* Written by wrapgen from Core.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE "kernels/Core.h"
#include <TH/THGenerateAllTypes.h>

/* moving_sum(THTensor* self, long width) -> THTensor* result
 * Core.yaml:1 */
int TH_moving_sum(THTensor **out, THTensor *self, int64_t width)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("moving_sum", "self", self));
    TH_TRY(THPromote("moving_sum", TH_PROMOTE_ARITHMETIC, inputs, 1, &dtype));
    TH_TRY(THCheck_types("moving_sum", dtype, TH_TYPES_FLOATING_POINT));
    TH_TRY(THOutput_plain("moving_sum", &result, *out, dtype, inputs, 1));
    THTensor *const touched[] = {result, self};
    THWork_enter(&work, 16, touched, 2);
    switch (dtype) {
    case TH_HALF:
        status = THHalfTensor_moving_sum(result, self, width);
        break;
    case TH_FLOAT:
        status = THFloatTensor_moving_sum(result, self, width);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_moving_sum(result, self, width);
        break;
    default:
        status = THError_dtype("moving_sum", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("moving_sum", status, out, result);
}

/* turn(THTensor* self, THTensor* axis, real angle) -> THTensor* turned, THIndexTensor* count
 * Core.yaml:14 */
int TH_turn(THTensor **turned_out, THTensor **count_out, THTensor *self, THTensor *axis,
            THScalar angle)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, axis};
    THDtype dtype;
    THTensor *turned = NULL;
    THTensor *count = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("turn", "self", self));
    TH_TRY(THCheck_tensor("turn", "axis", axis));
    TH_TRY(THPromote("turn", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("turn", dtype, TH_TYPES_FLOATING_POINT));
    TH_TRY(THScalar_check("turn", "angle", angle, dtype));
    TH_TRY(THOutput_check("turn", (THTensor *const[]){*turned_out, *count_out}, 2));
    TH_TRY(THOutput_apart("turn", &turned, *turned_out, dtype, inputs, 2));
    TH_TRY(THOutput_apart("turn", &count, *count_out, TH_LONG, inputs, 2));
    THTensor *const touched[] = {turned, count, self, axis};
    THWork_enter(&work, 16, touched, 4);
    switch (dtype) {
    case TH_HALF:
        status = THHalfTensor_turn(turned, count, self, axis, THHalf_fromScalar(angle));
        break;
    case TH_FLOAT:
        status = THFloatTensor_turn(turned, count, self, axis, THFloat_fromScalar(angle));
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_turn(turned, count, self, axis, THDouble_fromScalar(angle));
        break;
    default:
        status = THError_dtype("turn", dtype);
    }
    THWork_end(&work);
    if (status != TH_OK)
        goto done;
    TH_TRY(THOutput_fit("turn", (THTensor *const[]){*turned_out, *count_out},
           (THTensor *const[]){turned, count}, 2));
done:
    status = THOutput_end("turn", status, turned_out, turned);
    status = THOutput_end("turn", status, count_out, count);
    return THError_named("turn", status);
}
