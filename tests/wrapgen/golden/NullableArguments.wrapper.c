/* Written by wrapgen from NullableArguments.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <NullableArguments.h>
#include <TH/THGenerateAllTypes.h>

/* weighted(THTensor* self, THTensor* weight, THGenerator* generator) -> THTensor* result
 * NullableArguments.yaml:1 */
int TH_weighted(THTensor **out, THTensor *self, THTensor *weight, THGenerator *generator)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, weight};
    THDtype dtype;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("weighted", "self", self));
    if (weight != NULL)
        TH_TRY(THCheck_ndim("weighted", "weight", weight, 1));
    TH_TRY(THPromote("weighted", TH_PROMOTE_NONE, inputs, 2, &dtype));
    TH_TRY(THCheck_types("weighted", dtype, TH_TYPES_ALL));
    TH_TRY(THOutput_plain("weighted", &result, *out, dtype, inputs, 2));
    THTensor *const touched[] = {result, self, weight};
    THWork_enter(&work, 1, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_weighted(result, self, weight, generator);
        break;
    case TH_CHAR:
        status = THCharTensor_weighted(result, self, weight, generator);
        break;
    case TH_SHORT:
        status = THShortTensor_weighted(result, self, weight, generator);
        break;
    case TH_INT:
        status = THIntTensor_weighted(result, self, weight, generator);
        break;
    case TH_LONG:
        status = THLongTensor_weighted(result, self, weight, generator);
        break;
    case TH_HALF:
        status = THHalfTensor_weighted(result, self, weight, generator);
        break;
    case TH_FLOAT:
        status = THFloatTensor_weighted(result, self, weight, generator);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_weighted(result, self, weight, generator);
        break;
    case TH_BOOL:
        status = THBoolTensor_weighted(result, self, weight, generator);
        break;
    default:
        status = THError_dtype("weighted", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("weighted", status, out, result);
}
