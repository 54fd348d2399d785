/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the hand-written files of thwrap._C share; op packages see THP.h alone. Types are made once
 * and kept in statics: there is one interpreter, and a second import must find the same types. */
#ifndef THP_INTERNAL_H
#define THP_INTERNAL_H

#include "THP.h"
#include "THPArguments.h"

/* A METH_FASTCALL function as PyMethodDef wants it. */
#define THP_METHOD(function) ((PyCFunction)(void (*)(void))(function))

/* Lays out a tuple and a dict (or NULL) of arguments as METH_FASTCALL has them, the values
 * borrowed; to be freed by PyMem_Free, and *names, a tuple even where there are none, is a new
 * reference. NULL with an exception. */
PyObject **THP_layOut(PyObject *args, PyObject *kwargs, PyObject **names);
/* TypeError "manual_seed(): argument 'seed' must be int, not str". */
void THP_raiseKind(const char *argument, const char *expected, PyObject *value);
/* An int given as the only argument; -1 with an exception that begins with `argument`. */
int THP_readOnlyInt(const char *argument, PyObject *value, int64_t *result);
/* Makes a type at first use and adds it to the module. */
int THP_attachType(PyObject *module, PyTypeObject **type, PyType_Spec *spec, PyTypeObject *base);

/* THPDtype.c */
int THPDtype_attach(PyObject *module);
int THPDtype_code(PyObject *object);
bool THPDtype_isFloating(int code);
bool THPDtype_isSigned(int code); /* are there negative values? */
PyObject *THPDtype_object(int code);
PyObject *THPDtype_getDefault(PyObject *module, PyObject *ignored);
PyObject *THPDtype_setDefault(PyObject *module, PyObject *dtype);
extern PyMethodDef THPDtype_functions[];

/* THPTensor.c */
extern PyTypeObject *THPTensor_type;
extern PyMethodDef *const THPTensor_ownMethods[]; /* the tables of those written by hand */
int THPTensor_attach(PyObject *module, const THPPackage *package);
PyObject *THPTensor_wrap(THTensor *tensor);
PyObject *THPTensor_wrapAs(PyTypeObject *type, THTensor *tensor);
/* Gives Python the memory of dead objects back. */
void THPTensor_emptyCache(void);
/* The same after a TH call: raises unless status is TH_OK. */
static inline PyObject *THPTensor_finish(int status, THTensor *tensor)
{
    return TH_LIKELY(status == TH_OK) ? THPTensor_wrap(tensor) : THP_raise(status);
}

/* THPAttributes.c */
extern PyGetSetDef THPTensor_attributes[];
extern PyMethodDef THPTensor_plainMethods[];
int THPSize_attach(PyObject *module);
/* A plain tuple of n ints. */
PyObject *THPSize_ints(int n, const int64_t *values);

/* THPItem.c */
extern PyMethodDef THPTensor_itemMethods[];
PyObject *THPItem_list(const THTensor *tensor);
int THPTensor_truth(PyObject *self);
PyObject *THPTensor_asInt(PyObject *self);
PyObject *THPTensor_asFloat(PyObject *self);
PyObject *THPTensor_asIndex(PyObject *self);

/* THPIndex.c */
Py_ssize_t THPTensor_length(PyObject *self);
PyObject *THPTensor_row(PyObject *self, Py_ssize_t index);
PyObject *THPTensor_iterate(PyObject *self);
PyObject *THPTensor_subscript(PyObject *self, PyObject *key);

/* THPAssign.c */
int THPTensor_assign(PyObject *self, PyObject *key, PyObject *value);
/* Writes a number, tensor or sequence into all of `tensor`. */
int THPTensor_store(THTensor *tensor, PyObject *value);

/* THPBuffer.c */
int THPTensor_getBuffer(PyObject *self, Py_buffer *buffer, int flags);
void THPTensor_releaseBuffer(PyObject *self, Py_buffer *buffer);
/* The format of its elements: bytes where the exporter gives none. */
const char *THPBuffer_format(const Py_buffer *buffer);
/* Dtype of a buffer's elements, or -1 without an exception; are their bytes in the other order than
 * this machine's? */
int THPBuffer_element(const Py_buffer *buffer, bool *isSwapped);
/* PyObject_GetBuffer for any layout, with checks of what exporters say of it: ctypes resizes arrays
 * and keeps their shape. */
int THPBuffer_take(PyObject *exporter, Py_buffer *buffer);
/* Releases what a storage held of Python's, from whatever thread frees the storage, without
 * touching an exception that is set. At shutdown there is nobody to give it back to. */
