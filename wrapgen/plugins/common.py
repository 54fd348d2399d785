"""What several plugins ask of an op."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wrapgen.model import Arg, Op


def find(op: Op, name: str, arg: Arg, key: object = None) -> Arg:
    """The argument another one refers to."""
    found = op.arg(name)
    if found is None or not found.visible:
        known = ", ".join(a.name for a in op.args if a.visible)
        raise op.error(key, f"has no argument '{name}' (it has: {known})", arg)  # type: ignore[arg-type]
    return found


def quoted(text: str) -> str:
    """A C string literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def array(args: Iterable[str]) -> str:
    return "{" + ", ".join(args) + "}"


NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$")
