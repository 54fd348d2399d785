"""`make_package`: writes, builds and imports an op package. `cache`: an empty one for `wrapgen.load`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import making
import pytest

import thwrap as th


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("WRAPGEN_CACHE", str(folder))
    return folder


@pytest.fixture(scope="module")
def make_package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[making.MakePackage]:
    """Builds a package in a folder of its own; its module. Afterwards the registry is as before."""
    from thwrap import ops

    before, packages = list(sys.path), set(ops)

    def make(name: str, declarations: str, generic: str = "", **settings: Any) -> ModuleType:
        root = tmp_path_factory.mktemp(name)
        making.build(root, name, declarations, generic, **settings)
        sys.path.insert(0, str(root))
        return importlib.import_module(f"{name}._C")

    yield make
    sys.path[:] = before
    for name in set(ops) - packages:
        for method in ops._packages.pop(name).methods:
            delattr(th.Tensor, method)
