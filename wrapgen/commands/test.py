"""`wrapgen test`"""

from __future__ import annotations

import argparse
from pathlib import Path

from wrapgen.toolchain import machine

HELP = "build the op package here and test the laws and its own tests; other arguments are pytest's"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.allow_abbrev = False
    parser.add_argument(
        "--asan", action="store_true", help="build and run with the address sanitizer"
    )
    parser.add_argument(
        "--native", action="store_true", help="only the instruction set of this machine"
    )
    parser.add_argument("--cc", default=machine.c_compiler(), help="C compiler; default: $CC or cc")
    parser.add_argument(
        "--cxx", default=machine.cxx_compiler(), help="C++ compiler; default: $CXX or c++"
    )
    parser.set_defaults(rest=[])


def run(arguments: argparse.Namespace) -> int:
    from wrapgen.packages import building, project
    from wrapgen.testing import run as testing

    testing.check_installed()
    package = project.read(Path())
    profile = "asan" if arguments.asan else "release"
    native = arguments.native or arguments.asan
    build = building.of_project(package, profile, native, arguments.cc, arguments.cxx)
    return testing.run(package, build, arguments.asan, arguments.rest)
