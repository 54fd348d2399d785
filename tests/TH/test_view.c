/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Views and shared memory. Shapes and strides of random views are checked against the meaning of
 * each view, read element by element; overlaps against the sets of bytes. */
#include "check.h"

#include <stdlib.h>

static uint32_t seed = 1;
static int64_t draw(int64_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int64_t)(seed >> 8) % n;
}

static THTensor *newArange(int nDimension, const int64_t *size)
{
    THTensor *self = NULL;
    CHECK_OK(THTensor_newWithSize(&self, TH_LONG, nDimension, size));
    for (int64_t i = 0; i < THTensor_nElement(self); i++)
        THTensor_setAt(self, i, THScalar_fromLong(i));
    return self;
}

/* The element at position `i` in reading order. */
static int64_t elementAt(const THTensor *self, int64_t i)
{
    int64_t offset = self->storageOffset;
    for (int dim = self->nDimension - 1; dim >= 0; dim--) {
        offset += i % self->size[dim] * self->stride[dim];
        i /= self->size[dim];
    }
    return THTensor_getAt(self, offset).value.l;
}

/* The view has this shape and, in reading order, these elements; it is freed. */
static void checkView(THTensor *view, const int64_t *elements, int nDimension, const int64_t *size)
{
    if (!CHECK(view != NULL && THTensor_isSize(view, nDimension, size)))
        return;
    for (int64_t i = 0; i < THTensor_nElement(view); i++)
        CHECK(elementAt(view, i) == elements[i]);
    THTensor_free(view);
}
#define ELEMENTS(...) ((const int64_t[]){__VA_ARGS__})

static void testParts(void)
{
    THTensor *a = newArange(SIZES(2, 5)), *v = NULL;
    CHECK_OK(THTensor_newNarrow(&v, a, 1, 1, 3));
    checkView(v, ELEMENTS(1, 2, 3, 6, 7, 8), SIZES(2, 3));
    CHECK_OK(THTensor_newNarrow(&v, a, 1, 5, 0));
    checkView(v, NULL, SIZES(2, 0));
    CHECK_ERROR(THTensor_newNarrow(&v, a, 1, 3, 4), TH_ERROR_INDEX,
                "narrow: start 3 with length 4 exceeds size 5 of dim 1");
    CHECK(THTensor_newNarrow(&v, a, 1, INT64_MAX, INT64_MAX) == TH_ERROR_INDEX);
    CHECK(THTensor_newNarrow(&v, a, 1, -1, 1) == TH_ERROR_INDEX);
    CHECK(THTensor_newNarrow(&v, a, 1, 0, -1) == TH_ERROR_VALUE);
    CHECK_ERROR(THTensor_newNarrow(&v, a, 2, 0, 1), TH_ERROR_INDEX,
                "narrow: dim 2 is out of range for a 2-d tensor");
    CHECK(THTensor_newNarrow(&v, a, -1, 0, 1) == TH_ERROR_INDEX);
    CHECK_OK(THTensor_newSelect(&v, a, 1, 4));
    checkView(v, ELEMENTS(4, 9), SIZES(2));
    CHECK_ERROR(THTensor_newSelect(&v, a, 1, 5), TH_ERROR_INDEX,
                "select: index 5 is out of range for dim 1 of size 5");
    CHECK(THTensor_newSelect(&v, a, 1, -1) == TH_ERROR_INDEX);
    CHECK_OK(THTensor_newSlice(&v, a, 1, 0, INT64_MAX, 2));
    checkView(v, ELEMENTS(0, 2, 4, 5, 7, 9), SIZES(2, 3));
    CHECK_OK(THTensor_newSlice(&v, a, 1, -2, 5, 1));
    checkView(v, ELEMENTS(3, 4, 8, 9), SIZES(2, 2));
    CHECK_OK(THTensor_newSlice(&v, a, 1, INT64_MIN, INT64_MAX, INT64_MAX));
    CHECK(v->stride[1] >= 0);
    checkView(v, ELEMENTS(0, 5), SIZES(2, 1));
    CHECK_OK(THTensor_newSlice(&v, a, 0, 1, 0, INT64_MAX));
    CHECK(v->stride[0] >= 0);
    checkView(v, NULL, SIZES(0, 5));
    CHECK(THTensor_newSlice(&v, a, 0, 0, 1, 0) == TH_ERROR_VALUE);
    CHECK_OK(THTensor_newUnfold(&v, a, 1, 2, 2));
    checkView(v, ELEMENTS(0, 1, 2, 3, 5, 6, 7, 8), SIZES(2, 2, 2));
    CHECK_OK(THTensor_newUnfold(&v, a, 1, 5, INT64_MAX));
    checkView(v, ELEMENTS(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), SIZES(2, 1, 5));
    CHECK(THTensor_newUnfold(&v, a, 1, 6, 1) == TH_ERROR_VALUE);
    CHECK(THTensor_newUnfold(&v, a, 1, 2, 0) == TH_ERROR_VALUE);
    CHECK(THTensor_newUnfold(&v, a, 1, -1, 1) == TH_ERROR_VALUE);
    THTensor_free(a);
    a = newArange(0, NULL);
    CHECK(THTensor_newSelect(&v, a, 0, 0) == TH_ERROR_INDEX);
    CHECK(THTensor_newNarrow(&v, a, 0, 0, 1) == TH_ERROR_INDEX);
    CHECK_OK(THTensor_newUnfold(&v, a, 0, 1, 1));
    checkView(v, ELEMENTS(0), SIZES(1));
    CHECK_OK(THTensor_newTranspose(&v, a, 0, 0));
    checkView(v, ELEMENTS(0), 0, NULL);
    CHECK_OK(THTensor_newSqueeze1d(&v, a, 0));
    checkView(v, ELEMENTS(0), 0, NULL);
    CHECK_OK(THTensor_newPermute(&v, a, NULL, 0));
    checkView(v, ELEMENTS(0), 0, NULL);
    THTensor_free(a);
}

