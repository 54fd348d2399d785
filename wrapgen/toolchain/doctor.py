"""`wrapgen doctor`: what building op packages needs, whether it is here, and what to do where it is not."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from wrapgen.errors import UserError
from wrapgen.toolchain import machine

SAMPLE = """\
- name: half
  types: [Float]
  arguments: [THTensor* self]
  kernel: self / 2
"""


@dataclass(frozen=True)
class Finding:
    """What was found of one thing; `advice` where it has to be mended."""

    what: str
    found: str
    advice: str = ""
    needed: bool = True


def _first_line(*command: str) -> str:
    """What a program says of its version; "" when it does not run."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = run.stdout.splitlines()
    return lines[0] if run.returncode == 0 and lines else ""


def _compiler(what: str, command: str, advice: str, needed: bool) -> Finding:
    if not machine.is_installed(command):
        return Finding(what, f"'{command}' is not on the PATH", advice, needed)
    version = _first_line(*shlex.split(command), "--version")
    if not version:
        return Finding(what, f"'{command}' does not run", advice, needed)
    return Finding(what, f"{command}: {version}")


def c_compiler() -> Finding:
    advice = "install gcc (Debian: apt install gcc), or set CC"
    return _compiler("C compiler", machine.c_compiler(), advice, True)


def cxx_compiler() -> Finding:
    advice = "only for C++ files: install g++ (Debian: apt install g++), or set CXX"
    return _compiler("C++ compiler", machine.cxx_compiler(), advice, False)


def python_headers() -> Finding:
    header = machine.python_include() / "Python.h"
    if header.is_file():
        return Finding("Python headers", str(header.parent))
    advice = "install them (Debian: apt install python3-dev)"
    return Finding("Python headers", f"{header} is missing", advice)


def ninja() -> Finding:
    try:
        program = machine.ninja_program()
    except UserError:
        return Finding("ninja", "not found", "pip install ninja")
    version = _first_line(program, "--version")
    if not version:
        return Finding("ninja", f"{program} does not run", "pip install --force-reinstall ninja")
    return Finding("ninja", f"{version}, {program}")


def _distribution(name: str, module: str) -> Finding:
    try:
        importlib.import_module(module)
        return Finding(name, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, "there, of unknown version")
    except ImportError as error:
        return Finding(name, f"cannot be imported: {error}", f"pip install --upgrade {name}")


def cffi() -> Finding:
    return _distribution("cffi", "cffi")


def pyyaml() -> Finding:
    return _distribution("PyYAML", "yaml")


def thwrap() -> Finding:
    """The library, and what packages are linked with."""
    try:
        import thwrap as th
    except ImportError as error:
        return Finding("thwrap", f"cannot be imported: {error}", "pip install thwrap")
    folder = Path(th.get_lib())
    names = ("libTH.so", "libTHPackage.a", "libTHPackage.map", "include/THP.h", "include/TH/TH.h")
    missing = [name for name in names if not (folder / name).exists()]
    if missing:
        advice = "install thwrap again, or run ninja in its source tree"
        return Finding("thwrap", f"{folder / missing[0]} is missing", advice)
    return Finding("thwrap", f"{th.__version__}, interface {_interface(folder)}, {folder}")


def _interface(folder: Path) -> str:
    """The version of the table that packages are built for."""
    numbers = dict[str, str]()
    for line in (folder / "include/THP.h").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words[:1] == ["#define"] and len(words) == 3:
            numbers[words[1]] = words[2]
    return f"{numbers.get('THP_TABLE_MAJOR', '?')}.{numbers.get('THP_TABLE_MINOR', '?')}"


def instruction_set() -> Finding:
    known = machine.isas()
    try:
        (name,) = machine.native_isa(known)
    except (ImportError, KeyError):
        return Finding("instruction set", "unknown: thwrap is missing", "", needed=False)
    return Finding("instruction set", f"{name}, of {', '.join(known)}")


