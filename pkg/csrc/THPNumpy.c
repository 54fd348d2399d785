/* SPDX-License-Identifier: BSD-3-Clause
 *
 * NumPy's arrays as tensors and tensors as NumPy's arrays, without importing NumPy: where an array
 * came in, it is imported already.
 *
 * NumPy's C functions are called through its table `_ARRAY_API`, by the places and types that every
 * extension module is compiled with; they are a quarter of the cost of its Python functions. Of a
 * table whose version is unknown nothing is used, and the Python functions are. */
#include "THPInternal.h"
#include <string.h>

enum { GET_VERSION = 0, RETURN = 76, NEW = 93, SET_BASE = 282 };
enum { C_CONTIGUOUS = 0x1, ALIGNED = 0x100, WRITEABLE = 0x400 };

typedef unsigned (*GetVersion)(void);
typedef PyObject *(*New)(PyTypeObject *type, int ndim, const intptr_t *dims, int code,
                         const intptr_t *strides, void *data, int itemsize, int flags,
                         PyObject *source);
typedef int (*SetBase)(PyObject *array, PyObject *base); /* steals the base in every case */
typedef PyObject *(*Return)(PyObject *array);            /* a scalar for a 0-d array; steals it */

/* All of them once NumPy is imported; they live as long as the process. */
static PyTypeObject *arrayType, *scalarType;
static PyObject *asarray;
static void *const *functions;  /* NULL: unknown */
static signed char dtypes[128]; /* by NumPy's type characters; -1: there is none */

/* How objects of NumPy begin, the same for all versions whose functions are used. */
typedef struct Descr {
    PyObject base;
    PyTypeObject *type;
    char kind, character, byteorder, flags;
} Descr;
typedef struct Array {
    PyObject base;
    char *data;
    int nDimension;
    intptr_t *size, *stride; /* strides in bytes */
    PyObject *owner;
    Descr *descr;
    int flags;
} Array;

static bool isType(PyObject *object)
{
    return object && PyType_Check(object);
}

static void *const *findFunctions(void)
{
    PyObject *module = PyImport_ImportModule("numpy._core._multiarray_umath");
    if (module == NULL) {
        PyErr_Clear();
        module = PyImport_ImportModule("numpy.core._multiarray_umath");
    }
    PyObject *capsule = module ? PyObject_GetAttrString(module, "_ARRAY_API") : NULL;
    void *const *table = capsule ? PyCapsule_GetPointer(capsule, NULL) : NULL;
    Py_XDECREF(capsule);
    Py_XDECREF(module);
    PyErr_Clear();
    if (table == NULL)
        return NULL;
    const unsigned version = ((GetVersion)table[GET_VERSION])();
    return version == 0x1000009 || version == 0x2000000 ? table : NULL;
}

static void findDtypes(void)
{
    for (size_t i = 0; i < sizeof dtypes; i++)
        dtypes[i] = -1;
    for (int code = 0; code < TH_DTYPE_LIMIT; code++)
        if (THDtype_isValid(code))
            dtypes[(size_t)THDtype_formats[code]] = (signed char)code;
    dtypes['l'] = sizeof(long) == 8 ? TH_LONG : TH_INT;
}

/* False while NumPy is not imported. */
static bool findNumpy(void)
{
    PyObject *name = PyUnicode_FromString("numpy");
    PyObject *numpy = name ? PyImport_GetModule(name) : NULL;
    PyObject *array = numpy ? PyObject_GetAttrString(numpy, "ndarray") : NULL;
    PyObject *scalar = array ? PyObject_GetAttrString(numpy, "generic") : NULL;
    PyObject *function = scalar ? PyObject_GetAttrString(numpy, "asarray") : NULL;
    Py_XDECREF(name);
    Py_XDECREF(numpy);
    if (!isType(array) || !isType(scalar) || function == NULL || arrayType) {
        PyErr_Clear();
        Py_XDECREF(array);
        Py_XDECREF(scalar);
        Py_XDECREF(function);
        return arrayType != NULL;
    }
    functions = findFunctions();
    findDtypes();
    scalarType = (PyTypeObject *)scalar;
    asarray = function;
    arrayType = (PyTypeObject *)array;
    return true;
}

bool THPNumpy_isArray(PyObject *object)
{
    return (arrayType || findNumpy()) && PyObject_TypeCheck(object, arrayType);
}

bool THPNumpy_check(PyObject *object)
{
    return THPNumpy_isArray(object) || (arrayType && PyObject_TypeCheck(object, scalarType));
}

PyObject *THPNumpy_get(const char *name)
{
    PyObject *numpy = PyImport_ImportModule("numpy");
    PyObject *member = numpy ? PyObject_GetAttrString(numpy, name) : NULL;
    Py_XDECREF(numpy);
    return member;
}

/* Sizes and strides of an array, and the bytes from the first element to the end of the last; false
 * where they are not those of a tensor. */
