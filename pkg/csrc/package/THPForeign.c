/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arrays as operands of an op package. Each is replaced by a Tensor over its memory for the call,
 * so that readers, TH and errors meet tensors only. The Tensors, and with them the exports of the
 * arrays' memory, live until the call is over, on every way out of it; results that share memory
 * with them live on by its storage. */
#include "THPArguments.h"

const bool THP_takesArrays = true;

typedef struct Guests {
    const THPSignature *signature;
    PyObject *const *given;             /* the arguments as they came */
    PyObject *replaced[THP_MAX_PARAMS]; /* what stands for them; owned, NULL: themselves */
    PyObject *like;                     /* the first array among the inputs; borrowed */
    bool hasTensor;                     /* some input is a Tensor */
} Guests;

/* Puts the argument in front of the message of what went wrong in reading it. */
static void nameArgument(const THPSignature *signature, int param, Py_ssize_t item)
{
    PyObject *type, *value, *traceback;
    if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_ValueError) &&
        !PyErr_ExceptionMatches(PyExc_BufferError))
        return;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *text = THP_argumentText(signature, param);
    if (text && item >= 0)
        PyErr_Format(type, "%U, item %zd: %S", text, item, value);
    else if (text)
        PyErr_Format(type, "%U: %S", text, value);
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

/* The value, or a Tensor over it where it is an array; a new reference. */
static PyObject *takeOne(Guests *guests, int param, Py_ssize_t item, PyObject *value)
{
    const THPParam *row = &guests->signature->params[param];
    const bool isOut = row->kind == THP_OUT;
    if (THP_isTensor(value)) {
        guests->hasTensor |= !isOut;
        return Py_NewRef(value);
    }
    if ((row->kind == THP_OPERAND && THP_numberKind(value) >= 0) || !THP_isArray(value))
        return Py_NewRef(value);
    PyObject *tensor = THP_table->tensorOfArray(value, isOut || row->flags & THP_WRITTEN);
    if (tensor == NULL)
        nameArgument(guests->signature, param, item);
    else if (guests->like == NULL && !isOut)
        guests->like = value;
    return tensor;
}

/* A tuple of what stands for the items; a new reference. */
static PyObject *takeItems(Guests *guests, int param, PyObject *value)
{
    PyObject *items = PySequence_Tuple(value);
    const Py_ssize_t n = items ? PyTuple_Size(items) : 0;
    PyObject *taken = items ? PyTuple_New(n) : NULL;
    for (Py_ssize_t i = 0; taken && i < n; i++) {
        PyObject *tensor = takeOne(guests, param, i, PyTuple_GetItem(items, i));
        if (tensor == NULL || PyTuple_SetItem(taken, i, tensor) < 0)
            Py_CLEAR(taken);
    }
    Py_XDECREF(items);
    return taken;
}

/* Fills `replaced` for one argument. */
static int takeArgument(Guests *guests, int param, PyObject *value)
{
    const THPParam *row = &guests->signature->params[param];
    PyObject **place = &guests->replaced[param];
    if (value == NULL)
        return 0;
    if (row->kind == THP_TENSOR || row->kind == THP_OPERAND ||
        (row->kind == THP_OUT && row->noutputs == 1))
        *place = takeOne(guests, param, -1, value);
    else if (row->kind == THP_OUT && PyTuple_Check(value))
        *place = takeItems(guests, param, value);
    else if (row->kind == THP_TENSOR_LIST && !THP_isTensor(value) && !PyUnicode_Check(value) &&
             PySequence_Check(value))
        *place = takeItems(guests, param, value);
    else
        return 0;
    return *place ? 0 : -1;
}

/* A Tensor the op made, as the kind of array that came in, or as it is: read-only memory is copied,
 * since Tensors can be written. Takes over the reference. */
static PyObject *leave(PyObject *tensor, PyObject *like)
{
    THTensor *self = THP_unwrap(tensor), *copy;
    const bool isReadOnly = THP_isReadOnly(self);
    PyObject *result = NULL;
    if (like)
        result = THP_table->arrayOfTensor(tensor, like);
    else if (!isReadOnly)
        return tensor;
    if (isReadOnly && (like == NULL || result == tensor)) {
        const int status = THTensor_newClone(&copy, self);
        Py_XDECREF(result);
        result = status == TH_OK ? THP_table->wrap(copy) : THP_raise(status);
    }
    Py_DECREF(tensor);
    return result;
}

/* The same for the items of a tuple, named or not. */
static PyObject *leaveItems(PyObject *tuple, PyObject *like)
{
    const Py_ssize_t n = PyTuple_Size(tuple);
    const bool isPlain = PyTuple_CheckExact(tuple);
    PyObject *result = isPlain ? PyTuple_New(n) : PyStructSequence_New(Py_TYPE(tuple));
    for (Py_ssize_t i = 0; result && i < n; i++) {
        PyObject *item = leave(Py_NewRef(PyTuple_GetItem(tuple, i)), like);
        if (item == NULL)
            Py_CLEAR(result);
        else if (isPlain)
            PyTuple_SetItem(result, i, item);
        else
            PyStructSequence_SetItem(result, i, item);
    }
    Py_DECREF(tuple);
    return result;
}

/* What the caller gets for the op's result; takes over the reference. */
static PyObject *settle(const Guests *guests, PyObject *result)
{
    const bool alike = THP_package->flags & THP_RESULTS_LIKE && guests->like && !guests->hasTensor;
    for (int i = 0; i < guests->signature->nparams; i++) {
        const THPParam *row = &guests->signature->params[i];
        const bool isWritten = row->kind == THP_OUT || row->flags & THP_WRITTEN;
        if (guests->replaced[i] == result && (isWritten || alike)) {
            Py_DECREF(result);
            return Py_NewRef(guests->given[i]);
        }
    }
    PyObject *like = alike ? guests->like : NULL;
    if (THP_isTensor(result))
        return leave(result, like);
    return PyTuple_Check(result) ? leaveItems(result, like) : result;
}

PyObject *THP_runForeign(const THPSignature *signature, PyObject *(*run)(PyObject *const *objects),
                         PyObject **objects)
{
    PyObject *passed[THP_MAX_PARAMS], *result = NULL;
    const THPVarargs varargs = THP_varargs; /* taking arrays may run Python code */
    const int n = signature->nparams;
    Guests guests; /* not cleared as a whole: most of it is not used */
    guests.signature = signature;
    guests.given = objects;
    guests.like = NULL;
    guests.hasTensor = false;
    passed[0] = NULL; /* the compiler does not know that there are parameters */
    int taken = 0, status = 0;
    for (; taken < n && status == 0; taken++) {
        guests.replaced[taken] = NULL;
        status = takeArgument(&guests, taken, objects[taken]);
        passed[taken] = guests.replaced[taken] ? guests.replaced[taken] : objects[taken];
    }
    THP_varargs = varargs;
    if (status == 0 && (result = run(passed)) != NULL)
        result = settle(&guests, result);
    for (int i = 0; i < taken; i++)
        Py_XDECREF(guests.replaced[i]);
    return result;
}
