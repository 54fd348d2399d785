"""`wrapgen configure`: fills build.ninja.in; what is compiled, for which dtypes and instruction sets, is said here."""

from __future__ import annotations

import os
import platform
import re
import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from wrapgen import __version__, dtypes, files, generate, selection, tables
from wrapgen.emit import dtype_files
from wrapgen.errors import DeclarationErrors
from wrapgen.toolchain import machine, ninjafile
from wrapgen.toolchain.ninjafile import Edges
from wrapgen.toolchain.profiles import AFTERWARDS, LEAST, LINK_FLAGS, PROFILES, SANITIZED

# Where files are looked for: `ninja` configures anew when one of these changes.
RUNTIME = ("TH/core", "TH/engine")  # what op packages call
LIBRARY = (*RUNTIME, "TH/ops")
FOLDERS = ("TH", *LIBRARY, "TH/generic", "TH/loops", "pkg/csrc", "pkg/csrc/package")
TESTS = "tests/TH"
OPS_HEADER = "TH/THOps.h"
PUBLIC_HEADERS = ("TH/TH.h", "TH/THMath.h", "TH/loops/widened.h", OPS_HEADER)
UNREAD = "TH/loops/unread.h"  # what loops leave out of the compiler's headers
# What is written for each op is compiled with beside loops: it checks and calls, which nothing makes faster.
WRAPPERS = "-O1"
# Loops that take longest to compile: those of floating point and of other dtypes are units of their own.
SPLIT = ("extreme",)
DTYPES_AT_A_TIME = 3  # in a unit of many kernels, which then takes as long as others; all units read the same headers
WHOLE = [("", "")]  # one unit for all dtypes: the end of its name, its flags
EXPORTS = "$builddir/exports.map"
BINDING_HEADER = "THP.h"  # for op packages, beside the folder TH of the public headers
# Not linked into a sanitized build's package: it has its own.
NOT_LINKED = ("__pycache__", "_functions.py", "_C.pyi", "include", "thwrap.pc")
OWN_SUFFIXES = (".so", ".a", ".map")

PKG_CONFIG = """\
prefix=${{pcfiledir}}

Name: thwrap
Description: Tensor operations compiled ahead of time from declarations: libTH and its headers
Version: {version}
Cflags: -I${{prefix}}/include
Libs: -L${{prefix}} -lTH -Wl,-rpath,${{prefix}}
"""


@dataclass(frozen=True)
class Config:
    """What a build is configured with."""

    root: Path
    profile: str = "release"
    builddir: str = "build"
    out: str = "pkg/thwrap"
    cc: str = "cc"
    module: str = "thwrap._C"
    ops: str = ""  # a list of operations, for a selective build

    @property
    def arguments(self) -> str:
        parts = [
            "--profile",
            self.profile,
            "--builddir",
            self.builddir,
            "--out",
            self.out,
            "--cc",
            self.cc,
        ]
        parts += ["--ops", self.ops] if self.ops else []
        return shlex.join(parts)

    @property
    def ninja_file(self) -> Path:
        """Of a package that is put elsewhere from the usual build's objects, beside the package."""
        folder = self.builddir
        if folder == "build":
            folder = os.path.dirname(self.out) if self.out != Config.out else "."
        return self.root / folder / "build.ninja"


def _sources(root: Path, folder: str) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in (root / folder).glob("*.c"))


def _library_objects(
    config: Config, edges: Edges, chapters: list[str], generated: str
) -> list[str]:
    """The objects of libTH.so: TH, its loops, the wrappers and their kernels."""
    order = (generated,)
    objects = []
    sources = [source for folder in LIBRARY for source in _sources(config.root, folder)]
    for source in [*sources, "$gen/THDtypeTables.c"]:
        name = Path(source).stem
        flags = machine.unit_flags(config.cc, name)
        objects.append(edges.build(f"$obj/{name}.o", "cc", [source], order=order, flags=flags))
    for source in _sources(config.root, "TH/loops"):
        name = Path(source).stem
        for suffix, only in _split() if name in SPLIT else WHOLE:
            for isa, flags in machine.loop_flags(machine.isas(), config.cc, name).items():
                output = f"$obj/loops/{name}{suffix}_{isa}.o"
                objects.append(_loops(config, edges, output, source, order, isa, flags + only))
    for line in chapters:
        name, *kernels = line.split()
        objects.append(
            edges.build(f"$obj/gen/{name}.o", "cc", [f"$gen/{name}.c"], order=order, flags=WRAPPERS)
        )
        if kernels:
            objects += _kernels(config, edges, name, kernels == ["many"], generated)
    return objects


