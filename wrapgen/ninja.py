"""`wrapgen configure`: fills build.ninja.in; what is compiled, for which dtypes and instruction sets, is said here."""

from __future__ import annotations

import os
import platform
import re
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from wrapgen import emit_dtypes, generate, tables
from wrapgen.errors import DeclarationErrors, UserError
from wrapgen.profiles import PROFILES, SANITIZED

ISAS = {
    "x86_64": {
        "base": "",
        "v3": "-march=x86-64-v3",
        "avx512": "-march=x86-64-v4 -mprefer-vector-width=512",
    },
}
WARNINGS = (
    "-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla -Wundef "
    "-Wno-missing-prototypes -Wno-unknown-pragmas"
)

# Where files are looked for: `ninja` configures anew when one of these changes.
LIBRARY = ("TH/core", "TH/engine", "TH/ops")
FOLDERS = ("TH", *LIBRARY, "TH/generic", "TH/loops", "pkg/csrc", "pkg/csrc/package")
TESTS = "tests/TH"
OPS_HEADER = "TH/THOps.h"
PUBLIC_HEADERS = ("TH/TH.h", "TH/THMath.h", OPS_HEADER)
# Not linked into a sanitized build's package: it has its own.
NOT_LINKED = ("__pycache__", "_functions.py", "_C.pyi", "include")


class ConfigureError(UserError):
    """Something the build needs is missing."""


@dataclass(frozen=True)
class Config:
    """What a build is configured with."""

    root: Path
    profile: str = "release"
    builddir: str = "build"
    out: str = "pkg/thwrap"
    cc: str = "cc"
    module: str = "thwrap._C"

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
        return shlex.join(parts)

    @property
    def ninja_file(self) -> Path:
        return self.root / (
            "build.ninja" if self.builddir == "build" else f"{self.builddir}/build.ninja"
        )


def check_machine(config: Config) -> None:
    """The compiler and Python's headers; says what is missing."""
    if shutil.which(shlex.split(config.cc)[0]) is None:
        raise ConfigureError(
            f"no C compiler: '{config.cc}' is not on the PATH; install gcc, or set CC"
        )
    header = Path(sysconfig.get_path("include")) / "Python.h"
    if not header.is_file():
        raise ConfigureError(f"no Python headers: {header} is missing; install python3-dev")


@dataclass
class _Edges:
    """Build statements in the making."""

    lines: list[str]

    def build(
        self,
        output: str,
        rule: str,
        inputs: Iterable[str],
        after: Iterable[str] = (),
        order: Iterable[str] = (),
        **variables: str,
    ) -> str:
        text = f"build {output}: {rule} {' '.join(inputs)}".rstrip()
        after, order = tuple(after), tuple(order)
        text += f" | {' '.join(after)}" if after else ""
        text += f" || {' '.join(order)}" if order else ""
        self.lines.append(text)
        self.lines += [f"  {name} = {value}" for name, value in variables.items()]
        return output


def isas() -> dict[str, str]:
    return ISAS.get(platform.machine(), {"base": ""})


def _sources(root: Path, folder: str) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in (root / folder).glob("*.c"))


def _library(config: Config, edges: _Edges, chapters: list[str], generated: str) -> None:
    """libTH.so: TH, its loops, the wrappers and their kernels."""
    order = (generated,)
    objects = []
    sources = [source for folder in LIBRARY for source in _sources(config.root, folder)]
    for source in [*sources, "$gen/THDtypeTables.c"]:
        objects.append(edges.build(f"$obj/{Path(source).stem}.o", "cc", [source], order=order))
    for source in _sources(config.root, "TH/loops"):
        for isa, flags in isas().items():
            objects.append(
                edges.build(
                    f"$obj/loops/{Path(source).stem}_{isa}.o",
                    "cc",
                    [source],
                    order=order,
                    flags=f"-DTH_ISA={isa} {flags}".rstrip(),
                )
            )
    for line in chapters:
        name, *kernels = line.split()
        objects.append(
            edges.build(f"$obj/gen/{name}.o", "cc", [f"$gen/{name}.c"], order=order, flags="-O2")
        )
        if kernels:
            objects += _kernels(edges, name, order)
    edges.build(
        "$out/libTH.so",
        "link",
        objects,
        flags="-Wl,-soname,libTH.so -Wl,-z,nodelete -Wl,-Bsymbolic-functions -pthread -lm -ldl @mvec@ @undefined@",
    )


def _kernels(edges: _Edges, name: str, order: tuple[str, ...]) -> list[str]:
    source = f"$gen/kernels/{name}.c"
    objects = [edges.build(f"$obj/kernels/{name}.o", "cc", [source], order=order, flags="-O2")]
    for row in tables.dtypes().rows:
        if row.compute != row.name:
            continue
        for isa, flags in isas().items():
            objects.append(
                edges.build(
                    f"$obj/kernels/{name}_{row.name}_{isa}.o",
                    "cc",
                    [source],
                    order=order,
                    flags=f"-DTH_ISA={isa} -DTH_ONLY_DTYPE={row.code} {flags}".rstrip(),
                )
            )
    return objects


