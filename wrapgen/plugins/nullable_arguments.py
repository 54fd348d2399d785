"""`nullable: true`: None is accepted and handed to the C function as NULL (-1 for a dtype).
`default:` makes it optional.
"""

from dataclasses import replace

from wrapgen.model import Arg, Body, Key, Op, Param, Plugin
from wrapgen.plugins.optional_arguments import DEFAULT
from wrapgen.plugins.outputs import OUTPUT
from wrapgen.syntax.values import FLAG

NULLABLE = Key[bool](
    "nullable",
    lambda node: node.boolean("nullable"),
    "None is accepted and passed as NULL (of a dtype: -1).",
    FLAG,
    "{arg: THTensor* weight, nullable: true}",
)
_KINDS = ("THP_TENSOR", "THP_SIZE", "THP_STRING", "THP_GENERATOR", "THP_STORAGE", "THP_DTYPE")


def may_be_null(arg: Arg) -> bool:
    """NULL is a value of this argument: declared so, or its default."""
    return bool(arg[NULLABLE]) or arg[DEFAULT] in ("NULL", "null", "~")


def _rewrite(op: Op) -> tuple[Op, ...]:
    for arg in op.args:
        if arg[NULLABLE] and arg.type.kind not in _KINDS:
            raise op.error(NULLABLE, f"'{arg}' has no NULL to stand for None", arg)
        if may_be_null(arg) and arg[OUTPUT]:
            raise op.error(None, f"output '{arg.name}' is optional already", arg)
    return (op,)


def _weave(op: Op, body: Body) -> Body:
    def fill(param: Param) -> Param:
        return replace(param, nullable=True) if param.arg[NULLABLE] else param

    return replace(body, params=tuple(map(fill, body.params)))


PLUGIN = Plugin("NullableArguments", __doc__, arg_keys=(NULLABLE,), rewrite=_rewrite, weave=_weave)
