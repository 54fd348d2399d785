"""Builds what `wrapgen.load` and `wrapgen.inline` did not find in the cache.

One process at a time builds in a folder; others wait and then find its result. What is half done when a process dies is
in ninja's build folder, where ninja does it again; finished modules and their lists appear by a rename.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from wrapgen import generate, loader
from wrapgen.errors import BuildError, DeclarationError, DeclarationErrors, Loc, UserError
from wrapgen.model import Plugin
from wrapgen.packages import building, limiting
from wrapgen.packages.loading import Request, hold, is_at
from wrapgen.plugins import CHAIN
from wrapgen.toolchain import machine
from wrapgen.units import Units

# How many finished modules of one place are kept, for edits that are undone.
_KEPT = 8
INLINE = "inline.yaml"


def build(request: Request, key: str, shown: tuple[str, int] | None, verbose: bool) -> str:
    """The finished module's file. `shown` is what messages call the YAML, and the lines before it there."""
    limiting.limit()  # says what is wrong with it
    progress = building.Progress(f"building {request.name} ...")
    try:
        with _lock(request, progress):
            hold(request.folder)
            path = request.module_file(key) or _build(request, key, progress, verbose)
        limiting.shrink()
        return path
    except (DeclarationErrors, BuildError) as error:
        if verbose and isinstance(error, DeclarationErrors):
            from wrapgen.packages import extending

            extending.show_causes(error.errors)
        raise _shown(error, request, shown or _caller(request)) from None


def _lock_file(request: Request) -> Path:
    """In the place's folder, which is made."""
    path = Path(request.folder) / limiting.LOCK
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch()
    except OSError as error:
        hint = "WRAPGEN_CACHE names another"
        raise UserError(
            f"the cache folder {path.parent} cannot be used: {error.strerror}; {hint}"
        ) from None
    return path


@contextlib.contextmanager
def _lock(request: Request, progress: building.Progress) -> Iterator[None]:
    """Holds the lock of the place, which ends with the process at the latest."""
    while True:
        path = _lock_file(request)
        with path.open("a") as file:
            _wait(file, progress)
            if is_at(file.fileno(), path):  # or somebody removed the place meanwhile
                yield
                return


def _wait(file: IO[str], progress: building.Progress) -> None:
    while True:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if progress.left == 0:
                progress.show()
            time.sleep(0.02)


def _build(request: Request, key: str, progress: building.Progress, verbose: bool) -> str:
    build = _configured(request)
    start = time.perf_counter()
    prepared = building.prepare(build)
    if request.path and Path(request.path).read_bytes() != request.text:
        raise BuildError(f"{request.path} changed while it was read; load it again")
    generated = time.perf_counter()
    building.run(build, prepared, progress, verbose)
    if verbose:
        end = time.perf_counter()
        times = f"{generated - start:.2f} s to generate, {end - generated:.2f} s to compile"
        print(f"wrapgen: {request.name}: {times}", file=sys.stderr)
    return _publish(request, key, build, prepared.units)


def _configured(request: Request) -> building.Build:
    """The build in the place's folder of the cache; ninja runs where the YAML, or who wrote the text, is."""
    folder = Path(request.folder)
    declarations = _declarations(request)
    if not request.path:
        declarations.write_bytes(request.text)
    plugins, plugin_files = _plugins(request)
    package = generate.Package(
        module=request.name,
        declarations=(declarations,),
        output=folder / "gen",
        root=Path(request.root),
        units_root=Path(request.root),
        loaded=True,
        ops_header=f"{request.name}_ops.h",
        generic="prototypes/{chapter}.h",
        prototypes=True,
        located=True,
        origin=request.origin,
        flags=building.runtime_flags(request.results, request.methods),
        chain=plugins,
        plugin_files=plugin_files,
    )
    return building.Build(
        package=package,
        builddir=str(folder),
        target=str(folder / "module.so"),
        ninja_file=str(folder / "build.ninja"),
        cc=machine.c_compiler(),
        cxx=machine.cxx_compiler(),
        flags=shlex.join(request.cflags).replace("$", "$$"),
        ldflags="" if "-g" in request.cflags else machine.STRIP,
        optimise="-O1",
        optimise_cffi="-O0",
        isas=machine.native_isa(machine.isas()),
        only_isa=True,
    )


