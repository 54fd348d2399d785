"""tensor[...] = value, where reading the value runs Python code."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import thwrap as th


class Number:
    """A number that does something whenever it is read, and counts that."""

    def __init__(self, act: Callable[[], object] = lambda: None) -> None:
        self.act = act
        self.reads = 0

    def __float__(self) -> float:
        self.act()
        self.reads += 1
        return 2.5


@pytest.mark.parametrize(
    "key", [0, (0, 0), slice(1, 2), ..., [0, 1], th.tensor([True, False, True]), (0, [1])], ids=str
)
def test_a_number_is_read_once(key: Any) -> None:
    """Whatever is assigned to; NumPy's scalars are numbers like others."""
    number = Number()
    tensor, expected = th.zeros(3, 2), th.zeros(3, 2)
    tensor[key] = number
    expected[key] = 2.5
    assert (number.reads, tensor.tolist()) == (1, expected.tolist())
    for scalar in (numpy.float32(3), numpy.int64(3), numpy.bool_(True), True, th.tensor(3.0)):
        tensor[key] = scalar
        expected[key] = float(scalar)
        assert tensor.tolist() == expected.tolist()


@pytest.mark.parametrize("what", ["tensor", "mask", "index"])
@pytest.mark.parametrize("size", [(0,), (6, 7, 5), (2,), None], ids=str)
def test_values_that_change_what_is_assigned_to(what: str, size: tuple[int, ...] | None) -> None:
    """The tensor, or what indexes it, has other dims when the value is read: an error or not, no memory is lost."""
    for key in ("mask", "index", "(mask, index[:1])", "0", "(0, 0)", "slice(1, 3)"):
        for wrap in (lambda n: n, lambda n: [n] * 2, lambda n: [[n]]):
            named = {
                "tensor": th.zeros(3, 2),
                "mask": th.tensor([True, False, True]),
                "index": th.tensor([0, 1]),
            }
            changed = named[what]

            def change(changed: th.Tensor = changed) -> None:
                changed.set_() if size is None else changed.resize_(size)

            with contextlib.suppress(ValueError, IndexError, TypeError, RuntimeError):
                named["tensor"][eval(key, dict(named))] = wrap(Number(change))
