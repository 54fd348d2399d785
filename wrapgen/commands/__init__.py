"""The verbs of the command line, a module each: `HELP`, `add_arguments(parser)`, `run(arguments)` which gives the exit
status. What a verb needs is imported when it runs, so that none waits for the others."""

import keyword

VERBS = (
    "new",
    "build",
    "test",
    "doctor",
    "check",
    "import",
    "explain",
    "trace",
    "reference",
    "schema",
    "configure",
    "generate",
    "cffi",
    "select",
)


def module(verb: str) -> str:
    """The module of a verb: `import` is a keyword, so its module is `import_`."""
    return f"wrapgen.commands.{verb}{'_' if keyword.iskeyword(verb) else ''}"
