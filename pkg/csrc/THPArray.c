/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arrays of others as operands of op packages: NumPy's, and whatever has the buffer protocol or
 * __dlpack__. An operand's memory is read and written where it is; the storage keeps the export
 * until it is freed. What cannot be a tensor's memory (negative or odd strides, the other byte
 * order, elements that are not aligned) is copied where it is only read. */
#include "THPInternal.h"
#include <string.h>

/* Formats of the buffer protocol that have a name in NumPy and no dtype here. */
static const struct {
    const char *format, *name;
} unsupported[] = {
    {"H", "uint16"},     {"I", "uint32"},      {"L", "uint64"},     {"Q", "uint64"},
    {"Zf", "complex64"}, {"Zd", "complex128"}, {"g", "longdouble"}, {"O", "object"},
};

static PyObject *raiseNoDtype(const char *format)
{
    const char *item = strchr("@=|<>!", *format) ? format + 1 : format;
    for (size_t i = 0; i < sizeof unsupported / sizeof unsupported[0]; i++)
        if (strcmp(item, unsupported[i].format) == 0)
            return PyErr_Format(PyExc_TypeError,
                                "there is no dtype for elements of %s; convert them first",
                                unsupported[i].name);
    return PyErr_Format(PyExc_TypeError,
                        "there is no dtype for elements of the buffer format '%s'; convert them "
                        "first",
                        format);
}

/* Copies the elements from dim `dim` on one after the other; the end of what was written. */
static char *copyElements(const Py_buffer *buffer, int dim, const char *from, char *to)
{
    const size_t itemsize = (size_t)buffer->itemsize;
    if (dim == buffer->ndim)
        return (char *)memcpy(to, from, itemsize) + itemsize;
    const Py_ssize_t step = buffer->strides[dim];
    const bool isDirect = dim == buffer->ndim - 1 && buffer->suboffsets == NULL;
    for (Py_ssize_t i = 0; i < buffer->shape[dim]; i++, from += step) {
        const char *item = from;
        if (buffer->suboffsets && buffer->suboffsets[dim] >= 0)
            item = *(char *const *)(const void *)from + buffer->suboffsets[dim];
        if (!isDirect)
            to = copyElements(buffer, dim + 1, item, to);
        else if (itemsize == 8)
            to = (char *)memcpy(to, item, 8) + 8;
        else if (itemsize == 4)
            to = (char *)memcpy(to, item, 4) + 4;
        else
            to = (char *)memcpy(to, item, itemsize) + itemsize;
    }
    return to;
}

static void swapBytes(char *data, size_t bytes, size_t itemsize)
{
    for (size_t at = 0; at < bytes; at += itemsize)
        for (size_t i = 0, k = itemsize - 1; i < k; i++, k--) {
            const char kept = data[at + i];
            data[at + i] = data[at + k];
            data[at + k] = kept;
        }
}

static int copyTensor(THTensor **out, const Py_buffer *buffer, int dtype, bool isSwapped)
{
    int64_t size[TH_MAX_DIMS];
    for (int i = 0; i < buffer->ndim; i++)
        size[i] = buffer->shape[i];
    const int status = THTensor_newWithSize(out, (THDtype)dtype, buffer->ndim, size);
    if (status != TH_OK || buffer->len == 0)
        return status;
    char *data = THTensor_data(*out);
    copyElements(buffer, 0, buffer->buf, data);
    if (isSwapped)
        swapBytes(data, (size_t)buffer->len, (size_t)buffer->itemsize);
    return TH_OK;
}

/* Takes over the holder where it succeeds. */
static int viewTensor(THTensor **out, Py_buffer *holder, int dtype, const THPSize *size,
                      const int64_t *stride, int64_t bytes)
{
    THStorage *storage;
    int status = THStorage_newWithData(&storage, holder->buf, bytes, THPBuffer_release, holder);
    if (status != TH_OK) {
        THPBuffer_release(holder, NULL);
        return status;
    }
    if (holder->readonly)
        storage->flag |= TH_STORAGE_READONLY;
    status = THTensor_newWithStorage(out, (THDtype)dtype, storage, 0, size->n, size->size, stride);
    THStorage_free(storage);
    return status;
}

