"""Runs the chain of plugins over declarations, keeping every step for `wrapgen explain`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from wrapgen.errors import DeclarationError, DeclarationErrors, Loc
from wrapgen.loader import Loader
from wrapgen.model import Actual, Body, Op, Plugin
from wrapgen.plugins import CHAIN
from wrapgen.plugins.outputs import OUTPUT
from wrapgen.plugins.types import fixed_dtype
from wrapgen.units import Units


@dataclass(frozen=True)
class Rewriting:
    """What a plugin made of the forms of a declaration."""

    plugin: str
    ops: tuple[Op, ...]


@dataclass(frozen=True)
class Weaving:
    """The body after a plugin's weave."""

    plugin: str
    body: Body


@dataclass(frozen=True)
class Form:
    """One form of an operation with its finished wrapper."""

    op: Op
    body: Body
    steps: tuple[Weaving, ...] = ()


@dataclass(frozen=True)
class Operation:
    """All forms of one name, in the order they are tried."""

    name: str
    forms: tuple[Form, ...]
    rewrites: tuple[Rewriting, ...] = ()

    def variant(self, variant: str) -> tuple[Form, ...]:
        """The forms there are as a method or a function, in the order they are tried."""
        return tuple(form for form in self.forms if variant in form.op.variants)

    @property
    def variants(self) -> tuple[str, ...]:
        """What some form is."""
        return tuple(word for word in ("method", "function") if self.variant(word))


def rewrite(
    ops: tuple[Op, ...], chain: Iterable[Plugin] = CHAIN
) -> tuple[tuple[Op, ...], tuple[Rewriting, ...]]:
    """The forms after every rewrite, and the steps that changed something."""
    steps = []
    for plugin in chain:
        if plugin.rewrite is None:
            continue
        after = tuple(result for op in ops for result in plugin.rewrite(op))
        if after != ops:
            steps.append(Rewriting(plugin.name, after))
        ops = after
    return ops, tuple(steps)


def start(op: Op) -> Body:
    """The body every weave starts from: which tensors there are, and that arguments are passed as they come."""
    visible = tuple(arg for arg in op.args if arg.visible and not arg[OUTPUT])
    tensors = tuple(arg for arg in visible if arg.type.tensor)
    lists = tuple(arg for arg in visible if arg.type.name == "THTensorList")
    operands = tuple(arg for arg in tensors if not fixed_dtype(arg)) or lists
    passed = (arg for arg in op.args if not arg[OUTPUT] and not arg.type.chooses)
    actuals = tuple(Actual(arg, arg.cname) for arg in passed)
    return Body(tensors=tensors, operands=operands, actuals=actuals)


def weave(op: Op, chain: Iterable[Plugin] = CHAIN) -> Form:
    """The finished wrapper of one form."""
    body = start(op)
    steps = []
    for plugin in chain:
        if plugin.weave is None:
            continue
        after = plugin.weave(op, body)
        if after != body:
            steps.append(Weaving(plugin.name, after))
        body = after
    return Form(op, body, tuple(steps))


def run(ops: tuple[Op, ...], chain: Iterable[Plugin] = CHAIN) -> tuple[Operation, ...]:
    """The operations of one declaration: its own name first, then derived ones."""
    final, steps = rewrite(ops, chain)
    names = list(dict.fromkeys(op.name for op in final))
    result = []
    for name in names:
        forms = [weave(op, chain) for op in final if op.name == name]
        forms.sort(key=lambda form: -form.op.rank)
        result.append(Operation(name, tuple(forms), steps))
    return tuple(result)


def run_all(
    declarations: Iterable[tuple[Op, ...]], chain: Iterable[Plugin] = CHAIN
) -> list[Operation]:
    """Every declaration; all errors at once."""
    operations: list[Operation] = []
    errors: list[DeclarationError] = []
    plugins = tuple(chain)
    for ops in declarations:
        try:
            operations += run(ops, plugins)
        except DeclarationError as error:
            errors += _errors_of_forms(ops, plugins) or [error]
    errors += _clashes(operations)
    if errors:
        raise DeclarationErrors(errors)
    return operations


def _errors_of_forms(ops: tuple[Op, ...], chain: Iterable[Plugin]) -> list[DeclarationError]:
    """The error of each form; what forms inherit is told once."""
    errors = {}
    for op in ops:
        try:
            run((op,), chain)
        except DeclarationError as error:
            errors[error.loc] = error
    return list(errors.values())


def read(files: Iterable[tuple[Path, str]], chain: Iterable[Plugin] = CHAIN) -> list[Operation]:
    """The operations of (path, shown name) pairs; the errors of the loader and of the chain in one pass."""
    return read_with_units(files, chain)[0]


def read_with_units(
    files: Iterable[tuple[Path, str]], chain: Iterable[Plugin] = CHAIN, folder: Path | None = None
) -> tuple[list[Operation], Units]:
    """The same, and what the files bring beside ops; paths are relative to the folder, or to each file's own."""
    plugins = tuple(chain)
    loader = Loader(plugins, folder)
    declarations = loader.read(files)
    operations: list[Operation] = []
    errors = [*loader.errors, *_early_errors(loader.damaged, plugins)]
    try:
        operations = run_all(declarations, plugins)
    except DeclarationErrors as found:
        errors += found.errors
    if errors:
        raise DeclarationErrors(errors)
    return operations, replace(loader.units, notices=tuple(loader.notices))


def _early_errors(ops: Iterable[Op], chain: Iterable[Plugin]) -> list[DeclarationError]:
    """What can be said of ops that were read in part."""
    errors = {}
    checks = [plugin.early for plugin in chain if plugin.early is not None]
    for op in ops:
        for check in checks:
            try:
                check(op)
            except DeclarationError as error:
                errors[error.loc] = error
    return list(errors.values())


def _shared(operation: Operation) -> list[tuple[tuple[object, ...], str, Op]]:
    """What only one declaration may have: a key, its description, the form that has it."""
    op = operation.forms[0].op
    names: list[tuple[tuple[object, ...], str, Op]] = [
        ((variant, op.python_name), f"{variant} '{op.python_name}'", op)
        for variant in operation.variants
    ]
    if op.operator:
        names.append(((op.operator, bool(op.inplace)), f"operator '{op.operator}'", op))
    for form in operation.forms:
        names.append(((form.op.symbol,), f"TH_{form.op.symbol}", form.op))
        if form.body.looped:
            names.append((("kernel", form.op.cname), f"kernel '{form.op.cname}'", form.op))
    return names


def _clashes(operations: Iterable[Operation]) -> list[DeclarationError]:
    """Names in C and Python, operators and kernels' functions that two declarations have, once for each pair."""
    seen: dict[tuple[object, ...], Op] = {}
    told: set[tuple[Loc, Loc]] = set()
    errors = []
    for operation in operations:
        for key, what, op in _shared(operation):
            first = seen.setdefault(key, op)
            if first.loc == op.loc or (first.loc, op.loc) in told:
                continue
            told.add((first.loc, op.loc))
            message = f"op '{op.name}': {what} is declared already, in {first.loc}"
            errors.append(DeclarationError(op.loc, message))
    return errors
