"""Looks at the declarations of a file together: a name said in several places is one op, in-place forms are said once,
and no name is there twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wrapgen import chain
from wrapgen.cwrap import trees
from wrapgen.cwrap.arguments import Unsupported
from wrapgen.cwrap.entries import Entry
from wrapgen.cwrap.results import Result, overloads, plain, same, signature
from wrapgen.errors import DeclarationError, DeclarationErrors
from wrapgen.loader import with_aliases
from wrapgen.model import Op, Plugin

# What the loader and the chain say of a result.
Problem = Callable[[Result], DeclarationError | None]


def join(results: list[Result], problem: Problem) -> None:
    """Declarations of one name are one op: a method here and a function there, or forms of their own."""
    first: dict[str, Result] = {}
    for result in results:
        if not result.forms:
            continue
        base = first.setdefault(result.name, result)
        if base is not result:
            _join(base, result, problem)


def _join(base: Result, other: Result, problem: Problem) -> None:
    """Gives `base` what `other` adds; without any, or where they do not go together, `other` is missing."""
    words = (*base.variants, *other.variants)
    variants = tuple(word for word in ("method", "function") if word in words)
    forms = _together(base, other)
    declared = f"op '{base.name}' is declared already, in {base.forms[0].loc}"
    if forms == base.forms and set(variants) == set(base.variants):
        other.drop_all(Unsupported("names", declared))
        return
    joined = replace(base, forms=forms, variants=variants)
    found = problem(joined)
    if found is not None:
        other.drop_all(Unsupported("names", f"{declared}; together: {found.message}"))
        return
    known = {signature(form): _bare(form, "types") for form in forms}
    for form in other.forms:
        if known[signature(form)] != _bare(form, "types"):
            other.note(same(form))
    fewest = min(len(base.forms), len(other.forms))
    if set(base.variants) != set(other.variants) and len(forms) > fewest:
        base.note("all its forms with self are methods and functions")
    for note in (note for form in forms for note in form.notes):
        base.note(note)
    base.forms, base.variants, base.ops = forms, variants, joined.ops
    other.part_of = base


def _together(base: Result, other: Result) -> list[Entry]:
    """Forms of both, each once and for the dtypes of both; those that are functions only come last."""
    forms = {signature(form): form for form in base.forms}
    for form in other.forms:
        first = forms.setdefault(signature(form), form)
        if first is not form and _bare(first, "types") == _bare(form, "types"):
            forms[signature(form)] = _widened(first, form)
    return sorted(forms.values(), key=lambda form: all(arg.name != "self" for arg in form.args))


def _widened(form: Entry, other: Entry) -> Entry:
    """A form for the dtypes of another as well; without `types:` it is for all."""
    mine, theirs = (each.keys.get("types") for each in (form, other))
    if mine is None:
        return form
    keys = {key: value for key, value in form.keys.items() if key != "types"}
    if theirs is not None:
        added = [
            item for item in theirs.value if item.value not in [word.value for word in mine.value]
        ]
        if not added:
            return form
        keys["types"] = trees.sequence([*mine.value, *added], mine)
    return replace(form, keys=keys)


def fold(results: list[Result]) -> None:
    """`name_` that says what `name` says is derived from it."""
    by_name = {result.name: result for result in reversed(results) if result.speaks}
    for name, base in by_name.items():
        if name.endswith("_"):
            continue
        kernels = ["kernel" in form.keys for form in base.forms]
        other = by_name.get(f"{name}_")
        if other is not None and _inplace_of(other, base):
            other.inplace_of = base
            if not all(kernels):
                base.keys["inplace"] = "direct"
        elif any(kernels):
            base.keys["inplace"] = "false"
            for form in other.forms if other is not None else ():
                if "kernel" in form.keys and "cname" not in form.keys:
                    form.set("cname", f"{name}InPlace")


def unclash(results: list[Result], plugins: tuple[Plugin, ...]) -> None:
    """Of declarations that want the same name the first has it; what others say with them goes too."""
    while errors := _clashes([result for result in results if result.speaks], plugins):
        for error in errors:
            for result in results:
                if result.block.holds(error.loc):
                    result.drop_all(Unsupported("names", error.message))
        for result in results:
            if result.said_by is not None and not result.said_by.forms:
                result.drop_all(Unsupported("names", f"'{result.said_by.name}' is missing"))


def _clashes(results: list[Result], plugins: tuple[Plugin, ...]) -> list[DeclarationError]:
    """Names that two declarations have, further names too."""
    seen: dict[str, Op] = {}
    errors = []
    every = [ops for result in results for ops in with_aliases(result.ops)]
    for ops in every:
        first = seen.setdefault(ops[0].name, ops[0])
        if first is not ops[0]:
            message = f"op '{ops[0].name}' is declared already, in {first.loc}"
            errors.append(DeclarationError(ops[0].loc, message))
    if errors:
        return errors
    try:
        chain.run_all(every, plugins)
    except DeclarationErrors as found:
        return list(found.errors)
    return []


def _inplace_of(other: Result, base: Result) -> bool:
    """`other` is what the chain derives from `base` as its in-place form."""
    if not all(form.inplace for form in other.forms) or any(form.inplace for form in base.forms):
        return False
    if any(sum(arg.output for arg in form.args) > 1 for form in base.forms):
        return False
    mine, theirs = (
        dict(zip(overloads(result.forms), map(_bare, result.forms), strict=True))
        for result in (other, base)
    )
    return mine == theirs


def _bare(form: Entry, *without: str) -> object:
    """A form without some keys, its output's name and what in-place forms do not expand."""
    args: list[object] = []
    for arg in form.args:
        if arg.output:
            args.append(("output", ""))
        else:
            args.append(plain(arg.without("broadcast").tree()))
    keys = {key: plain(value) for key, value in form.keys.items() if key not in ("out", *without)}
    return tuple(args), tuple(sorted(keys.items(), key=str))
