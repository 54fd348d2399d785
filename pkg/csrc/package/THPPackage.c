/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The start of an op package's module: reaches thwrap's tensor type through the table in the
 * capsule thwrap._C._C_API, after checking that both were built for the same interfaces and run on
 * one libTH; last, makes the package known as thwrap.ops.<name>. */
#include "THPArguments.h"

const THPTable *THP_table;
const THPPackage *THP_package;

/* Operators are thwrap's own: the slots of a package are in no table. */
PyObject *THP_operate(binaryfunc slot, PyObject *left, PyObject *right)
{
    (void)slot;
    (void)left;
    (void)right;
    Py_RETURN_NOTIMPLEMENTED;
}

static int checkTable(const char *package, const THPTable *table)
{
    if (table->major != THP_TABLE_MAJOR || (int)table->minor < THP_TABLE_MINOR) {
        PyErr_Format(PyExc_ImportError,
                     "%s was built for interface %d.%d of thwrap, the installed thwrap has %u.%u: "
                     "%s",
                     package, THP_TABLE_MAJOR, THP_TABLE_MINOR, table->major, table->minor,
                     table->major > THP_TABLE_MAJOR
                         ? "build the package again (wrapgen build, or pip install it anew)"
                         : "update thwrap (pip install -U thwrap), or build the package again");
        return -1;
    }
    if (table->thAbi != TH_ABI_VERSION) {
        PyErr_Format(PyExc_ImportError,
                     "%s was built for version %d of libTH's structs, the installed thwrap has %d: "
                     "build the package again (wrapgen build, or pip install it anew)",
                     package, TH_ABI_VERSION, table->thAbi);
        return -1;
    }
    if (table->anchor != (const void *)&TH_abiVersion) {
        PyErr_Format(PyExc_ImportError,
                     "%s is linked with another copy of libTH than thwrap; import thwrap first, "
                     "and look for a stale libTH.so beside the package or in LD_LIBRARY_PATH",
                     package);
        return -1;
    }
    return 0;
}

/* Descriptors of the methods by name; none unless the package asks for them. A new reference. */
static PyObject *makeMethods(const THPPackage *package)
{
    PyObject *methods = PyDict_New();
    PyMethodDef *const *tables = package->flags & THP_METHODS ? package->methods : NULL;
    for (; methods && tables && *tables; tables++) {
        for (PyMethodDef *method = *tables; methods && method->ml_name; method++) {
            PyObject *descriptor = PyDescr_NewMethod(THP_table->tensorType, method);
            if (descriptor == NULL ||
                PyDict_SetItemString(methods, method->ml_name, descriptor) < 0)
                Py_CLEAR(methods);
            Py_XDECREF(descriptor);
        }
    }
    return methods;
}

/* Hands the module over to thwrap.ops, which attaches the methods too: all of it or nothing. */
static int registerPackage(PyObject *module, const THPPackage *package)
{
    PyObject *methods = makeMethods(package);
    PyObject *ops = methods ? PyImport_ImportModule("thwrap.ops") : NULL;
    PyObject *done = ops ? PyObject_CallMethod(ops, "_register", "sOzO", package->name, module,
                                               package->origin, methods)
                         : NULL;
    Py_XDECREF(methods);
    Py_XDECREF(ops);
    Py_XDECREF(done);
    return done ? 0 : -1;
}

int THP_packageExec(PyObject *module, const THPPackage *package)
{
    const THPTable *table = PyCapsule_Import("thwrap._C._C_API", 0);
    if (table == NULL || checkTable(package->name, table) < 0)
        return -1;
    THP_table = table;
    THP_package = package;
    for (PyMethodDef *const *tables = package->functions; tables && *tables; tables++)
        if (PyModule_AddFunctions(module, *tables) < 0)
            return -1;
    return registerPackage(module, package) < 0 ? -1 : THP_attachResultTypes(module, package);
}
