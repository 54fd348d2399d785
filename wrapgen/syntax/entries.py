"""Where entries stand in the text of a declarations file, in either syntax."""

from __future__ import annotations

import itertools


def entry_lines(text: str, line: int) -> tuple[int, str]:
    """The entry around a line, from its `- ` to the next: the line it begins on, and its lines."""
    lines = text.splitlines()
    block = _block(lines, line) if "[[" in text else None
    if block:
        return block[0] + 1, "\n".join(lines[slice(*block)])
    dash = next((each for each in lines if each.lstrip().startswith("- ")), "- ")
    dash = dash[: dash.index("- ") + 2]
    start = min(line, len(lines)) - 1
    while start > 0 and not lines[start].startswith(dash):
        start -= 1
    end = start + 1
    while end < len(lines) and not lines[end].startswith((dash, "#")):
        end += 1
    return start + 1, "\n".join(lines[start:end]).rstrip()


def _block(lines: list[str], line: int) -> tuple[int, int] | None:
    """Where the `[[` ... `]]` of the original syntax around a line begins and ends."""
    marks = [(i, each.rstrip()) for i, each in enumerate(lines) if each.rstrip() in ("[[", "]]")]
    for (begin, first), (end, last) in itertools.pairwise(marks):
        if (first, last) == ("[[", "]]") and begin < line <= end:
            return begin, end + 1
    return None
