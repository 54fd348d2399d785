/* Written by wrapgen from OptionalArguments.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam scaled_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"alpha", NULL, THP_SCALAR, THP_OPTIONAL, 0},
    {"eps", NULL, THP_DOUBLE, THP_OPTIONAL, 0},
    {"steps", NULL, THP_LONG, THP_OPTIONAL, 0},
    {"half", NULL, THP_BOOL, THP_OPTIONAL, 0},
    {"mode", NULL, THP_STRING, THP_OPTIONAL, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature scaled_signature = {
    "scaled",
    "(Tensor input, Number alpha=1, float eps=1e-8, int steps=-1, bool half=True, str "
    "mode='linear', *, Tensor out=None)",
    scaled_params,
    7,
    6,
    0,
};

static PyObject *THPRun_scaled(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THScalar alpha = THScalar_fromLong(1);
    double eps = 1e-8;
    int64_t steps = -1;
    bool half = true;
    const char *mode = "linear";
    if (objects[6] != NULL && THP_readOut(&scaled_signature, 6, objects[6], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&scaled_signature, 0, objects[0])) == NULL)
        return NULL;
    if (objects[1] != NULL && THP_readScalar(&scaled_signature, 1, objects[1], &alpha) < 0)
        return NULL;
    if (objects[2] != NULL && THP_readDouble(&scaled_signature, 2, objects[2], &eps) < 0)
        return NULL;
    if (objects[3] != NULL && THP_readLong(&scaled_signature, 3, objects[3], &steps) < 0)
        return NULL;
    if (objects[4] != NULL && THP_readBool(&scaled_signature, 4, objects[4], &half) < 0)
        return NULL;
    if (objects[5] != NULL && THP_readString(&scaled_signature, 5, objects[5], &mode) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_scaled(&results[0], self, alpha, eps, steps, half, mode);
    THP_LEAVE();
    return THP_result(status, results[0], objects[6]);
}

static PyObject *THPCall_scaled(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[7];
    if (THP_bind(&scaled_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_scaled(objects);
}

PyMethodDef THPFunctions_OptionalArguments[] = {
    {"scaled", (PyCFunction)(void (*)(void))THPCall_scaled,
     METH_FASTCALL | METH_KEYWORDS,
     "scaled($module, input, alpha=1, eps=1e-8, steps=-1, half=True, mode='linear', *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_OptionalArguments[] = {
    {"scaled", (PyCFunction)(void (*)(void))THPCall_scaled,
     METH_FASTCALL | METH_KEYWORDS,
     "scaled($self, alpha=1, eps=1e-8, steps=-1, half=True, mode='linear', *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
