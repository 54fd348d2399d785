"""Reads which backends and dtypes a declaration names, in the spellings of all versions."""

from __future__ import annotations

from wrapgen import tables
from wrapgen.errors import listing, nearest, shorten
from wrapgen.syntax.node import Node

BACKENDS = ("CPU", "CUDA")
KEYS = (
    "types backends processors processor_types backend_types backend_type_pairs processor_type_pairs "
    "type_processor_pairs"
).split()

Fields = dict[str, Node]


def items_of(node: Node, what: str) -> list[Node]:
    """A list, or what stands for a list of one."""
    return node.sequence(what) if node.is_sequence() else [node]


def types(fields: Fields) -> tuple[str, ...]:
    if "types" not in fields:
        return ()
    words = []
    for item in items_of(fields["types"], "types"):
        words.append(_dtype(item))
    return tuple(dict.fromkeys(words))


def processors(fields: Fields) -> tuple[str, ...]:
    for key in ("backends", "processors", "processor_types"):
        if key in fields and not fields[key].is_mapping():
            items = items_of(fields[key], key)
            if all(not item.is_sequence() for item in items):
                return tuple(item.word("a backend", BACKENDS) for item in items)
    return BACKENDS


def pairs(fields: Fields) -> tuple[str, ...] | None:
    """Dtypes by backend: a list of pairs in either order, or a mapping."""
    pairs: list[tuple[str, Node]] = []
    found = False
    for key in (
        "backend_type_pairs",
        "processor_type_pairs",
        "type_processor_pairs",
        "backend_types",
        "processor_types",
    ):
        node = fields.get(key)
        if node is None or (key == "processor_types" and not _has_pairs(node)):
            continue
        found = True
        pairs += _mapped(node, key) if node.is_mapping() else _listed(node, key)
    if not found:
        return None
    return tuple(dict.fromkeys(_dtype(kind) for name, kind in pairs if name == "CPU"))


def _has_pairs(node: Node) -> bool:
    return node.is_mapping() or any(
        item.is_sequence() for item in (node.sequence("") if node.is_sequence() else [])
    )


def _mapped(node: Node, key: str) -> list[tuple[str, Node]]:
    return [
        (backend.word("a backend", BACKENDS), item)
        for backend, value in node.pairs(key)
        for item in items_of(value, "types")
    ]


def _listed(node: Node, key: str) -> list[tuple[str, Node]]:
    result = []
    for pair in node.sequence(key):
        items = pair.sequence("a pair of backend and type")
        if len(items) != 2:
            raise pair.error(f"expected a pair of backend and type, got {len(items)} items")
        if items[0].text("a backend") not in BACKENDS:
            items.reverse()
        result.append((items[0].word("a backend", BACKENDS), items[1]))
    return result


def _dtype(node: Node) -> str:
    """A word of `types:`; C's names of types as well."""
    word = node.text("a type")
    table = tables.dtypes()
    names = {name.lower(): name for name in table.names}
    known = {**{group: group for group in table.groups()}, **names}
    found = known.get(word) or (word if word in table.names else None)
    if found is None:
        known_words = [*table.groups(), *table.names]
        hint = nearest(word, known_words) or f"; known: {listing(known_words)}"
        raise node.error(f"unknown type '{shorten(word)}'{hint}")
    return found
