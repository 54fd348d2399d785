"""`wrapgen configure`"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from wrapgen.profiles import PROFILES

HELP = "write build.ninja"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--profile", choices=sorted(PROFILES), default="release")
    parser.add_argument("--builddir", default="build")
    parser.add_argument("--out", default="pkg/thwrap", help="folder of the compiled package")
    parser.add_argument("--cc", default=os.environ.get("CC", "cc"))


def run(arguments: argparse.Namespace) -> int:
    from wrapgen import ninja

    config = ninja.Config(
        Path.cwd(), arguments.profile, arguments.builddir, arguments.out, arguments.cc
    )
    print(f"wrapgen: wrote {os.path.relpath(ninja.configure(config))}")
    return 0
