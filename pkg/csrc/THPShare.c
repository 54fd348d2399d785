/* SPDX-License-Identifier: BSD-3-Clause
 *
 * asarray and as_tensor: tensors over memory that others have, where there is such. */
#include "THPInternal.h"

/* Numbers and sequences of Python: asking them for memory would only take time. */
static bool isPlain(PyObject *data)
{
    return PyList_Check(data) || PyTuple_Check(data) || THP_numberKind(data) >= 0;
}

/* One object for a name: the interpreter remembers each one that it looked up. */
static bool hasMember(PyObject *object, PyObject **kept, const char *name)
{
    if (*kept == NULL && (*kept = PyUnicode_InternFromString(name)) == NULL) {
        PyErr_Clear();
        return false;
    }
    return PyObject_HasAttr(object, *kept);
}

/* Of an array itself `__array_interface__` would be made. */
static bool isByDlpack(PyObject *data)
{
    static PyObject *interface, *dlpack;
    return !hasMember((PyObject *)Py_TYPE(data), &interface, "__array_interface__") &&
           hasMember(data, &dlpack, "__dlpack__");
}

/* A tensor over the memory of an object with the buffer protocol or DLPack; NULL, where no memory
 * is to be had without an exception. */
static PyObject *share(PyObject *data)
{
    if (isPlain(data))
        return NULL;
    PyObject *tensor = THPNumpy_tensor(data, false);
    if (tensor || PyErr_Occurred())
        return tensor;
    if (isByDlpack(data))
        tensor = THPDlpack_tensor(data, "asarray: ", THP_DLPACK_OWN);
    else if (PyObject_CheckBuffer(data))
        tensor = THPBuffer_tensor(data, -1);
    if (tensor == NULL && PyErr_Occurred() &&
        (PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_ValueError) ||
         PyErr_ExceptionMatches(PyExc_BufferError) || PyErr_ExceptionMatches(PyExc_RuntimeError)))
        PyErr_Clear();
    return tensor;
}

static PyObject *copyOf(PyObject *data, int dtype)
{
    THTensor *copy = THPCreate_tensor(data, dtype);
    return copy ? THPTensor_wrap(copy) : NULL;
}

typedef enum Copying { NEVER, ALWAYS, IF_NEEDED } Copying;

static PyObject *asArray(PyObject *data, int dtype, Copying copying)
{
    if (copying == ALWAYS)
        return copyOf(data, dtype);
    PyObject *tensor = THP_isTensor(data) ? Py_NewRef(data) : share(data), *copy = NULL;
    if (tensor ? dtype < 0 || THP_unwrap(tensor)->dtype == dtype : PyErr_Occurred() != NULL)
        return tensor;
    PyObject *name = copying == NEVER ? THP_typeName(data) : NULL;
    if (name)
        PyErr_Format(PyExc_ValueError, "asarray: %U cannot become this tensor without a copy",
                     name);
    else if (copying == IF_NEEDED)
        copy = copyOf(tensor ? tensor : data, dtype);
    Py_XDECREF(name);
    Py_XDECREF(tensor);
    return copy;
}

PyObject *THPShare_tensor(PyObject *data)
{
    return asArray(data, -1, IF_NEEDED);
}

static const THPParam arrayParams[] = {
    {"obj", NULL, THP_TENSOR, 0, 0},
    {"dtype", NULL, THP_DTYPE, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 0},
    {"copy", NULL, THP_BOOL, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 0},
};
static const THPSignature arraySignature = {
    "asarray", "(object obj, *, dtype dtype=None, bool copy=None)", arrayParams, 3, 1, -1};

static PyObject *callAsArray(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *kwnames)
{
    (void)module;
    PyObject *values[3];
    int dtype;
    bool copy = false;
    if (THPCreate_read(&arraySignature, args, nargs, kwnames, values, &dtype) < 0 ||
        THP_readBool(&arraySignature, 2, values[2], &copy) < 0)
        return NULL;
    return asArray(values[0], dtype, values[2] == NULL ? IF_NEEDED : copy ? ALWAYS : NEVER);
}

static const THPParam tensorParams[] = {
    {"data", NULL, THP_TENSOR, 0, 0},
    {"dtype", NULL, THP_DTYPE, THP_OPTIONAL | THP_NULLABLE, 0},
};
static const THPSignature tensorSignature = {
    "as_tensor", "(object data, dtype dtype=None)", tensorParams, 2, 2, -1};

static PyObject *callAsTensor(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                              PyObject *kwnames)
{
    (void)module;
    PyObject *values[2];
    int dtype;
    if (THPCreate_read(&tensorSignature, args, nargs, kwnames, values, &dtype) < 0)
        return NULL;
    return asArray(values[0], dtype, IF_NEEDED);
}

PyMethodDef THPShare_functions[] = {
    {"asarray", THP_METHOD(callAsArray), METH_FASTCALL | METH_KEYWORDS,
     "asarray($module, obj, *, dtype=None, copy=None)\n--\n\nA tensor with the elements of `obj`, "
     "over its memory where that is possible.\n\ncopy: True makes a copy always; False raises "
     "ValueError where one is needed; None copies only then."},
    {"as_tensor", THP_METHOD(callAsTensor), METH_FASTCALL | METH_KEYWORDS,
     "as_tensor($module, data, dtype=None)\n--\n\nA tensor with the elements of `data`: itself if "
     "it is one, over its memory if it is an array, else a new one."},
    {NULL, NULL, 0, NULL},
};
