/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Destinations of wrappers: results new or given as out=, and self of in-place operations. A result
 * that is `given` itself is borrowed, any other is owned until THOutput_end. */
#include <TH/THExplain.h>
#include <TH/core/THPrivate.h>
#include <TH/engine/THRun.h>

/* Of fewer elements a new result is as good as one in the place of an input. */
#define SPENT_ELEMENTS 4096

/* Whether a dtype of results can be kept in a destination's. */
static int checkCast(const char *op, THDtype dtype, const THTensor *to, const char *what)
{
    TH_CHECK(THDtype_canCast(dtype, (THDtype)to->dtype), TH_ERROR_TYPE,
             "%s: result of dtype %s cannot be cast to %s's %s", op, THDtype_name(dtype), what,
             THDtype_name((THDtype)to->dtype));
    return TH_OK;
}

static int checkOverlap(const char *op, const THTensor *to, const char *what,
                        THTensor *const *inputs, int ninputs)
{
    for (int i = 0; i < ninputs; i++)
        TH_CHECK(inputs[i] == NULL || inputs[i] == to ||
                     THTensor_overlap(to, inputs[i]) != TH_OVERLAP_PARTIAL,
                 TH_ERROR_RUNTIME, "%s: %s overlaps an input partly", op, what);
    return TH_OK;
}

static int checkGiven(const char *op, const THTensor *given, THDtype dtype, THTensor *const *inputs,
                      int ninputs)
{
    const int status = checkCast(op, dtype, given, "the out tensor");
    if (status != TH_OK)
        return status;
    TH_CHECK(!THTensor_overlapsItself(given), TH_ERROR_RUNTIME,
             "%s: out tensor overlaps itself (expanded); clone() it first", op);
    return checkOverlap(op, given, "out tensor", inputs, ninputs);
}

/* Checks what `given` will overlap once it is resized: memory of its storage that an input has. */
static int checkResized(const char *op, const THTensor *given, const THShape *shape,
                        THTensor *const *inputs, int ninputs)
{
    THTensor resized = *given;
    THShape copy = *shape;
    int64_t stride[TH_MAX_DIMS], n = 1;

    for (int d = shape->nDimension - 1; d >= 0; d--) {
        stride[d] = n;
        if (!THSize_mul(n, shape->size[d] > 0 ? shape->size[d] : 1, &n))
            return TH_OK; /* resizing will refuse it */
    }
    resized.nDimension = shape->nDimension;
    resized.size = copy.size;
    resized.stride = stride;
    return checkOverlap(op, &resized, "out tensor", inputs, ninputs);
}

int THOutput_check(const char *op, THTensor *const *given, int n)
{
    for (int i = 1; i < n; i++)
        for (int k = 0; k < i && given[i] != NULL; k++)
            TH_CHECK(given[k] == NULL || (given[k]->storage != given[i]->storage &&
                                          THTensor_overlap(given[k], given[i]) == TH_OVERLAP_NONE),
                     TH_ERROR_RUNTIME, "%s: out tensors share memory", op);
    return TH_OK;
}

/* An explained call: `given`, or what stands for it where it would be resized. */
static int explainGiven(const char *op, THTensor **result, THTensor *given, THDtype dtype,
                        const THShape *shape, THTensor *const *inputs, int ninputs)
{
    const bool direct = given->dtype == dtype || THDtype_computes[dtype] == dtype;
    int status = TH_OK;
    if (direct && THTensor_isSize(given, shape->nDimension, shape->size)) {
        *result = given;
    } else {
        if (direct)
            status = checkResized(op, given, shape, inputs, ninputs);
        if (status == TH_OK)
            status = THTensor_newWithSize(result, direct ? (THDtype)given->dtype : dtype,
                                          shape->nDimension, shape->size);
    }
    if (status == TH_OK)
        THExplain_addOutput(*result, given, direct);
    return status;
}

