"""Writes all generated files of a package; files that would not change are left alone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from wrapgen import chain, loader, tables
from wrapgen.chain import Form, Operation
from wrapgen.emit import (
    calls,
    cdef,
    core,
    dtype_files,
    library_files,
    module_file,
    readers,
    wrappers,
)
from wrapgen.emit import generic as emit_generic
from wrapgen.emit import helpers as emit_helpers
from wrapgen.emit import kernels as emit_kernels
from wrapgen.emit.template import number_lines
from wrapgen.errors import DeclarationErrors
from wrapgen.files import write_if_changed
from wrapgen.model import Plugin
from wrapgen.plugins import CHAIN
from wrapgen.plugins.core import CORE
from wrapgen.plugins.kernel import KERNEL
from wrapgen.selection import Selection
from wrapgen.units import Units

# Kernels of one chapter that are worth compiling in parallel, every dtype for itself.
MANY_KERNELS = 32


@dataclass(frozen=True)
class Package:
    """What is generated for: thwrap itself or a package of someone's own ops."""

    module: str  # thwrap._C
    declarations: Path | tuple[Path, ...]  # a folder or files
    output: Path
    root: Path  # names in comments and messages are relative to it
    ops_header: str = "TH/THOps.h"
    generic: str = "TH/generic/{chapter}.h"  # prototypes of hand-written kernels
    prototypes: bool = False  # writes those headers from the declarations
    located: bool = False  # compilers are told where C stands in the declarations
    python: Path | None = None  # folder for _functions.py and the stub
    stub: Path | None = None  # the stub's hand-written part
    base: bool = (
        False  # also writes what follows from dtypes.yaml; its ops take Tensors, not arrays
    )
    units_root: Path | None = None  # of paths in the declarations; default: each file's folder
    loaded: bool = False  # by wrapgen.load: there is no folder of a Python package
    origin: str = ""  # where a module comes from, for the registry; "": its file
    flags: tuple[str, ...] = ()  # THP_RESULTS_LIKE, THP_METHODS
    chain: tuple[Plugin, ...] = CHAIN
    plugin_files: tuple[Path, ...] = ()  # of those in the chain that are the package's own
    selection: Selection | None = None  # of the operations, those that are generated

    @property
    def map_file(self) -> Path | None:
        """Where `wrapgen trace` and th.explain() find the way of every name: beside what is imported."""
        if self.base or self.loaded:
            return self.output / "map.json"
        return self.python / "_map.json" if self.python else None

    @property
    def takes(self) -> str:
        """What ops take for tensors: `tensors`, `arrays` too, or those and return what is `like` them."""
        if self.base:
            return "tensors"
        return "like" if "THP_RESULTS_LIKE" in self.flags else "arrays"

    def files(self) -> list[tuple[Path, str]]:
        paths: Iterable[Path] = (
            self.declarations
            if isinstance(self.declarations, tuple)
            else loader.declaration_files(self.declarations)
        )
        return [(path, os.path.relpath(path, self.root)) for path in paths]

    def texts(self) -> dict[str, str]:
        """What the files declare, those that they include too, by the name shown."""
        paths = [path for path, _ in self.files()]
        paths += loader.included_files(paths)
        return {os.path.relpath(path, self.root): path.read_text() for path in paths}


def chapters(operations: Iterable[Operation]) -> dict[str, list[Operation]]:
    """Operations by chapter, in order."""
    result: dict[str, list[Operation]] = {}
    for operation in operations:
        result.setdefault(operation.forms[0].op.chapter, []).append(operation)
    return result


def load(package: Package) -> list[Operation]:
    """The operations declared in a package."""
    return read(package)[0]


def read(package: Package) -> tuple[list[Operation], Units]:
    """What is declared in a package."""
    return chain.read_with_units(package.files(), package.chain, package.units_root)


