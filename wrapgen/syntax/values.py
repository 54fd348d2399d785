"""What the value of a key may look like: small pieces of JSON Schema, for `wrapgen schema` and editors.

They say less than the key's own parser, which reads what JSON Schema has no words for and gives the messages. YAML
turns words into numbers, truth and nothing before a schema sees them (`default: 1`, `default: NULL`), so texts may be
these too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Schema = Mapping[str, Any]

ANY: Schema = {}
TEXT: Schema = {"type": ["string", "number", "boolean", "null"]}
FLAG: Schema = {"type": "boolean"}
LINE: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
IDENTIFIER: Schema = {"type": "string", "pattern": r"^[A-Za-z_][A-Za-z0-9_]*$"}

# Names of dtypes and of groups of them, which wrapgen/schema.py knows.
DTYPES: Schema = {"$ref": "#/$defs/dtype"}
DTYPE_GROUPS: Schema = {"$ref": "#/$defs/dtypes"}

_YAML_WORDS = {"true": True, "false": False, "null": None}


def one_of(words: Iterable[str | int]) -> Schema:
    """One of the words."""
    return {"enum": [_YAML_WORDS.get(str(word), word) for word in words]}


def matching(pattern: str) -> Schema:
    """A text of this form."""
    return {"type": "string", "pattern": f"^({pattern})$"}


def list_of(item: Schema) -> Schema:
    return {"type": "array", "items": item}


def some(item: Schema) -> Schema:
    """One, or a list."""
    return {"anyOf": [item, {"type": "array", "items": item, "minItems": 1}]}


def either(*schemas: Schema) -> Schema:
    return {"anyOf": list(schemas)}


def mapping(
    properties: Mapping[str, Schema] | None = None,
    required: Iterable[str] = (),
    others: Schema | None = None,
) -> Schema:
    """A mapping with these keys, and with any other keys only where `others` says what they have."""
    schema: dict[str, Any] = {"type": "object", "properties": dict(properties or {})}
    if tuple(required):
        schema["required"] = list(required)
    schema["additionalProperties"] = False if others is None else others
    return schema
