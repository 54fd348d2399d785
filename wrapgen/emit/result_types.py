"""The types of several results: what the module `return_types` of a package has, and its part of the stub."""

from __future__ import annotations

import keyword
from collections.abc import Iterable

from wrapgen.chain import Operation
from wrapgen.emit.wrappers import returns_of
from wrapgen.model import Op
from wrapgen.plugins.outputs import outputs_of

# What tuples and their named kind have: a result of this name takes its place.
_OF_TUPLES = ("count", "index", "n_fields", "n_sequence_fields", "n_unnamed_fields")


def several(op: Op) -> bool:
    """Does it return a tuple with names?"""
    return len(outputs_of(op)) > 1 and not op.inplace


def type_name(operation: Operation, op: Op) -> str:
    """The function's; where several of its forms have such results, the form's."""
    names = [form.op.python_name for form in operation.forms if several(form.op)]
    return op.python_name if names.count(op.python_name) == 1 else op.symbol


def ops(operations: Iterable[Operation]) -> list[Op]:
    """The forms that do."""
    forms = (form.op for operation in operations for form in operation.forms)
    return [op for op in forms if several(op)]


def _class(name: str, fields: list[str], item: str) -> list[str]:
    items = ", ".join([item] * len(fields))
    names = ", ".join(f'"{field}"' for field in fields)
    lines = [
        "    @final",
        f"    class {name}(structseq[{item}], tuple[{items}]):",
        f"        __match_args__: Final = ({names})",
    ]
    for field in fields:
        ignored = "  # type: ignore[override]" if field in _OF_TUPLES else ""
        if not keyword.iskeyword(field):
            lines.append("        @property")
            lines.append(f"        def {field}(self) -> {item}: ...{ignored}")
    return lines


def stub(operations: Iterable[Operation], item: str) -> list[str]:
    """The class that stands for the module; `item` is the type of a result."""
    lines = [
        line
        for operation in operations
        for form in operation.forms
        if several(form.op)
        for line in _class(
            type_name(operation, form.op), [arg.name for arg in returns_of(form.op)], item
        )
    ]
    return ["class return_types:", *lines, ""] if lines else []
