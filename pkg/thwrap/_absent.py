"""What is not there, and what is said of it: operations that a selective build was made without."""

from __future__ import annotations

from thwrap import _functions
from thwrap._C import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

# Python has an answer of its own where these are missing: whether it is the same object.
_COMPARISONS = {"==": "__eq__", "!=": "__ne__"}


def _message(name: str, listed: str) -> str:
    return (
        f"{name} is not in this build of thwrap, which has the operations of a list only; "
        f"add '- {listed}' to it and build again (wrapgen configure --ops)"
    )


class _Method:
    """In the place of a method: not there, for hasattr() too, but with a message."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Tensor | None, owner: type | None = None) -> NoReturn:
        text = _message(f"Tensor.{self.name}", self.name)
        raise AttributeError(text, name=self.name, obj=owner if instance is None else instance)


def _comparison(operator: str, name: str) -> Callable[[Tensor, Any], NoReturn]:
    def compare(self: Tensor, other: Any) -> NoReturn:
        raise TypeError(_message(f"tensor {operator} other", name))

    return compare


def attach() -> None:
    """Puts messages where methods and comparisons are missing."""
    _, methods, operators = _functions.absent
    for name in methods:
        if name not in vars(Tensor):
            setattr(Tensor, name, _Method(name))
    for operator, name in (text.split() for text in operators):
        if operator in _COMPARISONS:
            setattr(Tensor, _COMPARISONS[operator], _comparison(operator, name))


def error(name: str) -> AttributeError:
    """What `thwrap.name` raises where there is no such thing."""
    functions = _functions.absent[0] if _functions.absent else ()
    if name in functions:
        return AttributeError(_message(f"thwrap.{name}", name), name=name)
    return AttributeError(f"module 'thwrap' has no attribute '{name}'", name=name)
