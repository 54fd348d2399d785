/* Written by wrapgen from Outputs.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <Outputs.h>
#include <TH/THGenerateAllTypes.h>

/* extreme(THTensor* self) -> argument 1,0
 * Outputs.yaml:1 */
int TH_extreme(THTensor **indices_out, THTensor **values_out, THTensor *self)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THTensor *indices = NULL;
    THTensor *values = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("extreme", "self", self));
    TH_TRY(THPromote("extreme", TH_PROMOTE_NONE, inputs, 1, &dtype));
    TH_TRY(THCheck_types("extreme", dtype, TH_TYPES_ALL));
    TH_TRY(THOutput_check("extreme", (THTensor *const[]){*indices_out, *values_out}, 2));
    TH_TRY(THOutput_plain("extreme", &indices, *indices_out, TH_LONG, inputs, 1));
    TH_TRY(THOutput_plain("extreme", &values, *values_out, dtype, inputs, 1));
    THTensor *const touched[] = {indices, values, self};
    THWork_enter(&work, 1, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_extreme(indices, values, self);
        break;
    case TH_CHAR:
        status = THCharTensor_extreme(indices, values, self);
        break;
    case TH_SHORT:
        status = THShortTensor_extreme(indices, values, self);
        break;
    case TH_INT:
        status = THIntTensor_extreme(indices, values, self);
        break;
    case TH_LONG:
        status = THLongTensor_extreme(indices, values, self);
        break;
    case TH_HALF:
        status = THHalfTensor_extreme(indices, values, self);
        break;
    case TH_FLOAT:
        status = THFloatTensor_extreme(indices, values, self);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_extreme(indices, values, self);
        break;
    case TH_BOOL:
        status = THBoolTensor_extreme(indices, values, self);
        break;
    default:
        status = THError_dtype("extreme", dtype);
    }
    THWork_end(&work);
    if (status != TH_OK)
        goto done;
    TH_TRY(THOutput_fit("extreme", (THTensor *const[]){*indices_out, *values_out},
           (THTensor *const[]){indices, values}, 2));
done:
    status = THOutput_end("extreme", status, indices_out, indices);
    status = THOutput_end("extreme", status, values_out, values);
    return THError_named("extreme", status);
}

/* retyped(THTensor* self, THTensor* other) -> THTensor*
 * Outputs.yaml:8 */
int TH_retyped(THTensor **out, THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *out_result = NULL;

    TH_TRY(THCheck_tensor("retyped", "self", self));
    TH_TRY(THCheck_tensor("retyped", "other", other));
    status = THTensor_newTypeAs(&out_result, self, other);
done:
    return THOutput_end("retyped", status, out, out_result);
}

/* truth(THTensor* self) -> THTensor* result
 * Outputs.yaml:13 */
int TH_truth(THTensor **out, THTensor *self)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("truth", "self", self));
    TH_TRY(THPromote("truth", TH_PROMOTE_NONE, inputs, 1, &dtype));
    TH_TRY(THCheck_types("truth", dtype, TH_TYPES_ALL));
    TH_TRY(THOutput_plain("truth", &result, *out, THDtype_truth(dtype, *out), inputs, 1));
    THTensor *const touched[] = {result, self};
    THWork_enter(&work, 1, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_truth(result, self);
        break;
    case TH_CHAR:
        status = THCharTensor_truth(result, self);
        break;
    case TH_SHORT:
        status = THShortTensor_truth(result, self);
        break;
    case TH_INT:
        status = THIntTensor_truth(result, self);
        break;
    case TH_LONG:
        status = THLongTensor_truth(result, self);
        break;
    case TH_HALF:
        status = THHalfTensor_truth(result, self);
        break;
    case TH_FLOAT:
        status = THFloatTensor_truth(result, self);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_truth(result, self);
        break;
    case TH_BOOL:
        status = THBoolTensor_truth(result, self);
        break;
    default:
        status = THError_dtype("truth", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("truth", status, out, result);
}
