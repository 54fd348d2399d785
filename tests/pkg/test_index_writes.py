"""Operations that write by index: what stays in a place that several indices name, in every layout, by all threads."""

from __future__ import annotations

import itertools

import numpy
import pytest

import thwrap as th
from wrapgen.testing import isas
from wrapgen.testing.declared import DTYPES
from wrapgen.testing.drawing import tensor


@pytest.mark.parametrize("dtype", DTYPES)
def test_put_accumulates(dtype: str) -> None:
    values = th.arange(6).to(getattr(th, dtype)).reshape(2, 3).t()
    index = th.tensor([[0, -1], [0, 1]])
    source = th.tensor([[1, 2], [3, 4]]).to(values.dtype)
    expected = values.numpy().copy().ravel()
    numpy.add.at(expected, index.numpy().ravel(), source.numpy().ravel())
    added = values.put(index, source, accumulate=True)
    assert added.tolist() == expected.reshape(3, 2).tolist()
    assert values.put_(index, source, True).tolist() == added.tolist()


def test_index_fill_counts_from_the_end() -> None:
    """As PyTorch's does, alone among its kin; a 0-d tensor may be filled several times."""
    a = th.zeros(2, 3)
    assert a.index_fill(1, th.tensor([-1, 0]), 5).tolist() == [[5, 0, 5]] * 2
    assert th.tensor(3.0).index_fill(0, th.tensor([0, -1]), 2).tolist() == 2
    with pytest.raises(IndexError, match=r"^index_fill_: index -4"):
        a.index_fill_(1, th.tensor([-4]), 5)
    with pytest.raises(IndexError, match=r"^index_copy: index -1"):
        a.index_copy(1, th.tensor([-1]), th.ones(2, 1))


