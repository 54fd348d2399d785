/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How every module of thwrap begins. Compiled into thwrap._C and into op packages. */
#include "THP.h"

PyObject *THP_packageCreate(PyObject *(*cffiInit)(void))
{
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
        PyErr_SetString(PyExc_ImportError,
                        "thwrap works in the main interpreter only, not in sub-interpreters");
        return NULL;
    }
    return cffiInit();
}
