/* Written by wrapgen from Inplace.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam aside_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature aside_signature = {
    "aside",
    "(Tensor input, Tensor other, *, Tensor out=None)",
    aside_params,
    3,
    2,
    0,
};

static PyObject *THPRun_aside(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THTensor *other = NULL;
    if (objects[2] != NULL && THP_readOut(&aside_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&aside_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readTensor(&aside_signature, 1, objects[1])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_aside(&results[0], self, other);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_aside(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&aside_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_aside(objects);
}

static const THPParam aside__params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_TENSOR, 0, 0},
};
static const THPSignature aside__signature = {
    "aside_",
    "(Tensor input, Tensor other)",
    aside__params,
    2,
    2,
    0,
};

static PyObject *THPRun_aside_(PyObject *const *objects)
{
    THTensor *self = NULL;
    THTensor *other = NULL;
    if ((self = THP_readTensor(&aside__signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readTensor(&aside__signature, 1, objects[1])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_aside_(self, other);
    THP_LEAVE();
    return THP_result(status, NULL, objects[0]);
}

static PyObject *THPCall_aside_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&aside__signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_aside_(objects);
}

static const THPParam straight_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature straight_signature = {
    "straight",
    "(Tensor input, Tensor other, *, Tensor out=None)",
    straight_params,
    3,
    2,
    0,
};

static PyObject *THPRun_straight(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THTensor *other = NULL;
    if (objects[2] != NULL && THP_readOut(&straight_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&straight_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readTensor(&straight_signature, 1, objects[1])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_straight(&results[0], self, other);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_straight(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&straight_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_straight(objects);
}

static const THPParam straight__params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_TENSOR, 0, 0},
};
static const THPSignature straight__signature = {
    "straight_",
    "(Tensor input, Tensor other)",
    straight__params,
    2,
    2,
    0,
};

static PyObject *THPRun_straight_(PyObject *const *objects)
{
    THTensor *self = NULL;
    THTensor *other = NULL;
    if ((self = THP_readTensor(&straight__signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readTensor(&straight__signature, 1, objects[1])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_straight_(self, other);
    THP_LEAVE();
    return THP_result(status, NULL, objects[0]);
}

static PyObject *THPCall_straight_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&straight__signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_straight_(objects);
}

static const THPParam only__params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"value", NULL, THP_SCALAR, 0, 0},
};
static const THPSignature only__signature = {
    "only_",
    "(Tensor input, Number value)",
    only__params,
    2,
    2,
    0,
};

static PyObject *THPRun_only_(PyObject *const *objects)
{
    THTensor *self = NULL;
    THScalar value = {0};
    if ((self = THP_readTensor(&only__signature, 0, objects[0])) == NULL)
        return NULL;
    if (THP_readScalar(&only__signature, 1, objects[1], &value) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_only_(self, value);
    THP_LEAVE();
    return THP_result(status, NULL, objects[0]);
}

static PyObject *THPCall_only_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&only__signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_only_(objects);
}

PyMethodDef THPFunctions_Inplace[] = {
    {"aside", (PyCFunction)(void (*)(void))THPCall_aside,
     METH_FASTCALL | METH_KEYWORDS,
     "aside($module, input, other, *, out=None)\n"
     "--\n"
     "\n"},
    {"aside_", (PyCFunction)(void (*)(void))THPCall_aside_,
     METH_FASTCALL | METH_KEYWORDS,
     "aside_($module, input, other)\n"
     "--\n"
     "\n"
     "In-place form of aside(): the result is stored in self."},
    {"straight", (PyCFunction)(void (*)(void))THPCall_straight,
     METH_FASTCALL | METH_KEYWORDS,
     "straight($module, input, other, *, out=None)\n"
     "--\n"
     "\n"},
    {"straight_", (PyCFunction)(void (*)(void))THPCall_straight_,
     METH_FASTCALL | METH_KEYWORDS,
     "straight_($module, input, other)\n"
     "--\n"
     "\n"
     "In-place form of straight(): the result is stored in self."},
    {"only_", (PyCFunction)(void (*)(void))THPCall_only_,
     METH_FASTCALL | METH_KEYWORDS,
     "only_($module, input, value)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_Inplace[] = {
    {"aside", (PyCFunction)(void (*)(void))THPCall_aside,
     METH_FASTCALL | METH_KEYWORDS,
     "aside($self, other, *, out=None)\n"
     "--\n"
     "\n"},
    {"aside_", (PyCFunction)(void (*)(void))THPCall_aside_,
     METH_FASTCALL | METH_KEYWORDS,
     "aside_($self, other)\n"
     "--\n"
     "\n"
     "In-place form of aside(): the result is stored in self."},
    {"straight", (PyCFunction)(void (*)(void))THPCall_straight,
     METH_FASTCALL | METH_KEYWORDS,
     "straight($self, other, *, out=None)\n"
     "--\n"
     "\n"},
    {"straight_", (PyCFunction)(void (*)(void))THPCall_straight_,
     METH_FASTCALL | METH_KEYWORDS,
     "straight_($self, other)\n"
     "--\n"
     "\n"
     "In-place form of straight(): the result is stored in self."},
    {"only_", (PyCFunction)(void (*)(void))THPCall_only_,
     METH_FASTCALL | METH_KEYWORDS,
     "only_($self, value)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
