/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The buffer protocol (PEP 3118) both ways. What is exported is pinned: neither the tensor nor its
 * storage can be resized until it is released. What is taken in without a copy keeps its exporter
 * alive; the storage's deleter gives it back, from whatever thread frees the storage. */
#include "THPInternal.h"
#include <string.h>

/* Goes with an exported buffer; the arrays outlast changes of the tensor's shape. */
typedef struct Export {
    THStorage *storage;
    char format[2];
    Py_ssize_t dims[]; /* sizes, then strides in bytes */
} Export;

static int bufferError(Py_buffer *buffer, const char *text)
{
    buffer->obj = NULL;
    PyErr_SetString(PyExc_BufferError, text);
    return -1;
}

static bool isFortran(const THTensor *tensor)
{
    int64_t stride = 1;
    for (int i = 0; i < tensor->nDimension; i++) {
        if (tensor->size[i] != 1 && tensor->stride[i] != stride)
            return false;
        stride *= tensor->size[i];
    }
    return true;
}

/* Does the layout satisfy the request? */
static const char *refusal(const THTensor *tensor, int flags)
{
    const bool c = THTensor_isContiguous(tensor);
    if ((flags & PyBUF_WRITABLE) && THP_isReadOnly(tensor))
        return "the tensor's memory is read-only";
    if ((flags & PyBUF_WRITABLE) && THTensor_overlapsItself(tensor))
        return "elements of the tensor share memory, so it is exported read-only";
    if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !c)
        return "the tensor is not contiguous";
    if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && !isFortran(tensor))
        return "the tensor is not contiguous in Fortran order";
    if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS && !c && !isFortran(tensor))
        return "the tensor is not contiguous";
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !c)
        return "the tensor is not contiguous and the consumer takes no strides";
    return NULL;
}

static Export *newExport(const THTensor *tensor)
{
    const size_t n = (size_t)tensor->nDimension;
    Export *export = PyMem_Malloc(sizeof *export + 2 * n * sizeof *export->dims);
    if (export == NULL)
        return NULL;
    export->storage = tensor->storage;
    export->format[0] = THDtype_formats[tensor->dtype];
    export->format[1] = '\0';
    for (size_t i = 0; i < n; i++) {
        export->dims[i] = (Py_ssize_t)tensor->size[i];
        export->dims[n + i] = (Py_ssize_t)(tensor->stride[i] * THTensor_itemSize(tensor));
    }
    if (export->storage) {
        THStorage_retain(export->storage);
        THStorage_pin(export->storage);
    }
    return export;
}

int THPTensor_getBuffer(PyObject *self, Py_buffer *buffer, int flags)
{
    static char nothing[8];
    const THTensor *tensor = THP_unwrap(self);
    const char *text = refusal(tensor, flags);
    if (text)
        return bufferError(buffer, text);
    Export *export = newExport(tensor);
    if (export == NULL) {
        buffer->obj = NULL;
        PyErr_NoMemory();
        return -1;
    }
    const bool shaped = flags & PyBUF_ND;
    const bool strided = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
    void *data = THTensor_data(tensor);
    buffer->obj = Py_NewRef(self);
    buffer->buf = data ? data : nothing;
    buffer->itemsize = (Py_ssize_t)THTensor_itemSize(tensor);
    buffer->len = (Py_ssize_t)THTensor_nElement(tensor) * buffer->itemsize;
    buffer->readonly = THP_isReadOnly(tensor) || THTensor_overlapsItself(tensor);
    buffer->ndim = shaped ? tensor->nDimension : 1;
    buffer->format = flags & PyBUF_FORMAT ? export->format : NULL;
    buffer->shape = shaped ? export->dims : NULL;
    buffer->strides = strided ? export->dims + tensor->nDimension : NULL;
    buffer->suboffsets = NULL;
    buffer->internal = export;
    return 0;
}

void THPTensor_releaseBuffer(PyObject *self, Py_buffer *buffer)
{
    (void)self;
    Export *export = buffer->internal;
    if (export->storage) {
        THStorage_unpin(export->storage);
        THStorage_free(export->storage);
    }
    PyMem_Free(export);
}

static int dtypeOfFormat(char format, Py_ssize_t itemsize)
{
    if (strchr("lqn", format)) /* C's long and ssize_t are as wide as itemsize says */
        return itemsize == 8 ? TH_LONG : itemsize == 4 ? TH_INT : -1;
    for (int code = 0; code < TH_DTYPE_LIMIT; code++)
        if (THDtype_isValid(code) && THDtype_formats[code] == format)
            return THDtype_size((THDtype)code) == itemsize ? code : -1;
    return -1;
}

const char *THPBuffer_format(const Py_buffer *buffer)
{
    return buffer->format ? buffer->format : "B";
}

