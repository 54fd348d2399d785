"""Reductions: dims, empty ones, 0-d tensors, and the norm."""

from __future__ import annotations

import numpy
import pytest
from drawing import tensor

import thwrap as th

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
    big = th.tensor([1e16, 1.0, -1e16] * 7, dtype=th.float32)
    assert big.sum().item() == 7 or abs(big.sum().item()) <= 64


def test_accumulated_overflow_wraps() -> None:
    most = 2**63 - 1
    assert th.tensor([most, 1]).sum().item() == -(2**63)
    assert th.tensor([most, 2]).prod().item() == -2
    assert th.tensor([most, 1]).cumsum(0).tolist() == [most, -(2**63)]
