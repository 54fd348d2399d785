/* Written by wrapgen from ArgumentReferences.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam doubled_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"dim", "axis", THP_LONG, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature doubled_signature = {
    "doubled",
    "(Tensor input, int dim, *, Tensor out=None)",
    doubled_params,
    3,
    2,
    0,
};

static PyObject *THPRun_doubled(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    int64_t dim = 0;
    if (objects[2] != NULL && THP_readOut(&doubled_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&doubled_signature, 0, objects[0])) == NULL)
        return NULL;
    if (THP_readLong(&doubled_signature, 1, objects[1], &dim) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_doubled(&results[0], self, dim);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_doubled(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&doubled_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_doubled(objects);
}

PyMethodDef THPFunctions_ArgumentReferences[] = {
    {"doubled", (PyCFunction)(void (*)(void))THPCall_doubled,
     METH_FASTCALL | METH_KEYWORDS,
     "doubled($module, input, dim, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_ArgumentReferences[] = {
    {"doubled", (PyCFunction)(void (*)(void))THPCall_doubled,
     METH_FASTCALL | METH_KEYWORDS,
     "doubled($self, dim, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
