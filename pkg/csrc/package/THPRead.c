/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From Python values to what TH takes. Readers leave the result alone when the value is NULL
 * (absent). */
#include "THPArguments.h"
#include <string.h>

static const char *const kindNames[] = {
    [THP_TENSOR] = "Tensor",
    [THP_OPERAND] = "Tensor or number",
    [THP_TENSOR_LIST] = "sequence of Tensors",
    [THP_SCALAR] = "number",
    [THP_LONG] = "int",
    [THP_DOUBLE] = "float",
    [THP_BOOL] = "bool",
    [THP_TRUE] = "True",
    [THP_FALSE] = "False",
    [THP_SIZE] = "int or tuple of ints",
    [THP_DTYPE] = "dtype",
    [THP_STRING] = "str",
    [THP_GENERATOR] = "Generator",
    [THP_STORAGE] = "Storage",
    [THP_OUT] = "Tensor",
};

/* The same where arrays are taken. */
static const char *const arrayKindNames[] = {
    [THP_TENSOR] = "Tensor or array",
    [THP_OPERAND] = "Tensor, array or number",
    [THP_TENSOR_LIST] = "sequence of Tensors or arrays",
    [THP_OUT] = "Tensor or array",
};
enum { ARRAY_KINDS = sizeof arrayKindNames / sizeof arrayKindNames[0] };

PyObject *THP_expected(const THPParam *param)
{
    if (param->kind == THP_OUT && param->noutputs > 1)
        return PyUnicode_FromFormat("tuple of %d Tensors%s", param->noutputs,
                                    THP_takesArrays ? " or arrays" : "");
    if (THP_takesArrays && param->kind < ARRAY_KINDS && arrayKindNames[param->kind])
        return PyUnicode_FromString(arrayKindNames[param->kind]);
    return PyUnicode_FromString(kindNames[param->kind]);
}

PyObject *THP_typeName(PyObject *value)
{
    return value == Py_None ? PyUnicode_FromString("None") : PyType_GetName(Py_TYPE(value));
}

PyObject *THP_argumentText(const THPSignature *signature, int param)
{
    const char *name = signature->params[param].name;
    const int position = THP_position(signature, param);
    return position > 0 ? PyUnicode_FromFormat("%s(): argument '%s' (position %d)", signature->name,
                                               name, position)
                        : PyUnicode_FromFormat("%s(): argument '%s'", signature->name, name);
}

/* Raises "<argument> <predicate>"; returns -1. */
static int argumentError(const THPSignature *signature, int param, PyObject *exception,
                         const char *predicate)
{
    PyObject *text = THP_argumentText(signature, param);
    if (text)
        PyErr_Format(exception, "%U %s", text, predicate);
    Py_XDECREF(text);
    return -1;
}

/* `item` is the one of a sequence that is wrong, or -1. */
static int wrongItem(const THPSignature *signature, int param, Py_ssize_t item, PyObject *value)
{
    PyObject *text = THP_argumentText(signature, param);
    PyObject *expected = THP_expected(&signature->params[param]);
    PyObject *got = THP_typeName(value);
    if (text && expected && got && item < 0)
        PyErr_Format(PyExc_TypeError, "%U must be %U, not %U", text, expected, got);
    else if (text && expected && got)
        PyErr_Format(PyExc_TypeError, "%U must be %U, but item %zd is %U", text, expected, item,
                     got);
    Py_XDECREF(text);
    Py_XDECREF(expected);
    Py_XDECREF(got);
    return -1;
}

static int wrongKind(const THPSignature *signature, int param, PyObject *value)
{
    return wrongItem(signature, param, -1, value);
}

/* The items of a list or tuple: how many, -1 for anything else; borrowed, while no Python code
 * runs. */
static Py_ssize_t countOf(PyObject *value)
{
    return PyList_Check(value)    ? PyList_Size(value)
           : PyTuple_Check(value) ? PyTuple_Size(value)
                                  : -1;
}

