"""What stands beside `call:`: C variables of the call, and the sizes of results that are tensors.

    locals:
      used: {type: uLongf, value: count(result)}
      stream: {type: z_stream, open: "deflateInit(&stream, int(level))", close: deflateEnd(&stream)}

A variable is 0 until it gets its `value`, which may be an initialiser in braces. `open` is a call that returns
whether it failed, as the op's call does; `close` follows in every case once it is open, or once there is what a pointer
points to. A pointer whose `value` is NULL is an error.

`shape: [n, size(x, 0)]` or `shape: x` of an `output: true` argument is the shape that the function fills, `filled:` how
many of its first dim the function filled: the result has no more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from wrapgen.errors import Loc
from wrapgen.model import Key
from wrapgen.syntax.calls import Formula, formula
from wrapgen.syntax.node import Node
from wrapgen.syntax.values import LINE, TEXT, either, list_of, mapping

_TYPE = re.compile(r"[A-Za-z_][\w ]*(\s*\*)*", re.ASCII)


@dataclass(frozen=True)
class Variable:
    """A C variable of a call."""

    name: str
    ctype: str
    loc: Loc
    value: Formula | None = None
    open: Formula | None = None
    close: Formula | None = None

    @property
    def is_pointer(self) -> bool:
        return self.ctype.endswith("*")

    @property
    def declared(self) -> str:
        """`z_stream stream`, `FILE *file`"""
        return f"{self.ctype}{'' if self.is_pointer else ' '}{self.name}"

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return tuple(each for each in (self.value, self.open, self.close) if each is not None)


@dataclass(frozen=True)
class Shape:
    """Of a result: sizes, or the tensor argument that has the same."""

    sizes: tuple[Formula, ...] = ()
    like: str = ""
    loc: Loc | None = None

    def __str__(self) -> str:
        return self.like or f"[{', '.join(map(str, self.sizes))}]"


def _parse_shape(node: Node) -> Shape:
    if node.is_sequence():
        return Shape(tuple(formula(item, "shape") for item in node.sequence("shape")), loc=node.loc)
    return Shape(like=node.identifier("shape"), loc=node.loc)


def _parse_variable(name: Node, node: Node) -> Variable:
    ctype = ""
    formulas: dict[str, Formula] = {}
    for key, value in node.mapping("a variable"):
        word = key.word("a key of a variable", ("type", "value", "open", "close"))
        if word != "type":
            formulas[word] = formula(value, f"locals, {word}")
            continue
        ctype = re.sub(r"\s*\*", " *", " ".join(value.text("type").split())).replace("* *", "**")
        if not _TYPE.fullmatch(ctype):
            raise value.error(f"expected a type of C, got {value.describe()}")
    if not ctype:
        raise node.error(f"variable '{name.text('a name')}' needs a `type:`")
    return Variable(name.identifier("a variable's name"), ctype, name.loc, **formulas)


def _parse_locals(node: Node) -> tuple[Variable, ...]:
    return tuple(_parse_variable(name, value) for name, value in node.mapping("locals"))


SHAPE = Key[Shape](
    "shape",
    _parse_shape,
    "Of a result of a `call:` on whole tensors: its sizes, or the argument that has the same. Without it the result"
    " is one number.",
    either(LINE, list_of(TEXT)),
    "{arg: THTensor* result, output: true, shape: [count(self), 2]}",
)
FILLED = Key[Formula](
    "filled",
    lambda node: formula(node, "filled"),
    "Of such a result: how much of its first dim the function filled, C over `locals:` and `status`; there is no more"
    " of it then.",
    TEXT,
    "{arg: THTensor* result, output: true, dtype: Byte, shape: [bound(nbytes(self))], filled: used}",
)
LOCALS = Key[tuple[Variable, ...]](
    "locals",
    _parse_locals,
    "C variables of a `call:`: `type`, `value`, and for what is opened and closed `open` and `close`.",
    mapping(others=mapping({"type": LINE, "value": TEXT, "open": TEXT, "close": TEXT}, ["type"])),
    "locals: {used: {type: size_t, value: count(result)}}",
)
