"""Declared = exported = documented = stubbed = tested."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest
from declared import ROOT, Case, operations

import thwrap as th
from wrapgen.chain import Operation

TESTS = Path(__file__).resolve().parents[1]
STUB = ast.parse((ROOT / "pkg/thwrap/_C.pyi").read_text())


def name_of(operation: Operation) -> str:
    return operation.forms[0].op.python_name


def has(operation: Operation, variant: str) -> bool:
    return variant in operation.forms[0].op.variants


FUNCTIONS = [operation for operation in operations() if has(operation, "function")]
METHODS = [operation for operation in operations() if has(operation, "method")]


def test_there_are_operations() -> None:
    assert len(operations()) > 300
    assert len(FUNCTIONS) > 200
    assert len(METHODS) > 200


def test_exported() -> None:
    """Every function is in the package, every method on Tensor, and no function is there that is not declared."""
    missing = [name_of(o) for o in FUNCTIONS if not callable(getattr(th._C, name_of(o), None))]
    missing += [
        f"Tensor.{name_of(o)}"
        for o in METHODS
        if not callable(getattr(th.Tensor, name_of(o), None))
    ]
    assert missing == []
    public = {name_of(o) for o in FUNCTIONS if not name_of(o).startswith("_")}
    assert set(th._functions.__all__) == public
    assert public <= set(th.__all__)


def test_documented() -> None:
    """Every function and method has more to say than its signature."""
    silent = []
    for owner, some in ((th._C, FUNCTIONS), (th.Tensor, METHODS)):
        for operation in some:
            doc = inspect.getdoc(getattr(owner, name_of(operation))) or ""
            lines = [
                line
                for line in doc.splitlines()
                if line and not line.startswith(f"{name_of(operation)}(")
            ]
            if not lines:
                silent.append(f"{owner.__name__}.{name_of(operation)}")
    assert silent == []


def parameters(operation: Operation, method: bool) -> list[str]:
    names = [param.name for param in operation.forms[0].body.params]
    if method:
        names = ["self", *(name for name in names if name != "input")]
    return names


def test_signatures() -> None:
    """Where there is one form, inspect.signature() shows its parameters and their defaults."""
    for owner, some in ((th._C, FUNCTIONS), (th.Tensor, METHODS)):
        for operation in some:
            if len(operation.forms) > 1:
                continue
            signature = inspect.signature(getattr(owner, name_of(operation)))
            method = owner is th.Tensor
            assert list(signature.parameters) == parameters(operation, method), operation.name
            for param in operation.forms[0].body.params:
                shown = signature.parameters.get(param.name)
                if shown is not None and param.default and not param.varargs:
                    default = Case(operation.forms[0]).default(param.arg.name)
                    assert repr(shown.default) == repr(default), f"{operation.name}: {param.name}"


def defined(body: list[ast.stmt]) -> set[str]:
    return {node.name for node in body if isinstance(node, ast.FunctionDef)}


def test_stubbed() -> None:
    tensor = next(
        node for node in STUB.body if isinstance(node, ast.ClassDef) and node.name == "Tensor"
    )
    assert {name_of(o) for o in FUNCTIONS} - defined(STUB.body) == set()
    assert {name_of(o) for o in METHODS} - defined(tensor.body) == set()


def existing_tests() -> set[str]:
    """The names of all test functions of the package's tests."""
    files = TESTS.rglob("test_*.py")
    return {
        node.name
        for file in files
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


@pytest.mark.parametrize("chapter", sorted({o.forms[0].op.chapter for o in operations()}))
def test_tested(chapter: str) -> None:
    """Every form has a reference or names a test that there is."""
    tests = existing_tests()
    untested = []
    for operation in operations():
        for form in operation.forms:
            op = form.op
            derived = op.inplace in ("direct", "copy")
            if op.chapter == chapter and not (
                op.reference or derived or f"test_{op.test}" in tests
            ):
                untested.append(op.symbol)
    assert untested == []
