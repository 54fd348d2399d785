/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tensors from Python data: numbers, nested sequences, arrays, tensors.
 *
 * Nested sequences are walked twice: for the dtype (unless given), then for the elements. Lengths
 * are compared with the shape found at the start in both walks, so that sequences that change
 * under way are an error. */
#include "THPInternal.h"
#include <string.h>

typedef struct Nested {
    int n;
    int64_t size[TH_MAX_DIMS];
    int category; /* the highest so far */
    THTensor *tensor;
    int64_t offset; /* of the next element */
} Nested;

typedef int (*Leaf)(Nested *nested, PyObject *object);

static THTensor *fromNested(PyObject *data, int dtype);

/* Is it a container to descend into? -1 with an exception. A TypeError from len(), as of NumPy's
 * 0-d arrays, means no. */
static int isSequence(PyObject *object)
{
    if (PyFloat_CheckExact(object) || PyLong_CheckExact(object))
        return 0;
    if (PyList_CheckExact(object) || PyList_Check(object) || PyTuple_Check(object))
        return 1;
    if (THP_isTensor(object))
        return THP_unwrap(object)->nDimension > 0;
    if (PyUnicode_Check(object) || PyBytes_Check(object) || !PySequence_Check(object))
        return 0;
    if (PyObject_Size(object) >= 0)
        return 1;
    if (!PyErr_ExceptionMatches(PyExc_TypeError))
        return -1;
    PyErr_Clear();
    return 0;
}

/* A new reference. */
static PyObject *itemAt(PyObject *sequence, Py_ssize_t i)
{
    if (PyList_CheckExact(sequence) || PyList_Check(sequence))
        return Py_XNewRef(PyList_GetItem(sequence, i));
    if (PyTuple_Check(sequence))
        return Py_XNewRef(PyTuple_GetItem(sequence, i));
    return PySequence_GetItem(sequence, i);
}

static int leafError(PyObject *object)
{
    const int sequence = isSequence(object);
    PyObject *name = sequence == 0 ? THP_typeName(object) : NULL;
    if (sequence == 1)
        PyErr_SetString(PyExc_ValueError, "tensor: sequences and numbers stand at the same depth");
    else if (name)
        PyErr_Format(PyExc_TypeError, "tensor: elements are numbers, not %U", name);
    Py_XDECREF(name);
    return -1;
}

static int findCategory(Nested *nested, PyObject *object)
{
    int category;
    if (PyFloat_CheckExact(object))
        category = TH_CATEGORY_FLOATING;
    else if (PyLong_CheckExact(object))
        category = TH_CATEGORY_INTEGRAL;
    else if (THP_isTensor(object) && THP_unwrap(object)->nDimension == 0)
        category = THDtype_category((THDtype)THP_unwrap(object)->dtype);
    else {
        const int kind = THP_numberKind(object);
        if (kind < 0)
            return leafError(object);
        category = kind == TH_SCALAR_DOUBLE ? TH_CATEGORY_FLOATING
                   : kind == TH_SCALAR_BOOL ? TH_CATEGORY_BOOL
                                            : TH_CATEGORY_INTEGRAL;
    }
    if (category > nested->category)
        nested->category = category;
    return 0;
}

/* Can an element of this integral dtype be this number (a float is truncated)? */
static bool fits(THScalar value, THDtype dtype)
{
    if (value.kind == TH_SCALAR_ULONG)
        return false;
    if (value.kind == TH_SCALAR_DOUBLE &&
        !(value.value.d >= -9223372036854775808.0 && value.value.d < 9223372036854775808.0))
        return false;
    const int64_t number = THScalar_toLong(value);
    switch (dtype) {
#define TH_FITS(Real, CODE) \
    case CODE:              \
        return (int64_t)TH##Real##_fromScalar(THScalar_fromLong(number)) == number;
        TH_FORALL_DTYPES(TH_FITS)
#undef TH_FITS
    }
    return false;
}

