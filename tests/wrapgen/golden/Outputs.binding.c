/* Written by wrapgen from Outputs.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static THPResultType extreme_type = {"thwrap.return_types.extreme", {"values", "indices", NULL}, NULL};

static const THPParam extreme_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 2},
};
static const THPSignature extreme_signature = {
    "extreme",
    "(Tensor input, *, tuple of Tensors out=None)",
    extreme_params,
    2,
    1,
    0,
};

static PyObject *THPRun_extreme(PyObject *const *objects)
{
    THTensor *results[2] = {NULL};
    THTensor *self = NULL;
    if (objects[1] != NULL && THP_readOut(&extreme_signature, 1, objects[1], results, 2) < 0)
        return NULL;
    if ((self = THP_readTensor(&extreme_signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_extreme(&results[1], &results[0], self);
    THP_LEAVE();
    return THP_resultTuple(status, &extreme_type, 2, results, objects[1]);
}

static PyObject *THPCall_extreme(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&extreme_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_extreme(objects);
}

static const THPParam retyped_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature retyped_signature = {
    "retyped",
    "(Tensor input, Tensor other, *, Tensor out=None)",
    retyped_params,
    3,
    2,
    0,
};

static PyObject *THPRun_retyped(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THTensor *other = NULL;
    if (objects[2] != NULL && THP_readOut(&retyped_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&retyped_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readTensor(&retyped_signature, 1, objects[1])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_retyped(&results[0], self, other);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_retyped(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&retyped_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_retyped(objects);
}

static const THPParam truth_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature truth_signature = {
    "truth",
    "(Tensor input, *, Tensor out=None)",
    truth_params,
    2,
    1,
    0,
};

static PyObject *THPRun_truth(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    if (objects[1] != NULL && THP_readOut(&truth_signature, 1, objects[1], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&truth_signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_truth(&results[0], self);
    THP_LEAVE();
    return THP_result(status, results[0], objects[1]);
}

static PyObject *THPCall_truth(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&truth_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_truth(objects);
}

PyMethodDef THPFunctions_Outputs[] = {
    {"extreme", (PyCFunction)(void (*)(void))THPCall_extreme,
     METH_FASTCALL | METH_KEYWORDS,
     "extreme($module, input, *, out=None)\n"
     "--\n"
     "\n"},
    {"retyped", (PyCFunction)(void (*)(void))THPCall_retyped,
     METH_FASTCALL | METH_KEYWORDS,
     "retyped($module, input, other, *, out=None)\n"
     "--\n"
     "\n"},
    {"truth", (PyCFunction)(void (*)(void))THPCall_truth,
     METH_FASTCALL | METH_KEYWORDS,
     "truth($module, input, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_Outputs[] = {
    {"extreme", (PyCFunction)(void (*)(void))THPCall_extreme,
     METH_FASTCALL | METH_KEYWORDS,
     "extreme($self, *, out=None)\n"
     "--\n"
     "\n"},
    {"retyped", (PyCFunction)(void (*)(void))THPCall_retyped,
     METH_FASTCALL | METH_KEYWORDS,
     "retyped($self, other, *, out=None)\n"
     "--\n"
     "\n"},
    {"truth", (PyCFunction)(void (*)(void))THPCall_truth,
     METH_FASTCALL | METH_KEYWORDS,
     "truth($self, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

THPResultType *const THPResultTypes_Outputs[] = {
    &extreme_type,
    NULL,
};
