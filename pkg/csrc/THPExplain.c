/* SPDX-License-Identifier: BSD-3-Clause
 *
 * _explain(function, args, kwargs): calls a declared operation as an explained call
 * (TH/THExplain.h) and returns what was noted down, as a dict that thwrap/_explain.py makes
 * readable. The storages of all tensors among the arguments are pinned meanwhile, which is how TH
 * knows what is not its own to write. */
#include "THPInternal.h"

#include <TH/THExplain.h>

#define PINS 256 /* more tensors than that are not explained */

typedef struct Explained {
    THExplain explain;
    const THPSignature *signature;
    PyObject *arguments; /* list of (name, kind, value), tensors that are absent as None */
    int npins;
    THStorage *pinned[PINS];
} Explained;

static const char *const pathNames[] = {"empty", "contiguous", "staged", "tiled"};
static const char *const overlapNames[] = {"none", "full", "partial"};

/* ---- which functions are declared ---- */

static bool contains(PyMethodDef *const *tables, PyCFunction function)
{
    for (; tables && *tables; tables++)
        for (const PyMethodDef *method = *tables; method->ml_name; method++)
            if (method->ml_meth == function)
                return true;
    return false;
}

/* Functions of thwrap._C and methods of Tensor; of functions of other modules the caller knows. */
static bool isDeclared(PyObject *module, PyObject *function)
{
    if (!PyCFunction_Check(function) ||
        PyCFunction_GetFlags(function) != (METH_FASTCALL | METH_KEYWORDS))
        return false;
    PyObject *self = PyCFunction_GetSelf(function);
    const PyCFunction address = PyCFunction_GetFunction(function);
    if (self != NULL && THP_isTensor(self))
        return !contains(THPTensor_ownMethods, address);
    return self != NULL && PyModule_Check(self) &&
           (self != module || contains(THP_package->functions, address));
}

/* ---- the call ---- */

static int bound(THExplain *explain, const void *signature, void *const *values)
{
    Explained *self = explain->context;
    if (self->signature != NULL) {
        PyErr_SetString(PyExc_RuntimeError,
                        "explain: reading an argument calls another operation of thwrap");
        return -1;
    }
    self->signature = signature;
    for (int i = 0; i < self->signature->nparams; i++) {
        const THPParam *param = &self->signature->params[i];
        PyObject *value = values[i], *tuple = NULL;
        if (value == NULL && param->kind > THP_OPERAND)
            continue;
        if (value == NULL) {
            value = Py_None;
        } else if (THP_isVarargs(value)) {
            tuple = value = PyTuple_New(THP_varargs.n);
            for (Py_ssize_t k = 0; tuple && k < THP_varargs.n; k++)
                PyTuple_SetItem(tuple, k, Py_NewRef(THP_varargs.args[k]));
        }
        PyObject *item = value ? Py_BuildValue("siO", param->name, param->kind, value) : NULL;
        const int status = item ? PyList_Append(self->arguments, item) : -1;
        Py_XDECREF(item);
        Py_XDECREF(tuple);
        if (status < 0)
            return -1;
    }
    return 0;
}

static int pinTensor(Explained *self, PyObject *tensor)
{
    THStorage *storage = THP_unwrap(tensor)->storage;
    if (self->npins == PINS) {
        PyErr_Format(PyExc_ValueError, "explain: expected at most %d tensors", PINS);
        return -1;
    }
    THStorage_retain(storage);
    THStorage_pin(storage);
    self->pinned[self->npins++] = storage;
    return 0;
}

/* Pins what tensors there are in an argument: itself, or the members of a list or tuple. */
static int pin(Explained *self, PyObject *value)
{
    if (THP_isTensor(value))
        return pinTensor(self, value);
    const bool isList = PyList_Check(value);
    const Py_ssize_t n = isList                 ? PyList_Size(value)
                         : PyTuple_Check(value) ? PyTuple_Size(value)
                                                : 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = isList ? PyList_GetItem(value, i) : PyTuple_GetItem(value, i);
        if (THP_isTensor(item) && pinTensor(self, item) < 0)
            return -1;
    }
    return 0;
}

static void unpin(Explained *self)
{
    for (int i = 0; i < self->npins; i++) {
        THStorage_unpin(self->pinned[i]);
        THStorage_free(self->pinned[i]);
    }
    self->npins = 0;
}

