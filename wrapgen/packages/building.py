"""Builds an op package: generates, writes build.ninja, runs ninja.

What a package has beside its declarations (C files, files of generic functions, libraries) comes from its Units, and
becomes objects in `_unit_objects` and flags in `ninja_text`, here and nowhere else.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import thwrap
from wrapgen import generate, tables
from wrapgen.chain import Form, Operation
from wrapgen.emit import calls, core, generic, library_files
from wrapgen.emit import kernels as emit_kernels
from wrapgen.errors import BuildError, DeclarationError, DeclarationErrors
from wrapgen.files import write_if_changed
from wrapgen.model import Op
from wrapgen.packages import current
from wrapgen.plugins.types import dtypes_of
from wrapgen.syntax.calls import LIBRARY
from wrapgen.toolchain import diagnostics, machine, ninjafile
from wrapgen.toolchain.ninjafile import Edges
from wrapgen.toolchain.profiles import PROFILES
from wrapgen.units import CXX_SUFFIXES, Units

if TYPE_CHECKING:
    from wrapgen.packages.project import Project
    from wrapgen.toolchain.libraries import Found

TEMPLATES = Path(__file__).parent / "templates"
STUB = TEMPLATES / "stub.pyi.txt"
# Loops of one chapter, counted for each dtype, that are worth compiling in parallel.
_MANY_LOOPS = 16


@dataclass(frozen=True)
class Build:
    """What is built, and how. Paths in build.ninja are relative to the package's root, where ninja runs."""

    package: generate.Package
    builddir: str
    target: str  # the module's file
    cc: str
    cxx: str
    ninja_file: str = "build.ninja"
    flags: str = ""  # after all others
    ldflags: str = ""
    optimise: str = "-O2"  # of everything but loops
    optimise_cffi: str = "-O1"
    isas: Mapping[str, str] = field(default_factory=machine.isas)
    only_isa: bool = False  # one instruction set, for this machine
    portable: bool = False  # for other machines, whose folders are others
    generate_arguments: tuple[str, ...] = ()  # of the `wrapgen generate` that does this again
    watched: tuple[Path, ...] = ()

    @property
    def root(self) -> Path:
        return self.package.root

    @property
    def depfile(self) -> Path:
        return self.root / f"{self.builddir}/build.ninja.d"


def runtime_flags(results: str, methods: bool) -> tuple[str, ...]:
    """What the module tells the binding runtime."""
    like = ("THP_RESULTS_LIKE",) if results == "like" else ()
    return like + (("THP_METHODS",) if methods else ())


def of_project(
    project: Project, profile: str = "release", native: bool = False, cc: str = "", cxx: str = ""
) -> Build:
    """The build of a package in its folder; `wheel` and sanitized profiles have folders of their own."""
    builddir = current.build_folder(profile)
    out = project.package if profile == "release" else f"{builddir}/{project.package}"
    isas = machine.isas()
    cc, cxx = cc or machine.c_compiler(), cxx or machine.cxx_compiler()
    return Build(
        package=_package(project, builddir, out),
        builddir=builddir,
        target=f"{out}/_C.abi3.so",
        ninja_file=current.ninja_file(profile),
        cc=cc,
        cxx=cxx,
        flags=PROFILES[profile],
        ldflags=machine.STRIP if profile == "wheel" else "",
        isas=machine.native_isa(isas) if native else isas,
        only_isa=native,
        portable=profile == "wheel",
        generate_arguments=current.generate_arguments(profile, native, cc, cxx),
        watched=project.watched,
    )


def _package(project: Project, builddir: str, out: str) -> generate.Package:
    extended = project.extended()
    return generate.Package(
        module=project.module,
        declarations=project.declarations,
        output=project.root / builddir / "gen",
        root=project.root,
        ops_header=f"{project.package}_ops.h",
        generic="prototypes/{chapter}.h",
        prototypes=True,
        located=True,
        python=project.root / out,
        stub=STUB,
        flags=runtime_flags(project.results, project.methods),
        chain=extended.chain,
        plugin_files=extended.files,
    )


