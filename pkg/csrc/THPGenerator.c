/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Generators of random numbers, and the functions of the default one. */
#include "THPInternal.h"

typedef struct THPGenerator {
    PyObject_HEAD THGenerator *generator;
} THPGenerator;

static PyTypeObject *generatorType;
static PyObject *defaultObject;

THGenerator *THPGenerator_get(PyObject *object)
{
    return Py_IS_TYPE(object, generatorType) ? ((THPGenerator *)object)->generator : NULL;
}

/* Takes over the reference. */
static PyObject *wrap(THGenerator *generator)
{
    THPGenerator *self = PyObject_New(THPGenerator, generatorType);
    if (self == NULL) {
        THGenerator_free(generator);
        return NULL;
    }
    self->generator = generator;
    return (PyObject *)self;
}

static PyObject *generatorNew(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)type;
    if (PyTuple_Size(args) > 0 || (kwargs && PyDict_Size(kwargs) > 0)) {
        PyErr_SetString(PyExc_TypeError, "Generator() takes no arguments");
        return NULL;
    }
    THGenerator *generator;
    const int status = THGenerator_new(&generator);
    return status == TH_OK ? wrap(generator) : THP_raise(status);
}

static void generatorDealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    THGenerator_free(((THPGenerator *)self)->generator);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* Draws may go on in a thread that has left the GIL, so the lock is waited for without the GIL; and
 * nobody takes the GIL while holding the lock, or two threads could wait for each other. */
#define LOCKED(generator, statement)                      \
    do {                                                  \
        PyThreadState *interpreter = PyEval_SaveThread(); \
        THGenerator_lock(generator);                      \
        statement;                                        \
        THGenerator_unlock(generator);                    \
        PyEval_RestoreThread(interpreter);                \
    } while (0)

/* Any int: its low 64 bits. */
static int readSeed(PyObject *object, uint64_t *seed)
{
    const bool isInt = PyIndex_Check(object) && !PyBool_Check(object);
    if (!isInt)
        THP_raiseKind("manual_seed(): argument 'seed'", "int", object);
    PyObject *number = isInt ? PyNumber_Index(object) : NULL;
    if (number == NULL)
        return -1;
    *seed = PyLong_AsUnsignedLongLongMask(number);
    Py_DECREF(number);
    return *seed == (uint64_t)-1 && PyErr_Occurred() ? -1 : 0;
}

static PyObject *generatorManualSeed(PyObject *self, PyObject *number)
{
    THGenerator *generator = THPGenerator_get(self);
    uint64_t seed;
    if (readSeed(number, &seed) < 0)
        return NULL;
    LOCKED(generator, THGenerator_manualSeed(generator, seed));
    return Py_NewRef(self);
}

static PyObject *generatorSeed(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    THGenerator *generator = THPGenerator_get(self);
    uint64_t seed;
    int status;
    LOCKED(generator, status = THGenerator_seed(generator, &seed));
    return status == TH_OK ? PyLong_FromUnsignedLongLong(seed) : THP_raise(status);
}

static PyObject *generatorInitialSeed(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return PyLong_FromUnsignedLongLong(THGenerator_initialSeed(THPGenerator_get(self)));
}

static PyObject *generatorGetState(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    THGenerator *generator = THPGenerator_get(self);
    const int64_t size = THGenerator_stateSize();
    THTensor *state;
    const int status = THTensor_newWithSize(&state, TH_BYTE, 1, &size);
    if (status != TH_OK)
        return THP_raise(status);
    LOCKED(generator, THGenerator_getState(generator, THTensor_data(state)));
    return THPTensor_wrap(state);
}

static PyObject *generatorSetState(PyObject *self, PyObject *object)
{
    THGenerator *generator = THPGenerator_get(self);
    if (!THP_isTensor(object)) {
        THP_raiseKind("set_state(): argument 'state'", "Tensor", object);
        return NULL;
    }
    if (THP_unwrap(object)->dtype != TH_BYTE)
        return PyErr_Format(PyExc_TypeError, "set_state(): expected a state of dtype uint8, got %s",
                            THDtype_name((THDtype)THP_unwrap(object)->dtype));
    THTensor *state; /* a copy: others may change the tensor while the lock is waited for */
    int status = THTensor_newClone(&state, THP_unwrap(object));
    if (status != TH_OK)
        return THP_raise(status);
    LOCKED(generator, status = THGenerator_setState(generator, THTensor_data(state),
                                                    THTensor_nElement(state)));
    THTensor_free(state);
    return THP_resultNone(status);
}

static PyMethodDef methods[] = {
    {"manual_seed", generatorManualSeed, METH_O,
     "manual_seed($self, seed, /)\n--\n\nSets the seed; returns the generator."},
    {"seed", generatorSeed, METH_NOARGS,
     "seed($self, /)\n--\n\nSets a seed from the system and returns it."},
    {"initial_seed", generatorInitialSeed, METH_NOARGS,
     "initial_seed($self, /)\n--\n\nThe seed set last."},
    {"get_state", generatorGetState, METH_NOARGS,
     "get_state($self, /)\n--\n\nThe state as a tensor of bytes."},
    {"set_state", generatorSetState, METH_O,
     "set_state($self, state, /)\n--\n\nSets a state that get_state gave."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Generator()\n--\n\nA source of random numbers with a state of its own."},
    {Py_tp_new, generatorNew},
    {Py_tp_dealloc, generatorDealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

static PyType_Spec spec = {"thwrap.Generator", sizeof(THPGenerator), 0, Py_TPFLAGS_DEFAULT, slots};

int THPGenerator_attach(PyObject *module)
{
    if (THP_attachType(module, &generatorType, &spec, NULL) < 0)
        return -1;
    if (defaultObject == NULL) {
        THGenerator *generator = THGenerator_default();
        THGenerator_retain(generator);
        defaultObject = wrap(generator);
    }
    return defaultObject ? PyModule_AddObjectRef(module, "default_generator", defaultObject) : -1;
}

static PyObject *manualSeed(PyObject *module, PyObject *seed)
{
    (void)module;
    return generatorManualSeed(defaultObject, seed);
}

static PyObject *seedDefault(PyObject *module, PyObject *ignored)
{
    (void)module;
    return generatorSeed(defaultObject, ignored);
}

static PyObject *initialSeed(PyObject *module, PyObject *ignored)
{
    (void)module;
    return generatorInitialSeed(defaultObject, ignored);
}

static PyObject *getState(PyObject *module, PyObject *ignored)
{
    (void)module;
    return generatorGetState(defaultObject, ignored);
}

static PyObject *setState(PyObject *module, PyObject *state)
{
    (void)module;
    return generatorSetState(defaultObject, state);
}

PyMethodDef THPGenerator_functions[] = {
    {"manual_seed", manualSeed, METH_O,
     "manual_seed($module, seed, /)\n--\n\nSeeds the default generator and returns it."},
    {"seed", seedDefault, METH_NOARGS,
     "seed($module, /)\n--\n\nSeeds the default generator from the system; returns the seed."},
    {"initial_seed", initialSeed, METH_NOARGS,
     "initial_seed($module, /)\n--\n\nThe seed of the default generator."},
    {"get_rng_state", getState, METH_NOARGS,
     "get_rng_state($module, /)\n--\n\nThe default generator's state as a tensor of bytes."},
    {"set_rng_state", setState, METH_O,
     "set_rng_state($module, state, /)\n--\n\nSets the default generator's state."},
    {NULL, NULL, 0, NULL},
};
