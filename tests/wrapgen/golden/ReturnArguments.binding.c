/* Written by wrapgen from ReturnArguments.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam same_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_TENSOR, 0, 0},
};
static const THPSignature same_signature = {
    "same",
    "(Tensor input, Tensor other)",
    same_params,
    2,
    2,
    0,
};

static PyObject *THPRun_same(PyObject *const *objects)
{
    bool outcome = false;
    THTensor *self = NULL;
    THTensor *other = NULL;
    if ((self = THP_readTensor(&same_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readTensor(&same_signature, 1, objects[1])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_same(&outcome, self, other);
    THP_LEAVE();
    return THP_resultBool(status, outcome);
}

static PyObject *THPCall_same(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&same_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_same(objects);
}

static const THPParam count_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
};
static const THPSignature count_signature = {
    "count",
    "(Tensor input)",
    count_params,
    1,
    1,
    0,
};

static PyObject *THPRun_count(PyObject *const *objects)
{
    int64_t outcome = 0;
    THTensor *self = NULL;
    if ((self = THP_readTensor(&count_signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_count(&outcome, self);
    THP_LEAVE();
    return THP_resultLong(status, outcome);
}

static PyObject *THPCall_count(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[1];
    if (THP_bind(&count_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_count(objects);
}

static const THPParam view_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"size", NULL, THP_SIZE, 0, 0},
};
static const THPSignature view_signature = {
    "view",
    "(Tensor input, tuple of ints size)",
    view_params,
    2,
    2,
    0,
};

static PyObject *THPRun_view(PyObject *const *objects)
{
    THTensor *outcome = NULL;
    THTensor *self = NULL;
    THPSize size;
    size.n = 0;
    if ((self = THP_readTensor(&view_signature, 0, objects[0])) == NULL)
        return NULL;
    if (THP_readSize(&view_signature, 1, objects[1], &size) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_view(&outcome, self, size.size, size.n);
    THP_LEAVE();
    return THP_resultOf(status, outcome, objects[0]);
}

static PyObject *THPCall_view(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&view_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_view(objects);
}

static const THPParam note_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
};
static const THPSignature note_signature = {
    "note",
    "(Tensor input)",
    note_params,
    1,
    1,
    0,
};

static PyObject *THPRun_note(PyObject *const *objects)
{
    THTensor *self = NULL;
    if ((self = THP_readTensor(&note_signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_note(self);
    THP_LEAVE();
    return THP_resultNone(status);
}

static PyObject *THPCall_note(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[1];
    if (THP_bind(&note_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_note(objects);
}

static const THPParam parts_params[] = {
    {"condition", NULL, THP_TENSOR, 0, 0},
};
static const THPSignature parts_signature = {
    "parts",
    "(Tensor condition)",
    parts_params,
    1,
    1,
    -1,
};

static PyObject *THPRun_parts(PyObject *const *objects)
{
    THTensorArray outcome = {0, NULL};
    THTensor *condition = NULL;
    if ((condition = THP_readTensor(&parts_signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_parts(&outcome, condition);
    THP_LEAVE();
    return THP_resultArray(status, outcome);
}

static PyObject *THPCall_parts(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[1];
    if (THP_bind(&parts_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_parts(objects);
}

PyMethodDef THPFunctions_ReturnArguments[] = {
    {"same", (PyCFunction)(void (*)(void))THPCall_same,
     METH_FASTCALL | METH_KEYWORDS,
     "same($module, input, other)\n"
     "--\n"
     "\n"},
    {"count", (PyCFunction)(void (*)(void))THPCall_count,
     METH_FASTCALL | METH_KEYWORDS,
     "count($module, input)\n"
     "--\n"
     "\n"},
    {"view", (PyCFunction)(void (*)(void))THPCall_view,
     METH_FASTCALL | METH_KEYWORDS,
     "view($module, input, size)\n"
     "--\n"
     "\n"},
    {"note", (PyCFunction)(void (*)(void))THPCall_note,
     METH_FASTCALL | METH_KEYWORDS,
     "note($module, input)\n"
     "--\n"
     "\n"},
    {"parts", (PyCFunction)(void (*)(void))THPCall_parts,
     METH_FASTCALL | METH_KEYWORDS,
     "parts($module, condition)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_ReturnArguments[] = {
    {"same", (PyCFunction)(void (*)(void))THPCall_same,
     METH_FASTCALL | METH_KEYWORDS,
     "same($self, other)\n"
     "--\n"
     "\n"},
    {"count", (PyCFunction)(void (*)(void))THPCall_count,
     METH_FASTCALL | METH_KEYWORDS,
     "count($self)\n"
     "--\n"
     "\n"},
    {"view", (PyCFunction)(void (*)(void))THPCall_view,
     METH_FASTCALL | METH_KEYWORDS,
     "view($self, size)\n"
     "--\n"
     "\n"},
    {"note", (PyCFunction)(void (*)(void))THPCall_note,
     METH_FASTCALL | METH_KEYWORDS,
     "note($self)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
