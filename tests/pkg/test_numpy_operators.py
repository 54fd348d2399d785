"""Operators between tensors and NumPy's arrays and numbers, and NumPy's functions on tensors."""

from __future__ import annotations

import operator
from typing import Any

import numpy
import pytest

import thwrap as th
from wrapgen.testing.calling import content

OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "<=", ">", ">="]


@pytest.mark.parametrize("symbol", OPERATORS)
@pytest.mark.parametrize(
    "other",
    [
        numpy.array([1.0, 2, 3], "float32"),
        numpy.array([3, 1, 2]),
        numpy.array(2),
        numpy.float32(2),
        numpy.float64(2),
        numpy.int32(2),
        numpy.bool_(True),
    ],
    ids=lambda other: f"{type(other).__name__} {other.dtype}",
)
def test_operators_with_arrays(symbol: str, other: Any) -> None:
    """They give tensors, of our dtypes, whichever operand comes first."""
    tensor = th.tensor([1.0, 2, 4])
    ours = th.from_numpy(other) if isinstance(other, numpy.ndarray) else other.item()
    for left, right, left_ours, right_ours in (
        (tensor, other, tensor, ours),
        (other, tensor, ours, tensor),
    ):
        if symbol == "-" and other.dtype == bool:
            with pytest.raises(TypeError, match="logical_not"):
                eval("left - right", {"left": left, "right": right})
            continue
        result = eval(f"left {symbol} right", {"left": left, "right": right})
        expected = eval(f"left {symbol} right", {"left": left_ours, "right": right_ours})
        assert type(result) is th.Tensor
        assert content(result) == content(expected)


@pytest.mark.parametrize("symbol", ["&", "|", "^", "<<", ">>", "@"])
def test_operators_of_integers_with_arrays(symbol: str) -> None:
    tensor, array = th.tensor([[6, 5], [2, 1]]), numpy.array([[1, 2], [3, 0]])
    call = eval(f"lambda left, right: left {symbol} right")
    assert content(call(tensor, array)) == content(call(tensor, th.from_numpy(array)))
    assert content(call(array, tensor)) == content(call(th.from_numpy(array), tensor))


@pytest.mark.parametrize(
    "array",
    [
        numpy.arange(3.0)[::-1],
        numpy.broadcast_to(2.0, 3),
        numpy.arange(3.0).view(numpy.recarray),
        numpy.zeros(4, "u1, f8")["f1"][:3],
        numpy.zeros((0, 3)),
    ],
    ids=["backward", "read-only", "of a subclass", "not aligned", "empty"],
)
def test_operators_with_arrays_that_are_copied(array: Any) -> None:
    tensor = th.tensor([1.0, 2, 4], dtype=th.float64)
    ours = th.tensor(numpy.asarray(array, "float64"))
    for call in (operator.add, operator.sub, operator.pow, operator.lt):
        assert call(tensor, array).tolist() == call(tensor, ours).tolist()
        assert call(array, tensor).tolist() == call(ours, tensor).tolist()


def test_operators_with_long_doubles() -> None:
    """NumPy gives them back where it is asked for a number of Python's."""
    assert (numpy.longdouble(2) + th.ones(2)).tolist() == [3, 3]
    assert (th.ones(2) - numpy.longdouble(2)).tolist() == [-1, -1]


def test_operators_keep_their_operands_apart() -> None:
    """In place, the name gets a new tensor; a result is memory of its own."""
    tensor, array = th.ones(2), numpy.array([1.0, 2.0])
    total = tensor
    total += array
    assert (tensor.tolist(), total.tolist(), total.dtype) == ([1, 1], [2, 3], th.float64)
    array.flags.writeable = False
    (tensor + array).fill_(0)
    assert array.tolist() == [1, 2]


def test_operators_of_subclasses() -> None:
    class Named(th.Tensor):
        def __radd__(self, other: Any) -> str:
            return f"radd {type(other).__name__}"

    named = Named(th.ones(2))
    assert numpy.ones(2) + named == "radd Tensor"
    assert numpy.float32(2) + named == "radd float"


@pytest.mark.parametrize("bad", [numpy.complex64(1), numpy.str_("a"), "a", None, object(), [1]])
def test_operators_refuse(bad: Any) -> None:
    for call in (operator.add, operator.pow, operator.lt):
        with pytest.raises((TypeError, ValueError)):
            call(bad, th.ones(3))
        with pytest.raises((TypeError, ValueError)):
            call(th.ones(3), bad)
    with pytest.raises(TypeError):
        pow(th.ones(3), numpy.ones(3), 2)


def test_operators_refuse_arrays_without_dtype() -> None:
    for bad in (
        numpy.ones(3, complex),
        numpy.ones(3, "uint16"),
        numpy.array([None] * 3),
        numpy.ones(3, ">f4"),
    ):
        with pytest.raises(TypeError):
            bad + th.ones(3)
        with pytest.raises(TypeError):
            th.ones(3) + bad


def test_ufuncs_are_numpys() -> None:
    tensor = th.tensor([0.0, 1.0])
    assert isinstance(numpy.exp(tensor), numpy.ndarray)
    assert numpy.add.reduce(tensor) == 1.0
    total = numpy.ones(2)
    total += tensor
    assert total.tolist() == [1.0, 2.0]
    out = th.zeros(2)
    assert numpy.exp(tensor, out=out) is out
    assert out.tolist() == numpy.exp(tensor).tolist()
    assert numpy.add(numpy.ones(2), tensor, dtype="float64").dtype == "float64"
    quotient, rest = numpy.divmod(tensor, numpy.float32(1))
    assert isinstance(quotient, numpy.ndarray)
    assert rest.tolist() == [0, 0]
    with pytest.raises(TypeError):
        tensor.__array_ufunc__(numpy.exp)
