/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers of Python. What is one is decided by type alone: bool, int, float and their subclasses,
 * then whatever has __index__ or __float__ and no length (NumPy's scalars, Fraction, Decimal). */
#include "THPArguments.h"

/* NumPy's scalars that are not what their slots say, by the names of their types. */
static const char *const boolNames[] = {"bool", "bool_", NULL};
static const char *const complexNames[] = {"complex64", "complex128", "complex256", "clongdouble",
                                           NULL};

static int isNamed(PyTypeObject *type, const char *const *names)
{
    PyObject *name = PyType_GetName(type);
    if (name == NULL) {
        PyErr_Clear();
        return 0;
    }
    while (*names && PyUnicode_CompareWithASCIIString(name, *names) != 0)
        names++;
    Py_DECREF(name);
    return *names != NULL;
}

/* Of types that are neither Python's numbers nor tensors; NumPy's scalars among them. */
static int kindOfType(PyTypeObject *type)
{
    if (PyType_GetSlot(type, Py_mp_length) || PyType_GetSlot(type, Py_sq_length))
        return -1;
    const bool index = PyType_GetSlot(type, Py_nb_index) != NULL;
    if (!index && PyType_GetSlot(type, Py_nb_float) == NULL)
        return -1;
    if (isNamed(type, boolNames))
        return TH_SCALAR_BOOL;
    if (index)
        return TH_SCALAR_LONG;
    return isNamed(type, complexNames) ? -1 : TH_SCALAR_DOUBLE;
}

/* The same, remembered of types that neither change nor go. */
static int knownKind(PyTypeObject *type)
{
    static struct {
        PyTypeObject *type;
        int kind;
    } known[16];
    const size_t place = (uintptr_t)type / 64 % (sizeof known / sizeof known[0]);
    if (known[place].type == type)
        return known[place].kind;
    const int kind = kindOfType(type);
    if (!(PyType_GetFlags(type) & Py_TPFLAGS_HEAPTYPE)) {
        known[place].type = type;
        known[place].kind = kind;
    }
    return kind;
}

int THP_numberKind(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    if (type == &PyFloat_Type)
        return TH_SCALAR_DOUBLE;
    if (type == &PyLong_Type)
        return TH_SCALAR_LONG;
    if (type == THP_table->tensorType)
        return -1;
    if (PyFloat_Check(object))
        return TH_SCALAR_DOUBLE;
    if (PyLong_Check(object))
        return PyBool_Check(object) ? TH_SCALAR_BOOL : TH_SCALAR_LONG;
    return knownKind(type);
}

static int scalarOfInt(PyObject *number, THScalar *result)
{
    int overflow;
    const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow == 0) {
        *result = THScalar_fromLong(value);
        return value == -1 && PyErr_Occurred() ? -1 : 1;
    }
    if (overflow < 0)
        return THP_TOO_LARGE;
    const unsigned long long big = PyLong_AsUnsignedLongLong(number);
    if (big == (unsigned long long)-1 && PyErr_Occurred()) {
        PyErr_Clear();
        return THP_TOO_LARGE;
    }
    *result = (THScalar){.kind = TH_SCALAR_ULONG, .value.u = big};
    return 1;
}

int THP_scalarOfNumber(PyObject *object, THScalar *result)
{
    switch (THP_numberKind(object)) {
    case TH_SCALAR_DOUBLE: {
        const double value = PyFloat_AsDouble(object);
        *result = THScalar_fromDouble(value);
        return value == -1.0 && PyErr_Occurred() ? -1 : 1;
    }
    case TH_SCALAR_BOOL: {
        const int truth = PyObject_IsTrue(object);
        *result = THScalar_fromBool(truth > 0);
        return truth < 0 ? -1 : 1;
    }
    case TH_SCALAR_LONG: {
        if (PyLong_Check(object))
            return scalarOfInt(object, result);
        PyObject *number = PyNumber_Index(object);
        const int status = number ? scalarOfInt(number, result) : -1;
        Py_XDECREF(number);
        return status;
    }
    default:
        return 0;
    }
}

int THP_scalarOf(PyObject *object, THScalar *result)
{
    if (PyFloat_CheckExact(object) || PyLong_CheckExact(object) || !THP_is0d(object))
        return THP_scalarOfNumber(object, result);
    const THTensor *tensor = THP_unwrap(object);
    *result = THTensor_getAt(tensor, tensor->storageOffset);
    return 1;
}

int THP_longOf(PyObject *object, int64_t *result)
{
    THScalar number;
    if (Py_IS_TYPE(object, &PyLong_Type)) {
        *result = PyLong_AsLongLong(object);
        if (TH_LIKELY(*result != -1 || !PyErr_Occurred()))
            return 1;
        PyErr_Clear();
        return THP_TOO_LARGE;
    }
    if (THP_is0d(object)) {
        const THTensor *tensor = THP_unwrap(object);
        if (THDtype_category((THDtype)tensor->dtype) != TH_CATEGORY_INTEGRAL)
            return 0;
    } else if (THP_numberKind(object) != TH_SCALAR_LONG)
        return 0;
    const int status = THP_scalarOf(object, &number);
    if (status == 1 && number.kind == TH_SCALAR_ULONG)
        return THP_TOO_LARGE;
    if (status == 1)
        *result = number.value.l;
    return status;
}

int THP_isOddOperand(PyObject *object)
{
    return THP_numberKind(object) >= 0 || THP_isTensor(object);
}

int THP_isInteger(PyObject *object)
{
    if (THP_is0d(object))
        return THDtype_category((THDtype)THP_unwrap(object)->dtype) == TH_CATEGORY_INTEGRAL;
    return THP_numberKind(object) == TH_SCALAR_LONG;
}
