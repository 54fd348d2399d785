/* Written by wrapgen from Promote.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam blend_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"end", NULL, THP_OPERAND, 0, 0},
    {"weight", NULL, THP_SCALAR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature blend_signature = {
    "blend",
    "(Tensor input, Tensor or number end, Number weight, *, Tensor out=None)",
    blend_params,
    4,
    3,
    0,
};

static PyObject *THPRun_blend(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THScalarTensor end_number;
    THTensor *end = NULL;
    THScalar weight = {0};
    if (objects[3] != NULL && THP_readOut(&blend_signature, 3, objects[3], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&blend_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((end = THP_readOperand(&blend_signature, 1, objects[1], &end_number)) == NULL)
        return NULL;
    if (THP_readScalar(&blend_signature, 2, objects[2], &weight) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_blend(&results[0], self, end, weight);
    THP_LEAVE();
    return THP_result(status, results[0], objects[3]);
}

static PyObject *THPCall_blend(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[4];
    if (THP_bind(&blend_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_blend(objects);
}

static const THPParam blend__params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"end", NULL, THP_OPERAND, 0, 0},
    {"weight", NULL, THP_SCALAR, 0, 0},
};
static const THPSignature blend__signature = {
    "blend_",
    "(Tensor input, Tensor or number end, Number weight)",
    blend__params,
    3,
    3,
    0,
};

static PyObject *THPRun_blend_(PyObject *const *objects)
{
    THTensor *self = NULL;
    THScalarTensor end_number;
    THTensor *end = NULL;
    THScalar weight = {0};
    if ((self = THP_readTensor(&blend__signature, 0, objects[0])) == NULL)
        return NULL;
    if ((end = THP_readOperand(&blend__signature, 1, objects[1], &end_number)) == NULL)
        return NULL;
    if (THP_readScalar(&blend__signature, 2, objects[2], &weight) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_blend_(self, end, weight);
    THP_LEAVE();
    return THP_result(status, NULL, objects[0]);
}

static PyObject *THPCall_blend_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&blend__signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_blend_(objects);
}

static const THPParam counted_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature counted_signature = {
    "counted",
    "(Tensor input, *, Tensor out=None)",
    counted_params,
    2,
    1,
    0,
};

static PyObject *THPRun_counted(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    if (objects[1] != NULL && THP_readOut(&counted_signature, 1, objects[1], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&counted_signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_counted(&results[0], self);
    THP_LEAVE();
    return THP_result(status, results[0], objects[1]);
}

static PyObject *THPCall_counted(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&counted_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_counted(objects);
}

static const THPParam read_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"weight", NULL, THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature read_signature = {
    "read",
    "(Tensor input, Tensor weight, *, Tensor out=None)",
    read_params,
    3,
    2,
    0,
};

static PyObject *THPRun_read(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THTensor *weight = NULL;
    if (objects[2] != NULL && THP_readOut(&read_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&read_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((weight = THP_readTensor(&read_signature, 1, objects[1])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_read(&results[0], self, weight);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_read(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&read_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_read(objects);
}

PyMethodDef THPFunctions_Promote[] = {
    {"blend", (PyCFunction)(void (*)(void))THPCall_blend,
     METH_FASTCALL | METH_KEYWORDS,
     "blend($module, input, end, weight, *, out=None)\n"
     "--\n"
     "\n"},
    {"blend_", (PyCFunction)(void (*)(void))THPCall_blend_,
     METH_FASTCALL | METH_KEYWORDS,
     "blend_($module, input, end, weight)\n"
     "--\n"
     "\n"
     "In-place form of blend(): the result is stored in self."},
    {"counted", (PyCFunction)(void (*)(void))THPCall_counted,
     METH_FASTCALL | METH_KEYWORDS,
     "counted($module, input, *, out=None)\n"
     "--\n"
     "\n"},
    {"read", (PyCFunction)(void (*)(void))THPCall_read,
     METH_FASTCALL | METH_KEYWORDS,
     "read($module, input, weight, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_Promote[] = {
    {"blend", (PyCFunction)(void (*)(void))THPCall_blend,
     METH_FASTCALL | METH_KEYWORDS,
     "blend($self, end, weight, *, out=None)\n"
     "--\n"
     "\n"},
    {"blend_", (PyCFunction)(void (*)(void))THPCall_blend_,
     METH_FASTCALL | METH_KEYWORDS,
     "blend_($self, end, weight)\n"
     "--\n"
     "\n"
     "In-place form of blend(): the result is stored in self."},
    {"counted", (PyCFunction)(void (*)(void))THPCall_counted,
     METH_FASTCALL | METH_KEYWORDS,
     "counted($self, *, out=None)\n"
     "--\n"
     "\n"},
    {"read", (PyCFunction)(void (*)(void))THPCall_read,
     METH_FASTCALL | METH_KEYWORDS,
     "read($self, weight, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