int THPBuffer_element(const Py_buffer *buffer, bool *isSwapped)
{
    const char *item = THPBuffer_format(buffer);
    const char native = PY_BIG_ENDIAN ? '>' : '<';
    *isSwapped = *item && strchr("<>!", *item) && *item != native && buffer->itemsize > 1;
    if (*item && strchr("@=|<>!", *item))
        item++;
    return strlen(item) == 1 ? dtypeOfFormat(*item, buffer->itemsize) : -1;
}

/* Dtype of a buffer's elements, or -1 with a TypeError. */
static int dtypeOf(const Py_buffer *buffer)
{
    bool isSwapped;
    const int code = THPBuffer_element(buffer, &isSwapped);
    if (code >= 0 && !isSwapped)
        return code;
    PyErr_Format(PyExc_TypeError, "there is no dtype for a buffer's elements of format '%s'",
                 THPBuffer_format(buffer));
    return -1;
}

/* What is wrong with a buffer whatever it is to become, in words. */
static const char *defect(const Py_buffer *buffer)
{
    int64_t bytes = buffer->itemsize;
    if (buffer->ndim > TH_MAX_DIMS)
        return "the buffer has more than 64 dims";
    if (buffer->ndim > 0 && buffer->shape == NULL)
        return "the buffer has no shape";
    for (int i = 0; i < buffer->ndim; i++)
        if (buffer->shape[i] < 0 || !THSize_mul(bytes, buffer->shape[i], &bytes))
            return "the buffer's shape is no shape";
    return bytes == buffer->len ? NULL : "the buffer's length is not that of its shape";
}

int THPBuffer_take(PyObject *exporter, Py_buffer *buffer)
{
    if (PyObject_GetBuffer(exporter, buffer, PyBUF_FULL_RO) < 0)
        return -1;
    const char *refused = defect(buffer);
    if (refused == NULL)
        return 0;
    PyBuffer_Release(buffer);
    PyErr_SetString(PyExc_ValueError, refused);
    return -1;
}

static int copyBuffer(THTensor **out, Py_buffer *buffer)
{
    int64_t size[TH_MAX_DIMS];
    const int dtype = dtypeOf(buffer);
    if (dtype < 0)
        return -1;
    for (int i = 0; i < buffer->ndim; i++)
        size[i] = buffer->shape[i];
    THTensor *tensor;
    const int status = THTensor_newWithSize(&tensor, (THDtype)dtype, buffer->ndim, size);
    if (status != TH_OK) {
        THP_raise(status);
        return -1;
    }
    if (buffer->len > 0 &&
        PyBuffer_ToContiguous(THTensor_data(tensor), buffer, buffer->len, 'C') < 0) {
        THTensor_free(tensor);
        return -1;
    }
    *out = tensor;
    return 0;
}

THTensor *THPBuffer_copy(PyObject *exporter)
{
    Py_buffer buffer;
    THTensor *tensor = THPNumpy_copy(exporter);
    if (tensor)
        return tensor;
    if (THPBuffer_take(exporter, &buffer) < 0)
        return NULL;
    copyBuffer(&tensor, &buffer);
    PyBuffer_Release(&buffer);
    return tensor;
}

void THP_giveBack(void (*release)(void *held), void *held)
{
    if (!Py_IsInitialized())
        return;
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    release(held);
    PyErr_Restore(type, value, traceback);
    PyGILState_Release(state);
}

static void releaseHolder(void *holder)
{
    PyBuffer_Release(holder);
    PyMem_Free(holder);
}

void THPBuffer_release(void *holder, void *data)
{
    (void)data;
    THP_giveBack(releaseHolder, holder);
}

/* Strides in bytes: where an exporter leaves them out, as ctypes does, the memory is contiguous. */
static void readStrides(const Py_buffer *buffer, Py_ssize_t *apart)
{
    Py_ssize_t step = buffer->itemsize;
    for (int i = buffer->ndim - 1; i >= 0; step *= buffer->shape[i--])
        apart[i] = buffer->strides ? buffer->strides[i] : step;
}