@pytest.mark.parametrize("dtype", ["bool", "float16", "int32", "float64"])
@pytest.mark.parametrize(("size", "n"), [(5, 1), (5, 3), (1000, 700), (600_000, 70_000)])
@pytest.mark.parametrize("threads", [1, 2])
def test_numbers_for_all_indices(dtype: str, size: int, n: int, threads: int) -> None:
    """A number, a tensor without dims, which may lie in what is written, or one for each index, the last of which stays
    where indices are the same; nothing where an index is wrong."""
    rng = numpy.random.default_rng(n)
    index = rng.integers(-size, size, n)
    index[0] = -2
    expected = rng.integers(0, 2, size).astype(dtype)
    got, places = th.from_numpy(expected.copy()), th.from_numpy(index)
    many = th.from_numpy(rng.integers(0, 100, n).astype(dtype))
    before = th.get_num_threads()
    th.set_num_threads(threads)
    try:
        for value in (True, th.tensor(3), got[1], many):
            got[places] = value
            expected[index] = value.numpy() if isinstance(value, th.Tensor) else value
            numpy.testing.assert_array_equal(got.numpy(), expected)
    finally:
        th.set_num_threads(before)
    places[n // 2] = size
    with pytest.raises(IndexError, match=f"index {size} is out of bounds"):
        got[places] = 0
    numpy.testing.assert_array_equal(got.numpy(), expected)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize(
    "shape", [(300, 5), (70, 16), (1024, 20), (4096, 3), (40, 600), (9, 300, 7), (3, 2, 700, 4)]
)
@pytest.mark.parametrize("threads", [1, 2])
def test_places_named_again(shape: tuple[int, ...], threads: int) -> None:
    """The last element of a place stays, and sums are rounded in the order of the index: in tensors of every layout,
    also where columns are whole pages apart.
    """
    rng, before = numpy.random.default_rng(7), th.get_num_threads()
    index, shared = rng.integers(0, shape[-1], shape), rng.integers(0, shape[-1], 2 * shape[-1])
    where = (*numpy.indices(shape)[:-1], index)
    layouts = (
        lambda x: tensor(x),
        lambda x: tensor(numpy.moveaxis(numpy.moveaxis(x, 0, -1).copy(), -1, 0)),
        lambda x: tensor(numpy.repeat(x, 2, -1))[..., ::2],
    )
    try:
        th.set_num_threads(threads)
        for dtype in ("uint8", "float32", "float64", "int64"):
            array, source, more = (
                (100 * rng.normal(size=size)).astype(dtype)
                for size in (shape, shape, (*shape[:-1], 2 * shape[-1]))
            )
            last, sums, slices = array.copy(), array.copy(), array.copy()
            for i in range(shape[-1]):
                numpy.put_along_axis(last, index[..., i : i + 1], source[..., i : i + 1], -1)
            numpy.add.at(sums, where, source)
            for i, place in enumerate(shared):
                slices[..., place] += more[..., i]
            for own, other in itertools.product(layouts, layouts):
                self = own(array)
                for place in (tensor(index), layouts[1](index)):
                    assert numpy.array_equal(self.scatter(-1, place, other(source)).numpy(), last)
                    assert numpy.array_equal(
                        self.scatter_add(-1, place, other(source)).numpy(), sums
                    )
                got = self.index_add(-1, tensor(shared), other(more))
                assert numpy.array_equal(got.numpy(), slices)
    finally:
        th.set_num_threads(before)


@pytest.mark.parametrize("columns", [1, 3, 15, 16, 300])
@pytest.mark.parametrize("dim", [0, 1])
def test_slices_are_filled_and_copied(columns: int, dim: int) -> None:
    """One number, one row for all, or a transposed source, into slices that one index names each."""
    index = numpy.array([4, 0, 2, 4])
    for dtype in ("uint8", "int16", "float32", "float64"):
        array = numpy.arange(6 * columns).reshape(6, columns).astype(dtype)
        array = array if dim == 0 else array.T.copy()
        key = (index,) if dim == 0 else (slice(None), index)
        source = numpy.arange(4 * columns)[::-1].reshape(columns, 4).T.astype(dtype)
        source = source if dim == 0 else source.T
        row = (source[1:2] if dim == 0 else source[:, 1:2]) + numpy.ones((), dtype)
        for value in (source, numpy.asarray(9, dtype), row):
            expected, written = array.copy(), th.tensor(array)
            expected[key] = value
            written[tuple(th.tensor(k) if isinstance(k, numpy.ndarray) else k for k in key)] = (
                th.from_numpy(value)
            )
            numpy.testing.assert_array_equal(written.numpy(), expected)
        filled = th.tensor(array).index_fill_(dim, th.tensor(index), 9).numpy()
        numpy.testing.assert_array_equal(filled[key], numpy.full_like(array[key], 9))


@pytest.mark.parametrize("dtype", ["float16", "float32", "int8"])
def test_sums_by_index_are_the_same_on_every_machine(dtype: str) -> None:
    """Of all kinds of halves too: subnormal ones, infinities and NaN."""
    rng = numpy.random.default_rng(4)
    bits = rng.integers(0, 2**16, 6000).astype("uint16")
    array = bits.view("float16") if dtype == "float16" else bits.astype(dtype)
    index = th.from_numpy(rng.integers(0, 200, 6000))
    used, sums = th._C._isa(), []
    try:
        for isa in isas.available():
            th._C._set_isa(isa)
            self, source = th.from_numpy(array[:200].copy()), th.from_numpy(array)
            turned = th.from_numpy(array.reshape(20, 300).copy())
            results = [
                self.scatter_add(0, index, source),
                self.put(index, source, accumulate=True),
                turned.index_add(1, index[:300], turned.flip(0)),
                turned.t().scatter_add(0, index.view(20, 300).t() % 20, turned.t()),
            ]
            sums.append([result.numpy() for result in results])
    finally:
        th._C._set_isa(used)
    for other in sums:
        for sum_, expected in zip(other, sums[0], strict=True):
            numpy.testing.assert_array_equal(sum_, expected)
            assert (numpy.signbit(sum_) == numpy.signbit(expected))[sum_ == sum_].all()


@pytest.mark.parametrize("shape", [(400, 300), (600, 1100), (40, 30, 200), (8, 8, 70)])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_rows_by_index(shape: tuple[int, ...], threads: int) -> None:
    """Long rows, of which threads have some each: named often, by one index alone, or from the end; and where self is
    a part of a larger tensor.
    """
    rng, before = numpy.random.default_rng(9), th.get_num_threads()
    size = shape[0]
    n = max(2 * size, 1500 if size < 10 else 0)  # many of few: places of two indices go beyond them
    array, source = rng.normal(size=shape), rng.normal(size=(n, *shape[1:]))
    larger = rng.normal(size=(2 * size, *shape[1:-1], 2 * shape[-1]))
    try:
        th.set_num_threads(threads)
        for index in (rng.integers(0, size, n), numpy.full(n, 3), rng.integers(-size, size, n)):
            places, expected, part = tensor(index), array.copy(), larger.copy()
            numpy.add.at(expected, index, source)
            if index.min() >= 0:
                sums = th.from_numpy(array.copy()).index_add_(0, places, tensor(source))
                assert numpy.array_equal(sums.numpy(), expected)
            part[::2, ..., : shape[-1]][index] = source
            self = th.from_numpy(larger.copy())
            self[::2][..., : shape[-1]][places] = tensor(source)
            assert numpy.array_equal(self.numpy(), part)
            if len(shape) == 3:
                columns = rng.integers(0, shape[1], n)
                part[::2, ..., : shape[-1]][index, columns] = source[:, 0]
                self[::2][..., : shape[-1]][places, tensor(columns)] = tensor(source)[:, 0]
                assert numpy.array_equal(self.numpy(), part)
    finally:
        th.set_num_threads(before)


def places_of_many(rng: numpy.random.Generator, size: int, n: int) -> numpy.ndarray:
    """Many name the same ones in the middle, where the places of one of two threads end."""
    index = rng.integers(0, size, n)
    index[::3] = rng.integers(size // 2 - 20, size // 2 + 20, len(index[::3]))
    index[:2] = size - 1, 0
    return index


@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32", "int64"])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_many_indices_of_one_line(dtype: str, threads: int) -> None:
    """So many that threads share them: of one place the last element stays, sums are rounded in one order, and what
    lies beside is as before."""
    rng = numpy.random.default_rng(11)
    n, size = 70_001, (1 << 20) // numpy.dtype(dtype).itemsize + 7
    index = places_of_many(rng, size, n)
    places, wrapped = tensor(index), tensor(index - size * (rng.random(n) < 0.5))
    array, source = (rng.integers(0, 90, k).astype(dtype) for k in (size, n))
    values, number = tensor(source), th.tensor(7, dtype=getattr(th, dtype))
    last, sums, filled = array.copy(), array.copy(), array.copy()
    last[index], filled[index] = source, 7
    numpy.add.at(sums, index, source)
    writes = [
        (last, lambda x: x.scatter_(0, places, values)),
        (last, lambda x: x.index_copy_(0, places, values)),
        (last, lambda x: x.put_(places, values)),
        (last, lambda x: x.put_(wrapped, values)),
        (last, lambda x: x.__setitem__(places, values)),
        (last, lambda x: x.__setitem__(wrapped, values)),
        (sums, lambda x: x.scatter_add_(0, places, values)),
        (sums, lambda x: x.index_add_(0, places, values)),
        (sums, lambda x: x.put_(places, values, accumulate=True)),
        (sums, lambda x: x.put_(wrapped, values, accumulate=True)),
        (filled, lambda x: x.scatter_(0, places, 7)),
        (filled, lambda x: x.index_fill_(0, wrapped, 7)),
        (filled, lambda x: x.put_(wrapped, number.expand(n))),
        (filled, lambda x: x.__setitem__(wrapped, number)),
    ]
    th.set_num_threads(threads)
    for expected, write in writes:
        whole = numpy.repeat(array, 2)
        write(th.from_numpy(whole)[::2])
        numpy.testing.assert_array_equal(whole[::2], expected)
        numpy.testing.assert_array_equal(whole[1::2], array)
        dense = array.copy()
        write(th.from_numpy(dense))
        numpy.testing.assert_array_equal(dense, expected)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_many_indices_of_several_dims(threads: int) -> None:
    """Their sums are places of one line; in a part of a larger tensor these lie beyond as many as it has elements."""
    rng = numpy.random.default_rng(12)
    n, size = 70_001, (700, 800)
    index = tuple(places_of_many(rng, k, n) for k in size)
    source = rng.normal(size=n)
    th.set_num_threads(threads)
    for rows, columns in ((1, 1), (1, 3), (2, 1)):
        array = rng.normal(size=(rows * size[0], columns * size[1]))
        written = array.copy()
        array[::rows, ::columns][index] = source
        th.from_numpy(written)[::rows, ::columns][tuple(map(tensor, index))] = tensor(source)
        numpy.testing.assert_array_equal(written, array)


@pytest.mark.parametrize("dtype", ["int16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(20_000, 61), (70_000, 17), (600_000, 2)])
def test_far_places_of_columns(shape: tuple[int, int], dtype: str) -> None:
    """Threads have columns each, and share lines of the cache: in every column the order of the index holds."""
    rng = numpy.random.default_rng(13)
    index, columns = rng.integers(0, shape[0] // 3, shape), numpy.arange(shape[1])
    array, source = ((100 * rng.normal(size=shape)).astype(dtype) for _ in range(2))
    last, sums = array.copy(), array.copy()
    last[index, columns] = source
    numpy.add.at(sums, (index, columns), source)
    for threads in (1, 2, 3):
        th.set_num_threads(threads)
        for place, given in ((index, source), (index.T.copy().T, source.T.copy().T)):
            written = tensor(array).scatter(0, tensor(place), tensor(given))
            numpy.testing.assert_array_equal(written.numpy(), last)
            added = tensor(array).scatter_add(0, tensor(place), tensor(given))
            numpy.testing.assert_array_equal(added.numpy(), sums)
            read = tensor(array).gather(0, tensor(place))
            numpy.testing.assert_array_equal(read.numpy(), array[index, columns])
