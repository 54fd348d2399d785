/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Storage objects: the bytes under tensors, seen as elements of one dtype. Elements are reached
 * through a 1-d tensor over the storage, so that there is one way of reading and writing them. */
#include "THPInternal.h"
#include <stddef.h>
#include <structmember.h>

typedef struct THPStorage {
    PyObject_HEAD THStorage *storage;
    PyObject *weakrefs;
    int dtype;
} THPStorage;

static PyTypeObject *storageType;

THStorage *THPStorage_get(PyObject *object)
{
    return Py_IS_TYPE(object, storageType) ? ((THPStorage *)object)->storage : NULL;
}

PyObject *THPStorage_wrap(THStorage *storage, THDtype dtype)
{
    THPStorage *self = PyObject_New(THPStorage, storageType);
    if (self == NULL) {
        THStorage_free(storage);
        return NULL;
    }
    self->storage = storage;
    self->weakrefs = NULL;
    self->dtype = dtype;
    return (PyObject *)self;
}

static void storageDealloc(PyObject *object)
{
    THPStorage *self = (THPStorage *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (self->weakrefs)
        PyObject_ClearWeakRefs(object);
    THStorage_free(self->storage);
    PyObject_Free(object);
    Py_DECREF(type);
}

static THStorage *storageOf(PyObject *object)
{
    return ((THPStorage *)object)->storage;
}

static THDtype dtypeOf(PyObject *object)
{
    return (THDtype)((THPStorage *)object)->dtype;
}

static int64_t lengthOf(PyObject *object)
{
    return storageOf(object)->size / THDtype_size(dtypeOf(object));
}

/* `length` elements from `start` on as a 1-d tensor; NULL with an exception. */
static THTensor *elements(PyObject *self, int64_t start, int64_t length)
{
    THTensor *tensor;
    const int64_t one = 1;
    const int status =
        THTensor_newWithStorage(&tensor, dtypeOf(self), storageOf(self), start, 1, &length, &one);
    return status == TH_OK ? tensor : (THP_raise(status), NULL);
}

/* Writes a number or a sequence into these elements. */
static int store(PyObject *self, int64_t start, int64_t length, PyObject *value)
{
    THTensor *tensor = elements(self, start, length);
    if (tensor == NULL)
        return -1;
    const int status = THPTensor_store(tensor, value);
    THTensor_free(tensor);
    return status;
}

static const THPParam newParams[] = {
    {"size", "data", THP_LONG, THP_OPTIONAL | THP_NULLABLE, 0},
    {"dtype", NULL, THP_DTYPE, THP_OPTIONAL | THP_NULLABLE, 0},
};
static const THPSignature newSignature = {
    "Storage", "(int size=0, dtype dtype=None)", newParams, 2, 2, -1};

/* Storage over the memory of a fresh tensor with these elements. */
static PyObject *storageOfData(PyObject *data, int dtype)
{
    THTensor *tensor = THPCreate_tensor(data, dtype);
    if (tensor == NULL)
        return NULL;
    if (tensor->nDimension != 1) {
        THTensor_free(tensor);
        PyErr_SetString(PyExc_ValueError, "Storage(): the elements must be a flat sequence");
        return NULL;
    }
    THStorage *storage = tensor->storage;
    const THDtype made = (THDtype)tensor->dtype;
    const int status = storage ? TH_OK : THStorage_new(&storage, 0);
    if (status == TH_OK && tensor->storage)
        THStorage_retain(storage);
    THTensor_free(tensor);
    return status == TH_OK ? THPStorage_wrap(storage, made) : THP_raise(status);
}

/* `count` elements in bytes; -1 with a ValueError. */
static int64_t bytesOf(const char *function, int64_t count, THDtype dtype)
{
    int64_t bytes;
    if (count >= 0 && THSize_mul(count, THDtype_size(dtype), &bytes))
        return bytes;
    PyErr_Format(PyExc_ValueError, "%s(): %lld is no size of a storage", function,
                 (long long)count);
    return -1;
}

/* -1 with an exception. */
static int bindNew(PyObject *args, PyObject *kwargs, PyObject **values)
{
    PyObject *names, **given = THP_layOut(args, kwargs, &names);
    if (given == NULL)
        return -1;
    const int status = THP_bind(&newSignature, NULL, given, PyTuple_Size(args), names, values);
    PyMem_Free(given);
    Py_DECREF(names);
    return status;
}

static PyObject *storageNew(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)type;
    PyObject *values[2];
    int dtype = -1;
    int64_t count = 0;
    if (bindNew(args, kwargs, values) < 0 || THP_readDtype(&newSignature, 1, values[1], &dtype) < 0)
        return NULL;
    if (values[0] && PySequence_Check(values[0]) && !PyUnicode_Check(values[0]))
        return storageOfData(values[0], dtype >= 0 ? dtype : (int)THDtype_default());
    if (THP_readLong(&newSignature, 0, values[0], &count) < 0)
        return NULL;
    if (dtype < 0)
        dtype = THDtype_default();
    const int64_t bytes = bytesOf("Storage", count, (THDtype)dtype);
    if (bytes < 0)
        return NULL;
    THStorage *storage;
    const int status = THStorage_new(&storage, bytes);
    return status == TH_OK ? THPStorage_wrap(storage, (THDtype)dtype) : THP_raise(status);
}

