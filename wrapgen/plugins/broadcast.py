"""Broadcasting. Kernels broadcast all their operands; the engine reads them with stride 0, nothing
is expanded.

For other functions `broadcast:` on a tensor argument is `{dims: [mat.0, vec.0]}`: it is expanded to
these sizes of other arguments (cwrap's `mat,vec dims:mat.dim0`); or `{with: [other]}`: it and the
others are expanded to their common shape. In-place forms do not expand self.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from wrapgen.model import Arg, Body, Key, Op, Plugin
from wrapgen.plugins.common import array, find
from wrapgen.plugins.nullable_arguments import may_be_null
from wrapgen.plugins.outputs import OUTPUT
from wrapgen.syntax.node import Node
from wrapgen.syntax.values import IDENTIFIER, mapping, matching, some


@dataclass(frozen=True)
class Broadcast:
    """`dims` are (argument, dim) pairs; `others` are names."""

    dims: tuple[tuple[str, int], ...] = ()
    others: tuple[str, ...] = ()


_DIM = re.compile(r"([A-Za-z_]\w*)\.(\d+)$")


def _parse(node: Node) -> Broadcast:
    result = Broadcast()
    for key, value in node.mapping("broadcast"):
        word = key.word("a key of broadcast", ("dims", "with"))
        items = value.sequence(word) if value.is_sequence() else [value]
        if word == "with":
            result = replace(result, others=tuple(item.identifier("an argument") for item in items))
            continue
        dims = []
        for item in items:
            match = _DIM.match(item.text("a size"))
            if not match:
                raise item.error(f"expected a size as argument.dim, got {item.describe()}")
            dims.append((match[1], int(match[2])))
        result = replace(result, dims=tuple(dims))
    if bool(result.dims) == bool(result.others):
        raise node.error("expected either dims or with in broadcast")
    return result


BROADCAST = Key[Broadcast](
    "broadcast",
    _parse,
    "`{dims: [mat.0, vec.0]}`: this tensor is expanded to these sizes. `{with: [other]}`:"
    " it and the others are expanded to their common shape.",
    {
        **mapping({"dims": some(matching(r"\w+\.\d+")), "with": some(IDENTIFIER)}),
        "minProperties": 1,
        "maxProperties": 1,
    },
    "{arg: THTensor* self, broadcast: {dims: [mat.0, vec.0]}}",
)


def _rewrite(op: Op) -> tuple[Op, ...]:
    for arg in op.args:
        value = arg[BROADCAST]
        if value is None:
            continue
        if not arg.type.tensor or arg[OUTPUT]:
            raise op.error(BROADCAST, f"broadcast is for tensor inputs, not '{arg}'", arg)
        for name in (*value.others, *(name for name, _ in value.dims)):
            other = find(op, name, arg, BROADCAST)
            if not other.type.tensor:
                raise op.error(BROADCAST, f"'{name}' is not a tensor argument", arg)
            if other is arg:
                raise op.error(BROADCAST, f"'{name}' cannot be expanded to itself", arg)
            if may_be_null(other) or may_be_null(arg):
                raise op.error(BROADCAST, "a tensor that may be None cannot be expanded", arg)
    _check_once(op)
    return (op,)


def _check_once(op: Op) -> None:
    """Each tensor is expanded once, and tensors together to one shape."""
    expanded: dict[str, Arg] = {}
    together: Arg | None = None
    for arg, value in ((arg, arg[BROADCAST]) for arg in op.args):
        if value is None:
            continue
        for name in (arg.name, *value.others):
            if name in expanded:
                message = (
                    f"'{name}' is expanded already, by the broadcast of '{expanded[name].name}'"
                )
                raise op.error(BROADCAST, message, arg)
            expanded[name] = arg
        if value.others and together is not None:
            message = (
                f"'{together.name}' has a `with` already: list there what has one common shape"
            )
            raise op.error(BROADCAST, message, arg)
        together = arg if value.others else together


def _expand(op: Op, body: Body, arg: Arg, sizes: str, count: str) -> Body:
    loc = arg.options.loc(BROADCAST) or arg.loc
    name = f"{arg.cname}_expanded"
    source = body.actual(arg)
    body = body.plus("locals", PLUGIN.name, loc, f"THTensor *{name} = NULL;")
    body = body.plus(
        "inputs",
        PLUGIN.name,
        loc,
        f'TH_TRY(THWrapper_newExpanded("{op.name}", "{arg.name}", &{name}, {source}, {sizes}, {count}));',
    )
    body = body.plus("cleanup", PLUGIN.name, loc, f"THTensor_free({name});")
    return body.passing(arg, name)


def _dims(op: Op, body: Body, arg: Arg, value: Broadcast) -> Body:
    loc = arg.options.loc(BROADCAST) or arg.loc
    needed: dict[str, int] = {}
    for name, dim in value.dims:
        needed[name] = max(needed.get(name, 0), dim + 1)
    for name, count in needed.items():
        body = body.plus(
            "checks",
            PLUGIN.name,
            loc,
            f'TH_TRY(THCheck_ndimAtLeast("{op.name}", "{name}", {find(op, name, arg).cname}, {count}));',
        )
    sizes = array(f"{find(op, name, arg).cname}->size[{dim}]" for name, dim in value.dims)
    body = body.plus("inputs", PLUGIN.name, loc, f"const int64_t {arg.cname}_size[] = {sizes};")
    return _expand(op, body, arg, f"{arg.cname}_size", str(len(value.dims)))


def _common(op: Op, body: Body, arg: Arg, value: Broadcast) -> Body:
    loc = arg.options.loc(BROADCAST) or arg.loc
    others = [find(op, name, arg) for name in value.others]
    if op.inplace and "self" in (arg.name, *value.others):
        for other in (arg, *others):
            if other.name != "self":
                body = _expand(op, body, other, "self->size", "self->nDimension")
        return body
    names = array([arg.cname, *(other.cname for other in others)])
    body = body.plus(
        "locals", PLUGIN.name, loc, "THShape shape;", f"THTensor *const broadcast[] = {names};"
    )
    body = body.plus(
        "prepare",
        PLUGIN.name,
        loc,
        f'TH_TRY(THShape_broadcast("{op.name}", &shape, broadcast, {len(others) + 1}));',
    )
    for operand in (arg, *others):
        body = _expand(op, body, operand, "shape.size", "shape.nDimension")
    return body


def _weave(op: Op, body: Body) -> Body:
    if body.kernel is not None:
        text = f'TH_TRY(THShape_broadcast("{op.name}", &shape, inputs, {len(body.tensors)}));'
        body = body.plus("locals", PLUGIN.name, op.loc, "THShape shape;")
        return replace(body.plus("prepare", PLUGIN.name, op.loc, text), shaped=True)
    for arg in op.args:
        value = arg[BROADCAST]
        if value is None or (value.dims and op.inplace and arg.name == "self"):
            continue
        body = _dims(op, body, arg, value) if value.dims else _common(op, body, arg, value)
    return body


PLUGIN = Plugin("Broadcast", __doc__, arg_keys=(BROADCAST,), rewrite=_rewrite, weave=_weave)
