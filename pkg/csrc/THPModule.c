/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The start of thwrap._C: makes the types once, fills the table that op packages import, adds the
 * functions, and the settings that are too small for a file of their own. */
#include "THPInternal.h"

static THPTable table = {
    .major = THP_TABLE_MAJOR,
    .minor = THP_TABLE_MINOR,
    .size = sizeof(THPTable),
    .thAbi = TH_ABI_VERSION,
    .wrap = THPTensor_wrap,
    .dtypeCode = THPDtype_code,
    .dtypeObject = THPDtype_object,
    .generator = THPGenerator_get,
    .storage = THPStorage_get,
    .tensorOfArray = THPArray_tensor,
    .arrayOfTensor = THPArray_like,
};
const THPTable *THP_table = &table;
const THPPackage *THP_package;
const bool THP_takesArrays = false;

int THP_attachType(PyObject *module, PyTypeObject **type, PyType_Spec *spec, PyTypeObject *base)
{
    if (*type == NULL) {
        PyObject *bases = base ? PyTuple_Pack(1, base) : NULL;
        if (base && bases == NULL)
            return -1;
        *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, bases);
        Py_XDECREF(bases);
    }
    return *type ? PyModule_AddType(module, *type) : -1;
}

/* Adds the functions of a NULL-terminated list of tables to the module. */
static int attachFunctions(PyObject *module, PyMethodDef *const *tables)
{
    for (; tables && *tables; tables++)
        if (PyModule_AddFunctions(module, *tables) < 0)
            return -1;
    return 0;
}

PyObject **THP_layOut(PyObject *args, PyObject *kwargs, PyObject **names)
{
    const Py_ssize_t nargs = PyTuple_Size(args), nkeywords = kwargs ? PyDict_Size(kwargs) : 0;
    PyObject **values = PyMem_New(PyObject *, nargs + nkeywords + 1);
    PyObject *key, *value;
    Py_ssize_t at = 0;
    *names = values ? PyTuple_New(nkeywords) : NULL;
    if (*names == NULL) {
        PyMem_Free(values);
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < nargs; i++)
        values[i] = PyTuple_GetItem(args, i);
    for (Py_ssize_t k = 0; k < nkeywords && PyDict_Next(kwargs, &at, &key, &value); k++) {
        values[nargs + k] = value;
        PyTuple_SetItem(*names, k, Py_NewRef(key));
    }
    return values;
}

void THP_raiseKind(const char *argument, const char *expected, PyObject *value)
{
    PyObject *name = THP_typeName(value);
    if (name)
        PyErr_Format(PyExc_TypeError, "%s must be %s, not %U", argument, expected, name);
    Py_XDECREF(name);
}

int THP_readOnlyInt(const char *argument, PyObject *value, int64_t *result)
{
    const int status = THP_longOf(value, result);
    if (status == 0)
        THP_raiseKind(argument, "int", value);
    else if (status == THP_TOO_LARGE)
        PyErr_Format(PyExc_ValueError, "%s does not fit 64 bits", argument);
    return status == 1 ? 0 : -1;
}

/* The text of a str; NULL with an exception. */
static const char *readOnlyText(const char *argument, PyObject *value)
{
    if (PyUnicode_Check(value))
        return PyUnicode_AsUTF8AndSize(value, NULL);
    THP_raiseKind(argument, "str", value);
    return NULL;
}

static PyObject *setNumThreads(PyObject *module, PyObject *value)
{
    (void)module;
    int64_t threads;
    return THP_readOnlyInt("set_num_threads(): argument 'number'", value, &threads) < 0
               ? NULL
               : THP_resultNone(THThreads_set(threads));
}

static PyObject *setBlasLibrary(PyObject *module, PyObject *path)
{
    (void)module;
    const char *text = readOnlyText("_set_blas_library(): argument 'path'", path);
    return text == NULL ? NULL : THP_resultNone(THBlas_setLibrary(text));
}

static PyObject *blasLibrary(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    const char *path = THBlas_library();
    return path == NULL ? Py_NewRef(Py_None) : PyUnicode_DecodeFSDefault(path);
}

static PyObject *getNumThreads(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    return PyLong_FromLong(THThreads_get());
}

static PyObject *memoryStats(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    THMemoryStats stats;
    THMemory_stats(&stats);
    return Py_BuildValue(
        "{s:L,s:L,s:L,s:L,s:L,s:L,s:L}", "live_tensors", (long long)stats.liveTensors,
        "live_storages", (long long)stats.liveStorages, "live_blocks", (long long)stats.liveBlocks,
        "live_bytes", (long long)stats.liveBytes, "cached_bytes", (long long)stats.cachedBytes,
        "cache_limit", (long long)stats.cacheLimit, "allocations", (long long)stats.allocations);
}

