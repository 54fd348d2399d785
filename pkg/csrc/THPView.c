/* SPDX-License-Identifier: BSD-3-Clause */
#include "THPView.h"

static int indexError(const THTensor *self, int dim, int64_t index)
{
    if (self->nDimension == 0)
        PyErr_SetString(PyExc_IndexError, "too many indices for a tensor of 0 dims");
    else
        PyErr_Format(PyExc_IndexError, "index %lld is out of bounds for dim %d with size %lld",
                     (long long)index, dim, (long long)self->size[dim]);
    return -1;
}

/* Moves an offset by so many strides. Where that is no number there are no elements. */
static void advance(int64_t *offset, int64_t steps, int64_t stride)
{
    int64_t moved, sum;
    if (!THSize_mul(steps, stride, &moved) || !THSize_add(*offset, moved, &sum))
        return;
    *offset = sum;
}

/* The stride of every step-th element; where that is no number there is at most one. */
static int64_t strideOf(int64_t stride, int64_t step)
{
    int64_t product;
    return THSize_mul(stride, step, &product) ? product : stride;
}

int THPView_offset(const THTensor *self, PyObject *key, int64_t *offset)
{
    const bool isInt = PyLong_CheckExact(key);
    if (!isInt && !PyTuple_CheckExact(key))
        return -1;
    const Py_ssize_t n = isInt ? 1 : PyTuple_Size(key);
    if (n == 0 || n > self->nDimension)
        return -1;
    *offset = self->storageOffset;
    for (Py_ssize_t d = 0; d < n; d++) {
        PyObject *item = isInt ? key : PyTuple_GetItem(key, d);
        const int64_t size = self->size[d];
        if (!PyLong_CheckExact(item))
            return -1;
        Py_ssize_t index = PyLong_AsSsize_t(item);
        index += index < 0 ? size : 0;
        if (TH_UNLIKELY(index < 0 || index >= size || (index == size - 1 && PyErr_Occurred()))) {
            PyErr_Clear();
            return -1;
        }
        advance(offset, index, self->stride[d]);
    }
    return (int)n;
}

THTensor *THPView_row(THTensor *self, int64_t index)
{
    const int64_t size = self->nDimension > 0 ? self->size[0] : 0;
    if (TH_UNLIKELY(index < -size || index >= size)) {
        indexError(self, 0, index);
        return NULL;
    }
    THTensor *row;
    int64_t offset = self->storageOffset;
    index += index < 0 ? size : 0;
    advance(&offset, index, self->stride[0]);
    const int status = THTensor_makeView(&row, (THDtype)self->dtype, self->storage, offset,
                                         self->nDimension - 1, self->size + 1, self->stride + 1);
    if (TH_LIKELY(status == TH_OK))
        return row;
    THP_raise(status);
    return NULL;
}

static int itemOfSlice(PyObject *slice, THPViewItem *item)
{
    item->kind = SLICE;
    item->dims = 1;
    item->tensor = NULL;
    if (PySlice_Unpack(slice, &item->start, &item->stop, &item->step) < 0)
        return -1;
    if (item->step > 0)
        return 0;
    PyErr_SetString(PyExc_ValueError, "slices with a negative step are not supported; use flip");
    return -1;
}

/* A position of a slice within a dim. */
static int64_t clamp(int64_t position, int64_t size)
{
    position += position < 0 ? size : 0;
    return position < 0 ? 0 : position > size ? size : position;
}

/* Fits the slice to a dim: start stays within it. Returns its length; a division takes as long as
 * all the rest. */
static int64_t adjustSlice(THPViewItem *item, int64_t size)
{
    item->start = clamp(item->start, size);
    item->stop = clamp(item->stop, size);
    const int64_t span = item->stop - item->start;
    if (span <= 0) {
        item->start = 0;
        return 0;
    }
    return item->step == 1 ? span : (span - 1) / item->step + 1;
}

THTensor *THPView_slice(THTensor *self, PyObject *slice)
{
    THPViewItem item;
    THTensor *result;
    if (itemOfSlice(slice, &item) < 0)
        return NULL;
    if (self->nDimension == 0) {
        indexError(self, 0, 0);
        return NULL;
    }
    const int status = THTensor_newAlias(&result, self);
    if (TH_UNLIKELY(status != TH_OK)) {
        THP_raise(status);
        return NULL;
    }
    const int64_t stride = result->stride[0];
    result->size[0] = adjustSlice(&item, result->size[0]);
    result->stride[0] = strideOf(stride, item.step);
    advance(&result->storageOffset, item.start, stride);
    return result;
}

