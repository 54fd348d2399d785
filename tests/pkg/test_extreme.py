"""Extremes, counts and logsumexp: values and places in any layout."""

from __future__ import annotations

import itertools
import math

import numpy
import pytest

import thwrap as th
from wrapgen.testing import isas
from wrapgen.testing.drawing import tensor

FLOATS = ("float16", "float32", "float64")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("terms", [1, 15, 17, 63, 64, 65, 129, 300, 4097, 8300])
def test_sums_of_exponentials(terms: int, dtype: str) -> None:
    """Along memory, across it and staged near the exact value, by one thread and by several the same bits."""
    rng = numpy.random.default_rng(terms)
    near = 1e-7 if dtype == "float32" else 1e-14
    usual = th.get_num_threads()
    for width in (1, 3, 16, 46, 530):
        array = (rng.normal(size=(terms, width)) * rng.choice([1, 30], width)).astype(dtype)
        array[:, 0] = numpy.sort(array[:, 0])  # a new maximum in every piece
        wide = array.astype("longdouble")
        most = wide.max(0)
        exact = (numpy.log(numpy.exp(wide - most).sum(0)) + most).astype("float64")
        for x in (
            tensor(array),
            tensor(array.T.copy()).T,
            tensor(numpy.repeat(array, 2, 1))[:, ::2],
        ):
            got = x.logsumexp(0).numpy()
            assert numpy.allclose(got, exact, near, near)
            th.set_num_threads(3 - min(usual, 2))
            other = x.logsumexp(0).numpy()
            th.set_num_threads(usual)
            assert got.tobytes() == other.tobytes()


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("apart", [0, 3, 70, 300, 5000])
def test_exponentials_of_specials(apart: int, dtype: str) -> None:
    """Infinities and NaN wherever they are: as in extended reals."""
    inf, nan = math.inf, math.nan
    most = float(numpy.finfo(dtype).max)
    cases = [
        (inf, 1, inf),
        (-inf, -inf, -inf),
        (-inf, 3, 3),
        (inf, -inf, inf),
        (inf, inf, inf),
        (nan, 1, nan),
        (nan, inf, nan),
        (most, -inf, most),
        (-most, -inf, -most),
    ]
    array = numpy.full((2 * len(cases), apart + 2), -inf, dtype)
    array[:, 0] = [case[k] for k in (0, 1) for case in cases]
    array[:, -1] = [case[k] for k in (1, 0) for case in cases]
    expected = numpy.array([case[2] for case in cases] * 2, dtype)
    for got in (tensor(array).logsumexp(1), tensor(array.T.copy()).logsumexp(0)):
        numpy.testing.assert_array_equal(got.numpy(), expected)
    assert th.zeros(0, dtype=getattr(th, dtype)).logsumexp(0).item() == -inf


def extremes_among(dtype: str, shape: tuple[int, int], kind: int) -> numpy.ndarray:
    """Numbers of which few are equal, many are, or infinite, NaN and zeros of both signs."""
    rng = numpy.random.default_rng([*shape, kind])
    if dtype == "bool":
        return rng.uniform(size=shape) < (0, 0.5, 0.01)[kind]
    if not dtype.startswith("float"):
        info = numpy.iinfo(dtype)
        few = rng.integers(0, 3, shape).astype(dtype)
        return few if kind else rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    drawn = rng.normal(size=shape)
    if kind == 1:
        drawn = numpy.copysign(numpy.round(drawn), rng.normal(size=shape))
    if kind == 2:
        drawn = rng.choice(
            [-math.inf, math.inf, 1, -0.0, 0.0, math.nan], shape, p=[0.5, 0.2, 0.1, 0.1, 0.09, 0.01]
        )
    return drawn.astype(dtype)


@pytest.mark.parametrize("dtype", [*FLOATS, "int8", "uint8", "int16", "int32", "int64", "bool"])
@pytest.mark.parametrize("terms", [1, 5, 17, 63, 65, 130, 513, 4100, 9000, 33000])
def test_extremes_are_the_first(terms: int, dtype: str) -> None:
    """Along memory, across it and staged: NumPy's places, the values there, NumPy's counts."""
    for width in (1, 3, 17, 70, 1100) if terms < 600 else (2, 17):
        for kind in range(3):
            array = extremes_among(dtype, (terms, width), kind)
            layouts = (
                tensor(array),
                tensor(array.T.copy()).T,
                tensor(numpy.repeat(array, 2, 1))[:, ::2],
            )
            for name in ("max", "min"):
                place = getattr(numpy, "arg" + name)(array, 0)
                value = numpy.take_along_axis(array, place[None], 0)[0]
                for x in layouts:
                    values, indices = getattr(x, name)(0)
                    assert (indices.numpy() == place).all()
                    assert (getattr(x, "arg" + name)(0).numpy() == place).all()
                    for got in (values.numpy(), getattr(th, "a" + name)(x, 0).numpy()):
                        assert numpy.array_equal(got, value, equal_nan=dtype.startswith("float"))
                        assert (numpy.signbit(got) == numpy.signbit(value))[value == value].all()
            for x in layouts:
                for got, expected in zip(th.aminmax(x, dim=0), (x.amin(0), x.amax(0)), strict=True):
                    assert got.numpy().tobytes() == expected.numpy().tobytes()
                assert (x.count_nonzero(0).numpy() == numpy.count_nonzero(array, 0)).all()


