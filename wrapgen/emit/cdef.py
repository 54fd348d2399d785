"""Prints what cffi is told of: TH's types as far as callers need them, and every TH_<op>."""

from __future__ import annotations

from collections.abc import Iterable

from wrapgen.chain import Operation
from wrapgen.emit.wrappers import prototype, wrap

PRELUDE = """\
typedef struct THTensor THTensor;
typedef struct THStorage THStorage;
typedef struct THGenerator THGenerator;
typedef struct THScalar { ...; } THScalar;
typedef struct THTensorArray { int n; THTensor **tensors; } THTensorArray;

THScalar THScalar_fromBool(bool b);
THScalar THScalar_fromLong(int64_t l);
THScalar THScalar_fromDouble(double d);

const char *THError_message(void);
int THError_code(void);

int THTensor_newWithSize(THTensor **out, int dtype, int nDimension, const int64_t *size);
void THTensor_retain(THTensor *self);
void THTensor_free(THTensor *self);
void THTensorArray_free(THTensorArray *self);
int64_t THTensor_nElement(const THTensor *self);

void THMemory_failAllocation(int64_t after);

"""


def cdef(operations: Iterable[Operation]) -> str:
    """The text for ffi.cdef()."""
    forms = [form for operation in operations for form in operation.forms]
    prototypes = [line for form in forms for line in wrap(f"{prototype(form.op)};")]
    return PRELUDE + "\n".join(prototypes) + "\n"
