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
    const unsigned n = (unsigned)tensor->nDimension;
    if (TH_LIKELY(n - 1 < TH_INLINE_DIMS)) /* one load less than by way of `size` */
        return (Py_ssize_t)tensor->inlined[0];
    if (n > 0)
        return (Py_ssize_t)tensor->size[0];
    PyErr_SetString(PyExc_TypeError, "a 0-d tensor has no len()");
    return -1;
}

PyObject *THPTensor_row(PyObject *self, Py_ssize_t index)
{
    THTensor *row = THPView_row(THP_unwrap(self), index);
    return row ? THPTensor_wrap(row) : NULL;
}

/* The rows of a tensor in turn. Python's iterator of sequences ends by an IndexError, whose words
 * take as long as five rows. */
typedef struct Rows {
    PyObject_HEAD PyObject *tensor; /* NULL after the last */
    Py_ssize_t next;
} Rows;

static PyTypeObject *rowsType;
static Rows *spareRows; /* one that is not in use, untracked */

static int rowsTraverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((Rows *)self)->tensor);
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static int rowsClear(PyObject *self)
{
    Py_CLEAR(((Rows *)self)->tensor);
    return 0;
}

static void rowsDealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    rowsClear(self);
    if (spareRows == NULL)
        spareRows = (Rows *)self;
    else
        PyObject_GC_Del(self);
    Py_DECREF(type);
}

static bool isLeft(const Rows *self)
{
    const THTensor *tensor = self->tensor ? THP_unwrap(self->tensor) : NULL;
    return tensor && tensor->nDimension > 0 && self->next < tensor->size[0];
}

static PyObject *nextRow(PyObject *object)
{
    Rows *self = (Rows *)object;
    if (TH_LIKELY(isLeft(self)))
        return THPTensor_row(self->tensor, self->next++);
    rowsClear(object);
    return NULL;
}

static PyObject *rowsLeft(PyObject *object, PyObject *ignored)
{
    (void)ignored;
    const Rows *self = (Rows *)object;
    return PyLong_FromLongLong(isLeft(self) ? THP_unwrap(self->tensor)->size[0] - self->next : 0);
}

static PyMethodDef rowsMethods[] = {
    {"__length_hint__", rowsLeft, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot rowsSlots[] = {
    {Py_tp_traverse, rowsTraverse},
    {Py_tp_clear, rowsClear},
    {Py_tp_dealloc, rowsDealloc},
    {Py_tp_iter, PyObject_SelfIter},
    {Py_tp_iternext, nextRow},
    {Py_tp_methods, rowsMethods},
    {0, NULL},
};

static PyType_Spec rowsSpec = {
    "thwrap.rows", sizeof(Rows), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, rowsSlots};

/* A subclass may have rows of its own. */
PyObject *THPTensor_iterate(PyObject *self)
{
    if (THP_unwrap(self)->nDimension == 0) {
        PyErr_SetString(PyExc_TypeError, "a 0-d tensor cannot be iterated over");
        return NULL;
    }
    if (!Py_IS_TYPE(self, THPTensor_type))
        return PySeqIter_New(self);
    if (rowsType == NULL && (rowsType = (PyTypeObject *)PyType_FromSpec(&rowsSpec)) == NULL)
        return NULL;
    Rows *rows = spareRows;
    spareRows = NULL;
    if (rows)
        PyObject_Init((PyObject *)rows, rowsType);
    else if ((rows = PyObject_GC_New(Rows, rowsType)) == NULL)
        return NULL;
    rows->tensor = Py_NewRef(self);
    rows->next = 0;
    PyObject_GC_Track(rows);
    return (PyObject *)rows;
}
