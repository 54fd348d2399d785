"""Reductions: dims, empty ones, 0-d tensors, and the norm."""

from __future__ import annotations

import itertools
import math

import numpy
import pytest

import thwrap as th
from wrapgen.testing import isas
from wrapgen.testing.drawing import tensor

TOLERANCE = {"float16": 1e-3, "float32": 1e-6, "float64": 1e-14}
DIMS = (None, 0, -1, (0, 2), (0, 1, 2))


def norm(array: numpy.ndarray, p: float, dim, keepdim: bool) -> numpy.ndarray:
    """By the definition, in long double."""
    wide = numpy.abs(array.astype("longdouble"))
    if p == 0:
        return numpy.sum(wide != 0, axis=dim, keepdims=keepdim)
    if numpy.isinf(p):
        return (numpy.max if p > 0 else numpy.min)(wide, axis=dim, keepdims=keepdim)
    return numpy.sum(wide**p, axis=dim, keepdims=keepdim) ** (1 / numpy.longdouble(p))


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_norm(dtype: str) -> None:
    """Of any order, over any dims."""
    rng = numpy.random.default_rng(1)
    array = rng.normal(size=(3, 4, 5)).astype(dtype)
    for p in (0, 1, 2, 3, 0.5, -1, numpy.inf, -numpy.inf):
        for dim in DIMS:
            for keepdim in (False, True):
                got = tensor(array).norm(p, dim, keepdim)
                expected = norm(array, p, dim, keepdim)
                assert got.dtype.name == dtype
                assert tuple(got.shape) == expected.shape
                numpy.testing.assert_allclose(
                    got.numpy(), expected, rtol=TOLERANCE[dtype], err_msg=f"{p} {dim}"
                )
    assert tensor(array).norm().item() == tensor(array).norm(2).item()
    assert th.zeros(0).norm().item() == 0
    assert numpy.isnan(th.tensor([1.0, float("nan")]).norm().item())
    assert th.tensor([1.0, float("inf")]).norm().item() == numpy.inf


@pytest.mark.parametrize("columns", [1, 2, 3, 10, 16, 40])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int16", "int64"])
def test_narrow_columns(columns: int, dtype: str) -> None:
    """Few columns behind the dim are taken with those of their neighbours."""
    rng = numpy.random.default_rng(columns)
    for rows in (2, 5, 9, 17, 50, 150, 300):
        array = (rng.standard_normal((37, rows, columns)) * 3).astype(dtype)
        value, last = tensor(array), tensor(numpy.moveaxis(array, 1, 2).copy())
        wide = array.astype("float64")
        near = {"float16": 2e-3, "float32": 1e-6}.get(dtype, 1e-13)
        for name in ("cumsum", "softmax", "log_softmax"):
            if name == "cumsum" or dtype.startswith("float"):
                got, along = getattr(value, name)(1), getattr(last, name)(2).transpose(1, 2)
                exact = 0 if name == "cumsum" else near
                numpy.testing.assert_allclose(got.numpy(), along.numpy(), rtol=exact, atol=exact)
                out = th.empty(columns, rows, 37, dtype=got.dtype).permute(2, 1, 0)
                getattr(th, name)(value, 1, out=out)
                assert th.equal(out, got), (name, rows)
        size = numpy.abs(wide).sum(1).max()
        got = value.sum(1).double().numpy()
        numpy.testing.assert_allclose(got, wide.sum(1), rtol=near, atol=size * near)
        assert th.equal((value > 0).all(1), th.amin(value, 1) > 0)
        for p in (0.5, 1.5, 3) if dtype.startswith("float") else ():
            expected = (numpy.abs(wide) ** p).sum(1) ** (1 / p)
            with numpy.errstate(over="ignore"):
                expected = expected.astype(dtype).astype("float64")
            got = value.norm(p, 1).double().numpy()
            numpy.testing.assert_allclose(got, expected, rtol=near)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_norm_of_long_lines(dtype: str) -> None:
    """What is larger than the caches is asked for before it is read."""
    array = numpy.random.default_rng(8).normal(size=(8, 70000)).astype(dtype)
    for p in (1, 2, 3, 1.5):
        expected = (numpy.abs(array.astype("float64")) ** p).sum(1) ** (1 / p)
        numpy.testing.assert_allclose(tensor(array).norm(p, 1).numpy(), expected, rtol=1e-6)


