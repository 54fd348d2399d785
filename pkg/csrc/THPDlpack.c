/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DLPack both ways: a capsule named "dltensor" holds a DLManagedTensor, of version 0, or one named
 * "dltensor_versioned" a DLManagedVersioned, of version 1, which says whether the memory may be
 * written; the consumer renames the capsule and calls the deleter when it is done. What is exported
 * is pinned, as with the buffer protocol. */
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

typedef struct DLManagedVersioned {
    uint32_t major, minor;
    void *context;
    void (*deleter)(struct DLManagedVersioned *self);
    uint64_t flags;
    DLTensor tensor;
} DLManagedVersioned;
enum { FLAG_READONLY = 1, FLAG_COPIED = 2 };
enum { VERSION_MAJOR = 1, VERSION_MINOR = 0 };

static const char plainName[] = "dltensor", versionedName[] = "dltensor_versioned";

/* May run on any thread and without the GIL. */
static void letGo(THTensor *tensor)
{
    if (tensor->storage)
        THStorage_unpin(tensor->storage);
    THTensor_free(tensor);
}

static void deletePlain(DLManagedTensor *managed)
{
    letGo(managed->context);
    free(managed);
}

static void deleteVersioned(DLManagedVersioned *managed)
{
    letGo(managed->context);
    free(managed);
}

/* Calls the deleter of what a capsule holds, as its consumer or, where there was none, for it. */
static void releasePlain(void *context, void *pointer)
{
    (void)pointer;
    DLManagedTensor *managed = context;
    if (managed->deleter)
        managed->deleter(managed);
}

static void releaseVersioned(void *context, void *pointer)
{
    (void)pointer;
    DLManagedVersioned *managed = context;
    if (managed->deleter)
        managed->deleter(managed);
}

static void deleteCapsule(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, plainName))
        releasePlain(PyCapsule_GetPointer(capsule, plainName), NULL);
    else if (PyCapsule_IsValid(capsule, versionedName))
        releaseVersioned(PyCapsule_GetPointer(capsule, versionedName), NULL);
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

/* `dims` has room for sizes and strides. */
static DLTensor describe(THTensor *tensor, int64_t *dims)
{
    const int n = tensor->nDimension;
    for (int i = 0; i < n; i++) {
        dims[i] = tensor->size[i];
        dims[n + i] = tensor->stride[i];
    }
    return (DLTensor){
        .data = THTensor_data(tensor),
        .deviceType = DEVICE_CPU,
        .ndim = n,
        .code = codeOf((THDtype)tensor->dtype),
        .bits = (uint8_t)(8 * THTensor_itemSize(tensor)),
        .lanes = 1,
        .shape = dims,
        .strides = dims + n,
    };
}

