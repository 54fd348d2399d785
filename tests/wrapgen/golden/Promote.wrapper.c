/* Written by wrapgen from Promote.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <Promote.h>
#include <TH/THGenerateAllTypes.h>

/* blend(THTensor* self, THTensor* end, real weight) -> THTensor* result
 * Promote.yaml:1 */
int TH_blend(THTensor **out, THTensor *self, THTensor *end, THScalar weight)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, end};
    THDtype dtype;
    THTensor *self_cast = NULL;
    THTensor *end_cast = NULL;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("blend", "self", self));
    TH_TRY(THCheck_tensor("blend", "end", end));
    TH_TRY(THPromote("blend", TH_PROMOTE_FLOAT, inputs, 2, &dtype));
    TH_TRY(THCheck_types("blend", dtype, TH_TYPES_ALL));
    TH_TRY(THScalar_check("blend", "weight", weight, dtype));
    TH_TRY(THWrapper_cast(&self_cast, self, dtype));
    TH_TRY(THWrapper_cast(&end_cast, end, dtype));
    TH_TRY(THOutput_plain("blend", &result, *out, dtype, inputs, 2));
    THTensor *const touched[] = {result, self, end};
    THWork_enter(&work, 1, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_blend(result, self_cast, end_cast, THByte_fromScalar(weight));
        break;
    case TH_CHAR:
        status = THCharTensor_blend(result, self_cast, end_cast, THChar_fromScalar(weight));
        break;
    case TH_SHORT:
        status = THShortTensor_blend(result, self_cast, end_cast, THShort_fromScalar(weight));
        break;
    case TH_INT:
        status = THIntTensor_blend(result, self_cast, end_cast, THInt_fromScalar(weight));
        break;
    case TH_LONG:
        status = THLongTensor_blend(result, self_cast, end_cast, THLong_fromScalar(weight));
        break;
    case TH_HALF:
        status = THHalfTensor_blend(result, self_cast, end_cast, THHalf_fromScalar(weight));
        break;
    case TH_FLOAT:
        status = THFloatTensor_blend(result, self_cast, end_cast, THFloat_fromScalar(weight));
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_blend(result, self_cast, end_cast, THDouble_fromScalar(weight));
        break;
    case TH_BOOL:
        status = THBoolTensor_blend(result, self_cast, end_cast, THBool_fromScalar(weight));
        break;
    default:
        status = THError_dtype("blend", dtype);
    }
    THWork_end(&work);
done:
    THWrapper_freeCast(end_cast, end);
    THWrapper_freeCast(self_cast, self);
    return THOutput_end("blend", status, out, result);
}

/* blend_(THTensor* self, THTensor* end, real weight) -> self
 * Promote.yaml:1 */
int TH_blend_(THTensor *self, THTensor *end, THScalar weight)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, end};
    THDtype dtype;
    THTensor *self_cast = NULL;
    THTensor *end_cast = NULL;
    THTensor *self_result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("blend_", "self", self));
    TH_TRY(THCheck_tensor("blend_", "end", end));
    TH_TRY(THPromote("blend_", TH_PROMOTE_FLOAT, inputs, 2, &dtype));
    TH_TRY(THCheck_types("blend_", dtype, TH_TYPES_ALL));
    TH_TRY(THScalar_check("blend_", "weight", weight, dtype));
    TH_TRY(THWrapper_cast(&self_cast, self, dtype));
    TH_TRY(THWrapper_cast(&end_cast, end, dtype));
    TH_TRY(THInplace_check("blend_", self, dtype, NULL, inputs, 2));
    TH_TRY(THTensor_newEmpty(&self_result, dtype));
    THTensor *const touched[] = {self_result, self, end};
    THWork_enter(&work, 1, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_blend(self_result, self_cast, end_cast, THByte_fromScalar(weight));
        break;
    case TH_CHAR:
        status = THCharTensor_blend(self_result, self_cast, end_cast, THChar_fromScalar(weight));
        break;
    case TH_SHORT:
        status = THShortTensor_blend(self_result, self_cast, end_cast, THShort_fromScalar(weight));
        break;
    case TH_INT:
        status = THIntTensor_blend(self_result, self_cast, end_cast, THInt_fromScalar(weight));
        break;
    case TH_LONG:
        status = THLongTensor_blend(self_result, self_cast, end_cast, THLong_fromScalar(weight));
        break;
    case TH_HALF:
        status = THHalfTensor_blend(self_result, self_cast, end_cast, THHalf_fromScalar(weight));
        break;
    case TH_FLOAT:
        status = THFloatTensor_blend(self_result, self_cast, end_cast, THFloat_fromScalar(weight));
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_blend(self_result, self_cast, end_cast,
                                      THDouble_fromScalar(weight));
        break;
    case TH_BOOL:
        status = THBoolTensor_blend(self_result, self_cast, end_cast, THBool_fromScalar(weight));
        break;
    default:
        status = THError_dtype("blend_", dtype);
    }
    THWork_end(&work);
