"""Variances and standard deviations, which are found in one pass over memory."""

from __future__ import annotations

import numpy
import pytest

import thwrap as th
from wrapgen.testing.drawing import tensor

TERMS = [2, 3, 4, 5, 7, 8, 9, 15, 17, 31, 33, 63, 64, 65, 127, 129, 300, 4095, 4097, 9000]
# In units of rounding (2^-53 for float64). Less than TH/ops/THReduction.h derives, since rounding mostly cancels, so
# that a shift too far from the mean, which TH/loops/moments.c avoids, is seen.
BOUND = 16
UNIT = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11}


def noise(rng: numpy.random.Generator, shape: tuple[int, ...]) -> numpy.ndarray:
    return rng.standard_normal(shape)


def far_from_zero(rng: numpy.random.Generator, shape: tuple[int, ...]) -> numpy.ndarray:
    return rng.standard_normal(shape) + 1000


def farther(rng: numpy.random.Generator, shape: tuple[int, ...]) -> numpy.ndarray:
    return rng.standard_normal(shape) + 1e8


def trend(rng: numpy.random.Generator, shape: tuple[int, ...]) -> numpy.ndarray:
    return numpy.linspace(-3, 5, shape[0])[:, None] + rng.random(shape) * 1e-3


def outliers_first(rng: numpy.random.Generator, shape: tuple[int, ...]) -> numpy.ndarray:
    array = rng.standard_normal(shape)
    array[: max(1, shape[0] // 20)] = -100
    return array


def outliers_spread(rng: numpy.random.Generator, shape: tuple[int, ...]) -> numpy.ndarray:
    """Where a line is sampled, or some of its rows are."""
    array = rng.standard_normal(shape)
    step = max(1, (shape[0] - 8) // 7)
    for first in range(0, shape[0], step):
        array[first : first + 8] = 1e5
    return array if shape[0] > 64 else array + 1e5


def one_outlier(rng: numpy.random.Generator, shape: tuple[int, ...]) -> numpy.ndarray:
    array = rng.standard_normal(shape)
    array[rng.integers(0, shape[0]), ::2] += 1e6
    return array


def walk(rng: numpy.random.Generator, shape: tuple[int, ...]) -> numpy.ndarray:
    return rng.standard_normal(shape).cumsum(0)


DATA = (noise, far_from_zero, farther, trend, outliers_first, outliers_spread, one_outlier, walk)


def wide_variance(array: numpy.ndarray, axis: int | tuple[int, ...]) -> numpy.ndarray:
    """By the definition, in long double."""
    return numpy.var(array.astype("longdouble"), axis=axis, ddof=1)


@pytest.mark.parametrize("data", DATA, ids=lambda data: data.__name__)
@pytest.mark.parametrize("dtype", UNIT)
def test_variances_are_within_their_bound(dtype: str, data) -> None:
    """Along memory and across it, of many results and of few, however the mean lies to what is first."""
    if dtype == "float16" and data in (farther, one_outlier, outliers_spread):
        pytest.skip("outside of float16, or all of it is")
    rng = numpy.random.default_rng(3)
    for terms in TERMS:
        for results in (1, 3, 70, 1100) if terms <= 129 else (1, 9):
            columns = data(rng, (terms, results)).astype(dtype)
            lines = numpy.ascontiguousarray(columns.T)
            apart = numpy.repeat(columns, 2, axis=1)
            expected = wide_variance(columns, 0).astype("float64")
            bound = (BOUND * UNIT["float64"] + (dtype != "float64") * UNIT[dtype]) * expected
            bound += numpy.finfo(dtype).smallest_subnormal
            for name, got in (
                ("columns", tensor(columns).var(0)),
                ("lines", tensor(lines).var(1)),
                ("columns apart", tensor(apart)[:, ::2].var(0)),
                ("lines apart", tensor(numpy.repeat(lines, 2, axis=1))[:, ::2].var(1)),
                ("lines of columns", tensor(columns).t().var(1)),
            ):
                error = numpy.abs(got.numpy().astype("float64") - expected)
                assert (error <= bound).all(), (name, terms, results, numpy.max(error / bound))
            numpy.testing.assert_array_equal(tensor(lines).std(1).numpy() >= 0, True)


@pytest.mark.parametrize("data", [farther, walk, outliers_first], ids=lambda data: data.__name__)
def test_variances_over_several_dims(data) -> None:
    """Runs of adjacent elements, which are merged, and what is brought side by side first."""
    rng = numpy.random.default_rng(4)
    for shape in ((3, 5, 7, 9), (40, 2, 130, 3), (2, 3, 4, 1000), (300, 20, 30, 1)):
        array = data(rng, (numpy.prod(shape), 1)).reshape(shape)
        for turned in (array, array.transpose(3, 1, 0, 2), array.transpose(0, 2, 1, 3)):
            for dims in ((0, 2), (1, 3), (0, 1, 3), (1, 2), (0, 1, 2, 3)):
                got = tensor(turned).var(dims).numpy()
                expected = wide_variance(turned, dims).astype("float64")
                numpy.testing.assert_allclose(got, expected, rtol=BOUND * UNIT["float64"])


@pytest.mark.parametrize("dtype", UNIT)
def test_what_is_constant_does_not_vary(dtype: str) -> None:
    """To the last bit, also where the mean of some of it is rounded."""
    for value in (0.1, 1e-3, -7.3, 1 / 3, 3e4):
        for terms in TERMS:
            a = th.full((terms, 19), value, dtype=getattr(th, dtype))
            for given in (a, a.t().contiguous().t(), a.t()):
                for dim in (0, 1, (0, 1)):
                    assert (given.var(dim) == 0).all().item()
                    assert (given.std(dim) == 0).all().item()


@pytest.mark.parametrize("dtype", UNIT)
@pytest.mark.parametrize("value", [numpy.inf, -numpy.inf, numpy.nan])
def test_variance_of_what_is_not_finite(dtype: str, value: float) -> None:
    """NaN, wherever it lies, and only for the results that have it."""
    rng = numpy.random.default_rng(5)
    for terms in (2, 3, 9, 40, 200, 5000):
        for at in {0, 1, terms // 2, terms - 1}:
            array = rng.standard_normal((terms, 11)).astype(dtype)
            array[at, 4] = value
            for got in (tensor(array).var(0), tensor(array.T.copy()).var(1)):
                assert numpy.isnan(got.numpy()).tolist() == [i == 4 for i in range(11)]


def test_variance_of_large_numbers() -> None:
    """Of which squares overflow, as by the definition."""
    rng = numpy.random.default_rng(6)
    for terms in (2, 5, 64, 65, 300, 5000):
        array = rng.standard_normal((terms, 9)) * 1e160
        for got in (tensor(array).var(0), tensor(array.T.copy()).var(1)):
            assert (got == numpy.inf).all().item()
        small = array * 1e-160 * 1e-165
        assert (tensor(small).var(0) == 0).all().item()


def test_variance_of_nothing() -> None:
    for correction in (-1, 0, 1):
        assert numpy.isnan(th.zeros(0).var(dim=0, correction=correction).item())


def test_spread_corrections() -> None:
    """A correction need not be a whole number; no dim is all dims."""
    a = th.arange(4.0)
    assert a.var(correction=1.5).item() == 2
    assert a.var(None, True).item() == a.var().item()
