"""Declared = shown by inspect = stubbed = tested."""

from __future__ import annotations

import ast
import functools
import inspect
from typing import Any

import pytest

import thwrap as th
from wrapgen.chain import Operation
from wrapgen.testing.declared import Case, cases, operations
from wrapgen.testing.subject import current


def name_of(operation: Operation) -> str:
    return operation.forms[0].op.python_name


FUNCTIONS = [operation for operation in operations() if "function" in operation.variants]
METHODS = [
    operation for operation in operations() if "method" in operation.variants and current().methods
]
OWNED = [
    *(((current().module, operation)) for operation in FUNCTIONS),
    *(((th.Tensor, operation)) for operation in METHODS),
]


def parameters(operation: Operation, method: bool) -> list[str]:
    names = [param.name for param in operation.forms[0].body.params]
    if method:
        names = ["self", *(name for name in names if name != "input")]
    return names


def shown(value: Any) -> str:
    return value.name if isinstance(value, Operation) else value.__name__.rsplit(".", 1)[-1]


@pytest.mark.parametrize(("owner", "operation"), OWNED, ids=shown)
def test_signatures(owner: Any, operation: Operation) -> None:
    """Where there is one form, inspect.signature() shows its parameters and their defaults."""
    function = getattr(owner, name_of(operation))
    if len(operation.forms) > 1:
        return
    signature = inspect.signature(function)
    assert list(signature.parameters) == parameters(operation, owner is th.Tensor)
    for param in operation.forms[0].body.params:
        shown = signature.parameters.get(param.name)
        if shown is not None and param.default and not param.varargs:
            default = Case(operation.forms[0]).default(param.arg.name)
            assert repr(shown.default) == repr(default), f"{operation.name}: {param.name}"


@functools.cache
def stubbed() -> dict[str, set[str]]:
    """The functions of the stub, and the methods of its classes."""
    body = ast.parse(current().stub.read_text()).body
    classes = {node.name: node.body for node in body if isinstance(node, ast.ClassDef)}
    return {owner: defined(nodes) for owner, nodes in {"": body, **classes}.items()}


def defined(body: list[ast.stmt]) -> set[str]:
    return {node.name for node in body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(("owner", "operation"), OWNED, ids=shown)
def test_stubbed(owner: Any, operation: Operation) -> None:
    """The stub has it; methods that a package adds to tensors are in no stub."""
    names = stubbed().get("Tensor" if owner is th.Tensor else "")
    assert names is None or name_of(operation) in names


@functools.cache
def existing_tests() -> set[str]:
    """The names of all test functions beside the laws."""
    files = current().tests.rglob("test_*.py")
    return {
        node.name
        for file in files
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


DECLARED = [case for case in cases() if not case.is_derived]


@pytest.mark.parametrize("case", DECLARED, ids=lambda case: case.id)
def test_tested(case: Case) -> None:
    """It has a reference, or names a test that there is."""
    op = case.op
    if op.reference or f"test_{op.test}" in existing_tests():
        return
    if op.test:
        raise AssertionError(f"there is no function test_{op.test} in {current().tests.name}/")
    raise AssertionError(
        "has no `reference:` to compare with; write one, or `test: name` for a function test_name "
        f"in {current().tests.name}/"
    )
