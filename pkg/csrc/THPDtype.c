/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Dtype objects: thwrap.float32 and the rest. There is one object for each dtype, so identity is
 * equality; names come from the tables written from declarations/dtypes.yaml. */
#include "THPInternal.h"
#include <stddef.h>
#include <string.h>

typedef struct THPDtype {
    PyObject_HEAD int code;
} THPDtype;

static PyTypeObject *dtypeType;
static PyObject *objects[TH_DTYPE_LIMIT];

int THPDtype_code(PyObject *object)
{
    if (Py_IS_TYPE(object, dtypeType))
        return ((THPDtype *)object)->code;
    if (object == (PyObject *)&PyFloat_Type)
        return TH_DOUBLE;
    if (object == (PyObject *)&PyLong_Type)
        return TH_LONG;
    if (object == (PyObject *)&PyBool_Type)
        return TH_BOOL;
    return -1;
}

PyObject *THPDtype_object(int code)
{
    if (THDtype_isValid(code))
        return Py_NewRef(objects[code]);
    PyErr_Format(PyExc_ValueError, "%d is the code of no dtype", code);
    return NULL;
}

static int codeOf(PyObject *self)
{
    return ((THPDtype *)self)->code;
}

bool THPDtype_isFloating(int code)
{
    return THDtype_category((THDtype)code) == TH_CATEGORY_FLOATING;
}

bool THPDtype_isSigned(int code)
{
    return THDtype_formats[code] >= 'a' && THDtype_formats[code] <= 'z';
}

static PyObject *dtypeRepr(PyObject *self)
{
    static PyObject *texts[TH_DTYPE_LIMIT];
    PyObject **text = &texts[codeOf(self)];
    if (*text == NULL)
        *text = PyUnicode_FromFormat("thwrap.%s", THDtype_names[codeOf(self)]);
    return Py_XNewRef(*text);
}

static void dtypeDealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *dtypeName(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(THDtype_names[codeOf(self)]);
}

static PyObject *dtypeItemSize(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLongLong(THDtype_size((THDtype)codeOf(self)));
}

static PyObject *dtypeIsFloating(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(THPDtype_isFloating(codeOf(self)));
}

static PyObject *dtypeIsSigned(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(THPDtype_isSigned(codeOf(self)));
}

static PyObject *dtypeFormat(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromFormat("%c", THDtype_formats[codeOf(self)]);
}

static PyObject *dtypeCodeNumber(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(codeOf(self));
}

/* A string: pickled as the global of that name. */
static PyObject *dtypeReduce(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return PyUnicode_FromString(THDtype_names[codeOf(self)]);
}

static PyGetSetDef attributes[] = {
    {"name", dtypeName, NULL, "\"float32\"", NULL},
    {"itemsize", dtypeItemSize, NULL, "Bytes an element takes.", NULL},
    {"is_floating_point", dtypeIsFloating, NULL, NULL, NULL},
    {"is_signed", dtypeIsSigned, NULL, "Are there negative values?", NULL},
    {"format", dtypeFormat, NULL, "Character of the struct module.", NULL},
    {"_code", dtypeCodeNumber, NULL, "Number of the dtype in C.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"__reduce__", dtypeReduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Kind of a tensor's elements: thwrap.float32 and others."},
    {Py_tp_repr, dtypeRepr},
    {Py_tp_dealloc, dtypeDealloc},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {0, NULL},
};

