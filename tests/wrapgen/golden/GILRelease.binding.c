/* Written by wrapgen from GILRelease.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam held_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature held_signature = {
    "held",
    "(Tensor input, *, Tensor out=None)",
    held_params,
    2,
    1,
    0,
};

static PyObject *THPRun_held(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    if (objects[1] != NULL && THP_readOut(&held_signature, 1, objects[1], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&held_signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_held(&results[0], self);
    THP_LEAVE();
    return THP_result(status, results[0], objects[1]);
}

static PyObject *THPCall_held(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&held_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_held(objects);
}

PyMethodDef THPFunctions_GILRelease[] = {
    {"held", (PyCFunction)(void (*)(void))THPCall_held,
     METH_FASTCALL | METH_KEYWORDS,
     "held($module, input, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_GILRelease[] = {
    {"held", (PyCFunction)(void (*)(void))THPCall_held,
     METH_FASTCALL | METH_KEYWORDS,
     "held($self, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
