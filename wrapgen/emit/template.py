"""Text with $holes. `$` never occurs in C outside strings, so a template is C to be read.

A hole alone on its line takes a list of lines and indents each like the hole; an empty list makes the line vanish, and
blank lines that then meet become one. `${name}` sets a hole off from what follows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

# Stands where the lines of a generated file are its own again, after lines of someone else's.
OWN_LINES = "#line own"
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


def of_file(lines: Iterable[str], file: str, line: int) -> list[str]:
    """C that is written in another file, so that compilers speak of that one."""
    name = file.replace("\\", "\\\\").replace('"', '\\"')
    return [f'#line {line} "{name}"', *lines, OWN_LINES]


def number_lines(text: str, file: str) -> str:
    """The finished text of `file`, with its own numbers where its own lines go on."""
    if OWN_LINES not in text:
        return text
    name = file.replace("\\", "\\\\").replace('"', '\\"')
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if line.strip() == OWN_LINES:
            lines[index] = f'#line {index + 2} "{name}"'
    return "\n".join(lines)
