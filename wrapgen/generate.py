"""Writes all generated files of a package; files that would not change are left alone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from wrapgen import (
    chain,
    emit_c,
    emit_cdef,
    emit_dtypes,
    emit_kernels,
    emit_module,
    emit_py,
    emit_stubs,
    loader,
    tables,
)
from wrapgen.chain import Operation
from wrapgen.plugins.kernel import KERNEL


@dataclass(frozen=True)
class Package:
    """What is generated for: thwrap itself or a package of someone's own ops."""

    module: str  # thwrap._C
    declarations: Path
    output: Path
    root: Path  # names in comments and messages are relative to it
    ops_header: str = "TH/THOps.h"
    generic: str = "TH/generic/{chapter}.h"  # prototypes of hand-written kernels
    python: Path | None = None  # folder for _functions.py and the stub
    stub: Path | None = None  # the stub's hand-written part
    base: bool = False  # also writes what follows from dtypes.yaml

    def files(self) -> list[tuple[Path, str]]:
        paths = loader.declaration_files(self.declarations)
        return [(path, os.path.relpath(path, self.root)) for path in paths]


def write_if_changed(path: Path, text: str) -> bool:
    """Writes through a temporary file; false when the content is there already."""
    if path.is_file() and path.read_text() == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text)
    temporary.replace(path)
    return True


def chapters(operations: Iterable[Operation]) -> dict[str, list[Operation]]:
    """Operations by chapter, in order."""
    result: dict[str, list[Operation]] = {}
    for operation in operations:
        result.setdefault(operation.forms[0].op.chapter, []).append(operation)
    return result


def load(package: Package) -> list[Operation]:
    """The operations declared in a package."""
    return chain.run_all(loader.load(package.files()))


def texts(package: Package, operations: list[Operation]) -> dict[str, str]:
    """Every C file, by path below the output folder."""
    sources = {path.stem: shown for path, shown in package.files()}
    files: dict[str, str] = {}
    by_chapter = chapters(operations)
    for name, members in by_chapter.items():
        forms = [form for operation in members for form in operation.forms]
        generic = package.generic.format(chapter=name)
        files[f"{name}.c"] = emit_c.chapter(
            sources[name], name, members, package.ops_header, generic
        )
        files[f"py_{name}.c"] = emit_py.chapter(sources[name], name, members, package.ops_header)
        if any(form.body.kernel for form in forms):
            files[f"kernels/{name}.c"] = emit_kernels.source(sources[name], name, forms)
            files[f"kernels/{name}.h"] = emit_kernels.header(sources[name], forms)
    guard = package.ops_header.upper().replace("/", "_").replace(".", "_")
    files[package.ops_header] = emit_c.header(guard, operations)
    files["py_module.c"] = emit_module.module(package.module, list(by_chapter), operations)
    files["cdef.h"] = emit_cdef.cdef(operations)
    files["chapters.txt"] = "".join(f"{line}\n" for line in chapter_lines(package))
    if package.base:
        files |= emit_dtypes.emit(tables.dtypes())
    return files


def chapter_lines(package: Package) -> list[str]:
    """The chapters, those with kernels marked: what the build's edges follow from."""
    declared = loader.load(package.files())
    names = dict.fromkeys(ops[0].chapter for ops in declared)
    kernels = {op.chapter for ops in declared for op in ops if op.options.has(KERNEL)}
    return [f"{name} kernels" if name in kernels else name for name in names]


def generate(package: Package) -> list[Path]:
    """Writes everything; the files that changed."""
    operations = load(package)
    changed = _write_all(package.output, texts(package, operations))
    if package.python is not None:
        files = {"_functions.py": emit_stubs.function_list(package.module, operations)}
        if package.stub is not None:
            files["_C.pyi"] = emit_stubs.stub(package.stub.read_text(), operations)
        changed += _write_all(package.python, files)
    return changed


def _write_all(folder: Path, files: Mapping[str, str]) -> list[Path]:
    return [folder / name for name, text in files.items() if write_if_changed(folder / name, text)]


def read_files(package: Package) -> list[Path]:
    """What the output follows from: declarations, shared tables, and the generator itself."""
    own = sorted(Path(__file__).parent.rglob("*.py"))
    shared = [tables.data_folder() / name for name in ("dtypes.yaml", "math.yaml")]
    stub = [package.stub] if package.stub else []
    return [*(path for path, _ in package.files()), *shared, *own, *stub]
