"""Reading and writing by subscripts, against NumPy's."""

from __future__ import annotations

from typing import Any

import hypothesis
import numpy
import pytest
from hypothesis import strategies
from interpreter import run_python

import thwrap as th
from wrapgen.testing import isas
from wrapgen.testing.calling import refused
from wrapgen.testing.declared import DTYPES
from wrapgen.testing.drawing import tensor


@strategies.composite
def shapes(pick: Any) -> tuple[int, ...]:
    return tuple(pick(strategies.lists(strategies.integers(0, 5), max_size=4)))


@strategies.composite
def slices(pick: Any, size: int) -> slice:
    place = strategies.none() | strategies.integers(-size - 2, size + 2)
    return slice(pick(place), pick(place), pick(strategies.none() | strategies.integers(1, 3)))


@strategies.composite
def keys(pick: Any, shape: tuple[int, ...], advanced: bool) -> tuple[Any, ...]:
    """A subscript for arrays of a shape: slices, None, `...` with ints, or if advanced with arrays of ints and masks.

    Ints beside arrays are not drawn: NumPy counts them as arrays, PyTorch does not."""
    key: list[Any] = []
    dim = 0
    length = pick(strategies.integers(1, 3))
    while dim < len(shape):
        kinds = ["slice", "slice", "none", "stop"]
        if shape[dim]:
            kinds += ["array", "array"] if advanced else ["int", "int"]
        if advanced and dim + 1 < len(shape):
            kinds.append("mask")
        kind = pick(strategies.sampled_from(kinds))
        size = shape[dim]
        if kind == "stop":
            break
        if kind == "none":
            if sum(item is None for item in key) < 2:
                key.append(None)
            continue
        if kind == "slice":
            key.append(pick(slices(size)))
        elif kind == "int":
            key.append(pick(strategies.integers(-size, size - 1)))
        elif kind == "array":
            places = strategies.integers(-size, size - 1)
            key.append(
                numpy.array(
                    pick(strategies.lists(places, min_size=length, max_size=length)), "int64"
                )
            )
        else:
            mask = numpy.zeros(shape[dim : dim + 2], bool)
            if mask.size < length:
                continue
            mask.ravel()[pick(strategies.permutations(range(mask.size)))[:length]] = True
            key.append(mask)
            dim += 1
        dim += 1
    if pick(strategies.booleans()):
        # Where it stands for no dim, NumPy takes `...` between arrays for a separation; PyTorch does not.
        inside = dim == len(shape) and not advanced
        key.insert(pick(strategies.integers(0, len(key))) if inside else len(key), Ellipsis)
    return tuple(key)