static PyObject *itemOf(PyObject *value, Py_ssize_t i)
{
    return PyList_Check(value) ? PyList_GetItem(value, i) : PyTuple_GetItem(value, i);
}

static int matchesLong(PyObject *value, bool strict)
{
    return THP_isInteger(value) && !(strict && THP_isTensor(value));
}

static int matchesSize(PyObject *value, bool strict)
{
    if (THP_isVarargs(value)) {
        for (Py_ssize_t i = 0; i < THP_varargs.n; i++)
            if (!matchesLong(THP_varargs.args[i], false))
                return 0;
        return 1;
    }
    const Py_ssize_t n = countOf(value);
    if (n < 0)
        return matchesLong(value, strict);
    for (Py_ssize_t i = 0; i < n; i++)
        if (!matchesLong(itemOf(value, i), false))
            return 0;
    return 1;
}

int THP_isArray(PyObject *value)
{
    if (!THP_takesArrays || THP_isVarargs(value) || THP_isTensor(value))
        return 0;
    if (PyObject_CheckBuffer(value))
        return 1;
    const THPVarargs varargs = THP_varargs; /* a metaclass may run Python code */
    PyObject *method = PyObject_GetAttrString((PyObject *)Py_TYPE(value), "__dlpack__");
    THP_varargs = varargs;
    if (method == NULL)
        PyErr_Clear();
    Py_XDECREF(method);
    return method != NULL;
}

static int isTensorOrArray(PyObject *value)
{
    return THP_isTensor(value) || THP_isArray(value);
}

/* A list or tuple of tensors. */
static int matchesTensors(PyObject *value)
{
    const Py_ssize_t n = countOf(value);
    for (Py_ssize_t i = 0; i < n; i++)
        if (!isTensorOrArray(itemOf(value, i)))
            return 0;
    return n >= 0;
}

/* Results to be written: no list, which could lose them before they are. */
static int matchesOuts(PyObject *value, Py_ssize_t n)
{
    return PyTuple_Check(value) && PyTuple_Size(value) == n && matchesTensors(value);
}

static int matchesBool(PyObject *value)
{
    return PyBool_Check(value) || THP_numberKind(value) == TH_SCALAR_BOOL;
}

int THP_matches(const THPParam *param, PyObject *value, bool strict)
{
    if (THP_isVarargs(value) && param->kind != THP_SIZE)
        return 0;
    switch ((THPKind)param->kind) {
    case THP_TENSOR: /* NumPy's scalars are arrays to a form that takes no numbers */
        return THP_isTensor(value) ||
               (THP_isArray(value) && !(strict && THP_numberKind(value) >= 0));
    case THP_OPERAND:
        return THP_isOperand(value) || THP_isArray(value);
    case THP_TENSOR_LIST:
        return matchesTensors(value);
    case THP_SCALAR:
    case THP_DOUBLE:
        return THP_is0d(value) ? !strict : THP_numberKind(value) >= 0;
    case THP_LONG:
        return matchesLong(value, strict);
    case THP_BOOL:
        return matchesBool(value);
    case THP_TRUE:
    case THP_FALSE:
        return matchesBool(value) && PyObject_IsTrue(value) == (param->kind == THP_TRUE);
    case THP_SIZE:
        return matchesSize(value, strict);
    case THP_DTYPE:
        return THP_table->dtypeCode(value) >= 0;
    case THP_STRING:
        return PyUnicode_Check(value);
    case THP_GENERATOR:
        return THP_table->generator(value) != NULL;
    case THP_STORAGE:
        return THP_table->storage(value) != NULL;
    case THP_OUT:
        return value == Py_None ||
               (param->noutputs > 1 ? matchesOuts(value, param->noutputs) : isTensorOrArray(value));
    }
    return 0;
}

THTensor *THP_readTensor(const THPSignature *signature, int param, PyObject *value)
{
    if (TH_LIKELY(THP_isTensor(value)))
        return THP_unwrap(value);
    wrongKind(signature, param, value);
    return NULL;
}

