/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorting the arguments of a call into the parameters of a signature. The common call, positional
 * arguments only, is a copy and two short loops; everything else goes through bindSlow, which
 * reports what is wrong as a THPProblem, so that overloads can be tried without raising. */
#include "THPArguments.h"
#include <string.h>

THPVarargs THP_varargs;

/* Had the last call a receiver? Only messages depend on it. */
static bool boundReceiver;

typedef enum THPProblemKind {
    TOO_MANY,
    MISSING,
    UNEXPECTED,
    TWICE,
    BOTH_NAMES,
    WRONG_KIND,
    RAISED, /* an exception is set already */
} THPProblemKind;

typedef struct THPProblem {
    THPProblemKind kind;
    int param;
    int expected;
    int given;
    const char *keyword;
    PyObject *value; /* borrowed */
} THPProblem;

int THP_position(const THPSignature *signature, int param)
{
    if (param >= signature->npositional || signature->params[param].flags & THP_KEYWORD_ONLY)
        return 0;
    const bool afterReceiver = boundReceiver && signature->self >= 0 && signature->self < param;
    return param + (afterReceiver ? 0 : 1);
}

static int levenshtein(const char *a, const char *b)
{
    int row[64];
    const int na = (int)strlen(a), nb = (int)strlen(b);
    if (na >= 64 || nb >= 64)
        return 64;
    for (int j = 0; j <= nb; j++)
        row[j] = j;
    for (int i = 1; i <= na; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            const int above = row[j];
            int best = diagonal + (a[i - 1] != b[j - 1]);
            best = above + 1 < best ? above + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            row[j] = best;
            diagonal = above;
        }
    }
    return row[nb];
}

/* The parameter name most like `keyword`, or NULL when none is near. */
static const char *nearest(const THPSignature *signature, const char *keyword)
{
    const char *found = NULL;
    int limit = (int)strlen(keyword) / 2 < 3 ? (int)strlen(keyword) / 2 : 3;
    for (int i = 0; i < signature->nparams; i++) {
        const char *names[2] = {signature->params[i].name, signature->params[i].alias};
        for (int k = 0; k < 2 && names[k]; k++) {
            const int distance = levenshtein(keyword, names[k]);
            if (distance <= limit) {
                limit = distance - 1;
                found = names[k];
            }
        }
    }
    return found;
}

static PyObject *describeMissing(const THPSignature *signature, const THPProblem *problem)
{
    const char *name = signature->params[problem->param].name;
    const int position = THP_position(signature, problem->param);
    return position > 0 ? PyUnicode_FromFormat("missing required argument '%s' (position %d)", name,
                                               position)
                        : PyUnicode_FromFormat("missing required argument '%s'", name);
}

static PyObject *describeUnexpected(const THPSignature *signature, const THPProblem *problem)
{
    const char *guess = nearest(signature, problem->keyword);
    return guess
               ? PyUnicode_FromFormat("got an unexpected keyword argument '%s'; did you mean '%s'?",
                                      problem->keyword, guess)
               : PyUnicode_FromFormat("got an unexpected keyword argument '%s'", problem->keyword);
}

static PyObject *describeWrongKind(const THPParam *param, PyObject *value)
{
    PyObject *expected = THP_expected(param), *got = NULL, *text = NULL;
    if (expected && THP_isVarargs(value))
        text = PyUnicode_FromFormat("argument '%s' must be %U", param->name, expected);
    else if (expected && PyBool_Check(value) &&
             (param->kind == THP_TRUE || param->kind == THP_FALSE)) /* it is for another form */
        text =
            PyUnicode_FromFormat("argument '%s' must be %U, not %S", param->name, expected, value);
    else if (expected && (got = THP_typeName(value)))
        text = PyUnicode_FromFormat("argument '%s' must be %U, not %U", param->name, expected, got);
    Py_XDECREF(expected);
    Py_XDECREF(got);
    return text;
}