@dataclass(frozen=True)
class Prepared:
    """What the generator knows of a package when ninja runs."""

    units: Units
    called: Mapping[str, Op]  # C functions that the package has to bring, by name
    signatures: Mapping[str, str]  # of those of them that core operations call
    foreign: Mapping[str, Op]  # those that its libraries have


def prepare(build: Build) -> Prepared:
    """Generates and writes build.ninja, as new as its inputs."""
    machine.check_compiler(build.cc)
    machine.check_headers()
    operations, units = generate.read(build.package)
    for notice in units.notices:
        print(f"wrapgen: {notice}", file=sys.stderr)
    if units.has_cxx:
        machine.check_cxx_compiler(build.cxx)
    generate.write(build.package, operations, units)
    if build.package.python is not None:
        write_if_changed(build.package.python / "py.typed", "")
    path = build.root / build.ninja_file
    write_if_changed(path, ninja_text(build, operations, units))
    if build.generate_arguments:
        names = " ".join(ninjafile.depfile_path(name) for name in _inputs(build, units))
        write_if_changed(build.depfile, f"{build.ninja_file}: {names}\n")
        os.utime(path)
    forms = _forms(operations)
    return Prepared(units, _called(forms), core.signatures(forms), calls.called(forms))


def _forms(operations: Iterable[Operation]) -> list[Form]:
    return [form for operation in operations for form in operation.forms]


def _called(forms: Sequence[Form]) -> dict[str, Op]:
    return core.called(forms) | {
        f"TH{dtype}Tensor_{form.op.cname}": form.op
        for form in generic.hand_written(forms)
        for dtype in form.body.dispatch
    }


def _inputs(build: Build, units: Units) -> Iterable[Path]:
    return (*generate.read_files(build.package), *units.files)


def ninja_text(build: Build, operations: list[Operation], units: Units) -> str:
    """build.ninja"""
    python = ("-I" + str(machine.python_include()), machine.LIMITED_API)
    target = ninjafile.path(build.target)
    found = _found(units)
    holes = {
        "module": build.package.module,
        "builddir": ninjafile.path(build.builddir),
        "gen": ninjafile.path(f"{build.builddir}/gen"),
        "obj": ninjafile.path(f"{build.builddir}/obj"),
        **current.assignments(build.generate_arguments),
        "cc": build.cc,
        "cxx": build.cxx,
        "cflags": machine.CFLAGS,
        "warnings": machine.WARNINGS,
        "c_warnings": f"{machine.C_WARNINGS} {machine.C_ERRORS}",
        "python_includes": ninjafile.words(*python),
        "profile": build.flags,
        "ldflags": build.ldflags,
        "library_flags": ninjafile.words(*(word for lib in found for word in lib.cflags)),
        "library_links": ninjafile.words(
            *(word for lib in found for word in lib.flags(build.portable))
        ),
        "header": build.package.ops_header,
        "edges": "\n".join(_edges(build, operations, units)),
        "target": target,
    }
    return ninjafile.fill((TEMPLATES / "package.ninja").read_text(), holes)


def _found(units: Units) -> list[Found]:
    """How the package's libraries are compiled and linked with."""
    if not units.libraries:
        return []
    from wrapgen.toolchain import libraries

    return libraries.find_all(units.libraries)


def _edges(build: Build, operations: list[Operation], units: Units) -> list[str]:
    edges = Edges()
    if build.generate_arguments:
        folders = [ninjafile.path(os.path.relpath(path, build.root)) for path in build.watched]
        depfile = ninjafile.path(f"{build.builddir}/build.ninja.d")
        edges.build(build.ninja_file, "wrapgen", ["pyproject.toml"], folders, depfile=depfile)
    objects = [_cffi(build, edges)]
    for chapter, members in generate.chapters(operations).items():
        objects += _chapter(build, edges, chapter, members)
    objects.append(_object(edges, "py_module", "$python_includes " + build.optimise))
    objects += _unit_objects(build, edges, units, _forms(operations))
    edges.build(
        ninjafile.path(build.target),
        "link",
        [*objects, "$thwrap/libTHPackage.a"],
        after=["$thwrap/libTHPackage.map"],
        linker="$cxx" if units.has_cxx else "$cc",
    )
    return edges.lines


