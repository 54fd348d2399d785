/* Written by wrapgen from BeforeAfterCall.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam prepared_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature prepared_signature = {
    "prepared",
    "(Tensor input, *, Tensor out=None)",
    prepared_params,
    2,
    1,
    0,
};

static PyObject *THPRun_prepared(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    if (objects[1] != NULL && THP_readOut(&prepared_signature, 1, objects[1], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&prepared_signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_prepared(&results[0], self);
    THP_LEAVE();
    return THP_result(status, results[0], objects[1]);
}

static PyObject *THPCall_prepared(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&prepared_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_prepared(objects);
}

static const THPParam prepared__params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
};
static const THPSignature prepared__signature = {
    "prepared_",
    "(Tensor input)",
    prepared__params,
    1,
    1,
    0,
};

static PyObject *THPRun_prepared_(PyObject *const *objects)
{
    THTensor *self = NULL;
    if ((self = THP_readTensor(&prepared__signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_prepared_(self);
    THP_LEAVE();
    return THP_result(status, NULL, objects[0]);
}

static PyObject *THPCall_prepared_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[1];
    if (THP_bind(&prepared__signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_prepared_(objects);
}

static const THPParam checked_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature checked_signature = {
    "checked",
    "(Tensor input, *, Tensor out=None)",
    checked_params,
    2,
    1,
    0,
};

static PyObject *THPRun_checked(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    if (objects[1] != NULL && THP_readOut(&checked_signature, 1, objects[1], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&checked_signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_checked(&results[0], self);
    THP_LEAVE();
    return THP_result(status, results[0], objects[1]);
}

static PyObject *THPCall_checked(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&checked_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_checked(objects);
}

PyMethodDef THPFunctions_BeforeAfterCall[] = {
    {"prepared", (PyCFunction)(void (*)(void))THPCall_prepared,
     METH_FASTCALL | METH_KEYWORDS,
     "prepared($module, input, *, out=None)\n"
     "--\n"
     "\n"},
    {"prepared_", (PyCFunction)(void (*)(void))THPCall_prepared_,
     METH_FASTCALL | METH_KEYWORDS,
     "prepared_($module, input)\n"
     "--\n"
     "\n"
     "In-place form of prepared(): the result is stored in self."},
    {"checked", (PyCFunction)(void (*)(void))THPCall_checked,
     METH_FASTCALL | METH_KEYWORDS,
     "checked($module, input, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_BeforeAfterCall[] = {
    {"prepared", (PyCFunction)(void (*)(void))THPCall_prepared,
     METH_FASTCALL | METH_KEYWORDS,
     "prepared($self, *, out=None)\n"
     "--\n"
     "\n"},
    {"prepared_", (PyCFunction)(void (*)(void))THPCall_prepared_,
     METH_FASTCALL | METH_KEYWORDS,
     "prepared_($self)\n"
     "--\n"
     "\n"
     "In-place form of prepared(): the result is stored in self."},
    {"checked", (PyCFunction)(void (*)(void))THPCall_checked,
     METH_FASTCALL | METH_KEYWORDS,
     "checked($self, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
