/* Written by wrapgen from ArgumentReferences.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <ArgumentReferences.h>
#include <TH/THGenerateAllTypes.h>

/* doubled(THTensor* self, argument 1, long dim, argument 3) -> THTensor* result
 * ArgumentReferences.yaml:1 */
int TH_doubled(THTensor **out, THTensor *self, int64_t dim)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("doubled", "self", self));
    TH_TRY(THCheck_dim("doubled", "dim", self, 0, &dim));
    TH_TRY(THPromote("doubled", TH_PROMOTE_NONE, inputs, 1, &dtype));
    TH_TRY(THCheck_types("doubled", dtype, TH_TYPES_ALL));
    TH_TRY(THOutput_plain("doubled", &result, *out, dtype, inputs, 1));
    THTensor *const touched[] = {result, self};
    THWork_enter(&work, 1, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_doubled(result, self, self, dim, dim);
        break;
    case TH_CHAR:
        status = THCharTensor_doubled(result, self, self, dim, dim);
        break;
    case TH_SHORT:
        status = THShortTensor_doubled(result, self, self, dim, dim);
        break;
    case TH_INT:
        status = THIntTensor_doubled(result, self, self, dim, dim);
        break;
    case TH_LONG:
        status = THLongTensor_doubled(result, self, self, dim, dim);
        break;
    case TH_HALF:
        status = THHalfTensor_doubled(result, self, self, dim, dim);
        break;
    case TH_FLOAT:
        status = THFloatTensor_doubled(result, self, self, dim, dim);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_doubled(result, self, self, dim, dim);
        break;
    case TH_BOOL:
        status = THBoolTensor_doubled(result, self, self, dim, dim);
        break;
    default:
        status = THError_dtype("doubled", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("doubled", status, out, result);
}
