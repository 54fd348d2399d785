"""Python's operators are the operations that declare them."""

from __future__ import annotations

import operator
from typing import Any

import pytest

import thwrap as th
from wrapgen.testing.calling import as_method, contents, invoke
from wrapgen.testing.declared import Case, base_of, cases
from wrapgen.testing.drawing import first_call

BINARY = {
    "+": (operator.add, operator.iadd),
    "-": (operator.sub, operator.isub),
    "*": (operator.mul, operator.imul),
    "/": (operator.truediv, operator.itruediv),
    "//": (operator.floordiv, operator.ifloordiv),
    "%": (operator.mod, operator.imod),
    "**": (operator.pow, operator.ipow),
    "@": (operator.matmul, operator.imatmul),
    "&": (operator.and_, operator.iand),
    "|": (operator.or_, operator.ior),
    "^": (operator.xor, operator.ixor),
    "<<": (operator.lshift, operator.ilshift),
    ">>": (operator.rshift, operator.irshift),
}
COMPARED = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
UNARY = {"-x": operator.neg, "+x": operator.pos, "~x": operator.invert, "abs(x)": operator.abs}


def declaring(symbols: Any) -> list[Case]:
    return [case for case in cases() if case.op.operator in symbols and not case.op.inplace]


def test_all_are_declared() -> None:
    declared = {case.op.operator for case in cases()}
    assert declared >= {*BINARY, *COMPARED, *UNARY}


def in_place_of(case: Case) -> Case | None:
    return next(
        (
            other
            for other in cases()
            if (base_of(other) or other).form is case.form and other is not case
        ),
        None,
    )


def number_like(case: Case, dtype: str) -> Any:
    return True if dtype == "bool" else 2.0 if dtype.startswith("float") else 2


@pytest.mark.parametrize("case", declaring(BINARY), ids=lambda case: case.id)
def test_binary(case: Case) -> None:
    """Of two tensors, of a tensor and a number on either side, and in place."""
    plain, augmented = BINARY[case.op.operator]
    second = case.tensors[1].name
    for dtype in case.dtypes:
        call = first_call(case, dtype)
        given = call.made()
        got = plain(given["self"], given[second])
        assert contents(got) == contents(invoke(case, call.made())), f"{call}"
        if case.op.operator == "@":
            continue
        number = number_like(case, dtype)
        for one, other in ((given["self"], number), (number, given[second])):
            expected = invoke(case, {"self": one, second: other})
            assert contents(plain(one, other)) == contents(expected), f"{call} with a number"
        derived = in_place_of(case)
        if derived is not None and dtype in derived.dtypes:
            given = call.made()
            expected = contents(as_method(derived, call.made()))
            assert augmented(given["self"], given[second]) is given["self"]
            assert contents(given["self"]) == expected, f"{call} in place"


@pytest.mark.parametrize("case", declaring(COMPARED), ids=lambda case: case.id)
def test_compared(case: Case) -> None:
    """Of two tensors, and of a tensor and a number on either side."""
    compare = COMPARED[case.op.operator]
    swapped = COMPARED[
        {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(case.op.operator, case.op.operator)
    ]
    for dtype in case.dtypes:
        call = first_call(case, dtype)
        given = call.made()
        assert contents(compare(given["self"], given["other"])) == contents(
            invoke(case, call.made())
        ), f"{call}"
        number = number_like(case, dtype)
        assert contents(compare(given["self"], number)) == contents(
            invoke(case, {"self": given["self"], "other": number})
        )
        assert contents(compare(number, given["self"])) == contents(swapped(given["self"], number))


@pytest.mark.parametrize("case", declaring(UNARY), ids=lambda case: case.id)
def test_unary(case: Case) -> None:
    for dtype in case.dtypes:
        call = first_call(case, dtype)
        assert contents(UNARY[case.op.operator](call.made()["self"])) == contents(
            invoke(case, call.made())
        ), f"{call}"


@pytest.mark.parametrize("symbol", [*BINARY, "<", "<=", ">", ">="])
def test_strangers(symbol: str) -> None:
    """What is neither tensor nor number is Python's own TypeError, on either side; its own methods come first."""
    apply = (BINARY.get(symbol) or (COMPARED.get(symbol),))[0]

    class Stranger:
        def answer(self, other: Any) -> str:
            return "mine"

        __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = answer
        __rmatmul__ = __rand__ = __ror__ = __rxor__ = __rlshift__ = __rrshift__ = answer
        __lt__ = __le__ = __gt__ = __ge__ = answer

    for one, other in ((th.ones(2), object()), (object(), th.ones(2)), (th.ones(2), "text")):
        with pytest.raises(TypeError):
            apply(one, other)
    assert apply(th.ones(2), Stranger()) == "mine"


def test_equality_with_strangers() -> None:
    """== and != with what is no tensor are Python's: identity."""
    tensor = th.ones(2)
    assert (tensor == object()) is False
    assert (tensor != object()) is True
    assert (tensor == None) is False  # noqa: E711


def test_truth() -> None:
    """One element has a truth value, several have none."""
    assert bool(th.tensor([3]))
    assert not bool(th.tensor(0.0))
    with pytest.raises((ValueError, RuntimeError)):
        bool(th.ones(2))


def test_three_argument_pow() -> None:
    with pytest.raises(TypeError):
        pow(th.ones(2), 2, 3)
