/* Written by wrapgen from ConstantArguments.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <ConstantArguments.h>
#include <TH/THGenerateAllTypes.h>

/* norm2(THTensor* self, CONSTANT 2) -> THTensor* result
 * ConstantArguments.yaml:1 */
int TH_norm2(THTensor **out, THTensor *self)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("norm2", "self", self));
    TH_TRY(THPromote("norm2", TH_PROMOTE_NONE, inputs, 1, &dtype));
    TH_TRY(THCheck_types("norm2", dtype, TH_TYPES_ALL));
    TH_TRY(THOutput_plain("norm2", &result, *out, dtype, inputs, 1));
    THTensor *const touched[] = {result, self};
    THWork_enter(&work, 1, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_norm(result, self, 2);
        break;
    case TH_CHAR:
        status = THCharTensor_norm(result, self, 2);
        break;
    case TH_SHORT:
        status = THShortTensor_norm(result, self, 2);
        break;
    case TH_INT:
        status = THIntTensor_norm(result, self, 2);
        break;
    case TH_LONG:
        status = THLongTensor_norm(result, self, 2);
        break;
    case TH_HALF:
        status = THHalfTensor_norm(result, self, 2);
        break;
    case TH_FLOAT:
        status = THFloatTensor_norm(result, self, 2);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_norm(result, self, 2);
        break;
    case TH_BOOL:
        status = THBoolTensor_norm(result, self, 2);
        break;
    default:
        status = THError_dtype("norm2", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("norm2", status, out, result);
}
