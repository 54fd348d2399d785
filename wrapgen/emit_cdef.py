"""Prints what cffi is told of: TH's types as far as callers need them, and every TH_<op>."""

from __future__ import annotations

from collections.abc import Iterable

from wrapgen.chain import Operation
from wrapgen.emit_c import prototype, wrap

PRELUDE = """\
typedef struct THTensor THTensor;
typedef struct THStorage THStorage;
typedef struct THGenerator THGenerator;
typedef struct THScalar { ...; } THScalar;

THScalar THScalar_fromBool(bool b);
THScalar THScalar_fromLong(int64_t l);
THScalar THScalar_fromDouble(double d);

const char *THError_message(void);
int THError_code(void);

int THTensor_newWithSize(THTensor **out, int dtype, int nDimension, const int64_t *size);
void THTensor_retain(THTensor *self);
void THTensor_free(THTensor *self);
int64_t THTensor_nElement(const THTensor *self);

void THMemory_failAllocation(int64_t after);

"""


def cdef(operations: Iterable[Operation]) -> str:
    """The text for ffi.cdef()."""
    forms = [form for operation in operations for form in operation.forms]
    prototypes = [line for form in forms for line in wrap(f"{prototype(form.op)};")]
    return PRELUDE + "\n".join(prototypes) + "\n"


def source(cdef_text: str, module: str, ops_header: str) -> str:
    """The C file of the cffi module."""
    from cffi import FFI

    ffi = FFI()
    ffi.cdef(cdef_text)
    preamble = f'#include <TH/TH.h>\n#include "{ops_header}"'
    ffi.set_source(module, preamble)
    return _emitted(ffi)


def _emitted(ffi: object) -> str:
    import contextlib
    import io
    import tempfile
    from pathlib import Path

    quiet = contextlib.redirect_stdout(io.StringIO())  # cffi says what it does
    with tempfile.TemporaryDirectory() as folder, quiet:
        path = Path(folder) / "cffi.c"
        ffi.emit_c_code(str(path))  # type: ignore[attr-defined]
        return path.read_text()
