"""Declared = exported = documented, and what `wrapgen.testing.laws.api` says."""

from __future__ import annotations

import inspect

import thwrap as th
from wrapgen.testing.declared import operations
from wrapgen.testing.laws.api import *  # noqa: F403
from wrapgen.testing.laws.api import FUNCTIONS, METHODS, name_of


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
