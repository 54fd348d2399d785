"""`wrapgen trace`"""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "show the way of an op's name from Python to the line that computes"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    text = "prelu, Tensor.prelu_, max_dim; PACKAGE.OP of an op package, MODULE.OP of wrapgen.load"
    parser.add_argument("name", help=text)
    parser.add_argument("--map", default="", help="a map.json; default: the package's own")


def _package(name: str) -> tuple[str, str]:
    """The package and the op; in the folder of a package it is that one where no other is named."""
    from wrapgen.packages import project
    from wrapgen.show import trace

    if "." not in name and project.is_package(Path()):
        return project.read(Path()).package, name
    return trace.parse_name(name)


def run(arguments: argparse.Namespace) -> int:
    from wrapgen.show import trace

    package, name = _package(arguments.name)
    if arguments.map:
        content, tree = trace.read_map(Path(arguments.map)), Path.cwd()
    else:
        content, tree = trace.load_map(package)
    print(trace.trace(name, content, tree), end="")
    return 0
