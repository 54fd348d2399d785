"""`wrapgen explain NAME`: an entry as declared, after each rewrite, its body after each weave, the final C."""

from __future__ import annotations

from pathlib import Path

from wrapgen import chain, emit_c, emit_kernels
from wrapgen.chain import Form, Operation
from wrapgen.errors import UserError, nearest
from wrapgen.model import SLOTS, Body, Op
from wrapgen.plugins.outputs import OUTPUT


class UnknownOperation(UserError):
    """No declaration gives this name."""


def _title(text: str) -> str:
    return f"\n{text}\n{'-' * len(text)}\n"


def _entry_lines(op: Op) -> str:
    """The lines of the YAML entry, from its `- ` to the next."""
    lines = Path(op.loc.file).read_text().splitlines()
    start = op.loc.line - 1
    while start > 0 and not lines[start].startswith("- "):
        start -= 1
    end = start + 1
    while end < len(lines) and not lines[end].startswith(("- ", "#")):
        end += 1
    return "\n".join(lines[start:end]).rstrip() + "\n"


def describe(op: Op) -> str:
    """An op in one block: name, forms, arguments with their keys."""
    lines = [f"{op.symbol}  (C function {op.cname}, returns {op.returns or 'its outputs'})"]
    if op.rank:
        lines.append(f"    checked arguments: {op.rank}")
    for arg in op.args:
        keys = ", ".join(f"{name}: {value}" for name, value, _ in arg.options.values)
        marker = "output " if arg[OUTPUT] else ""
        lines.append(f"    {marker}{arg}" + (f"  [{keys}]" if keys else ""))
    for name, value, _ in op.options.values:
        shown = ", ".join(value) if isinstance(value, tuple) else value
        lines.append(f"    {name}: {shown}")
    return "\n".join(lines) + "\n"


def _difference(before: Body, after: Body) -> list[str]:
    """What a weave added or changed."""
    lines = []
    for slot in SLOTS:
        old, new = getattr(before, slot), getattr(after, slot)
        for statement in new[len(old) :]:
            place = f"{statement.loc.file}:{statement.loc.line}"
            lines += [f"  {slot:8} {line}    <- {place}" for line in statement.text.splitlines()]
    if before.dtype != after.dtype or before.result_dtype != after.result_dtype:
        lines.append(f"  dtype    computed in {after.dtype}, result {after.result_dtype}")
    if before.dispatch != after.dispatch:
        lines.append(f"  switch   over {', '.join(after.dispatch) or 'nothing: one function'}")
    if before.actuals != after.actuals or before.results != after.results:
        passed = [output.name for output in after.results] + [
            actual.name for actual in after.actuals
        ]
        lines.append(f"  passes   ({', '.join(passed)})")
    if before.params != after.params:
        shown = ", ".join(
            p.name + (f"={p.shown_default}" if p.default else "") for p in after.params
        )
        lines.append(f"  Python   ({shown})")
    if before.kernel != after.kernel and after.kernel:
        lines.append(f"  kernel   {after.kernel.expression}")
    if before.unlocked != after.unlocked:
        lines.append("  GIL      may be released around the call")
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
        if form.body.kernel and form in emit_kernels.own_kernels([form]):
            parts.append(emit_kernels.kernel_text(form) + "\n")
        parts.append(emit_c.function(form))
    return "".join(parts)


def explain(name: str, declarations: list[tuple[Op, ...]]) -> str:
    """All of it as text."""
    for ops in declarations:
        operations = chain.run_all([ops])
        if name not in [operation.name for operation in operations]:
            continue
        parts = [f"{ops[0].loc.file}:{ops[0].loc.line}\n", _entry_lines(ops[0])]
        for step in operations[0].rewrites:
            parts.append(_title(f"after {step.plugin}"))
            parts.append("".join(map(describe, step.ops)))
        parts += [_operation(operation) for operation in operations if operation.name == name]
        return "".join(parts)
    known = [operation.name for ops in declarations for operation in chain.run_all([ops])]
    raise UnknownOperation(f"no operation '{name}' is declared{nearest(name, known)}")
