"""`wrapgen configure`"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from wrapgen.toolchain.profiles import PROFILES

HELP = "write build.ninja"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--profile", choices=sorted(PROFILES), help="default: release, or small")
    parser.add_argument("--builddir", help="default: build, or build/selective")
    parser.add_argument("--out", help="folder of the package; default: pkg/thwrap, or in BUILDDIR")
    parser.add_argument("--cc", default=os.environ.get("CC", "cc"))
    parser.add_argument(
        "--ops",
        default="",
        metavar="FILE",
        help="a YAML list of operations: a package of these alone",
    )


def run(arguments: argparse.Namespace) -> int:
    from wrapgen.toolchain import ninja

    ops: str = arguments.ops
    builddir = arguments.builddir or ("build/selective" if ops else "build")
    config = ninja.Config(
        Path.cwd(),
        arguments.profile or ("small" if ops else "release"),
        builddir,
        arguments.out or (f"{builddir}/thwrap" if ops else "pkg/thwrap"),
        arguments.cc,
        ops=ops,
    )
    print(f"wrapgen: wrote {os.path.relpath(ninja.configure(config))}")
    return 0
