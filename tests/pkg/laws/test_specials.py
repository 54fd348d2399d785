"""Values at the edges: NaN, infinities, signed zeros, the largest and the least numbers, counts beyond the width."""

from __future__ import annotations

import itertools
from typing import Any

import isas
import numpy
import oracle
import pytest
from calling import call_form, invoke, refused, tensors_in
from declared import DTYPES, FLOATS, Case, fixed, out_of_place
from drawing import Call, first_call, limits, tensor

import thwrap as th

KERNELS = [case for case in out_of_place() if case.is_kernel]
# Kernels of three operands and more get fewer values: all combinations are tried.
MANY = 2


def edges(dtype: str, few: bool) -> numpy.ndarray:
    """Values at the edges of a dtype."""
    if dtype == "bool":
        return numpy.array([False, True])
    if dtype not in FLOATS:
        least, most = limits(dtype)
        width = numpy.iinfo(dtype).bits
        values = (
            {least, most, 0, 1, -1, 2}
            if few
            else {least, least + 1, most, 0, 1, -1, 2, -2, 7, width - 1, width, width + 1}
        )
        return numpy.array(sorted(value for value in values if least <= value <= most), dtype)
    info = numpy.finfo(dtype)
    values = [numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5]
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
    few = len(case.tensors) > MANY
    columns = [edges(fixed(arg) or dtype, few) for arg in case.tensors]
    grid = numpy.meshgrid(*columns, indexing="ij")
    numbers = {
        name: value for name, value in first_call(case, dtype).values.items() if not is_array(value)
    }
    return Call(
        case,
        numbers | {arg.name: axis.ravel() for arg, axis in zip(case.tensors, grid, strict=True)},
    )


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


def has_zero_divisor(case: Case, call: Call, dtype: str) -> bool:
    """Integers are checked for divisors of 0 before anything is computed."""
    return case.op.name in ("floor_divide", "remainder", "fmod") and dtype not in FLOATS


@pytest.mark.parametrize("case", KERNELS, ids=lambda case: case.id)
def test_edges(case: Case) -> None:
    """Kernels of edges, every combination, are what NumPy says in wider numbers."""
    for dtype in case.dtypes:
        call = combinations(case, dtype)
        if has_zero_divisor(case, call, dtype):
            call = restricted(call, call.values[case.tensors[1].name] != 0)
        names = oracle.environment(case, call.values)
        try:
            (expected,) = oracle.reference(case, names)
        except oracle.Unanswered:
            call = restricted(call, answered(call))
            names = oracle.environment(case, call.values)
            (expected,) = oracle.reference(case, names)
        (result,) = oracle.result_dtypes(case, call.values)
        compute = oracle.computing_dtype(case, call.values)
        allowed = oracle.tolerance(case, names, expected, compute, result)
        check_places(call, call_form(call), expected, result, allowed)


def check_places(call: Call, got: th.Tensor, expected: Any, dtype: str, allowed: Any) -> None:
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


DIVISIONS = ("floor_divide", "remainder", "fmod", "div_mode")


@pytest.mark.parametrize(
    "case", [case for case in out_of_place() if case.id in DIVISIONS], ids=lambda case: case.id
)
def test_integer_division_by_zero(case: Case) -> None:
    """A ValueError before anything is written, wherever the zero is; floats have an answer."""
    for dtype in set(case.dtypes) - set(FLOATS):
        call = first_call(case, dtype, (67,))
        for place in (0, 33, 66):
            other = call.values["other"].copy()
            other[place] = 0
            given = call.but(other=other).made()
            out = tensor(numpy.ones(67, dtype))
            with refused(ValueError, [*tensors_in(given), out], "zero"):
                invoke(case, given, out=out)
            given["other"] = 0
            with refused(ValueError, tensors_in(given), "zero"):
                invoke(case, given)


def cast(values: list[float], source: str, target: str) -> numpy.ndarray:
    return tensor(numpy.array(values, source)).to(getattr(th, target)).numpy()


@pytest.mark.parametrize("source", FLOATS)
@pytest.mark.parametrize("target", [name for name in DTYPES if name not in FLOATS])
def test_casts_of_what_does_not_fit(source: str, target: str) -> None:
    """NaN and what an int64 does not hold are defined and the same everywhere; NaN is true."""
    values = [numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0, 1.75, -1.75, 200.0, -200.0, 60000.0]
    results = {
        layout: cast(values * repeat, source, target)[: len(values)].tolist()
        for layout, repeat in (("one", 1), ("many", 9))
    }
    assert results["one"] == results["many"]
    got = results["one"]
    if target == "bool":
        assert got == [value != 0 for value in values]
        return
    assert got[3:5] == [0, 0]
    wrapped = numpy.array([1, -1, 200, -200, 60000]).astype(target)
    assert got[5:] == wrapped.tolist()
    for isa in isas.available():
        th._C._set_isa(isa)
        assert cast(values, source, target).tolist() == got, isa


def test_casts_between_floats() -> None:
    """NaN, infinities, signs of zero and what is too large."""
    for source, target in itertools.product(FLOATS, repeat=2):
        values = numpy.array(
            [numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0, 65520.0, 1e-8, 65504.0], source
        )
        got = tensor(values).to(getattr(th, target)).numpy()
        expected = values.astype(target)
        assert got.tobytes() == expected.tobytes() or numpy.array_equal(
            got, expected, equal_nan=True
        )
        assert numpy.signbit(got[3:5]).tolist() == [False, True]


def test_least_integer() -> None:
    """Its absolute value, negation and quotient by -1 wrap to itself."""
    for dtype in ("int8", "int16", "int32", "int64"):
        least = limits(dtype)[0]
        value = tensor(numpy.array([least], dtype))
        assert th.abs(value).item() == th.neg(value).item() == least
        assert th.floor_divide(value, -1).item() == least
        assert th.div(value, -1, rounding_mode="trunc").item() == least
        assert th.remainder(value, -1).item() == th.fmod(value, -1).item() == 0
