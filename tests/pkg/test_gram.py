"""Products of a matrix with its transpose, which are symmetric."""

from __future__ import annotations

import functools
import itertools
import math

import numpy
import pytest
from products import DTYPES, check_product, matrices, product

import thwrap as th
from wrapgen.testing.layouts import LAYOUTS
from wrapgen.testing.settings import restored


@pytest.mark.parametrize(
    "size",
    [(63, 9), (64, 8), (24, 96), (50, 333), (97, 40), (130, 7), (257, 30), (3, 70, 20), (700, 90)],
)
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_matrix_times_its_transpose(dtype: str, size: tuple[int, ...]) -> None:
    """Has the same bits for any number of threads, in any layout, scaled, and into any layout of a result."""
    (one,) = matrices(dtype, size)
    other = numpy.ascontiguousarray(one.swapaxes(-1, -2))
    expected, allowed = product(one, other, dtype)
    rows = size[-2]
    results = [
        th.zeros(*size[:-2], rows, rows, dtype=getattr(th, dtype)),
        th.zeros(*size[:-2], rows, rows + 3, dtype=getattr(th, dtype))[..., 1:-2],
        th.zeros(*size[:-2], rows, rows, dtype=getattr(th, dtype)).transpose(-1, -2),
    ]
    with restored():
        for layout in LAYOUTS.values():
            it = layout(one)
            bits = set()
            for threads in (1, 2, 3):
                th.set_num_threads(threads)
                got = it @ it.transpose(-1, -2)
                check_product(got, expected, allowed, dtype)
                bits.add(got.numpy().tobytes())
            assert len(bits) == 1
            for result in results:
                th.matmul(it, it.transpose(-1, -2), out=result)
                assert numpy.array_equal(result.numpy(), got.numpy())
            if len(size) == 2:
                twice = th.addmm(th.ones(rows, dtype=got.dtype), it, it.t(), beta=0, alpha=2)
                assert numpy.array_equal(twice.numpy(), (2 * got.numpy()).astype(dtype))


GRAMS = [
    *[(24, 96), (50, 333), (2, 33, 140), (6, 40_000), (25, 9001)],
    *[(64, 63), (113, 25), (153, 43), (161, 92), (251, 280), (300, 131), (2, 277, 514)],
    *[(515, 700), (2, 70, 2500)],  # of so many terms some are summed at a time
]


@functools.cache
def gram(dtype: str, size: tuple[int, ...]) -> tuple[numpy.ndarray, numpy.ndarray | None]:
    (one,) = matrices(dtype, size)
    return product(one, one.swapaxes(-1, -2), dtype)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize(
    ("dtype", "size"),
    [
        *itertools.product(["float32", "float64"], GRAMS),
        *(("float16", size) for size in GRAMS if size[-2] >= 256),
    ],
)
def test_a_matrix_times_its_transpose_is_symmetric(dtype: str, size: tuple[int, ...]) -> None:
    """To the bit, from 64 rows (float16: 256) of 8 elements on, 24 of four times as many; by any number of threads."""
    (one,) = matrices(dtype, size)
    with restored():
        for layout in LAYOUTS.values():
            it = layout(one)
            th.set_num_threads(2)
            results = [it @ it.transpose(-1, -2)]
            check_product(results[0], *gram(dtype, size), dtype)
            if len(size) == 2:
                results.append(th.addmm(results[0], it, it.t(), beta=0, alpha=0.3))
            for got in results:
                assert numpy.array_equal(got.numpy(), got.numpy().swapaxes(-1, -2))
            for threads in (1, 5):
                th.set_num_threads(threads)
                assert numpy.array_equal((it @ it.transpose(-1, -2)).numpy(), results[0].numpy())


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_no_part_of_a_product_with_itself(dtype: str) -> None:
    """Is zero, whatever the elements are."""
    it = th.full((300, 20), math.inf, dtype=getattr(th, dtype))
    for rows in (64, 161, 300):
        got = th.addmm(th.ones(rows, dtype=it.dtype), it[:rows], it[:rows].t(), beta=0, alpha=0)
        assert (got == 0).all()
