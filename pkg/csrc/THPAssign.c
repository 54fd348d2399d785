/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tensor[...] = value. */
#include "THPView.h"
#include <TH/THIndex.h>

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

/* A new reference to what is stored: a tensor itself, others in the dtype of the view. `number` is
 * the value where it is one. */
static THTensor *valueTensor(PyObject *value, const THScalar *number, THDtype dtype)
{
    THTensor *tensor = NULL;
    if (number == NULL && !THP_isTensor(value))
        return THPCreate_tensor(value, dtype);
    if (number == NULL) {
        tensor = THP_unwrap(value);
        THTensor_retain(tensor);
        return tensor;
    }
    if (raised(THTensor_newWithSize(&tensor, dtype, 0, NULL)) < 0)
        return NULL;
    if (raised(THTensor_fill(tensor, *number)) == 0) /* which checks that the number fits */
        return tensor;
    THTensor_free(tensor);
    return NULL;
}

static int putAt(THTensor *view, const THPView *indexed, PyObject *value, const THScalar *number)
{
    if (checkWritable(view) < 0)
        return -1;
    THTensor *other = valueTensor(value, number, (THDtype)view->dtype);
    if (other == NULL)
        return -1;
    const int status = THTensor_indexPut(view, indexed->indices, indexed->nindices, other);
    THTensor_free(other);
    return raised(status);
}

/* Other values than numbers and tensors may run Python code, which may give self other dims. */
static int writeView(const THPView *view, PyObject *value, const THScalar *number)
{
    if (view->n == 0 && number)
        return raised(THTensor_storeAt(view->self, view->offset, *number));
    const bool isKnown = number != NULL || Py_IS_TYPE(value, THPTensor_type);
    THTensor *tensor = isKnown && THPView_isSelf(view) ? view->self : THPView_tensor(view);
    if (tensor == NULL)
        return -1;
    int status;
    if (view->nindices > 0)
        status = putAt(tensor, view, value, number);
    else if (number == NULL)
        status = THPTensor_store(tensor, value);
    else
        status = checkWritable(tensor) < 0 ? -1 : raised(THTensor_fill(tensor, *number));
    if (tensor != view->self)
        THTensor_free(tensor);
    return status;
}

/* `number` is what elementOf found. */
static int assign(THTensor *self, PyObject *key, PyObject *value, const THScalar *number)
{
    THPViewItem items[THP_VIEW_ITEMS];
    THPView view;
    int status = -1;
    const int n = THPView_parse(key, items);
    if (n < 0)
        return -1;
    if (THPView_make(&view, self, items, n) == 0)
        status = writeView(&view, value, number);
    THPView_free(items, n);
    return status;
}

/* What is stored as it is: a number, or the element of a 0-d tensor of the same dtype. 1, 0 where
 * it is neither, -1 with an exception. */
static int elementOf(const THTensor *self, PyObject *value, THScalar *number)
{
    if (!Py_IS_TYPE(value, THPTensor_type))
        return numberOf(value, number);
    const THTensor *tensor = THP_unwrap(value);
    if (tensor->nDimension > 0 || tensor->dtype != self->dtype)
        return 0;
    *number = THTensor_getAt(tensor, tensor->storageOffset);
    return 1;
}

/* The value is read first: all else that runs Python code is the key. */
int THPTensor_assign(PyObject *object, PyObject *key, PyObject *value)
{
    THTensor *self = THP_unwrap(object);
    THScalar number;
    int64_t offset;
    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "elements of a tensor cannot be deleted");
        return -1;
    }
    const int isElement = elementOf(self, value, &number);
    if (isElement < 0)
        return -1;
    if (isElement && self->nDimension > 0 && THPView_offset(self, key, &offset) == self->nDimension)
        return raised(THTensor_storeAt(self, offset, number));
    return assign(self, key, value, isElement ? &number : NULL);
}
