/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Do tensors share memory, with others or with themselves?
 *
 * After the quick answers (address ranges, equal layout) this is a question of whole numbers: is
 * there a solution of step[0] * x[0] + step[1] * x[1] + ... = target with 0 <= x[i] <= most[i]? It
 * is searched from the largest step down. Steps of real tensors nest, so nearly every branch is cut
 * at once; for the few odd cases the search is given up after a fixed number of trials. */
#include <TH/core/THPrivate.h>

#define TERMS_MOST (2 * TH_MAX_DIMS + 1)
#define TRIALS_MOST 2000

typedef enum Answer { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN } Answer;

typedef struct Equation { /* large: no initialiser */
    int count;
    int trials;
    int64_t target;
    int64_t step[TERMS_MOST + 1], most[TERMS_MOST + 1];
    int64_t reach[TERMS_MOST + 1]; /* the largest sum of this and all later terms */
} Equation;

static void start(Equation *self, int64_t target)
{
    self->count = 0;
    self->target = target;
}

/* Adds step * x with 0 <= x <= most, keeping larger steps first. Equal steps become one term. */
static void addTerm(Equation *self, int64_t step, int64_t most)
{
    if (most == 0)
        return;
    int i = 0;
    while (i < self->count && self->step[i] > step)
        i++;
    if (i < self->count && self->step[i] == step) {
        self->most[i] += most;
        return;
    }
    for (int j = self->count; j > i; j--) {
        self->step[j] = self->step[j - 1];
        self->most[j] = self->most[j - 1];
    }
    self->step[i] = step;
    self->most[i] = most;
    self->count++;
}

/* Adds -step * x: x is replaced by most - x. */
static void subtractTerm(Equation *self, int64_t step, int64_t most)
{
    addTerm(self, step, most);
    self->target += step * most;
}

static Answer search(Equation *self, int term, int64_t target)
{
    if (target < 0 || target > self->reach[term])
        return ANSWER_NO;
    if (target == 0)
        return ANSWER_YES;
    const int64_t step = self->step[term], rest = self->reach[term + 1];
    const int64_t least = target > rest ? (target - rest - 1) / step + 1 : 0;
    const int64_t quotient = target / step;
    for (int64_t x = quotient < self->most[term] ? quotient : self->most[term]; x >= least; x--) {
        if (self->trials-- <= 0)
            return ANSWER_UNKNOWN;
        const Answer answer = search(self, term + 1, target - x * step);
        if (answer != ANSWER_NO)
            return answer;
    }
    return ANSWER_NO;
}

static Answer solve(Equation *self)
{
    self->trials = TRIALS_MOST;
    self->reach[self->count] = 0;
    for (int i = self->count - 1; i >= 0; i--)
        self->reach[i] = self->reach[i + 1] + self->step[i] * self->most[i];
    return search(self, 0, self->target);
}

/* The bytes from the first to past the last element. */
static void addressRange(const THTensor *self, uintptr_t *begin, uintptr_t *end)
{
    int64_t last = 0;
    for (int i = 0; i < self->nDimension; i++)
        last += (self->size[i] - 1) * self->stride[i];
    *begin = (uintptr_t)THTensor_data(self);
    *end = *begin + (uintptr_t)((last + 1) * THTensor_itemSize(self));
}

static bool isSameLayout(const THTensor *a, const THTensor *b)
{
    if (a->dtype != b->dtype || !THTensor_isSameSizeAs(a, b))
        return false;
    for (int i = 0; i < a->nDimension; i++)
        if (a->size[i] > 1 && a->stride[i] != b->stride[i])
            return false;
    return true;
}

/* An element of `a` and one of `b` have a byte in common. */
static Answer shareBytes(const THTensor *a, const THTensor *b, int64_t distance)
{
    const int64_t aItem = THTensor_itemSize(a), bItem = THTensor_itemSize(b);
    Equation equation;
    start(&equation, distance);
    for (int i = 0; i < a->nDimension; i++)
        if (a->stride[i] > 0)
            addTerm(&equation, a->stride[i] * aItem, a->size[i] - 1);
    for (int i = 0; i < b->nDimension; i++)
        if (b->stride[i] > 0)
            subtractTerm(&equation, b->stride[i] * bItem, b->size[i] - 1);
    addTerm(&equation, 1, aItem - 1);
    subtractTerm(&equation, 1, bItem - 1);
    return solve(&equation);
}

/* Their storages do not even touch, the usual case: no dims need be looked at. */
static bool areApart(const THStorage *a, const THStorage *b)
{
    const uintptr_t aBegin = (uintptr_t)a->data, bBegin = (uintptr_t)b->data;
    return aBegin + (uintptr_t)a->size <= bBegin || bBegin + (uintptr_t)b->size <= aBegin;
}

THOverlap THTensor_overlap(const THTensor *a, const THTensor *b)
{
    if (TH_LIKELY(areApart(a->storage, b->storage)))
        return TH_OVERLAP_NONE;
    if (THTensor_nElement(a) == 0 || THTensor_nElement(b) == 0)
        return TH_OVERLAP_NONE;
    uintptr_t aBegin, aEnd, bBegin, bEnd;
    addressRange(a, &aBegin, &aEnd);
    addressRange(b, &bBegin, &bEnd);
    if (aEnd <= bBegin || bEnd <= aBegin)
        return TH_OVERLAP_NONE;
    if (aBegin == bBegin)
        return isSameLayout(a, b) ? TH_OVERLAP_FULL : TH_OVERLAP_PARTIAL;
    if (THTensor_isContiguous(a) && THTensor_isContiguous(b))
        return TH_OVERLAP_PARTIAL;
    return shareBytes(a, b, (int64_t)(bBegin - aBegin)) == ANSWER_NO ? TH_OVERLAP_NONE
                                                                     : TH_OVERLAP_PARTIAL;
}

/* Dims of more than one element, smaller strides first. */
static int sortedDims(const THTensor *self, int64_t *size, int64_t *stride)
{
    int count = 0;
    for (int i = 0; i < self->nDimension; i++) {
        if (self->size[i] == 1)
            continue;
        int at = count++;
        for (; at > 0 && stride[at - 1] > self->stride[i]; at--) {
            size[at] = size[at - 1];
            stride[at] = stride[at - 1];
        }
        size[at] = self->size[i];
        stride[at] = self->stride[i];
    }
    return count;
}

/* Two indices that differ in dim `dim`, and else only in dims before it, may be the same element:
 * stride[dim] * (1 + x) is a sum of stride[i] * y[i] with |y[i]| < size[i]. */
static bool meetsItself(int dim, const int64_t *size, const int64_t *stride)
{
    Equation equation;
    start(&equation, stride[dim]);
    subtractTerm(&equation, stride[dim], size[dim] - 2);
    for (int i = 0; i < dim; i++) {
        addTerm(&equation, stride[i], size[i] - 1);
        subtractTerm(&equation, stride[i], size[i] - 1);
    }
    return solve(&equation) == ANSWER_YES;
}

bool THTensor_overlapsItself(const THTensor *self)
{
    int64_t size[TH_MAX_DIMS], stride[TH_MAX_DIMS];
    if (THTensor_isContiguous(self))
        return false;
    const int count = sortedDims(self, size, stride);
    int64_t reach = 0; /* of the dims before */
    for (int i = 0; i < count; i++) {
        if (stride[i] == 0 || (stride[i] <= reach && meetsItself(i, size, stride)))
            return true;
        reach += (size[i] - 1) * stride[i];
    }
    return false;
}
