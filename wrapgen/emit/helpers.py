"""Prints the C of `c:` entries: units/helpers.h, which kernels include for each dtype.

What an entry declares is renamed for each dtype by macros, so that the text stays as it was written. An entry is there
for the dtypes of the ops that use it, by themselves or through other entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wrapgen import tables
from wrapgen.chain import Form
from wrapgen.emit.guards import guard, with_computing
from wrapgen.emit.template import of_file
from wrapgen.model import Op
from wrapgen.plugins import core, kernel
from wrapgen.plugins.types import dtypes_of
from wrapgen.syntax import snippets
from wrapgen.syntax.snippets import Snippet

FILE = "units/helpers.h"
BANNER = (
    "/* Written by wrapgen: the C of `c:` entries, for each dtype that uses it. */",
    "#define TH_HELPER(name) TH_CONCAT_4(TH, Real, Helper_, name)",
)


def _used(op: Op) -> list[Snippet]:
    """The entries that an op needs."""
    words, found = kernel.words_of(op) | core.words_of(op), list[Snippet]()
    while True:
        more = [
            snippet
            for snippet in op.units.snippets
            if snippet not in found and not words.isdisjoint(snippet.names)
        ]
        if not more:
            return found
        found += more
        words.update(word for snippet in more for word in snippet.words)


def uses(forms: Iterable[Form]) -> bool:
    """Does any op need an entry?"""
    return any(_used(form.op) for form in forms)


def renamed(names: Iterable[str]) -> list[str]:
    return [f"#define {name} TH_HELPER({name})" for name in names]


def restored(names: Iterable[str]) -> list[str]:
    return [f"#undef {name}" for name in names]


def text(entries: Sequence[Snippet], forms: Iterable[Form]) -> str:
    """units/helpers.h"""
    table = tables.dtypes()
    dtypes: dict[int, set[str]] = {}
    for form in forms:
        computed = with_computing(dtypes_of(form.op))
        for snippet in _used(form.op):
            dtypes.setdefault(id(snippet), set()).update(computed)
    lines = [*BANNER]
    for snippet in entries:
        if id(snippet) not in dtypes:
            continue
        names = [name for name in table.names if name in dtypes[id(snippet)]]
        lines += ["", guard(names) or "#if 1", *renamed(snippet.names)]
        lines += placed(snippets.located(snippet.text), snippet.text.loc.file)
        lines.append("#endif")
    lines += ["", *restored(name for snippet in entries for name in snippet.names)]
    return "\n".join(lines) + "\n"


def placed(lines: Sequence[tuple[int, str]], file: str) -> list[str]:
    """The user's lines, with their places where those do not follow from the line before."""
    result: list[str] = []
    expected = 0
    for line, content in lines:
        if line and line != expected:
            result += of_file([content], file, line)[:-1]
            expected = line
        else:
            result.append(content or " ")  # blank lines count
        expected += 1
    return [*result, *of_file([], file, 1)[1:]] if result else []
