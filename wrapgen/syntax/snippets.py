"""C that stands in declarations: the functions beside kernels (`c:` entries) and the bodies of core operations.

Both are compiled for each dtype as they are written, so what a snippet declares must have another name for each. The
names are found by reading the C as far as that takes: comments, strings, brackets, and what ends a declaration. The
compiler says what else is wrong with it, at the lines of the YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from wrapgen.errors import DeclarationError, Loc, shorten
from wrapgen.syntax.node import Text


@dataclass(frozen=True)
class Function:
    """A function that a snippet defines."""

    name: str
    parameters: int
    kind: str  # of its value in expressions: real, float, int; "" where it has none
    loc: Loc


@dataclass(frozen=True)
class Snippet:
    """A `c:` entry."""

    text: Text
    functions: tuple[Function, ...]
    names: tuple[str, ...]  # all it declares outside of functions

    @property
    def words(self) -> frozenset[str]:
        return words(self.text.text)


@dataclass(frozen=True)
class Token:
    kind: str  # name, other; for brackets and what is in them: ( [ {
    text: str
    offset: int
    end: int
    inner: tuple[Token, ...] = ()


_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*)"
    r"|(?P<string>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)"
    r"|(?P<other>.)",
    re.DOTALL | re.MULTILINE,
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_UNCLOSED = {"/*": "comment", '"': "string", "'": "character"}
_QUALIFIERS = frozenset(("static", "inline", "const", "extern", "volatile", "register", "restrict"))
_INTEGERS = frozenset(
    "bool _Bool char short int long signed unsigned int8_t int16_t int32_t int64_t uint8_t uint16_t "
    "uint32_t uint64_t size_t ptrdiff_t".split()
)
_FLOATS = frozenset(("float", "double"))
_REALS = frozenset(("scalar_t", "accreal", "storage_t"))
_NAMELESS = frozenset(("__attribute__", "_Static_assert", "static_assert", "_Alignas", "alignas"))


def words(text: str) -> frozenset[str]:
    """The names that occur in C."""
    return frozenset(match["name"] for match in _TOKEN.finditer(text) if match["name"])


def _error(text: Text, offset: int, what: str, message: str) -> DeclarationError:
    return DeclarationError(text.at(offset), f"in {what}: {message}")


def _flat(text: Text, what: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(text.text):
        kind, found = str(match.lastgroup), match[0]
        if kind == "space":
            continue
        start = "/*" if text.text.startswith("/*", match.start()) else found
        if kind == "other" and start in _UNCLOSED:
            raise _error(text, match.start(), what, f"the {_UNCLOSED[start]} is not closed")
        yield Token("name" if kind == "name" else "other", found, match.start(), match.end())


def read(text: Text, what: str) -> tuple[Token, ...]:
    """The tokens, brackets with what is in them; an error where they do not match."""
    # Branches of #if may each open the same bracket: the compiler knows.
    conditional = re.search(r"^\s*#\s*(if|el)", text.text, re.MULTILINE)
    open_: list[tuple[Token, list[Token]]] = []
    current: list[Token] = []
    for token in _flat(text, what):
        if token.text in _CLOSING:
            open_.append((token, current))
            current = []
        elif token.text in _CLOSING.values():
            if not open_ or _CLOSING[open_[-1][0].text] != token.text:
                if conditional:
                    return ()
                hint = f", '{open_[-1][0].text}' is open" if open_ else ""
                raise _error(text, token.offset, what, f"unexpected '{token.text}'{hint}")
            opening, outer = open_.pop()
            inner = tuple(current)
            outer.append(Token(opening.text, opening.text, opening.offset, token.end, inner))
            current = outer
        else:
            current.append(token)
    if open_ and not conditional:
        raise _error(text, open_[-1][0].offset, what, f"'{open_[-1][0].text}' is not closed")
    return tuple(current) if not open_ else ()


def _declarations(tokens: tuple[Token, ...]) -> Iterator[list[Token]]:
    """Each up to its semicolon or, of functions, the end of the body."""
    current: list[Token] = []
    for token in tokens:
        if token.text == ";":
            if current:
                yield current
            current = []
            continue
        current.append(token)
        if token.kind == "{" and _head(current) is not None:
            yield current
            current = []
    if current:
        yield current


def _head(declaration: list[Token]) -> int | None:
    """Where the name of a function stands, in a definition or a prototype."""
    for place, (name, after) in enumerate(pairwise(declaration)):
        if name.text in ("=", "typedef") or _pointed(after):
            return None
        if name.kind == "name" and after.kind == "(" and name.text not in _NAMELESS:
            return place
    return None


def _pointed(token: Token) -> str:
    """The name in `(*name)`."""
    if token.kind != "(" or not token.inner or token.inner[0].text != "*":
        return ""
    return next((each.text for each in reversed(token.inner) if each.kind == "name"), "")


def split(tokens: list[Token]) -> list[list[Token]]:
    """At commas."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.text == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _tags(declaration: list[Token]) -> Iterator[str]:
    """The names of structs, unions and enums that are defined, and of an enum's values."""
    for place, token in enumerate(declaration):
        if token.kind != "{" or place == 0:
            continue
        before = [each.text for each in declaration[max(0, place - 2) : place]]
        if before[0] in ("struct", "union", "enum") and len(before) == 2:
            yield before[1]
        if "enum" in before:
            yield from (part[0].text for part in split(list(token.inner)) if part)


