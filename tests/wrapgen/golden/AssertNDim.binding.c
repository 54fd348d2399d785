/* Written by wrapgen from AssertNDim.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam dot_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_TENSOR, 0, 0},
};
static const THPSignature dot_signature = {
    "dot",
    "(Tensor input, Tensor other)",
    dot_params,
    2,
    2,
    0,
};

static PyObject *THPRun_dot(PyObject *const *objects)
{
    THScalar outcome = {0};
    THTensor *self = NULL;
    THTensor *other = NULL;
    if ((self = THP_readTensor(&dot_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readTensor(&dot_signature, 1, objects[1])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_dot(&outcome, self, other);
    THP_LEAVE();
    return THP_resultScalar(status, outcome);
}

static PyObject *THPCall_dot(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&dot_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_dot(objects);
}

PyMethodDef THPFunctions_AssertNDim[] = {
    {"dot", (PyCFunction)(void (*)(void))THPCall_dot,
     METH_FASTCALL | METH_KEYWORDS,
     "dot($module, input, other)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_AssertNDim[] = {
    {"dot", (PyCFunction)(void (*)(void))THPCall_dot,
     METH_FASTCALL | METH_KEYWORDS,
     "dot($self, other)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