def for_tensor(key: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(tensor(item) if isinstance(item, numpy.ndarray) else item for item in key)


def counted(shape: tuple[int, ...]) -> numpy.ndarray:
    return numpy.arange(numpy.prod(shape, dtype=int)).reshape(shape)


@pytest.mark.parametrize("advanced", [False, True])
def test_subscripts_read(advanced: bool) -> None:
    """NumPy's elements in NumPy's shape; a view exactly where NumPy gives one."""

    @hypothesis.settings(max_examples=200)
    @hypothesis.given(strategies.data())
    def holds(data: Any) -> None:
        shape = data.draw(shapes())
        key = data.draw(keys(shape, advanced))
        array = counted(shape)
        value = tensor(array)
        got = value[for_tensor(key)]
        expected = array[key]
        assert tuple(got.shape) == numpy.shape(expected)
        assert numpy.array_equal(got.numpy(), expected)
        if not any(isinstance(item, numpy.ndarray) for item in key):
            assert got.storage().data_ptr() == value.storage().data_ptr()

    holds()


@pytest.mark.parametrize("advanced", [False, True])
def test_subscripts_write(advanced: bool) -> None:
    """Tensors, numbers and what broadcasts; the same elements change as in NumPy, into a transposed tensor too."""

    @hypothesis.settings(max_examples=200)
    @hypothesis.given(strategies.data())
    def holds(data: Any) -> None:
        shape = data.draw(shapes())
        key = data.draw(keys(shape, advanced))
        array = counted(shape)
        order = tuple(reversed(range(array.ndim)))
        value = tensor(array.transpose()).permute(order)
        target = numpy.empty(numpy.shape(array[key]))
        source: Any = 100 + counted(target.shape)
        how = data.draw(strategies.sampled_from(["same", "number", "row"]))
        if how == "number":
            source = -7
        elif how == "row" and target.ndim:
            source = source[..., :1]
        array[key] = source
        value[for_tensor(key)] = source if how == "number" else tensor(numpy.asarray(source))
        assert numpy.array_equal(value.numpy(), array)

    holds()


@pytest.mark.parametrize("dtype", DTYPES)
def test_subscripts_of_every_dtype(dtype: str) -> None:
    array = numpy.arange(24).reshape(4, 6).astype(dtype)
    index, mask = numpy.array([3, 0, -1]), numpy.arange(24).reshape(4, 6) % 5 == 0
    for key in (
        (1,),
        (slice(None, None, 2), 3),
        (index,),
        (slice(1, 3), index),
        (mask,),
        (Ellipsis, index),
        (index, index),
    ):
        given = for_tensor(key)
        assert tensor(array)[given].numpy().tobytes() == array[key].tobytes()
        one, other = array.copy(), tensor(array)
        one[key] = 1
        other[given] = 1
        assert other.numpy().tobytes() == one.tobytes()


def test_ellipsis_for_no_dim() -> None:
    """Between index tensors it separates nothing, as in PyTorch and unlike NumPy; for a dim it does."""
    index = th.tensor([0, 0, 0])
    assert tuple(th.zeros(1, 2)[None, index, ..., index].shape) == (1, 3)
    assert tuple(th.zeros(1, 4, 2)[None, index, ..., index].shape) == (3, 1, 4)


def test_ints_beside_indices() -> None:
    """An int only drops its dim: indices around it are still next to each other."""
    array = numpy.arange(24).reshape(2, 3, 4)
    value, index = tensor(array), th.tensor([0, 1])
    assert value[0, :, index].tolist() == array[0][:, [0, 1]].tolist()
    assert value[index, 0, :].tolist() == array[:, 0][[0, 1]].tolist()
    assert value[index, :, 1].tolist() == array[:, :, 1][[0, 1]].tolist()
    value[1, :, index] = 0
    array[1][:, [0, 1]] = 0
    assert value.tolist() == array.tolist()


def test_last_of_equal_indices_stays() -> None:
    value = th.zeros(5, 3)
    value[th.tensor([1, 1, 4, 1])] = th.arange(4, dtype=th.float32)[:, None]
    assert value[:, 0].tolist() == [0, 3, 0, 0, 2]


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_last_of_many_equal_indices_stays(dtype: str) -> None:
    """Also where threads share a large tensor, with places from the end, and for what is read from there."""
    random = numpy.random.default_rng(0)
    for size, count in ((40, 31), (1000, 5000), (300_001, 65_535), (1_200_000, 300_007)):
        index = random.integers(-size, size, count)
        values, start = (random.integers(0, 100, n).astype(dtype) for n in (count, size))
        for places in (index, index % size):
            last = dict(zip((index % size).tolist(), values, strict=True))
            expected = start.copy()
            expected[list(last)] = list(last.values())
            for threads in (1, 2, 3):
                before = th.get_num_threads()
                th.set_num_threads(threads)
                got = th.from_numpy(start.copy())
                got[th.from_numpy(places)] = th.from_numpy(values)
                read = got[th.from_numpy(places)]
                th.set_num_threads(before)
                assert numpy.array_equal(got.numpy(), expected)
                assert numpy.array_equal(read.numpy(), expected[index])


def test_lists_are_indices() -> None:
    value = th.arange(12).view(3, 4)
    assert value[[2, 0]].tolist() == [[8, 9, 10, 11], [0, 1, 2, 3]]
    assert value[[True, False, True]].tolist() == [[0, 1, 2, 3], [8, 9, 10, 11]]
    assert value[[0, 1], [1, 2]].tolist() == [1, 6]
    assert value[:, [1, -1]].tolist() == [[1, 3], [5, 7], [9, 11]]


WRONG = [
    (3, IndexError), (-4, IndexError), ((0, 4), IndexError), ((0, 0, 0), IndexError), ("a", (TypeError, IndexError)),
    (1.5, (TypeError, IndexError)), (slice(None, None, 0), ValueError), (slice(None, None, -1), ValueError),
    ((Ellipsis, Ellipsis), IndexError), (th.tensor([0, 3]), IndexError), (th.tensor([0, -4]), IndexError),
    (th.tensor([True, False]), IndexError), (th.tensor([0.5]), (TypeError, IndexError)),
    ((th.tensor([0, 1]), th.tensor([0, 1, 2])), (IndexError, ValueError)),
]  # fmt: skip


@pytest.mark.parametrize(("key", "kinds"), WRONG, ids=[str(i) for i in range(len(WRONG))])
def test_wrong_subscripts(key: Any, kinds: Any) -> None:
    """Refused, and nothing is written."""
    value = th.arange(12).view(3, 4)
    with refused(kinds, [value]):
        value[key]
    with refused(kinds, [value]):
        value[key] = 5


def test_wrong_values() -> None:
    """What does not fit what is subscripted."""
    value = th.arange(12).view(3, 4)
    for key in (0, slice(0, 2), th.tensor([0, 1]), value > 5):
        with refused(ValueError, [value]):
            value[key] = th.arange(5)
    with refused((TypeError, ValueError), [value]):
        value[0] = "text"


FAR = """
import numpy
import thwrap as th

rng = numpy.random.default_rng(7)
for dtype in ("uint8", "int16", "float32", "float64"):
    n = (17 << 20) // numpy.dtype(dtype).itemsize
    array = rng.integers(0, 99, n).astype(dtype)
    square = array[: n // 1000 * 1000].reshape(-1, 1000)
    for count in (31, 33, 200, 1300, 40_000):
        places, columns = rng.integers(-n, n, count), rng.integers(-1000, 1000, count)
        rows = rng.integers(-len(square), len(square), count)
        places[count // 4 : count // 2] //= 1 << 18  # near each other
        given = [th.from_numpy(each) for each in (array, square, places, rows, columns)]
        x, y, i, j, k = given
        got = [x[i], x[i % n], x.take(i), y[j, k], x.index_select(0, i % n), y.t()[k, j]]
        expected = [array[places]] * 3 + [square[rows, columns], array[places], square[rows, columns]]
        for number, (one, other) in enumerate(zip(got, expected)):
            assert (one.numpy() == other).all(), (dtype, count, number)
"""


@pytest.mark.parametrize("writes", ["plain", "asked"])
@pytest.mark.parametrize("isa", [isas.available()[0], isas.available()[-1]])
def test_far_elements_are_picked(isa: str, writes: str) -> None:
    """From memory beyond the caches, however the machine is best asked for it, by one thread and two."""
    threads = "1" if (isa == "base") == (writes == "plain") else "2"
    run_python(FAR, TH_ISA=isa, TH_WRITES=writes, TH_NUM_THREADS=threads)
