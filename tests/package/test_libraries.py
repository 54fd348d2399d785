"""Functions of existing libraries: every form of `call:`, failures."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest
from own_library import DECLARATIONS, HEADER, SOURCE

import thwrap as th
import wrapgen


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WRAPGEN_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("with space")
    for name, text in (("own.h", HEADER), ("own.c", SOURCE), ("own.yaml", DECLARATIONS)):
        (folder / name).write_text(text)
    return wrapgen.load(folder / "own.yaml")


X = np.random.default_rng(0).random((4, 6)) + 0.5


def test_a_function_for_each_dtype(own: ModuleType) -> None:
    """Strides are the tensor's own."""
    for dtype in ("float32", "float64"):
        x = th.from_numpy(X.astype(dtype))[:, 2]
        assert own.mean(x) == pytest.approx(X[:, 2].mean(), rel=1e-6)
    with pytest.raises(TypeError, match="mean: expected float32 or float64, got int64"):
        own.mean(th.arange(3))


def test_whole_tensors(own: ModuleType) -> None:
    """Elements in order, of any layout; what the function may overwrite is a copy."""
    x = th.from_numpy(X.copy())
    assert own.mean_of_all(x.t()) == pytest.approx(X.mean())
    assert own.middle(x) == np.sort(X, axis=None)[X.size // 2]
    assert own.middle(x.t()) == own.middle(x)
    assert x.tolist() == X.tolist()
    assert own.rows(x, 3) == pytest.approx(X[0].mean())


def test_a_dim_that_is_not_there(own: ModuleType) -> None:
    message = "rows: expected self to have at least 2 dims, got shape (3,)"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        own.rows(th.ones(3, dtype=th.float64), 0)


def test_numbers_have_to_fit(own: ModuleType) -> None:
    message = "expected size(self, 1) + extra - extra to fit a C unsigned int, got 4294967296"
    with pytest.raises(ValueError, match=f"^rows: {re.escape(message)}$"):
        own.rows(th.empty(0, 1 << 32, dtype=th.float64), 0)
    with pytest.raises(ValueError, match="too_large: a size is too large for the function"):
        own.too_large(th.ones(1, dtype=th.float64))


def test_failures(own: ModuleType) -> None:
    x = th.from_numpy(X)
    assert own.smallest(x) == X.min()
    for values, message in (
        ([], "there is nothing (code 7)"),
        ([-1.0], "it is negative (code -3)"),
    ):
        with pytest.raises(RuntimeError) as caught:
            own.smallest(th.tensor(values, dtype=th.float64))
        assert str(caught.value) == f"smallest: {message}"
    assert own.check_all(x, False) is None
    assert own.check_all(-x, True) is None
    with pytest.raises(RuntimeError) as caught:
        own.check_all(-x, False)
    assert str(caught.value) == 'check_all: 100% wrong "way" (code -5)'


def test_items_of_a_batch(own: ModuleType) -> None:
    x = th.from_numpy(X)
    assert own.backwards(x).tolist() == X[:, ::-1].tolist()
    assert own.backwards(x.t()).tolist() == X.T[:, ::-1].tolist()
    assert own.backwards_unless(x).tolist() == X[:, ::-1].tolist()
    middle = np.sort(X, axis=1)
    assert own.middles(x).tolist() == middle.tolist()
    assert own.own_body(x).tolist() == pytest.approx(X.mean(axis=1).tolist())
    bad = X.copy()
    bad[2, -1] = -1
    with pytest.raises(RuntimeError) as caught:
        own.backwards(th.from_numpy(bad))
    assert str(caught.value) == "backwards: it is negative (code 5) at batch index (2,)"
    with pytest.raises(RuntimeError) as caught:
        own.backwards_unless(th.from_numpy(bad[2]))
    expected = "backwards_unless: it begins with a negative number (code -5)"
    assert str(caught.value) == expected


def test_elements(own: ModuleType) -> None:
    """Broadcast and promoted; a number of C's int is converted as C does; constants and own functions too."""
    x, y = th.tensor([[1], [2]]), th.tensor([0.5, 1.5], dtype=th.float16)
    assert own.scaled(x, 3, y).tolist() == [[3.5, 4.5], [6.5, 7.5]]
    assert own.scaled(x, 3, y).dtype == th.float16
    assert own.scaled(x, 3, 1).dtype == th.float32
    assert own.twice(th.tensor([1, 2])).tolist() == pytest.approx([2, 4], abs=1e-5)
    assert math.isnan(own.scaled(th.tensor(math.nan), 1, 0).item())


def test_results_that_are_tensors(own: ModuleType) -> None:
    """Of declared shapes; several numbers are results without dims."""
    x = th.from_numpy(X)
    mean, ends, used = result = own.extent(x)
    assert (mean.item(), ends.tolist()) == (pytest.approx(X.mean()), [X.min(), X.max()])
    assert (used.item(), used.dtype) == (X.size, th.int64)
    assert type(result) is own.return_types.extent
    assert own.turned_about(x.t()).tolist() == X.T.ravel()[::-1].reshape(X.T.shape).tolist()
    whole, rest = own.split_one(2.75)
    assert (whole.tolist(), whole.dtype, rest.tolist()) == (2, th.int64, 0.75)


def test_as_many_as_the_function_says(own: ModuleType) -> None:
    x = th.tensor([1.0, -2, 3], dtype=th.float64)
    assert own.positive(x).tolist() == [1, 3]
    assert own.positive(-x).tolist() == [2]
    assert own.positive(x[:0]).tolist() == []
    out = th.full((2, 4), 7, dtype=th.float64)
    assert own.positive(x, out=out[:, 0]) is not None
    assert out.tolist() == [[1, 7, 7, 7], [3, 7, 7, 7]]
    array = np.full(3, 7.0)
    message = "positive: expected an out array of shape (2,), got (3,)"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        own.positive(x, out=array)
    assert array.tolist() == [7, 7, 7]
    with pytest.raises(RuntimeError) as caught:
        own.positive(x + 97, out=out)
    assert str(caught.value) == (
        "positive: the function says that it stored 4 elements of result, got room for 3"
    )
    with pytest.raises(RuntimeError, match=r"^positive: it is negative \(code -9\)$"):
        own.positive(x + 98, out=out)
    assert out.tolist() == [[1, 7, 7, 7], [3, 7, 7, 7]]


def test_what_fails_writes_no_result(own: ModuleType) -> None:
    """Neither whole tensors, nor where one of several results cannot be written."""
    x = th.from_numpy(X)
    out = (
        th.zeros((), dtype=th.float64),
        th.zeros(2, dtype=th.float64),
        th.zeros((), dtype=th.long),
    )
    with pytest.raises(RuntimeError, match=r"^extent: it is negative \(code -3\)$"):
        own.extent(-x, out=out)
    wrong = (out[0], out[1], np.zeros(3, "i8"))
    with pytest.raises(
        ValueError, match=r"^extent: expected an out array of shape \(\), got \(3,\)$"
    ):
        own.extent(x, out=wrong)
    assert [t.sum().item() for t in out] == [0, 0, 0]
    assert own.extent(x, out=out) is out
    assert out[2].item() == X.size


def test_items_with_several_results(own: ModuleType) -> None:
    x = th.from_numpy(X)
    mean, ends, used = own.extents(x)
    assert mean.tolist() == pytest.approx(X.mean(1).tolist())
    assert ends.tolist() == np.stack([X.min(1), X.max(1)], 1).tolist()
    assert used.tolist() == [X.shape[1]] * len(X)
    with pytest.raises(
        RuntimeError, match=r"^extents: it is negative \(code -3\) at batch index \(0,\)$"
    ):
        own.extents(-x)
    whole, rest = own.split(x * 3)
    assert whole.tolist() == np.trunc(X * 3).tolist()
    assert rest.tolist() == (X * 3 - np.trunc(X * 3)).tolist()


def test_what_is_opened_is_closed(own: ModuleType) -> None:
    """Also where the call fails; not where it could not be opened."""
    x = th.from_numpy(X)
    assert own.fills(x, X.size) is None
    with pytest.raises(RuntimeError, match=r"^fills: there is nothing \(code 7\)$"):
        own.fills(x, 3)
    with pytest.raises(RuntimeError, match=r"^fills: the library made no sum$"):
        own.fills(x, -1)
    assert own.rows_fill(x, 6).tolist() == X.tolist()
    with pytest.raises(
        RuntimeError, match=r"^rows_fill: there is nothing \(code 7\) at batch index \(0,\)$"
    ):
        own.rows_fill(x, 5)
    with pytest.raises(
        RuntimeError, match=r"^rows_fill: it is negative \(code -3\) at batch index \(0,\)$"
    ):
        own.rows_fill(x, -1)
    assert own.still_open() == 0


def test_explained_calls_call_nothing(own: ModuleType) -> None:
    x = th.tensor([99.0], dtype=th.float64)
    assert "positive" in str(th.explain(own.positive, x))
