"""`wrapgen new`"""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "write a new op package that works as it is"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="of the package and of its folder")
    parser.add_argument("--generic", action="store_true", help="with C functions for each dtype")
    parser.add_argument("--sources", action="store_true", help="with a C++ file")


def run(arguments: argparse.Namespace) -> int:
    from wrapgen.packages import scaffold

    parts = tuple(part for part in scaffold.PARTS if getattr(arguments, part))
    root = scaffold.create(Path(), arguments.name, parts)
    print(f"wrapgen: wrote {root}; next: cd {root} && wrapgen build")
    return 0
