/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Comparisons of whole tensors, and the scans for zero divisors. Both look at contiguous elements
 * in blocks, on all threads, and stop soon after the answer is known: rows where they lie, other
 * elements in copies. */
#include <TH/THCompare.h>
#include <TH/THEngine.h>
#include <TH/THMachine.h>
#include <TH/THMath.h>
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

/* Rows of `n` elements, each one run of both operands; of the `outer` first dims. */
typedef struct Rows {
    Comparison *comparison;
    const THTensor *x, *y;
    int64_t n;
    int outer;
} Rows;

/* Their coordinates, and where one is in each operand. */
typedef struct RowAt {
    int64_t at[TH_MAX_DIMS];
    const char *x, *y;
} RowAt;

/* Goes on by so many along a dim. */
static void moveAlong(const Rows *rows, int d, int64_t steps, RowAt *row)
{
    row->at[d] += steps;
    row->x += steps * rows->x->stride[d] * THTensor_itemSize(rows->x);
    row->y += steps * rows->y->stride[d] * THTensor_itemSize(rows->y);
}

static void firstRow(const Rows *rows, int64_t index, RowAt *row)
{
    *row = (RowAt){.x = THTensor_data(rows->x), .y = THTensor_data(rows->y)};
    for (int d = rows->outer - 1; d >= 0; index /= rows->x->size[d--])
        moveAlong(rows, d, index % rows->x->size[d], row);
}

/* Where there is one: strides of one element may be any. */
static void nextRow(const Rows *rows, RowAt *row)
{
    int d = rows->outer - 1;
    for (; d > 0 && row->at[d] + 1 == rows->x->size[d]; d--)
        moveAlong(rows, d, -row->at[d], row);
    moveAlong(rows, d, 1, row);
}

static void compareRowsOf(int64_t begin, int64_t end, void *context)
{
    const Rows *rows = context;
    int *const failed = &rows->comparison->failed;
    Comparison comparison = *rows->comparison;
    RowAt row;
    firstRow(rows, begin, &row);
    while (!__atomic_load_n(failed, __ATOMIC_RELAXED)) {
        comparison.x = row.x;
        comparison.y = row.y;
        for (int64_t i = 0; i < rows->n; i += BLOCK)
            if (!comparison.block(THSize_min(rows->n - i, BLOCK), &comparison, i))
                __atomic_store_n(failed, 1, __ATOMIC_RELAXED);
        if (++begin == end)
            break;
        nextRow(rows, &row);
    }
}

/* The last dims that are one run of both. */
static Rows rowsOf(Comparison *comparison, const THTensor *x, const THTensor *y)
{
    Rows rows = {comparison, x, y, 1, x->nDimension};
    for (int d = x->nDimension - 1; d >= 0; rows.outer = d--) {
        if (x->size[d] > 1 && (x->stride[d] != rows.n || y->stride[d] != rows.n))
            break;
        rows.n *= x->size[d];
    }
    return rows;
}

static void compareRows(Rows *rows)
{
    compareParts(rows->comparison, THTensor_nElement(rows->x) / rows->n, 1, GRAIN / rows->n + 1,
                 compareRowsOf, rows);
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
    Rows rows = rowsOf(comparison, x, y);
    if (rows.n * THTensor_itemSize(x) >= ROW_BYTES) {
        compareRows(&rows);
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
