"""What a failed build has to say to the author of a package: the compiler's errors in his files, each once.

ninja's lines and commands are left out, and what leads from wrapgen's files to his. The same line is compiled for
several dtypes and instruction sets; its first error stands for all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

_PLACE = re.compile(
    r"(?P<file>[^\s:][^:]*):(?P<line>\d+):(?:(?P<column>\d+):)? "
    r"(?P<kind>fatal error|error|warning|note): (?P<message>.*)"
)
_FRAME = re.compile(r"In file included from |\s+from |.*: (In function|In lambda|At top level)")
_MACRO = re.compile(r"in (expansion|definition) of macro |expanded from macro ")
# The prototype that follows from an entry, seen beside a function of another type.
_PROTOTYPE = re.compile(r"previous declaration (?:of .(\w+). with type )?(?P<type>.*\(.*)")
_PREFIX = re.compile(r"\bTH[A-Z]\w*?Helper_")  # a `c:` function's, one for each dtype
_STEP = re.compile(r"\[\d+/\d+\] |ninja: ")


@dataclass
class Diagnostic:
    """One remark of a compiler, with the lines it quotes."""

    file: str
    line: str
    column: str
    kind: str
    message: str
    quoted: list[str] = field(default_factory=list)


def _failures(output: str) -> Iterator[list[str]]:
    """What each failed command printed."""
    lines = iter(output.splitlines())
    block: list[str] | None = None
    for line in lines:
        if line.startswith("FAILED: "):
            if block:
                yield block
            block = []
            next(lines, None)  # the command
        elif _STEP.match(line):
            if block:
                yield block
            block = None
        elif block is not None:
            block.append(line)
    if block:
        yield block


def _parse(lines: list[str]) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    for line in lines:
        match = _PLACE.fullmatch(line)
        if match:
            file = os.path.normpath(match["file"])
            place = (file, match["line"], match["column"] or "")
            found.append(Diagnostic(*place, match["kind"], match["message"]))
        elif found and not _FRAME.match(line):
            found[-1].quoted.append(line)
    return found


def _grouped(items: list[Diagnostic], is_own: Callable[[Path], bool]) -> Iterator[list[Diagnostic]]:
    """Each error or warning with its notes. What goes wrong in a macro of wrapgen's is told where the macro is used."""
    groups: list[list[Diagnostic]] = []
    for item in items:
        if item.kind != "note":
            groups.append([item])
        elif groups:
            groups[-1].append(item)
    for head, *notes in groups:
        uses = [
            note for note in notes if _MACRO.match(note.message) and not is_own(Path(note.file))
        ]
        if uses and is_own(Path(head.file)):
            use = uses[-1]
            head = Diagnostic(use.file, use.line, use.column, head.kind, head.message, use.quoted)
            notes = [note for note in notes if not _MACRO.match(note.message)]
        yield [head, *(note for note in notes if not _MACRO.match(note.message) or note in uses)]


def _is_yaml(name: str) -> bool:
    return name.endswith((".yaml", ".yml"))


def _of_entry(message: str) -> str:
    """What is said of C that wrapgen made of an entry, in the entry's words."""
    message = _PREFIX.sub("", message)
    match = _PROTOTYPE.fullmatch(message)
    if match is None:
        return message
    ctype = re.sub(r" +", " ", match["type"].replace("long int", "int64_t"))
    return f"what the entry calls is {ctype}"


def _text(item: Diagnostic, own: bool) -> list[str]:
    """A remark as it is shown: of wrapgen's own files only what is said of the user's."""
    if own:
        return [f"  {item.kind}: {_PREFIX.sub('', item.message)}"]
    if _is_yaml(item.file):  # the C on the line is not what stands there
        return [f"{item.file}:{item.line}: {item.kind}: {_of_entry(item.message)}"]
    column = f":{item.column}" if item.column else ""
    return [f"{item.file}:{item.line}{column}: {item.kind}: {item.message}", *item.quoted]


def diagnose(output: str, is_own: Callable[[Path], bool]) -> str:
    """The errors in what ninja printed; all of it when there is none to be recognised."""
    shown: list[str] = []
    seen: set[tuple[str, str, str]] = set()
    for block in _failures(output):
        items = _parse(block)
        if not any("error" in item.kind for item in items):
            shown += block
            continue
        for group in _grouped(items, is_own):
            head = group[0]
            key = (head.file, head.line, head.column)
            if key in seen or head.kind == "warning":
                continue
            seen.add(key)
            for item in group:
                if not (_is_yaml(item.file) and _MACRO.match(item.message)):
                    shown += _text(item, is_own(Path(item.file)))
    return "\n".join(shown) or output.strip()
