/* Written by wrapgen from everything.yaml; edit that one. */
#include "libraries/libraries.h"
#include "calls/everything.h"

static const char *THMessage_sum_of_all(int status)
{
    (void)status;
    return "it overflows";
}

/* sum_of_all(THTensor* self) -> double
 * everything.yaml:60: sums_all(data(self), count(self), &result) */
int THCall_sum_of_all(double *out, THTensor *self)
{
    int status = TH_OK;
    THTensor *data_of_self = NULL;
    int64_t code = 0;
    double result = 0;

    TH_TRY(THTensor_newContiguous(&data_of_self, self));
    code = (int64_t)sums_all(THCall_data(data_of_self), THTensor_nElement(self), &result);
    if (status == TH_OK && code != 0)
        status = THCall_failed("sum_of_all", THMessage_sum_of_all((int)code), code);
    if (status == TH_OK)
        *out = result;
done:
    THTensor_free(data_of_self);
    return status;
}

/* parts_of(THTensor* self) -> THTensor* result
 * everything.yaml:68: sums_parts(data(self), nbytes(self), data(result), &used) */
int THCall_parts_of(THTensor *result, THTensor *self)
{
    int status = TH_OK;
    THTensor *data_of_self = NULL;
    THTensor *made_result = NULL;
    size_t used = {0};
    int64_t code = 0;

    TH_TRY(THTensor_newContiguous(&data_of_self, self));
    const int64_t size_of_result[] = {(int64_t)(sums_bound((THTensor_nElement(self) * THTensor_itemSize(self)))),
                                       (int64_t)(2)};
    TH_TRY(THCall_newResult("parts_of", "result", &made_result, result, 2, size_of_result));
    used = THTensor_nElement(made_result);
    code = (int64_t)sums_parts(THCall_data(data_of_self),
            (THTensor_nElement(self) * THTensor_itemSize(self)), THCall_data(made_result),
            &used);
    if (status == TH_OK && (code == SUMS_FULL))
        status = THCall_failed("parts_of", NULL, code);
    if (status != TH_OK)
        goto done;
    const int64_t filled_result = (int64_t)(used);
    const THCallResult results[] = {
        {"result", result, made_result, filled_result, false},
    };
    status = THCall_finish("parts_of", results, 1);
done:
    THTensor_free(data_of_self);
    THTensor_free(made_result);
    return status;
}
