/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The binding runtime: what generated py_<chapter>.c files call to read Python arguments, wrap
 * results and raise errors.
 *
 * Compiled into thwrap._C and, what is in package/ only, into every op package; those reach the
 * tensor type through the table in the capsule thwrap._C._C_API. */
#ifndef THP_H
#define THP_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <TH/TH.h>

/* The tensor object. `meta` is reserved for gradients. */
typedef struct THPTensor {
    PyObject_HEAD THTensor *tensor;
    PyObject *weakrefs;
    void *meta;
} THPTensor;

/* What an op package gets from thwrap. Members are only ever added at the end (minor) or the major
 * number rises; see docs/abi.md. */
#define THP_TABLE_MAJOR 1
#define THP_TABLE_MINOR 1
typedef struct THPTable {
    uint32_t major, minor;
    size_t size;
    int thAbi;          /* TH_abiVersion of the libTH thwrap was built with */
    const void *anchor; /* &TH_abiVersion: the same libTH in both? */
    PyTypeObject *tensorType;
    PyObject *(*wrap)(THTensor *tensor); /* steals the reference; NULL with an exception */
    int (*dtypeCode)(PyObject *object);  /* THDtype of a dtype object, or -1 without an exception */
    PyObject *(*dtypeObject)(int code);  /* new reference to the dtype object */
    THGenerator *(*generator)(
        PyObject *object);                   /* of a Generator object, NULL without an exception */
    THStorage *(*storage)(PyObject *object); /* of a Storage object, NULL without an exception */
    /* Minor 1. A new Tensor object over the memory of an object with the buffer protocol or
     * __dlpack__; a copy where no tensor has its layout, unless it is to be written. */
    PyObject *(*tensorOfArray)(PyObject *array, bool written);
    /* The Tensor object's elements, not copied, as the kind of array that `like` is; where there is
     * no such kind, the Tensor object again. A new reference. */
    PyObject *(*arrayOfTensor)(PyObject *tensor, PyObject *like);
} THPTable;
extern const THPTable
    *THP_table; /* defined by THPModule.c (thwrap) or THPPackage.c (op packages) */

static inline int THP_isTensor(PyObject *object)
{
    return Py_TYPE(object) == THP_table->tensorType ||
           PyType_IsSubtype(Py_TYPE(object), THP_table->tensorType);
}
static inline THTensor *THP_unwrap(PyObject *tensor)
{
    return ((THPTensor *)tensor)->tensor;
}

/* Is the tensor over memory that is not to be written? */
static inline bool THP_isReadOnly(const THTensor *tensor)
{
    return tensor->storage != NULL && tensor->storage->flag & TH_STORAGE_READONLY;
}

/* Signatures: one for each overload, emitted as constants. */
typedef enum THPKind {
    THP_TENSOR,      /* Tensor */
    THP_OPERAND,     /* Tensor or number */
    THP_TENSOR_LIST, /* sequence of Tensors */
    THP_SCALAR,      /* number: THScalar */
    THP_LONG,        /* int (or anything with __index__), not bool */
    THP_DOUBLE,      /* float or int */
    THP_BOOL,        /* bool */
    THP_TRUE,        /* True: the form is for no other */
    THP_FALSE,       /* False, likewise */
    THP_SIZE,        /* sequence of ints (or one int): sizes, strides, dims */
    THP_DTYPE,       /* dtype */
    THP_STRING,      /* str */
    THP_GENERATOR,   /* Generator */
    THP_STORAGE,     /* Storage */
    THP_OUT,         /* Tensor, or tuple of Tensors for several outputs */
} THPKind;

enum {
    THP_OPTIONAL = 1, /* may be absent */
    THP_KEYWORD_ONLY = 2,
    THP_NULLABLE = 4, /* None is the same as absent */
    THP_VARARGS = 8,  /* THP_SIZE that may also be given as separate positional ints: view(2, 3) */
    THP_WRITTEN = 16, /* the tensor that an in-place form writes */
};

typedef struct THPParam {
    const char *name;  /* as in messages, and the first keyword accepted */
    const char *alias; /* a second keyword (axis for dim, self for input), or NULL */
    uint8_t kind;
    uint8_t flags;
    uint8_t noutputs; /* THP_OUT: how many */
} THPParam;

