"""Parts of rows, with NaNs between them: loops may read these where a register has room for more than a part."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy
import pytest

import thwrap as th

WIDTHS = (*range(1, 21), 31, 37, 50)
COUNTS = (1, 2, 7, 8, 9, 16, 17, 25, 70, 3000)
MANY = ((140000, 2), (50000, 7))  # more than the caches near a core have
GAPS = (16, 20, 100)


def parts(values: numpy.ndarray, gap: int, *, ends: bool) -> th.Tensor:
    """Rows of `values` with so many NaNs between each two; the last row `ends` the memory, or NaNs do."""
    count, width = values.shape
    memory = numpy.full(count * (width + gap) - gap * ends, numpy.nan, values.dtype)
    return th.from_numpy(memory).unfold(0, width, width + gap).copy_(th.from_numpy(values))


def check(dtype: str, function: Callable[[th.Tensor], th.Tensor]) -> None:
    """The same bits as where no register fits between two rows."""
    rng = numpy.random.default_rng(1)
    for count, width in (*itertools.product(COUNTS, WIDTHS), *MANY):
        values = rng.normal(size=(count, width)).astype(dtype)
        expected = function(parts(values, 1, ends=False)).numpy().tobytes()
        for gap in GAPS[: 1 if count > max(COUNTS) else None]:
            for ends in (False, True):
                got = function(parts(values, gap, ends=ends)).numpy().tobytes()
                assert got == expected, (count, width, gap, ends)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("name", ["sum", "prod", "mean", "norm", "var", "amax", "logsumexp"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_what_lies_between_rows_changes_no_reduction(name: str, dtype: str) -> None:
    check(dtype, lambda rows: getattr(th, name)(rows, dim=1))


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("columns", [0, 1, 2, 3, 4, 5, 8, 17])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_what_lies_between_rows_changes_no_product(columns: int, dtype: str) -> None:
    """Of a vector, where there are 0 columns, or a matrix of few."""

    def product(rows: th.Tensor) -> th.Tensor:
        shape = (rows.shape[1], columns) if columns else (rows.shape[1],)
        return rows @ th.from_numpy(numpy.random.default_rng(3).normal(size=shape).astype(dtype))

    check(dtype, product)