static PyType_Spec spec = {
    "thwrap.dtype", sizeof(THPDtype), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

/* Adds the object under its name and its further names. */
static int addNames(PyObject *module, int code)
{
    if (PyModule_AddObjectRef(module, THDtype_names[code], objects[code]) < 0)
        return -1;
    for (const char *name = THDtype_aliases[code]; name && *name;) {
        const size_t length = strcspn(name, " ");
        PyObject *alias = PyUnicode_FromStringAndSize(name, (Py_ssize_t)length);
        const int status = alias ? PyObject_SetAttr(module, alias, objects[code]) : -1;
        Py_XDECREF(alias);
        if (status < 0)
            return -1;
        name += length + (name[length] == ' ');
    }
    return 0;
}

int THPDtype_attach(PyObject *module)
{
    if (THP_attachType(module, &dtypeType, &spec, NULL) < 0)
        return -1;
    for (int code = 0; code < TH_DTYPE_LIMIT; code++) {
        if (!THDtype_isValid(code))
            continue;
        if (objects[code] == NULL) {
            THPDtype *object = PyObject_New(THPDtype, dtypeType);
            if (object == NULL)
                return -1;
            object->code = code;
            objects[code] = (PyObject *)object;
        }
        if (addNames(module, code) < 0)
            return -1;
    }
    return 0;
}

static const THPParam typesParams[] = {
    {"type1", NULL, THP_DTYPE, 0, 0},
    {"type2", NULL, THP_DTYPE, 0, 0},
};
static const THPSignature typesSignature = {
    "promote_types", "(dtype type1, dtype type2)", typesParams, 2, 2, -1};
static const THPParam castParams[] = {
    {"from_", NULL, THP_DTYPE, 0, 0},
    {"to", NULL, THP_DTYPE, 0, 0},
};
static const THPSignature castSignature = {"can_cast", "(dtype from_, dtype to)", castParams, 2, 2,
                                           -1};

/* The two dtypes of a call; -1 with an exception. */
static int readPair(const THPSignature *signature, PyObject *const *args, Py_ssize_t nargs,
                    PyObject *kwnames, int *codes)
{
    PyObject *values[2];
    if (THP_bind(signature, NULL, args, nargs, kwnames, values) < 0 ||
        THP_readDtype(signature, 0, values[0], &codes[0]) < 0)
        return -1;
    return THP_readDtype(signature, 1, values[1], &codes[1]);
}

static PyObject *promoteTypes(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                              PyObject *kwnames)
{
    (void)module;
    int codes[2];
    if (readPair(&typesSignature, args, nargs, kwnames, codes) < 0)
        return NULL;
    return THPDtype_object((int)THDtype_promote((THDtype)codes[0], (THDtype)codes[1]));
}

static PyObject *canCast(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                         PyObject *kwnames)
{
    (void)module;
    int codes[2];
    if (readPair(&castSignature, args, nargs, kwnames, codes) < 0)
        return NULL;
    return PyBool_FromLong(THDtype_canCast((THDtype)codes[0], (THDtype)codes[1]));
}

static const THPParam operandParams[] = {
    {"tensor1", NULL, THP_OPERAND, 0, 0},
    {"tensor2", NULL, THP_OPERAND, 0, 0},
};
static const THPSignature operandSignature = {
    "result_type", "(Tensor or number tensor1, Tensor or number tensor2)", operandParams, 2, 2, -1};

static PyObject *resultType(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *kwnames)
{
    (void)module;
    PyObject *values[2];
    THScalarTensor boxes[2];
    THTensor *operands[2];
    THDtype dtype;
    if (THP_bind(&operandSignature, NULL, args, nargs, kwnames, values) < 0)
        return NULL;
    for (int i = 0; i < 2; i++)
        if ((operands[i] = THP_readOperand(&operandSignature, i, values[i], &boxes[i])) == NULL)
            return NULL;
    const int status = THPromote("result_type", TH_PROMOTE_ARITHMETIC, operands, 2, &dtype);
    return status == TH_OK ? THPDtype_object((int)dtype) : THP_raise(status);
}

PyMethodDef THPDtype_functions[] = {
    {"promote_types", THP_METHOD(promoteTypes), METH_FASTCALL | METH_KEYWORDS,
     "promote_types($module, type1, type2)\n--\n\nThe smallest dtype that both convert to."},
    {"result_type", THP_METHOD(resultType), METH_FASTCALL | METH_KEYWORDS,
     "result_type($module, tensor1, tensor2)\n--\n\nThe dtype of an arithmetic operation on both: "
     "0-d tensors and numbers count only by their category."},
    {"can_cast", THP_METHOD(canCast), METH_FASTCALL | METH_KEYWORDS,
     "can_cast($module, from_, to)\n--\n\nDoes the conversion keep within bool < integral < "
     "floating?"},
    {NULL, NULL, 0, NULL},
};

PyObject *THPDtype_getDefault(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    return THPDtype_object(THDtype_default());
}

PyObject *THPDtype_setDefault(PyObject *module, PyObject *dtype)
{
    (void)module;
    const int code = THPDtype_code(dtype);
    if (code < 0) {
        THP_raiseKind("set_default_dtype(): argument 'dtype'", "dtype", dtype);
        return NULL;
    }
    return THP_resultNone(THDtype_setDefault((THDtype)code));
}
