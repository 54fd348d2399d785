"""`wrapgen explain`"""

from __future__ import annotations

import argparse
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from wrapgen.model import Op, Plugin

HELP = "show what becomes of an entry, step by step"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name")
    parser.add_argument("--verbose", action="store_true", help="show where plugins failed")
    parser.add_argument(
        "--declarations",
        default="",
        help="a file, a folder of them, or an op package's; default: the package here, or declarations/",
    )
    parser.add_argument(
        "--html",
        nargs="?",
        const="",
        default=None,
        metavar="FILE",
        help="write a page with the steps side by side; default: NAME.html",
    )


def _declared(place: Path) -> tuple[list[tuple[Op, ...]], tuple[Plugin, ...]]:
    """What is declared there, and the plugins it is declared for."""
    import os

    from wrapgen import loader
    from wrapgen.errors import UserError
    from wrapgen.packages import project
    from wrapgen.plugins import CHAIN

    plugins = CHAIN
    if project.is_package(place):
        package = project.read(place)
        paths, plugins = list(package.declarations), package.chain()
    elif place.is_file():
        paths = [place]
    else:
        folder = place / "declarations" if (place / "declarations").is_dir() else place
        paths = loader.declaration_files(folder)
    if not paths:
        raise UserError(f"explain: no declarations in {place}")
    return loader.load(((path, os.path.relpath(path)) for path in paths), plugins), plugins


def run(arguments: argparse.Namespace) -> int:
    from wrapgen.show import explain

    declarations, plugins = _declared(Path(arguments.declarations or "."))
    if arguments.html is None:
        print(explain.explain(arguments.name, declarations, plugins), end="")
        return 0
    from wrapgen.files import write_if_changed
    from wrapgen.show import explain_html

    found = explain.find(arguments.name, declarations, plugins)
    path = Path(arguments.html or f"{arguments.name}.html")
    write_if_changed(path, explain_html.page(arguments.name, found, plugins))
    print(f"wrapgen: wrote {path}")
    return 0
