"""The command line: `wrapgen VERB ...`, the verbs of wrapgen/commands."""

from __future__ import annotations

import argparse
import gc
import importlib
import sys
from collections.abc import Iterable

from wrapgen.commands import VERBS, module
from wrapgen.errors import DeclarationErrors, UserError

# What verbs import of others' packages, by its module.
_NEEDED = {"cffi": "cffi", "_cffi_backend": "cffi", "thwrap": "thwrap", "yaml": "PyYAML"}


def _parser(argv: list[str]) -> argparse.ArgumentParser:
    """Only the verb that is called, where one is, says what its arguments are."""
    parser = argparse.ArgumentParser(
        prog="wrapgen", description="Tensor operations from YAML declarations."
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    called = argv[:1] if argv[:1] and argv[0] in VERBS else VERBS
    for name in called:
        command = importlib.import_module(module(name))
        verb = verbs.add_parser(name, help=command.HELP, description=command.HELP)
        command.add_arguments(verb)
        verb.set_defaults(run=command.run)
    return parser


def _show_causes(arguments: argparse.Namespace, errors: Iterable[Exception]) -> None:
    """What plugins of a package raised, on `--verbose`."""
    if getattr(arguments, "verbose", False):
        from wrapgen.packages import extending

        extending.show_causes(errors)


def main(argv: list[str] | None = None) -> int:
    """Runs a verb; errors of declarations and of the machine are messages, not tracebacks."""
    argv = sys.argv[1:] if argv is None else argv
    parser = _parser(argv)
    arguments, rest = parser.parse_known_args(argv)
    if rest and not hasattr(arguments, "rest"):  # of the verbs that hand them on
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    arguments.rest = rest
    try:
        result: int = arguments.run(arguments)
        return result
    except DeclarationErrors as errors:
        _show_causes(arguments, errors.errors)
        print(errors, file=sys.stderr)
        count = len(errors.errors)
        print(f"wrapgen: {count} error{'s' if count > 1 else ''}", file=sys.stderr)
        return 1
    except UserError as error:
        _show_causes(arguments, [error])
        print(f"wrapgen: {error}", file=sys.stderr)
        return 1
    except ImportError as error:
        wanted = _NEEDED.get((error.name or "").partition(".")[0])
        if wanted is None:
            raise
        print(f"wrapgen: {wanted} cannot be imported: {error}", file=sys.stderr)
        print(
            f"wrapgen: pip install --upgrade {wanted}; `wrapgen doctor` looks further",
            file=sys.stderr,
        )
        return 1


if __name__ == "__main__":
    gc.disable()  # nearly all that is made lasts until the end
    sys.exit(main())
