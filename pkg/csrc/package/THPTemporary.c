/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Temporaries: in `abs(a - b)` nobody sees a - b once its elements are read, so that the result may
 * take its memory. NumPy does the same and calls it temporary elision. What has one reference only
 * may still be somebody's who reads it later: C code, as an array of objects, adds tensors that it
 * alone refers to. Hence the return addresses are looked at: the operand is a temporary where the
 * interpreter's loop called one of the PyNumber functions, and this called us. A function that
 * jumped instead of calling leaves no address: it has nothing left to do, but if its last act is an
 * operator on a tensor that its object alone refers to, that one is taken, as NumPy's would be.
 *
 * `abs` is a function of Python's, which the loop calls at once when an expression has run some
 * times; until then, and wherever nobody can tell, results are new. */
#if defined(__has_include)
#if __has_include(<execinfo.h>)
#define HAS_BACKTRACE
#endif
#endif
#ifdef HAS_BACKTRACE
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#endif
#include "../THP.h"
#include <string.h>

#ifdef HAS_BACKTRACE
#define FRAMES 6
#define SEEN 64 /* a power of 2 */

/* Where a return address is. */
enum { UNKNOWN, ELSEWHERE, HERE, PYTHON, NUMBER, LOOP };

static void *loop;                  /* the interpreter's */
static const void *python, *module; /* where these begin in memory */

static bool findInterpreter(void)
{
    static bool looked;
    Dl_info info;
    if (looked)
        return loop != NULL;
    looked = true;
    if (dladdr((void *)(uintptr_t)&THP_runSpending, &info) == 0)
        return false;
    module = info.dli_fbase;
    void *found = dlsym(RTLD_DEFAULT, "_PyEval_EvalFrameDefault");
    if (found == NULL || dladdr(found, &info) == 0)
        return false;
    python = info.dli_fbase;
    loop = found;
    return true;
}

static int lookUp(char *address)
{
    Dl_info info;
    if (dladdr(address - 1, &info) == 0) /* within the call */
        return ELSEWHERE;
    if (info.dli_fbase == module)
        return HERE;
    if (info.dli_fbase != python)
        return ELSEWHERE;
    if (info.dli_saddr == loop)
        return LOOP;
    const bool isNumber = info.dli_sname && strncmp(info.dli_sname, "PyNumber_", 9) == 0;
    return isNumber ? NUMBER : PYTHON;
}

/* The same, remembered under the GIL; what could be unloaded is not. */
static int placeOf(void *address)
{
    static struct {
        void *address;
        int place;
    } seen[SEEN];
    const uintptr_t bits = (uintptr_t)address;
    const size_t at = (bits ^ bits >> 6) % SEEN;
    if (seen[at].address == address && seen[at].place != UNKNOWN)
        return seen[at].place;
    const int place = lookUp(address);
    if (place != ELSEWHERE) {
        seen[at].address = address;
        seen[at].place = place;
    }
    return place;
}

static bool isLoopsCall(void)
{
    void *frames[FRAMES];
    int i = 0;
    if (!findInterpreter())
        return false;
    const int n = backtrace(frames, FRAMES);
    while (i < n && placeOf(frames[i]) != HERE) /* what a sanitizer calls it by */
        i++;
    while (i < n && placeOf(frames[i]) == HERE)
        i++;
    /* A function of its own, which tries both operands' slots. */
    if (i + 1 < n && placeOf(frames[i]) == PYTHON && placeOf(frames[i + 1]) == NUMBER)
        i++;
    if (i < n && placeOf(frames[i]) == NUMBER)
        i++;
    return i < n && placeOf(frames[i]) == LOOP;
}

/* From Python 3.14 on the loop need not have references of its own to what it works with; there is
 * a function that tells. */
#define BORROWS 0x030e0000

static bool isLoops(PyObject *operand)
{
    static int (*isUnique)(PyObject *);
    if (Py_Version < BORROWS)
        return true;
    if (isUnique == NULL)
        *(void **)&isUnique = dlsym(RTLD_DEFAULT, "PyUnstable_Object_IsUniqueReferencedTemporary");
    return isUnique != NULL && isUnique(operand);
}
#else
static bool isLoopsCall(void)
{
    return false;
}

static bool isLoops(PyObject *operand)
{
    (void)operand;
    return false;
}
#endif

/* Is the operand the loop's, if it was the loop that called? */
static bool maySpend(PyObject *operand)
{
    const THPTensor *self = (THPTensor *)operand;
    return operand != NULL && THP_maySpend(operand) && self->weakrefs == NULL &&
           self->meta == NULL && isLoops(operand);
}

PyObject *THP_runSpending(PyObject *(*run)(PyObject *const *objects), PyObject *const *objects,
                          PyObject *left, PyObject *right)
{
    PyObject *const operands[] = {left, right};
    const bool may[] = {maySpend(left), maySpend(right)};
    if (!(may[0] || may[1]) || !isLoopsCall())
        return run(objects);
    for (int i = 0; i < 2; i++)
        if (may[i])
            THP_unwrap(operands[i])->flag |= TH_TENSOR_SPENT;
    PyObject *result = run(objects);
    for (int i = 0; i < 2; i++)
        if (may[i])
            THP_unwrap(operands[i])->flag &= ~TH_TENSOR_SPENT;
    return result;
}
