"""Text with $holes. `$` never occurs in C outside strings, so a template is C to be read.

A hole alone on its line takes a list of lines and indents each like the hole; an empty list makes the line vanish, and
blank lines that then meet become one. `${name}` sets a hole off from what follows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_HOLE = re.compile(r"\$(?:\{([a-z_]+)\}|([a-z_]+))")
_BLANKS = re.compile(r"\n{3,}")
_ALONE = re.compile(r"^( *)\$([a-z_]+)$")


def fill(template: str, holes: Mapping[str, str | Iterable[str]]) -> str:
    """The template with every hole filled; a missing or unused hole is a KeyError."""
    used: set[str] = set()
    lines: list[str] = []
    for line in template.splitlines():
        alone = _ALONE.match(line)
        if alone:
            indent, name = alone.groups()
            used.add(name)
            value = holes[name]
            texts = [value] if isinstance(value, str) else value
            parts = [part for text in texts for part in text.splitlines()]
            lines += [indent + part if part else "" for part in parts]
            continue
        used.update(braced or bare for braced, bare in _HOLE.findall(line))
        lines.append(_HOLE.sub(lambda match: str(holes[match[1] or match[2]]), line))
    unused = set(holes) - used
    if unused:
        raise KeyError(f"holes not in the template: {sorted(unused)}")
    text = _BLANKS.sub("\n\n", "\n".join(lines))
    return text.replace("{\n\n", "{\n").replace("\n\n}", "\n}").rstrip("\n") + "\n"
