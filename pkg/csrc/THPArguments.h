/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What binding (THPBind.c) and reading (THPRead.c) of arguments share, and the number protocol they
 * and the hand-written parts of thwrap._C rely on. */
#ifndef THP_ARGUMENTS_H
#define THP_ARGUMENTS_H

#include "THP.h"

/* Sizes given as separate positional ints. THP_bind leaves the address of THP_varargs as the value,
 * so that nothing is allocated; the arguments stay where the interpreter put them. Valid until
 * Python code runs: THP_VARARGS parameters come after nothing but tensors. */
typedef struct THPVarargs {
    PyObject *const *args;
    Py_ssize_t n;
} THPVarargs;
extern THPVarargs THP_varargs;
static inline int THP_isVarargs(const PyObject *value)
{
    return (const void *)value == (const void *)&THP_varargs;
}

/* Position of a parameter as the user counts in the call bound last, from 1; 0 if keyword only. */
int THP_position(const THPSignature *signature, int param);

/* The start of a message: "add(): argument 'other' (position 2)"; a new reference. */
PyObject *THP_argumentText(const THPSignature *signature, int param);
/* What a parameter wants, for messages: "int or tuple of ints". A new reference. */
PyObject *THP_expected(const THPParam *param);
/* "str", "Tensor", "None"; a new reference. */
PyObject *THP_typeName(PyObject *value);

/* Has it the buffer protocol or __dlpack__, where arrays are taken? Tensors are no arrays. */
int THP_isArray(PyObject *value);

/* Does the value fit the parameter's kind? Runs no Python code. `strict`: a 0-d tensor is no
 * number. */
int THP_matches(const THPParam *param, PyObject *value, bool strict);

/* THPNumber.c */
static inline int THP_is0d(PyObject *object)
{
    return THP_isTensor(object) && THP_unwrap(object)->nDimension == 0;
}
/* Which TH_SCALAR_ kind of number an object is (by type alone), or -1. Tensors are not numbers. */
int THP_numberKind(PyObject *object);
/* 1 with the number, 0 when the object is none, -1 with an exception of the object's own,
 * THP_TOO_LARGE without one when 64 bits do not hold it: what to say of that is the caller's.
 * Numbers and, in the second, 0-d tensors. */
enum { THP_TOO_LARGE = -2 };
int THP_scalarOfNumber(PyObject *object, THScalar *result);
int THP_scalarOf(PyObject *object, THScalar *result);
/* The same for integers: ints, what has __index__, 0-d integral tensors; not bool. */
int THP_longOf(PyObject *object, int64_t *result);
/* Would it be one of these? By type alone. */
int THP_isInteger(PyObject *object);

/* The package this is. */
extern const THPPackage *THP_package;

/* THPResult.c: the Python number of the scalar's kind. */
PyObject *THP_scalarObject(THScalar value);

#endif
