"""`CONSTANT text`: passes the text to the C function as it stands; callers do not see it."""

from dataclasses import replace

from wrapgen.model import Body, Op, Plugin


def _weave(op: Op, body: Body) -> Body:
    actuals = tuple(
        replace(actual, exact=True) if actual.arg.type.name == "CONSTANT" else actual
        for actual in body.actuals
    )
    return replace(body, actuals=actuals)


PLUGIN = Plugin("ConstantArguments", __doc__, weave=_weave, types=("CONSTANT",))
