/* The package's own kernel, written once for all dtypes. */

int THTensor_(reversed_copy)(THTensor *result, THTensor *self)
{
    const int64_t n = self->size[0];
    const int status = THTensor_resizeOutput("reversed_copy", result, 1, &n);
    if (status != TH_OK)
        return status;
    const storage_t *from = THTensor_data(self);
    storage_t *to = THTensor_data(result);
    for (int64_t i = 0; i < n; i++)
        TH_STORE(to + i * result->stride[0], TH_LOAD(from + (n - 1 - i) * self->stride[0]));
    return TH_OK;
}