const char *THPBuffer_layout(const Py_buffer *buffer, THPSize *size, int64_t *stride,
                             int64_t *bytes)
{
    Py_ssize_t apart[TH_MAX_DIMS];
    int64_t last = 0, span;
    bool isEmpty = false, fits = true;
    const char *refused = buffer->suboffsets ? "the buffer is indirect (suboffsets)"
                          : (uintptr_t)buffer->buf % (uintptr_t)buffer->itemsize
                              ? "the buffer's elements are not aligned"
                              : NULL;
    readStrides(buffer, apart);
    for (int i = 0; i < buffer->ndim && !refused; i++) {
        size->size[i] = buffer->shape[i];
        stride[i] = apart[i] / buffer->itemsize;
        isEmpty |= size->size[i] == 0;
        if (size->size[i] > 1 && apart[i] < 0)
            refused = "the buffer has negative strides; copy it first";
        else if (size->size[i] > 1 && apart[i] % buffer->itemsize)
            refused = "the buffer's strides are no multiples of its elements' size; copy it first";
        else if (apart[i] < 0)
            stride[i] = 1;
        else if (size->size[i] > 1)
            fits = fits && THSize_mul(size->size[i] - 1, apart[i], &span) &&
                   THSize_add(last, span, &last);
    }
    size->n = buffer->ndim;
    if (isEmpty)
        *bytes = 0;
    else if (!fits || !THSize_add(last, buffer->itemsize, bytes))
        refused = refused ? refused : "the buffer's strides lead beyond all memory";
    return refused;
}

/* Another dtype than the buffer's: its bytes, which must be contiguous, seen so. */
static int reinterpret(const Py_buffer *buffer, THDtype dtype, THPSize *size, int64_t *stride)
{
    const int64_t itemsize = THDtype_size(dtype);
    const char *refused =
        !PyBuffer_IsContiguous(buffer, 'C') ? "the buffer is not contiguous; copy it first"
        : buffer->len % itemsize            ? "the buffer's length is no multiple of dtype's size"
        : (uintptr_t)buffer->buf % (uintptr_t)itemsize
            ? "the buffer is not aligned for dtype; copy it first"
            : NULL;
    if (refused) {
        PyErr_SetString(PyExc_ValueError, refused);
        return -1;
    }
    size->n = 1;
    size->size[0] = buffer->len / itemsize;
    stride[0] = 1;
    return 0;
}

/* Checks the buffer and finds dtype (unless given: >= 0), sizes, strides and bytes. */
static int describeBuffer(const Py_buffer *buffer, int *dtype, THPSize *size, int64_t *stride,
                          int64_t *bytes)
{
    if (buffer->readonly) {
        PyErr_SetString(PyExc_ValueError, "the buffer is read-only; copy it first");
        return -1;
    }
    *bytes = buffer->len;
    if (*dtype >= 0)
        return reinterpret(buffer, (THDtype)*dtype, size, stride);
    if ((*dtype = dtypeOf(buffer)) < 0)
        return -1;
    const char *refused = THPBuffer_layout(buffer, size, stride, bytes);
    if (refused)
        PyErr_SetString(PyExc_ValueError, refused);
    return refused ? -1 : 0;
}

/* A tensor over the buffer; takes over the holder in every case. */
static PyObject *overBuffer(Py_buffer *holder, int dtype)
{
    THPSize size;
    int64_t stride[TH_MAX_DIMS], bytes;
    THStorage *storage = NULL;
    THTensor *tensor = NULL;
    int status = TH_OK;
    if (describeBuffer(holder, &dtype, &size, stride, &bytes) == 0)
        status = THStorage_newWithData(&storage, holder->buf, bytes, THPBuffer_release, holder);
    if (storage == NULL)
        THPBuffer_release(holder, NULL);
    else {
        status =
            THTensor_newWithStorage(&tensor, (THDtype)dtype, storage, 0, size.n, size.size, stride);
        THStorage_free(storage);
    }
    return status != TH_OK ? THP_raise(status) : tensor ? THPTensor_wrap(tensor) : NULL;
}

PyObject *THPBuffer_tensor(PyObject *exporter, int dtype)
{
    Py_buffer *holder = PyMem_New(Py_buffer, 1);
    if (holder == NULL)
        return PyErr_NoMemory();
    if (THPBuffer_take(exporter, holder) == 0)
        return overBuffer(holder, dtype);
    PyMem_Free(holder);
    return NULL;
}

static const THPParam fromBufferParams[] = {
    {"obj", NULL, THP_TENSOR, 0, 0},
    {"dtype", NULL, THP_DTYPE, THP_OPTIONAL | THP_NULLABLE, 0},
};
static const THPSignature fromBufferSignature = {
    "_from_buffer", "(object obj, dtype dtype=None)", fromBufferParams, 2, 2, -1};

static PyObject *fromBuffer(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *kwnames)
{
    (void)module;
    PyObject *values[2];
    int dtype;
    if (THPCreate_read(&fromBufferSignature, args, nargs, kwnames, values, &dtype) < 0)
        return NULL;
    return THPBuffer_tensor(values[0], dtype);
}

PyMethodDef THPBuffer_functions[] = {
    {"_from_buffer", THP_METHOD(fromBuffer), METH_FASTCALL | METH_KEYWORDS,
     "_from_buffer($module, obj, dtype=None)\n--\n\nA tensor over the memory of an object with the "
     "buffer protocol."},
    {NULL, NULL, 0, NULL},
};
