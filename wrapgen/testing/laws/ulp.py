"""Functions keep within the errors that math.yaml states, on every instruction set, for all floats there are."""

from __future__ import annotations

import numpy
import pytest

import thwrap as th
from wrapgen.testing import isas, oracle
from wrapgen.testing.calling import call_form
from wrapgen.testing.declared import Case, out_of_place
from wrapgen.testing.drawing import Call, generator, situations
from wrapgen.testing.drawing import draw as drawn
from wrapgen.testing.subject import current

COUNT = 6000
# Kernels that are one call of one function of their operands.
SINGLE = [
    case
    for case in out_of_place()
    if case.is_kernel
    and case.op.reference
    and len(case.math_calls) == 1
    and case.kernel.startswith(f"{case.math_calls[0]}(")
]


def everywhere(rng: numpy.random.Generator, dtype: str) -> numpy.ndarray:
    """Random bits: all exponents equally often, numbers that are not finite too."""
    bits = rng.integers(0, 256, COUNT * numpy.dtype(dtype).itemsize, dtype="uint8")
    return bits.view(dtype)


def operands(case: Case, dtype: str, near: bool) -> Call:
    """Of the sizes that the sample names, or of any."""
    rng, how = generator(case, dtype), situations(case)[0]
    values = {
        arg.name: drawn(rng, dtype, (COUNT,), how.get(arg.name), False)
        if near
        else everywhere(rng, dtype)
        for arg in case.tensors
    }
    return Call(case, {**{k: v for k, v in how.items() if k not in values}, **values})


@pytest.mark.parametrize("case", SINGLE, ids=lambda case: case.id)
def test_stated_errors(case: Case) -> None:
    for dtype in set(case.dtypes) & {"float32", "float64"}:
        for near in (True, False) if current().strict else (True,):
            call = operands(case, dtype, near)
            names = oracle.environment(case, call.values)
            try:
                (expected,) = oracle.reference(case, names)
            except oracle.Unanswered:
                continue
            (result,) = oracle.result_dtypes(case, call.values)
            allowed = oracle.tolerance(case, names, expected, dtype, result)
            for isa in isas.available():
                th._C._set_isa(isa)
                oracle.check(
                    case, call_form(call), expected, result, allowed, f"{call} near={near} {isa}"
                )
