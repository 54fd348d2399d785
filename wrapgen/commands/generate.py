"""`wrapgen generate`"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from wrapgen.commands.build import add_build_arguments

HELP = "write the generated files"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--module", default="thwrap._C")
    parser.add_argument("--declarations", default="declarations")
    parser.add_argument("--output", default="build/gen")
    parser.add_argument(
        "--header", default="TH/THOps.h", help="name of the header with the prototypes"
    )
    parser.add_argument(
        "--generic", default="TH/generic/{chapter}.h", help="headers of hand-written kernels"
    )
    parser.add_argument(
        "--python", default="", help="folder for the stub and the list of functions"
    )
    parser.add_argument("--stub", default="", help="template of the stub _C.pyi")
    parser.add_argument("--base", action="store_true", help="write the dtype headers too")
    parser.add_argument("--ops", default="", help="a list of the operations to write; default: all")
    parser.add_argument("--depfile", default="")
    parser.add_argument("--stamp", default="")
    parser.add_argument(
        "--project", default="", help="folder of an op package, whose pyproject.toml says the rest"
    )
    add_build_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    from wrapgen import generate, selection

    if arguments.project:
        return _project(arguments)
    root = Path.cwd()
    package = generate.Package(
        module=arguments.module,
        declarations=root / arguments.declarations,
        output=root / arguments.output,
        root=root,
        ops_header=arguments.header,
        generic=arguments.generic,
        python=root / arguments.python if arguments.python else None,
        stub=root / arguments.stub if arguments.stub else None,
        base=arguments.base,
        selection=selection.of(root, arguments.ops),
    )
    generate.generate(package)
    if arguments.depfile:
        names = " ".join(
            os.path.relpath(path).replace(" ", "\\ ") for path in generate.read_files(package)
        )
        Path(arguments.depfile).write_text(f"{arguments.stamp}: {names}\n")
    return 0


def _project(arguments: argparse.Namespace) -> int:
    from wrapgen.packages import building, project

    package = project.read(Path(arguments.project))
    building.prepare(
        building.of_project(
            package, arguments.profile, arguments.native, arguments.cc, arguments.cxx
        )
    )
    return 0
