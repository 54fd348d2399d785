"""Conditions of the preprocessor around what is there for some dtypes only."""

from __future__ import annotations

from collections.abc import Iterable

from wrapgen import tables
from wrapgen.chain import Form
from wrapgen.dtypes import CATEGORIES
from wrapgen.plugins.types import dtypes_of


def guard(dtypes: Iterable[str]) -> str:
    """The condition for dtypes: whole categories by name, others one by one; nothing for all of them."""
    table = tables.dtypes()
    left = list(dtypes)
    terms = []
    for category in CATEGORIES:
        members = [row.name for row in table.rows if row.category == category]
        if set(members) <= set(left):
            terms.append(f"TH_CATEGORY_IS_{category.upper()}")
            left = [name for name in left if name not in members]
    terms += [f"TH_REAL_IS_{name.upper()}" for name in left]
    if len(terms) == len(CATEGORIES) and not left:
        return ""
    return "#if " + " || ".join(f"defined({term})" for term in terms)


def with_computing(dtypes: Iterable[str]) -> tuple[str, ...]:
    """Dtypes and those whose loops serve them, in the table's order."""
    table = tables.dtypes()
    wanted = {name for dtype in dtypes for name in (dtype, table[dtype].compute)}
    return tuple(name for name in table.names if name in wanted)


def guarded(forms: Iterable[Form], text: dict[int, str]) -> list[str]:
    """Texts in order, neighbours of the same dtypes under one condition."""
    lines: list[str] = []
    open_guard = ""
    for form in forms:
        condition = guard(with_computing(dtypes_of(form.op)))
        if condition != open_guard:
            lines += ["#endif", ""] if open_guard else []
            lines += [condition, ""] if condition else []
            open_guard = condition
        lines.append(text[id(form)])
    return lines + (["#endif"] if open_guard else [])