/* Not inlined: its frame would be every call's. */
static __attribute__((noinline)) int useGiven(const char *op, THTensor **result, THTensor *given,
                                              THDtype dtype, const THShape *shape,
                                              THTensor *const *inputs, int ninputs)
{
    int status = checkGiven(op, given, dtype, inputs, ninputs);
    if (status != TH_OK)
        return status;
    if (TH_UNLIKELY(THExplain_current != NULL))
        return explainGiven(op, result, given, dtype, shape, inputs, ninputs);
    /* What is computed in more digits is rounded before it is converted. */
    if (given->dtype != dtype && THDtype_computes[dtype] != dtype)
        return THTensor_newWithSize(result, dtype, shape->nDimension, shape->size);
    if (!THTensor_isSize(given, shape->nDimension, shape->size)) {
        if ((status = checkResized(op, given, shape, inputs, ninputs)) != TH_OK)
            return status;
        status = THTensor_resizeOutput(op, given, shape->nDimension, shape->size);
        if (status != TH_OK)
            return status;
    }
    *result = given;
    return TH_OK;
}

void THTensor_sortDims(const THTensor *self, int64_t order[TH_MAX_DIMS])
{
    for (int d = 0; d < self->nDimension; d++) {
        int at = d;
        for (; at > 0 && self->stride[order[at - 1]] < self->stride[d]; at--)
            order[at] = order[at - 1];
        order[at] = d;
    }
}

static bool isExpanded(const THTensor *self)
{
    for (int d = 0; d < self->nDimension; d++)
        if (self->stride[d] == 0 && self->size[d] != 1)
            return true;
    return false;
}

/* The dims of self that have several elements, by steps of memory, and how many there are; 0 where
 * they are in order. */
static int orderOf(const THTensor *self, const int64_t *steps, int order[TH_MAX_DIMS])
{
    int n = 0;
    bool sorted = true;
    for (int d = 0; d < self->nDimension; d++) {
        if (self->size[d] == 1)
            continue;
        int at = n++;
        for (; at > 0 && steps[order[at - 1]] < steps[d]; at--) {
            order[at] = order[at - 1];
            sorted = false;
        }
        order[at] = d;
    }
    return sorted ? 0 : n;
}

static void setStrides(THTensor *self, const int *order, int n)
{
    int64_t stride = 1;
    while (n > 0) {
        const int d = order[--n];
        self->stride[d] = stride;
        stride *= self->size[d] ? self->size[d] : 1;
    }
}

void THTensor_orderBy(THTensor *self, const int64_t *steps)
{
    int order[TH_MAX_DIMS];
    setStrides(self, order, orderOf(self, steps, order));
}

void THTensor_orderAs(THTensor *self, const THTensor *like)
{
    int order[TH_MAX_DIMS];
    const int n = orderOf(self, like->stride, order);
    if (n > 0 && !isExpanded(like))
        setStrides(self, order, n);
}

/* Had it these sizes before? Then it keeps its order in memory. */
static bool hasShape(const THTensor *self, int ndim, const int64_t *size)
{
    return !(self->flag & TH_TENSOR_UNSHAPED) && THTensor_isSize(self, ndim, size);
}

int THTensor_resizeOutputBy(const char *op, THTensor *self, const int64_t *size,
                            const THTensor *like)
{
    const bool shaped = hasShape(self, like->nDimension, size);
    const int status = THTensor_resizeOutput(op, self, like->nDimension, size);
    if (status == TH_OK && !shaped)
        THTensor_orderAs(self, like);
    return status;
}

int THTensor_resizeOutputAs(const char *op, THTensor *self, const THTensor *like)
{
    return THTensor_resizeOutputBy(op, self, like->size, like);
}

/* The first input of the result's shape that is not expanded: a new result lies in memory as it
 * does. NULL where there is none. */
