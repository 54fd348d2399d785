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

static PyObject *THPCall_prelu(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&prelu_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_prelu(objects);
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

static PyObject *THPCall_prelu_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&prelu__signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_prelu_(objects);
}

static const THPParam asked_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_OPERAND, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature asked_signature = {
    "asked",
    "(Tensor input, Tensor or number other, *, Tensor out=None)",
    asked_params,
    3,
    2,
    0,
};

static PyObject *THPRun_asked(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THScalarTensor other_number;
    THTensor *other = NULL;
    if (objects[2] != NULL && THP_readOut(&asked_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&asked_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readOperand(&asked_signature, 1, objects[1], &other_number)) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_asked(&results[0], self, other);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_asked(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&asked_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_asked(objects);
}

static const THPParam asked__params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_OPERAND, 0, 0},
};
static const THPSignature asked__signature = {
    "asked_",
    "(Tensor input, Tensor or number other)",
    asked__params,
    2,
    2,
    0,
};

static PyObject *THPRun_asked_(PyObject *const *objects)
{
    THTensor *self = NULL;
    THScalarTensor other_number;
    THTensor *other = NULL;
    if ((self = THP_readTensor(&asked__signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readOperand(&asked__signature, 1, objects[1], &other_number)) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_asked_(self, other);
    THP_LEAVE();
    return THP_result(status, NULL, objects[0]);
}

static PyObject *THPCall_asked_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&asked__signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_asked_(objects);
}

static const THPParam asked_again_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_OPERAND, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature asked_again_signature = {
    "asked_again",
    "(Tensor input, Tensor or number other, *, Tensor out=None)",
    asked_again_params,
    3,
    2,
    0,
};

static PyObject *THPRun_asked_again(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THScalarTensor other_number;
    THTensor *other = NULL;
    if (objects[2] != NULL && THP_readOut(&asked_again_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&asked_again_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readOperand(&asked_again_signature, 1, objects[1], &other_number)) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_asked_again(&results[0], self, other);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_asked_again(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                     PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&asked_again_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_asked_again(objects);
}

static const THPParam asked_again__params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_OPERAND, 0, 0},
};
static const THPSignature asked_again__signature = {
    "asked_again_",
    "(Tensor input, Tensor or number other)",
    asked_again__params,
    2,
    2,
    0,
};

static PyObject *THPRun_asked_again_(PyObject *const *objects)
{
    THTensor *self = NULL;
    THScalarTensor other_number;
    THTensor *other = NULL;
    if ((self = THP_readTensor(&asked_again__signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readOperand(&asked_again__signature, 1, objects[1], &other_number)) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_asked_again_(self, other);
    THP_LEAVE();
    return THP_result(status, NULL, objects[0]);
}

static PyObject *THPCall_asked_again_(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                      PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&asked_again__signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_asked_again_(objects);
}

PyMethodDef THPFunctions_Kernel[] = {
    {"prelu", (PyCFunction)(void (*)(void))THPCall_prelu,
     METH_FASTCALL | METH_KEYWORDS,
     "prelu($module, input, weight, *, out=None)\n"
     "--\n"
     "\n"
     "self where it is positive, weight * self elsewhere."},
    {"prelu_", (PyCFunction)(void (*)(void))THPCall_prelu_,
     METH_FASTCALL | METH_KEYWORDS,
     "prelu_($module, input, weight)\n"
     "--\n"
     "\n"
     "In-place form of prelu(): the result is stored in self."},
    {"asked", (PyCFunction)(void (*)(void))THPCall_asked,
     METH_FASTCALL | METH_KEYWORDS,
     "asked($module, input, other, *, out=None)\n"
     "--\n"
     "\n"},
    {"asked_", (PyCFunction)(void (*)(void))THPCall_asked_,
     METH_FASTCALL | METH_KEYWORDS,
     "asked_($module, input, other)\n"
     "--\n"
     "\n"
     "In-place form of asked(): the result is stored in self."},
    {"asked_again", (PyCFunction)(void (*)(void))THPCall_asked_again,
     METH_FASTCALL | METH_KEYWORDS,
     "asked_again($module, input, other, *, out=None)\n"
     "--\n"
     "\n"
     "Another name of asked(). "},
    {"asked_again_", (PyCFunction)(void (*)(void))THPCall_asked_again_,
     METH_FASTCALL | METH_KEYWORDS,
     "asked_again_($module, input, other)\n"
     "--\n"
     "\n"
     "In-place form of asked_again(): the result is stored in self."},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_Kernel[] = {
    {"prelu", (PyCFunction)(void (*)(void))THPCall_prelu,
     METH_FASTCALL | METH_KEYWORDS,
     "prelu($self, weight, *, out=None)\n"
     "--\n"
     "\n"
     "self where it is positive, weight * self elsewhere."},
    {"prelu_", (PyCFunction)(void (*)(void))THPCall_prelu_,
     METH_FASTCALL | METH_KEYWORDS,
     "prelu_($self, weight)\n"
     "--\n"
     "\n"
     "In-place form of prelu(): the result is stored in self."},
    {"asked", (PyCFunction)(void (*)(void))THPCall_asked,
     METH_FASTCALL | METH_KEYWORDS,
     "asked($self, other, *, out=None)\n"
     "--\n"
     "\n"},
    {"asked_", (PyCFunction)(void (*)(void))THPCall_asked_,
     METH_FASTCALL | METH_KEYWORDS,
     "asked_($self, other)\n"
     "--\n"
     "\n"
     "In-place form of asked(): the result is stored in self."},
    {"asked_again", (PyCFunction)(void (*)(void))THPCall_asked_again,
     METH_FASTCALL | METH_KEYWORDS,
     "asked_again($self, other, *, out=None)\n"
     "--\n"
     "\n"
     "Another name of asked(). "},
    {"asked_again_", (PyCFunction)(void (*)(void))THPCall_asked_again_,
     METH_FASTCALL | METH_KEYWORDS,
     "asked_again_($self, other)\n"
     "--\n"
     "\n"
     "In-place form of asked_again(): the result is stored in self."},
    {NULL, NULL, 0, NULL},
};