static int storeElement(Nested *nested, PyObject *object)
{
    THScalar value;
    const THDtype dtype = (THDtype)nested->tensor->dtype;
    if (PyFloat_CheckExact(object) && THDtype_category(dtype) == TH_CATEGORY_FLOATING) {
        value = THScalar_fromDouble(PyFloat_AsDouble(object));
        THTensor_setAt(nested->tensor, nested->offset++, value);
        return 0;
    }
    const int status = THP_scalarOf(object, &value);
    if (status == THP_TOO_LARGE)
        PyErr_Format(PyExc_ValueError, "tensor: %S does not fit 64 bits", object);
    if (status <= 0)
        return status < 0 ? -1 : leafError(object);
    if (THDtype_category(dtype) == TH_CATEGORY_INTEGRAL && !fits(value, dtype)) {
        PyErr_Format(PyExc_ValueError, "tensor: %S does not fit %s", object, THDtype_name(dtype));
        return -1;
    }
    THTensor_setAt(nested->tensor, nested->offset++, value);
    return 0;
}

/* ---- the plain numbers that a list or tuple begins with, of which no Python code is run ---- */

/* A borrowed reference. */
static inline PyObject *itemOf(PyObject *sequence, bool isList, Py_ssize_t i)
{
    return isList ? PyList_GetItem(sequence, i) : PyTuple_GetItem(sequence, i);
}

/* The number, a borrowed reference; NULL where the item is anything else. */
static inline PyObject *plainAt(PyObject *sequence, bool isList, Py_ssize_t i)
{
    PyObject *item = itemOf(sequence, isList, i);
    return item && (PyFloat_CheckExact(item) || PyLong_CheckExact(item) || PyBool_Check(item))
               ? item
               : NULL;
}

static Py_ssize_t findPlain(Nested *nested, PyObject *object, bool isList, Py_ssize_t length)
{
    Py_ssize_t i = 0, floats = 0, bools = 0;
    for (PyObject *item; i < length && (item = plainAt(object, isList, i)) != NULL; i++) {
        floats += PyFloat_CheckExact(item);
        bools += PyBool_Check(item);
    }
    const int category = floats > 0   ? TH_CATEGORY_FLOATING
                         : bools == i ? TH_CATEGORY_BOOL
                                      : TH_CATEGORY_INTEGRAL;
    if (i > 0 && category > nested->category)
        nested->category = category;
    return i;
}

/* What most tensors are made of goes without TH's calls. */
static Py_ssize_t storePlain(Nested *nested, PyObject *object, bool isList, Py_ssize_t length)
{
    const int dtype = nested->tensor->dtype;
    char *const data = THTensor_data(nested->tensor);
    Py_ssize_t i = 0;
    for (PyObject *item; i < length && (item = plainAt(object, isList, i)) != NULL; i++) {
        int overflow = 0;
        if (dtype == TH_LONG && PyLong_CheckExact(item))
            ((int64_t *)(void *)data)[nested->offset++] =
                PyLong_AsLongLongAndOverflow(item, &overflow);
        else if (dtype == TH_FLOAT && PyFloat_CheckExact(item))
            ((float *)(void *)data)[nested->offset++] = (float)PyFloat_AsDouble(item);
        else if (dtype == TH_DOUBLE && PyFloat_CheckExact(item))
            ((double *)(void *)data)[nested->offset++] = PyFloat_AsDouble(item);
        else if (dtype == TH_BOOL && PyBool_Check(item))
            data[nested->offset++] = item == Py_True;
        else if (storeElement(nested, item) < 0)
            return -1;
        if (TH_UNLIKELY(overflow != 0))
            return storeElement(nested, item); /* which says so */
    }
    return i;
}

/* How many they were, or -1. */
static Py_ssize_t walkPlain(Nested *nested, PyObject *object, Py_ssize_t length)
{
    const bool isList = PyList_CheckExact(object);
    if (!isList && !PyTuple_CheckExact(object))
        return 0;
    return (nested->tensor ? storePlain : findPlain)(nested, object, isList, length);
}

static int walk(Nested *nested, PyObject *object, int depth, Leaf leaf)
{
    if (depth == nested->n)
        return leaf(nested, object);
    const int sequence = isSequence(object);
    if (sequence < 1) {
        PyObject *name = sequence == 0 ? THP_typeName(object) : NULL;
        if (name)
            PyErr_Format(PyExc_ValueError,
                         "tensor: expected sequence of length %lld at dim %d, got %U",
                         (long long)nested->size[depth], depth, name);
        Py_XDECREF(name);
        return -1;
    }
    const Py_ssize_t length = PyObject_Size(object);
    if (length >= 0 && length != nested->size[depth])
        PyErr_Format(PyExc_ValueError,
                     "tensor: expected sequence of length %lld at dim %d, got %zd",
                     (long long)nested->size[depth], depth, length);
    if (length != nested->size[depth])
        return -1;
    Py_ssize_t i = depth == nested->n - 1 ? walkPlain(nested, object, length) : 0;
    for (; i >= 0 && i < length; i++) {
        PyObject *item = itemAt(object, i);
        const int status = item ? walk(nested, item, depth + 1, leaf) : -1;
        Py_XDECREF(item);
        if (status < 0)
            return -1;
    }
    return i < 0 ? -1 : 0;
}

