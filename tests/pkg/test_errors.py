"""What wrong calls say, word for word, and that they leave their arguments as they were.

Every case is an expression over `a` (2 x 3, float32), `i` (int64), `b` (bool), with the exception it raises.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from argument_messages import COUNTS, KEYWORDS, KINDS, NUMBERS, OUT, OVERLOADS
from library_messages import DTYPES, INDICES, SHAPES

import thwrap as th

CASES = [*KEYWORDS, *COUNTS, *KINDS, *OUT, *OVERLOADS, *NUMBERS, *SHAPES, *DTYPES, *INDICES]


@pytest.fixture
def names() -> Iterator[dict[str, Any]]:
    a, i, b = th.ones(2, 3), th.ones(2, 3, dtype=th.int64), th.ones(2, 3, dtype=th.bool)
    yield {"th": th, "a": a, "i": i, "b": b}
    for tensor in (a, i, b):
        assert tensor.tolist() == [[1, 1, 1], [1, 1, 1]]


@pytest.mark.parametrize(
    ("expression", "kind", "message"), CASES, ids=[expression for expression, *_ in CASES]
)
def test_message(
    names: dict[str, Any], expression: str, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=f"^{re.escape(message)}$") as caught:
        eval(expression, names)
    assert type(caught.value) is kind


def test_deleted_argument_names() -> None:
    """Names of arguments and functions in messages live as long as the exception."""
    with pytest.raises(TypeError) as caught:
        th.add(th.ones(1), th.ones(1), **{"".join(["al", "phb"]): 1})
    th.add(th.ones(1), 1)
    assert str(caught.value).endswith("'alphb'; did you mean 'alpha'?")


def test_hostile_arguments() -> None:
    """Exceptions raised by arguments themselves come through; NotImplemented reaches the other operand."""

    class Broken:
        def __init__(self, error: BaseException) -> None:
            self.error = error

        def __index__(self) -> int:
            raise self.error

        def __len__(self) -> int:
            raise self.error

        def __getitem__(self, index: int) -> float:
            return 1.0

    class Polite:
        def __radd__(self, other: object) -> str:
            return "polite"

    class Bare:
        __index__ = Broken.__index__

        def __init__(self, error: BaseException) -> None:
            self.error = error

    calls: list[Callable[[Any], Any]] = [
        lambda value: th.ones(2).narrow(0, value, 1),
        lambda value: th.zeros((2, value)),
        lambda value: th.ones(2).sum(value),
        lambda value: th.ones(2)[value],
        lambda value: th.ones(2).__setitem__(value, 1),
        lambda value: th.ones(2).__setitem__(0, value),
        lambda value: th.Storage(2)[value],
        lambda value: th.Storage(2).resize_(value),
        th.manual_seed,
        th.set_num_threads,
        lambda value: th.tensor([1.0, value]),
    ]
    for error in (KeyError, ValueError, TypeError, OverflowError, KeyboardInterrupt):
        for call in calls:
            with pytest.raises(error, match="no index today"):
                call(Bare(error("no index today")))
    with pytest.raises(KeyError, match="no index today"):
        th.tensor([Broken(KeyError("no index today"))])
    assert th.ones(2) + Polite() == "polite"


def test_arguments_that_change_others() -> None:
    """Code of an argument cannot take away what was read before."""

    class Index:
        def __init__(self, change: Callable[[], object]) -> None:
            self.change = change

        def __index__(self) -> int:
            self.change()
            return 1

    value = th.arange(20)[10:]
    moved = Index(lambda: value.set_(th.Storage([5, 6, 7], th.int64)))
    assert value[moved, None].tolist() == [6]
    results = [th.empty(0), th.empty(0, dtype=th.int64)]
    sort: Callable[..., object] = th.ones(2, 3).sort
    with pytest.raises(TypeError, match="tuple"):
        sort(Index(results.clear), out=results)
    storage = th.Storage(100)
    with pytest.raises(ValueError, match="exceeds"):
        storage.__setitem__(Index(lambda: storage.resize_(1)), 2)


def test_warnings_can_be_errors_or_not() -> None:
    """The result of a resizing out= is there when the warning is only a warning."""
    out = th.zeros(5)
    with pytest.warns(UserWarning, match="out of shape"):
        th.ones(2, out=out)
    assert out.tolist() == [1, 1]
