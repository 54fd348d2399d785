/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DLPack both ways, by the structs of its version 0: a capsule named "dltensor" holds a
 * DLManagedTensor; the consumer renames the capsule and calls the deleter when it is done. What is
 * exported is pinned, as with the buffer protocol. */
#include "THPInternal.h"
#include <stdlib.h>
#include <string.h>

enum { DEVICE_CPU = 1, DEVICE_CUDA_HOST = 3 };
enum { CODE_INT = 0, CODE_UINT = 1, CODE_FLOAT = 2, CODE_BOOL = 6 };

typedef struct DLTensor {
    void *data;
    int32_t deviceType, deviceId;
    int32_t ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape;
    int64_t *strides; /* elements; NULL: contiguous */
    uint64_t byteOffset;
} DLTensor;

typedef struct DLManagedTensor {
    DLTensor tensor;
    void *context;
    void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

/* May run on any thread and without the GIL. */
static void deleteExport(DLManagedTensor *managed)
{
    THTensor *tensor = managed->context;
    if (tensor->storage)
        THStorage_unpin(tensor->storage);
    THTensor_free(tensor);
    free(managed);
}

static void deleteCapsule(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, "dltensor"))
        return; /* consumed */
    DLManagedTensor *managed = PyCapsule_GetPointer(capsule, "dltensor");
    if (managed->deleter)
        managed->deleter(managed);
}

static uint8_t codeOf(THDtype dtype)
{
    const THCategory category = THDtype_category(dtype);
    const char format = THDtype_formats[dtype];
    return category == TH_CATEGORY_BOOL       ? CODE_BOOL
           : category == TH_CATEGORY_FLOATING ? CODE_FLOAT
           : format >= 'A' && format <= 'Z'   ? CODE_UINT
                                              : CODE_INT;
}

/* Takes over the tensor. */
static PyObject *exportTensor(THTensor *tensor)
{
    const size_t n = (size_t)tensor->nDimension;
    DLManagedTensor *managed = malloc(sizeof *managed + 2 * n * sizeof(int64_t));
    if (managed == NULL) {
        THTensor_free(tensor);
        return PyErr_NoMemory();
    }
    int64_t *dims = (int64_t *)(managed + 1);
    for (size_t i = 0; i < n; i++) {
        dims[i] = tensor->size[i];
        dims[n + i] = tensor->stride[i];
    }
    const DLTensor described = {
        .data = THTensor_data(tensor),
        .deviceType = DEVICE_CPU,
        .ndim = tensor->nDimension,
        .code = codeOf((THDtype)tensor->dtype),
        .bits = (uint8_t)(8 * THTensor_itemSize(tensor)),
        .lanes = 1,
        .shape = dims,
        .strides = dims + n,
    };
    *managed = (DLManagedTensor){described, tensor, deleteExport};
    if (tensor->storage)
        THStorage_pin(tensor->storage);
    PyObject *capsule = PyCapsule_New(managed, "dltensor", deleteCapsule);
    if (capsule == NULL)
        deleteExport(managed);
    return capsule;
}

static const THPParam exportParams[] = {
    {"stream", NULL, THP_LONG, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 0},
    {"max_version", NULL, THP_SIZE, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 0},
    {"dl_device", NULL, THP_SIZE, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 0},
    {"copy", NULL, THP_BOOL, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 0},
};
static const THPSignature exportSignature = {
    "__dlpack__",
    "(*, int stream=None, tuple max_version=None, tuple dl_device=None, bool copy=None)",
    exportParams,
    4,
    0,
    -1};

static PyObject *tensorExport(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                              PyObject *kwnames)
{
    PyObject *values[4];
    THPSize device = {2, {DEVICE_CPU, 0}};
    bool copy = false;
    if (THP_bind(&exportSignature, NULL, args, nargs, kwnames, values) < 0 ||
        THP_readSize(&exportSignature, 2, values[2], &device) < 0 ||
        THP_readBool(&exportSignature, 3, values[3], &copy) < 0)
        return NULL;
    if (values[0] || device.n != 2 || device.size[0] != DEVICE_CPU) {
        PyErr_SetString(PyExc_BufferError,
                        "__dlpack__(): tensors are on the CPU, which has no streams");
        return NULL;
    }
    THTensor *tensor;
    const int status = copy ? THTensor_newClone(&tensor, THP_unwrap(self))
                            : THTensor_newAlias(&tensor, THP_unwrap(self));
    return status == TH_OK ? exportTensor(tensor) : THP_raise(status);
}

static PyObject *tensorDevice(PyObject *self, PyObject *ignored)
{
    (void)self;
    (void)ignored;
    return Py_BuildValue("(ii)", DEVICE_CPU, 0);
}

static int dtypeOf(const DLTensor *tensor)
{
    for (int code = 0; code < TH_DTYPE_LIMIT; code++)
        if (THDtype_isValid(code) && codeOf((THDtype)code) == tensor->code &&
            8 * THDtype_size((THDtype)code) == tensor->bits && tensor->lanes == 1)
            return code;
    return -1;
}

