"""Finds existing libraries on this machine: what the compiler and the linker are told of those that packages declare.

pkg-config is asked where the declaration names a module of it. What it does not know may still be there: then `link` is
what the linker gets. Whether headers and library are really there the compiler says, when a build has failed.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from wrapgen.errors import DeclarationError, DeclarationErrors
from wrapgen.units import Library


@dataclass(frozen=True)
class Found:
    """How a library is compiled and linked with."""

    library: Library
    cflags: tuple[str, ...]
    link: tuple[str, ...]
    rpaths: tuple[str, ...]  # where it is on this machine
    carried: tuple[str, ...]  # where it is beside the package, once both are installed
    how: str  # for people

    def flags(self, portable: bool) -> tuple[str, ...]:
        """For the linker; what is portable names no folder of this machine that the module would look into."""
        places = self.carried if portable else (*self.carried, *self.rpaths)
        return (*self.link, *(f"-Wl,-rpath,{place}" for place in dict.fromkeys(places)))


def _missing(library: Library, tried: str) -> DeclarationError:
    hint = f"; {library.hint}" if library.hint else ""
    return DeclarationError(library.loc, f"library '{library.name}' was not found: {tried}{hint}")


def _program() -> str:
    return os.environ.get("PKG_CONFIG") or "pkg-config"


def _ask(library: Library, *options: str) -> str:
    """What pkg-config says of the module."""
    command = [*shlex.split(_program()), *options, library.pkg_config]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        said = run.stderr.strip().partition("\n")[0].rstrip(".") or "it gives no reason"
        raise _missing(library, f"tried pkg-config {library.pkg_config}: {said}")
    return run.stdout.strip()


def _by_pkg_config(library: Library) -> tuple[list[str], list[str], str]:
    """Flags for compiler and linker, and the version."""
    words = shlex.split(_program())
    if not words or shutil.which(words[0]) is None:
        tried = f"tried pkg-config {library.pkg_config}, but there is no {_program()}; install pkg-config"
        raise _missing(library, tried)
    cflags = shlex.split(_ask(library, "--cflags"))
    link = shlex.split(_ask(library, "--libs"))
    version = _ask(library, "--modversion")
    return cflags, link, f"{version}, by pkg-config {library.pkg_config}"


def _folder(library: Library) -> Path:
    """What its folders are relative to."""
    if not library.python:
        return library.folder
    try:
        spec = importlib.util.find_spec(library.python)
    except (ImportError, ValueError):
        spec = None
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise _missing(
            library, f"tried the Python package {library.python}, which is not installed"
        )
    return Path(places[0])


def _folders(library: Library, folder: Path, names: Iterable[str]) -> list[str]:
    paths = [(folder / name).resolve() for name in names]
    absent = next((path for path in paths if not path.is_dir()), None)
    if absent is not None:
        raise _missing(library, f"there is no folder {absent}")
    return [str(path) for path in paths]


def find(library: Library) -> Found:
    """How to compile and link with it; a DeclarationError says what was tried."""
    cflags: list[str] = []
    link: list[str] = []
    how = " ".join(library.link) or "its headers"
    if library.pkg_config:
        try:
            cflags, link, how = _by_pkg_config(library)
        except DeclarationError:
            if not library.link:
                raise
    folder = _folder(library)
    how = f"{how}, in the Python package {library.python}" if library.python else how
    includes = _folders(library, folder, library.include_dirs)
    places = _folders(library, folder, library.library_dirs)
    carried = [
        f"$ORIGIN/../{library.python}/{name}" for name in library.library_dirs if library.python
    ]
    rpaths = [*places, *(flag[2:] for flag in link if flag.startswith("-L") and len(flag) > 2)]
    return Found(
        library,
        (*cflags, *(f"-I{path}" for path in includes), *library.cflags),
        (*(f"-L{path}" for path in places), *link, *library.link),
        tuple(rpaths),
        tuple(carried),
        how,
    )


def find_all(libraries: Iterable[Library]) -> list[Found]:
    """Every library; all that are missing at once."""
    found, errors = list[Found](), list[DeclarationError]()
    for library in libraries:
        try:
            found.append(find(library))
        except DeclarationError as error:
            errors.append(error)
    if errors:
        raise DeclarationErrors(errors)
    return found


_NOISE = re.compile(r"^[^\n]*?(?:fatal error|error): |^\S*ld(?:\.\w+)?: ")


def problem(found: Found, cc: str) -> DeclarationError | None:
    """What the compiler or the linker says of a library that is not there after all."""
    text = "".join(f"#include <{name}>\n" for name in found.library.headers)
    output = _compile(f"{text}int wrapgen;\n", cc, *found.cflags, link=found.link)
    if not output:
        return None
    lines = [line for line in output.splitlines() if "error: " in line or "cannot find" in line]
    said = _NOISE.sub("", lines[0]) if lines else output.strip()
    return _missing(found.library, f"tried {found.how}: {said}")


def _compile(text: str, cc: str, *flags: str, link: Iterable[str]) -> str:
    """What the compiler and the linker find wrong with a file."""
    import tempfile  # builds that succeed need none

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "library.c"
        source.write_text(text)
        command = [*shlex.split(cc), "-w", "-shared", "-fPIC", *flags, str(source)]
        command += ["-o", str(Path(folder) / "library.so"), *link]
        environment = {**os.environ, "LC_ALL": "C"}
        run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    return "" if run.returncode == 0 else run.stderr or "the compiler failed"


def undefined(names: Iterable[str], libraries: Iterable[Library], cc: str) -> set[str]:
    """The functions among those called that no library has."""
    declared = "".join(f"extern char {name}(void);\n" for name in names)
    used = ", ".join(f"(void *){name}" for name in names)
    text = f"{declared}void *const wrapgen[] = {{{used}}};\n"
    link = [word for found in find_all(libraries) for word in found.link]
    output = _compile(text, cc, "-fno-builtin", link=["-Wl,--no-undefined", *link, "-lm"])
    return set(re.findall(r"undefined (?:reference to|symbol:) [`']?(\w+)", output)) & set(names)


def check(libraries: Iterable[Library], cc: str) -> None:
    """DeclarationErrors when a library is missing in any way."""
    problems = (problem(found, cc) for found in find_all(libraries))
    errors = [error for error in problems if error is not None]
    if errors:
        raise DeclarationErrors(errors)
