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

static PyObject *THPCall_prepared(PyObject *receiver, PyObject *const *args, Py_ssize_t nargs,
                                  PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&prepared_signature, receiver, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_prepared(objects);
}

static PyObject *THPMethod_prepared(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                    PyObject *kwnames)
{
    return THPCall_prepared(self, args, nargs, kwnames);
}

static PyObject *THPFunction_prepared(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                      PyObject *kwnames)
{
    (void)module;
    return THPCall_prepared(NULL, args, nargs, kwnames);
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

static PyObject *THPCall_prepared_(PyObject *receiver, PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *kwnames)
{
    PyObject *objects[1];
    if (THP_bind(&prepared__signature, receiver, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_prepared_(objects);
}

static PyObject *THPMethod_prepared_(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                     PyObject *kwnames)
{
    return THPCall_prepared_(self, args, nargs, kwnames);
}

static PyObject *THPFunction_prepared_(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                       PyObject *kwnames)
{
    (void)module;
    return THPCall_prepared_(NULL, args, nargs, kwnames);
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

static PyObject *THPCall_checked(PyObject *receiver, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&checked_signature, receiver, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_checked(objects);
}

static PyObject *THPMethod_checked(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return THPCall_checked(self, args, nargs, kwnames);
}

static PyObject *THPFunction_checked(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                     PyObject *kwnames)
{
    (void)module;
    return THPCall_checked(NULL, args, nargs, kwnames);
}

PyMethodDef THPFunctions_BeforeAfterCall[] = {
    {"prepared", (PyCFunction)(void (*)(void))THPFunction_prepared,
     METH_FASTCALL | METH_KEYWORDS,
     "prepared($module, input, *, out=None)\n"
     "--\n"
     "\n"},
    {"prepared_", (PyCFunction)(void (*)(void))THPFunction_prepared_,
     METH_FASTCALL | METH_KEYWORDS,
     "prepared_($module, input)\n"
     "--\n"
     "\n"
     "In-place form of prepared(): the result is stored in self."},
    {"checked", (PyCFunction)(void (*)(void))THPFunction_checked,
     METH_FASTCALL | METH_KEYWORDS,
     "checked($module, input, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_BeforeAfterCall[] = {
    {"prepared", (PyCFunction)(void (*)(void))THPMethod_prepared,
     METH_FASTCALL | METH_KEYWORDS,
     "prepared($self, *, out=None)\n"
     "--\n"
     "\n"},
    {"prepared_", (PyCFunction)(void (*)(void))THPMethod_prepared_,
     METH_FASTCALL | METH_KEYWORDS,
     "prepared_($self)\n"
     "--\n"
     "\n"
     "In-place form of prepared(): the result is stored in self."},
    {"checked", (PyCFunction)(void (*)(void))THPMethod_checked,
     METH_FASTCALL | METH_KEYWORDS,
     "checked($self, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
