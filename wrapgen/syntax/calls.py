"""The language of `call:`, which declares a call of a library's function argument by argument.

`function(argument, ...)`, or `(argument, ...)` where `cname` has the function's name. An argument is C over the names
of the op's arguments, in which tensors stand in these forms:

    data(x)                     the address of x's elements, which are contiguous
    data(y = x)                 of the elements of result y, which at first are those of x
    copy(x)                     of a copy of them, which the function may overwrite
    work(type, n)               of n elements for it to work in
    count(x), nbytes(x)         how many elements, or bytes, x has
    ndim(x), size(x, 0)         how many dims, and the size of one
    stride(x, 0)                the stride of a dim, in elements; x is passed as it lies then
    int(n), uint(n)             n, which has to fit this type of C
    &result                     where the function stores what the op returns

`y = function(argument, ...)` stores what the function returns in the only element of result y.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from wrapgen.errors import DeclarationError, nearest, shorten
from wrapgen.model import CFunction, Key
from wrapgen.syntax import snippets
from wrapgen.syntax.node import Node, Text
from wrapgen.syntax.snippets import Token
from wrapgen.syntax.values import TEXT
from wrapgen.units import Message, parse_message

RESULT = "result"
STATUS = "status"
ARRAYS = ("data", "copy")
NARROW = {"int": "int", "uint": "unsigned int"}
FORMS = (*ARRAYS, "work", "count", "nbytes", "ndim", "size", "stride", *NARROW)


@dataclass(frozen=True)
class Form:
    """A part of an argument that is more than C."""

    kind: str
    text: str  # as it is written
    offset: int
    tensor: str = ""
    source: str = ""  # of `data(tensor = source)`
    dim: int = 0
    ctype: str = ""  # of `work`
    inner: tuple[Piece, ...] = ()  # of `work` and conversions


Piece = str | Form


@dataclass(frozen=True)
class Word:
    """A name in C as it stands."""

    name: str
    offset: int
    called: bool


@dataclass(frozen=True)
class Call:
    """What is called, with what."""

    text: Text
    function: str  # "" where cname says
    assigned: str = ""  # the result that gets what the function returns
    pieces: tuple[Piece, ...] = ()
    words: tuple[Word, ...] = ()
    functions: tuple[CFunction, ...] = field(
        default=(), compare=False
    )  # one, or one for each dtype

    def __str__(self) -> str:
        return " ".join(self.text.text.split())

    @property
    def forms(self) -> tuple[Form, ...]:
        return tuple(forms_in(self.pieces))

    @property
    def names(self) -> frozenset[str]:
        return frozenset(word.name for word in self.words)


def forms_in(pieces: Sequence[Piece]) -> Iterator[Form]:
    """Those within others before them."""
    for piece in pieces:
        if isinstance(piece, Form):
            yield from forms_in(piece.inner)
            yield piece


def show(pieces: Sequence[Piece], shown: Callable[[Form], str]) -> str:
    """The C of an argument list."""
    return "".join(piece if isinstance(piece, str) else shown(piece) for piece in pieces)


@dataclass(frozen=True)
class Formula:
    """C beside the call: the size of a result, a condition. `status` in it is what the function returned."""

    text: Text
    what: str  # for messages: "shape"
    pieces: tuple[Piece, ...]
    words: tuple[Word, ...]

    def __str__(self) -> str:
        return " ".join(self.text.text.split())

    @property
    def forms(self) -> tuple[Form, ...]:
        return tuple(forms_in(self.pieces))

    @property
    def is_word(self) -> bool:
        """`nonzero` and the like."""
        return self.text.text in _FAILS


class _Reader:
    def __init__(self, text: Text, what: str = "call", status: bool = False) -> None:
        self.text = text
        self.what = what
        self.status = status  # is the word `status` a form?
        self.words: list[Word] = []

    def error(self, offset: int, message: str) -> DeclarationError:
        return DeclarationError(self.text.at(offset), f"in {self.what}: {message}")

    def pieces(self, tokens: Sequence[Token], begin: int, end: int) -> tuple[Piece, ...]:
        """The text between two offsets, the forms in it taken out."""
        found: list[Piece] = []

        def scan(tokens: Sequence[Token], begin: int) -> int:
            """Adds what is complete; where the rest begins."""
            for place, token in enumerate(tokens):
                following = tokens[place + 1] if place + 1 < len(tokens) else None
                called = following is not None and following.kind == "("
                if token.text == ";":
                    raise self.error(token.offset, "expected ',' or ')', got ';'")
                if following is not None and called and token.text in FORMS:
                    found.append(self.text.text[begin : token.offset])
                    found.append(self.form(token, following))
                    begin = following.end
                elif token.text == STATUS and self.status:
                    found.append(self.text.text[begin : token.offset])
                    found.append(Form(STATUS, STATUS, token.offset))
                    begin = token.end
                elif token.kind == "name":
                    self.words.append(Word(token.text, token.offset, called))
                elif token.inner and token.offset >= begin:
                    begin = scan(token.inner, begin)
            return begin

        rest = scan(tokens, begin)
        return tuple(piece for piece in (*found, self.text.text[rest:end]) if piece)

    def form(self, name: Token, group: Token) -> Form:
        """`data(x)` and the like."""
        parts = [part for part in snippets.split(list(group.inner)) if part]
        text = self.text.text[name.offset : group.end]
        form = Form(name.text, text, name.offset)
        if name.text in NARROW or name.text == "work":
            return self.of_numbers(form, parts)
        wanted = 2 if name.text in ("size", "stride") else 1
        names = [token.text for token in parts[0] if token.kind == "name"] if parts else []
        assigned = name.text == "data" and len(names) == 2 and [t.text for t in parts[0]][1] == "="
        if len(parts) != wanted or (len(parts[0]) != 1 and not assigned) or not names:
            expected = {
                "data": "data(x), or data(y = x)",
                "size": "size(x, 0)",
                "stride": "stride(x, 0)",
            }
            message = (
                f"expected {expected.get(name.text, f'{name.text}(x)')}, got '{shorten(text)}'"
            )
            raise self.error(name.offset, message)
        source = names[1] if assigned else ""
        dim = self.dim(parts[1]) if wanted == 2 else 0
        return Form(name.text, text, name.offset, names[0], source, dim)

    def of_numbers(self, form: Form, parts: list[list[Token]]) -> Form:
        """`work(type, n)`, `int(n)`"""
        wanted = 2 if form.kind == "work" else 1
        if len(parts) != wanted:
            expected = "work(type, n)" if wanted == 2 else f"{form.kind}(n)"
            raise self.error(form.offset, f"expected {expected}, got '{shorten(form.text)}'")
        last = parts[-1]
        ctype = ""
        if form.kind == "work":
            if any(token.kind != "name" and token.text != "*" for token in parts[0]):
                raise self.error(parts[0][0].offset, "expected a type of C in work()")
            ctype = self.text.text[parts[0][0].offset : parts[0][-1].end]
        inner = self.pieces(last, last[0].offset, last[-1].end)
        return Form(form.kind, form.text, form.offset, ctype=ctype, inner=inner)

    def dim(self, part: list[Token]) -> int:
        if len(part) != 1 or not re.fullmatch(r"\d{1,2}", part[0].text):
            got = self.text.text[part[0].offset : part[-1].end]
            raise self.error(part[0].offset, f"expected a dim as a number from 0, got '{got}'")
        return int(part[0].text)


def _parse(node: Node) -> Call:
    text = node.placed("call")
    if re.search(r"^\s*#", text.text, re.MULTILINE):
        raise node.error(
            "in call: expected a call `function(arguments)`, got a line for the preprocessor"
        )
    tokens = snippets.read(text, "call")
    stores = [token.kind for token in tokens[:1]] == ["name"] and [t.text for t in tokens[1:2]] == [
        "="
    ]
    called = tokens[2:] if stores else tokens
    named = called[1:] if called and called[0].kind == "name" else called
    if len(named) != 1 or named[0].kind != "(":
        expected = "expected a call `function(arguments)`, or `(arguments)` with `cname`"
        raise node.error(f"in call: {expected}, got {node.describe()}")
    reader = _Reader(text)
    pieces = reader.pieces(named[0].inner, named[0].offset + 1, named[0].end - 1)
    function = called[0].text if len(called) > 1 else ""
    return Call(text, function, tokens[0].text if stores else "", pieces, tuple(reader.words))


def formula(node: Node, what: str) -> Formula:
    """C in which tensors stand as in a call."""
    text = node.placed(what)
    tokens = snippets.read(text, what)
    if not tokens:
        raise node.error(f"expected {what} as an expression of C, got nothing")
    reader = _Reader(text, what, status=True)
    pieces = reader.pieces(tokens, 0, len(text.text.rstrip()))
    return Formula(text, what, pieces, tuple(reader.words))


_FAILS = {"nonzero": "!= 0", "negative": "< 0"}


def _parse_fails(node: Node) -> Formula:
    """A word, or a condition."""
    text = node.placed("fails")
    if text.text in _FAILS:
        condition = (Form(STATUS, STATUS, 0), f" {_FAILS[text.text]}")
        return Formula(text, "fails", condition, ())
    found = formula(node, "fails")
    if not any(form.kind == STATUS for form in found.forms):
        expected = "expected fails as nonzero, negative or a condition over `status`"
        raise node.error(f"{expected}, got {node.describe()}{nearest(text.text, _FAILS)}")
    return found


LIBRARY = Key[str](
    "library",
    lambda node: node.text("library"),
    "The library whose function is called; a `- library: NAME` entry declares it.",
    TEXT,
    "library: zlib",
)
CALL = Key[Call](
    "call",
    _parse,
    "A library's function, declared argument by argument.",
    TEXT,
    "call: checksum(data(self), nbytes(self))",
)
FAILS = Key[Formula](
    "fails",
    _parse_fails,
    "Which results of the function say that it failed: `nonzero`, `negative`, or a condition of C over `status`, "
    "which is what it returned.",
    TEXT,
    "fails: negative",
)
MESSAGE = Key[Message](
    "message",
    parse_message,
    "What a failure of the function means: a text, or a call of C over `status`.",
    TEXT,
    "message: strerror(status)",
)
