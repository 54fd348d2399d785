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
    THWork_enterShaped(&work, 3, &shape, touched, 3);
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
    THWork_enterShaped(&work, 3, &shape, touched, 2);
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
    return THError_named("prelu_", status);
}

/* asked(THTensor* self, THTensor* other) -> THTensor* result
 * Kernel.yaml:6 */
int TH_asked(THTensor **out, THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THShape shape;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("asked", "self", self));
    TH_TRY(THCheck_tensor("asked", "other", other));
    TH_TRY(THPromote("asked", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("asked", dtype, TH_TYPES_ALL));
    TH_TRY(THShape_broadcast("asked", &shape, inputs, 2));
    TH_TRY(THOutput_shaped("asked", &result, *out, dtype, &shape, inputs, 2));
    THTensor *const touched[] = {result, self, other};
    THWork_enterShaped(&work, 1, &shape, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_asked(result, self, other);
        break;
    case TH_CHAR:
        status = THCharTensor_asked(result, self, other);
        break;
    case TH_SHORT:
        status = THShortTensor_asked(result, self, other);
        break;
    case TH_INT:
        status = THIntTensor_asked(result, self, other);
        break;
    case TH_LONG:
        status = THLongTensor_asked(result, self, other);
        break;
    case TH_HALF:
        status = THHalfTensor_asked(result, self, other);
        break;
    case TH_FLOAT:
        status = THFloatTensor_asked(result, self, other);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_asked(result, self, other);
        break;
    case TH_BOOL:
        status = THBoolTensor_asked(result, self, other);
        break;
    default:
        status = THError_dtype("asked", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("asked", status, out, result);
}

/* asked_(THTensor* self, THTensor* other) -> self
 * Kernel.yaml:6 */
int TH_asked_(THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THShape shape;
    THWork work = {0};

    TH_TRY(THCheck_tensor("asked_", "self", self));
    TH_TRY(THCheck_tensor("asked_", "other", other));
    TH_TRY(THPromote("asked_", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("asked_", dtype, TH_TYPES_ALL));
    TH_TRY(THShape_broadcast("asked_", &shape, inputs, 2));
    TH_TRY(THInplace_check("asked_", self, dtype, &shape, inputs, 2));
    THTensor *const touched[] = {self, other};
    THWork_enterShaped(&work, 1, &shape, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_asked(self, self, other);
        break;
    case TH_CHAR:
        status = THCharTensor_asked(self, self, other);
        break;
    case TH_SHORT:
        status = THShortTensor_asked(self, self, other);
        break;
    case TH_INT:
        status = THIntTensor_asked(self, self, other);
        break;
    case TH_LONG:
        status = THLongTensor_asked(self, self, other);
        break;
    case TH_HALF:
        status = THHalfTensor_asked(self, self, other);
        break;
    case TH_FLOAT:
        status = THFloatTensor_asked(self, self, other);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_asked(self, self, other);
        break;
    case TH_BOOL:
        status = THBoolTensor_asked(self, self, other);
        break;
    default:
        status = THError_dtype("asked_", dtype);
    }
    THWork_end(&work);
done:
    return THError_named("asked_", status);
}

/* asked_again(THTensor* self, THTensor* other) -> THTensor* result
 * Kernel.yaml:6 */
int TH_asked_again(THTensor **out, THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THShape shape;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("asked_again", "self", self));
    TH_TRY(THCheck_tensor("asked_again", "other", other));
    TH_TRY(THPromote("asked_again", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("asked_again", dtype, TH_TYPES_ALL));
    TH_TRY(THShape_broadcast("asked_again", &shape, inputs, 2));
    TH_TRY(THOutput_shaped("asked_again", &result, *out, dtype, &shape, inputs, 2));
    THTensor *const touched[] = {result, self, other};
    THWork_enterShaped(&work, 1, &shape, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_asked(result, self, other);
        break;
    case TH_CHAR:
        status = THCharTensor_asked(result, self, other);
        break;
    case TH_SHORT:
        status = THShortTensor_asked(result, self, other);
        break;
    case TH_INT:
        status = THIntTensor_asked(result, self, other);
        break;
    case TH_LONG:
        status = THLongTensor_asked(result, self, other);
        break;
    case TH_HALF:
        status = THHalfTensor_asked(result, self, other);
        break;
    case TH_FLOAT:
        status = THFloatTensor_asked(result, self, other);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_asked(result, self, other);
        break;
    case TH_BOOL:
        status = THBoolTensor_asked(result, self, other);
        break;
    default:
        status = THError_dtype("asked_again", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("asked_again", status, out, result);
}

/* asked_again_(THTensor* self, THTensor* other) -> self
 * Kernel.yaml:6 */
int TH_asked_again_(THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THShape shape;
    THWork work = {0};

    TH_TRY(THCheck_tensor("asked_again_", "self", self));
    TH_TRY(THCheck_tensor("asked_again_", "other", other));
    TH_TRY(THPromote("asked_again_", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("asked_again_", dtype, TH_TYPES_ALL));
    TH_TRY(THShape_broadcast("asked_again_", &shape, inputs, 2));
    TH_TRY(THInplace_check("asked_again_", self, dtype, &shape, inputs, 2));
    THTensor *const touched[] = {self, other};
    THWork_enterShaped(&work, 1, &shape, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_asked(self, self, other);
        break;
    case TH_CHAR:
        status = THCharTensor_asked(self, self, other);
        break;
    case TH_SHORT:
        status = THShortTensor_asked(self, self, other);
        break;
    case TH_INT:
        status = THIntTensor_asked(self, self, other);
        break;
    case TH_LONG:
        status = THLongTensor_asked(self, self, other);
        break;
    case TH_HALF:
        status = THHalfTensor_asked(self, self, other);
        break;
    case TH_FLOAT:
        status = THFloatTensor_asked(self, self, other);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_asked(self, self, other);
        break;
    case TH_BOOL:
        status = THBoolTensor_asked(self, self, other);
        break;
    default:
        status = THError_dtype("asked_again_", dtype);
    }
    THWork_end(&work);
done:
    return THError_named("asked_again_", status);
}
