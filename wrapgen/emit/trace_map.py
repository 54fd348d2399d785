"""Prints the map: for each op, the way of its name from Python to the line that computes, place by place.

A place is a file, a line and the lines themselves, so that the map is read where the files are not. It is made of the
texts that were generated, and of the hand-written C files that are there; `wrapgen trace` and th.explain() read it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wrapgen import tables
from wrapgen.chain import Form, Operation
from wrapgen.emit.signatures import shown_parameters
from wrapgen.syntax.entries import entry_lines
from wrapgen.toolchain import machine

FORMAT = 1

# What a step of the way is, in order.
(
    DECLARED,
    STUB,
    TABLE,
    SLOT,
    BOUND,
    SIGNATURE,
    READER,
    WRAPPER,
    SWITCH,
    END,
    FUNCTION,
    GENERIC,
    LOOP,
) = (
    "declared",
    "stub",
    "method table",
    "operator",
    "arguments sorted",
    "signature",
    "arguments read",
    "wrapper",
    "dtype switch",
    "result",
    "function",
    "generic function",
    "inner loop",
)


@dataclass(frozen=True)
class Place:
    """Lines of a file; `line` counts from 1."""

    file: str
    line: int
    text: str


@dataclass(frozen=True)
class Sources:
    """The texts a map is made of, by the names they are shown under."""

    declared: Mapping[str, str]  # YAML
    generated: Mapping[str, str]  # C
    written: Mapping[str, str]  # C
    stub: tuple[str, str] = ("", "")
    methods: bool = True  # ops with the variant `method` are methods of tensors
    root: str = ""  # the folder that names are relative to; "": wherever the package is
    arrays: bool = False  # ops take arrays of others where they take tensors


_NAME = re.compile(r"(?<!\w)(?!__attribute__)(\w+_\(\w+\)|\w+)\(")
_STUB = re.compile(r"( {4})?def (\w+)\(")


def functions(texts: Mapping[str, str]) -> dict[str, Place]:
    """The functions defined in C files by name, THTensor_(name) among them: all of them have their `{` on a line."""
    found: dict[str, Place] = {}
    for file, text in texts.items():
        lines = text.split("\n")
        for index, line in enumerate(lines):
            if line != "{":
                continue
            first = index - 1
            while first > 0 and lines[first][:1] in (" ", "\t"):
                first -= 1
            name = _NAME.search(lines[first])
            if name is None or "}" not in lines[index:]:
                continue
            end = lines.index("}", index)
            place = Place(file, first + 1, "\n".join(lines[first : end + 1]))
            found.setdefault(name[1], place)
    return found


def _blocks(texts: Mapping[str, str], start: re.Pattern[str], end: str) -> dict[str, Place]:
    """Blocks that begin with a line of this pattern, which names them, and end with a line."""
    found = {}
    for file, text in texts.items():
        for line, match in _matches(start, text):
            stop = text.index(end, match.end()) + len(end)
            found[match[1]] = Place(file, line, text[match.start() : stop].rstrip("\n"))
    return found


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Where a pattern is found, with the lines it begins on."""
    line, counted = 1, 0
    for match in pattern.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        yield line, match


_SIGNATURE = re.compile(r"^static const THPSignature (\w+)_signature = \{$", re.M)
_ENTRY = re.compile(
    r'^PyMethodDef THP(Function|Method)s_|^    \{"\w+", \(PyCFunction\)\(void \(\*\)\(void\)\)(THP\w+),\n'
    r"     METH_FASTCALL \| METH_KEYWORDS,$",
    re.M,
)


def _entries(texts: Mapping[str, str]) -> dict[tuple[str, str], Place]:
    """The lines of method tables, without the docstring, by the variant and the function they name."""
    found: dict[tuple[str, str], Place] = {}
    for file, text in texts.items():
        variant = ""
        for line, match in _matches(_ENTRY, text):
            if match[1]:
                variant = match[1].lower()
            else:
                found[variant, match[2]] = Place(file, line, match[0])
    return found


def _stubs(file: str, text: str) -> dict[tuple[str, str], list[Place]]:
    """Definitions of the stub by variant and name."""
    found: dict[tuple[str, str], list[Place]] = {}
    lines = text.split("\n")
    for index, line in enumerate(lines):
        match = _STUB.match(line)
        if match is None:
            continue
        end = index
        while not lines[end].endswith(": ...") and end + 1 < len(lines) and end < index + 40:
            end += 1
        place = Place(file, index + 1, "\n".join(lines[index : end + 1]))
        found.setdefault(("method" if match[1] else "function", match[2]), []).append(place)
    return found


_RUN = re.compile(r"THPRun_(\w+)\(")


