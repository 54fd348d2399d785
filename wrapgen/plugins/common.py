"""What several plugins ask of an op."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wrapgen.model import Arg, Op
from wrapgen.plugins.outputs import OUTPUT

# What kernels and bodies may have beside tensors, and its C type there.
PARAM_TYPES = {
    "real": "scalar_t",
    "accreal": "accreal",
    "double": "double",
    "float": "double",
    "long": "int64_t",
    "int": "int64_t",
    "bool": "bool",
}
MAX_OPERANDS = 8  # TH_MAX_OPERANDS


def find(op: Op, name: str, arg: Arg, key: object = None) -> Arg:
    """The input another argument refers to."""
    found = op.arg(name)
    if found is None or not found.visible or found[OUTPUT]:
        known = ", ".join(a.name for a in op.args if a.visible and not a[OUTPUT])
        raise op.error(key, f"has no input '{name}' (it has: {known})", arg)  # type: ignore[arg-type]
    return found


def quoted(text: str) -> str:
    """A C string literal."""
    return '"' + _SPECIAL.sub(_escaped, text) + '"'


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    if character in _ESCAPES:
        return _ESCAPES[character]
    return "".join(f"\\{byte:03o}" for byte in character.encode())


def literal(text: str, width: int = 90) -> list[str]:
    """A C string literal of several lines: broken after newlines, and at blanks where it is long."""
    pieces = [
        piece
        for line in text.splitlines(keepends=True)
        for piece in re.findall(rf".{{1,{width}}}(?:\s|$)|\S+\s?", line, re.DOTALL)
    ]
    return [quoted(piece) for piece in pieces] or ['""']


def array(args: Iterable[str]) -> str:
    return "{" + ", ".join(args) + "}"


# Question marks so that no trigraph arises; what ends a line for Python or is not printable, as octal bytes.
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "?": "\\?"}
_SPECIAL = re.compile(r'["\\\x00-\x1f\x7f-\x9f\u2028\u2029]|(?<=\?)\?')
NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$")
