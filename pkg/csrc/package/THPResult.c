/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From TH's statuses, messages and tensors to Python's exceptions, warnings and objects, and the
 * hooks by which TH leaves the GIL around long work. */
#include "THPArguments.h"

static void *leaveInterpreter(void)
{
    return PyEval_SaveThread();
}

static void enterInterpreter(void *state)
{
    PyEval_RestoreThread(state);
}

const THWorkHooks THP_workHooks = {leaveInterpreter, enterInterpreter};

PyObject *THP_raise(int status)
{
    PyObject *exception;
    switch (status) {
    case TH_ERROR_VALUE:
        exception = PyExc_ValueError;
        break;
    case TH_ERROR_TYPE:
        exception = PyExc_TypeError;
        break;
    case TH_ERROR_INDEX:
        exception = PyExc_IndexError;
        break;
    case TH_ERROR_MEMORY:
        exception = PyExc_MemoryError;
        break;
    case TH_ERROR_NOT_IMPLEMENTED:
        exception = PyExc_NotImplementedError;
        break;
    default:
        exception = PyExc_RuntimeError;
    }
    PyErr_SetString(exception, THError_message());
    THError_clear();
    THWarning_take();
    return NULL;
}

int THP_showWarning(void)
{
    const char *text = THWarning_take();
    return TH_LIKELY(text == NULL) ? 0 : PyErr_WarnEx(PyExc_UserWarning, text, 1);
}

/* Raises or shows what the call left; 0 when there is a result to return. */
static int settle(int status)
{
    if (TH_UNLIKELY(status != TH_OK)) {
        THP_raise(status);
        return -1;
    }
    return THP_showWarning();
}

PyObject *THP_result(int status, THTensor *tensor, PyObject *given)
{
    const bool isGiven = given != NULL && given != Py_None;
    if (TH_UNLIKELY(settle(status) < 0)) {
        if (status == TH_OK && !isGiven)
            THTensor_free(tensor);
        return NULL;
    }
    return isGiven ? Py_NewRef(given) : THP_table->wrap(tensor);
}

PyObject *THP_resultOf(int status, THTensor *tensor, PyObject *self)
{
    if (status != TH_OK || !THP_isTensor(self) || THP_unwrap(self) != tensor)
        return THP_result(status, tensor, NULL);
    THTensor_free(tensor);
    return THP_result(status, NULL, self);
}

static PyTypeObject *tupleType(THPResultType *type, int n)
{
    if (type->type)
        return type->type;
    PyStructSequence_Field fields[9] = {{NULL, NULL}};
    for (int i = 0; i < n && i < 8; i++)
        fields[i].name = type->fields[i];
    PyStructSequence_Desc description = {type->name, "The results, by name and by position.",
                                         fields, n};
    type->type = PyStructSequence_NewType(&description);
    return type->type;
}

static void freeTensors(int n, THTensor **tensors)
{
    for (int i = 0; i < n; i++)
        THTensor_free(tensors[i]);
}

PyObject *THP_resultTuple(int status, THPResultType *type, int n, THTensor **tensors,
                          PyObject *given)
{
    const bool isGiven = given != NULL && given != Py_None;
    if (settle(status) < 0) {
        if (status == TH_OK && !isGiven)
            freeTensors(n, tensors);
        return NULL;
    }
    if (isGiven)
        return Py_NewRef(given);
    PyTypeObject *made = tupleType(type, n);
    PyObject *tuple = made ? PyStructSequence_New(made) : NULL;
    for (int i = 0; i < n; i++) {
        PyObject *item = tuple ? THP_table->wrap(tensors[i]) : NULL;
        if (item == NULL) {
            freeTensors(tuple ? n - i - 1 : n, tensors + (tuple ? i + 1 : 0));
            Py_XDECREF(tuple);
            return NULL;
        }
        PyStructSequence_SetItem(tuple, i, item);
    }
    return tuple;
}

PyObject *THP_resultArray(int status, THTensorArray array)
{
    PyObject *tuple = settle(status) < 0 ? NULL : PyTuple_New(array.n);
    for (int i = 0; tuple && i < array.n; i++) {
        PyObject *item = THP_table->wrap(array.tensors[i]); /* takes it over, also on failure */
        array.tensors[i] = NULL;
        if (item == NULL)
            Py_CLEAR(tuple);
        else
            PyTuple_SetItem(tuple, i, item);
    }
    THTensorArray_free(&array);
    return tuple;
}

PyObject *THP_resultBool(int status, bool value)
{
    return settle(status) < 0 ? NULL : PyBool_FromLong(value);
}

PyObject *THP_resultLong(int status, int64_t value)
{
    return settle(status) < 0 ? NULL : PyLong_FromLongLong(value);
}

PyObject *THP_resultDouble(int status, double value)
{
    return settle(status) < 0 ? NULL : PyFloat_FromDouble(value);
}

PyObject *THP_scalarObject(THScalar value)
{
    switch (value.kind) {
    case TH_SCALAR_BOOL:
        return PyBool_FromLong(value.value.l != 0);
    case TH_SCALAR_LONG:
        return PyLong_FromLongLong(value.value.l);
    case TH_SCALAR_ULONG:
        return PyLong_FromUnsignedLongLong(value.value.u);
    default:
        return PyFloat_FromDouble(value.value.d);
    }
}

PyObject *THP_resultScalar(int status, THScalar value)
{
    return settle(status) < 0 ? NULL : THP_scalarObject(value);
}

PyObject *THP_resultNone(int status)
{
    return settle(status) < 0 ? NULL : Py_NewRef(Py_None);
}
