"""Selective builds: a library with the operations of a list, what they need, and nothing else.

The list is plain YAML: names as they are called (`- add`; with it come its overloads, `add_`, `out=` and its
operator). What thwrap's own Python files call is in pkg/needs.yaml, where `__base__` is always there. What the C of an
operation needs the linker finds: libTH.so exports only TH's runtime and what the binding calls of these operations,
and all else that nothing leads to is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wrapgen.chain import Operation
from wrapgen.errors import DeclarationError, DeclarationErrors, Loc, UserError, nearest
from wrapgen.syntax.node import Node, compose

BASE = "__base__"
NEEDS = "pkg/needs.yaml"


@dataclass(frozen=True)
class Absent:
    """What a selective build is without, as Python would call it."""

    functions: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()  # `!= ne`: with the name of the operation


@dataclass(frozen=True)
class Selection:
    """The list of operations and the file of what is called from Python; shown names are for messages."""

    ops: Path
    needs: Path
    root: Path

    @property
    def files(self) -> tuple[Path, Path]:
        return self.ops, self.needs

    def _document(self, path: Path) -> Node | None:
        shown = str(path.relative_to(self.root)) if path.is_relative_to(self.root) else str(path)
        try:
            return compose(path, shown)
        except OSError as error:
            raise UserError(f"{shown}: {error.strerror}") from None

    def _dependencies(self, known: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
        """What each function written in Python calls."""
        document = self._document(self.needs)
        result: dict[str, tuple[str, ...]] = {}
        for entry in document.sequence("a list of needs") if document else []:
            fields = {key.text("a key"): value for key, value in entry.mapping("a need")}
            if set(fields) != {"name", "depends"}:
                raise entry.error("expected a need as {name: ..., depends: [...]}")
            depends = fields["depends"].sequence("depends")
            result[fields["name"].text("name")] = tuple(_known(item, known) for item in depends)
        return result

    def choose(self, operations: Iterable[Operation]) -> tuple[list[Operation], Absent]:
        """The operations that are built, and what is missed; DeclarationErrors for names that are none."""
        try:
            return self._choose(list(operations))
        except DeclarationError as error:
            raise DeclarationErrors([error]) from None

    def _choose(self, operations: list[Operation]) -> tuple[list[Operation], Absent]:
        entries = _entries(operations)
        needs = self._dependencies(entries)
        chosen = set(needs.get(BASE, ()))
        errors: list[DeclarationError] = []
        for item in self._listed():
            try:
                name = _known(item, entries, set(needs) - {BASE})
            except DeclarationError as error:
                errors.append(error)
                continue
            chosen.update(needs.get(item.text("a name"), ()))
            chosen.add(name)
        if errors:
            raise DeclarationErrors(errors)
        built = [op for op in operations if entries[op.name] in chosen]
        return built, _absent(op for op in operations if entries[op.name] not in chosen)

    def _listed(self) -> list[Node]:
        document = self._document(self.ops)
        if document is None or document.is_null():
            raise DeclarationError(Loc(self.ops.name, 1, 1), "the list of operations is empty")
        return document.sequence("the operations")


def _entries(operations: Iterable[Operation]) -> dict[str, str]:
    """Names of operations, in C and in Python, and what they are chosen by: the name without `_`, if there is one."""
    names = {operation.name: operation.forms[0].op.python_name for operation in operations}
    entries = {}
    for name, python_name in names.items():
        entry = name.removesuffix("_") if name.removesuffix("_") in names else name
        entries[name] = entry
        entries.setdefault(python_name, entry)
    return entries


def _known(item: Node, known: Mapping[str, str], further: Iterable[str] = ()) -> str:
    """What the name of an operation stands for; a function written in Python stands for itself."""
    name = item.text("the name of an operation")
    if name in known:
        return known[name]
    if name in further:
        return name
    raise item.error(f"there is no operation '{name}'{nearest(name, [*known, *further])}")


def _absent(operations: Iterable[Operation]) -> Absent:
    functions, methods, operators = set(), set(), set()
    for operation in operations:
        op = operation.forms[0].op
        functions |= {op.python_name} if "function" in operation.variants else set()
        methods |= {op.python_name} if "method" in operation.variants else set()
        operators |= {f"{op.operator} {op.name}"} if op.operator and not op.inplace else set()
    return Absent(tuple(sorted(functions)), tuple(sorted(methods)), tuple(sorted(operators)))


def of(root: Path, ops: str) -> Selection | None:
    """The selection of a list in a source tree; none where no list is named."""
    return Selection(root / ops, root / NEEDS, root) if ops else None


# Linking


def exported(runtime: Iterable[Path], callers: Iterable[Path]) -> str:
    """The linker's list of what libTH.so exports: all of TH's runtime, and what the other objects call of the rest."""
    names = _symbols(["--defined-only", "--extern-only"], runtime)
    names |= _symbols(["--undefined-only"], callers)
    listed = "".join(f"    {name};\n" for name in sorted(names) if name.startswith("TH"))
    return f"{{\nglobal:\n{listed}local:\n    *;\n}};\n"


def _symbols(options: list[str], objects: Iterable[Path]) -> set[str]:
    command = ["nm", "--format=posix", *options, *map(str, objects)]
    text = _run(command)
    return {line.split()[0] for line in text.splitlines() if line and not line.endswith(":")}


def _run(command: list[str]) -> str:
    import subprocess  # not needed by wrapgen.load, which waits for imports

    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise UserError(f"no {command[0]}: it comes with the compiler, as binutils") from None
    if result.returncode:
        raise UserError(f"{command[0]}: {result.stderr.strip()}")
    return result.stdout


# Sizes

LIBRARIES = ("libTH.so", "_C.abi3.so")
FULL = Path("pkg/thwrap")  # of the usual build


def stripped_size(library: Path) -> int:
    """Bytes of a library without what only debuggers and linkers read."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / library.name
        _run(["strip", "-o", str(target), str(library)])
        return target.stat().st_size


def sizes(libraries: list[Path]) -> str:
    """A table of the stripped sizes of a package's libraries, beside those of the usual build where there is one."""
    columns = {"selected": libraries}
    usual = [FULL / library.name for library in libraries]
    if all(library.is_file() for library in usual):
        columns["everything"] = usual
    measured = [list(map(stripped_size, column)) for column in columns.values()]
    rows: list[tuple[str, list[Any]]] = [("stripped, bytes", list(columns))]
    for index, library in enumerate(libraries):
        rows.append((library.name, [column[index] for column in measured]))
    rows.append(("total", [sum(column) for column in measured]))
    return "".join(
        f"{name:<15}{''.join(map(_cell, cells))}{_share(cells)}\n" for name, cells in rows
    )


def _cell(value: str | int) -> str:
    return f"{value:>12,}" if isinstance(value, int) else f"{value:>12}"


def _share(cells: list[Any]) -> str:
    selected, *whole = cells
    return f"{100 * selected / whole[0]:>7.1f} %" if whole and isinstance(selected, int) else ""
