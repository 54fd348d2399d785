/* Written by wrapgen from Library.yaml; edit that one. */
#include "ops.h"
#include "calls/Library.h"

#define TH_GENERIC_FILE "kernels/Library.h"
#include <TH/THGenerateAllTypes.h>

/* checksum(THTensor* self, long value) -> long
 * Library.yaml:7 */
int TH_checksum(int64_t *out, THTensor *self, int64_t value)
{
    int status = TH_OK;
    THWork work = {0};

    TH_TRY(THCheck_tensor("checksum", "self", self));
    THTensor *const touched[] = {self};
    THWork_enter(&work, 1, touched, 1);
    TH_TRY(THExplain_guard());
    status = THCall_checksum(out, self, value);
    THWork_end(&work);
done:
    return THError_named("checksum", status);
}

/* median(THTensor* self, THTensor* weight) -> double
 * Library.yaml:14 */
int TH_median(double *out, THTensor *self, THTensor *weight)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, weight};
    THDtype dtype;
    THWork work = {0};

    TH_TRY(THCheck_tensor("median", "self", self));
    TH_TRY(THCheck_tensor("median", "weight", weight));
    TH_TRY(THCheck_ndim("median", "self", self, 1));
    TH_TRY(THPromote("median", TH_PROMOTE_NONE, inputs, 2, &dtype));
    TH_TRY(THCheck_types("median", dtype, TH_TYPE_BIT(TH_FLOAT) | TH_TYPE_BIT(TH_DOUBLE)));
    THTensor *const touched[] = {self, weight};
    THWork_enter(&work, 1, touched, 2);
    TH_TRY(THExplain_guard());
    status = THCall_median(out, self, weight);
    THWork_end(&work);
done:
    return THError_named("median", status);
}

/* smooth(THTensor* self, long width) -> THTensor* result
 * Library.yaml:24 */
int TH_smooth(THTensor **out, THTensor *self, int64_t width)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THShape shape;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("smooth", "self", self));
    TH_TRY(THPromote("smooth", TH_PROMOTE_FLOAT, inputs, 1, &dtype));
    TH_TRY(THCheck_types("smooth", dtype, TH_TYPES_FLOATING_POINT));
    TH_TRY(THShape_broadcast("smooth", &shape, inputs, 1));
    TH_TRY(THOutput_shaped("smooth", &result, *out, dtype, &shape, inputs, 1));
    THTensor *const touched[] = {result, self};
    THWork_enterShaped(&work, 64, &shape, touched, 2);
    switch (dtype) {
    case TH_HALF:
        status = THHalfTensor_smooth(result, self, width);
        break;
    case TH_FLOAT:
        status = THFloatTensor_smooth(result, self, width);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_smooth(result, self, width);
        break;
    default:
        status = THError_dtype("smooth", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("smooth", status, out, result);
}

/* smooth_(THTensor* self, long width) -> self
 * Library.yaml:24 */
int TH_smooth_(THTensor *self, int64_t width)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THShape shape;
    THWork work = {0};

    TH_TRY(THCheck_tensor("smooth_", "self", self));
    TH_TRY(THPromote("smooth_", TH_PROMOTE_FLOAT, inputs, 1, &dtype));
    TH_TRY(THCheck_types("smooth_", dtype, TH_TYPES_FLOATING_POINT));
    TH_TRY(THShape_broadcast("smooth_", &shape, inputs, 1));
    TH_TRY(THInplace_check("smooth_", self, dtype, &shape, inputs, 1));
    THTensor *const touched[] = {self};
    THWork_enterShaped(&work, 64, &shape, touched, 1);
    switch (dtype) {
    case TH_HALF:
        status = THHalfTensor_smooth(self, self, width);
        break;
    case TH_FLOAT:
        status = THFloatTensor_smooth(self, self, width);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_smooth(self, self, width);
        break;
    default:
        status = THError_dtype("smooth_", dtype);
    }
    THWork_end(&work);
done:
    return THError_named("smooth_", status);
}

