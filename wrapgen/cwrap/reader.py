"""Reads the frame of a .cwrap file: `[[` and `]]` around YAML blocks, `!!inc path`, lines of C between them.

Blocks become Nodes whose places are those of the file. What a line of C around a block says of it is kept:
comments, and the conditions of the preprocessor it stands under.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from wrapgen.errors import DeclarationError, Loc, shorten
from wrapgen.syntax.node import Node, compose_text

_MARKS = ("[[", "]]", "!!inc")
_MAX_INCLUDES = 16  # one in the other
_COMMENT = re.compile(r"\s*(//|/\*|\*|#\s(?!\s*(if|ifdef|ifndef|elif|else|endif|define|undef)\b))")
_CONDITION = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b\s*(.*)")


class Original(Node):
    """A node whose marks know its file and block, so that one tree may be made of several blocks."""

    @property
    def loc(self) -> Loc:
        mark = self.tree.start_mark
        return Loc(mark.name, mark.line + 1, mark.column + 1)

    def raw(self) -> str:
        start, end = self.tree.start_mark, self.tree.end_mark
        return str(start.buffer)[start.index : end.index]


@dataclass(frozen=True)
class Block:
    """A declaration as it stands."""

    node: Node
    loc: Loc  # of its `[[`
    lines: tuple[str, ...]
    comments: tuple[
        str, ...
    ]  # in front of it and above its first key, without marks; "" is a line without any
    conditions: tuple[str, ...]  # of the preprocessor

    def holds(self, loc: Loc) -> bool:
        """A place in it."""
        first, last = self.loc.line, self.loc.line + len(self.lines)
        return loc.file == self.loc.file and first < loc.line <= last


@dataclass
class Source:
    """A file with all that it includes."""

    blocks: list[Block] = field(default_factory=list)
    errors: list[DeclarationError] = field(default_factory=list)
    verbatim: int = 0  # lines that are neither blocks, comments nor empty
    files: list[Path] = field(default_factory=list)


class _Reader:
    """Goes through lines; a block is kept open until its end."""

    def __init__(self, path: Path, shown: str, skips_blocks: bool = False) -> None:
        self.source = Source()
        self.folder = path.parent
        self.shown = os.path.dirname(shown)  # what messages call the folder
        self.skips_blocks = skips_blocks
        self.comments: list[str] = []
        self.conditions: list[str] = []
        self.file(path, shown)

    def file(self, path: Path, shown: str, within: tuple[Path, ...] = ()) -> None:
        self.source.files.append(path)
        try:
            text = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            self.error(Loc(shown, 1, 1), f"the file is not UTF-8: {error}")
            return
        lines = enumerate((line.rstrip("\r") for line in text.split("\n")), 1)
        for number, line in lines:
            loc = Loc(shown, number, 1)
            if line.rstrip() == "[[":
                self.block(loc, lines)
            elif line.rstrip() == "]]":
                self.error(loc, "expected '[[' before ']]': there is no block to end")
            elif line.startswith("!!inc"):
                self.include(loc, line, (*within, path.resolve()))
            elif line.split()[:1] and line.split()[0] in _MARKS:
                column = Loc(shown, number, len(line) - len(line.lstrip()) + 1)
                self.error(column, f"expected '{line.split()[0]}' at the beginning of its line")
            else:
                self.verbatim(line)

    def error(self, loc: Loc, message: str) -> None:
        self.source.errors.append(DeclarationError(loc, message))

    def verbatim(self, line: str) -> None:
        condition = _CONDITION.match(line)
        if condition:
            self.condition(condition[1], condition[2].strip())
        elif _COMMENT.match(line):
            self.comments.append(_bare(line) or " ")
        elif line.strip():
            self.comments = []
            self.source.verbatim += 1
        elif self.comments and self.comments[-1]:
            self.comments.append("")

    def condition(self, word: str, text: str) -> None:
        if word in ("elif", "else", "endif") and self.conditions:
            before = self.conditions.pop()
            if word != "endif":
                self.conditions.append(text if word == "elif" else _negated(before))
        elif word in ("if", "ifdef", "ifndef"):
            defined = {"ifdef": f"defined({text})", "ifndef": f"!defined({text})"}
            self.conditions.append(defined.get(word, text))

    def include(self, loc: Loc, line: str, within: tuple[Path, ...]) -> None:
        """The path is relative to the file that includes, or to the first file."""
        name = line[len("!!inc") :].strip()
        if not name or not line[len("!!inc")].isspace():
            self.error(loc, f"expected '!!inc path', got '{shorten(line.strip())}'")
            return
        found = [folder / name for folder in (within[-1].parent, self.folder)]
        path = next((path for path in found if _is_file(path)), None)
        column = Loc(loc.file, loc.line, line.index(name) + 1)
        if path is None:
            self.error(column, f"expected a file to include, got '{shorten(name)}': there is none")
        elif path.resolve() in within:
            self.error(column, f"'{name}' includes itself")
        elif len(within) >= _MAX_INCLUDES:
            self.error(column, f"files are included more than {_MAX_INCLUDES} deep")
        else:
            below = os.path.relpath(path, self.folder)
            self.file(path, os.path.normpath(os.path.join(self.shown, below)), within)

    def block(self, start: Loc, lines: Iterator[tuple[int, str]]) -> None:
        """Everything up to `]]`."""
        body: list[str] = []
        for number, line in lines:
            if line.rstrip() == "]]":
                self.finish(start, body)
                return
            if line.rstrip() == "[[":
                here = Loc(start.file, number, 1)
                self.error(here, f"expected ']]' of the block in line {start.line}, got '[['")
                start, body = here, []
                continue
            body.append(line)
        self.error(start, "expected ']]' after this '[[', got the end of the file")

    def finish(self, start: Loc, body: list[str]) -> None:
        comments, self.comments = self.comments, []
        if self.skips_blocks:
            return
        try:
            node = _compose("\n".join(body), start)
        except DeclarationError as error:
            self.source.errors.append(error)
            return
        leading = []
        for line in body:
            if not line.strip().startswith("#"):
                break
            leading.append(_bare(line) or " ")
        self.source.blocks.append(
            Block(node, start, tuple(body), (*comments, *leading), tuple(self.conditions))
        )


def _negated(condition: str) -> str:
    """The condition of `#else`."""
    inner = re.fullmatch(r"!\s*(\w+|defined\s*\(\s*\w+\s*\)|\([^()]*\))", condition)
    return inner[1] if inner else f"!({condition})"


def _is_file(path: Path) -> bool:
    """False of names that no file can have too."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _bare(line: str) -> str:
    """A comment without its marks."""
    return re.sub(r"^(//+|/\*+|\*+/?|#+)\s?|\s*\*+/$", "", line.strip()).rstrip()


