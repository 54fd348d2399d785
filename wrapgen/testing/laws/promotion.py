"""Which dtype operands of two dtypes give: by PyTorch's table, for tensors with dims, 0-d tensors and numbers."""

from __future__ import annotations

import itertools
from typing import Any

import numpy
import pytest

import thwrap as th
from wrapgen.plugins.before_after_call import CHECK
from wrapgen.plugins.promote import takes_number
from wrapgen.plugins.types import dtypes_of
from wrapgen.testing import oracle
from wrapgen.testing.calling import by_keyword, results_of
from wrapgen.testing.declared import DTYPES, Case, out_of_place, python_dtype
from wrapgen.testing.drawing import first_call, has_free_shapes, number_for

PROMOTED = [
    case
    for case in out_of_place()
    if (case.is_kernel or case.is_core)
    and case.promote != "none"
    and not case.op[CHECK]  # which may refuse some of them
    and len(case.operands) > 1
]


def choices(case: Case, place: int) -> list[Any]:
    """What the operand of this place may be: of every dtype, and of every rank it can have."""
    arg = case.operands[place]
    arrays = [first_call(case, dtype).values[arg.name] for dtype in DTYPES]
    found: list[Any] = list(arrays)
    if has_free_shapes(case):
        found += [array.ravel()[:1].reshape(()) for array in arrays]
    if takes_number(case.op, arg):
        found += [number_for(case, dtype, arg.name) for dtype in ("bool", "int64", "float32")]
    return found


def described(value: Any) -> str:
    if not isinstance(value, numpy.ndarray):
        return type(value).__name__
    return f"{value.dtype}{'' if value.ndim else ' 0-d'}"


@pytest.mark.parametrize("default", ["float32", "float64"])
@pytest.mark.parametrize("case", PROMOTED, ids=lambda case: case.id)
def test_result_dtypes(case: Case, default: str) -> None:
    """Results have the promoted dtype; what is promoted to none of the op's dtypes is a TypeError."""
    th.set_default_dtype(getattr(th, default))
    first, second = (arg.name for arg in case.operands[:2])
    known = {python_dtype(name) for name in dtypes_of(case.op)}
    call = first_call(case, case.dtypes[-1])
    for one, other in itertools.product(choices(case, 0), choices(case, 1)):
        rest = {arg.name: one for arg in case.operands[2:] if arg.name in call.values}
        given = call.but(**{first: one, second: other, **rest})
        what = f"{case.id} of {described(one)} and {described(other)}"
        if oracle.computing_dtype(case, given.values) not in known:
            with pytest.raises(TypeError):
                by_keyword(case, given.made())
            continue
        got = [result.dtype.name for result in results_of(by_keyword(case, given.made()))]
        assert got == oracle.result_dtypes(case, given.values), what
