"""Declarations of the original syntax, as they are read."""

from __future__ import annotations

from dataclasses import dataclass

from wrapgen.cwrap.languages import Broadcast, Typed, WrapDim
from wrapgen.cwrap.reader import Block
from wrapgen.errors import Loc
from wrapgen.syntax.node import Node


@dataclass(frozen=True)
class Argument:
    """An argument of a form."""

    node: Node
    typed: Typed
    output: bool = False
    default: str | None = None
    kwarg_only: bool = False
    long_args: bool = False
    nullable: bool = False
    assert_ndim: Node | None = None
    if_true: str | None = None
    if_false: str | None = None
    broadcast: Broadcast | None = None
    wrap_dim: WrapDim | None = None
    kept: tuple[tuple[str, Node], ...] = ()  # keys of our own files

    @property
    def name(self) -> str:
        return self.typed.name

    @property
    def visible(self) -> bool:
        return self.typed.type not in ("CONSTANT", "argument")


@dataclass(frozen=True)
class Form:
    """One of the options, with what the declaration says for all of them."""

    node: Node
    cname: str
    returns: str
    returned: tuple[int, ...]
    args: tuple[Argument, ...]
    types: tuple[str, ...]  # words of `types:` as ours; none: all
    processors: tuple[str, ...]
    pairs: tuple[str, ...] | None  # of the explicit pairs, the CPU's dtypes
    defined_if: tuple[str, ...]
    before_call: Node | None
    after_call: Node | None
    before_arg_assign: Node | None
    sparse: bool
    with_gil: bool | None
    kept: tuple[tuple[str, Node], ...]

    @property
    def loc(self) -> Loc:
        return self.node.loc


@dataclass(frozen=True)
class Declaration:
    """A block, read."""

    block: Block
    name: str
    python_name: str
    variants: tuple[str, ...]
    only_register: bool
    doc: str
    forms: tuple[Form, ...]
    notes: tuple[str, ...]

    @property
    def loc(self) -> Loc:
        return self.block.node.loc
