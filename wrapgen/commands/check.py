"""`wrapgen check`"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HELP = "validate declarations"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", help="files or folders; default declarations/")


def run(arguments: argparse.Namespace) -> int:
    from wrapgen import chain, loader

    files = [Path(name) for name in arguments.files] or loader.declaration_files(
        Path("declarations")
    )
    paths = [
        p for path in files for p in (loader.declaration_files(path) if path.is_dir() else [path])
    ]
    missing = [path for path in paths if not path.is_file()]
    if missing:
        print(f"wrapgen: no such file: {missing[0]}", file=sys.stderr)
        return 2
    operations = chain.run_all(loader.load((path, str(path)) for path in paths))
    forms = sum(len(operation.forms) for operation in operations)
    print(f"{len(paths)} files, {len(operations)} operations, {forms} forms: all right")
    return 0
