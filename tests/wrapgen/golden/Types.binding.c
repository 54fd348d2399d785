/* Written by wrapgen from Types.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam chosen_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"index", NULL, THP_TENSOR, 0, 0},
    {"table", NULL, THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature chosen_signature = {
    "chosen",
    "(Tensor input, Tensor index, Tensor table, *, Tensor out=None)",
    chosen_params,
    4,
    3,
    0,
};

static PyObject *THPRun_chosen(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THTensor *index = NULL;
    THTensor *table = NULL;
    if (objects[3] != NULL && THP_readOut(&chosen_signature, 3, objects[3], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&chosen_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((index = THP_readTensor(&chosen_signature, 1, objects[1])) == NULL)
        return NULL;
    if ((table = THP_readTensor(&chosen_signature, 2, objects[2])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_chosen(&results[0], self, index, table);
    THP_LEAVE();
    return THP_result(status, results[0], objects[3]);
}

static PyObject *THPCall_chosen(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[4];
    if (THP_bind(&chosen_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_chosen(objects);
}

static const THPParam accepting_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"index", NULL, THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature accepting_signature = {
    "accepting",
    "(Tensor input, Tensor index, *, Tensor out=None)",
    accepting_params,
    3,
    2,
    0,
};

static PyObject *THPRun_accepting(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THTensor *index = NULL;
    if (objects[2] != NULL && THP_readOut(&accepting_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&accepting_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((index = THP_readTensor(&accepting_signature, 1, objects[1])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_accepting(&results[0], self, index);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_accepting(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&accepting_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_accepting(objects);
}

PyMethodDef THPFunctions_Types[] = {
    {"chosen", (PyCFunction)(void (*)(void))THPCall_chosen,
     METH_FASTCALL | METH_KEYWORDS,
     "chosen($module, input, index, table, *, out=None)\n"
     "--\n"
     "\n"},
    {"accepting", (PyCFunction)(void (*)(void))THPCall_accepting,
     METH_FASTCALL | METH_KEYWORDS,
     "accepting($module, input, index, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_Types[] = {
    {"chosen", (PyCFunction)(void (*)(void))THPCall_chosen,
     METH_FASTCALL | METH_KEYWORDS,
     "chosen($self, index, table, *, out=None)\n"
     "--\n"
     "\n"},
    {"accepting", (PyCFunction)(void (*)(void))THPCall_accepting,
     METH_FASTCALL | METH_KEYWORDS,
     "accepting($self, index, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
