/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tensor[...] and tensor[...] = value. An index is first turned into a view (ints, slices, None,
 * Ellipsis) and a list of index tensors (integer tensors, masks, lists), one for each dim of the
 * view that is indexed so; without the latter the view is the result. Placement of the indexed dims
 * is PyTorch's: ints are applied before tensors. */
#include "THPInternal.h"
#include <TH/THIndex.h>

#define MAX_ITEMS (2 * TH_MAX_DIMS)

/* One item of an index. A tensor is the key's, which outlives the items, unless it is `owned`. */
typedef struct Item {
    enum { INT, SLICE, NEW_DIM, ELLIPSIS, TRUTH, TENSOR } kind;
    int dims; /* of self that it takes */
    int64_t number;
    Py_ssize_t start, stop, step;
    THTensor *tensor;
    bool owned;
} Item;

typedef struct View {
    THTensor *self;
    int source; /* next dim of self */
    int n, nindices;
    int64_t offset;
    int64_t size[TH_MAX_DIMS], stride[TH_MAX_DIMS];
    THTensor *indices[TH_MAX_DIMS]; /* borrowed from the items */
} View;

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

/* What an int, or a tuple of ints, leads to in the first dims: how many these are, and the offset
 * there; -1 without an exception where the key is anything else, or out of bounds. */
static int offsetOfInts(const THTensor *self, PyObject *key, int64_t *offset)
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

/* The first dim's slice at an index that may be negative, as a new tensor. */
static THTensor *rowAt(THTensor *self, int64_t index)
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

static int itemOfSlice(PyObject *slice, Item *item)
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
static int64_t adjustSlice(Item *item, int64_t size)
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

/* A tensor's first dim becomes its slice. */
static void sliceFirst(THTensor *tensor, Item *item)
{
    const int64_t stride = tensor->stride[0];
    tensor->size[0] = adjustSlice(item, tensor->size[0]);
    tensor->stride[0] = strideOf(stride, item->step);
    advance(&tensor->storageOffset, item->start, stride);
}

/* 1, 0 when the object is no int, less with an exception. */
static int itemOfInt(PyObject *object, Item *item)
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
static int itemOfTensor(THTensor *tensor, bool owned, Item *item)
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
        *item = (Item){.kind = TRUTH, .tensor = tensor, .owned = owned};
        return 0;
    }
    item->kind = TENSOR;
    item->dims = isMask ? tensor->nDimension : 1;
    item->tensor = tensor;
    item->owned = owned;
    return 0;
}

/* Lists, arrays and the like. */
static int itemOfSequence(PyObject *object, Item *item)
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

static int parseItem(PyObject *object, Item *item)
{
    int status;
    if (Py_IS_TYPE(object, &PyLong_Type))
        return itemOfInt(object, item) < 0 ? -1 : 0;
    if (Py_IS_TYPE(object, &PySlice_Type))
        return itemOfSlice(object, item);
    if (object == Py_None) {
        *item = (Item){.kind = NEW_DIM};
        return 0;
    }
    if (object == Py_Ellipsis) {
        *item = (Item){.kind = ELLIPSIS};
        return 0;
    }
    const bool isTensor = THP_isTensor(object);
    if (PyList_CheckExact(object))
        return itemOfSequence(object, item);
    if (!(isTensor && THP_unwrap(object)->nDimension > 0) &&
        (status = itemOfInt(object, item)) != 0)
        return status < 0 ? -1 : 0;
    if (isTensor)
        return itemOfTensor(THP_unwrap(object), false, item);
    if (THP_numberKind(object) != TH_SCALAR_BOOL)
        return itemOfSequence(object, item);
    THTensor *truth;
    const int isTrue = PyObject_IsTrue(object);
    if (isTrue < 0)
        return -1;
    status = THTensor_newScalar(&truth, TH_BOOL, THScalar_fromBool(isTrue));
    return status == TH_OK ? itemOfTensor(truth, true, item) : (THP_raise(status), -1);
}

static void freeItems(Item *items, int n)
{
    for (int i = 0; i < n; i++)
        if (items[i].tensor && items[i].owned)
            THTensor_free(items[i].tensor);
}

