/* Written by wrapgen from OptionalArguments.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <OptionalArguments.h>
#include <TH/THGenerateAllTypes.h>

/* scaled(THTensor* self, real alpha, double eps, long steps, bool half, char* mode) -> THTensor*
 * result
 * OptionalArguments.yaml:1 */
int TH_scaled(THTensor **out, THTensor *self, THScalar alpha, double eps, int64_t steps, bool half,
              const char *mode)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("scaled", "self", self));
    TH_TRY(THPromote("scaled", TH_PROMOTE_NONE, inputs, 1, &dtype));
    TH_TRY(THCheck_types("scaled", dtype, TH_TYPES_ALL));
    TH_TRY(THScalar_check("scaled", "alpha", alpha, dtype));
    TH_TRY(THOutput_plain("scaled", &result, *out, dtype, inputs, 1));
    THTensor *const touched[] = {result, self};
    THWork_enter(&work, 1, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_scaled(result, self, THByte_fromScalar(alpha), eps, steps, half,
                                     mode);
        break;
    case TH_CHAR:
        status = THCharTensor_scaled(result, self, THChar_fromScalar(alpha), eps, steps, half,
                                     mode);
        break;
    case TH_SHORT:
        status = THShortTensor_scaled(result, self, THShort_fromScalar(alpha), eps, steps, half,
                                      mode);
        break;
    case TH_INT:
        status = THIntTensor_scaled(result, self, THInt_fromScalar(alpha), eps, steps, half, mode);
        break;
    case TH_LONG:
        status = THLongTensor_scaled(result, self, THLong_fromScalar(alpha), eps, steps, half,
                                     mode);
        break;
    case TH_HALF:
        status = THHalfTensor_scaled(result, self, THHalf_fromScalar(alpha), eps, steps, half,
                                     mode);
        break;
    case TH_FLOAT:
        status = THFloatTensor_scaled(result, self, THFloat_fromScalar(alpha), eps, steps, half,
                                      mode);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_scaled(result, self, THDouble_fromScalar(alpha), eps, steps, half,
                                       mode);
        break;
    case TH_BOOL:
        status = THBoolTensor_scaled(result, self, THBool_fromScalar(alpha), eps, steps, half,
                                     mode);
        break;
    default:
        status = THError_dtype("scaled", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("scaled", status, out, result);
}