static bool readLayout(const Array *array, int64_t itemSize, THPSize *size, int64_t *stride,
                       int64_t *bytes)
{
    int64_t last = 0, span;
    bool isEmpty = false, fits = true;
    size->n = array->nDimension;
    for (int i = 0; i < array->nDimension; i++) {
        const int64_t n = array->size[i], apart = array->stride[i];
        if (n > 1 && (apart < 0 || apart % itemSize != 0))
            return false;
        size->size[i] = n;
        stride[i] = apart < 0 ? 1 : apart / itemSize;
        isEmpty |= n == 0;
        if (n > 1)
            fits = fits && THSize_mul(n - 1, apart, &span) && THSize_add(last, span, &last);
    }
    *bytes = 0;
    return isEmpty || (fits && THSize_add(last, itemSize, bytes));
}

static void dropArray(void *array)
{
    Py_DECREF((PyObject *)array);
}

/* Deleter of storages over an array. */
static void releaseArray(void *array, void *data)
{
    (void)data;
    THP_giveBack(dropArray, array);
}

/* The dtype of what is exactly an array with elements as a tensor's; -1 for all else. */
static int dtypeOf(PyObject *object)
{
    const Array *array = (const Array *)object;
    if (!(arrayType || findNumpy()) || Py_TYPE(object) != arrayType || functions == NULL)
        return -1;
    const Descr *descr = array->descr;
    const bool isNative = descr->byteorder == '=' || descr->byteorder == '|';
    const int dtype = descr->character > 0 ? dtypes[(size_t)descr->character] : -1;
    return isNative && array->nDimension <= TH_MAX_DIMS && array->flags & ALIGNED ? dtype : -1;
}

PyObject *THPNumpy_tensor(PyObject *object, bool readOnly)
{
    const Array *array = (const Array *)object;
    THPSize size;
    int64_t stride[TH_MAX_DIMS], bytes;
    const int dtype = dtypeOf(object);
    if (dtype < 0 || !(array->flags & WRITEABLE || readOnly) ||
        !readLayout(array, THDtype_size((THDtype)dtype), &size, stride, &bytes))
        return NULL;
    THStorage *storage;
    THTensor *tensor = NULL;
    int status = THStorage_newWithData(&storage, array->data, bytes, releaseArray, object);
    if (status != TH_OK)
        return NULL;
    Py_INCREF(object);
    if (!(array->flags & WRITEABLE))
        storage->flag |= TH_STORAGE_READONLY;
    status =
        THTensor_newWithStorage(&tensor, (THDtype)dtype, storage, 0, size.n, size.size, stride);
    THStorage_free(storage);
    return status == TH_OK ? THPTensor_wrap(tensor) : NULL;
}

bool THPNumpy_run(PyObject *object, THPRun *run)
{
    const Array *array = (const Array *)object;
    run->dtype = dtypeOf(object);
    if (run->dtype < 0 || !(array->flags & C_CONTIGUOUS))
        return false;
    run->data = array->data;
    run->size.n = array->nDimension;
    for (int i = 0; i < array->nDimension; i++)
        run->size.size[i] = array->size[i];
    return true;
}

THTensor *THPNumpy_copy(PyObject *object)
{
    THPRun run; /* large: no initialiser */
    THTensor *tensor;
    if (!THPNumpy_run(object, &run) ||
        THTensor_newWithSize(&tensor, (THDtype)run.dtype, run.size.n, run.size.size) != TH_OK)
        return NULL;
    const size_t bytes = (size_t)(THTensor_nElement(tensor) * THTensor_itemSize(tensor));
    if (bytes > 0)
        memcpy(THTensor_data(tensor), run.data, bytes);
    return tensor;
}

PyObject *THPNumpy_inPython(const char *function, PyObject *first, PyObject *const *args,
                            Py_ssize_t nargs, PyObject *kwnames)
{
    const Py_ssize_t nkeywords = kwnames ? PyTuple_Size(kwnames) : 0;
    PyObject *file = PyImport_ImportModule("thwrap._numpy"), *result = NULL;
    PyObject *called = file ? PyObject_GetAttrString(file, function) : NULL;
    PyObject *positional = called ? PyTuple_New(1 + nargs) : NULL;
    PyObject *named = positional ? PyDict_New() : NULL;
    bool filled = named && PyTuple_SetItem(positional, 0, Py_NewRef(first)) == 0;
    for (Py_ssize_t i = 0; filled && i < nargs; i++)
        filled = PyTuple_SetItem(positional, i + 1, Py_NewRef(args[i])) == 0;
    for (Py_ssize_t i = 0; filled && i < nkeywords; i++)
        filled = PyDict_SetItem(named, PyTuple_GetItem(kwnames, i), args[nargs + i]) == 0;
    if (filled)
        result = PyObject_Call(called, positional, named);
    Py_XDECREF(named);
    Py_XDECREF(positional);
    Py_XDECREF(called);
    Py_XDECREF(file);
    return result;
}

/* What cannot be had at once is explained, or done, in Python. */
static PyObject *fromNumpy(PyObject *module, PyObject *array)
{
    (void)module;
    PyObject *tensor = THPNumpy_tensor(array, false);
    if (tensor || PyErr_Occurred())
        return tensor;
    return THPNumpy_inPython("from_numpy", array, NULL, 0, NULL);
}

