/* Written by wrapgen from ArgcountSort.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam total_dims_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"dim", "axis", THP_SIZE, 0, 0},
    {"keepdim", "keepdims", THP_BOOL, THP_OPTIONAL, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature total_dims_signature = {
    "total",
    "(Tensor input, int or tuple of ints dim, bool keepdim=False, *, Tensor out=None)",
    total_dims_params,
    4,
    3,
    0,
};

static PyObject *THPRun_total_dims(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THPSize dim;
    bool keepdim = false;
    dim.n = 0;
    if (objects[3] != NULL && THP_readOut(&total_dims_signature, 3, objects[3], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&total_dims_signature, 0, objects[0])) == NULL)
        return NULL;
    if (THP_readSize(&total_dims_signature, 1, objects[1], &dim) < 0)
        return NULL;
    if (objects[2] != NULL && THP_readBool(&total_dims_signature, 2, objects[2], &keepdim) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_total_dims(&results[0], self, dim.size, dim.n, keepdim);
    THP_LEAVE();
    return THP_result(status, results[0], objects[3]);
}

static const THPParam total_all_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
};
static const THPSignature total_all_signature = {
    "total",
    "(Tensor input)",
    total_all_params,
    1,
    1,
    0,
};

static PyObject *THPRun_total_all(PyObject *const *objects)
{
    THScalar outcome = {0};
    THTensor *self = NULL;
    if ((self = THP_readTensor(&total_all_signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_total_all(&outcome, self);
    THP_LEAVE();
    return THP_resultScalar(status, outcome);
}

static PyObject *THPCall_total(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const THPSignature *const forms[] = {
        &total_dims_signature,
        &total_all_signature,
    };
    PyObject *objects[4];
    switch (THP_bindOverload(forms, 2, self, args, nargs, kwnames, objects)) {
    case 0:
        return THPRun_total_dims(objects);
    case 1:
        return THPRun_total_all(objects);
    default:
        return NULL;
    }
}

PyMethodDef THPFunctions_ArgcountSort[] = {
    {"total", (PyCFunction)(void (*)(void))THPCall_total,
     METH_FASTCALL | METH_KEYWORDS,
     "total(Tensor input, int or tuple of ints dim, bool keepdim=False, *, Tensor out=None)\n"
     "total(Tensor input)\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_ArgcountSort[] = {
    {"total", (PyCFunction)(void (*)(void))THPCall_total,
     METH_FASTCALL | METH_KEYWORDS,
     "total(Tensor input, int or tuple of ints dim, bool keepdim=False, *, Tensor out=None)\n"
     "total(Tensor input)\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