/* Takes over the tensor. */
static PyObject *exportTensor(THTensor *tensor, bool isVersioned, uint64_t flags)
{
    const size_t head = isVersioned ? sizeof(DLManagedVersioned) : sizeof(DLManagedTensor);
    void *managed = malloc(head + 2 * (size_t)tensor->nDimension * sizeof(int64_t));
    if (managed == NULL) {
        THTensor_free(tensor);
        return PyErr_NoMemory();
    }
    const DLTensor described = describe(tensor, (int64_t *)(void *)((char *)managed + head));
    if (isVersioned)
        *(DLManagedVersioned *)managed = (DLManagedVersioned){
            VERSION_MAJOR, VERSION_MINOR, tensor, deleteVersioned, flags, described};
    else
        *(DLManagedTensor *)managed = (DLManagedTensor){described, tensor, deletePlain};
    if (tensor->storage)
        THStorage_pin(tensor->storage);
    PyObject *capsule =
        PyCapsule_New(managed, isVersioned ? versionedName : plainName, deleteCapsule);
    if (capsule == NULL && isVersioned)
        deleteVersioned(managed);
    else if (capsule == NULL)
        deletePlain(managed);
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
    THPSize version, device; /* large: no initialisers */
    bool copy = false;
    version.n = 0;
    device.n = 2;
    device.size[0] = DEVICE_CPU;
    if (THP_bind(&exportSignature, NULL, args, nargs, kwnames, values) < 0 ||
        THP_readSize(&exportSignature, 1, values[1], &version) < 0 ||
        THP_readSize(&exportSignature, 2, values[2], &device) < 0 ||
        THP_readBool(&exportSignature, 3, values[3], &copy) < 0)
        return NULL;
    if (values[0])
        return PyErr_Format(PyExc_BufferError,
                            "__dlpack__(): expected no stream, which the CPU has none of, got %R",
                            values[0]);
    if (device.n != 2 || device.size[0] != DEVICE_CPU)
        return PyErr_Format(PyExc_BufferError,
                            "__dlpack__(): expected dl_device (1, 0), the CPU, got %R", values[2]);
    const bool isVersioned = version.n > 0 && version.size[0] >= VERSION_MAJOR;
    const bool isReadOnly = !copy && THP_isReadOnly(THP_unwrap(self));
    if (isReadOnly && !isVersioned) {
        PyErr_SetString(PyExc_BufferError, "__dlpack__(): the memory is read-only, which only "
                                           "max_version=(1, 0) or higher can tell");
        return NULL;
    }
    THTensor *tensor;
    const int status = copy ? THTensor_newClone(&tensor, THP_unwrap(self))
                            : THTensor_newAlias(&tensor, THP_unwrap(self));
    const uint64_t flags = (copy ? FLAG_COPIED : 0) | (isReadOnly ? FLAG_READONLY : 0);
    return status == TH_OK ? exportTensor(tensor, isVersioned, flags) : THP_raise(status);
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
        return "it has not between 0 and 64 dims";
    if (dtypeOf(tensor) < 0)
        return noDtype;
    if (((uintptr_t)tensor->data + tensor->byteOffset) % (tensor->bits / 8u))
        return "its elements are not aligned";
    return readLayout(tensor, stride, bytes);
}

/* What a capsule of either kind holds. */
typedef struct Imported {
    const DLTensor *tensor;
    void *managed;
    void (*release)(void *managed, void *data);
    const char *usedName;
    uint64_t flags;
} Imported;

/* False with an exception; the capsule is as before. */
static bool openCapsule(PyObject *capsule, Imported *imported, const char *where)
{
    if (PyCapsule_IsValid(capsule, plainName)) {
        DLManagedTensor *managed = PyCapsule_GetPointer(capsule, plainName);
        *imported = (Imported){&managed->tensor, managed, releasePlain, "used_dltensor", 0};
        return true;
    }
    DLManagedVersioned *managed = PyCapsule_GetPointer(capsule, versionedName);
    if (managed == NULL)
        return false;
    if (managed->major != VERSION_MAJOR) {
        PyErr_Format(PyExc_BufferError,
                     "%sthe tensor cannot be taken over: it is of DLPack's version %u.%u, known "
                     "are 0 and 1",
                     where, (unsigned)managed->major, (unsigned)managed->minor);
        return false;
    }
    *imported = (Imported){&managed->tensor, managed, releaseVersioned, "used_dltensor_versioned",
                           managed->flags};
    return true;
}

/* Why memory cannot be used so, in words, or NULL. */
static const char *useRefused(uint64_t flags, THPDlpackUse use)
{
    if (use != THP_DLPACK_READ && flags & FLAG_READONLY)
        return use == THP_DLPACK_WRITE ? "it is read-only" : "it is read-only; copy it first";
    return use == THP_DLPACK_WRITE && flags & FLAG_COPIED ? "it gives a copy of its memory" : NULL;
}

/* `where` begins messages. */
static PyObject *importCapsule(PyObject *capsule, const char *where, THPDlpackUse use)
{
    int64_t stride[TH_MAX_DIMS], bytes;
    Imported imported;
    if (!openCapsule(capsule, &imported, where))
        return NULL;
    const DLTensor *described = imported.tensor;
    const char *unusable = useRefused(imported.flags, use);
    const char *refused = unusable ? unusable : refusal(described, stride, &bytes);
    if (refused) {
        PyErr_Format(refused == noDtype ? PyExc_TypeError : PyExc_ValueError, "%s%s: %s", where,
                     unusable && use == THP_DLPACK_WRITE ? "it cannot be written into"
                                                         : "the tensor cannot be taken over",
                     refused);
        return NULL;
    }
    THStorage *storage;
    THTensor *tensor;
    char *data = described->data ? (char *)described->data + described->byteOffset : NULL;
    int status = THStorage_newWithData(&storage, data, bytes, imported.release, imported.managed);
    if (status != TH_OK)
        return THP_raise(status);
    if (PyCapsule_SetName(capsule, imported.usedName) < 0)
        PyErr_Clear(); /* cannot happen: the pointer was valid under its name */
    if (imported.flags & FLAG_READONLY)
        storage->flag |= TH_STORAGE_READONLY;
    status = THTensor_newWithStorage(&tensor, (THDtype)dtypeOf(described), storage, 0,
                                     described->ndim, described->shape, stride);
    THStorage_free(storage);
    return THPTensor_finish(status, tensor);
}

