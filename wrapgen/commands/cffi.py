"""`wrapgen cffi`"""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "write the C file of the cffi module"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("cdef")
    parser.add_argument("target")
    parser.add_argument("--module", required=True)
    parser.add_argument("--header", required=True)


def run(arguments: argparse.Namespace) -> int:
    from wrapgen import files
    from wrapgen.emit import cffi_file

    text = cffi_file.source(Path(arguments.cdef).read_text(), arguments.module, arguments.header)
    files.write_if_changed(Path(arguments.target), text)
    return 0