def _only(rows: Iterable[dtypes.Dtype]) -> str:
    """The flag by which a unit has these dtypes alone."""
    return f" -DTH_ONLY_DTYPES={sum(1 << row.code for row in rows)}"


def _split() -> list[tuple[str, str]]:
    rows = tables.dtypes().rows
    floating = [row for row in rows if row.category == "floating"]
    others = [row for row in rows if row.category != "floating"]
    return [("_Floating", _only(floating)), ("", _only(others))]


def _loops(
    config: Config,
    edges: Edges,
    output: str,
    source: str,
    order: tuple[str, ...],
    isa: str,
    flags: str,
) -> str:
    """Inner loops for one instruction set."""
    flags = f"{flags} -imacros {UNREAD}"
    old = isa == "base" and len(machine.isas()) > 1
    profile = (LEAST if old else PROFILES).get(config.profile, "")
    return edges.build(output, "cc", [source], order=order, flags=flags, profile=profile)


def _library(config: Config, edges: Edges, objects: list[str], callers: list[str]) -> None:
    """libTH.so; in a selective build it exports, and so has, only TH's runtime and what is called of the rest."""
    has_mvec = machine.accepts(config.cc, "-shared", "-fPIC", "-lmvec")
    mvec = "-lmvec" if platform.machine() == "x86_64" and has_mvec else ""
    undefined = "" if config.profile in SANITIZED else "-Wl,--no-undefined"
    flags = "-Wl,-soname,libTH.so -Wl,-z,nodelete -Wl,-Bsymbolic-functions -pthread -lm -ldl"
    after = []
    if config.ops:
        runtime = [
            f"$obj/{Path(source).stem}.o"
            for folder in RUNTIME
            for source in _sources(config.root, folder)
        ]
        after.append(
            edges.build(EXPORTS, "exports", callers, after=runtime, runtime=" ".join(runtime))
        )
        flags = f"-Wl,--version-script={EXPORTS} {flags}"
    edges.build(
        "$out/libTH.so", "link", objects, after=after, flags=f"{flags} {mvec} {undefined}".rstrip()
    )


def _kernels(config: Config, edges: Edges, name: str, many: bool, generated: str) -> list[str]:
    """The objects of a chapter's kernels; of many, for some dtypes at a time."""
    source, order = f"$gen/kernels/{name}.c", (generated,)
    objects = [edges.build(f"$obj/kernels/{name}.o", "cc", [source], order=order, flags=WRAPPERS)]
    rows = tables.dtypes().rows if many else ()
    parts = [] if rows else WHOLE
    for first in range(0, len(rows), DTYPES_AT_A_TIME):
        some = rows[first : first + DTYPES_AT_A_TIME]
        parts.append((f"_{some[0].name}", _only(some)))
    for suffix, only in parts:
        for isa, flags in machine.kernel_flags(machine.isas(), config.cc).items():
            output = f"$obj/kernels/{name}{suffix}_{isa}.o"
            objects.append(_loops(config, edges, output, source, order, isa, flags + only))
    return objects


def _extension(config: Config, edges: Edges, chapters: list[str], generated: str) -> list[str]:
    """_C.abi3.so: cffi's file, the binding runtime, the readers of every chapter; all objects that call libTH."""
    stem = config.module.rsplit(".", 1)[-1]
    order = (generated,)
    cffi = edges.build(
        "$gen/cffi.c", "cffi", ["$gen/cdef.h"], after=["wrapgen/emit/cffi_file.py"], order=order
    )
    flags = f"$py_includes -O0 -w -DPyInit_{stem}=THP_cffiInit"
    objects = [edges.build("$obj/py/cffi.o", "cc", [cffi], order=order, flags=flags)]
    readers = ["$gen/py_module.c", *(f"$gen/py_{line.split()[0]}.c" for line in chapters)]
    # Ninja keeps to this order: what takes long is not left for the end.
    objects += _python_objects(edges, readers, order, WRAPPERS)
    objects += _python_objects(edges, _sources(config.root, "pkg/csrc"), order)
    shared = _python_objects(edges, _sources(config.root, "pkg/csrc/package"), order)
    edges.build("$out/libTHPackage.a", "archive", shared)
    others = ("$obj/py/THPForeign.o", "$obj/py/THPPackage.o")  # for the packages of others
    edges.build(
        "$out/_C.abi3.so",
        "link",
        [*objects, *(name for name in shared if name not in others)],
        after=["$out/libTH.so", "pkg/csrc/exports.map"],
        flags="-Wl,--version-script=pkg/csrc/exports.map -L$out -lTH -Wl,-rpath,'$$ORIGIN' -pthread",
    )
    return [*objects, *shared]


