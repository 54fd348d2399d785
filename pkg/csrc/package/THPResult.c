/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From TH's statuses, messages and tensors to Python's exceptions, warnings and objects, and the
 * hooks by which TH leaves the GIL around long work. */
#include "THPArguments.h"
#include <string.h>

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

static PyTypeObject *tupleType(THPResultType *type)
{
    if (type->type)
        return type->type;
    PyStructSequence_Field fields[9] = {{NULL, NULL}};
    int n = 0;
    for (; n < 8 && type->fields[n]; n++)
        fields[n].name = type->fields[n];
    PyStructSequence_Desc description = {type->name, "The results, by name and by position.",
                                         fields, n};
    type->type = PyStructSequence_NewType(&description);
    return type->type;
}

/* The name behind "thwrap.return_types." */
static const char *lastName(const THPResultType *type)
{
    return strrchr(type->name, '.') + 1;
}

/* The type of a name; a new reference, NULL with an AttributeError where there is none. */
static PyObject *getResultType(PyObject *module, PyObject *name)
{
    if (!PyUnicode_Check(name))
        return PyErr_Format(PyExc_TypeError, "attribute name must be string");
    for (THPResultType *const *const *table = THP_package->resultTypes; *table; table++)
        for (THPResultType *const *type = *table; *type; type++)
            if (PyUnicode_CompareWithASCIIString(name, lastName(*type)) == 0)
                return Py_XNewRef((PyObject *)tupleType(*type));
    PyObject *own = PyModule_GetNameObject(module);
    if (own)
        PyErr_Format(PyExc_AttributeError, "module '%U' has no attribute '%U'", own, name);
    Py_XDECREF(own);
    return NULL;
}

static PyObject *listResultTypes(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    PyObject *names = PyList_New(0);
    for (THPResultType *const *const *table = THP_package->resultTypes; names && *table; table++) {
        for (THPResultType *const *type = *table; names && *type; type++) {
            PyObject *name = PyUnicode_FromString(lastName(*type));
            if (name == NULL || PyList_Append(names, name) < 0)
                Py_CLEAR(names);
            Py_XDECREF(name);
        }
    }
    return names;
}

static PyMethodDef resultTypeFunctions[] = {
    {"__getattr__", getResultType, METH_O,
     "__getattr__($module, name, /)\n--\n\nThe type of the results of the function of this name."},
    {"__dir__", listResultTypes, METH_NOARGS,
     "__dir__($module, /)\n--\n\nThe functions that have several results."},
    {NULL, NULL, 0, NULL},
};

int THP_attachResultTypes(PyObject *module, const THPPackage *package)
{
    PyObject *own = PyUnicode_FromString(package->name);
    PyObject *stem = own ? PyObject_CallMethod(own, "removesuffix", "s", "._C") : NULL;
    PyObject *name = stem ? PyUnicode_FromFormat("%U.return_types", stem) : NULL;
    PyObject *types = name ? PyModule_NewObject(name) : NULL;
    PyObject *loaded = PyImport_GetModuleDict(); /* borrowed */
    const char *doc = "The types of several results: tuples with names, one for each function.";
    int status = types && PyModule_SetDocString(types, doc) == 0 &&
                         PyModule_AddFunctions(types, resultTypeFunctions) == 0 &&
                         PyObject_SetItem(loaded, name, types) == 0
                     ? PyModule_AddObjectRef(module, "return_types", types)
                     : -1;
    Py_XDECREF(types);
    Py_XDECREF(name);
    Py_XDECREF(stem);
    Py_XDECREF(own);
    return status;
}

static void freeTensors(int n, THTensor **tensors)
{
    for (int i = 0; i < n; i++)
        THTensor_free(tensors[i]);
}

/* PyStructSequence_New looks the numbers of fields up in the type's dict, which takes longer than
 * all else; none of them is hidden. */
static PyObject *newTuple(PyTypeObject *type, int n)
{
    const allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return alloc(type, n);
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
    PyTypeObject *made = tupleType(type);
    PyObject *tuple = made ? newTuple(made, n) : NULL;
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