static const THTensor *modelOf(const THTensor *result, THTensor *const *inputs, int ninputs)
{
    for (int i = 0; i < ninputs; i++)
        if (inputs[i] != NULL && THTensor_isSameSizeAs(inputs[i], result) && !isExpanded(inputs[i]))
            return inputs[i];
    return NULL;
}

int THTensor_resizeOutputTo(const char *op, THTensor *self, const THShape *shape,
                            THTensor *const *inputs, int ninputs)
{
    const bool shaped = hasShape(self, shape->nDimension, shape->size);
    const int status = THTensor_resizeOutput(op, self, shape->nDimension, shape->size);
    const THTensor *model = status == TH_OK && !shaped ? modelOf(self, inputs, ninputs) : NULL;
    if (model != NULL)
        THTensor_orderAs(self, model);
    return status;
}

/* Is it alone in its storage, without gaps, and its storage one as a new tensor has? */
static bool isAlone(const THTensor *self)
{
    return __atomic_load_n(&self->refcount, __ATOMIC_ACQUIRE) == 1 &&
           THStorage_isPlain(self->storage) &&
           self->storage->size == THTensor_nElement(self) * THTensor_itemSize(self);
}

/* The first input that is spent and that a result of this dtype and shape could be in place of, as
 * far as this can be told without the result's strides. */
static THTensor *spentOf(THDtype dtype, const THShape *shape, THTensor *const *inputs, int ninputs)
{
    for (int i = 0; i < ninputs; i++)
        if (inputs[i] != NULL && inputs[i]->flag & TH_TENSOR_SPENT && inputs[i]->dtype == dtype &&
            THTensor_isSize(inputs[i], shape->nDimension, shape->size) && isAlone(inputs[i]))
            return inputs[i];
    return NULL;
}

/* A new tensor in the place of `spent`, if it has the strides that it would have anywhere. */
static bool takeSpent(THTensor **result, THTensor *spent, THTensor *const *inputs, int ninputs)
{
    int64_t stride[TH_MAX_DIMS];
    THTensor made = {.nDimension = spent->nDimension, .size = spent->size, .stride = stride};
    THSize_contiguousStrides(made.nDimension, made.size, stride);
    THTensor_orderAs(&made, modelOf(&made, inputs, ninputs));
    for (int d = 0; d < made.nDimension; d++)
        if (made.size[d] != 1 && stride[d] != spent->stride[d])
            return false;
    return THTensor_makeView(result, (THDtype)spent->dtype, spent->storage, 0, made.nDimension,
                             made.size, stride) == TH_OK;
}

int THOutput_shaped(const char *op, THTensor **result, THTensor *given, THDtype dtype,
                    const THShape *shape, THTensor *const *inputs, int ninputs)
{
    if (TH_UNLIKELY(given != NULL))
        return useGiven(op, result, given, dtype, shape, inputs, ninputs);
    const bool few = shape->run > 0 && shape->run < SPENT_ELEMENTS;
    THTensor *const spent = TH_LIKELY(few) ? NULL : spentOf(dtype, shape, inputs, ninputs);
    if (TH_UNLIKELY(spent != NULL) && takeSpent(result, spent, inputs, ninputs))
        return TH_OK;
    if (TH_LIKELY(shape->run > 0))
        return THTensor_makeLike(result, dtype, shape->nDimension, shape->size, shape->run);
    const int status = THTensor_newWithSize(result, dtype, shape->nDimension, shape->size);
    if (status == TH_OK && shape->nDimension > 1) {
        const THTensor *model = modelOf(*result, inputs, ninputs);
        if (model != NULL)
            THTensor_orderAs(*result, model);
    }
    return status;
}

