/* Written by wrapgen from Kwargs.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam tiled_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"size", NULL, THP_SIZE, THP_VARARGS, 0},
    {"times", NULL, THP_LONG, THP_KEYWORD_ONLY, 0},
    {"keepdim", "keepdims", THP_BOOL, THP_OPTIONAL | THP_KEYWORD_ONLY, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature tiled_signature = {
    "tiled",
    "(Tensor input, tuple of ints size, *, int times, bool keepdim=False, Tensor out=None)",
    tiled_params,
    5,
    2,
    0,
};

static PyObject *THPRun_tiled(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THPSize size;
    int64_t times = 0;
    bool keepdim = false;
    size.n = 0;
    if (objects[4] != NULL && THP_readOut(&tiled_signature, 4, objects[4], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&tiled_signature, 0, objects[0])) == NULL)
        return NULL;
    if (THP_readSize(&tiled_signature, 1, objects[1], &size) < 0)
        return NULL;
    if (THP_readLong(&tiled_signature, 2, objects[2], &times) < 0)
        return NULL;
    if (objects[3] != NULL && THP_readBool(&tiled_signature, 3, objects[3], &keepdim) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_tiled(&results[0], self, size.size, size.n, times, keepdim);
    THP_LEAVE();
    return THP_result(status, results[0], objects[4]);
}

static PyObject *THPCall_tiled(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[5];
    if (THP_bind(&tiled_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_tiled(objects);
}

PyMethodDef THPFunctions_Kwargs[] = {
    {"tiled", (PyCFunction)(void (*)(void))THPCall_tiled,
     METH_FASTCALL | METH_KEYWORDS,
     "tiled($module, input, size, *, times, keepdim=False, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_Kwargs[] = {
    {"tiled", (PyCFunction)(void (*)(void))THPCall_tiled,
     METH_FASTCALL | METH_KEYWORDS,
     "tiled($self, size, *, times, keepdim=False, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