static const THPParam fileParams[] = {
    {"filename", NULL, THP_STRING, 0, 0},
    {"shared", NULL, THP_BOOL, THP_OPTIONAL, 0},
    {"size", NULL, THP_LONG, THP_OPTIONAL, 0},
    {"dtype", NULL, THP_DTYPE, THP_OPTIONAL | THP_NULLABLE, 0},
};
static const THPSignature fileSignature = {
    "from_file", "(str filename, bool shared=False, int size=0, dtype dtype=None)",
    fileParams,  4,
    4,           -1};

static PyObject *storageFromFile(PyObject *type, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *kwnames)
{
    (void)type;
    PyObject *values[4];
    const char *filename;
    bool shared = false;
    int64_t count = 0;
    int dtype = THDtype_default();
    if (THP_bind(&fileSignature, NULL, args, nargs, kwnames, values) < 0 ||
        THP_readString(&fileSignature, 0, values[0], &filename) < 0 ||
        THP_readBool(&fileSignature, 1, values[1], &shared) < 0 ||
        THP_readLong(&fileSignature, 2, values[2], &count) < 0 ||
        THP_readDtype(&fileSignature, 3, values[3], &dtype) < 0)
        return NULL;
    const int64_t bytes = bytesOf("from_file", count, (THDtype)dtype);
    if (bytes < 0)
        return NULL;
    THStorage *storage;
    const int status = THStorage_newWithMapping(&storage, filename, bytes, shared);
    return status == TH_OK ? THPStorage_wrap(storage, (THDtype)dtype) : THP_raise(status);
}

static Py_ssize_t storageLength(PyObject *self)
{
    return (Py_ssize_t)lengthOf(self);
}

/* An int key within the storage; 1, 0 when it is no int, -1 with an exception. */
static int readKey(PyObject *self, PyObject *key, int64_t *index)
{
    const int64_t length = lengthOf(self);
    const int status = THP_longOf(key, index);
    if (status == THP_TOO_LARGE) {
        PyErr_SetString(PyExc_IndexError, "an index does not fit 64 bits");
        return -1;
    }
    if (status <= 0)
        return status;
    if (*index < -length || *index >= length) {
        PyErr_Format(PyExc_IndexError, "index %lld is out of bounds for a storage of %lld elements",
                     (long long)*index, (long long)length);
        return -1;
    }
    *index += *index < 0 ? length : 0;
    return 1;
}

/* A slice key of step 1. */
static int readRange(PyObject *self, PyObject *key, int64_t *start, int64_t *length)
{
    Py_ssize_t first, stop, step;
    if (!Py_IS_TYPE(key, &PySlice_Type)) {
        PyErr_SetString(PyExc_TypeError, "a storage is indexed by an int or a slice");
        return -1;
    }
    if (PySlice_Unpack(key, &first, &stop, &step) < 0)
        return -1;
    if (step != 1) {
        PyErr_SetString(PyExc_ValueError, "slices of a storage have step 1");
        return -1;
    }
    *length = PySlice_AdjustIndices(storageLength(self), &first, &stop, 1);
    *start = first;
    return 0;
}

static PyObject *storageSubscript(PyObject *self, PyObject *key)
{
    int64_t start, length;
    const int isInt = readKey(self, key, &start);
    if (isInt < 0 || (isInt == 0 && readRange(self, key, &start, &length) < 0))
        return NULL;
    if (isInt) {
        THTensor *tensor = elements(self, start, 1);
        PyObject *item =
            tensor ? THP_scalarObject(THTensor_getAt(tensor, tensor->storageOffset)) : NULL;
        THTensor_free(tensor);
        return item;
    }
    const int64_t size = THDtype_size(dtypeOf(self));
    THStorage *view;
    const int status = THStorage_newView(&view, storageOf(self), start * size, length * size);
    return status == TH_OK ? THPStorage_wrap(view, dtypeOf(self)) : THP_raise(status);
}

static int storageAssign(PyObject *self, PyObject *key, PyObject *value)
{
    int64_t start, length = 1;
    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "elements of a storage cannot be deleted");
        return -1;
    }
    const int isInt = readKey(self, key, &start);
    if (isInt < 0 || (isInt == 0 && readRange(self, key, &start, &length) < 0))
        return -1;
    return store(self, start, length, value);
}

