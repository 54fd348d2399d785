/* Written by wrapgen from Library.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam checksum_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"value", NULL, THP_LONG, THP_OPTIONAL, 0},
};
static const THPSignature checksum_signature = {
    "checksum",
    "(Tensor input, int value=0)",
    checksum_params,
    2,
    2,
    0,
};

static PyObject *THPRun_checksum(PyObject *const *objects)
{
    int64_t outcome = 0;
    THTensor *self = NULL;
    int64_t value = 0;
    if ((self = THP_readTensor(&checksum_signature, 0, objects[0])) == NULL)
        return NULL;
    if (objects[1] != NULL && THP_readLong(&checksum_signature, 1, objects[1], &value) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_checksum(&outcome, self, value);
    THP_LEAVE();
    return THP_resultLong(status, outcome);
}

static PyObject *THPCall_checksum(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&checksum_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_checksum(objects);
}

static const THPParam median_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"weight", NULL, THP_TENSOR, 0, 0},
};
static const THPSignature median_signature = {
    "median",
    "(Tensor input, Tensor weight)",
    median_params,
    2,
    2,
    0,
};

static PyObject *THPRun_median(PyObject *const *objects)
{
    double outcome = 0;
    THTensor *self = NULL;
    THTensor *weight = NULL;
    if ((self = THP_readTensor(&median_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((weight = THP_readTensor(&median_signature, 1, objects[1])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_median(&outcome, self, weight);
    THP_LEAVE();
    return THP_resultDouble(status, outcome);
}

static PyObject *THPCall_median(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&median_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_median(objects);
}

static const THPParam smooth_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"width", NULL, THP_LONG, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature smooth_signature = {
    "smooth",
    "(Tensor input, int width, *, Tensor out=None)",
    smooth_params,
    3,
    2,
    0,
};

static PyObject *THPRun_smooth(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    int64_t width = 0;
    if (objects[2] != NULL && THP_readOut(&smooth_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&smooth_signature, 0, objects[0])) == NULL)
        return NULL;
    if (THP_readLong(&smooth_signature, 1, objects[1], &width) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_smooth(&results[0], self, width);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_smooth(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&smooth_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_smooth(objects);
}

static const THPParam smooth__params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"width", NULL, THP_LONG, 0, 0},
};
static const THPSignature smooth__signature = {
    "smooth_",
    "(Tensor input, int width)",
    smooth__params,
    2,
    2,
    0,
};

static PyObject *THPRun_smooth_(PyObject *const *objects)
{
    THTensor *self = NULL;
    int64_t width = 0;
    if ((self = THP_readTensor(&smooth__signature, 0, objects[0])) == NULL)
        return NULL;
    if (THP_readLong(&smooth__signature, 1, objects[1], &width) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_smooth_(self, width);
    THP_LEAVE();
    return THP_result(status, NULL, objects[0]);
}

static PyObject *THPCall_smooth_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&smooth__signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_smooth_(objects);
}

static const THPParam solve_params[] = {
    {"a", NULL, THP_TENSOR, 0, 0},
    {"b", NULL, THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature solve_signature = {
    "solve",
    "(Tensor a, Tensor b, *, Tensor out=None)",
    solve_params,
    3,
    2,
    -1,
};

static PyObject *THPRun_solve(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *a = NULL;
    THTensor *b = NULL;
    if (objects[2] != NULL && THP_readOut(&solve_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((a = THP_readTensor(&solve_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((b = THP_readTensor(&solve_signature, 1, objects[1])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_solve(&results[0], a, b);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_solve(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&solve_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_solve(objects);
}

static THPResultType extremes_type = {"thwrap.return_types.extremes", {"result", "total", NULL}, NULL};

static const THPParam extremes_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 2},
};
static const THPSignature extremes_signature = {
    "extremes",
    "(Tensor input, *, tuple of Tensors out=None)",
    extremes_params,
    2,
    1,
    0,
};

static PyObject *THPRun_extremes(PyObject *const *objects)
{
    THTensor *results[2] = {NULL};
    THTensor *self = NULL;
    if (objects[1] != NULL && THP_readOut(&extremes_signature, 1, objects[1], results, 2) < 0)
        return NULL;
    if ((self = THP_readTensor(&extremes_signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_extremes(&results[0], &results[1], self);
    THP_LEAVE();
    return THP_resultTuple(status, &extremes_type, 2, results, objects[1]);
}

static PyObject *THPCall_extremes(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&extremes_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_extremes(objects);
}

static THPResultType modulus_type = {"thwrap.return_types.modulus", {"whole", "rest", NULL}, NULL};

static const THPParam modulus_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 2},
};
static const THPSignature modulus_signature = {
    "modulus",
    "(Tensor input, *, tuple of Tensors out=None)",
    modulus_params,
    2,
    1,
    0,
};

static PyObject *THPRun_modulus(PyObject *const *objects)
{
    THTensor *results[2] = {NULL};
    THTensor *self = NULL;
    if (objects[1] != NULL && THP_readOut(&modulus_signature, 1, objects[1], results, 2) < 0)
        return NULL;
    if ((self = THP_readTensor(&modulus_signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_modulus(&results[0], &results[1], self);
    THP_LEAVE();
    return THP_resultTuple(status, &modulus_type, 2, results, objects[1]);
}

static PyObject *THPCall_modulus(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&modulus_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_modulus(objects);
}

PyMethodDef THPFunctions_Library[] = {
    {"checksum", (PyCFunction)(void (*)(void))THPCall_checksum,
     METH_FASTCALL | METH_KEYWORDS,
     "checksum($module, input, value=0)\n"
     "--\n"
     "\n"
     "The checksum of a tensor's bytes."},
    {"median", (PyCFunction)(void (*)(void))THPCall_median,
     METH_FASTCALL | METH_KEYWORDS,
     "median($module, input, weight)\n"
     "--\n"
     "\n"},
    {"smooth", (PyCFunction)(void (*)(void))THPCall_smooth,
     METH_FASTCALL | METH_KEYWORDS,
     "smooth($module, input, width, *, out=None)\n"
     "--\n"
     "\n"},
    {"smooth_", (PyCFunction)(void (*)(void))THPCall_smooth_,
     METH_FASTCALL | METH_KEYWORDS,
     "smooth_($module, input, width)\n"
     "--\n"
     "\n"
     "In-place form of smooth(): the result is stored in self."},
    {"solve", (PyCFunction)(void (*)(void))THPCall_solve,
     METH_FASTCALL | METH_KEYWORDS,
     "solve($module, a, b, *, out=None)\n"
     "--\n"
     "\n"},
    {"extremes", (PyCFunction)(void (*)(void))THPCall_extremes,
     METH_FASTCALL | METH_KEYWORDS,
     "extremes($module, input, *, out=None)\n"
     "--\n"
     "\n"},
    {"modulus", (PyCFunction)(void (*)(void))THPCall_modulus,
     METH_FASTCALL | METH_KEYWORDS,
     "modulus($module, input, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_Library[] = {
    {"checksum", (PyCFunction)(void (*)(void))THPCall_checksum,
     METH_FASTCALL | METH_KEYWORDS,
     "checksum($self, value=0)\n"
     "--\n"
     "\n"
     "The checksum of a tensor's bytes."},
    {"median", (PyCFunction)(void (*)(void))THPCall_median,
     METH_FASTCALL | METH_KEYWORDS,
     "median($self, weight)\n"
     "--\n"
     "\n"},
    {"smooth", (PyCFunction)(void (*)(void))THPCall_smooth,
     METH_FASTCALL | METH_KEYWORDS,
     "smooth($self, width, *, out=None)\n"
     "--\n"
     "\n"},
    {"smooth_", (PyCFunction)(void (*)(void))THPCall_smooth_,
     METH_FASTCALL | METH_KEYWORDS,
     "smooth_($self, width)\n"
     "--\n"
     "\n"
     "In-place form of smooth(): the result is stored in self."},
    {"extremes", (PyCFunction)(void (*)(void))THPCall_extremes,
     METH_FASTCALL | METH_KEYWORDS,
     "extremes($self, *, out=None)\n"
     "--\n"
     "\n"},
    {"modulus", (PyCFunction)(void (*)(void))THPCall_modulus,
     METH_FASTCALL | METH_KEYWORDS,
     "modulus($self, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

THPResultType *const THPResultTypes_Library[] = {
    &extremes_type,
    &modulus_type,
    NULL,
};