/* Takes over the holder in every case. */
static PyObject *ofBuffer(Py_buffer *holder, bool written)
{
    THPSize size;
    int64_t stride[TH_MAX_DIMS], bytes;
    bool isSwapped;
    THTensor *tensor;
    const int dtype = THPBuffer_element(holder, &isSwapped);
    const char *refused = isSwapped ? "its bytes are in the other order than this machine's"
                                    : THPBuffer_layout(holder, &size, stride, &bytes);
    if (written && holder->readonly)
        refused = "it is read-only";
    PyObject *object = NULL;
    if (dtype >= 0 && refused == NULL) {
        const int status = viewTensor(&tensor, holder, dtype, &size, stride, bytes);
        return THPTensor_finish(status, tensor);
    }
    if (dtype < 0)
        raiseNoDtype(THPBuffer_format(holder));
    else if (written)
        PyErr_Format(PyExc_ValueError, "it cannot be written into: %s", refused);
    else {
        const int status = copyTensor(&tensor, holder, dtype, isSwapped);
        object = THPTensor_finish(status, tensor);
    }
    THPBuffer_release(holder, NULL);
    return object;
}

/* NumPy exports all of its arrays but those of some dtypes. */
static PyObject *raiseNotExported(PyObject *array)
{
    PyErr_Clear();
    PyObject *dtype = PyObject_GetAttrString(array, "dtype");
    if (dtype)
        PyErr_Format(PyExc_TypeError, "there is no dtype for elements of %S; convert them first",
                     dtype);
    Py_XDECREF(dtype);
    return NULL;
}

static PyObject *ofExporter(PyObject *array, bool written)
{
    Py_buffer *holder = PyMem_New(Py_buffer, 1);
    if (holder == NULL)
        return PyErr_NoMemory();
    if (THPBuffer_take(array, holder) == 0)
        return ofBuffer(holder, written);
    PyMem_Free(holder);
    return PyErr_ExceptionMatches(PyExc_ValueError) && THPNumpy_check(array)
               ? raiseNotExported(array)
               : NULL;
}

PyObject *THPArray_tensor(PyObject *array, bool written)
{
    PyObject *tensor = THPNumpy_tensor(array, !written);
    if (tensor == NULL)
        tensor = PyObject_CheckBuffer(array)
                     ? ofExporter(array, written)
                     : THPDlpack_tensor(array, "", written ? THP_DLPACK_WRITE : THP_DLPACK_READ);
    if (tensor && written)
        THP_unwrap(tensor)->flag |= TH_TENSOR_FIXED;
    return tensor;
}

/* from_dlpack of the library that `like` is of: of its array namespace, else of the package its
 * type comes from. NULL without an exception where there is none. */
static PyObject *importer(PyObject *like)
{
    PyObject *space = PyObject_CallMethod(like, "__array_namespace__", NULL);
    if (space == NULL) {
        PyErr_Clear();
        PyObject *module = PyObject_GetAttrString((PyObject *)Py_TYPE(like), "__module__");
        PyObject *parts = module ? PyObject_CallMethod(module, "partition", "s", ".") : NULL;
        PyObject *name = parts && PyTuple_Check(parts) ? PyTuple_GetItem(parts, 0) : NULL;
        space = name ? PyImport_GetModule(name) : NULL;
        Py_XDECREF(parts);
        Py_XDECREF(module);
    }
    PyObject *function = space ? PyObject_GetAttrString(space, "from_dlpack") : NULL;
    Py_XDECREF(space);
    if (function == NULL)
        PyErr_Clear();
    return function;
}

/* The Tensor object, or a copy of it where its memory is read-only: not all libraries know of such.
 */
static PyObject *writableOf(PyObject *tensor)
{
    THTensor *self = THP_unwrap(tensor), *copy;
    if (!THP_isReadOnly(self))
        return Py_NewRef(tensor);
    const int status = THTensor_newClone(&copy, self);
    return THPTensor_finish(status, copy);
}

PyObject *THPArray_like(PyObject *tensor, PyObject *like)
{
    if (THPNumpy_check(like))
        return THPNumpy_array(tensor);
    PyObject *function = PyObject_CheckBuffer(like) ? NULL : importer(like);
    if (function == NULL)
        return Py_NewRef(tensor);
    PyObject *own = writableOf(tensor);
    PyObject *array = own ? PyObject_CallFunctionObjArgs(function, own, NULL) : NULL;
    Py_XDECREF(own);
    Py_DECREF(function);
    return array;
}
