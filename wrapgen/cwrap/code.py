"""`before_call` and `after_call`: C text that worked on Python objects, as text for the C locals of today.

`((THPTensor*)$arg2)->cdata` is what `$arg2` means now. What else works on Python objects, on the results' sizes or
on other functions of TH is not translated.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_OBJECT = re.compile(r"\(\s*\(\s*THS?P\w+\s*\*\s*\)\s*\$arg(\d+)\s*\)\s*->\s*cdata")
_CHECK = re.compile(
    r"^(?:THArgCheck\(\s*(.*?),\s*\d+|THPUtils_assert\(\s*(.*?))\s*,\s*(\".*\).*)$", re.DOTALL
)
_IF_ERROR = re.compile(
    r"^if\s*\((.*)\)\s*\{\s*THPUtils_setError\((\s*\".*)\)\s*;\s*return NULL;\s*\}$", re.DOTALL
)
_LAST_DIM = re.compile(r"(?:long|int|int64_t|auto)\s+(\w+)\s*=\s*\$arg\d+->nDimension\s*-\s*1")
_LEFT = re.compile(
    r"\bTHS?P\w*|\bPy[A-Z_]\w*|->\s*cdata|\bTH\w*_\(\w+\)|\bLIBRARY_STATE\b|^\s*#.*|\bTHLongStorage\w*"
    r"|\bTHArgCheck\b|\bTHError\b|std::\w+|\$(?!arg\d)\S*",
    re.MULTILINE,
)


class NotTranslated(Exception):
    """The text needs what is not there; the message says what."""


@dataclass(frozen=True)
class Code:
    """The text that stays, and what is known of what does not."""

    text: str
    last_dims: frozenset[str] = frozenset()  # names of the last dim
    notes: tuple[str, ...] = ()


def statements(text: str) -> list[str]:
    """The text cut behind its semicolons, but for those in brackets and strings."""
    parts, depth, quote, start = [], 0, "", 0
    escaped = False
    for index, character in enumerate(text):
        if quote:
            if character == quote and not escaped:
                quote = ""
            escaped = character == "\\" and not escaped
        elif character in "\"'":
            quote = character
        elif character in "({[":
            depth += 1
        elif character in ")}]":
            depth -= 1
        elif character == ";" and depth <= 0:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def _idioms(text: str) -> str:
    """The C API of the time in that of today."""
    text = _OBJECT.sub(r"$arg\1", text)
    text = re.sub(r"\bLIBRARY_STATE\s*,?\s*", "", text)
    text = re.sub(r"\bTH\w*Tensor_\(nDimension\)\(\s*(\$arg\d+)\s*\)", r"\1->nDimension", text)
    text = re.sub(r"\bTH\w*Tensor_\(size\)\(\s*(\$arg\d+)\s*,\s*(\d+)\s*\)", r"\1->size[\2]", text)
    text = _IF_ERROR.sub(r"TH_REQUIRE(!(\1), TH_ERROR_VALUE, \2)", text)
    return _CHECK.sub(r"TH_REQUIRE(\1\2, TH_ERROR_VALUE, \3", text)


def translate(text: str, number: Callable[[int], int | None]) -> Code:
    """The text for the arguments as they are counted now; `number` says the new number of an old one."""
    kept, last_dims, notes = [], set(), []
    for statement in statements(text):
        raw = re.search(r"\$arg(\d+)", _OBJECT.sub("", statement))
        if re.search(r"keepdim", statement, re.IGNORECASE) and "arn" in statement:
            notes.append("no warning about keepdim's default")
            continue
        if statement.startswith("PyErr_Warn"):
            notes.append("a warning is left out")
            continue
        if raw and _LEFT.search(statement):
            raise NotTranslated(f"works on the Python object of argument {raw[1]}")
        changed = _idioms(statement)
        last = _LAST_DIM.fullmatch(changed)
        if last:
            last_dims.add(last[1])
            continue
        left = _LEFT.search(changed)
        if left:
            raise NotTranslated(f"uses '{left[0].strip()}'")
        kept.append(changed + (";" if not changed.endswith("}") else ""))

    def renumbered(match: re.Match[str]) -> str:
        new = number(int(match[1]))
        if new is None:
            raise NotTranslated(
                f"uses argument {match[1]}, which the function of today does not take"
            )
        return f"$arg{new}"

    return Code(
        re.sub(r"\$arg(\d+)", renumbered, "\n".join(kept)), frozenset(last_dims), tuple(notes)
    )
