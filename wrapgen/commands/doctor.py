"""`wrapgen doctor`"""

from __future__ import annotations

import argparse

HELP = "say whether this machine can build op packages, and what to do if not"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    del parser


def run(arguments: argparse.Namespace) -> int:
    from wrapgen.toolchain.doctor import main

    return main()
