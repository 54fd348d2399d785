/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Several views of one tensor: what lies along a dim of it, in parts or index by index. */
#include <TH/THShape.h>

#include <inttypes.h>

/* Room for the views. */
static int open(THTensorArray *parts, const char *op, const THTensor *self, int64_t dim, int64_t n)
{
    TH_CHECK(self->nDimension > 0, TH_ERROR_VALUE,
             "%s: expected a tensor with dims, got a 0-d tensor", op);
    TH_CHECK(n <= INT32_MAX, TH_ERROR_VALUE, "%s: dim %" PRId64 " gives %" PRId64 " tensors", op,
             dim, n);
    *parts = (THTensorArray){0, THAlloc((size_t)(n > 0 ? n : 1) * sizeof *parts->tensors)};
    return parts->tensors ? TH_OK : TH_ERROR_MEMORY;
}

/* n views, `length` long but for those where there is less left. */
static int newParts(THTensorArray *out, const char *op, THTensor *self, int64_t dim, int64_t length,
                    int64_t n)
{
    THTensorArray parts;
    int status = open(&parts, op, self, dim, n);
    if (status != TH_OK)
        return status;
    for (int64_t start = 0; parts.n < n && status == TH_OK; start += length) {
        const int64_t left = self->size[dim] - start;
        status = THTensor_newNarrow(&parts.tensors[parts.n], self, dim, start,
                                    length < left ? length : left);
        parts.n += status == TH_OK;
    }
    if (status == TH_OK)
        *out = parts;
    else
        THTensorArray_free(&parts);
    return status;
}

/* What a 0-d tensor has is not looked at. */
static int64_t sizeOf(const THTensor *self, int64_t dim)
{
    return self->nDimension > 0 ? self->size[dim] : 1;
}

int THTensor_split(THTensorArray *out, THTensor *self, int64_t length, int64_t dim)
{
    const int64_t size = sizeOf(self, dim);
    TH_CHECK(length > 0 || (length == 0 && size == 0), TH_ERROR_VALUE,
             "split: expected a positive size, got %" PRId64, length);
    return newParts(out, "split", self, dim, length, size > 0 ? (size - 1) / length + 1 : 1);
}

int THTensor_chunk(THTensorArray *out, THTensor *self, int64_t chunks, int64_t dim)
{
    const int64_t size = sizeOf(self, dim);
    TH_CHECK(chunks > 0, TH_ERROR_VALUE,
             "chunk: expected a positive number of chunks, got %" PRId64, chunks);
    if (size == 0)
        return newParts(out, "chunk", self, dim, 0, chunks);
    const int64_t length = (size - 1) / chunks + 1;
    return newParts(out, "chunk", self, dim, length, (size - 1) / length + 1);
}

int THTensor_unbind(THTensorArray *out, THTensor *self, int64_t dim)
{
    const int64_t n = sizeOf(self, dim);
    THTensorArray parts;
    int status = open(&parts, "unbind", self, dim, n);
    if (status != TH_OK)
        return status;
    for (; parts.n < n && status == TH_OK; parts.n += status == TH_OK)
        status = THTensor_newSelect(&parts.tensors[parts.n], self, dim, parts.n);
    if (status == TH_OK)
        *out = parts;
    else
        THTensorArray_free(&parts);
    return status;
}