static void testDims(void)
{
    THTensor *a = newArange(SIZES(2, 1, 3)), *v = NULL, *w = NULL;
    CHECK_OK(THTensor_newTranspose(&v, a, 0, 2));
    CHECK(!THTensor_isContiguous(v) && !THTensor_isTransposed(v));
    checkView(v, ELEMENTS(0, 3, 1, 4, 2, 5), SIZES(3, 1, 2));
    CHECK(THTensor_newTranspose(&v, a, 0, 3) == TH_ERROR_INDEX);
    CHECK_OK(THTensor_newPermute(&v, a, DIMS(-1, 0, 1)));
    checkView(v, ELEMENTS(0, 3, 1, 4, 2, 5), SIZES(3, 2, 1));
    CHECK_ERROR(THTensor_newPermute(&v, a, DIMS(0, 1)), TH_ERROR_VALUE,
                "permute: expected 3 dims, got 2");
    CHECK_ERROR(THTensor_newPermute(&v, a, DIMS(0, 2, -1)), TH_ERROR_VALUE,
                "permute: dim 2 appears twice");
    CHECK(THTensor_newPermute(&v, a, DIMS(0, 1, 3)) == TH_ERROR_INDEX);
    CHECK(THTensor_newPermute(&v, a, DIMS(0, 1, INT64_MIN)) == TH_ERROR_INDEX);
    CHECK_OK(THTensor_newSqueeze(&v, a));
    CHECK_OK(THTensor_newT(&w, v));
    CHECK(THTensor_isTransposed(w));
    checkView(w, ELEMENTS(0, 3, 1, 4, 2, 5), SIZES(3, 2));
    checkView(v, ELEMENTS(0, 1, 2, 3, 4, 5), SIZES(2, 3));
    CHECK_OK(THTensor_newSqueeze1d(&v, a, 0));
    checkView(v, ELEMENTS(0, 1, 2, 3, 4, 5), SIZES(2, 1, 3));
    CHECK_OK(THTensor_newSqueeze1d(&v, a, 1));
    checkView(v, ELEMENTS(0, 1, 2, 3, 4, 5), SIZES(2, 3));
    CHECK_ERROR(THTensor_newT(&v, a), TH_ERROR_VALUE, "t: expected at most 2 dims, got 3");
    for (int dim = 0; dim <= 3; dim++) {
        CHECK_OK(THTensor_newUnsqueeze1d(&v, a, dim));
        CHECK(v->size[dim] == 1 && THTensor_isContiguous(v));
        CHECK_OK(THTensor_newSqueeze1d(&w, v, dim));
        checkView(w, ELEMENTS(0, 1, 2, 3, 4, 5), SIZES(2, 1, 3));
        THTensor_free(v);
    }
    CHECK(THTensor_newUnsqueeze1d(&v, a, 4) == TH_ERROR_INDEX);
    THTensor_free(a);
    int64_t ones[64];
    for (int i = 0; i < 64; i++)
        ones[i] = 1;
    a = newArange(64, ones);
    CHECK_ERROR(THTensor_newUnsqueeze1d(&v, a, 0), TH_ERROR_VALUE,
                "unsqueeze: the result has more than 64 dims");
    CHECK(THTensor_newUnfold(&v, a, 0, 1, 1) == TH_ERROR_VALUE);
    CHECK_OK(THTensor_newSqueeze(&v, a));
    checkView(v, ELEMENTS(0), 0, NULL);
    THTensor_free(a);
}

