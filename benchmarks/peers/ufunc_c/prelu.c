#include <Python.h>
#include <numpy/ndarraytypes.h>
#include <numpy/ufuncobject.h>
#define LOOP(name, real)                                                                        \
    static void name(char **args, const npy_intp *sizes, const npy_intp *steps, void *unused)   \
    {                                                                                           \
        for (npy_intp i = 0; i < sizes[0]; i++) {                                               \
            const real x = *(real *)(args[0] + i * steps[0]), w = *(real *)(args[1] + i * steps[1]); \
            *(real *)(args[2] + i * steps[2]) = x > 0.0 ? x : w * x;                      \
        }                                                                                       \
    }
LOOP(loop_float, float)
LOOP(loop_double, double)
static PyUFuncGenericFunction loops[] = {loop_float, loop_double};
static const char types[] = {NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_DOUBLE, NPY_DOUBLE, NPY_DOUBLE};
static void *data[2];
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "mod", NULL, -1};
PyMODINIT_FUNC PyInit_mod(void)
{
    import_array();
    import_umath();
    PyObject *module = PyModule_Create(&definition);
    PyObject *ufunc = PyUFunc_FromFuncAndData(loops, data, types, 2, 2, 1, PyUFunc_None, "prelu", "", 0);
    PyModule_AddObject(module, "prelu", ufunc);
    return module;
}