static bool isCapsuleOfTensor(PyObject *object)
{
    return PyCapsule_IsValid(object, plainName) || PyCapsule_IsValid(object, versionedName);
}

/* The version to ask for, as a keyword argument: a new dict, since who is called may keep it. */
static PyObject *versionAsked(void)
{
    static PyObject *name, *version;
    if (name == NULL)
        name = PyUnicode_InternFromString("max_version");
    if (version == NULL)
        version = Py_BuildValue("(ii)", VERSION_MAJOR, VERSION_MINOR);
    PyObject *named = name && version ? PyDict_New() : NULL;
    if (named && PyDict_SetItem(named, name, version) < 0)
        Py_CLEAR(named);
    return named;
}

/* Asks for version 1, and those who know of none for what they have. */
static PyObject *askForCapsule(PyObject *object)
{
    static PyObject *name;
    if (name == NULL && (name = PyUnicode_InternFromString("__dlpack__")) == NULL)
        return NULL;
    PyObject *method = PyObject_GetAttr(object, name);
    PyObject *none = method ? PyTuple_New(0) : NULL;
    PyObject *named = none ? versionAsked() : NULL;
    PyObject *capsule = named ? PyObject_Call(method, none, named) : NULL;
    if (named && capsule == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        capsule = PyObject_CallNoArgs(method);
    }
    Py_XDECREF(named);
    Py_XDECREF(none);
    Py_XDECREF(method);
    return capsule;
}

PyObject *THPDlpack_tensor(PyObject *object, const char *where, THPDlpackUse use)
{
    PyObject *capsule = askForCapsule(object);
    const bool isCapsule = capsule && isCapsuleOfTensor(capsule);
    if (capsule && !isCapsule)
        PyErr_Format(PyExc_TypeError, "%s__dlpack__() gave no capsule named dltensor", where);
    PyObject *tensor = isCapsule ? importCapsule(capsule, where, use) : NULL;
    Py_XDECREF(capsule);
    return tensor;
}

static const THPParam importParams[] = {{"ext_tensor", NULL, THP_TENSOR, 0, 0}};
static const THPSignature importSignature = {
    "from_dlpack", "(object ext_tensor)", importParams, 1, 1, -1};

static PyObject *fromDlpack(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *kwnames)
{
    static const char where[] = "from_dlpack: ";
    PyObject *object;
    (void)module;
    if (THP_bind(&importSignature, NULL, args, nargs, kwnames, &object) < 0)
        return NULL;
    if (Py_IS_TYPE(object, THPTensor_type) && !THP_isReadOnly(THP_unwrap(object))) {
        THTensor *alias;
        const int status = THTensor_newAlias(&alias, THP_unwrap(object));
        return THPTensor_finish(status, alias);
    }
    PyObject *quickly = THPNumpy_tensor(object, false); /* which gives the same memory */
    if (quickly || PyErr_Occurred())
        return quickly;
    if (isCapsuleOfTensor(object))
        return importCapsule(object, where, THP_DLPACK_OWN);
    if (PyCapsule_CheckExact(object)) {
        PyErr_SetString(PyExc_ValueError,
                        "from_dlpack: expected a capsule named dltensor that is not used yet");
        return NULL;
    }
    return THPDlpack_tensor(object, where, THP_DLPACK_OWN);
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
    {"from_dlpack", THP_METHOD(fromDlpack), METH_FASTCALL | METH_KEYWORDS,
     "from_dlpack($module, ext_tensor)\n--\n\nA tensor over the memory of an object with "
     "__dlpack__, or of a DLPack capsule."},
    {NULL, NULL, 0, NULL},
};