@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "bool"]
)
@pytest.mark.parametrize("isa", isas.available())
def test_extremes_of_several_lines(isa: int, dtype: str) -> None:
    """Lines that are compared together, and narrow rows, on every instruction set: as NumPy's."""
    used = th._C._isa()
    th._C._set_isa(isa)
    try:
        for terms in (3, 10, 16, 17, 31, 33, 63, 65, 100, 130, 257, 520, 1030):
            for lines in (3, 5, 8, 9, 17, 40, 66):
                array = extremes_among(dtype, (lines, terms), (terms + lines) % 3)
                for dim in (0, 1):
                    place = array.argmax(dim)
                    value = numpy.take_along_axis(array, numpy.expand_dims(place, dim), dim)
                    for got in (tensor(array), tensor(array.T.copy()).T):
                        assert (got.argmax(dim).numpy() == place).all()
                        for most in (th.amax(got, dim, True), got.max(dim, True)[0]):
                            assert most.numpy().tobytes() == value.tobytes() or (
                                numpy.isnan(value).any()
                                and numpy.array_equal(most.numpy(), value, equal_nan=True)
                            )
    finally:
        th._C._set_isa(used)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "float32", "int64"])
@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_decided_early(threads: int, dtype: str) -> None:
    """One odd element anywhere among many, of one line and of several: NumPy's answers."""
    used = th.get_num_threads()
    th.set_num_threads(threads)
    try:
        for n in (2050, 4097, 20000, 60001):
            for place in (p for p in (0, 63, 64, 511, 512, 4095, 4096, 16385, n - 1) if p < n):
                for usual in (0, 1):
                    array = numpy.full((n, 2), usual, dtype)
                    array[place::40000, 0] = 1 - usual
                    for x in (array, array[:, 0], array[:, 0].copy(), array.T.copy()):
                        for name in ("all", "any", "max", "min", "argmax", "argmin"):
                            for dim in (None, *range(x.ndim)):
                                got = getattr(th, {"max": "amax", "min": "amin"}.get(name, name))
                                result = got(tensor(x)) if dim is None else got(tensor(x), dim)
                                assert (result.numpy() == getattr(x, name)(dim)).all()
                        assert [v.item() for v in th.aminmax(tensor(x))] == [x.min(), x.max()]
    finally:
        th.set_num_threads(used)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "float16", "float64"])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_what_decides_early_is_a_tile_alone(threads: int, dtype: str) -> None:
    """Lines of which the first are decided at once and others late or never, or the other way round."""
    used = th.get_num_threads()
    th.set_num_threads(threads)
    try:
        for early, late in ((0, None), (700, 0), (0, 900), (None, 1399), (0, 0)):
            array = numpy.zeros((300, 1400), dtype)
            if early is not None:
                array[:2, early] = 1
            if late is not None:
                array[3::7, late] = 1
            for x in (array, array[:, :1390], array.T.copy().T):
                for name, dim, values in itertools.product(("any", "all"), (0, 1), (x, 1 - x)):
                    values = values.astype(dtype)
                    got = getattr(tensor(values), name)(dim)
                    assert (got.numpy() == getattr(values, name)(dim)).all(), (name, dim)
    finally:
        th.set_num_threads(used)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint8"])
@pytest.mark.usefixtures("each_isa")
def test_every_second(dtype: str) -> None:
    """What lies between the elements counts for nothing, not even at the end of memory."""
    for terms in (64, 65, 127, 129, 200, 513, 4097, 9000):
        rng = numpy.random.default_rng(terms)
        array = (rng.normal(size=(5, terms)) * 50).astype(dtype)
        array[1] = array[1] // 100 * 100
        array[2, -1] = array.max() + 1
        if dtype.startswith("float"):
            array[0, ::3] = -0.0
            array[0] = numpy.minimum(array[0], 0)
            array[3, rng.integers(terms)] = math.nan
            array[4, -1] = math.nan
        for start in (0, 1):
            between = numpy.full((5, 2 * terms), 100, dtype)
            between[::2] = math.nan if dtype.startswith("float") else 101
            between[:, start::2] = array
            apart = tensor(between[:, : 2 * terms - 1 + start].copy())[:, start::2]
            for call, dim in itertools.product((th.amax, th.amin, th.argmax, th.sum), (0, 1)):
                got, expected = call(apart, dim).numpy(), call(tensor(array), dim).numpy()
                if call is th.sum and dtype.startswith("float"):
                    assert numpy.allclose(got, expected, equal_nan=True)
                else:
                    assert got.tobytes() == expected.tobytes(), (call, terms, start)
