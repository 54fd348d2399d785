"""Operations with core dims: the dims before them broadcast."""

from __future__ import annotations

import numpy
import pytest

from wrapgen.model import Arg
from wrapgen.testing.calling import call_form, contents
from wrapgen.testing.declared import Case, out_of_place
from wrapgen.testing.drawing import first_call

CORES = [case for case in out_of_place() if case.is_core and len(case.tensors) > 1]


@pytest.mark.parametrize("case", CORES, ids=lambda case: case.id)
def test_batch_dims_broadcast(case: Case) -> None:
    """An operand without batch dims, or with some of size 1, gives what its expanded copy gives."""
    for dtype in case.dtypes:
        call = first_call(case, dtype)
        for arg in case.tensors:
            array = call.values[arg.name]
            part = array[:1]
            if part.shape == array.shape or array.ndim == rank_of(case, arg):
                continue
            copy = numpy.broadcast_to(part, array.shape).copy()
            expected = contents(call_form(call.but(**{arg.name: copy})))
            for smaller in (part, part[0]):
                given = call.but(**{arg.name: smaller})
                assert contents(call_form(given)) == expected, f"{given}"


def rank_of(case: Case, arg: Arg) -> int:
    """How many core dims an operand has."""
    core = case.form.body.core
    assert core is not None
    return next(len(operand.dims) for operand in core.inputs if operand.arg.name == arg.name)