done:
    THWrapper_freeCast(end_cast, end);
    THWrapper_freeCast(self_cast, self);
    return THInplace_end("blend_", status, self, self_result);
}

/* counted(THTensor* self) -> THTensor* result
 * Promote.yaml:9 */
int TH_counted(THTensor **out, THTensor *self)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THTensor *self_cast = NULL;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("counted", "self", self));
    TH_TRY(THPromote("counted", TH_PROMOTE_NUMBER, inputs, 1, &dtype));
    TH_TRY(THCheck_types("counted", dtype, TH_TYPES_ALL));
    TH_TRY(THWrapper_cast(&self_cast, self, dtype));
    TH_TRY(THOutput_plain("counted", &result, *out, dtype, inputs, 1));
    THTensor *const touched[] = {result, self};
    THWork_enter(&work, 1, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_counted(result, self_cast);
        break;
    case TH_CHAR:
        status = THCharTensor_counted(result, self_cast);
        break;
    case TH_SHORT:
        status = THShortTensor_counted(result, self_cast);
        break;
    case TH_INT:
        status = THIntTensor_counted(result, self_cast);
        break;
    case TH_LONG:
        status = THLongTensor_counted(result, self_cast);
        break;
    case TH_HALF:
        status = THHalfTensor_counted(result, self_cast);
        break;
    case TH_FLOAT:
        status = THFloatTensor_counted(result, self_cast);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_counted(result, self_cast);
        break;
    case TH_BOOL:
        status = THBoolTensor_counted(result, self_cast);
        break;
    default:
        status = THError_dtype("counted", dtype);
    }
    THWork_end(&work);
done:
    THWrapper_freeCast(self_cast, self);
    return THOutput_end("counted", status, out, result);
}

/* read(THTensor* self, THTensor* weight) -> THTensor* result
 * Promote.yaml:10 */
int TH_read(THTensor **out, THTensor *self, THTensor *weight)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, weight};
    THDtype dtype;
    THTensor *self_cast = NULL;
    THTensor *weight_cast = NULL;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("read", "self", self));
    TH_TRY(THCheck_tensor("read", "weight", weight));
    TH_TRY(THPromote("read", TH_PROMOTE_FLOAT, inputs, 2, &dtype));
    TH_TRY(THCheck_types("read", dtype, TH_TYPES_ALL));
    TH_TRY(THWrapper_castRead(&self_cast, self, dtype));
    TH_TRY(THWrapper_cast(&weight_cast, weight, dtype));
    TH_TRY(THOutput_plain("read", &result, *out, dtype, inputs, 2));
    THTensor *const touched[] = {result, self, weight};
    THWork_enter(&work, 1, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_read(result, self_cast, weight_cast);
        break;
    case TH_CHAR:
        status = THCharTensor_read(result, self_cast, weight_cast);
        break;
    case TH_SHORT:
        status = THShortTensor_read(result, self_cast, weight_cast);
        break;
    case TH_INT:
        status = THIntTensor_read(result, self_cast, weight_cast);
        break;
    case TH_LONG:
        status = THLongTensor_read(result, self_cast, weight_cast);
        break;
    case TH_HALF:
        status = THHalfTensor_read(result, self_cast, weight_cast);
        break;
    case TH_FLOAT:
        status = THFloatTensor_read(result, self_cast, weight_cast);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_read(result, self_cast, weight_cast);
        break;
    case TH_BOOL:
        status = THBoolTensor_read(result, self_cast, weight_cast);
        break;
    default:
        status = THError_dtype("read", dtype);
    }
    THWork_end(&work);
done:
    THWrapper_freeCast(weight_cast, weight);
    THWrapper_freeCast(self_cast, self);
    return THOutput_end("read", status, out, result);
}
