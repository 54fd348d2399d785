"""`wrapgen trace`"""

from __future__ import annotations

import argparse

HELP = "show the way of an op's name from Python to the line that computes"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="prelu, Tensor.prelu_, max_dim; PACKAGE.OP of an op package")
    parser.add_argument("--map", default="", help="a map.json; default: the package's own")


def run(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from wrapgen.show import trace

    package, name = trace.parse_name(arguments.name)
    if arguments.map:
        content, tree = trace.read_map(Path(arguments.map)), Path.cwd()
    else:
        content, tree = trace.load_map(package)
    print(trace.trace(name, content, tree), end="")
    return 0
