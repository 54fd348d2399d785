/* Written by wrapgen from BoolOption.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam triangle_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"upper", NULL, THP_BOOL, THP_OPTIONAL, 0},
    {"unbiased", NULL, THP_BOOL, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature triangle_signature = {
    "triangle",
    "(Tensor input, bool upper=True, bool unbiased, *, Tensor out=None)",
    triangle_params,
    4,
    3,
    0,
};

static PyObject *THPRun_triangle(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    bool upper = true;
    bool unbiased = false;
    if (objects[3] != NULL && THP_readOut(&triangle_signature, 3, objects[3], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&triangle_signature, 0, objects[0])) == NULL)
        return NULL;
    if (objects[1] != NULL && THP_readBool(&triangle_signature, 1, objects[1], &upper) < 0)
        return NULL;
    if (THP_readBool(&triangle_signature, 2, objects[2], &unbiased) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_triangle(&results[0], self, upper, unbiased);
    THP_LEAVE();
    return THP_result(status, results[0], objects[3]);
}

static PyObject *THPCall_triangle(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[4];
    if (THP_bind(&triangle_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_triangle(objects);
}

PyMethodDef THPFunctions_BoolOption[] = {
    {"triangle", (PyCFunction)(void (*)(void))THPCall_triangle,
     METH_FASTCALL | METH_KEYWORDS,
     "triangle($module, input, upper, unbiased, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_BoolOption[] = {
    {"triangle", (PyCFunction)(void (*)(void))THPCall_triangle,
     METH_FASTCALL | METH_KEYWORDS,
     "triangle($self, upper, unbiased, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
