"""The signatures of core operations: `(n),(m)->(k)`, the named dims of an item of each operand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wrapgen.errors import shorten
from wrapgen.model import Arg
from wrapgen.syntax.expression import ExpressionError
from wrapgen.syntax.node import Text

_TOKEN = re.compile(r"\s*(?:(?P<name>[A-Za-z_]\w*)|(?P<size>\d+)|(?P<op>->|[(),]))", re.ASCII)
MAX_RANK = 8
MAX_DIMS = 16


@dataclass(frozen=True)
class Dim:
    """A named size, or a constant one."""

    text: str
    offset: int

    @property
    def size(self) -> int:
        """Of a constant; -1 of a name."""
        return int(self.text) if self.text.isdigit() else -1


@dataclass(frozen=True)
class Signature:
    """The core dims of inputs and of results, and the results' arguments once they are known."""

    text: Text
    inputs: tuple[tuple[Dim, ...], ...]
    outputs: tuple[tuple[Dim, ...], ...]
    results: tuple[Arg, ...] = ()

    def __str__(self) -> str:
        return self.text.text

    @property
    def dims(self) -> tuple[Dim, ...]:
        """Every dim once, in the order of its first appearance."""
        found: dict[str, Dim] = {}
        for group in (*self.inputs, *self.outputs):
            for dim in group:
                found.setdefault(dim.text, dim)
        return tuple(found.values())

    @property
    def given(self) -> frozenset[str]:
        """The dims that inputs have."""
        return frozenset(dim.text for group in self.inputs for dim in group)


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens = list(_tokens(text))
        self.at = 0

    def take(self, expected: str = "") -> tuple[str, str, int]:
        kind, text, offset = self.tokens[self.at]
        if expected and text != expected:
            raise ExpressionError(
                offset, f"expected {_described(expected)}, got {_shown(kind, text)}"
            )
        self.at += kind != "end"
        return kind, text, offset

    def peek(self) -> str:
        return self.tokens[self.at][1]

    def groups(self) -> tuple[tuple[Dim, ...], ...]:
        """`(n),(m, 3)`"""
        found = [self.group()]
        while self.peek() == ",":
            self.take()
            found.append(self.group())
        return tuple(found)

    def group(self) -> tuple[Dim, ...]:
        offset = self.take("(")[2]
        dims: list[Dim] = []
        while self.peek() != ")":
            if dims:
                self.take(",")
            dims.append(self.dim())
        self.take(")")
        if len(dims) > MAX_RANK:
            raise ExpressionError(offset, f"an operand has at most {MAX_RANK} core dims")
        return tuple(dims)

    def dim(self) -> Dim:
        kind, text, offset = self.take()
        if kind not in ("name", "size"):
            raise ExpressionError(
                offset, f"expected a dim's name or size, got {_shown(kind, text)}"
            )
        if kind == "size" and not 1 <= int(text[:20]) < 1 << 31:
            raise ExpressionError(offset, f"expected a size from 1 on, got {shorten(text)}")
        return Dim(str(int(text)) if kind == "size" else text, offset)


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            offset = position + len(text[position:]) - len(text[position:].lstrip())
            raise ExpressionError(offset, f"unexpected '{text[offset]}'")
        yield match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)
        position = match.end()
    yield "end", "", end


def _shown(kind: str, text: str) -> str:
    return "the end" if kind == "end" else f"'{shorten(text)}'"


def _described(text: str) -> str:
    return "'->' and the results" if text == "->" else f"'{text}'"


def parse(text: Text) -> Signature:
    """ExpressionError where it is none."""
    reader = _Reader(text.text)
    inputs = reader.groups()
    reader.take("->")
    signature = Signature(text, inputs, reader.groups())
    kind, got, offset = reader.tokens[reader.at]
    if kind != "end":
        raise ExpressionError(offset, f"expected ',' or the end, got {_shown(kind, got)}")
    if len(signature.dims) > MAX_DIMS:
        raise ExpressionError(0, f"at most {MAX_DIMS} dims, got {len(signature.dims)}")
    return signature
