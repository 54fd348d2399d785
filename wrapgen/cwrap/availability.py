"""What a form is there for: backends, types of arguments, dtypes. Unsupported says what is not there today."""

from __future__ import annotations

from wrapgen import tables
from wrapgen.cwrap import functions, languages
from wrapgen.cwrap.arguments import Unsupported, spelled
from wrapgen.cwrap.declarations import Form

# What a form is missing for, the first that holds: a function that is not there says more than the types it has.
_REASONS = ("CUDA only", "sparse", "kernel", "unknown type")


def check_backend(form: Form, conditions: tuple[str, ...]) -> list[str]:
    """It is for the CPU and dense tensors; the notes say which conditions are unknown."""
    if form.sparse:
        raise Unsupported("sparse", "sparse tensors are not there")
    if "CPU" not in form.processors or form.pairs == ():
        raise Unsupported("CUDA only", "it is for CUDA alone")
    notes = []
    for text in conditions:
        said = languages.condition(text)
        if said.cuda:
            raise Unsupported("CUDA only", f"it is there only if {text}")
        if not said.known:
            notes.append(f"taken as if {text}")
    return notes


def check_types(form: Form) -> None:
    """Its function and the types of its arguments are known."""
    problems: list[Unsupported] = []
    for arg in form.args:
        try:
            if arg.visible:
                spelled(arg.typed.type)
        except Unsupported as unsupported:
            problems.append(unsupported)
    if functions.is_absent(form.cname):
        problems.append(Unsupported("kernel", f"thwrap has no kernel for '{form.cname}'"))
    if problems:
        raise min(problems, key=lambda problem: _REASONS.index(problem.kind))


def dtypes(
    form: Form, conditions: tuple[str, ...], there: tuple[str, ...]
) -> tuple[tuple[str, ...], list[str]]:
    """Words of `types:` for what is declared and there; none: all dtypes. With notes."""
    notes = []
    words = form.types if form.pairs is None else form.pairs
    chosen: tuple[str, ...] = () if "all" in words else words
    if chosen == ("Byte",):
        chosen = ("Byte", "Bool")
        notes.append("for Bool too, which masks are now")
    for text in conditions:
        names = languages.condition(text).dtypes
        if names is not None:
            known = tuple(name for name in tables.dtypes().names if name in names)
            if not known:
                raise Unsupported("types", f"it is there only if {text}")
            chosen = _both(chosen, known)
    return _both(chosen, there), notes


def _both(declared: tuple[str, ...], row: tuple[str, ...]) -> tuple[str, ...]:
    """The dtypes that both say, in the shorter words; none: all."""
    table = tables.dtypes()
    groups = table.groups()

    def expand(words: tuple[str, ...]) -> set[str]:
        return {name for word in words for name in groups.get(word, (word,))}

    every = set(table.names)
    mine, theirs = expand(declared) or every, expand(row) or every
    if mine <= theirs:
        return () if mine == every else declared
    if theirs <= mine:
        return row
    both = tuple(name for name in table.names if name in mine & theirs)
    if not both:
        raise Unsupported("types", "the function of today is not there for any of these types")
    return both
