"""`return:` what a call gives back.

Default: the outputs (several as a named tuple), or self in place. `argument 0,1` picks declared
arguments by number, outputs among them. `THTensor*`, `bool`, `long`, `double`, `real`: the C
function stores the value through its first parameter. `void`: None.
"""

from __future__ import annotations

import re

from wrapgen.errors import listing, nearest
from wrapgen.model import Arg, Op, Plugin
from wrapgen.plugins.outputs import OUTPUT, outputs_of
from wrapgen.types import RETURNS

_ARGUMENTS = re.compile(r"argument (\d+(?:\s*,\s*\d+)*)$")


def returned_arguments(op: Op) -> tuple[Arg, ...]:
    """The arguments a `return: argument ...` names."""
    match = _ARGUMENTS.match(op.returns)
    return tuple(op.declared[int(number)] for number in match[1].split(",")) if match else ()


def _rewrite(op: Op) -> tuple[Op, ...]:
    known = ("", "self", "void", *RETURNS)
    if op.returns.startswith("argument"):
        match = _ARGUMENTS.match(op.returns)
        if not match:
            raise op.error(
                "return", f"expected return as 'argument N' or 'argument N,M', got '{op.returns}'"
            )
        for number in map(int, match[1].split(",")):
            if number >= len(op.declared):
                raise op.error(
                    "return", f"returns argument {number}; the list has {len(op.declared)}"
                )
            if not op.declared[number][OUTPUT]:
                raise op.error("return", f"returns '{op.declared[number]}', which is not an output")
        if sorted(map(str, returned_arguments(op))) != sorted(map(str, outputs_of(op))):
            raise op.error("return", f"'{op.returns}' must name every output once")
    elif op.returns not in known:
        hint = nearest(op.returns, known)
        raise op.error(
            "return", f"unknown return '{op.returns}'{hint}; known: {listing(known[1:])}"
        )
    if op.returns == "" and not op.inplace and not any(arg[OUTPUT] for arg in op.args):
        raise op.error(
            None,
            "returns nothing: it has no `kernel:` and no output; add one, or say `return: void`",
        )
    return (op,)


PLUGIN = Plugin("ReturnArguments", __doc__, rewrite=_rewrite)