PyMethodDef THPNumpy_functions[] = {
    {"from_numpy", fromNumpy, METH_O,
     "from_numpy($module, ndarray, /)\n--\n\nA tensor over the memory of a NumPy array. ValueError "
     "or TypeError for arrays no tensor can be a view of."},
    {NULL, NULL, 0, NULL},
};

static const char ownerName[] = "thwrap.tensor";

static void freeOwner(PyObject *capsule)
{
    THTensor_free(PyCapsule_GetPointer(capsule, ownerName));
}

static void freePinned(PyObject *capsule)
{
    THStorage *storage = PyCapsule_GetPointer(capsule, ownerName);
    THStorage_unpin(storage);
    THStorage_free(storage);
}

/* The array keeps the tensor by a capsule: through a Tensor object its memory could be exchanged.
 * What the user has as well is pinned: its memory stays where it is. */
static PyObject *ownerOf(THTensor *tensor, bool isPinned)
{
    THStorage *storage = tensor->storage;
    PyObject *owner = isPinned ? PyCapsule_New(storage, ownerName, freePinned)
                               : PyCapsule_New(tensor, ownerName, freeOwner);
    if (owner && isPinned) {
        THStorage_retain(storage);
        THStorage_pin(storage);
    } else if (owner) {
        THTensor_retain(tensor);
    }
    return owner;
}

static PyObject *newArray(THTensor *tensor, bool isPinned)
{
    intptr_t dims[TH_MAX_DIMS], strides[TH_MAX_DIMS];
    const char format = THDtype_formats[tensor->dtype];
    for (int i = 0; i < tensor->nDimension; i++) {
        dims[i] = (intptr_t)tensor->size[i];
        strides[i] = (intptr_t)(tensor->stride[i] * THTensor_itemSize(tensor));
    }
    const bool isReadOnly = THP_isReadOnly(tensor) || THTensor_overlapsItself(tensor);
    PyObject *array = ((New)functions[NEW])(
        arrayType, tensor->nDimension, dims, format == 'q' && sizeof(long) == 8 ? 'l' : format,
        strides, THTensor_data(tensor), 0, ALIGNED | (isReadOnly ? 0 : WRITEABLE), NULL);
    if (array == NULL || THTensor_data(tensor) == NULL)
        return array; /* without memory there is nothing to keep */
    PyObject *owner = ownerOf(tensor, isPinned);
    if (owner == NULL || ((SetBase)functions[SET_BASE])(array, owner) < 0)
        Py_CLEAR(array);
    return array;
}

/* The same by NumPy's Python functions; the memoryview is the owner. */
static PyObject *newArraySlowly(PyObject *tensor)
{
    PyObject *view = PyMemoryView_FromObject(tensor);
    PyObject *array = view ? PyObject_CallFunctionObjArgs(asarray, view, NULL) : NULL;
    Py_XDECREF(view);
    if (array == NULL || THP_unwrap(tensor)->nDimension > 0)
        return array;
    PyObject *empty = PyTuple_New(0);
    PyObject *scalar = empty ? PyObject_GetItem(array, empty) : NULL;
    Py_XDECREF(empty);
    Py_DECREF(array);
    return scalar;
}

PyObject *THPNumpy_array(PyObject *tensor)
{
    if (functions == NULL)
        return newArraySlowly(tensor);
    PyObject *array = newArray(THP_unwrap(tensor), false);
    return array && THP_unwrap(tensor)->nDimension == 0 ? ((Return)functions[RETURN])(array)
                                                        : array;
}

/* In Python where NumPy is not imported yet, or its functions are unknown. */
PyObject *THPNumpy_over(PyObject *tensor)
{
    if ((arrayType || findNumpy()) && functions)
        return newArray(THP_unwrap(tensor), true);
    return THPNumpy_inPython("to_numpy", tensor, NULL, 0, NULL);
}

static PyObject *tensorToNumpy(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return THPNumpy_over(self);
}

/* __array__(dtype=None, copy=None) */
static PyObject *tensorToArray(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *kwnames)
{
    return nargs == 0 && kwnames == NULL
               ? THPNumpy_over(self)
               : THPNumpy_inPython("to_array", self, args, nargs, kwnames);
}

PyMethodDef THPTensor_numpyMethods[] = {
    {"numpy", tensorToNumpy, METH_NOARGS,
     "numpy($self, /)\n--\n\nA NumPy array over the same memory; read-only where elements share "
     "memory."},
    {"__array__", THP_METHOD(tensorToArray), METH_FASTCALL | METH_KEYWORDS,
     "__array__($self, dtype=None, copy=None)\n--\n\nThe same for NumPy, in a dtype of NumPy's."},
    {"__array_ufunc__", THP_METHOD(THPUfunc_apply), METH_FASTCALL | METH_KEYWORDS,
     "A ufunc of NumPy with a tensor among its operands: operators give tensors, others arrays."},
    {NULL, NULL, 0, NULL},
};
