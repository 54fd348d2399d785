/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorting and selecting lines of random layouts: results are ordered, stable, and what they were
 * taken from. */
#include "random_tensors.h"

#include <math.h>

#define TH_GENERIC_FILE "TH/generic/sort.h"
#include <TH/THGenerateAllTypes.h>

typedef struct Functions {
    int (*sort)(THTensor *, THTensor *, THTensor *, int64_t, bool, bool);
    int (*topk)(THTensor *, THTensor *, THTensor *, int64_t, int64_t, bool, bool);
    int (*kthvalue)(THTensor *, THTensor *, THTensor *, int64_t, int64_t, bool);
} Functions;

#define ROW(Real, code) \
    [code] = {TH##Real##Tensor_sort, TH##Real##Tensor_topk, TH##Real##Tensor_kthvalue},
static const Functions functions[TH_DTYPE_LIMIT] = {TH_FORALL_DTYPES(ROW)};

static double atPlace(const THTensor *t, int64_t *index, int dim, int64_t place)
{
    const int64_t kept = index[dim];
    index[dim] = place;
    const double value = at(t, t->nDimension, index);
    index[dim] = kept;
    return value;
}

/* NaN above everything. */
static bool below(double a, double b)
{
    return a < b || (isnan(b) && !isnan(a));
}

/* Every element of `values` is the one that `indices` names, and it is rightly after the one
 * before. */
static int disorder(const THTensor *self, const THTensor *values, const THTensor *indices, int dim,
                    bool descending)
{
    int64_t index[8] = {0};
    int wrong = 0;
    do {
        const int64_t i = index[dim];
        const double value = at(values, values->nDimension, index);
        const double place = at(indices, values->nDimension, index);
        const double origin = atPlace(self, index, dim, (int64_t)place);
        wrong += !(origin == value || (isnan(origin) && isnan(value)));
        if (i > 0) {
            const double before = atPlace(values, index, dim, i - 1);
            const bool after = descending ? below(value, before) : below(before, value);
            const bool equal = !below(value, before) && !below(before, value);
            wrong += !(after || (equal && atPlace(indices, index, dim, i - 1) < place));
        }
    } while (next(values->nDimension, values->size, index));
    return wrong;
}

static void testOrder(THDtype dtype)
{
    int64_t size[8], index[8] = {0};
    int n = randomShape(size);
    if (n == 0)
        size[n++] = 5000;
    const int dim = (int)draw((uint64_t)n);
    size[dim] = size[dim] ? size[dim] : 1;
    THTensor *self = randomStrided(dtype, n, size), *out[6] = {NULL};
    const bool descending = draw(2);
    const int64_t k = 1 + (int64_t)draw((uint64_t)size[dim]);
    if (THDtype_category(dtype) == TH_CATEGORY_FLOATING && THTensor_nElement(self) > 0)
        THTensor_setAt(self, self->storageOffset, THScalar_fromDouble(NAN));
    for (int i = 0; i < 6; i++)
        CHECK_OK(THTensor_newEmpty(&out[i], i % 2 ? TH_LONG : dtype));
    CHECK_OK(functions[dtype].sort(out[0], out[1], self, dim, descending, true));
    CHECK_OK(functions[dtype].topk(out[2], out[3], self, k, dim, descending, true));
    CHECK_OK(functions[dtype].kthvalue(out[4], out[5], self, k, dim, true));
    if (THTensor_nElement(self) > 0) {
        CHECK(disorder(self, out[0], out[1], dim, descending) == 0);
        CHECK(disorder(self, out[2], out[3], dim, descending) == 0);
        int wrong = 0;
        do {
            wrong += at(out[3], n, index) != at(out[1], n, index);
            if (index[dim] == 0 && !descending)
                wrong += at(out[5], n, index) != atPlace(out[1], index, dim, k - 1);
        } while (next(n, out[3]->size, index));
        CHECK(wrong == 0);
    }
    THTensor_free(self);
    for (int i = 0; i < 6; i++)
        THTensor_free(out[i]);
}

static void testErrors(void)
{
    const int64_t size[2] = {2, 3};
    THTensor *self = NULL, *values = NULL, *indices = NULL;
    CHECK_OK(THTensor_newWithSize(&self, TH_FLOAT, 2, size));
    CHECK_OK(THTensor_zero(self));
    CHECK_OK(THTensor_newEmpty(&values, TH_FLOAT));
    CHECK_OK(THTensor_newEmpty(&indices, TH_LONG));
    CHECK_ERROR(THFloatTensor_topk(values, indices, self, 4, 1, true, true), TH_ERROR_VALUE,
                "topk: expected k from 0 to 3, the size of dim 1, got 4");
    CHECK_ERROR(THFloatTensor_kthvalue(values, indices, self, 0, 1, true), TH_ERROR_VALUE,
                "kthvalue: expected k from 1 to 3, the size of dim 1, got 0");
    CHECK_OK(THFloatTensor_topk(values, indices, self, 0, 1, true, true));
    CHECK(values->size[1] == 0);
    for (int64_t after = 0; after < 8; after++) {
        THMemory_failAllocation(after);
        const int status = THFloatTensor_sort(values, indices, self, 0, false, true);
        THMemory_failAllocation(-1);
        CHECK(status == TH_OK || status == TH_ERROR_MEMORY);
    }
    THTensor_free(self);
    THTensor_free(values);
    THTensor_free(indices);
}

int main(void)
{
    for (int i = 0; i < 40; i++)
        for (int d = 0; d < DTYPES; d++)
            testOrder(dtypes[d]);
    testErrors();
    return check_finish("test_sort");
}