/* Status of a conversion (as of THP_scalarOf) to a reader's, with the exception that is due. */
static int converted(const THPSignature *signature, int param, PyObject *value, int status)
{
    if (TH_LIKELY(status == 1))
        return 0;
    if (status == 0)
        return wrongKind(signature, param, value);
    return status == THP_TOO_LARGE
               ? argumentError(signature, param, PyExc_ValueError, "does not fit 64 bits")
               : -1;
}

THTensor *THP_readOperand(const THPSignature *signature, int param, PyObject *value,
                          THScalarTensor *box)
{
    THScalar number;
    if (TH_LIKELY(Py_TYPE(value) == THP_table->tensorType))
        return THP_unwrap(value);
    if (PyFloat_CheckExact(value))
        return THScalarTensor_init(box, THScalar_fromDouble(PyFloat_AsDouble(value)));
    const int status = THP_scalarOfNumber(value, &number);
    if (status == 0 && THP_isTensor(value))
        return THP_unwrap(value);
    if (converted(signature, param, value, status) < 0)
        return NULL;
    return THScalarTensor_init(box, number);
}

int THP_readScalar(const THPSignature *signature, int param, PyObject *value, THScalar *result)
{
    return value ? converted(signature, param, value, THP_scalarOf(value, result)) : 0;
}

int THP_readLong(const THPSignature *signature, int param, PyObject *value, int64_t *result)
{
    if (TH_LIKELY(value && Py_IS_TYPE(value, &PyLong_Type))) {
        const long long number = PyLong_AsLongLong(value);
        if (TH_LIKELY(number != -1 || !PyErr_Occurred())) {
            *result = number;
            return 0;
        }
        PyErr_Clear();
    }
    return value ? converted(signature, param, value, THP_longOf(value, result)) : 0;
}

int THP_readDouble(const THPSignature *signature, int param, PyObject *value, double *result)
{
    THScalar number;
    if (value == NULL)
        return 0;
    if (converted(signature, param, value, THP_scalarOf(value, &number)) < 0)
        return -1;
    *result = THScalar_toDouble(number);
    return 0;
}

int THP_readBool(const THPSignature *signature, int param, PyObject *value, bool *result)
{
    if (value == NULL)
        return 0;
    if (value == Py_True || value == Py_False) {
        *result = value == Py_True;
        return 0;
    }
    if (!matchesBool(value))
        return wrongKind(signature, param, value);
    const int truth = PyObject_IsTrue(value);
    *result = truth > 0;
    return truth < 0 ? -1 : 0;
}

int THP_readDtype(const THPSignature *signature, int param, PyObject *value, int *result)
{
    if (value == NULL)
        return 0;
    const int code = THP_table->dtypeCode(value);
    if (code < 0)
        return wrongKind(signature, param, value);
    *result = code;
    return 0;
}

int THP_readString(const THPSignature *signature, int param, PyObject *value, const char **result)
{
    if (value == NULL)
        return 0;
    if (!PyUnicode_Check(value))
        return wrongKind(signature, param, value);
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(value, &length);
    if (text == NULL)
        return -1;
    if (strlen(text) != (size_t)length)
        return argumentError(signature, param, PyExc_ValueError, "contains a null character");
    *result = text;
    return 0;
}

int THP_readGenerator(const THPSignature *signature, int param, PyObject *value,
                      THGenerator **result)
{
    if (value == NULL)
        return 0;
    THGenerator *generator = THP_table->generator(value);
    if (generator == NULL)
        return wrongKind(signature, param, value);
    *result = generator;
    return 0;
}

int THP_readStorage(const THPSignature *signature, int param, PyObject *value, THStorage **result)
{
    if (value == NULL)
        return 0;
    THStorage *storage = THP_table->storage(value);
    if (storage == NULL)
        return wrongKind(signature, param, value);
    *result = storage;
    return 0;
}

static int readSizeItem(const THPSignature *signature, int param, Py_ssize_t i, PyObject *item,
                        THPSize *result)
{
    const int status = THP_longOf(item, &result->size[i]);
    if (TH_UNLIKELY(status == 0))
        return wrongItem(signature, param, i, item);
    return converted(signature, param, item, status);
}

