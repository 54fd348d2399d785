/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Elements as Python numbers: item, tolist, and what int(), float(), bool() and indexing with a
 * tensor use. */
#include "THPInternal.h"

/* The only element; -1 with a ValueError when there is not exactly one. */
static int onlyElement(PyObject *self, THScalar *value)
{
    const THTensor *tensor = THP_unwrap(self);
    const int64_t n = tensor->nDimension == 0 ? 1 : THTensor_nElement(tensor);
    if (n != 1) {
        PyErr_Format(PyExc_ValueError,
                     "only a tensor with one element becomes a Python number, this one has %lld",
                     (long long)n);
        return -1;
    }
    *value = THTensor_getAt(tensor, tensor->storageOffset);
    return 0;
}

static PyObject *tensorItem(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    THScalar value;
    return onlyElement(self, &value) < 0 ? NULL : THP_scalarObject(value);
}

int THPTensor_truth(PyObject *self)
{
    const THTensor *tensor = THP_unwrap(self);
    const int64_t n = tensor->nDimension == 0 ? 1 : THTensor_nElement(tensor);
    if (n != 1) {
        PyErr_Format(PyExc_ValueError,
                     "the truth value of a tensor with %lld elements is ambiguous", (long long)n);
        return -1;
    }
    return THScalar_toBool(THTensor_getAt(tensor, tensor->storageOffset));
}

PyObject *THPTensor_asInt(PyObject *self)
{
    THScalar value;
    if (onlyElement(self, &value) < 0)
        return NULL;
    return value.kind == TH_SCALAR_DOUBLE ? PyLong_FromDouble(value.value.d)
                                          : PyLong_FromLongLong(value.value.l);
}

PyObject *THPTensor_asFloat(PyObject *self)
{
    THScalar value;
    return onlyElement(self, &value) < 0 ? NULL : PyFloat_FromDouble(THScalar_toDouble(value));
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

static PyObject *listFrom(const THTensor *tensor, int dim, int64_t offset)
{
    if (dim == tensor->nDimension)
        return THP_scalarObject(THTensor_getAt(tensor, offset));
    PyObject *list = PyList_New((Py_ssize_t)tensor->size[dim]);
    for (int64_t i = 0; list && i < tensor->size[dim]; i++, offset += tensor->stride[dim]) {
        PyObject *item = listFrom(tensor, dim + 1, offset);
        if (item == NULL)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, (Py_ssize_t)i, item);
    }
    return list;
}

PyObject *THPItem_list(const THTensor *tensor)
{
    return listFrom(tensor, 0, tensor->storageOffset);
}

/* Through an alias: making lists may run finalizers, and those could reshape the tensor. */
static PyObject *tensorToList(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    THTensor *alias;
    const int status = THTensor_newAlias(&alias, THP_unwrap(self));
    if (status != TH_OK)
        return THP_raise(status);
    PyObject *list = THPItem_list(alias);
    THTensor_free(alias);
    return list;
}

PyMethodDef THPTensor_itemMethods[] = {
    {"item", tensorItem, METH_NOARGS, "item($self, /)\n--\n\nThe only element as a Python number."},
    {"tolist", tensorToList, METH_NOARGS,
     "tolist($self, /)\n--\n\nThe elements as nested lists of Python numbers."},
    {NULL, NULL, 0, NULL},
};