typedef PyObject *(*FastCall)(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                              PyObject *names);

/* What the call returned, None when it was stopped; NULL with its exception. There are names, if
 * none but an empty tuple, so that binding takes the way on which it tells of it. */
static PyObject *run(Explained *self, PyObject *function, PyObject *args, PyObject *kwargs)
{
    PyObject *names = NULL, *result = NULL;
    PyObject **values = THP_layOut(args, kwargs, &names);
    PyObject *receiver = PyCFunction_GetSelf(function);
    if (values == NULL)
        goto done;
    if (THP_isTensor(receiver) && pin(self, receiver) < 0)
        goto done;
    for (Py_ssize_t i = 0; i < PyTuple_Size(args) + PyTuple_Size(names); i++)
        if (pin(self, values[i]) < 0)
            goto done;
    const FastCall call = (FastCall)(void (*)(void))PyCFunction_GetFunction(function);
    THExplain_current = &self->explain;
    result = call(receiver, values, PyTuple_Size(args), names);
    THExplain_current = NULL;
    if (result == NULL && self->explain.stopped && PyErr_ExceptionMatches(PyExc_RuntimeError)) {
        PyErr_Clear(); /* what TH_STOPPED was raised as */
        result = Py_NewRef(Py_None);
    }
done:
    PyMem_Free(values);
    Py_XDECREF(names);
    return result;
}

/* ---- what was noted down ---- */

static const char *nameOf(int dtype)
{
    return dtype < 0 ? NULL : THDtype_name((THDtype)dtype);
}

