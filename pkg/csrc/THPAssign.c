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
static int writeView(const THPView *view, PyObject *value, const THScalar *number)
{
    if (view->n == 0 && number)
        return raised(THTensor_storeAt(view->self, view->offset, *number));
    THTensor *tensor =
        THP_isPlainOperand(value) && THPView_isSelf(view) ? view->self : THPView_tensor(view);
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
    THPViewItem items[THP_VIEW_ITEMS];
    THPView view;
    THScalar number;
    int status = -1;
    const int n = THPView_parse(key, items);
    if (n < 0)
        return -1;
    const int isNumber = numberOf(value, &number);
    if (isNumber >= 0 && THPView_make(&view, self, items, n) == 0)
        status = writeView(&view, value, isNumber ? &number : NULL);
    THPView_free(items, n);
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
    if (self->nDimension == 0 || THPView_offset(self, key, &offset) != self->nDimension ||
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