def _extension(config: Config, edges: _Edges, chapters: list[str], generated: str) -> None:
    """_C.abi3.so: cffi's file, the binding runtime, the readers of every chapter."""
    stem = config.module.rsplit(".", 1)[-1]
    order = (generated,)
    cffi = edges.build("$gen/cffi.c", "cffi", ["$gen/cdef.h"], order=order)
    objects = [
        edges.build(
            "$obj/py/cffi.o",
            "cc",
            [cffi],
            order=order,
            flags=f"$py_includes -O1 -w -DPyInit_{stem}=THP_cffiInit",
        )
    ]
    runtime = [*_sources(config.root, "pkg/csrc"), *_sources(config.root, "pkg/csrc/package")]
    runtime.remove("pkg/csrc/package/THPPackage.c")  # for the packages of others
    generated_files = ["$gen/py_module.c", *(f"$gen/py_{line.split()[0]}.c" for line in chapters)]
    for source in [*runtime, *generated_files]:
        objects.append(
            edges.build(
                f"$obj/py/{Path(source).stem}.o",
                "cc",
                [source],
                order=order,
                flags="$py_includes -O2",
            )
        )
    edges.build(
        "$out/_C.abi3.so",
        "link",
        objects,
        after=["$out/libTH.so", "pkg/csrc/exports.map"],
        flags="-Wl,--version-script=pkg/csrc/exports.map -L$out -lTH -Wl,-rpath,'$$ORIGIN' -pthread",
    )


def _tests(config: Config, edges: _Edges, generated: str) -> None:
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
    edges = _Edges([])
    stamp = "$gen/chapters.txt"
    folders = [*FOLDERS, *(name for name in (TESTS,) if (config.root / name).is_dir())]
    edges.build(stamp, "generate", [], after=["declarations", "wrapgen", "wrapgen/plugins"])
    edges.build(
        os.path.relpath(config.ninja_file, config.root),
        "configure",
        ["build.ninja.in"],
        after=[stamp, *folders, "wrapgen/ninja.py"],
    )
    _library(config, edges, chapters, stamp)
    _extension(config, edges, chapters, stamp)
    _tests(config, edges, stamp)
    return edges.lines


def ninja_text(config: Config, chapters: list[str]) -> str:
    """build.ninja"""
    mvec = "-lmvec" if platform.machine() == "x86_64" and _links(config, "-lmvec") else ""
    undefined = "" if config.profile in SANITIZED else "-Wl,--no-undefined"
    edges = [
        line.replace("@mvec@", mvec).replace("@undefined@", undefined)
        for line in _edges(config, chapters)
    ]
    holes = {
        "builddir": config.builddir,
        "gen": f"{config.builddir}/gen",
        "obj": f"{config.builddir}/obj",
        "out": config.out,
        "python": shlex.quote(sys.executable),
        "cc": config.cc,
        "warnings": WARNINGS,
        "profile_flags": PROFILES[config.profile],
        "py_includes": f"-I{sysconfig.get_path('include')}",
        "configure_arguments": config.arguments,
        "generate_arguments": f"--output {config.builddir}/gen --python {config.out} --base "
        "--stub pkg/thwrap/_C.pyi.in",
        "module": config.module,
        "edges": "\n".join(edges).replace(" \n", "\n"),
    }
    text = (config.root / "build.ninja.in").read_text()
    for name, value in holes.items():
        text = text.replace(f"@{name}@", value)
    return text


def _links(config: Config, flag: str) -> bool:
    """Does the linker know this library?"""
    import subprocess

    command = [
        *shlex.split(config.cc),
        "-shared",
        "-fPIC",
        "-x",
        "c",
        "/dev/null",
        "-o",
        "/dev/null",
        flag,
    ]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def configure(config: Config) -> Path:
    """Writes build.ninja when it changes; the file."""
    check_machine(config)
    package = generate.Package(
        config.module,
        config.root / "declarations",
        config.root / config.builddir / "gen",
        config.root,
    )
    try:
        chapters = generate.chapter_lines(package)
    except DeclarationErrors:
        chapters = _previous_chapters(config)
    path = config.ninja_file
    generate.write_if_changed(path, ninja_text(config, chapters))
    _link_headers(config)
    if config.profile in SANITIZED:
        _link_package(config)
    return path


def _previous_chapters(config: Config) -> list[str]:
    """While a declaration is wrong, the edges stay as they were: `generate` will show the errors."""
    known = config.root / config.builddir / "gen" / "chapters.txt"
    return known.read_text().split("\n")[:-1] if known.is_file() else []


_INCLUDE = re.compile(r'^\s*#\s*(?:include|define TH_GENERIC_FILE) [<"](TH/[\w/.]+\.h)[>"]', re.M)


def public_headers(config: Config) -> dict[str, Path]:
    """The headers an op package or a C program may include, by name: all that PUBLIC_HEADERS lead to."""
    generated = emit_dtypes.emit(tables.dtypes())
    found: dict[str, Path] = {}
    wanted = [*PUBLIC_HEADERS, *generated]
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
    headers = public_headers(config)
    for path in folder.rglob("*.h"):
        if str(path.relative_to(folder)) not in headers:
            path.unlink()
    for name, path in headers.items():
        _link(folder / name, path)


def _link_package(config: Config) -> None:
    """A sanitized build has its own copy of the package: links to the Python files, libraries of its own."""
    source, target = config.root / "pkg" / "thwrap", config.root / config.out
    if source == target:
        return
    for path in source.iterdir():
        if path.name not in NOT_LINKED and path.suffix != ".so":
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
