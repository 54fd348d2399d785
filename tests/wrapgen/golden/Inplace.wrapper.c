/* Written by wrapgen from Inplace.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <Inplace.h>
#include <TH/THGenerateAllTypes.h>

/* aside(THTensor* self, THTensor* other) -> THTensor* result
 * Inplace.yaml:1 */
int TH_aside(THTensor **out, THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("aside", "self", self));
    TH_TRY(THCheck_tensor("aside", "other", other));
    TH_TRY(THPromote("aside", TH_PROMOTE_NONE, inputs, 2, &dtype));
    TH_TRY(THCheck_types("aside", dtype, TH_TYPES_ALL));
    TH_TRY(THOutput_plain("aside", &result, *out, dtype, inputs, 2));
    THTensor *const touched[] = {result, self, other};
    THWork_enter(&work, 1, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_aside(result, self, other);
        break;
    case TH_CHAR:
        status = THCharTensor_aside(result, self, other);
        break;
    case TH_SHORT:
        status = THShortTensor_aside(result, self, other);
        break;
    case TH_INT:
        status = THIntTensor_aside(result, self, other);
        break;
    case TH_LONG:
        status = THLongTensor_aside(result, self, other);
        break;
    case TH_HALF:
        status = THHalfTensor_aside(result, self, other);
        break;
    case TH_FLOAT:
        status = THFloatTensor_aside(result, self, other);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_aside(result, self, other);
        break;
    case TH_BOOL:
        status = THBoolTensor_aside(result, self, other);
        break;
    default:
        status = THError_dtype("aside", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("aside", status, out, result);
}

/* aside_(THTensor* self, THTensor* other) -> self
 * Inplace.yaml:1 */
int TH_aside_(THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THTensor *self_result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("aside_", "self", self));
    TH_TRY(THCheck_tensor("aside_", "other", other));
    TH_TRY(THPromote("aside_", TH_PROMOTE_NONE, inputs, 2, &dtype));
    TH_TRY(THCheck_types("aside_", dtype, TH_TYPES_ALL));
    TH_TRY(THInplace_check("aside_", self, dtype, NULL, inputs, 2));
    TH_TRY(THTensor_newEmpty(&self_result, dtype));
    THTensor *const touched[] = {self_result, self, other};
    THWork_enter(&work, 1, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_aside(self_result, self, other);
        break;
    case TH_CHAR:
        status = THCharTensor_aside(self_result, self, other);
        break;
    case TH_SHORT:
        status = THShortTensor_aside(self_result, self, other);
        break;
    case TH_INT:
        status = THIntTensor_aside(self_result, self, other);
        break;
    case TH_LONG:
        status = THLongTensor_aside(self_result, self, other);
        break;
    case TH_HALF:
        status = THHalfTensor_aside(self_result, self, other);
        break;
    case TH_FLOAT:
        status = THFloatTensor_aside(self_result, self, other);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_aside(self_result, self, other);
        break;
    case TH_BOOL:
        status = THBoolTensor_aside(self_result, self, other);
        break;
    default:
        status = THError_dtype("aside_", dtype);
    }
    THWork_end(&work);
done:
    return THInplace_end("aside_", status, self, self_result);
}

/* straight(THTensor* self, THTensor* other) -> THTensor* result
 * Inplace.yaml:5 */
