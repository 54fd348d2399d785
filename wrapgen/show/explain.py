"""`wrapgen explain NAME`: an entry as declared, after each rewrite, its body after each weave, the final C."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from wrapgen import chain
from wrapgen.chain import Form, Operation, Rewriting
from wrapgen.emit import calls, kernels, wrappers
from wrapgen.errors import Loc, UnknownOperation, nearest
from wrapgen.model import SLOTS, Body, Op, Plugin
from wrapgen.plugins import CHAIN
from wrapgen.plugins.outputs import OUTPUT
from wrapgen.syntax.entries import entry_lines
from wrapgen.syntax.node import Text


def _title(text: str) -> str:
    return f"\n{text}\n{'-' * len(text)}\n"


def _shown(value: object) -> str:
    """A key's value as YAML has it."""
    if isinstance(value, tuple):
        return ", ".join(map(_shown, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _key_rows(name: str, value: object, loc: Loc) -> list[tuple[str, Loc]]:
    """A key with its value, which may have lines with places of their own."""
    text = _shown(value)
    if "\n" not in text.strip():
        return [(f"    {name}: {text.strip()}", loc)]
    rows, offset = [(f"    {name}: |", loc)], 0
    for line in text.rstrip().split("\n"):
        begin = offset + len(line) - len(line.lstrip())
        rows.append((f"        {line}", value.at(begin) if isinstance(value, Text) else loc))
        offset += len(line) + 1
    return rows


def describe(op: Op) -> list[tuple[str, Loc]]:
    """An op in one block of lines, each with its place: name, forms, arguments with their keys."""
    called = ", ".join(f"{each.name} for {each.dtype or 'all'}" for each in op.functions)
    called = f"C functions {called}" if called else f"C function {op.cname}"
    rows = [(f"{op.symbol}  ({called}, returns {op.returns or 'its outputs'})", op.loc)]
    if op.rank:
        rows.append((f"    checked arguments: {op.rank}", op.loc))
    for arg in op.args:
        keys = ", ".join(f"{name}: {_shown(value)}" for name, value, _ in arg.options.values)
        marker = "output " if arg[OUTPUT] else ""
        rows.append((f"    {marker}{arg}" + (f"  [{keys}]" if keys else ""), arg.loc))
    for name, value, loc in op.options.values:
        rows += _key_rows(name, value, loc)
    return rows


def _difference(before: Body, after: Body) -> list[str]:
    """What a weave added or changed."""
    lines = []
    for slot in SLOTS:
        old, new = getattr(before, slot), getattr(after, slot)
        for statement in new[len(old) :]:
            place = f"{statement.loc.file}:{statement.loc.line}"
            lines += [f"  {slot:8} {line}    <- {place}" for line in statement.text.splitlines()]
    return lines + [f"  {what:8} {text}" for what, text in facts(before, after)]


def facts(before: Body, after: Body) -> list[tuple[str, str]]:
    """What a weave settled beside statements."""
    lines = []
    if before.dtype != after.dtype or before.result_dtype != after.result_dtype:
        lines.append(("dtype", f"computed in {after.dtype}, result {after.result_dtype}"))
    if before.dispatch != after.dispatch:
        lines.append(("switch", f"over {', '.join(after.dispatch) or 'nothing: one function'}"))
    if before.actuals != after.actuals or before.results != after.results:
        passed = [output.name for output in after.results] + [
            actual.name for actual in after.actuals
        ]
        lines.append(("passes", f"({', '.join(passed)})"))
    if before.params != after.params:
        shown = ", ".join(
            p.name + (f"={p.shown_default}" if p.default else "") for p in after.params
        )
        lines.append(("Python", f"({shown})"))
    if before.kernel != after.kernel and after.kernel:
        lines += [("kernel", f"{step.name} = {step.value}") for step in after.kernel.steps]
        steps = {step.name for step in after.kernel.steps}
        values = (each.value for each in after.kernel.results if each.value not in steps)
        lines += [("kernel", value) for value in values]
    if before.core != after.core and after.core:
        lines.append(("core", after.core.source))
        lines += [("core", f"{after.core.dims[at][0]} = {text}") for at, text in after.core.sizes]
    if before.library != after.library and after.library:
        lines.append(("calls", str(after.library.call)))
    if before.unlocked != after.unlocked:
        lines.append(("GIL", "may be released around the call"))
    return lines


def _weaves(form: Form) -> str:
    text = []
    body = chain.start(form.op)
    for step in form.steps:
        text.append(f"{step.plugin}\n")
        text += [line + "\n" for line in _difference(body, step.body)]
        body = step.body
    return "".join(text)


def _operation(operation: Operation) -> str:
    parts = []
    for form in operation.forms:
        parts.append(_title(f"{form.op.symbol}: the body after each weave"))
        parts.append(_weaves(form))
        parts.append(_title(f"{form.op.symbol}: C"))
        if form.body.looped:
            parts.append(kernels.loop_text(form) + "\n")
        if calls.whole([form]):
            parts.append(calls.function(form) + "\n")
        parts.append(wrappers.function(form))
    return "".join(parts)


@dataclass(frozen=True)
class Found:
    """A declaration that gives a name."""

    ops: tuple[Op, ...]  # its forms as read
    operations: tuple[Operation, ...]  # those of this name
    rewrites: tuple[Rewriting, ...]
    file: str
    line: int  # where the entry begins
    entry: str


def find(
    name: str, declarations: Iterable[tuple[Op, ...]], plugins: Iterable[Plugin] = CHAIN
) -> Found:
    """The declaration of an op."""
    known: list[str] = []
    steps = tuple(plugins)
    for ops in declarations:
        operations = chain.run_all([ops], steps)
        named = tuple(operation for operation in operations if operation.name == name)
        known += [operation.name for operation in operations]
        if named:
            loc = ops[0].loc
            line, entry = entry_lines(Path(loc.file).read_text(), loc.line)
            return Found(ops, named, operations[0].rewrites, loc.file, line, entry)
    raise UnknownOperation(f"no operation '{name}' is declared{nearest(name, known)}")


def explain(
    name: str, declarations: Iterable[tuple[Op, ...]], plugins: Iterable[Plugin] = CHAIN
) -> str:
    """All of it as text."""
    found = find(name, declarations, plugins)
    parts = [f"{found.file}:{found.line}\n{found.entry}\n"]
    for step in found.rewrites:
        parts.append(_title(f"after {step.plugin}"))
        parts += [f"{text}\n" for op in step.ops for text, _ in describe(op)]
    return "".join([*parts, *map(_operation, found.operations)])
