"""`default: text` makes an argument optional.

The text is a number, `true` or `false`, `NULL` (absent: no tensor, all dims, no dtype), a quoted
string, or `AS_REAL(x)` of a number, cwrap's spelling for numbers of the tensor's dtype. It is
filled in where the Python arguments are read; C callers pass every argument.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

from wrapgen.model import Arg, Body, Key, Op, Param, Plugin
from wrapgen.plugins.common import NUMBER, quoted
from wrapgen.syntax.values import TEXT

DEFAULT = Key[str](
    "default",
    lambda node: node.text("default"),
    "Makes the argument optional. The text is C: a number, `true` or `false`, `NULL`, a "
    "quoted string, or `AS_REAL(1)` for a number of the tensor's dtype.",
    TEXT,
    "{arg: real value, default: AS_REAL(1)}",
)
_AS_REAL = re.compile(r"AS_REAL\((.*)\)$")
_SCALARS = ("real", "accreal", "THScalar")
_BOOLS = {"THP_BOOL": ("true", "false"), "THP_TRUE": ("true",), "THP_FALSE": ("false",)}
_NOT_FINITE = {"inf": "INFINITY", "INFINITY": "INFINITY", "nan": "NAN", "NAN": "NAN"}
_SHOWN = {
    "INFINITY": "float('inf')",
    "-INFINITY": "float('-inf')",
    "NAN": "float('nan')",
    "-NAN": "float('nan')",
    "INT64_MIN": str(-(1 << 63)),
}


def _number(op: Op, arg: Arg, text: str) -> str:
    match = _AS_REAL.match(text)
    text = match[1].strip() if match else text
    if text.lstrip("+-") in _NOT_FINITE and text.count("-") < 2:
        return ("-" if text[0] == "-" else "") + _NOT_FINITE[text.lstrip("+-")]
    if not NUMBER.match(text):
        raise op.error(DEFAULT, f"default of '{arg}' must be a number, got '{text}'", arg)
    whole = re.fullmatch(r"[-+]?\d+", text)
    if not whole or arg.type.kind == "THP_DOUBLE":
        if math.isinf(float(text)):
            raise op.error(DEFAULT, f"default of '{arg}' does not fit a double: {text}", arg)
        return f"{int(text)}.0" if whole and len(text) > 9 else str(int(text)) if whole else text
    if len(text) > 20 or not -(1 << 63) <= int(text) < 1 << 63:
        raise op.error(DEFAULT, f"default of '{arg}' does not fit an int64: {text}", arg)
    return str(int(text)) if int(text) != -(1 << 63) else "INT64_MIN"


def _scalar(text: str) -> str:
    whole = re.fullmatch(r"[-+]?\d+|INT64_MIN", text)
    return f"THScalar_from{'Long' if whole else 'Double'}({text})"


def _expressions(op: Op, arg: Arg, text: str) -> tuple[str, str]:
    """The default as C and as a Python literal."""
    kind = arg.type.kind
    if text in ("NULL", "null", "~", "THPDefaultGenerator->cdata"):
        if arg.type.name in _SCALARS or kind in ("THP_LONG", "THP_DOUBLE", *_BOOLS):
            raise op.error(DEFAULT, f"default of '{arg}' cannot be NULL", arg)
        return ("-1" if kind == "THP_DTYPE" else "NULL"), "None"
    if arg.type.name in _SCALARS:
        if text.lower() in ("true", "false"):
            return f"THScalar_fromBool({text.lower()})", text.capitalize()
        number = _number(op, arg, text)
        return _scalar(number), _SHOWN.get(number, number)
    if kind in ("THP_LONG", "THP_DOUBLE"):
        number = _number(op, arg, text)
        if kind == "THP_LONG" and not re.fullmatch(r"[-+]?\d+|INT64_MIN", number):
            raise op.error(DEFAULT, f"default of '{arg}' must be an integer, got '{text}'", arg)
        return number, _SHOWN.get(number, number)
    if kind in _BOOLS:
        if text.lower() not in _BOOLS[kind]:
            expected = " or ".join(_BOOLS[kind])
            raise op.error(DEFAULT, f"default of '{arg}' must be {expected}, got '{text}'", arg)
        return text.lower(), text.capitalize()
    if kind == "THP_STRING":
        bare = text.strip("\"'")
        return quoted(bare), repr(bare)
    raise op.error(DEFAULT, f"default of '{arg}' must be NULL, got '{text}'", arg)


def _rewrite(op: Op) -> tuple[Op, ...]:
    for arg in op.args:
        text = arg[DEFAULT]
        if text is not None and arg.visible:
            _expressions(op, arg, text)
    return (op,)


def _weave(op: Op, body: Body) -> Body:
    def fill(param: Param) -> Param:
        text = param.arg[DEFAULT]
        if text is None:
            return param
        value, shown = _expressions(op, param.arg, text)
        return replace(
            param, default=value, shown_default=shown, nullable=param.nullable or shown == "None"
        )

    return replace(body, params=tuple(map(fill, body.params)))


PLUGIN = Plugin("OptionalArguments", __doc__, arg_keys=(DEFAULT,), rewrite=_rewrite, weave=_weave)
