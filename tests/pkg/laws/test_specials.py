"""Values at the edges, and what thwrap's own ops and conversions do with them."""

from __future__ import annotations

import itertools

import numpy
import pytest

import thwrap as th
from wrapgen.testing import isas
from wrapgen.testing.calling import invoke, refused, tensors_in
from wrapgen.testing.declared import DTYPES, FLOATS, Case, out_of_place
from wrapgen.testing.drawing import first_call, limits, tensor
from wrapgen.testing.laws.specials import *  # noqa: F403

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


@pytest.mark.usefixtures("each_isa")
def test_casts_of_long_integers() -> None:
    """To floating point they are rounded once, from it cut: small ones, large ones and some of both."""
    powers = numpy.array([sign << bit for bit in range(63) for sign in (1, -1)], dtype="int64")
    near = numpy.add.outer([-1, 0, 1], powers).ravel()
    ties = ((2 * numpy.arange(2**23, 2**23 + 40) + 1)[:, None] << numpy.arange(38)).ravel()
    edges = numpy.concatenate([near, ties - 1, ties, ties + 1, -ties])
    edges = edges[numpy.argsort(abs(edges.astype("float64")), kind="stable")]
    for values in (edges, numpy.random.default_rng(0).permutation(edges), edges[5:]):
        for target in ("float32", "float64"):
            got = tensor(values).to(getattr(th, target)).numpy()
            expected = values.astype(target)
            assert numpy.array_equal(got, expected), target
            fits = expected[abs(expected) < 2.0**63]
            halves = fits + numpy.copysign(numpy.float32(0.5), fits)
            for floats in (fits, halves, halves[3:]):
                got = tensor(floats).to(th.int64).numpy()
                assert numpy.array_equal(got, numpy.trunc(floats).astype("int64")), target


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


@pytest.mark.usefixtures("each_isa")
def test_division_of_longs() -> None:
    """Exact where quotients are next to whole numbers, also around 2^51 and for elements of all sizes at once."""
    rng = numpy.random.default_rng(0)
    bits = rng.integers(1, 64, 4096)
    divisors = rng.integers(1 << 62, (1 << 63) - 1, 4096) >> (63 - bits)
    wholes = divisors * ((1 << 51) // divisors)
    near = numpy.concatenate([wholes + off for off in (-1, 0, 1)])
    edges = [off + (sign << bit) for bit in (51, 52, 53, 63) for sign in (1, -1) for off in (-1, 0)]
    corners = numpy.array(
        [edge for edge in [*edges, 1, -1, 7] if abs(edge) < 1 << 63] + [-(1 << 63)]
    )
    x = numpy.concatenate([near, -near, numpy.repeat(corners, len(corners))])
    y = numpy.concatenate([*[divisors] * 3, *[-divisors] * 3, numpy.tile(corners, len(corners))])
    given = x != -(1 << 63)  # over -1 it wraps, see above
    x, y = x[given], y[given]
    for order in (numpy.arange(len(x)), rng.permutation(len(x)), numpy.arange(len(x))[2:]):
        a, b = x[order], y[order]
        for function, expected in (
            (th.floor_divide, numpy.floor_divide(a, b)),
            (th.remainder, numpy.remainder(a, b)),
            (th.fmod, numpy.fmod(a, b)),
        ):
            assert numpy.array_equal(function(tensor(a), tensor(b)).numpy(), expected), function
