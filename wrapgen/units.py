"""What a declarations file brings beside its ops: entries without `name`.

`sources: [csrc/fast.cpp]` are C and C++ files, compiled once. `generic: generic/hydro.c` is a file of
THTensor_(op) functions, included for each dtype. Paths are relative to the YAML file. `c: |` is C for kernels and
bodies, compiled with them. `library: name` is an existing library whose functions ops call: `headers:`, and how to
find it (`wrapgen/libraries.py`): `pkg_config:`, `link:`, `cflags:`, `include_dirs:`, `library_dirs:`; these folders are
relative to that of the Python package that carries the library where `python:` names one. `setup:` is C that runs
once, before anything is called, `message:` what a status means, `hint:` what to do where the library is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wrapgen import tables
from wrapgen.errors import DeclarationError, Loc, listing, nearest, shorten
from wrapgen.keys import LIBRARY, UNITS, names
from wrapgen.syntax import snippets
from wrapgen.syntax.node import Node, Text
from wrapgen.syntax.snippets import Snippet

C_SUFFIXES = (".c",)
CXX_SUFFIXES = (".cpp", ".cc", ".cxx")
KEYS = names(UNITS)
_LIBRARY_KEYS = names(LIBRARY)
_LIBRARY_NAME = re.compile(r"[A-Za-z][\w.+-]*", re.ASCII)
_MODULE = re.compile(r"[\w][\w.+-]*( *(>=|<=|=|>|<) *[\w.]+)?", re.ASCII)
_CALL = re.compile(r"\s*[A-Za-z_]\w*\s*\(.*\bstatus\b.*\)\s*", re.ASCII | re.DOTALL)


@dataclass(frozen=True)
class Message:
    """What a failure means: a text, or a call of C over `status`."""

    text: Text

    def __str__(self) -> str:
        return self.text.text

    @property
    def is_call(self) -> bool:
        return _CALL.fullmatch(self.text.text) is not None


@dataclass(frozen=True)
class Library:
    """An existing library, as it is declared."""

    name: str
    loc: Loc
    folder: Path  # of the YAML file
    headers: tuple[str, ...] = ()
    pkg_config: str = ""
    python: str = ""
    include_dirs: tuple[str, ...] = ()
    library_dirs: tuple[str, ...] = ()
    cflags: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    setup: Text | None = None
    message: Message | None = None
    hint: str = ""


@dataclass(frozen=True)
class Units:
    """All of a package's declarations."""

    sources: tuple[Path, ...] = ()
    generic: tuple[Path, ...] = ()
    libraries: tuple[Library, ...] = ()
    snippets: tuple[Snippet, ...] = ()
    notices: tuple[str, ...] = ()  # what its author is told when it is built

    @property
    def files(self) -> tuple[Path, ...]:
        return (*self.sources, *self.generic)

    @property
    def has_cxx(self) -> bool:
        return any(path.suffix in CXX_SUFFIXES for path in self.sources)


def is_unit(entry: Node) -> bool:
    """A mapping that begins with the key of a unit; ops have a `library` too."""
    if not entry.is_mapping():
        return False
    try:
        keys = [key.text("a key") for key, _ in entry.pairs("an entry")]
    except DeclarationError:  # not a text: reading the entry says so
        return False
    return keys[:1] != [] and keys[0] in KEYS and not (keys[0] == "library" and "name" in keys)


def add(units: Units, entry: Node, folder: Path) -> Units:
    """With what an entry declares; `folder` is the YAML file's."""
    (first, value), *others = entry.mapping("an entry")
    if first.text("a key") == "library":
        library = _library(value, others, folder)
        same = next((other for other in units.libraries if other.name == library.name), None)
        if same is not None:
            raise value.error(f"library '{library.name}' is declared already, in {same.loc}")
        return replace(units, libraries=(*units.libraries, library))
    for key, _ in others:
        name = key.text("a key")
        known = KEYS if name in KEYS else ()
        hint = "; each needs an entry of its own" if known else nearest(name, KEYS)
        raise key.error(f"unexpected key '{name}' beside '{first.text('a key')}'{hint}")
    if first.text("a key") == "c":
        return replace(units, snippets=(*units.snippets, _snippet(units, value)))
    if first.text("a key") == "generic":
        path = _file(value, "generic", folder, C_SUFFIXES)
        return replace(units, generic=_with(units.generic, path, value))
    sources = units.sources
    for item in value.sequence("sources") if value.is_sequence() else [value]:
        sources = _with(sources, _file(item, "a source", folder, C_SUFFIXES + CXX_SUFFIXES), item)
    return replace(units, sources=sources)


