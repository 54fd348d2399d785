/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tensor[...]: where no tensors index it, a view. */
#include "THPView.h"
#include <TH/THIndex.h>

/* What is at the view, or at the index tensors in it. */
static THTensor *readView(const THPView *view)
{
    THTensor *tensor =
                 view->nindices > 0 && THPView_isSelf(view) ? view->self : THPView_tensor(view),
             *result;
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
    THPViewItem items[THP_VIEW_ITEMS];
    THPView view;
    THTensor *result = NULL;
    const int n = THPView_parse(key, items);
    if (n < 0)
        return NULL;
    if (THPView_make(&view, self, items, n) == 0)
        result = readView(&view);
    THPView_free(items, n);
    return result;
}

PyObject *THPTensor_subscript(PyObject *object, PyObject *key)
{
    THTensor *self = THP_unwrap(object), *result = NULL;
    if (Py_IS_TYPE(key, &PySlice_Type)) {
        result = THPView_slice(self, key);
        return result ? THPTensor_wrap(result) : NULL;
    }
    int64_t offset;
    const int dims = THPView_offset(self, key, &offset);
    if (TH_LIKELY(dims > 0)) {
        const int status =
            THTensor_makeView(&result, (THDtype)self->dtype, self->storage, offset,
                              self->nDimension - dims, self->size + dims, self->stride + dims);
        return THPTensor_finish(status, result);
    }
    result = subscript(self, key);
    return result ? THPTensor_wrap(result) : NULL;
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
    THTensor *row = THPView_row(THP_unwrap(self), index);
    return row ? THPTensor_wrap(row) : NULL;
}

PyObject *THPTensor_iterate(PyObject *self)
{
    if (THP_unwrap(self)->nDimension > 0)
        return PySeqIter_New(self);
    PyErr_SetString(PyExc_TypeError, "a 0-d tensor cannot be iterated over");
    return NULL;
}