/* The problem in words, to follow "name() " or to stand below a form; a new reference. */
static PyObject *describe(const THPSignature *signature, const THPProblem *problem, bool ofForm)
{
    const THPParam *param = problem->param >= 0 ? &signature->params[problem->param] : NULL;
    switch (problem->kind) {
    case TOO_MANY:
        if (ofForm)
            return PyUnicode_FromFormat("too many arguments: expected at most %d, got %d",
                                        problem->expected, problem->given);
        if (problem->expected == 0)
            return PyUnicode_FromFormat("takes no positional arguments (%d given)", problem->given);
        return PyUnicode_FromFormat("takes at most %d positional argument%s (%d given)",
                                    problem->expected, problem->expected == 1 ? "" : "s",
                                    problem->given);
    case MISSING:
        return describeMissing(signature, problem);
    case UNEXPECTED:
        return describeUnexpected(signature, problem);
    case TWICE:
        return PyUnicode_FromFormat("got multiple values for argument '%s'", param->name);
    case BOTH_NAMES:
        return PyUnicode_FromFormat("got both '%s' and '%s', which are the same argument",
                                    param->name, param->alias);
    case WRONG_KIND:
        return describeWrongKind(param, problem->value);
    default:
        return NULL;
    }
}

/* Keywords found lately: those of a call are the same objects each time. They are kept, so that no
 * other object can be where they are. */
#define FOUND_KEYWORDS 128
typedef struct FoundKeyword {
    const THPSignature *signature;
    PyObject *keyword;
    int param;
} FoundKeyword;
static FoundKeyword found[FOUND_KEYWORDS];

static FoundKeyword *foundKeyword(const THPSignature *signature, PyObject *keyword)
{
    const uintptr_t hash = (uintptr_t)signature / 16 + (uintptr_t)keyword / 16;
    return &found[(hash ^ hash >> 7) % FOUND_KEYWORDS];
}

static void keepKeyword(FoundKeyword *entry, const THPSignature *signature, PyObject *keyword,
                        int param)
{
    PyObject *old = entry->keyword, *own = Py_NewRef(keyword);
    PyUnicode_InternInPlace(&own);
    if (own != keyword) { /* made for this call alone */
        Py_DECREF(own);
        return;
    }
    *entry = (FoundKeyword){signature, own, param};
    Py_XDECREF(old);
}

/* strcmp is called for little else than the name it is. */
static inline bool isName(const char *name, const char *keyword)
{
    return name[0] == keyword[0] && strcmp(name, keyword) == 0;
}

static int findParam(const THPSignature *signature, const char *keyword)
{
    for (int i = 0; i < signature->nparams; i++) {
        const THPParam *param = &signature->params[i];
        if (isName(param->name, keyword) || (param->alias && isName(param->alias, keyword)))
            return i;
    }
    return -1;
}

/* Fills from positional arguments. Returns the number of leading parameters taken, or -1. */
static int bindPositional(const THPSignature *signature, bool hasReceiver, PyObject *const *args,
                          Py_ssize_t nargs, PyObject **values, THPProblem *problem)
{
    const int last = signature->npositional - 1;
    const int capacity = signature->npositional - hasReceiver;
    Py_ssize_t copied = nargs;
    if (nargs > capacity) {
        if (capacity < 1 || !(signature->params[last].flags & THP_VARARGS) ||
            !THP_isInteger(args[capacity - 1])) {
            *problem = (THPProblem){.kind = TOO_MANY, .param = -1, .expected = capacity};
            problem->given = (int)nargs;
            return -1;
        }
        THP_varargs = (THPVarargs){args + capacity - 1, nargs - capacity + 1};
        values[last] = (PyObject *)(void *)&THP_varargs;
        copied = capacity - 1;
    }
    int next = 0;
    for (Py_ssize_t i = 0; i < copied; i++) {
        if (hasReceiver && next == signature->self)
            next++;
        values[next++] = args[i];
    }
    if (hasReceiver && next == signature->self)
        next++;
    return nargs > capacity ? signature->npositional : next;
}

/* The parameter a keyword names, or -1. */
static int paramOf(const THPSignature *signature, PyObject *keyword, THPProblem *problem)
{
    FoundKeyword *entry = foundKeyword(signature, keyword);
    if (TH_LIKELY(entry->keyword == keyword && entry->signature == signature))
        return entry->param;
    const char *name = PyUnicode_AsUTF8AndSize(keyword, NULL);
    if (name == NULL) {
        problem->kind = RAISED;
        return -1;
    }
    const int param = findParam(signature, name);
    if (param >= 0)
        keepKeyword(entry, signature, keyword, param);
    else
        *problem = (THPProblem){.kind = UNEXPECTED, .param = -1, .keyword = name};
    return param;
}