def _compose(text: str, start: Loc) -> Node:
    """The YAML of a block, which begins a line below its `[[`."""
    try:
        node = compose_text(text, start.file)
    except DeclarationError as error:
        line, column = error.loc.line + start.line, error.loc.column
        raise DeclarationError(Loc(start.file, line, column), error.message) from None
    if node is None:
        raise DeclarationError(start, "expected a declaration between '[[' and ']]', got nothing")
    _place(node.tree, start, text)
    return Original(node.tree, start.file, text)


def _place(node: yaml.Node, start: Loc, text: str) -> None:
    """Gives a tree the places it has in the file, of which the block is a part."""
    for name in ("start_mark", "end_mark"):
        mark = getattr(node, name)
        line = mark.line + start.line
        setattr(node, name, yaml.Mark(start.file, mark.index, line, mark.column, text, 0))
    if isinstance(node, yaml.ScalarNode):
        return
    for item in node.value:
        for child in item if isinstance(item, tuple) else (item,):
            _place(child, start, text)


def included(path: Path) -> list[Path]:
    """The files that a file includes, in their order."""
    return _Reader(path, str(path), skips_blocks=True).source.files[1:]


def read(path: Path, shown: str) -> Source:
    """All blocks of a file and of those it includes, in their order."""
    return _Reader(path, shown).source
