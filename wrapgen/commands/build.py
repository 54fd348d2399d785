"""`wrapgen build`"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from wrapgen.toolchain import machine
from wrapgen.toolchain.profiles import PROFILES

HELP = "build the op package of a folder in place"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", default=".", help="with pyproject.toml; default: .")
    add_build_arguments(parser)
    parser.add_argument(
        "--verbose", action="store_true", help="show the commands, and where plugins failed"
    )


def add_build_arguments(parser: argparse.ArgumentParser) -> None:
    """What a build is configured with."""
    parser.add_argument("--profile", choices=sorted(PROFILES), default="release")
    parser.add_argument(
        "--native", action="store_true", help="only the instruction set of this machine"
    )
    parser.add_argument("--cc", default=machine.c_compiler(), help="C compiler; default: $CC or cc")
    parser.add_argument(
        "--cxx", default=machine.cxx_compiler(), help="C++ compiler; default: $CXX or c++"
    )


def run(arguments: argparse.Namespace) -> int:
    started = time.monotonic()
    from wrapgen.packages import current

    options = (arguments.profile, arguments.native, arguments.cc, arguments.cxx)
    target = current.target(Path(arguments.folder), *options)
    if target:
        print(f"wrapgen: {target} is up to date")
        return 0
    from wrapgen.packages import building, project

    package = project.read(Path(arguments.folder))
    build = building.of_project(package, *options)
    progress = building.Progress(f"building {package.module} ...")
    prepared = building.prepare(build)
    building.run(build, prepared, progress, arguments.verbose)
    print(f"wrapgen: built {build.target} in {time.monotonic() - started:.2f} s")
    return 0