static void testShapes(void)
{
    THTensor *a = newArange(SIZES(7)), *v = NULL, *t = NULL;
    CHECK_ERROR(THTensor_newView(&v, a, DIMS(2, 3)), TH_ERROR_VALUE,
                "view: shape (2, 3) is invalid for 7 elements");
    CHECK_ERROR(THTensor_newReshape(&v, a, DIMS(-1, 3)), TH_ERROR_VALUE,
                "reshape: shape (-1, 3) is invalid for 7 elements");
    CHECK_ERROR(THTensor_newView(&v, a, DIMS(-1, -1)), TH_ERROR_VALUE,
                "view: only one size can be -1, got (-1, -1)");
    CHECK_ERROR(THTensor_newView(&v, a, DIMS(-2)), TH_ERROR_VALUE,
                "view: size -2 of dim 0 is negative");
    CHECK(THTensor_newView(&v, a, DIMS(0, -1)) == TH_ERROR_VALUE);
    CHECK(THTensor_newView(&v, a, DIMS(INT64_MAX, INT64_MAX)) == TH_ERROR_VALUE);
    CHECK(THTensor_newView(&v, a, a->size, 65) == TH_ERROR_VALUE);
    CHECK_OK(THTensor_newView(&v, a, DIMS(1, -1, 1)));
    checkView(v, ELEMENTS(0, 1, 2, 3, 4, 5, 6), SIZES(1, 7, 1));
    CHECK_OK(THTensor_newExpand(&v, a, DIMS(2, 1, -1)));
    CHECK(v->stride[0] == 0 && v->stride[1] == 0 && v->stride[2] == 1);
    checkView(v, ELEMENTS(0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6), SIZES(2, 1, 7));
    CHECK_ERROR(THTensor_newExpand(&v, a, DIMS(3, 6)), TH_ERROR_VALUE,
                "expand: shape (7,) does not expand to (3, 6): size 7 of dim 0 is neither 1 nor 6");
    CHECK_ERROR(THTensor_newExpand(&v, a, DIMS(-1, 7)), TH_ERROR_VALUE,
                "expand: expected size >= 0 for new dim 0, got -1");
    CHECK(THTensor_newExpand(&v, a, NULL, 0) == TH_ERROR_VALUE);
    CHECK(THTensor_newExpand(&v, a, DIMS(INT64_MAX, 7)) == TH_ERROR_VALUE);
    THTensor_free(a);
    a = newArange(SIZES(1, 0));
    CHECK_OK(THTensor_newExpand(&v, a, DIMS(3, 0)));
    checkView(v, NULL, SIZES(3, 0));
    CHECK_ERROR(THTensor_newView(&v, a, DIMS(0, -1)), TH_ERROR_VALUE,
                "view: -1 in shape (0, -1) cannot be inferred, any size fits");
    CHECK_OK(THTensor_newView(&v, a, DIMS(5, -1)));
    checkView(v, NULL, SIZES(5, 0));
    THTensor_free(a);
    a = newArange(SIZES(2, 3));
    CHECK_OK(THTensor_newT(&t, a));
    CHECK_ERROR(THTensor_newView(&v, t, DIMS(6)), TH_ERROR_VALUE,
                "view: shape (6,) is not compatible with shape (3, 2) and strides (1, 3); "
                "use reshape");
    CHECK_OK(THTensor_newReshape(&v, t, DIMS(2, -1)));
    CHECK(v->storage != a->storage);
    checkView(v, ELEMENTS(0, 3, 1, 4, 2, 5), SIZES(2, 3));
    CHECK_OK(THTensor_newView(&v, t, DIMS(1, 3, 1, 2)));
    CHECK(v->storage == a->storage);
    checkView(v, ELEMENTS(0, 3, 1, 4, 2, 5), SIZES(1, 3, 1, 2));
    THTensor_free(t);
    THTensor_free(a);
}