def parse_message(node: Node) -> Message:
    text = node.placed("message")
    if not text.text.strip():
        raise node.error("expected a message, or a call like `strerror(status)`, got nothing")
    if len(text.text.strip().splitlines()) > 1:
        raise node.error("expected a message on one line")
    return Message(text)


def _library(name: Node, others: Iterable[tuple[Node, Node]], folder: Path) -> Library:
    text = name.text("a library's name")
    if not _LIBRARY_NAME.fullmatch(text):
        raise name.error(f"expected a library's name, got '{shorten(text)}'")
    fields: dict[str, Any] = {}
    for key, value in others:
        word = key.text("a key")
        if word not in _LIBRARY_KEYS:
            hint = nearest(word, _LIBRARY_KEYS) or f"; known keys: {listing(_LIBRARY_KEYS)}"
            raise key.error(f"unknown key '{word}' of a library{hint}")
        fields[word] = _field(word, value)
    library = Library(text, name.loc, folder, **fields)
    if not library.headers:
        raise name.error(f"library '{text}' needs `headers:`, which declare its functions")
    return library


def _field(word: str, value: Node) -> object:
    """The value of a library's key."""
    if word == "message":
        return parse_message(value)
    if word == "setup":
        found = value.placed("setup")
        if not snippets.read(found, "setup"):
            raise value.error("expected C statements in setup, got nothing")
        return found
    if word in ("hint", "pkg_config", "python"):
        text = value.text(word).strip()
        if word == "pkg_config" and not _MODULE.fullmatch(text):
            raise value.error(f"expected a module of pkg-config, got {value.describe()}")
        if word == "python" and not text.isidentifier():
            raise value.error(f"expected the name of a Python package, got {value.describe()}")
        return text
    items = value.sequence(word) if value.is_sequence() else [value]
    return tuple(_item(word, item) for item in items)


def _item(word: str, item: Node) -> str:
    """One of a list of flags, folders or headers."""
    text = item.text(word)
    if word == "headers" and not re.fullmatch(r"[^\s<>\"\\]+", text):
        raise item.error(f"expected a header as `zlib.h`, got {item.describe()}")
    if word == "cflags" and not text.startswith("-"):
        raise item.error(f"expected a flag of the compiler, got {item.describe()}")
    if word == "link" and not re.match(r"-[lLW]\S|.*\.(so|a|o)\b", text):
        raise item.error(f"expected `-lNAME` or another flag of the linker, got {item.describe()}")
    if not text.strip():
        raise item.error(f"expected {word} as texts, got nothing")
    return text


def _snippet(units: Units, node: Node) -> Snippet:
    """The C of an entry; its functions are nobody else's."""
    found = snippets.snippet(node.placed("c"))
    for function in found.functions:
        if function.name in tables.math():
            message = f"in c: function '{function.name}' is one of kernels already; rename it"
            raise DeclarationError(function.loc, message)
    seen: dict[str, Loc] = {}
    for function in (f for each in (*units.snippets, found) for f in each.functions):
        first = seen.setdefault(function.name, function.loc)
        if first is not function.loc:
            message = f"in c: function '{function.name}' is defined already, in {first}"
            raise DeclarationError(function.loc, message)
    return found


def _file(node: Node, what: str, folder: Path, suffixes: tuple[str, ...]) -> Path:
    text = node.text(what)
    path = folder / text
    if path.suffix not in suffixes:
        raise node.error(f"expected {what} as a file {listing(suffixes)}, got '{text}'")
    if not path.is_file():
        others = [
            str(other.relative_to(folder))
            for other in path.parent.glob("*")
            if other.suffix in suffixes
        ]
        raise node.error(f"no such file: '{text}'{nearest(text, others)}")
    return path


def _with(paths: tuple[Path, ...], path: Path, node: Node) -> tuple[Path, ...]:
    same = [other for other in paths if other.name == path.name]
    if same and same[0] != path:
        raise node.error(f"two files are called '{path.name}'; object files are named after them")
    if same:
        raise node.error(f"'{path.name}' is there twice")
    return (*paths, path)