/* solve(THTensor* a, THTensor* b) -> THTensor* result
 * Library.yaml:29 */
int TH_solve(THTensor **out, THTensor *a, THTensor *b)
{
    int status = TH_OK;
    THTensor *const inputs[] = {a, b};
    THDtype dtype;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("solve", "a", a));
    TH_TRY(THCheck_tensor("solve", "b", b));
    TH_TRY(THPromote("solve", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("solve", dtype, TH_TYPES_FLOATING_POINT));
    TH_TRY(THOutput_apart("solve", &result, *out, dtype, inputs, 2));
    THTensor *const touched[] = {result, a, b};
    THWork_enter(&work, 16, touched, 3);
    switch (dtype) {
    case TH_HALF:
        status = THHalfTensor_solve(result, a, b);
        break;
    case TH_FLOAT:
        status = THFloatTensor_solve(result, a, b);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_solve(result, a, b);
        break;
    default:
        status = THError_dtype("solve", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("solve", status, out, result);
}

/* extremes(THTensor* self) -> THTensor* result, THTensor* total
 * Library.yaml:38 */
int TH_extremes(THTensor **result_out, THTensor **total_out, THTensor *self)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THTensor *result = NULL;
    THTensor *total = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("extremes", "self", self));
    TH_TRY(THOutput_check("extremes", (THTensor *const[]){*result_out, *total_out}, 2));
    TH_TRY(THOutput_plain("extremes", &result, *result_out, (THDtype)self->dtype, inputs, 1));
    TH_TRY(THOutput_plain("extremes", &total, *total_out, TH_DOUBLE, inputs, 1));
    THTensor *const touched[] = {result, total, self};
    THWork_enter(&work, 1, touched, 3);
    TH_TRY(THExplain_guard());
    status = THCall_extremes(result, total, self);
    THWork_end(&work);
    if (status != TH_OK)
        goto done;
    TH_TRY(THOutput_fit("extremes", (THTensor *const[]){*result_out, *total_out},
           (THTensor *const[]){result, total}, 2));
done:
    status = THOutput_end("extremes", status, result_out, result);
    status = THOutput_end("extremes", status, total_out, total);
    return THError_named("extremes", status);
}

/* modulus(THTensor* self) -> THTensor* whole, THTensor* rest
 * Library.yaml:50 */
int TH_modulus(THTensor **whole_out, THTensor **rest_out, THTensor *self)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THTensor *whole = NULL;
    THTensor *rest = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("modulus", "self", self));
    TH_TRY(THPromote("modulus", TH_PROMOTE_ARITHMETIC, inputs, 1, &dtype));
    TH_TRY(THCheck_types("modulus", dtype, TH_TYPE_BIT(TH_DOUBLE)));
    TH_TRY(THOutput_check("modulus", (THTensor *const[]){*whole_out, *rest_out}, 2));
    TH_TRY(THOutput_apart("modulus", &whole, *whole_out, dtype, inputs, 1));
    TH_TRY(THOutput_apart("modulus", &rest, *rest_out, dtype, inputs, 1));
    THTensor *const touched[] = {whole, rest, self};
    THWork_enter(&work, 16, touched, 3);
    switch (dtype) {
    case TH_DOUBLE:
        status = THDoubleTensor_modulus(whole, rest, self);
        break;
    default:
        status = THError_dtype("modulus", dtype);
    }
    THWork_end(&work);
    if (status != TH_OK)
        goto done;
    TH_TRY(THOutput_fit("modulus", (THTensor *const[]){*whole_out, *rest_out},
           (THTensor *const[]){whole, rest}, 2));
done:
    status = THOutput_end("modulus", status, whole_out, whole);
    status = THOutput_end("modulus", status, rest_out, rest);
    return THError_named("modulus", status);
}
