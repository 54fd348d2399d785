/* Written by wrapgen from WrapDim.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <WrapDim.h>
#include <TH/THGenerateAllTypes.h>

/* flipped(THTensor* self, long first, long place, THDims* dim) -> THTensor* result
 * WrapDim.yaml:1 */
int TH_flipped(THTensor **out, THTensor *self, int64_t first, int64_t place, const int64_t *dim,
               int dim_n)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    uint64_t dim_mask = 0;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("flipped", "self", self));
    TH_TRY(THCheck_dim("flipped", "first", self, 0, &first));
    TH_TRY(THCheck_dim("flipped", "place", self, 1, &place));
    TH_TRY(THCheck_dimMask("flipped", "dim", self, dim, dim_n, &dim_mask));
    TH_TRY(THPromote("flipped", TH_PROMOTE_NONE, inputs, 1, &dtype));
    TH_TRY(THCheck_types("flipped", dtype, TH_TYPES_ALL));
    TH_TRY(THOutput_plain("flipped", &result, *out, dtype, inputs, 1));
    THTensor *const touched[] = {result, self};
    THWork_enter(&work, 1, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_flipped(result, self, first, place, dim_mask);
        break;
    case TH_CHAR:
        status = THCharTensor_flipped(result, self, first, place, dim_mask);
        break;
    case TH_SHORT:
        status = THShortTensor_flipped(result, self, first, place, dim_mask);
        break;
    case TH_INT:
        status = THIntTensor_flipped(result, self, first, place, dim_mask);
        break;
    case TH_LONG:
        status = THLongTensor_flipped(result, self, first, place, dim_mask);
        break;
    case TH_HALF:
        status = THHalfTensor_flipped(result, self, first, place, dim_mask);
        break;
    case TH_FLOAT:
        status = THFloatTensor_flipped(result, self, first, place, dim_mask);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_flipped(result, self, first, place, dim_mask);
        break;
    case TH_BOOL:
        status = THBoolTensor_flipped(result, self, first, place, dim_mask);
        break;
    default:
        status = THError_dtype("flipped", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("flipped", status, out, result);
}
