"""What cwrap wrote as strings: `broadcast: mat1,mat2 dims:mat1.dim0,mat2.dim1`, `wrap_dim: self+1`,
`return: argument 0,1`, `THTensor* self`, `defined_if:`. Each is parsed once; errors point into the string."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wrapgen.errors import DeclarationError, listing, nearest, shorten
from wrapgen.syntax.node import Node

_NAME = re.compile(r"[A-Za-z_]\w*$", re.ASCII)
_MAX_OTHERS = 2


@dataclass(frozen=True)
class Broadcast:
    """`others`, the tensors to expand with; or `dims`, the sizes to expand to."""

    others: tuple[str, ...]
    dims: tuple[tuple[str, int], ...] = ()
    inplace: bool = False
    fallback: bool = False
    types: tuple[str, ...] = ()


@dataclass(frozen=True)
class WrapDim:
    of: str
    extra: int = 0


@dataclass(frozen=True)
class Typed:
    """`type name`; of CONSTANT and argument the name is a text and a number."""

    type: str
    name: str


def _error(node: Node, offset: int, message: str) -> DeclarationError:
    return DeclarationError(node.placed("text").at(offset), message)


def broadcast(node: Node) -> Broadcast:
    """`others [inplace] [fallback] [dims:a.dimN,...] [types:X,...]`."""
    words = [(match[0], match.start()) for match in re.finditer(r"\S+", node.text("broadcast"))]
    if not words:
        raise node.error(
            "expected broadcast as 'others [inplace] [fallback] [dims:] [types:]', got nothing"
        )
    others = _others(node, *words[0])
    flags: set[str] = set()
    dims: tuple[tuple[str, int], ...] = ()
    types: tuple[str, ...] = ()
    for word, offset in words[1:]:
        kind, colon, rest = word.partition(":")
        if kind in flags:
            raise _error(node, offset, f"'{kind}' is given twice")
        flags.add(kind)
        if word in ("inplace", "fallback"):
            continue
        if colon and kind == "dims":
            dims = _dims(node, rest, offset + 5, others)
        elif colon and kind == "types":
            types = tuple(rest.split(","))
        else:
            known = ("inplace", "fallback", "dims:", "types:")
            hint = nearest(word, known)
            raise _error(
                node, offset, f"expected one of {listing(known)}, got '{shorten(word)}'{hint}"
            )
    result = Broadcast(others, dims, "inplace" in flags, "fallback" in flags, types)
    _check_broadcast(node, result)
    return result


def _others(node: Node, word: str, offset: int) -> tuple[str, ...]:
    names = word.split(",")
    for name in names:
        if not _NAME.match(name):
            raise _error(node, offset, f"expected names of arguments, got '{shorten(word)}'")
    if len(names) > _MAX_OTHERS:
        raise _error(
            node, offset, f"expected at most {_MAX_OTHERS} other arguments, got {len(names)}"
        )
    return tuple(names)


def _dims(
    node: Node, text: str, offset: int, others: tuple[str, ...]
) -> tuple[tuple[str, int], ...]:
    dims = []
    for item in text.split(","):
        match = re.fullmatch(r"([A-Za-z_]\w*)\.dim(\d{1,2})", item, re.ASCII)
        if match is None:
            message = f"expected a size as argument.dimN, got '{shorten(item)}'"
            raise _error(node, offset, message)
        if match[1] not in others:
            hint = nearest(match[1], others)
            message = f"expected a size of {listing(others)}, got '{item}'{hint}"
            raise _error(node, offset, message)
        dims.append((match[1], int(match[2])))
        offset += len(item) + 1
    return tuple(dims)


def _check_broadcast(node: Node, value: Broadcast) -> None:
    if value.dims and value.fallback:
        raise node.error("dims cannot be combined with fallback")
    if value.dims and value.types and not value.inplace:
        raise node.error("types cannot be combined with dims out of place")
    if len(set(value.dims)) != len(value.dims):
        raise node.error("a size is given twice in dims")


def wrap_dim(node: Node) -> WrapDim:
    """`tensor` or `tensor+k`."""
    text = node.text("wrap_dim").strip()
    match = re.fullmatch(r"([A-Za-z_]\w*)\s*(?:\+\s*(\d{1,4}))?", text, re.ASCII)
    if match is None:
        raise node.error(f"expected wrap_dim as 'tensor' or 'tensor+k', got '{shorten(text)}'")
    return WrapDim(match[1], int(match[2] or 0))


def typed(node: Node) -> Typed:
    """`type name`, split at the first space behind the type."""
    text = node.text("an argument 'type name'").strip()
    match = re.fullmatch(r"(?:const )?([A-Za-z_][^\s*]*)\s*(\*?)\s*(.*)", text, re.DOTALL)
    if match is None:
        raise node.error(f"expected an argument as 'type name', got '{shorten(text)}'")
    return check_typed(node, Typed(match[1] + match[2], match[3]))


def check_typed(node: Node, value: Typed) -> Typed:
    """The name fits the type."""
    if not value.name:
        raise node.error(f"expected a name after '{value.type}'")
    if value.type == "argument":
        if not re.fullmatch(r"\d{1,3}", value.name, re.ASCII):
            raise node.error(f"expected a number after 'argument', got '{shorten(value.name)}'")
    elif value.type != "CONSTANT" and not _NAME.match(value.name):
        raise node.error(f"expected an argument's name, got '{shorten(value.name)}'")
    return value


def returned(node: Node, count: int) -> tuple[str, tuple[int, ...]]:
    """A return: its text, and the numbers of `argument N,M`."""
    text = node.text("return").strip()
    if not text.startswith("argument"):
        return text, ()
    match = re.fullmatch(r"argument\s+(\d{1,3}(?:\s*,\s*\d{1,3})*)", text, re.ASCII)
    if match is None:
        raise node.error(
            f"expected return as 'argument N' or 'argument N,M', got '{shorten(text)}'"
        )
    numbers = tuple(map(int, match[1].split(",")))
    for number in numbers:
        if not count:
            raise node.error(f"expected arguments, of which return names '{text}'")
        if number >= count:
            message = f"expected 'argument N' with N below {count} (the first is 0), got {number}"
            raise node.error(message)
    return text, numbers


@dataclass(frozen=True)
class Condition:
    """What `defined_if` says: dtypes of the CPU (None: any), or that it is about CUDA alone."""

    dtypes: frozenset[str] | None = None
    cuda: bool = False
    known: bool = True


_REAL = re.compile(r"(?:defined\s*\(?\s*)?TH_REAL_IS_([A-Z]+)\s*\)?")
_CUDA = re.compile(r"(?:defined\s*\(?\s*)?(?:IS_CUDA|WITH_CUDA|CUDA_[A-Z]+|THC_\w+)\s*\)?")
_ALWAYS = re.compile(
    r"!\s*\(?\s*(?:defined\s*\(?\s*)?(?:IS_CUDA|IS_DISTRIBUTED|WITH_CUDA|CUDA_[A-Z]+|THC_\w+)\s*\)*|1"
)


def condition(text: str) -> Condition:
    """A condition of the preprocessor over dtypes and backends, as far as it can be told here."""
    dtypes: frozenset[str] | None = None
    for part in text.split("&&"):
        if _ALWAYS.fullmatch(part.strip()):
            continue
        terms = [term.strip() for term in part.strip().strip("()").split("||")]
        terms = [f"{term})" if term.count("(") > term.count(")") else term for term in terms]
        reals = [match for match in map(_REAL.fullmatch, terms) if match]
        if len(reals) + sum(bool(_CUDA.fullmatch(term)) for term in terms) != len(terms):
            return Condition(known=False)
        if not reals:
            return Condition(cuda=True)
        chosen = frozenset(match[1].capitalize() for match in reals)
        dtypes = chosen if dtypes is None else dtypes & chosen
    return Condition(dtypes)