def cache() -> Finding:
    from wrapgen.packages import limiting
    from wrapgen.packages.loading import cache_folder

    folder = Path(cache_folder())
    place = next(path for path in (folder, *folder.parents) if path.exists())
    if not place.is_dir() or not os.access(place, os.W_OK | os.X_OK):
        advice = "set WRAPGEN_CACHE to a folder you can write to"
        return Finding("cache", f"{folder} cannot be written", advice)
    try:
        most = limiting.limit()
    except UserError as error:
        return Finding("cache", str(error), f"set {limiting.VARIABLE} to a size, or to nothing")
    size = sum(place.size for place in limiting.places())
    return Finding("cache", f"{folder}, {size >> 20} of {most >> 20} MB")


def _mended(text: str) -> str:
    """What to do where the test build fails though all else is there."""
    if re.search(r"fatal error: \S+\.h: No such file", text):
        return "install the headers of the C library (Debian: apt install libc6-dev)"
    return "mend what is said above; if nothing is, please report this"


def build() -> Finding:
    """Builds an op and calls it."""
    from wrapgen.packages import caching, loading

    with tempfile.TemporaryDirectory() as folder:
        before = os.environ.get("WRAPGEN_CACHE")
        os.environ["WRAPGEN_CACHE"] = folder
        try:
            request = loading.Request(SAMPLE.encode(), "wrapgen_doctor", "wrapgen doctor")
            path = caching.build(request, request.key(), None, verbose=False)
            size = Path(path).stat().st_size
        except (UserError, ImportError) as error:
            return Finding("test build", str(error), _mended(str(error)))
        finally:
            del os.environ["WRAPGEN_CACHE"]
            if before is not None:
                os.environ["WRAPGEN_CACHE"] = before
    return Finding("test build", f"a module of {size // 1024} kB")


CHECKS: tuple[Callable[[], Finding], ...] = (
    c_compiler,
    cxx_compiler,
    python_headers,
    ninja,
    cffi,
    pyyaml,
    thwrap,
    instruction_set,
    cache,
)


def libraries(root: Path) -> list[Finding]:
    """Those that the package of a folder names, where it is one."""
    from wrapgen import loader
    from wrapgen.errors import DeclarationError
    from wrapgen.packages import project
    from wrapgen.toolchain import libraries as finding

    if not project.is_package(root):
        return []
    package = project.read(root)
    reader = loader.Loader(package.chain())
    reader.read((path, os.path.relpath(path, root)) for path in package.declarations)
    findings = []
    for library in reader.units.libraries:
        what = f"library {library.name}"
        try:
            found = finding.find(library)
            problem = finding.problem(found, machine.c_compiler())
        except DeclarationError as error:
            problem = error
        advice = library.hint or "install it, or correct its entry in the declarations"
        if problem is None:
            findings.append(Finding(what, found.how))
        else:
            said = problem.message.partition(" was not found: ")[2].removesuffix(
                f"; {library.hint}"
            )
            findings.append(Finding(what, said, advice))
    return findings


def examine() -> list[Finding]:
    """All findings; the test build only where nothing it needs is missing."""
    findings = [check() for check in CHECKS]
    if not any(finding.advice and finding.needed for finding in findings):
        findings += libraries(Path())
    if not any(finding.advice and finding.needed for finding in findings):
        findings.append(build())
    return findings


def main() -> int:
    """Prints the findings; 1 when something needed is missing."""
    findings = examine()
    width = max(len(finding.what) for finding in findings)
    for finding in findings:
        mark = "ok" if not finding.advice else "NO" if finding.needed else "--"
        print(f"{mark}  {finding.what:<{width}}  {finding.found}")
        if finding.advice:
            print(f"    {'':<{width}}  -> {finding.advice}")
    failed = any(finding.advice and finding.needed for finding in findings)
    print("This machine cannot build op packages yet." if failed else "All right.")
    return int(failed)