static int bindKeywords(const THPSignature *signature, int taken, PyObject *const *args,
                        PyObject *kwnames, PyObject **values, THPProblem *problem)
{
    const Py_ssize_t n = PyTuple_Size(kwnames);
    for (Py_ssize_t k = 0; k < n; k++) {
        const int param = paramOf(signature, PyTuple_GetItem(kwnames, k), problem);
        if (param < 0)
            return -1;
        if (values[param]) {
            const bool aliased = param >= taken && signature->params[param].alias;
            *problem = (THPProblem){.kind = aliased ? BOTH_NAMES : TWICE, .param = param};
            return -1;
        }
        values[param] = args[k];
    }
    return 0;
}

/* A call of positional arguments, none of them for varargs. */
static inline bool isPlain(const THPSignature *signature, const PyObject *receiver,
                           Py_ssize_t nargs, const PyObject *kwnames)
{
    return kwnames == NULL && (receiver != NULL) + nargs <= signature->npositional &&
           (receiver == NULL || signature->self == 0);
}

/* Of such a call. The parameter that is missing, or -1. */
static inline int bindPlain(const THPSignature *signature, PyObject *receiver,
                            PyObject *const *args, Py_ssize_t nargs, PyObject **values)
{
    const THPParam *params = signature->params;
    int i = 0;
    if (receiver)
        values[i++] = receiver;
    for (Py_ssize_t k = 0; k < nargs; k++, i++) {
        PyObject *value = args[k];
        values[i] = value == Py_None && params[i].flags & THP_NULLABLE ? NULL : value;
    }
    for (; i < signature->nparams; i++) {
        if (TH_UNLIKELY(!(params[i].flags & THP_OPTIONAL)))
            return i;
        values[i] = NULL;
    }
    return -1;
}

static int bindSlow(const THPSignature *signature, PyObject *receiver, PyObject *const *args,
                    Py_ssize_t nargs, PyObject *kwnames, PyObject **values, THPProblem *problem)
{
    const bool hasReceiver = receiver && signature->self >= 0;
    memset(values, 0, (size_t)signature->nparams * sizeof *values);
    if (hasReceiver)
        values[signature->self] = receiver;
    const int taken = bindPositional(signature, hasReceiver, args, nargs, values, problem);
    if (taken < 0 ||
        (kwnames && bindKeywords(signature, taken, args + nargs, kwnames, values, problem) < 0))
        return -1;
    for (int i = 0; i < signature->nparams; i++) {
        const unsigned flags = signature->params[i].flags;
        if (values[i] == NULL && !(flags & THP_OPTIONAL)) {
            *problem = (THPProblem){.kind = MISSING, .param = i};
            return -1;
        }
        if (values[i] == Py_None && flags & THP_NULLABLE)
            values[i] = NULL;
    }
    return 0;
}

static int raiseProblem(const THPSignature *signature, const THPProblem *problem)
{
    if (problem->kind == RAISED)
        return -1;
    PyObject *text = describe(signature, problem, false);
    if (text)
        PyErr_Format(PyExc_TypeError, "%s() %U", signature->name, text);
    Py_XDECREF(text);
    return -1;
}

/* An explained call is told what was found. */
static inline int tellBound(const THPSignature *signature, PyObject *const *values)
{
    return TH_LIKELY(THExplain_current == NULL)
               ? 0
               : THExplain_current->bound(THExplain_current, signature, (void *const *)values);
}

/* Functions are handed the module that they are in. */
static inline PyObject *receiverOf(PyObject *self)
{
    return self == NULL || Py_TYPE(self) == &PyModule_Type ? NULL : self;
}

int THP_bind(const THPSignature *signature, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
             PyObject *kwnames, PyObject **values)
{
    PyObject *const receiver = receiverOf(self);
    THPProblem problem;
    boundReceiver = receiver != NULL;
    if (TH_LIKELY(isPlain(signature, receiver, nargs, kwnames))) {
        const int missing = bindPlain(signature, receiver, args, nargs, values);
        return TH_LIKELY(missing < 0)
                   ? 0
                   : raiseProblem(signature, &(THPProblem){.kind = MISSING, .param = missing});
    }
    if (bindSlow(signature, receiver, args, nargs, kwnames, values, &problem) == 0)
        return tellBound(signature, values);
    return raiseProblem(signature, &problem);
}

