/* Written by wrapgen from AssertNDim.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <AssertNDim.h>
#include <TH/THGenerateAllTypes.h>

/* dot(THTensor* self, THTensor* other) -> real
 * AssertNDim.yaml:1 */
int TH_dot(THScalar *out, THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THWork work = {0};

    TH_TRY(THCheck_tensor("dot", "self", self));
    TH_TRY(THCheck_tensor("dot", "other", other));
    TH_TRY(THCheck_ndim("dot", "self", self, 1));
    TH_TRY(THCheck_ndim("dot", "other", other, 1));
    TH_TRY(THPromote("dot", TH_PROMOTE_NONE, inputs, 2, &dtype));
    TH_TRY(THCheck_types("dot", dtype, TH_TYPES_ALL));
    THTensor *const touched[] = {self, other};
    THWork_enter(&work, 1, touched, 2);
    TH_TRY(THExplain_guard());
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_dot(out, self, other);
        break;
    case TH_CHAR:
        status = THCharTensor_dot(out, self, other);
        break;
    case TH_SHORT:
        status = THShortTensor_dot(out, self, other);
        break;
    case TH_INT:
        status = THIntTensor_dot(out, self, other);
        break;
    case TH_LONG:
        status = THLongTensor_dot(out, self, other);
        break;
    case TH_HALF:
        status = THHalfTensor_dot(out, self, other);
        break;
    case TH_FLOAT:
        status = THFloatTensor_dot(out, self, other);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_dot(out, self, other);
        break;
    case TH_BOOL:
        status = THBoolTensor_dot(out, self, other);
        break;
    default:
        status = THError_dtype("dot", dtype);
    }
    THWork_end(&work);
done:
    return THError_named("dot", status);
}
