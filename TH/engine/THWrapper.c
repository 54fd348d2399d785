/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks of arguments, with op and argument named in the message. */
#include <TH/THWrapper.h>

#include <inttypes.h>

int THError_dtype(const char *op, THDtype dtype)
{
    return THError(TH_ERROR_NOT_IMPLEMENTED, "%s: not implemented for %s", op, THDtype_name(dtype));
}

int THError_noTensor(const char *op, const char *argument)
{
    return THError(TH_ERROR_TYPE, "%s: expected %s to be a tensor, got NULL", op, argument);
}

int THCheck_dtype(const char *op, const char *argument, const THTensor *tensor, THDtype dtype)
{
    TH_CHECK(tensor->dtype == dtype, TH_ERROR_TYPE, "%s: expected %s of dtype %s, got %s", op,
             argument, THDtype_name(dtype), THDtype_name((THDtype)tensor->dtype));
    return TH_OK;
}

int THCheck_ndim(const char *op, const char *argument, const THTensor *tensor, int nDimension)
{
    TH_CHECK(tensor->nDimension == nDimension, TH_ERROR_VALUE,
             "%s: expected %s to have %d dim%s, got shape %s", op, argument, nDimension,
             nDimension == 1 ? "" : "s", THTensor_sizeDesc(tensor).str);
    return TH_OK;
}

int THCheck_dim(const char *op, const char *argument, const THTensor *tensor, int extra,
                int64_t *dim)
{
    const int64_t dims = tensor->nDimension + extra, n = dims > 0 ? dims : 1;
    TH_CHECK(*dim >= -n && *dim < n, TH_ERROR_INDEX,
             "%s: expected %s between %" PRId64 " and %" PRId64 " for shape %s, got %" PRId64, op,
             argument, -n, n - 1, THTensor_sizeDesc(tensor).str, *dim);
    *dim += *dim < 0 ? n : 0;
    return TH_OK;
}

int THCheck_dims(const char *op, const char *argument, const THTensor *tensor, const int64_t *dims,
                 int ndims, uint64_t *mask)
{
    uint64_t seen = 0;
    for (int i = 0; i < ndims; i++) {
        int64_t dim = dims[i];
        const int status = THCheck_dim(op, argument, tensor, 0, &dim);
        if (status != TH_OK)
            return status;
        TH_CHECK(!(seen >> dim & 1), TH_ERROR_VALUE, "%s: dim %" PRId64 " appears twice in %s", op,
                 dim, argument);
        seen |= UINT64_C(1) << dim;
    }
    *mask = seen;
    return TH_OK;
}

int THWrapper_newExpanded(const char *op, const char *argument, THTensor **out, THTensor *tensor,
                          const int64_t *size, int nsize)
{
    const int added = nsize - tensor->nDimension;
    bool fits = added >= 0;
    for (int i = 0; fits && i < tensor->nDimension; i++)
        fits = tensor->size[i] == 1 || tensor->size[i] == size[i + added];
    TH_CHECK(fits, TH_ERROR_VALUE, "%s: %s of shape %s does not expand to %s", op, argument,
             THTensor_sizeDesc(tensor).str, THSize_desc(nsize, size).str);
    return THTensor_newExpand(out, tensor, size, nsize);
}