/* Strides in elements and the bytes from the first element to the end of the last. What it
 * refuses, in words. */
static const char *readLayout(const DLTensor *tensor, int64_t *stride, int64_t *bytes)
{
    int64_t last = 0, product = 1, span;
    bool isEmpty = false;
    for (int i = tensor->ndim - 1; i >= 0; i--) {
        const int64_t size = tensor->shape[i];
        if (size < 0)
            return "it has a negative size";
        stride[i] = tensor->strides && size > 1 ? tensor->strides[i] : product;
        if (stride[i] < 0)
            return "it has negative strides";
        isEmpty |= size == 0;
        if (size > 1 && (!THSize_mul(size - 1, stride[i], &span) ||
                         !THSize_add(last, span, &last) || !THSize_mul(product, size, &product)))
            return "it is too large";
    }
    if (!THSize_add(last, 1, &last) || !THSize_mul(last, tensor->bits / 8, bytes))
        return "it is too large";
    if (isEmpty)
        *bytes = 0;
    return NULL;
}

static const char noDtype[] = "there is no dtype for its elements";

static const char *refusal(const DLTensor *tensor, int64_t *stride, int64_t *bytes)
{
    if (tensor->deviceType != DEVICE_CPU && tensor->deviceType != DEVICE_CUDA_HOST)
        return "it is not in the CPU's memory";
    if (tensor->ndim < 0 || tensor->ndim > TH_MAX_DIMS)
        return "it has more than 64 dims";
    if (dtypeOf(tensor) < 0)
        return noDtype;
    if (((uintptr_t)tensor->data + tensor->byteOffset) % (tensor->bits / 8u))
        return "its elements are not aligned";
    return readLayout(tensor, stride, bytes);
}

static void releaseImport(void *context, void *pointer)
{
    (void)pointer;
    DLManagedTensor *managed = context;
    if (managed->deleter)
        managed->deleter(managed);
}

/* `where` begins messages. */
static PyObject *importCapsule(PyObject *capsule, const char *where)
{
    int64_t stride[TH_MAX_DIMS], bytes;
    DLManagedTensor *managed = PyCapsule_GetPointer(capsule, "dltensor");
    if (managed == NULL)
        return NULL;
    const DLTensor *described = &managed->tensor;
    const char *refused = refusal(described, stride, &bytes);
    if (refused) {
        PyErr_Format(refused == noDtype ? PyExc_TypeError : PyExc_ValueError,
                     "%sthe tensor cannot be taken over: %s", where, refused);
        return NULL;
    }
    THStorage *storage;
    THTensor *tensor;
    char *data = described->data ? (char *)described->data + described->byteOffset : NULL;
    int status = THStorage_newWithData(&storage, data, bytes, releaseImport, managed);
    if (status != TH_OK)
        return THP_raise(status);
    if (PyCapsule_SetName(capsule, "used_dltensor") < 0)
        PyErr_Clear(); /* cannot happen: the pointer was valid under its name */
    status = THTensor_newWithStorage(&tensor, (THDtype)dtypeOf(described), storage, 0,
                                     described->ndim, described->shape, stride);
    THStorage_free(storage);
    return THPTensor_finish(status, tensor);
}

PyObject *THPDlpack_tensor(PyObject *object, const char *where)
{
    PyObject *method = PyObject_GetAttrString(object, "__dlpack__");
    PyObject *capsule = method ? PyObject_CallNoArgs(method) : NULL;
    const bool isCapsule = capsule && PyCapsule_IsValid(capsule, "dltensor");
    if (capsule && !isCapsule)
        PyErr_Format(PyExc_TypeError, "%s__dlpack__() gave no capsule named dltensor", where);
    PyObject *tensor = isCapsule ? importCapsule(capsule, where) : NULL;
    Py_XDECREF(method);
    Py_XDECREF(capsule);
    return tensor;
}

static PyObject *fromDlpack(PyObject *module, PyObject *object)
{
    static const char where[] = "from_dlpack: ";
    (void)module;
    if (PyCapsule_IsValid(object, "dltensor"))
        return importCapsule(object, where);
    if (PyCapsule_CheckExact(object)) {
        PyErr_SetString(PyExc_ValueError,
                        "from_dlpack: expected a capsule named dltensor that is not used yet");
        return NULL;
    }
    return THPDlpack_tensor(object, where);
}

PyMethodDef THPTensor_dlpackMethods[] = {
    {"__dlpack__", THP_METHOD(tensorExport), METH_FASTCALL | METH_KEYWORDS,
     "__dlpack__($self, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\nThe "
     "tensor as a DLPack capsule."},
    {"__dlpack_device__", tensorDevice, METH_NOARGS,
     "__dlpack_device__($self, /)\n--\n\nWhere the tensor is, in DLPack's numbers: the CPU."},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPDlpack_functions[] = {
    {"_from_dlpack", fromDlpack, METH_O,
     "_from_dlpack($module, object, /)\n--\n\nA tensor over the memory of a DLPack capsule or of "
     "an "
     "object with __dlpack__."},
    {NULL, NULL, 0, NULL},
};
