"""Writes entries as declarations/*.yaml are written: options and arguments a line each, the rest in flow style.

What is read back has the same tags and texts; scalars are quoted where YAML would take them for something else.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import yaml

from wrapgen.cwrap import report, trees
from wrapgen.cwrap.convert import Converted
from wrapgen.cwrap.results import Result
from wrapgen.errors import Loc

_WIDTH = 110
_PLAIN = re.compile(r"(?!-+(?: |$))[\w+.-][\w*+./()<>=-]*(?: [\w*+./()<>=-]+)*", re.ASCII)
_SPECIAL = re.compile(r"[-+.\w~]+", re.ASCII)
_QUOTED_KEYS = ("kernel",)


def quoted(text: str) -> str:
    """A double-quoted scalar on one line."""
    return '"' + "".join(map(_character, text)) + '"'


def _character(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character == "\n":
        return "\\n"
    if character.isprintable() and character != "\ufeff":
        return character
    code = ord(character)
    return (
        f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
    )


def scalar(node: yaml.Node) -> str:
    text = node.value
    if node.tag != trees.STRING:
        return text if _SPECIAL.fullmatch(text) else ("~" if not text else quoted(text))
    if _PLAIN.fullmatch(text) and trees.tag_of(text) == trees.STRING:
        return str(text)
    return quoted(text)


def flow(node: yaml.Node) -> str:
    """A tree on one line."""
    if isinstance(node, yaml.MappingNode):
        return "{" + ", ".join(f"{flow(key)}: {flow(value)}" for key, value in node.value) + "}"
    if isinstance(node, yaml.SequenceNode):
        return "[" + ", ".join(map(flow, node.value)) + "]"
    return scalar(node)


def _lines(text: str, indent: str) -> list[str] | None:
    """A text of several lines as a block scalar, where it can be one."""
    lines = text.split("\n")
    fine = all(line.isprintable() and line == line.rstrip() for line in lines)
    if len(lines) < 2 or not fine or not lines[-1] or lines[0][:1] in ("", " "):
        return None
    return [f"{indent}  {line}" if line else "" for line in lines]


def _pair(key: str, value: yaml.Node, indent: str) -> list[str]:
    """A key with its value, in the lines it takes."""
    if isinstance(value, yaml.ScalarNode):
        block = _lines(value.value, indent)
        if block is not None and value.tag == trees.STRING:
            return [f"{indent}{key}: |-", *block]
        return [f"{indent}{key}: {quoted(value.value) if key in _QUOTED_KEYS else scalar(value)}"]
    line = f"{indent}{key}: {flow(value)}"
    items = value.value if isinstance(value, yaml.SequenceNode) else []
    short = all(isinstance(item, yaml.ScalarNode) for item in items)
    if key == "options":
        lines = [f"{indent}options:"]
        for item in items:
            lines += _item(item, f"{indent}  ")
        return lines
    if key == "arguments" and items and not (short and len(line) <= _WIDTH):
        return [f"{indent}arguments:", *(f"{indent}  - {flow(item)}" for item in items)]
    return [line]


def _item(node: yaml.Node, indent: str) -> list[str]:
    """A mapping as an item of a list."""
    lines = []
    for key, value in node.value:
        lines += _pair(str(key.value), value, f"{indent}  ")
    return [f"{indent}- {lines[0].lstrip()}", *lines[1:]]


def _comment(text: str) -> list[str]:
    return [f"# {line}".rstrip() for line in textwrap.wrap(text, 128) or [""]]


def _place(loc: Loc) -> str:
    return f"{Path(loc.file).name}:{loc.line}"


def _comments(lines: tuple[str, ...]) -> list[str]:
    """As they stood; what a line without text ends stays apart."""
    return [f"# {line}".rstrip() if line else "" for line in lines]


def entry(result: Result) -> list[str]:
    """A declaration: the entry, or what is missing as a comment with the text as it was."""
    block = result.block
    lines = _comments(block.comments)
    if not result.forms:
        lines += _comment(f"{result.name}, {_place(result.declaration.loc)}: {report.what(result)}")
        return [*lines, *(f"#     {line}".rstrip() for line in block.lines)]
    for loc, problem in result.missing:
        text = f"a form of {result.name}, {_place(loc)}: missing: {report.reason(problem, result.name)}"
        lines += _comment(text)
    if result.inplace_of:
        text = f"{result.name} is the in-place form of {result.inplace_of.name}."
        return [*lines, *_comment(text)] if lines else []
    if result.part_of:
        return [*lines, *_comment(f"{result.name} is above.")] if lines else []
    if result.notes:
        lines += _comment(f"Changed: {'; '.join(result.notes)}.")
    return [*lines, *_item(result.tree(), "")]


def write(converted: Converted, name: str) -> str:
    """The file."""
    head = _comment(f"From {name} by `wrapgen import`. {report.summary(converted)}.")
    entries = [entry(result) for result in converted.results]
    parts = ["\n".join(lines) for lines in (head, *entries) if lines]
    return "\n\n".join(parts) + "\n"
