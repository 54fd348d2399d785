"""Values at the edges: NaN, infinities, signed zeros, the largest and the least numbers, counts beyond the width."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from wrapgen.plugins.before_after_call import BEFORE_CALL
from wrapgen.testing import oracle
from wrapgen.testing.calling import call_form, results_of
from wrapgen.testing.declared import FLOATS, Case, fixed, out_of_place
from wrapgen.testing.drawing import Call, first_call, limits, situations
from wrapgen.testing.subject import current

KERNELS = [case for case in out_of_place() if case.is_kernel and case.op.reference]
# Kernels of three operands and more get fewer values: all combinations are tried.
MANY = 2


def edges(dtype: str, few: bool) -> numpy.ndarray:
    """Values at the edges of a dtype."""
    if dtype == "bool":
        return numpy.array([False, True])
    if dtype not in FLOATS:
        least, most = limits(dtype)
        width = numpy.iinfo(dtype).bits
        integers = (
            {least, most, 0, 1, -1, 2}
            if few
            else {least, least + 1, most, 0, 1, -1, 2, -2, 7, width - 1, width, width + 1}
        )
        return numpy.array(sorted(value for value in integers if least <= value <= most), dtype)
    info = numpy.finfo(dtype)
    values: list[Any] = [numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5]
    if not few:
        values += [
            info.max,
            info.min,
            info.smallest_normal,
            -info.smallest_subnormal,
            info.eps,
            3.0,
        ]
    return numpy.array(values, dtype)


def combinations(case: Case, dtype: str) -> Call:
    """All combinations of edges, an operand each."""
    few = len(case.tensors) > MANY or not current().strict  # at the ends, steps on the way overflow
    how = situations(case)[0]
    columns = [
        within(edges(fixed(arg) or dtype, few), {} if current().strict else how.get(arg.name))
        for arg in case.tensors
    ]
    grid = numpy.meshgrid(*columns, indexing="ij")
    numbers = {
        name: value for name, value in first_call(case, dtype).values.items() if not is_array(value)
    }
    return Call(
        case,
        numbers | {arg.name: axis.ravel() for arg, axis in zip(case.tensors, grid, strict=True)},
    )


def within(values: numpy.ndarray, how: Any) -> Any:
    """Those that a sample allows."""
    if isinstance(how, dict) and "from" in how:
        return values[(values >= how["from"]) & (values <= how["to"])]
    if how == "positive":
        return values[values > 0]
    return values[values != 0] if how == "nonzero" else values


def is_array(value: Any) -> bool:
    return isinstance(value, numpy.ndarray)


def answered(call: Call) -> numpy.ndarray:
    """Where NumPy has an answer, element by element."""
    size = call.arrays()[0].size
    places = numpy.ones(size, bool)
    for place in range(size):
        part = restricted(call, numpy.arange(place, place + 1)).values
        try:
            oracle.reference(call.case, oracle.environment(call.case, part))
        except oracle.Unanswered:
            places[place] = False
    return places


def restricted(call: Call, places: numpy.ndarray) -> Call:
    return call.but(
        **{name: value[places] for name, value in call.values.items() if is_array(value)}
    )


def refused_places(call: Call) -> numpy.ndarray:
    """Where the op refuses the elements' values, as integers by 0."""
    places = numpy.zeros(call.arrays()[0].size, bool)
    for place in range(places.size):
        try:
            call_form(restricted(call, numpy.arange(place, place + 1)))
        except ValueError:
            places[place] = True
    return places


@pytest.mark.parametrize("case", KERNELS, ids=lambda case: case.id)
def test_edges(case: Case) -> None:
    """Kernels of edges, every combination, are what NumPy says in wider numbers."""
    for dtype in case.dtypes:
        call = combinations(case, dtype)
        if case.op[BEFORE_CALL] and dtype not in FLOATS:
            call = restricted(call, numpy.flatnonzero(~refused_places(call)))
        names = oracle.environment(case, call.values)
        try:
            expected = oracle.reference(case, names)
        except oracle.Unanswered:
            call = restricted(call, numpy.flatnonzero(answered(call)))
            names = oracle.environment(case, call.values)
            expected = oracle.reference(case, names)
        dtypes = oracle.result_dtypes(case, call.values)
        compute = oracle.computing_dtype(case, call.values)
        rows = zip(results_of(call_form(call)), expected, dtypes, strict=True)
        for number, (got, value, result) in enumerate(rows):
            allowed = oracle.tolerance(case, names, value, compute, result, number)
            check_places(call, got, value, result, allowed)


def check_places(call: Call, got: Any, expected: Any, dtype: str, allowed: Any) -> None:
    """As oracle.check, with the operands of a wrong element in the message."""
    try:
        oracle.check(call.case, got, expected, dtype, allowed, call)
    except AssertionError as error:
        array, exact = got.numpy(), oracle.converted(expected, dtype)
        wrong = ~((array == exact) | ((array != array) & (exact != exact)))
        rows = [
            f"  {[operand[i] for operand in call.arrays()]}: expected {exact[i]!r}, got {array[i]!r}"
            for i in numpy.flatnonzero(wrong)[:6]
        ]
        raise AssertionError("\n".join([str(error), *rows])) from None