/* The shape, from the first item of each sequence. */
static int findShape(Nested *nested, PyObject *data)
{
    PyObject *object = Py_NewRef(data);
    int sequence = 0;
    nested->n = 0;
    while (object && (sequence = isSequence(object)) == 1) {
        if (nested->n == TH_MAX_DIMS) {
            PyErr_Format(PyExc_ValueError, "tensor: sequences are nested more than %d deep",
                         TH_MAX_DIMS);
            Py_DECREF(object);
            return -1;
        }
        const Py_ssize_t length = PyObject_Size(object);
        PyObject *first = length > 0 ? itemAt(object, 0) : NULL;
        Py_DECREF(object);
        object = first;
        if (length < 0)
            return -1;
        nested->size[nested->n++] = length;
        if (length == 0)
            return 0;
    }
    const bool isLeaf = object && sequence == 0;
    Py_XDECREF(object);
    return isLeaf ? 0 : -1;
}

/* The dtype of elements of this category. */
static int dtypeOf(int category)
{
    return category == TH_CATEGORY_BOOL       ? TH_BOOL
           : category == TH_CATEGORY_INTEGRAL ? TH_LONG
                                              : THDtype_default();
}

/* A range makes its numbers anew each time that they are asked for: they are kept for both walks.
 */
static THTensor *fromRange(PyObject *range, int dtype)
{
    PyObject *list = PySequence_List(range);
    THTensor *tensor = list ? fromNested(list, dtype) : NULL;
    Py_XDECREF(list);
    return tensor;
}

static THTensor *fromNested(PyObject *data, int dtype)
{
    if (Py_IS_TYPE(data, &PyRange_Type))
        return fromRange(data, dtype);
    Nested nested; /* large: no initialiser */
    nested.category = -1;
    nested.tensor = NULL;
    nested.offset = 0;
    if (findShape(&nested, data) < 0)
        return NULL;
    if (dtype < 0) {
        if (walk(&nested, data, 0, findCategory) < 0)
            return NULL;
        dtype = dtypeOf(nested.category);
    }
    const int status = THTensor_newWithSize(&nested.tensor, (THDtype)dtype, nested.n, nested.size);
    if (status != TH_OK)
        return THP_raise(status), NULL;
    if (walk(&nested, data, 0, storeElement) == 0)
        return nested.tensor;
    THTensor_free(nested.tensor);
    return NULL;
}

/* ---- lists and tuples of arrays or tensors of one dtype and shape, each a run in memory ---- */

static bool readRun(PyObject *object, THPRun *run)
{
    if (!THP_isTensor(object))
        return THPNumpy_run(object, run);
    const THTensor *tensor = THP_unwrap(object);
    run->dtype = tensor->dtype;
    run->data = THTensor_data(tensor);
    run->size.n = tensor->nDimension;
    for (int i = 0; i < tensor->nDimension; i++)
        run->size.size[i] = tensor->size[i];
    return THTensor_isContiguous(tensor);
}

static bool isLike(const THPRun *run, const THTensor *tensor)
{
    bool same = run->dtype == tensor->dtype && run->size.n + 1 == tensor->nDimension;
    for (int i = 0; same && i < run->size.n; i++)
        same = run->size.size[i] == tensor->size[i + 1];
    return same;
}

/* Can every element be converted? Others are looked at one by one. */
static bool holds(int dtype, int from)
{
    return dtype == from || THDtype_category((THDtype)dtype) == TH_CATEGORY_FLOATING ||
           (dtype == TH_LONG && THDtype_category((THDtype)from) != TH_CATEGORY_FLOATING);
}

/* A tensor of their own dtype, and the dtype to convert it to. NULL, without an exception, for
 * anything else than such arrays. */
