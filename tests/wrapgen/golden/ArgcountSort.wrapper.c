/* Written by wrapgen from ArgcountSort.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <ArgcountSort.h>
#include <TH/THGenerateAllTypes.h>

/* total_dims(THTensor* self, THDims* dim, bool keepdim) -> THTensor* result
 * ArgcountSort.yaml:6 */
int TH_total_dims(THTensor **out, THTensor *self, const int64_t *dim, int dim_n, bool keepdim)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    uint64_t dim_mask = 0;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("total", "self", self));
    TH_TRY(THCheck_dimMask("total", "dim", self, dim, dim_n, &dim_mask));
    TH_TRY(THPromote("total", TH_PROMOTE_NONE, inputs, 1, &dtype));
    TH_TRY(THCheck_types("total", dtype, TH_TYPES_ALL));
    TH_TRY(THOutput_plain("total", &result, *out, dtype, inputs, 1));
    THTensor *const touched[] = {result, self};
    THWork_enter(&work, 1, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_total(result, self, dim_mask, keepdim);
        break;
    case TH_CHAR:
        status = THCharTensor_total(result, self, dim_mask, keepdim);
        break;
    case TH_SHORT:
        status = THShortTensor_total(result, self, dim_mask, keepdim);
        break;
    case TH_INT:
        status = THIntTensor_total(result, self, dim_mask, keepdim);
        break;
    case TH_LONG:
        status = THLongTensor_total(result, self, dim_mask, keepdim);
        break;
    case TH_HALF:
        status = THHalfTensor_total(result, self, dim_mask, keepdim);
        break;
    case TH_FLOAT:
        status = THFloatTensor_total(result, self, dim_mask, keepdim);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_total(result, self, dim_mask, keepdim);
        break;
    case TH_BOOL:
        status = THBoolTensor_total(result, self, dim_mask, keepdim);
        break;
    default:
        status = THError_dtype("total", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("total", status, out, result);
}

/* total_all(THTensor* self) -> real
 * ArgcountSort.yaml:3 */
int TH_total_all(THScalar *out, THTensor *self)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THWork work = {0};

    TH_TRY(THCheck_tensor("total", "self", self));
    TH_TRY(THPromote("total", TH_PROMOTE_NONE, inputs, 1, &dtype));
    TH_TRY(THCheck_types("total", dtype, TH_TYPES_ALL));
    THTensor *const touched[] = {self};
    THWork_enter(&work, 1, touched, 1);
    TH_TRY(THExplain_guard());
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_total(out, self);
        break;
    case TH_CHAR:
        status = THCharTensor_total(out, self);
        break;
    case TH_SHORT:
        status = THShortTensor_total(out, self);
        break;
    case TH_INT:
        status = THIntTensor_total(out, self);
        break;
    case TH_LONG:
        status = THLongTensor_total(out, self);
        break;
    case TH_HALF:
        status = THHalfTensor_total(out, self);
        break;
    case TH_FLOAT:
        status = THFloatTensor_total(out, self);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_total(out, self);
        break;
    case TH_BOOL:
        status = THBoolTensor_total(out, self);
        break;
    default:
        status = THError_dtype("total", dtype);
    }
    THWork_end(&work);
done:
    return THError_named("total", status);
}
