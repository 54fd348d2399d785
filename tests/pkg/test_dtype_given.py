"""Reductions, scans and softmax in a dtype that the caller names: what they would give of the converted tensor."""

from __future__ import annotations

import math

import numpy
import pytest

import thwrap as th
from wrapgen.testing.declared import DTYPES, FLOATS

# Whole numbers whose sums are exact, and what does not fit a dtype.
VALUES = [1, -3, 300, 0, 70000, 2, -1, 5, -(2**33), 127, 128, -129]
OF_FLOATS = {
    "mean": lambda a, **given: a.mean(0, **given),
    "norm": lambda a, **given: a.norm(2, 1, **given),
    "norm of power 1": lambda a, **given: a.norm(1, **given),
    "softmax": lambda a, **given: a.softmax(1, **given),
    "softmax of columns": lambda a, **given: a.softmax(0, **given),
    "log_softmax": lambda a, **given: a.log_softmax(1, **given),
    "log_softmax of columns": lambda a, **given: a.log_softmax(0, **given),
}
OF_ALL = {
    "sum": lambda a, **given: a.sum(**given),
    "sum of rows": lambda a, **given: a.sum(0, **given),
    "sum of lines": lambda a, **given: a.sum(1, keepdim=True, **given),
    "sum of blocks": lambda a, **given: a.unfold(0, 2, 2).sum((0, 1), **given),
    "prod of lines": lambda a, **given: a.prod(1, **given),
    "prod": lambda a, **given: a.prod(0, **given),
    "cumsum": lambda a, **given: a.cumsum(1, **given),
    "cumsum of rows": lambda a, **given: a.cumsum(0, **given),
    "cumprod": lambda a, **given: a.cumprod(1, **given),
}
LAYOUTS = {
    "contiguous": lambda array: th.from_numpy(array),
    "every second": lambda array: th.from_numpy(numpy.repeat(array, 2, 1))[:, ::2],
    "rows apart": lambda array: th.from_numpy(numpy.tile(array, 2))[:, : array.shape[1]],
    "expanded": lambda array: th.from_numpy(array[0].copy()).expand(array.shape),
    "transposed": lambda array: th.from_numpy(array.T.copy()).t(),
}


def values(dtype: str, shape: tuple[int, int]) -> numpy.ndarray:
    every = numpy.resize(numpy.array(VALUES, "float64"), math.prod(shape)).reshape(shape)
    if dtype in FLOATS:
        every[0, 1], every[1, 0] = math.nan, math.inf
        return (
            every.clip(-65000, 65000).astype(dtype) if dtype == "float16" else every.astype(dtype)
        )
    return every.astype("int64").astype(dtype)


@pytest.mark.parametrize("shape", [(6, 4), (40, 150), (1200, 6)])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("given", DTYPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_given_dtype_is_that_of_the_converted(dtype: str, given: str, layout: str, shape) -> None:
    """All elements are converted alone, by the rule of `to`, before they are added or multiplied."""
    target = getattr(th, given)
    a = LAYOUTS[layout](values(dtype, shape))
    before = a.numpy().copy()
    converted = a.to(target)
    for name, op in (OF_ALL | OF_FLOATS if given in FLOATS else OF_ALL).items():
        result, expected = op(a, dtype=target), op(converted, dtype=target)
        assert result.dtype == target
        assert result.numpy().dtype == given
        message = f"{name}, {layout}"
        numpy.testing.assert_array_equal(result.numpy(), expected.numpy(), message)
    assert a.numpy().tobytes() == before.tobytes()


@pytest.mark.parametrize("given", DTYPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_given_dtype_of_nothing_and_of_one(dtype: str, given: str) -> None:
    target = getattr(th, given)
    nothing, one = th.zeros(0, 3, dtype=getattr(th, dtype)), th.tensor([3]).to(getattr(th, dtype))
    assert nothing.sum(0, dtype=target).tolist() == [0, 0, 0]
    assert nothing.prod(0, dtype=target).tolist() == [1, 1, 1]
    assert nothing.cumsum(0, dtype=target).shape == (0, 3)
    for result in (one.sum(0, dtype=target), one.prod(dtype=target), one.cumsum(0, dtype=target)):
        assert result.dtype == target
        assert result.reshape(-1).tolist() == one.to(target).tolist()
