/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks that only generated wrappers make. */
#include <TH/THWrapper.h>

#include <stdio.h>
#include <string.h>

int THError_types(const char *op, THDtype dtype, uint32_t types)
{
    char names[256] = "";
    size_t used = 0;
    uint32_t left = types;
    for (int code = 0; code < TH_DTYPE_LIMIT; code++) {
        if (!(types >> code & 1) || used >= sizeof names)
            continue;
        left &= ~TH_TYPE_BIT(code);
        const char *separator = used == 0 ? "" : left ? ", " : " or ";
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", separator,
                                 THDtype_name((THDtype)code));
    }
    return THError(TH_ERROR_TYPE, "%s: expected %s, got %s", op, names, THDtype_name(dtype));
}

int THCheck_eitherDtype(const char *op, const char *argument, const THTensor *tensor, THDtype one,
                        THDtype other)
{
    TH_CHECK(tensor->dtype == one || tensor->dtype == other, TH_ERROR_TYPE,
             "%s: expected %s of dtype %s or %s, got %s", op, argument, THDtype_name(one),
             THDtype_name(other), THDtype_name((THDtype)tensor->dtype));
    return TH_OK;
}

int THCheck_list(const char *op, const char *argument, THTensor *const *tensors, int n)
{
    TH_CHECK(tensors != NULL && n > 0, TH_ERROR_VALUE,
             "%s: expected %s to hold at least one tensor", op, argument);
    for (int i = 0; i < n; i++)
        TH_CHECK(tensors[i] != NULL, TH_ERROR_TYPE, "%s: %s[%d] is NULL", op, argument, i);
    return TH_OK;
}

int THCheck_ndimAtLeast(const char *op, const char *argument, const THTensor *tensor,
                        int nDimension)
{
    TH_CHECK(tensor->nDimension >= nDimension, TH_ERROR_VALUE,
             "%s: expected %s to have at least %d dims, got shape %s", op, argument, nDimension,
             THTensor_sizeDesc(tensor).str);
    return TH_OK;
}

int THCheck_dimMask(const char *op, const char *argument, const THTensor *tensor,
                    const int64_t *dims, int ndims, uint64_t *mask)
{
    if (ndims > 0)
        return THCheck_dims(op, argument, tensor, dims, ndims, mask);
    const int n = tensor->nDimension;
    *mask = n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
    return TH_OK;
}