def _python_objects(
    edges: Edges, sources: list[str], order: tuple[str, ...], optimized: str = "-O2"
) -> list[str]:
    """Objects of files that include Python.h."""
    return [
        edges.build(
            f"$obj/py/{Path(source).stem}.o",
            "cc",
            [source],
            order=order,
            flags=f"$py_includes {optimized}",
        )
        for source in sources
    ]


def _tests(config: Config, edges: Edges, generated: str) -> None:
    """`ninja c-tests`: every tests/TH/*.c is a program of its own, linked to libTH."""
    programs = f"{config.builddir}/tests"
    here = f"$$ORIGIN/{os.path.relpath(config.out, programs)}"
    tests = [
        edges.build(
            f"$builddir/tests/{Path(source).stem}",
            "program",
            [source],
            after=["$out/libTH.so"],
            order=(generated,),
            flags=f"-L$out -lTH -Wl,-rpath,'{here}' -pthread -lm",
        )
        for source in _sources(config.root, TESTS)
    ]
    edges.build("c-tests", "phony", tests)


def _edges(config: Config, chapters: list[str]) -> list[str]:
    edges = Edges()
    stamp = "$gen/chapters.txt"
    folders = [*FOLDERS, *(name for name in (TESTS,) if (config.root / name).is_dir())]
    edges.build(stamp, "generate", [], after=["declarations", *_generator(config)])
    edges.build(
        _relative(config, config.ninja_file),
        "configure",
        ["build.ninja.in", *_lists(config)],
        after=[stamp, *folders],
        depfile=_relative(config, _depfile(config)),
    )
    objects = _library_objects(config, edges, chapters, stamp)
    callers = _extension(config, edges, chapters, stamp)
    _library(config, edges, objects, callers)
    if config.ops:
        libraries = [f"$out/{name}" for name in selection.LIBRARIES]
        edges.lines.append(f"default {edges.build('$builddir/sizes.txt', 'sizes', libraries)}")
    else:
        _tests(config, edges, stamp)
    return edges.lines


def _relative(config: Config, path: Path) -> str:
    return os.path.relpath(path, config.root)


def _depfile(config: Config) -> Path:
    """Where ninja reads that this folder matters: files may move, which an edge that names them does not survive."""
    folder = config.root / config.builddir
    path = config.ninja_file
    return (folder if path.parent == config.root else path.parent) / "build.ninja.d"


def _generator(config: Config) -> list[str]:
    """The folders of wrapgen that generated files follow from."""
    packages = (config.root / "wrapgen").rglob("__init__.py")
    return sorted(str(path.parent.relative_to(config.root)) for path in packages)


def _lists(config: Config) -> list[str]:
    """What a selective build follows from beside the declarations."""
    return [ninjafile.path(config.ops), selection.NEEDS] if config.ops else []


def ninja_text(config: Config, chapters: list[str]) -> str:
    """build.ninja"""
    holes = {
        "builddir": config.builddir,
        "gen": f"{config.builddir}/gen",
        "obj": f"{config.builddir}/obj",
        "out": config.out,
        "python": shlex.quote(sys.executable),
        "cc": config.cc,
        "cflags": machine.cflags(config.cc),
        "warnings": f"{machine.WARNINGS} {machine.C_WARNINGS}",
        "profile_flags": LEAST.get(config.profile, PROFILES[config.profile]),
        "link_flags": LINK_FLAGS.get(config.profile, ""),
        "afterwards": AFTERWARDS.get(config.profile, ""),
        "py_includes": f"-I{machine.python_include()} {machine.LIMITED_API}",
        "configure_arguments": config.arguments,
        "generate_arguments": f"--output {config.builddir}/gen --python {config.out} --base "
        "--stub pkg/thwrap/_C.pyi.in" + (f" --ops {shlex.quote(config.ops)}" if config.ops else ""),
        "module": config.module,
        "edges": "\n".join(_edges(config, chapters)),
    }
    return ninjafile.fill((config.root / "build.ninja.in").read_text(), holes)


