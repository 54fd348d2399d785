/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operators and ufuncs with tensors and NumPy's objects among their operands. Operators give
 * tensors, whichever operand comes first: NumPy's arrays and scalars know of ufuncs only, and hand
 * those to __array_ufunc__. All other ufuncs NumPy computes itself, on the tensors' memory. */
#include "THPInternal.h"

/* Of an object of NumPy's: a tensor over an array's memory, a copy where no tensor can be over it;
 * a scalar as Python's number. Others are themselves. A new reference. */
static PyObject *operandOf(PyObject *value)
{
    THScalar number;
    if (!THPNumpy_check(value))
        return Py_NewRef(value);
    const int isNumber = THP_scalarOfNumber(value, &number);
    if (isNumber != 0)
        return isNumber == 1 ? THP_scalarObject(number) : NULL;
    return THPNumpy_isArray(value) ? THPShare_tensor(value) : Py_NewRef(value);
}

PyObject *THP_operate(binaryfunc slot, PyObject *left, PyObject *right)
{
    PyObject *one = operandOf(left), *other = one ? operandOf(right) : NULL, *result = NULL;
    if (other)
        result = THP_isOperand(one) && THP_isOperand(other) ? slot(one, other)
                                                            : Py_NewRef(Py_NotImplemented);
    Py_XDECREF(one);
    Py_XDECREF(other);
    return result;
}

static PyObject *power(PyObject *base, PyObject *exponent)
{
    return PyNumber_Power(base, exponent, Py_None);
}

/* Operators by the name of the ufunc that NumPy's objects use for them: functions, or comparisons.
 */
typedef struct Operator {
    const char *name;
    binaryfunc function;
    int comparison;
    PyObject *ufunc;
} Operator;
static Operator operators[] = {
    {"add", PyNumber_Add, 0, NULL},
    {"subtract", PyNumber_Subtract, 0, NULL},
    {"multiply", PyNumber_Multiply, 0, NULL},
    {"divide", PyNumber_TrueDivide, 0, NULL},
    {"floor_divide", PyNumber_FloorDivide, 0, NULL},
    {"remainder", PyNumber_Remainder, 0, NULL},
    {"power", power, 0, NULL},
    {"matmul", PyNumber_MatrixMultiply, 0, NULL},
    {"bitwise_and", PyNumber_And, 0, NULL},
    {"bitwise_or", PyNumber_Or, 0, NULL},
    {"bitwise_xor", PyNumber_Xor, 0, NULL},
    {"left_shift", PyNumber_Lshift, 0, NULL},
    {"right_shift", PyNumber_Rshift, 0, NULL},
    {"equal", NULL, Py_EQ, NULL},
    {"not_equal", NULL, Py_NE, NULL},
    {"less", NULL, Py_LT, NULL},
    {"less_equal", NULL, Py_LE, NULL},
    {"greater", NULL, Py_GT, NULL},
    {"greater_equal", NULL, Py_GE, NULL},
};
enum { OPERATORS = sizeof operators / sizeof operators[0] };

/* The operator of a ufunc; NULL where it is none, or with an exception. */
static const Operator *operatorOf(PyObject *ufunc)
{
    for (int i = 0; i < OPERATORS; i++) {
        if (operators[i].ufunc == NULL &&
            (operators[i].ufunc = THPNumpy_get(operators[i].name)) == NULL)
            return NULL;
        if (operators[i].ufunc == ufunc)
            return &operators[i];
    }
    return NULL;
}

static PyObject *applyOperator(const Operator *operator, PyObject *left, PyObject *right)
{
    PyObject *one = operandOf(left), *other = one ? operandOf(right) : NULL, *result = NULL;
    if (other && (THPNumpy_check(one) || THPNumpy_check(other)))
        result = Py_NewRef(Py_NotImplemented); /* it would come back to us */
    else if (other)
        result = operator->function ? operator->function(one, other)
                                    : PyObject_RichCompare(one, other, operator->comparison);
    Py_XDECREF(one);
    Py_XDECREF(other);
    return result;
}

/* The ufunc on arrays over the tensors' memory. */
static PyObject *callUfunc(PyObject *ufunc, PyObject *const *inputs, Py_ssize_t n)
{
    PyObject *arrays = PyTuple_New(n), *result = NULL;
    for (Py_ssize_t i = 0; arrays && i < n; i++) {
        PyObject *array = THP_isTensor(inputs[i]) ? THPNumpy_over(inputs[i]) : Py_NewRef(inputs[i]);
        if (array == NULL || PyTuple_SetItem(arrays, i, array) < 0)
            Py_CLEAR(arrays);
    }
    if (arrays)
        result = PyObject_Call(ufunc, arrays, NULL);
    Py_XDECREF(arrays);
    return result;
}

/* __array_ufunc__(ufunc, method, *inputs, **options); in Python where there are options. */
PyObject *THPUfunc_apply(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const bool isCall = nargs > 2 && (kwnames == NULL || PyTuple_Size(kwnames) == 0) &&
                        PyUnicode_Check(args[1]) &&
                        PyUnicode_CompareWithASCIIString(args[1], "__call__") == 0;
    if (!isCall)
        return THPNumpy_inPython("apply_ufunc", self, args, nargs, kwnames);
    const Operator *operator = nargs == 4 ? operatorOf(args[0]) : NULL;
    if (operator)
        return applyOperator(operator, args[2], args[3]);
    return PyErr_Occurred() ? NULL : callUfunc(args[0], args + 2, nargs - 2);
}
