"""`argument N`: passes argument N (counted from 0 in the declared list) once more; callers do not see it."""

from dataclasses import replace

from wrapgen.model import Actual, Arg, Body, Op, Plugin
from wrapgen.plugins.outputs import OUTPUT


def target(op: Op, arg: Arg) -> Arg:
    number = int(arg.name)
    if number >= len(op.declared):
        raise op.error(
            None, f"argument {number} is not there: the list has {len(op.declared)}", arg
        )
    target = op.declared[number]
    if not target.visible:
        raise op.error(None, f"argument {number} is itself '{target}'", arg)
    if target[OUTPUT]:
        raise op.error(None, f"argument {number} is an output", arg)
    return target


def _weave(op: Op, body: Body) -> Body:
    def resolve(actual: Actual) -> Actual:
        if actual.arg.type.name != "argument":
            return actual
        found = target(op, actual.arg)
        return replace(actual, arg=found, name=body.actual(found))

    return replace(body, actuals=tuple(map(resolve, body.actuals)))


PLUGIN = Plugin("ArgumentReferences", __doc__, weave=_weave, types=("argument",))
