/* Written by wrapgen from Broadcast.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam addmv_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"mat", NULL, THP_TENSOR, 0, 0},
    {"vec", NULL, THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature addmv_signature = {
    "addmv",
    "(Tensor input, Tensor mat, Tensor vec, *, Tensor out=None)",
    addmv_params,
    4,
    3,
    0,
};

static PyObject *THPRun_addmv(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THTensor *mat = NULL;
    THTensor *vec = NULL;
    if (objects[3] != NULL && THP_readOut(&addmv_signature, 3, objects[3], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&addmv_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((mat = THP_readTensor(&addmv_signature, 1, objects[1])) == NULL)
        return NULL;
    if ((vec = THP_readTensor(&addmv_signature, 2, objects[2])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_addmv(&results[0], self, mat, vec);
    THP_LEAVE();
    return THP_result(status, results[0], objects[3]);
}

static PyObject *THPCall_addmv(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[4];
    if (THP_bind(&addmv_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_addmv(objects);
}

static const THPParam addmv__params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"mat", NULL, THP_TENSOR, 0, 0},
    {"vec", NULL, THP_TENSOR, 0, 0},
};
static const THPSignature addmv__signature = {
    "addmv_",
    "(Tensor input, Tensor mat, Tensor vec)",
    addmv__params,
    3,
    3,
    0,
};

static PyObject *THPRun_addmv_(PyObject *const *objects)
{
    THTensor *self = NULL;
    THTensor *mat = NULL;
    THTensor *vec = NULL;
    if ((self = THP_readTensor(&addmv__signature, 0, objects[0])) == NULL)
        return NULL;
    if ((mat = THP_readTensor(&addmv__signature, 1, objects[1])) == NULL)
        return NULL;
    if ((vec = THP_readTensor(&addmv__signature, 2, objects[2])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_addmv_(self, mat, vec);
    THP_LEAVE();
    return THP_result(status, NULL, objects[0]);
}

static PyObject *THPCall_addmv_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&addmv__signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_addmv_(objects);
}

static const THPParam masked_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"mask", NULL, THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature masked_signature = {
    "masked",
    "(Tensor input, Tensor mask, *, Tensor out=None)",
    masked_params,
    3,
    2,
    0,
};

static PyObject *THPRun_masked(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THTensor *mask = NULL;
    if (objects[2] != NULL && THP_readOut(&masked_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&masked_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((mask = THP_readTensor(&masked_signature, 1, objects[1])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_masked(&results[0], self, mask);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_masked(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&masked_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_masked(objects);
}

PyMethodDef THPFunctions_Broadcast[] = {
    {"addmv", (PyCFunction)(void (*)(void))THPCall_addmv,
     METH_FASTCALL | METH_KEYWORDS,
     "addmv($module, input, mat, vec, *, out=None)\n"
     "--\n"
     "\n"},
    {"addmv_", (PyCFunction)(void (*)(void))THPCall_addmv_,
     METH_FASTCALL | METH_KEYWORDS,
     "addmv_($module, input, mat, vec)\n"
     "--\n"
     "\n"
     "In-place form of addmv(): the result is stored in self."},
    {"masked", (PyCFunction)(void (*)(void))THPCall_masked,
     METH_FASTCALL | METH_KEYWORDS,
     "masked($module, input, mask, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_Broadcast[] = {
    {"addmv", (PyCFunction)(void (*)(void))THPCall_addmv,
     METH_FASTCALL | METH_KEYWORDS,
     "addmv($self, mat, vec, *, out=None)\n"
     "--\n"
     "\n"},
    {"addmv_", (PyCFunction)(void (*)(void))THPCall_addmv_,
     METH_FASTCALL | METH_KEYWORDS,
     "addmv_($self, mat, vec)\n"
     "--\n"
     "\n"
     "In-place form of addmv(): the result is stored in self."},
    {"masked", (PyCFunction)(void (*)(void))THPCall_masked,
     METH_FASTCALL | METH_KEYWORDS,
     "masked($self, mask, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
