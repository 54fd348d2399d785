"""Comparisons of whole tensors: one difference is found, wherever it is."""

from __future__ import annotations

import math

import numpy
import pytest

import thwrap as th
from wrapgen.testing.declared import DTYPES, FLOATS
from wrapgen.testing.drawing import draw, tensor


@pytest.mark.parametrize("shape", [(3, 5000), (5000, 3), (20, 30, 40), (2, 1, 70000)])
def test_one_difference_is_found(shape: tuple[int, ...]) -> None:
    """Wherever it is, in any layout."""
    x = th.arange(math.prod(shape)).view(shape)
    last = (*range(1, x.ndim), 0)
    views = (x, x.permute(last), x[..., ::2], x[1:], x[:, :1].expand(x.shape))
    for a in (*views, x[..., 1:], x[::2][..., 1:]):
        b = a.permute(last).contiguous().permute(-1, *range(x.ndim - 1))
        for other in (a.clone(), b, a.contiguous()):
            assert th.equal(a, other)
            assert th.equal(other, a)
            assert th.allclose(a, other)
            for place in (0, a.numel() // 2, a.numel() - 1):
                changed = other.clone()
                changed[numpy.unravel_index(place, a.shape)] += 10**6
                assert not th.equal(a, changed)
                assert not th.equal(changed, a)
                assert not th.allclose(a, changed)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", DTYPES)
def test_one_other_element_is_found(dtype: str) -> None:
    """At every place of lines that fill registers, and of such that do not; what is around them does not count."""
    rng = numpy.random.default_rng(5)
    for n in (1, 2, 15, 64, 65, 127, 300, 2050):
        x = draw(rng, dtype, (n + 2,), None, False)
        y = x.copy()
        y[0], y[-1] = (False, False) if dtype == "bool" else (x[0] + 1, x[-1] + 1)
        a, b = tensor(x)[1:-1], tensor(y)[1:-1]
        assert th.equal(a, b)
        for place in range(n) if n < 2000 else (0, 1023, 1024, n - 1):
            before = y[1 + place]
            b[place] = not before if dtype == "bool" else before - 1
            assert not th.equal(a, b), (n, place)
            assert not th.equal(b, a), (n, place)
            b[place] = before.item()
        assert th.equal(a, b)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_are_compared_where_they_lie(dtype: str, threads: int) -> None:
    """One difference in any row is found; what lies between them does not count."""
    rng, used = numpy.random.default_rng(6), th.get_num_threads()
    th.set_num_threads(threads)
    try:
        for shape in ((700, 130), (9, 70, 150), (3, 70_000)):
            wide = (*shape[:-1], shape[-1] + 5)
            x, y = draw(rng, dtype, wide, None, False), draw(rng, dtype, wide, None, False)
            y[..., 2:-3] = x[..., 2:-3]
            a, b = (tensor(each)[..., 2:-3] for each in (x, y))
            a, b = (each[:, ::2] if each.ndim == 3 else each for each in (a, b))
            assert th.equal(a, b)
            for place in (0, a.numel() // 3, a.numel() - 1):
                index = tuple(map(int, numpy.unravel_index(place, tuple(a.shape))))
                before = b[index].item()
                b[index] = not before if dtype == "bool" else before - 1
                assert not th.equal(a, b), index
                assert not th.equal(b, a), index
                b[index] = before
            assert th.equal(a, b)
    finally:
        th.set_num_threads(used)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", FLOATS)
def test_other_bits_are_no_difference(dtype: str) -> None:
    """Zeros are equal whatever their signs, NaN is equal to nothing; infinities and subnormal numbers are numbers."""
    info = numpy.finfo(dtype)
    values = numpy.array([0.0, info.smallest_subnormal, info.tiny, 1.0, info.max, numpy.inf], dtype)
    for n in (3, 70):
        for value in (*values, *-values):
            a = th.full((n,), float(value), dtype=getattr(th, dtype))
            b = a.clone()
            assert th.equal(a, b)
            assert th.equal(a, -b) == (value == 0)
            assert th.equal(a, a)
            b[n - 1] = math.nan
            assert not th.equal(a, b)
            assert not th.equal(b, b)


@pytest.mark.usefixtures("each_isa")
def test_true_is_any_byte_but_zero() -> None:
    for n in (1, 40, 200):
        ones, others = numpy.ones(n, numpy.uint8), numpy.arange(1, n + 1, dtype=numpy.uint8)
        a, b = (th.from_numpy(bytes_.view(numpy.bool_)) for bytes_ in (ones, others))
        assert th.equal(a, b)
        others[n // 2] = 0
        assert not th.equal(a, b)
