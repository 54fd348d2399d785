"""Is a package's build up to date? ninja knows, and asking it needs no generator.

It is sure only where build.ninja is what this call would write: by this Python and thwrap, with these options. Where
libraries are linked it is not asked, since pkg-config may have another answer than when build.ninja was written.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from wrapgen.toolchain import machine, ninjafile

BUILDDIR = "build"


def build_folder(profile: str) -> str:
    """Where a profile is built; all but the usual one have a folder of their own."""
    return BUILDDIR if profile == "release" else f"{BUILDDIR}/{profile}"


def ninja_file(profile: str) -> str:
    """The build.ninja of a profile; the usual one is where `ninja` finds it."""
    return "build.ninja" if profile == "release" else f"{build_folder(profile)}/build.ninja"


def generate_arguments(profile: str, native: bool, cc: str, cxx: str) -> tuple[str, ...]:
    """What the `wrapgen generate` that ninja calls is told."""
    native_option = ("--native",) if native else ()
    return ("--project", ".", "--profile", profile, "--cc", cc, "--cxx", cxx, *native_option)


def assignments(arguments: tuple[str, ...]) -> dict[str, str]:
    """Variables of build.ninja that say by what and for what it was written."""
    import thwrap

    return {
        "thwrap": ninjafile.path(thwrap.get_lib()),
        "wrapgen": ninjafile.words(sys.executable, "-m", "wrapgen"),
        "generate_arguments": ninjafile.words(*arguments),
        "library_links": "",
    }


def target(root: Path, profile: str, native: bool, cc: str, cxx: str) -> str:
    """The module's file where nothing has to be done; "" where something has, or may have."""
    file = ninja_file(profile)
    try:
        lines = (root / file).read_text(encoding="utf-8").splitlines()
        program = machine.ninja_program()
    except (OSError, UnicodeDecodeError, machine.ConfigureError):
        return ""
    wanted = assignments(generate_arguments(profile, native, cc, cxx))
    if not {f"{name} = {value}".rstrip() for name, value in wanted.items()} <= set(lines):
        return ""
    module = lines[-1].removeprefix("default ")
    beside = [(root / module).with_name(name) for name in ("_C.pyi", "_map.json", "py.typed")]
    if not all(path.is_file() for path in beside):
        return ""
    command = [program, "-f", file, "-n"]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return module if run.stdout == "ninja: no work to do.\n" else ""
