"""The rows of the benchmark: each is valid, and computes in thwrap and PyTorch what it computes in NumPy."""

from __future__ import annotations

import importlib.util
from collections import Counter

import numpy as np
import pytest

from benchmarks import cases
from benchmarks.cases import Case, Choice, Disagreement, Operands
from benchmarks.libraries import NAMES, aligned, library
from benchmarks.rows import FAMILIES
from benchmarks.rows.draws import Draw, index, normal, permutation, square
from benchmarks.rows.row import Row

INSTALLED = [name for name in NAMES if importlib.util.find_spec(name)]
ROWS = [(family, row) for family, rows in FAMILIES.items() for row in rows]
TINY = 1_000
TWO = {"a": normal(), "b": normal()}


def _smallest(family: str, row: Row) -> list[Case]:
    """The row in each dtype, at its smallest size."""
    size = min(min(row.sizes), TINY)
    return [Case(family, row, dtype, size) for dtype in row.dtypes]


@pytest.mark.parametrize(("family", "row"), ROWS, ids=lambda value: getattr(value, "name", value))
def test_libraries_agree(family: str, row: Row) -> None:
    for case in _smallest(family, row):
        ready = cases.contestants(
            case, [library(name) for name in INSTALLED], Operands().draw(case)
        )
        assert "thwrap" in ready


def test_cases_are_named_once() -> None:
    named = Counter((case.name, case.dtype, case.size) for case in Choice().cases())
    assert [name for name, count in named.items() if count > 1] == []


@pytest.mark.parametrize(("family", "row"), ROWS, ids=lambda value: getattr(value, "name", value))
def test_moving_rows_are_expressions(family: str, row: Row) -> None:
    """The bytes of operands and result are counted."""
    if row.moves:
        used = compile(row.ours, row.name, "eval").co_names
        assert any(name in row.given for name in used)


def _disagreement(row: Row) -> str:
    case = Case("family", row, "float32", 10)
    with pytest.raises(Disagreement) as caught:
        cases.contestants(case, [library("numpy"), library("thwrap")], Operands().draw(case))
    return str(caught.value)


@pytest.mark.parametrize(
    ("ours", "numpy", "message"),
    [
        ("a + b", "a - b", "thwrap's a + b: other values"),
        ("a + b", "(a + b)[:9]", "thwrap's a + b: shape (10,), not (9,)"),
        ("a < b", "(a < b) * 1.0", "thwrap's a < b: dtype bool, not float64"),
    ],
)
def test_another_computation_is_found(ours: str, numpy: str, message: str) -> None:
    assert _disagreement(Row("row", ours, TWO, numpy)) == message


def test_written_operands_are_looked_at() -> None:
    row = Row("row", "a[0] = 1", TWO, "a[0] = 2", check="a", writes=True)
    assert _disagreement(row) == "thwrap's a[0] = 1: other values"


def test_written_operands_are_each_librarys_own() -> None:
    row = Row("row", "a.fill_(1)", {"a": normal()}, "a.fill(1)", writes=True, check="a")
    case = Case("family", row, "float32", 1 << 20)
    arrays = Operands().draw(case)
    before = arrays["a"].copy()
    cases.contestants(case, [library("numpy"), library("thwrap")], arrays)
    assert np.array_equal(arrays["a"], before)


def test_operands_are_the_same_in_each_run() -> None:
    first, second = (Draw(normal().values)("a", 50, "float64") for _ in range(2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, normal()("b", 50, "float64"))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "int64", "bool"])
def test_draws_have_the_rows_dtype_and_shape(dtype: str) -> None:
    drawn = normal(square)("a", 100, dtype)
    assert (drawn.dtype, drawn.shape) == (np.dtype(dtype), (10, 10))


def test_indices_are_in_range_and_int64() -> None:
    drawn = index(lambda _: 3)("i", 1000, "float32")
    assert drawn.dtype == np.int64
    assert set(drawn.tolist()) == {0, 1, 2}
    assert sorted(permutation()("i", 100, "float32").tolist()) == list(range(100))


def test_operands_are_kept_within_bounds() -> None:
    small, large = (Case("family", Row("row", "a + b", TWO), "float32", n) for n in (10, 20))
    operands = Operands(kept_bytes=2 * 20 * 4)
    first = operands.draw(small)
    assert operands.draw(small)["a"] is first["a"]
    assert operands.draw(large)["a"].shape == (20,)
    assert operands.draw(small)["a"] is not first["a"]


def test_copies_are_aligned() -> None:
    arrays = [aligned(np.arange(n, dtype=np.float32)) for n in (1, 3, 1000)]
    assert [array.ctypes.data % 64 for array in arrays] == [0, 0, 0]
    assert np.array_equal(arrays[1], [0, 1, 2])


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("reductions/sum of dim ?", ["reductions/sum of dim 0", "reductions/sum of dim 1"]),
        ("calls/a[1]", ["calls/a[1]"]),
        ("random", [f"random/{row.name}" for row in FAMILIES["random"]]),
    ],
)
def test_rows_are_chosen_by_pattern_name_or_family(pattern: str, names: list[str]) -> None:
    chosen = Choice(only=(pattern,), dtypes=("float32", "int64")).cases()
    assert list(dict.fromkeys(case.name for case in chosen)) == names


def test_dtype_and_size_choose_too() -> None:
    chosen = Choice(("pointwise/add",), ("float64",), (10, 1000)).cases()
    assert [(case.dtype, case.size) for case in chosen] == [("float64", 10), ("float64", 1000)]


@pytest.mark.parametrize(
    ("choice", "complaint"),
    [
        (Choice(), ""),
        (Choice(("pointwise/add", "calls"), ("float32",), (10,)), ""),
        (Choice(("pointwise/ad",)), "no row 'pointwise/ad'; did you mean 'pointwise/add'"),
        (Choice(("QQQ",)), "no row 'QQQ'; families: calls, pointwise"),
        (Choice(dtypes=("float99",)), "no row of dtype float99; there are float32"),
        (Choice(sizes=(12345,)), "no row of size 12345; there are 3,"),
        (Choice(("calls",), sizes=(10_000_000,)), "no row has all that is chosen"),
    ],
    ids=str,
)
def test_a_choice_of_nothing_is_complained_of(choice: Choice, complaint: str) -> None:
    said = choice.complaint()
    assert said.startswith(complaint)
    assert bool(said) == (not list(choice.cases()))