/* 1, 0 when the object is no int, less with an exception. */
static int itemOfInt(PyObject *object, THPViewItem *item)
{
    item->number = 0;
    const int status = THP_longOf(object, &item->number);
    item->kind = INT;
    item->dims = 1;
    item->tensor = NULL;
    if (status == THP_TOO_LARGE)
        PyErr_SetString(PyExc_IndexError, "an index does not fit 64 bits");
    return status;
}

/* Takes over the tensor where it is to be owned. */
static int itemOfTensor(THTensor *tensor, bool owned, THPViewItem *item)
{
    const THCategory category = THDtype_category((THDtype)tensor->dtype);
    if (category == TH_CATEGORY_FLOATING) {
        PyErr_Format(PyExc_IndexError, "tensors used as indices are integers or bool, not %s",
                     THDtype_name((THDtype)tensor->dtype));
        if (owned)
            THTensor_free(tensor);
        return -1;
    }
    const bool isMask = category == TH_CATEGORY_BOOL;
    if (isMask && tensor->nDimension == 0) {
        *item = (THPViewItem){.kind = TRUTH, .tensor = tensor, .owned = owned};
        return 0;
    }
    item->kind = TENSOR;
    item->dims = isMask ? tensor->nDimension : 1;
    item->tensor = tensor;
    item->owned = owned;
    return 0;
}

/* Lists, arrays and the like. */
static int itemOfSequence(PyObject *object, THPViewItem *item)
{
    if (PyUnicode_Check(object) || (!PySequence_Check(object) && !PyObject_CheckBuffer(object))) {
        PyObject *name = THP_typeName(object);
        if (name)
            PyErr_Format(PyExc_TypeError,
                         "an index is made of ints, slices, None, Ellipsis, tensors and sequences "
                         "of ints, not of %U",
                         name);
        Py_XDECREF(name);
        return -1;
    }
    const bool isEmpty =
        (PyList_Check(object) || PyTuple_Check(object)) && PySequence_Size(object) == 0;
    THTensor *tensor = THPCreate_tensor(object, isEmpty ? TH_LONG : -1);
    return tensor ? itemOfTensor(tensor, true, item) : -1;
}

static int parseItem(PyObject *object, THPViewItem *item)
{
    int status;
    if (Py_IS_TYPE(object, &PyLong_Type))
        return itemOfInt(object, item) < 0 ? -1 : 0;
    if (Py_IS_TYPE(object, &PySlice_Type))
        return itemOfSlice(object, item);
    if (object == Py_None) {
        *item = (THPViewItem){.kind = NEW_DIM};
        return 0;
    }
    if (object == Py_Ellipsis) {
        *item = (THPViewItem){.kind = ELLIPSIS};
        return 0;
    }
    const bool isTensor = THP_isTensor(object);
    const int kind = isTensor || PyList_CheckExact(object) ? -1 : THP_numberKind(object);
    if ((kind == TH_SCALAR_LONG || (isTensor && THP_unwrap(object)->nDimension == 0)) &&
        (status = itemOfInt(object, item)) != 0)
        return status < 0 ? -1 : 0;
    if (isTensor)
        return itemOfTensor(THP_unwrap(object), false, item);
    if (kind != TH_SCALAR_BOOL)
        return itemOfSequence(object, item);
    THTensor *truth;
    const int isTrue = PyObject_IsTrue(object);
    if (isTrue < 0)
        return -1;
    status = THTensor_newScalar(&truth, TH_BOOL, THScalar_fromBool(isTrue));
    return status == TH_OK ? itemOfTensor(truth, true, item) : (THP_raise(status), -1);
}

void THPView_free(THPViewItem *items, int n)
{
    for (int i = 0; i < n; i++)
        if (items[i].tensor && items[i].owned)
            THTensor_free(items[i].tensor);
}

static int addDim(THPView *view, int64_t size, int64_t stride)
{
    if (view->n == TH_MAX_DIMS) {
        PyErr_Format(PyExc_IndexError, "the result of indexing has more than %d dims", TH_MAX_DIMS);
        return -1;
    }
    view->size[view->n] = size;
    view->stride[view->n] = stride;
    view->indices[view->n++] = NULL;
    return 0;
}

static int keepDims(THPView *view, int count)
{
    for (; count > 0; count--, view->source++)
        if (addDim(view, view->self->size[view->source], view->self->stride[view->source]) < 0)
            return -1;
    return 0;
}

