/* Written by wrapgen from Broadcast.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <Broadcast.h>
#include <TH/THGenerateAllTypes.h>

/* addmv(THTensor* self, THTensor* mat, THTensor* vec) -> THTensor* result
 * Broadcast.yaml:1 */
int TH_addmv(THTensor **out, THTensor *self, THTensor *mat, THTensor *vec)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, mat, vec};
    THDtype dtype;
    THTensor *self_expanded = NULL;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("addmv", "self", self));
    TH_TRY(THCheck_tensor("addmv", "mat", mat));
    TH_TRY(THCheck_tensor("addmv", "vec", vec));
    TH_TRY(THCheck_ndim("addmv", "mat", mat, 2));
    TH_TRY(THCheck_ndim("addmv", "vec", vec, 1));
    TH_TRY(THCheck_ndimAtLeast("addmv", "mat", mat, 1));
    TH_TRY(THPromote("addmv", TH_PROMOTE_NONE, inputs, 3, &dtype));
    TH_TRY(THCheck_types("addmv", dtype, TH_TYPES_ALL));
    const int64_t self_size[] = {mat->size[0]};
    TH_TRY(THWrapper_newExpanded("addmv", "self", &self_expanded, self, self_size, 1));
    TH_TRY(THOutput_plain("addmv", &result, *out, dtype, inputs, 3));
    THTensor *const touched[] = {result, self, mat, vec};
    THWork_enter(&work, 1, touched, 4);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_addmv(result, self_expanded, mat, vec);
        break;
    case TH_CHAR:
        status = THCharTensor_addmv(result, self_expanded, mat, vec);
        break;
    case TH_SHORT:
        status = THShortTensor_addmv(result, self_expanded, mat, vec);
        break;
    case TH_INT:
        status = THIntTensor_addmv(result, self_expanded, mat, vec);
        break;
    case TH_LONG:
        status = THLongTensor_addmv(result, self_expanded, mat, vec);
        break;
    case TH_HALF:
        status = THHalfTensor_addmv(result, self_expanded, mat, vec);
        break;
    case TH_FLOAT:
        status = THFloatTensor_addmv(result, self_expanded, mat, vec);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_addmv(result, self_expanded, mat, vec);
        break;
    case TH_BOOL:
        status = THBoolTensor_addmv(result, self_expanded, mat, vec);
        break;
    default:
        status = THError_dtype("addmv", dtype);
    }
    THWork_end(&work);
done:
    THTensor_free(self_expanded);
    return THOutput_end("addmv", status, out, result);
}

/* addmv_(THTensor* self, THTensor* mat, THTensor* vec) -> self
 * Broadcast.yaml:1 */
int TH_addmv_(THTensor *self, THTensor *mat, THTensor *vec)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, mat, vec};
    THDtype dtype;
    THTensor *const others[] = {mat, vec};
    THTensor *self_result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("addmv_", "self", self));
    TH_TRY(THCheck_tensor("addmv_", "mat", mat));
    TH_TRY(THCheck_tensor("addmv_", "vec", vec));
    TH_TRY(THCheck_ndim("addmv_", "mat", mat, 2));
    TH_TRY(THCheck_ndim("addmv_", "vec", vec, 1));
    TH_TRY(THPromote("addmv_", TH_PROMOTE_NONE, inputs, 3, &dtype));
    TH_TRY(THCheck_types("addmv_", dtype, TH_TYPES_ALL));
    TH_TRY(THInplace_check("addmv_", self, dtype, NULL, inputs, 3));
    TH_TRY(THOutput_plain("addmv_", &self_result, self, dtype, others, 2));
    THTensor *const touched[] = {self_result, self, mat, vec};
    THWork_enter(&work, 1, touched, 4);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_addmv(self_result, self, mat, vec);
        break;
    case TH_CHAR:
        status = THCharTensor_addmv(self_result, self, mat, vec);
        break;
    case TH_SHORT:
        status = THShortTensor_addmv(self_result, self, mat, vec);
        break;
    case TH_INT:
        status = THIntTensor_addmv(self_result, self, mat, vec);
        break;
    case TH_LONG:
        status = THLongTensor_addmv(self_result, self, mat, vec);
        break;
    case TH_HALF:
        status = THHalfTensor_addmv(self_result, self, mat, vec);
        break;
    case TH_FLOAT:
        status = THFloatTensor_addmv(self_result, self, mat, vec);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_addmv(self_result, self, mat, vec);
        break;
    case TH_BOOL:
        status = THBoolTensor_addmv(self_result, self, mat, vec);
        break;
    default:
        status = THError_dtype("addmv_", dtype);
    }
    THWork_end(&work);
done:
    return THInplace_end("addmv_", status, self, self_result);
}

/* masked(THTensor* self, THBoolTensor* mask) -> THTensor* result
 * Broadcast.yaml:9 */
int TH_masked(THTensor **out, THTensor *self, THTensor *mask)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, mask};
    THDtype dtype;
    THTensor *const operands[] = {self};
    THShape shape;
    THTensor *const broadcast[] = {self, mask};
    THTensor *self_expanded = NULL;
    THTensor *mask_expanded = NULL;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("masked", "self", self));
    TH_TRY(THCheck_tensor("masked", "mask", mask));
    TH_TRY(THCheck_dtype("masked", "mask", mask, TH_BOOL));
    TH_TRY(THPromote("masked", TH_PROMOTE_NONE, operands, 1, &dtype));
    TH_TRY(THCheck_types("masked", dtype, TH_TYPES_ALL));
    TH_TRY(THShape_broadcast("masked", &shape, broadcast, 2));
    TH_TRY(THWrapper_newExpanded("masked", "self", &self_expanded, self, shape.size,
           shape.nDimension));
    TH_TRY(THWrapper_newExpanded("masked", "mask", &mask_expanded, mask, shape.size,
           shape.nDimension));
    TH_TRY(THOutput_plain("masked", &result, *out, dtype, inputs, 2));
    THTensor *const touched[] = {result, self, mask};
    THWork_enter(&work, 1, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_masked(result, self_expanded, mask_expanded);
        break;
    case TH_CHAR:
        status = THCharTensor_masked(result, self_expanded, mask_expanded);
        break;
    case TH_SHORT:
        status = THShortTensor_masked(result, self_expanded, mask_expanded);
        break;
    case TH_INT:
        status = THIntTensor_masked(result, self_expanded, mask_expanded);
        break;
    case TH_LONG:
        status = THLongTensor_masked(result, self_expanded, mask_expanded);
        break;
    case TH_HALF:
        status = THHalfTensor_masked(result, self_expanded, mask_expanded);
        break;
    case TH_FLOAT:
        status = THFloatTensor_masked(result, self_expanded, mask_expanded);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_masked(result, self_expanded, mask_expanded);
        break;
    case TH_BOOL:
        status = THBoolTensor_masked(result, self_expanded, mask_expanded);
        break;
    default:
        status = THError_dtype("masked", dtype);
    }
    THWork_end(&work);
done:
    THTensor_free(mask_expanded);
    THTensor_free(self_expanded);
    return THOutput_end("masked", status, out, result);
}