def configure(config: Config) -> Path:
    """Writes build.ninja when it changes; the file."""
    machine.check_compiler(config.cc)
    machine.check_headers()
    package = generate.Package(
        config.module,
        config.root / "declarations",
        config.root / config.builddir / "gen",
        config.root,
        selection=selection.of(config.root, config.ops),
    )
    try:
        chapters = generate.chapter_lines(package)
    except DeclarationErrors:
        if config.ops:
            raise
        chapters = _previous_chapters(config)
    path = config.ninja_file
    if not _chapter_list(config).is_file():
        # `generate` leaves it as it is, so that this does not run again behind it.
        files.write_if_changed(_chapter_list(config), "".join(f"{line}\n" for line in chapters))
    files.write_if_changed(path, ninja_text(config, chapters))
    sources = (_relative(config, file) for file in sorted(Path(__file__).parent.glob("*.py")))
    depends = f"{_relative(config, path)}: {' '.join(sources)}\n"
    files.write_if_changed(_depfile(config), depends)
    _link_headers(config)
    _write_package_files(config)
    if config.profile in SANITIZED or config.ops:
        _link_package(config)
    return path


def _chapter_list(config: Config) -> Path:
    return config.root / config.builddir / "gen" / "chapters.txt"


def _previous_chapters(config: Config) -> list[str]:
    """While a declaration is wrong, the edges stay as they were: `generate` will show the errors."""
    known = _chapter_list(config)
    return known.read_text().split("\n")[:-1] if known.is_file() else []


_INCLUDE = re.compile(r'^\s*#\s*(?:include|define TH_GENERIC_FILE) [<"](TH/[\w/.]+\.h)[>"]', re.M)


def public_headers(config: Config) -> dict[str, Path]:
    """The headers an op package or a C program may include, by name: all that PUBLIC_HEADERS lead to, and those of the
    functions per dtype, which packages' own ops may call too."""
    generated = dtype_files.emit(tables.dtypes())
    found: dict[str, Path] = {}
    kernels = sorted(path.name for path in (config.root / "TH" / "generic").glob("*.h"))
    wanted = [*PUBLIC_HEADERS, *generated, *(f"TH/generic/{name}" for name in kernels)]
    while wanted:
        name = wanted.pop()
        if name in found or not name.endswith(".h"):
            continue
        if name in generated or name == OPS_HEADER:
            found[name] = config.root / config.builddir / "gen" / name
            wanted += _INCLUDE.findall(generated.get(name, ""))
        else:
            found[name] = config.root / name
            wanted += _INCLUDE.findall(found[name].read_text())
    return dict(sorted(found.items()))


def _link_headers(config: Config) -> None:
    """One folder of all public headers, hand-written and generated: what th.get_include() names."""
    folder = config.root / config.out / "include"
    headers = {**public_headers(config), BINDING_HEADER: config.root / "pkg/csrc" / BINDING_HEADER}
    for path in folder.rglob("*.h"):
        if str(path.relative_to(folder)) not in headers:
            path.unlink()
    for name, path in headers.items():
        _link(folder / name, path)


def _write_package_files(config: Config) -> None:
    """What op packages are linked with beside libTHPackage.a, and thwrap.pc for C programs."""
    folder = config.root / config.out
    _link(folder / "libTHPackage.map", config.root / "pkg/csrc/exports.map")
    files.write_if_changed(folder / "thwrap.pc", PKG_CONFIG.format(version=__version__))


def _link_package(config: Config) -> None:
    """A sanitized build has its own copy of the package: links to the Python files, libraries of its own."""
    source, target = config.root / "pkg" / "thwrap", config.root / config.out
    if source == target:
        return
    for path in source.iterdir():
        if path.name not in NOT_LINKED and path.suffix not in OWN_SUFFIXES:
            _link(target / path.name, path)
    for path in target.iterdir():
        if path.is_symlink() and not path.exists():
            path.unlink()


def _link(link: Path, target: Path) -> None:
    """A symbolic link by a relative path, so that the tree can be moved."""
    text = os.path.relpath(target, link.parent)
    if link.is_symlink() and os.readlink(link) == text:
        return
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(text)