/* `given` itself where it is `direct`, else a tensor whose elements are copied there at the end. */
static int openOutput(const char *op, THTensor **result, THTensor *given, THDtype dtype,
                      THTensor *const *inputs, int ninputs, bool direct)
{
    if (given != NULL) {
        const int status = checkGiven(op, given, dtype, inputs, ninputs);
        if (status != TH_OK)
            return status;
    }
    /* One storage is enough to be careful: a result that grows could reach an input. */
    for (int i = 0; direct && i < ninputs; i++)
        if (inputs[i] != NULL && (inputs[i]->storage == given->storage ||
                                  THTensor_overlap(given, inputs[i]) != TH_OVERLAP_NONE))
            direct = false;
    if (TH_UNLIKELY(THExplain_current != NULL))
        return THExplain_newOutput(result, given, dtype, direct);
    if (!direct)
        return THTensor_newUnshaped(result, dtype);
    *result = given;
    return TH_OK;
}

int THOutput_plain(const char *op, THTensor **result, THTensor *given, THDtype dtype,
                   THTensor *const *inputs, int ninputs)
{
    const bool direct = given != NULL && given->dtype == dtype;
    return openOutput(op, result, given, dtype, inputs, ninputs, direct);
}

int THOutput_apart(const char *op, THTensor **result, THTensor *given, THDtype dtype,
                   THTensor *const *inputs, int ninputs)
{
    return openOutput(op, result, given, dtype, inputs, ninputs, false);
}

int THOutput_fit(const char *op, THTensor *const *given, THTensor *const *results, int n)
{
    int status = TH_OK;
    for (int i = 0; i < n && status == TH_OK; i++)
        if (given[i] != NULL)
            status = THTensor_resizeOutput(op, given[i], results[i]->nDimension, results[i]->size);
    return status;
}

int THOutput_end(const char *op, int status, THTensor **out, THTensor *result)
{
    if (TH_LIKELY(status == TH_OK && *out == NULL)) {
        *out = result;
        return TH_OK;
    }
    if (result == *out || result == NULL)
        return THError_named(op, status);
    if (status == TH_OK)
        status = THTensor_resizeOutput(op, *out, result->nDimension, result->size);
    if (status == TH_OK)
        status = THTensor_copy(*out, result);
    THTensor_free(result);
    return THError_named(op, status);
}

static int checkFits(const char *op, const THTensor *self, int nDimension, const int64_t *size)
{
    TH_CHECK(THTensor_isSize(self, nDimension, size), TH_ERROR_VALUE,
             "%s: result of shape %s does not fit in self of shape %s", op,
             THSize_desc(nDimension, size).str, THTensor_sizeDesc(self).str);
    return TH_OK;
}

int THInplace_check(const char *op, THTensor *self, THDtype dtype, const THShape *shape,
                    THTensor *const *inputs, int ninputs)
{
    int status = checkCast(op, dtype, self, "self");
    if (status == TH_OK && shape != NULL)
        status = checkFits(op, self, shape->nDimension, shape->size);
    if (status != TH_OK)
        return status;
    TH_CHECK(!THTensor_overlapsItself(self), TH_ERROR_RUNTIME,
             "%s: in place on a tensor that overlaps itself (expanded); clone() it first", op);
    return checkOverlap(op, self, "self", inputs, ninputs);
}

/* An explained call: as the end of one that was not stopped. */
static int checkStopped(const char *op, const THTensor *self)
{
    const THExplainOutput *output = &THExplain_current->output[0];
    const bool isKnown = THExplain_current->noutputs > 0 && output->nDimension >= 0;
    const int status = isKnown ? checkFits(op, self, output->nDimension, output->size) : TH_OK;
    return status == TH_OK ? TH_STOPPED : status;
}

int THInplace_end(const char *op, int status, THTensor *self, THTensor *result)
{
    if (result == self) /* written directly: borrowed, as THOutput_plain gives it */
        return THError_named(op, status);
    if (status == TH_STOPPED)
        status = checkStopped(op, self);
    if (status == TH_OK)
        status = checkFits(op, self, result->nDimension, result->size);
    if (status == TH_OK)
        status = THTensor_copy(self, result);
    THTensor_free(result);
    return THError_named(op, status);
}
