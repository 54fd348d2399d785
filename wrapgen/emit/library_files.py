"""Prints what calls of libraries' functions need: libraries/libraries.h, and libraries/setup.c, which runs first."""

from __future__ import annotations

from collections.abc import Iterable

from wrapgen.emit.helpers import placed
from wrapgen.emit.template import fill
from wrapgen.syntax import snippets
from wrapgen.units import Library

HEADER_FILE = "libraries/libraries.h"
SETUP_FILE = "libraries/setup.c"

HEADER = """\
/* Written by wrapgen: the libraries of the declarations, and what calls of their functions need. */
#ifndef TH_LIBRARIES_H
#define TH_LIBRARIES_H

#include <string.h>

#include <TH/TH.h>

$headers

/* Does the number survive as this type? */
#define THCALL_FITS(type, n) ((int64_t)(type)(n) == (int64_t)(n))

/* The address of the elements; libraries take NULL for something else than nothing. */
static inline void *THCall_data(THTensor *tensor)
{
    static int64_t nothing;
    void *data = THTensor_data(tensor);
    return data != NULL ? data : &nothing;
}

/* NULL, with an error recorded, where there is no memory. */
static inline void *THCall_array(int64_t n, int64_t size)
{
    int64_t bytes = -1;
    if (n < 0 || !THSize_mul(n, size, &bytes)) {
        THError(TH_ERROR_MEMORY, "out of memory: cannot allocate %lld elements", (long long)n);
        return NULL;
    }
    return THAlloc((size_t)bytes);
}

static inline int THCall_failed(const char *op, const char *message, int64_t code)
{
    return THError(TH_ERROR_RUNTIME, "%s: %s (code %lld)", op, message != NULL ? message : "failed",
                   (long long)code);
}

/* Of an item: not 0 whatever the integers' sizes are. */
static inline int THCall_code(int64_t code)
{
    return code != 0 && THCALL_FITS(int, code) ? (int)code : 1;
}

/* A result of a call on whole tensors: computed apart from what the caller gave. */
typedef struct THCallResult {
    const char *name;
    THTensor *result, *made;
    int64_t kept; /* of the first dim */
    bool isWhole; /* all of it */
} THCallResult;

static inline int THCall_newResult(const char *op, const char *name, THTensor **made,
                                   const THTensor *result, int n, const int64_t *size)
{
    for (int i = 0; i < n; i++)
        if (size[i] < 0)
            return THError(TH_ERROR_VALUE, "%s: %s would have the shape %s", op, name,
                           THSize_desc(n, size).str);
    return THTensor_newWithSize(made, (THDtype)result->dtype, n, size);
}

/* The function is done: nothing of the caller's is written before all results are known to fit. */
static inline int THCall_finish(const char *op, const THCallResult *results, int n)
{
    int64_t size[TH_MAX_DIMS];
    int status = TH_OK;
    for (int i = 0; i < n; i++) {
        const int64_t room = results[i].isWhole ? 0 : results[i].made->size[0];
        if (results[i].kept < 0 || results[i].kept > room)
            return THError(TH_ERROR_RUNTIME,
                           "%s: the function says that it stored %lld elements of %s, got room for "
                           "%lld",
                           op, (long long)results[i].kept, results[i].name, (long long)room);
    }
    for (int i = 0; i < n && status == TH_OK; i++) {
        const THTensor *made = results[i].made;
        for (int d = 0; d < made->nDimension; d++)
            size[d] = d == 0 && !results[i].isWhole ? results[i].kept : made->size[d];
        status = THTensor_resizeOutput(op, results[i].result, made->nDimension, size);
    }
    for (int i = 0; i < n && status == TH_OK; i++) {
        THTensor *part = NULL;
        if (!results[i].isWhole)
            status = THTensor_newNarrow(&part, results[i].made, 0, 0, results[i].kept);
        if (status == TH_OK)
            status = THTensor_copy(results[i].result, part ? part : results[i].made);
        THTensor_free(part);
    }
    return status;
}

#endif
"""

SETUP = """\
/* Written by wrapgen: what libraries need before anything of them is called. */
#include "libraries/libraries.h"

$functions
"""


def header(libraries: Iterable[Library]) -> str:
    """libraries/libraries.h"""
    names = dict.fromkeys(name for library in libraries for name in library.headers)
    return fill(HEADER, {"headers": [f"#include <{name}>" for name in names]})


def setup(libraries: Iterable[Library]) -> str:
    """libraries/setup.c; nothing where no library needs one."""
    functions: list[str] = []
    for number, library in enumerate(libraries):
        if library.setup is not None:
            name = f"setUp_{number}"
            lines = placed(snippets.located(library.setup), library.setup.loc.file)
            functions += [
                f"/* {library.name} */",
                f"__attribute__((constructor)) static void {name}(void)",
            ]
            functions += [
                "{",
                *lines,
                ";" if library.setup.text.rstrip()[-1:] not in ";}" else "",
                "}",
                "",
            ]
    return fill(SETUP, {"functions": "\n".join(filter(None, functions))}) if functions else ""


def unit_texts(libraries: tuple[Library, ...]) -> dict[str, str]:
    """The files for libraries as such."""
    if not libraries:
        return {}
    files = {HEADER_FILE: header(libraries), SETUP_FILE: setup(libraries)}
    return {name: text for name, text in files.items() if text}
