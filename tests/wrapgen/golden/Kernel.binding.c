/* Written by wrapgen from Kernel.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam prelu_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"weight", NULL, THP_OPERAND, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature prelu_signature = {
    "prelu",
    "(Tensor input, Tensor or number weight, *, Tensor out=None)",
    prelu_params,
    3,
    2,
    0,
};

static PyObject *THPRun_prelu(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THScalarTensor weight_number;
    THTensor *weight = NULL;
    if (objects[2] != NULL && THP_readOut(&prelu_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&prelu_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((weight = THP_readOperand(&prelu_signature, 1, objects[1], &weight_number)) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_prelu(&results[0], self, weight);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_prelu(PyObject *receiver, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&prelu_signature, receiver, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_prelu(objects);
}

static PyObject *THPMethod_prelu(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return THPCall_prelu(self, args, nargs, kwnames);
}

static PyObject *THPFunction_prelu(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *kwnames)
{
    (void)module;
    return THPCall_prelu(NULL, args, nargs, kwnames);
}

static const THPParam prelu__params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"weight", NULL, THP_OPERAND, 0, 0},
};
static const THPSignature prelu__signature = {
    "prelu_",
    "(Tensor input, Tensor or number weight)",
    prelu__params,
    2,
    2,
    0,
};

static PyObject *THPRun_prelu_(PyObject *const *objects)
{
    THTensor *self = NULL;
    THScalarTensor weight_number;
    THTensor *weight = NULL;
    if ((self = THP_readTensor(&prelu__signature, 0, objects[0])) == NULL)
        return NULL;
    if ((weight = THP_readOperand(&prelu__signature, 1, objects[1], &weight_number)) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_prelu_(self, weight);
    THP_LEAVE();
    return THP_result(status, NULL, objects[0]);
}

static PyObject *THPCall_prelu_(PyObject *receiver, PyObject *const *args, Py_ssize_t nargs,
                                PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&prelu__signature, receiver, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_prelu_(objects);
}

static PyObject *THPMethod_prelu_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return THPCall_prelu_(self, args, nargs, kwnames);
}

static PyObject *THPFunction_prelu_(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                    PyObject *kwnames)
{
    (void)module;
    return THPCall_prelu_(NULL, args, nargs, kwnames);
}

PyMethodDef THPFunctions_Kernel[] = {
    {"prelu", (PyCFunction)(void (*)(void))THPFunction_prelu,
     METH_FASTCALL | METH_KEYWORDS,
     "prelu($module, input, weight, *, out=None)\n"
     "--\n"
     "\n"
     "self where it is positive, weight * self elsewhere."},
    {"prelu_", (PyCFunction)(void (*)(void))THPFunction_prelu_,
     METH_FASTCALL | METH_KEYWORDS,
     "prelu_($module, input, weight)\n"
     "--\n"
     "\n"
     "In-place form of prelu(): the result is stored in self."},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_Kernel[] = {
    {"prelu", (PyCFunction)(void (*)(void))THPMethod_prelu,
     METH_FASTCALL | METH_KEYWORDS,
     "prelu($self, weight, *, out=None)\n"
     "--\n"
     "\n"
     "self where it is positive, weight * self elsewhere."},
    {"prelu_", (PyCFunction)(void (*)(void))THPMethod_prelu_,
     METH_FASTCALL | METH_KEYWORDS,
     "prelu_($self, weight)\n"
     "--\n"
     "\n"
     "In-place form of prelu(): the result is stored in self."},
    {NULL, NULL, 0, NULL},
};