static PyObject *storageItem(PyObject *self, Py_ssize_t index)
{
    PyObject *key = PyLong_FromSsize_t(index);
    PyObject *item = key ? storageSubscript(self, key) : NULL;
    Py_XDECREF(key);
    return item;
}

static PyObject *storageRepr(PyObject *self)
{
    return PyUnicode_FromFormat("<thwrap.Storage of %lld elements of %s>",
                                (long long)lengthOf(self), THDtype_name(dtypeOf(self)));
}

static PyObject *storageSize(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return PyLong_FromLongLong(lengthOf(self));
}

static PyObject *storageDataPointer(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return PyLong_FromVoidPtr(storageOf(self)->data);
}

static PyObject *storageElementSize(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return PyLong_FromLongLong(THDtype_size(dtypeOf(self)));
}

static PyObject *storageFill(PyObject *self, PyObject *value)
{
    return store(self, 0, lengthOf(self), value) < 0 ? NULL : Py_NewRef(self);
}

static PyObject *storageToList(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    THTensor *tensor = elements(self, 0, lengthOf(self));
    PyObject *list = tensor ? THPItem_list(tensor) : NULL;
    THTensor_free(tensor);
    return list;
}

static PyObject *storageResize(PyObject *self, PyObject *size)
{
    int64_t count;
    if (THP_readOnlyInt("resize_(): argument 'size'", size, &count) < 0)
        return NULL;
    const int64_t bytes = bytesOf("resize_", count, dtypeOf(self));
    if (bytes < 0)
        return NULL;
    THStorage *storage = storageOf(self);
    if (bytes < storage->size && __atomic_load_n(&storage->refcount, __ATOMIC_ACQUIRE) > 1) {
        PyErr_SetString(PyExc_RuntimeError,
                        "resize_(): the storage is shared with tensors, so it can only grow");
        return NULL;
    }
    const int status = THStorage_resize(storage, bytes);
    return status == TH_OK ? Py_NewRef(self) : THP_raise(status);
}

static PyObject *getBytes(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLongLong(storageOf(self)->size);
}

static PyObject *getDtype(PyObject *self, void *closure)
{
    (void)closure;
    return THPDtype_object(dtypeOf(self));
}

static PyObject *getAddress(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromVoidPtr(storageOf(self));
}

/* Exported as bytes' elements through a tensor, whose own export pins and keeps the storage. */
static int storageGetBuffer(PyObject *self, Py_buffer *buffer, int flags)
{
    THTensor *tensor = elements(self, 0, lengthOf(self));
    PyObject *object = tensor ? THPTensor_wrap(tensor) : NULL;
    if (object == NULL) {
        buffer->obj = NULL;
        return -1;
    }
    const int status = PyObject_GetBuffer(object, buffer, flags);
    Py_DECREF(object);
    return status;
}

static PyMethodDef methods[] = {
    {"from_file", THP_METHOD(storageFromFile), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_file($type, filename, shared=False, size=0, dtype=None)\n--\n\nA file mapped into "
     "memory; when shared, writes reach the file."},
    {"size", storageSize, METH_NOARGS, "size($self, /)\n--\n\nHow many elements."},
    {"data_ptr", storageDataPointer, METH_NOARGS,
     "data_ptr($self, /)\n--\n\nAddress of the bytes."},
    {"element_size", storageElementSize, METH_NOARGS,
     "element_size($self, /)\n--\n\nBytes an element takes."},
    {"fill_", storageFill, METH_O, "fill_($self, value, /)\n--\n\nSets all elements."},
    {"tolist", storageToList, METH_NOARGS, "tolist($self, /)\n--\n\nThe elements as a list."},
    {"resize_", storageResize, METH_O,
     "resize_($self, size, /)\n--\n\nGrows or shrinks to so many elements."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"nbytes", getBytes, NULL, "How many bytes.", NULL},
    {"dtype", getDtype, NULL, "What the bytes are seen as.", NULL},
    {"_cdata", getAddress, NULL, "Address of the THStorage, for thwrap._C.lib.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(THPStorage, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Storage(size_or_elements=0, dtype=None)\n--\n\nA block of memory that tensors are "
                "views of."},
    {Py_tp_new, storageNew},
    {Py_tp_dealloc, storageDealloc},
    {Py_tp_repr, storageRepr},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {Py_tp_members, members},
    {Py_mp_length, storageLength},
    {Py_mp_subscript, storageSubscript},
    {Py_mp_ass_subscript, storageAssign},
    {Py_sq_length, storageLength},
    {Py_sq_item, storageItem},
    {Py_bf_getbuffer, storageGetBuffer},
    {0, NULL},
};

static PyType_Spec spec = {"thwrap.Storage", sizeof(THPStorage), 0, Py_TPFLAGS_DEFAULT, slots};

int THPStorage_attach(PyObject *module)
{
    return THP_attachType(module, &storageType, &spec, NULL);
}
