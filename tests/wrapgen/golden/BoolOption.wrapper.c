/* Written by wrapgen from BoolOption.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <BoolOption.h>
#include <TH/THGenerateAllTypes.h>

/* triangle(THTensor* self, bool upper, bool unbiased) -> THTensor* result
 * BoolOption.yaml:1 */
int TH_triangle(THTensor **out, THTensor *self, bool upper, bool unbiased)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("triangle", "self", self));
    TH_TRY(THPromote("triangle", TH_PROMOTE_NONE, inputs, 1, &dtype));
    TH_TRY(THCheck_types("triangle", dtype, TH_TYPES_ALL));
    TH_TRY(THOutput_plain("triangle", &result, *out, dtype, inputs, 1));
    THTensor *const touched[] = {result, self};
    THWork_enter(&work, 1, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_triangle(result, self, (upper ? "U" : "L"), (unbiased ? 1 : 0));
        break;
    case TH_CHAR:
        status = THCharTensor_triangle(result, self, (upper ? "U" : "L"), (unbiased ? 1 : 0));
        break;
    case TH_SHORT:
        status = THShortTensor_triangle(result, self, (upper ? "U" : "L"), (unbiased ? 1 : 0));
        break;
    case TH_INT:
        status = THIntTensor_triangle(result, self, (upper ? "U" : "L"), (unbiased ? 1 : 0));
        break;
    case TH_LONG:
        status = THLongTensor_triangle(result, self, (upper ? "U" : "L"), (unbiased ? 1 : 0));
        break;
    case TH_HALF:
        status = THHalfTensor_triangle(result, self, (upper ? "U" : "L"), (unbiased ? 1 : 0));
        break;
    case TH_FLOAT:
        status = THFloatTensor_triangle(result, self, (upper ? "U" : "L"), (unbiased ? 1 : 0));
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_triangle(result, self, (upper ? "U" : "L"), (unbiased ? 1 : 0));
        break;
    case TH_BOOL:
        status = THBoolTensor_triangle(result, self, (upper ? "U" : "L"), (unbiased ? 1 : 0));
        break;
    default:
        status = THError_dtype("triangle", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("triangle", status, out, result);
}
