"""YAML values that know where they stand. Scalars stay text until a key's owner types them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import yaml

from wrapgen.errors import DeclarationError, Loc, listing, nearest, shorten

_MAX_DEPTH = 40
_Loader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Text:
    """A text and how it stands in the file, where lines are folded, indented or quoted."""

    text: str
    raw: str
    loc: Loc  # of the first character of raw

    def __str__(self) -> str:
        return self.text

    def at(self, offset: int) -> Loc:
        """The place of one of its characters; that of the whole where escapes hide it."""
        blocked = self.raw[:1] in ("|", ">")
        if not blocked and ("\\" in self.raw or "''" in self.raw[1:-1]):
            return self.loc
        begin = self.raw.find("\n") + 1 if blocked else int(self.raw[:1] in ("'", '"'))
        ahead = len("".join(self.text[:offset].split()))
        solid = [i for i in range(begin, len(self.raw)) if not self.raw[i].isspace()]
        index = solid[ahead] if ahead < len(solid) else len(self.raw)
        before = self.raw[:index].split("\n")
        column = len(before[-1]) + (self.loc.column if len(before) == 1 else 1)
        return Loc(self.loc.file, self.loc.line + len(before) - 1, column)


class Node:
    """A YAML node with its file: the name shown and the text."""

    def __init__(self, node: yaml.Node, file: str, source: str) -> None:
        self._node = node
        self._file = file
        self._source = source

    @property
    def loc(self) -> Loc:
        mark = self._node.start_mark
        return Loc(self._file, mark.line + 1, mark.column + 1)

    @property
    def tree(self) -> yaml.Node:
        return self._node

    def error(self, message: str) -> DeclarationError:
        return DeclarationError(self.loc, message)

    def describe(self) -> str:
        """What is there, for messages that say what was expected."""
        if isinstance(self._node, yaml.MappingNode):
            return "a mapping"
        if isinstance(self._node, yaml.SequenceNode):
            return "a list"
        if self.is_null():
            return "nothing"
        return f"'{shorten(str(self._node.value))}'"

    def is_mapping(self) -> bool:
        return isinstance(self._node, yaml.MappingNode)

    def is_sequence(self) -> bool:
        return isinstance(self._node, yaml.SequenceNode)

    def is_null(self) -> bool:
        return (
            isinstance(self._node, yaml.ScalarNode) and self._node.tag == "tag:yaml.org,2002:null"
        )

    def pairs(self, what: str) -> list[tuple[Node, Node]]:
        """Keys and values as they stand."""
        if not isinstance(self._node, yaml.MappingNode):
            raise self.error(f"expected {what} as a mapping, got {self.describe()}")
        return [(self.child(key), self.child(value)) for key, value in self._node.value]

    def child(self, node: yaml.Node) -> Self:
        return type(self)(node, self._file, self._source)

    def mapping(self, what: str) -> Iterator[tuple[Node, Node]]:
        """Keys and values; a key given twice is an error."""
        seen: dict[str, Loc] = {}
        for key, value in self.pairs(what):
            text = key.text("a key")
            if text in seen:
                raise key.error(f"key '{text}' is given twice, first in line {seen[text].line}")
            seen[text] = key.loc
            yield key, value

    def sequence(self, what: str) -> list[Node]:
        if not isinstance(self._node, yaml.SequenceNode):
            raise self.error(f"expected {what} as a list, got {self.describe()}")
        return [self.child(item) for item in self._node.value]

    def text(self, what: str) -> str:
        if not isinstance(self._node, yaml.ScalarNode):
            raise self.error(f"expected {what} as text, got {self.describe()}")
        return str(self._node.value)

    def placed(self, what: str) -> Text:
        """A text that errors may point into."""
        return Text(self.text(what), self.raw().rstrip(), self.loc)

    def raw(self) -> str:
        """How it stands in the file."""
        return self._source[self._node.start_mark.index : self._node.end_mark.index]

    def integer(self, what: str) -> int:
        text = self.text(what)
        try:
            return int(text)
        except ValueError:
            raise self.error(f"expected {what} as an integer, got '{shorten(text)}'") from None

    def boolean(self, what: str) -> bool:
        return self.word(what, ("true", "false")) == "true"

    def word(self, what: str, known: Iterable[str]) -> str:
        """One of the known words."""
        text = self.text(what)
        known = tuple(known)
        if text.lower() in ("true", "false") and text.lower() in known:
            return text.lower()
        if text not in known:
            hint = nearest(text, known)
            raise self.error(
                f"expected {what} as one of {listing(known)}, got '{shorten(text)}'{hint}"
            )
        return text

    def identifier(self, what: str) -> str:
        text = self.text(what)
        if not text.isidentifier() or not text.isascii():
            raise self.error(f"expected {what} as a C identifier, got '{shorten(text)}'")
        return text

    def plain(self) -> object:
        """The value as Python data, for keys that are passed on as they are."""
        loader = yaml.SafeLoader("")
        try:
            return loader.construct_document(self._node)
        except yaml.YAMLError as error:
            raise self.error(f"this value cannot be read: {error}") from None
        finally:
            loader.dispose()


def _check_events(text: str, shown: str, loader: type = _Loader) -> None:
    """Declarations are plain: no aliases, no tags, and not so deep that building the tree would be a danger."""
    depth = 0
    for event in yaml.parse(text, Loader=loader):
        if isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            depth += 1
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            depth -= 1
        problem = ""
        if isinstance(event, yaml.AliasEvent):
            problem = f"aliases are not supported: write out what '*{event.anchor}' stands for"
        elif getattr(event, "tag", None) is not None:
            tag = str(getattr(event, "tag", "")).replace("tag:yaml.org,2002:", "!!")
            problem = f"tags are not supported, got '{tag}'"
        elif depth > _MAX_DEPTH:
            problem = f"nested more than {_MAX_DEPTH} levels deep"
        mark = event.start_mark
        if problem and mark is not None:
            raise DeclarationError(Loc(shown, mark.line + 1, mark.column + 1), problem)


def _check(text: str, shown: str) -> None:
    try:
        _check_events(text, shown)
    except yaml.MarkedYAMLError as error:
        # A limit of libyaml's own, from 0.2.6 on, which it meets far behind ours while it looks for a colon.
        if error.problem == "exceeded maximum nesting depth":
            _check_events(text, shown, yaml.SafeLoader)
        raise


def compose(path: Path, shown: str) -> Node | None:
    """The document of a file, or None when it is empty; `shown` is the file's name in messages."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DeclarationError(Loc(shown, 1, 1), f"the file is not UTF-8: {error}") from None
    return compose_text(text, shown)


def compose_text(text: str, shown: str) -> Node | None:
    """The document of a text, or None when it is empty."""
    try:
        _check(text, shown)
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        loc = Loc(shown, mark.line + 1, mark.column + 1) if mark else Loc(shown, 1, 1)
        problem = " ".join(filter(None, (error.context, error.problem)))
        if error.problem == "mapping values are not allowed in this context":
            problem += "; is a text with ': ' not quoted, or the line indented too far?"
        raise DeclarationError(loc, f"this is not YAML: {problem}") from None
    except yaml.reader.ReaderError as error:
        before = text[: error.position].splitlines() or [""]
        loc = Loc(shown, len(before), len(before[-1]) + 1)
        raise DeclarationError(loc, f"this is not YAML: {error.reason}") from None
    return None if node is None else Node(node, shown, text)