def _object(edges: Edges, name: str, flags: str, suffix: str = "") -> str:
    """The object of a generated file."""
    return edges.build(f"$obj/{name}{suffix}.o", "cc", [f"$gen/{name}.c"], flags=flags)


def _cffi(build: Build, edges: Edges) -> str:
    stem = build.package.module.rsplit(".", 1)[-1]
    edges.build("$gen/cffi.c", "cffi", ["$gen/cdef.h"])
    flags = f"$python_includes {build.optimise_cffi} -w -DPyInit_{stem}=THP_cffiInit"
    return _object(edges, "cffi", flags)


def _chapter(build: Build, edges: Edges, name: str, operations: Iterable[Operation]) -> list[str]:
    """Wrappers, readers and kernels of a declarations file."""
    forms = [form for operation in operations for form in operation.forms]
    objects = [
        _object(edges, name, build.optimise),
        _object(edges, f"py_{name}", f"$python_includes {build.optimise}"),
    ]
    if calls.whole(forms):
        objects.append(_object(edges, f"calls/{name}", build.optimise))
    kernels = emit_kernels.own_kernels(forms)
    if not kernels:
        return objects
    only = f" -DTH_ISA_ONLY={next(iter(build.isas))}" if build.only_isa else ""
    objects.append(_object(edges, f"kernels/{name}", build.optimise + only))
    rows = tables.dtypes().rows
    loops = sum(len(dtypes_of(form.op)) for form in kernels)
    parts = [f" -DTH_ONLY_DTYPES={1 << row.code}" for row in rows] if loops >= _MANY_LOOPS else [""]
    for isa, flags in machine.kernel_flags(build.isas, build.cc).items():
        for number, part in enumerate(parts):
            suffix = f"_{isa}" + (f"_{rows[number].name}" if part else "")
            objects.append(_object(edges, f"kernels/{name}", flags + only + part, suffix))
    return objects


def _unit_objects(build: Build, edges: Edges, units: Units, forms: Iterable[Form]) -> list[str]:
    """Objects of the files that the declarations name; those of plain functions are checked against what is called."""
    flags = "-O3"
    checked = f"-include $gen/{core.FILE} {flags}" if core.called(forms) else flags
    objects = [_object(edges, f"units/{path.stem}", flags) for path in units.generic]
    for path in units.sources:
        rule = "cxx" if path.suffix in CXX_SUFFIXES else "cc"
        source = ninjafile.path(os.path.relpath(path, build.root))
        name = f"$obj/sources/{ninjafile.path(path.name)}.o"
        objects.append(edges.build(name, rule, [source], flags=checked))
    if library_files.setup(units.libraries):
        objects.append(_object(edges, library_files.SETUP_FILE.removesuffix(".c"), build.optimise))
    return objects


@dataclass
class Progress:
    """One line on stderr when something takes longer than a second."""

    text: str
    started: float = field(default_factory=time.monotonic)
    shown: bool = False

    @property
    def left(self) -> float:
        """Seconds until it is time to speak."""
        return max(0.0, self.started + 1 - time.monotonic())

    def show(self) -> None:
        if not self.shown:
            print(f"wrapgen: {self.text}", file=sys.stderr, flush=True)
            self.shown = True


