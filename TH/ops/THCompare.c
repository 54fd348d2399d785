/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Comparisons of whole tensors, and the scans for zero divisors. Both look at contiguous elements
 * in blocks, on all threads, and stop soon after the answer is known: rows where they lie, other
 * elements in copies. */
#include <TH/THCompare.h>
#include <TH/THEngine.h>
#include <TH/THMachine.h>
#include <TH/THMath.h>
#include <TH/ops/THDimList.h>
#include <TH/ops/THEqualLoops.h>

#include <string.h>

#define BLOCK 2048
#define GRAIN (16 * BLOCK)
/* Of rows that are compared where they lie (10^6 int64 in rows of 991: 1.2 ms, so 0.22; float64 of
 * 13: 1.44, so 0.73; EPYC 9004; the latter copied 1.8 ms, where they lie 2.0, on a Xeon). */
#define ROW_BYTES (THMachine_halvesRegisters ? 96 : 256)
/* Elements that are made contiguous at first, and at most: what one thread looks at stays in its
 * caches. */
#define FEW BLOCK
static int64_t mostAtOnce(void)
{
    return THThreads_get() > 1 ? 4 * GRAIN : GRAIN / 2;
}

typedef struct Comparison Comparison;
struct Comparison {
    bool (*block)(int64_t n, const Comparison *comparison, int64_t begin); /* does it hold? */
    const void *x, *y;
    double rtol, atol;
    bool equalNan;
    int failed; /* atomic */
};

static void comparePart(int64_t begin, int64_t end, void *context)
{
    Comparison *comparison = context;
    for (; begin < end; begin += BLOCK) {
        if (__atomic_load_n(&comparison->failed, __ATOMIC_RELAXED))
            return;
        if (!comparison->block(end - begin < BLOCK ? end - begin : BLOCK, comparison, begin))
            __atomic_store_n(&comparison->failed, 1, __ATOMIC_RELAXED);
    }
}

/* All of `n`, `few` of them before threads are woken up. */
static void compareParts(Comparison *comparison, int64_t n, int64_t few, int64_t grain,
                         THRangeFunction part, void *context)
{
    if (n > grain && THThreads_get() > 1)
        part(0, few, context);
    if (!comparison->failed)
        TH_parallel_for(n, grain, part, context);
}

/* `self` and `other` have one shape. */
static int compareWhole(Comparison *comparison, THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *x = NULL, *y = NULL;
    TH_TRY(THTensor_newContiguous(&x, self));
    if (other != self)
        TH_TRY(THTensor_newContiguous(&y, other));
    comparison->x = THTensor_data(x);
    comparison->y = y ? THTensor_data(y) : comparison->x;
    compareParts(comparison, THTensor_nElement(x), BLOCK, GRAIN, comparePart, comparison);
done:
    THTensor_free(x);
    THTensor_free(y);
    return status;
}

/* Rows of `n` elements, each one run of both operands; other dims have x's strides and, as those of
 * an output, y's. */
typedef struct Rows {
    Comparison *comparison;
    THDimList dims;
    int64_t n;
    const char *x, *y;
} Rows;

static void compareRow(const Rows *rows, int64_t x, int64_t y)
{
    Comparison comparison = *rows->comparison;
    comparison.x = rows->x + x;
    comparison.y = rows->y + y;
    for (int64_t i = 0; i < rows->n; i += BLOCK)
        if (!comparison.block(THSize_min(rows->n - i, BLOCK), &comparison, i))
            __atomic_store_n(&rows->comparison->failed, 1, __ATOMIC_RELAXED);
}

static void compareRowsOf(int64_t begin, int64_t end, void *context)
{
    const Rows *rows = context;
    const THDimList *dims = &rows->dims;
    const THDim inner = dims->dim[dims->count - 1];
    int64_t coordinates[TH_MAX_DIMS];
    int64_t x = THDimList_locate(dims, begin, coordinates);
    int64_t run = inner.size - coordinates[dims->count - 1];
    for (;; run = inner.size) {
        int64_t y = THDimList_outOffset(dims, 0, coordinates);
        run = THSize_min(run, end - begin);
        for (int64_t i = 0; i < run; i++, x += inner.in, y += inner.out[0]) {
            if (__atomic_load_n(&rows->comparison->failed, __ATOMIC_RELAXED))
                return;
            compareRow(rows, x, y);
        }
        begin += run;
        if (begin == end)
            return;
        x = THDimList_nextRun(dims, coordinates);
    }
}

