"""Small files in the original syntax, and what they mean as YAML."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from wrapgen import loader
from wrapgen.cwrap import convert, writer
from wrapgen.errors import Loc
from wrapgen.syntax.node import Text


def write(folder: Path, text: str, name: str = "ops.cwrap") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def block(text: str) -> str:
    """A declaration; its lines are indented as those of a test."""
    return f"[[\n{text.strip(chr(10))}\n]]\n"


def one(folder: Path, text: str) -> convert.Result:
    """What becomes of one declaration."""
    (result,) = convert.convert(write(folder, block(text)), "ops.cwrap").results
    return result


def placeless(value: Any) -> Any:
    """A model without its places."""
    if isinstance(value, Loc):
        return None
    if isinstance(value, Text):
        return value.text
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        return {name: placeless(each) for name, each in fields.items()}
    if isinstance(value, tuple):
        return tuple(map(placeless, value))
    return value


def round_trip(path: Path, folder: Path) -> tuple[list[Any], list[Any]]:
    """The model of a file and that of what it is imported to."""
    converted = convert.convert(path, path.name)
    ours = folder / f"{path.stem}.yaml"
    ours.write_text(writer.write(converted, path.name), encoding="utf-8")
    both = (loader.load([(path, path.name)]), loader.load([(ours, ours.name)]))
    before, after = (list(map(placeless, each)) for each in both)
    return before, after
