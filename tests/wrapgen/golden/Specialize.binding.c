/* Written by wrapgen from Specialize.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam raised_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"exponent", NULL, THP_OPERAND, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature raised_signature = {
    "raised",
    "(Tensor input, Tensor or number exponent, *, Tensor out=None)",
    raised_params,
    3,
    2,
    0,
};

static PyObject *THPRun_raised(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THScalarTensor exponent_number;
    THTensor *exponent = NULL;
    if (objects[2] != NULL && THP_readOut(&raised_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&raised_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((exponent = THP_readOperand(&raised_signature, 1, objects[1], &exponent_number)) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_raised(&results[0], self, exponent);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_raised(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&raised_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_raised(objects);
}

static const THPParam raised__params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"exponent", NULL, THP_OPERAND, 0, 0},
};
static const THPSignature raised__signature = {
    "raised_",
    "(Tensor input, Tensor or number exponent)",
    raised__params,
    2,
    2,
    0,
};

static PyObject *THPRun_raised_(PyObject *const *objects)
{
    THTensor *self = NULL;
    THScalarTensor exponent_number;
    THTensor *exponent = NULL;
    if ((self = THP_readTensor(&raised__signature, 0, objects[0])) == NULL)
        return NULL;
    if ((exponent = THP_readOperand(&raised__signature, 1, objects[1], &exponent_number)) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_raised_(self, exponent);
    THP_LEAVE();
    return THP_result(status, NULL, objects[0]);
}

static PyObject *THPCall_raised_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&raised__signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_raised_(objects);
}

static const THPParam divided_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_OPERAND, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature divided_signature = {
    "divided",
    "(Tensor input, Tensor or number other, *, Tensor out=None)",
    divided_params,
    3,
    2,
    0,
};

static PyObject *THPRun_divided(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THScalarTensor other_number;
    THTensor *other = NULL;
    if (objects[2] != NULL && THP_readOut(&divided_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&divided_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readOperand(&divided_signature, 1, objects[1], &other_number)) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_divided(&results[0], self, other);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_divided(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&divided_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_divided(objects);
}

static const THPParam divided__params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_OPERAND, 0, 0},
};
static const THPSignature divided__signature = {
    "divided_",
    "(Tensor input, Tensor or number other)",
    divided__params,
    2,
    2,
    0,
};

static PyObject *THPRun_divided_(PyObject *const *objects)
{
    THTensor *self = NULL;
    THScalarTensor other_number;
    THTensor *other = NULL;
    if ((self = THP_readTensor(&divided__signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readOperand(&divided__signature, 1, objects[1], &other_number)) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_divided_(self, other);
    THP_LEAVE();
    return THP_result(status, NULL, objects[0]);
}

static PyObject *THPCall_divided_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&divided__signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_divided_(objects);
}

static const THPParam turned_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_OPERAND, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature turned_signature = {
    "turned",
    "(Tensor input, Tensor or number other, *, Tensor out=None)",
    turned_params,
    3,
    2,
    0,
};

static PyObject *THPRun_turned(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THScalarTensor other_number;
    THTensor *other = NULL;
    if (objects[2] != NULL && THP_readOut(&turned_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&turned_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readOperand(&turned_signature, 1, objects[1], &other_number)) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_turned(&results[0], self, other);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_turned(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&turned_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_turned(objects);
}

static const THPParam turned__params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_OPERAND, 0, 0},
};
static const THPSignature turned__signature = {
    "turned_",
    "(Tensor input, Tensor or number other)",
    turned__params,
    2,
    2,
    0,
};

static PyObject *THPRun_turned_(PyObject *const *objects)
{
    THTensor *self = NULL;
    THScalarTensor other_number;
    THTensor *other = NULL;
    if ((self = THP_readTensor(&turned__signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readOperand(&turned__signature, 1, objects[1], &other_number)) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_turned_(self, other);
    THP_LEAVE();
    return THP_result(status, NULL, objects[0]);
}

static PyObject *THPCall_turned_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&turned__signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_turned_(objects);
}

PyMethodDef THPFunctions_Specialize[] = {
    {"raised", (PyCFunction)(void (*)(void))THPCall_raised,
     METH_FASTCALL | METH_KEYWORDS,
     "raised($module, input, exponent, *, out=None)\n"
     "--\n"
     "\n"
     "Error at most 2 ulp."},
    {"raised_", (PyCFunction)(void (*)(void))THPCall_raised_,
     METH_FASTCALL | METH_KEYWORDS,
     "raised_($module, input, exponent)\n"
     "--\n"
     "\n"
     "In-place form of raised(): the result is stored in self. Error at most 2 ulp."},
    {"divided", (PyCFunction)(void (*)(void))THPCall_divided,
     METH_FASTCALL | METH_KEYWORDS,
     "divided($module, input, other, *, out=None)\n"
     "--\n"
     "\n"},
    {"divided_", (PyCFunction)(void (*)(void))THPCall_divided_,
     METH_FASTCALL | METH_KEYWORDS,
     "divided_($module, input, other)\n"
     "--\n"
     "\n"
     "In-place form of divided(): the result is stored in self."},
    {"turned", (PyCFunction)(void (*)(void))THPCall_turned,
     METH_FASTCALL | METH_KEYWORDS,
     "turned($module, input, other, *, out=None)\n"
     "--\n"
     "\n"},
    {"turned_", (PyCFunction)(void (*)(void))THPCall_turned_,
     METH_FASTCALL | METH_KEYWORDS,
     "turned_($module, input, other)\n"
     "--\n"
     "\n"
     "In-place form of turned(): the result is stored in self."},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_Specialize[] = {
    {"raised", (PyCFunction)(void (*)(void))THPCall_raised,
     METH_FASTCALL | METH_KEYWORDS,
     "raised($self, exponent, *, out=None)\n"
     "--\n"
     "\n"
     "Error at most 2 ulp."},
    {"raised_", (PyCFunction)(void (*)(void))THPCall_raised_,
     METH_FASTCALL | METH_KEYWORDS,
     "raised_($self, exponent)\n"
     "--\n"
     "\n"
     "In-place form of raised(): the result is stored in self. Error at most 2 ulp."},
    {"divided", (PyCFunction)(void (*)(void))THPCall_divided,
     METH_FASTCALL | METH_KEYWORDS,
     "divided($self, other, *, out=None)\n"
     "--\n"
     "\n"},
    {"divided_", (PyCFunction)(void (*)(void))THPCall_divided_,
     METH_FASTCALL | METH_KEYWORDS,
     "divided_($self, other)\n"
     "--\n"
     "\n"
     "In-place form of divided(): the result is stored in self."},
    {"turned", (PyCFunction)(void (*)(void))THPCall_turned,
     METH_FASTCALL | METH_KEYWORDS,
     "turned($self, other, *, out=None)\n"
     "--\n"
     "\n"},
    {"turned_", (PyCFunction)(void (*)(void))THPCall_turned_,
     METH_FASTCALL | METH_KEYWORDS,
     "turned_($self, other)\n"
     "--\n"
     "\n"
     "In-place form of turned(): the result is stored in self."},
    {NULL, NULL, 0, NULL},
};
