"""What a form of the original syntax is translated to, and what its op is called."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import yaml

from wrapgen.cwrap import trees
from wrapgen.cwrap.arguments import Ours, Unsupported
from wrapgen.cwrap.declarations import Declaration
from wrapgen.errors import Loc

# Python's special methods by the operator they stand for.
_SPECIAL = {
    "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "add": "+", "sub": "-", "mul": "*",
    "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@", "eq": "==", "ne": "!=", "lt": "<",
    "le": "<=", "gt": ">", "ge": ">=", "neg": "-x", "pos": "+x", "invert": "~x", "abs": "abs(x)",
}  # fmt: skip


@dataclass
class Entry:
    """One form, translated. `keys` are those of the entry but for its arguments."""

    at: yaml.Node
    loc: Loc
    args: list[Ours]
    keys: dict[str, yaml.Node] = field(default_factory=dict)
    inplace: bool = False
    own: bool = False  # it has keys of our own files
    notes: list[str] = field(default_factory=list)

    @property
    def inputs(self) -> list[Ours]:
        return [arg for arg in self.args if arg.visible and not arg.output]

    def set(self, key: str, text: str) -> None:
        if text:
            self.keys[key] = trees.scalar(text, self.at)

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


@dataclass(frozen=True)
class Name:
    """What an op is called."""

    name: str
    operator: str = ""


def name_of(declaration: Declaration) -> Name:
    """The Python name where there is one; special methods become operators."""
    name = declaration.python_name or declaration.name
    special = re.fullmatch(r"__(i?)(\w+?)__", name)
    if special is None:
        return Name(name)
    for inplace, word in ((False, special[1] + special[2]), (True, special[2])):
        if word in _SPECIAL and (not inplace or special[1]):
            return Name(f"operator_{word}{'_' if inplace else ''}", _SPECIAL[word])
    raise Unsupported("special methods", f"'{name}' is a method of Python's that ops cannot be")
