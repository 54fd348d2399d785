"""`assert_ndim: N`: the tensor must have exactly N dims."""

from wrapgen.model import Body, Key, Op, Plugin
from wrapgen.plugins.nullable_arguments import may_be_null
from wrapgen.plugins.outputs import OUTPUT
from wrapgen.syntax.values import INTEGER

ASSERT_NDIM = Key[int](
    "assert_ndim",
    lambda node: node.integer("assert_ndim"),
    "The tensor must have so many dims.",
    {**INTEGER, "minimum": 0, "maximum": 64},
    "{arg: THTensor* mat, assert_ndim: 2}",
)


def _rewrite(op: Op) -> tuple[Op, ...]:
    for arg in op.args:
        count = arg[ASSERT_NDIM]
        if count is not None and (not arg.type.tensor or arg[OUTPUT]):
            raise op.error(ASSERT_NDIM, f"assert_ndim is for tensor inputs, not '{arg}'", arg)
        if count is not None and not 0 <= count <= 64:
            raise op.error(ASSERT_NDIM, f"expected assert_ndim in [0, 64], got {count}", arg)
    return (op,)


def _weave(op: Op, body: Body) -> Body:
    for arg in op.args:
        count = arg[ASSERT_NDIM]
        if count is not None:
            text = f'TH_TRY(THCheck_ndim("{op.name}", "{arg.name}", {arg.cname}, {count}));'
            if may_be_null(arg):
                text = f"if ({arg.cname} != NULL)\n    {text}"
            body = body.plus("checks", PLUGIN.name, arg.options.loc(ASSERT_NDIM) or arg.loc, text)
    return body


PLUGIN = Plugin("AssertNDim", __doc__, arg_keys=(ASSERT_NDIM,), rewrite=_rewrite, weave=_weave)
