/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Elements as Python numbers: item, tolist, and what int(), float(), bool() and indexing with a
 * tensor use. */
#include "THPInternal.h"

/* The only element; -1 with a ValueError when there is not exactly one. Calls of TH would take a
 * tenth of what float() takes: the usual dtypes go without. */
static inline int onlyElement(const THTensor *tensor, const char *message, THScalar *value)
{
    const int64_t n = tensor->nDimension == 0 ? 1 : THTensor_nElement(tensor);
    if (TH_UNLIKELY(n != 1)) {
        PyErr_Format(PyExc_ValueError, message, (long long)n);
        return -1;
    }
    const void *data = tensor->storage->data;
    if (TH_LIKELY(tensor->dtype == TH_FLOAT))
        *value = THScalar_fromDouble((double)((const float *)data)[tensor->storageOffset]);
    else if (tensor->dtype == TH_DOUBLE)
        *value = THScalar_fromDouble(((const double *)data)[tensor->storageOffset]);
    else
        *value = THTensor_getAt(tensor, tensor->storageOffset);
    return 0;
}

static int onlyNumber(PyObject *self, THScalar *value)
{
    return onlyElement(THP_unwrap(self),
                       "only a tensor with one element becomes a Python number, this one has %lld",
                       value);
}

static PyObject *tensorItem(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    THScalar value;
    return onlyNumber(self, &value) < 0 ? NULL : THP_scalarObject(value);
}

int THPTensor_truth(PyObject *self)
{
    THScalar value;
    return onlyElement(THP_unwrap(self),
                       "the truth value of a tensor with %lld elements is ambiguous", &value) < 0
               ? -1
               : THScalar_toBool(value);
}

PyObject *THPTensor_asInt(PyObject *self)
{
    THScalar value;
    if (onlyNumber(self, &value) < 0)
        return NULL;
    return value.kind == TH_SCALAR_DOUBLE ? PyLong_FromDouble(value.value.d)
                                          : PyLong_FromLongLong(value.value.l);
}

PyObject *THPTensor_asFloat(PyObject *self)
{
    THScalar value;
    return onlyNumber(self, &value) < 0 ? NULL : PyFloat_FromDouble(THScalar_toDouble(value));
}

PyObject *THPTensor_asIndex(PyObject *self)
{
    const THDtype dtype = (THDtype)THP_unwrap(self)->dtype;
    if (THDtype_category(dtype) != TH_CATEGORY_FLOATING)
        return THPTensor_asInt(self);
    PyErr_Format(PyExc_TypeError, "only a tensor of integers is an index, not one of %s",
                 THDtype_name(dtype));
    return NULL;
}

/* The items of a list from the elements of one dim; a loop for each dtype, as there is little else
 * to do. */
static int fillList(PyObject *list, THDtype dtype, int64_t n, const char *element, int64_t step)
{
#define CASE(code, type, make)                                                 \
    case code:                                                                 \
        for (int64_t i = 0; i < n; i++, element += step) {                     \
            const type value = *(const type *)(const void *)element;           \
            PyObject *item = make;                                             \
            if (item == NULL || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) \
                return -1;                                                     \
        }                                                                      \
        return 0;
    switch (dtype) {
        CASE(TH_BYTE, uint8_t, PyLong_FromLong(value))
        CASE(TH_CHAR, int8_t, PyLong_FromLong(value))
        CASE(TH_SHORT, int16_t, PyLong_FromLong(value))
        CASE(TH_INT, int32_t, PyLong_FromLong(value))
        CASE(TH_LONG, int64_t, PyLong_FromLongLong(value))
        CASE(TH_HALF, THHalf, PyFloat_FromDouble((double)THHalf_toFloat(value)))
        CASE(TH_FLOAT, float, PyFloat_FromDouble((double)value))
        CASE(TH_DOUBLE, double, PyFloat_FromDouble(value))
        CASE(TH_BOOL, uint8_t, Py_NewRef(value ? Py_True : Py_False))
    }
#undef CASE
    return 0;
}

static PyObject *listFrom(const THTensor *tensor, int dim, int64_t offset, int64_t itemSize)
{
    if (dim == tensor->nDimension)
        return THP_scalarObject(THTensor_getAt(tensor, offset));
    const int64_t n = tensor->size[dim], stride = tensor->stride[dim];
    PyObject *list = PyList_New((Py_ssize_t)n);
    if (list && dim == tensor->nDimension - 1 && n > 0) {
        const char *first = (const char *)tensor->storage->data + offset * itemSize;
        if (fillList(list, (THDtype)tensor->dtype, n, first, stride * itemSize) < 0)
            Py_CLEAR(list);
        return list;
    }
    for (int64_t i = 0; list && i < n; i++, offset += stride) {
        PyObject *item = listFrom(tensor, dim + 1, offset, itemSize);
        if (item == NULL)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, (Py_ssize_t)i, item);
    }
    return list;
}

PyObject *THPItem_list(const THTensor *tensor)
{
    return listFrom(tensor, 0, tensor->storageOffset, THTensor_itemSize(tensor));
}

/* A list of numbers; NULL without an exception where the tensor is not of one dim any more: making
 * the list may run finalizers, but filling it does not. */
static PyObject *flatList(const THTensor *tensor)
{
    const int64_t n = tensor->size[0];
    PyObject *list = PyList_New((Py_ssize_t)n);
    if (list == NULL)
        return NULL;
    const int64_t itemSize = THTensor_itemSize(tensor);
    if (tensor->nDimension != 1 || tensor->size[0] != n ||
        fillList(list, (THDtype)tensor->dtype, n, THTensor_data(tensor),
                 tensor->stride[0] * itemSize) < 0)
        Py_CLEAR(list);
    return list;
}

/* Else by a copy of its dims, which finalizers cannot reshape. */
static PyObject *tensorToList(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    const THTensor *tensor = THP_unwrap(self);
    if (tensor->nDimension == 1) {
        PyObject *list = flatList(tensor);
        if (TH_LIKELY(list != NULL) || PyErr_Occurred())
            return list;
    }
    int64_t size[TH_MAX_DIMS], stride[TH_MAX_DIMS];
    THTensor view = *tensor;
    for (int d = 0; d < tensor->nDimension; d++) {
        size[d] = tensor->size[d];
        stride[d] = tensor->stride[d];
    }
    view.size = size;
    view.stride = stride;
    if (view.storage)
        THStorage_retain(view.storage);
    PyObject *list = THPItem_list(&view);
    THStorage_free(view.storage);
    return list;
}

PyMethodDef THPTensor_itemMethods[] = {
    {"item", tensorItem, METH_NOARGS, "item($self, /)\n--\n\nThe only element as a Python number."},
    {"tolist", tensorToList, METH_NOARGS,
     "tolist($self, /)\n--\n\nThe elements as nested lists of Python numbers."},
    {NULL, NULL, 0, NULL},
};
