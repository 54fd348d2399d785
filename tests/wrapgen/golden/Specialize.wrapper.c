/* Written by wrapgen from Specialize.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE "kernels/Specialize.h"
#include <TH/THGenerateAllTypes.h>

/* raised(THTensor* self, THTensor* exponent) -> THTensor* result
 * Specialize.yaml:1 */
int TH_raised(THTensor **out, THTensor *self, THTensor *exponent)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, exponent};
    THDtype dtype;
    THShape shape;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("raised", "self", self));
    TH_TRY(THCheck_tensor("raised", "exponent", exponent));
    TH_TRY(THPromote("raised", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("raised", dtype, TH_TYPES_NUMERIC));
    TH_TRY(THShape_broadcast("raised", &shape, inputs, 2));
    TH_TRY(THOutput_shaped("raised", &result, *out, dtype, &shape, inputs, 2));
    THTensor *const touched[] = {result, self, exponent};
    THWork_enterShaped(&work, 16, &shape, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_raised(result, self, exponent);
        break;
    case TH_CHAR:
        status = THCharTensor_raised(result, self, exponent);
        break;
    case TH_SHORT:
        status = THShortTensor_raised(result, self, exponent);
        break;
    case TH_INT:
        status = THIntTensor_raised(result, self, exponent);
        break;
    case TH_LONG:
        status = THLongTensor_raised(result, self, exponent);
        break;
    case TH_HALF:
        status = THHalfTensor_raised(result, self, exponent);
        break;
    case TH_FLOAT:
        status = THFloatTensor_raised(result, self, exponent);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_raised(result, self, exponent);
        break;
    default:
        status = THError_dtype("raised", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("raised", status, out, result);
}

/* raised_(THTensor* self, THTensor* exponent) -> self
 * Specialize.yaml:1 */
int TH_raised_(THTensor *self, THTensor *exponent)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, exponent};
    THDtype dtype;
    THShape shape;
    THWork work = {0};

    TH_TRY(THCheck_tensor("raised_", "self", self));
    TH_TRY(THCheck_tensor("raised_", "exponent", exponent));
    TH_TRY(THPromote("raised_", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("raised_", dtype, TH_TYPES_NUMERIC));
    TH_TRY(THShape_broadcast("raised_", &shape, inputs, 2));
    TH_TRY(THInplace_check("raised_", self, dtype, &shape, inputs, 2));
    THTensor *const touched[] = {self, exponent};
    THWork_enterShaped(&work, 16, &shape, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_raised(self, self, exponent);
        break;
    case TH_CHAR:
        status = THCharTensor_raised(self, self, exponent);
        break;
    case TH_SHORT:
        status = THShortTensor_raised(self, self, exponent);
        break;
    case TH_INT:
        status = THIntTensor_raised(self, self, exponent);
        break;
    case TH_LONG:
        status = THLongTensor_raised(self, self, exponent);
        break;
    case TH_HALF:
        status = THHalfTensor_raised(self, self, exponent);
        break;
    case TH_FLOAT:
        status = THFloatTensor_raised(self, self, exponent);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_raised(self, self, exponent);
        break;
    default:
        status = THError_dtype("raised_", dtype);
    }
    THWork_end(&work);
done:
    return THError_named("raised_", status);
}

/* divided(THTensor* self, THTensor* other) -> THTensor* result
 * Specialize.yaml:8 */
int TH_divided(THTensor **out, THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THShape shape;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("divided", "self", self));
    TH_TRY(THCheck_tensor("divided", "other", other));
    TH_TRY(THPromote("divided", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("divided", dtype, TH_TYPES_INTEGRAL));
    TH_TRY(THShape_broadcast("divided", &shape, inputs, 2));
    TH_TRY(THOutput_shaped("divided", &result, *out, dtype, &shape, inputs, 2));
    THTensor *const touched[] = {result, self, other};
    THWork_enterShaped(&work, 1, &shape, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_divided(result, self, other);
        break;
    case TH_CHAR:
        status = THCharTensor_divided(result, self, other);
        break;
    case TH_SHORT:
        status = THShortTensor_divided(result, self, other);
        break;
    case TH_INT:
        status = THIntTensor_divided(result, self, other);
        break;
    case TH_LONG:
        status = THLongTensor_divided(result, self, other);
        break;
    default:
        status = THError_dtype("divided", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("divided", status, out, result);
}

/* divided_(THTensor* self, THTensor* other) -> self
 * Specialize.yaml:8 */
int TH_divided_(THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THShape shape;
    THWork work = {0};

    TH_TRY(THCheck_tensor("divided_", "self", self));
    TH_TRY(THCheck_tensor("divided_", "other", other));
    TH_TRY(THPromote("divided_", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("divided_", dtype, TH_TYPES_INTEGRAL));
    TH_TRY(THShape_broadcast("divided_", &shape, inputs, 2));
    TH_TRY(THInplace_check("divided_", self, dtype, &shape, inputs, 2));
    THTensor *const touched[] = {self, other};
    THWork_enterShaped(&work, 1, &shape, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_divided(self, self, other);
        break;
    case TH_CHAR:
        status = THCharTensor_divided(self, self, other);
        break;
    case TH_SHORT:
        status = THShortTensor_divided(self, self, other);
        break;
    case TH_INT:
        status = THIntTensor_divided(self, self, other);
        break;
    case TH_LONG:
        status = THLongTensor_divided(self, self, other);
        break;
    default:
        status = THError_dtype("divided_", dtype);
    }
    THWork_end(&work);
done:
    return THError_named("divided_", status);
}

/* turned(THTensor* self, THTensor* other) -> THTensor* result
 * Specialize.yaml:16 */
int TH_turned(THTensor **out, THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THShape shape;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("turned", "self", self));
    TH_TRY(THCheck_tensor("turned", "other", other));
    TH_TRY(THPromote("turned", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("turned", dtype, TH_TYPES_FLOATING_POINT));
    TH_TRY(THShape_broadcast("turned", &shape, inputs, 2));
    TH_TRY(THOutput_shaped("turned", &result, *out, dtype, &shape, inputs, 2));
    THTensor *const touched[] = {result, self, other};
    THWork_enterShaped(&work, 4, &shape, touched, 3);
    switch (dtype) {
    case TH_HALF:
        status = THHalfTensor_turned(result, self, other);
        break;
    case TH_FLOAT:
        status = THFloatTensor_turned(result, self, other);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_turned(result, self, other);
        break;
    default:
        status = THError_dtype("turned", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("turned", status, out, result);
}

/* turned_(THTensor* self, THTensor* other) -> self
 * Specialize.yaml:16 */
int TH_turned_(THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THShape shape;
    THWork work = {0};

    TH_TRY(THCheck_tensor("turned_", "self", self));
    TH_TRY(THCheck_tensor("turned_", "other", other));
    TH_TRY(THPromote("turned_", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("turned_", dtype, TH_TYPES_FLOATING_POINT));
    TH_TRY(THShape_broadcast("turned_", &shape, inputs, 2));
    TH_TRY(THInplace_check("turned_", self, dtype, &shape, inputs, 2));
    THTensor *const touched[] = {self, other};
    THWork_enterShaped(&work, 4, &shape, touched, 2);
    switch (dtype) {
    case TH_HALF:
        status = THHalfTensor_turned(self, self, other);
        break;
    case TH_FLOAT:
        status = THFloatTensor_turned(self, self, other);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_turned(self, self, other);
        break;
    default:
        status = THError_dtype("turned_", dtype);
    }
    THWork_end(&work);
done:
    return THError_named("turned_", status);
}
