"""Ways to call a form: as function and method, by position and by keyword; what must hold when a call fails."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy
import pytest

import thwrap as th
from wrapgen.syntax.calls import LIBRARY
from wrapgen.testing.declared import Case
from wrapgen.testing.drawing import Call, Make

# What bad values are refused with.
REFUSALS = (ValueError, IndexError)


def refusals(case: Case) -> tuple[type[Exception], ...]:
    """The same; a function that reports failure by its result gives a RuntimeError."""
    reports = case.is_core or case.op[LIBRARY] is not None
    return (*REFUSALS, RuntimeError) if reports else REFUSALS


def call_form(call: Call, make: Make | None = None, **extra: Any) -> Any:
    """Calls with tensors made of the call's arrays."""
    return invoke(call.case, call.made(make), **extra)


def invoke(case: Case, given: dict[str, Any], **extra: Any) -> Any:
    """Calls the function, or the method where there is no function."""
    return (as_function if case.has_function else as_method)(case, given, **extra)


def split(case: Case, given: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Positional arguments up to the first that is left out, and the others by keyword."""
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    left_out = False
    for param in case.form.body.params:
        name = param.arg.name
        if name in given and not left_out and not param.kwarg_only:
            positional.append(given[name])
        elif name in given:
            keywords[param.name] = given[name]
        elif name != "self":
            left_out = True
    return positional, keywords


def as_function(case: Case, given: dict[str, Any], **extra: Any) -> Any:
    positional, keywords = split(case, given)
    return case.function()(*positional, **keywords, **extra)


def as_method(case: Case, given: dict[str, Any], **extra: Any) -> Any:
    rest = {name: value for name, value in given.items() if name != "self"}
    positional, keywords = split(case, rest)
    return getattr(given["self"], case.name)(*positional, **keywords, **extra)


def write_in_place(case: Case, given: dict[str, Any], **extra: Any) -> Any:
    """Calls an in-place form: the method, or the function of a package without methods."""
    return (as_method if case.has_method else as_function)(case, given, **extra)


def by_keyword(
    case: Case, given: dict[str, Any], names: dict[str, str] | None = None, **extra: Any
) -> Any:
    """Every argument by keyword, some by another name; methods keep their receiver."""
    shown = {param.arg.name: param.name for param in case.form.body.params} | (names or {})
    keywords = {shown[name]: value for name, value in given.items()} | extra
    if case.has_function:
        return case.function()(**keywords)
    receiver = keywords.pop(shown["self"])
    return getattr(receiver, case.name)(**keywords)


def results_of(got: Any) -> list[Any]:
    return list(got) if isinstance(got, tuple) else [got]


def content(value: th.Tensor | numpy.ndarray | numpy.generic) -> tuple[Any, ...]:
    """Dtype, shape and bytes of the elements."""
    array = value.clone().numpy() if isinstance(value, th.Tensor) else value
    return array.dtype.name, tuple(array.shape), array.tobytes()


def contents(got: Any) -> list[Any]:
    return [
        content(item) if isinstance(item, th.Tensor | numpy.ndarray | numpy.generic) else item
        for item in results_of(got)
    ]


def tensors_in(given: dict[str, Any]) -> list[th.Tensor]:
    """The tensors among arguments, those of lists too."""
    items = [
        item for value in given.values() for item in (value if isinstance(value, list) else [value])
    ]
    return [item for item in items if isinstance(item, th.Tensor)]


@contextlib.contextmanager
def refused(
    kinds: type[Exception] | tuple[type[Exception], ...],
    tensors: Iterable[th.Tensor],
    match: str = "",
) -> Iterator[None]:
    """The call raises, and all the tensors are what they were."""
    tensors = list(tensors)
    before = [whole(value) for value in tensors]
    with pytest.raises(kinds, match=match or None):
        yield
    for value, was in zip(tensors, before, strict=True):
        assert whole(value) == was, "an operation that failed has changed a tensor"


def whole(value: th.Tensor) -> tuple[Any, ...]:
    """Everything of a tensor: how it lies, and its whole storage."""
    storage = value.storage()
    return (
        value.dtype.name,
        tuple(value.shape),
        value.stride(),
        value.storage_offset(),
        storage.nbytes,
        bytes(memoryview(storage)),
    )