static PyObject *outputs(const THExplain *explain)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < explain->noutputs; i++) {
        const THExplainOutput *output = &explain->output[i];
        PyObject *shape = output->nDimension < 0 ? Py_NewRef(Py_None)
                                                 : THPSize_ints(output->nDimension, output->size);
        PyObject *item =
            shape ? Py_BuildValue("{s:s,s:N,s:O,s:O}", "dtype", nameOf(output->dtype), "shape",
                                  shape, "given", output->given ? Py_True : Py_False, "direct",
                                  output->direct ? Py_True : Py_False)
                  : NULL;
        if (item == NULL || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *copies(const THExplain *explain)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < explain->ncopies && i < TH_EXPLAIN_COPIES; i++) {
        const THExplainCopy *copy = &explain->copy[i];
        PyObject *item =
            Py_BuildValue("ssOL", nameOf(copy->from), nameOf(copy->to),
                          copy->contiguous ? Py_True : Py_False, (long long)copy->elements);
        if (item == NULL || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *planOperand(const THPlan *plan, const THKernel *kernel, int k)
{
    const uint32_t bit = 1u << k;
    PyObject *strides =
        THPSize_ints(plan->path == TH_PATH_EMPTY ? 0 : plan->nDimension, plan->stride[k]);
    return strides ? Py_BuildValue("{s:s,s:s,s:s,s:N,s:O,s:O,s:O,s:O}", "dtype",
                                   nameOf(plan->dtype[k]), "via", nameOf(plan->via[k]), "computed",
                                   nameOf(kernel->dtype[k]), "strides", strides, "output",
                                   k < kernel->noutputs ? Py_True : Py_False, "staged",
                                   plan->staged & bit ? Py_True : Py_False, "converted",
                                   plan->convert & bit ? Py_True : Py_False, "tiled",
                                   plan->tiled & bit ? Py_True : Py_False)
                   : NULL;
}

static PyObject *plan(const THExplain *explain)
{
    const THPlan *plan = &explain->plan;
    if (!explain->planned)
        return Py_NewRef(Py_None);
    PyObject *operands = PyList_New(0);
    for (int k = 0; operands && k < plan->noperands; k++) {
        PyObject *operand = planOperand(plan, &explain->kernel, k);
        if (operand == NULL || PyList_Append(operands, operand) < 0)
            Py_CLEAR(operands);
        Py_XDECREF(operand);
    }
    PyObject *dims =
        operands ? THPSize_ints(plan->path == TH_PATH_EMPTY ? 0 : plan->nDimension, plan->size)
                 : NULL;
    if (dims == NULL) {
        Py_XDECREF(operands);
        return NULL;
    }
    return Py_BuildValue(
        "{s:s,s:O,s:N,s:N,s:i,s:i,s:L,s:L,s:L,s:L,s:L,s:i,s:O}", "path", pathNames[plan->path],
        "small", explain->small ? Py_True : Py_False, "operands", operands, "dims", dims, "threads",
        explain->small ? 1 : plan->threads, "outer", plan->outer, "block", (long long)plan->block,
        "rows", (long long)plan->rows, "items", (long long)plan->items, "elements",
        (long long)plan->elements, "bytes", (long long)plan->bytes, "cost", explain->kernel.cost,
        "copies", explain->kernel.flags & TH_KERNEL_COPIES ? Py_True : Py_False);
}

/* The first result that was given, if it is a tensor among the arguments: one over somebody's array
 * is gone by now. */
static const THTensor *givenTensor(const Explained *self)
{
    const THExplain *explain = &self->explain;
    for (Py_ssize_t i = 0; explain->noutputs > 0 && i < PyList_Size(self->arguments); i++) {
        PyObject *value = PyTuple_GetItem(PyList_GetItem(self->arguments, i), 2);
        if (THP_isTensor(value) && THP_unwrap(value) == explain->output[0].given)
            return THP_unwrap(value);
    }
    return NULL;
}

/* How each tensor argument shares memory with it. */
static PyObject *overlaps(const Explained *self)
{
    const THTensor *given = givenTensor(self);
    PyObject *dict = PyDict_New();
    for (Py_ssize_t i = 0; given && dict && i < PyList_Size(self->arguments); i++) {
        PyObject *item = PyList_GetItem(self->arguments, i), *value = PyTuple_GetItem(item, 2);
        if (!THP_isTensor(value))
            continue;
        PyObject *text =
            PyUnicode_FromString(overlapNames[THTensor_overlap(given, THP_unwrap(value))]);
        if (text == NULL || PyDict_SetItem(dict, PyTuple_GetItem(item, 0), text) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(text);
    }
    return dict;
}

/* Each NULL makes Py_BuildValue fail with the exception there is. */
static PyObject *report(const Explained *self, PyObject *result)
{
    const THExplain *explain = &self->explain;
    return Py_BuildValue("{s:s,s:s,s:O,s:O,s:O,s:z,s:z,s:L,s:O,s:N,s:N,s:i,s:N,s:N,s:s,s:i}",
                         "name", self->signature->name, "form", self->signature->text, "arguments",
                         self->arguments, "result", result, "stopped",
                         explain->stopped ? Py_True : Py_False, "dtype", nameOf(explain->dtype),
                         "rounded", nameOf(explain->rounded), "steps", (long long)explain->steps,
                         "unlocked", explain->unlocked ? Py_True : Py_False, "outputs",
                         outputs(explain), "copies", copies(explain), "ncopies", explain->ncopies,
                         "plan", plan(explain), "overlaps", overlaps(self), "isa",
                         THIsa_name(THIsa_current), "threads", THThreads_get());
}

static PyObject *raiseUntold(PyObject *function)
{
    return PyErr_Format(PyExc_TypeError, "explain: the package of %R is to be built again",
                        function);
}

static PyObject *explainCall(PyObject *module, PyObject *arguments)
{
    PyObject *function, *args, *kwargs, *result = NULL, *made = NULL;
    if (!PyArg_ParseTuple(arguments, "OO!O!", &function, &PyTuple_Type, &args, &PyDict_Type,
                          &kwargs))
        return NULL;
    if (!isDeclared(module, function)) {
        PyErr_Format(PyExc_TypeError,
                     "explain: expected a declared operation (th.add, a.add_, th.ops.NAME.op), "
                     "got %R",
                     function);
        return NULL;
    }
    Explained *self = PyMem_Calloc(1, sizeof *self);
    if (self == NULL)
        return PyErr_NoMemory();
    THExplain_init(&self->explain);
    self->explain.bound = bound;
    self->explain.context = self;
    self->arguments = PyList_New(0);
    if (self->arguments && (result = run(self, function, args, kwargs)) != NULL)
        made = self->signature ? report(self, result) : raiseUntold(function);
    unpin(self);
    Py_XDECREF(result);
    Py_XDECREF(self->arguments);
    PyMem_Free(self);
    return made;
}

PyMethodDef THPExplain_functions[] = {
    {"_explain", explainCall, METH_VARARGS,
     "_explain($module, function, args, kwargs, /)\n--\n\nWhat this call would do; see "
     "thwrap.explain()."},
    {NULL, NULL, 0, NULL},
};
