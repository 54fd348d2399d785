"""`assert_ndim: N`: the tensor must have exactly N dims."""

from wrapgen.model import Body, Key, Op, Plugin

ASSERT_NDIM = Key[int](
    "assert_ndim", lambda node: node.integer("assert_ndim"), "dims the tensor must have"
)


def _rewrite(op: Op) -> tuple[Op, ...]:
    for arg in op.args:
        count = arg[ASSERT_NDIM]
        if count is not None and not arg.type.tensor:
            raise op.error(ASSERT_NDIM, f"assert_ndim is for tensor arguments, not '{arg}'", arg)
        if count is not None and not 0 <= count <= 64:
            raise op.error(ASSERT_NDIM, f"expected assert_ndim in [0, 64], got {count}", arg)
    return (op,)


def _weave(op: Op, body: Body) -> Body:
    for arg in op.args:
        count = arg[ASSERT_NDIM]
        if count is not None:
            body = body.plus(
                "checks",
                PLUGIN.name,
                arg.options.loc(ASSERT_NDIM) or arg.loc,
                f'TH_TRY(THCheck_ndim("{op.name}", "{arg.name}", {arg.cname}, {count}));',
            )
    return body


PLUGIN = Plugin("AssertNDim", __doc__, arg_keys=(ASSERT_NDIM,), rewrite=_rewrite, weave=_weave)