static THTensor *joinRuns(PyObject *data, int *dtype)
{
    const bool isList = PyList_CheckExact(data);
    const Py_ssize_t length = isList || PyTuple_CheckExact(data) ? PyObject_Size(data) : 0;
    THPRun run; /* large: no initialiser */
    THTensor *tensor = NULL;
    if (length == 0 || !readRun(itemOf(data, isList, 0), &run) || run.size.n == 0 ||
        run.size.n == TH_MAX_DIMS)
        return NULL;
    const int target = *dtype < 0 ? dtypeOf(THDtype_category((THDtype)run.dtype)) : *dtype;
    memmove(run.size.size + 1, run.size.size, (size_t)run.size.n * sizeof *run.size.size);
    run.size.size[0] = length;
    if (!holds(target, run.dtype) ||
        THTensor_newWithSize(&tensor, (THDtype)run.dtype, run.size.n + 1, run.size.size) != TH_OK)
        return NULL;
    const int64_t bytes = THTensor_nElement(tensor) / length * THTensor_itemSize(tensor);
    Py_ssize_t i = 0;
    for (; i < length && bytes > 0 && readRun(itemOf(data, isList, i), &run); i++) {
        if (!isLike(&run, tensor))
            break;
        memcpy((char *)THTensor_data(tensor) + i * bytes, run.data, (size_t)bytes);
    }
    if (i == length) {
        *dtype = target;
        return tensor;
    }
    THTensor_free(tensor);
    return NULL;
}

/* `tensor`, which is taken over, in another dtype. */
static THTensor *cast(THTensor *tensor, int dtype)
{
    if (tensor == NULL || dtype < 0 || dtype == tensor->dtype)
        return tensor;
    THTensor *result = NULL;
    const int status = THTensor_newCast(&result, tensor, (THDtype)dtype);
    THTensor_free(tensor);
    if (status != TH_OK)
        THP_raise(status);
    return result;
}

THTensor *THPCreate_tensor(PyObject *data, int dtype)
{
    if (THP_isTensor(data)) {
        THTensor *tensor = THP_unwrap(data), *copy = NULL;
        const int status = dtype < 0 || dtype == tensor->dtype
                               ? THTensor_newClone(&copy, tensor)
                               : THTensor_newCast(&copy, tensor, (THDtype)dtype);
        if (status != TH_OK)
            THP_raise(status);
        return copy;
    }
    if (!PyFloat_CheckExact(data) && !PyLong_CheckExact(data) && PyObject_CheckBuffer(data))
        return cast(THPBuffer_copy(data), dtype);
    THTensor *joined = joinRuns(data, &dtype);
    return joined ? cast(joined, dtype) : fromNested(data, dtype);
}

int THPCreate_read(const THPSignature *signature, PyObject *const *args, Py_ssize_t nargs,
                   PyObject *kwnames, PyObject **values, int *dtype)
{
    *dtype = -1;
    if (THP_bind(signature, NULL, args, nargs, kwnames, values) < 0)
        return -1;
    return THP_readDtype(signature, 1, values[1], dtype);
}

static const THPParam params[] = {
    {"data", NULL, THP_TENSOR, 0, 0},
    {"dtype", NULL, THP_DTYPE, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 0},
};
static const THPSignature signature = {"tensor", "(object data, *, dtype dtype=None)", params, 2, 1,
                                       -1};

static PyObject *tensorFromData(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                PyObject *kwnames)
{
    (void)module;
    PyObject *values[2];
    int dtype;
    if (THPCreate_read(&signature, args, nargs, kwnames, values, &dtype) < 0)
        return NULL;
    THTensor *tensor = THPCreate_tensor(values[0], dtype);
    return tensor ? THPTensor_wrap(tensor) : NULL;
}

static PyObject *wrapAddress(PyObject *module, PyObject *address)
{
    (void)module;
    THTensor *tensor = PyLong_AsVoidPtr(address);
    if (tensor)
        return THPTensor_wrap(tensor);
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "_wrap_cdata(): the address is 0");
    return NULL;
}

PyMethodDef THPCreate_functions[] = {
    {"tensor", THP_METHOD(tensorFromData), METH_FASTCALL | METH_KEYWORDS,
     "tensor($module, data, *, dtype=None)\n--\n\nA new tensor with the elements of a number, a "
     "nested sequence, an array or a tensor.\n\nWithout dtype, bools become bool, ints int64, "
     "floats "
     "the default dtype; arrays and tensors keep theirs."},
    {"_wrap_cdata", wrapAddress, METH_O,
     "_wrap_cdata($module, address, /)\n--\n\nA THTensor at an address as a Tensor, which takes "
     "over the reference."},
    {NULL, NULL, 0, NULL},
};
