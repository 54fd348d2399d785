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
    *out = (int64_t)sums_bytes(value, THCall_data(data_of_self),
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
        code = (int64_t)sums_medianf(THCall_data(copy_of_self), (int)(self->size[0]),
                THCall_data(weight), weight->stride[0], work_0, &result);
        break;
    case TH_DOUBLE:
        code = (int64_t)sums_median(THCall_data(copy_of_self), (int)(self->size[0]),
                THCall_data(weight), weight->stride[0], work_0, &result);
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

static const char *THMessage_extremes(int status)
{
    return sums_error(status);
}

/* extremes(THTensor* self) -> THTensor* result, THTensor* total
 * Library.yaml:38: sums_extremes(state, data(self), data(result), data(total)) */
int THCall_extremes(THTensor *result, THTensor *total, THTensor *self)
{
    int status = TH_OK;
    THTensor *data_of_self = NULL;
    THTensor *made_result = NULL;
    THTensor *made_total = NULL;
    sums_range range = {0};
    sums_state *state = {0};
    bool opened_state = false;
    int64_t code = 0;

    TH_REQUIRE(THCALL_FITS(int, THTensor_nElement(self)), TH_ERROR_VALUE,
               "extremes: expected count(self) to fit a C int, got %lld",
               (long long)(THTensor_nElement(self)));
    TH_TRY(THTensor_newContiguous(&data_of_self, self));
    const int64_t size_of_result[] = {(int64_t)(THTensor_nElement(self))};
    TH_TRY(THCall_newResult("extremes", "result", &made_result, result, 1, size_of_result));
    TH_TRY(THCall_newResult("extremes", "total", &made_total, total, 0, NULL));
    range = (sums_range){.from = 1, .to = (int)(THTensor_nElement(self))};
    state = sums_new(&range);
    if (state == NULL) {
        status = THError(TH_ERROR_RUNTIME, "extremes: the library made no state");
        goto done;
    }
    opened_state = true;
    code = (int64_t)sums_open(state);
    if (code < 0) {
        status = THCall_failed("extremes", THMessage_extremes((int)code), code);
        goto done;
    }
    code = (int64_t)sums_extremes(state, THCall_data(data_of_self), THCall_data(made_result),
            THCall_data(made_total));
    if (status == TH_OK && code < 0)
        status = THCall_failed("extremes", THMessage_extremes((int)code), code);
    if (status != TH_OK)
        goto done;
    const int64_t filled_result = (int64_t)(state->used);
    const THCallResult results[] = {
        {"result", result, made_result, filled_result, false},
        {"total", total, made_total, 0, true},
    };
    status = THCall_finish("extremes", results, 2);
done:
    if (opened_state)
        sums_delete(state);
    THTensor_free(data_of_self);
    THTensor_free(made_result);
    THTensor_free(made_total);
    return status;
}
