/* Written by wrapgen from Library.yaml; edit that one. */
#include "libraries/libraries.h"
#include "calls/Library.h"

/* checksum(THTensor* self, long value) -> long
 * Library.yaml:7: sums_bytes(value, data(self), nbytes(self)) */
int THCall_checksum(int64_t *out, THTensor *self, int64_t value)
{
    int status = TH_OK;
    THTensor *data_of_self = NULL;

    TH_TRY(THTensor_newContiguous(&data_of_self, self));
    *out = (int64_t)sums_bytes(value, THTensor_data(data_of_self),
            (THTensor_nElement(self) * THTensor_itemSize(self)));
done:
    THTensor_free(data_of_self);
    return status;
}

static const char *THMessage_median(int status)
{
    return sums_error(status);
}

/* median(THTensor* self, THTensor* weight) -> double
 * Library.yaml:14: (copy(self), int(size(self, 0)), data(weight), stride(weight, 0), work(double,
 * 2 * count(self)), &result) */
int THCall_median(double *out, THTensor *self, THTensor *weight)
{
    int status = TH_OK;
    THTensor *copy_of_self = NULL;
    double *work_0 = NULL;
    int64_t code = 0;
    double result = 0;

    TH_REQUIRE(self->nDimension >= 1, TH_ERROR_VALUE,
               "median: expected self to have at least 1 dim, got shape %s",
               THTensor_sizeDesc(self).str);
    TH_REQUIRE(weight->nDimension >= 1, TH_ERROR_VALUE,
               "median: expected weight to have at least 1 dim, got shape %s",
               THTensor_sizeDesc(weight).str);
    TH_REQUIRE(THCALL_FITS(int, self->size[0]), TH_ERROR_VALUE,
               "median: expected size(self, 0) to fit a C int, got %lld",
               (long long)(self->size[0]));
    TH_TRY(THTensor_newClone(&copy_of_self, self));
    work_0 = THCall_array(2 * THTensor_nElement(self), sizeof *work_0);
    if (work_0 == NULL) {
        status = THError_code();
        goto done;
    }
    switch (self->dtype) {
    case TH_FLOAT:
        code = (int64_t)sums_medianf(THTensor_data(copy_of_self), (int)(self->size[0]),
                THTensor_data(weight), weight->stride[0], work_0, &result);
        break;
    case TH_DOUBLE:
        code = (int64_t)sums_median(THTensor_data(copy_of_self), (int)(self->size[0]),
                THTensor_data(weight), weight->stride[0], work_0, &result);
        break;
    default:
        status = THError_dtype("median", (THDtype)self->dtype);
    }
    if (status == TH_OK && code < 0)
        status = THCall_failed("median", THMessage_median((int)code), code);
    if (status == TH_OK)
        *out = result;
done:
    THTensor_free(copy_of_self);
    THFree(work_0);
    return status;
}
