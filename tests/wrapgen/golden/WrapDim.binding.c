/* Written by wrapgen from WrapDim.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam flipped_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"first", NULL, THP_LONG, 0, 0},
    {"place", NULL, THP_LONG, 0, 0},
    {"dim", "axis", THP_SIZE, THP_OPTIONAL | THP_NULLABLE, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature flipped_signature = {
    "flipped",
    "(Tensor input, int first, int place, int or tuple of ints dim=None, *, Tensor out=None)",
    flipped_params,
    5,
    4,
    0,
};

static PyObject *THPRun_flipped(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    int64_t first = 0;
    int64_t place = 0;
    THPSize dim;
    dim.n = 0;
    if (objects[4] != NULL && THP_readOut(&flipped_signature, 4, objects[4], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&flipped_signature, 0, objects[0])) == NULL)
        return NULL;
    if (THP_readLong(&flipped_signature, 1, objects[1], &first) < 0)
        return NULL;
    if (THP_readLong(&flipped_signature, 2, objects[2], &place) < 0)
        return NULL;
    if (objects[3] != NULL && THP_readSize(&flipped_signature, 3, objects[3], &dim) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_flipped(&results[0], self, first, place,
                                  objects[3] != NULL ? dim.size : NULL, dim.n);
    THP_LEAVE();
    return THP_result(status, results[0], objects[4]);
}

static PyObject *THPCall_flipped(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[5];
    if (THP_bind(&flipped_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_flipped(objects);
}

PyMethodDef THPFunctions_WrapDim[] = {
    {"flipped", (PyCFunction)(void (*)(void))THPCall_flipped,
     METH_FASTCALL | METH_KEYWORDS,
     "flipped($module, input, first, place, dim=None, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_WrapDim[] = {
    {"flipped", (PyCFunction)(void (*)(void))THPCall_flipped,
     METH_FASTCALL | METH_KEYWORDS,
     "flipped($self, first, place, dim=None, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
