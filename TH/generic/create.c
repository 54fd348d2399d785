/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Of matrices; included for each dtype by TH/ops/THDiagonal.c. */
#ifndef TH_GENERIC_FILE
#error "compile TH/ops/THDiagonal.c instead"
#endif

#ifdef TH_CATEGORY_IS_FLOATING
#define SCALAR_FROM_ACCREAL THScalar_fromDouble
#else
#define SCALAR_FROM_ACCREAL THScalar_fromLong
#endif

int THTensor_(trace)(THTensor *result, THTensor *self)
{
    int status = THCheck_ndim("trace", "self", self, 2);
    if (status || (status = THTensor_resizeOutput("trace", result, 0, self->size)))
        return status;
    const int64_t n = self->size[0] < self->size[1] ? self->size[0] : self->size[1];
    const int64_t stride = self->stride[0] + self->stride[1];
    const storage_t *data = THTensor_data(self);
    accreal sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (accreal)TH_LOAD(data + i * stride);
    THTensor_setAt(result, result->storageOffset, SCALAR_FROM_ACCREAL(sum));
    return TH_OK;
}

#undef SCALAR_FROM_ACCREAL
