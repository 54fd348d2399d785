#include <Python.h>
#include <numpy/ndarraytypes.h>
#include <numpy/ufuncobject.h>
#define LOOP(name, real)                                                                        \
    static inline void name##_at(char **args, npy_intp n, npy_intp a, npy_intp b, npy_intp c)   \
    {                                                                                           \
        for (npy_intp i = 0; i < n; i++) {                                                      \
            const real x = *(real *)(args[0] + i * a), w = *(real *)(args[1] + i * b);          \
            *(real *)(args[2] + i * c) = x > 0.0 ? x : w * x;                                   \
        }                                                                                       \
    }                                                                                           \
    static void name(char **args, const npy_intp *sizes, const npy_intp *steps, void *unused)   \
    {                                                                                           \
        const npy_intp s = sizeof(real);                                                        \
        if (steps[0] == s && steps[1] == s && steps[2] == s)                                    \
            name##_at(args, sizes[0], s, s, s);                                                 \
        else if (steps[0] == s && steps[1] == 0 && steps[2] == s)                               \
            name##_at(args, sizes[0], s, 0, s);                                                 \
        else                                                                                    \
            name##_at(args, sizes[0], steps[0], steps[1], steps[2]);                            \
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
