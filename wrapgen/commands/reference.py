"""`wrapgen reference`"""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "write the manual of keys, argument types and plugins"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", help="a Markdown file; default: printed")


def run(arguments: argparse.Namespace) -> int:
    import os

    from wrapgen import chain, files
    from wrapgen.packages import project
    from wrapgen.show import reference

    plugins, paths = project.chain_of(Path())
    operations = chain.read(((path, os.path.relpath(path)) for path in paths), plugins)
    files.put(reference.reference(plugins, operations), arguments.output)
    return 0
