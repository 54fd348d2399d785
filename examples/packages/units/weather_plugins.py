"""A plugin of the package's own: `range: [low, high]` and `unit: text`, keys of arguments that are numbers.

A number outside of its range is a ValueError; the docstring says what is expected.
"""

from __future__ import annotations

from dataclasses import replace

from wrapgen.model import Arg, Body, Key, Op, Plugin
from wrapgen.syntax.node import Node


def _parse(node: Node) -> tuple[float, float]:
    items = node.sequence("range")
    try:
        low, high = (float(item.text("an end of the range")) for item in items)
    except ValueError:
        raise node.error("expected range as two numbers [low, high]") from None
    if not low <= high:
        raise node.error(f"expected a range with low <= high, got [{low:g}, {high:g}]")
    return low, high


RANGE = Key[tuple[float, float]]("range", _parse, "the values that a number may have")
UNIT = Key[str]("unit", lambda node: node.text("unit"), "what a number is measured in")


def _described(arg: Arg) -> str:
    low, high = arg[RANGE] or (None, None)
    limits = f"from {low:g} to {high:g}" if arg[RANGE] else ""
    return f"{arg.name}: {', '.join(filter(None, (arg[UNIT], limits)))}"


def _rewrite(op: Op) -> tuple[Op, ...]:
    """The docstring tells of both."""
    for arg in op.args:
        if arg[RANGE] and arg.type.name not in ("double", "long"):
            raise op.error(RANGE, f"range is for double and long, not '{arg}'", arg)
    told = [_described(arg) for arg in op.args if arg[RANGE] or arg[UNIT]]
    return (replace(op, doc="\n".join([op.doc, *told])),) if told else (op,)


def _weave(op: Op, body: Body) -> Body:
    """The check, before anything is computed."""
    for arg in op.args:
        if arg[RANGE] is None:
            continue
        low, high = arg[RANGE]
        text = f"{op.name}: expected {arg.name} from {low:g} to {high:g}, got %g"
        check = (
            f"TH_REQUIRE({arg.cname} >= {low!r} && {arg.cname} <= {high!r}, TH_ERROR_VALUE,\n"
            f'           "{text}", (double){arg.cname});'
        )
        body = body.plus("checks", "Range", arg.options.loc(RANGE) or arg.loc, check)
    return body


PLUGIN = Plugin("Range", __doc__ or "", arg_keys=(RANGE, UNIT), rewrite=_rewrite, weave=_weave)
