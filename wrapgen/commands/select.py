"""`wrapgen select`: the steps of a selective build that ninja runs."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "link and measure a selective build (ninja calls this)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    steps = parser.add_subparsers(dest="step", required=True, metavar="STEP")
    exports = steps.add_parser("exports", help="write what libTH.so exports")
    exports.add_argument("target", type=Path)
    exports.add_argument("--runtime", nargs="+", type=Path, default=[], metavar="OBJECT")
    exports.add_argument("--callers", nargs="+", type=Path, default=[], metavar="OBJECT")
    sizes = steps.add_parser("sizes", help="print the sizes of the libraries")
    sizes.add_argument("libraries", nargs="+", type=Path)
    sizes.add_argument("target", type=Path, help="a file for the same text")


def run(arguments: argparse.Namespace) -> int:
    from wrapgen import files, selection

    if arguments.step == "exports":
        text = selection.exported(arguments.runtime, arguments.callers)
        files.write_if_changed(arguments.target, text)
        return 0
    text = selection.sizes(arguments.libraries)
    arguments.target.write_text(text)
    print(text, end="")
    return 0
