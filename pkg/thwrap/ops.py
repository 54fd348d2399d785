"""The op packages that are loaded: `th.ops.NAME.op` is an op of package NAME, `th.ops` lists them.

A package's module registers itself when it is imported. The name is the module's without `._C`, dots
as underscores. Registered again from the same place (a notebook's cell run again, a package built
anew) it replaces what was there; from another place that is an ImportError.
"""

from __future__ import annotations

import sys
from _thread import allocate_lock
from types import ModuleType

from thwrap._C import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_lock = allocate_lock()
_packages: dict[str, _Package] = {}


class _Package:
    """A loaded package: its module, where it comes from, and the methods of Tensor that are its own."""

    def __init__(self, module: ModuleType, origin: str, methods: dict[str, Any]) -> None:
        self.module = module
        self.origin = origin
        self.methods = methods


class _Registry(ModuleType):
    """This module's type, so that the module itself can be listed and asked."""

    def __getattr__(self, name: str) -> ModuleType:
        package = _packages.get(name)
        if package is None:
            loaded = ", ".join(sorted(_packages)) or "none"
            raise AttributeError(
                f"thwrap.ops: no package '{name}' is loaded (loaded: {loaded}); import it first",
                name=name,
                obj=self,
            )
        return package.module

    def __dir__(self) -> list[str]:
        return sorted(_packages)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(_packages))

    def __len__(self) -> int:
        return len(_packages)

    def __contains__(self, name: object) -> bool:
        return name in _packages

    def __repr__(self) -> str:
        lines = [f"  {name}: {_packages[name].origin}" for name in self]
        return "\n".join(
            ["<thwrap.ops: op packages loaded>" if lines else "<thwrap.ops: none>", *lines]
        )


def _register(
    module_name: str, module: ModuleType, origin: str | None, methods: dict[str, Any]
) -> None:
    """Called by a package's module as the last step of its import; changes nothing where it raises."""
    name = module_name.removesuffix("._C").replace(".", "_")
    place = origin or getattr(module, "__file__", None) or module_name
    with _lock:
        old = _packages.get(name)
        if old is not None and old.origin != place:
            raise ImportError(
                f"op package '{name}' is loaded from {old.origin} already; the one from {place} "
                "needs another name",
                name=module_name,
                path=place,
            )
        _check_methods(name, place, methods, old.methods if old else {})
        _attach(methods, old.methods if old else {})
        _packages[name] = _Package(module, place, methods)


def _check_methods(name: str, place: str, methods: dict[str, Any], own: dict[str, Any]) -> None:
    for method in methods:
        if method in own or not hasattr(Tensor, method):
            continue
        owner = next((other for other in _packages if method in _packages[other].methods), None)
        whose = f"op package '{owner}' ({_packages[owner].origin})" if owner else "thwrap itself"
        raise ImportError(
            f"op package '{name}' ({place}) has a method '{method}', which Tensor has already from "
            f"{whose}; give it another name, or leave it out with `variants: [function]`",
            name=name,
            path=place,
        )


def _attach(methods: dict[str, Any], old: dict[str, Any]) -> None:
    before = {name: vars(Tensor)[name] for name in old if name in vars(Tensor)}
    try:
        for name in before:
            delattr(Tensor, name)
        for name, method in methods.items():
            setattr(Tensor, name, method)
    except BaseException:
        for name in methods:
            if name in vars(Tensor):
                delattr(Tensor, name)
        for name, method in before.items():
            setattr(Tensor, name, method)
        raise


sys.modules[__name__].__class__ = _Registry
