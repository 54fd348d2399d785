/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random tensors of every layout, and their elements by plain indexing. */
#ifndef RANDOM_TENSORS_H
#define RANDOM_TENSORS_H

#include "check.h"

static uint64_t state = 88172645463325252u;

static inline uint64_t draw(uint64_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % n;
}

static const THDtype dtypes[] = {TH_BYTE, TH_CHAR,  TH_SHORT,  TH_INT, TH_LONG,
                                 TH_HALF, TH_FLOAT, TH_DOUBLE, TH_BOOL};
#define DTYPES ((int)(sizeof dtypes / sizeof dtypes[0]))

static inline int64_t offsetOf(const THTensor *t, int nDimension, const int64_t *index)
{
    int64_t offset = t->storageOffset;
    for (int d = 0; d < t->nDimension; d++) {
        const int64_t i = index[d + nDimension - t->nDimension];
        offset += t->size[d] == 1 ? 0 : i * t->stride[d];
    }
    return offset;
}

static inline double at(const THTensor *t, int nDimension, const int64_t *index)
{
    return THScalar_toDouble(THTensor_getAt(t, offsetOf(t, nDimension, index)));
}

static inline bool next(int nDimension, const int64_t *size, int64_t *index)
{
    for (int d = nDimension - 1; d >= 0; d--) {
        if (++index[d] < size[d])
            return true;
        index[d] = 0;
    }
    return false;
}

static inline void fillRandom(THTensor *t)
{
    int64_t elements = t->storage->size / THTensor_itemSize(t);
    for (int64_t i = 0; i < elements; i++)
        THTensor_setAt(t, i,
                       THScalar_fromLong((int64_t)draw(100) - (t->dtype == TH_BYTE ? 0 : 50)));
}

/* Sizes with the memory order permuted and gaps between elements. */
static inline THTensor *randomStrided(THDtype dtype, int nDimension, const int64_t *size)
{
    int order[8];
    int64_t stride[8], step = 1 + (draw(4) == 0), total;
    THStorage *storage = NULL;
    THTensor *t = NULL;
    for (int d = 0; d < nDimension; d++)
        order[d] = nDimension - 1 - d;
    if (draw(2))
        for (int d = 0; d < nDimension; d++) {
            const int other = (int)draw((uint64_t)nDimension), kept = order[d];
            order[d] = order[other];
            order[other] = kept;
        }
    for (int d = 0; d < nDimension; d++) {
        stride[order[d]] = step;
        step *= (size[order[d]] ? size[order[d]] : 1) + (int64_t)(draw(4) == 0);
    }
    total = step + 3;
    CHECK(THStorage_new(&storage, total * THDtype_size(dtype)) == TH_OK);
    CHECK(THTensor_newWithStorage(&t, dtype, storage, (int64_t)draw(3), nDimension, size, stride) ==
          TH_OK);
    THStorage_free(storage);
    fillRandom(t);
    return t;
}

/* An input that broadcasts to the shape: leading dims may be missing, others be 1. */
static inline THTensor *randomInput(THDtype dtype, int nDimension, const int64_t *size)
{
    int64_t own[8];
    const int skip = draw(3) ? 0 : (int)draw((uint64_t)nDimension + 1);
    for (int d = skip; d < nDimension; d++)
        own[d] = draw(5) == 0 ? 1 : size[d];
    return randomStrided(dtype, nDimension - skip, own + skip);
}

static inline int randomShape(int64_t *size)
{
    static const int64_t choices[] = {1, 2, 3, 4, 5, 7, 16, 17, 33, 64, 70, 130, 600, 1500};
    const int n = (int)draw(5);
    int64_t total = 1;
    for (int d = 0; d < n; d++) {
        size[d] = choices[draw(14)];
        if (total * size[d] > 60000)
            size[d] = 1 + (int64_t)draw(3);
        if (draw(60) == 0)
            size[d] = 0;
        total *= size[d];
    }
    return n;
}

/* What storing v as a dtype leaves, for the small numbers used here. */
static inline double stored(double v, THDtype dtype)
{
    if (dtype == TH_BOOL)
        return v != 0;
    return dtype == TH_BYTE   ? (double)(uint8_t)(int)v
           : dtype == TH_CHAR ? (double)(int8_t)(int)v
                              : v;
}

#endif
