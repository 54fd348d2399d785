"""Builds YAML trees whose places are those of the .cwrap nodes they come from."""

from __future__ import annotations

from collections.abc import Iterable

import yaml

STRING = "tag:yaml.org,2002:str"
_resolver = yaml.SafeLoader("")
Pairs = list[tuple[str, yaml.Node]]


def tag_of(text: str) -> str:
    """What a plain scalar of this text is for YAML."""
    return str(_resolver.resolve(yaml.ScalarNode, text, (True, False)))  # type: ignore[no-untyped-call]


def scalar(text: str, at: yaml.Node) -> yaml.ScalarNode:
    """A plain scalar: `true`, a number, a name."""
    return yaml.ScalarNode(tag_of(text), text, at.start_mark, at.end_mark)


def sequence(items: Iterable[yaml.Node], at: yaml.Node) -> yaml.SequenceNode:
    return yaml.SequenceNode("tag:yaml.org,2002:seq", list(items), at.start_mark, at.end_mark)


def mapping(pairs: Pairs, at: yaml.Node) -> yaml.MappingNode:
    keys = [(scalar(key, value), value) for key, value in pairs]
    return yaml.MappingNode("tag:yaml.org,2002:map", keys, at.start_mark, at.end_mark)