class _Index:
    """Where everything is."""

    def __init__(self, sources: Sources) -> None:
        self.generated = functions(sources.generated)
        self.written = functions(sources.written)
        self.signatures = _blocks(sources.generated, _SIGNATURE, "\n};")
        self.entries = _entries(sources.generated)
        self.stubs = _stubs(*sources.stub)
        self.slots: dict[str, list[Place]] = {}
        for name, place in self.generated.items():
            run = _RUN.search(place.text) if name.startswith("THPSlot_") else None
            if run:
                self.slots.setdefault(run[1], []).append(place)
        self.declared = sources.declared
        self.methods = sources.methods
        self.arrays = sources.arrays
        self.loops: dict[str, list[str]] = {}  # files of inner loops by their stem
        for path in map(Path, sources.written):
            if path.parent.name == "loops":
                self.loops.setdefault(path.stem, []).append(str(path))

    def variants(self, operation: Operation) -> list[str]:
        """What the operation is in this package."""
        return [word for word in operation.variants if self.methods or word != "method"]


def _split(place: Place) -> list[tuple[str, Place]]:
    """A wrapper up to its switch over the dtypes, the switch, and the rest."""
    lines = place.text.split("\n")
    start = next((i for i, line in enumerate(lines) if line.startswith("    switch (")), None)
    if start is None:
        return [(WRAPPER, place)]
    stop = lines.index("    }", start) + 1
    pieces = ((WRAPPER, 0, start), (SWITCH, start, stop), (END, stop, len(lines)))
    return [
        (what, Place(place.file, place.line + first, "\n".join(lines[first:last])))
        for what, first, last in pieces
    ]


def _python(operation: Operation, index: _Index) -> Iterable[tuple[str, Place | None]]:
    op = operation.forms[0].op
    variants = index.variants(operation)
    for variant in variants:
        for place in index.stubs.get((variant, op.python_name), ()):
            yield STUB, place
    for variant in variants:
        yield TABLE, index.entries.get((variant, f"THPCall_{operation.name}"))
    for form in operation.forms:
        for place in index.slots.get(form.op.symbol, ()):
            yield SLOT, place
    yield BOUND, index.generated.get(f"THPCall_{operation.name}")


def _form(form: Form, index: _Index) -> Iterable[tuple[str, Place | None]]:
    op, body = form.op, form.body
    yield SIGNATURE, index.signatures.get(op.symbol)
    yield READER, index.generated.get(f"THPRun_{op.symbol}")
    wrapper = index.generated.get(f"TH_{op.symbol}")
    if wrapper is not None:
        yield from _split(wrapper)
    generic = f"THTensor_({op.cname})"
    if body.looped:
        yield FUNCTION, index.generated.get(generic)
        yield LOOP, index.generated.get(f"THLoop_({op.cname})")
        yield LOOP, index.generated.get(f"THTensor_({op.cname}_item)")
        for function in op.functions:
            yield LOOP, index.written.get(function.name)
    elif body.dispatch:
        yield GENERIC, index.written.get(generic)
    else:
        yield FUNCTION, index.generated.get(op.cname) or index.written.get(op.cname)


def _described(form: Form, index: _Index) -> dict[str, object]:
    op, body = form.op, form.body
    place = index.written.get(f"THTensor_({op.cname})")
    loops = index.loops.get(Path(place.file).stem, []) if place else []
    compiled = body.looped or loops
    return {
        "symbol": op.symbol,
        "shown": shown_parameters(body.params, index.arrays),
        "calls": op.cname if not body.dispatch else f"TH<Real>Tensor_{op.cname}",
        "types": list(body.dispatch),
        "kernel": body.kernel.source if body.kernel else "",
        "core": body.core.source if body.core else "",
        "loops": loops,
        "isas": list(machine.isas()) if compiled else [],
        "with_gil": not body.unlocked,
    }


def _operation(operation: Operation, index: _Index) -> dict[str, object]:
    op = operation.forms[0].op
    steps: list[list[object]] = []

    def add(what: str, place: Place | None) -> None:
        if place is not None:
            steps.append([what, place.file, place.line, place.text])

    add(DECLARED, Place(op.loc.file, *entry_lines(index.declared[op.loc.file], op.loc.line)))
    for what, place in _python(operation, index):
        add(what, place)
    for form in operation.forms:
        for what, place in _form(form, index):
            add(f"{what} {form.op.symbol}" if len(operation.forms) > 1 else what, place)
    return {
        "python_name": op.python_name,
        "variants": index.variants(operation),
        "operator": op.operator,
        "forms": [_described(form, index) for form in operation.forms],
        "steps": steps,
    }


def text(module: str, operations: Sequence[Operation], sources: Sources) -> str:
    """The JSON, an op on each line."""
    index = _Index(sources)
    head = {
        "format": FORMAT,
        "module": module,
        "root": sources.root,
        "dtypes": {row.python: row.name for row in tables.dtypes().rows},
    }
    lines = [
        f"{_json(operation.name)}:{_json(_operation(operation, index))}" for operation in operations
    ]
    return _json(head)[:-1] + ',"ops":{\n' + ",\n".join(lines) + "\n}}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