def test_norm_of_other_dtypes() -> None:
    """Integers need `dtype=`."""
    with pytest.raises(TypeError, match="int64"):
        th.tensor([3, 4]).norm()
    assert th.tensor([3, 4]).norm(dtype=th.float64).item() == 5


REDUCTIONS = (
    "sum",
    "prod",
    "mean",
    "var",
    "std",
    "norm",
    "all",
    "any",
    "count_nonzero",
    "argmax",
    "argmin",
)


@pytest.mark.parametrize(
    "name", [*REDUCTIONS, "max", "min", "logsumexp", "cumsum", "cumprod", "sort", "median"]
)
def test_dims_of_0d_tensors(name: str) -> None:
    """A 0-d tensor has the dims 0 and -1 and stays 0-d; others are out of range."""
    value = th.tensor(2.5)
    for dim in (0, -1):
        got = getattr(value, name)(dim=dim)
        assert all(one.ndim == 0 for one in (got if isinstance(got, tuple) else (got,)))
    for dim in (1, -2):
        with pytest.raises(IndexError, match=name):
            getattr(value, name)(dim=dim)


@pytest.mark.parametrize("name", [name for name in REDUCTIONS if not name.startswith("arg")])
def test_dims_as_tuple(name: str) -> None:
    """No dims at all mean all of them; one named twice is an error."""
    value = th.rand(2, 3, 4)
    reduce = getattr(value, name)
    assert reduce(dim=()).tolist() == reduce(dim=None).tolist() == reduce(dim=(0, 1, 2)).tolist()
    assert reduce(dim=(2, 0)).shape == (3,)
    with pytest.raises(ValueError, match="twice"):
        reduce(dim=(0, -3))
    with pytest.raises(IndexError, match=name):
        reduce(dim=(0, 3))


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin"])
def test_nothing_to_choose_from(name: str) -> None:
    """The largest of no elements is an error; along other dims the result is empty."""
    value = th.zeros(3, 0)
    for dim in ((), (1,)):
        with pytest.raises((ValueError, IndexError), match=name):
            getattr(value, name)(*dim)
    got = getattr(value, name)(0)
    assert (got[0] if isinstance(got, tuple) else got).shape == (0,)


def test_sums_are_precise() -> None:
    """A million terms of float32 and float16 are summed in double precision."""
    assert th.full((1 << 20,), 0.1).sum().item() == numpy.float32(
        numpy.float64(numpy.float32(0.1)) * (1 << 20)
    )
    assert th.full((40000,), 1.0, dtype=th.float16).sum().item() == 40000
    assert th.ones(1 << 20, dtype=th.uint8).sum().item() == 1 << 20
    assert th.tensor([2.0**40, 1.0, -(2.0**40)] * 7).sum().item() == 7


def test_accumulated_overflow_wraps() -> None:
    most = 2**63 - 1
    assert th.tensor([most, 1]).sum().item() == -(2**63)
    assert th.tensor([most, 2]).prod().item() == -2
    assert th.tensor([most, 1]).cumsum(0).tolist() == [most, -(2**63)]


@pytest.mark.parametrize("name", ["all", "any"])
def test_truth_of_uint8_is_uint8(name: str) -> None:
    """Where bool is asked for by out=, bool."""
    a = th.tensor([[1, 0], [2, 3]], dtype=th.uint8)
    for given in (a, a > 0):
        result = getattr(given, name)(1)
        assert result.dtype is given.dtype
        assert result.tolist() == getattr(a.bool(), name)(1).tolist()
    out = th.empty(0, dtype=th.bool)
    assert getattr(th, name)(a, 0, out=out) is out
    assert out.tolist() == getattr(a.bool(), name)(0).tolist()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("terms", [1, 7, 8, 9, 63, 64, 65, 127, 129, 300, 4095, 4097, 4226])
