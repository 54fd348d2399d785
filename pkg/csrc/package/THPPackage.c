/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The start of an op package's module: reaches thwrap's tensor type through the table in the
 * capsule thwrap._C._C_API, after checking that both were built for the same interfaces and run on
 * one libTH. */
#include "THP.h"

const THPTable *THP_table;

static int checkTable(const char *package, const THPTable *table)
{
    if (table->major != THP_TABLE_MAJOR || (int)table->minor < THP_TABLE_MINOR) {
        PyErr_Format(PyExc_ImportError,
                     "%s was built for interface %d.%d of thwrap, the installed thwrap has %u.%u: "
                     "%s",
                     package, THP_TABLE_MAJOR, THP_TABLE_MINOR, table->major, table->minor,
                     table->major > THP_TABLE_MAJOR ? "rebuild the package" : "update thwrap");
        return -1;
    }
    if (table->thAbi != TH_ABI_VERSION) {
        PyErr_Format(PyExc_ImportError,
                     "%s was built for version %d of libTH's structs, the installed thwrap has %d: "
                     "rebuild the package",
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

static int attachMethods(PyMethodDef *const *tables)
{
    for (; tables && *tables; tables++) {
        for (PyMethodDef *method = *tables; method->ml_name; method++) {
            PyObject *descriptor = PyDescr_NewMethod(THP_table->tensorType, method);
            if (descriptor == NULL)
                return -1;
            const int status = PyObject_SetAttrString((PyObject *)THP_table->tensorType,
                                                      method->ml_name, descriptor);
            Py_DECREF(descriptor);
            if (status < 0)
                return -1;
        }
    }
    return 0;
}

int THP_packageExec(PyObject *module, const THPPackage *package)
{
    const THPTable *table = PyCapsule_Import("thwrap._C._C_API", 0);
    if (table == NULL || checkTable(package->name, table) < 0)
        return -1;
    THP_table = table;
    for (PyMethodDef *const *tables = package->functions; tables && *tables; tables++)
        if (PyModule_AddFunctions(module, *tables) < 0)
            return -1;
    return attachMethods(package->methods);
}