static PyObject *emptyCache(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    THPTensor_emptyCache();
    THMemory_emptyCache();
    return Py_NewRef(Py_None);
}

static PyObject *setCacheLimit(PyObject *module, PyObject *value)
{
    (void)module;
    int64_t bytes;
    if (THP_readOnlyInt("set_cache_limit(): argument 'bytes'", value, &bytes) < 0)
        return NULL;
    if (bytes < 0)
        return PyErr_Format(PyExc_ValueError, "set_cache_limit: expected a number >= 0, got %lld",
                            (long long)bytes);
    THMemory_setCacheLimit(bytes);
    return Py_NewRef(Py_None);
}

static PyObject *getIsa(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    return PyUnicode_FromString(THIsa_name(THIsa_current));
}

static PyObject *setIsa(PyObject *module, PyObject *name)
{
    (void)module;
    const char *text = readOnlyText("_set_isa(): argument 'name'", name);
    return text == NULL ? NULL : THP_resultNone(THIsa_set(text));
}

static PyMethodDef settings[] = {
    {"_set_blas_library", setBlasLibrary, METH_O,
     "_set_blas_library($module, path, /)\n--\n\nNames the BLAS library to open; RuntimeError once "
     "one has been looked for."},
    {"_blas_library", blasLibrary, METH_NOARGS,
     "_blas_library($module, /)\n--\n\nThe path of the BLAS library in use, or None; opens it."},
    {"set_num_threads", setNumThreads, METH_O,
     "set_num_threads($module, number, /)\n--\n\nHow many threads large operations may use."},
    {"get_num_threads", getNumThreads, METH_NOARGS,
     "get_num_threads($module, /)\n--\n\nHow many threads large operations may use."},
    {"memory_stats", memoryStats, METH_NOARGS,
     "memory_stats($module, /)\n--\n\nObjects and bytes in use in the whole process, as a dict."},
    {"empty_cache", emptyCache, METH_NOARGS,
     "empty_cache($module, /)\n--\n\nGives memory kept for reuse back to the system."},
    {"set_cache_limit", setCacheLimit, METH_O,
     "set_cache_limit($module, bytes, /)\n--\n\nHow many bytes may be kept for reuse."},
    {"get_default_dtype", THPDtype_getDefault, METH_NOARGS,
     "get_default_dtype($module, /)\n--\n\nThe dtype of Python floats made into tensors."},
    {"set_default_dtype", THPDtype_setDefault, METH_O,
     "set_default_dtype($module, dtype, /)\n--\n\nSets the dtype of Python floats made into "
     "tensors."},
    {"_isa", getIsa, METH_NOARGS, "_isa($module, /)\n--\n\nName of the instruction set in use."},
    {"_set_isa", setIsa, METH_O,
     "_set_isa($module, name, /)\n--\n\nUses the loops for another instruction set."},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef *const functions[] = {
    settings,
    THPDtype_functions,
    THPCreate_functions,
    THPShare_functions,
    THPBuffer_functions,
    THPNumpy_functions,
    THPDlpack_functions,
    THPGenerator_functions,
    THPExplain_functions,
    NULL,
};

int THP_packageExec(PyObject *module, const THPPackage *package)
{
    if (TH_abiVersion != TH_ABI_VERSION) {
        PyErr_Format(
            PyExc_ImportError,
            "%s was built for version %d of libTH's structs, the libTH loaded has %d; look "
            "for a stale libTH.so",
            package->name, TH_ABI_VERSION, TH_abiVersion);
        return -1;
    }
    THP_package = package;
    if (THPDtype_attach(module) < 0 || THPSize_attach(module) < 0 ||
        THPTensor_attach(module, package) < 0 || THPStorage_attach(module) < 0)
        return -1;
    table.tensorType = THPTensor_type;
    table.anchor = &TH_abiVersion;
    if (THPGenerator_attach(module) < 0 || attachFunctions(module, functions) < 0 ||
        attachFunctions(module, package->functions) < 0 ||
        THP_attachResultTypes(module, package) < 0)
        return -1;
    PyObject *capsule = PyCapsule_New(&table, "thwrap._C._C_API", NULL);
    const int status = capsule ? PyModule_AddObjectRef(module, "_C_API", capsule) : -1;
    Py_XDECREF(capsule);
    return status;
}