def test_sums_are_within_their_bound(terms: int, dtype: str) -> None:
    """Along memory and across it, of numbers that cancel: the bound that THReduction.h derives."""
    rng = numpy.random.default_rng(terms)
    rounding = 2**-24 if dtype == "float32" else 2**-53
    for width in (1, 3, 8, 13, 46):
        array = (rng.normal(size=(terms, width)) * 100).astype(dtype)
        array[terms // 2 :] *= -1
        wide = array.astype("float64")
        each = {"sum": wide, "norm": numpy.square(wide.astype("longdouble"))}
        for given, dim in ((array, 0), (array.T.copy(), 1), (numpy.repeat(array, 2, 1)[:, ::2], 0)):
            for name, summed in each.items():
                exact = numpy.array([math.fsum(column) for column in summed.T])
                got = getattr(tensor(given), name)(dim=dim).numpy().astype("longdouble")
                got = got**2 if name == "norm" else got
                allowed = (
                    (142 + terms / 4096)
                    * 2**-53
                    * numpy.abs(wide if name == "sum" else summed).sum(0)
                )
                assert (numpy.abs(got - exact) <= allowed + 3 * rounding * numpy.abs(exact)).all()


@pytest.mark.parametrize("terms", [1, 7, 8, 13, 255, 256, 300, 1023, 4097, 9000])
def test_sums_of_halves_are_within_their_bound(terms: int) -> None:
    """Of which four are added in single precision."""
    rng = numpy.random.default_rng(terms)
    for width in (1, 3, 13, 46):
        array = rng.normal(size=(terms, width)).astype("float16")
        array[terms // 2 :] *= -1
        wide = array.astype("float64")
        allowed = 2**-22 * numpy.abs(wide).sum(0) + 2**-11 * numpy.abs(wide.sum(0))
        for given, dim in ((array, 0), (array.T.copy(), 1), (numpy.repeat(array, 2, 1)[:, ::2], 0)):
            got = tensor(given).sum(dim).numpy().astype("float64")
            assert (numpy.abs(got - wide.sum(0)) <= allowed + 2**-25).all()


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64", "bool"])
@pytest.mark.parametrize("terms", [1, 7, 9, 15, 16, 17, 63, 127, 129, 300, 4097, 4226])
def test_rows_and_lines_of_integers_are_alike(terms: int, dtype: str) -> None:
    """Along memory and across it the same, products that wrap too."""
    rng = numpy.random.default_rng(terms)
    for width in (1, 3, 8, 13, 46):
        array = (rng.normal(size=(terms, width)) * 100).astype(dtype)
        turned = tensor(array.T.copy())
        for name in ("sum", "prod"):
            rows = getattr(tensor(array), name)(0).numpy()
            assert rows.tobytes() == getattr(turned, name)(1).numpy().tobytes()
            assert rows.tobytes() == getattr(numpy, name)(array, 0, dtype="int64").tobytes()


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize(
    "shape",
    [
        *((9000, 3), (3, 9000), (129, 5, 77), (20, 30, 46), (300, 1100), (70000,)),
        *((8300, 130), (30, 8, 1500)),
    ],
)
def test_sums_are_the_same_everywhere(shape: tuple[int, ...], dtype: str) -> None:
    """On every instruction set, with any number of threads."""
    array = (1 + numpy.random.default_rng(1).normal(size=shape) / 1000).astype(dtype)
    used, threads = th._C._isa(), th.get_num_threads()
    dims = (None, *range(len(shape)), *((0, -1), (0, 1)) * (len(shape) > 2))
    seen = set()
    for isa in isas.available():
        for count in (1, 2, 3):
            th._C._set_isa(isa)
            th.set_num_threads(count)
            try:
                a = tensor(array)
                results = [
                    getattr(view, name)(*p, dim=dim).numpy().tobytes()
                    for dim in dims
                    for view in (a, a[..., ::2], a[..., 1:])
                    for name, *p in (("sum",), ("prod",), ("var",), ("norm", 1), ("norm", 2))
                ]
            finally:
                th._C._set_isa(used)
                th.set_num_threads(threads)
            seen.add(tuple(results))
    assert len(seen) == 1


@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "float64", "int8", "uint8", "int16", "int32", "int64", "bool"]
)
@pytest.mark.parametrize("isa", isas.available())
def test_across_rows(isa: int, dtype: str) -> None:
    """Extremes and counts of columns, wherever vectors and groups of rows end; NaN wins."""
    rng, used = numpy.random.default_rng(1), th._C._isa()
    shapes = [
        (rows, n) for rows in (1, 3, 12, 13, 30, 140) for n in (3, 17, 64, 67, 200, 301, 1030)
    ]
    th._C._set_isa(isa)
    try:
        for shape in [*shapes, (13, (16 << 20) // numpy.dtype(dtype).itemsize // 13 + 5)]:
            array = rng.integers(-2 if dtype[0] in "if" else 0, 3, shape).astype(dtype)
            if dtype.startswith("float"):
                array[rng.integers(shape[0]), ::7] = numpy.nan
                array[0, -1] = array[-1, 0] = numpy.nan
            a = tensor(array)
            expected = {
                "amax": array.max(0),
                "amin": array.min(0),
                "any": array.any(0),
                "count_nonzero": numpy.count_nonzero(array, axis=0),
            }
            for name, values in expected.items():
                got = getattr(a, name)(0).numpy()
                numpy.testing.assert_array_equal(got, values.astype(got.dtype), f"{name} {shape}")
    finally:
        th._C._set_isa(used)


@pytest.mark.parametrize("isa", isas.available())
def test_means_are_quotients(isa: int) -> None:
    """The sum in double, divided, then rounded to float: also of 0, -0, NaN and what is infinite."""
    rng, used = numpy.random.default_rng(1), th._C._isa()
    th._C._set_isa(isa)
    try:
        for rows, scale in itertools.product((3, 7, 10, 49, 1000), (1, 1e-38, 1e-44, 1e37)):
            array = (rng.normal(size=(rows, 2500)) * scale).astype("float32")
            array[:, 0], array[:, 1] = -0.0, 0.0
            array[0, 2:4], array[1, 3], array[1, 4] = numpy.inf, -numpy.inf, numpy.nan
            sums = tensor(array.astype("float64")).sum(0).numpy()
            with numpy.errstate(over="ignore"):
                expected = (sums / rows).astype("float32")
            got = tensor(array).mean(0).numpy()
            numpy.testing.assert_array_equal(got, expected)
            assert (numpy.signbit(got) == numpy.signbit(expected))[numpy.isfinite(got)].all()
    finally:
        th._C._set_isa(used)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("isa", isas.available())
def test_sums_of_every_second_element(isa: int, dtype: str) -> None:
    """The bits of a copy, wherever lines end; nothing follows the last one."""
    rng, used = numpy.random.default_rng(1), th._C._isa()
    th._C._set_isa(isa)
    try:
        for terms in (3, 63, *range(64, 82), 128, 1000, 4096, 4099, 9000):
            for lines in (1, 2, 9):
                wide = tensor(rng.normal(size=(lines, 2 * terms - 1)).astype(dtype))
                apart = wide[:, ::2]
                for name in ("sum", "mean"):
                    got, expected = getattr(apart, name)(1), getattr(apart.contiguous(), name)(1)
                    assert got.numpy().tobytes() == expected.numpy().tobytes(), (terms, lines, name)
    finally:
        th._C._set_isa(used)
