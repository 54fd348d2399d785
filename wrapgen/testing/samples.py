"""What `sample:` may say, checked before anything is drawn from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wrapgen.errors import listing, nearest
from wrapgen.model import Arg
from wrapgen.plugins.nullable_arguments import may_be_null
from wrapgen.plugins.optional_arguments import DEFAULT
from wrapgen.testing.declared import DTYPES, Case, cases

WORDS = ("positive", "nonzero")
KEYS = ("shape", "from", "to", "values", "dtype")
# What is passed for arguments that have no default and of which a sample says nothing.
NUMBERS = {"real": 2, "accreal": 2, "double": 0.5, "float": 0.5, "long": 1, "int": 1, "bool": False}


def problems(case: Case) -> Iterator[str]:
    """What is wrong with a form's sample."""
    sample = case.op.sample
    every = sample if isinstance(sample, list) else [{} if sample is None else sample]
    if not all(isinstance(one, dict) for one in every):
        yield "expected `sample:` as a mapping from arguments, or a list of mappings"
        return
    forms = [other for other in cases() if other.op.name == case.op.name]
    known = {arg.name for other in forms for arg in other.args}
    for one in every:
        for name in sorted(set(one) - known):
            hint = nearest(str(name), known) or f"; there is: {listing(sorted(known))}"
            yield f"`sample:` names no argument: '{name}'{hint}"
        for arg in case.args:
            yield from _problems_of(arg, one)


def _problems_of(arg: Arg, sample: dict[str, Any]) -> Iterator[str]:
    if arg.name not in sample:
        drawn = arg.type.tensor or arg.type.name in NUMBERS
        if not drawn and arg[DEFAULT] is None and not may_be_null(arg):
            yield f"argument '{arg.name}' has no default: `sample:` must say what tests pass"
    elif arg.type.tensor:
        yield from _problems_of_tensor(arg.name, sample[arg.name])


def _problems_of_tensor(name: str, how: Any) -> Iterator[str]:
    where = f"`sample:` of '{name}'"
    if isinstance(how, dict):
        for key in how:
            if key not in KEYS:
                yield f"{where}: unknown key '{key}'; known: {listing(KEYS)}"
        ends = [how[key] for key in ("from", "to") if key in how]
        if len(ends) == 1 or not all(isinstance(end, int | float) for end in ends):
            yield f"{where}: expected a number for each of from and to"
        values = how.get("values", [0])
        if not isinstance(values, list) or not all(isinstance(x, int | float) for x in values):
            yield f"{where}: expected values as a list of numbers"
        if how.get("dtype", DTYPES[0]) not in DTYPES:
            yield f"{where}: unknown dtype '{how['dtype']}'{nearest(str(how['dtype']), DTYPES)}"
        how = how.get("shape", [])
    if isinstance(how, list):
        if not all(isinstance(size, str) or (isinstance(size, int) and size >= 0) for size in how):
            yield f"{where}: expected a shape as a list of sizes and letters"
    elif how is not None and how not in WORDS:
        yield f"{where}: expected a shape, a range, or one of {listing(WORDS)}, got '{how}'"