static int addDim(View *view, int64_t size, int64_t stride)
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

static int keepDims(View *view, int count)
{
    for (; count > 0; count--, view->source++)
        if (addDim(view, view->self->size[view->source], view->self->stride[view->source]) < 0)
            return -1;
    return 0;
}

static int addNewDim(View *view)
{
    const THTensor *self = view->self;
    int64_t stride; /* any will do for one element */
    if (view->source == self->nDimension ||
        !THSize_mul(self->size[view->source], self->stride[view->source], &stride))
        stride = 1;
    return addDim(view, 1, stride);
}

static int applySlice(View *view, Item *item)
{
    const int dim = view->source++;
    const int64_t stride = view->self->stride[dim];
    const int64_t length = adjustSlice(item, view->self->size[dim]);
    advance(&view->offset, item->start, stride);
    return addDim(view, length, strideOf(stride, item->step));
}

static int applyInt(View *view, int64_t index)
{
    const int dim = view->source++;
    const int64_t size = view->self->size[dim];
    if (index < -size || index >= size)
        return indexError(view->self, dim, index);
    advance(&view->offset, index < 0 ? index + size : index, view->self->stride[dim]);
    return 0;
}

/* An index tensor for the next dims; for True and False (no dims) for a new one of size 1. */
static int applyTensor(View *view, Item *item)
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

static int apply(View *view, Item *item, int skipped)
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