def _chapter(package: Package, source: str, name: str, members: list[Operation]) -> dict[str, str]:
    """The files of a declarations file."""
    files: dict[str, str] = {}
    forms = [form for operation in members for form in operation.forms]
    generic = package.generic.format(chapter=name)
    if package.base:
        _check_prototypes(package.root / generic, generic, forms)
    files[f"{name}.c"] = wrappers.chapter(
        source, name, members, package.ops_header, generic, package.located
    )
    files[f"py_{name}.c"] = readers.chapter(
        source,
        name,
        members,
        package.ops_header,
        arrays=not package.base,
        package=package.module.removesuffix("._C"),
    )
    if calls.whole(forms):
        files[f"calls/{name}.c"] = calls.source(source, name, forms, package.located)
        files[f"calls/{name}.h"] = calls.prototypes(source, forms)
    if any(form.body.looped for form in forms):
        files[f"kernels/{name}.c"] = emit_kernels.source(source, name, forms, package.located)
        files[f"kernels/{name}.h"] = emit_kernels.header(source, forms)
    if package.prototypes and emit_generic.hand_written(forms):
        files[generic] = emit_generic.header(source, forms)
    return files


def _check_prototypes(path: Path, header: str, forms: list[Form]) -> None:
    """Compilers and linkers would not say which declaration has no function."""
    declared = path.read_text() if path.is_file() else ""
    errors = [
        form.op.error(
            None,
            f"it has no `kernel:` or `core:`, and {header} no THTensor_({form.op.cname}); declare that there, "
            f"define it in {header.removesuffix('h')}c",
        )
        for form in emit_generic.hand_written(forms)
        if f"THTensor_({form.op.cname})(" not in declared
    ]
    if errors:
        raise DeclarationErrors(errors)


def texts(package: Package, operations: list[Operation]) -> dict[str, str]:
    """Every C file, by path below the output folder."""
    sources = {path.stem: shown for path, shown in package.files()}
    files: dict[str, str] = {}
    by_chapter = chapters(operations)
    for name, members in by_chapter.items():
        files |= _chapter(package, sources[name], name, members)
    guard = package.ops_header.upper().replace("/", "_").replace(".", "_")
    files[package.ops_header] = wrappers.header(guard, operations)
    files["py_module.c"] = module_file.module(
        package.module, list(by_chapter), operations, package.origin, package.flags
    )
    files["cdef.h"] = cdef.cdef(operations)
    files["chapters.txt"] = "".join(f"{line}\n" for line in _lines(operations))
    if package.base:
        files |= dtype_files.emit(tables.dtypes())
    if package.located:
        return {name: number_lines(text, _shown(package, name)) for name, text in files.items()}
    return files


def _shown(package: Package, name: str) -> str:
    """A generated file as compilers are told of it."""
    path = package.output / name
    return os.path.relpath(path, package.root) if path.is_relative_to(package.root) else str(path)


def chapter_lines(package: Package) -> list[str]:
    """The chapters, those with kernels marked: what the build's edges follow from."""
    if package.selection is not None:
        return _lines(package.selection.choose(load(package))[0])
    declared = loader.load(package.files())
    return _marked(
        (op.chapter, op.options.has(KERNEL) or op.options.has(CORE))
        for ops in declared
        for op in ops
    )


def _lines(operations: Iterable[Operation]) -> list[str]:
    forms = [form for operation in operations for form in operation.forms]
    return _marked((form.op.chapter, form.body.looped) for form in forms)


def _marked(ops: Iterable[tuple[str, bool]]) -> list[str]:
    """The chapters of ops, in order, with what marks those that have kernels: `many` where some dtypes are a unit."""
    kernels: dict[str, int] = {}
    for chapter, kernel in ops:
        kernels[chapter] = kernels.get(chapter, 0) + kernel
    return [
        f"{name} {'many' if number >= MANY_KERNELS else 'few'}" if number else name
        for name, number in kernels.items()
    ]


def generate(package: Package) -> list[Path]:
    """Writes everything; the files that changed."""
    return write(package, *read(package))