void THP_giveBack(void (*release)(void *held), void *held);
/* Deleter of storages over a buffer, whose Py_buffer is the context and of PyMem_Malloc. */
void THPBuffer_release(void *holder, void *data);
/* Sizes and strides (in elements) of a buffer, and the bytes from the first element to the end of
 * the last. Why it can be no tensor's, in words, or NULL. */
const char *THPBuffer_layout(const Py_buffer *buffer, THPSize *size, int64_t *stride,
                             int64_t *bytes);
/* A copy of what an exporter holds; NULL with an exception. */
THTensor *THPBuffer_copy(PyObject *exporter);
/* A Tensor object over its memory, which may be written; of another dtype than its own unless that
 * is -1. */
PyObject *THPBuffer_tensor(PyObject *exporter, int dtype);
extern PyMethodDef THPBuffer_functions[];

/* THPCreate.c: nested sequences, arrays, numbers, tensors; dtype -1 is inferred. NULL with an
 * exception. */
THTensor *THPCreate_tensor(PyObject *data, int dtype);
/* Binds a call whose second parameter is the dtype, and reads that: -1 where it is not given. */
int THPCreate_read(const THPSignature *signature, PyObject *const *args, Py_ssize_t nargs,
                   PyObject *kwnames, PyObject **values, int *dtype);
extern PyMethodDef THPCreate_functions[];

/* THPShare.c: a Tensor object with the elements of an object, over its memory where that is
 * possible. */
PyObject *THPShare_tensor(PyObject *data);
extern PyMethodDef THPShare_functions[];

/* THPArray.c: what the table offers of arrays to op packages. */
PyObject *THPArray_tensor(PyObject *array, bool written);
PyObject *THPArray_like(PyObject *tensor, PyObject *like);
/* THPNumpy.c: is it an array of NumPy's? An array or a scalar? */
bool THPNumpy_isArray(PyObject *object);
bool THPNumpy_check(PyObject *object);
/* A member of NumPy; NULL with an exception. */
PyObject *THPNumpy_get(const char *name);
/* Calls a function of thwrap/_numpy.py, the arguments after the first as METH_FASTCALL has them. */
PyObject *THPNumpy_inPython(const char *function, PyObject *first, PyObject *const *args,
                            Py_ssize_t nargs, PyObject *kwnames);
/* A tensor over the memory of a NumPy array, of a read-only one only where that is asked for. NULL,
 * without an exception unless memory is short, where that takes more than looking at its fields. */
PyObject *THPNumpy_tensor(PyObject *array, bool readOnly);
/* Elements that are one run in memory. */
typedef struct THPRun {
    int dtype;
    THPSize size;
    const void *data;
} THPRun;
/* Those of a contiguous array; false without an exception for all else. */
bool THPNumpy_run(PyObject *array, THPRun *run);
/* A copy of a contiguous array; NULL without an exception for all else. */
THTensor *THPNumpy_copy(PyObject *array);
/* A NumPy array over the memory of a tensor that nobody else has, a scalar for a 0-d tensor. */
PyObject *THPNumpy_array(PyObject *tensor);
/* A NumPy array over the tensor's memory, which stays where it is meanwhile. */
PyObject *THPNumpy_over(PyObject *tensor);
extern PyMethodDef THPNumpy_functions[];
extern PyMethodDef THPTensor_numpyMethods[];

/* THPUfunc.c */
PyObject *THPUfunc_apply(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                         PyObject *kwnames);

/* THPDlpack.c */
typedef enum THPDlpackUse {
    THP_DLPACK_READ,  /* read only, for a call */
    THP_DLPACK_WRITE, /* written, for a call */
    THP_DLPACK_OWN,   /* a tensor for the user, who may write it */
} THPDlpackUse;
/* A tensor over the memory of an object with __dlpack__; messages begin with `where`. */
PyObject *THPDlpack_tensor(PyObject *object, const char *where, THPDlpackUse use);
extern PyMethodDef THPTensor_dlpackMethods[];
extern PyMethodDef THPDlpack_functions[];

/* THPStorage.c */
int THPStorage_attach(PyObject *module);
THStorage *THPStorage_get(PyObject *object);
/* Takes over the reference. */
PyObject *THPStorage_wrap(THStorage *storage, THDtype dtype);

/* THPExplain.c */
extern PyMethodDef THPExplain_functions[];

/* THPGenerator.c */
int THPGenerator_attach(PyObject *module);
THGenerator *THPGenerator_get(PyObject *object);
extern PyMethodDef THPGenerator_functions[];

#endif
