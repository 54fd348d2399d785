"""`wrap_dim: self` on a `long` or `THDims*`: a dim of that tensor; negative ones count from the
end, others are errors.

`{of: self, extra: 1}` allows one more position, for a dim that is about to be inserted. Lists of
dims arrive in the C function as a bit mask; absent or empty they mean all dims.
"""

from __future__ import annotations

from dataclasses import dataclass

from wrapgen.model import Arg, Body, Key, Op, Plugin
from wrapgen.plugins.common import find
from wrapgen.plugins.nullable_arguments import may_be_null
from wrapgen.syntax.node import Node
from wrapgen.syntax.values import IDENTIFIER, either, mapping, one_of


@dataclass(frozen=True)
class WrapDim:
    """The tensor, or list of tensors, and how many dims more it will have."""

    of: str
    extra: int = 0


def _parse(node: Node) -> WrapDim:
    if not node.is_mapping():
        return WrapDim(node.identifier("wrap_dim"))
    of, extra = "", 0
    for key, value in node.mapping("wrap_dim"):
        if key.word("a key of wrap_dim", ("of", "extra")) == "of":
            of = value.identifier("of")
        else:
            extra = value.integer("extra")
    if not of:
        raise node.error("wrap_dim needs `of`, the tensor whose dims are counted")
    if extra not in (0, 1):
        raise node.error(f"expected extra as 0 or 1, got {extra}")
    return WrapDim(of, extra)


WRAP_DIM = Key[WrapDim](
    "wrap_dim",
    _parse,
    "A dim of that tensor; negative ones count from the end. `{of: self, extra: 1}` "
    "allows one more position.",
    either(IDENTIFIER, mapping({"of": IDENTIFIER, "extra": one_of((0, 1))}, required=("of",))),
    "{arg: long dim, wrap_dim: self}",
)


def _rewrite(op: Op) -> tuple[Op, ...]:
    for arg in op.args:
        value = arg[WRAP_DIM]
        if value is None:
            if arg.type.name == "THDims*" and arg.visible:
                raise op.error(None, f"'{arg}' needs wrap_dim: which tensor's dims are these?", arg)
            continue
        if arg.type.name not in ("long", "int", "THDims*"):
            raise op.error(
                WRAP_DIM, f"wrap_dim is for long and THDims* arguments, not '{arg}'", arg
            )
        of = find(op, value.of, arg, WRAP_DIM)
        if not of.type.tensor and of.type.name != "THTensorList":
            raise op.error(WRAP_DIM, f"'{value.of}' is not a tensor argument", arg)
        if may_be_null(of):
            raise op.error(WRAP_DIM, f"'{value.of}' may be None, which has no dims", arg)
        if value.extra and arg.type.name == "THDims*":
            raise op.error(WRAP_DIM, f"extra is for one dim, not for '{arg}'", arg)
    return (op,)


def _one(op: Op, body: Body, arg: Arg, value: WrapDim) -> Body:
    loc = arg.options.loc(WRAP_DIM) or arg.loc
    of = find(op, value.of, arg)
    tensor = of.cname if of.type.tensor else f"{of.cname}[0]"
    name = arg.cname
    if arg.type.name == "THDims*":
        body = body.plus("locals", PLUGIN.name, loc, f"uint64_t {name}_mask = 0;")
        body = body.plus(
            "checks",
            PLUGIN.name,
            loc,
            f'TH_TRY(THCheck_dimMask("{op.name}", "{arg.name}", {tensor}, {name}, {name}_n, '
            f"&{name}_mask));",
        )
        return body.passing(arg, f"{name}_mask", exact=True)
    return body.plus(
        "checks",
        PLUGIN.name,
        loc,
        f'TH_TRY(THCheck_dim("{op.name}", "{arg.name}", {tensor}, {value.extra}, &{name}));',
    )


def _weave(op: Op, body: Body) -> Body:
    for arg in op.args:
        value = arg[WRAP_DIM]
        if value is not None:
            body = _one(op, body, arg, value)
    return body


PLUGIN = Plugin(
    "WrapDim", __doc__, arg_keys=(WRAP_DIM,), rewrite=_rewrite, weave=_weave, types=("THDims*",)
)
