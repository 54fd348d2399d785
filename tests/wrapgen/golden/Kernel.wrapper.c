/* Written by wrapgen from Kernel.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE "kernels/Kernel.h"
#include <TH/THGenerateAllTypes.h>

/* prelu(THTensor* self, THTensor* weight) -> THTensor* result
 * Kernel.yaml:1 */
int TH_prelu(THTensor **out, THTensor *self, THTensor *weight)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, weight};
    THDtype dtype;
    THShape shape;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("prelu", "self", self));
    TH_TRY(THCheck_tensor("prelu", "weight", weight));
    TH_TRY(THPromote("prelu", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("prelu", dtype, TH_TYPES_FLOATING_POINT));
    TH_TRY(THShape_broadcast("prelu", &shape, inputs, 2));
    TH_TRY(THOutput_shaped("prelu", &result, *out, dtype, &shape, inputs, 2));
    THTensor *const touched[] = {result, self, weight};
    THWork_enter(&work, 3, touched, 3);
    switch (dtype) {
    case TH_HALF:
        status = THHalfTensor_prelu(result, self, weight);
        break;
    case TH_FLOAT:
        status = THFloatTensor_prelu(result, self, weight);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_prelu(result, self, weight);
        break;
    default:
        status = THError_dtype("prelu", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("prelu", status, out, result);
}

/* prelu_(THTensor* self, THTensor* weight) -> self
 * Kernel.yaml:1 */
int TH_prelu_(THTensor *self, THTensor *weight)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, weight};
    THDtype dtype;
    THShape shape;
    THWork work = {0};

    TH_TRY(THCheck_tensor("prelu_", "self", self));
    TH_TRY(THCheck_tensor("prelu_", "weight", weight));
    TH_TRY(THPromote("prelu_", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("prelu_", dtype, TH_TYPES_FLOATING_POINT));
    TH_TRY(THShape_broadcast("prelu_", &shape, inputs, 2));
    TH_TRY(THInplace_check("prelu_", self, dtype, &shape, inputs, 2));
    THTensor *const touched[] = {self, weight};
    THWork_enter(&work, 3, touched, 2);
    switch (dtype) {
    case TH_HALF:
        status = THHalfTensor_prelu(self, self, weight);
        break;
    case TH_FLOAT:
        status = THFloatTensor_prelu(self, self, weight);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_prelu(self, self, weight);
        break;
    default:
        status = THError_dtype("prelu_", dtype);
    }
    THWork_end(&work);
done:
    return status;
}