/* Applies all items; dims that none of them takes are left to the Ellipsis or to the end. */
static int applyAll(View *view, Item *items, int n)
{
    int taken = 0, ellipses = 0;
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

/* The items of an index, which is a tuple or a single item; their number, or -1. Only this runs
 * Python code, so that nothing changes under the view being made. */
static int parseItems(PyObject *key, Item *items)
{
    const bool tuple = PyTuple_Check(key);
    const Py_ssize_t n = tuple ? PyTuple_Size(key) : 1;
    if (n > MAX_ITEMS) {
        PyErr_Format(PyExc_IndexError, "an index has at most %d items, not %zd", MAX_ITEMS, n);
        return -1;
    }
    for (int i = 0; i < (int)n; i++) {
        if (parseItem(tuple ? PyTuple_GetItem(key, i) : key, &items[i]) < 0) {
            freeItems(items, i);
            return -1;
        }
    }
    return (int)n;
}

/* A view of no dims yet; its arrays are filled as far as they are used. */
static void beginView(View *view, THTensor *self)
{
    view->self = self;
    view->source = view->n = view->nindices = 0;
    view->offset = self->storageOffset;
}

static THTensor *newView(const View *view)
{
    THTensor *tensor;
    const int status = THTensor_makeView(&tensor, (THDtype)view->self->dtype, view->self->storage,
                                         view->offset, view->n, view->size, view->stride);
    if (TH_LIKELY(status == TH_OK))
        return tensor;
    THP_raise(status);
    return NULL;
}

/* Whether the view has self's dims as they are. */
static bool isSelf(const View *view)
{
    const THTensor *self = view->self;
    bool same = view->n == self->nDimension && view->offset == self->storageOffset;
    for (int d = 0; same && d < view->n; d++)
        same = view->size[d] == self->size[d] && view->stride[d] == self->stride[d];
    return same;
}

/* What is at the view, or at the index tensors in it. */
static THTensor *readView(const View *view)
{
    THTensor *tensor = view->nindices > 0 && isSelf(view) ? view->self : newView(view), *result;
    if (tensor == NULL || view->nindices == 0)
        return tensor;
    const int status = THTensor_index(&result, tensor, view->indices, view->nindices);
    if (tensor != view->self)
        THTensor_free(tensor);
    if (status == TH_OK)
        return result;
    THP_raise(status);
    return NULL;
}

static THTensor *subscript(THTensor *self, PyObject *key)
{
    Item items[MAX_ITEMS];
    View view;
    THTensor *result = NULL;
    const int n = parseItems(key, items);
    if (n < 0)
        return NULL;
    beginView(&view, self);
    if (applyAll(&view, items, n) == 0)
        result = readView(&view);
    freeItems(items, n);
    return result;
}

PyObject *THPTensor_subscript(PyObject *object, PyObject *key)
{
    THTensor *self = THP_unwrap(object), *result = NULL;
    if (Py_IS_TYPE(key, &PySlice_Type)) {
        Item item;
        if (itemOfSlice(key, &item) < 0)
            return NULL;
        if (self->nDimension == 0) {
            indexError(self, 0, 0);
            return NULL;
        }
        const int status = THTensor_newAlias(&result, self);
        if (TH_UNLIKELY(status != TH_OK))
            return THP_raise(status);
        sliceFirst(result, &item);
        return THPTensor_wrap(result);
    }
    int64_t offset;
    const int dims = offsetOfInts(self, key, &offset);
    if (TH_LIKELY(dims > 0)) {
        const int status =
            THTensor_makeView(&result, (THDtype)self->dtype, self->storage, offset,
                              self->nDimension - dims, self->size + dims, self->stride + dims);
        return THPTensor_finish(status, result);
    }
    result = subscript(self, key);
    return result ? THPTensor_wrap(result) : NULL;
}

/* tensor[...] = other, where leading dims of size 1 that are too many are dropped. */
static int copyInto(THTensor *tensor, THTensor *other)
{
    const int extra = other->nDimension - tensor->nDimension;
    THTensor *source = other;
    int ones = 0, status;
    while (ones < extra && other->size[ones] == 1)
        ones++;
    if (extra > 0 && ones == extra) {
        status = THTensor_newWithStorage(&source, (THDtype)other->dtype, other->storage,
                                         other->storageOffset, other->nDimension - extra,
                                         other->size + extra, other->stride + extra);
        if (status != TH_OK)
            return status;
    }
    status = THTensor_copy(tensor, source);
    if (source != other)
        THTensor_free(source);
    return status;
}

/* The status as slots return it: 0, or -1 with its exception. */
static int raised(int status)
{
    if (TH_LIKELY(status == TH_OK))
        return 0;
    THP_raise(status);
    return -1;
}

static int checkWritable(const THTensor *tensor)
{
    if (TH_LIKELY(!THTensor_overlapsItself(tensor)))
        return 0;
    PyErr_SetString(PyExc_RuntimeError, "__setitem__: several elements of the tensor share memory "
                                        "(an expanded dim); clone it first");
    return -1;
}

/* A number as THP_scalarOfNumber gives it, with an exception for all that is below 0. */
static int numberOf(PyObject *value, THScalar *number)
{
    const int status = THP_scalarOfNumber(value, number);
    if (status == THP_TOO_LARGE)
        PyErr_SetString(PyExc_ValueError, "__setitem__: the number does not fit 64 bits");
    return status;
}

int THPTensor_store(THTensor *tensor, PyObject *value)
{
    THScalar number;
    if (checkWritable(tensor) < 0)
        return -1;
    if (THP_isTensor(value))
        return raised(copyInto(tensor, THP_unwrap(value)));
    const int isNumber = numberOf(value, &number);
    if (isNumber != 0)
        return isNumber < 0 ? -1 : raised(THTensor_fill(tensor, number));
    THTensor *other = THPCreate_tensor(value, tensor->dtype);
    if (other == NULL)
        return -1;
    const int copied = copyInto(tensor, other);
    THTensor_free(other);
    return raised(copied);
}

/* A new reference to what is stored: a tensor itself, others in the dtype of the view. */
static THTensor *valueTensor(PyObject *value, THDtype dtype)
{
    THTensor *tensor = NULL;
    THScalar number;
    if (THP_isTensor(value)) {
        tensor = THP_unwrap(value);
        THTensor_retain(tensor);
        return tensor;
    }
    const int isNumber = numberOf(value, &number);
    if (isNumber == 0)
        return THPCreate_tensor(value, dtype);
    if (isNumber < 0 || raised(THTensor_newWithSize(&tensor, dtype, 0, NULL)) < 0)
        return NULL;
    if (raised(THTensor_fill(tensor, number)) == 0) /* which checks that the number fits */
        return tensor;
    THTensor_free(tensor);
    return NULL;
}

static int putAt(THTensor *view, THTensor *const *indices, int nindices, PyObject *value)
{
    if (checkWritable(view) < 0)
        return -1;
    THTensor *other = valueTensor(value, (THDtype)view->dtype);
    if (other == NULL)
        return -1;
    const int status = THTensor_indexPut(view, indices, nindices, other);
    THTensor_free(other);
    return raised(status);
}

/* `number` is the value where it is one. Other values than plain ones may run Python code, which
 * may give self other dims. */
static int writeView(const View *view, PyObject *value, const THScalar *number)
{
    if (view->n == 0 && number)
        return raised(THTensor_storeAt(view->self, view->offset, *number));
    THTensor *tensor = THP_isPlainOperand(value) && isSelf(view) ? view->self : newView(view);
    if (tensor == NULL)
        return -1;
    int status;
    if (view->nindices > 0)
        status = putAt(tensor, view->indices, view->nindices, value);
    else if (number == NULL)
        status = THPTensor_store(tensor, value);
    else
        status = checkWritable(tensor) < 0 ? -1 : raised(THTensor_fill(tensor, *number));
    if (tensor != view->self)
        THTensor_free(tensor);
    return status;
}

static int assign(THTensor *self, PyObject *key, PyObject *value)
{
    Item items[MAX_ITEMS];
    View view;
    THScalar number;
    int status = -1;
    const int n = parseItems(key, items);
    if (n < 0)
        return -1;
    const int isNumber = numberOf(value, &number);
    beginView(&view, self);
    if (isNumber >= 0 && applyAll(&view, items, n) == 0)
        status = writeView(&view, value, isNumber ? &number : NULL);
    freeItems(items, n);
    return status;
}

/* What is stored as it is: a plain number, or the element of a 0-d tensor of the same dtype. */
static bool elementOf(const THTensor *self, PyObject *value, THScalar *number)
{
    if (PyFloat_CheckExact(value) || PyLong_CheckExact(value)) {
        if (THP_scalarOfNumber(value, number) == 1)
            return true;
        PyErr_Clear();
        return false;
    }
    if (!Py_IS_TYPE(value, THPTensor_type))
        return false;
    const THTensor *tensor = THP_unwrap(value);
    if (tensor->nDimension > 0 || tensor->dtype != self->dtype)
        return false;
    *number = THTensor_getAt(tensor, tensor->storageOffset);
    return true;
}

/* tensor[i, j] = element for all dims, of plain Python objects; 1 where it is not that. */
static int assignElement(THTensor *self, PyObject *key, PyObject *value)
{
    THScalar number;
    int64_t offset;
    if (self->nDimension == 0 || offsetOfInts(self, key, &offset) != self->nDimension ||
        !elementOf(self, value, &number))
        return 1;
    return raised(THTensor_storeAt(self, offset, number));
}

int THPTensor_assign(PyObject *object, PyObject *key, PyObject *value)
{
    THTensor *self = THP_unwrap(object);
    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "elements of a tensor cannot be deleted");
        return -1;
    }
    const int status = assignElement(self, key, value);
    return TH_LIKELY(status <= 0) ? status : assign(self, key, value);
}

Py_ssize_t THPTensor_length(PyObject *self)
{
    const THTensor *tensor = THP_unwrap(self);
    if (tensor->nDimension > 0)
        return (Py_ssize_t)tensor->size[0];
    PyErr_SetString(PyExc_TypeError, "a 0-d tensor has no len()");
    return -1;
}

PyObject *THPTensor_row(PyObject *self, Py_ssize_t index)
{
    THTensor *row = rowAt(THP_unwrap(self), index);
    return row ? THPTensor_wrap(row) : NULL;
}

PyObject *THPTensor_iterate(PyObject *self)
{
    if (THP_unwrap(self)->nDimension > 0)
        return PySeqIter_New(self);
    PyErr_SetString(PyExc_TypeError, "a 0-d tensor cannot be iterated over");
    return NULL;
}
