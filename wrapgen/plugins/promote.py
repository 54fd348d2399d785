"""`promote: none | arithmetic | number | float | comparison`: how operand dtypes combine and which dtype the
result has. A function that wants one dtype gets its tensors converted, but for those with `cast: false`, which it
converts itself as it reads them.

`none`: all tensors must have one dtype. `arithmetic`: PyTorch's promotion (tensors with dims, then
0-d tensors, then numbers; a later group counts only where its category is higher). `number`: the
same, bool becoming int64. `float`: the
same, integers and bool becoming the default dtype. `comparison`: computed in the promoted dtype, the result
is Bool. `number: true` lets a tensor argument be a Python number.
"""

from __future__ import annotations

from dataclasses import replace

from wrapgen.model import Arg, Body, Key, Op, Plugin
from wrapgen.plugins.common import array
from wrapgen.plugins.nullable_arguments import may_be_null
from wrapgen.plugins.outputs import OUTPUT
from wrapgen.syntax.values import FLAG, one_of

_WORDS = ("none", "arithmetic", "number", "float", "comparison")
PROMOTE = Key[str](
    "promote",
    lambda node: node.word("promote", _WORDS),
    "How operands' dtypes combine. `none`: they must agree (the default); `arithmetic` "
    "(the default of kernels): PyTorch's promotion; `number`: the same, bool becomes "
    "int64; `float`: the same, integers become the default dtype; `comparison`: "
    "arithmetic, with a Bool result.",
    one_of(_WORDS),
    "promote: float",
)
NUMBER = Key[bool](
    "number",
    lambda node: node.boolean("number"),
    "A tensor argument that may also be a Python number. Default in kernels for all but "
    "the first tensor.",
    FLAG,
    "{arg: THTensor* other, number: true}",
)
CAST = Key[bool](
    "cast",
    lambda node: node.boolean("cast"),
    "`false`: the function takes this tensor in any dtype and converts what it reads of it to "
    "the one it was chosen by, but for Half and Bool, in which it may not compute. Default "
    "true: the tensor is converted before the call.",
    FLAG,
    "{arg: THTensor* self, cast: false}",
)
_ENUM = {
    "none": "TH_PROMOTE_NONE",
    "arithmetic": "TH_PROMOTE_ARITHMETIC",
    "number": "TH_PROMOTE_NUMBER",
    "float": "TH_PROMOTE_FLOAT",
    "comparison": "TH_PROMOTE_ARITHMETIC",
}


def takes_number(op: Op, arg: Arg) -> bool:
    return bool(arg[NUMBER]) and arg.type.tensor


def _rewrite(op: Op) -> tuple[Op, ...]:
    for arg in op.args:
        if arg[NUMBER] and not arg.type.tensor:
            raise op.error(NUMBER, f"number is for tensor arguments, not '{arg}'", arg)
        if arg[NUMBER] and arg[OUTPUT]:
            raise op.error(NUMBER, f"output '{arg.name}' cannot be a number", arg)
    return (op,)


def _operands(body: Body) -> tuple[str, list[str], tuple[str, str]]:
    """The array to promote over, its definition, and its length."""
    lists = [arg for arg in body.operands if not arg.type.tensor]
    if lists:
        return lists[0].cname, [], (lists[0].cname, f"{lists[0].cname}_n")
    names = [arg.cname for arg in body.operands]
    if body.operands == body.tensors:
        return "inputs", [], ("inputs", str(len(names)))
    return (
        "operands",
        [f"THTensor *const operands[] = {array(names)};"],
        ("operands", str(len(names))),
    )


def _given(op: Op, body: Body, arg: Arg) -> Body:
    """The caller's dtype replaces the promoted one; where it chooses the function, that has no use for it any more."""
    text = f'TH_TRY(THCheck_dtypeGiven("{op.name}", {arg.cname}, &dtype));'
    body = body.plus("prepare", PLUGIN.name, arg.loc, text)
    rest = tuple(actual for actual in body.actuals if actual.arg is not arg or not op.dispatched)
    return replace(body, actuals=rest)


def _scalars(op: Op, body: Body) -> Body:
    """Checks numbers once it is known that the op exists for the dtype."""
    for arg in op.args:
        if arg.type.name in ("real", "accreal"):
            text = f'TH_TRY(THScalar_check("{op.name}", "{arg.name}", {arg.cname}, dtype));'
            body = body.plus("inputs", PLUGIN.name, arg.loc, text)
    return body


def _check_casts(op: Op, converted: tuple[Arg, ...]) -> None:
    for arg in op.args:
        if arg.options.has(CAST) and arg not in converted:
            what = "neither dtype nor promote converts it before the call"
            raise op.error(CAST, f"cast is not for '{arg}': {what}", arg)


def _weave(op: Op, body: Body) -> Body:
    given = next(
        (arg for arg in op.args if arg.type.name == "THDtype" and arg.name == "dtype"), None
    )
    word = op[PROMOTE]
    loc = op.options.loc(PROMOTE) or op.loc
    converts = op.dispatched and not body.looped and (given or word not in (None, "none"))
    converted = body.operands if converts else ()
    _check_casts(op, converted)
    if not body.operands:
        return body
    if op.dispatched and all(may_be_null(arg) for arg in body.operands):
        raise op.error(
            None, "every tensor may be None, so none can choose the dtype", body.operands[0]
        )
    if not op.dispatched and word is None and given is None:
        first = next((a.cname for a in body.operands if a.type.tensor and not may_be_null(a)), "")
        expression = f"(THDtype){first}->dtype" if first else ""
        return replace(body, dtype=expression, result_dtype=expression)
    _, definitions, (name, count) = _operands(body)
    body = body.plus("locals", PLUGIN.name, loc, "THDtype dtype;", *definitions)
    body = body.plus(
        "prepare",
        PLUGIN.name,
        loc,
        f'TH_TRY(THPromote("{op.name}", {_ENUM[word or "none"]}, {name}, {count}, &dtype));',
    )
    if given:
        body = _given(op, body, given)
    body = _scalars(op, body)
    result = "TH_BOOL" if word == "comparison" else "dtype"
    body = replace(body, dtype="dtype", result_dtype=result)
    for arg in converted:
        body = _cast(op, body, arg)
    return body


def _cast(op: Op, body: Body, arg: Arg) -> Body:
    """Converts an input for a function that wants exactly the computing dtype."""
    if op.inplace == "self":
        message = "converts its inputs, so self cannot be the result"
        raise op.error(PROMOTE, f"{message}; declare it without `_`, with `inplace: direct`")
    if not arg.type.tensor:
        message = f"the tensors of '{arg}' are not converted"
        raise op.error(None, f"{message}: it needs `promote: none` and no dtype", arg)
    cast = f"{arg.cname}_cast"
    body = body.plus("locals", PLUGIN.name, arg.loc, f"THTensor *{cast} = NULL;")
    function = "THWrapper_castRead" if arg[CAST] is False else "THWrapper_cast"
    text = f"TH_TRY({function}(&{cast}, {arg.cname}, dtype));"
    if may_be_null(arg):
        text = f"if ({arg.cname} != NULL)\n    {text}"
    body = body.plus("inputs", PLUGIN.name, arg.loc, text)
    body = body.plus("cleanup", PLUGIN.name, arg.loc, f"THWrapper_freeCast({cast}, {arg.cname});")
    return body.passing(arg, cast)


PLUGIN = Plugin(
    "Promote",
    __doc__,
    op_keys=(PROMOTE,),
    arg_keys=(NUMBER, CAST),
    rewrite=_rewrite,
    weave=_weave,
    types=("real", "accreal", "THScalar", "THDtype"),
)