/* A random view of a random view of `base`. */
static THTensor *newRandomView(THTensor *base)
{
    THTensor *view = NULL, *next = NULL;
    CHECK_OK(THTensor_newAlias(&view, base));
    for (int64_t step = draw(5); step >= 0; step--) {
        const int n = view->nDimension;
        const int64_t dim = n > 0 ? draw(n) : 0, size = n > 0 ? view->size[dim] : 1;
        int status = TH_ERROR_VALUE;
        switch (draw(6)) {
        case 0:
            status = THTensor_newSlice(&next, view, dim, draw(size + 1), size, 1 + draw(3));
            break;
        case 1:
            status = THTensor_newTranspose(&next, view, dim, n > 0 ? draw(n) : 0);
            break;
        case 2:
            status = THTensor_newUnsqueeze1d(&next, view, draw(n + 1));
            break;
        case 3:
            status = THTensor_newUnfold(&next, view, dim, draw(size + 1), 1 + draw(3));
            break;
        case 4:
            status = THTensor_newSqueeze(&next, view);
            break;
        case 5:
            if (size > 0 && n > 1)
                status = THTensor_newSelect(&next, view, dim, draw(size));
            break;
        }
        if (status != TH_OK || THTensor_nElement(next) > 500) {
            if (status == TH_OK)
                THTensor_free(next);
            continue;
        }
        THTensor_free(view);
        view = next;
    }
    return view;
}

/* Whether a view with the strides exists is what reading all elements says: with shape (a, b) it
 * does if and only if positions are linear in both. */
static void testRandomReshapes(void)
{
    THTensor *base = newArange(SIZES(4, 3, 2, 5));
    for (int round = 0; round < 2000; round++) {
        THTensor *view = newRandomView(base), *shaped = NULL;
        const int64_t n = THTensor_nElement(view);
        int64_t rows = 1 + draw(n + 1);
        while (n > 0 && n % rows != 0)
            rows--;
        if (n > 0) {
            const int64_t columns = n / rows, first = elementAt(view, 0);
            const int64_t down = rows > 1 ? elementAt(view, columns) - first : 0;
            const int64_t along = columns > 1 ? elementAt(view, 1) - first : 0;
            bool isLinear = true;
            for (int64_t i = 0; i < n; i++)
                isLinear &= elementAt(view, i) == first + i / columns * down + i % columns * along;
            const int status = THTensor_newView(&shaped, view, DIMS(rows, columns));
            CHECK(isLinear && down >= 0 && along >= 0 ? status == TH_OK : status == TH_ERROR_VALUE);
            if (status == TH_OK)
                THTensor_free(shaped);
        }
        CHECK_OK(THTensor_newReshape(&shaped, view, DIMS(-1)));
        for (int64_t i = 0; i < n; i++)
            if (elementAt(shaped, i) != elementAt(view, i))
                CHECK(!"reshape keeps the elements in order");
        THTensor_free(shaped);
        THTensor_free(view);
    }
    THTensor_free(base);
}

/* Strides of tensors without elements have no bounds; a view of one must not come to lie before its
 * storage, where resizing it would leave it. */
static void testBoundless(void)
{
    const int64_t most = INT64_C(1) << 62;
    const int64_t size[3] = {10, 2, 0}, stride[3] = {most - 250, most, 1};
    THStorage *storage = NULL;
    THTensor *self = NULL, *view = NULL, *part = NULL;
    CHECK_OK(THStorage_new(&storage, 64));
    CHECK_OK(THTensor_newWithStorage(&self, TH_FLOAT, storage, 5, 3, size, stride));
    CHECK_OK(THTensor_newSelect(&view, self, 0, 4)); /* 4 * stride is -1000 in 64 bits */
    CHECK(view->storageOffset >= 0);
    THTensor_free(view);
    CHECK_OK(THTensor_newNarrow(&view, self, 0, 4, 3));
    CHECK(view->storageOffset >= 0);
    THTensor_free(view);
    CHECK_OK(THTensor_newUnfold(&view, self, 0, 2, 3));
    CHECK(view->stride[0] >= 0);
    CHECK_OK(THTensor_newSlice(&part, view, 0, 2, 3, most));
    CHECK(part->storageOffset >= 0 && part->stride[0] >= 0);
    THTensor_free(part);
    THTensor_free(view);
    THTensor_free(self);
    /* Of size 1, any stride will do: narrowed to nothing, dim by dim, the offsets add up. */
    CHECK_OK(THTensor_newWithStorage(&self, TH_FLOAT, storage, 0, SIZES(1, 1, 1),
                                     (const int64_t[]){most, most, most}));
    for (int dim = 0; dim < 3; dim++) {
        CHECK_OK(THTensor_newNarrow(&view, self, dim, 1, 0));
        CHECK(view->storageOffset >= 0);
        THTensor_free(self);
        self = view;
    }
    THTensor_free(self);
    THStorage_free(storage);
}

