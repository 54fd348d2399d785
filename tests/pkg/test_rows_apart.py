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


def parts(values: numpy.ndarray, gap: int, *, ends: bool, between: float = numpy.nan) -> th.Tensor:
    """Rows of `values` with a gap between each two, filled with NaNs; the last row `ends` the memory, or they do."""
    count, width = values.shape
    memory = numpy.full(count * (width + gap) - gap * ends, between, values.dtype)
    return th.from_numpy(memory).unfold(0, width, width + gap).copy_(th.from_numpy(values))


def check(dtype: str, function: Callable[[th.Tensor], th.Tensor], *, alike: bool = True) -> None:
    """The same bits as where there are zeros between rows, and (`alike`) where no register fits."""
    rng = numpy.random.default_rng(1)
    for count, width in (*itertools.product(COUNTS, WIDTHS), *MANY):
        values = rng.normal(size=(count, width)).astype(dtype)
        near = function(parts(values, 1, ends=False)).numpy().tobytes()
        for gap in GAPS[: 1 if count > max(COUNTS) else None]:
            zeros = function(parts(values, gap, ends=False, between=0)).numpy().tobytes()
            assert zeros == near or not alike, (count, width, gap)
            for ends in (False, True):
                got = function(parts(values, gap, ends=ends)).numpy().tobytes()
                assert got == zeros, (count, width, gap, ends)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("name", ["sum", "prod", "mean", "norm", "var", "amax", "logsumexp"])
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_what_lies_between_rows_changes_no_reduction(name: str, dim: int, dtype: str) -> None:
    check(dtype, lambda rows: getattr(th, name)(rows, dim=dim))


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("columns", [0, 1, 2, 3, 4, 5, 8, 17])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_what_lies_between_rows_changes_no_product(columns: int, dtype: str) -> None:
    """Of a vector, where there are 0 columns, or a matrix of few, added to nothing, to a row, to as many."""

    def product(rows: th.Tensor) -> th.Tensor:
        (count, width), rng = rows.shape, numpy.random.default_rng(3)

        def drawn(*shape: int) -> th.Tensor:
            return th.from_numpy(rng.normal(size=shape).astype(dtype))

        if columns == 0:
            return rows @ drawn(width)
        factor, row, more = drawn(width, columns), drawn(columns), drawn(count, columns)
        return th.cat((rows @ factor, th.addmm(row, rows, factor), th.addmm(more, rows, factor)))

    check(dtype, product)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_what_lies_between_rows_changes_no_sum_of_them(dtype: str) -> None:
    """Each times a number; some that are near are added in another order."""
    numbers = numpy.random.default_rng(3).normal(size=max(count for count, _ in MANY))
    vector = th.from_numpy(numbers.astype(dtype))
    check(dtype, lambda rows: vector[: rows.shape[0]] @ rows, alike=False)