def _declarations(request: Request) -> Path:
    """The YAML: the file, or where a text is written to."""
    return Path(request.path) if request.path else Path(request.folder) / INLINE


def _plugins(request: Request) -> tuple[tuple[Plugin, ...], tuple[Path, ...]]:
    """The chain, and the files of what is the user's own in it."""
    if not request.plugins:
        return CHAIN, ()
    from wrapgen.packages import extending

    extended = extending.extend(request.plugins, Path(request.root), f"plugins of {request.name}")
    return extended.chain, extended.files


def _publish(request: Request, key: str, build: building.Build, units: Units) -> str:
    """Gives the module its final name, and lists what it follows from."""
    files = _own_files(build, units)
    path = Path(request.file_for(key, files))
    traces = build.package.output / "map.json"
    for source, target in ((traces, map_of(path)), (Path(build.target), path)):
        temporary = target.with_name(f".{target.name}")
        shutil.copyfile(source, temporary)
        temporary.replace(target)
    listed = Path(request.list_file(key))
    temporary = listed.with_name(f".{listed.name}")
    temporary.write_text("".join(f"{name}\n" for name in files), encoding="utf-8")
    temporary.replace(listed)
    _forget(path.parent, path)
    limiting.note_size(path.parent)
    return str(path)


def map_of(module: Path) -> Path:
    """The map that lies beside a module, for `wrapgen trace` and th.explain()."""
    return module.with_suffix(".json")


def _own_files(build: building.Build, units: Units) -> list[str]:
    """The files of the user that the declarations lead to: those they include or name, and the headers of these."""
    named = {str(path) for path in build.package.plugin_files}
    included = loader.included_files(path for path, _ in build.package.files())
    named |= {str(path.resolve()) for path in included}
    if not units.files:
        return sorted(named)
    command = [machine.ninja_program(), "-f", build.ninja_file, "-t", "deps"]
    output = subprocess.run(command, cwd=build.root, capture_output=True, text=True, check=False)
    named |= {str(path.resolve()) for path in units.files}
    for line in output.stdout.splitlines():
        path = (
            Path(os.path.normpath(build.root / line.strip())) if line.startswith("    ") else None
        )
        if path and not building.is_own(build, path) and not path.is_relative_to("/usr"):
            named.add(str(path.resolve()))
    return sorted(named)


def _forget(folder: Path, newest: Path) -> None:
    """Removes all but the newest modules and lists; who has one loaded keeps it."""
    for pattern in ("*.abi3.so", "*.files"):
        found = sorted(folder.glob(pattern), key=lambda path: -path.stat().st_mtime_ns)
        for path in found[_KEPT:]:
            if path != newest:
                path.unlink(missing_ok=True)
                map_of(path).unlink(missing_ok=True)


def _caller(request: Request) -> tuple[str, int]:
    """Where a text given to inline() stands: its file and the lines before it, where that is plain."""
    try:
        lines = Path(request.origin).read_bytes()
    except OSError:
        return ("<inline>", 0)
    before, found, after = lines.partition(request.text)
    if not found or request.text in after or b"\n" not in request.text:
        return ("<inline>", 0)
    return (request.origin, before.count(b"\n"))


def _shown(
    error: DeclarationErrors | BuildError, request: Request, shown: tuple[str, int]
) -> Exception:
    """The error, with the YAML's name and lines as the user knows them."""
    file = os.path.relpath(_declarations(request), request.root)
    place = re.compile(rf"(?<![\w.]){re.escape(file)}:(\d+)")

    def renamed(text: str) -> str:
        return place.sub(lambda match: f"{shown[0]}:{int(match[1]) + shown[1]}", text)

    if isinstance(error, BuildError):
        return BuildError(renamed(str(error)))
    folder = os.path.dirname(shown[0])

    def moved(loc: Loc) -> Loc:
        """In the file itself, or in one that it includes."""
        if loc.file == file:
            return Loc(shown[0], loc.line + shown[1], loc.column)
        return Loc(os.path.join(folder, loc.file), loc.line, loc.column)

    return DeclarationErrors(
        DeclarationError(moved(each.loc), renamed(each.message)) for each in error.errors
    )