static void testRandomOverlaps(void)
{
    THTensor *base = newArange(SIZES(4, 3, 2, 5));
    int counts[3] = {0, 0, 0};
    for (int round = 0; round < 4000; round++) {
        THTensor *a = newRandomView(base), *b = newRandomView(base);
        char inA[120] = {0};
        bool share = false, twice = false;
        for (int64_t i = 0; i < THTensor_nElement(a); i++)
            twice |= inA[elementAt(a, i)]++ > 0;
        for (int64_t i = 0; i < THTensor_nElement(b); i++)
            share |= inA[elementAt(b, i)] > 0;
        const THOverlap overlap = THTensor_overlap(a, b);
        counts[overlap]++;
        CHECK(overlap == THTensor_overlap(b, a));
        CHECK((overlap != TH_OVERLAP_NONE) == share);
        CHECK(THTensor_overlapsItself(a) == twice);
        if (overlap == TH_OVERLAP_FULL)
            for (int64_t i = 0; i < THTensor_nElement(a); i++)
                if (elementAt(a, i) != elementAt(b, i))
                    CHECK(!"full overlap is the same elements");
        THTensor_free(a);
        THTensor_free(b);
    }
    CHECK(counts[TH_OVERLAP_NONE] > 100 && counts[TH_OVERLAP_FULL] > 10 &&
          counts[TH_OVERLAP_PARTIAL] > 100);
    THTensor_free(base);
}

static void testOverlaps(void)
{
    THTensor *a = newArange(SIZES(10)), *even = NULL, *odd = NULL, *other = NULL, *bytes = NULL;
    CHECK_OK(THTensor_newSlice(&even, a, 0, 0, 10, 2));
    CHECK_OK(THTensor_newSlice(&odd, a, 0, 1, 10, 2));
    CHECK(THTensor_overlap(even, odd) == TH_OVERLAP_NONE);
    CHECK(THTensor_overlap(a, odd) == TH_OVERLAP_PARTIAL);
    CHECK(THTensor_overlap(a, a) == TH_OVERLAP_FULL);
    /* Other storages over the same memory, other dtypes. */
    THStorage *alias = NULL;
    CHECK_OK(THStorage_newWithData(&alias, a->storage->data, 80, NULL, NULL));
    CHECK_OK(THTensor_newWithStorage(&other, TH_LONG, alias, 0, SIZES(10), NULL));
    CHECK(THTensor_overlap(a, other) == TH_OVERLAP_FULL);
    CHECK_OK(THTensor_newWithStorage(&bytes, TH_BYTE, alias, 8, SIZES(5), (const int64_t[]){16}));
    CHECK(THTensor_overlap(a, bytes) == TH_OVERLAP_PARTIAL);
    CHECK(THTensor_overlap(odd, bytes) == TH_OVERLAP_PARTIAL);
    CHECK(THTensor_overlap(even, bytes) == TH_OVERLAP_NONE);
    THTensor_free(bytes);
    CHECK_OK(THTensor_newWithStorage(&bytes, TH_DOUBLE, alias, 0, SIZES(10), NULL));
    CHECK(THTensor_overlap(a, bytes) == TH_OVERLAP_PARTIAL);
    THStorage_free(alias);
    THTensor_free(bytes);
    THTensor_free(other);
    THTensor_free(even);
    CHECK_OK(THTensor_newExpand(&even, a, DIMS(3, 10)));
    CHECK(THTensor_overlapsItself(even) && !THTensor_overlapsItself(a));
    THTensor_free(even);
    /* Far too many combinations to search: an answer comes all the same. */
    int64_t size[20], stride[20];
    for (int i = 0; i < 20; i++) {
        size[i] = 3;
        stride[i] = 3 * (1000 + 7 * i * i);
    }
    THStorage *large = NULL;
    CHECK_OK(THStorage_new(&large, 400000));
    CHECK_OK(THTensor_newWithStorage(&even, TH_BYTE, large, 0, 20, size, stride));
    CHECK_OK(THTensor_newWithStorage(&other, TH_BYTE, large, 1, 20, size, stride));
    CHECK(THTensor_overlap(even, other) != TH_OVERLAP_FULL);
    THTensor_overlapsItself(even);
    THStorage_free(large);
    THTensor_free(other);
    THTensor_free(even);
    THTensor_free(odd);
    THTensor_free(a);
}

int main(void)
{
    THMemoryStats stats;
    testParts();
    testDims();
    testShapes();
    testRandomReshapes();
    testBoundless();
    testOverlaps();
    testRandomOverlaps();
    THMemory_stats(&stats);
    CHECK(stats.liveTensors == 0 && stats.liveStorages == 0 && stats.liveBlocks == 0);
    return check_finish("view");
}
