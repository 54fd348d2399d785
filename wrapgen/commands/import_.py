"""`wrapgen import`"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HELP = "write the declarations of a .cwrap file as YAML"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a .cwrap file")
    parser.add_argument("-o", "--output", help="the YAML file; default: beside it, by its name")


def run(arguments: argparse.Namespace) -> int:
    from wrapgen.cwrap import convert, report, writer
    from wrapgen.errors import UserError
    from wrapgen.packages import project

    path = Path(arguments.file)
    if not path.is_file():
        print(f"wrapgen: no such file: {path}", file=sys.stderr)
        return 2
    output = Path(arguments.output) if arguments.output else path.with_suffix(".yaml")
    if output.resolve() == path.resolve():
        raise UserError(f"{output} is the file to read; name another one with -o")
    plugins, _ = project.chain_of(Path())
    converted = convert.convert(path, str(path), plugins)
    try:
        output.write_text(writer.write(converted, path.name), encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write {output}: {error.strerror}") from None
    print(f"{output}: {report.summary(converted)}")
    return 0
