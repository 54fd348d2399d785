"""`wrapgen schema`: a JSON Schema of a declarations file, from the records of its keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

import yaml

from wrapgen import keys, tables
from wrapgen.keys import Described
from wrapgen.model import Plugin
from wrapgen.syntax.values import Schema
from wrapgen.types import TYPES

DRAFT = "https://json-schema.org/draft/2020-12/schema"
# Keys that belong to the entry alone, or to one of its options alone.
_NOT_IN_OPTIONS = ("name", "options", "python_name", "aliases", "variants")
_ONLY_IN_OPTIONS = ("overload",)


def _described(key: Described) -> Schema:
    """The value of a key, with what editors show."""
    schema = {"description": key.doc, **key.schema}
    if key.example:
        value = yaml.safe_load(key.example)
        if isinstance(value, dict) and key.name in value:
            schema["examples"] = [value[key.name]]
    return schema


def _object(owned: Iterable[Described], required: Iterable[str]) -> dict[str, Any]:
    properties = {key.name: _described(key) for key in owned}
    needed = list(required)
    return {
        "type": "object",
        "properties": properties,
        "required": needed,
        "additionalProperties": False,
    }


def _typed() -> Schema:
    """`type name`, as the loader splits it."""
    words = [
        re.escape(name.removesuffix("*")) + (r"\s*\*" if name.endswith("*") else r"(?=\s)")
        for name, kind in TYPES.items()
        if kind.kind
    ]
    visible = rf"(const )?({'|'.join(words)})\s*[A-Za-z][A-Za-z0-9_]*"
    return {
        "type": "string",
        "pattern": rf"^\s*({visible}|CONSTANT\s+\S.*|argument\s+\d{{1,4}})\s*$",
        "description": f"type name, where the type is one of {', '.join(TYPES)}",
    }


def _units() -> list[Schema]:
    library = _object((keys.UNITS[-1], *keys.LIBRARY), (keys.UNITS[-1].name, "headers"))
    return [*(_object((key,), (key.name,)) for key in keys.UNITS[:-1]), library]


def schema(chain: Sequence[Plugin]) -> dict[str, Any]:
    """The schema of the files that a chain reads."""
    of_plugins = [key for plugin in chain for key in plugin.op_keys]
    entry = [key for key in keys.ENTRY if key.name not in _ONLY_IN_OPTIONS]
    option = [key for key in keys.ENTRY if key.name not in _NOT_IN_OPTIONS]
    argument: list[Described] = [*keys.ARGUMENT]
    argument += [key for plugin in chain for key in plugin.arg_keys]
    dtypes = tables.dtypes()
    whole = _object((*entry, *of_plugins), ("name",))
    whole["not"] = {"required": ["arguments", "options"]}
    typed, reference = {"$ref": "#/$defs/typed"}, {"$ref": "#/$defs/argument"}
    return {
        "$schema": DRAFT,
        "title": "Declarations of tensor operations (wrapgen)",
        "type": ["array", "null"],
        "items": {
            "if": {"required": ["name"]},
            "then": {"$ref": "#/$defs/entry"},
            "else": {"anyOf": [{"$ref": "#/$defs/entry"}, *_units()]},
        },
        "$defs": {
            "entry": whole,
            "option": _object((*option, *of_plugins), ()),
            "arguments": {"type": "array", "items": {"anyOf": [typed, reference]}},
            "argument": _object(argument, ("arg",)),
            "typed": _typed(),
            "dtype": {"enum": list(dtypes.names)},
            "dtypes": {"enum": [*dtypes.groups(), *dtypes.names]},
        },
    }


def text(chain: Sequence[Plugin]) -> str:
    """The file of the schema."""
    return json.dumps(schema(chain), indent=2, ensure_ascii=False) + "\n"
