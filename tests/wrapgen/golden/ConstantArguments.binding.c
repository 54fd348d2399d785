/* Written by wrapgen from ConstantArguments.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam norm2_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature norm2_signature = {
    "norm2",
    "(Tensor input, *, Tensor out=None)",
    norm2_params,
    2,
    1,
    0,
};

static PyObject *THPRun_norm2(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    if (objects[1] != NULL && THP_readOut(&norm2_signature, 1, objects[1], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&norm2_signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_norm2(&results[0], self);
    THP_LEAVE();
    return THP_result(status, results[0], objects[1]);
}

static PyObject *THPCall_norm2(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&norm2_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_norm2(objects);
}

PyMethodDef THPFunctions_ConstantArguments[] = {
    {"norm2", (PyCFunction)(void (*)(void))THPCall_norm2,
     METH_FASTCALL | METH_KEYWORDS,
     "norm2($module, input, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_ConstantArguments[] = {
    {"norm2", (PyCFunction)(void (*)(void))THPCall_norm2,
     METH_FASTCALL | METH_KEYWORDS,
     "norm2($self, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
