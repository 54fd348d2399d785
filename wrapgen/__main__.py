"""The command line: wrapgen configure | generate | check | explain | cffi."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from wrapgen import chain, emit_cdef, explain, generate, loader, ninja
from wrapgen.errors import DeclarationErrors


def _package(arguments: argparse.Namespace) -> generate.Package:
    root = Path.cwd()
    return generate.Package(
        module=arguments.module,
        declarations=root / arguments.declarations,
        output=root / arguments.output,
        root=root,
        ops_header=arguments.header,
        generic=arguments.generic,
        python=root / arguments.python if arguments.python else None,
        stub=root / arguments.stub if arguments.stub else None,
        base=arguments.base,
    )


def _configure(arguments: argparse.Namespace) -> int:
    config = ninja.Config(
        Path.cwd(), arguments.profile, arguments.builddir, arguments.out, arguments.cc
    )
    print(f"wrapgen: wrote {os.path.relpath(ninja.configure(config))}")
    return 0


def _generate(arguments: argparse.Namespace) -> int:
    package = _package(arguments)
    generate.generate(package)
    if arguments.depfile:
        names = " ".join(
            os.path.relpath(path).replace(" ", "\\ ") for path in generate.read_files(package)
        )
        Path(arguments.depfile).write_text(f"{arguments.stamp}: {names}\n")
    return 0


def _check(arguments: argparse.Namespace) -> int:
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


def _explain(arguments: argparse.Namespace) -> int:
    files = [
        (path, os.path.relpath(path))
        for path in loader.declaration_files(Path(arguments.declarations))
    ]
    text = explain.explain(arguments.name, loader.load(files))
    print(text, end="")
    return 0


def _cffi(arguments: argparse.Namespace) -> int:
    text = emit_cdef.source(Path(arguments.cdef).read_text(), arguments.module, arguments.header)
    generate.write_if_changed(Path(arguments.target), text)
    return 0


def _add_generate(write: argparse.ArgumentParser) -> None:
    write.add_argument("--module", default="thwrap._C")
    write.add_argument("--declarations", default="declarations")
    write.add_argument("--output", default="build/gen")
    write.add_argument(
        "--header", default="TH/THOps.h", help="name of the header with the prototypes"
    )
    write.add_argument(
        "--generic", default="TH/generic/{chapter}.h", help="headers of hand-written kernels"
    )
    write.add_argument("--python", default="", help="folder for the stub and the list of functions")
    write.add_argument("--stub", default="", help="template of the stub _C.pyi")
    write.add_argument("--base", action="store_true", help="write the dtype headers too")
    write.add_argument("--depfile", default="")
    write.add_argument("--stamp", default="")
    write.set_defaults(run=_generate)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wrapgen", description="Tensor operations from YAML declarations."
    )
    verbs = parser.add_subparsers(dest="verb", required=True)

    configure = verbs.add_parser("configure", help="write build.ninja")
    configure.add_argument("--profile", choices=sorted(ninja.PROFILES), default="release")
    configure.add_argument("--builddir", default="build")
    configure.add_argument("--out", default="pkg/thwrap", help="folder of the compiled package")
    configure.add_argument("--cc", default=os.environ.get("CC", "cc"))
    configure.set_defaults(run=_configure)

    _add_generate(verbs.add_parser("generate", help="write the generated files"))

    check = verbs.add_parser("check", help="validate declarations")
    check.add_argument("files", nargs="*", help="files or folders; default declarations/")
    check.set_defaults(run=_check)

    show = verbs.add_parser("explain", help="show what becomes of an entry, step by step")
    show.add_argument("name")
    show.add_argument("--declarations", default="declarations")
    show.set_defaults(run=_explain)

    binding = verbs.add_parser("cffi", help="write the C file of the cffi module")
    binding.add_argument("cdef")
    binding.add_argument("target")
    binding.add_argument("--module", required=True)
    binding.add_argument("--header", required=True)
    binding.set_defaults(run=_cffi)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Runs a verb; errors of declarations and of the machine are messages, not tracebacks."""
    arguments = _parser().parse_args(argv)
    try:
        result: int = arguments.run(arguments)
        return result
    except DeclarationErrors as errors:
        print(errors, file=sys.stderr)
        count = len(errors.errors)
        print(f"wrapgen: {count} error{'s' if count > 1 else ''}", file=sys.stderr)
        return 1
    except (ninja.ConfigureError, explain.UnknownOperation) as error:
        print(f"wrapgen: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
