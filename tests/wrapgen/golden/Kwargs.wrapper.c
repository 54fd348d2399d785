/* Written by wrapgen from Kwargs.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <Kwargs.h>
#include <TH/THGenerateAllTypes.h>

/* tiled(THTensor* self, THSize* size, long times, bool keepdim) -> THTensor* result
 * Kwargs.yaml:1 */
int TH_tiled(THTensor **out, THTensor *self, const int64_t *size, int size_n, int64_t times,
             bool keepdim)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("tiled", "self", self));
    TH_TRY(THPromote("tiled", TH_PROMOTE_NONE, inputs, 1, &dtype));
    TH_TRY(THCheck_types("tiled", dtype, TH_TYPES_ALL));
    TH_TRY(THOutput_plain("tiled", &result, *out, dtype, inputs, 1));
    THTensor *const touched[] = {result, self};
    THWork_enter(&work, 1, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_tiled(result, self, size, size_n, times, keepdim);
        break;
    case TH_CHAR:
        status = THCharTensor_tiled(result, self, size, size_n, times, keepdim);
        break;
    case TH_SHORT:
        status = THShortTensor_tiled(result, self, size, size_n, times, keepdim);
        break;
    case TH_INT:
        status = THIntTensor_tiled(result, self, size, size_n, times, keepdim);
        break;
    case TH_LONG:
        status = THLongTensor_tiled(result, self, size, size_n, times, keepdim);
        break;
    case TH_HALF:
        status = THHalfTensor_tiled(result, self, size, size_n, times, keepdim);
        break;
    case TH_FLOAT:
        status = THFloatTensor_tiled(result, self, size, size_n, times, keepdim);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_tiled(result, self, size, size_n, times, keepdim);
        break;
    case TH_BOOL:
        status = THBoolTensor_tiled(result, self, size, size_n, times, keepdim);
        break;
    default:
        status = THError_dtype("tiled", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("tiled", status, out, result);
}
