"""`wrapgen check`"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wrapgen.model import Plugin

HELP = "validate declarations"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="*", help="files or folders; default: the package here, or declarations/"
    )
    parser.add_argument("--verbose", action="store_true", help="show where plugins failed")
    parser.epilog = (
        "Of .cwrap files it says what is supported and what is missing. Status 0: all is well formed, whatever is "
        "missing; 1: something is malformed; 2: no such file."
    )


def _check_cwrap(paths: list[Path], plugins: tuple[Plugin, ...]) -> None:
    """What of files in the original syntax is supported; all errors of all files at once."""
    from wrapgen.cwrap import convert, report
    from wrapgen.errors import DeclarationError, DeclarationErrors

    errors: list[DeclarationError] = []
    for path in paths:
        converted = convert.survey(path, str(path), plugins)
        print(report.report(converted), end="")
        errors += converted.errors
    if errors:
        raise DeclarationErrors(errors)


def run(arguments: argparse.Namespace) -> int:
    from wrapgen import chain, loader
    from wrapgen.packages import project
    from wrapgen.plugins import CHAIN

    here = project.read(Path()) if project.is_package(Path()) else None
    files = [Path(name) for name in arguments.files]
    if not files and here:
        files = [Path(os.path.relpath(path)) for path in here.declarations]
    elif not files:
        files = loader.declaration_files(Path("declarations"))
    paths = [
        p for path in files for p in (loader.declaration_files(path) if path.is_dir() else [path])
    ]
    missing = [path for path in paths if not path.is_file()]
    if missing:
        print(f"wrapgen: no such file: {missing[0]}", file=sys.stderr)
        return 2
    plugins = here.chain() if here else CHAIN
    originals = [path for path in paths if path.suffix == ".cwrap"]
    if originals:
        _check_cwrap(originals, plugins)
        paths = [path for path in paths if path not in originals]
        if not paths:
            return 0
    operations = chain.read(((path, str(path)) for path in paths), plugins)
    forms = sum(len(operation.forms) for operation in operations)
    print(f"{len(paths)} files, {len(operations)} operations, {forms} forms: all right")
    return 0
