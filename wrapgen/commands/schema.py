"""`wrapgen schema`"""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "write a JSON Schema of declarations, for editors"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", help="a JSON file; default: printed")


def run(arguments: argparse.Namespace) -> int:
    from wrapgen import files
    from wrapgen.packages import project
    from wrapgen.show import schema

    plugins, _ = project.chain_of(Path())
    files.put(schema.text(plugins), arguments.output)
    return 0