#define THP_MAX_PARAMS 24
typedef struct THPSignature {
    const char *name; /* of the function: "add" */
    const char *text; /* "(Tensor input, Tensor other, *, Number alpha=1, Tensor out=None)" */
    const THPParam *params;
    int nparams;
    int npositional; /* the first so many may be positional */
    int self;        /* index of the parameter a method's receiver fills, or -1 */
} THPSignature;

/* Sorts the arguments of a METH_FASTCALL|METH_KEYWORDS call into values[nparams]: borrowed
 * references, NULL for absent ones and None given to nullable ones. `self` is a method's receiver,
 * or for functions their module or NULL. 0, or -1 with a TypeError that names function and
 * argument. Does not look at types. */
int THP_bind(const THPSignature *signature, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
             PyObject *kwnames, PyObject **values);
/* The same for several forms: the first that fits in count, keywords and kinds; its index, or -1
 * with a TypeError that lists the forms and what did not match in each. Errors inside the chosen
 * form are the readers'. */
int THP_bindOverload(const THPSignature *const *signatures, int nsignatures, PyObject *self,
                     PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames, PyObject **values);

/* Readers: 0 or a borrowed pointer; -1 or NULL with a TypeError "add(): argument 'other' (position
 * 2) must be Tensor or number, not str". */
THTensor *THP_readTensor(const THPSignature *signature, int param, PyObject *value);
THTensor *THP_readOperand(const THPSignature *signature, int param, PyObject *value,
                          THScalarTensor *box);
int THP_readScalar(const THPSignature *signature, int param, PyObject *value, THScalar *result);
int THP_readLong(const THPSignature *signature, int param, PyObject *value, int64_t *result);
int THP_readDouble(const THPSignature *signature, int param, PyObject *value, double *result);
int THP_readBool(const THPSignature *signature, int param, PyObject *value, bool *result);
int THP_readDtype(const THPSignature *signature, int param, PyObject *value, int *result);
int THP_readString(const THPSignature *signature, int param, PyObject *value, const char **result);
int THP_readGenerator(const THPSignature *signature, int param, PyObject *value,
                      THGenerator **result);
int THP_readStorage(const THPSignature *signature, int param, PyObject *value, THStorage **result);

typedef struct THPSize {
    int n;
    int64_t size[TH_MAX_DIMS];
} THPSize;
int THP_readSize(const THPSignature *signature, int param, PyObject *value, THPSize *result);

/* The list's tensors; `keep` is a new reference that keeps them alive. Released by
 * THP_freeTensorList; not to be copied. */
#define THP_FEW_TENSORS 8
typedef struct THPTensorList {
    int n;
    THTensor **tensors;
    PyObject *keep;
    THTensor *few[THP_FEW_TENSORS]; /* where no more are given, `tensors` is this */
} THPTensorList;
int THP_readTensorList(const THPSignature *signature, int param, PyObject *value,
                       THPTensorList *result);
void THP_freeTensorList(THPTensorList *list);

/* out=: fills outs[n]. */
int THP_readOut(const THPSignature *signature, int param, PyObject *value, THTensor **outs, int n);

/* Op packages take arrays (the buffer protocol, __dlpack__) where thwrap._C takes Tensors only. */
extern const bool THP_takesArrays;
/* What the readers take at once: nothing, or a Tensor that is no subclass's. */
static inline bool THP_isPlain(PyObject *value)
{
    return value == NULL || Py_TYPE(value) == THP_table->tensorType;
}
static inline bool THP_isPlainOperand(PyObject *value)
{
    return THP_isPlain(value) || Py_TYPE(value) == &PyFloat_Type || Py_TYPE(value) == &PyLong_Type;
}
/* In op packages, for arguments that are not all plain: runs an op with Tensors over the arrays'
 * memory in place of the arrays. What it writes into is returned itself; with THP_RESULTS_LIKE
 * other results are arrays of the first array's kind, unless an input is a Tensor. */
PyObject *THP_runForeign(const THPSignature *signature, PyObject *(*run)(PyObject *const *objects),
                         PyObject **objects);

