/* Written by wrapgen from NullableArguments.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam weighted_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"weight", NULL, THP_TENSOR, THP_NULLABLE, 0},
    {"generator", NULL, THP_GENERATOR, THP_KEYWORD_ONLY | THP_NULLABLE, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature weighted_signature = {
    "weighted",
    "(Tensor input, Tensor weight, *, Generator generator, Tensor out=None)",
    weighted_params,
    4,
    2,
    0,
};

static PyObject *THPRun_weighted(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THTensor *weight = NULL;
    THGenerator *generator = NULL;
    if (objects[3] != NULL && THP_readOut(&weighted_signature, 3, objects[3], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&weighted_signature, 0, objects[0])) == NULL)
        return NULL;
    if (objects[1] != NULL && (weight = THP_readTensor(&weighted_signature, 1, objects[1])) == NULL)
        return NULL;
    if (objects[2] != NULL && THP_readGenerator(&weighted_signature, 2, objects[2], &generator) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_weighted(&results[0], self, weight, generator);
    THP_LEAVE();
    return THP_result(status, results[0], objects[3]);
}

static PyObject *THPCall_weighted(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[4];
    if (THP_bind(&weighted_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_weighted(objects);
}

PyMethodDef THPFunctions_NullableArguments[] = {
    {"weighted", (PyCFunction)(void (*)(void))THPCall_weighted,
     METH_FASTCALL | METH_KEYWORDS,
     "weighted($module, input, weight, *, generator, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_NullableArguments[] = {
    {"weighted", (PyCFunction)(void (*)(void))THPCall_weighted,
     METH_FASTCALL | METH_KEYWORDS,
     "weighted($self, weight, *, generator, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
