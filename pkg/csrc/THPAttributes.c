/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attributes and small methods of tensors that tell of shape, memory and dtype, and the type Size
 * of shapes: a tuple that prints itself and counts elements. */
#include "THPInternal.h"

static PyTypeObject *sizeType;
static allocfunc sizeAlloc;

/* Tuples of few ints made lately: what is asked for a shape is often asked for it again. */
#define KNOWN_DIMS 4
#define KNOWN_TUPLES 32
typedef struct Known {
    PyObject *tuple;
    PyTypeObject *type;
    int n;
    int64_t values[KNOWN_DIMS];
} Known;
static Known known[KNOWN_TUPLES];

static Known *knownOf(int n, const int64_t *values)
{
    uint64_t hash = (uint64_t)n;
    for (int i = 0; i < n; i++)
        hash = hash * 31 + (uint64_t)values[i];
    return &known[(hash ^ hash >> 5) % KNOWN_TUPLES];
}

static bool isKnown(const Known *entry, const PyTypeObject *type, int n, const int64_t *values)
{
    bool same = entry->tuple != NULL && entry->type == type && entry->n == n;
    for (int i = 0; same && i < n; i++)
        same = entry->values[i] == values[i];
    return same;
}

static void keep(Known *entry, PyObject *tuple, PyTypeObject *type, int n, const int64_t *values)
{
    PyObject *old = entry->tuple;
    entry->tuple = Py_NewRef(tuple);
    entry->type = type;
    entry->n = n;
    for (int i = 0; i < n; i++)
        entry->values[i] = values[i];
    Py_XDECREF(old);
}

/* A tuple of n ints. The values are copied first: making a tuple may run finalizers, and those
 * could reshape the tensor they belong to. */
static PyObject *newTuple(PyTypeObject *type, allocfunc alloc, int n, const int64_t *values)
{
    int64_t copy[TH_MAX_DIMS];
    Known *entry = n <= KNOWN_DIMS ? knownOf(n, values) : NULL;
    if (entry && isKnown(entry, type, n, values))
        return Py_NewRef(entry->tuple);
    for (int i = 0; i < n; i++)
        copy[i] = values[i];
    PyObject *tuple = type ? alloc(type, n) : PyTuple_New(n);
    for (int i = 0; tuple && i < n; i++) {
        PyObject *item = PyLong_FromLongLong(copy[i]);
        if (item == NULL || PyTuple_SetItem(tuple, i, item) < 0)
            Py_CLEAR(tuple);
    }
    if (tuple && entry)
        keep(entry, tuple, type, n, copy);
    return tuple;
}

PyObject *THPSize_ints(int n, const int64_t *values)
{
    return newTuple(NULL, NULL, n, values);
}

static PyObject *newSize(const THTensor *tensor)
{
    return newTuple(sizeType, sizeAlloc, tensor->nDimension, tensor->size);
}

static PyObject *sizeRepr(PyObject *self)
{
    PyObject *list = PySequence_List(self);
    PyObject *text = list ? PyUnicode_FromFormat("thwrap.Size(%R)", list) : NULL;
    Py_XDECREF(list);
    return text;
}

static PyObject *sizeNumel(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    PyObject *product = PyLong_FromLong(1);
    const Py_ssize_t n = PyTuple_Size(self);
    for (Py_ssize_t i = 0; product && i < n; i++) {
        PyObject *next = PyNumber_Multiply(product, PyTuple_GetItem(self, i));
        Py_DECREF(product);
        product = next;
    }
    return product;
}

/* A Size of what a function of tuples gave; takes its reference. */
static PyObject *asSize(PyObject *tuple)
{
    if (tuple == NULL || !PyTuple_CheckExact(tuple))
        return tuple;
    PyObject *size = PyObject_CallFunctionObjArgs((PyObject *)sizeType, tuple, NULL);
    Py_DECREF(tuple);
    return size;
}

static PyObject *sizeSubscript(PyObject *self, PyObject *key)
{
    const binaryfunc subscript = (binaryfunc)PyType_GetSlot(&PyTuple_Type, Py_mp_subscript);
    return asSize(subscript(self, key));
}

static PyObject *sizeConcat(PyObject *self, PyObject *other)
{
    const binaryfunc concat = (binaryfunc)PyType_GetSlot(&PyTuple_Type, Py_sq_concat);
    return asSize(concat(self, other));
}

