/* Written by wrapgen from everything.yaml; edit that one. */
#include "libraries/libraries.h"
#include "calls/everything.h"

static const char *THMessage_sum_of_all(int status)
{
    (void)status;
    return "it overflows";
}

/* sum_of_all(THTensor* self) -> double
 * everything.yaml:59: sums_all(data(self), count(self), &result) */
int THCall_sum_of_all(double *out, THTensor *self)
{
    int status = TH_OK;
    THTensor *data_of_self = NULL;
    int64_t code = 0;
    double result = 0;

    TH_TRY(THTensor_newContiguous(&data_of_self, self));
    code = (int64_t)sums_all(THTensor_data(data_of_self), THTensor_nElement(self), &result);
    if (status == TH_OK && code != 0)
        status = THCall_failed("sum_of_all", THMessage_sum_of_all((int)code), code);
    if (status == TH_OK)
        *out = result;
done:
    THTensor_free(data_of_self);
    return status;
}
