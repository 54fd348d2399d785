"""Products of few rows and columns and of many terms, of which some are summed at a time."""

from __future__ import annotations

import itertools

import numpy
import pytest
from products import matrices

import thwrap as th
from thwrap._C import lib
from wrapgen.testing.layouts import LAYOUTS
from wrapgen.testing.settings import restored

SIDES = [
    *itertools.product((2, 3, 4), (2, 4, 7, 16)),
    *[(5, 4), (16, 4), (9, 17), (30, 8), (40, 33), (16, 100), (100, 16)],
]


def columns_of_wider(array: numpy.ndarray) -> th.Tensor:
    """The transpose of some columns of rows that are longer."""
    wider = numpy.full((array.shape[1], array.shape[0] + 3), numpy.nan, array.dtype)
    wider[:, 1:-2] = array.T
    return th.from_numpy(wider)[:, 1:-2].t()


def whole(dtype: str, *shapes: tuple[int, ...]) -> list[numpy.ndarray]:
    """Matrices of whole numbers, whose products are exact."""
    return [numpy.rint(3 * array).astype(dtype) for array in matrices("float64", *shapes)]


TALL_LAYOUTS = [*LAYOUTS.values(), columns_of_wider]


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("terms", [2049, 5003])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_tall_products(dtype: str, terms: int) -> None:
    """Of whole numbers they are exact, whatever lies how, added to what, by however many threads."""
    with restored():
        for rows, columns in SIDES:
            one, other, add = whole(dtype, (rows, terms), (terms, columns), (columns,))
            expected = one @ other
            lefts = [layout(one) for layout in TALL_LAYOUTS]
            rights = [layout(other) for layout in TALL_LAYOUTS]
            for threads, left, right in itertools.product((1, 3), lefts, rights):
                th.set_num_threads(threads)
                assert numpy.array_equal((left @ right).numpy(), expected)
                got = th.addmm(th.from_numpy(add), left, right, beta=3, alpha=2)
                assert numpy.array_equal(got.numpy(), 3 * add + 2 * expected)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_columns_of_rows_that_collide(dtype: str) -> None:
    """In the caches, so that they are copied, if there is memory: of whole numbers exact, by however many threads."""
    one, wide = whole(dtype, (40, 300), (300, 4096 // numpy.dtype(dtype).itemsize))
    lefts = [layout(one) for layout in TALL_LAYOUTS]
    with restored():
        for columns, threads, left in itertools.product((2, 3, 10, 33), (1, 3), lefts):
            th.set_num_threads(threads)
            right, expected = th.from_numpy(wide)[:, :columns], one @ wide[:, :columns]
            out = th.zeros(*expected.shape, dtype=left.dtype)
            for successes in (-1, 0, 1):
                lib.THMemory_failAllocation(successes)
                try:
                    th.mm(left, right, out=out)
                except MemoryError:
                    assert successes >= 0, "none failed"
                else:
                    assert numpy.array_equal(out.numpy(), expected), successes
                finally:
                    lib.THMemory_failAllocation(-1)
                out.zero_()


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("terms", [1, 2, 3, 4, 5, 16])
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "float32", "float64"])
def test_narrow_rows_apart(dtype: str, terms: int) -> None:
    """Parts of wider rows times a vector: of whole numbers exact, however many there are, by however many threads."""
    rng = numpy.random.default_rng(1)
    vector = rng.integers(-2, 3, terms).astype(dtype)
    with restored():
        for rows in (1, 7, 9, 100, 511, 513, 1025, 40001):
            wide = rng.integers(-2, 3, (2 * rows, terms + 1)).astype(dtype)
            add = rng.integers(-2, 3, rows).astype(dtype)
            for array, threads in itertools.product((wide[::2, 1:], wide[rows:, :-1]), (1, 3)):
                th.set_num_threads(threads)
                left, right, expected = th.from_numpy(array), th.from_numpy(vector), array @ vector
                assert numpy.array_equal((left @ right).numpy(), expected)
                got = th.addmv(th.from_numpy(add), left, right, beta=3, alpha=2)
                assert numpy.array_equal(got.numpy(), 3 * add + 2 * expected)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("columns", [2, 3, 4, 5])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_few_columns(dtype: str, columns: int) -> None:
    """Of whole numbers exact; rows of few terms have the bits that they have among fewer, by however many threads."""
    with restored():
        for rows, terms in itertools.product((24, 47, 48, 49, 9003), (1, 3, 5, 8, 9, 16, 17, 24)):
            one, other, add = whole(dtype, (rows, terms), (terms, columns), (rows, columns))
            for layout, turn in itertools.product(TALL_LAYOUTS, (True, False)):
                left = layout(one)
                right = th.from_numpy(other.T.copy()).t() if turn else th.from_numpy(other)
                assert numpy.array_equal((left @ right).numpy(), one @ other)
                for self in (add, add[:1], add[0]):
                    got = th.addmm(th.from_numpy(self), left, right, beta=3, alpha=2)
                    assert numpy.array_equal(got.numpy(), 3 * self + 2 * (one @ other))
                rough = layout(one / 7)
                th.set_num_threads(3)
                shared = (rough @ right).numpy()
                th.set_num_threads(1)
                parts = [slice(rows)] if terms >= 16 else [slice(rows), slice(3, 29), slice(50)]
                for part in parts:
                    assert (rough[part] @ right).numpy().tobytes() == shared[part].tobytes()


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("terms", [2, 3, 4, 8, 30])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_nothing_behind_short_rows_is_written(dtype: str, terms: int) -> None:
    """By whatever registers they are stored, and by however many threads; of whole numbers they are exact."""
    with restored():
        for rows, columns in itertools.product(
            (127, 128, 129, 131, 1001, 40003), (*range(1, 11), 13, 27)
        ):
            one, other, _ = whole(dtype, (rows, terms), (terms, columns), (rows, columns))
            left, right, expected = th.from_numpy(one), th.from_numpy(other), one @ other
            for threads in (1, 3):
                th.set_num_threads(threads)
                memory = numpy.full(expected.size + 64, 7, dtype)
                out = th.from_numpy(memory)[: expected.size].view(rows, columns)
                th.mm(left, right, out=out)
                assert numpy.array_equal(out.numpy(), expected), (rows, columns, threads)
                assert (memory[expected.size :] == 7).all(), (rows, columns, threads)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("rows", [2, 3, 4, 5, 6, 8, 9])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_few_rows_times_lines(dtype: str, rows: int) -> None:
    """Of whole numbers exact; columns of few terms have the bits that they have among fewer, whatever the threads."""
    with restored():
        for columns, terms in itertools.product((24, 47, 48, 49, 9003), (1, 2, 3, 4, 5, 8, 9, 17)):
            one, other, add = whole(dtype, (rows, terms), (columns, terms), (rows, columns))
            apart = columns_of_wider(other.T.copy()).t()
            for lines, turn in itertools.product((th.from_numpy(other), apart), (True, False)):
                left = th.from_numpy(one.T.copy()).t() if turn else th.from_numpy(one)
                assert numpy.array_equal((left @ lines.t()).numpy(), one @ other.T)
                for self in (add, add[:1], add[:, :1], add[0]):
                    got = th.addmm(th.from_numpy(self), left, lines.t(), beta=3, alpha=2)
                    assert numpy.array_equal(got.numpy(), 3 * self + 2 * (one @ other.T))
                rough = lines.div(7)
                th.set_num_threads(3)
                shared = (left @ rough.t()).numpy()
                th.set_num_threads(1)
                parts = [slice(columns)] if terms >= 16 else [slice(columns), slice(3, 29)]
                for part in parts:
                    got = (left @ rough[part].t()).numpy()
                    assert got.tobytes() == shared[:, part].tobytes()
