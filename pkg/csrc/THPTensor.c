/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tensor type: life and death of its objects, and the type itself, put together from the
 * hand-written slots, the generated ones and one table of all methods.
 *
 * The type takes no part in garbage collection: it owns no Python object that could lead back to
 * it, and Python gives every subclass what it needs. It stays mutable, since what is written in
 * Python (printing, pickling, conversion) is attached to it by name. */
#include "THPInternal.h"
#include <stddef.h>
#include <structmember.h>

PyTypeObject *THPTensor_type;

/* Dead objects of the type itself, kept for the next ones, under the GIL; each keeps its reference
 * to the type. Python's allocator takes longer than all else that is done for an object. */
#define SPARES 64
#ifdef __SANITIZE_ADDRESS__
#define SPARES_KEPT 0 /* who uses a dead object is to be seen */
#else
#define SPARES_KEPT SPARES
#endif
static THPTensor *spares[SPARES];
static int nspares;

static PyObject *fill(THPTensor *self, THTensor *tensor)
{
    if (TH_UNLIKELY(self == NULL)) {
        THTensor_free(tensor);
        return NULL;
    }
    self->tensor = tensor;
    tensor->flag |= TH_TENSOR_SHARED;
    self->weakrefs = NULL;
    self->meta = NULL;
    return (PyObject *)self;
}

PyObject *THPTensor_wrap(THTensor *tensor)
{
    if (TH_UNLIKELY(nspares == 0))
        return fill(PyObject_New(THPTensor, THPTensor_type), tensor);
    THPTensor *self = spares[--nspares];
    Py_SET_REFCNT((PyObject *)self, 1);
    return fill(self, tensor);
}

PyObject *THPTensor_wrapAs(PyTypeObject *type, THTensor *tensor)
{
    if (type == THPTensor_type)
        return THPTensor_wrap(tensor);
    const allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return fill((THPTensor *)alloc(type, 0), tensor);
}

static void tensorDealloc(PyObject *object)
{
    THPTensor *self = (THPTensor *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (self->weakrefs)
        PyObject_ClearWeakRefs(object);
    THTensor_free(self->tensor);
    if (TH_LIKELY(type == THPTensor_type && nspares < SPARES_KEPT)) {
        spares[nspares++] = self;
        return;
    }
    if (type == THPTensor_type)
        PyObject_Free(object);
    else
        ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

void THPTensor_emptyCache(void)
{
    while (nspares > 0) {
        PyObject_Free(spares[--nspares]);
        Py_DECREF(THPTensor_type);
    }
}

/* Subclass(tensor): an object of the subclass over the same memory. */
static PyObject *tensorNew(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    if (type == THPTensor_type) {
        PyErr_SetString(PyExc_TypeError, "use thwrap.tensor(...) to make a tensor");
        return NULL;
    }
    PyObject *source = PyTuple_Size(args) == 1 ? PyTuple_GetItem(args, 0) : NULL;
    if (source == NULL || !THP_isTensor(source) || (kwargs && PyDict_Size(kwargs) > 0)) {
        PyErr_SetString(PyExc_TypeError, "a subclass of thwrap.Tensor is made from one Tensor");
        return NULL;
    }
    THTensor *alias;
    const int status = THTensor_newAlias(&alias, THP_unwrap(source));
    return status == TH_OK ? THPTensor_wrapAs(type, alias) : THP_raise(status);
}

static Py_hash_t tensorHash(PyObject *self)
{
    const Py_hash_t hash = (Py_hash_t)((uintptr_t)self >> 4);
    return hash == -1 ? -2 : hash;
}

static PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(THPTensor, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static const PyType_Slot ownSlots[] = {
    {Py_tp_doc, "An array of numbers of one dtype. Made by thwrap.tensor and its like."},
    {Py_tp_new, tensorNew},
    {Py_tp_dealloc, tensorDealloc},
    {Py_tp_hash, tensorHash},
    {Py_tp_members, members},
    {Py_tp_getset, THPTensor_attributes},
    {Py_tp_iter, THPTensor_iterate},
    {Py_nb_bool, THPTensor_truth},
    {Py_nb_int, THPTensor_asInt},
    {Py_nb_float, THPTensor_asFloat},
    {Py_nb_index, THPTensor_asIndex},
    {Py_mp_length, THPTensor_length},
    {Py_mp_subscript, THPTensor_subscript},
    {Py_mp_ass_subscript, THPTensor_assign},
    {Py_sq_length, THPTensor_length},
    {Py_sq_item, THPTensor_row},
    {Py_bf_getbuffer, THPTensor_getBuffer},
    {Py_bf_releasebuffer, THPTensor_releaseBuffer},
};
enum { OWN_SLOTS = sizeof ownSlots / sizeof ownSlots[0] };

PyMethodDef *const THPTensor_ownMethods[] = {
    THPTensor_plainMethods,
    THPTensor_itemMethods,
    THPTensor_dlpackMethods,
    THPTensor_numpyMethods,
    NULL,
};

static size_t copyMethods(PyMethodDef *to, PyMethodDef *const *tables)
{
    size_t n = 0;
    for (; tables && *tables; tables++)
        for (const PyMethodDef *method = *tables; method->ml_name; method++, n++)
            if (to)
                to[n] = *method;
    return n;
}

/* One table of all methods, hand-written ones first; it lives as long as the type. */
static PyMethodDef *joinMethods(const THPPackage *package)
{
    const size_t own = copyMethods(NULL, THPTensor_ownMethods),
                 n = copyMethods(NULL, package->methods);
    PyMethodDef *joined = PyMem_New(PyMethodDef, own + n + 1);
    if (joined == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    copyMethods(joined, THPTensor_ownMethods);
    copyMethods(joined + own, package->methods);
    joined[own + n] = (PyMethodDef){NULL, NULL, 0, NULL};
    return joined;
}

static PyType_Slot *joinSlots(const THPPackage *package, PyMethodDef *methods)
{
    size_t n = 0;
    while (package->slots && package->slots[n].slot)
        n++;
    PyType_Slot *joined = PyMem_New(PyType_Slot, OWN_SLOTS + n + 2);
    if (joined == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (size_t i = 0; i < OWN_SLOTS; i++)
        joined[i] = ownSlots[i];
    joined[OWN_SLOTS] = (PyType_Slot){Py_tp_methods, methods};
    for (size_t i = 0; i < n; i++)
        joined[OWN_SLOTS + 1 + i] = package->slots[i];
    joined[OWN_SLOTS + 1 + n] = (PyType_Slot){0, NULL};
    return joined;
}

static int makeType(PyObject *module, const THPPackage *package)
{
    PyMethodDef *methods = joinMethods(package);
    PyType_Slot *slots = methods ? joinSlots(package, methods) : NULL;
    if (slots) {
        PyType_Spec spec = {"thwrap.Tensor", sizeof(THPTensor), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
        THPTensor_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    }
    PyMem_Free(slots);
    if (THPTensor_type == NULL)
        PyMem_Free(methods);
    return THPTensor_type ? 0 : -1;
}

int THPTensor_attach(PyObject *module, const THPPackage *package)
{
    if (THPTensor_type == NULL && makeType(module, package) < 0)
        return -1;
    return PyModule_AddType(module, THPTensor_type);
}
