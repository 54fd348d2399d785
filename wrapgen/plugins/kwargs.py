"""Names the arguments as Python sees them, positional or by keyword.

`kwarg_only: true` makes an argument keyword-only; `long_args: true` lets sizes be given as separate
ints. `self` is the receiver of a method and `input` of a function (`self` is accepted too); `dim`
is also `axis`, `keepdim` also `keepdims`, as in NumPy.
"""

from dataclasses import replace

from wrapgen.model import Arg, Body, Key, Op, Param, Plugin
from wrapgen.plugins.outputs import OUT, OUTPUT, outputs_of
from wrapgen.plugins.promote import takes_number
from wrapgen.syntax.values import FLAG

KWARG_ONLY = Key[bool](
    "kwarg_only",
    lambda node: node.boolean("kwarg_only"),
    "The argument is given by keyword only.",
    FLAG,
    "{arg: real alpha, default: AS_REAL(1), kwarg_only: true}",
)
LONG_ARGS = Key[bool](
    "long_args",
    lambda node: node.boolean("long_args"),
    "Sizes may be given as separate ints.",
    FLAG,
    "{arg: THSize* size, long_args: true}",
)
_MAX_PARAMS = 24  # THP_MAX_PARAMS
_ALIASES = {"dim": "axis", "keepdim": "keepdims"}


def _rewrite(op: Op) -> tuple[Op, ...]:
    for arg in op.args:
        if arg[LONG_ARGS] and arg.type.kind != "THP_SIZE":
            raise op.error(LONG_ARGS, f"long_args is for sizes, not for '{arg}'", arg)
        if (arg[KWARG_ONLY] or arg[LONG_ARGS]) and arg[OUTPUT]:
            raise op.error(None, f"output '{arg.name}' is always given as out=", arg)
    inputs = [arg for arg in op.args if arg.visible and not arg[OUTPUT]]
    if len(inputs) >= _MAX_PARAMS:
        raise op.error(None, f"an op has less than {_MAX_PARAMS} arguments, got {len(inputs)}")
    clash = next((arg for arg in inputs if arg.name == "out"), None)
    if clash is not None and (op[OUT] or outputs_of(op)):
        raise op.error(
            None, "argument 'out' is how callers give the result; call it something else", clash
        )
    _check_long_args(op, [arg for arg in inputs if not arg[KWARG_ONLY]])
    return (op,)


def _check_long_args(op: Op, positional: list[Arg]) -> None:
    """Separate ints take all that is left of a call."""
    for index, arg in enumerate(positional):
        if not arg[LONG_ARGS]:
            continue
        if any(not earlier.type.tensor for earlier in positional[:index]):
            raise op.error(LONG_ARGS, f"only tensors may come before '{arg}' with long_args", arg)
        if index + 1 < len(positional):
            raise op.error(
                LONG_ARGS,
                f"'{arg}' with long_args must be the last one that is not kwarg_only",
                arg,
            )


def _reflects(op: Op, arg: Arg) -> bool:
    """An operator whose other operand may be a number has numbers on the left too: `2 - tensor`."""
    others = (other for other in op.args if other is not arg)
    return (
        bool(op.operator)
        and not op.inplace
        and arg.name == "self"
        and any(takes_number(op, o) for o in others)
    )


def _param(op: Op, arg: Arg) -> Param:
    number = takes_number(op, arg) or _reflects(op, arg)
    name, alias = arg.name, _ALIASES.get(arg.name, "")
    if op.arg(alias):
        alias = ""
    if name == "self" and not op.arg("input"):
        name, alias = "input", "self"
    return Param(
        arg=arg,
        name=name,
        alias=alias,
        kind="THP_OPERAND" if number else arg.type.kind,
        kwarg_only=bool(arg[KWARG_ONLY]),
        varargs=bool(arg[LONG_ARGS]),
        annotation="Tensor | Number" if number else arg.type.python,
        shown="Tensor or number" if number else arg.type.shown,
    )


def _weave(op: Op, body: Body) -> Body:
    params = [_param(op, arg) for arg in op.args if arg.visible and not arg[OUTPUT]]
    params.sort(key=lambda param: param.kwarg_only)
    return replace(body, params=(*params, *body.params))


PLUGIN = Plugin("Kwargs", __doc__, arg_keys=(KWARG_ONLY, LONG_ARGS), rewrite=_rewrite, weave=_weave)
