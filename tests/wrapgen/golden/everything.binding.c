/* Written by wrapgen from everything.yaml; edit that one. */
#include "THP.h"
#include "ops.h"

static const THPParam everything_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_OPERAND, 0, 0},
    {"mat", NULL, THP_TENSOR, 0, 0},
    {"weight", NULL, THP_TENSOR, THP_NULLABLE, 0},
    {"index", NULL, THP_TENSOR, 0, 0},
    {"eps", NULL, THP_DOUBLE, THP_OPTIONAL | THP_KEYWORD_ONLY, 0},
    {"dim", "axis", THP_LONG, THP_OPTIONAL | THP_KEYWORD_ONLY, 0},
    {"upper", NULL, THP_BOOL, THP_OPTIONAL | THP_KEYWORD_ONLY, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature everything_signature = {
    "all_keys",
    "(Tensor input, Tensor or number other, Tensor mat, Tensor weight, Tensor index, *, float "
    "eps=1e-8, int dim=-1, bool upper=False, Tensor out=None)",
    everything_params,
    9,
    5,
    0,
};

static PyObject *THPRun_everything(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THScalarTensor other_number;
    THTensor *other = NULL;
    THTensor *mat = NULL;
    THTensor *weight = NULL;
    THTensor *index = NULL;
    double eps = 1e-8;
    int64_t dim = -1;
    bool upper = false;
    if (objects[8] != NULL && THP_readOut(&everything_signature, 8, objects[8], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&everything_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readOperand(&everything_signature, 1, objects[1], &other_number)) == NULL)
        return NULL;
    if ((mat = THP_readTensor(&everything_signature, 2, objects[2])) == NULL)
        return NULL;
    if (objects[3] != NULL && (weight = THP_readTensor(&everything_signature, 3, objects[3])) == NULL)
        return NULL;
    if ((index = THP_readTensor(&everything_signature, 4, objects[4])) == NULL)
        return NULL;
    if (objects[5] != NULL && THP_readDouble(&everything_signature, 5, objects[5], &eps) < 0)
        return NULL;
    if (objects[6] != NULL && THP_readLong(&everything_signature, 6, objects[6], &dim) < 0)
        return NULL;
    if (objects[7] != NULL && THP_readBool(&everything_signature, 7, objects[7], &upper) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_everything(&results[0], self, other, mat, weight, eps, dim, upper, index);
    THP_LEAVE();
    return THP_result(status, results[0], objects[8]);
}

static PyObject *THPCall_everything(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                    PyObject *kwnames)
{
    PyObject *objects[9];
    if (THP_bind(&everything_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_everything(objects);
}

static const THPParam everything__params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_OPERAND, 0, 0},
    {"mat", NULL, THP_TENSOR, 0, 0},
    {"weight", NULL, THP_TENSOR, THP_NULLABLE, 0},
    {"index", NULL, THP_TENSOR, 0, 0},
    {"eps", NULL, THP_DOUBLE, THP_OPTIONAL | THP_KEYWORD_ONLY, 0},
    {"dim", "axis", THP_LONG, THP_OPTIONAL | THP_KEYWORD_ONLY, 0},
    {"upper", NULL, THP_BOOL, THP_OPTIONAL | THP_KEYWORD_ONLY, 0},
};
static const THPSignature everything__signature = {
    "all_keys_",
    "(Tensor input, Tensor or number other, Tensor mat, Tensor weight, Tensor index, *, float "
    "eps=1e-8, int dim=-1, bool upper=False)",
    everything__params,
    8,
    5,
    0,
};

static PyObject *THPRun_everything_(PyObject *const *objects)
{
    THTensor *self = NULL;
    THScalarTensor other_number;
    THTensor *other = NULL;
    THTensor *mat = NULL;
    THTensor *weight = NULL;
    THTensor *index = NULL;
    double eps = 1e-8;
    int64_t dim = -1;
    bool upper = false;
    if ((self = THP_readTensor(&everything__signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readOperand(&everything__signature, 1, objects[1], &other_number)) == NULL)
        return NULL;
    if ((mat = THP_readTensor(&everything__signature, 2, objects[2])) == NULL)
        return NULL;
    if (objects[3] != NULL && (weight = THP_readTensor(&everything__signature, 3, objects[3])) == NULL)
        return NULL;
    if ((index = THP_readTensor(&everything__signature, 4, objects[4])) == NULL)
        return NULL;
    if (objects[5] != NULL && THP_readDouble(&everything__signature, 5, objects[5], &eps) < 0)
        return NULL;
    if (objects[6] != NULL && THP_readLong(&everything__signature, 6, objects[6], &dim) < 0)
        return NULL;
    if (objects[7] != NULL && THP_readBool(&everything__signature, 7, objects[7], &upper) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_everything_(self, other, mat, weight, eps, dim, upper, index);
    THP_LEAVE();
    return THP_result(status, NULL, objects[0]);
}

static PyObject *THPCall_everything_(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                     PyObject *kwnames)
{
    PyObject *objects[8];
    if (THP_bind(&everything__signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_everything_(objects);
}

static const THPParam forms_kernel_params[] = {
    {"input", "self", THP_OPERAND, 0, 0},
    {"other", NULL, THP_OPERAND, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature forms_kernel_signature = {
    "forms",
    "(Tensor or number input, Tensor or number other, *, Tensor out=None)",
    forms_kernel_params,
    3,
    2,
    0,
};

static PyObject *THPRun_forms_kernel(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THScalarTensor self_number;
    THTensor *self = NULL;
    THScalarTensor other_number;
    THTensor *other = NULL;
    if (objects[2] != NULL && THP_readOut(&forms_kernel_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readOperand(&forms_kernel_signature, 0, objects[0], &self_number)) == NULL)
        return NULL;
    if ((other = THP_readOperand(&forms_kernel_signature, 1, objects[1], &other_number)) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_forms_kernel(&results[0], self, other);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static const THPParam forms_made_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"size", NULL, THP_SIZE, THP_VARARGS, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature forms_made_signature = {
    "forms",
    "(Tensor input, tuple of ints size, *, Tensor out=None)",
    forms_made_params,
    3,
    2,
    0,
};

static PyObject *THPRun_forms_made(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THPSize size;
    size.n = 0;
    if (objects[2] != NULL && THP_readOut(&forms_made_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&forms_made_signature, 0, objects[0])) == NULL)
        return NULL;
    if (THP_readSize(&forms_made_signature, 1, objects[1], &size) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_forms_made(&results[0], self, size.size, size.n);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_forms(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const THPSignature *const forms[] = {
        &forms_kernel_signature,
        &forms_made_signature,
    };
    PyObject *objects[3];
    switch (THP_bindOverload(forms, 2, self, args, nargs, kwnames, objects)) {
    case 0:
        return THPRun_forms_kernel(objects);
    case 1:
        return THPRun_forms_made(objects);
    default:
        return NULL;
    }
}

PyObject *THPSlot_nb_add(PyObject *left, PyObject *right)
{
    if (!THP_isOperand(left) || !THP_isOperand(right))
        return THP_operate(THPSlot_nb_add, left, right);
    PyObject *objects[3] = {NULL};
    objects[0] = left;
    objects[1] = right;
    if (TH_UNLIKELY(THP_maySpend(left) || THP_maySpend(right)))
        return THP_runSpending(THPRun_forms_kernel, objects, left, right);
    return THPRun_forms_kernel(objects);
}

static const THPParam forms__kernel_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_OPERAND, 0, 0},
};
static const THPSignature forms__kernel_signature = {
    "forms_",
    "(Tensor input, Tensor or number other)",
    forms__kernel_params,
    2,
    2,
    0,
};

static PyObject *THPRun_forms__kernel(PyObject *const *objects)
{
    THTensor *self = NULL;
    THScalarTensor other_number;
    THTensor *other = NULL;
    if ((self = THP_readTensor(&forms__kernel_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readOperand(&forms__kernel_signature, 1, objects[1], &other_number)) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_forms__kernel(self, other);
    THP_LEAVE();
    return THP_result(status, NULL, objects[0]);
}

static PyObject *THPCall_forms_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&forms__kernel_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_forms__kernel(objects);
}

PyObject *THPSlot_nb_inplace_add(PyObject *left, PyObject *right)
{
    if (!THP_isOperand(left) || !THP_isOperand(right))
        Py_RETURN_NOTIMPLEMENTED;
    PyObject *objects[2] = {NULL};
    objects[0] = left;
    objects[1] = right;
    return THPRun_forms__kernel(objects);
}

static const THPParam other_forms_kernel_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_OPERAND, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature other_forms_kernel_signature = {
    "other_forms",
    "(Tensor input, Tensor or number other, *, Tensor out=None)",
    other_forms_kernel_params,
    3,
    2,
    0,
};

static PyObject *THPRun_other_forms_kernel(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THScalarTensor other_number;
    THTensor *other = NULL;
    if (objects[2] != NULL && THP_readOut(&other_forms_kernel_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&other_forms_kernel_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readOperand(&other_forms_kernel_signature, 1, objects[1], &other_number)) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_other_forms_kernel(&results[0], self, other);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static const THPParam other_forms_made_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"size", NULL, THP_SIZE, THP_VARARGS, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature other_forms_made_signature = {
    "other_forms",
    "(Tensor input, tuple of ints size, *, Tensor out=None)",
    other_forms_made_params,
    3,
    2,
    0,
};

static PyObject *THPRun_other_forms_made(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    THPSize size;
    size.n = 0;
    if (objects[2] != NULL && THP_readOut(&other_forms_made_signature, 2, objects[2], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&other_forms_made_signature, 0, objects[0])) == NULL)
        return NULL;
    if (THP_readSize(&other_forms_made_signature, 1, objects[1], &size) < 0)
        return NULL;

    THP_ENTER();
    const int status = TH_other_forms_made(&results[0], self, size.size, size.n);
    THP_LEAVE();
    return THP_result(status, results[0], objects[2]);
}

static PyObject *THPCall_other_forms(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                     PyObject *kwnames)
{
    static const THPSignature *const forms[] = {
        &other_forms_kernel_signature,
        &other_forms_made_signature,
    };
    PyObject *objects[3];
    switch (THP_bindOverload(forms, 2, self, args, nargs, kwnames, objects)) {
    case 0:
        return THPRun_other_forms_kernel(objects);
    case 1:
        return THPRun_other_forms_made(objects);
    default:
        return NULL;
    }
}

static const THPParam other_forms__kernel_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"other", NULL, THP_OPERAND, 0, 0},
};
static const THPSignature other_forms__kernel_signature = {
    "other_forms_",
    "(Tensor input, Tensor or number other)",
    other_forms__kernel_params,
    2,
    2,
    0,
};

static PyObject *THPRun_other_forms__kernel(PyObject *const *objects)
{
    THTensor *self = NULL;
    THScalarTensor other_number;
    THTensor *other = NULL;
    if ((self = THP_readTensor(&other_forms__kernel_signature, 0, objects[0])) == NULL)
        return NULL;
    if ((other = THP_readOperand(&other_forms__kernel_signature, 1, objects[1], &other_number)) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_other_forms__kernel(self, other);
    THP_LEAVE();
    return THP_result(status, NULL, objects[0]);
}

static PyObject *THPCall_other_forms_(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                      PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&other_forms__kernel_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_other_forms__kernel(objects);
}

static const THPParam windows_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature windows_signature = {
    "windows",
    "(Tensor input, *, Tensor out=None)",
    windows_params,
    2,
    1,
    0,
};

static PyObject *THPRun_windows(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    if (objects[1] != NULL && THP_readOut(&windows_signature, 1, objects[1], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&windows_signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_windows(&results[0], self);
    THP_LEAVE();
    return THP_result(status, results[0], objects[1]);
}

static PyObject *THPCall_windows(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&windows_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_windows(objects);
}

static const THPParam sum_of_all_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
};
static const THPSignature sum_of_all_signature = {
    "sum_of_all",
    "(Tensor input)",
    sum_of_all_params,
    1,
    1,
    0,
};

static PyObject *THPRun_sum_of_all(PyObject *const *objects)
{
    double outcome = 0;
    THTensor *self = NULL;
    if ((self = THP_readTensor(&sum_of_all_signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_sum_of_all(&outcome, self);
    THP_LEAVE();
    return THP_resultDouble(status, outcome);
}

static PyObject *THPCall_sum_of_all(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                    PyObject *kwnames)
{
    PyObject *objects[1];
    if (THP_bind(&sum_of_all_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_sum_of_all(objects);
}

static const THPParam parts_of_params[] = {
    {"input", "self", THP_TENSOR, 0, 0},
    {"out", NULL, THP_OUT, THP_OPTIONAL | THP_KEYWORD_ONLY | THP_NULLABLE, 1},
};
static const THPSignature parts_of_signature = {
    "parts_of",
    "(Tensor input, *, Tensor out=None)",
    parts_of_params,
    2,
    1,
    0,
};

static PyObject *THPRun_parts_of(PyObject *const *objects)
{
    THTensor *results[1] = {NULL};
    THTensor *self = NULL;
    if (objects[1] != NULL && THP_readOut(&parts_of_signature, 1, objects[1], results, 1) < 0)
        return NULL;
    if ((self = THP_readTensor(&parts_of_signature, 0, objects[0])) == NULL)
        return NULL;

    THP_ENTER();
    const int status = TH_parts_of(&results[0], self);
    THP_LEAVE();
    return THP_result(status, results[0], objects[1]);
}

static PyObject *THPCall_parts_of(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *objects[2];
    if (THP_bind(&parts_of_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_parts_of(objects);
}

PyMethodDef THPFunctions_everything[] = {
    {"forms", (PyCFunction)(void (*)(void))THPCall_forms,
     METH_FASTCALL | METH_KEYWORDS,
     "forms(Tensor or number input, Tensor or number other, *, Tensor out=None)\n"
     "forms(Tensor input, tuple of ints size, *, Tensor out=None)\n"
     "\n"},
    {"forms_", (PyCFunction)(void (*)(void))THPCall_forms_,
     METH_FASTCALL | METH_KEYWORDS,
     "forms_($module, input, other)\n"
     "--\n"
     "\n"
     "In-place form of forms(): the result is stored in self."},
    {"other_forms", (PyCFunction)(void (*)(void))THPCall_other_forms,
     METH_FASTCALL | METH_KEYWORDS,
     "other_forms(Tensor input, Tensor or number other, *, Tensor out=None)\n"
     "other_forms(Tensor input, tuple of ints size, *, Tensor out=None)\n"
     "\n"
     "Another name of forms(). "},
    {"other_forms_", (PyCFunction)(void (*)(void))THPCall_other_forms_,
     METH_FASTCALL | METH_KEYWORDS,
     "other_forms_($module, input, other)\n"
     "--\n"
     "\n"
     "In-place form of other_forms(): the result is stored in self."},
    {"windows", (PyCFunction)(void (*)(void))THPCall_windows,
     METH_FASTCALL | METH_KEYWORDS,
     "windows($module, input, *, out=None)\n"
     "--\n"
     "\n"},
    {"sum_of_all", (PyCFunction)(void (*)(void))THPCall_sum_of_all,
     METH_FASTCALL | METH_KEYWORDS,
     "sum_of_all($module, input)\n"
     "--\n"
     "\n"},
    {"parts_of", (PyCFunction)(void (*)(void))THPCall_parts_of,
     METH_FASTCALL | METH_KEYWORDS,
     "parts_of($module, input, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_everything[] = {
    {"all_keys", (PyCFunction)(void (*)(void))THPCall_everything,
     METH_FASTCALL | METH_KEYWORDS,
     "all_keys($self, other, mat, weight, index, *, eps=1e-8, dim=-1, upper=False, out=None)\n"
     "--\n"
     "\n"
     "A bit of everything.\n"
     "\n"
     "On several lines, \"quoted\"."},
    {"all_keys_", (PyCFunction)(void (*)(void))THPCall_everything_,
     METH_FASTCALL | METH_KEYWORDS,
     "all_keys_($self, other, mat, weight, index, *, eps=1e-8, dim=-1, upper=False)\n"
     "--\n"
     "\n"
     "In-place form of all_keys(): the result is stored in self."},
    {"forms", (PyCFunction)(void (*)(void))THPCall_forms,
     METH_FASTCALL | METH_KEYWORDS,
     "forms(Tensor or number input, Tensor or number other, *, Tensor out=None)\n"
     "forms(Tensor input, tuple of ints size, *, Tensor out=None)\n"
     "\n"},
    {"forms_", (PyCFunction)(void (*)(void))THPCall_forms_,
     METH_FASTCALL | METH_KEYWORDS,
     "forms_($self, other)\n"
     "--\n"
     "\n"
     "In-place form of forms(): the result is stored in self."},
    {"other_forms", (PyCFunction)(void (*)(void))THPCall_other_forms,
     METH_FASTCALL | METH_KEYWORDS,
     "other_forms(Tensor input, Tensor or number other, *, Tensor out=None)\n"
     "other_forms(Tensor input, tuple of ints size, *, Tensor out=None)\n"
     "\n"
     "Another name of forms(). "},
    {"other_forms_", (PyCFunction)(void (*)(void))THPCall_other_forms_,
     METH_FASTCALL | METH_KEYWORDS,
     "other_forms_($self, other)\n"
     "--\n"
     "\n"
     "In-place form of other_forms(): the result is stored in self."},
    {"windows", (PyCFunction)(void (*)(void))THPCall_windows,
     METH_FASTCALL | METH_KEYWORDS,
     "windows($self, *, out=None)\n"
     "--\n"
     "\n"},
    {"sum_of_all", (PyCFunction)(void (*)(void))THPCall_sum_of_all,
     METH_FASTCALL | METH_KEYWORDS,
     "sum_of_all($self)\n"
     "--\n"
     "\n"},
    {"parts_of", (PyCFunction)(void (*)(void))THPCall_parts_of,
     METH_FASTCALL | METH_KEYWORDS,
     "parts_of($self, *, out=None)\n"
     "--\n"
     "\n"},
    {NULL, NULL, 0, NULL},
};
