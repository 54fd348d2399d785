/* Written by wrapgen from GILRelease.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <GILRelease.h>
#include <TH/THGenerateAllTypes.h>

/* held(THTensor* self) -> THTensor* result
 * GILRelease.yaml:1 */
int TH_held(THTensor **out, THTensor *self)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THTensor *result = NULL;

    TH_TRY(THCheck_tensor("held", "self", self));
    TH_TRY(THPromote("held", TH_PROMOTE_NONE, inputs, 1, &dtype));
    TH_TRY(THCheck_types("held", dtype, TH_TYPES_ALL));
    TH_TRY(THOutput_plain("held", &result, *out, dtype, inputs, 1));
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_held(result, self);
        break;
    case TH_CHAR:
        status = THCharTensor_held(result, self);
        break;
    case TH_SHORT:
        status = THShortTensor_held(result, self);
        break;
    case TH_INT:
        status = THIntTensor_held(result, self);
        break;
    case TH_LONG:
        status = THLongTensor_held(result, self);
        break;
    case TH_HALF:
        status = THHalfTensor_held(result, self);
        break;
    case TH_FLOAT:
        status = THFloatTensor_held(result, self);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_held(result, self);
        break;
    case TH_BOOL:
        status = THBoolTensor_held(result, self);
        break;
    default:
        status = THError_dtype("held", dtype);
    }
done:
    return THOutput_end("held", status, out, result);
}