def run(build: Build, prepared: Prepared, progress: Progress, verbose: bool = False) -> None:
    """Runs ninja; a BuildError says what the compiler said."""
    program = machine.ninja_program()
    command, before = [program, "-f", build.ninja_file], _modified(build)
    log = build.root / build.builddir / ".ninja_log"
    if build.generate_arguments and log.is_file():
        restat = [*command, "-t", "restat", build.ninja_file]
        subprocess.run(restat, cwd=build.root, capture_output=True, check=False)
    if verbose:
        command.append("-v")
    process = subprocess.Popen(
        command,
        cwd=build.root,
        env={**os.environ, "PYTHONPATH": python_path(), "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=None if verbose else subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    try:
        output = _output(process, progress)
    except BaseException:
        process.terminate()
        process.wait()
        raise
    if process.returncode != 0:
        if prepared.units.libraries:
            from wrapgen.toolchain import libraries

            libraries.check(prepared.units.libraries, build.cc)
        raise BuildError(diagnostics.diagnose(output, lambda path: is_own(build, path)))
    try:
        _check_symbols(build, prepared)
        if _modified(build) != before:
            _check_libraries(build, prepared)
    except (BuildError, DeclarationErrors):
        (build.root / build.target).unlink()  # or the next build would find it up to date
        raise


def _modified(build: Build) -> int:
    """When the module was linked."""
    path = build.root / build.target
    return path.stat().st_mtime_ns if path.exists() else 0


def _check_libraries(build: Build, prepared: Prepared) -> None:
    """The functions of libraries that nobody has, for the same reason."""
    if not prepared.foreign:
        return
    from wrapgen.toolchain import libraries

    wanted = sorted(_symbols(build.root / build.target, "--undefined-only") & set(prepared.foreign))
    missing = libraries.undefined(wanted, prepared.units.libraries, build.cc) if wanted else ()
    errors = []
    for name in sorted(missing):
        op = prepared.foreign[name]
        message = (
            f"op '{op.name}': library '{op[LIBRARY]}' has no {name}(), or needs another `link:`"
        )
        errors.append(DeclarationError(op.options.loc(LIBRARY) or op.loc, message))
    if errors:
        raise DeclarationErrors(errors)


def _check_symbols(build: Build, prepared: Prepared) -> None:
    """The linker lets a module name what nobody defines; importing it would fail."""
    if not prepared.called and not prepared.units.files:
        return
    wanted = {
        name
        for name in _symbols(build.root / build.target, "--undefined-only")
        if name.startswith("TH") or name in prepared.called
    }
    if wanted <= _known_symbols():
        return
    missing = sorted(wanted - _known_symbols())
    ops: dict[str, DeclarationError] = {}
    for name in missing:
        op = prepared.called.get(name)
        if op is not None:
            shown = prepared.signatures.get(name, f"{name}()")
            message = f"op '{op.name}': no file of `generic` or `sources` defines {shown}"
            ops.setdefault(op.name, DeclarationError(op.loc, message))
    if ops:
        raise DeclarationErrors(ops.values())
    raise BuildError(f"no file defines {missing[0]}(), which is called")


def _symbols(path: Path, which: str) -> set[str]:
    machine.check_program("nm", "binutils")
    command = ["nm", "-D", "--format=posix", which, str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return {line.split(" ", 1)[0] for line in run.stdout.splitlines()}


@functools.cache
def _known_symbols() -> set[str]:
    return _symbols(Path(thwrap.get_lib()) / "libTH.so", "--defined-only")


def _output(process: subprocess.Popen[str], progress: Progress) -> str:
    try:
        output, _ = process.communicate(timeout=progress.left)
    except subprocess.TimeoutExpired:
        progress.show()
        output, _ = process.communicate()
    return output or "see above"


def python_path() -> str:
    """What this process imports from, for the generator that ninja runs."""
    return os.pathsep.join(os.path.abspath(place) for place in sys.path if place)


def is_own(build: Build, path: Path) -> bool:
    """Is this a file the package's author never wrote?"""
    own = (build.package.output, Path(thwrap.get_include()), machine.python_include())
    full = Path(os.path.normpath(build.root / path))
    return any(full.is_relative_to(folder) for folder in own)
