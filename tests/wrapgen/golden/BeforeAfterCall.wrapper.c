/* Written by wrapgen from BeforeAfterCall.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <BeforeAfterCall.h>
#include <TH/THGenerateAllTypes.h>

/* prepared(THTensor* self) -> THTensor* result
 * BeforeAfterCall.yaml:1 */
int TH_prepared(THTensor **out, THTensor *self)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("prepared", "self", self));
    TH_TRY(THPromote("prepared", TH_PROMOTE_NONE, inputs, 1, &dtype));
    TH_TRY(THCheck_types("prepared", dtype, TH_TYPES_ALL));
    TH_TRY(THOutput_plain("prepared", &result, *out, dtype, inputs, 1));
    TH_TRY(THTensor_resizeAs(result, self));
    THTensor *const touched[] = {result, self};
    THWork_enter(&work, 1, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_prepared(result, self);
        break;
    case TH_CHAR:
        status = THCharTensor_prepared(result, self);
        break;
    case TH_SHORT:
        status = THShortTensor_prepared(result, self);
        break;
    case TH_INT:
        status = THIntTensor_prepared(result, self);
        break;
    case TH_LONG:
        status = THLongTensor_prepared(result, self);
        break;
    case TH_HALF:
        status = THHalfTensor_prepared(result, self);
        break;
    case TH_FLOAT:
        status = THFloatTensor_prepared(result, self);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_prepared(result, self);
        break;
    case TH_BOOL:
        status = THBoolTensor_prepared(result, self);
        break;
    default:
        status = THError_dtype("prepared", dtype);
    }
    THWork_end(&work);
    if (status != TH_OK)
        goto done;
    THTensor_retain(self);
done:
    return THOutput_end("prepared", status, out, result);
}

/* prepared_(THTensor* self) -> self
 * BeforeAfterCall.yaml:1 */
int TH_prepared_(THTensor *self)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THTensor *self_result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("prepared_", "self", self));
    TH_TRY(THPromote("prepared_", TH_PROMOTE_NONE, inputs, 1, &dtype));
    TH_TRY(THCheck_types("prepared_", dtype, TH_TYPES_ALL));
    TH_TRY(THInplace_check("prepared_", self, dtype, NULL, inputs, 1));
    TH_TRY(THOutput_plain("prepared_", &self_result, self, dtype, NULL, 0));
    TH_TRY(THTensor_resizeAs(self_result, self));
    THTensor *const touched[] = {self_result, self};
    THWork_enter(&work, 1, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_prepared(self_result, self);
        break;
    case TH_CHAR:
        status = THCharTensor_prepared(self_result, self);
        break;
    case TH_SHORT:
        status = THShortTensor_prepared(self_result, self);
        break;
    case TH_INT:
        status = THIntTensor_prepared(self_result, self);
        break;
    case TH_LONG:
        status = THLongTensor_prepared(self_result, self);
        break;
    case TH_HALF:
        status = THHalfTensor_prepared(self_result, self);
        break;
    case TH_FLOAT:
        status = THFloatTensor_prepared(self_result, self);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_prepared(self_result, self);
        break;
    case TH_BOOL:
        status = THBoolTensor_prepared(self_result, self);
        break;
    default:
        status = THError_dtype("prepared_", dtype);
    }
    THWork_end(&work);
    if (status != TH_OK)
        goto done;
    THTensor_retain(self);
done:
    return THInplace_end("prepared_", status, self, self_result);
}

/* checked(THTensor* self) -> THTensor* result
 * BeforeAfterCall.yaml:6 */
int TH_checked(THTensor **out, THTensor *self)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("checked", "self", self));
    TH_TRY(THCheck_ndim("checked", "self", self, 1));
    TH_TRY(THPromote("checked", TH_PROMOTE_NONE, inputs, 1, &dtype));
    TH_TRY(THCheck_types("checked", dtype, TH_TYPES_ALL));
    TH_TRY(THOutput_plain("checked", &result, *out, dtype, inputs, 1));
    THTensor *const touched[] = {result, self};
    THWork_enter(&work, 1, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_checked(result, self);
        break;
    case TH_CHAR:
        status = THCharTensor_checked(result, self);
        break;
    case TH_SHORT:
        status = THShortTensor_checked(result, self);
        break;
    case TH_INT:
        status = THIntTensor_checked(result, self);
        break;
    case TH_LONG:
        status = THLongTensor_checked(result, self);
        break;
    case TH_HALF:
        status = THHalfTensor_checked(result, self);
        break;
    case TH_FLOAT:
        status = THFloatTensor_checked(result, self);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_checked(result, self);
        break;
    case TH_BOOL:
        status = THBoolTensor_checked(result, self);
        break;
    default:
        status = THError_dtype("checked", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("checked", status, out, result);
}