/* Of tensors that are not one run of both; n is 1 where elements lie apart. */
static void Rows_init(Rows *rows, Comparison *comparison, THTensor *x, THTensor *y)
{
    const int64_t itemSize = THTensor_itemSize(x);
    THDimList *dims = &rows->dims;
    rows->comparison = comparison;
    rows->x = THTensor_data(x);
    rows->y = THTensor_data(y);
    rows->n = 1;
    dims->count = 0;
    for (int d = 0; d < x->nDimension; d++)
        if (x->size[d] > 1)
            dims->dim[dims->count++] = THDim_of(x, d, &y, 1, d);
    THDimList_merge(dims);
    const THDim *inner = &dims->dim[dims->count - 1];
    if (inner->in == itemSize && inner->out[0] == itemSize) {
        rows->n = inner->size;
        dims->count--;
    }
}

static void compareRows(Rows *rows, int64_t elements)
{
    compareParts(rows->comparison, elements / rows->n, 1, GRAIN / rows->n + 1, compareRowsOf, rows);
}

/* Slices from `done` on, `n` of them: where n is 0 the one, without its dim. */
static int newSlices(THTensor **out, THTensor *self, int64_t done, int64_t n)
{
    return n ? THTensor_newNarrow(out, self, 0, done, n) : THTensor_newSelect(out, self, 0, done);
}

/* Slices along the first dim: few elements are made contiguous and looked at before many are. */
static int compareSlices(Comparison *comparison, THTensor *self, THTensor *other, int64_t *elements)
{
    const int64_t slices = self->size[0], slice = THTensor_nElement(self) / slices;
    int status = TH_OK;
    for (int64_t done = 0, n; done < slices && !comparison->failed && status == TH_OK; done += n) {
        const bool divides = slice > *elements && self->nDimension > 1;
        THTensor *x = NULL, *y = NULL;
        n = divides ? 1 : THSize_min(slices - done, 1 + (*elements - 1) / slice);
        status = newSlices(&x, self, done, divides ? 0 : n);
        if (status == TH_OK && other != self)
            status = newSlices(&y, other, done, divides ? 0 : n);
        if (status == TH_OK && divides)
            status = compareSlices(comparison, x, y ? y : x, elements);
        else if (status == TH_OK)
            status = compareWhole(comparison, x, y ? y : x);
        if (!divides)
            *elements = THSize_min(mostAtOnce(), 8 * *elements);
        THTensor_free(x);
        THTensor_free(y);
    }
    return status;
}

/* In the order in which self lies in memory, since any will do. */
static int compareOrdered(Comparison *comparison, THTensor *self, THTensor *other)
{
    THTensor *x = NULL, *y = NULL;
    int64_t order[TH_MAX_DIMS];
    const int ndim = self->nDimension;
    int64_t elements = FEW;
    int status = TH_OK;
    THTensor_sortDims(self, order);
    TH_TRY(THTensor_newPermute(&x, self, order, ndim));
    if (other != self)
        TH_TRY(THTensor_newPermute(&y, other, order, ndim));
    else
        THTensor_retain(y = x);
    if (THTensor_isContiguous(x) && THTensor_isContiguous(y)) {
        TH_TRY(compareWhole(comparison, x, y));
        goto done;
    }
    Rows rows; /* large: no initialiser */
    Rows_init(&rows, comparison, x, y);
    if (rows.n * THTensor_itemSize(x) >= ROW_BYTES) {
        compareRows(&rows, THTensor_nElement(x));
        goto done;
    }
    TH_TRY(compareSlices(comparison, x, y, &elements));
done:
    THTensor_free(x);
    THTensor_free(y);
    return status;
}

static int THCompare_run(bool *result, Comparison *comparison, THTensor *self, THTensor *other)
{
    const bool whole = THTensor_nElement(self) <= FEW ||
                       (THTensor_isContiguous(self) && THTensor_isContiguous(other));
    const int status =
        whole ? compareWhole(comparison, self, other) : compareOrdered(comparison, self, other);
    *result = !comparison->failed;
    return status;
}

