/* Written by wrapgen from Core.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam moving_sum_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"width", NULL, THP_LONG, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature moving_sum_signature = {
    "moving_sum",
    "(Tensor input, int width, *, Tensor out=None)",
    moving_sum_params,
    3,
    2,
    0,
};

static PyObject *THPRun_moving_sum(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    int64_t width = 0;
    if (objects[2] != NULL && THP_readOut(&moving_sum_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&moving_sum_signature, 0, objects[0])) == NULL)
        return NULL;
    if (THP_readLong(&moving_sum_signature, 1, objects[1], &width) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_moving_sum(&results[0], self, width);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_moving_sum(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                    PyObject *kwnames)
{
    PyObject *objects[3];
    if (THP_bind(&moving_sum_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_moving_sum(objects);
}

static THPResultType turn_type = {"thwrap.return_types.turn", {"turned", "count", NULL}, NULL};

static const THPParam turn_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"axis", NULL, THP_TENSOR, 0, 0},
    {"angle", NULL, THP_SCALAR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 2},
};
static const THPSignature turn_signature = {
    "turn",
    "(Tensor input, Tensor axis, Number angle, *, tuple of Tensors out=None)",
    turn_params,
    4,
    3,
    0,
};

static PyObject *THPRun_turn(PyObject *const *objects)
{
    THTensor *results[2] = {NULL};
    THTensor *self = NULL;
    THTensor *axis = NULL;
    THScalar angle = {0};
    if (objects[3] != NULL && THP_readOut(&turn_signature, 3, objects[3], results, 2) < 0)
        return NULL;
    if ((self = THP_readTensor(&turn_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((axis = THP_readTensor(&turn_signature, 1, objects[1])) == NULL)
        return NULL;
    if (THP_readScalar(&turn_signature, 2, objects[2], &angle) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_turn(&results[0], &results[1], self, axis, angle);
    THP_LEAVE();
    return THP_resultTuple(status, &turn_type, 2, results, objects[3]);
}

static PyObject *THPCall_turn(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[4];
    if (THP_bind(&turn_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_turn(objects);
}

PyMethodDef THPFunctions_Core[] = {
    {"moving_sum", (PyCFunction)(void (*)(void))THPCall_moving_sum,
     METH_FASTCALL | METH_KEYWORDS,
     "moving_sum($module, input, width, *, out=None)\n"
     "--\n"
     "\n"
     "Sums of width neighbours along the last dim."},
    {"turn", (PyCFunction)(void (*)(void))THPCall_turn,
     METH_FASTCALL | METH_KEYWORDS,
     "turn($module, input, axis, angle, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_Core[] = {
    {"moving_sum", (PyCFunction)(void (*)(void))THPCall_moving_sum,
     METH_FASTCALL | METH_KEYWORDS,
     "moving_sum($self, width, *, out=None)\n"
     "--\n"
     "\n"
     "Sums of width neighbours along the last dim."},
    {"turn", (PyCFunction)(void (*)(void))THPCall_turn,
     METH_FASTCALL | METH_KEYWORDS,
     "turn($self, axis, angle, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

THPResultType *const THPResultTypes_Core[] = {
    &turn_type,
    NULL,
};
