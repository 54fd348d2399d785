"""Tensors print as PyTorch prints them. printing_cases.txt holds what PyTorch printed, with our name of the dtypes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thwrap as th

NAMES = {name: getattr(th, name) for name in th.__all__} | {"inf": math.inf, "nan": math.nan}


def cases() -> list[tuple[str, str, str]]:
    """(expression, options, expected text) for each `>>> expression  # options` of the file."""
    text = "\n" + (Path(__file__).parent / "printing_cases.txt").read_text()
    found = []
    for case in text.split("\n>>> ")[1:]:
        prompt, expected = case.split("\n", 1)
        expression, _, options = prompt.partition("  # ")
        found.append((expression, options, expected.rstrip("\n")))
    return found


@pytest.fixture(autouse=True)
def _default_options() -> Iterator[None]:
    yield
    th.set_printoptions(profile="default")


def test_there_are_cases() -> None:
    assert len(cases()) > 100


@pytest.mark.parametrize(
    ("expression", "options", "expected"), cases(), ids=[f"{e} {o}"[:60] for e, o, _ in cases()]
)
def test_as_pytorch(expression: str, options: str, expected: str) -> None:
    eval(f"set_printoptions({options})", NAMES)
    tensor = eval(expression, NAMES)
    assert repr(tensor) == expected
    assert str(tensor) == expected


FLOATS = st.floats(width=32).map(lambda value: float(f"{value:.5g}"))


@given(
    st.lists(st.one_of(FLOATS, st.integers(-999, 999).map(float), st.floats(-10, 10)), max_size=30),
    st.booleans(),
)
def test_text_reads_back(values: list[float], scientific: bool) -> None:
    """With digits enough, the text is an expression for the same tensor."""
    th.set_printoptions(precision=17, sci_mode=scientific)
    tensor = th.tensor(values, dtype=th.float64)
    again = eval(repr(tensor), NAMES | {"thwrap": th})
    assert again.dtype is tensor.dtype
    if scientific:
        assert th.allclose(again, tensor, rtol=1e-15, atol=0.0, equal_nan=True)
    else:
        assert th.allclose(again, tensor, rtol=0.0, atol=1e-16, equal_nan=True)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 5), st.integers(20, 120))
def test_lines_fit(rows: int, columns: int, edge: int, width: int) -> None:
    """No line is longer than asked for, unless one element is."""
    th.set_printoptions(threshold=50, edgeitems=edge, linewidth=width)
    tensor = th.arange(rows * columns).view(rows, columns)
    lines = repr(tensor).split("\n")
    assert all(len(line) <= width + len(" ..., ") or "size" in line for line in lines)


def test_default_dtype_has_no_suffix() -> None:
    th.set_default_dtype(th.float64)
    try:
        assert repr(th.tensor([0.5])) == "tensor([0.5000])"
        assert repr(th.ones(1, dtype=th.float32)) == "tensor([1.], dtype=thwrap.float32)"
    finally:
        th.set_default_dtype(th.float32)


def test_subclass_prints_its_name() -> None:
    class Weights(th.Tensor):
        pass

    assert repr(Weights(th.ones(2))) == "Weights([1., 1.])"


def test_options_are_told() -> None:
    th.set_printoptions(precision=2, threshold=math.inf, edgeitems=1, linewidth=50, sci_mode=True)
    expected = {
        "precision": 2,
        "threshold": math.inf,
        "edgeitems": 1,
        "linewidth": 50,
        "sci_mode": True,
    }
    assert th.get_printoptions() == expected
    with pytest.raises(ValueError, match="profile"):
        th.set_printoptions(profile="long")


def test_format() -> None:
    assert f"{th.tensor(1.5):.3f}" == "1.500"
    assert f"{th.tensor(7):>4}" == "   7"
    assert f"{th.tensor([1, 2])}" == "tensor([1, 2])"
    with pytest.raises(TypeError):
        format(th.tensor([1, 2]), ".3f")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"precision": "x"}, TypeError),
        ({"precision": 2.5}, TypeError),
        ({"precision": -1}, ValueError),
        ({"edgeitems": "3"}, TypeError),
        ({"linewidth": None, "threshold": "many"}, TypeError),
        ({"threshold": th.nan}, ValueError),
        ({"profile": "long", "precision": 9}, ValueError),
    ],
)
def test_options_are_checked(options: dict, problem: type[Exception]) -> None:
    """Nothing is set by a call that is refused."""
    before = th.get_printoptions()
    with pytest.raises(problem, match="set_printoptions"):
        th.set_printoptions(**options)
    assert th.get_printoptions() == before
