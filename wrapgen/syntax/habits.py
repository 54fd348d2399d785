"""What people write in expressions by habit of Python or NumPy, and what is written instead: for messages."""

from __future__ import annotations

_ELEMENT = "a kernel is about one element; `core:` is for arrays"
_INSTEAD = {
    "**": "`a ** b` is pow(a, b)",
    "//": "`a // b` is floor(a / b)",
    ".": "functions are called by their name alone, as exp(x)",
    "[": _ELEMENT,
    "@": _ELEMENT,
    "and": "`a and b` is a && b",
    "or": "`a or b` is a || b",
    "not": "`not a` is !a",
    "if": "`a if c else b` is c ? a : b",
    "return": "an expression stands alone, without `return`",
    "pi": "write 3.141592653589793",
    "M_PI": "write 3.141592653589793",
    "M_E": "write 2.718281828459045",
    "inf": "write INFINITY",
    "nan": "write NAN",
    "True": "write 1",
    "true": "write 1",
    "False": "write 0",
    "false": "write 0",
    "None": "has_x says whether argument x was given",
    "NULL": "has_x says whether argument x was given",
    **{name: f"a cast is ({name})x" for name in ("float", "double", "int", "long", "bool")},
    **dict.fromkeys(("sum", "len", "size"), _ELEMENT),
}


def instead(*words: str) -> str:
    """`; what is written` for the first word that there is something for, or nothing."""
    return next((f"; {_INSTEAD[word]}" for word in words if word in _INSTEAD), "")
