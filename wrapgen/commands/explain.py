"""`wrapgen explain`"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

HELP = "show what becomes of an entry, step by step"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name")
    parser.add_argument("--declarations", default="declarations")


def run(arguments: argparse.Namespace) -> int:
    from wrapgen import explain, loader

    files = [
        (path, os.path.relpath(path))
        for path in loader.declaration_files(Path(arguments.declarations))
    ]
    print(explain.explain(arguments.name, loader.load(files)), end="")
    return 0
