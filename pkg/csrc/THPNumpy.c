/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tensors as NumPy's arrays, without importing NumPy: where an array came in, it is imported
 * already.
 *
 * NumPy's C functions are called through its table `_ARRAY_API`, by the places and types that every
 * extension module is compiled with; they are a quarter of the cost of its Python functions. Of a
 * table whose version is unknown nothing is used, and the Python functions are. */
#include "THPInternal.h"

enum { GET_VERSION = 0, RETURN = 76, NEW = 93, SET_BASE = 282 };
enum { ALIGNED = 0x100, WRITEABLE = 0x400 };

typedef unsigned (*GetVersion)(void);
typedef PyObject *(*New)(PyTypeObject *type, int ndim, const intptr_t *dims, int code,
                         const intptr_t *strides, void *data, int itemsize, int flags,
                         PyObject *source);
typedef int (*SetBase)(PyObject *array, PyObject *base); /* steals the base in every case */
typedef PyObject *(*Return)(PyObject *array);            /* a scalar for a 0-d array; steals it */

/* All of them once NumPy is imported; they live as long as the process. */
static PyTypeObject *arrayType, *scalarType;
static PyObject *asarray;
static void *const *functions; /* NULL: unknown */

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
    scalarType = (PyTypeObject *)scalar;
    asarray = function;
    arrayType = (PyTypeObject *)array;
    return true;
}

bool THPNumpy_check(PyObject *object)
{
    if (arrayType == NULL && !findNumpy())
        return false;
    PyTypeObject *type = Py_TYPE(object);
    return type == arrayType || PyType_IsSubtype(type, arrayType) ||
           PyType_IsSubtype(type, scalarType);
}

static const char ownerName[] = "thwrap.tensor";

static void freeOwner(PyObject *capsule)
{
    THTensor_free(PyCapsule_GetPointer(capsule, ownerName));
}

/* The array keeps the tensor by a capsule: through a Tensor object its memory could be exchanged.
 */
static PyObject *ownerOf(THTensor *tensor)
{
    PyObject *owner = PyCapsule_New(tensor, ownerName, freeOwner);
    if (owner)
        THTensor_retain(tensor);
    return owner;
}

static PyObject *newArray(THTensor *tensor)
{
    intptr_t dims[TH_MAX_DIMS], strides[TH_MAX_DIMS];
    const char format = THDtype_formats[tensor->dtype];
    for (int i = 0; i < tensor->nDimension; i++) {
        dims[i] = (intptr_t)tensor->size[i];
        strides[i] = (intptr_t)(tensor->stride[i] * THTensor_itemSize(tensor));
    }
    const bool isReadOnly =
        tensor->storage->flag & TH_STORAGE_READONLY || THTensor_overlapsItself(tensor);
    PyObject *array = ((New)functions[NEW])(
        arrayType, tensor->nDimension, dims, format == 'q' && sizeof(long) == 8 ? 'l' : format,
        strides, THTensor_data(tensor), 0, ALIGNED | (isReadOnly ? 0 : WRITEABLE), NULL);
    if (array == NULL || THTensor_data(tensor) == NULL)
        return array; /* without memory there is nothing to keep */
    PyObject *owner = ownerOf(tensor);
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
    PyObject *array = newArray(THP_unwrap(tensor));
    return array && THP_unwrap(tensor)->nDimension == 0 ? ((Return)functions[RETURN])(array)
                                                        : array;
}