def write(package: Package, operations: list[Operation], units: Units) -> list[Path]:
    """Writes the files of what was read; those that changed."""
    absent = None
    if package.selection is not None:
        operations, absent = package.selection.choose(operations)
    generated = texts(package, operations) | unit_texts(package, operations, units)
    changed = _write_all(package.output, generated)
    stub = ""
    if package.python is not None:
        from wrapgen.emit import stubs

        files = {}
        if package.base:
            files["_functions.py"] = stubs.function_list(package.module, operations, absent)
        if package.stub is not None:
            files["_C.pyi"] = stubs.stub(package.stub.read_text(), operations, package.takes)
        changed += _write_all(package.python, files)
        stub = files.get("_C.pyi", "")
    if package.map_file is not None:
        text = _map(package, operations, units, generated, stub)
        changed += _write_all(package.map_file.parent, {package.map_file.name: text})
    return changed


def _map(
    package: Package,
    operations: list[Operation],
    units: Units,
    generated: Mapping[str, str],
    stub: str,
) -> str:
    """The way of every name."""
    from wrapgen.emit import trace_map

    paths = sorted((package.root / "TH").rglob("*.c")) if package.base else units.files
    written = [path for path in paths if path.suffix == ".c"]

    sources = trace_map.Sources(
        declared=package.texts(),
        generated={
            f"{_below(package, package.output)}/{name}": text
            for name, text in generated.items()
            if name.endswith(".c")
        },
        written={os.path.relpath(path, package.root): path.read_text() for path in written},
        stub=(_stub_name(package), stub),
        methods=package.base or "THP_METHODS" in package.flags,
        root=str(package.root) if package.loaded else "",
        arrays=not package.base,
    )
    return trace_map.text(package.module, operations, sources)


def _below(package: Package, folder: Path) -> str:
    """A folder as the map names it: below the package's root, that of the cache in full, others by their name."""
    if folder.is_relative_to(package.root):
        return str(folder.relative_to(package.root))
    return str(folder) if package.loaded else folder.name


def _stub_name(package: Package) -> str:
    """The stub as the map names it; packages are installed elsewhere than they are built."""
    if package.python is None:
        return ""
    return f"{_below(package, package.python) if package.base else package.python.name}/_C.pyi"


def unit_texts(package: Package, operations: list[Operation], units: Units) -> dict[str, str]:
    """The C files for what is declared beside ops, by path below the output folder."""
    headers = [
        package.generic.format(chapter=name)
        for name, members in chapters(operations).items()
        if emit_generic.hand_written(form for operation in members for form in operation.forms)
    ]
    names = ((path, os.path.relpath(path, package.root)) for path in units.generic)
    files = {f"units/{path.stem}.c": emit_generic.source(name, headers) for path, name in names}
    forms = [form for operation in operations for form in operation.forms]
    functions = core.prototypes(forms)
    if functions:
        files[core.FILE] = number_lines(functions, _shown(package, core.FILE))
    for name, text in library_files.unit_texts(units.libraries).items():
        files[name] = number_lines(text, _shown(package, name))
    if units.snippets:
        helpers = emit_helpers.text(units.snippets, forms)
        files[emit_helpers.FILE] = number_lines(helpers, _shown(package, emit_helpers.FILE))
    return files


def _write_all(folder: Path, files: Mapping[str, str]) -> list[Path]:
    return [folder / name for name, text in files.items() if write_if_changed(folder / name, text)]


def read_files(package: Package) -> list[Path]:
    """What the output follows from: declarations, shared tables, and the generator itself."""
    own = sorted(Path(__file__).parent.rglob("*.py"))
    declared = [path for path, _ in package.files()]
    names = ["dtypes.yaml", "math.yaml"]
    names += ["cwrap.yaml"] if any(path.suffix == ".cwrap" for path in declared) else []
    shared = [tables.data_folder() / name for name in names]
    stub = [package.stub] if package.stub else []
    selection = package.selection.files if package.selection else ()
    return [
        *declared,
        *loader.included_files(declared),
        *shared,
        *own,
        *stub,
        *selection,
        *package.plugin_files,
    ]