int TH_straight(THTensor **out, THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("straight", "self", self));
    TH_TRY(THCheck_tensor("straight", "other", other));
    TH_TRY(THPromote("straight", TH_PROMOTE_NONE, inputs, 2, &dtype));
    TH_TRY(THCheck_types("straight", dtype, TH_TYPES_ALL));
    TH_TRY(THOutput_plain("straight", &result, *out, dtype, inputs, 2));
    THTensor *const touched[] = {result, self, other};
    THWork_enter(&work, 1, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_straight(result, self, other);
        break;
    case TH_CHAR:
        status = THCharTensor_straight(result, self, other);
        break;
    case TH_SHORT:
        status = THShortTensor_straight(result, self, other);
        break;
    case TH_INT:
        status = THIntTensor_straight(result, self, other);
        break;
    case TH_LONG:
        status = THLongTensor_straight(result, self, other);
        break;
    case TH_HALF:
        status = THHalfTensor_straight(result, self, other);
        break;
    case TH_FLOAT:
        status = THFloatTensor_straight(result, self, other);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_straight(result, self, other);
        break;
    case TH_BOOL:
        status = THBoolTensor_straight(result, self, other);
        break;
    default:
        status = THError_dtype("straight", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("straight", status, out, result);
}

/* straight_(THTensor* self, THTensor* other) -> self
 * Inplace.yaml:5 */
int TH_straight_(THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THTensor *const others[] = {other};
    THTensor *self_result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("straight_", "self", self));
    TH_TRY(THCheck_tensor("straight_", "other", other));
    TH_TRY(THPromote("straight_", TH_PROMOTE_NONE, inputs, 2, &dtype));
    TH_TRY(THCheck_types("straight_", dtype, TH_TYPES_ALL));
    TH_TRY(THInplace_check("straight_", self, dtype, NULL, inputs, 2));
    TH_TRY(THOutput_plain("straight_", &self_result, self, dtype, others, 1));
    THTensor *const touched[] = {self_result, self, other};
    THWork_enter(&work, 1, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_straight(self_result, self, other);
        break;
    case TH_CHAR:
        status = THCharTensor_straight(self_result, self, other);
        break;
    case TH_SHORT:
        status = THShortTensor_straight(self_result, self, other);
        break;
    case TH_INT:
        status = THIntTensor_straight(self_result, self, other);
        break;
    case TH_LONG:
        status = THLongTensor_straight(self_result, self, other);
        break;
    case TH_HALF:
        status = THHalfTensor_straight(self_result, self, other);
        break;
    case TH_FLOAT:
        status = THFloatTensor_straight(self_result, self, other);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_straight(self_result, self, other);
        break;
    case TH_BOOL:
        status = THBoolTensor_straight(self_result, self, other);
        break;
    default:
        status = THError_dtype("straight_", dtype);
    }
    THWork_end(&work);
done:
    return THInplace_end("straight_", status, self, self_result);
}

/* only_(THTensor* self, real value) -> self
 * Inplace.yaml:9 */
int TH_only_(THTensor *self, THScalar value)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THWork work = {0};

    TH_TRY(THCheck_tensor("only_", "self", self));
    TH_TRY(THPromote("only_", TH_PROMOTE_NONE, inputs, 1, &dtype));
    TH_TRY(THCheck_types("only_", dtype, TH_TYPES_ALL));
    TH_TRY(THScalar_check("only_", "value", value, dtype));
    TH_TRY(THInplace_check("only_", self, (THDtype)self->dtype, NULL, NULL, 0));
    THTensor *const touched[] = {self};
    THWork_enter(&work, 1, touched, 1);
    TH_TRY(THExplain_guard());
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_only(self, THByte_fromScalar(value));
        break;
    case TH_CHAR:
        status = THCharTensor_only(self, THChar_fromScalar(value));
        break;
    case TH_SHORT:
        status = THShortTensor_only(self, THShort_fromScalar(value));
        break;
    case TH_INT:
        status = THIntTensor_only(self, THInt_fromScalar(value));
        break;
    case TH_LONG:
        status = THLongTensor_only(self, THLong_fromScalar(value));
        break;
    case TH_HALF:
        status = THHalfTensor_only(self, THHalf_fromScalar(value));
        break;
    case TH_FLOAT:
        status = THFloatTensor_only(self, THFloat_fromScalar(value));
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_only(self, THDouble_fromScalar(value));
        break;
    case TH_BOOL:
        status = THBoolTensor_only(self, THBool_fromScalar(value));
        break;
    default:
        status = THError_dtype("only_", dtype);
    }
    THWork_end(&work);
done:
    return THError_named("only_", status);
}