static int allClose(bool *result, Comparison *comparison, THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *x = NULL, *y = NULL;
    THTensor *const operands[] = {self, other};
    THShape shape;
    TH_TRY(THCheck_tolerances("allclose", comparison->rtol, comparison->atol));
    TH_TRY(THShape_broadcast("allclose", &shape, operands, 2));
    TH_TRY(THTensor_newExpand(&x, self, shape.size, shape.nDimension));
    TH_TRY(THTensor_newExpand(&y, other, shape.size, shape.nDimension));
    TH_TRY(THCompare_run(result, comparison, x, y));
done:
    THTensor_free(x);
    THTensor_free(y);
    return status;
}

#define TH_GENERIC_FILE <TH/generic/compare.c>
#include <TH/THGenerateAllTypes.h>

/* Whether an integer is zero depends on its size alone; 0 is the one whose sign appears in x - 1.
 * SSE2 has no comparison of 64 bits. */
#define NONZERO_BLOCK(type)                                                            \
    static bool nonzero_##type(int64_t n, const Comparison *comparison, int64_t begin) \
    {                                                                                  \
        const type *x = (const type *)comparison->x + begin;                           \
        type signs = 0;                                                                \
        for (int64_t i = 0; i < n; i++)                                                \
            signs = (type)(signs | (~x[i] & (type)(x[i] - 1)));                        \
        return signs >> (8 * sizeof(type) - 1) == 0;                                   \
    }
NONZERO_BLOCK(uint8_t)
NONZERO_BLOCK(uint16_t)
NONZERO_BLOCK(uint32_t)
NONZERO_BLOCK(uint64_t)
#undef NONZERO_BLOCK

/* One element is looked at as converted: only tensors of one element are ever narrowed, and Python
 * numbers among them must not be retained. */
static bool nonzeroScalar(const THTensor *tensor, THDtype dtype)
{
    const uint64_t value = (uint64_t)THScalar_toLong(THTensor_getAt(tensor, tensor->storageOffset));
    const int bits = 8 * (int)THDtype_size(dtype);
    return (bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value) != 0;
}

/* `self`, a tensor that references are counted of, without what is there more than once. */
static int newOnce(THTensor **out, THTensor *self)
{
    int status = TH_OK;
    THTensor *once = self, *next;
    THTensor_retain(once);
    for (int d = 0; d < self->nDimension; d++) {
        if (self->stride[d] != 0 || self->size[d] <= 1)
            continue;
        TH_TRY(THTensor_newNarrow(&next, once, d, 0, 1));
        THTensor_free(once);
        once = next;
    }
    *out = once;
    return TH_OK;
done:
    THTensor_free(once);
    return status;
}

int THCheck_nonzero(const char *op, const char *argument, THTensor *tensor, THDtype dtype)
{
    int status = TH_OK;
    bool nonzero = true;
    THTensor *once = NULL;
    Comparison comparison = {.block = nonzero_uint8_t};
    if (THDtype_category(dtype) == TH_CATEGORY_FLOATING || THTensor_nElement(tensor) == 0)
        return TH_OK;
    if (THTensor_nElement(tensor) == 1) {
        nonzero = nonzeroScalar(tensor, dtype);
    } else {
        switch (THTensor_itemSize(tensor)) {
        case 2:
            comparison.block = nonzero_uint16_t;
            break;
        case 4:
            comparison.block = nonzero_uint32_t;
            break;
        case 8:
            comparison.block = nonzero_uint64_t;
            break;
        default:
            break;
        }
        TH_TRY(newOnce(&once, tensor));
        TH_TRY(THCompare_run(&nonzero, &comparison, once, once));
    }
    TH_REQUIRE(nonzero, TH_ERROR_VALUE, "%s: %s has a zero, and integers cannot be divided by it",
               op, argument);
done:
    THTensor_free(once);
    return status;
}

int THCheck_number(const char *op, const char *argument, THTensor *tensor, THDtype dtype)
{
    if (tensor == NULL || !(tensor->flag & TH_TENSOR_WRAPPED_NUMBER))
        return TH_OK;
    return THScalar_checkRange(op, argument, THTensor_getAt(tensor, tensor->storageOffset), dtype);
}

int THCheck_tolerances(const char *op, double rtol, double atol)
{
    TH_CHECK(rtol >= 0, TH_ERROR_VALUE, "%s: expected rtol >= 0, got %g", op, rtol);
    TH_CHECK(atol >= 0, TH_ERROR_VALUE, "%s: expected atol >= 0, got %g", op, atol);
    return TH_OK;
}