static int addNewDim(THPView *view)
{
    const THTensor *self = view->self;
    int64_t stride; /* any will do for one element */
    if (view->source == self->nDimension ||
        !THSize_mul(self->size[view->source], self->stride[view->source], &stride))
        stride = 1;
    return addDim(view, 1, stride);
}

static int applySlice(THPView *view, THPViewItem *item)
{
    const int dim = view->source++;
    const int64_t stride = view->self->stride[dim];
    const int64_t length = adjustSlice(item, view->self->size[dim]);
    advance(&view->offset, item->start, stride);
    return addDim(view, length, strideOf(stride, item->step));
}

static int applyInt(THPView *view, int64_t index)
{
    const int dim = view->source++;
    const int64_t size = view->self->size[dim];
    if (index < -size || index >= size)
        return indexError(view->self, dim, index);
    advance(&view->offset, index < 0 ? index + size : index, view->self->stride[dim]);
    return 0;
}

/* An index tensor for the next dims; for True and False (no dims) for a new one of size 1. */
static int applyTensor(THPView *view, THPViewItem *item)
{
    const int dim = view->n;
    if (item->kind == TRUTH) {
        THTensor *mask;
        const int status = THTensor_newUnsqueeze1d(&mask, item->tensor, 0);
        if (status != TH_OK) {
            THP_raise(status);
            return -1;
        }
        if (item->owned)
            THTensor_free(item->tensor);
        item->tensor = mask;
        item->owned = true;
    }
    if ((item->kind == TRUTH ? addNewDim(view) : keepDims(view, item->dims)) < 0)
        return -1;
    view->indices[dim] = item->tensor;
    view->nindices = view->n;
    return 0;
}

static int apply(THPView *view, THPViewItem *item, int skipped)
{
    switch (item->kind) {
    case INT:
        return applyInt(view, item->number);
    case SLICE:
        return applySlice(view, item);
    case NEW_DIM:
        return addNewDim(view);
    case ELLIPSIS:
        return keepDims(view, skipped);
    default:
        return applyTensor(view, item);
    }
}

int THPView_make(THPView *view, THTensor *self, THPViewItem *items, int n)
{
    int taken = 0, ellipses = 0;
    view->self = self; /* its arrays are filled as far as they are used */
    view->source = view->n = view->nindices = 0;
    view->offset = self->storageOffset;
    for (int i = 0; i < n; i++) {
        taken += items[i].dims;
        ellipses += items[i].kind == ELLIPSIS;
    }
    if (ellipses > 1) {
        PyErr_SetString(PyExc_IndexError, "an index may have a single Ellipsis");
        return -1;
    }
    const int left = view->self->nDimension - taken;
    if (left < 0) {
        PyErr_Format(PyExc_IndexError, "too many indices for a tensor of %d dims",
                     view->self->nDimension);
        return -1;
    }
    for (int i = 0; i < n; i++)
        if (apply(view, &items[i], left) < 0)
            return -1;
    return keepDims(view, ellipses ? 0 : left);
}

int THPView_parse(PyObject *key, THPViewItem *items)
{
    const bool tuple = PyTuple_Check(key);
    const Py_ssize_t n = tuple ? PyTuple_Size(key) : 1;
    if (n > THP_VIEW_ITEMS) {
        PyErr_Format(PyExc_IndexError, "an index has at most %d items, not %zd", THP_VIEW_ITEMS, n);
        return -1;
    }
    for (int i = 0; i < (int)n; i++) {
        if (parseItem(tuple ? PyTuple_GetItem(key, i) : key, &items[i]) < 0) {
            THPView_free(items, i);
            return -1;
        }
    }
    return (int)n;
}

THTensor *THPView_tensor(const THPView *view)
{
    THTensor *tensor;
    const int status = THTensor_makeView(&tensor, (THDtype)view->self->dtype, view->self->storage,
                                         view->offset, view->n, view->size, view->stride);
    if (TH_LIKELY(status == TH_OK))
        return tensor;
    THP_raise(status);
    return NULL;
}

bool THPView_isSelf(const THPView *view)
{
    const THTensor *self = view->self;
    bool same = view->n == self->nDimension && view->offset == self->storageOffset;
    for (int d = 0; same && d < view->n; d++)
        same = view->size[d] == self->size[d] && view->stride[d] == self->stride[d];
    return same;
}