static PyMethodDef sizeMethods[] = {
    {"numel", sizeNumel, METH_NOARGS,
     "numel($self, /)\n--\n\nHow many elements a tensor of this shape has."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot sizeSlots[] = {
    {Py_tp_doc, "Sizes of a tensor: a tuple of ints."},
    {Py_tp_repr, sizeRepr},
    {Py_mp_subscript, sizeSubscript},
    {Py_sq_concat, sizeConcat},
    {Py_tp_methods, sizeMethods},
    {0, NULL},
};

static PyType_Spec sizeSpec = {"thwrap.Size", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               sizeSlots};

int THPSize_attach(PyObject *module)
{
    if (THP_attachType(module, &sizeType, &sizeSpec, &PyTuple_Type) < 0)
        return -1;
    sizeAlloc = (allocfunc)PyType_GetSlot(sizeType, Py_tp_alloc);
    return 0;
}

static PyObject *getShape(PyObject *self, void *closure)
{
    (void)closure;
    return newSize(THP_unwrap(self));
}

static PyObject *getDtype(PyObject *self, void *closure)
{
    (void)closure;
    return THPDtype_object(THP_unwrap(self)->dtype);
}

static PyObject *getNdim(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(THP_unwrap(self)->nDimension);
}

static PyObject *getItemSize(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLongLong(THTensor_itemSize(THP_unwrap(self)));
}

static PyObject *getBytes(PyObject *self, void *closure)
{
    (void)closure;
    const THTensor *tensor = THP_unwrap(self);
    return PyLong_FromLongLong(THTensor_nElement(tensor) * THTensor_itemSize(tensor));
}

static PyObject *getAddress(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromVoidPtr(THP_unwrap(self));
}

static PyObject *getTransposed(PyObject *self, void *closure)
{
    (void)closure;
    THTensor *tensor = THP_unwrap(self), *result;
    const int n = tensor->nDimension;
    int64_t dims[TH_MAX_DIMS];
    for (int d = 0; d < n; d++)
        dims[d] = n - 1 - d;
    const int status = THTensor_newPermute(&result, tensor, dims, n);
    return THPTensor_finish(status, result);
}

static PyObject *getMatricesTransposed(PyObject *self, void *closure)
{
    (void)closure;
    THTensor *tensor = THP_unwrap(self), *result;
    const int n = tensor->nDimension;
    if (n < 2)
        return PyErr_Format(PyExc_ValueError, "mT: expected a tensor of 2 or more dims, got %d", n);
    const int status = THTensor_newTranspose(&result, tensor, n - 2, n - 1);
    return THPTensor_finish(status, result);
}

PyGetSetDef THPTensor_attributes[] = {
    {"T", getTransposed, NULL, "The tensor with its dims in reverse order.", NULL},
    {"mT", getMatricesTransposed, NULL, "The tensor with its last two dims exchanged.", NULL},
    {"shape", getShape, NULL, "Sizes, as a tuple.", NULL},
    {"dtype", getDtype, NULL, "Kind of the elements.", NULL},
    {"ndim", getNdim, NULL, "How many dims.", NULL},
    {"itemsize", getItemSize, NULL, "Bytes an element takes.", NULL},
    {"nbytes", getBytes, NULL, "Bytes all elements take.", NULL},
    {"_cdata", getAddress, NULL, "Address of the THTensor, for thwrap._C.lib.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const THPParam dimParams[] = {{"dim", "axis", THP_LONG, THP_OPTIONAL | THP_NULLABLE, 0}};
static const THPSignature sizeSignature = {"size", "(int dim=None)", dimParams, 1, 1, -1};
static const THPSignature strideSignature = {"stride", "(int dim=None)", dimParams, 1, 1, -1};

/* The size or stride at a dim that the user gave. */
static PyObject *atDim(const THPSignature *signature, const THTensor *tensor, PyObject *object,
                       int64_t *const *values)
{
    int64_t dim;
    if (THP_readLong(signature, 0, object, &dim) < 0)
        return NULL;
    const int status = THCheck_dim(signature->name, "dim", tensor, 0, &dim);
    if (status != TH_OK)
        return THP_raise(status);
    if (tensor->nDimension > 0)
        return PyLong_FromLongLong((*values)[dim]);
    PyErr_Format(PyExc_IndexError, "%s: a 0-d tensor has no dims", signature->name);
    return NULL;
}

static PyObject *tensorSize(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *kwnames)
{
    PyObject *dim;
    const THTensor *tensor = THP_unwrap(self);
    if (THP_bind(&sizeSignature, NULL, args, nargs, kwnames, &dim) < 0)
        return NULL;
    return dim ? atDim(&sizeSignature, tensor, dim, &tensor->size) : newSize(tensor);
}

static PyObject *tensorStride(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                              PyObject *kwnames)
{
    PyObject *dim;
    const THTensor *tensor = THP_unwrap(self);
    if (THP_bind(&strideSignature, NULL, args, nargs, kwnames, &dim) < 0)
        return NULL;
    return dim ? atDim(&strideSignature, tensor, dim, &tensor->stride)
               : THPSize_ints(tensor->nDimension, tensor->stride);
}

static PyObject *tensorStorage(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    const THTensor *tensor = THP_unwrap(self);
    THStorage *storage = tensor->storage;
    if (storage)
        THStorage_retain(storage);
    else {
        const int status = THStorage_new(&storage, 0);
        if (status != TH_OK)
            return THP_raise(status);
    }
    return THPStorage_wrap(storage, (THDtype)tensor->dtype);
}

static PyObject *tensorStorageOffset(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return PyLong_FromLongLong(THP_unwrap(self)->storageOffset);
}

static PyObject *tensorDataPointer(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return PyLong_FromVoidPtr(THTensor_data(THP_unwrap(self)));
}

static PyObject *tensorElementSize(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return getItemSize(self, NULL);
}

static PyObject *tensorIsFloating(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return PyBool_FromLong(THPDtype_isFloating(THP_unwrap(self)->dtype));
}

static PyObject *tensorIsSigned(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return PyBool_FromLong(THPDtype_isSigned(THP_unwrap(self)->dtype));
}

static PyObject *tensorAsSubclass(PyObject *self, PyObject *type)
{
    if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)type, THPTensor_type)) {
        return PyErr_Format(
            PyExc_TypeError,
            "as_subclass(): argument 'cls' must be a subclass of thwrap.Tensor, not %R", type);
    }
    THTensor *alias;
    const int status = THTensor_newAlias(&alias, THP_unwrap(self));
    return status == TH_OK ? THPTensor_wrapAs((PyTypeObject *)type, alias) : THP_raise(status);
}

static PyObject *tensorWrap(PyObject *type, PyObject *tensor)
{
    if (THP_isTensor(tensor))
        return tensorAsSubclass(tensor, type);
    THP_raiseKind("_wrap(): argument 'tensor'", "Tensor", tensor);
    return NULL;
}

PyMethodDef THPTensor_plainMethods[] = {
    {"size", THP_METHOD(tensorSize), METH_FASTCALL | METH_KEYWORDS,
     "size($self, dim=None)\n--\n\nSizes of all dims as a tuple, or the size of one."},
    {"stride", THP_METHOD(tensorStride), METH_FASTCALL | METH_KEYWORDS,
     "stride($self, dim=None)\n--\n\nElements from one index to the next, for all dims as a tuple "
     "or for one."},
    {"storage", tensorStorage, METH_NOARGS,
     "storage($self, /)\n--\n\nThe memory the tensor is a view of."},
    {"storage_offset", tensorStorageOffset, METH_NOARGS,
     "storage_offset($self, /)\n--\n\nElements before the first one in the storage."},
    {"data_ptr", tensorDataPointer, METH_NOARGS,
     "data_ptr($self, /)\n--\n\nAddress of the first element."},
    {"element_size", tensorElementSize, METH_NOARGS,
     "element_size($self, /)\n--\n\nBytes an element takes."},
    {"is_floating_point", tensorIsFloating, METH_NOARGS,
     "is_floating_point($self, /)\n--\n\nAre the elements floating-point numbers?"},
    {"is_signed", tensorIsSigned, METH_NOARGS,
     "is_signed($self, /)\n--\n\nCan the elements be negative?"},
    {"as_subclass", tensorAsSubclass, METH_O,
     "as_subclass($self, cls, /)\n--\n\nThe same memory as an object of a subclass of Tensor."},
    {"_wrap", tensorWrap, METH_O | METH_CLASS,
     "_wrap($type, tensor, /)\n--\n\nThe tensor's memory as an object of this class."},
    {NULL, NULL, 0, NULL},
};
