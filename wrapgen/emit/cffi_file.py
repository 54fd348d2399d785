"""Prints the C file of the cffi module from what `cdef` declares."""

from __future__ import annotations

import contextlib
import io
import tempfile
from pathlib import Path

from cffi import FFI


def source(cdef_text: str, module: str, ops_header: str) -> str:
    """The C file of the cffi module."""
    ffi = FFI()
    ffi.cdef(cdef_text)
    ffi.set_source(module, f'#include <TH/TH.h>\n#include "{ops_header}"')
    quiet = contextlib.redirect_stdout(io.StringIO())  # cffi says what it does
    with tempfile.TemporaryDirectory() as folder, quiet:
        path = Path(folder) / "cffi.c"
        ffi.emit_c_code(str(path))
        return path.read_text()