/* Binds and compares kinds. */
static int bindForm(const THPSignature *signature, PyObject *receiver, PyObject *const *args,
                    Py_ssize_t nargs, PyObject *kwnames, PyObject **values, bool strict,
                    THPProblem *problem)
{
    if (isPlain(signature, receiver, nargs, kwnames)) {
        const int missing = bindPlain(signature, receiver, args, nargs, values);
        *problem = (THPProblem){.kind = MISSING, .param = missing};
        if (missing >= 0)
            return -1;
    } else if (bindSlow(signature, receiver, args, nargs, kwnames, values, problem) < 0) {
        return -1;
    }
    for (int i = 0; i < signature->nparams; i++) {
        if (values[i] && !THP_matches(&signature->params[i], values[i], strict)) {
            *problem = (THPProblem){.kind = WRONG_KIND, .param = i, .value = values[i]};
            return -1;
        }
    }
    return 0;
}

/* Appends text to *message, taking over the reference; -1 with an exception and *message gone. */
static int append(PyObject **message, PyObject *text)
{
    if (text == NULL) {
        Py_CLEAR(*message);
        return -1;
    }
    PyUnicode_AppendAndDel(message, text);
    return *message ? 0 : -1;
}

/* "(Tensor, dim=str)"; a new reference. */
static PyObject *describeCall(PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *text = PyUnicode_FromString("(");
    const Py_ssize_t nkeywords = kwnames ? PyTuple_Size(kwnames) : 0;
    for (Py_ssize_t i = 0; text && i < nargs + nkeywords; i++) {
        PyObject *type = THP_typeName(args[i]);
        if (append(&text, PyUnicode_FromString(i > 0 ? ", " : "")) < 0 || type == NULL) {
            Py_XDECREF(type);
            Py_XDECREF(text);
            return NULL;
        }
        if (i < nargs)
            append(&text, type);
        else {
            PyObject *keyword = PyTuple_GetItem(kwnames, i - nargs);
            append(&text, PyUnicode_FromFormat("%U=%U", keyword, type));
            Py_DECREF(type);
        }
    }
    if (text)
        append(&text, PyUnicode_FromString(")"));
    return text;
}

/* "(int dim, bool keepdim=False)": the form's parameters, without the one a method's receiver is.
 */
static PyObject *describeForm(const THPSignature *signature, bool hasReceiver)
{
    if (!hasReceiver || signature->self != 0)
        return PyUnicode_FromString(signature->text);
    const char *next = strstr(signature->text, ", ");
    return PyUnicode_FromFormat("(%s", next ? next + 2 : ")");
}

/* A method has no form without self. */
static bool isLeftOut(const THPSignature *signature, PyObject *receiver)
{
    return receiver && signature->self < 0;
}

static int raiseNoForm(const THPSignature *const *signatures, int nsignatures, PyObject *receiver,
                       PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                       PyObject **values)
{
    PyObject *call = describeCall(args, nargs, kwnames);
    if (call == NULL)
        return -1;
    PyObject *message =
        PyUnicode_FromFormat("%s(): no form accepts %U; the forms are:", signatures[0]->name, call);
    Py_DECREF(call);
    for (int i = 0; message && i < nsignatures; i++) {
        if (isLeftOut(signatures[i], receiver))
            continue;
        THPProblem problem = {.kind = RAISED};
        bindForm(signatures[i], receiver, args, nargs, kwnames, values, false, &problem);
        PyObject *reason = describe(signatures[i], &problem, true);
        PyObject *form = describeForm(signatures[i], receiver != NULL);
        if (reason == NULL || form == NULL)
            Py_CLEAR(message);
        else
            append(&message,
                   PyUnicode_FromFormat("\n  %s%U\n      %U", signatures[i]->name, form, reason));
        Py_XDECREF(form);
        Py_XDECREF(reason);
    }
    if (message)
        PyErr_SetObject(PyExc_TypeError, message);
    Py_XDECREF(message);
    return -1;
}

int THP_bindOverload(const THPSignature *const *signatures, int nsignatures, PyObject *self,
                     PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames, PyObject **values)
{
    PyObject *const receiver = receiverOf(self);
    THPProblem problem;
    boundReceiver = receiver != NULL;
    for (int lenient = 0; lenient < 2; lenient++) {
        for (int i = 0; i < nsignatures; i++) {
            if (isLeftOut(signatures[i], receiver))
                continue;
            if (bindForm(signatures[i], receiver, args, nargs, kwnames, values, !lenient,
                         &problem) == 0)
                return tellBound(signatures[i], values) < 0 ? -1 : i;
            if (problem.kind == RAISED)
                return -1;
        }
    }
    return raiseNoForm(signatures, nsignatures, receiver, args, nargs, kwnames, values);
}
