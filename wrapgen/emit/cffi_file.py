"""Prints the C file of the cffi module from what `cdef` declares.

cffi prints two functions for every declared one: one that calls it, in case it is a macro, and one that converts the
arguments of a call from Python, 60 lines that are the same for all functions of a signature. Here these share one
converter, which is told what to call, the function itself: signatures are few.
"""

from __future__ import annotations

import contextlib
import io
import re
import tempfile
from pathlib import Path

from cffi import FFI

PRINTED = re.compile(
    r"static (?P<result>[^\n]*?) ?_cffi_d_(?P<name>\w+)\((?P<parameters>[^\n]*)\)\n\{\n[^\n]*\n\}\n"
    r"#ifndef PYPY_VERSION\n"
    r"static PyObject \*\n_cffi_f_(?P=name)\(PyObject \*self, PyObject \*(?P<given>\w+)\)\n(?P<body>\{\n.*?\n\}\n)"
    r"#else\n.*?\n#endif\n",
    re.DOTALL,
)
DIRECT = re.compile(r"\b_cffi_d_(\w+)")


def source(cdef_text: str, module: str, ops_header: str) -> str:
    """The C file of the cffi module."""
    ffi = FFI()
    ffi.cdef(cdef_text)
    ffi.set_source(module, f'#include <TH/TH.h>\n#include "{ops_header}"')
    quiet = contextlib.redirect_stdout(io.StringIO())  # cffi says what it does
    with tempfile.TemporaryDirectory() as folder, quiet:
        path = Path(folder) / "cffi.c"
        ffi.emit_c_code(str(path))
        return shared(path.read_text())


def shared(text: str) -> str:
    """What cffi printed, with one converter for all functions of a signature; as it is where cffi prints otherwise."""
    converters: dict[tuple[str, str], str] = {}
    names: set[str] = set()

    def replaced(match: re.Match[str]) -> str:
        signature = (match["result"], match["parameters"])
        first = signature not in converters
        converter = converters.setdefault(signature, f"_cffi_c_{len(converters)}")
        printed = _converter(match, converter) if first else ""
        name, given = match["name"], match["given"]
        names.add(name)
        return (
            f"{printed}static PyObject *_cffi_f_{name}(PyObject *self, PyObject *{given})\n"
            f'{{\n  return {converter}((void *){name}, "{name}", self, {given});\n}}\n'
        )

    text = PRINTED.sub(replaced, text)
    return DIRECT.sub(lambda match: match[1] if match[1] in names else match[0], text)


def _converter(match: re.Match[str], converter: str) -> str:
    """The function that cffi printed for one name, of any function and its name."""
    name, given = match["name"], match["given"]
    body = match["body"].replace(f'"{name}"', "name").replace(f" {name}(", " function(")
    types = re.sub(r" ?\bx\d+\b", "", match["parameters"])
    return (
        f"static PyObject *{converter}({match['result']} (*function)({types}), const char *name,\n"
        f"                             PyObject *self, PyObject *{given})\n{body}"
    )
