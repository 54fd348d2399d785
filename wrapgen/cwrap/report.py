"""What became of the declarations of a file: a line for each, in the order of the file, and a summary."""

from __future__ import annotations

from collections import Counter

from wrapgen.cwrap.arguments import Unsupported
from wrapgen.cwrap.convert import Converted
from wrapgen.cwrap.results import Result


def reason(problem: Unsupported, name: str) -> str:
    """Why, without the name that the line begins with."""
    return problem.reason.removeprefix(f"op '{name}': ")


def reasons(result: Result) -> str:
    return "; ".join(dict.fromkeys(reason(problem, result.name) for _, problem in result.missing))


def _where(other: Result, result: Result) -> str:
    """A declaration, as seen from another."""
    there, here = other.declaration.loc, result.declaration.loc
    return f"line {there.line}" if there.file == here.file else str(there)


def what(result: Result) -> str:
    """What became of one declaration."""
    if not result.forms:
        return f"missing: {reasons(result)}"
    text = "supported"
    if result.missing:
        text = f"{len(result.forms)} of {len(result.forms) + len(result.missing)} forms supported"
    if result.inplace_of:
        text += f", as the in-place form of {result.inplace_of.name}"
    if result.part_of:
        text += f", together with {_where(result.part_of, result)}"
    if result.missing:
        lines = ", ".join(str(loc.line) for loc, _ in result.missing)
        text += f"; missing (line {lines}): {reasons(result)}"
    return text + (f" ({'; '.join(result.notes)})" if result.notes else "")


def summary(converted: Converted) -> str:
    results = converted.results
    whole = sum(result.supported for result in results)
    part = sum(bool(result.forms) and not result.supported for result in results)
    missing = [result for result in results if not result.forms]
    text = f"{_count(len(results), 'declaration')}: {whole} supported, {part} in part, {len(missing)} missing"
    kinds = Counter(result.missing[0][1].kind for result in missing if result.missing)
    if kinds:
        text += f" ({', '.join(f'{kind} {count}' for kind, count in kinds.most_common())})"
    if converted.source.verbatim:
        text += f"; {_count(converted.source.verbatim, 'line')} of C between them left out"
    if converted.errors:
        text += f"; {_count(len(converted.errors), 'error')}"
    return text


def notice(converted: Converted, shown: str) -> str:
    """What is said when a file is built: that not all of it is there."""
    missing = sum(not result.supported for result in converted.results)
    if not missing:
        return ""
    count = len(converted.results)
    return f"{shown}: {missing} of {_count(count, 'declaration')} not supported; `wrapgen check` says why"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def report(converted: Converted) -> str:
    """All lines."""
    lines = [
        f"{result.declaration.loc}: {result.declaration.python_name or result.declaration.name}: {what(result)}"
        for result in converted.results
    ]
    return "".join(f"{line}\n" for line in (*lines, summary(converted)))