/* Around a call of TH_<op>: the hooks that release the GIL for long work. */
extern const THWorkHooks THP_workHooks;
#define THP_ENTER() (THWork_hooks = &THP_workHooks)
#define THP_LEAVE() (THWork_hooks = NULL)

/* Raises the exception for the status from TH's message; returns NULL. */
PyObject *THP_raise(int status);
/* A pending TH warning becomes a UserWarning; -1 when warnings are errors. */
int THP_showWarning(void);

typedef struct THPPackage THPPackage;

/* Results. Each takes the status of the TH_<op> call, raises or shows the warning, and returns a
 * new reference. `given` is the out= object (NULL or None: none) or, in place, the receiver: it is
 * returned itself. */
PyObject *THP_result(int status, THTensor *tensor, PyObject *given);
/* `tensor` was made of `self`, or is its tensor again: then self is returned. */
PyObject *THP_resultOf(int status, THTensor *tensor, PyObject *self);
typedef struct THPResultType {
    const char *name;      /* "thwrap.return_types.max" */
    const char *fields[8]; /* names, NULL after the last */
    PyTypeObject *type;    /* made at first use */
} THPResultType;
/* Adds the module `return_types`, where pickling and users find the types; 0, or -1 with an
 * exception. */
int THP_attachResultTypes(PyObject *module, const THPPackage *package);
PyObject *THP_resultTuple(int status, THPResultType *type, int n, THTensor **tensors,
                          PyObject *given);
/* A tuple of the array's tensors, which are taken over. */
PyObject *THP_resultArray(int status, THTensorArray array);
PyObject *THP_resultBool(int status, bool value);
PyObject *THP_resultLong(int status, int64_t value);
PyObject *THP_resultDouble(int status, double value);
PyObject *THP_resultScalar(int status, THScalar value);
PyObject *THP_resultNone(int status);

/* For number slots: is this something an operator works on (Tensor or number)? Otherwise
 * NotImplemented is returned. */
int THP_isOddOperand(PyObject *object);
static inline int THP_isOperand(PyObject *object)
{
    return THP_isPlainOperand(object) || THP_isOddOperand(object);
}
/* The slot on tensors over the memory of NumPy's arrays in place of these; NotImplemented where an
 * operand is neither that nor an operand. */
PyObject *THP_operate(binaryfunc slot, PyObject *left, PyObject *right);

/* The same for temporaries of an expression. An operand that has one reference is perhaps one; of
 * fewer bytes than these, asking costs what it saves. THP_runSpending (THPTemporary.c) asks, and
 * flags those that are TH_TENSOR_SPENT while the operator runs; `right` may be NULL. */
#define THP_SPENT_BYTES (256 << 10)
static inline bool THP_maySpend(PyObject *operand)
{
    if (Py_REFCNT(operand) != 1 || Py_TYPE(operand) != THP_table->tensorType)
        return false;
    const THStorage *storage = THP_unwrap(operand)->storage;
    return storage != NULL && storage->size >= THP_SPENT_BYTES && storage->refcount == 1;
}
PyObject *THP_runSpending(PyObject *(*run)(PyObject *const *objects), PyObject *const *objects,
                          PyObject *left, PyObject *right);

enum {
    THP_RESULTS_LIKE = 1, /* results are the kind of array that came in */
    THP_METHODS = 2,      /* the ops become methods of Tensor */
};

/* What the generated module file hands to the runtime when the module is created. Tables end with a
 * zero entry. */
struct THPPackage {
    const char *name;              /* "thwrap._C" */
    PyMethodDef *const *functions; /* NULL-terminated list of tables, one for each chapter */
    PyMethodDef *const *methods;
    THPResultType *const *const *resultTypes; /* the same; each ends with NULL */
    const PyType_Slot *slots; /* number, comparison slots of the tensor type; NULL in op packages */
    const char *origin;       /* where the declarations are, or NULL: where the module's file is */
    unsigned flags;
};
/* Py_mod_exec of the module. Defined by THPModule.c (makes the tensor type) and THPPackage.c
 * (imports the table, registers the package with thwrap.ops). */
int THP_packageExec(PyObject *module, const THPPackage *package);
/* Py_mod_create: refuses sub-interpreters, then calls cffi's init. */
PyObject *THP_packageCreate(PyObject *(*cffiInit)(void));

#endif