def _variables(declaration: list[Token]) -> Iterator[str]:
    """What a declaration that is no function names: variables, or a type."""
    for part in split(declaration):
        before: list[Token] = []
        yield from filter(None, map(_pointed, part))
        for token in part:
            if token.text == "=" or token.kind == "[":
                break
            before.append(token)
        names = [token for token in before if token.kind == "name"]
        further = len(part) < len(declaration)  # `int a, b`: b has no type before it
        if len(names) > (0 if further else 1) and before[-1].kind == "name":
            yield names[-1].text


def _kind(result: list[str]) -> str:
    """What a value of this type is in an expression."""
    if "*" in result:
        return ""
    for kind, types in (("real", _REALS), ("float", _FLOATS), ("int", _INTEGERS)):
        if types & set(result):
            return kind
    return ""


def _function(text: Text, declaration: list[Token], place: int) -> Function:
    name = declaration[place]
    before = [token.text for token in declaration[:place]]
    if "static" not in before:
        message = f"function '{name.text}' must be static: it is compiled once for each dtype"
        raise _error(text, name.offset, "c", message)
    parameters = split(list(declaration[place + 1].inner))
    void = len(parameters) == 1 and [token.text for token in parameters[0]] in ([], ["void"])
    kind = _kind([word for word in before if word not in _QUALIFIERS])
    return Function(name.text, 0 if void else len(parameters), kind, text.at(name.offset))


def snippet(text: Text) -> Snippet:
    """What a `c:` entry defines."""
    functions: list[Function] = []
    names: dict[str, None] = {}
    tokens = read(text, "c")
    for declaration in _declarations(tokens):
        place = _head(declaration)
        names.update(dict.fromkeys(_tags(declaration)))
        if place is not None:
            names[declaration[place].text] = None
            if declaration[-1].kind == "{":
                functions.append(_function(text, declaration, place))
        elif declaration[0].text not in _NAMELESS:
            names.update(dict.fromkeys(_variables(declaration)))
    if not functions and not names:
        raise DeclarationError(
            text.loc, f"expected C with functions in c, got '{shorten(text.text.strip())}'"
        )
    return Snippet(text, tuple(functions), tuple(names))


def located(text: Text) -> list[tuple[int, str]]:
    """Its lines, each with its line in the file."""
    lines, offset = [], 0
    for line in text.text.rstrip().split("\n"):
        blank = len(line) - len(line.lstrip())
        lines.append((text.at(offset + blank).line if line.strip() else 0, line))
        offset += len(line) + 1
    return lines