static int checkCount(const THPSignature *signature, int param, Py_ssize_t n, THPSize *result)
{
    result->n = (int)n;
    return n <= TH_MAX_DIMS ? 0
                            : argumentError(signature, param, PyExc_ValueError,
                                            "has more than 64 items, the most dims there can be");
}

static int readSizeTuple(const THPSignature *signature, int param, PyObject *tuple, THPSize *result)
{
    const Py_ssize_t n = PyTuple_Size(tuple);
    if (checkCount(signature, param, n, result) < 0)
        return -1;
    for (Py_ssize_t i = 0; i < n; i++)
        if (readSizeItem(signature, param, i, PyTuple_GetItem(tuple, i), result) < 0)
            return -1;
    return 0;
}

int THP_readSize(const THPSignature *signature, int param, PyObject *value, THPSize *result)
{
    if (value == NULL)
        return 0;
    if (THP_isVarargs(value)) {
        const THPVarargs varargs = THP_varargs; /* __index__ may bind another call */
        if (checkCount(signature, param, varargs.n, result) < 0)
            return -1;
        for (Py_ssize_t i = 0; i < varargs.n; i++)
            if (readSizeItem(signature, param, i, varargs.args[i], result) < 0)
                return -1;
        return 0;
    }
    if (PyTuple_Check(value))
        return readSizeTuple(signature, param, value, result);
    const int status = THP_longOf(value, &result->size[0]);
    if (status != 0) {
        result->n = 1;
        return converted(signature, param, value, status);
    }
    if (PyUnicode_Check(value) || PyBytes_Check(value) || THP_is0d(value) ||
        !PySequence_Check(value))
        return wrongKind(signature, param, value);
    PyObject *tuple = PySequence_Tuple(value);
    if (tuple == NULL)
        return -1;
    const int read = readSizeTuple(signature, param, tuple, result);
    Py_DECREF(tuple);
    return read;
}

int THP_readTensorList(const THPSignature *signature, int param, PyObject *value,
                       THPTensorList *result)
{
    result->n = 0;
    result->tensors = NULL;
    result->keep = NULL;
    if (value == NULL)
        return 0;
    if (THP_isTensor(value) || PyUnicode_Check(value) || !PySequence_Check(value))
        return wrongKind(signature, param, value);
    PyObject *tuple = PySequence_Tuple(value);
    if (tuple == NULL)
        return -1;
    const Py_ssize_t n = PyTuple_Size(tuple);
    THTensor **tensors = n <= THP_FEW_TENSORS ? result->few
                         : n <= INT_MAX       ? PyMem_New(THTensor *, n)
                                              : NULL;
    if (tensors == NULL) {
        Py_DECREF(tuple);
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PyTuple_GetItem(tuple, i);
        if (!THP_isTensor(item)) {
            wrongItem(signature, param, i, item);
            if (tensors != result->few)
                PyMem_Free(tensors);
            Py_DECREF(tuple);
            return -1;
        }
        tensors[i] = THP_unwrap(item);
    }
    result->n = (int)n;
    result->tensors = tensors;
    result->keep = tuple;
    return 0;
}

void THP_freeTensorList(THPTensorList *list)
{
    if (list->tensors != list->few)
        PyMem_Free(list->tensors);
    Py_XDECREF(list->keep);
    list->n = 0;
    list->tensors = NULL;
    list->keep = NULL;
}

int THP_readOut(const THPSignature *signature, int param, PyObject *value, THTensor **outs, int n)
{
    if (value == NULL || value == Py_None)
        return 0;
    if (n == 1 && THP_isTensor(value)) {
        outs[0] = THP_unwrap(value);
        return 0;
    }
    if (n == 1 || !matchesOuts(value, n))
        return wrongKind(signature, param, value);
    for (int i = 0; i < n; i++)
        outs[i] = THP_unwrap(PyTuple_GetItem(value, i));
    return 0;
}
